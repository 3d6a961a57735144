"""Code as coloured tokens, line by line. Every character that could hide or move others is made visible first."""
from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any, TypeAlias

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

Token: TypeAlias = tuple[str, str]                 # a class of CLASSES (or none), and text

CLASSES = {"k": "keyword", "f": "name defined", "b": "builtin", "m": "number", "s": "string", "c": "comment"}
KINDS: tuple[tuple[Any, str], ...] = (
    (Keyword, "k"), (Operator.Word, "k"), (Name.Function, "f"), (Name.Class, "f"), (Name.Decorator, "f"),
    (Name.Builtin, "b"), (Number, "m"), (String, "s"), (Comment, "c"))
QUOTES = re.compile("\"\"\"|\'\'\'")
JOINERS = "\u200c\u200d"                           # part of words in some scripts, and of emoji


def visible(text: str) -> str:
    """Text in one line in which nothing acts: controls, marks of direction, lone surrogates become escapes.

    >>> print(visible("red: \\x1b[31m, hidden: \\u202e"))
    red: \\x1b[31m, hidden: \\u202e
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text.expandtabs(8)))


def _visible(character: str) -> str:
    if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or character in JOINERS:
        return character
    return character.encode("unicode_escape").decode("ascii")


def visible_lines(text: str) -> str:
    """Text of several lines, each one made `visible`."""
    return "\n".join(visible(line) for line in re.split("\r\n|\r|\n", text))


@lru_cache(maxsize=1)
def _lexer() -> PythonLexer:
    return PythonLexer(stripnl=False, ensurenl=False)


def tokenized(lines: list[str]) -> list[list[Token]]:
    """The tokens of each line; joined, they are the line.

    >>> tokenized(["def f(x):", "    return 1.0"])[1]
    [('', '    '), ('k', 'return'), ('', ' '), ('m', '1.0')]
    """
    lines = [visible(line) for line in lines]
    if not any(QUOTES.search(line) or line.endswith("\\") for line in lines):      # each line can be read by itself
        return [list(_line(line)) for line in lines]
    return _read(lines)


@lru_cache(maxsize=20_000)
def _line(line: str) -> tuple[Token, ...]:
    """The tokens of a line that begins and ends between tokens: most lines stand in several texts."""
    return tuple(_read([line])[0])


def _read(lines: list[str]) -> list[list[Token]]:
    result: list[list[Token]] = [[]]
    kind: Any
    for kind, text in _lexer().get_tokens("\n".join(lines)):
        name = next((name for family, name in KINDS if kind in family), "")
        for place, part in enumerate(text.split("\n")):
            if place:
                result.append([])
            if part and result[-1] and result[-1][-1][0] == name:
                result[-1][-1] = name, result[-1][-1][1] + part
            elif part:
                result[-1].append((name, part))
    if ["".join(text for _, text in line) for line in result] != lines:
        return [[("", line)] if line else [] for line in lines]
    return result
