"""The adjoint of one simple statement: what each kind of assignment, append and call adds to which cotangents.

Needs a `Problem`, and the names that have a cotangent after the statement.
Promises its backward code, and the names that have one before.
"""
from __future__ import annotations

from typing import Any

import gast

from ..analyse.both import reads_both
from ..analyse.flow import mutation
from ..analyse.kinds import index_parts, is_basic, is_whole, spec_of
from ..rules import FIELD
from ..syntax import spec as sp
from ..syntax.building import (
    assign,
    augment,
    call,
    clone,
    constant,
    index_value,
    library,
    load,
    mark,
    rooted,
    statement,
    store,
    subscript,
    tuple_of,
)
from ..syntax.nodes import literal, nodes_in, root_name, target_names
from ..syntax.spec import fits
from .cotangents import Cotangents, cotangent_spec, summed
from .problem import Pair, placed


class StatementAdjoints(Cotangents):
    """Each kind of simple statement."""

    def adjoint(self, stmt: Any, z: set[str]) -> tuple[list[gast.stmt], bool]:
        """The backward code of a simple statement, and whether it reads the result."""
        names = getattr(stmt, "storable", ())
        known, numbers = {name for name in names if name in z}, {self.b(name): name for name in names if name not in z}
        out, reads_result = self._adjoint(stmt, z)
        changing = {getattr(one, "in_place", None) for one in out}
        if numbers and hasattr(stmt, "numbers"):           # of which also a zero is a number
            out = [made for one in out for made in [one, *(self._storable(numbers[b]) for b in [
                getattr(one, "zero", None)] if b in numbers and b in changing)]]
        return [*(self._storable(name) for name in sorted(known) if self.b(name) in changing), *out], reads_result

    def _storable(self, name: str) -> gast.stmt:
        return self.assigned(name, library("rt.storable(b)", b=self.b(name)))

    def _adjoint(self, stmt: Any, z: set[str]) -> tuple[list[gast.stmt], bool]:
        changed = mutation(stmt)
        if changed is not None:     # a list that gets its cotangent here is as long as it is after a pop
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
        if not isinstance(target, gast.Name) or target.id not in z \
                or target.id not in self.problem.activity.after(stmt):
            return [], False
        if hasattr(stmt, "by_place"):
            return self._placed(stmt, target.id, z), False
        return self._operation(stmt, target.id, stmt.value, z)

    def _operation(self, stmt: Any, y: str, value: gast.expr, z: set[str]) -> tuple[list[gast.stmt], bool]:
        kept: list[gast.stmt] = []
        if isinstance(stmt, gast.AugAssign) and reads_both(self.scope.operation(value), y):
            new = self.problem.names.numbered(y)     # y after the statement; then y is restored, then come the partials
            kept = self._late(stmt, [])
            kept.insert(0, mark(assign(new, load(y)), restore=y))
            found, _ = self.contributions(stmt, y, value, new)
            reads_result = False
        else:
            found, reads_result = self.contributions(stmt, y, value)
        env = self.problem.kinds.before(stmt)
        after = self.problem.kinds.after(stmt)
        operation = self.scope.operation(value)
        if operation.kind == "rule" and operation.rule is not None \
                and (operation.rule.name == "operator.getitem" or operation.rule is FIELD):
            read = value
            if isinstance(value, gast.Call) and operation.rule is FIELD:       # rt.field
                read = gast.Attribute(operation.args["x"], literal(operation.args["name"]), gast.Load())
            place = self._indexed(stmt, y, read, z, env)
            if place is not None:
                return place, False
        others = [one for one in found if one[0] != y]
        selfs = [one for one in found if one[0] == y]
        out: list[gast.stmt] = kept
        # what y was before, of another shape perhaps, is not the result that is read
        seen = env.updated({y: after[y]}) if reads_result and y in after else env
        for x in dict.fromkeys(x for x, _, _ in others):
            parts = [self.fitted(tree, x, seen, after, y, elementwise)
                     for name, tree, elementwise in others if name == x]
            self.accumulate(x, parts, env, z, out)
        active_before = self.problem.activity.before(stmt)
        if selfs:
            if reads_result:
                total = summed([tree for _, tree, _ in selfs])
                out.append(self.assigned(y, total))
                late = self.fitted(load(self.b(y)), y, env, after, y, True)
                fitted = [self.assigned(y, late)]
                return [*out, *self._late(stmt, fitted)], True
            parts = [self.fitted(tree, y, env, after, y, elementwise) for _, tree, elementwise in selfs]
            out.append(self.assigned(y, summed(parts)))
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

    def _indexed(self, stmt: Any, y: str, value: Any, z: set[str], env: Any) -> list[gast.stmt] | None:
        """`y = x[i]` with an array x: `bx[i] += by`, in place, in an array that belongs to bx alone."""
        if not isinstance(value.value, gast.Name):
            return []
        x = value.value.id
        spec = spec_of(value.value, env, self.scope)
        kind = spec.kind
        read = ("array", "numeric", "list", "items", "versions", "unknown")
        if x == y or kind not in read or x not in self.problem.activity.varied.before(stmt):
            return None
        if spec.is_number and not spec.rank and isinstance(value, gast.Subscript) \
                and all(is_whole(part, self.scope) for part in index_parts(value.slice)):
            return None                                    # x may be a number, which does not change in place
        out = self.bound(x, env, z)
        g: gast.expr = load(self.b(y))
        if kind == "versions":
            added = library("rt.added(b, i, g)", b=self.b(x), i=index_value(value.slice), g=g)
            return [*out, self.assigned(x, added), *self._taken_from(stmt, y, z, env)]
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
        return self.assigned(x, new)

    def _taken_from(self, stmt: Any, y: str, z: set[str], env: Any) -> list[gast.stmt]:
        """The cotangent of y has been given on; y was something else before."""
        if y in self.problem.activity.before(stmt):
            return [self.zero(y, env)]
        z.discard(y)
        return []

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
        part = self._taken(stmt.target, v, env, copied=v in self.problem.ownership.mutated, added=True)
        if isinstance(stmt.op, gast.Sub):
            part = gast.UnaryOp(gast.USub(), part)
        self.accumulate(v, [part], env, z, out)
        return out, False

    def _taken(self, target: gast.Subscript, v: str, env: Any, *, copied: bool, added: bool = False) -> gast.expr:
        """The cotangent of v in `a[index] = v`, or in `a[index] += v`, where v is no larger than the part."""
        a, index = root_name(target) or "", target.slice
        base = rooted(target.value, self.b(a))
        if not is_basic(index, env, self.scope):
            return library("rt.written(b, v, i)", b=base, v=v, i=index_value(index))
        part: gast.expr = subscript(base, index)
        spec = cotangent_spec(env.get(a, sp.UNKNOWN))
        got = spec_of(subscript(target.value, index), env, self.scope)
        if copied and got.kind != "scalar":
            part = library("rt.pick(b, i)", b=base, i=index) if not any(
                isinstance(n, gast.Slice) for n in nodes_in(index)) else library("rt.copy(x)", x=part)
        if got.kind == "scalar":
            part.spec = got                                # a number, which stays when the part is changed
        given = env.get(v, sp.UNKNOWN)
        new = library("rt.unbroadcast(g, v)", g=part, v=self.alike(v, env, ""))
        new.fits = spec.kind in ("array", "numeric") \
            and (fits(got, given) or added and v in self.problem.temporaries and _fills(given, got))
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
            self.accumulate(value.id, [self._taken(target, value.id, env, copied=True)], env, z, out)
        if a in self.problem.activity.before(stmt):
            out.append(mark(assign(rooted(target, self.b(a)), constant(0.0)), in_place=self.b(a)))
        else:
            z.discard(a)
        return out

    def _placed(self, stmt: Any, xs: str, z: set[str]) -> list[gast.stmt]:
        """`xs[i] = v` of a list: the cotangent of the item goes to v, and that of the old item becomes zero."""
        env, after = self.problem.kinds.before(stmt), self.problem.kinds.after(stmt)
        found, _ = self.contributions(stmt, xs, stmt.value)
        out: list[gast.stmt] = []
        for v in dict.fromkeys(x for x, _, _ in found if x != xs):
            parts = [self.fitted(tree, v, env, after, xs, elementwise) for x, tree, elementwise in found if x == v]
            self.accumulate(v, parts, env, z, out)
        if xs in self.problem.activity.before(stmt):
            part = placed(stmt).targets[0]
            zero = library("rt.zeros_like(x)", x=subscript(xs, clone(part.slice)))
            out.append(mark(assign(subscript(self.b(xs), part.slice, write=True), zero), in_place=self.b(xs)))
        else:
            z.discard(xs)
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
        place = {n: i for i, n in enumerate(targets)}      # of two targets of one name the last one counts
        if kind == "tuple" and t not in z or kind == "unknown":
            zeros = [self.zero(n, self.problem.kinds.after(stmt)) for n in place if n not in known]
            if zeros:                                      # in the shape of what the statement bound
                out += [*zeros, *self._late(stmt, [])]
            whole: gast.expr = tuple_of([load(self.b(n)) if place[n] == i else library(
                "rt.zeros_like(x)", x=subscript(t, constant(i))) for i, n in enumerate(targets)])
            if kind == "unknown":
                self.accumulate(t, [library("rt.relist(g, t)", g=whole, t=t)], env, z, out)
            else:
                out.append(self.assigned(t, whole))
                z.add(t)
        else:
            parts = [library("rt.index_like(g, t, i)", g=self.b(n), t=t, i=constant(place[n])) for n in known]
            self.accumulate(t, parts, env, z, out)
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
                self.accumulate(value.id, [load(part)], env, z, out)
            else:
                out.append(assign(self.problem.names.new("popped"), taken))
            return out
        if kind == "pop":
            targets = target_names(stmt.targets[0]) if isinstance(stmt, gast.Assign) else []
            if name not in self.problem.activity.before(stmt):
                return []
            out.extend(self.bound(name, env, z))
            y = targets[0] if targets else ""
            if y in z:
                out.append(statement("B.append(VALUE)", B=self.b(name), VALUE=load(self.b(y))))
                z.discard(y)
            else:
                value = library("rt.zeros_like(x)", x=y) if y else constant(0.0)
                out.append(statement("B.append(VALUE)", B=self.b(name), VALUE=value))
            return out
        array, index, value = stmt.value.args
        if name in z and isinstance(value, gast.Name) and value.id in self.problem.activity.before(stmt):
            back = "unbroadcast" if env.get(value.id, sp.Spec()).is_number else "unadded"
            part = library(f"rt.{back}(rt.pick(b, i), v)", b=rooted(array, self.b(name)), i=index, v=value.id)
            self.accumulate(value.id, [part], env, z, out)
        return out

    # ------------------------------------------------------------------ calls of the user's functions
    def _call(self, stmt: Any, pair: Pair, z: set[str]) -> list[gast.stmt]:
        result, *residuals = target_names(stmt.targets[0])
        if result not in z:
            return []
        env = self.problem.kinds.before(stmt)
        adds = [arg for param, arg in pair.active if param in pair.adds]
        zeros = [one for arg in adds for one in self.bound(arg, env, z)]
        seeds: list[Any] = [subscript(self.b(result), constant(i)) for i in pair.seeds] or [self.b(result)]
        given = [*(map(clone, stmt.value.args) if pair.again else residuals), *seeds, *map(self.b, adds)]
        value = call(*given) if pair.dynamic else call(pair.backward, *given)
        taken = [self.b(arg) if arg in adds else self.problem.names.new(self.b(arg) + "_") for _, arg in pair.active]
        target = store(taken[0]) if len(taken) == 1 else tuple_of(map(store, taken), write=True)
        marks = {"reruns": pair.reruns} if pair.reruns else {}
        out: list[gast.stmt] = [*zeros, mark(gast.Assign([target], value, None), **marks)]
        args = [arg for _, arg in pair.active]
        selfs = [load(part) for part, arg in zip(taken, args, strict=True) if arg == result]
        for x in dict.fromkeys(args):
            if x != result and x not in adds:
                self.accumulate(x, [load(p) for p, arg in zip(taken, args, strict=True) if arg == x], env, z, out)
        if selfs:
            out.append(self.assigned(result, summed(selfs)))
        elif result in self.problem.activity.before(stmt):
            out.append(self.zero(result, env))
        else:
            z.discard(result)
        return out


def _fills(v: sp.Spec, part: sp.Spec) -> bool:
    """What is added to a part in place, and is at least as large, has its shape;
    both are real, of what precision the sum says."""
    return isinstance(part.shape, frozenset) and isinstance(v.shape, frozenset) and part.shape <= v.shape \
        and part.is_real and v.is_number
