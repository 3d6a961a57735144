"""What is known of a value before it is computed: its kind, shape and dtype.

A `Spec` is a point of a lattice. `UNKNOWN` is its top; `join` goes up. A shape is one of

* a tuple of ints, and of `Size`s, which stand for numbers that are not known: known axis by axis;
* a frozenset of leaves (`"x"`, or a concrete tuple): the broadcast of the leaves' shapes, which are
  themselves not known but the same wherever the leaf is written;
* `None`: nothing is known, not even equality with itself.

dtypes have the same three forms: a NumPy character code such as `"f8"`, a frozenset of leaves
whose promotion it is, or `None`. `"weak"` is a Python number, which takes the other operand's dtype
(NEP 50). A symbol for a dtype of integers stands for `"f8"` too, which computing makes of it: of what
carries a derivative no dtype is one of integers.

    >>> import numpy as np
    >>> x = Spec.symbol("x")
    >>> broadcast(x, FLOAT) == x            # x * 2.0 has the shape and dtype of x
    True
    >>> broadcast(x, Spec.symbol("w")).shape == x.shape
    False
    >>> Spec.of(np.ones((2, 3))).shape
    (2, 3)
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from .sizes import NOTING, Axes, Axis, broadcast_sizes, is_axes, join_as_one, size

Shape: TypeAlias = "Axes | frozenset[Any] | None"
DType: TypeAlias = "str | frozenset[Any] | None"

FLOATING = ("f2", "f4", "f8", "weak")
NARROW = ("f2", "f4", "c8")


@dataclass(frozen=True)
class Spec:
    """A fact about one value.

    kind: `"float" "int" "bool"` (Python's own), `"scalar"` (an immutable Python or NumPy number), `"array"` (an ndarray
    for certain), `"numeric"` (float, NumPy scalar or ndarray),
    `"tuple" "list" "str" "none" "ellipsis" "function" "module"`, `"range"` (or the list of its numbers that a loop goes
    over), `"items"` (an array, or a container of numbers and arrays), `"versions"` (an array, or a PersistentArray),
    `"other"` (anything else that holds no derivative), `"unknown"`.
    items: of a tuple or list whose length is known, the specs of its elements; of versions, the spec of a row; value:
    of an int, the size of something that it is; axes: of an array whose lengths are not known, how many it has.
    """

    kind: str = "unknown"
    shape: Shape = None
    dtype: DType = None
    items: tuple[Spec, ...] | None = None
    value: Axis | None = None
    axes: int | None = None

    @staticmethod
    def symbol(name: str, *, floating: bool = True) -> Spec:
        """A number or array of which only the identity of shape and dtype is known;
        floating: and that it is a real floating one."""
        return Spec("numeric", frozenset([name]), frozenset([name if floating else ("dtype of", name)]))

    @property
    def is_real(self) -> bool:
        """Real for certain: of a real dtype, or of that of a parameter that is differentiated."""
        if isinstance(self.dtype, str):
            return self.dtype[0] != "c"
        return bool(self.dtype) and all(isinstance(one, str) for one in self.dtype or ())

    @staticmethod
    def of(value: object) -> Spec:
        """The spec of a value at hand."""
        if value is None or value is ...:
            return NONE if value is None else Spec("ellipsis")
        if isinstance(value, (bool, np.bool_)):
            return Spec("bool", (), "b1")
        if isinstance(value, np.ndarray):
            return Spec("array", value.shape, value.dtype.str[1:])
        if isinstance(value, np.generic):
            return Spec("scalar", (), value.dtype.str[1:])
        if isinstance(value, float):
            return FLOAT
        if isinstance(value, int):
            return INT
        if isinstance(value, str):
            return STR
        if isinstance(value, range):
            return Spec("range")
        if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
            return Spec(type(value).__name__, items=tuple(Spec.of(item) for item in value))
        return Spec("unknown")

    def sized(self, name: str) -> Spec:
        """The same of an argument whose sizes may be others: all but 0 and 1 stand for any that are larger.

        >>> Spec.of(np.ones((4, 1))).sized("x").shape
        (x.shape[0], 1)
        """
        if self.kind != "array" or not isinstance(self.shape, tuple):
            return self
        axes = [size(f"{name}.shape[{i}]", n) if isinstance(n, int) and n > 1 else n for i, n in enumerate(self.shape)]
        return self.like(shape=tuple(axes))

    def without_values(self) -> Spec:
        """The same, of ints that may be others."""
        if self.items is None:
            return self if self.value is None else self.like(value=None)
        return self.like(items=tuple(one.without_values() for one in self.items))

    def with_sizes(self, of: Callable[[Axis], Axis]) -> Spec:
        """The same with other sizes."""
        return self.like(shape=tuple(map(of, self.shape))) if isinstance(self.shape, tuple) else self

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None."""
        return len(self.shape) if isinstance(self.shape, tuple) else None

    @property
    def dims(self) -> int | None:
        """The number of dimensions, also where their lengths are not known: 2 of `np.outer(x, y)`; or None."""
        return self.axes if self.shape is None else dims(self.shape)

    @property
    def is_made(self) -> bool:
        """An array of floating numbers, of which shape and dtype are known."""
        return self.kind == "array" and isinstance(self.shape, tuple) and isinstance(self.dtype, str) \
            and self.dtype[0] in "fc"

    @property
    def is_narrow(self) -> bool:
        """Of fewer than 64 bits for certain: what meets it is as narrow, where that is no array of doubles."""
        return isinstance(self.dtype, str) and self.dtype in NARROW

    @property
    def is_scalar(self) -> bool:
        """A single number for certain (a 0-d ndarray is not: it can be written to)."""
        return self.kind in ("float", "int", "bool", "scalar")

    @property
    def is_number(self) -> bool:
        """A number or an array for certain."""
        return self.is_scalar or self.kind in ("array", "numeric")

    @property
    def is_immutable(self) -> bool:
        return self.is_scalar or self.kind in ("str", "none", "ellipsis", "range", "function", "module")

    def like(self, **changes: Any) -> Spec:
        """The same but for some fields; with another shape nothing else is known of its axes."""
        return Spec(**{**self.__dict__, **({"axes": None} if "shape" in changes else {}), **changes})


