"""Forward mode: the tangent of a function in normal form.

Needs a `Problem`. Promises its statements with, for `y = φ(x1, …, xn)`, the statement

    dy = Σ push(φ, x_k, dx_k)      before it where y is an operand, else after it

(A. Griewank and A. Walther, "Evaluating Derivatives", 2nd ed., section 3.1). A name that has a tangent somewhere gets a
zero one wherever it is bound to something constant.
"""
from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import gast

from ..analyse.activity import is_hidden
from ..analyse.attempts import catches, goes_on
from ..analyse.both import reads_both
from ..analyse.displays import all_given, exchanged_items, fields, items
from ..analyse.flow import mutation
from ..analyse.kinds import spec_of
from ..analyse.leaving import always_leaves
from ..analyse.managers import raises_errors
from ..errors import RefusedError
from ..rules import REPLACED, WITH_FIELD, WITH_ITEM
from ..syntax import spec as sp
from ..syntax.blocks import inserts, is_compound, statements
from ..syntax.building import (
    add,
    assign,
    augment,
    clone,
    constant,
    index_value,
    library,
    load,
    mark,
    origin_of,
    rooted,
    statement,
    store,
    substitute,
    tuple_of,
)
from ..syntax.nodes import names_in, reads, root_name, target_names
from ..syntax.spec import fits
from .attempts import late_tangents, let_ours_through, like_with, tangents_under
from .cotangents import add_grad, summed, unhandled, zeros_like
from .cotangents import cotangent_spec as tangent_spec
from .partials import partial
from .problem import Pair, Problem, placed
from .zeros import Zeros

ARITHMETIC = (ZeroDivisionError, OverflowError, FloatingPointError)


