"""Ownership: which names may share memory, and whether what is changed in place belongs to one name alone.

A forward may analysis over sets of pairs, `(a, b, how)` with how `"whole"` (one object), `"view"` (of the same memory, or perhaps),
`"holds"` (a is a container of b), `"of"` (the other way round), `"share"` (containers of one thing) or `"mixed"` (any of these).
With source(e) the names that the value of e may share memory with,

    pairs_after(v = e) = {p ∈ pairs_before : v ∉ p} ∪ {(v, s) : s ∈ source(e) or (s', s) ∈ pairs_before with s' ∈ source(e)}

and a backward may analysis of the names whose object is still to be changed in place:

    changed_before(n) = upd(n) ∪ (changed_after(n) − def(n))

An update in place of A is sound if no other name, and not the caller, shares A's memory, then or in a value saved before. Where
only the kinds decide (a number is never changed in place), a check is put into the code instead of a refusal.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import and_, or_

import gast

from .. import runtime
from ..rules import FIELD, REPLACED, WITH_FIELD, WITH_ITEM
from ..syntax.nodes import reads
from ..syntax.spec import Spec
from .displays import items
from .flow import Names, access, mutation
from .graph import Graph, Node
from .kinds import Env, Kinds, index_parts, spec_of
from .name_sets import NameSet
from .resolve import Scope
from .solver import solve

CALLER = "<caller>"
TURNED = {"holds": "of", "of": "holds"}
CHAINED = {("holds", "view"): "holds", ("holds", "of"): "share", ("holds", "share"): "share", ("holds", "mixed"): "holds",
           ("view", "of"): "of", ("of", "view"): "of",
           ("view", "share"): "share", ("share", "view"): "share", ("share", "of"): "share", ("share", "holds"): "holds",
           ("of", "share"): "of"}
NOTHING: Names = frozenset()
Pair = tuple[str, str, str]
Pairs = frozenset[Pair]


@dataclass
class Ownership:
    """refused: mutating statements with a reason; check_before / check_after: names to be checked to hold a number."""

    refused: list[tuple[gast.stmt, str, str]] = field(default_factory=list)
    check_before: dict[int, list[str]] = field(default_factory=dict)
    check_after: dict[int, list[str]] = field(default_factory=dict)
    mutated: set[str] = field(default_factory=set)
    check_before_store: dict[int, list[str]] = field(default_factory=dict)


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
    if isinstance(node, (gast.Constant, gast.Compare, gast.JoinedStr, gast.UnaryOp)) or isinstance(node, gast.BinOp) and (
            not isinstance(node.op, gast.BitOr) or any(spec_of(one, env, scope).is_number for one in (node.left, node.right))):
        return set()
    operation = scope.operation(node)
    if operation.kind == "container":
        return {(name, "holds") for item in items(node) for name, _ in sources(item, env, scope)}
    if isinstance(node, gast.Subscript) and spec_of(node.value, env, scope).kind not in ("array", "numeric"):
        return {(name, "mixed" if how == "mixed" else "of") for name, how in sources(node.value, env, scope)}
    if operation.kind == "select":
        parts = [node.body, node.orelse] if isinstance(node, gast.IfExp) else node.values
        return {found for part in parts for found in sources(part, env, scope)}
    if isinstance(node, gast.Subscript) and any(spec_of(part, env, scope).kind in ("array", "list") or isinstance(part, gast.Compare)
                                                for part in index_parts(node.slice) if not isinstance(part, gast.Slice)):
        return set()                               # an index array copies
    if operation.kind == "rule" and operation.rule is not None:
        if operation.rule.memory == "fresh":
            return set()
        if operation.rule in (WITH_ITEM, WITH_FIELD, REPLACED):      # holds what it held, and the new part
            x, _, v = operation.args.values()
            return sources(x, env, scope) | {(name, "holds") for name, _ in sources(v, env, scope)}
        if operation.rule.fn is runtime.merged:
            x, y = operation.args.values()
            return sources(x, env, scope) | {(name, "share") for name, _ in sources(y, env, scope)}
        if operation.rule is FIELD:
            return {(name, "mixed" if how == "mixed" else "of") for name, how in sources(operation.args["x"], env, scope)}
        if operation.rule.fn in (list, tuple, sorted):     # a new list of the same items
            return {(name, "holds") for arg in operation.args.values() for name, _ in sources(arg, env, scope)}
        args = [arg for name, arg in operation.args.items() if name in operation.rule.active_params or
                operation.rule.memory == "view"]
        chosen = args[:1] if operation.rule.memory == "view" else args
        return {(name, "view" if how in ("whole", "view") else "mixed") for arg in chosen for name, how in sources(arg, env, scope)}
    if operation.kind in ("function", "dynamic", "unknown"):
        found = {(name, "view") for name in reads(node) & scope.local if not holds_no_memory(env.get(name, Spec()))}
        return found | {(CALLER, "view")}
    return {(name if name in scope.local else CALLER, "view") for name in reads(node)}


class Aliases:
    """The pairs before each node, of the names in `linked`."""

    def __init__(self, graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], checked: set[int], linked: set[str]) -> None:
        self.graph, self.kinds, self.scope, self.checked, self.linked = graph, kinds, scope, checked, linked
        start = frozenset((p, CALLER, "whole") for p in parameters if p in linked)
        self.before, self.after = solve(graph, self._transfer, frozenset.union, start, forward=True)

    def partners(self, pairs: Pairs, name: str) -> set[tuple[str, str]]:
        """What a name shares memory with, and how, seen from the name."""
        return {(b, how) if a == name else (a, TURNED.get(how, how)) for a, b, how in pairs if name in (a, b)}

    def _transfer(self, node: Node, pairs: Pairs) -> Pairs:
        stmt = node.stmt
        if node.kind == "bind":
            found = sources(stmt.iter, self.kinds.at(node), self.scope)
            for name in access(node).define:
                pairs = self._bound(pairs, name, {(s, "of") for s, _ in found}, self.kinds.at(node))
            return pairs
        if node.kind == "with":                            # what a manager gives may belong to anybody
            held = {(name if name in self.scope.local else CALLER, "view") for name in access(node).use} | {(CALLER, "view")}
            for name in sorted(access(node).define):
                pairs = self._bound(pairs, name, held, self.kinds.at(node))
            return pairs
        if node.kind != "stmt":
            return pairs
        env = self.kinds.at(node)
        changed = mutation(stmt)
        if changed is not None:
            if changed[0] == "append":
                if changed[1] not in self.linked:
                    return pairs
                new = {(s, "holds") for arg in stmt.value.args for s, _ in sources(arg, env, self.scope)}
                return pairs | {(changed[1], s, how) for s, how in self._closure(pairs, new) if s != changed[1]}
            if changed[0] == "pop" and isinstance(stmt, gast.Assign):
                for name in access(node).define:
                    pairs = self._bound(pairs, name, {(changed[1], "of")}, env)
            return pairs
        if isinstance(stmt, gast.Assign):
            found = sources(stmt.value, env, self.scope)
            if shares := getattr(stmt, "shares", None):
                found = found | {(shares, "view")}
            after = self.kinds.after(stmt)
            targets = access(node).define
            how = {(s, "of" if len(targets) > 1 else h) for s, h in found}
            for name in sorted(targets):
                number = holds_no_memory(after.get(name, Spec())) or node.index in self.checked
                pairs = self._bound(pairs, name, set() if number else how, env)
            for target in stmt.targets:
                if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                        and target.value.id in self.linked and not certainly_array(env.get(target.value.id, Spec())):
                    pairs |= {(target.value.id, s, "holds") for s, _ in self._closure(pairs, found) if s != target.value.id}
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
        if name not in self.linked:
            return pairs
        new = {(name, other, how) for other, how in self._closure(pairs, found) if other != name}
        return frozenset(p for p in pairs if name not in p[:2]) | new


def linked(graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], changed: set[str]) -> set[str]:
    """The names that may share memory with one that is changed, wherever that is: only their pairs are asked for."""
    joined: dict[str, set[str]] = {}
    for names in [{CALLER, *parameters}, *[_joined(node, kinds, scope) for node in graph.nodes]]:
        for name in names:
            joined.setdefault(name, set()).update(names)
    found, todo = set(changed), list(changed)
    while todo:
        new = joined.pop(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def _joined(node: Node, kinds: Kinds, scope: Scope) -> set[str]:
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
    one = access(node)
    return {*found, *one.define, *one.update, *([stmt.shares] if hasattr(stmt, "shares") else [])}


def _chained(how: str, also: str) -> str:
    """How a is related to c, by how a is to b and b to c."""
    if how == also or also == "whole":
        return how
    if how == "whole":
        return also
    return CHAINED.get((how, also), "mixed")


def certainly_array(spec: Spec) -> bool:
    """What is assigned to a part is copied into it."""
    return spec.kind in ("array", "numeric") or spec.is_scalar


def ownership(graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], temporary: Callable[[str], bool]) -> Ownership:
    """Judge every update in place. temporary: names of ours, whose values are read where they were made."""
    judge = _Judge(graph, kinds, scope, tuple(parameters), temporary)
    while not judge.settled():
        pass
    check_places(judge)
    return judge.result


class _Judge:
    """guarded: the nodes `x += v` whose x is checked to be a number; checked: the nodes whose target is."""

    def __init__(self, graph: Graph, kinds: Kinds, scope: Scope, parameters: tuple[str, ...],
                 temporary: Callable[[str], bool]) -> None:
        self.graph, self.kinds, self.scope, self.parameters, self.temporary = graph, kinds, scope, parameters, temporary
        self.guarded: set[int] = set()
        self.checked: set[int] = set()
        self.result = Ownership()

    def settled(self) -> bool:
        """Judge once; False where new checks change the question."""
        self.result = Ownership()
        self.late: list[tuple[gast.stmt, str, str]] = []
        before = len(self.guarded) + len(self.checked)
        contents = {node.index: self._contents(node) for node in self.graph.nodes}
        stacks = {node.index: _grown(node) for node in self.graph.nodes}
        changed = {name for names in [*contents.values(), *stacks.values()] for name in names}
        if not changed:
            return True
        self.aliases = Aliases(self.graph, self.kinds, self.scope, self.parameters, self.checked,
                               linked(self.graph, self.kinds, self.scope, self.parameters, changed))
        self.later_contents = _changed(self.graph, contents)
        self.later_stacks = _changed(self.graph, stacks)
        nodes = [node for node in self.graph.nodes if node.kind in ("stmt", "bind") and node.index in self.aliases.before]
        for node in nodes:
            self._definition(node)
        for node in nodes:
            for name in sorted(contents[node.index] | stacks[node.index]):
                self._update(node, name)
        known = {name for _, first, second in self.result.refused for name in (first, second)}
        self.result.refused += [late for late in self.late if late[1] != CALLER and not {late[1], late[2]} <= known]
        return len(self.guarded) + len(self.checked) == before

    def _contents(self, node: Node) -> Names:
        """The names whose memory a node may change; of `x += v` only where x is not a number for certain."""
        one = access(node)
        stmt = node.stmt
        if node.kind != "stmt" or _is_stack_method(node):
            return frozenset()
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            name = stmt.target.id
            number = node.index in self.guarded or self.kinds.at(node).get(name, Spec()).is_immutable
            return frozenset() if number else frozenset([name])
        return one.update

    def _update(self, node: Node, name: str) -> None:
        """What is changed must not be shared now."""
        stmt, env, pairs = node.stmt, self.kinds.at(node), self.aliases.before[node.index]
        stores = hasattr(stmt, "stores")
        if not stores:
            self.result.mutated.add(name)
        elif stmt.augments and any(p == CALLER or not self.temporary(p) and not holds_no_memory(env.get(p, Spec()))
                                   for p, _ in self.aliases.partners(pairs, name)):
            self.result.check_before_store[id(stmt)] = [stmt.augments]
        stack = stores or _is_stack_method(node)
        partners = {(p, how) for p, how in self.aliases.partners(pairs, name)
                    if (how not in ("holds", "share") and (how != "view" or p == CALLER) or not stack)
                    and (p == CALLER or not self.temporary(p))}
        if not partners:
            return
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) and not certainly_memory(env.get(name, Spec())):
            self._guard(node)
            return
        sure = sorted(p for p, how in partners if p == CALLER or how == "whole" or not holds_no_memory(env.get(p, Spec())))
        if sure:
            self.result.refused.append((stmt, name, sure[0]))

    def _guard(self, node: Node) -> None:
        self.guarded.add(node.index)

    def _definition(self, node: Node) -> None:
        """What is shared must not be changed later."""
        stmt = node.stmt
        if node.kind != "stmt" or isinstance(stmt, gast.AugAssign):
            return
        contents = self.later_contents.get(node.index, frozenset())
        stacks = self.later_stacks.get(node.index, frozenset())
        for name in sorted(access(node).define):
            if self.temporary(name):
                continue
            shared = {p for p, how in self.aliases.partners(self.aliases.after[node.index], name)
                      if p in contents or (name in contents and (p == CALLER or not self.temporary(p)))
                      or p in stacks and how not in ("of", "view", "share") or name in stacks and how not in ("holds", "view", "share")}
            if not shared:
                continue
            item = isinstance(getattr(stmt, "value", None), gast.Subscript) and CALLER not in shared and not certainly_memory(
                self.kinds.after(stmt).get(name, Spec())) and name not in contents and name not in stacks
            guards = [] if item else self._only_numbers_changed(shared | {name})
            if guards:
                for other in guards:
                    self._guard(other)
            elif name not in contents and name not in stacks:
                spec = self.kinds.after(stmt).get(name, Spec())
                whole = isinstance(getattr(stmt, "value", None), gast.Name)
                if not certainly_memory(spec) and spec.kind != "tuple" and not whole and len(access(node).define) == 1:
                    self.checked.add(node.index)
                else:                                  # the backward pass may read this value after the change
                    self.late.append((stmt, sorted(shared)[0], name))

    def _only_numbers_changed(self, names: set[str]) -> list[Node]:
        """The statements `x += v` that change these names, if nothing else does and each x may be a number."""
        found = []
        for node in self.graph.nodes:
            if not (self._contents(node) | (access(node).update if _is_stack_method(node) else frozenset())) & names:
                continue
            stmt = node.stmt
            if not (isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name)) \
                    or certainly_memory(self.kinds.at(node).get(stmt.target.id, Spec())):
                return []
            found.append(node)
        return found


def stable_views(graph: Graph, temporaries: Iterable[str]) -> dict[str, gast.expr]:
    """Names that stand for a part, `v = A[1:]` or `v = A.T`, which is what it was wherever the name is read.

    Available expressions (A. Aho et al., section 9.2.6): such a name has one definition, and

        available_after(n) = (available_before(n) − {v : n binds or changes a name that the part of v reads}) ∪ gen(n)

    holds it before every node that reads it; join ∩. It can then be read as the part itself.
    """
    table = {node.index: access(node) for node in graph.nodes}
    defined: dict[str, list[Node]] = {}
    for node in graph.nodes:
        for name in table[node.index].define | table[node.index].update:
            defined.setdefault(name, []).append(node)
    temporaries = set(temporaries)
    parts = {name: nodes[0].stmt.value for name, nodes in defined.items()
             if len(nodes) == 1 and nodes[0].kind == "stmt" and isinstance(nodes[0].stmt, gast.Assign) and name not in temporaries
             and isinstance(nodes[0].stmt.targets[0], gast.Name) and len(nodes[0].stmt.targets) == 1
             and isinstance(nodes[0].stmt.value, (gast.Subscript, gast.Attribute)) and _is_plain(nodes[0].stmt.value)
             and name not in reads(nodes[0].stmt.value)}
    bits = graph.numbering.bits
    killed: dict[str, int] = {}                            # by a change of the name
    for name, part in parts.items():
        for source in reads(part):
            killed[source] = killed.get(source, 0) | bits([name])

    def transfer(node: Node, before: int) -> int:
        one = table[node.index]
        for source in one.define | one.update:
            before &= ~killed.get(source, 0)
        return before | bits(one.define & parts.keys())

    before, _ = solve(graph, transfer, and_, 0, forward=True)
    for node in graph.nodes:
        for name in table[node.index].use & parts.keys():
            if not before.get(node.index, 0) & bits([name]):
                del parts[name]
    return parts


def _is_plain(node: gast.expr) -> bool:
    """A part of a name, with an index of names and numbers."""
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        if isinstance(node, gast.Subscript) and any(isinstance(n, (gast.Call, gast.Subscript, gast.Attribute))
                                                    for n in gast.walk(node.slice)):
            return False
        if isinstance(node, gast.Attribute) and node.attr != "T":
            return False
        node = node.value
    return isinstance(node, gast.Name)


def _grown(node: Node) -> Names:
    """The lists that grow or shrink, and the containers that get another part, which is written as a new container under their name."""
    if node.kind == "stmt" and hasattr(node.stmt, "stores"):
        return frozenset([node.stmt.stores])
    return access(node).update if _is_stack_method(node) else NOTHING


def _is_stack_method(node: Node) -> bool:
    return node.kind == "stmt" and (mutation(node.stmt) or ("",))[0] in ("append", "pop")


def _changed(graph: Graph, updates: Mapping[int, Names]) -> dict[int, Names]:
    """The names that are still to be changed after each node."""
    bits = graph.numbering.bits
    table = {node.index: (bits(updates[node.index]), 0 if isinstance(node.stmt, gast.AugAssign) else bits(access(node).define))
             for node in graph.nodes}

    def transfer(node: Node, after: int) -> int:
        changed, rebound = table[node.index]
        return changed | after & ~rebound

    after = solve(graph, transfer, or_, 0, forward=False)[1]
    return {index: NameSet(found, graph.numbering) for index, found in after.items()}


def check_places(judge: _Judge) -> None:
    """Where the checks go: before `x += v`, after the definitions."""
    by_index = {node.index: node for node in judge.graph.nodes}
    judge.result.check_before.update(judge.result.check_before_store)
    for index in judge.guarded:
        stmt = by_index[index].stmt
        judge.result.check_before[id(stmt)] = [stmt.target.id]
    for index in judge.checked:
        stmt = by_index[index].stmt
        judge.result.check_after[id(stmt)] = sorted(access(by_index[index]).define)
