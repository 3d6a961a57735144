"""Deques that the function makes, as lists: with as many items as `maxlen` says, which may be a variable."""
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

RIGHT = {
    "a delay": "line = deque([0.0] * n, maxlen=n)\n    y = x\n    for _ in range(6):\n        old = line[0]\n"
        "        line.append(1.0 - y)\n        y = 0.7 * y + x * old\n    return y",
    "a window that is full": "line = deque(maxlen=n)\n    s = 0.0\n    for k in range(5):\n"
        "        line.append(x ** k)\n"
        "        if len(line) == line.maxlen:\n            s = s + sum(v * v for v in line)\n    return s",
    "both ends": "line = deque([x, x * x, x ** 3], maxlen=n)\n    line.appendleft(2 * x)\n    line.extend([x, 3 * x])\n"
        "    line.rotate(1)\n    return sum(v * (k + 1) ** 2 for k, v in enumerate(line))",
    "of a generator": "line = deque((x * k for k in range(4)), n)\n    line.append(x ** 2)\n    return sum(line) + x",
    "all": "line = deque([x], maxlen=None if n else None)\n    line.append(x * x)\n"
        "    return line[0] * line[1] * len(line)",
    "a length that changes later": "m = n\n    line = deque([x, x * x], m)\n    m = 1\n    line.append(x ** 3)\n"
        "    return sum(line) * line.maxlen + m",
    "made again": "line, s = deque(maxlen=n), 0.0\n    for k in range(3):\n"
        "        line = deque([x, x * k], maxlen=k + 1)\n"
        "        line.append(x * x)\n        s = s + sum(line) * line.maxlen\n    return s",
    "written down": "line = deque([x], maxlen=2)\n    line.append(x * x)\n    line.append(x ** 3)\n"
        "    return line[0] * line[1] * line.maxlen",
}


def made(body: str) -> Callable[..., Any]:
    return sourced(f"from collections import deque\ndef f(x, n):\n    {body}\n")["f"]


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_what_a_deque_keeps(body: str, n: int) -> None:
    f = made(body)
    due = (f(0.7 + 1e-6, n) - f(0.7 - 1e-6, n)) / 2e-6
    for optimized in (True, False):
        np.testing.assert_allclose(tnb.grad(f, optimized=optimized)(0.7, n), due, rtol=1e-7)
    np.testing.assert_allclose(tnb.jvp(f)(0.7, n, 1.0), due, rtol=1e-7)


def test_a_deque_without_room_and_one_with_less() -> None:
    df = tnb.grad(made("line = deque([x, x], maxlen=n)\n    line.append(x)\n    return sum(line) + x"))
    assert df(0.7, 0) == 1.0 and df(0.7, None) == 4.0
    with pytest.raises(ValueError, match="maxlen must be non-negative"):
        df(0.7, -1)
    with pytest.raises(TypeError, match="an integer is required|integer"):
        df(0.7, 2.5)


ASKED = [                                                  # where a list would answer otherwise
    "d == [x, n]", "[x, n] == d", "d != [x, n]", "d in ([x, n], [n])", "isinstance(d, list)",
    "isinstance(d, deque)", "isinstance(d, (list, tuple))", "type(d) is list", "len(type(d).__name__) == 5",
    "hasattr(d, 'popleft')", "hasattr(d, 'sort')", "len(repr(d)) > 20", "callable(d.append)",
]
ALIKE = [                                                  # where it would not
    "d == e", "d != e", "d < e", "x in d", "n not in d", "len(d) == 2", "not d", "d is not None",
    "max(d) > 2", "list(d) == [x, n]", "[*d] == [x, n]", "d[0] == x",
]


@pytest.mark.parametrize("place", ["return x * x if {} else 3.0 * x", "y = {}\n    return x * x if y else 3.0 * x"])
@pytest.mark.parametrize("test", ASKED)
def test_what_a_list_answers_otherwise_is_refused(test: str, place: str) -> None:
    f = made("d = deque([x, n])\n    d.append(x)\n    d.pop()\n    " + place.format(test))
    with pytest.raises(TangentError, match="collections.deque has no derivative rule"):
        tnb.grad(f)


@pytest.mark.parametrize("place", ["return x * x if {} else 3.0 * x", "y = {}\n    return x * x if y else 3.0 * x"])
@pytest.mark.parametrize("test", ALIKE)
def test_what_a_list_answers_as_well(test: str, place: str) -> None:
    f = made("d, e = deque([x, n]), deque([x, 3.0], maxlen=4)\n    e.rotate(2)\n    " + place.format(test))
    for x in (0.7, 3.0):
        due = (f(x + 1e-6, 2) - f(x - 1e-6, 2)) / 2e-6
        np.testing.assert_allclose([tnb.grad(f)(x, 2), tnb.jvp(f)(x, 2, 1.0)], due, rtol=1e-7)
