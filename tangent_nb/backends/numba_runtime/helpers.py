"""The helpers of `rt` in nopython mode, each under its own name: from types to what is compiled for them."""
from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np
from numba.core import types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload

from ... import runtime as rt
from .base import Implementation, given, helper, is_array, is_index, is_number


# ------------------------------------------------------------------ Python
@overload(builtins.reversed, strict=False)
def _reversed(x: Any) -> Implementation | None:
    if isinstance(x, types.RangeType):
        def of_range(x):  # type: ignore[no-untyped-def]
            count = len(x)
            return range(x.start + (count - 1) * x.step, x.start - x.step, -x.step)
        return of_range
    if isinstance(x, (types.List, types.Array, types.UniTuple)):
        return lambda x: x[::-1]
    return None


# ------------------------------------------------------------------ values of their own
@helper
def copy(x: Any) -> Implementation | None:
    if is_number(x):
        return lambda x: x
    if is_array(x):
        return lambda x: x.copy()
    if isinstance(x, types.List) and is_number(x.dtype):
        return lambda x: x.copy()
    return None


@helper
def pick(x: Any, index: Any) -> Implementation | None:
    if is_array(x) or isinstance(x, types.List):
        return lambda x, index: rt.copy(x[index])
    return None


@helper
def outline(x: Any) -> Implementation | None:
    return (lambda x: x) if is_number(x) or is_array(x) else None


@helper
def zeros_like(x: Any) -> Implementation | None:
    if is_number(x) or isinstance(x, types.Optional) and is_number(x.type):
        return lambda x: 0.0
    if isinstance(x, types.List) and is_number(x.dtype):
        return lambda x: [0.0 for _ in x]
    if isinstance(x, types.NoneType):
        return lambda x: None
    return (lambda x: np.zeros(x.shape)) if is_array(x) else None


@helper
def updated(x: Any, index: Any, v: Any) -> Implementation | None:
    if not is_array(x) or not is_index(index):
        return None

    def implementation(x, index, v):  # type: ignore[no-untyped-def]
        new = x.copy()
        new[index] = v
        return new
    return implementation


# ------------------------------------------------------------------ shapes
@helper
def unbroadcast(g: Any, x: Any) -> Implementation | None:
    if is_number(x):
        return (lambda g, x: float(g)) if is_number(g) else (lambda g, x: np.sum(g)) if is_array(g) else None
    if not is_array(x):
        return None
    if is_number(g):
        return lambda g, x: np.full(x.shape, float(g))
    rank, more = x.ndim, (g.ndim if is_array(g) else -1) - x.ndim
    if more < 0:
        return None

    def implementation(g, x):  # type: ignore[no-untyped-def]
        out = np.zeros(x.shape)
        for index, value in np.ndenumerate(g):
            at = index[more:]
            for axis in range(rank):
                if x.shape[axis] == 1:
                    at = tuple_setitem(at, axis, 0)  # type: ignore[call-arg]
            out[at] += value
        return out
    return implementation


@helper
def broadcast_to_like(g: Any, x: Any) -> Implementation | None:
    if is_number(x):
        return (lambda g, x: float(g)) if is_number(g) else None
    if is_array(x) and is_number(g):
        return lambda g, x: np.full(x.shape, float(g))
    if is_array(x) and is_array(g) and g.ndim <= x.ndim:
        return lambda g, x: np.zeros(x.shape) + g
    return None


