"""Every message reads as it is written down here; and what its remedy says, typed, is differentiated and right."""
from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from refusals import cases
from refusals.case import DERIVE, FORWARD, REVERSE, Case, run, shown
from tangent_nb.emit import is_generated
from tangent_nb.errors import TangentError
from tangent_nb.rules import table
from tangent_nb.rules.libraries import ROWS_OF

CASES = cases()
table.fill(*ROWS_OF)           # rows that are filled in a test would be gone after it


@pytest.fixture(autouse=True)
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of a program are gone after it."""
    monkeypatch.setattr(table, "_ROWS", dict(table._ROWS))


def test_names_are_unique() -> None:
    names = [case.name for case in CASES]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize(("case", "mode"),
                         [pytest.param(case, mode, id=f"{case.name}-{mode}", marks=[pytest.mark.sampled(4)] * (k > 0))
                          for case in CASES for k, mode in enumerate(case.modes)])
def test_the_words(case: Case, mode: str) -> None:
    with pytest.raises(TangentError) as caught, np.errstate(all="ignore"):
        _raise(case, mode)
    assert shown(caught.value) == case.message.rstrip("\n")
    if any(is_generated(frame.f_code.co_filename) for frame, _ in traceback.walk_tb(caught.value.__traceback__)):
        assert re.search(r"^  cell 1, line \d+, column \d+\n    .*\n    *\^", shown(caught.value), re.M)


def _raise(case: Case, mode: str) -> None:
    """Derive, and call where only that raises."""
    scope = run(case.program)
    if case.derive is not None:
        derivative = case.derive(scope["f"])
    else:
        derivative = DERIVE[mode](scope["f"], case.wrt, **case.keywords)
    if case.at is not None:
        exec(case.after, scope)
        derivative(*case.at,
                   **(tangents(derivative, scope["f"], case.at) if mode == FORWARD and case.derive is None else {}))


def tangents(df: Callable[..., Any], f: Callable[..., Any], args: Sequence[Any]) -> dict[str, Any]:
    """Tangents of ones for a function of forward mode, by their names, with the shapes of the first arguments."""
    names = [name for name in inspect.signature(df).parameters if name not in inspect.signature(f).parameters]
    return {name: np.ones(np.shape(value)) if isinstance(value, np.ndarray) else 1.0
            for name, value in zip(names, args, strict=False)}


@pytest.mark.parametrize("case", [case for case in CASES if case.typed], ids=lambda case: case.name)
def test_the_remedy_works(case: Case) -> None:
    """Without the keywords, which are of the program that was refused."""
    f = run(case.typed)["f"]
    x, *rest = case.typed_at

    def value(t: float) -> float:
        return float(np.sum(f(x + t, *rest)))

    h = 1e-4
    due = (8.0 * (value(h) - value(-h)) - value(2 * h) + value(-2 * h)) / (12.0 * h)
    if case.kink:
        due = (value(h) - value(0.0)) / h
    push = DERIVE[FORWARD](f)
    found = {REVERSE: float(np.sum(DERIVE[REVERSE](f)(x, *rest))),
             FORWARD: float(np.sum(push(x, *rest, **tangents(push, f, (x,)))))}
    for mode, got in found.items():
        assert abs(got - due) < 1e-6 * (1.0 + abs(due)), (mode, got, due)
