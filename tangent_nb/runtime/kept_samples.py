"""The sampled tape when it runs: samples of saved arrays, their sign bits, and stand-ins that have a shape alone.

A sample is drawn by a key of its own, one number from the stream of the derivative. What was drawn is found again from
the key, never stored: for `d` numbers along the sampled axes `k` are kept, with

    with replacement         P = d/k Σ_s e_i(s) e_i(s)ᵀ,  i(s) uniform
    without replacement      the same, for a uniform subset of k
    rademacher               P = R Rᵀ,  R of d × k independent signs, over √k

of which each has E[P] = I (D. Oktay et al., "Randomized Automatic Differentiation", ICLR 2021, section 3.2 and appendix
A; for E[R Rᵀ] = I the signs are divided by √k).
"""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .structure import outline

BLOCK = 1 << 17                                            # numbers that are drawn at a time


class Sample:
    """What is kept of an array. data: the kept numbers, scaled, the sampled axes last and flat; key: what was drawn is
    drawn from this again; axes: those that were sampled."""

    __slots__ = ("axes", "data", "dtype", "key", "method", "shape", "share")

    def __init__(self, data: Any, key: int, x: Any, axes: tuple[int, ...], method: str, share: str) -> None:
        self.data, self.key, self.axes, self.method, self.share = data, key, axes, method, share
        self.shape, self.dtype = x.shape, x.dtype

    @property
    def nbytes(self) -> int:
        """The bytes that are kept."""
        return int(self.data.nbytes)

    def __repr__(self) -> str:
        return f"<{self.data.shape[-1]} of {math.prod(self.shape[a] for a in self.axes)} of {self.shape}>"


class Bits:
    """An array of truth values, or of slopes that are 0, 0.5 or 1, one bit for each; halves: where it is 0.5, None
    where it never is."""

    __slots__ = ("dtype", "halves", "ones", "shape")

    def __init__(self, x: Any, ones: Any, halves: Any) -> None:
        self.shape, self.dtype, self.ones, self.halves = x.shape, x.dtype, ones, halves

    @property
    def nbytes(self) -> int:
        """The bytes that are kept."""
        return int(self.ones.nbytes) + (0 if self.halves is None else int(self.halves.nbytes))

    def __repr__(self) -> str:
        return f"<bits of {self.shape}>"


def sample(x: Any, stream: np.random.Generator, fraction: float | None = None, k: int | None = None,
           method: str = "with_replacement", share: str = "batch", axis: int | tuple[int, ...] = -1) -> Any:
    """A sample of an array of floats along its axes; anything else, and what would not be smaller without replacement,
    is kept as it is. Of several axes those that the array has.

    >>> kept = sample(np.ones((4, 10)), np.random.default_rng(0), fraction=0.2)
    >>> kept, kept.nbytes
    (<2 of 10 of (4, 10)>, 64)
    """
    if x.__class__ is not np.ndarray or x.dtype.kind not in "fc" or not x.size or not x.ndim:
        return x
    axes = _axes(axis, x)
    d = math.prod(x.shape[a] for a in axes)
    kept = _count(d, fraction, k)
    if method == "without_replacement" and kept >= d:
        return x
    key = int(stream.integers(1 << 63))
    flat = _flat(x, axes, d)
    if method == "rademacher":
        data = np.zeros((*flat.shape[:-1], kept), x.dtype)
        for place, signs in _signs(key, d, kept, x.dtype):
            data += flat[..., place] @ signs
        return Sample(data, key, x, axes, method, share)
    scale = x.dtype.type(d / kept)
    if share == "batch":
        data = np.take(flat, _drawn(key, d, kept, method), axis=-1)
        data *= scale
        return Sample(data, key, x, axes, method, share)
    rows = flat.reshape(-1, d)
    data = np.empty((len(rows), kept), x.dtype)
    for some, drawn in _drawn_by_row(key, len(rows), d, kept, method):
        np.multiply(np.take_along_axis(rows[some], drawn, axis=1), scale, out=data[some])
    return Sample(data.reshape(*flat.shape[:-1], kept), key, x, axes, method, share)


