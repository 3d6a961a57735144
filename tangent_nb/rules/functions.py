"""The rows of functions: Python's builtins, those of `itertools`, `operator`, `functools` and `copy`,
and NumPy's that write. See `effects`."""
from __future__ import annotations

import builtins
import copy
import functools
import importlib
import inspect
import itertools
import logging
import math
import operator
import time
import typing
import warnings
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from typing import Any

import numpy as np

from .. import runtime as rt
from .effects import function, method

fn: Any
ITERATING: dict[str, Any] = {"gives": "iterator"}
WRITING: dict[str, Any] = {"gives": "nothing"}
READING: dict[str, Any] = {"shape_only": "a", "gives": "plain"}

# --- what goes over its argument
for fn in (list, tuple, set, frozenset):
    function(fn, f"{fn.__name__}(xs=())", iterates="xs", keeps="xs", passes="xs")
function(sorted, "sorted(xs, /, *, key=None, reverse=False)", iterates="xs", keeps="xs", passes="xs", calls="key")
for fn in (dict, OrderedDict, Counter):
    function(fn, f"{fn.__name__}(xs=(), /, **items)", iterates="xs", keeps="xs items")
function(defaultdict, "defaultdict(factory=None, xs=(), /, **items)", iterates="xs", keeps="xs items", holds="factory",
         calls="factory")
function(deque, "deque(xs=(), maxlen=None)", iterates="xs", keeps="xs", passes="xs")
function(sum, "sum(xs, /, start=0)", iterates="xs")
for fn in (all, any):
    function(fn, f"{fn.__name__}(xs)", iterates="xs", stops=True, gives="plain")
for fn in (max, min):
    function(fn, f"{fn.__name__}(xs, *others, key=None, default=None)", iterates="xs", calls="key", gives="item")
for fn in (bytes, bytearray):
    function(fn, f"{fn.__name__}(xs=b'', *coding)", iterates="xs")
function(functools.reduce, "reduce(fn, xs, *initial)", iterates="xs", calls="fn", gives="item")
for fn in (math.fsum, math.prod):
    function(fn, f"{fn.__name__}(xs)", iterates="xs")
function(operator.countOf, "countOf(xs, x)", iterates="xs", finds=True)
function(operator.indexOf, "indexOf(xs, x)", iterates="xs", stops=True, finds=True)
function(operator.contains, "contains(xs, x)", iterates="xs", stops=True, finds=True)

# --- iterators
function(iter, "iter(xs, *sentinel)", iterates="xs", keeps="xs", passes="xs", **ITERATING)
function(reversed, "reversed(xs)", iterates="xs", keeps="xs", passes="xs", **ITERATING)
function(enumerate, "enumerate(xs, start=0)", iterates="xs", keeps="xs", **ITERATING)
function(zip, "zip(*several, strict=False)", iterates="several", keeps="several", **ITERATING)
function(map, "map(fn, *several)", iterates="several", calls="fn", **ITERATING)
function(filter, "filter(fn, xs)", iterates="xs", keeps="xs", passes="xs", calls="fn", **ITERATING)
function(next, "next(iterator, *default)", changes="iterator", gives="item")
function(itertools.accumulate, "accumulate(xs, func=None, *, initial=None)", iterates="xs", keeps="xs", holds="initial",
         calls="func", **ITERATING)
function(itertools.chain, "chain(*several)", iterates="several", keeps="several", passes="several", **ITERATING)
function(itertools.chain.from_iterable, "from_iterable(xs)", iterates="xs", keeps="xs", **ITERATING)
function(itertools.compress, "compress(data, selectors)", iterates="data selectors", keeps="data", passes="data",
         **ITERATING)
function(itertools.count, "count(start=0, step=1)", **ITERATING)
for fn in (itertools.combinations, itertools.combinations_with_replacement, itertools.permutations):
    function(fn, f"{fn.__name__}(xs, r)", iterates="xs", keeps="xs", at_once=True, **ITERATING)
