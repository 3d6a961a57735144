"""Parts of arrays as one form: before paths are put in the place of names (`paths.py`), and after it.

Needs a body in which something is changed in place. Promises one target for an assignment to several names, parts by
indices and methods, arguments of methods that are names and numbers; after it one index for parts of parts, and checks
that what is reshaped is no copy.

    a, b = A[0], A[1:]       →      a = A[0]
                                    b = A[1:]
    np.ravel(A)[0] = v       →      rt.check_view(A.ravel(), "A.ravel()", A)
                                    A.ravel()[0] = v
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast

from ..analyse.graph import Graph
from ..analyse.kinds import Kinds
from ..analyse.resolve import Scope
from ..syntax.blocks import statements
from ..syntax.building import assign, constant, library, load, mark, origin_of
from ..syntax.names import Names
from ..syntax.nodes import reads, root_name, taken_of, unparse, walk
from ..syntax.spec import Spec
from .parts import as_part, is_all, is_simple, joined, may_copy, part_targets


def one_by_one(changed: set[str], stmt: gast.stmt) -> list[gast.stmt] | None:
    """`a = e; b = a` for `a = b = e`; `a = A[0]; b = A[1]` for `a, b = A[0], A[1]`, of which something is changed."""
    if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Tuple) and isinstance(stmt.value, gast.Tuple):
        targets, values = stmt.targets[0].elts, stmt.value.elts
        bound = {target.id for target in targets if isinstance(target, gast.Name)}
        known = {root_name(value) or "" for value in values}
        if len(stmt.targets) > 1 or not len(bound) == len(targets) == len(values) or not (bound | known) & changed \
                or "" in known or bound & reads(stmt.value):
            return None
        return [assign(target.id, value, origin=origin_of(stmt)) for target, value in zip(targets, values, strict=True)]
    if not isinstance(stmt, gast.Assign) or len(stmt.targets) < 2 \
            or not all(isinstance(target, gast.Name) for target in stmt.targets):
        return None
    first, *rest = [target.id for target in stmt.targets]
    return [assign(first, stmt.value, origin=origin_of(stmt)),
            *(assign(name, load(first), origin=origin_of(stmt)) for name in rest)]


def by_names(changed: set[str], names: Names, scope: Scope, stmt: gast.stmt) -> list[gast.stmt] | None:
    """`size = A.size; v = A.reshape(size)` for `v = A.reshape(A.size)`, where one of both is changed."""
    node: Any = getattr(stmt, "value", None)
    if not isinstance(stmt, gast.Assign) or not isinstance(stmt.targets[0], gast.Name) or taken_of(node) is None \
            or not isinstance(node, gast.Call) or node.keywords or not {stmt.targets[0].id, root_name(node)} & changed:
        return None
    before: list[gast.stmt] = []
    for args in [node.args, *(arg.elts for arg in node.args if isinstance(arg, gast.Tuple))]:
        for i, arg in enumerate(args):
            if not is_simple(arg) and not isinstance(arg, gast.Tuple):
                name = names.new("size")
                scope.local.add(name)
                before.append(assign(name, arg, origin=origin_of(stmt)))
                args[i] = load(name)
    return [*before, stmt] if before else None


def as_parts(body: Sequence[gast.stmt], scope: Scope, specs: Mapping[str, Spec]) -> None:
    """`A.T[0] = v` for `np.transpose(A)[0] = v`. What is reshaped for it is marked: that it is no copy has to be
    checked."""
    if not any(isinstance(node, gast.Call) for stmt in statements(body) for target in part_targets(stmt)
               for node in walk(target.value)):
        return
    kinds = Kinds(Graph(body), scope, specs)
    for stmt in statements(body):
        for target in part_targets(stmt):
            part = as_part(target.value, kinds.before(stmt), scope)
            if part is not None and not isinstance(target.value, gast.Name):
                target.value = part
                stmt.reshaped = unparse(part) if may_copy(part) else ""


def with_check(stmt: gast.stmt) -> list[gast.stmt] | None:
    """The check that a part which is changed is no copy, before the statement."""
    name = getattr(stmt, "reshaped", "")
    parts = [target.value for target in part_targets(stmt) if may_copy(target.value)] if name else []
    return [*(check_view(part, name, stmt) for part in parts), stmt] if parts else None


def check_view(part: gast.expr, name: str, like: gast.stmt) -> gast.stmt:
    while isinstance(part, gast.Subscript) and is_all(part.slice):
        part = part.value
    check = library("rt.check_view(v, n)", v=part, n=constant(name))
    if may_copy(part):
        check.args.append(load(root_name(part) or ""))
    return mark(gast.Expr(check), origin=origin_of(like), role="forward", note="guard")


def join_indices(body: Sequence[gast.stmt], scope: Scope, specs: Mapping[str, Spec]) -> None:
    """`A[i, j] = v` for `A[i][j] = v`, where A is an array."""
    kinds = Kinds(Graph(body), scope, specs)
    for stmt in statements(body):
        env = kinds.before(stmt) if part_targets(stmt) else {}
        for target in part_targets(stmt):
            new = joined(target, env, scope)
            target.value, target.slice = new.value, new.slice
