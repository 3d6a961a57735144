"""The paths by which statements read what lies outside of a function: names, their attributes, and their items.

    m = model.s
    y = x * m.w                    reads   model.s.w
    for row in rows: … row.k …     reads   rows[...].k   (of an item, whichever), and rows[:]   (which they are)
"""
from __future__ import annotations

import types
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..runtime.containers import NUMBERS
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.building import load
from ..syntax.nodes import children, nodes_of, reads, root_name, target_names, writes
from ..syntax.paths import path_of, root_of
from ..syntax.program import MISSING
from .effects import is_pure_function
from .flow import updated
from .one_memory import roots
from .resolve import Scope

ITEM, ORDER = "[...]", "[:]"
MOST = 12                      # steps of a path; one of more goes on for ever, as `node = node.next` does in a loop
WITHIN = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Lambda)

# a path, and what a value is: "there" what the path leads to, "near" that or what is of its memory or holds it, "new" a
# container with these items
Values = Iterable[tuple[str, str]]


def paths_read(read: Sequence[gast.stmt], body: Sequence[gast.stmt], given: Collection[str], scope: Scope) -> list[str]:
    """The paths from some parameters, and from variables outside that hold containers or objects, by which statements
    read. body: all statements of the function, in which its own names are followed to what they are assigned."""
    assigned = _assigned(body, scope)
    own = {name for stmt in body for name in writes(stmt)}
    waiting = [*dict.fromkeys(path for stmt in statements(read) for path in _asked(stmt, scope))]
    seen = {*waiting}
    for path in waiting:                                   # grows while it is gone over
        begun = {begun for start, how in assigned.get(root_of(path), ()) if (begun := _begun(path, start, how))}
        waiting += sorted(begun - seen)
        seen |= begun
    return sorted(path for path in seen if (root := root_of(path)) in given or root not in own
                  and _may_change(path, scope))


def _begun(path: str, start: str, how: str) -> str:
    """A path from a name, from where that is from; empty where it says nothing."""
    rest = path.removeprefix(root_of(path))
    if how == "new":                                       # an item of it is one of those there
        if rest == ORDER:
            return ""
        rest, how = rest.partition("]")[2] if rest[:1] == "[" and "'" not in rest else "", "there"
    found = start + (rest if how == "there" else ORDER if rest == ORDER else "")
    return found if found.count(".") + found.count("[") < MOST else root_of(found) + ITEM


def _asked(stmt: Any, scope: Scope) -> Iterator[str]:
    """The paths that a statement itself reads; what it only gives another name is read by that."""
    if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and _path(stmt.value) is not None:
        yield from _order(stmt.value.value if isinstance(stmt.value, gast.Subscript) else None, scope)
        yield from _chains(getattr(stmt.value, "slice", None), scope)
    elif isinstance(stmt, gast.For):
        yield from _order(stmt.iter, scope)
    else:
        for one in own_expressions(stmt) if is_compound(stmt) else [stmt]:
            yield from _chains(one, scope)


def _order(node: Any, scope: Scope) -> Iterator[str]:
    """Of what is gone over: which items it has, in which order."""
    path = None if node is None else _path(node)
    if path is not None:
        yield from () if path.startswith("%") else (path + ORDER,)
    elif isinstance(node, gast.Call) and scope.builtin(node):
        for one in node.args:
            yield from _order(one, scope)
    else:
        yield from _chains(node, scope)


def _assigned(body: Sequence[gast.stmt], scope: Scope) -> dict[str, set[tuple[str, str]]]:
    """For each name what it may be, or hold."""
    found: dict[str, set[tuple[str, str]]] = {}
    for stmt in statements(body):
        if isinstance(stmt, gast.Assign):
            given = [*_bound(stmt.targets, _values(stmt.value, scope))]
        elif isinstance(stmt, gast.For):
            given = [*_bound([stmt.target], [(path if how == "new" else path + ITEM, "there" if how == "new" else how)
                                             for path, how in _values(stmt.iter, scope)])]
        else:
            given = []
        for name, values in (*given, *_held(stmt, scope)):
            found.setdefault(name, set()).update(values)
    return found


