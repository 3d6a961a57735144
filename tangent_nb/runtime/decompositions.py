"""What the derivatives of matrix decompositions are made of: triangles that are read, and the gaps of a spectrum."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .checks import real_only


def symmetric(x: Any, uplo: str = "L") -> Any:
    """The symmetric matrices of which one triangle is read: `np.tril(x) + np.tril(x, -1).T`.

    >>> symmetric(np.array([[1.0, 9.0], [2.0, 3.0]]))
    array([[1., 2.],
           [2., 3.]])
    """
    x = real_only(x)
    if uplo.upper() == "L":
        return np.tril(x) + np.matrix_transpose(np.tril(x, -1))
    return np.triu(x) + np.matrix_transpose(np.triu(x, 1))


def folded(x: Any, uplo: str = "L") -> Any:
    """The transpose of `symmetric`: what belongs to both triangles, in the one that is read.

    >>> folded(np.array([[1.0, 9.0], [2.0, 3.0]]))
    array([[ 1.,  0.],
           [11.,  3.]])
    """
    if uplo.upper() == "L":
        return np.tril(x) + np.matrix_transpose(np.triu(x, 1))
    return np.triu(x) + np.matrix_transpose(np.tril(x, -1))


def as_hermitian(x: Any, hermitian: bool) -> Any:
    """The matrices that a function works with: if it is told so, the symmetric ones of a lower triangle,
    `np.tril(x) + np.tril(x, -1).T`.
    """
    return symmetric(x) if hermitian else x


def of_hermitian(x: Any, hermitian: bool) -> Any:
    """The transpose of `as_hermitian`."""
    return folded(x) if hermitian else x


def half_lower(x: Any) -> Any:
    """The lower triangle, and half of the diagonal: `0.5 * (np.tril(x) + np.tril(x, -1))` (Murray 2016,
    "Differentiation of the Cholesky decomposition", section 2).

    >>> half_lower(np.array([[2.0, 9.0], [3.0, 4.0]]))
    array([[1., 0.],
           [3., 2.]])
    """
    x = real_only(x)
    return 0.5 * (np.tril(x) + np.tril(x, -1))


def spectral(u: Any, s: Any) -> Any:
    """`u @ diag(s) @ u.T`: the symmetric matrices with these eigenvectors and eigenvalues.

    >>> spectral(np.eye(2), np.array([1.0, 2.0]))
    array([[1., 0.],
           [0., 2.]])
    """
    return np.matmul(real_only(u) * s[..., None, :], np.matrix_transpose(u))


def skew(x: Any) -> Any:
    """`x - x.T`, for each of the matrices.

    >>> skew(np.array([[1.0, 2.0], [5.0, 1.0]]))
    array([[ 0., -3.],
           [ 3.,  0.]])
    """
    return x - np.matrix_transpose(x)


def gaps(w: Any, v: Any) -> Any:
    """`1 / (w[j] - w[i])`, and 0 on the diagonal, for eigenvalues `w`,
    where the columns of `v` say which eigenvectors matter.

    Eigenvectors of a repeated eigenvalue have no derivative: they are refused, unless nothing depends on them.

    >>> gaps(np.array([1.0, 3.0]), np.eye(2))
    array([[ 0. ,  0.5],
           [-0.5,  0. ]])
    >>> gaps(np.array([1.0, 1.0]), np.eye(2))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the eigenvalue 1.0 is repeated, and its eigenvectors have no derivative: use ...
    """
    difference = w[..., None, :] - w[..., :, None]
    equal = (difference == 0.0) & ~np.eye(np.shape(w)[-1], dtype=bool)
    return _inverses(difference, w, equal, np.any(v != 0.0, axis=-2), "eigenvalue", "eigenvectors",
                     "use np.linalg.eigvalsh, or trace, det and inv of the matrix")


def _inverses(difference: Any, w: Any, equal: Any, used: Any, name: str, vectors: str, remedy: str) -> Any:
    """1 over each difference, and 0 for none; refused where values `w` are equal,
    and the vectors of one of them are used."""
    bad = np.any(equal & (used[..., None, :] | used[..., :, None]), axis=-1)
    if np.any(bad):
        raise ArgumentError(
            f"the {name} {np.asarray(w)[bad][0]} is repeated, and its {vectors} have no derivative: {remedy}")
    zero = difference == 0.0
    return np.where(zero, 0.0, 1.0 / np.where(zero, 1.0, difference))


def factors(y: Any) -> Any:
    """What np.linalg.svd returns, if it is more than the singular values, and as many vectors: refused where
    `compute_uv` is known too late.

    >>> len(factors(np.linalg.svd(np.eye(2))))
    3
    """
    if not isinstance(y, (tuple, list)):                    # SciPy gives a list, of a stack of matrices
        raise ArgumentError("np.linalg.svd is called with a compute_uv that is a variable: "
                            "write np.linalg.svdvals(a), or compute_uv=False")
    if np.shape(y[0])[-1] != np.shape(y[1])[-1] or np.shape(y[2])[-2] != np.shape(y[1])[-1]:
        raise ArgumentError("np.linalg.svd of matrices that are not square has singular vectors that nothing "
                            "determines: pass full_matrices=False")
    real_only(y[0])
    return y


def svd_gaps(s: Any, u: Any, vt: Any) -> Any:
    """`1 / (s[j]**2 - s[i]**2)`, and 0 on the diagonal, for singular values `s`: the columns of `u`,
    the rows of `vt` say which vectors matter.

    >>> svd_gaps(np.array([2.0, 1.0]), np.eye(2), np.eye(2)).round(3)
    array([[ 0.   , -0.333],
           [ 0.333,  0.   ]])
    """
    k, rows, columns = np.shape(s)[-1], np.shape(u)[-2], np.shape(vt)[-1]
    difference = (s[..., None, :] - s[..., :, None]) * (s[..., None, :] + s[..., :, None])
    equal = (difference == 0.0) & ~np.eye(k, dtype=bool)
    used = np.any(u != 0.0, axis=-2) | np.any(vt != 0.0, axis=-1)
    if rows != columns:     # a vector of the value 0 may turn towards those that are left out
        equal = equal | (s == 0.0)[..., None, :] & np.eye(k, dtype=bool)
    return _inverses(difference, s, equal, used, "singular value", "singular vectors",
                     "use np.linalg.svdvals, or a matrix of full rank")


def outside(u: Any, v: Any) -> Any:
    """The part of the columns of `v` that is orthogonal to those of `u`, which are orthonormal;
    exactly 0 where they span everything.

    >>> outside(np.array([[1.0], [0.0]]), np.array([[2.0], [3.0]]))
    array([[0.],
           [3.]])
    """
    if np.shape(u)[-1] == np.shape(u)[-2]:
        return np.zeros_like(v)
    return v - np.matmul(u, np.matmul(np.matrix_transpose(u), v))


def outside_du(g: Any, u: Any, v: Any) -> Any:
    """The cotangent of `u` in `outside(u, v)`.

    >>> outside_du(np.array([[0.0], [1.0]]), np.array([[1.0], [0.0]]), np.array([[2.0], [3.0]]))
    array([[-0.],
           [-2.]])
    """
    if np.shape(u)[-1] == np.shape(u)[-2]:
        return np.zeros_like(u)
    return -(np.matmul(g, np.matmul(np.matrix_transpose(v), u)) + np.matmul(v, np.matmul(np.matrix_transpose(g), u)))


def outside_along(g: Any, u: Any, v: Any) -> Any:
    """The derivative of `outside(u, v)` where `u` changes by `g`.

    >>> outside_along(np.array([[0.0], [1.0]]), np.array([[1.0], [0.0]]), np.array([[2.0], [3.0]]))
    array([[-3.],
           [-2.]])
    """
    if np.shape(u)[-1] == np.shape(u)[-2]:
        return np.zeros_like(v)
    return -(np.matmul(g, np.matmul(np.matrix_transpose(u), v)) + np.matmul(u, np.matmul(np.matrix_transpose(g), v)))


def tall(x: Any) -> Any:
    """The triangular factor of `np.linalg.qr(a)` itself, if it is square; refused for matrices with more columns than
    rows.

    >>> tall(np.eye(2)).shape
    (2, 2)
    """
    if np.ndim(x) < 2 or np.shape(x)[-1] != np.shape(x)[-2]:
        raise ArgumentError("np.linalg.qr is differentiated for matrices with no more columns than rows, "
                            "in the mode 'reduced': take the first columns, np.linalg.qr(a[:, :len(a)])")
    return real_only(x)


def solve_factor(r: Any, b: Any, moving: Any, too: Any = 0.0) -> Any:
    """`np.linalg.solve(r, b)` for the triangular factors of matrices of full rank. Others are refused, unless the
    cotangents or the tangent that come in for them, `moving` and `too`, are 0: nothing depends on them.

    >>> b = np.ones((2, 1))
    >>> solve_factor(np.eye(2) * 2.0, b, b)
    array([[0.5],
           [0.5]])
    """
    singular = np.any(np.diagonal(r, axis1=-2, axis2=-1) == 0.0, axis=-1)
    if np.any(singular):
        if any(np.any(np.asarray(part)[singular] != 0.0) for part in (moving, too) if np.ndim(part)):
            raise ArgumentError("np.linalg.qr of a matrix that is not of full rank has no derivative: "
                                "use np.linalg.svdvals, or np.linalg.pinv")
        r = np.where(singular[..., None, None], np.eye(np.shape(r)[-1], dtype=r.dtype), r)
    return np.linalg.solve(r, b)


def untruncated(a: Any, y: Any) -> Any:
    """The matrix `a` of a least squares problem with the solution `y`;
    refused where `rcond=` leaves out singular values that are not 0.

    >>> untruncated(np.eye(2), np.linalg.lstsq(np.eye(2), np.ones(2), rcond=None)).shape
    (2, 2)
    """
    if y[2] < np.sum(y[3] > y[3].dtype.type(np.finfo(y[3].dtype).eps * max(np.shape(a))) * np.max(y[3], initial=0.0)):
        raise ArgumentError("np.linalg.lstsq leaves out singular values that are not zero, "
                            "and is not differentiated so: pass rcond=None")
    return a


def weighted(u: Any, s: Any, vt: Any) -> Any:
    """`u @ diag(s) @ vt`: the matrices with these singular vectors and values.

    >>> weighted(np.eye(2), np.array([1.0, 2.0]), np.eye(2))
    array([[1., 0.],
           [0., 2.]])
    """
    return np.matmul(u * s[..., None, :], vt)


def cond_slope(s: Any) -> Any:
    """The slopes of `s[0] / s[-1]`, a condition number, in the singular values.

    >>> cond_slope(np.array([4.0, 3.0, 2.0]))
    array([ 0.5,  0. , -1. ])
    """
    first, last = _ends(s)
    return first / s[..., -1:] - last * (s[..., :1] / s[..., -1:] ** 2)


def cond_slope_dx(g: Any, s: Any) -> Any:
    """The derivative of `cond_slope(s)` along `g`; it is symmetric, its own transpose.

    >>> cond_slope_dx(np.array([1.0, 0.0, 0.0]), np.array([4.0, 3.0, 2.0]))
    array([-0.  , -0.  , -0.25])
    """
    first, last = _ends(s)
    least = s[..., -1:]
    return (last * (2.0 * s[..., :1] / least * g[..., -1:] - g[..., :1]) - first * g[..., -1:]) / least ** 2


def _ends(s: Any) -> tuple[Any, Any]:
    """1 for the largest value, and for the smallest, else 0: both at once for one value, of which the ratio is 1."""
    places = np.arange(np.shape(s)[-1])
    return (places == 0).astype(s.dtype), (places == np.shape(s)[-1] - 1).astype(s.dtype)


def residual_seed(g: Any, r: Any) -> Any:
    """The cotangent of the residuals `r` from that of the sums of their squares,
    which np.linalg.lstsq leaves out for lower ranks.

    >>> residual_seed(np.array([2.0]), np.array([1.0, 3.0])), residual_seed(np.zeros(0), np.array([1.0, 3.0]))
    (array([ 4., 12.]), array([0., 0.]))
    """
    return 2.0 * g * r if np.size(g) else np.zeros_like(r)


def residual_sums(r: Any, v: Any, like: Any) -> Any:
    """The transpose of `residual_seed(like, r)`, and its push: `2 * sum(r * v)` over the rows,
    if there are any in `like`.

    >>> residual_sums(np.array([1.0, 3.0]), np.ones(2), np.zeros(1)), residual_sums(np.ones(2), np.ones(2), np.zeros(0))
    (array([8.]), array([], dtype=float64))
    """
    return np.reshape(2.0 * np.sum(r * v, axis=0), np.shape(like)) if np.size(like) else np.zeros_like(like)


def as_square(x: Any) -> Any:
    """An array as a square matrix of n rows, `x.reshape(n, n)`, as np.linalg.tensorinv and tensorsolve take it.

    >>> as_square(np.zeros((2, 3, 6))).shape
    (6, 6)
    """
    side = math.isqrt(np.size(x))
    return np.reshape(x, (side, side))
