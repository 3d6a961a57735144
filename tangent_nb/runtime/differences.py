"""The transposes of differences, gradients on a grid, integrals and weighted means."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast, unbroadcast
from .cumulative import undiff
from .reductions import Axis, _positive
from .shaping import unarray, unconcatenate
from .structure import zeros_like


def around(x: Any, axis: int, prepend: Any = None, append: Any = None) -> Any:
    """What `np.diff(x, axis=axis, prepend=prepend, append=append)` takes differences of.

    >>> around(np.array([1.0, 2.0]), -1, 0.0)
    array([0., 1., 2.])
    """
    x = np.asarray(x)
    shape = (*x.shape[:axis % x.ndim], 1, *x.shape[axis % x.ndim + 1:])
    parts = [v if np.ndim(v) else np.broadcast_to(v, shape) for v in (prepend, x, append) if v is not None]
    return np.concatenate(parts, axis) if len(parts) > 1 else x


def unaround(g: Any, x: Any, axis: int, prepend: Any = None, append: Any = None) -> tuple[Any, Any, Any]:
    """The cotangents of `prepend`, `x` and `append` in `around`.

    >>> unaround(np.array([1.0, 2.0, 3.0]), np.zeros(2), -1, 0.0)
    (1.0, array([2., 3.]), None)
    """
    before = 0 if prepend is None else np.shape(prepend)[axis] if np.ndim(prepend) else 1
    moved = np.moveaxis(g, axis, 0)
    ends = (0, before, before + np.shape(x)[axis], len(moved))
    parts = [np.moveaxis(moved[a:b], 0, axis) for a, b in zip(ends, ends[1:])]
    first, middle, last = (None if v is None else unarray(part, v) for part, v in zip(parts, (prepend, x, append)))
    return first, middle, last


def unediff1d(g: Any, x: Any, to_end: Any = None, to_begin: Any = None) -> tuple[Any, Any, Any]:
    """The cotangents of the arguments of `np.ediff1d(x, to_end, to_begin)`.

    >>> unediff1d(np.array([5.0, 1.0]), np.zeros(2), None, 0.0)
    (array([-1.,  1.]), None, 5.0)
    """
    given = [v for v in (to_begin, np.zeros(max(np.size(x) - 1, 0)), to_end) if v is not None]
    parts = list(unconcatenate(g, [np.ravel(v) for v in given], None))
    first = None if to_begin is None else unarray(np.reshape(parts.pop(0), np.shape(to_begin)), to_begin)
    flat = undiff(parts[0], np.ravel(x)) if np.size(x) > 1 else np.zeros(np.size(x))
    last = None if to_end is None else unarray(np.reshape(parts[1], np.shape(to_end)), to_end)
    return cast(np.reshape(flat, np.shape(x)), x), last, first


def ungradient(g: Any, f: Any, h: Any = 1, axis: Axis = None, edge_order: int = 1) -> Any:
    """The transpose of `np.gradient(f, h, axis=axis, edge_order=edge_order)`.

    A row of that matrix has at most three entries, beside each other: three vectors with a one in every third place
    show all of them.

    >>> ungradient(np.array([0.0, 1.0, 0.0]), np.zeros(3))
    array([-0.5,  0. ,  0.5])
    """
    f = np.asarray(f)
    axes = _positive(axis, f.ndim)
    parts = g if isinstance(g, (tuple, list)) else (g,)
    total = _ungradient(parts[0], h, axes[0], edge_order)
    for part, i in zip(parts[1:], axes[1:]):
        total = total + _ungradient(part, h, i, edge_order)
    return cast(total, f)


def over_spacing(g: Any, y: Any, h: Any) -> Any:
    """The cotangent of the spacing `h` in `y = np.gradient(f, h)`, by which it is divided.

    >>> over_spacing(np.ones(2), np.array([2.0, 4.0]), 2.0)
    -3.0
    """
    _one_spacing(h)
    pairs = zip(g, y) if isinstance(y, (tuple, list)) else [(g, y)]
    return cast(-sum(np.sum(a * b) for a, b in pairs) / h, h)


def along_spacing(g: Any, y: Any, h: Any) -> Any:
    """The tangent of the same: `-(g / h) * y`.

    >>> along_spacing(1.0, np.array([2.0, 4.0]), 2.0)
    array([-1., -2.])
    """
    _one_spacing(h)
    return tuple(-(g / h) * part for part in y) if isinstance(y, (tuple, list)) else -(g / h) * y


def _one_spacing(h: Any) -> None:
    if np.ndim(h):
        raise ArgumentError("np.gradient is differentiated by its spacing where that is one number, and this one is "
                            "an array of places: write np.diff(f) / np.diff(h)")


def _ungradient(g: Any, h: Any, axis: int, edge_order: Any) -> Any:
    g = np.moveaxis(np.asarray(g), axis, -1)
    n = g.shape[-1]
    width = min(n, 3)
    place = np.arange(n)
    seen = [np.gradient(np.where(place % 3 == k, 1.0, 0.0), h, edge_order=edge_order) for k in range(3)]
    start = np.clip(place - 1, 0, n - width)
    sides = [(0, 0)] * (g.ndim - 1)
    total: Any = 0.0
    for m in range(width):
        entry = np.where((start + m) % 3 == 0, seen[0], np.where((start + m) % 3 == 1, seen[1], seen[2]))
        term = g * entry.astype(g.dtype)
        total = total + np.pad(term[..., :1], [*sides, (m, n - 1 - m)]) \
            + np.pad(term[..., -1:], [*sides, (n - width + m, width - 1 - m)])
        if n > 2:
            total = total + np.pad(term[..., 1:-1], [*sides, (m, 2 - m)])
    return np.moveaxis(total, -1, axis)


def middle(y: Any, axis: int = -1) -> Any:
    """The mean of neighbours, as `np.trapezoid` takes it.

    >>> middle(np.array([1.0, 3.0, 4.0]))
    array([2. , 3.5])
    """
    rows = np.moveaxis(np.asarray(y), axis, -1)
    return np.moveaxis(0.5 * (rows[..., 1:] + rows[..., :-1]), -1, axis)


def unmiddle(g: Any, y: Any, axis: int = -1) -> Any:
    """The transpose of `middle`, of a `g` that is broadcast to its result, or the other way round.

    >>> unmiddle(np.array([1.0, 2.0]), np.zeros(3))
    array([0.5, 1.5, 1. ])
    """
    shape = list(np.shape(y))
    if not shape[axis]:
        return zeros_like(y)
    shape[axis] -= 1
    half = np.moveaxis(_spread(0.5 * g, shape), axis, -1)
    sides = [(0, 0)] * (len(shape) - 1)
    return cast(np.moveaxis(np.pad(half, [*sides, (0, 1)]) + np.pad(half, [*sides, (1, 0)]), -1, axis), y)


def _spread(g: Any, shape: list[int]) -> Any:
    """A cotangent of this shape, of one that its products with other arrays have."""
    return unbroadcast(np.broadcast_to(g, np.broadcast_shapes(np.shape(g), shape)),
                       np.broadcast_to(np.zeros((), g.dtype), shape))


def widths(x: Any, y: Any, dx: Any = 1.0, axis: int = -1) -> Any:
    """The widths of the panels of `np.trapezoid(y, x, dx, axis)`, to be broadcast to them.

    >>> widths(np.array([0.0, 1.0, 3.0]), np.zeros(3))
    array([1., 2.])
    """
    if x is None:
        return dx
    x = np.asarray(x)
    if x.ndim == 1:
        shape = [1] * np.ndim(y)
        shape[axis] = -1
        return np.reshape(np.diff(x), shape)
    return np.diff(x, axis=axis)


def unwidths(g: Any, x: Any, axis: int = -1) -> Any:
    """The transpose of `widths` in x.

    >>> unwidths(np.array([1.0, 1.0]), np.zeros(3))
    array([-1., -0.,  1.])
    """
    shape = list(np.shape(x))
    if len(shape) == 1:
        g, axis = np.moveaxis(g, axis, -1), 0
    if not shape[axis]:
        return zeros_like(x)
    shape[axis] -= 1
    return undiff(_spread(g, shape), x, 1, axis)


def weights_over(weights: Any, a: Any, axis: Axis = None) -> Any:
    """The weights of `np.average(a, axis, weights)`, spread over the shape of `a`.

    >>> weights_over(np.array([1.0, 2.0]), np.zeros((2, 2)), axis=0)
    array([[1., 1.],
           [2., 2.]])
    """
    shape = np.shape(a)
    if weights is None:
        return np.ones(shape, np.asarray(a).dtype)
    weights = np.asarray(weights)
    return np.broadcast_to(
        np.reshape(np.transpose(weights, _weight_axes(weights, a, axis)), _weight_shape(weights, a, axis)), shape)


def unweights_over(g: Any, weights: Any, a: Any, axis: Axis = None) -> Any:
    """The transpose of `weights_over`.

    >>> unweights_over(np.ones((2, 2)), np.zeros(2), np.zeros((2, 2)), axis=0)
    array([2., 2.])
    """
    w = np.asarray(weights)
    order, shape = _weight_axes(w, a, axis), _weight_shape(w, a, axis)
    g = np.sum(g, axis=tuple(i for i, n in enumerate(shape) if n != g.shape[i]), keepdims=True)
    turned = np.reshape(g, [w.shape[i] for i in order])
    return cast(np.transpose(turned, [order.index(i) for i in range(w.ndim)]), weights)


def _weight_axes(weights: Any, a: Any, axis: Axis) -> list[int]:
    """The axes of the weights as they follow each other in `a`."""
    if weights.shape == np.shape(a) or axis is None:
        return list(range(weights.ndim))
    axes = _positive(axis, np.ndim(a))
    return sorted(range(len(axes)), key=axes.__getitem__)


def _weight_shape(weights: Any, a: Any, axis: Axis) -> list[int]:
    """The shape of the weights with a length of 1 along the axes that they do not have."""
    shape = np.shape(a)
    if weights.shape == shape or axis is None:
        return list(weights.shape)
    axes = _positive(axis, len(shape))
    return [n if i in axes else 1 for i, n in enumerate(shape)]
