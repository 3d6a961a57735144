"""Which values have memory of their own."""
from __future__ import annotations

import gast

from ..analyse.displays import items
from ..analyse.kinds import index_parts
from ..analyse.resolve import Scope


def is_fresh(node: gast.expr, scope: Scope) -> bool:
    """The value shares memory with nothing: a new array, or a number; its axes may have another order."""
    if isinstance(node, gast.Constant) or hasattr(node, "reuses"):     # memory that was ours, and is its own now
        return True
    operation = scope.operation(node)
    if operation.kind == "container":
        return all(is_fresh(item, scope) for item in items(node))
    if operation.kind != "rule" or operation.rule is None:
        return False
    turned = operation.rule.name == "np.transpose" or isinstance(node, gast.Subscript) and all(
        isinstance(part, gast.Slice) for part in index_parts(node.slice))
    if operation.rule.itself or turned:
        return is_fresh(next(iter(operation.args.values())), scope)
    return operation.memory == "fresh"