for fn in (itertools.dropwhile, itertools.takewhile, itertools.filterfalse):
    function(fn, f"{fn.__name__}(fn, xs)", iterates="xs", keeps="xs", passes="xs", calls="fn", **ITERATING)
function(itertools.cycle, "cycle(xs)", iterates="xs", keeps="xs", passes="xs", **ITERATING)
function(itertools.groupby, "groupby(xs, key=None)", iterates="xs", keeps="xs", calls="key", **ITERATING)
function(itertools.islice, "islice(xs, stop, *rest)", iterates="xs", keeps="xs", passes="xs", **ITERATING)
function(itertools.pairwise, "pairwise(xs)", iterates="xs", keeps="xs", **ITERATING)
function(itertools.product, "product(*several, repeat=1)", iterates="several", keeps="several", at_once=True,
         **ITERATING)
function(itertools.repeat, "repeat(x, *times)", holds="x", **ITERATING)
function(itertools.starmap, "starmap(fn, xs)", iterates="xs", calls="fn", **ITERATING)
function(itertools.tee, "tee(xs, n=2)", holds="xs")
function(itertools.zip_longest, "zip_longest(*several, fillvalue=None)", iterates="several", keeps="several",
         holds="fillvalue", **ITERATING)

# --- what writes
function(operator.setitem, "setitem(a, i, x)", changes="a", holds="x", keeps="x", iterates="x", **WRITING)
function(operator.delitem, "delitem(a, i)", changes="a", **WRITING)
function(setattr, "setattr(a, name, x)", changes="a", holds="x", **WRITING)
function(delattr, "delattr(a, name)", changes="a", **WRITING)
for name in ("iadd", "iconcat", "ior", "ixor"):            # of what cannot be changed they give something new
    function(getattr(operator, name), f"{name}(a, b)", changes="a", keeps="b", gives="self")
for name in ("isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul", "iand", "ilshift", "irshift"):
    function(getattr(operator, name), f"{name}(a, b)", changes="a", gives="self")
for written in ("copyto(dst, src, casting='same_kind', where=True)", "put(dst, ind, v, mode='raise')",
                "place(dst, mask, vals)", "putmask(dst, mask, values)", "put_along_axis(dst, indices, values, axis)",
                "fill_diagonal(dst, val, wrap=False)"):
    function(getattr(np, written.partition("(")[0]), written, changes="dst", **WRITING)

# --- what reads one thing, or makes it
function(len, "len(a)", **READING)
for fn in (np.shape, np.ndim, np.size):
    function(fn, f"{fn.__name__}(x, *axis)", shape_only="x")
function(getattr, "getattr(a, name, *default)", gives="item")
function(operator.getitem, "getitem(a, i)", gives="item", keeps="a")
for fn in (isinstance, issubclass):
    function(fn, f"{fn.__name__}(a, kind)", **READING)
for fn in (callable, type, id):
    function(fn, f"{fn.__name__}(a)", **READING)
function(hasattr, "hasattr(a, name)", **READING)
for fn in (ascii, bin, chr, hash, hex, oct, ord, repr):
    function(fn, f"{fn.__name__}(x)", gives="plain", text=fn not in (hash, ord))
for fn in (bool, float, int, complex, str, format, range):
    function(fn, f"{fn.__name__}(*args, **options)", gives="plain", text=fn in (str, format))
function(abs, "abs(x)")
function(operator.index, "index(n)", gives="plain")
function(np.lib.array_utils.normalize_axis_index, "normalize_axis_index(axis, ndim, *options)", gives="plain")
for fn in (round, pow, divmod, object, Decimal):
    function(fn, f"{fn.__name__}(*args, **options)")
