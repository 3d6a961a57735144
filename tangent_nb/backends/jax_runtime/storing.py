"""What calls that change an array in place need: arrays of JAX pass the checks,
and places that are known by their values only are refused."""
from __future__ import annotations

from typing import Any

import jax

from ...errors import ArgumentError
from .base import refused


def check_target(a: Any, name: str) -> None:
    """Refuses what is no array, where a call changes it as an array."""
    if not isinstance(a, jax.Array):
        raise ArgumentError(f"{name} is changed in place as an array, and is a {type(a).__name__}: "
                            "make it an array, np.array(...)")


def mask_index(a: Any, mask: Any) -> Any:
    """The mask of `np.place`."""
    raise refused("np.place and np.putmask are not written for JAX", "np.where(mask, v, a)")


def flat_index(a: Any, places: Any) -> Any:
    """The index of places that are counted through the whole array."""
    raise refused("np.put is not written for JAX", "a[i] = v")


def selected(x: Any, mask: Any) -> Any:
    """The items of `x` where a mask is true."""
    raise refused("where= together with out= is not written for JAX", "np.where(mask, v, a)")
