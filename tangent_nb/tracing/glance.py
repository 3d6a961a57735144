"""What the variables of each line are in a run, the first time and the last time that the line runs.

A recording (`record.py`) keeps what every step changes; of this the size does not depend on how long the run is. Needs
a function with a text; promises for each line that ran how often it did, and the values of the variables that it reads
and stores, before it and after it.
"""
from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import numpy as np

from ..api import derivation
from ..runtime.persistent import PersistentArray
from .origins import Origins
from .snapshots import Array, Other, Parts, Shown, extremes, is_array, of_leaf, parts_of
from .statements import Statement, base
from .stepper import Listener, Step, run
from .texts import Texts

WHOLE = 1024                                       # elements of an array that is kept whole
Place: TypeAlias = "tuple[str, int]"               # a file's name, a line in it
Values: TypeAlias = "dict[str, Shown]"


@dataclass(frozen=True)
class Summary:
    """What is said of an array. low, high, mean: of its finite elements, None where it has none, or they are complex;
    cells: the array itself, where it is small."""

    shape: tuple[int, ...]
    dtype: str
    low: float | None
    high: float | None
    mean: float | None
    nans: int
    infs: int
    cells: Array | None


@dataclass
class Visit:
    """A line that has run. times: how often; first, last: the values before it and after it."""

    times: int = 0
    first: tuple[Values, Values] = field(default_factory=lambda: ({}, {}))
    last: tuple[Values, Values] = field(default_factory=lambda: ({}, {}))


@dataclass(frozen=True)
class Glance:
    """A run. visits: by the lines; error: what ended it, None where nothing did."""

    visits: dict[Place, Visit]
    error: Exception | None = None


def glance(df: Callable[..., Any], *args: Any, **kwargs: Any) -> Glance:
    """Run a derivative once, and keep what the variables of its lines are; the user's own lines that it calls are among
    them. What it raises ends the run, and is kept.

    df: a derivative on NumPy that is not compiled; args, kwargs: its arguments. TangentError: `df` is no derivative.

    >>> import tangent_nb as tnb
    >>> def f(x, n):
    ...     for _ in range(n):
    ...         x = x * x
    ...     return np.sum(x * x)
    >>> df = tnb.grad(f)
    >>> found = glance(df, 2.0, 3)
    >>> lines = tnb.source(df).split("\\n")
    >>> line = 1 + next(at for at, text in enumerate(lines) if text.strip() == "x = x * x")
    >>> visit = found.visits[df.__code__.co_filename, line]
    >>> visit.times, visit.first[1]["x"], visit.last[0]["x"], visit.last[1]["x"]
    (3, 4.0, 16.0, 256.0)
    """
    known = derivation(df)
    df = cast(types.FunctionType, inspect.unwrap(df))
    looker = _Looker()
    error = None
    try:
        run(lambda: df(*args, **kwargs), Texts(Origins(known, df.__code__.co_filename)).follow, looker)
    except Exception as raised:
        error = raised
    return Glance(looker.visits, error)


class _Looker(Listener):
    def __init__(self) -> None:
        self.visits: dict[Place, Visit] = {}
        self._names: dict[Statement, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def began(self, step: Step) -> None:
        reads, _ = self._of(step.statement)
        step.before = _values(step.activation.frame, reads)

    def ended(self, step: Step, returned: Any) -> None:
        frame = step.activation.frame
        _, stores = self._of(step.statement)
        place = frame.f_code.co_filename, step.statement.first
        visit = self.visits.setdefault(place, Visit())
        visit.times += 1
        visit.last = step.before or {}, _values(frame, stores)
        if visit.times == 1:
            visit.first = visit.last

    def _of(self, statement: Statement) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names that a statement reads, and those that it stores, or of which it stores a part."""
        known = self._names.get(statement)
        if known is None:
            stores = dict.fromkeys(filter(None, map(base, statement.stores)))
            reads = dict.fromkeys(node.id for one in (*statement.reads, *statement.stores) for node in ast.walk(one)
                                  if isinstance(node, ast.Name))
            known = self._names[statement] = tuple(reads), tuple(stores)
        return known


def _values(frame: types.FrameType, names: tuple[str, ...]) -> Values:
    local = frame.f_locals
    return {name: kept(local[name]) for name in names if name in local}


def kept(value: Any) -> Shown:
    """What is kept of a value.

    >>> found = kept(np.array([1.0, np.nan, 3.0]))
    >>> found.low, found.high, found.mean, found.nans, found.dtype
    (1.0, 3.0, 2.0, 1, 'float64')
    """
    if type(value) is PersistentArray:
        value = np.asarray(value)
    if is_array(value):
        return _summary(value)
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)):
        return of_leaf(value)
    parts = parts_of(value)
    if parts is not None:
        names = None if isinstance(parts, list) else tuple(map(str, list(parts)[:8]))
        return Parts(type(value).__name__, len(parts), names)
    return of_leaf(value)


def _summary(value: Array) -> Summary:
    low, high, nans, infs = extremes(value)
    mean: float | None = None
    if value.dtype.kind != "c" and low is not None:
        with np.errstate(over="ignore", invalid="ignore"):
            finite = value if not nans and not infs else value[np.isfinite(value)]
            mean = float(np.mean(finite, dtype=np.float64))
    small = value.size <= WHOLE
    return Summary(value.shape, str(value.dtype), low, high, mean, nans, infs, value.copy() if small else None)


__all__ = ["Glance", "Other", "Parts", "Summary", "Visit", "glance", "kept"]
