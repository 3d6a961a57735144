"""`--nan` in a real shell, and in `show`."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangent_nb.errors import NonFiniteError
from tangent_nb.notebook import show

ROOTS = "def f(x):\n    y = np.sqrt(x)\n    return np.sum(y)\n"


def text(seen: Any) -> str:
    return "\n".join(display["text/plain"] for display in seen.displays)


def test_the_guilty_line_is_named_beside_both_panes(shell: Any) -> None:
    seen = shell.run('%%grad --nan --at "x=np.array([4.0, 0.0])"\n' + ROOTS)
    assert seen.ok and len(seen.displays) == 1
    shown = text(seen)
    assert "3 │     y = np.sqrt(x)" in shown and "def df_dx(x):" in shown
    assert "bx became Inf in the backward sweep\n  generated line " in shown
    assert ("which belongs to cell In[1], line 3:\n    y = np.sqrt(x)\n"
            "  found: 1 Inf in 2 elements, the first at [1]: inf") in shown
    html = seen.displays[0]["text/html"]
    assert '<pre class=tnb-message>bx became Inf in the backward sweep' in html and html.count("tnb-pane") >= 2


def test_the_rows_are_marked_in_both_panes(shell: Any) -> None:
    seen = shell.run('%%grad --nan --at "x=np.array([4.0, 0.0])"\n' + ROOTS)
    rows = [line for line in text(seen).split("\n") if line.endswith("◀ bx became Inf")]
    assert len(rows) == 2 and "y = np.sqrt(x)" in rows[0] and "bx = 0.5 / y" in rows[1]
    assert seen.displays[0]["text/html"].count('<em>  ◀ bx became Inf</em>') == 2
    state = show(roots, nan=True, at={"x": np.zeros(2)})._shown.state()              # type: ignore[union-attr]
    rows = [state["stages"][-1]["rows"][at] for at in state["guilty"]["rows"]]
    assert state["guilty"]["text"] == "bx became Inf" and len(rows) == 1 and state["guilty"]["primal"] == [1]
    assert "sqrt" in "".join(part for _, part in state["lines"][rows[0][0]])
    assert "◀" not in text(shell.run('%%grad --nan --at "x=np.array([4.0])"\n' + ROOTS))


def test_where_nothing_is_wrong(shell: Any) -> None:
    shown = text(shell.run('%%grad --nan --at "x=np.array([4.0])"\n' + ROOTS))
    assert "no line makes a NaN or an Inf here" in shown and "df/dx  [0.25]" in shown


def test_the_bound_derivative_is_watched(shell: Any) -> None:
    shown = text(shell.run("%%grad --nan\n" + ROOTS))
    assert "df_dx is watched" in shown and np.array_equal(shell["df_dx"](np.array([4.0])), [0.25])
    seen = shell.run("df_dx(np.array([0.0]))")
    assert isinstance(seen.error, NonFiniteError) and "bx became Inf" in seen.text \
        and "tracing/stepper" not in seen.text
    assert "--> " in seen.text and "bx = 0.5 / y" in seen.text
    shell.run("%%grad\n" + ROOTS)
    assert not hasattr(shell["df_dx"], "__wrapped__")


def test_arguments_that_are_not_finite(shell: Any) -> None:
    shown = text(shell.run('%%grad --nan --at "x=np.array([1.0, np.nan])"\n' + ROOTS))
    assert "the argument x of df_dx is not finite: 1 NaN in 2 elements, the first at [1]: nan" in shown


def test_errors_of_the_function_are_its_own(shell: Any) -> None:
    seen = shell.run('%%grad --nan --at "x=0.0"\ndef f(x):\n    assert x > 0.0, "positive"\n    return x * x\n')
    assert isinstance(seen.error, AssertionError) and "tangent_nb/notebook" not in seen.text \
        and "stepper" not in seen.text


def test_the_line_magic_and_every_parameter(shell: Any) -> None:
    shell.run(ROOTS)
    assert "bx became Inf" in text(shell.run('%grad f --nan -w "*" --at x=np.zeros(2)'))
    assert "forward sweep" in text(shell.run('%grad f --nan -m forward --at x=np.zeros(2)'))


def roots(x: Any) -> Any:
    return np.sum(np.sqrt(x))


def test_show() -> None:
    assert "bx became" in repr(show(roots, nan=True, at={"x": np.zeros(2)}))
    watched = show(roots, nan=True).derivative
    with pytest.raises(NonFiniteError):
        watched(np.zeros(2))                       # type: ignore[misc]
