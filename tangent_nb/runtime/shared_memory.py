"""What is changed in place while others hold it: found when a derivative is called, before anything is changed.

Needs the values that may share memory. Promises that none does, as the text has it; else it is refused.
"""
from __future__ import annotations

import ast
import inspect
import types
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .containers import HEAP, NUMBERS, OBJECT, described, held_by, kind_of
from .helpers import Helper
from .reading import looked_into, named_by, read_by
from .remembered import name_of
from .waiting import waits


def check_number(x: Any, name: str) -> None:
    """Refuses an array, or a container, under a name whose memory is, or may be, changed in place while others hold it.

    >>> check_number(np.ones(2), "y")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: y is an array which another variable, or the caller, holds too, and is changed ...
    """
    if isinstance(x, (np.ndarray, list, tuple, dict, set)) or kind_of(x) is not None:
        raise ArgumentError(f"{name} is {described(x)} which another variable, or the caller, holds too, and is "
                            f"changed in place: write {name} = {name} {'|' if isinstance(x, dict) else '+'} ..., "
                            "or take a fresh copy first")


def check_apart(x: Any, others: Sequence[Any], names: Sequence[str]) -> None:
    """Refuses an argument that is changed in place where another argument, or a variable outside,
    shares its memory. names: of all.

    >>> x = np.ones(3)
    >>> check_apart(x, (2.0, np.ones(3)), ("x", "n", "y"))
    >>> check_apart(x, (x[1:],), ("x", "y"))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: x is changed in place, and y shares its memory: pass a copy of one of them
    """
    if x is None:                                          # raises where it is changed
        return
    if not isinstance(x, np.ndarray):
        if kind_of(x) is not None or not isinstance(x, NUMBERS):
            raise ArgumentError(f"{names[0]} is changed in place, which is done for arrays, "
                                f"and it is {described(x)}: pass an array")
        return
    low, high = np.lib.array_utils.byte_bounds(x)
    if high - low < x.nbytes:
        raise ArgumentError(f"{names[0]} is changed in place, and some of its elements share their memory: pass a copy")
    for other, name in zip(others, names[1:], strict=True):
        if _may_hold(other, x, ()):
            raise ArgumentError(f"{names[0]} is changed in place, and {name} shares its memory: "
                                "pass a copy of one of them")


def check_kept(v: Any, x: Any, name: str) -> None:
    """Refuses to change `x` where `v`, which stands for itself in the derivative, would change with it. name: of v.

    >>> A = np.eye(2)
    >>> check_kept(A[1], A[0], "A[1]")
    >>> check_kept(A[0], A[0], "A[0]")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: A[0] is, or holds, a view of what is changed in place, and would change too: ...
    """
    arrays = [x] if isinstance(x, np.ndarray) else [one for one in memory_in(v) if isinstance(one, np.ndarray)]
    if any(_may_hold(v if one is x else x, one, ()) for one in arrays):
        raise ArgumentError(
            f"{name} is, or holds, a view of what is changed in place, and would change too: copy it first")


