"""SciPy's test functions for global optimization, differentiated as SciPy's benchmarks have them.

    python -m benchmarks.test_functions PATH           PATH: `benchmarks/benchmarks` of SciPy's sources
    python -m benchmarks.test_functions PATH --show    with each class, and why it was refused

Each class has a method `fun(self, x, *args)` that counts its calls, `self.nfev += 1`. The bound method is
differentiated as it is, by `grad` and `jvp`, optimised and raw, at two points drawn within the bounds of the class, and
compared with central differences of several steps; `nfev` has to grow by one in each call. A point where differences
from the left and from the right disagree is a kink, and is left out.
"""
from __future__ import annotations

import argparse
import sys
import types
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import tangent_nb as tnb
from tangent_nb.errors import TangentError

STEPS = (1e-3, 1e-4, 1e-5, 1e-6)
WAYS: dict[str, Callable[[Any], Any]] = {
    "grad": tnb.grad, "grad, raw": lambda f: tnb.grad(f, optimized=False), "jvp": tnb.jvp,
    "jvp, raw": lambda f: tnb.jvp(f, optimized=False)}


def classes(path: Path) -> Iterator[type]:
    """The classes of test functions, in the order of their names."""
    suite = types.ModuleType("suite")                      # SciPy's package has the name of ours
    suite.__path__ = [str(path)]
    sys.modules["suite"] = suite
    package = import_module("suite.go_benchmark_functions")
    base = package.Benchmark
    for name in sorted(vars(package)):
        one = getattr(package, name)
        if isinstance(one, type) and issubclass(one, base) and one is not base:
            yield one


def slopes(f: Callable[[Any], float], x: Any) -> Any:
    """Central differences, with an estimate of their error; None at a kink."""
    found, errors = np.zeros(x.size), np.zeros(x.size)
    for i, e in enumerate(np.eye(x.size)):
        values = [(float(f(x + h * e)) - float(f(x - h * e))) / (2 * h) for h in STEPS]
        sides = [(float(f(x + s * 1e-6 * e)) - float(f(x))) / (s * 1e-6) for s in (1, -1)]
        if abs(sides[0] - sides[1]) > 1e-2 * (1.0 + abs(sides[0]) + abs(sides[1])):
            return None
        gaps = np.abs(np.diff(values))
        best = int(np.argmin(gaps))
        found[i], errors[i] = values[best + 1], gaps[best]
    return found, errors


def judge(cls: type) -> tuple[str, str]:
    """`"right"`, `"refused"`, `"wrong"`, `"kink"` or `"crash"`, with why."""
    problem: Any = cls()
    draw = np.random.RandomState(zlib.crc32(cls.__name__.encode()))
    bounds = np.array([tuple(map(float, pair)) for pair in problem.bounds])
    compared = 0
    for x in (draw.uniform(bounds[:, 0], bounds[:, 1]) for _ in range(2)):
        wanted = slopes(problem.fun, x)
        if wanted is None or not np.all(np.isfinite(wanted[0])):
            continue
        compared += 1
        for way, derive in WAYS.items():
            try:
                df, before = derive(problem.fun), problem.nfev
                got = [df(x)] if way.startswith("grad") else [df(x, dx=e) for e in np.eye(x.size)]
            except TangentError as error:
                return "refused", str(error).replace("\n", " | ")
            except Exception as error:
                return "crash", f"{way}: {type(error).__name__}: {error}"
            if problem.nfev - before != len(got):
                return "wrong", f"{way}: nfev grew by {problem.nfev - before} in {len(got)} calls"
            gap = np.abs(np.concatenate(list(map(np.atleast_1d, got))) - wanted[0])
            if np.any(gap > 10 * wanted[1] + 1e-4 * (1.0 + np.abs(wanted[0]))):
                return "wrong", f"{way}: {got} at {x}, differences are {wanted[0]}"
    return ("right" if compared else "kink"), ""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("path", type=Path, help="`benchmarks/benchmarks` of SciPy's sources")
    parser.add_argument("--show", action="store_true", help="each class, and why it was refused")
    given = parser.parse_args()
    tally: Counter[str] = Counter()
    with np.errstate(all="ignore"):
        for cls in classes(given.path):
            verdict, why = judge(cls)
            tally[verdict] += 1
            if given.show or verdict in ("wrong", "crash"):
                print(cls.__name__, verdict, why, flush=True)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items()))
    print(f"{sum(tally.values())} classes: {counts}")


if __name__ == "__main__":
    main()
