"""The verdicts on what a backward pass assigns and returns, by the true cotangents and gradients."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from .compare import Difference
from .cotangents import Assigned, Record, Version
from .grade import Grader, Verdict
from .quiz_options import QuizOptions
from .truth import Truth

# run the attempt with other values after some assignments, and with holes in the places of some lines
Again: TypeAlias = "Callable[[Mapping[int, Any], Mapping[int, Exception]], Record]"


def cotangents(truth: Truth, record: Record, options: QuizOptions, *, strict: bool = False) -> list[Verdict | None]:
    """For each assignment in order the verdict on it; None for names that are no cotangents. strict: where a name gets
    some of the values of its variable and not the others, it should have got them."""
    grader = Grader(truth.largest)
    assigned = record.assigned
    found: list[Verdict | None] = [None] * len(assigned)
    for name in dict.fromkeys(one.name for one in assigned):
        variable = variable_of(name, truth, options)
        if not variable:
            continue
        own = [(place, one) for place, one in enumerate(assigned) if one.name == name]
        known = truth.cotangents.get(variable) or (truth.versions(variable) if name in options.names else ())
        if known:
            some = strict and grader.covers([one.value for _, one in own], known) > 0
            verdicts = grader.variable([one for _, one in own], known, strict=some)
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


def variable_of(name: str, truth: Truth, options: QuizOptions) -> str:
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


def gradients(truth: Truth, record: Record, options: QuizOptions, wanted: Sequence[str]) -> Iterator[Verdict]:
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
        parameter = wanted[place] if wanted else variable_of(name, truth, options)
        one = Assigned(line, f"return {name}", found, False, False)
        if parameter in truth.gradients:
            yield Grader(truth.largest).judged(one, Version(truth.gradients[parameter]))
        else:
            yield Verdict(line, one.name, found, reason="which gradient it is can be said with -w")


