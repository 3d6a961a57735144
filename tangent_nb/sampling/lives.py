"""How long the two sweeps of one function need what they make: where a name is read last before it is bound anew.

    product = h @ w2                  h_1 = h
    total = product + b2        →     product = h @ w2
    h_1 = h                           total = product + b2       here h may be given up: nothing reads it
    h = np.maximum(total, 0)          h = np.maximum(total, 0)
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import gast

from ..analyse.flow import bound_in
from ..syntax.blocks import is_compound, statements
from ..syntax.nodes import names_in, reads
from .sweeps import Sweeps


def renamed_early(sweeps: Sweeps) -> None:
    """Put each name that the backward sweep alone has for a value before the last statement that reads the value."""
    forward = sweeps.forward
    for stmt in [one for one in forward if not sweeps.halves and is_renaming(one, forward)]:
        at = next(i for i, one in enumerate(forward) if one is stmt)
        name: Any = stmt
        behind = max((i for i in range(at) if name.value.id in names_in(forward[i])), default=at)
        behind += name.value.id in bound_in(forward[behind])
        if behind < at and getattr(forward[behind], "role", "") != "guard":
            forward.insert(behind, forward.pop(at))


def is_renaming(stmt: Any, forward: Sequence[gast.stmt]) -> bool:
    """A value gets another name, which the forward sweep does not mention again."""
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Name) or len(stmt.targets) != 1 \
            or not isinstance(stmt.targets[0], gast.Name) or getattr(stmt, "role", "") == "guard":
        return False
    name = stmt.targets[0].id
    return name != stmt.value.id and sum(name in names_in(one) for one in statements(forward)) == 1


def ends(body: Sequence[gast.stmt], since: int, read: Mapping[int, Collection[str]]) -> Iterator[tuple[str, int, int]]:
    """The names whose values are needed behind the statement number `since`, and before which statement no more, with
    the one that binds it anew, or the number of all. read: what is read besides, before which statement."""
    binding: dict[str, list[int]] = {}
    mentions: dict[str, list[int]] = {}
    for i, stmt in enumerate(body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and not is_compound(stmt):
            binding.setdefault(stmt.targets[0].id, []).append(i)
        for name in names_in(stmt):
            mentions.setdefault(name, []).append(i)
    for at, names in read.items():
        for name in names:
            mentions.setdefault(name, []).append(at - 1)
    for name, places in binding.items():
        for i, after in zip(places, [*places[1:], len(body)], strict=True):
            at = max(one for one in mentions[name] if i <= one < after) + 1
            if at > since and (after == len(body) or name not in reads(body[after])):
                yield name, at, after
