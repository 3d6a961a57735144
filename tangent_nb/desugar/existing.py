"""Functions that are there when a text is read: of modules, methods of objects, partials, what is cached, objects that can be called.

Needs an object, and the expression that means it. Promises the function that runs when it is called, and what it is bound to.

    model.loss                 loss of the class of model, bound to model
    partial(f, 2.0)            f, bound to 2.0
    lru_cache(f)               f
"""
from __future__ import annotations

import functools
import types
from dataclasses import replace
from typing import Any

import gast

from ..syntax.nodes import clone, load
from ..syntax.program import MISSING
from .state import State
from .values import FunctionValue, has_row, is_cached, is_user_object, member_of


def of_object(desugar: State, value: Any, node: gast.expr) -> FunctionValue | None:
    """A function that is there now, under an expression that means it."""
    if has_row(value) or isinstance(value, types.FunctionType):
        if isinstance(value, types.FunctionType) and not has_row(value):
            desugar.assume(node, value)
        if desugar.namespace.resolve(node, desugar.local) is value:
            return FunctionValue(value, node)
        desugar.assume(node, value)                        # an attribute of an object
        return FunctionValue(value, desugar.cell(value, node.attr if isinstance(node, gast.Attribute) else "function"))
    if isinstance(value, types.MethodType):
        through = isinstance(node, gast.Attribute) and desugar.object(node.value) is value.__self__
        base = node.value if through else desugar.cell(value.__self__, "self")
        return _method(desugar, value.__func__, base, node)
    if isinstance(value, functools.partial):
        desugar.assume(node, value)
        inner = of_object(desugar, value.func, desugar.cell(value.func, getattr(value.func, "__name__", "function")))
        if inner is None:
            return None
        first = tuple(desugar.known(v, "argument") for v in value.args)
        keywords = tuple((k, desugar.known(v, "argument")) for k, v in value.keywords.items())
        return replace(inner, first=(*inner.first, *first), keywords=(*inner.keywords, *keywords))
    if is_cached(value):
        desugar.assume(node, value)
        return of_object(desugar, value.__wrapped__, desugar.cell(value.__wrapped__, value.__wrapped__.__name__))
    if is_user_object(value):
        found = member_of(type(value), "__call__")
        if found is not None and found[0] == "method":
            return _method(desugar, found[1], node, gast.Attribute(clone(node), "__call__", gast.Load()))
    return None


def _method(desugar: State, fn: Any, base: gast.expr, path: gast.expr) -> FunctionValue:
    """A method as a function of its object."""
    desugar.assume(path, fn)
    return FunctionValue(fn, desugar.cell(fn, fn.__name__.strip("_")), (base,))


def method_value(desugar: State, node: Any) -> FunctionValue | None:
    """`obj.method`, where the object is known."""
    if not isinstance(node, gast.Attribute):
        return None
    base = desugar.object(node.value)
    if base is MISSING or isinstance(base, (types.ModuleType, type)) or not is_user_object(base) \
            or node.attr in getattr(base, "__dict__", {}):
        return None
    found = member_of(type(base), node.attr)
    if found is None or found[0] == "property":
        return None
    if found[0] == "method":
        return _method(desugar, found[1], node.value, node)
    desugar.assume(node, found[1])
    first = (desugar.cell(type(base), type(base).__name__),) if found[0] == "class" else ()
    return FunctionValue(found[1], desugar.cell(found[1], found[1].__name__), first)


def bound_method(desugar: State, node: Any) -> FunctionValue | None:
    """`obj.method` of an object that is made here."""
    if not (isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) and node.value.id in desugar.objects):
        return None
    value = desugar.objects[node.value.id]
    found = member_of(value.kind, node.attr)
    if found is None or found[0] == "property" or value.path is not None:
        return None
    first: tuple[gast.expr, ...] = (load(value.prefix),) if found[0] == "method" else ()
    if found[0] == "class":
        first = (desugar.cell(value.kind, value.kind.__name__),)
    return FunctionValue(found[1], desugar.cell(found[1], node.attr), first)
