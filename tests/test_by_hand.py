"""Gradients that are written by hand are those of finite differences, and of both texts; the one for the arguments asks
nothing of shapes."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tangent_nb as tnb
from benchmarks.by_hand import PROGRAMS, Program, leaves, same

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
ASKS = {"lattice_in_place", "deep", "convolved", "process"}      # texts for arguments that ask shapes, so far


def moved(value: Any, by: Any, t: float) -> Any:
    """The value t steps further in a direction of its structure."""
    if isinstance(value, list):
        return [moved(a, b, t) for a, b in zip(value, by)]
    return value + t * by


def directions(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, list):
        return [directions(item, rng) for item in value]
    return rng.standard_normal(np.shape(value))[()]


def slope(f: Callable[[float], float], h: float) -> float:
    """The derivative at 0, with an error of h ** 4."""
    return (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)


@each_program
def test_gradients_by_hand_are_those_of_differences(program: Program) -> None:
    arguments, rng = program.arguments(6), np.random.default_rng(0)
    gradient = program.by_hand(*arguments)
    for _ in range(3):
        by = {i: directions(arguments[i], rng) for i in program.wrt}

        def along(t: float, by: dict[int, Any] = by) -> float:
            return float(program.primal(*(moved(a, by[i], t) if i in by else a for i, a in enumerate(arguments))))

        expected = sum(float(np.vdot(g, d)) for g, d in zip(leaves(gradient), leaves(list(by.values())), strict=True))
        assert slope(along, 1e-5) == pytest.approx(expected, rel=1e-6, abs=1e-9)


@each_program
def test_gradients_are_those_by_hand(program: Program) -> None:
    arguments = program.arguments(6)
    general = tnb.grad(program.primal, wrt=program.wrt, optimized=tnb.PASSES)
    special = tnb.grad(program.primal, wrt=program.wrt)
    special(*program.arguments(5))
    expected = program.by_hand(*arguments)
    assert same(general(*arguments), expected) and same(special(*arguments), expected)
    text = next(iter(tnb.versions(special).values()))
    assert ("rt.unbroadcast" in text or "rt.dot_d" in text) == (program.name in ASKS)
