"""Rewriting expressions: passes put other trees into statements, and leave the trees that stand there as they are.

So a statement whose fields are the same objects as before says what it said before, and the text after a pass, which is
kept for who looks at it, needs copies of the statements only.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_not
from typing import Any

import gast

from ..syntax.blocks import statements
from ..syntax.building import same_trees
from ..syntax.nodes import LEAVES, child_fields

Kinds = frozenset[Any]                                     # classes of nodes
CALLS: Kinds = frozenset({gast.Call})
NAMES: Kinds = frozenset({gast.Name})


def rewritten(node: Any, change: Callable[[Any], Any], kinds: Kinds) -> Any:
    """A tree with each expression of these classes, innermost first, replaced by what `change` makes of it; the same
    where that is nothing else."""
    kind = node.__class__
    if kind in LEAVES:
        return _changed(node, change) if kind in kinds else node
    made: dict[str, Any] = {}
    if kind is gast.BinOp:                                 # the commonest are written out
        left, right = rewritten(node.left, change, kinds), rewritten(node.right, change, kinds)
        if left is not node.left or right is not node.right:
            made = {"left": left, "right": right}
    elif kind is gast.Attribute:
        value = rewritten(node.value, change, kinds)
        if value is not node.value:
            made = {"value": value}
    else:
        values = node.__dict__
        for name in child_fields(kind):
            value = values.get(name)
            if value.__class__ is list:
                items = [rewritten(one, change, kinds) if isinstance(one, gast.AST) else one for one in value]
                if any(map(is_not, items, value)):
                    made[name] = items
            elif isinstance(value, gast.AST):
                one = rewritten(value, change, kinds)
                if one is not value:
                    made[name] = one
    if made:
        new = kind.__new__(kind)
        new.__dict__.update(node.__dict__)
        new.__dict__.update(made)
        node = new
    return _changed(node, change) if kind in kinds else node


def _changed(node: Any, change: Callable[[Any], Any]) -> Any:
    """What a node is changed to; it comes from where that came from, unless it says that it comes from elsewhere."""
    made = change(node)
    if made is not node and "part" in node.__dict__ and "part" not in made.__dict__:
        made.part = node.part
    return made


def of(call: Any, first: Any) -> Any:
    """A call of something else first; the same where that is nothing else."""
    if first is call.args[0]:
        return call
    new = same_trees(call)
    new.args = [first, *call.args[1:]]
    return new


State = list[tuple[Any, ...]]


def state(body: Sequence[gast.stmt]) -> State:
    """What statements are made of: two states are equal where no statement was changed, added or left out between."""
    return [(stmt, *stmt.__dict__.values(), *stmt.targets) if stmt.__class__ is gast.Assign else          # nearly all
            (stmt, *[tuple(value) if value.__class__ is list else value for value in stmt.__dict__.values()])
            for stmt in statements(body)]
