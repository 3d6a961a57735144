"""What was sampled, as a matrix in products: they are taken of the kept numbers, and no whole array is made."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import kept_samples
from .kept_samples import Sample, rows_of, unsample


class Drawn:
    """`rt.unsample(kept)` in products with arrays. For an array with its last axis sampled, the draw P and the kept
    numbers D:

        drawn.T @ g     P (Dᵀ g)      products = D.T @ g
                                      out = np.zeros((d, *g.shape[1:])); np.add.at(out, places, products)
        drawn @ g       D (Pᵀ g)      D @ g[places]
        g @ drawn       (g D) Pᵀ      the transpose of drawn.T @ g.T

    With signs P is R; with places of its own for each row, some rows at a time are made whole. All else is done with
    the whole array. flipped: it stands for the transpose.
    """

    __slots__ = ("flipped", "kept")
    __array_ufunc__ = None                                 # g @ drawn is asked here

    def __init__(self, kept: Sample, flipped: bool = False) -> None:
        self.kept, self.flipped = kept, flipped

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the array."""
        shape: tuple[int, ...] = self.kept.shape
        return shape[::-1] if self.flipped else shape

    @property
    def ndim(self) -> int:
        """That of the array."""
        return len(self.kept.shape)

    @property
    def dtype(self) -> Any:
        """That of the array."""
        return self.kept.dtype

    @property
    def T(self) -> Any:
        """The transpose."""
        return Drawn(self.kept, not self.flipped) if self.ndim == 2 else self.whole().T

    def whole(self) -> Any:
        """The array."""
        found = unsample(self.kept)
        return found.T if self.flipped else found

    def __matmul__(self, g: Any) -> Any:
        if not _is_simple(self, g) or self.shape[-1] != len(g):
            return self.whole() @ g
        # the kept numbers lie as B, with the sampled axis last: this is B or its transpose
        return _summed(self.kept, g) if self.flipped == (self.kept.axes == (1,)) else _met(self.kept, g)

    def __rmatmul__(self, g: Any) -> Any:
        return (self.T @ g.T).T if _is_simple(self, g) else g @ self.whole()

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Sequence[Any],
                           keywords: Mapping[str, Any]) -> Any:
        if function is np.dot and not keywords:
            return args[0] @ args[1]
        return NotImplemented

    def __repr__(self) -> str:
        return f"<{self.kept!r}, as a matrix>"


def drawn(kept: Any) -> Any:
    """`rt.unsample(kept)` for a product, which is taken of the kept numbers alone. What was kept as it is comes back.

    >>> from .kept_samples import sample
    >>> kept = sample(np.ones((2, 4)), np.random.default_rng(1), k=2, method="without_replacement")
    >>> drawn(kept).T @ np.ones(2)
    array([0., 4., 0., 4.])
    >>> unsample(kept).T @ np.ones(2)
    array([0., 4., 0., 4.])
    """
    if kept.__class__ is not Sample:
        return kept
    last = kept.axes == (len(kept.shape) - 1,)
    return Drawn(kept) if len(kept.shape) > 1 and (last or len(kept.shape) == 2 and len(kept.axes) == 1) \
        else unsample(kept)


def drawn_dy(g: Any, x: Drawn, y: Any) -> Any:
    """The cotangent of `y` in a product of which `x` was drawn; None where it is that of whole arrays.

    >>> from .kept_samples import sample
    >>> kept = sample(np.ones((3, 2, 4)), np.random.default_rng(1), k=1)
    >>> drawn_dy(np.ones((3, 2, 1)), drawn(kept), np.zeros((4, 1))).T
    array([[ 0.,  0., 24.,  0.]])
    """
    if x.flipped or not 0 < np.ndim(y) <= 2:
        return None
    flat = x if x.ndim == 2 else Drawn(rows_of(x.kept))
    # the rows are counted: of a product without columns -1 would not say how many
    return flat.T @ np.asarray(g).reshape(math.prod(x.shape[:-1]), *np.shape(y)[1:])


def drawn_dx(g: Any, x: Any, y: Drawn) -> Any:
    """The cotangent of `x` in a product of which `y` was drawn; None where it is that of whole arrays.

    >>> from .kept_samples import sample
    >>> kept = sample(np.ones((4, 3)), np.random.default_rng(1), k=1, axis=0)
    >>> drawn_dx(np.ones((1, 3)), np.zeros((1, 4)), drawn(kept))
    array([[ 0.,  0., 12.,  0.]])
    """
    if y.ndim != 2:
        return None
    g = np.asarray(g)
    return (g.reshape(-1, g.shape[-1]) @ y.T).reshape(np.shape(x))


def _is_simple(one: Drawn, g: Any) -> bool:
    """A product with an array of one or two dimensions."""
    return one.ndim == 2 and g.__class__ is np.ndarray and 0 < g.ndim <= 2 and g.dtype.kind in "fc"


def _summed(kept: Sample, g: Any) -> Any:
    """`B.T @ g`, for the array B with the sampled axis last."""
    data, d = kept.data, kept.shape[kept.axes[0]]
    k = data.shape[-1]
    out = np.zeros((d, *g.shape[1:]), np.result_type(data, g))
    if kept.method == "rademacher":
        products = data.T @ g
        for place, signs in kept_samples._signs(kept.key, d, k, data.dtype):
            out[place] = signs @ products
    elif kept.share == "batch":
        places = kept_samples._drawn(kept.key, d, k, kept.method)
        order = np.argsort(places, kind="stable")
        first = np.flatnonzero(np.diff(places[order], prepend=-1))         # what was drawn twice counts twice
        out[places[order][first]] = np.add.reduceat((data.T @ g)[order], first, axis=0)
    else:
        for some, part in _whole_rows(kept, d):
            out += part.T @ g[some]
    return out


def _met(kept: Sample, g: Any) -> Any:
    """`B @ g`, for the array B with the sampled axis last."""
    data, d = kept.data, kept.shape[kept.axes[0]]
    k = data.shape[-1]
    if kept.method == "rademacher":
        return data @ sum(signs.T @ g[place] for place, signs in kept_samples._signs(kept.key, d, k, data.dtype))
    if kept.share == "batch":
        return data @ g[kept_samples._drawn(kept.key, d, k, kept.method)]
    return np.concatenate([part @ g for _, part in _whole_rows(kept, d)])


def _whole_rows(kept: Sample, d: int) -> Iterator[tuple[slice, Any]]:
    """B, some rows at a time."""
    data, k = kept.data, kept.data.shape[-1]
    for some, drawn in kept_samples._drawn_by_row(kept.key, len(data), d, k, kept.method):
        part = np.zeros((len(drawn), d), data.dtype)
        np.add.at(part.reshape(-1), (drawn + d * np.arange(len(drawn))[:, None]).reshape(-1), data[some].reshape(-1))
        yield some, part
