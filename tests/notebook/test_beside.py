"""The texts that calls of a derivative have made, and what derivatives take."""
from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook.beside import Served, measured, size
from tangent_nb.notebook.options import OptionError
from tangent_nb.notebook.shown import show

X, W = np.ones((4, 3)), np.ones((3, 2))


def layer(x, w):
    h = np.tanh(x @ w)
    return np.sum(h * h)


def session(**more: Any) -> Any:
    return show(layer, wrt=("x", "w"), **more)._shown


def test_before_a_call_there_is_the_general_text_alone() -> None:
    found = Served.of(tnb.grad(layer))
    assert (found.names, found.ran) == (("general",), -1)


def test_what_served_the_last_call() -> None:
    df = tnb.grad(layer, ("x", "w"))
    df(X, W)
    assert Served.of(df).ran == 0 and Served.of(df).names == ("x: f8[n, k], w: f8[k, m]", "general")
    df(X[0], W)
    df(X[:2], W)
    found = Served.of(df)
    assert found.names[found.ran] == "x: f8[n, k], w: f8[k, m]" and len(found.names) == 3
    assert set(tnb.versions(df)) == set(found.names)


def test_where_the_general_text_served_it() -> None:
    df = tnb.grad(layer, ("x", "w"))
    df(X, W)
    for rank in range(12):
        df(np.ones((1,) * rank + (4, 3)), W)       # more kinds of arguments than texts are kept for
    found = Served.of(df)
    assert found.names[found.ran] == "general" and found.functions[found.ran] is df


def test_a_text_beside_is_that_which_ran() -> None:
    one = session()
    one.take.derived.function(X, W)
    texts = one.texts()
    state = one.put_beside(texts["ran"])
    text = "\n".join("".join(part for _, part in state["lines"][line]) for line, *_ in state["stages"][-1]["rows"])
    assert text + "\n" == tnb.versions(one.take.derived.function)[texts["names"][texts["ran"]]] and "rt." not in text
    assert state["status"]["ms"] is None


def test_there_is_no_such_text() -> None:
    with pytest.raises(OptionError, match="there is no such text any more"):
        session().put_beside(7)


def test_both_take_their_time_and_their_memory() -> None:
    one = session(at={"x": X, "w": W})
    one.put_beside(replace(one.take.choice, passes=()))
    shown, raw = one.figures()
    assert shown["lines"] < raw["lines"] and shown["peak"] <= raw["peak"]
    assert 0.0 < shown["seconds"] < 1.0 and 0.0 < raw["seconds"] < 1.0
    assert shown["saved"] == 8 * 4 * 2             # tanh, of 4 rows and 2 columns


def test_forward_mode_saves_nothing() -> None:
    one = session(at={"x": X, "w": W})
    one.put_beside(replace(one.take.choice, mode="forward"))
    assert [figures["saved"] is None for figures in one.figures()] == [False, True]


def test_what_is_timed_needs_arguments() -> None:
    one = session()
    one.put_beside(replace(one.take.choice, passes=()))
    assert one.texts()["timed"].startswith("timing needs arguments")
    with pytest.raises(OptionError, match="timing needs arguments"):
        one.figures()


def test_what_it_prints_is_not_seen_and_no_number_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    one = show(noisy, at={"x": 0.5})._shown
    one.put_beside(replace(one.take.choice, passes=()))
    capsys.readouterr()
    before = np.random.get_state()[1].copy()
    one.figures()
    assert capsys.readouterr().out == "" and np.array_equal(before, np.random.get_state()[1])


def noisy(x):
    print("called")
    return x * np.random.normal()


def test_an_argument_that_is_changed_is_changed_in_a_copy() -> None:
    x = np.ones(3)
    one = show(zeroed, at={"x": x})._shown
    one.put_beside(replace(one.take.choice, passes=()))
    assert len(one.figures()) == 2 and np.array_equal(x, np.ones(3))


def zeroed(x):
    y = np.sum(x * x)
    x[0] = 0.0
    return y


def test_what_is_saved_is_what_the_tape_holds() -> None:
    df = tnb.grad(stepped, like=(X, 5))
    [found] = measured([df], [partial(df, X, 5)])
    assert found.saved is not None and 5 * X.nbytes <= found.saved <= 7 * X.nbytes


def stepped(x, n):
    for _ in range(n):
        x = np.sin(x) * x
    return np.sum(x)


def test_an_array_counts_once_and_a_view_as_the_whole() -> None:
    one = np.ones(10)
    assert size([one, one[2:5], {"a": one}, (one.reshape(2, 5).T,)]) == 80
    assert size([1.5, np.float64(2.0), None, "text"]) == 16
    loop: list[Any] = [one]
    loop.append(loop)
    assert size(loop) == 80


def test_what_the_page_is_told_after_a_call() -> None:
    one = session()
    assert one.state()["texts"] == {"names": ["general"], "ran": -1, "timed": one.texts()["timed"]}
    one.take.derived.function(X, W)
    assert one.state()["texts"]["ran"] == 0


def test_a_derivative_that_is_watched() -> None:
    one = session(nan=True)
    one.take.derived.function(X, W)
    assert one.texts()["names"] and SimpleNamespace(**one.texts()).ran >= -1
