"""Numerical kernels as they are written: every one in every mode, against oracles that know nothing of tangent_nb,
and mode against mode.

Those that are refused are in kernels/refused.txt, and no others: one that becomes right has to be taken out of it.
"""
from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import test_corpus as judge
from corpus import Entry
from kernels import collect
from oracles import gap, inner
from test_corpus import _quiet as _quiet

import tangent_nb as tnb
from tangent_nb.errors import TangentError

KERNELS = collect.load()
REFUSED = set((Path(__file__).resolve().parent / "kernels" / "refused.txt").read_text().split())
ACCEPTED = [e for e in KERNELS if e.function.__name__ not in REFUSED]


def kernels(entries: list[Entry]) -> Any:
    """Parametrize over kernels."""
    return pytest.mark.parametrize(
        "entry", [pytest.param(e, id=e.function.__name__, marks=pytest.mark.xdist_group(e.id)) for e in entries])


ways = pytest.mark.parametrize("optimized", [pytest.param(True, id="optimized"),
                                             pytest.param(False, id="raw", marks=pytest.mark.sampled(4))])


@functools.cache
def after(entry: Entry) -> tuple[Any, ...]:
    """The arguments as the function leaves them."""
    args = judge.point(entry)
    entry.function(*args)
    return args


def called(entry: Entry, function: Callable[..., Any], *more: Any) -> Any:
    """A derivative, which changes its arguments as the function does, and no more."""
    args = judge.point(entry)
    got = function(*args, *more)
    assert judge.same(args, after(entry)), "an argument is not as the function leaves it"
    return got


def test_there_are_enough() -> None:
    names = [e.function.__name__ for e in KERNELS]
    assert len(names) == len(set(names)) >= 25
    assert set(names) >= REFUSED


@kernels(ACCEPTED)
@ways
def test_reverse(entry: Entry, optimized: bool) -> None:
    got = called(entry, tnb.grad(entry.function, wrt=entry.wrt, optimized=optimized))
    judge.fits(entry, got, judge.point(entry), 1.0)
    gradient_is_right(entry, got)


def gradient_is_right(entry: Entry, got: tuple[Any, ...]) -> None:
    if entry.holomorphic:
        judge.close(entry, got, judge.oracles.complex_gradient(entry.function, judge.point(entry), entry.wrt, 1.0),
                    what="gradient")
    for salt in (1, 2):
        direction = judge.direction_of(entry, salt)
        measured = judge.oracles.directional(entry.function, judge.point(entry), entry.wrt, direction)
        assert gap(inner(got, direction)[0], float(measured.value)) <= max(1e-7, 10 * measured.error)


@pytest.mark.sampled(16)
@kernels(ACCEPTED)
@ways
def test_forward_against_reverse(entry: Entry, optimized: bool) -> None:
    gradient = tnb.grad(entry.function, wrt=entry.wrt)(*judge.point(entry))
    forward = tnb.jvp(entry.function, wrt=entry.wrt, optimized=optimized)
    for salt in (1, 2):
        direction = judge.direction_of(entry, salt)
        assert gap(called(entry, forward, *direction), inner(gradient, direction)[0]) <= 1e-9


@pytest.mark.sampled(16)
@kernels(ACCEPTED)
@ways
def test_motions(entry: Entry, optimized: bool) -> None:
    """Split motion, pullbacks and value_and_grad give what joint motion gives, as often as they are asked."""
    gradient = tnb.grad(entry.function, wrt=entry.wrt, optimized=optimized)(*judge.point(entry))
    value = entry.function(*judge.point(entry))
    got = called(entry, tnb.value_and_grad(entry.function, wrt=entry.wrt, optimized=optimized))
    assert gap(got[0], value) <= 1e-13
    assert gap(got[1], gradient) <= 1e-13
    first, second = tnb.autodiff(entry.function, wrt=entry.wrt, motion="split", optimized=optimized)
    found, residuals = called(entry, first)
    assert gap(found, value) <= 1e-13
    for factor in (1.0, -2.5, 1.0):
        assert gap(second(residuals, factor), tuple(factor * np.asarray(g) for g in gradient)) <= 1e-12
    if optimized:
        args = judge.point(entry)
        found, pull = tnb.pullback(entry.function, *args, wrt=entry.wrt)
        for arg in args:
            if isinstance(arg, np.ndarray):
                arg[...] = -7                                  # it owns its data
        assert gap(found, value) <= 1e-13
        assert gap(pull(1.0), gradient) <= 1e-12
        assert gap(pull(1.0), gradient) <= 1e-12


@kernels([e for e in KERNELS if e.function.__name__ in REFUSED])
def test_refused(entry: Entry) -> None:
    for make in (tnb.grad, tnb.jvp):
        with pytest.raises(TangentError):
            args = judge.point(entry)
            derivative = make(entry.function, wrt=entry.wrt)
            derivative(*args, *(judge.direction_of(entry) if make is tnb.jvp else ()))
