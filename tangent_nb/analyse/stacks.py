"""Stacks: lists that only grow and shrink at their end, as those of saved values.

    x_saved = []
    x_saved.append(rt.copy(x))       →      x_saved: [rt.copy(x)]
    x = x_saved.pop()
"""
from __future__ import annotations

import gast

from .flow import access, mutation
from .graph import Graph, Node

Stacks = dict[str, list[tuple[Node, gast.expr]]]


def stacks(graph: Graph) -> Stacks:
    """What is appended to each list that is made empty, and of which nothing else is done than to append and to pop."""
    made: set[str] = set()
    popped: set[str] = set()
    appended: Stacks = {}
    other: set[str] = set()
    for node in graph.nodes:
        one, stmt = access(node), node.stmt
        kind, name = (mutation(stmt) or ("", "")) if node.kind == "stmt" else ("", "")
        if kind == "append":
            arg = stmt.value.args[0]
            appended.setdefault(name, []).append((node, arg))
            other |= {part.id for part in gast.walk(arg) if isinstance(part, gast.Name)}
        elif kind == "pop":
            popped.add(name)
            other |= one.define
        elif node.kind == "stmt" and isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.List) \
                and not stmt.value.elts and [type(target) for target in stmt.targets] == [gast.Name]:
            made |= one.define
        else:
            other |= one.use | one.define | one.update
    return {name: appended.get(name, []) for name in sorted((made & popped) - other)}
