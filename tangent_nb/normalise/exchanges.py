"""Exchanges: names that change places through another name do it in one statement.

Needs a body as the user wrote it, or as a derivative is written. Promises that no name is left that holds an array for
the exchange alone, which would be another name for what is changed in place later.

    t = a
    a = b              →      a, b = b, a
    b = t
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.flow import liveness
from ..analyse.graph import Graph
from ..syntax.blocks import change_blocks
from ..syntax.building import assign, load, origin_of, store, tuple_of


def in_one_statement(body: list[gast.stmt]) -> list[gast.stmt]:
    """The body, with its exchanges written so."""
    live = liveness(Graph(body))

    def block(statements: Sequence[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        i = 0
        while i < len(statements):
            change_blocks(statements[i], block)
            names = _cycle(statements[i:])
            if names and statements[i].targets[0].id not in live.after(statements[i + len(names)]):
                given = [*names[1:], names[0]]
                out.append(assign(tuple_of(map(store, names), write=True), tuple_of(map(load, given)),
                                  origin=origin_of(statements[i])))
                i += len(names) + 1
            else:
                out.append(statements[i])
                i += 1
        return out

    return block(body)


def _cycle(statements: Sequence[gast.stmt]) -> list[str]:
    """The names a, b, c of `t = a; a = b; b = c; c = t`, with which the statements start; none where they do not."""
    kept, first = _copied(statements[0])
    names = [first]
    for stmt in statements[1:]:
        target, value = _copied(stmt)
        if not target or target != names[-1]:
            return []
        if value == kept:
            return names if len(names) > 1 else []
        if value in names:
            return []
        names.append(value)
    return []


def _copied(stmt: Any) -> tuple[str, str]:
    """`("a", "b")` for `a = b`."""
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Name) \
            or [type(target) for target in stmt.targets] != [gast.Name]:
        return "", ""
    return stmt.targets[0].id, stmt.value.id
