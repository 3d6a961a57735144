"""A quiz as it stands: what was asked, answered, hinted at and shown, and how many points that makes."""
from __future__ import annotations

import inspect
import types
import weakref
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..errors import TangentError
from ..every import EVERY
from .answer import answer
from .attempt import Attempt
from .cotangents import Record
from .derive import derive
from .marking import Mark, Place, blanks_of, overall
from .options import OptionError, Options
from .other_places import other_places
from .quiz_hints import READABLE, Hints
from .quiz_options import RETURN, QuizOptions
from .quiz_report import EMPTY, Blank, QuizReport, amount, words
from .truth import Truth
from .verdicts import Again, variable_of
from .view import Table, View, view


class Sheet:
    """One quiz. posed: by `%quiz`, so that the cells that answer it cannot change its rules."""

    def __init__(self, f: types.FunctionType, options: QuizOptions, bound: inspect.BoundArguments,
                 posed: bool) -> None:
        self.f, self.options, self.posed = f, options, posed
        self.bound = _kept(bound)
        self.truth = Truth.of(f, self.bound)
        self.wanted = _wanted(f, self.truth, options)
        _check(self.truth, options, self.wanted)
        self.attempt = ""
        self.judged = 0
        self.error = ""
        self.marks: dict[str, tuple[Mark, str]] = {name: (Mark(EMPTY), "") for name in options.points}
        self.tries: dict[str, list[str]] = {}
        self.hints: dict[str, list[str]] = {}
        self.shown: dict[str, str] = {}
        self.spent: set[str] = set()               # where there are no more hints
        self.paid: set[str] = set()                # solutions that were shown before the answer was right
        self.view: View | None = None
        self.answers = 0                           # how many were given: the newest one counts
        self.widgets: weakref.WeakSet[Any] = weakref.WeakSet()

    def is_for(self, f: types.FunctionType, options: QuizOptions) -> bool:
        """The same quiz: of the same code, with the same rules."""
        return self.f.__code__ == f.__code__ and self.options == options

    def take_over(self, before: Sheet) -> None:
        """Go on with what was asked and answered: running the cell that poses it again takes nothing back."""
        self.attempt, self.judged, self.error, self.view = before.attempt, before.judged, before.error, before.view
        self.marks, self.tries, self.hints, self.shown = before.marks, before.tries, before.hints, before.shown
        self.spent, self.paid, self.widgets = before.spent, before.paid, before.widgets
        self.answers = before.answers
        for widget in list(self.widgets):
            widget.sheet = self

    def refresh(self) -> None:
        """Tell the pages what is so now."""
        for widget in list(self.widgets):
            widget.refresh()

    @cached_property
    def others(self) -> list[tuple[inspect.BoundArguments, Truth]]:
        """Other arguments, and what is true there."""
        return other_places(self.f, self.bound, self.truth, self.options.places)

    @cached_property
    def _hints(self) -> Hints:
        return Hints(self.f, self.bound, self.truth, self.options, self.wanted)

    def judge(self, function: types.FunctionType, *, solution: bool = False) -> Exception | None:
        """Judge an attempt. What it raised, unless that comes of a blank that is empty."""
        attempt = Attempt(function, self.f)
        calls, again = attempt.at(self.bound)
        record = attempt.first(calls)
        names = blanks_of(self.options, self.truth, attempt)

        def place(truth: Truth, record: Record, again: Again) -> Place:
            return Place(truth, record, again, self.options, self.wanted, attempt, names)

        places = [place(self.truth, record, again)]
        for bound, truth in self.others:
            _, there = attempt.at(bound)
            places.append(place(truth, there({}, {}), there))
        marks = {name: overall(places, name) for name in names}
        if not self.options.points and not places[0].judges_return:
            marks.pop(RETURN, None)
        self._keep(attempt, marks, len(places), record.error)
        for name in self.marks if solution else ():
            self.show(name)
        empty = any(one.verdict == EMPTY and one.line for one in marks.values())
        shown = self._solution() if solution else None
        self.view = None if record.error is not None and not record.assigned and not empty else \
            answer(function.__name__, self.truth, record, self.options, self.wanted, shown, again,
                   {name: one.says for name, one in marks.items() if one.elsewhere},
                   [name for name, one in marks.items() if one.verdict == EMPTY and one.line])
        return None if empty else record.error

    def _keep(self, attempt: Attempt, marks: Mapping[str, Mark], judged: int, error: Exception | None) -> None:
        self.attempt, self.judged, self.answers = attempt.function.__name__, judged, self.answers + 1
        self.error = "" if error is None else f"{type(error).__name__}: {error}"
        self.marks = {}
        for name, mark in marks.items():
            text = attempt.answer_returned() if name == RETURN else attempt.answer(name)
            self.marks[name] = mark, text
            tried = self.tries.setdefault(name, [])
            if mark.verdict != EMPTY and text not in tried:
                tried.append(text)

    def hint(self, name: str) -> str:
        """The next hint for a blank, which costs."""
        self._known(name)
        if self.report[name].is_right:
            raise OptionError(f"{name} is right: it needs no hint")
        ladder, taken = self._hints.ladder(name), self.hints.setdefault(name, [])
        if len(taken) == len(ladder):
            raise OptionError(f"there are no more hints for {name}")
        taken.append(ladder[len(taken)])
        if len(taken) == len(ladder):
            self.spent.add(name)
        return taken[-1]

    def show(self, name: str) -> str:
        """The solution of a blank, which costs all its points where it is not right by then."""
        self._known(name)
        if not self.options.solutions:
            raise OptionError("this quiz shows no solutions (--no-solutions)")
        if not self.report[name].is_right:
            self.paid.add(name)
        return self.shown.setdefault(name, self._hints.solution(name))

    def _known(self, name: str) -> None:
        if name not in self.marks:
            there = ", ".join(self.marks) or "none yet: run a cell that answers"
            raise OptionError(f"no blank {name}; there are {there}")

    @property
    def report(self) -> QuizReport:
        """What it comes to now."""
        options, blanks = self.options, []
        for name, (mark, text) in self.marks.items():
            hints, shown, weight = len(self.hints.get(name, ())), name in self.paid, options.weight(name)
            of = ", ".join(self.wanted) if name == RETURN else variable_of(name, self.truth, options)
            blank = Blank(name, mark.line, of, text, mark.verdict, 0.0, weight, hints, len(self.tries.get(name, ())),
                          shown, tuple(sorted(mark.after)), mark.says)
            points = weight * max(0.0, 1.0 - options.hint_cost * hints) if blank.is_right and not shown else 0.0
            blanks.append(replace(blank, points=round(points, 6)))
        return QuizReport(options.target, self.attempt, tuple(blanks), self.judged, self.error, options.hint_cost,
                          options.solutions)

    @property
    def costs(self) -> str:
        """What hints and solutions cost."""
        hints = f"each hint costs {self.options.hint_cost:.0%} of the points of a blank" \
            if self.options.hint_cost else "hints are free"
        return hints + ("; its solution costs all of them" if self.options.solutions else "; solutions are not shown")

    def shown_view(self) -> View:
        """What is shown without a widget."""
        base = self.view or View(self.f.__name__, (("quiz on the backward pass of", self.f.__name__),
                                                   ("at", self.truth.where)), notes=(self.costs,))
        if not self.posed and not self.options.points and not self.hints and not self.shown:
            return base
        return replace(base, tables=(*base.tables, *tables(self.report, self.hints, self.shown, base.problem)))

    def _solution(self) -> View:
        """The true derivative beside the function."""
        made = derive(self.f, Options(wrt=tuple(self.truth.gradients), passes=READABLE), self.bound)
        return view(made.function.__name__, made.derivation, every_pass=False)


