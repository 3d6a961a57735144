"""What derivatives give where they have poles, where NaN is not chosen, and under `np.errstate` that raises."""
import math
import warnings

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def asin(x):
    return math.asin(x)


def acos(x):
    return math.acos(x)


def acosh(x):
    return math.acosh(x)


@pytest.mark.parametrize(("f", "slope"), [(asin, np.inf), (acos, -np.inf), (acosh, np.inf)])
def test_ends_of_domains(f, slope):
    """As NumPy's: infinite, where dividing Python's numbers would raise what the function does not."""
    assert tnb.grad(f)(1.0) == tnb.jvp(f)(1.0, 1.0) == slope


def test_ends_of_domains_that_are_far():
    for x in (1e160, 1e200):
        assert math.isclose(tnb.grad(acosh)(x), 1.0 / x) and math.isclose(tnb.jvp(acosh)(x, 1.0), 1.0 / x)


def angle(x, y):
    return math.atan2(x, y)


def angles(x, y):
    return np.sum(np.arctan2(x, y))


@pytest.mark.parametrize("f", [angle, angles])
@pytest.mark.parametrize("scale", [1e-200, 1e-155, 1.0, 1e160, 1e200])
def test_an_angle_of_tiny_and_of_huge_numbers(f, scale):
    """The sum of the squares is 0, or infinite, where the slope is neither."""
    close = {"rtol": 1e-14, "atol": 0.0}
    for args in ((scale, 2.0 * scale), (np.array([scale]), np.array([2.0 * scale]))) if f is angles \
            else ((scale, 2.0 * scale),):
        for optimized in (True, False):
            dx, dy = tnb.grad(f, (0, 1), optimized=optimized)(*args)
            np.testing.assert_allclose([np.ravel(dx)[0], np.ravel(dy)[0]], [0.4 / scale, -0.2 / scale], **close)
        np.testing.assert_allclose(tnb.jvp(f)(*args, args[0]), 0.4, **close)
        np.testing.assert_allclose(tnb.jvp(f, (0, 1))(*args, *args), 0.0, rtol=0.0, atol=1e-15)


def test_a_sum_of_exponentials_of_huge_numbers():
    """The logarithm of the sum is rounded to the larger of the two: its difference from that says nothing."""
    def natural(x, y):
        return np.sum(np.logaddexp(x, y))

    def binary(x, y):
        return np.sum(np.logaddexp2(x, y))

    for f, base in ((natural, np.e), (binary, 2.0)):
        for x in (0.0, 1e10, 1e16, -1e200, 1e308):
            assert tnb.grad(f, (0, 1))(x, x) == (0.5, 0.5)
            assert tnb.jvp(f, (0, 1))(x, x, 1.0, 1.0) == 1.0
        np.testing.assert_allclose(tnb.grad(f, (0, 1))(1e6, 1e6 + 1.0),
                                   [1.0 / (1.0 + base), base / (1.0 + base)], rtol=1e-15)
        assert tnb.grad(f, (0, 1))(-np.inf, 0.0) == (0.0, 1.0)


def test_a_remainder_of_a_huge_number():
    """Its quotient is infinite, which no integer is."""
    def cut(x, y):
        return math.fmod(x, y)

    def rounded(x, y):
        return math.remainder(x, y)

    for f in (cut, rounded):
        assert tnb.grad(f, (0, 1))(1e300, 1e-20) == (1.0, -np.inf)
        assert tnb.jvp(f, 1)(1e300, 1e-20, 1.0) == -np.inf
        assert tnb.grad(f, (0, 1))(7.25, 2.0) == (1.0, -3.0 if f is cut else -4.0)


def test_the_second_derivative_of_a_singular_determinant():
    def det(a):
        return np.linalg.det(a)

    def written(a):
        return a[0, 0] * (a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1]) - a[0, 1] * (a[1, 0] * a[2, 2] - a[1, 2] * a[2, 0]) \
            + a[0, 2] * (a[1, 0] * a[2, 1] - a[1, 1] * a[2, 0])

    regular = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.6], [0.9, 0.2, 1.5]])
    singular = np.vstack([regular[:2], regular[0] - 2.0 * regular[1]])
    for a in (regular, singular, np.zeros((3, 3)), np.outer(np.arange(3.0), np.ones(3))):
        np.testing.assert_allclose(tnb.hessian(det)(a), tnb.hessian(written)(a), atol=1e-13)
        np.testing.assert_allclose(tnb.vjp(tnb.grad(det))(a, regular),
                                   tnb.vjp(tnb.grad(written))(a, regular), atol=1e-13)


