"""The rows of methods: of lists, deques, dicts, sets, texts and arrays, and of generators of random numbers.
See `effects`."""
from __future__ import annotations

import io
import random
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .effects import method

kind: Any
CHANGED: dict[str, Any] = {"changes": "self", "gives": "nothing"}
GROWN: dict[str, Any] = {"changes": "self", "gives": "self"}
TAKEN: dict[str, Any] = {"changes": "self", "gives": "item"}

# --- lists and deques
for kind in (list, deque):
    of = partial(method, kind)
    of("__init__(self, xs=())", iterates="xs", keeps="xs", **CHANGED)
    of("__delitem__(self, i)", **CHANGED)
    of("__contains__(self, x)", finds=True)
    of("__len__(self)", shape_only="self")
    of("__iter__(self)", gives="iterator", keeps="self", passes="self")
    of("__reversed__(self)", gives="iterator", keeps="self", passes="self")
    of("__add__(self, xs)", keeps="self xs")
    of("__iadd__(self, xs)", iterates="xs", keeps="xs", **GROWN)
    of("__mul__(self, n)", keeps="self")
    of("__rmul__(self, n)", keeps="self")
    of("__imul__(self, n)", **GROWN)
    of("append(self, x)", holds="x", **CHANGED)
    of("extend(self, xs)", iterates="xs", keeps="xs", **CHANGED)
    of("insert(self, i, x)", holds="x", **CHANGED)
    of("remove(self, x)", finds=True, **CHANGED)
    of("clear(self)", **CHANGED)
    of("reverse(self)", **CHANGED)
    of("copy(self)", keeps="self", passes="self")
    of("count(self, x)", finds=True)
    of("index(self, x, start=0, stop=None)", finds=True)
method(list, "__getitem__(self, i)", gives="item", keeps="self")          # a slice is a new list of the same items
method(list, "__setitem__(self, i, x)", holds="x", keeps="x", iterates="x", **CHANGED)     # a slice takes the items
method(list, "pop(self, i=-1)", **TAKEN)
method(list, "sort(self, *, key=None, reverse=False)", calls="key", **CHANGED)
method(deque, "__init__(self, xs=(), maxlen=None)", iterates="xs", keeps="xs", **CHANGED)
method(deque, "__getitem__(self, i)", gives="item")
method(deque, "__setitem__(self, i, x)", holds="x", **CHANGED)
method(deque, "__copy__(self)", keeps="self", passes="self")
method(deque, "pop(self)", **TAKEN)
method(deque, "popleft(self)", **TAKEN)
method(deque, "appendleft(self, x)", holds="x", **CHANGED)
method(deque, "extendleft(self, xs)", iterates="xs", keeps="xs", **CHANGED)
method(deque, "rotate(self, n=1)", **CHANGED)
method(deque, "maxlen")


class Named(NamedTuple):
    """Has the methods that every named tuple has."""

    x: Any


# --- tuples
method(Named, "_replace(self, /, **fields)", keeps="self fields")
method(Named, "_asdict(self)", keeps="self")
method(tuple, "__getitem__(self, i)", gives="item", keeps="self")
method(tuple, "count(self, x)", finds=True)
method(tuple, "index(self, x, start=0, stop=None)", finds=True)
method(tuple, "__contains__(self, x)", finds=True)
method(tuple, "__iter__(self)", gives="iterator", keeps="self", passes="self")
method(tuple, "__add__(self, xs)", keeps="self xs")
method(tuple, "__mul__(self, n)", keeps="self")
method(tuple, "__rmul__(self, n)", keeps="self")
method(tuple, "__len__(self)", shape_only="self")

