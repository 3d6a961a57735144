"""Derivatives taken in a function that is differentiated, of functions that read what it is differentiated for.

The first is the amazing bug of O. Manzyuk et al., "Perturbation confusion in forward automatic differentiation of
higher-order functions" (2019), section 2: a derivative of a curried function.
"""
from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import RefusedError


def shifted(u):
    def on(f):
        def h(x):
            return f(x + u)
        return h
    return on


def curried(u):
    return tnb.grad(shifted(u)(np.exp))(1.0)


def loss(w, k):
    return np.sum((w - 1.0) ** 2) + k * np.sum(w ** 3)


def steps(k):
    w = np.array([0.5, 2.0])
    for _ in range(3):
        w = w - 0.1 * tnb.grad(lambda t: loss(t, k))(w)
    return np.sum(w)


def named(k):
    derivative = tnb.grad(lambda t: t * t * k)
    return derivative(2.0) * derivative(3.0)


def with_value(k):
    value, slope = tnb.value_and_grad(lambda t: t * t * k)(2.0)
    return value * slope


def of_several(k):
    def inner(a, b):
        return a * b * k + b ** 2 * a
    one, two = tnb.grad(inner, wrt=(0, "b"))(2.0, 3.0)
    return one * two + tnb.grad(inner, wrt="b")(2.0, k)


def of_a_partial(k):
    return tnb.grad(partial(loss, k=k))(np.array([1.0, 2.0]))[1]


def with_a_default(k):
    square = k * k
    return tnb.grad(lambda t, s=square: t ** 2 * s)(3.0)


def in_a_helper(k):
    def step(w, rate):
        return w - rate * tnb.grad(lambda t: np.sum(t ** 2) * rate)(w)
    return np.sum(step(step(np.array([1.0, 2.0]), k), k))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("f",
                         [curried, steps, named, with_value, of_several, of_a_partial, with_a_default, in_a_helper])
def test_in_every_mode(f):
    x, h = 0.3, 1e-4
    slope = (8.0 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12.0 * h)
    found = [tnb.grad(f)(x), tnb.grad(f, optimized=False)(x), tnb.jvp(f)(x, 1.0), tnb.pullback(f, x)[1](1.0)]
    assert found == pytest.approx([slope] * 4, rel=1e-8)


def chosen(k):
    if k > 0:
        f = lambda t: t * k  # noqa: E731
    else:
        f = lambda t: t * t * k  # noqa: E731
    return tnb.grad(f)(2.0)


def test_what_is_not_known_is_refused():
    with pytest.raises(RefusedError, match=r"tnb.grad is given f, which depends on what is differentiated"):
        tnb.grad(chosen)
