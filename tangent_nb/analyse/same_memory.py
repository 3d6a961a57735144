"""Memory for certain: which names share memory before each node on every path, so that no check has to ask."""
from __future__ import annotations

import gast

from ..syntax.spec import Spec
from .displays import items
from .flow import access, mutation
from .graph import Graph, Node
from .kinds import Env, Kinds, index_parts, is_basic, spec_of
from .resolve import Scope
from .solver import solve


def certainly_memory(spec: Spec) -> bool:
    """An ndarray with dimensions, or a container, for certain."""
    return spec.kind == "list" or (spec.kind == "array" and spec.shape != ())


def same_memory(graph: Graph, kinds: Kinds, scope: Scope) -> dict[int, frozenset[frozenset[str]]]:
    """The pairs of names that share memory before each node on every path: `v = y[1:]`, `v = y.T`, `L = [y]`."""
    def transfer(node: Node, before: frozenset[frozenset[str]]) -> frozenset[frozenset[str]]:
        stmt, names = node.stmt, access(node).define
        into, kept = put_into(node), frozenset(pair for pair in before if not pair & names)
        if into is not None and not hasattr(stmt, "stores"):
            value = stmt.value if isinstance(stmt, gast.Assign) else gast.Tuple(stmt.value.args, gast.Load())
            return kept | {frozenset((into, item.id)) for item in items(value) if isinstance(item, gast.Name)}
        if not names or isinstance(stmt, gast.AugAssign):
            return before
        root = _certain_root(stmt.value, kinds.at(node), scope) \
            if node.kind == "stmt" and isinstance(stmt, gast.Assign) else None
        if root is None or root in names:
            return kept
        others = {root, *(one for pair in kept if root in pair for one in pair)}
        return kept | {frozenset((name, other)) for name in names for other in others}

    return solve(graph, transfer, lambda one, other: one & other, frozenset[frozenset[str]](), forward=True)[0]


def _certain_root(node: gast.expr, env: Env, scope: Scope) -> str | None:
    """The array of which an expression is all, or a view, if it is one for certain."""
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Attribute) and node.attr == "T":
        return _certain_root(node.value, env, scope)
    if isinstance(node, gast.Subscript) and is_basic(node.slice, env, scope) \
            and (any(isinstance(part, gast.Slice) for part in index_parts(node.slice))
                 or certainly_memory(spec_of(node, env, scope))):
        return _certain_root(node.value, env, scope)
    rule = (operation := scope.operation(node)).rule if isinstance(node, gast.Call) else None
    if rule is not None and rule.part and rule.shares is None:
        first = next(iter(operation.args.values()), None)      # None where it is called as it cannot be
        return None if first is None else _certain_root(first, env, scope)
    return None


def put_into(node: Node) -> str | None:
    """The container that a statement makes, or puts something into."""
    stmt = node.stmt
    if node.kind != "stmt" or not isinstance(stmt, (gast.Assign, gast.Expr)):
        return None
    if (mutation(stmt) or ("",))[0] == "append":
        return str(mutation(stmt)[1])  # type: ignore[index]
    if hasattr(stmt, "stores"):
        return str(stmt.stores) if isinstance(stmt.value, gast.Call) and len(stmt.value.args) == 3 else None
    return stmt.targets[0].id if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
        and isinstance(stmt.value, (gast.List, gast.Tuple, gast.Dict)) else None
