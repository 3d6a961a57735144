"""Sharing: which names may share memory, whatever the order of the statements."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from ..analyse.resolve import Scope
from ..syntax.blocks import statements
from ..syntax.closure import Groups
from ..syntax.nodes import reads, target_names
from .fresh import is_fresh


def sharing(body: Sequence[gast.stmt], scope: Scope) -> Groups:
    """The names joined by assignments that are not fresh, in any order."""
    groups = Groups()
    for stmt in statements(body):
        if isinstance(stmt, gast.Assign) and not is_fresh(stmt.value, scope):
            groups.join({n for t in stmt.targets for n in target_names(t)} | reads(stmt.value))
        elif isinstance(stmt, gast.For):
            groups.join(set(target_names(stmt.target)) | reads(stmt.iter))
        elif isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call):
            groups.join(n for n in reads(stmt.value) if not n.startswith("%"))
    return groups


def with_sharers(names: set[str], body: Sequence[gast.stmt], scope: Scope) -> set[str]:
    """Some names with all that may share memory with them."""
    members = sharing(body, scope).members() if names else {}
    return names.union(*(members.get(name, ()) for name in names))
