"""Objects that a function makes for itself, as variables: one for each attribute.

Scalar replacement of aggregates (S. Muchnick, "Advanced Compiler Design and Implementation", 1997, section 12.2). Where
an object is used as a value, in a list or as an argument, none of its class is replaced.

Needs a class of which `objects.py` says that it can be. Promises a variable for each attribute that is written,
with its value of the moment.

    p = Point(x, y)                  p_x = x
    p.x = p.x + 1           →        p_y = y
                                     p_x = p_x + 1
"""
from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gast

from ..analyse.displays import generator, passed_on
from ..runtime.computed import works_as
from ..syntax.building import assign, clone, library, load, substitute
from ..syntax.nodes import names_in
from ..syntax.program import MISSING
from . import arguments, functions, inlining
from .objects import EscapeError, escaped, fields_of, frozen, is_put_together, stands_in
from .stars import Callee
from .state import State
from .values import Default, FunctionValue, ObjectValue, member_of


def construct(desugar: State, kind: type, node: gast.Call) -> gast.expr:
    """Make an object; a name that stands for it."""
    made = generator(kind)
    init = inspect.getattr_static(kind, "__init__")
    named = issubclass(kind, tuple) and hasattr(kind, "_fields")
    callee = fields(desugar, kind if named else made) if named or made else None if kind is types.SimpleNamespace \
        else FunctionValue(init, node.func, (node.func,)) if isinstance(init, types.FunctionType) else None
    args, keywords = arguments.one_by_one(desugar, node, callee)
    desugar.assume(node.func, kind)
    name = desugar.names.new(_lower(kind.__name__))
    value = ObjectValue(kind, name, born=desugar.out)
    desugar.objects[name] = value
    by_class(desugar, value)
    if kind is types.SimpleNamespace:
        if args:
            raise escaped(desugar, node, value)
        for attribute, one in keywords.items():
            write(desugar, value, attribute, one, fresh=True)
    elif named:
        _fields(desugar, value, kind, list(fields_of(kind)), _defaults(desugar, kind), args, keywords)
    elif made:
        by_fields(desugar, value, made, args, keywords)
    elif isinstance(init, types.FunctionType):
        inlining.inline(desugar, init, [load(name), *args], keywords)
    elif args or keywords:
        raise desugar.refused(node, f"{kind.__name__} takes no arguments: Python would raise a TypeError here",
                              f"{desugar.text(node.func, kind.__name__)}()")
    return load(name)


def built(desugar: State, kind: type, attributes: dict[str, gast.expr], base: str = "", place: Any = None) -> gast.expr:
    """Make an object of its attributes. base, place: of a container that is written down."""
    prefix = desugar.names.new(f"{base}_items" if base
                               else ("items" if kind in (list, tuple) else _lower(kind.__name__)))
    new = ObjectValue(kind, prefix, born=desugar.out, place=place, base=base)
    desugar.objects[new.prefix] = new
    for name, node in attributes.items():
        write(desugar, new, name, node, fresh=True)
    return load(new.prefix)


def put_together(desugar: State, kind: type, node: gast.Call) -> gast.expr:
    """Make an object that is used as a value: its attributes by what the class does, and an object of these."""
    name: Any = construct(desugar, kind, node)
    value = desugar.objects[name.id]                       # which stays: nothing else may have it from its class
    return made_of(clone(node.func), {one: desugar.expr(load(variable)) for one, variable in value.attributes.items()})


def made_of(kind: gast.expr, held: Mapping[str, Any]) -> gast.Call:
    """An object of a class that holds this, as one operation."""
    return gast.Call(library("rt.made_of"), [kind], [gast.keyword(name, part) for name, part in held.items()])


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:] if name.isidentifier() else "object"


def fields(desugar: State, kind: type) -> Callee:
    """What is called to make a named tuple, or an object of a dataclass whose `__init__` was generated."""
    defaults = _defaults(desugar, kind)
    made_by = "__init__" if dataclasses.is_dataclass(kind) else "__new__"
    return Callee(f"{kind.__name__}.{made_by}", tuple(inspect.signature(kind).parameters.values()),
                  lambda name: defaults[name]())


def _defaults(desugar: State, made: Any) -> dict[str, Callable[[], gast.expr]]:
    """What stands for fields that are not given."""
    if not dataclasses.is_dataclass(made):
        return {name: functools.partial(desugar.known, v, "default") for name, v in made._field_defaults.items()}
    defaults: dict[str, Callable[[], gast.expr]] = {}
    for one in [*dataclasses.fields(made), *(made.__dataclass_fields__[name] for name in passed_on(made))]:
        factory: Any = one.default_factory
        if one.default is not dataclasses.MISSING:
            defaults[one.name] = functools.partial(desugar.known, one.default, "default")
        elif factory is not dataclasses.MISSING:
            defaults[one.name] = functools.partial(_made, desugar, factory)
    return defaults


