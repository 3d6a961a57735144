"""Calling again leaves no trace."""
from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.rerun import Calls

rng = np.random.default_rng(1)


def noisy(x: Any, local: Any = None) -> Any:
    print("noise")
    warnings.warn("careful", stacklevel=2)
    x += helper()
    return x


def helper() -> float:
    return rng.random() + random.random() + np.random.random()


def test_each_call_gives_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    x = np.zeros(2)
    before = rng.bit_generator.state, random.getstate(), np.random.get_state()[1].tolist()
    call = Calls(noisy, (x,), {"local": np.random.default_rng(3)})
    first, second = call(noisy), call(noisy)
    assert np.array_equal(first, second) and first[0] != 0.0 and np.array_equal(x, [0.0, 0.0])
    assert before == (rng.bit_generator.state, random.getstate(), np.random.get_state()[1].tolist())
    assert capsys.readouterr().out == ""
    with pytest.warns(UserWarning, match="careful"):
        call(noisy, shown=True)
    assert capsys.readouterr().out == "noise\n"


def test_replaced_parameters() -> None:
    def f(a: Any, b: Any = 2, *rest: Any, c: Any = 3) -> Any:
        return a, b, rest, c

    call = Calls(f, (1, 2, 7), {"c": 3})
    assert call(f, {"b": 9, "c": 8}) == (1, 9, (7,), 8) and call(f) == (1, 2, (7,), 3)


def test_generators_in_cells_and_defaults() -> None:
    inner = np.random.default_rng(5)

    def f(x: Any, g: Any = np.random.default_rng(6)) -> Any:
        return inner.random() + g.random() + later

    later = 0.0
    first = Calls(f, (0,), {})(f)
    assert f(0) == first


def test_what_cannot_be_copied_is_passed_itself() -> None:
    import threading
    lock = threading.Lock()
    assert Calls(noisy, (lock,), {})(lambda value: value) is lock
