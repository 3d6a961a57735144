"""What rules refuse when the derivative runs: points without a derivative, and forms of arguments."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("list_joined_to_an_array", """\
def g(x):
    return np.array([x, x])
def f(x):
    return np.sum(g(x) + [1.0, x])
""", """\
lists are joined here, and one of them is an array: make the other an array, np.array(...), to add to it, or use \
np.concatenate
  cell 1, line 4, column 5
    return np.sum(g(x) + [1.0, x])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def g(x):
    return np.array([x, x])
def f(x):
    return np.sum(g(x) + np.array([1.0, x]))
""", at=(2.0,)),
    Case("rows_of_a_list", """\
def f(x):
    rows = [x, x * 2.0]
    return np.sum(np.r_[rows] ** 2)
""", """\
np.r_ and np.c_ are differentiated of numbers and arrays, written one after another or in a tuple, and this is a list: \
use np.concatenate of a list of arrays
  cell 1, line 3, column 5
    return np.sum(np.r_[rows] ** 2)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    rows = [x, x * 2.0]
    return np.sum(np.array(rows) ** 2)
""", modes=("reverse",), at=(np.ones(2),)),
    Case("gradient_by_its_places", """\
def f(x):
    return np.sum(np.gradient(np.arange(3.0), x) ** 2)
""", """\
np.gradient is differentiated by its spacing where that is one number, and this one is an array of places: \
write np.diff(f) / np.diff(h)
  cell 1, line 2, column 5
    return np.sum(np.gradient(np.arange(3.0), x) ** 2)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum((np.diff(np.arange(3.0)) / np.diff(x)) ** 2)
""", at=(np.array([0.0, 1.0, 3.0]),), typed_at=(np.array([0.0, 1.0, 3.0]),)),
    Case("fit_of_one_point_twice", """\
import warnings
warnings.simplefilter("ignore")                            # of NumPy's own about the same
def f(x):
    return np.sum(np.polyfit(np.array([1.0, 1.0]), x, 1))
""", """\
the columns of a least squares problem are not independent, and its solution has no derivative: \
fit a polynomial of lower degree, or to more points
  cell 1, line 4, column 5
    return np.sum(np.polyfit(np.array([1.0, 1.0]), x, 1))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", modes=("reverse",), at=(np.ones(2),)),
    Case("order_in_memory", """\
def f(x):
    return np.sum(np.sin(x.ravel("A")) * np.arange(4.0))
""", """\
order='A' depends on how an array lies in memory, and is not differentiated: use order='C' or order='F'
  cell 1, line 2, column 5
    return np.sum(np.sin(x.ravel("A")) * np.arange(4.0))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.sin(x.ravel("C")) * np.arange(4.0))
""", at=(np.ones((2, 2)),), typed_at=(np.ones((2, 2)),)),
    Case("least_squares_of_a_cut_matrix", """\
def f(x):
    return np.linalg.lstsq(x, np.array([1.0, 2.0]), rcond=0.1)[0][0]
""", """\
np.linalg.lstsq leaves out singular values that are not zero, and is not differentiated so: pass rcond=None
  cell 1, line 2, column 5
    return np.linalg.lstsq(x, np.array([1.0, 2.0]), rcond=0.1)[0][0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.linalg.lstsq(x, np.array([1.0, 2.0]), rcond=None)[0][0]
""", at=(np.array([[1.0, 0.2], [0.3, 0.1]]),), typed_at=(np.array([[1.0, 0.2], [0.3, 0.1]]),)),
    Case("polyval_of_columns", """\
def f(x):
    return np.sum(np.polyval(np.ones((2, 3)), x))
""", """\
np.polyval of coefficients of shape (2, 3) is not differentiated: pass one polynomial, of shape (n,)
  cell 1, line 2, column 5
    return np.sum(np.polyval(np.ones((2, 3)), x))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(np.ones(3),)),
    Case("polymul_of_a_first_zero", """\
def f(x):
    return np.sum(np.polymul(x, np.array([0.0, 1.0])))
""", """\
np.polymul leaves out first coefficients that are 0, and is not differentiated there: use np.convolve
  cell 1, line 2, column 5
    return np.sum(np.polymul(x, np.array([0.0, 1.0])))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.convolve(x, np.array([0.0, 1.0])))
""", at=(np.ones(2),), typed_at=(np.ones(2),)),
    Case("covariance_of_complex_numbers", """\
def f(x):
    return np.real(np.cov(x * np.array([1.0, 2j])))
""", """\
np.correlate, np.cov and np.corrcoef of complex numbers are not differentiated: write them with np.convolve, or @
  cell 1, line 2, column 5
    return np.real(np.cov(x * np.array([1.0, 2j])))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("covariance_of_one_row", """\
def f(x):
    return np.sum(np.cov(np.reshape(x, (1, 3)), rowvar=False, ddof=0))
""", """\
np.cov of one row with rowvar=False is read in two ways by NumPy's versions: pass m.T, with rowvar=True
  cell 1, line 2, column 5
    return np.sum(np.cov(np.reshape(x, (1, 3)), rowvar=False, ddof=0))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(np.ones(3),)),
]
