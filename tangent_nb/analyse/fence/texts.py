"""Texts made of what carries a derivative: a number that is read from one would have lost it without a word."""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from ...syntax.nodes import reads, root_name, target_names, walk
from ..resolve import Operation, is_formatted
from .state import Check
from .trees import reached, targets

TEXTS = (str, repr, format, ascii, np.array2string, np.array_repr, np.array_str)


def from_text(check: Check, node: gast.Call, operation: Operation, fn: Any) -> bool:
    """Refuse a number that is read from a text made of what carries a derivative, which would be lost without a word."""
    number = isinstance(fn, type) and issubclass(fn, (int, float, complex, np.generic))
    if number and check.caught & reads([*node.args, *(k.value for k in node.keywords)]):
        check.refuse(node, "a number is read from an exception, which may have been made of something differentiated",
                     "the number in a variable of its own, before it is raised")
        return True
    reads_number = fn is not len and operation.kind == "rule" or number or operation.kind == "function" and id(node) not in check.said
    if not reads_number or not any(_is_text(check, arg) for arg in [*node.args, *(k.value for k in node.keywords)]):
        return False
    check.refuse(node, "a number is read from a text, and the text was made of something differentiated: it has no derivative",
                 "the number itself, without the text")
    return True


def _is_text(check: Check, node: gast.expr) -> bool:
    """The expression is, or holds, a text made of what carries a derivative."""
    for part in walk(node):
        if isinstance(part, gast.Name) and part.id in check.texts:
            return True
        makes = isinstance(part, gast.JoinedStr) or is_formatted(part) \
            or isinstance(part, gast.Call) and any(check.scope.value(part.func) is one for one in TEXTS)
        if makes and reads(part) & (check.varied | check.texts):
            return True
    return False


def find_texts(check: Check, body: list[gast.stmt]) -> None:
    """Find the names that may hold such a text."""
    size = -1
    while size < len(check.texts):
        size = len(check.texts)
        for stmt in reached(body):
            if isinstance(stmt, (gast.Assign, gast.AugAssign, gast.AnnAssign)) and stmt.value is not None and _is_text(check, stmt.value):
                check.texts.update(name for target in targets(stmt) for name in [*target_names(target), root_name(target) or ""])
            elif isinstance(stmt, gast.For) and _is_text(check, stmt.iter):
                check.texts.update(target_names(stmt.target))
    check.texts.discard("")
