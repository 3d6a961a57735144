"""What a compiler, or `tnb.checkpoint`, has put in the place of a Python function."""
from __future__ import annotations

import sys
import types
from typing import Any


def uncompiled(value: Any) -> Any:
    """The function that `tnb.checkpoint` has wrapped, the Python function that Numba compiles, and the `range` that its
    `prange` is in Python; else the value itself.

    >>> uncompiled(len)
    <built-in function len>
    """
    kind = type(value)
    if kind is types.FunctionType:
        return value.__dict__.get("__checkpointed__", value)
    if kind is types.ModuleType or "numba" not in sys.modules:
        return value
    if kind is type:
        return range if value.__name__ == "prange" and str(value.__module__).startswith("numba.") else value
    return value.py_func if kind.__name__ == "CPUDispatcher" and str(kind.__module__).startswith("numba.") else value
