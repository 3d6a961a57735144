"""Python's integers in 64 bits: where they could wrap around.

Needs a function, and what is known of its values. Promises refusals where an int may leave 64 bits, if those given and
the sizes of arrays have at most 31. With d(e) the number of such factors in the products that e is a sum of,

    d(a * b) = d(a) + d(b)      d(a + b) = max(d(a), d(b))      d(a // b) = d(a % b) = d(a)

an int may have d = 2. A variable of which d has no bound is multiplied again and again in a loop, as a factorial is;
one that is the sum of two such as it is made of itself doubles, as Fibonacci's numbers do.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import gast

from ..analyse.kinds import Kinds, spec_of
from ..analyse.resolve import Scope
from ..errors import Refusal
from ..syntax.blocks import statements
from ..syntax.nodes import reads, target_names
from .outside import own_nodes

MOST = 2                       # factors of 31 bits
BITS = 31
INTEGERS = ("int", "bool", "unknown")
SUMS = (gast.Add, gast.Sub, gast.BitOr, gast.BitXor)
OF_LEFT = (gast.FloorDiv, gast.Mod, gast.BitAnd, gast.RShift)


def may_wrap(body: Sequence[gast.stmt], kinds: Kinds, scope: Scope, floating: Collection[str]) -> list[Refusal]:
    """The places where ints may leave 64 bits. kinds: of the body; floating: the names that carry a derivative, or are
    one."""
    return _Integers(body, kinds, scope, floating).refusals


class _Integers:
    def __init__(self, body: Sequence[gast.stmt], kinds: Kinds, scope: Scope, floating: Collection[str]) -> None:
        self.scope, self.kinds, self.floating = scope, kinds, set(floating)
        self.given: list[tuple[Any, str, gast.expr]] = []
        for stmt in statements(body):
            self.given += [(stmt, name, value) for name, value in _given(stmt)]
        self.reached = self._reached()
        self.degrees: dict[str, int] = {}
        self.refusals: list[Refusal] = []
        before = None
        while before != self.degrees and not self.refusals:
            before = dict(self.degrees)
            for stmt, name, value in self.given:
                self.degrees[name] = max(self.degrees.get(name, 0), self._degree(value, stmt, name))
        if not self.refusals:
            for stmt in statements(body):
                for node in own_nodes(stmt):
                    self._degree(node, stmt, "")
        self.refusals = list(dict.fromkeys(self.refusals))

    def _reached(self) -> dict[str, set[str]]:
        """The names of which each is made, again and again."""
        made: dict[str, set[str]] = {}
        for _, name, value in self.given:
            made.setdefault(name, set()).update(reads(value))
        changed = True
        while changed:
            changed = False
            for of in made.values():
                more = set().union(*(made.get(name, ()) for name in of)) - of
                changed |= bool(more)
                of |= more
        return made

    def _is_int(self, node: gast.expr, stmt: Any) -> bool:
        kind = spec_of(node, self.kinds.before(stmt), self.scope).kind
        return kind in INTEGERS and not (kind == "unknown" and reads(node) & self.floating)

    def _degree(self, node: Any, stmt: Any, name: str) -> int:
        if isinstance(node, gast.Name):
            return max(self.degrees.get(node.id, 0), 1)
        if isinstance(node, gast.UnaryOp):
            return self._degree(node.operand, stmt, name)
        if isinstance(node, gast.IfExp):
            return max(self._degree(node.body, stmt, name), self._degree(node.orelse, stmt, name))
        if not isinstance(node, gast.BinOp) or not self._is_int(node.left, stmt) or not self._is_int(node.right, stmt):
            return 1
        left, right = self._degree(node.left, stmt, name), self._degree(node.right, stmt, name)
        if isinstance(node.op, OF_LEFT):
            return left
        if isinstance(node.op, SUMS):
            if name and all(any(self._again(one) and name in self.reached[one] for one in reads(side))
                            for side in (node.left, node.right)):
                self._refuse(stmt)
            return max(left, right)
        found = left + right
        if isinstance(node.op, (gast.Pow, gast.LShift)):
            power = node.right.value if isinstance(node.right, gast.Constant) else None
            found = left * power if isinstance(node.op, gast.Pow) and isinstance(power, int) and power >= 0 \
                else MOST + 1
        if found > MOST:
            self._refuse(stmt)
        return found

    def _again(self, name: str) -> bool:
        return name in self.reached.get(name, ())

    def _refuse(self, stmt: Any) -> None:
        self.refusals.append(Refusal.at(stmt, "an int may grow beyond 64 bits here, and in compiled code it would wrap "
                                        "around", "a float (1.0 where it begins), or compile=None"))


def _given(stmt: Any) -> Iterator[tuple[str, gast.expr]]:
    """The names that a statement binds to what it computes."""
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        yield stmt.target.id, gast.BinOp(gast.Name(stmt.target.id, gast.Load(), None, None), stmt.op, stmt.value)
    elif isinstance(stmt, gast.Assign):
        for target in stmt.targets:
            apart = isinstance(target, gast.Tuple) and isinstance(stmt.value, gast.Tuple) \
                and len(target.elts) == len(stmt.value.elts)
            pairs = zip(target.elts, stmt.value.elts, strict=True) if apart else [(target, stmt.value)]
            for one, value in pairs:
                for name in target_names(one):
                    yield name, value
