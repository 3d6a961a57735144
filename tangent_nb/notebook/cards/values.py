"""The values of a run for a page: shape, dtype, range, and the numbers of small arrays."""
from __future__ import annotations

import ast
import math
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from ...differentiate import Problem
from ...syntax.program import Emitted
from ...tracing.glance import Glance, Summary, Visit
from ...tracing.snapshots import UNBOUND, Other, Shown, described
from ...tracing.statements import Statement, base, of_function
from ..tokens import visible
from .standing import ONE, binding, spans_of, standing

SIDE = 32                                                  # of an array that is drawn
DIGITS = 6
LONGEST = 160


@dataclass(frozen=True)
class Found:
    """A value that a line has. line: where, 0 for the line that is asked for; after: behind it, not before; times: how
    often the line has run; last: it is the last of these, not the first. sent(whose): for the page, where a line is not
    in the text that it is told of."""

    kept: Shown
    line: int
    after: bool
    times: int
    last: bool

    def sent(self, whose: str = "") -> dict[str, Any]:
        """For the page. whose: of which text the line is, " of the derivative"."""
        place = f"{'after' if self.after else 'before'} line {self.line}{whose}" if self.line else ""
        trip = f"the {'last' if self.last else 'first'} of {self.times:,} times" if self.times > 1 else ""
        return {**sent(self.kept), "at": ", ".join(one for one in (place, trip) if one)}


def sent(kept: Shown) -> dict[str, Any]:
    """A kept value for the page.

    >>> import numpy as np
    >>> from tangent_nb.tracing.glance import kept
    >>> found = sent(kept(np.array([[1.0, 2.5]])))
    >>> found["text"], found["shape"], found["cells"]
    ('(1, 2) float64, 1 to 2.5, mean 1.75', [1, 2], [1.0, 2.5])
    >>> sent(kept(0.1 + 0.2))["text"]
    '0.30000000000000004'
    """
    if not isinstance(kept, Summary):
        text = described(kept)
        return {"text": visible(text if len(text) <= LONGEST else text[:LONGEST] + "…"), "shape": [], "cells": []}
    if kept.cells is not None and kept.cells.ndim == 0:
        return {"text": visible(f"{kept.cells.item()!r} () {kept.dtype}"), "shape": [], "cells": []}
    text = f"{kept.shape} {kept.dtype}"
    if kept.low is not None and kept.high is not None:
        text += f", {kept.low:.{DIGITS}g}"
        if kept.low != kept.high:
            text += f" to {kept.high:.{DIGITS}g}" + (f", mean {kept.mean:.{DIGITS}g}" if kept.mean is not None else "")
    elif not kept.nans and not kept.infs:
        text += ", empty"
    text += (f", {kept.nans:,} NaN" if kept.nans else "") + (f", {kept.infs:,} Inf" if kept.infs else "")
    return {"text": visible(text), "shape": list(map(int, kept.shape)), "cells": _cells(kept)}


def _cells(kept: Summary) -> list[float | str]:
    cells = kept.cells
    if cells is None or cells.dtype.kind not in "biuf" or not cells.size \
            or cells.shape[-1] > 2 * SIDE or cells.size // cells.shape[-1] > SIDE:
        return []
    return [_rounded(one) if math.isfinite(one) else "NaN" if one != one else "Inf" if one > 0 else "-Inf"
            for one in map(float, cells.ravel().tolist())]


def _rounded(one: float) -> float:
    return float(f"{one:.{DIGITS}g}")


