"""The last stage of a derivative with a sampled tape: the functions of its text, with samples of what they save.

Needs the functions behind the passes and the request's `Sampled`. Promises the same functions, and the text that is
shown; or what is refused.
"""
from __future__ import annotations

from collections.abc import Collection, MutableMapping
from dataclasses import replace

from .. import sampling
from ..errors import RefusedError
from ..syntax.building import clone
from ..syntax.nodes import names_in
from ..syntax.program import Stage
from .request import Function, Request
from .snapshots import function_text


def on_sampled(functions: list[Function], main: tuple[str, ...], general: Collection[str], request: Request,
               facts: MutableMapping[str, str]) -> tuple[list[Function], list[Stage]] | RefusedError:
    """The functions with samples. facts: what is said of them."""
    by_name = {one.tree.name: one for one in functions}
    shown: list[Stage] = []
    for start in dict.fromkeys((*main[:1], *general)):     # each text for itself
        first = by_name[start]
        if first.scope is None:                            # it asks for texts alone
            continue
        mine = [one for one in functions if one.scope is not None and one.tree.name in _called(start, by_name)]
        others = [one for one in mine if one is not first]
        sweeps = [found for one in (first, *others) if (found := _sweeps(one, by_name)) is not None]
        if not sweeps:
            continue
        plan = sampling.plan(sweeps, request.tape, request.wrt, first.captured.tree.body[-1])
        if plan.refusals:
            return RefusedError(first.captured.name, plan.refusals)
        sampling.write(plan)
        for one in sweeps:
            function = by_name[one.name]
            if one.name == one.back:
                function.tree.body = [*one.forward, *one.backward]
            if one.stream:
                function.structures[one.stream] = request.tape.seed
        if start == main[0]:
            facts.update(sampling.described(plan))
            shown.append(Stage("sample", "samples of arrays that are saved for the gradients of weights alone",
                               function_text(replace(first, tree=clone(first.tree)), {})))
    return functions, shown


def _called(start: str, by_name: dict[str, Function]) -> set[str]:
    """The functions of a text that one leads to."""
    found, todo = {start}, [start]
    while todo:
        one = by_name[todo.pop()]
        more = names_in(one.tree) & set(by_name)
        if one.second is not None:
            more.add(one.second.tree.name)
        todo += more - found
        found |= more
    return found


def _sweeps(function: Function, by_name: dict[str, Function]) -> sampling.Sweeps | None:
    """The sweeps of a function, where it goes forward."""
    if function.scope is None:
        return None
    if function.second is not None and by_name.get(function.second.tree.name) is function.second:
        return sampling.halves(function.tree, function.second.tree, function.scope, function.names)
    return sampling.joint(function.tree, function.scope, function.names) if function.defaults else None
