"""Which method of which operand Python calls for an operator.

Needs evaluated operands, one of which is an object of a class that is known. Promises the body of the method in the
place of the operation: that of the left operand, then the reflected one of the right operand, which comes first where
its class is made from that of the left one; the next where one returns NotImplemented.

    p + q                   →        what Point.__add__(p, q) returns
    2.0 * p                 →        what Point.__rmul__(p, 2.0) returns
"""
from __future__ import annotations

import enum
import inspect
from typing import Any

import gast

from ..syntax.building import clone, constant, library, load
from ..syntax.nodes import nodes_in
from . import inlining
from .objects import escaped, value_of
from .state import State
from .values import ObjectValue, member_of

BINARY = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Pow": "pow", "MatMult": "matmul", "Mod": "mod",
          "FloorDiv": "floordiv",
          "BitOr": "or", "BitAnd": "and", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift"}
COMPARED = {"Lt": "__lt__", "LtE": "__le__", "Gt": "__gt__", "GtE": "__ge__", "Eq": "__eq__", "NotEq": "__ne__"}
REFLECTED = {"Lt": "Gt", "LtE": "GtE", "Gt": "Lt", "GtE": "LtE"}


def binary(desugar: State, node: gast.BinOp) -> gast.expr | None:
    """`p + q`; None where no method of theirs is known."""
    name = BINARY[type(node.op).__name__]
    left, right = value_of(desugar, node.left), value_of(desugar, node.right)
    first, second = f"__{name}__", f"__r{name}__"
    asked = [(node.left, left, first, node.right)]
    if right is not None and (left is None or left.kind is not right.kind):
        reflected = (node.right, right, second, node.left)
        own = inspect.getattr_static(right.kind, second, None)
        before = left is not None and issubclass(right.kind, left.kind) \
            and own is not inspect.getattr_static(left.kind, second, None)
        asked.insert(0 if before else 1, reflected)
    return _first(desugar, node, asked)


def compared(desugar: State, node: gast.Compare) -> gast.expr | None:
    """`p < q`; None where no method of theirs is known."""
    kind = type(node.ops[0]).__name__
    name = COMPARED.get(kind, "")
    if not name:
        return None
    other = node.comparators[0]
    left, right = value_of(desugar, node.left), value_of(desugar, other)
    asked = [(node.left, left, name, other)]
    if right is not None:
        before = left is not None and left.kind is not right.kind and issubclass(right.kind, left.kind)
        asked.insert(0 if before else 1, (other, right, COMPARED[REFLECTED.get(kind, kind)], node.left))
    return _first(desugar, node, asked)


def _first(desugar: State, node: Any, asked: list[tuple[Any, ObjectValue | None, str, Any]]) -> gast.expr | None:
    """The first of these methods that gives a value."""
    for base, value, name, other in asked:
        if value is None or not _written(value.kind, name):
            continue
        if base is not node.left and not _defers(value.kind):
            other = _no_array(desugar, other, value)
        made = dunder(desugar, base, value, name, [other])
        if made is None:
            return None     # it is there, and cannot be read: the next one is not what Python calls
        if not is_missing(made):
            return made
    return None


def _defers(kind: type) -> bool:
    """Arrays leave an operation to objects of a class as a whole;
    else they call its reflected method for each of their items."""
    return getattr(kind, "__array_ufunc__", True) is None or getattr(kind, "__array_priority__", 0.0) > 0.0


def _no_array(desugar: State, node: Any, value: ObjectValue) -> Any:
    """A left operand that is no object of ours, kept and checked to be no array."""
    if isinstance(node, gast.Constant) or value_of(desugar, node) is not None:
        return node
    left = node if isinstance(node, gast.Name) else load(desugar.kept(node, "left"))
    why = (f"the left operand is an array, and calls a method of {value.kind.__name__} for each item, "
           "which is not differentiated: put the object first, or write a loop")
    refused = gast.Raise(library("rt.TangentError(x)", x=constant(why)), None)
    desugar.emit(gast.If(library("isinstance(x, np.ndarray)", x=clone(left)), [refused], []))
    return left


def _written(kind: type, name: str) -> bool:
    """A class has a method of its own for an operator."""
    return inspect.getattr_static(kind, name, None) is not inspect.getattr_static(object, name, None)


def is_missing(node: Any) -> bool:
    """`NotImplemented`."""
    return isinstance(node, gast.Name) and node.id == "NotImplemented"


def dunder(desugar: State, base: Any, value: ObjectValue, name: str, args: list[Any]) -> gast.expr | None:
    """What the method of an operator gives, `NotImplemented` where it says so for certain;
    None where it cannot be read."""
    found = member_of(value.kind, name)
    if found is None or found[0] != "method" or not desugar.inlines(found[1]) \
            or value.path is not None and found[1].__module__ == enum.__name__:        # a member of an enumeration
        return None
    if value.path is not None:
        desugar.assume_member(value.path, value.kind, "__class__", value.kind)
    with desugar.before():
        made = inlining.inline(desugar, found[1], [base, *args], {})
        body: list[Any] = desugar.made
    said = [part for stmt in body for part in nodes_in(stmt) if is_missing(part)]
    last = body[-1] if body else None
    if said and len(said) == 1 and isinstance(last, gast.Assign) and last.value is said[0] \
            and isinstance(made, gast.Name) and [getattr(target, "id", None) for target in last.targets] == [made.id]:
        del (desugar.out or [])[-1:]
        return said[0]
    if said:
        raise escaped(desugar, desugar.place, value)
    return made
