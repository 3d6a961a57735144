"""Times in turns, the peak of memory, lines, and how long deriving takes."""
from __future__ import annotations

import ast
import gc
import inspect
import math
import statistics
import sys
import textwrap
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import tangent_nb as tnb

from ..deriving import derive_time
from .program import Program, same

ROUNDS, QUICK = 41, 11
LEAST = 2e-3                   # seconds that one round of a function takes at least
PATIENCE = 6.0                 # seconds that the rounds of a program take at most, but for the first five
DERIVATIONS = 3

# That of the processor, which does not count what else runs meanwhile; Windows has it in steps of 16 ms.
clock = time.perf_counter if sys.platform == "win32" else time.process_time

Call = Callable[[], Any]


@dataclass
class Row:
    """What one program of one size gave: seconds, bytes, and ratios; `peers` are ratios to the gradient by hand."""

    program: str
    size: int
    seconds: float             # by hand
    call: float                # ratios to it: of what a call of tnb.grad(f) runs,
    general: float             # of the text for all arguments,
    primal: float              # and of a call to the function itself
    peak: int                  # bytes of a call,
    peak_by_hand: int          # and by hand
    lines: int
    lines_by_hand: int
    derive: float              # seconds of the processor
    first: float               # the first call, which makes the text for the arguments
    apart: str
    peers: dict[str, float | str] = field(default_factory=dict)

    @property
    def memory(self) -> float:
        return self.peak / self.peak_by_hand


def seconds(call: Call, times: int) -> float:
    start = clock()
    for _ in range(times):
        call()
    return max(clock() - start, 1e-9) / times


def in_turns(calls: list[Call], rounds: int) -> list[list[float]]:
    """Seconds of each call in each round. A quick one runs more than once a round; slow ones get fewer rounds."""
    once = [seconds(call, 1) for call in calls]
    times = [max(1, round(LEAST / one)) for one in once]
    round_takes = sum(one * n for one, n in zip(once, times, strict=True))
    rounds = max(5, min(rounds, int(PATIENCE / round_takes)))
    gc.collect()
    gc.disable()
    try:
        return [[seconds(call, n) for call, n in zip(calls, times, strict=True)] for _ in range(rounds)]
    finally:
        gc.enable()


def ratio(taken: list[list[float]], one: int, other: int) -> float:
    """The median over the rounds."""
    return statistics.median(row[one] / row[other] for row in taken)


def peak(call: Call) -> int:
    """The most bytes that a call has allocated at once, beyond what was there; its result is part of that."""
    call()
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        call()
        return max(1, tracemalloc.get_traced_memory()[1] - before)
    finally:
        tracemalloc.stop()


def lines(text: str) -> int:
    """Lines of code, without comments and docstrings."""
    described: set[int] = set()
    for node in ast.walk(ast.parse(textwrap.dedent(text))):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            described.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return sum(bool(line.strip()) and not line.strip().startswith("#") and n not in described
               for n, line in enumerate(text.splitlines(), 1))


def mean(values: Iterable[float]) -> float:
    """The geometric one."""
    return math.exp(statistics.fmean(map(math.log, values)))


def measured(program: Program, size: int, rounds: int, peers: Iterable[Any] = ()) -> Row:
    """All figures of a program and a size. Each gradient is compared with that by hand first."""
    arguments = program.arguments(size)
    derive = statistics.median(derive_time(program.primal, program.wrt) for _ in range(DERIVATIONS))
    special = tnb.grad(program.primal, wrt=program.wrt)
    general = tnb.grad(program.primal, wrt=program.wrt, optimized=tnb.PASSES)
    first = seconds(partial(special, *arguments), 1)
    calls: list[Call] = [partial(f, *arguments) for f in (program.by_hand, program.primal, special, general)]
    expected = calls[0]()
    first -= seconds(calls[2], 1)
    names = ["call", "general"]
    others: dict[str, float | str] = {}
    for peer in peers:
        made = peer(program, arguments)
        if isinstance(made, str):
            others[peer.__name__] = made
        else:
            calls.append(made)
            names.append(peer.__name__)
    for name, call in zip(names, calls[2:], strict=True):
        if not same(tuple_of(call()), expected):
            raise AssertionError(f"{program.name}, {name}: another gradient than by hand")
    taken = in_turns(calls, rounds)
    ratios = {name: ratio(taken, i, 0) for i, name in enumerate(names, 2)}
    others |= {name: ratios[name] for name in names[2:]}
    text = next(iter(tnb.versions(special).values()))
    return Row(program.name, size, statistics.median(row[0] for row in taken), ratios["call"], ratios["general"],
               ratio(taken, 2, 1), peak(calls[2]), peak(calls[0]), lines(text),
               lines(inspect.getsource(program.by_hand)), derive, max(first, 0.0), program.apart, others)


def tuple_of(gradient: Any) -> tuple[Any, ...]:
    return gradient if isinstance(gradient, tuple) else (gradient,)
