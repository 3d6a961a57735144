"""Texts for arrays of some ranks, whatever their sizes are: what they rely on, and that they are right at others."""
from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from corpus import CORPUS, Entry
from oracles import as_vector, sourced
from resizing import called, resized

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.runtime.fits import fits
from tangent_nb.syntax.sizes import Met, Size, broadcast_sizes, computed, meeting, size, sliced, total, unsized

N, K = size("n", 4), size("k", 3)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def uniform(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).uniform(0.5, 1.5, shape)


# ------------------------------------------------------------------ sums
def test_sums_of_sizes_are_equal_where_their_values_are() -> None:
    assert total([N, K, -1]) == total([K, -1, N]) and total([N, total([N], -1)]) == 0
    assert total([N, 1]) != N and total([N, N]) == total([N], 2) != total([N, K])
    assert str(total([total([N], 4), -2])) == "4*n - 2" and str(total([5, total([N], -1)])) == "5 - n"


@pytest.mark.parametrize(("lower", "upper", "long"), [
    (1, None, "n - 1"), (0, -1, "n - 1"), (1, -1, "n - 2"), (0, None, "n"), (2, None, "n - 2")])
def test_what_is_cut_off_is_subtracted_where_there_is_so_much(lower: int, upper: int | None, long: str) -> None:
    end = None if upper is None else total([N, upper])
    assert str(sliced(N, lower, end)) == long


def test_of_other_parts_it_is_not_known_how_long_they_are() -> None:
    three, first = sliced(N, 3, None), sliced(N, 0, 3)
    assert three == sliced(N, 3, None) != first and isinstance(three, Size) and three.lowest is None
    assert sliced(total([K], 4), 0, K) == K == sliced(total([K], 4), total([K], 3), None)


def test_a_size_that_may_be_one_is_no_other() -> None:
    perhaps = sliced(N, 3, None)
    assert broadcast_sizes((perhaps,), (K,)) == (K,) == broadcast_sizes((K,), (perhaps,))
    assert broadcast_sizes((perhaps,), (unsized("other"),)) not in [(perhaps,), (unsized("other"),)]
    with pytest.raises(ValueError, match="do not broadcast"):
        broadcast_sizes((2,), (3,))


def test_what_numpy_computes_of_shapes_holds_for_all_sizes_or_is_not_known() -> None:
    assert computed(lambda shape: np.zeros(shape)[None].shape, (N, K)) == (1, N, K)
    assert computed(lambda shape: np.zeros(shape).reshape(4, -1).shape, (N, K)) is None
    cells = computed(lambda shape: np.zeros(shape).reshape(-1).shape, (N, K), "flat")
    assert cells == computed(lambda shape: np.zeros(shape).ravel().shape, (N, K), "flat") and len(cells or ()) == 1
    assert computed(lambda shape: np.squeeze(np.zeros(shape)).shape, (N, 1)) == (N,)
    assert computed(lambda shape: np.squeeze(np.zeros(shape)).shape, (N, sliced(N, 3, None))) is None


def test_what_meets_is_one_only_where_the_examples_agree() -> None:
    met = Met()
    met.note(N, K)
    met.note(N, 3)
    assert not met.same
    met.note(total([N, -1]), K)
    assert met.of(N) == total([K, 1]) and met.of(total([N, N])) == total([total([K], 2), 2])
    assert not fits("f8[n + 1, n]", np.ones((4, 4))) and fits("f8[n + 1, n]", np.ones((4, 3)))


def test_a_broadcast_notes_what_meets() -> None:
    other = size("other", 4)
    with meeting() as met:
        broadcast_sizes((N, K), (other, 1))
        broadcast_sizes((N, K), (K,))
    assert met.of(N) == met.of(other) and met.of(K) == K


# ------------------------------------------------------------------ texts
def network(x, w, b, y):
    hidden = np.tanh(x @ w + b)
    return np.mean((hidden - y) ** 2)


def gates(x, w, h):
    size = h.shape[1]
    for _ in range(2):
        z = x @ w
        h = np.tanh(z[:, :size]) * h + z[:, size:2 * size] * z[:, 2 * size:]
    return np.sum(h)


