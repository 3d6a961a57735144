"""What the pipeline makes of a function up to its normal form, and what the analyses claim of it, as plain records.

The one module here that knows the analyses. Promises a `Derived` of programs, that of the function and those of the
functions that it calls with a derivative, each with its claims at the points before and after its statements.
"""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import gast

sys.path.insert(0, str(Path(__file__).resolve().parent))
from lower import lowered
from ops import Block

from tangent_nb import asked
from tangent_nb.analyse import ownership as judged
from tangent_nb.analyse.flow import bound_in
from tangent_nb.capture import capture
from tangent_nb.desugar import Reader
from tangent_nb.differentiate import Problem
from tangent_nb.differentiate.recompute import changed_views
from tangent_nb.errors import RefusedError
from tangent_nb.pipeline import captured_of, deriving, fence
from tangent_nb.pipeline.build import Build
from tangent_nb.pipeline.frame import seeing
from tangent_nb.pipeline.problems import Problems
from tangent_nb.pipeline.request import Request
from tangent_nb.rules import LIBRARIES
from tangent_nb.syntax.blocks import is_compound, own_expressions, own_targets, statements
from tangent_nb.syntax.building import clone, load
from tangent_nb.syntax.deep import deep
from tangent_nb.syntax.nodes import parameter_names, reads, writes
from tangent_nb.syntax.program import MISSING, Captured
from tangent_nb.syntax.spec import Spec

CALLER = judged.CALLER


@dataclass(frozen=True)
class Kind:
    """What is claimed of a value: as `Spec`."""

    kind: str
    shape: Any
    dtype: Any
    items: tuple[Kind, ...] | None
    value: Any = None

    @staticmethod
    def of(spec: Spec) -> Kind:
        return Kind(spec.kind, spec.shape, spec.dtype,
                    None if spec.items is None else tuple(map(Kind.of, spec.items)), spec.value)


@dataclass(frozen=True)
class At:
    """What is claimed at a point. kinds: of names; bound: for certain; unbound: for certain; dead: not read again
    before they are bound; still: the names that what is differentiated does not change; idle: of those just bound, the
    ones that the result does not depend on."""

    kinds: Mapping[str, Kind]
    bound: frozenset[str]
    unbound: frozenset[str]
    dead: frozenset[str]
    still: frozenset[str]
    idle: frozenset[str]
    apart: Apart | None


@dataclass(frozen=True)
class Apart:
    """The names that are followed, and the pairs of them that may have something in common; all others have nothing."""

    linked: frozenset[str]
    shared: frozenset[frozenset[str]]


@dataclass
class Claims:
    """at: what is claimed at a point; parameters: of what is given; kept: the names whose values do not change in
    place; partial: those of which half of what a `try` does may be seen."""

    at: Callable[[int, str], At]
    parameters: Mapping[str, Kind]
    kept: frozenset[str]
    partial: frozenset[str]


@dataclass
class Program:
    """One function as operations. head: its parameters, as gast has them;
    given: defaults, where Python has them; local: its variables."""

    name: str
    head: Any
    block: Block
    local: frozenset[str]
    outside: Callable[[str], Any]
    defaults: tuple[Any, ...] | None
    kwdefaults: dict[str, Any] | None
    guards: Block = field(default_factory=Block)
    claims: Claims | None = None


@dataclass
class Derived:
    """main: the function; called: the names under which the text calls derivatives of others, with their programs;
    made: the functions that stand for a text of ours, with that text as a program; pairs: a call gives
    `(value, residuals)`."""

    main: Program
    called: Mapping[str, Program]
    made: Callable[[Any], Program | None]
    wrt: tuple[str, ...]
    pairs: bool


