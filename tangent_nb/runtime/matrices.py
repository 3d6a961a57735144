"""What the derivatives of SciPy's linear algebra are made of: matrices as a function reads them,
and functions of matrices."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast, unbroadcast
from .checks import real_only
from .decompositions import folded, symmetric
from .shaping import unarray

SYMMETRIC = ("sym", "symmetric", "her", "hermitian", "pos", "positive definite")


# ------------------------------------------------------------------ the part of a matrix that is read
def system(a: Any, assume_a: str | None = None, lower: bool = False, transposed: bool = False) -> Any:
    """The matrices of the equations that `scipy.linalg.solve(a, b, lower, assume_a=assume_a,
    transposed=transposed)` solves.

    >>> system(np.array([[1.0, 2.0], [9.0, 3.0]]), "pos")
    array([[1., 2.],
           [2., 3.]])
    """
    return np.matrix_transpose(_read(a, assume_a, lower, symmetric)) if transposed \
        else _read(a, assume_a, lower, symmetric)


def unsystem(g: Any, assume_a: str | None = None, lower: bool = False, transposed: bool = False) -> Any:
    """The transpose of `system`.

    >>> unsystem(np.ones((2, 2)), "pos")
    array([[1., 2.],
           [0., 1.]])
    """
    return _read(np.matrix_transpose(g) if transposed else g, assume_a, lower, folded)


def _read(a: Any, assume_a: str | None, lower: bool, of_triangle: Any) -> Any:
    if assume_a in (None, "gen", "general"):
        return a
    if assume_a in SYMMETRIC:
        return of_triangle(real_only(a), "L" if lower else "U")
    if assume_a in ("upper triangular", "lower triangular"):
        return np.triu(a) if assume_a[0] == "u" else np.tril(a)
    raise ArgumentError(f"scipy.linalg.solve of matrices assumed to be {assume_a} is not differentiated: "
                        "leave assume_a out, or pass 'gen', 'sym' or 'pos'")


def triangle_of(x: Any, lower: bool = False, unit_diagonal: bool = False) -> Any:
    """The triangle that `scipy.linalg.solve_triangular` reads, with zeros elsewhere.

    >>> triangle_of(np.ones((2, 2)), unit_diagonal=True)
    array([[0., 1.],
           [0., 0.]])
    """
    return np.tril(x, -int(unit_diagonal)) if lower else np.triu(x, int(unit_diagonal))


def other_way(trans: Any) -> int:
    """`trans` of the transposed equations.

    >>> other_way(0), other_way("T")
    (1, 0)
    """
    if trans in (2, "C"):
        raise ArgumentError("equations with the conjugate transpose are not differentiated: "
                            "pass trans=1, which is the same for real matrices")
    return int(trans in (0, "N", None))


def right_side(v: Any, b: Any) -> Any:
    """`v`, of the form of a solution, as the right-hand side of equations like those with `b`;
    refused if it would be read as a matrix.

    >>> right_side(np.ones(2), np.zeros(2))
    array([1., 1.])
    """
    if np.ndim(b) == 1 and np.ndim(v) > 1:
        raise ArgumentError("equations of a stack of matrices with one vector are not differentiated: "
                            "pass b[:, np.newaxis], and take [..., 0]")
    return v


def as_read(x: Any, trans: Any) -> Any:
    """A matrix as `scipy.linalg.solve_triangular(x, b, trans)` has it on the left: transposed, unless `trans` is 0
    or None.

    >>> as_read(np.array([[1.0, 2.0], [0.0, 3.0]]), 1)
    array([[1., 0.],
           [2., 3.]])
    """
    return x if trans in (0, "N", None) else np.matrix_transpose(real_only(x) if trans in (2, "C") else x)


def as_lower(x: Any, lower: bool) -> Any:
    """A triangular factor as a lower one: `x if lower else x.T`.

    >>> as_lower(np.array([[1.0, 2.0], [0.0, 3.0]]), False)
    array([[1., 0.],
           [2., 3.]])
    """
    return real_only(x) if lower else np.matrix_transpose(real_only(x))


# ------------------------------------------------------------------ functions of matrices
def frechet(name: str, a: Any, e: Any) -> Any:
    """The derivative of the function `scipy.linalg.<name>` of matrices at `a` along `e`.

    It is the upper right block of the function of `[[a, e], [0, a]]` (Higham, "Functions of Matrices", 2008,
    equation 3.16).

    >>> frechet("expm", np.zeros((2, 2)), np.eye(2))
    array([[1., 0.],
           [0., 1.]])
    """
    from scipy import linalg

    if name == "expm" and np.ndim(a) == 2:
        found = linalg.expm_frechet(np.asarray(a), np.asarray(e), compute_expm=False)
    else:
        whole, n = getattr(linalg, name)(paired(a, e)), np.shape(a)[-1]
        on_axis(whole[..., :n, :n], a)
        found = corner(whole)
    return found.astype(np.result_type(a, e)) if np.iscomplexobj(a) or np.iscomplexobj(e) \
        else cast(real_only(found), np.asarray(a))


def on_axis(y: Any, x: Any) -> Any:
    """`y`, a function of the matrices `x`; refused where it is complex and they are real, on the edge of a branch.

    >>> on_axis(np.ones((1, 1)), np.ones((1, 1)))
    array([[1.]])
    """
    if not np.iscomplexobj(x) and np.any(np.imag(y)):
        real_only(y)
    return y


def paired(a: Any, e: Any) -> Any:
    """`[[a, e], [0, a]]`.

    >>> paired(np.ones((1, 1)), np.zeros((1, 1)))
    array([[1., 0.],
           [0., 1.]])
    """
    a, e = np.broadcast_arrays(a, e)
    return np.concatenate([np.concatenate([a, e], axis=-1), np.concatenate([np.zeros_like(a), a], axis=-1)], axis=-2)


def corner(x: Any) -> Any:
    """The upper right quarter of matrices, `x[:n, n:]`.

    >>> corner(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[2.]])
    """
    n = np.shape(x)[-1] // 2
    return x[..., :n, n:].copy()


def sides(x: Any) -> Any:
    """The sum of the upper left and the lower right quarter of matrices: `x[:n, :n] + x[n:, n:]`.

    >>> sides(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[5.]])
    """
    n = np.shape(x)[-1] // 2
    return x[..., :n, :n] + x[..., n:, n:]


# ------------------------------------------------------------------ matrices made of parts
def untoeplitz(g: Any, c: Any, r: Any = None) -> Any:
    """The cotangent of `c` in `scipy.linalg.toeplitz(c, r)`: the sums of the diagonals from the main one down;
    of both sides without `r`.

    >>> untoeplitz(np.ones((3, 3)), np.zeros(3))
    array([3., 4., 2.])
    """
    _one(c)
    g = real_only(np.asarray(g))
    sums = np.array([np.trace(g, -k) for k in range(len(g))], g.dtype)
    return unarray(sums if r is not None else sums + untoeplitz_dr(g, c), c)


def untoeplitz_dr(g: Any, r: Any) -> Any:
    """The cotangent of `r` in `scipy.linalg.toeplitz(c, r)`: the sums of the diagonals above the main one,
    and 0 for the first.

    >>> untoeplitz_dr(np.ones((3, 3)), np.zeros(3))
    array([0., 2., 1.])
    """
    _one(r)
    g = real_only(np.asarray(g))
    return unarray(np.array([np.trace(g, k) if k else 0.0 for k in range(g.shape[1])], g.dtype), r)


def zero_row(r: Any) -> Any:
    """Zeros for the first row of a Toeplitz matrix that has one of its own: `np.zeros_like(r)`.

    >>> zero_row(np.ones(2)), zero_row(None)
    (array([0., 0.]), None)
    """
    return None if r is None else np.zeros_like(r)


def _one(c: Any) -> None:
    if np.ndim(c) != 1:
        raise ArgumentError(f"scipy.linalg.toeplitz of an array of shape {np.shape(c)} is not differentiated: "
                            "pass vectors, of shape (n,)")


def diagonal_block(g: Any, before: Sequence[Any], x: Any) -> Any:
    """The cotangent of `x` in `scipy.linalg.block_diag(*before, x, ...)`.

    >>> diagonal_block(np.diag([1.0, 2.0, 3.0]), (np.ones((1, 1)),), np.ones((1, 1)))
    array([[2.]])
    """
    return unarray(np.reshape(g[_diagonal_place(before, x)].copy(), np.shape(x)), x)


def on_diagonal(v: Any, before: Sequence[Any], y: Any) -> Any:
    """`v` as the block of `y`, a block diagonal matrix, after those of `before`, with zeros elsewhere.

    >>> on_diagonal(np.ones((1, 1)), (np.ones((1, 1)),), np.eye(2))
    array([[0., 0.],
           [0., 1.]])
    """
    out = np.zeros_like(y)
    out[_diagonal_place(before, v)] = v
    return out


def _diagonal_place(before: Sequence[Any], x: Any) -> tuple[slice, slice]:
    shapes = [(1,) * (2 - np.ndim(one)) + np.shape(one) for one in (*before, x)]
    if any(len(shape) > 2 for shape in shapes):
        raise ArgumentError("scipy.linalg.block_diag of stacks of matrices is not differentiated: "
                            "pass matrices, and loop over the stack")
    row, column = sum(shape[0] for shape in shapes[:-1]), sum(shape[1] for shape in shapes[:-1])
    return slice(row, row + shapes[-1][0]), slice(column, column + shapes[-1][1])


def both_factors(y: Any) -> Any:
    """What scipy.linalg.qr gives, `q, r = y`, if the derivative follows from it: the second factor is square.

    >>> [part.shape for part in both_factors((np.eye(3)[:, :2], np.eye(2)))]
    [(3, 2), (2, 2)]
    """
    if len(y) != 2 or np.shape(y[-1])[-1:] != np.shape(y[-1])[-2:-1]:
        raise ArgumentError("scipy.linalg.qr is differentiated where it gives both factors, of a matrix with no more "
                            "columns than rows: pass mode='economic'")
    return tuple(map(real_only, y))


def uncirculant(v: Any, c: Any) -> Any:
    """The cotangent of the first column of a circulant matrix, `np.sum(v[rows, columns], axis=-1)`: sums along its
    diagonals.

    >>> uncirculant(np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(2))
    array([5., 5.])
    """
    columns = np.arange(np.shape(v)[-1])
    rows = (columns[:, None] + columns) % max(len(columns), 1)
    return unbroadcast(np.sum(np.asarray(v)[..., rows, columns], axis=-1), c)


def unhankel(v: Any, x: Any, first: int = 0) -> Any:
    """The cotangent of the first column of a Hankel matrix, or of its last row, whose places begin with `first`: sums
    along its antidiagonals. The first number of a row is not read.

    >>> unhankel(np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(2)), unhankel(np.ones((2, 2)), np.zeros(2), 1)
    (array([1., 5.]), array([0., 1.]))
    """
    rows, columns = np.shape(v)
    places = np.add.outer(np.arange(rows), np.arange(columns)) - first
    read = (places >= (first > 0)) & (places < len(x))
    return unbroadcast(np.bincount(places[read], np.asarray(v)[read], len(x)), x)


def on_antidiagonals(x: Any, v: Any, first: int = 0) -> Any:
    """The transpose of `unhankel`."""
    rows, columns = np.shape(v)
    places = np.add.outer(np.arange(rows), np.arange(columns)) - first
    read = (places >= (first > 0)) & (places < len(x))
    return np.where(read, np.asarray(x)[np.where(read, places, 0)], 0.0)
