"""Functions of the user that run without being called by name: operators, properties, what `for`, `if` and `with` ask.

Needs a text. Promises those of the objects outside that it names, and of those that it makes; others are not seen.

    -h                  H.__neg__           h.area              the getter, or H.__getattr__
    for v in h: ...     H.__iter__          with h: ...         H.__enter__, H.__exit__
    t = h; show(h)      any of these, but for what binds or changes parts: that stands in a text of its own
"""
from __future__ import annotations

import functools
import operator
import types
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import gast

from .. import runtime
from ..runtime.containers import is_generated_method
from ..syntax.nodes import nodes_of, target_names, walk
from ..syntax.program import MISSING
from .libraries import is_ours, is_user_class, of_library
from .resolve import Scope

NOT_BY_ITSELF = ("__call", "__init", "__new", "__post", "__class", "__enter", "__exit", "__getattr", "__set", "__del")
GONE_OVER = ("__iter_", "__next", "__getitem", "__len")
ENTERED = ("__enter", "__exit")
MOST = 1000            # items of a container that are looked into
MADE = object()        # an object that the text makes


def implicit_calls(body: Any, scope: Scope) -> Iterator[tuple[Any, Any, list[types.FunctionType]]]:
    """The places where objects outside run functions of their classes, with the objects and these functions."""
    around: dict[int, Any] = {}
    ours: set[int] = set()
    for node in walk(body):
        if isinstance(node, gast.Call) and _leaves_alone(scope.value(node.func)):
            ours.update(map(id, node.args))
        if isinstance(node, (gast.Attribute, gast.Call, gast.withitem, gast.For, gast.comprehension)):
            part = node.value if isinstance(node, gast.Attribute) else node.func if isinstance(node, gast.Call) \
                else node.context_expr if isinstance(node, gast.withitem) else node.iter
            around[id(part)] = node
    made = _made(body, scope)
    for node in walk(body):
        if isinstance(node, (gast.Name, gast.Attribute)) and isinstance(node.ctx, gast.Load) and id(node) not in ours:
            value = scope.value(node)
            for one in objects_in(value) if value is not MISSING else ():
                if found := _run_by(type(one), own_attributes(one), around.get(id(node)) if one is value else None):
                    yield node, one, found
        for kind in _classes(node, scope, made):
            if found := _run_by(kind, None, around.get(id(node))):
                yield node, MADE, found


def _leaves_alone(fn: Any) -> bool:
    """A helper of generated code that looks at what it is given, or keeps it, and runs nothing of it."""
    home = getattr(fn, "__module__", "")
    return is_ours(fn) and home.startswith(runtime.__name__) and home != runtime.computed.__module__


def _made(body: Any, scope: Scope) -> dict[str, list[type]]:
    """The variables of a text that are bound to new objects of the user's classes."""
    found: dict[str, list[type]] = {}
    for stmt in nodes_of(body, gast.Assign):
        for name in target_names(stmt.targets[0]) if isinstance(stmt.value, gast.Call) else ():
            found.setdefault(name, []).extend(_classes(stmt.value, scope, {}))
    return found


def _classes(node: Any, scope: Scope, made: dict[str, list[type]]) -> list[type]:
    if isinstance(node, gast.Name):
        return made.get(node.id, []) if isinstance(node.ctx, gast.Load) else []
    cls = scope.value(node.func) if isinstance(node, gast.Call) else None
    return [cls] if isinstance(cls, type) and _is_users(cls) else []


def _is_users(cls: type) -> bool:
    return is_user_class(cls) and not is_ours(cls)


def objects_in(value: Any) -> Iterator[Any]:
    """An object of the user, or those in a container."""
    waiting, seen = [value], set[int]()
    for one in waiting:                                    # grows while it is gone over
        if id(one) in seen or len(waiting) > MOST:
            continue
        seen.add(id(one))
        if isinstance(one, dict):
            waiting += [*one.values()]
        elif isinstance(one, (list, tuple, set, deque)):
            waiting += [*one]
        if _is_users(type(one)):
            yield one


def read_methods(kind: type) -> list[types.FunctionType]:
    """What may run where an object of a class is given away: operators and properties, but those that change it as the
    text says where they stand."""
    return [one for name, value in _members(kind).items()
            for one in [value.fget if isinstance(value, property) else value if _runs_by_itself(name) else None]
            if isinstance(one, types.FunctionType)]


def _runs_by_itself(name: str) -> bool:
    in_place = hasattr(operator, name) and name[:3] == "__i" and hasattr(operator, f"__{name[3:]}")
    return name.startswith("__") and name.endswith("__") and not name.startswith(NOT_BY_ITSELF) and not in_place


def _run_by(kind: type, own: dict[str, Any] | None, around: Any) -> list[types.FunctionType]:
    """What runs at a place. own: what the object holds, None where nobody knows; around: what the object is the
    receiver, the function, the manager or the iterable of."""
    if isinstance(around, gast.Call):
        return []                                          # a call, which is judged as one
    if isinstance(around, gast.Attribute):
        return _of_attribute(kind, own, around.attr)
    if around is None:
        return read_methods(kind)
    names = ENTERED if isinstance(around, gast.withitem) else GONE_OVER
    return [one for name, one in _members(kind).items()
            if name.startswith(names) and isinstance(one, types.FunctionType)]


def _of_attribute(kind: type, own: dict[str, Any] | None, name: str) -> list[types.FunctionType]:
    members = _members(kind)
    found = members.get(name, MISSING)
    getter: list[Any] = [found.fget] if isinstance(found, property) else \
        [found.func] if isinstance(found, functools.cached_property) and name not in (own or ()) else \
        [vars(type(found))["__get__"]] if "__get__" in vars(type(found)) and is_user_class(type(found)) else []
    if found is MISSING and own is not None and name not in own:
        getter.append(members.get("__getattr__"))
    return [one for one in (*getter, members.get("__getattribute__")) if isinstance(one, types.FunctionType)]


def own_attributes(value: Any) -> dict[str, Any]:
    """What an object holds, in slots too, without asking it."""
    found: dict[str, Any] = {}
    for kind in type(value).__mro__:
        for name, field in vars(kind).items():
            if isinstance(field, types.MemberDescriptorType) and is_user_class(kind):
                with suppress(AttributeError):             # nothing yet
                    found[name] = field.__get__(value)
    with suppress(AttributeError):
        held = object.__getattribute__(value, "__dict__")
        found.update(held if isinstance(held, dict) else {})
    return found


def _members(kind: type) -> dict[str, Any]:
    """What the classes of the user among the bases of one define, by name; not what a decorator wrote into them."""
    found: dict[str, Any] = {}
    for base in kind.__mro__:
        if is_user_class(base):
            for name in sorted(vars(base)):
                found.setdefault(name, vars(base)[name])
    return {name: one for name, one in found.items() if not (isinstance(one, types.FunctionType) and (
        is_generated_method(one) or of_library(one.__globals__.get("__name__") or "")))}
