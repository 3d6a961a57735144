"""Verdicts on many programs: those of the corpus, and random ones of the fuzzer's grammars."""
from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import compare
import engine
from compare import Verdict
from engine import GRAMMARS

CHUNK = 100
FAILED = ("differs", "false", "crash")
MODES = ("reverse", "forward")


@dataclass
class Tally:
    """Counts of verdicts, how many claims were asserted, and what failed."""

    verdicts: Counter[str] = field(default_factory=Counter)
    asserted: int = 0
    failures: list[tuple[Any, Verdict]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, which: Any, verdict: Verdict) -> None:
        """Count one."""
        self.verdicts[verdict.kind] += 1
        self.asserted += verdict.asserted
        if verdict.kind in FAILED:
            self.failures.append((which, verdict))
        elif verdict.kind in ("refused", "stopped"):
            whys = [line.strip()[5:] for line in verdict.message.splitlines() if line.strip().startswith("why: ")]
            self.reasons.update([f"{verdict.kind}: {(whys or verdict.message.splitlines() or [''])[0]}"])

    def merge(self, other: Tally) -> None:
        """Add another's counts."""
        self.verdicts += other.verdicts
        self.asserted += other.asserted
        self.failures += other.failures
        self.reasons += other.reasons


def judged(program: Any, mode: str) -> Verdict:
    """The verdict on a random program."""
    loaded = engine.load(program.text)
    try:
        return compare.judge(loaded.function, lambda: engine.arguments(program), program.wrt, mode)
    finally:
        loaded.unload()


def mode_of(seed: int) -> str:
    """Each third program in forward mode."""
    return MODES[seed % 3 == 2]


def judged_chunk(seeds: range, grammar: str) -> Tally:
    """The verdicts on the programs of some seeds."""
    found = Tally()
    for seed in seeds:
        with engine.ending():
            found.add(seed, judged(GRAMMARS[grammar].generate(seed), mode_of(seed)))
    return found


def chunks(first: int, count: int, grammar: str, workers: int) -> Iterator[Tally]:
    """The verdicts of each chunk, in the order of the seeds."""
    ranges = [range(k, min(k + CHUNK, first + count)) for k in range(first, first + count, CHUNK)]
    work = partial(judged_chunk, grammar=grammar)
    if workers < 2:
        yield from map(work, ranges)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, ranges)


def of_corpus() -> Tally:
    """The verdicts on the corpus, in both modes."""
    from corpus import CORPUS
    found = Tally()
    for entry in CORPUS:
        for mode in MODES:
            found.add(f"{entry.id} {mode}", compare.judge(entry.function, entry.fresh, entry.wrt, mode))
    return found
