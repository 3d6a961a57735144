"""A-normal form: every differentiable operation stands alone, on names and literals.

Needs a body with one exit, and the names that are varied anywhere. Promises the normal form of docs/architecture.md; expressions through
which no derivative flows stay as the user wrote them. C. Flanagan et al., "The essence of compiling with continuations" (1993).

    y = np.sin(x) * (x + n)      →      sin = np.sin(x)
                                        total = x + n
                                        y = sin * total
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from ..analyse.activity import Varied
from ..analyse.flow import bound_in, mutation
from ..analyse.leaving import always_leaves
from ..analyse.managers import lets_through
from ..analyse.masks import Mask
from ..analyse.records import updated_dict
from ..analyse.resolve import Operation, Scope, reads_both, sigmoid
from ..rules import FIELD, VALUES, Rule
from ..syntax.names import Names
from ..syntax.nodes import (
    assign,
    clone,
    exchanged,
    inserts,
    is_atom,
    is_literal,
    library,
    literal,
    load,
    mark,
    origin_of,
    reads,
    root_name,
    store,
    target_names,
    walk,
)
from ..syntax.program import Captured, Namespace
from .inline import inlinable, inlined
from .loops import counted, lower_for
from .stores import lowered_display, stored, stored_sum, updated

TEMPORARIES = {"Add": "total", "Sub": "difference", "Mult": "product", "Div": "quotient", "Mod": "remainder", "Pow": "power",
               "MatMult": "product", "FloorDiv": "quotient", "USub": "negative", "UAdd": "value"}
CONTAINERS = (np.array, np.asarray, np.asanyarray, np.ascontiguousarray)
Callee = Callable[[Any], "Captured | None"]


@dataclass
class Lowering:
    """State and settings of one lowering.

    varied: the names that may carry a derivative; mutated: those through which something may be changed in place; callee: the captured
    function behind a function value; inline: the short ones are put in place; reverse: what only reverse mode needs is made too
    (conditions that are kept, trip counts); result: a name for what is returned; containers: the names of lists, dicts and objects that the
    function makes and stores in; doubtful: those that may be containers, or arrays.
    """

    scope: Scope
    names: Names
    varied: set[str]
    callee: Callee
    inline: bool
    reverse: bool
    mutated: set[str]
    result: str
    containers: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    temporaries: set[str] = field(default_factory=set)
    inlined: list[Any] = field(default_factory=list)
    called: list[Any] = field(default_factory=list)
    views: dict[str, str] = field(default_factory=dict)            # of temporaries: the name whose memory they may share
    definitions: dict[str, gast.expr] = field(default_factory=dict)
    out: list[gast.stmt] = field(default_factory=list)
    origin: Any = None
    masks: tuple[Mask, ...] = ()
    stack: tuple[Any, ...] = ()
    cells: dict[str, Any] = field(default_factory=dict)
    is_varied: Varied = field(init=False)

    def __post_init__(self) -> None:
        self.is_varied = Varied(self.varied, self.scope)

    # ------------------------------------------------------------------ statements
    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        saved, self.out = self.out, []
        for stmt in body:
            self.statement(stmt)
        done, self.out = self.out, saved
        return done

    def emit(self, stmt: gast.stmt, **marks: Any) -> None:
        if self.masks:
            marks["masks"] = self.masks
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
            lower_for(self, stmt)
        elif isinstance(stmt, gast.While):
            self._while(stmt)
        elif isinstance(stmt, gast.Return):
            self._return(stmt)
        elif isinstance(stmt, gast.Expr):
            self._expression(stmt)
        elif isinstance(stmt, gast.Try):
            self._try(stmt)
        elif isinstance(stmt, gast.With) and not inserts(stmt):
            self._with(stmt)
        elif isinstance(stmt, gast.With):
            stmt.body = [mark(s, role="inserted") for s in stmt.body]
            self.out.append(stmt)
        else:
            self.out.append(mark(stmt, role="forward"))

    def _expression(self, stmt: gast.Expr) -> None:
        if (found := updated_dict(stmt, self.containers)) is not None:
            updated(self, *found)
            return
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
        if not isinstance(value, gast.Name) or value.id not in self.scope.local:
            result = self.names.new(self.result)
            self.scope.local.add(result)
            self.assign(result, value if value is not None else gast.Constant(None, None))
            value = load(result)
        self.emit(gast.Return(value))

    def _assign(self, stmt: gast.Assign) -> None:
        value = stmt.value
        first = stmt.targets[0]
        if len(stmt.targets) > 1:
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
                self.target(one, item)
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
                self.target(one, load(name))

    def _differentiable_call(self, node: gast.expr) -> list[gast.expr] | None:
        """`rt.differentiable(x, y)` as one call for each argument."""
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "differentiable" \
                and len(node.args) > 1 and self.scope.operation(gast.Call(node.func, node.args[:1], [])).kind == "rule":
            return [gast.Call(clone(node.func), [arg], []) for arg in node.args]
        return None

    def _calls(self, node: gast.expr) -> bool:
        return any(isinstance(part, gast.Call) and self.scope.operation(part).kind in ("function", "dynamic", "unknown")
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
        if root_name(target) in self.containers:
            stored_sum(self, target, stmt.op, value)
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
        test = stmt.test
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

    def _while(self, stmt: gast.While) -> None:
        origin = self.origin
        body = self.block(stmt.body)
        self.origin = origin
        if self.reverse:
            counted(self, body)
        self.emit(gast.While(stmt.test, body, []))

    def _try(self, stmt: gast.Try) -> None:
        """`failed` says afterwards by which handler the `try` was left; those that raise again need none."""
        origin = self.origin
        going = [handler for handler in stmt.handlers if not always_leaves(handler.body)]
        values = [True] if len(going) == 1 else list(range(1, len(going) + 1))
        failed = self.temporary("failed") if self.reverse and going else None
        if failed is not None:
            self.emit(assign(failed, gast.Constant(type(values[0])(0), None)), status=failed)
        body, handlers = self.block(stmt.body), []
        for handler in stmt.handlers:
            inside = self.block(handler.body)
            if failed is not None and handler in going:
                said = assign(failed, gast.Constant(values[going.index(handler)], None), origin=origin, role="forward", status=failed)
                inside.insert(0, said)
            handlers.append(mark(gast.ExceptHandler(handler.type, handler.name, inside), origin=origin))
        new = gast.Try(body, handlers, self.block(stmt.orelse), [])
        self.origin = origin
        for name in ("whole", "final"):
            if hasattr(stmt, name):
                setattr(new, name, getattr(stmt, name))
        self.emit(new, failed=failed)

    def _with(self, stmt: gast.With) -> None:
        """A manager that may swallow exceptions must not have done so: what follows would have a derivative of its own."""
        origin, item = self.origin, stmt.items[0]
        completed = None if lets_through(item.context_expr, self.scope) else self.temporary("completed")
        if completed is not None:
            self.emit(assign(completed, gast.Constant(False, None)), status=completed, stays=True)
        body = self.block(stmt.body)
        self.origin = origin
        if completed is not None and not always_leaves(body):
            body.append(assign(completed, gast.Constant(True, None), origin=origin, role="forward", status=completed))
        new = mark(gast.With(stmt.items, body, None), inserts=False)
        self.emit(mark(new, checked=True) if completed is not None else new)
        if completed is not None:
            self.emit(gast.Expr(library("rt.check_completed(done)", done=completed)), note="guard")

    # ------------------------------------------------------------------ expressions
    def active(self, node: gast.expr) -> bool:
        return self.is_varied.of(node)

    def cell(self, name: str, value: Any) -> str:
        """A name for what a function put in place of its call sees under a name of ours."""
        known = self.scope.namespace.cells
        for one in (name, *self.cells):
            if one in known and one not in self.scope.local and self.scope.namespace.lookup(one) is value:
                return one
        new = self.names.new(name)
        self.cells[new] = value
        self.scope = Scope(Namespace(self.scope.namespace.globals, {**known, new: types.CellType(value)}), self.scope.local)
        self.is_varied = Varied(self.varied, self.scope)
        return new

    def temporary(self, base: str) -> str:
        name = self.names.new(base)
        self.temporaries.add(name)
        self.scope.local.add(name)
        return name

    def assign(self, name: str, value: gast.expr) -> None:
        """`name = value`, with the operations inside of `value` before it."""
        if not self.active(value):
            self.emit(assign(name, value))
            return
        self.varied.add(name)
        if isinstance(value, gast.Name) and name in self.temporaries and self._may_be_changed(value.id):
            self.emit(assign(name, library("rt.copy(x)", x=value)), shares=value.id)
            return
        if isinstance(value, gast.IfExp):
            self._choice(name, value)
            return
        if isinstance(value, gast.BoolOp):
            self._boolean(name, value)
            return
        if inlined(self, value, name):
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
        if isinstance(node, gast.Call) and inlinable(self, node) is not None:
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
        self.emit(assign(name, library("rt.copy(x)", x=node)), shares=root_name(node))
        return load(name)

    def _base(self, node: gast.AST) -> str:
        if isinstance(node, (gast.BinOp, gast.UnaryOp)):
            return TEMPORARIES.get(type(node.op).__name__, "value")
        if isinstance(node, gast.Call):
            name = node.func.attr if isinstance(node.func, gast.Attribute) else getattr(node.func, "id", "value")
            return "total" if name == "sum" else name if not name.startswith("_") else name.strip("_") or "value"
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str):
            return node.slice.value.strip("_")
        if isinstance(node, gast.Attribute) and self.scope.operation(node).rule is FIELD:
            return str(node.attr).strip("_")
        if isinstance(node, gast.Subscript):
            return "part" if any(isinstance(n, gast.Slice) for n in walk(node.slice)) else "item"
        if isinstance(node, gast.Compare):
            return "condition"
        if isinstance(node, gast.Name):
            return str(node.id)
        if isinstance(node, (gast.Tuple, gast.List)):
            return "items"
        if isinstance(node, gast.Dict):
            return "record"
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
        with self._masked(tuple(mask.under(operation.rule) for mask in self.masks)):
            return self._operands(node, operation)

    @contextmanager
    def _masked(self, masks: tuple[Mask, ...]) -> Iterator[None]:
        saved, self.masks = self.masks, masks
        yield
        self.masks = saved

    def _operands(self, node: gast.expr, operation: Operation) -> gast.expr:
        if sigmoid(node, self.scope) is not None:
            return exchanged(node, {id(part): self.value(part) for part in operation.args.values()})
        if isinstance(node, gast.BinOp):
            left = self.value(_array(node.left), keep=self._calls(node.right))
            return gast.BinOp(left, node.op, self.value(_array(node.right)))
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
        if isinstance(node, gast.Call) and operation.rule is FIELD and is_literal(operation.args["name"]):
            return gast.Attribute(self.value(operation.args["x"]), literal(operation.args["name"]), gast.Load())
        if isinstance(node, gast.Call):
            return self._call(node, operation.rule, operation.fn if operation.kind == "function" else operation.kind == "dynamic" or None)
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
        if rule is not None and rule.name == "rt.mask" and len(node.args) == 2:
            condition = self._argument(node.args[1], rule, function)
            with self._masked((*self.masks, Mask(condition, True))):
                masked = self._argument(node.args[0], rule, function)
            return gast.Call(func, [masked, condition], [])
        if not isinstance(func, gast.Attribute) and self.active(func):
            func = self.value(func)
        args: list[gast.expr] = []
        for i, arg in enumerate(node.args):
            if is_where and i in (1, 2) and self.active(arg) and isinstance(args[0], gast.Name):
                with self._masked((*self.masks, Mask(args[0], i == 1))):
                    args.append(self._argument(arg, rule, function))
            else:
                args.append(self._argument(arg, rule, function))
        keywords = [gast.keyword(k.arg, self._argument(k.value, rule, function)) for k in node.keywords]
        if isinstance(function, types.FunctionType):
            self.called.append(function)
        return gast.Call(func, args, keywords)

    def _argument(self, node: gast.expr, rule: Rule | None, function: Any) -> gast.expr:
        if function is not None:
            atom = self.value(node)
            return self._copied(atom) if isinstance(atom, gast.Name) and self._may_be_changed(atom.id) else atom
        if self.active(node):
            return self.value(node)
        if is_literal(node) or is_atom(node) or isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
                and node.value.id not in self.scope.local:
            return node
        if isinstance(node, (gast.Tuple, gast.List)) and all(is_atom(item) for item in node.elts):
            return node
        return self.value(node)

    def _may_be_changed(self, name: str) -> bool:
        """The object is changed in place somewhere: a callee must not keep it."""
        return name in self.mutated or self.views.get(name, "") in self.mutated

def _array(node: gast.expr) -> gast.expr:
    """A display among arrays is an array."""
    if isinstance(node, (gast.List, gast.Tuple)) and node.elts:
        return library("np.array(x)", x=node)
    return node
