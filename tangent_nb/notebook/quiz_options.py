"""What `%%quiz` and `%quiz` can be told."""
from __future__ import annotations

import argparse
import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..every import EVERY
from .options import OptionError, Wrt, empty_parser, parse_wrt, read

MAGIC = "%%quiz"
RETURN = "return"                                  # the blank of what is returned
PLACES, MOST_PLACES, HINT_COST = 3, 20, 0.2


@dataclass(frozen=True)
class QuizOptions:
    """The options of one quiz.

    target: an expression for the function; at: arguments as text; wrt: whose gradients are returned, in order, EVERY
    where the names returned say it; prefix: what stands before a variable in the name of its cotangent; names:
    cotangents named otherwise, with their variables, or the steps of the function that they belong to; solution: the
    true derivative is shown, too. points: by cotangent (and `return`), none where each that is written counts `each`;
    hint_cost: the part of a blank's points that a hint costs; solutions: they may be shown; places: how many arguments
    besides those of `at` an answer is tried at. hint, show: the cotangent that is asked about.
    """

    target: str
    at: str
    function: str | None = None
    wrt: Wrt = EVERY
    prefix: str = "b"
    names: Mapping[str, str] = field(default_factory=dict)
    solution: bool = False
    points: Mapping[str, float] = field(default_factory=dict)
    each: float = 1.0
    hint_cost: float = HINT_COST
    solutions: bool = True
    places: int = PLACES
    hint: str = ""
    show: str = ""

    def weight(self, name: str) -> float:
        """The points of a blank; 0 where it has none."""
        return self.points.get(name, 0.0) if self.points else self.each

    @property
    def rules(self) -> QuizOptions:
        """What holds of the quiz, without what one cell asks for."""
        return replace(self, function=None, solution=False, hint="", show="")


def parser() -> argparse.ArgumentParser:
    """The options of the magic's line."""
    result = empty_parser(MAGIC)
    result.add_argument("target", nargs="?", metavar="f", help="the function whose backward pass the cell writes")
    result.add_argument("--at", metavar='"x=2.0, n=3"',
                        help="arguments, evaluated where your names live: both run there, and at some beside them")
    result.add_argument("-f", "--function", metavar="NAME",
                        help="which function of the cell is the backward pass (default: the one defined last)")
    result.add_argument("-w", "--wrt", metavar="x,w1", default=EVERY,
                        help="whose gradients are returned, in order (default: as the names returned say)")
    result.add_argument("--prefix", metavar="b", default="b",
                        help="what stands before a variable in the name of its cotangent (default: b, as in bx)")
    result.add_argument("--names", metavar="dz=z,…", default="",
                        help='cotangents with other names, and their variables or steps: "bz=np.dot(x, w)"')
    result.add_argument("--points", metavar="bh=1,return=2", default="1",
                        help="what counts, and how much: cotangents, and return (default: 1 for each that is written)")
    result.add_argument("--hint-cost", metavar=str(HINT_COST), default=str(HINT_COST),
                        help=f"the part of its points that each hint takes from a blank (default: {HINT_COST})")
    result.add_argument("--places", metavar=str(PLACES), default=str(PLACES),
                        help=f"how many other arguments an answer is tried at (default: {PLACES})")
    result.add_argument("--no-solutions", action="store_true", help="solutions, and expected numbers, are not shown")
    result.add_argument("--solution", action="store_true", help="show the true derivative, too; it costs all points")
    result.add_argument("--hint", metavar="bx", default="", help="(%%quiz) the next hint for a cotangent")
    result.add_argument("--show", metavar="bx", default="", help="(%%quiz) the solution of a cotangent")
    return result


def parse(line: str) -> QuizOptions:
    """The options of a magic's line; `at` is empty where none is given.

    >>> parse("loss --at x=2.0 --names dz=z").names
    {'dz': 'z'}
    >>> parse("loss --points bh=1,return=0.5").points
    {'bh': 1.0, 'return': 0.5}
    """
    found = read(line, parser())
    if found.target is None:
        raise OptionError(f"give the function whose backward pass the cell writes: {MAGIC} f --at \"x=2.0\"")
    if not found.prefix.isidentifier():
        raise OptionError(f"--prefix {found.prefix}: no name begins with that")
    if found.solution and found.no_solutions:
        raise OptionError("--solution shows what --no-solutions hides: leave one of them out")
    points, each = _points(found.points)
    cost = _number("--hint-cost", found.hint_cost)
    if not 0.0 <= cost <= 1.0:
        raise OptionError(f"--hint-cost {found.hint_cost}: write a part, from 0 (free) to 1 (all points)")
    if not found.places.isdecimal() or int(found.places) > MOST_PLACES:
        raise OptionError(f"--places {found.places}: write how many, from 0 to {MOST_PLACES}")
    return QuizOptions(found.target, found.at or "", found.function, parse_wrt(found.wrt), found.prefix,
                       _names(found.names), found.solution, points, each, cost, not found.no_solutions,
                       int(found.places), found.hint, found.show)


def _names(text: str) -> dict[str, str]:
    try:
        call = ast.parse(f"_({text}\n)", mode="eval").body
    except (SyntaxError, ValueError):
        call = None
    names = {} if not isinstance(call, ast.Call) or call.args else {
        keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg}
    if text.strip() and not names:
        raise OptionError(f"--names {text}: write the cotangent's name, =, and its variable, or the step that it "
                          'belongs to: --names dz=z, --names "bz=np.dot(x, w)"')
    return names


def _points(text: str) -> tuple[dict[str, float], float]:
    """The points by blank, and what each counts where there are none."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 1 and not parts[0].isidentifier() and "=" not in parts[0]:
        return {}, _positive(text, parts[0])
    points: dict[str, float] = {}
    for part in parts:
        name, equals, number = (one.strip() for one in part.partition("="))
        if not name.isidentifier() or name in points:
            raise OptionError(f"--points {text}: write each cotangent once, =, and its points: --points bh=1,return=2")
        points[name] = _positive(text, number) if equals else 1.0
    return points, 0.0


def _positive(text: str, number: str) -> float:
    points = _number("--points", number, text)
    if not points > 0.0:
        raise OptionError(f"--points {text}: points are more than 0")
    return points


def _number(option: str, text: str, whole: str = "") -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OptionError(f"{option} {whole or text}: {text!r} is no number")
    return number
