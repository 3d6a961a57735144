"""Running sums, products and differences.

`np.cumprod` is the product along the rows of a triangle, right also with zeros: it takes memory for the square of
the length.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from .broadcasting import cast


def uncumsum(g: Any, x: Any, axis: int | None = None) -> Any:
    """The transpose of `np.cumsum(x, axis)`: sums from each element to the end.

    >>> uncumsum(np.ones(3), np.zeros(3))
    array([3., 2., 1.])
    """
    g = np.flip(np.cumsum(np.flip(g, axis), axis), axis)
    g = np.reshape(g, np.shape(x))
    return cast(g, x) if g.ndim else cast(g[()], x)


def undiff(g: Any, x: Any, n: int = 1, axis: int = -1) -> Any:
    """The transpose of `np.diff(x, n, axis)`.

    >>> undiff(np.ones(2), np.zeros(3))
    array([-1., -0.,  1.])
    """
    if np.shape(x)[axis] <= n:                             # there are no differences
        return np.zeros_like(x)
    width = [(0, 0)] * np.ndim(x)
    width[axis] = (1, 1)
    for _ in range(n):
        g = -np.diff(np.pad(g, width), axis=axis)
    return cast(g, x)


def last(v: Any, axis: int | None = None) -> Any:
    """`v` with an axis moved to the end; flat where it is None.

    >>> last(np.zeros((2, 3)), 0).shape
    (3, 2)
    """
    return np.ravel(v) if axis is None else np.moveaxis(v, axis, -1)


def unlast(v: Any, x: Any, axis: int | None = None) -> Any:
    """The transpose of `last(x, axis)`.

    >>> unlast(np.zeros((3, 2)), np.zeros((2, 3)), 0).shape
    (2, 3)
    """
    return cast(np.reshape(v, np.shape(x)) if axis is None else np.moveaxis(v, -1, axis), x)


def triangle(x: Any, axis: int | None = None) -> Any:
    """For each element a row of those up to it, then ones: `np.cumprod` is the product of the rows.

    >>> triangle(np.array([2.0, 3.0]))
    array([[2., 1.],
           [2., 3.]])
    """
    rows = last(x, axis)[..., None, :]
    return np.where(np.tri(rows.shape[-1], dtype=bool), rows, 1.0)


def triangle_along(v: Any, axis: int | None = None) -> Any:
    """The derivative of `triangle` along `v`: zeros after each element.

    >>> triangle_along(np.array([2.0, 3.0]))
    array([[2., 0.],
           [2., 3.]])
    """
    rows = last(v, axis)[..., None, :]
    return np.where(np.tri(rows.shape[-1], dtype=bool), rows, 0.0)


def untriangle(v: Any, x: Any, axis: int | None = None) -> Any:
    """The transpose of `triangle_along`.

    >>> untriangle(np.ones((2, 2)), np.zeros(2))
    array([2., 1.])
    """
    return unlast(np.sum(np.tril(v), axis=-2), x, axis)


def without_first(v: Any, axis: int | None = None, present: bool = True) -> Any:
    """`v` without its first element along an axis, which `include_initial=` puts there; the only axis where it is None.

    >>> without_first(np.array([0.0, 2.0, 3.0]))
    array([2., 3.])
    """
    return np.moveaxis(np.moveaxis(v, axis or 0, 0)[1:], 0, axis or 0) if present else v


def with_first(v: Any, axis: int | None = None, present: bool = True) -> Any:
    """The transpose of `without_first`: a zero in front.

    >>> with_first(np.array([2.0, 3.0]))
    array([0., 2., 3.])
    """
    width = [(0, 0)] * np.ndim(v)
    width[axis or 0] = (1, 0)
    return np.pad(v, width) if present else v
