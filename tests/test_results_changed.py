"""What functions of the user give, and what they were given, is changed afterwards: right in every mode, or refused.

Each helper gives its argument, a part of it, what holds it, something outside or something new; a branch that is never
taken keeps it from being put in the place of its call.
"""
from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced
from test_memory import POINT, judge

import tangent_nb as tnb
from tangent_nb.errors import TangentError

BRANCH = "    if a[0] > 1e9:\n        a = a * 2.0\n"
AROUND = """\
G = np.array([0.5, 0.25, 0.125])
T = {'k': [np.array([1.0, 2.0, 3.0])]}
class Box:
    def __init__(self, a):
        self.a = a
    def __mul__(self, other):
        return self.a
    def __getitem__(self, i):
        return self.a
    def copy(self):
        return self.a
    def get(self):
        return self.a
    @property
    def inner(self):
        return G
def same(a):
    if a[0] > 1e9:
        return a * 2.0
    return a
def other(a, n):
    if n == 0:
        return a
    return again(a, n - 1)
def again(a, n):
    if n == 0:
        return a * 2.0
    return other(a, n - 1)
"""
# What a helper gives: what is there already, or what nothing else holds. A semicolon stands for the end of a line.
OLD = {
    "it": "return a", "one_branch": "return a if a[0] > 0.0 else a.copy()",
    "other_branch": "return a.copy() if a[0] < 0.0 else a", "reversed": "return a[::-1]", "turned": "return a.T",
    "shaped": "return a.reshape(3)", "part": "return a[0:]", "asarray": "return np.asarray(a)",
    "dtype": "return np.asarray(a, float)", "atleast": "return np.atleast_1d(a)", "real": "return np.real(a)",
    "row": "m = np.zeros((2, 3)); m[0] = a; return m[0]", "split": "return np.split(a, 1)[0]",
    "tuple": "t = (1.0, a); return t[1]", "list": "L = []; M = L; M.append(a); return L[0]",
    "joined": "return ([a] + [])[0]", "repeated": "return ([a] * 2)[1]", "copied": "return [a].copy()[0]",
    "listed": "return list((a,))[0]", "extended": "L = []; L += [a]; return L[0]",
    "dict": "d = {}; d['a'] = a; return d['a']", "merged": "return ({} | {'a': a})['a']",
    "updated": "d = {'a': None}; d.update(a=a); return d.get('a')", "popped": "L = [1.0, a]; return L.pop()",
    "mapped": "return list(map(lambda v: v, [a]))[0]", "sorted": "return sorted([a], key=lambda v: v[0])[0]",
    "largest": "return max([a], key=lambda v: v[0])", "next": "return next(iter([a]))",
    "gone_over": "r = None; for v, k in zip([a], [1.0]):;     r = v; return r",
    "objects": "o = np.empty(1, dtype=object); o[0] = a; return o[0]", "lambda": "f = lambda: a; return f()",
    "closure": "def inner():;     return a; return inner()", "field": "b = Box(a); return b.a",
    "method": "return Box(a).get()", "operator": "return Box(a) * 2.0", "item": "return Box(a)[0]",
    "copy_of_its_own": "return Box(a).copy()", "property": "return Box(a).inner",
    "getattr": "return getattr(Box(a), 'a')", "nested": "return same(same(a)[0:])",
    "recursion": "return other(a, 2)",
    "handler": "try:;     raise ValueError(a); except ValueError as e:;     return e.args[0]",
    "manager": "with np.errstate(all='ignore'):;     y = a; return y",
    "loop": "y = np.zeros(3); for i in range(1):;     y = a; return y", "changed": "a[0] = 5.0; return a",
    "added_to": "a += 1.0; return a", "out": "return np.add(a, 1.0, out=a)", "global": "return G",
    "global_part": "return T['k'][0]", "default": "return default(a)", "pair": "return swapped(a, a * 2.0)[1]",
    "stars": "return first(a)", "keywords": "return named(a=a)", "or": "return None or a",
    "walrus": "return (y := a)",
}
NEW = {
    "exp": "return np.exp(np.sin(a))", "times": "return a * 2.0",
    "filled": "y = np.zeros(3); for i in range(3):;     y[i] = a[i] ** 2; return y",
    "called": "return np.sin(same(a)) * same(a)", "in_place": "y = a * 1.0; y *= 2.0; y[0] = a[1]; return y",
    "where": "return np.where(a > 0.0, a, 0.0)", "copy": "return np.array(a)", "recursive": "return other(a, 3)",
}
MORE = """\
def default(a, b=G):
    return b
def swapped(a, b):
    return b, a
def first(*args):
    return args[0]
def named(**given):
    return given['a']
"""
USES = {
    "result": "y = h(a); y[0] = 3.0; return np.sum(y * y * a)",
    "argument": "y = h(a); a[1] = 2.0; return np.sum(y * y * a)",
    "added": "y = h(a); y += a; return np.sum(y * y * a)",
    "view": "y = h(a); v = y[1:]; v[0] = a[0] * 2.0; return np.sum(y * y * a)",
    "twice": "y, z = h(a), h(a); y[0] = a[1]; return np.sum(y * z * a * G)",
    "loop": "c, s = a * 1.0, 0.0; for k in range(3):;     b = c;     c = h(b); "
           "    c[k] = b[0] * 2.0;     s = s + np.sum(c * b); return s + np.sum(b * c)",
}


