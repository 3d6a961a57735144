"""Mark an attempt: for each blank whether it is right, at several arguments, and given what stands before it.

An error is carried forward: where an answer is wrong, the right value stands in its place for all that comes after it.
A later answer that is right there is right, and costs no points; its own wrong value comes from the earlier one. Only
answers that have points are replaced, so that every mistake costs some.
"""
from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..every import leaves
from ..tracing.values import names_in
from .answer import sentence
from .attempt import Attempt, is_blank
from .cotangents import Record
from .grade import Grader, Verdict
from .mend import Mended, effective, feeding, mended
from .quiz_options import RETURN, QuizOptions
from .quiz_report import AFTER, EMPTY, RAISED, RIGHT, WRONG
from .truth import Truth
from .verdicts import Again, cotangents, gradients, variable_of

WORST = (EMPTY, RAISED, WRONG, AFTER, RIGHT)


@dataclass(frozen=True)
class Mark:
    """The verdict on a blank. line: where it stands, 0 where it does not; after: the lines of errors before it; says:
    what is wrong; finite: what is expected is; elsewhere: it is wrong at other arguments alone."""

    verdict: str
    line: int = 0
    after: frozenset[int] = frozenset()
    says: str = ""
    finite: bool = True
    elsewhere: bool = False


class Place:
    """An attempt at some arguments."""

    def __init__(self, truth: Truth, record: Record, again: Again, options: QuizOptions, wanted: Sequence[str],
                 attempt: Attempt, blanks: Collection[str]) -> None:
        self.truth, self.options, self.attempt, self.written = truth, options, attempt, record
        self.as_written = cotangents(truth, record, options)
        self.returned = list(gradients(truth, record, options, wanted))
        self.mended: Mended = mended(truth, record, again, options, wanted, attempt, lambda name: name in blanks)
        self.sources, self.ends = feeding(self.mended.record, self.mended.slips, self._was_right)

    def _was_right(self, place: int) -> bool:
        """What was assigned there is right as it was written."""
        verdict = self.as_written[place] if place < len(self.as_written) else None
        return verdict is not None and verdict.right is True

    def mark(self, name: str) -> Mark | None:
        """The verdict on a blank here; None where there is nothing to be answered."""
        return self._return() if name == RETURN else self._cotangent(name)

    def _cotangent(self, name: str) -> Mark | None:
        run = self.mended
        versions = self.truth.versions(variable_of(name, self.truth, self.options))
        own = [place for place, one in enumerate(run.record.assigned) if one.name == name]
        if not own:
            return self._absent(name, any(version.parts for version in versions))
        line = run.record.assigned[own[0]].line
        finite = all(_is_finite(version.value) for version in versions)
        slip = next((run.slips[place] for place in own if place in run.slips), None)
        if slip is not None:
            return self._slip(slip)
        verdicts = [(place, one) for place in own if (one := run.verdicts[place]) is not None]
        wrong = next((one for _, one in verdicts if one.right is False or one.unsettled or one.doubtful), None)
        if wrong is not None or not verdicts or verdicts[-1][1].right is not True:
            if wrong is None and run.record.error is not None:
                return Mark(RAISED, line, says=self._stopped())
            return Mark(WRONG, line, says=self._sentence(wrong or verdicts[-1][1]) if verdicts else "")
        values = [one.value for one in effective(run.record, run.slips) if one.name == name]
        left = Grader(self.truth.largest).covers(values, versions)
        if left and not (self.returned and all(one.right for one in self.returned)):
            return Mark(WRONG, line, says=f"line {line}, {name}: {left} of its values {'are' if left > 1 else 'is'} "
                                          "never assigned")
        if all(self._was_right(place) for place, one in verdicts if one.right):
            return Mark(RIGHT, line, finite=finite)
        after = frozenset().union(*(self.sources[place] for place, _ in verdicts))
        return Mark(AFTER, line, after, finite=finite)

    def _slip(self, slip: Verdict) -> Mark:
        """The mark of a blank that was replaced."""
        raised = self.mended.holes.get(slip.line)
        empty = next((line for line in self.attempt.lines_for(slip.name) if self.attempt.is_empty(line)), None)
        if slip.found is ... and (raised is None or empty is not None):
            return Mark(EMPTY, empty or slip.line)
        if raised is not None:
            return Mark(RAISED, slip.line, says=f"line {slip.line}, {slip.name}: {_raised(raised)}")
        return Mark(WRONG, slip.line, says=self._sentence(slip))

    def _absent(self, name: str, needed: bool) -> Mark | None:
        """The mark of what was never assigned here."""
        error = self.mended.record.error
        if error is not None and (statement := self.attempt.raised_at(error)) is not None \
                and (lines := self.attempt.lines_for(name)):
            if self.attempt.is_empty(statement.first) and statement.first in lines:
                return Mark(EMPTY, statement.first)
            return Mark(RAISED, lines[0], says=self._stopped())
        return Mark(EMPTY) if needed else None

    def _sentence(self, one: Verdict) -> str:
        if one.right is not False:
            return f"line {one.line}, {one.name}: {one.reason or 'it cannot be judged'}"
        return sentence(one, self.options.solutions)

    def _stopped(self) -> str:
        error = self.mended.record.error
        assert error is not None
        statement = self.attempt.raised_at(error)
        return f"the run stopped{f' in line {statement.first}' if statement else ''}: {_raised(error)}"

    def _return(self) -> Mark | None:
        run = self.mended
        nodes = self.attempt.returns()
        line = nodes[-1].lineno if nodes else 0
        if run.record.returns is None:
            empty = not nodes or all(_is_nothing(node.value) for node in nodes)
            if run.record.error is not None and not empty:
                return Mark(RAISED, line, says=self._stopped())
            return Mark(EMPTY, line)
        node, line = run.record.returns
        if _is_nothing(node):
            return Mark(EMPTY, line)
        wrong = next((one for one in run.returned if one.right is not True), None)
        if wrong is not None or not run.returned:
            return Mark(WRONG, line, says="" if wrong is None else self._sentence(wrong))
        finite = all(_is_finite(one.expected) for one in run.returned)
        if self.returned and all(one.right for one in self.returned):
            return Mark(RIGHT, line, finite=finite)
        after = frozenset().union(*(self.ends.get(name, frozenset()) for name in names_in([node])))
        return Mark(AFTER, line, after, finite=finite)

    @property
    def judges_return(self) -> bool:
        """What is returned can be judged, all of it."""
        return bool(self.mended.returned) and all(one.right is not None for one in self.mended.returned)


