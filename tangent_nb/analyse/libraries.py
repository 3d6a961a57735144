"""Whose a class or a function is: the user's, or that of a library, whose text is not differentiated."""
from __future__ import annotations

import builtins
import sys
import types
from typing import Any

LIBRARIES = ("numpy", "scipy", "jax", "torch", "numba", "sklearn", "pandas", "matplotlib", "tqdm")


def is_user_class(cls: type) -> bool:
    """A class that is not of a library."""
    top = (cls.__module__ or "").partition(".")[0]
    if top == "builtins":
        return vars(builtins).get(cls.__name__) is not cls          # made where no module has a name
    return top == "__main__" or top not in (*LIBRARIES, *sys.stdlib_module_names)


def is_ours(fn: Any) -> bool:
    """A function of this package, such as `grad`."""
    return (getattr(fn, "__module__", None) or "").partition(".")[0] == __package__.partition(".")[0]


def is_library(fn: types.FunctionType) -> bool:
    """A function of the standard library, or of a library that is known not to be text to differentiate."""
    top = (fn.__module__ or "").partition(".")[0]
    return top in LIBRARIES or (top in sys.stdlib_module_names and top != "__main__")
