"""All places of a program are in one message, in the order of the text; a report says the same."""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tangent_nb as tnb
from refusals.case import run
from tangent_nb.errors import RefusedError, TangentError

MANY = """\
class P:
    def __init__(self, a):
        self.a = a

def h(t):
    del t[0]
    return t

def f(x):
    p = P(x)
    q = p.b
    r = P(x, x)
    z = np.real_if_close(x)
    s = {x, z}
    try:
        x = h(x)
    except* ValueError:
        pass
    with np.errstate(divide=x):
        y = [lambda: y * x][0]()
    return p.a * q + r.a + y
"""


def f_of(program: str) -> Any:
    return run(program)["f"]


def test_all_places_in_the_order_of_the_text() -> None:
    """Those of the first step and those of the fence in one list;
    what reads a name that was lost is not blamed for it."""
    for text in (str_of(tnb.grad), str_of(tnb.jvp), tnb.report(f_of(MANY))):
        assert [int(n) for n in re.findall(r"line (\d+), column", text)] == [11, 12, 13, 14, 17, 19, 20], text
        assert text.count("  why: ") == text.count("  instead: ") == 7


def str_of(derive: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        derive(f_of(MANY))
    return str(caught.value)


def test_twenty_are_shown() -> None:
    text = "def f(x):\n" + "    x = np.real_if_close(x)\n" * 23 + "    return x\n"
    report = tnb.report(f_of(text))
    assert report.startswith("cannot differentiate f: 23 places\n") and report.count(", column ") == 20 \
        and report.endswith("\n\n  and 3 more")


def test_report() -> None:
    """Nothing for what is differentiated; a text for what is not, whichever parameter is asked for."""
    assert tnb.report(f_of("def f(x):\n    return sum(x * i for i in range(3))\n")) == ""
    program = "def f(x, y):\n    return np.real_if_close(x) * y\n"
    assert tnb.report(f_of(program), "y") == ""
    assert all("np.real_if_close" in tnb.report(f_of(program), *wrt) for wrt in ((), (("x", "y"),)))
    with pytest.raises(TangentError, match="no parameter 'q'"):
        tnb.report(f_of(program), "q")


@pytest.mark.parametrize("place", ["desugar.definitions.check_known", "analyse.fence.function.check_derivatives",
                                   "analyse.fence.function.check_statements"])
def test_a_bug_of_ours_is_not_taken_for_a_refusal(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong after something is refused is raised as it is."""
    def broken(*args: Any) -> None:
        raise TypeError("planted")

    monkeypatch.setattr(f"tangent_nb.{place}", broken)
    with pytest.raises(TypeError, match="planted"):
        tnb.grad(f_of(MANY))
