"""One run of the pipeline: the functions of one text, and what they share."""
from __future__ import annotations

import functools
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from ..analyse.objects import with_objects
from ..analyse.one_memory import one_memory, with_others
from ..analyse.records import record_parameters
from ..analyse.resolve import Scope
from ..desugar import Reader
from ..differentiate import Pair, Problem, forward, reverse
from ..emit import link, parsed
from ..errors import Refusal, RefusedError
from ..optimise import PASSES, Facts, optimise, own
from ..syntax.blocks import statements
from ..syntax.building import assign, clone, definition, library, load, mark, parameter, rename, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import names_in, parameter_names, read_and_bound, starred_parameters, writes
from ..syntax.partners import Partners
from ..syntax.program import Captured, Derivation, Emitted, Stage
from ..syntax.spec import Spec
from . import again, frame
from .calls import Calls, result_size
from .dress import asking, beside_guard, check_helpers, comment, dispatch, index_guard, named, plain
from .elsewhere import elsewhere
from .normal import Posed, callee, helpers, outer_names
from .on_numba import compile_now
from .on_sampled import on_sampled
from .other_texts import ask_first
from .parts import part_guard, without_parts
from .problems import Problems
from .questions import constant_guards, floating, is_pair, perhaps_none, take_aux, undone
from .reached import tell_changed
from .request import Derived, Function, Request
from .settled import paths_of, settled
from .sharing import named_by, shared
from .snapshots import Kept, facts, function_text, primal_text, problem_text
from .split import cut, keep_given
from .streams import with_key
from .versions import versions


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
    functions: list[Function] = field(default_factory=list)
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
        texts = self.captured, self.general or self.captured, *self.reader.known.values()
        self.taken.used.update(*(names_in(text.tree) for text in texts))
        general: tuple[str, ...] = ()
        name = self.public_name()
        if self.request.passes_on:
            special, request = self.captured, self.request
            self.captured, self.request = self.general or special, replace(request, like=(), structures=())
            first = self.main(f"_{name}_general") if request.versions is None else self.general_text(f"_{name}_general")
            if isinstance(first, RefusedError):
                return first
            general, self.captured, self.request = first, special, request
            self.stages.clear()
        last = len(self.functions)
        main = self.main(name)
        if isinstance(main, RefusedError):
            return main
        ask_first(self.functions[last], self.captured, self.request, self.reached)
        if general and not (self.request.like or self.request.structures):       # it serves whatever asks for it
            general, self.functions[:last] = (), []
        if general:
            self.functions = self.functions[last:] + self.functions[:last]
            self.functions[0].tree.body.insert(0, dispatch(self.functions[0], general[0], self.request))
        while self.calls.waiting:
            if (refused := self.callee(*self.calls.waiting.pop(0))) is not None:
                return refused
        self.functions = named_by(shared(self.functions, self.calls.pairs), {*main, *general})
        if self.request.tape is not None:
            kept = on_sampled(self.functions, main, general, self.request, self.facts)
            if isinstance(kept, RefusedError):
                return kept
            self.stages += kept
        numpy_text = self.copied() if self.request.backend == "jax" else None
        made = elsewhere(self.functions, main, general, self.request, self.taken, self.reader)
        if isinstance(made, RefusedError):
            return made
        self.functions, self.stages = made[0], [*self.stages, *made[1]]
        linked, derivation = self.linked(main)
        if general:
            derivation = replace(derivation, versions=versions(derivation.emitted, main[0], general[0], self.request))
        for one in (*main, *general):
            linked[one].__tangent_nb__ = derivation  # type: ignore[attr-defined]
        if general and self.request.versions is None:
            linked[main[0]].__tangent_general__ = linked[general[0]]  # type: ignore[attr-defined]
        if numpy_text is not None:
            same, _ = numpy_text.linked(main)
            for one in main:
                linked[one].__tangent_numpy__ = same[one]  # type: ignore[attr-defined]
        if self.request.compiled == "numba":
            compile_now(linked, main[0], self.request)
        return Derived(linked, main, derivation, self.request.structures, self.request.like)

    def asking_alone(self) -> Derived:
        """The function that asks for the text for its arguments when it is called."""
        self.taken.used |= names_in(self.captured.tree)
        main = self.general_text(name := self.public_name())
        self.stages.append(Stage("capture", "the function as it was written", primal_text(self.written)))
        linked, derivation = self.linked(main)
        derivation = replace(derivation, lacks=self.request.lacks, later=self.request.versions)
        linked[name].__tangent_nb__ = derivation  # type: ignore[attr-defined]
        return Derived(linked, main, derivation)

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
        self.functions.append(function)
        return (name,)

    def copied(self) -> Build:
        """This run, its functions copied: for the text on NumPy, of which further derivatives are taken."""
        functions = [replace(f, tree=clone(f.tree), names=Names(f.names.used)) for f in self.functions]
        return replace(self, functions=functions, stages=list(self.stages))

    def linked(self, main: tuple[str, ...]) -> tuple[dict[str, types.FunctionType], Derivation]:
        """The text of the functions, and functions of that text."""
        self.write_out()
        for function in self.functions:
            function.cells = named(function)
            comment(function.tree)
        emitted, tree = parsed([function.tree for function in self.functions])
        environments = {f.tree.name: frame.environment(f) for f in self.functions}
        return link(emitted, environments, name=main[0], main=main, tree=tree), self.derivation(emitted)

    def write_out(self) -> None:
        """Put the functions that were lifted out, or specialized, into the text where they are called as they are."""
        written: dict[Any, str] = {}
        self.taken.used.update(*(names_in(function.tree) for function in self.functions))
        for function in self.functions:                    # grows while it is gone over
            cells, (read, bound) = function.captured.namespace.cells, read_and_bound(function.tree)
            made = {name: cells[name].cell_contents for name in sorted(function.captured.ours & read - bound)
                    if name in cells and isinstance(cells[name].cell_contents, types.FunctionType)
                    and cells[name].cell_contents in self.reader.made}
            for name, fn in made.items():
                if fn not in written:
                    written[fn] = self.taken.new(f"_{name.strip('_')}")
                    self.functions.append(plain(self.reader(fn), written[fn]))
            rename(function.tree, {name: written[fn] for name, fn in made.items()})

    def public_name(self) -> str:
        if self.request.name:
            return self.chosen_name(self.request.name)
        base = {"vjp": "v", "jvp": "t", "push": "t"}.get(self.request.kind, "d") + self.captured.name
        return self.taken.new("_".join([base, *(f"d{w}" for w in self.request.shown if len(self.request.shown) <= 4)]))

    def chosen_name(self, name: str) -> str:
        """The name that was asked for; with a number where the text means something else by it."""
        variables = {*parameter_names(self.captured.tree), *writes(self.captured.tree.body)}
        return name if name in variables else self.taken.new(name)         # of a variable no other of the text sees

    def derivation(self, emitted: Emitted) -> Derivation:
        asked, stages = self.request, (*self.stages, Stage("emit", "the text that runs", lambda: emitted))
        return Derivation(asked.kind, asked.mode, self.written, asked.wrt, asked.passes, emitted, stages, self.facts,
                          cotangents=self.cotangents, partners={one.tree.name: one.partners for one in self.functions},
                          backend=asked.backend, changes=self.changes, reached=self.reached, beside=asked.beside,
                          compiled=asked.compiled, problems=self.calls.problems, asked=asked,
                          recomputes=any(pair.reruns for pair in self.calls.pairs.values()))

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
        return self.optimised(function, problem, one.cotangent, split=seed if request.kind == "split" else None)

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
        return self.optimised(function, problem, tangents)

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
            self.optimised(function, problem, tangents)
            return None
        one = reverse(problem, split=True, recompute="recompute" in self.request.passes)
        if isinstance(one, RefusedError):
            return one
        gradients = [load(one.cotangent[w]) for w in active]
        start = mark(gast.Pass(), role="backward", origin=None, cut=True, keeps=problem.result)
        found = gradients[0] if len(gradients) == 1 else tuple_of(gradients)
        body = [*constant_guards(problem), *one.forward, start, *one.backward]
        function.tree = definition(pair.forward, args, [*body, mark(gast.Return(found), role="return", origin=None)])
        self.optimised(function, problem, one.cotangent, split=one.seed, backward=pair.backward)
        return None

    def begun(self, captured: Captured, posed: Posed, told: bool, *names: str) -> tuple[Problem, Function]:
        """A problem, and its function, which has no derivative yet. told: results of calls were known."""
        problem, results = posed.problem, self.calls.results
        self.calls.problems.update(dict.fromkeys(filter(None, names) if self.request.keeps else (), problem))
        self.attempts |= any(isinstance(one, gast.Try) or hasattr(one, "checked") for one in statements(problem.body))
        taken = helpers(captured, posed.lowering, self.reader, results.read if told else ())
        taken += results.beside_read() if told else []
        return problem, Function(captured.tree, frame.seeing(captured, posed.lowering), problem.names, taken)

    def optimised(self, function: Function, problem: Problem, derivatives: Mapping[str, str], *,
                  split: str | None = None, backward: str | None = None) -> tuple[str, ...]:
        """Run the passes, cut where motion is split, keep functions. derivatives: cotangents or tangents by name."""
        function.floating = floating(problem, derivatives)
        first = self.stages[-1].name == "normalise"        # of the function itself; those that it calls follow
        local = (problem.scope.local | function.names.used) - outer_names(function.captured, self.reader)
        scope = with_objects(Scope(problem.scope.namespace, local), function.tree.body, function.floating,
                             parameter_names(function.tree), iterators=True)
        kept: Kept = {}
        if first:
            self.stages.append(Stage("differentiate", f"{self.request.mode} mode, as the rules say it",
                                     function_text(function, kept)))
        temporaries = {*problem.temporaries, *(d for name, d in derivatives.items() if name in problem.temporaries)}
        facts = Facts(function.tree, scope, problem.specs)
        for name, changed in optimise(
                facts, self.request.passes, function.names, problem.wrt, temporaries, kept=(problem.result,),
                attempted=self.attempts and not first, whole=split is None, sampled=self.request.tape is not None):
            if first:
                write = function_text(function, kept) if changed else self.stages[-1].again
                self.stages.append(Stage(name, PASSES[name], write))
        function.floating = frozenset(facts.renamed.get(name, name) for name in function.floating)
        function.partners = Partners(dict(derivatives), facts.renamed)
        env = None if split is None else next(facts.env(s) for s in function.tree.body if hasattr(s, "cut"))
        if first:
            function.tree = clone(function.tree)           # from here trees change, and the texts that were shown stay
        given = sorted(set(parameter_names(function.tree)) - set(parameter_names(function.captured.tree)))
        at_exit = functools.cache(lambda: facts.kinds().at(facts.kinds().graph.exit))        # few texts need it
        own(function.tree, scope, function.part, lambda name: at_exit().get(name, Spec()).kind == "float", given,
            [problem.specs[w].kind == "float" for w in problem.wrt] if first and split is None else ())
        if split is None:
            keep_given(function.tree, problem.ownership.given, scope)
        function.scope, function.specs = scope, problem.specs
        if split is None or env is None:
            self.keep(function)
            return (function.tree.name,)
        fwd, bwd = cut(function, problem.result, split, backward or self.taken.new(f"{function.tree.name}_backward"),
                       env, owned=self.request.owned, called=backward is not None)
        if backward is None:
            fwd.tree.name = self.taken.new(f"{function.tree.name}_forward")
        self.keep(fwd)
        self.keep(bwd)
        return fwd.tree.name, bwd.tree.name

    def keep(self, function: Function) -> None:
        """Put the checks of helpers first, and keep the function."""
        check_helpers(function)
        self.functions.append(function)
