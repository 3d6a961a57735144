"""Calls of what is known only when it runs: right or refused, whatever is called,
wherever it is held and wherever the call stands.

Each program is judged in both modes, with the passes and without them, against differences.
A refusal is as good as the right number.
"""
from __future__ import annotations

import collections
import dataclasses
import functools
import operator
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

# What is changed, by which method, and how it is read afterwards.
CHANGED = {
    "append": ("L = []", "L.append", "v", "L[0]"), "insert": ("L = [1.0]", "L.insert", "0, v", "L[0]"),
    "setdefault": ("L = {}", "L.setdefault", "'a', v", "L['a']"),
    "update": ("L = {'a': 1.0}", "L.update", "a=v", "L['a']"),
    "setitem": ("L = {'a': 1.0}", "L.__setitem__", "'a', v", "L['a']"), "add": ("L = set()", "L.add", "v", "max(L)"),
    "deque": ("L = collections.deque()", "L.appendleft", "v", "L[0]"),
    "reverse": ("L = [x, v]", "L.reverse", "", "L[0]"),
    "put": ("L = np.ones(3)", "L.put", "0, v", "L[0]"), "fill": ("L = x * np.ones(3)", "L.fill", "5.0", "L[0]"),
    "array_item": ("L = np.ones(3)", "L.__setitem__", "0, v", "L[0]"),
    "object": ("L = Total()", "L.add", "v", "L.total"),
    "argument": ("", "given.add", "v", "given.total"), "getattr": ("L = []", "getattr(L, 'append')", "v", "L[0]")}

# How the method is held, and how it is called.
HELD = {
    "name": ("held = {method}", "held"), "list": ("held = [{method}]", "held[0]"),
    "tuple": ("held = (1.0, {method})", "held[1]"), "dict": ("held = {{'do': {method}}}", "held['do']"),
    "field": ("held = Box({method})", "held.do"), "named": ("held = Named({method})", "held.do"),
    "choice": ("held = {method} if x > 0.0 else None", "held"), "or": ("held = None or {method}", "held"),
    "default": ("def held(*a, do={method}, **k):\n    return do(*a, **k)", "held"),
    "closure": ("do = {method}\ndef held(*a, **k):\n    return do(*a, **k)", "held"),
    "partial": ("held = functools.partial({method})", "held"), "passed": ("", "passed({method})")}

# Where the call stands.
PLACES = {
    "statement": "{call}", "assigned": "n = {call}", "test": "if {call} is None:\n    x = x * 1.0",
    "attempt": "try:\n    {call}\nexcept ValueError:\n    pass", "loop": "for i in range(1):\n    {call}",
    "compared": "same = {call} == 3", "display": "pair = ({call}, 2)", "items": "n = [{call} for i in range(1)]"}

# A call of a function or a method, which comes as an argument and changes what is read afterwards.
UNKNOWN = {
    "method": "n = env.step(x)", "compared": "done = env.step(x) > 3", "branch": "if env.step(x) > 3:\n    x = x * 2.0",
    "assert": "assert env.step(x) == 1", "text": "s = f'{env.step(x)}'", "display": "pair = (env.step(x), 2)",
    "in": "s = env.step(x) in (1, 2)", "and": "s = x > 0.0 and env.step(x)",
    "default": "def g(t, k=env.step(x)):\n    return t * k", "range": "for i in range(env.step(x)):\n    pass",
    "while": "while env.step(x) < 1:\n    pass", "int": "n = int(env.step(x))", "slice": "n = np.ones(3)[:env.step(x)]",
    "shape": "n = np.zeros(env.step(x))", "chain": "s = 0 < env.step(x) < 3",
    "key": "n = sorted([x, 2.0], key=env.step)", "max": "n = max([x, 2.0], key=env.step)",
    "map": "n = list(map(env.step, [x]))", "any": "n = any(env.step(v) for v in [x])",
    "held": "step = env.step\nn = step(x) > 3", "getattr": "n = getattr(env, 'step')(x)",
    "table": "n = {'a': env.step}['a'](x) > 3", "function": "n = store(env, x)",
    "function_compared": "done = store(env, x) > 3", "choice": "n = (store if x > 0.0 else nothing)(env, x)",
    "loop": "for one in (store, nothing):\n    n = one(env, x)", "list": "for one in [env]:\n    n = one.step(x)",
    "optional": "one = env if x > 0.0 else None\nn = one.step(x)", "global": "n = STORES[name](env, x)",
    "closure": "n = remembers(x) > 3",
    "returned": "y = stores_and_returns(env, x)\nx = y * 1.0", "constant": "step = env.step\nstep(2.0)"}

