"""What `super()` finds: in the classes after that of the method, of an object that is known, or when it runs.

Needs a method whose body is written, and the object that it belongs to. Promises the body of the method above in the
place of its call, or a call of what the classes of the object say then.

    super().__init__(x)     →        the body of __init__ of the class after this one
    super().at(x)           →        at = rt.method_above(Steep, self, "at")
                                     at(self, x)
"""
from __future__ import annotations

import types
from typing import Any

import gast

from ..analyse.displays import generator
from ..errors import RefusedError
from ..syntax.building import constant, library, load
from ..syntax.nodes import parameter_names, unparse
from . import arguments, attributes, computed, inlining
from .objects import value_of
from .state import State


def after(desugar: State, node: Any) -> type | None:
    """The class after which `super()`, or `super(B, self)`, looks."""
    if desugar.scope.builtin(node) != "super" or node.keywords or not desugar.stack:
        return None
    if node.args:
        return _named(desugar, node.args)
    fn = desugar.stack[-1]
    cell = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=False)).get("__class__")
    return None if cell is None else cell.cell_contents


def when_called(desugar: State, func: gast.Attribute, *, read: bool = False) -> gast.Call | None:
    """What `super().at` finds, where the class of the object is known when the method is called; read: of a
    property the function."""
    fn, first = desugar.captured.fn, parameter_names(desugar.captured.tree)[:1]
    base: Any = func.value
    if desugar.stack or desugar.scope.builtin(base) != "super" or base.args or base.keywords or not first \
            or len(desugar.binders[first[0]]) > 1 or func.attr == "__init__":          # which stands where it is called
        return None
    cell = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=False)).get("__class__")
    cls = cell.cell_contents if cell is not None else object
    above = next((vars(kind)[func.attr] for kind in cls.__mro__[1:] if func.attr in vars(kind)), None)
    if not isinstance(above, property if read else (types.FunctionType, staticmethod, classmethod)):
        return None                                        # of Python's own classes
    return library("rt.property_above(c, x, n)" if read else "rt.method_above(c, x, n)", x=first[0],
                   n=constant(func.attr), c=desugar.cell(cls, cls.__name__))


def _named(desugar: State, args: list[Any]) -> type | None:
    """The class of `super(B, self)` in a method, where it is the one that the name means now."""
    cls = desugar.object(args[0]) if len(args) == 2 and isinstance(args[0], (gast.Name, gast.Attribute)) else None
    same = value_of(desugar, args[1]) if isinstance(cls, type) else None
    own = value_of(desugar, desugar.selves[-1]) if desugar.selves else None
    if not isinstance(cls, type) or same is None or own is None or same is not own \
            and (same.path is None or own.path is None or unparse(same.path) != unparse(own.path)):
        return None
    desugar.assume(args[0], cls)
    return cls


def _above(desugar: State, node: Any) -> tuple[Any, Any, tuple[type, ...]]:
    """The object of `super()`, as it is written and as it is known, and the classes in which `super()` looks."""
    cls = after(desugar, node.value)
    base = desugar.selves[-1] if desugar.selves else None
    value = value_of(desugar, base) if base is not None else None
    if value is None or cls not in value.kind.__mro__:
        raise _not_known(desugar, node)
    return base, value, value.kind.__mro__[value.kind.__mro__.index(cls) + 1:]


def called(desugar: State, node: gast.Call) -> gast.expr:
    """`super().at(x)` of an object that is known."""
    func: Any = node.func
    base, value, above = _above(desugar, func)
    found = next((vars(kind)[func.attr] for kind in above if func.attr in vars(kind)), None)
    owner = next((kind for kind in above if "__init__" in vars(kind)), object)
    if func.attr == "__init__" and value.path is None and generator(owner):
        attributes.by_fields(desugar, value, owner, *arguments.one_by_one(
            desugar, node, attributes.fields(desugar, owner)))
        return constant(None)
    if isinstance(found, types.FunctionType) and desugar.inlines(found):
        return inlining.method(desugar, found, [base], node)
    if found is object.__init__:
        return constant(None)
    raise _not_known(desugar, node)


def read(desugar: State, node: gast.Attribute) -> gast.expr | None:
    """`super().area`: what a property of a class above computes, or what such a class holds."""
    if after(desugar, node.value) is None:
        found = when_called(desugar, node, read=True)
        if found is None:
            return None
        return desugar.placed(computed.called(load(desugar.kept(found, node.attr)), found.args[1], node, desugar))
    base, value, above = _above(desugar, node)
    held = next((vars(kind)[node.attr] for kind in above if node.attr in vars(kind)), None)
    if value.path is None and isinstance(held, property) and desugar.inlines(held.fget):
        return inlining.inline(desugar, held.fget, [base], {})
    if value.path is None and held is not None and not hasattr(type(held), "__get__") and above[0].__mro__ == above:
        return gast.copy_location(gast.Attribute(desugar.cell(above[0], above[0].__name__), node.attr, gast.Load()),
                                  node)
    raise _not_known(desugar, node)


def _not_known(desugar: State, node: Any) -> RefusedError:
    return desugar.refused(node, "what super() finds here is not known beforehand",
                           "the method by the name of its class, as Base.method(self, ...)")
