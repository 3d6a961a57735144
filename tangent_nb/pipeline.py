"""The pipeline: from a function to its derivative, stage by stage. It reads like a table of contents.

    capture        the text of the function, and of what it calls
    fence          what is not differentiated is refused, all places at once
    normalise      one exit, A-normal form, short callees in place
    analyse        activity, kinds, ownership, liveness
    differentiate  reverse or forward mode
    optimise       the passes, one by one
    emit, link     text with comments and a source map; plain functions whose code is that text
"""
from __future__ import annotations

import builtins
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from . import runtime
from .analyse.aliases import CALLER, ownership, stable_views
from .analyse.fence import Fence, bind, is_library
from .analyse.flow import definite, liveness, mutation
from .analyse.graph import Graph
from .analyse.kinds import Kinds, spec_of
from .analyse.masks import spread_masks
from .analyse.resolve import LIBRARIES, Scope
from .capture import capture
from .differentiate import Pair, Problem, forward, reverse
from .emit import emit, is_generated, link
from .errors import Refusal, RefusedError
from .normalise import Lowering, single_exit
from .optimise import PASSES, optimise, own, updated_in
from .rules import lookup
from .syntax.deep import deep
from .syntax.names import Names
from .syntax.nodes import (
    assign,
    body_without_docstring,
    call,
    clone,
    expr,
    load,
    mark,
    names_in,
    origin_of,
    parameter_names,
    reads,
    rename,
    root_name,
    statements,
    store,
    substitute,
    tuple_of,
    walk,
    writes,
)
from .syntax.program import MISSING, Captured, Derivation, Emitted, Environment, Stage
from .syntax.spec import Spec

INTERNAL = {name: load("%" + name) for name in ("np", "rt", "math")}
NUMBERS = ("float", "int", "bool", "scalar", "array", "numeric")
KINDS = ("grad", "value_and_grad", "vjp", "jvp", "split")


@dataclass(frozen=True)
class Request:
    """What is asked for. kind: one of KINDS; passes: names, in order; like: specs of the parameters known beforehand."""

    kind: str
    wrt: tuple[str, ...]
    bare: bool
    passes: tuple[str, ...]
    has_aux: bool = False
    like: tuple[tuple[str, Spec], ...] = ()


@dataclass
class Function:
    """One generated function on its way to text."""

    tree: gast.FunctionDef
    captured: Captured
    names: Names
    helpers: list[tuple[str, Any]]
    part: tuple[int, ...] = ()
    ours: set[str] = field(default_factory=set)
    defaults: bool = True


@dataclass
class Derived:
    """The functions of one request, the main one first, and what is known of them."""

    functions: dict[str, types.FunctionType]
    main: tuple[str, ...]
    derivation: Derivation


def derive(fn: Any, request: Request) -> Derived:
    """The derivative functions of `fn`; RefusedError where there are none."""
    captured = captured_of(fn)
    with deep(captured.tree):
        fence(captured, request.wrt, "forward" if request.kind == "jvp" else "reverse")
        return _Build(captured, request).run()


def captured_of(fn: Any) -> Captured:
    """The text of a function; of a derivative that is specialized, its general text."""
    general = getattr(fn, "__tangent_general__", None)
    return capture(fn) if general is None else replace(capture(general), name=fn.__name__)


def fence(captured: Captured, wrt: tuple[str, ...], mode: str) -> None:
    """Refuse what is not differentiated, in the function and in what it calls."""
    one = Fence(capture, mode)
    one.check(captured, wrt)
    if one.refusals:
        raise RefusedError(captured.name, sorted(one.refusals, key=_place))


def _place(refusal: Refusal) -> tuple[int, int]:
    return (refusal.span.line, refusal.span.column) if refusal.span is not None else (0, 0)


