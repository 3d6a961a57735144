"""Which values are one piece of memory: copies in the place of views, rows that are one list, what residuals own.

Each program is right in every mode, or refused before a number is returned; right in all that can be seen: the value,
the gradient, the tangent, and a pullback that is asked twice.
"""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import fresh, sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(4)

POINT = np.array([1.3, -0.7, 2.1])


def slopes(f: Callable[..., Any], args: tuple[Any, ...], h: float = 1e-6) -> Any:
    """The gradient by the first argument, by central differences."""
    x = args[0]
    found = np.zeros(np.shape(x))
    for index in np.ndindex(*np.shape(x)):
        step = np.zeros(np.shape(x))
        step[index] = h
        up, down = (f(*map(fresh, ((x + s * step) if np.shape(x) else float(x + s * step), *args[1:])))
                    for s in (1.0, -1.0))
        found[index] = (up - down) / (2.0 * h)
    return found


def judge(text: str, *args: Any, refused: bool = False) -> bool:
    """Whether a program is differentiated: right in every mode, or refused where that may be."""
    f = sourced(text, {"np": np})["f"]
    value, gradient = f(*map(fresh, args)), slopes(f, args)
    direction = np.cos(np.arange(np.size(gradient))).reshape(np.shape(gradient))[()]

    def pulled() -> Any:
        found, pull = tnb.pullback(f, *map(fresh, args))
        np.testing.assert_allclose(found, value)
        np.testing.assert_allclose(pull(1.0), gradient, rtol=1e-6, atol=1e-6)
        return pull(1.0)
    modes: list[tuple[Callable[[], Any], Any]] = [
        (lambda: tnb.grad(f)(*map(fresh, args)), gradient),
        (lambda: tnb.grad(f, optimized=False)(*map(fresh, args)), gradient),
        (lambda: tnb.value_and_grad(f)(*map(fresh, args))[0], value), (pulled, gradient),
        (lambda: tnb.jvp(f)(*map(fresh, args), direction), np.sum(direction * gradient))]
    for mode, due in modes:
        try:
            found = mode()
        except TangentError:
            assert refused
            return False
        np.testing.assert_allclose(found, due, rtol=1e-6, atol=1e-6)
    return True


# ------------------------------------------------------------------ a view in a container is no copy
PASSING = ["np.asarray(u)", "np.asanyarray(u)", "np.ascontiguousarray(u)", "np.asfortranarray(u)", "np.require(u)",
           "np.asarray_chkfinite(u)",
           "np.asarray(u, dtype=float)", "np.real(u)", "np.atleast_1d(u)", "np.broadcast_arrays(u, 1.0)[0]", "u[:]"]
