"""The variance of the dense network's gradient for several fractions, beside that of small batches.

Measured at the first weights and after some training, for 150 images: the sum of the variances of all numbers of the
gradient, over the square of its length; and the same for exact gradients of fewer images, drawn from the 150.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import tangent_nb as tnb

from .data import mnist
from .networks import dense, dense_start
from .results import Results
from .training import adam, told

FRACTIONS = (0.02, 0.05, 0.1, 0.2, 0.5, 0.8)
METHODS: dict[str, dict[str, Any]] = {
    "with replacement, same": {}, "with replacement, different": {"share": "none"},
    "without replacement, same": {"method": "without_replacement"},
    "without replacement, different": {"method": "without_replacement", "share": "none"},
    "projected": {"method": "rademacher"}}
BATCHES = (4, 8, 15, 22, 50, 100)


def spread(exact: dict[str, Any], found: Iterable[dict[str, Any]]) -> float:
    """The mean square distance from the exact gradient over the square of its length."""
    length = sum(float(np.sum(np.square(g, dtype=np.float64))) for g in exact.values())
    squares = [sum(float(np.sum(np.square(g - exact[name], dtype=np.float64))) for name, g in gradient.items())
               for gradient in found]
    return float(np.mean(squares)) / length


def run(quick: bool) -> None:
    """Measure what is not kept yet, and print it."""
    kept, n = Results("sweep", quick), 5 if quick else 40
    rng = np.random.default_rng(0)
    images, labels = mnist().train
    x, y = images[:150], labels[:150]
    p = dense_start(rng)
    told("sweep: training for 100 steps")

    def batches() -> tuple[Any, Any]:
        some = rng.integers(len(images), size=150)
        return images[some], labels[some]

    df = tnb.grad(dense)
    later = adam(p, df, batches, 1e-3, 100, lambda step, now: None)
    for at, weights in (("the start", p), ("100 steps", later)):
        exact = df(weights, x, y)
        for method, asked in METHODS.items():
            for fraction in FRACTIONS:
                key = {"at": at, "way": method, "fraction": fraction}
                if kept.find(**key) is None:
                    told(f"sweep: at {at}, {method}, {fraction}")
                    one = tnb.grad(dense, tape=tnb.Sampled(fraction, **asked, seed=0))
                    kept.add({**key, "n": n, "spread": spread(exact, (one(weights, x, y) for _ in range(n)))})
        for batch in BATCHES:
            key = {"at": at, "way": "fewer images", "batch": batch}
            if kept.find(**key) is None:
                told(f"sweep: at {at}, {batch} images")
                fewer = (df(weights, *some(rng, x, y, batch)) for _ in range(n))
                kept.add({**key, "n": n, "spread": spread(exact, fewer)})
    for row in kept.rows:
        size = row.get("batch", row.get("fraction"))
        print(f"{row['at']:<12}{row['way']:<34}{size:>8}{row['spread']:>12.3f}")


def some(rng: np.random.Generator, x: Any, y: Any, batch: int) -> tuple[Any, Any]:
    """Images drawn with replacement."""
    drawn = rng.integers(len(x), size=batch)
    return x[drawn], y[drawn]
