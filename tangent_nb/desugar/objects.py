"""Which objects of a text become variables, and where they stand.

Needs the classes and objects that the text sees. Promises whether an object of a class can be replaced by its
attributes, which object an evaluated expression means, and the refusal of one that is used as a value.

    constructs(Point)              its text is there, and nothing of it is hidden
    value_of(desugar, node)        the object that an evaluated expression means
"""
from __future__ import annotations

import abc
import dataclasses
import functools
import inspect
import sys
import types
from typing import Any

import gast
import numpy as np

from ..analyse.displays import keeps_fields
from ..analyse.kinds import spec_of
from ..errors import RefusedError
from ..runtime.computed import works_as
from ..runtime.containers import AS_THE_USERS, is_named, is_record
from ..syntax.building import constant, load
from ..syntax.nodes import is_atom, is_literal, literal, names_in, nodes_in, nodes_of, unparse
from ..syntax.program import MISSING
from ..syntax.spec import Spec
from .containers import pairs
from .scopes import bindings, bound
from .state import State
from .values import ObjectValue, has_row, is_foreign, is_user_object, object_of

PARTS = ("collections", "types", "abc")                    # of the standard library
COUNTING = (gast.Add, gast.Sub, gast.Mult, gast.Mod, gast.FloorDiv, gast.USub)


def constructs(value: Any) -> bool:
    """Calling a value makes an object of a class whose text is there."""
    if value is types.SimpleNamespace:
        return True
    if not isinstance(value, type) or is_foreign(value.__module__) or value.__module__.partition(".")[0] in PARTS:
        return False
    if type(value) is not type and type(value).__call__ is not type.__call__:
        return False
    if issubclass(value, (BaseException, list, dict, set, str, int, float)):
        return False
    if issubclass(value, tuple):
        return is_named(value) and keeps_fields(value)
    made = inspect.getattr_static(value, "__init__")
    if value.__new__ is not object.__new__ or value.__getattribute__ is not object.__getattribute__:
        return False
    if hasattr(value, "__getattr__") or hasattr(value, "__del__") \
            or hasattr(value, "__enter__") and value.__module__.partition(".")[0] in sys.stdlib_module_names:
        return False
    plain = (types.FunctionType, property, functools.cached_property, staticmethod, classmethod,
             types.MemberDescriptorType, types.GetSetDescriptorType)
    if any((hasattr(type(one), "__get__") or hasattr(type(one), "__set__"))
           and not isinstance(one, type) and not any(works_as(one, it) for it in plain)
           for kind in value.__mro__[:-1] if kind is not tuple for one in vars(kind).values()):
        return False
    if any("__setattr__" in vars(kind) and not frozen(kind) for kind in value.__mro__[:-1]):
        return False
    return dataclasses.is_dataclass(value) or isinstance(made, types.FunctionType) or made is object.__init__


def stands_in(kind: type) -> bool:
    """A class of ours, whose objects stand where the function has those of another class."""
    return kind.__module__ in AS_THE_USERS


def frozen(kind: type) -> bool:
    """A dataclass whose attributes are not written again."""
    params = getattr(kind, "__dataclass_params__", None)
    return params is not None and params.frozen


def fields_of(kind: Any) -> tuple[str, ...]:
    """The names of the items of a named tuple."""
    return tuple(kind._fields)


def outside(desugar: State, node: Any) -> ObjectValue | None:
    """The object of a class of the user that a path means now, or that it has to mean in an argument."""
    if isinstance(node, gast.Subscript) and not is_atom(node.slice):
        return None
    value = desugar.object(node) if isinstance(node, (gast.Name, gast.Attribute)) else MISSING
    kind = desugar.structures.object_at(node) if value is MISSING else type(value) if is_user_object(value) else None
    return None if kind is None else ObjectValue(kind, "", {}, node)


def value_of(desugar: State, node: Any) -> ObjectValue | None:
    """The object that an evaluated expression means."""
    if isinstance(node, gast.Name) and node.id in desugar.objects:
        return desugar.objects[node.id]
    return outside(desugar, node)