class Values:
    """Of a run of one text. filename: of it; emitted: what is known of its lines."""

    def __init__(self, found: Glance, filename: str, emitted: Emitted) -> None:
        self.found, self.filename, self.emitted = found, filename, emitted
        found_in = [of_function(node) for node in ast.parse(emitted.text).body if isinstance(node, ast.FunctionDef)]
        self._first = {line: one.first for each in found_in for line, one in each.items()}
        self._statements = {one.first: one for each in found_in for one in each.values()}
        self.visits: dict[int, Visit] = {line: visit for (file, line), visit in sorted(found.visits.items())
                                         if file == filename}

    def at_line(self, line: int, name: str, *, own: bool = True) -> Found | None:
        """What a name is at a line of the text: after it, where the line binds it, before it where it reads it."""
        visit = self.visits.get(self._first.get(line, line))
        if visit is None:
            return None
        before, after = visit.last
        after_it = name in after
        kept = after.get(name, before.get(name, UNBOUND))
        if kept is UNBOUND or _is_nothing(kept):
            return None
        return Found(kept, 0 if own else line, after_it, visit.times, True)

    def of_user(self, place: tuple[str, int], lines: Iterable[int], name: str) -> Found | None:
        """What a name is at a line of the user's: in his own function, where that ran, else at the lines of the text
        that it became."""
        visit = self.found.visits.get(place)
        if visit is not None and place[0] != self.filename:
            before, after = visit.last
            kept = after.get(name, before.get(name, UNBOUND))
            if kept is not UNBOUND and not _is_nothing(kept):
                return Found(kept, 0, name in after, visit.times, True)
        return self.of_lines(lines, name)

    def of_lines(self, lines: Iterable[int], name: str) -> Found | None:
        """What a name is at the last of some lines that has it: the one that binds it, if one does."""
        found = [one for line in lines if (one := self.at_line(line, name, own=False)) is not None]
        return next((one for one in reversed(found) if one.after), found[-1] if found else None)

    def last(self, name: str, within: Container[int], *, backward: bool) -> Found | None:
        """The last value that a name is bound to in a sweep, in the order of the text. within: lines."""
        return self.of_lines([line for line, visit in self.visits.items() if line in within and name in visit.last[1]
                              and self._backward(line) is backward], name)

    def given(self, name: str, within: Container[int]) -> Found | None:
        """What a parameter was given: as the first line reads it that does."""
        for line, visit in self.visits.items():
            if line in within and name in visit.first[0]:
                return Found(visit.first[0][name], 0, False, 1, False)
        return None

    def ran(self, within: Iterable[int]) -> bool:
        """Some of these lines ran."""
        return any(line in self.visits for line in within)

    def cotangent(self, name: str, partner: str, problem: Problem, within: Container[int]) -> Found | None:
        """What the partner of a name holds, where it is certainly the cotangent of its one value, with all that adds to
        it: as the first line reads it that brings it back through what binds the name, as it is returned, or where one
        line alone binds it. None elsewhere. within: the lines of the function, of both where motion is split."""
        if standing(problem, name) != ONE or not self._has_one(name, within):
            return None
        made, storing = binding(problem, name), self._storing(partner, within)
        if any(self.emitted.lines[line - 1].role == "inserted" for line in storing):
            return None
        spans = set() if made is None else set(spans_of(made))
        for line, visit in self.visits.items():
            known = self.emitted.lines[line - 1]
            if line in within and visit.times == 1 and partner in visit.first[0] and (
                    _is_returned(self._statements[line], partner) if made is None and known.role == "return" else
                    made is not None and known.role == "backward"
                    and spans.issuperset(of := [one.span for one in known.origins if one is not None]) and of):
                return Found(visit.first[0][partner], line, False, 1, False)
        only = self.visits.get(storing[0]) if len(storing) == 1 and self._backward(storing[0]) else None
        return None if only is None or only.times > 1 or partner not in only.first[1] else \
            Found(only.first[1][partner], storing[0], True, 1, False)

    def _has_one(self, name: str, within: Container[int]) -> bool:
        """A name has had one value in the forward sweep, wherever a line has read it or bound it."""
        seen = [known[name] for line, visit in self.visits.items()
                if line in within and self.emitted.lines[line - 1].role == "forward"
                for known in (*visit.first, *visit.last) if name in known]
        return all(_same(one, seen[0]) for one in seen)

    def _storing(self, name: str, within: Container[int]) -> list[int]:
        """The lines that bind a name, or may change its value in place."""
        return [line for line, does in self._statements.items() if line in within
                and (name in filter(None, map(base, does.stores)) or does.is_effect and name in _read(does))]

    def _backward(self, line: int) -> bool:
        return self.emitted.lines[line - 1].role in ("backward", "inserted")


def _is_nothing(kept: Shown) -> bool:
    """A function or a module: no value that is worth a word."""
    return isinstance(kept, Other) and kept.text.startswith(("function", "module", "builtin", "type"))


def _read(does: Statement) -> set[str]:
    return {node.id for one in does.reads for node in ast.walk(one) if isinstance(node, ast.Name)}


def _is_returned(does: Statement, name: str) -> bool:
    """As it is, alone or among others."""
    parts = [part for one in does.reads for part in (one.elts if isinstance(one, ast.Tuple) else [one])]
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)


def shape_of(kept: Shown) -> tuple[int, ...]:
    """Of a kept value; of what is no array ()."""
    return kept.shape if isinstance(kept, Summary) else ()


def _same(one: Shown, other: Shown) -> bool:
    """As far as what is kept tells."""
    if isinstance(one, Summary) and isinstance(other, Summary):
        return one.shape == other.shape and one.dtype == other.dtype and (
            repr((one.low, one.high, one.mean, one.nans, one.infs)) == repr(
                (other.low, other.high, other.mean, other.nans, other.infs)))
    return repr(one) == repr(other)
