"""Rewriting expressions."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with each expression, innermost first, replaced by what `change` makes of it."""
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, gast.AST):
            setattr(node, name, rewritten(value, change))
        elif isinstance(value, list):
            setattr(node, name, [rewritten(v, change) if isinstance(v, gast.AST) else v for v in value])
    return change(node)
