"""Why a small batch, whose gradient varies less, trains slower: the dense network by plain descent and by Adam.

Two measurements. `training`: the loss after some steps of plain gradient descent, where the noise of a gradient counts
by its size alone, beside that of Adam, which divides each number of it by the root of its mean square. `steps`: at
weights that Adam has come to, the gradient ḡ of all digits and the mean square E[g²] of each number of it, over batches
and samples: Adam's step is ḡ/√E[g²] on average, of which ḡ·ḡ/√E[g²] goes down; and how much larger the largest squared
length of a gradient is than their mean.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tangent_nb as tnb

from .data import mnist
from .networks import Parameters, dense, dense_scores, dense_start
from .results import Results
from .training import Way, adam, judged, told

TENTH = {"fraction": 0.1}
WAYS = (Way("exact, 150", 150), Way("exact, 22", 22), Way("sampled, different", 150, {**TENTH, "share": "none"}),
        Way("sampled, same", 150, TENTH))
DESCENT, ADAM = (0.03, 0.1, 0.3), (1e-3, 3e-3)


Batches = Callable[[], tuple[Any, Any]]


def gradients(way: Way, images: Any, labels: Any, seed: int) -> tuple[Callable[..., Any], Batches]:
    """The gradient of a way, and its batches."""
    rng = np.random.default_rng(seed)

    def batches() -> tuple[Any, Any]:
        some = rng.integers(len(images), size=way.batch)
        return images[some], labels[some]

    return tnb.grad(dense, tape=None if way.tape is None else tnb.Sampled(**way.tape, seed=seed)), batches


def descended(p: Parameters, df: Callable[..., Any], batches: Batches, rate: float, steps: int) -> Parameters:
    """Plain gradient descent."""
    for _ in range(steps):
        g = df(p, *batches())
        p = {name: x - np.float32(rate) * g[name] for name, x in p.items()}
    return p


def adams(way: Way, p: Parameters, images: Any, labels: Any, n: int) -> dict[str, float]:
    """What Adam makes of the gradients of a way at some weights. down: ḡ·ḡ/√E[g²], for each unit of the rate;
    spread: the mean square distance from ḡ over the square of its length; largest: of the squared lengths, over their
    mean."""
    mean = tnb.grad(dense)(p, images, labels)
    df, batches = gradients(way, images, labels, 5)
    square = {name: np.zeros(x.shape) for name, x in p.items()}
    lengths, apart = [], 0.0
    for _ in range(n):
        g = {name: x.astype(float) for name, x in df(p, *batches()).items()}
        for name, x in g.items():
            square[name] += x * x / n
        lengths.append(sum(float(np.sum(x * x)) for x in g.values()))
        apart += sum(float(np.sum((x - mean[name]) ** 2)) for name, x in g.items()) / n
    length = sum(float(np.sum(np.square(x, dtype=float))) for x in mean.values())
    down = sum(float(np.sum(x.astype(float) ** 2 / np.sqrt(square[name] + 1e-16))) for name, x in mean.items())
    return {"down": down, "spread": apart / length, "largest": max(lengths) / float(np.mean(lengths))}


def run(quick: bool) -> None:
    """Measure what is not kept yet, and print it."""
    kept, steps, n = Results("noise", quick), 20 if quick else 300, 5 if quick else 60
    images, labels = mnist().train
    for seed in range(1 if quick else 3):
        for way in WAYS:
            for method, rates in (("descent", DESCENT), ("adam", ADAM)):
                for rate in rates:
                    key = {"kind": "training", "method": method, "way": way.name, "rate": rate, "seed": seed}
                    if kept.find(**key) is None:
                        told(f"noise: seed {seed + 1}, {way.name}, {method} at {rate:g}")
                        df, batches = gradients(way, images, labels, seed)
                        p = dense_start(np.random.default_rng(seed))
                        p = descended(p, df, batches, rate, steps) if method == "descent" else adam(
                            p, df, batches, rate, steps, lambda step, now: None)
                        kept.add({**key, "loss": judged(dense_scores(p, images), labels)[0]})
    for at in (20, 100, 300):
        if all(kept.find(kind="steps", at=at, way=way.name) is not None for way in WAYS):
            continue
        df, batches = gradients(WAYS[0], images, labels, 0)
        p = adam(dense_start(np.random.default_rng(0)), df, batches, 1e-3, min(at, steps), lambda step, now: None)
        for way in WAYS:
            told(f"noise: after {at} steps, {way.name}")
            kept.add({"kind": "steps", "at": at, "way": way.name, **adams(way, p, images, labels, n)})
    print(table(kept))


def table(kept: Results) -> str:
    """Both measurements, as Markdown."""
    lines = []
    for way in WAYS:
        cells = []
        for method, rates in (("descent", DESCENT), ("adam", ADAM)):
            for rate in rates:
                found = [row["loss"] for row in kept.rows if row["kind"] == "training" and row["method"] == method
                         and row["way"] == way.name and row["rate"] == rate]
                cells.append(f"{np.mean(found):.3f}" if found else "")
        lines.append(f"| {way.name} | {' | '.join(cells)} |")
    for row in kept.rows:
        if row["kind"] == "steps":
            lines.append(f"| after {row['at']} | {row['way']} | {row['spread']:.2f} | {row['down']:.3g} "
                         f"| {row['largest']:.1f} |")
    return "\n".join(lines)
