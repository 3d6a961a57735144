"""What the texts of a row say of zeros and poles: whether a pull or push leaves elements out,
and what a partial divides by."""
from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np

from .effects import method_row
from .libraries import LIBRARIES
from .row import Rule
from .table import lookup

# a factor may be infinite: at some arguments; at large ones, where it overflows; where the data are not finite
POLE, LARGE, DATA = 1, 2, 3
LEVELS = {"": 0, "pole": POLE, "large": LARGE}
NOT_A_NUMBER = (".isnan", ".isfinite", ".isinf", ".isneginf", ".isposinf", "np.nan", "np.ma.")


@functools.cache
def _keeps_all(text: str) -> bool:
    """The calls of a text give every element something where they are given something for each."""
    calls = [node.func for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Call)]
    return all(isinstance(called, ast.Attribute) and called.attr == "reshape" or _spreads(lookup(_called(called)))
               for called in calls)


def _spreads(rule: Rule | None) -> bool:
    """By its row, or as a function of elements that has no kinks and jumps."""
    if rule is None or rule.spreads is not None:
        return rule is not None and bool(rule.spreads)
    return rule.diagonal and not rule.zeros and (callable(rule.breaks) or not rule.breaks)


@functools.cache
def leaves_out(text: str) -> bool:
    """What comes out for an element may be exactly 0 by a text, whatever comes in for the others.

    >>> leaves_out("rt.unbroadcast(np.triu(g, k), x)"), leaves_out("g * np.cos(x)")
    (True, False)
    """
    return not _keeps_all(text) or isinstance(ast.parse(text, mode="eval").body, (ast.Tuple, ast.IfExp, ast.Subscript))


def unbounded(rule: Rule, text: str, literals: Collection[str] = ()) -> int:
    """Where a partial may be infinite, or NaN, by its text: at a pole, at large arguments, nowhere (0). literals: the
    arguments that are written down, and not 0.

    >>> import operator
    >>> quotient = lookup(operator.truediv)
    >>> [unbounded(quotient, text) for text in ("g / (2.0 * y)", "g / (1.0 + x * x)", "g / x.size")]
    [1, 0, 0]
    >>> unbounded(quotient, "g / y", ["y"])
    0
    """
    if any(not names <= set(literals) for names in _divisors(text)):
        return POLE
    where = infinite(rule, literals)
    return where if where == LARGE or rule.result in read_in(text) else 0


def first(levels: Iterable[int]) -> int:
    """The least of what is not 0."""
    return min(filter(None, levels), default=0)


def infinite(rule: Rule, literals: Collection[str] = ()) -> int:
    """Where the value of a function may be infinite."""
    found = rule.infinite
    return LEVELS[found] if isinstance(found, str) \
        else first(LEVELS[where] for name, where in found.items() if name not in literals)


@functools.cache
def read_in(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name))


@functools.cache
def _divisors(text: str) -> tuple[frozenset[str], ...]:
    """Of each divisor in a text that may be 0, and of each argument of a function that may have a pole there,
    the names that it reads."""
    found = []
    for node in ast.walk(ast.parse(text, mode="eval")):
        for divisor in _of(node):
            names = frozenset(_values(divisor))
            if names and not _positive(divisor):
                found.append(names)
    return tuple(found)


def _of(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv)):
        yield node.right
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        rule = lookup(_called(node.func))
        if rule is not None and infinite(rule) == POLE:
            places = rule.params if isinstance(rule.infinite, str) else rule.infinite
            yield from (arg for name, arg in zip(rule.params, node.args) if name in places)


def _called(node: ast.expr) -> Any:
    """What a dotted name in a text stands for; None for a method."""
    if isinstance(node, ast.Attribute):
        return getattr(_called(node.value), node.attr, None)
    return LIBRARIES[node.id] if isinstance(node, ast.Name) and node.id in LIBRARIES else None


def _values(node: ast.AST) -> Iterator[str]:
    """The names whose values an expression reads, rather than their shapes."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call):
        rule = lookup(_called(node.func))
        if rule is None or rule.active_params or rule.breaks or not rule.supported:     # else a shape, or a place
            for arg in [*node.args, *(k.value for k in node.keywords)]:
                yield from _values(arg)
    elif not (isinstance(node, ast.Attribute) and (_called(node) is not None or is_shape(node.attr))):
        for part in ast.iter_child_nodes(node):
            yield from _values(part)


def is_shape(name: str) -> bool:
    """An attribute or method of arrays that reads their shape alone."""
    row = method_row(np.ndarray, name)
    return row is not None and bool(row.shape_only)


def _positive(node: ast.expr) -> bool:
    """More than 0 for real numbers, as it is written: `1.0 + x * x`."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and node.value > 0
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("np.hypot", "math.hypot") and any(map(_positive, node.args))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return any(_positive(a) and (_positive(b) or _square(b))
                   for a, b in ((node.left, node.right), (node.right, node.left)))
    return False


def _square(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("np.exp", "math.exp")
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and ast.dump(node.left) == ast.dump(node.right)


def is_slope(fn: object) -> bool:
    """A helper whose values are slopes that are constant almost everywhere, 0 on one side of a kink: `rt.greater`."""
    row = lookup(fn)
    return row is not None and row.zero and row.name.startswith("rt.") and row.breaks == "jump"


def parts_read(rule: Rule) -> set[int]:
    """The parts of the result whose cotangents the pulls of a row read, one by one: `g[1]`."""
    return {node.slice.value for choices in rule.pull.values() for choice in choices for node in ast.walk(choice.expr)
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "g"
            and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)}


def asks_for_nan(rule: Rule) -> bool:
    """A function that is called where NaN is expected."""
    return rule.name.startswith("np.nan") or rule.name.endswith(NOT_A_NUMBER)
