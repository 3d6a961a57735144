"""What is kept of a value: numbers and small arrays as they are, of others what can be said in a line.

Nothing of the user's runs for it: no `repr`, no property, no iteration but of lists, tuples, dicts and objects as
`kind_of` knows them. What is kept does not change when the value does.
"""
from __future__ import annotations

import hashlib
import math
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..runtime.containers import kind_of
from ..runtime.kept_samples import Bits, Sample
from ..runtime.persistent import PersistentArray
from ..runtime.waiting import waits

SMALL = 64                                         # elements of an array that is kept whole
LONGEST = 200                                      # characters of a text, digits of an int
MOST_PARTS = 100_000                               # items of a container that are followed one by one
DEEPEST = 8                                        # containers in containers
FEW = 4                                            # parts, or elements of an array, that stand in a line
Array: TypeAlias = "np.ndarray[Any, Any]"
Shown: TypeAlias = Any                             # a number, a text, None, a small array, or one of the following


@dataclass(frozen=True)
class Summary:
    """What is said of an array of more than `SMALL` elements. low, high: the least and the largest finite element,
    None where there is none; digest: of its memory."""

    __slots__ = ("digest", "dtype", "high", "infs", "low", "nans", "shape")
    shape: tuple[int, ...]
    dtype: str
    low: float | None
    high: float | None
    nans: int
    infs: int
    digest: bytes


@dataclass(frozen=True)
class Parts:
    """A container. names: of its parts where they are not counted; followed: how many of the parts are known one by
    one; values: these, in a snapshot of its own."""

    kind: str
    length: int
    names: tuple[str, ...] | None = None
    followed: int = 0
    values: tuple[Shown, ...] = ()


@dataclass(frozen=True)
class Other:
    """Something of which its kind alone is known."""

    text: str


class Unbound:
    """What stands for the value of a variable that has none (yet, or any more)."""

    def __repr__(self) -> str:
        return "unbound"


UNBOUND = Unbound()


def is_array(value: Any) -> bool:
    """An array whose elements are numbers, of no class derived from ndarray."""
    return type(value) is np.ndarray and value.dtype.kind in "biufc"


def of_array(value: Array) -> Shown:
    """A copy of a small array, the summary of a larger one.

    >>> of_array(np.arange(100.0)).high, of_array(np.ones(2))
    (99.0, array([1., 1.]))
    """
    if value.size <= SMALL:
        kept = value.copy()
        kept.flags.writeable = False
        return kept
    low, high, nans, infs = extremes(value)
    return Summary(value.shape, str(value.dtype), low, high, nans, infs, digest(value))


def digest(value: Array) -> bytes:
    """What tells an array from one with other numbers."""
    return hashlib.sha256(np.ascontiguousarray(value).view(np.uint8).data).digest()     # processors have it built in


def is_still(kept: Shown, value: Array) -> bool:
    """What is kept of an array still holds of it, to the last bit."""
    if isinstance(kept, Summary):
        return kept.shape == value.shape and kept.dtype == str(value.dtype) and kept.digest == digest(value)
    return isinstance(kept, np.ndarray) and kept.shape == value.shape and kept.dtype == value.dtype \
        and kept.tobytes() == value.tobytes()


def extremes(value: Array) -> tuple[float | None, float | None, int, int]:
    """The least and the largest finite number of an array, of complex ones their sizes; how many are NaN, and Inf."""
    sizes = np.abs(value) if value.dtype.kind == "c" else value
    if value.dtype.kind in "biu":
        return (float(sizes.min()), float(sizes.max()), 0, 0) if sizes.size else (None, None, 0, 0)
    if not sizes.size:
        return None, None, 0, 0
    with np.errstate(invalid="ignore"):
        low, high = float(sizes.min()), float(sizes.max())
    if math.isfinite(low) and math.isfinite(high):
        return low, high, 0, 0
    finite = np.isfinite(value)
    nans = int(np.isnan(value).sum())
    left = sizes[finite]
    ends = (float(left.min()), float(left.max())) if left.size else (None, None)
    return *ends, nans, int(value.size - finite.sum() - nans)


def of_leaf(value: Any) -> Shown:
    """What is kept of a value that is no container and no array of numbers."""
    kind = type(value)
    if waits(value):
        return Other("not there before the forward sweep has ended")
    if kind in (float, bool, complex) or value is None:
        return value
    if kind is int:
        return value if value.bit_length() <= 3 * LONGEST else Other(f"int of {value.bit_length()} bits")
    if kind is str:
        return value if len(value) <= LONGEST else value[:LONGEST] + "…"
    if isinstance(value, np.generic) and value.dtype.kind in "biufc" and kind.__module__ == "numpy":
        return value
    if kind is PersistentArray:
        return of_array(np.asarray(value))
    if isinstance(value, (Sample, Bits)):
        return Other(of_sample(value))
    if isinstance(value, np.ndarray):
        return Other(f"{kind.__name__} of shape {np.ndarray.shape.__get__(value)}, "
                     f"{np.ndarray.dtype.__get__(value)}")
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)):
        return Other(f"{kind.__name__} {value.__name__}" if type(value.__name__) is str else kind.__name__)
    return Other(kind.__name__)


