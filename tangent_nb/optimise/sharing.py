"""Sharing: which names may share memory, whatever the order of the statements."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import gast

from ..analyse.resolve import Scope
from ..syntax.blocks import statements
from ..syntax.closure import Groups
from ..syntax.nodes import reads, target_names
from .own import is_fresh


class Sharing:
    """The names joined by assignments that are not fresh, in any order."""

    def __init__(self, body: Sequence[gast.stmt], scope: Scope) -> None:
        self._groups = Groups()
        for stmt in statements(body):
            if isinstance(stmt, gast.Assign) and not is_fresh(stmt.value, scope):
                self._groups.join({n for t in stmt.targets for n in target_names(t)} | reads(stmt.value))
            elif isinstance(stmt, gast.For):
                self._groups.join(set(target_names(stmt.target)) | reads(stmt.iter))
            elif isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call):
                self._groups.join(n for n in reads(stmt.value) if not n.startswith("%"))
        self.group = self._groups.name                     # the name that stands for all that share memory with a name

    @cached_property
    def _members(self) -> dict[str, set[str]]:
        return self._groups.members()

    def all_of(self, names: set[str]) -> set[str]:
        """Some names with all that may share memory with them."""
        return names.union(*(self._members.get(name, ()) for name in names))