def diffused(u, k):
    v = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(v[:-1] * v[1:])


def shrinking(u, k):
    for _ in range(3):
        u = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def rows(xs, w):
    s = 0.0
    for x in xs:
        s = s + np.sum(np.tanh(x * w))
    return s


def scaled(x, w):
    return np.sum(x * np.array([1.0, 2.0, 3.0]) * w)


def slope(y, k):
    dy = np.empty_like(y)
    dy[0] = k[0] * y[0] + y[1]
    dy[1:] = k[1] * y[:-1] * y[1:]
    return dy


def integrated(y, k, dt):
    for _ in range(3):
        a = slope(y, k)
        b = slope(y + 0.5 * dt * a, k)
        y = y + dt * b
    return np.sum(y * y)


def halved(x):
    if len(x) < 2:
        return np.sum(np.sin(x))
    middle = len(x) // 2
    return halved(x[:middle]) * 0.5 + halved(x[middle:] * x[middle:])


def shorter(x):
    if len(x) < 3:
        return np.sum(x * x)
    return shorter(x[1:] * x[:-1]) + x[0]


def found(x, w):
    for i in range(len(x)):
        if x[i] > 0.9:
            break
    else:
        return w * 2.0
    return w * x[i]


def searched(x, w):
    y = found(x, w)
    return np.sum(y * y)


def chosen(x):
    """A variable of the name that the caller has, too."""
    made = x[x > 0.8]
    for i in range(3):
        if i > len(x):
            made = made[:1]
        made = made * 1.0
    return made


def chosen_twice(x):
    made = x[x > 1.1]
    other = chosen(x)
    return np.sum(np.sum(made) * other) + np.sum(other * np.sum(made * 1.0))


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str, tuple[Any, ...]]] = {
    "network": (network, (uniform(4, 3), uniform(3, 2), uniform(2), uniform(4, 2)),
                "x: f8[n, k], w: f8[k, m], b: f8[m], y: f8[n, m]",
                (uniform(7, 5), uniform(5, 6), uniform(6), uniform(7, 6))),
    "gates": (gates, (uniform(2, 4), uniform(4, 9), uniform(2, 3)), "x: f8[n, k], w: f8[k, 3*m], h: f8[n, m]",
              (uniform(5, 3), uniform(3, 12), uniform(5, 4))),
    "diffused": (diffused, (uniform(9), 0.1), "u: f8[n], k: float", (uniform(12), 0.2)),
    "integrated": (integrated, (uniform(4), uniform(2), 0.1), "y: f8[n], k: f8[k], dt: float",
                   (uniform(7), uniform(2), 0.2)),
    "chosen_twice": (chosen_twice, (uniform(7),), "x: f8[n]", (uniform(9),)),
    "halved": (halved, (uniform(5),), "x: f8[n]", (uniform(9),)),
    "shorter": (shorter, (uniform(5),), "x: f8[n]", (uniform(9),)),
    "searched": (searched, (uniform(5), uniform(3)), "x: f8[n], w: f8[k]", (uniform(9), uniform(2))),
    "shrinking": (shrinking, (uniform(9), 0.1), "u: f8[n], k: float", (uniform(12), 0.2)),
    "rows": (rows, (uniform(3, 4), uniform(4)), "xs: f8[n, k], w: f8[k]", (uniform(5, 2), uniform(2))),
    "scaled": (scaled, (uniform(3), uniform(2, 3)), "x: f8[3], w: f8[n, 3]", (uniform(3), uniform(6, 3))),
    "one_of_one": (network, (uniform(1, 3), uniform(3, 2), uniform(1), uniform(1, 2)),
                   "x: f8[1, n], w: f8[n, k], b: f8[1], y: f8[1, k]",
                   (uniform(1, 5), uniform(5, 4), uniform(1), uniform(1, 4))),
}


# another shape in each trip, or call; summed over one axis, and kept on another; a loop with an else
PARTLY = ("shrinking", "one_of_one", "halved", "shorter", "searched", "chosen_twice")


