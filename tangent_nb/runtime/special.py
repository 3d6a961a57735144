"""The derivatives of special functions of NumPy and SciPy, of every order."""
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
    z = math.pi * np.asarray(x)
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

    x = np.asarray(x)
    with np.errstate(over="ignore", invalid="ignore"):
        return _recurred(n, x, special.erfcx(x), 1.0, 2.0 / math.sqrt(math.pi), x > 12.0 + 4.0 * n)


def dawsn_derivative(n: int, x: Any) -> Any:
    """The derivative number n of `scipy.special.dawsn`, for which y' = 1 - 2 x y (DLMF 7.10).

    >>> round(float(dawsn_derivative(1, 1e8)) * 1e16, 12)
    -0.5
    """
    from scipy import special

    x = np.asarray(x)
    return _recurred(n, x, special.dawsn(x), -1.0, 1.0, np.abs(x) > 12.0 + 4.0 * n)


def _recurred(n: int, x: Any, y: Any, sign: float, at_0: complex, far: Any) -> Any:
    """The derivative number n of y, with y' = sign (2 x y - at_0) and so y^(k + 1) = sign (2 x y^(k) + 2 k y^(k - 1)).
    Far out that cancels: there that of the series of (2 k - 1)!! / (-sign 2 x^2)^k, times at_0 / (2 x) (DLMF 7.12)."""
    before, value = y, sign * (2.0 * x * y - at_0)
    for k in range(1, n):
        before, value = value, sign * (2.0 * x * value + 2.0 * k * before)
    out: Any = np.where(far, x, 1.0)
    series: Any = 0.0 * out
    term: Any = at_0 / 2.0 * math.factorial(n) * (-1.0) ** n * out ** (-1 - n)
    for k in range(12):
        series = series + term
        term = term * (-sign * (2 * k + 1) / 2.0 * ((2 * k + n + 1) * (2 * k + n + 2)) / ((2 * k + 1) * (2 * k + 2))) \
            / (out * out)
    return np.where(far, series, value)[()]


def wofz_derivative(n: int, z: Any) -> Any:
    """The derivative number n of `scipy.special.wofz`, for which y' = 2 i / sqrt(pi) - 2 z y (DLMF 7.10.2).

    >>> round(float(wofz_derivative(1, 1e8).imag) * 1e16, 12)
    -0.564189583548
    """
    from scipy import special

    wide: Any = np.asarray(z, complex)
    far = (np.abs(wide) > 12.0 + 4.0 * n) & ((wide.imag >= 0.0) | (np.abs(wide.real) > np.abs(wide.imag) + 10.0))
    value = _recurred(n, wide, special.wofz(wide), -1.0, 2j / math.sqrt(math.pi), far)
    return np.asarray(value, special.wofz(z).dtype)[()]


def exprel_derivative(n: int, x: Any) -> Any:
    """The derivative number n of `scipy.special.exprel`, (exp(x) - 1) / x: the integral of t**n exp(x t) from 0 to 1.

    By parts far from 0, near it by a series of terms of one sign (DLMF 8.7.1).

    >>> float(exprel_derivative(1, 0.0)), round(float(exprel_derivative(2, -40.0)) * 40.0 ** 3, 9)
    (0.5, 2.0)
    """
    with np.errstate(over="ignore", invalid="ignore"):
        far = np.abs(x) > FAR_OUT + n
        out, near = np.where(far, x, 1.0), np.where(far, 0.0, x)
        value, end = np.abs(np.expm1(-np.abs(out)) / out), np.exp(np.minimum(out, 0.0))       # less exp(out) above 0
        for k in range(1, n + 1):
            value = (end - k * value) / out
        value = value * np.exp(np.maximum(out, 0.0))
        size = np.abs(near)
        grows, falls = size ** 0 / (n + 1), size ** 0 / (n + 1)
        up, down = grows, falls
        for k in range(1, 4 * FAR_OUT):
            up, down = up * size / k, down * size / (n + k + 1)
            grows, falls = grows + up * ((n + 1) / (n + k + 1)), falls + down
        return np.where(far, value, np.where(near < 0.0, np.exp(near) * falls, grows)).astype(np.exp(x).dtype)[()]


