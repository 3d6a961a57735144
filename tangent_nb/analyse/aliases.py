"""Sharing: which names may share memory, and how.

A forward may analysis over sets of pairs, `(a, b, how)` with how `"whole"` (one object), `"view"` (of the same memory, or perhaps),
`"holds"` (a is a container of b), `"of"` (the other way round), `"share"` (containers of one thing), `"keeps"` (they have a number or an array
in common, and no container), `"given"` (what the caller gave for a parameter) or `"mixed"` (any of these). A pair of a name with itself:
two places of it may hold one thing.
With source(e) the names that the value of e may share memory with,

    pairs_after(v = e) = {p ∈ pairs_before : v ∉ p} ∪ {(v, s) : s ∈ source(e) or (s', s) ∈ pairs_before with s' ∈ source(e)}
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..rules import FIELD, GET, MAX_OF, MIN_OF, REPLACED, WITH_APPENDED, WITH_FIELD, WITH_INNER, WITH_ITEM, Effects
from ..syntax.closure import Groups
from ..syntax.nodes import given_by, reads, target_names
from ..syntax.spec import Spec
from .displays import items
from .flow import access, mutation
from .graph import Graph, Node
from .kinds import Env, Kinds, index_parts, spec_of
from .resolve import Scope
from .sharing import common, is_new, shallow, within
from .solver import solve
from .stacks import stacks

CALLER = "<caller>"
TURNED = {"holds": "of", "of": "holds"}
CHAINED = {("holds", "view"): "holds", ("holds", "of"): "share", ("holds", "share"): "share", ("holds", "mixed"): "holds",
           ("view", "of"): "of", ("of", "view"): "of",
           ("view", "share"): "share", ("share", "view"): "share", ("share", "of"): "share", ("share", "holds"): "holds",
           ("of", "share"): "of"}
Pair = tuple[str, str, str]
Pairs = frozenset[Pair]


def put(item: gast.expr, env: Env, scope: Scope) -> str:
    """How a new container is related to what it is made of."""
    return "keeps" if is_leaf(spec_of(item, env, scope)) else "holds"


def is_leaf(spec: Spec) -> bool:
    """A number or an array for certain. What is only taken for one, as a parameter that is not differentiated, has a dtype of its own."""
    own = isinstance(spec.dtype, frozenset) and not all(isinstance(one, str) for one in spec.dtype)
    return spec.is_number and (spec.is_scalar or not own)


def sources(node: gast.expr, env: Env, scope: Scope) -> set[tuple[str, str]]:
    """The names that the value of an expression may share memory with, and how."""
    if spec_of(node, env, scope).is_immutable:
        return set()
    if isinstance(node, gast.Name):
        return {(node.id if node.id in scope.local else CALLER, "whole")}
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)):        # joined, or repeated, where one is a list
        sides = [node.left, node.right]
        if not any(spec_of(one, env, scope).kind in ("list", "tuple") for one in sides):
            return set()
        return {(name, "share") for one in sides for name, _ in sources(one, env, scope)}
    if isinstance(node, (gast.Constant, gast.Compare, gast.JoinedStr, gast.UnaryOp)) or isinstance(node, gast.BinOp) and (
            not isinstance(node.op, gast.BitOr) or any(spec_of(one, env, scope).is_number for one in (node.left, node.right))):
        return set()
    if isinstance(node, gast.ListComp) and is_new(node.elt, env, scope):
        return set()
    row = scope.effects(node)
    if row.gives == "iterator" and row.keeps and not row.calls:            # items of these, or parts
        return {(name, how) for arg in node.args for name, _ in sources(arg, env, scope) for how in ("holds", "share")}
    operation = scope.operation(node)
    if operation.kind == "container":
        return {(name, put(item, env, scope)) for item in items(node) for name, _ in sources(item, env, scope)}
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice) and spec_of(node.value, env, scope).kind == "list":
        return {(name, "share") for name, _ in sources(node.value, env, scope)}
    if isinstance(node, gast.Subscript) and spec_of(node.value, env, scope).kind not in ("array", "numeric"):
        return {(name, "mixed" if how == "mixed" else "of") for name, how in sources(node.value, env, scope)}
    if operation.kind == "select":
        return {found for part in given_by(node) for found in sources(part, env, scope)}
    if isinstance(node, gast.Subscript) and any(spec_of(part, env, scope).kind in ("array", "list") or isinstance(part, gast.Compare)
                                                for part in index_parts(node.slice) if not isinstance(part, gast.Slice)):
        return set()                               # an index array copies
    if operation.kind == "rule" and operation.rule is not None:
        if operation.memory == "fresh":
            return set()
        if operation.rule.fn is runtime.bound or operation.rule.fn is runtime.differentiable and len(operation.args) == 1:      # as it is
            return sources(operation.args["x"], env, scope)
        if operation.rule in (WITH_ITEM, WITH_INNER, WITH_APPENDED, WITH_FIELD, REPLACED):      # holds what it held, and the new part
            x, _, v = operation.args.values()
            return sources(x, env, scope) | {(name, put(v, env, scope)) for name, _ in sources(v, env, scope)}
        if operation.rule.fn is runtime.merged:
            x, y = operation.args.values()
            if isinstance(node, gast.BinOp):               # a new dict of the items of both
                return {(name, "share") for one in (x, y) for name, _ in sources(one, env, scope)}
            return sources(x, env, scope) | {(name, "share") for name, _ in sources(y, env, scope)}
        if operation.rule in (GET, MAX_OF, MIN_OF):        # a part, or what stands for it
            x, *others = operation.args.values()
            return {(name, "mixed" if how == "mixed" else "of") for name, how in sources(x, env, scope)} \
                | {found for one in others for found in sources(one, env, scope)}
        if row.gives == "item" and not row.keeps:          # one of them
            return {found for arg in operation.args.values() for found in sources(arg, env, scope)}
        if operation.rule is FIELD:
            return {(name, "mixed" if how == "mixed" else "of") for name, how in sources(operation.args["x"], env, scope)}
        if is_copy(row):                                   # of the same items
            return {(name, "keeps" if put(arg, env, scope) == "keeps" else "share")
                    for given, arg in zip(row.signature.parameters, operation.args.values()) if given in row.keeps
                    for name, _ in sources(arg, env, scope)}
        if not operation.rule.supported:                   # known to be refused with a derivative, and not by its arguments
            return {(name if name in scope.local else CALLER, "view") for name in reads(node)
                    if name not in scope.local or not env.get(name, Spec()).is_immutable}
        args = [arg for name, arg in operation.args.items() if name in operation.rule.active_params or
                operation.memory == "view" or not operation.rule.active_params]
        chosen = args[:1] if operation.memory == "view" else args
        return {(name, "view" if how in ("whole", "view") else "mixed") for arg in chosen for name, how in sources(arg, env, scope)}
    if operation.kind == "unknown" and operation.fn is np.where:       # of a condition alone: the places where it holds
        return set()
    if operation.kind in ("function", "dynamic", "unknown"):
        found = {(name, "view") for name in reads(node) & scope.local if not env.get(name, Spec()).is_immutable}
        return found | {(CALLER, "view")}
    return {(name if name in scope.local else CALLER, "view") for name in reads(node)}


def _one_by_one(stmt: gast.Assign) -> dict[str, gast.expr]:
    """The values of `a, b = b, a` by the names that get them; none where a target is no name, or a value no name or number."""
    target = stmt.targets[0]
    if len(stmt.targets) > 1 or not isinstance(target, gast.Tuple) or not isinstance(stmt.value, gast.Tuple) \
            or len(target.elts) != len(stmt.value.elts) or len(set(target_names(target))) < len(target.elts):
        return {}
    parts = list(zip(target.elts, stmt.value.elts, strict=True))
    plain = all(isinstance(one, gast.Name) and isinstance(value, (gast.Name, gast.Constant)) for one, value in parts)
    return {one.id: value for one, value in parts} if plain else {}


def is_copy(row: Effects) -> bool:
    """`list(xs)` and such: a container of the same items, which is new."""
    return bool(row.keeps) and row.gives == "new"


class Aliases:
    """The pairs before each node, of the names in `linked`."""

    def __init__(self, graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], checked: set[int], puts: set[int],
                 linked: set[str]) -> None:
        self.graph, self.kinds, self.scope, self.checked, self.linked = graph, kinds, scope, checked, linked
        self.inner, self.deep = depth(graph) > 0, depth(graph) > 2
        self.puts = puts
        self.separate = {name for name, appended in stacks(graph).items()      # each value is new, and of no other place after it is popped
                         if not any(sources(arg, kinds.at(node), scope) for node, arg in appended)}
        start = frozenset((p, CALLER, "given") for p in parameters if p in linked)
        self.before, self.after = solve(graph, self._transfer, frozenset.union, start, forward=True)

    def partners(self, pairs: Pairs, name: str) -> set[tuple[str, str]]:
        """What a name shares memory with, and how, seen from the name."""
        return {(b, how) if a == name else (a, TURNED.get(how, how)) for a, b, how in pairs if name in (a, b)}

    def classes(self, names: Iterable[str]) -> list[set[str]]:
        """Of each of the names, all that may have had its memory at some time; two that share a class make one."""
        groups = Groups()
        for pair in {(a, b) for pairs in {id(one): one for one in self.after.values()}.values()
                     for a, b, how in pairs if how in ("whole", "view", "mixed") and CALLER not in (a, b)}:
            groups.join(pair)
        members = groups.members()
        return list({groups.name(name): members.get(name, {name}) for name in names}.values())

    def _transfer(self, node: Node, pairs: Pairs) -> Pairs:
        stmt = node.stmt
        if node.kind == "bind":
            found = sources(stmt.iter, self.kinds.at(node), self.scope)
            for name in access(node).define:
                pairs = self._bound(pairs, name, {(s, "of") for s, _ in found})
            return pairs
        if node.kind == "with":                            # what a manager gives may belong to anybody
            held = {(name if name in self.scope.local else CALLER, "view") for name in access(node).use} | {(CALLER, "view")}
            for name in sorted(access(node).define):
                pairs = self._bound(pairs, name, held)
            return pairs
        if node.kind != "stmt":
            return pairs
        env = self.kinds.at(node)
        changed = mutation(stmt)
        if changed is not None:
            if changed[0] == "append":
                if changed[1] not in self.linked:
                    return pairs
                if node.index in self.puts:
                    return pairs
                new = {(s, put(arg, env, self.scope)) for arg in stmt.value.args for s, _ in sources(arg, env, self.scope)}
                twice = common(self, pairs, [{(changed[1], "whole")}, new]) | within(self, pairs, stmt.value.args[0], env)
                return pairs | {(changed[1], s, how) for s, how in self.closure(pairs, new) if s != changed[1]} \
                    | {(changed[1], changed[1], how) for how in twice}
            if changed[0] == "pop" and isinstance(stmt, gast.Assign):
                for name in access(node).define:
                    pairs = self._bound(pairs, name, set() if changed[1] in self.separate else {(changed[1], "of")})
            return pairs
        if isinstance(stmt, gast.Assign) and not self.inner and (several := _one_by_one(stmt)):
            return self._exchanged(pairs, several, stmt)
        if isinstance(stmt, gast.Assign):
            found = self._checked_sources(stmt.value, env) if node.index in self.puts else sources(stmt.value, env, self.scope)
            if hasattr(stmt, "new"):                       # the callee may keep it, but it is none of the arguments
                found = {(CALLER, "view")}
            if self.inner:
                found = found | shallow(stmt.value, env, self.scope, self.deep)
            found = found | {(name, "view") for name in getattr(stmt, "shares", ())}
            after = self.kinds.after(stmt)
            targets = access(node).define
            how = {(s, "of" if len(targets) > 1 else h) for s, h in found}
            twice = within(self, pairs, stmt.value, env) if self.inner and node.index not in self.puts else set()
            for name in sorted(targets):
                number = after.get(name, Spec()).is_immutable or node.index in self.checked
                pairs = self._bound(pairs, name, set() if number else how, set() if number or is_leaf(after.get(name, Spec())) else twice,
                                    made=len(targets) == 1 and self._is_made(stmt.value))
            for target in stmt.targets:
                if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                        and target.value.id in self.linked and not certainly_array(env.get(target.value.id, Spec())):
                    pairs |= {(target.value.id, s, _chained("holds", how)) for s, how in self.closure(pairs, found) if s != target.value.id}
            return pairs
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            return pairs                                   # the same object, or a new one that shares nothing
        return pairs

    def _is_made(self, value: gast.expr) -> bool:
        """A container of a sort that derivatives are stored in: a deque is none."""
        return isinstance(value, gast.Call) and self.scope.operation(value).rule is not None and is_copy(self.scope.effects(value))

    def _exchanged(self, pairs: Pairs, values: Mapping[str, gast.expr], stmt: gast.Assign) -> Pairs:
        """The pairs after `a, b = b, a`: of what a name stands for now, without those of what it stood for."""
        env, after = self.kinds.before(stmt), self.kinds.after(stmt)
        held = {name: set() if after.get(name, Spec()).is_immutable else self.closure(pairs, sources(value, env, self.scope))
                for name, value in values.items() if name in self.linked}
        new = {(name, other, how) for name, found in held.items() for other, how in found if other not in values}
        new |= {(one, other, "mixed") for one in held for other in held
                if one < other and {name for name, _ in held[one]} & {name for name, _ in held[other]} - {CALLER}}
        return frozenset(p for p in pairs if not {p[0], p[1]} & values.keys()) | new

    def _checked_sources(self, value: Any, env: Env) -> set[tuple[str, str]]:
        """The sources of a value that puts something of unknown kind into a container: it is checked to hold no container."""
        if self.scope.operation(value).kind != "container":
            return sources(value.args[0], env, self.scope)
        specs = [(part, spec_of(part, env, self.scope)) for part in items(value)]
        return {(name, put(part, env, self.scope)) for part, spec in specs if is_leaf(spec) or spec.kind in ("list", "tuple")
                for name, _ in sources(part, env, self.scope)}

    def sources(self, node: gast.expr, env: Env) -> set[tuple[str, str]]:
        """The names that the value of an expression may share memory with, and how."""
        return sources(node, env, self.scope)

    def put(self, item: gast.expr, env: Env) -> str:
        """How a new container is related to what it is made of."""
        return put(item, env, self.scope)

    def closure(self, pairs: Pairs, found: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        closed = set(found)
        for name, how in list(closed):
            closed |= {(other, _chained(how, also)) for other, also in self.partners(pairs, name)}
        return closed

    def _bound(self, pairs: Pairs, name: str, found: set[tuple[str, str]], twice: Iterable[str] = (), *, made: bool = False) -> Pairs:
        """made: to a container that nothing else is, or holds."""
        if name not in self.linked:
            return pairs
        new = {(name, other, how) for other, how in self.closure(pairs, found) if other != name}
        if made:
            new = {(name, other, one) for _, other, how in new for one in ((how,) if how in ("holds", "share", "keeps") else ("holds", "share"))}
        new |= {(name, name, how) for how in twice}
        return frozenset(p for p in pairs if name not in p[:2]) | new


def linked(graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], changed: set[str]) -> set[str]:
    """The names that may share memory with one that is changed, wherever that is: only their pairs are asked for."""
    groups, deepest = Groups(), depth(graph)
    for names in [{CALLER, *parameters}, *[_joined(node, kinds, scope, deepest) for node in graph.nodes]]:
        groups.join(names)
    members = groups.members()
    return changed.union(*(members.get(name, ()) for name in changed))


def depth(graph: Graph) -> int:
    """How deep in containers parts are changed: 1 where an array in one may be added to, 2 for `rows[i][j] = v`; else 0."""
    return max((getattr(node.stmt, "inner", 0) or int(bool(getattr(node.stmt, "augments", ""))) for node in graph.nodes), default=0)


def _joined(node: Node, kinds: Kinds, scope: Scope, deepest: int) -> set[str]:
    """The names that share memory after a node because of it."""
    stmt = node.stmt
    if node.kind == "bind":
        values = [stmt.iter]
    elif node.kind == "with":
        return {CALLER, *access(node).use, *access(node).define} if access(node).define else set()
    elif node.kind != "stmt":
        return set()
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
