"""Objects that are asked when it runs, for what a property computes, for fields that have the names of attributes of
arrays, and for methods that have the names of those of texts; functions that make an object and change it."""
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
import dataclasses
from collections import namedtuple
import numpy as np

class Line:
    def __init__(self, w, n=1):
        self.w = w
        self.n = n

    @property
    def double(self):
        return 2.0 * self.w

    @property
    def T(self):
        return 3.0 * self.w

    @property
    def half(self):
        return 0.5 * self.w

    @property
    def count(self):
        return self.n + 1

    @property
    def title(self):
        return "line"

    @property
    def maybe(self):
        return None if self.n > 1 else self.w

    @property
    def inner(self):
        return Line(self.w / 2.0, self.n)

    def place(self):
        return self.n, 0

    def split(self, t):
        return t * self.w, t + self.w

    def halved(self, t, n):
        if n == 0:
            return [t]
        a, b = self.split(t)
        return self.halved(a, n - 1) + [b]

class Square(Line):
    @property
    def double(self):
        return super().double * self.w

    @property
    def half(self):
        return super().half * self.w

    @property
    def chain(self):
        return self.double + self.w

class Stored:
    def __init__(self, w):
        self.double = w * 7.0
        self.chain = self.w = w

class Disc:
    def __init__(self, w):
        self.w, self.size, self.shape, self.mean = w, w * w, 4.0 * w, 5.0 * w

class Grid:
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, key):
        i, j = key
        return self.rows[i % 2][j % 2]

    def near(self, i, j):
        return [self[i + k, j] for k in (1, -1)] + [self[i, j + k] for k in (1, -1)]

@dataclasses.dataclass
class Result:
    x: float
    size: float = 1.0
    n: int = 0
    hist: list = dataclasses.field(default_factory=list)

    def __getitem__(self, key):
        return getattr(self, key)

Pair = namedtuple("Pair", "size T")

class Counting(Line):
    @property
    def double(self):
        self.w = self.w * 2.0
        return self.w

class Above(Counting):
    @property
    def double(self):
        return super().double

    @property
    def chain(self):
        return self.double * 1.0

    def by_method(self):
        return self.double

class Doubling(property):
    def __get__(self, obj, kind=None):
        return self if obj is None else 2.0 * super().__get__(obj, kind)

    def __set__(self, obj, value):
        super().__set__(obj, 3.0 * value)

class Own:
    def __init__(self, w):
        self.w = w

    def _read(self):
        return self.w

    def _write(self, value):
        self.w = value

    double = Doubling(_read, _write)

class Counted(Line):
    def count(self, t):
        return t * self.w

    def index(self, t):
        return t * self.w

    def keys(self):
        return self.w

    @property
    def step(self):
        self.n = self.n + 1
        return 2.0

def hidden(w):
    class Hidden:
        def __init__(self, w):
            self.ndim = w * w
    return Hidden

KINDS = {"line": Line, "square": Square, "stored": Stored, "disc": Disc, "hidden": hidden(1.0), "counting": Counting,
         "above": Above, "own": Own, "counted": Counted}

def solve(x, n, callback=None):
    r = Result(x)
    for k in range(n):
        r.x = r.x - 0.1 * r.x ** 3
        r.n = k + 1
        r.hist.append(r.x)
        if callback:
            callback(r)
    return r

def apart(x):
    r, s = Result(x), Result(x * x)
    r.x = r.x * s.x
    return r

def stacked(y):
    return np.stack([y, y * y])

def listed(y):
    return [y, y * y]

def seen(m):
    return m.double

def given(m, t):
    return m.double * t

