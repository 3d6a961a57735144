"""Loops over the values of a dict, as loops over its keys; items that are keys are asked when it runs.

Needs a body as the user wrote it, and which expressions carry a derivative.
Promises the same loops, in which only parts are read, and indices and keys that carry none:

    for key, v in p.items():          for key in p.keys():
        s = s + v              →          v = p[key]
                                          s = s + v
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..analyse.activity import dict_view, over_own_keys, views
from ..analyse.resolve import Scope
from ..analyse.taken import is_field, taken_as_keys
from ..syntax.blocks import blocks
from ..syntax.building import assign, call, clone, exchanged, library, load, mark, origin_of, store, subscript, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import nodes_of, walk, writes


def over_keys(body: Sequence[gast.stmt], names: Names, scope: Scope,
              active: Callable[[gast.expr], bool]) -> list[gast.stmt]:
    """The body with its loops over `p.items()` and `p.values()` written over `p.keys()`."""
    out: list[gast.stmt] = []
    for stmt in body:
        for block in blocks(stmt):
            block[:] = over_keys(block, names, scope, active)
        if isinstance(stmt, gast.For):
            if over_own_keys(stmt) and active(stmt.iter):
                stmt.iter = gast.Call(gast.Attribute(stmt.iter, "keys", gast.Load()), [], [])
            out += _rewritten(stmt, names, scope, active)
        out.append(stmt)
    return out


def with_checked_keys(body: list[gast.stmt], parameters: Sequence[str], scope: Scope,
                      active: Callable[[gast.expr], bool]) -> list[gast.stmt]:
    """`weights[name]` as `weights[rt.as_key(name)]`, where `name` is an item of what may carry a derivative."""
    found = [part for part in taken_as_keys(body, parameters, active) if not is_field(part, scope)]
    return exchanged(body, {id(part): library("rt.as_key(x)", x=clone(part)) for part in found}) if found else body


def _rewritten(stmt: Any, names: Names, scope: Scope, active: Callable[[gast.expr], bool]) -> list[gast.stmt]:
    """Change a loop; what has to come before it."""
    before: list[gast.stmt] = []
    first: list[gast.stmt] = []
    new: dict[int, gast.expr] = {}
    origin, bound = origin_of(stmt), writes([stmt.target, *stmt.body])
    for target, view in views(stmt.target, stmt.iter, scope):
        base = view.func.value
        if not active(base):
            continue
        copied = isinstance(base, gast.Name) and _is_copied(stmt.iter, view, scope) and base.id in _stored(stmt.body)
        if not isinstance(base, gast.Name) or base.id in bound or copied:
            name = names.new("record")
            before.append(mark(assign(name, call("%dict", base) if copied else base), origin=origin))
            base = load(name)
        key, value = _parts(target, dict_view(view), names)
        part = subscript(clone(base), load(key))
        item = part if value is not None else tuple_of([load(key), part])
        first.append(mark(gast.Assign([value if value is not None else target], item, None), origin=origin))
        if isinstance(target, gast.Tuple) and value is not None \
                and not (isinstance(target.elts[0], gast.Name) and target.elts[0].id == key):
            first.append(mark(gast.Assign([target.elts[0]], load(key), None), origin=origin))
        new[id(target)] = store(key)
        new[id(view)] = gast.Call(gast.Attribute(clone(base), "keys", gast.Load()), [], [])
    stmt.target, stmt.iter = exchanged(stmt.target, new), exchanged(stmt.iter, new)
    stmt.body[:0] = first
    return before


def _is_copied(iterable: gast.expr, view: gast.expr, scope: Scope) -> bool:
    """The loop goes over the values as they were when it began: `list(p.values())`."""
    return any(scope.effects(node).copies and any(part is view for part in walk(node)) for node in walk(iterable))


def _stored(body: Sequence[gast.stmt]) -> set[str]:
    """The dicts that get other values."""
    return {node.value.id for node in nodes_of([*body], gast.Subscript)
            if not isinstance(node.ctx, gast.Load) and isinstance(node.value, gast.Name)} | {
                node.func.value.id for node in nodes_of([*body], gast.Call) if isinstance(node.func, gast.Attribute)
                and node.func.attr == "update" and isinstance(node.func.value, gast.Name)}


def _parts(target: Any, view: str, names: Names) -> tuple[str, Any]:
    """A name for the key, and the target of the value; None where both are bound as a pair."""
    if view == "values":
        return names.new("key"), target
    if isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == 2:
        first = target.elts[0]
        return (first.id if isinstance(first, gast.Name) else names.new("key")), target.elts[1]
    return names.new("key"), None
