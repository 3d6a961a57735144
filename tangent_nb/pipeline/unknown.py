"""Calls that stay as they are, of what is known only when the derivative runs: they ask first what it is.

Needs a `Problem` whose calls are linked. Promises that what may change what it is given, or its object,
is refused before it is called.

    done = step(env, x) > 3        →      done = rt.clean(step)(env, x) > 3
    y = table.dot(x)               →      rt.check_method(table, 'dot')
                                          y = table.dot(x)
"""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..analyse.activity import Varied, varied_names
from ..analyse.effects import called_back, is_reader
from ..analyse.kinds import spec_of
from ..analyse.resolve import Operation, Scope
from ..differentiate import Problem
from ..rules import FIELD, lookup_method, may_only_compute
from ..syntax.blocks import is_compound, own_expressions, rebuild, statements
from ..syntax.building import constant, library, mark, origin_of
from ..syntax.nodes import dotted, nodes_of, reads, walk, writes
from ..syntax.program import MISSING
from .dress import guard_of


def ask(problem: Problem, changed: Collection[str]) -> bool:
    """Let the calls of a problem ask; whether some did. changed: what adjoints that call again may not read."""
    found = bool(changed) and _ask_solvers(problem, changed)
    found |= _ask_methods(problem)
    return _ask_functions(problem) or found


def _ask_methods(problem: Problem) -> bool:
    """Methods with the name of one of arrays, lists or dicts, of what may be an object of the user's own: where the row
    of such a method is used a check stands before it; else the method is asked, where the text shows that it is one of
    an object."""
    if all(_receiver(node, problem) is None for node in nodes_of(problem.body, gast.Call)):
        return False
    unknown, objects = _unknown(problem), _objects(problem)
    found = False

    def asked(stmt: gast.stmt) -> list[gast.stmt] | None:
        nonlocal found
        # under insert_grad_of: it runs in the backward pass
        if hasattr(stmt, "pair") or id(stmt) not in problem.graph.first:
            return None
        varied = problem.activity.varied.before(stmt)
        for node in nodes_of(own_expressions(stmt) if is_compound(stmt) else stmt, gast.Call):
            base = _receiver(node, problem)
            if base is None or base not in unknown:
                continue
            operation, attr = problem.scope.operation(node), node.func.attr
            if base in varied:
                if not is_compound(stmt) and _gives_constant(stmt, node, operation, problem):
                    found = True
                    return [_check_method(stmt, base, attr), stmt]
                continue
            moved = {name for name, arg in operation.args.items() if reads(arg) & varied}
            if node is getattr(stmt, "value", None) and operation.rule is not None and moved:
                found = True
                return [_check_method(stmt, base, attr), stmt]
            if base in objects or moved:
                node.func = gast.copy_location(library("rt.clean(fn)", fn=node.func), node.func)
                found = True
        return None

    problem.body[:] = rebuild(problem.body, asked)
    return found


def _check_method(stmt: gast.stmt, base: str, attr: str) -> gast.stmt:
    check = library("rt.check_method(x, name)", x=base, name=constant(attr))
    return mark(gast.Expr(check), role="forward", origin=origin_of(stmt), note="guard")


def _gives_constant(stmt: gast.stmt, node: Any, operation: Operation, problem: Problem) -> bool:
    """A method of a list, or of a dict, tells nothing of the numbers that it holds, as one of an object may."""
    rule = operation.rule
    return rule is not None and not (rule.supported and rule.active_params) \
        and not hasattr(np.ndarray, node.func.attr) \
        and not spec_of(node.func.value, problem.kinds.before(stmt), problem.scope).is_number


def _receiver(node: Any, problem: Problem) -> str | None:
    """`m` of `m.get(x)`, where there may be another class with a method of this name."""
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)
            and isinstance(node.func.value, gast.Name)):
        return None
    known = lookup_method(node.func.attr) is not None or may_only_compute(node.func.attr)
    return node.func.value.id \
        if known and problem.scope.value(node.func) is MISSING and not getattr(node, "draws", False) else None


def _unknown(problem: Problem) -> set[str]:
    """Parameters, and names that hold a part of something, the item of a loop, or what an unknown call gives."""
    found = set(problem.parameters)
    for stmt in statements(problem.body):
        if isinstance(stmt, gast.For):
            found |= writes(stmt.target)
        elif isinstance(stmt, gast.Assign):
            operation = problem.scope.operation(stmt.value)
            if isinstance(stmt.value, (gast.Subscript, gast.Attribute, gast.Name)) \
                    or hasattr(stmt, "pair") or operation.kind in ("dynamic", "unknown", "function"):
                found |= writes(stmt.targets)
    return found


def _objects(problem: Problem) -> set[str]:
    """The names of what has a field, or a method that no array, list or dict has."""
    found = set()
    called = {id(node.func) for node in nodes_of(problem.body, gast.Call)}
    for node in walk(problem.body):
        if isinstance(node, gast.Attribute) and id(node) not in called and isinstance(node.value, gast.Name):
            if problem.scope.operation(node).rule is FIELD:
                found.add(node.value.id)
        elif isinstance(node, gast.Call) and getattr(node, "of_object", False) and isinstance(node.args[0], gast.Name):
            found.add(node.args[0].id)
    return found


