"""What cards say, against what NumPy computes and what is known of small programs."""
from __future__ import annotations

import inspect
import json
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.cards.last_call import last_call
from tangent_nb.notebook.messages import MessageError, parse
from tangent_nb.notebook.options import OptionError
from tangent_nb.notebook.session import Session
from tangent_nb.notebook.shown import show


def loss(x, w, b, y):
    place = np.argmax(x)  # noqa: F841 - a value that nothing reads
    unused = w * 2.0  # noqa: F841
    h = np.tanh(np.dot(x, w) + b)
    r = h - y
    count = len(y)
    return np.sum(r * r) / count


def settle(x, n):
    for _ in range(n):
        x = x - 0.5 * np.sin(x)
    return np.sum(x * x)


def forgets(x, n):
    y = x
    for _ in range(n):
        h = np.tanh(y * x)
        y = h * y
    return np.sum(y)


def overwrites(x, n):
    for i in range(1, n):
        x[i] = x[i] * x[i - 1]
    return np.sum(x)


def renamed(x):
    y = np.sin(x)
    z = y * y
    y = np.exp(x)
    return np.sum(y * z * y)


def half(t):
    if t > 1.0:
        t = t / 2.0
    return t


def two_layers(x):
    h = np.tanh(x * 2.0 + 1.0)
    return np.sum(np.tanh(h * 3.0 + x) * x)


def calls(x):
    return half(x) * x


def chained(x):
    return np.exp(np.sin(x) * 3.0)


def views(x):
    y = x * 2
    s = 0.0
    for a in y[1:]:
        y[-1] = a * 5
        s += a * a
    return s


def anew(w):
    w = w * 3.0
    return np.sum(w * w)


def widens(x):
    h = 1.0
    for _ in range(2):
        h = h * x
    return np.sum(h)


def counts(x):
    for _ in range(3):
        x = np.sin(x)
    s = x.astype(int).sum()
    y = x * s
    return np.sum(y)


def feeds(x, y):
    s = 0.0
    for _ in range(2):
        s = s * 2.0 + x.sum()
        y = y * np.sum(s)
    return np.sum(y)


def shares(x):
    y = np.sin(x)
    z = y
    z[0] = 2.0
    return np.sum(y * y * x)


def once(x, n):
    y = np.sin(x)
    s = 0.0
    for i in range(n):
        if i < 2:
            s = s + y[i] * y[0]
        else:
            s = s + y[i] ** 2
    return s


TOLD: list[float] = []


def tells(x):
    TOLD.append(x)
    return x * x


def session(f: Any, **options: Any) -> Session:
    found = show(f, **options)._shown
    assert isinstance(found, Session)
    return found


def at(one: Session, text: str, side: str = "derived", run: bool = False) -> dict[str, Any]:
    """The card of the first line that begins with a text."""
    state = one.state()
    rows = state["stages"][state["final"]]["rows"] if side == "derived" else \
        [row for section in state["primal"] for row in section["rows"]]
    texts = ["".join(word for _, word in state["lines"][row[0 if side == "derived" else 1]]).strip() for row in rows]
    row = next(at for at, found in enumerate(texts) if found.startswith(text))
    found = one.card(side, state["final"], row, run)
    assert json.loads(json.dumps(found)) == found
    return found


def name(card: dict[str, Any], wanted: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in card["names"] if one["name"] == wanted)
    return found


def arrays() -> dict[str, Any]:
    normal = np.random.default_rng(3).normal
    return {"x": normal(size=(4, 3)), "w": normal(size=(3, 2)), "b": normal(size=2), "y": normal(size=(4, 2))}


@pytest.fixture(scope="module")
def of_loss() -> Session:
    return session(loss, wrt=("w", "b"), at=arrays())


def by_hand() -> dict[str, Any]:
    """The backward pass of loss, written out."""
    x, w, b, y = arrays().values()
    h = np.tanh(x @ w + b)
    r = h - y
    br = 2.0 * r / 4
    bz = br * (1.0 - h * h)
    return {"h": h, "r": r, "br": br, "bw": x.T @ bz, "bb": bz.sum(axis=0)}