@dataclass
class _Build:
    """One run of the pipeline; it holds what the functions of one text share."""

    captured: Captured
    request: Request
    pairs: dict[tuple[Any, ...], Pair] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    waiting: list[tuple[Any, Pair, tuple[str, ...], frozenset[str]]] = field(default_factory=list)
    taken: Names = field(default_factory=lambda: Names(["np", "rt", "math"]))
    stages: list[Stage] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def mode(self) -> str:
        return "forward" if self.request.kind == "jvp" else "reverse"

    def run(self) -> Derived:
        self.taken.used |= names_in(self.captured.tree)
        general: tuple[str, ...] = ()
        if self.request.like:
            request, self.request = self.request, replace(self.request, like=())
            name = self.public_name()
            general = self.main(f"_{name}_general")
            self.stages.clear()
            self.request = request
            last = len(self.functions)
            main = self.main(name)
            self.functions = self.functions[last:] + self.functions[:last]
            self.functions[0].tree.body.insert(0, _dispatch(self.functions[0].tree, general[0], dict(request.like)))
        else:
            main = self.main(self.public_name())
        while self.waiting:
            self.callee(*self.waiting.pop(0))
        self.finish()
        emitted = emit([function.tree for function in self.functions])
        environments = {f.tree.name: self.environment(f) for f in self.functions}
        linked = link(emitted, environments, name=main[0])
        derivation = self.derivation(emitted)
        for name in (*main, *general):
            linked[name].__tangent_nb__ = derivation  # type: ignore[attr-defined]
        if general:
            linked[main[0]].__tangent_general__ = linked[general[0]]  # type: ignore[attr-defined]
        return Derived(linked, main, derivation)

    # ------------------------------------------------------------------ stages
    def normal_form(self, captured: Captured, wrt: Sequence[str], specs: Mapping[str, Spec]) -> tuple[Problem, Names, Lowering]:
        """Normalise and analyse: a `Problem` for either mode; refuses what ownership refuses."""
        tree: gast.FunctionDef = clone(captured.tree)
        self.make_room(tree, wrt, captured)
        names = Names(names_in(tree) | set(INTERNAL) | _outer_names(captured))
        local = set(writes(tree))
        scope = Scope(captured.namespace, local)  # type: ignore[arg-type]
        body = single_exit(list(body_without_docstring(tree)), names, self.result_name(captured, names))
        local |= writes(body)
        shell = gast.FunctionDef(tree.name, tree.args, body, [], None, None, [])
        from .analyse.activity import varied_names
        lowering = Lowering(scope, names, varied_names(shell, wrt, scope), _callee, "inlining" in self.request.passes,
                            self.mode == "reverse", mutated_names(body), local=local)
        lowering.result_name = captured.name if captured.name not in reads(body) else f"{captured.name}_value"
        body = lowering.block(body)
        returned = body.pop()
        result = returned.value.id
        lowering.origin = origin_of(returned)
        spread_masks(body, scope, lowering.temporary)
        lowering.views_of = stable_views(Graph([*body, gast.Return(load(result))]), lowering.temporaries)
        lowering.definitions.update(lowering.views_of)
        body = self.owned(captured, body, result, scope, specs, lowering, names)
        problem = self.problem(captured, body, result, wrt, scope, names, specs, lowering)
        if self.linked_calls(problem):
            problem = self.problem(captured, body, result, wrt, scope, names, specs, lowering)
        return problem, names, lowering

    def make_room(self, tree: gast.FunctionDef, wrt: Sequence[str], captured: Captured) -> None:
        """Rename the variables that have the name of the seed, or of a tangent: by these names derivatives are called."""
        if captured is not self.captured:
            return
        wanted = [f"d{w}" for w in wrt] if self.mode == "forward" else ["seed"] if self.request.kind == "vjp" else []
        taken = [name for name in wanted if name in writes(tree.body) and name not in parameter_names(tree)]
        names = Names(names_in(tree))
        rename(tree, {name: names.numbered(name) for name in taken})

    @staticmethod
    def result_name(captured: Captured, names: Names) -> str:
        return captured.name if captured.name not in names_in(captured.tree) else f"{captured.name}_value"

    def problem(self, captured: Captured, body: list[gast.stmt], result: str, wrt: Sequence[str], scope: Scope, names: Names,
                specs: Mapping[str, Spec], lowering: Lowering) -> Problem:
        return Problem(captured.name, body, result, tuple(parameter_names(captured.tree)), tuple(wrt), scope, names, specs,
                       self.ownership, lowering.definitions, frozenset(lowering.temporaries))

    def owned(self, captured: Captured, body: list[gast.stmt], result: str, scope: Scope, specs: Mapping[str, Spec],
              lowering: Lowering, names: Names) -> list[gast.stmt]:
        """Judge the updates in place: refusals, or checks that are put into the body."""
        graph = Graph([*body, gast.Return(load(result))])
        kinds = Kinds(graph, scope, specs)
        self.ownership = found = ownership(graph, kinds, scope, parameter_names(captured.tree),
                                           lambda name: name in lowering.temporaries or name in lowering.views_of)
        refusals = []
        for stmt, name, other in found.refused:
            who = f"the caller holds the memory of {name}" if other == CALLER else f"{other} may be a view of {name}, or the same array"
            why = f"{name} is changed in place, and {who}: only a fresh array that has one name may be changed (no alias, no argument)"
            origin = origin_of(stmt)
            refusals.append(Refusal(origin.span if origin is not None else None, why, f"copy it first: {name} = {name}.copy()"))
        for stmt in statements(body):
            if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Subscript):
                base = root_name(stmt.targets[0]) or ""
                if kinds.before(stmt).get(base, Spec()).kind in ("list", "tuple") and base in lowering.varied:
                    refusals.append(Refusal(origin_of(stmt).span if origin_of(stmt) else None,  # type: ignore[union-attr]
                                            f"{base} is a list, and one of its items is changed", "an array, or another list"))
        floating: dict[int, list[str]] = {}
        for stmt in statements(body):
            stored = _stores(stmt, lowering.varied)
            if stored is None:
                continue
            name = stored
            spec = kinds.before(stmt).get(name, Spec())
            where = origin_of(stmt)
            span = where.span if where is not None else None
            if isinstance(spec.dtype, str) and spec.dtype[0] in "biu" and spec.dtype != "weak":
                refusals.append(Refusal(span, f"{name} is an array of integers or truth values, which cuts off what is stored in it",
                                        f"an array of floats: {name} = {name}.astype(float)"))
            elif not (isinstance(spec.dtype, str) or spec.dtype is not None and spec.dtype & set(parameter_names(captured.tree))):
                floating[id(stmt)] = [name]
            if _is_whole(stmt) and not spec.rank:
                floating[id(stmt)] = [name]
        if refusals:
            raise RefusedError(captured.name, list(dict.fromkeys(refusals)))
        body = self.checked(body, found.check_before, found.check_after)
        return self.checked(body, floating, {}, "check_floating") if floating else body

    def checked(self, body: list[gast.stmt], before: Mapping[int, list[str]], after: Mapping[int, list[str]],
                check: str = "check_number") -> list[gast.stmt]:
        """Put checks before and after statements."""
        out: list[gast.stmt] = []
        for stmt in body:
            for block in ("body", "orelse"):
                if isinstance(stmt, (gast.If, gast.For, gast.While)):
                    setattr(stmt, block, self.checked(getattr(stmt, block), before, after, check))
            out += [_check(check, name, stmt) for name in before.get(id(stmt), [])]
            out.append(stmt)
            out += [_check(check, name, stmt) for name in after.get(id(stmt), [])]
        return out

    def linked_calls(self, problem: Problem) -> bool:
        """Turn the calls that carry a derivative into calls of pairs; True where there were any."""
        found = False
        for stmt in list(statements(problem.body)):
            if not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Call) or hasattr(stmt, "pair"):
                continue
            operation = problem.scope.operation(stmt.value)
            if operation.kind != "function" or not isinstance(stmt.targets[0], gast.Name):
                continue
            captured = capture(operation.fn)
            varied = problem.activity.varied.before(stmt)
            bound = bind(captured, stmt.value)
            active = tuple((p, bound[p].id) for p in parameter_names(captured.tree)
                           if isinstance(bound.get(p), gast.Name) and bound[p].id in varied)
            size = _result_size(captured)
            if size is not None:
                stmt.value.spec = Spec("tuple", items=(Spec(),) * size)
            useful = stmt.targets[0].id in problem.activity.useful.after(stmt)
            if not active or self.mode == "reverse" and not useful:
                continue
            env = problem.kinds.before(stmt)
            numbers = frozenset(p for p in parameter_names(captured.tree)
                                if p not in bound or spec_of(bound[p], env, problem.scope).kind in NUMBERS)
            stmt.pair = self.pair(operation.fn, captured, active, numbers)
            found = True
            if self.mode == "reverse":
                residuals = problem.names.new(f"{captured.name}_residuals")
                problem.scope.local.add(residuals)  # type: ignore[attr-defined]
                stmt.targets = [tuple_of([stmt.targets[0], store(residuals)], write=True)]
                stmt.value = gast.Call(load(stmt.pair.forward), stmt.value.args, stmt.value.keywords)
        return found

    def pair(self, fn: Any, captured: Captured, active: tuple[tuple[str, str], ...], numbers: frozenset[str]) -> Pair:
        """The names of the functions for a call. numbers: the parameters that are given numbers or arrays for certain."""
        parameters = tuple(p for p, _ in active)
        known = self.pairs.get((fn, parameters, numbers))
        if known is None:
            base = captured.name.strip("_") or "f"
            if self.mode == "reverse":
                known = Pair(self.taken.new(f"_{base}_fwd"), self.taken.new(f"_{base}_bwd"), ())
            else:
                names = Names(names_in(captured.tree))
                known = Pair(self.taken.new(f"_{base}_tan"), "", (), tuple(names.new(f"d{p}") for p in parameters))
            self.pairs[fn, parameters, numbers] = known
            self.waiting.append((fn, known, parameters, numbers))
        return Pair(known.forward, known.backward, active, known.tangents)

    # ------------------------------------------------------------------ functions
    def specs(self, captured: Captured, known: Mapping[str, Spec]) -> dict[str, Spec]:
        return {p: known.get(p, Spec.symbol(p)) for p in parameter_names(captured.tree)}

    def public_name(self) -> str:
        prefix = {"vjp": "vf", "jvp": "tf"}.get(self.request.kind, "df")
        return self.taken.new(_name(prefix, self.captured.name, self.request.wrt))

    def main(self, name: str) -> tuple[str, ...]:
        """The function, or the two of split motion, that was asked for, under a name."""
        captured, request = self.captured, self.request
        known = dict(request.like)
        problem, names, lowering = self.normal_form(captured, request.wrt, self.specs(captured, known))
        if request.has_aux and _result_size(captured) != 2:
            raise RefusedError(captured.name, [Refusal(None, "has_aux is given, and it does not return a pair (value, aux)",
                                                       "return value, aux on every path")])
        if request.has_aux:
            problem = self.with_aux(problem, names)
        self.snapshot("normalise", "one exit, every differentiable operation on its own", captured, problem)
        self.tell(problem)
        guard = [] if all(known.get(w, Spec()).kind in ("float", "array") for w in request.wrt) else [_guard(request.wrt)]
        helpers = self.helpers(captured, lowering)
        if request.kind == "jvp":
            return self.tangent_main(name, problem, names, guard, helpers)
        adjoint = reverse(problem, split=request.kind == "split", recompute="recompute" in request.passes)
        gradients = [load(adjoint.cotangent.get(w) or names.new("b" + w)) for w in request.wrt]
        gradient: gast.expr = gradients[0] if request.bare else tuple_of(gradients)
        seed_name = names.new("seed")
        value = load(problem.value_name if request.has_aux else problem.result)  # type: ignore[attr-defined]
        origin = lowering.origin
        seed_value: gast.expr
        if request.kind in ("vjp", "split"):
            seed_value = expr("rt.check_seed(seed, y)", seed=seed_name, y=value, **INTERNAL)
        else:
            spec = problem.kinds.at(problem.graph.exit).get(value.id, Spec())
            seed_value = gast.Constant(1.0, None) if _is_float(spec, request.wrt) else expr("rt.seed(y)", y=value, **INTERNAL)
        cut = mark(assign(adjoint.seed, seed_value), role="backward", origin=origin, cut=True)
        if request.kind == "split":
            cut.keeps = problem.result
        returned: gast.expr = gradient
        if request.has_aux:
            returned = tuple_of([gradient, load(problem.aux_name)])  # type: ignore[attr-defined]
        if request.kind == "value_and_grad":
            first: gast.expr = value
            if request.has_aux:
                first, gradient = tuple_of([value, load(problem.aux_name)]), gradient  # type: ignore[attr-defined]
            returned = tuple_of([first, gradient])
        final = mark(gast.Return(returned), role="return", origin=None)
        extra = [seed_name] if request.kind == "vjp" else []
        kept = self.kept_value(problem, adjoint.backward, names)
        undone = {n for s in adjoint.backward for n in updated_in(s)}
        undone |= {m[1] for s in statements(adjoint.backward) if (m := mutation(s)) is not None and not hasattr(s, "tape")}
        if request.has_aux and undone & {n for s in adjoint.forward for n in writes(s)}:
            aux = problem.aux_name  # type: ignore[attr-defined]
            kept.append(mark(assign(aux, expr("rt.copy(x)", x=aux, **INTERNAL)), role="forward", origin=None))
        body = [*guard, *adjoint.forward, *kept, cut, *adjoint.backward, final]
        if kept and kept[0].targets[0].id != getattr(problem, "aux_name", None):
            final.value = substitute(final.value, {problem.result: load(kept[0].targets[0].id)})
        tree = gast.FunctionDef(name, self.arguments(captured, extra), body, [], None, None, [])
        function = Function(tree, captured, names, helpers, _part(request),
                            ours(problem, adjoint.cotangent))
        return self.optimised(function, problem, split=seed_name if request.kind == "split" else None)

    def kept_value(self, problem: Problem, backward: Sequence[gast.stmt], names: Names) -> list[gast.stmt]:
        """The value under a name that the backward pass leaves alone."""
        if self.request.kind != "value_and_grad" or problem.result not in {n for s in backward for n in writes(s)}:
            return []
        return [mark(assign(names.new(self.captured.name), load(problem.result)), role="forward", origin=None)]

    def with_aux(self, problem: Problem, names: Names) -> Problem:
        """`f` returns `(value, aux)`: only the value is differentiated."""
        value, aux = names.new("value"), names.new("aux")
        problem.scope.local.update((value, aux))  # type: ignore[attr-defined]
        target = tuple_of([store(value), store(aux)], write=True)
        origin = origin_of(problem.body[-1]) if problem.body else None
        problem.body.append(mark(gast.Assign([target], load(problem.result), None), origin=origin, role="forward"))
        problem.result = value
        problem.__post_init__()
        problem.value_name, problem.aux_name = value, aux  # type: ignore[attr-defined]
        return problem

    def tangent_main(self, name: str, problem: Problem, names: Names, guard: list[gast.stmt], helpers: list[tuple[str, Any]]) -> tuple[str, ...]:
        captured, request = self.captured, self.request
        body, tangent = forward(problem)
        checks = [mark(assign(tangent[w], expr("rt.check_tangent(d, x)", d=tangent[w], x=w, **INTERNAL)), role="guard", origin=None,
                       note="guard") for w in request.wrt]
        final = mark(gast.Return(load(tangent[problem.result])), role="return", origin=None)
        if problem.result not in problem.activity.varied.facts_before.get(problem.graph.exit.index, frozenset()):
            check = gast.Expr(expr("rt.check_result(y)", y=problem.result, **INTERNAL))
            body.append(mark(check, role="forward", origin=None, note="guard"))
        tree = gast.FunctionDef(name, self.arguments(captured, [tangent[w] for w in request.wrt]), [*guard, *checks, *body, final],
                                [], None, None, [])
        return self.optimised(Function(tree, captured, names, helpers, (), ours(problem, tangent)), problem,
                              split=None)

    def callee(self, fn: Any, pair: Pair, active: tuple[str, ...], numbers: frozenset[str]) -> None:
        """The pair of generated functions for a function that is called."""
        captured = capture(fn)
        problem, names, lowering = self.normal_form(captured, active, {
            p: Spec.symbol(p) if p in numbers else Spec() for p in parameter_names(captured.tree)})
        helpers = self.helpers(captured, lowering)
        if self.mode == "forward":
            names.used.update(pair.tangents)
            body, tangents = forward_with(problem, dict(zip(active, pair.tangents, strict=True)))
            returned = tuple_of([load(problem.result), load(tangents[problem.result])])
            args = self.arguments(captured, [])
            args.kwonlyargs += [_parameter(t) for t in pair.tangents]
            args.kw_defaults += [None] * len(pair.tangents)
            tree = gast.FunctionDef(pair.forward, args, [*body, mark(gast.Return(returned), role="return", origin=None)], [],
                                    None, None, [])
            self.optimised(Function(tree, captured, names, helpers, (1,), ours(problem, tangents)), problem, split=None)
            return
        adjoint = reverse(problem, split=True, recompute="recompute" in self.request.passes)
        gradients = [load(adjoint.cotangent[w]) for w in active]
        cut = mark(gast.Pass(), role="backward", origin=None, cut=True, keeps=problem.result)
        final = mark(gast.Return(gradients[0] if len(gradients) == 1 else tuple_of(gradients)), role="return", origin=None)
        tree = gast.FunctionDef(pair.forward, self.arguments(captured, []), [*adjoint.forward, cut, *adjoint.backward, final], [],
                                None, None, [])
        self.optimised(Function(tree, captured, names, helpers, (), ours(problem, adjoint.cotangent)),
                       problem, split=adjoint.seed,
                       backward=pair.backward)

    def optimised(self, function: Function, problem: Problem, *, split: str | None, backward: str | None = None) -> tuple[str, ...]:
        """Run the passes, cut where motion is split, and keep the functions."""
        first = not self.functions
        scope = problem.scope
        problem.scope.local.update(function.names.used)  # type: ignore[attr-defined]
        problem.scope.local.difference_update(_outer_names(function.captured))  # type: ignore[attr-defined]
        if first:
            self.stage("differentiate", f"{self.mode} mode, as the rules say it", function)
        temporaries = set(problem.temporaries) | function.ours
        for name in optimise(function.tree, self.request.passes, scope, function.names, problem.specs, problem.wrt, temporaries):
            if first:
                self.stage(name, PASSES[name], function)
        kinds = Kinds(Graph(function.tree.body), scope, problem.specs).at_exit()
        own(function.tree, scope, function.part, lambda name: kinds.get(name, Spec()).kind == "float")
        if split is None:
            self.keep(function)
            return (function.tree.name,)
        fwd, bwd = _cut(function, problem.result, split, backward or self.taken.new(f"{function.tree.name}_backward"))
        if backward is None:
            fwd.tree.name = self.taken.new(f"{function.tree.name}_forward")
        self.keep(fwd)
        self.keep(bwd)
        return fwd.tree.name, bwd.tree.name

    def keep(self, function: Function) -> None:
        """Put the checks of helpers first, and keep the function."""
        helpers = [(name, fn) for name, fn in function.helpers]
        if helpers:
            check = gast.Expr(expr("rt.check_helpers(helpers)", helpers=(h := function.names.new("helpers")), **INTERNAL))
            check.value.args += [expr(name) for name, _ in helpers]
            function.tree.body.insert(0, mark(check, role="guard", note="guard", origin=None))
            function.helpers_name = h  # type: ignore[attr-defined]
        self.functions.append(function)

    def helpers(self, captured: Captured, lowering: Lowering) -> list[tuple[str, Any]]:
        """The functions that the text of a derivative takes for granted, by the names that they are called by."""
        if getattr(captured.fn, "__tangent_nb__", None) is not None or is_generated(captured.fn.__code__.co_filename):
            return []                                      # a text of ours: its helpers are in its cells, and do not change
        found: dict[str, Any] = {}
        bound = frozenset(writes(captured.tree))
        for stmt in statements(lowering_texts(captured, lowering)):
            for node in walk(stmt):
                if isinstance(node, gast.Call):
                    value = lowering.scope.namespace.resolve(node.func, bound)
                    name = _dotted(node.func)
                    if name is None or value is MISSING:
                        continue
                    is_row = lookup(value) is not None and isinstance(node.func, gast.Name) and not _is_builtin(value)
                    if isinstance(value, types.FunctionType) and lookup(value) is None and (
                            value in lowering.called or value in lowering.inlined) or is_row:
                        found.setdefault(name, value)
        return sorted(found.items())

    def arguments(self, captured: Captured, extra: Sequence[str]) -> Any:
        """The primal's parameters, with more of them at the end: keywords that are required where a default stands before."""
        args = clone(captured.tree.args)
        for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs]:
            arg.annotation = None
        plain = not (args.posonlyargs or args.kwonlyargs or args.defaults)
        if plain:
            args.args += [_parameter(name) for name in extra]
        else:
            args.kwonlyargs += [_parameter(name) for name in extra]
            args.kw_defaults += [None] * len(extra)
        return args

    # ------------------------------------------------------------------ text
    def finish(self) -> None:
        """Give the libraries the names under which each function sees them, and set the comments."""
        for function in self.functions:
            function.cells = _named(function)  # type: ignore[attr-defined]
            _comments(function.tree)

    def environment(self, function: Function) -> Environment:
        captured = function.captured
        cells = dict(captured.namespace.cells)
        cells.update({name: types.CellType(value) for name, value in function.cells.items()})  # type: ignore[attr-defined]
        if function.helpers:
            snapshots = tuple(runtime.snapshot(name, value) for name, value in function.helpers)
            cells[function.helpers_name] = types.CellType(snapshots)  # type: ignore[attr-defined]
        doc = None
        if not function.defaults:
            return Environment(captured.namespace.globals, cells, None, None, doc)
        return Environment(captured.namespace.globals, cells, captured.defaults or (), captured.kwdefaults or {}, doc)

    def stage(self, name: str, summary: str, function: Function) -> None:
        shown = Function(clone(function.tree), function.captured, Names(function.names.used), [])

        def write() -> str:
            _named(shown)
            _comments(shown.tree)
            return _text(shown.tree)

        self.stages.append(Stage(name, summary, write))

    def snapshot(self, name: str, summary: str, captured: Captured, problem: Problem) -> None:
        self.stages.append(Stage("capture", "the function as it was written", lambda: _text(_bare(captured.tree))))
        body = clone(problem.body)
        tree = gast.FunctionDef(captured.name, clone(captured.tree.args), [*body, gast.Return(load(problem.result))], [], None, None, [])
        function = Function(tree, captured, Names(problem.names.used), [])

        def write() -> str:
            _named(function)
            return _text(function.tree)

        self.stages.append(Stage(name, summary, write))

    def tell(self, problem: Problem) -> None:
        """The facts of the analyses that `explain` shows."""
        active = sorted({n for s in statements(problem.body) for n in problem.activity.after(s) & writes(s)}
                        | (set(problem.wrt) & problem.activity.useful.before(problem.body[0]) if problem.body else set()))
        self.facts["active"] = ", ".join(active)
        self.facts["changed in place"] = ", ".join(sorted(problem.ownership.mutated))

    def derivation(self, emitted: Emitted) -> Derivation:
        return Derivation(self.request.kind, self.mode, self.captured, self.request.wrt, self.request.passes, emitted,
                          (*self.stages, Stage("emit", "the text that runs", lambda: emitted.text)), self.facts)


