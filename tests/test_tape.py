"""What gradients of programs that change arrays save: the bytes on their tapes, counted."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tangent_nb as tnb
from benchmarks import tape

OUTLINE = 8                    # an array of which the shape alone is saved holds one number
MORE = {"lu": 1.1, "thomas": 1.5, "floyd_warshall": 1.1}


@pytest.mark.parametrize("case", tape.CASES, ids=lambda case: f"{case.function.__name__}-{'_'.join(case.wrt)}")
def test_no_more_than_an_expert(case: tape.Case) -> None:
    [(_, saved, expert)] = tape.measured(16, 40, [case])
    outlines = 5 * 40 * OUTLINE
    assert saved <= MORE.get(case.function.__name__, 1.0) * expert + outlines, f"{saved} bytes instead of {expert}"


def test_heat_is_exact() -> None:
    """64x64 and 200 steps: nothing for u, the Laplacian of each step for k."""
    u = np.random.default_rng(0).standard_normal((64, 64))
    assert tape.tape_bytes(tnb.grad(tape.heat, wrt="u"), u, 0.1, 200) == 0
    assert tape.tape_bytes(tnb.grad(tape.heat, wrt=("u", "k")), u, 0.1, 200) == 200 * 62 * 62 * 8


def saved(f: Callable[..., Any], *args: Any) -> int:
    return tape.tape_bytes(tnb.grad(f), *args)


def test_a_part_is_saved_not_the_whole() -> None:
    def f(x):
        y = x.copy()
        for i in range(3):
            y[i] = y[i] * y[i]
        return np.sum(y)

    assert saved(f, np.ones(1000)) == 3 * 8


def test_first_write_to_fresh_memory_saves_nothing() -> None:
    def f(x):
        y = np.empty(1000)
        for i in range(1000):
            y[i] = 2.0 * x[i]
        return np.sum(y * y)

    assert saved(f, np.ones(1000)) == 0


def test_what_is_not_read_is_not_saved() -> None:
    def f(x):
        y = x.copy()
        for i in range(10):
            y[i + 1:] -= 0.5 * y[i:-1]
        return np.sum(y)

    assert saved(f, np.ones(12)) <= 10 * OUTLINE


def test_numbers_that_are_read_are_saved() -> None:
    def f(x):
        y = x.copy()
        for _ in range(4):
            y[1:] *= y[:-1]
        return np.sum(y)

    x = np.linspace(0.5, 1.5, 5)
    assert saved(f, x) > 0
    differences = [(f(x + step) - f(x - step)) / 2e-6 for step in 1e-6 * np.eye(5)]
    np.testing.assert_allclose(tnb.grad(f)(x), differences, rtol=1e-6)


def test_shapes_that_change_are_saved_as_outlines() -> None:
    def f(x, n):
        y = np.ones(1)
        for i in range(n):
            z = np.zeros(i + 2)
            z[:-1] = 2.0 * y
            z[1:] += y
            z[0] += x[i]
            y = z
        return np.sum(y)

    x = np.linspace(0.5, 1.5, 30)
    assert saved(f, x, 30) <= 2 * 30 * OUTLINE
    np.testing.assert_allclose(tnb.grad(f)(x, 30), 3.0 ** np.arange(29, -1, -1))
