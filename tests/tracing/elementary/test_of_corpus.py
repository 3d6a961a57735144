"""Tables and graphs of functions of the corpus: right, or refused; most are not refused."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from corpus import CORPUS
from oracles import fresh, leaves

import tangent_nb as tnb
from tangent_nb.errors import TangentError

SOME = [one for one in CORPUS if not one.refused and not one.may_refuse][::26]


def table(entry):
    with np.errstate(all="ignore"):
        return tnb.trace_table(entry.function, *fresh(entry.args), wrt=entry.wrt, rows=400)


@pytest.mark.parametrize("entry", SOME, ids=[one.id for one in SOME])
def test_a_table_is_right_or_refused(entry):
    try:
        made = table(entry)
    except TangentError:
        return
    with np.errstate(all="ignore"):
        expected = tnb.grad(entry.function, entry.wrt)(*fresh(entry.args))
        drawn = tnb.graph(entry.function, *fresh(entry.args), wrt=entry.wrt, rows=400)
    found = np.concatenate([np.ravel(one) for one in made.derivative.values()])
    expected = np.concatenate([np.ravel(one) for one in leaves(expected)])
    np.testing.assert_allclose(found, expected, rtol=max(entry.tol, 1e-8), atol=1e-8)
    assert len(str(made).splitlines()) == len(made.rows()) + 2
    assert len(drawn.nodes) == len(made) + len(made.derivative)


def test_few_are_refused():
    refused = []
    for entry in SOME:
        try:
            table(entry)
        except TangentError:
            refused.append(entry.id)
    assert len(refused) <= len(SOME) // 10, refused
