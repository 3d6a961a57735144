"""`--check` says that a right derivative agrees and that a wrong one does not."""
from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from handmade import defined
from handmade import derived as handmade

from tangent_nb.notebook.at import evaluate
from tangent_nb.notebook.check import table
from tangent_nb.notebook.derive import derive
from tangent_nb.notebook.options import make

SPACE = {"np": np}


def square(x: Any) -> Any:
    print("in square")
    return np.sum(x * x)


def layer(x: Any, w: Any, n: int = 2) -> Any:
    for _ in range(n):
        x = np.tanh(np.dot(x, w))
    return np.mean(x)


def vector(x: Any) -> Any:
    return x * x * np.arange(3.0)


def shifted(x: Any) -> Any:
    return x * x + random.random()


def clashing(x: Any, dx: Any, seed: Any) -> Any:
    return x * dx * seed


def checked(f: Any, at: str, wrt: Any = 0, mode: str = "reverse") -> Any:
    bound = evaluate(at, f, SPACE)
    return table(f, derive(f, make(wrt=wrt, mode=mode), bound), bound)


@pytest.mark.parametrize("f, at, wrt", [
    (square, "3.0", "x"), (square, "np.arange(4.0)", "x"), (square, "np.ones((20, 3))", ("x",)),
    (square, "np.ones(3, np.float32)", "x"), (square, "1e6", "x"), (square, "0.0", "x"), (square, "2", "x"),
    (layer, "np.ones((2, 3)) / 3, np.eye(3) / 2", ("x", "w")), (shifted, "2.0", "x"),
    (clashing, "2.0, 3.0, 4.0", ("x", "dx", "seed")),
])
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_right_ones_agree(f: Any, at: str, wrt: Any, mode: str) -> None:
    found = checked(f, at, wrt, mode)
    assert found.marks == (True,) * len(found.rows), found
    assert [row[0] for row in found.rows] == list(wrt if isinstance(wrt, tuple) else (wrt,))
    assert ("reverse" if mode == "forward" else "forward") in found.head[2]


def ramp(x: Any) -> Any:
    return np.sum(np.abs(x))


def bowl(x: Any) -> Any:
    return np.sum(np.abs(x) ** 2)


@pytest.mark.parametrize("f, text", [(ramp, "a kink: the slope is -1 on one side and 1 on the other"),
                                     (bowl, "a kink: the second derivative is 0 by convention, and 2 by differences")])
def test_a_kink_is_told(f: Any, text: str) -> None:
    assert checked(f, "np.zeros(2)").rows[0][1].endswith(text)
    assert "kink" not in checked(f, "np.ones(2)").rows[0][1]


def test_vectors_are_checked_in_forward_mode() -> None:
    assert checked(vector, "np.ones(3)", "x", "forward").marks == (True,)


def test_a_wrong_one_differs() -> None:
    bound = evaluate("3.0", square, SPACE)
    right = derive(square, make(wrt="x"), bound)
    for text in ("2.0 * x * 1.001", "-2.0 * x", "1e300 * 1e300", "2.0 * x + 1e-3"):
        wrong = handmade(square, f"def dsquare_dx(x):\n    return {text}\n", ("x",))
        assert table(square, replace(right, function=wrong), bound).marks == (False,), text


def test_prints_and_random_numbers_leave_no_trace(capsys: pytest.CaptureFixture[str]) -> None:
    state = random.getstate()
    checked(square, "3.0")
    checked(shifted, "3.0")
    assert capsys.readouterr().out == "" and random.getstate() == state


def test_what_cannot_be_called_nearby_is_said() -> None:
    # not as pytest writes an assert, which sees all that is tested
    narrow = defined("def narrow(x):\n    assert x == 1.0\n    return x * x\n", "narrow")
    found = checked(narrow, "1.0")
    assert found.marks == (None,) and "AssertionError" in found.rows[0][1]
