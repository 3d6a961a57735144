"""Arguments behind stars, of what is known only when the function runs: bound to parameters then, as Python does."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

pytestmark = pytest.mark.sampled(4)

START = """\
import collections
import functools
import inspect
from dataclasses import dataclass, field
from typing import NamedTuple
import numpy as np

def h(a, b=2.0, *, c=3.0): return a * b + c * a * a
def deep(a, *rest, **options): return h(a, *rest, **options) * len(options) + sum(rest)
def only(a, /, b, c=1.5): return a * b ** 2 * c

class P:
    def __init__(self, a, b=0.5): self.a, self.b = a, b
    def at(self, s, t=1.0): return self.a * s + self.b * t * t
    def at2(self, s, t): return self.a * s + t
    @classmethod
    def of(cls, a, b): return cls(a * b, b)

@dataclass
class D:
    a: float
    b: float = 0.7
    more: list = field(default_factory=list)

class T(NamedTuple):
    a: float
    b: float = 0.3

def twice(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs): return f(*args, **kwargs) * 2.0
    return wrapper

class Behind:
    @twice
    def at(self, a, b=2.0): return a * b * 3.0

class Model:
    def __init__(self, **hyper): self.hyper = hyper
    def value(self, t): return h(t, **self.hyper)

class Taken:
    def __init__(self, a, **kw):
        self.scale = kw.pop("scale", 1.0)
        self.a, self.kw = a, kw
    def value(self, t): return self.scale * h(t, **self.kw) + self.a

class Set:
    def __init__(self): self.kw = {"c": 0.3}
    def to(self, v): self.kw["c"] = v; return v

class Kept:
    def __init__(self, a=1.0, **kw): self.a, self.kw = a, kw
    def value(self, **o): return every(**self.kw) + every(**o) * self.a

class First:
    def __init__(self, c=0.5, /, a=2.0, **o): self.v = c * a + every(**o)
    def at(self, c=0.5, /, a=2.0, *r): return self.v * c * a + sum(r)

def pair(a, b): return a * b ** 2
def fails(v): raise KeyError(v)
def put2(vals, v): vals.append(v); return v
def every(**o): return sum(v * (i + 1) * len(k) for i, (k, v) in enumerate(o.items()))
def star(a, *r, **o): return a * sum(r) + every(**o)
def put(d, v): d["c"] = v; return v
def first(c=0.5, /, a=2.0, *r, **o): return c * a ** 2 + sum(r) + every(**o)
def of(f=np.sin, c=0.5, /, a=2.0, **o): return f(c) * a ** 2 + every(**o)

KEYS, ROWS, MORE = {"b": 0.5, "c": 1.5}, [(0.4,), {"b": 0.9}, {"c": 0.8}], {}
fixed, behind = Model(c=0.3, b=1.1), Behind()

