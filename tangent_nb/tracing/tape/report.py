"""What `tape_report` gives: the saved values of a derivative, as data, as text and as a table."""
from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..sites import Site, UserLine
from .kinds import EXACT, RECOMPUTED, means

WIDE, MOST_FORMS = 48, 3                                   # characters of code; forms of the values of one row
HEADS = ("line", "your code", "value", "kind", "times", "each", "in all", "saved in")
RIGHT = frozenset((0, 4, 6))                               # columns of numbers


@dataclass(frozen=True)
class SavedValue:
    """What one line keeps. name: the variable of the derivative's text; users: the lines of yours that make the value;
    site: the line that keeps it; reads: the lines of the backward sweep that read it; kind: `"exact"`, `"recomputed"`,
    or another that is registered; count: how many values; bytes: of all, each memory once, of what is made again the
    bytes that this saves; each: those of the values; forms: their dtypes and shapes, with how many have it; held: who
    holds the memory anyway, "" where it counts; whole: of samples and signs, the bytes that would be kept exactly."""

    name: str
    users: tuple[UserLine, ...]
    site: Site
    reads: tuple[Site, ...]
    kind: str
    count: int
    bytes: int
    each: tuple[int, ...]
    forms: tuple[tuple[str, tuple[int, ...], int], ...]
    held: str = ""
    whole: int = 0

    def joined(self, other: SavedValue) -> SavedValue:
        """The values of two of one name and one line."""
        forms = {(dtype, shape): count for dtype, shape, count in self.forms}
        for dtype, shape, count in other.forms:
            forms[dtype, shape] = forms.get((dtype, shape), 0) + count
        return replace(self, count=self.count + other.count, bytes=self.bytes + other.bytes,
                       whole=self.whole + other.whole,
                       each=tuple(sorted({*self.each, *other.each})),
                       forms=tuple((dtype, shape, count) for (dtype, shape), count in forms.items()))

    @property
    def counts(self) -> bool:
        """Its bytes are on the tape."""
        return self.kind != RECOMPUTED and not self.held

    @property
    def what(self) -> str:
        """Dtypes and shapes in words."""
        found = [f"{dtype} {shape}" if shape else dtype for dtype, shape, _ in self.forms[:MOST_FORMS]]
        return ", ".join(found) + (", …" if len(self.forms) > MOST_FORMS else "")

    @property
    def line(self) -> int:
        """The number of your line; 0 where none is known."""
        return self.users[0].line if self.users else 0

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}, {in_words(self.bytes)}" + (f" ({self.held})" if self.held else "") \
            + f", {self.site.text}"


@dataclass(frozen=True)
class Totals:
    """Of one run. bytes: of saved values when the backward sweep begins; alive: all that the run has allocated by then;
    peak: the most at once; kept: how much of that are saved values; at: the line where that was."""

    bytes: int
    alive: int
    peak: int
    kept: int
    at: Site | None


@dataclass(frozen=True)
class TapeReport:
    """The tape of a call of a derivative. name: of the derivative; text: for which arguments its text is; saved: the
    values; totals: of this run; before: of the same derivative without passes, None where there is no such text."""

    name: str
    text: str
    saved: tuple[SavedValue, ...]
    totals: Totals
    before: Totals | None
    before_saved: tuple[SavedValue, ...] = ()

    @property
    def bytes(self) -> int:
        """The bytes of all saved values, each memory once."""
        return self.totals.bytes

    @property
    def peak(self) -> int:
        """The most bytes that the run had allocated at once."""
        return self.totals.peak

    def __len__(self) -> int:
        return len(self.saved)

    def __iter__(self) -> Iterator[SavedValue]:
        return iter(self.saved)

    def of(self, kind: str) -> list[SavedValue]:
        """The values of one kind."""
        return [one for one in self.saved if one.kind == kind]

    def named(self, name: str) -> list[SavedValue]:
        """The values of one variable."""
        return [one for one in self.saved if one.name == name]

    def at_line(self, number: int) -> list[SavedValue]:
        """The values that a line of yours makes."""
        return [one for one in self.saved if any(user.line == number for user in one.users)]

    def cells(self) -> list[tuple[str, ...]]:
        """The table, a text for each cell, under `HEADS`."""
        return [_cells(one, self.saved) for one in self.saved]

    def notes(self) -> list[str]:
        """The totals, in sentences."""
        now, before = self.totals, self.before
        count = sum(one.count for one in self.saved if one.counts)
        lines = [f"saved when the backward sweep begins: {in_words(now.bytes)} in {count} value{'s' * (count != 1)}"
                 + (f"; without passes {in_words(before.bytes)}" if before is not None else "")]
        where = "" if now.at is None else \
            f", in line {now.at.line}{_sweep(now.at)}: {_cut(now.at.text)}"
        lines.append(f"peak: {in_words(now.peak)}, {in_words(now.kept)} of it saved values{where}"
                     + (f"; without passes {in_words(before.peak)}" if before is not None else ""))
        again = sum(one.bytes for one in self.of(RECOMPUTED))
        if again:
            lines.append(f"made again, not saved: {in_words(again)}")
        kinds = [kind for kind in dict.fromkeys(one.kind for one in self.saved) if kind not in (EXACT, RECOMPUTED)]
        return lines + [f"{kind}: {means(kind)}" for kind in kinds]

    @property
    def title(self) -> str:
        """What it is the tape of."""
        return f"the tape of {self.name}" + (f", text for {self.text}" if self.text else "")

    def __str__(self) -> str:
        rows = [HEADS, *self.cells()] if self.saved else []
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.rjust(width) if place in RIGHT else cell.ljust(width)
                           for place, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
        return "\n".join([self.title, *lines, *self.notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        left, right = 'style="text-align: left; white-space: pre"', 'style="text-align: right; white-space: pre"'
        ways = [right if place in RIGHT else left for place in range(len(HEADS))]
        heads = "".join(f"<th {way}>{html.escape(head)}</th>" for way, head in zip(ways, HEADS))
        rows = "".join("<tr>" + "".join(f"<td {way}>{html.escape(cell)}</td>" for way, cell in zip(ways, row)) + "</tr>"
                       for row in self.cells())
        notes = "".join(f"<div>{html.escape(note)}</div>" for note in self.notes())
        return ('<div style="overflow-x: auto" tabindex="0" role="region" aria-label="saved values">'
                f"<table><caption {left}>{html.escape(self.title)}</caption><thead><tr>{heads}</tr></thead>"
                f"<tbody>{rows}</tbody></table>{notes}</div>")


def _sweep(site: Site) -> str:
    return f" of the {site.sweep} sweep" if site.sweep else ""


def _cells(one: SavedValue, saved: Sequence[SavedValue]) -> tuple[str, ...]:
    files = {user.label for other in saved for user in other.users}
    user = one.users[0] if one.users else None
    place = "" if user is None else str(user.line) if len(files) == 1 else f"{user.label}:{user.line}"
    size = f"({one.held})" if one.held else in_words(one.bytes)
    return (place, "" if user is None else _cut(user.text), one.name, one.kind, str(one.count), one.what, size,
            "" if one.held and one.site.role in ("signature", "guard") else f"{one.site.line}: {_cut(one.site.text)}")


def _cut(text: str) -> str:
    text = "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))
    return text if len(text) <= WIDE else text[:WIDE - 1] + "…"


def in_words(count: int) -> str:
    """A number of bytes.

    >>> in_words(999), in_words(80_000), in_words(12_345_678)
    ('999 B', '80 kB', '12.3 MB')
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{float(f'{count / factor:.3g}'):g} {unit}"
    return f"{count} B"
