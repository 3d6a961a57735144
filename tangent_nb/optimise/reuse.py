"""Memory that is used again: an operation writes its result into an array of ours that nothing reads any more.

Needs a function in which nothing is left out any more. Promises the same values. The array is one that the derivative
made, or a value of the forward sweep that nobody else has; nothing that is read later has any of its memory; the
result has its shape and dtype, for certain. Off unless it is asked for: less memory is allocated, the text is longer.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x, w, v):
...     h = np.tanh(x @ w)
...     return np.sum((h @ v) ** 2)
>>> like = np.ones((4, 3)), np.ones((3, 5)), np.ones((5, 2))
>>> stages = tnb.stages(tnb.grad(f, wrt="w", optimized="+reuse", like=like))
>>> print(difference(stages["in_place"], stages["reuse"]))
-     bw = x.T @ (bh * (1.0 - h * h))
+     bw = x.T @ np.multiply(bh, 1.0 - np.multiply(h, h, out=h), out=bh)
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import gast
import numpy as np

from ..analyse.flow import access, spread
from ..analyse.graph import Graph
from ..analyse.kinds import Env, spec_of
from ..analyse.resolve import Scope
from ..syntax.blocks import is_compound, own_expressions, own_targets, rebuild, statements
from ..syntax.building import exchanged, library, mark
from ..syntax.closure import Groups
from ..syntax.nodes import names_in, nodes_of, parameter_names, reads, root_name, writes
from .accumulate import DERIVED
from .facts import Facts
from .fresh import is_fresh
from .taken_over import whose

UFUNCS = {gast.Add: "add", gast.Sub: "subtract", gast.Mult: "multiply", gast.Div: "divide"}
REPEATED = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def reuse(tree: gast.FunctionDef, facts: Facts) -> None:
    """Write `z = np.multiply(y, c, out=y)` for `z = y * c`."""
    candidates = [stmt for stmt in statements(tree.body) if _is_derived(stmt) and any(_operations(stmt.value, facts))]
    if not candidates:
        return
    members, others = whose(tree, facts.scope)
    others -= _made_and_read(tree, facts.scope)
    groups = Groups(members.values())
    later = spread(Graph(tree.body), (), lambda node: access(node).use | access(node).update, forward=False)
    found: dict[int, gast.Name] = {}
    for stmt in candidates:
        target = root_name(stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.target)
        for value, operand in _operations(stmt.value, facts):
            group = groups.members().get(operand.id, {operand.id})
            bound = {target} if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) else set()
            if id(value) not in found and group.isdisjoint(others) and not group & (later.after(stmt) - bound) \
                    and not _read_beside(stmt, value, group) and _fits(value, operand, facts.env(stmt), facts):
                found[id(value)] = operand
                groups.join([target or operand.id, operand.id])
    tree.body = rebuild(tree.body, lambda stmt: _written(stmt, found))


def _is_derived(stmt: Any) -> bool:
    return (isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and not isinstance(stmt.targets[0], gast.Tuple)
            or isinstance(stmt, gast.AugAssign)) and getattr(stmt, "role", "") in DERIVED and not hasattr(stmt, "tape")


def _operations(node: gast.AST, facts: Facts) -> Iterator[tuple[gast.expr, gast.Name]]:
    """The operations in an expression that can write into a variable that is an operand, outer ones first."""
    if isinstance(node, REPEATED):
        return
    operands: Iterable[gast.expr] = ()
    if isinstance(node, gast.BinOp) and type(node.op) in UFUNCS:
        operands = node.left, node.right
    elif isinstance(node, gast.Call) and not node.keywords:
        rule = facts.scope.operation(node).rule
        operands = node.args if rule is not None and isinstance(rule.fn, np.ufunc) and rule.fn.nout == 1 else ()
    for one in operands:
        if isinstance(one, gast.Name):
            yield node, one
    for child in gast.iter_child_nodes(node):
        yield from _operations(child, facts)


def _read_beside(stmt: Any, value: gast.expr, group: Collection[str]) -> bool:
    """The statement reads memory of a group outside of one operation, or for its result a second time."""
    def mentions(node: gast.AST) -> int:
        return sum(isinstance(one, gast.Name) and isinstance(one.ctx, gast.Load) and one.id in group
                   for one in gast.walk(node))
    changed = [stmt.target] if isinstance(stmt, gast.AugAssign) else [
        target for target in stmt.targets if not isinstance(target, gast.Name)]
    return any(root_name(target) in group for target in changed) or mentions(stmt) > mentions(value)


def _fits(value: gast.expr, operand: gast.Name, env: Env, facts: Facts) -> bool:
    """The result has the shape and the dtype of the operand, which is an array for certain."""
    one, made = spec_of(operand, env, facts.scope), spec_of(value, env, facts.scope)
    return one.is_made and bool(one.shape) and (made.shape, made.dtype) == (one.shape, one.dtype)


def _written(stmt: Any, found: Mapping[int, gast.Name]) -> list[gast.stmt] | None:
    """A statement with `out` in the operations that are found."""
    inner_first = [node for node in gast.walk(stmt) if id(node) in found][::-1] if not is_compound(stmt) else []
    new: dict[int, gast.expr] = {}
    for node in inner_first:
        if isinstance(node, gast.BinOp):
            left, right = exchanged([node.left, node.right], new)
            call = library(f"np.{UFUNCS[type(node.op)]}(x, y)", x=left, y=right)
        else:
            call = gast.Call(node.func, exchanged(node.args, new), [])
        new[id(node)] = mark(gast.Call(call.func, call.args, [gast.keyword("out", found[id(node)])]), reuses=True)
    return [exchanged(stmt, new)] if new else None


def _made_and_read(tree: gast.FunctionDef, scope: Scope) -> set[str]:
    """The user's variables, and ours of the forward sweep, that are new arrays wherever they are bound, and that
    nothing but operations with a row reads: nobody else has them."""
    made: set[str] = set()
    kept: set[str] = set(parameter_names(tree))
    for stmt in statements(tree.body):
        nodes = own_expressions(stmt)
        if any(scope.operation(node).kind in ("function", "dynamic", "unknown")
               for node in nodes_of(nodes, gast.Call)) or not isinstance(stmt, (gast.Assign, gast.AugAssign)):
            kept |= reads(nodes)
        new = isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and is_fresh(stmt.value, scope)
        (made if new else kept).update(writes(stmt) if not is_compound(stmt) else own_targets(stmt))
        for function in [stmt] if isinstance(stmt, gast.FunctionDef) else nodes_of(nodes, gast.Lambda):
            kept |= names_in(function)                     # which may be called later
    return made - kept
