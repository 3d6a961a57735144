"""Global variables of a module that functions assign: they are left as the function leaves them, once, and read again
with their derivative, or refused."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

STEPS: int = 0
LAST: Any = None
TABLE: Any = None
POINT = np.array([0.7, 1.3, 0.4])
DIRECTION = np.array([0.3, -0.5, 0.8])
MODULE = sys.modules[__name__]


def step(x, rate):
    global STEPS
    STEPS += 1
    return x + rate * (1 - x)


def counted(v):
    x = v[0]
    for _ in range(3):
        x = step(x, v[1])
    return x * x


def steps():
    return STEPS


def counted_and_read(v):
    return step(v[0], v[1]) * steps()


def counted_in_a_loop(v):
    global STEPS
    while STEPS < 4:
        STEPS += 1
        if STEPS % 2:
            v = v * 1.5
    return np.sum(v)


def kept(v):
    global LAST
    LAST = v[0] * 2
    return v[0] * v[1]


def kept_and_read(v):
    global LAST
    LAST = v[0] * 2
    return LAST * v[1]


def table():
    global TABLE
    if TABLE is None:
        TABLE = np.arange(3.0)
    return TABLE


def made_once(v):
    return np.sum(table() * v)


def last():
    return LAST


TABLED = [last]


def read_by_another(v):
    global LAST
    LAST = v[0] * 2
    return last() * v[1]


def read_by_one_of_a_table(v):
    global LAST
    LAST = v[0] * 2
    return TABLED[int(v[0] > 5)]() * v[1]


@pytest.fixture(autouse=True)
def _reset() -> Iterator[None]:
    reset()
    yield
    reset()


def reset() -> None:
    vars(MODULE).update(STEPS=0, LAST=None, TABLE=None)


def state() -> list[Any]:
    return [np.asarray(value).tolist() for value in (STEPS, LAST, TABLE)]


def derivatives() -> list[Callable[..., Any]]:
    return [lambda f: np.sum(tnb.grad(f)(POINT) * DIRECTION),
            lambda f: np.sum(tnb.grad(f, optimized=False)(POINT) * DIRECTION),
            lambda f: tnb.jvp(f)(POINT, dv=DIRECTION)]


@pytest.mark.parametrize("f", [counted, counted_and_read, counted_in_a_loop, kept, kept_and_read, made_once])
def test_they_are_left_as_the_function_leaves_them(f: Callable[..., Any]) -> None:
    values = []
    for sign in (1, -1):
        reset()
        values.append(f(POINT + sign * 1e-6 * DIRECTION))
    reset()
    f(POINT)
    after = state()
    for derive in derivatives():
        for _ in range(2):
            reset()
            assert derive(f) == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-6)
            assert state() == after


@pytest.mark.parametrize("f", [read_by_another, read_by_one_of_a_table])
def test_what_the_derivative_does_not_see_is_refused(f: Callable[..., Any]) -> None:
    for derive in derivatives():
        with pytest.raises(TangentError, match="read again where the derivative does not see it"):
            derive(f)
