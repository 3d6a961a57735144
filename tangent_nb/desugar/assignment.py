"""Definite assignment: where a name of a function may not be bound when it is read, as far as the text says.

Needs the text of a function as it was written. Promises a mark on each such place, which stays with the name through all stages; a name that was
read is bound behind it, since Python would have raised. A function inside sees what is bound wherever it is named.

    for i in range(n):
        y = x * i
    return y                   `y.unsure = ("y", False)`; with `range(3)` in the place of `range(n)` there is none
"""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

import gast

from ..syntax.nodes import children, literal
from .scopes import COMPREHENSIONS, FUNCTIONS, bound, captured, free, own, parameters, targets

Bound = frozenset[str] | None                  # None where control does not come


def mark_unsure(tree: gast.FunctionDef, found: Callable[[str], bool], may_swallow: Callable[[gast.expr], bool],
                value: Callable[[gast.expr], Any]) -> None:
    """Mark the names in a text, and in the functions inside of it, that may not be bound where they are read. found: a name that is none of
    the function's is bound outside; may_swallow: a context manager may keep an exception to itself; value: what an expression means."""
    _Scope(tree, found, may_swallow, value).run()


def _meet(*ends: Bound) -> Bound:
    """What is bound on all paths that come together."""
    known = [end for end in ends if end is not None]
    return reduce(frozenset.intersection, known) if known else None


