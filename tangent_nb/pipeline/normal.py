"""From captured text to a `Problem`: normal form, and the facts about it that both modes need.

Needs a function that the fence let through. Promises one exit, A-normal form with short callees in place, masks spread,
updates in place allowed or checked; what ownership does not allow is refused.
"""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import gast
import numpy as np

from ..analyse import displays
from ..analyse.activity import Varied, varied_names
from ..analyse.arguments import defaults_of
from ..analyse.attempts import Surroundings
from ..analyse.collected import collected
from ..analyse.constants import Found, unknown, why
from ..analyse.flow import mutation
from ..analyse.gone_over import lost
from ..analyse.graph import Graph
from ..analyse.kinds import Kinds
from ..analyse.libraries import is_library, is_ours, unsettled
from ..analyse.masks import spread_masks
from ..analyse.nested import Nested
from ..analyse.objects import looked_into, with_objects
from ..analyse.one_memory import one_memory
from ..analyse.ownership import Ownership, ownership
from ..analyse.receivers import mark_receivers, objects_outside
from ..analyse.records import lists_by_place, reached, stored_containers, updated_dict
from ..analyse.remembering import remembering
from ..analyse.resolve import Scope
from ..analyse.stable import stable_views
from ..desugar import Reader
from ..desugar.values import is_builtin
from ..differentiate import Problem
from ..emit import is_generated
from ..errors import Refusal, RefusedError
from ..normalise import (
    Lowering,
    all_or_nothing,
    changed_names,
    in_one_statement,
    over_keys,
    paths_apart,
    single_exit,
    single_managers,
    squares_together,
    through_paths,
    with_checked_keys,
)
from ..rules import lookup
from ..runtime.containers import kind_of
from ..syntax.blocks import statements
from ..syntax.building import INTERNAL, clone, definition, load, mark, origin_of
from ..syntax.memo import remembered
from ..syntax.names import Names
from ..syntax.nodes import body_without_docstring, dotted, names_in, nodes_of, parameter_names, reads, walk, writes
from ..syntax.program import MISSING, Captured
from ..syntax.spec import Spec
from .constants import PLACES, with_constant_checks
from .containers import with_container_checks, with_real_checks
from .in_place import checked, mutated_names, with_copies, with_own_results, with_results
from .request import Beside
from .settled import arrays_first, held_apart, taken_from
from .unknown import plain_reads

UNSURE = ("numeric", "unknown", "items", "versions", "other")      # of a parameter: whatever is given


class Posed(NamedTuple):
    """A problem, and how its function was lowered. ints: the parameters that are taken for ints;
    known: what is known of the parameters."""

    problem: Problem
    lowering: Lowering
    ints: Sequence[str] = ()
    known: Mapping[str, Spec] = MappingProxyType({})