@pytest.mark.parametrize("name", CASES)
def test_a_text_says_what_it_is_for_and_is_right_at_other_sizes(name: str) -> None:
    f, arguments, made, others = CASES[name]
    wrt = tuple(range(len(arguments)))
    df, general = tnb.grad(f, wrt, like=arguments), tnb.grad(f, wrt)
    texts = tnb.versions(df)
    assert list(texts) == [made, "general"]
    assert name in PARTLY or "rt.unbroadcast" not in texts[made]
    for given in (arguments, others):
        assert made_so(made, given)
        for got, expected in zip(df(*given), general(*given), strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-12)
            assert np.shape(got) == np.shape(expected)


def made_so(made: str, given: tuple[Any, ...]) -> bool:
    return fits(re.sub(r"\w+: ", "", made), *given)


def test_functions_that_are_called_are_made_for_what_they_are_given() -> None:
    text = tnb.versions(tnb.grad(integrated, (0, 1, 2), like=CASES["integrated"][1]))[CASES["integrated"][2]]
    forward = text.partition("def _slope_fwd")[2].partition("\n\n")[0]
    assert forward.splitlines()[-1].endswith("return dy, (k, product, y)") and text.count("def ") == 3


def test_a_function_that_calls_itself_with_other_sizes_has_few_texts() -> None:
    assert tnb.source(tnb.grad(shorter, like=(uniform(5),))).count("def _shorter_fwd") <= 6


def test_a_loop_over_an_array_goes_over_it_again() -> None:
    text = tnb.versions(tnb.grad(rows, "w", like=(uniform(3, 4), uniform(4))))["xs: f8[n, k], w: f8[k]"]
    assert text.splitlines()[3:] == [
        "    bw = np.zeros_like(w)", "    for x in reversed(xs):", "        # Grad of: s = s + np.sum(np.tanh(x * w))",
        "        tanh = np.tanh(x * w)", "        bw += (1.0 - tanh * tanh) * x", "    return bw"]


@pytest.mark.parametrize("given", [
    (uniform(4, 3), uniform(3, 2), uniform(1), uniform(4, 2)),
    (uniform(1, 3), uniform(3, 2), uniform(2), uniform(1, 2)),
    (uniform(4, 3), uniform(3, 2), uniform(2), uniform(1, 2)), (uniform(3), uniform(3, 2), uniform(2), uniform(2)),
    (uniform(0, 3), uniform(3, 2), uniform(2), uniform(0, 2)),
    (uniform(4, 3).astype("f4"), uniform(3, 2), uniform(2), uniform(4, 2))], ids=str)
def test_others_are_served_by_the_general_text(given: tuple[Any, ...]) -> None:
    df = tnb.grad(network, ("w", "b"), like=CASES["network"][1])
    assert not made_so(CASES["network"][2], given)
    for got, expected in zip(df(*given), tnb.grad(network, ("w", "b"))(*given), strict=True):
        np.testing.assert_array_equal(got, expected)


# ------------------------------------------------------------------ found by those who attacked it
ATTACKS = {
    "diag": ("np.mean(np.diag(x) ** 2)", [(5, 3)], [(3, 5), (4, 4)]),
    "diag_beside": ("np.mean(np.diag(x, 1) ** 2)", [(3, 3)], [(3, 5), (5, 3)]),
    "length_of_diag": ("np.mean(np.zeros(len(np.diag(x))) + np.diag(x))", [(5, 3)], [(2, 6)]),
    "padded": ("np.mean(np.pad(x, ((0, 0), (0, 0), (1, 1), (0, 0)))[0, 0, :, 0] ** 2)", [(2, 3, 4, 5)], [(3, 2, 5, 4)]),
    "list_of_sizes": ("filled(x, list(x.shape))", [(4, 3)], [(3, 4)]),
    "list_of_sizes_in_a_helper": ("longer(x)", [(4, 3)], [(2, 5)]),
    "true": ("np.sum(x[None, True] * x)", [(3,)], [(4,)]),
    "true_alone": ("np.mean((x[True] * 2.0) ** 2)", [(5, 3)], [(2, 4)]),
    "loop_over_no_rows": ("sum([np.mean(b * b) for b in x[1:]], 0.0)", [(4, 3)], [(1, 3), (2, 2)]),
}
HELPERS = """
def doubled(q):
    q[0] = q[0] * 2
    for i in range(2):
        q[1] = q[1] + i
def longer(x):
    s = [len(x), x.shape[1]]
    doubled(s)
    y = np.zeros(s)
    y[:len(x), :x.shape[1]] = x
    return np.mean(y * y)
def filled(x, s):
    s[0] = s[0] + 1
    y = np.zeros(s)
    y[:len(x), :x.shape[1]] = x
    return np.mean(y * y)
def changed(x):
    n, k = x.shape
    s = [n, k]
    t = s
    t[0] = 2 * n
    y = np.zeros(s)
    y[:n] = x
    return np.mean(y * y)
"""
ATTACKS["list_of_sizes_by_another_name"] = ("changed(x)", [(4, 3)], [(3, 5)])


