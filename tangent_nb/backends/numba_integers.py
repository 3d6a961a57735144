"""Python's integers in 64 bits: where they could wrap around.

Needs a function, and what is known of its values. Promises refusals where an int may leave 64 bits, if those given and
the sizes of arrays have at most 31. With bits(e) those that the size of an int may take,

    bits(a * b) = bits(a) + bits(b)      bits(a ± b) = max(bits(a), bits(b)) + 1      bits(a // b) = bits(a)

a variable has those of the largest of what it is bound to. One that a loop adds to, `k = k + e` with e made of anything
but k, takes 31 more than e, for as many trips. One that is made of itself in another way has no bound: a factorial, a
sum that doubles. What a call gives, but for a few, has no bound either: it may be used, not computed with as an int.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import gast

from ..analyse.kinds import Kinds, spec_of
from ..analyse.resolve import Scope
from ..errors import Refusal
from ..syntax.blocks import statements
from ..syntax.nodes import literal, reads, target_names
from ..syntax.spec import Spec
from .outside import own_nodes

MOST = 63
GIVEN = 31                     # of an argument, a size, a place
TRIPS = 31
UNBOUND = MOST + 1
SUMS = (gast.Add, gast.Sub)
OF_BOTH = (gast.BitOr, gast.BitXor, gast.BitAnd)
OF_LEFT = (gast.FloorDiv, gast.Mod, gast.RShift)
DIVIDES = (gast.FloorDiv, gast.Mod)


def may_wrap(body: Sequence[gast.stmt], kinds: Kinds, scope: Scope, floating: Collection[str],
             siblings: Collection[str]) -> list[Refusal]:
    """The places where ints may leave 64 bits. kinds: of the body; floating: the names that carry a derivative, or are
    one; siblings: the functions of the text, which are given ints of 31 bits."""
    return _Integers(body, kinds, scope, floating, siblings).refusals


class _Integers:
    def __init__(self, body: Sequence[gast.stmt], kinds: Kinds, scope: Scope, floating: Collection[str],
                 siblings: Collection[str]) -> None:
        self.scope, self.kinds, self.floating, self.siblings = scope, kinds, set(floating), siblings
        self.given = [(stmt, name, value) for stmt in statements(body) for name, value in _given(stmt)]
        self.made = self._made_of()
        self.bits: dict[str, int] = {}
        self.refusals: list[Refusal] = []
        before: dict[str, int] | None = None
        while before != self.bits:                         # it grows, and no further than without a bound
            before = dict(self.bits)
            for stmt, name, value in self.given:
                self.bits[name] = max(self.bits.get(name, 0), min(self._bound(name, value, stmt), UNBOUND))
        for stmt in statements(body):
            for node in [stmt, *own_nodes(stmt)]:
                if isinstance(node, gast.BinOp) and self._is_int(node.left, stmt) and self._is_int(node.right, stmt) \
                        and not isinstance(node.op, gast.Div) and self._size(node, stmt) > MOST:
                    self._refuse(stmt)
                elif isinstance(node, gast.AugAssign):
                    self._augmented(node, stmt)
                elif isinstance(node, gast.Call):
                    self._call(node, stmt)
                if isinstance(node, (gast.BinOp, gast.AugAssign)) and isinstance(node.op, DIVIDES):
                    self._divided(node, stmt)
        self.refusals = list(dict.fromkeys(self.refusals))

    def _augmented(self, node: Any, stmt: Any) -> None:
        whole = gast.BinOp(_loaded(node.target), node.op, node.value)
        if self._is_int(whole.left, stmt) and self._is_int(whole.right, stmt) and not isinstance(node.op, gast.Div) \
                and (not isinstance(node.target, gast.Name) or self.bits.get(node.target.id, 0) > MOST):
            self._refuse(stmt)

    def _divided(self, node: Any, stmt: Any) -> None:
        """Ints that are divided without a fraction, by what may be 0: compiled code raises no error."""
        one, other = (node.left, node.right) if isinstance(node, gast.BinOp) else (_loaded(node.target), node.value)
        if self._is_int(one, stmt) and self._is_int(other, stmt) and not literal(other, None):
            self.refusals.append(Refusal.at(stmt, "an int is divided by another, which may be 0, and compiled code "
                                            "would raise no error", "a literal, np.floor(a / b), or compile=None"))

    def _call(self, node: Any, stmt: Any) -> None:
        """A function of the text gets ints that have as many bits as those that are given from outside; what is made of
        a float may have any."""
        kind = spec_of(node, self.kinds.before(stmt), self.scope).kind
        if (kind == "int" or self.scope.builtin(node) == "round" and len(node.args) == 1) \
                and not self.scope.effects(node).shape_only and not all(self._is_int(arg, stmt) for arg in node.args):
            self.refusals.append(Refusal.at(stmt, "an int is made of a float, and would have 64 bits in compiled code",
                                            "np.floor(x), or an int as an argument"))
        if self.scope.builtin(node) == "sum" and self._is_int(node, stmt) or self.scope.builtin(node) == "sum" \
                and isinstance(node.args[0], (gast.List, gast.Tuple)) \
                and all(self._is_int(item, stmt) for item in node.args[0].elts):
            self._refuse(stmt)
        if isinstance(node.func, gast.Name) and node.func.id in self.siblings:
            for arg in [*node.args, *(keyword.value for keyword in node.keywords)]:
                if self._is_int(arg, stmt) and self._size(arg, stmt) > GIVEN + 1:
                    self._refuse(stmt)

    def _made_of(self) -> dict[str, set[str]]:
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
        spec = spec_of(node, self.kinds.before(stmt), self.scope)
        if spec.kind in ("int", "bool") or spec.kind == "scalar" and str(spec.dtype)[:1] in "iub":
            return True
        return spec.kind in ("unknown", "numeric", "scalar") and spec.dtype != "f8" \
            and not (isinstance(spec.shape, tuple) and spec.shape) and not reads(node) & self.floating

    def _bound(self, name: str, value: gast.expr, stmt: Any) -> int:
        """The bits of what a statement binds a name to."""
        if name in reads(value) and isinstance(value, gast.BinOp) and isinstance(value.op, SUMS):
            own, other = value.left, value.right
            if isinstance(value.op, gast.Add) and isinstance(other, gast.Name) and other.id == name:
                own, other = other, own
            if isinstance(own, gast.Name) and own.id == name and not any(
                    name == one or name in self.made.get(one, ()) for one in reads(other)):
                return self._size(other, stmt) + TRIPS
        return self._size(value, stmt)

    def _size(self, node: Any, stmt: Any) -> int:
        if isinstance(node, gast.Constant):
            return node.value.bit_length() if isinstance(node.value, int) else 0
        if isinstance(node, gast.Name):
            return self.bits.get(node.id, GIVEN)
        if isinstance(node, gast.UnaryOp):
            return self._size(node.operand, stmt)
        if isinstance(node, gast.IfExp):
            return max(self._size(node.body, stmt), self._size(node.orelse, stmt))
        if isinstance(node, gast.BoolOp):
            return max(self._size(value, stmt) for value in node.values)
        if isinstance(node, gast.Compare):
            return 1
        if isinstance(node, gast.BinOp):
            return self._operation(node, stmt)
        spec: Spec = spec_of(node, self.kinds.before(stmt), self.scope)
        if not self._is_int(node, stmt):
            return GIVEN                                   # it is no int, and not asked
        if isinstance(node, gast.Call):
            of_numpy = str(getattr(self.scope.value(node.func), "__module__", "")).startswith("numpy")
            known = self.scope.effects(node).shape_only or of_numpy and spec.kind != "unknown"
            return GIVEN if known else UNBOUND             # a length, the place of the largest item
        if isinstance(node, gast.Subscript):               # NumPy's ints wrap around as well
            of_array = spec_of(node.value, self.kinds.before(stmt), self.scope).kind in ("array", "numeric")
            return GIVEN if of_array or isinstance(node.value, gast.Attribute) else UNBOUND
        return GIVEN if isinstance(node, gast.Attribute) else UNBOUND

    def _operation(self, node: Any, stmt: Any) -> int:
        left, right = self._size(node.left, stmt), self._size(node.right, stmt)
        if isinstance(node.op, gast.Mult):
            return left + right
        if isinstance(node.op, SUMS):
            return max(left, right) + 1
        if isinstance(node.op, OF_BOTH):
            return max(left, right)
        if isinstance(node.op, gast.Mod):
            return min(left, right) if literal(node.right, None) else left
        if isinstance(node.op, OF_LEFT):
            return left
        power = literal(node.right, None)
        if isinstance(power, int) and 0 <= power < MOST:
            if isinstance(node.op, gast.Pow):
                return left * power
            if isinstance(node.op, gast.LShift):
                return left + power
        return 0 if isinstance(node.op, gast.Div) else UNBOUND

    def _refuse(self, stmt: Any) -> None:
        self.refusals.append(Refusal.at(stmt, "an int may grow beyond 64 bits here, and in compiled code it would wrap "
                                        "around", "a float (1.0 where it begins), or compile=None"))


def _loaded(target: Any) -> Any:
    return gast.Name(target.id, gast.Load(), None, None) if isinstance(target, gast.Name) else target


def _given(stmt: Any) -> Iterator[tuple[str, gast.expr]]:
    """The names that a statement binds to what it computes; what is brought back was that before."""
    if hasattr(stmt, "restore"):
        return
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        yield stmt.target.id, gast.BinOp(_loaded(stmt.target), stmt.op, stmt.value)
    elif isinstance(stmt, gast.Assign):
        for target in stmt.targets:
            apart = isinstance(target, gast.Tuple) and isinstance(stmt.value, gast.Tuple) \
                and len(target.elts) == len(stmt.value.elts)
            pairs = zip(target.elts, stmt.value.elts, strict=True) if apart else [(target, stmt.value)]
            for one, value in pairs:
                for name in target_names(one):
                    yield name, value
