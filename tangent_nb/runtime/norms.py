"""The slopes of norms other than the root of a sum of squares, and the second derivatives.

Vectors: of any order p, `sign(x) * (abs(x) / norm)**(p - 1)`. Matrices: the singular values carry the spectral norms
(A. Lewis, "The convex analysis of unitarily invariant matrix functions", 1995), sums of columns or rows the others. At
ties the slope is shared; at 0 it is 0.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from .broadcasting import cast
from .checks import real_only
from .kinks import ratio
from .reductions import Axis, _positive


def norm_slope(x: Any, ord: Any = None, axis: Axis = None, vector: bool | None = None) -> Any:
    """The partials of `np.linalg.norm(x, ord, axis)`, in the shape of `x`;
    vector: of all of the axes as one vector, or not, or by their number.

    >>> x = np.array([3.0, -4.0])
    >>> norm_slope(x), norm_slope(x, 1), norm_slope(x, np.inf)
    (array([ 0.6, -0.8]), array([ 1., -1.]), array([ 0., -1.]))
    """
    return _on_axes(_slope, x, (), ord, axis, vector)


def norm_slope_dx(g: Any, x: Any, ord: Any = None, axis: Axis = None, vector: bool | None = None) -> Any:
    """The derivative of `norm_slope` along `g`; it is symmetric, its own transpose.

    >>> norm_slope_dx(np.array([1.0, 0.0]), np.array([3.0, 4.0])).round(3)
    array([ 0.128, -0.096])
    """
    return _on_axes(_curvature, x, (g,), ord, axis, vector)


def _on_axes(fn: Any, x: Any, along: tuple[Any, ...], ord: Any, axis: Axis, vector: bool | None) -> Any:
    """`fn` with the axes of the norm last; those of a vector as one."""
    x = np.asarray(real_only(x))
    axes = tuple(range(x.ndim)) if axis is None else _positive(axis, x.ndim)
    if axis is None and ord is None:
        vector = True
    vector = len(axes) != 2 if vector is None else vector
    if not vector and len(axes) == 2 and ord in (None, "fro", "f"):
        vector, ord = True, 2
    last = tuple(range(-len(axes), 0))
    moved = [np.moveaxis(np.asarray(a), axes, last) for a in (*along, x)]
    flat = [a.reshape(*a.shape[:a.ndim - len(axes)], -1) for a in moved] if vector else moved
    out = fn(*flat, 2 if ord is None else ord, vector)
    return cast(np.moveaxis(out.reshape(moved[-1].shape), last, axes), x)


def _slope(x: Any, ord: Any, vector: bool) -> Any:
    if not vector:
        return _matrix_slope(x, ord)
    size = np.abs(x)
    if ord == 0 or not x.shape[-1]:
        return np.zeros_like(x)
    if ord in (np.inf, -np.inf):
        return _shared(size, ord > 0, -1) * np.sign(x)
    if ord == 1:
        return np.sign(x)
    return np.sign(x) * _power(size, ord - 1.0, _p_norm(size, ord))


def _p_norm(size: Any, p: float) -> Any:
    """The norm of order `p`, which does not overflow; and 1 for zeros."""
    most = np.max(size, axis=-1, keepdims=True)
    most = np.where(most == 0.0, 1.0, most)
    total = np.sum(_power(size, p, most), axis=-1, keepdims=True)
    return most * np.where(total == 0.0, 1.0, total) ** (1.0 / p)


def _power(size: Any, p: float, of: Any) -> Any:
    """`(size / of)**p`; 0 where size is 0, as the slope of a norm is."""
    zero = size == 0.0
    return np.where(zero, 0.0, np.where(zero, 1.0, size / of) ** p)


def _shared(values: Any, largest: bool, axis: int) -> Any:
    """1 where a value is the largest, or the smallest, along an axis; shared between equal ones."""
    best = values == (np.max if largest else np.min)(values, axis=axis, keepdims=True)
    return np.asarray(best, values.dtype) / np.sum(best, axis=axis, keepdims=True).astype(values.dtype)


def _matrix_slope(x: Any, ord: Any) -> Any:
    if ord in (1, -1, np.inf, -np.inf):                    # the largest, or smallest, sum of a column, or a row
        summed = -2 if ord in (1, -1) else -1
        return _shared(np.sum(np.abs(x), axis=summed, keepdims=True), ord > 0, -3 - summed) * np.sign(x)
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    return np.matmul(u * _weights(s, ord)[..., None, :], vt)


def _weights(s: Any, ord: Any) -> Any:
    """The slopes of a spectral norm in the singular values."""
    if ord == "nuc":
        return np.sign(s)
    return _shared(s, ord > 0, -1) * np.sign(s)


def _curvature(g: Any, x: Any, ord: Any, vector: bool) -> Any:
    if not vector:
        return np.zeros_like(x) if ord in (1, -1, np.inf, -np.inf) else _spectral_curvature(g, x, ord)
    if ord in (0, 1, np.inf, -np.inf) or not x.shape[-1]:
        return np.zeros_like(x)
    size = np.abs(x)
    norm = _p_norm(size, ord)
    slope = np.sign(x) * _power(size, ord - 1.0, norm)
    own = g if ord == 2 else _power(size, ord - 2.0, norm) * g
    at_zero = np.any(x != 0.0, axis=-1, keepdims=True)
    return np.where(at_zero, (ord - 1.0) * (own - slope * np.sum(slope * g, axis=-1, keepdims=True)) / norm, 0.0)


def _spectral_curvature(g: Any, x: Any, ord: Any) -> Any:
    """The change of `u @ diag(w) @ vt`: the weights `w` of the singular values stay, the vectors turn."""
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    w, ut, v = _weights(s, ord), np.matrix_transpose(u), np.matrix_transpose(vt)
    inner = np.matmul(ut, np.matmul(g, v))
    flipped = np.matrix_transpose(inner)

    def pairs(a: Any, sign: float) -> Any:
        return a[..., :, None] + sign * a[..., None, :]

    turned = 0.5 * ((inner + flipped) * ratio(pairs(w, -1.0), pairs(s, -1.0))
                    + (inner - flipped) * ratio(pairs(w, 1.0), pairs(s, 1.0)))
    each = ratio(w, s)
    left, right = np.matmul(g, v), np.matmul(ut, g)
    if u.shape[-2] > s.shape[-1]:
        return np.matmul(np.matmul(u, turned) + (left - np.matmul(u, inner)) * each[..., None, :], vt)
    return np.matmul(u, np.matmul(turned, vt) + each[..., :, None] * (right - np.matmul(inner, vt)))
