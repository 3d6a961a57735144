"""Methods and operators of objects, with the bodies of the methods in the places of their calls.

Needs a call or an operation, one of whose operands is an object of a class that is known. Promises what the method returns, after its body.

    p.norm()                →        np.sqrt(p_x * p_x + p_y * p_y)
    p + q                   →        what Point.__add__(p, q) returns
    super().__init__(x)     →        the body of __init__ of the class after this one
"""
from __future__ import annotations

import dataclasses
import types
from typing import Any

import gast

from ..errors import RefusedError
from ..syntax.nodes import clone, constant, load
from ..syntax.program import MISSING
from . import arguments, attributes, calls, inlining
from .objects import constructs, escaped, fields_of, mentions, outside, value_of
from .state import State
from .values import Meaning, ObjectValue, is_user_object, member_of

BINARY = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Pow": "pow", "MatMult": "matmul", "Mod": "mod", "FloorDiv": "floordiv"}
UNARY = {"USub": "__neg__", "UAdd": "__pos__"}
COMPARED = {"Lt": "__lt__", "LtE": "__le__", "Gt": "__gt__", "GtE": "__ge__", "Eq": "__eq__", "NotEq": "__ne__"}
CALLED = {len: "__len__", abs: "__abs__", float: "__float__"}


def called(desugar: State, node: gast.Call) -> Meaning | None:
    """A call that makes an object, or calls one or a method of one."""
    func = node.func
    value = desugar.object(func) if isinstance(func, (gast.Name, gast.Attribute)) else MISSING
    if isinstance(value, type) and constructs(value) and value not in desugar.whole:
        return Meaning(lambda: attributes.construct(desugar, value, node))
    if isinstance(func, gast.Attribute) and _super(desugar, func.value) is not None:
        return Meaning(lambda: _super_call(desugar, node))
    if isinstance(value, type) or not isinstance(func, (gast.Attribute, gast.Name)):
        return None
    if isinstance(func, gast.Name) and func.id in desugar.objects:
        return Meaning(lambda: _call_object(desugar, func, desugar.objects[func.id], node))
    if value is not MISSING and is_user_object(value) and member_of(type(value), "__call__") is not None:
        return Meaning(lambda: _call_object(desugar, func, ObjectValue(type(value), "", {}, func), node))
    if isinstance(func, gast.Attribute):
        base = outside(desugar, func.value)
        found = None if base is None else member_of(base.kind, func.attr)
        if found is not None and found[0] != "property" and func.attr not in getattr(desugar.object(func.value), "__dict__", {}):
            return Meaning(lambda: _method_call(desugar, node))
        if mentions(desugar, func.value):
            return Meaning(lambda: _method_call(desugar, node))
    return None


def _method_call(desugar: State, node: gast.Call) -> gast.expr:
    func: Any = node.func
    base = desugar.expr(func.value)
    value = value_of(desugar, base)
    if value is not None:
        made = _method(desugar, base, value, func.attr, node)
        if made is not None:
            return made
        if func.attr == "_replace" and issubclass(value.kind, tuple) and value.path is None:
            _, given = arguments.one_by_one(desugar, node)
            return attributes.built(desugar, value.kind, {n: given[n] if n in given else load(v) for n, v in value.attributes.items()})
        if func.attr in value.attributes:
            name = value.attributes[func.attr]
            return desugar.expr(gast.copy_location(gast.Call(gast.copy_location(load(name), func), node.args, node.keywords), node))
        if value.path is None:
            raise escaped(desugar, node, value)
        return calls.write(desugar, node)
    new = gast.copy_location(gast.Call(gast.copy_location(gast.Attribute(base, func.attr, gast.Load()), func), node.args, node.keywords), node)
    return desugar.expr(new)


def _method(desugar: State, base: Any, value: ObjectValue, name: str, node: gast.Call) -> gast.expr | None:
    """`obj.name(…)` with the body of the method in its place."""
    if name in value.attributes:
        return None
    found = member_of(value.kind, name)
    if found is None or found[0] == "property" or not desugar.inlines(found[1]):
        return None
    if value.path is not None:
        if name in getattr(desugar.object(base), "__dict__", {}):
            return None
        desugar.assume(gast.Attribute(clone(value.path), name, gast.Load()), found[1])
    args, keywords = arguments.one_by_one(desugar, node)
    first = {"method": [base], "class": [desugar.cell(value.kind, value.kind.__name__)], "static": []}[found[0]]
    return inlining.inline(desugar, found[1], [*first, *args], keywords)


