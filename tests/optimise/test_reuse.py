"""Memory that is used again is nobody else's, and nothing reads what was there."""
import tracemalloc

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

X = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
W = np.linspace(0.3, 0.9, 9).reshape(3, 3)


def network(x, w):
    h = np.tanh(x @ w)
    return np.sum((h @ w) ** 2)


def layer(x, w, v):
    h = np.tanh(x @ w)
    return np.sum((h @ v) ** 2)


def seen_twice(x, w):
    h = np.tanh(x @ w)
    turned = h.T
    return np.sum(h * h) + np.sum(turned @ x)


def kept_in_a_list(x, w):
    kept = []
    h = np.tanh(x @ w)
    kept.append(h)
    return np.sum((h @ w) ** 2) + np.sum(kept[0] * x)


def in_a_loop(x, w):
    h = x * 1.0
    for _ in range(3):
        h = np.tanh(h @ w)
    return np.sum(h * h)


def chosen(x, w):
    h = np.exp(x @ w)
    h = h * 2.0 if np.sum(h) > 0.0 else h
    return np.sum(h * x) / np.sum(h)


def with_a_helper(x, w):
    h = scaled(np.tanh(x @ w))
    return np.sum(h * h * x)


def scaled(h):
    return h * np.sum(h)


FUNCTIONS = [network, seen_twice, kept_in_a_list, in_a_loop, chosen, with_a_helper]


def texts(df):
    return "\n".join(tnb.versions(df).values())


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("wrt", ["x", ("x", "w")], ids=str)
def test_the_gradient_is_the_same_and_no_argument_changes(f, wrt):
    plain, reusing = tnb.value_and_grad(f, wrt), tnb.value_and_grad(f, wrt, optimized="+reuse")
    for _ in range(2):
        x, w = X.copy(), W.copy()
        for one, other in zip(mapped(plain(x, w)), mapped(reusing(x, w)), strict=True):
            np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(x, X)
        np.testing.assert_array_equal(w, W)


def mapped(found):
    value, gradient = found
    return [value, *(gradient if isinstance(gradient, tuple) else (gradient,))]


def test_no_copy_is_made_of_what_is_used_again():
    df = tnb.grad(chosen, ("x", "w"), optimized="+reuse")
    df(X, W)
    assert "bproduct = np.multiply(bh, h, out=bh)" in texts(df)


def test_the_texts_do_write_into_what_is_there():
    df = tnb.grad(layer, "w", optimized="+reuse")
    df(X, W, W)
    assert "bw = x.T @ np.multiply(bh, 1.0 - np.multiply(h, h, out=h), out=bh)" in texts(df)
    plain = tnb.grad(layer, "w")
    plain(X, W, W)
    assert "out=" not in texts(plain)


def test_what_a_view_still_reads_is_not_written_into():
    df = tnb.grad(seen_twice, ("x", "w"), optimized="+reuse")
    df(X, W)
    assert "out=bh" in texts(df) and ", out=h)" not in texts(df)


def test_the_value_that_is_returned_beside_the_gradient_is_not_written_into():
    def f(x, w):
        h = np.tanh(x @ w)
        return np.sum(h * h), h

    df = tnb.value_and_grad(f, "w", optimized="+reuse", has_aux=True)
    (_, h), _ = df(X, W)
    np.testing.assert_array_equal(h, np.tanh(X @ W))


def test_pullbacks_own_what_they_read():
    forward, backward = tnb.autodiff(network, "w", motion="split", optimized="+reuse")
    value, *residuals = forward(X, W)
    first = backward(*residuals, 1.0)
    np.testing.assert_array_equal(first, backward(*residuals, 1.0))
    np.testing.assert_array_equal(first, tnb.grad(network, "w")(X, W))


def test_second_derivatives():
    def slope(x, w):
        return np.sum(tnb.grad(network, "w", optimized="+reuse")(x, w) * w)

    want = tnb.grad(lambda x, w: np.sum(tnb.grad(network, "w")(x, w) * w), "w")(X, W)
    np.testing.assert_allclose(tnb.grad(slope, "w")(X, W), want, rtol=1e-12)
    made = tnb.grad(network, "w", optimized="+reuse", like=(X, W))
    np.testing.assert_allclose(tnb.grad(lambda x, w: np.sum(made(x, w) * w), "w")(X, W), want, rtol=1e-12)


@pytest.mark.parametrize("more", [{"backend": "jax"}, {"backend": "jax", "compile": "jit"},
                                  {"compile": "numba"}], ids=str)
def test_arrays_that_are_no_arrays_of_numpy(more):
    with pytest.raises(TangentError, match="reuse is for NumPy's arrays: leave it out with"):
        tnb.grad(network, "w", optimized="+reuse", **more)


def test_the_memory_is_less():
    def peak(df):
        df(x, w, w)
        tracemalloc.start()
        try:
            df(x, w, w)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    x, w = np.ones((256, 256)), np.ones((256, 256)) / 256.0
    assert peak(tnb.grad(layer, "w", optimized="+reuse")) < 0.9 * peak(tnb.grad(layer, "w"))