@helper
def unreduce(g: Any, x: Any, axis: Any = None, keepdims: Any = False) -> Implementation | None:
    along, kept = given(axis, None), given(keepdims, False)
    if is_number(x):
        return lambda g, x, axis=None, keepdims=False: float(g)
    if not is_array(x):
        return None
    if is_number(g):
        return lambda g, x, axis=None, keepdims=False: np.full(x.shape, float(g))
    if not is_array(g):
        return None
    if kept is True:
        def same(g, x, axis=None, keepdims=False):  # type: ignore[no-untyped-def]
            out = np.empty(x.shape)
            out[:] = g
            return out
        return same
    if not isinstance(along, int) or kept is not False:
        return None
    place, rank = along % x.ndim, x.ndim - 1

    def implementation(g, x, axis=None, keepdims=False):  # type: ignore[no-untyped-def]
        out = np.empty(x.shape)
        for index, _ in np.ndenumerate(out):
            at = index[1:]
            for k in range(rank):
                at = tuple_setitem(at, k, index[k] if k < place else index[k + 1])  # type: ignore[call-arg]
            out[index] = g[at]
        return out
    return implementation


@helper
def unsum(g: Any, x: Any) -> Implementation | None:
    return (lambda g, x: np.full(x.shape, float(g))) if is_array(x) and is_number(g) else None


@helper
def unarray(g: Any, x: Any) -> Implementation | None:
    return (lambda g, x: rt.unbroadcast(g, x)) if is_array(x) or is_number(x) else None


@helper
def reshape_like(g: Any, x: Any, order: Any = "C") -> Implementation | None:
    if is_array(g) and is_array(x) and isinstance(order, (str, types.Omitted)):
        return lambda g, x, order="C": np.ascontiguousarray(g).reshape(x.shape)
    return None


@helper
def count(x: Any, axis: Any = None, ddof: Any = 0, where: Any = True, keepdims: Any = False) -> Implementation | None:
    along = given(axis, None)
    if given(where, True) is not True or along is not None and not isinstance(along, int):
        return None
    if is_number(x):
        def of_one(x, axis=None, ddof=0, where=True, keepdims=False):  # type: ignore[no-untyped-def]
            return 1.0 - ddof if ddof < 1 else math.nan
        return of_one
    if not is_array(x):
        return None

    def implementation(x, axis=None, ddof=0, where=True, keepdims=False):  # type: ignore[no-untyped-def]
        n = x.size if along is None else x.shape[along]
        return float(n - ddof) if n > ddof else math.nan if n else 1.0
    return implementation


# ------------------------------------------------------------------ cells
@helper
def add_at(b: Any, index: Any, g: Any) -> Implementation | None:
    if not is_array(b):
        return None
    if is_index(index):
        def at_once(b, index, g):  # type: ignore[no-untyped-def]
            b[index] = b[index] + g
        return at_once
    if not is_array(index) or index.ndim != 1 or not isinstance(index.dtype, types.Integer):
        return None
    if is_number(g):
        def the_same(b, index, g):  # type: ignore[no-untyped-def]
            for k in range(index.size):
                b[index[k]] = b[index[k]] + g
        return the_same
    if not is_array(g) or g.ndim != b.ndim:
        return None

    def one_by_one(b, index, g):  # type: ignore[no-untyped-def]
        if len(g) != index.size:
            raise ValueError("operands could not be broadcast together")
        for k in range(index.size):
            b[index[k]] = b[index[k]] + g[k]
    return one_by_one


@helper
def add_item(b: Any, index: Any, g: Any) -> Implementation | None:
    if not is_array(b):
        return None

    def implementation(b, index, g):  # type: ignore[no-untyped-def]
        new = b.copy()
        rt.add_at(new, index, g)
        return new
    return implementation


@helper
def index_like(g: Any, x: Any, index: Any) -> Implementation | None:
    if not is_array(x):
        return None

    def implementation(g, x, index):  # type: ignore[no-untyped-def]
        b = np.zeros(x.shape)
        rt.add_at(b, index, g)
        return b
    return implementation


@helper
def written(g: Any, v: Any, index: Any) -> Implementation | None:
    if is_array(g) and is_index(index):
        return lambda g, v, index: rt.copy(rt.unbroadcast(g[index], v))
    return None


# ------------------------------------------------------------------ numbers
@helper
def add_grad(a: Any, b: Any) -> Implementation | None:
    return (lambda a, b: a + b) if all(is_number(x) or is_array(x) for x in (a, b)) else None


