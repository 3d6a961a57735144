"""Calls with stars, and partials, of what is known only when it runs: bound to what they are given, then called."""
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

START = """\
import collections
import functools
import itertools
from types import SimpleNamespace
import numpy as np

def h(a, b=2.0, *, c=3.0): return a * b + c * a * a
def square(a, b=1.0): return a * a * b
def every(*r, **o): return sum(r) + sum(v * len(k) for k, v in o.items())
TABLE = {"h": h, "square": square}
KEYS, ROW, CALLS = {"b": 0.5}, (0.4,), []

class Line:
    def __init__(self, slope, **kw): self.slope, self.kw = slope, kw
    def at(self, t, shift=0.0): return self.slope * t * t + shift
    def __call__(self, t, shift=0.0): return self.slope * t + shift
    def passed(self, fn, t): return fn(t, **self.kw) * self.slope
    @staticmethod
    def free(t, shift=0.0): return t ** 3 + shift

class Counting:
    n = 0
    def at(self, t, **kw): self.n += 1; return t

LINES = [Line(0.7), Line(1.1)]
def counts(d, t): d["n"] = t; return t
OTHERS = {"c": counts, "e": every}
def swap(d): d["b"] = 9.0; return 1.0
"""
RIGHT = {
    "an item of a table": "return TABLE['h'](x, **{'b': u, 'c': x}) + TABLE['square'](u, **KEYS)",
    "chosen by a branch": "f = h if x < 9.0 else square\n    d = {'b': u}\n    d['b'] = u * x\n    return f(x, **d)",
    "an argument": "return (lambda f, **kw: f(x, **kw) * f(u, **kw))(TABLE['square'], b=u)",
    "an attribute": "o = SimpleNamespace(f=TABLE['h'])\n    return o.f(x, **KEYS) * u",
    "a method of what a list holds": "return sum(line.at(x, **{'shift': u}) for line in LINES)",
    "of an object that is made": "ls = [Line(x), Line(u)]\n    return sum(one.at(*[u], **{'shift': x}) for one in ls)",
    "a static method": "return sum(line.free(x, **{'shift': u * x}) for line in LINES)",
    "an object that is called": "ls = [Line(x), Line(u)]\n    return sum(one(u, **{'shift': x}) for one in ls)",
    "functions and objects": "fs = [h, Line(x), functools.partial(h, c=u), np.hypot]\n"
        "    return sum(f(*(x, u)) for f in fs)",
    "keywords of an object": "o = Line(x, b=u)\n    return o.passed(TABLE['h'], u) + o.passed(TABLE['square'], x)",
    "several mappings": "return TABLE['h'](x, **{'b': u}, **{'c': x}) + every(1.0, **{'zz': u})",
    "by name and behind stars": "return TABLE['h'](a=x, **{'c': u})",
    "an argument that changes the mapping": "d = {'b': u}\n    return TABLE['square'](x, **d) * swap(d) + d['b']",
    "in a loop": "s = x\n    for name in TABLE:\n        s = s + TABLE[name](s, **{'b': u})\n    return s",
    "of stars": "return sum(TABLE[k](*r) for k, r in (('h', (x, u)), ('square', [u])))",
    "a function of NumPy": "fs = {'a': np.sum, 'b': np.mean}\n    m = np.array([[x, u], [u, x * u]])\n"
        "    return np.sum(sum(f(m, **{'axis': 0}) ** 2 for f in fs.values()))",
    "arrays": "return np.sum(TABLE['square'](np.array([x, u]), **{'b': np.array([u, x])}))",
    "a partial of a partial": "fs = [functools.partial(h, b=u), h]\n"
        "    gs = [functools.partial(f, c=x) for f in fs]\n    return sum(g(u) for g in gs)",
    "a partial of an item": "g = functools.partial(TABLE['h'], b=u)\n    return g(x) + g(u, c=x)",
    "a partial that a list holds": "g = functools.partial(h, c=0.3)\n"
        "    return sum(f(x) for f in [g, functools.partial(g, b=u)])",
    "a namespace": "s = SimpleNamespace(**{k: v * x for k, v in KEYS.items()}, d=u)\n    return s.b * s.d",
    "a chain of maps": "s = SimpleNamespace(**collections.ChainMap({'a': x}, {'a': 1.0, 'b': u}))\n"
        "    return s.a * s.b + h(**collections.ChainMap({'a': x}, KEYS))",
    "dict with keywords": "d = dict({'a': x, 'b': 1.0}, b=u, **{'c': x * u})\n    return d['a'] * d['b'] + d['c']",
    "an object that counts its calls": "return sum(o.at(x, **KEYS) * u * o.n for o in [Counting()])",
    "a chain of iterables": "n = max(itertools.chain.from_iterable([(1, 2), (3,)]))\n    return x ** n * u",
    "two in one statement": "parts, k = {}, 0\n    for name in ('a', 'b'):\n        parts[name] = x * k + u\n"
        "        k += 1\n    return parts['a'] * parts['b']",
    "a list of constants that changes": "v = [KEYS['b']] * 3\n    v[-1] += 1.0\n    return sum(c * x ** k for k, c in"
        " enumerate(v)) * u",
}
REFUSED = {
    "may change something": ("d = {}\n    return OTHERS['c'](*[d, x]) * d['n'] + u", "n"),
    "keywords through two stars": ("return OTHERS['e'](**{'k': x}) * u", r"through two stars \(\*\*\)"),
    "an object in a partial": ("ls = [Line(x)]\n    return functools.partial(ls[0], shift=x * u)(x)", "given a Line"),
}
X, U = 0.7, 1.3


