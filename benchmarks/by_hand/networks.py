"""Networks: matrix products, softmax, normalisation, lists of weights, classes with methods."""
from __future__ import annotations

import numpy as np

from ..deriving import lstm, mlp, network
from .program import Program, labels, normal, positive


# ------------------------------------------------------------------ a perceptron: np.dot, tanh, softmax
def mlp_arguments(n):
    root = np.sqrt(n)
    return normal(n, n), normal(n, n, seed=1) / root, normal(n), normal(n, 10) / root, normal(10), labels(n, 10)


def mlp_by_hand(x, w1, b1, wout, bout, label):
    h = np.tanh(x @ w1 + b1)
    out = h @ wout + bout
    e = np.exp(out - out.max(axis=1, keepdims=True))
    g = (e / e.sum(axis=1, keepdims=True) - label) / len(x)
    bz = (g @ wout.T) * (1.0 - h * h)
    return x.T @ bz, bz.sum(axis=0), h.T @ g, g.sum(axis=0)


# ------------------------------------------------------------------ an LSTM: a loop, slices, a tape
def lstm_arguments(n):
    return (0.3 * normal(n, 4 * n), 0.3 * normal(n, 4 * n, seed=1), normal(4 * n), normal(10, 8, n),
            normal(8, n), normal(8, n, seed=1), normal(8, n, seed=2))


def lstm_by_hand(w, u, b, xs, h, c, target):
    n, tape = h.shape[1], []
    for x in xs:
        z = x @ w + h @ u + b
        gates = 1.0 / (1.0 + np.exp(-z[:, :3 * n]))
        g = np.tanh(z[:, 3 * n:])
        i, f, o = gates[:, :n], gates[:, n:2 * n], gates[:, 2 * n:]
        before = c
        c = f * c + i * g
        t = np.tanh(c)
        tape.append((x, h, before, i, f, o, g, t))
        h = o * t
    bw, bu, bb, bc = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b), np.zeros_like(c)
    bh = 2.0 / h.size * (h - target)
    bz = np.empty((len(h), 4 * n))
    for x, h, before, i, f, o, g, t in reversed(tape):
        bc = bc + bh * o * (1.0 - t * t)
        bz[:, :n] = bc * g * i * (1.0 - i)
        bz[:, n:2 * n] = bc * before * f * (1.0 - f)
        bz[:, 2 * n:3 * n] = bh * t * o * (1.0 - o)
        bz[:, 3 * n:] = bc * i * (1.0 - g * g)
        bw += x.T @ bz
        bu += h.T @ bz
        bb += bz.sum(axis=0)
        bh, bc = bz @ u.T, bc * f
    return bw, bu, bb


# ------------------------------------------------------------------ attention, of one head
def attention(x, wq, wk, wv, target):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = q @ k.T / np.sqrt(q.shape[1])
    scores = scores - np.max(scores, axis=1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / np.sum(weights, axis=1, keepdims=True)
    return np.mean((weights @ v - target) ** 2)


def attention_by_hand(x, wq, wk, wv, target):
    q, k, v = x @ wq, x @ wk, x @ wv
    scale = 1.0 / np.sqrt(q.shape[1])
    a = q @ k.T
    a *= scale
    a -= a.max(axis=1, keepdims=True)
    np.exp(a, a)
    a /= a.sum(axis=1, keepdims=True)
    g = a @ v
    g -= target
    g *= 2.0 / g.size
    bv = a.T @ g
    bs = g @ v.T
    bs -= np.einsum("ij,ij->i", bs, a)[:, None]
    bs *= a
    bs *= scale
    return x.T @ (bs @ k), x.T @ (bs.T @ q), x.T @ bv


# ------------------------------------------------------------------ normalisation over a batch
def normalised(x, gain, bias, target):
    z = (x - np.mean(x, axis=0)) / np.std(x, axis=0)
    return np.mean((gain * z + bias - target) ** 2)


def normalised_by_hand(x, gain, bias, target):
    z = x - x.mean(axis=0)
    n, std = len(x), np.sqrt(np.einsum("ij,ij->j", z, z) / len(x))
    z /= std
    g = gain * z
    g += bias
    g -= target
    g *= 2.0 / g.size
    bgain, bbias = np.einsum("ij,ij->j", g, z), g.sum(axis=0)
    z *= bgain / n
    g -= bbias / n
    g -= z
    g *= gain / std
    return g, bgain, bbias


# ------------------------------------------------------------------ lists of weights
def deep(x, ws, bs, target):
    for w, b in zip(ws, bs):
        x = np.maximum(x @ w + b, 0.0)
    return np.mean((x - target) ** 2)


def deep_by_hand(x, ws, bs, target):
    tape = []
    for w, b in zip(ws, bs):
        tape.append(x)
        x = x @ w
        x += b
        np.maximum(x, 0.0, out=x)
    g = 2.0 / x.size * (x - target)
    bws, bbs = [], []
    for before, w in zip(reversed(tape), reversed(ws)):
        g *= x > 0.0
        bws.append(before.T @ g)
        bbs.append(g.sum(axis=0))
        if before is not tape[0]:
            g = g @ w.T
        x = before
    return bws[::-1], bbs[::-1]


def deep_arguments(n):
    ws = [normal(n, n, seed=i) / np.sqrt(n) for i in range(4)]
    return normal(32, n), ws, [0.1 * normal(n, seed=i) for i in range(4)], normal(32, n, seed=1)


# ------------------------------------------------------------------ classes with methods, which hold arrays
def network_by_hand(w1, b1, w2, b2, x, y):
    z = x @ w1 + b1
    slope = np.where(z > 0.0, 1.0, 0.1)
    h = slope * z
    g = h @ w2 + b2 - y                                # the second layer's slope is 1
    g *= 2.0 / g.size
    bz = (g @ w2.T) * slope
    bw1, bw2 = x.T @ bz, h.T @ g
    bw1 += 2e-3 * w1
    bw2 += 2e-3 * w2
    return bw1, bz.sum(axis=0), bw2, g.sum(axis=0)


PROGRAMS = (
    Program(mlp, mlp_by_hand, mlp_arguments, (1, 2, 3, 4), (10, 128, 1000)),
    Program(lstm, lstm_by_hand, lstm_arguments, (0, 1, 2), (16, 64)),
    Program(attention, attention_by_hand,
            lambda n: (normal(n, 32), *(0.2 * normal(32, 32, seed=i) for i in range(3)), normal(n, 32, seed=1)),
            (1, 2, 3), (16, 256)),
    Program(normalised, normalised_by_hand,
            lambda n: (normal(n, 20), positive(20), normal(20), normal(n, 20, seed=1)), (0, 1, 2), (10, 5000)),
    Program(deep, deep_by_hand, deep_arguments, (1, 2), (16, 128)),
    Program(network, network_by_hand,
            lambda n: (normal(n, n) / np.sqrt(n), normal(n), normal(n, 3), normal(3), normal(32, n), normal(32, 3)),
            (0, 1, 2, 3), (10, 128)),
)
