"""What a call changes in objects, lists and dicts from outside, so that it can be taken back: a Jacobian calls the
function once for each column, and each call has to find what the first one found."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

_NOTED: ContextVar[list[Callable[[], Any]] | None] = ContextVar("noted", default=None)
_MISSING = object()


@contextlib.contextmanager
def changes_noted() -> Iterator[Callable[[], None]]:
    """What is changed while the body runs can be taken back by the function that it gives.

    >>> from types import SimpleNamespace
    >>> problem = SimpleNamespace(calls=0)
    >>> with changes_noted() as take_back:
    ...     note_attribute(problem, "calls"); problem.calls += 1
    >>> take_back(); problem.calls
    0
    """
    noted: list[Callable[[], Any]] = []

    def take_back() -> None:
        while noted:
            noted.pop()()

    before = _NOTED.set(noted)
    try:
        yield take_back
    finally:
        _NOTED.reset(before)


def note_attribute(x: Any, name: str) -> None:
    """`x.name` is about to be assigned.

    >>> note_attribute(object(), "calls")
    """
    noted = _NOTED.get()
    if noted is None:
        return
    held = _own(x, name)

    def back() -> None:
        if held is not _MISSING:
            setattr(x, name, held)
        elif _own(x, name) is not _MISSING:
            delattr(x, name)

    noted.append(back)


def holds_itself(x: Any, name: str) -> bool:
    """An attribute is held by an object itself, and not by its class.

    >>> class Layer:
    ...     w = 1.0
    >>> holds_itself(Layer(), "w"), holds_itself(Layer, "w")
    (False, True)
    """
    return _own(x, name) is not _MISSING


def _own(x: Any, name: str) -> Any:
    """What an object holds itself, and not its class."""
    return vars(x).get(name, _MISSING) if hasattr(x, "__dict__") else getattr(x, name, _MISSING)


def note_items(x: Any, *, whole: bool = False) -> None:
    """A list or a dict is about to get an item. whole: a list, anywhere, or it loses one.

    >>> note_items([1.0])
    """
    noted = _NOTED.get()
    if noted is None:
        return
    if whole:
        items = x.copy()
        noted.append(lambda: x.__setitem__(slice(None), items))
        return
    if isinstance(x, list):
        count = len(x)
        noted.append(lambda: x.__delitem__(slice(count, None)))
        return
    held = x.copy()

    def back() -> None:
        x.clear()
        x.update(held)

    noted.append(back)


def note_array(x: Any) -> None:
    """An array that an object holds is about to be changed in place.

    >>> note_array([1.0])
    """
    noted = _NOTED.get()
    if noted is not None:
        held = x.copy()
        noted.append(lambda: x.__setitem__(..., held))