class _Scope:
    """One function: which of its names are bound at a point. inner: the names that functions inside read without being sure of them when they
    are defined, by the names of these functions."""

    def __init__(self, tree: Any, found: Callable[[str], bool], may_swallow: Callable[[gast.expr], bool],
                 value_of: Callable[[gast.expr], Any]) -> None:
        self.tree, self.found, self.may_swallow, self.value_of = tree, found, may_swallow, value_of
        self.local = bound(tree)
        self.inner: dict[str, set[str]] = {}
        self.nested: list[Any] = []
        self.seen_inside: set[str] = set()
        self.outside = False                               # in a comprehension that is a function to Python
        self.loops: list[tuple[list[Bound], list[Bound]]] = []           # of those around: what is bound at `break`, and at `continue`
        self.deleted = {name for node in own(self.body) for name in _deleted(node)}

    @property
    def body(self) -> list[Any]:
        return self.tree.body if isinstance(self.tree.body, list) else [self.tree.body]

    def run(self) -> None:
        start = frozenset(node.id for node in parameters(self.tree))
        if isinstance(self.tree.body, list):
            self.block(self.tree.body, start)
        else:
            self.read(self.tree.body, start)
        for node in {id(one): one for one in self.nested}.values():
            _Scope(node, lambda name: name in self.local or self.found(name), self.may_swallow, self.value_of).run()
            _mark_free(node, free(node) & self.seen_inside & self.local)
        self.tree.unsure_inside = frozenset(self.seen_inside)

    # ------------------------------------------------------------------ names
    def use(self, node: Any, now: frozenset[str]) -> frozenset[str]:
        """A name is read."""
        name = node.id
        if name in self.inner:
            self.seen_inside |= self.inner[name] - now
        if name in now or name not in self.local and self.found(name):
            return now
        node.unsure = (name, self.outside and name in self.local)
        return now | {name}

    def define(self, node: Any, now: frozenset[str]) -> None:
        """A function inside, at the place where it is made."""
        self.nested.append(node)
        names = free(node) & self.local
        doubtful = {name for name in names if name not in now or name in self.deleted}
        called = set().union(*(self.inner.get(name, set()) for name in names))
        if isinstance(node, gast.FunctionDef):
            self.inner[node.name] = self.inner.get(node.name, set()) | doubtful | called - {node.name}
        else:
            self.seen_inside |= doubtful | called

    # ------------------------------------------------------------------ expressions
    def read(self, node: Any, now: frozenset[str]) -> frozenset[str]:
        """What is bound when an expression is evaluated."""
        return _meet(*self.decide(node, now)) or frozenset()

    def decide(self, node: Any, now: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """What is bound where an expression is true, and where it is false."""
        if isinstance(node, gast.BoolOp):
            leaves: list[frozenset[str]] = []
            true = isinstance(node.op, gast.And)
            for value in node.values:
                yes, no = self.decide(value, now)
                now, out = (yes, no) if true else (no, yes)
                leaves.append(out)
            other = reduce(frozenset.intersection, leaves)
            return (now, other) if true else (other, now)
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            yes, no = self.decide(node.operand, now)
            return no, yes
        done = self.value(node, now)
        return done, done

    def value(self, node: Any, now: frozenset[str]) -> frozenset[str]:
        if isinstance(node, gast.Name):
            return self.use(node, now)
        if isinstance(node, gast.IfExp):
            yes, no = self.decide(node.test, now)
            return self.read(node.body, yes) & self.read(node.orelse, no)
        if isinstance(node, gast.NamedExpr):
            return self.read(node.value, now) | {node.target.id}
        if isinstance(node, gast.Compare):
            first = self.read(node.comparators[0], self.read(node.left, now))
            self.each(node.comparators[1:], first)         # not evaluated where one before is false
            return first
        if isinstance(node, FUNCTIONS):
            now = self.each([*node.args.defaults, *filter(None, node.args.kw_defaults)], now)
            self.define(node, now)
            return now
        if isinstance(node, COMPREHENSIONS):
            return self.comprehension(node, now)
        return self.each(children(node), now)

    def each(self, nodes: Iterable[Any], now: frozenset[str]) -> frozenset[str]:
        for node in nodes:
            now = self.read(node, now)
        return now

    def comprehension(self, node: Any, now: frozenset[str]) -> frozenset[str]:
        """The first iterable is evaluated in any case."""
        now = self.read(node.generators[0].iter, now)
        mine = targets(node)
        outside, self.outside = self.outside, self.outside or isinstance(node, gast.GeneratorExp) or sys.version_info < (3, 12)
        inside = now | mine
        for i, one in enumerate(node.generators):
            inside = self.read(one.iter, inside) if i else inside
            for test in one.ifs:
                inside = self.decide(test, inside)[0]
        parts = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        self.each(parts, inside)
        self.outside = outside
        return now

    # ------------------------------------------------------------------ statements
    def block(self, body: Sequence[gast.stmt], now: Bound) -> Bound:
        for stmt in body:
            if now is None:
                return None
            method = getattr(self, f"_{type(stmt).__name__.lower()}", self._simple)
            now = method(stmt, now)
        return now

    def bind(self, target: Any, now: frozenset[str]) -> frozenset[str]:
        if isinstance(target, gast.Name):
            return now | {target.id}
        if isinstance(target, (gast.Tuple, gast.List)):
            for one in target.elts:
                now = self.bind(one, now)
            return now
        return self.bind(target.value, now) if isinstance(target, gast.Starred) else self.value(target, now)

    def _simple(self, stmt: Any, now: frozenset[str]) -> Bound:
        now = self.value(stmt, now)
        return None if isinstance(stmt, (gast.Return, gast.Raise)) else now

    def _assign(self, stmt: gast.Assign, now: frozenset[str]) -> Bound:
        now = self.read(stmt.value, now)
        for target in stmt.targets:
            now = self.bind(target, now)
        return now

    def _annassign(self, stmt: gast.AnnAssign, now: frozenset[str]) -> Bound:
        return now if stmt.value is None else self.bind(stmt.target, self.read(stmt.value, now))

    def _augassign(self, stmt: gast.AugAssign, now: frozenset[str]) -> Bound:
        return self.read(stmt.value, self.value(stmt.target, now))

    def _assert(self, stmt: gast.Assert, now: frozenset[str]) -> Bound:
        yes, no = self.decide(stmt.test, now)
        self.each(_list(stmt.msg), no)
        return yes

    def _delete(self, stmt: gast.Delete, now: frozenset[str]) -> Bound:
        for target in stmt.targets:
            now = self.value(target, now) - {getattr(target, "id", "")}
        return now

    def _pass(self, stmt: Any, now: frozenset[str]) -> Bound:
        return now

    _global = _nonlocal = _pass

    def _import(self, stmt: Any, now: frozenset[str]) -> Bound:
        return now | {(alias.asname or alias.name).partition(".")[0] for alias in stmt.names}

    _importfrom = _import

    def _functiondef(self, stmt: Any, now: frozenset[str]) -> Bound:
        now = self.each([*stmt.decorator_list, *stmt.args.defaults, *filter(None, stmt.args.kw_defaults)], now)
        self.define(stmt, now)
        return now | {stmt.name}

    def _classdef(self, stmt: gast.ClassDef, now: frozenset[str]) -> Bound:
        return self.each([*stmt.decorator_list, *stmt.bases], now) | {stmt.name}

    def _break(self, stmt: Any, now: frozenset[str]) -> Bound:
        self.loops[-1][0].append(now)
        return None

    def _continue(self, stmt: Any, now: frozenset[str]) -> Bound:
        self.loops[-1][1].append(now)
        return None

    def _if(self, stmt: gast.If, now: frozenset[str]) -> Bound:
        yes, no = self.decide(stmt.test, now)
        return _meet(self.block(stmt.body, yes), self.block(stmt.orelse, no))

    def _for(self, stmt: gast.For, now: frozenset[str]) -> Bound:
        return self.loop(stmt, self.read(stmt.iter, now), _is_filled(stmt.iter, self.value_of))

    def _while(self, stmt: gast.While, now: frozenset[str]) -> Bound:
        return self.loop(stmt, now, False)

    def loop(self, stmt: Any, now: frozenset[str], once: bool) -> Bound:
        """once: the body is done once for certain."""
        while True:
            self.loops.append(([], []))
            yes = no = now
            if isinstance(stmt, gast.While):
                yes, no = self.decide(stmt.test, now)
            else:
                yes = self.bind(stmt.target, now)
            end = self.block(stmt.body, yes)
            broken, continued = self.loops.pop()
            end = _meet(end, *continued)
            if end is None or now <= end:
                break
            now &= end                                     # what the body deletes is gone when it begins again
        ends = end if once else no
        if isinstance(stmt, gast.While) and isinstance(stmt.test, gast.Constant) and stmt.test.value:
            ends = None
        return _meet(self.block(stmt.orelse, ends), *broken)

    def _try(self, stmt: Any, now: frozenset[str]) -> Bound:
        for one in stmt.body:                              # what cannot raise comes first
            if not isinstance(one, gast.Assign) or not isinstance(one.value, gast.Constant) and getattr(one.value, "id", "") not in now \
                    or not all(isinstance(target, gast.Name) for target in one.targets):
                break
            now |= {target.id for target in one.targets}
        gone = {name for one in stmt.body for node in own([one]) for name in _deleted(node)}
        end = self.block(stmt.body, now)
        ends = [self.block(stmt.orelse, end)]
        for handler in stmt.handlers:
            start = self.each(_list(handler.type), now - gone)
            name = {handler.name.id} if handler.name is not None else set()
            done = self.block(handler.body, start | name)
            ends.append(None if done is None else done - name)
        end = _meet(*ends)
        if stmt.finalbody:
            every = {name for node in own([stmt]) for name in _deleted(node)}
            self.block(stmt.finalbody, now - every)        # after an exception, or on the way out
            end = self.block(stmt.finalbody, end)
        return end

    def _with(self, stmt: Any, now: frozenset[str]) -> Bound:
        for item in stmt.items:
            now = self.read(item.context_expr, now)
            now = self.bind(item.optional_vars, now) if item.optional_vars is not None else now
        end = self.block(stmt.body, now)
        if not any(self.may_swallow(item.context_expr) for item in stmt.items):
            return end
        return _meet(end, now - {name for node in own(stmt.body) for name in _deleted(node)})

    def _match(self, stmt: Any, now: frozenset[str]) -> Bound:
        now = self.read(stmt.subject, now)
        ends: list[Bound] = []
        for case in stmt.cases:
            yes, no = now | captured(case.pattern), now
            if case.guard is not None:
                yes, _ = self.decide(case.guard, yes)
            ends.append(self.block(case.body, yes))
            if case.guard is None and isinstance(case.pattern, gast.MatchAs) and case.pattern.pattern is None:
                return _meet(*ends)
            now = no
        return _meet(now, *ends)


def _deleted(node: Any) -> set[str]:
    """The names that a statement deletes: those of exceptions at the end of their handlers too."""
    if isinstance(node, gast.ExceptHandler):
        return {node.name.id} if node.name is not None else set()
    return {target.id for target in node.targets if isinstance(target, gast.Name)} if isinstance(node, gast.Delete) else set()


def _mark_free(tree: Any, names: frozenset[str] | set[str]) -> None:
    """Mark the names of the function around that a function inside reads."""
    local = bound(tree)
    names = set(names) - local
    for node in own(tree.body):
        if isinstance(node, FUNCTIONS):
            _mark_free(node, names)
        elif isinstance(node, gast.Name) and node.id in names and isinstance(node.ctx, gast.Load):
            node.unsure = (node.id, True)


def _is_filled(node: Any, value_of: Callable[[gast.expr], Any]) -> bool:
    """A loop over it is done once for certain: `range(3)`, a display with an item."""
    if isinstance(node, (gast.Tuple, gast.List, gast.Set)):
        return any(not isinstance(one, gast.Starred) for one in node.elts)
    fn = value_of(node.func) if isinstance(node, gast.Call) else None
    if fn is range and not node.keywords:
        bounds = [literal(arg, None) for arg in node.args]
        return all(type(one) is int for one in bounds) and len(range(*bounds)) > 0
    if any(fn is one for one in (enumerate, reversed, sorted)) and node.args:
        return _is_filled(node.args[0], value_of)
    return isinstance(node, gast.Constant) and isinstance(node.value, (str, bytes)) and bool(node.value)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, gast.AST) else []
