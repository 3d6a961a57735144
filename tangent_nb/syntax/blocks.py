"""Statements and the blocks in them: what a statement holds, what its head reads and binds, going over a body,
and rewriting one.

What `insert_grad_of` holds belongs to the backward pass: it is no block of the statement.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gast

from .building import mark, origin_of
from .nodes import dotted, target_names


def is_break(stmt: gast.stmt) -> bool:
    """`if test: break`."""
    return isinstance(stmt, gast.If) and not stmt.orelse and len(stmt.body) == 1 \
        and isinstance(stmt.body[0], gast.Break)


def inserts(stmt: gast.AST) -> bool:
    """`with insert_grad_of(y) as by:`, whose block belongs to the backward pass;
    who knows what the name means has marked it."""
    if not isinstance(stmt, gast.With):
        return False
    called = stmt.items[0].context_expr
    by_name = isinstance(called, gast.Call) and (dotted(called.func) or "").rpartition(".")[2] == "insert_grad_of"
    return bool(getattr(stmt, "inserts", by_name))


SIMPLE = frozenset({gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.Pass})        # these hold no others


def is_compound(stmt: gast.AST) -> bool:
    """The statement holds others that run where it stands."""
    if stmt.__class__ in SIMPLE:                          # nearly all are
        return False
    return isinstance(stmt, (gast.If, gast.For, gast.While, gast.Try)) \
        or isinstance(stmt, gast.With) and not inserts(stmt)


def blocks(stmt: gast.AST) -> list[list[gast.stmt]]:
    """The statement lists directly inside a statement; what `insert_grad_of` holds belongs to the backward pass."""
    if stmt.__class__ in SIMPLE:
        return []
    if isinstance(stmt, (gast.If, gast.For, gast.While)):
        return [stmt.body, stmt.orelse]
    if isinstance(stmt, gast.Try):
        return [stmt.body, *(handler.body for handler in stmt.handlers), stmt.orelse, stmt.finalbody]
    if isinstance(stmt, gast.Match):
        return [case.body for case in stmt.cases]
    return [stmt.body] if isinstance(stmt, gast.With) and not inserts(stmt) else []


def change_blocks(stmt: Any, change: Callable[[list[gast.stmt]], list[gast.stmt]]) -> None:
    """Replace each block of a statement by what `change` makes of it;
    a block that has to hold something holds `pass`."""
    for case in getattr(stmt, "cases", ()):
        case.body = change(case.body) or [mark(gast.Pass(), origin=origin_of(stmt))]
    if not is_compound(stmt):
        return
    stmt.body = change(stmt.body) or [mark(gast.Pass(), origin=origin_of(stmt))]
    for handler in getattr(stmt, "handlers", ()):
        handler.body = change(handler.body) or [mark(gast.Pass(), origin=origin_of(stmt))]
    for name in ("orelse", "finalbody"):
        if hasattr(stmt, name):
            setattr(stmt, name, change(getattr(stmt, name)))


def attempted(body: Sequence[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements in the bodies of `try`, and of managers that may swallow: whether they raise decides what comes
    next."""
    for stmt in statements(body):
        if isinstance(stmt, gast.Try) or hasattr(stmt, "checked"):
            yield from statements(stmt.body)


def own_expressions(stmt: Any) -> list[gast.expr]:
    """What a compound statement itself reads, its blocks left out: a test, an iterable, managers,
    the types of handlers."""
    found = [getattr(stmt, name, None) for name in ("test", "iter")]
    found += [item.context_expr for item in getattr(stmt, "items", ())]
    found += [handler.type for handler in getattr(stmt, "handlers", ())]
    return [node for node in found if node is not None]


def head_targets(stmt: Any) -> list[gast.expr]:
    """What the head of a compound statement assigns to: of a loop, of managers, of handlers."""
    found = [getattr(stmt, "target", None), *(item.optional_vars for item in getattr(stmt, "items", ()))]
    found += [handler.name for handler in getattr(stmt, "handlers", ())]
    return [target for target in found if isinstance(target, gast.AST)]


def own_targets(stmt: Any) -> list[str]:
    """The names that the head of a compound statement binds."""
    return [name for target in head_targets(stmt) for name in target_names(target)]


def statements(body: Sequence[gast.stmt]) -> Iterator[gast.stmt]:
    """All statements, nested ones after the one that holds them."""
    stack = list(reversed(body))
    while stack:
        stmt = stack.pop()
        yield stmt
        if stmt.__class__ not in SIMPLE:
            for block in reversed(blocks(stmt)):
                stack.extend(reversed(block))


def surroundings(body: Sequence[gast.stmt]) -> dict[int, list[tuple[Any, list[gast.stmt]]]]:
    """Of each statement, by its id, those around it, outermost first, each with its block that holds the statement."""
    found: dict[int, list[tuple[Any, list[gast.stmt]]]] = {}
    todo: list[tuple[Sequence[gast.stmt], list[tuple[Any, list[gast.stmt]]]]] = [(body, [])]
    while todo:
        block, around = todo.pop()
        for stmt in block:
            found[id(stmt)] = around
            todo += [(inner, [*around, (stmt, inner)]) for inner in blocks(stmt)]
    return found


def rebuild(body: list[gast.stmt], change: Callable[[gast.stmt], list[gast.stmt] | None]) -> list[gast.stmt]:
    """A list of statements with each one, innermost first, replaced by what `change` gives (None keeps it)."""
    new: list[gast.stmt] = []
    for stmt in body:
        if isinstance(stmt, gast.With):
            stmt.body = rebuild(stmt.body, change)
        else:
            change_blocks(stmt, lambda block: rebuild(block, change))
        changed = change(stmt)
        new.extend([stmt] if changed is None else changed)
    return new
