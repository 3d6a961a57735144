"""What calls of the user's functions give: who knows that says so for a while, and kinds ask."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ..syntax.spec import Spec

# of a function, its call, what is known of names there, and the scope
Result = Callable[[Any, Any, Any, Any], Spec]
_RESULTS: ContextVar[Result | None] = ContextVar("results", default=None)


@contextmanager
def results_of(of_call: Result) -> Iterator[None]:
    """In this block it is known what calls give."""
    token = _RESULTS.set(of_call)
    try:
        yield
    finally:
        _RESULTS.reset(token)


def known_result() -> Result | None:
    """What says it, if somebody does."""
    return _RESULTS.get()
