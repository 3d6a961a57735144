"""Statements by line: what they read and where they store."""
from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest

from tangent_nb.tracing.statements import base, of_function


def lines(body: str) -> dict[int, Any]:
    tree = ast.parse("def f():\n" + textwrap.indent(textwrap.dedent(body), "    "))
    return of_function(tree.body[0])               # type: ignore[arg-type]


@pytest.mark.parametrize("text, stores, reads", [
    ("x = y + 1", "x", "y + 1"),
    ("x = y = z", "x y", "z"),
    ("(a, *b), c[i] = z", "a b c[i]", "z i"),
    ("x: float = y", "x", "y"),
    ("x: float", "", ""),
    ("a[i] *= g", "a[i]", "a[i] * g"),
    ("xs.append(v)", "xs[-1]", "v"),
    ("f(x)", "", "f(x)"),
    ("return x", "", "x"),
    ("assert x, y", "", "x"),
    ("if (n := f(x)): pass", "n", "(n := f(x))"),
    ("for i, v in xs: pass", "i v", "xs"),
    ("with open(p) as (a, b): pass", "a b", "open(p)"),
    ("def g(): x = 1", "", ""),
    ("del x", "", ""),
])
def test_reads_and_stores(text: str, stores: str, reads: str) -> None:
    one = lines(text)[2]
    assert " ".join(map(ast.unparse, one.stores)) == stores and " ".join(map(ast.unparse, one.reads)) == reads


def test_values() -> None:
    assert ast.unparse(lines("x += 1")[2].value) == "x + 1"
    assert lines("x, y = z")[2].value is None and lines("x = (y := 1)")[2].value is None
    assert lines("f(x)")[2].is_effect and not lines("x = f(x)")[2].is_effect
    assert lines("for x in y:\n    pass")[2].repeats


def test_lines() -> None:
    found = lines("""\
        x = (1 +
             2); y = x
        while x:
            x = 0
        else:
            y = 1
        try:
            y = 2
        except Exception:
            y = 3
        finally:
            y = 4
        match y:
            case 1:
                y = 5
        """)
    assert found[2] is found[3] and [ast.unparse(one) for one in found[2].stores] == ["x", "y"] \
        and found[2].value is None
    assert {line: ast.unparse(one.value) for line, one in found.items() if one.value is not None} == {
        5: "0", 7: "1", 9: "2", 11: "3", 13: "4", 16: "5"}
    assert [ast.unparse(one) for one in found[4].reads] == ["x"]


def test_a_lambda_returns_its_body() -> None:
    node = ast.parse("f = lambda x: x * 2").body[0].value         # type: ignore[attr-defined]
    assert ast.unparse(of_function(node)[1].value) == "x * 2"     # type: ignore[arg-type]


def test_base() -> None:
    for text, name in {"x": "x", "x[0].y[1]": "x", "f(x)[0]": ""}.items():
        assert base(ast.parse(text, mode="eval").body) == name