class _Forward:
    """One run of forward mode."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.zeros = Zeros(problem, "push")
        self.scope = problem.scope
        self.tangent: dict[str, str] = {}
        self.primal: dict[str, list[str]] = {}             # the names that have a tangent variable
        self.has_tangent = set(problem.wrt)
        self.attempts = 0     # the `try` bodies around, after whose exceptions the function goes on
        varied = problem.activity.varied
        for stmt in statements(problem.body):
            if not is_compound(stmt):
                self.has_tangent |= varied.after(stmt) & {*self._bound(stmt)}

    @staticmethod
    def _bound(stmt: gast.stmt) -> list[str]:
        changed = mutation(stmt)
        names = [changed[1]] if changed else []
        if isinstance(stmt, gast.Assign):
            return names + [n for t in stmt.targets for n in (target_names(t) or [root_name(t) or ""])]
        if isinstance(stmt, gast.AugAssign):
            return [*names, root_name(stmt.target) or ""]
        return names

    def d(self, name: str) -> str:
        """The tangent variable of a name."""
        if name not in self.tangent:
            self.give(name, self.problem.names.new("d" + name))
        return self.tangent[name]

    def give(self, name: str, variable: str) -> None:
        """Let a name have this tangent variable."""
        self.tangent[name] = variable
        self.primal.setdefault(variable, []).append(name)

    def run(self) -> list[gast.stmt]:
        for name in self.problem.wrt:
            self.d(name)
        late = [p for p in self.problem.parameters if p in self.has_tangent and p not in self.problem.wrt]
        body = [mark(self._zero(p, self.problem.specs), origin=None, role="tangent") for p in late]
        body += self.block(self.problem.body)
        if self.problem.result not in self.has_tangent:
            body.append(mark(self._zero(self.problem.result, {}), origin=None, role="forward"))
        return body

    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for stmt in body:
            if isinstance(stmt, gast.If):
                new: list[gast.stmt] = [gast.If(stmt.test, self.block(stmt.body), self.block(stmt.orelse))]
            elif isinstance(stmt, gast.For):
                zeros = [mark(self._zero(n, self.problem.kinds.before(stmt.body[0])), origin=origin_of(stmt),
                              role="tangent") for n in target_names(stmt.target) if n in self.has_tangent]
                new = [gast.For(stmt.target, stmt.iter, [*zeros, *self.block(stmt.body)], [], None)]
            elif isinstance(stmt, gast.While):
                new = [gast.While(stmt.test, self.block(stmt.body), [])]
            elif isinstance(stmt, gast.Try):
                new = [self._try(stmt)]
            elif isinstance(stmt, gast.With) and not inserts(stmt):
                inner = self.block(stmt.body)
                raising = any(raises_errors(item.context_expr) for item in stmt.items)
                new = [like_with(stmt, stmt.items,
                                 tangents_under(inner, "np.errstate(all='warn')") if raising else inner)]
            else:
                new = self._statement(stmt)
            for one in new:
                if one is not stmt and not hasattr(one, "origin"):
                    mark(one, origin=origin_of(stmt))
                one.__dict__.setdefault("part", getattr(stmt, "part", ()))
                if not hasattr(one, "role"):
                    one.role = "forward" if one is stmt else "tangent"
            out.extend(new)
        return out

    def _try(self, stmt: Any) -> gast.stmt:
        """Tangents may raise where the function does not: they stand in `else:`, where no handler would take that for
        its own. Where they cannot, what they raise is made an error that no handler takes."""
        going = goes_on(stmt)
        self.attempts += bool(going)
        body = self.block(stmt.body)
        self.attempts -= bool(going)
        orelse = self.block(stmt.orelse)
        handlers = [mark(gast.ExceptHandler(h.type, h.name, [mark(one, role="forward") for one in h.body]
                                            if always_leaves(h.body) else self.block(h.body)), origin=origin_of(h))
                    for h in stmt.handlers]
        if any(catches(handler, ARITHMETIC, self.scope) for handler in going):
            if any(hasattr(one, "pair") for one in statements(body)):
                unhandled(self.problem, stmt,
                          "a function is called in this try, and its tangents may raise what the handlers catch",
                          "reverse mode; or except ValueError and others that arithmetic does not raise")
            late = late_tangents(body)
            body = tangents_under(body, "rt.uncaught()") if late is None else [one for one in body if one not in late]
            orelse = [*(late or ()), *orelse]
        new = gast.Try(body, handlers, orelse, [])
        for name in ("whole", "final"):
            if hasattr(stmt, name):
                setattr(new, name, getattr(stmt, name))
        let_ours_through(new, self.scope)
        return new

    def _statement(self, stmt: Any) -> list[gast.stmt]:
        out = self._moved(stmt)
        changing = {getattr(one, "in_place", None) for one in out}
        return [*(assign(self.d(name), library("rt.storable(d)", d=self.d(name)))
                  for name in getattr(stmt, "storable", ()) if self.d(name) in changing), *out]

    def _moved(self, stmt: Any) -> list[gast.stmt]:
        changed = mutation(stmt)
        if changed is not None:
            return self._list_method(stmt, *changed)
        if isinstance(stmt, gast.AugAssign):
            if isinstance(stmt.target, gast.Name):
                return self._operation(stmt, stmt.target.id, gast.BinOp(load(stmt.target.id), stmt.op, stmt.value))
            return self._part(stmt, stmt.target)
        if not isinstance(stmt, gast.Assign):
            return [stmt]
        target = stmt.targets[0]
        pair: Pair | None = getattr(stmt, "pair", None)
        if pair is not None:
            return self._call(stmt, pair)
        if isinstance(target, gast.Subscript):
            return self._part(stmt, target)
        if isinstance(target, (gast.Tuple, gast.List)):
            return self._unpacked(stmt, target)
        if isinstance(target, gast.Name):
            return (self._placed if hasattr(stmt, "by_place") else self._operation)(stmt, target.id, stmt.value)
        return [stmt]

    def _operation(self, stmt: Any, y: str, value: gast.expr) -> list[gast.stmt]:
        if y not in self.has_tangent:
            return [stmt]
        varied = self.problem.activity.varied.before(stmt)
        env, after = self.problem.kinds.before(stmt), self.problem.kinds.after(stmt)
        operation = self.scope.operation(value)
        parts: list[gast.expr] = []
        reads_result = False
        if isinstance(stmt, gast.AugAssign) and reads_both(self.scope.operation(value), y):
            return self._kept(stmt, y, value)
        if operation.kind == "name" and value.id in varied:
            parts = [load(self.d(value.id))]
        elif operation.kind == "container":
            if any(is_hidden(item, varied, self.scope) for item in items(value)):
                return unhandled(self.problem, stmt)
            if any(isinstance(item, gast.Name) and item.id in varied for item in items(value)):
                parts = [self._display(value, operation.fn, y, varied)]
                reads_result = isinstance(value, gast.Call) and not all_given(operation.fn, value)
        elif operation.kind == "rule" and operation.rule is not None:
            rule = operation.rule
            if not rule.supported and is_hidden(value, varied, self.scope):
                return unhandled(self.problem, stmt)
            specs = {n: spec_of(a, env, self.scope) for n, a in operation.args.items() if not isinstance(a, gast.Slice)}
            specs[rule.result] = after.get(y, sp.UNKNOWN)
            exchanged = self._exchanged(operation, varied)
            for parameter in rule.active_params if exchanged is None else ():
                arg = operation.args.get(parameter)
                if is_hidden(arg, varied, self.scope):
                    return unhandled(self.problem, stmt)
                if isinstance(arg, gast.Name) and arg.id in varied:
                    got = partial(operation, "push", parameter, load(self.d(arg.id)), load(y), specs)
                    if got is not None:
                        parts.append(self.zeros.masked(got[0], stmt, operation, parameter, y, load(self.d(arg.id))))
                        reads_result |= got[1]
            parts += [] if exchanged is None else [exchanged]
            if parts and rule.diagonal:
                parts = [self._broadcast(parts, env, after, y, reads_result)]
        elif is_hidden(value, varied, self.scope):
            return unhandled(self.problem, stmt)
        if not parts:
            return [stmt, self._zero(y, after)]
        total = functools.reduce(add if after.get(y, sp.UNKNOWN).is_number else add_grad, parts)
        if isinstance(stmt, gast.AugAssign) and y not in varied:
            behind = reads_result or y not in names_in(total)
            return [stmt, assign(self.d(y), total)] if behind else self._first(stmt, y, total)
        if y not in names_in(value) or reads_result:
            return [stmt, assign(self.d(y), total)]
        return self._split(stmt, y, total) if hasattr(total, "fits") else self._first(stmt, y, total)

    def _first(self, stmt: Any, y: str, total: Any) -> list[gast.stmt]:
        """The tangent reads y's old value, and stands before the statement;
        in a `try`, where that may raise, behind it."""
        if not self.attempts:
            return [assign(self.d(y), total), stmt]
        return self._behind(stmt, y, total, total)

    def _behind(self, stmt: Any, y: str, total: Any, reading: Any) -> list[gast.stmt]:
        """The old value is kept under a name for what reads it: no tangent has changed where the statement raises."""
        if y not in names_in(reading):
            return [stmt, assign(self.d(y), total)]
        old = self.problem.names.numbered(y)
        self.give(old, self.d(y))
        kept = library("rt.copy(x)", x=y) if isinstance(stmt, gast.AugAssign) else load(y)
        new = substitute(reading, {y: load(old)})
        tangent = new if reading is total else total
        if reading is not total:
            tangent.args[0] = new
        return [mark(assign(old, kept), role="forward"), stmt, assign(self.d(y), tangent)]

    def _display(self, value: Any, fn: Any, y: str, varied: Any) -> gast.expr:
        """The same display of tangents; of a class with defaults, which are constants,
        zeros with the parts that are given."""
        if not isinstance(value, gast.Call) or all_given(fn, value):
            return exchanged_items(value, lambda item: self._item(item, varied))
        total = library("rt.zeros_like(y)", y=y)
        for name, item in zip(fields(fn, value) or [], items(value), strict=True):
            if isinstance(item, gast.Name) and item.id in varied:
                total = library("rt.exchanged(p, name, v)", p=total, name=constant(name), v=self.d(item.id))
        return total

    def _exchanged(self, operation: Any, varied: Any) -> gast.expr | None:
        """`rt.with_item(dx, key, dv)` for `rt.with_item(x, key, v)`: what
        is exchanged in a container is so in its tangent."""
        rule = operation.rule
        if rule is None or not rule.joint and rule not in (WITH_ITEM, WITH_FIELD, REPLACED):
            return None
        x, *keys, v = (operation.args[name] for name in rule.params)
        if not any(isinstance(one, gast.Name) and one.id in varied for one in (x, v)):
            return None
        new = library(f"{rule.name}(x, v)", x=self._item(x, varied), v=self._item(v, varied))
        new.args[1:1] = map(index_value, keys)
        return new

    def _kept(self, stmt: Any, y: str, value: Any) -> list[gast.stmt]:
        """`y **= v`: the tangent reads y before and after; the old one is kept under a name."""
        old = self.problem.names.numbered(y)
        self.give(old, self.d(y))
        varied = self.problem.activity.varied.before(stmt)
        before, after = self.problem.kinds.before(stmt), self.problem.kinds.after(stmt)
        env = before.updated({old: before.get(y, sp.UNKNOWN)})
        value = gast.BinOp(load(old), value.op,
                           load(old) if isinstance(value.right, gast.Name) and value.right.id == y else value.right)
        operation = self.scope.operation(value)
        rule = operation.rule
        assert rule is not None
        specs = {n: spec_of(a, env, self.scope) for n, a in operation.args.items()}
        specs[rule.result] = after.get(y, sp.UNKNOWN)
        parts = []
        for parameter in rule.active_params:
            arg = operation.args.get(parameter)
            if isinstance(arg, gast.Name) and (arg.id in varied or arg.id == old and y in varied):
                got = partial(operation, "push", parameter, load(self.d(arg.id)), load(y), specs)
                if got is not None:
                    parts.append(got[0])
        tangent = assign(self.d(y), self._broadcast(parts, env, after, y, True)) if parts else self._zero(y, after)
        return [assign(old, library("rt.copy(x)", x=y)), stmt, tangent]

    def _split(self, stmt: Any, y: str, total: Any) -> list[gast.stmt]:
        """The tangent reads y's old value, and is broadcast to the new one."""
        if self.attempts:
            return self._behind(stmt, y, total, total.args[0])
        return [assign(self.d(y), total.args[0]), stmt,
                assign(self.d(y), mark(library("rt.broadcast_to_like(v, y)", v=self.d(y), y=y), fits=total.fits))]

    def _item(self, item: gast.expr, varied: Any) -> gast.expr:
        if isinstance(item, gast.Name) and item.id in varied:
            return load(self.d(item.id))
        if isinstance(item, gast.Constant):
            return constant(None if item.value is None or isinstance(item.value, str) else 0.0)
        return library("rt.zeros_like(x)", x=clone(item))

    def _broadcast(self, parts: list[gast.expr], env: Any, after: Any, y: str, reads_result: bool) -> gast.expr:
        """The sum of elementwise tangents, in the shape of the result."""
        total = summed(parts)
        new = library("rt.broadcast_to_like(v, y)", v=total, y=y)
        specs = {d: tangent_spec(env[x]) for d in reads(total) for x in self.primal.get(d, ()) if x in env}
        if y in after and (reads_result or y not in env):
            specs[y] = after[y]
        new.fits = fits(spec_of(total, env.updated(specs), self.scope), after.get(y, sp.UNKNOWN))
        return new

    def _zero(self, y: str, after: Any) -> gast.stmt:
        return mark(assign(self.d(y), zeros_like(y, after.get(y, sp.UNKNOWN))), zero=self.d(y))

    def _part(self, stmt: Any, target: gast.Subscript) -> list[gast.stmt]:
        a = root_name(target)
        if a not in self.has_tangent or a is None:
            return [stmt]
        varied = self.problem.activity.varied.before(stmt)
        is_varied = isinstance(stmt.value, gast.Name) and stmt.value.id in varied
        value: gast.expr = load(self.d(stmt.value.id)) if is_varied else constant(0.0)
        place = rooted(target, self.d(a))
        if isinstance(stmt, gast.AugAssign):
            return [stmt, mark(augment(place, stmt.op, value), in_place=self.d(a))] if is_varied else [stmt]
        return [stmt, mark(assign(place, value), in_place=self.d(a))]

    def _placed(self, stmt: Any, xs: str, _: gast.expr) -> list[gast.stmt]:
        """`xs[i] = v` of a list, and the same of its tangent."""
        new = placed(stmt)
        if xs not in self.has_tangent:
            return [new]
        item = self._item(new.value, self.problem.activity.varied.before(stmt))
        return [new, mark(assign(rooted(new.targets[0], self.d(xs)), item), in_place=self.d(xs))]

    def _unpacked(self, stmt: Any, target: Any) -> list[gast.stmt]:
        names = target_names(target)
        after = self.problem.kinds.after(stmt)
        if isinstance(stmt.value, gast.Name) and stmt.value.id in self.problem.activity.varied.before(stmt):
            places = [store(self.d(n)) for n in names]
            return [stmt, assign(tuple_of(places, write=True), load(self.d(stmt.value.id)))]
        return [stmt, *[self._zero(n, after) for n in names if n in self.has_tangent]]

    def _list_method(self, stmt: Any, kind: str, name: str) -> list[gast.stmt]:
        if name not in self.has_tangent:
            names = target_names(stmt.targets[0]) if isinstance(stmt, gast.Assign) else []
            return [stmt, *[self._zero(n, {}) for n in names if n in self.has_tangent]]
        varied = self.problem.activity.varied.before(stmt)
        if kind == "append":
            return [stmt, statement("D.append(VALUE)", D=self.d(name), VALUE=self._item(stmt.value.args[0], varied))]
        if kind == "pop":
            value = statement("D.pop()", D=self.d(name)).value
            if not isinstance(stmt, gast.Assign):
                return [stmt, gast.Expr(value)]
            return [stmt, assign(self.d(target_names(stmt.targets[0])[0]), value)]
        array, index, value = stmt.value.args
        if not (isinstance(value, gast.Name) and value.id in varied):
            return [stmt]
        return [stmt, mark(gast.Expr(library("rt.add_at(b, i, g)", b=rooted(array, self.d(name)), i=index,
                                             g=self.d(value.id))), in_place=self.d(name))]

    def _call(self, stmt: Any, pair: Pair) -> list[gast.stmt]:
        target = stmt.targets[0]
        name = target.id
        tangents = [load(self.d(arg)) for _, arg in pair.active]
        value = clone(stmt.value)
        if pair.dynamic:
            value.keywords = [*value.keywords, gast.keyword("tangents", tuple_of(tangents))]
            return [assign(tuple_of([store(name), store(self.d(name))], write=True), value, pair=pair)]
        value.func = load(pair.forward)
        value.keywords = [*value.keywords, *[gast.keyword(p, t) for p, t in zip(pair.tangents, tangents, strict=True)]]
        return [assign(tuple_of([store(name), store(self.d(name))], write=True), value, pair=pair)]


def forward(problem: Problem,
            tangents: Mapping[str, str] | None = None) -> tuple[list[gast.stmt], dict[str, str]] | RefusedError:
    """The statements with tangents, and the tangent variable of each name; or what has no rule.
    tangents: the variables that are given."""
    one = _Forward(problem)
    for name, variable in (tangents or {}).items():
        one.give(name, variable)
    body = one.run()
    return RefusedError(problem.name, problem.refused[:1]) if problem.refused else (body, one.tangent)
