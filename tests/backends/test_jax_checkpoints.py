"""What is computed again on JAX: the same gradient, and values that the compiler may not take for those it has."""
from __future__ import annotations

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb import checkpoint

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
