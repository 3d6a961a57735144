"""What google/tangent got wrong without a word, and what made it die in notebooks: each item by name,
right here or refused."""
from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import directional, fresh, gap, inner, like, sourced

import tangent_nb as tnb

V = np.array([0.7, -0.4, 1.3])
W = np.array([1.5, 0.6, 2.1])
M = np.array([[0.3, 0.9, -0.2], [1.1, -0.7, 0.5]])
RIGHT = {
    "a scalar is spread by /": ("def f(x, v):\n    return np.sum(x / v)\n", (0.8, W)),
    "a scalar is spread by **": ("def f(x, v):\n    return np.sum(x ** v)\n", (0.8, W)),
    "a scalar is spread by multiply": ("def f(x, v):\n    return np.sum(np.multiply(x, v))\n", (0.8, W)),
    "a scalar is spread by maximum": ("def f(x, v):\n    return np.sum(np.maximum(x, v) * v)\n", (0.8, W)),
    "a part is overwritten by a constant": ("def f(x, v):\n    y = x * v\n    y[0] = 1.0\n    return np.sum(y * y)\n",
                                            (V, W)),
    "parts are added to in a loop": (
        "def f(x, v):\n    y = x * v\n    for i in range(3):\n        y[i] += x[i] * x[i]\n    return np.sum(y * y)\n",
        (V, W)),
    "code inside of np.errstate": (
        "def f(x, v):\n    with np.errstate(all='ignore'):\n        y = x * v * x\n    return np.sum(y)\n", (V, W)),
    "a sum over negative axes": (
        "def f(x, v):\n    return np.sum(np.sum(np.stack([x, x * x]), axis=(-2, -1)) * v[:2])\n", (M, W)),
    "a repeated fancy index": ("def f(x, v):\n    y = x[[0, 0, 1]]\n    return np.sum(y * y * v)\n", (V, W)),
    "a ** b by b": ("def f(x, v):\n    return np.sum(v ** x)\n", (V, W)),
    "np.dot(x.T, x)": ("def f(x, v):\n    return np.sum(np.dot(x.T, x) * v)\n", (M, W)),
    "keyword arguments": (
        "def h(a, b):\n    return a * a * b\ndef f(x, v):\n    return np.sum(h(b=x, a=v) + np.sum(x, axis=0))\n",
        (V, W)),
    "an alias is written": ("def f(x, v):\n    y = x * v\n    z = y\n    z[0] = 5.0 * x[1]\n    return np.sum(y * y)\n",
                            (V, W)),
    "a view is written": (
        "def f(x, v):\n    y = x * v\n    w = y[1:]\n    w[0] = 5.0 * x[0]\n    return np.sum(y * y)\n", (V, W)),
    "a part of a part is written": (
        "def f(x, v):\n    h = np.stack([x, v])\n    h[0][1] = x[0] * v[1]\n    return np.sum(h * h)\n", (V, W)),
    "x * 0 + 1 keeps its shape": ("def f(x, v):\n    return np.sum((x * 0 + 1) * v) + np.sum(x)\n", (V, 2.0)),
}


def define(text: str, scope: dict[str, Any] | None = None) -> Callable[..., Any]:
    return sourced(text, {"np": np, "__name__": "cell"} if scope is None else scope)["f"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("item", "wrt", "optimized"), list(itertools.product(RIGHT, (0, 1), (True, False))))
def test_right(item: str, wrt: int, optimized: bool) -> None:
    """In both modes, by each argument, with passes and without, against differences along a line."""
    text, args = RIGHT[item]
    f = define(text)
    direction = like(args[wrt], np.random.default_rng(wrt))
    measured = directional(f, args, (wrt,), (direction,))
    gradient = tnb.grad(f, wrt, optimized=optimized)(*map(fresh, args))
    assert np.shape(gradient) == np.shape(args[wrt])
    tangent = tnb.jvp(f, wrt, optimized=optimized)(*map(fresh, args), direction)
    for got in (inner(gradient, direction)[0], tangent):
        assert gap(got, measured.value) <= max(1e-7, 10 * measured.error)


# ------------------------------------------------------------------ what killed notebooks
def test_two_functions_of_one_name_from_two_modules() -> None:
    one = sourced("def h(x):\n    return x * x\n", {"__name__": "one"})["h"]
    two = sourced("def h(x):\n    return x * x * x\n", {"__name__": "two"})["h"]
    f = define("def f(x):\n    return h1(x) + 2.0 * h2(x)\n", {"h1": one, "h2": two})
    assert tnb.grad(f)(2.0) == 4.0 + 24.0 and tnb.jvp(f)(2.0, 1.0) == 28.0


def test_a_redefined_function_has_a_new_gradient() -> None:
    scope: dict[str, Any] = {}
    assert tnb.grad(define("def f(x):\n    return x * x\n", scope))(3.0) == 6.0
    assert tnb.grad(define("def f(x):\n    return x * x * x\n", scope))(3.0) == 27.0


def test_closures_do_not_leak_into_globals() -> None:
    scope = sourced("def make(w):\n    def f(x):\n        g = lambda t: t * w\n        return g(x) * x\n    return f\n")
    before = dict(scope)
    assert tnb.grad(scope["make"](3.0))(2.0) == 12.0 and tnb.grad(scope["make"](5.0))(2.0) == 20.0
    assert scope == before


def test_globals_are_read_when_the_gradient_is_called() -> None:
    scope: dict[str, Any] = {"k": 2.0}
    df = tnb.grad(define("def f(x):\n    return k * x * x\n", scope))
    assert df(3.0) == 12.0
    scope["k"] = 5.0
    assert df(3.0) == 30.0


def test_three_runs_give_one_source() -> None:
    text = ("def f(x, n):\n    g = lambda t: t * x\n    for i in range(n):\n"
            "        x = g(x) + sum([x * j for j in range(i)])\n    return x\n")
    assert len({tnb.source(tnb.grad(define(text))) for _ in range(3)}) == 1
