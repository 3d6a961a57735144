"""Samples of arrays: their mean over all draws is the array, exactly; what is kept, and what comes back of bits."""
from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tangent_nb import runtime as rt
from tangent_nb.errors import ArgumentError
from tangent_nb.runtime import kept_samples as samples

X = np.random.default_rng(3).standard_normal((3, 4))
D = 4


def drawings(method: str, k: int, d: int = D) -> Iterator[Any]:
    """All that may be drawn, each as likely as any other."""
    if method == "with_replacement":
        return (np.array(one) for one in itertools.product(range(d), repeat=k))
    if method == "without_replacement":
        return (np.array(one) for one in itertools.permutations(range(d), k))
    return (np.array(one).reshape(d, k) / math.sqrt(k) for one in itertools.product((-1.0, 1.0), repeat=d * k))


def patched(monkeypatch: pytest.MonkeyPatch, method: str, drawn: Any) -> None:
    """Let the next samples have drawn this."""
    if method == "rademacher":
        monkeypatch.setattr(samples, "_signs", lambda key, d, k, dtype: iter([(slice(0, d), drawn.astype(dtype))]))
    else:
        monkeypatch.setattr(samples, "_drawn", lambda key, d, k, method: drawn)


@pytest.mark.parametrize("method", ["with_replacement", "without_replacement", "rademacher"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_mean_over_all_draws_is_the_array(method: str, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    total, count = np.zeros_like(X), 0
    for drawn in drawings(method, k):
        patched(monkeypatch, method, drawn)
        total += rt.unsample(rt.sample(X, np.random.default_rng(0), k=k, method=method))
        count += 1
    assert count > 1
    assert np.abs(total / count - X).max() < 1e-12


@pytest.mark.parametrize("method", ["with_replacement", "without_replacement"])
def test_the_mean_over_all_draws_of_rows(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, total, count = X[:2], np.zeros_like(X[:2]), 0
    for first, second in itertools.product(list(drawings(method, 2)), repeat=2):
        rows = np.array([first, second])
        monkeypatch.setattr(samples, "_drawn_by_row", lambda *_, rows=rows: iter([(slice(0, 2), rows)]))
        total += rt.unsample(rt.sample(x, np.random.default_rng(0), k=2, method=method, share="none"))
        count += 1
    assert np.abs(total / count - x).max() < 1e-12


@pytest.mark.parametrize("method", ["with_replacement", "without_replacement", "rademacher"])
def test_a_planted_error_of_5_percent_is_found(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    total, count = np.zeros_like(X), 0
    for drawn in drawings(method, 2):
        patched(monkeypatch, method, drawn)
        kept = rt.sample(X, np.random.default_rng(0), k=2, method=method)
        kept.data *= 1.05
        total += rt.unsample(kept)
        count += 1
    assert np.abs(total / count - X).max() > 1e-3


@pytest.mark.parametrize("method", ["with_replacement", "without_replacement", "rademacher"])
@pytest.mark.parametrize("share", ["batch", "none"])
@pytest.mark.parametrize("axis", [-1, 0, (0, -1), (1, 2, 3)])
@pytest.mark.parametrize("shape", [(5, 7), (2, 3, 4), (6,)])
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16"])
def test_draws_are_as_the_key_says(method: str, share: str, axis: Any, shape: Any, dtype: str) -> None:
    if method == "rademacher" and share == "none" or shape == (6,) and axis == (1, 2, 3):
        return
    x = np.arange(1, 1 + math.prod(shape)).reshape(shape).astype(dtype)
    kept = rt.sample(x, np.random.default_rng(5), fraction=0.5, method=method, share=share, axis=axis)
    out = rt.unsample(kept)
    assert out.shape == x.shape and out.dtype == x.dtype
    assert np.array_equal(out, rt.unsample(kept))          # any number of times
    again = rt.sample(x, np.random.default_rng(5), fraction=0.5, method=method, share=share, axis=axis)
    assert np.array_equal(again.data, kept.data) and again.key == kept.key
    if method == "without_replacement":                    # each number is there, scaled by d/k, or is not
        d = kept.data.shape[-1] and math.prod(x.shape[a] for a in kept.axes)
        there = out != 0
        assert np.allclose(out[there], x[there] * (d / kept.data.shape[-1]))
        assert there.sum() == kept.data.size


def test_the_rows_of_a_batch_share_their_draw_or_do_not() -> None:
    x = np.ones((50, 30))
    one = rt.unsample(rt.sample(x, np.random.default_rng(0), k=5)) != 0
    each = rt.unsample(rt.sample(x, np.random.default_rng(0), k=5, share="none")) != 0
    assert (one == one[0]).all() and not (each == each[0]).all()


def test_large_arrays_are_drawn_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "BLOCK", 64)
    x = np.random.default_rng(0).standard_normal((40, 50))
    for share, method in [("none", "with_replacement"), ("none", "without_replacement"), ("batch", "rademacher")]:
        found = [rt.unsample(rt.sample(x, np.random.default_rng(n), k=20, method=method, share=share))
                 for n in range(600)]
        z = (np.mean(found, axis=0) - x) / (np.std(found, axis=0) / math.sqrt(600))
        assert np.abs(z).max() < 5.5


@pytest.mark.parametrize("fraction, d, k", [(0.1, 784, 79), (0.1, 300, 30), (0.1, 3072, 308), (0.07, 100, 7),
                                            (1.0, 10, 10), (0.001, 10, 1)])
def test_so_many_are_kept(fraction: float, d: int, k: int) -> None:
    assert rt.sample(np.ones((2, d)), np.random.default_rng(0), fraction=fraction).data.shape == (2, k)


@pytest.mark.parametrize("x", [3.0, None, [1.0, 2.0], np.array([1, 2]), np.array([True]), np.zeros(()),
                               np.zeros((0, 3)), np.ma.masked_array([1.0, 2.0])], ids=lambda x: type(x).__name__)
def test_what_is_no_array_of_floats_is_kept(x: Any) -> None:
    stream = np.random.default_rng(0)
    assert rt.sample(x, stream, k=1) is x and rt.unsample(x) is x and rt.sampled_outline(x) is not None or x is None
    assert stream.integers(100) == np.random.default_rng(0).integers(100)      # nothing is drawn


def test_all_of_it_without_replacement_is_the_array_itself() -> None:
    assert rt.sample(X, np.random.default_rng(0), fraction=1.0, method="without_replacement") is X
    assert rt.sample(X, np.random.default_rng(0), k=9, method="without_replacement") is X


def test_an_axis_that_is_not_there() -> None:
    with pytest.raises(ArgumentError, match=r"an array of shape \(3,\) has no axis=\(1, 2\)"):
        rt.sample(np.ones(3), np.random.default_rng(0), k=1, axis=(1, 2))


def test_a_copy_is_kept() -> None:
    x = X.copy()
    kept = rt.sample(x, np.random.default_rng(0), k=2)
    before = rt.unsample(kept)
    x[:] = 0.0
    assert np.array_equal(rt.unsample(kept), before)


# ------------------------------------------------------------------ bits and outlines
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("shape", [(3, 5), (8,), (1, 1), (0, 4), (2, 3, 7)])
def test_slopes_come_back(shape: Any, dtype: str) -> None:
    x = np.random.default_rng(0).choice([0.0, 0.5, 1.0], shape).astype(dtype)
    for one in (x, (x > 0).astype(dtype)):
        packed = rt.pack_bits(one)
        back = rt.unpack_bits(packed)
        assert back.shape == one.shape and back.dtype == one.dtype and np.array_equal(back, one)
        assert packed.nbytes <= 2 * math.ceil(one.size / 8)
    assert rt.pack_bits((x > 0).astype(dtype)).nbytes == math.ceil(x.size / 8)
    flags = rt.pack_bits(x > 0)
    assert np.array_equal(rt.unpack_bits(flags), x > 0) and rt.unpack_bits(flags).dtype == bool


@pytest.mark.parametrize("x", [1.0, True, np.array([0.0, 1.0, -1.0]), np.array([np.nan, 1.0]), np.array([2.0]),
                               np.array([1, 0])])
def test_what_is_no_slope_is_kept(x: Any) -> None:
    assert rt.pack_bits(x) is x and rt.unpack_bits(x) is x


def test_an_outline_of_a_sample_has_its_shape() -> None:
    one = rt.sampled_outline(rt.sample(X.astype("f4"), np.random.default_rng(0), k=1))
    assert one.shape == X.shape and one.dtype == np.float32 and one.strides == (0, 0)
