"""What lies outside of a text, as places: variables there, arrays and containers by their memory, and what holds some.

    K[i], box.k, D["k"]      →      ("memory", id of the array that is changed, "")
"""
from __future__ import annotations

import functools
import inspect
import types
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

import gast
import numpy as np

from ...syntax.blocks import statements
from ...syntax.nodes import children, literal, parameter_names, reads, root_name, walk
from ...syntax.program import MISSING, Captured
from ..callables import is_plain
from ..flow import bound_by
from ..implicit import own_attributes
from ..libraries import is_user_class
from ..resolve import Scope
from .namespaces import Place, of_module


def name_of_changed(node: Any, scope: Scope) -> str:
    """How a message calls what is changed: by its variable, of this module or of another."""
    variable = next((part.attr for part in walk(node) if isinstance(part, gast.Attribute)
                     and of_module(part, scope) is not None), None)
    return variable or root_name(node) or "it"


def known(node: Any, scope: Scope) -> Any:
    """What an expression means now, or the longest beginning of it of which that is known: `box.k` of `box.k[i]`."""
    if isinstance(node, gast.Starred):
        return known(node.value, scope)
    if (value := scope.value(node)) is not MISSING or not isinstance(node, (gast.Attribute, gast.Subscript)):
        return value
    of = known(node.value, scope)
    if isinstance(node, gast.Attribute):
        return own_attributes(of).get(node.attr, of)
    key = literal(node.slice, MISSING)
    try:
        return of[key] if isinstance(of, (list, tuple, dict)) and key is not MISSING else of
    except (LookupError, TypeError):
        return of


def of_receiver(node: Any, receiver: Any) -> Any:
    """What an expression of a method means now, for an object; of a part whose place is not known that of which it is
    one. MISSING where code of the class says.

    self.k[i]      →      the array k of the object
    """
    if isinstance(node, gast.Name):
        return receiver
    base = of_receiver(node.value, receiver) if isinstance(node, (gast.Attribute, gast.Subscript)) else MISSING
    if isinstance(node, gast.Attribute) and base is not MISSING:
        own, shared = own_attributes(base), inspect.getattr_static(type(base), node.attr, None)
        return own[node.attr] if node.attr in own else MISSING if hasattr(type(shared), "__get__") else shared
    return base


def held(value: Any) -> Iterator[Place]:
    """The arrays, containers and objects of the user that a value is, or holds at any depth."""
    waiting, seen = [value], {id(MISSING)}
    for one in waiting:                                    # grows while it is gone over
        if id(one) in seen or _never_changes(one):
            continue
        seen.add(id(one))
        if isinstance(one, (np.ndarray, list, dict, set, deque)) or is_user_class(type(one)):
            yield from memory(one)
        waiting += parts_of(one)


def parts_of(value: Any) -> Iterable[Any]:
    """What a value holds: a container, an object of the user, a function with what it is bound to."""
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, (list, tuple, set, deque)):
        return value
    if isinstance(value, functools.partial):
        return [*value.args, *value.keywords.values()]
    if isinstance(value, (types.MethodType, types.BuiltinMethodType)):
        return [value.__self__]
    if isinstance(value, weakref.ref):
        return [value()]
    return () if isinstance(value, (type, types.ModuleType, types.FunctionType)) else own_attributes(value).values()


def places_of(captured: Captured, name: str) -> Iterator[Place]:
    cell = captured.namespace.cells.get(name)
    yield "name", id(captured.namespace.globals) if cell is None else id(cell), name if cell is None else ""
    yield from memory(captured.namespace.lookup(name))


def memory(value: Any) -> Iterator[Place]:
    while isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base
    if value is not MISSING and not _never_changes(value):
        yield "memory", id(value), ""


def _never_changes(value: Any) -> bool:
    """Nothing in it is changed by calls: a number, a text, a module, a function, a class of a library, a hint of
    types; a proxy of something, which raises once that is gone, is not looked through."""
    if type(value) in weakref.ProxyTypes:
        return True
    if isinstance(value, type):
        return not is_user_class(value)
    if type(value) is tuple:
        return all(map(_never_changes, value))
    return is_plain(value) or type(value).__module__ in ("types", "typing") \
        or isinstance(value, (types.ModuleType, types.FunctionType, np.ufunc))


def is_memory(scope: Scope, node: gast.expr, plain: AbstractSet[str]) -> bool:
    """The argument may be something that a call can change. plain: names of numbers and texts."""
    if isinstance(node, (gast.Constant, gast.BinOp, gast.Compare, gast.JoinedStr)) \
            or isinstance(node, gast.Name) and node.id in plain:
        return False
    if isinstance(scope.value(node), types.FunctionType):
        return False                                       # a function by its name
    operation = scope.operation(node)
    if operation.kind == "rule" and operation.rule is not None and operation.memory == "fresh":
        return False
    return bool(reads(node))


def plain_names(tree: gast.FunctionDef, scope: Scope) -> set[str]:
    """The variables that are never anything but numbers of Python and texts, as far as the text says."""
    given: dict[str, list[Any]] = {}
    for stmt in statements(tree.body):
        bound = dict.fromkeys(bound_by(stmt))
        if isinstance(stmt, gast.Assign):
            bound |= {target.id: stmt.value for target in stmt.targets if isinstance(target, gast.Name)}
        elif isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            bound[stmt.target.id] = stmt.value
        elif isinstance(stmt, gast.For) and (counts := _counter(stmt, scope)) is not None:
            bound[counts.id] = gast.Constant(0, None)
        for name, value in bound.items():
            given.setdefault(name, []).append(value)
    found = given.keys() - {*parameter_names(tree)}
    while wrong := {name for name in found if not all(_is_plain(value, found, scope) for value in given[name])}:
        found -= wrong
    return found


def _counter(stmt: gast.For, scope: Scope) -> Any:
    """The name that counts in a loop."""
    called = scope.builtin(stmt.iter)
    several = isinstance(stmt.target, gast.Tuple) and called == "enumerate"
    target = stmt.target.elts[0] if several else stmt.target if called == "range" else None
    return target if isinstance(target, gast.Name) else None


def _is_plain(node: Any, names: AbstractSet[str], scope: Scope) -> bool:
    if isinstance(node, gast.Name):
        return node.id in names
    if isinstance(node, (gast.BinOp, gast.UnaryOp)):
        return all(_is_plain(one, names, scope) for one in children(node) if isinstance(one, gast.expr))
    if isinstance(node, gast.Call):
        return scope.builtin(node) != "" and scope.effects(node).gives == "plain"
    return isinstance(node, (gast.Constant, gast.JoinedStr))


def method_outside(node: gast.Call, scope: Scope) -> Any:
    """The method of a container outside that a call calls; None for other calls."""
    if not isinstance(node.func, gast.Attribute) or root_name(node.func) in scope.local:
        return None
    value = known(node.func.value, scope)
    own = isinstance(value, (list, dict, set, deque)) and not is_user_class(type(value))
    return getattr(value, node.func.attr, None) if own else None
