"""The part of the corpus about decompositions of matrices, and what is computed with them."""
from __future__ import annotations

import functools

import corpus
import numpy as np
from corpus import M23, M32, M33, T223, V3, section

section("linalg")
add = functools.partial(corpus.add, holomorphic=False)
op = functools.partial(corpus.op, _details={"holomorphic": False})

SPD = M33 @ M33.T + np.diag([0.5, 1.0, 2.0])
SPD2 = np.stack([SPD, SPD[::-1, ::-1] + np.diag([1.0, 0.2, 0.0])])
LOW = np.tril(SPD) + 0.3 * np.triu(M33, 1)                 # what the other triangle holds is not read
BOTH = np.array([[0.5, -0.2, 1.1], [0.3, 0.8, -0.4]])

op("cholesky", "np.linalg.cholesky(x)", x=SPD)
op("cholesky_batch", "np.linalg.cholesky(x) * w", x=SPD2, w=M33)
op("cholesky_of_a_triangle", "np.linalg.cholesky(x) * x", x=LOW)
op("eigvalsh", "np.linalg.eigvalsh(x) * w", x=SPD, w=V3)
op("eigvalsh_upper", "np.linalg.eigvalsh(x, UPLO='U') * w", x=LOW.T, w=V3)
op("eigvalsh_batch", "np.linalg.eigvalsh(x) * w", x=SPD2, w=V3)


def eigh_unpacked(x, w):
    values, vectors = np.linalg.eigh(x)
    return np.sum(w * (vectors * np.exp(-values)) @ vectors.T)


def eigh_by_name(x, w):
    found = np.linalg.eigh(x * w, "U")
    return np.sum(found.eigenvectors ** 2 * w) + np.sum(found.eigenvalues ** 3)


def eigh_lowest(x):
    vectors = np.linalg.eigh(x)[1]
    return np.sum(vectors[:, 0] ** 4)


def eigh_batch(x, w):
    values, vectors = np.linalg.eigh(x)
    return np.sum(values * w) + np.sum(vectors ** 2 * w)


add(eigh_unpacked, SPD, M33)
add(eigh_by_name, SPD, np.abs(M33) + 1.0)
add(eigh_lowest, SPD)
add(eigh_batch, SPD2, V3)


TURNING = np.array([[0.4, -1.2, 0.3], [0.9, 0.2, -0.5], [0.1, 0.6, -0.8]])      # two of its eigenvalues are complex


def eig_unpacked(x, w):
    values, vectors = np.linalg.eig(x)
    return np.sum(values.real ** 2 + np.abs(values) * values.imag ** 2) + np.sum(vectors.real ** 3 * w) \
        + np.sum(vectors.imag ** 2 * w)


def eig_by_name(x):
    found = np.linalg.eig(x @ x.T + np.triu(x))
    return np.sum(np.real(found.eigenvectors * np.exp(found.eigenvalues) @ np.linalg.inv(found.eigenvectors)))


def spectral_radius(x, w):
    return np.max(np.abs(np.linalg.eigvals(x * w)))


def eig_batch(x, w):
    values, vectors = np.linalg.eig(x)
    return np.sum(np.real(values * w)) ** 2 + np.sum(np.abs(vectors[:, 0]) ** 2 * w)


HERE = {"jax": False}
add(eig_unpacked, TURNING, M33, **HERE)
add(eig_unpacked, M33 + np.diag([3.0, 0.0, -3.0]), M33, name="eig_of_real_eigenvalues", **HERE)
add(eig_by_name, M33, **HERE)
add(spectral_radius, TURNING, np.abs(M33) + 1.0, **HERE)
add(eig_batch, np.stack([TURNING, SPD]), V3, **HERE)
op("eigvals", "np.linalg.eigvals(x).real ** 2 + np.linalg.eigvals(x * w).imag ** 2", x=TURNING, w=np.abs(M33),
   _details={"holomorphic": False, **HERE})


def svd_whole(x, w):
    u, s, vt = np.linalg.svd(x)
    return np.sum(w * ((u / s) @ vt)) + np.sum(u ** 2 * w) + np.sum(vt ** 2 * w)


def svd_thin(x, w):
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    return np.sum(np.abs(u[:, 0] @ w) * s) + np.sum(vt[0] ** 3) ** 2 + s[-1] * (u[0, 0] * vt[0, 1]) \
        + np.sum((u @ u.T) * (w @ w.T))


def svd_by_name(x):
    found = np.linalg.svd(x, False)
    return np.sum(found.U ** 2 * found.S) + np.sum(found.Vh ** 4) * found.S[0]


add(svd_whole, M33, SPD)
add(svd_thin, M32, M32[::-1].copy())
add(svd_by_name, M23)
add(svd_by_name, T223, name="svd_batch")
op("svd_values", "np.linalg.svd(x, compute_uv=False) ** 3", x=M23)
op("svdvals", "np.linalg.svdvals(x) ** 3", x=T223)


def qr_unpacked(x, w):
    q, r = np.linalg.qr(x)
    return np.sum(q * w) ** 2 + np.sum(r ** 3)


def qr_least_squares(a, b):
    q, r = np.linalg.qr(a)
    return np.sum(np.linalg.solve(r, q.T @ b) ** 2)


def qr_by_name(x):
    return np.sum(np.linalg.qr(x).R ** 2 * np.linalg.qr(x).Q[:2])


add(qr_unpacked, M32, M32[::-1].copy())
add(qr_least_squares, M32, V3)
add(qr_by_name, M33[:, :2].copy())
op("qr_batch", "np.linalg.qr(x)[1]", x=np.stack([M32, M32 ** 2]))


def slogdet_of_a_product(x, w):
    sign, logdet = np.linalg.slogdet(x @ w)
    return sign * logdet ** 2


def slogdet_by_name(x):
    return np.sum(np.linalg.slogdet(x).logabsdet ** 2)


add(slogdet_of_a_product, M33, SPD)
add(slogdet_by_name, SPD2)
op("pinv", "np.linalg.pinv(x)", x=M32)
op("pinv_wide_batch", "np.linalg.pinv(x) * w", x=T223 + np.eye(2, 3), w=M32)
op("mT", "x.mT @ x", x=T223)
op("matrix_rank", "x * np.linalg.matrix_rank(x)", x=M33)
op("cond", "np.linalg.cond(x)", x=M33)
op("cond_batch", "np.linalg.cond(x)", x=T223)
op("tensorinv", "np.linalg.tensorinv(x)",
   x=np.eye(6).reshape(2, 3, 3, 2) + 0.1 * np.sin(np.arange(36.0)).reshape(2, 3, 3, 2))
op("tensorsolve", "np.linalg.tensorsolve(x, w)",
   x=np.eye(6).reshape(2, 3, 6) + 0.1 * np.sin(np.arange(36.0)).reshape(2, 3, 6), w=M23)


def least_squares(a, b):
    return np.sum(np.linalg.lstsq(a, b)[0] ** 3)


def least_squares_unpacked(a, b):
    x, residuals, rank, s = np.linalg.lstsq(a, b, rcond=None)
    return np.sum(x ** 2) * np.sum(residuals) + np.sum(s) * rank


add(least_squares, M32, V3)
add(least_squares, M23, M23[:, :2] + 1.0, name="least_squares_wide")
add(least_squares_unpacked, M32, V3)
add(least_squares_unpacked, M32, M33, name="least_squares_columns")
