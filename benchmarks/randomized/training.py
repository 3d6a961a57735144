"""Training by Adam with exact or sampled gradients, and what is recorded of it."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import tangent_nb as tnb

from .data import Digits
from .networks import Parameters
from .results import Results


class Way(NamedTuple):
    """A way to train: how many images at a time, and what is asked of the tape; None for all of it."""

    name: str
    batch: int
    tape: dict[str, Any] | None = None


class Network(NamedTuple):
    """What is trained, for how long, and how often it is looked at. tried: rates of which each way has its best."""

    name: str
    loss: Callable[..., Any]
    start: Callable[[np.random.Generator], Parameters]
    scores: Callable[[Parameters, Any], Any]
    ways: Sequence[Way]
    tried: Sequence[float]
    steps: int
    each: int


def gradient(network: Network, way: Way, seed: int) -> Callable[..., Any]:
    """The gradient that a way trains with."""
    return tnb.grad(network.loss, tape=None if way.tape is None else tnb.Sampled(**way.tape, seed=seed))


def adam(p: Parameters, df: Callable[..., Any], batches: Callable[[], tuple[Any, Any]], rate: float, steps: int,
         look: Callable[[int, Parameters], None]) -> Parameters:
    """D. P. Kingma and J. Ba, 2015; the rate is lowered by 0.6 ten times, as in the paper."""
    mean, square = ({name: np.zeros_like(x) for name, x in p.items()} for _ in range(2))
    look(0, p)
    for step in range(1, steps + 1):
        g = df(p, *batches())
        now = rate * 0.6 ** (10 * (step - 1) // steps) * np.sqrt(1 - 0.999 ** step) / (1 - 0.9 ** step)
        for name, x in g.items():
            mean[name] += 0.1 * (x - mean[name])
            square[name] += 0.001 * (x * x - square[name])
        p = {name: (x - now * mean[name] / (np.sqrt(square[name]) + 1e-8)).astype(x.dtype) for name, x in p.items()}
        look(step, p)
    return p


def trained(network: Network, way: Way, digits: Digits, rate: float, seed: int, steps: int,
            test: Any) -> dict[str, Any]:
    """One run, on digits drawn with replacement from those to train with: its curves."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(len(digits.train[0]), size=len(digits.train[0]))
    x, y = digits.train[0][drawn], digits.train[1][drawn]
    curves: dict[str, list[float]] = {name: [] for name in ("step", "loss", "accuracy", "test_loss", "test_accuracy")}

    def batches() -> tuple[Any, Any]:
        some = rng.integers(len(x), size=way.batch)
        return x[some], y[some]

    def look(step: int, p: Parameters) -> None:
        if step % network.each and step != steps:
            return
        curves["step"].append(step)
        for before, (images, labels) in (("", (x[:1000], y[:1000])), ("test_", test)):
            loss, right = judged(network.scores(p, images), labels)
            curves[before + "loss"].append(round(loss, 5))
            curves[before + "accuracy"].append(round(right, 4))

    started = time.process_time()
    adam(network.start(rng), gradient(network, way, seed), batches, rate, steps, look)
    return {**curves, "seconds": round(time.process_time() - started, 1)}


def judged(scores: Any, labels: Any) -> tuple[float, float]:
    """The mean loss, and how many are right."""
    z = scores.astype(np.float64)
    z -= z.max(axis=1, keepdims=True)
    loss = np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(labels)), labels]
    return float(loss.mean()), float((z.argmax(axis=1) == labels).mean())


def run(network: Network, digits: Digits, seeds: int, quick: bool) -> Results:
    """All runs of a network: for each way the best rate, by other digits and another seed, then the seeds."""
    kept, steps = Results(network.name, quick), network.steps // (10 if quick else 1)
    rates = {}
    for way in network.ways:
        for rate in network.tried:
            key = {"kind": "rate", "way": way.name, "rate": rate}
            if kept.find(**key) is None:
                told(f"{network.name}: {way.name} at rate {rate:g}")
                kept.add({**key, **trained(network, way, digits, rate, 1000, steps // 2, digits.chosen)})
        rows = [row for row in kept.rows if row["kind"] == "rate" and row["way"] == way.name]
        best = max(rows, key=lambda row: (row["test_accuracy"][-1], -row["test_loss"][-1]))      # as the paper chooses
        rates[way.name] = best["rate"]
    for seed in range(seeds):
        for i, way in enumerate(network.ways, 1):
            key = {"kind": "run", "way": way.name, "seed": seed}
            if kept.find(**key) is None:
                told(f"{network.name}: seed {seed + 1} of {seeds}, {i} of {len(network.ways)}: {way.name}")
                found = trained(network, way, digits, rates[way.name], seed, steps, digits.test)
                kept.add({**key, "rate": rates[way.name], **found})
                told(f"    loss {found['loss'][-1]:.4f}, right of those to test {found['test_accuracy'][-1]:.1%}, "
                     f"{found['seconds']} s of the processor")
    return kept


def told(text: str) -> None:
    """How far it is."""
    print(text, file=sys.stderr, flush=True)
