"""Bars of ratios: time and memory beside the gradients by hand."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .measure import Row, mean

NEAR, FAR = "#4c78a8", "#e4845c"       # up to 1.5 times by hand, and beyond
MOST = 1.5
WIDEST = 7.0                           # bars beyond are cut off, and say how long they are


def named(row: Row, rows: Sequence[Row]) -> str:
    """The program, and its size where there is more than one."""
    name = row.program.replace("_", " ")
    return f"{name}, {row.size:,}" if sum(other.program == row.program for other in rows) > 1 else name


def bars(axis: Any, rows: Sequence[Row], ratios: Sequence[float], title: str) -> None:
    """One panel; the line is the gradient by hand."""
    places = range(len(rows))
    axis.barh(places, [min(r, WIDEST) for r in ratios], height=0.72, color=[NEAR if r <= MOST else FAR for r in ratios])
    for place, r in zip(places, ratios):
        axis.text(max(1.0, min(r, WIDEST)) + 0.08, place, f"{r:,.0f}" if r >= 10.0 else f"{r:.2f}",
                  va="center", fontsize=7, color="#444444")
    axis.axvline(1.0, color="#222222", linewidth=0.9)
    axis.set_title(title, fontsize=10)
    axis.set_xlim(0.0, WIDEST + 0.8)
    axis.tick_params(length=0, labelsize=8)
    axis.grid(axis="x", alpha=0.25)
    axis.set_axisbelow(True)
    for side in axis.spines.values():
        side.set_visible(False)


def plot(rows: Sequence[Row], path: str) -> None:
    """Both panels in a file; programs that are left out of the means are left out here."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    rows = [row for row in rows if not row.apart]
    with plt.style.context("default"):
        figure, axes = plt.subplots(1, 2, figsize=(9.0, 1.0 + 0.2 * len(rows)), sharey=True, layout="constrained")
        for axis, ratios, what in ((axes[0], [row.call for row in rows], "time"),
                                   (axes[1], [row.memory for row in rows], "peak of memory")):
            bars(axis, rows, ratios, f"{what}, by hand = 1 (geometric mean {mean(ratios):.2f})")
        axes[0].set_yticks(range(len(rows)), [named(row, rows) for row in rows])
        axes[0].set_ylim(len(rows) - 0.4, -0.6)
        figure.savefig(path, dpi=120, metadata={"Software": None})
        plt.close(figure)
