"""An index, an axis, a shape or a loop's bound, which the derivative reads again, is refused where that runs code of
its class: an `__index__` that counts its calls."""
from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

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


class Trips:
    """Asked again, a loop would make one trip less."""

    def __init__(self) -> None:
        self.left = 4

    def __index__(self) -> int:
        self.left -= 1
        return self.left


class Plan:
    def __init__(self) -> None:
        self.trips, self.all = Trips(), [Trips()]


LEFT, PLAN = Trips(), Plan()


def bound(x: Any, n: Any) -> Any:
    s = 0.0
    for _ in range(n):
        s += x * s + x
    return s


def bound_between(x: Any, n: Any) -> Any:
    for _ in range(0, n, 1):
        x = x * x
    return x


def bound_of_attribute(x: Any, n: Any) -> Any:
    for _ in range(n.trips):
        x = x * x
    return x


def bound_of_item(x: Any, n: Any) -> Any:
    for _ in range(n.all[0]):
        x = x * x
    return x


def bound_in_helper(x: Any, n: Any) -> Any:
    return bound(bound(x, 2), n)


def bound_with_others(x: Any, n: Any) -> Any:
    s = 0.0
    for i, y in zip(range(n), [x, x * x, x]):
        s += x * s + y * i
    return s


def bound_outside(x: Any, n: Any) -> Any:
    trips = LEFT
    return bound(x, trips)


def bound_outside_attribute(x: Any, n: Any) -> Any:
    for _ in range(PLAN.trips):
        x = x * x
    return x


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize(("f", "n"), [
    (bound, Trips), (bound_between, Trips), (bound_of_attribute, Plan), (bound_of_item, Plan), (bound_in_helper, Trips),
    (bound_with_others, Trips), (bound_outside, float), (bound_outside_attribute, float)])
def test_a_bound_with_effects_makes_as_many_trips_back(f: Any, n: Any, optimized: bool) -> None:
    """What is not refused is right; forward mode does not ask again."""
    def anew() -> Any:
        LEFT.left, PLAN.trips.left = 4, 4
        return n()

    due = (f(1.25 + 1e-6, anew()) - f(1.25 - 1e-6, anew())) / 2e-6
    try:
        found = tnb.grad(f, optimized=optimized)(1.25, anew())
    except TangentError as error:
        assert "__index__" in str(error)
    else:
        assert f is bound_with_others and found == pytest.approx(due)
    with contextlib.suppress(TangentError):
        assert tnb.jvp(f, optimized=optimized)(1.25, anew(), dx=1.0) == pytest.approx(due)


@pytest.mark.parametrize("n", [3, np.int64(3), True])
def test_other_bounds_stay(n: Any) -> None:
    due = (bound(1.25 + 1e-6, n) - bound(1.25 - 1e-6, n)) / 2e-6
    assert tnb.grad(bound)(1.25, n) == pytest.approx(due)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize(("f", "e"),
                         [(read, Counter), (looped, Counter), (stored, Counter), (updated, Counter), (sliced, Counter),
                          (in_a_tuple, Counter), (attribute, Part), (made, float), (outside, float)])
def test_an_index_with_effects_is_refused(f: Any, e: Any, mode: str, optimized: bool) -> None:
    with pytest.raises(TangentError, match="__index__"):
        df = tnb.autodiff(f, wrt=(0,), mode=mode, optimized=optimized)
        df(np.array([1.5, 2.5, 3.5]), e(), **({"dv": np.ones(3)} if mode == "forward" else {"seed": 1.0}))


@pytest.mark.parametrize("e", [1, np.int64(1), True, slice(1, 3), [0, 1], np.array([0, 2]), np.ma.array([0, 2]),
                               (1,), ..., None])
def test_other_indices_stay(e: Any) -> None:
    def f(v: Any, e: Any) -> Any:
        return np.sum(v[e] ** 2)

    v = np.array([1.5, 2.5, 3.5])
    due = [(f(v + step, e) - f(v - step, e)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(tnb.grad(f)(v, e), due, atol=1e-5)


SETUP = """\
import math
import numpy as np
class Counting:
    def __init__(self): self.n = 0
    def asked(self, value): self.n += 1; return value
class Index(Counting):
    def __index__(self): return self.asked(self.n % 3)
class Random(Counting):
    def __index__(self): return np.random.randint(0, 2)
class Number(Counting):
    def __float__(self): return self.asked(1.0 + self.n)
class Array(Counting):
    def __array__(self, dtype=None, copy=None): return self.asked(np.arange(3) % 2)
"""
GIVEN = {
    "Index": {
        "take": "np.take(x, e)", "method": "x.take(e)", "roll": "np.roll(x, e) * x",
        "repeat": "np.repeat(x, e)", "reshape": "np.reshape(x, (e, 3))",
        "swap": "np.swapaxes(x.reshape(1, 3, 1), e, 0)", "move": "np.moveaxis(x.reshape(1, 3, 1), e, 0)",
        "axis": "np.sum(np.outer(x, x), axis=e)",
        "mean": "np.mean(x.reshape(3, 1, 1) * np.ones((3, 2, 3)), axis=e)",
        "cumsum": "np.cumsum(np.outer(x, x), axis=e)", "linspace": "np.linspace(0.0, x[0], e)",
        "full": "np.full(e, x[0])", "diag": "np.diag(np.outer(x, x), e)", "trace": "np.trace(np.outer(x, x), e)",
        "stack": "np.stack([x, x * x], axis=e)", "expand": "np.expand_dims(x, e)",
        "sort": "np.sort(np.outer(x, x), axis=e)", "power": "np.linalg.matrix_power(np.outer(x, x), e)",
        "transpose": "np.transpose(x.reshape(3, 1), (e, 0)) * x", "times": "sum([x[0]] * e)"},
    "Random": {"take": "np.take(x, e)", "item": "x[e]", "roll": "np.roll(x, e) * x"},
    "Number": {"power": "math.pow(x[0], e)"},
    "Array": {"take": "np.take(x, e)", "item": "x[e]", "where": "np.where(e, x, 2.0)", "dot": "np.dot(e, x)",
              "clip": "np.clip(x, e, 5.0)", "interp": "np.interp(1.3, e, x)"},
}

def refused(body: str, kind: str) -> None:
    space = sourced(f"{SETUP}def f(x, e):\n    {body}\n")
    x, f = np.array([1.5, 2.5, 3.5]), space["f"]
    modes = [tnb.grad, lambda f: tnb.grad(f, optimized=False), tnb.value_and_grad, lambda f: lambda *args:
             tnb.pullback(f, *args)[1](1.0), lambda f: lambda *args: tnb.jvp(f)(*args, np.ones(3))]
    for derivative in modes:
        with pytest.raises(TangentError, match="is code of its own|meets what is differentiated"):
            derivative(f)(x, space[kind]())


@pytest.mark.parametrize(("kind", "call"), [(kind, call) for kind, calls in GIVEN.items() for call in calls.values()])
def test_what_is_given_to_a_rule_with_effects_is_refused(kind: str, call: str) -> None:
    refused(f"return np.sum({call})", kind)
