"""What no trip of a loop changes is computed in front of it; and what has to stay in the loop."""
from __future__ import annotations

import ast
import math
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb

OTHERS = tuple(name for name in tnb.PASSES if name != "loop_invariants")
X, W, M = np.array([0.5, 1.5, -0.7]), np.array([1.0, -2.0, 0.3]), np.linspace(-0.5, 0.8, 9).reshape(3, 3)
# by what they are: the text, its arguments, and the lines that come to stand in front of a loop
MOVED = {
    "a call": ("""
def f(x, w, n):
    for _ in range(n):
        x = x * np.tanh(w) + x
    return np.sum(x)
""", (X, W, 3), ["tanh = np.tanh(w)"]),
    "one that may overflow, where there is a trip": ("""
def f(x, w, n):
    for k in range(len(w)):
        x = x * np.exp(-w) + x
    return np.sum(x)
""", (X, W, 3), ["exp = np.exp(-w)"]),
    "a part of a sum": ("""
def f(x, w, n):
    for _ in range(n):
        x = np.sin(w * 2.0) + x * np.sin(x)
    return np.sum(x)
""", (X, W, 3), ["cos = np.cos(w * 2.0)"]),
    "what is made of what came out": ("""
def f(x, w, n):
    for _ in range(n):
        x = np.tanh(w) * np.sin(x)
    return np.sum(x)
""", (X, W, 3), ["tanh = np.tanh(w)", "difference = 1.0 - tanh * tanh"]),
    "of matrices that fit": ("""
def f(x, w, n):
    for _ in range(n):
        x = x * np.tanh(w @ w)
    return np.sum(x * x)
""", (M, M.T, 2), ["product = w @ w", "tanh = np.tanh(product)"]),
    "out of two loops": ("""
def f(x, w, n):
    for i in range(n):
        for j in range(3):
            x = x * np.tanh(w[0]) + x
    return np.sum(x)
""", (X, W, 3), ["tanh = np.tanh(w[0])"]),
    "out of the inner one": ("""
def f(x, w, n):
    for i in range(n):
        x = np.sin(x)
        y = x
        for j in range(n):
            x = np.cos(y) * x + x * x
    return np.sum(x)
""", (X, W, 2), ["sin = np.sin(y)"]),
    "what may raise, where there is a trip": ("""
def f(x, w, n):
    for _ in range(3):
        x = x * math.exp(-w) * x
    return x
""", (0.7, 0.2, 3), ["exp = math.exp(-w)"]),
    "numbers": ("""
def f(x, w, n):
    for _ in range(n):
        x = x * np.sin(w) * x
    return x
""", (0.7, 0.2, 3), ["sin = np.sin(w)"]),
}
# a line of the derivative that stays inside of a loop
STAYS = {
    "it may overflow": ("""
def f(x, w, n):
    for _ in range(n):
        x = x * np.exp(-w) + x
    return np.sum(x)
""", (X, W, 3), "exp = np.exp(-w)"),
    "the numbers may be none that it takes": ("""
def f(x, w, n):
    for _ in range(n):
        x = x * np.sqrt(w * w) + x
    return np.sum(x)
""", (X, W, 3), "np.sqrt(w * w)"),
    "it is bound in the trip": ("""
def f(x, w, n):
    for i in range(n):
        w = w * 0.5
        x = x * np.exp(-w) + x
    return np.sum(x)
""", (X, W, 3), "exp = np.exp(-w)"),
    "its numbers change": ("""
def f(x, w, n):
    a = w * 1.0
    for i in range(n):
        a[0] = a[0] * 0.5
        x = x * np.exp(-a) + x
    return np.sum(x)
""", (X, W, 3), "np.exp(-a)"),
    "its numbers change under another name": ("""
def f(x, w, n):
    a = w * 1.0
    b = a[:2]
    for i in range(n):
        b[0] = b[0] * 0.5
        x = x * np.exp(-a) + x
    return np.sum(x)
""", (X, W, 3), "np.exp(-a)"),
    "the loop may make no trip, and it may raise": ("""
def f(x, w, n):
    for i in range(n):
        x = x * np.exp(w[3 * n - 3:][0]) + x
    return np.sum(x)
""", (X, W, 1), "np.exp(w["),
    "no trip, and a number of Python by which it divides": ("""
def f(x, w, n):
    for i in range(n):
        x = x * (1.0 / w) ** 0.5 * x
    return x
""", (0.7, 0.2, 3), "1.0 / w"),
    "the loop may make no trip, and math raises": ("""
def f(x, w, n):
    for _ in range(n):
        x = x * math.exp(-w) * x
    return x
""", (0.7, 0.2, 3), "exp = math.exp(-w)"),
    "a branch": ("""
def f(x, w, n):
    for i in range(n):
        if i > 5:
            x = x * np.exp(-w) + x
    return np.sum(x)
""", (X, W, 7), "np.exp(-w)"),
}


