"""Calls that give one of their arguments back as it is: `typing.cast` tells a checker of types what a value is.

Needs the text of a function. Promises the same text without such calls, where their other arguments only read names;
which functions these are says the column `returns` of their rows.

    p = cast(dict[str, float], q)      →      p = q

One of them may stand in another.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from ..analyse.libraries import unsettled
from ..analyse.resolve import Scope
from ..syntax.building import exchanged
from ..syntax.nodes import dotted, nodes_in, reads, walk, writes
from ..syntax.program import Captured

DOING = (gast.Call, gast.NamedExpr, gast.Lambda, gast.Await)


def without_casts(captured: Captured) -> Captured:
    """The text without the calls; the same where there are none."""
    scope = Scope.of(captured)
    found = [(node, value) for node in walk(captured.tree.body) for value in _given_back(node, scope)]
    inner = {name for node in walk(captured.tree.body) if found and isinstance(node, (gast.Lambda, gast.comprehension))
             for name in writes(node.args if isinstance(node, gast.Lambda) else node.target)}
    found = [(node, value) for node, value in found if inner.isdisjoint(reads(node.func))]
    if not found:
        return captured
    assumed = {dotted(node.func) or "": scope.value(node.func) for node, _ in found
               if unsettled(node.func, captured.namespace, captured.ours) is not None}
    tree = exchanged(captured.tree, {id(node): value for node, value in found})
    return without_casts(replace(captured, tree=tree, assumed=(*captured.assumed, *assumed.items())))


def _given_back(node: Any, scope: Scope) -> Iterator[Any]:
    row = scope.effects(node)
    if not row.returns or any(isinstance(arg, gast.Starred) for arg in node.args):
        return
    try:
        given = row.signature.bind(*node.args, **{k.arg: k.value for k in node.keywords if k.arg}).arguments
    except TypeError:
        return
    value = given.pop(row.returns)
    if not any(isinstance(part, DOING) for one in given.values() for part in nodes_in(one)):
        yield value
