"""What a solver follows along a path: a differential equation, or an integrand.

A jump that moves with what is differentiated adds to the derivative of the solution, and a kink to its second derivative; neither is in the
derivative of the text itself (E. Hairer, S. Nørsett and G. Wanner, "Solving ordinary differential equations I", section II.6). So what may jump
there is refused, and for second derivatives what may have a kink: conditions, and calls whose rows say so (`breaks`).

Poles, and the points at which a root, a norm or a standard deviation is 0, are not seen: that the path does not meet them is taken for granted.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import gast

from ...syntax.nodes import blocks, is_literal, literal, reads, walk
from ..managers import suppressed
from .trees import augmented, expressions, flat, reached, targets

if TYPE_CHECKING:
    from .state import Check


def check_steady(check: Check, body: list[gast.stmt]) -> None:
    """Refuse what may jump, and where the solution is differentiated twice what may have a kink."""
    parts, guards = dict(_parts(body)), set(_guards(body))
    for stmt in reached(body):
        _attempts(check, stmt)
        if id(stmt) in guards:
            continue
        if isinstance(stmt, (gast.If, gast.While)) and check.active(stmt.test):
            _jumps(check, stmt.test)
        changed = [augmented(stmt)] if isinstance(stmt, gast.AugAssign) else []
        places = [part.slice for target in flat(targets(stmt)) for part in walk(target) if isinstance(part, gast.Subscript)]
        for node in [*expressions(stmt), *changed, *places]:
            for part in walk(node):
                _one(check, part, parts)
        for place in places:
            if check.active(place):
                _jumps(check, place)


def _guards(block: Sequence[gast.stmt]) -> Iterator[int]:
    """Asserts, and conditions of which one way ends in an error: there is no value there, to which another one may jump."""
    for place, stmt in enumerate(block):
        if isinstance(stmt, gast.Assert) or isinstance(stmt, gast.If) and (
                _raises(stmt.body) or _raises(stmt.orelse) or isinstance(stmt.body[-1], gast.Return) and _raises(block[place + 1:])):
            yield id(stmt)
        for inner in blocks(stmt):
            yield from _guards(inner)


def _raises(block: Sequence[gast.stmt]) -> bool:
    """A block that ends in an error, whichever way is taken in it."""
    last = block[-1] if block else None
    return isinstance(last, gast.Raise) or isinstance(last, gast.If) and _raises(last.body) and _raises(last.orelse)


def _attempts(check: Check, stmt: gast.stmt) -> None:
    """An error that is caught: where it is raised may move."""
    if isinstance(stmt, (gast.Try, gast.TryStar)) and stmt.handlers or isinstance(stmt, gast.With) and any(
            suppressed(item.context_expr, check.scope) is not None for item in stmt.items):
        moving = next((part for inner in reached(stmt.body) for node in expressions(inner) for part in walk(node)
                       if isinstance(part, gast.expr) and check.active(part)), None)
        if moving is not None:
            _jumps(check, moving)


def _parts(body: list[gast.stmt]) -> Iterator[tuple[int, set[int]]]:
    """Which parts of the result of a call are read: of `np.linalg.slogdet(A)[1]`, and of `sign, logdet = np.linalg.slogdet(A)`."""
    read = {name for stmt in reached(body) for name in reads(stmt)}
    for stmt in reached(body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call) and isinstance(stmt.targets[0], gast.Tuple) \
                and len(stmt.targets) == 1 and not any(isinstance(target, gast.Starred) for target in stmt.targets[0].elts):
            yield id(stmt.value), {place for place, target in enumerate(stmt.targets[0].elts)
                                   if not isinstance(target, gast.Name) or target.id in read}
        for node in expressions(stmt):
            for part in walk(node):
                if isinstance(part, gast.Subscript) and isinstance(part.value, gast.Call) and is_literal(part.slice) \
                        and isinstance(place := literal(part.slice), int) and place >= 0:
                    yield id(part.value), {place}


def _one(check: Check, node: Any, parts: dict[int, set[int]]) -> None:
    if isinstance(node, gast.Compare):
        if any(map(check.active, [node.left, *node.comparators])) and not all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
            _jumps(check, node)
    elif isinstance(node, gast.IfExp) and check.active(node.test) or isinstance(node, gast.BoolOp) and any(map(check.active, node.values)) \
            or isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not) and check.active(node.operand):
        _jumps(check, node)
    elif isinstance(node, (gast.Call, gast.BinOp)):
        operation = check.scope.operation(node)
        moving = [name for name, given in operation.args.items() if check.active(given)]
        if operation.rule is None or not moving:
            return
        found = operation.rule.broken(operation.args, moving, parts.get(id(node)))
        if found == "jump":
            _jumps(check, node)
        elif found and check.fence.steady == "twice":
            check.refuse(node, f"what a solver follows may have a kink here, which moves with {check.differentiated(node)}: the part of the "
                         "second derivative that comes from it is not known",
                         "a smooth function, as np.logaddexp(x, 0.0), or np.hypot(x, 1e-3)")


def _jumps(check: Check, node: Any) -> None:
    name = check.differentiated(node)
    check.refuse(node, f"what a solver follows may jump here, at a place that moves with {name}: the part of the derivative that "
                 "comes from the jump is not known", "np.maximum, np.minimum, np.abs or np.clip, which do not jump; or "
                 f"tnb.stop_gradient({name}) here, if both sides meet")
