"""Dead code: what nothing reads is left out, with the saves of values that no restore needs.

Needs a function with tagged saves and restores. Promises the same results and effects: asserts, prints, raises and calls that are
not known to be pure stay. The analysis is strong liveness (R. Giegerich et al., "Invariance of approximative semantics with respect to program
transformations", 1981): a removable statement uses its operands only if what it defines is live,

    before(n) = after(n)                            for a removable n with def(n) ∩ after(n) = ∅
    before(n) = use(n) ∪ (after(n) − def(n))        else

and a save is live if the restore of its site is.

    x_saved.append(x)
    x = x + y                  →      x = x + y
    …                                 …
    x = x_saved.pop()                 bx = by
    bx = by
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import or_
from typing import Any

import gast

from ..analyse.effects import is_pure
from ..analyse.flow import Names, access
from ..analyse.graph import Graph, Node
from ..analyse.name_sets import NameSet
from ..analyse.one_memory import Shared, one_memory, with_others
from ..analyse.resolve import Scope
from ..analyse.solver import solve
from ..syntax.nodes import attempted, change_blocks, negated, reads, root_name, statements, target_names, walk

INSIDE = (gast.Lambda, gast.FunctionDef, gast.GeneratorExp)       # these read variables later than where they stand
KEPT = ("seed", "check_seed", "check_tangent", "differentiable", "check_number", "check_leaf", "check_lengths", "check_floating", "check_result",
        "check_helpers", "check_array", "check_apart", "check_kept", "check_index", "check_view", "check_target", "check_out", "check_cast",
        "check_scalar", "check_values", "record", "items", "part")


def dead_code(tree: gast.FunctionDef, scope: Scope, *, attempted: bool = False) -> None:
    """Leave out what is dead, until nothing is. attempted: whether the function raises decides what its caller does next."""
    while _once(tree, scope, attempted):
        pass


def _once(tree: gast.FunctionDef, scope: Scope, whole: bool) -> bool:
    graph = Graph(tree.body)
    held = {id(stmt) for stmt in (statements(tree.body) if whole else attempted(tree.body))}
    removable = {id(node.stmt): _removable(node.stmt, scope) and (id(node.stmt) not in held or _is_safe(node.stmt))
                 for node in graph.nodes if node.kind == "stmt"}
    sites: set[object] = set()
    seen = {name for node in walk(tree) if isinstance(node, INSIDE) and node is not tree for name in reads(node)}
    shared = one_memory(tree.body, scope)
    while True:
        live = _strong(graph, removable, sites, seen, shared)
        wanted = {stmt.tape for stmt in statements(tree.body) if hasattr(stmt, "restore") and hasattr(stmt, "tape")
                  and not _dead(stmt, live(stmt), removable, shared)}
        if wanted <= sites:
            break
        sites |= wanted
    before = sum(1 for _ in statements(tree.body))
    tree.body = _filtered(tree.body, live, removable, sites, scope, shared)
    stacks = {stmt.tape[0] for stmt in statements(tree.body) if hasattr(stmt, "tape") and isinstance(stmt.tape[1], int)}
    tree.body = _without_stacks(tree.body, stacks) or [gast.Pass()]
    return sum(1 for _ in statements(tree.body)) < before


class _Live:
    def __init__(self, graph: Graph, after: dict[int, int]) -> None:
        self.graph, self.after = graph, after

    def __call__(self, stmt: gast.stmt) -> Names:
        return NameSet(self.after.get(self.graph.last[id(stmt)].index, 0), self.graph.numbering)


def _strong(graph: Graph, removable: Mapping[int, bool], sites: set[object], seen: set[str], shared: Shared) -> _Live:
    """What is live. seen: by functions that are defined in the text, whenever they are called."""
    bits = graph.numbering.bits
    always = bits(seen)
    table = {node.index: (bits(one.use), bits(one.define), bits(with_others(one.update, shared)))
             for node in graph.nodes for one in [access(node)]}

    def transfer(node: Node, after: int) -> int:
        stmt, (use, define, update) = node.stmt, table[node.index]
        if node.kind == "stmt":
            if hasattr(stmt, "keeps"):                     # where split motion returns the value
                after |= bits([stmt.keeps])
            tape = getattr(stmt, "tape", None)
            if tape is not None and not hasattr(stmt, "restore"):
                return after if tape not in sites else after | use & ~bits([tape[0]])
            after |= always
            if (removable[id(stmt)] or tape is not None) and not (define | update) & after:
                return after
        return use | after & ~define | always

    return _Live(graph, solve(graph, transfer, or_, always, forward=False)[1])


def _removable(stmt: gast.stmt, scope: Scope) -> bool:
    """The statement does nothing but define names, or change memory that belongs to one name."""
    if getattr(stmt, "role", "") == "guard" or hasattr(stmt, "stays") or hasattr(stmt, "given"):
        return False
    if getattr(stmt, "inner", 0):                          # it refuses a row that is an array, which others may see
        return False
    if isinstance(stmt, gast.Assign):
        if any(isinstance(n, gast.Attribute) and not isinstance(n.ctx, gast.Load) for t in stmt.targets for n in walk(t)):
            return False
        return is_pure(stmt.value, scope) and not _checks(stmt.value) and not _pops(stmt.value)
    if isinstance(stmt, gast.AugAssign):
        return is_pure(stmt.value, scope) and not _checks(stmt.value)
    return isinstance(stmt, gast.Expr) and hasattr(stmt, "in_place")


def _is_safe(stmt: Any) -> bool:
    """In the body of a `try`: the statement is ours, or does not raise."""
    parts = (gast.Name, gast.Constant, gast.Tuple, gast.List)
    whole = isinstance(stmt, gast.Assign) and all(isinstance(target, gast.Name) for target in stmt.targets)
    ours = getattr(stmt, "role", "forward") != "forward" or hasattr(stmt, "saves")
    return ours or whole and all(isinstance(node, parts) for node in walk(stmt.value))


def _checks(node: gast.expr) -> bool:
    """A call that is there for the error that it raises."""
    return any(isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr in KEPT
               and isinstance(n.func.value, gast.Name) and n.func.value.id == "%rt" for n in walk(node))


def _pops(node: gast.expr) -> bool:
    return any(isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr == "pop" for n in walk(node))


def _dead(stmt: gast.stmt, after: Names, removable: Mapping[int, bool], shared: Shared) -> bool:
    if not hasattr(stmt, "tape") and not removable.get(id(stmt), False):
        return False
    targets = [t for t in getattr(stmt, "targets", [getattr(stmt, "target", None)]) if t is not None]
    names = {n for t in targets for n in target_names(t)}
    parts = {root_name(t) or "" for t in targets if not isinstance(t, gast.Name)} - {""}
    names |= with_others(parts, shared)
    if isinstance(stmt, gast.Expr) and hasattr(stmt, "in_place"):
        names = with_others([stmt.in_place], shared)
    return not names & after


def _filtered(body: Sequence[gast.stmt], live: _Live, removable: Mapping[int, bool], sites: set[object], scope: Scope,
              shared: Shared) -> list[gast.stmt]:
    out: list[gast.stmt] = []
    for stmt in body:
        tape = getattr(stmt, "tape", None)
        if tape is not None and isinstance(tape[1], int):
            if tape in sites:
                out.append(stmt)
            continue
        if isinstance(stmt, (gast.Try, gast.With)):
            change_blocks(stmt, lambda block: _filtered(block, live, removable, sites, scope, shared))
            nothing = all(isinstance(one, gast.Pass) for one in stmt.body)
            if nothing and isinstance(stmt, gast.Try):
                out += stmt.orelse
            elif not nothing or getattr(stmt, "role", "") != "backward":
                out.append(stmt)
        elif isinstance(stmt, (gast.If, gast.For, gast.While)):
            stmt.body = _filtered(stmt.body, live, removable, sites, scope, shared)
            stmt.orelse = _filtered(stmt.orelse, live, removable, sites, scope, shared)
            if isinstance(stmt, gast.If):
                if not stmt.body and not stmt.orelse:
                    if is_pure(stmt.test, scope):
                        continue
                    stmt.body = [gast.Pass()]
                elif not stmt.body:
                    stmt.test, stmt.body, stmt.orelse = negated(stmt.test), stmt.orelse, []
                elif len(stmt.orelse) == 1 and isinstance(stmt.orelse[0], gast.Pass):
                    stmt.orelse = []
            elif not stmt.body:
                if isinstance(stmt, gast.For) and is_pure(stmt.iter, scope) and not set(target_names(stmt.target)) & live(stmt):
                    continue
                stmt.body = [gast.Pass()]
            out.append(stmt)
        elif isinstance(stmt, gast.Pass):
            if len(body) == 1 or hasattr(stmt, "cut"):
                out.append(stmt)
        elif tape is not None or not (removable.get(id(stmt), False) and _dead(stmt, live(stmt), removable, shared)):
            out.append(stmt)
    return out


def _without_stacks(body: Sequence[gast.stmt], used: set[str]) -> list[gast.stmt]:
    for stmt in body:
        if any(isinstance(one, gast.Try) for one in statements([stmt])):
            change_blocks(stmt, lambda block: _without_stacks(block, used))
    return [s for s in body if not (hasattr(s, "tape") and not isinstance(s.tape[1], int) and s.tape[0] not in used)]


__all__ = ["dead_code"]
