"""Functions that only calls of libraries are given: they see what their variables are when they are called, also where
these are bound, or changed in place, later."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(4)

quad = pytest.importorskip("scipy.integrate").quad
brentq = pytest.importorskip("scipy.optimize").brentq


def of_the_loop(x):
    r = 0.0
    c = np.array([1.0, 2.0, 3.0])
    for i in range(3):
        r = r + brentq(lambda v: v - c[i] * x * (1.0 + r), -15.0, 15.0)
    return r * x


def implicit_euler(x):
    y = 1.0
    for _ in range(4):
        step = lambda v: v - y + 0.1 * v * x  # noqa: E731
        y = brentq(step, -5.0, 5.0)
    return y


def in_time(x):
    y, t = 1.0, 0.0
    for _ in range(4):
        def step(v):
            rest = v - y
            return rest + 0.1 * v * x * t
        t += 0.1
        y = brentq(step, -5.0, 5.0)
    return y


def made_before_the_loop(x):
    y, t = 1.0, 0.0

    def step(v):
        rest = v - y
        return rest + 0.1 * v * x * t
    for k in range(4):
        t += 0.1
        y = brentq(step, -5.0, 5.0) * brentq(step, -6.0, 6.0)
        if k < 2:
            y = y + quad(step, 0.0, 1.0)[0] + quad(step, 1.0, 2.0)[0]
    return y


def until_it_is_small(x):
    y = x
    while True:
        line = lambda v: v * y  # noqa: E731
        new = quad(line, 0.0, 1.0)[0]
        if new < 0.01:
            break
        y = new
    return y


def bound_between(x):
    k = 3.0
    line = lambda v: v * k  # noqa: E731
    first = quad(line, 0.0, x)[0]
    k = 4.0
    return quad(line, 0.0, x)[0] * first


def before_its_variables(x):
    def line(v):
        return v * k
    k = x
    k = k + quad(line, 0.0, 1.0)[0]
    k = k * x
    return k * x + quad(line, 0.0, 1.0)[0]


def of_an_array_that_is_filled(x):
    r = np.zeros(3)
    for i in range(3):
        r[i] = quad(lambda v: v * x * r[i - 1] + v * x, 0.0, 1.0)[0]
    return np.sum(r)


def of_an_array_that_grows(x):
    c = np.array([1.0, 2.0])
    total = 0.0
    for _ in range(3):
        total = total + quad(lambda v: np.sum(c * v) * x, 0.0, 1.0)[0]
        c += total
    return total


def of_constants_that_grow(x):
    c = np.array([1.0, 2.0])
    total = 0.0
    for k in range(3):
        def rest(v):
            return np.sum(c * v) * v - k - 1.0
        total = total + brentq(rest, 0.0, 3.0) * x
        c += 1.0
    return total


def of_a_dict_that_changes(x):
    settings = {"gain": x}
    total = 0.0
    for _ in range(3):
        total = total + quad(lambda v: settings["gain"] * v * x, 0.0, 1.0)[0]
        settings["gain"] = settings["gain"] * 2.0 + total
    return total


PROGRAMS = [of_the_loop, implicit_euler, in_time, made_before_the_loop, until_it_is_small, bound_between,
            before_its_variables, of_an_array_that_is_filled, of_an_array_that_grows, of_constants_that_grow,
            of_a_dict_that_changes]


@pytest.mark.parametrize("optimized", [True, False], ids=["optimized", "raw"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_they_see_what_is_there_when_they_are_called(f: Callable[..., Any], optimized: bool) -> None:
    x, h = 0.63, 1e-5
    due = (8.0 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12.0 * h)
    np.testing.assert_allclose(tnb.grad(f, optimized=optimized)(x), due, rtol=1e-6)
    np.testing.assert_allclose(tnb.jvp(f, optimized=optimized)(x, 1.0), due, rtol=1e-6)
    np.testing.assert_allclose(tnb.vjp(f, optimized=optimized)(x, seed=1.0), due, rtol=1e-6)


def counts(x):
    n = [0]

    def rest(v):
        n[0] += 1
        return v - x
    y = brentq(rest, -5.0, 5.0)
    n[0] = 0
    return y * x


def kept_and_given(x):
    k = x
    line = lambda v: v * k  # noqa: E731
    kept = [line]
    first = quad(line, 0.0, 1.0)[0]
    k = k * 2.0
    return first * kept[0](x)


@pytest.mark.parametrize("f", [counts, kept_and_given], ids=lambda f: f.__name__)
def test_what_is_kept_elsewhere_or_changes_them_is_refused(f: Callable[..., Any]) -> None:
    for derive in (tnb.grad, tnb.jvp):
        with pytest.raises(TangentError, match="bound to n, which is changed|reads k, which is bound or changed later"):
            derive(f)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_twice(f: Callable[..., Any]) -> None:
    x, h = 0.63, 1e-5
    df = tnb.grad(f)
    due = (8.0 * (df(x + h) - df(x - h)) - df(x + 2 * h) + df(x - 2 * h)) / (12.0 * h)
    np.testing.assert_allclose(tnb.grad(df)(x), due, rtol=1e-5)
    np.testing.assert_allclose(tnb.jvp(df)(x, 1.0), due, rtol=1e-5)
