"""Names that only pass an array on, and stacks."""
from __future__ import annotations

import gast
import numpy as np
import pytest

from tangent_nb import runtime
from tangent_nb.analyse.graph import Graph
from tangent_nb.analyse.passed_on import numbers_live, passed_on
from tangent_nb.analyse.resolve import Scope
from tangent_nb.analyse.stacks import stacks
from tangent_nb.syntax.nodes import writes
from tangent_nb.syntax.program import Namespace


def body(text):
    return gast.parse(text).body


def scope(statements):
    return Scope(Namespace({}), set().union(*map(writes, statements)) | set("abxy"))


@pytest.mark.parametrize(("text", "names"), [
    ("t = a\na = b\nb = t\nb[0] = x", {"t"}), ("t = a\na = t * 2.0", set()), ("t = a\nt[0] = x", {"t"}),
    ("t = a\nt[0] += x", set()), ("t = a\nt[0] = t[1]", set()), ("t = a\nt[t] = x", set()),
    ("t = a\ny[0] = t\ny[t] = x", set()), ("t = a\nb = t.copy()\nb[0] = x", {"t"}),
    ("t = a\nL.append(t)\nL = [t]", set()), ("t = x\nreturn t", set()), ("s = x\nwhile s:\n    s = x", set())])
def test_passed_on(text, names):
    b = body(text)
    assert passed_on(Graph(b), scope(b)) & {"t", "L", "s"} == names


@pytest.mark.parametrize(("text", "names"), [
    ("S = []\nS.append(x)\ny = S.pop()", {"S": 1}), ("S = []\nS.append(x)\nS.append(y)\nT = S\ny = S.pop()", {}),
    ("S = []\nS.append(x)\ny = S.pop()\nz = S[0]", {}), ("S = [x]\ny = S.pop()", {}), ("S = []\nS.append(x)", {}),
    ("S = []\nT = []\nT.append(S)\ny = T.pop()\nz = S.pop()", {"T": 1})])
def test_stacks(text, names):
    assert {name: len(appended) for name, appended in stacks(Graph(body(text))).items()} == names


def test_numbers_live():
    text = "t = a[1:]\nL = [t, b]\nz = np.concatenate(L)\na[0] = x\nM = [t, b]\nbz = rt.unconcatenate(y, M)\nreturn z"
    b = body(text)
    scope = Scope(Namespace({"np": np, "rt": runtime}), set().union(*map(writes, b)) | set("abxy"))
    live = numbers_live(Graph(b), scope)
    assert "t" in live.after(b[0])
    assert "t" not in live.after(b[2])
    assert {"t", "L", "M"} <= passed_on(Graph(b), scope)
