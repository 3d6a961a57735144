"""How far gradients of a sampled tape are spread at the example arguments, for the panel beside the slider.

Needs a derivative and arguments, and is made when the page asks. Promises draws that nobody sees: nothing is printed,
no random number of the user's is used up, and of the stream of the derivative that is shown nothing is drawn. Each draw
meets the same arguments and the same random numbers of the function's own, so that the spread is that of the samples.
js/src/spread.ts checks what it is told.
"""
from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import TangentError
from ..every import leaves
from ..tracing.tape import measured
from .at import for_backend
from .options import OptionError
from .rerun import Calls
from .state import Choice
from .tape import parse_tape, same_tape, written
from .tokens import visible

if TYPE_CHECKING:
    from .session import Take

MOST_DRAWS, LEAST_DRAWS = 200, 2
SECONDS = 1.5                                      # of drawing, beside the least draws
SHOWN_DRAWS = 60                                   # that the page has as numbers
MOST_POINTS = 64
SEED = 20210504                                    # of the draws that are measured: the same tape, the same picture


def unfit(has_arguments: bool) -> str:
    """Why the spread cannot be measured; "" where it can."""
    return "" if has_arguments else "how far gradients are spread is measured at arguments: %%grad --at \"x=…\""


@dataclass
class Moments:
    """The draws of one gradient against the exact one, draw by draw: of B. P. Welford, "Note on a method for
    calculating corrected sums of squares and products" (1962). exact: all numbers of it in a row."""

    exact: Any
    mean: Any = None
    squares: float = 0.0                           # of all distances to the mean, summed
    count: int = 0
    along: list[float] = field(default_factory=list)

    def draw(self, found: Any) -> None:
        """Count one more."""
        self.count += 1
        if self.mean is None:
            self.mean = np.zeros_like(self.exact)
        before = found - self.mean
        self.mean = self.mean + before / self.count
        self.squares += float(np.sum(before * (found - self.mean)))
        length = float(self.exact @ self.exact)
        if length > 0.0:
            self.along.append(float(found @ self.exact) / length)

    @property
    def variance(self) -> float:
        """The sum of the variances of all numbers."""
        return self.squares / (self.count - 1) if self.count > 1 else math.nan

    def told(self, name: str) -> list[Any]:
        """name, how many numbers, length of the exact gradient, standard deviation, distance of the mean from the exact
        gradient, the mean along that, its standard error, and some draws along it; null for what is not finite."""
        along = np.array(self.along)
        error = float(np.std(along, ddof=1)) / math.sqrt(len(along)) if len(along) > 1 else math.nan
        off = math.nan if self.mean is None else float(np.linalg.norm(self.mean - self.exact))
        deviation = math.sqrt(self.variance) if self.variance >= 0.0 else math.nan
        mean = float(np.mean(along)) if len(along) else math.nan
        figures = [float(np.linalg.norm(self.exact)), deviation, off, mean, error]
        return [visible(name), int(self.exact.size), *map(_finite, figures),
                [one for one in map(_finite, self.along[:SHOWN_DRAWS]) if one is not None]]


@dataclass
class Spreads:
    """What was measured of one function at its arguments, with one choice but for the tape. exact: the gradient, a row
    of numbers for each parameter; bytes: of its tape, None where that is not known; points: by the texts of tapes."""

    take: Take
    exact: Sequence[Any] = ()
    bytes: int | None = None
    points: dict[str, dict[str, Any]] = field(default_factory=dict)

    def fits(self, take: Take) -> bool:
        """A derivative is of this function and choice."""
        return take.f is self.take.f and take.at is self.take.at and without_tape(take) == without_tape(self.take)

    def measure(self, text: str) -> dict[str, Any]:
        """Draw with a tape, unless that was done, and tell all that was measured; OptionError for what is no tape."""
        if reason := unfit(self.take.at is not None):
            raise OptionError(reason)
        try:
            tape = same_tape(text)
        except ValueError as error:
            raise OptionError(str(error)) from None
        if not tape:
            raise OptionError("the exact gradient has no spread: choose a sampled tape")
        if tape not in self.points:
            found = self._point(tape)
            while len(self.points) >= MOST_POINTS:
                self.points.pop(next(iter(self.points)))
            self.points[tape] = found
        return self.told()

    def told(self) -> dict[str, Any]:
        """bytes: of the exact tape; points: each with its tape, fraction, draws, seconds, bytes, the parameters as
        `Moments.told` has them, and sites: `[row, bytes kept, bytes exact]`."""
        return {"bytes": self.bytes, "points": list(self.points.values())}

    def _point(self, tape: str) -> dict[str, Any]:
        start = perf_counter()
        if not self.exact:
            self._reference()
        sampled = parse_tape(tape)
        assert sampled is not None
        other = _derived(self.take, written(replace(sampled, seed=SEED)))
        calls = self._calls(other)
        df = inspect.unwrap(other.derived.function)
        found = [Moments(one) for one in self.exact]
        begun = perf_counter()
        while found and (found[0].count < LEAST_DRAWS or (
                found[0].count < MOST_DRAWS and perf_counter() - begun < SECONDS)):
            gradients = other.derived.gradients(calls(df))
            for one, gradient in zip(found, gradients, strict=True):
                one.draw(_row(gradient))
        names = other.derived.derivation.wrt
        size, sites = _kept(df, calls)
        return {"tape": tape, "fraction": None if sampled.fraction is None else float(sampled.fraction),
                "draws": found[0].count if found else 0, "seconds": perf_counter() - start, "bytes": size,
                "parameters": [one.told(name) for name, one in zip(names, found, strict=True)], "sites": sites}

    def _calls(self, take: Take) -> Calls:
        assert self.take.at is not None
        at, _ = for_backend(take.derived, self.take.at)
        return Calls(self.take.f, at.args, at.kwargs)

    def _reference(self) -> None:
        plain = _derived(self.take, "")
        df, calls = inspect.unwrap(plain.derived.function), self._calls(plain)
        self.exact = [_row(one) for one in plain.derived.gradients(calls(df))]
        self.bytes = _kept(df, calls)[0]


def without_tape(take: Take) -> Choice:
    """What was chosen but for the tape."""
    return replace(take.choice, tape="")


def _derived(take: Take, tape: str) -> Take:
    return take.other(replace(take.choice, tape=tape), check=False)


def _row(gradient: Any) -> Any:
    """All numbers of a gradient, whatever holds them, in a row."""
    parts = [np.ravel(np.asarray(one, dtype=float)) for one in leaves(gradient)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _kept(df: Any, calls: Calls) -> tuple[int | None, list[list[int]]]:
    """The bytes of the tape, and of each sample's line those that are kept and the exact ones; none where a derivative
    has no tape to be measured."""
    def run(*args: Any, **kwargs: Any) -> Any:
        return measured(df, args, kwargs, shown=False, compared=False)

    try:
        found = calls(run)
    except TangentError:
        return None, []
    shown = df.__code__.co_filename
    lines: dict[int, list[int]] = {}
    for one in found:
        if one.whole and one.site.filename == shown:
            line = lines.setdefault(one.site.line - 1, [0, 0])
            line[0] += one.bytes
            line[1] += one.whole
    return found.bytes, [[row, *sizes] for row, sizes in sorted(lines.items())]


def _finite(number: float) -> float | None:
    return float(f"{number:.6g}") if math.isfinite(number) else None
