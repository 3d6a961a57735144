"""Arrays without dimensions that are changed in place: right or refused, never an exception of the generated code."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(8)

MADE = ("np.array(x)", "np.array(x * x)", "np.asarray(2.0 * x)", "np.copy(x)", "np.array(x).copy()", "np.zeros_like(x)",
        "np.full_like(x, 3.0)", "np.zeros(np.shape(x))", "np.full((), x)", "np.where(x > 0.0, x, -x)",
        "np.reshape(x, ())", "np.array([x, 2.0 * x])[0, ...]", "np.array(x).astype(float)")
STORES = ("B[x > 1] = 0.0", "B[x > 1] = x * 2", "B[x > 1] += x", "B[x > 1] *= x", "B[B < 0] -= x", "B[...] = x * x",
          "B[()] += x * x", "B[...] = 2.0", "B[None] = x", "B[..., None] = 0.0", "B[True] = x", "B[np.isfinite(x)] = x",
          "B[~(x > 9)] = 3.0", "B[i] = 0.0", "B[i] = x", "B += x", "B *= x", "B.fill(2.0)", "np.copyto(B, x)",
          "np.putmask(B, x > 1, x)", "np.put(B, 0, x)", "np.multiply(x, x, out=B)",
          "for _ in range(2):\n        B[x > 1] = B * x")
ENDS = ("return B * x", "return np.sum(B * B)", "C = B[()]\n    return C * x")
POINTS = (2.0, np.float64(2.0), np.array(2.0), np.array([2.0]))


@pytest.mark.parametrize("store", STORES, ids=[store.replace("\n", " ") for store in STORES])
def test_an_array_without_dimensions_that_changes_is_right_or_refused(store: str) -> None:
    answered = 0
    turn = STORES.index(store)
    for n, made in enumerate(MADE, turn):
        end = ENDS[n % len(ENDS)]
        text = f"def f(x, i=...):\n    B = {made}\n    {store}\n    {end}\n"
        f = sourced(text, {"np": np, "__name__": "dimensions"}, f"<dimensions {turn} {n}>")["f"]
        x = POINTS[n % len(POINTS)]
        try:
            y = f(x)
        except (TypeError, IndexError, ValueError):
            continue
        above, below = (np.asarray(x + h) if isinstance(x, np.ndarray) else x + h for h in (1e-6, -1e-6))
        want = np.sum(f(above) - f(below)) / 2e-6
        for mode, like in (("vjp", x), ("jvp", y)):
            given = {"seed": np.ones_like(y)} if mode == "vjp" else {"dx": x * 0.0 + 1.0}
            got = _asked(getattr(tnb, mode), f, (x, ...), given, n % 3 != 0, text)
            if got is not None:
                answered += 1
                assert np.allclose(np.sum(got), want, rtol=1e-4, atol=1e-4), text
                assert np.shape(got) == np.shape(like), text
    assert answered or "put" in store


def _asked(mode: Any, f: Any, args: tuple[Any, ...], given: dict[str, Any], optimized: bool, text: str) -> Any:
    """The derivative, or None where it is refused."""
    try:
        return mode(f, optimized=optimized)(*args, **given)
    except TangentError:
        return None
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}\n{text}") from error


def test_ordinary_arrays_are_not_asked() -> None:
    """A result of arithmetic without dimensions is a number, which Python does not let change."""
    def f(x):
        y = x * 2.0
        y[y < 0.0] = 0.0
        z = np.array(x)
        z[0] = y[0]
        z[z > 1.0] = 3.0
        return np.sum(y * z)

    assert "storable" not in tnb.source(tnb.grad(f)) + tnb.source(tnb.jvp(f))


@pytest.mark.parametrize("end", ["return B", "C = B\n    return C", "return B[...]", "return np.reshape(B, ())"])
def test_the_value_is_not_what_the_backward_sweep_restores(end: str) -> None:
    text = f"def f(x):\n    B = np.array(x)\n    B[x > 1] = 3.0\n    B[...] = B * x\n    {end}\n"
    f = sourced(text, {"np": np, "__name__": "dimensions"}, f"<value {end}>")["f"]
    for optimized in (True, False):
        value, slope = tnb.value_and_grad(f, optimized=optimized)(2.0)
        assert (float(value), float(slope)) == (6.0, 3.0)


def test_second_derivatives_and_indices_with_stars() -> None:
    def f(x):
        B = np.array(x * x)
        B[x > 1] += np.sin(x)
        return np.array([B, x]).sum() * x

    def stars(x):
        B = np.array(x * x)
        B[*()] = 3.0
        return B * x

    assert np.isfinite(tnb.vjp(tnb.grad(f))(np.array(2.0), seed=1.0))
    assert _asked(tnb.vjp, stars, (2.0,), {"seed": 1.0}, True, "stars") in (3.0, None)


@pytest.mark.parametrize("body", [
    "r = np.sin(x) * x\n    return np.sum(r[m])", "r = np.exp(x)\n    s = r * x\n    return r[m] * s[m] * x",
    "r = x * x\n    y = np.sum(r[m] * 2.0)\n    r = r * y\n    return np.sum(r[m]) + y",
    "r = np.sqrt(x)\n    B = np.empty_like(r)\n    B[m] = r[m] * 2.0\n    B[m] += np.sin(B[m]) * r[m]\n"
    "    B[~m] = 0.5\n    return B * r"])
@pytest.mark.parametrize("optimized", [True, False])
def test_numbers_of_numpy_are_indexed_by_truth_values(body: str, optimized: bool) -> None:
    text = f"def f(x):\n    x = np.asarray(x)\n    m = ~np.isclose(x, 0.0)\n    {body}\n"
    f = sourced(text, {"np": np, "__name__": "dimensions"}, f"<indexed {body[:20]} {optimized}>")["f"]
    for x in (2.0, np.float64(2.0), np.array(2.0), np.array([2.0, 0.7])):
        y, want = f(x), np.sum(f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        got = tnb.vjp(f, optimized=optimized)(x, seed=np.ones_like(y)), \
            tnb.jvp(f, optimized=optimized)(x, dx=x * 0.0 + 1.0)
        assert np.allclose([np.sum(one) for one in got], want, rtol=1e-4), text
