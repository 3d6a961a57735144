"""What helpers in nopython mode are made with: kinds of Numba's types, and what belongs to which helper of `rt`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.extending import overload

from ... import runtime as rt

Implementation = Callable[..., Any]
HELPERS: set[str] = set()              # of those here, by name


def helper(function: Callable[..., Implementation | None], *others: str) -> Callable[..., Implementation | None]:
    """What is compiled for a helper of the same name, and for others."""
    for name in (function.__name__, *others):
        HELPERS.add(name)
        overload(getattr(rt, name), strict=False)(function)
    return function


def is_number(x: Any) -> bool:
    return isinstance(x, (types.Number, types.Boolean, float, int))


def is_array(x: Any) -> bool:
    return isinstance(x, types.Array)


def is_index(index: Any) -> bool:
    """It names no cell twice: an int, a slice, or several of these."""
    if isinstance(index, types.BaseTuple):
        return all(is_index(one) for one in index.types)  # type: ignore[attr-defined]
    return isinstance(index, (types.Integer, types.SliceType, types.EllipsisType, types.NoneType))


def is_nothing(x: Any) -> bool:
    """The argument is left out, or None."""
    return x is None or isinstance(x, (types.NoneType, types.Omitted)) and getattr(x, "value", None) is None


def given(x: Any, default: Any) -> Any:
    """The value of a setting that the text says; `...` where it is not known beforehand."""
    if is_nothing(x):
        return default
    if isinstance(x, (bool, int)):
        return x
    if isinstance(x, (types.Omitted, types.Literal)):
        return x.value if isinstance(x, types.Omitted) else x.literal_value
    return ...
