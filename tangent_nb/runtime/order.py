"""Order statistics: their slopes, shared equally by ties, as those of `np.max` are.

A quantile lies at a place, perhaps between two, among the values in order;
where, depends on how many there are alone, not on them.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .broadcasting import cast
from .reductions import Axis, _positive
from .shaping import inverse, unarray
from .structure import zeros_like


def quantile_along(v: Any, x: Any, q: Any, axis: Axis = None, keepdims: bool = False, method: str = "linear",
                   skip: bool = False) -> Any:
    """The derivative of `np.quantile(x, q, axis)` along `v`; with `skip` that of `np.nanquantile`.

    >>> quantile_along(np.array([1.0, 2.0, 4.0]), np.array([5.0, 3.0, 9.0]), 0.75)
    np.float64(2.5)
    """
    x = np.asarray(x)
    rows, order = _rows_in_order(x, axis)
    values = _leveled(np.take_along_axis(_rows_along(np.broadcast_to(v, x.shape), axis), order, -1), rows)
    below, above, part = _quantile_places(rows, q, method, skip)
    if not x.size:
        found = np.zeros(part.shape, values.dtype)
    else:
        found = np.take_along_axis(values, below, -1) * (1.0 - part) + np.take_along_axis(values, above, -1) * part
    found = np.moveaxis(found, -1, 0).reshape(np.shape(q) + found.shape[:-1])
    if keepdims:
        found = np.expand_dims(found, tuple(i + np.ndim(q) for i in _positive(axis, x.ndim)))
    return found[()]


def unquantile(g: Any, x: Any, q: Any, axis: Axis = None, keepdims: bool = False, method: str = "linear",
               skip: bool = False) -> Any:
    """The transpose of `quantile_along`: `g` at the values that the quantiles lie at, or between.

    >>> unquantile(1.0, np.array([5.0, 3.0, 9.0]), 0.75)
    array([0.5, 0. , 0.5])
    """
    if isinstance(x, (list, tuple)):
        return unarray(unquantile(g, np.asarray(x), q, axis, keepdims, method, skip), x)
    array = np.asarray(x)
    if not array.size:
        return zeros_like(x)
    rows, order = _rows_in_order(array, axis)
    below, above, part = _quantile_places(rows, q, method, skip)
    g = np.moveaxis(np.reshape(np.asarray(g), (-1, *rows.shape[:-1])), 0, -1)
    values = _added_in_rows(below, g * (1.0 - part), rows.shape[-1]) + _added_in_rows(above, g * part, rows.shape[-1])
    values = np.take_along_axis(_leveled(values, rows), np.argsort(order, axis=-1), -1)
    axes = _positive(axis, array.ndim)
    kept = [i for i in range(array.ndim) if i not in axes]
    back = np.reshape(values, [array.shape[i] for i in (*kept, *axes)]).transpose(inverse([*kept, *axes]))
    return cast(back if back.ndim else back[()], x)


def _rows_along(x: Any, axis: Axis) -> Any:
    """`x` with the axes of a reduction as the last one."""
    axes = _positive(axis, x.ndim)
    kept = [i for i in range(x.ndim) if i not in axes]
    return np.reshape(x.transpose([*kept, *axes]), [*[x.shape[i] for i in kept], math.prod(x.shape[i] for i in axes)])


def _rows_in_order(x: Any, axis: Axis) -> tuple[Any, Any]:
    rows = _rows_along(x, axis)
    order = np.argsort(rows, axis=-1, stable=True)
    return np.take_along_axis(rows, order, -1), order


def _quantile_places(rows: Any, q: Any, method: str, skip: bool) -> tuple[Any, Any, Any]:
    """Between which places in order each quantile lies, and how far from the first: arrays with the quantiles along the
    last axis."""
    n = rows.shape[-1]
    q = np.ravel(np.asarray(q))
    if skip:
        count = np.sum(np.logical_not(np.isnan(rows)), axis=-1, keepdims=True)
        place = q * np.maximum(count - 1, 0)
    else:
        few = rows.dtype.kind == "f" and rows.dtype.itemsize > 2 and n < 2 ** 24
        place = _quantile_place(q, n, rows.dtype if few else np.dtype(float), method) if n else np.zeros(q.shape)
    place = np.broadcast_to(place, (*rows.shape[:-1], q.size))
    below = np.floor(place).astype(int)
    return below, np.minimum(below + 1, max(n - 1, 0)), \
        (place - below).astype(rows.dtype if rows.dtype.kind == "f" else float)


def _quantile_place(q: Any, n: int, dtype: Any, method: Any) -> Any:
    """By any method: what NumPy answers for 0, 1, 2, ... is the place itself."""
    return np.quantile(np.arange(n, dtype=dtype), q, method=method)


def _leveled(values: Any, rows: Any) -> Any:
    """The mean of the values over ties in rows that are in order."""
    if values.shape[-1] < 2:
        return values
    starts = rows[..., 1:] != rows[..., :-1]
    group = np.concatenate([np.zeros((*rows.shape[:-1], 1), int), np.cumsum(starts, axis=-1)], axis=-1)
    n = rows.shape[-1]
    total, count = _added_in_rows(group, values, n), _added_in_rows(group, np.ones_like(values), n)
    return np.take_along_axis(total, group, -1) / np.take_along_axis(count, group, -1)


def _added_in_rows(places: Any, values: Any, n: int) -> Any:
    """Rows of length n with `values` added at places in them."""
    total = np.zeros((*values.shape[:-1], n), values.dtype)
    at = np.arange(values[..., 0].size).reshape((*values.shape[:-1], 1)) * n if n else 0
    np.add.at(total.reshape(-1), places + at, values)
    return total