@helper
def cut(v: Any, g: Any) -> Implementation | None:
    if is_number(v) and is_number(g):
        return lambda v, g: 0.0 if v != v and g == 0.0 else float(v)
    if is_array(v) and (is_number(g) or is_array(g) and g.ndim == v.ndim):
        return lambda v, g: np.where((v != v) & (g == 0.0), 0.0, v)
    return None


@helper
def mask(g: Any, condition: Any) -> Implementation | None:
    if is_number(condition):
        if is_number(g):
            return lambda g, condition: float(g) if condition else 0.0
        return (lambda g, condition: g.copy() if condition else np.zeros(g.shape)) if is_array(g) else None
    if is_array(condition) and (is_number(g) or is_array(g) and g.ndim == condition.ndim):
        return lambda g, condition: np.where(condition, g, 0.0)
    return None


@helper
def greater(x: Any, y: Any) -> Implementation | None:
    if is_number(x) and is_number(y):
        return lambda x, y: 1.0 if x > y else 0.5 if x == y else 0.0
    if is_array(x) and (is_number(y) or is_array(y)) or is_array(y) and is_number(x):
        return lambda x, y: np.where(x > y, 1.0, np.where(x == y, 0.5, 0.0))
    return None


@helper
def sign(x: Any) -> Implementation | None:
    return (lambda x: np.sign(x)) if is_number(x) or is_array(x) else None


@helper
def ratio(a: Any, b: Any) -> Implementation | None:
    if is_number(b) and is_number(a):
        return lambda a, b: a / b if b != 0.0 else 0.0
    if is_number(b) and is_array(a):
        return lambda a, b: a / b if b != 0.0 else np.zeros(a.shape)
    return None


@helper
def power_dx(g: Any, x: Any, y: Any) -> Implementation | None:
    if not all(map(is_number, (g, x, y))):
        return None
    return lambda g, x, y: 0.0 if y == 0.0 or g == 0.0 else g * (y * np.power(float(x), y - 1.0))


@helper
def power_dy(g: Any, x: Any, y: Any, z: Any) -> Implementation | None:
    if not all(map(is_number, (g, x, y, z))):
        return None
    return lambda g, x, y, z: 0.0 if x == 0.0 or g == 0.0 else g * z * np.log(float(x))


@helper
def integer(n: Any) -> Implementation | None:
    return (lambda n: n) if isinstance(n, types.Integer) or is_number(n) and isinstance(n, types.Boolean) else None


# ------------------------------------------------------------------ guards: what they refuse has no type here
def check_constants(*values: Any) -> Implementation | None:
    return (lambda *values: None) if all(is_number(value) or is_array(value) for value in values) else None


helper(check_constants, "check_matrices")


@helper
def check_places(*values: Any) -> Implementation | None:
    return lambda *values: None


@helper
def check_result(y: Any) -> Implementation | None:
    return (lambda y: None) if isinstance(y, types.Float) or is_array(y) and isinstance(y.dtype, types.Float) else None


# ------------------------------------------------------------------ seeds and arguments
@helper
def differentiable(*values: Any) -> Implementation | None:
    if not all(isinstance(value, types.Float) or is_array(value) for value in values):
        return None
    return (lambda *values: values[0]) if len(values) == 1 else lambda *values: values


@helper
def seed(y: Any) -> Implementation | None:
    return (lambda y: 1.0) if isinstance(y, (types.Float, float)) else None


@helper
def check_seed(seed: Any, y: Any) -> Implementation | None:
    if is_number(seed) and isinstance(y, (types.Float, float)):
        return lambda seed, y: float(seed)
    if not (is_array(seed) and is_array(y) and seed.ndim == y.ndim):
        return None

    def implementation(seed, y):  # type: ignore[no-untyped-def]
        if seed.shape != y.shape:
            raise ValueError("the seed has another shape than the result")
        return seed
    return implementation
