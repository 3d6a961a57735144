"""Objects that a function makes for itself, as variables: one for each attribute.

Scalar replacement of aggregates (S. Muchnick, "Advanced Compiler Design and Implementation", 1997, section 12.2), with the methods of the class
in the places of their calls. Where an object is used as a value, in a list or as an argument, none of its class is replaced.

    p = Point(x, y)                  p_x = x
    return p.norm()         →        p_y = y
                                     return np.sqrt(p_x * p_x + p_y * p_y)
"""
from __future__ import annotations

import dataclasses
import inspect
import types
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from ..errors import Refusal, RefusedError
from ..syntax.nodes import assign, clone, constant, load
from ..syntax.program import MISSING
from . import functions, inlining
from .values import LIBRARIES, Meaning, is_user_object, member_of

if TYPE_CHECKING:
    from .statements import Desugar

BINARY = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Pow": "pow", "MatMult": "matmul", "Mod": "mod", "FloorDiv": "floordiv"}
UNARY = {"USub": "__neg__", "UAdd": "__pos__"}
COMPARED = {"Lt": "__lt__", "LtE": "__le__", "Gt": "__gt__", "GtE": "__ge__", "Eq": "__eq__", "NotEq": "__ne__"}
CALLED = {len: "__len__", abs: "__abs__", float: "__float__"}


@dataclass
class ObjectValue:
    """An object: its class, and the variable of each attribute; path: how it is reached, where it is not made here; holders: the variables
    and attributes that hold it; merged: on another way another object has these variables, so that one variable alone may hold it."""

    kind: type
    prefix: str
    attributes: dict[str, str] = field(default_factory=dict)
    path: gast.expr | None = None
    holders: set[str] = field(default_factory=set)
    merged: bool = False


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
    if any({"__new__", "__getattr__", "__getattribute__", "__del__"} & set(vars(kind)) or "__setattr__" in vars(kind) and not _frozen(kind)
           for kind in value.__mro__[:-1]):
        return False
    return dataclasses.is_dataclass(value) or isinstance(made, types.FunctionType) or made is object.__init__


def fields_of(kind: Any) -> tuple[str, ...]:
    """The names of the items of a named tuple."""
    return tuple(kind._fields)


def _frozen(kind: type) -> bool:
    params = getattr(kind, "__dataclass_params__", None)
    return params is not None and params.frozen


def construct(desugar: Desugar, kind: type, node: gast.Call) -> gast.expr:
    """Make an object; a name that stands for it."""
    args, keywords = _evaluated(desugar, node)
    desugar.assume(node.func, kind)
    name = desugar.names.new(_lower(kind.__name__))
    value = ObjectValue(kind, name)
    desugar.objects[name] = value
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        fields: Any = kind
        defaults = fields._field_defaults
        _fields(desugar, value, list(fields._fields), {f: (lambda v=v: _plain(desugar, v)) for f, v in defaults.items()}, args, keywords)
    elif dataclasses.is_dataclass(kind) and "__init__" in vars(kind) and vars(kind)["__dataclass_params__"].init:
        _dataclass(desugar, value, args, keywords)
    elif isinstance(inspect.getattr_static(kind, "__init__"), types.FunctionType):
        inlining.inline(desugar, inspect.getattr_static(kind, "__init__"), [load(name), *args], keywords)
    return load(name)


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:] if name.isidentifier() else "object"


def _dataclass(desugar: Desugar, value: ObjectValue, args: list[Any], keywords: dict[str, Any]) -> None:
    fields = [f for f in dataclasses.fields(value.kind) if f.init]
    defaults: dict[str, Any] = {}
    for one in dataclasses.fields(value.kind):
        if one.default is not dataclasses.MISSING:
            defaults[one.name] = lambda v=one.default: _plain(desugar, v)
        elif one.default_factory is not dataclasses.MISSING:
            defaults[one.name] = lambda v=one.default_factory: gast.Call(desugar.cell(v, getattr(v, "__name__", "factory")), [], [])
    _fields(desugar, value, [f.name for f in fields], defaults, args, keywords)
    for one in dataclasses.fields(value.kind):
        if not one.init and one.name in defaults:
            write(desugar, value, one.name, defaults[one.name](), fresh=True)
    after = inspect.getattr_static(value.kind, "__post_init__", None)
    if isinstance(after, types.FunctionType):
        inlining.inline(desugar, after, [load(value.prefix)], {})


