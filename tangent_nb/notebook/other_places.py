"""Other arguments, beside those that were given: an answer that is right by accident at some is not right at others."""
from __future__ import annotations

import inspect
import types
from collections import OrderedDict
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, TypeAlias

import numpy as np

from ..every import is_real, leaves
from ..runtime.containers import kind_of
from .numbers import mapped
from .truth import Truth

Array: TypeAlias = "np.ndarray[Any, Any]"
Change: TypeAlias = "Callable[[Array], Array]"
ROUNDS = 4                                         # of three ways to change arguments


def other_places(f: types.FunctionType, bound: inspect.BoundArguments, truth: Truth,
                 count: int) -> list[tuple[inspect.BoundArguments, Truth]]:
    """At most `count` other arguments, of the same shapes and kinds, at which the true backward pass runs and is
    finite, with what it is there.

    Floating numbers are moved, scaled or drawn anew; integers are changed only where there is nothing else. They are
    the same each time.
    """
    found: list[tuple[inspect.BoundArguments, Truth]] = []
    whole = not any(_is_floating(leaf) for value in bound.arguments.values() for leaf in leaves(value)) \
        and not any(_inside(value) for value in bound.arguments.values())
    for change in _changes(np.random.default_rng(count)) if count else ():
        try:
            arguments = deepcopy(dict(bound.arguments))
            other = inspect.BoundArguments(bound.signature, OrderedDict(
                (name, _changed(value, change, whole and name in truth.gradients))
                for name, value in arguments.items()))
            there = truth.at(f, other)
        except Exception:                          # outside of where the function is defined, or not to be copied
            continue
        if there.is_finite:
            found.append((other, there))
        if len(found) == count:
            break
    return found


def _changes(rng: np.random.Generator) -> Iterator[Change]:
    """Ways to change an array of doubles."""
    def scale(value: Array) -> float:
        size = float(np.sqrt(np.mean(np.square(value)))) if value.size else 0.0
        return size if np.isfinite(size) and size > 0.0 else 1.0

    def moved(value: Array) -> Array:
        return np.asarray(value + 0.3 * scale(value) * rng.standard_normal(value.shape))

    def scaled(value: Array) -> Array:
        return np.asarray(value * rng.uniform(0.6, 1.4, value.shape))

    def anew(value: Array) -> Array:
        return np.asarray(scale(value) * rng.standard_normal(value.shape))

    for _ in range(ROUNDS):
        yield from (moved, scaled, anew)


def _changed(value: Any, change: Change, whole: bool) -> Any:
    """Arrays are changed where they are, so that what shares them still does."""
    for array in {id(one): one for one in _arrays(value)}.values():
        array[...] = change(array.astype(np.float64))

    def number(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) or not (_is_floating(leaf) or whole):
            return leaf
        new = float(change(np.asarray(leaf, dtype=np.float64)))
        return type(leaf)(new) if isinstance(leaf, np.floating) else new

    return mapped(number, value)


def _arrays(value: Any) -> Iterator[Array]:
    """The arrays of floats in a value, in objects too."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f":
            yield value
    elif (kind := kind_of(value)) is not None:
        for part in kind.parts(value).values():
            yield from _arrays(part)


def _inside(value: Any) -> bool:
    return next(_arrays(value), None) is not None


def _is_floating(leaf: Any) -> bool:
    return is_real(leaf) and (isinstance(leaf, (float, np.floating)) or isinstance(leaf, np.ndarray))
