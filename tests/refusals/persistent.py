"""Persistent arrays where arrays are expected, and where they have no derivative."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import REVERSE, Case

KEPT = tnb.PersistentArray([1.0, 2.0])

CASES = [
    Case("persistent_for_an_array", """\
def f(x):
    return np.sum(x * x)
""", """\
x is a PersistentArray, and is used as an array: pass np.array(x), or annotate the parameter, x: tnb.PersistentArray
  cell 1, line 1, column 7
    def f(x):
          ^
""", """\
def f(x: tnb.PersistentArray):
    return np.sum(x * x)
""", at=(KEPT,), typed_at=(np.array([1.0, 2.0]),)),
    Case("persistent_of_integers", """\
def f(x):
    x = tnb.append(x, 1)
    return np.sum(x * x)
""", """\
x is a PersistentArray of int64, which has no derivative: make it of floats
  cell 1, line 1, column 7
    def f(x):
          ^
""", """\
def f(x):
    x = tnb.append(x, 1)
    return np.sum(x * x)
""", at=(tnb.PersistentArray(np.array([1, 2], np.int64)),), typed_at=(np.array([1.0, 2.0]),)),
    Case("persistent_on_jax", """\
def f(x):
    y = tnb.PersistentArray(x)
    y = tnb.append(y, 2.0 * y[0])
    return np.sum(y[-1] * x)
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    y = tnb.PersistentArray(x)
        ^^^^^^^^^^^^^^^^^^^
  why: a PersistentArray is one of NumPy's arrays, and those of JAX never change by themselves
  instead: the array, with tnb.append, tnb.setitem and tnb.pop
""", """\
def f(x):
    y = tnb.append(x, 2.0 * x[0])
    return np.sum(y[-1] * x)
""", modes=(REVERSE,), keywords={"backend": "jax"}, typed_at=(np.array([1.0, 2.0]),)),
]
