"""Sharing: which names may share memory, whatever the order of the statements."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import gast

from ..analyse.resolve import Scope
from ..syntax.nodes import reads, statements, target_names
from .own import is_fresh


class Sharing:
    """The names joined by assignments that are not fresh, in any order."""

    def __init__(self, body: Sequence[gast.stmt], scope: Scope) -> None:
        self._above: dict[str, str] = {}                   # towards the name that stands for the group
        for stmt in statements(body):
            if isinstance(stmt, gast.Assign) and not is_fresh(stmt.value, scope):
                self._join({n for t in stmt.targets for n in target_names(t)} | reads(stmt.value))
            elif isinstance(stmt, gast.For):
                self._join(set(target_names(stmt.target)) | reads(stmt.iter))
            elif isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call):
                self._join(n for n in reads(stmt.value) if not n.startswith("%"))

    def _join(self, names: Iterable[str]) -> None:
        tops = [self.group(name) for name in names]
        for top in tops[1:]:
            if top != tops[0]:
                self._above[top] = tops[0]

    def group(self, name: str) -> str:
        """The name that stands for all that share memory with a name."""
        path = []
        while name in self._above:
            path.append(name)
            name = self._above[name]
        for one in path:
            self._above[one] = name
        return name

    @cached_property
    def _members(self) -> dict[str, set[str]]:
        members: dict[str, set[str]] = {}
        for name in [*self._above, *self._above.values()]:
            members.setdefault(self.group(name), set()).add(name)
        return members

    def all_of(self, names: set[str]) -> set[str]:
        """Some names with all that may share memory with them."""
        return names.union(*(self._members.get(self.group(name), ()) for name in names))