def _part(request: Request) -> tuple[int, ...]:
    """Where the gradient stands in what is returned."""
    if request.kind == "value_and_grad":
        return (1,)
    return (0,) if request.has_aux else ()


def _dispatch(tree: gast.FunctionDef, general: str, specs: Mapping[str, Spec]) -> gast.stmt:
    """Other arguments than those that a text is specialized for go to the general text."""
    tests: list[gast.expr] = []
    for name, spec in specs.items():
        if spec.kind == "array":
            tests.append(expr("x.__class__ is not np.ndarray", x=name, **INTERNAL))
            tests.append(expr("x.shape != s", x=name, s=expr(repr(spec.shape))))
            tests.append(expr("x.dtype != d", x=name, d=gast.Constant(np.dtype(spec.dtype).name, None)))  # type: ignore[arg-type]
        elif spec.kind in ("float", "int", "bool"):
            tests.append(expr(f"x.__class__ is not {spec.kind}", x=name))
    args = tree.args
    again = call(general, *[a.id for a in [*args.posonlyargs, *args.args]], **{a.id: load(a.id) for a in args.kwonlyargs})
    test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.Or(), tests)
    leave = mark(gast.Return(again), role="guard", origin=None)
    return mark(gast.If(test, [leave], []), role="guard", origin=None, note="guard")


