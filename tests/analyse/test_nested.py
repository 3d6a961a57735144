"""At which depths of what names stand for a list may be."""
import gast
import numpy as np

import tangent_nb as tnb
from tangent_nb.analyse.libraries import is_ours
from tangent_nb.analyse.nested import Nested
from tangent_nb.analyse.resolve import Scope
from tangent_nb.capture import capture
from tangent_nb.desugar import Reader


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
    nested = Nested(body, Scope.of(captured), capture, lambda node: True)
    assert {name: bin(depths) for name, depths in nested.names.items()} == {
        "points": "0b11", "layers": "0b11", "table": "0b10", "filled": "0b11", "stack": "0b1", "p": "0b1",
        "layer": "0b1", "value": "0b1", "key": "0b1", "last": "0b1", "first": "0b1", "second": "0b1"}


def test_what_carries_no_derivative_is_not_read() -> None:
    captured = capture(program)
    read = []
    Nested(captured.tree.body, Scope.of(captured), read.append, lambda node: False)
    assert not read


def slope(t):
    return t * t


def with_a_constant_slope(x):
    df = tnb.grad(slope)
    return x * df(2.0)


def test_no_function_of_the_package_is_read(monkeypatch) -> None:
    """Its texts take minutes."""
    read = []
    call = Reader.__call__
    monkeypatch.setattr(Reader, "__call__", lambda self, fn: (read.append(fn), call(self, fn))[1])
    assert tnb.grad(with_a_constant_slope)(3.0) == 4.0
    assert not any(map(is_ours, read))
