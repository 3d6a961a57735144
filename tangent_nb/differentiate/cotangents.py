"""The cotangents of names: their variables, what a statement contributes to them, their zeros.

Needs a `Problem`. Promises contributions in the shape and dtype of the name that they go to,
summed by what its kind allows.
"""
from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.activity import is_hidden
from ..analyse.displays import items, parts
from ..analyse.flow import Names, bound_in
from ..analyse.kinds import spec_of
from ..analyse.masks import Mask
from ..errors import Refusal
from ..syntax import spec as sp
from ..syntax.blocks import inserts, is_compound, statements
from ..syntax.building import add, assign, clone, constant, library, load, mark, substitute
from ..syntax.nodes import nodes_in, reads
from ..syntax.spec import Spec, fits
from .partials import partial
from .problem import Problem
from .saves import Saves
from .zeros import Zeros


class Cotangents:
    """zeros: where they are cut; views: trees that stand for temporaries in backward code; restores: what brings back
    the values that a statement overwrote."""

    def __init__(self, problem: Problem, saves: Saves, zeros: Zeros, views: dict[str, gast.expr]) -> None:
        self.problem, self.saves, self.zeros, self.views = problem, saves, zeros, views
        self.scope = problem.scope
        self.cotangent: dict[str, str] = {}
        for stmt in statements(problem.body):              # the user's own name for a cotangent
            if inserts(stmt):
                self.cotangent.setdefault(stmt.items[0].context_expr.args[0].id, stmt.items[0].optional_vars.id)
        self.restores: dict[int, list[gast.stmt]] = {}
        mark_cells(problem)
        self.looped = {name for stmt in statements(problem.body) if saves.in_loop(stmt) for name in bound_in(stmt)}

    def b(self, name: str) -> str:
        """The cotangent variable of a name."""
        if name not in self.cotangent:
            self.cotangent[name] = self.problem.names.new("b" + name)
        return self.cotangent[name]

    def zero(self, x: str, env: Any, bound: Names | None = None) -> gast.stmt:
        """`bx = 0`, in the shape of x. bound: the names that are bound here for certain."""
        spec = env.get(x, sp.UNKNOWN)
        if bound is not None and x not in bound and x not in self.saves.initialised and spec.kind != "float":
            self.saves.missing.add(x)
        if spec.kind == "float" or x in self.problem.parameters and spec.kind in ("int", "bool"):
            value: gast.expr = constant(0.0)
        elif x in self.problem.wrt and spec.kind in ("items", "versions", "unknown"):
            value = library("rt.zero_gradient(x)", x=x)
        else:
            value = zeros_like(x, spec)
        return mark(self.assigned(x, value), zero=self.b(x))

    def bound(self, x: str, env: Any, z: set[str]) -> list[gast.stmt]:
        """Make sure that x has a cotangent."""
        if x in z:
            return []
        z.add(x)
        return [self.zero(x, env)]

    def accumulate(self, x: str, parts: list[gast.expr], env: Any, z: set[str], out: list[gast.stmt]) -> None:
        """Add contributions to the cotangent of x."""
        bx = self.b(x)
        out.extend(self.bound(x, env, z))
        if env.get(x, sp.UNKNOWN).is_number:
            out.append(mark(self.assigned(x, summed([load(bx), *parts])), adds=bx))
        else:
            total = library("rt.add_grad(a, b)", a=bx, b=functools.reduce(add_grad, parts))
            out.append(mark(self.assigned(x, total), adds=bx))

    def assigned(self, x: str, value: gast.expr) -> gast.stmt:
        """`bx = value`."""
        return assign(self.b(x), self.rematerialised(value))

    def rematerialised(self, tree: gast.expr) -> gast.expr:
        """Views of arrays that are changed in place are read anew."""
        while self.views and reads(tree) & self.views.keys():
            tree = substitute(tree, self.views)
        return tree

    def contributions(self, stmt: Any, y: str, value: gast.expr,
                      result: str | None = None) -> tuple[list[tuple[str, gast.expr, bool]], bool]:
        """`(operand, contribution, elementwise)` for each active operand of `y = value`;
        whether one reads the result."""
        before, env = self.problem.activity.varied.before(stmt), self.problem.kinds.before(stmt)
        operation = self.scope.operation(value)
        by = load(self.b(y))
        if operation.kind == "name":
            return ([(value.id, by, False)] if value.id in before else []), False
        if operation.kind == "container":
            if any(is_hidden(item, before, self.scope) for item in items(value)):
                return unhandled(self.problem, stmt), False
            return [(item.id, part, False)
                    for item, part in zip(items(value), parts(value, operation.fn, by), strict=True)
                    if isinstance(item, gast.Name) and item.id in before], False
        rule = operation.rule
        if operation.kind != "rule" or rule is None or not rule.supported and is_hidden(value, before, self.scope):
            return unhandled(self.problem, stmt), False
        specs = {n: spec_of(a, env, self.scope) for n, a in operation.args.items() if not isinstance(a, gast.Slice)}
        specs[rule.result] = self.problem.kinds.after(stmt).get(y, sp.UNKNOWN)
        found, reads_result = [], False
        for parameter in rule.active_params:
            arg = operation.args.get(parameter)
            if is_hidden(arg, before, self.scope):
                return unhandled(self.problem, stmt), False
            if not isinstance(arg, gast.Name) or arg.id not in before:
                continue
            got = partial(operation, "pull", parameter, clone(by), load(result or y), specs)
            if got is not None:
                tree, result_read = got
                for mask in getattr(stmt, "masks", ()) if rule.diagonal else ():
                    tree = self._masked(tree, mask, spec_of(mask.condition, env, self.scope))
                tree = self.zeros.masked(tree, stmt, operation, parameter, y, by)
                found.append((arg.id, tree, rule.diagonal))
                reads_result |= result_read
        return found, reads_result

    @staticmethod
    def _masked(tree: gast.expr, mask: Mask, spec: sp.Spec) -> gast.expr:
        condition = clone(mask.condition) if mask.side else library("np.logical_not(c)", c=mask.condition)
        if mask.whole and spec.rank != 0:
            condition = library("np.any(c)", c=condition)
        return library("rt.mask(v, c)", v=tree, c=condition)

    def fitted(self, tree: gast.expr, x: str, env: Any, after: Any, y: str, elementwise: bool) -> gast.expr:
        """A contribution in the shape and dtype of x."""
        spec = env.get(x, sp.UNKNOWN)
        if not elementwise:
            g = self._spec(tree, env, after, y)
            if isinstance(spec.dtype, str) and isinstance(g.dtype, str) and spec.is_number and g.dtype != spec.dtype \
                    and {spec.dtype, g.dtype} != {"f8", "weak"}:
                return library("rt.cast(v, x)", v=tree, x=x)
            return tree
        new = library("rt.unbroadcast(v, x)", v=tree, x=self.alike(x, env, y))
        g = self._spec(tree, env, after, y)
        new.fits = fits(g, spec)
        new.sums = None if new.fits else _sums(g, spec)
        return new

    def alike(self, x: str, env: Any, y: str) -> gast.expr:
        """What has the shape and dtype of x and needs no tape: a variable or a part of one,
        of which a temporary in a loop was made.

        y: what the statement binds, which is something else before it.
        """
        spec, todo = env.get(x, sp.UNKNOWN), [x]
        if x not in self.looped & self.problem.temporaries or isinstance(self.views.get(x), gast.Subscript) \
                or None in (spec.shape, spec.dtype):
            return load(x)
        while todo:
            name = todo.pop()
            if isinstance(self.views.get(name), gast.Subscript) or name not in self.looped:
                return load(name)
            node = self.problem.definitions.get(name)
            operation = self.scope.operation(node) if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Call)) else None
            if operation is not None and operation.rule is not None and operation.rule.diagonal:
                todo += [arg.id for arg in reversed(list(operation.args.values())) if isinstance(arg, gast.Name)
                         and arg.id in self.scope.local and arg.id != y and same(env.get(arg.id, sp.UNKNOWN), spec)]
        return load(x)

    def _spec(self, tree: gast.expr, env: Any, after: Any, y: str) -> Spec:
        known = {y: after[y]} if y in after and y not in env else {}
        return spec_of(tree, env.updated({**known, self.b(y): cotangent_spec(after.get(y, sp.UNKNOWN))}), self.scope)


