"""Backends: a derivative that was made for NumPy, written for another library.

Needs the generated functions as trees, after the passes. Promises trees that mean the same on the other library, or
refusals: what the library lacks, or does in another way, is refused or done by a helper. `jax_text.py` rewrites
statements, `jax_calls.py` expressions, as a column of the rows says (`rules/jax_column.py`), `jax_static.py` says what
a compiled text may depend on, `jax_runtime/` is `rt` there. Only that imports JAX, when it is first asked for.
"""
from __future__ import annotations

import importlib
from types import ModuleType

from ..errors import TangentError

BACKENDS = ("numpy", "jax")


def load(backend: str) -> ModuleType:
    """The runtime of a backend other than NumPy; TangentError with what to install where its library is missing."""
    try:
        return importlib.import_module(f"{__name__}.{backend}_runtime")
    except ImportError as error:
        raise TangentError(f"backend={backend!r} needs a library that cannot be imported here ({error}): "
                           f"pip install 'tangent_nb[{backend}]'") from error


__all__ = ["BACKENDS", "load"]
