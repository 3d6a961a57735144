"""The mean gradient over all draws of one trip of each loop, for a tape with paths: it is the exact one."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

MOST = 48                                       # draws of one program


@contextmanager
def drawing(places: tuple[int, ...], seen: dict[int, int]) -> Iterator[None]:
    """The trips that are drawn, of each run of a loop one; of later runs the first. seen: gets how many there are."""
    from tangent_nb.runtime import kept_samples
    drawn, first = kept_samples._drawn, dict(enumerate(places))
    keys: dict[int, int] = {}

    def draw(key: int, d: int, k: int, method: str) -> Any:
        at = keys.setdefault(key, len(keys))
        seen[at] = d
        return np.array([first.get(at, 0)])
    kept_samples._drawn = draw
    try:
        yield
    finally:
        kept_samples._drawn = drawn


def mean(gradient: Callable[[], Any]) -> np.ndarray[Any, Any] | None:
    """The mean over all draws of what a call gives, as numbers; None where these are too many, or there is none."""
    seen: dict[int, int] = {}
    with drawing((), seen):
        gradient()
    trips = [seen[at] for at in sorted(seen)]
    if not trips or np.prod(trips, dtype=float) > MOST:
        return None
    total: Any = 0.0
    for places in itertools.product(*map(range, trips)):
        with drawing(places, {}):
            total = total + vector(gradient())
    return np.asarray(total / np.prod(trips))


def vector(gradient: Any) -> np.ndarray[Any, Any]:
    """All numbers of a gradient."""
    if isinstance(gradient, (tuple, list)):
        return np.concatenate([vector(part) for part in gradient] or [np.zeros(0)])
    if isinstance(gradient, dict):
        return vector([gradient[name] for name in gradient])
    return vector(vars(gradient)) if hasattr(gradient, "__dict__") and not isinstance(gradient, np.ndarray) \
        else np.zeros(0) if gradient is None else np.ravel(np.asarray(gradient, dtype=float))