def _fields(desugar: Desugar, value: ObjectValue, names: list[str], defaults: dict[str, Any], args: list[Any], keywords: dict[str, Any]) -> None:
    try:
        given = inspect.signature(value.kind).bind(*args, **keywords).arguments
    except (TypeError, ValueError):
        why = f"{value.kind.__name__} does not take these arguments"
        raise RefusedError(desugar.captured.name, [Refusal(functions.span(desugar, desugar.place), why, "a call that Python accepts")]) from None
    for name in names:
        write(desugar, value, name, given[name] if name in given else defaults[name](), fresh=True)


def _plain(desugar: Desugar, value: Any) -> gast.expr:
    if isinstance(value, (int, float, str, bool)) or value is None:
        return constant(value)
    return desugar.cell(value, "default")


def _evaluated(desugar: Desugar, node: gast.Call) -> tuple[list[Any], dict[str, Any]]:
    from . import calls
    if any(isinstance(a, gast.Starred) and not isinstance(a.value, (gast.Tuple, gast.List)) for a in node.args) \
            or any(k.arg is None for k in node.keywords):
        raise RefusedError(desugar.captured.name, [Refusal(functions.span(desugar, node), "an argument has a star (* or **), and what it "
                                                           "holds is not known beforehand", "the arguments one by one")])
    args, keywords = calls.evaluated(desugar, node)
    flat: list[Any] = []
    for arg in args:
        flat += arg.value.elts if isinstance(arg, gast.Starred) else [arg]
    return flat, {k.arg: k.value for k in keywords}


class EscapeError(RefusedError):
    """An object is used as a value: it has to stay an object. kind: its class."""

    kind: type | None = None


def escaped(desugar: Desugar, node: Any, value: ObjectValue) -> EscapeError:
    """The refusal of an object that is used as a value."""
    error = EscapeError(desugar.captured.name, [Refusal(functions.span(desugar, node) or functions.span(desugar, desugar.place),
                                                         f"an object of class {value.kind.__name__} is used as a value here: of such objects "
                                                         "only the attributes and methods are differentiated",
                                                         "numbers, arrays, or an object of a plain dataclass or a named tuple")])
    error.kind = value.kind
    return error


def _no_super(desugar: Desugar, node: Any) -> RefusedError:
    return RefusedError(desugar.captured.name, [Refusal(functions.span(desugar, node) or functions.span(desugar, desugar.place),
                                                        "what super() means here is not known beforehand",
                                                        "the method by its class: Base.method(self, ...)")])


# ---------------------------------------------------------------------- attributes
def outside(desugar: Desugar, node: Any) -> ObjectValue | None:
    """The object of a class of the user that a path means now."""
    value = desugar.object(node) if isinstance(node, (gast.Name, gast.Attribute)) else MISSING
    return ObjectValue(type(value), "", {}, node) if value is not MISSING and is_user_object(value) else None


def value_of(desugar: Desugar, node: Any) -> ObjectValue | None:
    """The object that an evaluated expression means."""
    if isinstance(node, gast.Name) and node.id in desugar.objects:
        return desugar.objects[node.id]
    return outside(desugar, node)


