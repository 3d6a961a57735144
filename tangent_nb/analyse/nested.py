"""Nested lists: where in what a name stands for there may be a list, or a tuple, that the text writes out.

Needs a body of the core language, and what names mean. Promises for each name the depths at which one may stand, as the
bits of an integer: the first bit says it of the value itself, the second of its items, and so on. What comes from
outside is not looked into, and where the text makes arrays of lists, there are none. Flow does not matter.

    points = [[x, 1.0]]      0b11: a list, of lists        for p in points: p is 0b1, a list
    layers = {"a": [w, b]}   0b10: its items may be lists  w, b = layers["a"]: 0, not known to be lists
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gast

from ..rules import may_fill, methods_named
from ..rules.row import ARRAYS
from ..syntax.blocks import statements
from ..syntax.nodes import nodes_of, root_name
from ..syntax.program import MISSING, Captured
from .activity import as_many, dict_view, gone_over
from .resolve import Scope

DEEPEST = 0xff                                             # what holds itself has no end
ITSELF, PAIRS = 0b1, 0b11


class Nested:
    """The depths of all names of one text. text: of a function that is called; active: a value carries a derivative,
    or may, and only then is a function read for what it gives; outside: the parameters that may hold lists at any
    depth."""

    def __init__(self, body: Sequence[gast.stmt], scope: Scope, text: Callable[[Any], Captured | None],
                 active: Callable[[gast.expr], bool], outside: Iterable[str] = (),
                 given: dict[Any, int] | None = None) -> None:
        self.scope, self.text, self.active = scope, text, active
        self.names = dict.fromkeys(outside, DEEPEST)
        self.given: dict[Any, int] = {} if given is None else given        # by functions, each read once
        before = None
        while before != self.names:
            before = dict(self.names)
            for stmt in statements(body):
                self._statement(stmt)

    def of(self, node: Any) -> int:
        """The depths at which a list may stand in the value of an expression."""
        if isinstance(node, gast.Name):
            return self.names.get(node.id, 0)
        if isinstance(node, (gast.List, gast.Tuple)):
            return ITSELF | self._any(node.elts) << 1
        if isinstance(node, gast.Dict):
            return self._any(node.values) << 1
        if isinstance(node, gast.IfExp):
            return self._any((node.body, node.orelse))
        if isinstance(node, gast.BoolOp):
            return self._any(node.values)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)):
            return self._any((node.left, node.right))
        if isinstance(node, gast.Subscript):
            return self.of(node.value) >> (not isinstance(node.slice, gast.Slice))
        if isinstance(node, gast.Attribute):
            return self.of(node.value) >> 1
        return self._call(node) if isinstance(node, gast.Call) else 0

    def holds(self, name: str, depths: int) -> None:
        """A name may stand for this too."""
        if depths:
            self.names[name] = (self.names.get(name, 0) | depths) & DEEPEST

    def _any(self, nodes: Iterable[Any]) -> int:
        found = 0
        for node in nodes:
            found |= self.of(node)
        return found

    def _call(self, node: gast.Call) -> int:
        operation = self.scope.operation(node)
        if operation.rule is not None and operation.rule.name.startswith(ARRAYS):
            return 0
        if operation.kind == "function":
            return self._returned(operation.fn) if self.active(node) else 0
        method = isinstance(node.func, gast.Attribute) and self.scope.value(node.func) is MISSING
        rows = methods_named(node.func.attr) if method else [self.scope.effects(node)]
        held = self.of(node.func.value) if method else self._any(node.args)
        if dict_view(node) == "items":
            return PAIRS | held >> 1 << 2
        if any(row.copies for row in rows):
            return ITSELF | held
        return held >> 1 if any(row.gives == "item" for row in rows) else held if dict_view(node) else 0

    def _returned(self, fn: Any) -> int:
        if fn not in self.given:
            self.given[fn] = 0                             # of its calls of itself
            if (called := self.text(fn)) is not None:
                inside = Nested(called.tree.body, Scope.of(called), self.text, lambda node: True, (), self.given)
                self.given[fn] = inside._any([one.value for one in nodes_of(called.tree.body, gast.Return)])
        return self.given[fn]

    def _statement(self, stmt: Any) -> None:
        if isinstance(stmt, gast.Assign):
            for target in stmt.targets:
                self._bind(target, stmt.value)
        elif isinstance(stmt, gast.AugAssign):
            self._store(stmt.target, self.of(stmt.value) if isinstance(stmt.op, gast.Add) else 0)
        elif isinstance(stmt, gast.For):
            for target, source, item in gone_over(stmt.target, stmt.iter, self.scope):
                self._store(target, self.of(source) >> 1 if item else ITSELF | self.of(source) >> 1 << 1)
        elif isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) \
                and isinstance(stmt.value.func, gast.Attribute) and may_fill(stmt.value.func.attr):
            held = self._any(stmt.value.args)
            self._store(stmt.value.func.value, held << 1 | held)

    def _bind(self, target: Any, value: Any) -> None:
        if isinstance(target, (gast.Tuple, gast.List)) and as_many(value, target.elts):
            for one, item in zip(target.elts, value.elts, strict=True):
                self._bind(one, item)
        else:
            self._store(target, self.of(value))

    def _store(self, target: Any, depths: int) -> None:
        if isinstance(target, (gast.Tuple, gast.List)):
            for one in target.elts:
                self._store(one, depths >> 1)
        elif isinstance(target, gast.Subscript):
            self._store(target.value, depths << (not isinstance(target.slice, gast.Slice)))
        elif (name := root_name(target)) is not None:
            self.holds(name, depths)
