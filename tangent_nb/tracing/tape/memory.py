"""Whose memory is in a value: the numbers and arrays that it holds, each array with the memory that it is a part of."""
from __future__ import annotations

import functools
import os
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...runtime.attributes import own_dict
from ...runtime.containers import NUMBERS, held_by, kind_of, names_outside
from ...runtime.waiting import waits
from ..texts import OURS


class Leaf(NamedTuple):
    """A number or an array. owner: the array whose memory it is, None of a number; bytes: of that memory; whole: it is
    all of it."""

    shape: tuple[int, ...]
    dtype: str
    owner: Any
    bytes: int
    whole: bool

    @property
    def memory(self) -> int:
        """What tells one memory from another while both are there."""
        return id(self.owner)


FLOAT = Leaf((), "float", None, 8, True)


def leaves_of(value: Any) -> Iterator[Leaf]:
    """The numbers and arrays in a value: in containers, in objects, in what functions of ours keep.

    >>> one = np.ones(10)
    >>> [(leaf.shape, leaf.bytes, leaf.whole) for leaf in leaves_of([one[:3], (2.0, {"a": one})])]
    [((3,), 80, False), ((), 8, True), ((10,), 80, True)]
    """
    if (alone := leaf_of(value)) is not None:
        yield alone
        return
    seen: dict[int, Any] = {}                              # held, so that no other object comes to its place
    todo = [value]
    while todo:
        one = todo.pop()
        if (leaf := leaf_of(one)) is not None:
            yield leaf
        elif id(one) not in seen and not waits(one):
            parts = _parts(one)
            if parts:
                seen[id(one)] = one
                todo += reversed(parts)


def leaf_of(value: Any) -> Leaf | None:
    """What a number or an array is; None of what is neither."""
    kind = type(value)                                     # not __class__, which an object may answer as it likes
    if kind is float:
        return FLOAT
    if issubclass(kind, np.ndarray):
        return _of_array(value)
    return Leaf((), _named(value), None, _size(value), True) if issubclass(kind, NUMBERS) else None


def _of_array(value: Any) -> Leaf:
    owner = value
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    shape = np.ndarray.shape.__get__(value)
    if np.ndarray.dtype.__get__(value).kind == "O":
        return Leaf(shape, "object", owner, 8 * owner.size, owner is value)
    return Leaf(shape, str(np.ndarray.dtype.__get__(value)), owner, int(owner.nbytes), owner is value)


def _named(number: Any) -> str:
    return str(number.dtype) if isinstance(number, np.generic) else type(number).__name__


def _size(number: Any) -> int:
    if isinstance(number, np.generic):
        return int(number.nbytes)
    return 16 if isinstance(number, complex) else 1 if isinstance(number, bool) else 8


def _parts(one: Any) -> Sequence[Any]:
    """What a value is made of, without running code of its class."""
    kind = type(one)
    if kind is list or kind is tuple:
        return one                                         # type: ignore[no-any-return]
    if kind is dict:
        return list(one.values())
    if isinstance(one, types.FunctionType):
        ours = one.__code__.co_filename.startswith(OURS + os.sep)          # whose integers count and place
        return [part for part in held_by(one).values() if not isinstance(part, int)] if ours else ()
    if isinstance(one, (str, bytes, type, types.ModuleType, types.BuiltinFunctionType)) or one is None:
        return ()
    known = None if isinstance(one, functools.partial) else kind_of(one)
    if known is not None:
        return list(known.parts(one).values())
    if kind.__module__ == "builtins":
        return ()
    slots = [name for base in kind.__mro__ if base.__module__.split(".")[0] == __name__.split(".")[0]
             for name in vars(base).get("__slots__", ()) if not name.startswith("__")]
    found = [*own_dict(one).values(), *(object.__getattribute__(one, name) for name in slots if hasattr(one, name))] \
        if not isinstance(one, functools.partial) else [*one.args, *one.keywords.values()]
    return [part for part in found if not isinstance(part, int)] if slots else found


def held_in(named: Mapping[str, Any], says: str) -> dict[int, tuple[Any, str]]:
    """The memory that stays though nothing is saved, by what tells one memory from another: the owner, and how messages
    call it. named: what holds it, by name; says: what these are, `argument` or `outside`."""
    found: dict[int, tuple[Any, str]] = {}
    for name, value in named.items():
        for leaf in leaves_of(value):
            if leaf.owner is not None:
                found.setdefault(leaf.memory, (leaf.owner, f"{says} {name}"))
    return found


def outside_of(frame: types.FrameType) -> dict[str, Any]:
    """What a function that runs sees outside: of its module, and in its cells."""
    code, scope = frame.f_code, frame.f_globals
    local = frame.f_locals if code.co_freevars else {}
    seen = {name: scope[name] for name in names_outside(code) if name in scope}
    return seen | {name: local[name] for name in code.co_freevars if name in local}
