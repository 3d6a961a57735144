"""Trips of loops that are drawn, on JAX, where Python's loops run: as `runtime/drawn_trips.py`, with keys of JAX."""
from __future__ import annotations

import types
from pathlib import Path
from typing import Any

import jax

from ...runtime import drawn_trips
from ...runtime.recorded import WRAPPING, is_steady, recorded
from .base import helpers, refused
from .kept_samples import Stream, _places


class Paths(drawn_trips.Paths):
    """How much each trip counts: a loop of Python's asks for that, so that the places are fetched, once for a sweep."""

    __slots__ = ()

    def _places(self) -> list[int]:
        return jax.device_get(_places(self.key, self.n, self.k, "with_replacement")).tolist()  # type: ignore[no-any-return]


def paths(n: int, stream: Stream, fraction: float | None = None, k: int | None = None) -> Paths:
    """Draws of so many of n trips, with the next key of a call; refused where JAX traces it: what is compiled has all
    trips, or the same ones at each call.

    >>> ways = paths(5, Stream(jax.random.key(0)), k=2)
    >>> sum(way for _, way in zip(range(5), ways))
    5.0
    """
    n = max(n, 0)
    key = stream.next()
    if isinstance(key, jax.core.Tracer):
        raise refused("it is traced, by jax.jit, jax.vmap or the like, and draws trips of loops, tape=Sampled(…, "
                      "method='paths'): which are kept is known only when Python's loops run",
                      "a call that is not traced; or method='with_replacement', for arrays in products")
    return Paths(n, key, helpers._count(n, fraction, k))


def trips(x: Any) -> int:
    """How many trips a loop over something will make; JAX gives the items of an array one by one, and they are taken
    beforehand here, which nobody can see.

    >>> trips(recorded(zip(jax.numpy.ones(3), [1, 2])))
    2
    """
    if isinstance(x, recorded) and not is_steady(x.source) and _is_steady(x.source):
        items = list(x.source)
        x.source = iter(items)
        return len(items)
    return drawn_trips.trips(x)


def _is_steady(source: Any) -> bool:
    """Nobody's code runs when items are taken, but Python's own and JAX's."""
    if isinstance(source, types.GeneratorType):
        return Path(source.gi_code.co_filename).is_relative_to(Path(jax.__file__).parent)
    return isinstance(source, jax.Array) or is_steady(source) \
        or type(source) in WRAPPING and all(map(_is_steady, source.__reduce__()[1]))
