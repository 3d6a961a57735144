"""Expressions in the core language.

Needs an expression of the text. Promises one that means the same in the core language, after the statements that have
to run before it. All is evaluated in Python's order and as often: what comes before such a statement, and could be
changed by it, is kept under a name.

    a[i] + (i := f(x))           →        value = a[i]
                                          i = f(x)
                                          value + i
"""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import gast

from ..syntax.building import assign, call, clone, load, mark
from ..syntax.nodes import is_atom, is_literal, names_in, reads, writes
from ..syntax.program import MISSING
from . import (
    attributes,
    calls,
    comprehensions,
    computed,
    computed_again,
    containers,
    copies,
    deques,
    derivatives,
    dicts,
    functions,
    generators,
    held,
    interpolators,
    library_calls,
    lists,
    methods,
    objects,
    outs,
    purity,
    sequences,
    shown,
    supers,
    unbound,
    unrolling,
    yielding,
)
from .scopes import COMPREHENSIONS
from .state import CannotHoistError, State

CHANGES = {**lists.METHODS, **dicts.METHODS, **deques.METHODS}


class Expressions(State):
    """What expressions are in the core language. `_written` has a case for each that is sugar as a whole, `expr` for
    what evaluates some of its operands only."""

    @abstractmethod
    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        """Statements in the core language, as a block of their own."""

    def expr(self, node: Any) -> Any:
        """The expression in the core language; what has to run before it is emitted.
        What is evaluated is handed on as it is."""
        if node is None or isinstance(node, gast.Constant) or self.evaluated.get(id(node)) is node:
            return node
        new = self.placed(self._evaluated(node))
        if not isinstance(new, gast.Name):                 # which may mean something else later
            self.evaluated[id(new)] = new
        return new

    def _evaluated(self, node: Any) -> Any:
        saved, self.at = self.at, node if hasattr(node, "lineno") else self.at
        if self.objects:
            copies.taken(self, node)
            shown.written(self, node)
        try:
            written = self._written(node)
        finally:
            self.at = saved
        if written is not None:
            return written
        if isinstance(node, gast.IfExp):
            return self._choice(node)
        if isinstance(node, gast.BoolOp):
            return self._boolean(node)
        if isinstance(node, (*COMPREHENSIONS, gast.Lambda)):
            return self._within(node)
        return self._parts(node)

    def _written(self, node: Any) -> Any:
        """What sugar means; None for what is none."""
        if self.doubtful:
            unbound.ask_changed(self, node)
        if isinstance(node, gast.NamedExpr):
            return self._walrus(node)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id in self.objects \
                and self.objects[node.id].prefix != node.id:
            return gast.copy_location(load(self.objects[node.id].prefix), node)
        if isinstance(node, gast.ListComp) and self.places and self.key(node) in self.places \
                and held.counts(self, node):
            return held.comprehension(self, node)
        if isinstance(node, gast.ListComp) and (known := unrolling.comprehension(self, node)) is not None:
            return known
        if isinstance(node, gast.DictComp) and (known := unrolling.mapping(self, node)) is not None:
            return known
        # a generator runs when it is asked
        if isinstance(node, COMPREHENSIONS) and not isinstance(node, gast.GeneratorExp):
            return comprehensions.unroll(self, node) if comprehensions.unrolls(self, node) else None
        if isinstance(node, gast.Call):
            return self._called(node)
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
            return supers.read(self, node) or self._attribute(self._parts(node))
        if isinstance(node, gast.BinOp) and self.places and held.repeats(self, node):
            return held.display(self, held.repeated(node))
        if not isinstance(getattr(node, "ctx", gast.Load()), gast.Load):
            return None
        if isinstance(node, gast.Compare) and len(node.ops) > 1:
            return self._chain(node)
        if isinstance(node, gast.BinOp):
            return methods.operator(self, self._parts(node)) or lists.operator(self, node)
        if isinstance(node, (gast.UnaryOp, gast.Compare, gast.Subscript)):
            return methods.operator(self, self._parts(node)) or node
        if isinstance(node, (gast.List, gast.Tuple, gast.Dict)) and (made := sequences.display(self, node)) is not None:
            return made
        if isinstance(node, (gast.List, gast.Tuple, gast.Set)) \
                and any(isinstance(item, gast.Starred) for item in node.elts):
            return comprehensions.joined(self, node)
        return None

    def _called(self, node: gast.Call) -> Any:
        """What a call means, where it is sugar; what may change its arguments, and is given on to what carries no
        derivative, is called in a statement of its own."""
        apart = hasattr(node, "uncarried") and self.out is not None
        acts = apart and purity.acts(self, node, self.varied)
        found = self._meaning(node)
        if not isinstance(found, gast.Call) or not (
                acts or apart and found is not node and purity.acts(self, found, self.local)):      # of a body put here
            return found
        return load(self.kept(found, getattr(found.func, "attr", getattr(found.func, "id", "value"))))

    def _meaning(self, node: gast.Call) -> Any:
        if (again := computed_again.called(self, node)) is not None:
            return again
        if (member := computed.read(self, node)) is not None:
            return member
        if self.places and self.key(node) in self.places and held.by_keywords(self, node):
            return held.display(self, node)
        pinned = unrolling.pinned(self, node)
        if pinned is not None:
            return self.expr(pinned())
        interpolators.made(self, node)
        found = unrolling.called(self, node) or methods.called(self, node) or containers.changed(self, node, CHANGES) \
            or lists.meaning(self, node) or outs.called(self, node) \
            or library_calls.called(self, node) or derivatives.called(self, node) or calls.meaning(self, node)
        return methods.operator(self, self._parts(node)) or node if found is None else found

    def find_members(self, tree: gast.FunctionDef) -> None:
        generators.find(self, tree)
        computed.asked(self, tree)

    def _attribute(self, node: gast.Attribute) -> gast.expr:
        if self._is_object(node.value):
            return attributes.read(self, self.objects[node.value.id], node.value, node.attr, node)
        return deques.attribute(self, node) or library_calls.attribute(self, node) \
            or calls.attribute(self, node) or computed.attribute(self, node) or node

    def _within(self, node: Any) -> Any:
        """A comprehension or lambda that stays: calls in it are written in other words where that needs no statement
        before them."""
        saved, self.out = self.out, None
        local, self.local = self.local, self.local | writes(node)
        try:
            return self._parts(node)
        except CannotHoistError:
            return node
        finally:
            self.out, self.local = saved, local

    # ------------------------------------------------------------------ operands
    def _parts(self, node: Any) -> Any:
        """A node with its operands in the core language."""
        if isinstance(node, gast.Dict):                    # of **d the items are taken before the next one is evaluated
            pairs = list(zip(node.keys, node.values, strict=True))
            node.values = [mark(gast.Starred(value, gast.Load()), copy="%dict") if key is None else value
                           for key, value in pairs]
        slots = _slots(node)
        new = self.operands([getattr(owner, field) if i is None else getattr(owner, field)[i]
                             for owner, field, i in slots])
        for (owner, field, i), value in zip(slots, new, strict=True):
            if i is None:
                setattr(owner, field, value)
            else:
                getattr(owner, field)[i] = value
        if isinstance(node, gast.Dict):
            node.values = [value.value if key is None else value
                           for key, value in zip(node.keys, node.values, strict=True)]
        return node

    def operands(self, nodes: Sequence[Any]) -> list[Any]:
        """Operands in Python's order: what comes before a statement of ours, and could be changed by it,
        is kept under a name."""
        with self.before() as done:
            for node in nodes:
                done.append(self.next(node))
        return done

    def next(self, node: Any) -> Any:
        """The expression in the core language; what is pending is kept under names before the statements that it
        needs."""
        self.pending[-1].start = len(self.out or ())
        new = self.expr(node)
        out = self.out
        if out is None or not self.made:
            return new
        frames = [frame for frame in self.pending if frame.out is out]
        for i, frame in enumerate(frames):
            made = out[frame.start:]
            del out[frame.start:]
            frame.nodes[:] = [self._steady(one, made) for one in frame.nodes]
            more = len(out) - frame.start
            out += made
            for later in frames[i:]:
                later.start += more
        return new

    def _steady(self, node: Any, later: Sequence[gast.stmt]) -> Any:
        if isinstance(node, gast.Starred):                 # what it holds is taken now
            taken = node.value
            if not reads(taken).isdisjoint(names_in(later)):
                taken = call(getattr(node, "copy", "%tuple"), taken)
            node.value = self._steady(taken, later)
            return node
        if is_literal(node) or isinstance(node, gast.Constant) or self.object(node) is not MISSING \
                and not purity.may_be_set(self, node, later):
            return node
        if isinstance(node, gast.Name) and (node.id in self.objects or node.id not in containers.rebound(later)):
            return node                                    # a container, whatever it holds when it is read
        if functions.is_value(self, node) and not functions.given(self, node) \
                or isinstance(node, gast.Call) and yielding.started(self, node) is not None:    # a lambda, a method
            if isinstance(node, gast.Call):
                node.args = [self._steady(one, later) for one in node.args]
                for keyword in node.keywords:
                    keyword.value = self._steady(keyword.value, later)
            return node
        return load(self.kept(node, "value"))

    def tried(self, node: Any) -> tuple[Any, list[gast.stmt]]:
        """An expression that may not be evaluated, and what has to run before it where it is."""
        if self.out is None:
            return self.expr(node), []
        saved, self.out = self.out, []
        self.depth += 1
        new = self.expr(node)
        self.depth -= 1
        made, self.out = self.out, saved
        return new, made

    # ----------------------------------------------------------------- expressions that evaluate some of their operands
    def _walrus(self, node: gast.NamedExpr) -> gast.expr:
        self.statement(self.placed(gast.Assign([node.target], node.value, None)))
        return load(node.target.id)

    def _choice(self, node: gast.IfExp) -> gast.expr:
        node.test = self.expr(node.test)
        known = objects.truth(self, node.test)
        if known is not None:
            return self.expr(node.body if known else node.orelse)
        parts = [self.tried(part) for part in (node.body, node.orelse)]
        if not any(made or self._is_object(new) for new, made in parts):
            node.body, node.orelse = (new for new, _ in parts)
            return node
        name = self.temporary("choice")
        self.assigned.add(name)
        self.emit(gast.If(node.test, *(self._given_to(name, new, made) for new, made in parts)))
        return self.expr(load(name))

    def _is_object(self, node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id in self.objects

    def _given_to(self, name: str, value: Any, before: list[gast.stmt]) -> list[gast.stmt]:
        """The statements that give a name a value, after those that have to run before it."""
        return [*before, *self.block([self.placed(assign(name, value))])]

    def _boolean(self, node: gast.BoolOp) -> gast.expr:
        first, *rest = node.values
        first = self.expr(first)
        while rest and self._is_object(first) and (known := objects.truth(self, first)) is not None:
            if known == isinstance(node.op, gast.Or):
                return first
            first, rest = self.expr(rest[0]), rest[1:]
        parts = [self.tried(value) for value in rest]
        if not parts:
            return first
        if not any(made or self._is_object(new) for new, made in parts):
            node.values = [first, *(new for new, _ in parts)]
            return node
        name = self.temporary("choice")
        self.statement(self.placed(assign(name, first)))
        for new, made in parts:
            test: gast.expr = load(name)
            if isinstance(node.op, gast.Or):
                test = gast.UnaryOp(gast.Not(), test)
            self.emit(gast.If(test, self._given_to(name, new, made), []))
        return load(name)

    def _chain(self, node: gast.Compare) -> gast.expr:
        """`a < f() < g()`: g is called only where the first comparison holds."""
        left, right = self.operands([node.left, node.comparators[0]])
        parts = [self.tried(side) for side in node.comparators[1:]]
        if not any(made or objects.value_of(self, new) for new, made in [(left, ()), (right, ()), *parts]):
            node.left, node.comparators = left, [right, *(new for new, _ in parts)]
            return node
        name = self.temporary("choice")
        later = [stmt for _, made in parts for stmt in made]
        left, right = self._steady(left, later), self._steady(right, later)
        self.statement(self.placed(assign(name, gast.Compare(left, [node.ops[0]], [right]))))
        for op, (new, made) in zip(node.ops[1:], parts, strict=True):
            left, right = right, new if is_atom(new) and reads(new).isdisjoint(writes(later)) \
                else load(self.temporary("value"))
            value = [] if right is new else [assign(right.id, new)]
            compared = gast.Compare(clone(left), [op], [right])
            self.emit(gast.If(load(name), [*made, *value, *self.block([self.placed(assign(name, compared))])], []))
        return load(name)


def _slots(node: Any) -> list[tuple[Any, str, int | None]]:
    """The operands of a node in the order in which Python evaluates them: owner, field, place in a list."""
    found: list[tuple[Any, str, int | None]] = []
    parts: Any
    if isinstance(node, gast.Dict):
        for i in range(len(node.values)):
            found += [(node, "keys", i)] if node.keys[i] is not None else []
            found.append((node, "values", i))
        return found
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        found.append((node.func, "value", None))
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(node, gast.Call) and field == "func" and isinstance(value, (gast.Attribute, gast.Name)):
            continue
        parts = enumerate(value) if isinstance(value, list) else [(None, value)]
        for i, part in parts:
            if isinstance(part, (gast.Slice, gast.keyword, gast.FormattedValue, gast.comprehension)) \
                    or isinstance(part, gast.Tuple) and any(isinstance(item, gast.Slice) for item in part.elts):
                found += _slots(part)
            elif isinstance(part, (gast.expr, gast.Starred)) \
                    and not isinstance(getattr(part, "ctx", gast.Load()), (gast.Store, gast.Param)):
                found.append((node, field, i))
    return found
