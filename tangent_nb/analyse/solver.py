"""The one dataflow solver: facts of a lattice, pushed along the graph until nothing changes.

J. Kam and J. Ullman, "Monotone data flow analysis frameworks" (1977). For a forward analysis

    before(n) = join of after(p) over the predecessors p of n,    after(n) = transfer(n, before(n))

and for a backward one with the directions exchanged. `None` stands for a node that no path has reached yet; it is the
unit of every join, so that loops are solved optimistically. Nodes wait in the order of the text, what follows a loop
behind its body: it is looked at when the loop has settled.

A transfer need not be monotone: what the first round made of names that were not bound yet may go round in a loop that
exchanges variables, forever. A node that is looked at often therefore only ever joins (widening: P. Cousot and R.
Cousot, "Abstract interpretation" (1977), section 9).
"""
from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import TypeVar

from .graph import Graph, Node

Fact = TypeVar("Fact")
PATIENCE = 100                                             # rounds; a lattice of a few levels settles in a few


def solve(graph: Graph, transfer: Callable[[Node, Fact], Fact], join: Callable[[Fact, Fact], Fact], boundary: Fact, *,
          forward: bool, into: dict[int, Fact] | None = None) -> tuple[dict[int, Fact], dict[int, Fact]]:
    """The facts before and after each node that is reached, by its index.

    boundary: the fact at the entry (forward), or at the exit and wherever an exception leaves (backward); into: gets
    the facts on the side that a node is come to from, for who asks before all are found: when a node is looked at for
    the first time, those before it in the order are settled, as far as none of the others leads back to them.
    """
    order: Sequence[Node] = graph.order if forward else graph.order[::-1]
    sources, targets = (graph.pred, graph.succ) if forward else (graph.succ, graph.pred)
    rank = {node.index: i for i, node in enumerate(order)}
    starts = {graph.entry.index} if forward else {graph.exit.index, graph.raised.index}
    into = {} if into is None else into
    out: dict[int, Fact] = {}
    again: list[int] = []                                  # places before the first that was not looked at yet
    queued = [False] * len(order)
    rounds = [0] * len(order)
    first = 0
    while again or first < len(order):
        if again:
            place = heapq.heappop(again)
            queued[place] = False
        else:
            place = first
            first += 1
        node = order[place]
        index = node.index
        facts = [out[source] for source in sources[index] if source in out]
        if index in starts:
            facts.append(boundary)
        if not facts:
            continue
        fact = facts[0]
        if len(facts) > 1:
            for other in facts[1:]:
                fact = join(fact, other)
        into[index] = fact
        new = transfer(node, fact)
        rounds[place] += 1
        if rounds[place] > PATIENCE:
            new = join(out[index], new)
        if index in out and out[index] == new:
            continue
        out[index] = new
        for after in targets[index]:
            after_rank = rank.get(after)
            if after_rank is not None and after_rank < first and not queued[after_rank]:
                queued[after_rank] = True
                heapq.heappush(again, after_rank)
    return (into, out) if forward else (out, into)
