"""Functions that only calls of libraries are given, written where these calls stand.

Needs a block of the core language, and in it the statement that makes such a function. Promises that the function is
made before each statement that reads its name, as it reads its variables when it is called, and the call comes at once;
or leaves the block as it is, where the name is read elsewhere than behind that statement.

    step = lambda v: v - y        →     y = y + h
    y = y + h                           step = lambda v: v - y
    y = brentq(step, 0.0, 1.0)          y = brentq(step, 0.0, 1.0)
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from ..syntax.blocks import blocks, is_compound, own_expressions
from ..syntax.building import clone
from ..syntax.nodes import nodes_of
from .scopes import is_read


def name_made(stmt: Any) -> str | None:
    """The name of the function that a statement makes: a definition, or a lambda that it assigns."""
    if isinstance(stmt, gast.FunctionDef):
        return None if stmt.decorator_list else stmt.name
    is_plain = isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Lambda) and len(stmt.targets) == 1
    return stmt.targets[0].id if is_plain and isinstance(stmt.targets[0], gast.Name) else None


def moved_to_uses(body: list[gast.stmt], i: int, reads: int, new_name: Callable[[str], str],
                  moved: Callable[[list[Any], Any], None]) -> bool:
    """Write the function that the statement i makes where it is read; whether that could be done. reads: how often its
    name is read; moved: is told what reads it, and what makes it there now."""
    stmt: Any = body[i]
    name = name_made(stmt)
    found = list(_readers(body[i + 1:], body, name))
    if sum(len(names) for *_, names in found) != reads or any(is_compound(reader) for _, reader, _ in found):
        return False
    for n, (block, reader, names) in enumerate(found):
        own = clone(stmt)
        made = new_name(str(name)) if n else str(name)
        if isinstance(own, gast.FunctionDef):
            own.name = made
        else:
            own.targets[0].id = made
        block.insert(next(k for k, one in enumerate(block) if one is reader), own)
        for one in names:
            one.id = made
        moved(names, own)
    del body[i]
    return True


def _readers(stmts: list[gast.stmt], block: list[gast.stmt],
             name: str | None) -> Iterator[tuple[list[gast.stmt], gast.stmt, list[Any]]]:
    """The statements that read a name, each with its block, and the nodes there."""
    for stmt in stmts:
        heads = own_expressions(stmt) if is_compound(stmt) else [stmt]
        if names := [node for node in nodes_of(heads, gast.Name) if node.id == name and is_read(node)]:
            yield block, stmt, names
        for inner in blocks(stmt) if is_compound(stmt) else ():
            yield from _readers(list(inner), inner, name)
