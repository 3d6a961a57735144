"""Whether what is derived is compiled at once, so that what cannot be compiled is refused when it is derived, or at its
first call: what is only looked at need not wait for a compiler."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_AT_ONCE: ContextVar[bool] = ContextVar("_AT_ONCE", default=True)


def at_once() -> bool:
    """What is derived here is compiled at once."""
    return _AT_ONCE.get()


@contextmanager
def when_called() -> Iterator[None]:
    """What is derived here is compiled when it is called.

    >>> with when_called():
    ...     at_once()
    False
    """
    token = _AT_ONCE.set(False)
    try:
        yield
    finally:
        _AT_ONCE.reset(token)
