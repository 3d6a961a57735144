"""The derivatives of the logarithm of the gamma function."""
from __future__ import annotations

import math

FAR = 12.0                  # from here on the asymptotic series has all digits
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)


def polygamma(n: int, x: float) -> float:
    """The derivative number n of digamma, the derivative of `math.lgamma`.
    DLMF 5.15.5 (recurrence), 5.15.8 and 5.11.2 (far from 0).

    >>> round(polygamma(0, 1.0), 12), round(polygamma(1, 1.0), 12)
    (-0.577215664902, 1.644934066848)
    """
    x = float(x)
    if x <= 0.0 and x == math.floor(x) or math.isnan(x):
        return math.nan
    if n == 0 and x < -FAR:
        return polygamma(0, 1.0 - x) - math.pi / math.tan(math.pi * (x - math.floor(x)))
    total, sign = 0.0, -1.0 if n % 2 == 0 else 1.0
    factorial = math.factorial(n)
    while x < FAR + n:
        total += sign * factorial / x ** (n + 1)
        x += 1.0
    if n == 0:
        total += math.log(x) - 0.5 / x
    else:
        total += sign * (math.factorial(n - 1) / x ** n + 0.5 * factorial / x ** (n + 1))
    for k, number in enumerate(BERNOULLI, 1):
        total += sign * number * math.factorial(2 * k + n - 1) / math.factorial(2 * k) / x ** (2 * k + n)
    return total