def write(desugar: Desugar, value: ObjectValue, name: str, node: gast.expr, *, fresh: bool = False) -> None:
    """`obj.name = node`, evaluated; fresh: the object is being made."""
    slots = all("__slots__" in vars(kind) for kind in value.kind.__mro__[:-1]) and not issubclass(value.kind, tuple)
    if slots and not isinstance(inspect.getattr_static(value.kind, name, None), (types.MemberDescriptorType, property)) \
            or not fresh and (_frozen(value.kind) or issubclass(value.kind, tuple)):
        raise escaped(desugar, node, value)
    setter = inspect.getattr_static(value.kind, name, None)
    if isinstance(setter, property) and isinstance(setter.fset, types.FunctionType):
        inlining.inline(desugar, setter.fset, [load(value.prefix), node], {})
        return
    if name not in value.attributes:
        value.attributes[name] = desugar.names.new(f"{value.prefix}_{name}")
    variable = value.attributes[name]
    if isinstance(node, gast.Name) and node.id in desugar.objects:
        known = desugar.objects.get(variable)
        if known is not None and known is not desugar.objects[node.id] or desugar.nested():
            raise escaped(desugar, node, desugar.objects[node.id])
        if desugar.objects[node.id].merged or desugar.objects[node.id].path is not None:
            raise escaped(desugar, node, desugar.objects[node.id])
        hold(desugar, variable, desugar.objects[node.id])
        return
    if variable in desugar.objects:
        raise escaped(desugar, node, desugar.objects[variable])
    if functions.is_value(desugar, node) and not desugar.nested():
        made = functions.value_of(desugar, node)
        if made is not None:
            desugar.functions[variable] = made
            return
    desugar.local.add(variable)
    desugar.statement(desugar._at(assign(variable, node)))


def read(desugar: Desugar, value: ObjectValue, base: gast.expr, name: str, like: Any) -> gast.expr:
    """`obj.name`."""
    if name in value.attributes:
        known = desugar.functions.get(value.attributes[name])
        if known is not None and not known.bound and known.fn not in desugar.reader.made:
            return gast.copy_location(clone(known.func), like)
        return gast.copy_location(load(value.attributes[name]), like)
    found = member_of(value.kind, name)
    if value.path is not None:
        desugar.assume(gast.Attribute(clone(value.path), "__class__", gast.Load()), value.kind)
    if found is not None and found[0] == "property" and inlining.inlines(desugar, found[1]):
        return inlining.inline(desugar, found[1], [base], {})
    if value.path is not None:
        return gast.copy_location(gast.Attribute(clone(value.path), name, gast.Load()), like)
    held = inspect.getattr_static(value.kind, name, MISSING)
    if held is not MISSING and not hasattr(type(held), "__get__"):
        return gast.copy_location(gast.Attribute(desugar.cell(value.kind, value.kind.__name__), name, gast.Load()), like)
    error = EscapeError(desugar.captured.name, [Refusal(functions.span(desugar, like), f"{value.kind.__name__} has no attribute {name} here",
                                                        "set it before it is read, on every path")])
    error.kind = value.kind
    raise error


# ---------------------------------------------------------------------- calls and operators
def method(desugar: Desugar, base: Any, value: ObjectValue, name: str, node: gast.Call) -> gast.expr | None:
    """`obj.name(…)` with the body of the method in its place."""
    if name in value.attributes:
        return None
    found = member_of(value.kind, name)
    if found is None or found[0] == "property" or not inlining.inlines(desugar, found[1]):
        return None
    if value.path is not None:
        if name in getattr(desugar.object(base), "__dict__", {}):
            return None
        desugar.assume(gast.Attribute(clone(value.path), name, gast.Load()), found[1])
    args, keywords = _evaluated(desugar, node)
    first = {"method": [base], "class": [desugar.cell(value.kind, value.kind.__name__)], "static": []}[found[0]]
    return inlining.inline(desugar, found[1], [*first, *args], keywords)


def dunder(desugar: Desugar, base: Any, value: ObjectValue, name: str, args: list[Any]) -> gast.expr | None:
    found = member_of(value.kind, name)
    if found is None or found[0] != "method" or not inlining.inlines(desugar, found[1]):
        return None
    return inlining.inline(desugar, found[1], [base, *args], {})


