"""Functions that a text wraps by `tnb.checkpoint`, where they are called.

Needs a text as it was written, its nested functions without decorators. Promises the wrapper in the call, where a name
that is bound once is only called.

    g = tnb.checkpoint(h)
    return g(x) + g(y)         →      return tnb.checkpoint(h)(x) + tnb.checkpoint(h)(y)
"""
from __future__ import annotations

from typing import Any

import gast

from .. import runtime
from ..syntax.blocks import rebuild
from ..syntax.building import clone
from ..syntax.nodes import nodes_of, root_name
from ..syntax.program import Namespace
from .scopes import bindings, bound, is_read
from .values import object_of


def at_calls(tree: gast.FunctionDef, namespace: Namespace) -> gast.FunctionDef:
    """The text of a function; the same one where it wraps none."""
    local = bound(tree)
    if not any(_wraps(node.value, namespace, local) for node in nodes_of(tree.body, gast.Assign)):
        return tree
    new: gast.FunctionDef = clone(tree)
    binders = bindings(new)
    called = {id(node.func) for node in nodes_of(new.body, gast.Call)}
    read = [node for node in nodes_of(new.body, gast.Name) if is_read(node)]
    found: dict[str, gast.Assign] = {}
    for name, nodes in binders.items():
        one: Any = nodes[0] if len(nodes) == 1 else None
        if isinstance(one, gast.Assign) and len(one.targets) == 1 and _wraps(one.value, namespace, local) \
                and len(binders.get(root_name(one.value.args[0]) or "", ())) < 2 \
                and all(id(node) in called for node in read if node.id == name):
            found[name] = one
    for node in nodes_of(new.body, gast.Call):
        if isinstance(node.func, gast.Name) and node.func.id in found:
            node.func = clone(found[node.func.id].value)
    gone = {id(one) for one in found.values()}
    new.body = rebuild(new.body, lambda stmt: [] if id(stmt) in gone else None)
    return new


def _wraps(node: Any, namespace: Namespace, local: set[str]) -> bool:
    """`tnb.checkpoint(g)`."""
    return isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords \
        and object_of(node.func, namespace, local) is runtime.checkpoint \
        and isinstance(node.args[0], (gast.Name, gast.Attribute, gast.Lambda))
