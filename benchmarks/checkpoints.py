"""Memory against time of a gradient of 10,000 steps, for several numbers of states that are kept.

The same loop, once over `range(n)` and once over `tnb.checkpointed(range(n), memory=s)`. Memory is the peak that
tracemalloc sees, in a run of its own; time is the median of the ratios of runs that take turns in one process, in
processor time. Both gradients are compared to the last bit.

    python -m benchmarks.checkpoints [--quick] [--plot docs/images/checkpoints.png]
"""
from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import tangent_nb as tnb
from tangent_nb.runtime.checkpoints import reruns

STATES = (5, 10, 20, 50, 100, 200, 500, 1000)


def heat(u, k, steps):
    for _ in range(steps):
        flow = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4.0 * u
        u = u + k * np.exp(-u) * flow
    return np.sum(u * u)


def heat_checkpointed(u, k, steps, memory):
    for _ in tnb.checkpointed(range(steps), memory=memory):
        flow = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4.0 * u
        u = u + k * np.exp(-u) * flow
    return np.sum(u * u)


def rnn(w, v, b, xs, goal):
    h, loss = np.zeros_like(goal), 0.0
    for t in range(len(xs)):
        h = np.tanh(w @ h + v @ xs[t] + b)
        loss += np.sum((h - goal) ** 2)
    return loss


def rnn_checkpointed(w, v, b, xs, goal, memory):
    h, loss = np.zeros_like(goal), 0.0
    for t in tnb.checkpointed(range(len(xs)), memory=memory):
        h = np.tanh(w @ h + v @ xs[t] + b)
        loss += np.sum((h - goal) ** 2)
    return loss


class Program(NamedTuple):
    """One function without checkpoints, and with them; wrt and args: of its gradient."""

    name: str
    plain: Any
    checkpointed: Any
    wrt: tuple[str, ...]
    args: tuple[Any, ...]


class Point(NamedTuple):
    """states: how many are kept, 0 for all values of all steps; peak: bytes; ratio: of the time, to keeping all."""

    states: int
    peak: int
    ratio: float


def programs(steps: int) -> list[Program]:
    """A nonlinear heat equation on 40 × 40 points, and a recurrent network of 64 units for 16 sequences at once."""
    rng = np.random.default_rng(0)
    units, inputs, batch = 64, 16, 16
    return [
        Program("heat", heat, heat_checkpointed, ("u", "k"), (rng.random((40, 40)), 0.1, steps)),
        Program("RNN", rnn, rnn_checkpointed, ("w", "v", "b"), (
            rng.normal(size=(units, units)) / 12, rng.normal(size=(units, inputs)), np.zeros((units, 1)),
            rng.normal(size=(steps, inputs, batch)), rng.normal(size=(units, batch)) / 2))]


def peak(run: Callable[[], Any]) -> int:
    """The most bytes that are alive in a run besides those before."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def seconds(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def measure(program: Program, states: Sequence[int], repeats: int) -> list[Point]:
    """Of all states, and of few."""
    plain, few = tnb.grad(program.plain, wrt=program.wrt), tnb.grad(program.checkpointed, wrt=program.wrt)
    expected = plain(*program.args)
    points = [Point(0, peak(lambda: plain(*program.args)), 1.0)]
    for s in states:
        found = few(*program.args, s)
        assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True)), "not the same to the last bit"
        ratios = []
        for _ in range(repeats):
            before = seconds(lambda: plain(*program.args))
            ratios.append(seconds(lambda s=s: few(*program.args, s)) / before)
        points.append(Point(s, peak(lambda s=s: few(*program.args, s)), statistics.median(ratios)))
    return points


def show(name: str, points: Sequence[Point], steps: int) -> None:
    print(f"{name}, {steps} steps")
    print(f"{'states kept':>12}{'megabytes':>12}{'less by':>10}{'time':>8}{'steps run again, by the schedule':>36}")
    for point in points:
        runs = "" if not point.states else f"{(1 + reruns(steps, point.states)) / steps:.2f} times each"
        print(f"{point.states or 'all':>12}{point.peak / 1e6:>12.2f}{points[0].peak / point.peak:>10.1f}"
              f"{point.ratio:>8.2f}{runs:>36}")
    print()


def plot(results: dict[str, list[Point]], steps: int, path: str) -> None:
    """Time over memory, both as ratios to keeping all."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(results), figsize=(9.0, 3.8), layout="constrained", sharey=True)
    for axis, (name, points) in zip(axes, results.items(), strict=True):
        few = points[1:]
        axis.semilogx([p.peak / 1e6 for p in few], [p.ratio for p in few], marker="o", markersize=5, color="#0072b2",
                      label="few states kept")
        axis.semilogx([points[0].peak / 1e6], [1.0], marker="s", markersize=7, color="#d55e00", linestyle="",
                      label="all values kept")
        for point in few:
            axis.annotate(str(point.states), (point.peak / 1e6, point.ratio), textcoords="offset points",
                          xytext=(4, 5), fontsize=8)
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("megabytes (peak)")
        axis.grid(True, which="both", alpha=0.2)
        axis.legend(fontsize=8, frameon=False, loc="upper right")
    axes[0].set_ylabel("time, to that of keeping all")
    axes[0].set_ylim(0.0, 1.1 * max(point.ratio for points in results.values() for point in points))
    figure.suptitle(f"Gradients of {steps:,} steps, by the number of states kept", fontsize=11)
    figure.savefig(path, dpi=120, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(description="Memory against time of checkpointed loops.")
    parser.add_argument("--quick", action="store_true", help="500 steps, four numbers of states")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each (default 3)")
    parser.add_argument("--plot", metavar="FILE", help="draw time over memory into a file")
    given = parser.parse_args()
    steps, states = (500, (5, 20, 50, 100)) if given.quick else (10_000, STATES)
    print(f"NumPy {np.__version__}\n")
    results = {one.name: measure(one, states, given.repeats) for one in programs(steps)}
    for name, points in results.items():
        show(name, points, steps)
    if given.plot:
        plot(results, steps, given.plot)


if __name__ == "__main__":
    main()
