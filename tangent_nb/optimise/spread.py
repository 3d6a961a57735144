"""What a reduction has taken away, given back by broadcasting.

Needs `rt.unreduce(v, x, axis)`, where it meets what has the shape and dtype of x: another operand, or what it is added
to. Promises the same values, without an array of that shape made for it: `v[:, None]`, or `v` itself where that has
kept its axes, or lost the first. The second line is that of the text for all arguments:

>>> import numpy as np
>>> import tangent_nb as tnb
>>> def f(x):
...     return np.sum(np.sum(np.sin(x), axis=1) ** 2)
>>> text = tnb.source(tnb.grad(f, like=(np.ones((3, 2)),)))
>>> [line.strip() for line in text.splitlines() if line.startswith("    bx =")]
['bx = (2.0 * total)[:, None] * np.cos(x)', 'bx = rt.unreduce(2.0 * total, sin, 1) * np.cos(x)']
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..syntax.building import constant, tuple_of
from ..syntax.nodes import dotted, literal
from ..syntax.spec import Spec

MEETS = (gast.Mult, gast.Add, gast.Sub, gast.Div)


def spread(reduced: Any, other: gast.expr, spec_of: Callable[[gast.expr], Spec]) -> gast.expr | None:
    """What stands for `rt.unreduce(v, x, axis)` beside another one; None where it has to be made."""
    if not isinstance(reduced, gast.Call) or dotted(reduced.func) != "%rt.unreduce" or len(reduced.args) not in (3, 4):
        return None
    x, y = spec_of(reduced.args[1]), spec_of(other)
    if x.shape is None or x.shape != y.shape or x.dtype is None or x.dtype != y.dtype:
        return None
    value, axis = reduced.args[0], literal(reduced.args[2], None)
    if len(reduced.args) == 4 and literal(reduced.args[3], None) is True:
        return value
    if x.rank is None or len(reduced.args) == 4 or type(axis) is not int or not -x.rank <= axis < x.rank \
            or spec_of(value).rank != x.rank - 1:
        return None
    if axis % x.rank == 0:
        return value
    index: list[gast.expr] = [gast.Slice(None, None, None) for _ in range(x.rank)]
    index[axis % x.rank] = constant(None)
    return gast.Subscript(value, tuple_of(index), gast.Load())


def spread_operands(node: gast.BinOp, spec_of: Callable[[gast.expr], Spec]) -> gast.BinOp | None:
    """An operation of which an operand has been spread."""
    if not isinstance(node.op, MEETS):
        return None
    if (left := spread(node.left, node.right, spec_of)) is not None:
        return gast.BinOp(left, node.op, node.right)
    right = spread(node.right, node.left, spec_of)
    return None if right is None else gast.BinOp(node.left, node.op, right)
