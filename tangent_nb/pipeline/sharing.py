"""One text for pairs of a callee that came out the same: they are told apart by where their derivative starts,
before there are texts."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..differentiate import Pair
from ..syntax.building import clone, rename
from ..syntax.closure import closure
from ..syntax.nodes import key, names_in, writes
from .request import Function


def shared(functions: list[Function], pairs: Mapping[tuple[Any, ...], Pair]) -> list[Function]:
    """The functions without those that are like another but for the names of such functions;
    calls name the one that stays.

    pairs: by the callee with what it is derived for, and last where its derivative starts. Pairs of one callee are
    taken for the same until their texts differ (the largest bisimulation), so that functions that call themselves, or
    each other, are found.
    """
    if not pairs:
        return functions
    trees = {function.tree.name: function.tree for function in functions}
    sort: dict[str, Any] = {pair.forward: called for (*called, _), pair in pairs.items()}
    sort = {name: place for name, place in sort.items() if list(sort.values()).count(place) > 1}
    variables = {name for function in functions for name in writes(function.tree.body)}
    alike = [pair for pair in pairs.values() if pair.forward in sort and not variables & {pair.forward, pair.backward}]
    count = 0
    same: dict[str, str] = {}
    while alike:
        stays: list[tuple[Any, Pair]] = []
        for pair in alike:
            found = next((one for place, one in stays if place == sort[pair.forward]), None)
            if found is None:
                stays.append((sort[pair.forward], found := pair))
            same |= {pair.forward: found.forward, pair.backward: found.backward}
        if len(stays) == count:
            break
        count = len(stays)
        sort = {pair.forward: (same[pair.forward], [_text(trees[name], same) for name in (pair.forward, pair.backward)
                                                    if name]) for pair in alike}
    for function in functions:
        rename(function.tree, same)
    return [function
            for function in functions if same.get(function.tree.name, function.tree.name) == function.tree.name]


def _text(tree: Any, names: Mapping[str, str]) -> Any:
    copy = rename(clone(tree), names)
    copy.name = names[tree.name]
    return key(copy)


def named_by(functions: list[Function], first: set[str]) -> list[Function]:
    """The functions that those with these names call, and that they call: others were made for sizes that turned out to
    be equal to some."""
    called = {one.tree.name: names_in(one.tree) for one in functions}
    wanted = closure(first, lambda found: {name for one in found & called.keys() for name in called[one]})
    return [one for one in functions if one.tree.name in wanted]
