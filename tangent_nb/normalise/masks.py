"""Masks: what feeds nothing but one side of an `np.where` gets exactly no derivative where the other side is selected.

Needs a normal form in which the operations inside of a `np.where` carry `mask=(condition, side)`. Promises the same mark on operations whose
results are read by such operations, and by that side of the `np.where`, alone; all in one block, under names bound once.

    y = np.log(x)                                  y = np.log(x)                    # mask (condition, True)
    condition = x > 0.0                     →      condition = x > 0.0
    z = np.where(condition, y, 0.0)                z = np.where(condition, y, 0.0)
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.flow import statement_access
from ..analyse.resolve import Scope
from ..syntax.nodes import blocks, statements, target_names, walk

Mask = tuple[str, bool]


def spread_masks(body: Sequence[gast.stmt], scope: Scope) -> None:
    """Mark what only masked operations read."""
    bound: Counter[str] = Counter()
    for stmt in statements(body):
        if isinstance(stmt, gast.For):
            bound.update(target_names(stmt.target) * 2)            # bound again in each iteration, elsewhere than in the block
        elif not isinstance(stmt, (gast.If, gast.While)):
            one = statement_access(stmt)
            bound.update([*one.define, *one.update])
    _block(list(body), body, scope, bound)


def _block(block: Sequence[gast.stmt], whole: Sequence[gast.stmt], scope: Scope, bound: Counter[str]) -> None:
    here = {id(stmt) for stmt in block}
    defined = {n for stmt in block if isinstance(stmt, gast.Assign) for n in target_names(stmt.targets[0])}
    for stmt in reversed(block):
        name = stmt.targets[0].id if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) else ""
        if name and bound[name] == 1 and not hasattr(stmt, "mask"):
            mask = _common(name, whole, here, scope)
            if mask is not None and bound[mask[0]] == 1 and mask[0] in defined:
                stmt.mask = (gast.Name(mask[0], gast.Load(), None, None), mask[1])
        for inner in blocks(stmt):
            _block(inner, whole, scope, bound)


def _common(name: str, whole: Sequence[gast.stmt], here: set[int], scope: Scope) -> Mask | None:
    """The one mask under which every read of a name stands."""
    found: set[Mask] = set()
    for stmt in statements(whole):
        count = _reads(stmt, name)
        if not count:
            continue
        mask = _mask_of(stmt, name, count, scope) if id(stmt) in here else None
        if mask is None:
            return None
        found.add(mask)
    return found.pop() if len(found) == 1 else None


def _reads(stmt: Any, name: str) -> int:
    parts = [stmt.test] if isinstance(stmt, (gast.If, gast.While)) else [stmt.iter] if isinstance(stmt, gast.For) else [stmt]
    return sum(isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Load) for part in parts for n in walk(part))


def _mask_of(stmt: Any, name: str, count: int, scope: Scope) -> Mask | None:
    """The mask under which a statement reads a name."""
    marked = getattr(stmt, "mask", None)
    if marked is not None and isinstance(marked[0], gast.Name):
        return marked[0].id, marked[1]
    if not isinstance(stmt, gast.Assign) or count != 1 or not isinstance(stmt.value, gast.Call):
        return None
    operation = scope.operation(stmt.value)
    rule = operation.rule
    if operation.kind != "rule" or rule is None:
        return None
    condition = operation.args.get("condition")
    if not isinstance(condition, gast.Name) or condition.id == name:
        return None
    if rule.name == "np.where":
        for side, parameter in ((True, "x"), (False, "y")):
            arg = operation.args.get(parameter)
            if isinstance(arg, gast.Name) and arg.id == name:
                return condition.id, side
    if rule.name == "rt.mask":
        return condition.id, True
    return None
