"""Parameters that are containers of the function itself, under names of their own: what is changed of them is not what
the caller holds.

Needs the text of a function. Promises the same text where there are none.

    def f(x, **options):                       def f(x, **options):
        k = options.pop("k", 1.0)       →          options_1 = {**options}
        …                                          k = options_1.pop("k", 1.0)
    def f(values):                             def f(values):
        values = list(values)           →          values_1 = list(values)
        first = values.pop(0)                      first = values_1.pop(0)
"""
from __future__ import annotations

from typing import Any

import gast

from ..analyse.resolve import Scope
from ..rules import may_change
from ..syntax.building import assign, clone, load, store
from ..syntax.names import Names
from ..syntax.nodes import body_without_docstring, name_nodes, names_in, nodes_in, parameter_names, writes
from ..syntax.program import Namespace
from .scopes import everything, located, renamed

DISPLAYS = (gast.List, gast.ListComp, gast.Dict, gast.DictComp, gast.Set, gast.SetComp)


def copied(tree: gast.FunctionDef, namespace: Namespace) -> gast.FunctionDef:
    """The text with such names for parameters that it makes containers of, and changes."""
    scope = Scope(namespace, writes(tree))
    for name in parameter_names(tree):
        body = body_without_docstring(tree)
        place = next((i for i, stmt in enumerate(body) if any(one.id == name for one in name_nodes(stmt))), len(body))
        first: Any = body[place] if place < len(body) else None
        if isinstance(first, gast.Assign) and len(first.targets) == 1 and getattr(first.targets[0], "id", "") == name \
                and _is_new(first.value, scope) and any(_changes(node, name) for node in nodes_in(
                    gast.Module(body[place + 1:], []))):
            tree = clone(tree)
            body = body_without_docstring(tree)
            mine, rest = _own_name(tree, name, namespace), gast.Module(body[place + 1:], [])
            renamed(rest, {name: mine})
            first = body[place]
            first.targets = [gast.copy_location(store(mine), first.targets[0])]
            tree.body = [*body[:place + 1], *rest.body]
    return tree


def own_options(tree: gast.FunctionDef, namespace: Namespace) -> gast.FunctionDef:
    """The text with a dict of its own, `{**options}`, where it changes what `**options` takes: that is a new dict."""
    name = tree.args.kwarg.id if tree.args.kwarg is not None else ""
    if not name or not any(_changes(node, name) for node in nodes_in(gast.Module(tree.body, []))):
        return tree
    new = clone(tree)
    mine = _own_name(tree, name, namespace)
    body = gast.Module(body_without_docstring(new), [])
    renamed(body, {name: mine})
    first = located(assign(mine, gast.Dict([None], [load(name)])), new)
    first.origin = getattr(tree, "origin", None)
    new.body = [first, *body.body]
    return new


def _changes(node: Any, name: str) -> bool:
    """A node changes the container of this name: `d[k] = v`, `del d[k]`, `d.pop(k)`, `d |= e`."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return getattr(node.func.value, "id", None) == name and may_change(node.func.attr)
    target = node.target if isinstance(node, gast.AugAssign) else node
    root: Any = target.value if isinstance(target, gast.Subscript) else target if target is not node else None
    return getattr(root, "id", None) == name and not isinstance(target.ctx, gast.Load)


def _own_name(tree: gast.FunctionDef, name: str, namespace: Namespace) -> str:
    return Names(names_in(tree) | everything(tree) | set(namespace.cells)).new(name)


def _is_new(node: Any, scope: Scope) -> bool:
    """A container that is made here: a display, `list(xs)`, `dict(d)`."""
    row = scope.effects(node)
    return isinstance(node, DISPLAYS) or bool(row.iterates) and bool(row.keeps) and row.gives == "new"
