"""Which stretches of the derivative each of the user's expressions caused, as columns of what a page shows.

Needs texts whose trees were marked (`syntax/parts.py`). Columns count UTF-16 units, as JavaScript does, of lines that
are made `visible`.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..syntax.program import Emitted, Span
from .lines import Function, Place, margin_of
from .tokens import visible

Stretch: TypeAlias = "tuple[int, int, int]"        # of a line: the start, the end, and the place of its part


@dataclass
class Expressions:
    """The user's expressions that are met, each with a number; parts: what stretches come from, as numbers of
    expressions. keys: of the user's lines that are shown; margins: what is cut off before them, by file and line."""

    keys: Mapping[Place, int]
    margins: Mapping[Place, int]
    numbers: dict[Span, int] = field(default_factory=dict)
    parts: dict[tuple[int, ...], int] = field(default_factory=dict)

    def part(self, spans: Sequence[Span]) -> int | None:
        """The place of a part, without the expressions that are not shown; None where none is."""
        found = tuple(self.numbers.setdefault(span, len(self.numbers)) for span in spans
                      if (span.source.filename, span.line) in self.keys)
        return self.parts.setdefault(found, len(self.parts)) if found else None

    def stretches(self) -> list[list[list[int]]]:
        """Of each expression, line by line, the key of the line, the start and the end."""
        return [self.lines(span) for span in self.numbers]

    def lines(self, span: Span) -> list[list[int]]:
        """Of one expression."""
        found = []
        for number in range(span.line, span.end_line + 1):
            place, line = (span.source.filename, number), span.source.line(number)
            if place not in self.keys:
                continue
            start = span.column if number == span.line else len(line) - len(line.lstrip())
            end = span.end_column if number == span.end_line else len(line.rstrip())
            margin = self.margins.get(place, 0)
            ends = [max(0, shown(line, column) - margin) for column in (start, end)]
            if ends[0] < ends[1]:
                found.append([self.keys[place], *ends])
        return found


def margins(functions: Sequence[Function]) -> dict[Place, int]:
    """How many columns are cut off before the user's lines."""
    return {(source.filename, number): margin for source, numbers in functions
            for margin in [margin_of([source.line(number) for number in numbers])] for number in numbers}


def terms(emitted: Emitted, expressions: Expressions) -> dict[int, list[Stretch]]:
    """The stretches of each line, by its number, those around others first."""
    lines = emitted.text.split("\n")
    found: dict[int, list[Stretch]] = {}
    for term in emitted.terms:
        part = expressions.part(term.part)
        if part is None:
            continue
        for number in range(term.line, term.end_line + 1):
            line = lines[number - 1]
            start = term.column if number == term.line else len(line) - len(line.lstrip())
            end = term.end_column if number == term.end_line else len(line)
            if start < end:
                found.setdefault(number, []).append((shown(line, start), shown(line, end), part))
    return found


def shown(line: str, column: int) -> int:
    """Where a column of a line stands when the line is shown.

    >>> shown("\\tx = 1", 1), shown("é = '\\x1b'; y", 8), shown("s = '\U0001f600'", 6)
    (8, 11, 7)
    """
    text = visible(line[:column])
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
