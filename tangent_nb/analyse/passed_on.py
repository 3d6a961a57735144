"""Names that only pass an array on: nothing computes with what they stand for, so that no adjoint reads it.

    a_1 = a
    a = b                a_1 is passed on to b; after it, what becomes of the array makes no difference for a_1
    b = a_1
    b[0] = v

    t = np.empty(3)      and t, once a is another name for it: to set parts of it reads nothing
    t[0] = v
    a = t

    items = x[1:], y     the parts are put together; after it, only their shapes are asked for
    z = np.concatenate(items)
    x[0] = v
    bitems = rt.unconcatenate(bz, items)
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from .. import runtime
from ..syntax.nodes import reads
from .flow import NONE, Facts, Flow, Names, access, spread, statement_access
from .graph import Graph, Node
from .outlines import numbers_read
from .resolve import Scope

# linear in their first argument
PUT_TOGETHER = (np.array, np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack)
COPYING = (runtime.copy, runtime.outline)


def passed_on(graph: Graph, scope: Scope) -> Names:
    """The names that are read in `b = a`, `b = a.copy()`, `A[i] = a`, saves of copies and for their outlines alone:
    their adjoints and tangents do not read a."""
    used: set[str] = set()
    defined: set[str] = set()
    for node in graph.nodes:
        one = access(node)
        defined |= one.define
        if node.kind == "stmt" and isinstance(node.stmt, gast.Assign):
            rule = scope.operation(node.stmt.value).rule
            # read by the adjoint of what made it
            used |= one.define if rule is not None and rule.reads_result else set()
        unread = _whole(node.stmt, scope) | outlined(node.stmt, scope) | _filled(node.stmt) \
            if node.kind == "stmt" else NONE
        used |= (one.use | one.update) - unread
    return frozenset(defined - used)


def _filled(stmt: Any) -> set[str]:
    """The array of which a statement sets a part: `A` of `A[i] = a`, whose adjoint reads none of A's numbers."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 else None
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return set()
    return {target.value.id} - reads(target.slice) - reads(stmt.value)


def outlined(stmt: Any, scope: Scope) -> Names:
    """The names of which a simple statement reads nothing but shapes, dtypes and places in memory: `x` in
    `bx += rt.unbroadcast(by, x)`."""
    one = statement_access(stmt)
    return one.use - one.update - numbers_read(stmt, one.use, scope.shapes_read)


def numbers_live(graph: Graph, scope: Scope) -> Facts:
    """The names of which numbers may still be read, as they are or where they are passed on to."""
    shapes = {node.index: outlined(node.stmt, scope) if node.kind == "stmt" else NONE for node in graph.nodes}
    moved = {node.index: _whole(node.stmt, scope) - shapes[node.index] if access(node).define else set()
             for node in graph.nodes}

    def passed(node: Node) -> list[Flow]:
        return [((into,), name) for into in access(node).define for name in moved[node.index]]

    read = {node.index: access(node).use - shapes[node.index] - moved[node.index] for node in graph.nodes}
    return spread(graph, (), lambda node: read[node.index], passed, forward=False)


def _whole(stmt: Any, scope: Scope) -> set[str]:
    value = getattr(stmt, "value", None)
    if isinstance(stmt, gast.Assign):
        others = {name for target in stmt.targets for name in reads(target)}
    elif isinstance(stmt, gast.Expr) and isinstance(value, gast.Call) and getattr(value.func, "attr", "") == "append" \
            and len(value.args) == 1:
        others, value = reads(value.func), value.args[0]
    else:
        return set()
    if isinstance(stmt, gast.Assign) and isinstance(value, (gast.Tuple, gast.List)):
        parts = list(value.elts)
    else:
        parts = [_copied(value, scope) if isinstance(value, gast.Call)
                 else value if isinstance(stmt, gast.Assign) else None]
    return {part.id for part in parts if isinstance(part, gast.Name)} - others


def _copied(node: gast.Call, scope: Scope) -> gast.expr | None:
    """`a` of `a.copy()`, `rt.copy(a)`, `rt.outline(a)`, and `np.concatenate(a)`."""
    if node.args and all(isinstance(one.value, gast.Constant) for one in node.keywords) \
            and any(scope.value(node.func) is fn for fn in PUT_TOGETHER):
        return node.args[0]
    if isinstance(node.func, gast.Attribute) and node.func.attr == "copy" and not node.args and not node.keywords:
        return node.func.value
    copying = any(scope.value(node.func) is fn for fn in COPYING)
    return node.args[0] if copying and len(node.args) == 1 and not node.keywords else None
