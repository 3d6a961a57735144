"""The count of judged programs, kept in tally.json and continued from sitting to sitting.

Each grammar has a list of sittings, in which seeds follow each other without a gap. A count is of one meaning of the
programs: where the grammar draws others, or where a finding was mended in a way that changes what derivatives of
accepted programs are (`--anew`), it starts again, at seeds that no sitting has seen.
"""
from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

PATH = Path(__file__).resolve().parent / "tally.json"
DRAWN = 40                      # programs that tell one meaning from another


@dataclass
class Sitting:
    """Programs that were judged in one go. failures: the seeds of those that are wrong or crash."""

    first: int
    programs: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    failures: list[int] = field(default_factory=list)

    @property
    def next(self) -> int:
        """The seed after the last."""
        return self.first + self.programs

    def add(self, tally: Any) -> None:
        """Count what was judged."""
        counted = sum(tally.verdicts.values())
        self.programs += counted
        self.verdicts = dict(sorted((Counter(self.verdicts) + tally.verdicts).items()))
        self.failures += [seed for seed, *_ in tally.failures]


@dataclass
class Count:
    """The sittings of one grammar."""

    meaning: str
    sittings: list[Sitting] = field(default_factory=list)

    @property
    def next(self) -> int:
        """The first seed that no sitting has seen."""
        return self.sittings[-1].next if self.sittings else 0

    @property
    def verdicts(self) -> Counter[str]:
        """Of all sittings."""
        return sum((Counter(one.verdicts) for one in self.sittings), Counter())


def meaning(grammar: Any) -> str:
    """What tells the programs of a grammar from those that it drew before it was changed."""
    texts = "\n".join(grammar.generate(seed).text for seed in range(DRAWN))
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def load(path: Path = PATH) -> dict[str, Count]:
    """The counts by grammar."""
    if not path.exists():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    return {name: Count(count["meaning"], [Sitting(**one) for one in count["sittings"]])
            for name, count in found.items()}


def save(counts: dict[str, Count], path: Path = PATH) -> None:
    """Write them, so that a sitting that is broken off loses a chunk at the most."""
    path.write_text(json.dumps({name: asdict(count) for name, count in sorted(counts.items())}, indent=1) + "\n",
                    encoding="utf-8")


def opened(counts: dict[str, Count], name: str, grammar: Any, anew: bool = False) -> Sitting:
    """A new sitting of a grammar, after the last one.

    >>> import grammar
    >>> counts: dict[str, Count] = {}
    >>> opened(counts, "plain", grammar).first
    0
    >>> counts["plain"].sittings[-1].programs = 100
    >>> opened(counts, "plain", grammar).first, len(counts["plain"].sittings)
    (100, 2)
    >>> counts["plain"].meaning = "of other programs"
    >>> opened(counts, "plain", grammar).first, len(counts["plain"].sittings)
    (100, 1)
    """
    now = meaning(grammar)
    count = counts.setdefault(name, Count(now))
    first = count.next
    if anew or count.meaning != now:
        count = counts[name] = Count(now)
    count.sittings = [one for one in count.sittings if one.programs] + [Sitting(first)]
    return count.sittings[-1]
