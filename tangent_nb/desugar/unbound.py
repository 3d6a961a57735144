"""Reads of names that may not be bound: the text asks, and raises what Python would raise.

Needs the marks of `assignment`. Promises that `rt.bound(y, "y")` stands where such a name is read, before the statement
where nothing that is evaluated before could raise; that a function inside finds `rt.UNBOUND` in what is not bound.

    for i in range(n):              for i in range(n):
        y = x * i                       y = x * i
    return y                  →     rt.bound(y, "y")
                                    return y
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast

from ..analyse.leaving import ends
from ..syntax.blocks import is_compound, own_expressions
from ..syntax.building import assign, exchanged, library
from ..syntax.nodes import children, dotted, walk, writes
from ..syntax.program import Captured
from .assignment import evaluated
from .scopes import COMPREHENSIONS, FUNCTIONS, bound, parameters
from .state import State
from .values import ObjectValue


def question(node: Any, part: str = "") -> gast.expr:
    """`rt.bound(y, "y")` for a name; part: a variable that stands for it."""
    name, outside = node.unsure
    made = library("rt.bound(y, name)", y=part or node.id, name=gast.Constant(name, None))
    made.args += [gast.Constant(True, None)] if outside else []
    return gast.copy_location(made, node)


# ---------------------------------------------------------------------- while a text is written
def ask(desugar: State, stmt: Any) -> None:
    """Emit the questions that are asked before a statement, about objects by their variables;
    a function that may not be defined is refused."""
    parts = own_expressions(stmt) if is_compound(stmt) else [] if isinstance(stmt, gast.FunctionDef) \
        else [getattr(stmt, "subject", stmt)]
    for node, first in [found for part in parts for found in _marked(part)]:
        value = desugar.objects.get(node.id)
        part = node.id if value is None else _part(desugar, value)
        if not part or value is not None and not first \
                or value is None and node.id in desugar.functions and node.id not in desugar.local:
            raise desugar.refused(node, f"{node.unsure[0]} may have no value here",
                                  f"{node.unsure[0]} = None, or another value, before it")
        if first:
            put(desugar, node, part)


def _marked(node: Any, here: bool = True) -> Iterator[tuple[Any, bool]]:
    """The names that may not be bound, in Python's order, each with whether it is asked about before the statement;
    here: in none of the scopes inside, which may become statements of their own."""
    if hasattr(node, "unsure"):
        yield node, here and node.first
    for part in children(node) if isinstance(node, FUNCTIONS) else evaluated(node):
        yield from _marked(part, here and not isinstance(node, (*FUNCTIONS, *COMPREHENSIONS)))


def put(desugar: State, node: Any, part: str = "") -> None:
    """Emit the question about a name that is read next."""
    desugar.emit(gast.Expr(question(node, part)))
    del node.unsure


def ask_changed(desugar: State, node: Any) -> None:
    """The same within a statement, for what an expression changes."""
    one = node.func.value if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) else node
    if hasattr(one, "unsure") and hasattr(one, "named"):
        put(desugar, one)


def _part(desugar: State, value: ObjectValue) -> str:
    """A variable for an attribute of an object."""
    for name in value.attributes.values():
        found = _part(desugar, desugar.objects[name]) if name in desugar.objects else name
        if found:
            return found
    return ""


# ---------------------------------------------------------------------- in the finished text
def asked(captured: Captured, inside: set[str]) -> Captured:
    """The text with the questions within its statements; what it asks about before it is bound anywhere is `rt.UNBOUND`
    first, and what functions inside may find so."""
    marked: list[Any] = [node for node in walk(captured.tree) if hasattr(node, "unsure") and not hasattr(node, "named")]
    tree = exchanged(captured.tree, {id(node): question(node) for node in marked})
    first = inside & writes(tree.body) | _asked_before(tree.body, captured)
    origin = getattr(tree.body[0], "origin", None)
    tree.body[:0] = [assign(name, library("rt.UNBOUND"), origin=origin) for name in sorted(first)]
    return replace(captured, tree=tree)


def _asked_before(body: Sequence[gast.stmt], captured: Captured) -> set[str]:
    """The names that the text asks about before it binds them anywhere, since a text without such a binding would ask
    about a global, and those that are not what the user calls them. What a block binds that goes on nowhere may be gone
    from the text in the end."""
    given = {one.id for one in parameters(captured.tree)}
    seen, found = set(given), set[str]()
    known: dict[int, set[str]] = {}

    def visit(node: Any, seen: set[str]) -> None:
        if isinstance(node, list):
            seen = seen if not node or not isinstance(node[0], gast.stmt) \
                or ends(node, known) & {"next", "break", "continue"} else set(seen)
            for one in node:
                visit(one, seen)
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            seen.add(node.id)
        elif isinstance(node, gast.AST):
            if isinstance(node, gast.Call) and dotted(node.func) == "%rt.bound":
                name: Any = node.args[0]
                found.update({name.id} - (seen if name.id == node.args[1].value and len(node.args) == 2 else set()))
            for field in node._fields:
                visit(getattr(node, field, None), seen)

    for stmt in body:
        visit(stmt, seen)
    seen.update(writes(list(body)))
    return found & bound(captured.tree).union(seen) - given
