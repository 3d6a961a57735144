"""Arrays without dimensions that are changed in place: where the text does not exclude them, their derivatives are
made such arrays.

NumPy makes numbers of what is computed with such an array, and so of its cotangent: that does not change in place.

Needs a body in normal form. Promises the mark `storable` on the statements that change or read a part of what may be
such an array, with its name. What has been indexed already as only an array with dimensions is has none. Results of
arithmetic are numbers where they have no dimensions: these do not change, but NumPy lets truth values index them.

    y = np.array(x)                    by = rt.storable(by)
    y[y < 0] = 0.0              →      by[y < 0] = 0.0
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from ..analyse.flow import mutation
from ..analyse.kinds import Env, Kinds, index_parts, is_whole, spec_of
from ..analyse.resolve import Scope
from ..normalise import part_targets
from ..syntax.blocks import blocks, is_compound, own_targets, statements
from ..syntax.nodes import nodes_in, root_name, writes


def mark_storable(body: Sequence[gast.stmt], kinds: Kinds, varied: Collection[str],
                  parameters: Collection[str]) -> None:
    """Mark the statements where a name with a derivative may be an array without dimensions, of which a part is changed
    there, or is read there and changed elsewhere; and where a number of NumPy may be indexed as such an array is."""
    changed = {name for stmt in statements(body) for name, _, _ in _changed(stmt)}
    read = {name for stmt in statements(body) for name, _, _ in _read(stmt)}
    numbers = _arithmetic(body, kinds.scope, parameters) if changed or read else set()
    asked = set(varied) & (changed - numbers | read & numbers - changed)
    if not asked:
        return

    def visit(block: Sequence[gast.stmt], known: set[str]) -> None:
        for stmt in block:
            env = kinds.before(stmt)
            bound = {*own_targets(stmt), *(name for inner in blocks(stmt) for name in writes(inner))} \
                if is_compound(stmt) else writes(stmt)
            for inner in blocks(stmt):
                visit(inner, known - bound)
            if not is_compound(stmt):
                names = {name for name, part, index in [*_changed(stmt), *_read(stmt)] if name in asked - known
                         and not spec_of(part, env, kinds.scope).dims and _fits_no_dimension(index, env, kinds.scope)}
                if names:
                    stmt.storable = tuple(sorted(names))
                if names & numbers:
                    stmt.numbers = True
                known |= {node.value.id for node in nodes_in(stmt) if isinstance(node, gast.Subscript)
                                  and isinstance(node.value, gast.Name)
                                  and not _fits_no_dimension(node.slice, env, kinds.scope)}
            known -= bound

    visit(body, set())


def _read(stmt: Any) -> list[tuple[str, Any, Any]]:
    """The array of which a statement reads a part: name, array, index."""
    part = stmt.value if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Subscript) else None
    return [(part.value.id, part.value, part.slice)] if part is not None and isinstance(part.value, gast.Name) else []


def _changed(stmt: Any) -> list[tuple[str, Any, Any]]:
    """The arrays of which a statement changes a part: name, array or part of it, index."""
    changed = mutation(stmt)
    found = [(root_name(target) or "", target.value, target.slice) for target in part_targets(stmt)]
    is_added = changed is not None and changed[0] == "add_at"
    return [*found, (root_name(stmt.value.args[0]) or "", *stmt.value.args[:2])] if is_added else found


def _arithmetic(body: Sequence[gast.stmt], scope: Scope, parameters: Collection[str]) -> set[str]:
    """The names that only ever stand for results of arithmetic."""
    def is_arithmetic(node: Any) -> bool:
        if isinstance(node, (gast.BinOp, gast.UnaryOp)):
            return True
        rule = scope.operation(node).rule if isinstance(node, gast.Call) else None
        return rule is not None and isinstance(rule.fn, np.ufunc)

    def bound() -> Iterator[tuple[str, bool]]:
        for stmt in statements(body):
            if isinstance(stmt, gast.Assign):
                simple = isinstance(stmt.targets[0], gast.Name) and is_arithmetic(stmt.value)
                yield from ((name, simple) for target in stmt.targets if not isinstance(target, gast.Subscript)
                            for name in writes(target))
            elif is_compound(stmt):
                yield from ((name, False) for name in own_targets(stmt))

    pairs = list(bound())
    return {name for name, _ in pairs} - {name for name, simple in pairs if not simple} - set(parameters)


def _fits_no_dimension(index: gast.expr, env: Env, scope: Scope) -> bool:
    """An array without dimensions may take the index: None, `...`, truth values, or nobody knows what."""
    def fits(part: gast.expr) -> bool:
        if isinstance(part, gast.Slice):
            return False
        spec = spec_of(part, env, scope)
        is_int = spec.kind == "int" or isinstance(spec.dtype, str) and spec.dtype[0] in "iu"
        return is_whole(part, scope) or not (is_int or spec.kind == "list" or spec.dims)

    return all(map(fits, index_parts(index)))
