"""Every error that tangent_nb raises: what, where, why, and what to write instead."""
from __future__ import annotations

import re
import sys
import types
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from .syntax.program import Span

MOST = 20          # places shown in one message
WIDEST = 150       # characters shown of a line of source


Steps: TypeAlias = "Iterable[tuple[types.FrameType, int]]"       # frames, the innermost first, and their lines
# what finds the user's text that a running line of a derivative comes from
located: list[Callable[[str, Steps], Span | None]] = []


class TangentError(Exception):
    """The root of every error raised by tangent_nb. Raised while a derivative runs, it says below its message which of
    the user's lines that is, unless it has a place of its own."""

    def __init__(self, message: str = "") -> None:
        span = running(message)
        super().__init__(message if span is None else "\n".join([message, *shown(span)]))


KEYS, KIND = "keys", "kind"                                # what of an argument may be known, and is not beforehand


@dataclass(frozen=True)
class Refusal:
    """One place that is not differentiated: where (None for the whole function), why, and the remedy. cause: the place
    in what is called here that says so; end: it is the end of the function whose head the span is; unknown: of
    what an expression holds it is not known which KEYS it has, or of which KIND it is; "" where that would not help."""

    span: Span | None
    why: str
    remedy: str = ""
    cause: Refusal | None = None
    end: bool = False
    unknown: str = ""

    @property
    def lacks(self) -> bool:
        """It may be differentiated where it is known how arguments are made."""
        return bool(self.innermost.unknown)

    @property
    def innermost(self) -> Refusal:
        """The place that lacks something, or the last one."""
        return self if self.unknown or self.cause is None else self.cause.innermost

    @classmethod
    def at(cls, stmt: Any, why: str, remedy: str = "") -> Refusal:
        """Of a statement, where that comes from."""
        origin = getattr(stmt, "origin", None)
        return cls(None if origin is None else origin.span, why, remedy)


class RefusedError(TangentError):
    """A function, or a call of its derivative, that tangent_nb refuses rather than risk a wrong number.

    `refusals` holds every place, in the order of the text; `reached` those of them that not every path passes, which
    alone would be refused when they are reached. steps: of a traceback, where an error is passed on from.
    """

    reached: tuple[Refusal, ...] = ()

    def __init__(self, name: str, refusals: Sequence[Refusal], steps: Steps = ()) -> None:
        self.name = name
        here = running(refusals[0].why if refusals else "", steps)
        self.refusals = tuple(one if one.span is not None else replace(one, span=here) for one in refusals)
        message = render(name, self.refusals)
        # a function that is known only when it is called
        if here is not None and all(one.span is not here for one in self.refusals):
            message = "\n".join([message, "", *_places([Refusal(here, f"{name} is called here")])])
        Exception.__init__(self, message)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[RefusedError], args: tuple[Any, ...], known: dict[str, Any]) -> RefusedError:
    """An error that comes from another process."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(known)
    return error


class ArgumentError(TangentError, TypeError):
    """An argument or a result that a derivative cannot take: found when it is called, before any number is returned."""


class NonFiniteError(TangentError, FloatingPointError):
    """A NaN or Inf that a watched derivative has made, or was given.

    name: the variable, or what else became not finite. sweep: `"forward"` or `"backward"`; filename, line: of the line
    that made it. These are empty, and 0, where it was an argument.
    """

    def __init__(self, message: str, *, name: str = "", sweep: str = "", filename: str = "", line: int = 0) -> None:
        Exception.__init__(self, message)
        self.name = name
        self.sweep = sweep
        self.filename = filename
        self.line = line


def running(message: str, steps: Steps = ()) -> Span | None:
    """The user's text that belongs to a message of a derivative that runs; None where none runs.
    steps: of a traceback, further inside."""
    found = (find(message, [*steps, *_frames(sys._getframe(1))]) for find in located)
    return next((span for span in found if span is not None), None)


def _frames(frame: types.FrameType | None) -> Iterator[tuple[types.FrameType, int]]:
    while frame is not None:
        yield frame, frame.f_lineno
        frame = frame.f_back


def render(name: str, refusals: Sequence[Refusal]) -> str:
    """The whole message: each place with its line, a caret, the reason and the remedy.

    >>> print(render("f", [Refusal(None, "it is a coroutine.", "write a plain def.")]))
    cannot differentiate f
      why: it is a coroutine.
      instead: write a plain def.
    """
    count = len(refusals)
    return listed(f"cannot differentiate {name}" + (f": {count} places" if count > 1 else ""), refusals)


def reached_later(name: str, refusals: Sequence[Refusal]) -> str:
    """The places that a derivative refuses when it reaches them.

    >>> print(reached_later("f", [Refusal(None, "it returns None")]))
    f is refused when it reaches this place
      why: it returns None
    """
    count = len(refusals)
    return listed(f"{name} is refused when it reaches "
                  + (f"one of these {count} places" if count > 1 else "this place"), refusals)


def made_at_calls(name: str, refusals: Sequence[Refusal]) -> str:
    """The places for which a derivative has a text for the arguments of each call alone.

    >>> print(made_at_calls("f", [Refusal(None, "it is not known what xp is")]))
    f is differentiated when it is called, for arguments that are made as those of the call are; or with like=
      why: it is not known what xp is
    """
    return listed(f"{name} is differentiated when it is called, for arguments that are made as those of the call are; "
                  "or with like=", refusals)


def listed(head: str, refusals: Sequence[Refusal]) -> str:
    """A heading, and the places below it; those of one reason together, with one remedy.

    >>> print(listed("f is refused", [Refusal(None, "it is a coroutine"), Refusal(None, "it is a coroutine")]))
    f is refused
      why: it is a coroutine
    """
    alike: dict[tuple[str, str], list[Refusal]] = {}
    for refusal in refusals:
        alike.setdefault((refusal.why, refusal.remedy), []).append(refusal)
    parts, left = [], MOST
    for group in alike.values():
        parts += ["\n".join(_places(group[:left]))] if left > 0 else []
        left -= len(group)
    if left < 0:
        parts.append(f"  and {-left} more")
    return head + "\n" + "\n\n".join(parts) if parts else head


def _places(refusals: Sequence[Refusal]) -> list[str]:
    """Places of one reason and one remedy."""
    lines = [line for span in dict.fromkeys(one.span for one in refusals if one.span is not None)
             for line in shown(span)]
    for word, text in (("why", refusals[0].why), ("instead", refusals[0].remedy)):
        if text:
            first, *rest = as_written(text, refusals[0].span).splitlines()
            lines += [f"  {word}: {first}", *(f"    {line}" for line in rest)]
    return lines


def as_written(text: str, span: Span | None) -> str:
    """A message with the names of a file: `kw` for a `kw_1` that is ours."""
    found = set() if span is None else set(re.findall(r"\b[A-Za-z_]\w*_\d+\b", text))
    words = set(re.findall(r"\w+", "\n".join(span.source.lines))) if span is not None and found else set()
    for one in found - words:
        name = one.rpartition("_")[0]
        text = re.sub(rf"\b{one}\b", name, text) if name in words else text
    return text


def shown(span: Span) -> list[str]:
    """A place, its line of text, and carets."""
    return [f"  {span.source.label}, line {span.line}, column {span.column + 1}",
            *(f"    {line}" for line in _underlined(span))]


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
