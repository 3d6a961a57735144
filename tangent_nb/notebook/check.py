"""`--check`: the derivative against finite differences, and against the other mode, in a small table."""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

import tangent_nb

from ..at_kinks import curvature_differs, slope_jumps
from ..errors import TangentError
from ..every import is_real, leaves
from .derive import Derived, added
from .numbers import basis, directions, dot, mapped
from .rerun import Calls
from .view import Table

MOST = 9                                           # numbers in a parameter that are checked one by one
STEPS = (6e-6, 1e-4, 3e-7)                         # relative to the size of the parameter
DIFFERENCES = 1e-5                                 # largest relative difference that counts as agreement
MODES = {np.dtype(np.float16): 1e-2, np.dtype(np.float32): 1e-4}
DOUBLE = 1e-9

Ours: TypeAlias = Callable[[int, Any], Any]        # of a parameter's place and a direction: the derivative along it


@dataclass(frozen=True)
class Found:
    """How far two derivatives are apart, relative to their size; or why that is not known."""

    difference: float = 0.0
    problem: str = ""

    def text(self) -> str:
        """As it stands in the table."""
        return self.problem or f"{self.difference:.1e}"


def table(f: types.FunctionType, derived: Derived, bound: inspect.BoundArguments) -> Table:
    """One row for each parameter: the largest relative differences, and whether they are small."""
    call = Calls(f, bound.args, bound.kwargs)
    reverse = derived.derivation.mode == "reverse"
    ours = _reverse(call, derived) if reverse else _forward(call, derived, bound)
    rows, marks = [], []
    for place, name in enumerate(derived.derivation.wrt):
        row, mark = _row(call, f, ours, reverse, place, name, bound.arguments[name])
        rows.append(row)
        marks.append(mark)
    head = ("parameter", "from finite differences", f"from {'forward' if reverse else 'reverse'} mode")
    return Table("check: largest relative difference", head, tuple(rows), tuple(marks))


def _row(call: Calls, f: types.FunctionType, ours: Ours, reverse: bool, place: int, name: str,
         value: Any) -> tuple[tuple[str, ...], bool | None]:
    lines = directions(_doubled(value), MOST)
    mine = [ours(place, line) for line in lines]
    numeric = _against(mine, lambda: [_differences(call, f, name, value, line) for line in lines])
    modes = _against(*(_tangents if reverse else _pulled)(call, f, mine, name, value, lines))
    kink = _kink(call, f, name, value, lines)
    agrees = None
    if not numeric.problem and not modes.problem:
        agrees = numeric.difference <= DIFFERENCES and modes.difference <= tolerance(value)
    return (name, numeric.text() + (f"; a kink: {kink}" if kink else ""), modes.text()), agrees


def _kink(call: Calls, f: types.FunctionType, name: str, value: Any, lines: list[Any]) -> str:
    """How a number that is computed has a kink at a value, along the first of some directions in which it has."""
    doubled = _doubled(value)
    unit = max(1.0, *(float(np.max(np.abs(leaf), initial=0.0)) for leaf in leaves(doubled)), 1.0)
    try:
        if np.shape(call(f)) != ():
            return ""
        push = tangent_nb.jvp(f, name)
        second = tangent_nb.jvp(push, name)
        [tangent], [twice] = added(f, push), added(push, second)
        for line in lines:
            def beside(t: float, line: Any = line) -> dict[str, Any]:
                return {name: mapped(lambda leaf, one: leaf + t * one, doubled, line)}

            found = slope_jumps(lambda t: float(call(f, beside(t))), unit) or curvature_differs(
                lambda t: float(call(push, beside(t), **{tangent: line})),  # noqa: B023
                float(call(second, beside(0.0), **{tangent: line, twice: line})), unit)
            if found:
                return found
    except Exception:
        return ""
    return ""


def tolerance(value: Any) -> float:
    """The relative difference that counts as rounding in numbers of these dtypes."""
    kinds = [MODES.get(np.asarray(leaf).dtype, DOUBLE) for leaf in leaves(value)]
    return max(kinds, default=DOUBLE)


def _doubled(value: Any) -> Any:
    """Arrays of short floats as doubles, so that differences are exact enough."""
    return mapped(lambda leaf: leaf.astype(np.float64) if isinstance(leaf, np.ndarray) else
                  np.float64(leaf) if isinstance(leaf, np.floating) else float(leaf), value)


