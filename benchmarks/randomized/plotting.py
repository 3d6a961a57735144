"""The plots of docs/images, from the runs that are kept."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .results import Results
from .sweep import FRACTIONS
from .training import told

IMAGES = Path(__file__).parents[2] / "docs" / "images"
COLOURS = ("#1f3b5c", "#8a8f98", "#c2571a", "#d9a441", "#4a8f6d")
EXACT, DRAWN = (*COLOURS[:2], "#c4a5b8"), COLOURS[2:]


def order(way: str) -> tuple[int, str]:
    """Exact ones first, then as the letters say."""
    return (not way.startswith("exact")), way


def coloured(ways: set[str]) -> list[tuple[str, str]]:
    """A colour for each way, of exact ones and of others."""
    ordered = sorted(ways, key=order)
    exact = [way for way in ordered if way.startswith("exact")]
    return [*zip(EXACT, exact), *zip(DRAWN, ordered[len(exact):])] if len(exact) > 1 else [*zip(COLOURS, ordered)]


def curves(axis: Any, rows: list[dict[str, Any]], name: str, logarithmic: bool = False) -> None:
    """The mean of the seeds of each way, in a band from the least to the most."""
    for colour, way in coloured({row["way"] for row in rows}):
        some = [row for row in rows if row["way"] == way]
        found = np.array([row[name] for row in some])
        axis.fill_between(some[0]["step"], found.min(axis=0), found.max(axis=0), color=colour, alpha=0.18, linewidth=0)
        axis.plot(some[0]["step"], found.mean(axis=0), color=colour, label=way, linewidth=1.6)
    axis.set_xlabel("step")
    if logarithmic:
        axis.set_yscale("log")


def training(plt: Any, name: str, title: str, folder: Path, quick: bool) -> None:
    """Loss on what is trained with, and how many are right of those to test."""
    rows = [row for row in Results(name, quick).rows if row["kind"] == "run"]
    if not rows:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.4), layout="constrained")
    curves(axes[0], rows, "loss", logarithmic=name == "dense")
    curves(axes[1], rows, "test_accuracy")
    seeds = len({row["seed"] for row in rows})
    axes[0].set_title(f"{title}: loss in training, {seeds} seeds", fontsize=10, loc="left")
    axes[1].set_title("right, of digits to test", fontsize=10, loc="left")
    axes[1].legend(frameon=False, fontsize=8, loc="lower right")
    if name == "dense":
        axes[1].set_ylim(0.7, 1.0)
    written(plt, figure, axes, folder / f"randomized-{name}.png")


def variances(plt: Any, folder: Path, quick: bool) -> None:
    """The spread of gradients for each fraction, or part of the batch."""
    kept = Results("sweep", quick)
    if not kept.rows:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.4), layout="constrained", sharey=True)
    for axis, at in zip(axes, ("the start", "100 steps")):
        rows = [row for row in kept.rows if row["at"] == at]
        for way, colour, dashes in zip(dict.fromkeys(row["way"] for row in rows),
                                       (COLOURS[3], COLOURS[2], COLOURS[3], COLOURS[2], COLOURS[4], COLOURS[1]),
                                       ("-", "-", "--", "--", "-", "-")):
            some = [row for row in rows if row["way"] == way]
            sizes = [row.get("fraction", row.get("batch", 0) / 150) for row in some]
            axis.plot(sizes, [row["spread"] for row in some], dashes, color=colour, marker=".", linewidth=1.4,
                      label=way if way != "fewer images" else "exact, of a part of the images")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("fraction")
        axis.set_xticks(FRACTIONS, map(str, FRACTIONS))
        axis.minorticks_off()
    axes[0].set_title("variance over squared length, at the start", fontsize=10, loc="left")
    axes[1].set_title("after 100 steps", fontsize=10, loc="left")
    axes[0].legend(frameon=False, fontsize=7, loc="lower left")
    written(plt, figure, axes, folder / "randomized-sweep.png")


def control(plt: Any, folder: Path, quick: bool) -> None:
    """The loss of the reaction and diffusion, and what is kept."""
    rows = Results("pde", quick).rows
    if not rows:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.4), layout="constrained")
    curves(axes[0], rows, "loss", logarithmic=True)
    sizes = Results("pde_bytes", quick)
    for colour, way in zip(COLOURS, sorted({row["way"] for row in sizes.rows}, key=order)):
        some = [row for row in sizes.rows if row["way"] == way]
        whole = [sizes.find(n=row["n"], way="exact")["bytes"] for row in some]  # type: ignore[index]
        axes[1].plot([row["n"] for row in some], [row["bytes"] / one for row, one in zip(some, whole)], color=colour,
                     marker=".", linewidth=1.6)
    axes[1].set_yscale("log")
    axes[1].set_yticks([1, 0.3, 0.1, 0.03], ["100 %", "30 %", "10 %", "3 %"])
    axes[1].set_xticks([16, 32, 64], ["16x16", "32x32", "64x64"])
    axes[1].minorticks_off()
    axes[1].set_title("bytes that a step keeps", fontsize=10, loc="left")
    axes[0].set_title("reaction and diffusion: loss", fontsize=10, loc="left")
    axes[0].legend(frameon=False, fontsize=8)
    written(plt, figure, axes, folder / "randomized-pde.png")


def written(plt: Any, figure: Any, axes: Any, path: Path) -> None:
    """Without frames, as a small file."""
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(alpha=0.25, linewidth=0.6)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    told(f"drawn: {path}")


def run(quick: bool) -> None:
    """Draw what has been run."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    folder = Path(".") if quick else IMAGES
    with plt.style.context("default"):
        training(plt, "dense", "784-300-300-300-10", folder, quick)
        training(plt, "conv", "convolutions", folder, quick)
        training(plt, "rnn", "recurrent, 64 steps", folder, quick)
        variances(plt, folder, quick)
        control(plt, folder, quick)
