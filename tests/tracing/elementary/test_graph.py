"""Linearized computational graphs: Bauer's formula on them is the gradient; what is folded, drawn and written."""
from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from traced import loop, survey

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.tracing.elementary import graphed

SVG = "{http://www.w3.org/2000/svg}"


def inner(t):
    u = np.sin(t)
    return u * t


def outer(t, w):
    s = inner(t) + inner(w)
    return s * s


def nested(x, y):
    return outer(x, y) * inner(x)


def kinks(x, y):
    return max(x, y) * abs(y - x) + min(x * y, 3.0) + np.floor(x) * x


def containers(p, x):
    q = {"a": p["w"] * 2.0, "b": [p["b"][0]]}
    q["b"].append(x)
    return q["a"] * q["b"][-1] + sum(q["b"]) + sum(v * v for v in q["b"])


def recursive(x, n):
    return x if n == 0 else np.sin(recursive(x * x, n - 1))


def powers(x, y):
    return x ** y + np.exp(-x) / (1.0 + np.exp(-y)) + np.arctan2(x, y) - np.sqrt(x * y)


def unused(x, y):
    z = x * y
    return y * y if z > 0 else x


def layers(x, w, b):
    return np.sum(np.tanh(np.dot(w, x) + b) ** 2)


SCALAR = [(survey, (2.0, 5.0)), (loop, (3.0, 4)), (nested, (0.5, 1.5)), (kinks, (1.25, 2.0)),
          (containers, ({"w": 2.0, "b": [3.0]}, 4.0)), (recursive, (0.5, 3)), (powers, (0.75, 1.5)),
          (unused, (2.0, 3.0))]


def leaves(value):
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in leaves(one)]
    return [leaf for one in value.values() for leaf in leaves(one)] if isinstance(value, dict) else [value]


def differentiable(f):
    return (0,) if f in (loop, recursive) else (0, 1)