@pytest.mark.parametrize("line, wanted", [("h = ", "h"), ("r = ", "r"), ("br = ", "br"), ("bw = ", "bw"), ("bb", "bb")])
def test_a_name_has_the_value_that_numpy_computes(of_loss: Session, line: str, wanted: str) -> None:
    value, expected = name(at(of_loss, line), wanted)["value"], by_hand()[wanted]
    assert value["shape"] == list(expected.shape)
    assert np.allclose(value["cells"], expected.ravel(), rtol=1e-5)
    low, high, mean = (f"{one:.6g}" for one in (expected.min(), expected.max(), expected.mean()))
    assert value["text"] == f"{expected.shape} float64, {low} to {high}, mean {mean}"


def test_a_value_stands_beside_its_cotangent(of_loss: Session) -> None:
    found = name(at(of_loss, "r = ", "primal"), "r")
    assert found["partner"] == "br" and "of the derivative" in found["cotangent"]["at"]
    assert np.allclose(found["cotangent"]["cells"], by_hand()["br"].ravel(), rtol=1e-5)


@pytest.mark.parametrize("f, line, wanted", [
    (anew, "return", "w"), (anew, "w = ", "w"), (anew, "def anew", "w"), (widens, "h = 1.0", "h"),
    (widens, "h = h", "h"), (counts, "s = ", "x"), (feeds, "s = s", "s"), (feeds, "y = y", "s"),
    (shares, "return", "y"), (shares, "y = ", "y")])
def test_a_name_of_several_values_shows_the_cotangent_of_none(f: Any, line: str, wanted: str) -> None:
    given = {one: np.array([1.0, 2.0, 3.0]) for one in inspect.signature(f).parameters}
    found = name(at(session(f, at=given, wrt=tuple(given)), line, "primal", run=True), wanted)
    assert found["value"] is not None and found["cotangent"] is None and found["partner"] == ""
    assert ("step shows them" in found["activity"]) is found["activity"].startswith("has a derivative")


@pytest.mark.parametrize("passes", ["", "+reuse", "dead_code"])
@pytest.mark.parametrize("side, line", [("primal", "y = "), ("primal", "s = s + y[i] * y[0]"), ("derived", "y = ")])
def test_the_cotangent_of_the_one_value_of_a_name_is_whole(side: str, line: str, passes: str) -> None:
    x = np.array([1.0, 2.0, 3.0])
    found = name(at(session(once, at={"x": x, "n": 3}, **({"passes": passes} if passes else {})), line, side), "y")
    y = np.sin(x)
    assert np.allclose(found["cotangent"]["cells"], [2.0 * y[0] + y[1], y[0], 2.0 * y[2]], rtol=1e-5)


def test_what_is_known_without_a_call() -> None:
    found = at(session(loss, wrt=("w", "b")), "h = ", "primal")
    assert name(found, "w")["kind"] == "a number or an array, shape and dtype of w"
    assert name(found, "h")["value"] is None and found["offer"] == ""


def test_sizes_are_letters_where_arguments_are_given(of_loss: Session) -> None:
    found = at(of_loss, "h = ", "primal")
    assert [name(found, one)["kind"] for one in ("x", "w", "b", "h")] == ["f8[n, k]", "f8[k, m]", "f8[m]", "f8[n, m]"]


@pytest.mark.parametrize("line, wanted, said", [
    ("h = ", "h", "has a derivative: it depends on w and b and reaches the result"),
    ("h = ", "x", "constant: the derivative is with respect to w and b"),
    ("unused = ", "unused", "does not reach the result: no derivative"),
    ("place = ", "place", "does not depend on w and b: no derivative"),
    ("count = ", "count", "an integer: no derivative"),
    ("def loss", "b", "differentiated: it reaches the result")])
def test_activity_and_why_there_is_none(of_loss: Session, line: str, wanted: str, said: str) -> None:
    assert name(at(of_loss, line, "primal"), wanted)["activity"].startswith(said)


