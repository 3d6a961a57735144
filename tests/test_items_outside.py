"""Items of dicts and lists from outside that functions store, and read again.

Each program is derived in every way, compared with differences, and what is left with what the function leaves."""
from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced
from test_arrays_outside import D, V, indented
from test_arrays_outside import state as arrays_state
from test_stored_outside import ATTRIBUTES, Programs, judge

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(8)

ASKED = {
    "a test of an item": "if p[k] > 1.0: y = y * np.sin(x)\n    cache['z'] = x * 1.0",
    "a key that is there later": "if 'w' in p: y = y * np.sin(x)\n    cache['w'] = x * 1.0",
    "a dict that is not empty": "if not p: y = y * np.sin(x)\n    cache['w'] = x * 1.0",
    "what is gone over": "for v in q: y = y * np.cos(x) * v\n    log.append(x)",
    "a test of the last item": "if q[-1] > 0.9: y = y * np.sin(x)\n    log.append(x)",
    "how many there are": "for i in range(len(q)): y = y * np.cos(x) * q[i]\n    log.append(x)",
    "as many as an item says": "for i in range(int(p[k])): y = y * np.cos(x)\n    cache['z'] = 1.0 * x",
    "how many keys there are": "for i in range(len(p) + 1): y = y * np.cos(x)\n    cache['w'] = 1.0 * x",
    "a loop that makes it longer": "n = 0\n    "
                                   "while len(q) < 3 and n < 9: y = y * np.cos(x); n += 1; log.append(x * 1.0)",
    "by what it calls": "for i in range(len(q)): y = y * np.cos(x)\n    y = put(y)",
}


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("name", ASKED)
def test_the_backward_sweep_asks_nothing_of_what_has_got_items_since(name: str, raw: bool) -> None:
    text = "import numpy as np\ndef put(v): log.append(v); return v\ndef f(x, p, q, k):\n    y = x\n" \
        f"    {ASKED[name]}\n" \
        "    return y * x\n"
    cache: dict[str, Any] = {}
    log: list[Any] = []
    f = sourced(text, {"cache": cache, "log": log}, f"<asked {name} {raw}>")["f"]

    def anew(g: Any, x: Any) -> Any:
        cache.clear()
        cache["z"], log[:] = 2.0, [1.0]
        return g(x, cache, log, "z")

    slope = (anew(f, 0.7 + 1e-6) - anew(f, 0.7 - 1e-6)) / 2e-6
    assert anew(tnb.grad(f, "x", optimized=not raw), 0.7) == pytest.approx(slope, rel=1e-6)


class Empty:
    pass


class Items(Programs):
    """The same with items of dicts, of which two may be one, and attributes and items that may be missing."""

    def attribute(self) -> str:
        o = self.random.choice(self.objects)
        return self.random.choice([
            super().attribute(), f"{o}.{self.random.choice('de')}['{self.random.choice('uv')}']",
            f"TABLE['{self.random.choice('uv')}']", f"{o}.deep['in']['u']", f"{o}.parts[{self.random.randrange(2)}].p"])

    def value(self, depth: int = 0) -> str:
        o = self.random.choice(self.objects)
        if self.random.random() < 0.12:
            return self.random.choice([
                f"getattr({o}, 'late', 0.5)", f"{o}.d.get('w', 0.4)", f"{o}.late", f"{o}.e['w']", f"({o}.d['u'] * x)",
                f"look_up({o}.d)", f"sum({o}.e.values())", f"TABLE[{self.random.choice(['key', 'keys[0]'])}]"])
        return super().value(depth)

    def block(self, indent: str, depth: int = 0) -> list[str]:
        found = super().block("", depth)
        o, value = self.random.choice(self.objects), self.value(2)
        more = self.random.choice([
            [], [], [], [f"if not hasattr({o}, 'late'):", f"    {o}.late = {value}"], [f"{o}.late = {value}"],
            [f"if 'w' not in {o}.d:", f"    {o}.d['w'] = {value}"], [f"{o}.d['w'] = {value}"],
            [f"{o}.late = getattr({o}, 'late', 0.2) + {value}"], [f"if {o}.d['u'] > 0.3:", f"    z = z * {value}"],
            ["try:", f"    y = {o}.late * {value}", "except AttributeError:", f"    {o}.late = {value}"],
            ["try:", f"    z = {o}.d['w'] + {value}", "except KeyError:", f"    {o}.d['w'] = {value}"],
            [f"for i9 in range(len({o}.d)):", f"    y = y * {value}"],
            [f"if 'w' in {o}.e:", f"    y = y * {value}"],
            [f"{o}.e['u'], {o}.p = {o}.p, {value}"], [f"{o}.n += len(TABLE)"], [f"TABLE['w'] = {value}"]])
        place = self.random.randrange(len(found) + 1)
        while place < len(found) and found[place].startswith(" "):
            place += 1
        return [indent + line for line in [*found[:place], *more, *found[place:]]]

    def text(self) -> str:
        dicts = self.random.choice(["self.e = {'u': 0.9, 'v': 0.2}", "self.e = self.d", "self.e = TABLE"])
        parts = self.random.choice(["[Part(), Part()]", "[Part()] * 2"])
        made = super().text().replace(
            "def __init__(self): self.p, self.q, self.r, self.n = 0.3, 0.7, 1.1, 0\n",
            "def __init__(self):\n        self.p, self.q, self.r, self.n = 0.3, 0.7, 1.1, 0\n"
            f"        self.d = {{'u': 0.6, 'v': 0.8}}\n        {dicts}\n"
            f"        self.deep, self.parts = {{'in': self.d}}, {parts}\n")
        once = self.random.choice(ATTRIBUTES)
        before = "class Part:\n    p = 0.4\nTABLE = {'u': 0.5, 'v': 1.2}\nclass Thing:"
        return made.replace("class Thing:", before).replace(
            "def again(): shared.__init__()", "def again():\n    TABLE.clear()\n    TABLE.update(u=0.5, v=1.2)\n"
            "    vars(shared).clear()\n    shared.__init__()\nkey, keys = 'u', ['v']\n"
            f"def look_up(d): return d['u'] * {self.random.choice(['2.0', 'd[key]', f'shared.{once}'])}")


