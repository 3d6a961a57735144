"""What cards leave unsaid, where it would be true of another line or another call alone."""
from __future__ import annotations

import inspect

import numpy as np
import pytest

from tangent_nb.notebook.cards.last_call import last_call
from tangent_nb.notebook.session import Session
from tests.notebook.test_cards import at, name, session


def twice(x, w, n):
    h = x
    hs = []
    for _ in range(n):
        h = np.tanh(h * w + x)
        hs.append(h)
    t = 0.0
    for h in hs:
        t += h * x
    return np.sum(t)


def sums(x, w):
    h = x
    total = np.zeros(3)
    i = 0
    while i < 10:
        h = np.tanh(h * w + x)
        total = total + h
        total[0] = 0.0
        i += 1
        if i > 3:
            break
    return np.sum(total * h)


def picks(x):
    z = x[1:]
    return np.sum(x) + z[0] * z[1]


def stops(t):
    if t.size > 100:
        raise ValueError("too many")
    scaled = t * 2.0
    return np.sin(scaled)


def scales(q, k):
    s = q * k
    t = np.tanh(s)
    return t * t + s


def scales_twice(a, k):
    b = scales(np.sin(a), k)
    return b * scales(b, 2.0)


def of_the_same_names(x, k):
    s = x * 3.0
    y = scales_twice(s, k + 1.0)
    return np.sum(y * s)


def calls_one(x):
    return np.sum(stops(x) * np.sin(x))


def methods(x):
    y = x.copy()
    k = x.astype(int).sum()
    v = x.astype(float)
    z = (x * 2.0).mean(axis=0)
    return np.sum(y * y) * k + z + np.sum(v)


def test_no_reason_is_taken_from_another_loop() -> None:
    one = session(twice, wrt=("x", "w"))
    state = one.state()
    rows = state["stages"][state["final"]]["rows"]
    texts = ["".join(word for _, word in state["lines"][row[0]]).strip() for row in rows]
    first, second = (one.card("derived", state["final"], row, False)["saved"]
                     for row, text in enumerate(texts) if text.startswith("h_saved.append"))
    assert first.endswith("It is not computed again: total is bound anew in each trip")
    assert "(h = hs[k]) binds h anew" in second and "not computed again" not in second


def test_a_line_that_makes_zeros_alone_has_no_rule() -> None:
    one = session(picks, at={"x": np.array([1.0, 2.0, 3.0])})
    assert at(one, "bz = np.zeros_like(z)")["rules"] == []
    assert "operator.getitem" in [rule["name"] for rule in at(one, "bx[1:] += bz")["rules"]]


def test_of_what_is_an_outline_no_number_is_shown() -> None:
    x = np.array([1.0, 2.0, 3.0])
    one = session(sums, wrt=("x", "w"))
    one.take.at = inspect.signature(sums).bind(x, x)
    saved = at(one, "product_saved.append", run=True)
    assert saved["saved"].startswith("only the outline of product, its shape and dtype and no number of it, is kept in "
                                     "product_saved: line ")
    assert name(saved, "product")["value"]["shape"] == [3]                     # here it has its numbers
    assert name(at(one, "product_saved = []"), "product_saved")["says"] == \
        "the outlines of product that are saved, a list"
    for line in ("product = product_saved.pop", "bproduct = "):
        found = name(at(one, line), "product")
        assert found["value"] is None and found["says"].startswith("only its outline is here, shape and dtype")


@pytest.mark.parametrize("line, head", [
    ("y = ", "y = copy(x)"), ("k = ", "y = sum(x)"), ("v = ", "y = x.astype(dtype)"),
    ("z = ", "y = mean(x, axis=0)"), ("return", "y = sum(x)")])
def test_the_formula_of_a_method_names_its_operand(line: str, head: str) -> None:
    found = at(session(methods), line, "primal")["rules"]
    assert head in [rule["formulas"][0]["text"] for rule in found if rule["formulas"]]


def test_a_call_is_not_offered_as_the_last_where_a_later_one_was_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    one = session(sums, wrt=("x", "w"))
    one.use()
    made = one.take.derived.function.__name__
    one.namespace.update(X=np.ones(3), W=np.ones(3))
    for later in (f"{made}(X[0], W)", f"{made}(gone, W)"):
        cells = [f"g = {made}(X, W)", later]
        assert getattr(last_call(made, cells, one.namespace), "last", None) is False
    monkeypatch.setattr(Session, "last_call", lambda self: last_call(self.name_now(), cells, self.namespace))
    told = f"{made}(X, W), an earlier call: the last one cannot be made again from here"
    assert at(one, "total = total + h")["offer"] == f"the derivative runs once more, as in {told}"
    found = at(one, "total = total + h", run=True)
    assert found["note"] == f"values of {told}" and found["offer"] == ""


