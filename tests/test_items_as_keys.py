"""Pairs of a name, or a place, and a number: what is taken from them is an index or a key, or a number."""
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

SETUP = """
import itertools, operator
from collections import defaultdict
import numpy as np

WEIGHTS = {"a": 2.0, "b": 3.0}
PLACES = np.array([1.5, 0.5, 2.5])

def pairs(x):
    return [("a", x), ("b", x * x)]

def rescale(v, k):
    v *= k

def recentre(v):
    v -= v.mean()
    v *= 2.0

def ring(xs, damping):
    line, out = list(xs), []
    for _ in range(4):
        first = line.pop(0)
        out.append(first)
        line.append(damping * (first + line[0]))
    return out

def f(x):
"""
CASES = {
    "of a list": "s = 0.0\nfor name, v in pairs(x):\n    s += WEIGHTS[name] * v\nreturn s",
    "of a list that grew": "found = []\nfor k in 'ab':\n    found.append((k, x * WEIGHTS[k]))\n"
    "return sum(WEIGHTS[name] * v for name, v in found)",
    "the greatest": "best = max(pairs(x), key=lambda p: p[1])\nreturn WEIGHTS[best[0]] * best[1]",
    "places of an array": "rows = [(0, x), (2, x * x)]\nrows.append((1, 2 * x))\n"
    "return sum(PLACES[i] * v for i, v in rows)",
    "places of a list that is stored in": "out = [0.0, 0.0]\nfor i, v in [(0, x), (1, x * x), (0, 3 * x)]:\n"
    "    out[i] += v\nreturn out[0] * out[1]",
    "places of an array that is stored in": "out = np.zeros(3)\nfor i, v in [(0, x), (1, x * x), (0, 3 * x)]:\n"
    "    out[i + 1] += v\nreturn out[1] * out[2]",
    "keys of a dict that is made": "d = {}\nfor k, v in pairs(x):\n    d[k] = v * WEIGHTS[k]\nreturn d['a'] * d['b']",
    "keys of a dict comprehension": "d = {k: v * WEIGHTS[k] for k, v in pairs(x)}\nreturn d['a'] * d['b']",
    "keys of tuples": "g = {('a', 0): x, ('b', 1): x * x}\n"
    "return sum(v * WEIGHTS[k] * (i + 1) for (k, i), v in g.items())",
    "groups": "d = defaultdict(list)\nfor k, v in [*pairs(x), ('a', 2.0 * x)]:\n    d[k].append(v)\n"
    "return sum(d['a']) * sum(d['b'])",
    "pairs of places": "groups = defaultdict(list)\nps = np.array([0.2, 1.1, 0.4]) * x\n"
    "for k, p in enumerate(ps):\n    groups[int(p)].append(k)\nt = 0.0\nfor members in groups.values():\n"
    "    for i, j in itertools.combinations(members, 2):\n        t = t + (ps[i] - ps[j]) ** 2\nreturn t",
    "a machine": "stack = []\nfor op, v in [('push', x), ('push', 2.0), ('mul', None)]:\n    if op == 'push':\n"
    "        stack.append(v)\n    else:\n        b = stack.pop()\n        a = stack.pop()\n"
    "        stack.append({'mul': operator.mul}[op](a, b))\nreturn stack[0]",
    "items in the order of their keys": "w = {'b': x, 'a': x * x}\nw = dict(sorted(w.items()))\n"
    "return list(w.values())[0] + w['b'] * x",
    "items in the order of their values": "w = {'b': x, 'a': x * x}\nt = 0.0\n"
    "for k, v in sorted(w.items(), key=lambda kv: -kv[1]):\n    t = t * x + v * WEIGHTS[k]\nreturn t",
    "the greatest item": "w = {'b': x, 'a': x * x}\nk, v = max(w.items(), key=lambda kv: kv[1])\n"
    "return WEIGHTS[k] * v",
    "a list of items": "w = {'b': x, 'a': x * x}\nreturn list(w.items())[1][1] * x",
    "sorted items in a comprehension": "w = {'b': x, 'a': x * x}\n"
    "w = {k: v for k, v in sorted(w.items(), key=lambda kv: kv[1], reverse=True)}\nreturn list(w.values())[0] * x",
    "a procedure that scales what it is given": "u = np.sin(x * PLACES)\nrescale(u, x)\nrescale(u, 2.0)\n"
    "return np.sum(u * u)",
    "a procedure of two steps": "u = x * PLACES\nfor _ in range(2):\n    recentre(u)\nreturn np.sum(u ** 3)",
    "a procedure over rows": "rows = [np.sin(x * PLACES), np.cos(x * PLACES)]\nrescale(rows[0], x)\n"
    "return np.sum(rows[0] * rows[1])",
    "enumerate of what a function computes": "return sum(s * s * k for k, s in enumerate(ring(x * PLACES, x)))",
    "zip of what a function computes": "t = 0.0\nfor w, s in zip(PLACES, ring([x, x, x], 0.5)):\n"
    "    t = t + w * s\nreturn t",
    "windows": "w = np.lib.stride_tricks.sliding_window_view(x * np.arange(5.0), 3)\n"
    "return np.sum(w * PLACES) + sum(np.prod(r) for r in w)",
}
X = 0.7
pytestmark = pytest.mark.sampled(3)