HOLDERS = [("rows = [{}, x]", "rows[0] * rows[1]"), ("rows = ({}, x)", "rows[0] * rows[1]"),
           ("rows = {{'a': {}}}", "rows['a'] * x"),
           ("rows = []\n    rows.append({})", "rows[0] * x"), ("r = {}", "r * x")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("holder", range(len(HOLDERS)))
@pytest.mark.parametrize("passing", PASSING)
def test_what_changes_later_changes_in_its_container(passing: str, holder: int) -> None:
    made, read = HOLDERS[holder]
    text = f"def f(x, w):\n    u = x * w\n    {made.format(passing)}\n    u[0] = w * x[1]\n    return np.sum({read})\n"
    assert judge(text, POINT, 1.7, refused=True) or passing != "u[:]"


# ------------------------------------------------------------------ rows that are one
REPEATED = ["[[0.0]] * 3", "([0.0],) * 2", "2 * [[0.0]]", "[row] * n", "list((row,) * 2)", "([row] * 2).copy()",
            "sorted([row] * 2)",
            "[[0.0, 1.0]] * n", "[row, row]", "dict.fromkeys([0, 1], row)", "list(reversed([row] * 2))"]
CHANGES = ["rows[0][0] = x * w", "rows[0][0] += x * w", "for k in range(2):\n        rows[k][0] += x * (k + w)",
           "r = rows[0]\n    r[0] = x * w", "rows[0].append(x * w)"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("change", range(len(CHANGES)))
@pytest.mark.parametrize("made", REPEATED)
def test_rows_that_are_one_list_change_together(made: str, change: int) -> None:
    text = (f"def f(x, w, n):\n    row = [0.0]\n    rows = {made}\n    {CHANGES[change]}\n"
            "    return rows[1][0] * w + rows[0][-1] * x\n")
    assert judge(text, 1.3, 0.7, 2, refused=True) \
        or (made, change) not in [("[[0.0]] * 3", 0), ("([0.0],) * 2", 2), ("[row, row]", 1)]


def test_rows_in_rows_that_are_one() -> None:
    assert judge("def f(x, w):\n    rows = [[[0.0]] * 2] * 2\n    rows[0][0][0] = x * w\n"
                 "    return rows[1][1][0] * x\n", 1.3, 0.7)


# --------------------------------------------------- displays that are given to calls, and what they hold changes later
GIVEN_DISPLAYS = ["pair((x, c))", "pair([x, c])", "named({'a': x, 'c': c})", "named(dict(a=x, c=c))", "pair((x, c[:]))",
                  "pair((x, y))", "T['p']((x, c))",
                  "pair(t=(x, c))", "deep(((x, c), c))", "deep(((x, y[::-1]), c))", "np.linalg.multi_dot([x, D, x])",
                  "np.sum(np.hstack((x, c)) ** 2)"]
DISPLAYS = """
def pair(t):
    a, b = t
    s = a * b
    return np.sum(s * s)
T = {'p': pair}
def named(p):
    s = p['a'] * p['c']
    return np.sum(s * s)
def deep(t):
    (a, b), d = t
    s = a * b * d
    return np.sum(s * s)
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("change", ["c[0] = 5.0", "c *= 3.0", "c[:] = w\n    y[1] = D[1, 1] = 2.0"])
@pytest.mark.parametrize("given", GIVEN_DISPLAYS)
def test_what_a_call_was_given_in_a_display_changes_later(given: str, change: str) -> None:
    text = \
        f"{DISPLAYS}def f(x, c, w):\n    y, D = x * w, np.eye(3)\n    v = {given}\n    {change}\n    return v + y[1]\n"
    assert judge(text, POINT, POINT + 1.0, 1.7, refused=True) or "T[" in given


def test_what_a_call_is_given_in_a_display_changes_in_each_iteration() -> None:
    text = ("def f(x, n):\n    c, s = np.ones(3), 0.0\n    for i in range(n):\n        s = s + pair((x, c))\n"
            "        c *= 2.0\n    return s\n")
    assert judge(DISPLAYS + text, POINT, 3)


# ------------------------------------------------------------------ residuals own their data
G = "G = np.array([1.0, 2.0, 3.0])\n"
READ = "    return np.sum(np.sin(x * {0}) * {0})\n"
CLASS = "class P:\n    n = 3\np = P()\np.G = np.array([1.0, 2.0, 3.0])\np.g = 2.0\n"
LOOP = "    for i in range({}):\n        y = np.sin(y) * x\n    return np.sum(y)\n"
OUTSIDE = {
    "a global changed": (G + "def f(x):\n" + READ.format("G"), "ns['G'] -= 1.0"),
    "a global bound anew": ("g = 2.0\ndef f(x):\n" + READ.format("g"), "ns['g'] = 0.0"),
    "a closure": ("def make():\n    G = np.array([1.0, 2.0, 3.0])\n    def f(x):\n    " + READ.format("G")
                  + "    return f, G\nf, c = make()\n", "ns['c'][:] = 0.0"),
    "a closure bound anew": ("def make():\n    g = 2.0\n    def f(x):\n    " + READ.format("g")
                             + "    def c():\n        nonlocal g\n"
                             "        g = 0.0\n    return f, c\nf, c = make()\n", "ns['c']()"),
    "an attribute": (CLASS + "def f(x):\n" + READ.format("p.G"), "ns['p'].G -= 1.0"),
    "an attribute bound anew": (CLASS + "def f(x):\n" + READ.format("p.g"), "ns['p'].g = 0.0"),
    "an attribute of a class": (CLASS + "def f(x):\n    y = x\n" + LOOP.format("P.n"), "ns['P'].n = 1"),
    "a dict": ("D = {'g': np.ones(3)}\ndef f(x):\n" + READ.format("D['g']"), "ns['D']['g'] -= 0.5"),
    "a list that is gone over": (
        "D = [2.0, 3.0]\ndef f(x):\n    y = x\n    for d in D:\n        y = y * np.sin(d * x)\n    return np.sum(y)\n",
        "ns['D'].pop()"),
    "a test": (
        "D = {'on': True}\ndef f(x):\n    y = x\n    if D['on']:\n        y = np.sin(x)\n    return np.sum(y * x)\n",
        "ns['D']['on'] = False"),
    "a number of trips": ("N = 3\ndef f(x):\n    y = x\n" + LOOP.format("N"), "ns['N'] = 1"),
    "an index": ("I = [0, 2]\ndef f(x):\n    return np.sum(x[I] ** 2)\n", "ns['I'][0] = 1"),
    "another name for a global": (G + "def f(x):\n    a = G[::-1]\n" + READ.format("a"), "ns['G'] -= 1.0"),
    "a default": ("def f(x, g=np.array([1.0, 2.0, 3.0])):\n" + READ.format("g"), "ns['f'].__defaults__[0][:] = 0.0"),
    "what a helper reads": (
        G + "def h(t):\n    for i in range(2):\n        if i:\n            t = t * G\n    return np.sin(t * G)\n"
        "def f(x):\n    return np.sum(h(x) * h(x))\n", "ns['G'] -= 1.0"),
    "what a function in a table reads": (G + "def h(t):\n    return np.sin(t * G) * G\nfs = {'a': h}\ndef f(x):\n"
                                         "    return np.sum(fs['a'](x))\n",
                                         "ns['G'] -= 1.0"),
    "what a closure in a table binds": (G + "def f(x):\n    fs = {'a': lambda t: np.sin(t * x * G)}\n"
                                        "    return np.sum(fs['aa'[:1]](x))\n",
                                        "ns['G'] -= 1.0"),
    "what is solved": ("M = np.eye(3) * 2.0\ndef f(x):\n    return np.sum(np.linalg.solve(M, x) ** 2)\n",
                       "ns['M'][0] = [3.0, 1.0, 2.0]"),
    "recursion": (G + "def r(t, n):\n    if n == 0:\n        return t\n    return np.sin(r(t, n - 1) * G)\n"
                  "def f(x):\n    return np.sum(r(x, 3))\n",
                  "ns['G'] -= 1.0"),
}
GIVEN = {
    "an array": ("x * g", POINT + 1.0, "given[:] = 0.0"),
    "a dict": ("x * g['a']", {"a": POINT + 1.0}, "given['a'] *= 0.0"),
    "a list": ("x * g[0]", [2.0], "given[0] = 0.0"), "an index": ("x[g]", [0, 2], "given[0] = 1"),
}


def _changed_between(text: str, args: tuple[Any, ...], change: str) -> None:
    for split in (True, False):
        ns = sourced(text, {"np": np})
        due = slopes(ns["f"], args)
        given = tuple(map(fresh, args))
        if split:
            forward, backward = tnb.autodiff(ns["f"], motion="split")
            value, residuals = forward(*given)
        else:
            value, pull = tnb.pullback(ns["f"], *given)
        exec(change, {"ns": ns, "given": given[-1]})
        given[0][:] = 0.0
        for _ in range(2):
            np.testing.assert_allclose(backward(residuals, 1.0) if split else pull(1.0), due, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", OUTSIDE)
def test_variables_outside_are_kept(name: str) -> None:
    _changed_between(OUTSIDE[name][0], (POINT,), OUTSIDE[name][1])


@pytest.mark.parametrize("name", GIVEN)
def test_arguments_are_kept(name: str) -> None:
    text, given, change = GIVEN[name]
    _changed_between(f"def f(x, g):\n    return np.sum(np.sin({text}) ** 2)\n", (POINT, given), change)


def test_the_value_is_none_of_the_residuals() -> None:
    value, pull = tnb.pullback(lambda x: np.exp(x), POINT)
    value[:] = 0.0
    np.testing.assert_allclose(pull(np.ones(3)), np.exp(POINT))




# ------------------------------------------------------------------ what functions of NumPy give back
@pytest.mark.parametrize("other", ["np.real_if_close(k)", "np.trim_zeros(k)", "np.int64(k)", "np.round(k)", "k.conj()",
                                   "np.broadcast_arrays(k, 1)[0]"])
def test_what_may_be_the_argument_changes_with_it(other: str) -> None:
    made = f"def f(x, w):\n    k = np.array([1, 2, 3])\n    r = {other}\n"
    judge(made + "    r[0] = 5\n    return np.sum(x * k * w)\n", POINT, 1.7, refused=True)
    judge(made + "    y = x * r\n    k[0] = 5\n    return np.sum(y * y * r * w)\n", POINT, 1.7, refused=True)


@pytest.mark.parametrize("made", ["x", "x.T", "np.asfortranarray(x)", "(x * w).T", "x[:, ::2]"])
def test_a_reshape_in_the_order_of_the_memory(made: str) -> None:
    x = np.array([[1.3, -0.7, 2.1], [0.4, 0.9, -1.2]])
    for reshaped in ("a.reshape(-1, order='A')", "np.reshape(a, -1, order='F')"):
        assert judge(
            f"def f(x, w):\n    a = {made}\n    r = {reshaped}\n    return np.sum(r * np.arange(len(r)) * w)\n", x, 1.7)


@pytest.mark.parametrize("store", ["np.add.at(a, [0, 0], x[:2] * w)", "np.subtract.at(a, [0, 1], x[:2] * w)",
                                   "a[0] = x[0] * w", "a.fill(x[0] * w)", "np.copyto(a, x * w, casting='unsafe')"])
def test_stores_in_arrays_of_another_dtype(store: str) -> None:
    text = "def f(x, w):\n    a = np.ones(3, {})\n    " + store + "\n    return np.sum(np.real(a) * x)\n"
    for dtype in ("int", "bool", "np.float32"):
        f = sourced(text.format(dtype), {"np": np})["f"]
        for mode in (lambda: tnb.grad(f)(POINT.copy(), 1.7), lambda: tnb.jvp(f)(POINT.copy(), 1.7, np.ones(3))):
            if dtype == "np.float32":
                np.testing.assert_allclose(np.sum(mode()), np.sum(slopes(f, (POINT, 1.7), 0.01)), rtol=1e-3, atol=1e-3)
            else:
                with pytest.raises(TangentError):
                    mode()
    judge(text.format("complex"), POINT, 1.7, refused=True)
