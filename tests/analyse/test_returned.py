"""Whose memory the results of functions may share, each on a text small enough to check by hand."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from oracles import sourced

from tangent_nb.analyse.fence import Fence
from tangent_nb.capture import capture
from tangent_nb.desugar import Reader

AROUND = \
    "G = np.ones(3)\ndef same(x):\n    return x\ndef first(x, y=G):\n    return y\ndef both(x, y):\n    return [x, y]\n"


def found(text: str, signature: str = "x, y"):
    """What the result of `h` may share: by its parameters, what is outside, whether it may be a container."""
    body = text.replace("; ", "\n    ")
    space = sourced(f"{AROUND}def h({signature}):\n    {body}\n", {"np": np})
    known = Fence(Reader(capture)).memory_of(space["h"])
    return None if known is None else (dict(known.given), known.outside, known.contains)


@pytest.mark.parametrize("text", [
    "return np.zeros(3)", "return np.exp(x)", "return np.sum(x)", "return x.shape", "return 3.0", "return x > y",
    "return f'{x}'", "z = np.zeros(3); z[0] = x[1]; return z", "return np.exp(same(x))", "return len(x)",
    "z = np.ones(3); z += x; return z + 1.0"])
def test_what_is_new(text):
    given, outside, contains = found(text)
    assert "any" not in given.values() and not outside and not contains


@pytest.mark.parametrize("text, given", [
    ("return x", {"x": "any"}), ("return x[1:]", {"x": "any"}), ("return x.T", {"x": "any"}),
    ("return np.asarray(x, y)", {"x": "any"}),
    ("return same(y)", {"y": "any"}), ("z = x if y > 0.0 else y; return z", {"x": "any", "y": "any"}),
    ("return x * y", {"x": "parts", "y": "parts"}), ("return -x", {"x": "parts"}), ("return x.copy()", {"x": "parts"}),
    ("return h(x, y - 1) if y > 0 else x", {"x": "any"}),
    ("z = [x]; z.append(y); return z[0]", {"x": "any", "y": "any"}),
    ("z = [x] + []; return z[0]", {"x": "any"}), ("z = np.zeros(3); z = x; return z", {"x": "any"})])
def test_what_is_given_back(text, given):
    assert found(text)[0] == given and not found(text)[1]


@pytest.mark.parametrize("text",
                         ["return G", "return G[1:]", "return first(x)", "return x.part", "z = [G]; return z[0]"])
def test_what_lies_outside(text):
    assert found(text)[1]


@pytest.mark.parametrize("text", [
    "return x, y", "return [np.exp(x)] * 2", "return both(x, y)", "return {'a': x}", "return [v for v in x]"])
def test_what_may_be_a_container(text):
    assert found(text)[2]


@pytest.mark.parametrize("text", ["x[0] = 1.0; return y", "x += 1.0; return np.zeros(3)", "y.append(x); return 1.0",
                                  "return y(x)"])
def test_what_changes_what_it_gets_is_not_known(text):
    assert found(text) is None


def test_calls_that_the_answer_rests_on():
    space = sourced(AROUND + "def inner(x):\n    return same(x)\ndef h(x):\n    return inner(x)\n", {"np": np})
    known = Fence(Reader(capture)).memory_of(space["h"])
    assert [(caller.__name__, path, fn) for caller, path, fn in known.calls] == [
        ("h", "inner", space["inner"]), ("inner", "same", space["same"])]
