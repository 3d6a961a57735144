"""What the derivatives of least squares refuse."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb
from tangent_nb.rules.table import fill

from .case import REVERSE, Case

fill("scipy.optimize")                                     # rows that are filled within a test are gone after it

LEAST = "from scipy.optimize import curve_fit, least_squares\n"

CASES = [
    Case("least_squares_without_a_single_minimum", LEAST + """\
def f(a):
    return least_squares(lambda x: np.array([x[0] + x[1] - a]), np.zeros(2)).x[0]
""", """\
the least squares have no derivative: the sum of squares has no minimum there that is alone, its Hessian is \
singular or has a negative eigenvalue
  cell 1, line 3, column 5
    return least_squares(lambda x: np.array([x[0] + x[1] - a]), np.zeros(2)).x[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("least_squares_at_a_bound", LEAST + """\
def f(a):
    return least_squares(lambda x: x - a, [0.5], bounds=(0.0, 1.0)).x[0]
""", """\
what is differentiated is no minimum of the squares: the solver stopped before, or at a bound
  cell 1, line 3, column 5
    return least_squares(lambda x: x - a, [0.5], bounds=(0.0, 1.0)).x[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", LEAST + """\
def f(a):
    return least_squares(lambda x: x - a, [0.5], bounds=(0.0, 3.0)).x[0]
""", at=(2.0,)),
    Case("covariance_of_a_fit", LEAST + """\
def f(a):
    popt, pcov = curve_fit(lambda t, k: k * t, np.arange(4.0), a * np.sqrt(np.arange(4.0)))
    return popt[0] / pcov[0, 0]
""", """\
the covariance that curve_fit gives is differentiated, and has no derivative: the parameters, curve_fit(...)[0]
  cell 1, line 3, column 5
    popt, pcov = curve_fit(lambda t, k: k * t, np.arange(4.0), a * np.sqrt(np.arange(4.0)))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", LEAST + """\
def f(a):
    return curve_fit(lambda t, k: k * t, np.arange(4.0), a * np.sqrt(np.arange(4.0)))[0][0]
""", at=(2.0,), modes=(REVERSE,)),
    Case("fit_with_covariances", LEAST + """\
def f(a):
    return curve_fit(lambda t, k: k * t, np.arange(4.0), a * np.ones(4), sigma=np.eye(4))[0][0]
""", """\
curve_fit is given covariances of the data, and is differentiated without: sigma=... with a number for each of \
the data
  cell 1, line 3, column 5
    return curve_fit(lambda t, k: k * t, np.arange(4.0), a * np.ones(4), sigma=np.eye(4))[0][0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", LEAST + """\
def f(a):
    return curve_fit(lambda t, k: k * t, np.arange(4.0), a * np.ones(4), sigma=np.ones(4))[0][0]
""", at=(2.0,)),
    Case("fit_by_where_the_data_are", LEAST + """\
def f(a):
    return curve_fit(lambda t, k: k * t, a * np.arange(4.0), np.arange(4.0))[0][0]
""", """\
cannot differentiate f
  cell 1, line 3, column 42
    return curve_fit(lambda t, k: k * t, a * np.arange(4.0), np.arange(4.0))[0][0]
                                         ^^^^^^^^^^^^^^^^^^
  why: scipy.optimize.curve_fit has no derivative by its argument xdata
  instead: scipy.optimize.least_squares of what the curve misses
""", LEAST + """\
def f(a):
    t, y = a * np.arange(4.0), np.arange(4.0)
    return least_squares(lambda p: p[0] * t - y, [1.0]).x[0]
"""),
    Case("arguments_of_least_squares_in_an_array", LEAST + """\
def f(a):
    return least_squares(lambda x, b: x - b, [0.5], args=a).x[0]
""", """\
least_squares is given an array as args, and takes its items one by one: a tuple, args=(...)
  cell 1, line 3, column 5
    return least_squares(lambda x, b: x - b, [0.5], args=a).x[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", LEAST + """\
def f(a):
    return least_squares(lambda x, b: x - b, [0.5], args=(a[0],)).x[0]
""", at=(np.array([2.0]),), typed_at=(np.array([2.0]),)),
    Case("least_squares_twice", LEAST + """\
def f(a):
    return least_squares(lambda x: x ** 3 - a, [0.5], gtol=1e-12).x[0]
""", """\
cannot differentiate df_da
  df_da (generated), line 18, column 30
    bpartial = rt.closure_of(rt.squares_adjoint(bleast_squares_1, least_squares_1, partial, args=(),
                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: rt.squares_adjoint is not differentiated: least squares are differentiated once
  instead: scipy.optimize.minimize of half the sum of squares, which is differentiated twice
""", """\
from scipy.optimize import minimize
def f(a):
    return minimize(lambda x: 0.5 * np.sum((x ** 3 - a) ** 2), [1.0], tol=1e-10).x[0]
""", derive=lambda f: tnb.grad(tnb.grad(f))),
]
