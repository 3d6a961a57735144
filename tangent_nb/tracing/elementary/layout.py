"""Where the nodes of a graph stand, and the ways of its edges: layers from left to right, by igraph's Sugiyama layout.

The nodes of a layer stand below each other, and an edge that passes layers has a place of its own in each.

Source: K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system structures" (1981).
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...errors import TangentError

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """centres: of the nodes, by their keys; ways: for each edge the points that it goes through, from the right side of
    the one node to the left side of the other; width, height: of the whole."""

    centres: Mapping[int, Point]
    ways: Sequence[Sequence[Point]]
    width: float
    height: float


def layout(widths: Mapping[int, float], edges: Sequence[tuple[int, int]], *, row: float, gap: float,
           margin: float, above: float) -> Layout:
    """Place nodes of these widths. row: from one node to the one below; gap: between layers; above: from the border
    to the middle of the uppermost, and from that of the lowest."""
    try:
        import igraph
    except ImportError:
        raise TangentError("to draw a graph igraph is needed: pip install 'tangent_nb[graph]'; print(graph), dot() and "
                           "gradient() do without") from None
    keys = list(widths)
    number = {key: place for place, key in enumerate(keys)}
    pairs = [(number[a], number[b]) for a, b in edges]
    levels = _levels(len(keys), pairs)
    chains = []                                            # of an edge that passes layers, with a vertex in each
    for a, b in pairs:
        passed = list(range(len(levels), len(levels) + levels[b] - levels[a] - 1))
        levels += range(levels[a] + 1, levels[b])
        chains.append([a, *passed, b])
    steps = [step for chain in chains for step in zip(chain, chain[1:])]
    made: Any = igraph.Graph(n=len(levels), edges=steps, directed=True)
    across = [float(x) for x, _ in made.layout_sugiyama(layers=levels).coords]
    own = [max((widths[keys[v]] for v in range(len(keys)) if levels[v] == level), default=0.0)
           for level in range(max(levels, default=0) + 1)]
    left = [margin]
    for width in own:
        left.append(left[-1] + width + gap)
    top = min(across, default=0.0)
    points = [(left[level] + own[level] / 2.0, above + (x - top) * row) for x, level in zip(across, levels)]
    ways = []
    for a, *passed, b in chains:
        way = [(points[a][0] + widths[keys[a]] / 2.0, points[a][1])]
        for at in passed:
            half = own[levels[at]] / 2.0
            way += [(points[at][0] - half, points[at][1]), (points[at][0] + half, points[at][1])]
        ways.append([*way, (points[b][0] - widths[keys[b]] / 2.0, points[b][1])])
    height = max((y for _, y in points), default=0.0) + above
    return Layout({key: points[place] for key, place in number.items()}, ways, left[-1] - gap + margin, height)


def _levels(count: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each node, behind all that it is computed from; what is computed from nothing stands close to what
    reads it. Nodes come in the order in which they are computed.

    >>> _levels(4, [(0, 2), (2, 3), (1, 3)])
    [0, 1, 1, 2]
    """
    levels = [0] * count
    for a, b in sorted(pairs, key=lambda pair: pair[1]):
        levels[b] = max(levels[b], levels[a] + 1)
    computed = {b for _, b in pairs}
    for node in range(count):
        readers = [levels[b] for a, b in pairs if a == node]
        if node not in computed and readers:
            levels[node] = min(readers) - 1
    return levels
