"""Temporaries that only carry a value to another name: the name itself.

Needs a text in the core language, and the names that were made for it. Promises the same without temporaries that are
bound once, and read once, to be given to a name that is not touched in between.

    value = w
    value_1 = 1.0
    line_slope = value          →        line_slope = w
    line_offset = value_1                line_offset = 1.0
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import gast

from ..syntax.building import store
from ..syntax.nodes import name_nodes, names_in
from .scopes import BLOCKS


def tidy(body: list[gast.stmt], temporaries: set[str]) -> None:
    """Bind the names themselves, in place; what stands in a `try` is left, since a handler sees how far it came."""
    found = name_nodes(body)
    read = Counter(node.id for node in found if isinstance(node.ctx, gast.Load))
    bound = Counter(node.id for node in found if not isinstance(node.ctx, gast.Load))
    _block(body, {name for name in temporaries if read[name] == 1 and bound[name] == 1})


def _block(body: list[gast.stmt], carrying: set[str]) -> None:
    for stmt in body:
        if not isinstance(stmt, (gast.Try, gast.FunctionDef)):
            for field in BLOCKS:
                _block(getattr(stmt, field, None) or [], carrying)
    j = 0
    while j < len(body):
        i = _made_at(body, j, carrying)
        if i is not None:
            first: Any = body[i]
            last: Any = body.pop(j)
            first.targets = [gast.copy_location(store(last.targets[0].id), first.targets[0])]
        else:
            j += 1


def _made_at(body: Sequence[Any], j: int, carrying: set[str]) -> int | None:
    """Where the temporary is made that statement j gives to a name; None where it has to stay."""
    target, value = _pair(body[j])
    if target is None or not isinstance(value, gast.Name) or value.id not in carrying:
        return None
    for i in range(j - 1, -1, -1):
        before, made = _pair(body[i])
        if before is None:
            return None
        if before == value.id:
            return None if target in names_in(made) else i
        if before == target or target in names_in(made):
            return None
    return None


def _pair(stmt: Any) -> tuple[str | None, Any]:
    if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Name):
        return stmt.targets[0].id, stmt.value
    return None, None
