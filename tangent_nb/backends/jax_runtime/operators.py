"""Operators that differ: updates of names, divisions and powers of integers, and truth values where floats are due."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy

from ...errors import ArgumentError
from .base import refused


def _in_place(operation: Callable[[Any, Any], Any], sign: str) -> Callable[[Any, Any], Any]:
    def changed(x: Any, v: Any) -> Any:
        """`x` after an operator such as `x += v`: an array keeps its shape and dtype, or NumPy's error is raised."""
        if not isinstance(x, jax.Array) or x.ndim == 0:
            return operation(x, v)
        new = operation(x, v)
        if new.shape != x.shape:
            raise ValueError(f"non-broadcastable output operand with shape {x.shape} doesn't match the "
                             f"broadcast shape {new.shape}")
        if new.dtype != x.dtype and not numpy.can_cast(new.dtype, x.dtype, "same_kind"):
            raise TypeError(f"{sign} cannot put {new.dtype} into an array of {x.dtype}")
        return new.astype(x.dtype)
    return changed


iadd = _in_place(operator.add, "+=")
isub = _in_place(operator.sub, "-=")
imul = _in_place(operator.mul, "*=")
itruediv = _in_place(operator.truediv, "/=")
imatmul = _in_place(operator.matmul, "@=")


def floor_divide(x: Any, y: Any) -> Any:
    """`x // y`: for arrays of integers 0 where y is 0, as in NumPy; numbers of Python divide as Python has it."""
    return _divided(operator.floordiv, x, y)


def remainder(x: Any, y: Any) -> Any:
    """`x % y`, as `floor_divide`."""
    return _divided(operator.mod, x, y)


def _divided(operation: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    if isinstance(x, (str, bytes)) or not (isinstance(x, jax.Array) or isinstance(y, jax.Array)) \
            or jnp.result_type(x, y).kind not in "biu":
        return operation(x, y)
    x, y = wide(x), wide(y)
    zero = jnp.equal(y, 0)
    return jnp.where(zero, 0, operation(x, jnp.where(zero, 1, y)))


def power(x: Any, y: Any) -> Any:
    """`x ** y`; NumPy's error for integers with negative exponents."""
    if (isinstance(x, jax.Array) or isinstance(y, jax.Array)) and jnp.result_type(x, y).kind in "biu":
        if isinstance(y, jax.core.Tracer):
            raise refused("integers are raised to powers that depend on data, and compiled code cannot "
                          "raise for negative ones", "float(...) or .astype(float) around the base, or compile=None")
        if bool(jax.device_get(jnp.any(jnp.asarray(y) < 0))):
            raise ValueError("Integers to negative integer powers are not allowed.")
        return wide(x) ** y
    return x ** y


ipow, ifloordiv, imod = _in_place(power, "**="), _in_place(floor_divide, "//="), _in_place(remainder, "%=")


def wide(x: Any) -> Any:
    """Truth values as integers: JAX turns them into floats of 32 bits, NumPy into floats of 64."""
    return x.astype(int) if hasattr(x, "dtype") and x.dtype.kind == "b" else x


def floats(x: Any) -> Any:
    """`x`, if it is floating: NumPy has another result for integers here."""
    if isinstance(x, int) or hasattr(x, "dtype") and x.dtype.kind in "biu":
        raise ArgumentError("NumPy's function gives integers for integers here, JAX's gives floats: "
                            "pass x.astype(float)")
    return x