def operator(desugar: Desugar, node: Any) -> gast.expr:
    """An operation on evaluated operands, one of which is an object, by the method of its class."""
    made: gast.expr | None = None
    if isinstance(node, gast.BinOp):
        left, right, name = value_of(desugar, node.left), value_of(desugar, node.right), BINARY.get(type(node.op).__name__, "")
        if left is not None and name:
            made = dunder(desugar, node.left, left, f"__{name}__", [node.right])
        if made is None and right is not None and name:
            made = dunder(desugar, node.right, right, f"__r{name}__", [node.left])
    elif isinstance(node, gast.UnaryOp) and (value := value_of(desugar, node.operand)) is not None and type(node.op).__name__ in UNARY:
        made = dunder(desugar, node.operand, value, UNARY[type(node.op).__name__], [])
    elif isinstance(node, gast.Compare) and len(node.ops) == 1 and (value := value_of(desugar, node.left)) is not None:
        name = COMPARED.get(type(node.ops[0]).__name__, "")
        made = dunder(desugar, node.left, value, name, [node.comparators[0]]) if name else None
    elif isinstance(node, gast.Subscript) and (value := value_of(desugar, node.value)) is not None and not isinstance(node.slice, gast.Slice):
        if issubclass(value.kind, tuple) and isinstance(node.slice, gast.Constant) and type(node.slice.value) is int:
            return load(value.attributes[fields_of(value.kind)[node.slice.value]])
        made = dunder(desugar, node.value, value, "__getitem__", [node.slice])
    elif isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords and (value := value_of(desugar, node.args[0])) is not None:
        if desugar.object(node.func) is type:
            return desugar.cell(value.kind, value.kind.__name__)
        known = next((n for f, n in CALLED.items() if desugar.object(node.func) is f), None)
        made = dunder(desugar, node.args[0], value, known, []) if known else None
    elif isinstance(node, gast.Call) and len(node.args) == 2 and desugar.object(node.func) is isinstance \
            and (value := value_of(desugar, node.args[0])) is not None:
        kinds = [desugar.object(k) for k in (node.args[1].elts if isinstance(node.args[1], gast.Tuple) else [node.args[1]])]
        if all(isinstance(kind, type) for kind in kinds):
            return constant(issubclass(value.kind, tuple(kinds)))
    elif isinstance(node, gast.Call) and desugar.object(node.func) is dataclasses.replace \
            and (value := value_of(desugar, node.args[0])) is not None and value.path is None:
        given = {k.arg: k.value for k in node.keywords}
        made = _built(desugar, value.kind, {n: given[n] if n in given else load(v) for n, v in value.attributes.items()} | given)
    return node if made is None else made


def _built(desugar: Desugar, kind: type, attributes: dict[str, gast.expr]) -> gast.expr:
    new = ObjectValue(kind, desugar.names.new(_lower(kind.__name__)))
    desugar.objects[new.prefix] = new
    for name, node in attributes.items():
        write(desugar, new, name, node, fresh=True)
    return load(new.prefix)


def touches(desugar: Desugar, node: Any) -> bool:
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


def rebind(desugar: Desugar, target: str, value: ObjectValue) -> bool:
    """`target = obj`: the variable holds this object from here on. In a branch or a loop, where it may hold another one too, the attributes
    go to the variables of the one that was there: that is right only if nothing else holds either of them."""
    known = desugar.objects.get(target)
    if known is value:
        return True
    if value.merged or value.path is not None or desugar.nested() and value.holders:
        raise escaped(desugar, desugar.place, value)       # in a loop, what holds it may be of an earlier trip
    if not desugar.nested() or known is None and target in desugar.once:
        if known is not None:
            known.holders.discard(target)
        hold(desugar, target, value)
        return True
    if known is None or known.path is not None or known.kind is not value.kind or set(known.attributes) != set(value.attributes) \
            or value.holders or known.holders - {target}:
        raise escaped(desugar, desugar.place, value)
    for name, variable in value.attributes.items():
        if variable in desugar.objects or known.attributes[name] in desugar.objects or variable in desugar.functions:
            raise escaped(desugar, desugar.place, value)
    for name, variable in value.attributes.items():
        desugar.emit(assign(known.attributes[name], load(variable)))
    known.merged = True
    return True


