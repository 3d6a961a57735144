"""Places: which statements of a block mention, bind and change a name.

A pass that looks through the rest of a block for each of its statements takes time that grows with the square of its
length. It asks here for the next place instead.
"""
from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Generic, NamedTuple, TypeVar

import gast

from ..analyse.flow import Access, Names, memory_changed, mutation, statement_access
from ..analyse.name_sets import NameSet, Numbering
from ..syntax.blocks import SIMPLE, blocks, head_targets, is_compound, own_expressions
from ..syntax.nodes import child_fields, children, name_nodes, names_in, target_names

Key = TypeVar("Key")
Value = TypeVar("Value")
Found = TypeVar("Found")
Table = dict[str, list[int]]
BLOCKS = ("body", "handlers", "orelse", "finalbody")
END = 1 << 60                   # where there is no such place


class Use(NamedTuple):
    """mentions: the names that a statement reads or binds; bound: those that it binds, or changes a part of; updated:
    those whose memory it changes; all in its blocks too."""

    mentions: Names
    bound: Names
    updated: Names


NOTHING = Use(frozenset(), frozenset(), frozenset())


class Uses:
    """What statements do to names; found once for each, until it is forgotten. Passes tell what they change while they
    ask; after one that changed something stays what was found of assignments whose trees are the same."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Use, Any, Any]] = {}
        self._numbering = Numbering()                      # of the names in compound statements, which may be many
        self._named: dict[int, tuple[Any, Any, Any, tuple[list[str], list[str]]]] = {}
        self._access: dict[int, tuple[Any, Any, Any, Access]] = {}

    def between_passes(self) -> None:
        """Forget what a pass may have changed without telling."""
        self._known = {place: one for place, one in self._known.items()
                       if one[0].__class__ is gast.Assign and one[0].value is one[2] and one[0].targets is one[3]}

    def access(self, stmt: Any) -> Access:
        """What a simple statement does itself."""
        return self._of_trees(self._access, stmt, statement_access)

    def named(self, stmt: Any) -> tuple[list[str], list[str]]:
        """The names that stand in a statement, its blocks left out, as often as they are read, and bound."""
        return self._of_trees(self._named, stmt, _named)

    @staticmethod
    def _of_trees(table: dict[int, tuple[Any, Any, Any, Found]], stmt: Any, question: Callable[[Any], Found]) -> Found:
        """An answer that depends on the trees in a statement; found again where these are others."""
        if stmt.__class__ not in SIMPLE:
            return question(stmt)
        made = stmt.__dict__
        value, target = made.get("value"), made.get("targets", made.get("target"))
        known = table.get(id(stmt))
        if known is None or known[0] is not stmt or known[1] is not value or known[2] is not target:
            known = table[id(stmt)] = stmt, value, target, question(stmt)
        return known[3]

    def __call__(self, stmt: gast.stmt) -> Use:
        known = self._known.get(id(stmt))
        if known is None:
            self.note(stmt, found := self._found(stmt))
            return found
        return known[1]

    def note(self, stmt: Any, use: Use) -> None:
        """The statement has changed, and does this now."""
        self._changed(stmt)
        whole = stmt.__class__ is gast.Assign
        self._known[id(stmt)] = stmt, use, stmt.value if whole else None, stmt.targets if whole else None

    def forget(self, stmt: gast.stmt) -> None:
        """The statement has changed."""
        self._known.pop(id(stmt), None)
        self._changed(stmt)

    def _changed(self, stmt: gast.stmt) -> None:
        self._access.pop(id(stmt), None)
        self._named.pop(id(stmt), None)

    def _found(self, stmt: Any) -> Use:
        in_place = frozenset([stmt.in_place] if hasattr(stmt, "in_place") else [])
        if stmt.__class__ is gast.Assign and len(stmt.targets) == 1 and stmt.targets[0].__class__ is gast.Name:
            name, changed = stmt.targets[0].id, mutation(stmt)             # nearly all are assignments to one name
            bound = {name} if changed is None else {name, changed[1]}
            return Use(frozenset(names_in(stmt.value) | {name}), frozenset(bound),
                       in_place if changed is None or changed[0] != "add_at" else in_place | {changed[1]})
        if not is_compound(stmt):
            one = self.access(stmt)
            return Use(frozenset(names_in(stmt)), one.define | one.update, in_place | memory_changed(stmt))
        targets, bits = head_targets(stmt), self._numbering.bits
        mentions, updated = bits(names_in([*own_expressions(stmt), *targets])), bits(in_place)
        binds = bits([name for target in targets for name in target_names(target)])
        for block in blocks(stmt):
            for use in map(self, block):
                mentions, binds, updated = mentions | self._bits(use.mentions), binds | self._bits(use.bound), \
                    updated | self._bits(use.updated)
        return Use(*[NameSet(one, self._numbering) for one in (mentions, binds, updated)])

    def _bits(self, names: Names) -> int:
        return names.bits if isinstance(names, NameSet) else self._numbering.bits(names)


def _own_parts(stmt: Any) -> list[Any]:
    """What stands in a statement, its blocks left out."""
    if stmt.__class__ in SIMPLE:
        return [stmt]
    if not is_compound(stmt):
        return children(stmt)
    held = [getattr(stmt, field, None) for field in child_fields(stmt.__class__) if field not in BLOCKS]
    parts = [one for field in held for one in (field if isinstance(field, list) else [field])]
    caught = [handler.type for handler in getattr(stmt, "handlers", ())]
    return [one for one in [*parts, *caught] if isinstance(one, gast.AST)]


def _named(stmt: Any) -> tuple[list[str], list[str]]:
    nodes = name_nodes(_own_parts(stmt))
    return [name.id for name in nodes if name.ctx.__class__ is gast.Load], \
        [name.id for name in nodes if name.ctx.__class__ is not gast.Load]


class Known(Generic[Key, Value]):
    """What is known as long as some names stand for what they do."""

    def __init__(self) -> None:
        self.values: dict[Key, Value] = {}
        self._names: dict[Key, set[str]] = {}              # because of which it is known
        self._keys: dict[str, set[Key]] = {}               # what may be known because of a name

    def learn(self, key: Key, value: Value, names: set[str]) -> None:
        self.values[key], self._names[key] = value, names
        for name in names:
            self._keys.setdefault(name, set()).add(key)

    def forget(self, bound: AbstractSet[str]) -> None:
        """These names are bound anew."""
        for name in bound & self._keys.keys() if self.values else ():      # of many names that a loop binds few count
            for key in self._keys.pop(name, ()):
                if name in self._names[key]:
                    self.values.pop(key, None)


class Places:
    """The statements of a block by their places, which stay what they are while statements change or are taken out.
    Tables have the names of simple statements; a compound one, of which a block in many has the names of all that
    follow, is asked itself."""

    def __init__(self, body: Sequence[gast.stmt], uses: Uses) -> None:
        self.stmts: list[gast.stmt | None] = list(body)
        self.uses = uses
        self.compound = [i for i, stmt in enumerate(body) if is_compound(stmt)]
        self._tables: tuple[Table, Table, Table] = {}, {}, {}
        self._use = [NOTHING] * len(body)
        for place, stmt in enumerate(body):
            if not is_compound(stmt):
                use = self._use[place] = uses(stmt)
                for table, names in zip(self._tables, use):
                    for name in names:
                        if name in table:
                            table[name].append(place)
                        else:
                            table[name] = [place]

    def mentioned(self, name: str, place: int) -> int:
        """The first place behind a place at which a name is mentioned, or END."""
        return self._first(0, {name}, place)

    def bound(self, names: AbstractSet[str], place: int) -> int:
        """The first place behind a place at which one of some names is bound, or END."""
        return self._first(1, names, place)

    def updated(self, name: str, place: int) -> int:
        """The first place behind a place at which the memory of a name is changed, or END."""
        return self._first(2, {name}, place)

    def _first(self, kind: int, names: AbstractSet[str], place: int) -> int:
        found = first(self._tables[kind], names, place)
        for here in self.compound[bisect_right(self.compound, place):]:
            if here > found:
                break
            if not self._at(here)[kind].isdisjoint(names):
                return here
        return found

    def _at(self, place: int) -> Use:
        stmt = self.stmts[place]
        return NOTHING if stmt is None else self.uses(stmt)

    def mentions(self, name: str, place: int, last: int) -> list[int]:
        """The places behind a place, up to the last, at which a name is mentioned."""
        inner = between(self.compound, place, last)
        return sorted([*between(self._tables[0].get(name, ()), place, last),
                       *(here for here in inner if name in self._at(here).mentions)])

    def refresh(self, place: int) -> None:
        """The statement at a place, or one in its blocks, has changed, or it was taken out."""
        stmt = self.stmts[place]
        if stmt is not None:
            self.uses.forget(stmt)
        if stmt is None or not is_compound(stmt):
            self._changed(place, self._at(place))

    def replaced(self, place: int, name: str, names: AbstractSet[str]) -> None:
        """In the statement at a place, what reads these names stands for a name now, which was there once."""
        stmt, old = self.stmts[place], self._at(place)
        if stmt is None or name in old.bound or name in old.updated:
            self.refresh(place)
            return
        new = old._replace(mentions=(old.mentions - {name}) | names)
        self.uses.note(stmt, new)
        if not is_compound(stmt):
            self._changed(place, new)

    def _changed(self, place: int, new: Use) -> None:
        old, self._use[place] = self._use[place], new
        for table, before, after in zip(self._tables, old, new, strict=True):
            for name in before - after:
                places = table[name]
                del places[bisect_left(places, place)]
            for name in after - before:
                insort(table.setdefault(name, []), place)

    def take_out(self, place: int) -> None:
        """Leave a statement out."""
        self.stmts[place] = None
        self.refresh(place)

    def updated_between(self, place: int, end: int) -> set[str]:
        """The names whose memory is changed between two places, these left out."""
        found = set().union(*(self._at(here).updated for here in between(self.compound, place, end - 1)))
        updated = self._tables[2]
        if end - place < len(updated):
            return found.union(*(use.updated for use in self._use[place + 1:end]))
        return found | {name for name, at in updated.items() if after(at, place) < end}

    def is_next(self, place: int, here: int) -> bool:
        """Nothing is left between two places."""
        return all(stmt is None for stmt in self.stmts[place + 1:here])

    def each(self) -> Iterator[tuple[int, Any]]:
        """The statements that are left, as far as they are when it is their turn, with their places."""
        return ((place, stmt) for place, stmt in enumerate(self.stmts) if stmt is not None)

    def rest(self) -> list[gast.stmt]:
        """The statements that are left."""
        return [stmt for stmt in self.stmts if stmt is not None]


class Blocks:
    """The places of blocks, found once for each: who changes a block tells them."""

    def __init__(self, uses: Uses) -> None:
        self.uses = uses
        self._known: dict[int, tuple[list[gast.stmt], Places]] = {}

    def __call__(self, body: list[gast.stmt]) -> Places:
        if id(body) not in self._known:
            self._known[id(body)] = body, Places(body, self.uses)      # kept alive, so that its id stays its own
        return self._known[id(body)][1]


def after(places: Sequence[int], place: int) -> int:
    """The first of some places behind a place, or END."""
    found = bisect_right(places, place)
    return places[found] if found < len(places) else END


def first(table: Table, names: Iterable[str], place: int) -> int:
    """The first place behind a place that a table has for one of some names, or END."""
    return min((after(table[name], place) for name in names if name in table), default=END)


def between(places: Sequence[int], place: int, last: int) -> list[int]:
    """Those of some places that are behind a place, up to the last."""
    return list(places[bisect_right(places, place):bisect_right(places, last)])
