"""A function behind a cache gives one object each time: what it gives must not change,
though its text stands for it."""
from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
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


SEEN: list[float] = []
STREAM = np.random.default_rng(7)


def noted(k):
    SEEN.append(k)
    return k * 2.0


def drawn(k):
    return STREAM.normal() * k


def drawn_below(k):
    return drawn(k) + 1.0


def told(k):
    print("computed", k)
    return k + 0.5


def timed(k):
    return time.perf_counter() * k


def drawn_globally(k):
    return np.random.rand() * k


@pytest.mark.parametrize("fn", [noted, drawn, drawn_below, told, timed, drawn_globally])
def test_what_a_cache_keeps_is_not_computed_again_where_that_is_seen(
        fn: Callable[[float], float], capsys: pytest.CaptureFixture[str]) -> None:
    """The second call gives what the first one gave, and prints nothing."""
    cached = functools.lru_cache(fn)

    def f(x):
        return x * cached(3.0) - cached(3.0) * x + x * x
    for derive in (tnb.grad, lambda f: tnb.grad(f, optimized=False), tnb.jvp):
        cached.cache_clear()
        SEEN.clear()
        df = derive(f)
        assert (df(0.7, dx=1.0) if derive is tnb.jvp else df(0.7)) == pytest.approx(1.4)
        assert SEEN == ([3.0] if fn is noted else [])
        assert capsys.readouterr().out == ("computed 3.0\n" if fn is told else "")


def test_a_cache_of_a_nested_function_that_draws_is_refused() -> None:
    def f(x):
        @functools.cache
        def noise(k):
            return np.random.rand() * k
        return x * noise(2) - noise(2) * x + x
    with pytest.raises(TangentError):
        tnb.grad(f)(0.7)


APART = {
    "is": "@functools.cache\ndef z(s):\n    return np.ones(3) * s\n"
          "def f(s):\n    y, w = z(s), z(s)\n    return np.sum(y) * (2.0 if y is w else 3.0)\n",
    "id": "@functools.cache\ndef z(s):\n    return np.ones(3) * s\n"
          "def f(s):\n    y, w = z(s), z(s)\n    return np.sum(y) * (2.0 if id(y) == id(w) else 3.0)\n",
    "nested": "def f(s):\n    @functools.cache\n    def z(t):\n        return [t]\n"
              "    y, w = z(s), z(s)\n    return y[0] * (2.0 if y is w else 3.0)\n",
}


@pytest.mark.parametrize("name", APART)
def test_what_a_cache_gives_is_not_compared_by_what_it_is(name: str) -> None:
    space = sourced(APART[name], {"np": np, "functools": functools})
    with pytest.raises(TangentError):
        tnb.grad(space["f"])
    with pytest.raises(TangentError):
        tnb.jvp(space["f"])


def test_none_is_told_apart_from_what_a_cache_gives() -> None:
    space = sourced("@functools.cache\ndef z(s):\n    return np.ones(3) * s\ndef f(s, k=None):\n    y, w = z(s), z(s)\n"
                    "    return np.sum(y * w) * (2.0 if k is None and y is not None else 3.0)\n",
                    {"np": np, "functools": functools})
    np.testing.assert_allclose(tnb.grad(space["f"])(1.7), 2.0 * 3.0 * 2.0 * 1.7)
