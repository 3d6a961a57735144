"""How deep numbers lie: 0 for a number or an array, 1 for a list of these, 2 for a list of pairs;
infinite where that is not known.

Needs the text of a function, and the depths of its arguments. Promises an upper bound for each expression, whatever
path is taken: the least fixpoint over all that a name is given.

    def f(y, k):                  # 0, 0
        pairs = [(k, 1.0)]        # 2
        for v in y:
            pairs.append((v, k))
        return max(pairs)         # 1
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import gast

from ...rules import may_fill, methods_named
from ...rules.breaking import by_key
from ...runtime.containers import depth_of
from ...syntax import spec as sp
from ...syntax.closure import Groups
from ...syntax.nodes import (
    body_without_docstring,
    given_by,
    nodes_in,
    nodes_of,
    parameter_names,
    reads,
    target_names,
    walk,
)
from ...syntax.program import MISSING, Captured
from ...syntax.spec import Spec
from ..activity import as_many
from ..arguments import defaults_of
from ..kinds import spec_of
from ..resolve import Operation, Scope
from .trees import as_read, augmented, computed, reached

Depths: TypeAlias = "tuple[tuple[str, float], ...]"        # by parameter
UNKNOWN = math.inf                                         # as in `depth_of`
DEEPEST = 8                                                # from here on it counts as unknown
LISTS = (gast.Add, gast.Mult, gast.BitOr, gast.BitAnd)     # what joins, repeats or merges containers


@dataclass(frozen=True)
class Binding:
    """What a name is given at one place, or grows by."""

    name: str
    value: Any
    depth: Callable[[], float]
    grows: bool = False


def depths_given(captured: Captured, bound: Mapping[str, gast.expr] | None, nesting: Nesting) -> Depths:
    """The depths of the arguments of a call, and of the defaults of those left out."""
    if bound is None:
        return ()
    defaults = {name: depth_of(value) for name, value in defaults_of(captured).items()}
    return tuple(sorted({**defaults, **{name: nesting.of(one) for name, one in bound.items()}}.items()))


class Nesting:
    """The depths in one function. given: those of its parameters;
    returned: that of what a function gives for such arguments."""

    def __init__(self, tree: gast.FunctionDef, given: Mapping[str, float], scope: Scope,
                 is_active: Callable[[Any], bool],
                 is_clean: Callable[[Any], bool], returned: Callable[[Any, gast.Call, Nesting], float]) -> None:
        self.scope, self.is_active, self.is_clean, self.returned = scope, is_active, is_clean, returned
        self.body = body_without_docstring(tree)
        bound = [*self._bindings()]
        self.depths: dict[str, float] = {**{one.name: 0 for one in bound},
                                         **{name: given.get(name, UNKNOWN) for name in parameter_names(tree)}}
        self.depths.update((name, UNKNOWN) for name in self._unseen())
        self._solve(bound)
        while others := {name for name in self._grown_elsewhere(bound, parameter_names(tree))
                         if self.depths[name] < UNKNOWN}:
            self.depths.update(dict.fromkeys(others, UNKNOWN))
            self._solve(bound)

    def _solve(self, bound: list[Binding]) -> None:
        changed = True
        while changed:
            changed = False
            for one in bound:
                found = one.depth()
                if found > self.depths[one.name]:
                    self.depths[one.name], changed = found if found < DEEPEST else UNKNOWN, True

    def _grown_elsewhere(self, bound: list[Binding], parameters: Iterable[str]) -> set[str]:
        """Names of what grows by another name, or in a call: numbers that are appended make nothing deeper."""
        deep = {name for name, depth in self.depths.items() if depth > 0}
        same = Groups([*(({one.name} | reads(one.value)) & deep for one in bound), set(parameters) & deep]).members()
        found = {name for stmt in reached(self.body) for node in nodes_in(stmt)
                 if isinstance(node, gast.Call) and self._may_grow(node) for name in reads(node) & deep}
        grown = {one.name for one in bound if one.grows and self.of(one.value) > 0}
        return found.union(*(same.get(name, set()) - {name} for name in grown))

    def _may_grow(self, node: gast.Call) -> bool:
        """A call of a function of the user that may change what it is given."""
        operation = self.scope.operation(node)
        return operation.kind == "dynamic" or operation.kind == "function" and not self.is_clean(operation.fn)

    def of(self, node: Any) -> float:
        """The depth of an expression."""
        if isinstance(node, gast.Name) and node.id in self.depths:
            return self.depths[node.id]
        if isinstance(node, (gast.Name, gast.Attribute)) and (value := self.scope.value(node)) is not MISSING:
            return depth_of(value)
        if isinstance(node, (gast.Tuple, gast.List, gast.Set, gast.Dict)):
            return 1 + max(map(self._part, given_by(node)), default=0)
        if isinstance(node, (gast.ListComp, gast.GeneratorExp, gast.SetComp)):
            return 1 + self.of(node.elt)
        if isinstance(node, (gast.Constant, gast.UnaryOp, gast.Compare, gast.JoinedStr)):
            return 0
        if isinstance(node, (gast.IfExp, gast.BoolOp)):
            return max(map(self.of, given_by(node)))
        if isinstance(node, gast.Subscript):
            return self.of(node.value) if isinstance(node.slice, gast.Slice) else _item(self.of(node.value))
        if isinstance(node, gast.Attribute):
            return _item(self.of(node.value))
        if isinstance(node, gast.BinOp):
            return self._computed(node)
        return self._called(node) if isinstance(node, gast.Call) else UNKNOWN

    def result(self) -> float:
        """The depth of what the function returns."""
        return max((self.of(stmt.value) for stmt in reached(self.body) if isinstance(stmt, gast.Return)),
                   default=UNKNOWN)

    def _part(self, node: Any) -> float:
        return _item(self.of(node.value)) if isinstance(node, gast.Starred) else self.of(node)

    def _computed(self, node: gast.BinOp) -> float:
        """Lists may be added, and multiplied by an int; what has a number or an array in it otherwise, is one."""
        depths = [self.of(node.left), self.of(node.right)]
        if not isinstance(node.op, LISTS) or isinstance(node.op, gast.Add) and min(depths) == 0:
            return 0
        floats = isinstance(node.op, gast.Mult) and any(
            depth == 0 and self.is_active(one) for depth, one in zip(depths, (node.left, node.right), strict=True))
        return 0 if floats else max(depths)

    def _called(self, node: gast.Call) -> float:
        operation, fn = self.scope.operation(node), self.scope.value(node.func)
        name, row = self.scope.builtin(node), self.scope.effects(node)
        if row.passes_first:                               # the same items
            return max([1, *map(self.of, node.args)])
        if fn is zip or fn is enumerate:
            return 1 + max([1, *map(self._part, node.args)])
        if name == "range":
            return 1
        if operation.kind == "function":
            return self.returned(operation.fn, node, self)
        if operation.kind != "rule" or operation.rule is None:
            return UNKNOWN
        if operation.rule.breaks is by_key:
            return self._chosen(name, operation)
        if name == "sum":
            return max(_item(self.of(operation.args["x"])),
                       self.of(operation.args["start"]) if "start" in operation.args else 0)
        return self._of_row(node, operation)

    def _chosen(self, name: str, operation: Operation) -> float:
        """What max, min or sorted gives."""
        args = operation.args
        if "y" in args:
            return 0 if self.compares_numbers(operation) else max(self.of(args["x"]), self.of(args["y"]))
        return max(self.of(args["x"]), 1) if name == "sorted" else _item(self.of(args["x"]))

    def _of_row(self, node: gast.Call, operation: Operation) -> float:
        """Numbers and arrays, where the row says so of such arguments, or tuples and lists of them."""
        known = {name: Spec("numeric") if depth == 0 else sp.UNKNOWN for name, depth in self.depths.items()}
        spec = spec_of(node, known, self.scope)
        if spec.is_number:
            return 0
        if spec.kind in ("tuple", "list") and spec.items is not None:
            return 1 if all(one.is_number for one in spec.items) else UNKNOWN
        rule = operation.rule
        assert rule is not None
        if rule.diagonal and all(self.of(one) == 0 for one in operation.args.values()):
            return 0
        return 1 if rule.name.startswith(("np.", "scipy.")) and not rule.name.endswith(".tolist") else UNKNOWN

    def compares_numbers(self, operation: Operation) -> bool:
        """A call of max, min or sorted goes over numbers: Python compares these with nothing but numbers."""
        args = operation.args
        return min(self.of(args["x"]), self.of(args["y"])) == 0 if "y" in args else self.of(args["x"]) <= 1

    def _bindings(self) -> Iterator[Binding]:
        """All that names are given."""
        for stmt in reached(self.body):
            if isinstance(stmt, gast.Assign):
                for target in stmt.targets:
                    yield from self._bound(target, stmt.value)
            elif isinstance(stmt, gast.AugAssign):
                yield from self._bound(stmt.target, augmented(stmt))
            elif isinstance(stmt, gast.For):
                yield from self._bound(stmt.target, stmt.iter, 1)
            for node in (node for one in computed(stmt) for node in nodes_in(one)):
                if isinstance(node, gast.comprehension):
                    yield from self._bound(node.target, node.iter, 1)
                elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
                        and may_fill(node.func.attr) and node.args:
                    whole = any(row.fills and row.holds for row in methods_named(node.func.attr))
                    yield from self._stored(node.func.value, node.args[-1], 1 if whole else 0)

    def _bound(self, target: Any, value: Any, inside: int = 0) -> Iterator[Binding]:
        """The names in a target, which are given a value, or what is so deep inside of it."""
        if isinstance(target, (gast.Tuple, gast.List)):
            paired = not inside and as_many(value, target.elts)
            for place, one in enumerate(target.elts):
                if paired:
                    yield from self._bound(one, value.elts[place])
                elif isinstance(one, gast.Starred):
                    yield from self._bound(one.value, value, inside)
                else:
                    yield from self._bound(one, value, inside + 1)
        elif isinstance(target, gast.Name):
            yield Binding(target.id, value, lambda: max(self.of(value) - inside, 0))
        else:
            yield from self._stored(target.value, value, 1 - inside)

    def _stored(self, base: Any, value: Any, around: int) -> Iterator[Binding]:
        """What a list or a dict is given to hold; an array has no place for lists."""
        held = base
        while isinstance(held, (gast.Subscript, gast.Attribute)):
            held, around = held.value, around + 1
        if isinstance(held, gast.Name):
            read = as_read(held)
            yield Binding(held.id, value, lambda: self.of(value) + around if self.of(read) > 0 else 0, grows=True)
        else:
            for name in sorted(reads(held)):
                yield Binding(name, value, lambda: UNKNOWN if self.of(value) > 0 else 0)

    def _unseen(self) -> Iterator[str]:
        """Names that are bound by what is not gone into."""
        for stmt in self.body:
            for node in walk(stmt):
                if isinstance(node, gast.With):
                    yield from (name for item in node.items if item.optional_vars is not None
                                for name in target_names(item.optional_vars))
                elif isinstance(node, (gast.FunctionDef, gast.Lambda)):
                    yield from (one.id for one in nodes_of(node.args, gast.Name)
                                if not isinstance(one.ctx, gast.Load))


def _item(depth: float) -> float:
    return max(depth - 1, 0)
