"""What is on no tape, since it is at hand; and what has to stay there."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb

OTHERS = tuple(name for name in tnb.PASSES if name != "rematerialise")
X, V = np.array([0.5, 1.5, -0.7, 2.0]), np.array([1.0, -2.0, 0.3])
# by the names of what is saved without the pass, and is not with it
GONE = {
    "a part of an array": ("""
def f(x, a):
    y = 0.0
    for k in range(len(a)):
        c = a[k]
        y = (y * x + c) * c
    return np.sum(y)
""", (2.0, X), "c"),
    "what does not change": ("""
def f(x, w, n):
    for i in range(n):
        e = np.exp(w) * w
        x = x * e * np.sin(x) * e
    return np.sum(x)
""", (X[:3], V, 3), "e"),
    "of which only the sizes are read": ("""
def f(x, w, n):
    for i in range(n):
        z = np.outer(x, w) + i
        p = np.tanh(z[:, :2])
        x = x + np.sum(p, axis=1) * np.sum(np.sin(p), axis=1)
    return np.sum(x)
""", (X[:3], V, 3), "z"),
    "made of what does not change": ("""
def f(x, w, n):
    for i in range(n):
        e = np.exp(w)
        g = e @ e
        x = np.sin(x) * g * g
    return np.sum(x)
""", (X[:3], V, 3), "g"),
    "a length of what changes in place": ("""
def f(a, n):
    a = a.copy()
    for _ in range(n):
        for i in range(1, len(a) - 1):
            a[i] = (a[i - 1] * a[i] + a[i + 1]) / 3.0
    return np.sum(a * a)
""", (X, 2), "steps"),
    "a length of what is brought back": ("""
def f(x, w):
    out = np.zeros(len(x) - len(w) + 1)
    for j in range(len(w)):
        m = len(out)
        out = np.sin(out) + w[j] * x[j:j + m]
    return np.sum(out ** 2)
""", (X, V), "m"),
    "numbers made of a counter": ("""
def f(x, n, h):
    for i in range(n):
        t = i * h
        x = np.sin(x) * t * t
    return np.sum(x)
""", (X, 3, 0.4), "t"),
    "the rows of two loops": ("""
def f(x, a):
    s = x
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c = a[i, j]
            s = np.sin(s) * c * c
    return np.sum(s)
""", (X, X.reshape(2, 2)), "c"),
}
# one variable in the place of what is made of it
ONE = """
def f(y, p, n):
    for _ in range(n):
        a, b = y[0] * y[1], p[1] - y[2]
        y = y + 0.1 * np.array([p[0] * (y[1] - y[0]) * a, y[0] * b * b, a * y[2] * b])
    return np.sum(y * y)
"""
# what may not be left out
KEPT = {
    "an array that is bound anew": """
def f(x, a, n):
    for k in range(n):
        c = a[k]
        x = np.sin(x) * c * c
        a = a[::-1] * 0.5
    return np.sum(x)
""", "an array that is changed in place": """
def f(x, a, n):
    a = a * 1.0
    for k in range(n):
        c = a[k] * 1.0
        x = np.sin(x) * c * c
        a[k] = 5.0
        a[0] = a[0] + 1.0
    return np.sum(x)
""", "a view of what is changed in place": """
def f(x, a, n):
    a = a * 1.0
    b = a[:]
    for k in range(n):
        c = b[k] * 1.0
        x = np.sin(x) * c * c
        a[k] = 5.0
    return np.sum(x)
""", "a counter of its own": """
def f(x, a, n):
    k = 0
    while k < n:
        c = a[k]
        x = np.sin(x) * c * c
        k += 1
    return np.sum(x)
""", "a counter that the body binds": """
def f(x, a, n):
    for k in range(n):
        k = (k * 2) % 3
        c = a[k]
        x = np.sin(x) * c * c
    return np.sum(x)
""", "bound in one branch": """
def f(x, a, n):
    c = 1.0
    for k in range(n):
        if k % 2:
            c = a[k]
        x = np.sin(x) * c * c
    return np.sum(x)
""", "what is left by a break": """
def f(x, a, n):
    for k in range(n):
        c = a[k]
        if c > 1.9:
            break
        x = np.sin(x) * c * c
    return np.sum(x)
""", "made before the variable is": """
def f(x, a, n):
    y = 1.0
    for k in range(n):
        c = y * 2.0
        y = np.sin(a[k] * y)
        x = np.sin(x) * c * c * y
    return np.sum(x)
""", "two loops with one counter": """
def f(x, a, n):
    for k in range(n):
        c = a[k]
        x = np.sin(x) * c * c
    for k in range(n):
        c = a[k] * 2.0
        x = np.cos(x) * c * c
    return np.sum(x)
""", "a loop in a loop that ends early": """
def f(x, a, n):
    for k in range(n):
        for j in range(k):
            c = a[j] * a[k]
            x = np.sin(x) * c * c
            if x[0] > 0.4:
                continue
            x = x * c
    return np.sum(x)
