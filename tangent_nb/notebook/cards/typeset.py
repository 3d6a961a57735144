"""Expressions as mathematics: small trees that a page makes MathML of, and the same as plain text.

A tree is a list: a tag of `TAGS`, then a text (`mi`, `mn`, `mo`, `mtext`) or the trees in it. Needs expressions of
Python's `ast` or of gast. Promises a tree for each of them: what has no form of its own stands there as code.
js/src/math.ts checks the trees again.

    g * (1.0 - y * y)      ȳ (1 − y²)
"""
from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ...rules import LIBRARIES
from ...rules.notation import NUMBERS, TRANSPOSED, notation
from ...syntax.nodes import unparse
from ..tokens import visible

Math: TypeAlias = "list[Any]"
LEAVES = ("mi", "mn", "mo", "mtext")
TAGS = (*LEAVES, "mrow", "mfrac", "msqrt", "msup", "msub", "mover")
SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 6)              # how closely the parts of a formula hold together
LONGEST = 200                                              # characters of code that has no form of its own
APPLIED, SPACE, MINUS = "\u2061", "\u2009", "−"
SIGNS = {"Add": "+", "Sub": MINUS, "MatMult": "@", "Mod": "mod", "FloorDiv": "//", "BitAnd": "&", "BitOr": "|",
         "BitXor": "^", "LShift": "<<", "RShift": ">>", "Lt": "<", "Gt": ">", "LtE": "≤", "GtE": "≥", "Eq": "=",
         "NotEq": "≠", "In": "∈", "NotIn": "∉", "Is": "is", "IsNot": "is not", "And": "and", "Or": "or"}
RAISED = str.maketrans("0123456789-−+T", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺ᵀ")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
OVER = {"¯": "\u0304", "˙": "\u0307"}


def typeset(node: Any, symbols: Mapping[str, Math]) -> Math:
    """An expression as a tree. symbols: what stands for names.

    >>> tree = typeset(ast.parse("g * (1.0 - y * y)", mode="eval").body, {"g": over("y", "¯")})
    >>> plain(tree)
    'ȳ (1 − y²)'
    """
    try:
        return _Setter(symbols).set(node)[0]
    except RecursionError:
        return ["mtext", "…"]


def symbol(name: str) -> Math:
    """A variable.

    >>> plain(symbol("x1")), plain(symbol("total_2"))
    ('x₁', 'total₂')
    """
    found = re.fullmatch(r"([^\W\d_]+)_?([0-9]{1,3})", name)
    return ["msub", ["mi", found[1]], ["mn", found[2]]] if found else ["mi", visible(name)]


def over(name: str, mark: str) -> Math:
    """A variable with a bar, or a dot, over it."""
    one = symbol(name)
    return ["msub", ["mover", one[1], ["mo", mark]], one[2]] if one[0] == "msub" else ["mover", one, ["mo", mark]]


def row(*parts: Math) -> Math:
    """Parts behind one another."""
    return ["mrow", *parts]


def plain(tree: Math) -> str:
    """A tree as text."""
    tag, *parts = tree
    if tag in LEAVES:
        return "" if parts[0] == APPLIED else " " if parts[0] == SPACE else str(parts[0])
    if tag == "mrow":
        return "".join(map(plain, parts))
    inside = [plain(part) for part in parts]
    if tag == "mover":
        return unicodedata.normalize("NFC", inside[0] + OVER.get(inside[1], ""))
    if tag == "msqrt":
        return f"√({''.join(inside)})"
    if tag == "mfrac":
        return f"{_bracketed(inside[0])}/{_bracketed(inside[1])}"
    if tag == "msub":
        return inside[0] + (inside[1].translate(LOWERED) if inside[1].isdigit() else f"_{inside[1]}")
    small = re.fullmatch(r"[-−]?[0-9]+|T", inside[1]) is not None
    return inside[0] + (inside[1].translate(RAISED) if small else f"^{_bracketed(inside[1])}")


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"[\w\u0304\u0307.]+|[\w.]*\(.*\)", text) and text.count("(") < 2 else f"({text})"


Part: TypeAlias = "tuple[Math, int]"


