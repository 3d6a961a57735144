"""Long programs, wide ones and deep ones are derived: no limit of Python's stack is met."""
from __future__ import annotations

import cProfile
import pstats
import sys

import numpy as np
import pytest

import tangent_nb as tnb
from benchmarks import deriving as programs
from tangent_nb.errors import RefusedError

LARGE = [(programs.new_names, 300), (programs.one_name, 300), (programs.loops, 60), (programs.branches, 60),
         (programs.updates, 60), (programs.terms, 500), (programs.display, 500), (programs.chain, 60),
         (programs.fan, 60), (programs.nested_branches, 40),
         (programs.nested_loops, 20), (programs.nested_whiles, 20), (programs.elifs, 60)]
DEEP = (programs.terms, programs.display, programs.nested_branches, programs.nested_loops, programs.nested_whiles)
MAKERS = {"reverse": lambda f: tnb.grad(f), "forward, raw": lambda f: tnb.jvp(f, optimized=False)}
OTHERS = {"reverse, raw": lambda f: tnb.grad(f, optimized=False), "forward": lambda f: tnb.jvp(f)}
EACH = [(program, n, mode) for program, n in LARGE for mode in (MAKERS | OTHERS if program in DEEP else MAKERS)]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("program", "length", "mode"), EACH,
                         ids=[f"{program.__name__}, {mode}" for program, _, mode in EACH])
def test_derived(program, length, mode):
    limit = sys.getrecursionlimit()
    (MAKERS | OTHERS)[mode](program(length))
    assert sys.getrecursionlimit() == limit


def calls(f):
    """How many calls of functions a derivation takes: as many on a machine that is busy."""
    profile = cProfile.Profile()
    profile.runcall(tnb.grad, f)
    return pstats.Stats(profile).total_calls


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", [programs.terms, programs.elifs])
def test_time_grows_with_the_length(program):
    """A program twice as long takes twice as many calls: none goes over what follows for each of its statements."""
    tnb.grad(program(5))                                   # what is found once for a process
    assert calls(program(100)) < 2.1 * calls(program(50))


@pytest.mark.full
def test_straight_1500():
    assert callable(tnb.jvp(programs.one_name(1500), optimized=False))


@pytest.mark.parametrize("calls", [10, 150])
def test_nested_calls(calls):
    text = "x"
    for _ in range(calls):
        text = f"np.sin({text})"
    f = programs.function(["def f(x):", f"    return {text}"])
    h = 1e-6
    slope = tnb.grad(f)(0.7)
    assert slope == pytest.approx((f(0.7 + h) - f(0.7 - h)) / (2 * h), rel=1e-4)
    assert tnb.jvp(f)(0.7, 1.0) == pytest.approx(slope)


def test_the_values_of_large_ones():
    assert tnb.grad(programs.terms(500))(2.0) == 500.0
    assert tnb.grad(programs.display(500))(1.0) == sum(range(500))
    x = np.linspace(0.1, 0.9, 20)
    assert np.allclose(tnb.grad(programs.updates(20))(x), tnb.grad(programs.updates(20), optimized=False)(x))


def test_what_nests_too_deep_is_refused():
    rows = [row for i in range(120) for row in (f"    if y > {i}.0:", f"        return x * {i}.0", "    x = x * y")]
    with pytest.raises(RefusedError, match="nests deeper than Python can read"):
        tnb.grad(programs.function(["def f(x, y):", *rows, "    return x"]))
