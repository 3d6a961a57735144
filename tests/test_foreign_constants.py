"""Constants that are no plain numbers or arrays: what meets a derivative is refused before a number is returned,
the rest is right."""
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
import warnings
import numpy as np
import scipy.sparse
class Scaled:
    __array_ufunc__ = None
    def __init__(self, k): self.k = k
    def __mul__(self, other): return other * self.k + other * other
    __rmul__ = __mul__
class Doubled(float):
    def __mul__(self, other): return 2.0 * float(self) * other
    __rmul__ = __mul__
class Table:
    def __init__(self, M): self.M = M
D = np.array([[1.0, 2.0], [3.0, 4.0]])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    KINDS = {"matrix": np.asmatrix(D), "masked": np.ma.array(D, mask=[[0, 1], [0, 0]]), "csr_matrix": \
scipy.sparse.csr_matrix(D),
             "csr_array": scipy.sparse.csr_array(D), "own": Scaled(2.0), "float": Doubled(2.0), "objects": \
D.astype(object), "array": D}
def longer(a, M):
    s = a * 1.0
    for i in range(2):
        if i > 0:
            s = s * M
        else:
            s = s + np.sum(a)
    return s
"""
X = np.array([[0.5, -0.3], [0.2, 0.9]])
SHAPES = {
    "right": "return np.sum(x * M)",
    "left": "return np.sum(M * x)",
    "nested": "y = 2.0 * x\n    y = y * M\n    return np.sum(y * y)",
    "items": "s = 0.0\n    for m in [M, M]:\n        s = s + np.sum(x * m)\n    return s",
    "start": "y = M\n    for _ in range(2):\n        y = y * x\n    return np.sum(y)",
    "in_place": "y = x * 1.0\n    y *= M\n    return np.sum(y)",
    "closure": "def g(t):\n        return t * M\n    return np.sum(g(x))",
    "callee": "return np.sum(longer(x, M))",
    "appended": "L = [x]\n    L.append(M)\n    return np.sum(L[0] * L[1])",
    "stored": "d = {'x': x}\n    d['M'] = M\n    return np.sum(d['x'] * d['M'])",
    "joined": "L = [x] + [M]\n    return np.sum(L[0] * L[1])",
    "merged": "d = {'x': x} | {'M': M}\n    return np.sum(d['x'] * d['M'])",
    "made": "A = 2.0 * (M * 1.0)\n    return np.sum(x * A)",
    "passed": "return np.sum(x * np.asanyarray(M))",
}
GIVEN = {
    "argument": "def f(x, M):\n    {body}\n",
    "attribute": "def f(x, table):\n    M = table.M\n    {body}\n",
    "item": "def f(x, table):\n    M = table['M'][0]\n    {body}\n",
    "result": "def f(x, make):\n    M = make()\n    {body}\n",
    "outside": "M = KINDS[{kind!r}]\ndef f(x):\n    {body}\n",
}
SPECIAL = ("matrix", "masked", "csr_matrix", "csr_array", "own", "float", "objects")


def written(shape: str, given: str, kind: str) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function, and the constants that it is called with."""
    space = sourced(SETUP + GIVEN[given].format(body=SHAPES[shape], kind=kind))
    value = space["KINDS"][kind]
    constants = {"argument": (value,), "attribute": (space["Table"](value),), "item": ({"M": [value]},),
                 "result": (lambda: value,), "outside": ()}
    return space["f"], constants[given]


def modes(f: Callable[..., Any], constants: tuple[Any, ...]) -> list[Callable[[], Any]]:
    return [lambda: tnb.grad(f)(X, *constants), lambda: tnb.grad(f, optimized=False)(X, *constants),
            lambda: tnb.jvp(f)(X, *constants, np.ones((2, 2)))]


