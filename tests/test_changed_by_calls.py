"""What a call changes outside, in all the ways to reach it: by what a call gives, under other names, from containers,
through objects, partials, defaults and closures.

The function around reads the array by its name, or is given it: both are refused, at derivation or when the derivative
is called. Where another array changes, the derivative is right."""
from __future__ import annotations

import math
import sys
import types
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(2)

AROUND = """\
import contextlib, functools, operator
from collections import ChainMap, UserDict, deque
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np
A, B = np.array([1.0, 2.0]), np.array([1.0, 2.0])

def add(a): a[0] += 1.0
def given(): return A
def items(): yield A

class Holder:
    def __init__(self, k): self.k = k
    @property
    def held(self): return self.k
    @staticmethod
    def of_class(): A[0] = 3.0
    def change(self): self.k[0] = 3.0
    def __call__(self): self.k[0] = 3.0

@dataclass
class Record:
    k: object
    def change(self): self.k[0] = 3.0

class Indexed(Holder):
    def __getitem__(self, i): return 1.0

class Slotted:
    __slots__ = ("k",)
    def __init__(self, k): self.k = k
    def change(self): self.k[0] = 3.0

class Cached:
    @functools.cached_property
    def w(self):
        A[0] = 3.0
        return 2.0

class Descriptor:
    def __get__(self, owner, kind=None):
        A[0] = 3.0
        return 2.0

class Described: d = Descriptor()

class Constructed:
    def __init__(self): A[0] = 3.0

@functools.lru_cache
def cached_by_number(n): A[0] = 3.0

generator = np.random.default_rng(3)
chained, own_dict, queue = ChainMap({"k": A}), UserDict({"k": A}), deque([A])
indexed, slotted, cached, described = Indexed(A), Slotted(A), Cached(), Described()
holder, record, space, table, rows = Holder(A), Record(A), SimpleNamespace(k=A), {"k": A}, [A]
bound, filling = functools.partial(add, A), A.fill
"""
CHANGES = """\
list(map(add, [A]))
add(*[A])
add(a=[A][0])
functools.partial(add, A)()
[add(a) for a in (A,)]
(lambda a=A: add(a))()
(lambda v: v.fill(3.0))(A)
(A if len(A) else None).fill(3.0)
[A][0].fill(3.0)
[v.fill(3.0) for v in [A]]
{v.fill(3.0) for w in [[A]] for v in w}
list(map(lambda v: v.fill(3.0), [A]))
[v for v in [A]][0][0] = 3.0
max([A], key=len)[0] = 3.0
given()[0] += 1.0
given().fill(3.0)
np.add(A, 1.0, given())
fill = A.fill; fill(3.0)
fills = [A.fill]; fills[0](3.0)
filling(3.0)
bound()
np.add.at(A, [0], 1.0)
np.put(A, [0], 3.0)
np.copyto(dst=A, src=5.0)
np.multiply(A, 2.0, out=A)
options = dict(out=A); np.multiply(A, 2.0, **options)
np.random.default_rng(3).shuffle(A)
np.ndarray.fill(A, 3.0)
np.ndarray.__setitem__(A, 0, 3.0)
A.__setitem__(0, 3.0)
A.__iadd__(1.0)
operator.iadd(A, 1.0)
operator.setitem(A, 0, 3.0)
A.flat[0] = 3.0
A.ravel()[0] = 3.0
np.ravel(A)[0] = 3.0
np.reshape(A, (2, 1))[0] = 3.0
np.squeeze(A)[0] = 3.0
np.ravel(A).fill(3.0)
chained["k"][0] = 3.0
own_dict["k"][0] = 3.0
queue[0][0] = 3.0
queue.popleft()[0] = 3.0
indexed.change()
slotted.change()
slotted.k[0] = 3.0
cached.w
described.d
A.T[0] = 3.0
A[...] = 3.0
memoryview(A)[0] = 3.0
exec("A[0] = 3.0")
globals()["A"][0] = 3.0
[a := A]; a[0] = 4.0
first, *rest = A, A; rest[0][0] = 4.0
z, _ = A, 1; z[0] = 3.0
a = b = A; b += 1.0
d = {}; d["a"] = A; d["a"][0] = 3.0
d = {"k": A}; d.get("k")[0] = 3.0
d = {"k": A}; d.pop("k").fill(3.0)
l = []; l.append(A); l[0][0] = 3.0
it = iter([A]); next(it)[0] = 3.0
q = deque([A]); q[0][0] = 3.0
z = np.asarray(A); z[0] = 3.0
z = A.reshape(-1)[:1]; z[0] = 3.0
np.lib.stride_tricks.as_strided(A)[0] = 3.0
rows[0][0] = 3.0
table["k"][0] = 3.0
holder.k[0] = 3.0
holder.held[0] = 3.0
holder.change()
holder()
Holder.of_class()
Holder(A).change()
record.change()
Record(A).change()
z = Record(A); z.k[0] = 3.0
getattr(record, "change")()
vars(record)["k"][0] = 3.0
record.__dict__["k"][0] = 3.0
[record][0].change()
(record if len(A) else None).change()
globals()["record"].change()
space.k[0] = 3.0
sorted([1, 2], key=lambda v: A.fill(3.0) or v)
functools.reduce(lambda a, b: A.fill(3.0) or 1, [1, 2, 3])
max(A.fill(3.0) or 1, 2)
f"{A.fill(3.0)}"
np.add.accumulate([3.0, 4.0], out=A)
np.multiply.outer(3.0, [1.0, 2.0], out=A)
np.add.reduce([[3.0, 4.0]], 0, None, A)
generator.random(out=A)
Constructed()
cached_by_number(1)
""".splitlines()
WHOLE = [*(f"def tick():\n    {one}\n" for one in (
    "for v in [1, A][1:]: v[0] = 3.0",
    "for v in (lambda: [A])(): v.fill(3.0)",
    "for v in items(): v[0] = 3.0",
    "for v, in zip([A]): v[0] = 3.0",
    "with contextlib.nullcontext(A) as z: z[0] = 3.0",
)), """\
def tick():
    def inner(v=A): v[0] = 3.0
    inner()
""", """\
def tick():
    def inner(): A[0] += 1.0
    inner()
""", """\
def tick(a=A): a[0] = 3.0
""", """\
def tick(*, a=A): a[0] = 3.0
""", """\
def tick():
    class Local: k = A
    Local.k[0] = 3.0
""", """\
def tick():
    try: raise ValueError(A)
    except ValueError as error: error.args[0][0] = 3.0
"""]
NOBODY_KNOWS = ("exec", "globals", "vars(")    # refused, whatever changes