def _bound(targets: Sequence[gast.expr], values: Values) -> Iterator[tuple[str, Values]]:
    for target in targets:
        if isinstance(target, gast.Name):
            yield target.id, values
        else:
            yield from ((name, _near(values)) for name in {*target_names(target), root_name(target) or ""})


def _held(stmt: Any, scope: Scope) -> Iterator[tuple[str, Values]]:
    """What a call changes may hold what else the call is given."""
    call = getattr(stmt, "value", None)
    if not isinstance(call, gast.Call) or is_pure_function(scope.value(call.func)):
        return
    receiver = [call.func.value] if isinstance(call.func, gast.Attribute) else []
    given = [one for one in (*receiver, *call.args) if not isinstance(scope.value(one), types.ModuleType)]
    changed = given[:1] if isinstance(stmt, gast.Expr) and scope.operation(call).kind == "rule" \
        else [one for one in given if root_name(one) in updated(stmt)]
    for one in changed:
        yield root_name(one) or "", _near(value for other in given if other is not one
                                          for value in _values(other, scope))


def _near(values: Values) -> set[tuple[str, str]]:
    return {(path, "near") for path, _ in values}


def _values(node: Any, scope: Scope) -> set[tuple[str, str]]:
    path = _path(node)
    if path is not None:
        return {(path, "there")} if not path.startswith("%") else set()
    if isinstance(node, gast.Call) and node.args and _has_items_of(node, scope):
        return {(path if how == "new" else path + ITEM, "new") for path, how in _values(node.args[0], scope)}
    inner = {name for one in nodes_of(node, *WITHIN) for name in reads(one)}
    return {(name, "near") for name in roots(node, scope) | inner}


def _has_items_of(node: gast.Call, scope: Scope) -> bool:
    """What a call gives is new, and has the items of its argument."""
    fn = scope.value(node.func)
    return fn is runtime.recorded or scope.builtin(node) != "" and fn is not enumerate \
        and "xs" in scope.effects(node).keeps


def _path(node: Any) -> str | None:
    """The path that an expression is.

    >>> from ..syntax.building import expr
    >>> _path(expr("a.b[i].c")), _path(expr("f().c"))
    ('a.b[...].c', None)
    """
    if (path := path_of(node)) is not None or not isinstance(node, (gast.Attribute, gast.Subscript)):
        return path
    base = _path(node.value)
    return None if base is None else base + (ITEM if isinstance(node, gast.Subscript) else f".{node.attr}")


def _chains(node: Any, scope: Scope) -> Iterator[str]:
    """The longest paths in a tree that are read, but for the functions that it calls."""
    path = None if node is None else _path(node)
    if path is not None and isinstance(node.ctx, gast.Load) and not path.startswith("%"):
        yield path
    while path is not None and not isinstance(node, gast.Name):
        if isinstance(node, gast.Subscript):
            yield from _chains(node.slice, scope)
        node = node.value
    if path is not None or node is None:
        return
    if scope.builtin(node) == "len":
        yield from _order(node, scope)
        return
    for one in children(node):
        if not (isinstance(node, gast.Call) and one is node.func):
            yield from _chains(one, scope)
        elif isinstance(one, gast.Attribute):
            yield from _chains(one.value, scope)


def _may_change(path: str, scope: Scope) -> bool:
    """A variable outside, of a module too, holds what may be a container, or hold one."""
    names = path.partition("[")[0].split(".")
    node: Any = load(names[0])
    value = scope.value(node)
    for name in names[1:]:
        if not isinstance(value, types.ModuleType):
            break
        node = gast.Attribute(node, name, gast.Load())
        value = scope.value(node)
    return value is not MISSING and value is not None and not isinstance(value, (
        *NUMBERS, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, np.ufunc, type, str, bytes))
