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

from ..syntax.building import load
from .state import State
from .templates import template


def from_keys(desugar: State, node: Any) -> gast.expr | None:
    """`dict.fromkeys(keys, v)` as a comprehension; v is evaluated after the keys, once."""
    if not isinstance(node, gast.Call) or desugar.object(node.func) != dict.fromkeys or len(node.args) != 2 \
            or node.keywords \
            or any(isinstance(arg, gast.Starred) for arg in node.args) or not desugar.carries(node.args[1]):
        return None
    keys, value = (load(desugar.kept(desugar.expr(arg), name))
                   for arg, name in zip(node.args, ("keys", "value"), strict=True))
    desugar.varied.add(value.id)
    return template(desugar, "{key: value for key in keys}", keys=keys, value=value)


def _merge(desugar: State, name: str, other: Any) -> gast.expr:
    """`d |= q`."""
    carries = desugar.holds[name].kind is dict and name in desugar.varied
    return template(desugar, "d = rt.merged(d, other)\nNone" if carries else "d = d | other\nNone", d=name, other=other)


def _pop(desugar: State, name: str, key: Any, default: Any = None) -> gast.expr:
    key, *given = desugar.operands([key] if default is None else [key, default])
    key = desugar.named(key, "key")
    if not given:
        return template(desugar, """
            item = d[key]
            d = rt.without(d, key)
            item""", d=name, key=key)
    return template(desugar, """
        if key in d:
            item = d[key]
            d = rt.without(d, key)
        else:
            item = default
        item""", d=name, key=key, default=desugar.named(given[0], "default"))


def _pop_item(desugar: State, name: str) -> gast.expr:
    return template(desugar, """
        if not d:
            raise KeyError('popitem(): dictionary is empty')
        key = list(d.keys())[-1]
        item = d[key]
        d = rt.without(d, key)
        key, item""", d=name)


def _remove(desugar: State, name: str, key: Any) -> gast.expr:
    return template(desugar, """
        if key not in s:
            raise KeyError(key)
        s = s - {key}
        None""", s=name, key=desugar.named(key, "key"))


METHODS: dict[object, Callable[..., gast.expr | None]] = {
    dict.pop: _pop, dict.popitem: _pop_item, dict.__ior__: _merge, set.__ior__: _merge, set.remove: _remove,
    dict.clear: lambda desugar, name: template(desugar, "d = {}\nNone", d=name),
    dict.__delitem__: lambda desugar, name, key: template(desugar, "d = rt.without(d, key)\nNone", d=name, key=key),
    set.add: lambda desugar, name, key: template(desugar, "s = s | {key}\nNone", s=name, key=key),
    set.discard: lambda desugar, name, key: template(desugar, "s = s - {key}\nNone", s=name, key=key)}
