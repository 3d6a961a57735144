"""`rt` on JAX: what generated code calls there, under the names of `runtime/`.

The helpers that are the same on any array library are taken over (`rebind.py`). Those written here differ: they change
nothing in place, never ask an array for its value where shapes and dtypes decide, and so run under `jax.jit` too.
Arrays stay on their device. Two helpers fetch one truth value where NumPy would raise: `within` and `power`, for
indices and exponents that are arrays and not traced.
"""
from __future__ import annotations

import types
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special

from . import (
    arguments,
    checkpoints,
    containers,
    decompositions,
    drawn_trips,
    fourier,
    indexing,
    jit,
    kept_samples,
    moving,
    operators,
    slopes,
    storing,
    versions,
)
from .base import helpers

MODULES = (arguments, checkpoints, containers, decompositions, drawn_trips, fourier, slopes, indexing, kept_samples,
           moving, operators, storing, versions, jit)
OWN: dict[str, Any] = {name: value for module in MODULES for name, value in vars(module).items()
                       if isinstance(value, (types.FunctionType, type)) and value.__module__ == module.__name__}
helpers.replace(OWN)


def __getattr__(name: str) -> Any:
    """A helper, by the name that it has in `runtime/`."""
    if name.startswith("__") or name not in helpers.names:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = helpers.names[name]                  # found faster the next time
    return helpers.names[name]


__all__ = ["helpers", "jax", "jnp"]
