"""What is measured: a program, the gradient that somebody wrote by hand, and arguments of a size."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Program:
    """primal: the function; by_hand: its gradient in `wrt`, as a tuple; arguments: of a size; sizes: which ones.

    `apart` says why a program is left out of the means, where the gradient by hand does less than the function itself.
    """

    primal: Callable[..., Any]
    by_hand: Callable[..., tuple[Any, ...]]
    arguments: Callable[[int], tuple[Any, ...]]
    wrt: tuple[int, ...]
    sizes: tuple[int, ...]
    apart: str = ""

    @property
    def name(self) -> str:
        return self.primal.__name__


def normal(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng((seed, *shape)).standard_normal(shape)


def positive(*shape: int, seed: int = 0) -> Any:
    """Numbers above 1, most of them below 1.3."""
    return 1.0 + 0.1 * np.abs(normal(*shape, seed=seed))


def labels(n: int, classes: int) -> Any:
    """One of the classes in each row, as 0 and 1."""
    return np.eye(classes)[np.arange(n) % classes]


def leaves(value: Any) -> Iterator[Any]:
    """The arrays and numbers in tuples and lists."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def same(ours: Any, by_hand: Any) -> bool:
    """All parts of two gradients are equal, to rounding, and of the same shapes."""
    pairs = list(leaves(ours)), list(leaves(by_hand))
    return len(pairs[0]) == len(pairs[1]) and all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-7, atol=1e-9) for a, b in zip(*pairs, strict=True))
