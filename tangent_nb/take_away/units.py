"""What a file consists of: texts of functions and classes, values under names, modules of which attributes are read."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .ours import Library
from .reads import Read, bound_by, reads

VALUES, DERIVATIVE, FUNCTIONS, HELPERS, OBJECTS = range(5)           # the sections of a file, in order


@dataclass(eq=False)
class Unit:
    """One thing that a file defines. section: where it stands; names: what it defines, as it calls that itself."""

    section: int
    names: tuple[str, ...]

    def needs(self) -> Iterator[tuple[Meant, bool]]:
        """What else has to be there, and whether before it."""
        yield from ()


@dataclass(frozen=True)
class Ref:
    """A name that a unit defines."""

    unit: Unit
    name: str


Meant: TypeAlias = Ref | Library


@dataclass(eq=False)
class Code(Unit):
    """A text. meant: what the names in it mean that it reads from outside, None for builtins; edits: places in the text
    where something else is written, from and to characters."""

    text: str
    tree: ast.Module
    reads: list[Read]
    meant: dict[str, Meant | None] = field(default_factory=dict)
    edits: list[tuple[int, int, str | Ref]] = field(default_factory=list)
    early: set[Ref] = field(default_factory=set)

    @classmethod
    def of(cls, section: int, text: str, names: tuple[str, ...] = ()) -> Code:
        """The code of a text."""
        tree = ast.parse(text)
        return cls(section, names or tuple(sorted(bound_by(tree.body))), text, tree, reads(tree))

    def needs(self) -> Iterator[tuple[Meant, bool]]:
        early = {one.name for one in self.reads if one.early}
        yield from ((one, name in early) for name, one in self.meant.items() if one is not None)
        yield from ((one, True) for one in self.early)


@dataclass(eq=False)
class Value(Unit):
    """A value, under a name. parts: what of it has to be written first, or imported, by the ids of the objects."""

    value: Any
    parts: dict[int, Meant] = field(default_factory=dict)

    def needs(self) -> Iterator[tuple[Meant, bool]]:
        yield from ((one, True) for one in self.parts.values())


@dataclass(eq=False)
class Space(Unit):
    """A module that the file cannot import: those of its attributes that are read."""

    module: Any
    held: dict[str, Meant] = field(default_factory=dict)

    def needs(self) -> Iterator[tuple[Meant, bool]]:
        yield from ((one, True) for one in self.held.values())
