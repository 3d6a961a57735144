"""Methods and operators of objects, with the bodies of the methods in the places of their calls.

Needs a call or operation with an object of a class that is known. Promises what the method returns, after its body.

    p.norm()                →        np.sqrt(p_x * p_x + p_y * p_y)
    p + q                   →        what Point.__add__(p, q) returns
"""
from __future__ import annotations

import copy
import dataclasses
import enum
import types
from typing import Any

import gast

from ..analyse.displays import fields, is_made_of, passed_on
from ..runtime.containers import is_named, is_record, made_of
from ..syntax.building import clone, constant, library, load
from ..syntax.nodes import is_literal, literal
from ..syntax.program import MISSING
from . import arguments, attributes, by_name, calls, copies, functions, held, inlining, objects, rows, sequences, supers
from .objects import constructs, escaped, fields_of, outside, value_of
from .operators import BINARY, binary, compared, dunder, is_missing
from .stars import mapping
from .state import State
from .values import ObjectValue, is_foreign, member_of

UNARY = {"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"}
CALLED = {len: "__len__", abs: "__abs__", float: "__float__", copy.copy: "__copy__"}


def called(desugar: State, node: gast.Call) -> Any:
    """A call that makes an object, or calls one or a method of one."""
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr == "__class__" \
            and objects.value_at(desugar, func.value) is not None:
        node.func = func = desugar.expr(func)              # self.__class__(...)
    if (named := by_name.attribute(desugar, node)) is not None:
        return named
    value = desugar.object(func) if isinstance(func, (gast.Name, gast.Attribute)) else MISSING
    if (member := _member(desugar, func, node.args)) is not None:
        return member
    if value is made_of and not is_made_of(node):          # in a text of ours
        node.func = library("rt.made_of")
        return None
    if value is types.SimpleNamespace and any(k.arg is None for k in node.keywords):
        node.args, node.keywords = arguments.evaluated(desugar, node)
        if not node.args and (whole := mapping(node.keywords)) is not None:
            return desugar.expr(desugar.placed(gast.copy_location(library("rt.namespace(d)", d=whole), node)))
    if isinstance(value, type) and constructs(value) and value not in desugar.whole:
        return attributes.construct(desugar, value, node)
    if isinstance(value, type) and constructs(value) and fields(value, node) is None and desugar.carries(node) \
            and is_record(value) and type(value) is type:
        return attributes.put_together(desugar, value, node)
    if isinstance(func, gast.Attribute) and supers.after(desugar, func.value) is not None:
        return supers.called(desugar, node)
    if isinstance(func, gast.Attribute) and (above := supers.when_called(desugar, func)) is not None:
        name = desugar.kept(above, func.attr)
        return desugar.expr(gast.copy_location(gast.Call(load(name), [above.args[1], *node.args], node.keywords), node))
    if isinstance(func, gast.Name) and func.id in desugar.objects:
        return _call_object(desugar, func, desugar.objects[func.id], node)
    there = outside(desugar, func)
    if there is not None and member_of(there.kind, "__call__") is not None:
        return _call_object(desugar, func, there, node)
    if isinstance(func, gast.Attribute):
        base = outside(desugar, func.value)
        found = None if base is None else member_of(base.kind, func.attr)
        if found is not None and found[0] != "property" \
                and func.attr not in getattr(desugar.object(func.value), "__dict__", {}):
            return _method_call(desugar, func.value, node)
        if found is not None and found[0] == "property":
            node.func = functions.operand(desugar, func)
            return None if node.func is func else desugar.expr(node)
    return _of_value(desugar, node) if value is MISSING else None


def _member(desugar: State, node: Any, given: list[Any]) -> gast.expr | None:
    """`Color("red")`, or `Color["RED"]`, by the name of the member of the enumeration."""
    kind = desugar.object(node) if len(given) == 1 and isinstance(node, (gast.Name, gast.Attribute)) else MISSING
    if not isinstance(kind, enum.EnumMeta) or not is_literal(given[0]):
        return None
    key = literal(given[0])
    known: Any = kind.__members__
    name = next((name for name, one in known.items() if type(one.value) is type(key) and one.value == key), "")
    return gast.copy_location(gast.Attribute(clone(node), name, gast.Load()), node) if name else None


def _of_value(desugar: State, node: gast.Call) -> Any:
    """`Dense(w, b)(x)` and `p.parts[0].at(x)`: what is called, or whose method it is, is evaluated."""
    func: Any = node.func
    owner, field = (func, "value") if isinstance(func, gast.Attribute) else (node, "func")
    given = getattr(owner, field)
    base = functions.operand(desugar, given)
    if isinstance(base, gast.Name) and base.id in desugar.objects:
        return _method_call(desugar, base, node) if owner is func \
            else _call_object(desugar, base, desugar.objects[base.id], node)
    setattr(owner, field, base)
    return None if base is given else desugar.expr(node)


