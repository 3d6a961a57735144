"""Functions that NumPy calls for items, rows and places; stars in calls of classes; rows of arrays, unpacked."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(4)

SETUP = """
import functools, math
import numpy as np

M = np.arange(6.0).reshape(2, 3) * 0.3 + 0.1

def clipped(a, b):
    return a * b if a > b else a + b

@np.vectorize
def bent(a):
    return np.sin(a) * a

floats = np.vectorize(clipped, otypes=[float])

class Turn:
    def __init__(self, w, x, y, z):
        self.q = np.array([w, x, y, z])

    @classmethod
    def about(cls, axis, angle):
        return cls(np.cos(angle / 2), *(axis / np.linalg.norm(axis) * np.sin(angle / 2)))

    def __mul__(self, o):
        (a, b, c, d), (p, q, r, s) = self.q, o.q
        return Turn(a*p - b*q - c*r - d*s, a*q + b*p + c*s - d*r, a*r - b*s + c*p + d*q, a*s + b*r - c*q + d*p)

    @property
    def back(self):
        return Turn(self.q[0], *-self.q[1:])

    def turned(self, v):
        return (self * Turn(0.0, *v) * self.back).q[1:]

class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __mul__(self, s):
        return Vec(self.x * s, self.y * s) if not isinstance(s, Vec) else self.dot(s)

    def __truediv__(self, s):
        return self * (1.0 / s)

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    @property
    def norm(self):
        return math.sqrt(self.dot(self))

def added(a, b, c):
    return a * b + c

def rates(t, y):
    place, speed = y
    return np.array([speed, -np.sin(place) - 0.1 * speed])

