"""The transposes of functions that move values without changing them."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast, unbroadcast
from .persistent import PersistentArray
from .structure import copy, rebuild


def array_of_list(x: Any) -> Any:
    """A list, or a tuple, as NumPy computes with it beside an array, `np.asarray(x)`; anything else as it is, since a
    number of Python raises at poles.

    >>> array_of_list([1.0, 2.0]), array_of_list(1.0)
    (array([1., 2.]), 1.0)
    """
    return np.asarray(x) if isinstance(x, (list, tuple)) else x


def unarray(g: Any, x: Any) -> Any:
    """The cotangent of `np.array(x)` as a value like `x`: a list of cotangents for a list.

    >>> unarray(np.array([1.0, 2.0]), [0.0, 0.0])
    [1.0, 2.0]
    """
    if isinstance(x, (list, tuple)):
        return rebuild(x, [unarray(g[i], item) for i, item in enumerate(x)])
    if isinstance(g, (list, tuple)) and isinstance(x, (np.ndarray, PersistentArray)):
        g = np.asarray(g, x.dtype)
    return unbroadcast(g, x)


def untranspose(g: Any, axes: Any = None) -> Any:
    """The transpose of `np.transpose(x, axes)`; of one axis they may be a number.

    >>> untranspose(np.zeros((4, 2, 3)), (2, 0, 1)).shape, untranspose(np.zeros(3), 0).shape
    ((2, 3, 4), (3,))
    """
    if axes is None:
        return np.transpose(g)
    places = [axes] if isinstance(axes, (int, np.integer)) else axes
    return np.transpose(g, inverse([int(i) % np.ndim(g) for i in places]))


def inverse(order: Sequence[int]) -> list[int]:
    """The places of the items of `order` in their own order; of a permutation its inverse.

    >>> inverse([2, 0, 1])
    [1, 2, 0]
    """
    return sorted(range(len(order)), key=order.__getitem__)


def unstack(g: Any, arrays: Any, axis: int = 0) -> Any:
    """The cotangents of the arrays in `np.stack(arrays, axis)`, in a container like theirs.

    >>> unstack(np.array([[1.0, 2.0], [3.0, 4.0]]), [np.zeros(2), np.zeros(2)])
    [array([1., 2.]), array([3., 4.])]
    """
    parts = np.moveaxis(g, axis, 0)
    if isinstance(arrays, (np.ndarray, PersistentArray)):
        return cast(parts, arrays)
    return rebuild(arrays, [unarray(parts[i], a) for i, a in enumerate(arrays)])


def unconcatenate(g: Any, arrays: Any, axis: int | None = 0) -> Any:
    """The cotangents of the arrays in `np.concatenate(arrays, axis)`, in a container like theirs.

    >>> unconcatenate(np.array([1.0, 2.0, 3.0]), (np.zeros(1), np.zeros(2)))
    (array([1.]), array([2., 3.]))
    """
    parts, start = [], 0
    for a in arrays:
        shape = np.shape(a)
        n = math.prod(shape) if axis is None else shape[axis]
        at = 0 if axis is None else axis % len(shape)
        part = g[(slice(None),) * at + (slice(start, start + n),)]
        part = part.reshape(shape) if axis is None else part
        parts.append(unarray(part, a) if isinstance(a, (list, tuple)) else cast(part, a))
        start += n
    return _like(arrays, parts)


def unvstack(g: Any, arrays: Any) -> Any:
    """The cotangents of the arrays in `np.vstack(arrays)`.

    >>> unvstack(np.array([[1.0, 2.0]]), [np.zeros(2)])
    [array([1., 2.])]
    """
    return _reshaped(unconcatenate(g, [np.atleast_2d(a) for a in arrays], 0), arrays)


def unhstack(g: Any, arrays: Any) -> Any:
    """The cotangents of the arrays in `np.hstack(arrays)`.

    >>> unhstack(np.array([1.0, 2.0]), (0.0, np.zeros(1)))
    (1.0, array([2.]))
    """
    lifted = [np.atleast_1d(a) for a in arrays]
    return _reshaped(unconcatenate(g, lifted, 0 if lifted[0].ndim == 1 else 1), arrays)


def uncolumn_stack(g: Any, arrays: Any) -> Any:
    """The cotangents of the arrays in `np.column_stack(arrays)`.

    >>> uncolumn_stack(np.array([[1.0], [2.0]]), [np.zeros(2)])
    [array([1., 2.])]
    """
    lifted = [a if np.ndim(a) > 1 else np.reshape(a, (-1, 1)) for a in arrays]
    return _reshaped(unconcatenate(g, lifted, 1), arrays)


def _reshaped(parts: list[Any], arrays: Any) -> Any:
    return _like(arrays, [unarray(np.reshape(part, np.shape(a)), a) for part, a in zip(parts, arrays)])


def _like(arrays: Any, parts: list[Any]) -> Any:
    return np.stack(parts) if isinstance(arrays, (np.ndarray, PersistentArray)) else rebuild(arrays, parts)


def unroll(g: Any, shift: Any, axis: Any = None) -> Any:
    """The transpose of `np.roll(x, shift, axis)`.

    >>> unroll(np.array([1.0, 2.0, 3.0]), 1)
    array([2., 3., 1.])
    >>> unroll(np.array([1.0, 2.0, 3.0]), np.uint8(1)), unroll(np.array([1.0, 2.0, 3.0]), True)
    (array([2., 3., 1.]), array([2., 3., 1.]))
    """
    return np.roll(g, np.negative(np.asarray(shift).astype(int)), axis)


def untile(g: Any, x: Any, reps: Any) -> Any:
    """The sum over the copies that `np.tile(x, reps)` makes.

    >>> untile(np.array([1.0, 2.0, 3.0, 4.0]), np.zeros(2), 2)
    array([4., 6.])
    """
    times = [reps] if np.ndim(reps) == 0 else list(reps)
    shape = list(np.shape(x))
    ndim = max(len(times), len(shape))
    times = [1] * (ndim - len(times)) + times
    shape = [1] * (ndim - len(shape)) + shape
    blocks = np.reshape(g, [n for pair in zip(times, shape) for n in pair])
    total = np.sum(blocks, axis=tuple(range(0, 2 * ndim, 2)))
    return unbroadcast(np.reshape(total, np.shape(x)), x)


def unrepeat(g: Any, x: Any, repeats: Any, axis: int | None = None) -> Any:
    """The sum over the copies that `np.repeat(x, repeats, axis)` makes.

    >>> unrepeat(np.array([1.0, 2.0, 3.0]), np.zeros(2), [1, 2])
    array([1., 5.])
    """
    shape = np.shape(x)
    n = math.prod(shape) if axis is None else shape[axis]
    source = np.repeat(np.arange(n), repeats)
    at = 0 if axis is None else axis % len(shape)
    total: Any = np.zeros((n,) if axis is None else shape, np.asarray(g).dtype)
    where: Any = (slice(None),) * at + (source,)
    np.add.at(total, where, g)
    return unbroadcast(np.reshape(total, shape), x)


def unwindow(g: Any, x: Any, window_shape: Any, axis: Any = None) -> Any:
    """The sum of windows `g` where each stood: the transpose of `np.lib.stride_tricks.sliding_window_view`.

    >>> unwindow(np.ones((3, 2)), np.zeros(4), 2)
    array([1., 2., 2., 1.])
    """
    b = np.zeros(np.shape(x), np.asarray(x).dtype)
    sizes = np.atleast_1d(window_shape)
    axes = range(b.ndim) if axis is None else np.atleast_1d(axis)
    for place in np.ndindex(*sizes):
        first = np.zeros(b.ndim, int)
        np.add.at(first, list(axes), place)                # an axis may be named twice
        b[tuple(slice(i, i + n) for i, n in zip(first, np.shape(g)[:b.ndim], strict=True))] += g[(..., *place)]
    return b


def undiagonal(g: Any, x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Zeros like `x` with `g` on a diagonal: the transpose of `np.diagonal`.

    >>> undiagonal(np.array([1.0, 2.0]), np.zeros((2, 2)))
    array([[1., 0.],
           [0., 2.]])
    """
    b = np.zeros(np.shape(x), np.asarray(x).dtype)
    moved = np.moveaxis(b, (axis1, axis2), (-2, -1))
    n = np.shape(g)[-1]
    rows = np.arange(n) + max(-offset, 0)
    moved[..., rows, rows + offset] = g
    return b


