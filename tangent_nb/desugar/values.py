"""Functions as values that are known before the program runs.

A function value is a pair of code and environment. What it is bound to (variables that a nested function reads,
arguments of a `partial`, the object of a method) is written as arguments of the call, so that a call of it is a call of
a function without an environment: closure conversion. J. Reynolds, "Definitional interpreters for higher-order
programming languages" (1972).

    def g(t): return t * w           →      g(x, w=w)     with     def g(t, *, w): return t * w
    g(x)
"""
from __future__ import annotations

import builtins
import functools
import importlib
import inspect
import random
import sys
import types
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from ..compiled import uncompiled
from ..rules import lookup
from ..runtime.attributes import own_dict
from ..runtime.computed import works_as
from ..runtime.containers import AS_THE_USERS
from ..syntax.building import clone, exchanged, load
from ..syntax.nodes import names_in, nodes_of
from ..syntax.program import MISSING, Namespace, is_holder, member, named_in

LIBRARIES = ("numpy", "scipy", "jax", "jaxlib", "torch", "numba", "sklearn", "pandas", "matplotlib", "builtins",
             "tangent_nb")


@dataclass(frozen=True)
class FunctionValue:
    """A function, how it is written here, and what it is bound to: first arguments, and keywords. params: its
    parameters that may be given by position, where it is bound to some of them by keyword; more: what is given by
    position after those, by its names; in_place: it shares variables with the function around it, and its body has to
    stand where it is called; itself: the object that is called, which it is wherever it is only read."""

    fn: Any
    func: gast.expr
    first: tuple[gast.expr, ...] = ()
    keywords: tuple[tuple[str, gast.expr], ...] = ()
    params: tuple[str, ...] = ()
    in_place: bool = False
    more: tuple[str, ...] = ()
    itself: gast.expr | None = None

    @property
    def plain(self) -> gast.expr | None:
        """What it is where it is read; None where that has to be put together."""
        return self.itself if self.itself is not None else None if self.bound else self.func

    def call(self, args: Sequence[gast.expr], keywords: Sequence[gast.keyword]) -> gast.Call:
        """A call of it."""
        if self.more:
            own = max(len(self.params) - len(self.first), 0)
            keywords = [*(gast.keyword(name, one) for name, one in zip(self.more, args[own:])), *keywords]
            args = args[:own]
        given = {keyword.arg for keyword in keywords} | set(self.params[:len(self.first) + len(args)])
        bound = [gast.keyword(name, clone(value)) for name, value in self.keywords if name not in given]
        func = clone(self.func)
        func.made = True
        return gast.Call(func, [*map(clone, self.first), *args], [*keywords, *bound])

    @property
    def bound(self) -> tuple[gast.expr, ...]:
        """What it is bound to."""
        return *self.first, *(value for _, value in self.keywords)

    @property
    def shape(self) -> tuple[Any, ...]:
        """What calls of it look like, whatever it is bound to."""
        return self.fn, len(self.first), tuple(name for name, _ in self.keywords)


@dataclass
class ObjectValue:
    """An object: its class, and the variable of each attribute; path: how it is reached, where it is not made here;
    holders: the variables and attributes that hold it; born: the block in which it is made; merged: on another way
    another object has these variables, so that one variable alone may hold it; place: where the display stands that it
    is written for; base: what its variables are called after."""

    kind: type
    prefix: str
    attributes: dict[str, str] = field(default_factory=dict)
    path: gast.expr | None = None
    holders: set[str] = field(default_factory=set)
    merged: bool = False
    born: Any = None
    place: Any = None
    base: str = ""


@dataclass(frozen=True)
class Container:
    """What a name holds that holds a container: its class; or_number: or a number, as `x.tolist()` of an array without
    dimensions is; length: the most items that a deque keeps, 0 for all, -1 for what a variable holds."""

    kind: type
    or_number: bool = False
    length: int = 0


@dataclass(frozen=True)
class Default:
    """Stands, among the classes that a text was written again for, for an attribute that objects of a class have from
    it, until one is set on some path only: they have their own from the beginning."""

    kind: type
    name: str


def with_variables(node: Any, objects: Mapping[str, ObjectValue]) -> Any:
    """An expression with the variables in the places of the attributes that they hold."""
    if not objects:
        return node
    found = {id(one): name for one in nodes_of(node, gast.Attribute) if (name := variable_of(one, objects))}
    return exchanged(node, {place: load(name) for place, name in found.items()}) if found else node


def variable_of(node: Any, objects: Mapping[str, ObjectValue]) -> str:
    """The variable of `p.a.x`, where p is an object of the text; empty where there is none."""
    base = node.value.id if isinstance(node.value, gast.Name) \
        else variable_of(node.value, objects) if isinstance(node.value, gast.Attribute) else ""
    return objects[base].attributes.get(node.attr, "") if base in objects else ""


