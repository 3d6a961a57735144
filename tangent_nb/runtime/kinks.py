"""Slopes at points where a function has a kink: ties share equally.

All of them are constant almost everywhere, so that their own derivative is zero.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .structure import zeros_like


def greater(x: Any, y: Any) -> Any:
    """The slope of `maximum(x, y)` in `x`: 1 where x > y, 0 where x < y, 0.5 at ties.

    >>> greater(np.array([0.0, 1.0, 2.0]), 1.0)
    array([0. , 0.5, 1. ])
    """
    if x.__class__ is y.__class__ is float:
        return 1.0 if x > y else 0.5 if x == y else 0.0
    return _number(np.greater(x, y), np.equal(x, y), x, y)


def _number(full: Any, half: Any, *values: Any) -> Any:
    """1 where `full`, 0.5 where `half`, else 0, in the floating dtype that `values` have together."""
    dtype = np.result_type(*[v for v in values if v is not None])
    if dtype.kind == "c":
        raise ArgumentError("the order of complex numbers is not differentiated: compare z.real or np.abs(z)")
    one = (dtype if dtype.kind == "f" else np.dtype(float)).type(1)
    return full * one + half * (one / 2)


def inside(x: Any, low: Any, high: Any) -> Any:
    """The slope of `clip(x, low, high)` in `x`: 1 inside, 0 outside, 0.5 on a bound. A bound may be None.

    >>> inside(np.array([-1.0, 0.0, 0.5, 2.0]), 0.0, 1.0)
    array([0. , 0.5, 1. , 0. ])
    """
    slope = 1.0 if low is None else greater(x, low)
    if high is None:
        return slope
    return slope * greater(high, x if low is None else np.maximum(x, low))


def below(x: Any, low: Any, high: Any) -> Any:
    """The slope of `clip(x, low, high)` in `low`: 1 where x is below it.

    >>> below(np.array([-1.0, 0.0, 0.5]), 0.0, 1.0)
    array([1. , 0.5, 0. ])
    """
    slope = greater(low, x)
    return slope if high is None else slope * greater(high, np.maximum(x, low))


def above(x: Any, low: Any, high: Any) -> Any:
    """The slope of `clip(x, low, high)` in `high`: 1 where x is above it.

    >>> above(np.array([0.5, 1.0, 2.0]), 0.0, 1.0)
    array([0. , 0.5, 1. ])
    """
    return greater(x if low is None else np.maximum(x, low), high)


def sign(x: Any) -> Any:
    """The slope of `abs`: 0 at 0. For a complex number the conjugate of its direction.

    >>> float(sign(-2.0)), complex(sign(3j))
    (-1.0, -1j)
    """
    return np.conj(np.sign(x)) if np.iscomplexobj(x) else np.sign(x)


def sign_dx(g: Any, x: Any) -> Any:
    """The derivative of `sign`: zero; refused for complex numbers.

    >>> sign_dx(1.0, 2.0)
    0.0
    """
    if np.iscomplexobj(x):
        raise ArgumentError("the second derivative of abs of complex numbers is not there: use np.hypot(z.real, z.imag)")
    return zeros_like(g)


def ratio(a: Any, b: Any) -> Any:
    """`a / b`, and 0 where `b` is 0: a norm has slope 0 at 0.

    >>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    if a.__class__ is b.__class__ is float:
        return a / b if b else 0.0
    if np.ndim(b) == 0:
        return np.divide(a, b) if b != 0.0 else zeros_like(a)
    zero = np.equal(b, 0.0)
    return np.where(zero, 0.0, np.divide(a, np.where(zero, 1.0, b)))[()]
