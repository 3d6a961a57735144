"""Methods that run without being called by name, and change something outside: operators, properties, managers, what
`for`, `if` and `str` ask.

A derivative is right, leaves the same outside, and runs them as often as the function does, or it is refused."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(4)

VALUES = {"enter": "2.0", "exit": "None", "add": "2.0", "neg": "2.0", "lt": "True", "getitem": "2.0", "bool": "True",
          "contains": "True", "float": "2.0", "str": "'a'", "iter": "iter([1.0, 2.0])", "eq": "True", "hash": "1",
          "format": "'b'", "iadd": "self", "matmul": "2.0", "index": "1", "setattr": "None", "delattr": "None",
          "setitem": "None"}
AROUND = """\
import numpy as np
A, COUNT = np.array([1.0, 2.0]), [0]
class Unseen:
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        COUNT[0] += 1; A[0] = 3.0
        return 2.0
    @property
    def held(self):
        COUNT[0] += 1; A[0] = 3.0
        return 2.0
""" + "".join(f"""\
    def __{name}__(self, *args):
        COUNT[0] += 1; A[0] = 3.0
        return {value}
""" for name, value in VALUES.items()) + "o, objects = Unseen(), [Unseen()]\n"
USES = ["with o: pass", "o.held", "o.other", "o + 1", "-o if False else -1", "o < 1", "o[0]", "not o", "if o: pass",
        "1 in o", "float(o)", "str(o)", "for _ in o: pass", "[v for v in o]", "o == 1", "hash(o)", "o.x = 1", "del o.x",
        "o[0] = 1", "f'{o}'", "a = o; a += 1", "o @ 1", "[1, 2][o]", "range(o)", "list(o)", "a, b = o", "{o: 1}",
        "getattr(o, 'other')", "sorted([o, o])", "o and 1", "while o: break", "assert o", "1 if o else 2",
        "objects[0] + 1", "for v in objects: v + 1", "Unseen() + 1", "a = Unseen(); a.held", "with Unseen(): pass"]
PLACES = {
    "here": "def f(x):\n{use}    y = x * A\n{use}    return np.sum(y * A)\n",
    "called": "def tick():\n{use}    return 2.0\n"
              "def f(x):\n    y = x * A\n    y = y * tick()\n    return np.sum(y * A)\n",
    "statement": "def tick():\n{use}\ndef f(x):\n    y = x * A\n    tick()\n    return np.sum(y * A)\n",
    "given": "def tick(o):\n{use}    return 2.0\n"
             "def f(x):\n    y = x * A\n    y = y * tick(o)\n    return np.sum(y * A)\n",
    "deeper": "def in_it():\n{use}    return 2.0\ndef tick():\n    return in_it()\n"
              "def f(x):\n    y = x * A\n    tick()\n    return np.sum(y * A)\n",
    "apart": "def tick():\n{use}    return 2.0\ndef f(x):\n    return tick() * np.sum(x * x)\n",
    "apart_here": "def f(x):\n{use}    return np.sum(x * x)\n",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("how", ["grad", "jvp"])
def test_methods_that_run_by_themselves(use: str, place: str, how: str) -> None:
    space = sourced(AROUND + PLACES[place].format(use=f"    {use}\n"), {"__name__": "cell"})
    f, step = space["f"], 1e-6

    def run(x: float) -> tuple[float, int, list[float]]:
        space["A"][:], space["COUNT"][0] = [1.0, 2.0], 0
        return f(x), space["COUNT"][0], list(space["A"])

    try:
        derivative = tnb.grad(f) if how == "grad" else tnb.jvp(f)
        space["A"][:], space["COUNT"][0] = [1.0, 2.0], 0
        slope = derivative(2.0) if how == "grad" else derivative(2.0, 1.0)
    except TangentError:
        return
    left = space["COUNT"][0], list(space["A"])
    assert slope == pytest.approx((run(2.0 + step)[0] - run(2.0 - step)[0]) / (2 * step), rel=1e-6)
    assert left == run(2.0)[1:]


CLASSES = """\
COUNT = [0]
class Computed:
    def __init__(self, fn): self.fn = fn
    def __get__(self, owner, kind): return self.fn(kind)
class Rates:
    held = 3.0
    @Computed
    def rate(cls):
        COUNT[0] += 1
        return 2.0 * COUNT[0]
class Meta(type):
    @property
    def rate(cls):
        COUNT[0] += 1
        return 2.0 * COUNT[0]
class Made(metaclass=Meta): held = 3.0
def f(x): return x * x * {value}
"""


@pytest.mark.parametrize("value", ["Rates.rate", "Made.rate", "Rates.held", "Made.held"])
def test_what_code_gives_for_a_class_is_asked_when_it_runs(value: str) -> None:
    space = sourced(CLASSES.format(value=value), {"__name__": "cell"})
    due = 3.0 * (3.0 if "held" in value else 2.0)
    derivative = tnb.grad(space["f"])
    assert space["COUNT"] == [0]
    assert derivative(1.5) == pytest.approx(due)
    assert space["COUNT"] == [int("rate" in value)]


def test_an_iterator_that_is_not_iterable() -> None:
    f = sourced("""\
class Steps:
    def __iter__(self): return Step()
class Step:
    def __init__(self): self.i = 0
    def __next__(self):
        self.i += 1
        if self.i > 2: raise StopIteration
        return float(self.i)
steps = Steps()
def f(x):
    for h in steps: x = x * h * x
    return x
""", {"__name__": "cell"})["f"]
    assert tnb.grad(f)(1.3) == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6)
