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
    """`np.linalg.solve(r, b)` for triangular factors; where one is of lower rank NaN,
    unless `moving` and `too` are 0."""
    singular = jnp.any(jnp.diagonal(r, axis1=-2, axis2=-1) == 0.0, axis=-1)[..., None, None]
    used = sum(jnp.any(part != 0.0, axis=(-2, -1), keepdims=True) for part in (moving, too) if jnp.ndim(part)) != 0
    return jnp.where(singular & used, jnp.nan,
                     jnp.linalg.solve(jnp.where(singular, jnp.eye(jnp.shape(r)[-1], dtype=r.dtype), r), b))


def untruncated(a: Any, y: Any) -> Any:
    """The matrix of a least squares problem; NaN where `rcond=` leaves out singular values that are not 0."""
    s = y[3]
    some = y[2] < jnp.sum(
        s > jnp.finfo(s.dtype).eps * max(jnp.shape(a)) * jnp.max(s, initial=0.0))  # type: ignore[no-untyped-call]
    return jnp.where(some, jnp.nan, a)


def _inverses(difference: Any, w: Any, equal: Any, used: Any, name: str, vectors: str, remedy: str) -> Any:
    """1 over each difference, and 0 for none; NaN where values are equal,
    and the vectors of one of them are used: it cannot raise."""
    zero = difference == 0.0
    bad = equal & (used[..., None, :] | used[..., :, None])
    return jnp.where(bad, jnp.nan, jnp.where(zero, 0.0, 1.0 / jnp.where(zero, 1.0, difference)))