# A method of an object of the user's own, with the name of one of arrays, lists or dicts.
NAMED_AS_OTHERS = {
    "dot": "y = env.dot(x)", "get": "y = env.get(x)", "get_compared": "done = env.get(x) > 3",
    "index": "n = env.index(x)", "index_constant": "n = env.index(3.0)",
    "count": "if env.count(x) > 3:\n    x = x * 2.0", "copy": "n = env.copy()", "tolist": "n = env.tolist()",
    "argsort": "n = env.argsort(x)", "values": "n = env.values()", "append": "env.append(x)"}

# A call of a function that is given nothing, and changes a variable outside, which is read before and after.
OUTSIDE = {
    "array": ("K = np.ones(2)", "K[0] += 1.0", "np.sum(K)"), "number": ("K = 1.0", "global K\nK = K + 1.0", "K"),
    "list": ("K = [1.0]", "K[0] = K[0] + 1.0", "K[0]"), "method": ("K = np.ones(2)", "K.fill(3.0)", "K"),
    "other_name": ("K = np.ones(2)", "k = K\nk[0] += 1.0", "K"),
    "view": ("K = np.ones(2)\nROW = K[1:]", "ROW[0] += 1.0", "K"),
    "ufunc": ("K = np.ones(2)", "np.add.at(K, 0, 1.0)", "K"),
    "nested": ("K = 1.0\ndef inner():\n    global K\n    K = K + 1.0", "inner()", "K"),
    "unrelated": ("K = 2.0\nLOG = []", "LOG.append(K)", "K")}

HEAD = """
@dataclasses.dataclass
class Box:
    do: object
Named = collections.namedtuple("Named", "do")
class Total:
    def __init__(self):
        self.total = 0.0
    def add(self, v):
        self.total = self.total + v
class Env:
    def __init__(self):
        self.p, self.items = 0.0, []
    def step(self, v=1.0):
        self.p = self.p + v * v
        return 1
    get = index = count = copy = tolist = argsort = values = append = step
    def dot(self, v):
        return v * v
def store(env, v):
    env.p = env.p + v * v
    return 1
def nothing(env, v):
    return 1
def stores_and_returns(env, v):
    env.p = env.p + v * v
    return v
STORES = {"store": store}
def remembering(env):
    def remembers(v):
        env.p = env.p + v * v
        return 1
    return remembers
def passed(do):
    return lambda *a, **k: do(*a, **k)
"""


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


def _loaded(body: str, parameters: str, head: str = "") -> dict[str, Any]:
    text = f"{HEAD}\n{head}\ndef f({parameters}):\n{_indented(body)}\n"
    return sourced(text, {"np": np, "collections": collections, "dataclasses": dataclasses, "functools": functools,
                          "__name__": "unknown_calls"})


def _judged(body: str, parameters: str, given: Callable[[dict[str, Any]], list[Any]], head: str = "") -> list[str]:
    """Right or refused, and which modes were refused; every run has a program and arguments of its own,
    since it changes them."""
    def value(x: float) -> float:
        space = _loaded(body, parameters, head)
        return float(space["f"](x, *given(space)))

    def tangent(f: Any, x: float, *rest: Any) -> Any:
        made = tnb.jvp(f)
        return made(x, *rest, dx=1.0) if rest else made(x, 1.0)

    h, x, refused = 1e-6, 1.3, []
    expected = (value(x + h) - value(x - h)) / (2 * h)
    for derive in (lambda f, *args: tnb.grad(f)(*args), lambda f, *args: tnb.grad(f, optimized=False)(*args), tangent,
                   lambda f, *args: tnb.value_and_grad(f)(*args)[1], lambda f, *args: tnb.pullback(f, *args)[1](1.0)):
        space = _loaded(body, parameters, head)
        try:
            found = derive(space["f"], x, *given(space))
        except TangentError as error:
            refused.append(str(error))
            continue
        np.testing.assert_allclose(np.ravel(found)[0], expected, rtol=1e-5, err_msg=body)
    return refused


# each method and each place in turn, not all with all
PAIRS = [(changed, held, list(PLACES)[(i + j) % len(PLACES)]) for i, changed in enumerate(CHANGED)
         for j, held in enumerate(HELD) if i < 2 or j < 2 or (i + j) % 2]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("changed", "held", "place"), PAIRS, ids=["-".join(one) for one in PAIRS])
