"""The transposes of SciPy's convolutions, of arrays of any rank, and of its recursive filters: bilinear again."""
from __future__ import annotations

from typing import Any

import numpy as np

from .broadcasting import unbroadcast
from .checks import real_only
from .shaping import unarray


def convolution_like(x: Any, y: Any, v: Any) -> Any:
    """The convolution of `x` and `y`, cut to the shape of `v`,
    which is one of its modes: the whole without as much on both sides.

    >>> convolution_like(np.ones(3), np.ones(3), np.zeros(3))
    array([2., 3., 2.])
    """
    from scipy import signal

    if not np.size(v):
        return np.zeros_like(v)
    whole = signal.convolve(_real(x), _real(y), "full")
    return unbroadcast(whole[_middle(x, y, v)].copy() if np.ndim(v) else whole, v)


def unconvolve(v: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in the convolution of `x` and `y`, in the mode that has the shape of `v`;
    of `y` the same with both exchanged.

    The transpose of a convolution is the correlation, of the whole result: `v` with zeros where the mode left something
    out.

    >>> unconvolve(np.array([1.0, 2.0, 3.0]), np.zeros(2), np.array([1.0, 10.0]))
    array([21., 32.])
    """
    from scipy import signal

    v, y = _real(v), _real(y)
    if not v.size or not y.ndim:
        return unarray(np.zeros(np.shape(x)) if y.ndim else v * y, x)
    middle = _middle(x, y, v)
    widths = [(part.start, n + m - 1 - part.stop) for part, n, m in zip(middle, np.shape(x), y.shape)]
    return unarray(signal.convolve(np.pad(v, widths), np.flip(y), "valid"), x)


def _real(x: Any) -> Any:
    return np.asarray(real_only(x))


def _middle(x: Any, y: Any, v: Any) -> tuple[slice, ...]:
    """The part of the whole convolution that a mode keeps."""
    starts = [(n + m - 1 - k) // 2 for n, m, k in zip(np.shape(x), np.shape(y), np.shape(v))]
    return tuple(slice(start, start + k) for start, k in zip(starts, np.shape(v)))


def lagged(v: Any, u: Any, b: Any, axis: int = -1) -> Any:
    """The cotangent of `b` in `scipy.signal.lfilter(b, 1.0, u, axis)`: the products
    of `v` and of `u` some steps before, summed.

    >>> lagged(np.array([1.0, 2.0, 3.0]), np.array([1.0, 10.0, 100.0]), np.zeros(2))
    array([321.,  32.])
    """
    v, u = (np.moveaxis(_real(a), axis, -1) for a in (v, u))
    n = u.shape[-1]
    sums = [np.sum(v[..., k:] * u[..., :n - k]) if k < n else 0.0 for k in range(np.size(b))]
    return unarray(np.reshape(np.array(sums), np.shape(b)), b)
