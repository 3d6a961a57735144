"""Methods that change dicts and sets which nothing else holds, as new dicts and sets.

    item = d.pop(key, v)     →      if key in d:
                                        item = d[key]
                                        d = rt.without(d, key)
                                    else:
                                        item = v
    seen.add(k)              →      seen = seen | {k}
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..syntax.nodes import assign, call, clone, constant, library, load, statement, store, subscript, tuple_of
from . import containers
from .state import State


def from_keys(desugar: State, node: Any) -> gast.expr | None:
    """`dict.fromkeys(keys, v)` as a comprehension; v is evaluated after the keys, once."""
    if not isinstance(node, gast.Call) or desugar.object(node.func) != dict.fromkeys or len(node.args) != 2 or node.keywords \
            or any(isinstance(arg, gast.Starred) for arg in node.args) or not desugar.carries(node.args[1]):
        return None
    keys, value = (load(desugar.kept(desugar.expr(arg), name)) for arg, name in zip(node.args, ("keys", "value"), strict=True))
    desugar.varied.add(value.id)
    key = desugar.names.new("key")
    return gast.DictComp(load(key), value, [gast.comprehension(store(key), keys, [], 0)])


def _merge(desugar: State, name: str, other: Any) -> gast.expr:
    """`d |= q`."""
    value = library("rt.merged(x, y)", x=name, y=other) if desugar.holds[name].kind is dict and name in desugar.varied else \
        gast.BinOp(load(name), gast.BitOr(), other)
    return containers.anew(desugar, name, value)


def _delete(desugar: State, name: str, key: Any) -> gast.expr:
    return containers.anew(desugar, name, library("rt.without(d, k)", d=name, k=key))


def _pop(desugar: State, name: str, key: Any, default: Any = None) -> gast.expr:
    key, *given = desugar.operands([key] if default is None else [key, default])
    key = desugar.named(key, "key")
    if not given:
        item = desugar.kept(subscript(name, key), "item")
        _delete(desugar, name, clone(key))
        return load(item)
    item = desugar.temporary("item")
    other = desugar.named(given[0], "default")
    left = library("rt.without(d, k)", d=name, k=clone(key))
    there: list[gast.stmt] = [assign(item, subscript(name, clone(key))), containers.renewed(name, left)]
    desugar.emit(gast.If(gast.Compare(key, [gast.In()], [load(name)]), there, [assign(item, other)]))
    return load(item)


def _pop_item(desugar: State, name: str) -> gast.expr:
    empty = gast.UnaryOp(gast.Not(), load(name))
    desugar.emit(gast.If(empty, [statement("raise KeyError('popitem(): dictionary is empty')")], []))
    key = desugar.kept(subscript(call("%list", library("d.keys()", d=name)), constant(-1)), "key")
    item = desugar.kept(subscript(name, load(key)), "item")
    _delete(desugar, name, load(key))
    return tuple_of([load(key), load(item)])


def _clear(desugar: State, name: str) -> gast.expr:
    return containers.anew(desugar, name, gast.Dict([], []))


def _add(desugar: State, name: str, key: Any) -> gast.expr:
    return containers.anew(desugar, name, gast.BinOp(load(name), gast.BitOr(), gast.Set([key])))


def _discard(desugar: State, name: str, key: Any) -> gast.expr:
    return containers.anew(desugar, name, gast.BinOp(load(name), gast.Sub(), gast.Set([key])))


def _remove(desugar: State, name: str, key: Any) -> gast.expr:
    key = desugar.named(key, "key")
    desugar.emit(gast.If(gast.Compare(clone(key), [gast.NotIn()], [load(name)]), [statement("raise KeyError(KEY)", KEY=clone(key))], []))
    return _discard(desugar, name, key)


METHODS: dict[object, Callable[..., gast.expr | None]] = {
    dict.pop: _pop, dict.popitem: _pop_item, dict.clear: _clear, dict.__delitem__: _delete, dict.__ior__: _merge, set.__ior__: _merge,
    set.add: _add, set.discard: _discard, set.remove: _remove}
