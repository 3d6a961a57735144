"""Definite assignment: where a name of a function may not be bound when it is read, as far as the text says.

Needs the text of a function as it was written. Promises marks on each such place, which stay with the name through all
stages: `unsure`, what it is called and whether it is of a function around; `first`, whether nothing could raise before
it in its statement; `named`, where it has to stay a name, since what it holds is changed. A name that was read is bound
behind it, since Python would have raised. A function inside sees what is bound wherever it is named.

    for i in range(n):
        y = x * i
    return y                   `y.unsure = ("y", False)`; with `range(3)` in the place of `range(n)` there is none
"""
from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import gast

from ..analyse.managers import suppressed
from ..analyse.resolve import Scope
from ..syntax.nodes import children, dotted, literal, nodes_of, taken_of
from ..syntax.program import MISSING
from .scopes import COMPREHENSIONS, FUNCTIONS, bound, captured, changed_name, free, own, parameters

Bound = frozenset[str] | None                  # None where control does not come
HARMLESS = (gast.Constant, gast.Tuple, gast.List, gast.Dict, gast.keyword)


def mark_unsure(tree: gast.FunctionDef, scope: Scope) -> None:
    """Mark the names in a text, and in the functions inside of it, that may not be bound where they are read.
    scope: what is around it."""
    _Scope(tree, scope).run()


def _meet(*ends: Bound) -> Bound:
    """What is bound on all paths that come together."""
    known = [end for end in ends if end is not None]
    return reduce(frozenset.intersection, known) if known else None


