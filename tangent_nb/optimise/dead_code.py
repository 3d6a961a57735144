"""Dead code: what nothing reads is left out, with the saves of values that no restore needs.

Needs a function with tagged saves and restores. Promises the same results and effects: asserts, prints, raises and
calls that are not known to be pure stay. The analysis is strong liveness (R. Giegerich et al., "Invariance of
approximative semantics with respect to program transformations", 1981): a removable statement uses its operands only if
what it defines is live,

    before(n) = after(n)                            for a removable n with def(n) ∩ after(n) = ∅
    before(n) = use(n) ∪ (after(n) − def(n))        else

and a save is live if the restore of its site is.

>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x, n):
...     for _ in range(n):
...         x = x + 2.0
...     return x
>>> stages = tnb.stages(tnb.grad(f, optimized=["unbroadcast", "dead_code"], like=(1.0, 3)))
>>> print(difference(stages["unbroadcast"], stages["dead_code"]))
-     # forward
-     x_saved = []
-     for _ in range(n):
-         x_saved.append(x)
-         x = x + 2.0
-     # backward
-         x = x_saved.pop()
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from operator import and_, or_
from typing import Any, TypeAlias

import gast

from .. import runtime
from ..analyse.flow import Names, access, inner_append, mutation, statement_access
from ..analyse.graph import Graph, Node
from ..analyse.name_sets import NameSet
from ..analyse.objects import may_be_object
from ..analyse.one_memory import Shared, held, one_memory, with_others
from ..analyse.outlines import numbers_read
from ..analyse.resolve import Scope
from ..analyse.solver import solve
from ..syntax.blocks import attempted, change_blocks, is_compound, statements
from ..syntax.building import clone, library, negated
from ..syntax.nodes import dotted, nodes_of, reads, root_name, target_names, walk
from .facts import Facts
from .fresh import is_fresh

Live: TypeAlias = "Callable[[gast.stmt], Names]"
INSIDE = (gast.Lambda, gast.FunctionDef, gast.GeneratorExp)       # these read variables later than where they stand


def dead_code(tree: gast.FunctionDef, facts: Facts, *, attempted: bool = False) -> None:
    """Leave out what is dead, until nothing is. attempted: whether the function raises decides what its caller does
    next."""
    while _once(tree, facts, attempted):
        pass


def _once(tree: gast.FunctionDef, facts: Facts, whole: bool) -> bool:
    scope = facts.scope
    graph = facts.graph()
    held = {id(stmt) for stmt in (statements(tree.body) if whole else attempted(tree.body))}
    removable = {id(node.stmt): _removable(node.stmt, facts) and (id(node.stmt) not in held or _is_safe(node.stmt))
                 for node in graph.nodes if node.kind == "stmt"}
    removable |= {id(stmt): _may_go(stmt, facts) and (id(stmt) not in held or isinstance(_head(stmt), gast.Constant))
                  for stmt in statements(tree.body) if isinstance(stmt, (gast.If, gast.For))}
    sites: set[object] = set()
    asked = nodes_of(tree, *INSIDE, gast.Call)
    seen = {name for node in asked if not isinstance(node, gast.Call) and node is not tree for name in reads(node)}
    shared = _Memory(graph, tree.body, scope)
    seen |= shared.all_of(_stored_outside(asked, scope))
    bits = graph.numbering.bits
    table = [(bits(one.use) | bits(_numbers(node)), bits(with_numbers(one.define)), bits(_changed(node, shared)))
             for node in graph.nodes for one in [access(node)]]
    while True:
        live = _strong(graph, removable, sites, seen, table)
        wanted = {stmt.tape for stmt in statements(tree.body) if hasattr(stmt, "restore") and hasattr(stmt, "tape")
                  and not _dead(stmt, live(stmt), removable, shared)}
        if wanted <= sites:
            break
        sites |= wanted
    before = sum(1 for _ in statements(tree.body))
    tree.body = _filtered(tree.body, live, removable, sites, scope, shared)
    _outlined(tree.body, live, scope)
    stacks = {stmt.tape[0] for stmt in statements(tree.body) if hasattr(stmt, "tape") and isinstance(stmt.tape[1], int)}
    tree.body = _without_stacks(tree.body, stacks) or [gast.Pass()]
    straight = not seen \
        and not any(access(node).update or node.kind != "stmt" for node in graph.nodes if node.stmt is not None)
    return not straight and sum(1 for _ in statements(tree.body)) < before


def _stored_outside(nodes: Sequence[Any], scope: Scope) -> set[str]:
    """The names that objects outside get: these hold them as they are when the forward sweep ends."""
    return {name for node in nodes if isinstance(node, gast.Call) and not isinstance(node.func, gast.Call)
            and getattr(scope.value(node.func), "__module__", "") == runtime.stored_outside.__name__
            for arg in node.args[1:] for name in reads(arg)}


class _Memory:
    """Which names may hold the memory of which, before each node. A name that was given a copy from a tape has it
    alone. Found when it is first asked for, since few texts change memory."""

    def __init__(self, graph: Graph, body: Sequence[gast.stmt], scope: Scope) -> None:
        self.graph, self.body, self.scope = graph, body, scope

    @cached_property
    def _shared(self) -> Shared:
        return one_memory(self.body, self.scope, views=True)

    @cached_property
    def _alone(self) -> Mapping[int, int]:
        saved = [stmt for stmt in statements(self.body)
                 if hasattr(stmt, "tape") and (mutation(stmt) or ("",))[0] == "append"]
        other = {stmt.tape[0] for stmt in saved if not is_fresh(stmt.value.args[0], self.scope)}
        bits = self.graph.numbering.bits
        table: dict[int, tuple[int, int]] = {}
        for node in self.graph.nodes:
            stmt, one = node.stmt, access(node)
            given = node.kind == "stmt" and hasattr(stmt, "restore") and hasattr(stmt, "tape") \
                and stmt.tape[0] not in other
            known = bits(one.define) if given else 0
            table[node.index] = known, ~bits(one.define | (held(stmt, self.scope) if node.kind == "stmt" else one.use))
        return solve(self.graph, lambda node, before: before & table[node.index][1] | table[node.index][0], and_, 0,
                     forward=True)[0]

    def all_of(self, names: AbstractSet[str]) -> set[str]:
        """Names, and all that share memory with them somewhere."""
        return {other for name in names for other in with_others([name], self._shared)}

    def of(self, node: Node, names: AbstractSet[str]) -> set[str]:
        """Names, and all that may share memory with them before a node."""
        if not names:
            return set()
        alone = NameSet(self._alone.get(node.index, 0), self.graph.numbering)
        return {other for name in names for other in ([name] if name in alone else with_others([name], self._shared))}


def _strong(graph: Graph, removable: Mapping[int, bool], sites: set[object], seen: set[str],
            table: Sequence[tuple[int, int, int]]) -> Live:
    """What is live. seen: by functions that are defined in the text, whenever they are called;
    table: what each node uses, binds and changes."""
    bits = graph.numbering.bits
    always = bits(with_numbers(seen))

    def transfer(node: Node, after: int) -> int:
        stmt, (use, define, update) = node.stmt, table[node.index]
        if node.kind == "stmt":
            if hasattr(stmt, "keeps"):                     # where split motion returns the value
                after |= bits(with_numbers([stmt.keeps]))
            tape = getattr(stmt, "tape", None)
            if tape is not None and not hasattr(stmt, "restore"):
                return after if tape not in sites else after | use & ~bits([tape[0]])
            after |= always
            if (removable[id(stmt)] or tape is not None) and not (define | update) & after:
                return after
        return use | after & ~define | always

    after = solve(graph, transfer, or_, always, forward=False)[1]
    return lambda stmt: NameSet(after.get(graph.last[id(stmt)].index, 0), graph.numbering)


def numbers(name: str) -> str:
    """What stands for the numbers in an array, beside the name,
    which stands for its shape and dtype: these are live for themselves."""
    return "*" + name


def with_numbers(names: Iterable[str]) -> list[str]:
    return [one for name in names for one in (name, numbers(name))]


def _numbers(node: Node) -> Iterable[str]:
    """The names whose numbers a node reads."""
    return map(numbers, numbers_read(node.stmt, access(node).use) if node.kind == "stmt" else access(node).use)


def _changed(node: Node, shared: _Memory) -> Iterable[str]:
    """What a node changes in place: numbers; of a list that grows the length too."""
    found = shared.of(node, access(node).update)
    if not found:
        return ()
    grows = node.kind == "stmt" \
        and ((mutation(node.stmt) or ("add_at",))[0] != "add_at" or inner_append(node.stmt) is not None)
    return with_numbers(found) if grows else map(numbers, found)


def _removable(stmt: gast.stmt, facts: Facts) -> bool:
    """The statement does nothing but define names, or change memory that belongs to one name."""
    if getattr(stmt, "role", "") == "guard" or any(
            hasattr(stmt, one) for one in ("stays", "given", "counts")):
        return False
    if getattr(stmt, "inner", 0):                          # it refuses a row that is an array, which others may see
        return False
    if isinstance(stmt, gast.Assign):
        if any(isinstance(n, gast.Attribute) and not isinstance(n.ctx, gast.Load) for t in stmt.targets
               if t.__class__ is not gast.Name for n in walk(t)):
            return False
        if isinstance(stmt.targets[0], (gast.Tuple, gast.List)) and may_be_object(stmt.value, facts.scope):
            return False                                   # it is gone over
        return facts.movable(stmt.value)
    if isinstance(stmt, gast.AugAssign):
        return facts.movable(stmt.value) and not may_be_object(stmt.target, facts.scope)
    return isinstance(stmt, gast.Expr) and (hasattr(stmt, "in_place") or hasattr(stmt, "restore"))


def _head(stmt: Any) -> gast.expr:
    return stmt.test if isinstance(stmt, gast.If) else stmt.iter


def _may_go(stmt: Any, facts: Facts) -> bool:
    """A branch or a loop does nothing but what stands in it."""
    return facts.pure(_head(stmt)) and not may_be_object(_head(stmt), facts.scope)


def _is_safe(stmt: Any) -> bool:
    """In the body of a `try`: the statement is ours, or does not raise."""
    parts = (gast.Name, gast.Constant, gast.Tuple, gast.List)
    whole = isinstance(stmt, gast.Assign) and all(isinstance(target, gast.Name) for target in stmt.targets)
    ours = getattr(stmt, "role", "forward") != "forward" or hasattr(stmt, "saves")
    return ours or whole and all(isinstance(node, parts) for node in walk(stmt.value))


def _dead(stmt: gast.stmt, after: Names, removable: Mapping[int, bool], shared: _Memory) -> bool:
    if not hasattr(stmt, "tape") and not removable.get(id(stmt), False):
        return False
    targets = [t for t in getattr(stmt, "targets", [getattr(stmt, "target", None)]) if t is not None]
    if any(one in after for t in targets for one in with_numbers(target_names(t))):
        return False
    parts = {root_name(t) or "" for t in targets if not isinstance(t, gast.Name)} - {""}
    if isinstance(stmt, gast.Expr) and hasattr(stmt, "in_place"):
        parts = {stmt.in_place}
    grown = {stmt.restore} if isinstance(stmt, gast.Expr) and hasattr(stmt, "restore") else set()   # `L.pop()`
    changed = shared.of(shared.graph.first[id(stmt)], parts | grown)
    return not any(numbers(one) in after or grown and one in after for one in changed)


def _filtered(body: Sequence[gast.stmt], live: Live, removable: Mapping[int, bool], sites: set[object], scope: Scope,
              shared: _Memory) -> list[gast.stmt]:
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
                    if removable[id(stmt)]:
                        continue
                    stmt.body = [gast.Pass()]
                elif not stmt.body:
                    stmt.test, stmt.body, stmt.orelse = negated(stmt.test), stmt.orelse, []
                elif len(stmt.orelse) == 1 and isinstance(stmt.orelse[0], gast.Pass):
                    stmt.orelse = []
            elif all(isinstance(one, gast.Pass) and not hasattr(one, "cut") for one in stmt.body):
                ours = removable[id(stmt)] or getattr(stmt, "role", "") == "backward"  # it goes back
                if isinstance(stmt, gast.For) and ours and not set(target_names(stmt.target)) & live(stmt):
                    continue
                stmt.body = [gast.Pass()]
            out.append(stmt)
        elif isinstance(stmt, gast.Pass):
            if len(body) == 1 or hasattr(stmt, "cut"):
                out.append(stmt)
        elif tape is not None or not (removable.get(id(stmt), False) and _dead(stmt, live(stmt), removable, shared)):
            out.append(stmt)
    return out


def _outlined(body: Sequence[gast.stmt], live: Live, scope: Scope) -> None:
    """Save outlines where no number of an array is read that is brought back; in functions that change arrays."""
    if not any(getattr(stmt, "role", "") == "forward" and isinstance(target, gast.Subscript)
               for stmt in statements(body)
               for target in [*getattr(stmt, "targets", []), getattr(stmt, "target", None)]):
        return
    sites: dict[object, bool] = {}
    brought = [stmt for stmt in statements(body) if hasattr(stmt, "tape") and hasattr(stmt, "restore")]
    changed = {name for stmt in statements(body) if getattr(stmt, "role", "") == "backward" and not is_compound(stmt)
               for name in statement_access(stmt).update | held(stmt, scope)}
    for stmt in brought:
        target = stmt.targets[0]
        only = isinstance(target, gast.Name) and numbers(target.id) not in live(stmt) and target.id not in changed
        sites[stmt.tape] = sites.get(stmt.tape, True) and only
    for stmt in statements(body):
        if not sites.get(getattr(stmt, "tape", None), False):
            continue
        if hasattr(stmt, "restore"):
            stmt.value = _uncopied(stmt.value)
        elif isinstance(saved := _uncopied(stmt.value.args[0]), gast.Name):
            stmt.value = clone(stmt.value)
            stmt.value.args[0] = library("rt.outline(x)", x=saved)


def _uncopied(node: Any) -> Any:
    """`x` of `rt.copy(x)`."""
    return node.args[0] if isinstance(node, gast.Call) and dotted(node.func) == "%rt.copy" else node


def _without_stacks(body: Sequence[gast.stmt], used: set[str]) -> list[gast.stmt]:
    for stmt in body:
        if is_compound(stmt) and any(isinstance(one, gast.Try) for one in statements([stmt])):
            change_blocks(stmt, lambda block: _without_stacks(block, used))
    return [s for s in body if not (hasattr(s, "tape") and not isinstance(s.tape[1], int) and s.tape[0] not in used)]


__all__ = ["dead_code"]
