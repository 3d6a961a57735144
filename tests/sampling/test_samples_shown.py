"""What is seen of samples: the lines that they come from, and what a run keeps under their names."""
from __future__ import annotations

from typing import Any

import numpy as np

import tangent_nb as tnb


def loss(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(x @ w1, 0.0)
    r = h @ w2
    return np.mean(r * r)


ARGUMENTS = tuple(np.random.default_rng(0).normal(size=size) for size in ((40, 30), (30, 4), (50, 40)))
FIRST = loss.__code__.co_firstlineno
DERIVED = tnb.grad(loss, wrt=("w1", "w2"), tape=tnb.Sampled(0.2, seed=0), like=ARGUMENTS)


def test_a_sample_of_an_argument_comes_from_the_line_that_reads_it() -> None:
    lines = tnb.source(DERIVED).splitlines()
    found = {lines[line.number - 1].strip(): [one.span.line - FIRST for one in line.origins]
             for line in DERIVED.__tangent_nb__.emitted.lines}         # type: ignore[attr-defined]
    assert found["x_sampled = rt.sample(x, stream, fraction=0.2)"] == [1]
    assert found["h_sampled = rt.sample(h, stream, fraction=0.2)"] == [1]


def test_a_run_says_how_much_is_kept() -> None:
    printed = str(tnb.step(DERIVED, *ARGUMENTS))
    assert "x_sampled = 8 of 40 kept of (50, 40) float64" in printed
    assert "h_sampled = 6 of 30 kept of (50, 30) float64" in printed
    assert "greater_bits = one bit for each of (50, 30) float64" in printed
