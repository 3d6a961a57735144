"""Calls that change what is read outside of the function."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("variable_outside_that_a_call_changes", """\
K = np.ones(3)
def tick():
    K[0] += 1.0
def f(x):
    y = x * K
    tick()
    return np.sum(y * K)
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    tick()
    ^^^^^^
  why: tick may change K, which is read here too, and again in the backward pass
  instead: pass K as an argument, and let tick return the new value
""", """\
K = np.ones(3)
def tick(k):
    return k + np.array([1.0, 0.0, 0.0])
def f(x):
    y = x * K
    k = tick(K)
    return np.sum(y * k)
"""),
]
