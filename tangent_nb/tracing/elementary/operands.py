"""Statements as operations on numbered values: names are replaced by the values that they hold when the statement runs.

Values are numbered in the order in which they are made, `%0` being the first input. A value is known by the variable
that holds it, and where a container holds it by the object that it is.
"""
from __future__ import annotations

import ast
import builtins
import copy
import math
import re
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, cast

import numpy as np

from ...runtime.containers import kind_of
from ...syntax.names import Names
from ..values import COMPREHENSIONS, Lookup, UnknownError, evaluate, names_in

DEEPEST = 20                                       # containers in containers that are looked into


def reference(place: int) -> ast.Name:
    """A value in an operation."""
    return ast.Name(f"%{place}", ast.Load())


def places(node: ast.AST) -> list[int]:
    """The values that an operation reads, in the order of its text, each once.

    >>> places(ast.BinOp(reference(3), ast.Sub(), reference(1)))
    [3, 1]
    """
    return list(dict.fromkeys(int(one.id[1:]) for one in in_order(node)
                              if isinstance(one, ast.Name) and one.id.startswith("%")))


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A tree from left to right."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)


def replaced(node: ast.expr, meaning: Callable[[str], ast.expr | None]) -> ast.expr:
    """An expression with others in the places of names, where `meaning` gives one."""
    class Replaced(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return meaning(name.id) or name

    return ast.fix_missing_locations(cast(ast.expr, Replaced().visit(copy.deepcopy(node))))


def unwritable(node: ast.AST) -> str:
    """What an operation reads that cannot be written: an object, or a container of a class, that holds values."""
    return next((one.id[1:] for one in ast.walk(node) if isinstance(one, ast.Name) and one.id.startswith("!")), "")


class Values:
    """Which object is which value; all of them are kept alive, so that an object stays what it is."""

    def __init__(self) -> None:
        self.count = 0
        self._places: dict[int, int] = {}
        self._kept: list[Any] = []

    def add(self, value: Any) -> int:
        """A new value. An object that was changed in place is a new one, too."""
        self.count += 1
        self.note(value, self.count - 1)
        return self.count - 1

    def note(self, value: Any, place: int) -> None:
        """An object that is this value."""
        self._kept.append(value)
        self._places[id(value)] = place

    def of(self, value: Any) -> int | None:
        """The value that an object is; None where it is none."""
        return self._places.get(id(value))

    def inside(self, value: Any, depth: int = 0) -> bool:
        """A container holds values."""
        kind = kind_of(value) if depth < DEEPEST else None
        return kind is not None and any(self.of(part) is not None or self.inside(part, depth + 1)
                                        for part in kind.parts(value).values())


class Constants:
    """What operations read that is no value: objects by the names that they have there. shown: what the user calls
    them."""

    def __init__(self) -> None:
        self.objects: dict[str, Any] = {}
        self.shown: dict[str, str] = {}
        self._names = Names(())
        self._known: dict[int, str] = {}
        self._kept: list[Any] = []

    def name(self, value: Any, text: str) -> str:
        """The name of an object, which the user calls `text`."""
        if getattr(builtins, text, None) is value:
            return text
        if id(value) not in self._known:
            base = text if text.isidentifier() and re.match("[bd]?v_?m?[0-9]|_", text) is None else "constant"
            self._known[id(value)] = name = self._names.new(base)
            self.objects[name], self.shown[name] = value, text
        return self._known[id(value)]

    def changes(self, value: Any) -> None:
        """An array is about to change: what was read of it, or of a view of it, is what it was."""
        if not isinstance(value, np.ndarray):
            return
        for key, name in list(self._known.items()):
            held = self.objects[name]
            if isinstance(held, np.ndarray) and np.may_share_memory(held, value):
                self.objects[name] = held.copy()
                self._kept.append(held)            # so that no other object has its id
                del self._known[key]


class Reading:
    """Expressions as they are read in a frame now. own: the values that its variables hold; holds: what was read is a
    value, or holds one; container: that was done through a container."""

    def __init__(self, own: Mapping[str, int | None], lookup: Lookup, values: Values, constants: Constants) -> None:
        self.own, self.lookup, self.values, self.constants = own, lookup, values, constants
        self.holds = self.container = False

    def expression(self, node: ast.expr) -> ast.expr:
        """An expression with values in the places of names."""
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            return self._part(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called = self._dotted(node.func) or ast.Attribute(self.expression(node.func.value), node.func.attr,
                                                              ast.Load())
            return ast.Call(called, [self.expression(one) for one in node.args],
                            [ast.keyword(one.arg, self.expression(one.value)) for one in node.keywords])
        if isinstance(node, (ast.Lambda, *COMPREHENSIONS)):
            return self._of_its_own(node)
        fields = {name: self._field(value) for name, value in ast.iter_fields(node)}
        return type(node)(**fields)

    def _field(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._field(one) for one in value]
        if isinstance(value, ast.keyword):
            return ast.keyword(value.arg, self.expression(value.value))
        return self.expression(value) if isinstance(value, ast.expr) else value

    def _of_its_own(self, node: ast.expr) -> ast.expr:
        """A lambda or comprehension, which has names of its own: it is left as it is, unless it reads values."""
        for name in sorted(names_in([node])):
            self._name(ast.Name(name, ast.Load()))
        return ast.Name(f"!{ast.unparse(node)}", ast.Load()) if self.holds else node

    def _name(self, node: ast.Name) -> ast.expr:
        place = self.own.get(node.id)
        if place is not None:
            self.holds = True
            return reference(place)
        try:
            value = self.lookup(node.id)
        except UnknownError:
            return node
        return self._object(value, node.id)

    def _part(self, node: ast.Subscript | ast.Attribute) -> ast.expr:
        """`x[i]`, `x.f`: of a container the object that is there, otherwise an operation."""
        if isinstance(node, ast.Attribute) and (dotted := self._dotted(node)) is not None:
            return dotted
        with suppress(UnknownError):
            base = evaluate(node.value, self.lookup)
            value = evaluate(node, self.lookup)
            if kind_of(base) is not None:
                return self._object(value, ast.unparse(node))
        inner = self.expression(node.value)
        if isinstance(node, ast.Attribute):
            return ast.Attribute(inner, node.attr, ast.Load())
        return ast.Subscript(inner, self.expression(node.slice), ast.Load())

    def _dotted(self, node: ast.Attribute) -> ast.expr | None:
        """`np.linalg.norm` as it is; None where it does not begin with a module."""
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        with suppress(UnknownError):
            module = evaluate(root, self.lookup) if isinstance(root, ast.Name) else None
            if isinstance(module, types.ModuleType) and isinstance(root, ast.Name):
                name = ast.Name(self.constants.name(module, root.id), ast.Load())
                return _rooted(node, name)
        return None

    def _object(self, value: Any, text: str) -> ast.expr:
        place = self.values.of(value)
        if place is not None:
            self.holds = self.container = True
            return reference(place)
        literal = _literal(value)
        if literal is not None:
            return literal
        if self.values.inside(value):
            self.holds = self.container = True
            return self._display(value, text)
        return ast.Name(self.constants.name(value, text), ast.Load())

    def _display(self, value: Any, text: str) -> ast.expr:
        """A container of values as it would be written."""
        if type(value) is list or type(value) is tuple:
            items = [self._object(one, f"{text}[{place}]") for place, one in enumerate(value)]
            return ast.List(items, ast.Load()) if type(value) is list else ast.Tuple(items, ast.Load())
        if type(value) is dict:
            return ast.Dict([self._object(key, f"key of {text}") for key in value],
                            [self._object(one, f"{text}[{key!r}]") for key, one in value.items()])
        return ast.Name(f"!{text}", ast.Load())


def _rooted(node: ast.expr, root: ast.expr) -> ast.expr:
    return ast.Attribute(_rooted(node.value, root), node.attr, ast.Load()) if isinstance(node, ast.Attribute) else root


def _literal(value: Any) -> ast.expr | None:
    """A number or a text as it is written; None for another object, and for what is written by a name (inf)."""
    if type(value) is tuple:
        items = [_literal(one) for one in value]
        return None if None in items else ast.Tuple([one for one in items if one is not None], ast.Load())
    plain = value is None or value is ... or type(value).__module__ == "builtins" and \
        isinstance(value, int | float | complex | str | bytes)
    if not plain or isinstance(value, float | complex) and not np.isfinite(value):
        return None
    if isinstance(value, int | float) and (value < 0 or math.copysign(1.0, value) < 0):
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)
