"""The stage numba: generated functions, and those of the user that they call, in nopython mode.

Needs the functions after the passes, for arguments of which the classes, dtypes and ranks are known. Promises an entry
in Python, with the guards, and beside it functions that Numba compiles; or refusals of all places at once.

    def df_dx(x, n):                             def df_dx(x, n):
        x = rt.differentiable(x)  # guard            x = rt.differentiable(x)  # guard
        bx = h(x) * scale               →            return rt.nopython(_df_dx_numba, x, n, scale)
        return bx
                                                 @numba.njit(boundscheck=True)
                                                 def _df_dx_numba(x, n, scale):
                                                     bx = _h_numba(x) * scale
                                                     return bx
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast

from ..backends import load as load_backend
from ..backends.numba_text import NumbaText
from ..backends.outside import kept, values_read
from ..desugar import Reader
from ..errors import Refusal, RefusedError
from ..rules import LIBRARIES
from ..runtime.nopython import outside_of
from ..syntax.building import load, parameter
from ..syntax.names import Names
from ..syntax.nodes import dotted, nodes_of, parameter_names, starred_parameters, writes
from ..syntax.program import Span
from ..syntax.spec import Spec
from .compiled import hoist_checks, split_for_numba
from .request import Function, Request
from .twins import Twins, taken_for_granted

SUFFIX = "_numba"
NUMBERS = {"float": "float64", "int": "int64", "bool": "boolean"}


def on_numba(functions: Sequence[Function], request: Request, taken: Names,
             reader: Reader) -> list[Function] | RefusedError:
    """The functions in nopython mode behind their entry, the first, which is in Python."""
    made, refusals = list(functions), _arguments(functions[0], request)
    if refusals:
        return RefusedError(functions[0].captured.name, refusals)
    libraries = LIBRARIES.with_(numba=load_backend("numba").numba)
    helpers, twins, done = load_backend("numba").HELPERS, Twins(made, taken, reader, SUFFIX), 0
    while done < len(made):                                # twins are added while they are met
        function = made[done]
        assert function.scope is not None
        twin, called = twins.of()
        text = NumbaText(function.tree, function.scope, function.specs, helpers=helpers, siblings=twins.siblings,
                         floating=function.floating, twin=twin, entry=not done)
        text.run()
        refusals += text.refusals
        taken_for_granted(function, called)
        done += 1
    entry = made[0]
    if (refused := hoist_checks(made)) is not None:
        return refused
    guards = _guards(entry)
    outside, more = _passed_on(made)
    refusals += [*twins.refusals, *more]
    if refusals:
        return RefusedError(entry.captured.name, list(dict.fromkeys(refusals)))
    inner = split_for_numba(entry, guards, outside, taken.new(f"_{entry.tree.name}{SUFFIX}"))
    for function in [inner, *made[1:]]:
        _without_keywords(function.tree.args)
        function.libraries = libraries
        function.tree.decorator_list = [_decorator()]
    return [entry, inner, *made[1:]]


def _without_keywords(args: gast.arguments) -> None:
    """Numba's functions have no parameters for keywords alone; others may be given by name, too."""
    if not args.defaults and not any(args.kw_defaults):
        args.args, args.kwonlyargs, args.kw_defaults = [*args.args, *args.kwonlyargs], [], []


def _guards(function: Function) -> list[gast.stmt]:
    """The guards that a function begins with, which leave it."""
    body: list[gast.stmt] = function.tree.body
    place = next((i for i, stmt in enumerate(body) if getattr(stmt, "role", "") != "guard"), 0)
    function.tree.body = body[place:]
    return body[:place]


