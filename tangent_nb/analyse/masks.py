"""Masks: what feeds nothing but one side of an `np.where` gets exactly no derivative where the other side is selected.

Needs a normal form in which the operations inside of a `np.where` carry a `Mask`. Promises the same mark on operations whose
results are read by such operations, and by that side of the `np.where`, alone; all in one block, under names bound once. Behind
an operation that is not elementwise an element has no one place in the condition: it counts there whether any place holds.

    y = np.log(x)                                  y = np.log(x)                    # Mask(condition, True)
    condition = x > 0.0                     →      condition = x > 0.0
    z = np.where(condition, y, 0.0)                z = np.where(condition, y, 0.0)
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import gast
import numpy as np

from ..rules import Rule
from ..syntax.nodes import assign, blocks, load, mark, origin_of, statements, substitute_node, target_names, walk
from .flow import statement_access
from .resolve import Scope


class Mask(NamedTuple):
    """The side of a condition that a value is for. whole: not element by element, but if any element is on that side."""

    condition: gast.expr
    side: bool
    whole: bool = False

    def under(self, rule: Rule | None) -> Mask:
        """The mask of the operands of an operation that has this one."""
        return self if rule is not None and rule.diagonal else self._replace(whole=True)


def spread_masks(body: list[gast.stmt], scope: Scope, temporary: Callable[[str], str]) -> None:
    """Mark what only masked operations read. temporary: makes a new variable, for a condition that has to be kept."""
    for stmt, block in _wheres(body, scope):
        _Spread(body, scope).keep(stmt, block, temporary)
    spread = _Spread(body, scope)
    for stmt in statements(body):
        mask = getattr(stmt, "mask", None)
        if mask is not None:
            stmt.mask = spread.resolved(mask)
    spread.block(body)


def _wheres(block: list[gast.stmt], scope: Scope) -> Iterator[tuple[gast.Assign, list[gast.stmt]]]:
    """Each `np.where` that has a variable for a condition, and its block."""
    for stmt in list(block):
        if isinstance(stmt, gast.Assign):
            operation = scope.operation(stmt.value)
            if operation.rule is not None and operation.rule.fn is np.where and isinstance(operation.args.get("condition"), gast.Name):
                yield stmt, block
        for inner in blocks(stmt):
            yield from _wheres(inner, scope)


class _Spread:
    def __init__(self, body: Sequence[gast.stmt], scope: Scope) -> None:
        self.scope = scope
        self.bound: Counter[str] = Counter()
        self.binders: dict[str, list[gast.stmt]] = {}
        self.updated: set[str] = set()
        self.definition: dict[str, gast.expr] = {}
        self.reads: dict[str, list[tuple[gast.stmt, int]]] = {}       # who reads a name, and how many times
        for stmt in statements(body):
            part = stmt
            if isinstance(stmt, gast.For):
                part = stmt.iter
                self._bind(stmt, target_names(stmt.target) * 2)       # bound again in each iteration, elsewhere than in the block
            elif isinstance(stmt, (gast.If, gast.While)):
                part = stmt.test
            else:
                one = statement_access(stmt)
                self._bind(stmt, [*one.define, *one.update])
                self.updated |= one.update
                if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name):
                    self.definition[stmt.targets[0].id] = stmt.value
            loads = Counter(n.id for n in walk(part) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load))
            for name, count in loads.items():
                self.reads.setdefault(name, []).append((stmt, count))

    def _bind(self, stmt: gast.stmt, names: Sequence[str]) -> None:
        self.bound.update(names)
        for name in names:
            self.binders.setdefault(name, []).append(stmt)

    def block(self, block: Sequence[gast.stmt]) -> None:
        for i, stmt in reversed(list(enumerate(block))):
            name = stmt.targets[0].id if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) else ""
            if name and self.bound[name] == 1 and not hasattr(stmt, "mask"):
                mask = self._common(name, {id(stmt) for stmt in block})
                if mask is not None and self.steady(mask.condition.id, block, i):
                    stmt.mask = mask
            for inner in blocks(stmt):
                self.block(inner)

    def steady(self, name: str, block: Sequence[gast.stmt], at: int) -> bool:
        """While statement `at` of a block is reversed the name has the value that it has below it."""
        place = {id(inner): i for i, stmt in enumerate(block) for inner in statements([stmt])}
        binders = [stmt for stmt in self.binders.get(name, ()) if id(stmt) in place]
        if not binders:
            return True
        if self.bound[name] != 1 or binders[0] is not block[place[id(binders[0])]]:
            return False
        defined = place[id(binders[0])]
        return defined < at or all(place.get(id(stmt), -1) > defined for stmt, _ in self.reads.get(name, ()))

    def keep(self, where: gast.Assign, block: list[gast.stmt], temporary: Callable[[str], str]) -> None:
        """Give an `np.where` a condition of its own if a mask would need one: it is bound again before the mask is reversed."""
        args = self.scope.operation(where.value).args
        condition = args["condition"]
        for name in (args[side].id for side in ("x", "y") if isinstance(args.get(side), gast.Name)):
            binders = [stmt for stmt in self.binders.get(name, ()) if stmt in block]
            if self.bound[name] == 1 and binders and not self.steady(condition.id, block, block.index(binders[0])) \
                    and condition.id not in self.updated:
                new = temporary("condition")
                block.insert(block.index(where), mark(assign(new, load(condition.id)), origin=origin_of(where), role="forward"))
                where.value = substitute_node(where.value, condition, load(new))
                return

    def _common(self, name: str, here: set[int]) -> Mask | None:
        """The one mask under which every read of a name stands."""
        found: dict[tuple[str, bool], Mask] = {}
        for stmt, count in self.reads.get(name, ()):
            mask = self._mask_of(stmt, name, count) if id(stmt) in here else None
            if mask is None:
                return None
            key = mask.condition.id, mask.side
            found[key] = mask._replace(whole=mask.whole or key in found and found[key].whole)
        return found.popitem()[1] if len(found) == 1 else None

    def _mask_of(self, stmt: gast.stmt, name: str, count: int) -> Mask | None:
        """The mask under which a statement reads a name."""
        if not isinstance(stmt, gast.Assign):
            return None
        operation = self.scope.operation(stmt.value)
        rule = operation.rule
        marked: Mask | None = getattr(stmt, "mask", None)
        if marked is not None and isinstance(marked.condition, gast.Name):
            return marked.under(rule)
        condition = operation.args.get("condition")
        if count != 1 or operation.kind != "rule" or rule is None or not isinstance(condition, gast.Name) or condition.id == name:
            return None
        if rule.name == "np.where":
            for side, parameter in ((True, "x"), (False, "y")):
                arg = operation.args.get(parameter)
                if isinstance(arg, gast.Name) and arg.id == name:
                    return self.resolved(Mask(condition, side))
        return self.resolved(Mask(condition, True)) if rule.name == "rt.mask" else None

    def resolved(self, mask: Mask) -> Mask:
        """The mask in terms of the condition that its own is the negation of, or the `np.any`: those that derivatives make."""
        name = mask.condition.id if isinstance(mask.condition, gast.Name) else ""
        if self.bound[name] != 1 or name not in self.definition:
            return mask
        operation = self.scope.operation(self.definition[name])
        function = operation.rule.fn if operation.rule is not None else None
        inner = next(iter(operation.args.values()), None) if function in (np.any, np.logical_not) else None
        if not isinstance(inner, gast.Name) or self.bound[inner.id] != 1 or len(operation.args) != 1:
            return mask
        if function is np.logical_not:
            return self.resolved(mask._replace(condition=inner, side=not mask.side))
        return self.resolved(mask._replace(condition=inner, whole=True)) if mask.side else mask
