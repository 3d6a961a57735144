"""What an expression reads, without running it."""
from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

from tangent_nb.tracing.values import UnknownError, copied, evaluate, is_elementwise, operands


class Thing:
    """Its property must not be read."""

    size = 2.0

    def __init__(self) -> None:
        self.low = -np.inf

    @property
    def high(self) -> float:
        raise AssertionError("the property was read")


SPACE: dict[str, Any] = {"np": np, "x": np.array([[1.0, 2.0], [3.0, 4.0]]), "xs": [1.0, 2.0], "i": 1, "t": Thing(),
                         "d": {"k": 5.0}, "float": float, "f": lambda v: v, "s": 2.0}


def lookup(name: str) -> Any:
    if name not in SPACE:
        raise UnknownError(name)
    return SPACE[name]


def tree(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize("text, value", [
    ("x[i, -1]", 4.0), ("xs[i - 1]", 1.0), ("d['k']", 5.0), ("-np.inf", -np.inf), ("t.low", -np.inf),
    ("x.T[0][i]", 3.0), ("x.shape", (2, 2)), ("xs[:i]", [1.0]), ("x[..., i][0]", 2.0)])
def test_evaluated(text: str, value: Any) -> None:
    assert evaluate(tree(text), lookup) == value


@pytest.mark.parametrize("text", ["f(s)", "t.high", "y", "xs[9]", "np.nothing", "x + x", "xs['a']", "x.sum", "t[0]"])
def test_not_evaluated(text: str) -> None:
    with pytest.raises(UnknownError):
        evaluate(tree(text), lookup)


@pytest.mark.parametrize("text, names", [
    ("np.dot(x, x.T) + s", ["x", "x.T", "s"]),
    ("x.sum(axis=i)", ["x", "i"]),
    ("xs.pop()", ["xs[-1]"]),
    ("[v * s for v in xs]", ["s", "xs"]),
    ("lambda v: s", []),
    ("f(x)[0]", ["x", "0"]),
    ("x[f(i)]", ["x", "i"]),
    ("(x[i], xs)", ["x[i]", "xs"]),
    ("s if i else -np.inf", ["i", "s", "-np.inf"]),
    ("float('nan')", ["'nan'"]),
    ("t.high", ["t.high"]),
    ("np.empty(i)", ["np.empty(i)", "i"]),
])
def test_operands(text: str, names: list[str]) -> None:
    assert [one.text for one in operands(tree(text), lookup)] == names


@pytest.mark.parametrize("text, expected", [
    ("x * s + np.exp(-x)", True), ("np.where(x, s, 1.0)", True), ("x[i] / s", True), ("x @ x", False),
    ("np.dot(x, x)", False),
    ("np.add(x, x, out=x)", False), ("x.sum()", False), ("f(x)", False), ("np.matmul(x, x)", False), ("y + 1", False)])
def test_elementwise(text: str, expected: bool) -> None:
    assert is_elementwise(tree(text), lookup) is expected


def test_copies() -> None:
    value = {"a": [np.zeros(2), (np.ones(1), "s")]}
    copy = copied(value)
    copy["a"][0][0] = 1.0
    assert value["a"][0][0] == 0.0 and copy["a"][1][0] is not value["a"][1][0]