class Lists(Programs):
    """The same with lists, of which two may be one, that are changed and read."""

    def value(self, depth: int = 0) -> str:
        o, part = self.random.choice(self.objects), self.random.choice(["log", "seen", "hist['l']"])
        if self.random.random() < 0.15:
            return self.random.choice([
                f"{o}.{part}[-1]", f"{o}.{part}[0]", f"sum({o}.{part})", f"len({o}.{part})", f"np.sin({o}.{part}[-1])",
                f"last({o})", f"sum([v * 0.5 for v in {o}.{part}])", "LOG[-1]", "LOG[place]"])
        return super().value(depth)

    def block(self, indent: str, depth: int = 0) -> list[str]:
        found = super().block("", depth)
        for _ in range(2):
            o, value = self.random.choice(self.objects), self.value(2)
            of = self.random.choice([f"{o}.log", f"{o}.log", f"{o}.seen", f"{o}.hist['l']", "LOG"])
            more = self.random.choice([
                [], [f"{of}.append({value})"], [f"{of}.append({value})"], [f"{of}.extend([x, {value}])"],
                [f"{of} += [{value}]"], [f"{of}.insert(0, {value})"], [f"y = {of}.pop() * {value}"],
                [f"{of}.append({of}.pop() + {value})"], [f"{of}.clear()", f"{of}.append({value})"],
                [f"{of}[0] = {value}"], [f"if len({of}) > 2:", f"    {of}.pop(0)"],
                [f"for h9 in {of}:", "    z = z + h9"],
                [f"h8 = {of}", f"h8.append({value})"], [f"{o}.push({value})"], [f"del {of}[0]", f"{of}.append(x)"]])
            place = self.random.randrange(len(found) + 1)
            while place < len(found) and found[place].startswith((" ", "else", "except")):
                place += 1
            found[place:place] = more
        return [indent + line for line in found]

    def text(self) -> str:
        seen = self.random.choice(["[1.5]", "self.log", "LOG", "list(LOG)"])
        made = super().text().replace(
            "def __init__(self): self.p", "def __init__(self):\n        self.log = [0.3, 0.6]\n"
            f"        self.seen = {seen}\n"
            "        self.hist = {'l': [0.2, 0.9]}\n        self.p", 1)
        made = made.replace("class Thing:", "LOG = [0.7, 1.4]\nplace = 0\nclass Thing:\n"
                            f"    def push(self, v): self.{self.random.choice(['log', 'seen'])}.append(v)", 1)
        return made.replace("def again():", f"def last(o): return o.{self.random.choice(['log', 'seen'])}[-1]\n"
                            "def again():\n    LOG[:] = [0.7, 1.4]\n    vars(shared).clear()\n   ", 1)


@pytest.mark.parametrize("seed", [pytest.param(k, marks=[pytest.mark.sampled(32)] * (k >= 12)) for k in range(400)])
def test_random_programs_with_items_are_right_or_refused(seed: int) -> None:
    judge(Items(seed), f"items {seed}")


