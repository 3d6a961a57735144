"""Ownership: whether what is changed in place belongs to one name alone.

Asks which names share memory (`aliases.py`), and a backward may analysis of the names whose object still changes:

    changed_before(n) = upd(n) ∪ (changed_after(n) − def(n))

An update in place of A is sound if no other name, and not the caller, shares A's memory, then or in a value saved
before. Where only the kinds decide (a number is never changed in place), the code gets a check, and no refusal.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import gast

from ..syntax.nodes import target_names
from ..syntax.spec import Spec
from .aliases import Aliases, linked
from .copied import copied
from .displays import items
from .flow import NONE, Facts, Flow, Names, access, definite, liveness, mutation, spread
from .graph import Graph, Node
from .handed_over import handed_over
from .kinds import Kinds, spec_of
from .one_memory import one_memory, roots, with_others
from .overlap import overlapping
from .passed_on import numbers_live, passed_on
from .read_before import read_before
from .resolve import Scope
from .same_memory import certainly_memory, put_into, same_memory
from .sharing import CALLER, is_leaf
from .stacks import is_stack_method, puts


@dataclass
class Ownership:
    """refused: mutating statements with a reason; check_before, check_after: names to be checked to hold a number;
    check_leaf: to hold no container; check_kept: to share no memory with what the statement changes; check_copied:
    after calls, what they give and the copies of ours that they get; check_overlap: stores of what may lie in the same
    array, with the names of what is stored; apart: assignments that may give copies, so that less is refused and asked;
    results: names of ours of which a view changes, which the adjoint of their call reads; given: names whose changed
    arrays the caller gave for the parameters, or keeps in the attributes, `owners`; growing: the parameters whose lists
    get numbers without a derivative; mutated: the names of what is changed in place; shared: those of them given to, or
    taken from, other names; exchanged: those that hold a changed array in turn (`a, b = b, a`)."""

    refused: list[tuple[gast.stmt, str, str]] = field(default_factory=list)
    check_before: dict[int, list[str]] = field(default_factory=dict)
    check_after: dict[int, list[str]] = field(default_factory=dict)
    check_leaf: dict[int, list[str]] = field(default_factory=dict)
    check_kept: dict[int, list[str]] = field(default_factory=dict)
    check_copied: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    check_overlap: dict[int, str] = field(default_factory=dict)
    apart: set[int] = field(default_factory=set)
    results: set[str] = field(default_factory=set)
    mutated: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)
    owners: set[str] = field(default_factory=set)
    growing: set[str] = field(default_factory=set)
    exchanged: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)


def ownership(graph: Graph, kinds: Kinds, scope: Scope, parameters: Iterable[str], temporary: Callable[[str], bool],
              given: Collection[str] = (), grows: Collection[str] = ()) -> Ownership:
    """Judge every update in place. temporary: names of ours, whose values are read where they were made; given: the
    parameters, and the variables that stand for attributes outside, whose arrays, the caller's, may change; grows: the
    parameters whose lists, without a derivative, may grow."""
    judge = _Judge(graph, kinds, scope, tuple(parameters), temporary, given, grows)
    while not judge.settled():
        pass
    judge.result.apart = judge.apart()
    check_places(judge)
    if judge.result.mutated:
        stmts = [node.stmt for node in graph.nodes if node.kind == "stmt" and node.stmt is not None]
        shared = one_memory(stmts, scope)
        itself = _from_themselves(stmts, scope)
        judge.result.mutated = with_others(judge.result.mutated, shared)
        judge.result.shared = judge.result.mutated & (shared.keys() | itself)
        for one in judge.aliases.classes(judge.result.mutated):    # it changes for those that had its memory before
            own = {name for name in one if not temporary(name)}
            judge.result.mutated |= one
            judge.result.exchanged |= own if len(own) > 1 else set()
    judge.result.check_copied = judge.copied.checks({*judge.asked, *(name for pair in judge.kept for name in pair)})
    judge.result.shared |= judge.result.exchanged | {name for pair in judge.kept for name in pair}
    return judge.result


def _from_themselves(stmts: list[Any], scope: Scope) -> set[str]:
    """The names of `x += v` that are also bound to the memory that they had, as by `x = np.ravel(x)`: what is saved of
    the old x changes with the new one."""
    augmented = {stmt.target.id for stmt in stmts
                 if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name)}
    memory = one_memory(stmts, scope, views=True) if augmented else {}
    return {name for stmt in stmts if isinstance(stmt, gast.Assign)
            for name in augmented & set(target_names(stmt.targets[0]))
            if not roots(stmt.value, scope).isdisjoint(with_others({name}, memory))}


class _Judge:
    """guarded: the nodes `x += v` whose x is checked to be a number; checked: the nodes whose target is."""

    def __init__(self, graph: Graph, kinds: Kinds, scope: Scope, parameters: tuple[str, ...],
                 temporary: Callable[[str], bool], given: Collection[str], grows: Collection[str]) -> None:
        self.given, self.grows, self.copied, self.result = given, grows, copied(graph, kinds, scope), Ownership()
        self.graph, self.kinds, self.scope, self.parameters, self.temporary = graph, kinds, scope, parameters, temporary
        self._puts: Callable[[Node], bool] = \
            lambda node: puts(node, kinds.at(node), lambda: self.definitions, parameters, scope)
        defined = [(name, n.stmt) for n in graph.nodes if n.kind in ("stmt", "bind") for name in access(n).define]
        self.bound = {name for name, stmt in defined
                      if not isinstance(stmt, gast.AugAssign) and not hasattr(stmt, "taken")}
        self.displayed = {name for name, _ in defined} - {name for name, stmt in defined if not (
            isinstance(stmt, gast.Assign) and isinstance(stmt.value, (gast.List, gast.Tuple, gast.Dict)))}
        self.guarded, self.checked, self.puts = set[int](), set[int](), set[int]()

    @cached_property
    def live(self) -> Facts:
        return liveness(self.graph)

    @cached_property
    def definite(self) -> Facts:
        return definite(self.graph, self.parameters)

    @cached_property
    def passed_on(self) -> Names:
        return passed_on(self.graph, self.scope)

    @cached_property
    def same(self) -> Mapping[int, frozenset[frozenset[str]]]:
        return same_memory(self.graph, self.kinds, self.scope)

    def settled(self) -> bool:
        """Judge once; False where new checks change the question."""
        self.result = Ownership()
        self.late: list[tuple[gast.stmt, str, str]] = []
        self.kept: set[frozenset[str]] = set()             # the pairs that are asked for when the code runs
        self.asked: set[str] = set()                       # names of ours that are
        before = len(self.guarded) + len(self.checked) + len(self.puts)
        asked = len(self.checked)
        self.doubtful: set[int] = set()     # the nodes to be guarded, unless more is known of others first
        contents = self.contents = {node.index: self._contents(node) for node in self.graph.nodes}
        stacks = {node.index: self._grown(node) for node in self.graph.nodes}
        if not any(contents.values()) and not any(stacks.values()):
            return True
        self.aliases = self._aliases(self.checked, {index: contents[index] | stacks[index] for index in contents})
        self.later_contents = _changed(self.graph, contents)
        self.later_stacks = _changed(self.graph, stacks)
        nodes = [one for one in self.graph.nodes if one.kind in ("stmt", "bind") and one.index in self.aliases.before]
        for node in nodes:
            for name in sorted(contents[node.index] | stacks[node.index]):
                self._update(node, name)
        self.kept -= {frozenset((first, second)) for _, first, second in self.result.refused}
        for node in nodes:
            self._definition(node)
        if len(self.checked) == asked:
            self.guarded |= self.doubtful
        known = {name for _, first, second in self.result.refused for name in (first, second)}
        self.result.refused += [late for late in self.late if late[1] != CALLER and not {late[1], late[2]} <= known]
        return len(self.guarded) + len(self.checked) + len(self.puts) == before

    def apart(self) -> set[int]:
        """Of the names on account of which something is refused, or asked: what may give them copies instead."""
        names = {name for _, changed, other in self.result.refused for name in (changed, other)}
        names |= {name for asked in self.result.check_kept.values() for name in asked}
        names |= {name for node in self.graph.nodes if node.index in self.checked for name in access(node).define}
        own = {name for name in names if name in self.scope.local and not self.temporary(name)} - set(self.parameters)
        changed = {node.index: self.contents[node.index] | self._grown(node) for node in self.graph.nodes}
        found = read_before(own, self._aliases(set(), changed), changed, self.live) if own else set()
        if added := {index: self.graph.nodes[index].stmt.target.id for index in self.guarded}:     # by `x += v`
            changed |= {index: changed[index] | {name} for index, name in added.items()}
            found |= handed_over({*added.values()}, self._aliases(set(), changed), changed, self.live)
        return found

    def _aliases(self, checked: set[int], changed: Mapping[int, Names]) -> Aliases:
        """Who shares memory, if the definitions in `checked` are checked to give numbers."""
        found = linked(self.graph, self.kinds, self.scope, self.parameters, {*chain.from_iterable(changed.values())})
        return Aliases(self.graph, self.kinds, self.scope, self.parameters, checked, self.puts, found)

    def _contents(self, node: Node) -> Names:
        """The names whose memory a node may change; of `x += v` only where x is not a number for certain."""
        one = access(node)
        stmt = node.stmt
        if node.kind != "stmt" or self._puts(node):
            return frozenset()
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            name = stmt.target.id
            number = node.index in self.guarded or self.kinds.at(node).get(name, Spec()).is_immutable
            return frozenset() if number else frozenset([name])
        return one.update

    def _grown(self, node: Node) -> Names:
        """The lists that grow or shrink, or get another item, and the containers that get another part, written as new
        ones under their name."""
        if node.kind == "stmt" and hasattr(node.stmt, "stores"):
            return frozenset([node.stmt.stores])
        return access(node).update if self._puts(node) else NONE

    def _update(self, node: Node, name: str) -> None:
        """What is changed must not be shared now."""
        stmt, env, pairs = node.stmt, self.kinds.at(node), self.aliases.before[node.index]
        if not (stores := hasattr(stmt, "stores")) or hasattr(stmt, "by_place"):
            self.result.mutated.add(name)
        if stores and stmt.augments and any(p == CALLER or not self.temporary(p) and not env.get(p, Spec()).is_immutable
                                   for p, _ in pairs.partners(name)):
            self.result.check_before[id(stmt)] = [stmt.augments]
        if getattr(stmt, "inner", 0):
            self._inner(node, name)
        stack = stores or self._puts(node)
        partners = set(pairs.partners(name))
        self.result.results |= {p for p, _ in partners if p != CALLER and self.temporary(p) and self._is_read_again(p)}
        if not stack and (read := overlapping(stmt, partners, env, self.scope, self.definitions)) is not None:
            self.result.check_overlap[id(stmt)] = read
            self.asked.add(read)
        if (CALLER, "given") in partners and env.get(name, Spec()).is_number and not stack \
                and (owners := self._owners(name)):
            self.result.given.add(name)
            self.result.owners |= owners
            stmt.given = name                              # the caller sees it
            partners.discard((CALLER, "given"))
        if stack and self._grows(node, name) and all(p in (name, CALLER) or self.temporary(p) for p, _ in partners):
            self.result.growing.add(name)
            stmt.given = name
            return
        self._read_later(node, name, partners, stack)
        partners = {(p, how) for p, how in partners if p != name
                    if (how not in ("holds", "share", "keeps") and (how != "view" or p == CALLER) or not stack)
                    and (p == CALLER or not self.temporary(p))
                    and (stack or p not in self.passed_on or p in self.numbers_live.after(stmt))}    # which is read
        if not partners:
            return
        related = {(p, how) for p, how in partners
                   if p == CALLER or how == "whole" or not env.get(p, Spec()).is_immutable}
        refused = sorted({p for p, how in related if stack or not self._decided_by_run(node, name, p, how)})
        sharing = sorted({p for p, _ in related})
        if refused and isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) \
                and not certainly_memory(env.get(name, Spec())):
            self.doubtful.add(node.index)
        elif refused:
            self.result.refused.append((stmt, name, refused[0]))
        elif sharing:
            self.result.check_kept.setdefault(id(stmt), []).extend(sharing)
            self.kept |= {frozenset((name, p)) for p in sharing}

    def _grows(self, node: Node, name: str) -> bool:
        """The list of a parameter gets a number, or a text, that nothing else holds."""
        stmt: Any = node.stmt
        return name in self.grows and name not in self.bound and (mutation(stmt) or ("",))[0] == "append" \
            and not hasattr(stmt, "stores") and (isinstance(stmt.value.args[0], gast.Constant) or spec_of(
                stmt.value.args[0], self.kinds.at(node), self.scope).is_scalar)

    @cached_property
    def definitions(self) -> dict[str, list[gast.expr]]:
        """What the names of assignments are given."""
        found: dict[str, list[gast.expr]] = {}
        for node in self.graph.nodes:
            for name in access(node).define if node.kind == "stmt" and isinstance(node.stmt, gast.Assign) else ():
                found.setdefault(name, []).append(node.stmt.value)
        return found

    def _is_read_again(self, name: str) -> bool:
        """The adjoint of the call that made a value reads that value: of np.tanh. What may be memory of an argument, as
        np.asarray(x), is read for its shape and dtype alone, and a copy would not change with that argument."""
        made = [self.scope.operation(value) for value in self.definitions.get(name, ())]
        return any(one.rule.reads_result and one.memory == "fresh" for one in made if one.rule is not None)

    @cached_property
    def numbers_live(self) -> Facts:
        """The names of which numbers may still be read: asked for where something else may have changed."""
        return numbers_live(self.graph, self.scope)

    def _decided_by_run(self, node: Node, name: str, other: str, how: str) -> bool:
        """Two names may share memory where one is changed, or may not, and both are bound: that is asked there."""
        return other != CALLER and how not in ("holds", "share") and {name, other} <= self.definite.at(node) \
            and not {name, other} & self.copied.held and frozenset((name, other)) not in self.same.get(node.index, ())

    def _read_later(self, node: Node, name: str, partners: Iterable[tuple[str, str]], stack: bool) -> None:
        """What a name of ours stands for, `A[1]` in `A[0], A[1] = A[1], A[0]`, or holds, is read when it has changed.
        stack: a list or a dict gets another part, and not an array in it."""
        env, after = self.kinds.at(node), self.live.after(node.stmt)
        parts = {p for p, how in partners if p in after and (not stack or how in ("whole", "mixed", "of"))} - {CALLER}
        for part in sorted(p for p in parts if self.temporary(p) and not env.get(p, Spec()).is_immutable):
            if stack or part in self.copied.held:
                self.result.refused.append((node.stmt, name, part))
            else:
                self.result.check_kept.setdefault(id(node.stmt), []).append(part)
                self.asked.add(part)

    def _owners(self, name: str) -> set[str]:
        """The parameters whose arrays a name may stand for; none where one must not change, or it may not be bound."""
        if name in self.given and name not in self.bound:
            return {name}
        if name not in self.given and name not in self.definite.at(self.graph.exit):
            return set()
        known = self.aliases.classes([name])[0] & {*self.parameters, *self.given} if self.given else set()
        return known if known <= set(self.given) else set()

    def _inner(self, node: Node, name: str) -> None:
        """A part of a part is stored: nothing read later, and no other place, may hold the container that gets it."""
        env = self.kinds.at(node)
        others = [p for p, how in sorted(self.aliases.before[node.index].partners(name)) if how != "keeps"
                  and (p in (CALLER, name) or p in self.live.after(node.stmt) and not is_leaf(env.get(p, Spec())))]
        if not others:
            return
        held = {name, *(p for p, how in self.aliases.before[node.index].partners(name) if how == "holds")}
        unknown = {one.index for one in self.graph.nodes if self.unknown(one) and put_into(one) in held} - self.puts
        if unknown:
            self.puts |= unknown
            return
        self.result.refused.append((node.stmt, name, others[0]))

    def unknown(self, node: Node) -> list[str]:
        """The variables of unknown kind that a node puts into a container."""
        stmt, env = node.stmt, self.kinds.at(node)
        if put_into(node) is None:
            return []
        display = isinstance(stmt, gast.Assign) and self.scope.operation(stmt.value).kind == "container"
        return [part.id for part in (items(stmt.value) if display else stmt.value.args[-1:])
                if isinstance(part, gast.Name) and part.id in self.scope.local and part.id not in self.displayed
                and env.get(part.id, Spec()).kind not in ("list", "tuple") and not is_leaf(env.get(part.id, Spec()))]

    def _definition(self, node: Node) -> None:
        """What is shared must not be changed later."""
        stmt = node.stmt
        if node.kind != "stmt" or isinstance(stmt, gast.AugAssign):
            return
        contents, stacks = self.later_contents.after(stmt), self.later_stacks.after(stmt)
        for name in sorted(access(node).define):
            if self.temporary(name):
                self._held(node, name, contents)
                continue
            shared = {p for p, how in self.aliases.after[node.index].partners(name)
                      if p != name if p in contents or (name in contents and (p == CALLER or not self.temporary(p)))
                      or p in stacks and how not in ("of", "view", "share", "keeps")
                      or name in stacks and how not in ("holds", "view", "share", "keeps")
                      if (p, how) != (CALLER, "given") or not self._owners(name)}
            shared -= {p for p in shared if frozenset((name, p)) in self.kept}
            if name in self.passed_on and name not in stacks:     # refused where it changes while it is to be passed on
                continue
            shared -= self.passed_on - stacks
            if not shared:
                continue
            item = isinstance(getattr(stmt, "value", None), gast.Subscript) \
                and not certainly_memory(self.kinds.after(stmt).get(name, Spec())) and name not in stacks \
                and (CALLER not in shared or name in contents)
            guards = [] if item else self._only_numbers_changed(shared | {name})
            if guards:
                self.guarded.update(other.index for other in guards)
            elif item and name in contents and self._only_numbers_changed({name}):
                self.checked.add(node.index)
            elif name not in contents and name not in stacks:
                spec = self.kinds.after(stmt).get(name, Spec())
                whole = isinstance(getattr(stmt, "value", None), gast.Name)
                if not certainly_memory(spec) and spec.kind != "tuple" and not whole and len(access(node).define) == 1:
                    self.checked.add(node.index)
                else:                                  # the backward pass may read this value after the change
                    self.late.append((stmt, sorted(shared)[0], name))

    def _held(self, node: Node, name: str, changed: Names) -> None:
        """A container of ours, `list((y, x))`, of an array that changes, which the backward pass may read after that.
        Displays, and parts, are read anew."""
        if name in self.copied.held | self.passed_on or name in self.displayed and len(self.definitions[name]) == 1 \
                or isinstance(getattr(node.stmt, "value", None), (gast.Subscript, gast.Attribute)):
            return
        held = {p for p, how in self.aliases.after[node.index].partners(name)
                if p in changed and how in ("holds", "share", "keeps")}
        self.late += [(node.stmt, p, name) for p in sorted(held)[:1]]

    def _only_numbers_changed(self, names: set[str]) -> list[Node]:
        """The statements `x += v` that change these names, if nothing else does and each x may be a number."""
        found = []
        for node in self.graph.nodes:
            if not names & (self.contents[node.index] | (access(node).update if is_stack_method(node) else NONE)):
                continue
            stmt = node.stmt
            if not (isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name)) \
                    or certainly_memory(self.kinds.at(node).get(stmt.target.id, Spec())):
                return []
            found.append(node)
        return found


def _changed(graph: Graph, updates: Mapping[int, Names]) -> Facts:
    """The names that are still to be changed after each node."""
    def kept(node: Node) -> list[Flow]:
        return [((name,), name) for name in access(node).define] if isinstance(node.stmt, gast.AugAssign) else []
    return spread(graph, (), lambda node: updates[node.index], kept, forward=False)


def check_places(judge: _Judge) -> None:
    """Where the checks go: before `x += v`, after the definitions."""
    for node in judge.graph.nodes:
        if node.index in judge.puts:
            judge.result.check_leaf[id(node.stmt)] = list(dict.fromkeys(judge.unknown(node)))
        if node.index in judge.guarded:
            judge.result.check_before[id(node.stmt)] = [node.stmt.target.id]
        if node.index in judge.checked:
            judge.result.check_after[id(node.stmt)] = sorted(access(node).define)