def test_methods_that_are_held(changed: str, held: str, place: str) -> None:
    made, method, args, read = CHANGED[changed]
    holding, called = (text.format(method=method) for text in HELD[held])
    lines = ["v = x * x", made, holding, PLACES[place].format(call=f"{called}({args})"), f"return {read} + x"]
    _judged("\n".join(filter(None, lines)), "x, given", lambda space: [space["Total"]()])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("use", UNKNOWN)
def test_what_comes_as_an_argument(use: str) -> None:
    def given(space: dict[str, Any]) -> list[Any]:
        env = space["Env"]()
        return [env, space["store"], space["nothing"], space["stores_and_returns"], "store", space["remembering"](env)]

    _judged(f"y = env.p * x\n{UNKNOWN[use]}\nreturn y + env.p * x",
            "x, env, store, nothing, stores_and_returns, name, remembers", given)


@pytest.mark.parametrize("use", NAMED_AS_OTHERS)
def test_methods_that_are_named_as_those_of_arrays(use: str) -> None:
    _judged(f"y = env.p * x\n{NAMED_AS_OTHERS[use]}\nreturn y + env.p * x", "x, env", lambda space: [space["Env"]()])


@pytest.mark.parametrize("use", OUTSIDE)
def test_what_changes_variables_outside(use: str) -> None:
    before, change, read = OUTSIDE[use]
    head = f"{before}\ndef tick():\n{_indented(change)}"
    refused = _judged(f"y = x * {read}\ntick()\nreturn np.sum(y * {read})", "x", lambda space: [], head)
    assert not (use == "unrelated" and refused)


# What is given nothing changes what the function reads, or what a solver calls again: by a name of its own.
CHANGING = {
    "fill": ("G = np.ones(1)\nchange = G.fill", "x * G[0]", "change(5.0)"),
    "append": ("G = [1.0]\nchange = G.append", "x * G[0]", "change(5.0)"),
    "put": ("G = np.ones(3)\nchange = G[:2].put", "x * G[0]", "change(0, 5.0)"),
    "update": ("G = {'a': 1.0}\nchange = G.update", "x * G['a']", "change(a=5.0)"),
    "of_the_solved": ("k = 1.0\ndef g(t, a):\n    return a * t * k\ndef change():\n    global k\n    k = 5.0",
                      "quad(g, 0.0, 1.0, args=(x,))[0]", "change()"),
    "of_its_helper": (("G = np.ones(1)\ndef h(t):\n    return t * G[0]\ndef g(t, a):\n    return a * h(t)\n"
                       "def change():\n    G[0] = 5.0"), "quad(g, 0.0, 1.0, args=(x,))[0]", "change()")}


@pytest.mark.parametrize("name", CHANGING)
@pytest.mark.parametrize("mode", [tnb.grad, functools.partial(tnb.grad, optimized=False), tnb.value_and_grad, tnb.jvp,
                                  tnb.pullback])
def test_what_is_given_nothing_changes_what_is_read(mode: Callable[..., Any], name: str) -> None:
    quad = pytest.importorskip("scipy.integrate").quad
    made, value, change = CHANGING[name]
    f = sourced(f"{made}\ndef f(x):\n    v = {value}\n    {change}\n    return v\n", {"np": np, "quad": quad})["f"]
    with pytest.raises(TangentError, match="read here too, and again in the backward pass"):
        mode(f, *[1.2] * (mode is tnb.pullback))


def test_what_changes_nothing_that_is_read_may_be_called() -> None:
    text = "G, log = [1.0], []\nnote = log.append\ndef f(x):\n    v = x * G[0]\n    note(5.0)\n    return v\n"
    assert tnb.grad(sourced(text, {})["f"])(2.0) == 1.0


@pytest.mark.parametrize("made",
                         ["np.vectorize(lambda n: n * 2)", "operator.itemgetter(0)", "functools.partial(max, 2.0)"])
def test_objects_outside_that_are_called_are_judged_by_what_they_call(made: str) -> None:
    text = f"g = {made}\ndef f(x, n):\n    k = g(n)\n    return x * k\n"
    f = sourced(text, {"np": np, "operator": operator, "functools": functools})["f"]
    n = [3.0] if "itemgetter" in made else 3.0
    assert tnb.grad(f)(2.0, n) == f(1.0, n)
