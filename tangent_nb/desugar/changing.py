"""Functions that change what they are given: their bodies stand in the place of their calls,
so that what changes has one name.

Needs a call of a function of the user. Promises to know whether its text stores in a parameter, or in a part of one.

    def step(u, k):                       for i in range(3):
        u[1:-1] += k * u[2:]       →          u[1:-1] += k * u[2:]
    for i in range(3):
        step(u, k)
"""
from __future__ import annotations

from typing import Any

import gast

from ..analyse.effects import written_to
from ..analyse.resolve import Scope
from ..errors import RefusedError
from ..normalise import is_array
from ..rules import effects_of, may_change
from ..syntax.nodes import names_in, nodes_in, parameter_names, root_name, starred_parameters, target_names, writes
from ..syntax.program import MISSING, Captured
from .state import State


def changes_given(desugar: State, fn: Any, seen: frozenset[Any] = frozenset()) -> bool:
    """The text of a function stores in something that it is given."""
    try:
        captured = desugar.texts.unit(fn).captured
    except RefusedError:
        return False
    tree = captured.tree
    given = set(parameter_names(tree)) - set(starred_parameters(tree))         # what stars make is new
    for stmt in nodes_in(tree):                       # other names for what is given
        if isinstance(stmt, gast.Assign) and (root_name(stmt.value) or "") in given:
            given |= {name for target in stmt.targets for name in target_names(target)}
    rows = {name for stmt in nodes_in(tree) if isinstance(stmt, gast.For) and names_in(stmt.iter) & given
            for name in target_names(stmt.target)}
    values: list[Any] = [node.value for node in nodes_in(tree) if isinstance(node, gast.Return)]
    # `p -= g; return p`: a number is another one under that name, wherever the text stands
    handed_back = {value.id for value in values if isinstance(value, gast.Name)} \
        if any(value is not None for value in values) else given
    for node in nodes_in(tree):
        targets = node.targets if isinstance(node, gast.Assign) \
            else [node.target] if isinstance(node, gast.AugAssign) else []
        parts = [part for one in targets for part in (one.elts if isinstance(one, (gast.Tuple, gast.List)) else [one])]
        if any(isinstance(part, gast.Subscript) and root_name(part) in given for part in parts):
            return True
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) and (
                node.target.id in rows or node.target.id in given
                and (node.target.id in handed_back
                     or is_array(tree.body, node.target.id, Scope(captured.namespace, writes(tree))))):
            return True
        if isinstance(node, gast.Call) \
                and (_changes(node, captured, given) or _passes_on(desugar, captured, node, given, seen | {fn})):
            return True
    return False


def _changes(node: gast.Call, captured: Captured, given: set[str]) -> bool:
    """A method, or a function of NumPy, that changes what is given."""
    fn = captured.namespace.resolve(node.func, given)
    if isinstance(node.func, gast.Attribute) and may_change(node.func.attr) and root_name(node.func.value) in given \
            or changes_first(node, fn) and root_name(node.args[0]) in given:
        return True
    out = written_to(node, fn)
    return out is not None and root_name(out.elts[0] if isinstance(out, gast.Tuple) else out) in given


def changes_first(node: gast.Call, fn: Any) -> bool:
    """`np.put(a, i, v)`, `np.add.at(a, i, v)`: a function that changes what it is given first."""
    row = effects_of(fn)
    at = fn is MISSING and isinstance(node.func, gast.Attribute) and node.func.attr == "at"
    return bool(node.args) and (at or row is not None and row.owner is None and row.changes_first)


def _passes_on(desugar: State, captured: Captured, node: gast.Call, given: set[str], seen: frozenset[Any]) -> bool:
    """A call of another function that changes what it is given."""
    value = captured.namespace.lookup(node.func.id) if isinstance(node.func, gast.Name) else None
    if value in seen or not hasattr(value, "__code__") or not any(root_name(arg) in given for arg in node.args):
        return False
    return changes_given(desugar, value, seen)
