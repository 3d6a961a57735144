"""Whether statements may run twice, and what has to be put back so that they find the same: what a region of
`tnb.checkpoint` does besides computing.

Needs statements in the core language. Promises the generators of random numbers that they draw from, whose states are
kept; what else they do is refused: what changes something outside, prints, reads a clock, or is not known.

    y = x * rng.normal(size=3)       →      draws: rng
    print(x)                         →      refused
"""
from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..analyse.arguments import bind
from ..analyse.caches import called_function
from ..analyse.draws import DRAWS, draws, makes_generator
from ..analyse.effects import is_opaque, is_pure_function, reads_clock
from ..analyse.libraries import is_library, is_ours, is_user_class
from ..analyse.resolve import Scope
from ..errors import KIND
from ..rules import lookup, may_only_compute, methods_named
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.building import library
from ..syntax.nodes import dotted, is_literal, literal, nodes_of, parameter_names, root_name, writes
from ..syntax.program import MISSING, Captured

ARITHMETIC = (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare, gast.JoinedStr)      # no generator comes of these
TWICE, ELSEWHERE = "it would be done twice", "it in front of the region, or behind it"
DRAWN = "what is drawn there could not be drawn again", "the generator as an argument: noisy(x, rng)"


class RunsOnceError(Exception):
    """A node that may not run twice, with why, and what to write instead; stmt: the statement that it is in."""

    def __init__(self, node: Any, why: str, remedy: str) -> None:
        super().__init__(why)
        self.node, self.why, self.remedy = node, why, remedy
        self.stmt: Any = None
        self.unknown = ""


