"""Classes that find their attributes, methods and items in ways of their own:
derivatives are what Python computes, or refused."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

X = np.array([0.3, 0.7])
W, V = np.array([0.5, -1.2]), np.array([1.5, 0.4])
TURN = np.array([1.0, -0.6])
CLASSES = """\
import functools
from collections import namedtuple
import numpy as np
W = np.array([0.5, -1.2])


class Base:
    k = 2.0

    def __init__(self, a, b):
        self.a, self.b = a, b

    def plain(x):
        return np.sum(np.exp(x))

    def given(a, b=2.0):
        return np.sum(b * b) if not isinstance(a, type) else np.sum(b ** 3)

    def counted(*a):
        return len(a) * np.sum(a[-1] ** 2)

    def act(self, x):
        return np.sum(np.tanh(self.a * x)) * self.k

    static = staticmethod(lambda x: np.sum(x ** 2))

    @classmethod
    def of_class(cls, x):
        return np.sum(x ** 3) * cls.k


class Below(Base):
    k = 3.0


class Over(Base):
    def plain(x):
        return np.sum(x ** 4)

    def act(self, x):
        return np.sum(np.sin(self.a * x))


class Swapping(Base):
    def __getattribute__(self, name):
        return object.__getattribute__(self, "other" if name == "act" else name)

    def other(self, x):
        return np.sum(self.a * x ** 2)


class Binding(Base):
    act = functools.partialmethod(lambda self, k, x: np.sum(np.tanh(self.a * x)) * k, 3.0)
"""


def differences(f: Callable[[Any], float], x: Any) -> Any:
    return np.array([(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(len(x))])


def told(found: Callable[[], Any], expected: Any, parts: Callable[[Any], Any] = lambda g: g) -> bool:
    """What is computed is right; False where it is refused."""
    try:
        got = found()
    except TangentError:
        return False
    np.testing.assert_allclose(parts(got), expected, rtol=1e-4, atol=1e-6)
    return True


def by_x(f: Any, given: Any) -> bool:
    """Each mode gives for x what differences give, or refuses; whether one gives it."""
    expected = differences(lambda x: f(given, x), X)
    return any([told(lambda: made(given, X), expected) for like in (None, (given, X))
                for made in (lambda *a: tnb.grad(f, "x", like=like)(*a),
                             lambda *a: tnb.grad(f, "x", optimized=False, like=like)(*a))]
               + [told(lambda: tnb.jvp(f, "x", like=like)(given, X, TURN), expected @ TURN)
                  for like in (None, (given, X))])


def written(value: str) -> dict[str, Any]:
    return sourced(f"{CLASSES}\ndef f(o, x):\n    return {value}\n")


@pytest.mark.parametrize("cls", ["Base", "Below", "Over"])
@pytest.mark.parametrize("value", [
    "o.plain(x)", "o.given(x)", "o.counted(x)", "o.static(x)", "o.of_class(x)", "o.k * np.sum(x)", "o.act(o(W, W), x)",
    "Base.act(o(W, W), x)", "sum([one.plain(x) for one in [o, Base]])", "o.given(1.0, x)"])
def test_class(cls: str, value: str) -> None:
    """A class that is given: what is found in it is not given the class, unless Python does so."""
    space = written(value)
    assert by_x(space["f"], space[cls]) or "counted" in value or "act" in value


@pytest.mark.parametrize("cls", ["Base", "Below", "Over", "Swapping", "Binding"])
@pytest.mark.parametrize("value", ["o.act(x)", "sum([one.act(x) for one in [o, o]])", "type(o).act(o, x)"])
def test_method(cls: str, value: str) -> None:
    """A method is what Python finds by its name."""
    space = written(value)
    assert by_x(space["f"], space[cls](W, V)) or value != "o.act(x)"
