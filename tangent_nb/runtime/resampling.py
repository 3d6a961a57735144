"""Images between their pixels: what SciPy interpolates by B-splines, with the slopes that it does not give, and the
transposes. M. Unser, "Splines: a perfect fit for signal and image processing" (1999).

The value at a place is a sum of coefficients times B-splines of the distances to their pixels; the coefficients are
those of SciPy's own filter. A derivative of a B-spline of one degree is a sum of truncated powers of a lower one.
"""
from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import unbroadcast
from .checks import real_only
from .images import beyond

PADDED = 12                # SciPy goes on with the last pixels for so many, and filters those too


def spline_weight(t: Any, degree: int, nu: int) -> Any:
    """The derivative number `nu` of the B-spline of a degree, at distances `t`.

    >>> spline_weight(np.array([0.0, 0.25, 1.0]), 1, 0), spline_weight(np.array([0.25]), 1, 1)
    (array([1.  , 0.75, 0.  ]), array([-1.]))
    """
    total, power = 0.0 * t, degree - nu
    if power < 0:
        return total
    for i in range(degree + 2):
        part = t + 0.5 * (degree + 1) - i
        truncated = np.where(part >= 0.0, np.maximum(part, 0.0) ** power, 0.0)
        total = total + (-1) ** i * math.comb(degree + 1, i) * truncated
    return total / math.factorial(power)


def resampled(image: Any, places: Any, nu: Any, how: Any) -> Any:
    """The derivative of an image that is interpolated at places, so often by each coordinate as `nu` says.
    how: the degree, the mode, and whether coefficients are to be found first.

    >>> resampled(np.array([0.0, 1.0, 4.0]), np.array([[0.5, 1.5]]), (1,), (1, "constant", True))
    array([1., 3.])
    """
    filtered = np.asarray(real_only(image), float)
    for axis in range(filtered.ndim):
        filtered = _along(_coefficients(filtered.shape[axis], how), filtered, axis)
    total = 0.0
    for index, weight in _terms(places, np.shape(image), nu, how):
        total = total + weight * filtered[index]
    return total


def unsampled(v: Any, places: Any, nu: Any, how: Any, image: Any) -> Any:
    """The cotangent of the image in `resampled`.

    >>> unsampled(np.ones(1), np.array([[0.25]]), (0,), (1, "constant", True), np.zeros(3))
    array([0.75, 0.25, 0.  ])
    """
    pad = 2 * _padding(how)
    total = np.zeros([n + pad for n in np.shape(image)])
    for index, weight in _terms(places, np.shape(image), nu, how):
        np.add.at(total, index, weight * real_only(v))
    for axis, n in enumerate(np.shape(image)):
        total = _along(_coefficients(n, how).T, total, axis)
    return unbroadcast(total, image)


def _along(matrix: Any, array: Any, axis: int) -> Any:
    return np.moveaxis(np.tensordot(matrix, array, (1, axis)), 0, axis)


def _padding(how: Any) -> int:
    return PADDED if how[1] == "nearest" and how[2] and how[0] > 1 else 0


def _coefficients(n: int, how: Any) -> Any:
    """The matrix that makes coefficients of the pixels along an axis of this length."""
    from scipy import ndimage

    degree, mode, filters = how
    if mode not in ("constant", "nearest", "mirror", "reflect", "grid-mirror", "grid-wrap"):
        raise ArgumentError(f"an interpolation with mode={mode!r} is not differentiated: take 'constant', 'nearest', "
                            "'mirror', 'reflect' or 'grid-wrap'")
    pad = _padding(how)
    whole = np.pad(np.eye(n), ((pad, pad), (0, 0)), "edge") if pad else np.eye(n)
    return ndimage.spline_filter1d(whole, degree, 0, mode=mode) if filters and degree > 1 else whole