@dataclass
class Twice:
    """What statements do besides computing. scope: of their names; start: the names that they read from around them;
    text: the text of a function, None where there is none; sources: what they draw from, as expressions; given: the
    parameters that they draw from; seen: the functions whose texts were read, with those of theirs; inner: it is such a
    text."""

    scope: Scope
    start: set[str]
    text: Callable[[Any], Captured | None]
    sources: dict[str, gast.expr] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    seen: dict[Any, tuple[Captured, set[str]]] = field(default_factory=dict)
    inner: bool = False

    def read(self, body: Sequence[gast.stmt]) -> None:
        """Read statements; RunsOnceError at the first that may not run twice."""
        for stmt in statements(body):
            try:
                for part in own_expressions(stmt) if is_compound(stmt) else [stmt]:
                    self._part(part, stmt, body)
            except RunsOnceError as error:
                error.stmt = stmt
                raise

    def _part(self, part: Any, stmt: Any, body: Sequence[gast.stmt]) -> None:
        for node in nodes_of(part, gast.Global, gast.Nonlocal, gast.Attribute, gast.Subscript):
            if isinstance(node, (gast.Global, gast.Nonlocal)) or not isinstance(node.ctx, gast.Load) \
                    and root_name(node) not in self.scope.local:
                raise RunsOnceError(stmt, f"this changes what is outside of the function, and {TWICE}", ELSEWHERE)
        for node in nodes_of(part, gast.Call):
            self._call(node, body)

    def _call(self, node: gast.Call, body: Sequence[gast.stmt]) -> None:
        inner: Any = node.func
        if isinstance(inner, gast.Call) and self.scope.value(inner.func) is runtime.checkpoint and inner.args:
            node = gast.copy_location(gast.Call(inner.args[0], node.args, node.keywords), node)
        fn, row = called_function(self.scope.value(node.func)), self.scope.effects(node)
        if fn is runtime.checkpoint or fn is runtime.checkpointed or fn is runtime.insert_grad_of:
            return
        by_name = fn is MISSING and isinstance(node.func, gast.Attribute)
        if getattr(node, "draws", False) or fn is not MISSING and draws(fn) or row.draws \
                or by_name and node.func.attr in DRAWS:
            self._drawn(node, fn, body)
        elif makes_generator(fn):
            seeds = [*node.args, *(k.value for k in node.keywords)]
            if not seeds or any(is_literal(one) and literal(one) is None for one in seeds):
                raise RunsOnceError(node, "a generator without a seed draws other numbers when this runs again",
                                    "a seed, or a generator that is made in front of the region")
        elif isinstance(fn, types.FunctionType) and lookup(fn) is None and not is_library(fn) and not is_ours(fn):
            self._followed(node, fn)
        elif not self._computes(node, fn, row):
            error = RunsOnceError(node, f"this does more than compute, as far as is known, and {TWICE}", ELSEWHERE)
            error.unknown = KIND if fn is MISSING and not self.inner else ""       # an argument may be a function
            raise error

    def _computes(self, node: gast.Call, fn: Any, row: Any) -> bool:
        """A call of what is no function of the user does nothing but compute, or changes a list of the text."""
        if isinstance(fn, type):
            return not is_user_class(fn) or self.scope.operation(node).kind == "container"
        if fn is not MISSING and reads_clock(fn) or row.outside:
            return False
        if fn is MISSING and isinstance(node.func, gast.Attribute):
            name, base = node.func.attr, node.func.value
            return may_only_compute(name) or isinstance(base, gast.Name) and base.id in self.scope.local \
                and any(one.owner is list and one.changes_first for one in methods_named(name))
        return fn is not MISSING and (is_pure_function(fn) or lookup(fn) is not None and is_ours(fn)) \
            or not is_opaque(node, self.scope, lambda _: False)

    def _followed(self, node: gast.Call, fn: Any) -> None:
        """A function of the user."""
        if fn not in self.seen:
            captured = self.text(fn)
            if captured is None:
                raise RunsOnceError(node, "what this function does is not known, and it would run twice",
                                    "a function whose text is there")
            self.seen[fn] = captured, set(parameter_names(captured.tree)) if self.inner else set()   # while it is read
            one = Twice(Scope.of(captured), set(), self.text, self.sources, set(), self.seen, True)
            try:
                one.read(captured.tree.body)
            except RunsOnceError as error:
                why = error.why if error.why.startswith(f"{captured.name}:") else f"{captured.name}: {error.why}"
                raise RunsOnceError(node, why, error.remedy) from None
            self.seen[fn] = captured, one.given
        captured, given = self.seen[fn]
        if not given:
            return
        bound = bind(captured, node)
        for arg in [*node.args, *(k.value for k in node.keywords)] if bound is None \
                else [arg for name, arg in bound.items() if name in given]:
            if isinstance(arg, ARITHMETIC) or isinstance(arg, gast.Call) \
                    and lookup(self.scope.value(arg.func)) is not None:
                continue                                   # a number, or an array
            path = dotted(arg)
            root = "" if path is None else path.partition(".")[0]
            if path is None or root in self.scope.local and not self.inner and root not in self.start \
                    or self.inner and root not in self.scope.local:
                raise RunsOnceError(node, f"this draws from what it is given, and {DRAWN[0]}", DRAWN[1])
            if not self.inner:
                self.sources[path] = arg
            else:
                self.given.add(root)

    def _drawn(self, node: gast.Call, fn: Any, body: Sequence[gast.stmt]) -> None:
        """The generator of a draw."""
        base: Any = node.func.value if isinstance(node.func, gast.Attribute) else None
        owner = getattr(fn, "__self__", None)
        if owner is np.random.mtrand._rand:
            self.sources["np.random"] = library("np.random")
            return
        path = None if base is None else dotted(base)
        if path is None:
            raise RunsOnceError(node, DRAWN[0], DRAWN[1])
        root = path.partition(".")[0]
        value = self.scope.value(base)
        if isinstance(value, types.ModuleType):
            self.sources[path] = base
        elif root in self.scope.local and (root not in self.start or self.inner) and self._made_here(root, body):
            return
        elif self.inner and root in self.scope.local and path == root and root not in writes(body):
            self.given.add(root)
        elif not self.inner and (root not in self.scope.local or root in self.start and root not in writes(body)):
            self.sources[path] = base
        else:
            raise RunsOnceError(node, f"this draws from {path}, and {DRAWN[0]}", DRAWN[1])

    def _made_here(self, name: str, body: Sequence[gast.stmt]) -> bool:
        """All that binds the name in the statements makes a generator."""
        bound = [stmt for stmt in statements(body) if not is_compound(stmt) and name in writes(stmt)]
        return bool(bound) and all(isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call)
                                   and makes_generator(self.scope.value(stmt.value.func)) for stmt in bound)