def of_sample(kept: Sample | Bits) -> str:
    """What a sampled tape keeps of an array, in words.

    >>> from tangent_nb.runtime.kept_samples import pack_bits, sample
    >>> of_sample(sample(np.ones((4, 10)), np.random.default_rng(0), fraction=0.2))
    '2 of 10 kept of (4, 10) float64'
    >>> of_sample(pack_bits(np.ones(20) > 0))
    'one bit for each of (20,) bool'
    """
    of = f"{kept.shape} {kept.dtype}"
    if isinstance(kept, Bits):
        return f"{'one bit' if kept.halves is None else 'two bits'} for each of {of}"
    return f"{kept.data.shape[-1]} of {math.prod(kept.shape[one] for one in kept.axes)} kept of {of}"


def same_leaf(kept: Shown, value: Shown) -> bool:
    """Two kept leaves are the same to the last bit.

    >>> same_leaf(0.0, -0.0), same_leaf(float("nan"), float("nan")), same_leaf(1, True), same_leaf(2.0, 2.0)
    (False, True, False, True)
    """
    kind = type(kept)
    if kind is not type(value):
        return False
    if kind is float:
        return bool(kept.hex() == value.hex())
    if kind is complex:
        return same_leaf(kept.real, value.real) and same_leaf(kept.imag, value.imag)
    if isinstance(kept, np.generic):
        return bool(kept.dtype == value.dtype and kept.tobytes() == value.tobytes())
    if isinstance(kept, np.ndarray):
        return is_still(kept, value)
    return bool(kept == value)


def parts_of(value: Any) -> Mapping[Any, Any] | list[Any] | None:
    """The parts of a container: those of a list or a tuple counted, those of others by key or name; None for what is no
    container."""
    kind = type(value)
    if kind is list:
        return value                               # type: ignore[no-any-return]
    if kind is tuple:
        return list(value)
    if kind is dict:
        return value                               # type: ignore[no-any-return]
    if kind.__module__ in ("builtins", "numpy"):
        return None
    known = kind_of(value)
    return None if known is None else known.parts(value)


def bad(kept: Shown) -> tuple[int, int]:
    """How many elements are NaN, and how many Inf."""
    if isinstance(kept, Summary):
        return kept.nans, kept.infs
    if isinstance(kept, (float, complex, np.inexact)) or isinstance(kept, np.ndarray) and kept.dtype.kind in "fc":
        return int(np.isnan(kept).sum()), int(np.isinf(kept).sum())
    if isinstance(kept, Parts):
        found = [bad(one) for one in kept.values]
        return sum(nans for nans, _ in found), sum(infs for _, infs in found)
    return 0, 0


def size_of(kept: Shown) -> float | None:
    """The largest size of a finite number in it; None where there is none.

    >>> size_of(np.array([1.0, -3.0, np.inf])), size_of(-0.5), size_of(None)
    (3.0, 0.5, None)
    """
    if isinstance(kept, Summary):
        return None if kept.low is None or kept.high is None else max(abs(kept.low), abs(kept.high))
    if isinstance(kept, Parts):
        return max((size for one in kept.values if (size := size_of(one)) is not None), default=None)
    if isinstance(kept, bool) or not isinstance(kept, (int, float, complex, np.number, np.ndarray)):
        return None
    low, high, _, _ = extremes(np.asarray(kept, dtype=None if not isinstance(kept, int) else float))
    return None if low is None or high is None else max(abs(low), abs(high))


def described(kept: Shown) -> str:
    """A kept value in a line.

    >>> described(np.array([[1.0, np.nan]])), described(2.5), described(Parts("list", 3))
    ('[[1.0, nan]] (1, 2) float64', '2.5', 'list of 3')
    >>> described(of_array(np.linspace(0.0, 2.0, 100)))
    '(100,) float64, 0 to 2'
    """
    if isinstance(kept, np.ndarray):
        text = str(kept.tolist()) if kept.size <= FEW and kept.ndim else ""
        if kept.ndim == 0:
            return f"{kept.item()!r} () {kept.dtype}"
        return f"{text} {kept.shape} {kept.dtype}" if text else _in_words(kept.shape, str(kept.dtype), extremes(kept))
    if isinstance(kept, Summary):
        return _in_words(kept.shape, kept.dtype, (kept.low, kept.high, kept.nans, kept.infs))
    if isinstance(kept, Parts):
        if 0 < len(kept.values) == kept.length <= FEW:
            names = kept.names or [""] * kept.length
            inner = ", ".join(f"{name}: {described(one)}" if name else described(one)
                              for name, one in zip(names, kept.values))
            return f"{kept.kind} of {kept.length}: {inner}"
        return f"{kept.kind} of {kept.length}"
    if isinstance(kept, Other):
        return kept.text
    return repr(kept.item() if isinstance(kept, np.generic) else kept)


def _in_words(shape: tuple[int, ...], dtype: str, found: tuple[float | None, float | None, int, int]) -> str:
    low, high, nans, infs = found
    text = f"{shape} {dtype}" + (f", {low:.6g} to {high:.6g}" if low is not None and high is not None else "")
    return text + (f", {nans} NaN" if nans else "") + (f", {infs} Inf" if infs else "")


def weight(kept: Shown) -> int:
    """About how many bytes keeping it takes."""
    if isinstance(kept, np.ndarray):
        return 112 + kept.nbytes
    if isinstance(kept, Summary):
        return 400
    if isinstance(kept, Parts):
        return 100 + 60 * len(kept.names or ())
    return 32 if type(kept) is not str else 50 + len(kept)
