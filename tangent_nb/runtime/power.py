"""The partials of `x ** y`, with the conventions at 0: x**0 is flat, x**1 has slope 1, 0**x is flat."""
from __future__ import annotations

from typing import Any

import numpy as np

from .structure import zeros_like


def power_dx(g: Any, x: Any, y: Any) -> Any:
    """`g * y * x ** (y - 1)`, and 0 where `y` or `g` is 0: what is not asked for has no pole.

    >>> power_dx(1.0, 0.0, 0), float(power_dx(1.0, 0.0, 1)), float(power_dx(1.0, 3.0, 2.0)), power_dx(0.0, 0.0, -1)
    (0.0, 1.0, 6.0, 0.0)
    """
    if isinstance(x, float) and isinstance(g, float) and isinstance(y, (float, int)):
        return g * (y * np.power(x, y - 1.0)) if y and g else g.__class__(0.0)
    y = np.asarray(y) if hasattr(y, "__len__") and not hasattr(y, "dtype") else y
    if np.ndim(y) == 0 and y == 0 or np.ndim(g) == 0 and g == 0:
        return zeros_like(g) if np.ndim(g) or np.ndim(x) == 0 == np.ndim(y) \
            else np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y)))
    flat = np.logical_or(np.equal(y, 0), np.equal(g, 0))
    if not np.any(flat):
        return g * (y * np.power(x, y - 1.0))
    return np.where(flat, 0.0, g * (y * np.power(np.where(flat, 1.0, x), np.where(flat, 1.0, y - 1.0))))[()]


def power_dy(g: Any, x: Any, y: Any, z: Any) -> Any:
    """`g * z * log(x)` for `z = x ** y`, and 0 where `x` or `g` is 0.

    >>> power_dy(1.0, 0.0, 2.0, 0.0), power_dy(0.0, -1.0, 2.0, 1.0)
    (0.0, 0.0)
    """
    zero = np.logical_or(np.equal(x, 0.0), np.equal(g, 0.0))
    if np.ndim(zero) == 0 and zero:
        return zeros_like(g)
    return np.where(zero, 0.0, g * z * np.log(np.where(zero, 1.0, x)))[()]