""", "a name of the user that is read behind": """
def f(x, a, n):
    c = 0.0
    for k in range(n):
        c = a[k] * 3.0
        x = np.sin(x) * c * c
    return np.sum(x) * c
""", "a number that changes": """
def f(x, a, n):
    h = 1.0
    for k in range(n):
        t = k * h
        x = np.sin(x) * (t + 1.0) * t
        h = h * 0.5
    return np.sum(x)
""", "the length of a list that a helper makes longer": """
def f(x, a, n):
    kept = []
    for k in range(n):
        m = len(kept) + 1.0
        x = np.sin(x) * m * m
        more(kept)
    return np.sum(x)
def more(kept):
    for _ in range(2):
        kept.append(1.0)
""", "numbers beside an outline": """
def f(x, a, n):
    a = a * 1.0
    for k in range(n):
        c = np.full_like(x, a[0])
        x = np.sin(x) * c * c
        a[0] = a[0] * 1.5
    return np.sum(x)
""", "an outline that is another in each trip": """
def f(x, a, n):
    s = 0.0
    for k in range(n):
        z = np.sin(x[k:]) * x[0]
        s = s + np.sum(np.cos(z[1:])) * np.sum(z[:-1])
    return s
""", "something outside": """
def f(x, a, n):
    for k in range(n):
        c = OUTSIDE * k
        x = np.sin(x) * (c + 1.0) * c
        turn()
    return np.sum(x)
OUTSIDE = 2.0
def turn():
    pass
""",
}


def same(f, args, wrt=0):
    """The derivative with the pass, without it, and without any."""
    raw = tnb.grad(f, wrt, optimized=False)(*args)
    for like in ({}, {"like": args}):
        for passes in (True, OTHERS, ("rematerialise",), ("rematerialise", "dead_code")):
            got = tnb.grad(f, wrt, optimized=passes, **like)(*args)
            for one, other in zip(*((v if isinstance(v, tuple) else (v,)) for v in (got, raw)), strict=True):
                assert np.allclose(one, other, rtol=1e-13, atol=0.0), (passes, like)


@pytest.mark.parametrize("name", GONE)
def test_what_is_at_hand_is_not_saved(name):
    text, args, saved = GONE[name]
    f = sourced(text, {"np": np})["f"]
    wrt = (0, 1) if all(isinstance(arg, np.ndarray) for arg in args[:2]) else 0
    same(f, args, wrt)
    texts = [tnb.source(tnb.grad(f, wrt, optimized=passes, like=args)).split("\n\n\n")[0]
             for passes in (OTHERS, tnb.PASSES)]
    assert [f"    {saved}" in text and f"{saved}_saved" in text.replace("steps_1", "steps") for text in texts] \
        == [True, False], texts


@pytest.mark.parametrize("name", KEPT)
def test_what_may_be_another_is_saved(name):
    f = sourced(KEPT[name], {"np": np})["f"]
    same(f, (X, np.array([0.5, 1.5, -0.7, 2.0]), 3), (0, 1) if "a[" in KEPT[name] else 0)


def test_one_variable_is_saved_for_its_parts():
    f, args = sourced(ONE, {"np": np})["f"], (X[:3], V, 3)
    same(f, args, (0, 1))
    few, many = (tnb.source(tnb.grad(f, (0, 1), optimized=passes, like=args)).split("\n\n\n")[0].count("_saved = []")
                 for passes in (tnb.PASSES, OTHERS))
    assert few == 1 and many > 3
    behind = ONE.replace("    for _ in range(n):\n", "    z = y\n    for _ in range(n):\n").replace(
        "return np.sum(y * y)", "return np.sum(y * y * z)")
    same(sourced(behind, {"np": np})["f"], args, (0, 1))
    ended = ONE.replace("        y = y +", "        if a > 1.5:\n            break\n        y = y +")
    same(sourced(ended, {"np": np})["f"], args, (0, 1))
    twice = "    for j in range(2):\n     y = y * 1.1\n     for _ in range(n):\n"
    nested = ONE.replace("    for _ in range(n):\n", twice)
    same(sourced(nested, {"np": np})["f"], args, (0, 1))


@pytest.mark.parametrize("n", [0, 1])
def test_loops_that_do_not_run(n):
    for text, args, _ in GONE.values():
        f = sourced(text, {"np": np})["f"]
        if isinstance(args[-1], int):
            same(f, (*args[:-1], n))


def test_second_derivatives():
    for text, args, _ in GONE.values():
        f = sourced(text, {"np": np})["f"]
        value = tnb.grad(f)(*args)
        seconds = [tnb.jvp(tnb.grad(f, optimized=passes))(*args, np.ones_like(value) if np.ndim(value) else 1.0)
                   for passes in (True, False)]
        assert np.allclose(*seconds, rtol=1e-12)