@pytest.mark.parametrize("name", ATTACKS)
def test_what_was_wrong_under_attack(name: str) -> None:
    """NumPy's functions that choose among sizes, lists of sizes that change, and indices that only look like ints."""
    text, examples, others = ATTACKS[name]
    f = sourced(f"{HELPERS}def f(x):\n    return {text}\n", {"np": np})["f"]
    df, general = tnb.grad(f, like=[uniform(*shape) for shape in examples]), tnb.grad(f)
    for shape in [*examples, *others]:
        x, d = uniform(*shape), 1e-6 * uniform(*shape[::-1]).reshape(shape)
        got, expected = df(x), general(x)
        np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-12)
        assert np.shape(got) == np.shape(expected) == shape
        np.testing.assert_allclose(np.vdot(got, d), (f(x + d) - f(x - d)) / 2.0, rtol=1e-5, atol=1e-12)


def test_a_text_for_many_arguments_is_that_for_its_examples() -> None:
    names = "abcdefghijkl"
    f = sourced(f"def f({', '.join(names)}):\n    return sum(np.sum(v * v) for v in ({', '.join(names)}))\n",
                {"np": np})["f"]
    arguments = [uniform(n) for n in range(2, 14)]
    made = next(iter(tnb.versions(tnb.grad(f, like=arguments))))
    assert made_so(made, tuple(arguments)) and made.endswith("k: f8[w], l: f8[n_1]")


def test_a_derivative_for_examples_may_be_called_in_a_function() -> None:
    space = sourced("""
def h(a):
    return np.sin(a) * a
dh = tnb.grad(h, like=(1.0,))
def f(a):
    return dh(a) ** 2
""", {"np": np, "tnb": tnb})
    slope = (space["f"](0.7 + 1e-6) - space["f"](0.7 - 1e-6)) / 2e-6
    for df in (tnb.grad(space["f"]), tnb.grad(space["f"], like=(1.0,)), lambda a: tnb.jvp(space["f"])(a, 1.0)):
        assert df(0.7) == pytest.approx(slope, rel=1e-7)


@pytest.mark.parametrize("changed", ["longer", "inner"])
def test_what_is_known_of_a_call_is_asked_again(changed: str) -> None:
    """Of functions that carry no derivative, and of those that they call, too: they may have been defined anew."""
    space = sourced("""
def inner(k):
    return np.ones_like(k)
def longer(k):
    s = np.ones_like(k)
    for _ in range(2):
        s = s * 2.0
    t = s + 1.0
    return t * inner(k)
def f(x, k):
    return np.mean(x * longer(k))
""", {"np": np})
    x, k = uniform(4), uniform(4)
    df = tnb.grad(space["f"], like=(x, k))
    np.testing.assert_allclose(df(x, k), tnb.grad(space["f"])(x, k))
    space[changed] = lambda k: np.ones((2, 4, 4))
    with pytest.raises(TangentError, match=f"{changed} has been defined anew"):
        df(x, k)


# ------------------------------------------------------------------ the corpus
@pytest.mark.parametrize("entry", [pytest.param(e, id=e.id, marks=pytest.mark.sampled(24))
                                   for e in CORPUS if not e.refused])
