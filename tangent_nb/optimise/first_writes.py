"""The first contribution to a cotangent, which need not be added to zeros."""
from __future__ import annotations

from typing import Any

import gast

from ..syntax.blocks import change_blocks, is_compound
from ..syntax.nodes import names_in
from .facts import Facts
from .places import Uses


def first_write(tree: gast.FunctionDef, facts: Facts) -> None:
    """The first contribution to a cotangent is its value. Needs the marks `zero` and `adds`. Promises the same values:
    nothing mentions the zeros before they are added to.

    >>> import tangent_nb as tnb
    >>> from tangent_nb.optimise.alone import difference
    >>> stages = tnb.stages(tnb.grad(lambda x, y: x * y, optimized="first_write", like=(1.0, 2.0)))
    >>> print(difference(stages["differentiate"], stages["first_write"]))
    -     bx = 0.0
    -     bx = bx + rt.unbroadcast(bfunction * y, x)
    +     bx = rt.unbroadcast(bfunction * y, x)
    """
    tree.body = _first_write(tree.body, facts.uses)


def _first_write(body: list[gast.stmt], uses: Uses) -> list[gast.stmt]:
    for stmt in body:
        if is_compound(stmt):
            change_blocks(stmt, lambda block: _first_write(block, uses))
            uses.forget(stmt)
    dropped: set[int] = set()
    zeros: dict[str, Any] = {}                             # that nothing has mentioned yet
    for stmt in body:
        for name in uses(stmt).mentions & zeros.keys() if zeros else ():
            zero = zeros.pop(name)
            if getattr(stmt, "adds", None) == name and (rest := _without(stmt.value, name)) is not None:
                stmt.value = rest
                uses.forget(stmt)
                dropped.add(id(zero))
        if hasattr(stmt, "zero"):
            zeros[stmt.zero] = stmt
    return [stmt for stmt in body if id(stmt) not in dropped]


def _without(node: Any, name: str) -> gast.expr | None:
    """What is added to the name: `c + d` of `name + c + d`."""
    if isinstance(node, gast.Call):                       # rt.add_grad(name, c)
        first, second = node.args
        if isinstance(first, gast.Name) and first.id == name and name not in names_in(second):
            return second
        return None
    terms: list[tuple[type, gast.expr]] = []
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
        terms.insert(0, (type(node.op), node.right))
        node = node.left
        if isinstance(node, gast.Name) and node.id == name:
            break
    else:
        return None
    if any(name in names_in(term) for _, term in terms):
        return None
    kind, total = terms[0]
    total = gast.UnaryOp(gast.USub(), total) if kind is gast.Sub else total
    for kind, term in terms[1:]:
        total = gast.BinOp(total, kind(), term)
    return total
