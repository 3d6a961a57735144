"""A-normal form: every differentiable operation stands alone, on names and literals.

Needs a body with one exit, and the names that are varied anywhere. Promises the normal form of docs/architecture.md; expressions through
which no derivative flows stay as the user wrote them. C. Flanagan et al., "The essence of compiling with continuations" (1993).

    y = np.sin(x) * (x + n)      →      sin = np.sin(x)
                                        total = x + n
                                        y = sin * total
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from ..analyse.activity import is_varied
from ..analyse.flow import bound_in, mutation, statement_access
from ..analyse.masks import Mask
from ..analyse.resolve import Operation, Scope, reads_both, sigmoid
from ..rules import Rule
from ..syntax.names import Names
from ..syntax.nodes import (
    assign,
    augment,
    body_without_docstring,
    call,
    clone,
    constant,
    expr,
    is_atom,
    is_literal,
    load,
    mark,
    origin_of,
    parameter_names,
    reads,
    root_name,
    statements,
    store,
    subscript,
    substitute,
    substitute_node,
    target_names,
    walk,
    writes,
)
from ..syntax.program import Captured

TEMPORARIES = {"Add": "total", "Sub": "difference", "Mult": "product", "Div": "quotient", "Mod": "remainder", "Pow": "power",
               "MatMult": "product", "FloorDiv": "quotient", "USub": "negative", "UAdd": "value"}
LONGEST_INLINED = 8            # statements
DEEPEST_INLINED = 6            # calls within calls
CONTAINERS = (np.array, np.asarray, np.asanyarray, np.ascontiguousarray)
Callee = Callable[[Any], "Captured | None"]


@dataclass
class Lowering:
    """State and settings of one lowering.

    callee: the captured function behind a function value; inline: the short ones are put in place; reverse: what only
    reverse mode needs is made too (conditions that are kept, trip counts).
    """

    scope: Scope
    names: Names
    varied: set[str]
    callee: Callee
    inline: bool
    reverse: bool
    mutated: set[str]
    temporaries: set[str] = field(default_factory=set)
    inlined: list[Any] = field(default_factory=list)
    called: list[Any] = field(default_factory=list)
    local: set[str] = field(default_factory=set)
    out: list[gast.stmt] = field(default_factory=list)
    origin: Any = None
    mask: Mask | None = None
    stack: tuple[Any, ...] = ()

    # ------------------------------------------------------------------ statements
    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        saved, self.out = self.out, []
        for stmt in body:
            self.statement(stmt)
        done, self.out = self.out, saved
        return done

    def emit(self, stmt: gast.stmt, **marks: Any) -> None:
        if self.mask is not None:
            marks["mask"] = self.mask
        self.out.append(mark(stmt, origin=self.origin, role="forward", **marks))

    def statement(self, stmt: gast.stmt) -> None:
        self.origin = origin_of(stmt) or self.origin
        if isinstance(stmt, gast.AnnAssign):
            if stmt.value is None:
                return
            new = gast.Assign([stmt.target], stmt.value, None)
            stmt = mark(new, origin=self.origin)
        if isinstance(stmt, gast.Assign):
            self._assign(stmt)
        elif isinstance(stmt, gast.AugAssign):
            self._augment(stmt)
        elif isinstance(stmt, gast.If):
            self._if(stmt)
        elif isinstance(stmt, gast.For):
            self._for(stmt)
        elif isinstance(stmt, gast.While):
            self._while(stmt)
        elif isinstance(stmt, gast.Return):
            self._return(stmt)
        elif isinstance(stmt, gast.Expr):
            self._expression(stmt)
        elif isinstance(stmt, gast.With):
            stmt.body = [mark(s, role="inserted") for s in stmt.body]
            self.out.append(stmt)
        else:
            self.out.append(mark(stmt, role="forward"))

    def _expression(self, stmt: gast.Expr) -> None:
        changed = mutation(stmt)
        if changed is not None and changed[0] == "pop":
            self.assign(self.temporary("popped"), stmt.value)
            return
        if changed is not None and (self.active(stmt.value) or any(self.active(arg) for arg in stmt.value.args)
                                    or changed[1] in self.varied):
            stmt.value.args = [self.value(arg) if self.active(arg) or not is_atom(arg) and i != 1 else arg
                               for i, arg in enumerate(stmt.value.args)]
        self.out.append(mark(stmt, role="forward"))

    def _return(self, stmt: gast.Return) -> None:
        value = stmt.value
        if not isinstance(value, gast.Name) or value.id not in self.local:
            result = self.names.new(self.result_name)
            self.local.add(result)
            self.assign(result, value if value is not None else gast.Constant(None, None))
            value = load(result)
        self.emit(gast.Return(value))

    result_name = "result"

    def _assign(self, stmt: gast.Assign) -> None:
        value = stmt.value
        first = stmt.targets[0]
        if len(stmt.targets) > 1:
            if isinstance(first, gast.Name) and first.id not in {n for t in stmt.targets[1:] for n in reads(t)}:
                self._target(first, value)
                value = load(first.id)
                rest = stmt.targets[1:]
            else:
                value = self.value(value, keep=True)
                rest = stmt.targets
            for target in rest:
                self._target(target, clone(value))
        else:
            self._target(first, value)

    def _target(self, target: gast.expr, value: gast.expr) -> None:
        """`target = value`."""
        if isinstance(target, gast.Name):
            self.assign(target.id, value)
        elif isinstance(target, gast.Subscript):
            item = self.value(value) if self.active(value) or not is_atom(value) else value
            if isinstance(item, gast.Name) and item.id == root_name(target):
                item = self._copied(item)              # a[:] = a: the cotangent of a goes to the copy
            self.emit(gast.Assign([self._place(target)], item, None))
        elif isinstance(target, (gast.Tuple, gast.List)):
            self._unpack(target, value)
        else:
            self.emit(gast.Assign([target], value, None))

    def _place(self, target: gast.Subscript) -> gast.Subscript:
        return gast.Subscript(target.value, self.index(target.slice), gast.Store())

    def _unpack(self, target: Any, value: gast.expr) -> None:
        if isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == len(target.elts):
            simple = all(isinstance(t, gast.Name) for t in target.elts)
            if not self.active(value) and simple:
                self.emit(gast.Assign([target], value, None))
                return
            items = list(value.elts)
            if not simple or any(set(target_names(t)) & reads(items[i + 1:]) for i, t in enumerate(target.elts)):
                items = [self.value(item, keep=isinstance(item, gast.Name)) for item in items]
            for one, item in zip(target.elts, items, strict=True):
                self._target(one, item)
            return
        if not self.active(value):
            if all(isinstance(t, gast.Name) for t in target.elts):
                self.emit(gast.Assign([target], value, None))
                return
            value = self.value(value, keep=True)
        simple = all(isinstance(t, gast.Name) for t in target.elts) and len(set(target_names(target))) == len(target.elts)
        flat = target if simple else gast.Tuple([store(self.temporary("item")) for _ in target.elts], gast.Store())
        rewritten = self.operation(value)
        split = self._differentiable_call(rewritten)
        if split is not None:
            for name, part in zip(target_names(flat), split, strict=False):
                self.assign(name, part)
        else:
            source = rewritten if isinstance(rewritten, gast.Name) else self._named(rewritten, value)
            if simple and source.id in target_names(flat):
                source = self._named(load(source.id), source)
            self.emit(gast.Assign([flat], source, None))
            self.varied.update(target_names(flat))
        if not simple:
            for one, name in zip(target.elts, target_names(flat), strict=True):
                self._target(one, load(name))

    def _differentiable_call(self, node: gast.expr) -> list[gast.expr] | None:
        """`rt.differentiable(x, y)` as one call for each argument."""
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "differentiable" \
                and len(node.args) > 1 and self.scope.operation(gast.Call(node.func, node.args[:1], [])).kind == "rule":
            return [gast.Call(clone(node.func), [arg], []) for arg in node.args]
        return None

    def _calls(self, node: gast.expr) -> bool:
        return any(isinstance(part, gast.Call) and self.scope.operation(part).kind in ("function", "unknown")
                   for part in walk(node))

    def _augment(self, stmt: gast.AugAssign) -> None:
        target, value = stmt.target, stmt.value
        if isinstance(target, gast.Name):
            if target.id not in self.varied:
                self.emit(stmt)
                return
            item = self.value(value)
            self.emit(gast.AugAssign(store(target.id), stmt.op, item))
            return
        if root_name(target) not in self.varied and not self.active(value):
            self.emit(stmt)
            return
        place = self._place(target)
        if isinstance(stmt.op, (gast.Add, gast.Sub)):
            item = self.value(value)
            if isinstance(item, gast.Name) and item.id in self.mutated:
                item = self._copied(item)
            self.emit(gast.AugAssign(place, stmt.op, item))
            return
        read = self._named(gast.Subscript(clone(place.value), clone(place.slice), gast.Load()), target)
        item = self.value(value)
        self.emit(gast.Assign([place], self._named(gast.BinOp(read, stmt.op, item), stmt.value), None))

    # ------------------------------------------------------------------ control flow
    def _if(self, stmt: gast.If) -> None:
        origin = self.origin
        test = self._test(stmt.test)
        body, orelse = self.block(stmt.body), self.block(stmt.orelse)
        self.origin = origin
        if self.reverse and not (len(body) == 1 and isinstance(body[0], gast.Break)):
            changed = bound_in(*body, *orelse)
            if not is_atom(test) and (reads(test) & (changed | self.mutated) or any(isinstance(n, gast.Call) for n in walk(test))) \
                    or is_atom(test) and reads(test) & changed:
                name = self.temporary("condition")
                self.emit(assign(name, test))
                test = load(name)
        self.emit(gast.If(test, body or [gast.Pass()], orelse))

    def _test(self, test: gast.expr) -> gast.expr:
        """A test as it is; one that is itself differentiable (`if x:`) is read as a number."""
        return test

    def _while(self, stmt: gast.While) -> None:
        origin = self.origin
        body = self.block(stmt.body)
        self.origin = origin
        if self.reverse:
            self._counted(body)
        self.emit(gast.While(stmt.test, body, []))

    def _counted(self, body: list[gast.stmt]) -> None:
        """Count the trips of a loop in `body`, after its first breaks; the loop is emitted next."""
        trips = self.temporary("trips")
        self.emit(assign(trips, gast.Constant(0, None)))
        place = 0
        while place < len(body) and is_break(body[place]):
            place += 1
        body.insert(place, mark(augment(trips, gast.Add(), gast.Constant(1, None)), origin=self.origin, role="forward", count=trips))

    def _for(self, stmt: gast.For) -> None:
        origin = self.origin
        pairs: list[tuple[gast.expr, gast.expr]] = []
        target, iterable = stmt.target, stmt.iter
        if self._iterates_active(iterable):
            target, iterable = self._indexed(stmt, pairs)
        elif self.reverse:
            iterable = self._repeatable(iterable)
        rebound = {name for s in statements(stmt.body) for name in _bound(s)}
        if rebound & set(target_names(target)):
            fresh = {name: self.temporary(name) for name in target_names(target)}
            pairs = [(store(name), load(new)) for name, new in fresh.items()] + pairs
            target = clone(target)
            for node in walk(target):
                if isinstance(node, gast.Name):
                    node.id = fresh[node.id]
        saved, self.out = self.out, []
        for place, item in pairs:
            self._target(place, item)
        for one in stmt.body:
            self.statement(one)
        body, self.out = self.out, saved
        self.origin = origin
        if self.reverse and reads(iterable) & (bound_in(*body) | set(target_names(target))):
            name = self.temporary("steps")
            self.emit(assign(name, iterable))
            iterable = load(name)
        if self.reverse and any(is_break(s) for s in body):
            self._counted(body)
        self.emit(gast.For(target, iterable, body, [], None))

    def _iterates_active(self, node: gast.expr) -> bool:
        if self._builtin(node) in ("zip", "enumerate", "reversed", "list", "tuple"):
            return any(self._iterates_active(arg) for arg in node.args)
        return self.active(node)

    def _builtin(self, node: gast.AST) -> str:
        """The name of the builtin that is called."""
        if isinstance(node, gast.Call):
            value = self.scope.value(node.func)
            if value in (zip, enumerate, reversed, list, range, tuple) if isinstance(value, type) else False:
                return str(value.__name__)
        return ""

    def _repeatable(self, iterable: gast.expr) -> gast.expr:
        """An iterable that is inactive, so that it can be gone through again, backward."""
        kind = self._builtin(iterable)
        if kind == "range" or isinstance(iterable, (gast.List, gast.Tuple)):
            return iterable
        if kind == "reversed" and self._builtin(iterable.args[0]) == "range":
            iterable = call("%list", iterable)
        elif kind != "list":
            iterable = call("%list", iterable)
        name = self.temporary("items")
        self.emit(assign(name, iterable))
        return load(name)

    def _indexed(self, stmt: gast.For, pairs: list[tuple[gast.expr, gast.expr]]) -> tuple[gast.expr, gast.expr]:
        """`for a in x` over something differentiable, as a loop over its indices; what the target is bound to goes into `pairs`."""
        lengths: list[gast.expr] = []
        rebound = {name for s in statements(stmt.body) for name in _bound(s)}
        backward = self._builtin(stmt.iter) == "reversed"
        iterable = stmt.iter.args[0] if backward else stmt.iter
        counter: list[str] = []
        self.rebound = rebound | set(target_names(stmt.target))
        if self._builtin(iterable) == "enumerate" and len(iterable.args) == 1 and isinstance(stmt.target, gast.Tuple) \
                and isinstance(stmt.target.elts[0], gast.Name) and stmt.target.elts[0].id not in rebound:
            counter.append(stmt.target.elts[0].id)
        index = counter[0] if counter else self.temporary("k")
        self._match(stmt.target, iterable, index, pairs, lengths)
        length = lengths[0] if len(lengths) == 1 else call("%min", *lengths)
        steps: gast.expr = call("%range", length)
        if backward:
            steps = call("%reversed", steps) if not self.reverse else call(
                "%range", gast.BinOp(length, gast.Sub(), constant(1)), constant(-1), constant(-1))
        return store(index), steps

    def _match(self, target: gast.expr, iterable: gast.expr, index: str, pairs: list[tuple[gast.expr, gast.expr]],
               lengths: list[gast.expr]) -> None:
        kind = self._builtin(iterable)
        if kind == "zip":
            if isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == len(iterable.args):
                for one, source in zip(target.elts, iterable.args, strict=True):
                    self._match(one, source, index, pairs, lengths)
                return
            parts = []
            for source in iterable.args:
                name = self.temporary("item")
                self._match(store(name), source, index, pairs, lengths)
                parts.append(load(name))
            pairs.append((target, gast.Tuple(parts, gast.Load())))
            return
        if kind == "enumerate":
            start = iterable.args[1] if len(iterable.args) > 1 else next((k.value for k in iterable.keywords), None)
            count = load(index) if start is None else gast.BinOp(load(index), gast.Add(), start)
            if isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == 2:
                if not (isinstance(target.elts[0], gast.Name) and target.elts[0].id == index):
                    pairs.append((target.elts[0], count))
                self._match(target.elts[1], iterable.args[0], index, pairs, lengths)
            else:
                name = self.temporary("item")
                self._match(store(name), iterable.args[0], index, pairs, lengths)
                pairs.append((target, gast.Tuple([count, load(name)], gast.Load())))
            return
        if kind in ("list", "tuple") and len(iterable.args) == 1:
            iterable = iterable.args[0]
        if kind == "reversed":
            backward = gast.Slice(None, None, constant(-1))
            iterable = gast.Subscript(iterable.args[0], backward, gast.Load())
        if self._builtin(iterable) == "range" and len(iterable.args) == 1 and is_atom(iterable.args[0]):
            lengths.append(iterable.args[0])
            pairs.append((target, load(index)))
            return
        if not isinstance(iterable, gast.Name):
            sequence = iterable
            if not self.active(iterable) and not isinstance(iterable, (gast.List, gast.Tuple)):
                sequence = call("%list", iterable)
            name = self._kept_items(sequence)
            iterable = load(name)
        elif iterable.id in self.rebound:
            iterable = load(self._kept_items(load(iterable.id)))
        elif not self.active(iterable):
            name = self.temporary("items")
            self.emit(assign(name, call("%list", iterable)))
            iterable = load(name)
        lengths.append(call("%len", iterable))
        pairs.append((target, subscript(clone(iterable), load(index))))

    def _kept_items(self, sequence: gast.expr) -> str:
        """A name for what a loop goes over; it is judged as a variable of the user's: what it shares must not be changed."""
        name = self.temporary("items")
        self.temporaries.discard(name)
        self.assign(name, sequence)
        return name

    # ------------------------------------------------------------------ expressions
    def active(self, node: gast.expr) -> bool:
        return is_varied(node, self.varied.__contains__, self.scope)

    def temporary(self, base: str) -> str:
        name = self.names.new(base)
        self.temporaries.add(name)
        self.local.add(name)
        return name

    def assign(self, name: str, value: gast.expr) -> None:
        """`name = value`, with the operations inside of `value` before it."""
        if not self.active(value):
            self.emit(assign(name, value))
            return
        self.varied.add(name)
        if isinstance(value, gast.Name) and name in self.temporaries and self._may_be_changed(value.id):
            self.emit(assign(name, expr("rt.copy(x)", x=value, rt="%rt")), shares=value.id)
            return
        if isinstance(value, gast.IfExp):
            self._choice(name, value)
            return
        if isinstance(value, gast.BoolOp):
            self._boolean(name, value)
            return
        if self._inlined(value, name):
            return
        rewritten = self.operation(value)
        if self._reads_both(rewritten, name):
            rewritten = self._named(rewritten, value)
        self.emit(assign(name, rewritten))

    def _reads_both(self, node: gast.expr, name: str) -> bool:
        """In `name = node`, a partial would read the value of `name` both before and after."""
        operation = self.scope.operation(node)
        return reads_both(operation, name) or operation.kind not in ("rule", "name") and name in reads(node)

    def _choice(self, name: str, node: gast.IfExp) -> None:
        origin = self.origin
        branches = []
        for part in (node.body, node.orelse):
            saved, self.out = self.out, []
            self.assign(name, part)
            branches.append(self.out)
            self.out = saved
        self.origin = origin
        test = node.test
        if self.reverse and (name in reads(test) or any(isinstance(n, gast.Call) for n in walk(test))
                             or reads(test) & self.mutated):
            condition = self.temporary("condition")
            self.emit(assign(condition, test))
            test = load(condition)
        self.emit(gast.If(test, *branches))

    def _boolean(self, name: str, node: gast.BoolOp) -> None:
        first, *rest = node.values
        result = name if name not in reads(node) else self.temporary("value")
        self.assign(result, first)
        for value in rest:
            saved, self.out = self.out, []
            self.assign(result, value)
            body, self.out = self.out, saved
            test: gast.expr = load(result) if isinstance(node.op, gast.And) else gast.UnaryOp(gast.Not(), load(result))
            condition = self.temporary("condition")
            self.emit(assign(condition, test))
            self.emit(gast.If(load(condition), body, []))
        if result != name:
            self.emit(assign(name, load(result)))

    def value(self, node: gast.expr, *, keep: bool = False) -> gast.expr:
        """A name or literal with the value of `node`. keep: a name is copied if it may be bound again before it is read."""
        if isinstance(node, gast.Name) and not keep:
            return node
        if is_atom(node):
            return self._named(node, node) if isinstance(node, gast.Name) else node
        if not self.active(node):
            name = self.temporary(self._base(node))
            self.emit(assign(name, node))
            return load(name)
        if isinstance(node, (gast.IfExp, gast.BoolOp)):
            name = self.temporary("choice")
            self.assign(name, node)
            return load(name)
        if isinstance(node, gast.Call) and self._can_inline(node) is not None:
            name = self.temporary(self._base(node))
            self.assign(name, node)
            return load(name)
        return self._named(self.operation(node), node)

    def _named(self, rewritten: gast.expr, node: gast.expr) -> gast.Name:
        name = self.temporary(self._base(node))
        self.definitions[name] = rewritten
        if isinstance(rewritten, (gast.Subscript, gast.Attribute)):
            self.views[name] = self.views.get(root_name(rewritten) or "", root_name(rewritten) or "")
        if self.active(rewritten):
            self.varied.add(name)
        self.emit(assign(name, rewritten))
        return load(name)

    def _copied(self, node: gast.expr) -> gast.Name:
        name = self.temporary(root_name(node) or "copied")
        if self.active(node):
            self.varied.add(name)
        self.emit(assign(name, expr("rt.copy(x)", x=node, rt="%rt")), shares=root_name(node))
        return load(name)

    def _base(self, node: gast.AST) -> str:
        if isinstance(node, (gast.BinOp, gast.UnaryOp)):
            return TEMPORARIES.get(type(node.op).__name__, "value")
        if isinstance(node, gast.Call):
            name = node.func.attr if isinstance(node.func, gast.Attribute) else getattr(node.func, "id", "value")
            return "total" if name == "sum" else name if not name.startswith("_") else name.strip("_") or "value"
        if isinstance(node, gast.Subscript):
            return "part" if any(isinstance(n, gast.Slice) for n in walk(node.slice)) else "item"
        if isinstance(node, gast.Compare):
            return "condition"
        if isinstance(node, gast.Name):
            return str(node.id)
        if isinstance(node, (gast.Tuple, gast.List)):
            return "items"
        return "transposed" if isinstance(node, gast.Attribute) and node.attr == "T" else "value"

    def index(self, node: gast.expr) -> gast.expr:
        """An index in which only names, numbers and their sums remain."""
        if isinstance(node, gast.Tuple):
            return gast.Tuple([self.index(part) for part in node.elts], gast.Load())
        if isinstance(node, gast.Slice):
            return gast.Slice(*[None if part is None else self.index(part) for part in (node.lower, node.upper, node.step)])
        if isinstance(node, gast.BinOp):
            return gast.BinOp(self.index(node.left), node.op, self.index(node.right))
        if isinstance(node, gast.UnaryOp):
            return gast.UnaryOp(node.op, self.index(node.operand))
        if is_atom(node) or is_literal(node):
            return node
        name = self.temporary("index")
        self.emit(assign(name, node))
        return load(name)

    def operation(self, node: gast.expr) -> gast.expr:
        """An active expression with its operands as names and literals."""
        if isinstance(node, gast.Name):
            return node
        operation = self.scope.operation(node)
        with self._masked(self.mask and self.mask.under(operation.rule)):
            return self._operands(node, operation)

    @contextmanager
    def _masked(self, mask: Mask | None) -> Iterator[None]:
        saved, self.mask = self.mask, mask
        yield
        self.mask = saved

    def _operands(self, node: gast.expr, operation: Operation) -> gast.expr:
        inner = sigmoid(node, self.scope)
        if inner is not None:
            atom = self.value(inner)
            return substitute_node(node, inner, atom)
        if isinstance(node, gast.BinOp):
            left = self.value(_array(node.left), keep=self._calls(node.right))
            return gast.BinOp(left, node.op, self.value(_array(node.right)))
        if isinstance(node, gast.UnaryOp):
            return gast.UnaryOp(node.op, self.value(node.operand))
        if isinstance(node, gast.Subscript):
            return gast.Subscript(self.value(node.value), self.index(node.slice), gast.Load())
        if isinstance(node, gast.Attribute):
            return gast.Attribute(self.value(node.value), node.attr, gast.Load())
        if isinstance(node, (gast.Tuple, gast.List)):
            return type(node)([self.value(item) for item in node.elts], gast.Load())
        if isinstance(node, gast.Call):
            return self._call(node, operation.rule, operation.fn if operation.kind == "function" else None)
        return node

    def _call(self, node: gast.Call, rule: Rule | None, function: Any) -> gast.expr:
        if rule is not None and rule.fn in (max, min) and len(node.args) > 2:
            node = gast.Call(node.func, [gast.Call(clone(node.func), node.args[:-1], []), node.args[-1]], [])
        popped = mutation(gast.Expr(node))
        func = node.func
        if popped is not None and popped[0] == "pop":
            return node
        if isinstance(func, gast.Attribute) and (rule is None or self.scope.operation(node).fn is None) \
                and not isinstance(self.scope.value(func.value), types.ModuleType):
            func = gast.Attribute(self.value(func.value), func.attr, gast.Load())
        if rule is not None and rule.fn not in CONTAINERS and rule.name.startswith("np."):
            node = gast.Call(func, [_array(arg) if name in rule.active_params and name != "arrays" else arg
                                    for arg, name in zip(node.args, rule.params, strict=False)] + node.args[len(rule.params):], node.keywords)
        is_where = rule is not None and rule.name == "np.where"
        if rule is not None and rule.name == "rt.mask" and self.mask is None and len(node.args) == 2:
            condition = self._argument(node.args[1], rule, function)
            with self._masked(Mask(condition, True)):
                masked = self._argument(node.args[0], rule, function)
            return gast.Call(func, [masked, condition], [])
        args: list[gast.expr] = []
        for i, arg in enumerate(node.args):
            if is_where and i in (1, 2) and self.active(arg) and self.mask is None and isinstance(args[0], gast.Name):
                with self._masked(Mask(args[0], i == 1)):
                    args.append(self._argument(arg, rule, function))
            else:
                args.append(self._argument(arg, rule, function))
        keywords = [gast.keyword(k.arg, self._argument(k.value, rule, function)) for k in node.keywords]
        if function is not None:
            self.called.append(function)
        return gast.Call(func, args, keywords)

    def _argument(self, node: gast.expr, rule: Rule | None, function: Any) -> gast.expr:
        if function is not None:
            atom = self.value(node)
            return self._copied(atom) if isinstance(atom, gast.Name) and self._may_be_changed(atom.id) else atom
        if self.active(node):
            return self.value(node)
        if is_literal(node) or is_atom(node) or isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
                and node.value.id not in self.local:
            return node
        if isinstance(node, (gast.Tuple, gast.List)) and all(is_atom(item) for item in node.elts):
            return node
        return self.value(node)

    def _may_be_changed(self, name: str) -> bool:
        """The object is changed in place somewhere: a callee must not keep it."""
        return name in self.mutated or self.views.get(name, "") in self.mutated

    views_of: dict[str, gast.expr] = field(default_factory=dict)   # the user's names for parts that stay what they are
    rebound: set[str] = field(default_factory=set)
    views: dict[str, str] = field(default_factory=dict)            # of temporaries: the name whose memory they may share
    definitions: dict[str, gast.expr] = field(default_factory=dict)

    # ------------------------------------------------------------------ short callees in place
    def _can_inline(self, node: gast.Call) -> tuple[Captured, dict[str, gast.expr]] | None:
        if not self.inline or len(self.stack) >= DEEPEST_INLINED:
            return None
        operation = self.scope.operation(node)
        if operation.kind != "function" or operation.fn in self.stack:
            return None
        captured = self.callee(operation.fn)
        if captured is None or captured.namespace.globals is not self.scope.namespace.globals or captured.namespace.cells:
            return None
        body = body_without_docstring(captured.tree)
        if not body or len(body) > LONGEST_INLINED or not isinstance(body[-1], gast.Return) or body[-1].value is None:
            return None
        if not all(isinstance(s, gast.Assign) and all(target_names(t) and not _parts(t) for t in s.targets) for s in body[:-1]):
            return None
        bound = _bind(captured, node)
        locals_ = writes(captured.tree)
        if bound is None or (reads(body) - locals_) & self.local or any(a in self.mutated for v in bound.values() for a in reads(v)):
            return None
        return captured, bound

    def _inlined(self, node: gast.expr, name: str) -> bool:
        """Put the body of a short callee in the place of its call, its value under `name`."""
        found = self._can_inline(node) if isinstance(node, gast.Call) else None
        if found is None:
            return False
        captured, bound = found
        self.inlined.append(captured.fn)
        outer, stack = self.origin, self.stack
        body = clone(body_without_docstring(captured.tree))
        assigned = {n for s in body for n in writes(s)}
        trees: dict[str, gast.expr] = {}
        for parameter, arg in bound.items():
            atom = self.value(arg)
            if parameter in assigned or (isinstance(atom, gast.Name) and atom.id == name and len(body) > 1):
                new = self.temporary(parameter)
                self.assign(new, atom)
                trees[parameter] = load(new)
            else:
                trees[parameter] = atom
        self.stack = (*stack, captured.fn)
        renamed = {n: trees[n].id if n in trees else self.temporary(n) for n in sorted(assigned)}
        for stmt in body:
            for part in walk(stmt):
                if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load):
                    part.id = renamed[part.id]
            trees.update({n: load(new) for n, new in renamed.items()})
            self.origin = origin_of(stmt)
            if isinstance(stmt, gast.Return):
                self.assign(name, substitute(stmt.value, trees))
            else:
                stmt.value = substitute(stmt.value, trees)
                self.statement(stmt)
        self.origin, self.stack = outer, stack
        return True



