"""The transposes of reading and writing `x[index]`."""
from __future__ import annotations

import enum
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast, unbroadcast
from .containers import described, key_in, kind_of
from .persistent import PersistentArray
from .structure import add_grad, copy, rebuild, zeros_like

MODES: dict[Any, str] = {None: "raise", 0: "clip", 1: "wrap", 2: "raise"}


def add_at(b: Any, index: Any, g: Any) -> None:
    """`b[index] += g` in place, right also where an integer array names one cell several times.

    >>> b = np.zeros(2); add_at(b, [0, 0], 1.0); b
    array([2., 0.])
    """
    if isinstance(b, np.ndarray):
        if may_repeat(index):
            np.add.at(b, index, g)
        else:
            b[index] += g
    elif isinstance(b, (float, np.generic)):
        raise ArgumentError(f"{described(b)} is indexed by what is known only when the function runs: "
                            "write the index, None or ..., in the function")
    else:
        b[index] = add_grad(b[index], g)


def unadded(g: Any, x: Any) -> Any:
    """The cotangent of what `add_at` has added: of a container as it is, of a number or an array as of a sum.
    A part that holds no number drops what is added to it.

    >>> unadded((None, 2.0), ("w", 1.0)), unadded(np.ones(3), 1.0), unadded(None, 1.0)
    ((None, 2.0), 3.0, 0.0)
    """
    if x is None or isinstance(x, str) or kind_of(x) is not None:
        return g
    return zeros_like(x) if g is None else unbroadcast(g, x)


def storable(b: Any) -> Any:
    """The derivative of an array as one too, `np.array(b)` where NumPy has made a number of it: that does not change in
    place.

    >>> storable(2.0), storable(np.ones(1))
    (array(2.), array([1.]))
    """
    return np.array(b) if isinstance(b, (float, complex, np.generic)) else b


def check_index(i: Any, name: str) -> None:
    """Refuses an array, or a truth value, as an index where the text has taken `A[i]` for a part of A,
    which shares its memory.

    >>> check_index(np.int64(2), "i")
    >>> check_index([0, 1], "i")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: i is taken for an int, as the index of an array that is changed in place, and ...
    """
    if isinstance(i, (bool, np.bool_)) or not isinstance(i, (int, np.integer)):
        raise ArgumentError(f"{name} is taken for an int, as the index of an array that is changed in place, "
                            f"and it is {described(i)}: pass an int")


def as_key(x: Any) -> Any:
    """An index or a key as it is, `x`; refuses what may carry a derivative.

    >>> as_key("w"), as_key((1, None))
    ('w', (1, None))
    >>> as_key(0.5)
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: an index or a key has no derivative, and this one is a float: int(...), or ...
    """
    if (found := _computed(x)) is not None:
        raise ArgumentError(f"an index or a key has no derivative, and this one is {described(found)}: int(...), or "
                            "tnb.stop_gradient(...)")
    return x


def _computed(x: Any) -> Any:
    """What an index or a key is, or holds, that may carry a derivative."""
    if isinstance(x, (str, bytes, int, np.integer, np.bool_, slice, range, enum.Enum, type, type(None), type(...))):
        return None
    if isinstance(x, (tuple, list, frozenset)):
        return next((found for item in x if (found := _computed(item)) is not None), None)
    return None if isinstance(x, np.ndarray) and x.dtype.kind in "biuSU" else x


def may_repeat(index: Any) -> bool:
    """Whether an index is, or contains, an array or list of integers."""
    if isinstance(index, tuple):
        return any(may_repeat(part) for part in index)
    if isinstance(index, (np.ndarray, PersistentArray)):
        return index.dtype.kind != "b" and index.ndim > 0
    return isinstance(index, list) and np.asarray(index).dtype.kind != "b"


def index_like(g: Any, x: Any, index: Any) -> Any:
    """Zeros with the structure of `x`, with `g` added at `index`: the transpose of `x[index]`.

    >>> index_like(3.0, np.ones(3), 1)
    array([0., 3., 0.])
    >>> index_like(3.0, (1.0, [2.0]), 0)
    (3.0, [0.0])
    """
    b = copy(zeros_like(x)) if isinstance(x, PersistentArray) else zeros_like(x)
    kind = kind_of(x)
    if kind is not None and isinstance(index, slice):
        parts = list(b)
        parts[index] = copy(list(g))
        return rebuild(x, parts)
    if kind is not None:
        return kind.build(b, {**kind.parts(b), key_in(x, index): copy(g)})
    if isinstance(b, np.ndarray):
        add_at(b, index, g)
        return b
    b = np.asarray(b)                                      # a number, of which x[None] is an array
    add_at(b, index, g)
    return b[()]


