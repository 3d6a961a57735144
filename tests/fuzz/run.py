"""Random programs against oracles, as many as wanted.

    python tests/fuzz/run.py --programs 20000 --seed 0
    python tests/fuzz/run.py --grammar mutating       programs that change arrays in place
    python tests/fuzz/run.py --grammar real           programs as people write them: objects, stars, generators, …
    python tests/fuzz/run.py --seeded-bugs            the planted bugs, each to be found within 50 programs
    python tests/fuzz/run.py --show 1234              one program, its derivative and its verdict
    python tests/fuzz/run.py --tally --programs 5000  the next 5,000, counted in tally.json (--anew: from none)

Prints verdicts, the share of programs with each feature, why programs were refused, and failing programs, shrunk.
Exit status 0 if nothing is wrong or crashed (or every planted bug was found).
"""
from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import engine
import tally as counted
from bugs import BUGS, planted
from engine import ALL, Tally, judge, smallest

CHUNK = 100
SIZE = 7


def many(first: int, count: int, size: int, workers: int, deep: bool = True, grammar: str = "plain",
         each: Callable[[Tally], None] = lambda tally: None) -> Tally:
    """Judge programs in several processes. each: what is called with the tally of each chunk,
    in the order of the seeds."""
    chunks = [range(k, min(k + CHUNK, first + count)) for k in range(first, first + count, CHUNK)]
    total = Tally(grammar=grammar)
    judged = functools.partial(engine.run, size=size, deep=deep, grammar=grammar)
    if workers < 2 or len(chunks) < 2:
        for chunk in chunks:
            tally = judged(chunk)
            each(tally)
            total.merge(tally)
        return total
    with ProcessPoolExecutor(workers) as pool:
        for tally in pool.map(judged, chunks):
            each(tally)
            total.merge(tally)
    return total


def table(tally: Tally, seconds: float) -> str:
    """Verdicts, features, reasons of refusals."""
    programs, judged = sum(tally.verdicts.values()), max(1, tally.judged)
    lines = [f"{programs} programs in {seconds:.0f} s: {60 * programs / max(seconds, 1e-9):.0f} a minute"]
    for kind in ("right", "refused", "wrong", "crash", "dropped", "kink"):
        note = f"   ({tally.wild_refused} of them wild)" if kind == "refused" else ""
        lines.append(f"  {kind:8} {tally.verdicts[kind]:7} {100 * tally.verdicts[kind] / programs:6.2f} %{note}")
    lines.append("share of the programs judged that have")
    shares = [f"{name} {100 * tally.features[name] / judged:.0f} %"
              for name in (*ALL[tally.grammar].FEATURES, "wild")]
    lines += ["  " + ", ".join(shares[i:i + 6]) for i in range(0, len(shares), 6)]
    if tally.refusals:
        lines.append("refused because")
        lines += [f"  {n:6} {why[:110]}" for why, n in tally.refusals.most_common(12)]
    return "\n".join(lines)


def describe(seed: int, program: Any, shrunk: bool = True) -> str:
    """A failing program and its verdict, shrunk if asked for."""
    verdict = judge(program, seed)
    small = smallest(program, verdict, seed) if shrunk and verdict.kind in ("wrong", "crash") else program
    found = judge(small, seed)
    return f"--- seed {seed}: {found.kind} in {found.where}: {found.message[:600]}\n{small.text}{called(small)}"


def called(program: Any) -> str:
    """How a program is called, where its text does not say it."""
    return f"# f{engine.arguments(program)!r}" if hasattr(program, "args") else ""


def seeded_bugs(limit: int = 50, size: int = SIZE) -> dict[str, int | None]:
    """For each planted bug, the number of the first program that finds it, or None."""
    found: dict[str, int | None] = {}
    for name, bug in BUGS.items():
        with planted(name):
            found[name] = next((k + 1 for k in range(limit)
                                if judge(ALL[bug.grammar].generate(k, size), k).kind in ("wrong", "crash")), None)
    return found


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--size", type=int, help="statements of a program, about")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", type=int, metavar="SEED", help="show one program")
    parser.add_argument("--failures", type=int, default=5, help="how many failing programs to shrink and print")
    parser.add_argument("--seeded-bugs", action="store_true", help="plant bugs, one at a time, and find them")
    parser.add_argument("--grammar", choices=ALL, default="plain")
    parser.add_argument("--tally", action="store_true", help="continue the count in tally.json")
    parser.add_argument("--anew", action="store_true",
                        help="with --tally: start the count of the grammar again, after the seeds it has seen")
    options = parser.parse_args()
    options.size = options.size or getattr(ALL[options.grammar], "LENGTH", SIZE)
    if options.seeded_bugs:
        found = seeded_bugs()
        for name, at in found.items():
            print(f"{BUGS[name].what:60} {'NOT FOUND' if at is None else f'found by program {at}'}")
        return int(None in found.values())
    if options.show is not None:
        program = ALL[options.grammar].generate(options.show, options.size)
        print(program.text, called(program), judge(program, options.show), sep="\n")
        return 0
    start = time.perf_counter()
    if options.tally:
        counts = counted.load()
        sitting = counted.opened(counts, options.grammar, ALL[options.grammar], options.anew)

        def each(tally: Tally) -> None:
            sitting.add(tally)
            counted.save(counts)
        tally = many(sitting.first, options.programs, options.size, options.workers, grammar=options.grammar, each=each)
        print(f"seeds {sitting.first} to {sitting.next - 1}; in all {dict(counts[options.grammar].verdicts)}")
    else:
        tally = many(options.seed, options.programs, options.size, options.workers, grammar=options.grammar)
    print(table(tally, time.perf_counter() - start))
    for seed, program, _ in tally.failures[:options.failures]:
        print(describe(seed, program))
    return int(bool(tally.failures))


if __name__ == "__main__":
    sys.exit(main())
