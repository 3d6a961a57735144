"""Bugs to plant in desugar, normalise and analyse, one at a time: the oracle must find each within 50 programs,
without a gradient."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from operator import or_
from pathlib import Path
from typing import Any
from unittest.mock import patch

import gast
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from bugs import Bug, attribute, changed_rows

from tangent_nb.analyse import activity, flow, kinds, ownership
from tangent_nb.differentiate import problem
from tangent_nb.normalise import exits, expressions, inline, lower
from tangent_nb.syntax import spec

LIMIT = 50
VIEWS = (np.ravel, np.reshape, np.transpose, np.asarray, np.asanyarray, np.ascontiguousarray, np.require, np.atleast_1d)


def changed(owner: Any, name: str, change: Callable[..., Any]) -> AbstractContextManager[None]:
    """Another function in the place of one; change: is given the one that it replaces, and its arguments."""
    before = getattr(owner, name)
    return attribute((owner, name), value=lambda *args, **keywords: change(before, *args, **keywords))


# ------------------------------------------------------------------ normalise
def unguarded() -> AbstractContextManager[None]:
    """What follows an early exit is done where the exit was taken, too."""
    def guarded(before: Any, *args: Any) -> Any:
        found = before(*args)
        found.test = found.test.operand
        return found
    return changed(exits._Exits, "guarded", guarded)


def exchanged_arguments() -> AbstractContextManager[None]:
    """A function that is put in the place of its call gets its first two arguments the other way round."""
    def bound_all(before: Any, *args: Any) -> Any:
        found = before(*args)
        if found is not None and len(found) > 1:
            first, second = list(found)[:2]
            found[first], found[second] = found[second], found[first]
        return found
    return changed(inline, "_bound_all", bound_all)


def one_by_one() -> AbstractContextManager[None]:
    """`a, b = b, a` binds a before b is read."""
    def unpack(before: Any, self: Any, target: Any, value: Any) -> None:
        if isinstance(value, gast.Tuple) and len(value.elts) == len(target.elts):
            for one, item in zip(target.elts, value.elts, strict=True):
                self.target(one, item)
        else:
            before(self, target, value)
    return changed(lower.Lowering, "_unpack", unpack)


def added_for_subtracted() -> AbstractContextManager[None]:
    """`A[i] -= v` is written as `A[i] += v`."""
    before = lower.LOWERED[gast.AugAssign]

    def augment(lowering: Any, stmt: Any) -> None:
        if isinstance(stmt.op, gast.Sub) and isinstance(stmt.target, gast.Subscript):
            stmt.op = gast.Add()
        before(lowering, stmt)
    return patch.dict(lower.LOWERED, {gast.AugAssign: augment})  # type: ignore[arg-type]


def nothing_else() -> AbstractContextManager[None]:
    """A ternary that becomes a branch gives its first value on both paths."""
    def choice(before: Any, self: Any, names: Any, node: Any, given: Any) -> None:
        before(self, names, gast.IfExp(node.test, node.body, node.body), given)
    return changed(expressions.Expressions, "choice", choice)


# ------------------------------------------------------------------ analyse
def first_path() -> AbstractContextManager[None]:
    """Where two paths meet, a number is taken for what it is on the first."""
    return changed(spec, "join", lambda before, a, b: a if a.is_number and b.is_number else before(a, b))


def bound_on_some_path() -> AbstractContextManager[None]:
    """What is bound on some path is taken for bound on all."""
    return attribute((flow, "and_"), value=or_)


def unread_targets() -> AbstractContextManager[None]:
    """`x += v` is taken to bind x without reading it."""
    def used(before: Any, stmt: Any) -> set[str]:
        return flow.reads(stmt.value) if isinstance(stmt, gast.AugAssign) else before(stmt)
    return changed(flow, "_used", used)


@contextmanager
def constant_operands() -> Iterator[None]:
    """No derivative is taken to flow through the last operand of an operation."""
    def operands(before: Any, operation: Any, node: Any, scope: Any) -> Any:
        found = before(operation, node, scope)
        return found[:-1] if operation.kind == "rule" and len(found) > 1 else found
    asked = attribute((activity, "operands"), (problem, "operands"), value=lambda *args: operands(_OPERANDS, *args))
    with asked, attribute((activity, "through_both"), value=lambda kind: False):
        yield


def fresh_views() -> AbstractContextManager[None]:
    """Views, and what may be its argument, are taken for new memory."""
    return changed_rows(lambda row: replace(row, memory="fresh") if any(row.fn is fn for fn in VIEWS) else row)


def numbers_change() -> AbstractContextManager[None]:
    """`x += v` is never taken to change an array in place."""
    def contents(before: Any, self: Any, node: Any) -> Any:
        return frozenset() if isinstance(node.stmt, gast.AugAssign) and isinstance(node.stmt.target, gast.Name) \
            else before(self, node)
    return changed(ownership._Judge, "_contents", contents)


def length_behind_pop() -> AbstractContextManager[None]:
    """A list is taken to hold behind a pop what it held before."""
    return changed(kinds, "_shortened", lambda before, stack: stack)


def rows_for_numbers() -> AbstractContextManager[None]:
    """A part of an array by one index is taken for a number, however many dimensions the array has."""
    def subscript(before: Any, node: Any, *rest: Any) -> Any:
        found = before(node, *rest)
        return found if isinstance(node.slice, (gast.Tuple, gast.Slice)) or found.kind != "numeric" \
            else found.like(kind="scalar", shape=())
    return changed(kinds, "_subscript", subscript)


_OPERANDS = activity.operands
BUGS = {
    "exit": Bug("what follows an early exit is done although the exit was taken", unguarded),
    "inline": Bug("a helper put in the place of its call gets two arguments exchanged", exchanged_arguments),
    "subtract": Bug("A[i] -= v becomes A[i] += v", added_for_subtracted, "mutating"),
    "choice": Bug("a ternary gives its first value on both paths", nothing_else),
    "join": Bug("where paths meet a number is what it is on the first", first_path),
    "definite": Bug("bound on some path is taken for bound on all", bound_on_some_path),
    "live": Bug("x += v does not read x", unread_targets),
    "active": Bug("nothing flows through the last operand", constant_operands),
    "views": Bug("views are taken for new memory", fresh_views, "mutating"),
    "changed": Bug("x += v never changes an array in place", numbers_change, "mutating"),
    "rows": Bug("a row of a matrix is taken for a number", rows_for_numbers),
}


def found_at(names: list[str] | None = None) -> dict[str, int | None]:
    """For each planted bug the number of the first program that finds it, or None.
    A crash in deriving finds nothing."""
    from engine import GRAMMARS
    from programs import judged
    found: dict[str, int | None] = {}
    for name in names or BUGS:
        bug = BUGS[name]
        with bug.plant():
            verdicts = (judged(GRAMMARS[bug.grammar].generate(k), "reverse").kind for k in range(LIMIT))
            found[name] = next((k + 1 for k, kind in enumerate(verdicts) if kind in ("differs", "false")), None)
    return found
