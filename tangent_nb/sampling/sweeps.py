"""The two sweeps of a generated function, and which saved value each name stands for in the second.

Needs the statements of a function with both sweeps, or of the two that split motion makes of it. Promises a key for
each name that the backward sweep reads: the value that the forward sweep left under it, or that a list brings back;
None where it is neither, or not always the same.

    h_saved.append(h)        …        h = h_saved.pop()          h: ("tape", "h_saved", 0)
    total = x @ w            …        rt.greater(total, 0.0)     total: ("cut", "total")
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import gast

from ..analyse.flow import bound_in, mutation
from ..analyse.resolve import Scope
from ..syntax.blocks import is_compound, own_expressions, own_targets, statements
from ..syntax.names import Names
from ..syntax.nodes import name_nodes, parameter_names
from ..syntax.spec import Spec

Key = tuple[Any, ...]


@dataclass
class Sweeps:
    """Of one function. name: of the one that goes forward; back: of the one that goes backward, the same where one does
    both; forward, backward: their statements; given: what the first gives the second, by the names that the second
    has for it in `taken`; specs: of the parameters; stream: what its samples are drawn from, "" where there are
    none."""

    name: str
    back: str
    forward: list[gast.stmt]
    backward: list[gast.stmt]
    scope: Scope
    names: Names
    parameters: list[str]
    given: Any = None
    taken: Any = None
    seeds: list[str] = field(default_factory=list)
    specs: Mapping[str, Spec] = field(default_factory=dict)
    stream: str = ""

    @property
    def halves(self) -> bool:
        """Two functions do what one does in joint motion."""
        return self.name != self.back

    def kept(self) -> dict[str, gast.expr]:
        """What the first half gives the second, by name."""
        if self.taken is None:
            return {}
        return {target.id: value for target, value in zip(self.taken.targets[0].elts, self.given.elts, strict=True)}


def joint(tree: gast.FunctionDef, scope: Scope, names: Names, specs: Mapping[str, Spec]) -> Sweeps | None:
    """The sweeps of a function that does both."""
    place = next((i for i, stmt in enumerate(tree.body) if getattr(stmt, "role", "") == "backward"), None)
    if place is None:
        return None
    return Sweeps(tree.name, tree.name, tree.body[:place], tree.body[place:], scope, names, parameter_names(tree),
                  specs=specs)


def halves(first: gast.FunctionDef, second: gast.FunctionDef, scope: Scope, names: Names,
           specs: Mapping[str, Spec]) -> Sweeps:
    """Those of two functions of split motion."""
    residuals, seed = parameter_names(second)
    last: Any = first.body[-1]
    start: Any = second.body[0]
    takes = isinstance(start, gast.Assign) and isinstance(start.value, gast.Name) and start.value.id == residuals
    return Sweeps(first.name, second.name, first.body, second.body, scope, names, parameter_names(first),
                  last.value.elts[1], start if takes else None, [seed], specs)


@dataclass
class Keys:
    """The value that each name stands for where the backward sweep reads it, by the id of the node; aliases: the
    statements that only give a saved value another name; restores: those that bring one back, by its key."""

    of: dict[int, Key | None] = field(default_factory=dict)
    mixed: dict[int, frozenset[Key]] = field(default_factory=dict)
    aliases: dict[int, Key] = field(default_factory=dict)
    restores: dict[Key, list[tuple[Any, list[gast.stmt]]]] = field(default_factory=dict)


Known: TypeAlias = "dict[str, frozenset[Key] | None]"     # None: a value of the backward sweep


def keys_of(sweeps: Sweeps) -> Keys:
    """Go over the backward sweep in its order."""
    found = Keys()
    if sweeps.halves:
        own = {*sweeps.kept()}
    else:
        own = set(sweeps.parameters) | bound_in(*sweeps.forward)
    known: Known = {name: frozenset([("cut", name)]) for name in own}
    _block(sweeps.backward, known, found, sweeps)
    return found


def _block(block: list[gast.stmt], known: Known, found: Keys, sweeps: Sweeps) -> None:
    for stmt in block:
        if stmt is sweeps.taken:
            continue
        for part in own_expressions(stmt) if is_compound(stmt) else [stmt]:
            for node in name_nodes(part):
                _name(node, known, found)
        if is_compound(stmt):
            _inside(stmt, known, found, sweeps)
            continue
        key = _restored(stmt)
        value: Any = getattr(stmt, "value", None)
        bound = bound_in(stmt)
        if key is not None:
            found.restores.setdefault(key, []).append((stmt, block))
            known.update(dict.fromkeys(bound - {key[1]}, frozenset([key])))
        elif isinstance(stmt, gast.Assign) and isinstance(value, gast.Name) and len(bound) == 1 \
                and isinstance(stmt.targets[0], gast.Name) and len(now := known.get(value.id) or ()) == 1:
            found.aliases[id(stmt)] = next(iter(now))
            known[stmt.targets[0].id] = frozenset(now)
        elif not (hasattr(stmt, "tape") and stmt.tape[1] == "copy"):
            known.update(dict.fromkeys(bound))


def _name(node: Any, known: Known, found: Keys) -> None:
    now = known.get(node.id)
    found.of[id(node)] = next(iter(now)) if now is not None and len(now) == 1 else None
    if now is not None and len(now) > 1:
        found.mixed[id(node)] = now


def _inside(stmt: Any, known: Known, found: Keys, sweeps: Sweeps) -> None:
    """The blocks of a statement: what may be there before each, and behind them all."""
    repeated = isinstance(stmt, (gast.For, gast.While))
    blocks = [stmt.body, *(handler.body for handler in getattr(stmt, "handlers", ())), getattr(stmt, "orelse", [])]
    bound = set(own_targets(stmt)).union(*(bound_in(*block) for block in blocks))
    brought = {name: key for block in blocks for one in statements(block) if (key := _restored(one)) is not None
               for name in bound_in(one) - {key[1]}}
    made = {name for block in blocks for one in statements(block) if not is_compound(one) and _restored(one) is None
            for name in bound_in(one)} | {name for block in blocks for one in statements(block) if is_compound(one)
                                          for name in own_targets(one)}
    ends = []
    for block in blocks:
        inner = dict(known)
        for name in bound if repeated or isinstance(stmt, gast.Try) else ():
            before = {*(known.get(name) or ()), *([brought[name]] if name in brought else [])}
            own = {("own", name)} if name in made or not known.get(name) else set()
            inner[name] = frozenset(before | own) if before else None
        inner.update(dict.fromkeys(own_targets(stmt)))
        _block(block, inner, found, sweeps)
        ends.append(inner)
    for name in bound:
        values = [end.get(name) for end in ends] + ([known.get(name)] if repeated else [])
        together = frozenset[Key]().union(*(one for one in values if one))
        # also a value of the sweep's own may be there: then it is none of these for certain
        known[name] = together if together and all(values) else together | {("own", name)} if together else None


def _restored(stmt: Any) -> Key | None:
    """The key of what a list brings back by this statement."""
    tape, changed = getattr(stmt, "tape", None), mutation(stmt)
    return ("tape", *tape) if tape is not None and isinstance(tape[1], int) and changed is not None \
        and changed[0] == "pop" and isinstance(stmt.targets[0], gast.Name) else None


def saves(sweeps: Sweeps) -> Iterator[tuple[Key, Any, list[gast.stmt]]]:
    """What lists keep in the forward sweep: the key, the statement and its block."""
    for block in all_blocks(sweeps.forward):
        for stmt in block:
            tape, changed = getattr(stmt, "tape", None), mutation(stmt)
            if tape is not None and isinstance(tape[1], int) and changed is not None and changed[0] == "append":
                yield ("tape", *tape), stmt, block


def all_blocks(body: list[gast.stmt]) -> Iterator[list[gast.stmt]]:
    """A block, and those in it."""
    yield body
    for stmt in body:
        if is_compound(stmt):
            for name in ("body", "orelse", "finalbody"):
                yield from all_blocks(getattr(stmt, name, None) or [])
            for handler in getattr(stmt, "handlers", ()):
                yield from all_blocks(handler.body)


def defining(body: Sequence[gast.stmt], name: str) -> list[Any]:
    """The statements that bind a name."""
    return [stmt for stmt in statements(body)
            if name in (own_targets(stmt) if is_compound(stmt) else bound_in(stmt))]
