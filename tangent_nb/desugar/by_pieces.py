"""Calls of NumPy that take functions, or lists of axes, as what they stand for.

Needs a call whose lists are written out. Promises stores where the conditions say, and subscripts as a text:

    np.piecewise(x, [x < 0.0], [f, 1.0])          →      y = np.zeros_like(x); y[c] = f(x[c]); y[~c] = 1.0        y
    np.einsum(x, [0, 1], y, [1, 2], [0, 2])       →      np.einsum("AB,BC->AC", x, y)
"""
from __future__ import annotations

import string
from typing import Any

import gast
import numpy as np

from ..syntax.nodes import clone, constant, is_literal, library, literal, load, mark, subscript, unparse
from . import functions
from .state import State

LETTERS = string.ascii_uppercase + string.ascii_lowercase          # in the order in which einsum sorts them


def called(desugar: State, node: gast.Call) -> Any:
    """What to write for the call, where something in it is differentiated."""
    fn = desugar.object(node.func)
    if fn is np.einsum and _has_lists(node) and any(map(desugar.carries, node.args)):
        return _subscripts(desugar, node)
    if fn is np.piecewise and _is_written(desugar, node) and any(map(desugar.carries, [node.args[0], *node.args[2].elts])):
        return _pieces(desugar, node)
    return None


def _has_lists(node: gast.Call) -> bool:
    """`np.einsum(x, [0, 1], ...)`, the lists of small numbers and `...`."""
    lists: Any = [*node.args[1::2], *(node.args[-1:] if len(node.args) % 2 else [])]
    return len(node.args) > 1 and not node.keywords and all(
        isinstance(one, (gast.List, gast.Tuple)) and all(is_literal(n) and (literal(n) is ... or type(literal(n)) is int
                                                                            and 0 <= literal(n) < len(LETTERS)) for n in one.elts)
        for one in lists)


def _subscripts(desugar: State, node: gast.Call) -> gast.expr:
    def text(axes: Any) -> str:
        return "".join("..." if literal(n) is ... else LETTERS[literal(n)] for n in axes.elts)

    count = len(node.args) // 2 * 2
    subscripts = ",".join(map(text, node.args[1:count:2])) + ("->" + text(node.args[-1]) if len(node.args) > count else "")
    made: Any = library("np.einsum(s)", s=constant(subscripts))
    made.args += desugar.operands(node.args[:count:2])
    return gast.copy_location(made, node)


def _is_written(desugar: State, node: gast.Call) -> bool:
    """The conditions and the functions, or numbers, are written out; there may be one more of these."""
    if len(node.args) != 3 or node.keywords or not all(isinstance(one, (gast.List, gast.Tuple)) for one in node.args[1:]):
        return False
    tests, values = node.args[1].elts, node.args[2].elts
    return len(tests) > 0 and len(values) - len(tests) in (0, 1) and all(functions.is_value(desugar, one) or is_literal(one) for one in values)


def _pieces(desugar: State, node: gast.Call) -> gast.expr:
    tests, values = node.args[1].elts, node.args[2].elts
    x = load(desugar.kept(library("np.asarray(x)", x=desugar.expr(node.args[0])), "points"))
    shown = unparse(node.args[0])
    desugar.emit(mark(gast.Expr(library("rt.check_pieces(x, n)", x=clone(x), n=constant(shown))), role="guard", note="guard"))
    masks = [load(desugar.kept(desugar.expr(test), "mask")) for test in tests]
    y = load(desugar.kept(library("np.zeros_like(x)", x=clone(x)), "pieces"))
    if len(values) > len(tests):
        either = clone(masks[0])
        for mask in masks[1:]:
            either = library("np.logical_or(c, d)", c=either, d=clone(mask))
        masks.append(load(desugar.kept(library("np.logical_not(c)", c=either), "mask")))
    for mask, value in zip(masks, values, strict=True):
        piece = gast.Call(value, [subscript(clone(x), clone(mask))], []) if functions.is_value(desugar, value) else value
        target = gast.Subscript(clone(y), clone(mask), gast.Store())
        desugar.statement(desugar.placed(gast.Assign([target], piece, None)))
    return y