UNKNOWN = Spec()
FLOAT = Spec("float", (), "weak")
INT = Spec("int", (), "weak")
BOOL = Spec("bool", (), "b1")
STR = Spec("str")
NONE = Spec("none")


def join(a: Spec, b: Spec) -> Spec:
    """The least spec that holds for both."""
    if a == b:
        return a
    if a.kind == b.kind and a.kind in ("tuple", "list"):
        if a.items is not None and b.items is not None and len(a.items) == len(b.items):
            return Spec(a.kind, items=tuple(map(join, a.items, b.items)))
        return Spec(a.kind)
    if a.is_number and b.is_number:
        if NOTING and isinstance(a.shape, tuple) and isinstance(b.shape, tuple):
            join_as_one(a.shape, b.shape)
        kind = a.kind if a.kind == b.kind else "scalar" if a.is_scalar and b.is_scalar else "numeric"
        dtype = _join_dtype(a.dtype, b.dtype)
        if a.shape is not None and a.shape == b.shape:
            return Spec(kind, a.shape, dtype)
        return Spec(kind, None, dtype, axes=a.dims if kind == "array" and a.dims == b.dims else None)
    if "versions" in (a.kind, b.kind) and {a.kind, b.kind} <= {"versions", "array", "numeric"}:
        return versions(a, b)
    return UNKNOWN


def versions(*specs: Spec) -> Spec:
    """An array that may be persistent, of which each spec holds: the shape of a row stays when rows are put in and
    taken out."""
    rows = [spec.items[0] if spec.kind == "versions" and spec.items else Spec("numeric", spec.shape[1:], spec.dtype)
            if spec.kind == "array" and isinstance(spec.shape, tuple) and spec.shape else Spec("numeric")
            for spec in specs]
    row = rows[0]
    for other in rows[1:]:
        row = join(row, other)
    return Spec("versions", None, row.dtype, (row,))


def _join_dtype(a: DType, b: DType) -> DType:
    if a == b:
        return a
    return "f8" if {a, b} == {"weak", "f8"} else None


def broadcast(*specs: Spec) -> Spec:
    """The spec of an elementwise operation's result (before a change of dtype to floating)."""
    return _broadcast.__wrapped__(*specs) if NOTING else _broadcast(*specs)


