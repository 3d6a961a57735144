"""What a reader need not see first: the guards of a derivative, and its text for other arguments, in one line.

    for x: f8[n, k], w: f8[k]; otherwise general
"""
from __future__ import annotations

import ast
import textwrap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ..runtime.fits import each_of
from ..syntax.program import Emitted, Line
from .lines import Block, blocks_of, starts_of

UNSEEN = ("guard", "comment", "blank")             # roles of lines that compute nothing of the derivative
GUARDS = "guards"


@dataclass(frozen=True)
class Fold:
    """Lines that are shown when asked, the end exclusive. within: the place, among the folds of a text, of the one
    that has to be open before this one is seen; -1 where none has."""

    start: int
    end: int
    title: str
    within: int = -1


def folds_of(emitted: Emitted) -> list[Fold]:
    """The guards of each function, and the general texts, which the guards before them lead to."""
    texts = emitted.text.split("\n")
    blocks = blocks_of(emitted)
    ends = [0, *(block.end for block in blocks)]               # the blank lines above go with what is folded
    folds: list[Fold] = []
    leads = -1
    for block, before, after in zip(blocks, ends, [*blocks[1:], None]):
        if block.folded:
            folds.append(Fold(before, block.end, block.title, leads))
            continue
        general = after is not None and after.folded
        for start, end in _guards(emitted.lines, block):
            title = title_of(texts[start:end], general)
            leads = len(folds) if title != GUARDS and leads == -1 else leads
            folds.append(Fold(start, end, title))
    return folds


def _guards(lines: Sequence[Line], block: Block) -> Iterator[tuple[int, int]]:
    """The runs of guards in a block."""
    start = None
    for place in range(block.start, block.end + 1):
        guard = place < block.end and lines[place].role == "guard"
        if guard and start is None:
            start = place
        elif not guard and start is not None:
            yield start, place
            start = None


def title_of(guards: Sequence[str], general: bool) -> str:
    """What guards ask of the arguments, in a few words.

    >>> title_of(["    if not rt.fits('f8[n, k], float', x, w):  # guard", "        return _df_general(x, w)"], True)
    'for x: f8[n, k], w: float; otherwise general'
    >>> title_of(["    x = rt.differentiable(x)  # guard"], False)
    'guards'
    """
    asked = [words for call in _calls("\n".join(guards)) for words in _asked(call)]
    return f"for {', '.join(asked)}{'; otherwise general' if general else ''}" if asked else GUARDS


def _calls(text: str) -> list[ast.Call]:
    try:
        tree = ast.parse(textwrap.dedent(text))
    except SyntaxError:                                        # the lines of a text that is none of ours
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _asked(call: ast.Call) -> list[str]:
    """Of each argument how it is made: what `rt.fits` and `rt.alike` are given."""
    match call:
        case ast.Call(func=ast.Attribute(ast.Name("rt"), "fits"), args=[ast.Constant(str() as made), *names]):
            return [f"{ast.unparse(name)}: {one}" for name, one in zip(names, each_of(made))]
        case ast.Call(func=ast.Attribute(ast.Name("rt"), "alike"), args=[name, _]):
            return [f"{ast.unparse(name)} made alike"]
    return []


def count_of(emitted: Emitted, own: Collection[str] | None = None) -> int:
    """How many lines the derivative itself has: without guards, comments, blank lines, and general texts.

    own: the functions that are the derivative; without it all of the text.

    >>> count_of(Emitted("def df(x):\\n    # forward\\n    return x\\n", (Line(1, "signature"), Line(2, "comment"),
    ...                                                                Line(3, "return")), ("df",)))
    2
    """
    starts = {start: name for name, start in zip(emitted.functions, starts_of(emitted))}
    count, name = 0, ""
    for block in blocks_of(emitted):
        for place in range(block.start, block.end):
            name = starts.get(place, name)
            count += not block.folded and emitted.lines[place].role not in UNSEEN and (own is None or name in own)
    return count
