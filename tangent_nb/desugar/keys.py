"""What goes over dicts, with their keys by name: keys carry no derivative.

Needs the text of a function. Promises the same text where no dict is gone over; else with `e.keys()` in the places
where a dict stands for its keys. A loop, or a comprehension, that reads the items by its target stays as it is. A dict
is what the function makes as one, and a parameter where it reads items by what going over it there gives
(`own_keys.py`).

    e = {"b": x, "a": u}               e = {"b": x, "a": u}
    for k in sorted(e):                for k in sorted(e.keys()):
        s = s + e[k]            →          s = s + e[k]
    first, *_ = e                      first, *_ = e.keys()
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ..analyse.activity import over_own_keys, reads_items
from ..analyse.displays import names_made
from ..analyse.libraries import is_user_class
from ..analyse.resolve import Scope
from ..rules import method_row
from ..syntax.blocks import statements
from ..syntax.building import exchanged, library
from ..syntax.nodes import LEAVES, is_literal, literal, nodes_in, parameter_names, writes
from ..syntax.program import Namespace
from .own_keys import given_to, read_by_own_items
from .scopes import bindings, located, visible


def by_keys(tree: gast.FunctionDef, namespace: Namespace, wrt: tuple[str, ...] | None = None) -> gast.FunctionDef:
    """The text with the keys by name; the same text where there are none. wrt: what is differentiated; where nobody
    knows, a parameter may be no dict, if what is read by its items are whole numbers: `rt.keys` asks."""
    scope = Scope(namespace, writes(tree))
    found = [node for one in nodes_in(gast.Module(tree.body, [])) if one.__class__ not in LEAVES
             for node in _gone_over(one, scope) if isinstance(node, gast.Name)]
    if not found:
        return tree
    names = {node.id for node in found}
    keys = {id(node): "e.keys()" for name in _dicts(tree, scope) for node in visible(tree.body, name)}
    if wrt is not None:
        keys |= dict.fromkeys(read_by_own_items(tree, names.intersection(wrt), scope), "e.keys()")
    for one in nodes_in(tree):
        star = one.args.kwarg if isinstance(one, gast.FunctionDef) else None
        if star is not None and len(bindings(one)[star.id]) == 1:
            keys |= {id(node): "e.keys()" for node in visible(one.body, star.id)}
        if isinstance(one, gast.FunctionDef) and (one is not tree or wrt is None):
            keys |= dict.fromkeys(read_by_own_items(one, names, scope), "rt.keys(e)")
    return exchanged(tree, {id(node): located(library(keys[id(node)], e=node.id), node)
                            for node in found if id(node) in keys})


def _is_dict(scope: Scope, node: gast.Call) -> bool:
    """`dict(…)`, `OrderedDict(…)` and such."""
    made = scope.value(node.func)
    return isinstance(made, type) and issubclass(made, dict) and not is_user_class(made)


def _dicts(tree: gast.FunctionDef, scope: Scope) -> set[str]:
    """The names that stand for nothing but dicts that are made here."""
    made = names_made(tree.body, parameter_names(tree), lambda value, _: isinstance(
        value, (gast.Dict, gast.DictComp)) or isinstance(value, gast.Call) and _is_dict(scope, value))
    given = [target.id for stmt in statements(tree.body) if isinstance(stmt, gast.Assign)
             for target in stmt.targets if isinstance(target, gast.Name)]
    return {name for name in made if len(bindings(tree)[name]) == given.count(name)}


def _gone_over(node: Any, scope: Scope) -> Iterator[Any]:
    """What a node goes over, and asks nothing else of."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and is_literal(node.func.value):
        of_text = method_row(type(literal(node.func.value)), node.func.attr)     # ", ".join(d)
        yield from node.args if of_text is not None and of_text.iterates else ()
    elif isinstance(node, gast.Call) and not _is_dict(scope, node):
        row = scope.effects(node)
        yield from given_to(node, row, row.iterates)
    elif isinstance(node, gast.For) and not over_own_keys(node):
        yield node.iter
    elif isinstance(node, (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)):
        yield from (one.iter for one in node.generators if not reads_items(one.target, one.iter, node))
    elif isinstance(node, gast.Assign) and any(isinstance(target, (gast.Tuple, gast.List)) for target in node.targets):
        yield node.value
    elif isinstance(node, gast.Starred) and isinstance(node.ctx, gast.Load):
        yield node.value
