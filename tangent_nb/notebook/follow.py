"""Of wrong lines, which only hand on a mistake of an earlier one."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..tracing.values import names_in
from .compare import difference
from .cotangents import Record
from .grade import Verdict
from .mend import mended
from .quiz_options import QuizOptions
from .truth import Truth
from .verdicts import Again


def followed(truth: Truth, record: Record, verdicts: Sequence[Verdict | None], returned: Sequence[Verdict],
             again: Again, options: QuizOptions, wanted: Sequence[str]) -> tuple[list[Verdict | None], list[Verdict]]:
    """The verdicts, of the wrong ones saying which only hand on an earlier mistake: those that are right where the
    attempt runs with the right values in the places of the wrong ones. The others are told what is wrong with them
    there."""
    repaired = mended(truth, record, again, options, wanted)
    before = [(one.line, one.name) for one in record.assigned]
    if [(one.line, one.name) for one in repaired.record.assigned][:len(before)] != before:
        return list(verdicts), list(returned)
    sources: dict[str, _Source] = {}
    result = list(verdicts)
    for place, (one, alone, verdict) in enumerate(zip(record.assigned, repaired.verdicts, verdicts)):
        reads = {*one.reads, *((one.name,) if one.adds or one.part else ())}
        source = _Source.of(sources[name] for name in sorted(reads) if name in sources)
        if verdict is not None and verdict.right is not False and not verdict.doubtful:
            source = _Source() if verdict.right else source
        elif verdict is not None and alone is not None:
            result[place] = verdict = source.told(verdict, alone)
            source = _Source(source.mistakes, source.doubts | {(one.line, one.name)}) if verdict.doubtful \
                else _Source(frozenset(verdict.follows or (one.line,)))
        sources[one.name] = source
    ends = []
    for end, alone in zip(returned, repaired.returned or returned):
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
