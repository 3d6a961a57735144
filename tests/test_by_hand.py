"""Gradients that are written by hand are those of both texts, and the one for the arguments asks nothing of shapes."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tangent_nb as tnb
from benchmarks.by_hand import PROGRAMS, Program, same


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.primal.__name__)
def test_gradients_are_those_by_hand(program: Program) -> None:
    arguments = program.arguments(6)
    general = tnb.grad(program.primal, wrt=program.wrt, optimized=tnb.PASSES)
    special = tnb.grad(program.primal, wrt=program.wrt)
    special(*program.arguments(5))
    expected = program.by_hand(*arguments)
    assert same(general(*arguments), expected) and same(special(*arguments), expected)
    text = next(iter(tnb.versions(special).values()))
    assert "rt.unbroadcast" not in text and "rt.dot_d" not in text
