"""What comes in: arrays are put on the device, what JAX would cut to 32 bits is refused,
seeds and tangents are checked."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy

from ...errors import ArgumentError
from ...runtime.checks import check_generator as check_made
from ...runtime.checks import parameter
from ...runtime.containers import described
from ...runtime.structure import rebuild
from .base import helpers

X64 = 'jax.config.update("jax_enable_x64", True)'
CUT = {"f8": "float32", "c16": "complex64", "i8": "int32", "u8": "uint32"}      # what JAX makes of these without x64


def arrays(*values: Any) -> Any:
    """The arguments that no derivative is taken for, NumPy arrays among them copied to the device;
    refused what JAX would cut.

    >>> arrays(3, "same")
    (3, 'same')
    """
    found = tuple(_placed(value, _named(value)) for value in values)
    return found[0] if len(found) == 1 else found


def _named(value: Any) -> str:
    return parameter(value) if isinstance(value, (numpy.ndarray, numpy.inexact)) else ""


def array(x: Any) -> Any:
    """A NumPy array, as it is now, on the device; anything else as it is."""
    return _placed(x, "an array from outside")


def _placed(value: Any, name: str) -> Any:
    if isinstance(value, jax.Array):
        return value
    if isinstance(value, (list, tuple)):
        return rebuild(value, [_placed(item, name) for item in value])
    if isinstance(value, dict):
        return {key: _placed(item, name) for key, item in value.items()}
    if isinstance(value, numpy.integer):
        return int(value)
    if isinstance(value, numpy.bool_):
        return bool(value)
    if isinstance(value, (numpy.ndarray, numpy.inexact)):
        _check_width(value.dtype, name)
        if value.dtype.kind in "iu" and _x64() and value.dtype != numpy.int64:
            raise ArgumentError(f"{name} is an array of {value.dtype}, which JAX turns into other floats than NumPy: "
                                f"pass {'x' if ' ' in name else name}.astype(int)")
        return jnp.array(value)                            # a copy: NumPy's memory may change
    return value


def _check_width(dtype: Any, name: str) -> None:
    cut = CUT.get(numpy.dtype(dtype).str[1:])
    if cut is not None and not _x64():
        smaller = "pass arrays of float32" if dtype.kind == "f" else f"pass arrays of {cut}"
        raise ArgumentError(f"{name} is of {dtype}, and JAX would cut it to {cut}: {X64}, or {smaller}")


def narrowed(value: Any, differentiated: bool) -> Any:
    """An argument as JAX would cut it where it has 32 bits alone; the value itself where nothing is cut."""
    if _x64():
        return value
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        cut = CUT.get(value.dtype.str[1:]) \
            if value.dtype.kind in "fciu" and not isinstance(value, numpy.integer) else None
        return value if cut is None else value.astype(cut)
    if type(value) in (float, int):
        return numpy.float32(value) if differentiated else value
    if isinstance(value, (list, tuple)):
        items = [narrowed(item, differentiated) for item in value]
        return value if all(a is b for a, b in zip(items, value)) else rebuild(value, items)
    if isinstance(value, dict):
        made = {key: narrowed(item, differentiated) for key, item in value.items()}
        return value if all(made[key] is value[key] for key in value) else made
    return value


def _x64() -> bool:
    return bool(jax.dtypes.canonicalize_dtype(numpy.float64) == numpy.float64)


def check_x64() -> None:
    """Refuses a text that names 64 bits where JAX has 32."""
    if not _x64():
        raise ArgumentError(f"the function names a type of 64 bits, and JAX would cut it to 32: {X64}, or name float32")


def _differentiable(value: Any, name: str) -> Any:
    """The argument that a derivative is taken for; `differentiable` asks for each."""
    if isinstance(value, bool) or not isinstance(value, (jax.Array, numpy.ndarray, numpy.floating, float, int)) \
            or hasattr(value, "dtype") and value.dtype.kind != "f":
        raise ArgumentError(f"{name or parameter(value)} is {_what(value)}, which has no derivative: "
                            "pass a float or an array of floats")
    if isinstance(value, (float, int)) and not isinstance(value, numpy.generic):
        if not _x64():
            raise ArgumentError(f"{name or parameter(value)} is a Python float of 64 bits, and JAX would cut it to 32: "
                                f"{X64}, or pass jnp.float32(x)")
        return float(value)
    return _placed(value, name or _named(value))


def differentiable(*values: Any, names: Sequence[str] = ()) -> Any:
    """The arguments that a derivative is taken for, on the device: a Python int becomes a float;
    refused what has no derivative.

    Python floats stay what they are: they divide, and overflow, as Python has it.
    """
    called = names or [""] * len(values)
    found = tuple(_differentiable(value, name) for value, name in zip(values, called, strict=True))
    return found[0] if len(found) == 1 else found


def _what(value: Any) -> str:
    if hasattr(value, "dtype"):
        return f"an array of {value.dtype}"
    return described(value)


def seed(y: Any) -> Any:
    """The seed 1 of a gradient, in the dtype of the result `y`; refused unless `y` is one real floating number."""
    if y.__class__ is float:
        return 1.0
    if isinstance(y, jax.Array) and y.ndim:
        raise ArgumentError(f"the function returned an array of shape {y.shape}; a gradient needs a single number "
                            "(a scalar): use vjp with a seed, or jacobian; or return its sum")
    helpers._check_output(y)
    return jnp.ones((), y.dtype) if hasattr(y, "dtype") else 1.0


def _match(v: Any, y: Any, what: str, of: str) -> Any:
    """A seed or tangent, if it has the structure, shape and kind of what it belongs to;
    `check_seed` and `check_tangent` ask."""
    if v.__class__ is y.__class__ is float:
        return v
    if helpers.kind_of(y) is not None:
        return helpers._match_container(v, y, what, of)
    if not isinstance(y, (float, numpy.inexact)) and not (isinstance(y, jax.Array) and y.dtype.kind in "fc"):
        return 0.0                                # a part of the result that holds no derivative: any seed will do
    if not isinstance(v, (jax.Array, numpy.ndarray, numpy.generic, float, int)) or isinstance(v, bool):
        raise ArgumentError(f"the {what} is {_what(v)}, the {of} is {_what(y)}: pass a {what} of its shape")
    shape, dtype = jnp.shape(v), getattr(y, "dtype", numpy.dtype(float))
    if hasattr(v, "dtype") and v.dtype.kind not in "biuf" and v.dtype.kind != dtype.kind:
        raise ArgumentError(f"the {what} is of {v.dtype}, the {of} of {dtype}: pass a {what} of floats")
    if shape != jnp.shape(y):
        raise ArgumentError(f"the {what} has shape {shape}, the {of} has shape {jnp.shape(y)}: they must be the same")
    if isinstance(y, float):
        return float(v) if isinstance(v, (float, int)) else jnp.asarray(v, dtype)
    return jnp.array(v, dtype)


def is_sparse(value: Any) -> bool:
    """Matrices of SciPy are not multiplied on JAX, where they would be traced."""
    return False


def check_number(x: Any, name: str) -> None:
    """Refuses an array, or a container, under a name whose memory is, or may be,
    changed in place while others hold it."""
    if isinstance(x, (list, tuple, dict, set)) or isinstance(x, jax.Array) and x.ndim:
        kind = "an array" if isinstance(x, jax.Array) else f"a {type(x).__name__}"
        raise ArgumentError(f"{name} is {kind} which another variable, or the caller, holds too, and is changed in "
                            f"place: write {name} = {name} {'|' if isinstance(x, dict) else '+'} ..., "
                            "or take a fresh copy first")


def check_kept(v: Any, x: Any, name: str) -> None:
    """Refuses an array, or what may hold one, beside an array that changes: which memory they are of,
    JAX does not say."""
    if all(isinstance(one, (list, tuple, dict)) or isinstance(one, jax.Array) and one.ndim for one in (v, x)):
        raise ArgumentError(
            f"{name} may be, or hold, a view of what is changed in place, and would change too: copy it first")


def check_generator(g: Any, name: str) -> None:
    """As on NumPy."""
    check_made(g, name)


def check_overlap(x: Any, v: Any, text: str, index: Any = None) -> None:
    """Nothing: what is stored is another array here."""


def check_view(v: Any, name: str, x: Any = None) -> None:
    """Refuses a number, which has no axes here, and what is reshaped: which memory it is of, JAX does not say."""
    if not isinstance(v, jax.Array) or not v.ndim:
        raise ArgumentError(f"{name} is taken for a part of an array that is changed in place, and it is a number: "
                            f"write {name} = {name} + ...")
    if x is not None:
        raise ArgumentError(f"{name} is a reshaped part of an array that changes in place, which may be a copy of it: "
                            f"{name} = x.reshape(...).copy(), or derive it with NumPy")


def copy(x: Any) -> Any:
    """`x`: arrays are never changed here; containers are copied."""
    return array(x) if helpers.kind_of(x) is None else helpers._copied(x, array, ())
