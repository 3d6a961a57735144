"""Calls of functions that may do more than compute, where no derivative flows through what they give."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

pytestmark = pytest.mark.sampled(4)

AROUND = """\
import numpy as np
LOG = []
def seen(a):
    LOG.append(1)
    return a
def given(a, fn): return fn(a)
def changed(a):
    a[0] *= 2.0
    return a
def f(x):
    z = x * 1.0
"""
PROGRAMS = [
    "if seen(x[0]): z = x * 2.0", "if not seen(x[0]): z = x * 2.0", "if np.isnan(seen(x[0])): z = x * 2.0",
    "if np.any(given(x, np.float64) > 1): z = x * 2.0", "z = np.where(given(x, np.float64) > 2.0, x * x, x)",
    "z = x * int(seen(x[1]))", "z = x * len(seen(x))", "z = x[np.argmax(seen(x))] * x",
    "z = x[np.argmax(given(x, np.float64))] * x", "n = 0\n    while seen(x[0]) * n < 3: n += 1\n    z = x * n",
    "if x[0] > 0 and seen(x[0]) > 1: z = x * 2.0", "z = x * 2.0 if seen(x[0]) > 1 else x",
    "assert seen(x[0]) > -9, 'no'",
    "assert np.all(np.isfinite(given(x, np.float64))), 'no'", "z = x * seen(x).shape[0]", "print(f'{seen(x)}')",
    "if given(x, np.sum) < 0: raise ValueError(f'{seen(x)}')", "z = x * np.round(seen(x[0]))",
    "z = x * np.sign(seen(x))",
    "z = x * (seen(x[0]) > 1.0) * (1.0 < seen(x[1]))", "z = x * max(int(seen(x[0])), int(seen(x[1])))",
    "if changed(z)[0] > 1.0: z = z * x", "n = int(changed(z)[1])\n    z = z * n", "z = z * len(changed(z))",
    "for i in range(int(seen(x[1]))): z = z * x", "z = [x, x * 2.0][int(seen(x[0]))]",
    "n = {'a': len(seen(x))}['a']\n    z = x * n", "n = 0\n    for v in x: n += int(seen(v))\n    z = x * n",
    "z = np.round(changed(z)) * z", "z = z * np.round(changed(z))", "z = np.where(z < changed(z), z, z * z)"]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("mode", ["reverse", "raw", "forward", "split"])
def test_what_carries_nothing_is_called_as_often_and_in_its_place(program: str, mode: str) -> None:
    space = sourced(f"{AROUND}    {program}\n    return np.sum(z * z * np.array([1.0, 0.7]))\n", {"__name__": "cell"})
    f, log, x = space["f"], space["LOG"], np.array([1.3, 2.6])
    slopes = [(f(x + 1e-6 * unit) - f(x - 1e-6 * unit)) / 2e-6 for unit in np.eye(2)]
    log.clear()
    f(x)
    often = len(log)
    log.clear()
    found: Any
    if mode == "forward":
        found = [tnb.jvp(f)(x, unit) for unit in np.eye(2)]
        often *= 2
    elif mode == "split":
        found = tnb.pullback(f, x)[1](1.0)
    else:
        found = tnb.grad(f, optimized=mode == "reverse")(x)
    assert np.allclose(found, slopes, rtol=1e-6) and len(log) == often
