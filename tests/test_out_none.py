"""`if out is None: out = …` in what is called without it: the caller holds nothing that could change."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb

X = np.array([1.0, 2.0, 3.0])


def filled(x: Any, out: Any = None) -> Any:
    if out is None:
        out = np.zeros(3)
    out[0] = x[1]
    out[1:] = x[:2] * x[0]
    return np.sum(out * out)


def scaled(xs: Any, out: Any = None) -> Any:
    if out is None:
        out = [0.0] * len(xs)
    for i in range(len(xs)):
        out[i] = xs[i] * xs[0]
    return out


def of_arrays(x: Any) -> Any:
    return filled(x) * 2


def of_lists(x: Any) -> Any:
    return sum(scaled(x)) + sum(scaled(xs=x * x))


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for k in range(3):
        total = total + filled(x * k)
        made = None
        for _ in range(2):
            if made is None:                               # only in the first trip
                made = x * 2
            else:
                made = made * x
        total = total + np.sum(made)
    return total


def in_branches(x: Any) -> Any:
    best = None
    if x[0] > 0:
        best = x[1]
    return x[2] if best is None else best * x[0]


@pytest.mark.parametrize("f", [of_arrays, of_lists, in_a_loop, in_branches])
@pytest.mark.parametrize("optimized", [True, False])
def test_what_is_not_given_is_made(f: Any, optimized: bool) -> None:
    for x in (X, -X):
        want = [(f(x + h) - f(x - h)) / 2e-6 for h in np.eye(3) * 1e-6]
        assert np.allclose(tnb.grad(f, optimized=optimized)(x), want, atol=1e-5)
        assert np.isclose(tnb.jvp(f, optimized=optimized)(x, dx=np.ones(3)), np.sum(want), atol=1e-5)
