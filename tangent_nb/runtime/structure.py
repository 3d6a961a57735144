"""Cotangents as values: zeros, sums and copies with the structure of what they belong to."""
from __future__ import annotations

from typing import Any

import numpy as np


def zeros_like(x: Any) -> Any:
    """A zero cotangent for `x`: the shape, dtype and containers of `x`; 0.0 for anything that holds no number.

    >>> zeros_like((2.0, [1, None]))
    (0.0, [0.0, 0.0])
    """
    return _fill(x, 0.0)


def ones_like(x: Any) -> Any:
    """Ones with the shape, dtype and containers of `x`.

    >>> ones_like([2.0, 3])
    [1.0, 1.0]
    """
    return _fill(x, 1.0)


def _fill(x: Any, value: float) -> Any:
    if x.__class__ is float:
        return value
    if isinstance(x, np.ndarray):
        if value == 0.0:
            return np.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else float)
        return np.full(x.shape, value, x.dtype if x.dtype.kind in "fc" else float)
    if isinstance(x, np.inexact):
        return x.dtype.type(value)
    if isinstance(x, (list, tuple)):
        return rebuild(x, [_fill(item, value) for item in x])
    if isinstance(x, dict):
        return {key: _fill(item, value) for key, item in x.items()}
    return value


def rebuild(like: Any, items: list[Any]) -> Any:
    """A list or tuple (also a named one) of the type of `like`.

    >>> rebuild((1, 2), [3.0, 4.0])
    (3.0, 4.0)
    """
    if isinstance(like, tuple):
        return like._make(items) if hasattr(like, "_make") else tuple(items)
    return items


def add_grad(a: Any, b: Any) -> Any:
    """The sum of two cotangents of one value; neither is changed.

    >>> add_grad((1.0, [2.0]), (3.0, [4.0]))
    (4.0, [6.0])
    """
    if isinstance(a, (list, tuple)):
        return rebuild(a, [add_grad(p, q) for p, q in zip(a, b, strict=True)])
    if isinstance(a, dict):
        return {key: add_grad(a[key], b[key]) for key in a}
    return a + b


def copy(x: Any) -> Any:
    """A copy that shares no array with `x`; containers are copied with the arrays and containers in them.

    >>> a = [np.ones(1)]; b = copy(a); b[0][0] = 5.0; a
    [array([1.])]
    """
    if isinstance(x, np.ndarray):
        return x.copy()
    if isinstance(x, (list, tuple)):
        return rebuild(x, [copy(item) for item in x])
    if isinstance(x, dict):
        return {key: copy(item) for key, item in x.items()}
    return x


def relist(g: Any, x: Any) -> Any:
    """The cotangent of `x` from that of `list(x)`.

    >>> relist([1.0, 2.0], (3.0, 4.0))
    (1.0, 2.0)
    """
    if isinstance(x, np.ndarray):
        return np.asarray(g, dtype=x.dtype)
    return rebuild(x, list(g))


def only_floating(g: Any, y: Any) -> Any:
    """`g` where `y` is floating; zero where it is an array of integers, which cuts a derivative off.

    >>> only_floating(2.0, np.zeros(2)), only_floating(2.0, np.zeros(2, int))
    (2.0, 0.0)
    """
    return g if np.asarray(y).dtype.kind in "fc" else g * 0.0
