"""The transposes of products and solves, for operands of any rank.

A product is linear in each operand, so that the partials of these helpers are again among them.
"""
from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast, unbroadcast
from .checks import real_only
from .shaping import inverse


def dot_dx(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in `np.dot(x, y)`.

    >>> dot_dx(2.0, np.zeros(3), np.array([1.0, 2.0, 3.0]))
    array([2., 4., 6.])
    """
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
    gm, _, ym = _matrices(g, x, y)
    bx = np.matmul(gm, np.swapaxes(ym, -1, -2))
    return unbroadcast(bx if np.ndim(x) > 1 else bx[..., 0, :], x)


def matmul_dy(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `y` in `x @ y`.

    >>> matmul_dy(1.0, np.array([1.0, 2.0]), np.zeros(2))
    array([1., 2.])
    """
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
    out = np.tensordot(g, y, (range(rows, np.ndim(g)), [i for i in range(np.ndim(y)) if i not in b]))
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
    out = np.tensordot(x, g, ([i for i in range(np.ndim(x)) if i not in a], range(rows)))
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
    return np.linalg.solve(a, b[..., None])[..., 0] if vector else np.linalg.solve(a, b)


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
    """The cofactors of square matrices: the partial of the determinant, right also for singular ones.

    >>> cofactor(np.array([[1.0, 2.0], [2.0, 4.0]])).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    u, s, vt = np.linalg.svd(real_only(x))
    before = np.cumprod(np.concatenate([np.ones_like(s[..., :1]), s[..., :-1]], axis=-1), axis=-1)
    after = np.cumprod(np.concatenate([np.ones_like(s[..., :1]), s[..., :0:-1]], axis=-1), axis=-1)[..., ::-1]
    sign = np.linalg.det(u) * np.linalg.det(vt)
    return cast(sign[..., None, None] * np.matmul(u * (before * after)[..., None, :], vt), x)


def cofactor_dx(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in `y = cofactor(x)`, for `x` that can be inverted.

    >>> cofactor_dx(np.eye(2), np.eye(2), np.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    inverse = np.swapaxes(np.linalg.inv(x), -1, -2)
    total = np.sum(g * y, axis=(-2, -1), keepdims=True)
    return cast(inverse * total - np.matmul(inverse, np.matmul(np.swapaxes(g, -1, -2), y)), x)


def einsum(subscripts: str, x: Any, y: Any = None, z: Any = None) -> Any:
    """`np.einsum` of one to three operands.

    >>> float(einsum("i,i->", np.ones(2), np.ones(2)))
    2.0
    """
    return np.einsum(subscripts, *[a for a in (x, y, z) if a is not None])


def einsum_dx(g: Any, subscripts: str, x: Any, y: Any = None, z: Any = None) -> Any:
    """The cotangent of the first operand of `np.einsum(subscripts, x, y, z)`.

    >>> einsum_dx(1.0, "ii", np.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    return _uneinsum(g, 0, subscripts, x, y, z)


def einsum_dy(g: Any, subscripts: str, x: Any, y: Any, z: Any = None) -> Any:
    """The cotangent of the second operand of `np.einsum(subscripts, x, y, z)`.

    >>> einsum_dy(1.0, "i,i", np.array([1.0, 2.0]), np.zeros(2))
    array([1., 2.])
    """
    return _uneinsum(g, 1, subscripts, x, y, z)


def einsum_dz(g: Any, subscripts: str, x: Any, y: Any, z: Any) -> Any:
    """The cotangent of the third operand of `np.einsum(subscripts, x, y, z)`.

    >>> einsum_dz(1.0, "i,i,i", np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.zeros(2))
    array([3., 8.])
    """
    return _uneinsum(g, 2, subscripts, x, y, z)


def _uneinsum(g: Any, which: int, subscripts: str, x: Any, y: Any, z: Any) -> Any:
    operands = [np.asarray(a) for a in (x, y, z) if a is not None]
    inputs, output = _letters(subscripts, [a.ndim for a in operands])
    wanted = operands[which]
    size = {letter: n for letters, a in zip(inputs, operands) for letter, n in zip(letters, a.shape) if n != 1}
    unique = "".join(dict.fromkeys(inputs[which]))
    rest = [(letters, a) for i, (letters, a) in enumerate(zip(inputs, operands)) if i != which]
    terms: list[tuple[str, Any]] = [(output, np.asarray(g)), *rest]
    known = "".join(letters for letters, _ in terms)
    # a letter that is in the wanted operand alone was summed over: its cotangent is the same all along
    terms += [(letter, np.ones(size.get(letter, 1), wanted.dtype)) for letter in unique if letter not in known]
    out = np.einsum(",".join(letters for letters, _ in terms) + "->" + unique, *[a for _, a in terms])
    if unique != inputs[which]:                    # a repeated letter reads a diagonal
        out = _on_diagonals(out, unique, inputs[which], size)
    return unbroadcast(out, wanted) if wanted.ndim else cast(out[()], x if which == 0 else y if which == 1 else z)


def _on_diagonals(values: Any, unique: str, letters: str, size: Mapping[str, int]) -> Any:
    """Zeros with an axis for each of `letters`, and `values` where equal letters have equal indices."""
    full = np.zeros([size.get(letter, 1) for letter in letters], values.dtype)
    grid = dict(zip(unique, np.ogrid[tuple(slice(size.get(letter, 1)) for letter in unique)]))
    full[tuple(grid[letter] for letter in letters)] = values
    return full


def _letters(subscripts: str, ranks: list[int]) -> tuple[list[str], str]:
    """The subscripts of the operands and of the result, without ellipses and with the result's written out."""
    if not isinstance(subscripts, str):
        raise ArgumentError("np.einsum is differentiated with its subscripts as a string: np.einsum('ij,jk->ik', a, b)")
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    free = [letter for letter in string.ascii_letters if letter not in left]
    most = max(rank - len(part) + 3 if "..." in part else 0 for part, rank in zip(inputs, ranks))
    wild = "".join(free[:most])
    full = []
    for part, rank in zip(inputs, ranks):
        n = rank - len(part) + 3
        full.append(part.replace("...", wild[len(wild) - n:] if n else "") if "..." in part else part)
    if not arrow:
        named = "".join(full)
        output = wild + "".join(sorted(c for c in set(named) if named.count(c) == 1 and c not in wild))
    return full, output.replace("...", wild)


def inverse_transpose(x: Any) -> Any:
    """The transposed inverse of square matrices.

    >>> inverse_transpose(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return np.swapaxes(np.linalg.inv(x), -1, -2)
