"""Calls that have no rule, or are not called so."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("misspelt_function", """\
def f(x):
    return np.sine(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.sine(x)
           ^^^^^^^^^^
  why: np.sine does not exist: is np.sin meant?
  instead: np.sin
""", """\
def f(x):
    return np.sin(x)
"""),
    Case("draw_around_x", """\
def f(x):
    return np.random.normal(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.random.normal(x)
           ^^^^^^^^^^^^^^^^^^^
  why: what np.random.normal draws has no derivative by what it is drawn from
  instead: loc + scale * np.random.standard_normal(size)
""", """\
def f(x):
    np.random.seed(0)
    return x + np.random.standard_normal()
"""),
    Case("print", """\
def f(x):
    return print(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return print(x)
           ^^^^^^^^
  why: print returns None, and its result is used
  instead: print(...) on a line of its own
"""),
    Case("numpy_of_a_list", """\
import numpy
libraries = [numpy]
def f(x):
    xp = libraries[0]
    return xp.sum(x * x)
""", """\
cannot differentiate f
  cell 1, line 5, column 12
    return xp.sum(x * x)
           ^^^^^^^^^^^^^
  why: xp.sum(...) is taken for a method of an array, since it is not known beforehand what xp is
  instead: np.sum(...), with numpy imported under a name outside
""", """\
import numpy as np

def f(x):
    return np.sum(x * x)
"""),
    Case("tangent_of_a_closure", """\
def f(x):
    def g(t):
        return t * t * x
    return tnb.autodiff(g)(3.0, 1.0)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return tnb.autodiff(g)(3.0, 1.0)
           ^^^^^^^^^^^^^^^
  why: tnb.autodiff is given g, which depends on what is differentiated
  instead: its derivative outside, dg = tnb.grad(g), of a function g that takes all that it reads as arguments, \
and here dg(...)
""", """\
def g(t, x):
    return t * t * x
dg = tnb.grad(g)
def f(x):
    return dg(3.0, x)
"""),
]
