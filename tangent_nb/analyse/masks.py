"""Masks: what feeds nothing but one side of an `np.where` gets exactly no derivative where the other side is selected.

Needs a normal form in which the operations inside of an `np.where` carry a `Mask`. Promises the same mark on operations
whose results are read by such operations, and by that side of the `np.where`, alone; all in one block, under names
bound once. Behind an operation that is not elementwise an element has no one place in the condition: it counts there
whether any place holds.

    y = np.log(x)                                  y = np.log(x)                    # Mask(condition, True)
    condition = x > 0.0                     →      condition = x > 0.0
    z = np.where(condition, y, 0.0)                z = np.where(condition, y, 0.0)
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import gast
import numpy as np

from ..rules import Rule
from ..syntax.blocks import blocks, is_compound, own_expressions, own_targets, statements
from ..syntax.building import assign, exchanged, load, mark, origin_of
from ..syntax.nodes import key, nodes_of, reads
from .effects import is_pure
from .flow import bound_in, memory_changed, mutation, statement_access
from .resolve import Scope


class Mask(NamedTuple):
    """The side of a condition that a value is for. whole: not element by element,
    but if any element is on that side."""

    condition: gast.expr
    side: bool
    whole: bool = False

    @property
    def key(self) -> tuple[Any, bool]:
        """Which condition, which side."""
        return key(self.condition), self.side

    def under(self, rule: Rule | None) -> Mask:
        """The mask of the operands of an operation that has this one."""
        return self if rule is not None and (rule.diagonal or rule.name == "rt.mask") else self._replace(whole=True)


def spread_masks(body: list[gast.stmt], scope: Scope, parameters: Collection[str],
                 temporary: Callable[[str], str]) -> None:
    """Mark what only masked operations read. temporary: makes a new variable, for a condition that has to be kept."""
    conditional = list(_conditional(body, scope))
    if not conditional and not any(hasattr(stmt, "masks") for stmt in statements(body)):
        return
    spread = _Spread(body, scope, parameters)
    for stmt, block in conditional:
        if spread.keep(stmt, block, temporary):
            spread = _Spread(body, scope, parameters)
    for stmt in statements(body):
        if hasattr(stmt, "masks"):
            stmt.masks = _distinct(map(spread.resolved, stmt.masks))
    spread.block(body)


def _conditional(block: list[gast.stmt], scope: Scope) -> Iterator[tuple[gast.Assign, list[gast.stmt]]]:
    """Each `np.where` and `rt.mask` that has a variable for a condition, and its block."""
    for stmt in list(block):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call):
            operation = scope.operation(stmt.value)
            if operation.rule is not None and operation.rule.name in ("np.where", "rt.mask") \
                    and isinstance(operation.args.get("condition"), gast.Name):
                yield stmt, block
        for inner in blocks(stmt):
            yield from _conditional(inner, scope)


def _distinct(masks: Iterable[Mask]) -> tuple[Mask, ...]:
    """Masks that all hold: each condition and side once."""
    found: dict[Any, Mask] = {}
    for mask in masks:
        known = found.get(mask.key, mask)
        found[mask.key] = mask._replace(whole=mask.whole and known.whole)
    return tuple(found.values())


class _Spread:
    def __init__(self, body: Sequence[gast.stmt], scope: Scope, parameters: Collection[str]) -> None:
        self.scope = scope
        self.bound = Counter(parameters)
        self._inside: dict[int, dict[int, int]] = {}       # of a block: the place of each statement in it
        self.binders: dict[str, list[gast.stmt]] = {}
        self.updated: set[str] = set()
        self.definition: dict[str, gast.expr] = {}
        self.reads: dict[str, list[tuple[gast.stmt, int]]] = {}       # who reads a name, and how many times
        for stmt in statements(body):
            part: Any = stmt
            if is_compound(stmt):
                part = own_expressions(stmt)
                self._bind(stmt, own_targets(stmt) * 2)    # again in each iteration, or elsewhere than in the block
            else:
                one = statement_access(stmt)
                self._bind(stmt, [*one.define, *one.update])
                self.updated |= one.update
                if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name):
                    self.definition[stmt.targets[0].id] = stmt.value
            loads = Counter(n.id for n in nodes_of(part, gast.Name) if isinstance(n.ctx, gast.Load))
            for name, count in loads.items():
                self.reads.setdefault(name, []).append((stmt, count))

    def _bind(self, stmt: gast.stmt, names: Sequence[str]) -> None:
        self.bound.update(names)
        for name in names:
            self.binders.setdefault(name, []).append(stmt)

    def block(self, block: Sequence[gast.stmt]) -> None:
        same = self._same(block)
        here = {id(stmt) for stmt in block}
        for i, stmt in reversed(list(enumerate(block))):
            name = stmt.targets[0].id \
                if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) else ""
            if name and self.bound[name] == 1:
                found = [mask for mask in self._common(name, here, same) if self.steady(mask.condition.id, block, i)]
                if found:
                    stmt.masks = _distinct([*getattr(stmt, "masks", ()), *found])
            for inner in blocks(stmt):
                self.block(inner)

    def _same(self, block: Sequence[gast.stmt]) -> dict[str, str]:
        """For each condition of a block the first one of the same value: it is written alike, and nothing that it reads
        was bound, or may have changed in place, in between."""
        conditions = {stmt.targets[0].id: key(stmt.value) for stmt in block if self._is_condition(stmt)}
        if len(set(conditions.values())) == len(conditions):
            return {}                                      # none is written as another one
        first: dict[Any, tuple[str, AbstractSet[str]]] = {}
        same: dict[str, str] = {}
        for stmt in block:
            if any(memory_changed(inner) for inner in statements([stmt]) if not is_compound(inner)):
                first = {}
            bound = bound_in(stmt)
            first = {condition: known for condition, known in first.items() if bound.isdisjoint(known[1])}
            if self._is_condition(stmt):
                name = stmt.targets[0].id
                same[name] = first.setdefault(conditions[name], (name, reads(stmt.value)))[0]
        return same

    def _is_condition(self, stmt: Any) -> bool:
        """A comparison that is bound once."""
        return isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
            and isinstance(stmt.value, gast.Compare) and self.bound[stmt.targets[0].id] == 1 \
            and is_pure(stmt.value, self.scope)

    def steady(self, name: str, block: Sequence[gast.stmt], at: int) -> bool:
        """While statement `at` of a block is reversed the name has the value that it has below it."""
        place = self._inside.get(id(block))
        if place is None:
            place = self._inside[id(block)] = {id(inner): i for i, stmt in enumerate(block)
                                               for inner in statements([stmt])}
        binders = [stmt for stmt in self.binders.get(name, ()) if id(stmt) in place]
        if not binders:
            return True
        if self.bound[name] != 1 or binders[0] is not block[place[id(binders[0])]]:
            return False
        defined = place[id(binders[0])]
        return defined < at or all(place.get(id(stmt), -1) > defined for stmt, _ in self.reads.get(name, ()))

    def keep(self, where: gast.Assign, block: list[gast.stmt], temporary: Callable[[str], str]) -> bool:
        """Give an `np.where` a condition of its own if a mask would need one: it is bound again before the mask is
        reversed. True where that was so."""
        args = self.scope.operation(where.value).args
        condition = args["condition"]
        for name in (args[side].id for side in ("x", "y", "v") if isinstance(args.get(side), gast.Name)):
            binders = [stmt for stmt in self.binders.get(name, ()) if stmt in block]
            if self.bound[name] == 1 and binders and not self.steady(condition.id, block, block.index(binders[0])) \
                    and condition.id not in self.updated:
                new = self._copy_of(condition.id, block, where)
                if not new:
                    new = temporary("condition")
                    block.insert(block.index(where),
                                 mark(assign(new, load(condition.id)), origin=origin_of(where), role="forward"))
                self._renamed(block[:block.index(where)], condition, new, where)
                where.value = exchanged(where.value, {id(condition): load(new)})
                return True
        return False

    def _copy_of(self, name: str, block: Sequence[gast.stmt], at: gast.stmt) -> str:
        """A variable bound once that holds what the name holds at a statement of the block."""
        for stmt in reversed(block[:block.index(at)]):
            if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
                    and isinstance(stmt.value, gast.Name) \
                    and stmt.value.id == name and self.bound[stmt.targets[0].id] == 1:
                return str(stmt.targets[0].id)
            if name in bound_in(stmt):
                break
        return ""

    @staticmethod
    def _renamed(above: Sequence[gast.stmt], condition: gast.Name, new: str, where: gast.stmt) -> None:
        """What was lowered for this `np.where` is masked by the copy too."""
        for stmt in above:
            if origin_of(stmt) is origin_of(where) and hasattr(stmt, "masks"):
                stmt.masks = tuple(mask._replace(condition=load(new)) if key(mask.condition) == key(condition) else mask
                                   for mask in stmt.masks)

    def _common(self, name: str, here: set[int], same: Mapping[str, str]) -> tuple[Mask, ...]:
        """The masks under which every read of a name stands through which a derivative flows."""
        common: dict[Any, Mask] | None = None
        for stmt, count in self.reads.get(name, ()):
            if self._without_derivative(stmt, name):
                continue
            masks = _distinct(self._masks_of(stmt, name, count, same)) if id(stmt) in here else ()
            found = {mask.key: mask for mask in masks if isinstance(mask.condition, gast.Name)}
            common = found if common is None else {
                k: mask._replace(whole=mask.whole or common[k].whole) for k, mask in found.items() if k in common}
        return tuple((common or {}).values())

    def _without_derivative(self, stmt: Any, name: str) -> bool:
        """No derivative flows from the name through the statement: a test, a comparison, a shape, an index."""
        if is_compound(stmt) and not isinstance(stmt, gast.For) \
                or isinstance(stmt, gast.Expr) and mutation(stmt) is None:
            return True
        if not isinstance(stmt, gast.Assign) or not isinstance(stmt.targets[0], gast.Name):
            return False
        operation = self.scope.operation(stmt.value)
        if operation.kind == "plain":
            return True
        rule = operation.rule
        return operation.kind == "rule" and rule is not None and not any(
            name in reads(operation.args[one]) for one in rule.active_params if one in operation.args)

    def _masks_of(self, stmt: gast.stmt, name: str, count: int, same: Mapping[str, str]) -> Iterator[Mask]:
        """The masks under which a statement reads a name."""
        if not isinstance(stmt, gast.Assign):
            return
        operation = self.scope.operation(stmt.value)
        rule = operation.rule
        for mask in getattr(stmt, "masks", ()):
            yield mask.under(rule)
        condition = operation.args.get("condition")
        if count != 1 or operation.kind != "rule" or rule is None or not isinstance(condition, gast.Name):
            return
        for side, parameter in ((True, "x"), (False, "y"), (True, "v")) if rule.name in ("np.where", "rt.mask") else ():
            arg = operation.args.get(parameter)
            if isinstance(arg, gast.Name) and arg.id == name:
                mask = self.resolved(Mask(condition, side))
                yield mask._replace(condition=load(same.get(mask.condition.id, mask.condition.id)))

    def resolved(self, mask: Mask) -> Mask:
        """The mask in terms of the condition that its own is the negation of,
        or the `np.any`: those that derivatives make."""
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
