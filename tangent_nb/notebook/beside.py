"""Other texts beside the one that is shown: those that calls of a derivative were served by, and other choices; and
what each of them takes, measured.

Needs a derivative, and for measuring calls of it that nobody sees. Promises texts that are there; none is made.
"""
from __future__ import annotations

import inspect
import statistics
import sys
import tracemalloc
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from ..api import derivation
from ..every import leaves
from ..pipeline.versions import described
from ..runtime.for_calls import MISSING, Versions
from ..syntax.program import Derivation
from .folds import count_of
from .noting import noted
from .rerun import copied

BUDGET = 1.5                                       # seconds for all that is timed, besides one call of each
ROUNDS = 301
SHORT = 1e-4                                       # seconds: what is shorter is called several times in a round
GENERAL = "general"


@dataclass(frozen=True)
class Served:
    """The texts of a derivative, by what they are for, the general one last. ran: the place of the one that served the
    last call, -1 where nothing has been called; here: they stand below each other in one text."""

    names: tuple[str, ...]
    functions: tuple[Callable[..., Any], ...]
    ran: int
    here: bool = False

    @staticmethod
    def of(df: Callable[..., Any]) -> Served:
        """Those that the calls of a derivative have made."""
        known = derivation(df)
        if (guards := noted(df)) is not None:
            texts = guards.of, guards.general
            return Served(tuple(known.versions), texts, -1 if guards.ran is None else texts.index(guards.ran), True)
        asked: Versions | None = known.later or known.beside
        made = [] if asked is None else [one for one in asked.made if one.function is not None]
        functions = [one.function for one in made if one.function is not None]
        names = [described(one) for one in made]
        if asked is not None and known.later is None:
            names, functions = [*names, GENERAL], [*functions, df]
        served = MISSING if asked is None else df if asked.ran is None else asked.ran
        return Served(tuple(names), tuple(functions), functions.index(served) if served in functions else -1)


@dataclass(frozen=True)
class Figures:
    """What a function takes. lines: of its own text; seconds: of a call, the median; saved: bytes that the forward
    sweep leaves for the backward one, None where there are not two; peak: the most bytes that a call allocates, None
    where another library does."""

    lines: int
    seconds: float
    saved: int | None
    peak: int | None


def measured(functions: Sequence[Callable[..., Any]], calls: Sequence[partial[Any]]) -> list[Figures]:
    """What derivatives take. calls: one for each; they are made in turns, so that what else the machine does meets all
    of them alike. Where a derivative changes its arguments, copying these counts too."""
    calls = [partial(_to_the_end, call, bool(derivation(function).changes)) for function, call in zip(functions, calls)]
    for call in calls:
        call()                                             # what is compiled, or derived, at the first call
    once = [max(_seconds(call, 1), 1e-9) for call in calls]
    times = [max(1, min(1000, int(SHORT / one))) for one in once]
    found: list[list[float]] = [[] for _ in calls]
    end = perf_counter() + BUDGET
    while len(found[0]) < ROUNDS and perf_counter() + sum(one * count for one, count in zip(once, times)) < end:
        for seconds, call, count in zip(found, calls, times):
            seconds.append(_seconds(call, count) / count)
    return [Figures(count_of(derivation(function).emitted), statistics.median(seconds or [first]),
                    _saved(function, call), _peak(function, call))
            for function, seconds, first, call in zip(functions, found, once, calls)]


def _to_the_end(call: partial[Any], changes: bool) -> None:
    """Call, and wait for results that come later."""
    if changes:
        args, named = copied((call.args, call.keywords))
        call = partial(call.func, *args, **named)
    for leaf in leaves(call()):
        getattr(leaf, "block_until_ready", int)()


def _seconds(call: Callable[[], Any], count: int) -> float:
    start = perf_counter()
    for _ in range(count):
        call()
    return perf_counter() - start


def _runs_here(known: Derivation) -> bool:
    """Python runs it line by line, and NumPy gets its memory from where Python counts it."""
    return known.backend == "numpy" and not known.compiled


def _peak(function: Callable[..., Any], call: Callable[[], Any]) -> int | None:
    if not _runs_here(derivation(function)) or tracemalloc.is_tracing():
        return None
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _saved(function: Callable[..., Any], call: Callable[[], Any]) -> int | None:
    """The bytes of what the variables hold, arguments apart, where the backward sweep begins."""
    known = derivation(function)
    first = next((line.number for line in known.emitted.lines if line.role == "backward"), None)
    if first is None or not _runs_here(known):
        return None
    code, found = inspect.unwrap(function).__code__, list[int]()

    def follow(frame: types.FrameType, event: str, _: Any) -> Any:
        if frame.f_code is not code or found:
            return None
        if event == "line" and frame.f_lineno >= first:
            given = code.co_varnames[:code.co_argcount]
            found.append(size([value for name, value in frame.f_locals.items() if name not in given]))
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        call()
    finally:
        sys.settrace(before)
    return found[0] if found else None


def size(value: Any) -> int:
    """The bytes of arrays, and of numbers, in a value, each once; of a view those of the whole.

    >>> one = np.ones(10)
    >>> size([one, one[:3], [one.T]])
    80
    """
    seen: dict[int, int] = {}
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, (list, tuple, dict)):
            if id(one) in seen:
                continue
            seen[id(one)] = 0
            todo += one.values() if isinstance(one, dict) else one
        elif isinstance(one, np.ndarray):
            while isinstance(one.base, np.ndarray):
                one = one.base
            seen[id(one)] = one.nbytes
        elif isinstance(one, (float, np.generic)):
            seen[id(one)] = 8
    return sum(seen.values())