def elliptic_integral(n: int, s: float, phi: Any, m: Any) -> Any:
    """The integral of `sin(t) ** (2 * n) / (1 - m * sin(t) ** 2) ** s` from 0 to phi: how elliptic integrals change
    with m.

    Up to a quarter of a period that is an integral over a half line of a product of powers, as Carlson's are (DLMF
    19.16.9), taken by the trapezoidal rule in the logarithm: Trefethen and Weideman, "The exponentially convergent
    trapezoidal rule" (2014), section 14.

    >>> from scipy import special
    >>> round(float(elliptic_integral(0, 0.5, 3.0, 0.5) - special.ellipkinc(3.0, 0.5)), 12)
    0.0
    """
    phi, m = np.asarray(phi), np.asarray(m)
    periods = np.round(phi / math.pi)
    rest = phi - math.pi * periods
    whole = _quarter(n, s, math.pi / 2 * np.ones_like(rest), m) if np.any(periods) else 0.0
    return (2.0 * periods * whole + _quarter(n, s, rest, m)).astype(np.result_type(phi, m))[()]


def _quarter(n: int, s: float, phi: Any, m: Any) -> Any:
    sine, cosine = np.sin(phi), np.cos(phi)
    squares = sine * sine
    total = 0.0 * squares * m
    for u in np.exp(np.arange(-110.0, 75.0, 0.5)):
        total = total + u * (1.0 + u) ** (s - n - 1) / np.sqrt(u + cosine * cosine) / (u + 1.0 - m * squares) ** s
    return 0.25 * sine * squares ** n * total


FAR_OUT = 30
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
EXACT, CONTINUED = 12, -6.0           # terms that are added one by one; up to where the rest is small


def zeta_derivative(n: int, x: Any, q: Any) -> Any:
    """The derivative number n of `scipy.special.zeta(x, q)` by x: the sum of (-log(k + q))**n / (k + q)**x, by the
    formula of Euler and Maclaurin (DLMF 25.11.5), which also continues it to x below 1; NaN below -6.

    >>> from scipy import special
    >>> round(float(zeta_derivative(0, 2.0, 1.5) - special.zeta(2.0, 1.5)), 12)
    0.0
    >>> round(float(zeta_derivative(1, 2.0, 1.0)), 12)
    -0.937548254316
    """
    x, q = np.asarray(x), np.asarray(q)
    kind = np.result_type(x, q, np.float32)
    x, q = np.where(x < CONTINUED, np.nan, x).astype(float), q.astype(float)
    total = sum((-np.log(q + k)) ** n * (q + k) ** -x for k in range(EXACT))
    u = q + EXACT
    log = np.log(u)
    powers: list[Any] = [*([0.0 * x] * n), 1.0 + 0.0 * x]              # of what is summed: its coefficients in log(u)
    parts = (math.perm(n, j) * log ** (n - j) / (x - 1.0) ** (j + 1) for j in range(n + 1))
    rest = u * sum(parts) + 0.5 * log ** n
    order, scale = 0, 1.0
    for i, number in enumerate(BERNOULLI, 1):
        while order < 2 * i - 1:
            powers = [(j + 1) * (powers[j + 1] if j < n else 0.0) - (x + order) * powers[j] for j in range(n + 1)]
            order += 1
        scale = scale / ((2 * i) * (2 * i - 1))
        rest = rest - number * scale * sum(c * log ** j for j, c in enumerate(powers)) / u ** order
    return (total + (-1.0) ** n * rest * u ** -x).astype(kind)[()]


def degree_below(n: Any) -> Any:
    """The degree of the derivative of a polynomial, `n - 1`; what has none below it keeps -1, of which all
    derivatives are 0.

    >>> degree_below(3), degree_below(-1)
    (2, -1)
    """
    return n - 1 + (n == -1)
