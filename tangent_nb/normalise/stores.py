"""Stores in containers that the function makes, as new containers under the same name; displays that take others in.

Needs an assignment to a part of a list, dict or object that no other name holds, which ownership judges by the mark
`stores`. Promises that its value before the store is still there, under the name that keeps it: nothing has to be taken
out again, whether the part was there or not. What is marked `by_place` may be put in the place of the old item instead.

    d["k"] = v             →      d = rt.with_item(d, "k", v)
    rows[i][j] = v         →      rows = rt.with_inner(rows, (i, j), v)
    rows[i].append(v)      →      rows = rt.with_appended(rows, (i,), v)
    d.update(q)            →      d = rt.merged(d, q)
    p.w = v                →      p = rt.with_field(p, "w", v)
    {**p, "w": v}          →      rt.with_item(dict(p), "w", v)
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from ..analyse.displays import exchanged_items
from ..analyse.resolve import Operation
from ..syntax.building import assign, clone, constant, index_value, library, load
from ..syntax.nodes import root_name

if TYPE_CHECKING:
    from .expressions import Expressions


def stored(lowering: Expressions, target: Any, item: gast.expr, augments: str = "") -> None:
    """`target = item`, for a part of a container. augments: the variable that holds the part's old value,
    which is added to."""
    name = root_name(target) or ""
    if isinstance(target, gast.Attribute):
        value = library("rt.with_field(p, name, v)", p=name, name=constant(target.attr), v=item)
    elif isinstance(target.value, gast.Name):
        value = library("rt.with_item(d, key, v)", d=name, key=index_value(lowering.index(target.slice)), v=item)
    else:
        keys = gast.Tuple([index_value(lowering.index(key)) for key in keys_of(target)], gast.Load())
        value = library("rt.with_inner(d, keys, v)", d=name, keys=keys, v=item)
    inner = len(keys_of(target)) if isinstance(target.value, gast.Subscript) else 0
    _emit(lowering, name, value, item, augments, inner)


def _emit(lowering: Expressions, name: str, value: gast.expr, item: gast.expr, augments: str = "",
          inner: int = 0) -> None:
    """`name = value`, a new container with an item in it."""
    if lowering.active(item):
        lowering.varied.add(name)
    marks = {"by_place": True} if name in lowering.by_place else {}
    lowering.emit(assign(name, value), stores=name, augments=augments, inner=inner, **marks)


def appended(lowering: Expressions, part: Any, item: gast.expr) -> None:
    """`part.append(item)`, for a part of a container."""
    name = root_name(part) or ""
    keys = gast.Tuple([index_value(lowering.index(key)) for key in keys_of(part)], gast.Load())
    value = lowering.value(item)
    new = library("rt.with_appended(d, keys, v)", d=name, keys=keys, v=value)
    _emit(lowering, name, new, value, inner=len(keys.elts) + 1)


def keys_of(target: Any) -> list[gast.expr]:
    """`[i, j]` of `d[i][j]`."""
    return [part.slice for part in _places(target)]


def _places(target: Any) -> list[Any]:
    """`d[i]`, then `d[i][j]`."""
    return [*_places(target.value), target] if isinstance(target, gast.Subscript) else []


def stored_sum(lowering: Expressions, target: Any, op: gast.operator, value: gast.expr) -> None:
    """`target += value`, for a part of a container."""
    target = clone(target)
    if isinstance(target, gast.Subscript):
        for part in _places(target):
            part.slice = lowering.index(part.slice)
        read: gast.expr = gast.Subscript(clone(target.value), clone(target.slice), gast.Load())
    else:
        read = gast.Attribute(clone(target.value), target.attr, gast.Load())
    old = lowering.value(read)
    item = lowering.value(gast.BinOp(old, op, value))
    stored(lowering, target, item, old.id)


def updated(lowering: Expressions, name: str, more: gast.expr) -> None:
    """`d.update(more)`."""
    item = lowering.value(more)
    _emit(lowering, name, library("rt.merged(d, q)", d=name, q=item), item)


def lowered_display(lowering: Expressions, node: Any, operation: Operation) -> gast.expr:
    """A display, or `p._replace(w=v)`, of names and literals."""
    if operation.kind == "replaced":
        return _replaced(lowering, operation)
    if isinstance(node, gast.Dict) and None in node.keys:
        return _merged(lowering, node)
    new = exchanged_items(node, lowering.value)
    if isinstance(new, gast.Dict):
        new.keys = [lowering.index(key) for key in new.keys]
    return new


def _replaced(lowering: Expressions, operation: Operation) -> gast.expr:
    base, *changes = operation.args.items()
    value = lowering.value(base[1])
    items = [(name, lowering.value(item)) for name, item in changes]
    for name, item in items[:-1]:
        value = lowering.named(library("rt.replaced(p, name, v)", p=value, name=constant(name), v=item), value)
    name, item = items[-1]
    return library("rt.replaced(p, name, v)", p=value, name=constant(name), v=item)


def _merged(lowering: Expressions, node: Any) -> gast.expr:
    """`{"a": v, **p, "b": w}`: a dict of what comes first, then one thing after the other."""
    start = node.keys.index(None)
    if start:
        total: gast.expr = lowered_display(lowering, gast.Dict(node.keys[:start], node.values[:start]),
                                           Operation("container"))
    else:
        total, start = gast.Call(load("%dict"), [lowering.value(node.values[0])], []), 1
    for key, value in zip(node.keys[start:], node.values[start:], strict=True):
        known = lowering.named(total, gast.Dict([], []))
        item = lowering.value(value)
        if key is None:
            total = gast.BinOp(known, gast.BitOr(), item)
        else:
            total = library("rt.with_item(d, key, v)", d=known, key=lowering.index(key), v=item)
    return total
