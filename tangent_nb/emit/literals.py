"""Trees that can be written down: every constant a literal, every f-string one that Python can print.

Needs an `ast` tree. Promises a tree of the same meaning that parses back to itself once it is printed: -1.0 is a minus
and a number, infinity and nan are expressions, neighbouring pieces of an f-string are one.

    >>> items = [ast.Constant(-1.5), ast.Constant(float("inf")), ast.Constant((1, -2j))]
    >>> ast.unparse(printable(ast.Tuple(items, ast.Load())))
    '(-1.5, 1e309, (1, -2j))'
"""
from __future__ import annotations

import ast
import math
import numbers
import sys
from collections.abc import Callable
from functools import cache
from typing import Any


def printable(tree: ast.AST) -> ast.AST:
    """`tree`, changed in place where it could not be printed as it is."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if node.__class__ is ast.Name:
            continue
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                if isinstance(node, ast.JoinedStr):
                    value[:] = _merged(value)
                for place, child in enumerate(value):
                    if isinstance(child, ast.expr):
                        value[place] = _replaced(child)
                todo += [child for child in value if isinstance(child, ast.AST)]
            elif isinstance(value, ast.expr):
                new = _replaced(value, node)
                setattr(node, name, new)
                todo.append(new)
            elif isinstance(value, ast.AST) and value._fields:
                todo.append(value)
    return tree


def same(a: object, b: object) -> bool:
    """Both trees mean the same: positions and contexts apart, constants by type and value.

    >>> same(ast.parse("x + 1"), ast.parse("x+1")), same(ast.parse("x + 1"), ast.parse("x + 1.0"))
    (True, False)
    """
    todo = [(a, b)]
    while todo:
        a, b = todo.pop()
        if a.__class__ is not b.__class__:
            return False
        if isinstance(a, ast.Name) and isinstance(b, ast.Name):
            if a.id != b.id:
                return False
        elif isinstance(a, ast.Attribute) and isinstance(b, ast.Attribute):
            if a.attr != b.attr:
                return False
            todo.append((a.value, b.value))
        elif isinstance(a, ast.BinOp) and isinstance(b, ast.BinOp):
            todo += [(a.left, b.left), (a.op, b.op), (a.right, b.right)]
        elif isinstance(a, ast.JoinedStr) and isinstance(b, ast.JoinedStr):
            todo.append((_merged(a.values), _merged(b.values)))            # some versions of Python split constants
        elif isinstance(a, ast.AST):
            kind: Any = a.__class__
            todo += [(getattr(a, name, None), getattr(b, name, None)) for name in _said(kind)]
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif a != b or (isinstance(a, (float, complex)) and repr(a) != repr(b)):
            return False
    return True


@cache
def _said(kind: Any) -> tuple[str, ...]:
    """The fields of a class of nodes that say what it means."""
    return tuple(name for name in kind._fields if name not in ("ctx", "kind", "type_comment", "simple"))


def _replaced(node: ast.expr, parent: ast.AST | None = None) -> ast.expr:
    if isinstance(node, ast.Constant):
        return node if type(node.value) in (str, bool) or isinstance(parent, ast.JoinedStr) else literal(node.value)
    if isinstance(node, ast.JoinedStr) and not isinstance(parent, ast.FormattedValue):
        return _formatted(node)
    return node


def literal(value: object) -> ast.expr:
    """The expression that writes a constant down."""
    if isinstance(value, (tuple, frozenset)):
        items = [literal(item) for item in value]
        return ast.Tuple(items, ast.Load()) if isinstance(value, tuple) else \
            ast.Call(ast.Name("frozenset", ast.Load()), [ast.Tuple(items, ast.Load())], [])
    if isinstance(value, bool) or not isinstance(value, numbers.Number):
        return ast.Constant(value)  # type: ignore[arg-type]
    if isinstance(value, numbers.Integral):
        return _signed(abs(int(value)), int(value) < 0)
    if isinstance(value, numbers.Real):
        number = float(value)
        if math.isnan(number):
            infinity = ast.Constant(math.inf)
            return ast.BinOp(infinity, ast.Sub(), ast.Constant(math.inf))
        return _signed(abs(number), math.copysign(1.0, number) < 0)
    if isinstance(value, complex):
        imaginary = _signed(complex(0.0, abs(value.imag)), False)
        if value.real == 0 and not math.isnan(value.imag):
            return _signed(complex(0.0, abs(value.imag)), math.copysign(1.0, value.imag) < 0)
        sign = ast.Sub() if math.copysign(1.0, value.imag) < 0 else ast.Add()
        return ast.BinOp(literal(value.real), sign, imaginary)
    raise RuntimeError(f"a constant of type {type(value).__name__} cannot be written down")


def _signed(value: int | float | complex, negative: bool) -> ast.expr:
    return ast.UnaryOp(ast.USub(), ast.Constant(value)) if negative else ast.Constant(value)


def _merged(parts: list[ast.expr]) -> list[ast.expr]:
    """Neighbouring constants of an f-string as one; none that is empty."""
    merged: list[ast.expr] = []
    for part in parts:
        if isinstance(part, ast.Constant):
            if part.value == "":
                continue
            if merged and isinstance(merged[-1], ast.Constant):
                merged[-1] = ast.Constant(str(merged[-1].value) + str(part.value))
                continue
        merged.append(part)
    return merged


def _formatted(node: ast.JoinedStr) -> ast.expr:
    """An f-string if Python can print it (before 3.12 not all can be nested), otherwise a call of format."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.JoinedStr):
            inner.values = _merged(inner.values)
    if fstring(node) is not None:
        return node
    arguments: list[ast.expr] = []

    def place(value: ast.expr) -> str:
        arguments.append(value)
        return str(len(arguments) - 1)

    template = ast.Constant(_template(node.values, str, place))
    return ast.Call(ast.Attribute(template, "format", ast.Load()), arguments, [])


