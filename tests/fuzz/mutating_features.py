"""What the programs of mutating.py have in them: patterns of their texts."""
from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import habits
from grammar import Program, nests
from mutating_parts import ARRAYS, POOLS

# the names of one type, the operators of an update
_V, _M, _P, _R, _S = (rf"\b(?:{'|'.join(POOLS[kind])}|{POOLS[kind][0]}\d+)" for kind in "vmprs")
_ARRAY = f"(?:{_V}|{_M}|{_P}|{_R})"
_VIEW = f"(?:{_V}|{_P}|{_R}|{_M}) = (?:{_V}|{_M}|{_R})"
FEATURES: dict[str, str] = {
    "for": r"^ *for ", "while": r"^ *while ", "nested loops": "", "if": r"^ *if ", "break": r"^ *break",
    "continue": r"^ *continue", "early return": r"^ {5,}return ", "zero-trip loop": r"range\(0\)|< 0",
    "x[i] = v": rf"^ +{_ARRAY}\[[^:\[\]]+\] = ", "x[i] += v": rf"^ +{_ARRAY}\[[^:\[\]]+\] [-+]= ",
    "x[i] *= v": rf"^ +{_ARRAY}\[[^:\[\]]+\] [*/]= ",
    "slice": r"^ +\w+\[[^\]=]*:[^\]=]*\] .?= ", "step": r"^ +\w+\[[^\]=]*::2[^\]=]*\] .?= ",
    "negative step": r"^ +\w+\[[^\]=]*:-\d[^\]=]*\] .?= ",
    "x[:2] = [s, t]": r"^ +\w+\[[^=]*\] = \[",
    "fancy": r"^ +\w+\[.*\[[-\d, ]+\].*\] .?= ", "repeated": r"^ +\w+\[.*(\[0, 0|\[1, 1|\[2, 0, 2).*\] .?= ",
    "boolean": r"^ +(\w+)\[[^\]]*[<>][^\]]*\] .?= ",
    "overlap": r"^ +(\w+)\[[^\]]*:[^\]]*\] .?= \1\[[^\]]*:", "y += v": rf"^ +{_ARRAY} .= ",
    "y /= y[i]": r"^ +(\w+) .= \1\[",
    "y[...] = v": r"^ +\w+\[(\.\.\.|:)\] .?= ", "swap of parts": r"^ +(\w+\[[^=]+\]), (\w+\[[^=]+\]) = \2",
    "a, b = b, a": r"^ +(\w+), (\w+) = \2, \1$", "alias": rf"^ +({_V} = {_V}|{_M} = {_M}|{_P} = {_P})$",
    "chain of aliases": r"^ +(\w+) = (\w+)\n +\w+ = \1$|^ +\w+ = \w+ = \w+$",
    "slice view": rf"^ +{_VIEW}\[[^\]]*:[^\]]*\]$", "row view": rf"^ +{_V} = {_M}\[[^:\]]*\]$",
    "column view": rf"^ +{_V} = {_M}\[:, [^:\]]*\]$", "transpose": rf"^ +{_VIEW}\.T\b",
    "view of a view": rf"^ +{_VIEW}(\[[^\]]*\]|\.T)\[[^\]]*\]$", "reversed view": rf"^ +{_VIEW}.*:-1.*\]$",
    "write, then read of the base": "", "write, then read of the view": "",
    "A[i][j] = v": r"^ +\w+\[[^\]]*\]\[[^\]]*\] .?= ", "argument changed": "",
    "index bound again": r"(\w+) = 1\n.*\b\1\b.*\]$\n +\1 (= 0|-= 1)$",
    "view in a branch": "", "view in a loop": "", "alias bound again": "",
    "s = x[i]; s += v": rf"^ +({_S}) = {_ARRAY}\[.*\]\n +\1 .= ",
    "writing helper": r"\bh1\(", "arrays in a list": r"= \[.*\]$(?s:.*)(box|arrays)\[\d\](\[.*\])? .?= ",
    "arrays in a dict": r"= \{.*\}$(?s:.*)(state|fields)\['\w'\](\[.*\])? .?= ", "np.add.at": r"np\.add\.at\(",
    "out= and fill": r"out=|fill\(|copyto\(", **habits.FEATURES}


def _places(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """Of each name that is given to a part of another: the name, the base, and the lines below."""
    for at, line in enumerate(lines):
        if found := re.match(r" +(\w+) = (\w+)(\[.*\]|\.T.*)$", line):
            yield found[1], found[2], "\n".join(lines[at + 1:])


def _used(text: str, written: str, read: str) -> bool:
    """A name is changed, and the other one is read below."""
    return re.search(rf"^ +{written}(\[.*\])? .?= (?s:.*)\b{read}\b", text, re.M) is not None


def _structural(program: Program) -> Iterator[str]:
    """The features that no one pattern tells."""
    text = program.text[program.text.index("def f("):]
    lines = text.splitlines()
    places = list(_places(lines))
    if nests(program.text):
        yield "nested loops"
    if any(_used(below, name, base) for name, base, below in places):
        yield "write, then read of the base"
    if any(_used(below, base, name) for name, base, below in places):
        yield "write, then read of the view"
    if any(re.search(rf"^ +{name}(\[.*\] .?| .)= |\.at\({name},|out={name}\)", text, re.M)
           for name, kind in program.params if kind in ARRAYS):
        yield "argument changed"
    around: list[tuple[int, str]] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        around = [one for one in around if one[0] < indent]
        if re.match(rf"^ +{_VIEW}(\[.*\]|\.T)$", line):
            yield from {"view in a branch" if word in ("if", "else:", "elif") else "view in a loop"
                        for _, word in around if word != "def"}
        if line.endswith(":"):
            around.append((indent, line.split()[0]))
    for at, line in enumerate(lines):
        found = re.match(r" +(\w+) = (\w+)(\[[^\]]*\]|\.T)*$", line)
        if found and re.search(rf"^ +{found[1]} = \(.*\* 1\.1\)$", "\n".join(lines[at:at + 4]), re.M):
            yield "alias bound again"


def features(program: Program) -> Iterator[str]:
    """What a program has in it."""
    yield from {name for name, pattern in FEATURES.items() if pattern and re.search(pattern, program.text, re.M)} \
        | set(_structural(program))
