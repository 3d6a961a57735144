"""What rows say about their results: functions from the specs of the arguments to the spec of the result.

Each takes the specs of the bound arguments and the values of those that are constants. An answer holds for certain; where
nothing certain can be said it is UNKNOWN, or a spec with None in it. A symbolic shape that a function derives from others
is a leaf of its own, `("sum", shape, axis, keepdims)`: the same wherever the same is computed.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from ..syntax import spec as sp
from ..syntax.spec import DType, Shape, Spec
from .table import Condition

Args: TypeAlias = Mapping[str, Spec]
Constants: TypeAlias = Mapping[str, Any]
Infer: TypeAlias = Callable[[Args, Constants], Spec]

UNSURE = object()


def constant(name: str, args: Args, constants: Constants, default: Any) -> Any:
    """The value of an argument where it is known, else UNSURE."""
    if name in constants:
        return constants[name]
    if name not in args:
        return default
    return None if args[name].kind == "none" else UNSURE


def dims(value: Any) -> tuple[int, ...] | None:
    """A shape given as an int or a tuple of ints, or None."""
    if isinstance(value, (int, np.integer)):
        return (int(value),)
    if isinstance(value, (tuple, list)) and all(isinstance(n, (int, np.integer)) for n in value):
        return tuple(int(n) for n in value)
    return None


def number(shape: Shape, dtype: DType, kind: str | None = None) -> Spec:
    """A result that is a NumPy scalar where it has no dimensions, else an array."""
    if kind is None:
        kind = "scalar" if shape == () else "array" if isinstance(shape, tuple) else "numeric"
    return Spec(kind, shape, dtype)


def strong(spec: Spec) -> DType:
    """The dtype that NumPy makes of a value: float64 of a Python float."""
    if spec.dtype == "weak":
        return "f8" if spec.kind == "float" else "i8" if spec.kind == "int" else None
    return spec.dtype


def summed(dtype: DType) -> DType:
    """The dtype of a sum: small integers are added up as large ones."""
    if isinstance(dtype, str) and dtype[0] in "bi":
        return "i8"
    return dtype if not isinstance(dtype, str) or dtype[0] in "fc" else None


def averaged(dtype: DType) -> DType:
    """The dtype of a mean."""
    return "f8" if isinstance(dtype, str) and dtype[0] in "biu" else dtype


def derived(operation: str, *parts: Any) -> Shape:
    """A symbolic shape that follows from others; None where one of the parts is not known."""
    if any(part is None or part is UNSURE for part in parts):
        return None
    try:
        return frozenset([(operation, *[_hashable(part) for part in parts])])
    except TypeError:
        return None


def _hashable(part: Any) -> Any:
    part = ("none",) if part is NO_AXIS else tuple(part) if isinstance(part, list) else part
    hash(part)
    return part


NO_AXIS = object()


# --- elementwise

def ufunc(args: Args, constants: Constants) -> Spec:
    """NumPy functions that keep the dtype: a Python number comes back as a NumPy scalar."""
    spec = sp.broadcast(*args.values())
    if spec.kind in ("float", "int"):
        return Spec("scalar", (), "f8" if spec.kind == "float" else "i8")
    if spec.dtype == "weak":
        return spec.like(dtype=None)
    return spec


def floats(args: Args, constants: Constants) -> Spec:
    """NumPy functions that make floats of integers."""
    spec = sp.broadcast(*args.values())
    if spec.kind not in ("float", "int") and spec.dtype == "weak":
        return spec.like(dtype=None)
    return sp.floating(spec)


def operator(args: Args, constants: Constants) -> Spec:
    """`+ - *`: Python numbers stay Python numbers."""
    spec = sp.broadcast(*args.values())
    if spec.kind == "int" and all(arg.kind == "bool" for arg in args.values()):
        return Spec("scalar", ())
    return spec


def clipped(low: str, high: str) -> Infer:
    """np.clip, which makes an array of what is clipped."""
    def infer(args: Args, constants: Constants) -> Spec:
        return ufunc({"x": args["x"].like(dtype=strong(args["x"])),
                      **{n: args[n] for n in (low, high) if n in args and args[n].kind != "none"}}, constants)
    return infer


def ratio(args: Args, constants: Constants) -> Spec:
    """rt.ratio: a Python or NumPy number of two numbers."""
    spec = sp.broadcast(*args.values())
    return Spec("scalar", ()) if spec.kind in ("float", "int") else floats(args, constants)


def true_division(args: Args, constants: Constants) -> Spec:
    """`/`, which makes floats of integers."""
    spec = operator(args, constants)
    return sp.FLOAT if spec.kind in ("float", "int") else sp.floating(spec)


def power(args: Args, constants: Constants) -> Spec:
    """`**`: a negative Python float to a fractional power is complex."""
    x, y = args.values()
    spec = operator(args, constants)
    exponent = constants.get(list(args)[1])
    if spec.kind in ("float", "int"):
        if spec.kind == "float" and (y.kind == "int" or exponent == int(exponent or 0)):
            return sp.FLOAT
        return Spec("scalar", ())
    return spec


def comparison(args: Args, constants: Constants) -> Spec:
    """Booleans of the broadcast shape."""
    spec = sp.broadcast(*args.values())
    return Spec("bool", (), "b1") if spec.kind in ("float", "int", "scalar") else spec.like(dtype="b1")


def mixed(*names: str) -> Infer:
    """A result with the broadcast shape and the promoted dtype of some of the arguments."""
    def infer(args: Args, constants: Constants) -> Spec:
        return ufunc({name: args[name] for name in names if name in args and args[name].kind != "none"}, constants)
    return infer


def where(args: Args, constants: Constants) -> Spec:
    """np.where makes an array, also of three numbers."""
    x, y = args["x"], args["y"]
    shape = sp.broadcast_shapes(args["condition"].shape, sp.broadcast_shapes(x.shape, y.shape))
    dtype = sp.promote(x.dtype, y.dtype)
    if dtype == "weak":
        dtype = "f8" if "float" in (x.kind, y.kind) else None
    if dtype is not None and dtype != "f8" and {x.kind, y.kind} & {"float"} and isinstance(dtype,
                                                                                           str) and dtype[0] in "biu":
        dtype = "f8"
    return Spec("array", shape, dtype)


# --- like an argument

def like(name: str, kind: str | None = None) -> Infer:
    """The shape and dtype of one argument."""
    def infer(args: Args, constants: Constants) -> Spec:
        x = args[name]
        if not x.is_number:
            return Spec(kind) if kind else sp.UNKNOWN
        return x if kind is None else Spec(kind, x.shape, strong(x))
    return infer


def cotangent(name: str) -> Infer:
    """A cotangent of one argument: its shape and dtype; a Python float of a Python number."""
    def infer(args: Args, constants: Constants) -> Spec:
        x = args[name]
        if x.kind in ("float", "int", "bool"):
            return sp.FLOAT if x.kind == "float" else Spec("scalar", ())
        if not x.is_number:
            return sp.UNKNOWN
        if isinstance(x.dtype, str) and x.dtype[0] not in "fc":
            return Spec("numeric")
        return Spec("scalar" if x.kind == "scalar" else "array" if x.rank else "numeric", x.shape, x.dtype)
    return infer


def arrays(args: Args, constants: Constants) -> Spec:
    """Some array."""
    return Spec("array")


def integer(args: Args, constants: Constants) -> Spec:
    """A Python int."""
    return sp.INT


def pyfloat(args: Args, constants: Constants) -> Spec:
    """A Python float."""
    return sp.FLOAT


def anything(args: Args, constants: Constants) -> Spec:
    """Nothing is said."""
    return sp.UNKNOWN


def some(kind: str, dtype: DType = None) -> Infer:
    """A result of one kind."""
    def infer(args: Args, constants: Constants) -> Spec:
        return Spec(kind, () if kind in ("scalar", "bool") else None, dtype)
    return infer


# --- reductions

def reduced(shape: Shape, axis: Any, keepdims: Any) -> Shape:
    """The shape of a reduction."""
    if axis is UNSURE or keepdims is UNSURE:
        return None
    if axis is None and not keepdims:
        return ()
    if isinstance(shape, tuple):
        axes = range(len(shape)) if axis is None else dims(axis)
        if axes is None or any(not -len(shape) <= i < len(shape) for i in axes):
            return None
        gone = {i % len(shape) for i in axes}
        return tuple(1 if i in gone else n for i, n in enumerate(shape) if keepdims or i not in gone)
    return derived("reduce", shape, NO_AXIS if axis is None else dims(axis), bool(keepdims))


def reduction(dtype_of: Callable[[DType], DType] = lambda dtype: dtype) -> Infer:
    """A reduction with `axis` and `keepdims`."""
    def infer(args: Args, constants: Constants) -> Spec:
        x = args["x"]
        if not x.is_number:
            return sp.UNKNOWN
        axis, keepdims = constant("axis", args, constants, None), constant("keepdims", args, constants, False)
        spec = number(reduced(x.shape, axis, keepdims), dtype_of(strong(x)))
        return spec.like(kind="numeric") if keepdims is not False and not spec.rank else spec
    return infer


def cumulative(args: Args, constants: Constants) -> Spec:
    """np.cumsum: flat where no axis is given."""
    x, axis = args["x"], constant("axis", args, constants, None)
    if axis is UNSURE or not x.is_number:
        return Spec("array")
    if axis is None:
        shape: Shape = (math.prod(x.shape),) if isinstance(x.shape, tuple) else derived("ravel", x.shape)
    else:
        shape = x.shape
    return Spec("array", shape, summed(strong(x)))


# --- products

def dot(args: Args, constants: Constants) -> Spec:
    """np.dot."""
    x, y = list(args.values())[:2]
    return _product(x, y, _dot_shape)


def matmul(args: Args, constants: Constants) -> Spec:
    """`@`."""
    x, y = list(args.values())[:2]
    return _product(x, y, _matmul_shape)


def inner(args: Args, constants: Constants) -> Spec:
    """np.inner."""
    x, y = list(args.values())[:2]
    return _product(x, y, lambda a, b: a[:-1] + b[:-1] if a and b else a + b)


def outer(args: Args, constants: Constants) -> Spec:
    """np.outer, which ravels its arguments."""
    x, y = list(args.values())[:2]
    known = isinstance(x.shape, tuple) and isinstance(y.shape, tuple)
    dtype = sp.promote(strong(x), strong(y)) if "weak" not in (x.dtype, y.dtype) else None
    return Spec("array", (math.prod(tuple(x.shape or ())), math.prod(tuple(y.shape or ()))) if known else None, dtype)


def _product(x: Spec, y: Spec, shape_of: Callable[[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]) -> Spec:
    if not x.is_number or not y.is_number:
        return sp.UNKNOWN
    dtype = sp.promote(strong(x), strong(y))
    if isinstance(x.shape, tuple) and isinstance(y.shape, tuple):
        if len(x.shape) and len(y.shape):
            return number(shape_of(x.shape, y.shape), dtype)
        return number(sp.broadcast_shapes(x.shape, y.shape), None)
    return number(None, dtype if "weak" not in (x.dtype, y.dtype) else None)


def _dot_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return a[:-1] + (b[:-2] + b[-1:] if len(b) > 1 else ())


def _matmul_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    batch = np.broadcast_shapes(a[:-2], b[:-2])
    return (*batch, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


# --- shapes

def by_shape(shape_of: Callable[..., Any], *names: str, kind: str | None = "array", **defaults: Any) -> Infer:
    """A result whose shape follows from that of `x` and constants, computed on a stand-in of that shape without memory.

    `shape_of(x, *values)` is the function itself, called on an array that holds one element.
    """
    def infer(args: Args, constants: Constants) -> Spec:
        x = args["x"]
        if not x.is_number:
            return Spec("array") if kind else sp.UNKNOWN
        values = [constant(name, args, constants, defaults.get(name)) for name in names]
        known = not any(value is UNSURE for value in values)
        if known and isinstance(x.shape, tuple):
            stand_in = np.broadcast_to(np.zeros((), np.int8), x.shape)
            shape: Shape = tuple(np.shape(shape_of(stand_in, *values)))
        elif known:
            label = getattr(shape_of, "__name__", "")
            shape = derived(label, x.shape, *[NO_AXIS if v is None else v for v in values]) if label != "<lambda>" else None
        else:
            shape = None
        return number(shape, strong(x), kind)
    return infer


def created(name: str = "shape", dtype: DType = "f8") -> Infer:
    """An array whose shape is an argument."""
    def infer(args: Args, constants: Constants) -> Spec:
        shape = dims(constants.get(name))
        given = args.get("dtype")
        return Spec("array", shape, dtype if given is None or given.kind == "none" else _named(constants.get("dtype")))
    return infer


def filled(args: Args, constants: Constants) -> Spec:
    """np.full: an array of a given shape, in the dtype of a number."""
    fill = args["fill_value"]
    return created()(args, constants).like(dtype=strong(fill) if fill.is_scalar else None)


def _named(value: Any) -> DType:
    try:
        return np.dtype(value).str[1:] if value is not None else None
    except TypeError:
        return None


def converted(args: Args, constants: Constants) -> Spec:
    """np.array, np.asarray of a number or an array."""
    x, given = args["x"], args.get("dtype")
    plain = given is None or given.kind == "none"
    dtype = strong(x) if plain else _named(constants.get("dtype"))
    if x.is_number:
        return Spec("array", x.shape, dtype)
    if x.kind in ("list", "tuple") and x.items and all(item.is_number and item == x.items[0] for item in x.items):
        item = x.items[0]
        shape = (len(x.items), *item.shape) if isinstance(item.shape, tuple) else None
        return Spec("array", shape, strong(item) if plain else dtype)
    return Spec("array", None, None if plain else dtype)


def casted(args: Args, constants: Constants) -> Spec:
    """x.astype(dtype)."""
    x = args["x"]
    return Spec("array" if x.rank != 0 else "numeric", x.shape, _named(constants.get("dtype")))


def joined(args: Args, constants: Constants) -> Spec:
    """np.stack, np.concatenate of arrays that are known."""
    items = args["arrays"].items
    dtype: DType = None
    if items and all(item.is_number for item in items):
        dtype = strong(items[0])
        for item in items[1:]:
            dtype = sp.promote(dtype, strong(item))
    return Spec("array", None, dtype)


def stacked(args: Args, constants: Constants) -> Spec:
    """np.stack."""
    spec, axis = joined(args, constants), constant("axis", args, constants, 0)
    items = args["arrays"].items
    if items and isinstance(axis, int) and all(isinstance(item.shape,
                                                          tuple) and item.shape == items[0].shape for item in items):
        inner_shape = list(items[0].shape or ())
        inner_shape.insert(axis % (len(inner_shape) + 1), len(items))
        return spec.like(shape=tuple(inner_shape))
    return spec


def concatenated(args: Args, constants: Constants) -> Spec:
    """np.concatenate."""
    spec, axis = joined(args, constants), constant("axis", args, constants, 0)
    shapes = [item.shape for item in args["arrays"].items or ()]
    if shapes and isinstance(axis, int) and all(isinstance(shape, tuple) and shape for shape in shapes):
        known: list[tuple[int, ...]] = [shape for shape in shapes if isinstance(shape, tuple)]
        first, at = known[0], axis % len(known[0])
        rest = [shape[:at] + shape[at + 1:] for shape in known]
        if all(len(shape) == len(first) for shape in known) and all(r == rest[0] for r in rest):
            return spec.like(shape=first[:at] + (sum(shape[at] for shape in known),) + first[at + 1:])
    return spec


def items_like(name: str) -> Infer:
    """A container of cotangents like the container in an argument."""
    def infer(args: Args, constants: Constants) -> Spec:
        x = args[name]
        if x.kind in ("list", "tuple") and x.items is not None:
            return Spec(x.kind, items=tuple(cotangent("x")({"x": item}, {}) for item in x.items))
        return cotangent(name)(args, constants)
    return infer


def subscript(args: Args, constants: Constants) -> Spec:
    """`x[index]`, for constant basic indices."""
    x, index = args["x"], constants.get("index")
    if x.kind in ("list", "tuple"):
        if x.items is not None and isinstance(index, int) and -len(x.items) <= index < len(x.items):
            return x.items[index]
        return sp.UNKNOWN
    if x.kind not in ("array", "numeric"):
        return sp.UNKNOWN
    basic = isinstance(index, (int, slice)) or (
        isinstance(index, tuple) and all(isinstance(i, (int, slice)) or i is None or i is ... for i in index))
    if index is None or not basic:
        return Spec("numeric", None, x.dtype)
    if isinstance(x.shape, tuple):
        stand_in = np.broadcast_to(np.zeros((), np.int8), x.shape)[index]
        return Spec("array" if isinstance(stand_in, np.ndarray) else "scalar", np.shape(stand_in), x.dtype)
    return Spec("numeric", derived("index", x.shape, repr(index)), x.dtype)


# --- conditions under which a shorter text holds

def ranks(**wanted: int) -> Condition:
    """The arguments are arrays of these ranks, all of one dtype with the result (named `z` or `y`)."""
    def holds(s: Mapping[str, Spec]) -> bool:
        dtypes = {_double(s[name].dtype) for name in wanted}
        return all(s[name].kind == "array" and s[name].rank == n for name, n in wanted.items()) and len(dtypes) == 1 \
            and None not in dtypes
    return holds


def _double(dtype: DType) -> DType:
    return "f8" if dtype == "weak" else dtype


def whole(name: str = "x") -> Condition:
    """A reduction of all of a proper array, not empty, to one number."""
    def holds(s: Mapping[str, Spec]) -> bool:
        x = s[name]
        axis = s.get("axis")
        return x.kind == "array" and bool(x.rank) and 0 not in tuple(x.shape or ()) and (axis is None or axis.kind == "none")
    return holds


def is_none(name: str) -> Condition:
    """The argument is None, or left out."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return name not in s or s[name].kind == "none"
    return holds


def is_int(name: str) -> Condition:
    """The argument is a Python int."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return name in s and s[name].kind == "int"
    return holds


def is_array(*names: str) -> Condition:
    """The arguments are ndarrays with dimensions."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return all(s[name].kind == "array" and bool(s[name].rank) for name in names)
    return holds


def is_real(*names: str) -> Condition:
    """The arguments are real for certain."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return all(s[name].is_real for name in names)
    return holds


def both(*conditions: Condition) -> Condition:
    """All of them."""
    return lambda s: all(condition(s) for condition in conditions)


def fits(*pairs: tuple[str, str]) -> Condition:
    """Each first has the shape and dtype of each second."""
    return lambda s: all(sp.fits(s[a], s[b]) for a, b in pairs)