def test_the_corpus_at_other_sizes(entry: Entry) -> None:
    try:
        general = tnb.grad(entry.function, wrt=entry.wrt)
    except TangentError:
        pytest.skip("it may be refused")
    df = tnb.grad(entry.function, wrt=entry.wrt, like=entry.args)
    made = next(iter(tnb.versions(df)))
    for arguments in (entry.args, resized(made, entry, 1), resized(made, entry, 2)):
        if arguments is None or isinstance(called(entry.function, arguments), type):
            continue
        got, expected = called(df, arguments), called(general, arguments)
        if isinstance(expected, type):
            assert got is expected
            continue
        found, wanted = as_vector(got), as_vector(expected)
        scale = max(1.0, float(np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0.0)))
        np.testing.assert_allclose(found, wanted, rtol=max(1e-9, entry.tol), atol=1e-9 * scale)


def test_arrays_of_no_numbers_say_nothing() -> None:
    df = tnb.grad(lambda x, t: x * len(t), like=(2.0, np.array(["2024-01-01"], "M8[s]")))
    assert list(tnb.versions(df)) == ["x: float", "general"] and df(3.0, np.array(["a"])) == 1.0


@pytest.mark.parametrize("op", ["np.sqrt(gap ** 2)", "np.exp(gap)", "np.tanh(gap)", "1.0 / gap", "gap / (gap + 1.0)",
                                "gap ** 1.5", "np.hypot(gap, 1.0)", "1.0 / (1.0 + np.exp(-gap))", "np.cbrt(gap)"])
@pytest.mark.parametrize("before", ["x[:, None] * x[None, :]", "np.sum(x)", "x[:1] * 2.0", "x.astype('f4')",
                                    "np.outer(x, x)[None]"])
def test_what_a_name_held_before_is_not_the_result(op: str, before: str) -> None:
    """A contribution that reads the result of its statement has the shape of that, whatever the name held before."""
    f = sourced(f"import numpy as np\ndef f(x):\n    y = {before}\n    s = np.sum(y)\n    gap = x * 2.0\n    y = {op}\n"
                "    return y[0] * y[2] + 0.1 * s\n")["f"]
    x, d = uniform(3), np.array([1.0, -0.4, 0.2])
    for texts in ({}, {"optimized": False}, {"optimized": tnb.PASSES}):
        got = tnb.grad(f, **texts)(x)
        due = (float(f(x + 1e-6 * d)) - float(f(x - 1e-6 * d))) / 2e-6
        assert got.shape == x.shape and got @ d == pytest.approx(due, rel=1e-5, abs=2e-2 if "f4" in before else 1e-7)
        assert tnb.jvp(f, **texts)(x, d) == pytest.approx(got @ d, rel=1e-6 if "f4" in before else 1e-12)


def in_turn(a, b, c):
    return np.sum(a[:len(b)] * b) + np.sum(b[:len(c)] * c)


def test_sizes_that_are_sums_of_sums_fit_the_arguments_that_they_are_of() -> None:
    args = uniform(9), uniform(6), uniform(3)
    df = tnb.grad(in_turn, (0, 1, 2))
    for sizes in ((9, 6, 3), (12, 7, 5), (9, 9, 3)):
        given = tuple(uniform(n) for n in sizes)
        for one, other in zip(df(*given), tnb.grad(in_turn, (0, 1, 2), optimized=False)(*given), strict=True):
            assert np.allclose(one, other, rtol=1e-14)
    assert any(made_so(text, args) for text in tnb.versions(df) if text != "general")


def test_an_array_of_one_value_is_added_as_that_value() -> None:
    def centred(x, w):
        d = x - np.mean(x)
        return np.sum(np.sin(d) * w)

    x, w = uniform(5), uniform(5)
    df = tnb.grad(centred, like=(x, w))
    assert "full_like" not in tnb.versions(df)["x: f8[n], w: f8[n]"]
    assert np.allclose(df(x, w), tnb.grad(centred, optimized=False)(x, w), rtol=1e-13)