def f(x):
"""
CASES = {
    "vectorize of a lambda": "g = np.vectorize(lambda a: a ** 2 if a > 0.5 else a)\n"
    "return np.sum(g(x)) + np.sum(g(x) * x)",
    "vectorize of two arguments": "return np.sum(np.vectorize(clipped)(x, 0.7) * x)",
    "vectorize as a decorator": "return np.sum(bent(x) ** 2)",
    "vectorize with otypes, broadcast": "return np.sum(floats(x[:, None], x))",
    "vectorize of a number": "return np.vectorize(lambda a: a * a)(x[0]) * 2.0",
    "vectorize of a closure": "def g(a):\n    return a * x[1]\nh = np.vectorize(g)\n"
    "return np.sum(h(x)) + np.sum(h(np.ones(2)))",
    "vectorize over places": "return np.sum(np.vectorize(lambda i: x[i] ** 2 * i, otypes=[float])(np.arange(3)))",
    "rows": "return np.sum(np.apply_along_axis(lambda r: r / np.linalg.norm(r), 1, x * M) * M)",
    "columns to numbers": "return np.sum(np.apply_along_axis(np.linalg.norm, 0, x * M) * x)",
    "columns to columns": "return np.sum(np.apply_along_axis(lambda r, k: np.cumsum(r) * k, 0, x * M, 3.0) * M)",
    "rows to matrices": "return np.sum(np.apply_along_axis(lambda r: np.outer(r, r), -1, x * M) ** 2)",
    "one row": "return np.apply_along_axis(lambda r: r @ r, 0, x)",
    "places": "return np.sum(np.fromfunction(lambda i, j: x[0] ** i * (j + 1), (3, 2)) * x[1])",
    "places as indices": "return np.sum(np.fromfunction(lambda i, j: x[i] * x[j] * (i + 1), (3, 3), dtype=int))",
    "an array behind a star": "return added(*x) + added(2.0, *x[1:]) + added(*(v * 2.0 for v in x))",
    "stars of classes": "return np.sum(Turn.about(x, 0.7).turned([1.0, 2.0, 3.0]) * x)",
    "what is computed is no object": "a = Vec(x[0], x[1])\nreturn (a / a.norm).dot(a) * (a * a)",
    "a row is unpacked, and the array changes": "t = np.zeros((4, 3))\nt[0] = x\nfor i in range(3):\n"
    "    a, b, c = t[i]\n    t[i + 1] = np.array([b, c, a * b])\nreturn np.sum(t ** 2)",
    "rows of an array whose length is not known": "n = int(x[2] * 3.0)\ny = np.empty((n + 1, 2))\ny[0] = x[:2]\n"
    "for i in range(n):\n    k = rates(0.0, y[i])\n    y[i + 1] = y[i] + 0.1 * rates(0.0, y[i] + 0.05 * k)\n"
    "return np.sum(y[-1] ** 2)",
}
X = np.array([0.3, 0.8, 1.2])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("mode", ["grad", "raw", "jvp", "like"])
def test_it_is_differentiated(name: str, mode: str) -> None:
    body = "\n".join("    " + line for line in CASES[name].splitlines())
    f = sourced(SETUP + body, {"__name__": "mapped"}, f"<mapped {name} {mode}>")["f"]
    slopes = np.array([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)])
    made: dict[str, Any] = {
        "grad": lambda: tnb.grad(f)(X), "raw": lambda: tnb.grad(f, optimized=False)(X),
        "like": lambda: tnb.grad(f, like=(X,))(X),
        "jvp": lambda: np.array([tnb.jvp(f)(X, dx=e) for e in np.eye(3)])}
    assert made[mode]() == pytest.approx(slopes, rel=1e-6, abs=1e-8)


DIFFERS = {                    # of what NumPy says, does or gives, where it calls the function
    "draws": "r = np.random.default_rng(0)\nreturn np.sum(np.vectorize(lambda v: v * r.normal())(x))",
    "Python's numbers": "def g(v):\n    try:\n        return v / 0.0\n    except ZeroDivisionError:\n"
    "        return v * 3.0\nreturn np.sum(np.vectorize(g, otypes=[float])(x))",
    "an int first": "return np.sum(np.apply_along_axis(lambda r: 1 if r[0] < 0.5 else r[0] * 1.5, 0, x[None, :] * x))",
    "matrices along the first axis": "return np.apply_along_axis(lambda r: np.outer(r, r), 0, M @ M.T * x[0])[0, 1, 1]",
}


@pytest.mark.parametrize("name", DIFFERS)
def test_it_is_called_as_numpy_calls_it_or_refused(name: str) -> None:
    body = "\n".join("    " + line for line in DIFFERS[name].splitlines())
    f = sourced(SETUP + body, {"__name__": "mapped"}, f"<mapped {name}>")["f"]
    slopes = np.array([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)])
    try:
        assert tnb.grad(f)(X) == pytest.approx(slopes, rel=1e-6)
    except TangentError:
        assert name != "Python's numbers"


def test_arguments_are_evaluated_in_their_order() -> None:
    text = ("LOG = []\ndef t(s, v):\n    LOG.append(s)\n    return v\nclass V:\n    def __init__(self, a, b, c, d):\n"
            "        self.s = a + b * c + d\ndef f(x):\n    return V(t('a', x), *t('b', (x, x)), d=t('d', x)).s\n")
    space = sourced(text, {"__name__": "mapped"}, "<arguments in order>")
    assert tnb.grad(space["f"])(1.0) == 4.0 and space["LOG"] == ["a", "b", "d"]


def test_other_results_of_matrices_keep_the_axis_that_is_named() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.apply_along_axis(np.cumsum, 0, x)[0] * x[1])

    x = np.arange(6.0).reshape(3, 2)
    assert tnb.grad(f)(x)[1].tolist() == x[0].tolist()


@pytest.mark.parametrize("call", [
    "np.vectorize(scaled)(x)", "np.vectorize(scaled)(x, 3.0)", "np.vectorize(scaled)(x, k=3.0)",
    "HELD(x, 3.0) + HELD(x, x)",
    "DECORATED(x, 3.0)", "np.vectorize(product)(k=x, a=2.0)", "np.vectorize(powers)(x, x)",
    "np.vectorize(powers)(x, x, k=2)", "np.vectorize(lambda t, k=2.0: t * k)(x, 5.0)", "np.vectorize(calls)(x)"])
def test_parameters_with_defaults_and_by_name(call: str) -> None:
    f = sourced(f"""\\
import numpy as np
def scaled(a, k=2.0): return a * k
def product(a, k): return a * k
def powers(a, b, k=3): return a * b ** k
def calls(t): return scaled(t, 3.0) * t
HELD = np.vectorize(scaled)
@np.vectorize
def DECORATED(a, k=2.0): return a * k
def f(x): return np.sum({call})
""", {"__name__": "mapped"})["f"]
    slopes = [(f(X + 1e-6 * unit) - f(X - 1e-6 * unit)) / 2e-6 for unit in np.eye(3)]
    assert tnb.grad(f)(X) == pytest.approx(slopes, rel=1e-6)
