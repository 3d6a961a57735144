"""Other arguments, beside those that were given: an answer that is right by accident at some is not right at others."""
from __future__ import annotations

import inspect
import types
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
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

    Floating numbers are moved, scaled or drawn anew. Whole numbers go a step up or down, and arrays of them are put in
    another order, where the function takes that: of an index, or a size, it may not. They are the same each time.
    """
    found: list[tuple[inspect.BoundArguments, Truth]] = []
    floating = any(_is_floating(leaf) for value in bound.arguments.values() for leaf in leaves(value)) \
        or any(_inside(value) for value in bound.arguments.values())
    rng = np.random.default_rng(count)

    def at(change: Change | None, steps: Collection[str]) -> tuple[inspect.BoundArguments, Truth] | None:
        """Other arguments, and what is true there; None outside of where the function is defined, or where they are
        not to be copied. steps: the parameters whose whole numbers change."""
        try:
            arguments = OrderedDict(deepcopy(dict(bound.arguments)))
            for name, value in arguments.items():
                if name in steps:
                    value = _stepped(value, rng)
                if change is not None:
                    value = _changed(value, change, not floating and name in truth.gradients)
                arguments[name] = value
            other = inspect.BoundArguments(bound.signature, arguments)
            there = truth.at(f, other)
        except Exception:
            return None
        return (other, there) if there.is_finite else None

    steps = [name for name, value in bound.arguments.items() if count and (floating or name not in truth.gradients)
             and _has_whole(value) and at(None, [name]) is not None]
    for change in _changes(rng) if count else ():
        if (one := steps and at(change, steps) or at(change, ())) is not None:
            found.append(one)
        if len(found) == count:
            break
    return found


def _stepped(value: Any, rng: np.random.Generator) -> Any:
    """Whole numbers a step further, or back where they stay positive; arrays of them in another order, where they are,
    so that what shares them still does."""
    for array in {id(one): one for one in _arrays(value, "iu")}.values():
        array[...] = rng.permutation(array.ravel()).reshape(array.shape)

    def number(leaf: Any) -> Any:
        if not _is_whole(leaf):
            return leaf
        return type(leaf)(leaf + (-1 if leaf > 1 and rng.random() < 0.5 else 1))

    return mapped(number, value)


def _is_whole(leaf: Any) -> bool:
    return isinstance(leaf, (int, np.integer)) and not isinstance(leaf, bool)


def _has_whole(value: Any) -> bool:
    return any(_is_whole(leaf) for leaf in leaves(value)) or any(one.size > 1 for one in _arrays(value, "iu"))


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


def _arrays(value: Any, kinds: str = "f") -> Iterator[Array]:
    """The arrays of floats in a value, or of other kinds, in objects too."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind in kinds:
            yield value
    elif (kind := kind_of(value)) is not None:
        for part in kind.parts(value).values():
            yield from _arrays(part, kinds)


def _inside(value: Any) -> bool:
    return next(_arrays(value), None) is not None


def _is_floating(leaf: Any) -> bool:
    return is_real(leaf) and (isinstance(leaf, (float, np.floating)) or isinstance(leaf, np.ndarray))
