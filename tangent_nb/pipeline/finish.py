"""From the functions before the first pass to functions that run: the passes, texts for other places, text, linking.

Needs a build that has begun, and what was asked for, of which the passes may be others each time: what it does, it does
with statements of its own, which share their trees with those of the build. Promises the functions of one text.
"""
from __future__ import annotations

import functools
import types
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..analyse.objects import with_objects
from ..analyse.resolve import Scope
from ..emit import link, parsed
from ..errors import RefusedError
from ..optimise import PASSES, Facts, optimise, own, steps_of
from ..syntax.building import clone, rename, same_trees
from ..syntax.names import Names
from ..syntax.nodes import names_in, parameter_names, read_and_bound
from ..syntax.partners import Partners
from ..syntax.program import Derivation, Emitted, Stage
from ..syntax.spec import Spec
from . import frame
from .dress import check_helpers, comment, dispatch, named, plain
from .elsewhere import elsewhere
from .normal import outer_names
from .on_numba import compile_now
from .on_sampled import on_sampled
from .other_texts import ask_first
from .request import Derived, Function, Passed, Raw, Request
from .sharing import named_by, shared
from .snapshots import Kept, copied, function_text
from .split import cut, keep_given
from .versions import versions

if TYPE_CHECKING:
    from .build import Build


