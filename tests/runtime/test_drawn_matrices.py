"""Products with what was drawn of an array: those with the array that `rt.unsample` makes, which is not made."""
from __future__ import annotations

import itertools
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_kept_samples import drawings, patched

from tangent_nb import runtime as rt
from tangent_nb.rules import rows
from tangent_nb.runtime import drawn_matrices as products
from tangent_nb.runtime import kept_samples as samples

WAYS = [("with_replacement", "batch"), ("with_replacement", "none"), ("without_replacement", "batch"),
        ("without_replacement", "none"), ("rademacher", "batch")]
RNG = np.random.default_rng(8)
f = RNG.standard_normal


def close(one: Any, other: Any) -> bool:
    return bool(one.shape == other.shape and one.dtype == other.dtype and np.abs(one - other).max(initial=0.0) < 1e-12)


@pytest.mark.parametrize("method, share", WAYS)
@pytest.mark.parametrize("axis", [-1, 0])
@pytest.mark.parametrize("dtype", ["f8", "c16"])
def test_products_are_those_of_the_array(method: str, share: str, axis: int, dtype: str) -> None:
    x = (f((6, 9)) + (1j * f((6, 9)) if dtype == "c16" else 0.0)).astype(dtype)
    kept = rt.sample(x, np.random.default_rng(1), fraction=0.5, method=method, share=share, axis=axis)
    one, whole = rt.drawn(kept), rt.unsample(kept)
    assert one.__class__ is products.Drawn and one.shape == (6, 9) and one.T.shape == (9, 6)
    for g in (f((6, 4)), f(6), f((6, 0)), f((6, 4)).astype("f4")):
        assert close(one.T @ g, whole.T @ g) and close(np.dot(one.T, g), whole.T @ g)
        assert close(g.T @ one, g.T @ whole) and close(np.dot(g.T, one), g.T @ whole)
    for g in (f((9, 4)), f(9)):
        assert close(one @ g, whole @ g) and close(g.T @ one.T, g.T @ whole.T)
    stack = f((2, 9, 3))                                   # what is no matrix is multiplied as the array is
    assert close(one @ stack, whole @ stack) and close(stack.swapaxes(1, 2) @ one.T, stack.swapaxes(1, 2) @ whole.T)
    with pytest.raises(ValueError):
        _ = one @ f((8, 2))


@pytest.mark.parametrize("method, share", WAYS)
@pytest.mark.parametrize("name", ["matmul", "dot"])
def test_cotangents_are_those_of_the_array(method: str, share: str, name: str) -> None:
    dx, dy = getattr(rt, f"{name}_dx"), getattr(rt, f"{name}_dy")
    for rows_of_x, y in (((5,), f((7, 3))), ((2, 5), f((7, 3))), ((5,), f(7)), ((2, 5), f((2, 7, 3)))):
        x = f((*rows_of_x, 7))
        kept = rt.sample(x, np.random.default_rng(2), k=3, method=method, share=share)
        g = f((np.matmul if name == "matmul" else np.dot)(x, y).shape)
        assert close(dy(g, rt.drawn(kept), y), dy(g, rt.unsample(kept), y))
    for axis in (-1, 0):
        kept = rt.sample(f((7, 5)), np.random.default_rng(3), k=3, method=method, share=share, axis=axis)
        for x in (f((4, 7)), f(7), f((2, 4, 7))):
            g = f((*x.shape[:-1], 5))
            assert close(dx(g, x, rt.drawn(kept)), dx(g, x, rt.unsample(kept)))


def test_rows_of_products_say_what_they_take() -> None:
    found = {rule.name: rule.drawn for rule in rows() if rule.drawn}
    assert set(found) == {"operator.matmul", "np.dot", *(f"rt.{name}_d{x}" for name in ("matmul", "dot") for x in "xy")}
    assert all(rule.multiplies == "elements" and rule.drawn <= set(rule.params) for rule in rows() if rule.drawn)