def unsample(kept: Any) -> Any:
    """An array whose mean over all draws is the one that was sampled: zero where nothing was kept. What was kept as it
    is comes back.

    >>> unsample(sample(np.ones((2, 4)), np.random.default_rng(1), k=2, method="without_replacement"))
    array([[0., 2., 0., 2.],
           [0., 2., 0., 2.]])
    """
    if kept.__class__ is not Sample:
        return kept
    lengths = tuple(kept.shape[a] for a in kept.axes)
    d, k, data = math.prod(lengths), kept.data.shape[-1], kept.data
    out = np.zeros((*data.shape[:-1], d), kept.dtype)
    if kept.method == "rademacher":
        for place, signs in _signs(kept.key, d, k, kept.dtype):
            out[..., place] = data @ signs.T
    elif kept.share == "batch":
        drawn = _drawn(kept.key, d, k, kept.method)
        order = np.argsort(drawn, kind="stable")
        first = np.flatnonzero(np.diff(drawn[order], prepend=-1))          # what was drawn twice counts twice
        out[..., drawn[order][first]] = np.add.reduceat(data[..., order], first, axis=-1)
    else:
        rows, numbers = out.reshape(-1, d), data.reshape(-1, k)
        for some, drawn in _drawn_by_row(kept.key, len(rows), d, k, kept.method):
            places = drawn + d * np.arange(len(drawn))[:, None]
            np.add.at(rows[some].reshape(-1), places.reshape(-1), numbers[some].reshape(-1))
    if kept.axes == (len(kept.shape) - 1,):
        return out
    rest = [n for a, n in enumerate(kept.shape) if a not in kept.axes]
    return np.moveaxis(out.reshape(*rest, *lengths), range(len(rest), len(kept.shape)), kept.axes)


def rows_of(kept: Sample) -> Sample:
    """The same sample of a matrix, of an array whose last axis is sampled.

    >>> rows_of(sample(np.ones((2, 3, 10)), np.random.default_rng(0), k=4))
    <4 of 10 of (6, 10)>
    """
    d, data = kept.shape[-1], kept.data.reshape(-1, kept.data.shape[-1])
    outline_of = np.broadcast_to(np.zeros((), kept.dtype), (len(data), d))
    return Sample(data, kept.key, outline_of, (1,), kept.method, kept.share)


def pack_bits(x: Any) -> Any:
    """Truth values, or slopes that are 0, 0.5 or 1, as bits; anything else is kept as it is.

    >>> pack_bits(np.array([[1.0, 0.0, 1.0]])).nbytes
    1
    """
    if x.__class__ is not np.ndarray or not x.ndim:
        return x
    if x.dtype.kind == "b":
        return Bits(x, np.packbits(x), None)
    if x.dtype.kind != "f":
        return x
    ones, others = x == 1, np.count_nonzero(x)
    packed, others = np.packbits(ones), others - np.count_nonzero(ones)
    if not others:
        return Bits(x, packed, None)
    halves = np.equal(x, 0.5, out=ones)
    return x if np.count_nonzero(halves) != others else Bits(x, packed, np.packbits(halves))


def unpack_bits(kept: Any) -> Any:
    """What `pack_bits` was given.

    >>> unpack_bits(pack_bits(np.array([1.0, 0.5, 0.0])))
    array([1. , 0.5, 0. ])
    """
    if kept.__class__ is not Bits:
        return kept
    size = math.prod(kept.shape)
    found = np.unpackbits(kept.ones, count=size).astype(kept.dtype)
    if kept.halves is not None:
        found[np.unpackbits(kept.halves, count=size).astype(bool)] = 0.5
    return found.reshape(kept.shape)


