"""The derivatives of special functions of NumPy, of every order."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

NODES = 64                  # a quarter of a circle in 64 parts: all digits of I0 up to where it overflows


def sinc_derivative(n: int, x: Any) -> Any:
    """The derivative number n of `np.sinc`.

    With z = pi x it is pi**n times the derivative of sin(z) / z, for which the product rule for z f = sin gives
    z f^(n) + n f^(n-1) = sin(z + n pi / 2); near 0, where that cancels, the series of sin.

    >>> float(sinc_derivative(1, 0.0)), round(float(sinc_derivative(2, 0.0)), 12)
    (0.0, -3.289868133696)
    """
    z = math.pi * x
    near = np.abs(z) < max(n, 1)
    far = np.where(near, 1.0, z)
    value = np.sin(far) / far
    for k in range(1, n + 1):
        value = (np.sin(far + k * (math.pi / 2)) - k * value) / far
    small = np.where(near, z, 0.0)
    series = small * 0.0
    for k in range((n + 1) // 2, (n + 1) // 2 + 8 + 2 * n):
        series = series + (-1.0) ** k / ((2 * k + 1) * math.factorial(2 * k - n)) * small ** (2 * k - n)
    return math.pi ** n * np.where(near, series, value)[()]


def i0_derivative(n: int, x: Any) -> Any:
    """The derivative number n of `np.i0`; the first is the Bessel function I1.

    It is the mean of cos(t)**n exp(x cos(t)) over the circle (DLMF 10.32.1), taken by the midpoint rule, which
    converges geometrically for a periodic function: Trefethen and Weideman, "The exponentially convergent trapezoidal rule" (2014).

    >>> round(float(i0_derivative(1, 1.0)), 12)
    0.565159103992
    """
    size = np.abs(x)
    total = size * 0.0
    for k in range(NODES):
        c = math.cos((k + 0.5) * (math.pi / 2) / NODES)
        pair = np.exp(-2.0 * c * size) + 1.0 if n % 2 == 0 else -np.expm1(-2.0 * c * size)
        total = total + c ** n / (2 * NODES) * np.exp((c - 1.0) * size) * pair
    half = np.exp(0.5 * size)                              # the whole would overflow before the result does
    return total * half * half if n % 2 == 0 else np.sign(x) * (total * half * half)
