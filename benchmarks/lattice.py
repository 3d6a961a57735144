"""How the gradient of a loop that grows an array grows with the loop: the lattice language model of the Tangent paper
(Listing 8).

An outer loop of n trips puts a row of d zeros to the end of an array, an inner one of m trips overwrites it. Timed, and
measured for memory, is the gradient of the mean of the array, of

    persistent    tnb.PersistentArray, with tnb.append and tnb.setitem
    lists         a list of rows, with append and rows[-1] = y
    in place      NumPy's arrays, with np.append and x[-1] = y
    immutable     NumPy's arrays, with tnb.append and tnb.setitem, which copy them as immutable arrays are copied
    autograd      HIPS autograd, which has immutable arrays only: np.concatenate for both

Seconds are processor time, the median of repeats; bytes are the most that was allocated at once. Exponents are those of
a power of n, fitted to the upper half of its values. A method stops where one gradient takes more than --patience
seconds, or --room GiB.

    python -m benchmarks.lattice [--quick] [--dim D] [--plot FILE]
"""
from __future__ import annotations

import argparse
import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import tangent_nb as tnb

DIM = 2000
INNER = 15
OUTER = (10, 18, 32, 56, 100, 178, 316, 562, 1000)
QUICK = (10, 18, 32, 56, 100)
REPEATS = 5

Gradient = Callable[[int], Any]
Points = list[tuple[int, float, int]]


def lattice(x, OUTER):
    """Listing 8; DIM is read from x."""
    r = np.zeros(x.shape[1])
    for _ in range(OUTER):
        x = tnb.append(x, r)
        for _ in range(INNER):
            y = np.add(x[-1], 1.0)
            x = tnb.setitem(x, -1, y)
    return np.mean(x)


def lattice_in_place(x, OUTER):
    """The same, as it is written with arrays."""
    r = np.zeros((1, x.shape[1]))
    for _ in range(OUTER):
        x = np.append(x, r, axis=0)
        for _ in range(INNER):
            y = np.add(x[-1], 1.0)
            x[-1] = y
    return np.mean(x)


def lattice_of_rows(x, OUTER):
    """The same, with a list."""
    rows = [x]
    for _ in range(OUTER):
        rows.append(np.zeros(len(x)))
        for _ in range(INNER):
            rows[-1] = np.add(rows[-1], 1.0)
    return np.mean(np.array(rows))


def of_autograd(start: np.ndarray[Any, Any]) -> Gradient:
    """The same, for autograd."""
    import autograd
    import autograd.numpy as anp

    def lattice_immutable(x, OUTER):
        r = anp.zeros((1, x.shape[1]))
        for _ in range(OUTER):
            x = anp.concatenate((x, r))
            for _ in range(INNER):
                y = anp.add(x[-1:], 1.0)
                x = anp.concatenate((x[:-1], y))
        return anp.mean(x)

    df = autograd.grad(lattice_immutable)
    return lambda n: df(start, n)


def methods(dim: int) -> Iterator[tuple[str, Gradient]]:
    """What is compared, by name: each takes the number of trips."""
    start = np.ones((1, dim))
    df, df_in_place, df_of_rows = tnb.grad(lattice), tnb.grad(lattice_in_place), tnb.grad(lattice_of_rows)
    yield "persistent", lambda n: df(tnb.PersistentArray(start), n)
    yield "lists", lambda n: df_of_rows(start[0], n)
    yield "in place", lambda n: df_in_place(start, n)
    yield "immutable", lambda n: df(start, n)
    try:
        yield "autograd", of_autograd(start)
    except ImportError:
        print("autograd is not installed, and left out (pip install autograd)\n")


def seconds(gradient: Gradient, n: int, repeats: int) -> float:
    """Processor time of one gradient: the median."""
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.process_time()
        gradient(n)
        times.append(time.process_time() - start)
        if times[-1] > 5.0:                            # what takes long needs no median
            break
    return statistics.median(times)


def peak(gradient: Gradient, n: int) -> int:
    """The most bytes that a gradient has allocated at once."""
    gc.collect()
    tracemalloc.start()
    try:
        gradient(n)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def measure(gradient: Gradient, trips: Sequence[int], repeats: int, patience: float, room: float) -> Points:
    """The seconds and bytes for each number of trips, as far as they fit."""
    found: Points = []
    for n in trips:
        if found and _next(found, n, 1) > patience or len(found) > 1 and _next(found, n, 2) > room * 2 ** 30:
            break
        found.append((n, seconds(gradient, n, repeats), peak(gradient, n)))
    return found


def _next(found: Points, n: int, place: int) -> float:
    """What n trips will take, if it grows with their square."""
    last = found[-1]
    return float(last[place]) * (n / last[0]) ** 2


def exponent(points: Points, place: int) -> float:
    """Of a power of n, fitted by least squares to the logarithms of the upper half."""
    upper = points[len(points) // 2:]
    slope, _ = np.polyfit([np.log(p[0]) for p in upper], [np.log(p[place]) for p in upper], 1)
    return float(slope)


def show(results: dict[str, Points], trips: Sequence[int]) -> None:
    """Two tables: seconds, and megabytes, with exponents."""
    for title, place, unit in (("seconds", 1, 1.0), ("megabytes", 2, 1e6)):
        print(f"{title:<12}" + "".join(f"{n:>10}" for n in trips) + f"{'exponent':>10}")
        for name, points in results.items():
            cells = {p[0]: f"{p[place] / unit:10.3f}" for p in points}
            print(f"{name:<12}" + "".join(cells.get(n, f"{'-':>10}") for n in trips)
                  + f"{exponent(points, place):10.2f}")
        print()


def plot(results: dict[str, Points], dim: int, path: str) -> None:
    """Both as lines on logarithmic axes."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.6), layout="constrained")
    for axis, place, unit, title in ((axes[0], 1, 1.0, "seconds (processor time)"),
                                     (axes[1], 2, 1e6, "megabytes (peak)")):
        for (name, points), marker in zip(results.items(), "osd^v", strict=False):
            axis.loglog([p[0] for p in points], [p[place] / unit for p in points], marker=marker, markersize=4,
                        label=f"{name}: n^{exponent(points, place):.1f}")
        axis.set_xlabel("n, trips of the outer loop")
        axis.set_title(title, fontsize=10)
        axis.grid(True, which="both", alpha=0.2)
        axis.legend(fontsize=8, frameon=False)
    figure.suptitle(f"Gradient of Listing 8, dimension {dim}, {INNER} inner trips", fontsize=11)
    figure.savefig(path, dpi=120, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description="The gradient of a loop that grows an array (Listing 8 of the Tangent paper).")
    parser.add_argument("--quick", action="store_true", help="up to 100 trips, dimension 200")
    parser.add_argument("--dim", type=int, default=0, help=f"the dimension of a row (default {DIM}, --quick 200)")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds that one gradient may take")
    parser.add_argument("--room", type=float, default=3.0, help="GiB that one gradient may take")
    parser.add_argument("--plot", metavar="FILE", help="draw the lines into a file")
    given = parser.parse_args()
    trips, dim = (QUICK, given.dim or 200) if given.quick else (OUTER, given.dim or DIM)
    print(f"NumPy {np.__version__}, dimension {dim}, {INNER} inner trips\n")
    results = {name: measure(gradient, trips, REPEATS, given.patience, given.room) for name, gradient in methods(dim)}
    show(results, trips)
    if given.plot:
        plot(results, dim, given.plot)


if __name__ == "__main__":
    main()
