"""The paths by which statements read what lies outside of a function: names, their attributes, and their items.

    m = model.s
    y = x * m.w                    reads   model.s.w
    for row in rows: … row.k …     reads   rows[...].k   (of an item, whichever)
"""
from __future__ import annotations

import types
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..runtime.containers import NUMBERS
from ..syntax.blocks import statements
from ..syntax.building import load
from ..syntax.nodes import children, nodes_of, reads, root_name, target_names, writes
from ..syntax.paths import path_of, root_of
from ..syntax.program import MISSING
from .flow import updated
from .one_memory import roots
from .resolve import Scope

ITEM = "[...]"
UNCHANGED = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, np.ufunc, type, str, bytes)
MOST = 12                      # steps of a path; one of more goes on for ever, as `node = node.next` does in a loop
WITHIN = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Lambda)

Values = Iterable[tuple[str, bool]]            # paths, and whether they lead to the value, or to what it holds


def paths_read(read: Sequence[gast.stmt], body: Sequence[gast.stmt], given: Collection[str], scope: Scope) -> list[str]:
    """The paths from some parameters, and from variables outside that hold containers or objects, by which statements
    read. body: all statements of the function, in which its own names are followed to what they are assigned."""
    assigned = _assigned(body, scope)
    own = {name for stmt in body for name in writes(stmt)}
    waiting = [*dict.fromkeys(path for stmt in read for path in _chains(stmt))]
    seen = {*waiting}
    for path in waiting:                                   # grows while it is gone over
        root = root_of(path)
        begun = {_short(start + path.removeprefix(root) * whole) for start, whole in assigned.get(root, ())}
        waiting += sorted(begun - seen)
        seen |= begun
    return sorted(path for path in seen if (root := root_of(path)) in given or root not in own
                  and _may_change(path, scope))


def _assigned(body: Sequence[gast.stmt], scope: Scope) -> dict[str, set[tuple[str, bool]]]:
    """For each name what it may be, or hold."""
    found: dict[str, set[tuple[str, bool]]] = {}
    for stmt in statements(body):
        if isinstance(stmt, gast.Assign):
            given = [*_bound(stmt.targets, _values(stmt.value, scope))]
        elif isinstance(stmt, gast.For):
            given = [*_bound([stmt.target], [(path + ITEM, whole) for path, whole in _values(stmt.iter, scope)])]
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
            yield from ((name, _parts(values)) for name in {*target_names(target), root_name(target) or ""})


def _held(stmt: Any, scope: Scope) -> Iterator[tuple[str, Values]]:
    """What a call changes may hold what else the call is given."""
    call = getattr(stmt, "value", None)
    if not isinstance(call, gast.Call):
        return
    receiver = [call.func.value] if isinstance(call.func, gast.Attribute) else []
    given = [one for one in (*receiver, *call.args) if not isinstance(scope.value(one), types.ModuleType)]
    changed = updated(stmt) | {root_name(one) for one in given[:1] if isinstance(stmt, gast.Expr)}
    for one in given:
        if (name := root_name(one)) is not None and name in changed:
            yield name, _parts(value for other in given if other is not one for value in _values(other, scope))


def _parts(values: Values) -> set[tuple[str, bool]]:
    return {(path, False) for path, _ in values}


def _values(node: Any, scope: Scope) -> set[tuple[str, bool]]:
    path = _path(node)
    if path is not None:
        return {(path, True)} if not path.startswith("%") else set()
    if isinstance(node, gast.Call) and scope.value(node.func) is runtime.recorded:
        return {(path + ITEM, False) for path, _ in _values(node.args[0], scope)}
    inner = {name for one in nodes_of(node, *WITHIN) for name in reads(one)}
    return {(name, False) for name in roots(node, scope) | inner}


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


def _chains(node: Any) -> Iterator[str]:
    """The longest paths in a tree that are read, but for the functions that it calls."""
    path = _path(node)
    if path is not None and isinstance(node.ctx, gast.Load) and not path.startswith("%"):
        yield path
    while path is not None and not isinstance(node, gast.Name):
        if isinstance(node, gast.Subscript):
            yield from _chains(node.slice)
        node = node.value
    if path is not None:
        return
    for one in children(node):
        if not (isinstance(node, gast.Call) and one is node.func):
            yield from _chains(one)
        elif isinstance(one, gast.Attribute):
            yield from _chains(one.value)


def _short(path: str) -> str:
    return path if path.count(".") + path.count("[") < MOST else root_of(path) + ITEM


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
    return value is not MISSING and value is not None and not isinstance(value, (*NUMBERS, *UNCHANGED))
