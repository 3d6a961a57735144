"""The time and the memory that each line of a derivative takes: measured in runs of their own."""
from __future__ import annotations

import inspect
import statistics
import tracemalloc
import types
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from ..api import derivation
from ..errors import TangentError
from .origins import Origins
from .sites import Site, Sites
from .statements import Statement
from .stepper import Activation, Listener, Step, run
from .texts import Texts, make_text
from .values import copied

TRIALS = 200                                       # steps of nothing, to know what following one takes


@dataclass(frozen=True)
class Cost:
    """What a line takes in one run, with what it calls. runs: how often it runs; seconds: for all of them, the median
    of several runs, where a line calls itself that of the outermost; own: the seconds without those of the lines that
    it calls; bytes: the most that was allocated while it ran, over what there was before."""

    site: Site
    runs: int
    seconds: float
    bytes: int
    own: float = 0.0


def costs(df: Callable[..., Any], *args: Any, repeats: int = 5, **kwargs: Any) -> list[Cost]:
    """The time and memory of each line of a derivative that runs, in the order of the text.

    df: a derivative; args, kwargs: its arguments; repeats: how many runs are timed. The time that following a line
    takes is taken off, and lines shorter than that (a microsecond or so) count as nothing. TangentError: `df` is no
    derivative, or is compiled; repeats is not positive. An error that `df` raises is passed on.

    >>> import tangent_nb as tnb
    >>> found = costs(tnb.grad(lambda x: np.sum(np.sin(x))), np.ones(1000))
    >>> max(found, key=lambda cost: cost.bytes).site.text
    'bx = np.cos(x)'
    """
    known = derivation(df)
    if known.compiled:
        raise TangentError(f"{df.__name__} is compiled, and runs no lines that could be timed: take a derivative with "
                           "compile=None")
    if type(repeats) is not int or repeats < 1:
        raise TangentError(f"repeats={repeats!r}: at least one run is timed")
    df = inspect.unwrap(make_text(known, inspect.unwrap(df), args, kwargs) or df)
    known = derivation(df)
    origins = Origins(known, df.__code__.co_filename)
    sites = Sites(origins)

    def once(meter: _Meter) -> _Meter:
        given, named = (copied(args), copied(kwargs)) if known.changes else (args, kwargs)
        with np.errstate(all="ignore"):
            run(lambda: df(*given, **named), Texts(origins).follow, meter)
        return meter

    once(_Meter(sites, 0.0))                           # what is made in the first run
    overhead = _overhead()
    timed = [once(_Meter(sites, overhead)) for _ in range(repeats)]
    memory = _memory(lambda: once(_Memory(sites, 0.0)))
    found = [Cost(sites.known[site], memory.runs[site], statistics.median(one.total.get(site, 0.0) for one in timed),
                  int(memory.total[site]), statistics.median(one.own.get(site, 0.0) for one in timed))
             for site in memory.total]
    return sorted(found, key=lambda cost: (cost.site.filename != df.__code__.co_filename, cost.site.filename,
                                           cost.site.line))


@dataclass
class _Open:
    """A statement that runs. began: when; since: what following others took in the meantime; called: what these took
    themselves."""

    began: float
    since: float = 0.0
    called: float = 0.0


class _Meter(Listener):
    """The seconds of each place. open: the statements that run."""

    def __init__(self, sites: Sites, overhead: float) -> None:
        self.sites, self.overhead = sites, overhead
        self.total: dict[int, float] = {}
        self.own: dict[int, float] = {}
        self.runs: dict[int, int] = {}
        self.open: list[Step] = []

    def began(self, step: Step) -> None:
        step.before = _Open(0.0)
        self.open.append(step)
        step.before.began = perf_counter()

    def ended(self, step: Step, returned: Any) -> None:
        now = perf_counter()
        self.put(step, max(0.0, now - step.before.began - step.before.since - self.overhead))
        for outer in self.open:
            outer.before.since += perf_counter() - now + 2.0 * self.overhead

    def put(self, step: Step, amount: float) -> None:
        """Add to what a place has taken."""
        while self.open and self.open.pop() is not step:           # those that an error has ended
            continue
        frame = step.activation.frame
        site = self.sites.number(frame.f_code, step.statement.first, frame.f_globals)
        self.runs[site] = self.runs.get(site, 0) + 1
        self.own[site] = self.own.get(site, 0.0) + max(0.0, amount - step.before.called)
        if self.open:
            self.open[-1].before.called += amount
        again = any(outer.statement is step.statement for outer in self.open)
        self.total[site] = self.joined(self.total.get(site, 0.0), 0.0 if again else amount)

    def joined(self, one: float, other: float) -> float:
        """What two runs of a line take together."""
        return one + other


class _Memory(_Meter):
    """The most bytes of each place."""

    def began(self, step: Step) -> None:
        self._peak()
        now = float(tracemalloc.get_traced_memory()[0])
        step.before = _Open(now, now)
        self.open.append(step)

    def ended(self, step: Step, returned: Any) -> None:
        self._peak()
        self.put(step, step.before.since - step.before.began)

    def joined(self, one: float, other: float) -> float:
        return max(one, other)

    def _peak(self) -> None:
        peak = float(tracemalloc.get_traced_memory()[1])
        for outer in self.open:
            outer.before.since = max(outer.before.since, peak)
        tracemalloc.reset_peak()


def _memory(measure: Callable[[], _Meter]) -> _Meter:
    if tracemalloc.is_tracing():
        return measure()
    tracemalloc.start()
    try:
        return measure()
    finally:
        tracemalloc.stop()


def _overhead() -> float:
    """The seconds that following one line takes that does nothing."""
    spent: list[float] = []

    class Nothing(Listener):
        def began(self, step: Step) -> None:
            step.before = perf_counter()

        def ended(self, step: Step, returned: Any) -> None:
            spent.append(perf_counter() - step.before)

    first = _nothing.__code__.co_firstlineno
    lines = {number: Statement(number, number) for number in range(first + 1, first + 4)}

    def follow(frame: types.FrameType, caller: Activation | None) -> dict[int, Statement] | None:
        return lines if frame.f_code is _nothing.__code__ else None

    run(lambda: _nothing(TRIALS), follow, Nothing())
    return statistics.median(spent)


def _nothing(count: int) -> int:
    while count > 0:
        count = count - 1
    return count
