"""What cards leave unsaid, where it would be true of another line or another call alone."""
from __future__ import annotations

import inspect

import numpy as np

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
