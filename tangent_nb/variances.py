"""How far gradients of a sampled tape are spread."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import TangentError
from .runtime.containers import kind_of


def variance(df: Callable[..., Any], *args: Any, n: int = 100, **keywords: Any) -> Any:
    """The variance of what `df` gives at the arguments, of `n` calls: with the structure of the gradient, one number
    for each of its own.

    df: the derivative with a sampled tape, or any function of numbers and arrays that draws random numbers; each call
    draws on from its stream. n: at least 2. The estimate is unbiased (the sum of squares over n - 1), and is taken call
    by call, so that few gradients are kept. Raises TangentError for an n that is too small.
    Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and products" (1962).

    >>> import numpy as np
    >>> from tangent_nb import Sampled, grad
    >>> dloss = grad(lambda w, x: np.sum(x @ w), tape=Sampled(k=1, method="without_replacement", seed=0))
    >>> variance(dloss, np.zeros(2), np.ones((3, 2)), n=1000).round(1)
    array([9., 9.])
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 2:
        raise TangentError(f"a variance is taken of at least two calls: n is {n!r}")
    mean: Any = None
    squares: Any = None
    for count in range(1, int(n) + 1):
        found = df(*args, **keywords)
        if count == 1:
            mean, squares = _mapped(_first, found), _mapped(lambda x: _first(x) * 0.0, found)
            continue
        before = mean
        mean = _mapped(lambda m, x, c=count: m + (x - m) / c, before, found)
        squares = _mapped(lambda s, b, m, x: s + np.abs((x - b) * np.conj(x - m)), squares, before, mean, found)
    return _mapped(lambda s: s / (n - 1), squares)


def _first(x: Any) -> Any:
    return np.array(x) if isinstance(x, np.ndarray) else x


def _mapped(fn: Callable[..., Any], x: Any, *others: Any) -> Any:
    """A structure of what a function makes of the numbers in others, part by part; what is no number stays."""
    kind = kind_of(x)
    if kind is not None:
        parts = [kind_of(one).parts(one) for one in others]  # type: ignore[union-attr]
        return kind.build(x, {key: _mapped(fn, part, *(one[key] for one in parts))
                              for key, part in kind.parts(x).items()})
    return x if x is None or isinstance(x, str) else fn(x, *others)
