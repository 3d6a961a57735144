"""What it takes to undo the updates of a loop in the place of saving its values: leapfrog steps of many pendulums.

    python -m benchmarks.undoing
"""
from __future__ import annotations

import tracemalloc
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import tangent_nb as tnb

STEPS = (100, 1_000, 10_000)
SIZE = 1_000
ROUNDS = 5


def pendulums(x, v, n):
    for _ in range(n):
        v = v - 0.01 * np.sin(x)
        x = x + 0.01 * v
    return np.sum(x * x)


def peak(df: Any, *args: Any) -> int:
    """The most bytes that a call allocates at once."""
    tracemalloc.start()
    try:
        df(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main() -> None:
    """Print the seconds and the memory of both, and how far their gradients are apart."""
    x, v = np.linspace(0.1, 3.0, SIZE), np.zeros(SIZE)
    both = [tnb.grad(pendulums, ("x", "v"), optimized=one, like=(x, v, 1)) for one in (True, "+invert_updates")]
    print(f"{'steps':>7} {'saved, s':>9} {'undone, s':>9} {'saved, MB':>10} {'undone, MB':>10} {'difference':>11}")
    for steps in STEPS:
        seconds: tuple[list[float], list[float]] = ([], [])
        for _ in range(ROUNDS):
            for times, df in zip(seconds, both, strict=True):
                start = perf_counter()
                df(x, v, steps)
                times.append(perf_counter() - start)
        memory = [peak(df, x, v, steps) / 1e6 for df in both]
        one, other = (np.array(df(x, v, steps)) for df in both)
        apart = np.max(np.abs(one - other)) / np.max(np.abs(one))
        print(f"{steps:7} {median(seconds[0]):9.4f} {median(seconds[1]):9.4f} {memory[0]:10.3f} {memory[1]:10.3f} "
              f"{apart:11.1e}", flush=True)


if __name__ == "__main__":
    main()
