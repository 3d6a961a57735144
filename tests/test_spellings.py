"""Ways of writing what has a derivative: concatenations by an index, methods held under another name,
numbers with an index, messages."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced
from test_shadowed_names import X, check

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(4)


def columns(v, w):
    return np.c_[v, w, np.ones(3)]


def concatenations(x):
    a = np.r_[0.0, x, np.r_[x[0], -1.0], 2]
    b = np.c_[np.outer(x, x), x, [1.0, 2.0, 3.0]]
    c = np.r_[0:3, x, 1.0:2.0:0.5]
    squares = [v * v for v in np.r_[x, x]]
    y = np.zeros(3)
    y[np.r_[0:2, 2]] = x
    return np.sum(a * np.arange(7.0)) + np.sum(b ** 2 * np.arange(15.0).reshape(3, 5)) + np.sum(c * np.arange(8.0)) \
        + sum(squares) + np.sum(np.c_[x[0], x[1]] ** 3) + np.sum(np.r_[np.zeros((2, 3)), np.outer(x, x)] ** 2) \
        + np.sum(columns(x, 2.0 * x) ** 3) + y @ y \
        + np.sum(np.c_[np.ones((2, 2, 1)), np.stack([np.outer(x[:2], x[:2])] * 2, axis=2)] ** 2)


def indexed_numbers(x):
    total = np.sum(x)[None][0] ** 2 + x[0][...] * np.sum(x[1][None]) + np.sum(x)[()] \
        + np.sum(np.dot(x, x)[np.newaxis, np.newaxis])
    for v in x:
        total = total + np.sum(v[None] ** 2) + v[...] * 3.0
    held = {"a": x[0], "b": x}
    return total + np.sum(np.concatenate([np.sum(x)[None], x]) ** 2) + np.sum(held["a"][None]) \
        + np.sum(held["b"][None] ** 2)


def indexed_python_number(x):
    y = np.maximum(x, 0.2)
    array = np.asarray(x)
    total = np.sum(y[None] * y) + y[...] * np.sum(array[None, None] ** 2) + y[()] * array[...]
    return total + np.sum(np.clip(x, 0.0, 2.0)[..., None] * y) + np.sum(np.where(x > 0.0, x, 1.0)[np.newaxis] ** 3)


def told_by_asserts(x):
    assert x.ndim == 1, [v for v in x if v > 0.0]
    assert x.size == 3, {k: v * 2.0 for k, v in enumerate(x)}
    for i in range(3):
        y = x[i] ** 2
        assert y < 100.0, ", ".join(str(v) for v in x)
        assert y < 100.0, (i, y)
    return np.sum(x ** 2)


def energies(v):
    return v ** 2, v * 3.0


def targets_of_a_call(x):
    kinetic, potential = np.zeros(3), np.zeros(3)
    kinetic[0], potential[0] = energies(x[0])
    for i in range(2):
        kinetic[i + 1], potential[i] = energies(x[i] * kinetic[0])
    kinetic[1], potential[2], first = x * x
    return np.sum(kinetic * potential) + np.sum(kinetic) + first


def configured(x):
    config = json.loads('{"w": [1.0, 2.0, 3.0], "b": 2.0}')
    return np.sum(x * np.array(config["w"])) * config["b"] * x[0]


@pytest.mark.parametrize("f", [concatenations, indexed_numbers, told_by_asserts, targets_of_a_call, configured])
def test_each_is_differentiated(f: Callable[..., Any]) -> None:
    check(f)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("kind", [float, np.float64])
def test_an_index_of_a_number_that_is_none_of_numpy(kind: Callable[[float], Any], optimized: bool) -> None:
    f, x = indexed_python_number, kind(0.5)
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    value, gradient = tnb.value_and_grad(f, optimized=optimized)(x)
    df = tnb.grad(f, optimized=optimized)
    assert value == f(x)
    np.testing.assert_allclose([gradient, df(x), tnb.jvp(f, optimized=optimized)(x, 1.0)], slope, rtol=1e-6)
    if optimized:                                          # no other text without passes
        np.testing.assert_allclose(tnb.pullback(f, x)[1](1.0), slope, rtol=1e-6)
        bend = (df(x + 1e-6) - df(x - 1e-6)) / 2e-6
        np.testing.assert_allclose([tnb.hvp(f)(x, 1.0), tnb.grad(df)(x)], bend, rtol=1e-6)


HELD = """
from scipy.stats import norm
N, D, T = norm.cdf, norm.pdf, np.multiply.outer
def total(fn, x):
    return np.sum(fn(x))
