"""Parts of parts: the cotangent of a part that is read once is added where it belongs,
without a container of zeros around it.

Needs backward code, and names of ours (`temporary`). Promises the same sums.

>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> df = tnb.grad(lambda p, i: p["w"][i], like=({"w": [1.0, 2.0]}, 0))
>>> print(difference(tnb.stages(df)["constant_folding"], tnb.stages(df)["copy_propagation"]))
-     bw = rt.zeros_like(w)
-     bw = rt.add_item(bw, i, bfunction)
-     bp = rt.add_item(bp, 'w', bw)
+     bp = rt.add_inner(bp, ('w', i), bfunction)
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..syntax.blocks import change_blocks, is_compound
from ..syntax.building import library, tuple_of
from ..syntax.nodes import names_in, reads, target_names


def inner_parts(body: Sequence[gast.stmt], mentions: Callable[[], Counter[str]]) -> list[gast.stmt]:
    """The body of a block, and of the blocks in it. mentions: how often the text names each variable."""
    out: list[Any] = []
    waiting: dict[str, int] = {}                           # cotangents of parts, and where their only item is added
    for stmt in body:
        change_blocks(stmt, lambda block: inner_parts(block, mentions))
        out.append(stmt)
        if is_compound(stmt):
            waiting.clear()
            continue
        name, call = _sum(stmt)
        part = call.args[2].id if call is not None and isinstance(call.args[2], gast.Name) else ""
        if name and name != part and part in waiting:
            added: Any = out[waiting.pop(part)]
            keys = tuple_of([*_keys(call), *_keys(added.value)])
            stmt.value = gast.copy_location(
                library("rt.add_inner(b, keys, g)", b=name, keys=keys, g=added.value.args[2]), call)
            place = out.index(added)
            del out[place - 1:place + 1]
            waiting = {other: at if at < place else at - 2 for other, at in waiting.items()}
        plain = isinstance(stmt, gast.Assign) and all(isinstance(one, (gast.Name, gast.Tuple)) for one in stmt.targets)
        changed = {variable for one in stmt.targets for variable in target_names(one)} if plain else set(names_in(stmt))
        waiting = {other: at for other, at in waiting.items() if not changed & (reads(out[at].value) | {other})}
        if name and mentions()[name] == 4 and len(out) > 1 and _is_zero(out[-2], name) and out[-1] is stmt:
            waiting[name] = len(out) - 1
    return out


def _sum(stmt: Any) -> tuple[str, Any]:
    """The name and the call of `b = rt.add_item(b, i, g)`, of a sum for a part of a part too."""
    if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Name) \
            and isinstance(stmt.value, gast.Call):
        func, args = stmt.value.func, stmt.value.args
        if isinstance(func, gast.Attribute) and func.attr in ("add_item", "add_inner") \
                and isinstance(args[0], gast.Name) and args[0].id == stmt.targets[0].id:
            return args[0].id, stmt.value
    return "", None


def _keys(call: Any) -> list[gast.expr]:
    return list(call.args[1].elts) if call.func.attr == "add_inner" else [call.args[1]]


def _is_zero(stmt: Any, name: str) -> bool:
    return isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and stmt.targets[0].id == name \
        and isinstance(stmt.value, gast.Call) and isinstance(stmt.value.func, gast.Attribute) \
        and stmt.value.func.attr == "zeros_like"
