"""Paths apart: where a branch decides for which array a name stands, what follows is written in each branch.

Needs a body with one exit, of which something is changed in place. Promises that after a branch no name stands for one
of two arrays, as far as the text grows to no more than `MOST` statements, and that names which change places for good
are renamed. Only what is refused otherwise is written so: it is longer, and the same.

    if c:                            if c:
        q = x                            x[0] = v
    else:                                y = np.sum(x)
        q = np.ones(3)         →     else:
    x[0] = v                             q = np.ones(3)
    y = np.sum(q)                        x[0] = v
                                         y = np.sum(q)

    x, y = y, x                →     y[0] = v             to the end of the function
    x[0] = v
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast

from ..analyse.flow import access, possible
from ..analyse.graph import Graph
from ..analyse.one_memory import roots
from ..analyse.resolve import Scope
from ..syntax.blocks import change_blocks, statements
from ..syntax.building import assign, clone, load, mark, origin_of, rename
from ..syntax.names import Names
from ..syntax.nodes import reads, target_names, walk, writes
from .parts import LATER, changed_names
from .rows import related

MOST = 150             # statements


def paths_apart(body: list[gast.stmt], names: Names, scope: Scope, result: str,
                parameters: Sequence[str]) -> list[gast.stmt]:
    """The body, its paths apart where that helps; result: a name for what it returns."""
    *rest, last = clone(body)
    if not isinstance(last, gast.Return) or isinstance(last.value, gast.Tuple):
        return body
    if not isinstance(last.value, gast.Name) or last.value.id in changed_names(rest):      # a branch may decide that
        name = names.new(result)
        scope.local.add(name)
        rest.append(assign(name, last.value, origin=origin_of(last)))
        last = mark(gast.Return(load(name)),
                    **{one: value for one, value in vars(last).items() if one not in last._fields})
    new = [*_Paths(body, scope).block(rest, at_end=last.value.id), last]
    return body if _unbound(new, writes(body), parameters) else new


def _unbound(body: list[gast.stmt], local: set[str], parameters: Sequence[str]) -> bool:
    """A name is read where no path has bound it: as Python says that, the text is left as it is."""
    graph = Graph(body)
    bound = possible(graph, parameters)
    return any(access(node).use & local - bound.at(node) for node in graph.nodes)


class _Paths:
    def __init__(self, body: list[gast.stmt], scope: Scope) -> None:
        self.scope, self.room = scope, MOST - sum(1 for _ in statements(body))
        changed, known = changed_names(body), related(body, scope)
        self.concerned = {name for name in scope.local if changed & known.get(name, {name})}

    def block(self, body: list[gast.stmt], at_end: str = "") -> list[gast.stmt]:
        """at_end: the name that the function returns after the block, if it ends there."""
        out: list[gast.stmt] = []
        for i, stmt in enumerate(body):
            rest = body[i + 1:]
            one: Any = _as_branch(stmt)
            if at_end and (exchanged := _exchanged(one, at_end)) and self.concerned & exchanged.keys() \
                    and not any(isinstance(node, LATER) for node in walk(rest)):
                return [*out, *self.block(rename(clone(rest), exchanged), at_end)]
            if isinstance(one, gast.If) and self._decides(one, rest):
                size = sum(1 for _ in statements(rest))
                if size <= self.room:
                    self.room -= size
                    one = one if one is not stmt else clone(stmt)
                    one.body = self.block([*one.body, *clone(rest)], at_end)
                    one.orelse = self.block([*one.orelse, *clone(rest)], at_end)
                    return [*out, one]
            change_blocks(stmt, self.block)
            out.append(stmt)
        return out

    def _decides(self, branch: gast.If, rest: list[gast.stmt]) -> bool:
        """Whether for some name that is read later a branch decides what it stands for."""
        later = {name for stmt in rest for name in reads(stmt) | changed_names([stmt])} & self.concerned
        given = {name for stmt in statements([*branch.body, *branch.orelse]) for name in self._given(stmt)}
        leaves = any(isinstance(stmt, (gast.Break, gast.Continue)) for stmt in statements([branch, *rest]))
        return bool(given & later) and not leaves

    def _given(self, stmt: Any) -> Iterator[str]:
        """The names that a statement gives an array to which has another name."""
        if isinstance(stmt, gast.Assign) and roots(stmt.value, self.scope) & self.scope.local:
            for target in stmt.targets:
                yield from target_names(target)


def _as_branch(stmt: Any) -> Any:
    """`if c: v = a`, `else: v = b` for `v = a if c else b`."""
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.IfExp) \
            or [type(target) for target in stmt.targets] != [gast.Name]:
        return stmt
    ways = [[assign(stmt.targets[0].id, clone(value), origin=origin_of(stmt))]
            for value in (stmt.value.body, stmt.value.orelse)]
    return mark(gast.If(stmt.value.test, *ways), origin=origin_of(stmt))


def _exchanged(stmt: Any, kept: str) -> Mapping[str, str]:
    """`{"a": "b", "b": "a"}` for `a, b = b, a`."""
    target, value = (stmt.targets[0], stmt.value) if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 \
        else (None, None)
    if not isinstance(target, gast.Tuple) or not isinstance(value, gast.Tuple) \
            or not all(isinstance(one, gast.Name) for one in (*target.elts, *value.elts)):
        return {}
    found = {old.id: new.id for old, new in zip(target.elts, value.elts, strict=False)}
    return found if found.keys() == set(found.values()) and len(found) == len(target.elts) and kept not in found else {}

