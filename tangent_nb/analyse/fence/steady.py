"""What a solver follows along a path: a differential equation, or an integrand.

A jump that moves with what is differentiated adds to the derivative of the solution, and a kink to its second derivative; neither is in the
derivative of the text itself (E. Hairer, S. Nørsett and G. Wanner, "Solving ordinary differential equations I", section II.6). So what may jump
there is refused, and for second derivatives what may have a kink: conditions, and calls whose rows say so (`breaks`).
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from ...syntax.nodes import walk
from .trees import augmented, expressions, reached

if TYPE_CHECKING:
    from .state import Check


def check_steady(check: Check, body: list[gast.stmt]) -> None:
    """Refuse what may jump, and where the solution is differentiated twice what may have a kink."""
    for stmt in reached(body):
        if isinstance(stmt, gast.Assert) or isinstance(stmt, gast.If) and isinstance(stmt.body[0], gast.Raise) and not stmt.orelse:
            continue                                       # it ends what is followed, or changes nothing
        if isinstance(stmt, (gast.If, gast.While)) and check.active(stmt.test):
            _jumps(check, stmt.test)
        changed = [augmented(stmt)] if isinstance(stmt, gast.AugAssign) else []
        for node in [*expressions(stmt), *changed]:
            for part in walk(node):
                _one(check, part)


def _one(check: Check, node: Any) -> None:
    if isinstance(node, gast.Compare):
        if any(map(check.active, [node.left, *node.comparators])):
            _jumps(check, node)
    elif isinstance(node, gast.IfExp) and check.active(node.test) or isinstance(node, gast.BoolOp) and any(map(check.active, node.values)):
        _jumps(check, node)
    elif isinstance(node, (gast.Call, gast.BinOp)):
        operation = check.scope.operation(node)
        moving = [name for name, given in operation.args.items() if check.active(given)]
        if operation.rule is None or not moving:
            return
        found = operation.rule.broken(operation.args, moving)
        if found == "jump":
            _jumps(check, node)
        elif found and check.fence.steady == "twice":
            check.refuse(node, f"what a solver follows may have a kink here, which moves with {check.differentiated(node)}: the part of the "
                         "second derivative that comes from it is not known",
                         "a smooth function, as np.logaddexp(x, 0.0), or np.hypot(x, 1e-3)")


def _jumps(check: Check, node: Any) -> None:
    name = check.differentiated(node)
    check.refuse(node, f"what a solver follows may jump here, at a place that moves with {name}: the part of the derivative that "
                 "comes from the jump is not known", "np.maximum, np.minimum, np.abs, np.clip or np.arctan, which do not jump; or "
                 f"tnb.stop_gradient({name}) here, if both sides meet")
