"""The schedule of states that are kept: as few runs as Griewank and Walther prove, never more states than there is
room for, and the same draws again."""
from __future__ import annotations

import functools
import random

import numpy as np
import pytest

from tangent_nb.runtime.checkpoints import Draws, Snapshots, binomial, repetitions, reruns, states_kept


@functools.cache
def fewest(steps: int, s: int) -> int:
    """t(l, s) by its recursion: all places for the next state are tried."""
    if steps <= 1:
        return 0
    if s == 1:
        return steps * (steps - 1) // 2
    return min(m + fewest(steps - m, s - 1) + fewest(m, s) for m in range(1, steps))


def gone_through(saved: Snapshots, steps: int) -> tuple[list[int], int, int]:
    """The states that a backward sweep is given, how often the step ran besides the forward sweep, and the most states
    that were kept; the state is the number of the step."""
    runs = most = state = 0

    def step(*given: int) -> int:
        nonlocal runs
        runs += 1
        assert given[0] == given[-1]
        return given[-1] + 1

    for _ in range(steps):
        saved.keep(state)
        state, most = state + 1, max(most, len(saved.kept))
    found = []
    for given in saved.backward(step):
        found.append(given[-1])
        most = max(most, len(saved.kept))
    return found, runs, most


@pytest.mark.parametrize("steps", [*range(1, 26), 40])
def test_no_schedule_needs_fewer_runs(steps):
    for s in range(1, 12):
        assert reruns(steps, s) == fewest(steps, s)
        found, runs, most = gone_through(Snapshots(range(steps), s), steps)
        assert found == list(range(steps))[::-1]
        assert most <= s
        assert runs + steps - 1 == fewest(steps, s)        # the forward sweep has gone to the last step


def test_the_figures_of_a_long_loop():
    assert (repetitions(10_000, 100), reruns(10_000, 100)) == (3, 3 * 10_000 - binomial(101, 2))
    found, runs, most = gone_through(Snapshots(range(10_000), 100), 10_000)
    assert found == list(range(10_000))[::-1]
    assert (runs, most) == (24_747 - 9_999, 100)


@pytest.mark.parametrize("s", range(1, 9))
def test_a_loop_of_unknown_length(s):
    for steps in range(70):
        found, runs, most = gone_through(Snapshots(None, s), steps)
        assert found == list(range(steps))[::-1]
        assert most <= s
        assert runs <= steps * (steps - 1) // 2


def test_the_default_lets_no_step_run_more_than_twice_besides():
    for steps in [*range(1, 2000), 10_000, 10**6]:
        s = states_kept(None, steps)
        assert binomial(s, 2) >= steps
        assert s == 1 or binomial(s - 1, 2) < steps
    assert states_kept(None, 0) == 1


def test_no_steps():
    saved = Snapshots(range(0), 3)
    assert list(saved.backward(lambda t, x: x)) == []


def test_again_leaves_the_states():
    saved = Snapshots(range(7), 2, again=True)
    for t in saved.steps:
        saved.keep(2 ** t)
    first, second = ([x for _, x in saved.backward(lambda t, x: 2 * x)] for _ in range(2))
    assert first == second == [64, 32, 16, 8, 4, 2, 1]


def test_what_is_kept_is_a_copy():
    x, saved = np.zeros(2), Snapshots(range(3), 3)
    for _ in saved.steps:
        saved.keep(x, [x])
        x += 1.0
    assert [(float(a[0]), float(b[0][0])) for _, a, b in saved.backward(lambda *given: given)] \
        == [(2.0, 2.0), (1.0, 1.0), (0.0, 0.0)]


@pytest.mark.parametrize("source", [np.random.default_rng(3), np.random.RandomState(3), random.Random(3), np.random,
                                    random], ids=lambda one: getattr(one, "__name__", type(one).__name__))
def test_the_same_is_drawn_again(source):
    draw = source.random
    saved, drawn, x = Snapshots(range(9), 2, draws=(source, "no generator")), [], 0.0
    for _ in saved.steps:
        saved.keep(x)
        drawn.append(draw())
        x += drawn[-1]
    later = Draws(source).states
    states = []
    for t, before in saved.backward(lambda t, x: x + draw()):
        assert draw() == drawn[t]
        states.append(before)
    np.testing.assert_array_equal(states[::-1], np.cumsum([0.0, *drawn[:-1]]))
    after = draw()
    Draws(source).put(later)
    assert after == draw()                                 # as if nothing had been drawn again


def test_an_error_in_the_middle_puts_the_generator_back():
    rng = np.random.default_rng(0)
    draws, expected = Draws(rng), np.random.default_rng(0).random(2)[1]
    rng.random()
    with pytest.raises(ZeroDivisionError), draws.again():
        raise ZeroDivisionError
    assert rng.random() == expected
