"""Snapshots: the text after each stage, written when somebody looks at it."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from ..differentiate import Problem
from ..emit import emit
from ..syntax.blocks import SIMPLE
from ..syntax.building import clone, definition, load, same_trees
from ..syntax.deep import deep
from ..syntax.names import Names
from ..syntax.program import Captured, Emitted
from .dress import comment, named
from .request import Function

Kept = dict[int, tuple[gast.stmt, gast.stmt]]      # statements as they were last, by their ids
BLOCKS = ("body", "handlers", "orelse", "finalbody")


def primal_text(captured: Captured) -> Callable[[], Emitted]:
    """The text of the function itself."""
    def write() -> Emitted:
        tree: gast.FunctionDef = clone(captured.tree)
        tree.decorator_list = []
        return _emitted(tree)
    return write


def problem_text(captured: Captured, problem: Problem) -> Callable[[], Emitted]:
    """The normal form. What is made of it puts other trees into its statements, and changes none."""
    body = [*copied(problem.body), gast.Return(load(problem.result))]
    tree = definition(captured.name, captured.tree.args, body)
    names = Names(problem.names.used)

    def write() -> Emitted:
        function = Function(clone(tree), captured, Names(names.used), [])
        named(function)
        return _emitted(function.tree)
    return write


def function_text(function: Function, kept: Kept) -> Callable[[], Emitted]:
    """A generated function as it is now. Passes change statements, and no trees in them (`optimise/trees.py`):
    statements are copied that have changed since somebody kept them."""
    tree = function.tree
    now = definition(tree.name, tree.args, copied(tree.body, kept))
    as_it_was = replace(function, tree=now, names=Names(function.names.used), helpers=[])

    def write() -> Emitted:
        shown = replace(as_it_was, tree=clone(now), names=Names(as_it_was.names.used))
        named(shown)
        comment(shown.tree)
        return _emitted(shown.tree)
    return write


def copied(body: list[gast.stmt], kept: Kept | None = None) -> list[gast.stmt]:
    """Statements that share their trees with others. kept: copies, for statements that are as they were."""
    made = {} if kept is None else kept
    return [_copied(stmt, made) for stmt in body]


def _copied(stmt: Any, kept: Kept) -> Any:
    """A statement that shares its trees with another."""
    old = kept.get(id(stmt))
    if old is not None and old[1].__dict__ == stmt.__dict__:
        return old[1]
    if isinstance(stmt, gast.Match):
        return clone(stmt)
    new = same_trees(stmt)
    if stmt.__class__ in SIMPLE:
        kept[id(stmt)] = stmt, new
        return new
    for name in BLOCKS:
        if isinstance(block := getattr(stmt, name, None), list):
            setattr(new, name, [_copied(one, kept) for one in block])
    return new


def facts(problem: Problem) -> dict[str, str]:
    """The facts of the analyses that `explain` shows."""
    active = sorted({*problem.activity.where_bound(problem.body)}
                    | (set(problem.wrt) & problem.activity.useful.before(problem.body[0]) if problem.body else set()))
    return {"active": ", ".join(active), "changed in place": ", ".join(sorted(problem.ownership.mutated))}


def _emitted(tree: gast.FunctionDef) -> Emitted:
    with deep(tree):
        return emit([tree])
