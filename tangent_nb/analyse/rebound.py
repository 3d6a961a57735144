"""Names that are bound anew, as names of their own: what is known of the new value is not what is known of the old one.

Needs a text in the core language. Promises one that computes the same, in which no assignment at the top of the body
binds a name that was bound before.

    a = np.array(a)      a_1 = np.array(a)
    a *= 2.0             a_1 *= 2.0          # not what the caller holds
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from ..syntax.building import clone, rename
from ..syntax.names import Names
from ..syntax.nodes import names_in, nodes_of, parameter_names, starred_parameters, writes
from ..syntax.program import Captured


def bound_once(captured: Captured) -> Captured:
    """The text with a new name from each statement on that binds a name again: on every path, since it stands at the
    top."""
    tree = captured.tree
    seen = {*parameter_names(tree), *starred_parameters(tree)}
    later = {name for node in nodes_of(tree.body, gast.Lambda, gast.FunctionDef, gast.GeneratorExp)
             for name in names_in(node)}                   # they read what the name stands for when they run
    places: list[tuple[int, set[str]]] = []
    for i, stmt in enumerate(tree.body):
        if isinstance(stmt, gast.Assign):
            places.append((i, {target.id for target in stmt.targets if isinstance(target, gast.Name)} & seen - later))
        seen |= writes(stmt)
    return _renamed(captured, places) if any(names for _, names in places) else captured


def _renamed(captured: Captured, places: list[tuple[int, set[str]]]) -> Captured:
    tree: Any = clone(captured.tree)
    names = Names(names_in(tree))
    now: dict[str, str] = {}
    for i, again in places:
        for name in sorted(again):
            old, now[name] = now.get(name, name), names.new(name)
            rename([*tree.body[i].targets, *tree.body[i + 1:]], {old: now[name]})
    return replace(captured, tree=tree)