def ours(problem: Problem, derivatives: Mapping[str, str]) -> set[str]:
    """The cotangents or tangents of temporaries, which may be folded as temporaries are."""
    return {d for name, d in derivatives.items() if name in problem.temporaries}


def forward_with(problem: Problem, tangents: dict[str, str]) -> tuple[list[gast.stmt], dict[str, str]]:
    from .differentiate.forward import Forward
    one = Forward(problem)
    one.tangent.update(tangents)
    return one.run(), one.tangent


def _outer_names(captured: Captured) -> set[str]:
    """The names that a function and those it calls look up outside: a variable of ours must not hide them."""
    found: set[str] = set()
    todo, seen = [captured], {captured.fn}
    while todo:
        one = todo.pop()
        bound = writes(one.tree)
        outer = reads(one.tree) - bound
        found |= outer
        for name in sorted(outer):
            value = one.namespace.lookup(name)
            if isinstance(value, types.FunctionType) and lookup(value) is None and value not in seen and not is_library(value):
                seen.add(value)
                callee = _callee(value)
                if callee is not None and callee.namespace.globals is captured.namespace.globals:
                    todo.append(callee)
    return found


def _callee(fn: Any) -> Captured | None:
    try:
        return capture(fn)
    except RefusedError:
        return None


def lowering_texts(captured: Captured, lowering: Lowering) -> list[gast.stmt]:
    """The statements of a function and of those put in place of their calls."""
    found = list(captured.tree.body)
    for fn in dict.fromkeys(lowering.inlined):
        found += capture(fn).tree.body
    return found


