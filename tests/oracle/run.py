"""The corpus and random programs, each beside its normal form run as operations;
what the analyses claim is asserted of the values.

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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import engine
import facts
import tally as counted
from engine import GRAMMARS
from programs import Tally, chunks, judged, mode_of, of_corpus

PATH = Path(__file__).resolve().parent / "tally.json"

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
    parser.add_argument("--anew", action="store_true",
                        help="with --tally: start the count of the grammar again, after the seeds it has seen")
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
        sitting = counted.opened(counts, options.grammar, GRAMMARS[options.grammar], options.anew) \
            if options.tally else None
        first = options.seed if sitting is None else sitting.first
        for one in chunks(first, options.programs, options.grammar, options.workers):
            total.merge(one)
            if sitting is not None:
                sitting.add(one)
                counted.save(counts, PATH)
    seconds = time.perf_counter() - start
    print(f"{sum(total.verdicts.values())} verdicts in {seconds:.0f} s: {dict(total.verdicts)}; "
          f"{total.asserted} claims asserted")
    for why, count in total.reasons.most_common(8):
        print(f"  {count:6} {why[:130]}")
    for which, verdict in total.failures[:10]:
        print(f"--- {which}: {verdict.kind}: {verdict.message[:1200]}")
    return int(bool(total.failures))


if __name__ == "__main__":
    sys.exit(main())
