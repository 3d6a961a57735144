"""The order of evaluation: random programs in which most operands change what the others read.

Functions that assign variables around them, objects whose methods and operators change them, `:=`, items that are
popped from lists and deques, stores in arrays and dicts, random draws stand in expressions of all sorts, as arguments
that are bound in another order than they are evaluated in, and in conditions that evaluate some of their operands. The
value is compared with Python's, the derivative with differences; a program may be refused.
"""
from __future__ import annotations

import collections
import itertools
import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import oracles

import tangent_nb as tnb
from tangent_nb.errors import TangentError

POINT = (0.83, 1.27)
FIRST = '''
class Box:
    def __init__(self, level):
        self.level = level

    def up(self, v):
        self.level = self.level * 1.1 + v * 0.1
        return self.level

    @property
    def twice(self):
        return self.level * 2.0

    def __add__(self, other):
        self.level = self.level + 0.01
        return self.level + (other.level if isinstance(other, Box) else other)

def scaled(v, k=2.0):
    return v * k + 0.3

class Pair:
    def __init__(self, p, *rest, q=1.0):
        self.p, self.q, self.rest = p, q, rest

    def mixed(self):
        return self.p * 0.5 - self.q * 0.3

Sizes = collections.namedtuple("Sizes", "p q")

def kept(a, *rest, p=1.0, **more):
    return a * p + rest[0] * 0.5 - more["q"] * 0.25

def f(x, y):
    rng = np.random.default_rng(7)
    s, t = x * 0.5, y * 0.25
    a = np.array([x, y])
    d = {"u": x * y}
    b, c = Box(x + y), Box(y)
    items = [x, y, x * y, x + 1.0, y + 2.0, 0.3, x * 0.2, y * 0.1, 1.1, 0.4, x, y, 0.9, x * x, y * y, 0.8]
    queue = collections.deque([x * 0.3, y, 0.6, y * 0.7, x, 0.2])
    z = 0.0
    n = 0
    def bump():
        nonlocal s
        s = s * 1.2 + 0.1
        return s
    def push(v):
        nonlocal t
        t = t * 0.5 + v * 0.2
        return t + s
    def store(v):
        a[0] = a[0] * 0.9 + v * 0.1
        return v
    def put(v):
        d["u"] = v * 0.5
        return d["u"]
    def place(v):
        nonlocal s
        s = s * 0.99
        return 1 if s > 0.6 else 0
'''
LAST = ' + z * 0.1 + s + t + np.sum(a) + d["u"] + b.level + c.level + sum(items) + sum(queue)'
ATOMS = ["x", "y", "s", "t", "b.level", "b.twice", "a[0]", "a[1]", 'd["u"]', "1.5", "0.7", "items[1]", "queue[0]"]
EFFECTS = ["bump()", "push({})", "(t := {})", "b.up({})", "items.pop()", "store({})", "c.up({})", "put({})",
           "(w := {}) * w", "queue.popleft()", "items.pop(0)", 'd.setdefault("v", {})', "rng.normal()", "rng.uniform()"]
OTHERS = ["({} + {})", "({} - {})", "({} * {})", "({} * {})", "({} if {?} else {})", "({?} and {} or {})",
          "scaled({}, k={})", "np.sin({})", "[{}, {}, {}][1]", "(b + {})", "a[place({})]", "max({}, {})",
          '{{"p": {}, "q": {} }}["p"]', "(lambda q: q * s + {})({})", "sum(items + [{}, {}])", "items[place({})]",
          "sum(items, {})", "sum({{**d, 'w': {} }}.values())", "(len(queue) * {})", "Pair(q={}, p={}).mixed()",
          "Pair({}, 1.0, {}, q={}).mixed()", "Sizes(q={}, p={}).p", "kept(1.0, {}, q={}, p={})",
          "sum((v * {} for v in [x]), {})", "max((v * {} for v in [s, t]), default={})"]
TESTS = ["{} < {}", "{} < {} < {}", "{} < {} < {} < {}", "not {} > 1.0", "({} > 0.5 or {} < 2.0)"]
STATEMENTS = ["z = z + {}", "z += {}", "a[place({})] = {}", "p, q = {}, {}\nz = z + p * q", "b.level = {}",
              'd["u"], a[place({})] = {}, {}', "a[0] = a[place({})] = {}", "items.insert(place({}), {})",
              "queue.append({})", "while {?} and n < 3:\n    n = n + 1\n    z = z + {}",
              "if {?}:\n    z = z * {}\nelse:\n    z = z - {}"]


def program(seed: int) -> str:
    """The text of a function of two numbers."""
    chance = random.Random(seed)

    def filled(template: str, depth: int) -> str:
        parts = template.replace("{{", "\0").replace("}}", "\1").replace("{?}", "\2").replace("{}", "\3")
        for mark, write in (("\2", condition), ("\3", expression)):
            while mark in parts:
                parts = parts.replace(mark, write(depth - 1), 1)
        return parts.replace("\0", "{").replace("\1", "}")

    def expression(depth: int) -> str:
        if depth <= 0:
            return chance.choice(ATOMS)
        return filled(chance.choice(EFFECTS if chance.random() < 0.35 else OTHERS), depth)

    def condition(depth: int) -> str:
        return filled(chance.choice(TESTS), depth + 1)

    lines = [line for _ in range(chance.randint(1, 3))
             for line in filled(chance.choice(STATEMENTS), chance.randint(1, 3)).splitlines()]
    return FIRST + "".join(f"    {line}\n" for line in lines) + f"    return {expression(3)}{LAST}\n"


def slopes(f: Callable[..., float], h: float) -> list[float]:
    """Central differences by each argument."""
    moved = [[tuple(v + sign * h * (i == j) for j, v in enumerate(POINT)) for sign in (1, -1)] for i in range(2)]
    return [(f(*up) - f(*down)) / (2 * h) for up, down in moved]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", range(72))
def test_operands_are_evaluated_in_order(seed: int) -> None:
    f = oracles.sourced(program(seed), {"np": np, "collections": collections, "__name__": "order"},
                        f"<order {seed}>")["f"]
    value, wanted, coarse = f(*POINT), slopes(f, 1e-6), slopes(f, 2e-6)
    if not np.allclose(wanted, coarse, rtol=1e-3, atol=1e-4):
        return                                             # the point lies on a kink
    for optimized in (True, False):
        try:
            got, gradient = tnb.value_and_grad(f, wrt=("x", "y"), optimized=optimized)(*POINT)
        except TangentError:
            return
        assert got == pytest.approx(value, rel=1e-9)
        np.testing.assert_allclose(gradient, wanted, rtol=1e-4, atol=1e-5)
    push = tnb.jvp(f, wrt=("x", "y"))
    np.testing.assert_allclose([push(*POINT, 1.0, 0.0), push(*POINT, 0.0, 1.0)], wanted, rtol=1e-4, atol=1e-5)


def test_the_programs_differ_and_most_are_differentiated() -> None:
    texts = [program(seed) for seed in range(24)]
    assert len(set(texts)) == len(texts)
    assert all(any(word in text for text in texts)
               for word in ("while", " := ", "if ", "b.up", "items.pop", "place(", " < "))
    done = 0
    for seed, text in itertools.islice(enumerate(texts), 8):
        try:
            tnb.grad(oracles.sourced(text, {"np": np, "collections": collections, "__name__": "order"},
                                     f"<order of {seed}>")["f"])
        except TangentError:
            continue
        done += 1
    assert done >= 5
