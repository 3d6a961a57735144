"""The transposes of reductions, and the factors in them."""
from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from .broadcasting import _to_float, cast, unbroadcast
from .checks import real_only
from .shaping import inverse, unarray

Axis: TypeAlias = "int | tuple[int, ...] | None"


def unreduce(g: Any, x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The cotangent of `np.sum(x, axis, keepdims)`, spread over the shape of `x`: a new array.

    >>> unreduce(np.array([1.0, 2.0]), np.zeros((2, 3)), axis=1)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if x.__class__ is float:
        return _to_float(g)
    if isinstance(x, (list, tuple)):
        return unarray(unreduce(g, np.asarray(x), axis, keepdims), x)
    shape = np.shape(x)
    if np.ndim(g) and not keepdims and axis is not None:
        g = np.expand_dims(g, _positive(axis, len(shape)))
    if not shape:
        return cast(_apart(g) if np.ndim(g) == 0 else np.sum(g), x)
    return np.full(shape, g, _dtype(g, x))


def _dtype(g: Any, x: Any) -> np.dtype[Any]:
    dtype = np.asarray(x).dtype
    return dtype if dtype.kind in "fc" else np.asarray(g).dtype


def _positive(axis: Axis, ndim: int) -> tuple[int, ...]:
    axes = range(ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return tuple(int(i) % ndim if ndim else int(i) for i in axes)


def reduce_like(v: Any, g: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The sum of `v` over the axes along which `unreduce` spread `g`.

    >>> reduce_like(np.ones((2, 3)), np.zeros(2), axis=1)
    array([3., 3.])
    """
    if isinstance(v, (list, tuple)):
        v = np.asarray(v)
    return unbroadcast(_apart(v) if np.ndim(v) == 0 else np.sum(v, axis=axis, keepdims=keepdims), g)


def _apart(v: Any) -> Any:
    """What has no dimensions, in memory of its own."""
    return v.copy() if isinstance(v, np.ndarray) else v


def count(x: Any, axis: Axis = None, ddof: float = 0, where: Any = True, keepdims: bool = False) -> Any:
    """How many values a mean is taken of (less `ddof`): at least 1, so that the mean of nothing has an empty gradient.

    >>> count(np.zeros((2, 3)), axis=1)
    3
    """
    shape = np.shape(x)
    if where is not True:
        n = np.sum(included(x, where), axis=axis, keepdims=keepdims, dtype=np.result_type(np.asarray(x), np.float16))
        return np.where(n > ddof, n - ddof, np.where(n > 0, math.nan, 1.0)).astype(n.dtype)[()]
    n = math.prod(shape) if axis is None else math.prod([shape[i] for i in _positive(axis, len(shape))])
    return n - ddof if n > ddof else math.nan if n else 1


def included(x: Any, where: Any) -> Any:
    """The mask `where` of a reduction, which may be of numbers, in the shape of `x`.

    >>> included(np.zeros((2, 2)), [True, False])
    array([[ True, False],
           [ True, False]])
    """
    return np.broadcast_to(np.asarray(where, bool), np.shape(x))


def through(v: Any, dtype: Any) -> Any:
    """`v`, or zero if `dtype=` makes integers of what is summed; of a tuple its first item.

    >>> through(2.0, np.float64), through(2.0, int)
    (2.0, 0.0)
    """
    if isinstance(v, tuple):
        return through(v[0], dtype), *v[1:]
    return v if dtype is None or np.dtype(dtype).kind in "fc" else v * 0.0


def centered(x: Any, axis: Axis = None, where: Any = True) -> Any:
    """`x` less its mean, and 0 where it is left out.

    >>> centered(np.array([1.0, 3.0]))
    array([-1.,  1.])
    """
    x = real_only(x)
    if where is True:
        return x - np.mean(x, axis=axis, keepdims=True)
    where = included(x, where)
    return np.where(where, x - np.sum(x, axis=axis, keepdims=True, where=where) / count(x, axis, 0, where, True), 0.0)


def share(x: Any, y: Any, axis: Axis = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Any:
    """The slope of an extreme value `y` of `x` in each element: 1 at the extreme, shared equally by ties, else 0. Of
    the ties `initial` is one, where it is given, and what `where` leaves out is none.

    >>> share(np.array([1.0, 3.0, 3.0]), 3.0)
    array([0. , 0.5, 0.5])
    """
    if np.ndim(y) and not keepdims and axis is not None:
        y = np.expand_dims(y, _positive(axis, np.ndim(x)))
    ties = _ties(x, y, where)
    dtype = np.asarray(x).dtype
    one = (dtype if dtype.kind == "f" else np.dtype(float)).type(1)
    if np.ndim(ties) == 0 and where is True and initial is None:
        return one
    total = np.sum(ties, axis=axis, keepdims=True, dtype=one.dtype)
    if initial is not None:
        total = total + np.equal(y, initial)
    return ties * one / (total if where is True else np.maximum(total, one))


def share_of_start(x: Any, y: Any, axis: Axis = None, keepdims: bool = False, initial: Any = None,
                   where: Any = True) -> Any:
    """The slope of an extreme value `y` of `x` and `initial` in `initial`, as `share` gives it to the elements.

    >>> float(share_of_start(np.array([1.0, 3.0]), np.float64(3.0), initial=3.0))
    0.5
    """
    whole = y if keepdims or not np.ndim(y) or axis is None else np.expand_dims(y, _positive(axis, np.ndim(x)))
    first = np.equal(y, initial) | (np.isnan(y) & np.isnan(initial))
    return first / (1.0 + np.sum(_ties(x, whole, where), axis=axis, keepdims=keepdims))


def _ties(x: Any, y: Any, where: Any) -> Any:
    """Which elements of `x` are `y`."""
    real_only(x)
    ties = np.equal(x, y) | (np.isnan(x) & np.isnan(y))
    return ties if where is True else ties & included(x, where)


def others(x: Any, axis: Axis = None) -> Any:
    """For each element the product of the others along an axis: the partial of `np.prod`, right also with zeros.

    >>> others(np.array([2.0, 0.0, 3.0]))
    array([0., 6., 0.])
    """
    return _others(x, axis, ())


def others_along(v: Any, x: Any, axis: Axis = None) -> Any:
    """The derivative of `others(x)` along `v`. It is symmetric, so that it is its own transpose.

    >>> others_along(np.array([1.0, 0.0, 0.0]), np.array([2.0, 0.0, 3.0]))
    array([0., 3., 0.])
    """
    return _others(x, axis, (v,))


def others_along2(u: Any, v: Any, x: Any, axis: Axis = None) -> Any:
    """The second derivative of `others(x)` along `u` and `v`.

    >>> others_along2(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.array([2.0, 0.0, 3.0]))
    array([0., 0., 1.])
    """
    return _others(x, axis, (u, v))


def _others(x: Any, axis: Axis, along: tuple[Any, ...]) -> Any:
    """The coefficient of e1*e2*… in the product of the others of `x + e1*v1 + e2*v2 + …`, where each e squares to zero.

    Such a polynomial is kept as one coefficient for each set of e's, numbered by its bits.
    """
    x = np.asarray(x)
    ndim = x.ndim
    axes = _positive(axis, ndim)
    if ndim == 0 or not axes:
        return np.zeros(x.shape, x.dtype)[()] if along else np.ones(x.shape, x.dtype)[()]
    kept = tuple(i for i in range(ndim) if i not in axes)
    back = inverse([*kept, *axes])

    def flat(a: Any) -> Any:
        a = np.broadcast_to(np.asarray(a, x.dtype), x.shape).transpose([*kept, *axes])
        return a.reshape([*a.shape[:len(kept)], math.prod(a.shape[len(kept):])])

    shape = [x.shape[i] for i in (*kept, *axes)]
    if not along:
        rows = flat(x)
        edge = np.ones((*rows.shape[:-1], 1), x.dtype)
        before = np.cumprod(np.concatenate([edge, rows[..., :-1]], axis=-1), axis=-1)
        after = np.cumprod(np.concatenate([edge, rows[..., :0:-1]], axis=-1), axis=-1)[..., ::-1]
        return (before * after)[..., :rows.shape[-1]].reshape(shape).transpose(back)
    terms = [flat(x)] + [flat(v) for v in along]
    n, sets = terms[0].shape[-1], 1 << len(along)
    factor = [terms[0]] + [terms[1 + (s.bit_length() - 1)] if s & (s - 1) == 0 else None for s in range(1, sets)]
    one = [np.ones(terms[0].shape[:-1], x.dtype)] + [np.zeros(terms[0].shape[:-1], x.dtype) for _ in range(1, sets)]

    def running(order: range) -> dict[int, list[Any]]:
        """The product of the factors before each in `order`."""
        products, product = {}, one
        for j in order:
            products[j] = product
            at = [f if f is None else f[..., j] for f in factor]
            product = _times(product, at)
        return products

    ahead, behind = running(range(n)), running(range(n - 1, -1, -1))
    columns = [_times(ahead[j], behind[j])[-1] for j in range(n)]
    out = np.stack(columns, axis=-1) if columns else np.zeros(terms[0].shape, x.dtype)
    return out.reshape(shape).transpose(back)


def _times(p: list[Any], q: list[Any]) -> list[Any]:
    sets = len(p)
    return [sum(p[part] * q[s ^ part] for part in range(sets) if part & s == part and q[s ^ part] is not None)
            for s in range(sets)]
