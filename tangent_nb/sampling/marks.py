"""What is said of statements that keep samples, or read them: their mark `drawn`, from which pages take theirs.

Needs the expressions that keep and read, as they are written. Promises the mark on the statements that have them.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.building import clone, mark
from ..syntax.nodes import walk
from ..syntax.program import Drawing


def said(value: gast.expr, how: Any = None) -> Drawing:
    """What is said of a value where it is kept. how: the `Sampled` that it is drawn by, None of signs."""
    text = ast.unparse(gast.gast_to_ast(clone(value)))
    return Drawing(re.sub(r"%(?=\w)", "", text), True, how)


def keeps(node: Any, drawing: Drawing) -> Any:
    """An expression that keeps what is said."""
    return mark(node, drawing=drawing)


def takes_back(node: Any, drawing: Drawing) -> Any:
    """An expression that reads what was kept."""
    return mark(node, drawing=replace(drawing, kept=False))


def note(body: Sequence[gast.stmt]) -> None:
    """Mark the statements in which such expressions stand."""
    for stmt in statements(body):
        found = [node.drawing for part in (own_expressions(stmt) if is_compound(stmt) else [stmt])
                 for node in walk(part) if hasattr(node, "drawing")]
        if found:
            mark(stmt, drawn=tuple(dict.fromkeys(found)))
