"""Stable views: names that can be read as the part of an array that they stand for.

    v = A[1:]                          v: A[1:]
    s = np.sum(v * w)          →       (A is not changed, and v not bound again, before v is read)
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import and_

import gast

from ..syntax.closure import closure
from ..syntax.nodes import nodes_in, reads
from .flow import access
from .graph import Graph, Node
from .solver import solve


def stable_views(graph: Graph, temporaries: Iterable[str]) -> dict[str, gast.expr]:
    """Names that stand for a part, `v = A[1:]` or `v = A.T`, which is what it was wherever the name is read.

    Available expressions (A. Aho et al., section 9.2.6): such a name has one definition, and

        available_after(n) = (available_before(n) − {v : n binds or changes a name that the part of v reads}) ∪ gen(n)

    holds it before every node that reads it; join ∩. It can then be read as the part itself.
    """
    defined: dict[str, list[Node]] = {}
    for node in graph.nodes:
        for name in access(node).define | access(node).update:
            defined.setdefault(name, []).append(node)
    temporaries = set(temporaries)
    parts = {name: nodes[0].stmt.value for name, nodes in defined.items()
             if len(nodes) == 1 and nodes[0].kind == "stmt" and isinstance(nodes[0].stmt, gast.Assign)
             and name not in temporaries and isinstance(nodes[0].stmt.targets[0], gast.Name)
             and len(nodes[0].stmt.targets) == 1 and isinstance(nodes[0].stmt.value, (gast.Subscript, gast.Attribute))
             and _is_plain(nodes[0].stmt.value) and name not in reads(nodes[0].stmt.value)}
    if not parts:
        return parts
    bits = graph.numbering.bits
    killed: dict[str, int] = {}                            # by a change of the name
    for name, part in parts.items():
        for source in _behind(part, defined, temporaries):
            killed[source] = killed.get(source, 0) | bits([name])

    def transfer(node: Node, before: int) -> int:
        one = access(node)
        for source in one.define | one.update:
            before &= ~killed.get(source, 0)
        return before | bits(one.define & parts.keys())

    before, _ = solve(graph, transfer, and_, 0, forward=True)
    for node in graph.nodes:
        for name in access(node).use & parts.keys():
            if not before.get(node.index, 0) & bits([name]):
                del parts[name]
    return parts


def _behind(part: gast.expr, defined: Mapping[str, Sequence[Node]], temporaries: AbstractSet[str]) -> set[str]:
    """The names that a part is read from: `A`, `i` and `item` for `item[::-1]`, where `item = A[i]` is a temporary."""
    return closure(reads(part), lambda found: {
        one for name in found & temporaries for node in defined.get(name, ()) for one in access(node).use})


def _is_plain(node: gast.expr) -> bool:
    """A part of a name, with an index of names and numbers."""
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        if isinstance(node, gast.Subscript) and any(isinstance(n, (gast.Call, gast.Subscript, gast.Attribute))
                                                    for n in nodes_in(node.slice)):
            return False
        if isinstance(node, gast.Attribute) and node.attr != "T":
            return False
        node = node.value
    return isinstance(node, gast.Name)
