"""Exceptions that are made of what carries a derivative, in functions of which nothing else does.

A function that is called for its errors, or of which the result has no derivative, is not differentiated. What it
raises may hold a number all the same, and that would be lost without a word where a handler reads it.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from ...syntax.nodes import children, nodes_of, parameter_names, starred_parameters, walk
from ...syntax.program import Captured
from ..activity import Varied, varied_names
from ..arguments import bind
from ..resolve import Scope


def throws(captured: Captured, given: Sequence[str], again: Callable[[Any, gast.Call, Varied], bool]) -> bool:
    """A function may raise an exception that is made of what these parameters are given, but for texts of it.
    again: the same of a function that it calls."""
    scope = Scope.of(captured)
    varied = Varied(varied_names(captured.tree, given, scope), scope)
    for node in walk(captured.tree.body):
        if isinstance(node, gast.Raise) and node.exc is not None and varied.of(node.exc):
            return True
        if isinstance(node, gast.Call):
            operation = scope.operation(node)
            if operation.kind == "function" and again(operation.fn, node, varied):
                return True
    return False


def given_varied(captured: Captured, node: gast.Call, active: Callable[[gast.expr], bool]) -> tuple[str, ...]:
    """The parameters of a function that a call gives what carries a derivative."""
    bound = bind(captured, node)
    if bound is not None:
        return tuple(name for name, value in bound.items() if active(value))
    return (*parameter_names(captured.tree), *starred_parameters(captured.tree)) \
        if any(active(one) for one in [*node.args, *(k.value for k in node.keywords)]) else ()


def reads_numbers(captured: Captured) -> bool:
    """A handler may read more than the text of what it has caught."""
    scope = Scope.of(captured)
    return any(_more_than_text(part, handler.name.id, scope)
               for handler in nodes_of(captured.tree, gast.ExceptHandler) if handler.name is not None
               for part in handler.body)


def _more_than_text(node: Any, name: str, scope: Scope) -> bool:
    """The exception of this name is read by something that is not about its text."""
    if isinstance(node, gast.Name):
        return bool(node.id == name)
    if isinstance(node, gast.Raise):
        parts = [one for one in (node.exc, node.cause) if not isinstance(one, gast.Name)]
    elif isinstance(node, gast.JoinedStr) or isinstance(node, gast.Call) \
            and scope.effects(node).gives in ("plain", "nothing"):
        parts = []                                         # a number that is read from a text is refused where it is
    else:
        parts = children(node)
    return any(_more_than_text(part, name, scope) for part in parts if part is not None)
