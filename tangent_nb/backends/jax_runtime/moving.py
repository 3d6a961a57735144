"""Functions that move values, and the transposes of such, where NumPy writes in place, or JAX asks for constants."""
from __future__ import annotations

import itertools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy

from .base import helpers
from .indexing import repeat


def unrepeat(g: Any, x: Any, repeats: Any, axis: int | None = None) -> Any:
    """The sum over the copies that `np.repeat(x, repeats, axis)` makes."""
    shape = jnp.shape(x)
    n = math.prod(shape) if axis is None else shape[axis]
    source = repeat(numpy.arange(n), repeats)
    at = 0 if axis is None else axis % len(shape)
    total = jnp.zeros((n,) if axis is None else shape, jnp.asarray(g).dtype)
    return helpers.unbroadcast(total.at[(slice(None),) * at + (source,)].add(g).reshape(shape), x)


def undiagonal(g: Any, x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Zeros like `x` with `g` on a diagonal: the transpose of `np.diagonal`."""
    moved = jnp.moveaxis(jnp.zeros_like(x), (axis1, axis2), (-2, -1))
    rows = jnp.arange(jnp.shape(g)[-1]) + max(-offset, 0)
    return jnp.moveaxis(moved.at[..., rows, rows + offset].set(g), (-2, -1), (axis1, axis2))


def _on_diagonals(values: Any, unique: str, letters: str, size: Any) -> Any:
    """Zeros with an axis for each of `letters`, and `values` where equal letters have equal indices."""
    grid = dict(zip(unique, numpy.ogrid[tuple(slice(size.get(letter, 1)) for letter in unique)]))
    return jnp.zeros([size.get(letter, 1) for letter in letters],
                     values.dtype).at[tuple(grid[letter] for letter in letters)].set(values)


def _added_in_rows(places: Any, values: Any, n: int) -> Any:
    """Rows of length n with `values` added at places in them."""
    total = jnp.zeros((math.prod(values.shape[:-1]), n), values.dtype)
    rows = jnp.arange(len(total))[:, None]
    moved = total.at[rows, places.reshape(len(total), -1)].add(values.reshape(len(total), -1))
    return moved.reshape(*values.shape[:-1], n)


def _quantile_place(q: Any, n: int, dtype: Any, method: Any) -> Any:
    """Where a quantile of n values lies, by any method of NumPy unless q is traced."""
    if isinstance(q, jax.core.Tracer):
        return jnp.quantile(jnp.arange(n, dtype=dtype), q, method=method)
    return jnp.asarray(numpy.quantile(numpy.arange(n, dtype=dtype), numpy.asarray(q), method=method))


def pad(x: Any, pad_width: Any, mode: Any = "constant", **given: Any) -> Any:
    """`np.pad`. JAX takes numbers of Python alone for the ends of a ramp: what arrays put there is added."""
    ends = given.get("end_values", 0)
    if mode != "linear_ramp" or not any(isinstance(one, (jax.Array, numpy.ndarray)) for one in jax.tree.leaves(ends)):
        return jnp.pad(x, pad_width, mode, **given)
    return jnp.pad(x, pad_width, mode) + pad_ends(ends, x, pad_width, mode, "end_values")


def pad_ends(v: Any, x: Any, pad_width: Any, mode: Any, name: str) -> Any:
    """What `np.pad(x, pad_width, mode)` makes of `v`, the values at its ends, where `x` is 0."""
    ndim, values = jnp.ndim(x), jnp.asarray(v)
    zeros = jnp.zeros(jnp.shape(x), jnp.result_type(values, jnp.float16))
    if mode == "constant" and name == "constant_values":
        return jnp.pad(zeros, pad_width, mode, constant_values=v)
    total = jnp.pad(zeros, pad_width, mode)
    if mode != "linear_ramp" or name != "end_values":
        return total
    values = jnp.broadcast_to(values, (ndim, 2))
    for axis, side in itertools.product(range(ndim), range(2)):
        one = tuple(tuple(float((i, j) == (axis, side)) for j in range(2)) for i in range(ndim))
        total = total + values[axis, side] * jnp.pad(zeros, pad_width, mode, end_values=one)
    return total
