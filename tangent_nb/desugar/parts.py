"""Lists that grow, also those in lists and dicts.

    values.extend(xs)                →      for item in xs:
                                                values.append(item)
    rows[i].extend([v, w])           →      rows[i].append(v)
                                            rows[i].append(w)
    d.setdefault(k, []).append(v)    →      if k not in d:
                                                d[k] = []
                                            d[k].append(v)
"""
from __future__ import annotations

from typing import Any

import gast

from ..syntax.building import call, clone, load, store, subscript
from ..syntax.nodes import names_in, root_name
from . import containers
from .state import State


def append(target: gast.expr | str, item: gast.expr) -> gast.stmt:
    """`L.append(item)`."""
    base = load(target) if isinstance(target, str) else clone(target)
    return gast.Expr(gast.Call(gast.Attribute(base, "append", gast.Load()), [item], []))


def extend(desugar: State, target: Any, source: Any) -> None:
    """`L.extend(xs)`, of a list that a name holds, or that is a part by keys that have names;
    xs may read what is there before."""
    own = not isinstance(target, gast.Name) or target.id in names_in(source)
    if isinstance(source, (gast.List, gast.Tuple)) and not any(isinstance(item, gast.Starred) for item in source.elts):
        for part in [desugar.named(item, "item") for item in source.elts] if own else desugar.operands(source.elts):
            desugar.statement(desugar.placed(append(target, part)))
        return
    if own:
        source = load(desugar.kept(desugar.expr(desugar.placed(call("%list", source))), "items"))
    item = desugar.temporary("item")
    desugar.statement(desugar.placed(gast.For(store(item), source, [append(target, load(item))], [], None)))


def extends(desugar: State, stmt: gast.Expr) -> bool:
    """The same as a statement."""
    node = stmt.value
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "extend") \
            or len(node.args) != 1 or node.keywords:
        return False
    target, name = node.func.value, root_name(node.func.value)
    if name not in desugar.local or name in desugar.functions or not (
            name in desugar.varied or containers.kind(desugar, target) is list) or not _keys_kept(desugar, target):
        return False
    extend(desugar, target, node.args[0])
    return True


def _keys_kept(desugar: State, part: Any) -> bool:
    """The keys of a part get names, in Python's order, so that the part can be written several times;
    False where it is none by keys."""
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
    """`d.setdefault(k, v)`."""
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "setdefault"
            and isinstance(node.func.value, gast.Name) and len(node.args) == 2 and not node.keywords):
        return None
    name = node.func.value.id
    key, default = node.args
    made = isinstance(default, (gast.List, gast.Dict))
    if name not in desugar.local or any(isinstance(one, gast.Starred) for one in node.args) \
            or name not in desugar.varied and (made or not containers.is_own(desugar, node.func.value, dict)):
        return None
    key = desugar.named(key, "key")
    empty = made and not (default.elts if isinstance(default, gast.List) else default.values)
    default = default if empty else desugar.named(default, "default")
    absent = gast.Compare(clone(key), [gast.NotIn()], [load(name)])
    put = gast.Assign([subscript(name, clone(key), write=True)], default, None)
    desugar.statement(desugar.placed(gast.If(absent, [desugar.placed(put)], [])))
    return subscript(name, clone(key))
