"""The rows of the table as formulas: all of them can be set, and ten are as a book has them."""
from __future__ import annotations

import ast
import math
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.cards.formulas import of_row
from tangent_nb.notebook.cards.typeset import LEAVES, TAGS, plain, typeset
from tangent_nb.rules import lookup
from tangent_nb.rules.row import Rule
from tangent_nb.rules.supported import every_line
from tangent_nb.rules.table import rows

PARTS = {"mfrac": 2, "msup": 2, "msub": 2, "mover": 2, "msqrt": 1}


def every_row() -> list[Rule]:
    list(every_line())                             # fills the rows of SciPy where it is
    return list(rows())


def nodes(tree: Any) -> Iterator[Any]:
    yield tree
    if tree[0] not in LEAVES:
        for part in tree[1:]:
            yield from nodes(part)


@pytest.mark.parametrize("side", ["pull", "push"])
def test_every_row_of_the_table_can_be_set(side: str) -> None:
    count = 0
    for rule in every_row():
        for formula in of_row(rule, side):
            for one in nodes(formula.math):
                assert one[0] in TAGS and len(one) - 1 == PARTS.get(one[0], 1 if one[0] in LEAVES else len(one) - 1)
                assert one[0] not in LEAVES or isinstance(one[1], str)
            assert formula.text and "\n" not in formula.text
            count += 1
    assert count > 1000


def test_every_text_of_the_table_keeps_all_its_names() -> None:
    for rule in every_row():
        for choice in (choice for side in (rule.pull, rule.push) for several in side.values() for choice in several):
            found = plain(typeset(choice.expr, {}))
            for name in choice.reads - {"g"}:
                if name in rule.params and len(name) > 2 and name.isalpha():
                    assert name in found, (rule.name, choice.text)


@pytest.mark.parametrize("fn, expected", [
    (np.tanh, ["y = tanh(x)", "x̄ += ȳ (1 − y²)"]),
    (np.sin, ["y = sin(x)", "x̄ += ȳ cos(x)"]),
    (np.cos, ["y = cos(x)", "x̄ += −ȳ sin(x)"]),
    (np.exp, ["y = e^x", "x̄ += ȳ y"]),
    (np.sqrt, ["y = √(x)", "x̄ += ȳ/(2 y)"]),
    (np.arctan, ["y = arctan(x)", "x̄ += ȳ/(1 + x²)"]),
    (np.arcsin, ["y = arcsin(x)", "x̄ += ȳ/(√((1 − x) (1 + x)))"]),
    (operator.mul, ["z = x y", "x̄ += z̄ y", "ȳ += z̄ x"]),
    (operator.truediv, ["z = x/y", "x̄ += z̄/y", "ȳ += −(z̄ z)/y"]),
    (operator.sub, ["z = x − y", "x̄ += z̄", "ȳ += −z̄"]),
    (math.erf, ["y = erf(x)", "x̄ += 1.1283791670955126 ȳ e^(−x²)"]),
    (np.hypot, ["y = hypot(x₁, x₂)", "x̄₁ += ȳ ratio(x₁, y)", "x̄₂ += ȳ ratio(x₂, y)"])])
def test_formulas_as_a_book_has_them(fn: Any, expected: list[str]) -> None:
    rule = lookup(fn)
    assert rule is not None
    assert [one.text for one in of_row(rule)] == expected


def test_forward_mode_has_dots() -> None:
    rule = lookup(np.tanh)
    assert rule is not None and [one.text for one in of_row(rule, "push")] == ["y = tanh(x)", "ẏ += ẋ (1 − y²)"]


@pytest.mark.parametrize("text, expected", [
    ("x.T @ g", "xᵀ g"), ("a if b is None else c", "a if b is None else c"), ("-(a + b)", "−(a + b)"),
    ("a - (b - c)", "a − (b − c)"), ("(a + b) * c", "(a + b) c"), ("2.0 * (3.0 * x)", "2·3 x"), ("a ** -1", "a⁻¹"),
    ("x[1:, None, ...]", "x[1:, None, …]"), ("f(*xs, key=1)", "f(*xs, key=1)"), ("not a and b", "not a and b"),
    ("(a * b) ** 2", "(a b)²"), ("a / b / c", "(a/b)/c"), ("-a * a", "−a²"), ("[x for x in y]", "[x for x in y]"),
    ("lambda: 0", "lambda: 0"), ("1e300", "1e+300"), ("'<b>&'", "'<b>&'"), ("'\\u202e'", "'\\u202e'")])
def test_expressions(text: str, expected: str) -> None:
    assert " ".join(plain(typeset(ast.parse(text, mode="eval").body, {})).split()) == expected


def test_what_is_too_deep_is_cut() -> None:
    deep: ast.expr = ast.Name("x", ast.Load())
    for _ in range(5000):
        deep = ast.UnaryOp(ast.USub(), deep)
    assert plain(typeset(deep, {})) == "…"
