"""The graph of a run, as the page is told."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook import graphs
from tangent_nb.notebook.options import OptionError
from tangent_nb.notebook.shown import show

pytest.importorskip("igraph")


def half(u):
    v = np.tanh(u)
    return v * 0.5


def f(x1, x2):
    a, b, c = np.log(x1), x1 * x2, np.sin(x2)
    return half(a + b) - half(c) * half(a)


def outer(u):
    return half(u) + u


def twice(x):
    return outer(x) * outer(x * x)


def layer(x, w):
    print("called")
    h = np.tanh(x @ w)
    return np.sum(h * h)


def settle(x, n):
    for _ in range(n):
        x = x - 0.5 * np.sin(x)
    return x


def halves(x, n):
    for _ in range(n):
        x = half(x) + 1.0
    return x


def hostile(x, key):
    return x * key["</script><b>"]


def told(f: Any, wrt: Any, **at: Any) -> Any:
    return show(f, wrt=wrt, at=at)._shown.measured("graph")                # type: ignore[union-attr]


def bauer(level: Any) -> dict[str, float]:
    """The sum over the paths, of the products of what stands on the edges, by what stands in the inputs."""
    partials = [(source, target, float(text.replace("−", "-"))) for source, target, _, text, _ in level["edges"]]
    result = next(at for at, node in enumerate(level["nodes"]) if node[5] == "result")

    def along(at: int) -> float:
        return 1.0 if at == result else sum(one * along(target) for source, target, one in partials if source == at)

    return {node[3]: along(at) for at, node in enumerate(level["nodes"]) if node[5] == "input"}


def test_one_call_of_several_is_folded_and_nested_ones_are_with_it() -> None:
    found = told(twice, "x", x=0.3)
    assert found["calls"] == 4
    numbers = {node[7]: node[11] for node in found["opened"]["nodes"] if node[11] != -1}
    assert set(numbers) == {"half", "outer"} and not any(node[10] for node in found["opened"]["nodes"])
    for calls in ([], [0], [1], [0, 2], [0, 1, 2, 3]):
        level = graphs.partly(found, calls)
        assert bauer(level) == pytest.approx(bauer(found["opened"]), rel=2e-3)
        shown = {node[11] for node in level["nodes"] if node[10]}
        assert shown <= set(calls) and bool(shown) == bool(calls)
    assert graphs.partly(found, [0, 1, 2, 3]) == found["folded"] and graphs.partly(found, [99]) == found["opened"]


def test_a_call_that_is_too_large_stays_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "MOST", 5)
    found = told(twice, "x", x=0.3)
    assert found["opened"] is None and len(graphs.partly(found, [0, 1, 2, 3])["nodes"]) <= 5
    with pytest.raises(OptionError, match="more than 5 cannot be read"):
        graphs.partly(found, [])


@pytest.mark.parametrize("level", ["opened", "folded"])
def test_the_paths_give_the_derivative(level: str) -> None:
    found = bauer(told(f, ("x1", "x2"), x1=0.3, x2=0.7)[level])
    a, b, c = np.log(0.3), 0.3 * 0.7, np.sin(0.7)

    def slope(u: float) -> float:
        return 0.5 * (1.0 - np.tanh(u) ** 2)

    dx1 = slope(a + b) * (1.0 / 0.3 + 0.7) - 0.5 * np.tanh(c) * slope(a) / 0.3
    dx2 = slope(a + b) * 0.3 - slope(c) * np.cos(0.7) * 0.5 * np.tanh(a)
    assert list(found.values()) == pytest.approx([dx1, dx2], rel=2e-3)     # four digits on each edge
    assert list(found) == ["v₋₁ = x₁", "v₀ = x₂"]


def test_each_node_says_what_it_is_and_whose_line() -> None:
    one = show(f, wrt=("x1", "x2"), at={"x1": 0.3, "x2": 0.7})._shown
    made = one.measured("graph")                                           # type: ignore[union-attr]
    state = one.state()                                                    # type: ignore[union-attr]
    rows = [row for section in state["primal"] for row in section["rows"]]
    node = next(node for node in made["opened"]["nodes"] if node[3].endswith("sin v₀"))
    assert node[8].startswith(f"c: {node[3]}, value 0.6442, adjoint ")
    text = "".join(part for _, part in state["lines"][rows[node[9][0]][1]])
    assert text.strip() == "a, b, c = np.log(x1), x1 * x2, np.sin(x2)"
    adjoint = float(node[8].partition("adjoint ")[2].partition(",")[0])
    assert adjoint == pytest.approx(-0.5 * (1.0 - np.tanh(np.sin(0.7)) ** 2) * 0.5 * np.tanh(np.log(0.3)), rel=1e-3)


def test_a_folded_call_is_of_the_line_that_calls() -> None:
    one = show(f, wrt="x1", at={"x1": 0.3, "x2": 0.7})._shown
    made, state = one.measured("graph"), one.state()                       # type: ignore[union-attr]
    rows = [row for section in state["primal"] for row in section["rows"]]
    folded = [node for node in made["folded"]["nodes"] if node[10]]
    assert len(folded) == 2 and all("half(" in node[3] for node in folded)     # that of x2 alone does not depend on x1
    assert {"".join(part for _, part in state["lines"][rows[node[9][0]][1]]).strip() for node in folded} \
        == {"return half(a + b) - half(c) * half(a)"}
    assert {node[7] for node in made["opened"]["nodes"]} == {"", "half"} and not any(
        node[10] for node in made["opened"]["nodes"])


def test_of_arrays_the_shapes_and_the_adjoints_of_a_reverse_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    one = show(layer, wrt=("x", "w"), at={"x": np.ones((1, 2)), "w": np.full((2, 1), 0.25)})._shown
    capsys.readouterr()
    made = one.measured("graph")                                           # type: ignore[union-attr]
    assert capsys.readouterr().out == ""
    assert made["folded"] is None
    assert [edge[3] for edge in made["opened"]["edges"]][:2] == ["1×1×1×2", "1×1×2×1"]
    h = np.tanh(0.5)
    node = next(node for node in made["opened"]["nodes"] if "tanh" in node[3])
    adjoint = node[8].partition("adjoint [[")[2].partition("]")[0]
    assert float(adjoint) == pytest.approx(2.0 * h, abs=1e-3)
    assert made["opened"]["nodes"][-1][8].partition("value ")[2].startswith(f"{h * h:.4g}")


def test_a_result_that_is_an_array_has_no_adjoints() -> None:
    def rows(x: Any) -> Any:
        return x * 2.0

    made = show(rows, mode="forward", at={"x": np.ones(3)})._shown.measured("graph")
    assert len(made["opened"]["nodes"]) == 2 and all("adjoint" not in node[8] for node in made["opened"]["nodes"])


def test_what_is_too_large_is_folded_or_refused() -> None:
    made = told(halves, "x", x=0.5, n=110)
    assert made["opened"] is None and len(made["folded"]["nodes"]) == 221
    assert made["note"].startswith("331 values are too many")
    with pytest.raises(OptionError, match="it has 331 values, and more than 300 cannot be read"):
        told(settle, "x", x=0.5, n=110)


def test_what_cannot_be_followed_is_said_as_it_is() -> None:
    with pytest.raises(OptionError, match="the graph is not drawn: .* more than 800 elementary operations"):
        told(settle, "x", x=0.5, n=2000)


def test_values_that_are_not_finite_are_words() -> None:
    with np.errstate(all="ignore"):
        made = told(half, "u", u=np.inf)
    assert "∞" in made["opened"]["nodes"][0][4]


def test_nothing_of_a_hostile_text_is_markup() -> None:
    made = told(hostile, "x", x=1.0, key={"</script><b>": 2.0})
    texts = [text for node in made["opened"]["nodes"] for text in (node[3], node[4], node[8])]
    assert all(isinstance(text, str) and "\x00" not in text for text in texts)


def test_without_arguments_or_igraph_it_says_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert graphs.unfit(True) == ""
    assert "%%grad --at" in graphs.unfit(False)
    one = show(half, at={"u": 1.0})._shown
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(OptionError, match=r"pip install 'tangent_nb\[graph\]'"):
        one.measured("graph")                                              # type: ignore[union-attr]
