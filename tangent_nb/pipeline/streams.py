"""A sampled tape on JAX: what samples are drawn from comes with each call, as a key.

Needs the functions of a derivative with samples, as they are for NumPy. Promises the same functions, in which those
that are called are given the stream, and the one that the user calls begins it: with the key that it is given, or with
the next one of the tape. Refused is what draws where no key comes to.

    def df_dw(w, x, *, key=None):                            def _layer_fwd(h, w, *, stream):
        key = rt.sampling_key(samples, key)  # guard             h_sampled = rt.sample(h, stream, fraction=0.1)
        stream = rt.draws(key)                                   …
        h, layer_residuals = _layer_fwd(x, w, stream=stream)
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast

from ..errors import Refusal, RefusedError
from ..syntax.building import assign, call, constant, load, mark, parameter
from ..syntax.nodes import name_nodes, walk
from .request import Function, Request


def with_key(args: gast.arguments, name: str) -> gast.arguments:
    """The parameters, and behind them the keyword for the key of a call; name: "" where there is none."""
    if name:
        args.kwonlyargs.append(parameter(name))
        args.kw_defaults.append(constant(None))
    return args


def pass_streams(functions: Sequence[Function], main: Sequence[str]) -> RefusedError | None:
    """Give each function that draws, or calls one that does, its stream; or why one cannot be given it."""
    drawing = _drawing(functions)
    entry = functions[0]
    for function in functions:
        tree, name = function.tree, function.tree.name
        if name in main[1:] and name in drawing:
            return RefusedError(entry.captured.name, [Refusal.at(
                entry.captured.tree, "what is computed again draws samples in the function that goes backward, which "
                "is given no key", "grad or value_and_grad, whose text does both; or backend='numpy'")])
        called = [node for node in walk(tree) if isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
                  and node.func.id in drawing]
        known = {id(node.func) for node in called}
        if handed := [node.id for node in name_nodes(tree) if node.id in drawing and id(node) not in known]:
            return RefusedError(entry.captured.name, [Refusal.at(
                function.captured.tree, f"{handed[0]} draws samples, and is handed on, to be called without a key",
                "a call of the function by its name; or backend='numpy'")])
        for node in called:
            node.keywords.append(gast.keyword(drawing[node.func.id], load(drawing[name])))
    for function in functions:
        if (stream := drawing.get(function.tree.name)) is not None:
            _given(function, stream, begins=function is entry)
    return None


def _drawing(functions: Sequence[Function]) -> Mapping[str, str]:
    """The names of the functions that draw, or call one that does, with the name of the stream in each."""
    found = {one.tree.name: one.stream for one in functions if one.stream}
    while more := [one for one in functions if one.tree.name not in found and any(
            node.id in found for node in name_nodes(one.tree))]:
        found.update({one.tree.name: one.names.new("stream") for one in more})
    return found


def _given(function: Function, stream: str, *, begins: bool) -> None:
    function.structures = {name: value for name, value in function.structures.items() if name != stream}
    function.stream = stream
    if function.scope is not None:
        function.scope.local.add(stream)
    if not begins:
        args: Any = function.tree.args
        function.tree.args = gast.arguments([*args.args], [*args.posonlyargs], args.vararg, [
            *args.kwonlyargs, parameter(stream)], [*args.kw_defaults, None], args.kwarg, [*args.defaults])


def begin(entry: Function, place: int, request: Request) -> None:
    """Begin the stream of a call behind its guards. place: of the first statement that is none."""
    samples = entry.names.new("samples")
    entry.structures = {**entry.structures, samples: request.tape.seed}
    key = mark(assign(request.key, call("%rt.sampling_key", samples, request.key)), role="guard", note="guard",
               origin=None)
    start = mark(assign(entry.stream, call("%rt.draws", request.key)), role="forward", origin=None)
    entry.tree.body[place:place] = [key, start]
