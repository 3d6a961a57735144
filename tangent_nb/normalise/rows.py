"""Loops over arrays that change while they are gone over, as loops over their indices.

Needs a body as the user wrote it, in which loops have no else. Promises that a loop over an array which its body
changes, or of which it changes the rows, names each row as a part of the array: Python gives views of the array as it
is at each step. Loops over a display of variables that the body changes are written once for each of them. Other loops
stay as they are.

    for i, row in enumerate(A):        for i in range(len(A)):
        row[0] = x * i           →         row = A[i]
                                           row[0] = x * i

    for v in (a, b):                   v = a
        v *= x                   →     v *= x
                                       v = b
                                       v *= x
"""
from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import gast

from ..analyse.flow import bound_by
from ..analyse.graph import Graph
from ..analyse.kinds import Env, Kinds, spec_of
from ..analyse.one_memory import roots
from ..analyse.resolve import Scope
from ..syntax.blocks import is_break, rebuild, statements
from ..syntax.building import assign, call, clone, load, mark, origin_of, rename, store, subscript
from ..syntax.closure import Groups
from ..syntax.names import Names
from ..syntax.nodes import is_atom, reads, target_names
from ..syntax.spec import Spec
from .parts import as_part, changed_names

COPIES = 40            # statements that a loop over a display may become


def over_rows(body: list[gast.stmt], names: Names, scope: Scope, specs: Mapping[str, Spec]) -> list[gast.stmt]:
    """The body with such loops over indices. specs: of the parameters."""
    done: set[int] = set()
    while True:
        known = related(body, scope)
        loop: Any = next((stmt for stmt in statements(body) if isinstance(stmt, gast.For) and id(stmt) not in done
                          and _changes(stmt, known, scope)), None)
        if loop is None:
            return body
        apart, changed = related(body, scope, loop), changed_names(loop.body)
        changed = changed.union(*(apart.get(name, set()) for name in changed))
        new = _of_display(loop) \
            or _Rows(loop, Kinds(Graph(body), scope, specs).before(loop), names, scope, changed).written()
        body = rebuild(body, functools.partial(_exchanged, loop, new))
        done |= {id(loop), *map(id, new)}


def _exchanged(old: gast.stmt, new: list[gast.stmt], stmt: gast.stmt) -> list[gast.stmt] | None:
    return new if stmt is old else None


def related(body: Sequence[gast.stmt], scope: Scope, without: gast.stmt | None = None) -> dict[str, set[str]]:
    """Of each name all whose memory it may share, by what the text assigns and goes over; one loop may be left out."""
    groups = Groups()
    for stmt in statements(body):
        if isinstance(stmt, gast.For) and stmt is not without:
            groups.join({*target_names(stmt.target), *reads(stmt.iter)} & scope.local)
        elif isinstance(stmt, gast.Assign) \
                and (names := {name for target in stmt.targets for name in target_names(target)}):
            groups.join(names | roots(stmt.value, scope) & scope.local)
    return groups.members()


def _changes(stmt: Any, related: Mapping[str, set[str]], scope: Scope) -> bool:
    """The body of a loop changes what the loop goes over, or what it takes of that."""
    goes = {*target_names(stmt.target), *(reads(stmt.iter) & scope.local)}
    return bool(changed_names(stmt.body) & goes.union(*(related.get(name, set()) for name in goes)))


def _of_display(stmt: Any) -> list[gast.stmt] | None:
    """A loop over a display of names, whose body binds none of them, once for each of them."""
    if not isinstance(stmt.iter, (gast.List, gast.Tuple)) \
            or any(is_break(one) or isinstance(one, gast.Break) for one in statements(stmt.body)):
        return None
    targets = stmt.target.elts if isinstance(stmt.target, (gast.Tuple, gast.List)) else [stmt.target]
    items = [one.elts if isinstance(one, (gast.Tuple, gast.List)) and targets[0] is not stmt.target else [one]
             for one in stmt.iter.elts]
    names = [target.id for target in targets if isinstance(target, gast.Name)]
    known = {name for one in items for name in reads(one)}
    bound = _bound(stmt.body)
    if len(set(names)) < len(targets) or any(len(one) != len(targets) or not all(map(is_atom, one)) for one in items) \
            or known & (bound | set(names)) or not known \
            or len(items) * sum(1 for _ in statements(stmt.body)) > COPIES or not changed_names(stmt.body) & set(names):
        return None
    origin = origin_of(stmt)
    return [new for one in items for new in [
        *(mark(assign(name, clone(value)), origin=origin) for name, value in zip(names, one, strict=True)),
        *(clone(inner) for inner in stmt.body)]]


