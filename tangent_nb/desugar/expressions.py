"""Expressions in the core language.

Needs an expression of the text. Promises one that means the same in the core language, after the statements that have to run before it. All is
evaluated in Python's order and as often: what comes before such a statement, and could be changed by it, is kept under a name.

    a[i] + (i := f(x))           →        value = a[i]
                                          i = f(x)
                                          value + i
"""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import gast

from ..syntax.nodes import assign, clone, is_literal, load, nodes_in, store
from ..syntax.program import MISSING
from . import (
    attributes,
    by_pieces,
    calls,
    comprehensions,
    deques,
    dicts,
    factored,
    held,
    inlining,
    lists,
    methods,
    numbers,
    objects,
    outs,
    rows,
    sequences,
    unrolling,
)
from .scopes import COMPREHENSIONS
from .state import CannotHoistError, State
from .values import Meaning

RUNNING = (gast.Call, gast.Attribute, gast.BinOp, gast.UnaryOp, gast.Compare, gast.Subscript)     # what may run a method


class Expressions(State):
    """What expressions are in the core language. `_meaning` has a case for each that is sugar as a whole, `expr` for what evaluates some of its
    operands only."""

    @abstractmethod
    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        """Statements in the core language, as a block of their own."""

    def meaning(self, node: Any) -> Meaning | None:
        """What to write for a node, where it is sugar."""
        if isinstance(node, gast.Name):                    # what it holds changes from statement to statement
            return self._meaning(node)
        known = self.meanings.get(id(node))
        if known is None or known[0] is not node:
            known = self.meanings[id(node)] = node, self._meaning(node)
        return known[1]

    def _meaning(self, node: Any) -> Meaning | None:
        if isinstance(node, gast.NamedExpr):
            return Meaning(lambda: self._walrus(node))
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id in self.objects \
                and self.objects[node.id].prefix != node.id:
            return Meaning(lambda: gast.copy_location(load(self.objects[node.id].prefix), node), hoists=False)
        if self.places and held.asked(self, node) is not None:
            return Meaning(lambda: held.asked(self, node), hoists=False)
        if self.places and (copied := held.copied(self, node)) is not None:
            return Meaning(lambda: held.copy(self, node, copied))
        if isinstance(node, gast.ListComp) and self.places and self.key(node) in self.places and held.counts(self, node):
            return Meaning(lambda: held.comprehension(self, node))
        if isinstance(node, gast.ListComp) and unrolling.over_known(self, node):
            return Meaning(lambda: unrolling.comprehension(self, node))
        if isinstance(node, COMPREHENSIONS) and not isinstance(node, gast.GeneratorExp):     # a generator runs when it is asked
            return Meaning(lambda: comprehensions.unroll(self, node)) if comprehensions.unrolls(self, node) else None
        if isinstance(node, gast.Call):
            if self.places and self.key(node) in self.places and held.by_keywords(self, node):
                return Meaning(lambda: held.display(self, node))
            pinned = unrolling.pinned(self, node)
            if pinned is not None:
                return Meaning(lambda: self.expr(pinned()))
            found = unrolling.called(self, node) or methods.called(self, node) or deques.method(self, node) or dicts.changed(self, node) \
                or dicts.copied(self, node) or lists.meaning(self, node) or outs.called(self, node) \
                or numbers.called(self, node) or factored.called(self, node) or by_pieces.called(self, node) \
                or calls.meaning(self, node)
            if found is None and (objects.mentions(self, node) or self.object(node.func) is len and any(rows.reads(self, a) for a in node.args)):
                items = self.places and self.object(node.func) is not MISSING and not any(objects.value_at(self, arg) for arg in node.args)
                return Meaning(lambda: methods.operator(self, self._parts(node)), hoists=not items)
            return found
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
            if methods.is_super(self, node.value):
                return Meaning(lambda: methods.super_read(self, node))
            if objects.mentions(self, node.value):
                return Meaning(lambda: self._attribute(node), hoists=not self._is_variable(node))
            return numbers.attribute(self, node) or calls.attribute(self, node)
        if isinstance(node, gast.BinOp) and self.places and held.repeats(self, node):
            return Meaning(lambda: held.display(self, held.repeated(node)))
        if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Subscript)) \
                and isinstance(getattr(node, "ctx", gast.Load()), gast.Load) and (objects.touches(self, node) or objects.mentions(self, node)):
            return Meaning(lambda: methods.operator(self, self._parts(node)), hoists=not held.reads(self, node) and (
                objects.touches(self, node) or rows.reads(self, node)))
        if isinstance(node, gast.BinOp):
            return lists.operator(self, node)
        if isinstance(node, (gast.List, gast.Tuple, *((gast.Dict,) if self.places else ()))) \
                and isinstance(getattr(node, "ctx", gast.Load()), gast.Load):
            made = sequences.display(self, node)
            if made is not None:
                return made
        if isinstance(node, (gast.List, gast.Tuple, gast.Set)) and isinstance(getattr(node, "ctx", gast.Load()), gast.Load) \
                and any(isinstance(item, gast.Starred) for item in node.elts):
            return Meaning(lambda: comprehensions.joined(self, node))
        return None

    def sugared(self, node: Any) -> bool:
        """There is something to write in other words in an expression."""
        if node is None or isinstance(node, gast.Constant):
            return False
        if isinstance(node, gast.Name):
            return self.meaning(node) is not None
        if isinstance(node, list):
            return any(self.sugared(item) for item in node)
        if isinstance(node, (gast.expr, gast.Starred)) and self.meaning(node) is not None:
            return True
        return any(self.sugared(child) for child in gast.iter_child_nodes(node))

    def hoists(self, node: Any) -> bool:
        """Writing an expression in other words may put statements before it."""
        if not self.sugared(node):
            return False
        meaning = self.meaning(node) if isinstance(node, (gast.expr, gast.Starred)) else None
        return meaning is not None and meaning.hoists or any(self.hoists(child) for child in gast.iter_child_nodes(node))

    def expr(self, node: Any) -> Any:
        """The expression in the core language; what has to run before it is emitted."""
        if not self.sugared(node):
            return node
        meaning = self.meaning(node)
        if meaning is not None:
            saved, self.at = self.at, node if hasattr(node, "lineno") else self.at
            try:
                return self.placed(meaning.write())
            finally:
                self.at = saved
        if isinstance(node, gast.IfExp):
            return self._choice(node)
        if isinstance(node, gast.BoolOp):
            return self._boolean(node)
        if isinstance(node, gast.Compare) and len(node.ops) > 1 and any(map(self.sugared, node.comparators[1:])):
            return self._chain(node)
        if isinstance(node, (*COMPREHENSIONS, gast.Lambda)):
            return self._within(node)
        return self._parts(node)

    def given(self, node: gast.Call) -> gast.expr | None:
        return inlining.given(self, node)

    def _is_variable(self, node: gast.Attribute) -> bool:
        """An attribute of an object that is made here, and is no property."""
        value = objects.value_at(self, node.value)
        if value is not None:
            return node.attr in value.attributes
        return isinstance(node.value, gast.Attribute) and self._is_variable(node.value)

    def _attribute(self, node: gast.Attribute) -> gast.expr:
        base = self.expr(node.value)
        value = objects.value_of(self, base)
        if value is None:
            return gast.copy_location(gast.Attribute(base, node.attr, gast.Load()), node)
        return attributes.read(self, value, base, node.attr, node)

    def _within(self, node: Any) -> Any:
        """A comprehension or lambda that stays: calls in it are written in other words where that needs no statement before them."""
        saved, self.out = self.out, None
        names: Any = nodes_in(node)
        local, self.local = self.local, self.local | {n.id for n in names if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        try:
            return self._parts(node)
        except CannotHoistError:
            return node
        finally:
            self.out, self.local = saved, local

    # ------------------------------------------------------------------ operands
    def _parts(self, node: Any) -> Any:
        """A node with its operands in the core language."""
        slots = _slots(node)
        new = self.operands([getattr(owner, field) if i is None else getattr(owner, field)[i] for owner, field, i in slots])
        for (owner, field, i), value in zip(slots, new, strict=True):
            if i is None:
                setattr(owner, field, value)
            else:
                getattr(owner, field)[i] = value
        return node

    def operands(self, nodes: Sequence[Any]) -> list[Any]:
        """Operands in Python's order: what comes before a statement of ours, and could be changed by it, is kept under a name."""
        marked = [i for i, node in enumerate(nodes) if self.sugared(node)]
        last = marked[-1] if marked else -1
        done: list[Any] = []
        for i, node in enumerate(nodes):
            if i > last:
                done.append(node)
                continue
            new = self.expr(node)
            done.append(self._steady(new, nodes[i + 1:]) if i < last and self._hoists(nodes[i + 1:]) else new)
        return done

    def _hoists(self, nodes: Sequence[Any]) -> bool:
        """Writing these in other words may put statements before them."""
        return self.out is not None and any(self.hoists(node) for node in nodes)

    def _steady(self, node: Any, later: Sequence[Any]) -> Any:
        if isinstance(node, gast.Name) and node.id in self.objects and self.objects[node.id].prefix in self.apart \
                and any(isinstance(part, gast.NamedExpr) for one in later for part in nodes_in(one)):
            raise objects.escaped(self, node, self.objects[node.id])
        if is_literal(node) or isinstance(node, gast.Constant) or self.object(node) is not MISSING \
                or isinstance(node, gast.Name) and (node.id in self.objects or not self.rebinds(later, node.id)):
            return node
        if isinstance(node, gast.Starred):
            node.value = self._steady(node.value, later)
            return node
        return load(self.kept(node, "value"))

    def rebinds(self, nodes: Sequence[Any], name: str) -> bool:
        """An expression may bind a name of the function: by a walrus, or in a nested function that shares its variables."""
        for node in nodes:
            for part in nodes_in(node):
                if isinstance(part, gast.NamedExpr) and part.target.id == name:
                    return True
                if isinstance(part, gast.Name) and part.id in self.functions and self.functions[part.id].in_place:
                    return True
                if isinstance(part, gast.Name) and self.is_state(name) and part.id in self.functions \
                        and self.functions[part.id].fn in self.texts.made:
                    return True                            # a method that it calls may change the object
                if isinstance(part, RUNNING) and self.is_state(name) and objects.mentions(self, part):
                    return True
        return False

    # ------------------------------------------------------------------ expressions that evaluate some of their operands
    def _walrus(self, node: gast.NamedExpr) -> gast.expr:
        self.statement(self.placed(gast.Assign([node.target], node.value, None)))
        return load(node.target.id)

    def decided(self, node: Any) -> bool | None:
        """The truth of a test on what objects are: known from the text."""
        if not objects.settles(self, node):
            return None
        if isinstance(node, gast.Call) and objects.value_at(self, node.args[0]) is None:
            return objects.truth(self, methods.operator(self, clone(node)))
        return objects.truth(self, self.expr(clone(node)))

    def _choice(self, node: gast.IfExp) -> gast.expr:
        known = self.decided(node.test)
        if known is not None:
            return self.expr(node.body if known else node.orelse)
        test = self.expr(node.test)
        if not self.hoists(node.body) and not self.hoists(node.orelse) and not any(
                objects.value_at(self, part) for part in (node.body, node.orelse)):
            return gast.copy_location(gast.IfExp(test, self.expr(node.body), self.expr(node.orelse)), node)
        name = self.temporary("choice")
        self.assigned.add(name)
        branches = [self.block([self.placed(assign(name, part))]) for part in (node.body, node.orelse)]
        self.emit(gast.If(test, *branches))
        return self.expr(load(name))

    def _boolean(self, node: gast.BoolOp) -> gast.expr:
        if not any(self.hoists(part) for part in node.values[1:]):
            return self._parts(node)
        name = self.temporary("choice")
        self.statement(self.placed(assign(name, node.values[0])))
        for value in node.values[1:]:
            test: gast.expr = load(name)
            if isinstance(node.op, gast.Or):
                test = gast.UnaryOp(gast.Not(), test)
            self.statement(self.placed(gast.If(test, [self.placed(assign(name, value))], [])))
        return load(name)

    def _chain(self, node: gast.Compare) -> gast.expr:
        """`a < f() < g()`: g is called only where the first comparison holds."""
        sides = [node.left, *node.comparators]
        kept = [sides[0], *[gast.NamedExpr(store(self.temporary("value")), side) for side in sides[1:-1]], sides[-1]]
        tests = []
        for i, op in enumerate(node.ops):
            left = kept[i] if i == 0 else load(kept[i].target.id)
            tests.append(gast.Compare(left, [op], [kept[i + 1]]))
        return self.expr(self.placed(gast.BoolOp(gast.And(), tests)))


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
            elif isinstance(part, (gast.expr, gast.Starred)) and not isinstance(getattr(part, "ctx", gast.Load()), (gast.Store, gast.Param)):
                found.append((node, field, i))
    return found