class _Normalised(Build):
    """The pipeline as far as the normal form."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.found: list[tuple[str, Problem, Captured, list[Any]]] = []

    def adjoint(self, name: str, problem: Any, function: Any, guards: Any, *_: Any) -> tuple[str, ...]:
        self.found.append((name, problem, function.captured, guards))
        return (name,)

    tangent = adjoint

    def callee(self, fn: Any, pair: Any, active: tuple[str, ...], *known: Any) -> None:
        captured = self.reader(fn)
        posed = let_through(
            Problems(self.captured, self.request, self.reader, self.calls).of_callee(captured, pair, active, *known))
        self.found.append((pair.forward, posed.problem, seeing(captured, posed.lowering), []))


def let_through(found: Any) -> Any:
    """What is found; raised where it is a refusal."""
    if isinstance(found, RefusedError):
        raise found
    return found


def derived(fn: Any, wrt: Sequence[int | str], mode: str = "reverse", like: Sequence[Any] | None = None) -> Derived:
    """The programs of a function; RefusedError where it is refused before it runs. like: arguments that those of calls
    are made as."""
    with deriving(), judges() as found:
        request: Request = asked.request_of(fn, "grad" if mode == "reverse" else "jvp", tuple(wrt), True, like, False)
        written = captured_of(fn)
        with deep(written.tree):
            reader = Reader(capture)
            captured = reader.main(written, request.wrt)
            met = let_through(fence(captured, request.wrt, request.mode, reader))
            with deep(*[one.tree for one in met]):
                build = _Normalised(captured, request, reader, written)
                build.taken.used |= {captured.name}
                let_through(build.main(captured.name))
                while build.calls.waiting:
                    build.callee(*build.calls.waiting.pop(0))
                programs = [_program(*one, found, mode == "reverse") for one in build.found]
        made: dict[Any, Program | None] = {}

        def text_of(value: Any) -> Program | None:
            if value not in reader.made:
                return None
            if value not in made:
                made[value] = _core(reader(value))
            return made[value]
    main, *others = programs
    return Derived(main, {one.name: one for one in others}, text_of, request.wrt, request.mode == "reverse")


@contextmanager
def judges() -> Iterator[list[Any]]:
    """The judges of ownership that a derivation asks, with what they know of sharing."""
    found: list[Any] = []

    class Heard(judged._Judge):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            found.append(self)

    before = judged._Judge
    judged._Judge = Heard  # type: ignore[misc]
    try:
        yield found
    finally:
        judged._Judge = before  # type: ignore[misc]


def _outside(captured: Captured) -> Callable[[str], Any]:
    def look(name: str) -> Any:
        if name.startswith("%"):
            return LIBRARIES[name[1:]]
        value = captured.namespace.lookup(name)
        if value is MISSING:
            raise KeyError(name)
        return value
    return look


def _core(captured: Captured) -> Program:
    """A text of ours that is called as it is."""
    body = captured.tree.body
    return Program(captured.name, captured.tree.args, lowered(body).block, frozenset([
        *writes(body), *parameter_names(captured.tree)]), _outside(captured), captured.defaults, captured.kwdefaults)


def _program(name: str, problem: Problem, captured: Captured, guards: list[Any], found: list[Any],
             reverse: bool) -> Program:
    body = [*problem.body, gast.Return(load(problem.result))]
    with _pairs_called(problem):
        made = lowered(body, points=True)
    judge = max(found, key=lambda one: sum(id(stmt) in one.graph.first for stmt in problem.body), default=None)
    parameters = parameter_names(captured.tree)
    return Program(name, clone(captured.tree.args), made.block, frozenset([*writes(body), *parameters]),
                   _outside(captured), captured.defaults, captured.kwdefaults, lowered(guards).block,
                   _Facts(problem, made.statements, judge, reverse).claims())


@contextmanager
def _pairs_called(problem: Problem) -> Iterator[None]:
    """In this block a call of a function that is derived calls its program;
    in forward mode the text gets that name later."""
    calls: list[tuple[Any, Any]] = [(stmt.value, stmt.value.func)
                                    for stmt in statements(problem.body) if hasattr(stmt, "pair")]
    for (node, _), stmt in zip(calls, (stmt for stmt in statements(problem.body) if hasattr(stmt, "pair")),
                               strict=True):
        node.func = load(stmt.pair.forward)
    try:
        yield
    finally:
        for node, func in calls:
            node.func = func


@dataclass
class _Facts:
    """What is claimed of one program."""

    problem: Problem
    statements: list[Any]
    judge: Any
    reverse: bool
    known: dict[tuple[int, str], At] = field(default_factory=dict)

    def claims(self) -> Claims:
        problem = self.problem
        changed = problem.ownership.mutated | {name for stmt in self.statements
                                               for name in [getattr(stmt, "stores", "")] if name}
        # what is read where it was made, or anew
        changed |= changed_views(problem).keys() if self.reverse else problem.temporaries
        judged = self.judge.bound | set(self.judge.parameters) if self.judge is not None else set()
        parameters = {name: Kind.of(spec) for name, spec in self.problem.specs.items()}
        partial = frozenset(name for stmt in self.statements for name in getattr(stmt, "partial", ()))
        return Claims(self.at, parameters, frozenset(judged - changed), partial)

    def at(self, number: int, when: str) -> At:
        key = number, when
        if key not in self.known:
            self.known[key] = self._at(self.statements[number], when)
        return self.known[key]

    def _at(self, stmt: Any, when: str) -> At:
        problem, names = self.problem, self._names(stmt, when)
        if id(stmt) not in problem.graph.first or when == "after" and id(stmt) not in problem.graph.last:
            return At({}, frozenset(), frozenset(), frozenset(), frozenset(), frozenset(), None)
        side = "before" if when == "before" else "after"
        env = getattr(problem.kinds, side)(stmt)
        definite, possible, live = (getattr(one, side)(stmt)
                                    for one in (problem.definite, problem.possible, problem.live))
        varied, useful = (getattr(one, side)(stmt) for one in (problem.activity.varied, problem.activity.useful))
        kinds = {name: Kind.of(env[name]) for name in names if name in env}
        idle = frozenset(name for name in names if name not in useful) \
            if when == "after" and isinstance(stmt, gast.Assign) else frozenset()
        local = self.local
        return At(kinds, frozenset(name for name in local - self.caught if name in definite),
                  frozenset(name for name in local if name not in possible),
                  frozenset(name for name in local if name not in live),
                  frozenset(name for name in names if name not in varied), idle, self._apart(stmt, when))

    @cached_property
    def caught(self) -> frozenset[str]:
        """The names of exceptions, which Python unbinds where their handlers end: the facts have them bound there."""
        return frozenset(handler.name.id for stmt in self.statements if isinstance(stmt, gast.Try)
                         for handler in stmt.handlers if handler.name is not None)

    @cached_property
    def local(self) -> frozenset[str]:
        return frozenset([*bound_in(*self.statements), *self.problem.parameters])

    @staticmethod
    def _names(stmt: Any, when: str) -> set[str]:
        """What a statement reads, or binds."""
        if when == "after":
            return set(bound_in(stmt))
        return set(reads(own_expressions(stmt))) - set(own_targets(stmt)) if is_compound(stmt) else set(reads(stmt))

    def _apart(self, stmt: Any, when: str) -> Apart | None:
        aliases = getattr(self.judge, "aliases", None)
        if aliases is None:
            return None
        node = (self.judge.graph.first if when == "before" else self.judge.graph.last).get(id(stmt))
        pairs = None if node is None else (aliases.before if when == "before" else aliases.after).get(node.index)
        if pairs is None:
            return None
        caller = {CALLER, *(name for name, _ in pairs.partners(CALLER))} if pairs.partners(CALLER) else set()
        return Apart(frozenset(aliases.linked) - {CALLER}, frozenset(
            frozenset((name, other)) for name, partners in pairs.by_name.items() for other, _ in partners)
                     | frozenset(frozenset((a, b)) for a in caller for b in caller))
