"""A backward pass run with right values in the places of its wrong ones: which of its mistakes are its own."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..tracing.statements import base
from ..tracing.values import names_in
from .attempt import Attempt
from .compare import difference
from .cotangents import Assigned, Record, Version
from .grade import Grader, Verdict
from .quiz_options import QuizOptions
from .truth import Truth
from .verdicts import Again, cotangents, gradients, variable_of

MOST = 200                                         # runs


@dataclass(frozen=True)
class Mended:
    """The last of these runs, and the verdicts on what it assigns and returns. slips: of what was replaced, by its
    place in the record, what is wrong with it where all before it is right; holes: what the lines raised that are holes
    now."""

    record: Record
    verdicts: Sequence[Verdict | None]
    returned: Sequence[Verdict]
    slips: Mapping[int, Verdict] = field(default_factory=dict)
    holes: Mapping[int, Exception] = field(default_factory=dict)


def mended(truth: Truth, first: Record, again: Again, options: QuizOptions, wanted: Sequence[str],
           attempt: Attempt | None = None, mendable: Callable[[str], bool] = lambda name: True) -> Mended:
    """Replace the first wrong value that is `mendable` by its name, run again, and so on.

    A wrong line is replaced in all trips of a loop at once. A line that raises is a hole then, and a hole is wrong;
    without an attempt no line is made one.
    """
    record, slips, holes = first, dict[int, Verdict](), dict[int, Exception]()
    ends = list(gradients(truth, first, options, wanted))
    strict = not ends or not all(one.right for one in ends)        # there is some mistake
    for _ in range(MOST):
        verdicts = _verdicts(truth, record, options, slips, strict)
        place = next((place for place, one in enumerate(verdicts)
                      if one is not None and one.right is False and place not in slips and mendable(one.name)), None)
        more, raised = dict(slips), dict(holes)
        if place is not None:
            line, name = record.assigned[place].line, record.assigned[place].name
            more |= {at: one for at, one in enumerate(verdicts) if one is not None and one.right is False
                     and at not in slips and (one.line, one.name) == (line, name)}
        elif (found := _hole(record, attempt, mendable)) is not None and found not in holes:
            assert record.error is not None
            raised[found] = record.error
            more |= {at: one if one.right else replace(one, expected=one.found) for at, one in enumerate(verdicts)
                     if one is not None and one.line == found and at not in slips}          # trips before
        elif doubted := _doubted(truth, record, options, verdicts, attempt, mendable):
            more |= doubted
        else:
            break
        candidate = again({at: one.expected for at, one in more.items()}, raised)
        if _order(candidate)[:_known(record, place)] != _order(record)[:_known(record, place)]:
            break                                  # it has gone another way
        if place is None and raised == holes and len(candidate.assigned) <= len(record.assigned) \
                and candidate.error is not None:
            break                                  # what was in doubt was not to blame
        record, slips, holes = candidate, more, raised
    verdicts = _verdicts(truth, record, options, slips, strict)
    return Mended(record, verdicts, list(gradients(truth, record, options, wanted)), slips, holes)


def _doubted(truth: Truth, record: Record, options: QuizOptions, verdicts: Sequence[Verdict | None],
             attempt: Attempt | None, mendable: Callable[[str], bool]) -> dict[int, Verdict]:
    """Values that a statement reads which raises, where they cannot be judged before they are complete: wrong, if the
    statement does not raise with right ones."""
    statement = None if attempt is None or record.error is None else attempt.raised_at(record.error)
    found = {}
    for name in names_in(statement.reads) if statement is not None else ():
        own = [place for place, one in enumerate(record.assigned) if one.name == name]
        last = verdicts[own[-1]] if own else None
        if last is not None and last.right is None and mendable(name):
            wrong = _expecting(last, truth.versions(variable_of(name, truth, options)), _rank(record, own[-1]))
            if wrong.right is False:
                found[own[-1]] = wrong
    return found


def _known(record: Record, place: int | None) -> int:
    return len(record.assigned) if place is None else place + 1


def _order(record: Record) -> list[tuple[int, str]]:
    return [(one.line, one.name) for one in record.assigned]


def _verdicts(truth: Truth, record: Record, options: QuizOptions, slips: Mapping[int, Verdict],
              strict: bool) -> list[Verdict | None]:
    """The verdicts on a run: what was replaced counts as right for the others, and keeps its own."""
    seen = replace(record, assigned=effective(record, slips))
    found = [slips.get(place, one) for place, one in enumerate(cotangents(truth, seen, options, strict=strict))]
    last = {one.name: place for place, one in enumerate(record.assigned)}
    for place, one in enumerate(found):
        if one is None or one.right is False or place in slips:
            continue
        versions = truth.versions(variable := variable_of(one.name, truth, options))
        if one.found is ...:
            found[place] = _expecting(one, versions, _rank(record, place))
        elif strict and record.error is None and place == last[one.name] and variable in truth.gradients \
                and (one.right or one.unsettled):
            found[place] = _in_the_end(one, truth, versions)
    return found


def _in_the_end(one: Verdict, truth: Truth, versions: Sequence[Version]) -> Verdict:
    """The verdict on the last value of a parameter's cotangent: it is to be the gradient."""
    expected = _expecting(one, versions, len(versions))
    return one if expected.right is None or Grader(truth.largest).close(one.found, expected.expected) else expected


def _rank(record: Record, place: int) -> int:
    """How many values a variable got before, that nothing was added to then."""
    own = [one for one in record.assigned[:place + 1] if one.name == record.assigned[place].name]
    return sum(not one.adds for one in own[1:])


def _expecting(one: Verdict, versions: Sequence[Version], before: int) -> Verdict:
    """A wrong value of which it is not clear to which value of its variable it belongs: to the next one."""
    known = [version for version in versions if version.parts]
    if not known:
        return one
    expected = known[min(before, len(known) - 1)].value
    return replace(one, right=False, reason="", unsettled=False, expected=expected,
                   difference=difference(one.found, expected))


def effective(record: Record, slips: Mapping[int, Verdict]) -> tuple[Assigned, ...]:
    """What the variables held after each assignment, with what was replaced."""
    return tuple(replace(one, value=slips[place].expected) if place in slips else one
                 for place, one in enumerate(record.assigned))


def _hole(record: Record, attempt: Attempt | None, mendable: Callable[[str], bool]) -> int | None:
    """The line that raised, if a hole can stand there."""
    statement = None if attempt is None or record.error is None else attempt.fillable(record.error)
    if statement is None or not all(base(target) and mendable(base(target)) for target in statement.stores):
        return None
    return statement.first


def feeding(record: Record, slips: Mapping[int, Verdict],
            right: Callable[[int], bool]) -> tuple[list[frozenset[int]], Mapping[str, frozenset[int]]]:
    """For each assignment, and in the end for each name, the lines of the slips that it was computed from. right: what
    was assigned there was right as it was written, so that it hands nothing on."""
    origins: dict[str, frozenset[int]] = {}
    found = []
    for place, one in enumerate(record.assigned):
        reads = {*one.reads, *((one.name,) if one.adds or one.part else ())}
        source: frozenset[int] = frozenset().union(*(origins.get(name, frozenset()) for name in reads))
        if place in slips:
            source = frozenset({one.line})
        elif right(place):
            source = frozenset()
        origins[one.name] = source
        found.append(source)
    return found, origins

