"""What a derivative stores in the attributes of objects that others may hold, and that has a derivative itself.

Who reads it there while the forward sweep runs would have to carry the derivative on, and may be code that the
derivative does not see: a method, a property, a callback. Until the sweep has ended, the object holds a value instead
that refuses every use. Then it holds what the function itself would have left in it.

    stored = rt.stores()
    layer.x = rt.later(layer, 'x', x)
    ...
    rt.settle(stored)                    layer.x is x from here on
"""
from __future__ import annotations

import contextlib
import sys
import types
import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from ..errors import ArgumentError
from .changes_outside import holds_itself, note_array, note_items
from .checks import check_settable, unchanging
from .containers import described, holds_number, kind_of
from .structure import copy
from .waiting import Waiting, let_be, refuse_use, waits, was_used

DICTS = {dict, defaultdict, OrderedDict}
_OPEN: ContextVar[tuple[weakref.ref[_Stores], ...]] = ContextVar("open", default=())


@dataclass(frozen=True)
class _Stored:
    """x: an object, list or dict; name: of the attribute, the key, or the index; value: what it is to hold; there: what
    stands there instead, or what was there; path, call: by which, and in which call, one text alone reads and assigns
    it (`_Stores.call`); kind: `"attribute"`, `"key"`, `"item"`; of_class: it is not assigned at all, and the class of
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
            return self.x.get(self.name) is self.there
        return self.name < len(self.x) and self.x[self.name] is self.there

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


class _Stores:
    """What one forward sweep has stored, the last of each place. frame: of the call that it belongs to; 0 while what
    made it runs; taken: what attributes held that the text has read; own_values: the same by its id, of which no copies
    are stored; unread: all that stood for something."""

    def __init__(self, frame: int = 0) -> None:
        self.frame = frame                                 # not the frame itself, which holds this
        self.own = object()
        self.found: dict[tuple[int, Any, str], _Stored] = {}
        self.taken: dict[tuple[int, Any, str], Any] = {}
        self.own_values: dict[int, Any] = {}
        self.unread: list[Waiting] = []

    def add(self, one: _Stored) -> Any:
        """Note what is stored; what stands there instead."""
        self.found[id(one.x), one.name, one.kind] = one
        if waits(one.there):
            self.unread.append(one.there)
        return one.there

    def call(self, frame: types.FrameType) -> Any:
        """What stands for a call: its frame, which holds what it has computed, but for that which holds this."""
        return self.own if id(frame) == self.frame else frame

    def running(self) -> bool:
        """The sweep has not ended, in this thread or another one."""
        frames = [one for last in sys._current_frames().values() for one in _frames(last)]
        return self.frame == 0 or any(id(one) == self.frame for one in frames)

    def __del__(self) -> None:
        self.write()                                       # an error has ended the sweep

    def write(self) -> None:
        """Let the objects hold what was stored in them."""
        for one in self.found.values():
            one.write(self.own_values)
        self.found = {}


def stores(inner: bool = False) -> Any:
    """Gathers what is stored from here on, in this call and in those that it makes, until `settle`. inner: not where
    something around gathers already.

    >>> from types import SimpleNamespace
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
    found = _Stores(id(sys._getframe(1)))
    if inner and _gathered() is not None:
        return found
    _OPEN.set((*(one for one in _OPEN.get() if one() is not None), weakref.ref(found)))
    return found


@contextlib.contextmanager
def gathering() -> Iterator[Any]:
    """Gathers what is stored while the body runs, where nothing around it does; else nothing."""
    if _gathered() is not None:
        yield None
        return
    found = _Stores()
    before = _OPEN.set((weakref.ref(found),))
    try:
        yield found
    except BaseException:
        found.frame = -1                                   # of no call: the sweep has ended
        raise
    finally:
        _OPEN.reset(before)


def _gathered() -> _Stores | None:
    """What gathers now: of a call that is still running."""
    opened = [one() for one in _OPEN.get()]
    if not opened:
        return None
    running = {0, *map(id, _frames())}
    return next((one for one in reversed(opened) if one is not None and one.frame in running), None)


