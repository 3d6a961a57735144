"""Objects that can be called, as values of attributes: where they are only read they are themselves."""
from __future__ import annotations

import contextlib
import enum
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError


class Tanh:
    name = "tanh"

    def __call__(self, x):
        return np.tanh(x)


class Square:
    def __call__(self, x):
        return x * x


class Act(enum.Enum):
    TANH = 1
    SQUARE = 2

    def __call__(self, x):
        return np.tanh(x) if self is Act.TANH else x * x


@functools.lru_cache
def cached(x):
    return x * x


class Static:
    def __init__(self, w):
        self.w = w

    @staticmethod
    def __call__(*given):
        return len(given) * given[-1]

    @staticmethod
    def __iter__(*given):
        return iter([1.0 + len(given), 2.0])


class OfClass:
    w = 3.0

    def __init__(self, w):
        self.w = w

    @classmethod
    def __call__(cls, x):
        return cls.w * x

    @classmethod
    def __iter__(cls):
        return iter([cls.w, 2.0])


class Computed:
    def __init__(self, w):
        self.w = w

    @property
    def __call__(self):
        return lambda *given: self.w * len(given)


TANH, SQUARE, STATIC = Tanh(), Square(), Static(2.0)


class Layer:
    def __init__(self, w, act=TANH):
        self.w, self.act = w, act

    def at(self, x):
        return self.act(x * self.w) * (2.0 if self.act is TANH else 3.0)


def of_enum(v, act):
    layer = Layer(v[0], act)
    match layer.act:
        case Act.TANH:
            return layer.act(v[1])
        case _:
            return v[2] * layer.w


def anew(v):
    layer = Layer(v[0])
    y = layer.at(v[1])
    layer.act = SQUARE
    return y * layer.at(v[2])


def swapped(v):
    layer = Layer(v[0])
    y = layer.at(v[1])
    layer.act = SQUARE if layer.act is TANH else TANH
    return y * layer.at(v[2])


FUNCTIONS = [
    anew, swapped, lambda v: Layer(v[0]).at(v[1]), lambda v: of_enum(v, Act.TANH), lambda v: of_enum(v, Act.SQUARE),
    lambda v: v[0] * v[1] if Layer(v[0]).act == TANH else v[2],
    lambda v: v[0] * v[1] if Layer(v[0]).act in (SQUARE, TANH) else v[2],
    lambda v: v[0] * v[1] if isinstance(Layer(v[0]).act, Tanh) else v[2],
    lambda v: v[0] * v[1] if type(Layer(v[0]).act) is Tanh else v[2],
    lambda v: v[0] * v[1] if getattr(Layer(v[0]).act, "name", "") == "tanh" else v[2],
    lambda v: v[0] * v[1] if hasattr(Layer(v[0]).act, "name") else v[2],
    lambda v: v[0] * v[1] if id(Layer(v[0]).act) == id(TANH) else v[2],
    lambda v: v[0] * {TANH: 2.0, SQUARE: 3.0}[Layer(v[0]).act],
    lambda v: v[0] * v[1] if Layer(v[0], cached).act is cached else v[2],
    lambda v: Static(v[0])(v[1]) * v[2],
    lambda v: sum(one(v[1]) for one in [Static(v[0]), OfClass(v[2])]) * v[0],
    lambda v: STATIC(v[1]) * v[2],
    lambda v: OfClass(v[0])(v[1]) * v[2],
    ]
NOT_WRONG = [
    lambda v: sum(v[0] * one for one in Static(v[1])) * v[2],
    lambda v: sum([v[0] * one for one in OfClass(v[1])]) * v[2],
    lambda v: Computed(v[0])(v[1], v[2]) * v[2],
    ]
X, D = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.5, 0.8])


@pytest.mark.parametrize("f", NOT_WRONG)
def test_what_the_class_has_is_called_as_python_does(f: Callable[..., Any]) -> None:
    with contextlib.suppress(TangentError):
        test_they_are_themselves(f)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_they_are_themselves(f: Callable[..., Any]) -> None:
    want = (f(X + 1e-6 * D) - f(X - 1e-6 * D)) / 2e-6
    for optimized in (True, False):
        assert np.sum(tnb.grad(f, optimized=optimized)(X) * D) == pytest.approx(want, rel=1e-6)
        assert tnb.jvp(f, optimized=optimized)(X, dv=D) == pytest.approx(want, rel=1e-6)
