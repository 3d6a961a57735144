"""Stores in arrays and in views of them: of which array they change what."""
from __future__ import annotations

import ast
from contextlib import suppress
from typing import Any

import numpy as np

from ..values import Lookup, UnknownError, evaluate


def held_in(target: ast.Subscript, lookup: Lookup) -> ast.expr | None:
    """The array that a store changes, in `A[1:][i] = v` A; None where it changes a list or a dict."""
    found, node = None, target.value
    while True:
        with suppress(UnknownError):
            if isinstance(evaluate(node, lookup), np.ndarray):
                found = node
        if not isinstance(node, (ast.Subscript, ast.Attribute)):
            return found
        node = node.value


def stored_at(target: ast.Subscript, holder: ast.expr, lookup: Lookup) -> tuple[Any, ...]:
    """Where a store through views of an array stores, as an index of the array.

    >>> target = ast.parse("A.T[0] = v").body[0].targets[0]
    >>> [place.tolist() for place in stored_at(target, target.value.value, {"A": np.zeros((2, 3))}.__getitem__)]
    [[0, 1], [0, 0]]
    """
    array = evaluate(holder, lookup)
    numbers = np.arange(array.size).reshape(array.shape)
    view = evaluate(_through(target.value, holder), lambda name: numbers if name == "%" else lookup(name))
    return np.unravel_index(view[evaluate(target.slice, lookup)], array.shape)


def _through(node: ast.expr, holder: ast.expr) -> ast.expr:
    """A view of an array as a view of `%`."""
    match node:
        case _ if node is holder:
            return ast.Name("%", ast.Load())
        case ast.Subscript(value=inner, slice=index):
            return ast.Subscript(_through(inner, holder), index, ast.Load())
        case ast.Attribute(value=inner, attr=attr):
            return ast.Attribute(_through(inner, holder), attr, ast.Load())
    raise UnknownError


def as_argument(index: ast.expr) -> ast.expr:
    """An index as it is written outside of brackets.

    >>> ast.unparse(as_argument(ast.parse("x[1:, ..., None]", mode="eval").body.slice))
    '(slice(1, None, None), ..., None)'
    """
    if isinstance(index, ast.Slice):
        parts = [ast.Constant(None) if one is None else one for one in (index.lower, index.upper, index.step)]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    if isinstance(index, ast.Tuple):
        return ast.Tuple([as_argument(one) for one in index.elts], ast.Load())
    return index
