"""Second derivatives of helpers that go over what is known only when they run.

The forward sweep of the helper gives the items of its loops away with what else the backward sweep needs; forward mode
then has a zero for them, of the same structure."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

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
