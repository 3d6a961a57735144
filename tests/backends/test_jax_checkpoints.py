"""What is computed again on JAX: the same gradient, and values that the compiler may not take for those it has."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from test_checkpoints import NAMES, PROGRAMS, leaves, same_bits, without_checkpoints

import tangent_nb as tnb
from tangent_nb import checkpoint, checkpointed
from tangent_nb.errors import RefusedError
from tangent_nb.runtime.checkpoints import reruns

jax = pytest.importorskip("jax")


def layer(x, w):
    return np.tanh(w @ x)


def network(x, w):
    h = checkpoint(layer)(x, w)
    with checkpoint():
        y = np.sin(h) * h
        z = y * y
    return np.sum(z)


X, W = np.array([0.1, 0.2, 0.3], np.float32), np.eye(3, dtype=np.float32) + np.float32(0.1)


@pytest.mark.parametrize("keywords", [{}, {"compile": "jit"}], ids=["eager", "jit"])
def test_the_gradient_is_that_on_numpy(keywords):
    df = tnb.grad(network, wrt=("x", "w"), backend="jax", **keywords)
    for found, expected in zip(df(X, W), tnb.grad(network, wrt=("x", "w"))(X, W), strict=True):
        np.testing.assert_allclose(found, expected, rtol=2e-5)
    assert tnb.source(df).count("rt.barrier(") == 2


REFUSED = {"nested_functions": "what is called is not known", "block_in_try": "try is not written for JAX",
           "attempts_in_steps": "try is not written for JAX", "with_a_cotangent_of_its_own": "insert_grad_of"}
OF_DATA = {"calls", "calls_in_a_loop", "blocks", "until_it_is_small"}      # tests of what is computed
NOT_COMPILED = {**REFUSED, **dict.fromkeys(OF_DATA, "compiled code is made before values are known"),
                "appended": "a list that is given is changed", "outer_variables": "SCALE is read from outside"}


def on_jax(fn, args, wrt, **keywords):
    df = tnb.value_and_grad(fn, wrt=wrt, backend="jax", **keywords)
    return jax.tree.map(np.asarray, df(*args)), tnb.source(df)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("fn", "args", "wrt"), PROGRAMS, ids=NAMES)
def test_the_gradient_is_the_same_to_the_last_bit(fn, args, wrt):
    if fn.__name__ in REFUSED:
        with pytest.raises(RefusedError, match=REFUSED[fn.__name__]):
            on_jax(fn, args, wrt)
        return
    found, text = on_jax(fn, args, wrt)
    assert same_bits(found, on_jax(getattr(without_checkpoints(), fn.__name__), args, wrt)[0])
    assert "_again(" in text


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("fn", "args", "wrt"), PROGRAMS, ids=NAMES)
def test_compiled_it_is_that_on_numpy(fn, args, wrt):
    if fn.__name__ in NOT_COMPILED:
        with pytest.raises(RefusedError, match=NOT_COMPILED[fn.__name__]):
            on_jax(fn, args, wrt, compile="jit")
        return
    expected = leaves(tnb.value_and_grad(fn, wrt=wrt)(*args))
    for one, other in zip(leaves(on_jax(fn, args, wrt, compile="jit")[0]), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def waves(x, w, n):
    h = x
    for _ in checkpointed(range(n), memory=2):
        h = np.sin(w @ h)
    return np.sum(h * h)


def test_the_text():
    text = tnb.source(tnb.grad(waves, wrt=("x", "w"), backend="jax"))
    _, forward, backward, *_ = text.split("\n\n\n")
    assert forward.rstrip() == """\
def _loop_fwd(n, h, w):
    h_saved = rt.Snapshots(range(n), memory=2)
    for _ in range(n):
        h_saved.keep(h)
        h = _step_jax(_, h, w)
    return h, (h_saved, w)"""
    assert "    for _, h in h_saved.backward(_step_jax, w):" in backward


def test_what_is_traced_computes_steps_again():
    """What XLA is given; on CPUs it takes the barriers out, and merges them again."""
    text = jax.jit(lambda x, w: tnb.grad(waves, wrt=("x", "w"), backend="jax")(x, w, 10)).lower(X, W).as_text()
    assert text.count("stablehlo.sine") == 1 + reruns(10, 2) and text.count("optimization_barrier") >= 10


def test_few_states_are_alive(monkeypatch):
    x, w = np.ones(1237, np.float32), np.float32(0.5)
    df = tnb.grad(scaled, backend="jax")
    runtime, alive = sys.modules["tangent_nb.backends.jax_runtime"], []
    plain = runtime.barrier

    def spy(*values):
        alive.append(sum(one.shape == x.shape for one in jax.live_arrays()))
        return plain(*values)

    monkeypatch.setattr(runtime, "barrier", spy)
    df(x, w, 60)
    assert len(alive) == 60 and max(alive) < 4 + 15


def scaled(x, w, n):
    for _ in checkpointed(range(n), memory=4):
        x = np.sin(w * x)
    return np.sum(x * x)


def test_second_derivatives_keep_all():
    inner = tnb.grad(waves, backend="jax")
    exact = tnb.grad(lambda x: np.sum(tnb.grad(waves)(x, W, 5) ** 2))(X)
    found = tnb.jvp(inner, backend="jax")(X, W, 5, exact)
    np.testing.assert_allclose(found, tnb.hvp(waves)(X, W, 5, exact), rtol=1e-4, atol=1e-6)
