"""Calls that change an array in place: what NumPy asks of the array, and of what is written."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("pieces_of_a_number", """\
def f(x):
    return np.piecewise(x, [x < 0.0], [np.sin, np.cos])
""", """\
np.piecewise is differentiated for arrays, and x is a number: write f(x) if c else g(x)
  cell 1, line 2, column 5
    return np.piecewise(x, [x < 0.0], [np.sin, np.cos])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sin(x) if x < 0.0 else np.cos(x)
""", at=(2.0,)),
    Case("out_of_a_row_that_a_call_chooses", """\
def f(x):
    rows = {"a": np.zeros(2)}
    np.multiply(x, np.ones(2), out=list(rows.values())[0])
    return rows["a"][0]
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    np.multiply(x, np.ones(2), out=list(rows.values())[0])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: this call writes into an array that it is given, which is not known to be a variable, or a row or a slice of one
  instead: a store of its value: c[...] = ...
""", """\
def f(x):
    rows = {"a": np.zeros(2)}
    rows["a"] = np.multiply(x, np.ones(2))
    return rows["a"][0]
"""),
    Case("list_that_is_filled_like_an_array", """\
def f(x, n):
    y = n.copy()
    np.copyto(y, x)
    return y[0] * x
""", """\
y is changed in place as an array, and is a list: make it an array, np.array(...)
  cell 1, line 3, column 5
    np.copyto(y, x)
    ^^^^^^^^^^^^^^^
""", """\
def f(x):
    y = np.array([1.0, 2.0])
    np.copyto(y, x)
    return y[0] * x
""", at=(2.0, [1.0, 2.0])),
    Case("out_of_another_shape", """\
def f(x):
    y = np.zeros(2)
    np.multiply(x, 2.0, out=y)
    return np.sum(y)
""", """\
y has shape (2,), and a value of shape (3,) is written to it: they have to fit
  cell 1, line 3, column 5
    np.multiply(x, 2.0, out=y)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    y = np.zeros(3)
    np.multiply(x, 2.0, out=y)
    return np.sum(y)
""", at=(np.ones(3),)),
    Case("out_of_integers", """\
def f(x, n):
    y = n.copy()
    np.copyto(y, x)
    return np.sum(y * x)
""", """\
y is an array of int64, and a value of float64 does not fit into it: make it an array of float64
  cell 1, line 3, column 5
    np.copyto(y, x)
    ^^^^^^^^^^^^^^^
""", """\
def f(x):
    y = np.zeros(3)
    np.copyto(y, x)
    return np.sum(y * x)
""", at=(np.ones(3), np.zeros(3, int))),
    Case("filled_with_an_array", """\
def f(x):
    y = np.zeros(3)
    y.fill(x)
    return np.sum(y)
""", """\
y.fill takes one number, and is given something of shape (3,): write y[...] = ...
  cell 1, line 3, column 5
    y.fill(x)
    ^^^^^^^^^
""", """\
def f(x):
    y = np.zeros(3)
    y[...] = x
    return np.sum(y)
""", at=(np.ones(3),)),
    Case("put_of_fewer_values", """\
def f(x):
    y = np.zeros(3)
    np.put(y, [0, 1, 2], x[:2])
    return np.sum(y)
""", """\
values of shape (2,) are put to places of shape (3,) in y, which would repeat some, or leave some out: \
give one value, or one for each place
  cell 1, line 3, column 5
    np.put(y, [0, 1, 2], x[:2])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    y = np.zeros(3)
    np.put(y, [0, 1, 2], x)
    return np.sum(y)
""", at=(np.ones(3),)),
    Case("put_at_floats", """\
def f(x, n):
    y = np.zeros(3)
    np.put(y, n, x)
    return np.sum(y)
""", """\
places in an array are integers, and these are of float64: a mask is an index, a[mask] = ...
  cell 1, line 3, column 5
    np.put(y, n, x)
    ^^^^^^^^^^^^^^^
""", at=(2.0, np.array([0.0, 1.0]))),
    Case("putmask_of_another_shape", """\
def f(x, n):
    y = np.zeros(3)
    np.putmask(y, n, x)
    return np.sum(y)
""", """\
the mask has shape (2,), the array (3,): they must be the same
  cell 1, line 3, column 5
    np.putmask(y, n, x)
    ^^^^^^^^^^^^^^^^^^^
""", at=(2.0, np.array([True, False]))),
    Case("where_of_numbers", """\
def f(x, n):
    y = np.zeros(3)
    np.multiply(x, 2.0, out=y, where=n)
    return np.sum(y)
""", """\
where= takes truth values, and is given int64: write mask != 0
  cell 1, line 3, column 5
    np.multiply(x, 2.0, out=y, where=n)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(np.ones(3), np.array([2, 0, 1]))),
    Case("where_of_another_shape", """\
def f(x, n):
    y = np.zeros(3)
    np.multiply(x, 2.0, out=y, where=n)
    return np.sum(y)
""", """\
the mask has shape (2,), the array (3,): they have to fit
  cell 1, line 3, column 5
    np.multiply(x, 2.0, out=y, where=n)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(np.ones(3), np.array([True, False]))),
    Case("diagonal_of_a_vector", """\
def f(x):
    y = np.zeros(3)
    np.fill_diagonal(y, x)
    return np.sum(y)
""", """\
an array of shape (3,) has no diagonal to be filled: it needs two dimensions, or more of one length
  cell 1, line 3, column 5
    np.fill_diagonal(y, x)
    ^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    y = np.zeros((3, 3))
    np.fill_diagonal(y, x)
    return np.sum(y)
""", at=(2.0,)),
    Case("put_along_an_axis_of_floats", """\
def f(x, n):
    y = np.zeros(3)
    np.put_along_axis(y, n, x, 0)
    return np.sum(y)
""", """\
put_along_axis takes an axis, and an array of integers with as many dimensions as the array
  cell 1, line 3, column 5
    np.put_along_axis(y, n, x, 0)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0, np.array([0.0]))),
    Case("multiply_at", """\
def f(x):
    y = np.ones(3)
    np.multiply.at(y, [0, 0], x)
    return np.sum(y)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    np.multiply.at(y, [0, 0], x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: np.multiply.at is not differentiated: a place that is named twice is changed twice
  instead: a loop over the places: for k in i: a[k] = np.multiply(a[k], v)
""", """\
def f(x):
    y = np.ones(3)
    for k in [0, 0]:
        y[k] = np.multiply(y[k], x)
    return np.sum(y)
"""),
]