class _Scope:
    """One function: which of its names are bound at a point. outer: the names of functions around; around: those of
    them that may not be bound; inner: the names that functions inside read without being sure of them when they are
    defined, by the names of these functions; outside: in a comprehension that is a function to Python; sure: nothing
    that was evaluated could raise; loops: of those around, what is bound at `break`, and at `continue`."""

    def __init__(self, tree: Any, scope: Scope, outer: frozenset[str] = frozenset(),
                 around: frozenset[str] = frozenset()) -> None:
        self.tree, self.scope, self.outer, self.around = tree, scope, outer, around
        self.local, self.deleted = bound(tree), _deleted(tree.body)
        self.inner: dict[str, set[str]] = {}
        self.nested: dict[int, Any] = {}
        self.seen_inside: set[str] = set()
        self.outside = self.sure = False
        self.loops: list[tuple[list[Bound], list[Bound]]] = []

    def run(self) -> None:
        start = frozenset(node.id for node in parameters(self.tree))
        if isinstance(self.tree.body, list):
            self.block(self.tree.body, start)
        else:
            self.alone([self.tree.body], start)
        around = self.around - self.local | self.seen_inside & self.local
        for node in self.nested.values():
            _Scope(node, self.scope, self.outer | self.local, around).run()
        self.tree.unsure_inside = frozenset(self.seen_inside)

    # ------------------------------------------------------------------ names
    def name(self, node: gast.Name, now: frozenset[str]) -> frozenset[str]:
        if isinstance(node.ctx, gast.Load):
            return self.use(node, now)
        return self.use(node, now) - {node.id} if isinstance(node.ctx, gast.Del) else now | {node.id}

    def use(self, node: Any, now: frozenset[str]) -> frozenset[str]:
        """A name is read."""
        name = node.id
        if name in self.inner:
            self.seen_inside |= self.inner[name] - now
        own = name in self.local
        around = not own and name in self.around
        if name in now or not own and not around and (name in self.outer or self.found(name)):
            return now
        node.unsure, node.first = (name, around or self.outside and own), self.sure
        return now | {name}

    def found(self, name: str) -> bool:
        """The name is bound outside."""
        return name.startswith("%") or self.scope.namespace.lookup(name) is not MISSING

    def define(self, node: Any, now: frozenset[str]) -> None:
        """A function inside, at the place where it is made."""
        self.nested[id(node)] = node
        names = free(node) & self.local
        doubtful = names - now | names & self.deleted
        called = set().union(*(self.inner.get(name, set()) for name in names))
        if isinstance(node, gast.FunctionDef):
            self.inner[node.name] = self.inner.get(node.name, set()) | doubtful | called - {node.name}
        else:
            self.seen_inside |= doubtful | called

    # ------------------------------------------------------------------ expressions
    def decide(self, node: Any, now: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """What is bound where an expression is true, and where it is false."""
        if isinstance(node, gast.BoolOp):
            leaves: list[frozenset[str]] = []
            true = isinstance(node.op, gast.And)
            for value in node.values:
                yes, no = self.decide(value, now)
                now, out = (yes, no) if true else (no, yes)
                leaves.append(out)
                self.sure = False
            other = reduce(frozenset.intersection, leaves)
            return (now, other) if true else (other, now)
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            yes, no = self.decide(node.operand, now)
            self.sure = False
            return no, yes
        done = self.value(node, now)
        self.sure = self.sure and (isinstance(node, HARMLESS) or dotted(node) is not None)
        return done, done

    def each(self, nodes: Iterable[Any], now: frozenset[str]) -> frozenset[str]:
        """What is bound when operands have been evaluated."""
        for node in nodes:
            yes, no = self.decide(node, now)
            now = yes & no
        return now

    def value(self, node: Any, now: frozenset[str]) -> frozenset[str]:
        if isinstance(node, gast.Name):
            return self.name(node, now)
        if isinstance(node, gast.IfExp):
            yes, no = self.decide(node.test, now)
            self.sure = False
            return self.each([node.body], yes) & self.each([node.orelse], no)
        if isinstance(node, gast.Compare):
            first = self.each([node.left, node.comparators[0]], now)
            self.sure = False
            self.each(node.comparators[1:], first)         # not evaluated where one before is false
            return first
        if isinstance(node, COMPREHENSIONS):
            return self.comprehension(node, now)
        if changed_name(node) is not None:
            base = node.func if isinstance(node, gast.Call) else node
            while (inner := taken_of(base)) is not None:
                base = inner
            base.named = True
        now = self.each(evaluated(node), now)
        if isinstance(node, FUNCTIONS):
            self.define(node, now)
        return now

    def alone(self, nodes: Iterable[Any], now: frozenset[str]) -> frozenset[str]:
        """The same for what begins a statement where it is written as one: in functions that are expressions,
        and comprehensions."""
        self.sure = True
        return self.each(nodes, now)

    def comprehension(self, node: Any, now: frozenset[str]) -> frozenset[str]:
        """The first iterable is evaluated in any case."""
        outside = self.outside
        now = inside = self.alone([node.generators[0].iter], now)
        self.outside = outside or isinstance(node, gast.GeneratorExp) or sys.version_info < (3, 12)
        for i, one in enumerate(node.generators):
            inside = self.alone([one.iter, one.target] if i else [one.target], inside)
            for test in one.ifs:
                self.sure = True
                inside = self.decide(test, inside)[0]
        self.alone([node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt], inside)
        self.outside, self.sure = outside, False
        return now

    # ------------------------------------------------------------------ statements
    def block(self, body: Sequence[gast.stmt], now: Bound) -> Bound:
        for stmt in body:
            if now is None:
                return None
            self.sure = not isinstance(stmt, (gast.While, gast.Try))
            now = getattr(self, f"_{type(stmt).__name__.lower()}", self._simple)(stmt, now)
        return now

    def _simple(self, stmt: Any, now: frozenset[str]) -> Bound:
        now = self.value(stmt, now)
        if isinstance(stmt, (gast.Break, gast.Continue)):
            self.loops[-1][isinstance(stmt, gast.Continue)].append(now)
        if isinstance(stmt, (gast.Import, gast.ImportFrom)):
            return now | {(alias.asname or alias.name).partition(".")[0] for alias in stmt.names}
        if isinstance(stmt, (gast.FunctionDef, gast.ClassDef)):
            return now | {stmt.name}
        return None if isinstance(stmt, (gast.Return, gast.Raise, gast.Break, gast.Continue)) else now

    def _augassign(self, stmt: gast.AugAssign, now: frozenset[str]) -> Bound:
        now = self.use(stmt.target, now) if isinstance(stmt.target, gast.Name) else now
        return self.each([stmt.target, stmt.value], now)

    def _assert(self, stmt: gast.Assert, now: frozenset[str]) -> Bound:
        yes, no = self.decide(stmt.test, now)
        self.sure = False
        self.each([stmt.msg] if stmt.msg is not None else [], no)
        return yes

    def _if(self, stmt: gast.If, now: frozenset[str]) -> Bound:
        yes, no = self.decide(stmt.test, now)
        return _meet(self.block(stmt.body, yes), self.block(stmt.orelse, no))

    def _for(self, stmt: gast.For, now: frozenset[str]) -> Bound:
        return self._while(stmt, self.each([stmt.iter], now), once=_is_filled(stmt.iter, self.scope))

    def _while(self, stmt: Any, now: frozenset[str], *, once: bool = False) -> Bound:
        """A loop. once: the body is done once for certain."""
        while True:
            self.loops.append(([], []))
            self.sure = False
            yes, no = self.decide(stmt.test, now) if isinstance(stmt, gast.While) \
                else (self.each([stmt.target], now), now)
            end = self.block(stmt.body, yes)
            broken, continued = self.loops.pop()
            end = _meet(end, *continued)
            if end is None or now <= end:
                break
            now &= end                                     # what the body deletes is gone when it begins again
        endless = isinstance(stmt, gast.While) and isinstance(stmt.test, gast.Constant) and stmt.test.value
        return _meet(None if endless else self.block(stmt.orelse, end if once else no), *broken)

    def _try(self, stmt: Any, now: frozenset[str]) -> Bound:
        for one in stmt.body:                              # what cannot raise comes first
            if not isinstance(one, gast.Assign) \
                    or not isinstance(one.value, gast.Constant) and getattr(one.value, "id", "") not in now \
                    or not all(isinstance(target, gast.Name) for target in one.targets):
                break
            now |= {target.id for target in one.targets}
        end = self.block(stmt.body, now)
        ends = [self.block(stmt.orelse, end)]
        for handler in stmt.handlers:
            self.sure = False
            start = self.each([handler.type] if handler.type is not None else [], now - _deleted(stmt.body))
            name = {handler.name.id} if handler.name is not None else set()
            done = self.block(handler.body, start | name)
            ends.append(None if done is None else done - name)
        end = _meet(*ends)
        if stmt.finalbody:
            self.block(stmt.finalbody, now - _deleted([stmt]))         # after an exception, or on the way out
            end = self.block(stmt.finalbody, end)
        return end

    def _with(self, stmt: Any, now: frozenset[str]) -> Bound:
        now = self.each(stmt.items, now)
        end = self.block(stmt.body, now)
        swallows = any(suppressed(item.context_expr, self.scope) is not None for item in stmt.items)
        return _meet(end, now - _deleted(stmt.body)) if swallows else end

    def _match(self, stmt: Any, now: frozenset[str]) -> Bound:
        now = self.each([stmt.subject], now)
        ends: list[Bound] = []
        for case in stmt.cases:
            yes = now | captured(case.pattern)
            if case.guard is not None:
                yes, _ = self.decide(case.guard, yes)
            ends.append(self.block(case.body, yes))
            if case.guard is None and isinstance(case.pattern, gast.MatchAs) and case.pattern.pattern is None:
                return _meet(*ends)
        return _meet(now, *ends)


def evaluated(node: Any) -> list[Any]:
    """The parts of a node in the order in which Python evaluates them;
    of a function what is evaluated where it is made."""
    if isinstance(node, gast.Assign):
        return [node.value, *node.targets]
    if isinstance(node, (gast.AnnAssign, gast.NamedExpr)):
        return [] if node.value is None else [node.value, node.target]
    if isinstance(node, FUNCTIONS):
        return [*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults)]
    return [*node.decorator_list, *node.bases] if isinstance(node, gast.ClassDef) else children(node)


def _deleted(body: list[Any] | gast.expr) -> set[str]:
    """The names that statements delete: those of exceptions at the end of their handlers too."""
    if not nodes_of(body, gast.ExceptHandler, gast.Delete):
        return set()
    return {node.name.id for node in own(body) if isinstance(node, gast.ExceptHandler) and node.name is not None} | {
        node.id for node in own(body) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Del)}


def _is_filled(node: Any, scope: Scope) -> bool:
    """A loop over it is done once for certain: `range(3)`, a display with an item."""
    if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
        return any(not isinstance(one, gast.Starred) for one in node.elts)
    fn = scope.value(node.func) if isinstance(node, gast.Call) else None
    if fn is range and not node.keywords:
        bounds = [literal(arg, None) for arg in node.args]
        if len(bounds) not in (1, 2, 3) or 0 in bounds[2:]:
            return False                                   # Python raises
        return all(type(one) is int for one in bounds) and len(range(*bounds)) > 0
    if any(fn is one for one in (enumerate, reversed, sorted)) and node.args:
        return _is_filled(node.args[0], scope)
    return isinstance(node, gast.Constant) and isinstance(node.value, (str, bytes)) and bool(node.value)
