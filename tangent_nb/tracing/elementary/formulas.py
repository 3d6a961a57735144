"""Formulas of a trace as text and as LaTeX: `v̄₂ × cos v₀`, `\\bar{v}_{2} \\times \\operatorname{cos} v_{0}`."""
from __future__ import annotations

import ast
import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

SUBSCRIPTS = str.maketrans("0123456789-", "₀₁₂₃₄₅₆₇₈₉₋")
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
BAR, DOT = "\u0304", "\u0307"                      # combining: above the letter before
SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
           **{one: f"\\{one}" for one in "&%$#_{}"}}
SMALLEST, SHORTEST, LARGEST = 2, 8, 1e6            # sizes of arrays, and of constants, written out; of numbers
SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 6)      # how closely the parts of a formula hold together
COMPARED: Mapping[type, tuple[str, str]] = {
    ast.Lt: ("<", "<"), ast.Gt: (">", ">"), ast.LtE: ("≤", r"\le"), ast.GtE: ("≥", r"\ge"), ast.Eq: ("=", "="),
    ast.NotEq: ("≠", r"\ne")}


class UnwrittenError(Exception):
    """A formula that is not written with numbers: it reads arrays."""


@dataclass(frozen=True)
class Symbol:
    """What a name in a formula is: a value `v` with its index, or another name; over: "", BAR or DOT; number: what is
    written for a name that is a number."""

    name: str
    index: int | None = None
    over: str = ""
    number: Any = None


def number(value: Any, digits: int) -> str:
    """A number with so many decimals; very small and large ones by their magnitude.

    >>> number(11.652071, 3), number(5.0, 3), number(-0.0, 3), number(0.00001234, 3), number(np.inf, 3)
    ('11.652', '5', '0', '1.234e-05', '∞')
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return str(value)
    if isinstance(value, (int, np.integer)) and abs(int(value)) < LARGEST:
        return str(value)
    exact = float(value)
    if not math.isfinite(exact):
        return "NaN" if math.isnan(exact) else "∞" if exact > 0 else "-∞"
    if exact and not 0.5 * 10.0 ** -digits <= abs(exact) < LARGEST:
        mantissa, _, power = f"{exact:.{digits}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{power}"
    text = f"{exact:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def short(value: Any, digits: int) -> str:
    """A value in a few characters.

    >>> short(np.array([1.0, 0.5]), 3), short(np.zeros((3, 4)), 3), short((1.0, 2.0), 3)
    ('[1, 0.5]', 'array (3, 4)', 'tuple of 2')
    """
    if isinstance(value, np.ndarray) and value.ndim:
        if value.size > 2 * SMALLEST or not value.size or value.ndim > 2:
            return f"array {value.shape}"
        return _listed(value.tolist(), digits)
    if isinstance(value, np.ndarray):
        value = value[()]
    if isinstance(value, (int, float, np.number)):
        return number(value, digits)
    return f"{type(value).__name__} of {len(value)}" if isinstance(value, (list, tuple, dict)) else type(value).__name__


def _listed(value: Any, digits: int) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_listed(one, digits) for one in value)}]"
    return number(value, digits)


def escaped(text: str) -> str:
    """A text as LaTeX writes it."""
    return "".join(SPECIAL.get(one, one) for one in text)


def composed(text: str) -> str:
    """A text with a letter and what stands over it as one character, where there is one."""
    return unicodedata.normalize("NFC", text)


def width(text: str) -> int:
    """How many columns a text takes: what stands over a letter takes none."""
    return sum(not unicodedata.combining(one) for one in text)


class Notation:
    """How formulas are written. symbols: what the names in them are; digits: of numbers."""

    times, empty, nothing, joint = " × ", "", "", ", "
    minus = "-"

    def __init__(self, symbols: Callable[[str], Symbol | None], digits: int) -> None:
        self.symbols, self.digits = symbols, digits

    def formula(self, node: ast.expr, values: Mapping[str, Any] | None = None) -> str:
        """A formula; with values, numbers in the places of names. UnwrittenError where these are no numbers."""
        return _Writer(self, values).write(node)[0]

    def symbol(self, one: Symbol) -> str:
        """A value, an adjoint, a tangent, or a variable of the user's."""
        if one.index is not None:
            return composed(f"{one.name}{one.over}{str(one.index).translate(SUBSCRIPTS)}")
        found = re.fullmatch(r"([^\W\d_])_?([0-9]{1,3})", one.name)
        return composed(found[1] + one.over + found[2].translate(SUBSCRIPTS) if found
                        else one.name[:1] + one.over + one.name[1:])

    def partial(self, of: Symbol, by: Symbol) -> str:
        """∂v₂/∂v₁."""
        return f"∂{self.symbol(of)}/∂{self.symbol(by)}"

    def value(self, text: str) -> str:
        """A number, or the short form of an array."""
        return text.replace("-", self.minus) if re.match("-?[0-9∞]", text) else text

    def power(self, base: str, exponent: str) -> str:
        if re.fullmatch("-?[0-9]+", exponent):
            return base + exponent.translate(SUPERSCRIPTS)
        return f"{base}^({exponent})" if not exponent.isalnum() else f"{base}^{exponent}"

    def fraction(self, above: tuple[str, int], below: tuple[str, int]) -> tuple[str, int]:
        return f"{bracketed(above, PRODUCT)}/{bracketed(below, SIGN)}", PRODUCT

    def called(self, name: str) -> str:
        return name

    def root(self, inside: str) -> str:
        return f"√({inside})"

    def word(self, text: str) -> str:
        """Text that is no symbol."""
        return text

    def compared(self, op: ast.cmpop) -> str:
        return COMPARED.get(type(op), ("in", r"\in"))[0]


