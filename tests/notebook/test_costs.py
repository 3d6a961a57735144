"""What lines take, as the page is told."""
from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.notebook.costs import unfit
from tangent_nb.notebook.options import OptionError, make
from tangent_nb.notebook.shown import show
from tangent_nb.tracing.costs import costs

SIZE = 100_000


def slow(x):
    print("called")
    time.sleep(0.003)
    y = np.exp(x)
    return np.sum(y * y) + np.random.normal()


def half(u):
    v = np.tanh(u)
    return v * 0.5


def calls(x):
    y = half(x)
    return np.sum(half(y))


def falls(x, n):
    if n == 0:
        return np.sum(x)
    return falls(np.sin(x), n - 1)


def fills(x):
    x[0] = x[0] * 2.0
    return np.sum(x * x)


def session(f: Any, **at: Any) -> Any:
    return show(f, at=at)._shown


def texts(one: Any) -> list[str]:
    state = one.state()
    return ["".join(part for _, part in state["lines"][line]) for line, *_ in state["stages"][-1]["rows"]]


def test_each_line_has_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    one = session(slow, x=np.ones(SIZE))
    capsys.readouterr()
    np.random.seed(3)
    told = one.measured("costs")
    assert np.random.normal() == np.random.RandomState(3).normal()         # as if nothing had been drawn
    assert capsys.readouterr().out == ""
    rows, lines = {row: cost for row, *cost in told["rows"]}, texts(one)
    seconds, runs, size = rows[next(at for at, line in enumerate(lines) if "time.sleep" in line)]
    assert seconds > 0.003 and runs == 1 and size < 10_000
    assert rows[next(at for at, line in enumerate(lines) if "y = np.exp" in line)][2] >= 8 * SIZE
    assert told["seconds"] == pytest.approx(sum(seconds for seconds, _, _ in rows.values()))   # no line calls another
    assert all(not lines[row].strip().startswith("#") for row in rows)


def test_it_is_what_the_costs_of_the_derivative_are() -> None:
    one = session(slow, x=np.ones(3))
    df = one.take.derived.function
    expected = {cost.site.line - 1: cost.runs for cost in costs(df, np.ones(3)) if cost.site.generated}
    assert {row: runs for row, _, runs, _ in one.measured("costs")["rows"]} == expected


def test_a_line_that_calls_takes_what_it_calls_and_the_whole_counts_that_once() -> None:
    one = show(calls, at={"x": np.ones(SIZE)}, raw=True)._shown
    told = one.measured("costs")
    lines = texts(one)
    caller = next(cost for cost in told["rows"] if "half(x)" in lines[cost[0]] or "_half" in lines[cost[0]])
    assert caller[1] <= told["seconds"]
    found = costs(one.take.derived.function, np.ones(SIZE))
    assert all(0.0 <= cost.own <= cost.seconds + 1e-9 for cost in found)
    assert sum(cost.own for cost in found) < 1.05 * sum(cost.seconds for cost in found)


def test_of_a_line_that_calls_itself_the_outermost_counts() -> None:
    found = costs(tnb.grad(falls), np.ones(SIZE), 6)
    whole = sum(cost.own for cost in found)
    again = [cost for cost in found if cost.runs == 6 and "falls" in cost.site.text]
    assert again and all(cost.seconds < 1.2 * whole for cost in found)


def test_arguments_stay_as_they_are_and_what_was_measured_stays_measured() -> None:
    given = np.array([1.0, 2.0])
    one = show(fills, at={"x": given})._shown
    told = one.measured("costs")
    assert one.measured("costs") is told and given.tolist() == [1.0, 2.0]
    one.again()
    assert one.measures() == {}


def test_in_forward_mode() -> None:
    one = show(calls, at={"x": np.ones(3)}, mode="forward")._shown
    assert one.measured("costs")["rows"]


def test_where_lines_cannot_be_measured_it_is_said() -> None:
    assert unfit(make(), True) == ""
    assert "%%grad --at" in unfit(make(), False)
    assert "has no lines to be timed" in unfit(make(compile="numba"), True)
    assert "lines on JAX only say" in unfit(make(backend="jax"), True)
    one = show(calls)._shown
    assert "%%grad --at" in one.state()["tools"]["costs"]                  # type: ignore[union-attr]
    with pytest.raises(OptionError, match="measured at arguments"):
        one.measured("costs")                                              # type: ignore[union-attr]


def test_an_error_in_the_middle_is_passed_on() -> None:
    one = session(calls, x=np.ones(3))
    one.take.at.arguments["x"] = "text"
    with pytest.raises((TangentError, TypeError)):
        one.measured("costs")
    assert one.measures() == {}


def test_an_exported_page_has_what_was_measured() -> None:
    from tangent_nb.notebook.export import exported
    one = session(calls, x=np.ones(3))
    assert '"measured":{}' in exported(one)
    one.measured("costs")
    assert '"measured":{"costs":{"seconds":' in exported(one)
    assert "other choices need the notebook" in next(iter(one.variants().values()))["tools"]["costs"]
