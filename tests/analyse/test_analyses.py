"""The analyses, each on a program small enough to check by hand."""
from __future__ import annotations

import gast
import numpy as np
import pytest

from tangent_nb.analyse.activity import varied_names
from tangent_nb.analyse.flow import definite, liveness, mutation, possible
from tangent_nb.analyse.graph import Graph
from tangent_nb.analyse.kinds import Kinds, is_basic, spec_of
from tangent_nb.analyse.ownership import ownership
from tangent_nb.analyse.resolve import Scope
from tangent_nb.analyse.sharing import CALLER
from tangent_nb.analyse.stable import stable_views
from tangent_nb.syntax.building import expr
from tangent_nb.syntax.nodes import writes
from tangent_nb.syntax.program import Namespace
from tangent_nb.syntax.spec import Spec

LOOP = "s = 0.0\nfor i in range(n):\n    s = s + x\n    t = s * s\nu = s"
BRANCH = "if c:\n    y = x\nelse:\n    z = x\nw = x"


def body(text):
    return gast.parse(text).body


def scope(statements):
    return Scope(Namespace({"np": np}), writes(statements) | {"x", "y0"})


def test_liveness():
    b = body(LOOP)
    live = liveness(Graph(b), ["u"])
    assert live.before(b[0]) == {"n", "x", "range"} and live.head(b[1]) == {"s", "x"}
    assert "t" not in live.after(b[1].body[1])


def test_definite_and_possible():
    b = body(BRANCH)
    graph = Graph(b)
    assert definite(graph, ["x", "c"]).before(b[1]) == {"x", "c"}
    assert possible(graph, ["x", "c"]).before(b[1]) == {"x", "c", "y", "z"}
    b = body(LOOP)
    assert "t" not in definite(Graph(b), ["x", "n"]).before(b[2])


def test_graph_of_loops_that_break_and_never_end():
    b = body("while True:\n    x = f(x)\n    if x > 1:\n        break\ny = x")
    graph = Graph(b)
    live = liveness(graph, ["y"])
    assert live.before(b[0]) == {"f", "x"}
    b = body("while True:\n    x = x + 1")
    assert not liveness(Graph(b), ["y"]).before(b[0]) & {"y"}


def test_varied_names_go_around_loops_and_through_containers():
    tree = gast.parse("def f(x, n):\n    b = 0.0\n    for i, (p, q) in enumerate(zip(t, k)):\n"
                      "        b = a\n        a = x\n"
                      "        t = (b, 1.0)\n"
                      "    m = np.zeros(3)\n    m[0] = a\n    c = x > 0\n    return m\n").body[0]
    found = varied_names(tree, ["x"], Scope(Namespace({"np": np}), writes(tree)))
    assert found == {"x", "a", "b", "t", "p", "m"}


@pytest.mark.parametrize(("text", "kind", "shape"), [
    ("1.0", "float", ()), ("2", "int", ()), ("x + 1.0", "array", (2, 3)), ("x.T", "array", (3, 2)),
    ("x.shape", "tuple", None), ("x[0]", "array", (3,)), ("x[0, 1]", "scalar", ()), ("x[:, 1:]", "array", (2, 2)),
    ("np.sum(x)", "scalar", ()), ("np.sum(x, axis=0)", "array", (3,)), ("(1.0, x)[1]", "array", (2, 3)),
    ("x > 0", "array", (2, 3)), ("len(x)", "int", ())])
def test_kinds(text, kind, shape):
    found = spec_of(expr(text), {"x": Spec("array", (2, 3), "f8")}, Scope(Namespace({"np": np}), {"x"}))
    assert found.kind in (kind, "numeric" if kind == "array" else kind) and (shape is None or found.shape == shape)


def test_kinds_meet_at_joins():
    b = body("y = 1.0\nfor i in range(3):\n    y = y * x\nz = i")
    kinds = Kinds(Graph(b), scope(b), {"x": Spec("array", (2,), "f8")})
    assert kinds.before(b[2])["y"].shape is None and kinds.before(b[2])["i"].kind == "int"


def test_basic_indices():
    where = Scope(Namespace({"np": np}), set("xij"))
    env = {"i": Spec("int", (), "weak"), "j": Spec.symbol("j")}
    assert is_basic(expr("x[i, 1:]").slice, env, where) and not is_basic(expr("x[j]").slice, env, where)


def judged(text, *parameters):
    b = body(text)
    graph, where = Graph(b), scope(b)
    return b, ownership(graph, Kinds(graph, where, {p: Spec.symbol(p) for p in parameters}), where, parameters,
                        lambda name: False)


@pytest.mark.parametrize(("text", "other"), [
    ("x[0] = 1.0", CALLER), ("y = x\ny[0] = 1.0", CALLER), ("y = x * 2.0\nz = y\ny[0] = 1.0\nw = z * z", "z"),
    ("y = x * 2.0\nv = y[1:]\nv[0] = 1.0", "y"), ("y = x * 2.0\nt = (y,)\ny[0] = 1.0\nw = t[0] * 2.0", "t"),
    ("h = [[1.0]]\nr = h[0]\nr.append(x)", "h"), ("y = np.asarray(x)\ny[0] = 1.0", CALLER)])
def test_ownership_refuses(text, other):
    _, found = judged(text, "x")
    assert [who for _, _, who in found.refused] == [other]


@pytest.mark.parametrize("text", ["y = x * 2.0\ny[0] = 1.0", "y = x[[0, 1]]\ny[0] = 1.0",
                                  "y = np.zeros(3)\nz = y + x\ny[0] = 1.0",
                                  "s = 0.0\ns += x", "pile = []\npile.append(x)\nv = pile.pop()"])
def test_ownership_accepts(text):
    _, found = judged(text, "x")
    assert not found.refused and not found.check_before


def test_ownership_asks_the_values():
    b, found = judged("x += 1.0", "x")
    assert found.check_before == {id(b[0]): ["x"]} and not found.refused
    b, found = judged("y = x * 2.0\na = y[i]\ny[0] = a * a", "x", "i")
    assert found.check_kept == {id(b[2]): ["a"]}
    b, found = judged("y = x * 2.0\nif c:\n    a = y[i]\n    z = a * a\ny[0] = x[0]", "x", "i", "c")
    assert found.check_after == {id(b[1].body[0]): ["a"]}


def test_stable_views():
    b = body("y = x * 2.0\nv = y[1:]\nz = v * v\ny[0] = 1.0\nw = y[1:]\ny[1] = 2.0\nu = w + z")
    assert set(stable_views(Graph(b), ())) == {"v"}


def test_mutations_are_statements_of_their_own():
    assert [mutation(s) for s in body("a.append(1)\nv = a.pop()\na.pop(0)\na.sort()")] \
        == [("append", "a"), ("pop", "a"), None, None]
