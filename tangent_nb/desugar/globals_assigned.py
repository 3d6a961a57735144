"""Global variables that a function assigns, and arrays that it changes, as attributes of its module; in the functions
that read what others assign, too.

Needs a text as it was written. Promises that no variable in it is declared `global`, where its module can be found
again: the variable is an attribute of an object that others hold too, and is judged as such
(`analyse/fence/stored_outside.py`).

    global calls                     →      module.calls += 1
    calls += 1

    BUFFER[0] = x                    →      module.BUFFER[0] = x
"""
from __future__ import annotations

import types
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from ..syntax.blocks import rebuild
from ..syntax.building import exchanged, load
from ..syntax.names import Names
from ..syntax.nodes import name_nodes, names_in, nodes_of, reads, writes
from ..syntax.program import Captured, Namespace
from .scopes import bound_inside
from .values import module_of


def as_attributes(captured: Captured, shared: AbstractSet[str] = frozenset()) -> Captured:
    """The text with attributes of its module; the same one where it declares no variable global, and reads none of
    those that other functions assign. shared: these."""
    tree = captured.tree
    declared = {name for node in nodes_of(tree.body, gast.Global) for name in node.names}
    declared |= {name for name in (shared & reads(tree.body) | _changed(captured)) - writes(tree)
                 if name not in captured.namespace.cells}
    module = module_of(captured.namespace.globals) if declared else None
    if module is None or not all(name in vars(module) for name in declared) or not _only_assigned(tree, declared):
        return captured
    short = Names(names_in(tree) | set(captured.namespace.cells)).new(short_name(module))
    made: dict[int, Any] = {id(node): gast.copy_location(gast.Attribute(load(short), node.id, node.ctx), node)
                            for node in name_nodes(tree.body) if node.id in declared}
    new = exchanged(tree, made)
    new.body = rebuild(new.body, lambda stmt: [] if isinstance(stmt, gast.Global) else None)
    cells = {**captured.namespace.cells, short: types.CellType(module)}
    return replace(captured, tree=new, namespace=Namespace(captured.namespace.globals, cells),
                   ours=captured.ours | {short})


def _changed(captured: Captured) -> set[str]:
    """The names of arrays that are changed by their items."""
    targets = [target for node in nodes_of(captured.tree.body, gast.Assign, gast.AugAssign)
               for target in (node.targets if isinstance(node, gast.Assign) else [node.target])]
    return {target.value.id for target in targets
            if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)
            and isinstance(captured.namespace.globals.get(target.value.id), np.ndarray)}


def short_name(module: types.ModuleType) -> str:
    """How a module is called in a text: `__main__` is main."""
    return module.__name__.rpartition(".")[2].strip("_") or "module"


def _only_assigned(tree: Any, names: set[str]) -> bool:
    """Assignments alone bind these variables, and no function inside has one of its own of such a name."""
    bound = {id(target) for node in nodes_of(tree.body, gast.Assign, gast.AugAssign)
             for one in (node.targets if isinstance(node, gast.Assign) else [node.target])
             for target in (one.elts if isinstance(one, (gast.Tuple, gast.List)) else [one])}
    inside = bound_inside(tree) | {name for node in nodes_of(tree.body, gast.ClassDef) for name in names_in(node)}
    return names.isdisjoint(inside) and all(
        isinstance(node.ctx, gast.Load) or id(node) in bound for node in name_nodes(tree.body) if node.id in names)
