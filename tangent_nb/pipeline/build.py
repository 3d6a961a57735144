"""One run of the pipeline, up to the first pass: the functions of one text, and what they share."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from ..analyse.one_memory import one_memory, with_others
from ..analyse.records import record_parameters
from ..desugar import Reader
from ..differentiate import Pair, Problem, forward, reverse
from ..errors import Refusal, RefusedError
from ..syntax.blocks import statements
from ..syntax.building import assign, clone, definition, library, load, mark, parameter, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import names_in, parameter_names, starred_parameters, writes
from ..syntax.program import Captured, Stage
from ..syntax.spec import Spec
from . import again, frame
from .calls import Calls, result_size
from .dress import asking, beside_guard, index_guard
from .finish import Finish
from .normal import Posed, callee, helpers
from .parts import part_guard, without_parts
from .problems import Problems
from .questions import constant_guards, floating, is_pair, perhaps_none, take_aux, undone
from .reached import tell_changed
from .request import Derived, Function, Raw, Request
from .settled import paths_of, settled
from .snapshots import facts, function_text, primal_text, problem_text
from .streams import with_key


@dataclass
class Build:
    """One run of the pipeline. reader: the texts in the core language; written: the function as it was; taken: the
    names of functions; reached: the places that are refused when they are reached; calls: what calls became, and which
    callees are still to be derived."""

    captured: Captured
    request: Request
    reader: Reader
    written: Captured
    reached: tuple[Refusal, ...] = ()
    raws: list[Raw] = field(default_factory=list)
    main_names: tuple[str, ...] = ()
    general_names: tuple[str, ...] = ()
    special: int = 0                # the place of the function that was asked for, behind the general text
    taken: Names = field(default_factory=lambda: Names(["np", "rt", "math"]))
    stages: list[Stage] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    cotangents: dict[str, str] = field(default_factory=dict)
    changes: tuple[str, ...] = ()
    general: Captured | None = None          # the text for arguments that are made otherwise, where that is another one
    attempts: bool = False          # some function has a `try`, or the like, in which those derived later may be called
    calls: Calls = field(init=False)

    def __post_init__(self) -> None:
        self.calls = Calls(self.reader, self.request.mode, self.taken, self.request.owned)

    def run(self) -> Derived | RefusedError:
        """The functions, or why one of them is refused."""
        refused = self.begin()
        return Finish(self, self.request).run() if refused is None else refused

    def begin(self) -> RefusedError | None:
        """Find all functions as they are before the first pass; or why one of them is refused."""
        texts = self.captured, self.general or self.captured, *self.reader.known.values()
        self.taken.used.update(*(names_in(text.tree) for text in texts))
        name = self.public_name()
        if self.request.passes_on:
            special, request = self.captured, self.request
            self.captured, self.request = self.general or special, replace(request, like=(), structures=())
            first = self.main(f"_{name}_general") if request.versions is None else self.general_text(f"_{name}_general")
            if isinstance(first, RefusedError):
                return first
            self.general_names, self.captured, self.request = first, special, request
            self.stages.clear()
        self.special = len(self.raws)
        main = self.main(name)
        if isinstance(main, RefusedError):
            return main
        self.main_names = main
        while self.calls.waiting:
            if (refused := self.callee(*self.calls.waiting.pop(0))) is not None:
                return refused
        return None

    def asking_alone(self) -> Derived:
        """The function that asks for the text for its arguments when it is called."""
        self.taken.used |= names_in(self.captured.tree)
        self.main_names = self.general_text(self.public_name())
        self.stages.append(Stage("capture", "the function as it was written", primal_text(self.written)))
        return Finish(self, self.request).alone()

    def general_text(self, name: str) -> tuple[str, ...]:
        """The text that asks for another, where there is none for all arguments."""
        captured, request = self.captured, self.request
        names = Names(names_in(captured.tree) | self.taken.used)
        more = [names.new("seed")] if request.kind == "vjp" else []
        if request.kind == "jvp":
            shown = {part.name: part.shown for part in request.parts}
            more = [names.new(f"d{shown.get(w, w)}") for w in request.wrt]
        function = Function(definition(name, self.arguments(more), []), captured, names, [])
        parameters = [one for one in parameter_names(captured.tree) if one not in {p.name for p in request.parts}]
        function.tree.body = asking(function, parameters, request)
        self.keep(function)
        return (name,)

    def public_name(self) -> str:
        if self.request.name:
            return self.chosen_name(self.request.name)
        base = {"vjp": "v", "jvp": "t", "push": "t"}.get(self.request.kind, "d") + self.captured.name
        return self.taken.new("_".join([base, *(f"d{w}" for w in self.request.shown if len(self.request.shown) <= 4)]))

    def chosen_name(self, name: str) -> str:
        """The name that was asked for; with a number where the text means something else by it."""
        variables = {*parameter_names(self.captured.tree), *writes(self.captured.tree.body)}
        return name if name in variables else self.taken.new(name)         # of a variable no other of the text sees

    def main(self, name: str) -> tuple[str, ...] | RefusedError:
        """The function, or the two of split motion, that was asked for, under a name; or why it is refused."""
        captured, request = self.captured, self.request
        records = record_parameters(captured, request.wrt, lambda fn: callee(fn, self.reader))
        unsure = {p for p, spec in records.items() if spec.kind == "items"} - {part.base for part in request.parts}
        problems = Problems(captured, request, self.reader, self.calls)
        records.update(problems.versions(captured, set(parameter_names(captured.tree)) - set(records)))
        given = [part.name for part in request.parts if part.path != part.base]
        records.update(dict.fromkeys(given + starred_parameters(captured.tree), Spec()))       # of whatever is given
        posed, self.request = problems.of_examples(records, unsure)
        if isinstance(posed, RefusedError):
            return posed
        request, (problem, function) = self.request, self.begun(captured, posed, bool(self.request.like), name)
        if request.has_aux:
            if result_size(captured) != 2:
                other = next(s for s in statements(captured.tree.body)
                             if isinstance(s, gast.Return) and not is_pair(s.value))
                return RefusedError(captured.name, [Refusal.at(
                    other, "has_aux=True is for a function that returns a pair, (value, aux)",
                    "return value, aux on every path; or leave has_aux out")])
            take_aux(problem)
        self.stages += [Stage("capture", "the function as it was written", primal_text(self.written)), Stage(
            "normalise", "one exit, every differentiable operation on its own", problem_text(captured, problem))]
        self.facts.update(facts(problem))
        owners = problem.ownership.owners & set(parameter_names(captured.tree))
        self.changes = tuple(sorted(owners | problem.ownership.growing))
        if changed := [*self.changes, *paths_of(problem.body, problem.ownership.owners)]:
            tell_changed(problem.body, changed)
        guards = frame.guards([w for w in request.wrt if w not in {part.name for part in request.parts}], posed.known)
        guards += [part_guard(part, part.name in records) for part in request.parts]
        guards += map(index_guard, posed.ints)
        guards += [*constant_guards(problem), *frame.kept_guards(captured, self.reader, request)]
        for check, names in (("check_apart", owners), ("check_growing", problem.ownership.growing)):
            guards += [beside_guard(check, one, frame.beside(captured, one, self.reader)) for one in sorted(names)]
        if request.kind in ("jvp", "push"):
            return self.tangent(name, problem, function, guards, posed.lowering.origin)
        return self.adjoint(name, problem, function, guards, posed.lowering.origin)

    def adjoint(self, name: str, problem: Problem, function: Function, guards: list[gast.stmt],
                origin: Any) -> tuple[str, ...] | RefusedError:
        """The joint derivative of the function itself, or its two halves."""
        request, names = self.request, problem.names
        one = reverse(problem, split=request.kind == "split", recompute="recompute" in request.passes)
        if isinstance(one, RefusedError):
            return one
        self.cotangents = {name: own for name, own in one.cotangent.items() if name not in problem.temporaries}
        gradients = [load(one.cotangent.get(w) or names.new("b" + w)) for w in request.wrt]
        gradient: gast.expr = gradients[0] if request.bare else tuple_of(gradients)
        seed = names.new("seed")
        start = mark(assign(one.seed, frame.seed(problem, request, seed)), role="backward", origin=origin, cut=True)
        if request.kind == "split":
            start.keeps = problem.result
        kept, value = self.kept_value(problem, one.backward)
        if problem.aux and undone(one.backward) & {n for s in one.forward for n in writes(s)}:
            kept.append(mark(assign(problem.aux, library("rt.copy(x)", x=problem.aux)), role="forward", origin=None))
        returned = gradient
        if request.kind == "value_and_grad":
            returned = tuple_of([tuple_of([load(value), load(problem.aux)]) if problem.aux else load(value), gradient])
        elif problem.aux:
            returned = tuple_of([gradient, load(problem.aux)])
        final = mark(gast.Return(returned), role="return", origin=None)
        body = settled(one.forward, problem, request, self.reader, one.backward)
        function.tree = definition(name, self.arguments([seed] if request.kind == "vjp" else []),
                                  [*guards, *body, *kept, start, *one.backward, final])
        function.part = (1,) if request.kind == "value_and_grad" else (0,) if request.has_aux else ()
        return self.differentiated(function, problem, one.cotangent, split=seed if request.kind == "split" else None)

    def arguments(self, extra: Sequence[str]) -> gast.arguments:
        """The parameters of the function itself, with more of them at the end."""
        captured = self.captured
        if self.request.parts:
            captured = replace(captured, tree=clone(captured.tree))
            without_parts(captured.tree.args, self.request.parts)
        return with_key(frame.arguments(captured, extra), self.request.key)

    def kept_value(self, problem: Problem, backward: Sequence[gast.stmt]) -> tuple[list[gast.stmt], str]:
        """The value under a name that the backward pass leaves alone."""
        if self.request.kind != "value_and_grad":
            return [], problem.result
        restored = undone(backward)                        # an array without dimensions may be a result
        shares = bool(restored) and not restored.isdisjoint(
            with_others({problem.result}, one_memory(problem.body, problem.scope, views=True)))
        if not shares and problem.result not in {n for s in backward for n in writes(s)}:
            return [], problem.result
        name = problem.names.new(self.captured.name)
        value = library("rt.copy(x)", x=problem.result) if shares else load(problem.result)
        return [mark(assign(name, value), role="forward", origin=None)], name

    def tangent(self, name: str, problem: Problem, function: Function, guards: list[gast.stmt],
                origin: Any) -> tuple[str, ...] | RefusedError:
        """The forward-mode derivative of the function itself."""
        request = self.request
        found = forward(problem, {part.name: problem.names.new("d" + part.shown) for part in request.parts})
        if isinstance(found, RefusedError):
            return found
        body, tangents = found
        own_tangents = [tangents[w] for w in request.wrt]
        checks = [mark(assign(d, library("rt.check_tangent(d, x)", d=d, x=w)), role="guard", origin=None, note="guard")
                  for d, w in zip(own_tangents, self.request.wrt, strict=True)]
        tangent: gast.expr = load(tangents[problem.result])
        tangent = tuple_of([load(problem.result), tangent]) if request.kind == "push" else tangent
        final = mark(gast.Return(tangent), role="return", origin=None)
        depends = problem.result in problem.activity.varied.at(problem.graph.exit) and not perhaps_none(problem)
        if request.kind != "push" and not depends:         # what calls it then asks what it gave
            check = gast.Expr(library("rt.check_result(y)", y=problem.result))
            body.append(mark(check, role="forward", origin=origin, note="guard"))
        body = settled(body, problem, request, self.reader)
        function.tree = definition(name, self.arguments(own_tangents), [*guards, *checks, *body, final])
        function.part = (1,) if request.kind == "push" else ()
        return self.differentiated(function, problem, tangents)

    def callee(self, fn: Any, pair: Pair, active: tuple[str, ...], *known: Any) -> RefusedError | None:
        """The generated functions for a function that is called; or why it is refused. known: of its parameters."""
        captured = self.reader(fn)
        if captured.region is not None:
            return again.derived(self, captured, pair, active, known)
        posed = Problems(self.captured, self.request, self.reader, self.calls).of_callee(captured, pair, active, *known)
        if isinstance(posed, RefusedError):
            return posed
        problem, function = self.begun(captured, posed, bool(known[-1]), pair.forward, pair.backward)
        args = frame.arguments(captured, [])
        if self.request.mode == "forward":
            found = forward(problem, dict(zip(active, pair.tangents, strict=True)))
            if isinstance(found, RefusedError):
                return found
            body, tangents = [*constant_guards(problem), *found[0]], found[1]
            args.kwonlyargs += [parameter(t) for t in pair.tangents]
            args.kw_defaults += [None] * len(pair.tangents)
            returned = tuple_of([load(problem.result), load(tangents[problem.result])])
            function.tree = definition(pair.forward, args,
                                      [*body, mark(gast.Return(returned), role="return", origin=None)])
            function.part = (1,)
            self.differentiated(function, problem, tangents)
            return None
        one = reverse(problem, split=True, recompute="recompute" in self.request.passes)
        if isinstance(one, RefusedError):
            return one
        gradients = [load(one.cotangent[w]) for w in active]
        start = mark(gast.Pass(), role="backward", origin=None, cut=True, keeps=problem.result)
        found = gradients[0] if len(gradients) == 1 else tuple_of(gradients)
        body = [*constant_guards(problem), *one.forward, start, *one.backward]
        function.tree = definition(pair.forward, args, [*body, mark(gast.Return(found), role="return", origin=None)])
        self.differentiated(function, problem, one.cotangent, split=one.seed, backward=pair.backward)
        return None

    def begun(self, captured: Captured, posed: Posed, told: bool, *names: str) -> tuple[Problem, Function]:
        """A problem, and its function, which has no derivative yet. told: results of calls were known."""
        problem, results = posed.problem, self.calls.results
        self.calls.problems.update(dict.fromkeys(filter(None, names) if self.request.keeps else (), problem))
        self.attempts |= any(isinstance(one, gast.Try) or hasattr(one, "checked") for one in statements(problem.body))
        taken = helpers(captured, posed.lowering, self.reader, results.read if told else ())
        taken += results.beside_read() if told else []
        return problem, Function(captured.tree, frame.seeing(captured, posed.lowering), problem.names, taken)

    def differentiated(self, function: Function, problem: Problem, derivatives: Mapping[str, str], *,
                       split: str | None = None, backward: str | None = None,
                       then: Callable[[Function], None] = lambda function: None) -> tuple[str, ...]:
        """Keep a function that passes follow; its name, or those of the two that split motion makes of it.
        derivatives: cotangents or tangents by name; split: the cotangent of its result, where motion is split;
        backward: the name of the second function; then: what is done behind the passes."""
        function.floating = floating(problem, derivatives)
        first = self.stages[-1].name == "normalise"        # of the function itself; those that it calls follow
        if first:
            self.stages.append(Stage("differentiate", f"{self.request.mode} mode, as the rules say it",
                                     function_text(function, {})))
        names: tuple[str, ...] = (function.tree.name,)
        if split is not None and backward is None:
            backward = self.taken.new(f"{function.tree.name}_backward")
            names = self.taken.new(f"{function.tree.name}_forward"), backward
        elif split is not None:
            names = function.tree.name, backward or ""
        self.raws.append(Raw(function, problem, derivatives, names if split is not None else (), split or "", first,
                             self.attempts and not first, then))
        return names

    def keep(self, function: Function) -> None:
        """Keep a function that no pass follows."""
        self.raws.append(Raw(function))
