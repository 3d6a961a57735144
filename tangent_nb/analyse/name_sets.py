"""Sets of names as bits of one integer, and maps of names that share what they have in common.

The analyses keep a fact for each point of a program. A fact of its own set, or dict, at each of n points would make n²;
these copy one word for 64 names.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Generic, TypeVar, overload

Value = TypeVar("Value")
Other = TypeVar("Other")
CHUNK = 5                       # names in a piece of a map, as a power of two


class Numbering:
    """The number of each name, in the order in which they were first asked for."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.names: list[str] = []

    def of(self, name: str) -> int:
        """The number of a name."""
        found = self.number.setdefault(name, len(self.names))
        if found == len(self.names):
            self.names.append(name)
        return found

    def bits(self, names: Iterable[str]) -> int:
        """The set of some names: bit n is set for the name with the number n."""
        found, number = 0, self.number
        for name in names:
            found |= 1 << (number[name] if name in number else self.of(name))
        return found


class NameSet(AbstractSet[str]):
    """A set of names that cannot be changed.

    >>> numbering = Numbering()
    >>> ab, bc = NameSet(numbering.bits("ab"), numbering), NameSet(numbering.bits("bc"), numbering)
    >>> sorted(ab | bc), sorted(ab & bc), "a" in ab, ab & {"a"} == {"a"}
    (['a', 'b', 'c'], ['b'], True, True)
    """

    __slots__ = ("bits", "numbering")

    def __init__(self, bits: int, numbering: Numbering) -> None:
        self.bits, self.numbering = bits, numbering

    def __contains__(self, name: object) -> bool:
        number = self.numbering.number.get(name)  # type: ignore[call-overload]
        return number is not None and bool(self.bits >> number & 1)

    def __iter__(self) -> Iterator[str]:
        rest = self.bits
        while rest:
            low = rest & -rest
            yield self.numbering.names[low.bit_length() - 1]
            rest ^= low

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __and__(self, other: AbstractSet[object]) -> AbstractSet[str]:
        if isinstance(other, NameSet) and other.numbering is self.numbering:
            return NameSet(self.bits & other.bits, self.numbering)
        return frozenset(name for name in other if name in self)  # type: ignore[misc]

    __rand__ = __and__

    @classmethod
    def _from_iterable(cls, names: Iterable[str]) -> frozenset[str]:  # type: ignore[override]
        """What the other operators make."""
        return frozenset(names)


class NameMap(Mapping[str, Value], Generic[Value]):
    """A map from names that cannot be changed; one made from another shares all pieces that are the same.

    >>> one = NameMap.of({"a": 1, "b": 2})
    >>> dict(one.updated({"b": 3})), dict(one)
    ({'a': 1, 'b': 3}, {'a': 1, 'b': 2})
    """

    __slots__ = ("numbering", "pieces")

    def __init__(self, pieces: tuple[dict[str, Value], ...], numbering: Numbering) -> None:
        self.pieces, self.numbering = pieces, numbering

    @staticmethod
    def of(values: Mapping[str, Value], numbering: Numbering | None = None) -> NameMap[Value]:
        """The map with these values."""
        return NameMap[Value]((), numbering or Numbering()).updated(values)

    @overload
    def get(self, name: str, /) -> Value | None: ...
    @overload
    def get(self, name: str, /, default: Value | Other) -> Value | Other: ...
    def get(self, name: str, /, default: Value | Other | None = None) -> Value | Other | None:
        """The value of a name, or the default."""
        place = self.numbering.number.get(name, -1) >> CHUNK
        return self.pieces[place].get(name, default) if 0 <= place < len(self.pieces) else default

    def __getitem__(self, name: str) -> Value:
        place = self.numbering.number.get(name, -1) >> CHUNK
        if not 0 <= place < len(self.pieces):
            raise KeyError(name)
        return self.pieces[place][name]

    def __contains__(self, name: object) -> bool:
        place = self.numbering.number.get(name, -1) >> CHUNK  # type: ignore[call-overload]
        return 0 <= place < len(self.pieces) and name in self.pieces[place]

    def __iter__(self) -> Iterator[str]:
        for piece in self.pieces:
            yield from piece

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NameMap) and other.numbering is self.numbering:
            return len(self.pieces) == len(other.pieces) and self.pieces == other.pieces
        return Mapping.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]

    def updated(self, values: Mapping[str, Value]) -> NameMap[Value]:
        """The map with some values changed or added."""
        pieces = list(self.pieces)
        copied: set[int] = set()
        for name, value in values.items():
            place = self.numbering.of(name) >> CHUNK
            while place >= len(pieces):
                pieces.append({})
            if name in pieces[place] and pieces[place][name] == value:
                continue                                   # the piece stays the same, and is soon seen to be
            if place not in copied:
                copied.add(place)
                pieces[place] = dict(pieces[place])
            pieces[place][name] = value
        return NameMap(tuple(pieces), self.numbering) if copied else self

    def joined(self, other: NameMap[Value], join: Callable[[Value, Value], Value]) -> NameMap[Value]:
        """Both maps; `join` makes one value of two."""
        if self.pieces is other.pieces:
            return self
        longer, shorter = (self, other) if len(self.pieces) >= len(other.pieces) else (other, self)
        pieces = [mine if mine is its else _joined(mine, its, join)
                  for mine, its in zip(self.pieces, other.pieces, strict=False)]
        return NameMap((*pieces, *longer.pieces[len(shorter.pieces):]), self.numbering)


def _joined(a: dict[str, Value], b: dict[str, Value], join: Callable[[Value, Value], Value]) -> dict[str, Value]:
    new = dict(a)
    for name, value in b.items():
        if name not in new:
            new[name] = value
        elif new[name] is not value:
            new[name] = join(new[name], value)
    return a if new == a else b if new == b else new                  # the same piece, where there is one