def _passed_on(functions: Sequence[Function]) -> tuple[tuple[str, ...], list[Refusal]]:
    """Let functions take as parameters what they read from outside, and what those that they call read; the names of
    what the first one does, and refusals."""
    by_name, refusals = {one.tree.name: one for one in functions}, []
    read: dict[str, set[str]] = {}
    space = functions[0].captured.namespace.globals
    for name, one in by_name.items():
        assert one.scope is not None
        found = values_read(one.tree, one.scope, by_name)
        elsewhere = one.captured.namespace.globals is not space
        refusals += [kept(stmt, what) for what, stmt in found
                     if "." in what or one is not functions[0] and (elsewhere or what not in space)]
        read[name] = {what for what, _ in found}
    calls = {name: [node for node in nodes_of(one.tree.body, gast.Call) if dotted(node.func) in by_name]
             for name, one in by_name.items()}
    before = None
    while before != read:
        before = {name: set(of) for name, of in read.items()}
        for name, called in calls.items():
            read[name] |= {what for node in called for what in read[str(dotted(node.func))]}
    for name, called in calls.items():
        for node in called:
            node.keywords += [gast.keyword(what, load(what)) for what in sorted(read[str(dotted(node.func))])]
        tree = by_name[name].tree
        refusals += [kept(tree, what) for what in read[name] & {*parameter_names(tree), *writes(tree.body)}]
        if name != functions[0].tree.name:
            tree.args.args += [parameter(what) for what in sorted(read[name])]
    return tuple(sorted(read[functions[0].tree.name])), refusals


def _decorator() -> gast.expr:
    """Indices are checked; numbers are divided as NumPy's, without an error."""
    how = [gast.keyword("boundscheck", gast.Constant(True, None)),
           gast.keyword("error_model", gast.Constant("numpy", None))]
    return gast.Call(gast.Attribute(load("%numba"), "njit", gast.Load()), [], how)


def _arguments(entry: Function, request: Request) -> list[Refusal]:
    """What is given that compiled code does not take: anything but numbers and arrays of 64 bits."""
    known, captured = dict(request.like), entry.captured
    refusals = [Refusal(None, f"{part.path} is no parameter, and is not compiled for Numba", "pass it as an argument")
                for part in request.parts]
    refusals += [Refusal(None, f"{name} takes any number of arguments, which are not compiled for Numba",
                         "name its parameters, or compile=None") for name in starred_parameters(captured.tree)]
    if refusals:
        return refusals
    for node in [*captured.tree.args.posonlyargs, *captured.tree.args.args, *captured.tree.args.kwonlyargs]:
        spec = known.get(node.id, Spec())
        if type_of(spec) is None:
            made = f"an array of {spec.dtype}" if spec.kind == "array" else "no number, and no array of numbers"
            span = Span(captured.source, node.lineno, node.col_offset, node.lineno, node.col_offset + len(node.id)) \
                if hasattr(node, "lineno") else None
            refusals.append(Refusal(span, f"{node.id} is {made}, which is not compiled for Numba",
                                    "an array of float64, a number, or compile=None"))
    return refusals


def type_of(spec: Spec) -> tuple[str, int] | None:
    """The name that Numba has for the type of a number, or of the items of an array, and the rank; None for others.

    >>> import numpy as np
    >>> type_of(Spec.of(np.ones((2, 3)))), type_of(Spec("int")), type_of(Spec.of(np.ones(3, np.float32)))
    (('float64', 2), ('int64', 0), None)
    """
    if spec.kind in NUMBERS:
        return NUMBERS[spec.kind], 0
    if spec.kind == "scalar" and spec.dtype == "f8":
        return "float64", 0
    if spec.kind != "array" or not isinstance(spec.shape, tuple):
        return None
    name = {"f8": "float64", "i8": "int64", "b1": "boolean"}.get(str(spec.dtype))
    return None if name is None else (name, len(spec.shape))


def compile_now(functions: Mapping[str, Any], name: str, request: Request) -> None:
    """Compile for the arguments that are known, so that what Numba refuses is refused when it is derived. What a seed
    is made like only the result says, and what is outside only a call."""
    entry = functions[name]
    inner = next(functions[one] for one in entry.__code__.co_freevars if hasattr(functions.get(one), "py_func"))
    inner.outside = outside_of(inner)
    known = {one: Spec("float") if one in request.wrt and spec.is_scalar else spec for one, spec in request.like}
    code = inner.py_func.__code__
    types = [type_of(known.get(one, Spec())) for one in code.co_varnames[:code.co_argcount]]
    if None not in types:
        load_backend("numba").compile_for(inner, types)


__all__ = ["compile_now", "on_numba"]
