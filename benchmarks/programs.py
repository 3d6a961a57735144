"""What gradients of real programs take beside the programs, and how many calls of helpers stand in their texts.

The programs are those of tests/real: functions as people write them, with loops, objects, lists and dicts. Of each that
gives one number the least time of `--repeats` calls is taken, of the function and of its gradient, of the text for all
arguments (`optimized=tnb.PASSES`) and of what a plain `tnb.grad` runs; the arguments are new for each call. Counted are
the calls `rt.…` in lines of code that are no guards, for each 100 of them, of the texts of the whole corpus of tests.

    python -m benchmarks.programs [--repeats N] [--worst N]
"""
from __future__ import annotations

import argparse
import contextlib
import io
import re
import statistics
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tangent_nb as tnb

TESTS = Path(__file__).resolve().parents[1] / "tests"
KINDS = {"the text for all arguments": tnb.PASSES, "a plain gradient": True}
EACH = 3                       # of the corpus, whose texts are counted


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Programs print, and warn."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
            warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def least(call: Callable[[Any], Any], fresh: Callable[[], Any], repeats: int) -> float:
    """The least seconds of calls with arguments that are new each time."""
    found = []
    for _ in range(repeats):
        args = fresh()
        start = time.perf_counter()
        call(args)
        found.append(time.perf_counter() - start)
    return min(found)


def ratios(entry: Any, repeats: int) -> tuple[float, ...] | None:
    """The seconds of a program, and how often as many its gradients take; None where it gives no number, or is
    refused."""
    try:
        if np.shape(entry.function(*entry.fresh())) != ():
            return None
        primal = least(lambda args: entry.function(*args), entry.fresh, repeats)
        found = [primal]
        for passes in KINDS.values():
            df = tnb.grad(entry.function, entry.wrt, optimized=passes)
            df(*entry.fresh())
            found.append(least(lambda args, df=df: df(*args), entry.fresh, repeats) / primal)
    except Exception:                                      # it is asked for in tests what is refused, and why
        return None
    return tuple(found)


def helpers(entries: list[Any]) -> tuple[int, int, Counter[str]]:
    """Lines of code in the texts that serve, the calls of helpers in them, and of which."""
    lines, calls, of = 0, 0, Counter[str]()
    for entry in entries:
        try:
            df = tnb.grad(entry.function, entry.wrt)
            df(*entry.fresh())
        except Exception:
            continue
        text = next(iter(tnb.versions(df).values()))
        body = [one for one in map(str.strip, text.splitlines()) if one and one[0] != "#" and "# guard" not in one]
        found = [name for one in body for name in re.findall(r"\brt\.(\w+)", one)]
        lines, calls = lines + len(body), calls + len(found)
        of.update(found)
    return lines, calls, of


def main() -> None:
    parser = argparse.ArgumentParser(description="Gradients of real programs beside the programs.")
    parser.add_argument("--repeats", type=int, default=12, help="calls of which the least time is taken")
    parser.add_argument("--worst", type=int, default=10, help="of how many the names are printed")
    given = parser.parse_args()
    sys.path.insert(0, str(TESTS))
    from corpus import CORPUS  # type: ignore[import-not-found]

    own = [entry for entry in CORPUS if not entry.refused][::EACH]
    count = len(CORPUS)
    from real import collect  # type: ignore[import-not-found]

    with quiet():
        collect.load()
        found = {entry.id: one for entry in CORPUS[count:] if (one := ratios(entry, given.repeats)) is not None}
        lines, calls, of = helpers(own)
    print(f"NumPy {np.__version__}, {len(found)} programs\n")
    for place, name in enumerate(KINDS, start=1):
        times = sorted(one[place] for one in found.values())
        print(f"{name:<28} over the program: median {statistics.median(times):.1f}, "
              f"nine of ten below {times[int(0.9 * len(times))]:.1f}")
    for name, one in sorted(found.items(), key=lambda item: -item[1][-1])[:given.worst]:
        print(f"    {name:<48} {1e6 * one[0]:9.1f} us {one[-1]:8.1f}")
    print(f"\ncalls of helpers: {100.0 * calls / lines:.0f} for 100 lines of {len(own)} programs of the corpus "
          f"({lines} lines): " + ", ".join(f"{name} {number}" for name, number in of.most_common(12)))


if __name__ == "__main__":
    main()