@pytest.mark.parametrize("change", [*(f"def tick(): {one}\n" for one in CHANGES), *WHOLE])
@pytest.mark.parametrize("read", ["name", "argument"])
@pytest.mark.parametrize("other", [False, True], ids=["same", "other"])
def test_what_a_call_changes_outside(change: str, read: str, other: bool) -> None:
    name = "B" if other else "A"
    read = name if read == "name" else "k"
    text = f"{AROUND}{change}\ndef f(x, k):\n    y = x * {read}\n    tick()\n    return np.sum(y * {read})\n"
    space = sourced(text, {"__name__": "cell"})
    if other and not any(word in change for word in NOBODY_KNOWS):
        assert tnb.grad(space["f"])(2.0, space["B"]) == pytest.approx(5.0)
        return
    with pytest.raises(TangentError):
        tnb.grad(space["f"])(2.0, space[name])


ITSELF = """\
import numpy as np
L, D, LOG = [2.0], {"a": 2.0}, []
def f(x, k):
    y = np.dot(x * np.ones(1), {read})
    {change}
    return y * x
def g(x, log, n):
    log.append(x)
    return x * x * n
def put(log, x): log.append(x)
def h(x, log):
    put(log, x)
    return x * x
"""


CHANGED = ["L.insert(0, 3.0)", "L.append(3.0)", "L[0] = 3.0", "L.sort(reverse=True)", "D['l'].insert(0, 3.0)"]
# how the argument k, or what the module holds, is read: where the list is read that changes, it is refused
OTHER_NAMES = {
    "k": "L", "k['l']": "{'l': L}", "k[0]": "[L]", "k[-1][0]": "[[L]]", "m": "L", "own(k)": "L", "many(*k)": "[L]",
    "[m for m in k][0]": "[L]", "(k if x > 0 else m)": "L", "held[0]": "L", "box.k": "L", "D['l']": "L", "M": "L",
    "BOX.l": "L", "BOX.own()": "L", "last": "[L]", "by['k']": "L"}