def check_overlap(x: Any, v: Any, text: str, index: Any = None) -> None:
    """Refuses to store `v` in a part `x` of the same array, of one axis, with another stride, or where a mask says, or
    as an item of a list: NumPy stores some of the numbers before it has read them. text: of the statement; index: into
    x, where the part may be none that is a view.

    >>> A = np.eye(3)
    >>> check_overlap(A[:, 0], A[:, 1], "A[:, 0] = A[:, 1]")
    >>> check_overlap(A[:, 2], A[1], "A[:, 2] = A[1]")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: A[:, 2] = A[1] stores in numbers that it has yet to read, and NumPy does not ...
    """
    if index is not None \
            and all(isinstance(one, (int, np.integer, slice, types.EllipsisType, types.NoneType))
                    and not isinstance(one, bool) for one in (index if isinstance(index, tuple) else (index,))):
        x, index = x[index], None
    if isinstance(v, (list, tuple)):
        for item in v if index is None else ():
            if isinstance(item, (list, tuple)):
                check_overlap(x, item, text)
            elif isinstance(item, np.ndarray) and np.shares_memory(x, item):
                raise ArgumentError(f"{text} stores in numbers that it has yet to read, "
                                    "and NumPy does not copy them first: make an array of the list, np.array(...)")
        return
    if not isinstance(x, np.ndarray) or not isinstance(v, np.ndarray) or not v.ndim or not np.may_share_memory(x, v):
        return
    masked = index is not None \
        and any(np.asarray(one).dtype == bool for one in (index if isinstance(index, tuple) else (index,))
                if isinstance(one, (np.ndarray, list)))
    if masked and np.shares_memory(x, v) or index is None and _stored_too_early(x, v):
        raise ArgumentError(f"{text} stores in numbers that it has yet to read, and NumPy does not copy them first: "
                            f"take a copy, {text}.copy()")


def _stored_too_early(x: Any, v: Any) -> bool:
    """Some number of v is stored in before it is read, in the order in which NumPy copies along one axis
    (numpy/_core/src/multiarray, raw_array_assign_array): from the front, or from the back where v begins before x and
    reaches into it. Parts of several axes, and those of opposite strides, it copies first; equal strides are right in
    that order."""
    if x.ndim != 1 or min(x.size, v.shape[-1]) < 2 or x.strides[0] * v.strides[-1] <= 0 \
            or x.strides[0] == v.strides[-1]:
        return False
    if x.strides[0] < 0:
        x, v = x[::-1], v[..., ::-1]
    n, step, other = x.size, x.strides[0], v.strides[-1]
    ahead = x.__array_interface__["data"][0] - v.__array_interface__["data"][0]
    at, rest = np.divmod(ahead + step * np.arange(n), other)     # the number of v that lies where each number of x does
    later = at < np.arange(n) if 0 < ahead < n * other else at > np.arange(n)
    return bool(np.any((rest == 0) & later & (0 <= at) & (at < n)))


def check_view(v: Any, name: str, x: Any = None) -> None:
    """Refuses a number where the text has taken a part for an array, which is changed where it stands. x: the array
    that is reshaped for the part, which must be none of a copy, as it is with its cotangent, whose memory is in the
    order of C.

    >>> check_view(np.ones((2, 2))[0], "row")
    >>> check_view(np.ones(2)[0], "row")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: row is taken for a part of an array that is changed in place, and it is a ...
    >>> A = np.ones((2, 2))
    >>> check_view(A.reshape(-1), "v", A)
    """
    if not isinstance(v, np.ndarray):
        raise ArgumentError(f"{name} is taken for a part of an array that is changed in place, "
                            f"and it is {described(v)}: write {name} = {name} + ...")
    if x is not None and not (isinstance(x, np.ndarray) and x.ndim and x.flags.c_contiguous
                              and (x.size == 0 or np.may_share_memory(v, x))):
        raise ArgumentError(f"{name} may be a copy: "
                            "the numbers of the array that it is made of do not lie one behind the other in memory. "
                            "Make that array with .copy(), or take a copy of it, .reshape(...).copy(), and store that")


def check_growing(x: Any, others: Sequence[Any], names: Sequence[str]) -> None:
    """Refuses an argument to which numbers are appended, unless it is a list that no other argument,
    and no variable outside, is or holds.

    >>> log = []
    >>> check_growing(log, (2.0, []), ("log", "x", "y"))
    >>> check_growing(log, ({"log": log},), ("log", "p"))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: log grows, and p is, or holds, the same list: pass another list
    """
    if type(x) is not list:
        raise ArgumentError(
            f"{names[0]} grows by .append, which is done for lists, and it is {described(x)}: pass a list")
    for other, name in zip(others, names[1:], strict=True):
        if _holds(other, x, ()):
            raise ArgumentError(f"{names[0]} grows, and {name} is, or holds, the same list: pass another list")


