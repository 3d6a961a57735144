"""What is saved for the backward sweep, as the page is told; the table of `--tape-report`."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook.messages import Ask, MessageError, parse
from tangent_nb.notebook.options import OptionError, make
from tangent_nb.notebook.options import parse as options_of
from tangent_nb.notebook.page import standalone
from tangent_nb.notebook.shown import show
from tangent_nb.notebook.tapes import unfit

X = np.linspace(0.5, 2.0, 1000)


def powers(x, n):
    for _ in range(n):
        x = x * np.sin(x)
    return np.sum(x)


def half(u):
    v = np.tanh(u)
    return v * 0.5


def calls(x):
    print("called")
    x[0] = 2.0 * x[0]
    return np.sum(half(x) * np.random.normal(size=x.shape))


def session(f: Any, **at: Any) -> Any:
    return show(f, at=at)._shown


def texts(one: Any) -> list[str]:
    state = one.state()
    return ["".join(part for _, part in state["lines"][line]) for line, *_ in state["stages"][-1]["rows"]]


def test_each_value_is_at_the_line_that_keeps_it_and_at_yours() -> None:
    one = session(powers, x=X, n=10)
    told, lines = one.measured("tape"), texts(one)
    report = tnb.tape_report(tnb.grad(powers, like=(X, 10)), X, 10)
    assert told["bytes"] == report.bytes == 80_000 and told["before"][0] == 160_000 < told["before"][1]
    assert told["times"] == 10 and 0 < told["kept"] <= told["bytes"] < told["peak"]
    rows = {(lines[row].strip(), name, kind): (times, size, held) for row, _, name, kind, times, size, _, held
            in told["rows"] if row >= 0}
    assert rows["x_saved.append(x)", "x", "exact"] in ((9, 72_000, ""), (1, 0, "argument x"))
    assert rows["x = x * np.sin(x)", "x", "exact"] == (1, 8000, "")
    [again] = [row for row in told["rows"] if row[3] == "recomputed"]
    assert "np.sin(x)" in lines[again[0]] and again[5] == 80_000
    state = one.state()
    primal = ["".join(part for _, part in state["lines"][line]) for section in state["primal"]
              for _, line, _ in section["rows"]]
    assert {primal[keys[0]].strip() for _, keys, *_ in told["rows"] if keys} == {"x = x * np.sin(x)"}


def test_nobody_sees_the_runs_and_what_was_measured_stays(capsys: pytest.CaptureFixture[str]) -> None:
    given = X.copy()
    one = session(calls, x=given)
    capsys.readouterr()
    np.random.seed(3)
    told = one.measured("tape")
    assert np.random.normal() == np.random.RandomState(3).normal() and capsys.readouterr().out == ""
    assert np.array_equal(given, X) and one.measured("tape") is told
    one.again()
    assert one.measures() == {}


def test_an_exported_page_has_it() -> None:
    from tangent_nb.notebook.export import exported
    one = session(powers, x=X, n=3)
    one.measured("tape")
    assert '"measured":{"tape":{"bytes":24000' in exported(one)


def test_where_it_cannot_be_measured_it_is_said() -> None:
    assert unfit(make(), True) == ""
    assert "%%grad --at" in unfit(make(), False)
    assert "keeps nothing" in unfit(make(mode="forward"), True)
    assert "choose NumPy" in unfit(make(backend="jax"), True)
    one = show(powers, at={"x": X, "n": 3}, mode="forward")._shown
    with pytest.raises(OptionError, match="keeps nothing"):
        one.measured("tape")                                               # type: ignore[union-attr]


def test_an_error_in_the_middle_is_passed_on() -> None:
    one = session(powers, x=X, n=3)
    one.take.at.arguments["x"] = "text"
    with pytest.raises(tnb.errors.TangentError):
        one.measured("tape")
    assert one.measures() == {}


def test_the_message_has_no_fields() -> None:
    assert parse({"kind": "tape", "id": 1}, [], []) == Ask("tape", 1)
    with pytest.raises(MessageError, match="other fields"):
        parse({"kind": "tape", "id": 1, "at": "x=1"}, [], [])


def test_the_magic_shows_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert options_of("--at x=2.0 --tape-report")[0].tape_report
    with pytest.raises(OptionError, match="--tape-report needs arguments"):
        options_of("--tape-report")
    shown = show(powers, at={"x": X, "n": 3}, tape_report=True)
    text = repr(shown)
    assert "the tape of dpowers_dx" in text
    assert "saved when the backward sweep begins: 24 kB in 3 values; without passes 48 kB" in text
    assert ">float64 (1000,)<" in standalone(shown._view)
    assert "no tape: tpowers_dx is of forward mode" in repr(
        show(powers, at={"x": X, "n": 3}, mode="forward", tape_report=True))


def test_nothing_of_a_hostile_text_is_markup() -> None:
    def hostile(x):
        y = np.exp(x)  # "<img src=x onerror=alert(1)>"
        return np.sum(y * len("<script>alert(1)</script>"))

    page = standalone(show(hostile, at={"x": X}, tape_report=True)._view)
    assert "<script" not in page and "<img" not in page
