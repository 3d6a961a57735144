"""Pairs of names that share memory, by the names: what `aliases.py` pushes along the graph.

Each pair is found from both of its names; what is asked, bound anew or joined costs what the names at hand have, not
what all of a function's names have. Nothing is changed in place: the names that a statement leaves alone keep the sets
that they had before it.

    (a, b, "holds")  →  a: {(b, "holds")},  b: {(a, "of")}
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

Pair = tuple[str, str, str]
Partners = frozenset[tuple[str, str]]
TURNED = {"holds": "of", "of": "holds"}
NONE: Partners = frozenset()


class Pairs:
    """The pairs at one place; a pair of a name with itself says that two places of it may hold one thing."""

    __slots__ = ("by_name",)

    def __init__(self, by_name: Mapping[str, Partners] | None = None) -> None:
        self.by_name: Mapping[str, Partners] = {} if by_name is None else by_name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pairs) and self.by_name == other.by_name

    __hash__ = None  # type: ignore[assignment]

    def partners(self, name: str) -> Partners:
        """What a name shares memory with, and how, seen from the name."""
        return self.by_name.get(name, NONE)

    def without(self, names: Iterable[str]) -> Pairs:
        """Those that have none of these names."""
        gone: dict[str, set[tuple[str, str]]] = {}
        names = [name for name in names if name in self.by_name]
        for name in names:
            for other, how in self.by_name[name]:
                gone.setdefault(other, set()).add((name, TURNED.get(how, how)))
        if not names:
            return self
        left = {name: partners - gone[name] if name in gone else partners for name, partners in self.by_name.items()}
        return Pairs({name: partners for name, partners in left.items() if partners and name not in names})

    def adding(self, pairs: Iterable[Pair]) -> Pairs:
        """These, and others."""
        new: dict[str, set[tuple[str, str]]] = {}
        for a, b, how in pairs:
            new.setdefault(a, set()).add((b, how))
            if a != b:
                new.setdefault(b, set()).add((a, TURNED.get(how, how)))
        return self.joined(Pairs({name: frozenset(found) for name, found in new.items()})) if new else self

    def joined(self, other: Pairs) -> Pairs:
        """The pairs where two paths meet: those of either."""
        if self is other:
            return self
        together = dict(self.by_name)
        for name, partners in other.by_name.items():
            have = together.get(name, NONE)
            if have is not partners and not partners <= have:
                together[name] = have | partners if have else partners
        return Pairs(together)

    def in_common(self, name: str) -> Iterator[str]:
        """How two places of a name may hold one thing."""
        return (how for other, how in self.partners(name) if other == name)
