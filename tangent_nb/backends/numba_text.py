"""One function on its way to nopython mode: what Numba would do in another way than Python is written so that both do
the same, or refused.

Needs a function after the passes. Promises the same function, where `rt` has only helpers that are compiled.

    y[1:] += y[:-1]      →      y[1:] = y[1:] + y[:-1]

| what | Numba | here |
|---|---|---|
| an array is changed in place, by a part of itself | goes over both at once | written as an assignment |
| by an array of another shape | goes over any memory | written as an assignment, which asks |
| arithmetic of truth values | numbers | refused |
| bounds that are floats | cut | refused: `rt.integer` |
| numbers of other widths than 64 bits | 64 bits | refused |
| Python's ints | 64 bits | refused where they may grow beyond |
| an int to the power of an int | an int, also where Python gives a fraction | refused |
| numbers that `np.random` draws | from a stream of its own | refused |
| a sum that keeps its axis | none | `np.expand_dims` of the sum |
| an index out of bounds | any memory | an error, as in Python (`boundscheck=True`) |
| helpers without a compiled form | | refused |
"""
from __future__ import annotations

import types
from collections.abc import Callable, Collection
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..analyse.graph import Graph
from ..analyse.kinds import Env, Kinds, spec_of
from ..analyse.libraries import is_library, is_ours
from ..analyse.one_memory import one_memory, roots, with_others
from ..analyse.resolve import Scope
from ..errors import Refusal
from ..syntax.blocks import rebuild, statements
from ..syntax.building import clone, constant, library, load, mark, origin_of
from ..syntax.nodes import dotted, literal, reads, root_name
from ..syntax.program import MISSING
from ..syntax.spec import Spec
from .numba_integers import may_wrap
from .outside import own_nodes

MARKS = ("role", "origin", "note", "comment", "section")
NUMBERS = ("float", "int", "bool", "scalar")
WIDTHS = "f8 i8 b1"
BITWISE = (gast.BitAnd, gast.BitOr, gast.BitXor, gast.Div, gast.Pow)
Twin = Callable[[Any, gast.expr], str | None]