class _Setter:
    """Sets one expression: each method gives a tree, and how closely it holds together."""

    def __init__(self, symbols: Mapping[str, Math]) -> None:
        self.symbols = symbols

    def set(self, node: Any) -> Part:
        method: Callable[[Any], Part] | None = getattr(self, f"_{_kind(node)}", None)
        return self._code(node) if method is None else method(node)

    def within(self, node: Any, least: int) -> Math:
        """A part, in brackets where it does not hold together as closely."""
        tree, level = self.set(node)
        return tree if level >= least else row(["mo", "("], tree, ["mo", ")"])

    @staticmethod
    def _code(node: Any) -> Part:
        text = " ".join((ast.unparse(node) if isinstance(node, ast.AST) and type(node).__module__ in ("ast", "_ast")
                         else unparse(node)).replace("%", "").split())
        return ["mtext", visible(text if len(text) <= LONGEST else text[:LONGEST] + "…")], SUM

    def _Name(self, node: Any) -> Part:
        name = node.id.lstrip("%")
        return self.symbols.get(name) or symbol(name), ATOM

    def _Constant(self, node: Any) -> Part:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return ["mtext", visible("…" if value is ... else repr(value)[:LONGEST])], ATOM
        text = str(int(value)) if value == value and abs(value) < 1e15 and value == int(value) else repr(value)
        text = text.replace("inf", "∞").replace("nan", "NaN")
        return (["mn", text], ATOM) if not text.startswith("-") else (row(["mo", MINUS], ["mn", text[1:]]), SUM)

    def _UnaryOp(self, node: Any) -> Part:
        kind = _kind(node.op)
        if kind == "USub":
            return row(["mo", MINUS], self.within(node.operand, PRODUCT)), SUM
        if kind == "UAdd":
            return self.set(node.operand)
        return row(["mtext", "not " if kind == "Not" else "~"], self.within(node.operand, POWER)), SUM

    def _BinOp(self, node: Any) -> Part:
        kind = _kind(node.op)
        if kind == "Mult":
            return self._product(_factors(node))
        if kind == "Div":
            return self._quotient(node.left, node.right)
        if kind == "Pow":
            return ["msup", self.within(node.left, ATOM), self.set(node.right)[0]], POWER
        if kind == "MatMult":
            return row(self.within(node.left, PRODUCT), ["mo", SPACE], self.within(node.right, SIGN)), PRODUCT
        level = SUM if kind in ("Add", "Sub") else 0
        left, right = self.within(node.left, level), self.within(node.right, SUM if kind == "Add" else PRODUCT)
        return row(left, _sign(kind), right), level

    def _product(self, factors: Sequence[Any]) -> Part:
        """Numbers come first, and what stands there twice is a square."""
        if type(factors[0]).__name__ == "UnaryOp" and type(factors[0].op).__name__ == "USub":
            inner, level = self._product([factors[0].operand, *factors[1:]])
            return row(["mo", MINUS], inner if level >= PRODUCT else row(["mo", "("], inner, ["mo", ")"])), SUM
        counted: dict[str, list[Any]] = {}
        for one in factors:
            counted.setdefault(_key(one), []).append(one)
        groups = sorted(counted.values(), key=lambda group: not _is_number(group[0]))
        if len(groups) > 1 and _is_number(groups[1][0]) or any(_is_number(one[0]) and len(one) > 1 for one in groups):
            groups = [[one] for one in factors]
        parts: list[Math] = []
        for group in groups:
            if parts:
                parts.append(["mo", "·" if _is_number(group[0]) else SPACE])
            parts.append(self.within(group[0], SIGN) if len(group) == 1 else
                         ["msup", self.within(group[0], ATOM), ["mn", str(len(group))]])
        return (row(*parts) if len(parts) > 1 else parts[0]), PRODUCT

    def _quotient(self, above: Any, below: Any) -> Part:
        if _kind(above) == "UnaryOp" and _kind(above.op) == "USub":
            return row(["mo", MINUS], self._quotient(above.operand, below)[0]), SUM
        if _kind(above) == "BinOp" and _kind(above.op) == "Mult":
            first, *others = _factors(above)
            if _kind(first) == "UnaryOp" and _kind(first.op) == "USub":
                inner = self._product([first.operand, *others])[0]
                return row(["mo", MINUS], ["mfrac", inner, self.set(below)[0]]), SUM
        return ["mfrac", self.set(above)[0], self.set(below)[0]], SIGN

    def _Compare(self, node: Any) -> Part:
        parts = [self.within(node.left, SUM)]
        for op, one in zip(node.ops, node.comparators):
            parts += [_sign(_kind(op)), self.within(one, SUM)]
        return row(*parts), 0

    def _BoolOp(self, node: Any) -> Part:
        parts: list[Math] = []
        for one in node.values:
            parts += ([_sign(_kind(node.op))] if parts else []) + [self.within(one, SUM)]
        return row(*parts), 0

    def _IfExp(self, node: Any) -> Part:
        return row(self.within(node.body, SUM), ["mtext", " if "], self.set(node.test)[0], ["mtext", " else "],
                   self.within(node.orelse, 0)), 0

    def _Tuple(self, node: Any) -> Part:
        return self._listed(node.elts, "(", ")")

    def _List(self, node: Any) -> Part:
        return self._listed(node.elts, "[", "]")

    def _listed(self, nodes: Sequence[Any], start: str, end: str) -> Part:
        return row(["mo", start], *self._commas([self.set(one)[0] for one in nodes]), ["mo", end]), ATOM

    @staticmethod
    def _commas(parts: Sequence[Math]) -> list[Math]:
        return [one for place, part in enumerate(parts) for one in ([["mo", ", "]] if place else []) + [part]]

    def _Starred(self, node: Any) -> Part:
        return row(["mo", "*"], self.within(node.value, ATOM)), ATOM

    def _Attribute(self, node: Any) -> Part:
        if node.attr in TRANSPOSED:
            return ["msup", self.within(node.value, ATOM), ["mtext", "T"]], POWER
        name = _dotted(node)
        if name in NUMBERS:
            return ["mi", NUMBERS[name]], ATOM
        if _is_library(name):
            return ["mi", _short(name)], ATOM
        return row(self.within(node.value, ATOM), ["mo", "."], ["mtext", visible(node.attr)]), ATOM

    def _Subscript(self, node: Any) -> Part:
        return row(self.within(node.value, ATOM), ["mo", "["], self._index(node.slice), ["mo", "]"]), ATOM

    def _index(self, node: Any) -> Math:
        kind = _kind(node)
        if kind == "Tuple":
            return row(*self._commas([self._index(one) for one in node.elts]))
        if kind == "Slice":
            bounds = [node.lower, node.upper, *([node.step] if node.step is not None else [])]
            parts: list[Math] = []
            for place, one in enumerate(bounds):
                parts += ([["mo", ":"]] if place else []) + ([] if one is None else [self.set(one)[0]])
            return row(*parts)
        return self.set(node)[0]

    def _Call(self, node: Any) -> Part:
        name, args = _dotted(node.func), list(node.args)
        shape = "" if node.keywords or any(_kind(one) == "Starred" for one in args) else notation(name, len(args))
        if shape:
            return self._shaped(shape, args)
        given = [self.set(one)[0] for one in args] + [
            row(["mtext", visible(one.arg or "**")], ["mo", "="], self.set(one.value)[0]) for one in node.keywords]
        return row(self._function(node.func, name), ["mo", APPLIED], ["mo", "("], *self._commas(given),
                   ["mo", ")"]), ATOM

    def _shaped(self, shape: str, args: list[Any]) -> Part:
        """What mathematics has a form of its own for."""
        first, last = args[0], args[-1]
        match shape:
            case "quotient":
                return self._quotient(first, last)
            case "root":
                return ["msqrt", self.set(first)[0]], ATOM
            case "exponential":
                return ["msup", ["mi", "e"], self.set(first)[0]], POWER
            case "size":
                return row(["mo", "|"], self.set(first)[0], ["mo", "|"]), ATOM
            case "sum":
                return row(self.within(first, SUM), _sign("Add"), self.within(last, SUM)), SUM
            case "difference":
                return row(self.within(first, SUM), _sign("Sub"), self.within(last, PRODUCT)), SUM
            case "product":
                return self._product([*_factors(first), *_factors(last)])
            case "power":
                return ["msup", self.within(first, ATOM), self.set(last)[0]], POWER
            case "negative":
                return row(["mo", MINUS], self.within(first, PRODUCT)), SUM
        sign = "⊗" if shape == "outer" else SPACE
        return row(self.within(first, PRODUCT), ["mo", sign], self.within(last, SIGN)), PRODUCT

    def _function(self, node: Any, name: str) -> Math:
        if not name or _kind(node) == "Attribute" and name.split(".")[0] in self.symbols:
            return self.within(node, ATOM)
        if _is_library(name) or "." not in name:
            return ["mi", visible(_short(name))]
        return self.within(node, ATOM)


def _kind(node: Any) -> str:
    """Of ast and of gast."""
    return type(node).__name__


def _is_library(name: str) -> bool:
    return "." in name and name.split(".")[0] in (*LIBRARIES, "operator")


def _short(name: str) -> str:
    """A function without the library that it is of."""
    first, _, rest = name.partition(".")
    return rest if rest and _is_library(name) else first if not rest else name


def _dotted(node: Any) -> str:
    """A dotted name; empty where it is another expression."""
    if _kind(node) == "Name":
        return str(node.id).lstrip("%")
    if _kind(node) == "Attribute":
        base = _dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def _factors(node: Any) -> list[Any]:
    if _kind(node) == "BinOp" and _kind(node.op) == "Mult":
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _is_number(node: Any) -> bool:
    return _kind(node) == "Constant" and isinstance(node.value, (int, float)) \
        and not isinstance(node.value, bool)


def _key(node: Any) -> str:
    return ast.dump(node) if type(node).__module__ in ("ast", "_ast") else unparse(node)


def _sign(kind: str) -> Math:
    text = SIGNS.get(kind, "?")
    return ["mo", f" {text} "]
