"""Functions that Numba compiles are differentiated as the Python functions that they are made of."""
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

numba = pytest.importorskip("numba")
njit, prange = numba.njit, numba.prange


@numba.jit(nopython=True)
def powers(x: Any, k: Any) -> Any:
    y = 0.0
    for i in range(x.shape[0]):
        y += x[i] ** k
    return y


@njit(parallel=True)
def weighted(x: Any) -> Any:
    s = 0.0
    for i in prange(len(x)):
        s += powers(x, 2) * x[i]
    return s


@njit
def logistic(x: Any, n: int = 5) -> Any:
    for _ in range(n):
        x = 3.1 * x * (1.0 - x)
    return x


class Kernel:
    @staticmethod
    @njit
    def square(x: Any) -> Any:
        return x * x

    power = powers

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn = fn

    def __call__(self, x: Any) -> Any:
        return self.fn(x) * x[0]


TABLE = {"powers": powers}


def made(k: float) -> Callable[..., Any]:
    @njit
    def scaled(x: Any) -> Any:
        return k * x * x
    return scaled


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "itself": (powers, (3,)), "with prange": (weighted, ()), "called": (lambda x: powers(x, 3) * x[0], ()),
    "a static method": (lambda x: np.sum(Kernel.square(x)) * 2.0, ()),
    "a static method of an object": (lambda x: np.sum(Kernel(powers).square(x)) * 2.0, ()),
    "held by a class": (lambda x: Kernel.power(x, 3) * x[0], ()),
    "in a table": (lambda x: TABLE["powers"](x, 2), ()), "an argument": (lambda x, fn: fn(x, 2), (powers,)),
    "an attribute": (Kernel(weighted).__call__, ()), "a closure": (lambda x: np.sum(made(0.7)(x)), ()),
    "its default": (lambda x: logistic(x[1]) * x[0], ()), "by numba": (lambda x: sum(x[i] ** 2 for i in prange(2)), ())}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("optimized", [True, False])
def test_compiled_functions(name: str, optimized: bool) -> None:
    f, more = PROGRAMS[name]
    x = np.array([0.3, 0.7])
    slopes = [(f(x + 1e-6 * unit, *more) - f(x - 1e-6 * unit, *more)) / 2e-6 for unit in np.eye(2)]
    try:
        assert np.allclose(tnb.grad(f, optimized=optimized)(x, *more), slopes, rtol=1e-6)
        along = [tnb.jvp(f, optimized=optimized)(x, *more, unit) for unit in np.eye(2)]
    except TangentError:
        assert name in ("a closure", "an argument")        # which is known only when it runs
        return
    assert np.allclose(along, slopes, rtol=1e-6)


def test_a_compiled_function_that_is_defined_anew_is_noticed() -> None:
    space = sourced("def g(x): return x * x\ndef f(x): return g(x) * x\n", {"njit": njit})
    space["g"] = njit(space["g"])
    df = tnb.grad(space["f"])
    assert df(0.3) == pytest.approx(3.0 * 0.3 ** 2)
    space["g"] = njit(space["g"].py_func)                  # compiled anew, of the same function
    assert df(0.3) == pytest.approx(3.0 * 0.3 ** 2)
    space["g"] = logistic
    with pytest.raises(TangentError, match="has been defined anew"):
        df(0.3)


def test_what_takes_items_one_by_one_is_refused() -> None:
    square = numba.vectorize(lambda a: a * a)
    with pytest.raises(TangentError, match="has no derivative rule"):
        tnb.grad(lambda x: np.sum(square(x)))