def normal_form(captured: Captured, tree: gast.FunctionDef, wrt: Sequence[str], specs: Mapping[str, Spec],
                reader: Reader, *, inline: bool, reverse: bool, shares: Callable[[str], list[str]] | None = None,
                apart: bool = False, grows: bool = False, by_place: bool = False,
                beside: Collection[str] = ()) -> Posed | RefusedError:
    """The problem that a function poses, from a copy of its tree, and how it was lowered; or what is refused of it.
    shares: what may share the memory of an array of its caller that changes, if it may change such arrays; apart: what
    follows a branch that decides what a name stands for is written in the branch; grows: lists of its caller that carry
    no derivative may grow; by_place: lists get items in place; beside: names that its derivative sees too."""
    assumed = {path.partition(".")[0] for path, _ in captured.assumed}         # read by the check of helpers
    names = Names(names_in(tree) | set(INTERNAL) | outer_names(captured, reader) | assumed | set(beside))
    result = captured.name if captured.name not in names_in(captured.tree) | assumed else f"{captured.name}_value"
    scope = Scope(captured.namespace, writes(tree))
    plain_reads(tree, wrt, scope)
    body = _one_exit(tree, names, scope, result, varied_names(tree, wrt, scope), specs, apart)
    shell = definition(tree.name, tree.args, body)
    varied = varied_names(shell, wrt, scope)
    containers, lists = _stored(shell, scope, varied, by_place)
    if refused := [*all_or_nothing(body, names, names_in(captured.tree),
                                   lambda: Surroundings(body, scope, parameter_names(tree), specs),
                                   lambda: varied_names(shell, wrt, scope)), *lost(body, varied, scope)]:
        return _refused(captured, refused)
    scope.local.update(writes(body))
    if any(isinstance(stmt, (gast.Try, gast.With)) for stmt in statements(body)):      # which may be written anew
        varied = varied_names(shell, wrt, scope)
    scope, arrays = with_objects(scope, body, varied, parameter_names(tree)), _arrays(specs) - writes(body)
    lowering = Lowering(
        scope, names, varied, lambda fn: callee(fn, reader), inline, reverse, asked_once=hasattr(tree, "asked_once"),
        mutated=_mutated(body, scope, containers - lists), containers=containers, by_place=lists,
        shared=one_memory(body, scope, views=True) if changed_names(body) else {},
        doubtful=reached(body, scope, given := _containers(wrt, specs)), in_turn=getattr(tree, "in_turn", frozenset()),
        temporaries=set(getattr(tree, "in_turn", ())), made_lists=displays.lists_made(body, parameter_names(tree)),
        perhaps_lists=given - writes(body), outside=_nested(body, scope, reader, varied, given),
        parameters=frozenset(parameter_names(tree)), arrays=arrays,
        collected=collected(body, parameter_names(tree), scope) | arrays,
        looked_into=looked_into(body, scope, varied) if reverse else [], nested=_nested(body, scope, reader, varied),
        result=captured.name if captured.name not in reads(body) | assumed else f"{captured.name}_value")
    body, scope = lowering.block(body), lowering.scope     # which the block may change
    returned = _prepared(body, scope, parameter_names(tree), lowering)
    lowering.scope = scope = remembering(scope)
    _mark_residuals(body if reverse else (), lowering)
    given = _given(captured) | {stmt.targets[0].id for stmt in taken_from(body)} if shares is not None else set()
    growing = set(parameter_names(tree)) - set(wrt) - lowering.varied if grows else set()
    body, whole, views, kinds, owned = _facts(
        body, returned, lowering, specs, reverse, lambda whole, kinds, ours: ownership(
            whole, kinds, scope, parameter_names(tree), ours.__contains__, given, growing), shares is not None)
    judged = list(map(id, statements(body)))
    body, refused = checked(captured, body, owned, kinds, lowering.varied, reverse, lowering.temporary)
    if refused:
        return _refused(captured, refused)
    body = with_results(body, owned.results & lowering.varied if reverse else (), lowering.temporary)
    body = with_container_checks(body, kinds, scope, _containers(wrt, specs), lambda fn: callee(fn, reader))
    constants, places = _constants(body, tree, wrt, specs, lowering, reverse)
    if refused := [Refusal.at(stmt, *why(path, value)) for stmt, path, value in constants.refused or places.refused]:
        return _refused(captured, refused)
    body = with_constant_checks(with_constant_checks(body, constants), places, PLACES)
    body = held_apart(with_real_checks(body, kinds, scope, lowering.varied), owned.owners, shares)
    known = (whole, kinds) if judged == list(map(id, statements(body))) else None
    return Posed(Problem(captured.name, body, returned.value.id, tuple(parameter_names(tree)), tuple(wrt), scope, names,
                         specs, owned, {**lowering.definitions, **views}, frozenset(lowering.temporaries),
                         known, constants=_met(constants, tree), places=_met(places, tree)), lowering)


def _arrays(specs: Mapping[str, Spec]) -> frozenset[str]:
    """The parameters that are arrays with dimensions for certain."""
    return frozenset(name for name, spec in specs.items() if spec.kind == "array" and spec.rank)


