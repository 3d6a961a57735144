"""Objects whose operators, properties, items and comparisons change them: each is asked as often as the function asks,
or it is refused."""
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

SETUP = """\
import enum
import numpy as np
class Counting:
    def __init__(self): self.n = 1.0
    def _more(self, value): self.n += 1.0; return value
    tick = property(lambda self: self._more(3.0))
    def __add__(self, o): return self._more(2.0)
    __mul__ = __radd__ = __add__
    def __neg__(self): return self._more(2.0)
    def __eq__(self, o): return self._more(True)
    __lt__ = __gt__ = __contains__ = __eq__
    def __bool__(self): return self._more(True)
    def __len__(self): return self._more(2)
    def __iter__(self): return self._more(iter([1, 2]))
    def __getitem__(self, i): return self._more(4.0)
    def __format__(self, spec): return self._more("")
    def __str__(self): return self._more("")
    def __hash__(self): return self._more(3)
    def __float__(self): return self._more(1.0)
    def __enter__(self): return self._more(self)
    def __exit__(self, *error): self._more(None)
class Asked:
    def __init__(self): self.__dict__["n"] = 1.0
    def __getattr__(self, name): self.__dict__["n"] += 1.0; return 2.0
class Storing:
    def __array_ufunc__(self, *a, **k): return NotImplemented
    def __lt__(self, v): v[0] = 0.0; return True
    __gt__ = __eq__ = __contains__ = __lt__
class Total:
    def __init__(self, v): self.v = v
    def __iadd__(self, o): self.v = self.v + o; return self
class Color(enum.Enum):
    RED = 1
    BLUE = 2
class Painted:
    def __init__(self, color): self.color = color
    def of(self, x): return x * x if self.color == Color.RED else 3.0 * x
class Named:
    def __init__(self): self.n = 0.0
    def count(self, k): self.n += k; return self.n
    def get(self, k): self.n *= 2.0; return self.n
    def mean(self): self.n += 1.0; return self.n
    def copy(self): self.n += 1.0; return self
class Holding:
    def __init__(self): self.m = Named(); self.d = {"m": Named()}
def told(m): return m.count(1)
KEPT = Counting()
def fresh():
    KEPT.n = 1.0
    return KEPT
"""
BODIES = {
    "operators": "c = o + 1\n    d = -o\n    e = 1 + o", "comparisons": "c = o == 1\n    d = o < 2\n    e = 3 in o",
    "chain": "c = 1 < o < 3", "truth": "c = not o\n    d = o and 2", "branch": "if o:\n        x = x * x",
    "length": "c = len(o)", "loop": "for k in o:\n        c = k",
    "unpacking": "p, q = o", "display": "c = [k for k in o]", "item": "c = o[3]",
    "text": "c = f'{o}'\n    d = '%s' % o\n    e = str(o)",
    "hash": "c = {o: 1}\n    d = hash(o)", "number": "c = float(o)",
    "property": "c = o.tick\n    x = x * o.tick",
    "property_between": "y = x * o.n\n    c = o.tick\n    x = x * y * o.n",
    "property_in_loop": "for k in range(2):\n        c = o.tick\n        x = x * o.n",
    "condition": "if o.tick > 2.0:\n        x = x * x", "bounds": "for k in range(int(o.tick)):\n        x = x * o.n",
    "alias": "p = o\n    c = p + 1\n    q = [o]\n    for r in q:\n        d = r + 1",
    "dict": "d = {'o': o}\n    c = d['o'] < 2", "manager": "with o as p:\n        x = x * p.n",
    "assertion": "assert o < 2, f'{o}'",
    "attempt": "try:\n        c = o + 1\n    except ValueError:\n        x = x * 2.0",
    "walrus": "if (c := o + 1) > 1:\n        x = x * x",
    "helper": "def g(p, t):\n        c = p < 1\n        return t * p.n\n    x = g(o, x)",
}
HOLDERS = {"argument": "def f(x, o):\n    {body}\n    return x * o.n\n",
    "local": "def f(x):\n    o = Counting()\n    {body}\n    return x * o.n\n",
           "outside": "o = KEPT\ndef f(x):\n    {body}\n    return x * o.n\n"}


