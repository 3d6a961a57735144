"""What stands in an object, list or dict for a value that is there when the forward sweep of a derivative has ended.

Until then it refuses every use but `is` and `type(...)`; from then on whoever has kept it gets the value, and so does
who looks at the object when an error has ended the sweep.
"""
from __future__ import annotations

import operator
import types
import weakref
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

import numpy as np

from ..errors import ArgumentError


class Sweep(Protocol):
    """running: it has not ended, in any thread; write: let the objects hold what it has stored in them."""

    def running(self) -> bool: ...

    def write(self) -> None: ...


class Waiting:
    """values: what it stands for, once it is known; used: somebody tried to read it before; sweep: that which stores
    it."""

    def __init__(self, name: str, sweep: weakref.ref[Any]) -> None:
        for field, value in {"name": name, "used": False, "values": [], "sweep": sweep}.items():
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        values = _ended(self)
        return repr(values[0]) if values \
            else "<what is stored here when the forward sweep of the derivative has ended>"


def waits(value: Any) -> bool:
    """A value stands for one that is stored when the forward sweep has ended: who looks at values leaves it alone.

    >>> waits(2.0)
    False
    """
    return type(value) is Waiting


def was_used(value: Waiting) -> bool:
    """Somebody tried to read it before it was there.

    >>> was_used(Waiting("h", lambda: None))
    False
    """
    return bool(object.__getattribute__(value, "used"))


def let_be(waiting: Waiting, value: Any) -> None:
    """It is this value from now on.

    >>> waiting = Waiting("h", lambda: None)
    >>> let_be(waiting, 2.0); waiting + 1.0
    3.0
    """
    object.__setattr__(waiting, "values", [value])


def refuse_use(waiting: Any) -> NoReturn:
    """Nobody may read it yet.

    >>> refuse_use(Waiting("h", lambda: None))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: h of an object that others may hold is assigned, and read again where the ...
    """
    object.__setattr__(waiting, "used", True)
    name = object.__getattribute__(waiting, "name")
    raise ArgumentError(f"{name} of an object that others may hold is assigned, and read again where the "
                        "derivative does not see it: keep the value in a variable, or return it")


def _ended(waiting: Any) -> list[Any]:
    """The value that it stands for, where the sweep has ended; an error may have ended it."""
    sweep = object.__getattribute__(waiting, "sweep")()
    if sweep is not None and not sweep.running():
        sweep.write()
    found: list[Any] = object.__getattribute__(waiting, "values")
    return found


def _waited_for(waiting: Any) -> Any:
    values = _ended(waiting)
    return values[0] if values else refuse_use(waiting)


def _without(value: Any) -> Any:
    """The same with what it stands for, in lists and tuples, as lists, too."""
    if isinstance(value, (list, tuple)):
        return [_without(one) for one in value]
    return _waited_for(value) if waits(value) else value


def _passing_on(name: str) -> Callable[..., Any]:
    """The method of this name of what it stands for."""
    def method(waiting: Any, *args: Any, **keywords: Any) -> Any:
        value = _waited_for(waiting)
        given = _without(args)
        if name == "__array_ufunc__":
            return getattr(given[0], given[1])(*given[2:], **keywords)
        if name == "__array_function__":
            return given[0](*given[2], **given[3])
        if name.startswith("__r") and f"__{name[3:]}" in vars(operator):
            return getattr(operator, f"__{name[3:]}")(given[0], value)
        return getattr(operator, name)(value, *given) if name in vars(operator) else \
            getattr(value, name)(*given, **keywords)

    return method


_VALUES: tuple[Any, ...] = (0, 0.0, [], {}, np.zeros(0), len)
for _kind in {_kind for _value in _VALUES for _kind in type(_value).__mro__}:     # all that can be done with a value
    for _name, _method in vars(_kind).items():
        if isinstance(_method, types.WrapperDescriptorType | types.MethodDescriptorType) \
                and _name.startswith("__") and _name not in vars(Waiting):
            setattr(Waiting, _name, _passing_on(_name))