@pytest.mark.parametrize("line", ["scaled = ", "return np.sin(scaled"])
def test_what_a_called_function_binds_has_its_cotangent(line: str) -> None:
    x = np.array([0.3, 0.7, 1.1])
    found = name(at(session(calls_one, at={"x": x}), line, "primal", run=True), "scaled")
    assert found["partner"] == "bscaled"
    assert np.allclose(found["cotangent"]["cells"], np.sin(x) * np.cos(x * 2.0), rtol=1e-5)


@pytest.mark.parametrize("line, named, given", [
    ("def scales(", {}, {"q", "k"}), ("s = q", {}, {"q", "k"}), ("t = np.tanh", {"t"}, {}), ("return t", {"t"}, {}),
    ("def scales_twice(", {}, {"a", "k"}), ("b = scales", {"b"}, {"a", "k"}), ("return b", {"b"}, {}),
    ("s = x", {"s", "x"}, {}), ("y = scales_twice", {"y", "s", "k"}, {})])
def test_a_name_of_a_called_function_is_not_taken_for_another_of_that_name(
        line: str, named: set[str], given: set[str]) -> None:
    """`k` of scales_twice is 1.5, and its caller's 0.5; `s` of scales is another than its caller's. Where a function
    stands in place of its calls, nothing is said of what has another name there, or none."""
    x = np.linspace(0.2, 1.0, 4)
    found = at(session(of_the_same_names, wrt="x", at={"x": x, "k": 0.5}), line, "primal", run=True)
    parameters = {one["name"] for one in found["names"] if one["says"].startswith("parameter: ")}
    assert parameters == set(given) and {one["name"] for one in found["names"]} - parameters == set(named)
    t = np.tanh(np.sin(x * 3.0) * 1.5)
    true = {"t": t, "b": t * t + np.sin(x * 3.0) * 1.5, "s": x * 3.0, "x": x, "a": x * 3.0}
    for one in found["names"]:
        if one["name"] in true:
            np.testing.assert_allclose(one["value"]["cells"], true[one["name"]], rtol=1e-5)
    assert "k" not in named or name(found, "k")["value"]["text"] == "0.5"
    assert "k" not in given or name(found, "k")["value"] is None


def once(q, k):
    u = scales(q, 3.0)
    return u * k


class Scaler:
    def scale(self, q):
        r = q * q
        return r * r

    def twice(self, q):
        return self.scale(q) + self.scale(q + 1.0)


def by_method(q, scaler):
    return scaler.twice(q)


def test_a_parameter_of_a_function_in_the_place_of_its_calls_is_what_these_give_it() -> None:
    found = session(scales_twice, at={"a": 0.5, "k": 2.0})
    first = inspect.getsourcelines(scales_twice)[1] + 1
    for line in ("def scales(", "s = q * k"):
        card = at(found, line, "primal")
        assert name(card, "q")["says"] == f"parameter: np.sin(a) in scales(np.sin(a), k), line {first}; " \
            f"b in scales(b, 2.0), line {first + 1}"
        assert name(card, "q")["value"] is None and name(card, "k")["kind"] == ""
    assert f"line {first}, one of 2 calls" in name(at(found, "s = q * k", "primal"), "s")["says"]


def test_a_parameter_of_the_only_call_is_the_variable_that_it_is_given() -> None:
    card = at(session(once, at={"q": 0.5, "k": 2.0}), "s = q * k", "primal")
    q, k = name(card, "q"), name(card, "k")
    assert q["value"]["text"] == "0.5" and "it reaches the result" in q["activity"] and q["kind"] == "float"
    assert k["says"].startswith("parameter: 3.0 in scales(q, 3.0)") and k["value"] is None, "the caller's k is another"


def test_of_the_parameters_of_methods_nothing_is_said() -> None:
    card = at(session(by_method, at={"q": 0.5, "scaler": Scaler()}), "r = q * q", "primal")
    assert name(card, "r") and not any("parameter:" in one["says"] for one in card["names"])
