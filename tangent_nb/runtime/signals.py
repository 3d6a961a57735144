"""Convolution, interpolation, covariance: the transposes, which are linear or bilinear again."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import mask
from .shaping import unarray


# ------------------------------------------------------------------ convolution
def convolve_dx(v: Any, x: Any, y: Any, mode: str = "full") -> Any:
    """The cotangent of `x` in `np.convolve(x, y, mode)`; that of `y` is the same with both exchanged.

    The transpose of a convolution is the correlation, of the whole result: `v` with zeros where the mode left something
    out.

    >>> convolve_dx(np.array([1.0, 2.0, 3.0]), np.zeros(2), np.array([1.0, 10.0]))
    array([21., 32.])
    """
    return unarray(np.reshape(_correlated(v, np.size(x), np.flip(np.atleast_1d(np.asarray(y))), mode), np.shape(x)), x)


def _correlated(v: Any, n: int, y: Any, mode: str) -> Any:
    """`v`, a result of `mode` of n numbers and those of `y`, as a whole result,
    convolved with `y` where both overlap."""
    m = np.size(y)
    if mode != "full":
        start = min(n, m) - 1 if mode == "valid" else (min(n, m) - 1) // 2
        v = np.pad(v, (start, n + m - 1 - start - np.size(v)))
    return np.convolve(v, y, "valid")


def correlate_dx(v: Any, x: Any, y: Any, mode: str = "valid") -> Any:
    """The cotangent of `x` in `np.correlate(x, y, mode)`, of real numbers.

    NumPy correlates the longer with the shorter, and turns the result around where these are `y` and `x`.

    >>> correlate_dx(np.array([1.0, 2.0]), np.zeros(3), np.array([1.0, 10.0]))
    array([ 1., 12., 20.])
    """
    _check_real(v, x, y)
    y, n = np.atleast_1d(np.asarray(y)), np.size(x)
    back = _correlated(v, n, y, mode) if n >= np.size(y) else np.flip(_correlated(np.flip(v), n, np.flip(y), mode))
    return unarray(np.reshape(back, np.shape(x)), x)


def correlate_dy(v: Any, x: Any, y: Any, mode: str = "valid") -> Any:
    """The cotangent of `y` in `np.correlate(x, y, mode)`, of real numbers.

    >>> correlate_dy(np.array([1.0, 2.0]), np.array([1.0, 10.0, 100.0]), np.zeros(2))
    array([ 21., 210.])
    """
    _check_real(v, x, y)
    x, m = np.atleast_1d(np.asarray(x)), np.size(y)
    back = np.flip(_correlated(v, m, np.flip(x), mode)) if np.size(x) >= m else _correlated(np.flip(v), m, x, mode)
    return unarray(np.reshape(back, np.shape(y)), y)


def _check_real(*values: Any) -> None:
    if any(value is not None and np.iscomplexobj(value) for value in values):
        raise ArgumentError("np.correlate, np.cov and np.corrcoef of complex numbers are not differentiated: "
                            "write them with np.convolve, or @")


# ------------------------------------------------------------------ interpolation
def interp_dx(x: Any, xp: Any, fp: Any) -> Any:
    """The slope of `np.interp(x, xp, fp)` in `x`: 0 outside, at a node the mean of the slopes on both sides.

    >>> interp_dx(np.array([0.5, 1.0, 3.0]), np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 4.0]))
    array([1., 2., 0.])
    """
    slopes = np.concatenate([np.zeros(1), np.diff(fp) / np.diff(xp), np.zeros(1)])
    return 0.5 * (slopes[np.searchsorted(xp, x, "left")] + slopes[np.searchsorted(xp, x, "right")])


def interp_dfp(v: Any, x: Any, xp: Any) -> Any:
    """The cotangent of `fp` in `np.interp(x, xp, fp)`: each value of `v` goes to the nodes on both sides of its `x`.

    >>> interp_dfp(np.array([4.0, 1.0]), np.array([0.25, 5.0]), np.array([0.0, 1.0]))
    array([3., 2.])
    """
    i, xp = np.clip(np.searchsorted(xp, x, "right") - 1, 0, max(len(xp) - 2, 0)), np.asarray(xp)
    if len(xp) == 1:
        return np.array([np.sum(v)])
    t = np.clip((x - xp[i]) / (xp[i + 1] - xp[i]), 0.0, 1.0)
    return _collected(i, v * (1.0 - t), len(xp)) + _collected(i + 1, v * t, len(xp))


def interp_dx_dfp(v: Any, x: Any, xp: Any) -> Any:
    """The cotangent of `fp` in `interp_dx(x, xp, fp)`.

    >>> interp_dx_dfp(np.array([1.0]), np.array([0.25]), np.array([0.0, 0.5]))
    array([-2.,  2.])
    """
    widths = np.concatenate([np.ones(1), np.diff(xp), np.ones(1)])
    total = 0.0
    for side in ("left", "right"):
        i = np.searchsorted(xp, x, side)
        share = np.where((i > 0) & (i < len(xp)), 0.5 * v / widths[i], 0.0)
        total = total + _collected(np.minimum(i, len(xp) - 1), share, len(xp)) \
            - _collected(np.maximum(i - 1, 0), share, len(xp))
    return total


def between(v: Any, x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
    """`v`, and 0 where `np.interp` takes `left` or `right`, which are given, in place of the first or last of `fp`.

    >>> between(np.ones(3), np.array([-1.0, 0.0, 2.0]), np.array([0.0, 1.0]), left=5.0)
    array([0., 1., 1.])
    """
    if left is not None:
        v = mask(v, np.greater_equal(x, xp[0]))
    return v if right is None else mask(v, np.less_equal(x, xp[-1]))


def _collected(i: Any, v: Any, n: int) -> Any:
    i, v = np.ravel(i), np.ravel(np.broadcast_to(v, np.shape(i)))
    return np.bincount(i, v.real, n) + 1j * np.bincount(i, v.imag, n) if np.iscomplexobj(v) else np.bincount(i, v, n)


# ------------------------------------------------------------------ counts and integrals
def simpson_weights(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """The weights of the samples `y` in `scipy.integrate.simpson(y, x, dx=dx, axis=axis)`,
    in a shape that multiplies them.

    Of an even number of samples the last interval has a formula of its own: K. V. Cartwright, "Simpson's rule
    cumulative integration with MS Excel and irregularly-spaced data" (2017), equation 8.

    >>> simpson_weights(np.zeros(3)).round(3)
    array([0.333, 1.333, 0.333])
    """
    shape = np.shape(y)
    n = shape[axis]
    if x is None:
        h = np.full(n - 1, dx, float)
    else:
        h = np.moveaxis(np.diff(x, axis=axis if np.ndim(x) > 1 else -1), axis if np.ndim(x) > 1 else -1, 0)
    w = np.zeros((n, *h.shape[1:]))
    if n == 2:
        w[:] = 0.5 * h
    even = n - 1 if n % 2 == 0 else n
    for i in range(0, even - 2, 2):
        a, b = h[i], h[i + 1]
        w[i] += (a + b) / 6.0 * (2.0 - b / a)
        w[i + 1] += (a + b) ** 3 / (6.0 * a * b)
        w[i + 2] += (a + b) / 6.0 * (2.0 - a / b)
    if n > 2 and even < n:
        a, b = h[-2], h[-1]
        w[-1] += (2.0 * b ** 2 + 3.0 * a * b) / (6.0 * (a + b))
        w[-2] += (b ** 2 + 3.0 * a * b) / (6.0 * a)
        w[-3] -= b ** 3 / (6.0 * a * (a + b))
    w = w.reshape([-1 if i == axis % len(shape) else 1 for i in range(len(shape))]) if w.ndim == 1 \
        else np.moveaxis(w, 0, axis)
    dtype = np.asarray(y).dtype
    return w.astype(np.result_type(dtype, np.float16) if dtype.kind == "f" else float)


def unhistogram(v: Any, x: Any, edges: Any, weights: Any) -> Any:
    """The cotangent of `weights` in `np.histogram(x, edges, weights=weights)`: that of the bin in which `x` lies,
    0 outside.

    >>> unhistogram(np.array([5.0, 7.0]), np.array([0.5, 2.0, 3.0]), np.array([0.0, 1.0, 2.0]), np.ones(3))
    array([5., 7., 0.])
    """
    x = np.asarray(x)
    found = np.asarray(v)[np.clip(np.searchsorted(edges, x, "right") - 1, 0, len(edges) - 2)]
    return unarray(mask(found, (x >= edges[0]) & (x <= edges[-1])), weights)


# ------------------------------------------------------------------ covariance
def uncov(v: Any, m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None,
          fweights: Any = None, aweights: Any = None) -> Any:
    """The cotangents of `m` and `y` in `np.cov(m, y, rowvar, bias, ddof, …)`:
    `(v + v.T) @ (centered * weights) / (n - ddof)`.

    >>> uncov(np.array(1.0), np.array([1.0, 3.0]))[0]
    array([-2.,  2.])
    """
    _check_real(m, y)
    v = np.atleast_2d(v)
    rows, shares = _variables(m, y, rowvar)
    weights = _cov_weights(fweights, aweights)
    back = (v + v.T) @ (_centered(rows, weights) * weights) / _freedom(rows, bias, ddof, weights, aweights)
    return _back_from_rows(back[:shares], m, rowvar), None if _absent(y) else _back_from_rows(back[shares:], y, rowvar)


def cov_along(u: Any, w: Any, m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None,
              fweights: Any = None, aweights: Any = None) -> Any:
    """The derivative of `np.cov(m, y, rowvar, bias, ddof, …)` along `u` for `m` and `w` for `y`.

    >>> float(cov_along(np.array([1.0, 0.0]), None, np.array([1.0, 3.0])))
    -2.0
    """
    _check_real(m, y)
    rows, _ = _variables(m, y, rowvar)
    moved, _ = _variables(u, None if _absent(y) else w, rowvar)
    weights = _cov_weights(fweights, aweights)
    product = (_centered(moved, weights) * weights) @ _centered(rows, weights).T
    return np.squeeze((product + product.T) / _freedom(rows, bias, ddof, weights, aweights))


def _cov_weights(fweights: Any, aweights: Any) -> Any:
    """The weights of the observations, 1.0 where none are given."""
    return (1.0 if fweights is None else np.asarray(fweights, float)) \
        * (1.0 if aweights is None else np.asarray(aweights, float))


def _absent(y: Any) -> bool:
    return y is None or y.__class__ is float                # a zero tangent of None


def _variables(m: Any, y: Any, rowvar: bool) -> tuple[Any, int]:
    """The variables as rows, those of `y` below those of `m`, and how many are of `m`."""
    first = _as_rows(m, rowvar)
    return (first if _absent(y) else np.concatenate([first, _as_rows(y, rowvar)])), len(first)


def _as_rows(m: Any, rowvar: bool) -> Any:
    rows = np.atleast_2d(np.asarray(m, float))
    if not rowvar and np.ndim(m) == 2 and rows.shape[0] == 1:
        raise ArgumentError("np.cov of one row with rowvar=False is read in two ways by NumPy's versions: "
                            "pass m.T, with rowvar=True")
    return rows if rowvar or np.ndim(m) < 2 else rows.T


def _back_from_rows(rows: Any, m: Any, rowvar: bool) -> Any:
    shape = np.shape(m)
    return unarray(np.reshape(rows if rowvar or len(shape) < 2 else rows.T, shape), m)


def _centered(rows: Any, weights: Any = 1.0) -> Any:
    mean = np.mean(rows, axis=1, keepdims=True) if np.ndim(weights) == 0 \
        else np.average(rows, axis=1, weights=weights, keepdims=True)
    return rows - mean


def _freedom(rows: Any, bias: bool, ddof: int | None, weights: Any = 1.0, aweights: Any = None) -> Any:
    """What the sum of squares is divided by, as np.cov does."""
    ddof = (0 if bias else 1) if ddof is None else ddof
    total = rows.shape[1] if np.ndim(weights) == 0 else np.sum(weights)
    return total - ddof if aweights is None or not ddof else total - ddof * np.sum(weights * aweights) / total


def variances(m: Any, y: Any = None, rowvar: bool = True) -> Any:
    """The diagonal of `np.cov(m, y, rowvar)`, by which `np.corrcoef` divides.

    >>> variances(np.array([1.0, 3.0]))
    array([2.])
    """
    rows, _ = _variables(m, y, rowvar)
    return np.sum(_centered(rows) ** 2, axis=1) / _freedom(rows, False, None)
