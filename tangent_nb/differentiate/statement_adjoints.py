"""The adjoint of one simple statement: what each kind of assignment, append and call adds to which cotangents.

Needs a `Problem`, and the names that have a cotangent after the statement. Promises its backward code, and the names that have one before.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.activity import is_hidden
from ..analyse.displays import items, parts
from ..analyse.flow import Names, mutation
from ..analyse.kinds import is_basic, spec_of
from ..analyse.masks import Mask
from ..analyse.resolve import reads_both
from ..errors import Refusal, RefusedError
from ..rules import FIELD
from ..syntax import spec as sp
from ..syntax.nodes import (
    add,
    assign,
    augment,
    call,
    clone,
    constant,
    inserts,
    library,
    load,
    mark,
    origin_of,
    reads,
    root_name,
    statement,
    statements,
    store,
    subscript,
    substitute,
    target_names,
    tuple_of,
)
from ..syntax.spec import Spec, fits
from .partials import index_value, partial
from .problem import Pair, Problem
from .saves import Saves


class StatementAdjoints:
    """views: trees that stand for temporaries in backward code; restores: what brings back the values that a statement overwrote."""

    def __init__(self, problem: Problem, saves: Saves, views: dict[str, gast.expr]) -> None:
        self.problem, self.saves, self.views = problem, saves, views
        self.scope = problem.scope
        self.cotangent: dict[str, str] = {}
        for stmt in statements(problem.body):              # the user's own name for a cotangent
            if inserts(stmt):
                self.cotangent.setdefault(stmt.items[0].context_expr.args[0].id, stmt.items[0].optional_vars.id)
        self.restores: dict[int, list[gast.stmt]] = {}

    def b(self, name: str) -> str:
        """The cotangent variable of a name."""
        if name not in self.cotangent:
            self.cotangent[name] = self.problem.names.new("b" + name)
        return self.cotangent[name]

    def adjoint(self, stmt: Any, z: set[str]) -> tuple[list[gast.stmt], bool]:
        """The backward code of a simple statement, and whether it reads the result."""
        changed = mutation(stmt)
        if changed is not None:                          # a list that gets its cotangent here is as long as it is after a pop
            return self._list_method(stmt, *changed, z), changed[0] == "pop"
        if isinstance(stmt, gast.AugAssign):
            return self._augmented(stmt, z)
        if not isinstance(stmt, gast.Assign):
            return [], False
        target = stmt.targets[0]
        pair: Pair | None = getattr(stmt, "pair", None)
        if pair is not None:
            return self._call(stmt, pair, z), False
        if isinstance(target, gast.Subscript):
            return self._written(stmt, target, z), False
        if isinstance(target, (gast.Tuple, gast.List)):
            return self._unpacked(stmt, z), False
        if not isinstance(target, gast.Name) or target.id not in z or target.id not in self.problem.activity.after(stmt):
            return [], False
        return self._operation(stmt, target.id, stmt.value, z)

    def _contributions(self, stmt: Any, y: str, value: gast.expr, result: str | None = None) -> tuple[list[tuple[str, gast.expr, bool]], bool]:
        """`(operand, contribution, elementwise)` for each active operand of `y = value`; whether one reads the result."""
        before, env = self.problem.activity.varied.before(stmt), self.problem.kinds.before(stmt)
        operation = self.scope.operation(value)
        by = load(self.b(y))
        if operation.kind == "name":
            return ([(value.id, by, False)] if value.id in before else []), False
        if operation.kind == "container":
            return [(item.id, part, False) for item, part in zip(items(value), parts(value, operation.fn, by), strict=True)
                    if isinstance(item, gast.Name) and item.id in before], False
        if operation.kind != "rule" or operation.rule is None:
            raise unhandled(stmt)
        rule = operation.rule
        specs = {n: spec_of(a, env, self.scope) for n, a in operation.args.items() if not isinstance(a, gast.Slice)}
        specs[rule.result] = self.problem.kinds.after(stmt).get(y, sp.UNKNOWN)
        found, reads_result = [], False
        for parameter in rule.active_params:
            arg = operation.args.get(parameter)
            if is_hidden(arg, before, self.scope):
                raise unhandled(stmt)
            if not isinstance(arg, gast.Name) or arg.id not in before:
                continue
            got = partial(operation, "pull", parameter, clone(by), load(result or y), specs)
            if got is not None:
                tree, result_read = got
                for mask in getattr(stmt, "masks", ()) if rule.diagonal else ():
                    tree = self._masked(tree, mask, spec_of(mask.condition, env, self.scope))
                found.append((arg.id, tree, rule.diagonal))
                reads_result |= result_read
        return found, reads_result

    @staticmethod
    def _masked(tree: gast.expr, mask: Mask, spec: sp.Spec) -> gast.expr:
        condition = clone(mask.condition) if mask.side else library("np.logical_not(c)", c=mask.condition)
        if mask.whole and spec.rank != 0:
            condition = library("np.any(c)", c=condition)
        return library("rt.mask(v, c)", v=tree, c=condition)

    def _operation(self, stmt: Any, y: str, value: gast.expr, z: set[str]) -> tuple[list[gast.stmt], bool]:
        kept: list[gast.stmt] = []
        if isinstance(stmt, gast.AugAssign) and reads_both(self.scope.operation(value), y):
            new = self.problem.names.numbered(y)             # y after the statement; then y is restored, then come the partials
            kept = self._late(stmt, [])
            kept.insert(0, mark(assign(new, load(y)), restore=y))
            found, _ = self._contributions(stmt, y, value, new)
            reads_result = False
        else:
            found, reads_result = self._contributions(stmt, y, value)
        env = self.problem.kinds.before(stmt)
        after = self.problem.kinds.after(stmt)
        operation = self.scope.operation(value)
        if operation.kind == "rule" and operation.rule is not None and (self._is_index(operation.rule) or operation.rule is FIELD):
            place = self._indexed(stmt, y, value, z, env)
            if place is not None:
                return place, False
        others = [one for one in found if one[0] != y]
        selfs = [one for one in found if one[0] == y]
        out: list[gast.stmt] = kept
        for x in dict.fromkeys(x for x, _, _ in others):
            parts = [self._fitted(tree, x, env, after, y, elementwise) for name, tree, elementwise in others if name == x]
            self._accumulate(x, parts, env, z, out)
        active_before = self.problem.activity.before(stmt)
        if selfs:
            if reads_result:
                total = _summed([tree for _, tree, _ in selfs])
                out.append(self._set(y, total))
                late = self._fitted(load(self.b(y)), y, env, after, y, True)
                fitted = [self._set(y, late)]
                return [*out, *self._late(stmt, fitted)], True
            parts = [self._fitted(tree, y, env, after, y, elementwise) for _, tree, elementwise in selfs]
            out.append(self._set(y, _summed(parts)))
            z.add(y)
        elif y in active_before:
            zero = self.zero(y, env)
            if reads_result:
                return [*out, *self._late(stmt, [zero])], True
            out.append(zero)
        else:
            z.discard(y)
        return out, reads_result

    def _late(self, stmt: Any, new: list[gast.stmt]) -> list[gast.stmt]:
        """Statements that have to follow the restores of `stmt`."""
        restores = self.restores.get(id(stmt), [])
        self.restores[id(stmt)] = []
        return [*restores, *new]

    @staticmethod
    def _is_index(rule: Any) -> bool:
        return bool(rule.name == "operator.getitem")

    def _indexed(self, stmt: Any, y: str, value: Any, z: set[str], env: Any) -> list[gast.stmt] | None:
        """`y = x[i]` with an array x: `bx[i] += by`, in place, in an array that belongs to bx alone."""
        if not isinstance(value.value, gast.Name):
            return []
        x = value.value.id
        kind = spec_of(value.value, env, self.scope).kind
        if x == y or kind not in ("array", "numeric", "list", "items", "unknown") or x not in self.problem.activity.varied.before(stmt):
            return None
        out = self._bound(x, env, z)
        g: gast.expr = load(self.b(y))
        if kind in ("items", "unknown") or isinstance(value, gast.Attribute):
            return [*out, self._with_part(x, value, g), *self._taken_from(stmt, y, z, env)]
        if is_basic(value.slice, env, self.scope) and env.get(x, sp.UNKNOWN).kind in ("array", "numeric"):
            out.append(augment(subscript(self.b(x), clone(value.slice), write=True), gast.Add(), g))
        else:
            out.append(gast.Expr(library("rt.add_at(b, i, g)", b=self.b(x), i=index_value(value.slice), g=g)))
        for one in out:
            one.in_place = self.b(x)
        return [*out, *self._taken_from(stmt, y, z, env)]

    def _with_part(self, x: str, value: Any, g: gast.expr) -> gast.stmt:
        """`bx = rt.add_item(bx, "w", by)`: the containers that x may be are not all changeable."""
        if isinstance(value, gast.Attribute):
            new = library("rt.add_field(b, name, g)", b=self.b(x), name=constant(value.attr), g=g)
        else:
            new = library("rt.add_item(b, i, g)", b=self.b(x), i=index_value(value.slice), g=g)
        return self._set(x, new)

    def _taken_from(self, stmt: Any, y: str, z: set[str], env: Any) -> list[gast.stmt]:
        """The cotangent of y has been given on; y was something else before."""
        if y in self.problem.activity.before(stmt):
            return [self.zero(y, env)]
        z.discard(y)
        return []

    def _bound(self, x: str, env: Any, z: set[str]) -> list[gast.stmt]:
        """Make sure that x has a cotangent."""
        if x in z:
            return []
        z.add(x)
        return [self.zero(x, env)]

    def _accumulate(self, x: str, parts: list[gast.expr], env: Any, z: set[str], out: list[gast.stmt]) -> None:
        bx = self.b(x)
        out.extend(self._bound(x, env, z))
        if env.get(x, sp.UNKNOWN).is_number:
            out.append(mark(self._set(x, _summed([load(bx), *parts])), adds=bx))
        else:
            total = parts[0]
            for part in parts[1:]:
                total = library("rt.add_grad(a, b)", a=total, b=part)
            out.append(mark(self._set(x, library("rt.add_grad(a, b)", a=bx, b=total)), adds=bx))

    def _set(self, x: str, value: gast.expr) -> gast.stmt:
        return assign(self.b(x), self.rematerialised(value))

    def rematerialised(self, tree: gast.expr) -> gast.expr:
        """Views of arrays that are changed in place are read anew."""
        while reads(tree) & set(self.views):
            tree = substitute(tree, self.views)
        return tree

    def _fitted(self, tree: gast.expr, x: str, env: Any, after: Any, y: str, elementwise: bool) -> gast.expr:
        """A contribution in the shape and dtype of x."""
        spec = env.get(x, sp.UNKNOWN)
        if not elementwise:
            g = self._spec(tree, env, after, y)
            if isinstance(spec.dtype, str) and isinstance(g.dtype, str) and spec.is_number and g.dtype != spec.dtype \
                    and {spec.dtype, g.dtype} != {"f8", "weak"}:
                return library("rt.cast(v, x)", v=tree, x=x)
            return tree
        new = library("rt.unbroadcast(v, x)", v=tree, x=x)
        g = self._spec(tree, env, after, y)
        new.fits = fits(g, spec)
        new.sums = None if new.fits else _sums(g, spec)
        return new

    def _spec(self, tree: gast.expr, env: Any, after: Any, y: str) -> Spec:
        cotangents = {self.b(y): cotangent_spec(after.get(y, sp.UNKNOWN))}
        if y in after and y not in env:
            cotangents[y] = after[y]
        return spec_of(tree, env.updated(cotangents), self.scope)

    def zero(self, x: str, env: Any, bound: Names | None = None) -> gast.stmt:
        """`bx = 0`, in the shape of x. bound: the names that are bound here for certain."""
        spec = env.get(x, sp.UNKNOWN)
        if bound is not None and x not in bound and x not in self.saves.initialised and spec.kind != "float":
            self.saves.missing.add(x)
        if spec.kind == "float" or x in self.problem.parameters and spec.kind in ("int", "bool"):
            value: gast.expr = constant(0.0)
        elif spec.kind == "array" and isinstance(spec.dtype, str) and spec.dtype[0] == "f":
            value = library("np.zeros_like(x)", x=x)
        elif x in self.problem.wrt and spec.kind in ("items", "unknown"):
            value = library("rt.zero_gradient(x)", x=x)
        else:
            value = library("rt.zeros_like(x)", x=x)
        return mark(self._set(x, value), zero=self.b(x))

    # ------------------------------------------------------------------ statements that change a part
    def _augmented(self, stmt: Any, z: set[str]) -> tuple[list[gast.stmt], bool]:
        if isinstance(stmt.target, gast.Name):
            y = stmt.target.id
            if y not in z or y not in self.problem.activity.after(stmt):
                return [], False
            return self._operation(stmt, y, gast.BinOp(load(y), stmt.op, stmt.value), z)
        a = root_name(stmt.target)
        if a not in z or not isinstance(stmt.value, gast.Name) \
                or stmt.value.id not in self.problem.activity.before(stmt):
            return [], False
        v, env = stmt.value.id, self.problem.kinds.before(stmt)
        out: list[gast.stmt] = []
        part = self._taken(a, stmt.target.slice, v, env, copied=v in self._changed())
        if isinstance(stmt.op, gast.Sub):
            part = gast.UnaryOp(gast.USub(), part)
        self._accumulate(v, [part], env, z, out)
        return out, False

    def _changed(self) -> set[str]:
        return self.problem.ownership.mutated

    def _taken(self, a: str, index: gast.expr, v: str, env: Any, *, copied: bool) -> gast.expr:
        """The cotangent of v in `a[index] = v`."""
        if not is_basic(index, env, self.scope):
            return library("rt.written(b, v, i)", b=self.b(a), v=v, i=index_value(index))
        part: gast.expr = subscript(self.b(a), index)
        spec = cotangent_spec(env.get(a, sp.UNKNOWN))
        got = spec_of(subscript(a, index), env, self.scope)
        if copied and got.kind != "scalar":
            part = library("rt.pick(b, i)", b=self.b(a), i=index) if not any(
                isinstance(n, gast.Slice) for n in gast.walk(index)) else library("rt.copy(x)", x=part)
        new = library("rt.unbroadcast(g, v)", g=part, v=v)
        new.fits = spec.kind in ("array", "numeric") and fits(got, env.get(v, sp.UNKNOWN))
        return new

    def _written(self, stmt: Any, target: gast.Subscript, z: set[str]) -> list[gast.stmt]:
        """`a[i] = v`: the cotangent of the cell goes to v, and the cell's becomes zero."""
        a = root_name(target)
        if a not in z or a not in self.problem.activity.after(stmt):
            return []
        env = self.problem.kinds.before(stmt)
        out: list[gast.stmt] = []
        value = stmt.value
        if isinstance(value, gast.Name) and value.id in self.problem.activity.before(stmt) and value.id != a:
            self._accumulate(value.id, [self._taken(a, target.slice, value.id, env, copied=True)], env, z, out)
        if a in self.problem.activity.before(stmt):
            out.append(mark(assign(subscript(self.b(a), clone(target.slice), write=True), constant(0.0)), in_place=self.b(a)))
        else:
            z.discard(a)
        return out

    def _unpacked(self, stmt: Any, z: set[str]) -> list[gast.stmt]:
        """`a, b = t`."""
        if not isinstance(stmt.value, gast.Name) or stmt.value.id not in self.problem.activity.varied.before(stmt):
            return []
        t, targets = stmt.value.id, target_names(stmt.targets[0])
        after, env = self.problem.activity.after(stmt), self.problem.kinds.before(stmt)
        known = [n for n in targets if n in z and n in after]
        out: list[gast.stmt] = []
        if not known:
            return []
        kind = env.get(t, sp.UNKNOWN).kind
        if kind == "tuple" and t not in z or kind == "unknown":
            for name in targets:
                if name not in known:
                    out.append(self.zero(name, self.problem.kinds.after(stmt)))
            whole: gast.expr = tuple_of([load(self.b(n)) for n in targets])
            if kind == "unknown":
                self._accumulate(t, [library("rt.relist(g, t)", g=whole, t=t)], env, z, out)
            else:
                out.append(self._set(t, whole))
                z.add(t)
        else:
            parts = [library("rt.index_like(g, t, i)", g=self.b(n), t=t, i=constant(targets.index(n))) for n in known]
            self._accumulate(t, parts, env, z, out)
        z -= set(targets) - {t}
        active = self.problem.activity.before(stmt)
        out.extend(self.zero(n, env) for n in targets if n in active and n != t)
        z |= {n for n in targets if n in active and n != t}
        return out

    def _list_method(self, stmt: Any, kind: str, name: str, z: set[str]) -> list[gast.stmt]:
        env = self.problem.kinds.before(stmt)
        out: list[gast.stmt] = []
        if kind == "append":
            if name not in z:
                return []
            value = stmt.value.args[0]
            taken = statement("B.pop()", B=self.b(name)).value
            if isinstance(value, gast.Name) and value.id in self.problem.activity.before(stmt):
                part = self.problem.names.new(self.b(value.id))
                out.append(assign(part, taken))
                self._accumulate(value.id, [load(part)], env, z, out)
            else:
                out.append(assign(self.problem.names.new("popped"), taken))
            return out
        if kind == "pop":
            targets = target_names(stmt.targets[0]) if isinstance(stmt, gast.Assign) else []
            if name not in self.problem.activity.before(stmt):
                return []
            out.extend(self._list_bound(name, z))
            y = targets[0] if targets else ""
            if y in z:
                out.append(statement("B.append(VALUE)", B=self.b(name), VALUE=load(self.b(y))))
                z.discard(y)
            else:
                value = library("rt.zeros_like(x)", x=y) if y else constant(0.0)
                out.append(statement("B.append(VALUE)", B=self.b(name), VALUE=value))
            return out
        index, value = stmt.value.args[1], stmt.value.args[2]          # rt.add_at(b, index, value)
        if name in z and isinstance(value, gast.Name) and value.id in self.problem.activity.before(stmt):
            part = library("rt.unbroadcast(rt.pick(b, i), v)", b=self.b(name), i=index, v=value.id)
            self._accumulate(value.id, [part], env, z, out)
        return out

    def _list_bound(self, name: str, z: set[str]) -> list[gast.stmt]:
        if name in z:
            return []
        z.add(name)
        return [mark(self._set(name, library("rt.zeros_like(x)", x=name)), zero=self.b(name))]

    # ------------------------------------------------------------------ calls of the user's functions
    def _call(self, stmt: Any, pair: Pair, z: set[str]) -> list[gast.stmt]:
        result, residuals = target_names(stmt.targets[0])
        if result not in z:
            return []
        env = self.problem.kinds.before(stmt)
        value = call(residuals, self.b(result)) if pair.dynamic else call(pair.backward, residuals, self.b(result))
        taken = [self.problem.names.new(self.b(arg) + "_") for _, arg in pair.active]
        target = store(taken[0]) if len(taken) == 1 else tuple_of(map(store, taken), write=True)
        out: list[gast.stmt] = [gast.Assign([target], value, None)]
        args = [arg for _, arg in pair.active]
        selfs = [load(part) for part, arg in zip(taken, args, strict=True) if arg == result]
        for x in dict.fromkeys(args):
            if x != result:
                self._accumulate(x, [load(p) for p, arg in zip(taken, args, strict=True) if arg == x], env, z, out)
        if selfs:
            out.append(self._set(result, _summed(selfs)))
        elif result in self.problem.activity.before(stmt):
            out.append(self.zero(result, env))
        else:
            z.discard(result)
        return out


