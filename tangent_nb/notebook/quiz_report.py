"""What came of a quiz, as data: for the page, and for cells that grade."""
from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

RIGHT, AFTER, WRONG, EMPTY, RAISED = "right", "right after an error", "wrong", "empty", "raised"
VERSION = 1


@dataclass(frozen=True)
class Blank:
    """One thing to be answered: a cotangent, or what is returned.

    name: of the cotangent, `"return"` for what is returned; line: of the cell's function where it stands, 0 where it
    does not; of: the variable or step that it belongs to; answer: the text of its lines; verdict: `"right"`,
    `"right after an error"`, `"wrong"`, `"empty"` or `"raised"`; points, possible: got, and to be had; hints: how many
    were taken; tries: how many different answers were given; shown: its solution was, before it was right; after: the
    lines of the errors that it builds on; says: what is wrong, in a sentence.
    """

    name: str
    line: int
    of: str
    answer: str
    verdict: str
    points: float
    possible: float
    hints: int = 0
    tries: int = 0
    shown: bool = False
    after: tuple[int, ...] = ()
    says: str = ""

    @property
    def is_right(self) -> bool:
        """Right, if only after an error."""
        return self.verdict in (RIGHT, AFTER)


@dataclass(frozen=True)
class QuizReport:
    """What came of a quiz.

    quiz: the function whose backward pass was asked for; attempt: the function that was judged, empty where there was
    none yet; blanks: in order; places: at how many arguments it was judged; error: what it raised; hint_cost: the part
    of its points that a hint takes from a blank; solutions: they could be shown.

    >>> report = QuizReport("loss", "dloss", (Blank("bh", 3, "h", "bh = h", "wrong", 0.0, 1.0, tries=1),
    ...                                       Blank("bw", 4, "w", "bw = x.T @ bh", "right after an error", 2.0, 2.0,
    ...                                             tries=1, after=(3,))), 4)
    >>> report.points, report.possible, report["bw"].after
    (2.0, 3.0, (3,))
    >>> print(report)
    loss: 2 of 3 points
      bh  0 of 1  wrong
      bw  2 of 2  right after an error in line 3
    """

    quiz: str
    attempt: str
    blanks: tuple[Blank, ...]
    places: int = 0
    error: str = ""
    hint_cost: float = 0.0
    solutions: bool = True

    @property
    def points(self) -> float:
        """What all blanks got."""
        return round(sum(one.points for one in self.blanks), 6)

    @property
    def possible(self) -> float:
        """What there is to be had."""
        return round(sum(one.possible for one in self.blanks), 6)

    def __getitem__(self, name: str) -> Blank:
        for one in self.blanks:
            if one.name == name:
                return one
        raise KeyError(f"no blank {name}; there are {', '.join(one.name for one in self.blanks) or 'none'}")

    def __iter__(self) -> Iterator[Blank]:
        return iter(self.blanks)

    def to_dict(self) -> dict[str, Any]:
        """The same as dicts, lists, texts and numbers. version: of this form; a field is added without a new one."""
        return {"version": VERSION, "points": self.points, "possible": self.possible,
                **json.loads(json.dumps(asdict(self)))}

    def to_json(self) -> str:
        """The same as JSON, with keys in a fixed order."""
        return json.dumps(self.to_dict(), indent=1, sort_keys=True, ensure_ascii=False)

    def __str__(self) -> str:
        rows = [(one.name, amount(one.points, one.possible), words(one)) for one in self.blanks]
        widths = [max((len(row[at]) for row in rows), default=0) for at in range(2)]
        lines = ["  " + "  ".join([row[0].ljust(widths[0]), row[1].ljust(widths[1]), row[2]]).rstrip() for row in rows]
        return "\n".join([f"{self.quiz}: {amount(self.points, self.possible)} points", *lines])


def amount(points: float, possible: float) -> str:
    """Points of those to be had.

    >>> amount(0.8, 1.0)
    '0.8 of 1'
    """
    return f"{points:.6g} of {possible:.6g}"


def words(one: Blank) -> str:
    """The verdict, with what it depends on."""
    said = one.verdict
    if one.after:
        said += f" in line{'s' * (len(one.after) > 1)} {', '.join(map(str, one.after))}"
    more = [f"{one.hints} hint{'s' * (one.hints > 1)}"] * bool(one.hints) + ["solution shown"] * one.shown
    return ", ".join([said, *more])
