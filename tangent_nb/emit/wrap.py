"""One statement in lines that are not too long.

Needs the tokens of one statement. Promises the same tokens with line breaks only inside of brackets: after a comma or
before an operator, what follows aligned with what the bracket holds. Linear in the number of tokens.

    >>> tokens = ["total", " = ", "f", "("] + ["first", ", ", "second", " + ", "third"] + [")"]
    >>> print("\\n".join(wrap(tokens, "", 26)))
    total = f(first,
              second + third)
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

WIDTH = 110
OPEN, CLOSE = {"(", "[", "{"}, {")", "]", "}"}
HEADS = ("return", "if", "elif", "while", "assert")
LEVELS = tuple(map(frozenset, (                    # where to break first; pieces of a comprehension go together
    {" for ", " if "}, {" if ", " else "}, {" or "}, {" and "},
    {" in ", " not in ", " is ", " is not ", " == ", " != ", " < ", " <= ", " > ", " >= "},
    {" | "}, {" ^ "}, {" & "}, {" << ", " >> "}, {" + ", " - "}, {" * ", " / ", " // ", " % ", " @ "}, {" ** "})))
OPERATORS = frozenset().union(*LEVELS)

Tokens: TypeAlias = "list[str | Group]"


class Group:
    """A bracket, what it holds, and its closing bracket; `size` is its length in one line."""

    def __init__(self, opening: str) -> None:
        self.opening = opening
        self.items: Tokens = []
        self.closing = ""
        self.size = len(opening)


def wrap(tokens: Sequence[str], indent: str, width: int = WIDTH) -> list[str]:
    """The lines of a statement that starts at `indent`."""
    line = "".join(tokens)
    if len(indent) + len(line) <= width:
        return [indent + line]
    items = _bracketed(_groups(tokens))
    writer = _Writer(indent, width)
    writer.write(items, len(indent) + 4, breaks=False)
    return writer.finished()


def _groups(tokens: Sequence[str]) -> Tokens:
    """The tokens as a tree of brackets."""
    stack = [Group("")]
    for token in tokens:
        if token in OPEN:
            stack.append(Group(token))
        elif token in CLOSE and len(stack) > 1:
            group = stack.pop()
            group.closing = token
            group.size += len(token)
            stack[-1].items.append(group)
            stack[-1].size += group.size
        elif token:
            stack[-1].items.append(token)
            stack[-1].size += len(token)
    return stack[0].items


def _size(item: str | Group) -> int:
    return len(item) if isinstance(item, str) else item.size


def _bracketed(items: Tokens) -> Tokens:
    """The right-hand side of a statement in parentheses, where its operators or commas stand in none."""
    start = max((place + 1 for place, item in enumerate(items) if isinstance(item, str) and item.endswith("= ")
                 and item.startswith(" ") and item not in OPERATORS), default=0)
    if start == 0:
        if not isinstance(items[0], str) or items[0].strip() not in HEADS:
            return items
        start = 2 if len(items) > 1 and items[1] == " " else 1
    end = len(items) - 1 if items[-1] == ":" else len(items)
    if items[0] == "assert " and ", " in items:
        end = items.index(", ")
    if not any(isinstance(item, str) and (item in OPERATORS or item == ", ") for item in items[start:end]):
        return items
    group = Group("(")
    group.items, group.closing = items[start:end], ")"
    group.size = 2 + sum(map(_size, group.items))
    return [*items[:start], group, *items[end:]]


class _Writer:
    def __init__(self, indent: str, width: int) -> None:
        self.lines: list[str] = []
        self.parts = [indent]
        self.column = len(indent)
        self.width = width

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.column += len(text)

    def newline(self, column: int) -> None:
        self.lines.append("".join(self.parts).rstrip(" "))
        self.parts = [" " * column]
        self.column = column

    def finished(self) -> list[str]:
        return [*self.lines, "".join(self.parts)]

    def write(self, items: Tokens, column: int, breaks: bool, closing: int = 0) -> None:
        """Fill lines from `column` on. Where a piece does not fit, break before it (if `breaks`), then within it.

        A bracket holds pieces between commas; a piece too long for a line is broken again, at its loosest operators.
        """
        pieces = _pieces(items) if breaks else [items]
        for place, piece in enumerate(pieces):
            size = sum(map(_size, piece)) + (closing if place == len(pieces) - 1 else 0)
            if self.column + size > self.width and place and self.column > column:
                self.newline(column)
                if isinstance(piece[0], str) and piece[0] in OPERATORS:
                    self.put(piece[0].lstrip())
                    piece = piece[1:]
            if self.column + size <= self.width:
                self.put("".join(_flat(piece)))
            elif breaks and len(pieces) > 1 and len(_pieces(piece)) > 1:
                self.write(piece, column, breaks, closing)
            else:
                self._broken(piece, column)

    def _broken(self, items: Tokens, column: int) -> None:
        """Items that no line holds: brackets among them are broken inside."""
        for place, item in enumerate(items):
            if isinstance(item, str):
                self.put(item)
                continue
            after = items[place + 1:place + 2]
            tail = len(after[0].rstrip()) if after and isinstance(after[0], str) else 0
            self.put(item.opening)
            if self.column + item.size - 1 + tail <= self.width:
                self.put("".join(_flat(item.items)))
            else:
                inner = self.column
                if inner > self.width * 0.6:
                    inner = min(column + 4, self.width // 2)
                    self.newline(inner)
                self.write(item.items, inner, True, len(item.closing) + tail)
            self.put(item.closing)


def _pieces(items: Tokens) -> list[Tokens]:
    """Split after commas; without any, before the loosest operators there are."""
    strings = {item for item in items[1:-1] if isinstance(item, str)}
    comma = ", " in strings
    level: frozenset[str] = frozenset()
    if not comma:
        first = 0 if " for " in strings else 1
        level = next((family for family in LEVELS[first:] if not family.isdisjoint(strings)), level)
    pieces: list[Tokens] = [[]]
    for place, item in enumerate(items):
        if place and isinstance(item, str) and item in level:
            pieces.append([])
        pieces[-1].append(item)
        if comma and item == ", ":
            pieces.append([])
    return [piece for piece in pieces if piece]


def _flat(items: Tokens) -> list[str]:
    """The texts of items in one line."""
    texts: list[str] = []
    todo = list(reversed(items))
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            texts.append(item)
        else:
            texts.append(item.opening)
            todo.append(item.closing)
            todo.extend(reversed(item.items))
    return texts
