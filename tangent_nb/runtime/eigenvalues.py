"""What the derivatives of np.linalg.eig, np.linalg.eigvals and np.roots are made of: simple ones alone,
and how eigenvectors are scaled.

LAPACK's geev returns columns of length 1, and turns a complex one so that its largest component is real. Along `u`, a
change of the columns `v` in which only their directions count, the columns change by `scaled(u, v)`. Complex cotangents
are not conjugated.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast
from .checks import real_only


def simple_vectors(x: Any, e: Any) -> Any:
    """The eigenvectors in `e`, the result of np.linalg.eig, of a real matrix `x`;
    refused where an eigenvalue is repeated, and so not simple.

    >>> simple_vectors(np.diag([1.0, 2.0]), np.linalg.eig(np.diag([1.0, 2.0])))
    array([[1., 0.],
           [0., 1.]])
    >>> simple_vectors(np.eye(2), np.linalg.eig(np.eye(2)))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the eigenvalue 1.0 is repeated, and has no derivative: use np.trace, ...
    """
    real_only(x)
    check_simple(x, e[0], e[1])
    return np.array(e[1])


def check_simple(x: Any, w: Any, v: Any) -> None:
    """Refuses eigenvalues that are repeated as far as they are known: rounding parts them,
    the more the less the eigenvectors are apart.

    Under a change of the size `eps |x|` those of a gap less than `cond(v) eps |x|` meet, and what is computed with the
    gap has no digit; by `eps ** (2 / 3)` a third of the digits is right.
    """
    apart = np.abs(w[..., None, :] - w[..., :, None])
    apart[..., range(np.shape(w)[-1]), range(np.shape(w)[-1])] = np.inf
    with np.errstate(all="ignore"):
        least = np.finfo(w.dtype).eps ** (2 / 3) * np.linalg.norm(x, axis=(-2, -1)) \
            * (np.linalg.cond(v) if np.size(v) else 1.0)
    refuse(w[np.any(apart <= np.expand_dims(least, (-2, -1)), axis=-1)])


def refuse(repeated: Any) -> None:
    """Refuses the eigenvalues given, if there are any."""
    if len(repeated):
        raise ArgumentError(f"the eigenvalue {repeated[0]} is repeated, and has no derivative: "
                            "use np.trace, np.linalg.det or matrix_power, or np.linalg.eigh of a symmetric matrix")


def eigenvectors(x: Any, w: Any) -> Any:
    """The eigenvectors of real matrices, in the order of their eigenvalues `w`, which must be simple.

    np.linalg.eigvals may find them in another order than np.linalg.eig.

    >>> eigenvectors(np.diag([1.0, 2.0]), np.array([2.0, 1.0]))
    array([[0., 1.],
           [1., 0.]])
    """
    found, vectors = np.linalg.eig(real_only(x))
    check_simple(x, found, vectors)
    if not np.size(w):
        return vectors
    order = np.argmin(np.abs(w[..., :, None] - found[..., None, :]), axis=-1)
    refuse(w[np.sort(order, axis=-1) != np.arange(np.shape(w)[-1])])      # so near that it is not known which is which
    return np.take_along_axis(vectors, order[..., None, :], axis=-1)


def simple_roots(r: Any, p: Any) -> Any:
    """The roots `r` of the polynomial `p` themselves; refused where one is repeated.

    >>> simple_roots(np.array([1.0, 1.0]), np.array([1.0, -2.0, 1.0]))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the root 1.0 is repeated, and has no derivative: use np.polyval, or @tnb.adjoint
    """
    p = np.asarray(real_only(p), float)
    if len(p) and p[0] == 0.0:
        raise ArgumentError(
            "the leading coefficient of np.roots is 0, by which its roots have no derivative: leave it out")
    slopes, curves = np.polyval(np.polyder(p), r), np.polyval(np.polyder(p, 2), r)
    error = np.finfo(np.asarray(r).dtype).eps ** (2 / 3) * np.polyval(np.abs(p), np.abs(r))
    # as far as rounding tells
    repeated = (slopes == 0.0) | (np.abs(slopes) ** 2 <= error * np.abs(curves)) & (curves != 0.0)
    if np.any(repeated):
        raise ArgumentError(f"the root {r[repeated][0]} is repeated, and has no derivative: "
                            "use np.polyval, or @tnb.adjoint")
    return r


def _sum(x: Any) -> Any:
    return np.sum(x, axis=-2, keepdims=True)


def _largest(v: Any) -> Any:
    """1 where a column has its largest real component, else 0."""
    size = np.where(v.imag == 0.0, np.abs(v.real), -1.0)
    return np.arange(np.shape(v)[-2])[:, None] == np.argmax(size, axis=-2)[..., None, :]


def along(u: Any, v: Any) -> Any:
    """For each column `Re(v^H u) + i Im(u[m]) / v[m]`, where `v[m]` is its largest real component: the part of `u` that
    scales `v`.

    >>> along(np.array([[3.0], [5.0]]), np.array([[1.0], [0.0]]))
    array([[3.]])
    """
    part = _sum((np.conj(v) * u).real)
    if np.iscomplexobj(v):
        largest = _largest(v)
        part = part + 1j * _sum(largest * np.imag(u)) / _sum(largest * v.real)
    return part


def scaled(u: Any, v: Any) -> Any:
    """`u` without the part that scales the columns `v`, or turns their largest components.

    >>> scaled(np.array([[3.0], [5.0]]), np.array([[1.0], [0.0]]))
    array([[0.],
           [5.]])
    """
    return u - v * along(u, v)


def unscaled(u: Any, v: Any) -> Any:
    """The transpose of `scaled` in `u`.

    >>> unscaled(np.array([[3.0], [5.0]]), np.array([[1.0], [0.0]]))
    array([[0.],
           [5.]])
    """
    s = _sum(u * v)
    out = u - s.real * np.conj(v)
    if np.iscomplexobj(v):
        largest = _largest(v)
        out = out - 1j * s.imag * largest / _sum(largest * v.real)
    return out


def scaled_dv(g: Any, u: Any, v: Any) -> Any:
    """The cotangent of `v` in `scaled(u, v)`; with `g` and `u` exchanged in `unscaled(u, v)`.

    >>> scaled_dv(np.array([[0.0], [1.0]]), np.array([[3.0], [5.0]]), np.array([[1.0], [0.0]]))
    array([[-0.],
           [-3.]])
    """
    s = _sum(g * v)
    out = -along(u, v) * g - s.real * np.conj(u)
    if np.iscomplexobj(v):
        largest = _largest(v)
        out = out - s.imag * _sum(largest * np.imag(u)) / _sum(largest * v.real) ** 2 * largest
    return cast(out, v)


def scaled_along(d: Any, u: Any, v: Any) -> Any:
    """The derivative of `scaled(u, v)` where `v` changes by `d`.

    >>> scaled_along(np.array([[0.0], [1.0]]), np.array([[3.0], [5.0]]), np.array([[1.0], [0.0]]))
    array([[-5.],
           [-3.]])
    """
    turn: Any = _sum((np.conj(d) * u).real)
    if np.iscomplexobj(v):
        largest = _largest(v)
        turn = turn - 1j * _sum(largest * np.imag(u)) * _sum(largest * d.real) / _sum(largest * v.real) ** 2
    return -d * along(u, v) - v * turn


def unscaled_along(d: Any, u: Any, v: Any) -> Any:
    """The derivative of `unscaled(u, v)` where `v` changes by `d`.

    >>> unscaled_along(np.array([[0.0], [1.0]]), np.array([[3.0], [5.0]]), np.array([[1.0], [0.0]]))
    array([[-5.],
           [-3.]])
    """
    s, ds = _sum(u * v), _sum(u * d)
    out = -ds.real * np.conj(v) - s.real * np.conj(d)
    if np.iscomplexobj(v):
        largest = _largest(v)
        size = _sum(largest * v.real)
        out = out - 1j * largest * (ds.imag / size - s.imag * _sum(largest * d.real) / size ** 2)
    return out
