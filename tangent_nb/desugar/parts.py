"""Parts of containers that grow: lists in lists and dicts.

    rows[i].extend([v, w])           →      rows[i].append(v)
                                            rows[i].append(w)
    d.setdefault(k, []).append(v)    →      if k not in d:
                                                d[k] = []
                                            d[k].append(v)
"""
from __future__ import annotations

from typing import Any

import gast

from ..syntax.nodes import call, clone, load, root_name, store, subscript
from .state import State


def extends(desugar: State, part: gast.Subscript, source: Any) -> bool:
    """`rows[i].extend(xs)`."""
    name = root_name(part)
    if name not in desugar.local or name not in desugar.varied or not _keys_kept(desugar, part):
        return False
    items: list[Any] | None = list(source.elts) if isinstance(source, (gast.List, gast.Tuple)) else None
    if items is None or any(isinstance(one, gast.Starred) for one in items):
        item = desugar.temporary("item")
        items = load(desugar.kept(desugar.expr(desugar.placed(call("%list", source))), "items"))
        body = [gast.Expr(gast.Call(gast.Attribute(part, "append", gast.Load()), [load(item)], []))]
        desugar.statement(desugar.placed(gast.For(store(item), items, body, [], None)))
        return True
    for value in [desugar.named(one, "item") for one in items]:
        desugar.statement(desugar.placed(gast.Expr(gast.Call(gast.Attribute(clone(part), "append", gast.Load()), [value], []))))
    return True


def _keys_kept(desugar: State, part: Any) -> bool:
    """The keys of a part get names, in Python's order, so that the part can be written several times; False where it is none by keys."""
    places = []
    while isinstance(part, gast.Subscript):
        if isinstance(part.slice, (gast.Slice, gast.Tuple)):
            return False
        places.append(part)
        part = part.value
    if not isinstance(part, gast.Name):
        return False
    for place in reversed(places):
        place.slice = desugar.named(place.slice, "key")
    return True


def setdefault(desugar: State, node: Any) -> Any:
    """`d.setdefault(k, v)` of a dict that the function makes."""
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "setdefault"
            and isinstance(node.func.value, gast.Name) and len(node.args) == 2 and not node.keywords):
        return None
    name = node.func.value.id
    if name not in desugar.local or name not in desugar.varied or any(isinstance(one, gast.Starred) for one in node.args):
        return None
    key, default = node.args
    key = desugar.named(key, "key")
    empty = isinstance(default, (gast.List, gast.Dict)) and not (default.elts if isinstance(default, gast.List) else default.values)
    default = default if empty else desugar.named(default, "default")
    absent = gast.Compare(clone(key), [gast.NotIn()], [load(name)])
    put = gast.Assign([subscript(name, clone(key), write=True)], default, None)
    desugar.statement(desugar.placed(gast.If(absent, [desugar.placed(put)], [])))
    return subscript(name, clone(key))
