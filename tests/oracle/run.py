"""The corpus and random programs, each beside its normal form run as operations; what the analyses claim is asserted of the values.

    python tests/oracle/run.py --corpus                         both modes of every program of the corpus
    python tests/oracle/run.py --programs 2000 --seed 0         random programs
    python tests/oracle/run.py --grammar mutating               programs that change arrays in place
    python tests/oracle/run.py --show 1234                      one program, its operations and its verdict
    python tests/oracle/run.py --tally --programs 5000          the next 5,000, counted in tests/oracle/tally.json
    python tests/oracle/run.py --planted                        the planted bugs, each to be found within 50 programs

Exit status 0 if nothing differs, is claimed falsely or crashes (or every planted bug was found).
"""
from __future__ import annotations

import argparse
import os
import sys
import time
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
import facts
import tally as counted
from compare import Verdict
from engine import GRAMMARS

PATH = Path(__file__).resolve().parent / "tally.json"
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


def show(seed: int, grammar: str) -> None:
    """Print a program, its operations and its verdict."""
    program = GRAMMARS[grammar].generate(seed)
    print(program.text, f"# f{engine.arguments(program)!r}", sep="\n")
    loaded = engine.load(program.text)
    derived = facts.derived(loaded.function, program.wrt, mode_of(seed))
    for one in (derived.main, *derived.called.values()):
        print(f"--- {one.name}", one.block, sep="\n")
    verdict = judged(program, mode_of(seed))
    print(f"--- {verdict.kind}, {verdict.asserted} claims asserted\n{verdict.message}")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", action="store_true", help="the corpus, in both modes")
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--grammar", choices=GRAMMARS, default="plain")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, metavar="SEED", help="show one program")
    parser.add_argument("--tally", action="store_true", help="continue the count in tally.json")
    parser.add_argument("--anew", action="store_true", help="with --tally: start the count of the grammar again, after the seeds it has seen")
    parser.add_argument("--planted", action="store_true", help="plant bugs, one at a time, and find them")
    options = parser.parse_args()
    if options.show is not None:
        show(options.show, options.grammar)
        return 0
    if options.planted:
        import planted
        found = planted.found_at()
        for name, at in found.items():
            print(f"{planted.BUGS[name].what:80} {'NOT FOUND' if at is None else f'found by program {at}'}")
        return int(None in found.values())
    start, total = time.perf_counter(), Tally()
    if options.corpus:
        total = of_corpus()
    else:
        counts = counted.load(PATH) if options.tally else {}
        sitting = counted.opened(counts, options.grammar, GRAMMARS[options.grammar], options.anew) if options.tally else None
        first = options.seed if sitting is None else sitting.first
        for one in chunks(first, options.programs, options.grammar, options.workers):
            total.merge(one)
            if sitting is not None:
                sitting.add(one)
                counted.save(counts, PATH)
    seconds = time.perf_counter() - start
    print(f"{sum(total.verdicts.values())} verdicts in {seconds:.0f} s: {dict(total.verdicts)}; {total.asserted} claims asserted")
    for why, count in total.reasons.most_common(8):
        print(f"  {count:6} {why[:130]}")
    for which, verdict in total.failures[:10]:
        print(f"--- {which}: {verdict.kind}: {verdict.message[:1200]}")
    return int(bool(total.failures))


if __name__ == "__main__":
    sys.exit(main())