def unhandled(stmt: gast.stmt, why: str = "this carries a derivative, and is not differentiated",
              remedy: str = "operations of the table of rules") -> RefusedError:
    """What the fence should have found: never a wrong number."""
    origin = origin_of(stmt)
    return RefusedError("this function", [Refusal(None if origin is None else origin.span, why, remedy)])


def cotangent_spec(spec: Spec) -> Spec:
    if spec.kind in ("int", "bool", "float"):
        return sp.FLOAT
    return spec


def _sums(g: Spec, x: Spec) -> tuple[Any, bool] | None:
    """The axes over which a cotangent of known shape is summed, and whether they stay; None where that is not one sum."""
    if not isinstance(g.shape, tuple) or not isinstance(x.shape, tuple) or x.kind not in ("array", "float") or g.kind != "array" \
            or not fits(g.like(shape=x.shape), x):
        return None
    extra = len(g.shape) - len(x.shape)
    if extra > 0 and g.shape[extra:] == x.shape:
        return (None if x.shape == () else 0 if extra == 1 else tuple(range(extra))), False
    ones = tuple(i for i, (n, m) in enumerate(zip(g.shape, x.shape, strict=False)) if n != m)
    if extra == 0 and ones and all(x.shape[i] == 1 for i in ones):
        return (ones[0] if len(ones) == 1 else ones), True
    return None


def _summed(parts: Sequence[gast.expr]) -> gast.expr:
    total = parts[0]
    for part in parts[1:]:
        total = add(total, part)
    return total
