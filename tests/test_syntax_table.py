"""docs/language.md: its table is up to date, lists every node of Python's syntax, and says what is true."""
from __future__ import annotations

import ast
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced
from syntax_table import NEWER, OUTSIDE, PAGE, ROWS, Row, nodes_of_python, page, program

import tangent_nb as tnb
from tangent_nb.errors import RefusedError, TangentError

HERE = [row for row in ROWS if sys.version_info >= NEWER.get(row.node, (3, 11))]
POINT = 0.7


def function(example: str) -> Any:
    return sourced(program(example), {"np": np, "math": math, "__name__": "case"})["f"]


def cases(side: str) -> Any:
    return pytest.mark.parametrize("row", [row for row in HERE if getattr(row, side)], ids=lambda row: row.node)


def test_the_page_is_up_to_date() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "python tests/syntax_table.py writes it"


def test_every_node_is_listed_once() -> None:
    names = [row.node for row in ROWS]
    assert len(names) == len(set(names))
    assert sorted(nodes_of_python() - set(names) - set(OUTSIDE)) == []
    assert sorted(row.node for row in HERE if row.node not in nodes_of_python()) == []


@pytest.mark.parametrize("row", HERE, ids=lambda row: row.node)
def test_an_example_has_its_node(row: Row) -> None:
    for example in filter(None, (row.right, row.refused)):
        nodes = {type(node).__name__ for node in ast.walk(ast.parse(program(example)))}
        assert row.node in nodes, example


@cases("right")
def test_what_is_supported_is_right(row: Row, capsys: pytest.CaptureFixture[str]) -> None:
    """Against central differences, in both modes, with passes and without."""
    f, h = function(row.right), 1e-5
    due = (f(POINT + h) - f(POINT - h)) / (2.0 * h)
    assert math.isfinite(due) and due != 0.0
    for optimized in (True, False):
        assert abs(tnb.grad(f, optimized=optimized)(POINT) - due) < 1e-7 * (1.0 + abs(due))
        assert abs(tnb.jvp(f, optimized=optimized)(POINT, 1.0) - due) < 1e-7 * (1.0 + abs(due))


@cases("refused")
def test_what_is_refused_is_refused(row: Row) -> None:
    """With place, reason and remedy, before anything is computed."""
    f = function(row.refused)
    for derive in (tnb.grad, tnb.jvp):
        with pytest.raises(RefusedError) as caught:
            derive(f)
        assert all(refusal.span is not None and refusal.why and refusal.remedy for refusal in caught.value.refusals)
        assert tnb.report(f) == str(caught.value).replace("(tangent)", "(adjoint)") or derive is tnb.jvp
    assert issubclass(RefusedError, TangentError)
