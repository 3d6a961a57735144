"""How a value is kept for the backward sweep: whole (`exact`), made again (`recomputed`), and what else registers here.

What saves in another way has a row in KINDS: its name, what it means, and how such a save is recognised, by the value
that was kept and by what the text calls for it (`rt.sample` of `x_saved.append(rt.sample(x, k))`).
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kind:
    """name: what the report says; says: what it means; recognises: of a value that is kept, and the dotted name of what
    the text calls to keep it, "" where it calls nothing."""

    name: str
    says: str
    recognises: Callable[[Any, str], bool]


EXACT, RECOMPUTED = "exact", "recomputed"
MEANS = {EXACT: "the value itself is kept", RECOMPUTED: "it is made again when the backward sweep reads it"}
KINDS: list[Kind] = []


def register_kind(kind: Kind) -> None:
    """Make another way to save known; one of the same name is replaced.

    >>> register_kind(Kind("halved", "every other row", lambda value, call: call == "rt.halve"))
    >>> kind_of_save(2.0, "rt.halve"), kind_of_save(2.0, "rt.copy"), means("halved")
    ('halved', 'exact', 'every other row')
    >>> KINDS.clear()
    """
    KINDS[:] = [*(one for one in KINDS if one.name != kind.name), kind]


def kind_of_save(value: Any, call: str) -> str:
    """How a value is kept."""
    return next((one.name for one in KINDS if one.recognises(value, call)), EXACT)


def means(name: str) -> str:
    """What a kind means."""
    return MEANS.get(name) or next((one.says for one in KINDS if one.name == name), "")
