"""Bodies of regions as those of functions.

    if done:                       if done:
        continue           →           return x, loss
    x = x + 1.0                    x = x + 1.0
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..syntax.blocks import change_blocks
from ..syntax.building import clone, load, mark, origin_of, tuple_of


def one_by_one(stmt: Any) -> list[gast.stmt] | None:
    """`a, b = x, y` as two assignments, by which no name gets the memory of the other."""
    if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Tuple) \
            and isinstance(stmt.value, gast.Tuple) and len(stmt.targets[0].elts) == len(stmt.value.elts):
        return [gast.Assign([target], value, None)
                for target, value in zip(stmt.targets[0].elts, stmt.value.elts, strict=True)]
    return None


def with_returns(body: list[gast.stmt], results: gast.expr) -> list[gast.stmt]:
    """The body of a loop as that of a function: `continue` gives what the step has found."""
    done: list[gast.stmt] = []
    for stmt in body:
        if isinstance(stmt, gast.Continue):
            done.append(mark(gast.Return(clone(results)), origin=origin_of(stmt)))
            continue
        if not isinstance(stmt, (gast.For, gast.While)):
            change_blocks(stmt, lambda block: with_returns(block, results))
        done.append(stmt)
    return done


def together(names: Sequence[str]) -> gast.expr:
    """One name, or a tuple of them."""
    return load(names[0]) if len(names) == 1 else tuple_of(map(load, names))
