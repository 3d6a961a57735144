"""When objects outside hold what the function has stored in them.

Needs the forward sweep of a derivative. Promises that it gathers what it stores, and that the objects hold this when it
has ended. One that another derivative calls is in the middle of a sweep, and leaves that to the other one
(`runtime/stored_outside.py`).

    self.x = rt.later(self, 'x', x)      →      stored = rt.stores()
                                                self.x = rt.later(self, 'x', x)
                                                rt.settle(stored)
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import gast

from .. import runtime
from ..analyse.flow import memory_changed
from ..analyse.kinds import Kinds, spec_of
from ..analyse.paths_read import paths_read
from ..desugar import Reader
from ..desugar.stored_outside import kept_later, stores_later
from ..differentiate import Problem
from ..normalise import part_targets
from ..syntax.blocks import is_compound, rebuild, statements
from ..syntax.building import assign, constant, library, load, mark, origin_of, tuple_of
from ..syntax.nodes import dotted, root_name, unparse, walk, writes
from ..syntax.paths import is_below, path_of, root_of
from .dress import beside_guard
from .request import Request


def settled(forward: list[gast.stmt], problem: Problem, request: Request, reader: Reader,
            backward: Sequence[gast.stmt] = ()) -> list[gast.stmt]:
    """The forward sweep, with what gathers around it. backward: the sweep that follows."""
    known = [text.tree for text in reader.known.values() if stores_later(text.tree)]
    helpers = [node for node in [*_nodes(forward), *_nodes(known)] if isinstance(node, gast.Call)
               and _stores(dotted(node.func) or "")]
    if request.kind == "push" or not (helpers or known):
        return forward
    stored, start = problem.names.new("stored"), library("rt.stores()")
    if any(problem.scope.value(node.func) is not runtime.later for node in helpers):         # lists and dicts too
        given = set(problem.parameters) - set(problem.wrt)
        # the fence knows what these are read for
        own = {path for node in helpers if node.args and (path := path_of(node.args[0])) is not None}
        read = [path for path in paths_read(backward, [*forward, *backward], given, problem.scope)
                if not any(start == path.removesuffix("[:]") or is_below(path, start) for start in own)]
        start.args = [tuple_of(load(root_of(path)) for path in read), tuple_of(map(constant, read))] if read else []
    start.keywords = [gast.keyword("inner", constant(True))] if request.kind == "split" else []
    return [mark(assign(stored, start), role="forward", origin=None, gathers=True), *forward,
            mark(gast.Expr(library("rt.settle(stored)", stored=stored)), role="forward", origin=None)]


def _stores(name: str) -> bool:
    """A helper that this derivative calls stores outside, or may call what does."""
    fn = getattr(runtime, name.removeprefix("%rt."), None) if name.startswith("%rt.") else None
    return fn is runtime.pushforward or getattr(fn, "__module__", "") == runtime.stored_outside.__name__


def held_apart(body: list[gast.stmt], owners: Collection[str],
               beside: Callable[[str], list[str]] | None) -> list[gast.stmt]:
    """Let nobody see an array that an attribute outside holds, and that is changed in place, before the forward sweep
    has ended, and nothing share its memory. owners: the variables that stand for such attributes, among others; beside:
    what may share it.

        self_w = self.w      →      self_w = self.w
                                    self.w = rt.later(self, 'w', self_w, 'self.w', begun=True)
                                    rt.check_apart(self_w, (self, x), ('self.w', 'self', 'x'))
    """
    before: dict[str, str] = {}
    made: dict[int, list[gast.stmt]] = {}
    for stmt in taken_from(body):
        name, path = stmt.targets[0].id, unparse(stmt.value)
        if name in owners and beside is not None:
            kept = kept_later(stmt.value, name, begun=True)
            kept.counts = kept.outside = True
            others = [*(one for one in beside(name) if one != path), *before]
            made[id(stmt)] = [stmt, mark(kept, role="forward", origin=origin_of(stmt)),
                              beside_guard("check_apart", name, others, stmt, {**before, name: path})]
        before[name] = path
    return rebuild(body, lambda stmt: made.get(id(stmt))) if made else body


def paths_of(body: list[gast.stmt], names: Collection[str]) -> list[str]:
    """The attributes outside, as they are read, for which these variables stand."""
    return [unparse(stmt.value) for stmt in taken_from(body) if stmt.targets[0].id in names]


def taken_from(body: list[gast.stmt]) -> list[Any]:
    """The assignments of attributes outside to the variables that stand for them."""
    return [stmt for stmt in statements(body) if hasattr(stmt, "taken")]


def arrays_first(body: list[gast.stmt], kinds: Kinds) -> list[gast.stmt] | None:
    """Of what attributes outside hold, take that for an array or a number which is changed in place, and not only by
    adding numbers: `rt.check_apart` will ask. It is read before all else, which might read it too. None where there is
    no such one."""
    taken = {stmt.targets[0].id: i for i, stmt in enumerate(body) if hasattr(stmt, "taken")}
    changed = {name for stmt in statements(body) if taken and not is_compound(stmt) and not _is_plain(stmt, kinds)
               for name in memory_changed(stmt) & taken.keys()}
    if not changed:
        return None
    first = [one for i in sorted(taken[name] for name in changed) for one in body[i - 1:i + 1]]    # with their checks
    for one in first[1::2]:
        mark(one, numbers=True)
    roots = {root_name(one.value) for one in first[1::2]}
    start = 1 + max((i for i, stmt in enumerate(body) if roots & set(writes(stmt))), default=-1)
    moved = set(map(id, first))
    return [*body[:start], *first, *(stmt for stmt in body[start:] if id(stmt) not in moved)]


def _is_plain(stmt: Any, kinds: Kinds) -> bool:
    """`n += 1` of what may be a number, or `d["x"] = v` of what must be a dict."""
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        return spec_of(stmt.value, kinds.before(stmt), kinds.scope).is_scalar
    return any(isinstance(part.slice, gast.Constant) and isinstance(part.slice.value, str)
               for part in part_targets(stmt))


def _nodes(body: list[gast.stmt]) -> list[Any]:
    return [node for stmt in body for node in walk(stmt)]
