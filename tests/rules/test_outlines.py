"""Where a row says that only the outline of an argument is read, an outline in its place gives the same."""
from __future__ import annotations

import itertools
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import leaves
from test_memory_of_calls import ROWS, called, choices, sampled_cases, text_of

from tangent_nb import runtime as rt

# in the backward sweep; checks stand where the values themselves are at hand
OUTLINED = [which for which, row in enumerate(ROWS) if row.shape_only and not row.name.startswith("rt.check_")]


def same(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and getattr(a, "dtype", type(a)) == getattr(b, "dtype", type(b)) \
        and np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind in "fc")


@pytest.mark.parametrize("which", OUTLINED, ids=[ROWS[which].name for which in OUTLINED])
def test_no_number_is_read(which: int) -> None:
    row, asked = ROWS[which], 0
    for given in itertools.chain(sampled_cases(row), choices(row)):
        text, values = text_of(row, given)
        names = [name for name in row.signature.parameters if isinstance(given.get(name), tuple)]
        others = [rt.outline(value) if name in row.shape_only else value
                  for name, value in zip(names, values, strict=True)]
        fn = called(text, len(values), which)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                due = fn(*values)
            except Exception:                              # it takes no such arguments
                continue
            got = fn(*others)
        if not row.unset:
            assert len(leaves(got)) == len(leaves(due)) and all(map(same, leaves(got), leaves(due))), text
        asked += 1
    assert asked
