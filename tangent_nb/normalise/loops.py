"""Loops in normal form: over what carries a derivative by index, over the rest as they are,
with what reverse mode needs.

    for i, a in enumerate(x):           for i in range(len(x)):
        s = s + i * a            →          a = x[i]
                                            product = i * a
                                            s = s + product
"""
from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from ..analyse.collected import is_collected
from ..analyse.effects import is_pure
from ..analyse.flow import bound_by, bound_in
from ..analyse.naming import base_name
from ..analyse.resolve import Scope
from ..syntax.blocks import is_break, statements
from ..syntax.building import (
    assign,
    augment,
    call,
    clone,
    constant,
    library,
    load,
    mark,
    rename,
    store,
    subscript,
    tuple_of,
)
from ..syntax.nodes import is_atom, reads, root_name, target_names, walk

if TYPE_CHECKING:
    from .lower import Lowering


def lower_for(lowering: Lowering, stmt: gast.For) -> None:
    """`for target in iterable`, whatever the iterable is."""
    pairs: list[tuple[gast.expr, gast.expr]] = []
    target, iterable = stmt.target, stmt.iter
    rebound = {name for s in statements(stmt.body) for name in bound_by(s)}
    indexed = _Indexed(lowering, stmt, rebound) if _iterates_active(lowering, iterable) else None
    if indexed is not None:
        target, iterable, pairs = indexed.target(), indexed.steps(), indexed.pairs
    recorded = lowering.reverse \
        and (not is_collected(iterable, lowering.collected, lowering.scope) if indexed is None else indexed.asked)
    if lowering.reverse and (recorded or indexed is None):
        iterable = _repeatable(lowering, iterable, recorded)
    if rebound & set(target_names(target)):
        fresh = {name: lowering.temporary(name) for name in target_names(target)}
        pairs = [(store(name), load(new)) for name, new in fresh.items()] + pairs
        target = rename(clone(target), fresh)

    def lower() -> None:
        for place, item in pairs:
            lowering.target(place, item)
        for one in stmt.body:
            lowering.statement(one)

    body = lowering.apart(lower)
    if lowering.reverse and reads(iterable) & (bound_in(*body) | set(target_names(target))):
        iterable = lowering.kept("steps", iterable)
    if lowering.reverse and any(is_break(s) for s in body) and not recorded:      # which ends where the loop was left
        counted(lowering, body)
    lowering.emit(gast.For(target, iterable, body, [], None))


def counted(lowering: Lowering, body: list[gast.stmt]) -> None:
    """Count the trips of a loop in `body`, after its first breaks; the loop is emitted next."""
    trips = lowering.temporary("trips")
    lowering.emit(assign(trips, gast.Constant(0, None)))
    place = next((i for i, stmt in enumerate(body) if not is_break(stmt)), len(body))
    body.insert(place, mark(augment(trips, gast.Add(), gast.Constant(1, None)), origin=lowering.origin, role="forward",
                            count=trips))


def _iterates_active(lowering: Lowering, node: gast.expr) -> bool:
    if isinstance(node, gast.Call) and lowering.scope.effects(node).keeps:
        return any(_iterates_active(lowering, arg) for arg in node.args)
    return lowering.active(node)


def _is_length(node: gast.expr) -> bool:
    """A number; `len(A)`, written by us."""
    return is_atom(node) or isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "%len"


def _repeatable(lowering: Lowering, iterable: gast.expr, recorded: bool) -> gast.expr:
    """An iterable that is inactive, so that it can be gone through again, backward.
    recorded: its items must be taken one by one."""
    if isinstance(iterable, gast.Name) and iterable.id in lowering.arrays:
        return iterable
    kind = lowering.scope.builtin(iterable)
    if (kind == "range" or isinstance(iterable, (gast.List, gast.Tuple))) and is_pure(iterable, lowering.scope) \
            and not _counts_outside(lowering, iterable):
        return iterable
    if kind == "range" and not any(isinstance(arg, gast.Starred) for arg in iterable.args):
        bounds = [arg if is_pure(arg, lowering.scope) and not _counts_outside(lowering, arg)
                  else lowering.kept(base_name(arg, lowering.scope), arg) for arg in iterable.args]
        return gast.copy_location(gast.Call(iterable.func, bounds, iterable.keywords), iterable)
    if recorded:
        iterable = library("rt.recorded(x)", x=iterable)
        read: set[tuple[str, str]] = set()
        for names, name, part in lowering.looked_into:
            here = names & reads(iterable) - lowering.varied
            # another name may not be bound yet
            there = name in here or name not in lowering.scope.local or name in lowering.parameters
            read |= set() if not here else {(name, part)} if there else {(root, "") for root in here}
        iterable.args += [tuple_of(tuple_of([load(name), constant(part)]) for name, part in sorted(read))] \
            if read else []
    elif not _makes_list(iterable, lowering.scope):
        iterable = call("%list", iterable)
    return lowering.kept("items", iterable, steps=True)


def _counts_outside(lowering: Lowering, node: gast.expr) -> bool:
    """How many items something outside has: a call may append to it."""
    return lowering.asks_again(node) or any(
        isinstance(part, gast.Call) and lowering.scope.builtin(part) == "len"
        and (name := root_name(part.args[0])) is not None and name not in lowering.scope.local for part in walk(node))


