"""Path sampling: over all that can be drawn, the mean of the gradients is the gradient."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_graph import SCALAR, differentiable, layers, nested, survey, unused

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.tracing.elementary.graph import Graph
from tangent_nb.tracing.elementary.sampling import sampled

MOST = 40_000


def outcomes(graph: Graph, k: int) -> Iterator[tuple[float, Graph]]:
    """All graphs that can be drawn, each with how likely it is: the answers of the generator are gone through like the
    digits of a number, of which each draw says how many there are."""
    script: list[int] = []
    for _ in range(MOST):
        counts: list[int] = []

        def draw(count: int, counts: list[int] = counts) -> int:
            counts.append(count)
            return script[len(counts) - 1] if len(counts) <= len(script) else 0

        found = sampled(graph, k, draw)
        script = [*script, *[0] * (len(counts) - len(script))][:len(counts)]
        yield 1.0 / np.prod(counts, dtype=float), found
        while script and script[-1] == counts[len(script) - 1] - 1:
            script.pop()
        if not script:
            return
        script[-1] += 1
    pytest.fail("there are too many")


def mean(graph: Graph, k: int) -> dict[str, float]:
    total, likely = dict.fromkeys((one.name for one in graph.inputs), 0.0), 0.0
    for probability, one in outcomes(graph, k):
        likely += probability
        for name, value in one.gradient().items():
            total[name] += probability * value
    assert likely == pytest.approx(1.0, abs=1e-12)
    return total


def unused_twice(x, y):
    z = x * y + np.sin(x)  # noqa: F841 - leads nowhere
    return x * x * y


def wide(x, y):
    return (x * y + x) * (x - y * y) + np.exp(x * 0.5)


FEW = [*[one for one in SCALAR if one[0] is not nested], (unused_twice, (2.0, 3.0)), (wide, (0.7, -0.4))]


@pytest.mark.parametrize("f, args, k", [*[(*one, 1) for one in FEW],
                                        *[(*one, 2) for one in FEW if one[0] in (survey, unused, unused_twice)]])
def test_the_mean_of_all_that_can_be_drawn_is_the_gradient(f, args, k):
    made = tnb.graph(f, *args, wrt=differentiable(f))
    assert mean(made, k) == pytest.approx(made.gradient(), rel=1e-12, abs=1e-12)


def test_a_scale_that_is_five_per_cent_off_is_seen(monkeypatch):
    made = tnb.graph(wide, 0.7, -0.4, wrt=(0, 1))
    from tangent_nb.tracing.elementary import sampling
    monkeypatch.setattr(sampling, "replace", lambda one, **changes: _off(one, changes))
    assert mean(made, 1) != pytest.approx(made.gradient(), rel=1e-3)


def _off(one, changes):
    from dataclasses import replace
    return replace(one, **{key: value * 1.05 if key == "weight" else value for key, value in changes.items()})


def test_many_seeds_average_to_the_gradient():
    made = tnb.graph(nested, 0.5, 1.5, wrt=(0, 1))
    drawn = [made.sampled(seed=seed).gradient() for seed in range(2_000)]
    for name, expected in made.gradient().items():
        values = np.array([one[name] for one in drawn])
        assert abs(values.mean() - expected) < 4.5 * values.std() / np.sqrt(len(values))


def test_more_draws_vary_less_and_one_seed_draws_the_same():
    made = tnb.graph(wide, 0.7, -0.4, wrt=(0, 1))
    spread = [np.std([made.sampled(k, seed=seed).gradient()["x"] for seed in range(400)]) for k in (1, 8)]
    assert spread[1] < spread[0] / 2.0
    assert made.sampled(seed=3) == made.sampled(seed=3) == made.sampled(seed=np.random.default_rng(3))


def test_what_is_behind_no_drawn_edge_is_left_out():
    made = tnb.graph(survey, 2.0, 5.0, wrt=(0, 1))
    for seed in range(20):
        one = made.sampled(seed=seed)
        reached = {node.place for node in one.inputs} | {edge.target for edge in one.edges if edge.weight}
        assert all(edge.source in reached for edge in one.edges if edge.weight)
        leaving = [sum(edge.weight for edge in one.edges if edge.source == node.place) for node in made.nodes]
        full = [sum(edge.source == node.place for edge in made.edges) for node in made.nodes]
        assert all(weight in (0.0, count) for weight, count in zip(leaving, full, strict=True))


def test_edges_that_lead_nowhere_are_not_drawn():
    made = tnb.graph(unused_twice, 2.0, 3.0, wrt=(0, 1))
    nowhere = {node.place for node in made.nodes if node.name == "z" or "sin" in node.operation}
    assert nowhere
    for seed in range(20):
        assert not any(edge.weight for edge in made.sampled(seed=seed).edges if edge.target in nowhere)


def test_it_says_what_was_drawn():
    made = tnb.graph(survey, 2, 5, wrt=(0, 1)).sampled(seed=1)
    drawn = sum(edge.weight > 0 for edge in made.edges)
    assert made.title == f"survey at x1 = 2, x2 = 5, {drawn} of 8 edges drawn"
    assert "2 × " in str(made) and str(made).count("∂") == 2 * drawn
    assert made.dot().count("style=dotted") == len(made.edges) - drawn
    pytest.importorskip("igraph")
    assert made.svg().count('stroke-dasharray="2 4"') == len(made.edges) - drawn
    assert made.folded().gradient() == made.gradient()


def test_what_cannot_be_drawn_is_refused():
    made = tnb.graph(survey, 2.0, 5.0)
    for k in (0, True, 1.5):
        with pytest.raises(TangentError, match="at least 1"):
            made.sampled(k)
    with pytest.raises(TangentError, match="drawn already"):
        made.sampled(seed=0).sampled(seed=1)
    with pytest.raises(TangentError, match=r"is an array of shape \(3, 3, 2\)"):
        tnb.graph(layers, np.ones(2), np.ones((3, 2)), np.ones(3), wrt=(1, 2)).sampled()


def test_an_infinite_partial_that_was_not_drawn_is_none():
    with np.errstate(divide="ignore"):
        made = tnb.graph(lambda x: np.sqrt(x) + 2.0 * x, np.float64(0.0))
    found = {made.sampled(seed=seed).gradient()["x"] for seed in range(12)}
    assert found == {4.0, np.inf}