def _facts(body: list[gast.stmt], returned: Any, lowering: Lowering, specs: Mapping[str, Spec], reverse: bool,
           judge: Callable[[Graph, Kinds, Collection[str]], Ownership], owns: bool,
           ) -> tuple[list[gast.stmt], Graph, dict[str, gast.expr], Kinds, Ownership]:
    """The body with the copies that it needs, of results of calls and of views that are read before they change, with
    its flow graph, its views, its kinds, and what `judge` says of it. owns: arrays of its caller may change."""
    def facts() -> tuple[Graph, Kinds]:
        whole = Graph([*body, gast.Return(load(returned.value.id))])
        return whole, Kinds(whole, lowering.scope, specs)

    whole, kinds = facts()
    if owns and (first := arrays_first(body, kinds)) is not None:
        body = first
        whole, kinds = facts()
    if reverse and (own := with_own_results(body, kinds, lowering.scope, lowering.temporary)) is not None:
        body = own
        whole, kinds = facts()
    views = stable_views(whole, lowering.temporaries)
    owned = judge(whole, kinds, {*lowering.temporaries, *views})
    if owned.apart:
        body = with_copies(body, owned.apart, lowering.temporary)
        whole, kinds = facts()
        views = stable_views(whole, lowering.temporaries)
        owned = judge(whole, kinds, {*lowering.temporaries, *views})
    return body, whole, views, kinds, owned


def _constants(body: list[gast.stmt], tree: gast.FunctionDef, wrt: Sequence[str], specs: Mapping[str, Spec],
               lowering: Lowering, sweeps: bool) -> tuple[Found, Found]:
    """The constants that meet a derivative, and those that are its places, of which it is not known what they are."""
    unsure = [p for p in parameter_names(tree) if p not in wrt and specs.get(p, Spec()).kind in UNSURE]
    return (unknown(body, unsure, lowering.varied, lowering.scope, False, arrays=lowering.arrays),
            unknown(body, unsure, lowering.varied, lowering.scope, True, sweeps, lowering.arrays))


def _mark_residuals(body: Sequence[gast.stmt], lowering: Lowering) -> None:
    """What a function computed is kept for its backward sweep."""
    for stmt in statements(body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call) and lowering.active(stmt.value):
            stmt.residual = True


def _one_exit(tree: gast.FunctionDef, names: Names, scope: Scope, result: str, varied: set[str],
              specs: Mapping[str, Spec], apart: bool) -> list[gast.stmt]:
    """The body with one exit. varied: the names that may carry a derivative."""
    active = Varied(varied, scope).of
    body = with_checked_keys(list(body_without_docstring(tree)), parameter_names(tree), scope, active)
    body = over_keys(body, names, scope, lambda node: Varied(varied, scope).of(node))
    body = single_exit(single_managers(body, scope), names, result, scope)
    scope.local.update(writes(body))
    if changed_names(body):
        body = in_one_statement(body)
        body = paths_apart(body, names, scope, result, parameter_names(tree)) if apart else body
    body = through_paths(body, names, scope, specs)
    scope.local.update(writes(body))
    return body


def _refused(captured: Captured, refusals: list[Refusal]) -> RefusedError:
    return RefusedError(captured.name, list(dict.fromkeys(refusals)))


def _met(found: Found, tree: gast.FunctionDef) -> tuple[gast.expr, ...]:
    """What is checked first of all: parameters, and variables outside; those that may be sparse say so."""
    given = [load(p) for p in parameter_names(tree) if p in found.parameters]
    for node in given:
        if node.id in found.matrices:
            node.matrix = True
    return (*given, *map(clone, found.outside.values()))


def _prepared(body: list[gast.stmt], scope: Scope, parameters: list[str], lowering: Lowering) -> Any:
    """The return, taken off. The objects in bodies that stand in the places of calls are known too; squares and masks
    are brought together."""
    lowering.origin = origin_of(returned := body.pop())
    mark_receivers(body, parameters, scope)
    squares_together(body, scope, parameters)
    spread_masks(body, scope, parameters, lowering.temporary)
    return returned


