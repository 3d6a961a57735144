"""The networks of the paper's appendix A in plain NumPy, with their first weights, in 32 bits."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

Parameters = dict[str, Any]


def cross_entropy(z, y):
    z = z - np.max(z, axis=1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[np.arange(len(y)), y])


def dense(p, x, y):
    h = np.maximum(x @ p["w1"] + p["b1"], 0)
    h = np.maximum(h @ p["w2"] + p["b2"], 0)
    h = np.maximum(h @ p["w3"] + p["b3"], 0)
    return cross_entropy(h @ p["w4"] + p["b4"], y)


def convolved(x, w):
    windows = sliding_window_view(np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2))), (5, 5), axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, w, optimize=True)


def pooled(x):
    n, c, h, w = x.shape
    return np.mean(x.reshape(n, c, h // 2, 2, w // 2, 2), axis=(3, 5))


def convolution(p, x, y):
    h = np.maximum(convolved(x, p["w1"]) + p["b1"], 0)
    h = pooled(np.maximum(convolved(h, p["w2"]) + p["b2"], 0))
    h = np.maximum(convolved(h, p["w3"]) + p["b3"], 0)
    h = pooled(np.maximum(convolved(h, p["w4"]) + p["b4"], 0))
    return cross_entropy(h.reshape(len(x), -1) @ p["w5"] + p["b5"], y)


def recurrent(p, x, y):
    h = np.zeros((len(x), p["wh"].shape[0]), x.dtype)
    for t in range(x.shape[1]):
        h = np.maximum(x[:, t:t + 1] @ p["wi"] + p["bi"] + h @ p["wh"] + p["bh"], 0)
    return cross_entropy(h @ p["wo"] + p["bo"], y)


def dense_start(rng: np.random.Generator) -> Parameters:
    """Normal weights of variance 2/n, no biases."""
    sizes, p = (784, 300, 300, 300, 10), {}
    for i, (n, m) in enumerate(zip(sizes, sizes[1:]), 1):
        p[f"w{i}"], p[f"b{i}"] = _normal(rng, (n, m), np.sqrt(2 / n)), np.zeros(m, np.float32)
    return p


def convolution_start(rng: np.random.Generator, channels: tuple[int, ...] = (3, 16, 32, 32, 32),
                      side: int = 32) -> Parameters:
    """Normal weights of variance 2/n, no biases. side: how many pixels an image is high and wide."""
    p, last = {}, channels[-1] * (side // 4) ** 2
    for i, (n, m) in enumerate(zip(channels, channels[1:]), 1):
        p[f"w{i}"], p[f"b{i}"] = _normal(rng, (m, n, 5, 5), np.sqrt(2 / (25 * n))), np.zeros((m, 1, 1), np.float32)
    p["w5"], p["b5"] = _normal(rng, (last, 10), np.sqrt(1 / last)), np.zeros(10, np.float32)
    return p


def few_channels(rng: np.random.Generator) -> Parameters:
    """The same network for images of 1x8x8, with half of the channels: what can be trained on two cores."""
    return convolution_start(rng, (1, 8, 16, 16, 16), 8)


def recurrent_start(rng: np.random.Generator, spread: float = np.sqrt(0.001)) -> Parameters:
    """The identity between hidden states, small numbers for the rest (Q. V. Le et al., 2015)."""
    return {"wi": _normal(rng, (1, 100), spread), "bi": np.zeros(100, np.float32),
            "wh": np.eye(100, dtype=np.float32), "bh": np.zeros(100, np.float32),
            "wo": _normal(rng, (100, 10), spread), "bo": np.zeros(10, np.float32)}


def _normal(rng: np.random.Generator, shape: tuple[int, ...], spread: Any) -> Any:
    return (spread * rng.standard_normal(shape)).astype(np.float32)


def dense_scores(p: Parameters, x: Any) -> Any:
    """What is compared with labels."""
    for i in (1, 2, 3):
        x = np.maximum(x @ p[f"w{i}"] + p[f"b{i}"], 0)
    return x @ p["w4"] + p["b4"]


def convolution_scores(p: Parameters, x: Any) -> Any:
    """What is compared with labels."""
    for i in (1, 2, 3, 4):
        x = np.maximum(convolved(x, p[f"w{i}"]) + p[f"b{i}"], 0)
        x = x if i % 2 else pooled(x)
    return x.reshape(len(x), -1) @ p["w5"] + p["b5"]


def recurrent_scores(p: Parameters, x: Any) -> Any:
    """What is compared with labels."""
    h = np.zeros((len(x), len(p["wh"])), x.dtype)
    for t in range(x.shape[1]):
        h = np.maximum(x[:, t:t + 1] @ p["wi"] + p["bi"] + h @ p["wh"] + p["bh"], 0)
    return h @ p["wo"] + p["bo"]
