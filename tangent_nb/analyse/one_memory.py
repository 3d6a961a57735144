"""Names that may hold one object: a store through one of them is seen through all.

    for _ in range(n):
        b[1:] = a[:-1] * w
        a, b = b, a              →      a and b: what is stored in b is read as a in the next iteration
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gast

from ..syntax.blocks import blocks, is_compound, own_targets, statements
from ..syntax.closure import Groups
from ..syntax.nodes import given_by, reads, target_names
from .effects import is_pure_function
from .flow import defined, mutation, updated
from .objects import is_shape
from .resolve import Scope
from .returned import OUTSIDE, shared_arguments

Shared = Mapping[str, set[str]]


def one_memory(body: Sequence[gast.stmt], scope: Scope, *, views: bool = False) -> Shared:
    """For each name that is given the object of another, all names that this object may have; lists count with what is
    appended to them, but for saves of arrays that each iteration makes anew. views: a part of an array counts as the
    array."""
    groups = Groups()
    apart = _lists_of_new(body, scope)
    for stmt in statements(body):
        if getattr(stmt, "tape", ("",))[0] in apart:
            continue
        if getattr(stmt, "role", "") == "guard" \
                or getattr(stmt, "role", "") == "backward" and not hasattr(stmt, "restore"):
            continue                                       # of cotangents each has memory of its own
        node: Any = getattr(stmt, "value", None)
        if isinstance(stmt, gast.Assign):
            names = {*(name for t in stmt.targets for name in target_names(t)), *_held(node),
                     *(roots(node, scope) - {"%rt"} if views else ())}
        elif (mutation(stmt) or ("",))[0] == "append":
            names = {*_held(node.func.value), *(name for arg in node.args for name in _held(arg))}
        else:
            continue
        groups.join(names)
    return groups.members()


def _lists_of_new(body: Sequence[gast.stmt], scope: Scope) -> set[str]:
    """The lists on which only arrays are saved that were made before in the same block: no two of them are one."""
    if not any(hasattr(stmt, "tape") for stmt in statements(body)):
        return set()
    new: set[str] = set()
    other: set[str] = set()

    def visit(block: Sequence[gast.stmt]) -> set[str]:
        made: set[str] = set()
        bound: set[str] = set()                            # by the statements so far, in their blocks too
        for stmt in block:
            inside = set().union(*map(visit, blocks(stmt)))
            changed: Any = mutation(stmt)
            if hasattr(stmt, "tape") and changed is not None and changed[0] == "append":
                (new if _held(stmt.value.args[0]) <= made else other).add(changed[1])
            if is_compound(stmt):
                inside.update(own_targets(stmt))
                made -= inside
                bound |= inside
            else:
                here = defined(stmt)
                made -= here
                bound |= here | updated(stmt)
            if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
                    and not roots(stmt.value, scope):
                made.add(stmt.targets[0].id)
        return bound

    visit(body)
    return new - other


def with_others(names: Iterable[str], shared: Shared) -> set[str]:
    """Names, and all that may hold the same objects."""
    return {other for name in names for other in shared.get(name, (name,))}


def roots(node: Any, scope: Scope) -> set[str]:
    """The names whose memory the value of an expression may share: those of views,
    and of what only passes an array on."""
    if isinstance(node, gast.Name):
        return {node.id}
    given = given_by(node)
    if isinstance(node, gast.Attribute) and is_shape(node.attr):
        return set()
    if isinstance(node, gast.Call):
        operation, known = scope.operation(node), shared_arguments(node)
        if operation.rule is None and is_pure_function(scope.value(node.func)) \
                and not scope.effects(node).reaches_first or operation.kind == "rule" and operation.memory == "fresh":
            return set()
        if operation.kind == "rule" and operation.memory == "view":
            given = list(operation.args.values())[:1]
        elif known is not None:
            return {name for arg, _ in known for name in roots(arg, scope)} \
                | ({OUTSIDE} if node.returned.outside else set())
        else:
            func = [node.func.value] if isinstance(node.func, gast.Attribute) else []
            given = [*func, *node.args, *(k.value for k in node.keywords)]
    return {name for part in given for name in roots(part, scope)}


def held(stmt: Any, scope: Scope) -> set[str]:
    """The names whose memory a simple statement gives to others, or to a container."""
    if isinstance(stmt, gast.Assign):
        return roots(stmt.value, scope)
    return reads(stmt.value) if isinstance(stmt, gast.Expr) else set()


def _held(node: Any) -> set[str]:
    """The names whose objects an expression may give, or hold."""
    if isinstance(node, gast.Name):
        return {node.id}
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "pop":
        return _held(node.func.value)
    if isinstance(node, (gast.Subscript, gast.Attribute)):     # a part
        return set()
    return {name for item in given_by(node) for name in _held(item)}
