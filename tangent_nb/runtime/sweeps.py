"""What one forward sweep stores in objects, lists and dicts from outside, until it has ended (`stored_outside.py`)."""
from __future__ import annotations

import contextlib
import sys
import types
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from .shared_memory import read_at
from .structure import copy
from .waiting import Waiting, let_be, waits

OPEN: ContextVar[tuple[weakref.ref[Stores], ...]] = ContextVar("open", default=())
ALL: weakref.WeakValueDictionary[int, Stores] = weakref.WeakValueDictionary()        # of all threads


@dataclass(frozen=True)
class Stored:
    """x: an object, list or dict; name: of the attribute, the key, or the index; value: what it is to hold; there: what
    stands there instead, or what was there; path, call: by which, and in which call, one text alone reads and assigns
    it (`Stores.call`); kind: `"attribute"`, `"key"`, `"item"`, or `"list"` for a
    list that one text alone changes; of_class: it is not assigned at all, and the class of
    the object holds it."""

    x: Any
    name: Any
    value: Any
    there: Any
    path: str = ""
    call: Any = None
    kind: str = "attribute"
    of_class: bool = False

    def held(self) -> bool:
        """What was put there is there."""
        if self.kind == "attribute":
            return getattr(self.x, self.name, None) is self.there
        if self.kind == "key":
            counted = type(self.x) is Counter              # it holds 0 for what it does not hold
            return (self.x[self.name] if counted else self.x.get(self.name)) is self.there
        return self.kind == "list" or self.name < len(self.x) and self.x[self.name] is self.there

    def write(self, own: dict[int, Any]) -> None:
        """Let it hold the value, if nobody has stored another one since. own: what is no copy, by its id."""
        place = self.name
        if not self.held():                                # of a list that has changed, where it is now
            place = next((i for i, one in enumerate(self.x if self.kind == "item" else ()) if one is self.there), None)
        if not waits(self.there) or place is None:
            return
        if id(self.value) not in own:                      # the backward sweep restores what changes in place
            own[id(self.value)] = copy(self.value)
        value = own[id(self.value)]
        let_be(self.there, value)
        if self.of_class:
            delattr(self.x, place)
        elif self.kind == "attribute":
            setattr(self.x, place, value)
        else:
            self.x[place] = value


class Stores:
    """What one forward sweep has stored, the last of each place. frame: of the call that it belongs to; 0 while what
    made it runs; taken: what attributes held that the text has read; own_values: the same by its id, of which no copies
    are stored; unread: all that stood for something; beside: the paths that the backward pass reads, by the ids of the
    containers there, which are to stay as they are."""

    def __init__(self, frame: int = 0, beside: Iterable[tuple[Any, str]] = ()) -> None:
        self.frame = frame                                 # not the frame itself, which holds this
        self.own = object()
        self.found: dict[tuple[int, Any, str], Stored] = {}
        self.taken: dict[tuple[int, Any, str], Any] = {}
        self.own_values: dict[int, Any] = {}
        self.unread: list[Waiting] = []
        for ref in ALL.valuerefs():                        # an error has ended them, and somebody keeps it
            if (one := ref()) is not None and not one.running():
                one.end()
        self.beside = {id(one): (path.removesuffix("[:]"), one) for x, path in beside for one in read_at(x, path)}
        ALL[id(self)] = self

    def add(self, one: Stored) -> Any:
        """Note what is stored; what stands there instead."""
        self.found[id(one.x), id(one.there) if one.kind == "item" else one.name, one.kind] = one
        if waits(one.there):
            self.unread.append(one.there)
        return one.there

    def call(self, frame: types.FrameType) -> Any:
        """What stands for a call: its frame, which holds what it has computed, but for that which holds this."""
        return self.own if id(frame) == self.frame else frame

    def running(self) -> bool:
        """The sweep has not ended, in this thread or another one."""
        frames = [one for last in sys._current_frames().values() for one in frames_of(last)]
        return self.frame == 0 or any(id(one) == self.frame for one in frames)

    def __del__(self) -> None:
        self.write()                                       # an error has ended the sweep

    def write(self) -> None:
        """Let the objects hold what was stored in them."""
        for one in self.found.values():
            one.write(self.own_values)
        self.found = {}

    def end(self) -> None:
        """Nothing is stored any more."""
        ALL.pop(id(self), None)
        self.write()


def stores(xs: Sequence[Any] = (), paths: Sequence[str] = (), *, inner: bool = False) -> Any:
    """Gathers what is stored from here on, in this call and in those that it makes, until `settle`. paths: from each of
    `xs`, to what the backward pass reads, which may not hold the containers in which it is stored; inner: not where
    something around gathers already.

    >>> from types import SimpleNamespace
    >>> from tangent_nb.runtime import later, settle
    >>> def swept(layer):
    ...     stored = stores()
    ...     layer.x = later(layer, "x", 2.0)
    ...     print(layer)
    ...     settle(stored)
    ...     print(layer)
    >>> swept(SimpleNamespace())
    namespace(x=<what is stored here when the forward sweep of the derivative has ended>)
    namespace(x=2.0)
    """
    found = Stores(id(sys._getframe(1)), zip(xs, paths, strict=True))
    if inner and gathered_now() is not None:
        return found
    OPEN.set((*(one for one in OPEN.get() if one() is not None), weakref.ref(found)))
    return found


@contextlib.contextmanager
def gathering() -> Iterator[Any]:
    """Gathers what is stored while the body runs, where nothing around it does; else nothing."""
    if gathered_now() is not None:
        yield None
        return
    found = Stores()
    before = OPEN.set((weakref.ref(found),))
    try:
        yield found
    except BaseException:
        found.frame = -1                                   # of no call: the sweep has ended
        raise
    else:
        ALL.pop(id(found), None)
    finally:
        OPEN.reset(before)


def gathered_now() -> Stores | None:
    """What gathers now: of a call that is still running."""
    opened = [one() for one in OPEN.get()]
    if not opened:
        return None
    running = {0, *map(id, frames_of())}
    return next((one for one in reversed(opened) if one is not None and one.frame in running), None)


def frames_of(last: types.FrameType | None = None) -> Iterator[types.FrameType]:
    """The calls that have not ended. last: of another thread."""
    frame: types.FrameType | None = last or sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back
