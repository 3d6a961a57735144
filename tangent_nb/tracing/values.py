"""The values that an expression reads, found in a frame without running anything of the user's."""
from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..rules import lookup as row_of
from ..runtime.waiting import waits
from .statements import LAST

Lookup: TypeAlias = "Callable[[str], Any]"
CONTAINERS = (list, tuple, dict, np.ndarray)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class UnknownError(Exception):
    """An expression whose value is not known without running it."""


@dataclass(frozen=True)
class Operand:
    """A part of an expression that has a value before the expression is evaluated."""

    text: str
    value: Any


def names(frame: types.FrameType) -> Lookup:
    """What a name means in a frame now."""
    local = frame.f_locals

    def lookup(name: str) -> Any:
        for scope in (local, frame.f_globals, vars(builtins)):
            if name in scope:
                return scope[name]
        raise UnknownError(name)

    return lookup


def evaluate(node: ast.expr | None, lookup: Lookup) -> Any:
    """The value of a name, a literal, or a part of these; UnknownError for anything that runs code of others.

    >>> evaluate(ast.parse("a[i + 1][:2]", mode="eval").body, {"a": [[], [1, 2, 3]], "i": 0}.__getitem__)
    [1, 2]
    """
    match node:
        case None:
            return None
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return lookup(name)
        case ast.Attribute(value=inner, attr=attr):
            return _attribute(evaluate(inner, lookup), attr)
        case ast.Subscript(value=inner, slice=index):
            container = evaluate(inner, lookup)
            if type(container) in CONTAINERS:
                with suppress(Exception):          # the statement will raise it
                    return container[evaluate(index, lookup)]
        case ast.Slice(lower=lower, upper=upper, step=step):
            return slice(*(evaluate(part, lookup) for part in (lower, upper, step)))
        case ast.Tuple(elts=elements):
            return tuple(evaluate(one, lookup) for one in elements)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            number = evaluate(inner, lookup)
            if type(number) in (int, float):
                return -number
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            a, b = evaluate(left, lookup), evaluate(right, lookup)
            if type(a) is int and type(b) is int:
                return a + b if isinstance(op, ast.Add) else a - b
    raise UnknownError


def _attribute(value: Any, attr: str) -> Any:
    if isinstance(value, types.ModuleType) or type(value) is np.ndarray and not callable(getattr(value, attr, print)):
        with suppress(AttributeError):
            return getattr(value, attr)
    with suppress(TypeError, KeyError):            # no property is run
        found = vars(value)[attr]
        if not waits(found):
            return found
    raise UnknownError


def operands(node: ast.AST, lookup: Lookup, hidden: frozenset[str] = frozenset()) -> Iterator[Operand]:
    """The largest parts of an expression that have a value now. hidden: names that mean something else inside of it.

    >>> xs, x = [1.0, 2.0], np.zeros(2)
    >>> expression = ast.parse("np.log(x[1]) + xs.pop() + float('inf') * -np.inf", mode="eval")
    >>> names = {"np": np, "x": x, "xs": xs, "float": float}
    >>> [(one.text, float(one.value)) for one in operands(expression, names.__getitem__)]
    [('x[1]', 0.0), ('xs[-1]', 2.0), ("'inf'", inf), ('-np.inf', -inf)]
    """
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Call):
        yield from _call_operands(node, lookup, hidden)
        return
    if isinstance(node, COMPREHENSIONS):
        hidden |= names_in(part.target for part in node.generators)
    if isinstance(node, ast.expr) and not isinstance(node, ast.Tuple) and not (hidden and hidden & names_in([node])):
        with suppress(UnknownError):
            value = evaluate(node, lookup)
            if isinstance(value, str):
                value = _number(value)
            if not isinstance(value, types.ModuleType) and not callable(value):
                yield Operand(ast.unparse(node), value)
            return
    if isinstance(node, ast.Name):
        return
    if isinstance(node, ast.Attribute):
        with suppress(UnknownError):
            if type(evaluate(node.value, lookup)) not in CONTAINERS:
                yield Operand(ast.unparse(node), float("nan"))     # a property: it may be anything
                return
    for child in ast.iter_child_nodes(node):
        yield from operands(child, lookup, hidden)


def _call_operands(node: ast.Call, lookup: Lookup, hidden: frozenset[str]) -> Iterator[Operand]:
    """The arguments of a call, and the object whose method is called; of `xs.pop()` the last item."""
    called = node.func
    if isinstance(called, ast.Attribute):
        if called.attr == "pop" and not node.args:
            yield from operands(ast.Subscript(called.value, LAST, ast.Load()), lookup, hidden)
            return
        yield from operands(called.value, lookup, hidden)
    with suppress(UnknownError):
        rule = row_of(evaluate(called, lookup))
        if rule is not None and rule.unset:
            yield Operand(ast.unparse(node), float("nan"))
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        yield from operands(argument, lookup, hidden)


def names_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that expressions contain."""
    return frozenset(one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name))


def _number(text: str) -> Any:
    """The number that a text is read as by `float`; the text where it is none."""
    try:
        return float(text)
    except ValueError:
        return text


def is_elementwise(node: ast.expr, lookup: Lookup) -> bool:
    """Every element of the value depends on the elements in its place alone: operators and NumPy's ufuncs."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            return not isinstance(op, ast.MatMult) and is_elementwise(left, lookup) and is_elementwise(right, lookup)
        case ast.UnaryOp(operand=inner):
            return is_elementwise(inner, lookup)
        case ast.Call(func=called, args=args, keywords=[]):
            with suppress(UnknownError):
                function = evaluate(called, lookup)
                whole = isinstance(function, np.ufunc) and function.signature is None or function is np.where
                return whole and all(is_elementwise(one, lookup) for one in args)
            return False
    with suppress(UnknownError):
        evaluate(node, lookup)
        return True
    return False


def copied(value: Any) -> Any:
    """A copy of the arrays in a value, and of the lists, tuples and dicts around them."""
    if type(value) is np.ndarray:
        return value.copy()
    if type(value) in (list, tuple):
        return type(value)(map(copied, value))
    if type(value) is dict:
        return {key: copied(one) for key, one in value.items()}
    return value
