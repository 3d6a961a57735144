"""The transposes of functions that split, join, insert and choose.

Where a function only moves numbers, it moves their places in the same way: `np.delete(places(x), obj)` says where each
number of `np.delete(x, obj)` comes from.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast, mask, unbroadcast
from .containers import described, kind_of
from .indexing import brought_in, untake
from .persistent import PersistentArray
from .shaping import _like, _reshaped, reshape_like, unarray, unconcatenate


def places(x: Any) -> Any:
    """The place of each number of `x` in the flat array.

    >>> places(np.zeros((2, 2)))
    array([[0, 1],
           [2, 3]])
    """
    return np.arange(math.prod(np.shape(x))).reshape(np.shape(x))


def row_of(x: Any) -> Any:
    """`np.r_[x]`: of a number or an array a new array, with a dimension at least; of a tuple what it holds, joined.

    >>> row_of(2.0), row_of((1.0, slice(0, 2)))
    (array([2.]), array([1., 0., 1.]))
    """
    return np.r_[np.asarray(x) if isinstance(x, PersistentArray) else x]


def column_of(x: Any) -> Any:
    """`np.c_[x]`: the same, and a vector is a column.

    >>> column_of(np.ones(2)).shape
    (2, 1)
    """
    return np.c_[np.asarray(x) if isinstance(x, PersistentArray) else x]


def unrow(g: Any, x: Any) -> Any:
    """The cotangent of `x` in `np.r_[x]`.

    >>> unrow(np.ones(1), 2.0), unrow(np.arange(3.0), (5.0, np.zeros(2)))
    (1.0, (0.0, array([1., 2.])))
    """
    return _unjoined(g, x, row_of, 0)


def uncolumn(g: Any, x: Any) -> Any:
    """The cotangent of `x` in `np.c_[x]`.

    >>> uncolumn(np.ones((2, 1)), np.zeros(2))
    array([1., 1.])
    """
    return _unjoined(g, x, column_of, -1)


def _unjoined(g: Any, x: Any, joined: Any, axis: int) -> Any:
    if isinstance(x, tuple) and all(isinstance(one, (float, np.generic, np.ndarray)) for one in x):
        return tuple(_reshaped(unconcatenate(g, [joined(one) for one in x], axis), x))
    if kind_of(x) is not None:
        raise ArgumentError("np.r_ and np.c_ are differentiated of numbers and arrays, written one after another or in "
                            f"a tuple, and this is {described(x)}: use np.concatenate of a list of arrays")
    return reshape_like(g, x)


def undstack(g: Any, arrays: Any) -> Any:
    """The cotangents of the arrays in `np.dstack(arrays)`.

    >>> undstack(np.array([[[1.0, 2.0]]]), [np.zeros(1), np.zeros(1)])
    [array([1.]), array([2.])]
    """
    return _reshaped(unconcatenate(g, [np.atleast_3d(a) for a in arrays], 2), arrays)


def unblock(g: Any, blocks: Any) -> Any:
    """The cotangents of the arrays in `np.block(blocks)`, in lists like theirs.

    >>> unblock(np.array([1.0, 2.0, 3.0]), [np.zeros(2), 0.0])
    [array([1., 2.]), 3.0]
    """
    labels = _numbered(blocks, 0)[0]
    flat = np.ravel(g)[np.argsort(np.block(labels), axis=None)]
    return _unnumbered(flat, blocks, 0)[0]


def _numbered(blocks: Any, start: int) -> tuple[Any, int]:
    """For each array the numbers of its elements, counted on from `start`; and where the count ends."""
    if not isinstance(blocks, list):
        return start + places(blocks), start + math.prod(np.shape(blocks))
    labels = []
    for part in blocks:
        label, start = _numbered(part, start)
        labels.append(label)
    return labels, start


def _unnumbered(flat: Any, blocks: Any, start: int) -> tuple[Any, int]:
    if not isinstance(blocks, list):
        shape = np.shape(blocks)
        end = start + math.prod(shape)
        return unbroadcast(np.reshape(flat[start:end], shape), blocks), end
    parts = []
    for block in blocks:
        part, start = _unnumbered(flat, block, start)
        parts.append(part)
    return parts, start


def unsplit(g: Any, x: Any, where: Any, axis: int | None = 0) -> Any:
    """The cotangent of `x` from those of the parts in `np.array_split(x, where, axis)`; axis: None as in `np.hsplit`.

    Parts may overlap, where the indices do not grow, and leave something out.

    >>> unsplit([np.ones(1), 2.0 * np.ones(2)], np.zeros(3), [1])
    array([1., 2., 2.])
    """
    axis = min(np.ndim(x) - 1, 1) if axis is None else axis
    parts = np.array_split(places(x), where, axis)
    return untake(np.concatenate([np.ravel(part) for part in g]), x, np.concatenate([np.ravel(part) for part in parts]))


def split_like(x: Any, where: Any, axis: int | None = 0) -> Any:
    """`np.array_split(x, where, axis)`, of an array or what is like one; axis: None as in `np.hsplit`.

    >>> split_like(np.arange(3.0), 2)
    [array([0., 1.]), array([2.])]
    """
    return np.array_split(x, where, min(np.ndim(x) - 1, 1) if axis is None else axis)


def restack(g: Any, x: Any, axis: int = 0) -> Any:
    """The transpose of `np.unstack(x, axis=axis)`, also of an axis of length 0.

    >>> restack((1.0, 2.0), np.zeros(2))
    array([1., 2.])
    """
    return cast(np.stack(g, axis=axis), x) if len(g) else np.zeros(np.shape(x), np.asarray(x).dtype)


def unrollaxis(g: Any, axis: int, start: int = 0) -> Any:
    """The transpose of `np.rollaxis(x, axis, start)`.

    >>> unrollaxis(np.zeros((4, 2, 3)), 2).shape
    (2, 3, 4)
    """
    ndim = np.ndim(g)
    axis, start = axis % ndim, start + ndim if start < 0 else start
    return np.moveaxis(g, start - (axis < start), axis)


def uninsert(g: Any, x: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """The cotangents of both in `np.insert(x, obj, values, axis)`.

    >>> uninsert(np.array([1.0, 2.0, 3.0]), np.zeros(2), 1, 0.0)
    (array([1., 3.]), 2.0)
    """
    new = places(values)
    old = places(x)
    labels = np.insert(old, obj, new + old.size, axis)
    both = untake(g, np.zeros(old.size + new.size, np.asarray(g).dtype), labels)
    return unarray(both[:old.size].reshape(old.shape), x), unarray(both[old.size:].reshape(new.shape), values)


def unresize(g: Any, x: Any, new_shape: Any) -> Any:
    """The transpose of `np.resize(x, new_shape)`: the sum over the copies of each number.

    >>> unresize(np.array([1.0, 2.0, 3.0]), np.zeros(2), 3)
    array([4., 2.])
    """
    old = places(x)
    if old.size == 0:
        return np.zeros(old.shape, np.asarray(x).dtype)
    return unarray(untake(g, np.zeros(old.shape, np.asarray(g).dtype), np.resize(old, new_shape)), x)


def along_mesh(v: Any, x: Any, i: int, indexing: str = "xy") -> Any:
    """`v` along the axis that the argument number `i` of `np.meshgrid` has, in the shape of the result `x`.

    >>> along_mesh(np.array([1.0, 2.0]), np.zeros((2, 2)), 0)
    array([[1., 2.],
           [1., 2.]])
    """
    shape = [1] * np.ndim(x)
    shape[_axis_of(np.ndim(x), i, indexing)] = -1
    return cast(np.broadcast_to(np.reshape(v, shape), np.shape(x)).copy(), x)


def unmesh(g: Any, x: Any, i: int, indexing: str = "xy") -> Any:
    """The transpose of `along_mesh`: the sum along the other axes, like the argument `x`.

    >>> unmesh(np.ones((2, 3)), np.zeros(3), 0)
    array([2., 2., 2.])
    """
    axis = _axis_of(np.ndim(g), i, indexing)
    total = np.sum(g, axis=tuple(k for k in range(np.ndim(g)) if k != axis))
    return unarray(np.reshape(total, np.shape(x)), x)


def _axis_of(ndim: int, i: int, indexing: str) -> int:
    return 1 - i if indexing == "xy" and i < 2 and ndim > 1 else i


def unselect(g: Any, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """The cotangents of the choices and of the default in `np.select(condlist, choicelist, default)`: exactly
    0 where not chosen.

    >>> unselect(np.array([1.0, 2.0]), [np.array([True, False])], [np.zeros(2)], 0.0)
    ([array([1., 0.])], 2.0)
    """
    rest: Any = np.ones((), bool)
    parts = []
    for condition, choice in zip(condlist, choicelist):
        parts.append(unbroadcast(mask(g, np.logical_and(rest, condition)), choice))
        rest = np.logical_and(rest, np.logical_not(condition))
    return _like(choicelist, parts), unbroadcast(mask(g, rest), default)


def unchoose(g: Any, a: Any, choices: Any, mode: str = "raise") -> Any:
    """The cotangents of the choices in `np.choose(a, choices, mode=mode)`.

    >>> unchoose(np.array([1.0, 2.0]), np.array([1, 0]), [np.zeros(2), 0.0])
    [array([0., 2.]), 1.0]
    """
    n = len(choices)
    chosen = brought_in(a, n, mode)
    return _like(choices, [_unchosen(mask(g, np.equal(chosen, i)), choice) for i, choice in enumerate(choices)])


def _unchosen(g: Any, choice: Any) -> Any:
    return unarray(unbroadcast(g, np.asarray(choice, float)), choice) if isinstance(choice, (list, tuple)) \
        else unbroadcast(g, choice)
