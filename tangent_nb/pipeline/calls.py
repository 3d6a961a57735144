"""Calls that carry a derivative, as calls of pairs: of the functions that are generated for a callee.

Needs a `Problem`. Promises that every call with a derivative has its `Pair`, and that the functions which the pairs
name are waiting to be derived, each once for the same active parameters and the same parameters known to be numbers.

    y = half(x)      →      y, half_residuals = _half_fwd(x)
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from ..analyse.arguments import bind
from ..analyse.callables import Called
from ..analyse.fence import Fence
from ..analyse.fence.outside import changed_outside
from ..analyse.filled import Made, made_by
from ..analyse.kinds import spec_of
from ..analyse.leaving import always_leaves
from ..analyse.libraries import is_library, is_ours
from ..analyse.resolve import Scope
from ..desugar import Reader
from ..differentiate import Pair, Problem, Start, Zeros
from ..errors import Refusal, RefusedError
from ..rules.cuts import first
from ..runtime.remembered import OPERATORS
from ..syntax.blocks import statements
from ..syntax.building import constant, library, load, store, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import names_in, nodes_in, parameter_names, reads
from ..syntax.program import Captured
from ..syntax.spec import Spec
from .normal import outer_names
from .regions import Rerun, carrying
from .results import MOST, Given, Results
from .unknown import ask


@dataclass
class Calls:
    """The calls of one text. taken: the names of functions; owned: what is kept for going backward owns its data;
    pairs: what calls became; waiting: the callees that are still to be derived; made: what calls of a function give;
    problems: those that the functions posed, by their names, where they are kept."""

    reader: Reader
    mode: str
    taken: Names
    owned: bool = False
    pairs: dict[tuple[Any, ...], Pair] = field(default_factory=dict)
    waiting: list[tuple[Any, Pair, tuple[str, ...], frozenset[str], Given]] = field(default_factory=list)
    made: dict[Any, Made] = field(default_factory=dict)
    problems: dict[str, Problem] = field(default_factory=dict)
    results: Results = field(init=False)

    def __post_init__(self) -> None:
        self.results = Results(self.reader)

    def undoing(self) -> Callable[[], None]:
        """What undoes all that is made of calls from here on."""
        pairs, waiting, used, made = dict(self.pairs), list(self.waiting), set(self.taken.used), set(self.taken.made)

        def undo() -> None:
            self.pairs, self.waiting[:] = pairs, waiting
            self.taken.used, self.taken.made = used, made

        return undo

    def link(self, problem: Problem) -> RefusedError | None:
        """Turn the calls that carry a derivative into calls of pairs, and find the facts anew where there were any;
        or why one is refused."""
        found = False
        reverse_ = self.mode == "reverse"
        zeros = Zeros(problem, "pull" if reverse_ else "push")
        # what is done before an exception goes on has no derivative
        lost = {id(one) for stmt in statements(problem.body) for handler in getattr(stmt, "handlers", ())
                if always_leaves(handler.body) for one in statements(handler.body)}
        self._look(problem)
        self.taken.used |= problem.names.used
        for stmt in list(statements(problem.body)):
            if id(stmt) in lost or not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Call) \
                    or hasattr(stmt, "pair") or not isinstance(stmt.targets[0], gast.Name):
                continue
            operation = problem.scope.operation(stmt.value)
            if operation.kind == "dynamic":
                found |= self._dynamic(problem, stmt)
            if operation.kind != "function" or hasattr(stmt.value, "inert") or is_ours(operation.fn):
                continue
            captured = self.reader(operation.fn)
            varied = problem.activity.varied.before(stmt)
            bound = bind(captured, stmt.value) or {}
            active = tuple((p, bound[p].id) for p in parameter_names(captured.tree)
                           if isinstance(bound.get(p), gast.Name) and bound[p].id in varied)
            useful = stmt.targets[0].id in problem.activity.useful.after(stmt)
            env = problem.kinds.before(stmt)
            memory = {name for name in reads(stmt.value) & problem.scope.local
                      if not env.get(name, Spec()).is_immutable}
            if (not active or self.mode == "reverse" and not useful and not self._stores(captured)) \
                    and (not memory or operation.fn in OPERATORS or self.fence.is_clean(operation.fn)
                         or self.fence.is_clean(Called(operation.fn, stmt.value, problem.scope, None))
                         or memory.isdisjoint(reads(self.fence.changed_by(stmt.value, operation.fn)))):
                continue
            if not active:
                return RefusedError(problem.name, [Refusal.at(
                    stmt, f"{captured.name} may change its arguments, which carry no derivative here",
                    f"let {captured.name} return the new value, and assign it")])
            numbers = frozenset(p for p in parameter_names(captured.tree)
                                if p not in bound or spec_of(bound[p], env, problem.scope).is_number)
            names = [stmt.targets[0].id] if reverse_ else [name for _, name in active]
            start = Start(max(zeros.cut(name, stmt) for name in names),
                          first(zeros.height(name, stmt) for name in names), zeros.masks.given(stmt, bound))
            given = self.results.given(captured, stmt.value, env, problem.scope)
            result = spec_of(stmt.value, env, problem.scope)
            stmt.pair = self._pair(operation.fn, captured, active, (numbers, given), start,
                                   _rerun(captured, active, problem, stmt))
            problem.names.used |= {stmt.pair.forward, stmt.pair.backward}
            found = True
            stmt.value.spec = result
            if reverse_ and not stmt.pair.again:
                residuals = problem.names.new(f"{captured.name}_residuals")
                problem.scope.local.add(residuals)
                stmt.targets = [tuple_of([stmt.targets[0], store(residuals)], write=True)]
                stmt.value = gast.Call(load(stmt.pair.forward), stmt.value.args, stmt.value.keywords)
                stmt.value.spec = Spec("tuple", items=(result, Spec()))
        if ask(problem, self.reader.changed if reverse_ else ()) or found:
            problem.analyse()
        return None

    def _look(self, problem: Problem) -> None:
        """Say of each call of a function of the user whether it gives a mask, or what carries no derivative."""
        assigned: dict[int, Any] = {}                      # by the value, which comes after its statement
        for node in (node for stmt in problem.body if not hasattr(stmt, "pair") for node in nodes_in(stmt)):
            if isinstance(node, gast.Assign) and not hasattr(node, "pair"):
                assigned[id(node.value)] = node
            operation = problem.scope.operation(node) if isinstance(node, gast.Call) else None
            if operation is not None and operation.kind == "function" and not is_ours(operation.fn):
                node.gives = made_by(self.reader.as_run(operation.fn), self._text, self.made)
                if id(node) in assigned:
                    assigned[id(node)].gives = node.gives

    def _stores(self, captured: Captured, seen: tuple[Any, ...] = ()) -> bool:
        """A function, or one that it calls, may store a number outside that carries a derivative, or is refused where
        it would: another call may read it."""
        body = list(statements(captured.tree.body))
        if any(hasattr(stmt, "outside") for stmt in body) \
                or any(hasattr(stmt, "reached") for stmt in body) and changed_outside([captured.fn], self.fence):
            return True
        scope = Scope.of(captured)
        called = {operation.fn for node in nodes_in(captured.tree) if isinstance(node, gast.Call)
                  and (operation := scope.operation(node)).kind == "function"}
        for fn in called - {*seen, captured.fn}:
            with suppress(RefusedError):                   # without a text it stores nothing
                if not (is_ours(fn) or is_library(fn)) and self._stores(self.reader(fn), (*seen, captured.fn)):
                    return True
        return False

    def _text(self, fn: Any) -> Captured | None:
        try:
            return self.reader.as_run(fn)
        except RefusedError:
            return None

    @functools.cached_property
    def fence(self) -> Fence:
        return Fence(self.reader.as_run, self.mode, self.reader.uses)

    def _dynamic(self, problem: Problem, stmt: Any) -> bool:
        """Turn the call of a function that is known when it is called into a call that differentiates it then."""
        value, varied = stmt.value, problem.activity.varied.before(stmt)
        useful = stmt.targets[0].id in problem.activity.useful.after(stmt)
        closure = bool(reads(value.func) & varied)
        if closure and not isinstance(value.func, gast.Name) and not useful:
            return False                                   # rt.clean(fn)(x) in a text of ours, for its effects
        assert not closure or isinstance(value.func, gast.Name), "normal form names what is called"
        given: list[tuple[int | str, Any]] = [*enumerate(value.args), *((k.arg, k.value) for k in value.keywords)]
        active = [(place, arg.id) for place, arg in given if isinstance(arg, gast.Name) and arg.id in varied]
        own = [("", value.func.id)] if closure else []
        if not (own or active) or self.mode == "reverse" and not useful:
            return False
        stmt.pair = Pair("", "", tuple((str(place), name) for place, name in [*own, *active]), dynamic=True)
        reverse_ = self.mode == "reverse"
        places = gast.keyword("active", tuple_of([constant(place) for place, _ in active]))
        whole = [gast.keyword("closure", constant(True))] if closure else []
        pull = "rt.own_pullback" if self.owned or self.reader.changes_outside else "rt.pullback"
        stmt.value = gast.Call(library(pull if reverse_ else "rt.pushforward"), [value.func, *value.args],
                               [*value.keywords, places, *whole])
        if reverse_:
            back = problem.names.new(f"{getattr(value.func, 'id', 'function')}_back")
            problem.scope.local.add(back)
            stmt.targets = [tuple_of([stmt.targets[0], store(back)], write=True)]
        return True

    def _pair(self, fn: Any, captured: Captured, active: tuple[tuple[str, str], ...],
              known: tuple[frozenset[str], Given], start: Start, rerun: Rerun) -> Pair:
        """The names of the functions for a call. known: the parameters that are given numbers or arrays for certain,
        and what else is known of parameters; rerun: how a region is called."""
        parameters = tuple(p for p, _ in active)
        if known[1] and len({key[2] for key in self.pairs if key[0] is fn} | {known}) > MOST:
            known = known[0], ()
        pair = self.pairs.get((fn, (parameters, rerun.adds), known, start))
        if pair is None:
            base = captured.name.strip("_").removeprefix("checkpointed_") or "f"
            if captured.region is not None and captured.region.step is None and not captured.region.draws:
                again = self.taken.new(f"_{base}_again")
                pair = Pair(again, again, (), start=start, again=True, adds=rerun.adds,
                            seeds=rerun.seeds(captured))
            elif self.mode == "reverse":
                pair = Pair(self.taken.new(f"_{base}_fwd"), self.taken.new(f"_{base}_bwd"), (), start=start,
                            adds=rerun.adds, seeds=rerun.seeds(captured))
            else:
                names = Names(outer_names(captured, self.reader) | names_in(captured.tree))
                pair = Pair(self.taken.new(f"_{base}_tan"), "", (), tuple(names.new(f"d{p}") for p in parameters),
                            start=start)
            if captured.region is not None and self.mode == "reverse":
                pair = replace(pair, reruns=captured.name)
            self.pairs[fn, (parameters, rerun.adds), known, start] = pair
            self.waiting.append((fn, pair, parameters, *known))
        return replace(pair, active=active, reruns=rerun.name)


def _rerun(captured: Captured, active: Sequence[tuple[str, str]], problem: Problem, stmt: Any) -> Rerun:
    """How a call that is computed again passes through it what has a cotangent already, since it is read later."""
    if captured.region is None:
        return Rerun()
    later, given = problem.activity.after(stmt), [name for _, name in active]
    adds = tuple(p for p, name in active if name in later and name != stmt.targets[0].id and given.count(name) == 1)
    return Rerun(stmt.value.func.id, adds, carrying(captured, [p for p, _ in active]))


def result_size(captured: Captured) -> int | None:
    """The length of the tuple that every return of a function writes down."""
    sizes = {len(s.value.elts) if isinstance(s.value, gast.Tuple) else None
             for s in statements(captured.tree.body) if isinstance(s, gast.Return)}
    return sizes.pop() if len(sizes) == 1 else None
