"""Reading and writing `x[index]`: JAX reads the nearest element where NumPy raises, and has no order of writing."""
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy

from ...runtime.structure import rebuild
from .arguments import array
from .base import helpers, refused


def within(x: Any, index: Any) -> Any:
    """The index, if it lies in `x`: JAX takes the nearest element where NumPy raises. Lists in it become arrays.

    >>> within(jnp.zeros(3), -1)
    -1
    >>> within(jnp.zeros(3), 3)
    Traceback (most recent call last):
    IndexError: index 3 is out of bounds for axis 0 with size 3
    """
    if not isinstance(x, jax.Array):
        return index
    parts = list(index) if isinstance(index, tuple) else [index]
    parts = [numpy.asarray(part, None if part else int) if isinstance(part, list) else part for part in parts]
    used = sum(_consumed(part) for part in parts)
    axis = 0
    for place, part in enumerate(parts):
        if part is Ellipsis:
            axis += x.ndim - used
        elif _is_integer(part) and axis < x.ndim:
            parts[place] = _checked(part, x.shape[axis], axis)
        axis += _consumed(part)
    return tuple(parts) if isinstance(index, tuple) else parts[0]


def _consumed(part: Any) -> int:
    """How many axes a part of an index reads."""
    if part is None or part is Ellipsis or isinstance(part, (bool, numpy.bool_)):
        return 0
    return int(part.ndim) if hasattr(part, "dtype") and part.dtype.kind == "b" else 1


def _is_integer(part: Any) -> bool:
    return isinstance(part, int) and not isinstance(part, bool) or hasattr(part, "dtype") and part.dtype.kind in "iu"


def _checked(part: Any, size: int, axis: int) -> Any:
    if isinstance(part, jax.core.Tracer):
        raise refused("an index depends on data, and compiled code cannot raise where it lies outside",
                       "an index that is a Python int, or compile=None")
    if isinstance(part, jax.Array):
        outside = bool(jax.device_get(jnp.any((part < -size) | (part >= size))))
    else:
        outside = bool(numpy.any((numpy.asarray(part) < -size) | (numpy.asarray(part) >= size)))
    if outside:
        raise IndexError(f"index {part} is out of bounds for axis {axis} with size {size}")
    return part


def _may_repeat(index: Any) -> bool:
    if isinstance(index, tuple):
        return any(map(_may_repeat, index))
    if isinstance(index, list):
        return numpy.asarray(index).dtype.kind != "b"
    return hasattr(index, "dtype") and index.dtype.kind != "b" and index.ndim > 0


def take(x: Any, indices: Any, axis: int | None = None, *, mode: str = "raise") -> Any:
    """`np.take`, which raises where an index lies outside."""
    x = jnp.ravel(x) if axis is None else jnp.moveaxis(jnp.asarray(x), axis, 0)
    indices = numpy.asarray(indices) if isinstance(indices, (list, tuple)) else indices
    taken = x[within(x, helpers.brought_in(indices, x.shape[0], mode))]
    ndim = jnp.ndim(indices)
    return taken if axis is None else jnp.moveaxis(taken, range(ndim), range(axis % x.ndim, axis % x.ndim + ndim))


def repeat(x: Any, repeats: Any, axis: int | None = None) -> Any:
    """`np.repeat`, also for a list of counts."""
    return jnp.repeat(x, numpy.asarray(repeats) if isinstance(repeats, (list, tuple)) else repeats, axis)


def parts(x: Any) -> Any:
    """What is joined or stacked: lists among the items become arrays.

    >>> [type(item) is list for item in parts([jnp.ones(1), [2.0]])]
    [False, False]
    """
    return [jnp.asarray(item) if isinstance(item, (list, tuple)) else item for item in x] \
        if isinstance(x, (list, tuple)) else x


def pick(x: Any, index: Any) -> Any:
    """`x[index]`, if the index lies in `x`."""
    return x[within(x, index)]


def updated(x: Any, index: Any, v: Any) -> Any:
    """`x` after `x[index] = v`: of a cell named twice the last value stays, as in NumPy.

    >>> updated(jnp.zeros(2), [0, 0], jnp.array([1.0, 2.0])).tolist()
    [2.0, 0.0]
    """
    if isinstance(x, (list, tuple, dict)):
        parts = dict(x) if isinstance(x, dict) else list(x)
        parts[index] = v
        return rebuild(x, parts) if isinstance(parts, list) else parts
    x = array(x)
    index = within(x, index)
    v = jnp.asarray(v).astype(x.dtype)
    if _may_repeat(index):
        v = jnp.broadcast_to(v, x[index].shape)
        v = jnp.ravel(v)[_last_writer(x, index)]
    elif v.ndim > (ndim := x[index].ndim):                 # NumPy drops leading axes of length 1
        v = v.reshape(v.shape[v.ndim - ndim:])
    return x.at[index].set(v)


def _last_writer(x: Any, index: Any) -> Any:
    """For each element of `x[index]` the number of the element that writes its cell last."""
    turn = jnp.arange(x[index].size).reshape(x[index].shape)
    return jnp.zeros(x.shape, turn.dtype).at[index].max(turn)[index]


def add_at(b: Any, index: Any, g: Any) -> Any:
    """`b` with `g` added at `index`, for each time that the index names a cell."""
    if not isinstance(b, jax.Array):
        return updated(b, index, helpers.add_grad(b[index], g))
    return b.at[within(b, index)].add(jnp.asarray(g).astype(b.dtype))


def index_like(g: Any, x: Any, index: Any) -> Any:
    """Zeros with the structure of `x`, with `g` added at `index`: the transpose of `x[index]`."""
    zeros = helpers.zeros_like(x)
    return updated(zeros, index, g) if isinstance(x, (list, tuple, dict)) else add_at(zeros, index, g)


def written(g: Any, v: Any, index: Any) -> Any:
    """The cotangent of `v` in `A[index] = v`, from the cotangent `g` of `A`;
    of a cell written twice to the last writer."""
    if not isinstance(g, jax.Array):
        return g[index]
    index = within(g, index)
    taken = g[index]
    if _may_repeat(index):
        taken = jnp.where(_last_writer(g, index) == jnp.arange(taken.size).reshape(taken.shape), taken, 0.0)
    return helpers.unbroadcast(taken, v)


def untake(g: Any, x: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    """Zeros like `x` with `g` added at `indices` along an axis: the transpose of `np.take`."""
    b = jnp.asarray(helpers.zeros_like(jnp.asarray(x)))
    indices = numpy.asarray(indices) if isinstance(indices, (list, tuple)) else indices
    indices = helpers.brought_in(indices, b.size if axis is None else b.shape[axis], mode)
    if axis is None:
        return add_at(b.reshape(-1), indices, g).reshape(b.shape)
    ndim, at = jnp.ndim(indices), axis % b.ndim
    moved = add_at(jnp.moveaxis(b, axis, 0), indices, jnp.moveaxis(g, range(at, at + ndim), range(ndim)))
    return jnp.moveaxis(moved, 0, axis)