def derived(text, args, passes, **keywords):
    f = sourced(text, {"np": np, "math": math})["f"]
    return tnb.grad(f, (0, 1), optimized=passes, **keywords)


def inside(source):
    """What stands in the innermost loops, of the text that the arguments are served by."""
    tree = ast.parse(source.split("\n\n\n")[0])
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
    inner = [loop for loop in loops if not any(isinstance(one, ast.For) for one in ast.walk(loop) if one is not loop)]
    return "\n".join(ast.unparse(stmt) for loop in inner for stmt in loop.body)


def same(text, args):
    """The derivative with the pass, without it, and alone, is that of no pass."""
    raw = derived(text, args, False)(*args)
    for keywords in ({}, {"like": args}):
        for passes in (True, OTHERS, ("loop_invariants",), ("loop_invariants", "dead_code")):
            got = derived(text, args, passes, **keywords)(*args)
            assert all(np.allclose(one, other, rtol=1e-13, atol=0.0) for one, other in zip(got, raw, strict=True))


@pytest.mark.parametrize("name", MOVED)
def test_it_is_computed_once(name):
    text, args, lines = MOVED[name]
    same(text, args)
    before, after = (tnb.source(derived(text, args, passes, like=args)) for passes in (OTHERS, tnb.PASSES))
    for line in lines:
        assert line in after and line not in inside(after), after
        assert line.split(" = ")[1] in inside(before) or line.startswith("difference"), before


@pytest.mark.parametrize("name", STAYS)
def test_it_stays(name):
    text, args, part = STAYS[name]
    same(text, args)
    assert part in inside(tnb.source(derived(text, args, True, like=args)))


@pytest.mark.parametrize("name", [*MOVED, *STAYS])
def test_no_trip_raises_nothing(name):
    text, (x, w, _), _ = MOVED.get(name) or STAYS[name]
    for passes in (True, False):
        of_x, of_w = derived(text, None, passes)(x, w, 0)
        assert np.shape(of_x) == np.shape(x) and np.shape(of_w) == np.shape(w)


def test_a_tangent_in_a_loop():
    def f(x, w, n):
        for _ in range(n):
            x = x * np.sin(w) + np.cos(x)
        return np.sum(x)
    text = tnb.source(tnb.jvp(f, (0, 1), like=(X, W, 3)))
    assert text.index("for _ in") > text.index("np.cos(w)")


def test_what_a_trip_prints_comes_before_its_error(capsys):
    def f(x, w, n):
        for k in range(len(x)):
            print("trip", k)
            w = np.outer(x, x).reshape(3, n)[0, 1] * w
        return np.sum(w)
    for passes in (True, False):
        with pytest.raises(ValueError, match="reshape"):
            tnb.grad(f, "w", optimized=passes)(X, W, 2)
        assert capsys.readouterr().out == "trip 0\n"


@pytest.mark.parametrize("passes", [True, False])
def test_what_the_function_keeps_away_from_is_not_computed(passes):
    def guarded(x, w, n):
        for _ in range(n):
            if np.min(w) <= 0.0:
                break
            x = x * np.log(w) + x / w + np.exp(1000.0 * w) * 0.0
        return np.sum(x)
    args = (np.ones(3), np.array([0.0, 2.0, -1.0]), 4)
    with np.errstate(all="raise"):
        for df in (tnb.grad(guarded, (0, 1), optimized=passes), tnb.watch(tnb.grad(guarded, (0, 1), optimized=passes))):
            of_x, of_w = df(*args)
            assert np.array_equal(of_x, np.ones(3)) and np.array_equal(of_w, np.zeros(3))
        assert tnb.jvp(guarded, (0, 1), optimized=passes)(*args, np.ones(3), np.ones(3)) == 3.0


@pytest.mark.parametrize("passes", [True, False])
def test_what_a_trip_checks_comes_before_what_is_derived_in_it(passes, capsys):
    def positive(w):
        print("asked")
        if np.min(w) <= 0.0:
            raise ValueError("not positive")

    def checked(x, w):
        for _ in range(3):
            positive(w)
            x = x * np.log(w)
        return np.sum(x)
    with np.errstate(all="raise"), pytest.raises(ValueError, match="not positive"):
        tnb.jvp(checked, (0, 1), optimized=passes)(X, np.zeros(3), X, X)
    assert capsys.readouterr().out == "asked\n"
