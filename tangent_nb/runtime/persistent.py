"""Persistent arrays: every version of an array stays readable, and a new one costs what it changes.

The versions of an array share one memory. One of them, the root, is what the memory holds; each other knows its
neighbour on the way to the root, and the steps that make it of that neighbour (shallow binding: Baker 1991, after
Driscoll, Sarnak, Sleator and Tarjan 1989):

    x0 ── cut to 1 row ──▸ x1 ── x[1] was [1., 2.] ──▸ x2: the memory

To read another version, the steps on the way are taken, and turned round. Versions point to the root alone, so that a
version that nobody holds goes, and its steps with it. Where one is on the way of an older one that somebody holds, its
steps become steps of that.
"""
from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class PersistentArray(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that never changes: `append`, `setitem` and `pop` give new versions of it,
    and all versions stay readable.

    a: an array, or what `np.array` takes, of one dimension or more; it is copied.
    Of a PersistentArray it is one more handle.

    A new version takes time and memory for what is inserted, removed or overwritten alone, an append on average, where
    an ndarray would be copied as a whole. Reading a version takes time for the changes between it and the one that was
    used last: versions that are read in the order in which they were made, or backwards, cost no more than making them.
    A version that nobody holds any more is freed, unless it is on the way to an older one that somebody does.

    What is read is handed out as read-only copies: `x[i]` (of the part), a row in a loop, `np.asarray(x)` (of all).
    `np.array(x)` may be changed. NumPy's functions, operators, comparisons, and the attributes and methods of arrays
    (`x.T`, `x.sum()`) compute with such copies and give arrays.

    shape, dtype: as of arrays. The dtype and the shape of a row stay those of `a`; what is stored is cast to the dtype
    if that is safe or of one kind (float64 to float32), else TypeError. A shape that does not fit is a ValueError, a
    place that is not there an IndexError.

    Reading may change the memory that the versions share: use the versions of one array in one thread at a time.

    >>> import tangent_nb as tnb
    >>> x0 = PersistentArray(np.zeros((1, 2)))
    >>> x1 = tnb.append(x0, [1.0, 2.0])
    >>> x2 = tnb.setitem(x1, -1, x1[-1] * 10.0)
    >>> x2
    PersistentArray([[ 0.,  0.],
                     [10., 20.]])
    >>> x1[1], len(x0), np.sum(x2)
    (array([1., 2.]), 1, np.float64(30.0))
    """

    __slots__ = ("_version", "__weakref__")
    _version: _Version

    def __new__(cls, a: Any) -> PersistentArray:
        if isinstance(a, PersistentArray):
            return a
        rows = np.array(a)
        if rows.ndim == 0 or rows.dtype.hasobject:
            raise TypeError(f"a PersistentArray is made of an array of numbers with rows, not of {a!r}")
        return _handle(_Version(_Memory(rows), len(rows)))

    # ------------------------------------------------------------------ reading
    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of this version."""
        return (self._version.length, *self._version.memory.rows.shape[1:])

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of all versions."""
        dtype: np.dtype[Any] = self._version.memory.rows.dtype
        return dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._version.memory.rows.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        return self._version.length

    def __getitem__(self, index: Any) -> Any:
        part = _rows(self)[index]
        if isinstance(part, np.ndarray):
            if part.base is not None:                      # of a list or an array as index it is a copy already
                part = part.copy()
            part.flags.writeable = False
        return part

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError("a PersistentArray never changes; for a new version: x = tnb.setitem(x, i, v)")

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("an array of a PersistentArray is a copy")
        array = np.array(_rows(self), dtype)
        array.flags.writeable = bool(copy)
        return array

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **settings: Any) -> Any:
        if any(isinstance(out, PersistentArray) for out in settings.get("out", ())):
            raise TypeError("a PersistentArray never changes: x = x + y instead of x += y, or y for out=y")
        return getattr(ufunc, method)(*(np.asarray(x) if isinstance(x, PersistentArray) else x for x in inputs),
                                      **settings)

    def __getattr__(self, name: str) -> Any:
        if any(name == one.__name__ for one in (append, setitem, pop)):
            raise AttributeError("a PersistentArray never changes; for a new version: "
                                 f"x = tnb.{name}(x{', ...' if name != 'pop' else ''})")
        if name.startswith("__") or not hasattr(np.ndarray, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(np.asarray(self), name)

    def __repr__(self) -> str:
        return "PersistentArray" + repr(np.asarray(self)).removeprefix("array").replace("\n", "\n" + " " * 10)

    def __bool__(self) -> bool:
        return bool(np.asarray(self))

    def __copy__(self) -> PersistentArray:
        return self

    def __deepcopy__(self, memo: Any) -> PersistentArray:
        return self

    def __reduce__(self) -> Any:
        return PersistentArray, (np.array(self),)


class _Memory:
    """What the versions of an array share. rows: those of the root, and room for more behind them; changing: while they
    are changed, and after that was interrupted."""

    __slots__ = ("rows", "changing")

    def __init__(self, rows: np.ndarray[Any, Any]) -> None:
        self.rows, self.changing = rows, False

    def make_room(self, length: int) -> None:
        """Room for `length` rows: their number doubles where there is too little,
        and is halved where most is not used."""
        if len(self.rows) < length or len(self.rows) > 4 * length + 64:
            rows = np.empty((2 * length + 2, *self.rows.shape[1:]), self.rows.dtype)
            kept = min(length, len(self.rows))
            rows[:kept] = self.rows[:kept]
            self.rows = rows


class _Version:
    """One version. next: its neighbour on the way to the root, None for that itself; steps: that make it of `next`, the
    first one last; older: a version whose neighbour it is; handle: what users hold."""

    __slots__ = ("memory", "length", "next", "steps", "older", "handle", "__weakref__")

    def __init__(self, memory: _Memory, length: int) -> None:
        self.memory, self.length = memory, length
        self.next: _Version | None = None
        self.steps: list[tuple[Any, Any]] = []
        self.older: Callable[[], _Version | None] = _nobody
        self.handle: Callable[[], PersistentArray | None] = _nobody


CUT, ROWS = object(), object()   # steps: (CUT, a length), (ROWS, (the length before, rows)), (an index, what was there)


def _nobody() -> None:
    return None


def _handle(version: _Version) -> PersistentArray:
    new = object.__new__(PersistentArray)
    new._version = version
    version.handle = weakref.ref(new)
    return new


def _rows(x: PersistentArray) -> np.ndarray[Any, Any]:
    """The rows of a version, in the memory, of which it is the root from here on."""
    version = x._version
    memory = version.memory
    if memory.changing:
        raise RuntimeError(
            "a change of this PersistentArray was interrupted, and its versions are lost: make a new one")
    if version.next is not None:
        _make_root(version)
        memory.make_room(version.length)
    return memory.rows[:version.length]


def _make_root(version: _Version) -> None:
    memory, way = version.memory, []
    while version.next is not None:
        way.append(version)
        version = version.next
    memory.changing = True
    while way:
        root, version = version, way.pop()
        back: list[tuple[Any, Any]] = []
        length = root.length
        for kind, value in reversed(version.steps):
            if kind is CUT:
                back.append((ROWS, (value, memory.rows[value:length].copy())))
                length = value
            elif kind is ROWS:
                back.append((CUT, length))
                memory.make_room(length + len(value[1]))
                memory.rows[length:length + len(value[1])] = value[1]
                length += len(value[1])
            else:
                rows = memory.rows[:length]
                back.append((kind, rows[kind].copy()))
                rows[kind] = value
        root.next, root.steps = version, back
        version.next, version.steps, version.older = None, [], weakref.ref(root)
    memory.changing = False


def _successor(x: PersistentArray, length: int, step: tuple[Any, Any]) -> PersistentArray:
    """The version that the memory holds now, made of the root x, which `step` makes of it again."""
    version = x._version
    new = _Version(version.memory, length)
    version.steps.append(step)
    version.next, new.older = new, weakref.ref(version)
    while (dead := version.older()) is not None and dead.handle() is None:
        older = dead.older()
        if older is None or older.next is not dead or dead.next is not version:
            break
        for one in dead.steps:
            if not _is_lost(one, older.steps[-1]):
                older.steps.append(one)
        older.next, version.older = version, weakref.ref(older)
    version.memory.changing = False
    return _handle(new)


def _is_lost(step: tuple[Any, Any], then: tuple[Any, Any]) -> bool:
    """What a step makes, the one that follows overwrites, or cuts off."""
    if then[0] is CUT:
        return step[0] is CUT or step[0] is ROWS and step[1][0] >= then[1] \
            or type(step[0]) is int and step[0] >= then[1]
    return type(step[0]) is int and type(then[0]) is int and step[0] == then[0]


def append(x: Any, row: Any) -> Any:
    """A version of `x` with one more row at its end; of an ndarray a copy.

    x: a PersistentArray or an array, of shape (n, ...); row: of the shape of a row, `x.shape[1:]`.

    >>> append(np.zeros(2), 1.0)
    array([0., 0., 1.])
    """
    row = _fitting(row, x)
    if np.shape(row) != x.shape[1:]:
        raise ValueError(f"a row of shape {np.shape(row)} is appended to an array of shape {x.shape}: "
                         f"it takes rows of shape {x.shape[1:]}")
    if isinstance(x, np.ndarray):
        return np.concatenate((x, np.asarray(row, x.dtype)[np.newaxis]))
    _rows(x)
    length, memory = len(x), x._version.memory
    memory.make_room(length + 1)
    memory.rows[length] = row                              # behind the rows of all that is held
    memory.changing = True
    return _successor(x, length + 1, (CUT, length))


def setitem(x: Any, index: Any, value: Any) -> Any:
    """A version of `x` in which `x[index]` is `value`; of an ndarray a copy.

    x: a PersistentArray or an array; index: anything that NumPy takes; value: broadcast to the part.

    >>> x = PersistentArray([1.0, 2.0, 3.0])
    >>> setitem(x, slice(1, None), 0.0), x
    (PersistentArray([1., 0., 0.]), PersistentArray([1., 2., 3.]))
    """
    value = _fitting(value, x)
    if isinstance(x, np.ndarray):
        new = x.copy()
        new[index] = value
        return new
    return changed_at(x, index, lambda rows, index: rows.__setitem__(index, value))


def changed_at(x: PersistentArray, index: Any, change: Callable[[np.ndarray[Any, Any], Any], None]) -> PersistentArray:
    """A version of `x` in which `x[index]` is what `change(rows, index)` makes of it in the memory."""
    index = _kept(index, len(x))
    rows = _rows(x)
    part = rows[index].copy()
    x._version.memory.changing = True
    try:
        change(rows, index)
    except Exception:
        rows[index] = part
        x._version.memory.changing = False
        raise
    return _successor(x, len(rows), (index, part))


def zeros(x: PersistentArray) -> PersistentArray:
    """Zeros of the shape of `x`, and of its dtype where that is floating."""
    return PersistentArray(np.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else float))


def pop(x: Any) -> Any:
    """A version of `x` without its last row; of an ndarray a copy.

    >>> pop(PersistentArray([1.0, 2.0]))
    PersistentArray([1.])
    """
    if not isinstance(x, (np.ndarray, PersistentArray)):
        raise _no_array(x)
    if len(x) == 0:
        raise IndexError("pop from an array without rows")
    if isinstance(x, np.ndarray):
        return x[:-1].copy()
    rows = _rows(x)
    length = len(rows) - 1
    last = rows[length:].copy()
    x._version.memory.changing = True
    return _successor(x, length, (ROWS, (length, last)))


def _fitting(value: Any, x: Any) -> Any:
    """A value to be stored in x, if it keeps its kind there."""
    if not isinstance(x, (np.ndarray, PersistentArray)) or x.ndim == 0:
        raise _no_array(x)
    if value.__class__ is float and x.dtype.kind in "fc":
        return value
    value = np.asarray(value)
    if not np.can_cast(value.dtype, x.dtype, "same_kind"):
        raise TypeError(f"a value of {value.dtype} is stored in an array of {x.dtype}: "
                        f"make it an array of {value.dtype} first")
    return value


def _no_array(x: Any) -> TypeError:
    return TypeError(f"this takes a PersistentArray or an array with rows, not {x!r}")


def _kept(index: Any, length: int) -> Any:
    """An index that nobody changes any more, and that means the same when there are more rows."""
    if isinstance(index, tuple):
        return tuple(_kept(part, length) if isinstance(part, (list, np.ndarray, PersistentArray)) else part
                     for part in index)
    if isinstance(index, (list, np.ndarray, PersistentArray)):
        return np.array(index) if np.size(index) \
            else np.array(index, np.intp if not isinstance(index, np.ndarray) else index.dtype)
    return int(index) + length \
        if isinstance(index, (int, np.integer)) and -length <= index < 0 and not isinstance(index, bool) else index