def _bound(body: Sequence[gast.stmt]) -> set[str]:
    """The names that statements bind anew: `x += v` does not."""
    return {name for stmt in statements(body) if not isinstance(stmt, gast.AugAssign) for name in bound_by(stmt)}


class _Rows:
    """One loop. changed: what its body may change; before: what stands before it; first: what its body begins with."""

    def __init__(self, stmt: Any, env: Env, names: Names, scope: Scope, changed: set[str]) -> None:
        self.stmt, self.env, self.names, self.scope, self.changed = stmt, env, names, scope, changed
        self.bound = _bound(stmt.body) | set(target_names(stmt.target))
        self.before: list[gast.stmt] = []
        self.first: list[gast.stmt] = []

    def written(self) -> list[gast.stmt]:
        """The loop, over indices where it goes over arrays."""
        target, goes = self._over(self.stmt.target, self.stmt.iter)
        if not self.first:
            return [self.stmt]
        new = mark(gast.For(target, goes, [*self.first, *self.stmt.body], [], None), origin=origin_of(self.stmt))
        return [*self.before, new]

    def _over(self, target: Any, goes: Any) -> tuple[Any, Any]:
        """The target and what it goes over, with indices for rows."""
        fn = self.scope.value(goes.func) if isinstance(goes, gast.Call) and not goes.keywords else None
        pair = isinstance(target, (gast.Tuple, gast.List))
        if fn is enumerate and pair and len(target.elts) == 2 and len(goes.args) <= 2:
            return self._counted(target, goes)
        if fn is zip and pair and len(target.elts) == len(goes.args):
            found = [self._over(one, source) for one, source in zip(target.elts, goes.args, strict=True)]
            if all(new is not old and _length(over) is not None
                   for (new, over), old in zip(found, target.elts, strict=True)):
                return self._together(found)
            return gast.Tuple([one for one, _ in found], gast.Store()), \
                gast.Call(goes.func, [over for _, over in found], [])
        if fn is reversed and len(goes.args) == 1:
            new, over = self._over(target, goes.args[0])
            return (target, goes) if new is target else (new, gast.Call(goes.func, [over], []))
        return self._row(target, goes)

    def _row(self, target: Any, goes: Any) -> tuple[Any, Any]:
        """`for k in range(len(A))` with `row = A[k]` for `for row in A`."""
        spec = spec_of(goes, self.env, self.scope)
        if not isinstance(target, gast.Name) or not spec.is_number or not reads(goes) & self.scope.local \
                or spec.kind != "array" and not (reads(goes) | {target.id}) & self.changed:     # it may be an iterator
            return target, goes
        path = as_part(goes, self.env, self.scope) or goes
        if not isinstance(path, gast.Name) or path.id in self.bound:
            items = self._new("items")
            self.before.append(mark(assign(items, path), origin=origin_of(self.stmt)))
            path = load(items)
        index = self._new("k")
        self.first.append(assign(target, subscript(clone(path), load(index)), origin=origin_of(self.stmt)))
        return store(index), call("%range", call("%len", clone(path)))

    def _counted(self, target: Any, goes: Any) -> tuple[Any, Any]:
        """`for i in range(len(A))` for `for i, row in enumerate(A)`, where the body leaves i alone."""
        count, item = target.elts
        new, over = self._over(item, goes.args[0])
        bound = _bound(self.stmt.body) | changed_names(self.stmt.body)
        if len(goes.args) == 1 and new is not item and _length(over) is not None and isinstance(count, gast.Name) \
                and count.id not in bound:
            rename(self.first, {new.id: count.id})
            return count, over
        return gast.Tuple([count, new], gast.Store()), gast.Call(goes.func, [over, *goes.args[1:]], [])

    def _together(self, found: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
        """One index for several arrays, up to the end of the shortest."""
        index, lengths = found[0][0], [_length(over) for _, over in found]
        rename(self.first, {other.id: index.id for other, _ in found[1:]})
        return index, call("%range", call("%min", *lengths) if len(lengths) > 1 else lengths[0])

    def _new(self, name: str) -> str:
        new = self.names.new(name)
        self.scope.local.add(new)
        return new


def _length(goes: Any) -> Any:
    """The length in `range(length)`, which is ours."""
    return goes.args[0] \
        if isinstance(goes, gast.Call) and isinstance(goes.func, gast.Name) and goes.func.id == "%range" else None
