"""Snapshots: the text after each stage, written when somebody looks at it."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast

from ..differentiate import Problem
from ..emit import emit
from ..syntax.blocks import with_writes
from ..syntax.building import clone, load
from ..syntax.deep import deep
from ..syntax.names import Names
from ..syntax.program import Captured, Emitted
from .dress import comment, named
from .request import Function


def primal_text(captured: Captured) -> Callable[[], Emitted]:
    """The text of the function itself."""
    def write() -> Emitted:
        tree: gast.FunctionDef = clone(captured.tree)
        tree.decorator_list = []
        return _emitted(tree)
    return write


def problem_text(captured: Captured, problem: Problem) -> Callable[[], Emitted]:
    """The normal form."""
    body = [*clone(problem.body), gast.Return(load(problem.result))]
    tree = gast.FunctionDef(captured.name, clone(captured.tree.args), body, [], None, None, [])
    function = Function(tree, captured, Names(problem.names.used), [])

    def write() -> Emitted:
        named(function)
        return _emitted(function.tree)
    return write


def function_text(function: Function) -> Callable[[], Emitted]:
    """A generated function as it is now."""
    shown = replace(function, tree=clone(function.tree), names=Names(function.names.used), helpers=[])

    def write() -> Emitted:
        named(shown)
        comment(shown.tree)
        return _emitted(shown.tree)
    return write


def facts(problem: Problem) -> dict[str, str]:
    """The facts of the analyses that `explain` shows."""
    active = sorted({n for s, names in with_writes(problem.body) for n in problem.activity.after(s) & names}
                    | (set(problem.wrt) & problem.activity.useful.before(problem.body[0]) if problem.body else set()))
    return {"active": ", ".join(active), "changed in place": ", ".join(sorted(problem.ownership.mutated))}


def _emitted(tree: gast.FunctionDef) -> Emitted:
    with deep(tree):
        return emit([tree])
