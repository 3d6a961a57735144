"""Two texts as rows to be drawn: the user's lines, the derivative's lines, and which belong together."""
from __future__ import annotations

import ast
import re
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import gast

from ..syntax.program import Captured, Derivation, Emitted, Line, SourceFile, Span
from .tokens import Token, tokenized, visible

Place: TypeAlias = tuple[str, int]                 # a file's name, a line in it
Function: TypeAlias = tuple[SourceFile, range]

_LINKS: dict[int, dict[int, list[Place]]] = {}             # of texts that are there, by their ids
COLOURS = 24                                       # as style.py has them: six, in four patterns
GENERAL = "_general"                               # what the general text of a specialized function is called
ARROWS = {"backward": "←", "inserted": "←", "return": "←"}         # all else goes with the computation
SECTIONS = ("# forward", "# backward")


@dataclass(frozen=True)
class Row:
    """One line. group: the colour it shares with the lines it belongs to, None where it has none;
    links: the lines of the other text that it belongs to, as it is printed beside it; mark: what went wrong in it."""

    number: int
    tokens: tuple[Token, ...]
    group: int | None = None
    links: str = ""
    mark: str = ""

    @property
    def text(self) -> str:
        """The line's text."""
        return "".join(text for _, text in self.tokens)


@dataclass(frozen=True)
class Section:
    """Consecutive lines under one title. behind: the links are printed behind the text, not before it;
    folded: a page shows the title, and the lines when asked."""

    title: str
    rows: tuple[Row, ...]
    behind: bool = False
    folded: bool = False


@dataclass(frozen=True)
class Guilty:
    """The generated line, by its number, that made what is not finite; text: what that is."""

    line: int
    text: str

    def places(self, emitted: Emitted) -> list[Place]:
        """The user's lines that it belongs to."""
        return links_of(emitted).get(self.line, [])


def marked(sections: Iterable[Section], lines: Collection[int], text: str) -> tuple[Section, ...]:
    """The sections, with a mark in the rows of these numbers."""
    return tuple(replace(section, rows=tuple(replace(row, mark=text) if row.number in lines else row
                                             for row in section.rows)) for section in sections)


def panes(derivation: Derivation, guilty: Guilty | None = None) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """The user's functions that the derivative comes from, and the derivative; last what it does for other arguments
    than those that it is specialized for."""
    emitted = derivation.emitted
    links = links_of(emitted)
    functions = functions_of(derivation.primal, [emitted])
    groups = groups_of(functions, [emitted])
    several = len({source.filename for source, _ in functions}) > 1
    titles = {derivation.primal.source.filename: title_of(derivation.primal)}
    blocks = blocks_of(emitted)
    lines = [line for block in blocks if not block.folded for line in emitted.lines[block.start:block.end]]
    left = [_section(titles.get(source.filename, source.label), source, numbers, groups, links, lines)
            for source, numbers in functions]
    if guilty is not None:
        places = guilty.places(emitted)
        left = [marked([one], [number for name, number in places if name == source.filename and number in numbers],
                       guilty.text)[0] for one, (source, numbers) in zip(left, functions)]
    left = [replace(one, title="") if before and before.title == one.title else one
            for before, one in zip([None, *left], left)]
    rows = _derived(derivation, links, groups, {source.filename: source for source, _ in functions} if several else {})
    right = [Section(block.title, tuple(rows[block.start:block.end]), folded=block.folded) for block in blocks]
    return tuple(left), marked(right, [guilty.line], guilty.text) if guilty is not None else tuple(right)


def links_of(emitted: Emitted) -> dict[int, list[Place]]:
    """For each generated line, by number, the lines of the user's text that it belongs to: those that it was made for,
    and those of all expressions that have a term in it."""
    known = _LINKS.get(id(emitted))
    if known is None:
        known = _LINKS[id(emitted)] = _links_of(emitted)
        weakref.finalize(emitted, _LINKS.pop, id(emitted), None)
    return known


def _links_of(emitted: Emitted) -> dict[int, list[Place]]:
    found = {line.number: _places(line, text) for line, text in zip(emitted.lines, emitted.text.split("\n"))}
    for term in emitted.terms:
        for number in range(term.line, term.end_line + 1):
            for span in term.part:
                found[number] += [place for place in _lines_of(span) if place not in found[number]]
    return found


def _lines_of(span: Span) -> list[Place]:
    return [(span.source.filename, number) for number in range(span.line, span.end_line + 1)]


def functions_of(primal: Captured, texts: Sequence[Emitted]) -> list[Function]:
    """The user's functions that generated texts come from: the differentiated one,
    and those that were put in place in it."""
    origins = [origin for emitted in texts for line in emitted.lines for origin in line.origins if origin is not None]
    sources = {origin.span.source.filename: origin.span.source for origin in origins}
    terms = [term for emitted in texts for term in emitted.terms]
    sources.update((span.source.filename, span.source) for term in terms for span in term.part)
    places = [place for emitted in texts for found in links_of(emitted).values() for place in found]
    return _in_order([_own(primal), *_helpers(primal, sources, places)])


