"""Two values, one found and one expected: how far they are apart, and what kind of mistake that looks like."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..every import leaves
from ..runtime.persistent import PersistentArray
from .check import tolerance

ROUNDING = 64.0                                    # roundings of the largest number about that count as none
Array = np.ndarray[Any, Any]
Close: TypeAlias = "Callable[[Any], bool]"         # to what is expected


@dataclass(frozen=True)
class Difference:
    """How far a value is from the expected one. problem: why they cannot be compared number by number; worst: the
    largest absolute difference; index: where; found, expected: the numbers there."""

    close: bool
    worst: float = np.inf
    index: tuple[int, ...] = ()
    found: Any = None
    expected: Any = None
    problem: str = ""


def difference(found: Any, expected: Any, largest: float = 1.0) -> Difference:
    """Compare two values. They are close if they differ by rounding, by the dtype and size of what is expected;
    largest: the size of the numbers that it was made from, whose rounding it may have.

    >>> difference(np.array([1.0, 2.5]), np.array([1.0, 2.0])).index
    (1,)
    >>> difference(1.0, np.ones(3)).problem
    'found shape (), expected shape (3,)'
    """
    ours, theirs = _arrays(found), _arrays(expected)
    if ours is None or theirs is None or len(ours) != len(theirs):
        return Difference(False, problem=f"found {kind(found)}, expected {kind(expected)}")
    allowed = tolerance(expected)
    worst = Difference(True, 0.0)
    for a, b in zip(ours, theirs):
        if a.shape != b.shape:
            return Difference(False, problem=f"found shape {a.shape}, expected shape {b.shape}")
        if not a.size:
            continue
        with np.errstate(all="ignore"):
            apart = np.where((a == b) | np.isnan(a) & np.isnan(b), 0.0, np.abs(a - b))
        apart = np.where(np.isnan(apart), np.inf, apart)
        index = tuple(int(one) for one in np.unravel_index(int(np.argmax(apart)), apart.shape))
        scale = float(np.max(np.abs(b), where=np.isfinite(b), initial=0.0))
        limit = allowed * scale + ROUNDING * _epsilon(expected) * max(1.0, largest)
        one = Difference(bool(apart[index] <= limit), float(apart[index]), index, a[index].item(), b[index].item())
        if worst.close and (not one.close or one.worst >= worst.worst):
            worst = one
    return worst


def _epsilon(value: Any) -> float:
    kinds = [np.asarray(leaf).dtype for leaf in leaves(value)]
    return max((float(np.finfo(one).eps) for one in kinds if one.kind == "f"), default=float(np.finfo(float).eps))


def _arrays(value: Any) -> list[Array] | None:
    """The numbers in a value as arrays of doubles; None where there is something else in it."""
    if isinstance(value, (list, tuple)):
        parts = [_arrays(one) for one in value]
        return None if None in parts else [array for part in parts if part is not None for array in part]
    if isinstance(value, dict):
        return _arrays([value[key] for key in sorted(value, key=repr)])
    if isinstance(value, (bool, int, float, np.ndarray, np.generic, PersistentArray)) \
            and np.asarray(value).dtype.kind in "biuf":
        return [np.asarray(value, dtype=np.float64)]
    return None


def kind(value: Any) -> str:
    """What a value is, in a few words.

    >>> kind(np.zeros((2, 3))), kind(2.0), kind([1.0])
    ('an array of shape (2, 3)', 'a number', 'a list of 1')
    """
    if isinstance(value, (np.ndarray, PersistentArray)) and value.ndim:
        return f"an array of shape {value.shape}"
    if isinstance(value, (bool, int, float, np.ndarray, np.generic)):
        return "a number"
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    return "None" if value is None else "a blank" if value is ... else f"a {type(value).__name__}"


def hint(found: Any, expected: Any, parts: Sequence[tuple[int, Any]] = (), largest: float = 1.0) -> str:
    """What kind of mistake it looks like; empty where that cannot be said.
    parts: what each line contributes to what is expected.

    >>> right = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> hint(-right, right), hint(right.T, right)
    ('the sign is wrong', 'it is transposed')
    >>> hint(2.0 * right, right), hint(right, right.sum(axis=0))
    ('it is 2 times what is expected', 'the sum over axis 0, along which the value was broadcast, is missing')
    """
    ours, theirs = _arrays(found), _arrays(expected)
    if ours is None or theirs is None or len(ours) != 1 or len(theirs) != 1:
        return ""
    [a], [b] = ours, theirs

    def close(one: Any) -> bool:
        return difference(one, expected, largest).close

    if not np.isfinite(a).all():
        return "it is not finite" if np.isfinite(b).all() else ""
    if a.ndim > 1 and a.T.shape == b.shape and close(a.T):
        return "it is transposed"
    if a.shape != b.shape:
        return _shape_hint(a, b, close)
    if np.any(a) and close(-a):
        return "the sign is wrong"
    return _part_hint(a, parts, close) or _factor_hint(a, b, close)


def _shape_hint(a: Array, b: Array, close: Close) -> str:
    try:
        whole = np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        return "a cotangent has the shape of its variable"
    if whole == a.shape:
        padded = (1,) * (a.ndim - b.ndim) + b.shape
        axes = tuple(axis for axis, (one, other) in enumerate(zip(a.shape, padded))
                     if one != other or axis < a.ndim - b.ndim)
        if close(a.sum(axis=axes).reshape(b.shape)):
            named = f"axis {axes[0]}" if len(axes) == 1 else f"the axes {', '.join(map(str, axes))}"
            return f"the sum over {named}, along which the value was broadcast, is missing"
    if whole == b.shape and close(np.broadcast_to(a, b.shape)):
        return "the values are right, the shape is not: a cotangent has the shape of its variable"
    return "a cotangent has the shape of its variable"


def _part_hint(a: Array, parts: Sequence[tuple[int, Any]], close: Close) -> str:
    fitting = [(line, part) for line, part in parts if line and np.shape(part) == a.shape]
    lines = {line: sum(part for other, part in fitting if other == line) for line, _ in fitting}
    for line, part in (*lines.items(), *fitting) if len(parts) > 1 else ():
        if np.any(part) and close(a + part):
            return f"what comes back through line {line} is missing"
        if np.any(part) and close(a - part):
            return f"what comes back through line {line} is added twice"
    return ""


def _factor_hint(a: Array, b: Array, close: Close) -> str:
    if not np.any(a):
        return "it is zero" if np.any(b) else ""
    if not np.any(b) or not np.isfinite(b).all():
        return ""
    factor = float(np.vdot(b, a) / np.vdot(b, b))
    # Any number is some multiple of another: of one alone only simple ones are worth saying.
    if factor and close(a / factor) and (b.size > 1 or abs(12.0 * factor - round(12.0 * factor)) < 1e-6):
        return f"it is {factor:.6g} times what is expected"
    return ""