AROUND_OTHERS = """\
import numpy as np
L = [2.0, 1.0]
M, D = L, {"l": L}
class Box:
    def own(self): return self.l
BOX = Box()
BOX.l = L
def own(k): return k
def many(*k): return k[0]
def f(x, k):
    m, held, by, box = k, [None], {}, Box()
    held[0] = k
    by["k"] = k
    box.k = k
    for last in k: pass
    y = np.dot(x * np.ones(2), READ)
    CHANGE
    return y * x
"""


@pytest.mark.parametrize("change", CHANGED)
@pytest.mark.parametrize("read", OTHER_NAMES)
def test_a_container_that_the_text_itself_changes_is_not_read_by_another_name(read: str, change: str) -> None:
    space = sourced(AROUND_OTHERS.replace("READ", read).replace("CHANGE", change), {"__name__": "cell"})
    for optimized in (True, False):
        space["L"][:] = [2.0, 1.0]
        try:
            assert tnb.grad(space["f"], optimized=optimized)(1.5, eval(OTHER_NAMES[read], space)) == pytest.approx(9.0)
        except TangentError:
            continue
    if not any(name in read for name in "MDB"):
        given = eval(OTHER_NAMES[read].replace("L", "[2.0, 1.0]"), space)
        assert tnb.grad(space["f"])(1.5, given) == pytest.approx(9.0)


@pytest.mark.parametrize(("read", "change", "given"), [
    ("k", "L.insert(0, 3.0)", "L"), ("k", "L.append(3.0)", "L"), ("k", "L[0] = 3.0", "L"), ("k", "L.sort()", "L"),
    ("k['l']", "L.insert(0, 3.0)", "{'l': L}")])
def test_a_container_that_the_text_itself_changes_is_not_an_argument(read: str, change: str, given: str) -> None:
    text = ITSELF.replace("{read}", read).replace("{change}", change)
    space = sourced(text, {"__name__": "cell"})
    with pytest.raises(TangentError):
        tnb.grad(space["f"])(1.5, eval(given, space))
    assert tnb.grad(space["f"])(1.5, {"L": [2.0]}.get(given, {"l": [2.0]})) == pytest.approx(6.0)


def test_an_item_of_a_dict_may_change_where_the_item_was_read() -> None:
    space = sourced(ITSELF.replace("{read}", "[k['a']]").replace("{change}", "D['a'] = 3.0"), {"__name__": "cell"})
    assert tnb.grad(space["f"])(1.5, space["D"]) == pytest.approx(6.0)


@pytest.mark.parametrize("asked", ["if not p: y = y * np.sin(x)", "for key in p: y = y * x", "y = y * x ** len(p)"])
def test_a_dict_that_the_text_itself_changes_is_not_asked_again(asked: str) -> None:
    space = sourced(f"import numpy as np\nCACHE = {{}}\ndef f(x, p):\n    y = x\n    {asked}\n    CACHE['w'] = 2.0\n"
                    "    return y\n", {"__name__": "cell"})
    slope = {"if": math.sin(0.7) + 0.7 * math.cos(0.7), "fo": 1.0, "y ": 1.0}[asked[:2]]
    try:
        assert tnb.grad(space["f"])(0.7, space["CACHE"]) == pytest.approx(slope)
    except TangentError:
        space["CACHE"].clear()
    assert tnb.grad(space["f"])(0.7, {}) == pytest.approx(slope)


