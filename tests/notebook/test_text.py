"""The plain text holds all that the page holds."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from handmade import defined, derived, loss
from hostile import TEXTS, program

from tangent_nb.notebook.text import plain
from tangent_nb.notebook.view import Message, Table, view


def test_the_loss_as_a_whole() -> None:
    _, df = loss()
    table = Table("check", ("parameter", "value"), (("w", "1\n2"), ("b", "3")), (True, False))
    shown = plain(view("dloss_dw_db", df.__tangent_nb__, every_pass=False, tables=[table], notes=["a note"],
                       problem="p\nq"))
    label = df.__tangent_nb__.primal.source.label
    assert shown == f"""\
dloss_dw_db: gradient of loss, with respect to w, b, mode reverse, passes dead-code, unbroadcast

{label}
  1 │ def loss(x, w, b, y):
  2 │     h = np.tanh(np.dot(x, w) + b)  →3 ←9–11
  3 │     r = h - y                      →4
  4 │     return np.mean(r * r)          ←7

derivative
   1     │ def dloss_dw_db(x, w, b, y):
   2     │     # forward
   3  →2 │     h = np.tanh(np.dot(x, w) + b)
   4  →3 │     r = h - y
   5     │     # backward
   6     │     # Grad of: return np.mean(r * r)
   7  ←4 │     br = r * (2.0 / r.size)
   8     │     # Grad of: h = np.tanh(np.dot(x, w) + b)
   9  ←2 │     bz = br * (1.0 - h * h)
  10  ←2 │     bw = np.dot(x.T, bz)
  11  ←2 │     bb = bz.sum(axis=0)
  12     │     return bw, bb

check
  parameter  value
  w          1     ✓
             2
  b          3     ✗

p
q

a note"""


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_reaches_the_terminal(name: str) -> None:
    f = defined(program(TEXTS[name]), "f")
    df = derived(f, "def df_dx(x):\n    bx = x + x  # 4 backward\n    return bx\n", ("x",))
    for shown in (view("df_dx", df.__tangent_nb__, every_pass=True, problem=TEXTS[name], notes=[TEXTS[name]]),
                  Message(TEXTS[name], (TEXTS[name],))):
        text = plain(shown)
        assert all(c == "\n" or c.isprintable() or c in "\xa0\u3000\u200d" for c in text)
        text.encode("utf-8")