def sequence(desugar: State, node: Any) -> ObjectValue | None:
    """The list or tuple of known items that an evaluated expression means."""
    value = value_of(desugar, node)
    return value if value is not None and value.kind in (list, tuple) and value.path is None else None


def items(desugar: State, value: ObjectValue) -> list[Any]:
    """The items of a list or tuple, evaluated."""
    return [held(desugar, variable) for variable in value.attributes.values()]


def number(node: Any) -> Any:
    """A sum of numbers that are written down, computed."""
    parts: Any = list(nodes_in(node))
    if not isinstance(node, (gast.BinOp, gast.UnaryOp)) \
            or not all(isinstance(part, (*COUNTING, gast.BinOp, gast.UnaryOp)) or isinstance(part, gast.Constant)
                       and type(part.value) is int and abs(part.value) < 1000 for part in parts):
        return node
    try:
        value = eval(unparse(node), {})
    except ArithmeticError:
        return node
    return gast.copy_location(constant(value), node)


def item(value: ObjectValue, index: Any) -> str | None:
    """The attribute of a list, tuple or dict for an index that is written down."""
    index = number(index)
    known = literal(index) if is_literal(index) else None
    if value.kind is dict:
        return repr(known) if type(known) in (str, int) else None
    count = len(value.attributes)
    return str(range(count)[known]) if type(known) is int and -count <= known < count else None


def held(desugar: State, variable: str) -> Any:
    """What a variable of an item holds, evaluated."""
    known = desugar.objects.get(variable)
    return load(variable if known is None else known.prefix)


def truth(desugar: State, node: Any) -> bool | None:
    """The truth of an evaluated expression, where it is known."""
    if isinstance(node, gast.Constant):
        return bool(node.value)
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        inner = truth(desugar, node.operand)
        return None if inner is None else not inner
    if isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (gast.Is, gast.IsNot)) \
            and getattr(node.comparators[0], "value", node) is None and isinstance(node.left, gast.Name) \
            and node.left.id in desugar.nones and not desugar.nested(node.left.id):
        return isinstance(node.ops[0], gast.Is)
    value = value_of(desugar, node)
    if value is None or value.path is not None or (hasattr(value.kind, "__bool__") or hasattr(value.kind, "__len__")) \
            and not issubclass(value.kind, (list, tuple, dict)):
        return None
    return bool(value.attributes) if issubclass(value.kind, (list, tuple, dict)) else True


def holds_no_number(kind: type) -> bool:
    """No number and no array is an instance of a class, as `numbers.Integral` has some."""
    return type(kind).__instancecheck__ in (type.__instancecheck__, abc.ABCMeta.__instancecheck__) \
        and not any(issubclass(one, kind) for one in {*np.sctypeDict.values(), *map(type, (0, 0.0, 0j)), np.ndarray})


def is_number(desugar: State, node: Any) -> bool:
    """An expression is a number, or an array, for certain: a literal, a parameter that is checked to be one when the
    derivative is called, or what is computed of such ones."""
    if not isinstance(node, gast.Name):
        known = {name: Spec("numeric") for name in desugar.numbers if not desugar.nested(name)}
        return spec_of(node, known, desugar.scope).is_number
    return node.id in desugar.numbers and not desugar.nested(node.id) \
        or node.id in (desugar.wrt or ()) and _only_computed(desugar, node.id)


def _only_computed(desugar: State, name: str) -> bool:
    """A parameter of the text is nothing but an operand of arithmetic."""
    if len(bindings(desugar.captured.tree).get(name, [])) != 1:
        return False
    nodes: Any = nodes_in(desugar.captured.tree)
    computed: set[int] = set()
    read = []
    for node in nodes:
        if isinstance(node, gast.BinOp) and not isinstance(node.op, gast.BitOr):
            computed.update((id(node.left), id(node.right)))
        elif isinstance(node, gast.Name) and node.id == name:
            read.append(node)
    return all(node.annotation is None and (id(node) in computed or not isinstance(node.ctx, gast.Load))
               for node in read)


