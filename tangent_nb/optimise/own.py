"""Ownership of what derivatives hand out and change: the last step, which no switch leaves out.

Needs a generated function. Promises that variables changed in place hold memory of their own, and that what is returned is neither an
argument, nor a seed, nor part of one another:

    by = bx                     →      by = rt.copy(bx)
    by[0] = 0.0                        by[0] = 0.0
"""
from __future__ import annotations

from collections.abc import Sequence

import gast

from ..analyse.flow import mutation, statement_access
from ..analyse.resolve import Scope
from ..syntax.nodes import expr, load, reads, statements, target_names

RT = load("%rt")


def own(tree: gast.FunctionDef, scope: Scope, returned: Sequence[str]) -> None:
    """Put copies where memory would be shared. returned: the variables handed out."""
    changed = changed_in_place(tree.body)
    fresh: dict[str, bool] = {}
    for stmt in statements(tree.body):
        if not isinstance(stmt, gast.Assign):
            continue
        targets = target_names(stmt.targets[0])
        if len(targets) == 1 and isinstance(stmt.targets[0], gast.Name):
            name = targets[0]
            ours = getattr(stmt, "role", "forward") not in ("forward", "guard") and not hasattr(stmt, "tape")
            if ours and not is_fresh(stmt.value, scope) and (name in changed or reads(stmt.value) & changed):
                stmt.value = copied(stmt.value)
            fresh[name] = fresh.get(name, True) and is_fresh(stmt.value, scope)
        else:
            for name in targets:
                fresh[name] = False
    for stmt in statements(tree.body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Tuple):
            again = [n for n in target_names(stmt.targets[0]) if n in changed]
            if again and getattr(stmt, "role", "") in ("backward", "tangent"):
                raise AssertionError(f"{again[0]} is changed in place, and bound with others")
    final = tree.body[-1]
    if isinstance(final, gast.Return):
        final.value = _owned(final.value, set(returned), {n for n, ok in fresh.items() if ok}, scope)


def changed_in_place(body: Sequence[gast.stmt]) -> set[str]:
    """The names whose memory some statement changes; what a list holds stays as it is when the list grows."""
    found = {stmt.in_place for stmt in statements(body) if hasattr(stmt, "in_place")}
    for stmt in statements(body):
        if not isinstance(stmt, (gast.If, gast.For, gast.While)) and (mutation(stmt) or ("",))[0] not in ("append", "pop"):
            found |= statement_access(stmt).update
            if isinstance(stmt, gast.AugAssign):
                found |= set(target_names(stmt.target))
    return found


def _owned(node: gast.expr, returned: set[str], fresh: set[str], scope: Scope) -> gast.expr:
    if isinstance(node, gast.Tuple):
        return gast.Tuple([_owned(item, returned, fresh, scope) for item in node.elts], gast.Load())
    if isinstance(node, gast.Name):
        return copied(node) if node.id in returned and node.id not in fresh else node
    return node if is_fresh(node, scope) or not reads(node) & returned else copied(node)


def copied(node: gast.expr) -> gast.expr:
    return expr("rt.copy(x)", x=node, rt=RT)


def is_fresh(node: gast.expr, scope: Scope) -> bool:
    """The value shares memory with nothing: a new array, or a number."""
    if isinstance(node, gast.Constant):
        return True
    if isinstance(node, (gast.Tuple, gast.List)):
        return all(is_fresh(item, scope) for item in node.elts)
    operation = scope.operation(node)
    return operation.kind == "rule" and operation.rule is not None and operation.rule.memory == "fresh"