@dataclass
class Finish:
    """The rest of one run of the pipeline. build: what it rests on, and leaves as it is."""

    build: Build
    request: Request
    functions: list[Function] = field(default_factory=list)
    stages: list[Stage] = field(init=False)
    facts: dict[str, str] = field(init=False)
    taken: Names = field(init=False)

    def __post_init__(self) -> None:
        self.stages, self.facts = [*self.build.stages], dict(self.build.facts)
        self.taken = self.build.taken.copy()

    def run(self) -> Derived | RefusedError:
        """The functions, or why one of them is refused."""
        build, request = self.build, self.request
        main, general = build.main_names, build.general_names
        raws, special = build.raws, build.special
        if general and not (request.like or request.structures):                # it serves whatever asks for it
            general, raws, special = (), raws[special:], 0
        for raw in raws[:special] if not request.glance else ():
            self.optimised(raw)
        others = len(self.functions)
        self.optimised(raws[special], shown=True)
        ask_first(self.functions[others], build.captured, request, build.reached)
        if general:
            self.functions = self.functions[others:] + self.functions[:others]
            self.functions[0].tree.body.insert(0, dispatch(self.functions[0], general[0], request))
        for raw in raws[special + 1:]:
            self.optimised(raw)
        self.functions = named_by(shared(self.functions, build.calls.pairs), {*main, *general})
        if request.tape is not None:
            kept = on_sampled(self.functions, main, general, request, self.facts)
            if isinstance(kept, RefusedError):
                return kept
            self.stages += kept
        numpy_text = self.copied() if request.backend == "jax" else None
        made = elsewhere(self.functions, main, general, request, self.taken, build.reader)
        if isinstance(made, RefusedError):
            return made
        self.functions, self.stages = made[0], [*self.stages, *made[1]]
        linked, derivation = self.linked(main)
        general = () if request.glance else general
        if general:
            derivation = replace(derivation, versions=versions(derivation.emitted, main[0], general[0], request))
        for one in (*main, *general):
            linked[one].__tangent_nb__ = derivation  # type: ignore[attr-defined]
        if general and request.versions is None:
            linked[main[0]].__tangent_general__ = linked[general[0]]  # type: ignore[attr-defined]
        if numpy_text is not None:
            same, _ = numpy_text.linked(main)
            for one in main:
                linked[one].__tangent_numpy__ = same[one]  # type: ignore[attr-defined]
        if request.compiled == "numba":
            compile_now(linked, main[0], request)
        return Derived(linked, main, derivation, request.structures, request.like, build)

    def alone(self) -> Derived:
        """The function that only asks for the text for its arguments."""
        for raw in self.build.raws:
            self.optimised(raw)
        linked, derivation = self.linked(main := self.build.main_names)
        derivation = replace(derivation, lacks=self.request.lacks, later=self.request.versions)
        linked[main[0]].__tangent_nb__ = derivation  # type: ignore[attr-defined]
        return Derived(linked, main, derivation)

    def copied(self) -> Finish:
        """This run, its functions copied: for the text on NumPy, of which further derivatives are taken."""
        functions = [replace(f, tree=clone(f.tree), names=Names(f.names.used)) for f in self.functions]
        return replace(self, functions=functions)

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
        reader = self.build.reader
        self.taken.used.update(*(names_in(function.tree) for function in self.functions))
        for function in self.functions:                    # grows while it is gone over
            cells, (read, bound) = function.captured.namespace.cells, read_and_bound(function.tree)
            made = {name: cells[name].cell_contents for name in sorted(function.captured.ours & read - bound)
                    if name in cells and isinstance(cells[name].cell_contents, types.FunctionType)
                    and cells[name].cell_contents in reader.made}
            for name, fn in made.items():
                if fn not in written:
                    written[fn] = self.taken.new(f"_{name.strip('_')}")
                    self.functions.append(plain(reader(fn), written[fn]))
            rename(function.tree, {name: written[fn] for name, fn in made.items()})

    def derivation(self, emitted: Emitted) -> Derivation:
        """What is known of the functions."""
        asked, build = self.request, self.build
        stages = (*self.stages, Stage("emit", "the text that runs", lambda: emitted))
        return Derivation(asked.kind, asked.mode, build.written, asked.wrt, asked.passes, emitted, stages, self.facts,
                          cotangents=build.cotangents, partners={one.tree.name: one.partners for one in self.functions},
                          backend=asked.backend, changes=build.changes, reached=build.reached, beside=asked.beside,
                          compiled=asked.compiled, problems=build.calls.problems, asked=asked,
                          recomputes=any(pair.reruns for pair in build.calls.pairs.values()))

    def optimised(self, raw: Raw, *, shown: bool = False) -> None:
        """Run the passes, cut where motion is split, keep functions. shown: as stages."""
        function = of_its_own(raw.function)
        if raw.problem is None:                            # it needs no pass
            function.tree = clone(function.tree)
            self.keep(function)
            return
        problem, whole = raw.problem, not raw.halves
        local = (problem.scope.local | function.names.used) - outer_names(function.captured, self.build.reader)
        scope = with_objects(Scope(problem.scope.namespace, local), function.tree.body, function.floating,
                             parameter_names(function.tree), iterators=True)
        facts = self.passes(raw, function, Facts(function.tree, scope, problem.specs), shown=shown)
        function.floating = frozenset(facts.renamed.get(name, name) for name in function.floating)
        function.partners = Partners(dict(raw.derivatives), facts.renamed)
        env = None if whole else next(facts.env(s) for s in function.tree.body if hasattr(s, "cut"))
        function.tree = clone(function.tree)               # from here trees change, and those that are shared stay
        given = sorted(set(parameter_names(function.tree)) - set(parameter_names(function.captured.tree)))
        at_exit = functools.cache(lambda: facts.kinds().at(facts.kinds().graph.exit))        # few texts need it
        own(function.tree, scope, function.part, lambda name: at_exit().get(name, Spec()).kind == "float", given,
            [problem.specs[w].kind == "float" for w in problem.wrt] if raw.first and whole else ())
        function.scope, function.specs = scope, problem.specs
        if env is None:
            keep_given(function.tree, problem.ownership.given, scope)
            self.keep(function)
            raw.then(function)
            return
        fwd, bwd = cut(function, problem.result, raw.seed, raw.halves[1], env, owned=self.request.owned,
                       called=not raw.first)
        fwd.tree.name = raw.halves[0]
        self.keep(fwd)
        self.keep(bwd)

    def passes(self, raw: Raw, function: Function, facts: Facts, *, shown: bool) -> Facts:
        """Run the passes that have not run before; what is known of the function then."""
        problem: Any = raw.problem
        sampled, steps = self.request.tape is not None, steps_of(self.request.passes)
        temporaries = {*problem.temporaries,
                       *(d for name, d in raw.derivatives.items() if name in problem.temporaries)}
        first, kept = len(self.stages), Kept()
        if begun := raw.last(sampled, steps):
            known = raw.passed[sampled, steps[:begun]]
            function.tree.body, function.names = copied(known.body), known.names.copy()
            temporaries = set(known.temporaries)
            facts.renamed.update(known.renamed)
            self.stages += known.stages
        for name, changed in optimise(
                facts, steps, function.names, problem.wrt, temporaries, begun=begun, kept=(problem.result,),
                attempted=raw.attempted, whole=not raw.halves, sampled=sampled):
            if shown:
                write = function_text(function, kept) if changed else self.stages[-1].again
                self.stages.append(Stage(name, PASSES[name], write))
            begun += 1
            if self.request.keeps:
                raw.keep(sampled, steps[:begun], Passed(
                    copied(function.tree.body, kept), function.names.copy(), frozenset(temporaries),
                    dict(facts.renamed), tuple(self.stages[first:])))
        return facts

    def keep(self, function: Function) -> None:
        """Put the checks of helpers first, and keep the function."""
        check_helpers(function)
        self.functions.append(function)


def of_its_own(function: Function) -> Function:
    """A function with statements of its own, which share their trees with another's."""
    tree = same_trees(function.tree)
    tree.body = copied(function.tree.body)
    return replace(function, tree=tree, names=function.names.copy(), helpers=[*function.helpers],
                   structures=dict(function.structures), cells=dict(function.cells))
