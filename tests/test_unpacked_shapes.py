"""Names that an unpacking binds to values of other shapes than they had, and that are not read afterwards."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import differences

import tangent_nb as tnb

pytestmark = pytest.mark.sampled(3)


def pair(z):
    if z > 0:
        return (z * z, z)
    return (z, z)


def triple(z):
    if z > 0:
        return (z * z, np.ones(2) * z, z)
    return (z, np.ones(2) * z, z)


def of_another_shape(x, s):
    w = np.ones(3) * x
    z = np.sum(np.sin(w)) * s
    z, w = pair(z)
    return z


def in_a_branch(x, s):
    w = np.ones(3) * x
    z = np.sum(np.sin(w)) * s
    if x > 0:
        z, w = pair(z)
    return z


def in_a_loop(x, s):
    w = np.ones(3) * x
    z = np.sum(np.sin(w)) * s
    for _ in range(2):
        z, w = pair(z)
    return z + s


def carried_by_a_loop(x, s):
    y, b = 0.0, np.ones(3) * x
    for _ in range(3):
        y = y + 0.1 * np.sum(b)
        y, b, _ = triple(y)
    return y


def not_used(x, s):
    _, _, z = triple(x * s)
    return z * s


def one_name_twice(x, s):
    a, b, a = triple(x * s)
    return np.sum(a) * b[0]


def one_name_three_times(x, s):
    b = np.ones(3) * x
    t = np.sum(b * b)
    a, a, a = [t * 2.0, t, t * t]
    return a


def itself(x, s):
    t = triple(x * s)
    t, b, a = t
    return t * a


def over_itself_twice(x, s):
    b = np.ones(3) * x
    t = np.sum(b * b)
    t, b, t = triple(t * s)
    return t


def of_an_array(x, s):
    b = np.ones(3) * x
    t = np.array([x, x * x, s * x]) * np.sum(b)
    b, c, b = t
    return b


def of_a_tuple(x, s):
    b = np.ones(3) * x
    t = (x, b, np.sum(b))
    c, b, a = t
    return a * t[2]


def of_a_function(x, s):
    slope = tnb.grad(lambda t: s - t * t)
    z = slope(s) * slope(x + s)
    z, slope = pair(z)
    return z


PROGRAMS: list[Callable[..., Any]] = [
    of_another_shape, in_a_branch, in_a_loop, carried_by_a_loop, not_used, one_name_twice, one_name_three_times, itself,
    over_itself_twice, of_an_array, of_a_tuple, of_a_function]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_zero_has_the_shape_of_what_was_bound(f: Callable[..., Any]) -> None:
    known = differences(lambda t: f(0.3 + t, 0.4)).value
    for found in (tnb.grad(f)(0.3, 0.4), tnb.grad(f, optimized=False)(0.3, 0.4), tnb.jvp(f)(0.3, 0.4, 1.0),
                  tnb.value_and_grad(f)(0.3, 0.4)[1], tnb.pullback(f, 0.3, 0.4)[1](1.0)):
        assert found == pytest.approx(known, rel=1e-8, abs=1e-10)
    twice = differences(lambda t: tnb.grad(f)(0.3 + t, 0.4)).value
    assert tnb.jvp(tnb.grad(f))(0.3, 0.4, 1.0) == pytest.approx(twice, rel=1e-7, abs=1e-8)
