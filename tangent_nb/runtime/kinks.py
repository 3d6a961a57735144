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
    dtype = np.result_type(*[np.asarray(v) if hasattr(v, "__len__") else v for v in values if v is not None])
    if dtype.kind == "c":
        raise ArgumentError("the order of complex numbers is not differentiated: compare z.real or np.abs(z)")
    one = (dtype if dtype.kind == "f" else np.dtype(float)).type(1)
    if half.__class__ is np.ndarray and not half.any():    # no array is made of nothing but zeros
        return full * one
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


FEW = (greater, inside, below, above)                      # of which all values are 0, 0.25, 0.5 or 1

def sign(x: Any) -> Any:
    """The slope of `abs`: 0 at 0. For a complex number the conjugate of its direction.

    >>> float(sign(-2.0)), complex(sign(3j))
    (-1.0, -1j)
    """
    return np.conj(np.sign(x)) if np.iscomplexobj(x) else np.sign(x)


def sign_dx(g: Any, x: Any) -> Any:
    """The derivative of `sign` along `g`: zero for real numbers. For complex ones the direction turns;
    that is symmetric, its own transpose.

    >>> sign_dx(1.0, 2.0), complex(sign_dx(1j, 2.0 + 0j))
    (0.0, -0.5j)
    """
    if not np.iscomplexobj(x):
        return zeros_like(g)
    direction = sign(x)
    return -1j * direction * ratio(np.imag(g * direction), np.abs(x))


def sign_dx2(g: Any, v: Any, x: Any) -> Any:
    """The second derivative of `sign` along `g` and `v`: zero; refused for complex numbers.

    >>> sign_dx2(1.0, 1.0, 2.0)
    0.0
    """
    if np.iscomplexobj(x):
        raise ArgumentError("the third derivative of abs of complex numbers is not there: use np.hypot(z.real, z.imag)")
    return zeros_like(g)


def root_above_1(x: Any) -> Any:
    """The root of `1 + x**2`, also of complex numbers.

    >>> float(root_above_1(0.75))
    1.25
    """
    return np.sqrt(1.0 + x * x) if np.iscomplexobj(x) else np.hypot(x, 1.0)


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


def accumulate_along(v: Any, x: Any, axis: int | None = 0, least: bool = False) -> Any:
    """The derivative of `np.maximum.accumulate(x, axis)` along `v`; with `least` that of `np.minimum.accumulate`.

    >>> accumulate_along(np.array([1.0, 2.0, 3.0]), np.array([5.0, 4.0, 6.0]))
    array([1., 1., 3.])
    """
    axis = 0 if axis is None else axis                     # of one dimension
    rows = np.moveaxis(v, axis, 0)
    found: list[Any] = []
    for new, share in zip(rows, _records(x, axis, least)):
        found.append(share * new + (1.0 - share) * found[-1] if found else new)
    return np.moveaxis(np.stack(found), 0, axis) if found else np.zeros_like(v)


def unaccumulate(g: Any, x: Any, axis: int | None = 0, least: bool = False) -> Any:
    """The transpose of `accumulate_along`.

    >>> unaccumulate(np.ones(3), np.array([5.0, 4.0, 6.0]))
    array([2., 0., 1.])
    """
    axis = 0 if axis is None else axis                     # of one dimension
    rows = np.moveaxis(g, axis, 0)
    found: list[Any] = []
    rest: Any = 0.0
    for new, share in zip(rows[::-1], _records(x, axis, least)[::-1]):
        found.append(share * (new + rest))
        rest = (1.0 - share) * (new + rest)
    return np.moveaxis(np.stack(found[::-1]), 0, axis) if found else np.zeros_like(g)


def _records(x: Any, axis: int, least: bool) -> list[Any]:
    """For each element along an axis its share in the extreme value up to it: 1 for a new one,
    0.5 for as great a one."""
    rows = np.moveaxis(np.asarray(x), axis, 0)
    extreme = (np.minimum if least else np.maximum).accumulate(rows)
    one = rows.dtype.type(1)
    return [one, *(greater(old, new) if least else greater(new, old) for new, old in zip(rows[1:], extreme))]


def raised(x: Any, y: Any) -> Any:
    """`x` with as many axes more as `y` has: what `np.multiply.outer(x, y)` multiplies `y` by.

    >>> raised(np.zeros(2), np.zeros((3, 4))).shape
    (2, 1, 1)
    """
    return np.reshape(x, (*np.shape(x), *[1] * np.ndim(y)))
