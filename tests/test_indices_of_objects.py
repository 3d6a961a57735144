"""An index that is an object with an `__index__` of its own, which may count its calls, is refused: the derivative would read it again."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError


class Counter:
    def __init__(self) -> None:
        self.calls = 0

    def __index__(self) -> int:
        self.calls += 1
        return self.calls % 3


class Part:
    def __init__(self) -> None:
        self.at = Counter()


NEXT = Counter()


def read(v: Any, e: Any) -> Any:
    return v[e] ** 2


def looped(v: Any, e: Any) -> Any:
    for _ in range(2):
        v = v * v[e]
    return np.sum(v)


def stored(v: Any, e: Any) -> Any:
    y = np.zeros(3)
    y[e] = v[0] ** 2
    return np.sum(y * np.arange(3.0))


def updated(v: Any, e: Any) -> Any:
    y = v * 2.0
    y[e] *= v[1]
    return np.sum(y * np.arange(3.0))


def sliced(v: Any, e: Any) -> Any:
    return np.sum(v[:e] ** 2)


def in_a_tuple(v: Any, e: Any) -> Any:
    return v.reshape(3, 1)[e, 0] ** 2


def attribute(v: Any, e: Any) -> Any:
    return v[e.at] ** 2


def made(v: Any, e: Any) -> Any:
    i = Counter()
    return v[i] ** 2 + e


def outside(v: Any, e: Any) -> Any:
    return v[NEXT] ** 2 + e


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize(("f", "e"), [(read, Counter), (looped, Counter), (stored, Counter), (updated, Counter), (sliced, Counter),
                                      (in_a_tuple, Counter), (attribute, Part), (made, float), (outside, float)])
def test_an_index_with_effects_is_refused(f: Any, e: Any, mode: str, optimized: bool) -> None:
    with pytest.raises(TangentError, match="__index__"):
        df = tnb.autodiff(f, wrt=(0,), mode=mode, optimized=optimized)
        df(np.array([1.5, 2.5, 3.5]), e(), **({"dv": np.ones(3)} if mode == "forward" else {"seed": 1.0}))


@pytest.mark.parametrize("e", [1, np.int64(1), True, slice(1, 3), [0, 1], np.array([0, 2]), np.ma.array([0, 2]), (1,), ..., None])
def test_other_indices_stay(e: Any) -> None:
    def f(v: Any, e: Any) -> Any:
        return np.sum(v[e] ** 2)

    v = np.array([1.5, 2.5, 3.5])
    due = [(f(v + step, e) - f(v - step, e)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(tnb.grad(f)(v, e), due, atol=1e-5)