def _call_object(desugar: State, base: Any, value: ObjectValue, node: gast.Call) -> gast.expr:
    found = member_of(value.kind, "__call__")
    if found is None or not desugar.inlines(found[1]):
        if value.path is None:
            raise escaped(desugar, node, value)
        return calls.write(desugar, node)
    if value.path is not None:
        desugar.assume(gast.Attribute(clone(value.path), "__call__", gast.Load()), found[1])
    args, keywords = arguments.one_by_one(desugar, node)
    return inlining.inline(desugar, found[1], [base, *args], keywords)


def operator(desugar: State, node: Any) -> gast.expr:
    """An operation on evaluated operands, one of which is an object, by the method of its class."""
    made: gast.expr | None = None
    if isinstance(node, gast.BinOp):
        left, right, name = value_of(desugar, node.left), value_of(desugar, node.right), BINARY.get(type(node.op).__name__, "")
        if left is not None and name:
            made = _dunder(desugar, node.left, left, f"__{name}__", [node.right])
        if made is None and right is not None and name:
            made = _dunder(desugar, node.right, right, f"__r{name}__", [node.left])
    elif isinstance(node, gast.UnaryOp) and (value := value_of(desugar, node.operand)) is not None and type(node.op).__name__ in UNARY:
        made = _dunder(desugar, node.operand, value, UNARY[type(node.op).__name__], [])
    elif isinstance(node, gast.Compare) and len(node.ops) == 1 and (value := value_of(desugar, node.left)) is not None:
        name = COMPARED.get(type(node.ops[0]).__name__, "")
        made = _dunder(desugar, node.left, value, name, [node.comparators[0]]) if name else None
    elif isinstance(node, gast.Subscript) and (value := value_of(desugar, node.value)) is not None and not isinstance(node.slice, gast.Slice):
        if issubclass(value.kind, tuple) and isinstance(node.slice, gast.Constant) and type(node.slice.value) is int:
            return load(value.attributes[fields_of(value.kind)[node.slice.value]])
        made = _dunder(desugar, node.value, value, "__getitem__", [node.slice])
    elif isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords and (value := value_of(desugar, node.args[0])) is not None:
        if desugar.object(node.func) is type:
            return desugar.cell(value.kind, value.kind.__name__)
        known = next((n for f, n in CALLED.items() if desugar.object(node.func) is f), None)
        made = _dunder(desugar, node.args[0], value, known, []) if known else None
    elif isinstance(node, gast.Call) and len(node.args) == 2 and desugar.object(node.func) is isinstance \
            and (value := value_of(desugar, node.args[0])) is not None:
        kinds = [desugar.object(k) for k in (node.args[1].elts if isinstance(node.args[1], gast.Tuple) else [node.args[1]])]
        if all(isinstance(kind, type) for kind in kinds):
            return constant(issubclass(value.kind, tuple(kinds)))
    elif isinstance(node, gast.Call) and desugar.object(node.func) is dataclasses.replace \
            and (value := value_of(desugar, node.args[0])) is not None and value.path is None:
        given = {k.arg: k.value for k in node.keywords}
        made = attributes.built(desugar, value.kind, {n: given[n] if n in given else load(v) for n, v in value.attributes.items()} | given)
    return node if made is None else made


def _dunder(desugar: State, base: Any, value: ObjectValue, name: str, args: list[Any]) -> gast.expr | None:
    found = member_of(value.kind, name)
    if found is None or found[0] != "method" or not desugar.inlines(found[1]):
        return None
    return inlining.inline(desugar, found[1], [base, *args], {})


def _super(desugar: State, node: Any) -> type | None:
    """The class after which `super()` looks."""
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "super" and not node.args):
        return None
    if not desugar.stack:
        return None
    fn = desugar.stack[-1]
    cell = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=False)).get("__class__")
    return None if cell is None else cell.cell_contents


def _super_call(desugar: State, node: gast.Call) -> gast.expr:
    func: Any = node.func
    after = _super(desugar, func.value)
    base = desugar.selves[-1] if desugar.selves else None
    value = value_of(desugar, base) if base is not None else None
    if value is None or after not in value.kind.__mro__:
        raise _no_super(desugar, node)
    for kind in value.kind.__mro__[value.kind.__mro__.index(after) + 1:]:
        found = vars(kind).get(func.attr)
        if isinstance(found, types.FunctionType) and desugar.inlines(found):
            args, keywords = arguments.one_by_one(desugar, node)
            return inlining.inline(desugar, found, [base, *args], keywords)
        if found is object.__init__:
            return constant(None)
    raise _no_super(desugar, node)


def _no_super(desugar: State, node: Any) -> RefusedError:
    return desugar.refused(node, "what super() means here is not known beforehand", "the method by its class: Base.method(self, ...)")
