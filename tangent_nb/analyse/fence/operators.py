"""Operators, displays, attributes and indices of what carries a derivative."""
from __future__ import annotations

import enum
from typing import Any

import gast
import numpy as np

from ...syntax.nodes import is_literal, literal
from ...syntax.program import MISSING
from ..resolve import is_formatted
from ..taken import is_field, is_item, keys_of
from .state import Check
from .words import SIGNS, WORDS


def check_index(check: Check, node: Any) -> None:
    """An index, or a key, is a constant as far as derivatives go."""
    for part in keys_of(node):
        if check.active(part) and not is_field(part, check.scope):
            _constant(check, part, check.scope.value(node.value))


def check_key(check: Check, node: gast.expr) -> None:
    """A key is a constant as far as derivatives go."""
    if check.active(node):
        _constant(check, node)


def _constant(check: Check, node: gast.expr, of: Any = MISSING) -> None:
    """Refuse an index, or a key, that depends on what is differentiated; whether an item does, is known when it runs.
    of: what is indexed, where it is outside."""
    if of is np.r_ or of is np.c_:
        check.refuse(node, "np.r_ and np.c_ are differentiated of numbers, arrays and ranges, "
                     "written one after another, and of nothing else", "np.concatenate of a list of arrays")
        return
    if is_item(node, check.items):
        return
    check.refuse(node, f"an index or a key has no derivative, and this one depends on {check.differentiated(node)}",
                 f"int({check.text(node)}), or tnb.stop_gradient({check.text(node)})")


def check_operation(check: Check, node: Any, place: Any) -> None:
    """An operation without a derivative, or one that would join lists. place: where it stands in the text."""
    operation = check.scope.operation(node)
    if isinstance(node, (gast.Dict, gast.Set)):
        _display(check, node, place)
        return
    if isinstance(node, gast.Attribute):
        if operation.kind == "unknown" and check.active(node.value):
            method = callable(getattr(np.ndarray, node.attr, None))
            check.refuse(place, f"{check.text(node)} is a method, and is not called here" if method else operation.why,
                         f"a call of it where it is needed: {check.text(node)}(...)" if method
                         else "a function of NumPy of the array")
        return
    operands = [node.operand] if isinstance(node, gast.UnaryOp) else [node.left, node.right]
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)) \
            and any(map(check.active, operands)) and any(isinstance(o, (gast.List, gast.Tuple)) for o in operands):
        shown = check.text(next(o for o in operands if isinstance(o, (gast.List, gast.Tuple))))
        check.refuse(place, "this joins or repeats lists, or computes with arrays: "
                     "which of them is not known before the function runs",
                     f"for arrays np.array({shown}), for lists a list of all items: [..., *a]")
        return
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not) or is_formatted(node):
        return
    if operation.kind == "plain" and any(check.active(o) for o in operands):
        sign = SIGNS.get(type(node.op).__name__, type(node.op).__name__)
        check.refuse(place, f"the operator {sign} is for integers and truth values, and has no derivative",
                     _of_integers(check, node, sign))


def _of_integers(check: Check, node: Any, sign: str) -> str:
    """`int(x) & int(y)` for `x & y`."""
    if isinstance(node, gast.UnaryOp):
        return f"{sign}int({check.text(node.operand)}), or of truth values np.logical_not"
    truth = {"&": "np.logical_and", "|": "np.logical_or", "^": "np.logical_xor"}.get(sign)
    return f"int({check.text(node.left)}) {sign} int({check.text(node.right)})" \
        + (f", or of truth values {truth}" if truth else "")


def _display(check: Check, node: Any, place: Any) -> None:
    """A dict or set as it is written: each of its values has a place of its own."""
    if isinstance(node, gast.Set) and any(map(check.active, node.elts)):
        check.refuse(place, WORDS["SetComp"][0], "a list or a tuple")
    keys = [key for key in getattr(node, "keys", []) if key is not None]
    known = [literal(key, None) for key in keys if is_literal(key)]
    members = [check.scope.value(key) for key in keys if not is_literal(key)]
    known += [member for member in members if isinstance(member, enum.Enum)]
    if any(map(check.active, getattr(node, "values", []))) \
            and (any(one == other for i, one in enumerate(known) for other in known[:i])
                 or len(keys) > 1 and len(known) < len(keys)):
        check.refuse(place, "two keys of this dict may be the same, and the first value is lost then",
                     "the items one by one: d[key] = value")
    for key in keys_of(node) if isinstance(node, gast.Dict) else ():
        check_key(check, key)


def is_object(check: Check, node: Any) -> bool:
    """A dtype is that of Python's objects."""
    value = node.value if isinstance(node, gast.Constant) else check.scope.value(node)
    try:
        return isinstance(value, (type, str, np.dtype)) and np.dtype(value).kind == "O"
    except TypeError:                                      # NumPy says so when it is called
        return False