@lru_cache(maxsize=4096)
def _broadcast(*specs: Spec) -> Spec:
    shape: Shape = ()
    dtype: DType = "weak"
    for spec in specs:
        shape = broadcast_shapes(shape, spec.shape)
        dtype = promote(dtype, spec.dtype)
    if isinstance(dtype, str) and dtype[0] in "biu" and any(spec.kind == "float" for spec in specs):
        dtype = "f8"                             # integers times a Python float
    if any(spec.kind == "array" and (spec.dims or 0) > 0 for spec in specs):
        kind = "array"
    elif all(spec.is_scalar or (spec.is_number and spec.rank == 0) for spec in specs):
        kind = "scalar"                          # also of 0-d arrays
        if all(spec.kind in ("float", "int", "bool") for spec in specs):
            kind = "float" if any(spec.kind == "float" for spec in specs) else "int"
            dtype = "weak"
    elif all(spec.is_number for spec in specs):
        kind = "numeric"
    else:
        return UNKNOWN
    axes = [spec.dims for spec in specs] if shape is None and kind == "array" else [None]
    return Spec(kind, shape, dtype, axes=None if None in axes else max(one for one in axes if one is not None))


def broadcast_shapes(a: Shape, b: Shape) -> Shape:
    """The shape of the broadcast of two."""
    if a is None or b is None:
        return None
    if isinstance(a, tuple) and isinstance(b, tuple):
        try:
            return broadcast_sizes(a, b)
        except ValueError:
            return None
    leaves = {leaf for side in (a, b) for leaf in ([side] if isinstance(side, tuple) else side)} - {()}
    known = [leaf for leaf in leaves if is_axes(leaf)]
    if len(known) > 1:
        try:
            leaves = (leaves - set(known)) | {functools.reduce(broadcast_sizes, known)}
        except ValueError:
            return None
    return frozenset(leaves)


def promote(a: DType, b: DType) -> DType:
    """The dtype of an operation on two, as NumPy 2 promotes (NEP 50)."""
    if a is None or b is None:
        return None
    if a == "weak" or a == b:
        return b
    if b == "weak":
        return a
    if isinstance(a, str) and isinstance(b, str):
        return np.promote_types(a, b).str[1:]
    leaves = {leaf for side in (a, b) for leaf in ([side] if isinstance(side, str) else side)}
    known = {leaf
             for leaf in leaves if leaf in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")}
    if len(known) > 1:
        leaves = (leaves - known) | {np.result_type(*sorted(known)).str[1:]}
    return frozenset(leaves)


def floating(spec: Spec) -> Spec:
    """The result of a function such as np.sin, which turns integers to floats."""
    dtype = spec.dtype
    if spec.kind in ("float", "int", "bool"):
        return Spec("scalar", (), "f8")
    if isinstance(dtype, str) and dtype not in ("f2", "f4", "f8", "f16", "c8", "c16"):
        dtype = "f8" if dtype in ("i4", "i8", "u4", "u8", "weak") else None
    return spec.like(dtype=dtype)


def dims(shape: Any) -> int | None:
    """The number of dimensions of a shape, as far as its leaves say it."""
    if is_axes(shape):
        return len(shape)
    if isinstance(shape, frozenset):
        found = [dims(leaf) for leaf in shape]
        return None if None in found else max((n for n in found if n is not None), default=None)
    if not isinstance(shape, tuple):
        return None
    operation, *parts = shape                              # of a derived shape, as the rows of the table name it
    if operation == "ranked":                              # that of a variable, of so many lengths
        return int(parts[1])
    if operation == "outer":
        return 2
    if operation == "ravel":
        return 1
    if operation == "_reshape":
        return len(parts[1]) if isinstance(parts[1], tuple) else 1
    if operation == "index" and all(part == "one" or isinstance(part, tuple) for part in parts[1]):
        return None if (n := dims(parts[0])) is None else n - parts[1].count("one")
    return dims(parts[0]) if operation == "transpose" else None


def same_shape(a: Spec, b: Spec) -> bool:
    """Both have one shape for certain."""
    return a.shape is not None and a.shape == b.shape


def fits(g: Spec, x: Spec) -> bool:
    """A cotangent with spec `g` needs neither unbroadcast nor cast to serve for `x`."""
    if not same_shape(g, x):
        return False
    doubles = ("f8", "weak")
    return g.dtype is not None and (g.dtype == x.dtype or (g.dtype in doubles and x.dtype in doubles))