def value_at(desugar: State, node: Any) -> ObjectValue | None:
    """The object that a path of names means, without evaluating it."""
    if isinstance(node, gast.Name):
        return desugar.objects.get(node.id)
    base = value_at(desugar, node.value) if isinstance(node, (gast.Attribute, gast.Subscript)) else None
    if base is None or isinstance(node, gast.Subscript) and base.kind not in (list, tuple, dict):
        return None
    key = node.attr if isinstance(node, gast.Attribute) else item(base, node.slice)
    return None if key is None else desugar.objects.get(base.attributes.get(key, ""))


def made_by(desugar: State, node: Any) -> type | None:
    """The class of the object that a call makes; None where that is not certain."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, (gast.Name, gast.Attribute)):
        return None
    if isinstance(node.func, gast.Name) and node.func.id in desugar.functions:
        return factory(desugar, desugar.functions[node.func.id].fn)
    made = desugar.object(node.func)
    return made if constructs(made) and made not in desugar.whole else factory(desugar, made)


def factory(desugar: State, fn: Any, seen: tuple[Any, ...] = ()) -> type | None:
    """The class of the object that a function, or a method of a class, makes and returns;
    None where its text does not end so."""
    owner = fn.__self__ if isinstance(fn, types.MethodType) and isinstance(fn.__self__, type) else None
    fn = fn.__func__ if owner is not None else fn
    if not isinstance(fn, types.FunctionType) or fn in seen or is_foreign(fn.__module__) \
            or has_row(fn) or not desugar.inlines(fn):
        return None
    captured = desugar.texts.unit(fn).captured
    last: Any = captured.tree.body[-1]
    value = last.value if isinstance(last, gast.Return) else None
    if isinstance(value, gast.Name) and len(made := bindings(captured.tree).get(value.id, [])) == 1:
        value = _given_to(made[0], captured.tree.body)     # it is made first, and changed
    func = value.func if isinstance(value, gast.Call) else None
    if not isinstance(func, (gast.Name, gast.Attribute)):
        return None
    first = [*captured.tree.args.posonlyargs, *captured.tree.args.args][:1]
    own = owner is not None and isinstance(func, gast.Name) and names_in(first) == {func.id}
    maker: Any = owner if own else object_of(func, captured.namespace, bound(captured.tree))
    if isinstance(maker, type):
        return maker if constructs(maker) and maker not in desugar.whole else None
    return factory(desugar, maker, (*seen, fn))


def _given_to(binder: Any, body: Any) -> gast.expr | None:
    """What an assignment gives to the name that it binds, alone or in a tuple."""
    if isinstance(binder, gast.Assign):
        return binder.value if all(isinstance(one, gast.Name) for one in binder.targets) else None
    return next((value for stmt in nodes_of(body, gast.Assign) for one, value in pairs(stmt) if one is binder), None)


class EscapeError(RefusedError):
    """An object is used as a value: it has to stay an object. kind: its class, or the place of a display."""

    def __init__(self, refused: RefusedError, value: ObjectValue) -> None:
        super().__init__(refused.name, refused.refusals)
        self.kind: Any = value.kind if value.place is None else value.place


def is_put_together(kind: type) -> bool:
    """An object that is used as a value is what its class did to make it (`attributes.put_together`)."""
    return kind is not types.SimpleNamespace and is_record(kind) and not dataclasses.is_dataclass(kind)


def escaped(desugar: State, node: Any, value: ObjectValue) -> RefusedError:
    """The refusal of an object that is used as a value; for good, where a method of it is kept, unless it is one of
    those whose methods are asked when it runs."""
    why = (f"an object of class {value.kind.__name__} is used as a value here: "
           "of such objects only the attributes and methods are differentiated")
    remedy = "numbers, arrays, or an object of a plain dataclass or a named tuple"
    if stands_in(value.kind):
        why = "an interpolator of what is differentiated is used as a value here: of such objects only calls " \
              "and those of derivatives are differentiated"
        remedy = "f(x) or f.derivative()(x), in the function that makes f"
    if isinstance(node, gast.Attribute):
        why = f"the method {node.attr} is kept here without being called, and its object is made in this function"
        remedy = f"call it where it is needed: {desugar.text(node, '….' + node.attr)}(...)"
        if is_put_together(value.kind):
            return desugar.refused(node, why, remedy)
    return EscapeError(desugar.refused(node, why, remedy), value)
