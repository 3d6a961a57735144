"""What is known of the results of the user's functions, where it is known what they are given.

Needs a call, and what is known of its arguments. Promises the spec of what the call gives, found by reading the
function for just these arguments; nothing where it calls itself.

    def scaled(x, w): return np.tanh(x @ w)        x: f8[n, k], w: f8[k, m]      →      f8[n, m]
"""
from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast

from ..analyse.arguments import bind, defaults_of
from ..analyse.graph import Graph
from ..analyse.kinds import Env, Kinds, spec_of
from ..analyse.known_results import results_of
from ..analyse.leaving import always_leaves
from ..analyse.libraries import unsettled
from ..analyse.resolve import Scope
from ..desugar import Reader
from ..runtime.helpers import called_by
from ..syntax import spec as sp
from ..syntax.blocks import statements
from ..syntax.nodes import dotted, nodes_of, parameter_names
from ..syntax.program import Captured
from ..syntax.sizes import Size
from ..syntax.spec import Spec
from .normal import callee
from .request import Beside

Given = tuple[tuple[str, Spec], ...]
MOST = 4               # forms of one function: more are made where it calls itself with other sizes each time


@dataclass
class Results:
    """reader: the texts of functions; known: what they give, by function and arguments; read: the functions of which
    something was told, which have to stay as they are; beside: what these call by a path, in the same way; within:
    those that are being read; regions: as known, of what is computed again."""

    reader: Reader
    known: dict[tuple[Any, Given], Spec] = field(default_factory=dict)
    active: bool = False
    read: set[Any] = field(default_factory=set)
    beside: dict[tuple[Any, str], Beside] = field(default_factory=dict)
    within: list[Captured] = field(default_factory=list)
    regions: dict[tuple[Any, Given], Spec] = field(default_factory=dict)

    @contextmanager
    def asked(self) -> Iterator[None]:
        """In this block calls have results that are known."""
        self.known.clear()                                 # what meets is noted again
        self.active = True
        try:
            with results_of(self.of_call):
                yield
        finally:
            self.active = False

    @contextmanager
    def of_regions(self) -> Iterator[None]:
        """In this block it is known which calls of regions give numbers and arrays, if no more is known."""
        if self.active or not self.reader.recomputes:
            yield
            return
        with results_of(self._of_region):
            yield

    def _of_region(self, fn: Any, node: gast.Call, env: Env, scope: Scope) -> Spec:
        captured = callee(fn, self.reader)
        if captured is None or captured.region is None or (bound := bind(captured, node)) is None:
            return getattr(node, "spec", sp.UNKNOWN)
        given = tuple((name, Spec("numeric")) for name, arg in bound.items() if spec_of(arg, env, scope).is_number)
        if (fn, given) not in self.regions:
            self.regions[fn, given] = _numbers(_returned(captured, dict(given)))
        return self.regions[fn, given]

    def of_call(self, fn: Any, node: gast.Call, env: Env, scope: Scope) -> Spec:
        """The spec of what a call gives."""
        captured = callee(fn, self.reader)
        given = () if captured is None else self.given(captured, node, env, scope)
        if captured is None or not given:
            return sp.UNKNOWN
        path = dotted(node.func)
        if path is None or path.partition(".")[0] in scope.local and fn not in self.reader.made \
                or self.within and fn not in self.reader.made and not _is_called(self.within[-1].fn, path, fn):
            return sp.UNKNOWN                              # nobody could ask whether it is the same
        if (fn, given) not in self.known:
            if sum(one is fn for one, _ in self.known) >= MOST:
                return sp.UNKNOWN
            self.known[fn, given] = sp.UNKNOWN             # while it is asked
            self.within.append(captured)
            self.known[fn, given] = _result(captured, dict(given))
            self._rows(self.within.pop())
        if self.within and fn not in self.reader.made:
            caller = self.within[-1].fn
            self.beside[caller, path] = Beside(caller, path, fn)
        self.read.add(fn)
        return self.known[fn, given]

    def _rows(self, captured: Captured) -> None:
        """The functions with a row that a text which was read calls by names that may mean others later."""
        for node in nodes_of(captured.tree.body, gast.Call):
            if (part := unsettled(node.func, captured.namespace, captured.ours)) is not None:
                path = str(dotted(part[0]))
                self.beside[captured.fn, path] = Beside(captured.fn, path, part[1])

    def beside_read(self) -> list[tuple[str, Beside]]:
        """What the functions that were read call, by words for the error."""
        return sorted([(f"{one.caller.__module__}.{one.caller.__qualname__}: {one.path}", one)
                       for one in self.beside.values()], key=lambda told: told[0])

    def given(self, captured: Captured, node: gast.Call, env: Env, scope: Scope) -> Given:
        """What is known of the parameters of a function that is called: of arrays of known rank, and of numbers."""
        if not self.active or (bound := bind(captured, node)) is None:
            return ()
        specs = {name: spec_of(arg, env, scope) for name, arg in bound.items()}
        specs |= {name: spec for name, value in defaults_of(captured).items()
                  if name not in specs and (spec := Spec.of(value)).kind != "array"}      # which may change
        return tuple(sorted(((name, _for_all(spec)) for name, spec in specs.items()
                             if spec.kind in ("float", "int") or spec.kind == "array" and is_told(spec)),
                            key=lambda one: one[0]))


def _is_called(caller: Any, path: str, fn: Any) -> bool:
    """The function is what another calls by a path, also outside of our text."""
    found = called_by(caller, path)
    return getattr(found, "__func__", found) is getattr(fn, "__func__", fn)


def is_told(spec: Spec) -> bool:
    """What is known says nothing by the name of a variable, which another function may have too, nor of a list, which
    changes."""
    if spec.kind == "tuple":
        return all(map(is_told, spec.items or ()))
    return spec.kind != "list" and not isinstance(spec.shape, frozenset) and not isinstance(spec.dtype, frozenset) \
        and (spec.kind != "array" or isinstance(spec.shape, tuple))


def _for_all(spec: Spec) -> Spec:
    """An int is any int, but a size."""
    return spec if isinstance(spec.value, Size) else spec.like(value=None)


def _result(captured: Captured, given: Mapping[str, Spec]) -> Spec:
    found = _returned(captured, given)
    return found if is_told(found) else sp.UNKNOWN


def _numbers(spec: Spec) -> Spec:
    """That it is a number or an array, or holds such."""
    if spec.kind == "tuple" and spec.items is not None:
        return Spec("tuple", items=tuple(map(_numbers, spec.items)))
    return Spec("numeric") if spec.is_number else sp.UNKNOWN


def _returned(captured: Captured, given: Mapping[str, Spec]) -> Spec:
    tree = captured.tree
    if not always_leaves(tree.body) or any(
            isinstance(stmt, (gast.For, gast.While)) and stmt.orelse or getattr(stmt, "finalbody", ())
            for stmt in statements(tree.body)):            # which the flow graph does not know
        return sp.UNKNOWN
    scope = Scope.of(captured)
    kinds = Kinds(Graph(tree.body), scope, {name: given.get(name, sp.UNKNOWN) for name in parameter_names(tree)})
    returned = [sp.NONE if stmt.value is None else spec_of(stmt.value, kinds.before(stmt), scope)
                for stmt in statements(tree.body) if isinstance(stmt, gast.Return)]
    return functools.reduce(sp.join, returned, returned[0]) if returned else sp.UNKNOWN
