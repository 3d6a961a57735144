"""Powers and chains of matrices: their derivatives, and the derivatives of those.

The power of a block matrix holds the derivative of the power: `[[x, v], [0, x]]**n` has it in its upper right block (N.
Higham, "Functions of Matrices", 2008, theorem 3.6), for negative `n` too.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .broadcasting import cast
from .matrices import corner, paired
from .shaping import uncast
from .structure import rebuild


def matrix_power_along(v: Any, x: Any, n: int) -> Any:
    """The derivative of `np.linalg.matrix_power(x, n)` along `v`. Its transpose is that at `x.T`.

    >>> matrix_power_along(np.eye(2), 2.0 * np.eye(2), 3)
    array([[12.,  0.],
           [ 0., 12.]])
    """
    return cast(corner(np.linalg.matrix_power(paired(x, v), n)), x)


def matrix_power_along2(u: Any, v: Any, x: Any, n: int) -> Any:
    """The second derivative of `np.linalg.matrix_power(x, n)` along `u` and `v`.

    >>> matrix_power_along2(np.eye(2), np.eye(2), 2.0 * np.eye(2), 3)
    array([[12.,  0.],
           [ 0., 12.]])
    """
    whole = paired(paired(x, v), paired(np.broadcast_to(u, np.shape(x)), np.zeros_like(x)))
    return cast(corner(corner(np.linalg.matrix_power(whole, n))), x)


def _chain(arrays: Sequence[Any]) -> Any:
    return arrays[0] if len(arrays) == 1 else np.linalg.multi_dot(arrays)


def multi_dot_along(v: Sequence[Any], arrays: Sequence[Any]) -> Any:
    """The derivative of `np.linalg.multi_dot(arrays)` along `v`.

    >>> multi_dot_along([np.ones(2), np.zeros(2)], [np.zeros(2), np.array([1.0, 2.0])])
    np.float64(3.0)
    """
    return sum(np.linalg.multi_dot([*arrays[:i], v[i], *arrays[i + 1:]]) for i in range(len(arrays)))


def multi_dot_along2(u: Sequence[Any], v: Sequence[Any], arrays: Sequence[Any]) -> Any:
    """The second derivative of `np.linalg.multi_dot(arrays)` along `u` and `v`.

    >>> multi_dot_along2([np.ones(2), np.zeros(2)], [np.zeros(2), np.array([1.0, 2.0])], [np.zeros(2), np.zeros(2)])
    np.float64(3.0)
    """
    return sum(multi_dot_along([*v[:i], np.zeros_like(v[i]), *v[i + 1:]], [*arrays[:i], u[i], *arrays[i + 1:]])
               for i in range(len(arrays)))


def multi_dot_dx(g: Any, arrays: Sequence[Any]) -> Any:
    """The cotangents of the arrays in `np.linalg.multi_dot(arrays)`.

    >>> multi_dot_dx(2.0, [np.zeros(2), np.array([1.0, 2.0])])
    [array([2., 4.]), array([0., 0.])]
    """
    mats = [np.asarray(a) for a in arrays]
    g = np.asarray(g).reshape(mats[0].shape[0] if mats[0].ndim == 2 else 1,
                              mats[-1].shape[1] if mats[-1].ndim == 2 else 1)
    mats[0] = np.atleast_2d(mats[0])
    mats[-1] = mats[-1] if mats[-1].ndim == 2 else mats[-1][:, None]
    found = []
    for i, given in enumerate(arrays):
        out = g
        if i:
            out = np.matmul(np.transpose(_chain(mats[:i])), out)
        if i + 1 < len(mats):
            out = np.matmul(out, np.transpose(_chain(mats[i + 1:])))
        found.append(uncast(out.reshape(np.shape(given)), given, out))
    return rebuild(arrays, found)


def multi_dot_dx2(u: Sequence[Any], g: Any, arrays: Sequence[Any]) -> Any:
    """The derivative of `multi_dot_dx(g, arrays)` where the arrays change by `u`.

    >>> multi_dot_dx2([np.ones(2), np.zeros(2)], 2.0, [np.zeros(2), np.array([1.0, 2.0])])
    [array([0., 0.]), array([2., 2.])]
    """
    found = [np.zeros_like(a) for a in arrays]
    for i in range(len(arrays)):
        for j, more in enumerate(multi_dot_dx(g, [*arrays[:i], u[i], *arrays[i + 1:]])):
            if j != i:
                found[j] = found[j] + more
    return rebuild(arrays, found)
