"""`sorted`, `max` and `min` by keys that read what may change, or that do more than compute.

Needs such a call. Promises that its key is asked once, going forward: the places that it gives are kept.

    sorted(x, key=lambda v: w[v])      →      places = rt.ordered(x, key=lambda v: w[v])
                                              rt.taken(x, places)
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.effects import is_pure_function
from ..syntax.nodes import library, load, names_in, nodes_in, subscript
from .scopes import free
from .state import State


def asked_once(desugar: State, node: gast.Call) -> bool:
    """The key of a call must not be asked again going backward."""
    fn = desugar.object(node.func)
    row = desugar.scope.effects(node)
    return "key" in row.calls and row.exhausts and len(node.args) == 1 and not isinstance(node.args[0], gast.Starred) \
        and all(k.arg == "key" or k.arg == "reverse" and fn is sorted for k in node.keywords) \
        and desugar.carries(node.args[0]) and unsteady(desugar, node.keywords, names_in(node.args[0]))


def unsteady(desugar: State, keywords: Sequence[gast.keyword], names: set[str]) -> bool:
    """There is a key, which may not be the same later. names: of what it is a key for; `max(d, key=d.get)` asks what it goes over."""
    key: Any = next((k.value for k in keywords if k.arg == "key"), None)
    if key is None or isinstance(key, gast.Attribute) and names_in(key) <= names:
        return False
    if isinstance(key, gast.Lambda):
        return bool(free(key) & desugar.local) or any(isinstance(one, gast.Call) and not is_pure_function(desugar.object(one.func))
                                                      for one in nodes_in(key.body))
    return bool(names_in(key) & desugar.local)


def placed(desugar: State, node: gast.Call, name: str) -> gast.expr:
    """The items of the list `name` that a call gives."""
    if desugar.object(node.func) is sorted:
        return ordered(desugar, name, node.keywords)
    place = library("rt.chosen(x, best)", x=name, best=node.func)
    place.keywords = node.keywords
    return subscript(name, load(desugar.kept(desugar.expr(desugar.placed(place)), "place")))


def ordered(desugar: State, name: str, keywords: list[gast.keyword]) -> gast.expr:
    """The items of the list `name` in the order of their keys."""
    places = library("rt.ordered(x)", x=name)
    places.keywords = keywords
    return library("rt.taken(x, places)", x=name, places=desugar.kept(desugar.expr(desugar.placed(places)), "places"))
