"""Arguments as vectors: numbers, arrays, and lists, tuples and dicts of them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..every import is_real, leaves


def mapped(function: Callable[..., Any], value: Any, *others: Any) -> Any:
    """The same structure with `function` of each number or array (and of those at the same place in the others)."""
    if isinstance(value, (list, tuple)):
        parts = [mapped(function, *ones) for ones in zip(value, *others)]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, dict):
        return {key: mapped(function, one, *(other[key] for other in others)) for key, one in value.items()}
    return function(value, *others) if is_real(value) else value


def basis(value: Any, number: float) -> Any:
    """A direction with the same number everywhere."""
    return mapped(lambda leaf: np.full_like(leaf, number) if isinstance(leaf, np.ndarray) else number, value)


def dot(a: Any, b: Any) -> float:
    """The inner product of two values of the same structure.

    >>> dot([1.0, np.array([2.0, 3.0])], [4.0, np.array([5.0, 6.0])])
    32.0
    """
    return float(sum(np.sum(np.multiply(one, other)) for one, other in zip(leaves(a), leaves(b))))


def size(value: Any) -> int:
    """How many numbers there are."""
    return sum(int(np.size(leaf)) for leaf in leaves(value))


def directions(value: Any, most: int) -> list[Any]:
    """Each coordinate's direction where there are few; else some random ones, the same on each call."""
    count = size(value)
    if count <= most:
        vectors = np.eye(count)
    else:
        vectors = np.random.default_rng(0).standard_normal((max(3, most // 3), count))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return [_unflattened(vector, value) for vector in vectors]


def _unflattened(vector: np.ndarray[Any, Any], value: Any) -> Any:
    start = 0

    def take(leaf: Any) -> Any:
        nonlocal start
        part = vector[start:start + np.size(leaf)]
        start += int(np.size(leaf))
        return part.reshape(leaf.shape).astype(leaf.dtype) if isinstance(leaf, np.ndarray) else float(part[0])

    return mapped(take, value)