def mutated_names(body: Sequence[gast.stmt]) -> set[str]:
    """The names through which something may be changed in place."""
    found: set[str] = set()
    for stmt in statements(body):
        changed = mutation(stmt)
        if changed is not None:
            found.add(changed[1])
        targets = stmt.targets if isinstance(stmt, gast.Assign) else [stmt.target] if isinstance(stmt, gast.AugAssign) else []
        for target in targets:
            for node in walk(target):
                if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
                    found.add(root_name(node) or "")
            if isinstance(stmt, gast.AugAssign) and isinstance(target, gast.Name):
                found.add(target.id)
    return found


def _stores(stmt: Any, varied: set[str]) -> str | None:
    """`A` for `A[i] = v` and `A[i] += v` with a v that may carry a derivative."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target if isinstance(stmt, gast.AugAssign) else None
    if isinstance(target, gast.Subscript) and isinstance(stmt.value, gast.Name) and stmt.value.id in varied:
        return root_name(target)
    return None


def _is_whole(stmt: Any) -> bool:
    """The index is `...` or `()`."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target
    index = target.slice
    return isinstance(index, gast.Constant) and index.value is ... or isinstance(index, gast.Tuple) and not index.elts


def _check(check: str, name: str, like: gast.stmt) -> gast.stmt:
    call_ = gast.Expr(expr(f"rt.{check}(x, n)", x=name, n=gast.Constant(name, None), **INTERNAL))
    return mark(call_, role="forward", origin=origin_of(like), note="guard")


