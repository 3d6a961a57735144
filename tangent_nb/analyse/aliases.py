"""Ownership: which names may share memory, and whether what is changed in place belongs to one name alone.

A forward may analysis over sets of pairs, `(a, b, how)` with how `"whole"` (one object), `"view"` (of the same memory, or perhaps) or
`"part"` (one holds the other).
With source(e) the names that the value of e may share memory with,

    pairs_after(v = e) = {p ∈ pairs_before : v ∉ p} ∪ {(v, s) : s ∈ source(e) or (s', s) ∈ pairs_before with s' ∈ source(e)}

and a backward may analysis of the names whose object is still to be changed in place:

    changed_before(n) = upd(n) ∪ (changed_after(n) − def(n))

An update in place of A is sound if no other name, and not the caller, shares A's memory, then or in a value saved before. Where
only the kinds decide (a number is never changed in place), a check is put into the code instead of a refusal.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import gast

from ..syntax.nodes import reads
from ..syntax.spec import Spec
from .flow import Names, access, mutation
from .graph import Graph, Node
from .kinds import Env, Kinds, spec_of
from .resolve import Scope
from .solver import solve

CALLER = "<caller>"
Pair = tuple[str, str, str]
Pairs = frozenset[Pair]


@dataclass
class Ownership:
    """refused: mutating statements with a reason; check_before / check_after: names to be checked to hold a number."""

    refused: list[tuple[gast.stmt, str, str]] = field(default_factory=list)
    check_before: dict[int, list[str]] = field(default_factory=dict)
    check_after: dict[int, list[str]] = field(default_factory=dict)
    mutated: set[str] = field(default_factory=set)


def holds_no_memory(spec: Spec) -> bool:
    return spec.is_immutable


def certainly_memory(spec: Spec) -> bool:
    """An ndarray with dimensions, or a container, for certain."""
    return spec.kind == "list" or (spec.kind == "array" and spec.shape != ())


def sources(node: gast.expr, env: Env, scope: Scope) -> set[tuple[str, str]]:
    """The names that the value of an expression may share memory with, and how."""
    if holds_no_memory(spec_of(node, env, scope)):
        return set()
    if isinstance(node, gast.Name):
        return {(node.id if node.id in scope.local else CALLER, "whole")}
    operation = scope.operation(node)
    if operation.kind == "container":
        return {(name, "part") for item in node.elts for name, _ in sources(item, env, scope)}
    if operation.kind == "select":
        parts = [node.body, node.orelse] if isinstance(node, gast.IfExp) else node.values
        return {found for part in parts for found in sources(part, env, scope)}
    if operation.kind == "rule" and operation.rule is not None:
        if operation.rule.memory == "fresh":
            return set()
        args = [arg for name, arg in operation.args.items() if name in operation.rule.active_params or
                operation.rule.memory == "view"]
        chosen = args[:1] if operation.rule.memory == "view" else args
        return {(name, "part" if how == "part" else "view") for arg in chosen for name, how in sources(arg, env, scope)}
    if operation.kind in ("function", "unknown"):
        found = {(name, "view") for name in reads(node) & scope.local if not holds_no_memory(env.get(name, Spec()))}
        return found | {(CALLER, "view")}
    if isinstance(node, (gast.Constant, gast.Compare, gast.JoinedStr, gast.BinOp, gast.UnaryOp)):
        return set()
    return {(name if name in scope.local else CALLER, "view") for name in reads(node)}


class Aliases:
    """The pairs before each node."""

    def __init__(self, graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str],
                 immutable: Callable[[str], bool]) -> None:
        self.graph, self.kinds, self.scope = graph, kinds, scope
        start = frozenset((p, CALLER, "whole") for p in parameters if not immutable(p))
        self.before, self.after = solve(graph, self._transfer, frozenset.union, start, forward=True)

    def partners(self, pairs: Pairs, name: str) -> set[tuple[str, str]]:
        return {(b if a == name else a, how) for a, b, how in pairs if name in (a, b)}

    def _transfer(self, node: Node, pairs: Pairs) -> Pairs:
        stmt = node.stmt
        if node.kind == "bind":
            found = sources(stmt.iter, self.kinds.at(node), self.scope)
            for name in access(node).define:
                pairs = self._bound(pairs, name, {(s, "part") for s, _ in found}, self.kinds.at(node))
            return pairs
        if node.kind != "stmt":
            return pairs
        env = self.kinds.at(node)
        changed = mutation(stmt)
        if changed is not None:
            if changed[0] == "append":
                new = {(s, "part") for arg in stmt.value.args for s, _ in sources(arg, env, self.scope)}
                return pairs | {(changed[1], s, "part") for s, _ in self._closure(pairs, new)}
            if changed[0] == "pop" and isinstance(stmt, gast.Assign):
                for name in access(node).define:
                    pairs = self._bound(pairs, name, {(changed[1], "part")}, env)
            return pairs
        if isinstance(stmt, gast.Assign):
            found = sources(stmt.value, env, self.scope)
            if shares := getattr(stmt, "shares", None):
                found = found | {(shares, "view")}
            after = self.kinds.after(stmt)
            targets = access(node).define
            how = {(s, "part" if len(targets) > 1 else h) for s, h in found}
            for name in sorted(targets):
                pairs = self._bound(pairs, name, set() if holds_no_memory(after.get(name, Spec())) else how, env)
            for target in stmt.targets:
                if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                        and not certainly_array(env.get(target.value.id, Spec())):
                    pairs |= {(target.value.id, s, "part") for s, _ in self._closure(pairs, found)}
            return pairs
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            return pairs                                   # the same object, or a new one that shares nothing
        return pairs

    def _closure(self, pairs: Pairs, found: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        closed = set(found)
        for name, how in list(closed):
            closed |= {(other, _chained(how, also)) for other, also in self.partners(pairs, name)}
        return closed

    def _bound(self, pairs: Pairs, name: str, found: set[tuple[str, str]], env: Env) -> Pairs:
        new = {(name, other, how) for other, how in self._closure(pairs, found) if other != name}
        return frozenset(p for p in pairs if name not in p[:2]) | new


def _chained(how: str, also: str) -> str:
    return how if how == also else "part" if "part" in (how, also) else "view"


def certainly_array(spec: Spec) -> bool:
    return spec.kind == "array" or spec.is_scalar


def ownership(graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], temporary: Callable[[str], bool]) -> Ownership:
    """Judge every update in place. temporary: names of ours, whose values are read where they were made."""
    result = Ownership()
    aliases = Aliases(graph, kinds, scope, parameters, lambda name: False)
    guarded: set[int] = set()
    while True:
        updates = {node.index: _updated(node, kinds) - ({*access(node).define} if node.index in guarded else set())
                   for node in graph.nodes}
        _, changed_after = _changed(graph, updates)
        again = _judge(graph, kinds, aliases, updates, changed_after, temporary, result, guarded)
        if not again:
            return result
        result.refused.clear()
        result.check_after.clear()
        result.mutated.clear()


def _updated(node: Node, kinds: Kinds) -> Names:
    """The names whose object a node may change in place; of `x += v` only where x is not a number for certain."""
    one = access(node)
    stmt = node.stmt
    if node.kind == "stmt" and isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        name = stmt.target.id
        return one.update if kinds.at(node).get(name, Spec()).is_immutable else one.update | {name}
    return one.update


def _changed(graph: Graph, updates: dict[int, Names]) -> tuple[dict[int, Names], dict[int, Names]]:
    def transfer(node: Node, after: Names) -> Names:
        one = access(node)
        rebound = frozenset() if isinstance(node.stmt, gast.AugAssign) else one.define
        return updates[node.index] | (after - rebound)

    return solve(graph, transfer, frozenset.union, frozenset(), forward=False)


def _judge(graph: Graph, kinds: Kinds, aliases: Aliases, updates: dict[int, Names], changed_after: dict[int, Names],
           temporary: Callable[[str], bool], result: Ownership, guarded: set[int]) -> bool:
    """Fill `result`; True where more statements became guarded, so that the question has to be asked again."""
    size = len(guarded)
    for node in graph.nodes:
        stmt = node.stmt
        if node.kind not in ("stmt", "bind") or node.index not in aliases.before:
            continue
        pairs = aliases.before[node.index]
        env = kinds.at(node)
        is_list_method = (mutation(stmt) or ("",))[0] in ("append", "pop") if node.kind == "stmt" else False
        for name in sorted(updates[node.index]):
            result.mutated.add(name)
            partners = {p for p, how in aliases.partners(pairs, name) if (how == "whole" or not is_list_method)
                        and not (temporary(p) and p != CALLER)}
            if not partners:
                continue
            by_name = isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name)
            if by_name and not certainly_memory(env.get(name, Spec())):
                guarded.add(node.index)
                result.check_before[id(stmt)] = [name]
            elif sure := sorted(p for p in partners if p == CALLER or _is_sure(p, name, pairs, env)):
                result.refused.append((stmt, name, sure[0]))
        if node.kind != "stmt":
            continue
        one = access(node)
        pairs_after = aliases.after[node.index]
        for name in sorted(one.define):
            if temporary(name) or isinstance(stmt, gast.AugAssign):
                continue
            later = changed_after.get(node.index, frozenset())
            shared = {p for p, how in aliases.partners(pairs_after, name) if p in later or name in later}
            shared = {p for p in shared if not temporary(p) or p in later}
            if not shared:
                continue
            if _only_guarded_could(shared | {name}, graph, kinds, guarded):
                for other in graph.nodes:
                    if other.kind == "stmt" and isinstance(other.stmt, gast.AugAssign) and isinstance(other.stmt.target, gast.Name) \
                            and other.stmt.target.id in shared | {name} and not kinds.at(other).get(
                                other.stmt.target.id, Spec()).is_immutable:
                        guarded.add(other.index)
                        result.check_before[id(other.stmt)] = [other.stmt.target.id]
            elif name not in later:
                spec = kinds.after(stmt).get(name, Spec())
                if certainly_memory(spec) or isinstance(getattr(stmt, "value", None), gast.Name):
                    if not any(other == name or other in shared for _, other, _ in result.refused):
                        result.refused.append((stmt, sorted(shared)[0], name))
                else:
                    result.check_after[id(stmt)] = [*result.check_after.get(id(stmt), []), name]
    return len(guarded) > size


def _is_sure(partner: str, name: str, pairs: Pairs, env: Env) -> bool:
    """The partner is memory for certain: an array, a container, or the very object that is changed."""
    return certainly_memory(env.get(partner, Spec())) or env.get(partner, Spec()).kind == "tuple" or (
        (name, partner, "whole") in pairs or (partner, name, "whole") in pairs)


def _only_guarded_could(names: set[str], graph: Graph, kinds: Kinds, guarded: set[int]) -> bool:
    """All updates in place of these names are `x += v` with an x that may be a number."""
    found = False
    for node in graph.nodes:
        updated = _updated(node, kinds) & names
        if not updated:
            continue
        if not (isinstance(node.stmt, gast.AugAssign) and isinstance(node.stmt.target, gast.Name)) \
                or certainly_memory(kinds.at(node).get(node.stmt.target.id, Spec())):
            return False
        found = True
    return found
