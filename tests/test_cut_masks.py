"""Masks that come out of functions, or are given to them, and products of several factors: each beside what computes
with the rest alone."""
import warnings

import numpy as np
import pytest

import tangent_nb as tnb

X = np.array([0.0, 1.0, 4.0])
K = [1, 2]
CASES = []


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def case(expected):
    def keep(f):
        CASES.append(pytest.param(f, expected, id=f.__name__))
        return f
    return keep


def positive(x):
    return x > 0


def as_number(x):
    return 1.0 * positive(x)


def masked(x):
    return np.sqrt(x) * positive(x)


def two(x):
    return x > 0, x < 2


def mask_and_root(x):
    return x > 0, np.sqrt(x)


def named(x):
    return {"mask": x > 0, "root": np.sqrt(x)}


def leaving(x, n):
    for i in range(n):
        if i > 100:
            return x > 0
    return x > 0


def weights(n):
    w = np.ones(n)
    w[0] = 0.0
    return w


def doubled(m):
    return 2.0 * m


def applied(m, x):
    return np.sum(m * np.sqrt(x))


def applied_later(x, m, n):
    total = 0.0
    for i in range(n):
        if i > 100:
            return total
        total = total + applied(m, x)
    return total


def chosen(x, strict):
    if strict:
        return x > 0
    return (x >= 1) * 1.0


@case(lambda x: 6.0 * np.sum(np.sqrt(x[K])))
def masks_from_calls(x):
    r = np.sqrt(x)
    return np.sum(positive(x) * r) + np.sum(as_number(x) * r) + np.sum(masked(x)) + np.sum(leaving(x, 3) * r) \
        + np.dot(weights(3), r) + np.sum(chosen(x, x[1] > 0) * r)


@case(lambda x: 5.0 * np.sum(np.sqrt(x[K])) + np.sqrt(x[1]) + np.sum(x[K]))
def masks_in_parts(x):
    a, b = two(x)
    m, r = mask_and_root(x)
    d = named(x)
    return np.sum(a * np.sqrt(x)) + np.sum(a * np.sqrt(x) * b) + np.sum(m * r) + np.sum(d["mask"] * d["root"]) \
        + np.sum(d["mask"] * np.sqrt(x)) + np.sum(m * r * r) + np.sum(m * np.sqrt(x))


@case(lambda x: 7.0 * np.sum(np.sqrt(x[K])))
def masks_for_calls(x):
    m = x > 0

    def inside(y):
        return np.sum(m * np.sqrt(y))

    def mask():
        return x > 0

    return applied(m, x) + applied(x=x, m=as_number(x)) + applied_later(x, m, 1) + inside(x) \
        + np.sum(mask() * np.sqrt(x)) + np.sum(doubled(x > 0) * np.sqrt(x))


@case(lambda x: 3.0 * np.sum(np.sqrt(x[K])) + 2.0 * (np.sqrt(x[2]) - 2.0 * np.sqrt(x[1])) + np.sum(x[K] ** 1.5)
      + np.average(np.sqrt(x[K]), weights=x[K]))
def products_of_several(x):
    r, m, away = np.sqrt(x), (x > 0) * 1.0, (x <= 0) * 1.0
    total = np.linalg.multi_dot([r, np.diag(m), np.ones(3)]) + np.sum(np.prod(np.stack([r, m]), axis=0)) \
        + np.sum(np.prod([m, r], axis=0))
    for z in (np.cross(r, away), -np.linalg.cross(away, r)):
        total = total + z[1] + 2.0 * z[2]
    return total + np.einsum("i,i,i->", r, x > 0, x) + np.average(r, weights=(x > 0) * x)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("f", "expected"), CASES)
def test_cases(f, expected):
    v = np.cos(np.arange(3.0))
    slope, second = tnb.grad(expected)(X), tnb.hessian(expected)(X)
    for optimized in (True, False):
        np.testing.assert_allclose(tnb.grad(f, optimized=optimized)(X), slope, rtol=1e-12)
        np.testing.assert_allclose(tnb.jvp(f, optimized=optimized)(X, v), slope @ v, rtol=1e-12)
    np.testing.assert_allclose(tnb.jacobian(f)(X), slope, rtol=1e-12)
    np.testing.assert_allclose(tnb.hessian(f)(X), second, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(tnb.hvp(f)(X, v), second @ v, rtol=1e-11)


def test_a_mask_of_products_hides_no_other_pole():
    """What is infinite and meets no 0 stays so, also where products may cancel."""
    def crossed(x):
        return np.sum(np.cross(np.sqrt(x), (x > 0) * np.array([1.0, 2.0, 3.0])))

    def chained(x):
        return np.linalg.multi_dot([np.sqrt(x), np.diag((x >= 0) * 1.0), np.ones(3)])

    for f in (crossed, chained):
        assert not np.isfinite(tnb.jvp(f)(X, np.ones(3)))
        assert not np.isfinite(tnb.grad(f)(X)[0])


def data(w):
    return w * 1.0


def square_roots(x):
    return x * np.sqrt(x), x


def test_weights_out_of_calls_follow_ieee():
    """What a call gives is a mask where its text puts zeros in;
    other numbers are data, and what carries a derivative is no mask."""
    def weighted(x, w):
        return np.sum(data(w) * np.sqrt(x))

    def parts(x):
        a, b = square_roots(x)
        return np.sum(b * np.sqrt(x))

    for optimized in (True, False):
        assert np.isnan(tnb.grad(weighted, optimized=optimized)(X, np.array([0.0, 1.0, 1.0]))[0])
        assert np.isnan(tnb.grad(parts, optimized=optimized)(X)[0])
        assert np.isnan(tnb.jvp(weighted, optimized=optimized)(X, np.array([0.0, 1.0, 1.0]), np.ones(3)))
