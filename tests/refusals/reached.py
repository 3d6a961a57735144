"""What is refused when it is reached: not every path that returns passes the place."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("reached_in_a_branch", """\
def f(x, kind="mean"):
    if kind == "unique":
        return np.sum(np.arange(x))
    return np.mean(x * x)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 3, column 33
    return np.sum(np.arange(x))
                            ^
  why: np.arange has no derivative by its argument start
  instead: tnb.stop_gradient(x), if it is meant as a constant
""", """\
def f(x, kind="mean"):
    if kind == "unique":
        return np.sum(x * np.sum(np.arange(len(tnb.stop_gradient(x)))))
    return np.mean(x * x)
""", at=(np.array([1.0, 2.0]), "unique"), typed_at=(np.array([1.0, 2.0]),)),
    Case("reached_in_a_function_that_is_called", """\
def log(x):
    return np.arange(x)
def f(x, n=0):
    if n > 3:
        x = log(x)
    return np.sum(x * x)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 5, column 13
    x = log(x)
        ^^^^^^
  why: log is called, and np.arange has no derivative by its argument start
  instead: tnb.stop_gradient(x), if it is meant as a constant
""", at=(np.array([1.0, 2.0]), 4)),
    Case("reached_in_one_of_two_values", """\
def f(x, whole=True):
    y = x * x if whole else np.arange(x)
    return np.sum(y)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 2, column 39
    y = x * x if whole else np.arange(x)
                                      ^
  why: np.arange has no derivative by its argument start
  instead: tnb.stop_gradient(x), if it is meant as a constant
""", at=(np.array([1.0, 2.0]), False)),
    Case("reached_when_an_argument_has_changed", """\
def f(x, n=0):
    x[0] = 0.0
    if n > 3:
        return None
    return np.sum(x * x)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 4, column 9
    return None
    ^^^^^^^^^^^
  why: it returns None; x may have been changed by then
  instead: return a number or an array
""", at=(np.array([1.0, 2.0]), 4)),
    Case("reached_where_the_user_would_catch_it", """\
def f(x, n=0):
    try:
        if n > 3:
            x = np.arange(x)
        y = x * x
    except Exception:
        y = x
    return np.sum(y)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 4, column 27
    x = np.arange(x)
                  ^
  why: np.arange has no derivative by its argument start
  instead: tnb.stop_gradient(x), if it is meant as a constant
""", at=(np.array([1.0, 2.0]), 4)),
    Case("nowhere_to_go_on", """\
def f(x):
    try:
        y = np.arange(x)
    except Exception:
        y = x
    return np.sum(y)
""", """\
cannot differentiate f
  cell 1, line 3, column 23
    y = np.arange(x)
                  ^
  why: np.arange has no derivative by its argument start
  instead: tnb.stop_gradient(x), if it is meant as a constant
"""),
    Case("no_branch_goes_on", """\
def f(x, n=0):
    if n > 3:
        return np.arange(x)
    return None
""", """\
cannot differentiate f: 2 places
  cell 1, line 3, column 26
    return np.arange(x)
                     ^
  why: np.arange has no derivative by its argument start
  instead: tnb.stop_gradient(x), if it is meant as a constant

  cell 1, line 4, column 5
    return None
    ^^^^^^^^^^^
  why: it returns None
  instead: return a number or an array
"""),
]
