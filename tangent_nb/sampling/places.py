"""Where in the forward sweep a saved value is as the backward sweep reads it: there it is sampled, or its slope kept.

Needs the sweeps of a function. Promises a place behind which nothing of the forward sweep changes the value, or none.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from ..analyse.flow import bound_in, definite, memory_changed
from ..analyse.graph import Graph
from ..analyse.kinds import Kinds
from ..analyse.one_memory import one_memory, with_others
from ..syntax.blocks import is_compound, statements
from ..syntax.nodes import dotted, name_nodes, root_name
from ..syntax.nodes import key as text_key
from ..syntax.spec import UNKNOWN, Spec
from .sweeps import Key, Keys, Sweeps, all_blocks, defining, saves
from .uses import Use, is_few

MANY = ("array", "numeric", "unknown", "items")           # kinds of what may be a large array
Spot = tuple[list[gast.stmt], int]                         # a block, and the statement before which something goes


@dataclass
class Mask:
    """A slope that is kept as bits. keys: of the values that it is made of; uses: where; node: the expression; spot:
    where it is made in the forward sweep, None where that is with what the first half returns; back: where a list
    brings it back."""

    keys: list[Key]
    uses: list[Use]
    node: Any
    spot: Spot | None
    back: Spot | None = None


class Places:
    """Of one function."""

    def __init__(self, sweeps: Sweeps, keys: Keys) -> None:
        self.sweeps, self.keys = sweeps, keys
        self.saves: dict[Key, list[tuple[Any, list[gast.stmt]]]] = {}
        for key, stmt, block in saves(sweeps):
            self.saves.setdefault(key, []).append((stmt, block))
        self.saved_names = {key: root_name(_bare(found[0][0].value.args[0])) or "" for key, found in self.saves.items()}
        forward = sweeps.forward
        changed = {name for stmt in statements(forward) if not is_compound(stmt) and not hasattr(stmt, "tape")
                   for name in memory_changed(stmt)} | {
            stmt.in_place for stmt in statements(forward) if hasattr(stmt, "in_place")}
        rewound = {name for stmt in statements(sweeps.backward) if not is_compound(stmt)
                   for name in memory_changed(stmt)}
        shared = one_memory(forward, sweeps.scope, views=True)
        self.changed, self.rewound = with_others(changed, shared), with_others(rewound, shared)
        graph = Graph([*forward, *sweeps.backward] if not sweeps.halves else forward)
        known = definite(graph, sweeps.parameters)
        self.bound = known.at(graph.exit) if sweeps.halves else known.before(sweeps.backward[0])
        self.kinds = Kinds(graph, sweeps.scope, sweeps.specs)
        self.tries = any(isinstance(stmt, (gast.Try, gast.With)) for stmt in statements([*forward, *sweeps.backward]))

    def saved_name(self, key: Key) -> str:
        """The variable that a list keeps."""
        return self.saved_names.get(key, "")

    def spec(self, key: Key) -> Spec:
        """What is known of a value where it is saved."""
        if key[0] == "tape":
            stmt: Any = self.saves[key][0][0]
        else:
            stmt = self.sweeps.forward[-1] if self.sweeps.halves else self.sweeps.backward[0]
        return self.kinds.before(stmt).get(self._variable(key), UNKNOWN)

    def can_keep(self, key: Key) -> bool:
        """There is one place where the value is made, or saved, and it stays so in the backward sweep."""
        if self._variable(key) in self.rewound:
            return False
        if key[0] == "tape":
            return len(self.saves.get(key, [])) == 1 and len(self.keys.restores.get(key, [])) == 1 \
                and isinstance(_bare(self.saves[key][0][0].value.args[0]), gast.Name)
        if key[0] != "cut":
            return False
        if self.sweeps.halves:
            return isinstance(_bare(self.sweeps.kept().get(key[1])), gast.Name)
        return self.spot(key[1]) is not None

    def spot(self, name: str) -> Spot | None:
        """Behind which nothing of the forward sweep changes a variable."""
        body = self.sweeps.forward
        if self.tries or name in self.rewound:
            return None
        binds = [stmt for stmt in defining(body, name) if not _is_nothing(stmt)]
        always = name in self.bound and len(binds) == len(defining(body, name))
        if name in self.changed:
            return (body, len(body)) if always else None
        top = [i for i, stmt in enumerate(body) if any(one is stmt or one in list(statements([stmt])) for one in binds)]
        if always:
            first = next((i for i, stmt in enumerate(body) if getattr(stmt, "role", "") != "guard"), len(body))
            return body, max(first, top[-1] + 1 if top else 0)
        blocks = [block for block in all_blocks(body) if any(one in block for one in binds)]
        around = [stmt for stmt in statements(body) if isinstance(stmt, (gast.For, gast.While))
                  and any(one is bound for one in statements(stmt.body) for bound in binds)]
        if len(blocks) != 1 or around:
            return None
        return blocks[0], max(i for i, stmt in enumerate(blocks[0]) if any(stmt is one for one in binds)) + 1

    def conditions(self, uses: Sequence[Use]) -> list[Mask]:
        """The truth values that have a name, and no other use than by the backward sweep."""
        found: dict[Key, list[Use]] = {}
        for use in uses:
            found.setdefault(use.key, []).append(use)
        made = []
        for key, several in found.items():
            binds = defining(self.sweeps.forward, key[1]) if key[0] == "cut" else []
            if len(binds) != 1 or not isinstance(binds[0], gast.Assign) or not self.can_keep(key) \
                    or not is_few(binds[0].value, self.sweeps.scope) \
                    or any(use.kind != "read" or is_compound(use.stmt) for use in several):
                continue
            for use in several:
                use.whole = use.node
            spot = None if self.sweeps.halves else self.spot(key[1])
            if self.sweeps.halves or spot is not None and spot[0] is self.sweeps.forward:
                made.append(Mask([key], several, gast.Name(key[1], gast.Load(), None, None), spot))
        return made

    def masks(self, uses: Sequence[Use]) -> list[Mask]:
        """The slopes that may be kept as bits."""
        found: dict[Any, list[Use]] = {}
        for use in uses:
            if use.kind == "few":
                found.setdefault(id(use.whole), []).append(use)
        made: dict[Any, Mask] = {}
        for group in found.values():
            keys = list(dict.fromkeys(use.key for use in group))
            same = text_key(group[0].whole), tuple(keys)
            if same in made and made[same].back is None:
                made[same].uses += group
                continue
            mask = self._mask(keys, group)
            if mask is not None:
                made[same if mask.back is None else (same, id(group[0].whole))] = mask
        return list(made.values())

    def _mask(self, keys: list[Key], uses: list[Use]) -> Mask | None:
        mask = self._possible(keys, uses)
        if mask is None:
            return None
        # it is made for certain where it was read for certain: elsewhere it might raise
        block = mask.spot[0] if mask.spot is not None else self.sweeps.forward
        depth = next(n for n, one in _depths(self.sweeps.forward) if one is block)
        read = [n for n, one in _depths(self.sweeps.backward) for use in uses if any(use.stmt is stmt for stmt in one)]
        return mask if depth in read else None

    def _possible(self, keys: list[Key], uses: list[Use]) -> Mask | None:
        node = uses[0].whole
        kinds = {key[0] for key in keys}
        if any(use.node.id != self._variable(use.key) for use in uses):
            return None
        if kinds == {"cut"}:
            forward = self.sweeps.forward
            if self.sweeps.halves and not any(_is_nothing(stmt) for key in keys for stmt in defining(forward, key[1])):
                return Mask(keys, uses, node, None) if all(map(self.can_keep, keys)) else None
            spots = [spot for key in keys if (spot := self.spot(key[1])) is not None]
            if len(spots) < len(keys) or any(spot[0] is not spots[0][0] for spot in spots):
                return None
            return Mask(keys, uses, node, (spots[0][0], max(at for _, at in spots)))
        return self._taped(keys, uses, node) if kinds <= {"tape", "cut"} else None

    def _variable(self, key: Key) -> str:
        return key[1] if key[0] == "cut" else self.saved_name(key)

    def _taped(self, keys: list[Key], uses: list[Use], node: Any) -> Mask | None:
        """A slope of what one trip saves, and what the loop leaves alone."""
        taped = [key for key in keys if key[0] == "tape"]
        if not all(map(self.can_keep, keys)) or self.tries:
            return None
        names = {self._variable(key) for key in keys}
        if names & self.changed:
            return None
        block, back = self.saves[taped[0]][0][1], self.keys.restores[taped[0]][0][1]
        if any(self.saves[key][0][1] is not block or self.keys.restores[key][0][1] is not back for key in taped):
            return None
        if any(key[1] in bound_in(*_around(self.sweeps.forward, block)) for key in keys if key[0] == "cut"):
            return None
        at = sorted(next(i for i, stmt in enumerate(block) if stmt is self.saves[key][0][0]) for key in taped)
        steady = names & bound_in(*block[at[0]:at[-1]])
        if steady:
            return None
        last = max(next(i for i, stmt in enumerate(back) if stmt is self.keys.restores[key][0][0]) for key in taped)
        if any(not any(use.stmt is one for one in statements(back[last:])) for use in uses):
            return None
        return Mask(keys, uses, node, (block, at[-1]), (back, last + 1))


def _depths(body: list[gast.stmt], depth: int = 0) -> Iterator[tuple[int, list[gast.stmt]]]:
    """The blocks of a body, with how many statements are around each."""
    yield depth, body
    for stmt in body:
        if is_compound(stmt):
            for name in ("body", "orelse", "finalbody"):
                yield from _depths(getattr(stmt, name, None) or [], depth + 1)
            for handler in getattr(stmt, "handlers", ()):
                yield from _depths(handler.body, depth + 1)


def _is_nothing(stmt: Any) -> bool:
    """A variable is bound to nothing, since not every path binds it."""
    value = getattr(stmt, "value", None)
    return isinstance(stmt, gast.Assign) and (isinstance(value, gast.Constant) and value.value is None
                                              or dotted(value) == "%rt.UNBOUND")


def _around(body: list[gast.stmt], block: list[gast.stmt]) -> list[gast.stmt]:
    """The statement of a body that holds a block."""
    return [stmt for stmt in body if any(one is block for one in all_blocks([stmt]))]


def _bare(node: Any) -> Any:
    """What a copy is of."""
    return node.args[0] if isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords \
        and len(name_nodes(node.args[0])) == 1 else node
