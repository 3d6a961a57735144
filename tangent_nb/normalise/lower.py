"""A-normal form: every differentiable operation stands alone, on names and literals.

Needs a body with one exit, and the names that are varied anywhere. Promises the normal form of docs/architecture.md;
expressions through which no derivative flows stay as the user wrote them. C. Flanagan et al., "The essence of compiling
with continuations" (1993).

    y = np.sin(x) * (x + n)      →      sin = np.sin(x)
                                        total = x + n
                                        y = sin * total
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gast

from .. import runtime
from ..analyse.flow import bound_in, inner_append, mutation
from ..analyse.leaving import always_leaves
from ..analyse.managers import lets_through
from ..analyse.records import updated_dict
from ..syntax.blocks import inserts
from ..syntax.building import assign, clone, constant, library, load, mark, origin_of, store
from ..syntax.nodes import is_atom, reads, root_name, taken_of, target_names
from .expressions import Expressions
from .loops import counted, lower_for
from .stores import appended, stored, stored_sum, updated


class Lowering(Expressions):
    """The statements of one lowering."""

    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        def lower() -> None:
            for stmt in body:
                self.statement(stmt)

        return self.apart(lower)

    def statement(self, stmt: gast.stmt) -> None:
        self.origin = origin_of(stmt) or self.origin
        if inserts(stmt):
            stmt.body = [mark(s, role="inserted") for s in stmt.body]
            self.out.append(stmt)
        elif type(stmt) in LOWERED:
            LOWERED[type(stmt)](self, stmt)
        else:
            self.out.append(mark(stmt, role="forward"))

    def _expression(self, stmt: gast.Expr) -> None:
        if (found := updated_dict(stmt, self.containers)) is not None:
            updated(self, *found)
            return
        if (grown := inner_append(stmt)) is not None and root_name(grown) in self.containers:
            appended(self, grown, stmt.value.args[0])
            return
        changed = mutation(stmt)
        if changed is not None and changed[0] == "pop":
            self.assign(self.temporary("popped"), stmt.value)
            return
        if changed is not None and (self.active(stmt.value) or any(self.active(arg) for arg in stmt.value.args)
                                    or changed[1] in self.varied):
            array = [self._base(stmt.value.args.pop(0))] if changed[0] == "add_at" else []
            stmt.value.args = array + [self.value(arg) if self.active(arg) or not is_atom(arg) and i != len(array) - 1
                                       else arg for i, arg in enumerate(stmt.value.args)]
        self.out.append(mark(stmt, role="forward"))

    def _return(self, stmt: gast.Return) -> None:
        value = stmt.value
        if not isinstance(value, gast.Name) or value.id not in self.scope.local:
            result = self.names.new(self.result)
            self.scope.local.add(result)
            self.assign(result, value if value is not None else gast.Constant(None, None))
            value = load(result)
        self.emit(gast.Return(value))

    def _assign(self, stmt: gast.Assign) -> None:
        value = stmt.value
        first = stmt.targets[0]
        if hasattr(stmt, "taken") and not self.active(value):
            self.emit(stmt)
        elif len(stmt.targets) > 1:
            if isinstance(first, gast.Name) and first.id not in {n for t in stmt.targets[1:] for n in reads(t)}:
                self.target(first, value)
                value = load(first.id)
                rest = stmt.targets[1:]
            else:
                value = self.value(value, keep=True)
                rest = stmt.targets
            for target in rest:
                self.target(target, clone(value))
        else:
            self.target(first, value)

    def target(self, target: gast.expr, value: gast.expr) -> None:
        """`target = value`."""
        if isinstance(target, gast.Name):
            self.assign(target.id, value)
        elif root_name(target) in self.containers and isinstance(target, (gast.Subscript, gast.Attribute)):
            stored(self, target, self.value(value))
        elif self._is_part(target):
            item = self.stored(value)
            if isinstance(item, gast.Name) and item.id == root_name(target):
                item = self.copied(item)              # a[:] = a: the cotangent of a goes to the copy
            marks = {"listed": self.lists[item.id]} if isinstance(item, gast.Name) and item.id in self.lists else {}
            self.emit(gast.Assign([self._place(target)], item, None), **marks)
        elif isinstance(target, (gast.Tuple, gast.List)):
            self._unpack(target, value)
        elif isinstance(target, gast.Attribute):
            self._stored_outside(target, value)
        else:
            self.emit(gast.Assign([target], value, None))

    def _is_part(self, target: gast.expr) -> bool:
        """A part of an array."""
        return isinstance(target, gast.Subscript) and root_name(target) not in self.containers

    def _place(self, target: gast.Subscript) -> gast.Subscript:
        return gast.Subscript(self._base(target.value), self.index(target.slice), gast.Store())

    def _base(self, node: Any) -> gast.expr:
        """What a part is taken of: a name, or a part of an array."""
        if isinstance(node, gast.Subscript):
            return gast.Subscript(self._base(node.value), self.index(node.slice), gast.Load())
        if isinstance(node, gast.Call) and taken_of(node) is not None:
            return gast.Call(gast.Attribute(self._base(taken_of(node)), node.func.attr, gast.Load()),
                             list(map(self.index, node.args)), [])
        return gast.Attribute(self._base(node.value), node.attr, gast.Load()) \
            if isinstance(node, gast.Attribute) else node

    def _unpack(self, target: Any, value: gast.expr) -> None:
        simple = all(isinstance(t, gast.Name) for t in target.elts)
        if not self.active(value) and simple:
            self.emit(gast.Assign([target], value, None))
            return
        if isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == len(target.elts):
            items = list(value.elts)
            if not simple or any(set(target_names(t)) & reads(items[i + 1:]) for i, t in enumerate(target.elts)):
                items = [self.value(item, keep=True) if isinstance(item, gast.Name) else
                         self.stored(item) if self._is_part(one) else self.item(item)
                         for one, item in zip(target.elts, items, strict=True)]
            for one, item in zip(target.elts, items, strict=True):
                self.target(one, item)
            return
        if not self.active(value):
            value = self.value(value, keep=True)
        if isinstance(value, gast.IfExp):
            self.choice(target_names(target), value, lambda part: self.target(clone(target), part))
            return
        if isinstance(value, gast.BoolOp):
            value = self.value(value)
        simple = simple and len(set(target_names(target))) == len(target.elts)
        flat = target if simple else gast.Tuple([store(self.temporary("item")) for _ in target.elts], gast.Store())
        rewritten = self.operation(value)
        if self.scope.operation(rewritten).kind == "each":             # one call for each argument
            for name, arg in zip(target_names(flat), rewritten.args, strict=False):
                self.assign(name, gast.Call(clone(rewritten.func), [arg], []))
        else:
            source = rewritten if isinstance(rewritten, gast.Name) else self.named(rewritten, value)
            if simple and source.id in target_names(flat):
                source = self.named(load(source.id), source)
            self.emit(gast.Assign([flat], source, None))
            self.varied.update(target_names(flat))
        if not simple:
            for one, name in zip(target.elts, target_names(flat), strict=True):
                self.target(one, load(name))

    def _stored_outside(self, target: gast.Attribute, value: gast.expr, *, number: bool = False) -> None:
        """What has a derivative is there when the forward sweep has ended, and so is what may change until then.
        number: an array would be changed in place, which is no new value."""
        of_active = self.active(target.value)
        if isinstance(value, gast.Call) and self.scope.value(value.func) is runtime.later:
            if of_active and len(value.args) == 4 and all(k.arg != "alike" for k in value.keywords):
                # the cotangent of the object is made later
                value.keywords = [*value.keywords, gast.keyword("alike", constant(True))]
        elif isinstance(value, gast.Constant) and not of_active:
            self._settable("check_settable", target, clone(value))
        else:
            fresh = isinstance(value, (gast.List, gast.Dict))
            varied = self.active(value) or of_active
            item = self.value(value) if varied else self.named(value, value)
            how = ", fresh=True" * fresh + ", constant=True" * (not varied) + ", alike=True" * of_active \
                + ", number=True" * number
            value = library(f"rt.later(x, name, value{how})", x=clone(target.value), name=constant(target.attr),
                            value=item)
        self.emit(gast.Assign([target], value, None), counts=True)

    def _settable(self, check: str, target: gast.Attribute, *assigned: gast.expr) -> None:
        """An attribute of an object that others hold may be assigned, where nothing else happens by that."""
        asked: Any = library(f"rt.{check}(x, name)", x=clone(target.value), name=constant(target.attr))
        asked.args += assigned
        self.emit(gast.Expr(asked), note="guard")

    def _augment(self, stmt: gast.AugAssign) -> None:
        target, value = stmt.target, stmt.value
        if isinstance(target, gast.Attribute) and root_name(target) not in self.containers:
            if self.active(value) or self.active(target.value) and not isinstance(stmt.op, (gast.Add, gast.Sub)):
                read = gast.Attribute(clone(target.value), target.attr, gast.Load())
                self._stored_outside(target, gast.BinOp(read, stmt.op, value), number=True)
                return
            self._settable("check_counter", target)
            self.emit(stmt, counts=True)
            return
        if isinstance(target, gast.Name):
            if target.id not in self.varied:
                self.emit(stmt)
                return
            item = self.value(value)
            if isinstance(item, gast.Name) and item.id != target.id and target.id in self._lies_in(item.id) \
                    and self._reads_both(gast.BinOp(load(target.id), stmt.op, item), target.id):
                item = self.copied(item)                   # a part of what changes, which is read when it has
            self.emit(gast.AugAssign(store(target.id), stmt.op, item))
            return
        if root_name(target) in self.containers:
            stored_sum(self, target, stmt.op, value)
            return
        if root_name(target) not in self.varied and not self.active(value):
            if isinstance(target, gast.Subscript) and self.reverse and reads(target.slice) & self.mutated:
                stmt = gast.AugAssign(gast.Subscript(target.value, self.index(target.slice), gast.Store()),
                                      stmt.op, value)
            self.emit(stmt)                                # what is restored is found by the same index
            return
        place = self._place(target)
        if isinstance(stmt.op, (gast.Add, gast.Sub)):
            item = self.item(value)
            if isinstance(item, gast.Name) and item.id in self.mutated:
                item = self.copied(item)
            self.emit(gast.AugAssign(place, stmt.op, item))
            return
        part = gast.Subscript(clone(place.value), clone(place.slice), gast.Load())
        read = self.named(part, target) if isinstance(place.value, gast.Name) else self.value(part)
        item = self.value(value)
        new = gast.BinOp(read, stmt.op, item)
        self.emit(gast.Assign([place], self.named(new, new), None))

    # ------------------------------------------------------------------ control flow
    def _if(self, stmt: gast.If) -> None:
        test = stmt.test
        body, orelse = self.block(stmt.body), self.block(stmt.orelse)
        bound = set().union(*(self.branches[id(one)][1] if id(one) in self.branches else bound_in(one)
                              for one in [*body, *orelse]))
        if not (len(body) == 1 and isinstance(body[0], gast.Break)):
            test = self.test(test, bound)
        new = gast.If(test, body or [gast.Pass()], orelse)
        self.branches[id(new)] = new, bound
        self.emit(new)

    def _while(self, stmt: gast.While) -> None:
        body = self.block(stmt.body)
        if self.reverse:
            counted(self, body)
        self.emit(gast.While(stmt.test, body, []))

    def _try(self, stmt: gast.Try) -> None:
        """`failed` says afterwards by which handler the `try` was left; those that raise again need none."""
        going = [handler for handler in stmt.handlers if not always_leaves(handler.body)]
        values = [True] if len(going) == 1 else list(range(1, len(going) + 1))
        failed = self.temporary("failed") if self.reverse and going else None
        if failed is not None:
            self.emit(assign(failed, gast.Constant(type(values[0])(0), None)), status=failed)
        body, handlers = self.block(stmt.body), []
        for handler in stmt.handlers:
            inside = self.block(handler.body)
            if failed is not None and handler in going:
                said = assign(failed, gast.Constant(values[going.index(handler)], None))
                inside.insert(0, mark(said, origin=self.origin, role="forward", status=failed))
            handlers.append(mark(gast.ExceptHandler(handler.type, handler.name, inside), origin=self.origin))
        new = gast.Try(body, handlers, self.block(stmt.orelse), [])
        for name in ("whole", "final"):
            if hasattr(stmt, name):
                setattr(new, name, getattr(stmt, name))
        self.emit(new, failed=failed)

    def _with(self, stmt: gast.With) -> None:
        """A manager that may swallow exceptions must not have done so: what follows would have a derivative of its
        own."""
        item = stmt.items[0]
        completed = None if lets_through(item.context_expr, self.scope) else self.temporary("completed")
        if completed is not None:
            self.emit(assign(completed, gast.Constant(False, None)), status=completed, stays=True)
        body = self.block(stmt.body)
        if completed is not None and not always_leaves(body):
            done = assign(completed, gast.Constant(True, None))
            body.append(mark(done, origin=self.origin, role="forward", status=completed))
        new = mark(gast.With(stmt.items, body, None), inserts=False)
        self.emit(mark(new, checked=True) if completed is not None else new)
        if completed is not None:
            self.emit(gast.Expr(library("rt.check_completed(done)", done=completed)), note="guard")


LOWERED: Mapping[type, Callable[[Lowering, Any], None]] = {
    gast.Assign: Lowering._assign, gast.AugAssign: Lowering._augment, gast.If: Lowering._if, gast.For: lower_for,
    gast.While: Lowering._while, gast.Return: Lowering._return, gast.Expr: Lowering._expression,
    gast.Try: Lowering._try, gast.With: Lowering._with}
