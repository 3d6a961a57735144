"""How a value is kept for the backward sweep: whole (`exact`), made again (`recomputed`), and what else registers here.

What saves in another way has a row in KINDS: its name, what it means, and how such a save is recognised, by the value
that was kept and by what the text calls for it (`rt.sample` of `x_saved.append(rt.sample(x, k))`).
"""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...runtime.checkpoints import Snapshots
from ...runtime.kept_samples import Bits, Sample


@dataclass(frozen=True)
class Kind:
    """name: what the report says; says: what it means; recognises: of a value that is kept, and the dotted name of what
    the text calls to keep it, "" where it calls nothing; parts: what of the value has the numbers; whole: the bytes
    that would be kept of it exactly, 0 where that is not known."""

    name: str
    says: str
    recognises: Callable[[Any, str], bool]
    parts: Callable[[Any], Any] = lambda value: value
    whole: Callable[[Any], int] = lambda value: 0



def _of_its_shape(value: Any) -> int:
    """The bytes of the array that a sample, or bits, were made of."""
    return int(math.prod(value.shape) * np.dtype(value.dtype).itemsize)


EXACT, RECOMPUTED = "exact", "recomputed"
MEANS = {EXACT: "the value itself is kept", RECOMPUTED: "it is made again when the backward sweep reads it"}
KINDS: list[Kind] = [
    Kind("sampled", "a part of it is kept, drawn at random", lambda value, call: isinstance(value, Sample),
         lambda value: value.data, _of_its_shape),
    Kind("signs", "of each number one bit is kept, all that is read", lambda value, call: isinstance(value, Bits),
         lambda value: [value.ones, *([] if value.halves is None else [value.halves])], _of_its_shape),
    Kind("checkpointed", "a few states of a loop are kept, and the others are made again",
         lambda value, call: isinstance(value, Snapshots),
         lambda value: [one.parts for one in (*value.kept, value.last) if one is not None])]


def register_kind(kind: Kind) -> None:
    """Make another way to save known; one of the same name is replaced.

    >>> register_kind(Kind("halved", "every other row", lambda value, call: call == "rt.halve"))
    >>> kind_of_save(2.0, "rt.halve"), kind_of_save(2.0, "rt.copy"), means("halved")
    ('halved', 'exact', 'every other row')
    >>> del KINDS[-1]
    """
    KINDS[:] = [*(one for one in KINDS if one.name != kind.name), kind]


def kind_of_save(value: Any, call: str) -> str:
    """How a value is kept."""
    return next((one.name for one in KINDS if one.recognises(value, call)), EXACT)


def parts_of(value: Any, kind: str) -> Any:
    """What of a value of a kind has the numbers."""
    return next((one.parts(value) for one in KINDS if one.name == kind), value)


def whole_of(value: Any, kind: str) -> int:
    """The bytes that would be kept of a value exactly; 0 where that is not known."""
    return next((one.whole(value) for one in KINDS if one.name == kind), 0)


def means(name: str) -> str:
    """What a kind means."""
    return MEANS.get(name) or next((one.says for one in KINDS if one.name == name), "")
