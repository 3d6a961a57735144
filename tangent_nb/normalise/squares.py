"""Squares of norms and standard deviations as one operation each, which is smooth where its parts are not.

Needs a body in normal form. Promises that the square of a call which is one operation when squared
(`analyse/resolve.py`) is written so, if the call has a name that is bound once, and what it reads stays as it is.

    n = np.linalg.norm(x)          n = np.linalg.norm(x)
    y = n * n               →      y = np.linalg.norm(x) ** 2
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import gast

from ..analyse.flow import bound_by
from ..analyse.resolve import Scope, square_of
from ..rules.arithmetic import is_power, is_product
from ..syntax.blocks import statements
from ..syntax.building import clone, constant
from ..syntax.nodes import is_literal, key, literal, reads
from .parts import changed_names


def squares_together(body: Sequence[gast.stmt], scope: Scope, parameters: Collection[str]) -> None:
    """Write such squares."""
    calls = _calls(body, scope, parameters)
    for stmt in statements(body) if calls else ():
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name):
            call = _squared(stmt.value, scope, calls)
            if call is not None:
                stmt.value = gast.BinOp(clone(call), gast.Pow(), constant(2))


def _calls(body: Sequence[gast.stmt], scope: Scope, parameters: Collection[str]) -> Mapping[str, gast.expr]:
    """The names that are bound once, to such calls of what is bound no more than once, or to one another."""
    bound = Counter(parameters)
    found: dict[str, gast.expr] = {}
    for stmt in statements(body):
        bound.update(bound_by(stmt))
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name):
            value = found.get(stmt.value.id) if isinstance(stmt.value, gast.Name) else stmt.value
            if value is not None and square_of(value, scope) is not None:
                found[stmt.targets[0].id] = value
    changed = changed_names(body) if found else set()
    return {name: value for name, value in found.items() if bound[name] == 1 and name not in changed
            and all(bound[one] <= 1 and one not in changed for one in reads(value) & scope.local)}


def _squared(node: Any, scope: Scope, calls: Mapping[str, gast.expr]) -> gast.expr | None:
    """The call of which an operation computes the square."""
    operation = scope.operation(node) if isinstance(node, (gast.BinOp, gast.Call)) else None
    if operation is None or operation.rule is None or not operation.args \
            or not (is_product(operation.rule) or is_power(operation.rule)):
        return None
    base, *rest = operation.args.values()
    call = calls.get(base.id) if isinstance(base, gast.Name) else None
    if call is None or not rest:
        return call
    other = rest[0]
    if is_product(operation.rule):
        return call \
            if isinstance(other, gast.Name) and other.id in calls and key(calls[other.id]) == key(call) else None
    return call if is_literal(other) and type(literal(other)) in (int, float) and literal(other) == 2 else None
