"""`np.r_` and `np.c_` as the concatenations that they are.

    np.r_[0.0, x, y]          →      np.concatenate((np.atleast_1d(0.0), np.atleast_1d(x), np.atleast_1d(y)))
    np.c_[x, y]               →      np.concatenate((np.atleast_2d(x.T).T, np.atleast_2d(y.T).T), axis=-1)
    np.r_[x]                  →      rt.row_of(x)        # which may be a tuple of items

Ranges are `np.arange`. A text that says how to join, and a range with an imaginary step, stay as they are.
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from ..analyse.resolve import Scope
from ..syntax.building import clone, constant, exchanged, library, tuple_of
from ..syntax.nodes import nodes_of, walk, writes
from ..syntax.program import Captured
from .scopes import located

ALONE = (gast.Name, gast.Attribute, gast.Subscript, gast.Call, gast.BinOp)


def written_out(tree: gast.FunctionDef, captured: Captured) -> gast.FunctionDef:
    """The text with the concatenations in it written so; the same text where there are none."""
    found = [node for node in nodes_of(tree, gast.Subscript) if isinstance(node.ctx, gast.Load)
             and isinstance(node.slice, (gast.Tuple, *ALONE)) and isinstance(node.value, gast.Attribute | gast.Name)]
    if not found:
        return tree
    scope = Scope(captured.namespace, writes(tree))
    for node in found:
        joined = _joined(node, scope.value(node.value))
        if joined is not None:
            new = exchanged(tree, {id(node): located(joined, node)})
            return written_out(new, captured)              # one of them may stand in another
    return tree


def _joined(node: Any, of: Any) -> gast.expr | None:
    if of is not np.r_ and of is not np.c_:
        return None
    if not isinstance(node.slice, gast.Tuple):
        return library("rt.column_of(x)" if of is np.c_ else "rt.row_of(x)", x=node.slice)
    if all(isinstance(one, (gast.Slice, gast.Constant, gast.UnaryOp)) for one in node.slice.elts):
        return None                                        # of numbers and ranges alone, it is a constant
    items = [_item(one, of is np.c_) for one in node.slice.elts]
    if not items or any(one is None for one in items):
        return None
    whole: Any = tuple_of([one for one in items if one is not None])
    return library("np.concatenate(items, axis=-1)" if of is np.c_ else "np.concatenate(items)", items=whole)


def _item(node: Any, column: bool) -> gast.expr | None:
    """One item as an array that can be joined; None where it is not known to be an item."""
    if isinstance(node, gast.Starred) or isinstance(node, gast.Constant) and not isinstance(node.value, (int, float)):
        return None
    if isinstance(node, gast.Slice):
        bounds = [node.lower or constant(0), node.upper, *([node.step] if node.step is not None else [])]
        if node.upper is None \
                or any(isinstance(part, gast.Constant) and isinstance(part.value, complex) for part in walk(bounds)):
            return None
        node = gast.Call(library("np.arange"), [clone(one) for one in bounds], [])
    return library("np.transpose(np.atleast_2d(np.transpose(x)))" if column else "np.atleast_1d(x)", x=node)
