"""Where in a text the parts of its trees stand (`syntax/parts.py`).

Needs the trees that were written, and the text parsed again, which has columns. Both are walked in step; what differs
in form between gast and Python is left out.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

import gast

from ..syntax.nodes import LEAVES
from ..syntax.program import Term

LEFT_OUT = ("ctx", "op", "ops", "args", "type_params")     # but the arguments of calls


def terms_of(functions: Sequence[gast.FunctionDef], again: ast.Module, text: str) -> tuple[Term, ...]:
    """The stretches of a text that have parts, those around others first."""
    lines = text.split("\n")
    found: list[Term] = []
    for function, tree in zip(functions, again.body, strict=True):
        todo: list[tuple[Any, Any, tuple[Any, ...]]] = [(function, tree, ())]
        while todo:
            ours, theirs, around = todo.pop()
            part = ours.__dict__.get("part") or around
            if part != around and hasattr(theirs, "end_col_offset") and not hasattr(theirs, "body"):
                found.append(_term(theirs, part, lines))
            todo += [(one, other, part) for one, other in reversed(list(_below(ours, theirs)))
                     if one.__class__ not in LEAVES]
    return tuple(found)


def _below(ours: Any, theirs: Any) -> Iterator[tuple[Any, Any]]:
    """The nodes below two, pair by pair."""
    if isinstance(theirs, ast.Lambda):
        return
    for name in theirs._fields:
        if name in LEFT_OUT and not isinstance(theirs, ast.Call):
            continue
        one, other = getattr(ours, name, None), getattr(theirs, name, None)
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            yield from (pair for pair in zip(one, other) if _alike(*pair))
        elif _alike(one, other):
            yield one, other


def _alike(one: Any, other: Any) -> bool:
    return isinstance(one, gast.AST) and isinstance(other, ast.AST) and type(one).__name__ == type(other).__name__


def _term(node: Any, part: tuple[Any, ...], lines: Sequence[str]) -> Term:
    return Term(node.lineno, _column(lines[node.lineno - 1], node.col_offset), node.end_lineno,
                _column(lines[node.end_lineno - 1], node.end_col_offset), part)


def _column(line: str, offset: int) -> int:
    """A column in characters; Python counts bytes."""
    return offset if line.isascii() else len(line.encode()[:offset].decode())