def test_a_row_without_a_derivative_says_why() -> None:
    found = name(at(session(loss, wrt="x"), "place = ", "primal"), "place")
    assert found["activity"] == "no derivative goes through np.argmax: integer valued"


def test_a_cotangent_is_of_the_expression_that_its_temporary_stood_for(of_loss: Session) -> None:
    assert name(at(of_loss, "btotal = "), "btotal")["says"] == "cotangent of np.dot(x, w) + b"


def test_a_cotangent_is_of_what_its_rule_made_it_of_whatever_number_it_has() -> None:
    """`btotal` was `btotal_1` before the first sum lost its own."""
    one = session(two_layers, at={"x": np.array([0.3, 0.7, 1.1])})
    assert name(at(one, "btotal = "), "btotal")["says"] == "cotangent of h * 3.0 + x"


def test_the_last_trip_of_a_loop_with_how_many_there_were() -> None:
    x, values = np.array([0.3, 0.7, 1.1]), []
    for _ in range(5):
        x = x - 0.5 * np.sin(x)
        values.append(x)
    one = session(settle, at={"x": np.array([0.3, 0.7, 1.1]), "n": 5})
    found = name(at(one, "x = x - 0.5"), "x")
    assert np.allclose(found["value"]["cells"], values[-1], rtol=1e-5)
    assert found["value"]["at"] == "the last of 5 times"
    assert found["cotangent"] is None and found["activity"].endswith(
        "; its cotangent changes with each value of x: step shows them")


def test_why_a_value_is_saved_that_its_own_line_overwrites() -> None:
    one = session(settle)
    for line in ("x_saved.append", "x = x_saved.pop"):
        assert at(one, line)["saved"] == (
            "x is kept in x_saved, because line 15 of the backward pass reads x: bx = bx - bx * 0.5 * np.cos(x), "
            "and line 8 (x = x - 0.5 * np.sin(x)) binds x anew before that. It is not computed again: line 8 makes it "
            "of the x before, which is gone by then")


def test_why_a_value_is_saved_that_the_next_trip_binds() -> None:
    said = at(session(forgets, passes="+reuse"), "h_saved.append")["saved"]
    assert "of the backward pass read h, the first: " in said
    assert "(h = np.tanh(y * x)) binds h anew in the next trip" in said
    assert said.endswith("It is not computed again: y is bound anew in each trip")


def test_why_a_part_is_saved_and_why_a_value_has_another_name() -> None:
    said = at(session(overwrites), "x_saved.append")["saved"]
    assert said.startswith("the part of x that changes is kept in x_saved, because lines ")
    assert "(x[i] = x[i] * x[i - 1]) changes x before that" in said
    said = at(session(renamed), "y_1 = y")["saved"]
    assert said.startswith("y is kept as y_1, because line ") and "(y = np.exp(x)) binds y anew before that" in said
    assert at(session(renamed), "z = y")["saved"] == ""


def test_a_list_of_saved_values_is_said_to_be_one() -> None:
    assert name(at(session(settle), "x_saved = []"), "x_saved")["says"] == "the values of x that are saved, a list"


def test_rules_with_their_formulas(of_loss: Session) -> None:
    first = at(of_loss, "btotal = ")["rules"][0]
    assert (first["name"], first["code"]) == ("np.tanh", "np.tanh(np.dot(x, w) + b)")
    assert [one["text"] for one in first["formulas"]] == ["y = tanh(x)", "x̄ += ȳ (1 − y²)"]
    assert first["where"] == [["x", "np.dot(x, w) + b"], ["y", "h"]]
    forward = at(of_loss, "h = ")["rules"]
    assert {"np.tanh", "np.dot", "operator.add"} == {one["name"] for one in forward}
    assert all(len(one["formulas"]) == 1 for one in forward)          # nothing goes back in the forward sweep


def test_a_rule_stands_where_its_expression_does(of_loss: Session) -> None:
    state = of_loss.state()
    places = [span[0] for span in state["spans"]]
    assert all(rule["at"] in places for rule in at(of_loss, "br = ")["rules"])


