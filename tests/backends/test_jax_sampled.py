"""The sampled tape on JAX: right on average, exact where all is kept, drawn from a seed, or from the key of a call."""
from __future__ import annotations

import importlib
import itertools
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "sampling"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runtime"))

from test_kept_samples import drawings
from test_sampled import CASES, TINY, numbers, scores, tiny

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, RefusedError, TangentError

jax = pytest.importorskip("jax")
jnp = jax.numpy
rt = importlib.import_module("tangent_nb.backends.jax_runtime")
samples = importlib.import_module("tangent_nb.backends.jax_runtime.kept_samples")

METHODS = ["with_replacement", "without_replacement", "rademacher"]
EVERY = [*((method, share) for method in METHODS[:2] for share in ("batch", "none")), (METHODS[2], "batch")]
DEPENDS = {"dense", "called", "while", "embedded"}         # control flow, or indices, of data: not compiled
CALLED = [name for name in CASES if name != "images"]      # windows have no counterpart on JAX


def host(x: Any) -> Any:
    return numbers(jax.tree.map(np.asarray, x))


# ------------------------------------------------------------------ samples of arrays
X = np.random.default_rng(3).standard_normal((3, 4))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k", [1, 2])
def test_the_mean_over_all_draws_is_the_array(method: str, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x, total, count = jnp.asarray(X), np.zeros_like(X), 0
    for drawn in drawings(method, k):
        monkeypatch.setattr(samples, "_places", lambda key, d, k, method, drawn=drawn: drawn)
        monkeypatch.setattr(samples, "_signs", lambda key, d, k, dtype, drawn=drawn: jnp.sign(jnp.asarray(drawn)))
        total += rt.unsample(rt.sample(x, rt.draws(jax.random.key(0)), k=k, method=method))
        count += 1
    assert count > 3
    assert np.abs(total / count - X).max() < 1e-12


@pytest.mark.parametrize("method", METHODS[:2])
def test_the_mean_over_all_draws_of_rows(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, total, count = jnp.asarray(X[:2]), np.zeros_like(X[:2]), 0
    for pair in itertools.product(list(drawings(method, 2)), repeat=2):
        monkeypatch.setattr(samples, "_places_by_row", lambda *_, rows=np.array(pair): rows)
        total += rt.unsample(rt.sample(x, rt.draws(jax.random.key(0)), k=2, method=method, share="none"))
        count += 1
    assert np.abs(total / count - X[:2]).max() < 1e-12


@pytest.mark.parametrize("method, share", EVERY)
@pytest.mark.parametrize("axis", [-1, 0, (1, 2)])
@pytest.mark.parametrize("dtype", ["f8", "f4", "c16"])
def test_shapes_and_dtypes_come_back(method: str, share: str, axis: Any, dtype: str) -> None:
    x = jnp.asarray(np.arange(1, 61).reshape(5, 3, 4).astype(dtype))
    kept = rt.sample(x, rt.draws(jax.random.key(1)), k=2, method=method, share=share, axis=axis)
    found = rt.unsample(kept)
    assert found.shape == x.shape and found.dtype == x.dtype and kept.nbytes < x.nbytes
    assert np.array_equal(found, rt.unsample(kept))        # drawn again from the key
    if method != "rademacher":
        places = np.asarray(found) != 0
        ratio = np.asarray(found)[places] / np.asarray(x)[places]
        d = 12 if isinstance(axis, tuple) else x.shape[axis]
        whole = np.isclose(ratio, d / 2) | np.isclose(ratio, d) if method == METHODS[0] else np.isclose(ratio, d / 2)
        assert whole.all() and places.any()
    outline = rt.sampled_outline(kept)
    assert outline.shape == x.shape and outline.dtype == x.dtype


def test_many_signs_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    x = jnp.asarray(np.random.default_rng(0).standard_normal((3, 10)))
    monkeypatch.setattr(samples, "BLOCK", 12)
    kept = rt.sample(x, rt.draws(jax.random.key(0)), k=4, method="rademacher")
    signs = np.concatenate([np.asarray(samples._signs(jax.random.fold_in(kept.key, i), 3, 4, x.dtype))
                            for i in range(4)])[:10]
    assert set(np.unique(signs)) == {-1.0, 1.0}
    np.testing.assert_allclose(rt.unsample(kept), x @ signs @ signs.T / 4, rtol=1e-12)


def test_bits() -> None:
    for x in (np.array([[True, False, True]]), np.array([1.0, 0.5, 0.0] * 5), np.array([1.0, 0.25, 0.5, 0.0]),
              np.array([0.0, 1.0], np.float32)):
        kept = rt.pack_bits(jnp.asarray(x))
        assert kept.nbytes <= 2 * (x.size // 8 + 1)
        back = rt.unpack_bits(kept)
        assert np.array_equal(back, x) and back.dtype == x.dtype
        if x.dtype.kind == "f":                            # traced: of no value is asked
            again = jax.jit(lambda x: rt.unpack_bits(rt.pack_bits(x, few=True)))(x)
            assert np.array_equal(again, x) and again.dtype == x.dtype
    other = jnp.asarray([0.3, 1.0])
    assert rt.pack_bits(other) is other
    assert np.array_equal(jax.jit(lambda x: rt.unpack_bits(rt.pack_bits(x)))(other), other)


# ------------------------------------------------------------------ gradients
@pytest.mark.sampled(4)
@pytest.mark.parametrize("compiled", [None, "jit"], ids=["eager", "jit"])
@pytest.mark.parametrize("name", CALLED)
def test_all_of_it_without_replacement_is_exact(name: str, compiled: str | None) -> None:
    fn, wrt, args, more = CASES[name]
    if compiled and name in DEPENDS:
        with pytest.raises(RefusedError, match="compile=None"):
            tnb.grad(fn, wrt, backend="jax", compile=compiled, tape=tnb.Sampled(0.5, **more))(*args)
        return
    df = tnb.grad(fn, wrt, backend="jax", compile=compiled, tape=tnb.Sampled(1.0, method="without_replacement", **more))
    text = tnb.source(df)
    assert "rt.sample(" in text and ("rt.unsample(" if name == "signal" else "rt.drawn(") in text  # no product
    exact = numbers(tnb.grad(fn, wrt)(*args))
    np.testing.assert_allclose(host(df(*args)), exact, rtol=1e-11, atol=1e-12 * np.abs(exact).max())


@pytest.mark.parametrize("method", METHODS)
def test_the_mean_over_all_draws_is_the_gradient(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = numbers(tnb.grad(tiny, (0, 1))(*TINY))
    df = tnb.grad(tiny, (0, 1), backend="jax", tape=tnb.Sampled(k=1, method=method))
    total, count = np.zeros_like(exact), 0
    for pair in itertools.product(list(drawings(method, 1, 3)), list(drawings(method, 1, 2))):
        drawn = {len(one) if method == "rademacher" else d: one for one, d in zip(pair, (3, 2), strict=True)}
        monkeypatch.setattr(samples, "_places", lambda key, d, k, method, drawn=drawn: drawn[d])
        monkeypatch.setattr(samples, "_signs", lambda key, d, k, dtype, drawn=drawn: jnp.asarray(drawn[d]))
        total += host(df(*TINY))
        count += 1
    assert count > 3
    assert np.abs(total / count - exact).max() < 1e-12


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method, share", EVERY)
@pytest.mark.parametrize("name", [name for name in CALLED if name not in DEPENDS])
def test_right_on_average(name: str, method: str, share: str) -> None:
    fn, wrt, args, more = CASES[name]
    exact = numbers(tnb.grad(fn, wrt)(*args))
    df = tnb.grad(fn, wrt, backend="jax", tape=tnb.Sampled(0.5, method=method, share=share, **more))
    keys = jax.random.split(jax.random.key(7), 800)
    many = jax.jit(jax.vmap(lambda key: df(*args, key=key)))(keys)
    found = np.concatenate([np.reshape(one, (800, -1)) for one in jax.tree.leaves(many)], axis=1)
    if isinstance(args[0], dict):
        found = np.concatenate([np.reshape(many[key], (800, -1)) for key in args[0]], axis=1)
    assert np.std(found, axis=0).max() > 0
    assert np.abs(scores(list(found), exact)).max() < 4.5


# ------------------------------------------------------------------ the stream
@pytest.mark.parametrize("compiled", [None, "jit"], ids=["eager", "jit"])
def test_the_stream_is_the_users(compiled: str | None) -> None:
    fn, wrt, args, _ = CASES["by key"]

    def derived(seed: Any) -> Any:
        return tnb.grad(fn, wrt, backend="jax", compile=compiled, tape=tnb.Sampled(0.5, seed=seed))

    first, again, other, given = derived(3), derived(3), derived(4), derived(np.random.default_rng(3))
    one, two = host(first(*args)), host(first(*args))
    assert not np.array_equal(one, two)                    # a new sample at each call
    assert np.array_equal(one, host(again(*args))) and np.array_equal(two, host(again(*args)))
    assert np.array_equal(one, host(given(*args))) and not np.array_equal(one, host(other(*args)))
    key = jax.random.key(5)
    by_key = host(first(*args, key=key))
    assert np.array_equal(by_key, host(other(*args, key=key)))               # of the key alone
    assert np.array_equal(by_key, host(first(*args, key=jax.random.PRNGKey(5))))
    assert not np.array_equal(by_key, host(first(*args, key=jax.random.key(6))))
    with pytest.raises(ArgumentError, match="is one of JAX"):
        first(*args, key=5)


def test_what_jax_traces_is_given_a_key() -> None:
    fn, wrt, args, _ = CASES["recurrent"]
    df = tnb.grad(fn, wrt, backend="jax", tape=tnb.Sampled(0.5, seed=0))
    with pytest.raises(RefusedError, match="no key is given"):
        jax.jit(df)(*args)
    step = jax.jit(lambda key, *args: df(*args, key=key))
    one, two = (host(step(jax.random.key(i), *args)) for i in range(2))
    assert not np.array_equal(one, two)
    assert np.allclose(one, host(df(*args, key=jax.random.key(0))), rtol=1e-12)


def test_each_step_has_a_sample_of_its_own() -> None:
    fn, wrt, args, _ = CASES["recurrent"]
    seen: list[Any] = []
    plain = samples._places
    df = tnb.grad(fn, wrt, backend="jax", tape=tnb.Sampled(0.5, seed=0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(samples, "_places", lambda key, *rest: seen.append(tuple(jax.random.key_data(key).tolist())) or
                      plain(key, *rest))
        df(*args)
    assert len(seen) == 2 * len(set(seen)) and len(set(seen)) == tnb.source(df).count("rt.sample(") * len(args[2])


def test_values_seeds_and_both_halves() -> None:
    fn, wrt, args, _ = CASES["by key"]
    tape = tnb.Sampled(0.5, seed=2)
    value, found = tnb.value_and_grad(fn, wrt, backend="jax", tape=tape)(*args)
    assert np.allclose(value, fn(*args)) and np.allclose(host(found), host(tnb.grad(fn, wrt, backend="jax", tape=tape)(
        *args)))
    assert np.allclose(host(found), host(tnb.vjp(fn, wrt, backend="jax", tape=tape)(*args, 1.0)))
    forward, backward = tnb.autodiff(fn, wrt, motion="split", backend="jax", tape=tape)
    value, residuals = forward(*args)
    once = host(backward(residuals, 1.0))
    assert np.array_equal(once, host(backward(residuals, 1.0))) and once.any()             # any number of times
    kept = [leaf for leaf in jax.tree.leaves(residuals, is_leaf=lambda x: isinstance(x, samples.Sample))
            if isinstance(leaf, samples.Sample)]
    assert kept
    value, residuals = jax.jit(lambda key: forward(*args, key=key))(jax.random.key(1))     # they pass through compiled
    again = jax.jit(backward)(residuals, 1.0)
    assert np.allclose(host(again), host(backward(forward(*args, key=jax.random.key(1))[1], 1.0)))


def named_key(w: Any, x: Any, key: Any) -> Any:
    h = np.maximum(x @ w, 0.0)
    return np.sum((h @ w) * key)


def with_a_key(p: Any, x: Any) -> Any:
    s = 0.0
    for key in ("a", "b"):
        s = s + np.sum((np.maximum(x @ p[key], 0.0) @ p[key]) ** 2)
    return s


def test_names_that_are_taken() -> None:
    w, x = np.random.default_rng(0).standard_normal((2, 4, 4))
    df = tnb.grad(named_key, backend="jax", tape=tnb.Sampled(1.0, method="without_replacement"))
    assert np.allclose(df(w, x, 2.0, key_1=jax.random.key(0)), tnb.grad(named_key)(w, x, 2.0))
    dict_of = {"a": w, "b": x}
    for compiled in (None, "jit"):
        df = tnb.grad(with_a_key, backend="jax", compile=compiled,
                      tape=tnb.Sampled(1.0, method="without_replacement"))
        assert np.allclose(host(df(dict_of, x, key=jax.random.key(0))), numbers(tnb.grad(with_a_key)(dict_of, x)))


# ------------------------------------------------------------------ choices, and what is refused
def layers(w1: Any, w2: Any, w3: Any, x: Any) -> Any:
    with tnb.sampled(fraction=0.5, share="none"):
        h = np.maximum(x @ w1, 0.0)
    h = np.maximum(h @ w2, 0.0)
    with tnb.sampled(exact=True):
        return np.sum(h @ w3)


def test_lines_have_their_own() -> None:
    args = tuple(np.random.default_rng(1).standard_normal((4, 6, 6)))
    df = tnb.grad(layers, (0, 1, 2), backend="jax", tape=tnb.Sampled(0.1, seed=0))
    written = [line.strip() for line in tnb.source(df).splitlines() if "rt.sample(" in line]
    assert written == ["x_sampled = rt.sample(x, stream, fraction=0.5, share='none')",
                       "h_1_sampled = rt.sample(h, stream, fraction=0.1)"]
    exact = tnb.grad(layers, (0, 1, 2))(*args)
    np.testing.assert_allclose(df(*args)[2], exact[2], rtol=1e-12)
    assert np.std(np.asarray(df(*args)[0]) - exact[0]) > 0


def chained(w: Any, x: Any) -> Any:
    return np.sum(np.tanh(x @ w) ** 2)


def with_tanh(w1: Any, w2: Any, x: Any) -> Any:
    with tnb.sampled(fraction=0.5):
        h = np.tanh(x @ w1)
    with tnb.sampled(fraction=0.25):
        return np.sum(h @ w2)


def test_what_stays_refused() -> None:
    w = np.eye(3)
    with pytest.raises(RefusedError, match="all of"):
        tnb.grad(with_tanh, (0, 1), backend="jax", tape=tnb.Sampled(0.5))
    with pytest.raises(TangentError, match="leave tape, or compile='numba'"):
        tnb.grad(chained, compile="numba", tape=tnb.Sampled(0.5))
    with pytest.raises(TangentError, match="forward mode saves nothing"):
        tnb.jvp(chained, backend="jax", tape=tnb.Sampled(0.5))
    df = tnb.grad(chained, backend="jax", tape=tnb.Sampled(0.5, seed=0))
    with pytest.raises(RefusedError, match="without the key of a call"):
        tnb.jvp(df, backend="jax")(w, w, dw=w)
    with pytest.raises(ArgumentError, match="which has no derivative"):
        df(np.eye(3) * 1j, w)
    with pytest.raises(TypeError, match="key"):
        tnb.grad(chained, tape=tnb.Sampled(0.5))(w, w, key=None)


def test_floats_of_32_bits_stay_so(single_precision: None) -> None:
    fn, wrt, args, _ = CASES["by key"]
    params, x = args
    params, x = {name: one.astype(np.float32) for name, one in params.items()}, x.astype(np.float32)
    for compiled in (None, "jit"):
        df = tnb.grad(fn, wrt, backend="jax", compile=compiled, tape=tnb.Sampled(0.5, seed=0))
        assert {one.dtype for one in jax.tree.leaves(df(params, x))} == {np.dtype(np.float32)}


def test_the_variance_is_that_on_numpy() -> None:
    fn, wrt, args, _ = CASES["twice"]
    spreads = [np.concatenate([np.ravel(one) for one in tnb.variance(tnb.grad(
        fn, wrt, backend=backend, tape=tnb.Sampled(0.5, seed=0)), *args, n=60)]).sum() for backend in ("numpy", "jax")]
    assert 0.5 < spreads[0] / spreads[1] < 2.0


def test_empty_arrays_and_no_steps() -> None:
    fn, wrt, args, _ = CASES["recurrent"]
    w, u, xs = args
    df = tnb.grad(fn, wrt, backend="jax", tape=tnb.Sampled(0.5, seed=0))
    for none in (xs[:0], xs[:, :0]):
        for found, exact in zip(df(w, u, none), tnb.grad(fn, wrt)(w, u, none), strict=True):
            assert np.array_equal(found, exact)
