"""Memory that is taken over: a derivative whose value is that of another one, or a part of it, which nothing reads any
more.

Needs a generated function. Promises the statements after which what they bind has memory of its own without a copy: all
names that may share it are derivatives too, made new, and neither read nor changed afterwards; and those after which
nothing changes that memory, so that nobody sees whose it is.

    bu = rt.copy(by)                bu = by
    bu[0] = 0.0            →        bu[0] = 0.0
    return bu                       return bu
"""
from __future__ import annotations

from typing import Any

import gast

from ..analyse.flow import access, bound_in, spread
from ..analyse.graph import Graph
from ..analyse.one_memory import roots
from ..analyse.resolve import Scope
from ..syntax.blocks import head_targets, statements
from ..syntax.closure import Groups
from ..syntax.nodes import names_in, parameter_names, reads, root_name, target_names
from .fresh import is_fresh


def taken_over(tree: gast.FunctionDef, scope: Scope) -> tuple[set[int], set[int]]:
    """The ids of assignments of names, each to what it may have for itself, and to what nobody changes any more."""
    candidates = [stmt for stmt in statements(tree.body) if _passes_on(stmt, scope)]
    if not candidates:
        return set(), set()
    members, others = whose(tree, scope)
    graph = Graph(tree.body)
    after = spread(graph, (), lambda node: access(node).use | access(node).update, forward=False)
    changed = spread(graph, (), lambda node: access(node).update | {getattr(node.stmt, "in_place", "")}, forward=False)
    own, still = set(), set()
    for stmt in candidates:
        name = stmt.targets[0].id
        group = members.get(name, {name})
        if not group.isdisjoint(others):
            continue
        if not any(one in after.after(stmt) for one in group - {name}):
            own.add(id(stmt))
        if not any(one in changed.after(stmt) for one in group):
            still.add(id(stmt))
    return own, still


def whose(tree: gast.FunctionDef, scope: Scope) -> tuple[dict[str, set[str]], set[str]]:
    """Which names may share memory, where there are several; and those that hold more than what derivatives made new,
    or took from one another."""
    groups = Groups()
    others = {"%", *parameter_names(tree), *(names_in(tree.body) - bound_in(*tree.body))}        # a seed that comes yet
    for stmt in statements(tree.body):
        others |= _shares(stmt, scope, groups)
    return groups.members(), others


def _passes_on(stmt: Any, scope: Scope) -> bool:
    """It binds a derivative to another one, or to a view of one."""
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.targets[0], gast.Name) \
            or getattr(stmt, "role", "") not in ("backward", "tangent") or hasattr(stmt, "tape"):
        return False
    return not is_fresh(stmt.value, scope) and _is_view(stmt.value, scope)


def _is_view(node: Any, scope: Scope) -> bool:
    if isinstance(node, gast.Name):
        return True
    operation = scope.operation(node)
    return operation.kind == "rule" and operation.memory == "view" \
        and not isinstance(next(iter(operation.args.values()), None), (gast.List, gast.Tuple, gast.Dict))


def _shares(stmt: Any, scope: Scope, groups: Groups) -> set[str]:
    """Join the names of which a statement may make one memory; those that are no derivatives of ours alone."""
    others: set[str] = set()
    derived = getattr(stmt, "role", "forward") in ("backward", "tangent")
    value = getattr(stmt, "value", None)
    if isinstance(stmt, gast.Assign):
        names = [name for target in stmt.targets for name in target_names(target)]
        stored = {root_name(target) or "%" for target in stmt.targets if not target_names(target)}
        fresh = is_fresh(value, scope)
        groups.join([*names, *([] if fresh else [*stored, *roots(value, scope)])])
        if not derived or not (fresh or _is_view(value, scope)) or hasattr(stmt, "restore"):
            others.update(names)                           # where a function gave it, it is not ours to say whose it is
    elif isinstance(stmt, gast.Expr):
        groups.join(name for name in reads(stmt) if not name.startswith("%"))
    elif not isinstance(stmt, gast.AugAssign):
        names = [name for target in head_targets(stmt) for name in target_names(target)]
        groups.join([*names, *reads(stmt.iter)] if isinstance(stmt, gast.For) else names)
        others.update(names)
    return others
