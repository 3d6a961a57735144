"""Decompositions that read one triangle, as NumPy's do, and the gaps of a spectrum without asking for a value."""
from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from .base import helpers


def cholesky(x: Any) -> Any:
    """np.linalg.cholesky, of the lower triangle."""
    return jnp.linalg.cholesky(helpers.symmetric(x))


def eigh(x: Any, UPLO: str = "L") -> Any:
    """np.linalg.eigh, of the triangle that is named."""
    return jnp.linalg.eigh(helpers.symmetric(x, UPLO))


def eigvalsh(x: Any, UPLO: str = "L") -> Any:
    """np.linalg.eigvalsh, of the triangle that is named."""
    return jnp.linalg.eigvalsh(helpers.symmetric(x, UPLO))


def solve_factor(r: Any, b: Any, moving: Any, too: Any = 0.0) -> Any:
    """`np.linalg.solve(r, b)` for triangular factors; where one is of lower rank NaN, unless `moving` and `too` are 0."""
    singular = jnp.any(jnp.diagonal(r, axis1=-2, axis2=-1) == 0.0, axis=-1)[..., None, None]
    used = sum(jnp.any(part != 0.0, axis=(-2, -1), keepdims=True) for part in (moving, too) if jnp.ndim(part)) != 0
    return jnp.where(singular & used, jnp.nan, jnp.linalg.solve(jnp.where(singular, jnp.eye(jnp.shape(r)[-1], dtype=r.dtype), r), b))


def untruncated(a: Any, y: Any) -> Any:
    """The matrix of a least squares problem; NaN where `rcond=` leaves out singular values that are not 0."""
    s = y[3]
    some = y[2] < jnp.sum(s > jnp.finfo(s.dtype).eps * max(jnp.shape(a)) * jnp.max(s, initial=0.0))  # type: ignore[no-untyped-call]
    return jnp.where(some, jnp.nan, a)


def check_apart_values(w: Any, equal: Any, used: Any, name: str, vectors: str, remedy: str) -> None:
    """Nothing: compiled code cannot raise, and the gaps are NaN here."""


def gaps(w: Any, v: Any) -> Any:
    """`1 / (w[j] - w[i])`, and 0 on the diagonal; NaN where eigenvalues are equal and their eigenvectors matter."""
    difference = w[..., None, :] - w[..., :, None]
    return _inverses(difference, jnp.any(helpers.real_only(v) != 0.0, axis=-2))


def svd_gaps(s: Any, u: Any, vt: Any) -> Any:
    """`1 / (s[j]**2 - s[i]**2)`, and 0 on the diagonal; NaN where singular values are equal and their vectors matter."""
    difference = (s[..., None, :] - s[..., :, None]) * (s[..., None, :] + s[..., :, None])
    used = jnp.any(u != 0.0, axis=-2) | jnp.any(vt != 0.0, axis=-1)
    found = _inverses(difference, used)
    if u.shape[-2] == vt.shape[-1]:
        return found
    lost = used & (s == 0.0)
    return jnp.where(lost[..., None, :] | lost[..., :, None], jnp.nan, found)


def _inverses(difference: Any, used: Any) -> Any:
    zero = difference == 0.0
    bad = zero & (used[..., None, :] | used[..., :, None]) & ~jnp.eye(difference.shape[-1], dtype=bool)
    return jnp.where(bad, jnp.nan, jnp.where(zero, 0.0, 1.0 / jnp.where(zero, 1.0, difference)))