def f(x, kind):
"""
BOTH = {
    "a property": "return KINDS[kind](x).double * x",
    "a property of a property": "m = KINDS[kind](x)\nreturn m.chain * m.w",
    "of several": "return sum(m.double for m in [KINDS[kind](x), Line(x * x), Stored(x)])",
    "by getattr": "return getattr(KINDS[kind](x), 'double')",
    "the greatest": "return max([KINDS[kind](x), Line(3.0 * x)], key=lambda m: m.double).double",
    "in order": "return sorted([KINDS[kind](x), Line(3.0 * x)], key=lambda m: m.w)[0].double",
    "of a parameter": "return given(KINDS[kind](x), x) * given(Line(x), 2.0)",
    "in a dict": "ms = {'a': KINDS[kind](x), 'b': Stored(x)}\nreturn sum(m.double for m in ms.values())",
}
RIGHT: dict[str, tuple[str, str]] = {
    **{f"{name}, {kind}": (kind, body) for name, body in BOTH.items() for kind in ("line", "square", "stored")
       if "chain" not in body or kind != "line"},
    "an int": ("line", "m = KINDS[kind](x, 2)\nt = 0.0\nfor i in range(m.count):\n    t = t + m.w * m.count\nreturn t"),
    "a text as a key": ("line", "m = KINDS[kind](x)\nreturn {'line': x, 'b': 1.0}[m.title] * m.w"),
    "what a method gives as an index": (
        "line", "m = KINDS[kind](x)\nA = np.array([[x], [x * x]])\nreturn A[m.place()] * m.w"),
    "None on some path": ("line", "y = KINDS[kind](x, 1).maybe\nreturn x if y is None else y * y"),
    "None on this path": ("line", "y = KINDS[kind](x, 2).maybe\nreturn x if y is None else y * y"),
    "an object": ("line", "return KINDS[kind](x).inner.inner.double"),
    "T": ("line", "return KINDS[kind](x).T * x"),
    "size": ("disc", "m = KINDS[kind](x)\nn = m.size\nreturn sum([n * i for i in range(3)]) * n"),
    "shape": ("disc", "return KINDS[kind](x).shape * x"),
    "mean": ("disc", "return KINDS[kind](x).mean * x"),
    "size over a dict": ("disc", "return sum(m.size for m in {'a': KINDS[kind](x)}.values())"),
    "size of named tuples": ("line", "ns = [Pair(x, 2.0 * x), Pair(x * x, x)]\nreturn sum(n.size * n.T for n in ns)"),
    "size of an array": ("line", "y = stacked(x)\nz = np.zeros(y.shape)\nfor i in range(y.shape[0]):\n"
                         "    z[i] = y[i] * i\nreturn np.sum(z) / y.size + y.T[0]"),
    "size of both": ("disc", "m = KINDS[kind](x)\nz = np.array([x, 2.0 * x]) * 2.0\n"
                     "return m.size * np.sum(z) / z.size"),
    "a method of the name of one of texts": ("line", "return sum(KINDS[kind](x).halved(x, 2))"),
    "a list joined to what a function gives": ("line", "return sum(listed(x) + [3.0 * x]) + sum([x] + listed(x))"),
    "items by a method": ("line", "return sum(v * v for v in Grid([[x, x * x], [2.0, 3.0 * x]]).near(0, 1))"),
    "above, in a condition": ("square", "m = KINDS[kind](x)\nreturn m.half * x if m.half < 50.0 else x"),
    "above, as a text": ("square", "m = KINDS[kind](x)\nreturn m.half * len(f'{m.half:.3f}')"),
    "the same object": ("line", "m = KINDS[kind](x)\nn = m\nreturn m.double * x if m is n else x"),
    "another object": ("line", "m = KINDS[kind](x)\nn = m.inner\nreturn m.double * x if m is n else n.double"),
    "made and changed": ("line", "r = solve(x, 3)\nreturn r['x'] + sum(r.hist) + r.n"),
    "made twice": ("line", "a, b = solve(x, 3), solve(x * x, 1)\na.x, b.x = b.x, a.x\nreturn a.x * 2.0 + b.x"),
    "made beside another": ("line", "return apart(x).x"),
}
REFUSED = {
    "a property that changes its object": (
        "counting", "m = KINDS[kind](x)\nif m.double > 100.0:\n    return x\nreturn m.w"),
    "a property that reads one that changes its object": (
        "above", "m = KINDS[kind](x)\nif m.chain > 100.0:\n    return x\nreturn m.w"),
    "a function that reads a property that changes its object": (
        "above", "m = KINDS[kind](x)\nk = int(seen(m) > 100.0)\nreturn m.w * x + k"),
    "a method that reads a property that changes its object": (
        "above", "m = KINDS[kind](x)\nif m.by_method() > 100.0:\n    return x\nreturn m.w"),
    "a property of a class of its own": ("own", "return KINDS[kind](x).double * x"),
    "a property of a class of its own, of what is made here": ("own", "return Own(x).double * x"),
    "a property of a class of its own, set": ("own", "m = Own(x)\nm.double = x * x\nreturn m.w"),
    "a method of the name of one of lists": ("counted", "return KINDS[kind](x).count(2.0)"),
    "a method of the name of one of lists, beside others": (
        "counted", "m = KINDS[kind](x)\nreturn m.index(x) * m.w"),
    "a method of the name of one of dicts": ("counted", "m = KINDS[kind](x)\ny = 1.0 + m.keys()\nreturn y * x"),
    "a property that changes its object, not read": ("counting", "m = KINDS[kind](x)\nn = m.double\nreturn m.w"),
    "ndim of a class that is not seen": ("hidden", "return KINDS[kind](x).ndim * x"),
    "ndim of a class that is not seen, over a dict": (
        "hidden", "return sum(m.ndim for m in {'a': KINDS[kind](x)}.values())"),
    "ndim of a class that is not seen, in a branch": (
        "hidden", "m = KINDS[kind](x)\nn = x > 0 and m.ndim\nreturn n * x"),
    "a list joined to an array": ("line", "return np.sum(stacked(x) + [1.0, 2.0 * x])"),
    "a float as a key": ("line", "m = KINDS[kind](x)\nreturn {0.6: x}[m.double]"),
}
X = 0.3
pytestmark = pytest.mark.sampled(6)


def program(body: str, name: str) -> Any:
    text = SETUP + "\n".join("    " + line for line in body.splitlines())
    return sourced(text, {"__name__": "asked"}, f"<asked {name}>")["f"]


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("mode", ["grad", "raw", "value", "jvp", "split"])
def test_it_is_differentiated(name: str, mode: str) -> None:
    kind, body = RIGHT[name]
    f = program(body, f"{name} {mode}")
    slope = (f(X + 1e-6, kind) - f(X - 1e-6, kind)) / 2e-6
    made: dict[str, Any] = {
        "grad": lambda: tnb.grad(f)(X, kind), "raw": lambda: tnb.grad(f, optimized=False)(X, kind),
        "value": lambda: tnb.value_and_grad(f)(X, kind)[1], "jvp": lambda: tnb.jvp(f)(X, kind, 1.0),
        "split": lambda: tnb.pullback(f, X, kind)[1](1.0)}
    assert made[mode]() == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", RIGHT)
def test_second_derivatives_are_right_or_refused(name: str) -> None:
    kind, body = RIGHT[name]
    df = tnb.grad(program(body, name))
    try:
        found = tnb.grad(df)(X, kind)
    except TangentError:
        return
    assert found == pytest.approx((df(X + 1e-6, kind) - df(X - 1e-6, kind)) / 2e-6, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_it_is_refused(name: str, mode: str) -> None:
    kind, body = REFUSED[name]
    f = program(body, f"{name} {mode}")
    with pytest.raises(TangentError):
        tnb.grad(f)(X, kind) if mode == "grad" else tnb.jvp(f)(X, kind, 1.0)


def test_the_second_derivative_of_a_property_that_stores_is_refused() -> None:
    df = tnb.grad(program("m = KINDS[kind](x)\nreturn m.step * x", "stores"))
    assert df(X, "counted") == pytest.approx(2.0)
    for second in (tnb.grad(df), tnb.jvp(df)):
        with pytest.raises(TangentError):
            second(X, "counted", *(() if second.__name__.startswith("d") else (1.0,)))


def test_the_class_is_asked_at_each_call() -> None:
    f = program("return KINDS[kind](x).double * x", "late")
    df = tnb.grad(f)
    assert df(X, "line") == pytest.approx(4.0 * X)
    f.__globals__["KINDS"]["line"] = f.__globals__["Stored"]
    assert df(X, "line") == pytest.approx(14.0 * X)
    f.__globals__["Square"].double = property(lambda self: 11.0 * self.w)
    assert df(X, "square") == pytest.approx(22.0 * X)


def test_a_property_of_what_is_differentiated() -> None:
    f = program("return given(KINDS[kind](x), x)", "given")
    given, square = f.__globals__["given"], f.__globals__["Square"]
    assert vars(tnb.grad(given)(square(0.3), 0.5)) == pytest.approx({"w": 0.6, "n": 0.0})


def test_a_property_is_read_once() -> None:
    seen: list[int] = []
    f = program("return KINDS[kind](x).double * x", "once")
    line = f.__globals__["Line"]
    f.__globals__["KINDS"]["line"] = type("Told", (line,), {"double": property(_told(seen))})
    assert tnb.grad(f)(X, "line") == pytest.approx(10.0 * X)
    assert len(seen) == 1


def _told(seen: list[int]) -> Any:
    def double(self: Any) -> Any:
        seen.append(1)
        return 5.0 * self.w
    return double


def test_attributes_of_arrays_stay_as_they_are_where_no_class_has_one_of_the_name() -> None:
    text = "import numpy as np\ndef g(y): return np.stack([y, y])\ndef f(x): return g(x).size * np.sum(g(x).T)\n"
    f = sourced(text, {"__name__": "asked"}, "<asked arrays>")["f"]
    assert "computed" not in tnb.source(tnb.grad(f)) and "check_array" not in tnb.source(tnb.grad(f))
    assert tnb.grad(f)(2.0) == pytest.approx(4.0)
    assert np.ndim(tnb.grad(f)(2.0)) == 0


def test_an_array_that_numpy_makes_in_what_stands_in_the_place_of_its_call_is_not_asked() -> None:
    text = """\
import numpy as np
class Held:
    def __init__(self): self.shape = (1, 1)
def matrix(data):
    arr = np.array(data, dtype=float)
    shape = arr.shape
    if arr.ndim == 0:
        shape = (1, 1)
    return arr.reshape(shape)
def f(a, b):
    a, b = matrix(a), matrix(b)
    return np.sum(np.hstack([b, a @ b]))
"""
    f = sourced(text, {"__name__": "asked"}, "<asked matrices>")["f"]
    assert tnb.grad(f)(0.7, 1.3) == pytest.approx(1.3) and tnb.grad(f, "b")(0.7, 1.3) == pytest.approx(1.7)
