"""Names that only pass an array on: nothing computes with what they stand for, so that no adjoint reads it.

    a_1 = a
    a = b                a_1 is passed on to b; after it, what becomes of the array makes no difference for a_1
    b = a_1
    b[0] = v
"""
from __future__ import annotations

from typing import Any

import gast

from .. import runtime
from ..syntax.nodes import reads
from .flow import Names, access
from .graph import Graph
from .resolve import Scope


def passed_on(graph: Graph, scope: Scope) -> Names:
    """The names that are read in `b = a`, `b = a.copy()`, `A[i] = a` and saves of copies alone: their adjoints and tangents do not read a."""
    used: set[str] = set()
    defined: set[str] = set()
    for node in graph.nodes:
        one = access(node)
        defined |= one.define
        used |= one.use | one.update if node.kind != "stmt" else (one.use | one.update) - _moved(node.stmt, scope)
    return frozenset(defined - used)


def _moved(stmt: Any, scope: Scope) -> set[str]:
    """The names of which a statement moves all to somewhere else."""
    value = getattr(stmt, "value", None)
    if isinstance(stmt, gast.Assign):
        others = {name for target in stmt.targets for name in reads(target)}
    elif isinstance(stmt, gast.Expr) and isinstance(value, gast.Call) and getattr(value.func, "attr", "") == "append" and len(value.args) == 1:
        others, value = reads(value.func), value.args[0]
    else:
        return set()
    if isinstance(stmt, gast.Assign) and isinstance(value, gast.Tuple):
        parts = list(value.elts)
    else:
        parts = [_copied(value, scope) if isinstance(value, gast.Call) else value if isinstance(stmt, gast.Assign) else None]
    return {part.id for part in parts if isinstance(part, gast.Name)} - others


def _copied(node: gast.Call, scope: Scope) -> gast.expr | None:
    """`a` of `a.copy()` and `rt.copy(a)`."""
    if isinstance(node.func, gast.Attribute) and node.func.attr == "copy" and not node.args and not node.keywords:
        return node.func.value
    return node.args[0] if scope.value(node.func) is runtime.copy and len(node.args) == 1 and not node.keywords else None
