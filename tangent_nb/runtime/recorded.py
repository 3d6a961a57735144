"""Loops over what may be an iterator: each item is taken when the loop asks for it, and kept,
so that the backward sweep can go back."""
from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from inspect import getattr_static
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .attributes import own_dict
from .constants import PLAIN, name_here
from .containers import kind_of
from .persistent import PersistentArray

HOLDING: tuple[Any, ...] = ([], (), {}, set(), "", b"", deque(), range(0), {}.keys(), {}.values(), {}.items())
STEADY = frozenset([int, np.ndarray, *(one for x in HOLDING for one in (type(x), type(iter(x)))),
                    *(type(reversed(x)) for x in HOLDING if hasattr(x, "__reversed__")), type(iter(range(1 << 64)))])
WRAPPING = (zip, enumerate, reversed, type(iter(np.ones(1))))          # the last one goes over what has `__getitem__`


class recorded:
    """The items of an iterable, taken one by one as a loop asks for them, and kept.

    The iterator is let go of when the loop is left, as in Python.

    Where more than Python's own code gives them, states holds what each item held when the body was through with it,
    and watched are the objects that the function looks into, with the name of what it reads, `""` for all: taking an
    item must not change that in place.

    >>> numbers = iter([1, 2, 3, 4])
    >>> items = recorded(numbers)
    >>> for n in items:
    ...     if n == 2: break
    >>> list(reversed(items)), next(numbers)
    ([2, 1], 3)
    """

    def __init__(self, iterable: Any, watched: Sequence[tuple[Any, str]] = ()) -> None:
        self.source: Any = iter(iterable)
        self.items: list[Any] = []
        steady = is_steady(self.source)
        self.states: list[Any] | None = None if steady else []
        self.watched = () if steady else watched

    def __iter__(self) -> Iterator[Any]:
        source, self.source = self.source, None
        if source is None:                                 # once more
            yield from self.items
            return
        try:
            seen = self._seen()
            for item in _left(source):
                self._check(seen)
                self.items.append(item)
                yield item
                self._through()
                seen = self._seen()
            self._check(seen)
        except GeneratorExit:
            self._through()
            raise

    def _through(self) -> None:
        if self.states is not None:
            self.states.append(state(self.items[-1]))

    def _seen(self) -> list[tuple[Any, Any]]:
        """What the function reads of what it looks into, with what that holds now."""
        return [(value, state(value)) for value in (_looked_at(*one) for one in self.watched)]

    def _check(self, seen: list[tuple[Any, Any]]) -> None:
        for (value, before), (owner, name) in zip(seen, self.watched, strict=True):
            fixed = hasattr(np.ndarray, name)              # .shape, .T: taken for what it was
            if state(_looked_at(owner, name) if fixed else value) != before:
                what = f".{name}, which is read here" if name else "an object that a function is given here"
                raise ArgumentError(f"what this loop goes over changes {what}: let a copy of it be read, np.array(...)")

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, place: int) -> Any:
        item = self.items[place]
        if self.states is not None and state(item) != self.states[place]:
            raise ArgumentError("an item of this loop has been changed since it was gone over, "
                                "by what gives the items: let that give a copy of it, or a new one each time")
        return item

    def __reversed__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self.items) - 1, -1, -1))


def _left(source: Any) -> Iterator[Any]:
    """What an iterator has yet to give, which need not be iterable itself."""
    while True:
        try:
            item = next(source)
        except StopIteration:
            return
        yield item


def _looked_at(owner: Any, name: str) -> Any:
    """An attribute that an object holds, without running the code of its class; the object where no name is given."""
    return getattr_static(owner, name, None) if name else owner


def is_steady(source: Any) -> bool:
    """Going over it changes nothing, and runs no code but Python's own.

    >>> is_steady(zip([1], enumerate("a"))), is_steady(x for x in "a")
    (True, False)
    """
    kind: Any = type(source)
    if kind in STEADY:
        return True
    return kind in WRAPPING and all(map(is_steady, source.__reduce__()[1]))


def steady(x: Any) -> Any:
    """What is gone over before it is its turn, `x`: refused where somebody could see that.

    >>> steady([1.0, 2.0]), steady(len)
    ([1.0, 2.0], <built-in function len>)
    """
    if type(x) is not np.ndarray and hasattr(x, "__iter__") and (isinstance(x, Iterator) or not is_steady(iter(x))):
        raise ArgumentError(f"{name_here(x)} gives its items one by one, and here they are all taken beforehand: "
                            "pass a list of them, list(...)")
    return x


def numbered(x: Any) -> Any:
    """What is gone over by the places of its items, `x[i]`, beside something else.

    >>> numbered([1.0, 2.0]), numbered("ab")
    ([1.0, 2.0], 'ab')
    """
    if isinstance(x, (list, tuple, np.ndarray, range, str)):
        return x
    raise ArgumentError(f"{name_here(x)} is gone over beside a generator, by the places of its items, and is of type "
                        f"{type(x).__name__}: pass a list of them, list(...)")


def state(value: Any, seen: set[int] | None = None) -> Any:
    """What a value holds, to be compared: of arrays and containers their parts, of anything else the thing itself.

    >>> a = [1.0, np.zeros(2)]
    >>> before = state(a); a[1][0] = 3.0; state(a) == before
    False
    """
    kind: Any = type(value)
    if isinstance(value, PersistentArray):
        return id(value)
    if kind in PLAIN and not isinstance(value, np.ndarray):
        return kind, value if value == value else "nan"
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return id(value), value.shape, value.dtype, hash(value.tobytes())
    seen = set() if seen is None else seen
    if id(value) in seen:
        return id(value)
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return id(value), value.shape, [state(item, seen) for item in value.flat]
    if isinstance(value, (set, frozenset, deque)):
        return id(value), [state(item, seen) for item in value]
    found = kind_of(value)
    parts = found.parts(value) if found is not None \
        else own_dict(value) if not isinstance(value, type) else {}
    return id(value), [(id(key) if type(key) not in PLAIN else key, state(part, seen))
                       for key, part in list(parts.items())]