def _made(desugar: State, factory: Any) -> gast.expr:
    """What a field is that is made anew for each object."""
    if factory is list:
        return gast.List([], gast.Load())
    return gast.Dict([], []) if factory is dict \
        else gast.Call(desugar.cell(factory, getattr(factory, "__name__", "factory")), [], [])


def by_fields(desugar: State, value: ObjectValue, made: Any, args: list[Any], keywords: dict[str, Any]) -> None:
    """What the `__init__` does that was generated for the dataclass `made`."""
    defaults = _defaults(desugar, made)
    names = [f.name for f in dataclasses.fields(made) if f.init]
    given = _fields(desugar, value, made, names, defaults, args, keywords)
    for one in dataclasses.fields(made):
        if not one.init and one.name in defaults:
            write(desugar, value, one.name, defaults[one.name](), fresh=True)
    after = inspect.getattr_static(value.kind, "__post_init__", None) if hasattr(made, "__post_init__") else None
    if after is None:
        return
    if not isinstance(after, types.FunctionType):
        raise escaped(desugar, desugar.place, value)
    passed = [given[name] if name in given else defaults[name]() for name in passed_on(made)]
    inlining.inline(desugar, after, [load(value.prefix), *passed], {})


def _fields(desugar: State, value: ObjectValue, made: type, names: list[str], defaults: dict[str, Any], args: list[Any],
            keywords: dict[str, Any]) -> dict[str, Any]:
    """What is given, by the names of the parameters."""
    try:
        given = inspect.signature(made).bind(*args, **keywords).arguments
    except (TypeError, ValueError) as error:
        raise arguments.wrong_call(desugar, made.__name__, error, names) from None
    given = arguments.as_called([*args, *keywords.values()], given)
    for name in [*(name for name in given if name in names), *(name for name in names if name not in given)]:
        write(desugar, value, name, given[name] if name in given else defaults[name](), fresh=True)
    ordered(value, names)
    return given


def ordered(value: ObjectValue, names: Iterable[str]) -> None:
    """The attributes of an object in the order of its class, in whatever order they were evaluated."""
    known = {name: value.attributes[name] for name in names if name in value.attributes} | value.attributes
    value.attributes.clear()
    value.attributes.update(known)


def write(desugar: State, value: ObjectValue, name: str, node: gast.expr, *, fresh: bool = False) -> None:
    """`obj.name = node`, evaluated; fresh: the object is being made."""
    slots = all("__slots__" in vars(kind) for kind in value.kind.__mro__[:-1]) and not issubclass(value.kind, tuple)
    if slots \
            and not isinstance(inspect.getattr_static(value.kind, name, None), (types.MemberDescriptorType, property)) \
            or not fresh and (frozen(value.kind) or issubclass(value.kind, tuple)):
        raise escaped(desugar, node, value)
    setter = inspect.getattr_static(value.kind, name, None)
    # `__class__`, `__dict__`: what is written there is not only kept
    if isinstance(setter, types.GetSetDescriptorType):
        raise escaped(desugar, node, value)
    if works_as(setter, property) and isinstance(setter.fset, types.FunctionType):
        inlining.inline(desugar, setter.fset, [load(value.prefix), node], {})
        return
    fresh = fresh or name not in value.attributes and value.born is desugar.out
    if name not in value.attributes:
        if not fresh and of_class(value, name) and Default(value.kind, name) not in desugar.whole:
            raise EscapeError(escaped(desugar, node, value), ObjectValue(Default(value.kind, name), ""))  # type: ignore[arg-type]
        if value.place is not None and not fresh and desugar.nested():
            raise escaped(desugar, node, value)            # the key is there on some paths only
        value.attributes[name] = desugar.names.new(_called(value, name))
        if fresh:
            desugar.levels[value.attributes[name]] = desugar.depth
    variable = value.attributes[name]
    if not fresh:
        changes(desugar, value)
    if isinstance(node, gast.Name) and node.id in desugar.objects:
        new = snapshot(desugar, desugar.objects[node.id])
        if desugar.nested(variable if fresh else "") or new.merged or new.path is not None:
            raise escaped(desugar, load(new.prefix), new)
        desugar.functions.pop(variable, None)
        _hold(desugar, variable, new)
        return
    if variable in desugar.objects or variable in desugar.functions:
        if desugar.nested(variable if fresh else ""):
            raise escaped(desugar, node, value)
        held = desugar.objects.pop(variable, None)
        if held is not None:
            held.holders.discard(variable)
        before = desugar.functions.pop(variable, None)
        if before is not None and variable in names_in([*(desugar.out or ()), node]):
            node = _read_before(desugar, value, variable, before, node)
    made = None if desugar.nested(variable if fresh else "") \
        else functions.value_of(desugar, node) or functions.namespace_of(desugar, node)
    if made is not None:
        if functions.holds_copy(desugar, made):
            raise escaped(desugar, desugar.place, value)
        desugar.functions[variable] = made
        return
    desugar.local.add(variable)
    desugar.statement(desugar.placed(assign(variable, node)))