def _method_call(desugar: State, base: Any, node: gast.Call) -> Any:
    """`p.at(x)` of an evaluated object."""
    func: Any = node.func
    value: Any = value_of(desugar, base)
    if func.attr == "_replace" and is_named(value.kind) and value.path is None:
        _, given = arguments.one_by_one(desugar, node)
        return _anew(desugar, value, given)
    made = _method(desugar, base, value, func.attr, node)
    if made is not None:
        return made
    if func.attr == "get" and value.kind is dict and len(node.args) == 1 \
            and objects.item(value, node.args[0]) in value.attributes:
        return sequences.subscript(desugar, value, node.args[0])
    if func.attr == "copy" and value.place is not None and not node.args:
        return held.copy(desugar, value.kind, value)
    if func.attr in value.attributes:
        name = value.attributes[func.attr]
        return desugar.expr(
            gast.copy_location(gast.Call(gast.copy_location(load(name), func), node.args, node.keywords), node))
    if value.path is None:
        raise escaped(desugar, node, value)
    return calls.write(desugar, node)


def _method(desugar: State, base: Any, value: ObjectValue, name: str, node: gast.Call) -> gast.expr | None:
    """`obj.name(…)` with the body of the method in its place."""
    if name in value.attributes:
        return None
    found = member_of(value.kind, name)
    if found is None or found[0] == "property" \
            or not desugar.inlines(found[1], again=_goes_down(desugar, found[1], value)):
        return None
    if value.path is not None:
        if name in getattr(desugar.object(base), "__dict__", {}):
            return None
        desugar.assume_member(value.path, value.kind, name, found[1])
    return inlining.method(desugar, found[1], _first(desugar, found[0], base, value), node)


def _goes_down(desugar: State, fn: Any, value: ObjectValue) -> bool:
    """A method calls itself on an object that the object of the call before holds,
    and not on one that it was called on already."""
    calls = [one for one, known in zip(desugar.selves, desugar.stack, strict=True) if known is fn]
    before = [value_of(desugar, one) for one in calls if one is not None]
    if not before or any(one is None or one is value for one in before) or len(before) < len(calls):
        return False
    todo, seen = [before[-1]], 0
    while todo and seen < 200:
        one, seen = todo.pop(), seen + 1
        held = [desugar.objects[v] for v in one.attributes.values() if v in desugar.objects]  # type: ignore[union-attr]
        if any(other is value for other in held):
            return True
        todo += held
    return False


def _call_object(desugar: State, base: Any, value: ObjectValue, node: gast.Call) -> gast.expr:
    found = member_of(value.kind, "__call__")
    if found is None or found[0] == "property" or not desugar.inlines(found[1]):
        if value.path is None:
            raise escaped(desugar, node, value)
        return calls.write(desugar, node)
    if value.path is not None:
        desugar.assume_member(value.path, value.kind, "__call__", found[1])
    return inlining.method(desugar, found[1], _first(desugar, found[0], base, value), node)


def _first(desugar: State, sort: str, base: Any, value: ObjectValue) -> list[Any]:
    """What a member of a class is given before the arguments of its call."""
    return {"method": [base], "class": [desugar.cell(value.kind, value.kind.__name__)], "static": []}[sort]


def operator(desugar: State, node: Any) -> gast.expr | None:
    """An operation on evaluated operands by the method of the class of one of them;
    None where none of them is an object."""
    if isinstance(node, gast.BinOp):
        return sequences.operator(desugar, node) or binary(desugar, node)
    if isinstance(node, gast.UnaryOp):
        return _unary(desugar, node)
    if isinstance(node, gast.Compare):
        return _compared(desugar, node)
    return _item(desugar, node) if isinstance(node, gast.Subscript) else _given(desugar, node)


def _unary(desugar: State, node: gast.UnaryOp) -> gast.expr | None:
    """`-p` and `not p`."""
    if isinstance(node.op, gast.Not):
        truth = objects.truth(desugar, node.operand)
        return None if truth is None else constant(not truth)
    value = value_of(desugar, node.operand)
    return None if value is None else dunder(desugar, node.operand, value, UNARY[type(node.op).__name__], [])


def _compared(desugar: State, node: gast.Compare) -> gast.expr | None:
    """`p is None`, `key in p` and `p < q`."""
    op, other = node.ops[0], node.comparators[0]
    if isinstance(op, (gast.Is, gast.IsNot)):
        value = value_of(desugar, node.left)
        none = isinstance(other, gast.Constant) and other.value is None
        if none and isinstance(node.left, gast.Constant):
            return constant((node.left.value is None) == isinstance(op, gast.Is))
        return constant(isinstance(op, gast.IsNot)) if none and value is not None and value.path is None else None
    if not isinstance(op, (gast.In, gast.NotIn)):
        return compared(desugar, node)
    value = value_of(desugar, other)
    if value is None:
        return None
    key = objects.item(value, node.left) if value.kind is dict else None
    if key is not None:
        return constant((key in value.attributes) == isinstance(op, gast.In))
    made = dunder(desugar, other, value, "__contains__", [node.left])
    if made is not None and not _is_truth(desugar, made):
        raise escaped(desugar, node, value)
    return gast.UnaryOp(gast.Not(), made) if made is not None and isinstance(op, gast.NotIn) else made


