"""The transpose of np.pad, in each of its modes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast, unbroadcast
from .checks import real_only
from .indexing import untake
from .joining import places
from .reductions import share
from .shaping import unarray

MOVED = ("edge", "reflect", "symmetric", "wrap")
LINEAR = ("linear_ramp", "mean")
CHOSEN = ("maximum", "minimum", "median")


def unpad(g: Any, x: Any, pad_width: Any, mode: Any = "constant", stat_length: Any = None) -> Any:
    """The transpose of `np.pad(x, pad_width, mode)`, with zeros for constants.

    Each mode pads one axis after the other, each by a matrix: `np.pad` of the identity.

    >>> unpad(np.array([1.0, 2.0, 3.0]), np.zeros(1), 1)
    array([2.])
    >>> unpad(np.array([1.0, 2.0, 3.0]), np.zeros(1), 1, "edge")
    array([6.])
    """
    check_mode(mode)
    if mode in MOVED:
        return untake(g, x, np.pad(places(x), pad_width, mode))
    widths = _pairs(pad_width, np.ndim(x))
    if mode == "constant":
        inside = tuple(slice(before, before + n) for (before, _), n in zip(widths, np.shape(x)))
        return cast(np.reshape(g[inside].copy(), np.shape(x)), x)
    if mode in CHOSEN:
        for axis, width, weights in reversed(_chosen(x, widths, mode, stat_length)):
            before, g, after = np.split(g, [width[0], np.shape(g)[axis] - width[1]], axis)
            g = g + weights[0] * np.sum(before, axis, keepdims=True) + weights[1] * np.sum(after, axis, keepdims=True)
        return cast(g, x)
    for axis, (width, n) in enumerate(zip(widths, np.shape(x))):
        matrix = np.pad(np.eye(n, dtype=g.dtype), (width, (0, 0)), mode, **_lengths(stat_length, np.ndim(x), axis))
        g = np.moveaxis(np.tensordot(matrix, g, (0, axis)), 0, axis)
    return cast(g, x)


def repad(v: Any, x: Any, pad_width: Any, mode: Any = "constant", stat_length: Any = None) -> Any:
    """`v` padded as `np.pad(x, pad_width, mode)` pads, with zeros for constants: the numbers where `x` has its
    extremes, or its median.

    >>> repad(np.array([5.0, 7.0]), np.zeros(2), 1)
    array([0., 5., 7., 0.])
    >>> repad(np.array([5.0, 7.0]), np.array([4.0, 3.0]), 1, "minimum")
    array([7., 5., 7., 7.])
    """
    check_mode(mode)
    if mode not in CHOSEN:
        return np.pad(v, pad_width, mode) if stat_length is None \
            else np.pad(v, pad_width, mode, stat_length=stat_length)
    for axis, width, weights in _chosen(x, _pairs(pad_width, np.ndim(x)), mode, stat_length):
        v = _grown(v, axis, width, weights)
    return v


def pad_ends(v: Any, x: Any, pad_width: Any, mode: Any, name: str) -> Any:
    """What `np.pad(x, pad_width, mode)` makes of `v`, the values at its ends, where `x` is 0.
    name: their argument, if the mode has it.

    >>> pad_ends(5.0, np.zeros(2), 1, "constant", "constant_values")
    array([5., 0., 0., 5.])
    """
    return np.pad(np.zeros(np.shape(x), np.result_type(np.asarray(v), np.float16)), pad_width, mode,
                  **_pad_values(v, mode, name))


def unpad_ends(g: Any, x: Any, pad_width: Any, mode: Any, name: str, values: Any) -> Any:
    """The transpose of `pad_ends`, in the form of `values`.

    >>> unpad_ends(np.array([1.0, 2.0, 4.0, 8.0]), np.zeros(2), 1, "constant", "constant_values", (0.0, 0.0))
    (1.0, 8.0)
    """
    if not _pad_values(0.0, mode, name):
        found = np.zeros((np.ndim(x), 2), np.asarray(g).dtype)
    else:
        places = np.reshape(np.eye(2 * np.ndim(x)), (-1, np.ndim(x), 2))
        found = np.reshape(np.stack([np.sum(g * pad_ends(one, x, pad_width, mode, name)) for one in places]),
                           (np.ndim(x), 2))
    return unarray(unbroadcast(found, np.asarray(values, found.dtype)), values)


def _pad_values(v: Any, mode: Any, name: str) -> dict[str, Any]:
    return {name: v} if name == {"constant": "constant_values", "linear_ramp": "end_values"}.get(mode) else {}


def _grown(v: Any, axis: int, width: Any, weights: Any) -> Any:
    before, after = (np.repeat(np.sum(v * share, axis, keepdims=True), n, axis) for n, share in zip(width, weights))
    return np.concatenate([before, v, after], axis)


def _chosen(x: Any, widths: Any, mode: str, stat_length: Any) -> list[Any]:
    """For each axis the width, and the weights that the numbers have in what is put before them and after them."""
    real_only(x)
    found = []
    for axis, width in enumerate(widths):
        n = np.shape(x)[axis]
        lengths = _lengths(stat_length, np.ndim(x), axis).get("stat_length", ((n, n), None))[0]
        weights = [_chosen_weights(x, axis, slice(None, lengths[0]), mode),
                   _chosen_weights(x, axis, slice(max(n - lengths[1], 0), None), mode)]
        found.append((axis, width, weights))
        x = _grown(x, axis, width, weights)
    return found


def _chosen_weights(x: Any, axis: int, part: slice, mode: str) -> Any:
    """Ties share equally, as those of np.max and np.median do."""
    inside = tuple(part if i == axis else slice(None) for i in range(np.ndim(x)))
    values = x[inside]
    if not np.size(values):
        return np.full(np.shape(x), np.nan)                # the median of nothing
    if mode == "median":
        last = np.shape(values)[axis] - 1
        middle = np.take(np.sort(values, axis), np.array([last // 2, (last + 1) // 2]), axis)
        low, high = np.split(middle, 2, axis)
        weights = 0.5 * share(values, low, axis, True) + 0.5 * share(values, high, axis, True)
    else:
        extreme = np.max(values, axis, keepdims=True) if mode == "maximum" else np.min(values, axis, keepdims=True)
        weights = share(values, extreme, axis, True)
    start = part.start or 0
    outside = [(start, np.shape(x)[axis] - start - np.shape(values)[axis]) if i == axis else (0, 0)
               for i in range(np.ndim(x))]
    return np.pad(weights, outside)


def check_mode(mode: Any) -> None:
    """Refuses a mode of `np.pad` that is none, as a function that pads.

    >>> check_mode("edge")
    """
    if mode not in ("constant", *MOVED, *LINEAR, *CHOSEN):
        raise ArgumentError(f"np.pad with mode={mode!r} is not differentiated: "
                            "use another mode, as 'constant', 'edge' or 'reflect', or np.concatenate")


def _pairs(widths: Any, ndim: int) -> list[tuple[int, int]]:
    """For each axis a pair, from `n`, `(before, after)`, `((before, after), ...)` or a dict of axes."""
    if isinstance(widths, dict):
        found: list[Any] = [widths.get(i, widths.get(i - ndim, 0)) for i in range(ndim)]
    else:
        widths = widths.tolist() if hasattr(widths, "tolist") else widths
        nested = isinstance(widths, (tuple, list)) and any(isinstance(w, (tuple, list)) for w in widths)
        found = list(widths) * (ndim if len(widths) == 1 else 1) if nested else [widths] * ndim
    return [_pair(w) for w in found]


def _pair(width: Any) -> tuple[int, int]:
    if not isinstance(width, (tuple, list)):
        return width, width
    return (width[0], width[0]) if len(width) == 1 else (width[0], width[1])


def _lengths(stat_length: Any, ndim: int, axis: int) -> dict[str, Any]:
    return {} if stat_length is None else {"stat_length": (_pairs(stat_length, ndim)[axis], (1, 1))}