def whole_in(node: Any, objects: Mapping[str, ObjectValue], varied: Set[str]) -> set[str]:
    """The objects of the text that an expression names as a whole, and that hold what is varied, or hold objects that
    do."""
    found: set[str] = set()
    for name in names_in(node) if objects else ():
        todo, seen = [name] if name in objects else [], {name}
        while todo:
            held = set(objects[todo.pop()].attributes.values()) - seen
            seen |= held
            todo += held & objects.keys()
        if len(seen) > 1 and not seen.isdisjoint(varied):
            found.add(name)
    return found


@dataclass(frozen=True)
class Held:
    """Displays that are to be variables, by their places, and what these are called after (`held.py`)."""

    places: tuple[tuple[Any, str], ...]


@dataclass(frozen=True)
class Rows:
    """What the objects in a list hold: their class, the attributes that are in the list,
    and those that are functions."""

    kind: type
    held: tuple[str, ...]
    known: dict[str, FunctionValue]


def object_of(node: gast.AST, namespace: Namespace, local: set[str] | frozenset[str]) -> Any:
    """The object that a dotted name means now, or MISSING: modules, classes, and plain attributes of objects."""
    if isinstance(node, gast.Name):
        return MISSING if node.id in local or node.id.startswith("%") else namespace.lookup(node.id)
    if not isinstance(node, gast.Attribute):
        return MISSING
    base = object_of(node.value, namespace, local)
    if base is MISSING:
        return MISSING
    if isinstance(base, (types.ModuleType, type)):
        return named_in(base, node.attr)
    return member(base, node.attr) if is_holder(base, node.attr) else plain_attribute(base, node.attr)


def plain_attribute(base: Any, name: str) -> Any:
    """An attribute that is a value of the object or of its class, found without running code of the user;
    else MISSING."""
    if not is_user_object(base):
        return MISSING
    if inspect.getattr_static(type(base), "__getattribute__") is not object.__getattribute__ \
            and type(base) is not types.SimpleNamespace:
        return MISSING
    found = inspect.getattr_static(base, name, MISSING)
    if isinstance(found, types.MemberDescriptorType):          # a slot
        return getattr(base, name, MISSING)
    return MISSING if hasattr(type(found), "__get__") and name not in own_dict(base) \
        else uncompiled(found)


def imported(node: Any, name: str, scope: dict[str, Any]) -> Any:
    """What an import statement binds a name to, or MISSING."""
    try:
        for alias in node.names:
            if (alias.asname or alias.name).partition(".")[0] != name:
                continue
            if isinstance(node, gast.ImportFrom):
                package = scope.get("__package__") or None
                module = importlib.import_module("." * (node.level or 0) + (node.module or ""), package)
                if hasattr(module, alias.name):
                    return uncompiled(getattr(module, alias.name))
                return importlib.import_module(f"{module.__name__}.{alias.name}")
            module = importlib.import_module(alias.name)
            return module if alias.asname else importlib.import_module(name)
    except Exception:
        return MISSING
    return MISSING


def module_of(scope: dict[str, Any]) -> types.ModuleType | None:
    """The module that globals belong to, where it can be found again."""
    module = sys.modules.get(scope.get("__name__", ""))
    return module if module is not None and vars(module) is scope else None


def is_foreign(module: str | None) -> bool:
    """A module whose texts are not differentiated."""
    return (module or "").partition(".")[0] in LIBRARIES and module not in AS_THE_USERS


def is_user_object(value: Any) -> bool:
    """An instance of a class that is written in Python, and not in a library of numbers."""
    kind = type(value)
    if isinstance(value, (type, types.ModuleType, types.FunctionType, types.MethodType, np.ndarray, np.generic,
                          functools.partial, random.Random)):
        return False
    return not is_foreign(kind.__module__) \
        and kind.__module__ not in ("builtins", "_functools")


def member_of(kind: type, name: str) -> tuple[str, Any] | None:
    """The same for objects of a class; what its metaclass has belongs to the class, and not to them."""
    found = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    if isinstance(found, types.FunctionType):
        return "method", uncompiled(found)
    if works_as(found, staticmethod) and isinstance(uncompiled(found.__func__), types.FunctionType):
        return "static", uncompiled(found.__func__)
    if works_as(found, classmethod) and isinstance(found.__func__, types.FunctionType):
        return "class", found.__func__
    if works_as(found, property) and isinstance(found.fget, types.FunctionType):
        return "property", found.fget
    return None


def is_callable_value(value: Any) -> bool:
    """A value whose call can be differentiated: a function with a row or a text, or what binds one."""
    if value is MISSING or isinstance(value, type):
        return False
    if isinstance(value, (types.FunctionType, types.MethodType, functools.partial)) or has_row(value):
        return True
    return is_user_object(value) and member_of(type(value), "__call__") is not None or is_cached(value)


def is_cached(value: Any) -> bool:
    """A function behind `functools.lru_cache`, which changes nothing but the time it takes."""
    return isinstance(value, functools._lru_cache_wrapper)


def is_builtin(value: Any) -> bool:
    """A function of Python, by the name that it always has."""
    return getattr(builtins, getattr(value, "__name__", ""), None) is value


def has_row(value: Any) -> bool:
    """There is a row of the table for a value."""
    try:
        return lookup(value) is not None
    except TypeError:
        return False
