"""Sharing: which names may share memory, and how.

A forward may analysis over sets of pairs, `(a, b, how)` with how `"whole"` (one object), `"view"` (of the same memory,
or perhaps), `"holds"` (a is a container of b), `"of"` (the other way round), `"share"` (containers of one thing),
`"keeps"` (they have a number or an array in common, and no container), `"given"` (what the caller gave for a parameter,
or keeps in an attribute that is a variable of the text)
or `"mixed"` (any of these). A pair of a name with itself: two places of it may hold one thing.
With source(e) the names that the value of e may share memory with,

    pairs_after(v = e) = {p ∈ pairs_before : v ∉ p}
                         ∪ {(v, s) : s ∈ source(e) or (s', s) ∈ pairs_before with s' ∈ source(e)}
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gast

from ..rules import KEYS, WITH_APPENDED, WITH_INNER, WITH_ITEM
from ..syntax.closure import Groups
from ..syntax.nodes import target_names, walk, writes
from ..syntax.spec import Spec
from .displays import items
from .flow import access, mutation
from .graph import Graph, Node
from .kinds import Env, Kinds, spec_of
from .pairs import Pairs
from .resolve import Scope
from .sharing import CALLER, Held, is_copy, is_leaf, put, put_together, repeated, shallow, sources
from .solver import solve
from .stacks import stacks

CHAINED = {("holds", "view"): "holds", ("holds", "of"): "share", ("holds", "share"): "share",
           ("holds", "mixed"): "holds", ("view", "of"): "of", ("of", "view"): "of",
           ("view", "share"): "share", ("share", "view"): "share", ("share", "of"): "share",
           ("share", "holds"): "holds", ("of", "share"): "of"}


def _one_by_one(stmt: gast.Assign) -> dict[str, gast.expr]:
    """The values of `a, b = b, a` by the names that get them;
    none where a target is no name, or a value no name or number."""
    target = stmt.targets[0]
    if len(stmt.targets) > 1 or not isinstance(target, gast.Tuple) or not isinstance(stmt.value, gast.Tuple) \
            or len(target.elts) != len(stmt.value.elts) or len(set(target_names(target))) < len(target.elts):
        return {}
    parts = list(zip(target.elts, stmt.value.elts, strict=True))
    plain = all(isinstance(one, gast.Name) and isinstance(value, (gast.Name, gast.Constant)) for one, value in parts)
    return {one.id: value for one, value in parts} if plain else {}


class Aliases:
    """The pairs before each node, of the names in `linked`."""

    def __init__(self, graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], checked: set[int],
                 puts: set[int], linked: set[str]) -> None:
        self.graph, self.kinds, self.scope, self.checked, self.linked = graph, kinds, scope, checked, linked
        self.inner, self.deep = depth(graph) > 0, depth(graph) > 2
        self.puts = puts
        # each value is new, and of no other place after it is popped
        self.separate = {name for name, appended in stacks(graph).items()
                         if not any(sources(arg, kinds.at(node), scope) for node, arg in appended)}
        start = Pairs().adding((p, CALLER, "given") for p in parameters if p in linked)
        self.before, self.after = solve(graph, self._transfer, Pairs.joined, start, forward=True)

    def classes(self, names: Iterable[str]) -> list[set[str]]:
        """Of each of the names, all that may have had its memory at some time; two that share a class make one."""
        found: dict[str, set[tuple[str, str]]] = {}
        for name, partners in {(name, id(partners)): (name, partners) for pairs in self.after.values()
                               for name, partners in pairs.by_name.items()}.values():
            found.setdefault(name, set()).update(partners)
        groups = Groups({(name, other) for name, partners in found.items() for other, how in partners
                         if how in ("whole", "view", "mixed") and CALLER not in (name, other)})
        members = groups.members()
        return list({groups.name(name): members.get(name, {name}) for name in names}.values())

    def _transfer(self, node: Node, pairs: Pairs) -> Pairs:
        stmt = node.stmt
        if node.kind in ("bind", "with"):                  # what a manager gives may belong to anybody
            given = {(name, "view") for name in {CALLER, *access(node).use & self.scope.local}}
            if node.kind == "bind":                        # of an array with one dimension: numbers
                items = spec_of(stmt.iter, self.kinds.at(node), self.scope)
                given = set() if items.kind == "array" and items.dims == 1 else \
                    {(s, "of") for s, _ in sources(stmt.iter, self.kinds.at(node), self.scope)}
            for name in sorted(access(node).define):
                pairs = self._bound(pairs, name, given)
            return pairs
        if node.kind != "stmt":
            return pairs
        env = self.kinds.at(node)
        changed = mutation(stmt)
        if changed is not None:
            if changed[0] == "append":
                if changed[1] not in self.linked or node.index in self.puts:
                    return pairs
                new = {(s, put(arg, env, self.scope)) for arg in stmt.value.args
                       for s, _ in sources(arg, env, self.scope)}
                twice = self.common(pairs, [{(changed[1], "whole")}, new]) | self.within(pairs, stmt.value.args[0], env)
                return pairs.adding([*((changed[1], s, how) for s, how in self.closure(pairs, new) if s != changed[1]),
                                     *((changed[1], changed[1], how) for how in twice)])
            if changed[0] == "pop" and isinstance(stmt, gast.Assign):
                for name in access(node).define:
                    pairs = self._bound(pairs, name, set() if changed[1] in self.separate else {(changed[1], "of")})
            return pairs
        if isinstance(stmt, gast.Assign) and not self.inner and (several := _one_by_one(stmt)):
            return self._exchanged(pairs, several, stmt)
        if hasattr(stmt, "taken"):
            name = stmt.targets[0].id
            return pairs.without([name]).adding([(name, CALLER, "given")])
        if isinstance(stmt, gast.Assign):
            found = self._checked_sources(stmt.value, env) if node.index in self.puts \
                else sources(stmt.value, env, self.scope)
            if hasattr(stmt, "residual") and self.scope.operation(stmt.value).kind == "function":
                found = found | {(CALLER, "view")}         # its backward sweep may read it
            if self.inner:
                found = found | shallow(stmt.value, env, self.scope, self.deep)
            found = found | {(name, "view") for name in getattr(stmt, "shares", ())}
            after = self.kinds.after(stmt)
            targets = access(node).define
            how = {(s, "of" if len(targets) > 1 else h) for s, h in found}
            twice = self.within(pairs, stmt.value, env) if self.inner and node.index not in self.puts else set()
            for name in sorted(targets):
                number = after.get(name, Spec()).is_immutable or node.index in self.checked
                pairs = self._bound(pairs, name, set() if number else how,
                                    set() if number or is_leaf(after.get(name, Spec())) else twice,
                                    made=len(targets) == 1 and self._is_made(stmt.value))
            for target in stmt.targets:
                if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                        and target.value.id in self.linked and not certainly_array(env.get(target.value.id, Spec())):
                    pairs = pairs.adding([(target.value.id, s, _chained("holds", how))
                                          for s, how in self.closure(pairs, found) if s != target.value.id])
        return pairs     # after `x += v` the same object, or a new one that shares nothing

    def _is_made(self, value: gast.expr) -> bool:
        """A container of a sort that derivatives are stored in: a deque is none."""
        return isinstance(value, gast.Call) and self.scope.operation(value).rule is not None \
            and is_copy(self.scope.effects(value))

    def _exchanged(self, pairs: Pairs, values: Mapping[str, gast.expr], stmt: gast.Assign) -> Pairs:
        """The pairs after `a, b = b, a`: of what a name stands for now, without those of what it stood for."""
        env, after = self.kinds.before(stmt), self.kinds.after(stmt)
        held = {name: set() if after.get(name, Spec()).is_immutable
                      else self.closure(pairs, sources(value, env, self.scope))
                for name, value in values.items() if name in self.linked}
        new = {(name, other, how) for name, found in held.items() for other, how in found if other not in values}
        new |= {(one, other, "mixed") for one in held for other in held
                if one < other and {name for name, _ in held[one]} & {name for name, _ in held[other]} - {CALLER}}
        return pairs.without(values).adding(new)

    def _checked_sources(self, value: Any, env: Env) -> Held:
        """The sources of a value that puts something of unknown kind into a container: it is checked to hold no
        container."""
        if self.scope.operation(value).kind != "container":
            return sources(value.args[0], env, self.scope)
        specs = [(part, spec_of(part, env, self.scope)) for part in items(value)]
        return {(name, put(part, env, self.scope)) for part, spec in specs
                if is_leaf(spec) or spec.kind in ("list", "tuple") for name, _ in sources(part, env, self.scope)}

    def closure(self, pairs: Pairs, found: Iterable[tuple[str, str]]) -> Held:
        closed = set(found)
        for name, how in list(closed):
            closed |= {(other, _chained(how, also)) for other, also in pairs.partners(name)
                       if (name, also) != (CALLER, "given")}      # `rt.check_apart` asks what else may be the same
        return closed

    def common(self, pairs: Pairs, groups: Iterable[Held]) -> set[str]:
        """How things that are put together have something in common;
        groups: of each, the names that it shares memory with, and how."""
        found: set[str] = set()
        seen: dict[str, str] = {}
        for group in groups:
            closed = self.closure(pairs, group)
            for name, how in sorted(closed):
                if name in seen:
                    found.add("keeps" if "keeps" in (how, seen[name]) else "share")
            for name, how in sorted(closed):
                if seen.get(name, "keeps") == "keeps":
                    seen[name] = how
            found |= {how for name, own in group if own != "keeps" for how in pairs.in_common(name)}
        return found

    def within(self, pairs: Pairs, value: Any, env: Env) -> set[str]:
        """How two places of a value may hold one thing."""
        found: set[str] = set()
        for node in walk(value):
            if isinstance(node, gast.expr) and not isinstance(getattr(node, "ctx", gast.Load()), gast.Store):
                found |= self.common(pairs, [{(name, how or own) for name, own in sources(part, env, self.scope)}
                                             for part, how in put_together(node, env, self.scope)])
                found |= repeated(node, env, self.scope)
        return found

    def _bound(self, pairs: Pairs, name: str, found: Held, twice: Iterable[str] = (), *, made: bool = False) -> Pairs:
        """made: to a container that nothing else is, or holds."""
        if name not in self.linked:
            return pairs
        new = {(name, other, how) for other, how in self.closure(pairs, found) if other != name}
        if made:
            new = {(name, other, one) for _, other, how in new
                   for one in ((how,) if how in ("holds", "share", "keeps") else ("holds", "share"))}
        new |= {(name, name, how) for how in twice}
        return pairs.without([name]).adding(new)


def linked(graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], changed: set[str]) -> set[str]:
    """The names that may share memory with one that is changed, wherever that is: only their pairs are asked for."""
    deepest = depth(graph)
    members = Groups([{CALLER, *parameters}, *[_joined(node, kinds, scope, deepest) for node in graph.nodes]]).members()
    return changed.union(*(members.get(name, ()) for name in changed)) - _only_keys(graph, scope, parameters)


def _only_keys(graph: Graph, scope: Scope, parameters: Iterable[str]) -> set[str]:
    """The names of keys of dicts that are read as keys alone: what such an object holds is not looked at."""
    nodes = [*walk(graph.body)]
    if not any(isinstance(node, gast.Call) and scope.operation(node).rule is KEYS for node in nodes):
        return set()
    bound: dict[str, list[Any]] = {}
    known: dict[str, bool] = {}
    for node in nodes:
        if isinstance(node, (gast.Assign, gast.For)):
            for name in writes(node.target if isinstance(node, gast.For) else node.targets):
                bound.setdefault(name, []).append(node)

    def of_keys(value: Any) -> bool:
        """A list, or another collection, of keys."""
        if isinstance(value, gast.Name):
            if value.id not in known:
                known[value.id] = False                    # while it is asked
                known[value.id] = all(isinstance(stmt, gast.Assign) and of_keys(stmt.value)
                                      for stmt in bound.get(value.id, [value]))
            return known[value.id]
        return isinstance(value, gast.Call) and (scope.operation(value).rule is KEYS or is_copy(scope.effects(value))
                                                 and len(value.args) == 1 and of_keys(value.args[0]))

    given = [node.slice for node in nodes if isinstance(node, gast.Subscript)]
    given += [node.args[1] for node in nodes if isinstance(node, gast.Call)
              and scope.operation(node).rule in (WITH_ITEM, WITH_INNER, WITH_APPENDED)]
    keys = {id(one) for node in given for one in (node.elts if isinstance(node, gast.Tuple) else [node])}
    others = {node.id for node in nodes
              if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and id(node) not in keys}
    return {name for name, stmts in bound.items() if name not in {*others, *parameters} and all(
        isinstance(stmt, gast.For) and isinstance(stmt.target, gast.Name) and of_keys(stmt.iter) for stmt in stmts)}


def depth(graph: Graph) -> int:
    """How deep in containers parts are changed: 1 where an array in one may be added to, 2 for `rows[i][j] = v`;
    else 0."""
    return max((getattr(node.stmt, "inner", 0) or int(bool(getattr(node.stmt, "augments", "")))
                for node in graph.nodes), default=0)


def _joined(node: Node, kinds: Kinds, scope: Scope, deepest: int) -> set[str]:
    """The names that share memory after a node because of it."""
    stmt = node.stmt
    if node.kind == "bind":
        values = [stmt.iter]
    elif node.kind == "with":
        return {CALLER, *access(node).use, *access(node).define} if access(node).define else set()
    elif node.kind != "stmt":
        return set()
    elif hasattr(stmt, "taken"):
        return {CALLER, *access(node).define}
    elif mutation(stmt) is not None:
        values = stmt.value.args
    else:
        values = [stmt.value] if isinstance(stmt, gast.Assign) else []
    found = {name for value in values for name, _ in sources(value, kinds.at(node), scope)}
    if deepest:
        found |= {name for value in values for name, _ in shallow(value, kinds.at(node), scope, deepest > 2)}
    one = access(node)
    return {*found, *one.define, *one.update, *getattr(stmt, "shares", ())}


def _chained(how: str, also: str) -> str:
    """How a is related to c, by how a is to b and b to c."""
    if {how, also} <= {"whole", "given"}:
        return "given" if "given" in (how, also) else "whole"
    how, also = ("whole" if one == "given" else one for one in (how, also))
    if "keeps" in (how, also):
        return "keeps"
    if how == also or also == "whole":
        return how
    if how == "whole":
        return also
    return CHAINED.get((how, also), "mixed")


def certainly_array(spec: Spec) -> bool:
    """What is assigned to a part is copied into it."""
    return spec.kind in ("array", "numeric") or spec.is_scalar
