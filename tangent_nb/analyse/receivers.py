"""Objects of libraries that are called, or whose methods are, and have rows for that: of which class they are.

    spline = CubicSpline(nodes, values)      spline is a CubicSpline wherever it is read
    y = spline(x)                            a call of one: the row of PPoly.__call__

Needs a text in the core language. Promises that each name that is bound to nothing but objects of one such class says
so where it is read.
"""
from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ..rules import Rule, lookup
from ..rules.table import call_row, closed_under, has_rows, operator_row
from ..runtime.attributes import own_dict
from ..syntax.blocks import statements
from ..syntax.nodes import dotted, is_literal, literal, nodes_in
from ..syntax.program import MISSING
from .flow import bound_by

if TYPE_CHECKING:
    from .resolve import Scope


def kind_of(node: Any, scope: Scope) -> type | None:
    """The class of the object that an expression is for certain."""
    if hasattr(node, "receiver"):
        return node.receiver  # type: ignore[no-any-return]
    if (value := scope.value(node)) is not MISSING:
        return _filled(type(value))
    if isinstance(node, gast.Attribute) and _is_held(node, scope):
        return _filled(type(vars(scope.value(node.value))[node.attr]))
    if isinstance(node, gast.BinOp):
        return _combined(node, scope)
    made = scope.operation(node).rule if isinstance(node, gast.Call) \
        else method_of(node, scope) if isinstance(node, gast.Attribute) else None
    if made is None or made.makes != "same":
        return None if made is None else made.makes
    return kind_of((node.func if isinstance(node, gast.Call) else node).value, scope)


def _filled(kind: type) -> type:
    """The class, whose methods and operators have their rows now, where a module that is optional has it."""
    if not _is_plain(kind):
        lookup(kind)
    return kind


def _is_plain(kind: type) -> bool:
    """A class of numbers and arrays, or of functions."""
    return issubclass(kind, (np.ndarray, np.generic, float, int, types.FunctionType))


def _combined(node: gast.BinOp, scope: Scope) -> type | None:
    """The class of a sum or product of two such objects, and of one and a number."""
    sides = [kind_of(side, scope) for side in (node.left, node.right)]
    own = [kind for kind in sides if kind is not None and not _is_plain(kind) and has_rows(kind)]
    if not own:
        return None
    other = node.right if own[0] is sides[0] else node.left
    number = literal(other) if is_literal(other) else scope.value(other)
    known = len(own) == 2 or isinstance(number, (float, int)) and not (
        isinstance(node.op, (gast.Div, gast.Pow)) and other is node.left)
    return own[0] if known and closed_under(own[0], type(node.op).__name__, len(own) == 1) else None


def of_operator(node: gast.BinOp, scope: Scope) -> tuple[Rule, dict[str, gast.expr]] | None:
    """The row of an operator with an object on one side, which has rows for that, and its arguments."""
    for side, other, left in ((node.left, node.right, True), (node.right, node.left, False)):
        if side.__class__ is gast.Name and side.id in scope.local and not hasattr(side, "receiver") \
                or node.op.__class__ is gast.Mult and not isinstance(side, (gast.Name, gast.Attribute)):
            continue                                       # what most names and products are
        kind = kind_of(side, scope)
        if kind is not None and not _is_plain(kind):
            lookup(scope.value(side))                      # rows of an optional module are filled
            row = operator_row(kind, type(node.op).__name__, left)
            if row is not None:
                return row, {name: side if name == "A" else other for name in row.params}
    return None


def called_object(node: gast.expr, scope: Scope) -> Rule | None:
    """The row of a call of an object that is made in the text."""
    kind = kind_of(node, scope) if hasattr(node, "receiver") or isinstance(node, gast.Call) else None
    return None if kind is None else call_row(kind)


def method_of(node: gast.Attribute, scope: Scope) -> Rule | None:
    """The row of a method of an object."""
    kind = kind_of(node.value, scope)
    found = None if kind is None else lookup(getattr(kind, node.attr, None))
    return found if found is not None and found.receiver else None


def objects_outside(node: Any, scope: Scope) -> Iterator[tuple[str, Any]]:
    """The object outside that an operation of a row for objects is one of, by its path: the derivative is not run with
    another one."""
    if isinstance(node, gast.BinOp) or isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        rule, args = (operation := scope.operation(node)).rule, operation.args
        part: Any = args.get(rule.params[0 if "A" not in rule.params else rule.params.index("A")]) \
            if rule is not None and rule.receiver else None
        while part is not None:
            value = scope.value(part)
            if value is MISSING and isinstance(part, gast.Attribute) and _is_held(part, scope):
                value = vars(scope.value(part.value))[part.attr]
            if value is not MISSING:
                yield str(dotted(part)), value
                return
            part = part.func.value if isinstance(part, gast.Call) and isinstance(part.func, gast.Attribute) \
                else getattr(part, "value", None)


def _is_held(node: Any, scope: Scope) -> bool:
    """An attribute of an object outside that it stores itself."""
    base = scope.value(node.value)
    return base is not MISSING and not isinstance(base, (type, types.ModuleType)) \
        and node.attr in own_dict(base)


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
    asked = isinstance(value, (gast.Name, gast.Attribute, gast.Call, gast.BinOp))
    kind = kind_of(value, scope) if asked else None
    return kind if kind is not None and not _is_plain(kind) and has_rows(kind) else None