def fstring(node: ast.JoinedStr) -> str | None:
    """The text of an f-string in one line, or None where it has none that means the same.

    >>> fstring(ast.parse(r'''f"a\\n{x!r:>{n}}"''', mode="eval").body)
    "f'a\\\\n{x!r:>{n}}'"
    """
    for write in (_single_quoted, ast.unparse):
        try:
            text = write(node)
            if "\n" not in text and same(ast.parse(text, mode="eval").body, node):
                return text
        except (ValueError, SyntaxError):
            pass
    return None


def _single_quoted(node: ast.JoinedStr) -> str:
    def inside(value: ast.expr) -> str:
        text = ast.unparse(value)
        return " " + text if text.startswith("{") else text

    # a double quote makes repr choose the single one
    quoted = _template(node.values, lambda text: repr(text + '"')[1:-2], inside)
    return f"f'{quoted}'"


def _template(parts: list[ast.expr], constant: Callable[[str], str], place: Callable[[ast.expr], str]) -> str:
    """The text of pieces: constants as `constant` writes them, and in braces what `place` makes of values."""
    text = ""
    for part in parts:
        if isinstance(part, ast.Constant):
            text += constant(str(part.value)).replace("{", "{{").replace("}", "}}")
        elif isinstance(part, ast.FormattedValue):
            text += "{" + place(part.value) + (f"!{chr(part.conversion)}" if part.conversion >= 0 else "")
            if isinstance(part.format_spec, ast.JoinedStr):
                text += ":" + _template(part.format_spec.values, constant, place)
            text += "}"
    return text


def number(value: int | float | complex) -> str:
    """The text of a number that is not negative.

    >>> number(0.1), number(1e-12), number(3), number(float("inf")), number(2j)
    ('0.1', '1e-12', '3', '1e309', '2j')
    """
    if isinstance(value, int):
        return repr(value) if value.bit_length() < 10000 else hex(value)
    text = repr(value.imag if isinstance(value, complex) else value)
    if text.endswith(".0") and isinstance(value, complex):
        text = text[:-2]
    return text.replace("inf", f"1e{sys.float_info.max_10_exp + 1}") + ("j" if isinstance(value, complex) else "")
