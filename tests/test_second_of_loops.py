"""Second derivatives of loops over what is known only when they run.

What the loop of a derivative goes over is a constant there, and is none where that derivative is differentiated by it.

The forward sweep of the helper gives the items of its loops away with what else the backward sweep needs; forward mode
then has a zero for them, of the same structure."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import RefusedError

HELPERS: dict[str, tuple[str, Any]] = {
    "loops in a loop": ("for row in data:\n        for name, n in row.items(): s = s * k ** n + len(name)",
                        [{"a": 2, "bb": 1}, {}, {"c": 3}]),
    "items that are not alike": ("for row in data:\n        for name, n in row.items(): s = s * k ** n[0] + len(n)",
                                 [{"a": [2], "b": [1, 2]}]),
    "an iterator": ("for row in data:\n        for i, n in zip(row, (3, 2)): s = s * k ** n + i", [[1, 2], [3]]),
    "one that is left": ("for row in data:\n        for n in (n for n in row):\n            if n > 2: break\n"
                         "            s = s * k ** n", [[1, 2], [3], [1, 5, 2]]),
}


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("name", HELPERS)
def test_the_items_of_a_helpers_loops_are_constants_in_its_second_derivative(name: str, raw: bool) -> None:
    body, data = HELPERS[name]
    text = f"def g(k, data):\n    s = k\n    {body}\n    return s\n" \
        "def f(k, data):\n    y = k\n    for _ in range(2): y = np.sin(g(y, data)) + y * k\n    return y\n"
    slope = tnb.grad(sourced(text, {"np": np}, f"<second of {name} {raw}>")["f"], optimized=not raw)
    curve = (slope(0.7 + 1e-6, data) - slope(0.7 - 1e-6, data)) / 2e-6
    assert tnb.jvp(slope, optimized=not raw)(0.7, data, 1.0) == pytest.approx(curve, rel=1e-5)


def items_of_a_dict(w: Any, d: Any) -> Any:
    t = 0.0
    for _, v in d.items():
        t += np.sin(w * v)
    return t * t


def values_of_a_dict(w: Any, d: Any) -> Any:
    t = 0.0
    for v in d.values():
        t += np.sin(w * v)
    return t * t


def numbers(w: Any, d: Any) -> Any:
    t = 0.0
    for v in d:
        t = t * 0.5 + np.sin(w * v)
    return t * t


def backward(w: Any, d: Any) -> Any:
    t = 0.0
    for v in reversed(d):
        t = t * 0.5 + np.sin(w * v)
    return t * t


def pairs(w: Any, d: Any) -> Any:
    t = 0.0
    for i, (a, b) in enumerate(d, 1):
        t += np.sin(w * a) * b * i
    return t * t


def beside(w: Any, d: Any) -> Any:
    t = 0.0
    for a, b in zip(d, range(9)):
        t += np.sin(w * a) * b
    return t * t


def rows(w: Any, d: Any) -> Any:
    t = 0.0
    for row in d:
        for x in row:
            t = t * 0.8 + np.sin(w * x)
    return t * t


def left_early(w: Any, d: Any) -> Any:
    t = 0.0
    for x in d:
        t = t * 0.8 + np.sin(w * x)
        if t > 0.2:
            break
    return t * t


def in_a_list(w: Any, d: Any) -> Any:
    return sum([np.sin(w * x) for x in d]) ** 2


def in_a_try(w: Any, d: Any) -> Any:
    t = 0.0
    try:
        for v in d:
            t += np.sin(w * v)
    except ValueError:
        t = 0.0
    return t * t


def beside_a_generator(w: Any, d: Any) -> Any:
    def powers() -> Iterator[Any]:
        for k in (1.0, 2.0, 3.0):
            yield np.sin(w * k)
    t = 0.0
    for a, b in zip(powers(), d):
        t += a * b * b
    return t * t


LIST, DICT, PAIRS = [0.3, -0.7, 1.1], {"a": 0.3, "b": -0.7}, [(0.1, 0.2), (0.5, -0.3)]
MIXED = [(items_of_a_dict, DICT), (values_of_a_dict, DICT), (numbers, LIST), (numbers, np.array(LIST)),
         (backward, LIST), (backward, np.array(LIST)), (pairs, PAIRS), (pairs, np.array(PAIRS)), (beside, LIST),
         (rows, np.array(PAIRS)),
         (rows, [[0.1, 0.2], [0.5]]), (in_a_list, np.array(LIST)), (in_a_try, np.array(LIST))]


def flat(value: Any) -> Any:
    if isinstance(value, (dict, list, tuple)):
        return np.concatenate([flat(one) for one in (value.values() if isinstance(value, dict) else value)])
    return np.ravel(np.asarray(value, float))


def moved(value: Any, by: Any) -> Any:
    """A value with the numbers of an iterator added to its own."""
    if isinstance(value, dict):
        return {key: moved(one, by) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return value + np.array([next(by) for _ in range(value.size)]).reshape(value.shape)
    return type(value)(moved(one, by) for one in value) if isinstance(value, (list, tuple)) else value + next(by)


@pytest.mark.parametrize("how", [{}, {"optimized": False}, {"like": True}], ids=["general", "raw", "for the arguments"])
@pytest.mark.parametrize(("f", "d"), MIXED, ids=[f"{f.__name__} {type(d).__name__}" for f, d in MIXED])
def test_mixed_derivatives(f: Any, d: Any, how: dict[str, Any]) -> None:
    slope = tnb.grad(f, **{**how, **({"like": (0.7, d)} if "like" in how else {})})
    steps = np.eye(flat(d).size) * 1e-6
    wanted = [(slope(0.7, moved(d, iter(one))) - slope(0.7, moved(d, iter(-one)))) / 2e-6 for one in steps]
    assert np.abs(wanted).min() > 1e-3 or f is beside
    assert flat(tnb.grad(slope, wrt=1)(0.7, d)) == pytest.approx(wanted, rel=1e-5, abs=1e-7)
    assert tnb.jvp(slope, wrt=1)(0.7, d, moved(d, iter(1.0 - flat(d)))) == pytest.approx(sum(wanted), rel=1e-5)


@pytest.mark.parametrize("d", [LIST, np.array(LIST)], ids=["list", "array"])
def test_of_a_loop_that_is_left_fewer_items_were_taken(d: Any) -> None:
    for slope in (tnb.grad(left_early), tnb.grad(left_early, optimized=False), tnb.grad(left_early, like=(0.7, d))):
        with pytest.raises(RefusedError, match="flows through what a loop of the first one goes over"):
            tnb.grad(slope, wrt=1)(0.7, d)


def test_beside_a_generator_it_is_refused() -> None:
    with pytest.raises(RefusedError, match="rt.numbered has no derivative by its argument x"):
        tnb.grad(tnb.grad(beside_a_generator), wrt=1)(0.7, np.array(LIST))
