"""`with` of one manager each, and no `with` where another statement says the same.

Needs a body of the user's. Promises that every `with` has one manager and that none is a `suppress` or a `nullcontext`;
a `with` of `insert_grad_of` is marked, since its block belongs to the backward pass.

    with a, suppress(E):                with a:
        y = f(x)               →            try:
                                                y = f(x)
                                            except E:
                                                pass
"""
from __future__ import annotations

from typing import Any

import gast

from ..analyse.managers import entered, is_insertion, suppressed
from ..analyse.resolve import Scope
from ..syntax.blocks import change_blocks
from ..syntax.building import assign, mark, origin_of, tuple_of


def single_managers(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """The body, changed."""
    new: list[gast.stmt] = []
    for stmt in body:
        if isinstance(stmt, gast.With):
            stmt.inserts = is_insertion(stmt.items[0], scope)
        change_blocks(stmt, lambda block: single_managers(block, scope))
        new += _one_each(stmt, scope) if isinstance(stmt, gast.With) and not stmt.inserts else [stmt]
    return new


def _one_each(stmt: gast.With, scope: Scope) -> list[gast.stmt]:
    body: list[gast.stmt] = stmt.body
    for item in reversed(stmt.items):
        body = _one(item, body, stmt, scope)
    return body


def _one(item: Any, body: list[gast.stmt], like: gast.stmt, scope: Scope) -> list[gast.stmt]:
    origin, expression = origin_of(like), item.context_expr
    swallowed, value = suppressed(expression, scope), entered(expression, scope)
    if swallowed is not None and item.optional_vars is None:
        kind = swallowed[0] if len(swallowed) == 1 else tuple_of(swallowed)
        handler = gast.ExceptHandler(kind, None, [mark(gast.Pass(), origin=origin)])
        return [mark(gast.Try(body, [handler], [], []), origin=origin)] if swallowed else body
    if value is not None:
        return body if item.optional_vars is None else [assign(item.optional_vars, value, origin=origin), *body]
    one = gast.With([gast.withitem(expression, item.optional_vars)], body, None)
    return [mark(one, origin=origin, inserts=False)]
