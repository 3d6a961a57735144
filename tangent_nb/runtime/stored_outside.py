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
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .changes_outside import note_items
from .checks import check_settable, unchanging
from .containers import described, holds_number, kind_of
from .structure import copy

DICTS = {dict, defaultdict, OrderedDict}
_OPEN: ContextVar[tuple[weakref.ref[_Stores], ...]] = ContextVar("open", default=())


@dataclass(frozen=True)
class _Stored:
    """x: an object, list or dict; name: of the attribute, or the key; value: what it is to hold; there: what stands
    there instead; path, call: by which, and in which call, one text alone reads and assigns it (`_Stores.call`)."""

    x: Any
    name: Any
    value: Any
    there: Any
    path: str = ""
    call: Any = None
    by_key: bool = False

    def read(self) -> Any:
        """What is there now; of a list, what is there instead, as long as it is."""
        if type(self.x) is list:
            return next((one for one in self.x if one is self.there), None)
        return self.x.get(self.name) if self.by_key else getattr(self.x, self.name, None)

    def write(self) -> None:
        """Let it hold the value, if nobody has stored another one since."""
        if type(self.there) is not _Unread or self.read() is not self.there:
            return
        value = copy(self.value)                           # the backward sweep restores what has changed in place
        if type(self.x) is list:
            self.x[next(i for i, one in enumerate(self.x) if one is self.there)] = value
        elif self.by_key:
            self.x[self.name] = value
        else:
            setattr(self.x, self.name, value)


class _Stores:
    """What one forward sweep has stored. frame: of the call that it belongs to; 0 while what made it runs."""

    def __init__(self, frame: int = 0) -> None:
        self.frame = frame                                 # not the frame itself, which holds this
        self.own = object()
        self.found: list[_Stored] = []

    def call(self, frame: types.FrameType) -> Any:
        """What stands for a call: its frame, which holds what it has computed, but for that which holds this."""
        return self.own if id(frame) == self.frame else frame

    def __del__(self) -> None:
        _write(self)                                       # an error has ended the sweep


class _Unread:
    """Stands in an object for what it will hold when the forward sweep has ended; used: somebody tried to read it."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "used", False)

    def __repr__(self) -> str:
        return "<what is stored here when the forward sweep of the derivative has ended>"


def _refuse(unread: Any, *args: Any, **keywords: Any) -> Any:
    object.__setattr__(unread, "used", True)
    name = object.__getattribute__(unread, "name")
    raise ArgumentError(f"{name} of an object that others may hold is assigned a value with a derivative, and read "
                        "again where the derivative does not see it: keep the value in a variable, or return it")


_VALUES: tuple[Any, ...] = (0, 0.0, [], {}, np.zeros(0), len)
for _kind in {_kind for _value in _VALUES for _kind in type(_value).__mro__}:     # all that can be done with a value
    for _name, _method in vars(_kind).items():
        if isinstance(_method, types.WrapperDescriptorType | types.MethodDescriptorType) \
                and _name.startswith("__") and _name not in vars(_Unread):
            setattr(_Unread, _name, _refuse)


def waits(value: Any) -> bool:
    """A value stands for one that is stored when the forward sweep has ended: who looks at values leaves it alone.

    >>> waits(2.0)
    False
    """
    return type(value) is _Unread


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
    finally:
        _OPEN.reset(before)


def _gathered() -> _Stores | None:
    """What gathers now: of a call that is still running."""
    opened = [one() for one in _OPEN.get()]
    if not opened:
        return None
    running = _running()
    return next((one for one in reversed(opened) if one is not None and one.frame in running), None)


def _running() -> set[int]:
    """The calls that have not ended."""
    found, frame = {0}, sys._getframe(1)
    while frame is not None:
        found.add(id(frame))
        frame = frame.f_back  # type: ignore[assignment]
    return found


def _runs(call: Any) -> bool:
    """A call has not ended."""
    frame = sys._getframe(1)
    while frame is not None and frame is not call:
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None


def check_taken(x: Any, name: str, path: str, number: bool = False) -> None:
    """`x.name` is a variable of the text from here on, by this path: refused is that somebody else assigns it, before
    the next `later` or `settle`. number: it is counted up.

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
    if isinstance(x, np.ndarray):                          # its shape, its dtype
        return
    if not hasattr(x, name):
        raise ArgumentError(f"{described(x)} has no {name} when the function begins: set it before, or in the function "
                            "before it is read")
    check_settable(x, name, *[getattr(x, name)] * number)
    gathered = _needed(name)
    call = gathered.call(sys._getframe(1))
    _check_alone(gathered, x, name, path, call)
    gathered.found.append(_Stored(x, name, None, getattr(x, name), path, call))


