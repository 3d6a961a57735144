"""The functions for what `tnb.checkpoint` and `tnb.checkpointed` name: what goes backward computes again what it needs.

Needs the pair of such a call, and the text of its function. Promises, for a block, one function of its arguments and of
the cotangent of what it gives; the forward sweep calls the function as it is. For a loop, a forward function that
keeps few states (`rt.Snapshots`), and a backward function that goes through them, by such a function of one step.

    y = _block(x, w)                             bx, bw = _block_again(x, w, by)

    def _loop_fwd(n, x, w):                      def _loop_bwd(residuals, bx, bw):
        saved = rt.Snapshots(range(n))               saved, w = residuals
        for t in range(n):                           for t, x in saved.backward(_step, w):
            saved.keep(x)                                bx, bw = _step_again(t, x, w, bx, bw)
            x = x + w * x                            return bx, bw
        return x, (saved, w)

Cotangents of what the region does not change are passed through it, so that all is added in the order in which it is
without a checkpoint: the gradient is the same to the last bit.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from ..analyse.resolve import Scope
from ..differentiate import Pair, Start, reverse
from ..errors import Refusal, RefusedError
from ..syntax.blocks import is_compound, statements
from ..syntax.building import (
    assign,
    call,
    clone,
    constant,
    exchanged,
    library,
    load,
    mark,
    origin_of,
    parameter,
    rename,
    store,
    tuple_of,
)
from ..syntax.names import Names
from ..syntax.nodes import names_in, nodes_of, parameter_names, reads, writes
from ..syntax.program import Captured
from ..syntax.spec import INT, Spec, join
from . import frame
from .dress import plain
from .problems import Problems
from .questions import constant_guards
from .regions import Rerun, carrying
from .request import Derived, Function
from .results import Given, is_told

if TYPE_CHECKING:
    from .build import Build


def keep_all_besides(found: Derived, keeping: Callable[[], Mapping[str, Any]]) -> None:
    """Where something is computed again, further derivatives are taken of the derivative that keeps all.
    keeping: gives the functions of that."""
    again = functools.cache(keeping)
    for name in found.main if found.derivation.recomputes else ():
        made: Any = found.functions[name]
        made.__tangent_nb__ = replace(made.__tangent_nb__, keeping_all=functools.partial(_named, again, name))


def _named(functions: Callable[[], Mapping[str, Any]], name: str) -> Any:
    return functions()[name]


def derived(build: Build, captured: Captured, pair: Pair, active: tuple[str, ...],
            known: tuple[Any, ...]) -> RefusedError | None:
    """The functions of a pair; or why it is refused. active: the parameters with a derivative; known: of the
    parameters."""
    region: Any = captured.region
    where = "JAX" if build.request.backend == "jax" else "Numba" if build.request.compiled else ""
    if where and (region.draws or where == "Numba"):
        what = "what draws random numbers, and is computed again, is" if region.draws else "what is computed again is"
        return RefusedError(build.captured.name, [Refusal.at(
            captured.tree, f"{what} for NumPy, and not for {where}", f"the function without it, on {where}")])
    if where and build.request.kind == "split":
        return RefusedError(build.captured.name, [Refusal.at(
            captured.tree, "what is computed again reads variables outside anew, and on JAX the second half of split "
            "motion does not ask whether they have changed", "grad, value_and_grad or vjp; or backend='numpy'")])
    if build.reader.changes_outside or build.reader.memory_changed:
        return RefusedError(build.captured.name, [Refusal.at(
            captured.tree, "this is computed again, and the function changes something outside of it, which may be "
            "read there", "return what is changed, and assign it where the function is called")])
    if captured.region is None or captured.region.step is None:
        return (_drawing if captured.region is not None and captured.region.draws and not pair.again else _block)(
            build, captured, pair, active, *known)
    return _loop(build, captured, pair, active, *known)


def _block(build: Build, captured: Captured, pair: Pair, active: tuple[str, ...], numbers: frozenset[str],
           given: Given) -> RefusedError | None:
    """What a block adds to the cotangents of its arguments."""
    text, results = _passing_through(captured, pair)
    problems = Problems(build.captured, build.request, build.reader, build.calls)
    posed = problems.of_callee(text, pair, active, numbers, given)
    if isinstance(posed, RefusedError):
        return posed
    problem, function = build.begun(text, posed, bool(given), pair.backward)
    one = reverse(problem, recompute="recompute" in build.request.passes)
    if isinstance(one, RefusedError):
        return one
    seeds = {problem.names.new("b" + name): one.cotangent.get(name, "") for name in results}
    seed = _together(list(seeds))
    if len(results) > 1:
        one.backward[:] = [exchanged(stmt, {id(node): load(list(seeds)[node.slice.value]) for node in nodes_of(
            stmt, gast.Subscript) if isinstance(node.value, gast.Name) and node.value.id == one.seed
            and isinstance(node.slice, gast.Constant)}) for stmt in one.backward]
    start = [] if len(results) > 1 and one.seed not in reads(one.backward) \
        else [mark(assign(one.seed, seed), role="backward", origin=origin_of(text.tree.body[-1]))]
    args = frame.arguments(text, list(seeds))
    final = mark(gast.Return(_together([one.cotangent[name] for name in active])), role="return", origin=None)
    function.tree = gast.FunctionDef(pair.backward, args, [
        *constant_guards(problem), *one.forward, *start, *one.backward, final], [], None, None, [])

    def then(made: Function) -> None:
        _named_alike(made.tree, seeds)
        made.tree.given_again = {*active, *parameter_names(made.tree)} - {*parameter_names(text.tree)} | {*active}

    build.differentiated(function, problem, one.cotangent, then=then)
    return None


def _drawing(build: Build, captured: Captured, pair: Pair, active: tuple[str, ...], numbers: frozenset[str],
             given: Given) -> RefusedError | None:
    """The two functions of a block that draws random numbers: the same are drawn again."""
    region: Any = captured.region
    parameters = parameter_names(captured.tree)
    names = Names({*names_in(captured.tree), *build.taken.used})
    draws, residuals = names.new("draws"), names.new("residuals")
    again = replace(pair, forward=(name := build.taken.new(f"{pair.backward.removesuffix('_bwd')}_again")),
                    backward=name, again=True, active=())
    build.calls.waiting.append((captured.fn, again, active, numbers, given))
    origin = origin_of(captured.tree)
    forward = plain(captured, pair.forward)
    made: Any = library("rt.Draws()")
    made.args = list(map(clone, region.draws))
    forward.tree.body.insert(0, mark(assign(draws, made), role="forward", origin=origin))
    final: Any = forward.tree.body[-1]
    value = names.new(captured.name.removeprefix("checkpointed_"))
    forward.tree.body[-1:] = [
        mark(assign(value, final.value), role="forward", origin=origin_of(final)),
        mark(gast.Return(tuple_of([load(value), tuple_of(map(load, [draws, *parameters]))])), role="return",
             origin=None)]
    results = [name for i, name in enumerate(region.results) if i in pair.seeds or not pair.seeds]
    seeds = [names.new("b" + name) for name in (*results, *pair.adds)]
    call = gast.Call(load(again.backward), list(map(load, [*parameters, *seeds])), [])
    found = [names.new("b" + name) for name in active]
    inner = mark(gast.Assign([_together(found, write=True)], call, None), role="backward", origin=origin)
    back = [gast.Assign([tuple_of(map(store, [draws, *parameters]), write=True)], load(residuals), None),
            gast.With([gast.withitem(gast.Call(gast.Attribute(load(draws), "again", gast.Load()), [], []), None)],
                      [inner], None)]
    for stmt in back:
        mark(stmt, role="backward", origin=origin)
    args = gast.arguments(list(map(parameter, [residuals, *seeds])), [], None, [], [], None, [])
    tree = gast.FunctionDef(pair.backward, args, [
        *back, mark(gast.Return(_together(found)), role="return", origin=None)], [], None, None, [])
    build.keep(forward)
    build.keep(Function(tree, captured, Names(names_in(tree)), [], defaults=False))
    return None


def _passing_through(captured: Captured, pair: Pair) -> tuple[Captured, list[str]]:
    """The text of a block that gives what carries a derivative, and what it is added to; their names."""
    assert captured.region is not None
    given = captured.region.results
    results = [name for i, name in enumerate(given) if i in pair.seeds or not pair.seeds] + [*pair.adds]
    tree: gast.FunctionDef = clone(captured.tree)
    for stmt in statements(tree.body):
        if isinstance(stmt, gast.Return):
            parts = stmt.value.elts if len(given) > 1 else [stmt.value]
            values = dict(zip(given, parts, strict=True))
            found = [values.get(name, load(name)) for name in results]
            stmt.value = found[0] if len(found) == 1 else tuple_of(found)
    return replace(captured, tree=tree), results


def _named_alike(tree: gast.FunctionDef, names: Mapping[str, str]) -> None:
    """Call a parameter as the variable that begins with its value, where that is not bound before it is read last."""
    taken = set(parameter_names(tree))
    for old, new in names.items():
        if not new or new in taken:
            continue
        read = [i for i, stmt in enumerate(tree.body) if old in reads(stmt)]
        bound = [i for i, stmt in enumerate(tree.body) if new in writes(stmt)]
        if read and bound and (read[-1] > bound[0] or read[-1] == bound[0] and is_compound(tree.body[bound[0]])) \
                or any(new in reads(stmt) for stmt in tree.body[:bound[0] if bound else 0]):
            continue
        rename(tree, {old: new})
        tree.body = [stmt for stmt in tree.body if not _is_nothing(stmt)]


def _is_nothing(stmt: Any) -> bool:
    """`x = x`."""
    return isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Name) and len(stmt.targets) == 1 \
        and isinstance(stmt.targets[0], gast.Name) and stmt.targets[0].id == stmt.value.id


def _loop(build: Build, captured: Captured, pair: Pair, active: tuple[str, ...], numbers: frozenset[str],
          given: Given) -> RefusedError | None:
    """The two functions of a loop."""
    region = captured.region
    assert region is not None
    step = build.reader(region.step)
    if isinstance(region.steps, gast.Name) and region.steps.id in active:
        return RefusedError(build.captured.name, [Refusal.at(
            captured.tree, "what a loop over tnb.checkpointed goes over carries a derivative",
            "its places: for i in tnb.checkpointed(range(len(xs))): and x = xs[i]")])
    states = carrying(captured, active)
    constants = [name for name in region.constants if name in active]
    carried = (*states, *constants)
    known = _known(build, step, carried, {**{name: Spec("numeric") for name in numbers}, **dict(given)})
    rerun = Rerun(region.step.__name__, tuple(constants), states)
    steps = build.calls._pair(region.step, step, tuple((name, name) for name in carried), known,
                              Start(pair.start.cut, pair.start.wild), rerun)
    names = Names({*names_in(captured.tree), *build.taken.used})
    saved = names.new("saved" if len(region.results) > 1 else f"{region.results[0]}_saved")
    for function in (_forward(build, captured, pair, saved),
                     _backward(captured, pair, active, steps, states, saved, names)):
        if build.request.backend == "jax":
            function.scope = Scope(captured.namespace, writes(function.tree) | {*parameter_names(function.tree)})
        build.keep(function)
    return None


def _known(build: Build, step: Captured, active: tuple[str, ...],
           first: Mapping[str, Spec]) -> tuple[frozenset[str], Given]:
    """What is known of the parameters of a step each time: of a state what is so at first, where what a step gives is
    so again if it was before."""
    region: Any = step.region
    loop_item = {region.item: INT} if region.item else {}
    known = {name: spec for name, spec in first.items() if name in parameter_names(step.tree)} | loop_item
    problems = Problems(build.captured, build.request, build.reader, build.calls)
    while True:
        numbers = frozenset(name for name, spec in known.items() if spec.is_number)
        given = tuple((name, spec) for name, spec in known.items() if spec.kind != "numeric")
        undo = build.calls.undoing()
        posed = problems.of_callee(step, Pair("", "", ()), active, numbers, given)
        undo()
        if isinstance(posed, RefusedError):
            return numbers, given
        problem = posed.problem
        spec = problem.kinds.at(problem.graph.exit).get(problem.result, Spec())
        items = (spec,) if len(region.results) == 1 else spec.items or (Spec(),) * len(region.results)
        before = dict(known)
        for name, one in zip(region.results, items, strict=True):
            if name in known and join(known[name], one) != known[name]:
                both = join(known[name], one)
                known[name] = both if is_told(both) and both.is_number else \
                    Spec("numeric") if one.is_number and known[name].is_number else Spec()
        if known == before:
            return numbers, tuple((name, spec) for name, spec in given if spec != Spec())


def _forward(build: Build, captured: Captured, pair: Pair, saved: str) -> Function:
    region: Any = captured.region
    function = plain(captured, pair.forward)
    body = function.tree.body
    loop = next(stmt for stmt in body if isinstance(stmt, (gast.For, gast.While)))
    made: Any = library("rt.Snapshots()")
    given = {"memory": region.memory} if not (isinstance(region.memory, gast.Constant)
                                              and region.memory.value is None) else {}
    made.args = [] if region.steps is None else [clone(region.steps)]
    made.keywords = [gast.keyword(name, clone(value)) for name, value in given.items()]
    if region.draws:
        made.keywords.append(gast.keyword("draws", tuple_of(map(clone, region.draws))))
    if build.request.kind == "split":
        made.keywords.append(gast.keyword("again", constant(True)))
    place = body.index(loop)
    body.insert(place, mark(assign(saved, made), role="forward", origin=origin_of(loop)))
    if isinstance(loop, gast.For) and not isinstance(region.steps, gast.Call):
        loop.iter = gast.Attribute(load(saved), "steps", gast.Load())
    keep = gast.Expr(gast.Call(gast.Attribute(load(saved), "keep", gast.Load()), list(map(load, region.results)), []))
    if build.request.backend == "jax":                     # the step has a twin there, in normal form
        state = [*([region.item] if region.item else []), *region.results]
        one = call(region.step.__name__, *state, *region.constants)
        loop.body = [mark(gast.Assign([_together(region.results, write=True)], one, None), role="forward",
                          origin=origin_of(loop))]
        if region.item:
            loop.target = store(region.item)
    loop.body.insert(0, mark(keep, role="forward", origin=origin_of(loop)))
    final: Any = body[-1]
    body[-1] = mark(gast.Return(tuple_of([final.value, tuple_of(map(load, [saved, *region.constants]))])),
                    role="return", origin=None)
    return function


def _backward(captured: Captured, pair: Pair, active: Sequence[str], steps: Pair, states: Sequence[str], saved: str,
              names: Names) -> Function:
    """The backward function, by that of one step."""
    region: Any = captured.region
    residuals = names.new("residuals")
    constants = [name for name in region.constants if name in active]
    b = {name: names.new("b" + name) for name in (*states, *constants)}
    state = [*([region.item] if region.item else []), *region.results]
    back: list[gast.stmt] = [gast.Assign([tuple_of(map(store, [saved, *region.constants]), write=True)],
                                         load(residuals), None)]
    back += [assign(b[name], library("rt.zeros_like(x)", x=name)) for name in constants if name not in pair.adds]
    call = gast.Call(load(steps.backward), list(map(load, [*state, *region.constants, *b.values()])), [])
    inner = gast.Assign([_together(list(b.values()), write=True)], call, None)
    origin = origin_of(next(stmt for stmt in captured.tree.body if isinstance(stmt, (gast.For, gast.While))))
    source = gast.Call(gast.Attribute(load(saved), "backward", gast.Load()),
                       list(map(load, [region.step.__name__, *region.constants])), [])
    source.reruns = True
    back.append(gast.For(tuple_of(map(store, state), write=True), source,
                         [mark(inner, role="backward", origin=origin)], [], None))
    for stmt in back:
        mark(stmt, role="backward", origin=origin)
    back.append(mark(gast.Return(_together([b[name] for name in active])), role="return", origin=None))
    given = [residuals, *(b[name] for name in states), *(b[name] for name in pair.adds)]
    args = gast.arguments(list(map(parameter, given)), [], None, [], [], None, [])
    tree = gast.FunctionDef(pair.backward, args, back, [], None, None, [])
    return Function(tree, captured, Names(names_in(tree)), [], defaults=False)


def _together(names: Sequence[str], *, write: bool = False) -> Any:
    make = store if write else load
    return make(names[0]) if len(names) == 1 else tuple_of(map(make, names), write=write)