def _terms(places: Any, shape: tuple[int, ...], nu: Any, how: Any) -> Iterator[tuple[Any, Any]]:
    """The pixels around each place, with their weights."""
    degree, mode, _ = how
    pad = _padding(how)
    within: Any = 1.0
    axes = []
    for d, n in enumerate(shape):
        x, count = np.asarray(places[d], float) + pad, n + 2 * pad
        if mode == "constant":
            within = within * ((x >= 0) & (x <= count - 1))
        order = 0 if nu is None else nu[d]
        first = np.floor(x if degree % 2 else x + 0.5).astype(int)
        if mode in ("constant", "nearest"):                # the last pixel belongs to the piece before it
            first = np.where((x == count - 1) & (degree % 2 == 1) & (count > 1), count - 2, first)
        around = "mirror" if mode == "constant" else mode
        axes.append([(beyond(first + j - degree // 2, count, around),
                      spline_weight(x - (first + j - degree // 2), degree, order)) for j in range(degree + 1)])
    for one in itertools.product(*axes):
        yield tuple(index for index, _ in one), math.prod((weight for _, weight in one), start=within)


def sample_slopes(v: Any, image: Any, places: Any, nu: Any, how: Any) -> Any:
    """The cotangent of the places in `resampled`."""
    return unbroadcast(np.stack([v * resampled(image, places, one, how) for one in _raised(image, nu)]), places)


def sample_tangent(v: Any, image: Any, places: Any, nu: Any, how: Any) -> Any:
    """The tangent of `resampled`, from that of the places."""
    return sum(part * resampled(image, places, one, how) for part, one in zip(v, _raised(image, nu)))


def sample_second(v: Any, image: Any, places: Any, along: Any, nu: Any, how: Any) -> Any:
    """The derivative of `sample_slopes` by the places, which is symmetric, along `along`."""
    return sum(sample_slopes(part * v, image, places, one, how) for part, one in zip(along, _raised(image, nu)))


def sample_tangent_second(v: Any, image: Any, places: Any, along: Any, nu: Any, how: Any) -> Any:
    """The derivative of `sample_tangent` by the places, along `along`."""
    return sum(part * sample_tangent(v, image, places, one, how) for part, one in zip(along, _raised(image, nu)))


def unsampled_along(v: Any, along: Any, places: Any, nu: Any, how: Any, image: Any) -> Any:
    """The derivative of `unsampled` by the places, along `along`."""
    return sum(unsampled(part * v, places, one, how, image) for part, one in zip(along, _raised(image, nu)))


def _raised(image: Any, nu: Any) -> list[tuple[int, ...]]:
    """Orders of derivatives, with one more by each coordinate in turn."""
    orders = tuple(nu) if nu is not None else (0,) * np.ndim(image)
    return [tuple(n + (i == d) for i, n in enumerate(orders)) for d in range(len(orders))]


# ------------------------------------------------------------------ places on a grid
def shifted_places(image: Any, shift: Any) -> Any:
    """The places of the pixels of an image that is shifted: `np.indices(image.shape) - shift`.

    >>> shifted_places(np.zeros(3), 0.5)
    array([[-0.5,  0.5,  1.5]])
    """
    by = np.broadcast_to(np.asarray(shift, float), np.ndim(image))
    return np.indices(np.shape(image), float) - np.reshape(by, (-1, *[1] * np.ndim(image)))


def unshifted(v: Any, shift: Any) -> Any:
    """The cotangent of the shift in `shifted_places`."""
    return unbroadcast(-np.sum(v, axis=tuple(range(1, np.ndim(v)))), shift)


def zoomed_places(image: Any, y: Any, grid_mode: bool = False) -> Any:
    """The places of the pixels `y` of an image that is zoomed.

    >>> zoomed_places(np.zeros(3), np.zeros(5))
    array([[0. , 0.5, 1. , 1.5, 2. ]])
    """
    axes = [((np.arange(m) + 0.5) * n / m - 0.5) if grid_mode else np.arange(m) * ((n - 1) / max(m - 1, 1))
            for n, m in zip(np.shape(image), np.shape(y))]
    return np.stack(np.meshgrid(*axes, indexing="ij"))
