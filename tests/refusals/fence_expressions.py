"""Expressions that are not differentiated."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("set", """\
def f(x):
    s = {x, x * x}
    return sum(s)
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    s = {x, x * x}
        ^^^^^^^^^^
  why: a set of differentiable values is not differentiated: it has no order, and drops what is equal
  instead: a list or a tuple
""", """\
def f(x):
    s = [x, x * x]
    return sum(s)
"""),
    Case("set_comprehension", """\
def f(x):
    s = {x * i for i in range(3)}
    return sum(s)
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    s = {x * i for i in range(3)}
        ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: a set of differentiable values is not differentiated: it has no order, and drops what is equal
  instead: a list: [... for ...]
""", """\
def f(x):
    s = [x * i for i in range(3)]
    return sum(s)
"""),
    Case("set_call", """\
def f(x):
    s = frozenset([x, x * x])
    return sum(s)
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    s = frozenset([x, x * x])
        ^^^^^^^^^^^^^^^^^^^^^
  why: a set of differentiable values is not differentiated: it has no order, and drops what is equal
  instead: a list or a tuple
""", """\
def f(x):
    s = (x, x * x)
    return sum(s)
"""),
    Case("bits", """\
def f(x):
    return x * (x & 3)
""", """\
cannot differentiate f
  cell 1, line 2, column 17
    return x * (x & 3)
                ^^^^^
  why: the operator & is for integers and truth values, and has no derivative
  instead: int(x) & int(3), or of truth values np.logical_and
""", """\
def f(x):
    return x * (int(x) & int(3))
""", kink=True),
    Case("list_arithmetic", """\
def f(x):
    return ([x, x] + x)[1]
""", """\
cannot differentiate f
  cell 1, line 2, column 13
    return ([x, x] + x)[1]
            ^^^^^^^^^^
  why: this joins or repeats lists, or computes with arrays: which of them is not known before the function runs
  instead: for arrays np.array([x, x]), for lists a list of all items: [..., *a]
""", """\
def f(x):
    return (np.array([x, x]) * 2)[1]
"""),
    Case("index", """\
def f(x):
    return (np.ones(9) * x)[x]
""", """\
cannot differentiate f
  cell 1, line 2, column 29
    return (np.ones(9) * x)[x]
                            ^
  why: an index or a key has no derivative, and this one depends on x
  instead: int(x), or tnb.stop_gradient(x)
""", """\
def f(x):
    return (np.ones(9) * x)[int(x)]
""", kink=True),
    Case("concatenation_by_an_axis_in_a_text", """\
def f(x):
    return np.sum(np.r_["0,2", x, 1.0] ** 2)
""", """\
cannot differentiate f
  cell 1, line 2, column 32
    return np.sum(np.r_["0,2", x, 1.0] ** 2)
                               ^
  why: np.r_ and np.c_ are differentiated of numbers, arrays and ranges, written one after another, and of nothing else
  instead: np.concatenate of a list of arrays
""", """\
def f(x):
    return np.sum(np.concatenate([np.array([[x]]), np.array([[1.0]])]) ** 2)
"""),
    Case("text", """\
def f(x):
    t = f'{x}'
    return float(t) * 2
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return float(t) * 2
           ^^^^^^^^
  why: a number is read from a text, and the text was made of something differentiated: it has no derivative
  instead: the number itself, without the text
""", """\
def f(x):
    return x * 2
"""),
]