class LaTeX(Notation):
    """Formulas for a LaTeX document, or MathJax, in its mathematical mode."""

    times = r" \times "

    def symbol(self, one: Symbol) -> str:
        over = {BAR: r"\bar", DOT: r"\dot"}.get(one.over)
        found = re.fullmatch(r"([A-Za-z])_?([0-9]{1,3})", one.name)
        if one.index is not None or found:
            name, index = (one.name, str(one.index)) if found is None else (found[1], found[2])
            return f"{over}{{{name}}}_{{{index}}}" if over else f"{name}_{{{index}}}"
        name = one.name if re.fullmatch("[A-Za-z]", one.name) else \
            rf"\mathit{{{escaped(one.name)}}}" if one.name.isidentifier() else self.word(one.name)
        if len(one.name) > 1 and over == r"\bar":
            over = r"\overline"
        return f"{over}{{{name}}}" if over else name

    def partial(self, of: Symbol, by: Symbol) -> str:
        return rf"\frac{{\partial {self.symbol(of)}}}{{\partial {self.symbol(by)}}}"

    def value(self, text: str) -> str:
        if found := re.fullmatch(r"(-?[0-9.]+)e([-+]?[0-9]+)", text):
            return rf"{found[1]} \times 10^{{{int(found[2])}}}"
        if re.fullmatch(r"-?[0-9.]+", text):
            return text
        return text.replace("∞", r"\infty") if "∞" in text and len(text) < 3 else self.word(text)

    def power(self, base: str, exponent: str) -> str:
        return f"{base}^{{{exponent}}}"

    def fraction(self, above: tuple[str, int], below: tuple[str, int]) -> tuple[str, int]:
        if max(len(above[0]), len(below[0])) > 24:
            return rf"\frac{{{above[0]}}}{{{below[0]}}}", PRODUCT
        return f"{bracketed(above, PRODUCT)} / {bracketed(below, SIGN)}", PRODUCT

    def called(self, name: str) -> str:
        return rf"\operatorname{{{escaped(name)}}}"

    def root(self, inside: str) -> str:
        return rf"\sqrt{{{inside}}}"

    def word(self, text: str) -> str:
        return rf"\texttt{{{escaped(text)}}}"

    def compared(self, op: ast.cmpop) -> str:
        return COMPARED.get(type(op), ("in", r"\in"))[1]


def bracketed(part: tuple[str, int], least: int) -> str:
    """A part of a formula in brackets, where it does not hold together as closely."""
    return part[0] if part[1] >= least else f"({part[0]})"


