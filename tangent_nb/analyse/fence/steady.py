"""What a solver follows along a path: a differential equation, or an integrand.

A jump that moves with what is differentiated adds to the derivative of the solution, and a bend to its second derivative; neither is in the
derivative of the text itself (E. Hairer, S. Nørsett and G. Wanner, "Solving ordinary differential equations I", section II.6). So conditions
are refused here that depend on what is differentiated, and for second derivatives the functions that bend.
"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ... import runtime
from ...syntax.nodes import walk
from .trees import expressions, reached

if TYPE_CHECKING:
    from .state import Check

JUMPING = (np.mod, np.fmod, np.modf, np.divmod, np.copysign, np.unwrap, math.fmod, math.modf, math.copysign, divmod)       # with a derivative
STEADY = (np.shape, np.ndim, np.size, len, np.zeros_like, np.ones_like, np.empty_like, isinstance, type, np.iscomplexobj, np.isrealobj,
          np.result_type, np.isnan, np.isfinite, np.isinf, print, runtime.stop_gradient)
BENDING = (np.abs, np.fabs, abs, math.fabs, np.maximum, np.minimum, np.fmax, np.fmin, max, min, np.max, np.min, np.nanmax, np.nanmin, np.clip,
           np.sort, sorted, np.median, np.nanmedian, np.percentile, np.quantile, np.nanpercentile, np.nanquantile, np.partition, np.ptp,
           np.interp)


def check_steady(check: Check, body: list[gast.stmt]) -> None:
    """Refuse what may jump, and where the solution is differentiated twice what may bend."""
    for stmt in reached(body):
        if isinstance(stmt, (gast.If, gast.While)) and check.active(stmt.test):
            _jumps(check, stmt.test)
        for node in expressions(stmt):
            for part in walk(node):
                _one(check, part)


def _one(check: Check, node: Any) -> None:
    if isinstance(node, gast.Compare):
        if any(map(check.active, [node.left, *node.comparators])):
            _jumps(check, node)
    elif isinstance(node, gast.IfExp) and check.active(node.test) or isinstance(node, gast.BoolOp) and any(map(check.active, node.values)):
        _jumps(check, node)
    elif isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mod, gast.FloorDiv)):
        if check.active(node.left) or check.active(node.right):
            _jumps(check, node)
    elif isinstance(node, gast.Call):
        operation = check.scope.operation(node)
        rule = operation.rule
        if rule is None or rule.name.startswith("rt.") or not any(map(check.active, operation.args.values())):
            return
        if any(rule.fn is fn for fn in JUMPING) or rule.supported and not rule.pull and not any(rule.fn is fn for fn in STEADY):
            _jumps(check, node)
        elif check.fence.steady == "twice" and any(rule.fn is fn for fn in BENDING):
            check.refuse(node, f"what a solver follows may have a bend here, which moves with {check.differentiated(node)}: the part of the "
                         "second derivative that comes from it is not known",
                         "a smooth function, as np.logaddexp(x, 0.0), or np.hypot(x, 1e-3)")


def _jumps(check: Check, node: Any) -> None:
    name = check.differentiated(node)
    check.refuse(node, f"what a solver follows may jump here, at a place that moves with {name}: the part of the derivative that "
                 "comes from the jump is not known", "np.maximum, np.minimum, np.abs or np.clip, which do not jump; or "
                 f"tnb.stop_gradient({name}) here, if both sides meet")
