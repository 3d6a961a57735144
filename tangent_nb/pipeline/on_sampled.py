"""The last stage of a derivative with a sampled tape: the functions of its text, with samples of what they save.

Needs the functions behind the passes and the request's `Sampled`. Promises the same functions, and the text that is
shown; or what is refused.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, MutableMapping
from dataclasses import replace
from typing import TypeAlias

import gast

from .. import sampling
from ..errors import Refusal, RefusedError
from ..runtime.sampled import PATHS
from ..syntax.building import clone
from ..syntax.program import Stage
from .request import Function, Request
from .snapshots import function_text

Made: TypeAlias = "tuple[list[Refusal], Mapping[str, str]]"       # what is refused, and what is said of the tape


def on_sampled(functions: list[Function], main: tuple[str, ...], general: Collection[str], request: Request,
               facts: MutableMapping[str, str]) -> list[Stage] | RefusedError:
    """Write samples into the functions; the stage that it is. facts: what is said of them."""
    by_name = {one.tree.name: one for one in functions}
    starts = [one for name in dict.fromkeys((*main[:1], *general)) if (one := by_name[name]).scope is not None]
    others = [one for one in functions if one.scope is not None and all(one is not start for start in starts)]
    sweeps = [(one, its) for one in [*starts, *others] if (its := _sweeps(one, by_name)) is not None]
    first = by_name[main[0]]
    texts = len([one for one, _ in sweeps if any(one is start for start in starts)])
    every, written = [its for _, its in sweeps], first.captured.tree.body[-1]
    paths = request.tape.method == PATHS
    refusals, said = (_trips if paths else _arrays)(every, texts, request, written)
    if refusals:
        return RefusedError(first.captured.name, refusals)
    for one, its in sweeps:
        if not its.halves:
            one.tree.body = [*its.forward, *its.backward]
        if its.stream:
            one.structures[its.stream], one.stream = request.tape.seed, its.stream
    facts.update(said)
    shown = function_text(replace(first, tree=clone(first.tree)), {})
    return [Stage("sample", "paths through the trips of loops", shown) if paths else
            Stage("sample", "samples of arrays that are saved for the gradients of weights alone", shown)]


def _trips(every: list[sampling.Sweeps], texts: int, request: Request, written: gast.stmt) -> Made:
    drawn = sampling.draw(every, texts, request.tape, written)
    return drawn.refusals, drawn.described(every, texts)


def _arrays(every: list[sampling.Sweeps], texts: int, request: Request, written: gast.stmt) -> Made:
    plan = sampling.plan(every, texts, request.tape, request.wrt, written)
    if not plan.refusals:
        sampling.write(plan)
    return plan.refusals, sampling.described(plan, texts)


def _sweeps(function: Function, by_name: dict[str, Function]) -> sampling.Sweeps | None:
    """The sweeps of a function, where it goes forward."""
    if function.scope is None:
        return None
    if function.second is not None and by_name.get(function.second.tree.name) is function.second:
        return sampling.halves(function.tree, function.second.tree, function.scope, function.names, function.specs)
    return sampling.joint(function.tree, function.scope, function.names, function.specs) if function.defaults else None
