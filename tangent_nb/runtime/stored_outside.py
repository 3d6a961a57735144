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

import sys
import types
import weakref
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from ..errors import ArgumentError
from .changes_outside import holds_itself, note_array, note_items
from .checks import check_settable, unchanging
from .containers import OBJECT, SEQUENCE, article, described, holds_number, kind_of
from .sweeps import ALL, OPEN, Stored, Stores, frames_of, gathered_now
from .waiting import Waiting, refuse_use, waits, was_used

DICTS = {dict, defaultdict, OrderedDict, Counter}


def check_taken(x: Any, name: Any, path: str, *, item: bool = False) -> None:
    """`x.name`, or an item `x[name]`, is a variable of the text from here on, by this path: refused is that somebody
    else assigns it, before the next `later`, `set_later` or `settle`.

    >>> from types import SimpleNamespace
    >>> from tangent_nb.runtime.sweeps import stores
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
    if not (name in x or type(x) is Counter if item else hasattr(x, name)):
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
    gathered.add(Stored(x, name, None, held, path, call, kind))


def is_there(x: Any, name: Any, *, item: bool = False, counted: bool = False) -> bool:
    """There is an attribute `x.name`, or an item `x[name]`. counted: or it is read as 0 where there is none.

    >>> is_there(1.0, "real"), is_there({"h": 1.0}, "g", item=True), is_there(Counter(), "g", item=True, counted=True)
    (True, False, True)
    """
    if item:
        _check_outer_dict(x)
        return name in x or counted and type(x) is Counter
    return hasattr(x, name)


def check_there(x: Any, name: Any, there: bool, *, item: bool = False) -> None:
    """Raises what Python raises where an attribute `x.name`, or an item `x[name]`, is read that is not there.

    >>> check_there({}, "h", False, item=True)
    Traceback (most recent call last):
    KeyError: 'h'
    """
    if not there:
        missing(x, name, item=item)


def missing(x: Any, name: Any, *, item: bool = False) -> int:
    """What `x[name]` gives for an item, or `x.name` for an attribute, that is not there: 0 of a counter; the others
    raise.
    """
    if item and type(x) is Counter:
        return 0
    if item and type(x) is defaultdict and x.default_factory is not None:
        raise ArgumentError(f"a defaultdict has no {name!r} when the function begins, and would make it: set it "
                            "before, or in the function before it is read")
    raise KeyError(name) if item else AttributeError(f"{type(x).__name__!r} object has no attribute {name!r}")


def check_each(xs: Any, name: str, path: str, *, number: bool = False) -> None:
    """`check_taken` for each object in a list, which has to hold it once. number: it is added to in place.

    >>> from tangent_nb.runtime.sweeps import gathering
    >>> from types import SimpleNamespace
    >>> cell = SimpleNamespace(h=0.0)
    >>> with gathering():
    ...     check_each([cell, cell], "h", "cells[].h")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a list holds an object twice, and h of its objects is assigned, and read ...
    """
    if kind_of(xs) is not SEQUENCE:
        raise ArgumentError(f"{name} of the objects in {described(xs)} is assigned, and read again: only lists and "
                            "tuples of objects are gone over so")
    if len({id(x) for x in xs}) < len(xs):
        raise ArgumentError(f"{article(type(xs).__name__)} holds an object twice, and {name} of its objects is "
                            "assigned, and read again: keep the value in a variable, or return it")
    for x in xs:
        check_taken(x, name, path)
        if number:
            _check_number(getattr(x, name), name)


def check_later(x: Any, tangent: Any) -> None:
    """The tangent of an object, a value of the text, waits where the object does: it is that of what was there before.

    >>> from tangent_nb.runtime.sweeps import gathering
    >>> from types import SimpleNamespace
    >>> layer, along = SimpleNamespace(), SimpleNamespace(x=1.0)
    >>> with gathering():
    ...     layer.x = later(layer, "x", 2.0)
    ...     check_later(layer, along)
    ...     along.x + 1.0
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: x of an object that others may hold is assigned, and read again where the ...
    """
    kind, others = kind_of(x), kind_of(tangent)
    along = others.parts(tangent) if others is not None else {}
    for key, part in kind.parts(x).items() if kind is not None else ():
        if waits(part) and key in along and kind is OBJECT:
            object.__setattr__(tangent, key, part)
        elif key in along:
            check_later(part, along[key])


def _check_number(value: Any, name: str) -> None:
    if not unchanging(value):
        raise ArgumentError(f"{name} of an object that others may hold is {described(value)}, and is changed in place: "
                            "assign a new value, ... = ... + ...")


def later(x: Any, name: str, value: Any, path: str = "", *, fresh: bool = False, constant: bool = False,
          alike: bool = False, begun: bool = False, number: bool = False) -> Any:
    """What `x.name` holds until `settle`: nothing that can be read.

    path: the text has a variable for it, and nobody else may assign it; fresh: a list or dict that nothing else holds;
    constant: it has no derivative, and a number, a text or None is there at once; alike: the object is differentiated,
    and its cotangent, which is made when it holds the value, has to fit what the text has read there; begun: it is what
    is there already; number: it is added to in place.

    >>> from tangent_nb.runtime.sweeps import gathering
    >>> from types import SimpleNamespace
    >>> layer = SimpleNamespace()
    >>> with gathering():
    ...     layer.x = later(layer, "x", 2.0)
    ...     layer.x + 1.0
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: x of an object that others may hold is assigned, and read again where the ...
    """
    check_settable(x, name)
    if number:
        _check_number(value, name)
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
    return gathered.add(Stored(x, name, value, Waiting(name, weakref.ref(gathered)), path, call if path else None,
                                of_class=begun and not holds_itself(x, name)))


def check_taken_items(x: Any, path: str) -> None:
    """The text has a list of its own for this one from here on: refused is that somebody else changes it.

    >>> from tangent_nb.runtime.sweeps import gathering
    >>> with gathering():
    ...     check_taken_items((1.0,), "self.log")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a tuple is changed by its methods, and others may hold it too: only lists are, ...
    """
    _check_outer_list(x)
    gathered = _needed(path)
    call = gathered.call(sys._getframe(1))
    _check_alone(gathered, x, "", path, call, "list")
    gathered.add(Stored(x, "", None, None, path, call, "list"))


def append_later(x: Any, value: Any, path: str = "", *, fresh: bool = False) -> None:
    """Appends to a list from outside what stands there until `settle`; a number without a derivative too.

    >>> from tangent_nb.runtime.sweeps import gathering
    >>> losses = []
    >>> with gathering() as stored:
    ...     append_later(losses, 2.0)
    >>> len(losses), settle(stored), losses
    (1, None, [2.0])
    """
    _check_outer_list(x)
    note_items(x)
    x.append(_item_later(x, len(x), value, path, fresh, sys._getframe(1)))


def insert_later(x: Any, index: int, value: Any, path: str, *, fresh: bool = False) -> None:
    """The same by `x.insert(index, value)`."""
    note_items(x, whole=True)
    x.insert(index, _item_later(x, index, value, path, fresh, sys._getframe(1)))


def put_later(x: Any, index: int, value: Any, path: str, *, fresh: bool = False, number: bool = False) -> None:
    """The same by `x[index] = value`. number: by `x[index] += ...`, which would change an array that stands there."""
    if not hasattr(index, "__index__"):
        raise ArgumentError(f"{described(index)} is an index into {path}, which others may hold: only numbers are, or "
                            "return the list")
    if number:
        before = x[index]
        stored = _needed(path).found.get((id(x), id(before), "item"))
        _check_number(before if stored is None else stored.value, "an item")
    _put_later(x, index, value, path, fresh, sys._getframe(1))


def _put_later(x: Any, index: int, value: Any, path: str, fresh: bool, frame: types.FrameType) -> None:
    note_items(x, whole=True)
    before, waiting = x[index], _item_later(x, index % len(x), value, path, fresh, frame)
    gathered_now().found.pop((id(x), id(before), "item"), None)    # type: ignore[union-attr]
    x[index] = waiting


def refill_later(x: Any, items: Sequence[Any], path: str) -> None:
    """A list from outside has these items in the place of its own.

    >>> from tangent_nb.runtime.sweeps import gathering
    >>> order = [3.0, 1.0, 2.0]
    >>> with gathering() as stored:
    ...     refill_later(order, [1.0, 2.0, 3.0], "order")
    >>> settle(stored), order
    (None, [1.0, 2.0, 3.0])
    """
    _clear(x, path, sys._getframe(1))
    for value in items:
        x.append(_item_later(x, len(x), value, path, False, sys._getframe(1)))


def pop_later(x: Any, index: int, path: str) -> None:
    """An item of a list from outside is gone, whether it was there before, or is stored later."""
    gathered = _needed(path)
    _check_alone(gathered, x, "", path, gathered.call(sys._getframe(1)), "list")
    note_items(x, whole=True)
    gathered.found.pop((id(x), id(x.pop(index)), "item"), None)


def clear_later(x: Any, path: str) -> None:
    """All items of a list from outside are gone."""
    _clear(x, path, sys._getframe(1))


def _clear(x: Any, path: str, frame: types.FrameType) -> None:
    gathered = _needed(path)
    _check_alone(gathered, x, "", path, gathered.call(frame), "list")
    note_items(x, whole=True)
    for one in x:
        gathered.found.pop((id(x), id(one), "item"), None)
    x.clear()


def _check_outer_list(x: Any) -> None:
    if type(x) is not list:
        raise ArgumentError(f"{described(x)} is changed by its methods, and others may hold it too: only lists are, or "
                            "return the value")


def _item_later(x: Any, index: int, value: Any, path: str, fresh: bool, frame: types.FrameType) -> Any:
    if not fresh:
        _check_whole(value, "an item")
    gathered = _needed("an item")
    _check_alone(gathered, x, "", path, gathered.call(frame), "list")
    return gathered.add(Stored(x, index, value, Waiting("an item", weakref.ref(gathered)), kind="item"))


def set_later(x: Any, key: Any, value: Any, path: str = "", *, fresh: bool = False, constant: bool = False) -> None:
    """`x[key] = value` in a dict from outside, or a list, where something else stands until `settle`. The rest as for
    `later`.

    >>> from tangent_nb.runtime.sweeps import gathering
    >>> seen = {}
    >>> with gathering() as stored:
    ...     set_later(seen, "y", 2.0)
    >>> list(seen), settle(stored), seen
    (['y'], None, {'y': 2.0})
    """
    if type(x) is list and type(key) is int:
        _put_later(x, key, value, path, fresh, sys._getframe(1))
        return
    _check_outer_dict(x)
    note_items(x)
    gathered = _needed(f"[{key!r}]")
    if not fresh:
        _check_whole(value, f"[{key!r}]")
    call = gathered.call(sys._getframe(1))
    _check_alone(gathered, x, key, path, call, "key")
    if gathered.taken.get((id(x), key, "key")) is value and isinstance(value, np.ndarray):
        note_array(value)
    there = value if constant and unchanging(value) else Waiting(f"[{key!r}]", weakref.ref(gathered))
    x[key] = gathered.add(Stored(x, key, value, there, path, call if path else None, "key"))


def _check_outer_dict(x: Any) -> None:
    if type(x) not in DICTS:
        raise ArgumentError(f"an item of {described(x)} is assigned, and others may hold it too: only dicts and "
                            "lists are changed so, or return the value")


def settle(gathered: Any) -> None:
    """Let each object hold what was stored in it, and refuse where somebody tried to read it before.

    >>> from tangent_nb.runtime.sweeps import stores
    >>> settle(stores())
    """
    for unread in gathered.unread:
        if was_used(unread):
            refuse_use(unread)
    for one in gathered.found.values():
        if one.path and not one.held():
            _two_ways(one.name)
    OPEN.set(tuple(one for one in OPEN.get() if one() is not None and one() is not gathered))
    around = gathered_now()
    ALL.pop(id(gathered), None)
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


def _needed(name: str) -> Stores:
    gathered = gathered_now()
    if gathered is None:
        raise ArgumentError(f"{name} of an object that others may hold is assigned in a function that is known "
                            "only when it is called: return the value, or use reverse mode")
    return gathered


def _check_alone(gathered: Stores, x: Any, name: Any, path: str, call: Any, kind: str) -> None:
    """Refuses that somebody else has assigned what one text reads and assigns by a path, or by another path, or in
    another call of it that has not ended."""
    if kind != "attribute" and id(x) in gathered.beside:
        read, _ = gathered.beside[id(x)]
        raise ArgumentError(f"{path or described(x)} changes, and {read} is, or holds, the same {type(x).__name__}: "
                            f"let {read} be a copy")
    last = gathered.found.get((id(x), name, kind))
    if last is None or not (last.path or path):
        return
    ended = last.call is not gathered.own and all(frame is not last.call for frame in frames_of())
    if not (ended or last.path == path and last.call is call) or not last.held():
        _two_ways(name or path or "an item")


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