# --- dicts
for kind in (dict, OrderedDict, defaultdict, Counter):
    of = partial(method, kind)
    of("__init__(self, xs=(), /, **items)", iterates="xs", keeps="xs items", **CHANGED)
    of("__setitem__(self, key, x)", holds="key x", **CHANGED)
    of("__delitem__(self, key)", **CHANGED)
    of("__contains__(self, key)")
    of("__len__(self)", shape_only="self")
    of("__iter__(self)", gives="iterator", keeps="self", passes="self")
    of("__reversed__(self)", gives="iterator", keeps="self", passes="self")
    of("__or__(self, xs)", keeps="self xs")
    of("__ror__(self, xs)", keeps="self xs")
    of("__ior__(self, xs)", iterates="xs", keeps="xs", **GROWN)
    of("clear(self)", **CHANGED)
    of("copy(self)", keeps="self")
    of("get(self, key, default=None)", gives="item")
    of("setdefault(self, key, default=None)", holds="key default", **TAKEN)
    of("pop(self, key, default=None)", **TAKEN)
    of("popitem(self)", changes="self", gives="new", keeps="self")
    of("update(self, xs=(), /, **items)", iterates="xs", keeps="xs items", **CHANGED)
    of("keys(self)", gives="view")
    of("values(self)", gives="view")
    of("items(self)", gives="view")
    if kind is not Counter:
        of("fromkeys(xs, default=None)", iterates="xs", keeps="xs", holds="default")
method(defaultdict, "__init__(self, factory=None, xs=(), /, **items)", holds="factory", iterates="xs",
       keeps="xs items", **CHANGED)
for kind in (dict, OrderedDict):
    method(kind, "__getitem__(self, key)", gives="item")
for name in ("__getitem__", "__missing__"):     # a key that is missing is put in, with what its factory gives
    method(defaultdict, f"{name}(self, key)", holds="key", calls="self", **TAKEN)
method(defaultdict, "default_factory", gives="item")
method(Counter, "__missing__(self, key)")
method(Counter, "__ior__(self, xs)", keeps="xs", **GROWN)
method(OrderedDict, "popitem(self, last=True)", changes="self", gives="new", keeps="self")
method(OrderedDict, "move_to_end(self, key, last=True)", **CHANGED)
method(Counter, "subtract(self, xs=(), /, **items)", iterates="xs", keeps="xs", **CHANGED)
method(Counter, "elements(self)", gives="iterator", keeps="self")
method(Counter, "most_common(self, n=None)", keeps="self")
method(Counter, "total(self)")

# --- decimal numbers; `normalize` is a name that others have for what changes them
for name in ("quantize(self, exp, rounding=None, context=None)", "to_integral_value(self, rounding=None)"):
    method(Decimal, name)

# --- sets
for kind in (set, frozenset):
    of = partial(method, kind)
    of("__iter__(self)", gives="iterator", keeps="self", passes="self")
    of("__len__(self)", shape_only="self")
    of("__contains__(self, x)")
    of("__sub__(self, xs)", keeps="self")
    of("__rsub__(self, xs)", keeps="xs")
    for name in ("__and__", "__or__", "__xor__", "__rand__", "__ror__", "__rxor__"):
        of(f"{name}(self, xs)", keeps="self xs")
    of("difference(self, *several)", iterates="several", keeps="self")
    # of two that are equal, either
    of("intersection(self, *several)", iterates="several", stops=True, keeps="self several")
    of("symmetric_difference(self, xs)", iterates="xs", keeps="self xs")
    of("union(self, *several)", iterates="several", keeps="self several")
    for name in ("isdisjoint", "issubset", "issuperset"):
        of(f"{name}(self, xs)", iterates="xs", stops=name != "issubset")
method(frozenset, "copy(self)", gives="self")
of = partial(method, set)
of("copy(self)", keeps="self", passes="self")
of("__init__(self, xs=())", iterates="xs", keeps="xs", **CHANGED)
of("__isub__(self, xs)", **GROWN)
for name in ("__iand__", "__ior__", "__ixor__"):
    of(f"{name}(self, xs)", keeps="xs", **GROWN)
of("add(self, x)", holds="x", **CHANGED)
of("discard(self, x)", **CHANGED)
of("remove(self, x)", **CHANGED)
of("pop(self)", **TAKEN)
of("clear(self)", **CHANGED)
of("update(self, *several)", iterates="several", keeps="several", **CHANGED)
of("difference_update(self, *several)", iterates="several", **CHANGED)
of("intersection_update(self, *several)", iterates="several", stops=True, keeps="several", **CHANGED)
of("symmetric_difference_update(self, xs)", iterates="xs", keeps="xs", **CHANGED)

