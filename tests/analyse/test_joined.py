"""Containers that operators, copies and slices make hold what the others hold: a change in one is never overlooked."""
from __future__ import annotations

import copy
import functools
import linecache
import operator
from itertools import count
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb

numbers = count()
LISTS = ["L + K", "L * 2", "2 * L", "L.copy()", "L[:]", "L[1:] + L[:1]", "functools.reduce(operator.add, [L, K])",
         "operator.add(L, K)", "sum([L, K], [])", "L if len(K) > 3 else L + K"]
CHANGES = ["M[0][0] = 5.0", "M[0] += 5.0", "M[0] += x", "r = M[0]\n    r[0] = 5.0", "for r in M:\n        r[0] = 5.0",
           "M[0].fill(5.0)", "np.add(M[0], 5.0, out=M[0])"]
DICTS = ["d.copy()", "d | e", "dict(d)", "{**d}"]


def made(text: str) -> Any:
    name = f"<joined_{next(numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"np": np, "functools": functools, "operator": operator, "__name__": __name__}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def judged(f: Any, at: Any, *others: Any) -> None:
    def value(x: Any) -> Any:
        return f(x, *copy.deepcopy(others))
    wanted = np.array([(value(at + e) - value(at - e)) / 2e-6 for e in 1e-6 * np.eye(2)])
    for way in ("optimized", "raw", "forward"):
        held = copy.deepcopy(others)
        try:
            got = np.array([tnb.jvp(f)(at, *copy.deepcopy(others), e) for e in np.eye(2)]) if way == "forward" \
                else tnb.grad(f, optimized=way == "optimized")(at, *held)
        except tnb.errors.TangentError:
            continue
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-7, err_msg=way)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("value", LISTS)
def test_of_lists(value: str, change: str) -> None:
    f = made(f"def f(x, L, K):\n    M = {value}\n    {change}\n    return np.sum(L[0] ** 2 * x) + np.sum(K[0] * x)\n")
    judged(f, np.array([1.0, 2.0]), [np.array([3.0, 4.0]), np.array([1.0, 2.0])], [np.array([6.0, 7.0])])


@pytest.mark.parametrize("change", ["b['a'][0] = 5.0", "b['a'] += 5.0", "for r in b.values():\n        r[0] = 5.0"])
@pytest.mark.parametrize("value", DICTS)
def test_of_dicts(value: str, change: str) -> None:
    f = made(f"def f(x, d, e):\n    b = {value}\n    {change}\n    return np.sum(d['a'] ** 2 * x)\n")
    judged(f, np.array([1.0, 2.0]), {"a": np.array([3.0, 4.0])}, {"b": np.array([6.0, 7.0])})


@pytest.mark.parametrize("value", ["a + b", "a * 2", "a.copy()"])
def test_arrays_are_let_through(value: str) -> None:
    f = made(f"def f(x, a, b):\n    m = {value}\n    m[0] = 5.0\n    return np.sum(a * x * m)\n")
    a, b = np.array([3.0, 4.0]), np.array([6.0, 7.0])
    second = {"a + b": 11.0, "a * 2": 8.0, "a.copy()": 4.0}[value]
    np.testing.assert_allclose(tnb.grad(f)(np.ones(2), a, b), a * np.array([5.0, second]))
