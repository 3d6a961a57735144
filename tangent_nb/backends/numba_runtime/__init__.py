"""`rt` in code that Numba compiles: what the helpers of `runtime/` do with numbers and arrays of floats.

Numba calls each function here with the types of the arguments, in which an array has a rank, and gets what is compiled
for them, or None where there is nothing for such types: then the call is refused. Values are those of the helper of the
same name.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
from numba.core import types

from ... import runtime as rt
from ..at_once import at_once
from . import helpers as helpers
from .base import HELPERS


def compile_for(function: Any, arguments: Sequence[tuple[str, int]]) -> None:
    """Compile a function for arguments, each by the name of the type of a number, or of the items of an array, and its
    rank; RefusedError with the user's line where Numba cannot. Where what is derived is only looked at, that waits."""
    if not at_once():
        return
    made = [getattr(types, name) if rank == 0 else types.Array(getattr(types, name), rank, "C")
            for name, rank in arguments]
    try:
        function.compile(tuple(made))
    except Exception as error:                             # it raises what it finds, also AssertionError and TypeError
        raise rt.not_compiled(function, error) from None


__all__ = ["HELPERS", "compile_for", "numba"]