@pytest.mark.parametrize("f, args", SCALAR)
def test_the_sum_over_paths_is_the_gradient(f, args):
    wrt = differentiable(f)
    made = tnb.graph(f, *args, wrt=wrt)
    expected = leaves(tnb.grad(f, wrt=wrt)(*args))
    for (name, found), one in zip(made.gradient().items(), expected, strict=True):
        assert found == pytest.approx(one, rel=1e-12, abs=1e-12)
        assert sum(product for _, product in made.paths(name)) == pytest.approx(one, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("f, args", SCALAR)
def test_folding_changes_no_derivative(f, args):
    made = tnb.graph(f, *args, wrt=differentiable(f))
    folded = made.folded()
    assert not any(one.calls for one in folded.nodes)
    assert folded.gradient() == pytest.approx(made.gradient())
    assert len(folded.nodes) <= len(made.nodes)


def test_only_some_functions_are_folded():
    made = tnb.graph(nested, 0.5, 1.5, wrt=(0, 1))
    assert {call.name for one in made.nodes for call in one.calls} == {"outer", "inner"}
    some = made.folded("inner")
    assert {call.name for one in some.nodes for call in one.calls} == {"outer"}
    assert sum(one.operation.startswith("inner(") for one in some.nodes) == 3
    assert some.gradient() == pytest.approx(made.gradient())
    assert "outer(v₋₁, v₀)" in str(made.folded("outer"))
    with pytest.raises(TangentError, match="opened are inner, outer"):
        made.folded("halved")


def test_nodes_know_their_variable_and_their_line():
    made = tnb.graph(survey, 2.0, 5.0, wrt=(0, 1))
    by_name = {one.name: one for one in made.nodes}
    assert by_name["c"].operation == "sin v₀"
    assert by_name["c"].origin.text.startswith("a, b, c = np.log(x1)")
    assert "line" in by_name["c"].where and "traced.py" in by_name["c"].where
    assert by_name["x1"].where == ""


def test_arrays_have_shapes_on_their_edges():
    made = tnb.graph(layers, np.ones(2), np.ones((3, 2)), np.ones(3), wrt=(1, 2))
    assert [edge.shape for edge in made.edges] == [(3, 3, 2), (3, 3), (3, 3), (3, 3), (3, 3), (3,)]
    assert not any(edge.partial for edge in made.edges)
    with pytest.raises(TangentError, match="tnb.grad has the gradient"):
        made.gradient()


def test_an_array_that_comes_out():
    made = tnb.graph(lambda x: x * np.ones(2), 3.0)
    assert made.edges[0].shape == (2,)


def test_the_argument_itself():
    made = tnb.graph(lambda x: x, 3.0)
    assert made.gradient() == {"x": 1.0}
    assert list(made.paths("x")) == [(("v₀",), 1.0)]


def test_what_is_not_there_and_what_is_too_much():
    made = tnb.graph(survey, 2.0, 5.0)
    with pytest.raises(TangentError, match="there is no input 'x2': there are x1"):
        list(made.paths("x2"))
    with pytest.raises(TangentError, match="gradient\\(\\) adds them"):
        list(tnb.graph(doubled, 1.0, 40).paths("x"))
    assert tnb.graph(doubled, 1.0, 40).gradient()["x"] == pytest.approx(2.0 ** 40)
    with pytest.raises(TangentError, match=r"(?s)more than 200 elementary.*rows="):
        tnb.graph(doubled, 1.0, 100_000)
    with pytest.raises(TangentError, match="digits"):
        tnb.graph(survey, 2.0, 5.0, digits="3")


def doubled(x, n):
    for _ in range(n):
        x = x * 1.0 + x * 1.0
    return x


def test_poles_are_numbers_too():
    with np.errstate(divide="ignore"):
        made = tnb.graph(np.log, np.float64(0.0))
    assert made.edges[0].partial == np.inf
    assert "∞" in str(made)


def test_dot_has_clusters_and_escapes():
    made = tnb.graph(loop, 3.0, 2)
    assert made.dot().count("subgraph cluster_") == 2
    assert made.dot().count("->") == len(made.edges)
    hostile = tnb.graph(lambda p: p['a"\\\n'] * 2.0, {'a"\\\n': 2.0}).dot()
    assert '\\"' in hostile
    assert all(line.count('"') % 2 == line.count('\\"') % 2 for line in hostile.splitlines())


def test_the_text_goes_without_a_drawing(monkeypatch):
    monkeypatch.setitem(sys.modules, "igraph", None)       # as where it is not installed
    made = tnb.graph(survey, 2.0, 5.0)
    with pytest.raises(TangentError, match=r"pip install 'tangent_nb\[graph\]'"):
        made.svg()
    assert "pip install" in made._repr_mimebundle_()["text/plain"]


def drawn(made):
    pytest.importorskip("igraph")
    return ET.fromstring(made.svg())


@pytest.mark.parametrize("f, args", [*SCALAR, (layers, (np.ones(2), np.ones((3, 2)), np.ones(3)))])
def test_a_drawing_has_every_node_and_edge_apart(f, args):
    made = tnb.graph(f, *args, wrt=(1, 2) if f is layers else differentiable(f))
    root = drawn(made)
    boxes = [one.find(f"{SVG}rect") for one in root.iter(f"{SVG}g")]
    assert len(boxes) == len(made.nodes)
    assert sum(one.get("class") == "edge" for one in root.iter(f"{SVG}path")) == len(made.edges)
    w, h = float(root.get("width")), float(root.get("height"))
    corners = [[float(box.get(key)) for key in ("x", "y", "width", "height")] for box in boxes]
    for place, (x, y, width, height) in enumerate(corners):
        assert 0 <= x and x + width <= w and 0 <= y and y + height <= h
        for a, b, c, d in corners[:place]:
            assert x + width <= a or a + c <= x or y + height <= b or b + d <= y


def test_a_drawing_runs_nothing_and_escapes():
    key = "</text><script>alert(1)</script>\x00\u202e&"

    def f(p: dict):
        return p[key] * 2.0

    made = tnb.graph(f, {key: 2.0})
    root = drawn(made)
    assert not list(root.iter(f"{SVG}script"))
    assert not [name for one in root.iter() for name in one.attrib if name.startswith("on")]
    assert "\x00" not in made.svg() and "\u202e" not in made.svg()
    assert "http" not in made.svg().replace("http://www.w3.org/2000/svg", "")


def test_titles_say_the_line():
    root = drawn(tnb.graph(survey, 2.0, 5.0, wrt=(0, 1)))
    titles = [one.find(f"{SVG}title").text for one in root.iter(f"{SVG}g")]
    assert any("a, b, c = np.log(x1), x1 * x2, np.sin(x2)" in one for one in titles)
    lines = {one.get("data-line") for one in root.iter(f"{SVG}g")} - {None}
    assert lines == {str(survey.__code__.co_firstlineno + 1), str(survey.__code__.co_firstlineno + 2)}


def test_a_file_and_what_a_notebook_is_given(tmp_path):
    pytest.importorskip("igraph")
    made = tnb.graph(survey, 2.0, 5.0)
    assert made.save(tmp_path / "graph.svg").read_text(encoding="utf-8") == made.svg()
    bundle = made._repr_mimebundle_()
    assert bundle["image/svg+xml"] == made.svg()
    assert made.svg() in bundle["text/html"] and "it scrolls" not in bundle["text/html"]
    long = tnb.graph(recursive, 0.3, 12)._repr_mimebundle_()["text/html"]
    assert "pixels, of which the frame shows a part: it scrolls" in long and "overflow: auto" in long
    assert made.svg() == tnb.graph(survey, 2.0, 5.0).svg()


def test_a_long_run_is_drawn():
    made = tnb.graph(doubled, 1.0, 60, rows=400)
    assert len(made.nodes) == 181
    assert len(list(drawn(made).iter(f"{SVG}g"))) == 181


def test_arguments_by_name():
    made = graphed(lambda x, *, k: x * k, (2.0,), {"k": 5.0})
    assert made.gradient() == {"x": 5.0}