def untrace(g: Any, x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Zeros like `x` with `g` all along a diagonal: the transpose of `np.trace`.

    >>> untrace(3.0, np.zeros((2, 2)))
    array([[3., 0.],
           [0., 3.]])
    """
    n = np.diagonal(x, offset, axis1, axis2).shape[-1]
    return undiagonal(np.repeat(np.asarray(g)[..., None], n, axis=-1), x, offset, axis1, axis2)


def undiag(g: Any, x: Any, k: int = 0) -> Any:
    """The transpose of `np.diag(x, k)`, which reads a diagonal or makes a matrix of one.

    >>> undiag(np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(2))
    array([1., 4.])
    """
    return cast(np.diagonal(g, k).copy(), x) if np.ndim(x) == 1 else undiagonal(g, x, k)


def uncast(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of a cast of `x` to the dtype of `y`: zero where that is a dtype without a derivative.

    >>> uncast(np.ones(2), np.zeros(2, np.float32), np.zeros(2)).dtype
    dtype('float32')
    """
    return unarray(g if floating(y) else np.zeros_like(g)[()], x)


def recast(v: Any, y: Any) -> Any:
    """The tangent of a cast to the dtype of `y`: zero where that is a dtype without a derivative.

    >>> recast(np.ones(2), np.zeros(2, int))
    array([0., 0.])
    """
    if not floating(y):
        return np.zeros_like(v)[()]
    if isinstance(y, np.generic):
        return y.dtype.type(v)
    return np.asarray(v, y.dtype) if isinstance(y, (np.ndarray, PersistentArray)) else v


def floating(y: Any) -> bool:
    """Whether values like `y` can carry a derivative.

    >>> floating(1.0), floating(np.arange(3))
    (True, False)
    """
    return isinstance(y, float) or (hasattr(y, "dtype") and y.dtype.kind in "fc")


def reshape_like(g: Any, x: Any, order: Any = "C") -> Any:
    """`g` in the shape of `x`.

    >>> reshape_like(np.ones(4), np.zeros((2, 2))).shape
    (2, 2)
    """
    if not isinstance(x, (np.ndarray, PersistentArray)):
        return unbroadcast(np.reshape(g, np.shape(x)), x)
    return cast(np.reshape(g, x.shape, order), x)


def order_of_axes(order: Any, x: Any = None) -> Any:
    """The order in which the elements of an array are read; None is "C". One that depends on how it lies in memory, as
    its cotangent and tangent need not lie, is that of `x`; it is refused where that is not given.

    >>> order_of_axes("F"), order_of_axes(None), order_of_axes("A", np.ones((2, 2)).T)
    ('F', 'C', 'F')
    """
    order = "C" if order is None else order.upper()
    if order == "A" and isinstance(x, np.ndarray):
        return "F" if np.isfortran(x) else "C"
    if order not in ("C", "F"):
        raise ArgumentError(f"order={order!r} depends on how an array lies in memory, and is not differentiated: "
                            "use order='C' or order='F'")
    return order


def samples(g: Any, like: Any) -> tuple[Any, Any]:
    """The cotangents of the samples and of the step, of which `like` may have none: np.linspace gives it for
    `retstep=True`.

    >>> samples(1.0, np.zeros(2)), samples((1.0, 2.0), (np.zeros(2), 0.5))
    ((1.0, 0.0), (1.0, 2.0))
    """
    return (g[0], g[1]) if isinstance(like, tuple) else (g, 0.0)


def with_samples(v: Any, like: Any) -> Any:
    """The transpose of `samples(g, like)`.

    >>> with_samples((1.0, 0.0), np.zeros(2))
    1.0
    """
    return tuple(v) if isinstance(like, tuple) else v[0]


def unappend(g: Any, x: Any, values: Any, axis: int | None = None) -> Any:
    """The cotangents of both in `np.append(x, values, axis)`.

    >>> unappend(np.array([1.0, 2.0]), np.zeros(1), 0.0)
    (array([1.]), 2.0)
    """
    first, second = unconcatenate(g, (x, values), axis)
    return first, second if isinstance(values, (np.ndarray, PersistentArray)) else unarray(second, values)


def unsum(g: Any, x: Any) -> Any:
    """The cotangent of the builtin `sum(x)`: `g` for each item.

    >>> unsum(2.0, [0.0, 0.0])
    [2.0, 2.0]
    """
    if isinstance(x, (np.ndarray, PersistentArray)):
        return np.full(x.shape, g, x.dtype if x.dtype.kind in "fc" else float)
    return rebuild(x, [copy(unbroadcast(g, item)) for item in x])


def rearray(v: Any, g: Any) -> Any:
    """A container of cotangents as an array like `g`: the transpose of `unarray`.

    >>> rearray([1.0, 2.0], np.zeros(2))
    array([1., 2.])
    """
    return cast(np.array(v) if isinstance(v, (list, tuple)) else v, g) if np.ndim(v) else unbroadcast(v, g)
