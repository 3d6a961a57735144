"""Expressions in normal form: each differentiable operation under a name of its own, its operands names and literals.

Needs an expression of the user's. Promises its value under a name, or as an operation on names, with what it is made of
emitted before it; what carries no derivative stays one expression.

    y = x * w if w > 0.0 else x      →      if w > 0.0:
                                                y = x * w
                                            else:
                                                y = x
"""
from __future__ import annotations

import types
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import gast

from ..analyse.both import reads_both
from ..analyse.displays import exchanged_items
from ..analyse.flow import mutation
from ..analyse.masks import Mask
from ..analyse.naming import base_name
from ..analyse.nested import ITSELF
from ..analyse.objects import may_be_object, may_do_more
from ..analyse.one_memory import roots
from ..analyse.receivers import kind_of
from ..analyse.resolve import Operation, sigmoid, squared
from ..rules import FIELD, VALUES, Rule
from ..syntax.building import assign, call, clone, exchanged, library, load, mark
from ..syntax.nodes import is_atom, is_literal, literal, reads, root_name, walk
from ..syntax.parts import carried
from .inline import inlinable, inlined
from .state import State
from .stores import lowered_display


class Expressions(State):
    """The expressions of one lowering."""

    def assign(self, name: str, value: gast.expr) -> None:
        """`name = value`, with the operations inside of `value` before it."""
        if not self.active(value):
            if not (hasattr(value, "inert") and inlined(self, value, name)):
                self._unvaried(name, value)
            return
        self.varied.add(name)
        if isinstance(value, gast.IfExp):
            self.choice([name], value, lambda part: self.assign(name, part))
            return
        if isinstance(value, gast.BoolOp):
            self._boolean(name, value)
            return
        if inlined(self, value, name):
            return
        rewritten = self.operation(value)
        if isinstance(rewritten, (gast.Name, gast.Subscript, gast.Attribute)) \
                and name in self.temporaries - self.in_turn and self._may_be_changed(rewritten):
            part = rewritten if isinstance(rewritten, gast.Name) else self.named(rewritten, value)
            self.emit(assign(name, library("rt.copy(x)", x=part)), shares=(part.id,))
            return
        if self._reads_both(rewritten, name):
            rewritten = self.named(rewritten, value)
        self.emit(assign(name, rewritten))

    def _reads_both(self, node: gast.expr, name: str) -> bool:
        """In `name = node`, a partial would read the value of `name` both before and after."""
        operation = self.scope.operation(node)
        return reads_both(operation, name, self._lies_in if name in self.mutated else lambda one: (one,)) \
            or operation.kind not in ("rule", "name") and name in reads(node)

    def choice(self, names: Collection[str], node: gast.IfExp, given: Callable[[gast.expr], None]) -> None:
        """`given(a)` or `given(b)` for `a if c else b`. names: those that are bound by it."""
        branches = [self.apart(partial(given, part)) for part in (node.body, node.orelse)]
        self.emit(gast.If(self.test(node.test, names), *branches))

    def test(self, test: gast.expr, changed: Collection[str]) -> gast.expr:
        """What decides a branch, kept where the backward sweep may not ask it again.
        changed: the names that are bound in the branches."""
        if self.reverse \
                and (reads(test) & {*changed, *self.mutated} or any(isinstance(n, gast.Call) for n in walk(test))
                     or may_do_more(test, self.scope) or may_be_object(test, self.scope) or self.asks_again(test)):
            return self.kept("condition", self.decided(test))
        return test

    def _boolean(self, name: str, node: gast.BoolOp) -> None:
        first, *rest = node.values
        result = name if name not in reads(node) else self.temporary("value")
        self.assign(result, first)
        for value in rest:
            body = self.apart(partial(self.assign, result, value))
            test: gast.expr = load(result) if isinstance(node.op, gast.And) else gast.UnaryOp(gast.Not(), load(result))
            changing = root_name(first) in self.mutated | self.containers
            condition = self.kept("condition", call("%bool", test) if changing else self.decided(test))
            self.emit(gast.If(condition, body, []))
        if result != name:
            self.emit(assign(name, load(result)))

    def decided(self, test: gast.expr) -> gast.expr:
        """A test whose value is kept: of a list that changes, whether it held anything."""
        parts = test.values if isinstance(test, gast.BoolOp) else [test]
        changing = any(isinstance(part, (gast.Name, gast.Subscript))
                       and root_name(part) in self.mutated | self.containers or self.may_grow(part) for part in parts)
        return call("%bool", test) if changing or may_be_object(test, self.scope) else test

    def value(self, node: gast.expr, *, keep: bool = False) -> gast.expr:
        """A name or literal with the value of `node`. keep: a name is copied if it may be bound again before it is
        read."""
        if isinstance(node, gast.Name) and not keep:
            return node
        if is_atom(node):
            return self.named(node, node) if isinstance(node, gast.Name) else node
        active = self.active(node)
        choice = active and isinstance(node, (gast.IfExp, gast.BoolOp))
        if choice or not active or isinstance(node, gast.Call) and inlinable(self, node) is not None:
            name = self.temporary("choice" if choice else base_name(node, self.scope))
            self.assign(name, node)
            if not active and self._is_at_hand(node):
                self.definitions[name] = node
            return load(name)
        return self.named(self.operation(node), node)

    def _is_at_hand(self, node: gast.expr) -> bool:
        """A part, or the length, of an array that stays as it is: the backward sweep can ask again."""
        if isinstance(node, gast.Call):
            base = node.args[0] if self.scope.builtin(node) == "len" and len(node.args) == 1 else None
        else:
            base = node.value if isinstance(node, gast.Subscript) and not any(
                isinstance(part, (gast.Call, gast.Attribute)) for part in walk(node.slice)) else None
        return isinstance(base, gast.Name) and base.id in self.arrays - self.mutated

    def item(self, node: gast.expr) -> gast.expr:
        """A name or literal for what is stored. What has no derivative is not read by the backward sweep,
        and stays a part of what it is a part of."""
        if self.active(node) or is_atom(node):
            return self.value(node)
        return self.kept(base_name(node, self.scope), self._taken(node))

    def stored(self, node: gast.expr) -> gast.expr:
        """What is stored in an array: of a list, an array, which has one cotangent."""
        if as_array(node) is node or not self.active(node):
            return self.item(node)
        listed = self.value(node)
        made = self.named(library("np.array(x)", x=listed), as_array(node))
        self.lists[made.id] = listed.id
        return made

    def _unvaried(self, name: str, node: gast.expr) -> None:
        """`name = node`, without a derivative: a copy where the backward sweep may read it after the array that it is a
        part of has changed."""
        changed = roots(node, self.scope) & self.mutated \
            if self.reverse and self.mutated and name in self.temporaries - self.in_turn else ()
        if changed:
            self.emit(assign(name, library("rt.copy(x)", x=self._taken(node))), shares=tuple(sorted(changed)))
        else:
            self.emit(assign(name, node))

    def named(self, rewritten: gast.expr, node: gast.expr) -> gast.Name:
        """A temporary for `rewritten`, called after `node`."""
        name = self.temporary(base_name(node, self.scope))
        self.definitions[name] = rewritten
        self.memory[name] = self._memory(rewritten)
        if self.active(rewritten):
            self.varied.add(name)
        self.emit(assign(name, rewritten))
        return load(name)

    def copied(self, node: gast.expr) -> gast.Name:
        """A temporary for a copy, whose memory is its own."""
        name = self.kept(root_name(node) or "copied", library("rt.copy(x)", x=node), shares=(root_name(node),))
        if self.active(node):
            self.varied.add(name.id)
        return name

    def index(self, node: gast.expr) -> gast.expr:
        """An index in which only names, numbers and their sums remain."""
        if isinstance(node, gast.Tuple):
            return gast.Tuple([self.index(part) for part in node.elts], gast.Load())
        if isinstance(node, gast.Slice):
            return gast.Slice(*[None if part is None else self.index(part)
                                for part in (node.lower, node.upper, node.step)])
        if isinstance(node, gast.BinOp):
            return gast.BinOp(self.index(node.left), node.op, self.index(node.right))
        if isinstance(node, gast.UnaryOp):
            return gast.UnaryOp(node.op, self.index(node.operand))
        if is_atom(node) or is_literal(node) or self.scope.value(node) is None:        # np.newaxis
            return node
        changed = roots(node, self.scope) & self.mutated
        return self.kept("index", library("rt.copy(x)", x=self._taken(node)) if changed else node)

    def _taken(self, node: gast.expr) -> gast.expr:
        """`L.pop()` as a statement of its own, which the backward sweep undoes."""
        return node if mutation(gast.Expr(node)) is None else self.kept("popped", node)

    def operation(self, node: gast.expr) -> gast.expr:
        """An active expression with its operands as names and literals."""
        if isinstance(node, gast.Name):
            return node
        operation = self.scope.operation(node)
        with self._masked(tuple(mask.under(operation.rule) for mask in self.masks)):
            return carried(self._operands(node, operation), node)

    @contextmanager
    def _masked(self, masks: tuple[Mask, ...]) -> Iterator[None]:
        saved, self.masks = self.masks, masks
        yield
        self.masks = saved

    def _operands(self, node: gast.expr, operation: Operation) -> gast.expr:
        if sigmoid(node, self.scope) is not None or squared(node, self.scope) is not None:
            bare = [id(node.left)] if isinstance(node, gast.BinOp) else []
            return exchanged(node, {id(part): self.value(self._of_list(part, operand=id(part) in bare))
                                    for part in operation.args.values()})
        if isinstance(node, gast.BinOp):
            left, right = as_array(node.left), as_array(node.right)
            if not isinstance(node.op, (gast.Add, gast.Mult)):         # a list is joined and repeated, and no more
                left, right = (self._of_list(self._bare(one, operation.rule, name), operand=True)
                               for one, name in zip((left, right), (*operation.args, "", ""), strict=False))
            return gast.BinOp(self._receiver(left, operation.rule), node.op, self._receiver(right, operation.rule))
        if isinstance(node, gast.UnaryOp):
            return gast.UnaryOp(node.op, self.value(node.operand))
        if isinstance(node, gast.Subscript):
            return gast.Subscript(self.value(node.value), self.index(node.slice), gast.Load())
        if isinstance(node, gast.Attribute):
            return gast.Attribute(self.value(node.value), node.attr, gast.Load())
        if operation.kind in ("container", "replaced"):
            return lowered_display(self, node, operation)
        if isinstance(node, gast.Call) and operation.rule is VALUES and isinstance(node.func, gast.Attribute):
            return library("rt.values(p)", p=self.value(operation.args["x"]))
        if isinstance(node, gast.Call) and operation.rule is FIELD and operation.fn is None:     # getattr(p, "w")
            return gast.Attribute(self.value(operation.args["x"]), literal(operation.args["name"]), gast.Load())
        if isinstance(node, gast.Call):
            return self._call(node, operation.rule,
                              operation.fn if operation.kind == "function" else operation.kind == "dynamic" or None)
        return node

    def _call(self, node: gast.Call, rule: Rule | None, function: Any) -> gast.expr:
        if rule is not None and rule.fn in (max, min) and len(node.args) > 2:
            node = gast.Call(node.func, [gast.Call(clone(node.func), node.args[:-1], []), node.args[-1]], [])
        popped = mutation(gast.Expr(node))
        func = node.func
        if popped is not None and popped[0] == "pop":
            return node
        of_value = isinstance(func, gast.Attribute) and (rule is None or self.scope.operation(node).fn is None) \
            and not isinstance(self.scope.value(func.value), (types.ModuleType, type))
        if of_value:
            func = gast.Attribute(self._receiver(func.value, rule), func.attr, gast.Load())
        elif rule is not None and rule.receiver and isinstance(func, gast.Call):
            func = self._receiver(func, rule)
        if rule is not None and not rule.converts:
            # of a method the first argument stands before the dot
            params = rule.params[of_value or rule.receiver and self.scope.value(node.func) is not rule.fn:]
            args = [self._array(arg, rule, name) for arg, name in zip(node.args, params, strict=False)]
            node = gast.Call(func, args + node.args[len(params):], [
                gast.keyword(k.arg, self._array(k.value, rule, rule.names.get(k.arg, k.arg))) for k in node.keywords])
        is_where = rule is not None and rule.name == "np.where"
        if rule is not None and rule.name == "rt.mask" and len(node.args) == 2:
            condition = self._argument(node.args[1], function)
            return gast.Call(func, [self._argument(node.args[0], function, Mask(condition, True)), condition], [])
        if not isinstance(func, gast.Attribute) and self.active(func):
            func = self.value(func)
        if self.mutated:
            node = self._with_copies(node, rule, function)
        args = []
        for i, arg in enumerate(node.args):
            masked = is_where and i in (1, 2) and self.active(arg) and isinstance(args[0], gast.Name)
            args.append(self._argument(arg, function, *([Mask(args[0], i == 1)] if masked else [])))
        keywords = [gast.keyword(k.arg, self._argument(k.value, function)) for k in node.keywords]
        if isinstance(function, types.FunctionType):
            self.called.append(function)
        new = gast.Call(func, args, keywords)
        return mark(new, returned=node.returned) if hasattr(node, "returned") else new

    def _receiver(self, node: gast.expr, rule: Rule | None) -> gast.expr:
        """The object whose method is called, or that is called itself, under a name that says its class."""
        value = self.value(node)
        kind = kind_of(node, self.scope) if rule is not None and rule.receiver else None
        return value if kind is None else mark(value, receiver=kind)

    def _array(self, node: gast.expr, rule: Rule, name: str | None) -> gast.expr:
        """A display in the place of an array is one, and where the texts compute with it a list in a variable,
        as it is now."""
        if isinstance(node, gast.Name) and rule.computes_with(name) and node.id not in self.scope.local \
                and isinstance(self.scope.value(node), (list, tuple)):
            return library("np.asarray(x)", x=node)
        if not rule.takes_array(name):
            return node
        if self.active(node) and self.outside.of(node) & ITSELF and rule.needs_array(name, tangents=not self.reverse):
            return library("np.asarray(x)", x=node)
        return as_array(node) if rule.of_lists else self._of_list(as_array(node))

    def _bare(self, node: gast.expr, rule: Rule | None, name: str) -> gast.expr:
        """An operand, an array where its tangent may be a list and would stand alone: `-dw` of `x - p["w"]`."""
        needs = not self.reverse and rule is not None and rule.bares_tangent(name) and self.active(node) \
            and self.outside.of(node) & ITSELF
        return library("rt.array_of_list(x)", x=node) if needs else node

    def _of_list(self, node: gast.expr, *, operand: bool = False) -> gast.expr:
        """The array of a variable that holds a list, or of a value that perhaps is one. operand: of an operator, which
        computes with a number in its own way."""
        if not self.active(node):
            return node
        name = node.id if isinstance(node, gast.Name) else ""
        if name in self.made_lists:
            return library("np.array(x)", x=node)
        if operand:
            return library("rt.array_of_list(x)", x=node) if self.nested.of(node) & ITSELF else node
        return library("np.asarray(x)", x=node) if name in self.perhaps_lists or self.nested.of(node) & ITSELF else node

    def _argument(self, node: gast.expr, function: Any, *masks: Mask) -> gast.expr:
        if masks:
            with self._masked((*self.masks, *masks)):
                return self._argument(node, function)
        if function is not None:
            atom = self.value(node)
            return self.copied(atom) if isinstance(atom, gast.Name) and self._may_be_changed(atom) else atom
        if self.active(node):
            return self.value(node)
        if is_literal(node) or is_atom(node) or isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
                and node.value.id not in self.scope.local:
            return node
        if isinstance(node, (gast.Tuple, gast.List)) and all(is_atom(item) for item in node.elts):
            return node
        return self.value(node)

    def _with_copies(self, node: gast.Call, rule: Rule | None, function: Any) -> gast.Call:
        """A call that is given displays, with copies in them of what is changed in place,
        where its adjoint reads their numbers."""
        kept = {id(arg): self._copied_in(arg) for name, arg in [
            *zip([*(rule.params if rule is not None else ()), *[""] * len(node.args)], node.args),
            *((k.arg if rule is None else rule.names.get(k.arg, k.arg), k.value) for k in node.keywords)]
                if isinstance(arg, (gast.Tuple, gast.List, gast.Dict)) and self.active(arg)
                and any(map(self._may_be_changed, map(load, reads(arg))))
                and (function is not None or rule is not None and rule.reads_numbers(name))}
        return exchanged(node, kept)

    def _copied_in(self, node: Any) -> Any:
        if isinstance(node, (gast.Tuple, gast.List, gast.Dict)):
            return exchanged_items(node, self._copied_in)
        atom = node if isinstance(node, gast.Starred) else self.value(node)
        return self.copied(atom) if isinstance(atom, gast.Name) and self._may_be_changed(atom) else atom

    def _lies_in(self, name: str) -> set[str]:
        """The names whose memory a name may share, or have a part of."""
        return {other for one in self._memory(load(name)) for other in self.shared.get(one, (one,))}

    def _may_be_changed(self, value: gast.expr) -> bool:
        """The object is changed in place somewhere: a callee, or a name of ours, must not keep it."""
        return not self.mutated.isdisjoint(self._memory(value))

    def _memory(self, value: gast.expr) -> frozenset[str]:
        """The names whose memory a value may share, temporaries seen through."""
        return frozenset(name for root in roots(value, self.scope) for name in self.memory.get(root, (root,)))


def as_array(node: gast.expr) -> gast.expr:
    """A display among arrays is an array."""
    if isinstance(node, (gast.List, gast.Tuple)) and node.elts:
        return library("np.array(x)", x=node)
    return node
