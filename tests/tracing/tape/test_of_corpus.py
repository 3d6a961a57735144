"""Tapes of functions of the corpus: they are measured, and their rows add up."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from corpus import CORPUS
from oracles import fresh

import tangent_nb as tnb

SOME = [one for one in CORPUS if not one.refused and not one.may_refuse][::60]


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("entry", SOME, ids=[one.id for one in SOME])
def test_rows_add_up(entry: Any, optimized: bool) -> None:
    args = fresh(entry.args)
    with np.errstate(all="ignore"):
        df = tnb.grad(entry.function, entry.wrt, optimized=optimized)
        expected, report = df(*fresh(entry.args)), tnb.tape_report(df, *args)
        np.testing.assert_equal(df(*args), expected)       # the arguments are as they were
    assert sum(one.bytes for one in report if one.counts) == report.bytes
    assert 0 <= report.totals.kept <= report.bytes and report.peak >= report.totals.alive
    assert all(one.users for one in report if one.counts) and len(report.cells()) == len(report)
