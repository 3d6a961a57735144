"""Random draws are constants, drawn once: by whatever they are drawn, in every mode,
and the same for each column of a matrix."""
from __future__ import annotations

import random
import types

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.same_draws import SameDraws

RNG = np.random.default_rng(1)
PYTHON = random.Random(1)
X = np.array([1.0, 2.0, 3.0])


def of_a_parameter(x, rng):
    return np.sum(rng.normal(size=3) * x * x)


def by_the_shape(x, rng):
    eps = rng.standard_normal(x.shape)
    return np.sum((x[0] + np.exp(x[1]) * eps) ** 2)


def in_a_loop(x, rng):
    s = 0.0
    for i in range(3):
        s += x[i] ** 2 * rng.normal()
        if rng.random() < 0.5:
            s *= 2.0
    return s


def in_the_place_of_none(x, rng=None):
    rng = np.random.default_rng(3) if rng is None else rng
    return np.sum(x ** 3 * rng.uniform(-1.0, 1.0, 3))


def noisy(x, rng):
    return x + 0.1 * x * x * rng.normal(size=3)


def of_a_helper(x, rng):
    return np.sum(noisy(noisy(x, rng), rng))


def of_an_attribute(x, net):
    return np.sum(x * x * net.rng.normal(size=3))


def of_numpy(x, rng):
    np.random.seed(4)
    return np.sum(x * x * np.random.normal(size=3)) + x[0] * np.random.rand()


def of_python(x, rng):
    random.seed(5)
    return np.sum(x * x) * random.gauss(0.0, 1.0) * random.uniform(1.0, 2.0)


def places(x, rng):
    return np.sum(x[rng.permutation(len(x))] ** 2 * np.arange(3.0)) + x[rng.integers(3)] * rng.choice([1.0, 2.0])


def masked(x, rng):
    keep = rng.random(3) < 0.7
    return np.sum(np.where(keep, x * x, 0.0))


def seen_outside(x):
    return np.sum(x * x) * RNG.normal() * PYTHON.random()


def hidden(x):
    return np.sum(x * x) * np.random.normal() * random.random()


PROGRAMS = [of_a_parameter, by_the_shape, in_a_loop, in_the_place_of_none, of_a_helper, of_an_attribute, of_numpy,
            of_python, places, masked]


def given(f):
    rng = np.random.default_rng(7)
    return types.SimpleNamespace(rng=rng) if f is of_an_attribute else rng


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f, optimized):
    h = 1e-6
    expected = [(f(X + h * e, given(f)) - f(X - h * e, given(f))) / (2.0 * h) for e in np.eye(3)]
    gradient = tnb.grad(f, optimized=optimized)
    np.testing.assert_allclose(gradient(X, given(f)), expected, rtol=1e-6, atol=1e-6)
    push = tnb.jvp(f, optimized=optimized)
    np.testing.assert_allclose([push(X, given(f), dx=e) for e in np.eye(3)], gradient(X, given(f)), rtol=1e-12)
    value, _ = tnb.value_and_grad(f)(X, given(f))
    assert value == f(X, given(f))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_it_draws_as_often_as_the_function(f):
    one, two = given(f), given(f)
    f(X, one)
    tnb.grad(f)(X, two)
    after = [getattr(rng, "rng", rng).normal() for rng in (one, two)]
    assert after[0] == after[1]


@pytest.mark.parametrize("f", [seen_outside, hidden])
def test_columns_of_a_matrix_are_of_the_same_draws(f):
    matrix = tnb.hessian(f)(X)
    assert matrix[0, 0] != 0.0
    np.testing.assert_allclose(matrix, matrix[0, 0] * np.eye(3), rtol=1e-12)
    tnb.check_grads(f, X)


def test_columns_by_a_parameter():
    matrix = tnb.hessian(of_a_parameter)(X, np.random.default_rng(7))
    np.testing.assert_allclose(matrix, 2.0 * np.diag(np.random.default_rng(7).normal(size=3)), rtol=1e-12)


def test_columns_by_a_method():
    class Net:
        def __init__(self):
            self.rng = np.random.RandomState(3)

        def loss(self, x):
            return np.sum(x * x) * self.rng.normal()

    matrix = tnb.hessian(Net().loss)(X)
    np.testing.assert_allclose(matrix, matrix[0, 0] * np.eye(3), rtol=1e-12)


def test_other_draws_in_each_call_make_no_matrix():
    def f(x):
        return x * np.random.default_rng().normal()

    with pytest.raises(TangentError, match="draws other numbers in each call"):
        tnb.jacobian(f)(X)


def test_a_matrix_draws_as_often_as_the_function():
    one, two = np.random.default_rng(7), np.random.default_rng(7)
    of_a_parameter(X, one)
    tnb.hessian(of_a_parameter)(X, two)
    assert one.normal() == two.normal()


def test_nothing_is_kept_of_a_function_that_draws_nothing():
    assert SameDraws(np.mean, X).found == [] and not SameDraws(noisy, X).hidden


def test_what_draws_from_the_system_stands_nowhere():
    system = random.SystemRandom()
    with pytest.raises(TangentError, match="draws other numbers in each call"):
        tnb.jacobian(lambda x: x * system.random())(X)


def test_on_jax():
    pytest.importorskip("jax")

    def single(x, rng):
        keep = rng.random(3, np.float32) < 0.7
        return np.sum(rng.standard_normal(3, np.float32) * np.where(keep, x * x, 0.0))

    x = X.astype(np.float32)
    found = [tnb.grad(single, backend=backend)(x, np.random.default_rng(7)) for backend in ("jax", "numpy")]
    np.testing.assert_allclose(*found, rtol=1e-5)
