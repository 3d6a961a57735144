"""`try` and `with` in reverse mode: the forward sweep is left as it was entered where the body fails,
the backward sweep asks how it was left.

Needs a `try` in normal form, whose body is seen whole or not at all. Promises

    failed = False                         if failed:
    try:                                       … adjoint of the handler …
        y = risky(x)                       else:
    except ValueError:          →              … adjoint of the body …
        failed = True
        y = x

What a body saves on lists before it fails its handlers cut off (`del x_saved[length:]`); most saves stand at the end of
the body instead, where nothing raises any more: only then can the text be differentiated again. Tangents may raise what
the function does not: in forward mode they stand in `else:`. Refusals of ours pass all handlers
(`except rt.TangentError: raise`).
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.attempts import catches
from ..analyse.flow import bound_in
from ..analyse.resolve import Scope
from ..errors import ArgumentError, NonFiniteError, TangentError
from ..syntax.blocks import blocks, statements
from ..syntax.building import assign, call, library, load, mark, negated, origin_of, statement
from ..syntax.names import Names
from ..syntax.nodes import reads

OURS = (TangentError, ArgumentError, NonFiniteError)


def let_ours_through(stmt: gast.Try, scope: Scope) -> None:
    """A refusal by one of our checks in the body must not be taken for an exception of the user's."""
    checked = any(getattr(one, "note", "") == "guard"
                  or any(hasattr(one, name) for name in ("pair", "under", "reached")) for one in statements(stmt.body))
    if checked and any(catches(handler, OURS, scope) for handler in stmt.handlers):
        again = mark(gast.Raise(None, None), origin=origin_of(stmt), role="forward")
        stmt.handlers.insert(0, gast.ExceptHandler(library("rt.TangentError"), None, [again]))


def like_with(stmt: Any, items: list[Any], body: list[gast.stmt]) -> gast.stmt:
    """A `with` like another, with another body."""
    new = mark(gast.With(items, body, None), inserts=False)
    return mark(new, checked=True) if hasattr(stmt, "checked") else new


def cut_back(stmt: gast.Try, going: Sequence[gast.ExceptHandler], names: Names) -> list[gast.stmt]:
    """What is saved in a body that fails is never taken back: handlers cut it off.
    The statements before the `try` for that."""
    before: list[gast.stmt] = []
    for stack in sorted(_saved_halfway(stmt.body)):
        length, origin = names.new("length"), origin_of(stmt)
        before.append(assign(length, call("%len", stack), origin=origin, role="forward", tape=(stack, "length")))
        for handler in going:
            cut = statement("del STACK[LENGTH:]", STACK=stack, LENGTH=length)
            handler.body.insert(hasattr(handler.body[0], "status"),
                                mark(cut, origin=origin, role="forward", tape=(stack, "cut")))
    return before


def _saved_halfway(body: list[gast.stmt]) -> set[str]:
    """The lists that a body saves on before its last statements, which only save."""
    end = len(body)
    while end and hasattr(body[end - 1], "tape"):
        end -= 1
    return {one.tape[0] for one in statements(body[:end])
            if isinstance(getattr(one, "tape", (0, 0))[1], int) and hasattr(one, "tape")}


def chosen(failed: str, handlers: Sequence[list[gast.stmt]], done: list[gast.stmt]) -> list[gast.stmt]:
    """The backward code of the way that was taken. handlers, done: the backward code of each handler,
    and of the body."""
    def test(k: int) -> gast.expr:
        return load(failed) if len(handlers) == 1 else gast.Compare(load(failed), [gast.Eq()], [gast.Constant(k, None)])

    ways = [(test(k), code) for k, code in enumerate(handlers, 1) if code]
    if len(ways) < len(handlers) and done:
        ways, done = [(negated(load(failed)), done), *ways], []
    for condition, code in reversed(ways):
        done = [gast.If(condition, code, done)]
    return done


def _is_tangent(stmt: gast.stmt) -> bool:
    return getattr(stmt, "role", "") == "tangent" and not blocks(stmt)


def late_tangents(body: Sequence[gast.stmt]) -> list[gast.stmt] | None:
    """The tangents of a body, if they may as well stand after it."""
    late = [one for one in body if _is_tangent(one)]
    own = [one for one in body if one not in late]
    if any(_is_tangent(part) for part in statements(own)):
        return None
    if any(reads(one) & bound_in(*(other for other in body[place:] if other in own))
           for place, one in enumerate(body) if one in late):
        return None
    return late


def tangents_under(body: Sequence[gast.stmt], manager: str) -> list[gast.stmt]:
    """The body with its tangents in `with rt.uncaught():`, or another manager."""
    out: list[gast.stmt] = []
    for one in body:
        if not _is_tangent(one):
            for block in blocks(one):
                block[:] = tangents_under(block, manager)
            out.append(one)
        elif out and getattr(out[-1], "under", "") == manager:
            out[-1].body.append(one)
        else:
            out.append(mark(gast.With([gast.withitem(library(manager), None)], [one], None), origin=origin_of(one),
                            role="tangent", inserts=False, under=manager))
    return out
