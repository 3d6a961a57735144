"""Defaults of functions that are defined inside: each call of the outer function makes them anew."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

PROGRAMS = {
    "appended": "def g(a, b=[]):\n    b.append(a)\n    return sum(b) * len(b)\nreturn g(x) * u",
    "shared by two calls": "def g(a, b=[]):\n    b.append(a)\n    return b[0] * a\nreturn g(x) * g(u)",
    "only read": "def g(a, b=[1.0, 2.0]):\n    return a * b[0] + b[1]\nreturn g(x) * u + g(u, [x, u])",
    "by keyword": "def g(a, *, b=[0.5]):\n    b[0] = b[0] * a\n    return b[0]\nreturn g(x) * g(u)",
    "beside others": "def g(a, c=2.0, b=[0.5], t=('a', [1.0])):\n    return a * b[0] * c * t[1][0]\nreturn g(x) * g(u)",
    "defined in a loop": "s = 0.0\nfor k in range(3):\n    def g(a, b=[0.5]):\n        b.append(a)\n"
        "        return sum(b)\n    s += g(x) * g(u)\nreturn s",
    "of a closure": "def make(n):\n    def g(a, b=[]):\n        b.append(a * n)\n        return sum(b)\n    return g\n"
        "p, q = make(x), make(u)\nreturn p(x) * p(u) + q(x)",
    "given back": "def g(a, b=[]):\n    b.append(a)\n    return b\ng(x)\nreturn sum(g(u)) * len(g(u))",
    "a dict": "def g(a, b={}):\n    b[len(b)] = a\n    return a * len(b)\nreturn g(x) * g(u)",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_each_call_begins_with_new_ones(program: str) -> None:
    f, step = sourced("def f(x, u):\n    " + program.replace("\n", "\n    ") + "\n")["f"], 1e-6
    due = [(f(0.7 + step, 1.3) - f(0.7 - step, 1.3)) / (2 * step),
           (f(0.7, 1.3 + step) - f(0.7, 1.3 - step)) / (2 * step)]
    both = tnb.value_and_grad(f, (0, 1))
    for df in (tnb.grad(f, (0, 1)), tnb.grad(f, (0, 1), optimized=False), lambda *at: both(*at)[1]):
        for _ in range(3):
            np.testing.assert_allclose(df(0.7, 1.3), due, rtol=1e-7)
    push = tnb.jvp(f, (0, 1))
    for _ in range(3):
        np.testing.assert_allclose(push(0.7, 1.3, 0.3, -0.4), 0.3 * due[0] - 0.4 * due[1], rtol=1e-7)
