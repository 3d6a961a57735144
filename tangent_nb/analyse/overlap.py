"""Overlap: what is stored in an array may be a part of that array.

NumPy copies first where the two have opposite strides, or several axes; else it copies one number after the other, in
the order that is right for equal strides alone:

    x[1:] = x[:-1]         as if it were copied first
    A[:, -1] = A[1]        A[1, -1] is stored before it is read: refused when it runs
    x[x > 0.5] = x[:2]     the same, whatever the strides
    A[...] = [v, A[0]]     item by item: A[0] is stored before it is read; we make an array of the list,
                           where the two are the same

By places and masks, it makes an array of a list first.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gast

from .. import runtime
from ..syntax.nodes import literal, unparse
from .kinds import Env, index_parts, spec_of
from .resolve import Scope


def overlapping(stmt: Any, partners: Iterable[tuple[str, str]], env: Env, scope: Scope,
                made: Mapping[str, Sequence[gast.expr]]) -> str | None:
    """The name of what a store reads that may be a part of the same array, of other strides, or a list of such.
    partners: what the array shares memory with; made: what names are given."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Name) else None
    if not isinstance(target, gast.Subscript) or spec_of(stmt.value, env, scope).is_immutable:
        return None
    related, name = set(partners), getattr(stmt, "listed", stmt.value.id)
    if _is_copied_first(target.slice, env, scope):
        return None
    if any((name, how) in related for how in ("holds", "of", "share", "keeps")):
        return str(name)
    if not any((name, how) in related for how in ("whole", "view", "mixed")):
        return None
    stored = spec_of(target, env, scope)
    if stored.is_immutable or (stored.dims or 0) > 1 and spec_of(stmt.value, env, scope).kind == "array":
        return None
    values = made.get(name, ())
    copied = len(values) == 1 and isinstance(values[0], gast.Call) and scope.value(values[0].func) is runtime.copy
    return None if copied or len(values) == 1 and _alike(target, values[0]) else str(name)


def _is_copied_first(index: gast.expr, env: Env, scope: Scope) -> bool:
    """By places, and by several indices that are arrays, NumPy copies first."""
    parts = [spec_of(part, env, scope) for part in index_parts(index) if not isinstance(part, gast.Slice)]
    return any(part.kind in ("array", "list")
               and (part.dtype != "b1" if isinstance(part.dtype, str) else len(parts) > 1) for part in parts)


def _alike(target: gast.Subscript, value: gast.expr) -> bool:
    """Both are parts of one array with the same strides, or with opposite ones."""
    if not isinstance(value, gast.Subscript) or unparse(target.value) != unparse(value.value):
        return False
    ours, theirs = index_parts(target.slice), index_parts(value.slice)
    alone = len(ours) == len(theirs) == 1
    return len(ours) == len(theirs) \
        and all(_same_step(one, other, alone) for one, other in zip(ours, theirs, strict=True))


def _same_step(one: gast.expr, other: gast.expr, alone: bool) -> bool:
    if not isinstance(one, gast.Slice) or not isinstance(other, gast.Slice):
        return not isinstance(one, gast.Slice) and not isinstance(other, gast.Slice)
    first, second = (1 if step is None else literal(step, unparse(step)) for step in (one.step, other.step))
    return bool(first == second) or alone and isinstance(first, int) and isinstance(second, int) and first * second < 0
