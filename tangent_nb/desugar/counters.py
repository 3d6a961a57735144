"""Attributes that are assigned of objects from outside: what is stored there is not read here.

Needs a text in the core language. Promises the mark `counts` on such assignments: where the fence lets them pass
(`analyse/fence/counters.py`), they change nothing that the text reads.

    self.calls += 1                marked
    box = Box(); box.size = x      not marked: the function makes the object
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ..analyse.records import made_names
from ..analyse.resolve import Scope
from ..syntax.nodes import walk


def mark(tree: gast.FunctionDef, scope: Scope) -> None:
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