def _item(desugar: State, node: gast.Subscript) -> gast.expr | None:
    """`items[0]`, `items[1:]`, and `p[i]`."""
    row = rows.taken(desugar, node)
    value = value_of(desugar, node.value)
    if row is not None or value is None:
        return row
    if value.kind in (list, tuple, dict):
        made = sequences.subscript(desugar, value, node.slice)
        if made is None:
            raise escaped(desugar, node, value)
        return made
    if isinstance(node.slice, gast.Slice):
        return None
    if is_named(value.kind) and isinstance(node.slice, gast.Constant) and type(node.slice.value) is int:
        fields, i = fields_of(value.kind), node.slice.value
        return attributes.read(desugar, value, node.value, fields[i], node) \
            if i in range(-len(fields), len(fields)) else None
    return dunder(desugar, node.value, value, "__getitem__", [node.slice])


def _given(desugar: State, node: gast.Call) -> gast.expr | None:
    """`len(p)`, `isinstance(p, Point)`, `dataclasses.replace(p, x=0.0)` and such."""
    fn, first = desugar.object(node.func), node.args[0] if node.args else None
    value, made = value_of(desugar, first), None
    if value is not None and objects.stands_in(value.kind):
        return None                                        # nothing of its class may be told
    if fn is len and len(node.args) == 1 and rows.of(desugar, first) is not None:
        rows.allow(first)
        return node
    if fn is isinstance and len(node.args) == 2 and (objects.is_number(desugar, first) or value is not None):
        made = _settled(desugar, node, value)
    elif value is not None and len(node.args) == 1 and not node.keywords:
        if fn is type:
            return desugar.cell(value.kind, value.kind.__name__)
        if value.place is not None \
                and (fn is value.kind or fn is list and value.kind is tuple or fn is tuple and value.kind is list):
            return held.copy(desugar, fn, value)
        if value.path is None and (copied := copies.made(desugar, node, value)) is not None:
            return copied
        known = next((name for one, name in CALLED.items() if fn is one), None)
        made = dunder(desugar, first, value, known, []) if known else None
    elif fn is dataclasses.replace and value is not None and value.path is None:
        made = _anew(desugar, value, {k.arg: k.value for k in node.keywords})
    return held.given(desugar, node) if made is None and desugar.places else made


def _anew(desugar: State, value: ObjectValue, given: dict[Any, Any]) -> gast.expr:
    """An object that is made as the class makes it, with these attributes and those that another one has for the other
    fields."""
    fields = [*fields_of(value.kind)] if is_named(value.kind) \
        else [one.name for one in dataclasses.fields(value.kind) if one.init]
    fields += [] if is_named(value.kind) else [one for one in passed_on(value.kind) if one in value.attributes]
    kept = {name: objects.held(desugar, value.attributes[name]) for name in fields if name not in given}
    keywords = [gast.keyword(name, one) for name, one in (given | kept).items()]
    return attributes.construct(desugar, value.kind, gast.Call(desugar.cell(value.kind, "kind"), [], keywords))


def _settled(desugar: State, node: gast.Call, value: ObjectValue | None) -> gast.expr | None:
    """The truth of `isinstance(p, Point)`, as long as the names mean these classes.
    value: what p is, where it is no number."""
    paths = node.args[1].elts if isinstance(node.args[1], gast.Tuple) else [node.args[1]]
    kinds = [desugar.object(path) for path in paths]
    if not all(isinstance(kind, type) if value is not None else constructs(kind) and objects.holds_no_number(kind)
               for kind in kinds):
        return None
    for path, kind in zip(paths, kinds, strict=True):
        if not is_foreign(kind.__module__):
            desugar.assume(path, kind)
    return constant(value is not None and issubclass(value.kind, tuple(kinds)))


def stored(desugar: State, base: Any, value: ObjectValue, index: Any, new: Any) -> bool:
    """`obj[i] = value` by the method of its class."""
    if not isinstance(index, gast.Tuple) and not is_literal(index):
        index = load(desugar.kept(index, "index"))
    return dunder(desugar, base, value, "__setitem__", [index, new]) is not None


def changed_in_place(desugar: State, stmt: gast.AugAssign) -> bool:
    """`p += q` where the class of p has a method for it."""
    target: Any = stmt.target
    value, name = desugar.objects[target.id], BINARY.get(type(stmt.op).__name__, "")
    if not hasattr(value.kind, f"__i{name}__"):
        return False
    base = load(value.prefix)
    new = desugar.expr(stmt.value)
    made = dunder(desugar, base, value, f"__i{name}__", [new])
    if made is None or is_missing(made):
        raise escaped(desugar, stmt, value)
    desugar.statement(desugar.placed(gast.copy_location(gast.Assign([target], made, None), stmt)))
    return True


def _is_truth(desugar: State, node: Any) -> bool:
    """An evaluated expression is True or False."""
    return isinstance(node, gast.Compare) and len(node.ops) == 1 or isinstance(node, gast.UnaryOp) \
        and isinstance(node.op, gast.Not) or isinstance(node, gast.Constant) and isinstance(node.value, bool) \
        or isinstance(node, gast.Call) and any(desugar.object(node.func) is fn for fn in (any, all, bool, isinstance))
