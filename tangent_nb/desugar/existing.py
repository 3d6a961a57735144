"""Functions that are there when a text is read: of modules, methods of objects, partials, what is cached,
objects that can be called.

Needs an object, and the expression that means it. Promises the function that runs when it is called,
and what it is bound to.

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
import numpy as np

from ..analyse.caches import may_run_again, tells_apart
from ..analyse.resolve import Scope
from ..errors import RefusedError
from ..syntax.building import clone, library
from ..syntax.program import Captured
from . import objects
from .state import State
from .values import FunctionValue, has_row, is_cached, is_user_object, member_of


def of_object(desugar: State, value: Any, node: gast.expr) -> FunctionValue | None:
    """A function that is there now, under an expression that means it."""
    if has_row(value) or isinstance(value, types.FunctionType):
        by_name = desugar.namespace.resolve(node, desugar.local) is value
        if not by_name or not has_row(value):              # an attribute of an object, or a function of the user
            desugar.assume(node, value)
        elif (part := desugar.unsettled(node)) is not None:
            desugar.assume(*part)
        return FunctionValue(value, node if by_name else desugar.cell(value, getattr(node, "attr", "function")))
    if isinstance(value, types.MethodType):
        through = isinstance(node, gast.Attribute) and desugar.object(node.value) is value.__self__
        if not through:
            desugar.assume(gast.Attribute(clone(node), "__self__", gast.Load()), value.__self__)
        base = node.value if through else desugar.cell(value.__self__, "self")
        return _method(desugar, value.__func__, base, node)
    if isinstance(value, functools.partial):
        desugar.assume(node, value)
        inner = of_object(desugar, value.func, desugar.cell(value.func, getattr(value.func, "__name__", "function")))
        if inner is None:
            return None
        first = tuple(desugar.known(v, "argument") for v in value.args)
        keywords = tuple((k, desugar.known(v, "argument")) for k, v in value.keywords.items())
        return replace(inner, first=(*inner.first, *first), keywords=(*inner.keywords, *keywords), itself=None)
    if is_cached(value):
        text = _text(desugar, value.__wrapped__)
        if text is None or not may_run_again(text.tree.body, Scope.of(text), lambda fn: _text(desugar, fn)) \
                or tells_apart(desugar.tree, Scope(desugar.namespace, desugar.local)):
            return None
        desugar.assume(node, value)
        kept = of_object(desugar, value.__wrapped__, desugar.cell(value.__wrapped__, value.__wrapped__.__name__))
        if kept is not None:
            desugar.texts.caching.add(kept.fn)
        return None if kept is None else replace(kept, itself=node)
    if is_user_object(value):
        found = member_of(type(value), "__call__")
        if found is not None and found[0] == "method":
            called = _method(desugar, found[1], node, gast.Attribute(clone(node), "__call__", gast.Load()))
            return replace(called, itself=node)
    return None


def _text(desugar: State, fn: Any) -> Captured | None:
    try:
        return desugar.texts.unit(fn).captured
    except RefusedError:
        return None


def of_argument(desugar: State, fn: Any, node: Any) -> FunctionValue:
    """A function that is held by an argument, and is this one wherever the text runs."""
    name = getattr(fn, "__name__", "")
    if getattr(np, name, None) is fn and has_row(fn):
        return FunctionValue(fn, library(f"np.{name}"))
    func = desugar.cell(fn, getattr(node, "attr", getattr(node, "id", "function")))
    if not has_row(fn):
        desugar.assume(func, fn)
    return FunctionValue(fn, func)


def _method(desugar: State, fn: Any, base: gast.expr, path: gast.expr) -> FunctionValue:
    """A method as a function of its object."""
    desugar.assume(path, fn)
    return FunctionValue(fn, desugar.cell(fn, fn.__name__.strip("_")), (base,))


def method_of(desugar: State, node: Any) -> FunctionValue | None:
    """`obj.method`, evaluated, of an object that is there, or made here."""
    value = objects.value_of(desugar, node.value) if isinstance(node, gast.Attribute) else None
    found = None if value is None else member_of(value.kind, node.attr)
    if value is None or found is None or found[0] == "property" or node.attr in value.attributes:
        return None
    if value.path is not None:
        if node.attr in getattr(desugar.object(value.path), "__dict__", {}):
            return None
        desugar.assume_member(value.path, value.kind, node.attr, found[1])
    first = (node.value,) if found[0] == "method" \
        else (desugar.cell(value.kind, value.kind.__name__),) if found[0] == "class" else ()
    return FunctionValue(found[1], desugar.cell(found[1], node.attr.strip("_")), first)
