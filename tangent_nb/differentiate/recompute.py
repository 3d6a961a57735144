"""Recomputation: values that the backward sweep makes again from what it has, instead of reading what was saved.

Needs a `Problem`. Promises trees that may stand for temporaries in backward code, right where the statement is reversed
that they belong to: parts of arrays that are changed in place, which have to be read anew, and cheap temporaries in
loops, which need no tape.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x, n):
...     for _ in range(n):
...         x = x * np.sin(x)
...     return x
>>> without, alone = (tnb.grad(f, optimized=passes) for passes in ((), "recompute"))
>>> print(difference(tnb.source(without), tnb.source(alone)))
-     sin_saved = []
-         sin_saved.append(sin)
-         sin = sin_saved.pop()
-         bsin = rt.zeros_like(sin)
+         bsin = rt.zeros_like(np.sin(x))
-         bsin = bsin + rt.unbroadcast(bx * x, sin)
+         bsin = bsin + rt.unbroadcast(bx * x, np.sin(x))
-         bx = rt.unbroadcast(bx * sin, x)
+         bx = rt.unbroadcast(bx * np.sin(x), x)
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from ..analyse.flow import bound_in, statement_access
from ..analyse.kinds import is_basic
from ..analyse.resolve import Scope
from ..syntax.blocks import blocks, is_compound, own_expressions, statements
from ..syntax.building import origin_of
from ..syntax.closure import closure
from ..syntax.nodes import reads, root_name
from ..syntax.spec import Spec
from .problem import Problem


def changed_views(problem: Problem) -> dict[str, gast.expr]:
    """Temporaries that are parts of arrays changed in place, and displays of such arrays of which parts are read."""
    mutated, displays = problem.ownership.mutated, _displays(problem)
    return displays | {name: node for name, node in problem.definitions.items()
                       if _is_view(node, problem.scope) and _root(node, problem) in {*mutated, *displays}}


def _displays(problem: Problem) -> dict[str, gast.expr]:
    """`[y, x]` under a name of ours, of `[y, x][0]`, where y is changed in place: what such a name holds in residuals
    is none of the arrays that are changed back."""
    mutated = problem.ownership.mutated
    found: dict[str, gast.expr] = {name: node for name, node in problem.definitions.items() if mutated
                                   and isinstance(node, (gast.Tuple, gast.List, gast.Dict))}

    def within(names: set[str]) -> set[str]:
        """Names, and what the displays among them are made of."""
        return closure(names, lambda seen: {one for name in seen & found.keys() for one in reads(found[name])})

    taken = within({_base(node, problem.scope) or "" for node in problem.definitions.values() if found
                    and _is_view(node, problem.scope)} & found.keys())
    return {name: node for name, node in found.items() if name in taken and within(reads(node)) & mutated}


def cheap_temporaries(problem: Problem, split: bool) -> dict[str, gast.expr]:
    """Temporaries of loops whose operands are there again when the statement that they belong to is reversed.

    That is so unless the statement's target is one of the operands and a partial reads the target's new value. split:
    the sweeps are two functions, and parts of what the first gives to the second are no loop's.
    """
    found: dict[str, gast.expr] = {}
    readers: dict[str, list[gast.stmt]] = {}
    for stmt in statements(problem.body):
        for name in reads(own_expressions(stmt) if is_compound(stmt) else stmt):
            readers.setdefault(name, []).append(stmt)
    for block, loop in _loop_blocks(problem.body, gast.Module(list(problem.body), []) if split else None):
        of_origin: dict[int, list[int]] = {}
        for place, stmt in enumerate(block):
            of_origin.setdefault(id(origin_of(stmt)), []).append(place)
        for place, stmt in enumerate(block):
            name = stmt.targets[0].id \
                if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) else ""
            node = problem.definitions.get(name)
            if node is None or name not in problem.temporaries or hasattr(stmt, "pair") \
                    or not (is_cheap(node, problem.scope) and not isinstance(loop, gast.Module)) \
                    and not _is_kept_part(node, stmt, loop, problem):
                continue
            same = of_origin[id(origin_of(stmt))]
            rest = block[place + 1:same[-1] + 1]
            if not rest or len(rest) != len(same) - same.index(place) - 1 or any(is_compound(s) for s in rest):
                continue
            inside = {id(s) for s in (stmt, *rest)}
            if any(id(s) not in inside for s in readers.get(name, ())):
                continue
            last = rest[-1]
            changed = statement_access(last).define | statement_access(last).update
            operands = _expanded(node, problem.definitions)
            if operands & changed and (not isinstance(last, gast.Assign) or not isinstance(last.targets[0], gast.Name)
                                       or _reads_result(last, problem.scope)):
                continue
            if operands & {n for s in rest[:-1] for n in statement_access(s).define | statement_access(s).update}:
                continue
            found[name] = node
    return found


def _reads_result(stmt: Any, scope: Scope) -> bool:
    operation = scope.operation(stmt.value)
    if operation.kind != "rule" or operation.rule is None:
        return True
    return any(operation.rule.result in choice.reads for choices in operation.rule.pull.values() for choice in choices)


def _root(node: gast.expr, problem: Problem) -> str | None:
    root = _base(node, problem.scope)
    while root is not None and root in problem.definitions and _is_view(problem.definitions[root], problem.scope):
        root = _base(problem.definitions[root], problem.scope)
    return root


def _loop_blocks(body: Sequence[gast.stmt], loop: Any = None) -> Iterator[tuple[list[gast.stmt], Any]]:
    """The statement lists inside of loops, each with the innermost one."""
    if loop is not None:
        yield list(body), loop
    for stmt in body:
        for block in blocks(stmt):
            yield from _loop_blocks(block, stmt if isinstance(stmt, (gast.For, gast.While)) else loop)


def _is_view(node: gast.expr, scope: Scope) -> bool:
    """The value may share memory with an operand."""
    operation = scope.operation(node)
    return isinstance(node, (gast.Subscript, gast.Attribute)) \
        or (isinstance(node, gast.Call) and operation.kind == "rule" and operation.rule is not None
            and operation.memory != "fresh")


def _base(node: gast.expr, scope: Scope) -> str | None:
    """The name whose memory a view may share."""
    if isinstance(node, gast.Call):
        operation = scope.operation(node)
        args = list(operation.args.values())
        return _base(args[0], scope) if args else None
    return root_name(node)


def is_cheap(node: gast.expr, scope: Scope) -> bool:
    """An elementwise operation of NumPy, or a part."""
    if isinstance(node, gast.BinOp):
        return not isinstance(node.op, (gast.MatMult, gast.Pow))
    operation = scope.operation(node)
    if isinstance(node, (gast.UnaryOp, gast.Attribute)):
        return operation.kind == "rule"
    return isinstance(node, gast.Call) and operation.kind == "rule" and operation.rule is not None \
        and operation.rule.diagonal and len(operation.args) == 1


def _is_kept_part(node: gast.expr, stmt: gast.stmt, loop: Any, problem: Problem) -> bool:
    """`v[i, j]`, or `len(v)`, of an array that stays as it is in the loop: v is saved once for all trips, if at all."""
    if isinstance(node, gast.Call):
        return problem.scope.builtin(node) == "len"
    if not isinstance(node, gast.Subscript) or not isinstance(node.value, gast.Name):
        return False
    env = problem.kinds.before(stmt)
    return node.value.id not in bound_in(loop) and env.get(node.value.id, Spec()).kind in ("array", "numeric") \
        and is_basic(node.slice, env, problem.scope)


def _expanded(node: gast.expr, definitions: Any) -> set[str]:
    """The names that an expression reads, and those from which the temporaries among them were made."""
    return closure(reads(node),
                   lambda found: {one for name in found & definitions.keys() for one in reads(definitions[name])})
