"""Statements on JAX, whose arrays are never changed: updates in place become new arrays under the same names.

Needs a generated function after the passes, in which only arrays are changed in place that have one name
(`analyse/aliases.py` refuses the others), so that no other name can show the difference. Promises the function on
`jax.numpy`, or refusals, all of a function at once.

    A = np.zeros(3)                    A = jnp.zeros(3)
    A[0] = x                           A = A.at[rt.within(A, 0)].set(x)
    A[1:] += np.sin(x)          →      A = A.at[1:].add(jnp.sin(x))
    rt.add_at(bA, i, g)                bA = rt.add_at(bA, i, g)
    x += A                             x = rt.iadd(x, A)
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import gast

from .. import runtime
from ..analyse.flow import mutation
from ..analyse.graph import Graph
from ..analyse.kinds import Env, Kinds, is_basic
from ..analyse.resolve import Scope
from ..errors import Refusal
from ..syntax import spec as sp
from ..syntax.building import MARKS, assign, clone, library, load, origin_of, store, subscript
from ..syntax.names import Names
from ..syntax.nodes import dotted, walk
from ..syntax.program import Span
from ..syntax.spec import Spec
from .jax_calls import LISTS, Calls, as_value

HEADERS = ("test", "iter")
METHOD = {gast.Add: "add", gast.Sub: "add", gast.Mult: "multiply", gast.Div: "divide"}
HELPER = {gast.Add: "iadd", gast.Sub: "isub", gast.Mult: "imul", gast.Div: "itruediv", gast.FloorDiv: "ifloordiv",
          gast.Mod: "imod", gast.Pow: "ipow", gast.MatMult: "imatmul"}


def _part(span: Span | None, at: str) -> Span | None:
    """The part of a span that reads so, where there is one."""
    if span is None or not at or span.line != span.end_line:
        return span
    found = [one.start() for one in re.finditer(rf"(?<!\w){re.escape(at)}(?!\w)", span.text)]
    if len(found) != 1:
        return span
    start = span.column + found[0]
    return Span(span.source, span.line, start, span.line, start + len(at))


class Text:
    """One function on its way to JAX. After `run`, `refusals` holds what cannot go there,
    `wide` whether it names types of 64 bits."""

    def __init__(self, tree: gast.FunctionDef, scope: Scope, names: Names, specs: Env, *, siblings: set[str],
                 floating: Iterable[str], compiled: bool, twin: Callable[[Any, gast.expr], str | None]) -> None:
        self.tree, self.names = tree, names
        self.refusals: list[Refusal] = []
        self.kinds = Kinds(Graph([stmt for stmt in tree.body if not _is_guard(stmt)]), scope, specs)
        self.calls = Calls(scope, siblings, frozenset(floating), compiled, self.refuse, twin)
        self.stmt: Any = None

    @property
    def wide(self) -> bool:
        return self.calls.wide

    def run(self) -> None:
        """Rewrite the tree, in place."""
        self.tree.body = self._block(self.tree.body)

    def refuse(self, why: str, remedy: str, at: str = "") -> None:
        """at: a text that stands under the caret, where it is once in the statement."""
        origin = origin_of(self.stmt)
        one = origin[0] if isinstance(origin, tuple) and origin else origin
        refusal = Refusal(_part(getattr(one, "span", None), at), why, remedy)
        if refusal not in self.refusals:
            self.refusals.append(refusal)

    def _block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        new: list[gast.stmt] = []
        for stmt in body:
            made = self._statement(stmt)
            for name in MARKS:
                if made and hasattr(stmt, name):
                    for one in made:
                        setattr(one, name, getattr(stmt, name))
            new += made
        return new

    def _statement(self, stmt: Any) -> list[gast.stmt]:
        self.stmt = stmt
        if _is_guard(stmt):
            return [stmt]
        if isinstance(stmt, gast.With):
            self.refuse("with is not written for JAX", "the same without with, or backend='numpy'")
            return [stmt]
        if isinstance(stmt, gast.Try):
            self.refuse("try is not written for JAX, which raises no errors for values",
                        "a test with if, np.where, or backend='numpy'")
            return [stmt]
        self.calls.env = self.kinds.before(stmt)
        if isinstance(stmt, (gast.If, gast.For, gast.While)):
            if isinstance(stmt, gast.While):
                self.calls.env = self.kinds.head(stmt)
            for name in HEADERS:
                if hasattr(stmt, name):
                    setattr(stmt, name, self.calls.expr(getattr(stmt, name)))
            stmt.body, stmt.orelse = self._block(stmt.body), self._block(stmt.orelse)
            return [stmt]
        if isinstance(stmt, gast.AugAssign):
            return [self._augmented(stmt)]
        if isinstance(stmt, gast.Assign) \
                and any(isinstance(node, gast.Subscript) for target in stmt.targets for node in walk(target)):
            return self._parts(stmt)
        if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) \
                and self.calls.scope.value(stmt.value.func) is runtime.check_helpers:
            return [stmt]                                  # it compares the functions that the names mean
        if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call) \
                and self.calls.scope.value(stmt.value.func) is runtime.storable:
            return []                                      # new arrays stand in the place of updates
        if isinstance(stmt, gast.Expr) and (mutation(stmt) or ("",))[0] == "add_at":
            return [self._added_at(stmt.value)]
        for name in stmt._fields:
            value = getattr(stmt, name, None)
            if isinstance(value, gast.expr):
                setattr(stmt, name, self.calls.expr(value))
        return [stmt]

    # ------------------------------------------------------------------ updates
    def _parts(self, stmt: Any) -> list[gast.stmt]:
        """`A[i] = v`; where there are several targets the value is kept first."""
        value = self.calls.expr(stmt.value)
        if len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Subscript):
            return [self._set(stmt.targets[0], value, stmt.value)]
        new: list[gast.stmt] = []
        late: list[gast.stmt] = []

        def target(node: Any) -> Any:
            if isinstance(node, (gast.Tuple, gast.List)):
                return gast.Tuple([target(item) for item in node.elts], gast.Store())
            if not isinstance(node, gast.Subscript):
                return node
            name = self.names.new("item")
            late.append(self._set(node, load(name), None))
            return store(name)

        if len(stmt.targets) > 1:
            kept = self.names.new("value")
            new.append(assign(kept, value))
            value = load(kept)
        for one in stmt.targets:
            if isinstance(one, gast.Subscript):
                new.append(self._set(one, clone(value), None))
            else:
                new.append(gast.Assign([target(one)], clone(value), None))
                new += late
                late.clear()
        return new

    def _set(self, target: Any, value: gast.expr, old: gast.expr | None) -> gast.stmt:
        base = target.value.id if isinstance(target.value, gast.Name) else None
        if base is None:
            self.refuse("a part of a part is assigned, which may be a view", "one index: A[i, j] = v")
            return gast.Pass()
        if old is not None and self._is_array(base) and self._is_once(target.slice) \
                and self.calls.is_floating(load(base)):
            return self._at(base, target.slice, "set", value)
        if self._kind(base).kind in LISTS:
            return gast.Assign([gast.Subscript(target.value, self.calls.expr(target.slice), gast.Store())], value, None)
        return assign(base, library("rt.updated(x, i, v)", x=base, i=self._index(target.slice), v=value))

    def _augmented(self, stmt: Any) -> gast.stmt:
        target, value = stmt.target, self.calls.expr(stmt.value)
        if isinstance(target, gast.Name):
            return self._whole(stmt, value)
        if isinstance(target, gast.Attribute):
            return gast.AugAssign(target, stmt.op, value)
        base = target.value.id if isinstance(target.value, gast.Name) else None
        if base is None or any(isinstance(node, gast.Call) for node in walk(target.slice)):
            self.refuse("a part of a part, or a place that a call chooses, is changed",
                        "an index that is a variable: A[i, j] += v")
            return gast.Pass()
        method = METHOD.get(type(stmt.op))
        if self._kind(base).kind in LISTS:
            return gast.AugAssign(gast.Subscript(target.value, self.calls.expr(target.slice), gast.Store()),
                                  stmt.op, value)
        if method and self._is_array(base) and self._is_once(target.slice) and self.calls.is_floating(load(base)):
            return self._at(base, target.slice, method,
                            gast.UnaryOp(gast.USub(), value) if isinstance(stmt.op, gast.Sub) else value)
        part = self.calls.expr(subscript(base, target.slice))
        return assign(base, library(f"rt.updated(x, i, rt.{HELPER.get(type(stmt.op), 'iadd')}(p, v))", x=base,
                                    i=self._index(target.slice), p=part, v=value))

    def _whole(self, stmt: Any, value: gast.expr) -> gast.stmt:
        """`x += v`: where x may be an array it keeps its shape and dtype."""
        name = stmt.target.id
        before, after = self._kind(name), self.calls.spec(stmt.value)
        helper = HELPER.get(type(stmt.op))
        if before.is_immutable or before.kind in LISTS or helper is None \
                or before.kind == "array" and sp.fits(after, before):
            return gast.AugAssign(stmt.target, stmt.op, value)
        return assign(name, library(f"rt.{helper}(x, v)", x=name, v=value))

    def _added_at(self, node: Any) -> gast.stmt:
        base, index, value = node.args
        if not isinstance(base, gast.Name):
            self.refuse("a part of a part, or a place that a call chooses, is changed",
                        "an index that is a variable: A[i, j] += v")
            return gast.Expr(node)
        g = self.calls.expr(value)
        if self._is_array(base.id) and self._is_once(index):
            return self._at(base.id, index, "add", g)
        return assign(base.id, library("rt.add_at(b, i, g)", b=base.id, i=self._index(index), g=g))

    def _at(self, base: str, index: gast.expr, method: str, value: gast.expr) -> gast.stmt:
        place = gast.Subscript(gast.Attribute(load(base), "at", gast.Load()), self.calls.index(base, index),
                               gast.Load())
        return assign(base, gast.Call(gast.Attribute(place, method, gast.Load()), [value], []))

    def _index(self, index: gast.expr) -> gast.expr:
        return as_value(self.calls.expr(index))

    # ------------------------------------------------------------------ what is known
    def _kind(self, name: str) -> Spec:
        return self.calls.env.get(name, Spec())

    def _is_array(self, name: str) -> bool:
        return self._kind(name).kind in ("array", "numeric")

    def _is_once(self, index: gast.expr) -> bool:
        """The index names no cell twice for certain."""
        return is_basic(index, self.calls.env, self.calls.scope)


def _is_guard(stmt: gast.stmt) -> bool:
    """`w, b = rt.differentiable(w, b)`, which says nothing about shapes and dtypes that is not known."""
    value = getattr(stmt, "value", None)
    return isinstance(stmt, gast.Assign) and isinstance(value, gast.Call) and dotted(value.func) == "%rt.differentiable"
