"""What is shown of a hand-written backward pass: a verdict for each line, and what is wrong first."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from ..tracing.values import names_in
from . import at as at_
from .compare import Difference, difference
from .cotangents import Assigned, Record, Version
from .grade import Grader, Verdict, by_line
from .quiz_options import QuizOptions
from .truth import Truth
from .view import Table, View

Again: TypeAlias = "Callable[[Mapping[int, Any]], Record]"    # run the attempt with other values after some assignments


def answer(name: str, truth: Truth, record: Record, options: QuizOptions, wanted: Sequence[str] = (),
           solution: View | None = None, again: Again | None = None) -> View:
    """What is shown of an attempt."""
    verdicts = _cotangents(truth, record, options)
    returned = list(_returned(truth, record, options, wanted))
    if again is not None:
        verdicts, returned = followed(truth, record, verdicts, returned, again, options, wanted)
    rows = by_line([*(one for one in verdicts if one is not None), *returned])
    wrong = [one for one in rows if one.right is False]
    judged = [one for one in rows if one.right is not None]
    table = Table(f"at {truth.where}", ("line", "name", "found", "expected", "largest difference", ""),
                  tuple(map(_row, rows)), tuple(one.right for one in rows))
    notes = []
    if record.error is not None:
        notes.append(f"{name} stopped there: {type(record.error).__name__}: {record.error}")
    if not judged:
        notes.append(f"nothing was judged: the cotangent of a variable x of {truth.name} is called {options.prefix}x")
    elif not wrong:
        notes.append(f"{'right so far' if record.error is not None else 'all right'}: "
                     f"{len(judged)} of {len(rows)} lines were judged, and agree")
    facts = (("backward pass of", truth.name),)
    tables = (table,) if rows else ()
    problem = sentence(wrong[0]) if wrong else ""
    if solution is None:
        return View(name, facts, tables=tables, notes=tuple(notes), problem=problem)
    return replace(solution, name=name, facts=(*facts, ("beside", solution.name)), tables=tables, notes=tuple(notes),
                   problem=problem)


def _cotangents(truth: Truth, record: Record, options: QuizOptions) -> list[Verdict | None]:
    """For each assignment in order the verdict on it; None for names that are no cotangents."""
    grader = Grader(truth.largest)
    assigned = record.assigned
    found: list[Verdict | None] = [None] * len(assigned)
    for name in dict.fromkeys(one.name for one in assigned):
        variable = _variable(name, truth, options)
        if not variable:
            continue
        own = [(place, one) for place, one in enumerate(assigned) if one.name == name]
        known = truth.cotangents.get(variable)
        if known:
            verdicts = grader.variable([one for _, one in own], known)
            if record.error is not None:
                verdicts[-1] = _unfinished(verdicts[-1], record)
        elif name in options.names or variable in truth.variables:
            verdicts = [Verdict(one.line, one.name, one.value, reason=_unknown(variable, truth)) for _, one in own]
        else:
            reason = f"{_unknown(variable, truth)}, and no step of it has this cotangent"
            verdicts = [grader.unnamed(one, truth.steps, reason) for _, one in own]
        for (place, _), verdict in zip(own, verdicts):
            found[place] = verdict
    return found


def _unfinished(last: Verdict, record: Record) -> Verdict:
    """The verdict on a variable's last assignment before the run stopped: more might have been added to it."""
    if last.right is False and any(line >= last.line for line in record.adding.get(last.name, ())):
        return Verdict(last.line, last.name, last.found, reason="the run stopped before it was complete")
    return last


def followed(truth: Truth, record: Record, verdicts: Sequence[Verdict | None], returned: Sequence[Verdict],
             again: Again, options: QuizOptions, wanted: Sequence[str]) -> tuple[list[Verdict | None], list[Verdict]]:
    """The verdicts, of the wrong ones saying which only hand on an earlier mistake: those that are right where the
    attempt runs with the right values in the places of the wrong ones. The others are told what is wrong with them
    there."""
    wrong = {place: one.expected for place, one in enumerate(verdicts) if one is not None and one.right is False}
    repaired = again(wrong) if wrong else record
    if [(one.line, one.name) for one in repaired.assigned] != [(one.line, one.name) for one in record.assigned]:
        return list(verdicts), list(returned)
    grader = Grader(truth.largest)
    sources: dict[str, _Source] = {}
    result = list(verdicts)
    for place, (one, there, verdict) in enumerate(zip(record.assigned, repaired.assigned, verdicts)):
        reads = {*one.reads, *((one.name,) if one.adds or one.part else ())}
        source = _Source.of(sources[name] for name in sorted(reads) if name in sources)
        if verdict is not None and verdict.right is not False and not verdict.doubtful:
            source = _Source() if verdict.right else source
        elif verdict is not None:
            alone = (grader.unnamed(there, truth.steps, verdict.reason) if verdict.doubtful
                     else grader.judged(there, Version(verdict.expected)))
            result[place] = verdict = source.told(verdict, alone)
            source = _Source(source.mistakes, source.doubts | {(one.line, one.name)}) if verdict.doubtful \
                else _Source(frozenset(verdict.follows or (one.line,)))
        sources[one.name] = source
    ends = []
    for end, alone in zip(returned, _returned(truth, repaired, options, wanted)):
        node = ast.parse(end.name.removeprefix("return").strip() or "None", mode="eval").body
        source = _Source.of(sources[name] for name in sorted(names_in([node])) if name in sources)
        ends.append(source.told(end, alone) if end.right is False else end)
    return result, ends