def sampled_outline(kept: Any) -> Any:
    """An array of the shape and dtype of what was sampled, that takes no memory: all zeros.

    >>> sampled_outline(sample(np.ones((1000, 100)), np.random.default_rng(0), k=2)).strides
    (0, 0)
    """
    return np.broadcast_to(np.zeros((), kept.dtype), kept.shape) if kept.__class__ is Sample else outline(kept)


def stream_at(entropy: Any, spawned: tuple[Any, ...], *state: int) -> np.random.Generator:
    """A Generator of NumPy as it was: what it was seeded by, which of those is its own, what its state is.

    >>> rng = np.random.default_rng(3)
    >>> again = stream_at(*stream_now(rng))
    >>> rng.random() == again.random()
    True
    """
    key, children, size = spawned
    seeds = np.random.SeedSequence(entropy, spawn_key=key, n_children_spawned=children, pool_size=size)
    bits = np.random.PCG64(seeds)
    number, step, has, last = state
    bits.state = {"bit_generator": "PCG64", "state": {"state": number, "inc": step}, "has_uint32": has,
                  "uinteger": last}
    return np.random.Generator(bits)


def stream_now(stream: np.random.Generator) -> tuple[Any, ...] | None:
    """What `stream_at` makes the same of; None where that is another kind of stream."""
    bits: Any = stream.bit_generator
    seeds = getattr(bits, "seed_seq", None)
    if type(bits) is not np.random.PCG64 or type(seeds) is not np.random.SeedSequence \
            or not isinstance(seeds.entropy, int):
        return None
    found = bits.state
    return (seeds.entropy, (seeds.spawn_key, seeds.n_children_spawned, seeds.pool_size),
            *found["state"].values(), found["has_uint32"], found["uinteger"])


def _count(d: int, fraction: float | None, k: int | None) -> int:
    """How many of d numbers are kept: the next whole number, where the product of decimals is not one."""
    return int(k) if fraction is None and k is not None else max(1, math.ceil(round((fraction or 0.0) * d, 9)))


def _axes(axis: int | tuple[int, ...], x: Any) -> tuple[int, ...]:
    if axis == -1:
        return (x.ndim - 1,)
    wanted = axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(sorted({a % x.ndim for a in wanted if -x.ndim <= a < x.ndim}))
    if not axes:
        raise ArgumentError(f"an array of shape {x.shape} has no axis={axis} to sample: "
                            "with tnb.sampled(axis=…) around the line that reads it")
    return axes


def _flat(x: Any, axes: tuple[int, ...], d: int) -> Any:
    """The array with the sampled axes last, as one."""
    if axes == (x.ndim - 1,):
        return x
    rest = [n for a, n in enumerate(x.shape) if a not in axes]
    return np.moveaxis(x, axes, range(len(rest), x.ndim)).reshape(*rest, d)


def _drawn(key: int, d: int, k: int, method: str) -> Any:
    """The places that are kept, of all rows."""
    random = np.random.default_rng(key)
    return random.integers(d, size=k) if method == "with_replacement" else random.permutation(d)[:k]


def _drawn_by_row(key: int, rows: int, d: int, k: int, method: str) -> Iterator[tuple[slice, Any]]:
    """The places that are kept of each row, for some rows at a time."""
    random = np.random.default_rng(key)
    step = max(1, BLOCK // d)
    for start in range(0, rows, step):
        some = slice(start, min(start + step, rows))
        n = some.stop - start
        yield some, (random.integers(d, size=(n, k)) if method == "with_replacement"
                     else np.argpartition(random.random((n, d)), k - 1, axis=1)[:, :k])


def _signs(key: int, d: int, k: int, dtype: Any) -> Iterator[tuple[slice, Any]]:
    """The rows of R, some at a time."""
    random, real = np.random.default_rng(key), np.zeros((), dtype).real.dtype
    step = max(1, BLOCK // k)
    for start in range(0, d, step):
        some = slice(start, min(start + step, d))
        signs = random.integers(2, size=(some.stop - start, k), dtype=np.int8).astype(real)
        yield some, (2 * signs - 1) / real.type(math.sqrt(k))