def derivative(f: Callable[..., float], make: Callable[[], tuple[Any, ...]]) -> tuple[float, float]:
    step = 1e-6
    return f(0.7, *make()), (f(0.7 + step, *make()) - f(0.7 - step, *make())) / (2.0 * step)


def judge(f: Callable[..., float], make: Callable[[], tuple[Any, ...]], *, refused: bool) -> None:
    """All modes are right, or all are refused where that is allowed."""
    value, slope = derivative(f, make)
    try:
        found = tnb.value_and_grad(f)(0.7, *make())
        np.testing.assert_allclose(found, (value, slope), rtol=1e-6)
        for wanted in (tnb.grad(f), tnb.grad(f, optimized=False), lambda x, *rest: tnb.jvp(f)(x, *rest, 1.0)):
            np.testing.assert_allclose(wanted(0.7, *make()), slope, rtol=1e-6)
    except TangentError:
        if not refused:
            raise


@pytest.mark.sampled(8)
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("name", BODIES)
def test_effects_of_objects_stay(name: str, holder: str) -> None:
    space = sourced(SETUP + HOLDERS[holder].format(body=BODIES[name]))
    rest = (space["Counting"],) if holder == "argument" else ()

    def make() -> tuple[Any, ...]:
        space["fresh"]()
        return tuple(one() for one in rest)

    judge(space["f"], make, refused=holder != "argument")


@pytest.mark.parametrize("body", [
    "c = o.other\n    return x * o.n", "return x * o.other * o.n",
    "for k in range(2):\n        x = x * o.other\n    return x * o.n"])
def test_attributes_that_are_made_when_they_are_asked_for(body: str) -> None:
    space = sourced(f"{SETUP}def f(x, o):\n    {body}\n")
    judge(space["f"], lambda: (space["Asked"](),), refused=False)


@pytest.mark.parametrize("body", ["c = o < y", "c = y in o", "c = o == y"])
def test_what_may_store_in_what_it_is_compared_with_is_refused(body: str) -> None:
    space = sourced(f"{SETUP}def f(x, o):\n    y = x * 2.0\n    {body}\n    return np.sum(y * x)\n")
    for optimized in (True, False):
        with pytest.raises(TangentError, match="operators of its own"):
            tnb.grad(space["f"], optimized=optimized)(np.ones(2), space["Storing"]())


@pytest.mark.parametrize("body", [
    "a = Total(0.0)\n    for v in [x, x * x]:\n        a += v * v\n    return a.v",
    "a = Total(x)\n    for i in range(3):\n        a += x * x\n    return a.v",
    "a = Total(x)\n    a += x * x\n    a += x\n    return a.v"])
def test_sums_in_place_of_objects(body: str) -> None:
    space = sourced(f"{SETUP}def f(x):\n    {body}\n")
    judge(space["f"], tuple, refused=True)


@pytest.mark.parametrize("body", [
    "return Painted(Color.RED).of(x)", "return Painted(Color.BLUE).of(x)",
    "return {Color.RED: x, Color.BLUE: x * x}[Color.BLUE]"])
def test_members_of_an_enum(body: str) -> None:
    """Their class has no methods of its metaclass, such as `__call__`."""
    space = sourced(f"{SETUP}def f(x):\n    {body}\n")
    judge(space["f"], tuple, refused=False)


@pytest.mark.parametrize("body",
                         ["p = list(g)", "a, b, c = g", "c = max(g)", "c = sum(g)", "for v in g:\n        c = v"])
def test_iterators_are_gone_over(body: str) -> None:
    space = sourced(f"{SETUP}def f(x, g):\n    {body}\n    return x * (len(list(g)) + 1)\n")
    judge(space["f"], lambda: (iter([1.0, 2.0, 3.0]),), refused=False)


@pytest.mark.parametrize("text", [
    "d = defaultdict(list)\ndef f(x):\n    d.clear()\n    c = d['a']\n    return x * (len(d) + 1)\n",
    "def f(x):\n    d = defaultdict(list)\n    c = d['a']\n    return x * (len(d) + 1)\n"])
def test_reading_may_add_to_a_dict(text: str) -> None:
    space = sourced(f"from collections import defaultdict\n{text}")
    judge(space["f"], tuple, refused=True)