@pytest.mark.parametrize("seed", [pytest.param(k, marks=[pytest.mark.sampled(32)] * (k >= 12)) for k in range(400)])
def test_random_programs_with_lists_are_right_or_refused(seed: int) -> None:
    judge(Lists(seed), f"lists {seed}")


OBJECT = """
import numpy as np

class Net:
    def __init__(self):
        self.params = {"W": np.array([0.5, -0.3, 0.2]), "b": np.ones(3), "s": 0.5}
        self.state, self.cache, self.deep = {"h": np.zeros(3), "n": 0}, {}, {"in": {"W": np.ones(3)}}
        self.layers = [{"W": np.ones(3), "out": 0.0}, {"W": 2.0 * np.ones(3), "out": 0.0}]
        self.log, self.hist, self.stack, self.gains = [], {"loss": [1.0], "w": []}, [np.ones(3)], [0.5, 0.25]
        self.same, self.alike, self.n = self.params, self.log, 0

    def forward(self, x):
        self.cache["x"] = x
        self.cache["z"] = x * self.params["W"]
        self.cache["a"] = np.tanh(self.cache["z"])
        return np.sum(self.cache["a"])

    def backward(self, g):
        return g * (1 - self.cache["a"] ** 2) * self.params["W"] * self.cache["x"]

    def push(self, v):
        self.stack.append(v)

    def add(self):
        self.stack.append(self.stack.pop() + self.stack.pop())

    def mean(self):
        return sum(self.log) / len(self.log)

    def total(self):
        return sum(np.sum(v) for v in self.params.values())

    def last(self):
        return self.log[-1]

def halve(p, x):
    p["s"] = p["s"] * np.sum(x) / 2
    return p["s"] * x

def put(items, x):
    items.append(x)
    return items[-1] * 2

def last_of(o):
    return o.log[-1]

net, TABLE = Net(), {"k": 0.5}

def f(x):
BODY
"""
RIGHT = {
    "an item": "net.params['W'] = x * 2; return np.sum(net.params['W'] * x)",
    "a state": "for i in range(3):\n    net.state['h'] = np.tanh(net.state['h'] + x)\n    net.state['n'] += 1\n"
               "return np.sum(net.state['h'] ** 2) * net.state['n']",
    "a cache": "loss = net.forward(x); return loss * np.sum(net.backward(1.0))",
    "an array that changes": "net.params['W'] += x; net.params['b'][0] = x[1]; return np.sum(net.params['W'] * "
                             "net.params['b'])",
    "filled": "net.params['b'].fill(x[0]); net.params['b'] += x\n"
              "return np.sum(net.params['b'] * x)",
    "copied and sorted": "np.copyto(net.params['b'], x); net.params['b'][1:].fill(2.0); net.params['b'].sort()\n"
                         "return net.params['b'][0] ** 2 * x[1]",
    "out": "np.multiply(net.params['W'], x, out=net.params['W']); return np.sum(net.params['W'] * x)",
    "a global dict": "TABLE['k'] = TABLE['k'] * np.sum(x); return TABLE['k'] * x[0]",
    "a parameter": "y = halve(net.params, x); return np.sum(y) * net.params['s']",
    "a dict in a dict": "net.deep['in']['W'] = net.deep['in']['W'] * x; return np.sum(net.deep['in']['W'] * x)",
    "dicts in a list": "net.layers[0]['out'] = np.tanh(x)\nnet.layers[1]['out'] = net.layers[0]['out'] * "
                       "net.layers[1]['W']\nreturn np.sum(net.layers[1]['out'])",
    "another name": "c = net.cache; c['z'] = x * 2; return np.sum(c['z'] * net.cache['z'])",
    "a new dict": "net.cache = {}; net.cache['z'] = x * 2; net.cache['y'] = net.cache['z'] * x\n"
                  "return np.sum(net.cache['y'])",
    "a list in a new dict": "net.cache = {}; net.cache['z'] = [x]; net.cache['z'].append(x * 3)\n"
                            "return np.sum(net.cache['z'][1] * x)",
    "a key that may be missing":
        "for i in range(3):\n    if 'z' in net.cache:\n        net.cache['z'] = net.cache['z'] * x\n"
                                 "    else:\n        net.cache['z'] = x\nreturn np.sum(net.cache['z'])",
    "get": "net.cache['m'] = 0.9 * net.cache.get('m', 0.0) + x; return np.sum(net.cache['m'] * x)",
    "a KeyError": "for i in range(2):\n    try:\n        y = net.cache['z'] * x\n    except KeyError:\n"
                  "        y = net.cache['z'] = np.sin(x)\nreturn np.sum(y * net.cache['z'])",
    "an AttributeError":
        "try:\n    net.late += x\nexcept AttributeError:\n    net.late = x * 1.0\nreturn np.sum(net.late * x)",
    "hasattr":
        "for i in range(2):\n    if not hasattr(net, 'late'):\n        net.late = 0.0\n    net.late += np.sum(x)\n"
               "return net.late * x[0]",
    "getattr": "net.late = getattr(net, 'late', 0.5) * np.sum(x)\nnet.count = getattr(net, 'count', 0) + 1\n"
               "return net.late * net.count",
    "a list that is read": "net.log.append(x); net.log.append(x * x); return np.sum(net.mean() * net.log[-1])",
    "a list that is popped":
        "net.push(x); net.push(x * 2); net.add(); y = net.stack.pop(); return np.sum(y * net.stack[-1] * x)",
    "a list that gets several": "net.gains.extend(x); net.gains += [x[0]]; return sum(v * (i + 1) for i, v in "
                                "enumerate(net.gains))",
    "a list that gets what is computed":
        "net.gains.extend([v * 2 for v in x]); return np.sum(np.array(net.gains) ** 2)",
    "a window":
        "for i in range(5):\n    net.log.append(np.sin(x * i))\n    if len(net.log) > 3:\n        net.log.pop(0)\n"
                "return np.sum(sum(net.log) * x)",
    "in front, and an item":
        "net.gains.insert(0, x[0]); net.gains.insert(2, x[1]); net.gains[1] = x[2]; del net.gains[-1]\n"
                             "return net.gains[0] * net.gains[1] * net.gains[2]",
    "cleared": "net.log.append(x); net.log.clear(); net.log.append(x * 2); return np.sum(net.log[0]) * len(net.log)",
    "lists in a dict": "for i in range(3):\n    net.hist['loss'].append(np.sum(x) * i); net.hist['w'].append(x * i)\n"
                       "return np.sum(net.hist['w'][-1]) * net.hist['loss'][0] * net.hist['loss'][-1]",
    "a list that is given": "return np.sum(put(net.log, x) * net.log[-1])",
    "a list in a try": "try:\n    net.log.append(x)\n    if x[0] > 0:\n        raise ValueError\nexcept ValueError:\n"
                       "    net.log.append(x * 3)\nreturn np.sum(sum(net.log) * x)",
    "a missing item that one branch reads, in a try":
        "try:\n    y = x * net.cache['q'] if 'q' in net.cache else x * x\n    net.cache['q'] = y\nexcept KeyError:\n"
        "    net.cache['q'] = x * 3\nreturn np.sum(net.cache['q'] * x)",
    "a missing item that is asked for, in a try":
        "try:\n    n = 3\n    y = net.cache.get('q', 2.0) * x\n    net.cache['q'] = net.cache['q'] * y\n"
        "except KeyError:\n    net.cache['q'] = y * n\nreturn np.sum(net.cache['q'] * x)",
    "a missing item behind `and`, in a try":
        "try:\n    net.cache['q'] = x if 'q' in net.cache and net.cache['q'] > 0 else x * x\nexcept KeyError:\n"
        "    net.cache['q'] = x * 3\nreturn np.sum(net.cache['q'] * x)",
    "a list that empties":
        "net.gains.append(x[0]); s = 0.0\nwhile net.gains:\n    s = s + net.gains.pop() * x[1]\nreturn s",
}
NOT_WRONG = {
    "two names of a dict": "net.params['s'] = np.sum(x); return net.same['s'] * x[0]",
    "an array that is an attribute too": "net.own = net.params['W']; net.params['W'] += x; return np.sum(net.own * x)",
    "who goes over it": "net.params['s'] = np.sum(x); return net.total()",
    "a key that is not written down":
        "net.params['W'] = x * 3\nfor k in ('W',):\n    y = net.params[k]\nreturn np.sum(y)",
    "the dict itself": "net.cache['z'] = x * 2; d = dict(net.cache); return np.sum(d['z'])",
    "it is gone": "net.cache['z'] = x * 2; y = net.cache.pop('z'); return np.sum(y * x)",
    "in a lambda": "net.cache['z'] = x; g = lambda t: t * net.cache['z']; return np.sum(g(x))",
    "two names of a list": "net.log.append(x); net.alike.append(x * 2); return np.sum(net.log[-1])",
    "the other name of a list": "net.log.append(x); return np.sum(net.alike[-1] * x)",
    "is it the other one":
        "net.log.append(x)\nif net.log is net.alike:\n    return np.sum(net.log[-1])\nreturn np.sum(x * x)",
    "who reads the list": "net.log.append(x); return np.sum(last_of(net) * x)",
    "an array that is in a list": "y = net.stack[0]; y += x; net.stack.append(x); return np.sum(net.stack[0] * x)",
    "an array that changes in a list": "v = x * 2; net.log.append(v); v[0] = 9.0; return np.sum(net.log[-1] * x)",
    "a list that is another name": "h = net.log\nif x[0] > 0:\n    h = net.gains\nh.append(x[0]); return net.gains[-1]",
    "a list twice": "net.gains.extend(net.gains); net.gains.append(x[0]); return sum(net.gains) * net.gains[-1]",
    "in another order": "net.gains.append(x[0]); net.gains.reverse(); return net.gains[0] * x[1]",
}