def overall(places: Sequence[Place], name: str) -> Mark:
    """The verdict on a blank at all places: the worst of them."""
    marks = [(place, one) for place in places if (one := place.mark(name)) is not None]
    if not marks:
        return Mark(EMPTY)
    at, worst = min(marks, key=lambda pair: WORST.index(pair[1].verdict))
    line = marks[0][1].line or worst.line
    if worst.verdict in (RIGHT, AFTER):
        if not any(one.finite for _, one in marks):
            return Mark(WRONG, line, says=f"line {line}, {name}: what is expected is not finite, at any arguments: "
                                          "it cannot be judged")
        after = frozenset().union(*(one.after for _, one in marks))
        return Mark(worst.verdict, line, after)
    if at is not places[0] and marks[0][0] is places[0] and marks[0][1].verdict in (RIGHT, AFTER):
        lacks = places[0].attempt.without
        more = f" (it gets other arguments there; {', '.join(lacks)} it has no parameter for)" if lacks else ""
        what = worst.says or f"line {line}, {name}: it is not assigned"
        verdict = WRONG if worst.verdict == EMPTY else worst.verdict
        return Mark(verdict, worst.line or line, says=f"right at the arguments of the quiz, but not at "
                                                      f"{at.truth.where}{more}: {what}", elsewhere=True)
    return Mark(worst.verdict, worst.line or line, says=worst.says)


def blanks_of(options: QuizOptions, truth: Truth, attempt: Attempt) -> list[str]:
    """What is to be answered: what has points, or else each cotangent that the cell writes, and what it returns."""
    if options.points:
        return list(options.points)
    statements = dict.fromkeys(attempt.lines.values())
    names = dict.fromkeys(name for statement in statements for name in attempt.bound(statement))
    known = [name for name in names if truth.versions(variable_of(name, truth, options))
             and (name in options.names or variable_of(name, truth, options) in truth.cotangents)]
    return [*known, *[RETURN] * bool(attempt.returns())]


def _raised(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _is_finite(value: Any) -> bool:
    return all(bool(np.isfinite(leaf).all()) for leaf in leaves(value))


def _is_nothing(node: ast.expr | None) -> bool:
    return node is None or is_blank(node) or isinstance(node, ast.Constant) and node.value is None
