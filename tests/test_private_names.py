"""Names that are private to a class, `self.__w`, are those that Python makes of them."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

TEXT = """
import numpy as np

class Net:
    __scale = 2.0

    def __init__(self, n):
        self.__w, self.__calls = np.linspace(0.1, 1.0, n), 0

    def __act(self, z):
        return np.tanh(z) * self.__scale

    def forward(self, x):
        self.__calls += 1
        self.__h = self.__act(x * self.__w)
        return np.sum(self.__h * x)

    @property
    def w(self):
        return self.__w

    @staticmethod
    def __sq(v):
        return v ** 2

    def loss(self, x):
        return self.__sq(self.forward(x)) + np.sum(self.w)

    def __two(self, x, __k=1.0):
        __t = x * __k
        return np.sum(__t ** 2)

    def two(self, x):
        return self.__two(x, 3.0)

    def inner(self, x):
        scaled = lambda __v: __v * self.__scale
        return np.sum(scaled(x))

class _Sub(Net):
    def __init__(self):
        super().__init__(3)
        self.__w = 5.0

    def f(self, x):
        return self.forward(x) * self.__w

net, sub = Net(3), _Sub()

def f(x):
    return CALL
"""
X = np.array([0.3, 0.8, 1.2])


@pytest.mark.parametrize("call", ["net.forward(x)", "net.loss(x)", "net.two(x)", "net.inner(x)", "sub.f(x)",
                                  "Net(3).loss(x)", "net._Net__act(x) @ x"])
def test_private_names_are_differentiated(call: str) -> None:
    f = sourced(TEXT.replace("CALL", call), {"__name__": "private"}, f"<private {call}>")["f"]
    slopes = np.array([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)])
    for found in (tnb.grad(f)(X), tnb.grad(f, optimized=False)(X), [tnb.jvp(f)(X, dx=e) for e in np.eye(3)]):
        assert found == pytest.approx(slopes, rel=1e-6)


def test_variables_are_called_as_the_user_calls_them() -> None:
    text = tnb.source(tnb.grad(sourced(TEXT.replace("CALL", "net.forward(x)"), {"__name__": "private"},
                                       "<private names>")["f"]))
    assert "    w = net._Net__w\n" in text and "    net_h = tanh * scale\n" in text
    assert "# Grad of: self.__h = self.__act(x * self.__w)\n" in text
