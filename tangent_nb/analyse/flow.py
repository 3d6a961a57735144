"""Which names a node reads, binds and updates; liveness, definite and possible assignment.

Equations (A. Aho et al., "Compilers", 2nd ed., section 9.2), with use(n), def(n) and upd(n) the names that n reads,
binds as a whole, and changes in place:

    live_before(n) = use(n) ∪ (live_after(n) − def(n))              a may analysis, backward; join ∪
    definite_after(n) = definite_before(n) ∪ def(n)                 a must analysis, forward; join ∩
    possible_after(n) = possible_before(n) ∪ def(n)                 a may analysis, forward; join ∪
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from operator import and_, or_
from typing import Any, NamedTuple

import gast

from ..syntax.blocks import blocks, is_compound, own_expressions, own_targets, statements
from ..syntax.nodes import children, flat, reads, root_name, target_names, writes
from .graph import Graph, Node
from .name_sets import NameSet, Numbering
from .solver import solve

Names = AbstractSet[str]
Flow = tuple[Iterable[str], str]


NONE: frozenset[str] = frozenset()


class Access(NamedTuple):
    """use: read; define: bound as a whole; update: changed in place."""

    use: frozenset[str]
    define: frozenset[str]
    update: frozenset[str]


def mutation(stmt: gast.AST) -> tuple[str, str] | None:
    """`("append", L)` for `L.append(v)` and `("pop", L)` for `L.pop()` or `v = L.pop()`; `("add_at", b)` for
    `rt.add_at(b, i, g)` and `rt.add_at(b[1:], i, g)`."""
    kind = stmt.__class__
    node: Any = stmt.value if kind is gast.Assign or kind is gast.Expr else None
    if node.__class__ is not gast.Call or not isinstance(node.func, gast.Attribute):
        return None
    base = node.func.value
    if isinstance(base, gast.Name) and not node.keywords and (
            node.func.attr == "append" and _is_one(node.args) or node.func.attr == "pop" and not node.args):
        return node.func.attr, base.id
    if node.func.attr == "add_at" and isinstance(base, gast.Name) and node.args \
            and (name := root_name(node.args[0])) is not None:
        return "add_at", name
    return None


def _is_one(args: list[gast.expr]) -> bool:
    """One argument, and no star that may hold any number."""
    return len(args) == 1 and not isinstance(args[0], gast.Starred)


def inner_append(stmt: gast.AST) -> gast.Subscript | None:
    """`rows[i]` for the statement `rows[i].append(v)`."""
    node = stmt.value if isinstance(stmt, gast.Expr) else None
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "append" \
            and _is_one(node.args) and not node.keywords and isinstance(node.func.value, gast.Subscript) \
            and root_name(node.func.value) is not None:
        return node.func.value
    return None


def statement_access(stmt: Any) -> Access:
    """What a simple statement does to names."""
    if stmt.__class__ is gast.Assign and len(stmt.targets) == 1 and stmt.targets[0].__class__ is gast.Name:
        changed = mutation(stmt)                           # nearly all are assignments to one name
        return Access(frozenset(reads(stmt.value)), frozenset((stmt.targets[0].id,)),
                      NONE if changed is None else frozenset((changed[1],)))
    return Access(frozenset(_used(stmt)), frozenset(defined(stmt)), frozenset(updated(stmt)))


def _used(stmt: Any) -> set[str]:
    if isinstance(stmt, gast.Assign):
        return reads(stmt.value).union(*(reads(part) for part in _parts(stmt.targets)))
    if isinstance(stmt, gast.AugAssign):
        return reads(stmt.value) | ({stmt.target.id} if isinstance(stmt.target, gast.Name) else reads(stmt.target))
    if isinstance(stmt, gast.FunctionDef):
        return reads(stmt) - writes(stmt)
    if isinstance(stmt, gast.With):
        return reads([item.context_expr for item in stmt.items]) | reads(stmt.body) - writes(stmt)
    return reads(stmt)


def defined(stmt: Any) -> set[str]:
    """The names that a simple statement binds as a whole."""
    if isinstance(stmt, gast.Assign):
        return {name for target in stmt.targets for name in target_names(target)}
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        return {stmt.target.id}
    return {stmt.name} if isinstance(stmt, gast.FunctionDef) else set()


def updated(stmt: Any) -> set[str]:
    """The names of what a simple statement changes in place."""
    if stmt.__class__ is gast.Assign and len(stmt.targets) == 1 and stmt.targets[0].__class__ is gast.Name \
            and stmt.value.__class__ is not gast.Call:
        return set()                                       # nearly all are assignments to one name
    found: set[str | None] = set()
    if hasattr(stmt, "counts"):
        return set()                                       # the object is the same, and so is all that is read of it
    if isinstance(stmt, gast.Assign):
        found.update(root_name(part) for part in _parts(stmt.targets))
    elif isinstance(stmt, gast.AugAssign) and not isinstance(stmt.target, gast.Name):
        found.add(root_name(stmt.target))
    if (changed := mutation(stmt)) is not None:
        found.add(changed[1])
    if (grown := inner_append(stmt)) is not None:
        found.add(root_name(grown))
    if hasattr(stmt, "updates"):                           # `d.update(q)` of a dict that the function makes
        found.add(root_name(stmt.value.func))
    return {name for name in found if name}


def bound_in(*body: gast.stmt) -> set[str]:
    """The names that statements bind or change in place, in their blocks too."""
    found: set[str] = set()
    for one in statements(body):
        if is_compound(one):
            found.update(own_targets(one))
        else:
            found |= defined(one) | updated(one)
    return found


def all_bound(body: Sequence[gast.stmt], numbering: Numbering) -> dict[int, int]:
    """The names that are bound anywhere in each statement, by its id, nested ones too: sets of names as bits."""
    found: dict[int, int] = {}

    def bits(stmt: gast.stmt) -> int:
        inner = [one for block in blocks(stmt) for one in block]
        below = set(map(id, inner))
        own = numbering.bits(writes([part for part in children(stmt) if id(part) not in below] if below else stmt))
        for one in inner:
            own |= bits(one)
        found[id(stmt)] = own
        return own

    for stmt in body:
        bits(stmt)
    return found


def bound_by(stmt: gast.stmt) -> set[str]:
    """The names that a statement itself binds, its blocks left out; a part that is changed is not bound."""
    return set(own_targets(stmt)) if is_compound(stmt) else defined(stmt)


def memory_changed(stmt: gast.stmt) -> set[str]:
    """The names whose memory a simple statement changes; what a list holds stays as it is when the list grows."""
    found = updated(stmt)
    changed = mutation(stmt)
    if changed is not None and changed[0] != "add_at":
        found.discard(changed[1])
    if isinstance(stmt, gast.AugAssign):
        found |= set(target_names(stmt.target))
    return found


def _parts(targets: Iterable[gast.expr]) -> Iterator[gast.expr]:
    """The parts of arrays and objects among some targets."""
    return (one for one in flat(targets) if isinstance(one, (gast.Subscript, gast.Attribute)))


def access(node: Node) -> Access:
    """What a node of the graph does to names; found once, since statements stay as they are while there is a graph of
    them."""
    if node.access is None:
        node.access = _access(node)
    return node.access  # type: ignore[no-any-return]


def _access(node: Node) -> Access:
    if node.kind == "stmt":
        return statement_access(node.stmt)
    if node.kind == "handler":
        handler = node.stmt
        return Access(frozenset(reads(handler.type) if handler.type is not None else ()),
                      frozenset([handler.name.id] if handler.name is not None else ()), NONE)
    evaluates = node.kind == "iter" or node.kind in ("test", "with")
    return Access(frozenset(reads(own_expressions(node.stmt)) if evaluates else ()),
                  frozenset(own_targets(node.stmt) if node.kind in ("bind", "with") else ()), NONE)


Bits = dict[int, int]


@dataclass(frozen=True)
class Facts:
    """The facts before and after each node of a graph, by its index: sets of names as bits."""

    graph: Graph
    bits_before: Bits
    bits_after: Bits

    def at(self, node: Node) -> Names:
        """Before a node."""
        return self._names(self.bits_before, node)

    def before(self, stmt: gast.stmt) -> Names:
        return self._names(self.bits_before, self.graph.first[id(stmt)])

    def after(self, stmt: gast.stmt) -> Names:
        return self._names(self.bits_after, self.graph.last[id(stmt)])

    def head(self, stmt: gast.stmt) -> Names:
        """At a loop's head, where its iterations meet."""
        return self._names(self.bits_before, self.graph.head[id(stmt)])

    def body_start(self, stmt: gast.stmt) -> Names:
        """In a loop, after the test or the binding of its target."""
        return self._names(self.bits_after, self.graph.body_start[id(stmt)])

    def where_bound(self, body: Sequence[gast.stmt]) -> Names:
        """The names of which it holds after some statement that binds them."""
        numbering, found = self.graph.numbering, 0
        bound = all_bound(body, numbering)
        for stmt in statements(body):
            found |= self.bits_after.get(self.graph.last[id(stmt)].index, 0) & bound[id(stmt)]
        return NameSet(found, numbering)

    def _names(self, bits: Bits, node: Node) -> Names:
        return NameSet(bits.get(node.index, 0), self.graph.numbering)


