"""What is found out once in a derivation, and asked for often.

Needs questions about objects that stay as they are until the derivative is made. Outside of a `remembering` block
nothing is kept: functions may be defined anew between two derivations.
"""
from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

Question = TypeVar("Question", bound=Callable[..., Any])
_KNOWN: ContextVar[dict[tuple[object, ...], tuple[Any, Any]] | None] = ContextVar("known", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """Keep the answers of remembered functions until the outermost of these blocks ends."""
    if _KNOWN.get() is not None:
        yield
        return
    token = _KNOWN.set({})
    try:
        yield
    finally:
        _KNOWN.reset(token)


def remembered(function: Question) -> Question:
    """A function of objects, asked once for each while `remembering`; an error is no answer.

    >>> @remembered
    ... def number(thing):
    ...     print("counting")
    ...     return len(thing)
    >>> letters = "abc"
    >>> with remembering():
    ...     number(letters), number(letters)
    counting
    (3, 3)
    """
    @wraps(function)
    def asked(*things: Any) -> Any:
        known = _KNOWN.get()
        if known is None:
            return function(*things)
        key = (function, *map(id, things))
        if key not in known:
            known[key] = (things, function(*things))       # kept alive, so that their ids stay their own
        return known[key][1]

    return asked  # type: ignore[return-value]


@contextmanager
def uncollected() -> Iterator[None]:
    """Trees are many small objects that live to the end: to look for garbage among them takes a quarter of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