def same(one: Spec, other: Spec) -> bool:
    """Both are numbers or arrays, of one shape and dtype for certain."""
    return one.is_number and sp.same_shape(one, other) and one.dtype is not None and one.dtype == other.dtype


def mark_cells(problem: Problem) -> None:
    """Mark the parts of arrays, `A[i, j]`: what these are does not say how large they are (that of a list does)."""
    for stmt in statements(problem.body):
        env = problem.kinds.before(stmt)
        for node in () if is_compound(stmt) else nodes_in(stmt):
            if isinstance(node, gast.Subscript) \
                    and spec_of(node.value, env, problem.scope).kind in ("array", "numeric"):
                node.cells = True


def unhandled(problem: Problem, stmt: gast.stmt,
              why: str = "this is made of what is differentiated, and has no derivative rule",
              remedy: str = "a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint") -> list[Any]:
    """Note what the fence should have found: never a wrong number. What is made of it, which is nothing."""
    problem.refused.append(Refusal.at(stmt, why, remedy))
    return []


def cotangent_spec(spec: Spec) -> Spec:
    """What is known of the cotangent, or the tangent, of a value."""
    if spec.kind in ("int", "bool", "float"):
        return sp.FLOAT
    return spec


def _sums(g: Spec, x: Spec) -> tuple[Any, bool] | None:
    """The axes over which a cotangent of known shape is summed, and whether they stay;
    None where that is not one sum."""
    if not isinstance(g.shape, tuple) or not isinstance(x.shape, tuple) or x.kind not in ("array", "float", "scalar") \
            or g.kind != "array" or not fits(g.like(shape=x.shape), x):
        return None
    extra = len(g.shape) - len(x.shape)
    if extra > 0 and g.shape[extra:] == x.shape:
        return (None if x.shape == () else 0 if extra == 1 else tuple(range(extra))), False
    ones = tuple(i for i, (n, m) in enumerate(zip(g.shape, x.shape, strict=False)) if n != m)
    if extra == 0 and ones and all(x.shape[i] == 1 for i in ones):
        return (ones[0] if len(ones) == 1 else ones), True
    return None


def zeros_like(x: str, spec: Spec) -> gast.expr:
    """Zeros in the shape of a value, of floats."""
    if spec.kind == "float":
        return constant(0.0)
    floats = spec.kind == "array" and isinstance(spec.dtype, str) and spec.dtype[0] == "f"
    return library("np.zeros_like(x)" if floats else "rt.zeros_like(x)", x=x)


def add_grad(a: gast.expr, b: gast.expr) -> gast.expr:
    """The sum of two cotangents, or tangents, that may be containers."""
    return library("rt.add_grad(a, b)", a=a, b=b)


def summed(parts: Sequence[gast.expr]) -> gast.expr:
    """The parts with plus signs between them."""
    return functools.reduce(add, parts)
