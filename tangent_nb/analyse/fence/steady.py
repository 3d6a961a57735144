"""What a solver follows along a path: a differential equation, or an integrand.

A jump that moves with what is differentiated adds to the derivative of the solution, and a kink to its second
derivative; neither is in the derivative of the text itself (E. Hairer, S. Nørsett and G. Wanner, "Solving ordinary
differential equations I", section II.6). So what may jump there is refused, and for second derivatives what may have a
kink: conditions, and calls whose rows say so (`breaks`).

Poles, the points at which a root, a norm or a standard deviation is 0, branch cuts where the text does not tell that a
number is complex, changes of rank (np.linalg.pinv), and the choice of a solver among several solutions are not seen:
that the path does not meet them is taken for granted.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import gast

from ...rules.breaking import by_key, makes_complex
from ...syntax.blocks import blocks
from ...syntax.building import constant
from ...syntax.nodes import flat, is_literal, literal, nodes_of, reads, target_names, walk
from ..activity import Varied
from ..effects import only_tells
from ..leaving import always_raises
from ..managers import suppressed
from .trees import augmented, computed, expressions, reached, targets

if TYPE_CHECKING:
    from .state import Check


def check_steady(check: Check, body: list[gast.stmt]) -> None:
    """Refuse what may jump, and where the solution is differentiated twice what may have a kink."""
    steady = _Steady(check, body)
    guards = set(_guards(body))
    for stmt in reached(body):
        steady.attempts(stmt)
        if id(stmt) in guards:
            continue
        if isinstance(stmt, (gast.If, gast.While)) and steady.active(stmt.test):
            _jumps(check, stmt.test)
        changed = [augmented(stmt)] if isinstance(stmt, gast.AugAssign) else []
        places = [part.slice for target in flat(targets(stmt))
                  for part in nodes_of(target, gast.Subscript)]
        for node in [*computed(stmt), *changed, *places]:
            for part in walk(node):
                steady.one(part)
                if isinstance(part, gast.FormattedValue) and steady.active(part.value) and not _says(check, stmt):
                    _jumps(check, part)
        for place in places:
            if steady.active(place):
                _jumps(check, place)


def _says(check: Check, stmt: gast.stmt) -> bool:
    """A text that is shown, and not computed with."""
    return isinstance(stmt, (gast.Raise, gast.Assert)) \
        or isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) \
        and only_tells(check.scope.value(stmt.value.func))


def _guards(block: Sequence[gast.stmt]) -> Iterator[int]:
    """Asserts, and conditions of which one way ends in an error: there is no value there,
    to which another one may jump."""
    for place, stmt in enumerate(block):
        if isinstance(stmt, gast.Assert) or isinstance(stmt, gast.If) and (
                always_raises(stmt.body) or always_raises(stmt.orelse)
                or isinstance(stmt.body[-1], gast.Return) and not stmt.orelse and always_raises(block[place + 1:])):
            yield id(stmt)
        for inner in blocks(stmt):
            yield from _guards(inner)


def _parts(body: list[gast.stmt]) -> Iterator[tuple[int, set[int]]]:
    """Which parts of the result of a call are read: of `np.linalg.slogdet(A)[1]`, and of
    `sign, logdet = np.linalg.slogdet(A)`."""
    read = {name for stmt in reached(body) for name in reads(stmt)}
    for stmt in reached(body):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call) \
                and isinstance(stmt.targets[0], gast.Tuple) and len(stmt.targets) == 1 \
                and not any(isinstance(target, gast.Starred) for target in stmt.targets[0].elts):
            yield id(stmt.value), {place for place, target in enumerate(stmt.targets[0].elts)
                                   if not isinstance(target, gast.Name) or target.id in read}
        for node in expressions(stmt):
            for part in walk(node):
                if isinstance(part, gast.Subscript) and isinstance(part.value, gast.Call) and is_literal(part.slice) \
                        and isinstance(place := literal(part.slice), int) and place >= 0:
                    yield id(part.value), {place}


class _Steady:
    """One body, in which the variables of comprehensions that go over what is active are active too."""

    def __init__(self, check: Check, body: list[gast.stmt]) -> None:
        self.check, self.parts = check, dict(_parts(body))
        self.inner: set[str] = set()
        self.made: dict[str, list[Any]] = {}                   # what names are given
        generators = []
        for stmt in reached(body):
            if isinstance(stmt, gast.Assign):
                for target in stmt.targets:
                    if isinstance(target, gast.Name):
                        self.made.setdefault(target.id, []).append(stmt.value)
            generators += [part for node in computed(stmt)
                           for part in nodes_of(node, gast.comprehension)]
        self.complex: set[str] = set()
        while new := {name for name, values in self.made.items() if any(map(self._is_complex, values))} - self.complex:
            self.complex |= new
        while new := {name for one in generators if self.active(one.iter) for name in target_names(one.target)} \
                - self.inner:
            self.inner |= new

    def active(self, node: Any) -> bool:
        """The expression may carry a derivative."""
        return self.check.active(node) or not self.inner.isdisjoint(reads(node)) and Varied(
            self.check.varied | self.inner, self.check.scope).of(node)

    def one(self, node: Any) -> None:
        """Refuse an expression that may jump or have a kink; its parts are asked for too."""
        if isinstance(node, gast.Compare):
            if any(map(self.active, [node.left, *node.comparators])) \
                    and not all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
                _jumps(self.check, node)
        elif isinstance(node, gast.IfExp) and self.active(node.test) \
                or isinstance(node, gast.BoolOp) and any(map(self.active, node.values)) \
                or isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not) and self.active(node.operand):
            _jumps(self.check, node)
        elif isinstance(node, (gast.Call, gast.BinOp)):
            self._operation(node)

    def _operation(self, node: Any) -> None:
        operation = self.check.scope.operation(node)
        method = node.func if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) else None
        if method is not None and method.attr == "sort" and self.active(method.value) \
                and (self.check.nesting.of(method.value) > 1
                     or by_key({one.arg: one.value for one in node.keywords}) == "jump"):
            _chooses(self.check, node)
        given = [*node.args, *(one.value for one in node.keywords)] if isinstance(node, gast.Call) else [node.right]
        if any(map(self.active, given)) \
                and (method is not None and method.attr == "format" and operation.rule is None
                     or isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mod) and _is_text(node.left)):
            _jumps(self.check, node)
        moving = [name for name, given in operation.args.items() if self.active(given)]
        if operation.rule is None or not moving:
            return
        args = dict(operation.args)
        if "x" in args and self._is_complex(args["x"]):
            args["x"] = constant(1j)
        found = operation.rule.broken(args, moving, self.parts.get(id(node)))
        if found == "jump":
            _jumps(self.check, node)
        elif operation.rule.breaks is by_key and not self.check.nesting.compares_numbers(operation):
            _chooses(self.check, node)
        elif found == "kink" and self.check.fence.steady == "twice":
            name = self.check.differentiated(node)
            self.check.refuse(node, f"what a solver follows may have a kink here, which moves with {name}: "
                              "the part of the second derivative that comes from it is not known",
                              "a smooth function, as np.logaddexp(x, 0.0), or np.hypot(x, 1e-3)")

    def _is_complex(self, node: Any) -> bool:
        return not self.complex.isdisjoint(reads(node)) or any(map(makes_complex, walk(node)))

    def attempts(self, stmt: gast.stmt) -> None:
        """Refuse an error that is caught: where it is raised may move."""
        if isinstance(stmt, (gast.Try, gast.TryStar)) and stmt.handlers or isinstance(stmt, gast.With) and any(
                suppressed(item.context_expr, self.check.scope) is not None for item in stmt.items):
            moving = next((part for inner in reached(stmt.body) for node in computed(inner) for part in walk(node)
                           if isinstance(part, gast.expr) and self.active(part)), None)
            if moving is not None:
                _jumps(self.check, moving)


def _is_text(node: Any) -> bool:
    return isinstance(node, gast.JoinedStr) or is_literal(node) and isinstance(literal(node), str)


def _chooses(check: Check, node: Any) -> None:
    name = check.differentiated(node)
    check.refuse(node, "what a solver follows may jump here, where something else is chosen with a number that moves "
                 f"with {name}: it is not known that numbers are compared here, not tuples",
                 "np.maximum, np.minimum, np.max, np.min or np.sort, which take numbers")


def _jumps(check: Check, node: Any) -> None:
    name = check.differentiated(node)
    check.refuse(node, f"what a solver follows may jump here, at a place that moves with {name}: "
                 "the part of the derivative that comes from the jump is not known", "np.maximum, np.minimum, "
                 f"np.abs or np.clip, which do not jump; or tnb.stop_gradient({name}) here, if both sides meet")
