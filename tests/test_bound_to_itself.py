"""A name that is bound to the memory that it has, as by `x = np.ravel(x)`, and then changes by `x += v`: what the
backward sweep reads of the old x is what it was."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

STEPS = {
    "itself": ["x = x", "x += y"],
    "in turn": ["x, w = x, y", "x += w"],
    "a choice": ["x = x if np.sum(y) > 0 else y", "x += y"],
    "in a branch": ["if np.sum(y) > 0: x = x", "x += y"],
    "in a loop": ["for i in range(2):", "    x = x", "    x += y * i"],
    "all of it": ["x = x * 1.0", "z = np.sin(x) * z", "x = x[:]", "x += y"],
    "raveled": ["x = x * 1.0", "z = np.sin(x) * z", "x = np.ravel(x)", "x += y"],
    "reshaped, twice": ["x = x * 1.0", "z = np.sin(x) * z", "x = x.reshape(-1)", "x *= y", "x = x.T", "x -= z"],
    "an array already": ["x = x * 1.0", "z = np.sin(x) * z", "x = np.asarray(x)", "x += y"],
    "an item": ["x = x * 1.0", "z = np.sin(x) * z", "x = x.reshape(-1)", "x[0] = 5.0"],
}
WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "grad": lambda f, x: tnb.grad(f)(x), "raw": lambda f, x: tnb.grad(f, optimized=False)(x),
    "value_and_grad": lambda f, x: tnb.value_and_grad(f)(x)[1], "like": lambda f, x: tnb.grad(f, like=(x,))(x),
    "jvp": lambda f, x: tnb.jvp(f)(x, dx=np.ones(2)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", STEPS)
def test_what_is_read_again_is_what_it_was(name: str, way: str) -> None:
    lines = ["import numpy as np", "def f(x):", "    y, z = x * 1.5, np.sin(x)", *(f"    {one}" for one in STEPS[name])]
    text = "\n".join([*lines, "    return np.sum(y * z)"])
    f = sourced(text, {}, f"<bound to itself, {name}, {way}>")["f"]
    x = np.array([0.4, 0.9])
    slopes = np.array([(f(x + h) - f(x - h)) / 2e-6 for h in np.eye(2) * 1e-6])
    assert np.allclose(WAYS[way](f, x.copy()), np.sum(slopes) if way == "jvp" else slopes, atol=1e-5)
