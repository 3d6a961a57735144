"""Dicts and lists that a function makes of others: of pairs, with more keys, ordered; of its own parameters; and the
comprehensions in comprehensions that go over them."""
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

START = """\
import bisect
import itertools
import math
from collections import OrderedDict, defaultdict
import numpy as np

def karplus(buffer, n):
    out = []
    buffer = list(buffer)
    for _ in range(n):
        first = buffer.pop(0)
        out.append(first)
        buffer.append(0.5 * (first + buffer[0]))
    return out

def grown(d):
    d = dict(d)
    d["z"] = d.pop("a") * 2.0
    return d

def reversed_later(v):
    v = [*v]
    v.reverse()
    del v[0]
    return v

"""
RIGHT = {
    "ordered, by name": "d = OrderedDict(a=x, b=x * x)\n    d['c'] = x ** 3\n"
        "    return sum(k * v for k, v in enumerate(d.values()))",
    "ordered, of pairs": "d = OrderedDict([('a', x), ('b', x * x)])\n    return d['a'] * d['b']",
    "ordered, of a variable": "pairs = [('a', x), ('b', x * x), ('a', 2.0 * x)]\n    d = OrderedDict(pairs)\n"
        "    return d['a'] * d['b'] * list(d).index('b')",
    "pairs of a variable": "pairs = [('a', x), ('b', x * x), ('a', 2.0 * x)]\n    return dict(pairs)['a'] ** 2",
    "pairs that are tuples": "pairs = (('a', x), ['b', x * x])\n    d = dict(pairs, c=x)\n"
        "    return d['a'] * d['b'] * d['c']",
    "more keys": "named = {'km': x * 3.0, 'base': 5.0}\n    d = dict(named, base=x)\n    d['u'] = x\n"
        "    return d['km'] * d['base'] * d['u'] * len(named)",
    "keys two by two": "d = OrderedDict(a=x, b=x * x, c=2.0)\n"
        "    return sum(d[i] * d[j] for i, j in itertools.combinations(d, 2))",
    "lists that grow under the keys of a loop": "d = {'a': [x], 'b': [2.0 * x]}\n    s = 0.0\n    for k in d:\n"
        "        d[k].append(x * x)\n        s = s + sum(d[k])\n    for k in sorted(d):\n        d[k].append(x * s)\n"
        "        d[k][0] = s * x\n        s = s + sum(d[k])\n    return s",
    "lists under the keys of another dict": "d = {'u': 1.0, 'v': 2.0}\n    seen = {k: [] for k in d}\n    for k in d:\n"
        "        seen[k].append(x * d[k])\n        seen[k].append(x * x)\n    return sum(seen['u']) * sum(seen['v'])",
    "in a comprehension": "return sum(sum(a * a for a in v) for v in [[x, x * x], [x]])",
    "lists in one": "return sum([sum([a * a for a in v]) for v in {'a': [x, x * x]}.values()])",
    "items of a dict": "d = defaultdict(list)\n    for k in (0, 1, 0):\n        d[k].append(x * (k + 1))\n"
        "    return sum(np.sqrt(sum(a * a for a in v)) * k for k, v in d.items())",
    "dicts in one": "d = {k: {j: x * j for j in (1, 2)} for k in 'ab'}\n"
        "    return sum(sum(v * j for j, v in e.items()) * len(k) for k, e in d.items())",
    "three of them": "return sum(sum(sum(c * x for c in b) for b in a) for a in [[[x, 1.0]], [[x * x]]])",
    "a parameter as a list": "return sum(v * v for v in karplus([x, x * x, 1.0], 4))",
    "a parameter as a dict": "d = {'a': x}\n    e = grown(d)\n    return e['z'] * d['a'] * len(e)",
    "a parameter as a display": "v = [x, x * x, 3.0]\n    return sum(reversed_later(v)) * v[0]",
    "a place in constants": "return x * bisect.bisect_left([0.0, 0.5, 1.0], x)",
    "a place in what is differentiated": "t = [0.0, x, 2.0 * x, 9.0]\n    return t[bisect.bisect(t, 0.9) - 1] * x",
    "a place between": "return x * bisect.bisect_right([0.0, 0.5, x, 1.0], x, 1, hi=3)",
}


def made(body: str) -> Callable[[float], Any]:
    return sourced(f"{START}def f(x):\n    {body}\n")["f"]


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_dicts_and_lists_of_others(body: str) -> None:
    f = made(body)
    due = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6 if "bisect_right" not in body else 3.0
    for optimized in (True, False):
        np.testing.assert_allclose(tnb.grad(f, optimized=optimized)(0.7), due, rtol=1e-7)
    np.testing.assert_allclose(tnb.jvp(f)(0.7, 1.0), due, rtol=1e-7)


