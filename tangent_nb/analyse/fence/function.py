"""One function: its parameters, whether every path returns something, its statements, what carries a derivative."""
from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from ...syntax.blocks import statements
from ...syntax.nodes import body_without_docstring, nodes_of, walk
from ...syntax.program import Captured
from ..leaving import always_leaves
from ..managers import suppressed
from .derivatives import check_derivatives
from .nesting import Depths
from .state import Check
from .statements import check_statements

if TYPE_CHECKING:
    from . import Fence


def check_function(fence: Fence, captured: Captured, wrt: tuple[str, ...], depths: Depths = ()) -> None:
    """Gather the refusals of a function, with the callees that have to be asked for."""
    fence.find_inert(captured)
    fence.find_returned(captured)
    check = Check(fence, captured, wrt, depths)
    body = body_without_docstring(check.tree)
    for node in walk(body):
        if isinstance(node, gast.With):
            node.swallows = any(suppressed(item.context_expr, check.scope) is not None for item in node.items)
    check_statements(check, body)
    check_derivatives(check, body)
    # else that is why it is still called for its effect
    if captured is fence.met[0] or captured.fn not in fence.refused:
        _exits(check, body)


def _exits(check: Check, body: list[gast.stmt]) -> None:
    returns = [stmt for stmt in statements(body) if isinstance(stmt, gast.Return)]
    elsewhere = any(isinstance(node, (gast.TryStar, gast.Match)) for node in walk(body))           # where it is refused
    if not returns and not elsewhere:
        check.refuse_whole("it returns nothing", "return a number or an array")
        return
    for node in returns:
        if is_none(node) or hasattr(node.value, "inert") and _gives_none(
                check.fence.capture(check.scope.operation(node.value).fn).tree):
            check.refuse(node, "it returns None", "return a number or an array")
    if not always_leaves(body) and not elsewhere:
        check.refuse_whole("a path through it ends without return, and so returns None",
                           "return a number or an array on every path", end=True)


def _gives_none(tree: gast.FunctionDef) -> bool:
    """A function gives None, and not because it always raises."""
    returns = nodes_of(tree, gast.Return)
    return all(map(is_none, returns)) and (bool(returns) or not always_leaves(tree.body))


def is_none(stmt: gast.Return) -> bool:
    """A return gives None."""
    return stmt.value is None or isinstance(stmt.value, gast.Constant) and stmt.value.value is None
