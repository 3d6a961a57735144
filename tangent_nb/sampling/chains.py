"""Where a sampled cotangent goes: it may meet no other sample, and nothing that is not linear in it.

A sample that meets another one on the way from a weight to the loss makes a variance that grows exponentially with the
length of the way (D. Oktay et al., "Randomized Automatic Differentiation", section 3.3), and what is not linear in it
has another mean. Names of cotangents are followed through the backward sweeps of all functions, without their order.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from ..analyse.flow import mutation
from ..analyse.objects import is_shape
from ..analyse.resolve import Scope
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.nodes import reads, root_name, target_names, walk
from .sweeps import Key, Sweeps
from .uses import Use, is_linear, outlines

Place = tuple[int, Key]                                    # a saved value, in which of the functions
INSERTED = "insert_grad_of changes the gradient there as it likes"
UNKNOWN = "what becomes of the gradient behind it is not known to be linear"


@dataclass
class Reached:
    """What the samples of one value come to: other products with saved values, and why they may not go on."""

    places: set[Place] = field(default_factory=set)
    failed: tuple[str, Any] | None = None


class Chains:
    """sites: the products with saved values, by value."""

    def __init__(self, texts: Sequence[Sweeps], sites: Mapping[Place, Sequence[Use]]) -> None:
        self.texts, self.sites = texts, sites
        self.by_back = {text.back: i for i, text in enumerate(texts) if text.halves}
        self.backward = [[stmt for stmt in statements(text.backward) if stmt is not text.taken] for text in texts]
        self.reading: list[dict[str, list[Any]]] = []
        self.calls: dict[int, list[tuple[int, Any]]] = {}  # of each backward function: where it is called
        for i, body in enumerate(self.backward):
            table: dict[str, list[Any]] = {}
            for stmt in body:
                for name in reads(own_expressions(stmt) if is_compound(stmt) else stmt) | _stored_in(stmt):
                    table.setdefault(name, []).append(stmt)
                if (callee := self._callee(stmt)) is not None:
                    self.calls.setdefault(callee, []).append((i, stmt))
            self.reading.append(table)

    def _callee(self, stmt: Any) -> int | None:
        value = getattr(stmt, "value", None)
        name = value.func.id if isinstance(value, gast.Call) and isinstance(value.func, gast.Name) else ""
        return self.by_back.get(name)

    def reached(self, place: Place) -> Reached:
        """Where the samples of a value go."""
        found, index = Reached(), place[0]
        self.tainted: list[set[str]] = [set() for _ in self.texts]
        self.todo: list[tuple[int, str]] = []
        products = {id(use.product) for use in self.sites[place]}
        for use in self.sites[place]:
            self._through(found, index, use.stmt, products)
        while self.todo:
            i, name = self.todo.pop()
            for stmt in self.reading[i].get(name, ()):
                self._through(found, i, stmt, products)
                if found.failed is not None:
                    return found
        return found

    def _through(self, found: Reached, i: int, stmt: Any, products: set[int]) -> None:
        """A statement reads what is sampled."""
        text, tainted = self.texts[i], self.tainted[i]
        if is_compound(stmt):
            if any(name in tainted for part in own_expressions(stmt) for name in reads(part)):
                found.failed = found.failed or (UNKNOWN, stmt)
            return
        if getattr(stmt, "role", "") == "inserted" and reads(stmt) & tainted:
            found.failed = found.failed or (INSERTED, stmt)
            return
        for other, uses in self.sites.items():
            if other[0] == i and any(use.stmt is stmt and _reads(use.product, tainted, products, use.node)
                                     for use in uses):
                found.places.add(other)
        callee = self._callee(stmt)
        if callee is not None:
            self._into(found, i, stmt, callee)
        elif not statement_is_linear(stmt, tainted, products, text.scope):
            found.failed = found.failed or (UNKNOWN, stmt)
        elif isinstance(stmt, gast.Return):
            self._back(found, i, stmt, products)
        else:
            self._taint(i, _bound(stmt))

    def _taint(self, i: int, names: Sequence[str]) -> None:
        for name in names:
            if name not in self.tainted[i]:
                self.tainted[i].add(name)
                self.todo.append((i, name))

    def _into(self, found: Reached, i: int, stmt: Any, callee: int) -> None:
        """A sampled cotangent is given to a function that goes backward."""
        if any(name in self.tainted[i] for name in reads(stmt.value.args[:1])):
            found.failed = found.failed or (UNKNOWN, stmt)
        self._taint(callee, self.texts[callee].seeds)

    def _back(self, found: Reached, i: int, stmt: Any, products: set[int]) -> None:
        """What a function that goes backward returns: the places of what is sampled."""
        value: Any = stmt.value
        elts = value.elts if isinstance(value, gast.Tuple) else [value]
        sampled = [n for n, elt in enumerate(elts) if _reads(elt, self.tainted[i], products, None)]
        for j, call in self.calls.get(i, ()):
            self._given(j, call, sampled)

    def _given(self, i: int, call: Any, sampled: Sequence[int]) -> None:
        target: Any = call.targets[0]
        elts = target.elts if isinstance(target, gast.Tuple) else [target]
        self._taint(i, [name for n in sampled if n < len(elts) for name in target_names(elts[n])])


def chosen(edges: Mapping[Place, set[Place]]) -> tuple[set[Place], dict[Place, Place]]:
    """The values to sample, so that no sample meets another: those nearest to the weights; and of the others the one
    that each would meet."""
    whole = {place: _closed(place, edges) for place in edges}
    left = {place: place for place in edges if place in whole[place]}
    kept: set[Place] = set()
    for place in sorted((one for one in edges if one not in left), key=lambda one: len(whole[one])):
        met = [one for one in whole[place] if one in kept]
        if met:
            left[place] = min(met, key=str)
        else:
            kept.add(place)
    return kept, left


def _closed(place: Place, edges: Mapping[Place, set[Place]]) -> set[Place]:
    found: set[Place] = set()
    todo = [place]
    while todo:
        for one in edges.get(todo.pop(), ()):
            if one not in found:
                found.add(one)
                todo.append(one)
    return found


def _reads(node: Any, tainted: set[str], products: set[int], operand: Any) -> bool:
    """An expression reads something sampled. operand: the name that a product is asked for itself."""
    return any(one is not operand and (isinstance(one, gast.Name) and one.id in tainted
                                       or id(one) in products and one is not node) for one in walk(node)) \
        or operand is None and id(node) in products


def _stored_in(stmt: Any) -> set[str]:
    if isinstance(stmt, gast.AugAssign):
        return {name} if (name := root_name(stmt.target)) else set()
    return set()


def _bound(stmt: Any) -> list[str]:
    targets = getattr(stmt, "targets", [stmt.target] if isinstance(stmt, gast.AugAssign) else [])
    names = [name for target in targets for name in target_names(target) or filter(None, [root_name(target)])]
    changed = mutation(stmt)
    if changed is not None:
        names.append(changed[1])
    return names


def statement_is_linear(stmt: Any, tainted: set[str], products: set[int], scope: Scope) -> bool:
    """A statement is affine in what is sampled, in names and in products."""
    def linear(node: Any) -> bool:
        return _is_linear(node, tainted, products, scope)

    def is_read(node: Any) -> bool:
        return _reads(node, tainted, products, None)

    if isinstance(stmt, gast.Return):
        return linear(stmt.value)
    if isinstance(stmt, gast.Assign):
        return linear(stmt.value) and not any(
            is_read(one.slice) for target in stmt.targets for one in walk(target) if isinstance(one, gast.Subscript))
    if isinstance(stmt, gast.AugAssign):
        both = gast.BinOp(stmt.target, stmt.op, stmt.value)
        return linear(both) and not (isinstance(stmt.target, gast.Subscript) and is_read(stmt.target.slice))
    changed = mutation(stmt)
    if isinstance(stmt, gast.Expr) and changed is not None:                    # L.append(v), rt.add_at(b, i, v)
        if changed[0] == "pop":                            # L.pop(), whose item nobody takes
            return True
        *before, value = stmt.value.args
        return linear(value) and not any(map(is_read, before[1:]))
    return False


def expression_is_linear(node: Any, tainted: set[str], scope: Scope) -> bool:
    """An expression is affine in what is sampled, in names."""
    return _is_linear(node, tainted, set(), scope)


def _is_linear(node: Any, tainted: set[str], products: set[int], scope: Scope) -> bool:
    """An expression is affine in all that is sampled in it. A product with a sample is, in that."""
    if not _reads(node, tainted, products, None) or isinstance(node, gast.Name):
        return True
    if isinstance(node, gast.Attribute) and is_shape(node.attr):
        return True
    if isinstance(node, (gast.Tuple, gast.List)):
        return all(_is_linear(one, tainted, products, scope) for one in node.elts)
    operation = scope.operation(node)
    if operation.kind != "rule":
        return False
    shapes = {id(arg) for arg in outlines(node, operation, scope)}
    sampled = [name for name, arg in operation.args.items()
               if id(arg) not in shapes and _reads(arg, tainted, products, None)]
    return (not sampled or is_linear(operation, sampled)) \
        and all(_is_linear(operation.args[name], tainted, products, scope) for name in sampled)

