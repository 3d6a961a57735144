"""What in a text speaks for an array, where no fact says whether a name is one or a number.

Needs a body as the user wrote it. Promises nothing but signs: what is taken for an array because of them is checked
when it is run.

    u = x * 2.0            u is computed from x, of which parts are taken: an array
    s = x[0]
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from ..analyse.kinds import index_parts
from ..analyse.resolve import Scope
from ..rules.reductions import combines
from ..syntax.blocks import statements
from ..syntax.closure import closure
from ..syntax.nodes import nodes_of, taken_of, target_names, walk
from .parts import is_all, is_filler

WHOLE = (len, sum, np.sum, np.mean, np.prod, np.max, np.min, np.std, np.var, np.linalg.norm)


def computed_from(body: Sequence[gast.stmt], names: set[str]) -> set[str]:
    """Names, and those that they are computed from by arithmetic: `x` for `u = x * 2.0`."""
    return closure(names, lambda found: {name for stmt in statements(body) if isinstance(stmt, gast.Assign) and found
                                         & set(target_names(stmt.targets[0])) for name in _operands(stmt.value)})


def is_reduced(body: Sequence[gast.stmt], names: set[str], scope: Scope) -> bool:
    """The text takes sums or products of one of the names, as of an array."""
    for node in walk(body):
        operation = scope.operation(node) if isinstance(node, (gast.Call, gast.BinOp)) else None
        combined = operation is not None and operation.rule is not None and combines(operation.rule)
        operands = operation.args.values() if operation is not None and combined else ()
        if any(_operands(operand) & names for operand in operands):
            return True
    return False


def is_whole(body: Sequence[gast.stmt], name: str, scope: Scope) -> bool:
    """The text takes a sum of it, or its shape, or multiplies it as a matrix."""
    def means(node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id == name

    for node in walk(body):
        if isinstance(node, gast.Attribute) and means(node.value):
            return True
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult) \
                and (means(node.left) or means(node.right)):
            return True
        if isinstance(node, gast.Call) and any(map(means, node.args[:2])):
            fn = scope.value(node.func)
            if fn is np.dot or means(node.args[0]) and any(fn is one for one in WHOLE):
                return True
    return False


def is_array(body: Sequence[gast.stmt], name: str, scope: Scope) -> bool:
    """The text takes parts of it, or all of it, as of an array."""
    return is_whole(body, name, scope) or has_parts(body, {name}, 1)


def is_operand(value: gast.expr, name: str) -> bool:
    """A value computes with a name as with a number, if at all: it takes no part of it, and calls nothing with it."""
    return not any(isinstance(node, gast.Name) and node.id == name
                   for part in nodes_of(value, gast.Call, gast.Subscript, gast.Attribute) for node in walk(part))


def has_parts(body: Sequence[gast.stmt], names: set[str], axes: int) -> bool:
    """The text takes parts of one of the names, by so many indices."""
    for node in walk(body):
        base = taken_of(node)
        if isinstance(base, gast.Name) and base.id in names and (isinstance(node, gast.Subscript) and (
                len([one for one in index_parts(node.slice) if not is_filler(one)]) >= axes
                or axes == 1 and is_all(node.slice)) or isinstance(node, gast.Call) and axes == 1):
            return True
    return False


def _operands(node: Any) -> set[str]:
    """The names that arithmetic computes with."""
    if isinstance(node, gast.BinOp):
        return _operands(node.left) | _operands(node.right)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
            and node.func.attr.endswith(("_like", "copy")):
        return _operands(node.args[0] if node.args else node.func.value)
    return {node.id} if isinstance(node, gast.Name) else set()
