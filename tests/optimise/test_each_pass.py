"""Passes change no number: all, none, each alone and each left out give equal derivatives, of the whole corpus.

Each is compared with the derivative without passes: the gradient by the text for the entry's arguments, which is what a
call of `tnb.grad(f)` runs, and by that for all; pullbacks of a seed; tangents by both texts. Equal is what differs by
1e-12 at most, relative to 1 + the size, or by what rounding makes of it: twenty times the rounding errors that the
derivative without passes shows at this point (`conditioning`). Shapes, dtypes, ownership and what is done to the
arguments stay as they are, and what is refused is refused with and without passes.

With `--sample` the entries that have their turn are compared with all passes, without one and with one alone, others
each time; without it, with every set: `docs/testing.md` names the command.
"""
from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gast
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from corpus import Entry
from oracles import EPS, fresh, gap, is_float, mapped, sourced
from test_corpus import (
    ACCEPTED,
    _quiet,  # noqa: F401
    corpus,
    direction_of,
    fits,
    fixed,
    left,
    point,
    push,
    random_of,
    same,
    scalar_valued,
    seed_of,
)

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.optimise import PASSES, USUAL, first_writes

ALONE = {f"only {name}": (name,) for name in PASSES}
LEFT_OUT = {f"without {name}": tuple(other for other in tnb.PASSES if other != name) for name in tnb.PASSES}
ADDED = {f"with {name}": tuple(one for one in PASSES if one in (*USUAL, name)) for name in PASSES if name not in USUAL}
SETS = {"all passes": tnb.PASSES, **ALONE, **LEFT_OUT, **ADDED}
MOST = 1e6                     # rounding errors: of what shows more it is not known that they are such
Call = Callable[[Callable[..., Any], tuple[Any, ...], float], Any]


class Compared(NamedTuple):
    """What one set of passes gives, beside none."""

    what: str
    distance: float
    limit: float


class Refused(NamedTuple):
    """The error that came instead of a derivative."""

    error: str


# ------------------------------------------------------------------ modes
def gradient(entry: Entry, passes: tuple[str, ...]) -> Callable[..., Any]:
    derive = tnb.grad if scalar_valued(entry) else tnb.vjp
    return derive(entry.function, entry.wrt, optimized=passes, like=entry.fresh())


def pullback(entry: Entry, passes: tuple[str, ...]) -> Callable[..., Any]:
    return tnb.vjp(entry.function, entry.wrt, optimized=passes)


def tangent(entry: Entry, passes: tuple[str, ...]) -> Callable[..., Any]:
    return tnb.jvp(entry.function, entry.wrt, optimized=passes, like=entry.fresh())


MODES = {"gradient": gradient, "pullback": pullback, "tangent": tangent}


def call_of(entry: Entry, mode: str) -> Call:
    """How the derivative is called with arguments; the seed, or the direction, is so many times as long."""
    if mode == "tangent":
        direction = direction_of(entry)
        return lambda df, args, size: push(entry, df, args, times(direction, size))
    if mode == "gradient" and scalar_valued(entry):
        return lambda df, args, size: df(*args)
    seed = seed_of(entry)
    return lambda df, args, size: df(*args, **{fixed(df)[-1]: times(seed, size)})


def times(value: Any, size: float) -> Any:
    """A structure of numbers, each so many times as long, of its own dtype."""
    return mapped(lambda one: one if size == 1.0 else one * np.asarray(size, getattr(one, "dtype", float))[()], value)