function(slice, "slice(*args)", keeps="args")
function(memoryview, "memoryview(a)", gives="view")
function(typing.cast, "cast(typ, val)", gives="item", returns="val")
function(copy.copy, "copy(a)", keeps="a")
function(copy.deepcopy, "deepcopy(a, *memo)")
function(functools.partial, "partial(fn, *args, **items)", keeps="args items", holds="fn", calls="fn")
function(functools.cmp_to_key, "cmp_to_key(mycmp)", holds="mycmp", calls="mycmp")
function(operator.itemgetter, "itemgetter(*places)", keeps="places")
function(operator.attrgetter, "attrgetter(*places)")
function(operator.methodcaller, "methodcaller(name, *args, **items)", keeps="args items")
function(staticmethod, "staticmethod(fn)", holds="fn", calls="fn")
function(classmethod, "classmethod(fn)", holds="fn")
function(property, "property(fn, *others)", holds="fn", keeps="others")
function(super, "super(*args)", keeps="args")

# --- containers of the same items, as helpers of ours make them
function(rt.joined, "joined(xs, ys)", keeps="xs ys")
function(rt.repeated, "repeated(xs, n)", keeps="xs")
function(rt.without, "without(xs, i)", keeps="xs")
function(rt.made_of, "made_of(cls, /, **parts)", keeps="parts")
# it is what gives the items that runs
function(rt.recorded, "recorded(xs, read=())", holds="xs", keeps="xs", outside="process")

# --- what calls
function(np.vectorize, "vectorize(pyfunc, **options)", holds="pyfunc", calls="pyfunc")
function(np.apply_along_axis, "apply_along_axis(func1d, axis, arr, *args, **options)", calls="func1d")
function(np.apply_over_axes, "apply_over_axes(func, a, axes)", calls="func")
function(np.fromfunction, "fromfunction(function, shape, **options)", calls="function")
function(np.piecewise, "piecewise(x, condlist, funclist, *args, **options)", calls="funclist")

# --- what reads or writes what is outside
for kind, names in {"text": "print input", "files": "open", "names": "globals locals vars dir __import__",
                    "code": "eval exec", "process": (
        "breakpoint help exit quit copyright credits license compile aiter anext __build_class__")}.items():
    for name in names.split():
        if hasattr(builtins, name):
            function(getattr(builtins, name), f"{name}(*args, **options)", outside=kind,
                     gives="nothing" if name == "print" else "new")

for fn in (importlib.import_module, inspect.getmodule):
    function(fn, f"{fn.__name__}(*args, **options)", outside="names", gives="new")
for fn in (inspect.signature, inspect.getfullargspec):
    function(fn, f"{fn.__name__}(fn, **options)", gives="new")
for fn in (inspect.isfunction, inspect.ismethod, inspect.isclass, inspect.ismodule):
    function(fn, f"{fn.__name__}(x)", gives="plain")

# --- what tells people something
for name in ["debug", "info", "warning", "error", "critical", "exception", *["warn"] * hasattr(logging, "warn")]:
    function(getattr(logging, name), f"{name}(msg, *args, **options)", outside="text", gives="nothing")
    method(logging.Logger, f"{name}(self, msg, *args, **options)", outside="text", gives="nothing")
function(logging.log, "log(level, msg, *args, **options)", outside="text", gives="nothing")
method(logging.Logger, "log(self, level, msg, *args, **options)", outside="text", gives="nothing")
method(logging.Logger, "isEnabledFor(self, level)", gives="plain")
function(warnings.warn, "warn(message, *args, **options)", outside="text", gives="nothing")
for fn in (warnings.simplefilter, warnings.filterwarnings):         # what will be told
    function(fn, f"{fn.__name__}(action, *args, **options)", outside="text", gives="nothing")
for fn in (time.time, time.time_ns, time.perf_counter, time.monotonic, time.process_time):
    function(fn, f"{fn.__name__}()", gives="plain", outside="clock")
function(np.random.seed, "seed(*a, **options)", draws=True, gives="nothing")
