"""What cards leave unsaid, where what they said of another line, or another call, would not be so here."""
from __future__ import annotations

import numpy as np

from tests.notebook.test_cards import session


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


def test_no_reason_is_taken_from_another_loop() -> None:
    one = session(twice, wrt=("x", "w"))
    state = one.state()
    rows = state["stages"][state["final"]]["rows"]
    texts = ["".join(word for _, word in state["lines"][row[0]]).strip() for row in rows]
    first, second = (one.card("derived", state["final"], row, False)["saved"]
                     for row, text in enumerate(texts) if text.startswith("h_saved.append"))
    assert first.endswith("It is not computed again: total is bound anew in each trip")
    assert "(h = hs[k]) binds h anew" in second and "not computed again" not in second
