"""How long gradients take, and how much memory, beside those that are written by hand: of what a call of `tnb.grad(f)`
runs, the text for arguments of such classes, ranks and equal sizes as its own, and of the text for all arguments.

Prints for each program and size microseconds of the gradient by hand; the ratios of the two to it, and of the first to
the function itself (medians of rounds in which all take turns); kilobytes at the peak of a call, and their ratio to
those by hand; how many lines the text for the arguments has; milliseconds of the processor for deriving, and for the
text for the arguments at the first call. Each gradient by hand is compared with ours first.
Times are those of the processor; with `OPENBLAS_NUM_THREADS=1` they are those of the clock too, on an idle machine.

    python -m benchmarks.by_hand [--quick] [--case NAME ...] [--peers] [--json OUT] [--plot FILE]
"""
from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
from collections.abc import Sequence

import numpy as np

from . import PROGRAMS
from .measure import QUICK, ROUNDS, Row, mean, measured
from .peers import PEERS
from .plotting import plot

HEAD = (f"{'program':<17}{'size':>7}{'by hand, µs':>13}{'a call':>8}{'for all':>9}{'/primal':>9}{'peak, kB':>11}"
        f"{'/by hand':>9}{'lines':>7}{'derive, ms':>12}{'first call':>12}")


def shown(row: Row) -> str:
    peers = "".join(f"   {name} {r:.2f}" for name, r in row.peers.items() if isinstance(r, float))
    return (f"{row.program:<17}{row.size:>7}{1e6 * row.seconds:>13.1f}{row.call:>8.2f}{row.general:>9.2f}"
            f"{row.primal:>9.2f}{row.peak / 1e3:>11.1f}{row.memory:>9.2f}{row.lines:>7}{1e3 * row.derive:>12.1f}"
            f"{1e3 * row.first:>12.1f}{peers}")


def means(rows: Sequence[Row]) -> str:
    """Geometric ones, of what is comparable."""
    rows = [row for row in rows if not row.apart]
    if not rows:
        return ""
    call, general, primal, memory = (mean(column) for column in zip(
        *((row.call, row.general, row.primal, row.memory) for row in rows)))
    return f"{'geometric mean':<37}{call:>8.2f}{general:>9.2f}{primal:>9.2f}{'':>11}{memory:>9.2f}"


def skipped(rows: Sequence[Row]) -> None:
    """Print why other tools did not run, and their means over the programs that they did, with ours beside it."""
    for peer in PEERS:
        ran = [(r, row.call) for row in rows
               if isinstance(r := row.peers.get(peer.__name__), float) and not row.apart]
        if ran:
            theirs, ours = (mean(column) for column in zip(*ran))
            print(f"\n{peer.__name__}: {theirs:.2f} by hand over {len(ran)} rows, where a call takes {ours:.2f}")
        reasons: dict[str, list[str]] = {}
        for row in rows:
            if isinstance(why := row.peers.get(peer.__name__), str):
                reasons.setdefault(why, []).append(row.program)
        for why, names in reasons.items():
            print(f"{peer.__name__} skipped, {why}: " + ", ".join(dict.fromkeys(names)))


def environment() -> dict[str, str]:
    return {"python": platform.python_version(), "numpy": np.__version__, "system": platform.system(),
            "machine": platform.machine(), "threads": os.environ.get("OPENBLAS_NUM_THREADS", "")}


def main() -> None:
    names = [program.name for program in PROGRAMS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.by_hand",
                                     description="Gradients beside those that are written by hand.")
    parser.add_argument("--quick", action="store_true", help="the first size of each program, with fewer rounds")
    parser.add_argument("--case", metavar="NAME", nargs="+", choices=names, help="these programs alone")
    parser.add_argument("--peers", action="store_true", help="autograd, JAX and torch beside them, where installed")
    parser.add_argument("--json", metavar="OUT", help="write all figures into a file")
    parser.add_argument("--plot", metavar="FILE", help="draw the ratios into a file")
    given = parser.parse_args()
    where = environment()
    print(f"Python {where['python']}, NumPy {where['numpy']}, {where['system']} {where['machine']}\n\n{HEAD}")
    rows = []
    for program in PROGRAMS:
        if given.case and program.name not in given.case:
            continue
        for size in program.sizes[:1] if given.quick else program.sizes:
            rows.append(measured(program, size, QUICK if given.quick else ROUNDS, PEERS if given.peers else ()))
            print(shown(rows[-1]), flush=True)
    print(means(rows))
    for name, why in dict.fromkeys((row.program, row.apart) for row in rows if row.apart):
        print(f"left out of the means: {name}, {why}")
    if given.peers:
        skipped(rows)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({**where, "rows": [dataclasses.asdict(row) for row in rows]}, file, indent=1)
    if given.plot:
        plot(rows, given.plot)


if __name__ == "__main__":
    main()
