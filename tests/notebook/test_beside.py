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


def both(one: Any) -> tuple[str, bool]:
    """What served the last call, as the page is told; whether its texts stand in what is shown."""
    texts = one.texts()
    return "" if texts["ran"] == -1 else texts["names"][texts["ran"]], texts["here"]


@pytest.mark.parametrize("more", [{}, {"check": True}, {"nan": True}, {"mode": "forward"}])
def test_of_two_texts_for_example_arguments_it_is_said_which_served_a_call(more: Any) -> None:
    one = session(at={"x": X, "w": W}, **more)
    df, rest = one.take.derived.function, (X, W) if "mode" in more else ()
    assert one.state()["tables"] and both(one) == ("", True), "the widget's own calls are not the user's"
    df(X, W, *rest)
    assert both(one) == ("x: f8[n, k], w: f8[k, m]", True)
    df(X[0], W, *(rest and (X[0], W)))
    assert both(one) == ("general", True)
    df(X[:3], W, *(rest and (X[:3], W)))
    one.measured("costs")
    assert both(one) == ("x: f8[n, k], w: f8[k, m]", True)
    with pytest.raises(OptionError, match="both texts are in the one that is shown"):
        one.put_beside(1)


class Scaled:
    def __init__(self, by: float) -> None:
        self.by = by

    def __call__(self, x: Any) -> Any:
        return np.sin(self.by * x)


def of_object(layer: Any, x: Any) -> Any:
    return np.sum(layer(x))


def test_of_texts_for_objects_too() -> None:
    one = show(of_object, wrt="x", at={"layer": Scaled(2.0), "x": X})._shown
    df = one.take.derived.function
    assert np.allclose(df(Scaled(3.0), X), 3.0 * np.cos(3.0 * X)) and both(one)[0].startswith("layer: Scaled")
    assert np.allclose(df(np.exp, X), np.exp(X)) and both(one) == ("general", True)


def test_it_travels_derives_and_is_found_like_any_other() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    one = session(at={"x": X, "w": W})
    df = one.take.derived.function
    gone = cloudpickle.loads(cloudpickle.dumps(df))
    assert all(map(np.allclose, gone(X, W), df(X, W))) and both(one)[0] != "general"
    assert "def dlayer_dx_dw(x, w):" in one.taken()
    assert tnb.source(df) == tnb.source(tnb.grad(layer, ("x", "w"), like=(X, W)))
    again = tnb.grad(lambda x, w: np.sum(df(x, w)[0]), "w")
    same = tnb.grad(lambda x, w: np.sum(tnb.grad(layer, ("x", "w"))(x, w)[0]), "w")
    assert np.allclose(again(X, W), same(X, W))


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
    assert one.state()["texts"] == {"names": ["general"], "ran": -1, "here": False,
                                    "timed": one.texts()["timed"]}
    one.take.derived.function(X, W)
    assert one.state()["texts"]["ran"] == 0


def test_a_derivative_that_is_watched() -> None:
    one = session(nan=True)
    one.take.derived.function(X, W)
    assert one.texts()["names"] and SimpleNamespace(**one.texts()).ran >= -1
