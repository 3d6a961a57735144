"""Second derivatives where a norm, a deviation or a slope has a kink: squares are smooth,
the rest is told to be a kink."""
import math

import numpy as np
import pytest

import tangent_nb as tnb

ZERO, EYE = np.zeros(3), np.eye(3)
CENTER = EYE - 1.0 / 3.0


def written(x):
    return np.linalg.norm(x) ** 2


def named(x):
    n = np.linalg.norm(x)
    return n * n


def square(n):
    return np.square(n)


def in_helper(x):
    return square(np.linalg.norm(x)) + np.exp(-np.linalg.norm(x, ord=None) ** 2.0)


def in_loop(x):
    total = 0.0
    for i in range(3):
        n = np.linalg.norm(i * x)
        total = total + pow(n, 2)
    return total


def deviation(x):
    return np.std(x) ** 2


def deviation_named(x):
    s = x.std(ddof=1)
    return s * s


def legs(x):
    return np.hypot(x[0], x[1]) ** 2 + math.hypot(x[1], x[2]) ** 2


SQUARES = [(written, 2.0 * EYE), (named, 2.0 * EYE), (in_helper, 0.0 * EYE), (in_loop, 10.0 * EYE),
           (deviation, 2.0 / 3.0 * CENTER), (deviation_named, CENTER), (legs, np.diag([2.0, 4.0, 2.0]))]


@pytest.mark.parametrize(("f", "expected"), SQUARES, ids=lambda one: getattr(one, "__name__", ""))
def test_squares_are_smooth(f, expected):
    np.testing.assert_allclose(tnb.hessian(f)(ZERO), expected, atol=1e-14)
    np.testing.assert_allclose(tnb.hvp(f)(ZERO, np.arange(3.0)), expected @ np.arange(3.0), atol=1e-14)
    np.testing.assert_allclose(tnb.vjp(tnb.grad(f))(ZERO, np.arange(3.0)), expected @ np.arange(3.0), atol=1e-14)
    np.testing.assert_array_equal(tnb.value_and_grad(f)(ZERO)[0], f(ZERO))
    tnb.check_grads(f, np.array([0.3, -1.2, 0.8]))


def test_a_row_of_zeros():
    def rows(a):
        r = np.linalg.norm(a, axis=1, keepdims=True)
        return np.sum(np.linalg.norm(a, axis=1) ** 2) + np.sum(r ** 2)

    a = np.array([[0.0, 0.0], [3.0, 4.0]])
    np.testing.assert_allclose(tnb.hessian(rows)(a).reshape(4, 4), 4.0 * np.eye(4), atol=1e-14)


def test_what_changes_between_is_left_alone():
    """A name that is bound again, or whose argument is, is no square of that call."""
    def f(x):
        n = np.linalg.norm(x)
        x = 2.0 * x
        m = np.linalg.norm(x)
        m = m + 1.0
        return n * n + m * m

    tnb.check_grads(f, np.array([0.3, -1.2]))


KINKS = [(lambda x: np.sum(np.abs(x)), "the slope is"),
         (lambda x: np.sum(abs(x) ** 2), "the second derivative is 0 by convention"),
         (lambda x: np.sum(np.maximum(x, -x) ** 2), "the second derivative is 0 by convention"),
         (lambda x: np.linalg.norm(x), "the slope is"), (lambda x: np.sum(np.maximum(x, 0.0) ** 2), "by differences")]


@pytest.mark.parametrize(("f", "text"), KINKS)
def test_check_grads_says_that_a_point_is_a_kink(f, text):
    with pytest.raises(AssertionError, match=f"the point is a kink, .*{text}"):
        tnb.check_grads(f, ZERO)
    tnb.check_grads(f, np.array([0.3, -1.2, 0.8]))