class NumbaText:
    """After `run`, `refusals` holds what cannot be compiled. helpers: those of `rt` that are compiled; siblings: the
    names of the functions of the text; floating: those that carry a derivative, or are one; twin: the name of the
    function that one of the user's becomes; entry: its guards are not compiled."""

    def __init__(self, tree: gast.FunctionDef, scope: Scope, specs: Env, *, helpers: Collection[str],
                 siblings: Collection[str], floating: Collection[str], twin: Twin,
                 entry: bool) -> None:
        self.tree, self.scope, self.specs, self.floating = tree, scope, specs, floating
        self.helpers, self.siblings, self.twin, self.entry = helpers, siblings, twin, entry
        self.refusals: list[Refusal] = []
        leaves = _is_guard if entry else _checks_helpers
        place = next((i for i, stmt in enumerate(tree.body) if not leaves(stmt)), len(tree.body))
        self.guards, self.body = tree.body[:place], tree.body[place:]
        self.kinds = Kinds(Graph(self.body), scope, specs)
        self.shared = one_memory(self.body, scope, views=True)

    def run(self) -> None:
        """Rewrite the tree, in place."""
        for stmt in statements(self.body):
            for node in [stmt, *own_nodes(stmt)]:
                if isinstance(node, gast.Call):
                    self._call(node, stmt)
                self._other(node, stmt)
        self.refusals += may_wrap(self.tree, self.body, self.kinds, self.scope, self.floating, self.siblings,
                                  entry=self.entry)
        self.tree.body = [*self.guards, *rebuild(self.body, self._apart)]

    def refuse(self, stmt: gast.stmt, why: str, remedy: str) -> None:
        refusal = Refusal(getattr(_first(origin_of(stmt)), "span", None), why, remedy)
        if refusal not in self.refusals:
            self.refusals.append(refusal)

    def _call(self, node: Any, stmt: gast.stmt) -> None:
        name = dotted(node.func) or ""
        if (axis := _kept_axis(node, self.scope)) is not None:
            node.func, node.args, node.keywords = library("np.expand_dims"), [clone(node), constant(axis)], []
            node.args[0].keywords = [one for one in node.args[0].keywords if one.arg != "keepdims"]
            return
        fn = self.scope.value(node.func)
        if fn is not MISSING and is_ours(fn):
            own = getattr(fn, "__name__", "")
            if own not in self.helpers or getattr(runtime, own, None) is not fn:
                self.refuse(stmt, f"its derivative calls {name.removeprefix('%')}, which has no compiled form for "
                                  "Numba", "compile=None, or a loop over numbers")
            return
        if self.scope.builtin(node) == "range":
            node.args = [self._place(arg, stmt) for arg in node.args]
        if getattr(fn, "__module__", None) == "numpy.random.mtrand" or isinstance(
                getattr(fn, "__self__", None), np.random.RandomState):
            self.refuse(stmt, f"{name} would draw other numbers in compiled code, which has a stream of its own",
                        "draw them outside, and pass them as an argument")
        elif fn is np.remainder or self._power_of_ints(node, fn, stmt):
            self.refuse(stmt, f"{name} of such numbers is another one in compiled code", "the operator % or **, with a "
                        "float, or compile=None")
        elif isinstance(fn, types.FunctionType) and name not in self.siblings and not is_library(fn):
            twin = self.twin(fn, node.func)
            if twin is not None:
                node.func = load(twin)

    def _spec(self, node: gast.expr, stmt: gast.stmt) -> Spec:
        return spec_of(node, self.kinds.before(stmt), self.scope)

    def _other(self, node: Any, stmt: gast.stmt) -> None:
        """Truth values that are computed with, bounds of slices, and numbers of other widths."""
        if isinstance(node, gast.BinOp) and not isinstance(node.op, BITWISE) or isinstance(node, gast.UnaryOp) \
                and isinstance(node.op, (gast.Invert, gast.USub)) or isinstance(node, gast.AugAssign):
            one, *more = [node.left, node.right] if isinstance(node, gast.BinOp) else [node.operand] \
                if isinstance(node, gast.UnaryOp) else [_loaded(node.target), node.value]
            specs = [self._spec(part, stmt) for part in (one, *more)]
            if any(map(_of_truth, specs)) and not any(map(_of_numbers, specs)):
                self.refuse(stmt, "truth values are computed with, which NumPy and compiled code do in two ways",
                            "float(...), np.where(c, 1.0, 0.0), or compile=None")
        elif isinstance(node, gast.Slice):
            node.lower, node.upper, node.step = (part if part is None else self._place(part, stmt)
                                                 for part in (node.lower, node.upper, node.step))
        elif isinstance(node, (gast.Name, gast.Attribute)) and isinstance(getattr(node, "ctx", None), gast.Load):
            value = self.scope.value(node)
            if isinstance(value, type) and issubclass(value, np.generic) and np.dtype(value).str[1:] not in WIDTHS:
                self.refuse(stmt, f"numbers of {value.__name__} compute otherwise in compiled code",
                            "float, int, or compile=None")

    def _place(self, node: gast.expr, stmt: gast.stmt) -> gast.expr:
        """A bound, which has to be an int: compiled code would cut a float."""
        spec = self._spec(node, stmt)
        if spec.kind in ("int", "none") or spec.kind == "scalar" and str(spec.dtype)[:1] in "iu":
            return node
        return library("rt.integer(n)", n=node)

    def _power_of_ints(self, node: gast.Call, fn: Any, stmt: gast.stmt) -> bool:
        """np.power, or pow, of two ints."""
        if fn is not np.power and self.scope.builtin(node) != "pow":
            return False
        specs = [self._spec(arg, stmt) for arg in node.args]
        return not any(spec.kind == "float" or str(spec.dtype)[:1] == "f" or isinstance(spec.dtype, frozenset)
                       for spec in specs) and not any(reads(arg) & set(self.floating) for arg in node.args)

    def _apart(self, stmt: Any) -> list[gast.stmt] | None:
        """A statement that changes an array in place, as an assignment, but for arrays of one shape that share nothing:
        an assignment asks for the shape."""
        if not isinstance(stmt, gast.AugAssign):
            return None
        target = _loaded(stmt.target)
        to, value = self._spec(target, stmt), self._spec(stmt.value, stmt)
        apart = not with_others(roots(stmt.value, self.scope), self.shared) & with_others(
            {root_name(target) or ""}, self.shared)
        if to.kind in NUMBERS or value.kind in NUMBERS or apart and to.shape and to.shape == value.shape:
            return None
        if not to.is_number and isinstance(target, gast.Name) or to.kind == "numeric" and not to.shape:
            self.refuse(stmt, "whether this is an array is not known, and it would be changed while it is read",
                        "x = x + ... for x += ...")
            return None
        whole = gast.Subscript(target, gast.Constant(..., None), gast.Store()) if isinstance(target, gast.Name) \
            else stmt.target
        new = gast.Assign([whole], gast.BinOp(clone(target), stmt.op, stmt.value), None)
        return [mark(new, **{name: getattr(stmt, name) for name in MARKS if hasattr(stmt, name)})]


def _of_numbers(spec: Spec) -> bool:
    return spec.kind in ("int", "float") or isinstance(spec.dtype, frozenset) or str(spec.dtype)[:1] in "fiu"


def _of_truth(spec: Spec) -> bool:
    return spec.kind == "bool" or spec.dtype == "b1"


def _kept_axis(node: gast.Call, scope: Scope) -> int | None:
    """The axis of a sum, where it is kept: Numba's sums keep none."""
    if scope.value(node.func) is not np.sum and not (isinstance(node.func, gast.Attribute) and node.func.attr == "sum"):
        return None
    said = {one.arg: literal(one.value, None) for one in node.keywords}
    return said["axis"] if said.get("keepdims") is True and type(said.get("axis")) is int else None


def _is_guard(stmt: gast.stmt) -> bool:
    return getattr(stmt, "role", "") == "guard"


def _checks_helpers(stmt: Any) -> bool:
    return isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) \
        and dotted(stmt.value.func) == "%rt.check_helpers"




def _first(origin: Any) -> Any:
    return origin[0] if isinstance(origin, tuple) and origin else origin


def _loaded(target: Any) -> Any:
    node = clone(target)
    node.ctx = gast.Load()
    return node

