"""Walks over the text as the user wrote it: what may be reached, the expressions and targets of a statement,
what carries a derivative on."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ...syntax.blocks import blocks, head_targets, own_expressions
from ..activity import carriers
from ..resolve import Scope


def targets(stmt: Any) -> list[Any]:
    """What a statement assigns to."""
    return list(stmt.targets) if isinstance(stmt, gast.Assign) else head_targets(stmt)


def expressions(stmt: Any) -> list[Any]:
    """The expressions of a statement itself, those of targets left out."""
    found = [getattr(stmt, name, None) for name in ("value", "test", "msg", "exc", "cause", "iter")]
    return [node for node in found if isinstance(node, gast.AST)] \
        + (own_expressions(stmt) if isinstance(stmt, gast.Try) else [])


def computed(stmt: Any) -> list[Any]:
    """The expressions of a statement, with the managers of `with`."""
    return [*expressions(stmt), *(item.context_expr for item in (stmt.items if isinstance(stmt, gast.With) else ()))]


def reached(body: list[gast.stmt]) -> Iterator[Any]:
    """The statements that may be reached; what `insert_grad_of` holds runs in the backward pass, as it is."""
    todo = reachable(body)[::-1]
    while todo:
        stmt = todo.pop()
        yield stmt
        for block in blocks(stmt)[::-1]:
            todo += reachable(block)[::-1]


def reachable(body: list[gast.stmt]) -> list[gast.stmt]:
    """A block up to the statement that leaves it."""
    for place, stmt in enumerate(body):
        if isinstance(stmt, (gast.Return, gast.Raise, gast.Break, gast.Continue)):
            return body[:place + 1]
    return body


def as_read(target: Any) -> gast.expr:
    """A target as the expression of its value."""
    if isinstance(target, gast.Name):
        return gast.copy_location(gast.Name(target.id, gast.Load(), None, None), target)
    if isinstance(target, gast.Subscript):
        return gast.copy_location(gast.Subscript(target.value, target.slice, gast.Load()), target)
    return target


def augmented(stmt: gast.AugAssign) -> gast.expr:
    """The operation of `x += v`."""
    return gast.copy_location(gast.BinOp(as_read(stmt.target), stmt.op, stmt.value), stmt)


def carrying(node: gast.expr, scope: Scope) -> Iterator[gast.expr]:
    """The expressions through which the value of `node` may carry a derivative."""
    todo = [node]
    while todo:
        one: Any = todo.pop()
        yield one
        if not isinstance(one, gast.Name):
            todo += [*carriers(one, scope), *(one.args if scope.effects(one).keeps else [])][::-1]
