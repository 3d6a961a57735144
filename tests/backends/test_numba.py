"""Derivatives that Numba compiles, against those on NumPy: the same numbers, or a refusal; and what Numba would do in
another way than Python."""
from __future__ import annotations

import inspect
import math
import pickle
import sys
import threading
import types
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from corpus import CORPUS
from oracles import gap, sourced
from test_corpus import point, seed_of, seeded

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, RefusedError, TangentError

pytest.importorskip("numba")

SCALE = 3.0
V, M = np.arange(1.0, 6.0), np.arange(6.0).reshape(2, 3)


def power(x, n):
    return x ** n


def steps(x, n):
    s = 0.0
    for i in range(n):
        s = s + math.sin(x) * x * i
        if s > 1.0:
            x = x * 0.5 + s * 0.1
    return s


def until(x):
    k = 0
    while x > 0.1:
        x = x * 0.7
        k += 1
    return x * x * k


def stencil(u, n):
    u = u.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            u[i] = (u[i - 1] * u[i] + u[i + 1]) / 3.0
    return np.sum(u * u)


def part_of_itself(x):
    y = x * 1.0
    y[1:] += y[:-1]
    y -= y[::-1]
    return np.sum(y * y * y)


def its_transpose(x):
    y = x * 1.0
    y += y.T
    return np.sum(y ** 3)


def softmax(x):
    e = np.exp(x - 1.0)
    return np.sum(e / np.sum(e, axis=1, keepdims=True) * x)


def layer(x, w, b):
    return np.sum(np.tanh(x @ w + b) ** 2)


def gathered(x, i):
    return np.sum(x[i] ** 3)


def solved(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2)


def backwards(x):
    s = 0.0
    for v in reversed(x):
        s = s * 0.5 + v * v
    for i in range(4, 0, -2):
        s = s * x[i] + x[i - 1]
    return s


def largest(x):
    m = x[0]
    for v in x:
        m = max(m, v)
    return m * m


def helper(x, n):
    for _ in range(n):
        x = x * SCALE
        if x > 10:
            x = x * 0.5
    return x


def counted(n):
    t = 0.0
    for i in range(n):
        t = t + i * 0.5
    return t


def calls(x, n):
    return x * x * counted(n) * helper(x, n)


def by_module(x):
    return x * np.pi + math.cos(math.pi * x) * SCALE


def chosen(x, c):
    return x * x if c else x


def triangle(x, n):
    k, s = 0, 0.0
    for i in range(n):
        k = k + i
        for j in range(i):
            s = s + x ** 2 * (i * n + j) * 0.1 + x * k
    return s


def not_yet(x):
    c, a, b = None, x, 1.0
    for _ in range(4):
        c = a * b
        a = b + 0.3
        b = np.sin(c)
    return a * b + c


SAME = [
    (power, (2.0, 3)), (power, (2, 3)), (power, (np.float64(2.0), np.int64(3))), (steps, (1.5, 6)), (until, (3.0,)),
    (stencil, (V, 3)), (part_of_itself, (V,)), (its_transpose, (np.arange(4.0).reshape(2, 2),)), (softmax, (M,)),
    (layer, (M, np.ones((3, 2)) * 0.1, np.array([0.1, 0.2]))), (gathered, (V, np.array([0, 2, 2]))),
    (backwards, (V,)), (largest, (np.array([1.0, 1.0, 2.0]),)),
    (calls, (2.0, 4)), (by_module, (0.3,)), (chosen, (2.0, True)), (chosen, (2.0, np.False_)), (triangle, (1.5, 5)),
    (not_yet, (0.7,)), (gathered, (V[::2], np.array([1]))), (softmax, (M.T,)), (softmax, (np.asfortranarray(M),)),
]


def copied(args):
    return [one.copy(order="K") if isinstance(one, np.ndarray) else one for one in args]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("f", "args"), SAME, ids=lambda one: getattr(one, "__name__", ""))
def test_the_same_numbers(f, args):
    want, got = tnb.grad(f)(*copied(args)), tnb.grad(f, compile="numba")(*copied(args))
    assert np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=1e-12, atol=1e-12)
    assert np.asarray(got).dtype == np.asarray(want).dtype
    tangent = np.ones_like(args[0]) if isinstance(args[0], np.ndarray) else 1.0
    want = tnb.jvp(f)(*copied(args), tangent)
    assert np.allclose(tnb.jvp(f, compile="numba")(*copied(args), tangent), want, rtol=1e-12, atol=1e-12)


