"""A view as plain text, for terminals and for whatever shows no HTML: everything that the page shows."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from ..tracing.elementary.formulas import width
from .lines import Section
from .tokens import visible, visible_lines
from .view import Message, Table, View

WIDEST = 100                                       # columns of text after which links stand where they come


def plain(shown: View | Message) -> str:
    """The whole view as lines of text."""
    if isinstance(shown, Message):
        return "\n".join([visible_lines(shown.text), *map(visible, shown.notes)])
    return "\n".join(line.rstrip() for line in _lines(shown))


def brief(shown: View | Message, *, code: bool = True) -> str:
    """The text that stands with a page: the derivative alone, since its source stands in the cell; without `code` not
    that either."""
    if isinstance(shown, Message) or not shown.right:
        return plain(shown)
    if not code:
        return plain(replace(shown, derivation=None))
    lines = "\n\n".join("\n".join(row.text + (f"  ◀ {visible(row.mark)}" if row.mark else "") for row in section.rows)
                       for section in shown.right)
    rest = replace(shown, derivation=None)
    first, *more = plain(rest).split("\n")
    return "\n".join([first, "", lines, *more])


def _lines(shown: View) -> Iterator[str]:
    facts = ", ".join(f"{label} {value}" for label, value in shown.facts)
    yield visible(f"{shown.name}: {facts}")
    for section in (*shown.left, *shown.right):
        yield ""
        if section.title:
            yield visible(section.title)
        yield from _section(section)
    for table in shown.tables:
        yield ""
        yield visible(table.title)
        yield from _table(table)
    if shown.problem:
        yield ""
        yield from visible_lines(shown.problem).split("\n")
    if shown.notes:
        yield ""
        yield from map(visible, shown.notes)


def _section(section: Section) -> Iterator[str]:
    """Lines as `number  links │ text`, or as `number │ text  links`."""
    numbers = max((len(str(row.number)) for row in section.rows), default=1) + 2
    links = max((len(visible(row.links)) for row in section.rows), default=0)
    texts = min(max((len(row.text) for row in section.rows), default=0), WIDEST)
    for row in section.rows:
        mark = f"  ◀ {visible(row.mark)}" if row.mark else ""
        if section.behind:
            yield f"{row.number:>{numbers}} │ {row.text:<{texts}}  {visible(row.links)}{mark}"
        else:
            yield f"{row.number:>{numbers}}  {visible(row.links):<{links}} │ {row.text}{mark}"


def _table(table: Table) -> Iterator[str]:
    """Columns; a cell of several lines takes several."""
    rows = [tuple(visible_lines(cell).split("\n") for cell in row) for row in (table.head, *table.rows)]
    widths = [max(width(line) for row in rows for line in row[place]) for place in range(len(table.head))]
    for place, row in enumerate(rows):
        if not any(any(cell) for cell in row):
            continue
        mark = table.mark(place - 1) if place else None
        sign = "" if mark is None else " ✓" if mark else " ✗"
        for number, cells in enumerate(zip_longest(*row, fillvalue="")):
            yield "  " + "  ".join(cell + " " * (most - width(cell)) for cell, most in zip(cells, widths)) \
                + (sign if not number else "")
