"""Access paths: a name for a part of an array that is changed in place is read as that part, so that the array has one name.

Needs a body as the user wrote it, in which loops have no else. Promises that of what may be changed in place no name is left that stands
for a part of another (`row = A[i]`, `v = y[1:]`, `B = A.T`) or for all of it (`z = y`), wherever the part is the same at all its uses. Code
that changes nothing in place stays as it is.

    for i in range(3):               for i in range(3):
        row = A[i]           →
        row[0] = x * i                   A[i, 0] = x * i
        row += v                         A[i] += v

Available expressions (A. Aho et al., "Compilers", 2nd ed., section 9.2.6): a definition `v = A[i]` holds until v, A or i is bound again. Where
only an index is, the definition gets an index of its own (`i_1 = i`).
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import and_, or_
from typing import Any

import gast

from ..analyse.flow import access, liveness, mutation
from ..analyse.graph import Graph, Node
from ..analyse.kinds import Env, Kinds, index_parts, is_basic, spec_of
from ..analyse.resolve import Scope
from ..analyse.solver import solve
from ..syntax.names import Names
from ..syntax.nodes import (
    assign,
    change_blocks,
    clone,
    constant,
    library,
    load,
    mark,
    origin_of,
    reads,
    rebuild,
    root_name,
    statements,
    substitute,
    unparse,
    walk,
    writes,
)
from ..syntax.spec import Spec

LATER = (gast.Lambda, gast.FunctionDef, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
ROUNDS = 8             # views of views of views


def through_paths(body: list[gast.stmt], names: Names, scope: Scope, specs: Mapping[str, Spec]) -> list[gast.stmt]:
    """The body, with what names for parts say written as the parts. specs: of the parameters."""
    failed: set[str] = set()
    if changed_names(body):
        body = rebuild(body, _one_by_one)
    for _ in range(ROUNDS):
        if not changed_names(body):
            break
        one = _Paths(body, names, scope, specs, failed)
        if not one.run():
            break
        body = one.body
    if any(isinstance(target.value, gast.Subscript) for stmt in statements(body) for target in part_targets(stmt)):
        _join_indices(body, scope, specs)
    return body


def _one_by_one(stmt: gast.stmt) -> list[gast.stmt] | None:
    """`a = e; b = a` for `a = b = e`, and `a = A[0]; b = A[1]` for `a, b = A[0], A[1]`."""
    if not isinstance(stmt, gast.Assign):
        return None
    if len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Tuple) and isinstance(stmt.value, (gast.Tuple, gast.List)):
        targets, values = stmt.targets[0].elts, stmt.value.elts
        if len(targets) != len(values) or not all(isinstance(one, gast.Name) for one in targets) \
                or not all(root_name(value) for value in values) or not _is_simple(stmt.value, gast.Call, *LATER) \
                or {*writes(stmt)} & {*reads(stmt.value)}:
            return None
        return [assign(target.id, value, origin=origin_of(stmt)) for target, value in zip(targets, values, strict=True)]
    if len(stmt.targets) < 2 or not all(isinstance(target, gast.Name) for target in stmt.targets):
        return None
    first, *rest = [target.id for target in stmt.targets]
    return [assign(first, stmt.value, origin=origin_of(stmt)), *(assign(name, load(first), origin=origin_of(stmt)) for name in rest)]


def _join_indices(body: Sequence[gast.stmt], scope: Scope, specs: Mapping[str, Spec]) -> None:
    """`A[i, j] = v` for `A[i][j] = v`, where A is an array."""
    kinds = Kinds(Graph(body), scope, specs)
    for stmt in statements(body):
        env = kinds.before(stmt) if part_targets(stmt) else {}
        for target in part_targets(stmt):
            new = _joined(target, env, scope)
            target.value, target.slice = new.value, new.slice


def _joined(node: gast.Subscript, env: Env, scope: Scope) -> gast.Subscript:
    """A part of an array, by one index if that is the same part."""
    return composed(node, functools.partial(is_basic, env=env, scope=scope)) if is_path(node.value, env, scope) else node


def part_targets(stmt: Any) -> list[gast.Subscript]:
    """The parts that a statement assigns, or adds to."""
    targets = stmt.targets if isinstance(stmt, gast.Assign) else [stmt.target] if isinstance(stmt, gast.AugAssign) else []
    return [part for target in targets for part in walk(target) if isinstance(part, gast.Subscript) and not isinstance(part.ctx, gast.Load)]


def is_path(node: gast.expr, env: Env, scope: Scope) -> bool:
    """A name; a part of an array by basic indices, or its transpose."""
    if isinstance(node, gast.Name):
        return True
    if not isinstance(node, (gast.Attribute, gast.Subscript)) or not spec_of(node.value, env, scope).is_number \
            or not is_path(node.value, env, scope):
        return False
    return node.attr == "T" if isinstance(node, gast.Attribute) else _is_simple(node.slice) and is_basic(node.slice, env, scope)


def changed_names(body: Sequence[gast.stmt]) -> set[str]:
    """The names through which something is changed in place."""
    found: set[str] = set()
    for stmt in statements(body):
        found |= {root_name(part) or "" for part in part_targets(stmt)}
        if isinstance(stmt, gast.AugAssign):
            found.add(root_name(stmt.target) or "")
        changed = mutation(stmt)
        if changed is not None:
            found.add(changed[1])
    return found - {""}


def composed(node: gast.Subscript, basic: Callable[[gast.expr], bool]) -> gast.Subscript:
    """`A[i][j]` as `A[i, j]`, `A[:, j][i]` as `A[i, j]`: one index, where that is the same part. basic: of an index.

    >>> from tangent_nb.syntax.nodes import expr
    >>> [unparse(composed(expr(text), lambda index: True)) for text in ("A[i][j]", "A[:, j][1:]", "A[1:][i]", "A[i][j, None]")]
    ['A[i, j]', 'A[1:, j]', 'A[1:][i]', 'A[i][j, None]']
    """
    if not isinstance(node.value, gast.Subscript):
        return node
    inner = composed(node.value, basic)
    outer, last = index_parts(inner.slice), index_parts(node.slice)
    whole = [i for i, one in enumerate(outer) if _is_whole(one)]
    if not basic(inner.slice) or not basic(node.slice) or any(map(_is_filler, [*outer, *last])) or len(last) > len(whole) > 0 \
            or any(isinstance(one, gast.Slice) and not _is_whole(one) for one in outer):
        return gast.Subscript(inner, node.slice, node.ctx)
    parts = list(outer)
    for place, one in zip(whole, last, strict=False):
        parts[place] = one
    parts += [] if whole else last
    return gast.Subscript(inner.value, gast.Tuple(parts, gast.Load()) if len(parts) > 1 else parts[0], node.ctx)


def _is_whole(part: gast.expr) -> bool:
    return isinstance(part, gast.Slice) and part.lower is part.upper is part.step is None


def _is_filler(part: gast.expr) -> bool:
    """`None` or `...`, which stand for other axes than their own."""
    return isinstance(part, gast.Constant) and not isinstance(part.value, int)


@dataclass
class _View:
    """`name = path` at a node. certain: an array; own: the variables that keep its indices."""

    name: str
    node: Node
    path: gast.expr
    certain: bool = True
    own: dict[str, str] = field(default_factory=dict)

    def seen(self) -> gast.expr:
        """The path, by the indices of its own."""
        return substitute(self.path, {name: load(new) for name, new in self.own.items()})


class _Paths:
    """One round: the names whose part stands on a name that is none of them. failed: those that are to be left alone."""

    def __init__(self, body: list[gast.stmt], names: Names, scope: Scope, specs: Mapping[str, Spec], failed: set[str]) -> None:
        self.body, self.names, self.scope, self.failed = body, names, scope, failed
        self.graph = Graph(body)
        self.kinds = Kinds(self.graph, scope, specs)
        self.changed = changed_names(body)
        self.augmented = {stmt.target.id for stmt in statements(body) if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name)}
        calls = [changed for stmt in statements(body) if (changed := mutation(stmt)) is not None]
        self.lists = {name for kind, name in calls if kind != "add_at"}
        self.arrays = {name for kind, name in calls if kind == "add_at"}         # `rt.add_at(v, i, g)`
        live = liveness(self.graph)
        self.unread = {stmt.target.id for stmt in statements(body) if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name)
                       and stmt.target.id not in live.after(stmt)}         # of a number that would be of no use
        self.meaning: dict[int, dict[str, _View]] = {}     # of the names that a statement reads, by its id

    def run(self) -> bool:
        """Whether another round is needed."""
        views = self._views()
        if not views:
            return False
        if lost := self._lost(views):
            for view in views:
                if view.name in lost:
                    view.own = {name: self.names.numbered(name) for name in sorted(reads(view.path) - {root_name(view.path)})}
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
        found = {name: known for name, views in defined.items() if name not in later and (known := [view for view in views if view is not None])}
        classes = _classes({name: [root_name(view.path) or "" for view in views] for name, views in found.items()})
        found = {name: views for name, views in found.items()
                 if self.changed & classes[name] and all(self._is_array(view, classes[name]) for view in views)}
        return [view for name in sorted(found) for view in found[name] if not any(root_name(one.path) in found for one in found[name])]

    def _view(self, node: Node, name: str) -> _View | None:
        """The part that a statement gives a name to."""
        stmt = node.stmt
        if node.kind != "stmt" or not isinstance(stmt, gast.Assign) or len(stmt.targets) > 1 or not isinstance(stmt.targets[0], gast.Name):
            return None
        root = root_name(stmt.value)
        known = root is not None and root != name and root in self.scope.local and is_path(stmt.value, self.kinds.at(node), self.scope)
        return _View(name, node, stmt.value) if known else None

    def _is_array(self, view: _View, related: set[str]) -> bool:
        """What the name stands for is changed where it stands; a number is another one, and would be bound anew. Where the text says so
        without proof, that is checked."""
        spec = spec_of(view.path, self.kinds.at(view.node), self.scope)
        if spec.is_immutable or view.name in self.lists and not isinstance(view.path, gast.Name):
            return False
        view.certain = spec.kind == "array" and spec.shape != () or view.name in self.arrays
        if isinstance(view.path, gast.Name):
            view.certain |= spec.kind == "list" or not self.augmented & related
            return view.certain or spec.is_number and self._has_parts({view.name, view.path.id}, 1)
        return view.certain or view.name in self.unread or self._has_parts({view.name}, 1) \
            or self._has_parts({root_name(view.path) or ""}, 1 + _axes_taken(view.path))

    def _has_parts(self, names: set[str], axes: int) -> bool:
        """The text takes parts of one of the names, by so many indices."""
        return any(isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id in names
                   and len([one for one in index_parts(node.slice) if not _is_filler(one)]) >= axes for node in walk(self.body))

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
        made = {view.node.index: next(group for group in groups.values() if group >> i & 1) for i, view in enumerate(views)}

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
            meant = {name: view.seen() for name, view in self.meaning.get(id(stmt), {}).items() if name in names}
            if meant:
                _rewrite(stmt, meant, functools.partial(_joined, env=self.kinds.before(stmt), scope=self.scope))
            out.append(stmt)
        return out

    def _definition(self, view: _View) -> Iterator[gast.stmt]:
        """What stays of a definition: its indices, and the check that it is an array."""
        origin = origin_of(view.node.stmt)
        for name, new in sorted(view.own.items()):
            self.scope.local.add(new)
            yield assign(new, load(name), origin=origin)
        if not view.certain:
            check = library("rt.check_view(v, n)", v=view.seen(), n=constant(view.name))
            yield mark(gast.Expr(check), origin=origin, role="forward", note="guard")


def _axes_taken(path: gast.expr) -> int:
    """How many axes of an array a part of it does not have: 2 for `A[:, j][i]`."""
    return sum(1 for node in walk(path) if isinstance(node, gast.Subscript) for one in index_parts(node.slice)
               if not isinstance(one, gast.Slice) and not _is_filler(one))


def _is_simple(node: gast.expr, *others: type[gast.AST]) -> bool:
    """An index of names and numbers, or what has none of the others."""
    return not any(isinstance(n, others or (gast.Call, gast.Subscript, gast.Attribute, gast.NamedExpr, gast.IfExp, *LATER)) for n in walk(node))


def _classes(roots: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """Of each name all that it is related to by its parts."""
    found: dict[str, set[str]] = {}
    for name, others in roots.items():
        joined = {name, *others}.union(*(found.get(one, set()) for one in (name, *others)))
        for one in joined:
            found[one] = joined
    return found


def _rewrite(stmt: Any, paths: Mapping[str, gast.expr], joined: Callable[[gast.Subscript], gast.Subscript]) -> None:
    """Put paths in the place of names, in a statement or in the head of a compound one."""
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) and stmt.target.id in paths:
        target: Any = clone(paths[stmt.target.id])
        if isinstance(target, gast.Attribute):
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
        return mark(clone(paths[node.id]), part=True) if node.id in paths and isinstance(node.ctx, gast.Load) else node
    if not isinstance(node, gast.AST):
        return node
    for name, value in list(vars(node).items()):
        if name in node._fields:
            setattr(node, name, _replaced(value, paths, joined))
    if isinstance(node, gast.Subscript) and hasattr(node.value, "part"):
        return mark(joined(node), part=True)
    return node
