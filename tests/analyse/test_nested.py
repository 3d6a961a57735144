"""At which depths of what names stand for a list may be."""
import gast
import numpy as np

from tangent_nb.analyse.nested import Nested
from tangent_nb.analyse.resolve import Scope
from tangent_nb.capture import capture


def pair(x):
    return x, [x]


def program(x, n):
    points = [[x, 1.0]]
    layers = [(np.ones(2), x)]
    table = {"a": [x]}
    filled, stack = [], []
    for w, b in layers:
        x = x + w * b
    for p, layer in zip(points, layers):
        filled.append(p)
    for key, value in table.items():
        x = x + value[0]
    stack.append(x)
    number = stack.pop()
    last = filled[-1]
    first, second = pair(x)
    array = np.array(points)
    row = array[0]
    return row, last, number, first, second, key, n


def test_nested() -> None:
    captured = capture(program)
    body = [stmt for stmt in captured.tree.body if not isinstance(stmt, gast.Return)]
    nested = Nested(body, Scope.of(captured), capture)
    assert {name: bin(depths) for name, depths in nested.names.items()} == {
        "points": "0b11", "layers": "0b11", "table": "0b10", "filled": "0b11", "stack": "0b1", "p": "0b1",
        "layer": "0b1", "value": "0b1", "key": "0b1", "last": "0b1", "first": "0b1", "second": "0b1"}