def check_kept_by(fn: Any, xs: Sequence[Any], names: Sequence[str]) -> None:
    """Refuses arguments whose memory a function that is called changes outside of it: the backward pass would read
    them as they are later. names: of `xs`; then of what the function changes.

    >>> count = np.zeros(1)
    >>> tick = eval("lambda: count.__iadd__(1.0)", {"count": count})
    >>> check_kept_by(tick, (2.0, np.zeros(1)), ("x", "n", "count"))
    >>> check_kept_by(tick, (2.0, count), ("x", "n", "count"))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a lambda changes count in place, and n shares its memory: pass a copy of n
    """
    there = names[len(xs):]
    memory = [one for path in there for one in _changed(fn, path)]
    for x, name in zip(xs, names[:len(xs)], strict=True):
        if any(_may_hold(x, one, (), False) if isinstance(one, np.ndarray) else _holds(x, one, ()) for one in memory):
            changed = " and ".join(path.removesuffix("[...]") for path in there)
            raise ArgumentError(f"{name_of(fn)} changes {changed} in place, and {name} shares its memory: "
                                f"pass a copy of {name}")


def _changed(fn: Any, path: str) -> Iterator[Any]:
    """What a function changes, by the path to it there; with what it holds, where the path says so, or leads nowhere
    now."""
    start, deep = path.removesuffix("[...]"), path.endswith("[...]")
    root, steps = _steps(start)
    found = [_followed(value, steps) for name, value in named_by(fn) if name.rpartition(".")[2] == root]
    for one in found or looked_into(fn):
        yield from memory_in(one) if deep or not found else [one]


@lru_cache(1000)
def _steps(path: str) -> tuple[str, tuple[Any, ...]]:
    """The variable, and the attributes (texts) and items (tuples of the key) that follow.

    >>> _steps("store.log[0]")
    ('store', ('log', (0,)))
    """
    try:
        node: Any = ast.parse(path, mode="eval").body
    except SyntaxError:                                    # words: what a method is bound to
        return "", ()
    steps: list[Any] = []
    while not isinstance(node, ast.Name):
        steps.append(node.attr if isinstance(node, ast.Attribute) else (ast.literal_eval(node.slice),))
        node = node.value
    return node.id, tuple(reversed(steps))


def read_at(value: Any, path: str) -> list[Any]:
    """The arrays and containers that are read by a path that begins with a value. `[...]` leads to each of the items,
    `[:]` says which items there are.

    >>> rows = [{"w": [1.0]}, {"w": [2.0]}]
    >>> read_at(rows, "rows[...]['w']"), read_at(rows[0], "row[:]")
    ([[1.0], [2.0]], [{'w': [1.0]}])
    """
    found = [value]
    for step in _steps(path.removesuffix("[:]"))[1]:
        kinds = [kind_of(one) if step == (...,) else None for one in found]
        found = [part for one, kind in zip(found, kinds, strict=True)
                 for part in ([_followed(one, [step])] if kind is None else kind.parts(one).values())]
    return [*found] if path.endswith("[:]") else [part for one in found for part in memory_in(one)]


def _followed(value: Any, steps: Sequence[Any]) -> Any:
    """What attributes and items lead to, where that runs no code of the user; where they do not, and of an array, the
    whole."""
    for step in steps:
        item = isinstance(step, tuple)
        if isinstance(value, np.ndarray) or item and type(value).__module__ != "builtins":
            return value
        try:
            found = value[step[0]] if item else inspect.getattr_static(value, step)
        except (AttributeError, LookupError, TypeError):
            return value
        value = found.__get__(value) if isinstance(found, types.MemberDescriptorType) else found
    return value


