"""What a text means by names outside is asked when the derivative runs: where one of them has come to mean another
object, the derivative is that of the program as it is now, or refused."""
from __future__ import annotations

import functools
import itertools
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

POINT = np.array([0.3, 0.7, 1.1])
BEFORE = """\
import types
class Scale:
    k = 2.0
    def __init__(self, w): self.w = w
    def __call__(self, t): return self.w * t
    def act(self, t): return self.w * np.tanh(t)
class Square:
    k = 3.0
    def __init__(self, w): self.w = w
    def __call__(self, t): return self.w * t * t
    def act(self, t): return self.w * np.sin(t)
class Box: pass
def cube(t): return t * t * t
def exp(t): return np.exp(t)
one = types.ModuleType("one"); one.act = np.tanh; one.own = cube; one.exp = np.exp
two = types.ModuleType("two"); two.act = np.sin; two.own = exp; two.exp = np.cos
"""
VALUES = {                                                 # what is held at first, and then, and how it is used
    "row": ("np.tanh", "np.sin", "{}(x)"),
    "function": ("cube", "exp", "{}(x)"),
    "lambda": ("lambda t: t * 2.0", "lambda t: t * t", "{}(x)"),
    "class": ("Scale", "Square", "{}(2.0)(x)"),
    "class attribute": ("Scale", "Square", "{}.k * x"),
    "class method": ("Scale", "Square", "{}(3.0).act(x)"),
    "object": ("Scale(2.0)", "Square(3.0)", "{}(x)"),
    "object of the class": ("Scale(2.0)", "Scale(3.0)", "{}(x)"),
    "method": ("Scale(2.0).act", "Square(3.0).act", "{}(x)"),
    "method of the class": ("Scale(2.0).act", "Scale(3.0).act", "{}(x)"),
    "partial": ("functools.partial(np.power, 2.0)", "functools.partial(np.power, 3.0)", "{}(x)"),
    "partial of a lambda": ("functools.partial(lambda a, t: a * t, 2.0)",
                            "functools.partial(lambda a, t: a + t * t, 3.0)", "{}(x)"),
    "cache": ("functools.lru_cache(lambda k: k)", "functools.lru_cache(lambda k: k * 2.0)", "{}(2.0) * x"),
    "module": ("one", "two", "{}.act(x)"),
    "module with functions": ("one", "two", "{}.own(x)"),
    "library": ("np", "two", "{}.exp(x)"),
    "number": ("2.0", "3.0", "{} * x"),
    "array": ("np.ones(3)", "np.arange(3.0)", "{} * x"),
    "exponent": ("2", "3", "x ** {}"),
    "text": ("'i,i->i'", "'i,j->i'", "np.einsum({}, x, x)"),
    "name": ("'tanh'", "'sin'", "getattr(np, {})(x)"),
    "list": ("[np.tanh, cube]", "[np.sin, cube, cube]", "sum([v(x) for v in {}])"),
    "list of numbers": ("[1.0, 2.0]", "[3.0]", "sum([v * x for v in {}])"),
    "dict": ("{'a': np.tanh}", "{'a': np.sin}", "{}['a'](x)"),
    "dict of numbers": ("{'a': 2.0}", "{'b': 3.0, 'a': 5.0}", "sum([{}[k] * x for k in {}])"),
    "None": ("None", "2.0", "(x if {} is None else {} * x)"),
    "bool": ("True", "False", "(x if {} else x * x)"),
    "tuple": ("(2, 3)", "(3,)", "sum([x ** n for n in {}])"),
    "dtype": ("float", "int", "np.asarray(x, {}) * x"),
    "number, and array": ("2.0", "np.arange(3.0)", "x[0] * {}"),
    "index": ("None", "np.array([0, 0, 2])", "x[{}] ** 2"),
    "shift": ("1", "np.array([True])", "np.roll(x, {}) * x * x"),
    "derivative": ("tnb.grad(lambda t: t ** 3)", "tnb.grad(lambda t: t ** 4)", "{}(x[0]) * x"),
}
PLACES: dict[str, tuple[str, str, str]] = {                # what is made first, how it is read, how it gets another
    "global": ("held = {}\n", "held", "held = {}"),
    "cell": ("", "held", ""),
    "attribute": ("box = Box(); box.a = {}\n", "box.a", "box.a = {}"),
    "class": ("class K: pass\nK.a = {0}\nif isinstance(K.a, types.FunctionType): K.a = staticmethod(K.a)\n", "K.a",
              "K.a = {0}\n    if isinstance(K.a, types.FunctionType): K.a = staticmethod(K.a)"),
    "module": ("m = types.ModuleType('m'); m.a = {}\n", "m.a", "m.a = {}"),
    "dict": ("d = {{'a': {}}}\n", "d['a']", "d['a'] = {}"),
    "list": ("l = [{}]\n", "l[0]", "l[0] = {}"),
    "object in an object": ("o = Box(); o.i = Box(); o.i.a = {}\n", "o.i.a", "o.i.a = {}"),
    "another object": ("o = Box(); o.i = Box(); o.i.a = {}\n", "o.i.a", "n = Box(); n.a = {}; o.i = n"),
}
KEPT = "class Kept:\n    def __init__(self, q): self.q = q\n    def run(self, x):\n"
USES = {                                                   # use: by the path; of q, of self.q: by these
    "here": "def f(x):\n    return np.sum(USE)\n",
    "named": "def f(x):\n    q = READ\n    return np.sum(OF_Q)\n",
    "given": "def g(x, q): return np.sum(OF_Q)\ndef f(x):\n    return g(x, READ)\n",
    "given in a loop": "def g(x, *, q): return np.sum(OF_Q)\ndef f(x):\n    y = x\n"
                       "    for i in range(2): y = y + g(x, q=READ)\n    return np.sum(y)\n",
    "in a helper": "def g(x): return np.sum(USE)\ndef f(x):\n    return g(x) + 0.0\n",
    "in a helper in a loop": "def g(x): return np.sum(USE)\ndef f(x):\n    y = x\n"
                             "    for i in range(2): y = y * g(x)\n    return np.sum(y)\n",
    "kept": KEPT + "        q = self.q\n        return np.sum(OF_Q)\ndef f(x):\n    return Kept(READ).run(x)\n",
    "kept by name": KEPT + "        return np.sum(OF_SELF)\ndef f(x):\n    k = Kept(READ)\n    return k.run(x)\n",
    "closure": "def f(x):\n    q = READ\n    def g(x): return np.sum(OF_Q)\n    return g(x)\n",
    "displayed": "def f(x):\n    t = (READ, 1.0)\n    q = t[0]\n    return np.sum(OF_Q)\n",
}


