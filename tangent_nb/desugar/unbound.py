"""Reads of names that may not be bound: the text asks, and raises what Python would raise.

Needs a text in the core language with the marks of `assignment`. Promises that `rt.bound(y, "y")` stands where such a name is read, before the
statement where nothing that is evaluated before could raise; that a function inside finds `rt.UNBOUND` in what is not bound.

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

from ..syntax.names import Names
from ..syntax.nodes import (
    assign,
    child_fields,
    clone,
    dotted,
    is_compound,
    library,
    literal,
    load,
    mark,
    names_in,
    nodes_in,
    origin_of,
    own_expressions,
    parameter_names,
    store,
    walk,
    writes,
)
from ..syntax.program import Captured
from .scopes import BLOCKS, COMPREHENSIONS, FUNCTIONS, bound
from .state import State
from .values import ObjectValue

HARMLESS = (gast.Constant, gast.Tuple, gast.List, gast.Dict, gast.keyword)


def asked(captured: Captured) -> Captured:
    """The text with a question at each name that may not be bound."""
    if not any(hasattr(node, "unsure") for node in nodes_in(captured.tree)) and not hasattr(captured.tree, "unsure_inside"):
        return captured
    tree = clone(captured.tree)
    inside: frozenset[str] = getattr(tree, "unsure_inside", frozenset()) & writes(tree.body)
    body = _block(tree.body, Names(names_in(tree)))
    first = inside | _asked_before(body, captured)
    tree.body = [mark(assign(name, library("rt.UNBOUND")), origin=origin_of(body[0])) for name in sorted(first)] + body
    return replace(captured, tree=tree)


def _asked_before(body: Sequence[gast.stmt], captured: Captured) -> set[str]:
    """The names that the text asks about before it binds them anywhere, since a text without such a binding would ask about a global, and those
    that are not what the user calls them."""
    seen, found = set(parameter_names(captured.tree)), set[str]()
    nodes: Any = walk(list(body))
    for node in nodes:
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            seen.add(node.id)
        elif isinstance(node, gast.Call) and dotted(node.func) == "%rt.bound":
            name: Any = node.args[0]
            found |= {name.id} - (seen if name.id == literal(node.args[1]) and len(node.args) == 2 else set())
    return found & bound(captured.tree).union(seen) - set(parameter_names(captured.tree))


def question(node: Any) -> gast.expr:
    """`rt.bound(y, "y")`."""
    name, outside = node.unsure
    more = [gast.Constant(True, None)] if outside else []
    made = library("rt.bound(y, name)", y=load(node.id), name=gast.Constant(name, None))
    made.args += more
    return gast.copy_location(made, node)


def _block(body: Sequence[gast.stmt], names: Names) -> list[gast.stmt]:
    return [new for stmt in body for new in _statement(stmt, names)]


def _statement(stmt: Any, names: Names) -> Iterator[gast.stmt]:
    """A statement, behind the questions that are asked before it, and what is stored where the name of an array is read after that."""
    for one in (stmt, *getattr(stmt, "handlers", ())):
        for field in BLOCKS:
            if isinstance(block := getattr(one, field, None), list):
                setattr(one, field, _block(block, names))
    doubtful = isinstance(stmt, gast.Assign) and any(hasattr(node, "unsure") for one in stmt.targets for node in nodes_in(one))
    if doubtful and (len(stmt.targets) > 1 or isinstance(stmt.targets[0], (gast.Tuple, gast.List))):
        yield from _block([mark(one, origin=origin_of(stmt)) for one in _each(stmt, names)], names)
        return
    parts = _Parts(always=isinstance(stmt, (gast.While, gast.Try)))
    if is_compound(stmt):
        for part in own_expressions(stmt):
            parts.fields(stmt, part)
    elif isinstance(stmt, (gast.Assign, gast.AugAssign)):
        if isinstance(stmt, gast.AugAssign):
            parts.named(stmt.target)
        stmt.value = parts.new(stmt.value)
        if doubtful and not parts.sure:
            value = names.new("value")
            first = [*map(gast.Expr, parts.before), assign(value, stmt.value)]
            yield from (mark(one, origin=origin_of(stmt)) for one in first)
            parts.before, stmt.value = [], load(value)
        for target in getattr(stmt, "targets", [getattr(stmt, "target", None)]):
            for node in nodes_in(target):
                parts.named(node)
    elif not isinstance(stmt, gast.FunctionDef):
        parts.inside(stmt)
    for node in parts.before:
        yield mark(gast.Expr(node), origin=origin_of(stmt))
    yield stmt


def _each(stmt: gast.Assign, names: Names) -> Iterator[gast.stmt]:
    """An assignment of its own for each target, in the order in which Python makes them."""
    if len(stmt.targets) > 1:
        value = names.new("value")
        yield assign(value, stmt.value)
        yield from (gast.Assign([target], load(value), None) for target in stmt.targets)
        return
    made: list[tuple[str, Any]] = [(names.new("value"), one) for one in stmt.targets[0].elts]
    taken: list[Any] = [gast.Starred(store(name), gast.Store()) if isinstance(one, gast.Starred) else store(name) for name, one in made]
    yield gast.Assign([gast.Tuple(taken, gast.Store())], stmt.value, None)
    yield from (gast.Assign([one.value if isinstance(one, gast.Starred) else one], load(name), None) for name, one in made)


class _Parts:
    """The operands of a statement, in the order in which they are evaluated. before: the questions in front of it; sure: nothing that was
    evaluated could raise, and what comes next is evaluated in any case."""

    def __init__(self, *, always: bool) -> None:
        self.before: list[gast.expr] = []
        self.sure = not always

    def named(self, node: Any) -> None:
        """A name that has to stay one: what is changed in place."""
        if hasattr(node, "unsure"):
            self.before.append(question(node))
            del node.unsure

    def fields(self, stmt: Any, part: gast.expr) -> None:
        """An operand of the head of a compound statement."""
        for one in (stmt, *getattr(stmt, "items", ()), *getattr(stmt, "handlers", ())):
            for field in ("test", "iter", "context_expr", "type"):
                if getattr(one, field, None) is part:
                    setattr(one, field, self.new(part))

    def new(self, node: Any) -> Any:
        if isinstance(node, gast.Name):
            if not hasattr(node, "unsure"):
                return node
            if not self.sure:
                return question(node)
            self.named(node)
            return node
        self.inside(node)
        return node

    def inside(self, node: Any) -> None:
        """Go over what is below a node."""
        self.sure = self.sure and not isinstance(node, (*FUNCTIONS, *COMPREHENSIONS))
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            self.named(node.func.value)
        for field in child_fields(node.__class__):
            self.sure = self.sure and not (isinstance(node, gast.IfExp) and field != "test")
            value: Any = getattr(node, field, None)
            if isinstance(value, gast.AST):
                setattr(node, field, self.new(value))
            for i, one in enumerate(value if isinstance(value, list) else ()):
                value[i] = self.new(one) if isinstance(one, gast.AST) else one
                self.sure = self.sure and not isinstance(node, (gast.BoolOp, gast.Compare))
        self.sure = self.sure and (isinstance(node, HARMLESS) or dotted(node) is not None)


def ask(desugar: State, stmt: Any) -> None:
    """Emit the questions about objects that will be variables for their attributes; a function that may not be defined is refused."""
    one = clone(own_expressions(stmt) if is_compound(stmt) else [] if isinstance(stmt, gast.FunctionDef) else [stmt])
    marked = [(node.id, node.unsure, node) for part in one for node in nodes_in(part) if hasattr(node, "unsure")]
    parts = _Parts(always=isinstance(stmt, (gast.While, gast.Try)))
    for part in one:
        parts.new(part)
    sure = {node.args[0].id for node in parts.before}
    for name, unsure, node in marked:
        value = desugar.objects.get(name)
        if value is not None and name in sure and (part := _part(desugar, value)):
            desugar.emit(gast.Expr(question(gast.copy_location(mark(load(part), unsure=unsure), node))))
        elif value is not None or name in desugar.functions and name not in desugar.local:
            raise desugar.refused(node, f"{unsure[0]} may have no value here", f"{unsure[0]} = None, or another value, before it")


def _part(desugar: State, value: ObjectValue) -> str:
    """A variable for an attribute of an object."""
    for name in value.attributes.values():
        found = _part(desugar, desugar.objects[name]) if name in desugar.objects else name
        if found:
            return found
    return ""
