"""Transforms along several axes, of which one may be named twice: NumPy transforms along it twice,
and JAX refuses it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp


def fftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """np.fft.fftn."""
    return _over_axes(jnp.fft.fft, x, s, axes, norm)


def ifftn(x: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """np.fft.ifftn."""
    return _over_axes(jnp.fft.ifft, x, s, axes, norm)


def fft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Any:
    """np.fft.fft2."""
    return _over_axes(jnp.fft.fft, x, s, axes, norm)


def ifft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Any:
    """np.fft.ifft2."""
    return _over_axes(jnp.fft.ifft, x, s, axes, norm)


def _over_axes(transform: Callable[..., Any], x: Any, s: Any, axes: Any, norm: str | None) -> Any:
    """One axis after the other, the last first, as NumPy does."""
    axes = (range(-len(s), 0) if s is not None else range(jnp.ndim(x))) if axes is None else axes
    lengths = [jnp.shape(x)[axis] for axis in axes] if s is None else s
    for axis, n in reversed([*zip(axes, lengths)]):
        x = transform(x, n=None if n == -1 else n, axis=axis, norm=norm)
    return x
