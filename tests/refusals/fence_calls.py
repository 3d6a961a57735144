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
  instead: a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint
""", """\
def f(x):
    return np.sin(x)
"""),
    Case("random_numbers", """\
def f(x):
    return np.random.randn() * x
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.random.randn() * x
           ^^^^^^^^^^^^^^^^^
  why: this call draws random numbers, and changes what the next one draws
  instead: draw the numbers outside of the function, and pass them as an argument
""", """\
def f(x, noise=0.3):
    return noise * x
"""),
    Case("c_call", """\
import statistics

def f(x):
    return statistics.mean([x, x * x])
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return statistics.mean([x, x * x])
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: statistics.mean has no derivative rule
  instead: a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint
""", """\
import statistics

def f(x):
    return np.mean(np.array([x, x * x]))
"""),
    Case("c_call_with_a_row", """\
import math

def f(x):
    return math.ldexp(x, 2)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return math.ldexp(x, 2)
           ^^^^^^^^^^^^^^^^
  why: math.ldexp is not differentiated: it has no rule yet
  instead: x * 2 ** n
""", """\
import math

def f(x):
    return x * 2 ** 2
"""),
    Case("numpy_without_a_rule", """\
def f(x):
    return np.i0(x) * 1.0
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.i0(x) * 1.0
           ^^^^^^^^
  why: np.i0 is not differentiated: it has no rule yet
  instead: the functions it is made of, or a rule for it: @tnb.adjoint
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
    Case("out", """\
def f(x):
    y = np.zeros(3)
    np.multiply(x, x, out=y)
    return np.sum(y)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    np.multiply(x, x, out=y)
    ^^^^^^^^^^^^^^^^^^^^^^^^
  why: np.multiply is differentiated as np.multiply(x, y), and not called so: got an unexpected keyword argument 'out'
  instead: a call of this form, and its result assigned
""", """\
def f(x):
    y = np.multiply(x, x)
    return np.sum(y)
"""),
    Case("numpy_as_a_parameter", """\
import numpy

def f(x, xp=numpy):
    return xp.sum(x * x)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return xp.sum(x * x)
           ^^^^^^^^^^^^^
  why: xp.sum(...) is taken for a method of an array, since it is not known beforehand what xp is
  instead: np.sum(...), with numpy imported under a name outside
""", """\
import numpy as np

def f(x):
    return np.sum(x * x)
"""),
]