def made(body: str) -> dict[str, Any]:
    return sourced(START + f"def f(x, u):\n    {body}\n")


@pytest.mark.parametrize("body", RIGHT.values(), ids=list(RIGHT))
def test_right(body: str) -> None:
    f, step = made(body)["f"], 1e-6
    due = [(f(X + step, U) - f(X - step, U)) / (2 * step), (f(X, U + step) - f(X, U - step)) / (2 * step)]
    for optimized in (True, False):
        np.testing.assert_allclose(tnb.grad(f, (0, 1), optimized=optimized)(X, U), due, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(tnb.jvp(f, (0, 1))(X, U, 0.3, -0.4), 0.3 * due[0] - 0.4 * due[1], rtol=1e-7, atol=1e-8)
    value, back = tnb.pullback(f, X, U, wrt=(0, 1))
    assert value == pytest.approx(f(X, U))
    np.testing.assert_allclose(back(2.0), 2.0 * np.array(due), rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("name", ["an item of a table", "chosen by a branch", "a method of what a list holds",
                                  "keywords of an object", "several mappings", "a namespace"])
def test_second_derivatives(name: str) -> None:
    f, step = made(RIGHT[name])["f"], 1e-5
    df = tnb.grad(f)
    due = (df(X + step, U) - df(X - step, U)) / (2 * step)
    try:
        found = tnb.grad(df)(X, U)
    except TangentError:
        return                                             # right, or refused
    np.testing.assert_allclose(found, due, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("body", "said"), REFUSED.values(), ids=list(REFUSED))
def test_refused(body: str, said: str) -> None:
    for derive, more in ((tnb.grad, ()), (tnb.jvp, (1.0,))):
        f = made(body)["f"]
        with pytest.raises(TangentError, match=said):
            derive(f)(X, U, *more)


def test_a_wrong_call_is_told_in_the_words_of_python() -> None:
    twice = made("return TABLE['h'](x, b=u, **{'b': x})")["f"]
    with pytest.raises(TypeError, match=r"^h\(\) got multiple values for keyword argument 'b'$"):
        tnb.grad(twice)(X, U)
    unknown = made("return TABLE['h'](x, **{'zz': u})")["f"]
    for derive, more in ((tnb.grad, ()), (tnb.jvp, (1.0,))):
        with pytest.raises((TypeError, TangentError), match="zz"):
            derive(unknown)(X, U, *more)


def test_what_is_called_is_asked_at_each_call() -> None:
    space = made("return TABLE['h'](x, **KEYS) * u")
    df = tnb.grad(space["f"])
    first = df(X, U)
    space["KEYS"]["c"] = 0.0
    assert df(X, U) == pytest.approx(0.5 * U) != first
    space["TABLE"]["h"] = lambda a, **o: a ** 3
    space["KEYS"].clear()
    assert df(X, U) == pytest.approx(3.0 * X * X * U)


def test_keys_of_a_dict_are_no_ones_own() -> None:
    """An array of an object that is a key belongs to whoever holds the object."""
    space = sourced("import numpy as np\nclass Body:\n    def __init__(self): self.v = np.ones(2)\n"
                    "def total(ps): return sum([np.sum(b.v ** 2) for b in ps])\n"
                    "def f(x, ps):\n    F = {b: np.zeros(2) for b, r in ps.items()}\n    w = list(F)[0].v\n"
                    "    w[0] = x * 2\n    return total(ps)\n")
    with pytest.raises(TangentError, match="may hold w too"):
        tnb.grad(space["f"])(X, {space["Body"](): 1.0})


def test_an_inner_jacobian_of_what_calls_functions() -> None:
    space = sourced("import numpy as np\nimport tangent_nb as tnb\n"
                    "def turned(q):\n    if len(q) != 2: raise ValueError('two')\n    return q * q * q\n"
                    "def place(q): return turned(q) * q[0]\n"
                    "def f(q): return np.sum(tnb.jacobian(place)(q) ** 2)\n")
    f, q, step = space["f"], np.array([0.3, 0.4]), 1e-6
    due = [(f(q + one) - f(q - one)) / (2 * step) for one in step * np.eye(2)]
    for optimized in (True, False):
        np.testing.assert_allclose(tnb.grad(f, optimized=optimized)(q), due, rtol=1e-6)


def test_frozen_distributions_by_the_rules_of_their_distribution() -> None:
    stats = pytest.importorskip("scipy.stats")

    def f(x, p):
        return p.logpdf(x) + p.pdf(x) * 2.0

    for p in (stats.norm(0.1, 2.0), stats.gamma(2.0, scale=1.5), stats.norm(loc=0.3)):
        due = (f(X + 1e-6, p) - f(X - 1e-6, p)) / 2e-6
        np.testing.assert_allclose(tnb.grad(f)(X, p), due, rtol=1e-7)
        np.testing.assert_allclose(tnb.jvp(f)(X, p, dx=1.0), due, rtol=1e-7)
    with pytest.raises(TangentError, match="gamma.cdf has no derivative by its argument a"):
        tnb.grad(lambda x, p: p.cdf(x))(X, stats.gamma(2.0))           # for all that is known 2.0 carries one
