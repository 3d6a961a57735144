"""Tokens join to their line, and nothing hidden stays hidden."""
from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from hostile import TEXTS, program

from tangent_nb.notebook.tokens import CLASSES, tokenized, visible, visible_lines


def joined(lines: list[str]) -> list[str]:
    return ["".join(text for _, text in line) for line in tokenized(lines)]


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_lines(name: str) -> None:
    lines = program(TEXTS[name]).split("\n")
    assert joined(lines) == [visible(line) for line in lines]
    for line in tokenized(lines):
        assert all(kind in {"", *CLASSES} for kind, _ in line)
        for _, text in line:
            assert all(unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") for c in text)
            text.encode("utf-8")


def test_what_is_made_visible() -> None:
    assert visible("\x1b[0m \u202e \ud800 \u2028") == "\\x1b[0m \\u202e \\ud800 \\u2028"
    assert visible("a\tb") == "a       b" and visible("é 漢 👩\u200d💻") == "é 漢 👩\u200d💻"
    assert visible_lines("a\r\nb\rc\u2028d") == "a\nb\nc\\u2028d"


def test_kinds() -> None:
    kinds = dict(reversed([(text.strip(), kind) for line in tokenized([
        "@deco", "def f(x):", "    '''doc", "    more'''", "    if not x is None: return len(x) + 1.5  # why"])
        for kind, text in line]))
    assert kinds["def"] == kinds["if"] == kinds["not"] == kinds["return"] == "k"
    assert kinds["f"] == "f" and kinds["1.5"] == "m" and kinds["# why"] == "c" and kinds["len"] == "b"
    assert kinds["'''doc"] == kinds["more'''"] == "s"


def test_odd_lists_of_lines() -> None:
    assert tokenized([]) == [[]] or tokenized([]) == []
    assert tokenized(["", "", "x", ""]) == [[], [], [("", "x")], []]
    assert joined(["'''", "\\", "x = 'abc"]) == ["'''", "\\", "x = 'abc"]


def test_a_very_long_line_is_whole() -> None:
    for line in ("s = '" + "A" * 200_000 + "'", "# " + "<" * 200_000, "x = " + "(" * 3000, "f'" + "{" * 3000):
        assert joined([line]) == [line]