def later(x: Any, name: str, value: Any, path: str = "", *, fresh: bool = False, constant: bool = False,
          alike: bool = False) -> Any:
    """What `x.name` holds until `settle`: nothing that can be read.

    path: the text has a variable for it, and nobody else may assign it; fresh: a list or dict that nothing else holds;
    constant: it has no derivative, and a number, a text or None is there at once; alike: the object is differentiated,
    and its cotangent is made when it holds the value.

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
    before: Any = getattr(x, name, None)
    if type(before) is _Unread:
        before = next((one.value for one in gathered.found if one.there is before), None)
    if alike and holds_number(before) and not (holds_number(value) and np.shape(value) == np.shape(before)):
        raise ArgumentError(f"{name} of an object that is differentiated is assigned {described(value)}, and was "
                            f"{described(before)} of another shape: keep it under another name")
    if not fresh:
        _check_whole(value, name)
    call = gathered.call(sys._getframe(1))
    _check_alone(gathered, x, name, path, call)
    unread = _Unread(name)
    gathered.found.append(_Stored(x, name, value, unread, path, call if path else None))
    return unread


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
    x.append(_put_later(x, "an item", value, fresh))


def set_later(x: Any, key: Any, value: Any, *, fresh: bool = False) -> None:
    """`x[key] = value` in a dict from outside, where something else stands until `settle`.

    >>> seen = {}
    >>> with gathering() as stored:
    ...     set_later(seen, "y", 2.0)
    >>> list(seen), settle(stored), seen
    (['y'], None, {'y': 2.0})
    """
    if type(x) not in DICTS:
        raise ArgumentError(f"an item of {described(x)} is assigned, and others may hold it too: only dicts are "
                            "changed so, or return the value")
    note_items(x)
    x[key] = _put_later(x, key, value, fresh, by_key=True)


def _put_later(x: Any, name: Any, value: Any, fresh: bool, by_key: bool = False) -> Any:
    shown = f"[{name!r}]" if by_key else name
    if not fresh:
        _check_whole(value, shown)
    unread = _Unread(shown)
    _needed(shown).found.append(_Stored(x, name, value, unread, by_key=by_key))
    return unread


def settle(gathered: Any) -> None:
    """Let each object hold what was stored in it, and refuse where somebody tried to read it before.

    >>> settle(stores())
    """
    for one in gathered.found:
        if type(one.there) is _Unread and object.__getattribute__(one.there, "used"):
            _refuse(one.there)
        if one.path:
            _check_alone(gathered, one.x, one.name, one.path, one.call)
    _OPEN.set(tuple(one for one in _OPEN.get() if one() is not None and one() is not gathered))
    around = _gathered()
    if around is None:
        _write(gathered)
    else:                                                  # a derivative in the middle of another one
        around.found += gathered.found
        gathered.found.clear()


def _write(gathered: _Stores) -> None:
    for one in gathered.found:
        one.write()
    gathered.found.clear()


def _needed(name: str) -> _Stores:
    gathered = _gathered()
    if gathered is None:
        raise ArgumentError(f"{name} of an object that others may hold is assigned a value with a derivative, in a "
                            "function that is known only when it is called: return the value, or use reverse mode")
    return gathered


def _check_alone(gathered: _Stores, x: Any, name: str, path: str, call: Any) -> None:
    """Refuses that somebody else has assigned what one text reads and assigns by a path, or by another path, or in
    another call of it that has not ended."""
    last = next((one for one in reversed(gathered.found) if one.x is x and one.name == name and not one.by_key), None)
    if last is None or not (last.path or path):
        return
    alone = last.path == path and last.call is call or not (last.call is gathered.own or _runs(last.call))
    if not alone or last.read() is not last.there:
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