def quotient(f: Callable[..., Any], constants: tuple[Any, ...]) -> np.ndarray:
    steps = 1e-6 * np.eye(4).reshape(4, 2, 2)
    return np.array([(f(X + d, *constants) - f(X - d, *constants)) / 2e-6 for d in steps]).reshape(2, 2)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize(("shape", "given"),
                         [*((shape, "argument") for shape in SHAPES), *(("right", given) for given in GIVEN)])
def test_special_constants_are_refused(shape: str, given: str, kind: str) -> None:
    f, constants = written(shape, given, kind)
    if given == "outside" and kind == "own":                # its method is known, and differentiated
        np.testing.assert_allclose(tnb.grad(f)(X), quotient(f, ()), rtol=1e-6)
        return
    for mode in modes(f, constants):
        with pytest.raises(TangentError, match="meets what is differentiated|calls a method of Doubled"):
            mode()


@pytest.mark.parametrize(("shape", "given"),
                         [*((shape, "argument") for shape in SHAPES), *(("right", given) for given in GIVEN)])
def test_arrays_are_differentiated(shape: str, given: str) -> None:
    f, constants = written(shape, given, "array")
    want = quotient(f, constants)
    for mode, expected in zip(modes(f, constants), (want, want, np.sum(want)), strict=True):
        np.testing.assert_allclose(mode(), expected, rtol=1e-6)


@pytest.mark.parametrize("body", [
    "return np.sum(np.asarray(M) * x)", "return np.sum(x) * M.shape[0]", "return np.sum(x) * np.sum(M)",
    "return np.sum(x[M > 2.0])",
    "return np.sum(x) * len(M)", "return np.sum(x) * float(M[1, 0]) if M.ndim == 2 else 0.0"])
@pytest.mark.parametrize("kind", ["matrix", "masked"])
def test_what_is_made_of_them_is_right(body: str, kind: str) -> None:
    space = sourced(f"{SETUP}def f(x, M):\n    {body}\n")
    f, constants = space["f"], (space["KINDS"][kind],)
    np.testing.assert_allclose(tnb.grad(f)(X, *constants), quotient(f, constants), rtol=1e-6)


@pytest.mark.parametrize("kind", ["float32", "int", "bool", "list", "integers", "memmap", "named"])
def test_other_constants_are_taken(kind: str, tmp_path: Path) -> None:
    value: Any = {"float32": np.float32(2.0), "int": 2, "bool": True, "list": [[1.0, 2.0], [3.0, 4.0]],
                  "integers": np.array([[1, 2], [3, 4]]),
                  "memmap": np.memmap(tmp_path / "a", dtype=float, mode="w+", shape=(2, 2)),
                  "named": type("Named", (float,), {})(2.0)}[kind]

    def f(x: Any, M: Any) -> Any:
        return np.sum(x * M)

    np.testing.assert_allclose(tnb.grad(f)(X, value), np.asarray(value) * np.ones((2, 2)))


@pytest.mark.parametrize("body", [
    "a = np.array([x, 2.0 * x], dtype=object)\n    return np.sum(a[0] * a[1])",
    "a = np.asarray([x, x], object)\n    return np.sum(a[0])",
    "return np.sum((x * x).astype(object))", "return np.sum(np.full(2, x[0, 0], dtype='O'))",
    "a = np.empty(2, dtype=object)\n    a[0] = x\n    a[1] = x * x\n    return np.sum(a[0] * a[1])"])
def test_arrays_of_objects_are_not_made(body: str) -> None:
    f = sourced(f"import numpy as np\ndef f(x):\n    {body}\n")["f"]
    for mode in modes(f, ()):
        with pytest.raises(tnb.errors.RefusedError, match="array of objects"):
            mode()


def test_the_text_of_a_second_derivative_checks_once() -> None:
    def f(x: Any, w: Any) -> Any:
        return np.sum(x * x * w)

    assert tnb.source(tnb.grad(tnb.grad(f))).count("check_constants") == 1
    np.testing.assert_allclose(tnb.grad(tnb.grad(f))(2.0, 3.0), 6.0)