def _given(captured: Captured) -> set[str]:
    """The parameters whose arrays may change; a default is the function's own, and changes for all later calls."""
    defaults = defaults_of(captured)
    return {p for p in parameter_names(captured.tree) if isinstance(defaults.get(p), (int, float, str, type(None)))}


def _containers(wrt: Sequence[str], specs: Mapping[str, Spec]) -> set[str]:
    return {p for p in wrt if specs.get(p, Spec()).kind in ("items", "unknown")}


def _nested(body: Sequence[gast.stmt], scope: Scope, reader: Reader, varied: set[str],
            outside: Iterable[str] = ()) -> Nested:
    return Nested(body, scope, lambda fn: callee(fn, reader), Varied(varied, scope).of, outside)


def _stored(shell: gast.FunctionDef, scope: Scope, varied: set[str], by_place: bool) -> tuple[set[str], set[str]]:
    """The containers that get new parts, and the lists among them that get them in place."""
    found = stored_containers(shell, scope, varied)
    for stmt in statements(shell.body):
        if updated_dict(stmt, found) is not None:
            mark(stmt, updates=True)
    return found, lists_by_place(shell, scope, found) if by_place else set()


def _mutated(body: Sequence[gast.stmt], scope: Scope, new: set[str]) -> set[str]:
    """The names through which something may be changed in place, and the variables of modules that get other values.
    new: for what is stored, they get new containers."""
    grown = {changed[1] for stmt in statements(body) if (changed := mutation(stmt)) is not None}
    of_modules = {node.attr for node in nodes_of(body, gast.Attribute)
                  if not isinstance(node.ctx, gast.Load) and isinstance(scope.value(node.value), types.ModuleType)}
    return (mutated_names(body, scope) | _caught(body)) - (new - grown) | of_modules


def _caught(body: Sequence[gast.stmt]) -> set[str]:
    """The names of exceptions: Python deletes them after the handler."""
    return {handler.name.id for stmt in statements(body)
            for handler in getattr(stmt, "handlers", ()) if handler.name is not None}


def callee(fn: Any, reader: Reader) -> Captured | None:
    """The text of a function that is called, where there is one; of functions of this package none is asked for."""
    try:
        return None if is_ours(fn) else reader(fn)
    except RefusedError:
        return None


@remembered
def outer_names(captured: Captured, reader: Reader) -> set[str]:
    """The names that a function and those it calls look up outside: a variable of ours must not hide them."""
    return {name for one in _called(captured, reader) for name in _outer(one)[0]}


def outer_paths(captured: Captured, reader: Reader) -> dict[str, Any]:
    """The arrays, what may hold some, and the functions that a function and those it calls look up in classes and
    modules, as `Model.weights`."""
    found = {path for one in _called(captured, reader) for path in map(dotted, walk(one.tree.body))
             if path is not None and path.partition(".")[0] in _outer(one)[0]}
    values: dict[str, Any] = {}
    for path in sorted(found):
        root, *names = path.split(".")
        value = captured.namespace.lookup(root)
        for name in names:
            value = inspect.getattr_static(value, name, MISSING) if isinstance(value, (type, types.ModuleType)) \
                else MISSING
        if names and (isinstance(value, np.ndarray | types.FunctionType) or kind_of(value) is not None):
            values[path] = value
    return values


def _called(captured: Captured, reader: Reader) -> list[Captured]:
    """A function, and those that it calls with the same globals."""
    found, seen = [captured], {captured.fn}
    for one in found:
        for value in _outer(one)[1]:
            if value not in seen:
                seen.add(value)
                called = callee(value, reader)
                if called is not None and called.namespace.globals is captured.namespace.globals:
                    found.append(called)
    return found


