"""Calls of derivatives that a text takes: of which function these are.

Needs a text that takes derivatives by operations (`rt.derivative_of`, `rt.halves`), whose values it names and calls.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from .. import runtime
from ..syntax.nodes import walk
from .resolve import Scope


def derived_from(tree: gast.FunctionDef, node: Any, scope: Scope) -> Any:
    """The function of which a derivative is called, or the halves of a call of one, by a name of the text; `rt.method`
    or `rt.computed` for a member of an object; None for what is no derivative."""
    if not isinstance(node, gast.Name) or node.id not in scope.local:
        return None
    nodes = list(walk(tree))
    stored = Counter(part.id for part in nodes if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load))
    known = {target.id: stmt.value for stmt in nodes if isinstance(stmt, gast.Assign)
             for target in stmt.targets if isinstance(target, gast.Name) and stored[target.id] == 1}
    through = False
    for _ in range(99):                                    # a derivative of a derivative, and so on
        if isinstance(node, gast.Name) and node.id in known:
            node = known[node.id]
        elif isinstance(node, gast.Subscript):
            node = node.value
        elif isinstance(node, gast.Call) and node.args and getattr(scope.value(node.func), "__module__", "") \
                == runtime.derivative_of.__module__:
            node, through = node.args[0], True
        else:
            break
    if not through:
        return None
    made = scope.value(node.func) if isinstance(node, gast.Call) else None
    if made is runtime.method or made is runtime.computed:
        return made
    return scope.value(node) if isinstance(node, gast.Name) else None
