"""What is shown of a hand-written backward pass: a verdict for each line, and what is wrong first."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from . import at as at_
from .compare import Difference
from .cotangents import Assigned, Record, Version
from .grade import Grader, Verdict, by_line
from .quiz_options import QuizOptions
from .truth import Truth
from .view import Table, View


def answer(name: str, truth: Truth, record: Record, options: QuizOptions, wanted: Sequence[str] = (),
           solution: View | None = None) -> View:
    """What is shown of an attempt."""
    rows = by_line([*_cotangents(truth, record.assigned, options), *_returned(truth, record, options, wanted)])
    wrong = [one for one in rows if one.right is False]
    judged = [one for one in rows if one.right is not None]
    table = Table(f"at {truth.where}", ("line", "name", "found", "expected", "largest difference", ""), tuple(map(_row, rows)),
                  tuple(one.right for one in rows))
    notes = []
    if not judged:
        notes.append(f"nothing was judged: the cotangent of a variable x of {truth.name} is called {options.prefix}x")
    elif not wrong:
        notes.append(f"all right: {len(judged)} of {len(rows)} lines were judged, and agree")
    facts = (("backward pass of", truth.name),)
    tables = (table,) if rows else ()
    problem = sentence(wrong[0]) if wrong else ""
    if solution is None:
        return View(name, facts, tables=tables, notes=tuple(notes), problem=problem)
    return replace(solution, name=name, facts=(*facts, ("beside", solution.name)), tables=tables, notes=tuple(notes), problem=problem)


def _cotangents(truth: Truth, assigned: Sequence[Assigned], options: QuizOptions) -> list[Verdict]:
    """The verdicts on the names that are cotangents, in the order in which they were assigned."""
    grader = Grader(truth.largest)
    places: list[tuple[int, Verdict]] = []
    for name in dict.fromkeys(one.name for one in assigned):
        variable = _variable(name, truth, options)
        if not variable:
            continue
        own = [(place, one) for place, one in enumerate(assigned) if one.name == name]
        known = truth.cotangents.get(variable)
        if known:
            verdicts = grader.variable([one for _, one in own], known)
        else:
            reason = _unknown(variable, truth)
            verdicts = [Verdict(one.line, one.name, one.value, reason=reason) for _, one in own]
        places += [(place, verdict) for (place, _), verdict in zip(own, verdicts)]
    return [verdict for _, verdict in sorted(places, key=lambda pair: pair[0])]


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
    return str(one.line), one.name, at_.short(one.found), at_.short(one.expected), apart, one.difference.problem or one.hint


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
    return f"line {one.line}, {one.name}: {said}" + (f"; {one.hint}" if one.hint else "")