def judged(body: str, refused: bool) -> None:
    """Derive, and compare the derivative and what is left with those of the function."""
    space = sourced(OBJECT.replace("BODY", indented(body, "    ")), {"__name__": "items"}, f"<items {body}>")
    f, net, table = space["f"], space["net"], space["TABLE"]

    def anew(g: Any, *args: Any, **keywords: Any) -> Any:
        vars(net).clear()
        net.__init__()
        table["k"] = 0.5
        held = [net.params, net.params["W"], net.log, net.hist["loss"], net.deep["in"], net.stack[0]]
        value = g(*args, **keywords)
        return value, arrays_state(net, table, *held)

    slope = (anew(f, V + 1e-6 * D)[0] - anew(f, V - 1e-6 * D)[0]) / 2e-6
    value, left = anew(f, V.copy())
    ways = {
        "grad": lambda: anew(tnb.grad(f), V.copy()), "raw": lambda: anew(tnb.grad(f, optimized=False), V.copy()),
        "like": lambda: anew(tnb.grad(f, like=(V,)), V.copy()), "jvp": lambda: anew(tnb.jvp(f), V.copy(), dx=D),
        "vjp": lambda: anew(tnb.vjp(f), V.copy(), 1.0), "value": lambda: anew(tnb.value_and_grad(f), V.copy())}
    for way, derived in ways.items():
        try:
            found, after = derived()
        except TangentError:
            assert refused, way
            continue
        if way == "value":
            got, found = found
            assert got == pytest.approx(value)
        assert found if way == "jvp" else found @ D == pytest.approx(slope, rel=1e-5, abs=1e-7), way
        assert after == left, way
    try:
        second, after = anew(tnb.jvp(tnb.grad(f)), V.copy(), dx=D)
    except TangentError:
        return
    near = [anew(tnb.grad(f), V + h * D)[0] for h in (1e-5, -1e-5)]
    assert second == pytest.approx((near[0] - near[1]) / 2e-5, rel=1e-4, abs=1e-6)
    assert after == left


