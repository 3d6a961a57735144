"""Whether evaluating something does nothing but compute, as far as its text says: then it may be done earlier than
Python does it."""
from __future__ import annotations

import types
from typing import Any

import gast

from ..analyse.effects import is_pure_function
from ..errors import RefusedError
from ..rules import may_change
from ..syntax.nodes import nodes_in, writes
from . import functions
from .state import State
from .values import object_of

MORE = "the items are computed one by one, when it is their turn, and computing one may also change or print something"


def computes(desugar: State, node: Any, seen: tuple[Any, ...]) -> bool:
    """Evaluating an expression, or calling the function that it is, does nothing but compute."""
    if isinstance(node, gast.Lambda):
        return computes(desugar, node.body, seen)
    called = [part.func for part in nodes_in(node) if isinstance(part, gast.Call)]
    if not called and functions.is_value(desugar, node):
        called = [node]
    return not any(isinstance(part, (gast.NamedExpr, gast.Await)) for part in nodes_in(node)) \
        and all(_is_pure(desugar, one, seen) for one in called)


def _is_pure(desugar: State, func: Any, seen: tuple[Any, ...]) -> bool:
    fn: Any = desugar.functions[func.id].fn if isinstance(func, gast.Name) and func.id in desugar.functions \
        else desugar.object(func)
    if isinstance(func, gast.Lambda):
        return computes(desugar, func, seen)
    if is_pure_function(fn) or fn in seen:
        return True
    if isinstance(func, gast.Attribute) and not isinstance(fn, types.FunctionType):
        return not may_change(func.attr) and not isinstance(fn, types.BuiltinFunctionType)
    if not isinstance(fn, types.FunctionType) or len(seen) > 5:
        return isinstance(fn, type)
    try:
        unit = desugar.texts.unit_as_run(fn)
    except RefusedError:
        return False
    inside = [part for stmt in unit.captured.tree.body for part in nodes_in(stmt)]
    if any(isinstance(part, (gast.Global, gast.Nonlocal, gast.Yield)) for part in inside):
        return False
    known = {name: value.fn for name, value in unit.functions.items()}
    local = writes(unit.captured.tree) - known.keys()
    for part in inside:
        if isinstance(part, gast.Call):
            other = known[part.func.id] if isinstance(part.func, gast.Name) and part.func.id in known else \
                object_of(part.func, unit.captured.namespace, local)
            if not (is_pure_function(other) or other in (*seen, fn) or isinstance(part.func, gast.Attribute)
                    and not may_change(part.func.attr)):
                return False
    return True
