"""Undoing broadcasting: from the shape of a result back to the shape and dtype of an argument, and on again."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .containers import PARTIAL, SEQUENCE, described, kind_of
from .persistent import PersistentArray
from .structure import copy, rebuild


def unbroadcast(g: Any, x: Any) -> Any:
    """Sum `g` over the axes along which `x` was broadcast, in the dtype of `x`; `g` itself where nothing is to do.

    >>> import numpy as np
    >>> unbroadcast(np.ones((2, 3)), np.zeros((1, 3)))
    array([[2., 2., 2.]])
    >>> unbroadcast(np.ones(3), 0.5)
    3.0
    """
    kind, other = x.__class__, g.__class__
    if kind is float or kind is int:
        return g if other is float else _to_float(g)
    if kind is np.ndarray:
        if other is np.ndarray and g.shape == x.shape and g.dtype == x.dtype:
            return g
    elif kind is np.float64 and (other is kind or other is float):
        return np.float64(g)
    return _unbroadcast(g, x)


def _to_float(g: Any) -> float:
    if isinstance(g, (np.ndarray, PersistentArray)):
        g = g.sum()
    return float(g.real)


def _unbroadcast(g: Any, x: Any) -> Any:
    if kind_of(x) is kind_of(g) is PARTIAL:                # a function, which is only passed on
        return g
    if isinstance(x, (list, tuple)) and isinstance(g, np.ndarray) and g.shape == np.asarray(x, object).shape:
        return rebuild(x, [unbroadcast(g[i], item) for i, item in enumerate(x)])     # what NumPy made an array
    if isinstance(x, str) or x is None or kind_of(x) is not None:
        raise ArgumentError(f"arithmetic on {described(x)} is not differentiated: {_instead(x)}")
    if not isinstance(x, (np.ndarray, np.generic, PersistentArray)):
        return _to_float(g) if isinstance(x, int) else g
    shape, had = x.shape, np.shape(g)
    if had != shape:
        extra = len(had) - len(shape)
        if extra > 0:
            g, had = np.sum(g, axis=tuple(range(extra))), had[extra:]
        if axes := tuple(i for i, n in enumerate(shape[len(shape) - len(had):]) if n == 1 and had[i] != 1):
            g = np.sum(g, axis=axes, keepdims=True)
        if np.shape(g) != shape:
            g = np.broadcast_to(g, shape).copy()
    return cast(g, x)


def _instead(x: Any) -> str:
    return "make it an array first, np.array(...)" if isinstance(x, (list, tuple)) \
        else "compute with the numbers that it holds"


def cast(g: Any, x: Any) -> Any:
    """`g` in the dtype of `x`, where `x` is floating. Complex to real takes the real part; a complex one is cut to the
    precision of a complex `x`.

    >>> import numpy as np
    >>> cast(np.ones(2), np.zeros(2, np.float32)).dtype, cast(np.ones(2) * 1j, np.zeros(2, np.complex64)).dtype
    (dtype('float32'), dtype('complex64'))
    """
    if x.__class__ is float:
        return _to_float(g)
    dtype = getattr(x, "dtype", None)
    if dtype is None or dtype.kind != "f":
        cut = dtype is not None and getattr(g, "dtype", dtype) != dtype and dtype.kind == g.dtype.kind == "c"
        return g.astype(dtype) if cut else g
    if not isinstance(g, (np.ndarray, np.generic, PersistentArray)):
        return dtype.type(g.real)
    if g.dtype == dtype:
        return g
    return (g.real if g.dtype.kind == "c" else g).astype(dtype)


def broadcast_to_like(g: Any, x: Any) -> Any:
    """`g` broadcast to the shape and dtype of `x`: an array of its own where it has to grow.

    >>> import numpy as np
    >>> broadcast_to_like(1.0, np.zeros(2)), float(broadcast_to_like(np.ones(1), 0.0))
    (array([1., 1.]), 1.0)
    """
    if g.__class__ is x.__class__ is float:
        return g
    if g.__class__ is np.ndarray and g.size == 1 and g.ndim and (x.__class__ is float or np.shape(x) == ()):
        g = g.reshape(())[()]     # the transpose of a number that was spread to one of these, by x.item()
    if not isinstance(x, (np.ndarray, np.generic, PersistentArray)):
        if kind_of(x) is not None:
            raise ArgumentError(f"arithmetic that makes {described(x)} is not differentiated: {_instead(x)}")
        return g
    if isinstance(g, (list, tuple)):                       # of a list to which an array is added
        g = np.asarray(g)
    if np.shape(g) != x.shape:
        g = np.broadcast_to(g, x.shape).copy()
    return cast(g, x)


def mask(g: Any, condition: Any) -> Any:
    """`g` where the condition holds, else exactly 0, even where `g` is infinite or NaN.

    A condition broader than `g` holds for a part of `g` if it holds anywhere along the broadcast axes.

    >>> import numpy as np
    >>> mask(np.array([1.0, np.inf]), np.array([True, False]))
    array([1., 0.])
    """
    if g.__class__ is not float and kind_of(g) not in (None, SEQUENCE):
        raise ArgumentError(f"arithmetic on {described(g)} is not differentiated: {_instead(g)}")
    if isinstance(condition, (list, tuple, PersistentArray)):
        condition = np.asarray(condition)
    if not isinstance(condition, np.ndarray) or condition.ndim == 0:
        if condition:
            return copy(g)
        if isinstance(g, float):
            return g * 0.0 if g - g == 0.0 else type(g)(0.0)
        return np.zeros_like(g)[()]
    return np.where(_narrowed(condition, np.shape(g)), g, 0.0)[()]


def _narrowed(condition: Any, shape: tuple[int, ...]) -> Any:
    """A condition that is broadcast to a shape: along other axes it holds if it holds anywhere."""
    if np.broadcast_shapes(condition.shape, shape) == shape:
        return condition
    extra = condition.ndim - len(shape)
    condition = condition.any(axis=tuple(range(extra))) if extra > 0 else condition
    axes = tuple(-i for i in range(1, np.ndim(condition) + 1) if shape[-i] == 1 and condition.shape[-i] != 1)
    return condition.any(axis=axes, keepdims=True)


def where_finite(v: Any, x: Any) -> Any:
    """`v` where `x` is finite, else 0; in lists, too.

    >>> import numpy as np
    >>> where_finite(np.array([1.0, 2.0]), np.array([np.inf, 0.0]))
    array([0., 2.])
    """
    if isinstance(x, (list, tuple)):
        return [where_finite(a, b) for a, b in zip(v, x, strict=True)]
    return mask(v, np.isfinite(x))


def pole_weights(x: Any, start: int = 0) -> Any:
    """Where `x` is not finite positive weights, no sums of which cancel, else 0; in lists, too.

    >>> import numpy as np
    >>> bool(pole_weights(np.array([np.inf, 0.0]))[0] > 0.0), float(pole_weights(np.array([np.inf, 0.0]))[1])
    (True, 0.0)
    """
    if isinstance(x, (list, tuple)):
        return [pole_weights(one, start + 1000 * i) for i, one in enumerate(x)]
    weights = np.exp(np.sin(np.arange(start + 1.0, start + np.size(x) + 1.0)))
    return np.where(np.isfinite(x), 0.0, np.reshape(weights, np.shape(x)))[()]


def cut(v: Any, g: Any) -> Any:
    """`v`, a product with `g`, and exactly 0 where `g` is 0 and `v` NaN: a pole behind what the text cuts off.

    >>> import numpy as np
    >>> with np.errstate(invalid="ignore"):
    ...     cut(np.array([0.0, 1.0]) * np.inf, np.array([0.0, 1.0]))
    array([ 0., inf])
    """
    if isinstance(v, float):
        return v.__class__(0.0) if v != v and not np.any(g) else v
    lost = _lost(v, g)
    return v if lost is None else np.where(lost, 0.0, v)[()].astype(v.dtype)


def uncut(v: Any, g: Any) -> Any:
    """Where `cut(v, g)` is `v`.

    >>> import numpy as np
    >>> uncut(np.array([np.nan, 1.0]), np.array([0.0, 0.0]))
    array([False,  True])
    """
    lost = _lost(v, g)
    return True if lost is None else np.logical_not(lost)


def _lost(v: Any, g: Any) -> Any:
    """Where `v` is NaN and `g` is 0; None where that is nowhere."""
    if isinstance(v, (list, tuple, dict)) or kind_of(v) not in (None, SEQUENCE):
        return None
    nan = np.isnan(np.asarray(v))
    if not nan.any():
        return None
    lost = np.logical_and(nan, np.equal(g, 0.0))
    return lost if lost.any() else None