def _read_before(desugar: State, value: ObjectValue, variable: str, held: FunctionValue, node: gast.expr) -> gast.expr:
    """What reads an attribute before it holds another function reads the one of then; so does what is assigned."""
    if held.plain is None or desugar.out is None:
        raise escaped(desugar, node, value)
    desugar.out[:] = [substitute(one, {variable: held.plain}) if variable in names_in(one) else one
                      for one in desugar.out]
    return substitute(node, {variable: held.plain})


def of_class(value: ObjectValue, name: str) -> bool:
    """An object has an attribute from its class, which is a plain value."""
    found = inspect.getattr_static(value.kind, name, MISSING)
    return name not in value.attributes and found is not MISSING and not hasattr(type(found), "__get__")


def by_class(desugar: State, value: ObjectValue) -> None:
    """Attributes of its class that an object needs of its own."""
    for one in sorted((one for one in desugar.whole if isinstance(one, Default)), key=lambda one: one.name):
        if one.kind is value.kind:
            held = gast.Attribute(desugar.cell(value.kind, value.kind.__name__), one.name, gast.Load())
            write(desugar, value, one.name, held, fresh=True)


def is_set(desugar: State, value: ObjectValue | None, target: gast.Attribute, node: gast.expr) -> bool:
    """`obj.name = node` of an object from outside by what its class does then, where that is the text of a property."""
    setter = None if value is None else inspect.getattr_static(value.kind, target.attr, None)
    if value is None or not works_as(setter, property) or not desugar.inlines(setter.fset):
        return False
    desugar.assume_member(value.path, value.kind, "__class__", value.kind)
    inlining.inline(desugar, setter.fset, [target.value, node], {})
    return True


def _called(value: ObjectValue, name: str) -> str:
    """The name of the variable for an attribute, or an item."""
    plain = name.strip("'")
    return f"{value.base or value.prefix}_{plain if f'_{plain}'.isidentifier() else 'item'}"


def changes(desugar: State, value: ObjectValue) -> None:
    """An object gets another value for an attribute: none of its class may be copied."""
    desugar.written.add(value.kind)
    if value.kind in desugar.fixed:
        raise escaped(desugar, desugar.place, value)


def read(desugar: State, value: ObjectValue, base: gast.expr, name: str, like: Any) -> gast.expr:
    """`obj.name`."""
    if name in value.attributes:
        known = desugar.functions.get(value.attributes[name])
        if known is not None and known.plain is known.func and known.fn not in desugar.texts.made:
            return gast.copy_location(clone(known.func), like)
        return gast.copy_location(load(value.attributes[name]), like)
    found = member_of(value.kind, name)
    if value.path is not None:
        desugar.assume_member(value.path, value.kind, "__class__", value.kind)
    if found is not None and found[0] == "property" and desugar.inlines(found[1]):
        return inlining.inline(desugar, found[1], [base], {})
    if value.path is not None:
        return gast.copy_location(gast.Attribute(clone(value.path), name, gast.Load()), like)
    if name == "__class__" and not stands_in(value.kind) and not any(
            name in vars(kind) for kind in value.kind.__mro__ if kind is not object):
        return desugar.cell(value.kind, value.kind.__name__)
    held = inspect.getattr_static(value.kind, name, MISSING)
    if isinstance(held, functools.cached_property) and desugar.inlines(held.func):
        if desugar.nested() and value.born is not desugar.out:
            raise escaped(desugar, desugar.place, value)   # whether it has been computed depends on the path
        write(desugar, value, name, inlining.inline(desugar, held.func, [base], {}), fresh=True)
        return read(desugar, value, base, name, like)
    if held is not MISSING and not hasattr(type(held), "__get__"):
        return gast.copy_location(gast.Attribute(desugar.cell(value.kind, value.kind.__name__), name, gast.Load()),
                                  like)
    if found is not None and found[0] != "property":
        return gast.copy_location(gast.Attribute(base, name, gast.Load()), like)
    why = f"{value.kind.__name__} has no attribute {name} here", "set it before it is read, on every path"
    if found is not None:
        why = f"what the property {name} computes is not known beforehand", \
            "a method without @property, or a function, that computes it"
    refused = desugar.refused(like, *why)
    raise refused if is_put_together(value.kind) else EscapeError(refused, value)


