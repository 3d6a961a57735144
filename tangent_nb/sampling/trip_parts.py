"""What a reversed loop only adds up: the statements of its body that no other trip, and nothing behind it, needs.

Needs a loop of the forward sweep and the reversed one. Promises the statements of a trip that may be left out, but for
what they add to sums; the saves that only they read; and an order in which they stand together.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from ..analyse.flow import bound_in, mutation
from ..analyse.resolve import Scope
from ..syntax.blocks import blocks, is_compound, own_expressions, own_targets, statements
from ..syntax.nodes import name_nodes, names_in, reads, root_name, walk
from .uses import is_linear, outlines


@dataclass
class Parts:
    """sums: the names that get something in each trip; units: the statements of the body, and of branches in it, that
    only add to these; sites: of the lists of the tape, what only they take back; needed: of a loop without such, what
    needs a value that every trip saves, None where that is a shape."""

    sums: set[str]
    units: list[Any] = field(default_factory=list)
    sites: set[Any] = field(default_factory=set)
    needed: Any = None


def parts(forward: Any, back: Any, after: set[str], scope: Scope) -> Parts | None:
    """Of a loop and the reversed one; None where they are no pair. after: the names that are mentioned behind it."""
    saved = sites_of([forward])
    taken = sites_of([back])
    if not taken or not taken <= saved:
        return None
    found = _Body(back, after, scope)
    kept = found.needed_statements()
    units = _units(back.body, kept)
    if not (sites := sites_of(units)):
        return Parts(found.sums, needed=found.needing())
    return Parts({name for name in found.sums if any(name in names_in(unit) for unit in units)}, units, sites)


def opens(stmt: Any) -> bool:
    """Statements in its blocks may be left out one by one."""
    return isinstance(stmt, gast.If) or isinstance(stmt, gast.With) and is_compound(stmt) \
        and not hasattr(stmt, "checked")


def breaks(block: Sequence[Any]) -> bool:
    """A loop with this body may be left early."""
    return any(isinstance(stmt, gast.Break) or not isinstance(stmt, (gast.For, gast.While)) and any(
        map(breaks, blocks(stmt))) for stmt in block)


def _leaves(block: Sequence[Any]) -> Iterator[Any]:
    """The statements of a trip, those in branches too."""
    for stmt in block:
        if opens(stmt):
            for inner in blocks(stmt):
                yield from _leaves(inner)
        else:
            yield stmt


def _units(block: Sequence[Any], kept: set[int]) -> list[Any]:
    """The statements that are not kept, branches as a whole where nothing in them is."""
    found: list[Any] = []
    for stmt in block:
        if not opens(stmt):
            found += [] if id(stmt) in kept else [stmt]
        elif isinstance(stmt, gast.If) and not any(id(one) in kept for one in _leaves([stmt])):
            found.append(stmt)
        else:
            found += [unit for inner in blocks(stmt) for unit in _units(inner, kept)]
    return found


def sites_of(body: Sequence[Any]) -> set[Any]:
    return {stmt.tape for stmt in statements(body) if isinstance(getattr(stmt, "tape", (0, None))[1], int)}


class _Body:
    """Of a reversed loop."""

    def __init__(self, back: Any, after: set[str], scope: Scope) -> None:
        self.back, self.after, self.scope = back, after, scope
        self.stacks = {stmt.tape[0] for stmt in statements(back.body) if hasattr(stmt, "tape")}
        self.bound = bound_in(*back.body) - self.stacks
        self.sums = {name for name in self.bound if self._is_sum(name)}
        self.own = {name for name in self.bound - self.carried() - set(own_targets(back)) if self._is_own(name)}

    def _is_sum(self, name: str) -> bool:
        """All that a trip does with a name is to add to it."""
        for stmt in statements([self.back]):
            if is_compound(stmt):
                if name in own_targets(stmt) or any(name in names_in(part) for part in own_expressions(stmt)):
                    return False
            elif name in names_in(stmt) and not adds(stmt, name, self.scope):
                return False
        return True

    def needed_statements(self) -> set[int]:
        """The ids of the statements that every trip needs."""
        needed = ((self.carried() | self.after) & self.bound) - self.sums
        kept: set[int] = set()
        sites: set[Any] = set()
        opened: Any = None
        while opened != (now := (len(kept), len(needed))):
            opened = now
            for stmt in statements(self.back.body):
                if opens(stmt) and (isinstance(stmt, gast.With) or any(id(one) in kept for one in _leaves([stmt]))):
                    needed |= (reads(own_expressions(stmt)) & self.bound) - self.sums
            for unit in _leaves(self.back.body):
                if id(unit) not in kept and (self._acts(unit) or bound_in(unit) & needed or sites_of([unit]) & sites):
                    kept.add(id(unit))
                    needed |= ((reads(unit) | _changed_in(unit)) & self.bound) - self.sums
                    sites |= sites_of([unit])
        return kept

    def needing(self) -> Any:
        """A statement for which every trip needs what it saves: one that makes something else of what goes on from trip
        to trip than a sum, else one that reads more of what is saved than a shape; None where there is none."""
        body = [stmt for stmt in statements(self.back.body) if not is_compound(stmt)]
        saved = set().union(*(bound_in(stmt) for stmt in body if hasattr(stmt, "tape"))) - self.stacks
        going_on = ((self.carried() | self.after) & self.bound) - self.sums
        body = [stmt for stmt in body if not hasattr(stmt, "tape")]
        reading = [stmt for stmt in body if self._reads_more(stmt, saved)]
        first = [stmt for stmt in body if bound_in(stmt) & going_on
                 and not any(adds(stmt, name, self.scope) for name in bound_in(stmt))
                 and (not reads(stmt) & saved or any(stmt is one for one in reading))]
        return next(iter([*first, *reading]), None) if reading else None

    def _reads_more(self, stmt: Any, saved: set[str]) -> bool:
        shapes = {id(node) for call in walk(stmt) if isinstance(call, gast.Call)
                  for arg in outlines(call, self.scope.operation(call), self.scope) for node in walk(arg)}
        return any(node.id in saved and isinstance(node.ctx, gast.Load) and id(node) not in shapes
                   for node in name_nodes(stmt))

    def carried(self) -> set[str]:
        """The names that a trip may read as another one, or what is before the loop, has left them."""
        found: set[str] = set()
        _exposed(self.back.body, set(own_targets(self.back)), found)
        return found - self.stacks

    def _is_own(self, name: str) -> bool:
        """All that stands for a name is made in the trip, and new."""
        return all(name in _changed_in(stmt) or isinstance(stmt, gast.Assign) and all(
            isinstance(target, gast.Name) for target in stmt.targets)
            and self.scope.operation(stmt.value).kind == "rule" and self.scope.operation(stmt.value).memory == "fresh"
            for stmt in statements(self.back.body)
            if name in (own_targets(stmt) if is_compound(stmt) else bound_in(stmt)))

    def _acts(self, unit: Any) -> bool:
        """A statement that may do more than to give names values."""
        return any(not is_compound(stmt) and not isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Pass))
                   and not (self._is_added(stmt) or isinstance(stmt, gast.Expr) and mutation(stmt) is not None
                            and bound_in(stmt) <= self.own)
                   or isinstance(stmt, (gast.While, gast.Try, gast.With)) or getattr(stmt, "role", "") == "inserted"
                   or not is_compound(stmt) and changed(stmt) - self.stacks - self.sums - self.own != set()
                   for stmt in statements([unit]))

    def _is_added(self, stmt: Any) -> bool:
        return any(adds(stmt, name, self.scope) for name in self.sums)


def _exposed(block: list[Any], known: set[str], found: set[str]) -> set[str]:
    """What a block reads that it has not bound before on every path, into `found`; and what it has bound."""
    for stmt in block:
        if isinstance(stmt, (gast.If, gast.For)):
            found |= reads(stmt.test if isinstance(stmt, gast.If) else stmt.iter) - known
            ends = [_exposed(one, known | set(own_targets(stmt)), found) for one in (stmt.body, stmt.orelse)]
            known = known | (ends[0] & ends[1] if isinstance(stmt, gast.If) else set())
        elif opens(stmt):                                  # a with that swallows nothing
            found |= reads(own_expressions(stmt)) - known
            known = _exposed(stmt.body, known | set(own_targets(stmt)), found)
        elif is_compound(stmt):
            found |= names_in(stmt) - known
        else:
            found |= (reads(stmt) | changed(stmt)) - known
            if isinstance(stmt, gast.Assign):
                known = known | {one.id for target in stmt.targets for one in plain(target)}
    return known


def plain(target: Any) -> list[Any]:
    """The names that a target is made of."""
    if isinstance(target, (gast.Tuple, gast.List)):
        return [one for part in target.elts for one in plain(part)]
    return [target] if isinstance(target, gast.Name) else []


def changed(stmt: Any) -> set[str]:
    """The names of what a simple statement changes, that it does not bind anew."""
    if not isinstance(stmt, gast.Assign):
        return bound_in(stmt) | _shortened(stmt)
    return bound_in(stmt) - {one.id for target in stmt.targets for one in plain(target)} | _shortened(stmt)


def _shortened(stmt: Any) -> set[str]:
    """The lists from which a part of a simple statement takes something: bx = rt.copy(bxs.pop())."""
    calls = [mutation(gast.Expr(node)) for node in walk(stmt) if isinstance(node, gast.Call)]
    return {one[1] for one in calls if one is not None}


def _changed_in(unit: Any) -> set[str]:
    """The names of what the simple statements of a unit change."""
    return set().union(*(changed(stmt) for stmt in statements([unit]) if not is_compound(stmt)))


def adds(stmt: Any, name: str, scope: Scope) -> bool:
    """All that a statement does with a name is to add to it, what does not read it."""
    return added(stmt, name, scope) is not None


def added(stmt: Any, name: str, scope: Scope) -> list[Added] | None:
    """What a statement adds to a name, where that is all it does with it: `b += …`, `b[i] += …`, `rt.add_at(b, i, …)`,
    `b = b + …`, and `b = f(b, …)` of a row that is its first argument and something that is linear in others."""
    if isinstance(stmt, gast.Expr):
        value: Any = stmt.value
        if mutation(stmt) != ("add_at", name) or value.keywords or not isinstance(value.args[0], gast.Name) \
                or len(value.args) != 3 or any(name in names_in(one) for one in value.args[1:]):
            return None
        return [Added(value.args, 2, False)]
    if isinstance(stmt, gast.AugAssign):
        aimed = isinstance(stmt.target, gast.Name) or isinstance(stmt.target, gast.Subscript) \
            and name not in names_in(stmt.target.slice) and isinstance(stmt.target.value, gast.Name)
        return [Added(stmt, "value", True)] if aimed and root_name(stmt.target) == name \
            and isinstance(stmt.op, (gast.Add, gast.Sub)) and name not in names_in(stmt.value) else None
    if not isinstance(stmt, gast.Assign) or len(stmt.targets) != 1 or not isinstance(stmt.targets[0], gast.Name) \
            or stmt.targets[0].id != name or sum(one.id == name for one in name_nodes(stmt.value)) != 1:
        return None
    found: list[Added] = []
    node: Any = stmt.value
    while not isinstance(node, gast.Name):
        step = _step(node, name, scope)
        if step is None:
            return None
        node, more = step
        found += more
    return found if found else None                        # b = b + …, not b = b


def _step(node: Any, name: str, scope: Scope) -> tuple[Any, list[Added]] | None:
    """The operand of a sum that reads a name, and what is added to that."""
    if isinstance(node, gast.BinOp):
        left = name in names_in(node.left)
        if not isinstance(node.op, gast.Add) and not (left and isinstance(node.op, gast.Sub)):
            return None
        return (node.left, [Added(node, "right", True)]) if left else (node.right, [Added(node, "left", True)])
    operation = scope.operation(node)
    rule = operation.rule
    if not isinstance(node, gast.Call) or operation.kind != "rule" or rule is None:
        return None
    base = [one for one, arg in operation.args.items() if name in names_in(arg)]
    others = [one for one in operation.args if one in rule.pull and one not in base]
    if len(base) != 1 or not all(choice.text == "g" for choice in rule.pull.get(base[0], ())) \
            or base[0] not in rule.pull or not is_linear(operation, [*base, *others]):
        return None
    places = {id(arg): Added(node.args, i, False) for i, arg in enumerate(node.args)} | {
        id(one.value): Added(one, "value", False) for one in node.keywords}
    if any(id(operation.args[one]) not in places for one in others):
        return None
    return operation.args[base[0]], [places[id(operation.args[one])] for one in others]


@dataclass
class Added:
    """What is added, and where it stands: the part of a node, or the item of a list. numbers: it is a number or an
    array for certain."""

    holder: Any
    at: Any
    numbers: bool

    @property
    def value(self) -> Any:
        return self.holder[self.at] if isinstance(self.holder, list) else getattr(self.holder, self.at)

    def put(self, value: Any) -> None:
        """Let something else be added."""
        if isinstance(self.holder, list):
            self.holder[self.at] = value
        else:
            setattr(self.holder, self.at, value)


def together(body: list[Any], units: set[int]) -> list[Any]:
    """A block, in which what every trip needs stands first where nothing is changed by that."""
    new: list[Any] = []
    for stmt in body:
        at = len(new)
        stacks = {one.tape[0] for one in statements([stmt]) if hasattr(one, "tape")}
        if id(stmt) not in units and not _changed_in(stmt) - stacks:           # what changes an array stays there
            while at and id(new[at - 1]) in units and not names_in(new[at - 1]) & (bound_in(stmt) | _changed_in(stmt)) \
                    and not (bound_in(new[at - 1]) | _changed_in(new[at - 1])) & names_in(stmt):
                at -= 1
        new.insert(at, stmt)
    return new