CHANGED = """\
class Own:
    def __mul__(self, other): return 3.0 * other * other
    __rmul__ = __add__ = __radd__ = __mul__
class Holder: pass
H = Holder()
H.v = G = 2.0
D, L = {"v": 2.0}, [2.0]
def helper(s): return G * s
def made():
    c = 2.0
    def f(x): return c * x
    def change(v):
        nonlocal c
        c = v
    return f, change
inside, change_cell = made()
def change(v):
    global G
    G = H.v = D["v"] = L[0] = v
    change_cell(v)
def f(x):
    """


@pytest.mark.parametrize("body", [
    "return G * x", "return D['v'] * x", "return H.v * x", "return L[0] * x", "return D.get('v', 1.0) * x",
    "return helper(x)", "return inside(x)",
    "z = G\n    return z + x", "def h(s):\n        return s * G\n    return h(x)", "return sum(v * x for v in L)",
    "return (lambda s: s + G)(x)", "s = x\n    for v in D.values():\n        s = s + v * x\n    return s",
    "a, b = G, D['v']\n    return a * x + b * x"])
def test_what_becomes_special_later_is_refused(body: str) -> None:
    space = sourced(CHANGED + body)
    f = space["f"]
    jvp = tnb.jvp(f)
    derived = [tnb.grad(f), tnb.grad(f, optimized=False), lambda x: jvp(x, 1.0)]
    slope = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    for df in derived:
        np.testing.assert_allclose(df(1.5), slope, rtol=1e-6)
    space["change"](space["Own"]())
    for df in derived:
        with pytest.raises(TangentError, match="is an Own, and meets what is differentiated|has been defined anew"):
            df(1.5)


def test_a_second_derivative_asks_variables_outside_once() -> None:
    f = sourced("W = 2.0\ndef f(x): return x * x * x * W")["f"]
    assert tnb.source(tnb.grad(tnb.grad(f))).count("check_constants(W)") == 1
    assert tnb.source(tnb.grad(lambda x: x * np.pi)).count("check_constants") == 0


ROWS = """\
import numpy as np
class Adding:
    def __add__(self, other): return other * 3.0
class Row:
    def __init__(self, *items): self.items = items
    def __len__(self): return len(self.items)
    def __getitem__(self, i): return self.items[i]
class Kept(list):
    pass
class Listed(list):
    def __getitem__(self, i): return 10.0
"""


@pytest.mark.parametrize("body", ["np.asarray(o) + x * x", "np.array(o) + x", "np.array([o, o, o]) + x"])
def test_an_array_made_of_an_object_with_operators_is_refused(body: str) -> None:
    space = sourced(f"{ROWS}def f(x, o):\n    return np.sum({body})\n")
    for mode in modes(space["f"], (space["Adding"](),)):
        with pytest.raises(TangentError, match="array of objects, and meets what is differentiated"):
            mode()


@pytest.mark.parametrize("kind", ["Row", "Kept", "Listed"])
@pytest.mark.parametrize("body", [
    "x ** o", "np.power(x, o)", "np.maximum(x, o)", "np.minimum(o, x)", "np.clip(x, o, 5.0)", "np.clip(x, 0.0, o)",
    "x * np.asarray(o)", "np.stack([x, o])", "np.concatenate([x, o])", "o[0] * x"])
def test_sequences_of_a_class_of_their_own_are_arrays_to_numpy(body: str, kind: str) -> None:
    f = sourced(f"{ROWS}def f(x, o):\n    x = x * x + 0.5\n    return np.sum({body} * x[:1])\n")["f"]
    items, kinds = [[1.3, 0.4], [2.5, 2.0]], f.__globals__
    o = kinds["Row"](*items) if kind == "Row" else kinds[kind](items)
    want = quotient(f, (o,))
    for mode, expected in zip(modes(f, (o,)), (want, want, np.sum(want)), strict=True):
        np.testing.assert_allclose(mode(), expected, rtol=1e-6)
