"""What the values that a statement may change in place are: found before it runs, without running anything.

It errs on one side: what is not known for certain to change nothing may change anything.
"""
from __future__ import annotations

import ast
import types
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..analyse.effects import changed_by_numpy, is_pure_function
from ..rules import method_row
from .statements import LAST, Statement, base
from .values import Lookup, UnknownError, evaluate

PLAIN = (int, float, complex, bool, str, type(None), range, slice, type(...), list, tuple, dict)


@dataclass
class Reach:
    """anything: nothing is known; arrays, containers: that may change; tails: lists that change at their end alone;
    calls: of functions written in Python, which have to be followed, or anything may have changed."""

    anything: bool = False
    arrays: list[Any] = field(default_factory=list)
    containers: list[Any] = field(default_factory=list)
    tails: list[Any] = field(default_factory=list)
    calls: int = 0


class _AnythingError(Exception):
    """It may change anything."""


def reach(statement: Statement, lookup: Lookup, own: Collection[str]) -> Reach:
    """What a statement may change in place that was there before. own: the names of its function's own variables.

    >>> from .statements import of_function
    >>> xs, x = [], np.zeros(2)
    >>> names = {"np": np, "xs": xs, "x": x, "abs": abs}
    >>> def of(line):
    ...     found = reach(of_function(ast.parse(f"def f(): {line}").body[0])[1], names.__getitem__, "xyz")
    ...     return found.anything, len(found.arrays), len(found.containers), len(found.tails)
    >>> of("y = np.sin(x) * 2.0"), of("x += 1.0"), of("xs.append(x)"), of("y = np.copyto(x, 1.0)")
    ((False, 0, 0, 0), (False, 1, 0, 0), (False, 0, 0, 1), (True, 0, 0, 0))
    """
    found = Reach()
    try:
        if statement.shares and statement.stores or not statement.reads and not statement.stores:
            raise _AnythingError
        for target in statement.stores:
            _store(target, statement, lookup, own, found)
        for node in statement.reads:
            _read(node, lookup, found)
    except (_AnythingError, UnknownError):
        found.anything = True
    return found


def _store(target: ast.expr, statement: Statement, lookup: Lookup, own: Collection[str], found: Reach) -> None:
    if isinstance(target, ast.Name):
        if target.id not in own:                   # of another function, or of a module
            raise _AnythingError
        if isinstance(statement.value, ast.BinOp) and statement.value.left is target:          # x += v
            _changed(_value(target, lookup), found)
    elif isinstance(target, ast.Subscript):
        value = _value(target.value, lookup)
        if target.slice is LAST:
            if type(value) is not list:
                raise _AnythingError
            found.tails.append(value)
        else:
            _changed(value, found)
            if isinstance(statement.value, ast.BinOp) and statement.value.left is target:      # xs[i] += v
                _changed(_value(target, lookup), found)
    else:
        raise _AnythingError


def _value(node: ast.expr, lookup: Lookup) -> Any:
    return evaluate(node, lookup)


def _changed(value: Any, found: Reach) -> None:
    if type(value) is np.ndarray:
        found.arrays.append(value)
    elif type(value) in (list, dict):
        found.containers.append(value)
    elif type(value) not in PLAIN and not _is_number(value):
        raise _AnythingError


def _is_number(value: Any) -> bool:
    return isinstance(value, np.generic) and type(value).__module__ == "numpy"


def _is_plain(value: Any) -> bool:
    """Reading it, and computing with it, runs no code of the user's."""
    return type(value) in PLAIN or type(value) is np.ndarray and not value.dtype.hasobject or _is_number(value)


def _read(node: ast.expr, lookup: Lookup, found: Reach) -> None:
    """Evaluating an expression changes no more than is found; _AnythingError where that is not known."""
    match node:
        case ast.Constant():
            return
        case ast.Name() | ast.Attribute() | ast.Subscript():
            _part(node, lookup, found)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts) | ast.Set(elts=parts):
            _all(parts, lookup, found)
        case ast.Dict(keys=keys, values=parts):
            _all([one for one in (*keys, *parts) if one is not None], lookup, found)
        case ast.BinOp(left=left, right=right):
            _all([left, right], lookup, found)
        case ast.UnaryOp(operand=inner) | ast.NamedExpr(value=inner) | ast.Starred(value=inner):
            _read(inner, lookup, found)
        case ast.Compare(left=left, comparators=others):
            _all([left, *others], lookup, found)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            calls = found.calls
            _all([test, body, orelse], lookup, found)
            if found.calls != calls:               # one of them is not made
                raise _AnythingError
        case ast.Slice(lower=lower, upper=upper, step=step):
            _all([one for one in (lower, upper, step) if one is not None], lookup, found)
        case ast.Call():
            _call(node, lookup, found)
        case _:
            raise _AnythingError
    if isinstance(node, ast.BoolOp) and any(isinstance(one, ast.Call) for one in ast.walk(node)) and found.calls:
        raise _AnythingError


def _all(nodes: list[Any], lookup: Lookup, found: Reach) -> None:
    for node in nodes:
        _read(node, lookup, found)


def _part(node: ast.expr, lookup: Lookup, found: Reach) -> None:
    """A name, or a part of what one means."""
    try:
        value = evaluate(node, lookup)
    except UnknownError:
        if isinstance(node, ast.Subscript):        # the part of something that is computed there
            _all([node.value, node.slice], lookup, found)
            if not _is_computed(node.value):
                raise
            return
        if isinstance(node, ast.Attribute) and _is_computed(node.value):
            _read(node.value, lookup, found)
            return
        raise
    if isinstance(node, ast.Attribute):
        holder = evaluate(node.value, lookup)
        if not _is_plain(holder) and not isinstance(holder, types.ModuleType):
            raise _AnythingError                   # a property may hide what stands there
    if not _is_plain(value) and not isinstance(value, types.ModuleType):
        raise _AnythingError


def _is_computed(node: ast.expr) -> bool:
    """An expression of operators and calls, whose parts are judged by themselves."""
    return isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Call))


def _call(node: ast.Call, lookup: Lookup, found: Reach) -> None:
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    _all(arguments, lookup, found)
    try:
        function = evaluate(node.func, lookup)
    except UnknownError:
        _method(node, lookup, found)
        return
    if type(function) is types.FunctionType and not is_pure_function(function):
        found.calls += 1
    elif isinstance(function, types.FunctionType) or callable(function):
        if changed_by_numpy(node, function) is not None or not is_pure_function(function) \
                and not isinstance(function, np.ufunc):
            raise _AnythingError
    else:
        raise _AnythingError


def _method(node: ast.Call, lookup: Lookup, found: Reach) -> None:
    """A method of an array, a list, a number; the last item that is taken from a list."""
    if not isinstance(node.func, ast.Attribute):
        raise _AnythingError
    value = evaluate(node.func.value, lookup) if not _is_computed(node.func.value) else None
    row = method_row(type(value), node.func.attr)
    if value is None or row is None or not _is_plain(value) or any(one.arg == "out" for one in node.keywords):
        raise _AnythingError
    if type(value) is list and row.changes_first and not node.args and base(node.func.value):
        found.tails.append(value) if row.name == "pop" else found.containers.append(value)
    elif not row.pure or type(value) is np.ndarray and len(node.args) > 1:
        raise _AnythingError