def lines(text: str) -> str:
    """The lines of a body."""
    return text.replace("; ", "\n    ")


def program(body: str, use: str) -> str:
    """A helper `h`, and a function that changes what it gives or is given."""
    return f"{AROUND}{MORE}def h(a):\n{BRANCH}    {lines(body)}\ndef f(x):\n    a = x * 1.0\n    {lines(use)}\n"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("helper", [*OLD, *NEW])
def test_what_a_function_gives_changes(helper: str, use: str) -> None:
    judge(program({**OLD, **NEW}[helper], USES[use]), POINT, refused=True)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("helper, use", [
    *itertools.product(["exp", "filled", "where", "copy"], ["result", "added", "twice", "loop"]),
    # in a loop the product of what a call gives may be one of lists
    *itertools.product(["called"], ["result", "added", "twice"])])
def test_what_is_new_may_change(helper: str, use: str) -> None:
    assert judge(program(NEW[helper], USES[use]), POINT), "nothing else holds what the function gives"


CONTAINERS = {
    "tuple": ("return y, y", "p, q = h(a)"), "list": ("return [y, y]", "L = h(a); p, q = L[0], L[1]"),
    "repeated": ("return [y] * 2", "L = h(a); p, q = L"),
    "dict": ("return {'p': y, 'q': y}", "d = h(a); p, q = d['p'], d['q']"),
    "object": ("return Box(y)", "b = h(a); p, q = b.a, b.get()"),
    "joined": ("return y + y", "L = h([a]); p, q = L[0], L[1]"),
    "argument": ("return y", "L = list(h([a, a])); p, q = L"),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_two_places_of_what_a_function_gives_may_hold_one_array(name: str) -> None:
    made, use = CONTAINERS[name]
    value = "a" if name in ("joined", "argument") else "np.exp(a)"
    text = f"{AROUND}def h(a):\n    y = {value}\n    for i in range(1):\n        y = y\n    {made}\n" \
           f"def f(x):\n    a = x * 1.0\n    {lines(use)}\n    p[0] = x[1]\n    return np.sum(p * q * a)\n"
    judge(text, POINT, refused=True)


# ------------------------------------------------------------------ what is known rests on texts that may be exchanged
HELPERS = """\
G = np.ones(3)
def inner(n):
    return np.zeros(n)
def empty(n):
    if n > 100:
        n = 3
    return inner(n)
def f(x):
    y = empty(3)
    y[0] = np.sum(x)
    y[1] = np.sum(x * x)
    return np.sum(y * y)
"""


@pytest.mark.parametrize("name", ["empty", "inner"])
def test_a_function_that_is_exchanged_is_noticed(name: str) -> None:
    space: dict[str, Any] = sourced(HELPERS, {"np": np})
    df = tnb.grad(space["f"])
    np.testing.assert_allclose(df(POINT), 2.0 * np.sum(POINT) + 4.0 * np.sum(POINT * POINT) * POINT)
    known = space[name]
    exec(f"def {name}(n):\n    return G\n", space)
    with pytest.raises(TangentError, match=f"{name} has been defined anew"):
        df(POINT)
    space[name] = known
    np.testing.assert_allclose(df(POINT), 2.0 * np.sum(POINT) + 4.0 * np.sum(POINT * POINT) * POINT)


def test_what_can_be_called_is_followed_through_calls() -> None:
    text = "FLOAT = np.float64\ndef optional(value, default):\n    if value is None:\n        return default\n" \
           "    return value\n" \
           "def as_float(a, dtype=None):\n    dtype = optional(dtype, FLOAT)\n    return dtype(a)\n" \
           "def size(a):\n    a = as_float(a)\n    for i in range(1):\n        a = a + 1.0\n    return a\n" \
           "def f(x, a):\n    return np.sum(x) * size(a)\n"
    assert judge(text, POINT, 2.0), "optional(None, FLOAT) is np.float64, which changes nothing"
    changing = text.replace("FLOAT = np.float64", "L = []\ndef FLOAT(a):\n    L.append(a)\n    return a")
    f = sourced(changing, {"np": np})["f"]
    with pytest.raises(TangentError, match="size may change its arguments"):
        tnb.grad(f)(POINT, np.ones(1))