def _array(node: gast.expr) -> gast.expr:
    """A display among arrays is an array."""
    if isinstance(node, (gast.List, gast.Tuple)) and node.elts:
        return expr("np.array(x)", x=node, np="%np")
    return node


def is_break(stmt: gast.stmt) -> bool:
    """`if test: break`."""
    return isinstance(stmt, gast.If) and len(stmt.body) == 1 and isinstance(stmt.body[0], gast.Break)


def _parts(target: gast.expr) -> bool:
    return any(isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)) for node in walk(target))


def _bound(stmt: gast.stmt) -> Iterable[str]:
    if isinstance(stmt, gast.For):
        return target_names(stmt.target)
    return () if isinstance(stmt, (gast.If, gast.While)) else statement_access(stmt).define


def _bind(captured: Captured, node: gast.Call) -> dict[str, gast.expr] | None:
    """The arguments of a call by parameter; None where Python is to do it."""
    args = captured.tree.args
    if args.vararg or args.kwarg or any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return None
    names = parameter_names(captured.tree)
    positional = [a.id for a in [*args.posonlyargs, *args.args]]
    if len(node.args) > len(positional):
        return None
    bound: dict[str, gast.expr] = dict(zip(positional, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg in bound or keyword.arg not in names or keyword.arg in {a.id for a in args.posonlyargs}:
            return None
        bound[keyword.arg] = keyword.value
    defaults = dict(zip(positional[::-1], (captured.defaults or ())[::-1], strict=False)) | dict(captured.kwdefaults or {})
    for name in names:
        if name not in bound:
            if name not in defaults or not isinstance(defaults[name], (int, float, str, bool, type(None))):
                return None
            bound[name] = constant(defaults[name])
    return bound