@dataclass(frozen=True)
class Block:
    """Lines of the derivative's text, the end exclusive, that are shown together."""

    title: str
    start: int
    end: int
    folded: bool


def blocks_of(emitted: Emitted) -> list[Block]:
    """The functions of a derivative's text, in one block; apart from them the general texts behind specialized ones."""
    names = set(emitted.functions)
    general = {name for name in names if any(name == f"_{one}{GENERAL}" for one in names)}
    starts = starts_of(emitted)
    blocks: list[Block] = []
    for name, start, end in zip(emitted.functions, starts, [*starts[1:], len(emitted.lines)]):
        folded = name in general
        if blocks and blocks[-1].folded == folded:
            blocks[-1] = replace(blocks[-1], end=end)
        else:
            blocks.append(Block("for other arguments" if folded else "" if blocks else "derivative", start,
                                end, folded))
    return [replace(block, end=_trimmed(emitted.lines, block.end)) for block in blocks]


def starts_of(emitted: Emitted) -> list[int]:
    """Where each function of a text begins, in the order of `emitted.functions`."""
    return [line.number - 1 for line, text in zip(emitted.lines, emitted.text.split("\n"))
            if line.role == "signature" and text.startswith("def ")]


def _trimmed(lines: Sequence[Line], end: int) -> int:
    """The end of a block without the blank lines before it."""
    while end and lines[end - 1].role == "blank":
        end -= 1
    return end


def _places(line: Line, text: str) -> list[Place]:
    """The lines of the user's text that a generated line belongs to; none for those that frame the text."""
    docstring = line.role == "comment" and not text.lstrip().startswith("#")
    if line.role in ("signature", "blank") or docstring or text.strip() in SECTIONS:
        return []
    spans = [origin.span for origin in line.origins if origin is not None]
    return list(dict.fromkeys(place for span in spans for place in _lines_of(span)))


def _own(primal: Captured) -> Function:
    """The lines of the function itself, decorators included."""
    first, last = _extent(primal.tree)
    return primal.source, range(first, min(last, len(primal.source.lines)) + 1)


def _extent(tree: gast.AST | ast.AST) -> tuple[int, int]:
    nodes = [node for node in ast.walk(tree) if getattr(node, "lineno", None)]
    return (min(node.lineno for node in nodes),  # type: ignore[attr-defined]
            max(getattr(node, "end_lineno", None) or node.lineno for node in nodes))  # type: ignore[attr-defined]


def _helpers(primal: Captured, sources: Mapping[str, SourceFile], places: Iterable[Place]) -> list[Function]:
    """The other functions that generated lines come from, in the order of their use."""
    shown = [_own(primal)]
    for name, number in dict.fromkeys(places):
        source = sources.get(name)
        if source is None or any(source.filename == known.filename and number in lines for known, lines in shown):
            continue
        shown.append((source, _around(source, number)))
    return shown[1:]


def _in_order(functions: list[Function]) -> list[Function]:
    """File by file, the first function's first; in a file as they stand there."""
    files = [source.filename for source, _ in functions]
    return sorted(functions, key=lambda function: (files.index(function[0].filename), function[1].start))