def test_an_object_that_python_lets_go_of_is_refused() -> None:
    space = sourced("log = [1.0]\nclass Last:\n    def __del__(self): log[0] += 1.0\n"
                    "def f(x):\n    a = Last()\n    a = None\n    return x * log[0]\n")
    with pytest.raises(tnb.errors.RefusedError, match="__del__ runs when Python lets go"):
        tnb.grad(space["f"])


@pytest.mark.parametrize("body", ["if 2.0 in o:\n        y = y * y", "if 2.0 not in o:\n        y = y + 1.0",
                                  "y = y * y if 2.0 in o else y", "c = 2.0 in o"])
@pytest.mark.parametrize("make", [lambda: iter([1.0, 2.0, 3.0]), lambda: [1.0, 2.0, 3.0], lambda: {1.0: 0, 2.0: 0}])
def test_what_is_searched_may_be_an_iterator(body: str, make: Callable[[], Any]) -> None:
    """Searching takes its items: it is done once."""
    space = sourced(f"{SETUP}def f(x, o):\n    y = x * 2.0\n    {body}\n    for k in o:\n"
                    "        y = y * k\n    return y\n")
    judge(space["f"], lambda: (make(),), refused=False)


# Methods by the names of those of arrays and dicts, of what nothing tells the class of: they are called as often as the
# function calls them.
NAMED = {
    "unused": "a = m.count(1)\n    m.mean()", "twice": "x = x * m.mean() + x * m.mean()",
    "order": "a = m.count(1)\n    b = m.get(2)\n    c = m.count(3)\n    x = x * c + a * x * b",
    "in_loop": "for i in range(3):\n        x = x * m.count(1)",
    "bound": "for i in range(int(m.count(2))):\n        x = x * x * m.mean()",
    "bounds": "for i in range(int(m.count(1)), int(m.count(2))):\n        x = x * x",
    "while": "while m.count(1) < 4:\n        x = x * x", "branch": "if m.count(1) > 5:\n        pass",
    "branches": "for i in range(3):\n        x = x * x if m.count(1) % 2 else x * 3.0",
    "items": "for o in [m, m]:\n        o.count(1)", "item": "ms = (m, m)\n    a = ms[0].count(1)",
    "alias": "o = m\n    o.count(2)", "either": "o = m if x > 0 else None\n    a = o.count(1)",
    "helper": "told(m)\n    a = told(m)", "inner": "def g():\n        return m.count(1)\n    g()\n    a = g()",
    "lambda": "g = lambda: m.count(1)\n    a = g()",
    "comprehension": "a = [m.count(1) for _ in range(3)]", "display": "a = (m.count(1), {'a': m.count(2)})",
    "augmented": "a = 0.0\n    a += m.count(1)", "chain": "m.copy().mean()\n    a = m.copy()",
    "expressions": ("a = abs(m.count(1))\n    b = np.sin(m.count(2))\n    c = f'{m.count(1)}'\n"
                    "    d = m.count(1) > 2 and m.count(3) > 1"),
    "index": "y = np.array([x, x * 2.0, x * 3.0])\n    i = int(m.count(1))\n    x = y[i] * y[int(m.count(1))] * y[i]",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("held", ["m", "o.m", "o.d['m']"])
@pytest.mark.parametrize("name", NAMED)
def test_methods_by_the_names_of_arrays_are_called(name: str, held: str) -> None:
    body = NAMED[name] if held == "m" else "m = " + held + "\n    " + NAMED[name]
    space = sourced(f"{SETUP}def f(x, {'m' if held == 'm' else 'o'}):\n    {body}\n    return x * m.mean()\n")
    judge(space["f"], lambda: (space["Named" if held == "m" else "Holding"](),),
          refused=name in ("items", "item", "alias", "either"))


def test_a_bound_that_is_asked_for_is_asked_once() -> None:
    space = sourced("def f(x, settings):\n    for i in range(settings.get('n')):\n        x = x * x\n    return x\n")
    df = tnb.grad(space["f"])
    assert df(2.0, {"n": 3}) == 1024.0
    assert tnb.source(df).count("settings.get") == 1