def test_what_is_given_is_left_as_it_is() -> None:
    given = [0.7, 0.5, 1.0]
    f = sourced(START + "def f(x):\n    return sum(karplus(x, 4)) + sum(reversed_later(x))\n")["f"]
    assert len(tnb.grad(f)(given)) == 3 and given == [0.7, 0.5, 1.0]
    assert "buffer_1 = list(buffer)" in tnb.source(tnb.grad(f))


def test_second_derivatives_of_pairs() -> None:
    f = made("pairs = [('a', x), ('b', x * x), ('a', x ** 3)]\n    d = dict(pairs)\n    return d['a'] * d['b']")
    np.testing.assert_allclose(tnb.grad(tnb.grad(f))(0.7), 20.0 * 0.7 ** 3)


@pytest.mark.parametrize("items", [
    "{x: 1, 2.0 * x: 2}", "{x: 1, 2.0 * x: 2}.keys()", "{x, 2.0 * x}", "sorted({x, 2.0 * x})",
    "dict([(x, 1), (2.0 * x, 2)])", "map(lambda v: v, {x, 2.0 * x})", "set([x, 2.0 * x])"])
@pytest.mark.parametrize("around", ["sum(v * 2.0 for v in {})", "sum([v * 2.0 for v in {}])"])
def test_keys_and_items_of_sets_have_no_derivative_in_comprehensions(around: str, items: str) -> None:
    with pytest.raises(TangentError, match="an index or a key has no derivative|a set of differentiable values"):
        tnb.grad(made("return " + around.format(items)))(0.7)


@pytest.mark.parametrize("items", ["{'a': x, 'bb': x * x}.items()", "dict([('a', x), ('bb', x * x)]).items()"])
def test_keys_that_are_texts_may_be_gone_over_beside(items: str) -> None:
    f = made(f"return sum(v * len(k) for k, v in {items})")
    np.testing.assert_allclose(tnb.grad(f)(0.7), 1.0 + 4.0 * 0.7)


ENTRIES = {
    "after a read": "d = dict(o)\n    y = x ** d['n']\n    d['n'] = 5\n    return y * x",
    "by another name": "d = dict(o)\n    e = d\n    y = x ** e['n']\n    d['n'] = 5\n    return y * x * e['n']",
    "in a loop": "d = {**o}\n    for i in range(3):\n        d['n'] = i + 1\n        x = x ** d['n'] + d['n'] * x\n"
                 "    return x",
    "kept before": "d = dict(o)\n    w = d['w']\n    d['w'] = 3.0\n    return np.sum(x * w) * d['w']",
    "in a list": "d = dict(o)\n    l = [d]\n    y = x ** l[0]['n']\n    d['n'] = 7\n    return y * l[0]['n'] * x",
    "in itself": "d = dict(o)\n    d['k'] = d\n    y = x ** d['n']\n    d['n'] = 5\n    return y * x",
    "in a branch": "d = dict(o)\n    if x > 0: d['n'] = 4\n    y = x ** d['n']\n    d['n'] = 1\n    return y * x",
    "its keys": "d = dict(o)\n    ks = d.keys()\n    d['z'] = 4\n    return x ** len(ks)",
    "a list in it": "d = dict(o)\n    y = np.dot(x * np.ones(2), d['l'])\n    d['l'] = [0, 0]\n    return y * x",
    "passed on": "d = dict(o)\n    d['n'] = 3\n    return power(x, **d)",
    "a default": "o.setdefault('n', 3)\n    return power(x, **o)",
    "of what is given": "o['n'] = 3\n    return power(x, **o)",
    "filtered": "o = accepted(power, **o)\n    return power(x, **o)",
    "asked for": "d = dict(o)\n    d['n'] = 3\n    n = d['n'] if 'n' in d else 2\n    return x ** n"}


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize("optimized", [True, False])
def test_entries_of_dicts_that_are_made_of_others(name: str, optimized: bool) -> None:
    """`kwargs.setdefault(...)`, `options = dict(options); options["n"] = 3`."""
    f = sourced(f"""\
import inspect
import numpy as np
def power(x, n=2, **more): return x ** n
def accepted(fn, **o):
    names = list(inspect.signature(fn).parameters)
    for key in set(o) - set(names): o.pop(key)
    return o
def f(x, **o):
    {ENTRIES[name]}
""")["f"]

    def given() -> dict[str, Any]:
        return {"n": 2, "w": 1.5, "l": [1.0, 2.0]}
    slope = (f(1.3 + 1e-6, **given()) - f(1.3 - 1e-6, **given())) / 2e-6
    assert tnb.grad(f, optimized=optimized)(1.3, **given()) == pytest.approx(slope, rel=1e-6)
    assert tnb.jvp(f, optimized=optimized)(1.3, dx=1.0, **given()) == pytest.approx(slope, rel=1e-6)