class _Writer:
    """Writes one formula: each method gives a text, and how closely it holds together."""

    def __init__(self, notation: Notation, values: Mapping[str, Any] | None) -> None:
        self.notation, self.values = notation, values

    def write(self, node: ast.expr) -> tuple[str, int]:
        match node:
            case ast.Name(id=name):
                return self._name(name)
            case ast.Constant(value=value):
                return self._constant(value)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                part = self.write(inner)
                return ("", 0) if not part[0] else (part[0][1:], ATOM) if part[0].startswith("-") and self.values \
                    is not None else (f"-{bracketed(part, PRODUCT)}", SUM)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return f"{self.notation.word('not')} {bracketed(self.write(inner), SUM)}", SUM
            case ast.BinOp():
                return self._operation(node)
            case ast.Call():
                return self._call(node)
            case ast.Compare(left=left, ops=ops, comparators=others):
                parts = [f" {self.notation.compared(op)} {bracketed(self.write(one), SUM)}"
                         for op, one in zip(ops, others)]
                return bracketed(self.write(left), SUM) + "".join(parts), 0
            case ast.Subscript(value=inner, slice=index):
                return f"{bracketed(self.write(inner), ATOM)}[{self._index(index)}]", ATOM
            case ast.Attribute(value=inner, attr=attr):
                return f"{bracketed(self.write(inner), ATOM)}.{self.notation.word(attr)}", ATOM
            case ast.List(elts=items) | ast.Tuple(elts=items):
                inside = ", ".join(self.write(one)[0] for one in items)
                return (f"[{inside}]" if isinstance(node, ast.List) else f"({inside})"), ATOM
        if self.values is not None:
            raise UnwrittenError
        return self.notation.word(ast.unparse(node)), ATOM

    def _name(self, name: str) -> tuple[str, int]:
        one = self.notation.symbols(name)
        if self.values is not None and name in self.values:
            value = self.values[name]
            if isinstance(value, (int, float, np.number)) or isinstance(value, np.ndarray) and value.ndim == 0:
                return self._number(short(value, self.notation.digits))
            if one is not None:
                raise UnwrittenError
        if one is not None and one.number is not None:
            return self._constant(one.number)
        return (self.notation.symbol(one) if one is not None else self.notation.word(name)), ATOM

    def _number(self, text: str) -> tuple[str, int]:
        return self.notation.value(text), SUM if text.startswith("-") else ATOM if "e" not in text else PRODUCT

    def _constant(self, value: Any) -> tuple[str, int]:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            exact = len(repr(value)) <= SHORTEST           # as it is written; another one was computed
            return self._number(number(value, max(self.notation.digits, SHORTEST) if exact else self.notation.digits))
        return self.notation.word(repr(value) if value is not ... else "..."), ATOM

    def _operation(self, node: ast.BinOp) -> tuple[str, int]:
        left, right = self.write(node.left), self.write(node.right)
        match node.op:
            case ast.Add() | ast.Sub() as op:
                sign = "+" if isinstance(op, ast.Add) else "-"
                if right[0].startswith("-") and right[1] == SUM and self.values is not None:
                    sign, right = "-" if sign == "+" else "+", (right[0][1:], ATOM)
                return f"{bracketed(left, SUM)} {sign} {bracketed(right, SUM if sign == '+' else PRODUCT)}", SUM
            case ast.Mult():
                return f"{bracketed(left, PRODUCT)}{self.notation.times}{bracketed(right, SIGN)}", PRODUCT
            case ast.Div():
                return self.notation.fraction(left, right)
            case ast.Pow():
                return self.notation.power(bracketed(left, ATOM), right[0]), POWER
            case ast.MatMult():
                return f"{bracketed(left, PRODUCT)} @ {bracketed(right, SIGN)}", PRODUCT
        shown = "//" if isinstance(node.op, ast.FloorDiv) else "%" if isinstance(node.op, ast.Mod) else "op"
        return f"{bracketed(left, PRODUCT)} {self.notation.word(shown)} {bracketed(right, SIGN)}", PRODUCT

    def _call(self, node: ast.Call) -> tuple[str, int]:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        if isinstance(node.func, ast.Name) and (symbol := self.notation.symbols(name)) is not None:
            name = symbol.name
        args = list(node.args)
        if isinstance(node.func, ast.Attribute) and not self._is_module(node.func.value):
            inner = bracketed(self.write(node.func.value), ATOM)
            return f"{inner}.{self.notation.called(name)}({self._arguments(node)})", ATOM
        if name == "divide" and len(args) == 2 and not node.keywords:
            return self.notation.fraction(self.write(args[0]), self.write(args[1]))
        if name == "sqrt" and len(args) == 1:
            return self.notation.root(self.write(args[0])[0]), ATOM
        if name == "setitem" and len(args) == 3:
            array, value = bracketed(self.write(args[0]), ATOM), self.write(args[2])[0]
            return f"{array} {self.notation.word('with')} [{self._index(args[1])}] = {value}", SUM
        shown = self.notation.called("ln" if name == "log" else name)
        if len(args) == 1 and not node.keywords:
            part = self.write(args[0])
            space = " " if part[1] == ATOM and not part[0].startswith(("[", "(")) else ""
            return f"{shown}{space}{part[0] if space else '(' + part[0] + ')'}", SIGN
        return f"{shown}({self._arguments(node)})", ATOM

    def _is_module(self, node: ast.expr) -> bool:
        """`np`, `np.linalg`, `rt`: what begins with a name that is no value, and no variable of the user's."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and self.notation.symbols(node.id) is None

    def _arguments(self, node: ast.Call) -> str:
        given = [self.write(one)[0] for one in node.args]
        return ", ".join([*given, *(f"{self.notation.word(one.arg or '**')}={self.write(one.value)[0]}"
                                    for one in node.keywords)])

    def _index(self, node: ast.expr) -> str:
        if isinstance(node, ast.Tuple):
            return ", ".join(map(self._index, node.elts))
        match node:
            case ast.Call(func=ast.Name(id="slice"), args=bounds):
                return self._index(ast.Slice(*(None if isinstance(one, ast.Constant) and one.value is None else one
                                               for one in bounds)))
        if isinstance(node, ast.Slice):
            parts = ["" if one is None else self._index(one) for one in (node.lower, node.upper)]
            return ":".join(parts + ([self._index(node.step)] if node.step is not None else []))
        return self.write(node)[0]

