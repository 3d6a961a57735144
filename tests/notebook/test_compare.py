"""Differences beyond rounding, and what kind of mistake they look like."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.compare import difference, hint

RIGHT = np.array([[1.0, 2.0, -3.0], [4.0, 0.5, 6.0]])


@pytest.mark.parametrize("found, expected, close", [
    (RIGHT * (1.0 + 1e-14), RIGHT, True), (RIGHT * (1.0 + 1e-6), RIGHT, False), (1e-12, 2e-12, False),
    (1e-17, 0.0, True), (1, 1.0, True), (RIGHT.astype(np.float32) * np.float32(1.0 + 1e-6), RIGHT.astype(np.float32),
                                         True), (np.nan, np.nan, True), (np.inf, np.inf, True), (np.nan, 1.0, False),
    (-np.inf, np.inf, False), ([1.0, (RIGHT,)], [1.0, (RIGHT,)], True), ({"a": 1.0}, {"a": 2.0}, False),
    (np.zeros((0, 3)), np.zeros((0, 3)), True), (np.array(2.0), 2.0, True), (np.zeros(3, int), np.zeros(3), True)])
def test_close(found: Any, expected: Any, close: bool) -> None:
    assert difference(found, expected).close is close


def test_rounding_of_large_numbers_counts_as_none() -> None:
    assert not difference(1e-9, 0.0).close and difference(1e-9, 0.0, largest=1e6).close


@pytest.mark.parametrize("found, expected, problem", [
    (None, 1.0, "found None, expected a number"), ("s", RIGHT, "found a str, expected an array of shape (2, 3)"),
    ([1.0], [1.0, 2.0], "found a list of 1, expected a list of 2"),
    (RIGHT[0], RIGHT, "found shape (3,), expected shape (2, 3)"),
    (np.array(["s"]), 1.0, "found an array of shape (1,), expected a number"),
    (1j, 1.0, "found a complex, expected a number")])
def test_what_cannot_be_compared(found: Any, expected: Any, problem: str) -> None:
    assert difference(found, expected).problem == problem


@pytest.mark.parametrize("found, expected, kind", [
    (-RIGHT, RIGHT, "the sign is wrong"), (RIGHT.T, RIGHT, "it is transposed"),
    (RIGHT * 6.0, RIGHT, "it is 6 times what is expected"), (RIGHT * 0.3, RIGHT, "it is 0.3 times what is expected"),
    (0.5, 1.0, "it is 0.5 times what is expected"), (0.7123, 1.0, ""),
    (RIGHT * 0.0, RIGHT, "it is zero"), (RIGHT + 1.0, RIGHT, ""), (1.0, 0.0, ""), (np.nan, 1.0, "it is not finite"),
    (RIGHT, RIGHT.sum(axis=1, keepdims=True), "the sum over axis 1, along which the value was broadcast, is missing"),
    (RIGHT, RIGHT.sum(), "the sum over the axes 0, 1, along which the value was broadcast, is missing"),
    (2.0, np.full(3, 2.0), "the values are right, the shape is not: a cotangent has the shape of its variable"),
    (RIGHT, RIGHT.sum(axis=0) + 1.0, "a cotangent has the shape of its variable"),
    (RIGHT, np.zeros(5), "a cotangent has the shape of its variable"),
    ([1.0, 2.0], 1.0, ""), ("s", 1.0, "")])
def test_hints(found: Any, expected: Any, kind: str) -> None:
    assert hint(found, expected) == kind


def test_parts() -> None:
    parts = [(3, RIGHT * RIGHT), (4, RIGHT), (4, RIGHT + 1.0)]
    whole = sum(part for _, part in parts)
    assert hint(RIGHT * RIGHT, whole, parts) == "what comes back through line 4 is missing"
    assert hint(whole - RIGHT, whole, parts) == "what comes back through line 4 is missing"
    assert hint(whole + RIGHT * RIGHT, whole, parts) == "what comes back through line 3 is added twice"