@pytest.mark.parametrize("method", ["with_replacement", "without_replacement", "rademacher"])
@pytest.mark.parametrize("k", [1, 2])
def test_the_mean_over_all_draws_is_the_product(method: str, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x, g = f((3, 4)), f((3, 2))
    total, count = np.zeros((4, 2)), 0
    for one in drawings(method, k):
        patched(monkeypatch, method, one)
        total += rt.drawn(rt.sample(x, np.random.default_rng(0), k=k, method=method)).T @ g
        count += 1
    assert count > 1 and np.abs(total / count - x.T @ g).max() < 1e-12


@pytest.mark.parametrize("method", ["with_replacement", "without_replacement"])
def test_the_mean_over_all_draws_of_rows(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, g = f((2, 3)), f((2, 2))
    total, count = np.zeros((3, 2)), 0
    for pair in itertools.product(list(drawings(method, 2, 3)), repeat=2):
        monkeypatch.setattr(samples, "_drawn_by_row", lambda *_, pair=pair: iter([(slice(0, 2), np.array(pair))]))
        total += rt.drawn(rt.sample(x, np.random.default_rng(0), k=2, method=method, share="none")).T @ g
        count += 1
    assert np.abs(total / count - x.T @ g).max() < 1e-12


@pytest.mark.parametrize("method, share", WAYS)
def test_no_array_of_that_size_is_made(method: str, share: str) -> None:
    x, g = np.ones((4000, 500)), np.ones((4000, 3))
    kept = rt.sample(x, np.random.default_rng(0), fraction=0.02, method=method, share=share)
    peaks = []
    for product in (lambda: rt.unsample(kept).T @ g, lambda: rt.drawn(kept).T @ g, lambda: rt.drawn(kept) @ g[:500]):
        tracemalloc.start()
        product()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[0] > x.nbytes and max(peaks[1:]) < x.nbytes / 3


@pytest.mark.parametrize("blocks", [1, 30, 1 << 17])
def test_rows_are_made_some_at_a_time(blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "BLOCK", blocks)
    for method, share in WAYS:
        kept = rt.sample(f((11, 9)), np.random.default_rng(1), k=4, method=method, share=share)
        g, h = f((11, 2)), f((9, 2))
        assert close(rt.drawn(kept).T @ g, rt.unsample(kept).T @ g) and close(rt.drawn(kept) @ h, rt.unsample(kept) @ h)


@pytest.mark.parametrize("x", [3.0, None, [1.0], np.array([1, 2]), np.zeros((0, 3))], ids=lambda x: type(x).__name__)
def test_what_was_kept_as_it_is_comes_back(x: Any) -> None:
    assert rt.drawn(x) is x


def test_what_is_no_matrix_is_made_whole() -> None:
    stream = np.random.default_rng(0)
    for x, axis in ((f(7), -1), (f((3, 4, 5)), (1, 2)), (f((3, 4)), (0, 1)), (f((3, 4, 5)), 0)):
        kept = rt.sample(x, stream, k=2, axis=axis)
        assert np.array_equal(rt.drawn(kept), rt.unsample(kept))
    stack = rt.drawn(rt.sample(f((2, 3, 4)), stream, k=2))
    assert np.array_equal(stack.T, stack.whole().T) and repr(stack) == "<<2 of 4 of (2, 3, 4)>, as a matrix>"
    with pytest.raises(TypeError):
        np.sum(stack)


@pytest.mark.parametrize("method, share", WAYS)
@pytest.mark.parametrize("x, y", [((2, 5, 6), (6, 0)), ((5, 6), (6, 0)), ((2, 5, 6), (6, 3))])
def test_products_without_columns(x: tuple[int, ...], y: tuple[int, ...], method: str, share: str) -> None:
    kept = rt.sample(f(x), np.random.default_rng(0), k=2, method=method, share=share)
    g = f((*x[:-1], y[1]))
    for adjoint in (rt.matmul_dy, rt.dot_dy):
        assert adjoint(g, rt.drawn(kept), f(y)).shape == y
        assert close(adjoint(g, rt.drawn(kept), f(y)), adjoint(g, rt.unsample(kept), f(y)))