@pytest.mark.parametrize("name", RIGHT)
def test_items_are_stored_and_read_again(name: str) -> None:
    judged(RIGHT[name], refused=False)


@pytest.mark.parametrize("name", NOT_WRONG)
def test_what_may_be_another_name_of_it_is_right_or_refused(name: str) -> None:
    judged(NOT_WRONG[name], refused=True)


@pytest.mark.parametrize("how", ["grad", "jvp"])
@pytest.mark.parametrize("body", ["n = cache.get('k', 1)\n    cache['k'] += 1",
                                  "n = x if 'k' not in cache else 1\n    cache['k'] = cache['k'] * x",
                                  "n = hasattr(cache, 'k')\n    cache.k += 1"])
def test_what_is_missing_and_read_raises_what_python_raises(body: str, how: str) -> None:
    f = sourced(f"def f(x):\n    {body}\n    return x * n\n", {"cache": Empty() if "hasattr" in body else {}},
                f"<missing {body}>")["f"]
    with pytest.raises((KeyError, AttributeError)) as raised:
        f(0.7)
    with pytest.raises(raised.type):
        tnb.grad(f)(0.7) if how == "grad" else tnb.jvp(f)(0.7, dx=1.0)


def test_an_item_that_a_dict_makes_where_it_is_read_is_refused() -> None:
    space = sourced("def f(x):\n    try:\n        cache['k'] += x\n    except KeyError:\n        cache['k'] = x ** 3\n"
                    "    return x * cache['k']\n", {"cache": defaultdict(float)}, "<missing made>")
    with pytest.raises(TangentError, match="would make it"):
        tnb.grad(space["f"])(0.7)
