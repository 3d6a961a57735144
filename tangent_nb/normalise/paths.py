"""Access paths: a name for a part of an array that is changed in place is read as that part,
so that the array has one name.

Needs a body as the user wrote it, in which loops have no else. Promises that of what may be changed in place no name is
left that stands for a part of another (`row = A[i]`, `v = y[1:]`, `B = A.T`) or for all of it (`z = y`), wherever the
part is the same at all its uses. Code that changes nothing in place stays as it is.

    for i in range(3):               for i in range(3):
        row = A[i]           →
        row[0] = x * i                   A[i, 0] = x * i
        row += v                         A[i] += v

Available expressions (A. Aho et al., "Compilers", 2nd ed., section 9.2.6): a definition `v = A[i]` holds until v, A or
i is bound again. Where only an index is, the definition gets an index of its own (`i_1 = i`).
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import and_, or_
from typing import Any

import gast

from ..analyse.effects import is_pure
from ..analyse.flow import access, liveness, mutation
from ..analyse.graph import Graph, Node
from ..analyse.identity import identified
from ..analyse.kinds import Kinds, spec_of
from ..analyse.resolve import Scope
from ..analyse.solver import solve
from ..syntax.blocks import change_blocks, rebuild, statements
from ..syntax.building import assign, clone, constant, library, load, mark, origin_of, substitute
from ..syntax.closure import Groups
from ..syntax.names import Names
from ..syntax.nodes import reads, root_name, target_names, unparse, walk
from ..syntax.spec import Spec
from .evidence import computed_from, has_parts, is_operand, is_reduced, is_whole
from .parts import (
    LATER,
    as_part,
    axes_taken,
    changed_names,
    is_path,
    is_row,
    joined,
    may_copy,
    may_fail,
    part_targets,
    unsure,
    without_all,
)
from .rows import over_rows
from .spelling import as_parts, by_names, check_view, join_indices, one_by_one, with_check

ROUNDS = 8             # views of views of views


def through_paths(body: list[gast.stmt], names: Names, scope: Scope, specs: Mapping[str, Spec]) -> list[gast.stmt]:
    """The body, with what names for parts say written as the parts. specs: of the parameters."""
    failed: set[str] = set()
    if changed_names(body):
        if not any(isinstance(stmt, gast.Try) for stmt in statements(body)):       # there all names are bound, or none
            body = rebuild(body, functools.partial(one_by_one, changed_names(body)))
        body = rebuild(body, functools.partial(by_names, changed_names(body), names, scope))
        body = over_rows(body, names, scope, specs)
        as_parts(body, scope, specs)
    for _ in range(ROUNDS):
        if not changed_names(body):
            break
        one = _Paths(body, names, scope, specs, failed)
        if not one.run():
            break
        body = one.body
    if any(isinstance(target.value, gast.Subscript) for stmt in statements(body) for target in part_targets(stmt)):
        join_indices(body, scope, specs)
    return rebuild(body, with_check)


@dataclass
class _View:
    """`name = path` at a node. certain: an array; own: the variables that keep its indices; checked: what has to be an
    array; asked: it is asked, where it would change, whether it is an array."""

    name: str
    node: Node
    path: gast.expr
    certain: bool = True
    own: dict[str, str] = field(default_factory=dict)
    checked: gast.expr | None = None
    asked: bool = False

    def seen(self) -> gast.expr:
        """The path, by the indices of its own."""
        return self.by_own(self.path)

    def by_own(self, part: gast.expr) -> gast.expr:
        """A part by the indices of its own."""
        return substitute(part, {name: load(new) for name, new in self.own.items()})


class _Paths:
    """One round: the names whose part stands on a name that is none of them.
    failed: those that are to be left alone."""

    def __init__(self, body: list[gast.stmt], names: Names, scope: Scope, specs: Mapping[str, Spec],
                 failed: set[str]) -> None:
        self.body, self.names, self.scope, self.failed = body, names, scope, failed
        self.graph = Graph(body)
        self.kinds = Kinds(self.graph, scope, specs)
        self.changed = changed_names(body)
        added = [stmt for stmt in statements(body)
                 if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name)]
        self.augmented = {stmt.target.id for stmt in added}
        # To a list an array is not joined: their sum is a new array.
        self.joined = {stmt.target.id for stmt in added
                       if spec_of(stmt.value, self.kinds.before(stmt), scope).kind in ("list", "tuple")}
        calls = [changed for stmt in statements(body) if (changed := mutation(stmt)) is not None]
        self.lists = {name for kind, name in calls if kind != "add_at"}
        self.arrays = {name for kind, name in calls if kind == "add_at"}         # `rt.add_at(v, i, g)`
        live = liveness(self.graph)
        self.unread = {stmt.target.id for stmt in added                        # of a number that would be of no use
                       if stmt.target.id not in live.after(stmt)}
        self.only_augmented = self.unread \
            - {name for node in self.graph.nodes for name in access(node).use | access(node).update
               if not (isinstance(node.stmt, gast.AugAssign) and name in target_names(node.stmt.target)
                       and is_pure(node.stmt.value, scope) and is_operand(node.stmt.value, name))}
        self.meaning: dict[int, dict[str, _View]] = {}     # of the names that a statement reads, by its id

    def run(self) -> bool:
        """Whether another round is needed."""
        views = self._views()
        if not views:
            return False
        if lost := self._lost(views):
            for view in views:
                if view.name in lost:
                    view.own = {name: self.names.numbered(name)
                                for name in sorted(reads(view.path) - {root_name(view.path)})}
            lost = self._lost(views)
        self.failed |= lost
        kept = [view for view in views if view.name not in lost]
        self.body = self._block(self.body, {id(view.node.stmt): view for view in kept}, {view.name for view in kept})
        return True

    # ------------------------------------------------------------------ what is a part
    def _views(self) -> list[_View]:
        defined: dict[str, list[_View | None]] = {}
        for node in self.graph.nodes:
            for name in access(node).define:
                if not isinstance(node.stmt, gast.AugAssign):
                    defined.setdefault(name, []).append(self._view(node, name))
        later = {name for node in walk(self.body) if isinstance(node, LATER) for name in reads(node)} | self.failed
        found = {name: known for name, views in defined.items()
                 if name not in later and (known := [view for view in views if view is not None])}
        parts = {name for name, views in found.items() if any(not isinstance(view.path, gast.Name) for view in views)}
        for name in parts & identified(self.body, self.scope) if parts else ():
            del found[name]
        classes = Groups([name, *(root_name(view.path) or "" for view in views)]
                         for name, views in found.items()).members()
        found = {name: views for name, views in found.items()
                 if self.changed & classes[name] and all(self._is_array(view, classes[name]) for view in views)}
        return [view for name in sorted(found)
                for view in found[name] if not any(root_name(one.path) in found for one in found[name])]

    def _view(self, node: Node, name: str) -> _View | None:
        """The part that a statement gives a name to."""
        stmt = node.stmt
        if node.kind != "stmt" or not isinstance(stmt, gast.Assign) or len(stmt.targets) > 1 \
                or not isinstance(stmt.targets[0], gast.Name):
            return None
        if not reads(stmt.value) & self.scope.local:
            return None
        env = self.kinds.at(node)
        path = as_part(stmt.value, env, self.scope, strict=False)
        root = "" if path is None else root_name(path)
        if path is None or not root or root == name or root not in self.scope.local:
            return None
        if name in self.changed and not is_path(path, env, self.scope):
            return None
        return _View(name, node, path, checked=unsure(stmt.value, env, self.scope))

    def _is_array(self, view: _View, related: set[str]) -> bool:
        """What the name stands for is changed where it stands; a number is another one, and would be bound anew. Where
        the text says so without proof, that is checked."""
        spec = spec_of(view.path, self.kinds.at(view.node), self.scope)
        if spec.is_immutable or view.name in self.lists and not isinstance(view.path, gast.Name):
            return False
        view.certain = (spec.kind == "array" and spec.shape != () or view.name in self.arrays) \
            and not may_fail(view.path)
        if isinstance(view.path, gast.Call) and may_copy(view.path):
            return True
        if isinstance(view.path, gast.Name):
            view.certain |= self.augmented & related <= (self.joined if spec.kind == "list" else set())
            computed = computed_from(self.body, {view.name, view.path.id})
            return view.certain or spec.is_number \
                and (view.name in self.unread or has_parts(self.body, computed, 1)
                     or getattr(view.node.stmt, "item", False) and is_reduced(self.body, computed, self.scope))
        view.asked = not view.certain and view.name in self.only_augmented and isinstance(view.path, gast.Subscript)
        return view.certain or view.name in self.unread or is_row(view.path) \
            or has_parts(self.body, {view.name}, 1) or is_whole(self.body, view.name, self.scope) \
            or has_parts(self.body, {root_name(view.path) or ""}, 1 + axes_taken(view.path))

    # ------------------------------------------------------------------ where it is the same
    def _lost(self, views: Sequence[_View]) -> set[str]:
        """The names of which some use may stand for something else than one definition says; fills `meaning`."""
        killed: dict[str, int] = {}
        moved: dict[str, int] = {}                         # by `i += 1`; what an array's name stands for stays
        groups: dict[tuple[str, str], int] = {}            # definitions of a name that say the same
        for i, view in enumerate(views):
            for name in reads(view.path) - view.own.keys() | {view.name}:
                killed[name] = killed.get(name, 0) | 1 << i
                if name not in (view.name, root_name(view.path)):
                    moved[name] = moved.get(name, 0) | 1 << i
            same = (view.name, str(i) if view.own else unparse(view.path))
            groups[same] = groups.get(same, 0) | 1 << i
        made = {view.node.index: next(group for group in groups.values() if group >> i & 1)
                for i, view in enumerate(views)}

        def transfer(node: Node, before: int) -> int:
            for name in access(node).define:
                before &= ~(moved if isinstance(node.stmt, gast.AugAssign) else killed).get(name, 0)
            return before | made.get(node.index, 0)

        before, _ = solve(self.graph, transfer, and_, 0, forward=True)
        names = {view.name for view in views}
        held: dict[str, int] = {}
        for i, view in enumerate(views):
            held[view.name] = held.get(view.name, 0) | 1 << i

        def bound(node: Node, before: int) -> int:
            for name in access(node).define & names if not isinstance(node.stmt, gast.AugAssign) else ():
                before &= ~held[name]
            return before | made.get(node.index, 0)

        maybe, _ = solve(self.graph, bound, or_, 0, forward=True)
        self.meaning.clear()
        lost = set()
        for node in self.graph.nodes:
            used = access(node).use | (access(node).define if isinstance(node.stmt, gast.AugAssign) else frozenset())
            for name in used & names if node.index in before else ():
                now = [group for (one, _), group in groups.items() if one == name and group & before[node.index]]
                if len(now) > 1 or not now and maybe[node.index] & held[name]:
                    lost.add(name)
                elif now:
                    self.meaning.setdefault(id(node.stmt), {})[name] = views[(now[0] & -now[0]).bit_length() - 1]
        return lost

    # ------------------------------------------------------------------ writing it so
    def _block(self, body: list[gast.stmt], gone: Mapping[int, _View], names: set[str]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for stmt in body:
            if id(stmt) in gone:
                out += self._definition(gone[id(stmt)])
                continue
            change_blocks(stmt, lambda block: self._block(block, gone, names))
            views = {name: view for name, view in self.meaning.get(id(stmt), {}).items() if name in names}
            target = views.get(stmt.target.id) \
                if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) else None
            if views:
                meant = {name: view.seen() for name, view in views.items()}
                _rewrite(stmt, meant, functools.partial(joined, env=self.kinds.before(stmt), scope=self.scope))
            out.append(_where_array(stmt, target.seen()) if target is not None and target.asked else stmt)
        return out

    def _definition(self, view: _View) -> Iterator[gast.stmt]:
        """What stays of a definition: its indices, and the check that it is an array."""
        origin = origin_of(view.node.stmt)
        for name, new in sorted(view.own.items()):
            self.scope.local.add(new)
            yield assign(new, load(name), origin=origin)
        if view.checked is not None:
            check = library("rt.check_target(x, n)", x=view.by_own(view.checked), n=constant(unparse(view.checked)))
            yield mark(gast.Expr(check), origin=origin, role="forward", note="guard")
        if not view.certain and not view.asked:
            yield check_view(view.seen(), view.name, view.node.stmt)


def _where_array(stmt: gast.stmt, part: gast.expr) -> gast.stmt:
    """`s += v`, where s is a part and is read nowhere: it changes an array, and is of no use where s is a number."""
    return mark(gast.If(library("np.ndim(x)", x=clone(part)), [stmt], []), origin=origin_of(stmt))


def _rewrite(stmt: Any, paths: Mapping[str, gast.expr], joined: Callable[[gast.Subscript], gast.Subscript]) -> None:
    """Put paths in the place of names, in a statement or in the head of a compound one."""
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) and stmt.target.id in paths:
        target: Any = clone(without_all(paths[stmt.target.id]))
        if not isinstance(target, (gast.Name, gast.Subscript)):
            target = gast.Subscript(target, constant(...), gast.Store())
        stmt.target = joined(target) if isinstance(target, gast.Subscript) else target
        stmt.target.ctx = gast.Store()
    for name, value in list(vars(stmt).items()):
        if name in stmt._fields and name not in ("body", "orelse", "handlers", "finalbody"):
            setattr(stmt, name, _replaced(value, paths, joined))


def _replaced(node: Any, paths: Mapping[str, gast.expr], joined: Callable[[gast.Subscript], gast.Subscript]) -> Any:
    if isinstance(node, list):
        return [_replaced(one, paths, joined) for one in node]
    if isinstance(node, gast.Name):
        return mark(clone(without_all(paths[node.id])), written=True) \
            if node.id in paths and isinstance(node.ctx, gast.Load) else node
    if not isinstance(node, gast.AST):
        return node
    for name, value in list(vars(node).items()):
        if name in node._fields:
            setattr(node, name, _replaced(value, paths, joined))
    if isinstance(node, gast.Subscript) and hasattr(node.value, "written"):
        return mark(joined(node), written=True)
    return node
