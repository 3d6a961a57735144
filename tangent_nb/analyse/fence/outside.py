"""Variables outside that a call changes, and the text reads: the backward pass would read them as they are later.

Needs the calls of functions of the user that are given nothing that they could change, and yet do more than compute.
What such a function changes outside is found in its text, and in the texts of what it calls; a function without a text
is taken to leave alone what it is not given.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast
import numpy as np

from ...errors import RefusedError
from ...syntax.nodes import attributes_assigned, dotted, nodes_of, reads, root_name, walk, writes
from ...syntax.program import MISSING, Captured
from ..callables import is_plain
from ..effects import is_opaque
from ..libraries import is_library, is_user_class
from ..resolve import Scope

Place = tuple[str, int, str]


def read_outside(captured: Captured) -> set[Place]:
    """The variables outside that a text reads, and the memory that they hold."""
    return {place for name in reads(captured.tree) - writes(captured.tree) for place in _places(captured, name)}


def called_again(captured: Captured, capture: Callable[[Any], Captured]) -> list[Captured]:
    """The texts of the functions that adjoints of solvers call again, and of those that these call."""
    scope = Scope.of(captured)
    given = [operation.args[name] for node in nodes_of(captured.tree.body, gast.Call)
             if (operation := scope.operation(node)).rule is not None
             for name in operation.rule.called if name in operation.args]
    return [*_texts([scope.value(node) for node in given], capture)]


def _texts(functions: list[Any], capture: Callable[[Any], Captured]) -> Iterable[Captured]:
    """The texts of functions of the user, and of those that these call, as far as Python has them."""
    texts: dict[Any, Captured] = {}
    for one in functions:                                  # grows while it is gone over
        if isinstance(one, types.FunctionType) and not is_library(one) and one not in texts:
            try:
                text = texts[one] = capture(one)
            except RefusedError:
                continue
            functions += _called(text)
    return texts.values()


def _called(text: Captured) -> list[Any]:
    """The functions that a text names, by paths too, and the methods of the classes."""
    scope = Scope.of(text)
    paths: dict[str, Any] = {path: node for node in nodes_of(text.tree, gast.Name, gast.Attribute)
                             if (path := dotted(node)) is not None}
    found = [scope.value(paths[path]) for path in sorted(paths)]
    classes = [one for one in found if isinstance(one, type) and is_user_class(one)]
    return [*found, *(vars(one)[name] for one in classes for name in sorted(vars(one)))]


def changed_outside(fn: Any, capture: Callable[[Any], Captured], clean: Callable[[Any], bool]) -> dict[Place, str]:
    """What a call of a function may change outside of it, with the names there."""
    found: dict[Place, str] = {}
    owner = getattr(fn, "__self__", None)
    if isinstance(fn, types.BuiltinFunctionType) and not isinstance(owner, type):
        found.update(dict.fromkeys(_memory(owner), f"its {type(owner).__name__}"))
    for captured in _texts([fn], capture):
        bound, changed = _changed(captured, clean)
        for name in bound | changed:
            found.update({place: name for place in _places(captured, name) if place[0] == "memory" or name in bound})
    return found


def _changed(captured: Captured, clean: Callable[[Any], bool]) -> tuple[set[str], set[str]]:
    """The names outside of a text that it binds, and those whose memory it changes: all that it reads, where it changes
    names of its own; of classes, whose attributes alone change, where it assigns some."""
    scope = Scope.of(captured)
    bound = {name for node in nodes_of(captured.tree, gast.Global, gast.Nonlocal)
             for name in node.names}
    changed: set[str] = set()
    for node in walk(captured.tree.body):
        if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
            changed.add(root_name(node) or "")
        elif isinstance(node, gast.AugAssign):
            changed.add(root_name(node.target) or "")
        elif isinstance(node, gast.Call) and is_opaque(node, scope, clean):
            given = [getattr(node.func, "value", None), *node.args, *(k.value for k in node.keywords)]
            held = [one for one in given if isinstance(one, (gast.Name, gast.Subscript, gast.Attribute, gast.Starred))]
            changed |= {name for one in held for name in reads(one)}
    outer = reads(captured.tree) - scope.local
    if changed <= outer | bound:
        return bound, changed & outer
    assigns = bool(attributes_assigned(captured.tree.body))
    return bound, {name for name in outer if assigns or not isinstance(captured.namespace.lookup(name), type)}


def _places(captured: Captured, name: str) -> Iterator[Place]:
    cell = captured.namespace.cells.get(name)
    yield "name", id(captured.namespace.globals) if cell is None else id(cell), name if cell is None else ""
    yield from _memory(captured.namespace.lookup(name))


def _memory(value: Any) -> Iterator[Place]:
    while isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base
    if value is not MISSING and not _never_changes(value):
        yield "memory", id(value), ""


def _never_changes(value: Any) -> bool:
    """Nothing in it is changed by calls: a number, a text, a module, a function, a class of a library, a hint of
    types."""
    if isinstance(value, type):
        return not is_user_class(value)
    if type(value) is tuple:
        return all(map(_never_changes, value))
    return is_plain(value) or type(value).__module__ in ("types", "typing") \
        or isinstance(value, (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, np.ufunc))