def _frames(last: types.FrameType | None = None) -> Iterator[types.FrameType]:
    """The calls that have not ended. last: of another thread."""
    frame: types.FrameType | None = last or sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def check_taken(x: Any, name: Any, path: str, *, item: bool = False) -> None:
    """`x.name`, or an item `x[name]`, is a variable of the text from here on, by this path: refused is that somebody
    else assigns it, before the next `later`, `set_later` or `settle`.

    >>> from types import SimpleNamespace
    >>> def swept(cell):
    ...     stored = stores()
    ...     check_taken(cell, "h", "cell.h")
    ...     cell.h = 5.0
    ...     settle(stored)
    >>> swept(SimpleNamespace(h=0.0))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: h of an object that others may hold is assigned in two ways, and read again: ...
    """
    if isinstance(x, np.ndarray) and not item:             # its shape, its dtype
        return
    if item:
        _check_outer_dict(x)
    if not (name in x if item else hasattr(x, name)):
        raise ArgumentError(f"{described(x)} has no {name} when the function begins: set it before, or in the function "
                            "before it is read")
    if not item:
        check_settable(x, name)
    gathered = _needed(name)
    call = gathered.call(sys._getframe(1))
    kind = "key" if item else "attribute"
    _check_alone(gathered, x, name, path, call, kind)
    held = gathered.taken[id(x), name, kind] = x[name] if item else getattr(x, name)
    gathered.own_values[id(held)] = held
    gathered.add(_Stored(x, name, None, held, path, call, kind))


def is_there(x: Any, name: Any, *, item: bool = False) -> bool:
    """There is an attribute `x.name`, or an item `x[name]`.

    >>> is_there(1.0, "real"), is_there({"h": 1.0}, "g", item=True)
    (True, False)
    """
    if item:
        _check_outer_dict(x)
        return name in x
    return hasattr(x, name)


def check_there(x: Any, name: Any, there: bool, *, item: bool = False) -> None:
    """Raises what Python raises where an attribute `x.name`, or an item `x[name]`, is read that is not there.

    >>> check_there({}, "h", False, item=True)
    Traceback (most recent call last):
    KeyError: 'h'
    """
    if not there:
        raise KeyError(name) if item else AttributeError(f"{type(x).__name__!r} object has no attribute {name!r}")


def later(x: Any, name: str, value: Any, path: str = "", *, fresh: bool = False, constant: bool = False,
          alike: bool = False, begun: bool = False) -> Any:
    """What `x.name` holds until `settle`: nothing that can be read.

    path: the text has a variable for it, and nobody else may assign it; fresh: a list or dict that nothing else holds;
    constant: it has no derivative, and a number, a text or None is there at once; alike: the object is differentiated,
    and its cotangent, which is made when it holds the value, has to fit what the text has read there; begun: it is what
    is there already.

    >>> from types import SimpleNamespace
    >>> layer = SimpleNamespace()
    >>> with gathering():
    ...     layer.x = later(layer, "x", 2.0)
    ...     layer.x + 1.0
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: x of an object that others may hold is assigned a value with a derivative, and ...
    """
    check_settable(x, name)
    if constant and unchanging(value):
        return value
    gathered = _needed(name)
    before = gathered.taken.get((id(x), name, "attribute"))
    if alike and before is not None and not (holds_number(before) and holds_number(value)
                                             and np.shape(value) == np.shape(before)):
        raise ArgumentError(f"{name} of an object that is differentiated is assigned {described(value)}, and was "
                            f"{described(before)} of another shape: keep it under another name")
    if not fresh:
        _check_whole(value, name)
    call = gathered.call(sys._getframe(1))
    _check_alone(gathered, x, name, path, call, "attribute")
    if before is value and isinstance(value, np.ndarray):
        if not holds_itself(x, name):
            raise ArgumentError(f"{name} of {described(x)} is an array of its class, which other objects share, and is "
                                f"changed in place: set {name} in __init__")
        note_array(value)
    return gathered.add(_Stored(x, name, value, Waiting(name, weakref.ref(gathered)), path, call if path else None,
                                of_class=begun and not holds_itself(x, name)))


def append_later(x: Any, value: Any, *, fresh: bool = False) -> None:
    """Appends to a list from outside what stands there until `settle`; a number without a derivative too.

    >>> losses = []
    >>> with gathering() as stored:
    ...     append_later(losses, 2.0)
    >>> len(losses), settle(stored), losses
    (1, None, [2.0])
    """
    if type(x) is not list:
        raise ArgumentError(f"{described(x)} is changed by .append, and others may hold it too: only lists are, or "
                            "return the value")
    note_items(x)
    x.append(_put_later(x, len(x), value, fresh, "item"))


