"""Objects of libraries that are called, or whose methods are, and have rows for that: of which class they are.

    spline = CubicSpline(nodes, values)      spline is a CubicSpline wherever it is read
    y = spline(x)                            a call of one: the row of PPoly.__call__

Needs a text in the core language. Promises that each name that is bound to nothing but objects of one such class says
so where it is read.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import gast

from ..rules import Rule, lookup
from ..rules.table import call_row
from ..syntax.blocks import statements
from ..syntax.nodes import nodes_in
from ..syntax.program import MISSING
from .flow import bound_by

if TYPE_CHECKING:
    from .resolve import Scope


def kind_of(node: Any, scope: Scope) -> type | None:
    """The class of the object that an expression is for certain."""
    if hasattr(node, "receiver"):
        return node.receiver  # type: ignore[no-any-return]
    if (value := scope.value(node)) is not MISSING:
        return type(value)
    made = scope.operation(node).rule if isinstance(node, gast.Call) else None
    return None if made is None else made.makes


def called_object(node: gast.expr, scope: Scope) -> Rule | None:
    """The row of a call of an object that is made in the text."""
    kind = kind_of(node, scope) if hasattr(node, "receiver") or isinstance(node, gast.Call) else None
    return None if kind is None else call_row(kind)


def method_of(node: gast.Attribute, scope: Scope) -> Rule | None:
    """The row of a method of an object."""
    kind = kind_of(node.value, scope)
    found = None if kind is None else lookup(getattr(kind, node.attr, None))
    return found if found is not None and found.receiver else None


def mark_receivers(body: Sequence[gast.stmt], parameters: Sequence[str], scope: Scope) -> None:
    """Say of which class the objects are that names hold."""
    bound: dict[str, list[Any]] = {}
    others = {*parameters}
    for stmt in statements(body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and len(stmt.targets) == 1:
            bound.setdefault(stmt.targets[0].id, []).append(stmt.value)
        else:
            others |= bound_by(stmt)
    reads = [node for stmt in body for node in nodes_in(stmt) if isinstance(node, gast.Name)
             and isinstance(node.ctx, gast.Load) and node.id in bound and node.id not in others]
    known: set[str] = set()
    while found := {name: kind for name, kind in _found(bound, scope) if name not in {*known, *others}}:
        known |= found.keys()
        for node in reads:
            if node.id in found:
                node.receiver = found[node.id]


def _found(bound: dict[str, list[Any]], scope: Scope) -> Iterator[tuple[str, type]]:
    for name, values in bound.items():
        kinds = {_made(value, scope) for value in values}
        if len(kinds) == 1 and (kind := kinds.pop()) is not None:
            yield name, kind


def _made(value: Any, scope: Scope) -> type | None:
    if isinstance(value, gast.Name):
        kind = kind_of(value, scope)
        return kind if kind is not None and call_row(kind) is not None else None
    return kind_of(value, scope) if isinstance(value, gast.Call) else None
