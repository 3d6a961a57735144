"""Constants that meet a derivative: numbers and arrays as NumPy knows them,
and none that compute in a way of their own."""
from __future__ import annotations

import collections
import functools
import operator as op
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .containers import article, is_of
from .persistent import PersistentArray
from .sparse import is_sparse

PLAIN = frozenset([float, int, bool, complex, str, bytes, type(None), range, slice, type(...), np.memmap,
                   PersistentArray, *(kind for kind in vars(np).values() if isinstance(kind, type)
                                      and issubclass(kind, np.generic) and kind is not np.object_)])
HOLDING = (list, tuple, set, frozenset, collections.deque)
ARITHMETIC = (op.add, op.sub, op.mul, op.matmul, op.truediv, op.floordiv, op.mod, op.pow)
OPERATORS = (*(f"__{side}{one.__name__}__" for one in ARITHMETIC for side in ("", "r", "i")),
             *(f"__{name}__" for name in (op.neg.__name__, op.abs.__name__, "array_ufunc", "array_function")))
COMPARISONS = tuple(f"__{one.__name__}__" for one in (op.lt, op.le, op.gt, op.ge, op.eq, op.ne, op.contains))
TO_NUMBERS = {f"__{one.__name__}__": "int" if one is op.index else one.__name__
              for one in (op.index, int, float, complex)} | {"__array__": "np.asarray"}
LIKE_ARRAYS = ("jax", "jaxlib")
LIBRARIES = ("numpy", "scipy", "torch", "pandas")


def check_constants(*values: Any) -> None:
    """Refuses what does not compute like a number or an array, also in lists, tuples and dicts: matrices, masked and
    sparse arrays, arrays of objects, and objects that have operators of their own.

    >>> check_constants(2.0, np.ones(2), [1, 2])
    >>> v = np.array([1.0, 2.0], object)
    >>> check_constants(v)
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: v is an array of objects, and meets what is differentiated: its items compute ...
    """
    _check_met(values)


def check_matrices(*values: Any) -> None:
    """The same of what stands in matrix products alone, where it may be sparse too.

    >>> check_matrices(np.ones(2))
    >>> check_matrices(np.array([1.0, 2.0], object))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: it is an array of objects, and meets what is differentiated: its items compute ...
    """
    _check_met([value for value in values if not is_sparse(value)])


def _check_met(values: Iterable[Any]) -> None:
    for value in values:
        kind = value.__class__
        if not (kind is np.ndarray and value.dtype.kind != "O" or kind in PLAIN) and (found := met(value)) is not None:
            own = name_here(found, 3)
            name = own if found is value else f"an item of {name_here(value, 3)}"
            raise ArgumentError(f"{name} is {kind_shown(found)}, and meets what is differentiated: "
                                f"{remedy(found, own)}")


def check_places(*values: Any) -> None:
    """Refuses what the derivative reads again, an index, an axis or a shape, where that runs code of its class;
    also in a list.

    >>> check_places(2, np.array([1, 2]), [0, 1])
    """
    for value in values:
        if value.__class__ not in PLAIN and (found := asked_again(value)) is not None:
            name = name_here(value) if found is value else f"an item of {name_here(value)}"
            raise ArgumentError(f"{name} is {again(found, name_here(found))}")


def check_finite(values: Any) -> None:
    """Refuses values of which an interpolator is a sum, with weights that are 0 at most of its places, where one of
    them is no finite number: the sum would be none anywhere.

    >>> check_finite(np.array([1.0, np.nan]))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the values of an interpolator are not all finite: leave out their nodes
    """
    if not np.all(np.isfinite(values)):
        raise ArgumentError("the values of an interpolator are not all finite: leave out their nodes")


def asked_again(value: Any) -> Any:
    """The value, or an item of it, that is no number or array, though its class makes one of it with code of its own.

    >>> asked_again([1, (2, slice(3))]) is None
    True
    """
    kind: Any = type(value)
    if kind in PLAIN or issubclass(kind, np.ndarray):
        return None
    if _conversions(kind):
        return value
    if isinstance(value, (list, tuple)) and not set(map(type, value)) <= PLAIN:
        return next((found for item in value
                     if not isinstance(item, (list, tuple)) and (found := asked_again(item)) is not None), None)
    return None


