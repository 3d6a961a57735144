"""Checks of containers: where the text takes a value for an array, and only the run can tell.

Needs a body in normal form. Promises checks (`rt.check_array`) before the statements that read what both arrays and
objects may have.

    n = p.size     →     rt.check_array(p, "p.size")      # a number of items, or a part of p with a derivative
                         n = p.size
    n = [p[k].size for k in p.keys()]     →     n = [rt.of_array(p[k], "p[k].size").size for k in p.keys()]
    n = known and p.size                  →     n = known and rt.of_array(p, "p.size").size
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from ..analyse.kinds import Kinds, spec_of
from ..analyse.libraries import is_user_class
from ..analyse.records import reached
from ..analyse.resolve import Scope
from ..rules import FIELD, lookup_method, method_row
from ..syntax.blocks import change_blocks, rebuild, statements
from ..syntax.building import clone, exchanged, library
from ..syntax.nodes import nodes_of, reads, root_name, unparse, walk, writes
from ..syntax.program import Captured
from .dress import guard_of


def with_container_checks(body: list[gast.stmt], kinds: Kinds, scope: Scope, records: set[str],
                          text: Callable[[Any], Captured | None]) -> list[gast.stmt]:
    """The body with its checks. records: the parameters that may be containers; text: of a function."""
    if not any(_both(node, scope) for node in nodes_of(body, gast.Attribute)):
        return body
    objects = {id(node) for node in nodes_of(body, gast.Call) if _gives_object(node, scope, text, frozenset())}
    given = {name for stmt in statements(body) if isinstance(stmt, gast.Assign) and _among(stmt.value, objects)
             for name in writes(stmt.targets)}
    doubtful = reached(body, scope, records | given)
    doubtful |= {name for node in nodes_of(body, gast.comprehension)
                 if reads(node.iter) & doubtful or _among(node.iter, objects) for name in writes(node.target)}

    def may_be(node: gast.expr) -> bool:
        return root_name(node) in doubtful or _among(node, objects)

    return rebuild(body, lambda stmt: [*_checks(stmt, kinds, scope, may_be), stmt]) if doubtful or objects else body


def _among(node: gast.AST, calls: set[int]) -> bool:
    return any(id(one) in calls for one in nodes_of(node, gast.Call))


def _gives_object(node: gast.Call, scope: Scope, text: Callable[[Any], Captured | None], seen: frozenset[Any]) -> bool:
    """A call may give an object of a class of the user: it makes one, or calls what does, or what nobody knows."""
    operation = scope.operation(node)
    if operation.kind != "function":
        return operation.kind == "dynamic" or operation.kind == "container" and isinstance(operation.fn, type) \
            and is_user_class(operation.fn)
    captured = None if operation.fn in seen else text(operation.fn)
    return captured is not None and any(
        _gives_object(one, Scope.of(captured), text, seen | {operation.fn})
        for one in nodes_of(captured.tree.body, gast.Call))


def with_real_checks(body: list[gast.stmt], kinds: Kinds, scope: Scope, varied: set[str]) -> list[gast.stmt]:
    """The body with `rt.real_only(z)` before `np.sign(z)`, whose slope is 0 for real numbers alone."""
    out: list[gast.stmt] = []
    for stmt in body:
        change_blocks(stmt, lambda block: with_real_checks(block, kinds, scope, varied))
        for node in walk(getattr(stmt, "value", None) or []) if isinstance(stmt, gast.Assign) else ():
            operation = scope.operation(node) if isinstance(node, gast.Call) else None
            if operation is not None and operation.rule is not None and operation.rule.fn is np.sign:
                z = operation.args.get("x")
                if z is not None and reads(z) & varied and not spec_of(z, kinds.before(stmt), scope).is_real:
                    out.append(guard_of(library("rt.real_only(z)", z=clone(z)), stmt))
        out.append(stmt)
    return out


def _checks(stmt: Any, kinds: Kinds, scope: Scope, may_be: Callable[[gast.expr], bool]) -> Iterator[gast.stmt]:
    try:
        env = kinds.before(stmt)
    except KeyError:                                       # a check that was put here itself, or inserted code
        return
    said = set()
    for place in ("value", "test", "iter"):
        tree, inside = getattr(stmt, place, None), {}
        perhaps = _perhaps(tree) if isinstance(tree, gast.AST) else set()
        for node in walk(tree) if isinstance(tree, gast.AST) else ():
            if isinstance(node, gast.Attribute) and may_be(node) and _both(node, scope) \
                    and spec_of(node.value, env, scope).kind == "unknown" and unparse(node) not in said:
                given = {"x": clone(node.value), "n": gast.Constant(unparse(node), None)}
                if reads(node) & writes(tree) or id(node) in perhaps or nodes_of(node.value, gast.Call):
                    inside[id(node.value)] = library("rt.of_array(x, n)", **given)
                else:
                    said.add(unparse(node))
                    yield guard_of(library("rt.check_array(x, n)", **given), stmt)
        if inside:
            setattr(stmt, place, exchanged(tree, inside))


def _perhaps(tree: gast.AST) -> set[int]:
    """The parts of an expression that may not be evaluated where it is: `x.mask.all()` of `masked and x.mask.all()`."""
    sides: list[gast.expr] = []
    for node in nodes_of(tree, gast.BoolOp, gast.IfExp, gast.Compare):
        sides += node.values[1:] if isinstance(node, gast.BoolOp) else node.comparators[1:] \
            if isinstance(node, gast.Compare) else [node.body, node.orelse]
    return {id(part) for side in sides for part in walk(side)}


def _both(node: gast.Attribute, scope: Scope) -> bool:
    """An attribute, or a method, of arrays, that an object may have too."""
    of_arrays = method_row(dict, node.attr) is None or hasattr(np.ndarray, node.attr)
    return of_arrays and lookup_method(node.attr) is not None and scope.operation(node).rule is not FIELD
