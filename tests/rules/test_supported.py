"""The table is the documentation: every public function of NumPy has a row or a reason,
and the page says what the table says."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracles
from supported_table import PAGE, page

import tangent_nb as tnb
from tangent_nb.errors import RefusedError
from tangent_nb.rules import lookup, rows
from tangent_nb.rules.supported import IN_PLACE, functions, nearest, section

NUMPY = ("np", "np.linalg", "np.fft")
NOT_YET = "it has no rule yet"
MOST_NOT_YET = 24


@pytest.mark.parametrize("module", NUMPY)
def test_every_function_of_numpy_has_a_row_or_a_reason(module):
    assert [name for name, fn in functions(module) if lookup(fn) is None and name not in IN_PLACE] == []


@pytest.mark.parametrize("call", [
    "np.copyto(y, x * x)", "A = np.outer(y, y); np.fill_diagonal(A, x[1]); y = A[0]",
    "np.place(y, np.array([True, False, True]), x[:2] * 3.0)", "np.put(y, [0, 2], x[1])",
    "np.put_along_axis(y, np.array([1]), x[:1], 0)", "np.putmask(y, np.array([True, False, True]), 5.0 * x)"])
def test_what_stores_is_differentiated(call):
    text = f"def f(x):\n    y = x * np.array([1.0, 2.0, 1.0])\n    {call}\n    return np.sum(y)\n"
    f = oracles.sourced(text, {"np": np, "__name__": "stores"}, f"<{call}>")["f"]
    x = np.array([1.0, 2.0, 3.0])
    measured = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(tnb.grad(f)(x), measured, atol=1e-6)


def test_few_functions_have_no_rule_yet():
    waiting = {line.name for module in NUMPY
               for line in section(module) if line.status == "refused" and NOT_YET in line.note}
    assert len(waiting) <= MOST_NOT_YET, sorted(waiting)


def test_every_refusal_says_why():
    assert [rule.name for rule in rows() if not rule.supported and not rule.because] == []
    assert [rule.name
            for rule in rows() if rule.supported and not rule.pull and not rule.push and not rule.because] == []


def test_the_page_is_as_the_table_is():
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tests/supported_table.py"


def test_supported_prints_a_module_or_a_function(capsys):
    tnb.supported("np.linalg")
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(section("np.linalg")) and any(line.startswith("np.linalg.inv(x)") for line in printed)
    tnb.supported("np.sin")
    assert capsys.readouterr().out.split() == ["np.sin(x)", "both", "modes"]
    with pytest.raises(ValueError, match=r"np\.sine is no part of the table: .* such as np\.sin$"):
        tnb.supported("np.sine")


@pytest.mark.parametrize(("name", "near"), [
    ("statistics.mean", "np.mean"), ("torch.tanhh", "np.tanh"), ("np.tan", "np.tan"),
    ("scipy.special.gamaln", "scipy.special.gammaln"), ("sc.gamaln", ""), ("xyzzy", "")])
def test_nearest(name, near):
    assert nearest(name) == near


def test_an_unknown_function_is_refused_with_the_nearest():
    import statistics

    def f(x):
        return statistics.median([x, x * x])

    with pytest.raises(RefusedError, match=r"statistics\.median has no derivative rule\n  instead: np\.\w+, or one of "
                       r"your own; or a rule"):
        tnb.grad(f)
    assert lookup(np.sin) is not None
