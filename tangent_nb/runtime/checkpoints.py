"""What is computed again instead of being kept: `tnb.checkpoint`, `tnb.checkpointed`, and the states of loops.

A loop of l steps of which at most s states are kept at a time is gone through backward with the fewest runs of its body
if the states are those of the binomial schedule: with β(s, r) = (s + r)! / (s! r!) and β(s, r - 1) < l ≤ β(s, r) its
body runs r l - β(s + 1, r - 1) times besides (A. Griewank and A. Walther, "Algorithm 799: Revolve", ACM Transactions on
Mathematical Software 26 (2000), section 2). Where nobody knows how many steps there will be, each second state is
dropped whenever there is no room for one more; between those that are left the schedule is the same.
"""
from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from ..errors import TangentError
from .structure import copy

ONLINE = 64            # the states of a loop of unknown length, where nothing is said of it


class Block:
    """`with tnb.checkpoint():` in a plain run: nothing is done."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        return None


def checkpoint(fn: Callable[..., Any] | None = None) -> Any:
    """What a function computes on its way is not kept for the backward sweep, but computed again there.

    fn: a function, which is called as before: `tnb.checkpoint(layer)(x, w)`, or `@tnb.checkpoint` above its definition.
    Without it a manager: what the block `with tnb.checkpoint():` computes is not kept. Outside of a derivative nothing
    changes. In a derivative the call, or the block, has to do nothing but compute, since it runs twice; what does more
    is refused. Forward mode keeps nothing in any case.
    Source: A. Griewank and A. Walther, "Evaluating Derivatives", 2nd ed. (2008), chapter 12.

    Raises TangentError if `fn` cannot be called.

    >>> checkpoint(math.hypot)(3.0, 4.0)
    5.0
    >>> with checkpoint():
    ...     y = 2.0
    >>> y
    2.0
    """
    if fn is None:
        return Block()
    if not callable(fn):
        raise TangentError(f"tnb.checkpoint is for a function, and {type(fn).__name__} is none: "
                           "tnb.checkpoint(layer)(x, w), or with tnb.checkpoint():")

    @functools.wraps(fn)
    def checkpointed_call(*args: Any, **keywords: Any) -> Any:
        return fn(*args, **keywords)

    checkpointed_call.__checkpointed__ = fn  # type: ignore[attr-defined]
    return checkpointed_call


def checkpointed(steps: Any, memory: int | None = None) -> Any:
    """A loop of which few states are kept for the backward sweep; the others are computed again.

    steps: what the loop goes over, `for t in tnb.checkpointed(range(n)):`, or the test of a `while`,
    `while tnb.checkpointed(error > tolerance):`. memory: how many states are kept at a time, at least 1. A state is
    what one step changes and later ones read. Without it as many as let each step run at most twice more, about the
    square root of twice the number of steps; where that number is not known, 64. Outside of a derivative nothing
    changes: `steps` itself is returned.
    Source: A. Griewank and A. Walther, "Algorithm 799: Revolve" (2000).

    Raises TangentError if `memory` is no whole number of at least 1.

    >>> [t for t in checkpointed(range(3), memory=2)]
    [0, 1, 2]
    """
    states_kept(memory, 1)
    return steps


def binomial(s: int, r: int) -> int:
    """β(s, r): how many steps can be gone through backward with s states, none of them run more than r times.

    >>> binomial(3, 2), binomial(100, 3), binomial(3, -1)
    (10, 176851, 0)
    """
    return math.comb(s + r, s) if r >= 0 else 0


def repetitions(steps: int, s: int) -> int:
    """The r with β(s, r - 1) < steps ≤ β(s, r): how often a step runs at most, besides that which is reversed.

    >>> repetitions(10_000, 100), repetitions(1, 5)
    (3, 0)
    """
    r = 0
    while binomial(s, r) < steps:
        r += 1
    return r


def reruns(steps: int, s: int) -> int:
    """t(l, s): how many runs of the body the schedule needs besides those that are reversed.

    >>> reruns(10, 3), reruns(10_000, 100), reruns(5, 1)
    (15, 24747, 10)
    """
    r = repetitions(steps, s)
    return r * steps - binomial(s + 1, r - 1)


def states_kept(memory: Any, steps: int | None) -> int:
    """How many states are kept at a time: what `memory` says, or so many that no step runs more than twice besides.

    >>> states_kept(7, 100), states_kept(None, 10_000), states_kept(None, None)
    (7, 140, 64)
    """
    if memory is None:
        if steps is None:
            return ONLINE
        s = max(1, math.isqrt(2 * steps) - 1)              # (s + 1) (s + 2) / 2 >= steps, and no smaller s
        return s if binomial(s, 2) >= steps else s + 1
    kept = memory.__index__() if hasattr(memory, "__index__") and not isinstance(memory, bool) else 0
    if kept < 1:
        raise TangentError(f"memory={memory!r} states cannot be kept of a loop: a whole number of at least 1 can")
    return int(kept)


def next_state(steps: int, s: int) -> int:
    """How many steps after one state the next is kept, where s states may be kept of so many steps, the first of
    them too.

    >>> next_state(10, 3), next_state(4, 9)
    (4, 1)
    """
    r = repetitions(steps, s)
    return max(1, min(binomial(s, r - 1), steps - binomial(s - 1, r - 1)))


class Draws:
    """The states of generators of random numbers, so that what was drawn is drawn again.

    sources: generators, and the modules `np.random` and `random`; what else is among them draws nothing.

    >>> rng = np.random.default_rng(0)
    >>> draws = Draws(rng)
    >>> drawn, later = rng.random(), rng.bit_generator.state
    >>> with draws.again():
    ...     rng.random() == drawn
    True
    >>> rng.bit_generator.state == later
    True
    """

    def __init__(self, *sources: Any) -> None:
        self.sources = [one for one in sources if _state_of(one) is not None]
        self.states = self.now()

    def now(self) -> list[Any]:
        """The states as they are."""
        return [_state_of(one) for one in self.sources]

    def put(self, states: list[Any]) -> None:
        """Put states back."""
        for one, state in zip(self.sources, states, strict=True):
            if isinstance(one, np.random.Generator):
                one.bit_generator.state = state
            elif one is random or isinstance(one, random.Random):
                one.setstate(state)
            else:
                one.set_state(state)

    @contextmanager
    def again(self) -> Iterator[None]:
        """In this block the generators begin where they were; behind it they go on as if nothing had been drawn."""
        later = self.now()
        self.put(self.states)
        try:
            yield
        finally:
            self.put(later)


def _state_of(source: Any) -> Any:
    """The state of a generator; None of what is none."""
    if isinstance(source, np.random.Generator):
        return source.bit_generator.state
    if source is random or isinstance(source, random.Random):
        return source.getstate()
    return source.get_state() if source is np.random or isinstance(source, np.random.RandomState) else None


class State(NamedTuple):
    """The state before a step of a loop. parts: what the step changes; draws: the states of generators."""

    place: int
    parts: tuple[Any, ...]
    draws: list[Any]


class Snapshots:
    """The states of a loop that are kept: each is a copy of what a step changes, before that step. The one before the
    last step is kept besides, where it is known which step is the last: the backward sweep begins with it.

    steps: what the loop goes over; None for a `while`. memory: as in `checkpointed`. draws: the generators that a step
    draws from, whose states are kept too. again: the loop may be gone through backward more than once.

    >>> saved = Snapshots(range(5), memory=2); x = 1.0
    >>> for t in saved.steps:
    ...     saved.keep(x)
    ...     x = 2.0 * x
    >>> [(t, x) for t, x in saved.backward(lambda t, x: 2.0 * x)]
    [(4, 16.0), (3, 8.0), (2, 4.0), (1, 2.0), (0, 1.0)]
    >>> saved.kept                       # the last is the first to go
    []
    """

    def __init__(self, steps: Any = None, memory: Any = None, *, draws: tuple[Any, ...] = (),
                 again: bool = False) -> None:
        if again:                                          # whoever gave them may change them meanwhile
            steps = copy(steps)
        self.steps: Sequence[Any] | None = steps if steps is None or isinstance(steps, (range, tuple)) else list(steps)
        self.length = None if self.steps is None else len(self.steps)
        self.memory, self.again = states_kept(memory, self.length), again
        self.count, self.next, self.stride = 0, 0, 1
        self.draws = Draws(*draws)
        self.kept: list[State] = []
        self.last: State | None = None

    def keep(self, *state: Any) -> None:
        """The state before the next step, which is kept if the schedule says so."""
        if self.count == self.next:
            if self.length is None and len(self.kept) == self.memory:
                self._thin()
            if self.count == self.next:
                self.kept.append(self._copied(state))
                self.next = self._next(self.length)
        if self.count + 1 == self.length:
            self.last = self.kept[-1] if self.kept[-1].place == self.count else self._copied(state)
        self.count += 1

    def _copied(self, state: tuple[Any, ...]) -> State:
        return State(self.count, tuple(map(copy, state)), self.draws.now())

    def _thin(self) -> None:
        """Of a loop of unknown length every second state goes, but the first."""
        self.stride *= 2
        self.kept = [one for one in self.kept if one.place % self.stride == 0]
        self.next = -(-self.count // self.stride) * self.stride

    def _next(self, length: int | None) -> int:
        last, free = self.kept[-1].place, self.memory - len(self.kept)
        if length is None:
            return last + self.stride if self.memory > 1 else -1
        return last + next_state(length - last, free + 1) if free else -1

    def backward(self, step: Callable[..., Any], *constants: Any) -> Iterator[tuple[Any, ...]]:
        """The item and the state of each step, the last step first. step: gives the state after a step, of its item,
        the state before and the constants: a tuple where it has more than one part; of a `while` there is no item."""
        kept, last = list(self.kept) if self.again else self.kept, self.last
        self.last = last if self.again else None
        later = self.draws.now()
        try:
            for end in range(self.count, 0, -1):
                state = self._advanced(kept, end - 1, step, constants) if last is None else last
                last = None
                if kept[-1].place == end - 1:
                    kept.pop()
                self.draws.put(state.draws)
                yield *self._item(state.place), *state.parts
                del state
        finally:
            self.draws.put(later)

    def _advanced(self, kept: list[State], place: int, step: Callable[..., Any], constants: tuple[Any, ...]) -> State:
        """The state before a step, from the nearest that is kept; more are kept on the way, where there is room."""
        state = kept[-1]
        if state.place < place:
            self.draws.put(state.draws)
        while state.place < place:
            free = self.memory - len(kept)
            until = state.place + next_state(place + 1 - state.place, free + 1) if free > 0 else place
            parts = self._begun(state.parts)
            for i in range(state.place, until):
                after = step(*self._item(i), *parts, *constants)
                parts = (after,) if len(parts) == 1 else after
            state = State(until, parts, self.draws.now())
            if free > 0:
                kept.append(state)
        return state

    def _begun(self, parts: tuple[Any, ...]) -> tuple[Any, ...]:
        """A state, from which steps are computed again."""
        return parts

    def _item(self, place: int) -> tuple[Any, ...]:
        return () if self.steps is None else (self.steps[place],)
