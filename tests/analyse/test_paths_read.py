"""By which paths the backward pass reads what lies outside."""
from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb

PROGRAMS = {
    "y = np.dot(x * V, k)": "k",
    "m = k\n    y = np.dot(x * V, m)": "k",
    "y = np.dot(x * V, k.s.w)": "k.s.w",
    "m = k.s\n    y = np.dot(x * V, m.w)": "k.s.w",
    "y = np.dot(x * V, k['a'][0])": "k['a'][0]",
    "for row in k: y = np.dot(x * V, row)": "k[...]",
    "y = np.dot(x * V, CONFIG.w)": "CONFIG.w",
    "y = np.dot(x * V, TABLE['w'])": "TABLE['w']",
    "t = [k]\n    y = np.dot(x * V, t[0])": "k",
    "y = np.dot(x * V, V)": "",                   # an array is not changed so
    "y = x * np.sum(k)": "",                      # the sum is kept
}


@pytest.mark.parametrize("read", PROGRAMS)
def test_paths_that_the_backward_pass_reads(read: str) -> None:
    space = sourced(f"""\
import numpy as np
from types import SimpleNamespace
LOG, V, TABLE, CONFIG = [], np.ones(2), {{"w": [1.0, 2.0]}}, SimpleNamespace(w=[1.0, 2.0])
def f(x, k):
    {read}
    LOG.append(1.0)
    return y * x
""", {"__name__": "cell"})
    call, = re.findall(r"stored = rt\.stores\((.*)\)\n", tnb.source(tnb.grad(space["f"])))
    paths = eval(call, {"k": "k", **space}) if call else ((), ())
    assert " ".join(paths[1]) == PROGRAMS[read] and len(paths[0]) == len(paths[1])
