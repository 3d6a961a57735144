"""A definition as the gast tree that all later stages work on.

Needs the `ast` node of a def or lambda and its text. Promises a gast FunctionDef whose columns count characters, and an
`origin` on every statement: its own text, or for a compound statement its header up to the colon.
"""
from __future__ import annotations

from collections.abc import Iterator

import gast

from ..syntax.building import clone, definition
from ..syntax.deep import deep
from ..syntax.nodes import nodes_in
from ..syntax.parts import expressions
from ..syntax.program import Origin, SourceFile, Span
from .find import Definition

COMPOUND = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.If, gast.For, gast.AsyncFor, gast.While,
            gast.With, gast.AsyncWith, gast.Try, gast.Match, gast.TryStar)


def to_gast(definition: Definition, source: SourceFile) -> gast.FunctionDef:
    """The tree of a definition, made once and copied. A lambda becomes a def with one return, under the name of its
    variable.

    >>> import ast
    >>> source = SourceFile("m.py", "m.py", ("g = lambda x: x * x",))
    >>> node = ast.parse("g = lambda x: x * x").body[0].value
    >>> tree = to_gast(Definition(node, "g", None), source)
    >>> tree.name, tree.body[0].origin.text
    ('g', 'x * x')
    """
    with deep(definition.node):
        if not definition.trees:
            definition.trees.append(_tree(definition, source))
        tree: gast.FunctionDef = clone(definition.trees[0])
    return tree


def _tree(definition: Definition, source: SourceFile) -> gast.FunctionDef:
    tree = gast.ast_to_gast(definition.node)
    _count_characters(tree, source)
    if definition.owner is not None:
        _mangle(tree, definition.owner)
    if isinstance(tree, gast.Lambda):
        tree = _as_def(tree, definition.name or "function")
    for statement in statements(tree):
        statement.origin = Origin(_span(statement, source))
    for node in expressions(tree):
        if getattr(node, "lineno", None) is not None:
            node.at = span_of(node, source)
    return tree


def _mangle(tree: gast.AST, owner: str) -> None:
    """Call what is private to a class, `self.__w`, as Python calls it: `self._Net__w`, wherever that is read. The name
    of the function itself is that of its code."""
    prefix = "_" + owner.lstrip("_")
    for node in nodes_in(tree) if prefix != "_" else ():
        for field, value in gast.iter_fields(node):
            names = value if isinstance(value, list) else [value]
            if node is tree or isinstance(node, (gast.Constant, gast.keyword)) \
                    or not any(isinstance(one, str) and one.startswith("__") for one in names):
                continue
            made = [prefix + one if isinstance(one, str) and one.startswith("__") and not one.endswith("__") else one
                    for one in names]
            setattr(node, field, made if isinstance(value, list) else made[0])


def _as_def(node: gast.Lambda, name: str) -> gast.FunctionDef:
    result = gast.copy_location(gast.Return(node.body), node.body)
    return gast.copy_location(definition(name, node.args, [result]), node)


def statements(tree: gast.AST) -> Iterator[gast.stmt]:
    """Every statement of a tree, itself included."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, gast.stmt):
            yield node
        if not isinstance(node, gast.expr):                # in which there are none
            todo.extend(gast.iter_child_nodes(node))


def _count_characters(tree: gast.AST, source: SourceFile) -> None:
    """Turn the columns, which Python counts in bytes of UTF-8, into characters."""
    first, last = getattr(tree, "lineno", 1), getattr(tree, "end_lineno", None) or len(source.lines)
    if all(map(str.isascii, source.lines[max(0, first - 2):last])) and not getattr(tree, "decorator_list", ()):
        return
    encoded: dict[int, bytes] = {}
    todo = [tree]
    while todo:
        node = todo.pop()
        for line_field, column_field in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            number, column = getattr(node, line_field, None), getattr(node, column_field, None)
            if number is not None and column is not None and not source.line(number).isascii():
                if number not in encoded:
                    encoded[number] = source.line(number).encode("utf-8", "surrogatepass")
                setattr(node, column_field, len(encoded[number][:column].decode("utf-8", "replace")))
        todo.extend(gast.iter_child_nodes(node))


def span_of(node: gast.AST, source: SourceFile) -> Span:
    """The text range of a node whose columns count characters."""
    return Span(source, node.lineno, node.col_offset, node.end_lineno or node.lineno,
                node.col_offset if node.end_col_offset is None else node.end_col_offset)


def _span(statement: gast.stmt, source: SourceFile) -> Span:
    whole = span_of(statement, source)
    if not isinstance(statement, COMPOUND):
        return whole
    line, column = whole.line, whole.column
    for node in _header(statement):
        end = (getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0)
        line, column = max((line, column), end)
    line, column = _colon(source, line, column)
    return Span(source, whole.line, whole.column, line, column)


def _header(statement: gast.stmt) -> Iterator[gast.AST]:
    """What stands between a compound statement's keyword and its colon."""
    bodies = ("body", "orelse", "finalbody", "handlers", "cases", "decorator_list")
    todo: list[tuple[gast.AST, tuple[str, ...]]] = [(statement, bodies)]
    while todo:
        node, skipped = todo.pop()
        for name in node._fields:
            value = getattr(node, name, None)
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, gast.AST) and name not in skipped:
                    yield child
                    todo.append((child, ()))


def _colon(source: SourceFile, line: int, column: int) -> tuple[int, int]:
    """Where the first colon from here on stands, comments left out; the place itself where there is none."""
    for number in range(line, len(source.lines) + 1):
        text = source.line(number)
        start = column if number == line else 0
        comment = text.find("#", start)
        found = text.find(":", start, len(text) if comment < 0 else comment)
        if found >= 0:
            return number, start + len(text[start:found].rstrip())
    return line, column
