"""What Numba does not compile, and what it would compute in another way than Python."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import REVERSE, Case

NUMBA = {"compile": "numba"}

CASES = [
    Case("factorial_for_numba", """\
def f(x, n):
    p, s = 1, 0.0
    for i in range(1, n):
        p = p * i
        s = s + x / p
    return s
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    p = p * i
    ^^^^^^^^^
  why: an int may grow beyond 64 bits here, and in compiled code it would wrap around
  instead: a float (1.0 where it begins), or compile=None

  cell 1, line 1, column 1
    def f(x, n):
    ^^^^^^^^^^^^
  why: f is called here
""", typed="""\
def f(x, n):
    p, s = 1.0, 0.0
    for i in range(1, n):
        p = p * i
        s = s + x / p
    return s
""", typed_at=(2.0, 5), at=(2.0, 5), keywords=NUMBA),
    Case("large_int_for_numba", """\
def f(x, n):
    return x * n
""", """\
compiled code takes ints of 31 bits, and is given 2147483648: give a float, or compile=None
  cell 1, line 1, column 1
    def f(x, n):
    ^^^^^^^^^^^^
""", at=(2.0, 2 ** 31), keywords=NUMBA),
    Case("helper_that_numba_lacks", """\
def f(x):
    return np.sum(np.sort(x) * x)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(np.sort(x) * x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: its derivative calls rt.unsort, which has no compiled form for Numba
  instead: compile=None, or a loop over numbers

  cell 1, line 1, column 7
    def f(x):
          ^
  why: f is called here
""", at=(np.array([2.0, 1.0]),), modes=(REVERSE,), keywords=NUMBA),
    Case("drawn_for_numba", """\
def f(x):
    return np.sum(x * np.random.normal(size=3))
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(x * np.random.normal(size=3))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: np.random.normal would draw other numbers in compiled code, which has a stream of its own
  instead: draw them outside, and pass them as an argument

  cell 1, line 1, column 7
    def f(x):
          ^
  why: f is called here
""", at=(np.ones(3),), keywords=NUMBA),
    Case("part_for_numba", """\
def f(p):
    return p["w"] * 2.0
""", """\
cannot differentiate f
  cell 1, line 1, column 7
    def f(p):
          ^
  why: p['w'] is no parameter, and is not compiled for Numba
  instead: pass it as an argument
""", at=({"w": 1.0},), wrt="p['w']", keywords=NUMBA),
    Case("stars_for_numba", """\
def f(x, *more):
    return x * more[0]
""", """\
cannot differentiate f
  cell 1, line 1, column 11
    def f(x, *more):
              ^^^^
  why: more takes any number of arguments, which are not compiled for Numba
  instead: name its parameters, or compile=None
""", typed="""\
def f(x, y):
    return x * y
""", typed_at=(2.0, 3.0), at=(2.0, 3.0), modes=(REVERSE,), keywords=NUMBA),
    Case("narrow_array_for_numba", """\
def f(x):
    return np.sum(x * x)
""", """\
cannot differentiate f
  cell 1, line 1, column 7
    def f(x):
          ^
  why: x is an array of f4, which is not compiled for Numba
  instead: an array of float64, a number, or compile=None

  cell 1, line 1, column 7
    def f(x):
          ^
  why: f is called here
""", at=(np.ones(3, np.float32),), keywords=NUMBA),
    Case("text_for_numba", """\
def f(x, how):
    return x * x if how == "square" else x
""", """\
cannot differentiate f
  cell 1, line 1, column 10
    def f(x, how):
             ^^^
  why: how is no number, and no array of numbers, which is not compiled for Numba
  instead: an array of float64, a number, or compile=None

  cell 1, line 1, column 10
    def f(x, how):
             ^^^
  why: f is called here
""", at=(2.0, "square"), keywords=NUMBA),
    Case("what_numba_does_not_compile", """\
def f(x, n):
    return x * np.tile(n, 2)[0]
""", """\
cannot differentiate this call in nopython mode
  cell 1, line 2, column 5
    return x * np.tile(n, 2)[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: Numba does not compile this: Use of unsupported NumPy function 'numpy.tile' or unsupported use of the function.
  instead: the same in loops and numbers, or compile=None
""", at=(np.ones(2), np.ones(2)), modes=(REVERSE,), keywords=NUMBA),
    Case("what_numba_fails_at", """\
def f(x, k):
    k += x
    return np.sum(x * x)
""", """\
cannot differentiate this call in nopython mode
  cell 1, line 1, column 1
    def f(x, k):
    ^^^^^^^^^^^^
  why: Numba does not compile this: it does not say why
  instead: the same in loops and numbers, or compile=None
""", at=(np.ones(3), np.arange(3)), modes=(REVERSE,), keywords=NUMBA),
    Case("divided_ints_for_numba", """\
def f(x, n, m):
    return x * (n // m)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x * (n // m)
    ^^^^^^^^^^^^^^^^^^^
  why: an int is divided by another, which may be 0, and compiled code would raise no error
  instead: a literal, np.floor(a / b), or compile=None

  cell 1, line 1, column 1
    def f(x, n, m):
    ^^^^^^^^^^^^^^^
  why: f is called here
""", at=(2.0, 3, 2), keywords=NUMBA),
    Case("int_of_a_float_for_numba", """\
def f(x):
    return x * int(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x * int(x)
    ^^^^^^^^^^^^^^^^^
  why: an int is made of a float, and would have 64 bits in compiled code
  instead: np.floor(x), or an int as an argument

  cell 1, line 1, column 7
    def f(x):
          ^
  why: f is called here
""", at=(2.5,), modes=(REVERSE,), keywords=NUMBA),
    Case("power_of_ints_for_numba", """\
def f(x, n):
    return x * np.power(2, n)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x * np.power(2, n)
    ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: np.power of such numbers is another one in compiled code
  instead: the operator % or **, with a float, or compile=None

  cell 1, line 1, column 1
    def f(x, n):
    ^^^^^^^^^^^^
  why: f is called here
""", at=(2.5, 3), keywords=NUMBA),
    Case("truth_values_for_numba", """\
def f(x, n):
    return np.sum(x * ((n > 1.0) + (n > 2.0)))
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(x * ((n > 1.0) + (n > 2.0)))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: truth values are computed with, which NumPy and compiled code do in two ways
  instead: float(...), np.where(c, 1.0, 0.0), or compile=None

  cell 1, line 1, column 1
    def f(x, n):
    ^^^^^^^^^^^^
  why: f is called here
""", at=(np.ones(3), np.arange(3.0)), modes=(REVERSE,), keywords=NUMBA),
    Case("widths_for_numba", """\
def f(x, n):
    return x * np.float32(n)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x * np.float32(n)
    ^^^^^^^^^^^^^^^^^^^^^^^^
  why: numbers of float32 compute otherwise in compiled code
  instead: float, int, or compile=None

  cell 1, line 1, column 1
    def f(x, n):
    ^^^^^^^^^^^^
  why: f is called here
""", at=(2.5, 3), modes=(REVERSE,), keywords=NUMBA),
    Case("outside_for_numba", """\
C = {"a": 1.0}

def f(x):
    return x * len(C)
""", """\
compiled code takes numbers and arrays of 64 bits, and is given an object of class dict: convert it, or compile=None
  cell 1, line 3, column 7
    def f(x):
          ^
""", at=(2.5,), modes=(REVERSE,), keywords=NUMBA),
    Case("shadowed_for_numba", """\
def f(x, n):
    return x * abs(n)
""", """\
abs means something else now than when this derivative was made: derive again
  cell 1, line 1, column 1
    def f(x, n):
    ^^^^^^^^^^^^
""", keywords={**NUMBA, "like": (2.5, -3)}, at=(2.5, -3), modes=(REVERSE,), after="abs = float"),
    Case("watched_compiled", """\
def f(x):
    return x * x
""", """\
df_dx is compiled, and runs no lines that could be followed: watch a derivative with compile=None
""", derive=lambda f: tnb.watch(tnb.grad(f, compile="numba"))),
]