def pick(x: Any, index: Any) -> Any:
    """`x[index]`, as a value of its own.

    >>> pick([1.0, 2.0], 1)
    2.0
    >>> pick({}, "w")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a dict that others may hold is given a new key, 'w', which is not ...
    """
    try:
        return copy(storable(x)[index])
    except KeyError:
        raise ArgumentError(f"a dict that others may hold is given a new key, {index!r}, which is not differentiated: "
                            f"d = {{**d, {index!r}: value}}") from None


def updated(x: Any, index: Any, v: Any) -> Any:
    """A copy of `x` in which `x[index]` is `v`.

    >>> updated(np.zeros(3), 1, 5.0)
    array([0., 5., 0.])
    """
    if isinstance(x, tuple):
        parts = list(x)
        parts[index] = v
        return copy(rebuild(x, parts))
    y = storable(copy(x))
    y[index] = v if isinstance(y, np.ndarray) else copy(v)
    return y


def written(g: Any, v: Any, index: Any) -> Any:
    """The cotangent of `v` in `A[index] = v`, from the cotangent `g` of `A`;
    of a cell written twice to the last writer.

    >>> written(np.ones(2), np.zeros(3), [0, 0, 1])
    array([0., 1., 1.])
    """
    if isinstance(g, PersistentArray):
        g = np.asarray(g) if may_repeat(index) else g
    elif not isinstance(g, np.ndarray):
        return unbroadcast(copy(storable(g)[index]), v)
    taken = g[index]
    if may_repeat(index):
        writers = np.zeros(g.shape, np.intp)
        turn = np.arange(np.size(taken)).reshape(np.shape(taken))
        writers[index] = turn
        taken = np.where(writers[index] == turn, taken, 0.0)
    taken = unbroadcast(taken, v)
    return taken.copy() if isinstance(taken, np.ndarray) else taken


def untake(g: Any, x: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    """Zeros like `x` with `g` added at `indices` along an axis: the transpose of `np.take`.

    >>> untake(np.ones(3), np.zeros(3), [-1, -1, 0])
    array([1., 0., 2.])
    """
    b = np.asarray(zeros_like(np.asarray(x)))
    indices = brought_in(indices, b.size if axis is None else b.shape[axis], mode)
    if axis is None:
        flat = np.zeros(b.size, b.dtype)
        np.add.at(flat, np.asarray(indices, np.intp), g)
        return flat.reshape(b.shape)
    moved = np.moveaxis(b, axis, 0)
    ndim, at = np.ndim(indices), axis % b.ndim
    np.add.at(moved, np.asarray(indices, np.intp), np.moveaxis(g, range(at, at + ndim), range(ndim)))
    return b


def brought_in(indices: Any, n: int, mode: str | int | None = "raise") -> Any:
    """The places among n that `np.take` reads in this mode. NumPy has numbers for the modes too, and None for "raise".

    >>> brought_in(np.array([-1, 4]), 3, "wrap"), brought_in(np.array([-1, 4]), 3, "clip")
    (array([2, 1]), array([0, 2]))
    >>> brought_in(np.array([-1, 4]), 3, 1), brought_in(np.array([-1, 1]), 3, None)
    (array([2, 1]), array([-1,  1]))
    """
    mode = MODES.get(mode, mode)
    if mode == "raise":
        return indices
    return np.mod(np.asarray(indices), n) if mode == "wrap" else np.clip(np.asarray(indices), 0, n - 1)


def unsort(g: Any, x: Any, axis: int | None = -1) -> Any:
    """Carries the cotangent of `np.sort(x, axis)` back to the places that the values came from.

    >>> unsort(np.array([1.0, 2.0, 3.0]), np.array([3.0, 1.0, 2.0]))
    array([3., 1., 2.])
    """
    order = np.argsort(np.argsort(x, axis=axis, stable=True), axis=axis)
    g = np.broadcast_to(g, np.shape(order))
    return cast(g[order].reshape(np.shape(x)) if axis is None else np.take_along_axis(g, order, axis), x)


def sort_as(v: Any, x: Any, axis: int | None = -1) -> Any:
    """Orders `v` as `x` would be sorted.

    >>> sort_as(np.array([30.0, 10.0]), np.array([3.0, 1.0]))
    array([10., 30.])
    """
    order = np.argsort(x, axis=axis, stable=True)
    return np.ravel(v)[order] if axis is None else np.take_along_axis(np.asarray(v), order, axis)


def first_places(x: Any, axis: int | None = None, equal_nan: bool = True) -> Any:
    """Where each of the values that `np.unique` gives stands first.

    >>> first_places(np.array([3.0, 1.0, 3.0]))
    array([1, 0])
    """
    return np.unique(np.asarray(x), return_index=True, axis=axis, equal_nan=equal_nan)[1]


def with_zeros(v: Any, whole: Any) -> Any:
    """The tangent of a tuple of which only the first item, of values, has one: `(v, np.zeros(shape))`.

    >>> with_zeros(np.ones(2), (np.ones(2), np.array([0, 1])))
    (array([1., 1.]), array([0., 0.]))
    """
    return v, *(np.zeros(np.shape(part)) for part in whole[1:])
