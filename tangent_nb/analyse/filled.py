"""Masks that functions return: exact zeros that the text of a function of the user fills in,
and which of its results carry no derivative.

Needs the text of the function in the core language, and a reader of those that it calls.
The answer is coarse, without the order of statements.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import gast

from ..rules.arithmetic import power_texts
from ..rules.cuts import asks_for_nan, first, infinite, unbounded
from ..syntax.blocks import statements, surroundings
from ..syntax.building import exchanged
from ..syntax.nodes import is_literal, literal, nodes_in, parameter_names, reads, root_name
from ..syntax.program import Captured
from .activity import Varied, bindings, varied_names
from .resolve import Operation, Scope

Read = Callable[[Any], "Captured | None"]


class Made(NamedTuple):
    """What a call gives. filled: the text may fill in zeros; constant: it carries no derivative; parts: the same of the
    items of it; wild: where its derivative may be infinite; asks: its text asks for NaN."""

    filled: bool
    constant: bool
    parts: Mapping[Any, Made] = {}
    wild: int = 0
    asks: bool = False


NOTHING = Made(False, False)
ZERO = gast.Constant(0.0, None)
COMPARISON = gast.Compare(ZERO, [gast.NotEq()], [ZERO])


def fills(node: gast.AST, scope: Scope) -> bool:
    """A comparison, or a call of what puts exact zeros beside what it is given."""
    if isinstance(node, gast.Compare):
        return True
    rule = scope.operation(node).rule if isinstance(node, gast.Call) else None
    return rule is not None and rule.zeros


def unbounded_in(operation: Operation) -> int:
    """Where an operation, or a partial of it, may be infinite: the sort of place that is met first."""
    rule = operation.rule
    if operation.kind != "rule" or rule is None:
        return 0
    literals = tuple(name for name, arg in operation.args.items() if is_literal(arg) and literal(arg, 0) != 0)
    exponent = operation.args.get("y") if rule.fn is pow or rule.fn is operator.pow else None
    if exponent is not None and is_literal(exponent) and isinstance(literal(exponent), (int, float)):
        text = power_texts(literal(exponent))
        return 0 if text is None else unbounded(rule, text, literals)
    return first([infinite(rule, literals),
                  *(unbounded(rule, choice.text, literals) for choices in rule.pull.values() for choice in choices)])


def stores_zero(stmt: Any, branched: bool) -> bool:
    """A part of an array is overwritten with 0, or a number is 0 in one of two branches."""
    return isinstance(stmt, gast.Assign) and is_literal(stmt.value) and literal(stmt.value) == 0 \
        and (branched or isinstance(stmt.targets[0], gast.Subscript))


def in_branches(body: list[gast.stmt]) -> set[int]:
    """The ids of the statements that stand in branches."""
    return {place for place, around in surroundings(body).items()
            if any(isinstance(stmt, gast.If) for stmt, _ in around)}


def made_by(captured: Captured, read: Read, known: dict[Any, Made]) -> Made:
    """What calls of a function give. read: the texts of the functions that it calls; known: what was found before."""
    found = known.get(captured.fn)
    if found is None:
        known[captured.fn] = NOTHING                       # for a function that calls itself
        found = known[captured.fn] = _Function(captured, read, known).made()
    return found


class _Function:
    def __init__(self, captured: Captured, read: Read, known: dict[Any, Made]) -> None:
        self.scope = scope = Scope.of(captured)
        calls = self._called(captured.tree, read, known)   # constants where none carries a derivative
        tree = exchanged(captured.tree, {
            place: COMPARISON if made.filled else ZERO for place, made in calls.items() if made.constant})
        self.calls = self._called(tree, read, known)
        self.body, branched = tree.body, in_branches(tree.body)
        self.bound: dict[str, list[gast.expr]] = {}
        for names, value in bindings(tree, scope):
            for name in names:
                self.bound.setdefault(name, []).append(value)
        self.varied = Varied(varied_names(tree, parameter_names(tree), scope), scope)
        self.filled = {root_name(stmt.targets[0])
                       for stmt in statements(tree.body) if stores_zero(stmt, id(stmt) in branched)}
        while new := {name for name, values in self.bound.items()
                      if name not in self.filled and any(map(self._fills, values))}:
            self.filled |= new

    def _called(self, tree: gast.AST, read: Read, known: dict[Any, Made]) -> dict[int, Made]:
        """What the calls of functions of the user give, by their ids."""
        calls = [(node, operation.fn) for node in nodes_in(tree) if isinstance(node, gast.Call)
                 and (operation := self.scope.operation(node)).kind == "function"]
        return {id(node): made_by(called, read, known) for node, fn in calls if (called := read(fn)) is not None}

    def _fills(self, value: gast.expr) -> bool:
        return not self.filled.isdisjoint(reads(value)) or any(
            fills(node, self.scope) or self.calls.get(id(node), NOTHING).filled for node in nodes_in(value))

    def made(self) -> Made:
        results = [self._made(stmt.value)
                   for stmt in statements(self.body) if isinstance(stmt, gast.Return) and stmt.value is not None]
        nodes = [node for stmt in self.body for node in nodes_in(stmt) if isinstance(node, (gast.BinOp, gast.Call))]
        calls, operations = [self.calls.get(id(node), NOTHING) for node in nodes], \
            [self.scope.operation(node) for node in nodes]
        return (_joined(results) if results else NOTHING)._replace(
            wild=first([*(one.wild for one in calls), *map(unbounded_in, operations)]),
            asks=any(one.asks for one in calls)
            or any(one.rule is not None and asks_for_nan(one.rule) for one in operations))

    def _made(self, value: gast.expr) -> Made:
        if isinstance(value, gast.Name) and len(self.bound.get(value.id, ())) == 1:
            value = self.bound[value.id][0]
        items = {key: self._made(item) for key, item in items_by_place(value)}
        return Made(self._fills(value), not self.varied.of(value), items)


def items_by_place(value: Any) -> Iterator[tuple[Any, gast.expr]]:
    """The items of a display, with their indices or keys."""
    if isinstance(value, (gast.Tuple, gast.List)):
        yield from enumerate(value.elts)
    elif isinstance(value, gast.Dict) and all(one is not None and is_literal(one) for one in value.keys):
        yield from zip(map(literal, value.keys), value.values)


def _joined(results: list[Made]) -> Made:
    """What holds wherever a function returns."""
    same = {frozenset(one.parts) for one in results}
    parts = {key: _joined([one.parts[key] for one in results]) for key in results[0].parts} if len(same) == 1 else {}
    return Made(any(one.filled for one in results), all(one.constant for one in results), parts)