def _reverse(call: Calls, derived: Derived) -> Ours:
    """The derivative along a direction, from the gradient."""
    gradients = derived.gradients(call(derived.function))
    return lambda place, line: dot(gradients[place], line)


def _forward(call: Calls, derived: Derived, bound: inspect.BoundArguments) -> Ours:
    """The derivative along a direction, from the tangent."""
    names = added(call.fn, derived.function)

    def along(place: int, line: Any) -> Any:
        values = [bound.arguments[name] for name in derived.derivation.wrt]
        tangents = {name: _like(line, value) if at == place else basis(value, 0.0)
                    for at, (name, value) in enumerate(zip(names, values))}
        return call(derived.function, **tangents)

    return along


def _like(line: Any, value: Any) -> Any:
    """A direction with the kinds of a value."""
    return mapped(lambda one, leaf: one.astype(leaf.dtype) if isinstance(leaf, np.ndarray) else one, line, value)


def _differences(call: Calls, f: types.FunctionType, name: str, value: Any, line: Any) -> list[Any]:
    """Central differences along a direction, one for each step."""
    doubled = _doubled(value)
    scale = max((float(np.max(np.abs(leaf), initial=0.0)) for leaf in leaves(doubled)), default=0.0)
    return [_quotient(call, f, name, doubled, line, step * max(1.0, scale)) for step in STEPS]


def _quotient(call: Calls, f: types.FunctionType, name: str, value: Any, line: Any, h: float) -> Any:
    def at(step: float) -> Any:
        return call(f, {name: mapped(lambda leaf, one: leaf + step * one, value, line)})

    return mapped(lambda a, b: (a - b) / (2.0 * h), at(h), at(-h))


def _tangents(call: Calls, f: types.FunctionType, mine: list[Any], name: str, value: Any,
              lines: list[Any]) -> tuple[list[Any], Callable[[], list[list[Any]]]]:
    """What forward mode makes of the same directions."""
    def theirs() -> list[list[Any]]:
        tf = tangent_nb.jvp(f, name)
        [tangent] = added(f, tf)
        return [[call(tf, **{tangent: _like(line, value)})] for line in lines]

    return mine, theirs


def _pulled(call: Calls, f: types.FunctionType, mine: list[Any], name: str, value: Any,
            lines: list[Any]) -> tuple[list[Any], Callable[[], list[list[Any]]]]:
    """What reverse mode makes of them: both modes are compared along a direction of the result, too."""
    seed = mapped(lambda leaf: np.cos(np.arange(np.size(leaf))).reshape(np.shape(leaf)).astype(leaf.dtype)
                  if isinstance(leaf, np.ndarray) else 1.0, call(f))

    def theirs() -> list[list[Any]]:
        vf = tangent_nb.vjp(f, name)
        gradient = call(vf, **{added(f, vf)[0]: seed})
        return [[dot(gradient, line)] for line in lines]

    return [dot(seed, one) for one in mine], theirs


def _against(mine: list[Any], theirs: Callable[[], list[list[Any]]]) -> Found:
    """The largest difference over all directions, to the nearest of the numbers found for each."""
    try:
        pairs = list(zip(mine, theirs()))
    except TangentError as error:
        return Found(problem="refused: " + (str(error).partition("why: ")[2] or str(error)).partition("\n")[0][:60])
    except Exception as error:
        return Found(problem=f"{type(error).__name__}: {error}"[:60])
    return Found(max((min(_distance(a, b) for b in found) for a, found in pairs), default=0.0))


def _distance(a: Any, b: Any) -> float:
    """The relative difference of two values of one structure; infinite where one alone is not finite."""
    one, other = leaves(a), leaves(b)
    if len(one) != len(other) or not all(map(is_real, one)):
        return float("inf")
    worst = 0.0
    for x, y in zip(one, other):
        if np.shape(x) != np.shape(y):
            return float("inf")
        with np.errstate(all="ignore"):
            distance = np.abs(np.subtract(x, y, dtype=np.float64)) / np.maximum(1.0, np.maximum(np.abs(x), np.abs(y)))
            distance = np.where(np.isnan(distance), np.where(np.equal(x, y), 0.0, np.inf), distance)
        worst = max(worst, float(np.max(distance, initial=0.0)))
    return worst
