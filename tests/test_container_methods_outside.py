"""Methods of dicts, sets, deques and lists of a module that a function calls, and reads nothing else of.

Each program is derived in every way, compared with differences, and what it leaves outside with what the function
itself leaves there; or it is refused."""
from __future__ import annotations

import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(2)

RIGHT = ["D.update(b=1.0)", "D.update({'b': 2.0})", "x *= D.pop('a')", "x *= D.setdefault('q', 5.0)", "D.clear()",
         "S.add('f')", "S.discard('g')", "for i in range(3):\n        Q.append(float(i)); x *= x",
         "Q.appendleft(1.0); Q.append(2.0); x *= Q.popleft()", "L.insert(0, 4.0)", "L.sort(); L.reverse()",
         "L.remove(1.0)", "O.move_to_end('a')", "L.extend([1.0] * 2); L.pop()", "S.update([1, 2])",
         "try: D.pop('missing')\n    except KeyError: x *= x", "Q.extend([1.0, 2.0]); Q.rotate(1)"]
OTHERS = ["if 'f' not in S: S.add('f')", "S.add('f'); x *= len(S)", "D.update(last=x)", "S.add(float(x))",
          "Q.append(x)", "D.update(w=A)", "a = np.zeros(2); D.update(a=a); a[0] = 1.0; x *= a[0]",
          "D.update(b=1.0); x *= D['a']",
          "d = D; d.update(b=1.0)", "while len(Q) < 3: Q.append(1.0); x *= x", "C.update(['a', 'b', 'a'])",
          "x *= read(); D.update(a=3.0); x *= read()", "D.update(a=3.0); x *= read()",
          "x *= A[0]; R.clear(); x *= A[0]",
          "x *= R.pop()[0]; A[0] = 5.0; x *= A[0]"]
HOW: dict[str, Callable[[Any], Any]] = {
    "reverse": tnb.grad, "raw": lambda f: tnb.grad(f, optimized=False),
    "forward": lambda f: lambda x: tnb.jvp(f)(x, dx=1.0), "value": lambda f: lambda x: tnb.value_and_grad(f)(x)[1]}
TEXT = """\
import numpy as np
def read(): return D['a']
def f(x):
    {change}
    return x * x
"""


def outside() -> dict[str, Any]:
    held = np.array([2.0, 3.0])
    return {"D": {"a": 1.0, "n": 2.0}, "S": set(), "Q": deque([0.5], maxlen=3), "L": [3.0, 1.0, 2.0],
            "O": OrderedDict(a=1, b=2), "C": Counter(), "A": held, "R": [held]}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("change", [*RIGHT, *OTHERS])
def test_it_is_right_and_leaves_the_same(change: str, how: str) -> None:
    space = sourced(TEXT.format(change=change), {"__name__": "cell"})
    f = space["f"]

    def run(function: Callable[[Any], Any], x: float) -> tuple[Any, str]:
        space.update(outside())
        return function(x), repr([space[name] for name in outside()])

    space.update(outside())
    slope = (run(f, 1.3 + 1e-6)[0] - run(f, 1.3 - 1e-6)[0]) / 2e-6
    left = run(f, 1.3)[1]
    try:
        found = run(HOW[how](f), 1.3)
    except TangentError:
        assert change in OTHERS
        return
    assert found == (pytest.approx(slope, rel=1e-6), left)


def test_an_argument_is_not_the_container() -> None:
    f = sourced("D = {'a': 2.0}\ndef f(x, d):\n    D.update(a=3.0)\n    return x * x * d['a']\n", {"__name__": "cell"})
    with pytest.raises(TangentError, match="shares its memory"):
        tnb.grad(f["f"])(1.5, f["D"])
    assert tnb.grad(f["f"])(1.5, {"a": 2.0}) == pytest.approx(6.0)
