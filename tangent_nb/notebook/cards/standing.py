"""Whether a name has one value in a call, so that what holds its cotangent is the cotangent of that very value.

Needs the problem that a function posed. Promises ONE only where the name is bound once, in no loop, and neither it nor
what may be the same array is changed in place; where that cannot be told, OPEN.
"""
from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import Any

import gast

from ...analyse.flow import mutation
from ...differentiate import Problem
from ...syntax.blocks import blocks, is_compound, own_targets, statements
from ...syntax.nodes import reads, root_name, target_names
from ...syntax.program import Span
from ..lines import Place

BINDS = re.compile(r"(?<![=!<>:])=(?!=)|\bin\b")
WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
ONE, SEVERAL, OPEN = "one", "several", "open"
NEW = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant)          # what they make is no array of their operands


def standing(problem: Problem, name: str) -> str:
    """ONE: the name has one value in a call; SEVERAL: it is bound anew, or changes; OPEN: neither is certain.

    >>> import numpy as np
    >>> from tangent_nb.notebook.shown import show
    >>> def f(w, x):
    ...     w = w * 3.0
    ...     y = w * x
    ...     return np.sum(y * x)
    >>> problems = show(f, wrt=("w", "x"))._shown.take.derived.derivation.problems
    >>> [standing(problems["df_dw_dx"], name) for name in ("w", "x", "y")]
    ['several', 'one', 'one']
    """
    bound = int(name in problem.parameters)
    for stmt, looped in _all(problem.body, False):
        if name in bound_by(stmt):
            bound += 2 if looped or is_compound(stmt) else 1
    if bound > 1:
        return SEVERAL
    changed = {one for stmt in statements(problem.body) for one in _changed(stmt)}
    if name in changed:
        return SEVERAL
    return ONE if bound == 1 and not _alike(problem.body, name) & changed else OPEN


def binding(problem: Problem, name: str) -> Any:
    """The statement that binds a name that has one value; None for a parameter."""
    return next((stmt for stmt in statements(problem.body) if name in bound_by(stmt)), None)


def bound_by(stmt: Any) -> set[str]:
    """The names that a statement binds, a compound one with its head."""
    if is_compound(stmt):
        return set(own_targets(stmt))
    targets = getattr(stmt, "targets", [getattr(stmt, "target", None)])
    return {name for target in targets if target is not None for name in target_names(target)}


def spans_of(stmt: Any) -> list[Span]:
    """The user's statements that a statement of the normal form comes from."""
    origin = getattr(stmt, "origin", None)
    return [one.span for one in (origin if isinstance(origin, tuple) else (origin,)) if one is not None]


def is_in_place(problem: Problem, lines: Container[Place], *, fallback: bool) -> bool:
    """A function of the user's, of these lines, stands in a problem in the place of its calls, and is not what the
    problem was made of. fallback: what holds where no statement comes from it."""
    depths = {len(part) for stmt in statements(problem.body) if (part := getattr(stmt, "part", ()))
              and (part[0].source.filename, part[0].line) in lines}
    return min(depths) > 1 if depths else fallback


def only_bound_in(problem: Problem, lines: Container[Place]) -> set[str]:
    """The names that these lines of the user's bind, and no others, also where what they bind is made in a function
    that stands in the place of its call there."""
    own: set[str] = set()
    others: set[str] = set(problem.parameters)
    for stmt in statements(problem.body):
        part = getattr(stmt, "part", ()) or spans_of(stmt)
        for name in bound_by(stmt):
            places = {(one.source.filename, one.line) for one in part if name in _bound_by_text(one)}
            (own if places and all(one in lines for one in places) else others).add(name)
    return own - others


def _bound_by_text(span: Span) -> list[str]:
    """The words before the `=` or the `in` of a line; of another none."""
    line = span.source.line(span.line)
    found = BINDS.search(line)
    return WORD.findall(line[:found.start()]) if found is not None else []


def _all(body: Sequence[Any], looped: bool) -> Iterator[tuple[Any, bool]]:
    for stmt in body:
        yield stmt, looped
        if is_compound(stmt):
            for block in blocks(stmt):
                yield from _all(block, looped or isinstance(stmt, (gast.For, gast.While)))


def _changed(stmt: Any) -> Iterator[str]:
    """The names whose value a statement changes in place, or may."""
    known = mutation(stmt)
    if known is not None:
        yield known[1]
    if isinstance(stmt, gast.AugAssign):
        yield root_name(stmt.target) or ""
    for target in getattr(stmt, "targets", []):
        if not isinstance(target, (gast.Name, gast.Tuple, gast.List)):
            yield root_name(target) or ""
    if isinstance(stmt, gast.Expr):
        yield from reads(stmt.value)


def _alike(body: Sequence[Any], name: str) -> set[str]:
    """The names that may hold the same array, or a part of it."""
    pairs = []
    for stmt in statements(body):
        value = getattr(stmt, "iter" if isinstance(stmt, gast.For) else "value", None)
        if value is not None and not isinstance(value, NEW):
            pairs += [(one, other) for one in bound_by(stmt) for other in reads(value)]
    found, before = {name}, 0
    while len(found) > before:
        before = len(found)
        found |= {two for one, other in pairs if one in found or other in found for two in (one, other)}
    return found