def _guard(wrt: Sequence[str]) -> gast.stmt:
    target = store(wrt[0]) if len(wrt) == 1 else tuple_of(map(store, wrt), write=True)
    value = expr("rt.differentiable()", **INTERNAL)
    value.args = [load(w) for w in wrt]
    return mark(gast.Assign([target], value, None), role="guard", note="guard", origin=None)


def _is_float(spec: Spec, wrt: Sequence[str]) -> bool:
    """A floating number for certain."""
    if spec.kind == "float":
        return True
    if spec.kind != "scalar" or spec.shape != ():
        return False
    if isinstance(spec.dtype, frozenset):
        return spec.dtype <= set(wrt)
    return spec.dtype in ("f8", "weak")


def _name(prefix: str, function: str, wrt: Sequence[str]) -> str:
    base = f"{prefix[:-1]}{function}"
    return base if len(wrt) > 4 else "_".join([base, *(f"d{w}" for w in wrt)])


def _parameter(name: str) -> gast.Name:
    return gast.Name(name, gast.Param(), None, None)


def _result_size(captured: Captured) -> int | None:
    """The length of the tuple that every return of a function writes down."""
    sizes = {len(s.value.elts) if isinstance(s.value, gast.Tuple) else None
             for s in statements(captured.tree.body) if isinstance(s, gast.Return)}
    return sizes.pop() if len(sizes) == 1 else None


