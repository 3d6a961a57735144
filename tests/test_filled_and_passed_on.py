"""Arrays that a loop fills and passes on, where the name that got them changes them."""
from __future__ import annotations

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError


def slopes_of_a_series(c, m=2, scl=2.0):
    c = np.array(c, ndmin=1)
    n = len(c)
    for i in range(m):
        n = n - 1
        c *= scl
        d = np.empty((n,))
        for j in range(n, 0, -1):
            d[j - 1] = j * c[j]
        c = d
    return c


def squares(c, m=3, scl=2.0):
    c = np.array(c, ndmin=1)
    n = len(c)
    for i in range(m):
        c *= scl * c
        d = np.empty((n,))
        for j in range(n):
            d[j] = c[j] ** 2 * c[0]
        d[0] = c[1]
        c = d
    return c


def read_in_between(c, m=2, scl=2.0):
    c = np.array(c, ndmin=1)
    n, t = len(c), 0.0
    for i in range(m):
        c *= scl
        d = np.empty((n,))
        for j in range(n):
            d[j] = c[j] ** 2
        c = d
        t = t + np.sum(d ** 2)
    return c * t


def read_after_it_was_passed_on(c, m=2, scl=2.0):
    c = np.array(c, ndmin=1)
    d = np.zeros(3)
    for i in range(m):
        d[0] = c[1] * c[0]
        c = d
        c *= scl
        d = np.zeros(3)
        d[1:] = c[:2] ** 2
    return c + d


def one_array(c, m=2, scl=2.0):
    c = np.array(c, ndmin=1)
    d = np.zeros(3)
    for i in range(m):
        d[0] = c[1] * c[0]
        c = d
        c *= scl
        d[1] = c[0] ** 2
    return c


def filled_after_it_was_passed_on(c, m=2, scl=2.0):
    d = np.zeros(3)
    d[0] = c[1] * c[0]
    e = d
    e *= c
    d[1] = c[2] ** 2
    e = e * 1.0
    d[2] = c[0]
    return e * d[0]


X = np.array([0.2, 0.5, 0.7])


@pytest.mark.parametrize("f", [slopes_of_a_series, squares, filled_after_it_was_passed_on])
@pytest.mark.parametrize("optimized", [True, False])
def test_it_is_right(f, optimized):
    y, h = f(X.copy()), 1e-6
    seed = np.cos(np.arange(y.size))
    want = [np.sum(seed * (f(X + h * e) - f(X - h * e))) / (2 * h) for e in np.eye(3)]
    assert np.allclose(tnb.vjp(f, 0, optimized=optimized)(X.copy(), seed=seed), want, atol=1e-7)
    got = [np.sum(seed * tnb.jvp(f, 0, optimized=optimized)(X.copy(), dc=e)) for e in np.eye(3)]
    assert np.allclose(got, want, atol=1e-7)


@pytest.mark.parametrize("f", [read_in_between, read_after_it_was_passed_on, one_array])
def test_what_is_read_too_is_refused(f):
    with pytest.raises(TangentError, match="c is changed in place, and d may be the same array"):
        tnb.vjp(f, 0)(X.copy(), seed=np.ones(3))
