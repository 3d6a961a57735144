"""Least squares and fits of curves: what is differentiated is where the sum of squares is least."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracles

import tangent_nb as tnb
from tangent_nb.errors import TangentError

optimize = pytest.importorskip("scipy.optimize")
Bounds, curve_fit, least_squares = optimize.Bounds, optimize.curve_fit, optimize.least_squares
T = np.linspace(0.0, 3.0, 8)
Y = 2.0 * np.exp(-0.7 * T) + 0.1 * np.sin(9.0 * T)         # far from the curve: the curvature of the residuals counts


def decay(t, a, b):
    return a * np.exp(-b * t)


def decay_slopes(t, a, b):
    return np.stack([np.exp(-b * t), -t * a * np.exp(-b * t)], axis=-1)


def misfit(p, t, y):
    return decay(t, p[0], p[1]) - y


def weights_of(a):
    return 1.0 + a * T


# ------------------------------------------------------------------ least_squares
def squares_of_a_closure(a, y):
    def residual(p):
        return (p[0] * np.exp(-p[1] * T) - y) * weights_of(a)
    found = least_squares(residual, [1.0, 0.5], xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return found.x[0] * found.x[1] ** 2


def squares_of_arguments(y):
    found = least_squares(misfit, np.array([1.0, 0.5]), method="lm", args=(T, y), xtol=1e-15, ftol=1e-15,
                          gtol=1e-15)
    return np.sum(found.x ** 2)


def squares_with_parts(a, y):
    found = least_squares(lambda p: misfit(p, T, y) * a, [1.0, 0.5], xtol=1e-15, ftol=1e-15, gtol=1e-15)
    if not found.success:
        raise ValueError(found.message)
    return found.cost * a + np.sum(found.fun ** 3) + found.x[1]


def squares_inside_bounds(y):
    found = least_squares(misfit, [1.0, 0.5], bounds=([0.0, 0.0], [np.inf, 2.0]), args=(T, y), xtol=1e-15, ftol=1e-15,
                          gtol=1e-15)
    return found.x[0]


def squares_of_a_list(a):
    found = least_squares(lambda p: [10.0 * (p[1] - p[0] ** 2), a - p[0], p[1] - a], [0.3, 0.3])
    return found.x[0] * found.x[1]


def squares_of_one_number(a):
    return least_squares(lambda p: p ** 3 - a, 1.0, xtol=1e-15, ftol=1e-15, gtol=1e-15).x[0]


def squares_with_slopes(y):
    def slopes(p):
        return decay_slopes(T, p[0], p[1])
    return least_squares(lambda p: misfit(p, T, y), [1.0, 0.5], jac=slopes, xtol=1e-15, ftol=1e-15, gtol=1e-15).x[1]


def squares_from_a_start(a):
    found = least_squares(lambda p: p * np.exp(p) - a, np.array([0.3, 0.5]) * a, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return np.sum(found.x)


# ------------------------------------------------------------------ curve_fit
def fit(y):
    popt, _ = curve_fit(decay, T, y, p0=[1.0, 0.5], ftol=1e-14, xtol=1e-14)
    return popt[0] * popt[1] ** 2


def fit_as_published(y):
    popt, pcov = curve_fit(decay, T, y)
    residuals = y - decay(T, *popt)
    return 1.0 - np.sum(residuals ** 2) / np.sum((y - np.mean(y)) ** 2)


def fit_with_sigma(y):
    return curve_fit(decay, T, y, p0=(1.0, 0.5), sigma=0.1 + T, absolute_sigma=True, ftol=1e-14, xtol=1e-14)[0][1]


def fit_of_a_closure(a, y):
    popt, _ = curve_fit(lambda t, b, c: a * np.exp(-b * t) + c, T, y, p0=[0.5, 0.1], ftol=1e-14, xtol=1e-14)
    return popt[0] * popt[1]


def fit_inside_bounds(y):
    return curve_fit(decay, T, y, bounds=(0.0, [5.0, 2.0]), ftol=1e-15, xtol=1e-15, gtol=1e-15)[0][0]


def fit_from_a_start(y):
    return curve_fit(decay, T, y, p0=[np.max(y), 0.5], ftol=1e-14, xtol=1e-14)[0][0]


def fit_with_slopes(a, y):
    return curve_fit(lambda t, b, c: a * decay(t, b, c), T, y, p0=[0.5, 0.1], ftol=1e-14, xtol=1e-14,
                     jac=lambda t, b, c: a * decay_slopes(t, b, c))[0][0]


def fit_of_one_parameter(a):
    return curve_fit(lambda t, b: np.exp(-b * t * a), T, Y * a, ftol=1e-14, xtol=1e-14)[0][0]


A = 1.3
PROGRAMS = [
    (squares_of_a_closure, 0.7, Y), (squares_of_arguments, Y), (squares_with_parts, A, Y), (squares_inside_bounds, Y),
    (squares_of_a_list, 0.7), (squares_of_one_number, A), (squares_with_slopes, Y), (squares_from_a_start, A),
    (fit, Y), (fit_as_published, Y), (fit_with_sigma, Y), (fit_of_a_closure, 2.0, Y), (fit_inside_bounds, Y),
    (fit_from_a_start, Y), (fit_with_slopes, A, Y), (fit_of_one_parameter, A),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
def test_both_modes_against_differences(program):
    """Of steps that are long: by the tolerances of a solver the places are right to about 1e-8."""
    f, *args = program
    wrt = tuple(range(len(args)))
    direction = tuple(oracles.like(arg, np.random.default_rng(1)) for arg in args)
    h = 4e-3
    far, near = ((f(*oracles.moved(args, wrt, direction, t)) - f(*oracles.moved(args, wrt, direction, -t))) / (2.0 * t)
                 for t in (2.0 * h, h))
    due = pytest.approx((4.0 * near - far) / 3.0, rel=2e-5, abs=2e-5)
    for optimized in (True, False):
        got = tnb.grad(f, wrt=wrt, optimized=optimized)(*oracles.fresh(args))
        for value, arg in zip(got, args, strict=True):
            assert np.shape(value) == np.shape(arg)
        assert oracles.inner(got, direction)[0] == due
    assert tnb.jvp(f, wrt=wrt)(*oracles.fresh(args), *direction) == due


def test_a_fit_that_scales():
    """The amplitude is as large as the data, the rate does not depend on it: exact, where the residuals are large."""
    def f(scale):
        popt, _ = curve_fit(decay, T, Y * scale, p0=[1.0, 0.5], ftol=1e-15, xtol=1e-15)
        return popt[0] * popt[1]
    assert tnb.grad(f)(A) == pytest.approx(f(A) / A, rel=1e-7)

    def cost(scale):
        return least_squares(lambda p: misfit(p, T, Y * scale), [1.0, 0.5]).cost
    assert tnb.grad(lambda a: 1.0 * cost(a))(A) == pytest.approx(2.0 * cost(A) / A, rel=1e-7)


def test_a_linear_fit():
    """That of a line is the pseudo-inverse times the data."""
    found = tnb.jacobian(lambda y: curve_fit(lambda t, a, b: a * t + b, T, y)[0])(Y)
    np.testing.assert_allclose(found, np.linalg.pinv(np.stack([T, np.ones(8)], axis=1)), atol=1e-12)


def stopped_early(a):
    return least_squares(lambda p: misfit(p, T, Y * a), [1.0, 0.5], max_nfev=1).x[0]


def at_a_bound(a):
    return least_squares(lambda p: misfit(p, T, Y * a), [1.0, 0.5], bounds=([0.0, 0.0], [1.5, 2.0])).x[1]


def just_at_a_bound(a):
    return least_squares(lambda p: p - a, [1.0], bounds=(0.0, A - 1e-6)).x[0]


def at_a_bound_of_an_object(a):
    return least_squares(lambda p: p - a, [1.0], bounds=Bounds([0.0], [A - 1e-6])).x[0]


def without_a_single_minimum(a):
    return least_squares(lambda p: np.array([p[0] + p[1] - a]), [0.0, 0.0]).x[0]


def by_its_jacobian(a):
    return least_squares(lambda p: p ** 2 - a, [1.0]).jac[0, 0]


def by_the_covariance(a):
    popt, pcov = curve_fit(decay, T, Y * a, p0=[1.0, 0.5])
    return popt[0] / np.sqrt(pcov[0, 0])


def with_covariances(a):
    return curve_fit(decay, T, Y * a, p0=[1.0, 0.5], sigma=np.eye(8))[0][0]


@pytest.mark.parametrize("f, why", [
    (stopped_early, "no solution"), (at_a_bound, "bound"), (just_at_a_bound, "bound"),
    (at_a_bound_of_an_object, "bound"), (without_a_single_minimum, "singular"), (by_its_jacobian, r"\.jac"),
    (by_the_covariance, "covariance"), (with_covariances, "sigma="),
], ids=lambda value: getattr(value, "__name__", ""))
def test_refused(f, why):
    with pytest.raises(TangentError, match=why):
        tnb.grad(f)(A)


def test_second_derivatives_are_refused():
    for f in (squares_of_one_number, fit_of_one_parameter):
        with pytest.raises(TangentError, match="least squares are differentiated once"):
            tnb.grad(tnb.grad(f))(A)
        with pytest.raises(TangentError, match="least squares are differentiated once"):
            tnb.jvp(tnb.grad(f))(A, 1.0)


def fit_of_a_list(a):
    return curve_fit(lambda t, k: k * t, [0, 1, 2, 3], [1, a, 2, a * a])[0][0]


def squares_with_a_list_of_arguments(a):
    return least_squares(lambda p, b, c: p * p - b * c, [1.0], args=[a, 2], xtol=1e-15, ftol=1e-15, gtol=1e-15).x[0]


@pytest.mark.parametrize("f, slope", [(fit_of_a_list, lambda a: (1.0 + 6.0 * a) / 14.0),
                                      (squares_with_a_list_of_arguments, lambda a: 0.5 * np.sqrt(2.0 / a))])
def test_lists_with_integers_in_them(f, slope):
    """Each number has its own place, whether it carries a derivative or not."""
    assert tnb.grad(f)(A) == pytest.approx(slope(A), rel=1e-7)
    assert tnb.jvp(f)(A, 1.0) == pytest.approx(slope(A), rel=1e-7)


def test_arguments_in_an_array_are_refused():
    """SciPy takes them apart: a function of two numbers would be given one array."""
    def f(p):
        return least_squares(lambda x, *rest: x - 2.0 * rest[0], [0.1], args=p).x[0]
    with pytest.raises(TangentError, match="one by one"):
        tnb.grad(f)(np.array([A]))
