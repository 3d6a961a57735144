"""Outlines: where only the shape and dtype of an array are read, and none of its numbers.

    bt = rt.unbroadcast(by * k, u[1:-1])      the numbers of by and k; of u what its parts look like

The marks `cells`, of a part of an array, and `outlined`, of a call whose argument is a number or an array, are those of reverse mode.
"""
from __future__ import annotations

from typing import Any

import gast

from ..rules import LIBRARIES, lookup
from ..syntax.nodes import children, dotted, is_compound
from .flow import statement_access
from .kinds import index_parts

ALWAYS = ("unbroadcast", "uncast")
PLAIN = (gast.Add, gast.Sub, gast.Mult, gast.USub)             # evaluated with any numbers, these raise nothing


def numbers_read(stmt: Any) -> set[str]:
    """The names of which a simple statement reads more than the outline."""
    found: set[str] = set()
    if is_compound(stmt) or not isinstance(stmt, (gast.Assign, gast.AugAssign)):
        return set(statement_access(stmt).use)
    _read(stmt.value, found)
    for target in getattr(stmt, "targets", [getattr(stmt, "target", None)]):
        _stored(target, found)
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        found.add(stmt.target.id)
    return found


def _read(node: Any, found: set[str]) -> None:
    """Of a value."""
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load):
            found.add(node.id)
        return
    if places := _shaped(node):
        for i, arg in enumerate(node.args):
            (_outline if i in places else _read)(arg, found)
        for keyword in node.keywords:
            _read(keyword.value, found)
        return
    for child in children(node):
        _read(child, found)


def _outline(node: Any, found: set[str]) -> None:
    """Of a value of which the shape and dtype count."""
    if isinstance(node, gast.Subscript) and (hasattr(node, "cells") or any(isinstance(part, gast.Slice) for part in index_parts(node.slice))):
        _outline(node.value, found)
        _read(node.slice, found)
    elif isinstance(node, gast.Attribute) and node.attr == "T":
        _outline(node.value, found)
    elif isinstance(node, (gast.BinOp, gast.UnaryOp)) and isinstance(node.op, PLAIN):
        for child in children(node):
            _outline(child, found)
    elif not isinstance(node, gast.Name):
        _read(node, found)


def _stored(node: Any, found: set[str]) -> None:
    """Of a target."""
    if isinstance(node, gast.Subscript):
        _read(node.slice, found)
        _stored(node.value, found)
    elif isinstance(node, (gast.Tuple, gast.List)):
        for item in node.elts:
            _stored(item, found)
    elif isinstance(node, gast.Attribute) and node.attr == "T":
        _stored(node.value, found)
    elif not isinstance(node, gast.Name):
        _read(node, found)


def _shaped(node: Any) -> list[int]:
    """The places of the arguments of which the shape and dtype count."""
    name = dotted(node.func) if isinstance(node, gast.Call) else None
    library, _, function = (name or "").partition(".")
    if library[:1] != "%" or not (function in ALWAYS or hasattr(node, "outlined")):
        return []
    rule = lookup(getattr(LIBRARIES[library[1:]], function, None))
    return [place for place, name in enumerate(rule.params) if name in rule.shape_only] if rule is not None else []
