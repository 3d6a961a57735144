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
from ..syntax.nodes import child_fields


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with each expression, innermost first, replaced by what `change` makes of it; the same where that is
    nothing else."""
    values = node.__dict__
    made: dict[str, Any] = {}
    for name in child_fields(node.__class__):
        value = values.get(name)
        if value.__class__ is list:
            items = [rewritten(one, change) if isinstance(one, gast.AST) else one for one in value]
            if any(map(is_not, items, value)):
                made[name] = items
        elif isinstance(value, gast.AST):
            one = rewritten(value, change)
            if one is not value:
                made[name] = one
    if made:
        new = node.__class__.__new__(node.__class__)
        new.__dict__.update(values)
        new.__dict__.update(made)
        node = new
    return change(node)


State = list[tuple[Any, ...]]


def state(body: Sequence[gast.stmt]) -> State:
    """What statements are made of: two states are equal where no statement was changed, added or left out between."""
    return [(stmt, *[tuple(value) if value.__class__ is list else value for value in stmt.__dict__.values()])
            for stmt in statements(body)]
