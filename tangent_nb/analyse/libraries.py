"""Whose a class or a function is: the user's, or that of a library, whose text is not differentiated."""
from __future__ import annotations

import builtins
import types
from typing import Any

from ..runtime.containers import is_of

LIBRARIES = ("numpy", "scipy", "jax", "torch", "numba", "sklearn", "pandas", "matplotlib", "tqdm")


def of_library(module: str | None) -> bool:
    """A module of the standard library, or of a library that is known not to be text to differentiate."""
    return is_of(module, LIBRARIES)


def is_user_class(cls: type) -> bool:
    """A class that is not of a library."""
    if cls.__module__ == "builtins":
        return vars(builtins).get(cls.__name__) is not cls          # made where no module has a name
    return not of_library(cls.__module__)


def is_ours(fn: Any) -> bool:
    """A function of this package, such as `grad`."""
    return (getattr(fn, "__module__", None) or "").partition(".")[0] == __package__.partition(".")[0]


def is_library(fn: types.FunctionType) -> bool:
    """A function of a library."""
    return of_library(fn.__module__)
