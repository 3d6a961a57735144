"""What a derivative on JAX is compared with: the same derivative on NumPy, entry by entry of the corpus."""
from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import test_corpus
from corpus import Entry
from oracles import gap, leaves
from test_corpus import direction_of, point, push, seed_of, seeded

import tangent_nb as tnb
from tangent_nb.errors import TangentError


@dataclass(frozen=True)
class Outcome:
    """kind: `"right"`, `"refused"`, `"refused when called"`, `"wrong"`, `"crash"` or `"not on NumPy"`;
    why: the first line of a reason."""

    kind: str
    why: str = ""


def compared(entry: Entry, mode: str, *, compile: str | None = None, optimized: bool = True) -> Outcome:
    """What becomes of one entry on JAX, in one mode."""
    make = {"reverse": tnb.vjp, "forward": tnb.jvp}[mode]
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            # derived once
            want = called(entry, mode, {"reverse": test_corpus.vjp, "forward": test_corpus.jvp}[mode](entry, optimized))
        except TangentError:
            return Outcome("not on NumPy")
        try:
            function = make(entry.function, wrt=entry.wrt, optimized=optimized, backend="jax", compile=compile)
        except TangentError as error:
            return Outcome("refused", reason(error))
        try:
            got = called(entry, mode, function)
        except TangentError as error:
            return Outcome("refused when called", reason(error))
        except Exception as error:
            return Outcome("crash", f"{type(error).__name__}: {error}")
        return Outcome("right") if same(entry, got, want) else Outcome("wrong", f"{got!r} where {want!r} is due")


def called(entry: Entry, mode: str, function: Callable[..., Any]) -> Any:
    if mode == "reverse":
        return seeded(function, entry, seed_of(entry))
    return push(entry, function, point(entry), direction_of(entry))


def same(entry: Entry, got: Any, want: Any) -> bool:
    """Equal to rounding, times the conditioning of the function, with the same shapes and dtypes."""
    described = [[(np.shape(leaf), getattr(leaf, "dtype", np.dtype(float))) for leaf in leaves(value)]
                 for value in (got, want)]
    distance = gap(on_host(got), want)
    if not np.isfinite(distance):
        close = all(np.array_equal(np.asarray(p), np.asarray(q), equal_nan=True)
                    for p, q in zip(leaves(got), leaves(want), strict=True))
    else:
        close = distance <= max(1e-12, entry.tol) or distance <= 20.0 * 2.0 ** -52 * test_corpus.condition(entry)
    return close and described[0] == described[1]


def on_host(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(map(on_host, value))
    return np.asarray(value)[()] if hasattr(value, "devices") else value


def reason(error: TangentError) -> str:
    """Why, without the names of variables and the numbers."""
    refusals = getattr(error, "refusals", ())
    return refusals[0].why if refusals else str(error).splitlines()[0]
