"""What a function of the user may change of what it is given, where it is not clean: by parameter.

Needs its text in the core language. Promises that a call leaves alone the memory of the arguments of all other
parameters, and that nothing outside holds them afterwards.

    def to_domain(a, scale):                 a: np.asarray may give the caller's array; not scale
        a = np.asarray(a)
        if DOMAIN == "1":
            a *= scale
        return a
    def chosen(method):                      nothing: what it changes lies outside, and is asked for there
        return method or first_found()       (`fence/outside.py`)

It is a question of what belongs together, as in `returned.py`.
"""
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast

from ..syntax.blocks import statements
from ..syntax.nodes import body_without_docstring, nodes_of, walk
from ..syntax.program import MISSING, Captured
from .effects import is_opaque
from .rebound import bound_once
from .resolve import Scope
from .returned import OUTSIDE, STATEMENTS, UNKNOWN, Asked, Belonging

CHANGED = "<changed>"


def changed_parameters(captured: Captured, called: Asked, clean: Callable[[Any], bool],
                       changed: Callable[[gast.Call, Any], list[Any]]) -> frozenset[str] | None:
    """The parameters of whose arguments a call may change something, or keep it outside; None where that may be all.
    called: whose memory the value of a call may share; changed: what another call in the text may change."""
    captured = bound_once(captured)
    body = body_without_docstring(captured.tree)
    if not all(isinstance(stmt, (*STATEMENTS, gast.Global)) for stmt in statements(body)) \
            or any(isinstance(node, (*UNKNOWN, gast.Lambda)) for node in walk(body)):
        return None
    text, scope = Belonging(captured, called, body, results=False), Scope.of(captured)
    if any(isinstance(node, gast.Call) and is_opaque(node, scope, clean) and _may_do_all(node, scope)
           for node in walk(body)):
        return None
    outside = {name for node in nodes_of(body, gast.Global) for name in node.names}
    text.whole.join([CHANGED, OUTSIDE, *sorted(outside)])
    for node in walk(body):
        for one in changed_at(node, scope, clean, changed):
            text.whole.join([CHANGED, *(name for name, _ in text.links(one))])
    return frozenset(text.returned([CHANGED]).given)


def _may_do_all(node: gast.Call, scope: Scope) -> bool:
    """What is called is not known, nor of an object that is given, or it finds what it changes by its name: eval."""
    fn = scope.value(node.func)
    by_name = fn is MISSING and isinstance(node.func, gast.Attribute)
    return not (by_name or isinstance(fn, (types.FunctionType, type)))


def changed_at(node: Any, scope: Scope, clean: Callable[[Any], bool],
             changed: Callable[[gast.Call, Any], list[Any]]) -> list[Any]:
    """The expressions whose memory is changed at a node, or may be."""
    if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
        return [node.value]
    if isinstance(node, gast.AugAssign):
        return [node.target]
    if isinstance(node, gast.withitem) and not isinstance(node.context_expr, gast.Call):
        return [node.context_expr]                         # it is entered, and left
    if isinstance(node, gast.Call) and is_opaque(node, scope, clean):
        return changed(node, scope.value(node.func))
    return []