def test_nan_is_not_chosen():
    x, y = np.array([1.0, 2.0, np.nan, 0.5]), np.array([np.nan, 1.0, 3.0, 0.5])

    def most(x, y):
        return np.sum(np.fmax(x, y))

    def least(x, y):
        return np.sum(np.fmin(x, y))

    np.testing.assert_array_equal(tnb.grad(most, (0, 1))(x, y), [[1.0, 1.0, 0.0, 0.5], [0.0, 0.0, 1.0, 0.5]])
    np.testing.assert_array_equal(tnb.grad(least, (0, 1))(x, y), [[1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 1.0, 0.5]])
    assert tnb.jvp(most)(x, y, np.ones(4)) == 2.5

    def roots(x):
        return np.sum(np.fmax(np.sqrt(x), 0.5))

    x = np.array([-1.0, 0.0, 4.0])
    np.testing.assert_array_equal(tnb.grad(roots)(x), [0.0, 0.0, 0.25])
    np.testing.assert_array_equal(tnb.jacobian(roots)(x), [0.0, 0.0, 0.25])


@pytest.mark.parametrize("make", [tnb.grad, tnb.jacobian])
def test_the_sign_of_a_complex_number_is_refused(make):
    def turned(x):
        s = np.sign(x + 1j * x * x)
        return np.sum(s.real)

    with pytest.raises(TangentError, match="complex numbers is not differentiated"):
        make(turned)(np.array([1.0, 2.0]))


@pytest.mark.parametrize("make", [tnb.grad, tnb.jacobian])
def test_errors_that_numpy_is_told_to_raise_are_those_of_the_function(make):
    def f(x):
        with np.errstate(all="raise"):
            r = np.sqrt(x)
            y = np.exp(-x) * x
        return np.sum(r) + np.sum(y)

    found = make(f)(np.array([0.0, 4.0]))
    np.testing.assert_allclose(found, [np.inf, 0.25 - 3.0 * math.exp(-4.0)])
    with pytest.raises(FloatingPointError):
        make(f)(np.array([-1.0, 4.0]))


W = np.array([np.nan, 2.0])


def weighted(x):
    for _ in range(2):
        if x[1] > 50.0:
            return x
    return np.tanh(x) * x * W


def cleaned(y):
    return np.where(np.isnan(y), 0.0, y)


def summed(x):
    return np.nansum(np.exp(x)) + np.nansum(weighted(x)) + np.nanmax(np.tanh(x))


def chosen(x):
    y = np.exp(x) * x
    total = np.sum(y[~np.isnan(y)]) + np.sum(np.nan_to_num(np.tanh(x) * x)) + np.sum(cleaned(np.tanh(x) * x))
    return total + np.sum(np.where(np.isnan(x), 0.0, x * W))


def one_by_one(x):
    total = 0.0
    for one in x:
        y = np.exp(one) * one
        if np.isnan(y):
            y = 0.0
        total = total + y
    return total


@pytest.mark.parametrize("f", [summed, chosen, one_by_one])
@pytest.mark.parametrize("optimized", [True, False])
def test_nan_in_the_data_behind_what_asks_for_it(f, optimized):
    x = np.array([np.nan, 1.25])
    slope = tnb.grad(f)(np.array([0.5, 1.25]))[1]
    np.testing.assert_allclose(tnb.grad(f, optimized=optimized)(x), [0.0, slope], rtol=1e-14)
    np.testing.assert_allclose(tnb.jvp(f, optimized=optimized)(x, np.ones(2)), slope, rtol=1e-14)


def test_without_a_question_nan_in_the_data_follows_ieee():
    def f(x, w):
        return (x * w)[1]

    np.testing.assert_array_equal(tnb.grad(f)(np.array([1.0, 2.0]), np.array([np.inf, 3.0])), [np.nan, 3.0])


def descend(n, x):
    if n == 0:
        return 1.0
    elif n == 1:
        return x
    return ((2 * n - 1) * x * descend(n - 1, x) - (n - 1) * descend(n - 2, x)) / n


def test_functions_that_differ_in_where_they_start_alone_stand_once():
    def f(x):
        return descend(4, x) + 0.5 * descend(3, x) * x

    assert tnb.source(tnb.grad(f)).count("\ndef _") == 2
    assert tnb.source(tnb.jvp(f)).count("\ndef _") == 1


def test_functions_known_when_they_are_called_are_not_guarded_from_each_other():
    def f(x, w, act):
        for _ in range(2):
            x = act(x * w)
        return np.sum(x)

    assert "rt.cut" not in tnb.source(tnb.grad(f, (0, 1)))
