"""Where in the user's text the generated line stands that runs now: for what is refused only when a derivative runs.

Needs functions that `link` has made and that carry their `Derivation`. Promises the span of the user's statement, or of
the parameter that a guard asks; None where no generated code runs, or its records are gone (of a function that
travelled, only the text is left).
"""
from __future__ import annotations

import re
import types
from collections.abc import Iterator
from typing import Any

from .. import errors
from ..syntax.building import origin_of
from ..syntax.program import Derivation, Span
from .link import function_at


def running_place(message: str, steps: errors.Steps) -> Span | None:
    """The span of the innermost generated line that has one in a text that is not ours, or else of the head of the
    function. message: what is refused, whose first word may be the name of a parameter."""
    head = None
    for derivation, line in _lines(steps):
        span = _span(derivation, line, message)
        if span is not None and function_at(span.source.filename) is None:
            return span
        head = span or _head(derivation)
    return head


def _lines(steps: errors.Steps) -> Iterator[tuple[Derivation, int]]:
    """The derivations whose text runs, from the inside, with the numbers of the lines. The same text may be that of
    several functions: the one that was called is further out on the stack, where a function that it calls runs."""
    waiting: list[tuple[str, int]] = []
    for frame, number in steps:
        code = frame.f_code
        function = function_at(code.co_filename, code)
        if function is not None:
            waiting.append((code.co_filename, number))
        if function is not None and function.__code__ is code and hasattr(function, "__tangent_nb__"):
            yield from _told(waiting, code)
            waiting = []
    yield from _told(waiting, None)


def _told(waiting: list[tuple[str, int]], code: types.CodeType | None) -> Iterator[tuple[Derivation, int]]:
    for filename, number in waiting:
        derivation = _derivation(filename, code)
        if derivation is not None:
            yield derivation, number


def _derivation(filename: str, code: types.CodeType | None = None) -> Derivation | None:
    found = getattr(function_at(filename, code), "__tangent_nb__", None)
    return found if isinstance(found, Derivation) and found.primal is not None else None


def _span(derivation: Derivation, number: int, message: str) -> Span | None:
    """What a generated line comes from. What was differentiated may be generated too: then what that comes from."""
    span = _origin(derivation, number) or _parameter(derivation, number, message)
    while span is None and number > 1 and derivation.emitted.lines[number - 1].role != "signature":
        number -= 1                                        # what is done at the end belongs to the statement before it
        span = _origin(derivation, number)
    if span is None:
        return None
    inner = _derivation(span.source.filename)
    return span if inner is None else _span(inner, span.line, message) or _head(inner)


def _origin(derivation: Derivation, number: int) -> Span | None:
    return next((origin.span for origin in derivation.emitted.lines[number - 1].origins if origin is not None), None)


def _parameter(derivation: Derivation, number: int, message: str) -> Span | None:
    """The parameter that a guard asks: the one that the message begins with, or the only one in the line."""
    text = derivation.emitted.text.split("\n")[number - 1]
    first = re.match(r"\w*", message)
    words = set(re.findall(r"\w+", text.partition("#")[0]))
    args: Any = derivation.primal.tree.args
    nodes = [node
             for node in [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg] if node is not None]
    found = [node for node in nodes if first is not None and node.id == first[0]] \
        or [node for node in nodes if node.id in words]
    if len(found) != 1 or not hasattr(found[0], "lineno"):
        return None
    node = found[0]
    return Span(derivation.primal.source, node.lineno, node.col_offset, node.lineno, node.col_offset + len(node.id))


def _head(derivation: Derivation) -> Span | None:
    """The head of the user's function."""
    while (inner := _derivation(derivation.primal.source.filename)) is not None:
        derivation = inner
    tree, source = derivation.primal.tree, derivation.primal.source
    line = getattr(tree, "lineno", 0)
    if not line:
        origin = origin_of(tree)
        return None if origin is None else origin.span
    return Span(source, line, tree.col_offset, line, len(source.line(line).rstrip()))


errors.located.append(running_place)