def test_a_list_that_is_given_to_be_filled_may_be_one_of_the_module() -> None:
    space = sourced(ITSELF.replace("{read}", "k").replace("{change}", "pass"), {"__name__": "cell"})
    assert tnb.grad(space["g"])(1.5, space["LOG"], 2) == 6.0 and tnb.grad(space["h"])(1.5, space["LOG"]) == 3.0
    assert space["LOG"] == [1.5, 1.5]


ALONE = ["config.calls += 1", "store.log.append(1)", "store.hist[0] += 1", "table['log'].append(1)",
         "rows[0][0] += 1.0", "module.log()"]


@pytest.mark.parametrize("change", ALONE)
@pytest.mark.parametrize("given", ["config", "store.data", "table['x']", "rows[1]"])
def test_what_changes_beside_an_argument(change: str, given: str) -> None:
    """Another part of the object, dict or list that it is from."""
    module = types.ModuleType("module_of_a_log")
    sourced("LOG = []\ndef log(): LOG.append(1)\n", vars(module))
    space = sourced(f"""\
import numpy as np
class Config: k, calls = 2.0, 0
class Store:
    def __init__(self): self.data, self.log, self.hist = np.array([1.0, 2.0]), [], [0]
config, store = Config(), Store()
table, rows = {{"log": [], "x": np.ones(2)}}, [[0.0], [1.0]]
def tick(): {change}
def read(k): return k.k if isinstance(k, Config) else k[0]
def f(x, k):
    tick()
    return read(k) * x ** 2
""", {"__name__": "cell", "module": module})
    argument = eval(given, space)
    slope = 2.0 * 0.7 * space["read"](argument)
    assert tnb.grad(space["f"])(0.7, argument) == pytest.approx(slope)


@pytest.mark.parametrize("call", ["module.log()", "n = module.log()"])
def test_a_function_of_another_module(call: str) -> None:
    module = types.ModuleType("module_of_a_log")
    sourced("LOG = []\ndef log(): LOG.append(1)\n", vars(module))
    f = sourced(f"def f(x):\n    {call}\n    return x * x\n", {"__name__": "cell", "module": module})["f"]
    assert tnb.grad(f)(3.0) == 6.0


OTHERS = """\
import numpy as np
class Node:
    def __add__(self, other): return Sum(self, other)
class Sum(Node):
    def __init__(self, a, b): self.a, self.b = a, b
    def __call__(self, r): return self.a(r) + self.b(r)
class Leaf(Node):
    def __init__(self, v): self.v = v
    def __call__(self, r): return np.exp(-r * r / self.v)
class Steps:
    def __init__(self, n): self.n = n
    def __iter__(self): return Step(self)
class Step:
    def __init__(self, of): self.of, self.i = of, 0
    def __iter__(self): return self
    def __next__(self):
        if self.i >= self.of.n: raise StopIteration
        self.i += 1
        return self.i * 0.1
leaf, other, steps = Leaf(0.5), Leaf(2.0), Steps(3)
def value(node, x): return node.v * x
def f(x):
    {body}
"""


@pytest.mark.parametrize("body", ["return value(leaf, x) * x", "k = leaf + other; return k(x)",
                                  "return sum(np.sin(h * x) for h in steps)",
                                  "s = 0.0\n    for h in steps: s = s + np.sin(h * x)\n    return s"])
def test_operators_that_make_other_objects(body: str) -> None:
    """Nothing outside changes where an object is put into a new one."""
    f = sourced(OTHERS.format(body=body), {"__name__": "cell"})["f"]
    assert tnb.grad(f)(0.7) == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6, rel=1e-6)
