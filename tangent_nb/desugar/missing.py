"""Attributes and items from outside that may be missing: whether they are there is a variable too.

Needs a text in the core language, and a path that becomes a variable (`stored_outside.py`). Promises that what asks
whether there is such an attribute, or item, asks a variable, and that what reads it in a `try` raises what Python does.

    if not hasattr(self, "s"):         self_s_there = rt.is_there(self, 's')
        self.s = 0.0                   if self_s_there:
    self.s = self.s + x         →          self_s = self.s
                                       if not self_s_there:
                                           self_s = 0.0
                                           self_s_there = True
                                       self_s = self_s + x
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..analyse.resolve import Scope
from ..syntax.blocks import blocks, own_expressions
from ..syntax.building import load
from ..syntax.nodes import nodes_of, reads, walk
from ..syntax.paths import asked, is_entry, path_of


def asks(tree: gast.FunctionDef, scope: Scope) -> list[tuple[Any, str, Any]]:
    """What asks whether there is an attribute, or an item: the expression, the path, what stands for a missing one."""
    return [(node, *found) for node in nodes_of(tree.body, gast.Call, gast.Compare)
            if (found := asked(node, scope.value)) is not None]


def answer(node: Any, there: str, name: str, default: Any) -> gast.expr:
    """The same, asked of the variable that says whether it is there. name: of the one that holds it."""
    if default is not None:
        return gast.copy_location(gast.IfExp(load(there), load(name), default), node)
    missing = isinstance(node, gast.Compare) and isinstance(node.ops[0], gast.NotIn)
    return gast.copy_location(gast.UnaryOp(gast.Not(), load(there)) if missing else load(there), node)


def attempts(tree: gast.FunctionDef, path: str, scope: Scope) -> list[Any]:
    """The attempts whose handlers go on where there is no such attribute, or item."""
    found: list[Any] = []
    for one in nodes_of(tree.body, gast.Try):
        node = next((part for part in walk(one.body) if path_of(part) == path), None)
        error = KeyError if is_entry(node) else AttributeError
        if node is not None and any(_catches(handler.type, error, scope) and not isinstance(
                handler.body[-1], gast.Raise) for handler in one.handlers):
            found.append(one)
    return found


def _catches(kind: Any, error: type[Exception], scope: Scope) -> bool:
    kinds = kind.elts if isinstance(kind, gast.Tuple) else [kind]
    return any(one is None or not isinstance(value := scope.value(one), type) or issubclass(error, value)
               for one in kinds)


def check_where_read(body: list[gast.stmt], name: str, made: Callable[[], gast.expr]) -> None:
    """In front of each statement that reads the variable, raise where it stands for nothing."""
    for i in range(len(body) - 1, -1, -1):
        for block in blocks(body[i]):
            check_where_read(block, name, made)
        if name in _read(body[i]):
            check: Any = gast.copy_location(gast.Expr(made()), body[i])
            check.origin = body[i].origin
            body.insert(i, check)


def _read(stmt: Any) -> set[str]:
    """The names that a statement reads, its blocks left out."""
    augmented = {stmt.target.id} if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) else set()
    return augmented | (reads(own_expressions(stmt)) if next(iter(blocks(stmt)), None) is not None else reads(stmt))
