"""Derivatives that are taken when a derivative runs: what they are bound to, and what goes with it."""
from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.runtime import (
    along_call,
    bound_as,
    derivative_of,
    halves,
    kind_of,
    made_of,
    method,
    method_of,
    owner_of,
    with_residuals,
    zeros_like,
)


def cubed(t, w, k=2.0):
    return t ** 3 * w * k


class Cubic:
    def __init__(self, w):
        self.w = w

    def at(self, t):
        return t ** 3 * self.w

    def __call__(self, t, k):
        return t ** 3 * self.w * k


@pytest.mark.parametrize(("fn", "wrt", "args", "expected"), [
    (cubed, 0, (2.0, 5.0), 120.0), (partial(cubed, w=5.0), 0, (2.0,), 120.0), (partial(cubed, 2.0), 0, (5.0,), 16.0),
    (partial(cubed, w=5.0), 1, (2.0,), 40.0), (partial(cubed, 2.0), "k", (5.0,), 40.0),
    (partial(cubed, 2.0), -1, (5.0,), 40.0), (partial(cubed, w=5.0), ("t", "k"), (2.0,), (120.0, 40.0)),
    (Cubic(5.0), 0, (2.0, 3.0), 180.0), (Cubic(5.0), 1, (2.0, 3.0), 40.0), (Cubic(5.0).at, 0, (2.0,), 60.0)])
def test_wrt_counts_what_the_function_is_not_bound_to(fn, wrt, args, expected):
    assert derivative_of(fn, tnb.grad, wrt)(*args) == expected
    assert tnb.grad(fn, wrt)(*args) == expected


@pytest.mark.parametrize("wrt", ["w", 2, "*", 5])
def test_what_is_bound_is_not_counted(wrt):
    with pytest.raises(TangentError, match="a derivative of cubed is taken inside of a function, by wrt=.*name one of"):
        derivative_of(partial(cubed, w=5.0), tnb.grad, wrt)


def test_tangents_come_last_as_they_do_elsewhere():
    def plain(a, b):
        return a * b
    assert derivative_of(partial(plain, 3.0), tnb.jvp)(5.0, 2.0) == tnb.jvp(partial(plain, 3.0))(5.0, 2.0) == 6.0
    assert derivative_of(partial(plain, b=3.0), tnb.vjp)(5.0, 2.0) == tnb.vjp(partial(plain, b=3.0))(5.0, 2.0) == 6.0
    assert derivative_of(partial(cubed, w=5.0), tnb.jvp)(2.0, dt=2.0) == 240.0


def test_it_is_derived_once():
    first, second = derivative_of(partial(cubed, w=5.0), tnb.grad), derivative_of(partial(cubed, w=7.0), tnb.grad)
    assert first.func is second.func and (first(2.0), second(2.0)) == (120.0, 168.0)


def test_a_function_that_is_another_now_is_derived_again():
    def changing(t, w):
        return t * w
    assert derivative_of(partial(changing, w=5.0), tnb.grad)(2.0) == 5.0
    changing.__code__ = (lambda t, w: t * t * w).__code__
    assert derivative_of(partial(changing, w=5.0), tnb.grad)(2.0) == 20.0


def test_each_closure_has_its_own_cells():
    def made(k):
        def scaled(t, w):
            return t * t * w * k
        return scaled
    found = [derivative_of(partial(made(k), w=5.0), tnb.grad) for k in (1.0, 2.0, 3.0)]
    assert [one(2.0) for one in found] == [20.0, 40.0, 60.0]


def test_what_cannot_be_called_has_none():
    with pytest.raises(TangentError, match="a derivative is taken of a list, which cannot be called"):
        derivative_of([1.0], tnb.grad)


def test_cotangents_go_to_what_is_bound():
    fn, made = partial(cubed, w=5.0), derivative_of(partial(cubed, w=5.0), tnb.grad)
    assert bound_as(partial(abs, w=3.0), fn).keywords == {"w": 3.0}
    assert bound_as(fn, made).func is made.func
    cubic = Cubic(5.0)
    assert bound_as(partial(abs, Cubic(3.0)), cubic).w == 3.0
    assert bound_as(Cubic(3.0), derivative_of(cubic, tnb.grad)).args[0].w == 3.0
    assert bound_as(None, cubic).w == 0.0


def test_methods_are_bound_to_their_objects():
    cubic = Cubic(5.0)
    assert method_of(cubic, "at").args == (cubic,) and method_of(np.ones(2), "sum")() == 2.0
    assert owner_of(partial(abs, Cubic(3.0)), cubic, "at").w == 3.0
    cubic.held = partial(cubed, w=2.0)
    assert method_of(cubic, "held") is cubic.held
    assert owner_of(partial(abs, w=3.0), cubic, "held").held.keywords == {"w": 3.0}


def test_objects_are_made_of_what_they_hold():
    made = made_of(Cubic, w=2.0)
    assert type(made) is Cubic and made.at(1.0) == 2.0


@pytest.mark.parametrize(("fn", "args", "parts"), [
    (partial(cubed, w=5.0), (2.0,), {"w": 16.0}), (partial(cubed, 2.0), (5.0,), {0: 120.0}),
    (Cubic(5.0), (2.0, 2.0), {"w": 16.0})])
def test_calls_of_what_carries_a_derivative(fn, args, parts):
    forward, backward = halves(fn, (len(args), ()), (0,), True)
    value, residuals = forward(fn, *args)
    own, other = with_residuals(backward, residuals)(1.0)
    found = kind_of(own).parts(own)
    assert value == 80.0 and {key: found[key] for key in parts} == parts
    along = along_call(fn, (len(args), ()), (0,), True)
    assert along(fn, *args, zeros_like(fn), 1.0) == (80.0, other)
    (key, slope), = parts.items()
    moved = kind_of(fn).build(fn, {**kind_of(fn).parts(zeros_like(fn)), key: 1.0})
    assert along(fn, *args, moved, 0.0) == (80.0, slope)


def test_calls_of_plain_functions():
    forward, backward = halves(cubed, (2, ()), (0, 1))
    value, residuals = forward(2.0, 5.0)
    assert (value, backward(residuals, 1.0)) == (80.0, (120.0, 16.0))
    assert along_call(cubed, (1, ("w",)), (0, "w"))(2.0, 1.0, 2.0, w=5.0) == (80.0, 152.0)


def test_a_partial_that_is_given_first_and_has_no_cotangent():
    fn = partial(cubed, w=5.0)
    forward, backward = halves(fn, (1, ()), (0,), False, True)
    value, residuals = forward(fn, 2.0)
    assert (value, backward(residuals, 1.0)) == (80.0, 120.0)
    assert along_call(fn, (1, ()), (0,), False, True)(fn, 2.0, 1.0) == (80.0, 120.0)


def test_methods_of_what_is_given():
    forward, backward = halves(method("at"), (2, ()), (0, 1), False, False, False, Cubic(5.0))
    value, residuals = forward(Cubic(5.0), 2.0)
    own, other = backward(residuals, 1.0)
    assert (value, own.w, other) == (40.0, 8.0, 60.0)
    held = Cubic(5.0)
    held.at = abs
    with pytest.raises(TangentError, match=r"Cubic.at is known only when the derivative runs, and its second"):
        halves(method("at"), (2, ()), (0, 1), False, False, False, held)
