"""Backends: a derivative that was made for NumPy, written for another library, or for a compiler.

Needs the generated functions as trees, after the passes. Promises trees that mean the same on the other library, or
refusals: what the library lacks, or does in another way, is refused or done by a helper. `jax_text.py` rewrites
statements, `jax_calls.py` expressions, as a column of the rows says (`rules/jax_column.py`), `jax_static.py` says what
a compiled text may depend on, `jax_runtime/` is `rt` there. `numba_text.py` and `numba_integers.py` find what Numba
would do in another way, `outside.py` what compiled code would keep, `numba_runtime/` is `rt` in nopython mode. Only the
runtimes import JAX and Numba, when they are first asked for.
"""
from __future__ import annotations

import importlib
from types import ModuleType

from ..errors import TangentError

BACKENDS = ("numpy", "jax")
COMPILERS = {"jit": "jax", "numba": "numpy"}               # and the backend that each of them is for


def load(library: str) -> ModuleType:
    """The runtime of JAX, or of Numba; TangentError with what to install where the library is missing."""
    try:
        return importlib.import_module(f"{__name__}.{library}_runtime")
    except ImportError as error:
        asked = "compile" if library in COMPILERS else "backend"
        raise TangentError(f"{asked}={library!r} needs a library that cannot be imported here ({error}): "
                           f"pip install 'tangent_nb[{library}]'") from error


__all__ = ["BACKENDS", "COMPILERS", "load"]
