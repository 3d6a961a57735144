"""The sampled tape on JAX: as `runtime/kept_samples.py`, drawn with keys of JAX.

A call draws from one key: the one that it is given, `df(w, x, key=key)`, or the next one of the stream that the seed of
the tape has begun. Its samples take `fold_in(key, 0)`, `fold_in(key, 1)`, … (J. Salmon et al., "Parallel Random
Numbers: As Easy as 1, 2, 3", SC 2011). Places are equally likely but for a part of some 2**-32, as `jax.random` has it.
"""
from __future__ import annotations

import math
from typing import Any
from weakref import WeakValueDictionary

import jax
import jax.numpy as jnp
import numpy

from ...errors import ArgumentError
from ...runtime import kept_samples
from ...runtime.kept_samples import BLOCK
from .arguments import _what, copy
from .base import helpers, refused

ZEROS: WeakValueDictionary[Any, Any] = WeakValueDictionary()           # the outlines that are held, by shape and dtype
REMEDY = "a key of the call, key=jax.random.key(0), another one each time; or a call that is not traced, of the " \
         "derivative with compile='jit'"


class Sample(kept_samples.Sample):
    """A sample that compiled code is given, and gives."""

    __slots__ = ()


class Bits(kept_samples.Bits):
    """Bits that compiled code is given, and gives."""

    __slots__ = ()


class Stream:
    """What one call draws its samples from. key: of the call; count: how many it has drawn."""

    __slots__ = ("count", "key")

    def __init__(self, key: Any) -> None:
        self.key, self.count = key, 0

    def next(self) -> Any:
        """The key of the next sample."""
        self.count += 1
        return jax.random.fold_in(self.key, self.count - 1)


def sampling_key(stream: numpy.random.Generator, key: Any) -> Any:
    """The key that a call was given, or the next one of the stream; refused is the latter where JAX traces the call:
    what is compiled would draw once, and have the same sample each time.

    >>> one = sampling_key(numpy.random.default_rng(0), None)
    >>> bool(one == sampling_key(numpy.random.default_rng(0), None))
    True
    """
    if key is not None:
        raw = getattr(key, "dtype", None) == numpy.uint32 and numpy.shape(key) == jax.random.PRNGKey(0).shape
        if not raw and not (isinstance(key, jax.Array) and jnp.issubdtype(key.dtype, jax.dtypes.prng_key)
                            and key.ndim == 0):
            raise ArgumentError("the key that samples are drawn from is one of JAX, key=jax.random.key(0), not "
                                f"{_what(key)}")
        return jax.random.wrap_key_data(key) if raw else key
    if isinstance(jax.random.key(0), jax.core.Tracer):
        raise refused("it is traced, by jax.jit or the like, and no key is given: the sample would be drawn once, and "
                      "be the same at each call", REMEDY)
    number = int(stream.integers(1 << 63))
    return jax.random.fold_in(jax.random.key(number >> 32), number & 0xFFFFFFFF)


def draws(key: Any) -> Stream:
    """What a call draws from."""
    return Stream(key)


def sample(x: Any, stream: Stream, fraction: float | None = None, k: int | None = None,
           method: str = "with_replacement", share: str = "batch", axis: int | tuple[int, ...] = -1) -> Any:
    """A sample of an array of floats along its axes; anything else, and what would not be smaller without replacement,
    is kept as it is.

    >>> sample(jnp.ones((4, 10)), draws(jax.random.key(0)), fraction=0.2)
    <2 of 10 of (4, 10)>
    """
    if not isinstance(x, jax.Array) or x.dtype.kind not in "fc" or not x.size or not x.ndim:
        return x
    axes = helpers._axes(axis, x)
    d = math.prod(x.shape[a] for a in axes)
    kept = helpers._count(d, fraction, k)
    if method == "without_replacement" and kept >= d:
        return x
    key = stream.next()
    flat = helpers._flat(x, axes, d)
    if method == "rademacher":
        data = _projected(key, flat, d, kept)
    elif share == "batch":
        data = flat[..., _places(key, d, kept, method)] * (d / kept)
    else:
        rows = flat.reshape(-1, d)
        drawn = _places_by_row(key, len(rows), d, kept, method)
        data = (jnp.take_along_axis(rows, drawn, axis=1) * (d / kept)).reshape(*flat.shape[:-1], kept)
    return Sample(data, key, x, axes, method, share)


