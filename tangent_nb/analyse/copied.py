"""Copies that we make where Python passes on an array itself: what is made of them does not change with that array.

    v = [x if s > 0 else y][0]       choice = rt.copy(x)            x changes: so does v, not what stands for it here
    x[0] = 5.0                  →    v = [choice][0]
    v = last(x)                 →    x_1 = rt.copy(x)               the same where `last` gives a part of what it gets
                                     v = last(x_1)
"""
from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import gast

from ..syntax.closure import closure
from ..syntax.spec import Spec
from .flow import access, mutation
from .graph import Graph, Node
from .kinds import Kinds
from .resolve import Scope
from .sharing import sources


@dataclass(frozen=True)
class Copied:
    """held: the names that are a copy of ours, a view of one, or may hold one; calls: the calls that are given such,
    with their targets and what they are given; given: of each target of a call the names that may have its memory."""

    held: frozenset[str] = frozenset()
    calls: tuple[tuple[Any, str, str], ...] = ()
    given: dict[str, frozenset[str]] = field(default_factory=dict)

    def checks(self, kept: Collection[str]) -> dict[int, list[tuple[str, str]]]:
        """After which calls to ask whether a target is what the call was given: those whose value is compared later
        with what changes."""
        found: dict[int, list[tuple[str, str]]] = {}
        for stmt, target, copy in self.calls:
            if not self.given[target].isdisjoint(kept):
                found.setdefault(id(stmt), []).append((target, copy))
        return found


def copied(graph: Graph, kinds: Kinds, scope: Scope) -> Copied:
    """What holds copies of ours, wherever it stands."""
    copies = {name for node in graph.nodes if hasattr(node.stmt, "shares") for name in access(node).define}
    if not copies:
        return Copied()
    flows = [flow for node in graph.nodes for flow in _flows(node, kinds, scope)]
    held = _reached(copies, [(target, found) for _, target, found, called in flows if not called])
    calls = [(stmt, target, name) for stmt, target, found, called in flows if called
             for name in sorted(found & held)]
    every = [(target, found) for _, target, found, _ in flows]
    return Copied(frozenset(held), tuple(calls),
                  {target: frozenset(_reached({target}, every)) for _, target, _ in calls})


def _reached(names: set[str], flows: Collection[tuple[str, set[str]]]) -> set[str]:
    """Names, and all that their memory may flow to."""
    return closure(names, lambda found: {target for target, known in flows if known & found})


def _flows(node: Node, kinds: Kinds, scope: Scope) -> list[tuple[Any, str, set[str], bool]]:
    """The names that a statement gives memory to, with those whose memory that is,
    and whether a function passes it on."""
    stmt = node.stmt
    values: list[Any] = [stmt.iter] if node.kind == "bind" else []
    if node.kind == "stmt" and isinstance(stmt, gast.Assign) and not hasattr(stmt, "shares"):
        values = [stmt.value]
    elif node.kind == "stmt" and (mutation(stmt) or ("",))[0] == "append":
        values = stmt.value.args
    called = isinstance(stmt, gast.Assign) and scope.operation(stmt.value).kind in ("function", "dynamic", "unknown")
    found = {name for value in values for name, _ in sources(value, kinds.at(node), scope)} & scope.local
    one = access(node)
    # of numbers
    arrays = {name
              for name in one.update if isinstance(stmt, gast.Assign) and kinds.at(node).get(name, Spec()).is_number}
    return [(stmt, name, found, called) for name in sorted(one.define | one.update - arrays)
            if found and not (isinstance(stmt, gast.Assign) and kinds.after(stmt).get(name, Spec()).is_immutable)]
