"""Derivatives that a function takes of what is constant to it: what their functions may change is asked."""
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
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(6)

SETUP = """
HIST, Y, A = [], 0.7, np.ones(2)
def growth(t, k=0.6): return t * t * k
def noted(t):
    HIST.append(t)
    return t * t
def changes(a):
    a[0] = 5.0
    return np.sum(a)
def newton(fn, t, n=2):
    dfn = tnb.grad(fn)
    for _ in range(n):
        t = t - 0.3 * fn(t) / (1.0 + dfn(t) ** 2)
    return t
def make(y):
    def f(w):
        d = tnb.grad(lambda t: t * t * y)
        return np.sum(w * d(y))
    return f
"""
RIGHT = {
    "of a function": "return np.sum(w * tnb.grad(growth)(Y))",
    "by a name": "return np.sum(w * tnb.grad(growth, wrt='k')(Y, Y))",
    "under a name": "d = tnb.grad(growth)\nreturn np.sum(w * d(Y)) * d(2.0)",
    "of a function of NumPy": "return np.sum(w * tnb.grad(np.sin)(Y))",
    "of a lambda": "return np.sum(w * tnb.grad(lambda t: t * t)(Y))",
    "of a lambda that calls": "d = tnb.grad(lambda t: growth(t) * np.sin(t))\nreturn np.sum(w) * d(Y)",
    "with a seed": "return np.sum(w * tnb.vjp(lambda t: 0.5 * t)(Y, 2.0))",
    "along": "return np.sum(w * tnb.jvp(growth)(Y, dt=2.0))",
    "with the value": "value, slope = tnb.value_and_grad(growth)(Y)\nreturn np.sum(w * value) * slope",
    "of a derivative": "return np.sum(w * tnb.grad(tnb.grad(growth))(Y))",
    "of a lambda with a derivative": "return np.sum(w) * tnb.grad(lambda t: tnb.grad(growth)(t) * t)(Y)",
    "in a helper": "return np.sum(w * newton(growth, Y))",
    "in a helper, of a lambda": "return np.sum(w) * tnb.grad(lambda t: newton(growth, t))(Y)",
    "in a closure": "return make(Y)(w)",
    "in a branch": "return np.sum(w) * newton(growth, Y) if Y > 0 else np.sum(w)",
    "in a loop": "t = Y\nfor _ in range(3):\n    t = t - 0.1 * tnb.grad(growth)(t)\nreturn np.sum(w * w) * t",
}
NOT_WRONG = {
    "what appends outside": "return np.sum(w * tnb.grad(noted)(Y))",
    "what changes an array outside": "d = tnb.grad(changes)\nreturn np.sum(w * d(A)) * np.sum(A)",
    "what changes an array": "b = np.ones(2)\nd = tnb.grad(changes)\ng = d(b)\nreturn np.sum(w * b * g)",
    "a lambda that changes an array": "b = np.ones(2)\ng = tnb.grad(lambda a: changes(a))(b)\nreturn np.sum(w * b * g)",
    "a lambda that does, by a name": "b = np.ones(2)\nd = tnb.grad(lambda a: changes(a))\ng = d(b)\n"
    "return np.sum(w * b * g)",
    "one of two": "b = np.ones(2)\nd = tnb.grad(changes) if Y > 0 else tnb.grad(np.sum)\ng = d(b)\n"
    "return np.sum(w * b * g)",
    "in a helper": "b = np.ones(2)\ng = newton(changes, b)\nreturn np.sum(w * b * g)",
    "what another derivative changes": "b = np.ones(2)\ng = tnb.jvp(tnb.grad(changes))(b, np.ones(2))\n"
    "return np.sum(w * b) + np.sum(g)",
}
W = np.array([0.5, -1.2])


def made(body: str) -> dict[str, Any]:
    text = SETUP + "def f(w):\n" + "\n".join("    " + line for line in body.splitlines()) + "\n"
    return sourced(text, {"np": np, "tnb": tnb, "__name__": "constant derivatives"})


def modes(f: Callable[..., Any]) -> dict[str, Callable[[], Any]]:
    return {"reverse": lambda: tnb.grad(f)(W.copy()), "raw": lambda: tnb.grad(f, optimized=False)(W.copy()),
            "value": lambda: tnb.value_and_grad(f)(W.copy())[1], "split": lambda: tnb.pullback(f, W.copy())[1](1.0),
            "forward": lambda: np.array([tnb.jvp(f)(W.copy(), unit) for unit in np.eye(2)]),
            "twice": lambda: tnb.jvp(tnb.grad(f))(W.copy(), W) - tnb.hvp(f)(W.copy(), W) + tnb.grad(f)(W.copy())}


def slopes(body: str) -> list[float]:
    """By differences, each value in a module of its own."""
    def at(unit: np.ndarray, h: float) -> float:
        return float(made(body)["f"](W + h * unit))
    return [(at(unit, 1e-4) - at(unit, -1e-4)) / 2e-4 for unit in np.eye(2)]


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_a_constant(name: str) -> None:
    known = slopes(RIGHT[name])
    for mode, found in modes(made(RIGHT[name])["f"]).items():
        assert found() == pytest.approx(known, rel=1e-6), mode


@pytest.mark.parametrize("name", NOT_WRONG)
@pytest.mark.parametrize("mode", ["reverse", "raw", "split", "forward"])
def test_what_may_change_something_is_asked(name: str, mode: str) -> None:
    try:
        left = made(NOT_WRONG[name])
        left["f"](W.copy())
        known = slopes(NOT_WRONG[name])
    except TangentError:
        return
    space = made(NOT_WRONG[name])
    try:
        found = modes(space["f"])[mode]()
    except TangentError:
        return
    assert found == pytest.approx(known, rel=1e-6)
    if mode != "forward":
        assert space["HIST"] == left["HIST"] and np.array_equal(space["A"], left["A"])


@pytest.mark.parametrize("body", [RIGHT["of a function"], RIGHT["under a name"], RIGHT["in a helper"]])
def test_a_function_that_is_defined_anew_is_noticed(body: str) -> None:
    space = made(body)
    df = tnb.grad(space["f"])
    df(W.copy())
    space["growth"] = space["noted"]
    known = space["f"](W.copy()) / np.sum(W)
    space["HIST"].clear()
    try:
        found = df(W.copy())
    except TangentError:
        assert not space["HIST"]
        return
    assert found == pytest.approx([known, known], rel=1e-6)
