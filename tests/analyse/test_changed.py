"""What functions may change of what they are given, each on a text small enough to check by hand; and what is computed
with those that leave their arguments alone, or change only one."""
from __future__ import annotations

import sys
from pathlib import Path

import gast
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.analyse.fence import Fence
from tangent_nb.capture import capture
from tangent_nb.desugar import Reader
from tangent_nb.errors import TangentError

AROUND = """
G, KEPT, MODE = np.ones(3), [], "plain"
def bumped(x):
    x = np.asarray(x)
    if MODE == "other":
        x *= 2.0
    return x
def fresh(x):
    return np.array(x) * 2.0
def filled(x, y):
    x[0] = y
    return 0.0
def settled(x):
    global MODE
    MODE = "set"
    return x * 1.0
def keeps(x):
    global KEPT
    KEPT = x
class Mode:
    def __enter__(self):
        global MODE
        self.before, MODE = MODE, "with"
    def __exit__(self, *args):
        global MODE
        MODE = self.before
"""


def changed(text: str, signature: str = "x, y") -> set[str]:
    body = text.replace("; ", "\n    ")
    space = sourced(f"{AROUND}def h({signature}):\n    {body}\n", {"np": np})
    node = gast.parse("h(x, y)").body[0].value
    return {one.id for one in Fence(Reader(capture)).changed_by(node, space["h"]) if one.id in ("x", "y")}


@pytest.mark.parametrize("text, names", [
    ("return settled(x)", ""), ("with Mode():\n        return x * y", ""), ("return bumped(fresh(x))", ""),
    ("z = np.zeros(3); return bumped(z) * x", ""), ("global MODE; MODE = 'h'; return x", ""),
    ("x = np.array(x); x += y; return bumped(x)", ""), ("x = fresh(x); return filled(x, y)", "y"),
    ("return bumped(x) * y", "x"), ("return bumped(y[0])", "y"), ("return filled(y, x)", "x y"),
    ("z = [x]; bumped(z[0]); return y", "x"), ("z = []; z.append(x); bumped(z[0]); return y", "x"),
    ("for v in [x, y]:\n        bumped(v)", "x y"), ("a, b = x, y; b[0] = 1.0; return a", "x y"),
    ("x.part.other = 1.0; return y", "x"), ("z = x[1:]; z += 1.0; return y", "x"), ("z = x.T; z[0] = 1.0", "x"),
    ("keeps(y); return x", "y"), ("KEPT.append(x); G[0] = 1.0; return y", "x"), ("del x[0]; return y", "x y"),
    ("f = lambda v: bumped(v); f(x); return y", "x"), ("y(x)", "x y"), ("y.method(x)", "x y"),
    ("return x * eval('y.append(x)')", "x y"), ("exec('x[0] = 1.0'); return y", "x y"), ("y(); return x", "x y"),
    ("locals()['x'][0] = 1.0; return y", "x y"),
    ("with y:\n        return x * 2.0", "y"), ("return h(y, x) if MODE else 0.0", "")])
def test_of_a_text(text: str, names: str) -> None:
    assert changed(text) == set(names.split())


@pytest.mark.parametrize("use", [
    "settled(w) * x", "x * len(str(settled(w)))", "x * (1.0 if np.sum(settled(w)) > 0.0 else 2.0)"])
def test_what_changes_something_else_may_be_called(use: str) -> None:
    space = sourced(f"{AROUND}def f(x, w):\n    c = np.sum(settled(w))\n    return np.sum(c * {use})\n", {"np": np})
    df = tnb.grad(space["f"])
    assert abs(np.sum(df(0.7, np.ones(3))) - np.sum(space["f"](1.7, np.ones(3)) - space["f"](0.7, np.ones(3)))) < 1e-9
    assert space["MODE"] == "set"


@pytest.mark.parametrize("use, why", [
    ("bumped(w) * x", "bumped may change its arguments"),
    ("(settled(w) if MODE else w) * x", "settled may change MODE, which is read here too")])
def test_what_changes_an_argument_may_not(use: str, why: str) -> None:
    space = sourced(f"{AROUND}def f(x, w):\n    return np.sum({use})\n", {"np": np})
    with pytest.raises(TangentError, match=why):
        tnb.grad(space["f"])
