"""Cotangents of persistent arrays: persistent too, so that each adjoint costs what its statement changes,
and not the whole array."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .checks import differentiable
from .indexing import add_at
from .persistent import PersistentArray, append, changed_at, pop, setitem


def versioned(x: Any, name: str) -> Any:
    """An argument that a derivative is taken for, `x`, which may be persistent; refused what has no derivative.

    >>> versioned(PersistentArray([1, 2]), "x")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: x is a PersistentArray of int64, which has no derivative: make it of floats
    """
    if not isinstance(x, PersistentArray):
        return differentiable(x, names=(name,))
    if x.dtype.kind != "f":
        raise ArgumentError(f"{name} is a PersistentArray of {x.dtype}, which has no derivative: make it of floats")
    return x


def zeroed(b: Any, index: Any) -> Any:
    """The cotangent `b` with zero for `b[index]`. An array becomes persistent, and is not copied again.

    >>> zeroed(np.ones(3), -1)
    PersistentArray([1., 1., 0.])
    """
    return setitem(PersistentArray(b), index, 0.0)


def added(b: Any, index: Any, g: Any) -> Any:
    """The cotangent `b` with `g` added to `b[index]`, to a cell as often as the index names it.
    An array becomes persistent.

    >>> added(np.zeros(3), [0, 0, 1], 1.0)
    PersistentArray([2., 1., 0.])
    """
    return changed_at(PersistentArray(b), index, lambda rows, index: add_at(rows, index, g))


def shortened(b: Any) -> Any:
    """The cotangent `b` without its last row. An array becomes persistent.

    >>> shortened(np.ones(3))
    PersistentArray([1., 1.])
    """
    return pop(PersistentArray(b))


def lengthened(b: Any) -> Any:
    """The cotangent `b` with one more row, of zeros. An array becomes persistent.

    >>> lengthened(np.ones(2))
    PersistentArray([1., 1., 0.])
    """
    b = PersistentArray(b)
    return append(b, np.zeros(b.shape[1:], b.dtype))