def _makes_list(node: gast.expr, scope: Scope) -> bool:
    """It gives a list of its own: `list`, `sorted`."""
    rule = scope.operation(node).rule
    return scope.effects(node).copies and rule is not None and rule.result_spec({}, {}).kind == "list"


class _Indexed:
    """`for a in x` over something differentiable, as a loop over its indices, and over the items of what may be an
    iterator. pairs: what each target is bound to, first in the body; turns: what gives an item in each trip, with its
    name; asked: not all of that are indices."""

    def __init__(self, lowering: Lowering, stmt: gast.For, rebound: set[str]) -> None:
        self.lowering = lowering
        self.pairs: list[tuple[gast.expr, gast.expr]] = []
        self.turns: list[tuple[gast.expr, str]] = []
        self.asked = False
        self.changed = bound_in(*stmt.body)
        self.rebound = rebound | set(target_names(stmt.target))
        self.backward = lowering.scope.builtin(stmt.iter) == "reversed"
        iterable = stmt.iter.args[0] if self.backward else stmt.iter
        counts = lowering.scope.builtin(iterable) == "enumerate" and len(iterable.args) == 1 and not iterable.keywords \
            and isinstance(stmt.target, gast.Tuple) \
            and isinstance(stmt.target.elts[0], gast.Name) and stmt.target.elts[0].id not in rebound
        self.index: str = stmt.target.elts[0].id if counts else lowering.temporary("k")
        self._match(stmt.target, iterable)

    def target(self) -> gast.expr:
        return tuple_of([store(name) for _, name in self.turns], write=True) if self.asked else store(self.index)

    def steps(self) -> gast.expr:
        """The indices, in the order of the loop."""
        if self.asked:
            return call("%zip", *(iterable for iterable, _ in self.turns))
        lengths = [goes.args[0] for goes, _ in self.turns]
        length = lengths[0] if len(lengths) == 1 else call("%min", *lengths)
        if not self.backward:
            return call("%range", length)
        if not self.lowering.reverse:
            return call("%reversed", call("%range", length))
        return call("%range", gast.BinOp(length, gast.Sub(), constant(1)), constant(-1), constant(-1))

    def _turn(self, length: gast.expr) -> None:
        """What is read by the index, as long as it has items."""
        first = all(name != self.index for _, name in self.turns)
        self.turns.append((call("%range", length), self.index if first else self.lowering.temporary("k")))

    def _match(self, target: gast.expr, iterable: gast.expr) -> None:
        kind = self.lowering.scope.builtin(iterable)
        if kind == "zip":
            if isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == len(iterable.args):
                for one, source in zip(target.elts, iterable.args, strict=True):
                    self._match(one, source)
                return
            parts = [self._item(source) for source in iterable.args]
            self.pairs.append((target, gast.Tuple(parts, gast.Load())))
            return
        if kind == "enumerate":
            start = iterable.args[1] if len(iterable.args) > 1 else next((k.value for k in iterable.keywords), None)
            count = load(self.index) if start is None else gast.BinOp(load(self.index), gast.Add(), start)
            if isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == 2:
                if not (isinstance(target.elts[0], gast.Name) and target.elts[0].id == self.index):
                    self.pairs.append((target.elts[0], count))
                self._match(target.elts[1], iterable.args[0])
            else:
                self.pairs.append((target, gast.Tuple([count, self._item(iterable.args[0])], gast.Load())))
            return
        if (kind == "list" or kind == "tuple") and len(iterable.args) == 1 \
                and not reads(iterable.args[0]) & self.changed and self._is_there(iterable.args[0]):
            iterable = iterable.args[0]
        if kind == "reversed":
            backward = gast.Slice(None, None, constant(-1))
            iterable = gast.Subscript(iterable.args[0], backward, gast.Load())
        if self.lowering.scope.builtin(iterable) == "range" and len(iterable.args) == 1 \
                and _is_length(iterable.args[0]):
            self._turn(iterable.args[0])
            self.pairs.append((target, load(self.index)))
            return
        if not self._is_there(iterable):
            self.asked = True
            self.turns.append((iterable, self.lowering.temporary("item")))
            self.pairs.append((target, load(self.turns[-1][1])))
            return
        listed = not isinstance(iterable, (gast.List, gast.Tuple)) and bool(
            reads(iterable) & self.lowering.doubtful or not self.lowering.active(iterable))
        if listed or not isinstance(iterable, gast.Name) or iterable.id in self.rebound:
            iterable = load(self._kept(call("%list", iterable) if listed else iterable))
        self._turn(call("%len", iterable))
        self.pairs.append((target, subscript(clone(iterable), load(self.index))))

    def _item(self, iterable: gast.expr) -> gast.expr:
        """A name of ours for an item."""
        name = self.lowering.temporary("item")
        self._match(store(name), iterable)
        return load(name)

    def _is_there(self, iterable: gast.expr) -> bool:
        return self.lowering.active(iterable) or is_collected(iterable, self.lowering.collected, self.lowering.scope)

    def _kept(self, sequence: gast.expr) -> str:
        """A name for what a loop goes over; it is judged as a variable of the user's: what it shares must not be
        changed."""
        name = self.lowering.temporary("items")
        self.lowering.temporaries.discard(name)
        self.lowering.assign(name, sequence)
        return name
