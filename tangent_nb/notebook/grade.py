"""Judge the cotangents that a backward pass computes, line by line, by the true ones."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..runtime.storing import broadcasts
from .compare import Difference, difference, hint
from .cotangents import Assigned, Version


@dataclass(frozen=True)
class Verdict:
    """A line's assignment to a name. right: None where it is not judged, for the `reason`; hint: what kind of mistake
    it may be; follows: the lines whose mistakes it hands on, having none of its own; doubtful: it is not judged, and
    may be where a mistake is; doubts: lines and names of such before, from which it was computed; unsettled: it belongs
    to one of several values, and agrees with none of those that it may be."""

    line: int
    name: str
    found: Any
    right: bool | None = None
    reason: str = ""
    expected: Any = None
    difference: Difference | None = None
    hint: str = ""
    follows: tuple[int, ...] = ()
    doubtful: bool = False
    doubts: tuple[tuple[int, str], ...] = ()
    unsettled: bool = False


class Grader:
    """Compares values. largest: the size of the numbers in the whole computation, whose rounding is no mistake."""

    def __init__(self, largest: float = 1.0) -> None:
        self.largest = largest

    def judged(self, one: Assigned, version: Version) -> Verdict:
        """One value against the one expected."""
        apart = difference(one.value, version.value, self.largest)
        kind = "" if apart.close else hint(one.value, version.value, version.parts, self.largest)
        return Verdict(one.line, one.name, one.value, apart.close, "", version.value, apart, kind)

    def variable(self, assigned: Sequence[Assigned], versions: Sequence[Version], *,
                 strict: bool = False) -> list[Verdict]:
        """All assignments to the cotangent of one variable, in order,
        against the cotangents of the values that it takes.

        A cotangent may be assigned piece by piece, and is judged where it is complete. Which assignments complete one
        is read off the statements (`bx += …` goes on with the one before) and the values: that reading counts which
        makes all right. Where there are as many complete ones as the variable has values, they are compared one by one;
        a variable that has one value, is judged by its last assignment. Otherwise an assignment can be right, but not
        wrong. strict: all values of the variable are to be assigned, and none may have another name.
        """
        readings = list(_readings(assigned))
        some = [version for version in versions if version.parts] or versions[-1:]     # the others need not be written
        distinct = self._distinct(some)
        exact = [dict(zip(ends, known)) for known in (some, distinct, versions)
                 for ends in readings if len(ends) == len(known)]
        for pairs in exact:
            if all(self.close(assigned[end].value, version.value) for end, version in pairs.items()):
                return self._verdicts(assigned, pairs)
        for ends in reversed(readings) if not strict or not exact else ():
            matched = self._matched(assigned, ends, versions)
            if len(matched) == len(ends):
                return self._verdicts(assigned, matched)
        if len(distinct) == 1:
            return self._verdicts(assigned, {len(assigned) - 1: distinct[0]})
        if exact:
            return self._verdicts(assigned, exact[0])
        every = f"it has {len(distinct)} values here, and which of them this belongs to is not known"
        return self._verdicts(assigned, self._matched(assigned, readings[0], versions), every)

    def covers(self, values: Sequence[Any], versions: Sequence[Version]) -> int:
        """How many of the values that a variable takes are left when these, in order, are taken for theirs."""
        left = self._distinct([version for version in versions if version.parts])
        for value in values:
            if left and self.close(value, left[0].value):
                left = left[1:]
        return len(left)

    def unnamed(self, one: Assigned, steps: Mapping[str, Sequence[Version]], reason: str) -> Verdict:
        """An assignment to the cotangent of a value that has no name in the function: right if a step of it has this
        cotangent. Otherwise it cannot be told: there may be other ways to the gradient."""
        for expression, versions in reversed(list(steps.items())):     # the outermost of those that have the same one
            for version in versions:
                apart = difference(one.value, version.value, self.largest)
                if apart.close:
                    return Verdict(one.line, one.name, one.value, True, "", version.value, apart,
                                   f"the cotangent of {expression}")
        return Verdict(one.line, one.name, one.value, reason=reason, doubtful=True)

    def _distinct(self, versions: Sequence[Version]) -> list[Version]:
        """Versions without those that are the same as the one before: where `x = x + y` hands the cotangent of `x`
        on."""
        return [version for place, version in enumerate(versions)
                if not place or not self.close(version.value, versions[place - 1].value)]

    def close(self, found: Any, expected: Any) -> bool:
        """Whether two values differ by rounding alone."""
        return difference(found, expected, self.largest).close

    def _matched(self, assigned: Sequence[Assigned], ends: Sequence[int],
                 versions: Sequence[Version]) -> dict[int, Version]:
        """Those assignments that agree with a version, each with a later one than the assignment before."""
        matched: dict[int, Version] = {}
        first = 0
        for end in ends:
            place = next((place for place in range(first, len(versions))
                          if self.close(assigned[end].value, versions[place].value)), None)
            if place is not None:
                matched[end] = versions[place]
                first = place + 1
        return matched

    def _verdicts(self, assigned: Sequence[Assigned], pairs: dict[int, Version], reason: str = "") -> list[Verdict]:
        verdicts = []
        for place, one in enumerate(assigned):
            later = assigned[place + 1] if place + 1 < len(assigned) else None
            verdict = Verdict(one.line, one.name, one.value, reason=reason or _reason(later), unsettled=bool(reason))
            if place in pairs:
                verdict = self.judged(one, pairs[place])
            elif later is not None and later.adds:
                whole = next((version for end, version in pairs.items() if end > place), None)
                verdict = _impossible(verdict, whole)
            verdicts.append(verdict)
        return [self._spoiled(one, verdicts[:place], pairs, place) for place, one in enumerate(verdicts)]

    def _spoiled(self, verdict: Verdict, before: Sequence[Verdict], pairs: dict[int, Version], place: int) -> Verdict:
        """Of a wrong value say that it was right before the line, where it was."""
        if verdict.right is False and before and place in pairs and before[-1].right is None:
            if self.close(before[-1].found, pairs[place].value):
                return replace(verdict, hint=f"it was right before, in line {before[-1].line}")
        return verdict


def _reason(later: Assigned | None) -> str:
    if later is None:
        return ""
    return f"added to in line {later.line}" if later.adds else f"assigned again in line {later.line}"


def _impossible(verdict: Verdict, whole: Version | None) -> Verdict:
    """A part of a sum that has a shape which the sum cannot have."""
    if whole is None or not isinstance(whole.value, (float, np.ndarray, np.generic)):
        return verdict
    shape, wanted = np.shape(verdict.found), np.shape(whole.value)
    if broadcasts(shape, wanted):
        return verdict
    apart = Difference(False, problem=f"found shape {shape}, which cannot be a part of the expected shape {wanted}")
    return replace(verdict, right=False, reason="", expected=whole.value, difference=apart,
                   hint=hint(verdict.found, whole.value))


def _readings(assigned: Sequence[Assigned]) -> Iterator[list[int]]:
    """Ways to tell which assignments are complete: each one; those that no later line adds to,
    or fills a part of; those that nothing adds to or fills a part of; those that nothing adds to."""
    def ends(goes_on: Callable[[Assigned, Assigned], bool]) -> list[int]:
        pairs = zip(assigned, (*assigned[1:], None))
        return [place for place, (one, later) in enumerate(pairs) if later is None or not goes_on(one, later)]

    yield ends(lambda one, later: False)
    yield ends(lambda one, later: _adds(later) and later.line > one.line)
    yield ends(lambda one, later: _adds(later))
    yield ends(lambda one, later: later.adds)


def _adds(one: Assigned) -> bool:
    return one.adds or one.part


def by_line(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """One verdict for each line and name, the first wrong one before the right ones before those not judged; in the
    order in which the lines ran first."""
    found: dict[tuple[int, str], Verdict] = {}
    for one in verdicts:
        known = found.get((one.line, one.name))
        if known is None or known.right is None and one.right is not None or known.right and one.right is False:
            found[one.line, one.name] = one
    return list(found.values())