def hold(desugar: Desugar, target: str, value: ObjectValue) -> None:
    """A variable holds an object."""
    desugar.objects[target] = value
    value.holders.add(target)
    desugar.local.discard(target)


def called(desugar: Desugar, node: gast.Call) -> Meaning | None:
    """A call that makes an object, or calls one or a method of one."""
    func = node.func
    value = desugar.object(func) if isinstance(func, (gast.Name, gast.Attribute)) else MISSING
    if isinstance(value, type) and constructs(value) and value not in desugar.whole:
        return Meaning(lambda: construct(desugar, value, node))
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
        if _mentions(desugar, func.value):
            return Meaning(lambda: _method_call(desugar, node))
    return None


def _mentions(desugar: Desugar, node: Any) -> bool:
    """An object that is made here stands in an expression, or is made in it."""
    for part in gast.walk(node):
        if isinstance(part, gast.Name) and part.id in desugar.objects:
            return True
        if isinstance(part, gast.Call) and isinstance(part.func, (gast.Name, gast.Attribute)) and constructs(desugar.object(part.func)) \
                and desugar.object(part.func) not in desugar.whole:
            return True
    return False


def _call_object(desugar: Desugar, base: Any, value: ObjectValue, node: gast.Call) -> gast.expr:
    found = member_of(value.kind, "__call__")
    if found is None or not inlining.inlines(desugar, found[1]):
        if value.path is None:
            raise escaped(desugar, node, value)
        from . import calls
        return calls.write(desugar, node)
    if value.path is not None:
        desugar.assume(gast.Attribute(clone(value.path), "__call__", gast.Load()), found[1])
    args, keywords = _evaluated(desugar, node)
    return inlining.inline(desugar, found[1], [base, *args], keywords)


def _method_call(desugar: Desugar, node: gast.Call) -> gast.expr:
    func: Any = node.func
    base = desugar.expr(func.value)
    value = value_of(desugar, base)
    if value is not None:
        made = method(desugar, base, value, func.attr, node)
        if made is not None:
            return made
        if func.attr == "_replace" and issubclass(value.kind, tuple) and value.path is None:
            _, given = _evaluated(desugar, node)
            return _built(desugar, value.kind, {n: given[n] if n in given else load(v) for n, v in value.attributes.items()})
        if func.attr in value.attributes:
            name = value.attributes[func.attr]
            return desugar.expr(gast.copy_location(gast.Call(gast.copy_location(load(name), func), node.args, node.keywords), node))
        if value.path is None:
            raise escaped(desugar, node, value)
        from . import calls
        return calls.write(desugar, node)
    new = gast.copy_location(gast.Call(gast.copy_location(gast.Attribute(base, func.attr, gast.Load()), func), node.args, node.keywords), node)
    return desugar.expr(new)


def _super(desugar: Desugar, node: Any) -> type | None:
    """The class after which `super()` looks."""
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "super" and not node.args):
        return None
    if not desugar.stack:
        return None
    fn = desugar.stack[-1]
    cell = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=False)).get("__class__")
    return None if cell is None else cell.cell_contents


def _super_call(desugar: Desugar, node: gast.Call) -> gast.expr:
    func: Any = node.func
    after = _super(desugar, func.value)
    base = desugar.selves[-1] if desugar.selves else None
    value = value_of(desugar, base) if base is not None else None
    if value is None or after not in value.kind.__mro__:
        raise _no_super(desugar, node)
    for kind in value.kind.__mro__[value.kind.__mro__.index(after) + 1:]:
        found = vars(kind).get(func.attr)
        if isinstance(found, types.FunctionType) and inlining.inlines(desugar, found):
            args, keywords = _evaluated(desugar, node)
            return inlining.inline(desugar, found, [base, *args], keywords)
        if found is object.__init__:
            return constant(None)
    raise _no_super(desugar, node)
