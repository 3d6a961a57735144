"""NaN and Inf in values: which of them a statement has made, and how a value is summarised."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..runtime.persistent import PersistentArray
from ..runtime.storing import broadcasts
from ..runtime.waiting import waits
from .values import Operand

DEEPEST = 20                                       # containers in containers that are looked into
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Found:
    """The elements of a value that are not finite. part: where in a container, as it is written behind the name;
    index: of the first that is meant."""

    part: str
    value: Any
    index: tuple[int, ...]
    nans: int
    infs: int

    def text(self) -> str:
        """How many, and the first.

        >>> print(found(np.array([1.0, np.inf, np.nan])).text())
        1 NaN and 1 Inf in 3 elements, the first at [1]: inf
        """
        counts = " and ".join(f"{count} {kind}" for count, kind in ((self.nans, "NaN"), (self.infs, "Inf")) if count)
        first = np.asarray(self.value)[self.index]
        if np.ndim(self.value) == 0:
            return str(first)
        return (f"{counts} in {np.size(self.value)} element{'s' * (np.size(self.value) != 1)}, "
                f"the first at {place(self.index)}: {first}")


def place(index: tuple[int, ...]) -> str:
    """An index as it is written."""
    return f"[{', '.join(map(str, index))}]"


def leaves(value: Any, part: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The floating numbers and arrays in a value, each with its place there.

    >>> [part for part, leaf in leaves({"w": [1.0, np.zeros(2)], "n": 3})]
    ["['w'][0]", "['w'][1]"]
    """
    if waits(value):
        return
    value = np.asarray(value) if isinstance(value, PersistentArray) else value
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "fc":
            yield part, value
    elif isinstance(value, (float, complex, np.inexact)):
        yield part, value
    elif isinstance(value, (list, tuple, dict)) and depth < DEEPEST:
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(one, f"{part}[{key!r}]", depth + 1)


def found(value: Any) -> Found | None:
    """The first part of a value that is not finite throughout."""
    return made(value, (), elementwise=False)


def made(value: Any, inputs: Sequence[Operand], *, elementwise: bool, before: Any = None) -> Found | None:
    """What in a result is not finite and cannot come from the inputs: a NaN where none of them has a NaN, an Inf where
    they are all finite. elementwise: this is asked for each element. before: what stood in place of the result, which
    may still do so.

    >>> x = Operand("x", np.array([np.inf, 0.0]))
    >>> made(np.array([np.inf, np.inf]), [x], elementwise=False)
    >>> made(np.array([np.inf, np.inf]), [x], elementwise=True).index
    (1,)
    >>> made(np.nan, [x], elementwise=False).index
    ()
    """
    old = dict(leaves(before))
    for part, leaf in leaves(value):
        if np.isfinite(leaf).all():
            continue
        nan, inf = np.isnan(leaf), np.isinf(leaf)
        read_nan, read_inf = _read(inputs, np.shape(leaf), elementwise)
        new = nan & ~read_nan | inf & ~(read_nan | read_inf)
        if part in old and np.shape(old[part]) == np.shape(leaf):
            new &= ~(nan & np.isnan(old[part]) | inf & np.isinf(old[part]))
        if np.any(new):
            index = tuple(int(one) for one in np.argwhere(new)[0])
            return Found(part, leaf, index, int(np.sum(nan)), int(np.sum(inf)))
    return None


def _read(inputs: Sequence[Operand], shape: tuple[int, ...], elementwise: bool) -> tuple[Array, Array]:
    """Where the inputs have a NaN, and where an Inf: by element where they fit the shape, otherwise everywhere."""
    nan, inf = np.zeros(shape, bool), np.zeros(shape, bool)
    for operand in inputs:
        for _, leaf in leaves(operand.value):
            fits = elementwise and broadcasts(np.shape(leaf), shape)
            nan |= np.isnan(leaf) if fits else np.isnan(leaf).any()
            inf |= np.isinf(leaf) if fits else np.isinf(leaf).any()
    return nan, inf


def summary(value: Any, index: tuple[int, ...], shape: tuple[int, ...], elementwise: bool) -> str:
    """A value in a line, and what it is at an index of a result of that shape: where it has that shape, too, or, in an
    elementwise line, is broadcast to it.

    >>> summary(np.array([4.0, 0.0]), (2, 1), (3, 2), True)
    '0.0 at [1]; shape (2,), float64, 0.0 to 4.0'
    >>> summary(2.0, (1,), (2,), True), summary([1.0, 2.0], (), (), False)
    ('2.0', 'list of 2')
    """
    if isinstance(value, (list, tuple, dict)):
        inside = found(value)
        return f"{type(value).__name__} of {len(value)}" \
            + (f"; {inside.part}: {inside.text()}" if inside is not None else "")
    if isinstance(value, np.ndarray) and value.ndim:
        fits = broadcasts(value.shape, shape) if elementwise else value.shape == shape
        return _array_summary(value, index if fits else None)
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.item()!r} ({value.dtype})"
    return repr(value) if isinstance(value, (bool, int, float, complex, str, type(None))) else type(value).__name__


def _array_summary(value: Array, index: tuple[int, ...] | None) -> str:
    text = f"shape {value.shape}, {value.dtype}"
    if value.dtype.kind in "fiub" and value.size:
        finite = value[np.isfinite(value)]
        text += f", {finite.min()} to {finite.max()}" if finite.size else ""
        inside = found(value)
        text += f", {inside.text()}" if inside is not None else ""
    if index is not None:
        own = tuple(0 if size == 1 else at for size, at in zip(value.shape, index[len(index) - value.ndim:]))
        text = f"{value[own]} at {place(own)}; {text}"
    return text
