"""Bugs to plant, one at a time, to see that the fuzzer finds them: it must, each within 50 programs."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Bug:
    """A bug: what it is in words, a context manager that plants it, and the grammar that is to find it."""

    what: str
    plant: Callable[[], contextlib.AbstractContextManager[None]]
    grammar: str = "plain"


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


def missing_restore() -> contextlib.AbstractContextManager[None]:
    """The part that a statement overwrites is not put back, although the backward sweep reads it."""
    from tangent_nb.differentiate.saves import Saves

    def _parts(self: Any, stmt: Any) -> list[Any]:
        return []
    return attribute((Saves, "_parts"), value=_parts)


def every_writer() -> contextlib.AbstractContextManager[None]:
    """Where `y[[0, 0]] = v` writes to one cell twice, both writers get its cotangent, not the last one alone."""
    from tangent_nb import runtime
    from tangent_nb.runtime import indexing

    def written(b: Any, v: Any, i: Any) -> Any:
        return runtime.unbroadcast(np.array(b[i]), v)
    return attribute((runtime, "written"), (indexing, "written"), value=written)


def dropped_view() -> contextlib.AbstractContextManager[None]:
    """What is read through a slice of an array gives no cotangent to the array."""
    from tangent_nb.differentiate.statement_adjoints import StatementAdjoints
    indexed = StatementAdjoints._indexed

    def _indexed(self: Any, stmt: Any, y: str, value: Any, z: set[str], env: Any) -> Any:
        found = indexed(self, stmt, y, value, z, env)
        return found and ([one for one in found if type(one).__name__ != "AugAssign"] if "Slice" in type(value.slice).__name__ else found)
    return attribute((StatementAdjoints, "_indexed"), value=_indexed)


def kept_cotangent() -> contextlib.AbstractContextManager[None]:
    """After `y[i] = v` the cotangent of the cell, which goes to v, stays in that of y too."""
    from tangent_nb.differentiate.statement_adjoints import StatementAdjoints
    written = StatementAdjoints._written

    def _written(self: Any, stmt: Any, target: Any, z: set[str]) -> Any:
        return [one for one in written(self, stmt, target, z) if type(getattr(one, "value", None)).__name__ != "Constant"]
    return attribute((StatementAdjoints, "_written"), value=_written)


BUGS = {
    "sign": Bug("a wrong sign: the partial of sin is -cos", lambda: partial_of(np.sin, "g * -np.cos(x)")),
    "scale": Bug("a scale of 1 % on the partial of tanh", lambda: partial_of(np.tanh, "g * 1.01 * (1.0 - y * y)")),
    "index": Bug("the last of a repeated index wins in add_at", last_wins),
    "save": Bug("a save is dropped: the backward sweep reads an overwritten value", dropped_save),
    "restore": Bug("a part that was overwritten is not restored", missing_restore, "mutating"),
    "writers": Bug("every writer of a repeated index gets the cotangent, not the last", every_writer, "mutating"),
    "view": Bug("the cotangent of a slice is dropped", dropped_view, "mutating"),
    "cell": Bug("the cotangent of an overwritten cell is not set to zero", kept_cotangent, "mutating"),
}


def planted(name: str) -> contextlib.AbstractContextManager[None]:
    """Plant a bug for the time of a `with`."""
    return BUGS[name].plant()
