"""Sets that grow until nothing is new."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def closure(start: Iterable[Item], more: Callable[[set[Item]], Iterable[Item]]) -> set[Item]:
    """The least set that holds some things, and with them what `more` gives of it.

    >>> sorted(closure({1}, lambda found: {2 * n for n in found if n < 10}))
    [1, 2, 4, 8, 16]
    """
    found = set(start)
    while new := set(more(found)) - found:
        found |= new
    return found
