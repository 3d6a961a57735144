"""Stacks: lists that only grow and shrink at their end, as those of saved values.

    x_saved = []
    x_saved.append(rt.copy(x))       →      x_saved: [rt.copy(x)]
    x = x_saved.pop()
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import gast

from ..syntax.nodes import names_in
from ..syntax.paths import is_entry
from ..syntax.spec import Spec
from .flow import access, mutation
from .graph import Graph, Node
from .resolve import Scope

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
            other |= names_in(arg)
        elif kind == "pop":
            popped.add(name)
            other |= one.define
        elif node.kind == "stmt" and isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.List) \
                and not stmt.value.elts and [type(target) for target in stmt.targets] == [gast.Name]:
            made |= one.define
        else:
            other |= one.use | one.define | one.update
    return {name: appended.get(name, []) for name in sorted((made & popped) - other)}


def popped_behind(graph: Graph, found: Stacks) -> bool:
    """All that is appended to stacks is appended at nodes that nothing leads back to from where something is popped."""
    rank = {node.index: i for i, node in enumerate(graph.order)}
    popped = [rank[node.index] for node in graph.nodes
              if node.kind == "stmt" and (changed := mutation(node.stmt)) is not None and changed[0] == "pop"
              and changed[1] in found]
    last = max((rank[node.index] for appended in found.values() for node, _ in appended), default=-1)
    lowest = len(rank)                                     # that is come to from here on
    for place in range(len(rank) - 1, last, -1):
        lowest = min([lowest, *(rank[after] for after in graph.succ[graph.order[place].index])])
        if place <= min(popped, default=0) and lowest >= place:
            return True
    return False


def is_stack_method(node: Node) -> bool:
    """`items.append(v)`, `items.pop()` and the like."""
    return node.kind == "stmt" and (mutation(node.stmt) or ("add_at",))[0] != "add_at"


def puts(node: Node, env: Mapping[str, Spec], given: Callable[[], Mapping[str, Sequence[gast.expr]]],
         parameters: Collection[str], scope: Scope) -> bool:
    """A stack is changed; or `items[i] = v` of what is a list for certain, or `items["k"] = v` of a dict that is made
    here: what was there stays as it is. given: what names are ever given, but for parameters."""
    stmt = node.stmt
    target = stmt.targets[0] if node.kind == "stmt" and isinstance(stmt, gast.Assign) else None
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name) or stmt.targets[1:] \
            or hasattr(stmt, "stores"):
        return is_stack_method(node)
    name = target.value.id
    if is_stack_method(node) or env.get(name, Spec()).kind == "list":
        return True
    made = given().get(name) if is_entry(target) and name not in parameters else None
    return made is not None and all(isinstance(one, gast.Dict) or scope.builtin(one) == "dict" for one in made)