def unsample(kept: Any) -> Any:
    """An array whose mean over all draws is the one that was sampled: zero where nothing was kept. What was kept as it
    is comes back."""
    if kept.__class__ is not Sample:
        return kept
    lengths = tuple(kept.shape[a] for a in kept.axes)
    d, k, data = math.prod(lengths), kept.data.shape[-1], kept.data
    if kept.method == "rademacher":
        out = _projected_back(kept.key, data, d, k)
    elif kept.share == "batch":
        out = jnp.zeros((*data.shape[:-1], d), kept.dtype).at[..., _places(kept.key, d, k, kept.method)].add(data)
    else:
        numbers = data.reshape(-1, k)
        drawn = _places_by_row(kept.key, len(numbers), d, k, kept.method)
        out = jnp.zeros((len(numbers), d), kept.dtype).at[jnp.arange(len(numbers))[:, None], drawn].add(numbers)
        out = out.reshape(*data.shape[:-1], d)
    if kept.axes == (len(kept.shape) - 1,):
        return out
    rest = [n for a, n in enumerate(kept.shape) if a not in kept.axes]
    return jnp.moveaxis(out.reshape(*rest, *lengths), range(len(rest), len(kept.shape)), kept.axes)


def drawn(kept: Any) -> Any:
    """What `unsample` makes: a product with it is one with a whole array, which compiled code may never make.

    >>> drawn(sample(jnp.ones((2, 4)), draws(jax.random.key(0)), k=4, method="without_replacement")).shape
    (2, 4)
    """
    return unsample(kept)


def pack_bits(x: Any, few: bool = False) -> Any:
    """Truth values, or slopes that are 0, 0.25, 0.5 or 1, as bits; anything else is kept as it is. few: it is such a
    slope for certain, of which no value is asked where it is traced: two bits for each number then.

    >>> pack_bits(jnp.array([[1.0, 0.0, 1.0]])).nbytes
    1
    """
    if not isinstance(x, jax.Array) or not x.ndim:
        return x
    if x.dtype.kind == "b":
        return Bits(x, jnp.packbits(x), None)
    if x.dtype.kind != "f":
        return x
    quarter = x == 0.25
    ones, halves = (x == 1.0) | quarter, (x == 0.5) | quarter
    if isinstance(x, jax.core.Tracer):
        return Bits(x, jnp.packbits(ones), jnp.packbits(halves)) if few else x
    every, some = jax.device_get((jnp.all(ones | halves | (x == 0.0)), jnp.any(halves)))
    return Bits(x, jnp.packbits(ones), jnp.packbits(halves) if some else None) if every else x


def unpack_bits(kept: Any) -> Any:
    """What `pack_bits` was given.

    >>> unpack_bits(pack_bits(jnp.array([1.0, 0.5, 0.0]))).tolist()
    [1.0, 0.5, 0.0]
    """
    if kept.__class__ is not Bits:
        return kept
    size = math.prod(kept.shape)
    found = jnp.unpackbits(kept.ones, count=size).astype(kept.dtype)
    if kept.halves is not None:
        halves = jnp.unpackbits(kept.halves, count=size).astype(bool)
        found = jnp.where(halves, 0.5 - 0.25 * found, found)
    return found.reshape(kept.shape)


def sampled_outline(kept: Any) -> Any:
    """An array of the shape and dtype of what was sampled: zeros, which all that are alike share."""
    return _zeros(kept.shape, kept.dtype, kept.data) if kept.__class__ is Sample else outline(kept)


def outline(x: Any) -> Any:
    """An array of the shape and dtype of another one: zeros, which all that are alike share, as JAX has no arrays
    without memory. What is traced, and not read, takes none.

    >>> outline(jnp.ones(3)) is outline(jnp.arange(3.0))
    True
    """
    return _zeros(x.shape, x.dtype, x) if isinstance(x, jax.Array) and x.ndim else copy(x)


