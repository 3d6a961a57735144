"""Which names of NumPy mean the same in `jax.numpy`, and what becomes of the others.

A function that stands in no list here is refused. What differs, and how it is handled:

| NumPy | JAX | here |
|---|---|---|
| an index outside raises | the nearest element is read, nothing is written | `rt.within` raises |
| `a[i] = v` with an index twice: the last stays | any of them stays | `rt.updated` |
| `a[i] += v` with an index twice: added once | added each time | `rt.updated` |
| `a += v` keeps the shape and dtype of `a` | a new array | `rt.iadd` and its like |
| float64, int64 arrays | cut to 32 bits without x64 | refused when called: `rt.arrays`, `rt.differentiable`, `rt.check_x64` |
| small integers become float64 | float32 | refused when called: `rt.arrays`; their types are in no list |
| truth values become float64 | float32 | `rt.wide` makes integers of them first |
| `x // 0`, `x % 0` of integers is 0 | -1, x | `rt.floor_divide`, `rt.remainder` |
| integers to negative powers raise | a number | `rt.power` raises |
| `np.take` raises outside | NaN | `rt.take` |
| `np.reciprocal` of integers is an integer | a float | refused when called: `rt.floats` |
| lists are arrays | lists are refused | `jnp.array(...)` around them |
| numbers of Python raise at poles | infinity in compiled code | refused when called: `rt.no_numbers` |
| float32 and int64 make float64 | float32 | JAX's; gradients have the dtype of their argument in both |
| a singular matrix raises | infinity or NaN | JAX's |
"""
from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

SAME = """
    absolute abs add all allclose amax amin any append arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh acos acosh asin asinh
    atan atan2 atanh argmax argmin argsort around array array_equal asarray atleast_1d atleast_2d atleast_3d bool_ broadcast_to cbrt
    ceil clip column_stack complex128 concatenate conj conjugate copy copysign cos cosh count_nonzero cross cumprod cumsum deg2rad
    degrees diag diagonal diff digitize divide dot e einsum empty empty_like equal euler_gamma exp exp2 expand_dims expm1 eye fabs
    finfo flatnonzero flip fliplr flipud float16 float32 float64 float_power floor fmax fmin full full_like greater greater_equal
    heaviside hstack hypot identity imag indices inf inner int64 iscomplexobj isclose isfinite isinf isnan kron less less_equal
    linalg.det linalg.inv linalg.norm linalg.solve linspace log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not
    logical_or logical_xor matmul matrix_transpose max maximum mean min minimum moveaxis multiply nan ndim negative newaxis nonzero
    not_equal ones ones_like outer pad pi positive prod ptp rad2deg radians ravel real reshape rint roll round s_ searchsorted shape
    sign signbit sin sinh size sort sqrt square squeeze stack std subtract sum swapaxes tan tanh tensordot tile trace transpose tri
    tril triu true_divide trunc unique var vdot vstack where zeros zeros_like
""".split()
RENAMED: Mapping[str, str] = {"asanyarray": "asarray", "fix": "trunc", "true_divide": "divide", "around": "round", "conjugate": "conj",
                              "abs": "abs", "float_power": "float_power"}
HELPED: Mapping[str, str] = {"take": "take", "repeat": "repeat", "floor_divide": "floor_divide", "mod": "remainder",
                             "remainder": "remainder", "power": "power"}
FLOATS_ONLY = frozenset(["reciprocal", "fmod"])
WIDENED = frozenset("""mean var std exp exp2 expm1 log log2 log10 log1p sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh
    arcsinh arccosh arctanh degrees radians arctan2 hypot logaddexp logaddexp2 copysign divide rint square cumsum heaviside
    linalg.norm linalg.det linalg.inv linalg.solve kron sum prod dot inner matmul outer""".split())
KEYWORDS: Mapping[str, Mapping[str, str]] = {"clip": {"a_min": "min", "a_max": "max"}}
WIDE = frozenset(["float64", "int64", "complex128"])
INSTEAD: Mapping[str, str] = {"random": "draw the numbers outside, and pass them as an argument", "ascontiguousarray": "np.asarray",
                              "bincount": "a loop, or backend='numpy'"}
# Arguments that are sequences by themselves, or are no arrays: no list in them is made an array.
NO_ARRAYS = frozenset("""shape axis axes axis1 axis2 source destination reps repeats pad_width subscripts dtype order mode k offset n
    num endpoint keepdims ddof ord shift decimals kind""".split())
OF_ARRAYS = frozenset(["arrays"])
NEW = frozenset(["array", "asarray"])                   # they take lists

ATTRIBUTES = frozenset(["T", "shape", "size", "ndim", "dtype", "real", "imag"])
METHODS = frozenset("""all any argmax argmin argsort astype clip conj copy cumprod cumsum diagonal dot flatten item max mean min prod
    ravel reshape round squeeze std sum swapaxes take trace transpose var tolist""".split())


def object_of(name: str) -> Any:
    """What a dotted name means in NumPy."""
    value: Any = np
    for part in name.split("."):
        value = getattr(value, part)
    return value


@cache
def by_identity() -> Mapping[int, str]:
    """The names of NumPy's functions and types, by their `id`; the first name in the lists where there are several."""
    found: dict[int, str] = {}
    for name in [*SAME, *RENAMED, *HELPED, *FLOATS_ONLY]:
        value = object_of(name)
        if callable(value):
            found.setdefault(id(value), name)
    return found


def name_of(value: Any) -> str | None:
    """The name of a function or type of NumPy that is in a list.

    >>> name_of(np.linalg.norm), name_of(np.random.rand), name_of(np.arccos)
    ('linalg.norm', None, 'arccos')
    """
    return by_identity().get(id(value))
