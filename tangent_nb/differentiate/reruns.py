"""The cotangents of what a region gives, one by one, where it gives several things.

Needs the backward statements of a function. Promises the same without a tuple that only a call which runs a region
again takes apart.

    bloop = bh, bloss
    bx = _loop_bwd(residuals, bloop[0], bloop[1])      →      bx = _loop_bwd(residuals, bh, bloss)
"""
from __future__ import annotations

from typing import Any

import gast

from ..syntax.blocks import change_blocks
from ..syntax.building import exchanged
from ..syntax.nodes import name_nodes, nodes_of, reads, writes


def one_by_one(body: list[gast.stmt]) -> list[gast.stmt]:
    """The statements of a block, and of those in it."""
    for stmt in body:
        change_blocks(stmt, one_by_one)
    done = list(body)
    for stmt in body:
        place = next((i for i, one in enumerate(body) if hasattr(one, "reruns") and _parts(one, stmt)), None)
        if place is None or not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Tuple):
            continue
        name, taker, items = stmt.targets[0].id, body[place], stmt.value.elts
        between = body[body.index(stmt) + 1:place]
        others = sum(node.id == name for one in body for node in name_nodes(one)) - 1
        parts = _parts(taker, stmt)
        if others == len(parts) and not writes(between) & reads(stmt.value) and place > body.index(stmt):
            new = exchanged(taker.value, {id(part): items[part.slice.value] for part in parts})
            taker.value = new
            done.remove(stmt)
    return done


def _parts(taker: Any, stmt: Any) -> list[Any]:
    """The parts of a tuple, which a statement makes of names and numbers, that another one takes."""
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Tuple) or len(stmt.targets) != 1 \
            or not isinstance(stmt.targets[0], gast.Name) \
            or not all(isinstance(one, (gast.Name, gast.Constant)) for one in stmt.value.elts):
        return []
    return [node for node in nodes_of(taker, gast.Subscript) if isinstance(node.value, gast.Name)
            and node.value.id == stmt.targets[0].id and isinstance(node.slice, gast.Constant)]