def program(value: str, place: str, use: str) -> str:
    """The text: `f` uses what is held, and `again` holds another."""
    first, second, used = VALUES[value]
    made, read, again = PLACES[place]
    body = USES[use].replace("OF_SELF", used.replace("{}", "self.q")).replace("OF_Q", used.replace("{}", "q"))
    body = body.replace("USE", used.replace("{}", read)).replace("READ", read)
    if place != "cell":
        return f"{BEFORE}{made.format(first)}{body}def again():\n    global held, l, d, o\n    {again.format(second)}\n"
    inner = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{BEFORE}def outer():\n    held = {first}\n{inner}    def again():\n        nonlocal held\n" \
           f"        held = {second}\n    return f, again\nf, again = outer()\n"


def slopes(f: Callable[..., Any], h: float = 1e-6) -> Any:
    steps = np.eye(3) * h
    return np.array([(f(POINT + step) - f(POINT - step)) / (2.0 * h) for step in steps])


@pytest.mark.sampled(48)
@pytest.mark.parametrize("value, place, use", [*itertools.product(VALUES, PLACES, USES)])
def test_what_a_name_outside_means_now(value: str, place: str, use: str) -> None:
    made = sourced(program(value, place, use), {"np": np, "tnb": tnb, "functools": functools, "__name__": "cell"})
    f: Callable[..., Any] = made["f"]
    modes: list[Callable[..., Any]] = []
    for make in (tnb.grad, functools.partial(tnb.grad, optimized=False), tnb.value_and_grad,
                 functools.partial(tnb.grad, like=(POINT,))):
        try:
            modes.append(make(f))
        except TangentError:
            return                                         # whatever it may mean
    push = tnb.jvp(f)

    def check(*, refused: bool) -> None:
        due = slopes(f)
        for mode in modes:
            try:
                found = mode(POINT.copy())
            except TangentError as error:
                assert refused, error
                continue
            number, gradient = found if isinstance(found, tuple) else (f(POINT), found)
            np.testing.assert_allclose(number, f(POINT))
            np.testing.assert_allclose(gradient, due, rtol=1e-5, atol=1e-5)
        try:
            np.testing.assert_allclose(push(POINT.copy(), np.ones(3)), np.sum(due), rtol=1e-5, atol=1e-5)
        except TangentError as error:
            assert refused, error

    check(refused=value in ("list", "dict", "derivative", "partial", "cache") or place in ("dict", "list"))
    made["again"]()
    check(refused=True)
