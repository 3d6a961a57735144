"""Bugs to plant, one at a time, to see that the fuzzer finds them: it must, each within 50 programs."""
from __future__ import annotations

import builtins
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

SHARERS = (np.asarray, np.asanyarray, np.ascontiguousarray, np.require, np.atleast_1d)


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
    new = replace(old, pull={param: table.choices(text)}, push={param: table.choices(text)})
    with changed_rows(lambda row: new if row is old else row):
        yield


@contextlib.contextmanager
def changed_rows(change: Callable[[Any], Any]) -> Iterator[None]:
    """Other rows in the table: what `change` makes of each."""
    from tangent_nb.rules import table
    stores: list[dict[Any, Any]] = [table._ROWS, table._METHODS, table._OPERATORS]
    kept = [(store, key, row) for store in stores for key, row in store.items()]
    for store, key, row in kept:
        store[key] = change(row)
    try:
        yield
    finally:
        for store, key, row in kept:
            store[key] = row


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
        return found and ([one for one in found if type(one).__name__ != "AugAssign"]
                          if "Slice" in type(value.slice).__name__ else found)
    return attribute((StatementAdjoints, "_indexed"), value=_indexed)


def kept_cotangent() -> contextlib.AbstractContextManager[None]:
    """After `y[i] = v` the cotangent of the cell, which goes to v, stays in that of y too."""
    from tangent_nb.differentiate.statement_adjoints import StatementAdjoints
    written = StatementAdjoints._written

    def _written(self: Any, stmt: Any, target: Any, z: set[str]) -> Any:
        return [one
                for one in written(self, stmt, target, z) if type(getattr(one, "value", None)).__name__ != "Constant"]
    return attribute((StatementAdjoints, "_written"), value=_written)


def fresh_memory() -> contextlib.AbstractContextManager[None]:
    """What np.asarray and its like give is taken for new memory, never for their argument."""
    return changed_rows(lambda row: replace(row, memory="fresh") if row.fn in SHARERS else row)


@contextlib.contextmanager
def python_names() -> Iterator[None]:
    """A name that Python has, too, is taken for Python's, and no guard asks again."""
    from tangent_nb import runtime
    from tangent_nb.analyse.resolve import Scope
    looked_up = Scope.value

    def value(self: Any, node: Any) -> Any:
        name = getattr(node, "id", "")
        return getattr(builtins, name) if hasattr(builtins, name) else looked_up(self, node)
    with attribute((Scope, "value"), value=value), attribute((runtime, "check_helpers"), value=lambda *_: None):
        yield


def unasked() -> contextlib.AbstractContextManager[None]:
    """What is known only when it runs, as a method that is held, is called without being asked what it changes."""
    from tangent_nb import runtime
    from tangent_nb.runtime import dynamic
    return attribute((runtime, "clean"), (dynamic, "clean"), value=lambda fn: fn)


def ieee_poles() -> contextlib.AbstractContextManager[None]:
    """A pole behind a cotangent that the text cuts off is computed as it comes: 0 times infinity."""
    from tangent_nb.differentiate.zeros import Zeros

    def masked(self: Any, tree: Any, *rest: Any) -> Any:
        return tree
    return attribute((Zeros, "masked"), value=masked)


def left_waiting() -> contextlib.AbstractContextManager[None]:
    """What is stored in an attribute outside never gets there: it is zero."""
    from tangent_nb.runtime.sweeps import Stored
    written = Stored.write

    def write(self: Any, own: Any) -> None:
        before = self.x.__dict__.get(self.name) if self.kind == "attribute" else self.there
        written(self, own)
        if self.kind == "attribute" and before is self.there:
            setattr(self.x, self.name, 0.0)
    return attribute((Stored, "write"), value=write)


BUGS = {
    "sign": Bug("a wrong sign: the partial of sin is -cos", lambda: partial_of(np.sin, "g * -np.cos(x)")),
    "scale": Bug("a scale of 1 % on the partial of tanh", lambda: partial_of(np.tanh, "g * 1.01 * (1.0 - y * y)")),
    "index": Bug("the last of a repeated index wins in add_at", last_wins),
    "save": Bug("a save is dropped: the backward sweep reads an overwritten value", dropped_save),
    "restore": Bug("a part that was overwritten is not restored", missing_restore, "mutating"),
    "writers": Bug("every writer of a repeated index gets the cotangent, not the last", every_writer, "mutating"),
    "view": Bug("the cotangent of a slice is dropped", dropped_view, "mutating"),
    "sharing": Bug("np.asarray never gives its argument", fresh_memory),
    "names": Bug("a name in the text is taken for Python's", python_names),
    "held": Bug("a held method is taken for pure", unasked),
    "poles": Bug("zeros of cuts times poles are NaN", ieee_poles),
    "waiting": Bug("what is stored outside never gets there", left_waiting, "real"),
    "partial": Bug("a scale of 1 % on the partial of sin", lambda: partial_of(np.sin, "g * 1.01 * np.cos(x)"), "real"),
    "cell": Bug("the cotangent of an overwritten cell is not set to zero", kept_cotangent, "mutating"),
}


def planted(name: str) -> contextlib.AbstractContextManager[None]:
    """Plant a bug for the time of a `with`."""
    return BUGS[name].plant()