def test_a_line_that_passes_put_together_lists_the_rules_of_all_its_terms() -> None:
    found = {one["code"]: one["name"] for one in at(session(chained, at={"x": 2.0}), "bx = ")["rules"]}
    assert found == {"np.sin(x) * 3.0": "operator.mul", "np.sin(x)": "np.sin"}


def test_a_call_of_a_function_of_ones_own() -> None:
    rule = next(one for one in at(session(calls), "half_1, ")["rules"] if one["name"] == "_half_fwd")
    assert rule["note"] == "a function of its own: its derivative is _half_bwd"


def test_forward_mode_says_what_goes_forward() -> None:
    rules = at(session(loss, wrt=("w", "b"), mode="forward"), "dh = ")["rules"]
    assert "ẏ += ẋ (1 − y²)" in [one["text"] for rule in rules for one in rule["formulas"]]


def test_the_last_call_of_a_cell_is_offered_and_run_when_the_reader_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    one = session(loss, wrt=("w", "b"))
    one.use()
    made = one.take.derived.function.__name__
    call = f"{made}(X, W, b=B, y=Y)"
    one.namespace.update({name.upper(): value for name, value in arrays().items()})
    monkeypatch.setattr(Session, "last_call", lambda self: last_call(self.name_now(), [f"g = {call}"], self.namespace))
    found = at(one, "h = ", "primal")
    assert found["offer"] == f"the derivative runs once more, as in {call}" and name(found, "h")["value"] is None
    found = at(one, "h = ", "primal", run=True)
    assert np.allclose(name(found, "h")["value"]["cells"], by_hand()["h"].ravel(), rtol=1e-5)
    assert found["note"] == f"values of {call}" and found["offer"] == ""


@pytest.mark.parametrize("cell", [
    "df(g())", "df(*xs)", "df(**kw)", "df(gone)", "df(x", "other(x)", "df.at(x)", "# df(x)"])
def test_calls_that_cannot_be_made_again(cell: str) -> None:
    assert last_call("df", [cell], {"x": 1.0, "xs": [1.0], "kw": {}, "g": int}) is None


def test_nothing_runs_that_changes_something_unless_the_reader_asks() -> None:
    one = session(tells, at={"x": 3.0})
    _ = one.state()
    TOLD.clear()
    found = at(one, "return x * x", "primal")
    assert TOLD == [] and name(found, "x")["value"] is None
    assert found["offer"].startswith("the derivative runs once more")
    found = at(one, "return x * x", "primal", run=True)
    assert TOLD == [3.0] and name(found, "x")["value"]["text"] == "3.0" and found["offer"] == ""


def test_a_run_that_ends_with_an_error_says_so_and_shows_what_there_was() -> None:
    one = session(loss)
    one.take.at = inspect.signature(loss).bind(**{**arrays(), "w": np.ones((5, 5))})
    found = at(one, "count = ", "primal", run=True)
    assert found["note"].startswith("the run ended with ValueError")


def test_rows_that_there_are_not() -> None:
    one = session(settle)
    for side, stage, row in (("derived", 0, 10 ** 5), ("derived", 99, 0), ("primal", 0, 10 ** 5)):
        with pytest.raises(OptionError, match="no such row"):
            one.card(side, stage, row, False)


@pytest.mark.parametrize("more", [
    {"side": "both"}, {"row": -1}, {"row": True}, {"run": 1}, {"stage": 10 ** 9}, {"row": 1.0}])
def test_questions_that_are_none(more: dict[str, Any]) -> None:
    asked = {"kind": "card", "id": 1, "side": "primal", "stage": 0, "row": 0, "run": False}
    assert parse(asked, [], []).line == ("primal", 0, 0, False)
    with pytest.raises(MessageError):
        parse({**asked, **more}, [], [])


def test_the_state_does_not_grow() -> None:
    one = session(loss, wrt=("w", "b"))
    before = len(json.dumps(one.state()))
    at(one, "h = ", "primal")
    assert len(json.dumps(one.state())) == before


def test_a_path_that_stands_for_a_name_is_no_mark_of_an_expression() -> None:
    assert name(at(session(views), "def views", "primal"), "x")["activity"] == "differentiated: it reaches the result"
