"""What `%%quiz` can be told."""
from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..every import EVERY
from .options import OptionError, Wrt, empty_parser, parse_wrt, read

MAGIC = "%%quiz"


@dataclass(frozen=True)
class QuizOptions:
    """The options of one quiz.

    target: an expression for the function; at: arguments as text; wrt: whose gradients are returned, in order, EVERY
    where the names returned say it; prefix: what stands before a variable in the name of its cotangent; names:
    cotangents named otherwise, with their variables.
    """

    target: str
    at: str
    function: str | None = None
    wrt: Wrt = EVERY
    prefix: str = "b"
    names: Mapping[str, str] = field(default_factory=dict)
    solution: bool = False


def parser() -> argparse.ArgumentParser:
    """The options of the magic's line."""
    result = empty_parser(MAGIC)
    result.add_argument("target", nargs="?", metavar="f", help="the function whose backward pass the cell writes")
    result.add_argument("--at", metavar='"x=2.0, n=3"',
                        help="arguments, evaluated where your names live: both run there")
    result.add_argument("-f", "--function", metavar="NAME",
                        help="which function of the cell is the backward pass (default: the one defined last)")
    result.add_argument("-w", "--wrt", metavar="x,w1", default=EVERY,
                        help="whose gradients are returned, in order (default: as the names returned say)")
    result.add_argument("--prefix", metavar="b", default="b",
                        help="what stands before a variable in the name of its cotangent (default: b, as in bx)")
    result.add_argument("--names", metavar="dz=z,…", default="",
                        help="cotangents with other names, and their variables")
    result.add_argument("--solution", action="store_true", help="show the true derivative, too")
    return result


def parse(line: str) -> QuizOptions:
    """The options of a magic's line.

    >>> parse("loss --at x=2.0 --names dz=z").names
    {'dz': 'z'}
    """
    found = read(line, parser())
    if found.target is None:
        raise OptionError(f"give the function whose backward pass the cell writes: {MAGIC} f --at \"x=2.0\"")
    if found.at is None:
        raise OptionError('%%quiz needs arguments to run at: --at "x=2.0"')
    if not found.prefix.isidentifier():
        raise OptionError(f"--prefix {found.prefix}: no name begins with that")
    return QuizOptions(found.target, found.at, found.function, parse_wrt(found.wrt), found.prefix, _names(found.names),
                       found.solution)


def _names(text: str) -> dict[str, str]:
    names = {}
    for pair in filter(None, (one.strip() for one in text.split(","))):
        cotangent, equals, variable = (part.strip() for part in pair.partition("="))
        if not (cotangent.isidentifier() and equals and variable.isidentifier()):
            raise OptionError(f"--names {pair}: write the cotangent's name, =, and its variable: --names dz=z")
        names[cotangent] = variable
    return names
