"""`f(x, **d)` with its keywords by name, where it is known which ones d holds.

Needs the text of a function. Promises the same text where nothing is known; else the calls by name. It is known of a
dict that the function makes, and only reads: what its display holds, and what is stored in it, in the block that makes
it, before the call.

    d = {"b": u}                       d = {"b": u}
    d["c"] = x              →          d["c"] = x
    return h(x, **d)                   return h(x, b=d["b"], c=d["c"])
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast

from ..analyse.resolve import UNTOLD, Scope
from ..rules.effects import method_row
from ..syntax.blocks import blocks
from ..syntax.building import exchanged, subscript
from ..syntax.nodes import nodes_in, writes
from ..syntax.program import Namespace
from .scopes import bindings, located, own, visible


def by_name(tree: gast.FunctionDef, namespace: Namespace) -> gast.FunctionDef:
    """The text with the keywords by name; the same text where none are known."""
    calls = [node for node in own(tree.body) if isinstance(node, gast.Call) and _passed_on(node)]
    if not calls:
        return tree
    scope = Scope(namespace, writes(tree))
    keys: dict[int, Mapping[str, Sequence[str]]] = {}      # of each call: what is known of the dicts that it passes on
    for name in {name for call in calls for name in _passed_on(call)}:
        for call, known in _keys(tree, name, scope):
            keys[id(call)] = {**keys.get(id(call), {}), name: known}
    made = {id(call): new for call in calls if (new := _written(call, keys.get(id(call), {}))) is not None}
    return by_name(exchanged(tree, made), namespace) if made else tree       # a call may stand in another one


def only_read(tree: gast.FunctionDef, name: str, scope: Scope, stores: Sequence[gast.AST] = ()) -> bool:
    """A dict is bound once, and neither changed, but by `stores`, nor given to what may change it."""
    if len(bindings(tree).get(name, [])) != 1:
        return False
    fine = {id(node.value) for node in stores if isinstance(node, gast.Subscript)}
    for node in nodes_in(gast.Module(tree.body, [])):
        fine.update(map(id, _reads(node, scope)))
    return all(id(node) in fine or not isinstance(node.ctx, gast.Load) for node in visible(tree.body, name))


def _reads(node: Any, scope: Scope) -> list[Any]:
    """What a node reads of its parts, and keeps nothing of."""
    if isinstance(node, gast.Call):
        row = scope.effects(node)
        of_dict = method_row(dict, node.func.attr) if isinstance(node.func, gast.Attribute) else None
        return [*(k.value for k in node.keywords if k.arg is None),
                *(node.args if row.pure and row is not UNTOLD and not row.holds and row.gives != "self" else ()),
                *([node.func.value] if of_dict is not None and of_dict.pure else [])]
    if isinstance(node, gast.Subscript):
        return [node.value] if isinstance(node.ctx, gast.Load) else []
    if isinstance(node, gast.Compare):
        return node.comparators if all(isinstance(op, (gast.In, gast.NotIn)) for op in node.ops) else []
    if isinstance(node, (gast.For, gast.comprehension)):
        return [node.iter]
    if isinstance(node, (gast.If, gast.IfExp, gast.While)):
        return [node.test]
    if isinstance(node, gast.UnaryOp):
        return [node.operand]
    if isinstance(node, gast.Dict):
        return [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
    return []


def _passed_on(call: gast.Call) -> list[str]:
    return [k.value.id for k in call.keywords if k.arg is None and isinstance(k.value, gast.Name)]


def _keys(tree: gast.FunctionDef, name: str, scope: Scope) -> Iterator[tuple[gast.Call, Sequence[str]]]:
    """The calls before which it is known what keys a dict has."""
    places = [(block, i) for block in _blocks(tree.body) for i, stmt in enumerate(block) if _binds(stmt, name)]
    if len(places) != 1:
        return
    block, start = places[0]
    first: Any = block[start]
    keys = _displayed(first.value, scope)
    if keys is None:
        return
    later = {id(stmt): key for stmt in block[start + 1:] if (key := _stored(stmt, name)) is not None}
    stores = [stmt.targets[0] for part in _blocks(tree.body) for stmt in part
              if (key := _stored(stmt, name)) is not None and (key in keys or id(stmt) in later)]
    if not only_read(tree, name, scope, stores):
        return
    seen = {id(node) for node in visible(tree.body, name)}         # and not the target of a comprehension
    for stmt in block[start + 1:]:
        waiting = {id(part) for node in own(stmt) if isinstance(node, gast.GeneratorExp) for part in nodes_in(node)}
        for node in own(stmt):
            if isinstance(node, gast.Call) and id(node) not in waiting \
                    and any(k.arg is None and id(k.value) in seen for k in node.keywords):
                yield node, list(keys)
        if id(stmt) in later and later[id(stmt)] not in keys:
            keys = [*keys, later[id(stmt)]]


def _blocks(body: list[gast.stmt]) -> Iterator[list[gast.stmt]]:
    yield body
    for stmt in body:
        for block in [] if isinstance(stmt, (gast.FunctionDef, gast.ClassDef)) else blocks(stmt):
            yield from _blocks(block)


def _binds(stmt: Any, name: str) -> bool:
    return isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Name) \
        and stmt.targets[0].id == name


def _stored(stmt: Any, name: str) -> str | None:
    """The key in `d["c"] = …`."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 else None
    if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) and target.value.id == name \
            and isinstance(target.slice, gast.Constant) and isinstance(target.slice.value, str):
        return target.slice.value
    return None


def _displayed(node: Any, scope: Scope) -> list[str] | None:
    """The keys of `{"b": u}` and `dict(b=u)`."""
    if isinstance(node, gast.Dict) and all(isinstance(key, gast.Constant) and isinstance(key.value, str)
                                           for key in node.keys):
        return list(dict.fromkeys(key.value for key in node.keys))
    if isinstance(node, gast.Call) and scope.builtin(node) == "dict" and not node.args \
            and all(k.arg is not None for k in node.keywords):
        return [k.arg for k in node.keywords]
    return None


def _written(call: gast.Call, known: Mapping[str, Sequence[str]]) -> gast.Call | None:
    """A call with what is known of its keywords by name; None where that is nothing, or one would be given twice."""
    keywords: list[gast.keyword] = []
    for keyword in call.keywords:
        name = keyword.value.id if keyword.arg is None and isinstance(keyword.value, gast.Name) else None
        keywords += [keyword] if name not in known or name is None else [
            gast.keyword(key, located(subscript(name, gast.Constant(key, None)), keyword.value)) for key in known[name]]
    names = [k.arg for k in keywords if k.arg is not None]
    if len(set(names)) < len(names) or not all(map(str.isidentifier, names)) or not known:
        return None
    return gast.copy_location(gast.Call(call.func, call.args, keywords), call)
