"""Which of the user's expressions a node of generated code comes from, as marks that travel with the trees.

`at` is set on the expressions of the user's text: their span; `calls` on those of a body that desugaring has put in the
place of calls: the spans of these, the innermost first. `part` is set on what is made of them: the span of the
expression that it computes, or passes cotangents through, and those of the calls in whose place that stands, the
innermost first. They are shown (notebook/terms.py), and tell which lines ask for a sample of their own
(sampling/plan.py); nothing is decided by them that a gradient has to be right.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import gast

from .nodes import LEAVES, children, nodes_in
from .program import Origin, Span

Part: TypeAlias = tuple[Span, ...]


def expressions(tree: gast.AST) -> Iterator[gast.expr]:
    """The operations in a tree: no names, no literals, and no dotted names that are called.

    >>> tree = gast.parse("y = np.sum(x.T * 2)").body[0]
    >>> [type(node).__name__ for node in expressions(tree)]
    ['Call', 'BinOp', 'Attribute']
    """
    todo: list[Any] = [tree]
    while todo:
        node = todo.pop()
        if node.__class__ in LEAVES:
            continue
        if isinstance(node, gast.expr) and not isinstance(node, (gast.Starred, gast.Slice)):
            yield node
        called = node.func if isinstance(node, gast.Call) else None
        if isinstance(called, gast.Attribute):
            todo.append(called.value)
        todo += [child for child in children(node) if child is not called]


def part_of(stmt: gast.stmt, calls: Part) -> Part:
    """What a statement computes, as it is written; calls: those in whose place it stands."""
    value = getattr(stmt, "value", None)
    at = getattr(value, "at", None)
    if at is not None:
        return (at, *calls_of(value), *calls)
    origin = getattr(stmt, "origin", None)
    return (origin.span, *calls) if origin is not None and not isinstance(origin, tuple) else ()


def calls_of(node: Any) -> Part:
    """The calls in whose place desugaring has put an expression, the innermost first."""
    found: Part = node.__dict__.get("calls", ())
    return found


def stand_for(trees: Iterable[gast.AST], call: Part) -> None:
    """The expressions of a body stand in the place of a call, which may stand in a body in the place of another."""
    for tree in trees if call else ():
        for node in nodes_in(tree):
            if "at" in node.__dict__:
                node.calls = (*calls_of(node), *call)


def place_of(node: Any, origin: Origin | None) -> Part:
    """The span of an expression of the user's, also of one that has been written anew in its place; none elsewhere."""
    if "at" in node.__dict__:
        return (node.at,)
    span = None if origin is None else origin.span
    if span is None or getattr(node, "end_lineno", None) is None:
        return ()
    found = Span(span.source, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    start, end = (found.line, found.column), (found.end_line, found.end_column)
    inside = (span.line, span.column) <= start < end <= (span.end_line, span.end_column)
    return (found,) if inside else ()


def carried(made: Any, of: Any) -> Any:
    """What is made of an expression stands where that stood."""
    if made is not of and "at" in of.__dict__ and made.__class__ not in LEAVES and "at" not in made.__dict__:
        made.at, made.calls = of.at, calls_of(of)
    return made


def stamp(statements: Iterable[gast.stmt]) -> None:
    """Mark the trees of simple statements with what these come from, so that a pass which puts them elsewhere takes
    that along."""
    for stmt in statements:
        part: Part = getattr(stmt, "part", ())
        value = getattr(stmt, "value", None)
        if part and value is not None:
            outer, todo = part[1 + len(calls_of(value)):], [value]
            while todo:
                node = todo.pop()
                known = node.__dict__
                if "part" not in known:
                    at = known.get("at")
                    node.part = part if at is None else (at, *calls_of(node), *outer)
                todo += children(node)


def is_stamped(stmt: gast.stmt) -> bool:
    """What a statement computes is marked, or has nothing to be marked with; a value that a pass has made is not."""
    value = getattr(stmt, "value", None)
    return value is None or "part" in value.__dict__ or not getattr(stmt, "part", ())