def again(value: Any, name: str) -> str:
    """Why, and what to pass."""
    kind: Any = type(value)
    method = _conversions(kind)[0]
    return (f"{kind_shown(value)}, and its {method} is code of its own, which would be called again: "
            f"pass {TO_NUMBERS[method]}({name})")


@functools.lru_cache(1000)
def _conversions(kind: Any) -> list[str]:
    """The methods, written in Python, that make numbers or arrays of the objects of a class."""
    if is_of(kind.__module__, (*LIKE_ARRAYS, *LIBRARIES)):
        return []
    return [name for name in TO_NUMBERS if hasattr(getattr(kind, name, None), "__code__")]


def met(value: Any) -> Any:
    """What a value that meets a derivative must not be, or hold.
    Where an object that holds nothing stands for itself, it is compared."""
    kind: Any = type(value)
    found = special_kind(value)
    return value if found is None and _compares_otherwise(kind) else found


def special_kind(value: Any, seen: tuple[int, ...] = ()) -> Any:
    """What does not compute like a number or an array: the value itself, or something that it holds; else None.

    >>> special_kind([1.0, (np.ones(2), {"a": 3})]) is None
    True
    """
    kind: Any = type(value)
    if kind is np.ndarray:
        return value if value.dtype.kind == "O" else None
    if kind in PLAIN or id(value) in seen:
        return None
    if isinstance(value, HOLDING) and kind not in HOLDING and _computes_otherwise(kind):
        return value
    if isinstance(value, HOLDING) or isinstance(value, Mapping):
        items = value.values() if isinstance(value, Mapping) else value
        if set(map(type, items)) <= PLAIN:
            return None
        return next((found for item in items if (found := special_kind(item, (*seen, id(value)))) is not None), None)
    return value if _computes_otherwise(kind) or bool(_conversions(kind)) else None


@functools.lru_cache(1000)
def _computes_otherwise(kind: Any) -> bool:
    """The objects of a class have operators that are not those of Python's numbers or of NumPy's arrays."""
    if is_of(kind.__module__, LIKE_ARRAYS) or issubclass(kind, type):
        return False
    base = next((one for one in kind.__mro__ if one in PLAIN or one in HOLDING or one is np.ndarray), object)
    return any(getattr(kind, name, None) is not getattr(base, name, None) for name in OPERATORS)


@functools.lru_cache(1000)
def _compares_otherwise(kind: type[Any]) -> bool:
    """A class that is written with comparisons, and is no container; those of a dataclass are made."""
    written = [getattr(getattr(kind, name, None), "__code__", None) for name in COMPARISONS]
    gone_over = issubclass(kind, Iterable) or hasattr(kind, "__getitem__")
    return any(code is not None and code.co_filename != "<string>" for code in written) and not (
        gone_over or issubclass(kind, (str, int, float)) or hasattr(kind, "toarray"))


def kind_shown(value: Any) -> str:
    if type(value) is np.ndarray:
        return "an array of objects"
    return article(type(value).__name__)


def remedy(value: Any, name: str) -> str:
    """Why, and what to pass."""
    if type(value) is np.ndarray:
        return f"its items compute in their own way: pass {name}.astype(float)"
    if hasattr(value, "toarray"):
        return f"it does not compute like an array: pass {name}.toarray()"
    if isinstance(value, np.ma.MaskedArray):
        return f"it does not compute like an array: pass {name}.filled(0.0)"
    if isinstance(value, np.ndarray) or hasattr(value, "__array__"):
        return f"it does not compute like an array: pass np.asarray({name})"
    if isinstance(value, (float, int)):
        return f"its class has operators of its own: pass float({name})"
    kind: Any = type(value)
    if not _computes_otherwise(kind) and (methods := _conversions(kind)):
        return f"its class has an {methods[0]} of its own: pass {TO_NUMBERS[methods[0]]}({name})"
    return "its class has operators of its own: pass the numbers or arrays that it holds"


def name_here(value: Any, calls: int = 2) -> str:
    """What the derivative that is called calls a value. calls: of helpers, this one with them, that stand between."""
    frame = sys._getframe(calls)
    return next((name for names in (frame.f_locals, frame.f_globals) for name, one in names.items() if one is value
                 and not name.startswith("_") and (names is frame.f_locals or name in frame.f_code.co_names)), "it")