def test_a_system_of_equations():
    args = np.eye(3) * 2.0, np.arange(3.0)
    assert np.allclose(tnb.grad(solved, compile="numba")(*args), tnb.grad(solved)(*args), rtol=1e-12)


PLAIN = [entry for entry in CORPUS
         if not entry.refused and not entry.function.__code__.co_filename.startswith("<corpus")
         and all(isinstance(one, (int, float, np.ndarray)) for one in point(entry))]


@pytest.mark.sampled(48)
@pytest.mark.parametrize("entry", PLAIN, ids=lambda entry: entry.id)
def test_the_corpus_is_right_or_refused(entry):
    with np.errstate(all="ignore"):
        seed = seed_of(entry)
    try:
        want = seeded(tnb.vjp(entry.function, entry.wrt, optimized=tnb.PASSES), entry, seed)
    except Exception:                                      # is asked of the derivative on NumPy elsewhere
        pytest.skip("it is refused, or raises, on NumPy")
    try:
        got = seeded(tnb.vjp(entry.function, entry.wrt, compile="numba"), entry, seed)
    except (RefusedError, ArgumentError, ZeroDivisionError):    # a tuple is no seed; items divide as Python's floats
        return
    assert gap(got, want) <= 1e-9


# ------------------------------------------------------------------ what Numba does in another way
def factorial(x, n):
    f, s = 1, 0.0
    for i in range(1, n):
        f = f * i
        s = s + x / f
    return s