def tables(report: QuizReport, hints: Mapping[str, Sequence[str]], shown: Mapping[str, str],
           problem: str = "") -> list[Table]:
    """The blanks with their points, and what was said of them. problem: what is told beside the tables."""
    rows = [(one.name, amount(one.points, one.possible), words(one), one.says if one.says != problem else "")
            for one in report]
    found = [Table(f"points: {amount(report.points, report.possible)}", ("", "points", "", ""), tuple(rows))]
    said = [(name, f"hint {at}", text) for name, texts in hints.items() for at, text in enumerate(texts, 1)]
    said += [(name, "solution", text) for name, text in shown.items()]
    return [*found, *([Table("hints", ("", "", ""), tuple(said))] if said else [])]


def _kept(bound: inspect.BoundArguments) -> inspect.BoundArguments:
    """The arguments, whatever becomes of the arrays of the notebook."""
    kept = inspect.BoundArguments(bound.signature, bound.arguments.copy())
    try:
        kept.arguments = type(bound.arguments)(deepcopy(dict(bound.arguments)))
    except Exception:                              # what cannot be copied
        return bound
    return kept


def _wanted(f: Any, truth: Truth, options: QuizOptions) -> tuple[str, ...]:
    """The parameters whose gradients are to be returned, in order; none where the names that are returned say it."""
    wrt = options.wrt
    if wrt == EVERY:
        return ()
    parameters = list(inspect.signature(f).parameters)
    names = []
    for one in wrt if isinstance(wrt, tuple) else (wrt,):
        name = parameters[one] if isinstance(one, int) and -len(parameters) <= one < len(parameters) else str(one)
        if name not in truth.gradients:
            raise OptionError(f"-w {name}: {f.__name__} has no gradient with respect to it here; "
                              f"there is one for {', '.join(truth.gradients)}")
        names.append(name)
    return tuple(names)


def _check(truth: Truth, options: QuizOptions, wanted: Sequence[str]) -> None:
    """Everything that has points can be judged."""
    for name in options.points:
        if name == RETURN:
            if not wanted and len(truth.gradients) > 1:
                raise OptionError(f"--points return: say whose gradients are to be returned, in order: "
                                  f"-w {','.join(truth.gradients)}")
            continue
        variable = variable_of(name, truth, options)
        known = ", ".join(f"{options.prefix}{one}" for one in truth.cotangents if truth.cotangents[one])
        steps = "; ".join(truth.steps) or "it has none"
        if name in options.names and not truth.versions(variable):
            raise OptionError(f"--names {name}={variable}: {truth.name} has no such variable or step with a "
                              f"derivative; its steps are: {steps}")
        if name not in options.names and variable not in truth.cotangents:
            raise OptionError(f"--points {name}: it is the cotangent of no variable of {truth.name}; there are "
                              f'{known}. Of a step without a name, say which: --names "{name}=…" (steps: {steps})')


def fails(name: str, error: Exception) -> str:
    """Why there is no quiz; without a traceback, which would show the derivative."""
    if isinstance(error, TangentError):
        return str(error)
    return f"{name} or its derivative fails at these arguments: {type(error).__name__}: {error}"
