"""What rows say about their results: functions from the specs of the arguments to the spec of the result.

Each takes the specs of the bound arguments and the values of those that are constants. An answer holds for certain;
where nothing certain can be said it is UNKNOWN, or a spec with None in it. A symbolic shape that a function derives
from others is a leaf of its own, `("sum", shape, axis, keepdims)`: the same wherever the same is computed.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from ..syntax import spec as sp
from ..syntax.sizes import Axes, Axis, broadcast_sizes, meet, product
from ..syntax.spec import DType, Shape, Spec

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
    if spec.dtype == "b1" and (spec.kind != "array" or any(arg.dtype == "weak" for arg in args.values())):
        return spec.like(dtype=None)                       # Python's bools make an int, and so do bools and an int
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
        return Spec("scalar" if x.kind == "scalar" else "array" if x.dims else "numeric", x.shape, x.dtype, axes=x.axes)
    return infer


def some(kind: str, dtype: DType = None) -> Infer:
    """A result of one kind."""
    def infer(args: Args, constants: Constants) -> Spec:
        return Spec(kind, () if kind in ("scalar", "bool") else None, dtype)
    return infer


def integer(args: Args, constants: Constants) -> Spec:
    """A Python int."""
    return sp.INT


def shape(args: Args, constants: Constants) -> Spec:
    """The sizes of an array whose rank is known."""
    x = args.get("x", sp.UNKNOWN)
    if not x.is_number or not isinstance(x.shape, tuple):
        return sp.UNKNOWN
    return Spec("tuple", items=tuple(sp.INT.like(value=one) for one in x.shape))


def length(args: Args, constants: Constants) -> Spec:
    """`len(x)`: the first size of an array."""
    x = args.get("x", sp.UNKNOWN)
    return sp.INT.like(value=x.shape[0]) if x.is_number and isinstance(x.shape, tuple) and x.shape else sp.INT


def cells(args: Args, constants: Constants) -> Spec:
    """`x.size`."""
    x = args.get("x", sp.UNKNOWN)
    return sp.INT.like(value=product(x.shape)) if x.is_number and isinstance(x.shape, tuple) else sp.INT


def pyfloat(args: Args, constants: Constants) -> Spec:
    """A Python float."""
    return sp.FLOAT


def one_of(args: Args, constants: Constants) -> Spec:
    """One of several numbers, as `max(x, y)`: a Python float where all are."""
    return sp.FLOAT if all(x.kind == "float" for x in args.values()) else sp.UNKNOWN


def absolute(args: Args, constants: Constants) -> Spec:
    """`abs(x)` of a Python float, and of an array of real numbers."""
    x = args.get("x", sp.UNKNOWN)
    real = x.kind == "array" and isinstance(x.dtype, str) and x.dtype[0] == "f" and isinstance(x.shape, tuple)
    return sp.FLOAT if x.kind == "float" else number(x.shape, x.dtype) if real else sp.UNKNOWN


def anything(args: Args, constants: Constants) -> Spec:
    """Nothing is said."""
    return sp.UNKNOWN


arrays = some("array")


# --- reductions

def named(value: Any) -> DType:
    """The dtype that an argument names."""
    try:
        return np.dtype(value).str[1:] if value is not None else None
    except TypeError:
        return None


def dtype_given(args: Args, constants: Constants, otherwise: DType) -> DType:
    """The dtype that the result is asked to have, if it is."""
    if "dtype" not in args or args["dtype"].kind == "none":
        return otherwise
    return named(constants.get("dtype"))


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


def reduction(dtype_of: Callable[[DType], DType] = lambda dtype: dtype, default: int | None = None) -> Infer:
    """A reduction with `axis`, which has a default, and `keepdims`."""
    def infer(args: Args, constants: Constants) -> Spec:
        x = args["x"]
        if not x.is_number:
            return sp.UNKNOWN
        axis, keepdims = constant("axis", args, constants, default), constant("keepdims", args, constants, False)
        spec = number(reduced(x.shape, axis, keepdims), dtype_given(args, constants, dtype_of(strong(x))))
        return spec.like(kind="numeric") if keepdims is not False and not spec.rank else spec
    return infer


def cumulative(args: Args, constants: Constants) -> Spec:
    """np.cumsum: flat where no axis is given."""
    x, axis = args["x"], constant("axis", args, constants, None)
    if axis is UNSURE or not x.is_number:
        return Spec("array")
    if axis is None:
        shape: Shape = (product(x.shape),) if isinstance(x.shape, tuple) else derived("ravel", x.shape)
    else:
        shape = x.shape
    return Spec("array", shape, dtype_given(args, constants, summed(strong(x))))


# --- products

def outer(args: Args, constants: Constants) -> Spec:
    """np.outer, which ravels its arguments."""
    x, y = list(args.values())[:2]
    known = isinstance(x.shape, tuple) and isinstance(y.shape, tuple)
    dtype = sp.promote(strong(x), strong(y)) if "weak" not in (x.dtype, y.dtype) else None
    if known:
        return Spec("array", (product(tuple(x.shape or ())), product(tuple(y.shape or ()))), dtype)
    return Spec("array", derived("outer", x.shape, y.shape), dtype)


def _product(shape_of: Callable[[Axes, Axes], Axes]) -> Infer:
    """A product of two arrays, whose shape follows from theirs where both have dimensions."""
    def infer(args: Args, constants: Constants) -> Spec:
        x, y = list(args.values())[:2]
        if not x.is_number or not y.is_number:
            return sp.UNKNOWN
        dtype = sp.promote(strong(x), strong(y))
        if isinstance(x.shape, tuple) and isinstance(y.shape, tuple):
            if len(x.shape) and len(y.shape):
                return number(shape_of(x.shape, y.shape), dtype)
            return number(sp.broadcast_shapes(x.shape, y.shape), None)
        return number(() if x.dims == y.dims == 1 else None, dtype if "weak" not in (x.dtype, y.dtype) else None)
    return infer


def _dot_shape(a: Axes, b: Axes) -> Axes:
    meet(a[-1], b[max(len(b) - 2, 0)])
    return a[:-1] + (b[:-2] + b[-1:] if len(b) > 1 else ())


def _matmul_shape(a: Axes, b: Axes) -> Axes:
    meet(a[-1], b[max(len(b) - 2, 0)])
    batch = broadcast_sizes(a[:-2], b[:-2])
    return (*batch, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def _inner_shape(a: Axes, b: Axes) -> Axes:
    meet(a[-1], b[-1])
    return a[:-1] + b[:-1]


def of_square(args: Args, constants: Constants) -> Spec:
    """A number of a square matrix: np.linalg.det."""
    shape, dtype = _array(args.get("x"))
    if shape is None or len(shape) < 2:
        return anything(args, constants)
    meet(shape[-2], shape[-1])
    return number(shape[:-2], averaged(dtype))


def solved(args: Args, constants: Constants) -> Spec:
    """np.linalg.solve of a matrix, for a vector or several."""
    (a, of_a), (b, of_b) = _array(args.get("a")), _array(args.get("b"))
    if a is None or b is None or len(a) != 2 or len(b) not in (1, 2):
        return anything(args, constants)
    meet(a[0], a[1])
    meet(a[1], b[0])
    return Spec("array", b, sp.promote(averaged(of_a), averaged(of_b)))


def _array(x: Spec | None) -> tuple[Axes | None, DType]:
    """The shape and dtype of an array, where its shape is known."""
    return (x.shape, x.dtype) if x is not None and x.kind == "array" and isinstance(x.shape, tuple) else (None, None)


dot, matmul, inner = _product(_dot_shape), _product(_matmul_shape), _product(_inner_shape)


def einsum(args: Args, constants: Constants) -> Spec:
    """np.einsum of arrays of known rank: each letter is a size."""
    subscripts = constants.get("subscripts")
    operands = [args[name] for name in args if name not in ("subscripts", "optimize")]
    if not isinstance(subscripts, str) or "->" not in subscripts or "." in subscripts:
        return sp.UNKNOWN
    given, result = subscripts.replace(" ", "").split("->")
    sizes: dict[str, Axis] = {}
    dtype: DType = None
    for letters, x in zip(given.split(","), operands, strict=True):
        if not isinstance(x.shape, tuple) or len(letters) != len(x.shape) or not x.is_number:
            return sp.UNKNOWN
        dtype = strong(x) if x is operands[0] else sp.promote(dtype, strong(x))
        for letter, one in zip(letters, x.shape, strict=True):
            sizes[letter] = broadcast_sizes((sizes.get(letter, 1),), (one,))[0]
    return number(tuple(sizes[letter] for letter in result), dtype)
