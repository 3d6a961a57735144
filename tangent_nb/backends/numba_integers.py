"""Python's integers in 64 bits: where they could wrap around.

Needs a function, and what is known of its values. Promises refusals where an int may leave 64 bits, if those given, the
items and the sizes of arrays are smaller than 2 ** 31. With |e| the largest that an int may be,

    |a * b| = |a| |b|        |a ± b| = |a| + |b|        |a // b| = |a|        |a % b| = |b|

a variable has that of the largest of what it is bound to. One that a loop adds to, `k = k + e` with e made of anything
but k, takes |e| more for each trip of the loops around, up to one whose trip begins with another k. One that is made of
itself in another way has no bound: a factorial, a sum that doubles. What a call gives, but for a few, has no bound
either: it may be used, not computed with as an int.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import gast

from ..analyse.kinds import Kinds, spec_of
from ..analyse.resolve import Scope
from ..errors import Refusal
from ..syntax.blocks import statements, surroundings
from ..syntax.nodes import literal, parameter_names, reads, target_names, writes
from ..syntax.spec import Spec
from .outside import own_nodes

LIMIT = 2 ** 63
GIVEN = 2 ** 31 - 1            # of an argument, an item, a size, a place
UNBOUND = 2 * LIMIT
HELPERS = GIVEN + 2 ** 29      # of an argument of a helper, which may be STEP more than what its caller was given:
STEP = 2 ** 10                 # no stack holds half a million calls
LONGEST = 2 ** 40              # trips that a day is long enough for, where no bound of ints says how many
SUMS = (gast.Add, gast.Sub)
OF_BOTH = (gast.BitOr, gast.BitXor, gast.BitAnd)
OF_LEFT = (gast.FloorDiv, gast.RShift)
DIVIDES = (gast.FloorDiv, gast.Mod)
ARRAYS = ("array", "numeric")
Given = tuple[Any, str, gast.expr, bool]


def may_wrap(tree: Any, body: Sequence[gast.stmt], kinds: Kinds, scope: Scope, floating: Collection[str],
             siblings: Collection[str], *, entry: bool) -> list[Refusal]:
    """The places where ints may leave 64 bits. body: of the function, without guards; kinds: of the body; floating: the
    names that carry a derivative, or are one; siblings: the functions of the text; entry: it is called from Python."""
    largest = GIVEN if entry else HELPERS
    return _Integers(parameter_names(tree), largest, body, kinds, scope, floating, siblings).refusals


class _Integers:
    def __init__(self, parameters: Sequence[str], largest: int, body: Sequence[gast.stmt], kinds: Kinds, scope: Scope,
                 floating: Collection[str], siblings: Collection[str]) -> None:
        self.scope, self.kinds, self.floating, self.siblings = scope, kinds, set(floating), siblings
        self.largest, self.around = largest, surroundings(body)
        self.given = [(stmt, *one) for stmt in statements(body) for one in _given(stmt)]
        self.tapes = {name for stmt, name, _, _ in self.given         # what the first function of a pair saves
                      if hasattr(stmt, "pair") and name != target_names(stmt.targets[0])[0]}
        self.made = self._made_of()
        self.sizes = dict.fromkeys(parameters, largest)
        self.refusals: list[Refusal] = []
        self._find_sizes(parameters)
        for stmt in statements(body):
            for node in [stmt, *own_nodes(stmt)]:
                if isinstance(node, gast.BinOp) and self._is_int(node.left, stmt) and self._is_int(node.right, stmt) \
                        and not isinstance(node.op, gast.Div) and self._size(node, stmt) >= LIMIT:
                    self._refuse(stmt)
                elif isinstance(node, gast.AugAssign):
                    self._augmented(node, stmt)
                elif isinstance(node, gast.Call):
                    self._call(node, stmt)
                if isinstance(node, (gast.BinOp, gast.AugAssign)) and isinstance(node.op, DIVIDES):
                    self._divided(node, stmt)
        self.refusals = list(dict.fromkeys(self.refusals))

    def _find_sizes(self, parameters: Sequence[str]) -> None:
        """What still grows after as many rounds as there are names is made of itself, and has no bound."""
        names = {name for _, name, _, _ in self.given}
        for again in range(2 * len(names) + 2):
            largest, added = dict.fromkeys(names, 0) | dict.fromkeys(parameters, self.largest), dict.fromkeys(names, 0)
            for stmt, name, value, item in self.given:
                more = None if item else self._added(name, value)
                if more is None:
                    size = self._item(value, stmt) if item else self._size(value, stmt)
                    largest[name] = max(largest[name], size)
                else:
                    added[name] += self._size(more, stmt) * self._trips(name, stmt)
            now = {name: min(size + added.get(name, 0), UNBOUND) for name, size in largest.items()}
            if now == self.sizes:
                break
            grown = [name for name in names if now[name] > self.sizes.get(name, 0)] if again > len(names) else []
            self.sizes = now | dict.fromkeys(grown, UNBOUND)

    def _augmented(self, node: Any, stmt: Any) -> None:
        whole = gast.BinOp(_loaded(node.target), node.op, node.value)
        if self._is_int(whole.left, stmt) and self._is_int(whole.right, stmt) and not isinstance(node.op, gast.Div) \
                and (not isinstance(node.target, gast.Name) or self._size(whole.left, stmt) >= LIMIT):
            self._refuse(stmt)

    def _divided(self, node: Any, stmt: Any) -> None:
        """Ints that are divided without a fraction, by what may be 0: compiled code raises no error."""
        one, other = (node.left, node.right) if isinstance(node, gast.BinOp) else (_loaded(node.target), node.value)
        if self._is_int(one, stmt) and self._is_int(other, stmt) and not literal(other, None):
            self.refusals.append(Refusal.at(stmt, "an int is divided by another, which may be 0, and compiled code "
                                            "would raise no error", "a literal, np.floor(a / b), or compile=None"))

    def _call(self, node: Any, stmt: Any) -> None:
        """A function of the text gets ints that are hardly larger than those that its caller was given; what is made of
        a float may be any."""
        kind, builtin = spec_of(node, self.kinds.before(stmt), self.scope).kind, self.scope.builtin(node)
        if (kind == "int" or builtin == "round" and len(node.args) == 1) \
                and not self.scope.effects(node).measures and not all(self._is_int(arg, stmt) for arg in node.args):
            self.refusals.append(Refusal.at(stmt, "an int is made of a float, and would have 64 bits in compiled code",
                                            "np.floor(x), or an int as an argument"))
        if builtin == "sum" and (self._is_int(node, stmt) or isinstance(node.args[0], (gast.List, gast.Tuple)) and all(
                self._is_int(item, stmt) for item in node.args[0].elts)):
            self._refuse(stmt)
        if isinstance(node.func, gast.Name) and node.func.id in self.siblings:
            for arg in [*node.args, *(keyword.value for keyword in node.keywords)]:
                if self._is_int(arg, stmt) and self._size(arg, stmt) > self.largest + STEP:
                    self._refuse(stmt)

    def _made_of(self) -> dict[str, set[str]]:
        """The names of which each is made, again and again."""
        made: dict[str, set[str]] = {}
        for _, name, value, _ in self.given:
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
        if spec.kind not in ("unknown", "numeric", "scalar") or spec.dtype == "f8" or reads(node) & self.floating:
            return False
        return not (isinstance(spec.shape, tuple) and spec.shape) and not (
            isinstance(node, gast.Name) and node.id in self.tapes)

    def _added(self, name: str, value: gast.expr) -> gast.expr | None:
        """What a binding adds to what a name holds; None where it makes it of something else."""
        if not isinstance(value, gast.BinOp) or not isinstance(value.op, SUMS):
            return None
        own, other = value.left, value.right
        if isinstance(value.op, gast.Add) and isinstance(other, gast.Name) and other.id == name:
            own, other = other, own
        alone = isinstance(own, gast.Name) and own.id == name and not any(
            name == one or name in self.made.get(one, ()) for one in reads(other))
        return other if alone else None

    def _trips(self, name: str, stmt: Any) -> int:
        """How often a statement may run before the name is bound to something else."""
        trips = 1
        for loop, block in reversed(self.around[id(stmt)]):
            if isinstance(loop, (gast.For, gast.While)) and block is loop.body:
                if self._anew(name, block, stmt):
                    break
                trips = min(trips * self._of_loop(loop), UNBOUND)
        return trips

    def _anew(self, name: str, block: Sequence[gast.stmt], stmt: Any) -> bool:
        """Whether a trip binds a name to something else on its way to a statement."""
        for one in block:
            if one is stmt or any(inner is stmt for inner in statements([one])):
                return False
            if any(other is one and bound == name and not item and self._added(name, value) is None
                   for other, bound, value, item in self.given):
                return True
        return False

    def _of_loop(self, loop: Any) -> int:
        """The most trips of a loop."""
        if isinstance(loop, gast.For):
            ranges = isinstance(loop.iter, gast.Call) and self.scope.builtin(loop.iter) == "range"
            return sum(self._size(arg, loop) for arg in loop.iter.args) if ranges else GIVEN
        bound = writes(loop.body)
        sides = [side for node in own_nodes(loop) if isinstance(node, gast.Compare)
                 for side in (node.left, *node.comparators) if not reads(side) & bound and self._is_int(side, loop)]
        return max(LONGEST, 2 * sum(self._size(side, loop) for side in sides))

    def _item(self, node: gast.expr, stmt: Any) -> int:
        """The largest item of what a loop goes over, or a tuple is taken apart from."""
        if isinstance(node, (gast.Tuple, gast.List)):
            return max((self._item(one, stmt) if isinstance(one, (gast.Tuple, gast.List)) else self._size(one, stmt)
                        for one in node.elts), default=0)
        if isinstance(node, gast.Call):
            builtin = self.scope.builtin(node)
            if builtin == "range":
                return max(self._size(arg, stmt) for arg in node.args)
            if builtin == "zip" or self.scope.effects(node).passes_first:
                return max((self._item(arg, stmt) for arg in node.args), default=0)
            if builtin == "enumerate" and len(node.args) == 1 and not node.keywords:
                return max(GIVEN, self._item(node.args[0], stmt))
        of_array = spec_of(node, self.kinds.before(stmt), self.scope).kind in ARRAYS    # NumPy's ints wrap as well
        return GIVEN if of_array or isinstance(node, gast.Attribute) else UNBOUND

    def _size(self, node: Any, stmt: Any) -> int:
        return min(self._largest(node, stmt), UNBOUND)

    def _largest(self, node: Any, stmt: Any) -> int:
        if isinstance(node, gast.Constant):
            return abs(node.value) if isinstance(node.value, int) else 0
        if isinstance(node, gast.Name):
            return self.sizes.get(node.id, 0 if node.id in self.made else GIVEN)
        if isinstance(node, gast.UnaryOp):
            return self._size(node.operand, stmt) + isinstance(node.op, gast.Invert)
        if isinstance(node, gast.IfExp):
            return max(self._size(node.body, stmt), self._size(node.orelse, stmt))
        if isinstance(node, gast.BoolOp):
            return max(self._size(value, stmt) for value in node.values)
        if isinstance(node, gast.Compare):
            return 1
        if isinstance(node, gast.BinOp):
            return self._operation(node, stmt)
        if not self._is_int(node, stmt):
            return GIVEN                                   # it is no int, and not asked
        if isinstance(node, gast.Subscript):
            return self._item(node.value, stmt)
        if isinstance(node, gast.Call):
            spec: Spec = spec_of(node, self.kinds.before(stmt), self.scope)
            of_numpy = str(getattr(self.scope.value(node.func), "__module__", "")).startswith("numpy")
            known = self.scope.effects(node).measures or of_numpy and spec.kind != "unknown"
            return GIVEN if known else UNBOUND             # a length, the place of the largest item
        return GIVEN if isinstance(node, gast.Attribute) else UNBOUND

    def _operation(self, node: Any, stmt: Any) -> int:
        left, right = self._size(node.left, stmt), self._size(node.right, stmt)
        if isinstance(node.op, gast.Mult):
            return left * right
        if isinstance(node.op, SUMS):
            return left + right
        if isinstance(node.op, OF_BOTH):
            return 1 << int(max(left, right)).bit_length()
        if isinstance(node.op, gast.Mod):
            return right
        power = literal(node.right, None)
        if isinstance(node.op, gast.FloorDiv) and isinstance(power, int) and power:
            return int(left // abs(power) + 1)
        if isinstance(node.op, OF_LEFT):
            return left
        if isinstance(power, int) and 0 <= power < LIMIT.bit_length():
            if isinstance(node.op, gast.Pow):
                return int(left ** power)
            if isinstance(node.op, gast.LShift):
                return left << power
        return 0 if isinstance(node.op, gast.Div) else UNBOUND

    def _refuse(self, stmt: Any) -> None:
        self.refusals.append(Refusal.at(stmt, "an int may grow beyond 64 bits here, and in compiled code it would wrap "
                                        "around", "a float (1.0 where it begins), or compile=None"))


def _loaded(target: Any) -> Any:
    return gast.Name(target.id, gast.Load(), None, None) if isinstance(target, gast.Name) else target


def _given(stmt: Any) -> Iterator[tuple[str, gast.expr, bool]]:
    """The names that a statement binds to what it computes, or to an item of that; what is brought back was that
    before."""
    if hasattr(stmt, "restore"):
        return
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        yield stmt.target.id, gast.BinOp(_loaded(stmt.target), stmt.op, stmt.value), False
    elif isinstance(stmt, gast.Assign):
        for target in stmt.targets:
            yield from _apart(target, stmt.value)
    elif isinstance(stmt, gast.For):
        yield from ((name, stmt.iter, True) for name in target_names(stmt.target))
    for node in own_nodes(stmt):
        if isinstance(node, gast.comprehension):
            yield from ((name, node.iter, True) for name in target_names(node.target))
        elif isinstance(node, gast.NamedExpr):
            yield node.target.id, node.value, False


def _apart(target: Any, value: Any) -> Iterator[tuple[str, gast.expr, bool]]:
    if isinstance(target, (gast.Name, gast.Tuple, gast.List)):
        if isinstance(target, gast.Name):
            yield target.id, value, False
        elif isinstance(value, (gast.Tuple, gast.List)) and len(target.elts) == len(value.elts):
            for one, part in zip(target.elts, value.elts, strict=True):
                yield from _apart(one, part)
        else:
            yield from ((name, value, True) for name in target_names(target))