def _dotted(node: gast.AST) -> str | None:
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Attribute):
        base = _dotted(node.value)
        return None if base is None else f"{base}.{node.attr}"
    return None


def _is_builtin(value: Any) -> bool:
    return getattr(builtins, getattr(value, "__name__", ""), None) is value


def _cut(function: Function, result: str, seed: str, backward: str) -> tuple[Function, Function]:
    """The two functions of split motion: what the second reads of the first are the residuals."""
    body = function.tree.body
    place = next(i for i, s in enumerate(body) if hasattr(s, "cut"))
    first, second = body[:place], body[place:]
    if isinstance(second[0], gast.Pass):
        second = second[1:]
    graph = Graph(second)
    local = {n for s in statements(first) for n in writes(s)} | set(parameter_names(function.tree))
    live = sorted((liveness(graph).before(second[0])) & local)
    names = function.names
    residuals = names.new("residuals")
    value = tuple_of([load(n) for n in live])
    graph = Graph(first)
    bound = definite(graph, parameter_names(function.tree)).facts_before.get(graph.exit.index, frozenset())
    unsure = [n for n in live if n not in bound]
    first = [*[mark(assign(n, gast.Constant(None, None)), role="forward", origin=None) for n in unsure], *first,
             mark(gast.Return(tuple_of([load(result), value])), role="return", origin=None)]
    if live:
        target = tuple_of([store(n) for n in live], write=True)
        changed = {n for stmt in second for n in updated_in(stmt)} - {stmt.tape[0] for stmt in second if hasattr(stmt, "tape")}
        copied = [mark(assign(n, expr("rt.copy(x)", x=n, **INTERNAL)), role="backward", origin=None) for n in live if n in changed]
        if seed in changed:
            copied.append(mark(assign(seed, expr("rt.copy(x)", x=seed, **INTERNAL)), role="backward", origin=None))
        stacks = {m[1] for stmt in statements(second) if (m := mutation(stmt)) is not None and not hasattr(stmt, "tape")}
        copied += [mark(assign(n, call("%list", n)), role="backward", origin=None) for n in live if n in stacks - changed]
        second = [mark(gast.Assign([target], load(residuals), None), role="backward", origin=None), *copied, *second]
    forward_tree = gast.FunctionDef(function.tree.name, function.tree.args, first, [], None, None, [])
    args = gast.arguments([_parameter(residuals), _parameter(seed)], [], None, [], [], None, [])
    backward_tree = gast.FunctionDef(backward, args, second, [], None, None, [])
    fwd = Function(forward_tree, function.captured, Names(names.used), function.helpers)
    bwd = Function(backward_tree, function.captured, Names(names.used), [], defaults=False)
    return fwd, bwd


