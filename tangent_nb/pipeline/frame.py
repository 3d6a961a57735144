"""The frame of a generated function: its parameters and guards, the cotangent that it starts with,
what it sees around it."""
from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import gast

from .. import runtime
from ..analyse.fence.outside import functions_of, reached
from ..analyse.libraries import is_library
from ..desugar import Reader
from ..differentiate import Problem
from ..normalise import Lowering
from ..runtime.containers import kind_of
from ..syntax.building import clone, expr, library, load, parameter, rename, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import names_in, parameter_names, reads, root_name, writes
from ..syntax.program import MISSING, Captured, Environment, Namespace
from ..syntax.spec import Spec
from .dress import guard, guard_of, record_guard
from .normal import outer_names, outer_paths
from .request import Beside, Function, Request


def guards(wrt: Sequence[str], known: Mapping[str, Spec]) -> list[gast.stmt]:
    """The checks of the arguments that are differentiated: of numbers and arrays,
    and of those that may be containers."""
    records = [w for w in wrt if w in known and known[w].kind in ("items", "versions", "unknown")]
    numbers = [w for w in wrt if w not in records]
    sure = not numbers or all(known.get(w, Spec()).kind in ("float", "array") for w in numbers)
    return [*([] if sure else [guard(numbers)]), *[record_guard(w, known[w].kind) for w in records]]


def arguments(captured: Captured, extra: Sequence[str]) -> gast.arguments:
    """The primal's parameters, with more of them at the end: keywords that are required where a default stands
    before."""
    args: gast.arguments = clone(captured.tree.args)
    for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]:
        arg.annotation = None
    if args.kwonlyargs or args.defaults or args.vararg or args.kwarg:
        args.kwonlyargs += [parameter(name) for name in extra]
        args.kw_defaults += [None] * len(extra)
    else:
        args.args += [parameter(name) for name in extra]
    return args


def make_room(tree: gast.FunctionDef, request: Request, outer: set[str]) -> None:
    """Rename the variables that have the name of the seed, of a tangent, or of a key: by these derivatives are called.
    outer: what the function, and those it calls, look up outside."""
    wanted = [f"d{w}" for w in request.shown] if request.mode == "forward" \
        else ["seed"] if request.kind == "vjp" else []
    wanted += [request.key] if request.key else []
    taken = [name for name in wanted if name in writes(tree.body) and name not in parameter_names(tree)]
    names = Names(names_in(tree) | outer)
    rename(tree, {name: names.numbered(name) for name in taken})



def seed(problem: Problem, request: Request, name: str) -> gast.expr:
    """The cotangent of the value: given, or one."""
    if request.kind in ("vjp", "split"):
        return library("rt.check_seed(seed, y)", seed=name, y=problem.result)
    spec = problem.kinds.at(problem.graph.exit).get(problem.result, Spec())
    if _is_float(spec, request.wrt) and not any(one.is_narrow for one in problem.specs.values()):
        return gast.Constant(1.0, None)
    return library("rt.seed(y)", y=problem.result)


def _is_float(spec: Spec, wrt: Sequence[str]) -> bool:
    """A floating number for certain."""
    if spec.kind == "float":
        return True
    if spec.kind != "scalar" or spec.shape != ():
        return False
    if isinstance(spec.dtype, frozenset):
        return spec.dtype <= set(wrt)
    return spec.dtype in ("f8", "weak")


def environment(function: Function) -> Environment:
    """What a function of the text sees: its globals, cells and defaults."""
    captured = function.captured
    cells = dict(captured.namespace.cells)
    cells.update({name: types.CellType(value) for name, value in function.cells.items()})
    cells.update({name: types.CellType(structure) for name, structure in function.structures.items()})
    if function.checked_as:
        others = [one for _, one in function.helpers if isinstance(one, Beside)]
        named = [(name, fn) for name, fn in function.helpers if not isinstance(fn, Beside)]
        snapshots = (*(runtime.snapshot(name, fn) for name, fn in named),
                     *(runtime.snapshot(path, fn, caller) for caller, path, fn in others))
        cells[function.checked_as] = types.CellType(snapshots)
    if not function.defaults:
        return Environment(captured.namespace.globals, cells, None, None, None)
    args = function.tree.args
    own = {arg.id: None for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
           if default is not None and arg.id not in parameter_names(captured.tree)}        # the key of a call
    given = {**(captured.kwdefaults or {}), **own}
    return Environment(captured.namespace.globals, cells, captured.defaults or (), given, None)


def beside(captured: Captured, name: str, reader: Reader) -> list[str]:
    """What may hold the memory of a parameter that is changed in place: the other parameters, and variables outside."""
    return [*(p for p in parameter_names(captured.tree) if p != name),
            *sorted(one for one, value in _outside(captured, reader).items()
                    if _may_hold_arrays(value, captured.namespace.globals))]


def kept_guards(captured: Captured, reader: Reader, request: Request) -> list[gast.stmt]:
    """The checks that what is called changes no memory of an argument: the backward sweep would read it as it is
    later."""
    if not reader.memory_changed or request.mode == "forward" or not (given := parameter_names(captured.tree)):
        return []
    named = reads(captured.tree)                           # what is called there is reached from these
    changing = [(fn, set(changed)) for fn, changed in reader.memory_changed
                if isinstance(fn, str) and root_name(expr(fn)) in named - writes(captured.tree)]
    for path, value in sorted(_outside(captured, reader).items()):
        if path.partition(".")[0] in named:
            runs = {id(value), *map(id, reached([value]))}
            changing.append((path, {name for fn, changed in reader.memory_changed if not isinstance(fn, str)
                                    and not runs.isdisjoint(map(id, (fn, *functions_of(fn)))) for name in changed}))
    return [guard_of(library(
        "rt.check_kept_by(fn, xs, names)", fn=expr(path), xs=tuple_of(map(load, given)),
        names=tuple_of([gast.Constant(one, None) for one in (*given, *sorted(changed))])))
            for path, changed in dict(changing).items() if changed]


def seeing(captured: Captured, lowering: Lowering) -> Captured:
    """The function with what those that were put in place of their calls see under names of ours."""
    if not lowering.cells:
        return captured
    cells = {**captured.namespace.cells, **{name: types.CellType(value) for name, value in lowering.cells.items()}}
    return replace(captured, namespace=Namespace(captured.namespace.globals, cells),
                   ours=captured.ours | frozenset(lowering.cells))


def _outside(captured: Captured, reader: Reader) -> dict[str, Any]:
    """What a function, and those it calls, look up outside, by the paths there; no library of ours."""
    found = {one: captured.namespace.lookup(one) for one in outer_names(captured, reader)} \
        | outer_paths(captured, reader)
    return {path: value for path, value in found.items() if not path.startswith("%")}


def _may_hold_arrays(value: Any, names: Mapping[str, Any]) -> bool:
    """A variable outside, or what a function there was made with, may be an array of the caller's, or hold one; or a
    function of another module reads one there. names: the variables of this one, which stand for themselves."""
    if value is MISSING or isinstance(value, (types.ModuleType, type)):
        return False
    if isinstance(value, types.FunctionType):
        return bool(value.__closure__ or value.__defaults__ or value.__kwdefaults__) \
            or value.__globals__ is not names and not is_library(value)
    return not callable(value) or kind_of(value) is not None or not is_library(value)
