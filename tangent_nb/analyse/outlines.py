"""Outlines: where only the shape and dtype of an array are read, and none of its numbers.

    bt = rt.unbroadcast(by * k, u[1:-1])      the numbers of by and k; of u what its parts look like

The mark `cells`, of a part of an array, is that of reverse mode.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Any

import gast

from ..rules import LIBRARIES, lookup
from ..syntax.nodes import children, dotted, flat, nodes_of
from .kinds import index_parts

PLAIN = (gast.Add, gast.Sub, gast.Mult, gast.USub)             # evaluated with any numbers, these raise nothing


def marked(node: gast.Call) -> list[gast.expr]:
    """The arguments of a call of ours of which the shape and dtype count, as its row says."""
    library, _, function = (dotted(node.func) or "").partition(".")
    if library[:1] != "%":
        return []
    rule = lookup(getattr(LIBRARIES[library[1:]], function, None))
    return [arg for arg, name in zip(node.args, rule.params) if name in rule.shape_only] if rule is not None else []


def numbers_read(stmt: Any, use: AbstractSet[str],
                 shapes: Callable[[gast.Call], Iterable[gast.expr]] = marked) -> AbstractSet[str]:
    """The names of which a simple statement reads more than the outline. use: those that it reads; shapes: what a call
    reads no more of."""
    if not isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Expr)):
        return use
    targets = getattr(stmt, "targets", [stmt.target] if isinstance(stmt, gast.AugAssign) else [])
    outlined = {id(arg) for node in nodes_of([stmt.value, *targets], gast.Call) for arg in shapes(node)}
    if not outlined and all(isinstance(target, gast.Name) for target in targets):
        return use
    found = {stmt.target.id} if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) else set()

    def read(node: Any) -> None:
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            found.add(node.id)
        for child in children(node):
            (outline if id(child) in outlined else read)(child)

    def outline(node: Any) -> None:                        # of a value of which the shape and dtype count
        if isinstance(node, gast.Subscript) and (
                hasattr(node, "cells") or any(isinstance(part, gast.Slice) for part in index_parts(node.slice))):
            outline(node.value)
            read(node.slice)
        elif isinstance(node, (gast.Tuple, gast.List)) or isinstance(node, gast.Attribute) and node.attr == "T" \
                or isinstance(node, (gast.BinOp, gast.UnaryOp)) and isinstance(node.op, PLAIN):
            for child in children(node):
                outline(child)
        elif not isinstance(node, gast.Name):
            read(node)

    read(stmt.value)
    for target in flat(targets):
        while isinstance(target, gast.Subscript) or isinstance(target, gast.Attribute) and target.attr == "T":
            if isinstance(target, gast.Subscript):
                read(target.slice)
            target = target.value
        if not isinstance(target, gast.Name):
            read(target)
    return found
