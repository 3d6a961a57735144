"""The transposes of discrete Fourier transforms.

The matrix of a transform is symmetric, and so a transform is its own transpose. What is left is what is cut off or
filled up with zeros, and the half of the spectrum that transforms of real arrays leave out.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .broadcasting import cast


def resized(v: Any, x: Any) -> Any:
    """`v` in the shape of `x`, cut off or filled up with zeros at the end of each axis;
    its real part where `x` is real.

    >>> resized(np.array([1.0, 2.0, 3.0]), np.zeros(2)), resized(np.array([1.0]), np.zeros(2))
    (array([1., 2.]), array([1., 0.]))
    """
    shape = np.shape(x)
    if np.shape(v) != shape:
        v = v[tuple(slice(n) for n in shape)]
        if v.shape != shape:
            v = np.pad(v, [(0, n - had) for n, had in zip(shape, v.shape)])
    return cast(v, x)


def halved(v: Any, axis: int = -1) -> Any:
    """The first half of a spectrum along an axis, `v[:n // 2 + 1]`, those frequencies doubled that stand for their
    negative too.

    >>> halved(np.array([1.0, 2.0, 3.0, 4.0]))
    array([1., 4., 3.])
    """
    n = np.shape(v)[axis]
    return np.swapaxes(v, axis, -1)[..., :n // 2 + 1].swapaxes(axis, -1) * _doubled(n, v, axis)


def unhalved(v: Any, x: Any, axis: int = -1) -> Any:
    """The transpose of `halved(x)`.

    >>> unhalved(np.array([1.0, 2.0, 3.0]), np.zeros(4))
    array([1., 4., 3., 0.])
    """
    n = np.shape(x)[axis]
    rows = np.swapaxes(v * _doubled(n, v, axis), axis, -1)
    full = np.pad(rows, [(0, 0)] * (np.ndim(x) - 1) + [(0, (n - 1) // 2)])
    return np.swapaxes(full, axis, -1)


def _doubled(n: int, v: Any, axis: int) -> Any:
    """2 for the frequencies that have a negative, else 1, along an axis."""
    factors = [1.0 if k == 0 or 2 * k == n else 2.0 for k in range(n // 2 + 1)]
    return np.asarray(factors, v.real.dtype).reshape([-1] + [1] * (np.ndim(v) - axis % np.ndim(v) - 1))


def fft_axes(s: Sequence[int] | int | None, axes: Sequence[int] | int | None) -> Any:
    """The axes that np.fft.fftn transforms: those given, else the last ones that `s` has lengths for; None for all.
    To scipy.fft.fftn a number is one axis, or one length.

    >>> fft_axes((4, 4), None), fft_axes(None, None), fft_axes(None, (0,))
    ((-2, -1), None, (0,))
    >>> fft_axes(4, None), fft_axes(None, 0)
    ((-1,), (0,))
    """
    if axes is None and s is not None:
        return tuple(range(-1 if isinstance(s, (int, np.integer)) else -len(s), 0))
    return (axes,) if isinstance(axes, (int, np.integer)) else axes


def fft_length(x: Any, n: int | None, axis: int = -1) -> int:
    """The length of a transform along an axis: `n`, or that of `x`.

    >>> fft_length(np.zeros(3), None), fft_length(np.zeros(3), 8)
    (3, 8)
    """
    return int(np.shape(x)[axis]) if n is None else n


def last_axis(axes: Sequence[int] | None) -> int:
    """The axis of which np.fft.rfftn computes half, and np.fft.irfftn reads half: `axes[-1]`.

    >>> last_axis(None), last_axis((1, 0))
    (-1, 0)
    """
    return -1 if axes is None else axes[-1]


def rfftn_dx(g: Any, x: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None,
             norm: Any = None) -> Any:
    """The cotangent of `x` in `np.fft.rfftn(x, s, axes, norm)`: the frequencies that are left out get none.

    >>> rfftn_dx(np.array([1.0, 0.0]), np.zeros(3))
    array([1., 1., 1.])
    """
    last = last_axis(axes)
    length = np.shape(x)[last] if s is None or s[-1] == -1 else s[-1]
    axes = fft_axes(s, axes)
    others = tuple(i for i in range(np.ndim(x)) if i != last % np.ndim(x)) if axes is None else axes[:-1]
    out = np.fft.fft(g, length, last, norm)
    return resized(np.fft.fftn(out, None, others, norm) if others else out, x)


def dct_dx(g: Any, x: Any, type: int = 2, axis: int = -1, norm: Any = None) -> Any:
    """The cotangent of `x` in `scipy.fft.dct(x, type, n, axis, norm)`.

    >>> dct_dx(np.array([1.0, 0.0, 0.0]), np.zeros(3))
    array([2., 2., 2.])
    """
    from scipy.fft import dct
    ends = [0, -1] if type == 1 else [0]
    back = {2: 3, 3: 2}.get(type, type)
    if norm == "ortho" or type == 4:
        return resized(dct(g, back, axis=axis, norm=norm), x)
    rows = np.moveaxis(np.array(g), axis, -1)
    if type == 3:
        rows = np.moveaxis(dct(g, 2, axis=axis, norm=norm), axis, -1)
        rows[..., 0] /= 2.0
    elif type == 2:
        rows[..., 0] *= 2.0
        rows = dct(rows, 3, norm=norm)
    else:
        rows[..., ends] *= 2.0
        rows = dct(rows, 1, norm=norm)
        rows[..., ends] /= 2.0
    return resized(np.moveaxis(rows, -1, axis), x)


def idct_dx(g: Any, x: Any, type: int = 2, axis: int = -1, norm: Any = None) -> Any:
    """The cotangent of `x` in `scipy.fft.idct(x, type, n, axis, norm)`, which is a cosine transform too.

    >>> idct_dx(np.array([6.0, 0.0, 0.0]), np.zeros(3)).round(6)
    array([1.      , 1.732051, 1.      ])
    """
    back = {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, norm)
    return dct_dx(g, x, {2: 3, 3: 2}.get(type, type), axis, back)
