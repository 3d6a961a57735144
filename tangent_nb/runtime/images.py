"""The transposes of SciPy's filters of images: how an array goes on beyond its edges, and how that is folded back."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import unbroadcast
from .checks import real_only

Widths = list[tuple[int, int]]
SPELLINGS = {"grid-mirror": "reflect", "grid-constant": "constant", "grid-wrap": "wrap"}


def beyond(places: Any, n: int, mode: str) -> Any:
    """The element that stands at a place that may lie beyond the edges of an axis; -1 for a constant.

    >>> [beyond(np.arange(-2, 5), 3, mode).tolist() for mode in ("reflect", "mirror", "wrap")]
    [[1, 0, 0, 1, 2, 2, 1], [2, 1, 0, 1, 2, 1, 0], [1, 2, 0, 1, 2, 0, 1]]
    """
    mode = SPELLINGS.get(mode, mode)
    if mode == "constant":
        return np.where((places < 0) | (places >= n), -1, places)
    if mode == "nearest":
        return np.clip(places, 0, n - 1)
    if mode == "wrap":
        return places % n
    if n == 1:
        return 0 * places
    period = 2 * n if mode == "reflect" else 2 * n - 2
    inside = places % period
    return np.where(inside < n, inside, period - inside - (mode == "reflect"))


def extended(x: Any, widths: Widths, modes: Any, cval: float = 0.0) -> Any:
    """An array with what stands beyond its edges."""
    for axis, (width, mode) in enumerate(zip(widths, _modes(modes, np.ndim(x)))):
        if not any(width):
            continue
        n = np.shape(x)[axis]
        at = beyond(np.arange(-width[0], n + width[1]), n, mode)
        shape = [-1 if i == axis else 1 for i in range(np.ndim(x))]
        x = np.where(np.reshape(at < 0, shape), cval, np.take(x, at, axis=axis))
    return x


def unextended(v: Any, widths: Widths, modes: Any, x: Any) -> Any:
    """The transpose of `extended`: what stands beyond the edges is added to where it comes from.

    >>> unextended(np.arange(5.0), [(1, 1)], "nearest", np.zeros(3))
    array([1., 2., 7.])
    """
    for axis, (width, mode) in enumerate(zip(widths, _modes(modes, np.ndim(x)))):
        if not any(width):
            continue
        n = np.shape(x)[axis]
        at = beyond(np.arange(-width[0], n + width[1]), n, mode)
        rows, total = np.moveaxis(v, axis, 0), np.zeros((n, *np.delete(v.shape, axis)), v.dtype)
        np.add.at(total, at[at >= 0], rows[at >= 0])
        v = np.moveaxis(total, 0, axis)
    return unbroadcast(v, x)


def _modes(modes: Any, ndim: int) -> list[str]:
    return [modes] * ndim if isinstance(modes, str) else list(modes)


# ------------------------------------------------------------------ weights that are given
def uncorrelated(v: Any, x: Any, weights: Any, how: Any) -> Any:
    """The cotangent of `x` in `scipy.ndimage.correlate(x, weights)`. how: see `_filter`."""
    weights, center, modes = _filter(x, weights, how)
    widths = [(c, n - 1 - c) for c, n in zip(center, weights.shape)]
    return unextended(_convolved(np.asarray(real_only(v), float), weights), widths, modes, x)


def weights_of(v: Any, x: Any, weights: Any, how: Any, cval: float = 0.0) -> Any:
    """The cotangent of the weights in the same: `scipy.signal.correlate(padded, v, "valid")`."""
    from scipy import signal

    whole, center, modes = _filter(x, weights, how)
    widths = [(c, n - 1 - c) for c, n in zip(center, whole.shape)]
    padded = extended(np.asarray(real_only(x), float), widths, modes, cval)
    found = signal.correlate(padded, np.asarray(real_only(v), float), "valid") if np.size(v) else np.zeros(whole.shape)
    return unbroadcast(np.reshape(np.flip(found) if how[0] == "convolve" else found, np.shape(weights)), weights)


def correlated(x: Any, weights: Any, how: Any, cval: float = 0.0) -> Any:
    """The filter itself: `scipy.ndimage.correlate`, or another one of its kind."""
    from scipy import ndimage

    name, mode, origin, axis = how
    if axis is None:
        return getattr(ndimage, name)(x, weights, mode=mode, cval=cval, origin=origin)
    return getattr(ndimage, f"{name}1d")(x, weights, axis, mode=mode, cval=cval, origin=origin)


def _filter(x: Any, weights: Any, how: Any) -> tuple[Any, list[int], list[str]]:
    """The weights of a correlation, in as many dimensions as `x` has, with the place of their centre, and the modes.
    how: `"correlate"` or `"convolve"`, the mode, the origin, and the axis where there is one."""
    name, mode, origin, axis = how
    ndim, weights = np.ndim(x), np.asarray(real_only(weights), float)
    origins = [origin] * ndim if np.ndim(origin) == 0 else list(origin)
    if axis is not None:
        axis = axis % ndim
        weights = np.reshape(weights, [-1 if i == axis else 1 for i in range(ndim)])
        origins = [origin if i == axis else 0 for i in range(ndim)]
    if name == "convolve":
        weights = np.flip(weights)
        origins = [-one - (n % 2 == 0) for one, n in zip(origins, weights.shape)]
    return weights, [n // 2 + one for n, one in zip(weights.shape, origins)], _modes(mode, ndim)


def _convolved(v: Any, weights: Any) -> Any:
    from scipy import signal

    shape = [a + b - 1 for a, b in zip(v.shape, weights.shape)]
    return signal.convolve(v, weights, "full") if v.size else np.zeros(shape)


# ------------------------------------------------------------------ filters by their names
def filtered(x: Any, name: str, mode: Any, given: dict[str, Any]) -> Any:
    """A filter of `scipy.ndimage` with its arguments, linear in the image."""
    from scipy import ndimage

    return getattr(ndimage, name)(x, mode=mode, **given)


def unfiltered(v: Any, name: str, mode: Any, given: dict[str, Any], x: Any) -> Any:
    """The transpose of `filtered`: the filter with zeros beyond the edges, its kernel turned, folded back.

    >>> unfiltered(np.array([1.0, 0.0, 0.0]), "uniform_filter1d", "nearest", {"size": 3}, np.zeros(3)).round(3)
    array([0.667, 0.333, 0.   ])
    """
    from scipy import ndimage

    v = np.asarray(real_only(v), float)
    widths = _widths(name, given, v.ndim)
    turned, sign = dict(given), 1.0
    if name.startswith("uniform"):
        sizes, origins = np.asarray(given.get("size", 3)), np.asarray(given.get("origin", 0))
        turned["origin"] = (-origins - (sizes % 2 == 0)).tolist()
    elif name in ("sobel", "prewitt"):
        sign = -1.0
    elif name.startswith("gaussian_filter"):
        orders = given.get("order", 0)
        sign = (-1.0) ** (sum(orders) if np.ndim(orders) else orders * (v.ndim if name == "gaussian_filter" else 1))
    around = np.pad(v, widths)
    return unextended(sign * getattr(ndimage, name)(around, mode="constant", **turned), widths, mode, x)


def _widths(name: str, given: dict[str, Any], ndim: int) -> Widths:
    """How far a filter reads beyond the edges, along each axis."""
    if name.startswith("gaussian"):
        sigmas = np.broadcast_to(given["sigma"], ndim) if np.ndim(given["sigma"]) < 2 else given["sigma"]
        truncate, radius = given.get("truncate", 4.0), given.get("radius")
        reach = [int(truncate * float(sigma) + 0.5) for sigma in sigmas] if radius is None \
            else [int(one) for one in np.broadcast_to(radius, ndim)]
    elif name.startswith("uniform"):
        reach = [int(one) for one in np.broadcast_to(given.get("size", 3), ndim)]
    else:
        reach = [1] * ndim
    if min(reach, default=0) < 0:
        raise ArgumentError(f"scipy.ndimage.{name} over {min(reach)} elements is not differentiated: "
                            "give it sizes that are not negative")
    if "axis" in given:
        reach = [one if i == given["axis"] % ndim or name in ("sobel", "prewitt") else 0 for i, one in enumerate(reach)]
    return [(one, one) for one in reach] if math.prod(reach) or ndim else []
