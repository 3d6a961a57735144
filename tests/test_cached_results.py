"""A function behind a cache gives one object each time: what it gives must not change,
though its text stands for it."""
from __future__ import annotations

import functools
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

CACHED = {
    "called": "@functools.lru_cache\ndef z(s):\n    return np.ones(3) * s\n"
              "def f(s):\n    y, w = z(s), z(s)\n    y[0] = 2.0\n",
    "nested": "def f(s):\n    @functools.cache\n    def z(t):\n        return np.ones(3) * t\n"
              "    y, w = z(s), z(s)\n    y[0] = 2.0\n",
    "inside": "@functools.cache\ndef z(n):\n    return np.ones(n)\ndef up(n):\n    return z(n)\n"
              "def f(s):\n    y, w = up(3), up(3)\n    y[0] = s\n",
    "specialized": "@functools.lru_cache\ndef z(s, k=2.0):\n    return np.ones(3) * s * k\n"
                   "def f(s):\n    y, w = z(s, k=3.0), z(s, k=3.0)\n    y[0] = 2.0\n",
    "partial": "@functools.cache\ndef z(s, k):\n    return np.ones(3) * s * k\n"
               "def f(s):\n    g = functools.partial(z, k=2.0)\n    y, w = g(s), g(s)\n    y[0] = 3.0\n",
}


@pytest.mark.parametrize("name", CACHED)
@pytest.mark.parametrize("optimized", [True, False])
def test_what_a_cache_gives_is_one_object_each_time(name: str, optimized: bool) -> None:
    space = sourced(CACHED[name] + "    return np.sum(y * w * s)\n", {"np": np, "functools": functools})
    with pytest.raises(TangentError, match="y is changed in place"):
        tnb.grad(space["f"], optimized=optimized)(1.7)
    with pytest.raises(TangentError, match="y is changed in place"):
        tnb.jvp(space["f"], optimized=optimized)(1.7, 1.0)