def memory_in(value: Any, around: tuple[int, ...] = ()) -> Iterator[Any]:
    """The arrays and containers that a value is, or holds.

    >>> list(memory_in({"a": [1.0], "b": 2.0}))
    [{'a': [1.0], 'b': 2.0}, [1.0]]
    """
    kind = kind_of(value) if id(value) not in around else None
    if isinstance(value, np.ndarray) or kind is not None:
        yield value
    numbers = isinstance(value, list) and all(issubclass(one, (int, float)) for one in {*map(type, value)})
    if isinstance(value, type):
        parts = [one for one in vars(value).values() if kind_of(one) is not None or isinstance(one, np.ndarray)]
    elif kind is None and id(value) not in around and type(value).__flags__ & HEAP or isinstance(value, deque):
        parts = _reached_from(value) or []
    else:
        parts = [] if kind is None or numbers else list(kind.parts(value).values())
    for part in parts:
        yield from memory_in(part, (*around, id(value)))


def _holds(value: Any, x: Any, around: tuple[int, ...]) -> bool:
    kind = None if id(value) in around else kind_of(value)
    return value is x \
        or kind is not None and any(_holds(part, x, (*around, id(value))) for part in kind.parts(value).values())


def _may_hold(value: Any, x: Any, around: tuple[int, ...], unknown: bool = True) -> bool:
    """A value shares memory with an array, or holds something that does. unknown: what is said of what cannot be looked
    into."""
    if waits(value):
        return False
    if isinstance(value, np.ndarray):
        return value.dtype.hasobject or np.shares_memory(value, x)
    plain = (*NUMBERS, str, bytes, range, slice, type, types.ModuleType, Helper, np.dtype, np.ufunc,
             np.random.Generator, np.random.RandomState)
    if value is None or isinstance(value, plain) or id(value) in around:
        return False
    kind = kind_of(value)
    parts = _reached_from(value) if kind is None else list(kind.parts(value).values())
    around = (*around, id(value))
    if unknown if parts is None else any(_may_hold(part, x, around, unknown) for part in parts):
        return True
    # classes and modules hold locks, loggers, and what Python keeps of them
    beside = read_by(value) if isinstance(value, types.FunctionType) else \
        _of_class(value) if kind in (None, OBJECT) else ()
    return any(_may_hold(part, x, around, False) for part in beside)


def _reached_from(value: Any) -> list[Any] | None:
    """What a function or a method was made with, what a set or an object holds; None: who knows.

    >>> _reached_from(np.poly1d([1.0, 2.0]))[0]
    array([1., 2.])
    """
    if isinstance(value, (set, frozenset, deque)):
        return list(value)
    classes, behind = type(value).__mro__[:-1], getattr(value, "__wrapped__", None)
    if not classes[0].__flags__ & HEAP and inspect.isroutine(value):
        defaults = [*(getattr(value, "__defaults__", None) or ()),
                    *(getattr(value, "__kwdefaults__", None) or {}).values()]
        return [*held_by(value).values(), *defaults, getattr(value, "__self__", None), behind]
    makers = [vars(cls)["__new__"] for cls in classes if "__new__" in vars(cls)]
    if not all(cls.__flags__ & HEAP for cls in classes) \
            or not all(isinstance(one, (staticmethod, types.FunctionType)) for one in makers):
        return None if behind is None else [behind]        # a cache, or code that was compiled
    fields = [field for cls in classes for field in vars(cls).values() if isinstance(field, types.MemberDescriptorType)]
    own = _held_by(lambda value: list(object.__getattribute__(value, "__dict__").values()), value)
    return [one for held in own for one in held] + [one for field in fields for one in _held_by(field.__get__, value)]


def _of_class(value: Any) -> list[Any]:
    """What the objects of a class share, and read as attributes of their own."""
    return [one for cls in type(value).__mro__[:-1] for one in vars(cls).values() if not hasattr(type(one), "__get__")]


def _held_by(read: Callable[[Any], Any], value: Any) -> list[Any]:
    """What an attribute holds: one value, or nothing yet."""
    try:
        return [read(value)]
    except AttributeError:
        return []
