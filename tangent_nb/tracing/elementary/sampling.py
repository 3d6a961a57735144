"""Path sampling: of the linearized computational graph of a run only some edges are kept, drawn at random and weighed
that the derivative along them is, on average, the derivative.

Needs a graph whose partials are numbers. Promises a graph of the same nodes and edges; the weight of an edge that was
not drawn is 0.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import TangentError

if TYPE_CHECKING:
    from .graph import Graph

Draw = Callable[[int], int]


def sampled(graph: Graph, k: int, draw: Draw) -> Graph:
    """Algorithm 1 of Oktay et al. (2021), appendix C. draw: one of so many, each as likely as the others.

    From each value that an edge was drawn to, `k` of its edges are drawn, one may be drawn again; the weight of one is
    how often it was drawn, times their number over k. Edges from which no way leads to the result are not among them:
    nothing would come back along them.
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise TangentError(f"k is how many edges are drawn from a value, at least 1, not {k!r}")
    if any(edge.weight != 1.0 for edge in graph.edges):
        raise TangentError("edges of this graph were drawn already: sample the graph that it was made of")
    if (array := next((edge for edge in graph.edges if edge.partial is None), None)) is not None:
        raise TangentError(f"paths are sampled of numbers: the partial of {graph.node[array.target].label} by "
                           f"{graph.node[array.source].label} is an array of shape {array.shape}")
    after = _leading(graph)
    reached = {one.place for one in graph.inputs}
    weights: dict[int, float] = {}
    for one in graph.nodes:                                # in the order in which they were computed
        leading = after[one.place]
        if one.place in reached and leading:
            for at, times in Counter(draw(len(leading)) for _ in range(k)).items():
                weights[leading[at]] = times * len(leading) / k
                reached.add(graph.edges[leading[at]].target)
    edges = tuple(replace(edge, weight=weights.get(at, 0.0)) for at, edge in enumerate(graph.edges))
    return replace(graph, edges=edges, title=f"{graph.title}, {len(weights)} of {len(edges)} edges drawn")


def _leading(graph: Graph) -> dict[int, Sequence[int]]:
    """By the places of values, the edges from them on ways to the result."""
    leads = {graph.result}
    after: dict[int, list[int]] = {one.place: [] for one in graph.nodes}
    into: dict[int, list[int]] = {one.place: [] for one in graph.nodes}
    for at, edge in enumerate(graph.edges):
        into[edge.target].append(at)
    for one in reversed(graph.nodes):
        if one.place in leads:
            for at in into[one.place]:
                leads.add(graph.edges[at].source)
                after[graph.edges[at].source].append(at)
    return {place: sorted(found) for place, found in after.items()}
