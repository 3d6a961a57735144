"""The transposes of NumPy's functions of polynomials, coefficients from the highest power down, and of fitting them."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast
from .shaping import unarray


def vander_dn(x: Any, N: int | None = None, increasing: bool = False, n: int = 1) -> Any:
    """The derivative of order n, in `x`, of each column of `np.vander(x, N, increasing)`.

    >>> vander_dn(np.array([2.0]), 3)
    array([[4., 1., 0.]])
    """
    N = len(x) if N is None else N
    powers = np.arange(N) if increasing else np.arange(N)[::-1]
    return cast(_falling(powers, n) * np.asarray(x)[:, None] ** np.maximum(powers - n, 0), np.asarray(x))


def _falling(powers: Any, n: int) -> Any:
    """p (p - 1) ... (p - n + 1), which is 0 for p < n."""
    factor = np.ones(powers.shape)
    for i in range(n):
        factor = factor * (powers - i)
    return factor


def coefficients(p: Any) -> Any:
    """`p`, refused where it is not one polynomial.

    >>> coefficients([1.0, 2.0])
    [1.0, 2.0]
    """
    if np.ndim(p) != 1:
        raise ArgumentError(f"np.polyval of coefficients of shape {np.shape(p)} is not differentiated: "
                            "pass one polynomial, of shape (n,)")
    return p


def polyval_dp(v: Any, p: Any, x: Any) -> Any:
    """The cotangent of `p` in `np.polyval(p, x)`.

    >>> polyval_dp(np.array([1.0, 1.0]), np.zeros(2), np.array([2.0, 3.0]))
    array([5., 2.])
    """
    return unarray(np.vander(np.ravel(x), len(coefficients(p))).T @ np.ravel(v), p)


def unpolyder(v: Any, p: Any, m: int = 1) -> Any:
    """The transpose of `np.polyder(p, m)`.

    >>> unpolyder(np.array([1.0, 1.0]), np.zeros(3))
    array([2., 1., 0.])
    """
    n = len(p)
    return unarray(np.pad(v * _falling(np.arange(n - 1, min(n, m) - 1, -1), m), (0, min(n, m))), p)


def unpolyint(v: Any, p: Any, m: int = 1) -> Any:
    """The transpose of `np.polyint(p, m)`.

    >>> unpolyint(np.array([1.0, 1.0, 1.0]), np.zeros(2))
    array([0.5, 1. ])
    """
    n = len(p)
    return unarray(v[:n] / _falling(np.arange(n - 1 + m, m - 1, -1), m), p)


def unpolyadd(v: Any, p: Any) -> Any:
    """The part of `v` that belongs to `p` in a sum of polynomials: the coefficients of its powers.

    >>> unpolyadd(np.array([1.0, 2.0, 3.0]), np.zeros(2))
    array([2., 3.])
    """
    return unarray(np.reshape(v[np.size(v) - np.size(p):], np.shape(p)), p)


def untrimmed(v: Any, x: Any, y: Any) -> Any:
    """`v`, refused where `np.polymul(x, y)` leaves out coefficients, because a first one is 0.

    >>> untrimmed(1.0, [1.0, 2.0], [3.0])
    1.0
    """
    if any(np.size(p) and np.ravel(p)[0] == 0 for p in (x, y)):
        raise ArgumentError("np.polymul leaves out first coefficients that are 0, "
                            "and is not differentiated there: use np.convolve")
    return v


# ------------------------------------------------------------------ least squares
def fit(a: Any, b: Any) -> Any:
    """The least squares solution of `a @ p = b`, for independent columns, by the QR decomposition of `a`.

    Source: G. H. Golub, C. F. Van Loan, Matrix Computations (2013), section 5.3;
    the derivatives are those of the normal equations.

    >>> fit(np.array([[1.0], [1.0]]), np.array([1.0, 3.0])).round(12)
    array([2.])
    """
    q, r, scale = _factors(a)
    return (np.linalg.solve(r, q.T @ b).T / scale).T


def unfit(a: Any, u: Any) -> Any:
    """The transpose of `fit(a, b)` in `b`: the smallest `w` for which `a.T @ w = u`.

    >>> unfit(np.array([[1.0], [1.0]]), np.array([1.0])).round(12)
    array([0.5, 0.5])
    """
    q, r, scale = _factors(a)
    return q @ np.linalg.solve(r.T, (np.asarray(u).T / scale).T)


def _factors(a: Any) -> tuple[Any, Any, Any]:
    """The QR decomposition of `a` with columns of length 1, and their lengths."""
    scale = np.sqrt(np.sum(a * a, axis=0))
    if a.shape[0] >= a.shape[1] and np.all(scale > 0.0):
        q, r = np.linalg.qr(a / scale)
        if np.all(np.abs(np.diagonal(r)) > len(a) * np.finfo(r.dtype).eps):
            return q, r, scale
    raise ArgumentError("the columns of a least squares problem are not independent, "
                        "and its solution has no derivative: fit a polynomial of lower degree, or to more points")