def texts(df: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The derivative by the text for the arguments, where there is one, and by that for all."""
    general = getattr(df, "__tangent_general__", None)
    return {"": df} if general is None else {", for these arguments": df, ", for all": general}


def given(make: Callable[[], Any]) -> Any:
    """What is made, or that it is refused."""
    try:
        return make()
    except TangentError as error:
        return Refused(type(error).__name__)


# ------------------------------------------------------------------ how far rounding reaches
def conditioning(entry: Entry, call: Call, raw: Callable[..., Any]) -> float:
    """How many rounding errors the derivative without passes carries, relative to 1 + its size; at least 1.

    What it does where the arguments move by a few of the last places shows those that arise on the way too; where the
    seed is 1.37 times as long, those of the backward sweep alone. What jumps there (a kink) says nothing of rounding,
    and is not counted: more than MOST, or more than a hundred times what a longer move shows.
    """
    base, rng, found = call(raw, point(entry), 1.0), np.random.default_rng(5), [1.0]

    def shown(size: float) -> float:
        near = list(point(entry))
        for place in entry.wrt:
            near[place] = mapped(lambda one: one * np.asarray(
                1.0 + size * rng.uniform(-1.0, 1.0, np.shape(one)), getattr(one, "dtype", float))[()]
                if is_float(one) else one, fresh(near[place]))
        return gap(call(raw, tuple(near), 1.0), base) / size

    smooth = max(shown(1e-8) for _ in range(3))
    for size in (2.0 * EPS, 4.0 * EPS, 8.0 * EPS):
        found += [moved for _ in range(3) if (moved := shown(size)) <= MOST * min(1.0, 1e-4 * (1.0 + smooth))]
    if smooth <= MOST and math.isfinite(smooth):
        found.append(smooth)
    scaled = mapped(lambda one: one / 1.37, call(raw, point(entry), 1.37))
    if (turned := gap(scaled, base) / EPS) <= MOST:
        found.append(turned)
    return max(one for one in found if math.isfinite(one))


# ------------------------------------------------------------------ comparing
def compared(entry: Entry, mode: str, sets: Iterable[str]) -> Iterator[Compared]:
    """What each set of passes gives beside none, by each of its texts."""
    call, derive = call_of(entry, mode), MODES[mode]
    seed = None if mode == "gradient" and scalar_valued(entry) else seed_of(entry)
    without = given(lambda: derive(entry, ()))
    if isinstance(without, Refused):
        assert entry.may_refuse and all(given(lambda name=name: derive(entry, SETS[name])) == without for name in sets)
        return
    raw = texts(without)
    due = {text: given(lambda df=df: call(df, point(entry), 1.0)) for text, df in raw.items()}
    worst = functools.cache(lambda: max(conditioning(entry, call, df) for text, df in raw.items()
                                        if not isinstance(due[text], Refused)))
    for name in sets:
        made = texts(derive(entry, SETS[name]))
        assert made.keys() == raw.keys(), f"{name}: {[*made]}, without passes {[*raw]}"
        for text, df in made.items():
            args = point(entry)
            got = given(lambda df=df, args=args: call(df, args, 1.0))
            if isinstance(got, Refused) or isinstance(due[text], Refused):
                assert got == due[text], f"{name}{text}: {got!r}, without passes {due[text]!r}"
                continue
            assert same(args, left(entry)), f"{name}{text}: the arguments are left otherwise than by the function"
            if mode != "tangent":
                fits(entry, got, args, seed)
            distance, limit = gap(got, due[text]), max(1e-12, entry.tol)
            if limit < distance < math.inf:
                limit = max(limit, 20.0 * EPS * worst())
            yield Compared(name + text, distance, limit)


@pytest.mark.sampled(24)
@pytest.mark.parametrize("mode", MODES)
@corpus(ACCEPTED)
def test_passes_change_no_number(entry: Entry, mode: str, request: pytest.FixtureRequest) -> None:
    names = [*SETS]
    if request.config.getoption("sample"):
        draw = random_of(entry, request.config.option.turn)
        names = ["all passes", str(draw.choice([*ALONE])), str(draw.choice([*LEFT_OUT]))]
    assert [one for one in compared(entry, mode, names) if not one.distance <= one.limit] == []


# ------------------------------------------------------------------ the test itself
def test_every_pass_is_in_some_sets_and_not_in_others() -> None:
    assert len(SETS) == 1 + 2 * len(USUAL) + 2 * (len(PASSES) - len(USUAL)) and USUAL == tnb.PASSES
    count = {name: sum(name in passes for passes in SETS.values()) for name in PASSES}
    assert count == {name: len(PASSES) + 1 if name in USUAL else 2 for name in PASSES}


def entry_of(body: str, *args: Any) -> Entry:
    return Entry(sourced(f"def f(x, y):\n    return {body}\n")["f"], args, wrt=(0, 1), group="made")


def test_a_pass_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = entry_of("np.sin(x) * y", 0.7, 1.3)
    assert not any(one.distance for one in compared(entry, "pullback", SETS))
    kept = first_writes._without

    def turned(node: Any, name: str) -> Any:
        rest = kept(node, name)
        return None if rest is None else gast.BinOp(rest, gast.Mult(), gast.Constant(1.0 + 4e-12, None))

    monkeypatch.setattr(first_writes, "_without", turned)
    wrong = {one.what for one in compared(entry, "pullback", SETS) if one.distance > one.limit}
    assert wrong == {name for name, passes in SETS.items() if "first_write" in passes}


@pytest.mark.parametrize(("body", "args", "least", "most"), [
    ("np.sin(x) * y", (0.7, 1.3), 1.0, 10.0),
    ("np.sin(1e3 * x) * y", (0.7, 1.3), 300.0, 3e4),
    ("np.sum(np.cos(x * 1e4)) * y", (np.array([0.3, 0.8]), 1.0), 1e3, 1e5),
    ("max(x, y) * x", (1.3, 1.3), 1.0, 10.0),              # a kink, where the derivative jumps
    ("(x + y - x) * np.sin(x)", (1e6, 0.3), 1e5, 1e7)])    # numbers that cancel
def test_conditioning_counts_rounding_and_no_jump(body: str, args: tuple[Any, ...], least: float, most: float) -> None:
    entry = entry_of(body, *args)
    for mode in ("pullback", "tangent"):
        found = conditioning(entry, call_of(entry, mode), MODES[mode](entry, ()))
        assert least <= found <= most, mode