def spread(graph: Graph, start: Iterable[str], new: Callable[[Node], Iterable[str]],
           flow: Callable[[Node], Iterable[Flow]] = lambda node: (),
           *, forward: bool, join: Callable[[int, int], int] = or_) -> Facts:
    """A may analysis of a fact about the values of names, or with another join a must analysis. new: of which names it
    holds because of a node; flow: pairs, of which the second name has it where all of the first have it on the other
    side of a node:

        after(n) = (before(n) − def(n)) ∪ new(n) ∪ {y : (xs, y) ∈ flow(n), xs ⊆ before(n)}

    and with before and after exchanged where it goes backward."""
    number, bits = graph.numbering.of, graph.numbering.bits
    begin, own = bits(start), [bits(new(node)) for node in graph.nodes]
    if join is or_ and not begin and not any(own):
        return Facts(graph, {}, {})                        # it holds of nothing, so that nothing spreads
    if graph.kept is None:                                 # asked for by each analysis of the graph
        graph.kept = [~bits(access(node).define) for node in graph.nodes]
    table = [(kept, one, [(bits(xs), 1 << number(y)) for xs, y in flow(node)])
             for kept, node, one in zip(graph.kept, graph.nodes, own, strict=True)]

    def transfer(node: Node, before: int) -> int:
        kept, own, flows = table[node.index]
        after = before & kept | own
        for x, y in flows:
            if before & x == x:
                after |= y
        return after

    return Facts(graph, *solve(graph, transfer, join, begin, forward=forward))


def liveness(graph: Graph, at_exit: Iterable[str] = ()) -> Facts:
    """The names whose values may still be read. An update of a part leaves a name as live as it is."""
    return spread(graph, at_exit, lambda node: access(node).use, forward=False)


def definite(graph: Graph, parameters: Iterable[str]) -> Facts:
    """The names that are bound on every path."""
    return spread(graph, parameters, lambda node: access(node).define, forward=True, join=and_)


def possible(graph: Graph, parameters: Iterable[str]) -> Facts:
    """The names that are bound on some path."""
    return spread(graph, parameters, lambda node: access(node).define, forward=True)