def fibonacci(x, n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return x * x / b


def doubled(x, n):
    k = 1
    for _ in range(n):
        k += k
    return x / k


def shifted(x, n):
    return x * x * (1 << n)


def fraction(x, n):
    return x * n ** -2


def cube(x, n):
    return x * (n * n * n)


# what hides that an int grows, each in a loop that begins with 1
HIDDEN = ["k = max(k * 2, 1)", "k = abs(k * 2)", "k = (k * 2, 1)[0]", "k = sum([k, k])", "k = min(k + k, k * 3)",
          "k = k + abs(k)", "m = abs(k); k = k + m", "k = divmod(k * 6, 3)[0]", "k = pow(k, 2) + 1", "k = twice(k)",
          "k = k * 10000000000 * 10", "k = k + 9223372036854775807", "k = k * fact(n)"]


@pytest.mark.parametrize("body", HIDDEN)
def test_no_way_to_grow_is_hidden(body):
    f = sourced("def twice(k):\n    for _ in range(1):\n        k = k * 2\n    return k\n"
                "def fact(k):\n    return 1 if k <= 1 else k * fact(k - 1)\n"
                f"def f(x, n):\n    k = 1\n    for i in range(n):\n        {body}\n    return x * k\n", {"np": np})["f"]
    with pytest.raises(RefusedError):
        tnb.grad(f, compile="numba")(2.0, 70)


@pytest.mark.parametrize(("text", "args"), [
    ("x * (n * n + n * n + n * n)", (2.0, 2 ** 31 - 1)), ("x * sum([n * n, n * n, n * n])", (2.0, 2 ** 31 - 1)),
    ("x * int(x)", (1e30,)), ("x * math.floor(x)", (1e30,)),
    ("x * round(x)", (1e30,)), ("np.sum(x * ((x > 1) + (x > 2)))", (V,)), ("x * (~n)", (2.0, True)),
    ("x * 2 if ~(x > 1) else x * 3", (0.5,)), ("x * np.power(2, n)", (2.0, -2)), ("x * (n % m)", (2.0, 3, 0)),
    ("x * (n // m)", (2.0, 3, 0)), ("x * np.float32(n)", (2.0, 3)), ("np.sum(x[n / 2:])", (V, 2)),
    ("sum(x for i in range(n / 1))", (2.0, 2)), ("np.sum(x[0] * k)", (V, V.astype(">f8"))),
])
def test_what_computes_in_another_way_is_refused(text, args):
    names = ["x", "k"] if text.endswith("k)") else ["x", "n", "m"][:len(args)]
    f = sourced(f"def f({', '.join(names)}):\n    return {text}\n", {"np": np, "math": math})["f"]
    with pytest.raises(TangentError):
        tnb.grad(f, compile="numba")(*args)


@pytest.mark.parametrize("body", ["k += x", "k[1:3] += x", "k *= x"])
def test_memory_behind_an_array_is_not_read(body):
    f = sourced(f"def f(x, k):\n    {body}\n    return np.sum(k * k)\n", {"np": np})["f"]
    five = np.arange(5.0)
    for x, k in ((np.ones((4, 5)), five), (np.ones(5), np.arange(1.0)), (np.ones(5), five[:, None])):
        with pytest.raises((TangentError, ValueError)):
            tnb.grad(f, compile="numba")(x, k)
    good = np.ones(2 if "[" in body else 5), five
    assert np.allclose(tnb.grad(f, compile="numba")(*copied(good)), tnb.grad(f)(*copied(good)))


def test_truth_values_are_not_counted():
    def counted_truths(x, n):
        k = False
        for i in range(len(x)):
            k = k + (x[i] > 0)
        return np.sum(x) * k
    with pytest.raises(RefusedError, match="truth values"):
        tnb.grad(counted_truths, compile="numba")(V, 0)


def test_values_from_outside_are_of_64_bits():
    f = sourced("C = 2.0\ndef f(x):\n    return np.sum(x * C)\n", {"np": np})["f"]
    df = tnb.grad(f, compile="numba")
    assert np.array_equal(df(np.ones(2)), [2.0, 2.0])
    for other in (np.uint8(200), np.float32(0.1), np.ones(2, ">f8"), {"a": 1}, [1, 2.5], types.SimpleNamespace(a=1.0)):
        f.__globals__["C"] = other
        with pytest.raises(ArgumentError, match="takes numbers and arrays of 64 bits"):
            df(np.ones(2))


def test_a_builtin_that_is_shadowed_later_is_refused():
    f = sourced("def f(x, n):\n    return abs(n) * x\n", {"np": np})["f"]
    df = tnb.grad(f, compile="numba")
    assert df(2.0, -3) == 3.0
    f.__globals__["abs"] = lambda v: v * 20
    with pytest.raises(TangentError, match="abs means something else now"):
        df(2.0, -3)


def test_one_that_came_from_another_process_asks_for_the_same():
    f = sourced("def f(x, n):\n    return abs(n) * x\n", {"np": np})["f"]
    df = tnb.grad(f, compile="numba", like=(2.0, 3))
    cells = dict(zip(df.__code__.co_freevars, df.__closure__, strict=True))
    cells["_df_dx_numba"].cell_contents = pickle.loads(pickle.dumps(cells["_df_dx_numba"].cell_contents))
    assert df(2.0, -3) == 3.0


def test_what_the_user_compiles_himself_is_not_taken_for_the_derivative():
    numba = pytest.importorskip("numba")
    above = numba.njit(lambda v: v + 1.0)

    def f(x, n):
        return x * x * above(2.0) * n
    assert tnb.grad(f, compile="numba", like=(2.0, 3))(2.0, 3) == 36.0


def test_a_function_in_the_function_is_always_the_same():
    def f(x, n):
        def inner(v):
            return v * 2.0
        return inner(n) * x
    assert tnb.grad(f, compile="numba")(2.0, 3) == 6.0


def test_poles_are_those_of_numpy():
    for f in (lambda x: np.sum(np.log(x)), lambda x: np.sqrt(np.sum(x * x)), lambda x: 1.0 / x[0]):
        with np.errstate(all="ignore"):
            assert np.array_equal(tnb.grad(f, compile="numba")(V * 0.0), tnb.grad(f)(V * 0.0), equal_nan=True)


@pytest.mark.parametrize("f", [factorial, fibonacci, doubled, shifted, fraction, cube])
def test_ints_that_may_leave_64_bits_are_refused(f):
    assert np.isfinite(tnb.grad(f)(2.0, 30))
    with pytest.raises(RefusedError, match="an int may grow beyond 64 bits here") as caught:
        tnb.grad(f, compile="numba")(2.0, 30)
    assert caught.value.refusals[0].span is not None


SMALLEST, BIGGEST = -2 ** 31, 2 ** 31 - 1


def of_ints(body):
    return sourced("def twice(k):\n    return k * k\ndef f(x, n):\n    s = 0.0\n    "
                   + "\n    ".join(body) + "\n    return s\n", {"np": np})["f"]


@pytest.mark.parametrize("body", [
    ["for i in range(n * n, n * n + 2):", "    s = s + x * (i * i)"],
    ["s = x * sum(i * i for i in range(n * n, n * n + 2))"],
    ["for a, b in [(n * n, n * n)]:", "    s = s + x * (a * b)"], ["t = (n * n, n * n)", "a, b = t", "s = x * (a * b)"],
    ["for i, k in enumerate([n * n]):", "    s = s + x * (k * k)"], ["s = x * (n * n + n * n + 8 * n)"],
    ["k = 0", "for i in range(n):", "    for j in range(n):", "        k += n", "s = x * k"],
    ["k = i = 0", "while i < n * n:", "    i, k = i + 1, k + n", "s = x * k"], ["s = x * (n * ((-1) % (n * n)) * 2)"],
    ["s = x * twice(n * n)"], ["(k := n * n)", "s = x * (k * k)"]], ids=" ".join)
def test_ints_that_loops_and_tuples_give_are_as_large_as_what_they_are_made_of(body):
    with pytest.raises(RefusedError):
        tnb.grad(of_ints(body), compile="numba")(2.0, BIGGEST)


@pytest.mark.parametrize(("body", "n"), [
    (["s = x * (n * n + n * n)"], BIGGEST), (["for i in range(n * n, n * n + 2):", "    s = s + x * i"], BIGGEST),
    (["s = x * (3 * (n * n // 7) + n)"], BIGGEST), (["for a, b in [(n, n)]:", "    s = s + x * (a * b)"], BIGGEST),
    (["for i in range(n):", "    k = 0", "    while k < i:", "        k += 1", "    s = s + x * k"], 5),
    (["k = 0", "for i in range(n):", "    for j in range(n):", "        k += 1", "s = x * k"], 5)], ids=str)
def test_ints_that_stay_in_64_bits_are_compiled(body, n):
    f = of_ints(body)
    assert tnb.grad(f, compile="numba")(2.0, n) == tnb.grad(f)(2.0, n)


def test_an_int_of_more_than_31_bits_is_refused():
    df = tnb.grad(lambda x, n: x * (n * n), compile="numba")
    assert df(2.0, 2 ** 31 - 1) == float((2 ** 31 - 1) ** 2)
    for n in (BIGGEST + 1, SMALLEST):
        with pytest.raises(ArgumentError, match=f"takes ints of 31 bits, and is given {n}"):
            df(2.0, n)


def drawn(x):
    np.random.seed(0)
    return np.sum(x * np.random.normal(size=3))


def sorted_by(x):
    return np.sum(np.sort(x) * x)


@pytest.mark.parametrize(("f", "args", "why"), [
    (drawn, (np.ones(3),), "would draw other numbers"), (sorted_by, (V,), "has no compiled form for Numba"),
    (gathered, (V.astype(np.float32), np.array([0])), "x is an array of f4, which is not compiled"),
    (chosen, (2.0, "yes"), "c is no number, and no array of numbers"),
    (lambda x: np.einsum("i,i->", x, x) * np.median(x), (V,), "compiled"),
])
def test_what_is_not_compiled_is_refused_at_its_place(f, args, why):
    with pytest.raises(RefusedError, match=why) as caught:
        tnb.grad(f, compile="numba")(*args)
    assert caught.value.refusals[0].span.source.filename == __file__


def test_what_is_refused_on_numpy_is_refused_when_it_is_derived():
    with pytest.raises(RefusedError, match="does not exist"):
        tnb.grad(lambda x: np.no_such_function(x), compile="numba")
    with pytest.raises(RefusedError, match="takes any number of arguments"):
        tnb.grad(lambda x, *more: x * more[0], compile="numba")(2.0, 3.0)


@pytest.mark.parametrize("i", [7, -6])
def test_an_index_out_of_bounds_is_an_error(i):
    with pytest.raises(IndexError):
        tnb.grad(lambda x, i: x[i] * 2.0, compile="numba")(V, i)


# ------------------------------------------------------------------ a plain function, never stale
def test_what_is_read_from_outside_is_what_it_is_now():
    space = {"np": np}
    f = sourced("k = 2.0\ndef g(x):\n    for i in range(3):\n        x = x * k\n    return x\n"
                "def f(x):\n    return g(x) * k\n", space)["f"]
    df = tnb.grad(f, compile="numba")
    assert df(1.0) == 16.0
    f.__globals__["k"] = 3.0
    assert df(1.0) == 81.0
    f.__globals__["g"] = lambda x: x
    with pytest.raises(TangentError, match="g has been defined anew"):
        df(1.0)


def test_the_text_is_that_of_numpy_behind_an_entry():
    df = tnb.grad(steps, compile="numba", like=(1.5, 6))
    entry, inner = inspect.getsource(df), tnb.source(df)
    assert "rt.nopython(_dsteps_dx_numba, x, n)" in entry
    assert "@numba.njit(boundscheck=True, error_model='numpy')\ndef _dsteps_dx_numba" in inner
    assert list(tnb.stages(df))[-2:] == ["numba", "emit"] and df(1.5, 6) == tnb.grad(steps)(1.5, 6)
    plain = tnb.source(tnb.grad(steps, like=(1.5, 6)))
    assert inner.split("# forward")[1].split("\n\n\n")[0] == plain.split("# forward")[1].split("\n\n\n")[0]


def test_of_all_shapes_that_come():
    df = tnb.grad(lambda x: np.sum(x * x), compile="numba")
    for shape in [(2,), (2, 3), (1,), (1, 2), (2, 1), (1, 1), (3, 3), (2, 2, 2), (1, 2, 2), (0,), (2, 0)] * 2:
        assert df(np.ones(shape)).shape == shape
    read_only = np.ones(3)
    read_only.setflags(write=False)
    assert np.array_equal(df(read_only), [2.0, 2.0, 2.0])


def test_its_derivatives_are_those_of_numpy_or_compiled_too():
    df, second = tnb.grad(steps, compile="numba"), tnb.grad(tnb.grad(steps))(1.5, 6)
    assert math.isclose(tnb.grad(df)(1.5, 6), second) and math.isclose(tnb.jvp(df)(1.5, 6, 1.0), second)
    assert math.isclose(tnb.grad(df, compile="numba")(1.5, 6), second)
    value, slope = tnb.value_and_grad(steps, compile="numba")(1.5, 6)
    assert math.isclose(value, steps(1.5, 6)) and math.isclose(slope, df(1.5, 6))
    assert math.isclose(tnb.vjp(steps, compile="numba")(1.5, 6, 2.0), 2.0 * slope)


def named(x, n):
    return x ** n


dnamed_dx = tnb.grad(named, compile="numba")


def test_it_travels_and_serves_threads(monkeypatch):
    assert dnamed_dx(2.0, 3) == 12.0
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or type(sys)(__name__))
    monkeypatch.setattr(sys.modules[__name__], "dnamed_dx", dnamed_dx, raising=False)
    assert pickle.loads(pickle.dumps(dnamed_dx))(2.0, 3) == 12.0
    df, found = tnb.grad(named, compile="numba"), []
    threads = [threading.Thread(target=lambda: found.append(df(2.0, 3))) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [12.0] * 4


def test_what_makes_no_sense_is_said():
    for asked, why in (({"compile": "jit"}, "compile='jit' is for backend='jax'"),
                       ({"compile": "numba", "backend": "jax"}, "compile='numba' is for backend='numpy'"),
                       ({"compile": "c"}, "compile is None, 'jit' or 'numba'")):
        with pytest.raises(TangentError, match=why):
            tnb.grad(named, **asked)
    with pytest.raises(TangentError, match="is compiled, and runs no lines"):
        tnb.watch(dnamed_dx)
    with pytest.raises(TangentError, match="compile='numba' is for joint motion"):
        tnb.pullback(named, 2.0, 3, compile="numba")


def half_of(t):
    return t / 2


def with_a_helper(x, w):
    return np.sum(half_of(x) * w)


def with_a_longer_helper(x, w):
    return np.sum(settled(x) * w)


def settled(t):
    for _ in range(3):
        t = t - 0.5 * np.sin(t)
    return t


@pytest.mark.parametrize("f", [with_a_helper, with_a_longer_helper])
def test_other_shapes_than_the_examples_have_a_text_of_their_own_where_helpers_are_checked(f):
    """The check of helpers stood where the guard of the examples had stood: a gradient of another shape came out."""
    x = np.arange(12.0).reshape(4, 3) / 10.0
    df = tnb.grad(f, "w", compile="numba", like=(x, x))
    entry = tnb.source(df).partition("\n\n")[0]
    assert entry.count("rt.check_helpers") == 1 and entry.count("rt.fits") == 1
    for w in (np.ones((4, 3)), np.ones((1, 3)), np.ones(3), np.ones((4, 1))):
        expected = tnb.grad(f, "w", optimized=False)(x, w)
        np.testing.assert_allclose(df(x, w), expected, rtol=1e-12)
        assert df(x, w).shape == w.shape
