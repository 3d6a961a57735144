"""What a run shows of each line, against the values that plain Python has there."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.tracing.glance import Visit, glance, kept


def loop(x, n):
    y = x
    for _ in range(n):
        y = y * x
    return np.sum(y * y)


def stored(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i] * 2.0
    return np.sum(y * y)


def visit(df: Any, text: str, *args: Any) -> Visit:
    line = 1 + next(at for at, one in enumerate(tnb.source(df).split("\n")) if one.strip().startswith(text))
    return glance(df, *args).visits[df.__code__.co_filename, line]


def test_the_first_and_the_last_trip_before_and_after() -> None:
    found = visit(tnb.grad(loop, optimized=tnb.PASSES), "y = y * x", 3.0, 4)
    assert found.times == 4
    assert (found.first[0]["y"], found.first[1]["y"]) == (3.0, 9.0)
    assert (found.last[0]["y"], found.last[1]["y"]) == (3.0 ** 4, 3.0 ** 5)


def test_an_array_that_changes_in_place_is_kept_as_it_was() -> None:
    found = visit(tnb.grad(stored, optimized=tnb.PASSES), "y[i] = ", np.array([1.0, 2.0, 3.0]))
    assert found.first[1]["y"].cells.tolist() == [2.0, 0.0, 0.0]
    assert found.last[0]["y"].cells.tolist() == [2.0, 4.0, 0.0]
    assert found.last[1]["y"].cells.tolist() == [2.0, 4.0, 6.0]


def test_an_error_ends_the_run_and_is_kept() -> None:
    found = glance(tnb.grad(loop, optimized=tnb.PASSES), "no number", 2)
    assert isinstance(found.error, tnb.errors.TangentError)


@pytest.mark.parametrize("value, expected", [
    (np.array([]), (None, None, None, 0, 0)), (np.array([np.nan, np.inf]), (None, None, None, 1, 1)),
    (np.array([1, 3]), (1.0, 3.0, 2.0, 0, 0)), (np.array([1.0, np.nan, -np.inf, 3.0]), (1.0, 3.0, 2.0, 1, 1)),
    (np.array([3 + 4j]), (5.0, 5.0, None, 0, 0)), (np.full(3, 1e308), (1e308, 1e308, np.inf, 0, 0))])
def test_summaries(value: Any, expected: Any) -> None:
    found = kept(value)
    assert (found.low, found.high, found.mean, found.nans, found.infs) == expected


def test_small_arrays_are_kept_whole_and_large_ones_are_not() -> None:
    assert kept(np.zeros((32, 32))).cells is not None and kept(np.zeros(1025)).cells is None
