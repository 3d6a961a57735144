"""Sums in place: what is added to an array of ours is added where the array is, and no other one is made.

Needs a function in which nothing is left out any more. Promises the same values. The array is one that the derivative
made, of which no other name has any memory; the sum has its shape and dtype, for certain.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(w, xs):
...     s = 0.0
...     for x in xs:
...         s = s + np.sum(np.tanh(x * w))
...     return s
>>> stages = tnb.stages(tnb.grad(f, like=(np.ones(3), np.ones((4, 3)))))
>>> print(difference(stages["rematerialise"], stages["in_place"]))
-         bw = bw + (1.0 - tanh_1 * tanh_1) * x
+         bw += (1.0 - tanh_1 * tanh_1) * x
"""
from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gast

from ..analyse.kinds import spec_of
from ..syntax.blocks import rebuild, statements
from ..syntax.building import store
from ..syntax.spec import broadcast
from .facts import Facts
from .taken_over import whose

OPERATIONS = (gast.Add, gast.Sub, gast.Mult, gast.Div)
DERIVED = ("backward", "tangent")


def in_place(tree: gast.FunctionDef, facts: Facts) -> None:
    """Write `b += c` for `b = b + c`."""
    if any(_updates(stmt) is not None for stmt in statements(tree.body)):
        members, others = whose(tree, facts.scope)
        tree.body = rebuild(tree.body, lambda stmt: _changed(stmt, facts, others | members.keys()))


def _updates(stmt: Any) -> str | None:
    """The name of which a statement of ours makes a new value from its own, by an operation."""
    if not isinstance(stmt, gast.Assign) or len(stmt.targets) > 1 or not isinstance(stmt.targets[0], gast.Name) \
            or getattr(stmt, "role", "") not in DERIVED:
        return None
    name, value = stmt.targets[0].id, stmt.value
    return name if isinstance(value, gast.BinOp) and isinstance(value.op, OPERATIONS) \
        and isinstance(value.left, gast.Name) and value.left.id == name else None


def _changed(stmt: Any, facts: Facts, shared: Collection[str]) -> list[gast.stmt] | None:
    name = _updates(stmt)
    if name is None or name in shared:
        return None
    one, other = (spec_of(node, facts.env(stmt), facts.scope) for node in (stmt.value.left, stmt.value.right))
    made = broadcast(one, other) if one.is_number and other.is_number else other
    if not one.is_made or not one.shape or (made.shape, made.dtype) != (one.shape, one.dtype):
        return None
    new = gast.AugAssign(store(name), stmt.value.op, stmt.value.right)
    new.__dict__.update({mark: value for mark, value in stmt.__dict__.items() if mark not in stmt._fields})
    return [new]