# --- texts
for kind in (str, bytes):
    method(kind, "__iter__(self)", gives="iterator")
    method(kind, "join(self, xs)", iterates="xs")
method(str, "format(self, *args, **options)", text=True)

method(io.StringIO, "getvalue(self)")

# --- arrays
of = partial(method, np.ndarray)
for name in ("shape", "size", "ndim", "dtype", "itemsize", "nbytes", "strides", "device", "__len__(self)"):
    of(name, shape_only="self")
for name in ("T", "mT", "data", "flat", "ctypes", "real", "diagonal(self, offset=0, axis1=0, axis2=1)",
             "swapaxes(self, axis1, axis2)", "squeeze(self, axis=None)", "transpose(self, *axes)",
             "view(self, *dtype_or_type)", "getfield(self, dtype, offset=0)",
             "to_device(self, device, /, *, stream=None)"):
    of(name, gives="view")
for name in ("imag", "ravel(self, order='C')", "reshape(self, *shape, order='C', copy=None)", "conj(self)",
             "conjugate(self)",
             "astype(self, dtype, order='K', casting='unsafe', subok=True, copy=True)", "__getitem__(self, i)"):
    of(name, gives="shares")
for name in ("all", "any", "argmax", "argmin", "max", "mean", "min", "prod", "std", "sum", "var", "cumprod", "cumsum"):
    of(f"{name}(self, axis=None, *rest, **options)")
for name in ("argpartition(self, kth, axis=-1, kind='introselect', order=None)",
             "argsort(self, axis=-1, kind=None, order=None, *, stable=None)", "choose(self, choices, *, mode='raise')",
             "clip(self, min=None, max=None, **options)", "compress(self, condition, axis=None)",
             "copy(self, order='C')", "dot(self, b)", "flatten(self, order='C')",
             "item(self, *i)", "nonzero(self)", "repeat(self, repeats, axis=None)", "round(self, decimals=0)",
             "searchsorted(self, v, side='left', sorter=None)", "take(self, indices, axis=None, *, mode='raise')",
             "tobytes(self, order='C')", "tolist(self)", "trace(self, offset=0, axis1=0, axis2=1, dtype=None)",
             "dumps(self)", "__contains__(self, x)"):
    of(name)
of("base", gives="shares")
of("flags", shape_only="self", gives="view")
of("byteswap(self, inplace=False)", changes="self", gives="shares")       # only inplace=True does
of("__iter__(self)", gives="iterator", holds="self")
for name in ("fill(self, value)", "partition(self, kth, axis=-1, kind='introselect', order=None)",
             "put(self, indices, values, mode='raise')", "resize(self, *shape, refcheck=True)",
             "setfield(self, val, dtype, offset=0)", "setflags(self, write=None, align=None, uic=None)",
             "sort(self, axis=-1, kind=None, order=None, *, stable=None)", "__setitem__(self, i, x)"):
    of(name, **CHANGED)
for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
             "lshift", "rshift"):
    of(f"__i{name}__(self, x)", **GROWN)
for kind in (np.ndarray, np.generic):
    method(kind, "dump(self, file)", outside="files", gives="nothing")
    method(kind, "tofile(self, fid, sep='', format='%s')", outside="files", gives="nothing")

# --- generators of random numbers
for kind in (np.random.Generator, np.random.RandomState, random.Random):
    method(kind, "shuffle(self, x, *axis)", draws=True, **CHANGED | {"changes": "x"})
method(np.random.Generator, "permuted(self, x, *, axis=None, out=None)", draws=True, changes="out")
method(np.random.Generator, "bit_generator", gives="item")
method(np.random.Generator, "spawn(self, n_children)", **TAKEN | {"gives": "new"})
for name in ("get_state(self, legacy=True)", "getstate(self)"):
    for kind in (np.random.RandomState, random.Random):
        method(kind, name)
for name in ("seed(self, *a, **options)", "set_state(self, state)", "setstate(self, state)"):
    for kind in (np.random.RandomState, random.Random):
        method(kind, name, **CHANGED)