def _zeros(shape: tuple[int, ...], dtype: Any, like: Any) -> Any:
    """like: an array that is where these are to be."""
    if isinstance(like, jax.core.Tracer):
        return jnp.zeros(shape, dtype)
    where = tuple(sorted(like.devices(), key=str))
    found = ZEROS.get((shape, dtype, where))
    if found is None:
        found = jax.device_put(jnp.zeros(shape, dtype), where[0]) if len(where) == 1 else jnp.zeros(shape, dtype)
        if not isinstance(found, jax.core.Tracer):
            ZEROS[shape, dtype, where] = found
    return found


def _places(key: Any, d: int, k: int, method: str) -> Any:
    """The places that are kept, of all rows."""
    return jax.random.randint(key, (k,), 0, d) if method == "with_replacement" else jax.random.permutation(key, d)[:k]


def _places_by_row(key: Any, rows: int, d: int, k: int, method: str) -> Any:
    """The places that are kept of each row."""
    if method == "with_replacement":
        return jax.random.randint(key, (rows, k), 0, d)
    every = jnp.broadcast_to(jnp.arange(d), (rows, d))
    return jax.random.permutation(key, every, axis=1, independent=True)[:, :k]


def _signs(key: Any, d: int, k: int, dtype: Any) -> Any:
    """Rows of R, without the division: 1 and -1 are exact in all precisions in which products are computed."""
    return jax.random.rademacher(key, (d, k), jnp.zeros((), dtype).real.dtype)


def _steps(d: int, k: int) -> tuple[int, int]:
    """How many rows of R are drawn at a time, and how often."""
    step = max(1, min(d, BLOCK // k))
    return step, -(-d // step)


def _projected(key: Any, flat: Any, d: int, k: int) -> Any:
    """The array times R, over the root of k once more: the data is scaled, and no sign is."""
    step, count = _steps(d, k)
    if count == 1:
        return flat @ _signs(jax.random.fold_in(key, 0), d, k, flat.dtype) / k
    parts = _in_parts(flat, step, count)

    def one(total: Any, given: Any) -> Any:
        part, i = given
        return total + part @ _signs(jax.random.fold_in(key, i), step, k, flat.dtype), None

    found, _ = jax.lax.scan(one, jnp.zeros((*flat.shape[:-1], k), flat.dtype), (parts, jnp.arange(count)))
    return found / k


def _in_parts(flat: Any, step: int, count: int) -> Any:
    """Parts of the last axis, with zeros behind the last one."""
    more = [(0, 0)] * (flat.ndim - 1) + [(0, step * count - flat.shape[-1])]
    return jnp.moveaxis(jnp.pad(flat, more).reshape(*flat.shape[:-1], count, step), -2, 0)


def _projected_back(key: Any, data: Any, d: int, k: int) -> Any:
    step, count = _steps(d, k)
    if count == 1:
        return data @ _signs(jax.random.fold_in(key, 0), d, k, data.dtype).T
    parts = jax.lax.map(lambda i: data @ _signs(jax.random.fold_in(key, i), step, k, data.dtype).T, jnp.arange(count))
    return jnp.moveaxis(parts, 0, -2).reshape(*data.shape[:-1], step * count)[..., :d]


# ---------------------------------------------------------------------- into compiled code, and out of it
def _remade(kind: type, names: tuple[str, ...], known: Any, parts: Any) -> Any:
    """An object of its attributes."""
    new: Any = object.__new__(kind)
    for name, value in [*known, *zip(names, parts, strict=True)]:
        setattr(new, name, value)
    return new


def _register(kind: type, names: tuple[str, ...]) -> None:
    """JAX takes it apart into arrays, and what is known when it traces."""
    rest = [name for name in kind.__base__.__slots__ if name not in names]  # type: ignore[union-attr]
    jax.tree_util.register_pytree_node(
        kind, lambda x: (tuple(getattr(x, name) for name in names), tuple((name, getattr(x, name)) for name in rest)),
        lambda known, parts: _remade(kind, names, known, parts))


_register(Sample, ("data", "key"))
_register(Bits, ("ones", "halves"))
