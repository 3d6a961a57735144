"""The part of the corpus about products of arrays: np.einsum in all its forms, and those of np.linalg."""
from __future__ import annotations

import functools

import corpus
import numpy as np
from corpus import M23, M32, M33, T222, T223, V2, V3, W3, add, op, section

section("products")

op("einsum_ellipsis", "np.einsum('...ij,...j->...i', x, w)", x=T223, w=V3)
op("einsum_ellipsis_broadcast", "np.einsum('i...,i...', x, w)", x=T223, w=V2.reshape(2, 1, 1))
op("einsum_implicit", "np.einsum('ba,bc', x, w)", x=M23, w=M23 ** 2)
op("einsum_trace", "np.einsum('ii', x) * x", x=M33)
op("einsum_diagonal", "np.einsum('...ii->...i', x)", x=T222)
op("einsum_diagonal_times", "np.einsum('ii,i,jj->j', x, w, x)", x=M33, w=V3)
op("einsum_four", "np.einsum('i,ij,j,jk->k', v, x, w, x)", v=V3, x=M33, w=W3)
op("einsum_six", "np.einsum('i,ij,j,jk,k,k->i', v, x, w, x, v, w, optimize=True)", v=V3, x=M33, w=W3)
op("einsum_summed_alone", "np.einsum('ij,kl->ik', x, w)", x=M23, w=M32)
op("einsum_scalar", "np.einsum(',i->i', s, x)", s=0.7, x=V3)
op("einsum_one_long", "np.einsum('ij,ij->j', x, w)", x=M23[:1].copy(), w=M23)


def einsum_view(x):
    y = x * 1.0
    rows = np.einsum("ij->ji", y)
    return np.sum(rows ** 3 @ y)


add(einsum_view, M23)
add = functools.partial(corpus.add, holomorphic=False)
op = functools.partial(corpus.op, _details={"holomorphic": False})
op("vecdot", "np.vecdot(x, w)", x=T223, w=V3)
op("vecdot_axis", "np.vecdot(x, w, axis=0)", x=M23, w=M23 ** 2)
op("linalg_vecdot", "np.linalg.vecdot(x, x * w)", x=M23, w=V3)
op("matvec", "np.matvec(x, w)", x=T223, w=V3)
op("vecmat", "np.vecmat(w, x)", x=T223, w=V2)
op("cross_axis", "np.cross(x, w, axis=0)", x=M32, w=V3)
op("linalg_cross", "np.linalg.cross(x, w)", x=M23, w=V3)
op("linalg_matmul", "np.linalg.matmul(x, w)", x=T223, w=M32)
op("linalg_outer", "np.linalg.outer(x, w)", x=V3, w=V2)
op("linalg_tensordot", "np.linalg.tensordot(x, w, axes=((1, 2), (0, 1)))", x=T223, w=M23)
op("linalg_matrix_transpose", "np.linalg.matrix_transpose(x) @ x", x=T223)
op("linalg_diagonal", "np.linalg.diagonal(x, offset=1)", x=T223)
op("linalg_trace", "np.linalg.trace(x, offset=-1)", x=T223)
op("kron_of_matrices", "np.kron(x, w)", x=M23, w=V2)
op("matrix_power", "np.linalg.matrix_power(x, 3) * x", x=M33)
op("matrix_power_negative", "np.linalg.matrix_power(x, -2)", x=np.stack([M33, M33.T + np.eye(3)]))
op("matrix_power_one", "np.linalg.matrix_power(x, 1) * x + np.linalg.matrix_power(x, 0)", x=M33)
op("multi_dot", "np.linalg.multi_dot([x, w, x])", x=M23, w=M32)
op("multi_dot_vectors", "np.linalg.multi_dot((w, x, w))", x=M33, w=V3)


def multi_dot_of_a_list(x, w):
    parts = [x, w * 2.0]
    return np.sum(np.linalg.multi_dot(parts) ** 2) * np.sum(parts[1])


def matrix_power_is_the_array(x, s):
    y = x * s
    z = np.linalg.matrix_power(y, 1)
    return np.sum(z * y ** 2)


def cross_chain(x, w):
    return np.dot(np.cross(x, w), np.cross(w, x * w)) + np.linalg.trace(np.linalg.outer(x, w))


add(multi_dot_of_a_list, M23, M32)
add(matrix_power_is_the_array, M33, 0.7)
add(cross_chain, V3, W3)
op("einsum_by_lists", "np.einsum(x, [0, 1], w, [1, 2], [2, 0])", x=M23, w=M32)
op("einsum_by_lists_implicit", "np.einsum(x, [1, 0]) * np.einsum(x, [0, 0])", x=M33)
op("einsum_by_lists_with_the_rest", "np.einsum(x, [..., 1], y, [1], [...]) * y", x=M33, y=V3)
