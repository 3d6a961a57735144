"""Places in the texts that run: each line with its sweep and the user's lines that it belongs to."""
from __future__ import annotations

import linecache
import types
from dataclasses import dataclass

from ..capture.find import label
from ..syntax.program import Origin
from .origins import Origins


@dataclass(frozen=True)
class UserLine:
    """A line that the user wrote. label: what messages call its file or cell."""

    filename: str
    label: str
    line: int
    text: str


@dataclass(frozen=True)
class Site:
    """A line that runs. generated: in a text of the derivative; else it is the user's own. sweep: "" where that is that
    of the line that calls; role: as in `explain`."""

    filename: str
    line: int
    text: str
    function: str
    generated: bool
    sweep: str
    role: str
    users: tuple[UserLine, ...]


class Sites:
    """The places that a run comes to, each once."""

    def __init__(self, origins: Origins) -> None:
        self.origins = origins
        self.known: list[Site] = []
        self._numbers: dict[tuple[types.CodeType, int], int] = {}

    def number(self, code: types.CodeType, line: int, globals: dict[str, object]) -> int:
        """The number of the place of a line in code."""
        key = code, line
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.known)
            self.known.append(self._site(code, line, globals))
        return found

    def _site(self, code: types.CodeType, line: int, globals: dict[str, object]) -> Site:
        emitted = self.origins.text(code.co_filename)
        if emitted is None:
            text = linecache.getline(code.co_filename, line, globals).strip()
            own = UserLine(code.co_filename, label(code.co_filename), line, text)
            return Site(code.co_filename, line, text, code.co_name, False, "", "", (own,))
        lines = emitted.text.split("\n")
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        role = emitted.lines[line - 1].role if 0 < line <= len(emitted.lines) else ""
        users = tuple(dict.fromkeys(map(_user_line, self.origins.users(code.co_filename, line))))
        return Site(code.co_filename, line, text, code.co_name, True, self.origins.sweep(code.co_filename, line), role,
                    users)


def _user_line(origin: Origin) -> UserLine:
    source = origin.span.source
    return UserLine(source.filename, source.label, origin.span.line, origin.text)
