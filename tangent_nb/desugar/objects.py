"""Which objects of a text become variables, and where they stand.

Needs the classes and objects that the text sees. Promises whether an object of a class can be replaced by its attributes, whether an expression
has such an object in it, and the refusal of one that is used as a value.

    constructs(Point)              its text is there, and nothing of it is hidden
    mentions(desugar, node)        `p.x + 1`, `Point(x, y).norm()`
"""
from __future__ import annotations

import dataclasses
import inspect
import types
from typing import Any

import gast

from ..errors import RefusedError
from ..syntax.program import MISSING
from .state import State
from .values import LIBRARIES, ObjectValue, is_user_object


def constructs(value: Any) -> bool:
    """Calling a value makes an object of a class whose text is there."""
    if not isinstance(value, type) or value.__module__.partition(".")[0] in (*LIBRARIES, "collections", "types", "abc"):
        return False
    if type(value) is not type and type(value).__call__ is not type.__call__:
        return False
    if issubclass(value, (BaseException, list, dict, set, str, int, float)):
        return False
    if issubclass(value, tuple):
        return hasattr(value, "_fields") and "__new__" in vars(value) or hasattr(value, "_fields")
    made = inspect.getattr_static(value, "__init__")
    if inspect.getattr_static(value, "__new__") is not object.__new__ and not isinstance(inspect.getattr_static(value, "__new__"), staticmethod):
        return False
    if hasattr(value, "__enter__"):
        return False
    plain = (types.FunctionType, property, staticmethod, classmethod, types.MemberDescriptorType, types.GetSetDescriptorType)
    if any(hasattr(type(one), "__get__") and not isinstance(one, plain) and not isinstance(one, type)
           for kind in value.__mro__[:-1] if kind is not tuple for one in vars(kind).values()):
        return False
    if any({"__new__", "__getattr__", "__getattribute__", "__del__"} & set(vars(kind)) or "__setattr__" in vars(kind) and not frozen(kind)
           for kind in value.__mro__[:-1]):
        return False
    return dataclasses.is_dataclass(value) or isinstance(made, types.FunctionType) or made is object.__init__


def frozen(kind: type) -> bool:
    """A dataclass whose attributes are not written again."""
    params = getattr(kind, "__dataclass_params__", None)
    return params is not None and params.frozen


def fields_of(kind: Any) -> tuple[str, ...]:
    """The names of the items of a named tuple."""
    return tuple(kind._fields)


def outside(desugar: State, node: Any) -> ObjectValue | None:
    """The object of a class of the user that a path means now."""
    value = desugar.object(node) if isinstance(node, (gast.Name, gast.Attribute)) else MISSING
    return ObjectValue(type(value), "", {}, node) if value is not MISSING and is_user_object(value) else None


def value_of(desugar: State, node: Any) -> ObjectValue | None:
    """The object that an evaluated expression means."""
    if isinstance(node, gast.Name) and node.id in desugar.objects:
        return desugar.objects[node.id]
    return outside(desugar, node)


def touches(desugar: State, node: Any) -> bool:
    """An expression has an object among its direct operands, as it is written."""
    if isinstance(node, gast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, gast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, gast.Compare):
        parts = [node.left]
    elif isinstance(node, (gast.Subscript, gast.Attribute)):
        parts = [node.value]
    elif isinstance(node, gast.Call):
        parts = [*node.args, node.func]
    else:
        return False
    return any(value_of(desugar, part) is not None for part in parts)


def mentions(desugar: State, node: Any) -> bool:
    """An object that is made here stands in an expression, or is made in it, or a function that is bound to one."""
    for part in gast.walk(node):
        if isinstance(part, gast.Name) and (part.id in desugar.objects or part.id in desugar.functions and any(
                isinstance(one, gast.Name) and one.id in desugar.objects for one in desugar.functions[part.id].bound)):
            return True
        if isinstance(part, gast.Call) and isinstance(part.func, (gast.Name, gast.Attribute)) and constructs(desugar.object(part.func)) \
                and desugar.object(part.func) not in desugar.whole:
            return True
    return False


class EscapeError(RefusedError):
    """An object is used as a value: it has to stay an object. kind: its class."""

    def __init__(self, refused: RefusedError, value: ObjectValue) -> None:
        super().__init__(refused.name, refused.refusals)
        self.kind = value.kind


def escaped(desugar: State, node: Any, value: ObjectValue) -> EscapeError:
    """The refusal of an object that is used as a value."""
    why = f"an object of class {value.kind.__name__} is used as a value here: of such objects only the attributes and methods are differentiated"
    return EscapeError(desugar.refused(node, why, "numbers, arrays, or an object of a plain dataclass or a named tuple"), value)