def _named(function: Function) -> dict[str, Any]:
    """Rename our libraries to what the function's own names allow; what has to be put into cells."""
    tree, namespace = function.tree, function.captured.namespace
    own = {n.id for n in walk(tree) if isinstance(n, gast.Name)}
    cells: dict[str, Any] = {}
    renamed: dict[str, str] = {}
    bound = writes(tree)
    for short, module in LIBRARIES.items():
        if "%" + short not in own:
            continue
        if short not in bound and namespace.lookup(short) is module:
            renamed["%" + short] = short
            if short in namespace.cells:
                cells[short] = module
            continue
        free = short not in own and short not in namespace.cells and not hasattr(builtins, short)
        name = short if free else Names(own | function.names.used).new(short)
        renamed["%" + short] = name
        cells[name] = module
    for node in walk(tree):
        if isinstance(node, gast.Name) and node.id in renamed:
            node.id = renamed[node.id]
    return cells


def _comments(tree: gast.FunctionDef) -> None:
    """Section titles and, above each group of the backward pass, the user's statement that it differentiates."""
    word = "Grad of: "
    roles = {getattr(s, "role", "") for s in tree.body}
    sections = {"forward", "backward"} <= roles
    last = None
    for stmt in tree.body:
        role = getattr(stmt, "role", "")
        if sections and role in ("forward", "backward") and role != last:
            stmt.section = role
            last = role

    def visit(body: Sequence[gast.stmt], last: Any) -> None:
        for stmt in body:
            role = getattr(stmt, "role", "")
            blocks = [getattr(stmt, b) for b in ("body", "orelse") if isinstance(getattr(stmt, b, None), list)]
            if role == "inserted" and last != "inserted":
                stmt.comment = "Inserted code"
                last = "inserted"
            elif role in ("backward", "tangent") and not blocks and not hasattr(stmt, "restore") and not hasattr(stmt, "tape") \
                    and not hasattr(stmt, "zero"):
                origin = origin_of(stmt)
                one = origin[0] if isinstance(origin, tuple) and origin else origin
                if one is not None and one != last:
                    stmt.comment = ("Tangent of: " if role == "tangent" else word) + one.text
                    last = one
            if blocks:
                for block in blocks:
                    visit(block, None)
                last = None

    visit(tree.body, None)


def _bare(tree: gast.FunctionDef) -> gast.FunctionDef:
    new: gast.FunctionDef = clone(tree)
    new.decorator_list = []
    return new


def _text(tree: gast.FunctionDef) -> str:
    with deep(tree):
        return emit([tree]).text


__all__ = ["KINDS", "Derived", "Request", "call", "derive", "fence"]
