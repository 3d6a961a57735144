"""Trips of loops that are drawn when it runs: how many there will be, and how much each counts."""
from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import ArgumentError
from . import kept_samples
from .containers import SEQUENCE, kind_of
from .recorded import STEADY, is_steady, recorded
from .structure import rebuild


class Paths:
    """How much each of n trips of a loop counts: k were drawn by a key, one perhaps again, each of which counts n/k;
    the others 0.0. A loop may be left early: its trips count the same, of those that it does not make nothing comes.
    through: how many trips the loop has made, None before it; end: the first one that is not gone over backward."""

    __slots__ = ("end", "k", "key", "n", "through")

    def __init__(self, n: int, key: Any, k: int, end: int | None = None) -> None:
        self.n, self.key, self.k, self.end = n, key, k, n if end is None else end
        self.through: int | None = end

    @property
    def nbytes(self) -> int:
        """The bytes of the five numbers."""
        return 40

    def _places(self) -> list[int]:
        return kept_samples._drawn(self.key, self.n, self.k, "with_replacement").tolist()  # type: ignore[no-any-return]

    def _weights(self) -> dict[int, float]:
        found: dict[int, float] = {}
        for place in self._places() if self.n else ():
            found[place] = found.get(place, 0.0) + self.n / self.k
        return found

    def __iter__(self) -> Iterator[float]:
        self.through = 0                                   # before the first trip, which may be none
        return self._count(self._weights())

    def _count(self, weights: dict[int, float]) -> Iterator[float]:
        for trip in range(self.n):
            self.through = trip + 1
            yield weights.get(trip, 0.0)
        raise self._changed("more")

    def __reversed__(self) -> Iterator[float]:
        if self.through != self.end:
            raise self._changed("fewer")
        weights = self._weights()
        return (weights.get(trip, 0.0) for trip in reversed(range(self.end)))

    def __len__(self) -> int:
        return self.end

    @property
    def shape(self) -> tuple[int]:
        """That of the numbers in an array, of which derivatives of a derivative make zeros."""
        return (self.end,)

    @property
    def ndim(self) -> int:
        return 1

    def __getitem__(self, some: Any) -> Any:
        """The first trips, those that a loop has made that was left early; or how much some count, as numbers."""
        if isinstance(some, slice) and some.start is None and some.step is None:
            return type(self)(self.n, self.key, self.k, len(range(self.end)[some]))
        weights = self._weights()
        chosen = range(self.end)[some]
        return [weights.get(trip, 0.0) for trip in chosen] if isinstance(some, slice) else weights.get(chosen, 0.0)

    def _changed(self, how: str) -> ArgumentError:
        return ArgumentError(f"a loop was to make {self.n} trips, of which some are drawn, and makes {how}: let it go "
                             "over what does not change meanwhile, list(...)")

    def __repr__(self) -> str:
        return f"<trips {len(self._weights())}/{self.n}>"


def paths(n: int, stream: np.random.Generator, fraction: float | None = None, k: int | None = None) -> Paths:
    """Draws of so many of n trips; beside what the loop goes over, in its order or in the reversed one, comes what each
    trip counts: 1.0 on average.

    >>> [way for x, way in zip("abcde", paths(5, np.random.default_rng(0), k=2))]
    [2.5, 0.0, 0.0, 0.0, 2.5]
    """
    n = max(n, 0)
    return Paths(n, int(stream.integers(1 << 63)) if n else 0, kept_samples._count(n, fraction, k))


def made(ways: Paths) -> Paths:
    """How much those trips count that a loop has made, which may be left early: `weights[:trips]`.

    >>> ways = paths(5, np.random.default_rng(0), k=2)
    >>> for x, way in zip("abcde", ways):
    ...     if x == "b": break
    >>> list(reversed(made(ways)))
    [0.0, 2.5]
    """
    if ways.through is None:
        raise ArgumentError("a loop that may be left early, of which trips are drawn, is gone over by the places of "
                            "its items here: take further derivatives of the derivative without tape=")
    return ways[:ways.through]  # type: ignore[no-any-return]


def weighed(g: Any, way: float) -> Any:
    """What a drawn trip adds to a gradient, as often as it counts; of containers part by part.

    >>> weighed({"w": 2.0, "layers": [1.0, None]}, 2.5)
    {'w': 5.0, 'layers': [2.5, None]}
    """
    kind = kind_of(g)
    if kind is None:
        return None if g is None else way * g              # a part that holds no number
    if kind is SEQUENCE:
        return rebuild(g, [weighed(part, way) for part in g])
    return kind.build(g, {key: weighed(part, way) for key, part in kind.parts(g).items()})


def trips(x: Any) -> int:
    """How many trips a loop over something will make.

    >>> trips([1, 2]), trips(recorded(zip([1, 2, 3], "ab")))
    (2, 2)
    """
    found = _yet_to_come(x.source) if isinstance(x, recorded) else len(x) if hasattr(x, "__len__") else None
    if found is None:
        raise ArgumentError("the loop here gets its items one by one, and how many come has to be known before "
                            "paths are drawn: pass a list of them, list(...)")
    return found


def _yet_to_come(source: Any) -> int | None:
    """How many items an iterator of Python's has yet to give."""
    if isinstance(source, zip):
        found = [_yet_to_come(one) for one in source.__reduce__()[1]]
        return None if None in found else min((one for one in found if one is not None), default=0)
    if isinstance(source, enumerate):
        return _yet_to_come(source.__reduce__()[1][0])
    if not is_steady(source) or type(source) not in STEADY and not hasattr(source, "__length_hint__"):
        return None
    return operator.length_hint(source)
