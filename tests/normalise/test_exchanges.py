"""Exchanges in one statement."""
import gast
import pytest

from tangent_nb.normalise import in_one_statement
from tangent_nb.syntax.nodes import unparse


def written(text):
    return [unparse(stmt) for stmt in in_one_statement(gast.parse(text).body)]


@pytest.mark.parametrize("text, due", [
    ("t = a\na = b\nb = t", ["a, b = (b, a)"]),
    ("t = a\na = b\nb = c\nc = t\nr = c", ["a, b, c = (b, c, a)", "r = c"]),
    ("s = 1\nt = a\na = b\nb = t\nt = 2", ["s = 1", "a, b = (b, a)", "t = 2"]),
])
def test_exchanged(text, due):
    assert written(text) == due


@pytest.mark.parametrize("text", [
    "t = a\na = b\nb = t\nr = t", "t = a\na = t", "t = a\na = b\nb = c", "t = a\na = b\nb = b\nb = t",
    "t = a\na = b\nc = t", "t = a\na = b + 0\nb = t", "t = u = a\na = b\nb = t",
])
def test_left_alone(text):
    assert written(text) == [unparse(stmt) for stmt in gast.parse(text).body]


def test_in_blocks():
    assert written("for i in n:\n    t = a\n    a = b\n    b = t\n") == ["for i in n:\n    a, b = (b, a)"]
    # read in the next iteration
    assert written("for i in n:\n    r = t\n    t = a\n    a = b\n    b = t\n")[0].count("\n") == 4
