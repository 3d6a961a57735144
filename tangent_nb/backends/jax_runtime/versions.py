"""`tnb.append`, `tnb.setitem` and `tnb.pop` on JAX, and their transposes: its arrays never change,
so that each makes a new one."""
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy

from .arguments import array, differentiable
from .indexing import add_at, updated


def versioned(x: Any, name: str) -> Any:
    """An argument that a derivative is taken for, which may be persistent on NumPy."""
    return differentiable(x, names=(name,))


def append(x: Any, row: Any) -> Any:
    """`x` with one more row.

    >>> append(jnp.zeros(1), 2.0).tolist()
    [0.0, 2.0]
    """
    row = _fitting(row, x)
    if row.shape != x.shape[1:]:
        raise ValueError(f"a row of shape {row.shape} is appended to an array of shape {x.shape}: "
                         f"it takes rows of shape {x.shape[1:]}")
    return jnp.concatenate((x, row[None]))


def setitem(x: Any, index: Any, value: Any) -> Any:
    """`x` in which `x[index]` is `value`.

    >>> setitem(jnp.zeros(2), -1, 2.0).tolist()
    [0.0, 2.0]
    """
    return updated(x, index, _fitting(value, x))


def pop(x: Any) -> Any:
    """`x` without its last row.

    >>> pop(jnp.zeros(2)).tolist()
    [0.0]
    """
    if not isinstance(x, (jax.Array, numpy.ndarray)):
        raise TypeError(f"this takes an array with rows, not {x!r}")
    if len(x) == 0:
        raise IndexError("pop from an array without rows")
    return x[:-1]


def _fitting(value: Any, x: Any) -> Any:
    if not isinstance(x, (jax.Array, numpy.ndarray)) or x.ndim == 0:
        raise TypeError(f"this takes an array with rows, not {x!r}")
    value = jnp.asarray(value)
    if not value.weak_type and not jnp.can_cast(value.dtype, x.dtype, "same_kind"):
        raise TypeError(f"a value of {value.dtype} is stored in an array of {x.dtype}: "
                        f"make it an array of {value.dtype} first")
    return value.astype(x.dtype)


def zeroed(b: Any, index: Any) -> Any:
    """The cotangent `b` with zero for `b[index]`."""
    return updated(b, index, 0.0)


def added(b: Any, index: Any, g: Any) -> Any:
    """The cotangent `b` with `g` added to `b[index]`, to a cell as often as the index names it."""
    return add_at(array(b), index, g)


def shortened(b: Any) -> Any:
    """The cotangent `b` without its last row."""
    return b[:-1]


def lengthened(b: Any) -> Any:
    """The cotangent `b` with one more row, of zeros."""
    return jnp.concatenate((b, jnp.zeros((1, *b.shape[1:]), b.dtype)))
