"""A name that is bound anew, by whatever statement, stands for another value: it is not sampled as that of before."""
from __future__ import annotations

import numpy as np
import pytest

import tangent_nb as tnb

RNG = np.random.default_rng(0)
ARGS = (*(RNG.normal(size=(4, 4)) for _ in range(3)), RNG.normal(size=(6, 4)))
ALL = tnb.Sampled(1.0, method="without_replacement", seed=0)


def two(p):
    return np.sin(p), np.cos(p)


def by_a_call(w1, w2, w3, x):
    h = np.tanh(x @ w1)
    p = h @ w2
    [q, h] = two(p)
    return np.sum((h @ w3) ** 2) + np.sum((q @ w3) ** 3)


def by_qr(w1, w2, w3, x):
    h = np.tanh(x @ w1)
    p = h @ w2
    q, h = np.linalg.qr(p)
    return np.sum((h @ w3) ** 2) + np.sum(q[0])


def by_eigh(w1, w2, w3, x):
    h = np.tanh(x @ w1)
    p = h @ w2
    h, q = np.linalg.eigh(p.T @ p)
    return np.sum((h[None] @ np.sin(q @ w3)) ** 2) + np.sum((q @ w3) ** 3)


def by_parts(w1, w2, w3, x):
    h = np.tanh(x @ w1)
    p = h @ w2
    h, q = np.vsplit(p, 2)
    return np.sum((h @ w3) ** 2) + np.sum((q @ w3) ** 3)


def by_a_loop(w1, w2, w3, x):
    h = np.tanh(x @ w1)
    a = h @ w2
    for h in (a, np.sin(a)):
        a = a + np.tanh(h @ w3)
    return np.sum(a ** 2)


def in_place(w1, w2, w3, x):
    h = np.tanh(x @ w1)
    k = h
    a = h @ w2
    k[0] = 0.5
    return np.sum((k @ w3) ** 2) + np.sum(a ** 2)


@pytest.mark.parametrize("f", [by_a_call, by_qr, by_eigh, by_parts, by_a_loop, in_place])
def test_all_of_it_is_the_gradient(f):
    exact = tnb.grad(f, (0, 1, 2))(*ARGS)
    for like in (None, ARGS):
        for optimized in (True, False):
            found = tnb.grad(f, (0, 1, 2), tape=ALL, like=like, optimized=optimized)(*ARGS)
            assert all(np.allclose(one, other, rtol=1e-12, atol=1e-12) for one, other in zip(found, exact, strict=True))
    forward, backward = tnb.autodiff(f, (0, 1, 2), motion="split", tape=ALL)
    found = backward(forward(*ARGS)[1], 1.0)
    assert all(np.allclose(one, other, rtol=1e-12, atol=1e-12) for one, other in zip(found, exact, strict=True))
