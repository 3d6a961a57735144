"""What calls that change an array in place need: arrays of JAX pass the checks, and places that only values tell are refused."""
from __future__ import annotations

from typing import Any

import jax

from ...errors import ArgumentError
from .base import refused


def check_target(a: Any, name: str) -> None:
    """Refuses what is no array, where a call changes it as an array."""
    if not isinstance(a, jax.Array):
        raise ArgumentError(f"{name} is changed in place as an array, and is a {type(a).__name__}: make it an array, np.array(...)")


def mask_index(a: Any, mask: Any) -> Any:
    """The mask of `np.place`."""
    raise refused("np.place, and np.putmask, ask for values that compiled code does not know", "np.where(mask, v, a)")


def flat_index(a: Any, places: Any) -> Any:
    """The index of places that are counted through the whole array."""
    raise refused("np.put asks for values that compiled code does not know", "a[i] = v")


def selected(x: Any, mask: Any) -> Any:
    """The items of `x` where a mask is true."""
    raise refused("where= of a function with out= asks for values that compiled code does not know", "np.where(mask, v, a)")
