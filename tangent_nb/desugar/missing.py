"""Attributes and items from outside that may be missing: whether they are there is a variable too.

Needs a text in the core language, and a path that becomes a variable (`stored_outside.py`). Promises that what asks
whether there is such an attribute, or item, asks a variable, and that what reads it raises what Python does where it is
not there.

    if not hasattr(self, "s"):         self_s_there = rt.is_there(self, 's')
        self.s = 0.0                   if self_s_there:
    self.s = self.s + x         →          self_s = self.s
                                       if not self_s_there:
                                           self_s = 0.0
                                           self_s_there = True
                                       self_s = self_s + x
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from ..analyse.resolve import Scope
from ..syntax.blocks import blocks, own_expressions
from ..syntax.building import clone, exchanged, library, load
from ..syntax.nodes import children, nodes_of, walk, writes
from ..syntax.paths import asked, is_entry, path_of
from .scopes import COMPREHENSIONS


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


class Reads:
    """Writes what raises where the variable of a path is read, and stands for nothing. name, there: the variable, and
    that which says whether it does; place: the arguments of ours that say where it is from; how: the rest of them."""

    def __init__(self, name: str, there: str, place: Mapping[str, Any], how: str) -> None:
        self.name, self.there, self.place, self.how = name, there, place, how

    def check(self, body: list[gast.stmt], known: bool = False) -> bool:
        """In a block; whether it stands for something behind it. known: or in front of it."""
        for stmt in list(body):
            compound = next(iter(blocks(stmt)), None) is not None
            if not known:
                known = self._check(body, stmt, own_expressions(stmt) if compound else children(stmt))
            if isinstance(stmt, gast.If):
                ends = [self.check(block, known or self._says(stmt.test, yes)) or _leaves(block)
                        for block, yes in ((stmt.body, True), (stmt.orelse, False))]
                known = known or all(ends) or ends[0] and self._says(stmt.test, False)
            else:
                for block in blocks(stmt):
                    self.check(block, known)
            known = known or not compound and self.name in writes([stmt])
        return known

    def _check(self, body: list[gast.stmt], stmt: Any, parts: list[Any]) -> bool:
        """In front of a statement where it surely reads the variable; in its expressions where it perhaps does."""
        found = [one for part in parts for one in self._reads(part, isinstance(stmt, gast.AugAssign))]
        if any(sure for _, sure in found):
            check: Any = gast.copy_location(gast.Expr(library(
                f"rt.check_there(x, name, there{self.how})", there=load(self.there), **clone(self.place))), stmt)
            check.origin = stmt.origin
            body.insert(next(i for i, one in enumerate(body) if one is stmt), check)
            return True
        made = {id(node): gast.copy_location(gast.IfExp(load(self.there), node, library(
            f"rt.missing(x, name{self.how})", **clone(self.place))), node) for node, _ in found}
        for field, value in stmt.__dict__.items() if made else ():
            if isinstance(value, gast.expr) or isinstance(value, list) and value and isinstance(value[0], gast.expr):
                setattr(stmt, field, exchanged(value, made))
        return False

    def _reads(self, node: Any, changed: bool = False, sure: bool = True) -> Iterator[tuple[Any, bool]]:
        """Where an expression reads the variable, and whether it surely does. changed: a target is read too."""
        if isinstance(node, gast.Name):
            if node.id == self.name and (changed or isinstance(node.ctx, gast.Load)):
                yield node, sure
        elif isinstance(node, gast.IfExp):
            yield from self._reads(node.test, False, sure)
            for one, yes in ((node.body, True), (node.orelse, False)):
                yield from () if self._says(node.test, yes) else self._reads(one, False, False)
        elif isinstance(node, gast.BoolOp):
            for i, one in enumerate(node.values):
                if not any(self._says(before, isinstance(node.op, gast.And)) for before in node.values[:i]):
                    yield from self._reads(one, False, sure and i == 0)
        else:
            sure = sure and not isinstance(node, COMPREHENSIONS)
            for one in children(node):
                yield from self._reads(one, False, sure)

    def _says(self, test: Any, yes: bool) -> bool:
        """It stands for something where a condition holds, or does not."""
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            return self._says(test.operand, not yes)
        if isinstance(test, gast.BoolOp):
            return isinstance(test.op, gast.And) is yes and any(self._says(one, yes) for one in test.values)
        return yes and isinstance(test, gast.Name) and test.id == self.there


def _leaves(block: list[gast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], (gast.Return, gast.Raise, gast.Break, gast.Continue))