def plain_reads(tree: gast.FunctionDef, wrt: Sequence[str], scope: Scope) -> None:
    """Write the reads of attributes of what carries no derivative as they were written: `shape.area`."""
    asked = [node for node in nodes_of(tree.body, gast.Call) if hasattr(node, "attribute")]
    if not asked:
        return
    carries = Varied(varied_names(tree, wrt, scope), scope).of
    plain = {id(node): node for node in asked if not carries(node.args[0])}
    Plain(plain).generic_visit(tree)
    readers = {node.func.id for node in plain.values() if isinstance(node.func, gast.Name)} - reads(tree.body)
    tree.body = rebuild(tree.body, lambda stmt: [] if isinstance(stmt, gast.Assign) and writes(stmt) <= readers
                        and _reads_attribute(scope.value(getattr(stmt.value, "func", stmt))) else None)


class Plain(gast.NodeTransformer):
    """Writes calls that read an attribute as the attribute."""

    def __init__(self, calls: Collection[int]) -> None:
        self.calls = calls

    def visit_Call(self, node: Any) -> gast.expr:
        self.generic_visit(node)
        if id(node) not in self.calls:
            return node
        return gast.copy_location(gast.Attribute(node.args[0], node.attribute, gast.Load()), node)


def _ask_functions(problem: Problem) -> bool:
    """Let calls of what is known only when it runs, and which stay as they are, ask it whether it changes nothing:
    `rt.clean(fn)(x)`. One of a parameter, or of a variable outside, that is given nothing is let through: it is taken
    to leave alone what it was not given. So is a property of what carries no derivative."""
    bound = writes(problem.body)
    readers = {name for stmt in statements(problem.body) if isinstance(stmt, gast.Assign)
               and isinstance(stmt.value, gast.Call) and _reads_attribute(problem.scope.value(stmt.value.func))
               for name in writes(stmt.targets)}
    judged: set[str] | None = None
    found = False
    for stmt in statements(problem.body):
        if hasattr(stmt, "pair"):
            continue
        for node in nodes_of(own_expressions(stmt) if is_compound(stmt) else stmt, gast.Call):
            if _is_unknown(node, bound, problem) and not (
                    getattr(node.func, "id", "") in readers and not _is_varied(stmt, node.args[0], problem)):
                node.func = gast.copy_location(library("rt.clean(fn)", fn=node.func), node.func)
                found = True
            for one in called_back(node, problem.scope):
                judged = _judged(problem) if judged is None else judged
                if problem.scope.value(one) is MISSING and not (_is_judged(one, problem) or _is_asked(one)
                                                                or isinstance(one, gast.Name) and one.id in judged):
                    new = gast.copy_location(library("rt.clean(fn)", fn=one), one)
                    node.args = [new if arg is one else arg for arg in node.args]
                    node.keywords = [gast.keyword(k.arg, new) if k.value is one else k for k in node.keywords]
                    found = True
    return found


def _ask_solvers(problem: Problem, changed: Collection[str]) -> bool:
    """What adjoints of solvers call again, and is known only when it runs, reads nothing that is changed here."""
    found = False

    def asked(stmt: gast.stmt) -> list[gast.stmt] | None:
        nonlocal found
        calls = nodes_of(own_expressions(stmt) if is_compound(stmt) else stmt, gast.Call)
        given = {reader.id for node in calls for name, reader in problem.scope.operation(node).args.items()
                 if name in getattr(problem.scope.operation(node).rule, "called", ()) and isinstance(reader, gast.Name)
                 and problem.scope.value(reader) is MISSING}
        found |= bool(given)
        checks = [library("rt.check_unread(x)", x=name) for name in sorted(given)]
        for check in checks:
            check.args += map(constant, sorted(changed))
        return [*(guard_of(check, stmt) for check in checks), stmt] if checks else None

    problem.body[:] = rebuild(problem.body, asked)
    return found


def _is_judged(node: Any, problem: Problem) -> bool:
    """A function whose text stands here, which the fence has judged, or that only reads an item."""
    return isinstance(node, (gast.Lambda, gast.Constant, gast.FunctionDef)) or is_reader(node, problem.scope)


def _judged(problem: Problem) -> set[str]:
    """The names of such functions."""
    values: dict[str, list[Any]] = {}
    for stmt in statements(problem.body):
        for name in writes(stmt) if isinstance(stmt, (gast.Assign, gast.FunctionDef)) else ():
            plain = isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)
            values.setdefault(name, []).append(stmt.value if plain else stmt)
        for name in writes(stmt.target) if isinstance(stmt, (gast.For, gast.AugAssign)) else ():
            values.setdefault(name, []).append(stmt)
    return {name for name, found in values.items()
            if name not in problem.parameters and all(_is_judged(one, problem) for one in found)}


def _reads_attribute(fn: Any) -> bool:
    return fn is runtime.computed or fn is runtime.property_above


def _is_varied(stmt: gast.stmt, node: gast.expr, problem: Problem) -> bool:
    return id(stmt) not in problem.graph.first or bool(reads(node) & problem.activity.varied.before(stmt))


def _is_asked(node: gast.expr) -> bool:
    return isinstance(node, gast.Call) and dotted(node.func) == "%rt.clean"


def _is_unknown(node: gast.Call, bound: set[str], problem: Problem) -> bool:
    if problem.scope.operation(node).kind != "dynamic" or _is_asked(node.func):
        return False
    given = reads([*node.args, *(k.value for k in node.keywords)])
    return bool(given) or not isinstance(node.func, gast.Name) or node.func.id in bound
