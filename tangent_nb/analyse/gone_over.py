"""What a loop of ours goes over: constants of the text that has it. Where that text is differentiated, by what it went
over, that carries a derivative too.

    def df_dw(w, xs):                        the derivative of it by xs:
        items = rt.recorded(xs)      →           items = list(xs)
        for x in items: …                        for x in items: …
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import gast

from .. import runtime
from ..errors import Refusal
from ..syntax.closure import closure
from ..syntax.nodes import nodes_of, reads, writes
from .activity import Varied, varied_names
from .resolve import Scope


def _recorded(body: Any, scope: Scope) -> list[gast.Assign]:
    """The statements of generated texts that say what a loop goes over."""
    return [stmt for stmt in nodes_of(body, gast.Assign)
            if isinstance(stmt.value, gast.Call) and scope.operation(stmt.value).fn is runtime.recorded]


def varied_through(tree: gast.FunctionDef, start: Iterable[str], scope: Scope) -> set[str]:
    """`varied_names`, through what loops of ours go over too. Marks those that may be left before their end: there the
    items that were taken are fewer."""
    found, recorded = varied_names(tree, start, scope), _recorded(tree, scope)
    if recorded:
        left = {id(loop) for attempt in nodes_of(tree, gast.Try, gast.With) for loop in nodes_of(attempt, gast.For)}
        names = {name for loop in nodes_of(tree, gast.For) if id(loop) in left or nodes_of(loop.body, gast.Break)
                 for name in reads(loop.iter)}
        for stmt in recorded:
            if names & writes(stmt.targets):
                stmt.value.partly = True
        recorded = [stmt for stmt in recorded if not hasattr(stmt.value, "partly")]

    def grown(now: set[str]) -> set[str]:
        carries = Varied(now, scope)
        more = [writes(stmt.targets) for stmt in recorded if carries.of(stmt.value.args[0])]
        return varied_names(tree, now.union(*more), scope)
    return closure(found, grown) if recorded else found


def lost(body: Sequence[gast.stmt], varied: AbstractSet[str], scope: Scope) -> Iterator[Refusal]:
    """The places of a function that another one calls where a derivative would be lost so."""
    carries = Varied(varied, scope)
    for stmt in _recorded(body, scope):
        if carries.of(stmt.value.args[0]):
            yield Refusal.at(stmt, "a derivative of a derivative flows through what a loop of the first one goes over",
                             "a loop over places, for i in range(len(x)), that reads x[i]")
