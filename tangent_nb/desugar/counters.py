"""Attributes that are assigned of objects from outside: what is stored there is not read here.

Needs the text of a function. Promises the mark `counts` on such assignments: where the fence lets them pass
(`analyse/fence/counters.py`), they give no variable a derivative, and change nothing that the text reads.

    self.calls += 1                marked
    box = Box(); box.size = x      not marked: the function makes the object
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ..analyse.records import made_names
from ..analyse.resolve import Scope
from ..syntax.nodes import parameter_names, root_name, walk
from .scopes import bindings


def mark_outside(tree: gast.FunctionDef, scope: Scope) -> None:
    """Mark those of objects that a parameter, or a name from outside, stands for."""
    found = list(_stores(tree))
    bound = bindings(tree) if found else {}
    parameters = {name for name in parameter_names(tree) if len(bound.get(name, ())) == 1} if found else set()
    for stmt, target in found:
        root = root_name(target)
        if root in parameters or root is not None and root not in scope.local:
            stmt.counts = True


def mark_others(tree: gast.FunctionDef, scope: Scope) -> None:
    """Mark those of objects that are no variables of the text, and that it does not make as containers."""
    found = list(_stores(tree))
    made = made_names(tree, scope) if found else set()
    for stmt, target in found:
        if not (isinstance(target.value, gast.Name) and target.value.id in made):
            stmt.counts = True


def _stores(tree: gast.FunctionDef) -> Iterator[tuple[Any, gast.Attribute]]:
    """The assignments, with the attributes that they assign."""
    for stmt in walk(tree.body):
        for target in [*getattr(stmt, "targets", ()), getattr(stmt, "target", None)]:
            if isinstance(target, gast.Attribute):
                yield stmt, target
