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
    converges geometrically for a periodic function: Trefethen and Weideman, "The exponentially convergent trapezoidal
    rule" (2014).

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


def erfcx_derivative(n: int, x: Any) -> Any:
    """The derivative number n of `scipy.special.erfcx`, for which y' = 2 x y - 2 / sqrt(pi) (DLMF 7.10).

    >>> round(float(erfcx_derivative(1, 1e8)) * 1e16, 12)
    -0.564189583548
    """
    from scipy import special

    with np.errstate(over="ignore", invalid="ignore"):
        return _recurred(n, x, special.erfcx(x), 1.0, 2.0 / math.sqrt(math.pi))


def dawsn_derivative(n: int, x: Any) -> Any:
    """The derivative number n of `scipy.special.dawsn`, for which y' = 1 - 2 x y (DLMF 7.10).

    >>> round(float(dawsn_derivative(1, 1e8)) * 1e16, 12)
    -0.5
    """
    from scipy import special

    return _recurred(n, x, special.dawsn(x), -1.0, 1.0)


def _recurred(n: int, x: Any, y: Any, sign: float, at_0: float) -> Any:
    """The derivative number n of y, with y' = sign (2 x y - at_0) and so y^(k + 1) = sign (2 x y^(k) + 2 k y^(k - 1)).
    Far out that cancels: there that of the series of (2 k - 1)!! / (-sign 2 x^2)^k, times at_0 / (2 x) (DLMF 7.12)."""
    far = (x if sign > 0 else np.abs(x)) > 12.0 + 4.0 * n
    before, value = y, sign * (2.0 * x * y - at_0)
    for k in range(1, n):
        before, value = value, sign * (2.0 * x * value + 2.0 * k * before)
    out = np.where(far, x, 1.0)
    series, term = 0.0 * out, at_0 / 2.0 * math.factorial(n) * (-1.0) ** n * out ** (-1 - n)
    for k in range(12):
        series = series + term
        term = term * (-sign * (2 * k + 1) / 2.0 * ((2 * k + n + 1) * (2 * k + n + 2)) / ((2 * k + 1) * (2 * k + 2))) \
            / (out * out)
    return np.where(far, series, value)[()]
