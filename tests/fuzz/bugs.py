"""Four bugs to plant, one at a time, to see that the fuzzer finds them: it must, each within 50 programs."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Bug:
    """A bug: what it is in words, and a context manager that plants it."""

    what: str
    plant: Callable[[], contextlib.AbstractContextManager[None]]


@contextlib.contextmanager
def partial_of(fn: object, text: str) -> Iterator[None]:
    """Another partial in the row of an elementwise function of one argument, in both modes."""
    from tangent_nb.rules import table
    old = table.lookup(fn)
    assert old is not None
    (param,) = old.pull
    allowed = {old.result, "g", *old.signature.parameters}
    new = replace(old, pull={param: table.choices(text, allowed)}, push={param: table.choices(text, allowed)})
    stores: list[dict[Any, Any]] = [table._ROWS, table._METHODS, table._OPERATORS]
    places = [(store, key) for store in stores for key, row in store.items() if row is old]
    for store, key in places:
        store[key] = new
    try:
        yield
    finally:
        for store, key in places:
            store[key] = old


@contextlib.contextmanager
def attribute(*places: tuple[Any, str], value: Any) -> Iterator[None]:
    """Another value of an attribute, in each place that has it."""
    kept = [(owner, name, getattr(owner, name)) for owner, name in places if hasattr(owner, name)]
    assert kept, "nothing to plant the bug in"
    for owner, name, _ in kept:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, old in kept:
            setattr(owner, name, old)


def last_wins() -> contextlib.AbstractContextManager[None]:
    """The transpose of reading `x[[0, 0]]` keeps one of two cotangents, as `b[index] += g` does."""
    from tangent_nb import runtime
    from tangent_nb.runtime import indexing

    def add_at(b: Any, index: Any, g: Any) -> None:
        b[index] += g
    return attribute((runtime, "add_at"), (indexing, "add_at"), value=add_at)


def dropped_save() -> contextlib.AbstractContextManager[None]:
    """A value that the backward sweep reads is not saved although a statement overwrites it."""
    from tangent_nb.differentiate.saves import Saves

    def _one(self: Any, *rest: Any) -> None:
        return None
    return attribute((Saves, "_one"), value=_one)


BUGS = {
    "sign": Bug("a wrong sign: the partial of sin is -cos", lambda: partial_of(np.sin, "g * -np.cos(x)")),
    "scale": Bug("a scale of 1 % on the partial of tanh", lambda: partial_of(np.tanh, "g * 1.01 * (1.0 - y * y)")),
    "index": Bug("the last of a repeated index wins in add_at", last_wins),
    "save": Bug("a save is dropped: the backward sweep reads an overwritten value", dropped_save),
}


def planted(name: str) -> contextlib.AbstractContextManager[None]:
    """Plant a bug for the time of a `with`."""
    return BUGS[name].plant()
