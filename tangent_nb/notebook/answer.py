"""What is shown of a hand-written backward pass: a verdict for each line, and what is wrong first."""
from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from . import at as at_
from .cotangents import Record
from .follow import followed
from .grade import Verdict, by_line
from .quiz_options import QuizOptions
from .quiz_report import EMPTY
from .truth import Truth
from .verdicts import Again, cotangents, gradients
from .view import Table, View


def answer(name: str, truth: Truth, record: Record, options: QuizOptions, wanted: Sequence[str] = (),
           solution: View | None = None, again: Again | None = None,
           elsewhere: Mapping[str, str] | None = None, blanks: Sequence[str] = ()) -> View:
    """What is shown of an attempt. elsewhere: what is wrong with a name at other arguments alone; blanks: the names
    that are empty."""
    verdicts = cotangents(truth, record, options)
    returned = list(gradients(truth, record, options, wanted))
    if again is not None:
        verdicts, returned = followed(truth, record, verdicts, returned, again, options, wanted)
    elsewhere = elsewhere or {}
    rows = [_shown(one, elsewhere, options)
            for one in by_line([*(one for one in verdicts if one is not None), *returned])]
    wrong = [one for one in rows if one.right is False]
    judged = [one for one in rows if one.right is not None]
    head = ("line", "name", "found", "expected", "largest difference", "")
    table = Table(f"at {truth.where}", _hidden(head, options), tuple(_hidden(_row(one), options) for one in rows),
                  tuple(one.right for one in rows))
    notes = []
    names = [one.name for one in rows if one.reason == EMPTY]
    empty = [name for name in names if not name.startswith("return ") or name.partition(" ")[2] not in names]
    left = _left(record.error)
    sign = "…" if empty else left or "…"
    empty = empty or list(blanks)
    if empty:
        notes.append(f"{', '.join(empty)} {'is' if len(empty) == 1 else 'are'} empty: fill in what stands for {sign}")
    elif left:
        notes.append(f"{name} stopped there: fill in what stands for {left}")
    elif record.error is not None:
        notes.append(f"{name} stopped there: {type(record.error).__name__}: {record.error}")
    if not judged and not empty:
        notes.append(f"nothing was judged: the cotangent of a variable x of {truth.name} is called {options.prefix}x")
    elif judged and not wrong:
        notes.append(f"{'right so far' if record.error is not None else 'all right'}: "
                     f"{len(judged)} of {len(rows)} lines were judged, and agree")
    facts = (("backward pass of", truth.name),)
    tables = (table,) if rows else ()
    problem = elsewhere.get(_key(wrong[0])) or sentence(wrong[0], options.solutions) if wrong else ""
    if solution is None:
        return View(name, facts, tables=tables, notes=tuple(notes), problem=problem)
    return replace(solution, name=name, facts=(*facts, ("beside", solution.name)), tables=tables, notes=tuple(notes),
                   problem=problem)


def _left(error: BaseException | None) -> str:
    """The blank of underscores that was left in what raised."""
    name = (error.name or "") if isinstance(error, NameError) else ""
    return name if name and not name.strip("_") else ""


def _key(one: Verdict) -> str:
    """The name of the blank that a line is of."""
    return one.name.partition(" ")[0]


def _shown(one: Verdict, elsewhere: Mapping[str, str], options: QuizOptions) -> Verdict:
    """A verdict as it is told: what is right at these arguments alone is wrong, a blank is none, and what kind of
    mistake it is says what is expected."""
    if one.found is ...:
        return replace(one, right=None, reason=EMPTY, follows=())
    if one.right and _key(one) in elsewhere:
        return replace(one, right=False, hint="not right at other arguments")
    return one if options.solutions or one.right else replace(one, hint="")


def _hidden(cells: tuple[str, ...], options: QuizOptions) -> tuple[str, ...]:
    """A row without what is expected, where no solutions are shown."""
    return cells if options.solutions else (*cells[:3], *cells[5:])


def _row(one: Verdict) -> tuple[str, ...]:
    if one.reason == EMPTY:
        return str(one.line), one.name, "", "", "", EMPTY
    if one.right is None or one.difference is None:
        return str(one.line), one.name, at_.short(one.found), "", "", f"not judged: {one.reason}"
    apart = "" if one.difference.problem else f"{one.difference.worst:.1e}"
    lines = ", ".join(map(str, one.follows))
    said = f"follows from line{'s' * (len(one.follows) > 1)} {lines}" if one.follows \
        else one.difference.problem or one.hint
    if one.doubts:
        said = "; ".join([f"or {_places(one.doubts)}, which cannot be judged", *filter(None, [said])])
    return str(one.line), one.name, at_.short(one.found), at_.short(one.expected), apart, said


def sentence(one: Verdict, numbers: bool = True) -> str:
    """What is wrong with a line. numbers: those that are expected are told."""
    apart = one.difference
    assert apart is not None
    if apart.problem:
        said = apart.problem
    else:
        index = f" at [{', '.join(map(str, apart.index))}]" if apart.index else ""
        shape = f" (shape {np.shape(one.expected)}, largest difference {apart.worst:.3g})" if apart.index else ""
        found, expected = f"{apart.found:.6g}", f"{apart.expected:.6g}"
        if found == expected:
            found, expected = repr(apart.found), repr(apart.expected)
        said = f"found {found}{index}, expected {expected}{shape}" if numbers else f"{found}{index} is not right"
    said += f"; {one.hint}" if one.hint and numbers else ""
    if not one.doubts:
        return f"line {one.line}, {_told(one.name)}: {said}"
    return (f"{_places((*one.doubts, (one.line, one.name)))}: "
            f"the mistake is in one of them, and of these only {one.name} can be judged: {said}")


def _told(name: str) -> str:
    """What is found tells what a number is that is returned."""
    what = name.removeprefix("return ")
    try:
        return "return" if what != name and isinstance(ast.literal_eval(what), (int, float)) else name
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return name


def _places(several: Sequence[tuple[int, str]]) -> str:
    return ", or ".join(f"line {line}, {name}" for line, name in several)