class Apart:
    """Stands, among the classes that a text was written again for,
    for names that hold copies of objects: what nothing changes may be copied."""


def _is_plain(desugar: State, value: ObjectValue) -> bool:
    """An object holds values, which are no functions or objects that are known, and is not changed."""
    return value.path is None and not value.merged and value.kind not in (list, tuple, dict) \
        and value.kind not in desugar.written \
        and not any(v in desugar.objects or v in desugar.functions for v in value.attributes.values())


def _only_objects(desugar: State, target: str) -> bool:
    """A variable was given nothing but objects up to here, by assignments."""
    return target in desugar.assigned and target not in desugar.given_values


def snapshot(desugar: State, value: ObjectValue) -> ObjectValue:
    """The object as it is now, where a name may get the parts of another one."""
    if value.prefix not in desugar.apart:
        return value
    made: Any = built(desugar, value.kind, {name: load(variable) for name, variable in value.attributes.items()})
    return desugar.objects[made.id]


def _copied(desugar: State, target: str, value: ObjectValue) -> bool:
    """`target = obj`: the variables of an object of its own get what this one holds."""
    known = desugar.objects.get(target)
    desugar.fixed.add(value.kind)
    if known is None or known.prefix not in desugar.apart or known.kind is not value.kind \
            or list(known.attributes) != list(value.attributes):
        if desugar.nested(target) and (known is not None or not _only_objects(desugar, target)):
            raise escaped(desugar, desugar.place, value)
        own = ObjectValue(value.kind, desugar.names.new(target), born=desugar.out)
        desugar.apart.add(own.prefix)
        desugar.objects[own.prefix] = own
        own.attributes = {name: desugar.temporary(f"{target}_{name}") for name in value.attributes}
        desugar.objects[target] = known = own
        desugar.local.discard(target)
    names = [name for name in value.attributes if value is not known]
    for name in names:
        desugar.emit(assign(known.attributes[name], load(value.attributes[name])))
    return True


def rebind(desugar: State, target: str, value: ObjectValue) -> bool:
    """`target = obj`: the variable holds this object from here on. In a branch or a loop, where it may hold another one
    too, the attributes go to the variables of the one that was there: that is right only if nothing else holds either
    of them."""
    known = desugar.objects.get(target)
    again = target not in desugar.once and _only_objects(desugar, target) if known is None else \
        known.kind is value.kind and (value.holders or known.holders - {target} or known is value)
    if again and desugar.nested(target) and Apart not in desugar.whole and _is_plain(desugar, value):
        raise EscapeError(escaped(desugar, desugar.place, value), ObjectValue(Apart, ""))
    if known is value and (value.place is not None or not desugar.nested(target)):
        return True
    if Apart in desugar.whole and _is_plain(desugar, value) and target not in desugar.once:
        return _copied(desugar, target, value)
    value = snapshot(desugar, value)
    if value.merged or value.path is not None or desugar.nested(target) and (value.holders or target in desugar.alone):
        raise escaped(desugar, desugar.place, value)
    if desugar.nested(target) and any(v in desugar.objects or v in desugar.functions and desugar.functions[v].bound
                                      for v in value.attributes.values()):
        raise escaped(desugar, desugar.place, value)       # in a loop, what holds it may be of an earlier trip
    if not desugar.nested(target) or known is None and target in desugar.once:
        _hold(desugar, target, value)
        return True
    if known is None or known.path is not None or known.kind is not value.kind \
            or set(known.attributes) != set(value.attributes) or value.holders or known.holders - {target}:
        raise escaped(desugar, desugar.place, value)
    for name, variable in value.attributes.items():
        if variable in desugar.objects or known.attributes[name] in desugar.objects or variable in desugar.functions:
            raise escaped(desugar, desugar.place, value)
    for name, variable in value.attributes.items():
        desugar.emit(assign(known.attributes[name], load(variable)))
    known.merged = True
    return True


def _hold(desugar: State, target: str, value: ObjectValue) -> None:
    """A variable holds an object, and no longer another one."""
    if target in desugar.objects:
        desugar.objects[target].holders.discard(target)
    desugar.objects[target] = value
    value.holders.add(target)
    desugar.local.discard(target)
