"""What rows say about results whose shape is what they are about: reshaped, created, joined, taken apart.

Functions as those of `infer.py`, with the same promise. Where the shape of an argument is known, that of the result is
computed by NumPy itself, on a stand-in without memory.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..syntax import spec as sp
from ..syntax.sizes import Axes, Axis, computed, least, numbers, sliced, total, unsized
from ..syntax.spec import DType, Shape, Spec
from .infer import (
    NO_AXIS,
    UNSURE,
    Args,
    Constants,
    Infer,
    constant,
    cotangent,
    derived,
    dims,
    dtype_given,
    named,
    number,
    strong,
)


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
        label = getattr(shape_of, "__name__", "")
        if known and isinstance(x.shape, tuple):
            name = None if label == "<lambda>" else (label, repr(values))
            shape: Shape = computed(lambda shape: np.shape(shape_of(stand_in(shape), *values)), x.shape, name)
        elif known:
            shape = derived(label, x.shape, *[NO_AXIS if v is None else v for v in values]) \
                if label != "<lambda>" else None
        else:
            shape = None
        return number(shape, strong(x), kind)
    return infer


def stand_in(shape: tuple[int, ...]) -> Any:
    """An array of this shape that takes no memory."""
    return np.broadcast_to(np.zeros((), np.int8), shape)


def created(name: str = "shape", dtype: DType = "f8") -> Infer:
    """An array whose shape is an argument."""
    def infer(args: Args, constants: Constants) -> Spec:
        return Spec("array", _given(name, args, constants), dtype_given(args, constants, dtype))
    return infer


def _given(name: str, args: Args, constants: Constants) -> Shape:
    """The shape that an argument is: numbers, and sizes that are known."""
    given, known = args.get(name, sp.UNKNOWN), dims(constants.get(name))
    items = (given,) if given.kind == "int" else given.items if given.kind in ("tuple", "list") else None
    if known is not None or not items or any(item.value is None for item in items):
        return known
    return tuple(item.value for item in items if item.value is not None)


def filled(args: Args, constants: Constants) -> Spec:
    """np.full: an array of a given shape, in the dtype of a number."""
    fill = args["fill_value"]
    return created("shape", strong(fill) if fill.is_scalar else None)(args, constants)


def square(args: Args, constants: Constants) -> Spec:
    """np.eye, np.identity."""
    columns = args.get("M", sp.NONE)
    made = created("N" if "N" in args else "n")(args, constants)
    if not isinstance(made.shape, tuple) or len(made.shape) != 1 or columns.kind not in ("none", "int"):
        return Spec("array", None, made.dtype)
    rows = made.shape[0]
    others = rows if columns.kind == "none" else columns.value
    return Spec("array", None if others is None else (rows, others), made.dtype)


def converted(args: Args, constants: Constants) -> Spec:
    """np.array, np.asarray of a number or an array."""
    x = args["x"]
    if x.is_number:
        return Spec("array", x.shape, dtype_given(args, constants, strong(x)))
    if x.kind in ("list", "tuple") and x.items and all(item.is_number and item == x.items[0] for item in x.items):
        item = x.items[0]
        shape = (len(x.items), *item.shape) if isinstance(item.shape, tuple) else None
        return Spec("array", shape, dtype_given(args, constants, strong(item)))
    return Spec("array", None, dtype_given(args, constants, None))


def of_list(args: Args, constants: Constants) -> Spec:
    """A list as an array, anything else as it is."""
    x = args["x"]
    return x if x.is_number else converted(args, constants) if x.kind in ("list", "tuple") else Spec()


def grown(args: Args, constants: Constants) -> Spec:
    """np.array, which may have more axes than what it is made of."""
    spec = converted(args, constants)
    return spec if "ndmin" not in args else spec.like(shape=None)


def resized(like: Infer) -> Infer:
    """np.zeros_like, whose result may have a shape and a dtype of its own."""
    def infer(args: Args, constants: Constants) -> Spec:
        spec = like(args, constants)
        spec = spec.like(dtype=dtype_given(args, constants, spec.dtype))
        return spec if "shape" not in args or args["shape"].kind == "none" \
            else spec.like(shape=dims(constants.get("shape")))
    return infer


def spaced(args: Args, constants: Constants) -> Spec:
    """np.linspace: an array, and for `retstep=True` the step too."""
    step = constant("retstep", args, constants, False)
    return sp.UNKNOWN if step is UNSURE else Spec("tuple", items=(Spec("array"), Spec("numeric"))) if step \
        else Spec("array")


def casted(args: Args, constants: Constants) -> Spec:
    """x.astype(dtype)."""
    x = args["x"]
    return Spec("array" if x.rank != 0 else "numeric", x.shape, named(constants.get("dtype")))


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
        known: list[Axes] = [shape for shape in shapes if isinstance(shape, tuple)]
        first, at = known[0], axis % len(known[0])
        rest = [shape[:at] + shape[at + 1:] for shape in known]
        if all(len(shape) == len(first) for shape in known) and all(r == rest[0] for r in rest):
            return spec.like(shape=first[:at] + (total([shape[at] for shape in known]),) + first[at + 1:])
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
    if index is ...:
        return x.like(kind="numeric" if x.is_scalar else x.kind)
    parts = index if isinstance(index, tuple) else (index,)
    basic = all(isinstance(i, (int, slice)) and not isinstance(i, bool) or i is None or i is ... for i in parts)
    if index is None or not basic:                         # True adds an axis
        return Spec("numeric", None, x.dtype)
    if x.shape is None and x.axes is not None and len(parts) <= x.axes and None not in parts and ... not in parts:
        axes = x.axes - sum(isinstance(part, int) for part in parts)
        return Spec("array", None, x.dtype, axes=axes) if axes else Spec("scalar", (), x.dtype)
    if isinstance(x.shape, tuple):
        shape = _part(x.shape, parts)
        return Spec("array" if shape else "scalar", shape, x.dtype)
    return part_of(x, parts)


def _part(shape: Axes, index: tuple[Any, ...]) -> Axes:
    """The shape of `x[index]`; IndexError where x has no such part for certain."""
    if (known := numbers(shape)) is not None:
        return tuple(stand_in(known)[index].shape)
    whole = len(shape) - sum(one is not None and one is not ... for one in index)
    parts = [one for part in (index if ... in index else (*index, ...))
             for one in ([slice(None)] * whole if part is ... else [part])]
    axes, left = [], list(shape)
    for part in parts:
        size = 1 if part is None else left.pop(0)
        if isinstance(part, slice):
            axes.append(_sliced(size, part))
        elif part is None:
            axes.append(1)
    return tuple(axes)


def _sliced(axis: Axis, part: slice) -> Axis:
    if isinstance(axis, int):
        return len(range(*part.indices(axis)))
    lower, upper = (total([axis, one]) if one is not None and one < 0 else one for one in (part.start or 0, part.stop))
    if part.step in (None, 1) and all(one is None or isinstance(one, int) or least(total([one, 1]))
                                      for one in (lower, upper)):
        return sliced(axis, lower, upper)
    known = _length(part)
    if isinstance(known, str):
        return unsized(("slice", axis, known))
    return sliced(axis, known[1], None) if known[0] == "less" else sliced(axis, 0, known[1])       # at whichever end


def part_of(x: Spec, index: tuple[Any, ...]) -> Spec:
    """`x[index]`, where the lengths of x are not known."""
    shape = _part_of(x.shape, index)
    axes = sp.dims(shape)
    return Spec("numeric" if axes is None or x.kind != "array" else "array" if axes else "scalar",
                shape if axes != 0 else (), x.dtype)


def _part_of(shape: Any, index: tuple[Any, ...]) -> Any:
    """The shape of `x[index]`, the same for all parts of x that are as long as each other: `x[1:-1]`,
    `x[2:]` and `x[:-2]`."""
    lengths: list[Any] = [_length(part) for part in index]
    while lengths and lengths[-1] == ("less", 0):                              # `x[1:, :]` is as large as `x[1:]`
        lengths.pop()
    return derived("index", shape, tuple(lengths)) if lengths else shape


def _length(part: Any) -> Any:
    """How long an axis is of which a part is taken: n less some for `1:-1`; an int takes the axis away."""
    if not isinstance(part, slice):
        return "one" if type(part) is int else repr(part)
    lower, upper, step = part.start, part.stop, part.step
    if step not in (None, 1):
        return ("less", 0) if (lower, upper, step) == (None, None, -1) else repr(part)
    lower = 0 if lower is None else lower
    if lower >= 0 and (upper is None or upper < 0):
        return "less", lower - (upper or 0)
    if lower == 0 and upper is not None or lower < 0 and upper is None:
        return "at most", upper if upper is not None else -lower
    return repr(part)