"""
RIGHT = {
    "a dict outside": "return h(x, **KEYS) * h(u, **MORE)",
    "an item of a list": "return h(x, *ROWS[0]) * h(u, **ROWS[1])",
    "of an object outside": "return fixed.value(x) * u",
    "of an object": "m = Model(b=u, c=x)\n    return m.value(x) + Model().value(u)",
    "passed on": "return deep(x, *ROWS[0], **ROWS[2]) + deep(u, u, c=x, **MORE)",
    "some by name, some by place": "return only(x, *ROWS[0], u) + only(u, *[], **{'b': x, 'c': u})",
    "two dicts": "return h(x, **ROWS[1], **{k: u for k in ['c']})",
    "two stars": "p, q = [x], [u]\n    p.append(u) if x > 9.0 else None\n    return only(*p, *q, *ROWS[0])",
    "a comprehension": "d = {k: v * x for k, v in KEYS.items() if k != 'b'}\n    return h(u, **d)",
    "of a class": "rest = ROWS[0]\n    return P(x, *rest).at(u) * P(a=u, **ROWS[1]).at(*[x], **MORE)",
    "a class method": "pair = [x, u]\n    pair.reverse()\n    return P.of(*pair).at(*pair)",
    "a dataclass": "d = {'a': x}\n    d.update(b=u)\n    o = D(**d)\n    return o.a * o.b + D(u, *ROWS[0]).b * x",
    "a named tuple": "d = {'a': x, 'b': u}\n    d['b'] = x * u\n    t = T(**d)\n    return t.a * t.b",
    "its own function": "def g(a, b, *, c=u):\n        return a * b * c * x\n"
        "    return g(x, **ROWS[1]) + g(u, *ROWS[0])",
    "that changes a variable": "k = x\n    def g(a, b=x):\n        nonlocal k\n        k = k * a * b\n"
        "        return k\n"
        "    d = {'b': u}\n    d.update(b=2.0 * u)\n    return g(x, **d) + k",
    "a partial": "g = functools.partial(h, c=u)\n    return g(x, **ROWS[1]) + functools.partial(h, x)(*ROWS[0])",
    "by its parameters": "d = {'a': x, 'z': u, 'b': u}\n"
        "    return h(**{k: v for k, v in d.items() if k in inspect.signature(h).parameters})",
    "an ordered dict": "return h(x, **collections.OrderedDict(b=0.4)) * u",
    "in a loop": "d = {}\n    s = 0.0\n    for k in ('b', 'c'):\n        s = s + h(x, **d) * u\n        d[k] = s\n"
        "    return s",
    "taken out": "d = {'a': x, 'b': u}\n    v = d.pop('b')\n    return h(**d) * v",
    "a generator": "def g(a, b=u):\n        yield a * b\n        yield a\n"
        "    return sum(v * v for v in g(x, **ROWS[1]))",
    "in a branch": "return h(x, **KEYS) if u > 0.0 else h(u)",
    "an array": "def g(a, b, c=2.0):\n        return a * b * c\n    v = np.array([x, u])\n    return g(*v) + g(*v, x)",
    "options that change": "def g(a, **o):\n        o.update(b=a)\n        o['c'] = a * o['b']\n        del o['b']\n"
        "        o.setdefault('d', a)\n        return sum(o.values()) + len(', '.join(o))\n"
        "    return g(x, **KEYS) * g(u)",
    "options that are kept": "o = Taken(x, scale=u, b=x)\n    return o.value(u) + Taken(x, **KEYS).value(u)",
    "keys that are read": "def g(**o):\n        return sum(v * len(k) for k, v in o.items())\n"
        "    return g(a=x, **ROWS[1])",
    "options that are taken": "def g(a, **o):\n        b = o.pop('b', 2.0)\n        return a * b + len(o)\n"
        "    return g(x, **ROWS[1]) + g(u, **MORE) + g(x, c=u)",
    "a key set by a later argument": "d = {'c': x}\n    def g():\n        d['c'] = u\n        return x\n"
        "    return h(x, **d, b=g()) * star(x, u, **d, zz=g())",
    "a key taken by a later argument": "d = {'c': x}\n    return h(x, **d, b=d.pop('c')) + star(u, c=x, **d, b=x)",
    "a key set by a function outside": "d = {'c': x}\n    return h(x, **d, b=put(d, u))",
    "a later dict that changes the one before": "d = {'c': x}\n    def g():\n        d.update(c=u, b=3.0)\n"
        "        return {'b': u}\n    return h(x, **d, **g())",
    "an object changed by a later argument": "s = Set()\n    return h(x, **s.kw, b=s.to(u)) + s.kw['c']",
    "objects in a list, changed so": "return sum(h(x, **s.kw, b=s.to(u)) for s in [Set(), Set()])",
    "arrays in a dict, put anew by a later argument": "d = {'a': np.array([x, u]), 'b': np.array([u, x])}\n"
        "    def g():\n        d['b'] = d['b'] * 3.0\n        return u\n"
        "    return np.sum(only(d['a'], **{'b': d['b']}, c=g())) + np.sum(h(**d, c=g()))",
    "in the order of the call": "return every(**KEYS, m=x) + every(n=u, **KEYS, m=x, **{'z': u}, q=x * u)",
    "in that order, through others": "return star(u, **KEYS, m=x) + Kept(u, **KEYS, m=x).value(**ROWS[1], o=x)",
    "in that order, with a variable around": "t = x\n    def g(**o):\n        nonlocal t\n        t = t * u\n"
        "        return every(**o) * t\n    return g(**KEYS, m=x) + g(m=u, **KEYS)",
    "keys that are no names": "return every(**{'b': u, 'z z': x}, m=x) + Kept(**{'a-b': x}).value(**{'None': u})",
    "behind a decorator": "return behind.at(x, *ROWS[0]) * u + behind.at(x, **ROWS[1]) + behind.at(*[x, u])"
        " + behind.at(u)",
    "the first is not given": "return first(a=x) * u + first(**{'a': u, 'q': x}) + first(x, a=u) + first(x, u, x)",
    "the first is not given, of a dict outside": "d = {'a': x}\n    d.update(q=u)\n    return first(**d)"
        " + first(**KEYS)",
    "the first is not given, of a class": "return First(a=x).at(a=u) + First(**KEYS).at(x)",
    "a function, and the next is not given": "return of(a=x) + of(np.cos, a=u, z=x) + of(lambda t: t * u, **{'a': x})",
}
WRONG = "TypeError: return x + u"                          # what Python raises where there are not so many
COUNTED = {
    "too many": "vals = [x, u, x]\n    try: return pair(*vals)\n    except ValueError: return x\n    except " + WRONG,
    "too few": "vals = [x]\n    try: return pair(*vals)\n    except " + WRONG,
    "of a list outside": "try: return pair(*ROWS[0])\n    except " + WRONG,
    "before another": "vals = [x, u]\n    try: return pair(u, *vals)\n    except " + WRONG,
    "of a function of NumPy": "vals = [x, u, x, u, x]\n    try: return np.hypot(*vals)\n    except " + WRONG,
    "of a method": "vals = [x] if x < 9.0 else []\n    try: return P(x).at2(*vals)\n    except " + WRONG,
    "with a variable around": "k = x\n    def g(a, b):\n        nonlocal k\n        k = k * a\n        return b\n"
        "    vals = [x, u, u]\n    try: k = g(*vals)\n    except TypeError: k = k * u\n    return k",
    "one that raises itself": "vals = [x]\n    try: return pair(*vals, fails(x))\n    except KeyError: return x * u\n"
        "    except " + WRONG,
    "by name too": "try: return pair(x, **{'b': u, 'a': x})\n    except " + WRONG,
    "without a star": "try: return pair(x, u, x)\n    except " + WRONG,
    "a name that is not there": "try: return h(x, **{'zz': u})\n    except " + WRONG,
    "in a helper": "def g(v): return pair(v) * 2.0\n    try: return g(x)\n    except " + WRONG,
    "an argument that raises": "try: return pair(x, fails(x), u)\n    except KeyError: return x * u\n"
        "    except " + WRONG,
    "an argument that changes something": "d = {'c': u}\n    try: return pair(put(d, x))\n"
        "    except TypeError: return x + d['c'] * u",
    "as many": "vals = [x]\n    return pair(*vals, put2(vals, u)) + pair(*(x, u)[:1], *vals[1:]) + len(vals)",
}
X, U = 0.7, 1.3


def made(body: str) -> dict[str, Any]:
    return sourced(START + f"def f(x, u):\n    {body}\n")


@pytest.mark.parametrize("body", [*RIGHT.values(), *COUNTED.values()], ids=[*RIGHT, *COUNTED])
def test_what_stars_hold_is_bound_when_it_runs(body: str) -> None:
    f, step = made(body)["f"], 1e-6
    due = [(f(X + step, U) - f(X - step, U)) / (2 * step), (f(X, U + step) - f(X, U - step)) / (2 * step)]
    for optimized in (True, False):
        np.testing.assert_allclose(tnb.grad(f, (0, 1), optimized=optimized)(X, U), due, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(tnb.jvp(f, (0, 1))(X, U, 0.3, -0.4), 0.3 * due[0] - 0.4 * due[1], rtol=1e-7, atol=1e-8)


def test_a_wrong_count_is_told_in_the_words_of_python() -> None:
    for derive, body in ((tnb.grad, "pair(*ROWS[0])"), (tnb.jvp, "pair(*ROWS[0])"), (tnb.grad, "pair(x)")):
        f = made(f"return {body} * x")["f"]
        with pytest.raises(TypeError, match=r"^pair\(\) missing 1 required positional argument: 'b'$"):
            derive(f)(X, U, *((1.0,) if derive is tnb.jvp else ()))


def taken(x, y, **options):
    scale = options.pop("scale", 1.0)
    if options:
        raise TypeError(f"unknown: {', '.join(options)}")
    return x * y * scale


def test_options_of_the_function_itself_may_change() -> None:
    df = tnb.grad(taken)
    given = {"scale": 3.0}
    assert df(2.0, 5.0, **given) == 15.0 and df(2.0, 5.0) == 5.0 and given == {"scale": 3.0}
    assert tnb.grad(taken, "options")(2.0, 5.0, **given) == {"scale": 10.0}
    with pytest.raises(TypeError, match="unknown: size"):
        df(2.0, 5.0, size=1.0)


def test_keys_are_those_of_each_call() -> None:
    space = made("return h(x, **KEYS) * u")
    df = tnb.grad(space["f"])
    for change in ({"b": 0.9}, {"c": None}, {"b": None}, {"c": 2.0}):
        for key, value in change.items():
            space["KEYS"].pop(key) if value is None else space["KEYS"].update({key: value})
        b, c = space["KEYS"].get("b", 2.0), space["KEYS"].get("c", 3.0)
        np.testing.assert_allclose(df(X, U), (b + 2.0 * c * X) * U)
    space["KEYS"]["other"] = 1.0
    with pytest.raises(TypeError, match=r"h\(\) got an unexpected keyword argument 'other'"):
        df(X, U)


def test_the_text_reads_by_key_after_a_check() -> None:
    text = tnb.source(tnb.grad(made("return h(x, **KEYS) * u")["f"]))
    assert "    rt.check_call('h(a, b=0, *, c=0)', 1, (), (KEYS,))  # guard\n" \
        "    b = KEYS['b'] if 'b' in KEYS else 2.0\n" in text