def function(body: str, name: str) -> Any:
    return sourced(SETUP + "\n".join("    " + line for line in body.splitlines()), {"__name__": "items"},
                   f"<items {name}>")["f"]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("mode", ["grad", "raw", "jvp", "like", "twice"])
def test_it_is_differentiated(name: str, mode: str) -> None:
    f = function(CASES[name], f"{name} {mode}")
    slope = (f(X + 1e-6) - f(X - 1e-6)) / 2e-6
    if mode == "twice":
        df = tnb.grad(f)
        slope = (df(X + 1e-6) - df(X - 1e-6)) / 2e-6
        assert tnb.grad(df)(X) == pytest.approx(slope, rel=1e-6, abs=1e-7)
        return
    made: dict[str, Any] = {
        "grad": lambda: tnb.grad(f)(X), "raw": lambda: tnb.grad(f, optimized=False)(X),
        "like": lambda: tnb.grad(f, like=(X,))(X), "jvp": lambda: tnb.jvp(f)(X, 1.0)}
    assert made[mode]() == pytest.approx(slope, rel=1e-6, abs=1e-8)


NUMBERS = {                                                # that are differentiated, as keys
    "of a list": "table = {0.7: 2.0, 1.4: 3.0}\nreturn sum(table[k] * v for k, v in [(x, x), (x + x, 2.0 * x)])",
    "of a list that is made": "table = {0.7: 2.0, 1.4: 3.0}\nrows = []\nfor i in (1, 2):\n    rows.append((i * x, x))\n"
    "return sum(table[k] * v for k, v in rows)",
    "a key that is stored": "d = {}\nrows = []\nfor i in (1, 2):\n    rows.append((i * x, x))\n"
    "for k, v in rows:\n    d[k] = v\nreturn sum(d.values())",
    "one that get looks for": "d = {0.7: x}\nreturn d.get(x, 0.5) * x",
    "an item that get looks for": "d = {0.7: x}\nreturn sum(d.get(k, 0.5) * v for k, v in [(x, x)])",
    "of a tuple": "pair = (x, 2.0)\nreturn {0.7: 3.0}[pair[0]] * x",
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("derive", [tnb.grad, tnb.jvp])
def test_a_number_that_is_differentiated_is_no_key(name: str, derive: Any) -> None:
    f = function(NUMBERS[name], f"{name} {derive.__name__}")
    assert np.isfinite(f(X))
    with pytest.raises(TangentError, match="an index or a key has no derivative"):
        derive(f)(*(X, 1.0)[:1 + (derive is tnb.jvp)])


def test_a_procedure_that_scales_a_number_is_refused_when_it_runs() -> None:
    """The number is another one then, and the caller's stays as it is."""
    f = function("u = x * 2.0\nrescale(u, 3.0)\nreturn u * u", "a number")
    assert f(X) == 4.0 * X * X
    with pytest.raises(TangentError, match="taken for a part of an array"):
        tnb.grad(f, optimized=tnb.PASSES)(X)
    assert tnb.grad(f)(X) == pytest.approx(8.0 * X)        # right where it is known to be a number