def _around(source: SourceFile, number: int) -> range:
    """The lines of the innermost function around a line; the line itself where there is none."""
    best = range(number, number + 1)
    for node in ast.walk(_tree_of(source)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            first, last = _extent(node)
            if first <= number <= last and (len(best) == 1 or last - first + 1 < len(best)):
                best = range(first, last + 1)
    return best


def _tree_of(source: SourceFile) -> ast.AST:
    """The tree of a file; an empty one where it has none."""
    try:
        return ast.parse("\n".join(source.lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def groups_of(functions: Sequence[Function], texts: Iterable[Emitted]) -> dict[Place, int]:
    """A colour for each of the user's lines that generated lines come from; lines of one statement share theirs."""
    texts = list(texts)
    first = {place: places[0] for emitted in texts for line, text in zip(emitted.lines, emitted.text.split("\n"))
             for places in [_places(line, text)] for place in places}
    for place in (place for emitted in texts for places in links_of(emitted).values() for place in places):
        first.setdefault(place, place)                         # of which there are terms alone
    groups: dict[Place, int] = {}
    count = 0
    for source, numbers in functions:
        for number in numbers:
            place = source.filename, number
            if place not in first:
                continue
            if first[place] in groups:
                groups[place] = groups[first[place]]
            else:
                groups[place] = count % COLOURS
                count += 1
    return groups


def main_places(emitted: Emitted) -> dict[int, Place]:
    """Of each generated line that belongs to some of the user's, by number, the first of these; in a body that stands
    in the place of a call the line of the body, not of the call."""
    links = links_of(emitted)
    found = {number: places[0] for number, places in links.items() if places}
    seen = set()
    for term in emitted.terms:
        (own, *calls), number = term.part, term.line
        if number not in seen and calls and found.get(number) in _lines_of(calls[-1]) \
                and (place := (own.source.filename, own.line)) in links[number]:
            found[number] = place
        seen.add(number)                                   # the first term is around the others
    return found


def coloured(emitted: Emitted, groups: Mapping[Place, int]) -> dict[int, int]:
    """The colour of each generated line that has one, by number."""
    return {number: groups[place] for number, place in main_places(emitted).items() if place in groups}


def title_of(primal: Captured) -> str:
    """Where the function stands; of one that was derived itself, what it is."""
    derived = getattr(primal.fn, "__tangent_nb__", None)
    return f"derivative of {derived.primal.name}" if isinstance(derived, Derivation) else primal.source.label


def name_of(source: SourceFile, numbers: range) -> str:
    """The name of the function that stands in these lines; empty where it has none."""
    for number in numbers:
        found = re.match(r"\s*(?:async\s+)?def\s+(\w+)", source.line(number))
        if found:
            return found[1]
    return ""


def owner_of(source: SourceFile, numbers: range) -> str:
    """The class that a method in these lines stands in, with the dot behind it; empty where it stands in none."""
    if not source.line(numbers.start).startswith((" ", "\t")):
        return ""
    for node in ast.walk(_tree_of(source)):
        if isinstance(node, ast.ClassDef) and any(
                isinstance(one, ast.FunctionDef) and _extent(one)[0] == numbers.start for one in node.body):
            return f"{node.name}."
    return ""


def _section(title: str, source: SourceFile, numbers: range, groups: Mapping[Place, int],
             links: Mapping[int, list[Place]], lines: Sequence[Line]) -> Section:
    """The user's lines, each with the numbers of the generated lines that come from it."""
    used: dict[int, dict[str, list[int]]] = {}
    for line in lines:
        arrow = ARROWS.get(line.role, "→")
        for name, number in links[line.number]:
            if line.role != "comment" and name == source.filename:
                used.setdefault(number, {}).setdefault(arrow, []).append(line.number)
    rows = []
    for number, tokens in zip(numbers, primal_tokens(source, numbers)):
        found = used.get(number, {})
        shown = " ".join(arrow + ranges(found[arrow]) for arrow in "→←" if arrow in found)
        rows.append(Row(number, tuple(tokens), groups.get((source.filename, number)), shown))
    return Section(title, tuple(rows), behind=True)


def primal_tokens(source: SourceFile, numbers: Sequence[int]) -> list[list[Token]]:
    """The user's lines as tokens, without the margin that all have in common."""
    lines = [source.line(number) for number in numbers]
    margin = margin_of(lines)
    return [_cut(tokens, margin) for tokens in tokenized(lines)]


def margin_of(lines: Sequence[str]) -> int:
    """The blank columns that all lines begin with, as they are shown.

    >>> margin_of(["    def f(x):", "", "\treturn x"])
    4
    """
    texts = [visible(line) for line in lines if line]
    return min((len(text) - len(text.lstrip(" ")) for text in texts), default=0)


def _cut(tokens: list[Token], margin: int) -> list[Token]:
    """A line without the first `margin` columns, which are blank."""
    if not tokens or not margin:
        return tokens
    kind, text = tokens[0]
    return [(kind, text[margin:]), *tokens[1:]] if len(text) > margin else tokens[1:]


def _derived(derivation: Derivation, links: Mapping[int, list[Place]], groups: Mapping[Place, int],
             labels: Mapping[str, SourceFile]) -> list[Row]:
    emitted = derivation.emitted
    texts = tokenized(emitted.text.split("\n")[:len(emitted.lines)])
    colours = coloured(emitted, groups)
    rows = []
    for line, tokens in zip(emitted.lines, texts):
        places = links[line.number]
        row = Row(line.number, tuple(tokens), colours.get(line.number))
        if places and line.role != "comment":
            row = replace(row, links=_origin_text(line, places, labels))
        rows.append(row)
    return rows


def _origin_text(line: Line, places: Iterable[Place], labels: Mapping[str, SourceFile]) -> str:
    """The user's line numbers, with the file where there are several; an arrow for the direction of the sweep."""
    by_file: dict[str, list[int]] = {}
    for name, number in places:
        by_file.setdefault(name, []).append(number)
    parts = [(f"{labels[name].label}:" if name in labels else "") + ranges(numbers)
             for name, numbers in by_file.items()]
    return ARROWS.get(line.role, "→") + " ".join(parts)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers, runs of them as their ends.

    >>> ranges([3, 4, 5, 9])
    '3–5,9'
    """
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
