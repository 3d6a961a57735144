"""Rewriting expressions."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..syntax.nodes import child_fields


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with each expression, innermost first, replaced by what `change` makes of it."""
    values = node.__dict__
    for name in child_fields(node.__class__):
        value = values.get(name)
        if value.__class__ is list:
            values[name] = [rewritten(one, change) if isinstance(one, gast.AST) else one for one in value]
        elif isinstance(value, gast.AST):
            values[name] = rewritten(value, change)
    return change(node)
