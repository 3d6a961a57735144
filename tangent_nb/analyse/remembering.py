"""A scope for trees that stay as they are: what an operation in them is, is found once.

Needs stages that make new trees where they change something: those from normal form on, and the passes.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..syntax.nodes import LEAVES
from .resolve import Operation, Scope


@dataclass(frozen=True)
class Remembering(Scope):
    """known: the operations by the ids of their trees, which are kept alive, so that their ids stay their own."""

    known: dict[int, tuple[Any, Operation]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def operation(self, node: Any) -> Operation:
        if node.__class__ in LEAVES:
            return Scope.operation(self, node)
        found = self.known.get(id(node))
        if found is None:
            found = self.known[id(node)] = node, Scope.operation(self, node)
        return found[1]


def remembering(scope: Scope) -> Scope:
    """The same, which remembers."""
    return Remembering(scope.namespace, scope.local, scope.objects, scope.untold)