def set_later(x: Any, key: Any, value: Any, path: str = "", *, fresh: bool = False, constant: bool = False) -> None:
    """`x[key] = value` in a dict from outside, where something else stands until `settle`. The rest as for `later`.

    >>> seen = {}
    >>> with gathering() as stored:
    ...     set_later(seen, "y", 2.0)
    >>> list(seen), settle(stored), seen
    (['y'], None, {'y': 2.0})
    """
    _check_outer_dict(x)
    note_items(x)
    if not path:
        x[key] = _put_later(x, key, value, fresh, "key")
        return
    gathered = _needed(key)
    if not fresh:
        _check_whole(value, f"[{key!r}]")
    call = gathered.call(sys._getframe(1))
    _check_alone(gathered, x, key, path, call, "key")
    if gathered.taken.get((id(x), key, "key")) is value and isinstance(value, np.ndarray):
        note_array(value)
    there = value if constant and unchanging(value) else Waiting(f"[{key!r}]", weakref.ref(gathered))
    x[key] = gathered.add(_Stored(x, key, value, there, path, call, "key"))


def _check_outer_dict(x: Any) -> None:
    if type(x) not in DICTS:
        raise ArgumentError(f"an item of {described(x)} is assigned, and others may hold it too: only dicts are "
                            "changed so, or return the value")


def _put_later(x: Any, name: Any, value: Any, fresh: bool, kind: str) -> Any:
    shown = f"[{name!r}]" if kind == "key" else "an item"
    if not fresh:
        _check_whole(value, shown)
    gathered = _needed(shown)
    _check_alone(gathered, x, name, "", None, kind)
    return gathered.add(_Stored(x, name, value, Waiting(shown, weakref.ref(gathered)), kind=kind))


def settle(gathered: Any) -> None:
    """Let each object hold what was stored in it, and refuse where somebody tried to read it before.

    >>> settle(stores())
    """
    for unread in gathered.unread:
        if was_used(unread):
            refuse_use(unread)
    for one in gathered.found.values():
        if one.path and not one.held():
            _two_ways(one.name)
    _OPEN.set(tuple(one for one in _OPEN.get() if one() is not None and one() is not gathered))
    around = _gathered()
    if around is None:
        gathered.write()
        return
    for key, one in gathered.found.items():                # a derivative in the middle of another one
        if key in around.found and around.found[key].path:
            _two_ways(one.name)
    around.found |= gathered.found
    around.own_values |= gathered.own_values
    around.unread += gathered.unread
    gathered.found = {}


def _needed(name: str) -> _Stores:
    gathered = _gathered()
    if gathered is None:
        raise ArgumentError(f"{name} of an object that others may hold is assigned a value with a derivative, in a "
                            "function that is known only when it is called: return the value, or use reverse mode")
    return gathered


def _check_alone(gathered: _Stores, x: Any, name: Any, path: str, call: Any, kind: str) -> None:
    """Refuses that somebody else has assigned what one text reads and assigns by a path, or by another path, or in
    another call of it that has not ended."""
    last = gathered.found.get((id(x), name, kind))
    if last is None or not (last.path or path):
        return
    ended = last.call is not gathered.own and all(frame is not last.call for frame in _frames())
    if not (ended or last.path == path and last.call is call) or not last.held():
        _two_ways(name)


def _two_ways(name: str) -> NoReturn:
    raise ArgumentError(f"{name} of an object that others may hold is assigned in two ways, and read again: "
                        "keep the value in a variable, or return it")


def _check_whole(value: Any, name: str) -> None:
    """Refuses what may change by its items later."""
    if type(value) is tuple:
        for one in value:
            _check_whole(one, name)
    elif kind_of(value) is not None or not (unchanging(value) or isinstance(value, np.ndarray) or holds_number(value)):
        raise ArgumentError(f"{name} of an object that others may hold is assigned {described(value)}: only arrays, "
                            "numbers, texts and None are assigned there, tuples of these, and lists and dicts that are "
                            "written down there; return it too")