@remembered
def _outer(captured: Captured) -> tuple[set[str], list[types.FunctionType]]:
    """The names that a function looks up outside, and the functions of the user among what they mean."""
    outer = reads(captured.tree) - writes(captured.tree)
    values = [captured.namespace.lookup(name) for name in sorted(outer)]
    scope = Scope.of(captured)
    values += [scope.value(node) for node in nodes_of(captured.tree.body, gast.Attribute)]     # static methods
    return outer, [value for value in values
                   if isinstance(value, types.FunctionType) and lookup(value) is None and not is_library(value)]


def helpers(captured: Captured, lowering: Lowering, reader: Reader, read: Collection[Any]) -> list[tuple[str, Any]]:
    """The functions that the text of a derivative takes for granted, by the names that they are called by. read: those
    of which something is known by what they are given."""
    ours = is_generated(captured.fn.__code__.co_filename)
    if getattr(captured.fn, "__tangent_nb__", None) is not None:
        return []     # a text of ours: its helpers are in its cells, and do not change
    found: dict[str, Any] = {}
    beside: dict[str, Beside] = {}
    bound = frozenset(writes(captured.tree))
    shares = bool(changed_names(captured.tree.body))       # whether it matters who shares memory with what calls give
    for node in walk(list(_texts(captured, lowering, reader))):
        for path, one in objects_outside(node, lowering.scope):
            if path.partition(".")[0] not in captured.ours:
                found.setdefault(path, one)
        if not isinstance(node, gast.Call):
            continue
        for caller, path, fn in node.returned.calls if shares and hasattr(node, "returned") else ():
            if caller is not None:
                beside.setdefault(f"{caller.__module__}.{caller.__qualname__}: {path}", Beside(caller, path, fn))
        value = lowering.scope.namespace.resolve(node.func, bound)
        name = dotted(node.func)
        if name is None or value is MISSING or name in captured.ours or _is_made(value, reader):
            continue
        if ours and isinstance(value, types.FunctionType) and is_generated(value.__code__.co_filename):
            continue
        row = lookup(value)
        if row is not None and (part := unsettled(node.func, lowering.scope.namespace, captured.ours)) is not None:
            found.setdefault(str(dotted(part[0])), part[1])
        taken = isinstance(value, types.FunctionType) and row is None and (
            value in lowering.called or value in lowering.inlined or hasattr(node, "inert") or value in read
            or shares and hasattr(node, "returned"))
        if taken or row is not None and isinstance(node.func, gast.Name) and is_builtin(value) and row.pull \
                and _carries(node, lowering) or _keeps(value, node) and _carries(node, lowering):
            found.setdefault(name, value)
    for one in [captured, *(reader(fn) for fn in dict.fromkeys(lowering.inlined))]:
        for name, value in one.assumed:
            found.setdefault(name, value)
    return [*sorted(found.items()), *sorted(beside.items())]


def _keeps(value: Any, node: gast.Call) -> bool:
    """A call of a class of the user that only keeps what it gets: the text says which field gets which argument."""
    return isinstance(value, type) and value.__module__ not in ("builtins", "collections", "functools", "types") \
        and displays.fields(value, node) is not None


def _is_made(value: Any, reader: Reader) -> bool:
    """A function that stands in the text itself."""
    return isinstance(value, types.FunctionType) and value in reader.made


def _texts(captured: Captured, lowering: Lowering, reader: Reader) -> Iterator[gast.stmt]:
    """The statements of a function and of those put in place of their calls."""
    yield from captured.tree.body
    for fn in dict.fromkeys(lowering.inlined):
        yield from reader(fn).tree.body


def _carries(node: gast.Call, lowering: Lowering) -> bool:
    """A call of a builtin carries a derivative: `from numpy import *` may exchange it later."""
    given = {part.id for arg in [*node.args, *(k.value for k in node.keywords)]
             for part in nodes_of(arg, gast.Name)}
    return bool(lowering.inlined) or not lowering.varied.isdisjoint(given)