def f(x, L=norm.logpdf):
    P = norm.cdf
    return np.sum(N(x) * D(x)) + np.sum(T(x, x)) + np.sum(P(x)) + np.sum(P(x, 0.5, 2.0)) + total(norm.pdf, \
x) + np.sum(L(x))
"""


def test_methods_of_distributions_and_ufuncs_under_other_names() -> None:
    pytest.importorskip("scipy")
    check(sourced(HELD)["f"])


def test_a_distribution_that_is_exchanged_is_noticed() -> None:
    stats = pytest.importorskip("scipy.stats")
    scope = sourced("from scipy.stats import norm\nN = norm.cdf\ndef f(x):\n    return np.sum(N(x))\n")
    df = tnb.grad(scope["f"])
    df(X)
    scope["N"] = stats.logistic.cdf
    with pytest.raises(TangentError, match="derive again"):
        df(X)


@pytest.mark.parametrize(("text", "message"), [
    ('def f(x):\n    return np.sum(np.r_["0,2", x, x])\n',
     r"np\.r_ and np\.c_ are differentiated of(.|\n)*np\.concatenate"),
    ("def f(x):\n    s = np.sum(x)\n    try:\n        assert s > 9.0, s * 2.0\n        y = s\n"
     "    except AssertionError as e:\n        y = e.args[0] ** 2\n    return y\n",
     r"e\.args may hold what an assert says"),
])
def test_what_is_refused(text: str, message: str) -> None:
    if "scipy" in text:
        pytest.importorskip("scipy")
    for derive in (tnb.grad, tnb.jvp):
        with pytest.raises(TangentError, match=message):
            derive(sourced(text)["f"])(X, *[X] * (derive is tnb.jvp))


@pytest.mark.parametrize("text", [
    "np.r_[x] * np.r_[x[0]]", "np.c_[x] * np.r_[2.0]", "np.c_[tuple([x, x * 2])] ** 2", "np.r_[(x[0], x)] ** 2",
    "np.r_[tuple([x, np.outer(x, x)[0], x[1]])] * np.r_[w]", "np.c_[np.outer(x, x)] * np.c_[np.array(x[0])]"])
@pytest.mark.parametrize("optimized", [True, False])
def test_one_item_alone_is_joined(text: str, optimized: bool) -> None:
    f = sourced(f"def f(x, w=(1.0, 2.0, slice(0, 5))):\n    return np.sum(np.sin({text}))\n")["f"]
    want = [(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(len(X))]
    assert np.allclose(tnb.grad(f, optimized=optimized)(X), want)
    assert np.allclose([tnb.jvp(f, optimized=optimized)(X, dx=e) for e in np.eye(len(X))], want)


@pytest.mark.parametrize("text", [
    "[v * v for v in x] + [1.0]", "[1.0] + [v * v for v in x]", "[v * v for v in x] + [v * w for v in x]",
    "[(v, w) for v in x[:-1]] + [(x[-1], w * v) for v in x[1:]] + [(x[0], 2.0)]", "[v * v for v in x] * 2",
    "2 * [v * w for v in x] + list(x)"])
@pytest.mark.parametrize("optimized", [True, False])
def test_lists_that_are_comprehensions_are_joined_and_repeated(text: str, optimized: bool) -> None:
    f = sourced(f"def f(x, w=3.0):\n    y = np.sin(np.array({text}))\n"
                "    return np.sum(y * np.arange(y.size).reshape(y.shape))\n")["f"]
    want = [(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(len(X))]
    assert np.allclose(tnb.grad(f, optimized=optimized)(X), want)
    assert np.allclose([tnb.jvp(f, optimized=optimized)(X, dx=e) for e in np.eye(len(X))], want)


def test_a_new_key_of_a_dict_that_others_may_hold() -> None:
    text = "def put(d, k, v):\n    d[k] = d.get(k, 0.0) + v\n    return d\n" \
        "def f(x):\n    d, e = {}, {}\n    for k in ['a', 'b', 'a']:\n        d = put(d if k == 'a' else e, k, x)\n" \
        "    return np.sum(d['a'])\n"
    with pytest.raises(TangentError, match="is given a new key, 'a'"):
        tnb.grad(sourced(text)["f"])(X)


# ------------------------------------------------------------------ parameters
def by_position(x, y, /):
    return x * y * x


def with_rest(x, *rest):
    return x * rest[0] * rest[0] * rest[1]


class Model:
    def __init__(self, w):
        self.w = w

    def caught(self, x):
        try:
            y = x * self.w
        except ValueError as error:
            y = x + len(error.args)
        return np.sum(y * y)


model = Model(3.0)


@pytest.mark.parametrize("optimized", [True, False])
def test_tangents_of_parameters_by_position(optimized: bool) -> None:
    df = tnb.jvp(by_position, optimized=optimized)
    assert df(0.5, 2.0, 1.0) == df(0.5, 2.0, dx=1.0) == 2.0
    assert tnb.jvp(by_position, (0, 1), optimized=optimized)(0.5, 2.0, 1.0, 4.0) == 3.0
    assert tnb.hvp(by_position)(0.5, 2.0, 1.0) == 4.0


def test_matrices_by_items_of_a_star_and_by_parts() -> None:
    assert tnb.jvp(with_rest, "rest")(0.5, 2.0, 3.0, drest=(1.0, 0.5)) == 7.0
    assert [tnb.jacobian(with_rest, w)(0.5, 2.0, 3.0) for w in (0, 1, 2, "rest[1]")] == [12.0, 6.0, 2.0, 2.0]
    assert [tnb.hessian(with_rest, w)(0.5, 2.0, 3.0) for w in (0, 1, 2)] == [0.0, 3.0, 0.0]
    for wrt in (1, (0, 2), (0, 1, 2)):
        tnb.check_grads(with_rest, 0.5, 2.0, 3.0, wrt=wrt)
    p = {"w": np.array([1.0, 2.0])}
    cubes = sourced("def f(p):\n    return np.sum(p['w'] ** 3)\n")["f"]
    np.testing.assert_array_equal(tnb.jacobian(cubes, "p['w']")(p), [3.0, 12.0])
    np.testing.assert_array_equal(tnb.hessian(cubes, "p['w']")(p), [[6.0, 0.0], [0.0, 12.0]])
    with pytest.raises(TangentError, match="by one parameter"):
        tnb.hessian(with_rest, (0, 1))  # type: ignore[arg-type]


def test_methods_that_catch_errors_under_a_name() -> None:
    np.testing.assert_allclose(tnb.grad(model.caught)(X), 18.0 * X)
    np.testing.assert_allclose(tnb.vjp(tnb.grad(model.caught))(X, np.ones(3)), 18.0 * np.ones(3))


def test_methods_of_arrays_of_a_class_of_ones_own() -> None:
    text = ("class A(np.ndarray):\n    def dot(self, v):\n        return 2.0\nW = np.ones(3).view(A)\ndef f(x):\n"
            "    return W.dot(x) * x[1]\n")
    with pytest.raises(TangentError, match=r"the method \.dot of an A has no derivative rule"):
        tnb.grad(sourced(text)["f"])
