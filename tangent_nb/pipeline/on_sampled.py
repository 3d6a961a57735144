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
from ..syntax.program import Stage
from .request import Function, Request
from .snapshots import function_text


def on_sampled(functions: list[Function], main: tuple[str, ...], general: Collection[str], request: Request,
               facts: MutableMapping[str, str]) -> list[Stage] | RefusedError:
    """Write samples into the functions; the stage that it is. facts: what is said of them."""
    by_name = {one.tree.name: one for one in functions}
    starts = [one for name in dict.fromkeys((*main[:1], *general)) if (one := by_name[name]).scope is not None]
    others = [one for one in functions if one.scope is not None and all(one is not start for start in starts)]
    sweeps = [(one, its) for one in [*starts, *others] if (its := _sweeps(one, by_name)) is not None]
    first = by_name[main[0]]
    texts = len([one for one, _ in sweeps if any(one is start for start in starts)])
    plan = sampling.plan([its for _, its in sweeps], texts, request.tape, request.wrt, first.captured.tree.body[-1])
    if plan.refusals:
        return RefusedError(first.captured.name, plan.refusals)
    sampling.write(plan)
    for one, its in sweeps:
        if not its.halves:
            one.tree.body = [*its.forward, *its.backward]
        if its.stream:
            one.structures[its.stream], one.stream = request.tape.seed, its.stream
    facts.update(sampling.described(plan))
    shown = function_text(replace(first, tree=clone(first.tree)), {})
    return [Stage("sample", "samples of arrays that are saved for the gradients of weights alone", shown)]


def _sweeps(function: Function, by_name: dict[str, Function]) -> sampling.Sweeps | None:
    """The sweeps of a function, where it goes forward."""
    if function.scope is None:
        return None
    if function.second is not None and by_name.get(function.second.tree.name) is function.second:
        return sampling.halves(function.tree, function.second.tree, function.scope, function.names, function.specs)
    return sampling.joint(function.tree, function.scope, function.names, function.specs) if function.defaults else None