@dataclass(frozen=True)
class _Source:
    """What a value was computed from: the lines of the mistakes that it hands on, and what cannot be judged,
    with its line."""

    mistakes: frozenset[int] = frozenset()
    doubts: frozenset[tuple[int, str]] = frozenset()

    def told(self, one: Verdict, alone: Verdict) -> Verdict:
        """What is said of a value that is wrong, or doubtful.
        alone: the verdict on it where what it was computed from is right."""
        if alone.right and self.mistakes:
            return replace(one, right=False, reason="", follows=tuple(sorted(self.mistakes)), doubtful=False,
                           expected=alone.expected, difference=one.difference or difference(one.found, alone.expected))
        return one if one.doubtful \
            else replace(one, hint=alone.hint if self.mistakes else one.hint, doubts=tuple(sorted(self.doubts)))

    @classmethod
    def of(cls, several: Iterable[_Source]) -> _Source:
        known = list(several)
        return cls(frozenset().union(*(one.mistakes for one in known)),
                   frozenset().union(*(one.doubts for one in known)))


def _variable(name: str, truth: Truth, options: QuizOptions) -> str:
    """The variable that a name is the cotangent of; empty where it is none."""
    if name in options.names:
        return options.names[name]
    if name in truth.variables or not name.startswith(options.prefix):
        return ""
    return name.removeprefix(options.prefix)


def _unknown(variable: str, truth: Truth) -> str:
    if variable not in truth.variables:
        return f"{truth.name} has no variable {variable}"
    return f"no derivative flows through {variable}"


def _returned(truth: Truth, record: Record, options: QuizOptions, wanted: Sequence[str]) -> Iterator[Verdict]:
    """The verdicts on what is returned."""
    if record.returns is None:
        return
    node, line = record.returns
    several = isinstance(node, ast.Tuple) and isinstance(record.returned, tuple)
    nodes = node.elts if several and isinstance(node, ast.Tuple) else [node]
    values = record.returned if several else (record.returned,)
    if wanted and len(wanted) != len(values):
        problem = f"found {len(values)} value{'s' * several}, expected the gradient of {' and '.join(wanted)}"
        expected = tuple(truth.gradients[name] for name in wanted)
        yield Verdict(line, "return", record.returned, False, "", expected, Difference(False, problem=problem))
        return
    if not wanted and len(truth.gradients) == len(values) == 1:
        wanted = tuple(truth.gradients)
    for place, (part, found) in enumerate(zip(nodes, values)):
        name = ast.unparse(part)
        parameter = wanted[place] if wanted else _variable(name, truth, options)
        one = Assigned(line, f"return {name}", found, False, False)
        if parameter in truth.gradients:
            yield Grader(truth.largest).judged(one, Version(truth.gradients[parameter]))
        else:
            yield Verdict(line, one.name, found, reason="which gradient it is can be said with -w")


def _row(one: Verdict) -> tuple[str, ...]:
    if one.right is None or one.difference is None:
        return str(one.line), one.name, at_.short(one.found), "", "", f"not judged: {one.reason}"
    apart = "" if one.difference.problem else f"{one.difference.worst:.1e}"
    lines = ", ".join(map(str, one.follows))
    said = f"follows from line{'s' * (len(one.follows) > 1)} {lines}" if one.follows \
        else one.difference.problem or one.hint
    if one.doubts:
        said = "; ".join([f"or {_places(one.doubts)}, which cannot be judged", *filter(None, [said])])
    return str(one.line), one.name, at_.short(one.found), at_.short(one.expected), apart, said


def sentence(one: Verdict) -> str:
    """What is wrong with a line."""
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
        said = f"found {found}{index}, expected {expected}{shape}"
    said += f"; {one.hint}" if one.hint else ""
    if not one.doubts:
        return f"line {one.line}, {one.name}: {said}"
    return (f"{_places((*one.doubts, (one.line, one.name)))}: "
            f"the mistake is in one of them, and of these only {one.name} can be judged: {said}")


def _places(several: Sequence[tuple[int, str]]) -> str:
    return ", or ".join(f"line {line}, {name}" for line, name in several)
