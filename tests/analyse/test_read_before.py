"""Views that are read before their array changes, and not after, get copies; others stay asked or refused."""
from __future__ import annotations

import linecache
from itertools import count
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from benchmarks.simulation import ARGUMENTS, simulate

numbers = count()
AT = np.array([0.31, 0.74])
START = "def f(x):\n    v = np.ones((3, 2)) * 2.0\n    out = 0.0{}\n    return out + np.sum(v)\n"
RIGHT = {
    "over_trips": """
    a = x * 1.0
    for i in range(3):
        out = out + np.sum(a * v[i] * x)
        a = v[i]
    v += x""",
    "every_trip": """
    for s in range(2):
        a = x * 1.0
        for i in range(3):
            out = out + np.sum(a * x)
            a = v[i]
        v += x""",
    "bound_anew": """
    a = v[0]
    out = np.sum(a * x)
    a = 0.0
    v += x""",
    "while_it_is_read": """
    a = v[0]
    out = np.sum(a * x)
    v += a * x""",
}
NEVER_WRONG = {
    "read_after": """
    a = v[0]
    v += x
    out = np.sum(a * x)""",
    "another_view": """
    a = v[0]
    out = np.sum(a * x)
    b = a[:1]
    v += x
    out = out + np.sum(b * x)""",
    "held": """
    a = v[0]
    L = [a]
    v += x
    out = np.sum(L[0] * x)""",
    "itself_changed": """
    a = v[0]
    a += x
    v *= 2.0
    out = np.sum(x)""",
    "identity": """
    a = v
    out = (1.0 if a is v else 2.0) * np.sum(a * x)
    v += x""",
}


def made(body: str) -> Any:
    name, text = f"<read_before_{next(numbers)}>", START.format(body)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def differences(f: Any) -> Any:
    return np.array([(f(AT + e) - f(AT - e)) / 2e-6 for e in 1e-6 * np.eye(2)])


def found(f: Any, mode: str) -> Any:
    if mode == "forward":
        return np.array([tnb.jvp(f)(AT, e) for e in np.eye(2)])
    return tnb.grad(f, optimized=mode == "optimized")(AT)


@pytest.mark.parametrize("mode", ["optimized", "raw", "forward"])
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_read_before_is_differentiated(name: str, mode: str) -> None:
    f = made(RIGHT[name])
    assert np.allclose(found(f, mode), differences(f), rtol=1e-6)


@pytest.mark.parametrize("mode", ["optimized", "raw", "forward"])
@pytest.mark.parametrize("name", NEVER_WRONG)
def test_what_is_read_after_is_never_wrong(name: str, mode: str) -> None:
    f = made(NEVER_WRONG[name])
    try:
        got = found(f, mode)
    except tnb.errors.TangentError:
        return
    assert np.allclose(got, differences(f), rtol=1e-6)


def test_a_simulation_of_167_lines() -> None:
    """Its gradient along a direction is that of differences."""
    gains, stiffness, *others = ARGUMENTS
    of_gains, of_stiffness = tnb.grad(simulate, ("gains", "stiffness"))(*ARGUMENTS)
    way, step = np.array([1.0, -2.0, 0.5]), 1e-5
    ahead, back = (simulate(gains + sign * step * way, stiffness, *others) for sign in (1.0, -1.0))
    assert np.isclose(np.sum(of_gains * way), (ahead - back) / (2 * step), rtol=1e-4)
    ahead, back = (simulate(gains, stiffness + sign * 1e-3, *others) for sign in (1.0, -1.0))
    assert np.isclose(of_stiffness, (ahead - back) / 2e-3, rtol=1e-3)
