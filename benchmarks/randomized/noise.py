"""Why a small batch, whose gradient varies less, trains slower: the dense network by plain descent and by Adam.

Two measurements. `training`: the loss after some steps of plain gradient descent, beside that of Adam, which divides
each number of a gradient by the root of its mean square. `rise`: how much the loss rises for the noise e = g - ḡ of a
step of descent, g a gradient of a batch and ḡ that of 1,000 digits: (L(p + r e) + L(p - r e)) / 2 - L(p), half of
r² eᵀHe, its curvature; and the same for as long a step in a direction drawn at random.
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


def rises(way: Way, p: Parameters, images: Any, labels: Any, n: int, rate: float) -> dict[str, float]:
    """How much the loss rises for the noise of a gradient. square: of its length."""
    mean, (df, batches) = tnb.grad(dense)(p, images, labels), gradients(way, images, labels, 6)
    rng = np.random.default_rng(7)
    found, by_chance, squares = [], [], []

    def loss(e: Parameters, by: float) -> float:
        return judged(dense_scores({name: x + by * e[name] for name, x in p.items()}, images), labels)[0]

    for _ in range(n):
        g = df(p, *batches())
        e = {name: x - mean[name] for name, x in g.items()}
        squares.append(sum(float(np.sum(np.square(x, dtype=float))) for x in e.values()))
        other = {name: rng.standard_normal(x.shape) for name, x in e.items()}
        long = np.sqrt(squares[-1] / sum(float(np.sum(x * x)) for x in other.values()))
        for some, one, by in ((found, e, rate), (by_chance, other, rate * long)):
            some.append((loss(one, by) + loss(one, -by)) / 2 - loss(e, 0.0))
    return {"rise": float(np.mean(found)), "by_chance": float(np.mean(by_chance)), "square": float(np.mean(squares))}


def run(quick: bool) -> None:
    """Measure what is not kept yet, and print it."""
    kept, steps, n = Results("noise", quick), 20 if quick else 300, 2 if quick else 15
    images, labels = mnist().train
    for seed in range(1 if quick else 2):
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
    for at in (20, 100):
        if all(kept.find(kind="rise", at=at, way=way.name) is not None for way in WAYS):
            continue
        df, batches = gradients(WAYS[0], images, labels, 0)
        p = adam(dense_start(np.random.default_rng(0)), df, batches, 1e-3, min(at, steps), lambda step, now: None)
        for way in WAYS:
            told(f"noise: after {at} steps, {way.name}")
            if kept.find(kind="rise", at=at, way=way.name) is None:
                kept.add({"kind": "rise", "at": at, "way": way.name,
                          **rises(way, p, images[:1000], labels[:1000], n, 0.1)})
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
        if row["kind"] == "rise":
            lines.append(f"| after {row['at']} | {row['way']} | rises by {row['rise']:.3g} | by chance "
                         f"{row['by_chance']:.3g} | {row['square']:.3g} |")
    return "\n".join(lines)
