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
from ..syntax.building import rename
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


def one_name(sweeps: Sweeps) -> None:
    """Let the backward sweep read a value that has several names by one of them, so that it is sampled once."""
    bound = bound_in(*(stmt for stmt in sweeps.backward if stmt is not sweeps.taken))
    kept = sweeps.kept()
    names: dict[str, str] = {}
    for several in _same_value(sweeps.forward):
        read = [other for name in several for other, value in kept.items()
                if isinstance(value, gast.Name) and value.id == name] if sweeps.halves else several
        read = [name for name in read if name not in bound]
        names.update(dict.fromkeys(read[1:], read[0]) if read else {})
    for stmt in sweeps.backward:
        if stmt is not sweeps.taken:
            rename(stmt, names)
    if sweeps.taken is not None and names:
        pairs = [(target, value) for target, value in zip(
            sweeps.taken.targets[0].elts, sweeps.given.elts, strict=True) if target.id not in names]
        sweeps.taken.targets[0].elts = [target for target, _ in pairs]
        sweeps.given.elts = [value for _, value in pairs]


def _same_value(forward: Sequence[gast.stmt]) -> list[list[str]]:
    """Names that stand for one value behind the forward sweep, the one that it was made under first."""
    value: dict[str, tuple[str, int]] = {}                 # of each name: where it was made, and under which
    for i, stmt in enumerate(forward):
        one: Any = stmt
        if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Name):
            source = value.get(one.value.id, (one.value.id, -1)) if isinstance(stmt.value, gast.Name) else None
            value[stmt.targets[0].id] = source or (stmt.targets[0].id, i)
        else:                                              # bound by a tuple, say, or changed where it is
            value.update({name: (name, i) for name in bound_in(stmt)})
    found: dict[tuple[str, int], list[str]] = {}
    for name, made in value.items():
        found.setdefault(made, []).append(name)
    for made, names in found.items():
        if made[1] == -1 and made[0] not in value:         # a parameter
            names.insert(0, made[0])
    return [sorted(names, key=lambda name: name != made[0]) for made, names in found.items() if len(names) > 1]


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
