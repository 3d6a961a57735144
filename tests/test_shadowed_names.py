"""Names that mean something else than in Python or NumPy: no fact is told by how a name is written.

Each program is a module of its own, and is asked in all modes against central differences.
"""
from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

X = np.array([0.7, 1.3, -0.4])

PROGRAMS = '''
# enumerate_that_counts_nothing
def enumerate(xs):
    return [(v, 2.0) for v in xs]
def f(x):
    total = 0.0
    for a, b in enumerate(x):
        total = total + a * b
    rows = [a * 3.0 for a, b in enumerate(x)]
    return rows[0] * rows[1] + sum([a for a, b in enumerate(x)]) * total

# zip_that_swaps
def zip(a, b):
    return [(b[i], a[i]) for i in range(3)]
W = [1.0, 2.0, 3.0]
def f(x):
    q = [u for u, w in zip(W, x)]
    return q[0] * q[1] * q[2] + np.sum(np.array([u for u, w in zip(W, x)]) ** 2)

# list_sorted_and_reversed_of_values
def list(d):
    return [v * 2.0 for v in d]
def sorted(d):
    return [v * 3.0 for v in d]
def reversed(d):
    return [v * 5.0 for v in d]
def tuple(d):
    return [v * 7.0 for v in d]
def f(x):
    p = {"a": x[0], "b": x[1] * x[2]}
    total = sum([v ** 2 for v in list(p.values())]) + sum([v ** 3 for v in sorted(p.values())])
    for v in list(p.values()):
        total = total + v ** 2
    for v in reversed(p.values()):
        total = total * v
    for v in tuple(p.values()):
        total = total + v
    return total

# zip_of_values
def zip(a, b):
    return [(u * 3.0, v) for u in a for v in b]
def f(x):
    p = {"a": x[0], "b": x[1] * x[2]}
    total = 0.0
    for k, v in zip(p.values(), x):
        total = total + v * k
    return total + sum([k * v for k, v in zip(p.values(), x)])

# values_of_a_parameter
def list(d):
    return [v * 2.0 for v in d]
def squares(p):
    total = 0.0
    for v in list(p.values()):
        total = total + v ** 2
    return total
def f(x):
    return squares({"a": x[0], "b": x[1] * x[2]})

# range_that_carries_a_derivative
def range(a):
    return a * 2.0
def f(x):
    total = 0.0
    for v in range(x):
        if total > 3.0:
            break
        total = total + v ** 2
    return total

# what_ours_would_be_called
def range(n):
    return [0]
def len(n):
    return 1
def reversed(n):
    return n
def zip(a, b):
    return [(a[0], b[0])]
def min(a):
    return 7.0
def isinstance(a, b):
    return False
def f(x):
    total = 0.0
    for v in x:
        total = total + v * v
    for a, b in zip(x, x[1:]):
        total = total * 1.1 + a * b
    total = total + sum(map(lambda a, b: a * b, x, x))
    match total:
        case float():
            return total * 2.0
        case _:
            return total * 3.0

# by_a_parameter_a_cell_an_import_and_a_name
from itertools import product as sorted
from numpy import prod as sum
def pairs(a, b):
    return [(v * 2.0, u) for u in a for v in b]
def inner(x, zip, enumerate):
    total = 0.0
    for u, v in zip(x, x):
        total = total + u * v * u
    return total + enumerate(x)
def make():
    def zip(a, b):
        return [(v * 2.0, u) for u in a for v in b]
    def list(a):
        return a * 3.0
    def g(x):
        total = 0.0
        for u, v in zip(x, x):
            total = total + u * v * u
        for w in list(x):
            total = total + w ** 2
        return total + sum([u * u for u, v in zip(x, x)]) + sum([w * w for w in list(x)])
    return g
g = make()
def f(x):
    reversed = pairs
    total = g(x) + inner(x, pairs, np.prod) + sum(x)
    for a, b in sorted(x, x):
        total = total + a * b * a
    for a, b in reversed(x, x):
        total = total + a * b * a
    return total

# by_other_names
z, e, l, r, n = zip, enumerate, list, reversed, range
def f(x):
    total = 0.0
    for a, b in z(x, x):
        total = total + a * b
    for i, b in e(x):
        total = total + i * b
    for b in l(x):
        total = total + b ** 2
    for b in r(x):
        total = total * b
    for i in n(3):
        total = total + x[i]
    p = {"a": total}
    for v in l(p.values()):
        total = total + v
    return total + sum([i * b for i, b in e(x)]) + sum([a * b for a, b in z(x, x)])

# print_numpy_and_len_that_change_lists
class np:
    def keep(v):
        v.append(3.0)
        return 0.0
def f(x):
    xs = [x[0], x[1]]
    t = np.keep(xs)
    xs = xs + [x[2]]
    return sum(xs) * xs[2] + t

# a_library_of_the_users
class functools:
    @staticmethod
    def reduce(fn, xs):
        return xs[0] * 2.0
class itertools:
    @staticmethod
    def product(a, b):
        return [(a[0], b[1])]
class copy:
    @staticmethod
    def copy(a):
        return a * 3.0
class xp:
    pi = 3.0
    class linalg:
        @staticmethod
        def norm(v):
            return v[0] * v[1]
    @staticmethod
    def sin(v):
        return v * v
    @staticmethod
    def exp(v):
        return v + 1.0
def f(x):
    total = functools.reduce(lambda a, b: a * b, x) + xp.linalg.norm(xp.sin(x)) * xp.pi + 1.0 / (1.0 + xp.exp(-x[0]))
    for a, b in itertools.product(x, x):
        total = total + a * b
    return total + np.sum(copy.copy(x) ** 2)

# methods_of_the_users
class P:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def items(self):
        return [(self.a * 2.0, self.b), (self.b, self.a * self.a)]
    def values(self):
        return [self.a * self.b, self.b]
    def copy(self):
        return self.a * 4.0
    def append(self, v):
        self.a = self.a * v
    def update(self, w):
        self.b = self.b * w
    def sum(self):
        return self.a * self.b
    def dot(self, o):
        return self.a + o
    @property
    def T(self):
        return self.a * 5.0
def f(x):
    p = P(x[0], x[1])
    p.append(x[2])
    p.update(x[0])
    total = 0.0
    for u, v in p.items():
        total = total + u * v
    for v in p.values():
        total = total + v ** 2
    return total + p.copy() + p.T + p.sum() * p.dot(x[2])
'''
EACH = [text.partition("\n")[::2] for text in re.split(r"^\n# ", PROGRAMS, flags=re.MULTILINE)[1:]]


def slopes(f: Callable[..., float]) -> np.ndarray:
    """The gradient of a program by central differences."""
    steps = 1e-6 * np.eye(3)
    return np.array([(f(X + h) - f(X - h)) / 2e-6 for h in steps])


def check(f: Callable[..., float]) -> None:
    """All modes agree with differences, and the value is the program's."""
    want, direction = slopes(f), np.array([0.3, -1.2, 0.8])
    for options in ({}, {"optimized": False}):
        value, gradient = tnb.value_and_grad(f, **options)(X.copy())
        np.testing.assert_allclose(value, f(X.copy()))
        np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(tnb.jvp(f, **options)(X.copy(), dx=direction), direction @ want, rtol=1e-6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", [text for _, text in EACH], ids=[name for name, _ in EACH])
def test_what_a_name_means_is_asked(text: str) -> None:
    check(sourced(text)["f"])
