"""The transposes of products and solves, for operands of any rank.

A product is linear in each operand, so that the partials of these helpers are again among them.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import broadcast_to_like, cast, unbroadcast
from .drawn_matrices import Drawn, drawn_dx, drawn_dy
from .shaping import inverse
from .sparse import is_sparse

WELL = 100.0           # times a condition number: an inverse loses two digits at most


def dot_dx(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in `np.dot(x, y)`.

    >>> dot_dx(2.0, np.zeros(3), np.array([1.0, 2.0, 3.0]))
    array([2., 4., 6.])
    """
    if y.__class__ is Drawn:
        if (found := drawn_dx(g, x, y)) is not None:
            return cast(found, x)
        y = y.whole()
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        return unbroadcast(g * y, x)
    if np.ndim(y) == 1:
        return cast(np.asarray(g)[..., None] * y, x)
    # the result's axes: those of x but the last, then those of y but the last but one
    free = tuple(range(np.ndim(x) - 1, np.ndim(g)))
    return cast(np.tensordot(g, y, (free, [i for i in range(np.ndim(y)) if i != np.ndim(y) - 2])), x)


def dot_dy(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `y` in `np.dot(x, y)`.

    >>> dot_dy(np.ones(2), np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(2))
    array([4., 6.])
    """
    if x.__class__ is Drawn:
        if (found := drawn_dy(g, x, y)) is not None:
            return cast(found, y)
        x = x.whole()
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        return unbroadcast(g * x, y)
    rows = tuple(range(np.ndim(x) - 1))
    by = np.tensordot(x, g, (rows, rows))          # the summed axis, then those of y but the last but one
    return cast(by if np.ndim(y) == 1 else np.moveaxis(by, 0, -2), y)


def matmul_dx(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in `x @ y`.

    >>> matmul_dx(np.ones((1, 2)), np.zeros((1, 2)), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[3., 7.]])
    """
    if is_sparse(y):
        return cast((y @ np.transpose(g)).T, x)
    if y.__class__ is Drawn:
        if (found := drawn_dx(g, x, y)) is not None:
            return cast(found, x)
        y = y.whole()
    gm, _, ym = _matrices(g, x, y)
    bx = np.matmul(gm, np.swapaxes(ym, -1, -2))
    return unbroadcast(bx if np.ndim(x) > 1 else bx[..., 0, :], x)


def matmul_dy(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `y` in `x @ y`.

    >>> matmul_dy(1.0, np.array([1.0, 2.0]), np.zeros(2))
    array([1., 2.])
    """
    if is_sparse(x):
        return cast(x.T @ g, y)
    if x.__class__ is Drawn:
        if (found := drawn_dy(g, x, y)) is not None:
            return cast(found, y)
        x = x.whole()
    gm, xm, _ = _matrices(g, x, y)
    by = np.matmul(np.swapaxes(xm, -1, -2), gm)
    return unbroadcast(by if np.ndim(y) > 1 else by[..., 0], y)


def _matrices(g: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """The three of `g ~ x @ y` as matrices: a vector on the left is a row, one on the right a column."""
    g = np.asarray(g)
    if np.ndim(y) == 1:
        g = g[..., None]
    if np.ndim(x) == 1:
        g = g[..., None, :]
    return g, x if np.ndim(x) > 1 else np.asarray(x)[None, :], y if np.ndim(y) > 1 else np.asarray(y)[:, None]


def inner_dx(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in `np.inner(x, y)`.

    >>> inner_dx(2.0, np.zeros(2), np.array([1.0, 2.0]))
    array([2., 4.])
    """
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        return unbroadcast(g * y, x)
    return cast(np.tensordot(g, y, np.ndim(y) - 1), x)


def inner_dy(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `y` in `np.inner(x, y)`.

    >>> inner_dy(2.0, np.array([1.0, 2.0]), np.zeros(2))
    array([2., 4.])
    """
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        return unbroadcast(g * x, y)
    rows = tuple(range(np.ndim(x) - 1))
    return cast(np.tensordot(g, x, (rows, rows)), y)


def outer_dx(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in `np.outer(x, y)`.

    >>> outer_dx(np.ones((1, 2)), np.zeros(1), np.array([1.0, 2.0]))
    array([3.])
    """
    return unbroadcast(np.reshape(np.dot(g, np.ravel(y)), np.shape(x)), x)


def outer_dy(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `y` in `np.outer(x, y)`.

    >>> outer_dy(np.ones((2, 1)), np.array([1.0, 2.0]), np.zeros(1))
    array([3.])
    """
    return unbroadcast(np.reshape(np.dot(np.ravel(x), g), np.shape(y)), y)


def _contracted(x: Any, y: Any, axes: Any) -> tuple[list[int], list[int]]:
    if isinstance(axes, int):
        return list(range(np.ndim(x) - axes, np.ndim(x))), list(range(axes))
    a, b = axes
    a, b = ([a] if isinstance(a, int) else a), ([b] if isinstance(b, int) else b)
    return [i % np.ndim(x) for i in a], [i % np.ndim(y) for i in b]


def tensordot_dx(g: Any, x: Any, y: Any, axes: Any = 2) -> Any:
    """The cotangent of `x` in `np.tensordot(x, y, axes)`.

    >>> tensordot_dx(2.0, np.zeros(2), np.array([1.0, 2.0]), 1)
    array([2., 4.])
    """
    a, b = _contracted(x, y, axes)
    rows = np.ndim(x) - len(a)
    out = np.tensordot(g, y, (list(range(rows, np.ndim(g))), [i for i in range(np.ndim(y)) if i not in b]))
    # axes now: the free ones of x in order, then those of y that were contracted, in the order of y
    source = [i for i in range(np.ndim(x)) if i not in a] + [a[i] for i in inverse(b)]
    return cast(np.transpose(out, inverse(source)), x)


def tensordot_dy(g: Any, x: Any, y: Any, axes: Any = 2) -> Any:
    """The cotangent of `y` in `np.tensordot(x, y, axes)`.

    >>> tensordot_dy(2.0, np.array([1.0, 2.0]), np.zeros(2), 1)
    array([2., 4.])
    """
    a, b = _contracted(x, y, axes)
    rows = np.ndim(x) - len(a)
    out = np.tensordot(x, g, ([i for i in range(np.ndim(x)) if i not in a], list(range(rows))))
    source = [b[i] for i in inverse(a)] + [i for i in range(np.ndim(y)) if i not in b]
    return cast(np.transpose(out, inverse(source)), y)


def kron_dx(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in `np.kron(x, y)`.

    >>> kron_dx(np.ones(4), np.zeros(2), np.array([1.0, 2.0]))
    array([3., 3.])
    """
    blocks, _, ys = _blocks(g, x, y)
    return unbroadcast(np.reshape(np.sum(blocks * ys, axis=tuple(range(1, blocks.ndim, 2))), np.shape(x)), x)


def kron_dy(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `y` in `np.kron(x, y)`.

    >>> kron_dy(np.ones(4), np.array([1.0, 2.0]), np.zeros(2))
    array([3., 3.])
    """
    blocks, xs, _ = _blocks(g, x, y)
    return unbroadcast(np.reshape(np.sum(blocks * xs, axis=tuple(range(0, blocks.ndim, 2))), np.shape(y)), y)


def _blocks(g: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    ndim = max(np.ndim(x), np.ndim(y))
    rows = (1,) * (ndim - np.ndim(x)) + np.shape(x)
    cols = (1,) * (ndim - np.ndim(y)) + np.shape(y)
    pairs = list(zip(rows, cols))
    return (np.reshape(g, [n for pair in pairs for n in pair]), np.reshape(x, [n for r in rows for n in (r, 1)]),
            np.reshape(y, [n for c in cols for n in (1, c)]))


def solve(a: Any, b: Any, vector: bool) -> Any:
    """Solves `a @ x = b`, the right-hand sides being vectors (along the last axis) or matrices.

    >>> solve(np.eye(2) * 2.0, np.array([2.0, 4.0]), True)
    array([1., 2.])
    """
    return np.linalg.solve(a, np.asarray(b)[..., None])[..., 0] if vector else np.linalg.solve(a, b)


def apply(m: Any, v: Any, vector: bool) -> Any:
    """`m @ v`, `v` being vectors (along the last axis) or matrices.

    >>> apply(np.eye(2) * 2.0, np.ones((3, 2)), True).shape
    (3, 2)
    """
    return np.matmul(m, v[..., None])[..., 0] if vector else np.matmul(m, v)


def outer_last(u: Any, v: Any, vector: bool) -> Any:
    """`u @ v.T` over the last axes, `u` and `v` being vectors (along the last axis) or matrices.

    >>> outer_last(np.array([1.0, 2.0]), np.array([3.0]), True)
    array([[3.],
           [6.]])
    """
    return u[..., :, None] * v[..., None, :] if vector else np.matmul(u, np.swapaxes(v, -1, -2))


def cofactor(x: Any) -> Any:
    """The cofactors of square matrices, `np.linalg.det(x) * np.linalg.inv(x).T`: the partial of the determinant, right
    also for singular ones.

    >>> cofactor(np.array([[1.0, 2.0], [2.0, 4.0]])).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    if (found := _well_conditioned(x)) is not None:
        return found
    u, s, vt = np.linalg.svd(x)
    before = np.cumprod(np.concatenate([np.ones_like(s[..., :1]), s[..., :-1]], axis=-1), axis=-1)
    after = np.cumprod(np.concatenate([np.ones_like(s[..., :1]), s[..., :0:-1]], axis=-1), axis=-1)[..., ::-1]
    sign = np.linalg.det(u) * np.linalg.det(vt)
    if np.iscomplexobj(x):
        u, vt = np.conj(u), np.conj(vt)
    return cast(sign[..., None, None] * np.matmul(u * (before * after)[..., None, :], vt), x)


def _well_conditioned(x: Any) -> Any:
    """The cofactors of one matrix by its inverse; None where that would lose digits."""
    if np.ndim(x) != 2 or np.iscomplexobj(x):
        return None
    try:
        inverse = np.linalg.inv(x)
    except np.linalg.LinAlgError:
        return None
    condition = np.max(np.abs(x), initial=0.0) * np.max(np.abs(inverse), initial=0.0) * len(x)
    return cast(np.linalg.det(x) * inverse.T, x) if condition < WELL else None


def cofactor_dx(g: Any, x: Any) -> Any:
    """The derivative of `cofactor` along `g`, right also for singular matrices. In the basis of the singular vectors it
    is `diag(p h) - p * H^T` with h the diagonal of H, and p the products of all singular values but two.

    >>> cofactor_dx(np.ones((2, 2)), np.array([[1.0, 2.0], [2.0, 4.0]])).round(12)
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    u, s, vt = np.linalg.svd(x)
    u, vt = np.conj(u), np.conj(vt)
    n = s.shape[-1]
    rest = np.where(np.eye(n, dtype=bool)[:, None] | np.eye(n, dtype=bool)[None], 1.0, s[..., None, None, :])
    products = np.where(np.eye(n, dtype=bool), 0.0, np.prod(rest, axis=-1))
    h = np.matmul(np.swapaxes(u, -1, -2), np.matmul(g, np.swapaxes(vt, -1, -2)))
    own = np.matmul(products, np.diagonal(h, axis1=-2, axis2=-1)[..., None])
    inner = np.eye(n) * own - products * np.swapaxes(h, -1, -2)
    sign = np.conj(np.linalg.det(u) * np.linalg.det(vt))
    return cast(sign[..., None, None] * np.matmul(u, np.matmul(inner, vt)), x)


def inverse_transpose(x: Any) -> Any:
    """The transposed inverse of square matrices, `np.linalg.inv(x).T`; of singular ones the cofactors divided by 0, as
    1 / 0 is of numbers.

    >>> inverse_transpose(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    >>> inverse_transpose(np.zeros((1, 1)))
    array([[inf]])
    """
    try:
        return np.swapaxes(np.linalg.inv(x), -1, -2)
    except np.linalg.LinAlgError:                          # a matrix whose determinant is computed, as 0
        singular = np.linalg.slogdet(x)[0] == 0.0
        found = np.swapaxes(
            np.linalg.inv(np.where(singular[..., None, None], np.eye(np.shape(x)[-1], dtype=x.dtype), x)), -1, -2)
        with np.errstate(all="ignore"):
            found[singular] = cofactor(x[singular]) / 0.0
        return found


def cross(x: Any, y: Any, axis: int | None) -> Any:
    """`np.cross(x, y, axis=axis)`; None is the last axis, as left out.

    >>> cross(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), -1)
    array([0., 0., 1.])
    """
    axis = -1 if axis is None else axis
    if not np.ndim(x) or not np.ndim(y) or np.shape(x)[axis] != 3 or np.shape(y)[axis] != 3:
        raise ArgumentError("np.cross of vectors of two components is not differentiated: give them a third one, 0.0")
    return np.cross(x, y, axis=axis)


def unbroadcast_along(v: Any, x: Any, axis: int | None) -> Any:
    """`unbroadcast`, where `axis` of `v` and of `x` is one that was not broadcast,
    and the others were aligned without it.

    >>> unbroadcast_along(np.ones((3, 2)), np.zeros(3), 0)
    array([2., 2., 2.])
    """
    axis = -1 if axis is None else axis
    if np.shape(v)[axis] != np.shape(x)[axis]:
        raise ArgumentError("np.cross of vectors of two components is not differentiated: give them a third one, 0.0")
    return np.moveaxis(unbroadcast(np.moveaxis(v, axis, -1), np.moveaxis(x, axis, -1)), -1, axis)


def broadcast_along(v: Any, x: Any, axis: int | None) -> Any:
    """The transpose of `unbroadcast_along(x, v, axis)`.

    >>> broadcast_along(np.ones(3), np.zeros((3, 2)), 0).shape
    (3, 2)
    """
    axis = -1 if axis is None else axis
    return np.moveaxis(broadcast_to_like(np.moveaxis(v, axis, -1), np.moveaxis(x, axis, -1)), -1, axis)
