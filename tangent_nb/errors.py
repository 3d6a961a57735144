"""Every error that tangent_nb raises: what, where, why, and what to write instead."""
from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .syntax.program import Span

MOST = 20          # places shown in one message
WIDEST = 150       # characters shown of a line of source


class TangentError(Exception):
    """The root of every error raised by tangent_nb."""


@dataclass(frozen=True)
class Refusal:
    """One place that is not differentiated: where (None for the whole function), why, and the remedy."""

    span: Span | None
    why: str
    remedy: str = ""


class RefusedError(TangentError):
    """A function, or a call of its derivative, that tangent_nb refuses rather than risk a wrong number.

    `refusals` holds every place, in the order of the text.
    """

    def __init__(self, name: str, refusals: Sequence[Refusal]) -> None:
        self.name = name
        self.refusals = tuple(refusals)
        super().__init__(render(name, self.refusals))


class ArgumentError(TangentError, TypeError):
    """An argument or a result that a derivative cannot take: found when it is called, before any number is returned."""


class NonFiniteError(TangentError, FloatingPointError):
    """A NaN or Inf that a watched derivative has made, or was given.

    name: the variable, or what else became not finite. sweep: `"forward"` or `"backward"`; filename, line: of the line that made it.
    These are empty, and 0, where it was an argument.
    """

    def __init__(self, message: str, *, name: str = "", sweep: str = "", filename: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.name = name
        self.sweep = sweep
        self.filename = filename
        self.line = line


def render(name: str, refusals: Sequence[Refusal]) -> str:
    """The whole message: each place with its line, a caret, the reason and the remedy.

    >>> print(render("f", [Refusal(None, "it is a coroutine.", "write a plain def.")]))
    cannot differentiate f
      why: it is a coroutine.
      instead: write a plain def.
    """
    count = len(refusals)
    head = f"cannot differentiate {name}" + (f": {count} places" if count > 1 else "")
    parts = ["\n".join(_place(refusal)) for refusal in refusals[:MOST]]
    if count > MOST:
        parts.append(f"  and {count - MOST} more")
    return head + "\n" + "\n\n".join(parts) if parts else head


def _place(refusal: Refusal) -> list[str]:
    lines = []
    if refusal.span is not None:
        span = refusal.span
        lines.append(f"  {span.source.label}, line {span.line}, column {span.column + 1}")
        lines += [f"    {line}" for line in _underlined(span)]
    for word, text in (("why", refusal.why), ("instead", refusal.remedy)):
        if text:
            first, *rest = text.splitlines()
            lines += [f"  {word}: {first}", *(f"    {line}" for line in rest)]
    return lines


def _underlined(span: Span) -> tuple[str, str]:
    """The span's first line without its indentation, and carets under the span as a terminal shows it."""
    line = span.source.line(span.line)
    if not line.strip():
        return "", "^"
    end = span.end_column if span.end_line == span.line else len(line.rstrip())
    start = min(span.column, len(line))
    end = max(min(end, len(line)), start)
    left = min(len(line) - len(line.lstrip()), start)
    right = len(line.rstrip())
    before, after = "", ""
    if right - left > WIDEST:                   # a very long line: what stands around the place
        left, before = (start - WIDEST // 3, "... ") if start - left > WIDEST // 3 else (left, before)
        right, after = (left + WIDEST, " ...") if left + WIDEST < right else (right, after)
        end = min(end, right)
    cells = _cells(line[:right])
    shown = before + "".join(text for text, _ in cells[left:]) + after
    indent = len(before) + sum(width for _, width in cells[left:start])
    return shown, " " * indent + "^" * max(1, sum(width for _, width in cells[start:end]))


def _cells(line: str) -> list[tuple[str, int]]:
    """Each character as it is shown, with the columns it takes: tabs expanded, wide characters two, marks none."""
    cells = []
    column = 0
    for character in line:
        if character == "\t":
            shown, width = " " * (8 - column % 8), 8 - column % 8
        elif unicodedata.category(character) in ("Mn", "Me", "Cf"):
            shown, width = character, 0
        elif unicodedata.category(character) in ("Cc", "Zl", "Zp"):
            shown, width = " ", 1
        else:
            shown, width = character, 2 if unicodedata.east_asian_width(character) in "WF" else 1
        column += width
        cells.append((shown, width))
    return cells
