"""Jacobians that are taken inside of functions that are differentiated, and have no columns there."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("jacobian_of_what_draws", """\
def noisy(p):
    return np.sin(p) * np.random.normal(size=np.shape(p))
def f(x):
    return np.sum(tnb.jacobian(noisy)(x))
""", """\
a Jacobian is taken inside of a function, of what draws random numbers: \
draw them before, and give it what was drawn
  cell 1, line 4, column 5
    return np.sum(tnb.jacobian(noisy)(x))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def scaled(p, z):
    return np.sin(p) * z
def f(x):
    z = np.random.default_rng(0).normal(size=2)
    return np.sum(tnb.jacobian(scaled)(x, z))
""", at=(np.ones(2),), typed_at=(np.ones(2),)),
    Case("jacobian_by_a_list", """\
def product(p):
    return p[0] * p[1]
def f(x):
    return np.sum(tnb.jacobian(product)([x, x]))
""", """\
a Jacobian is taken inside of a function, by a list: take it outside, or by an array
  cell 1, line 4, column 5
    return np.sum(tnb.jacobian(product)([x, x]))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def product(p):
    return p[0] * p[1]
def f(x):
    return np.sum(tnb.jacobian(product)(np.stack([x, x])))
""", at=(np.ones(2),), typed_at=(2.0,)),
    Case("jacobian_by_no_elements", """\
def square(p):
    return p * p
def f(x):
    return np.sum(tnb.jacobian(square)(x[2:]))
""", """\
a Jacobian is taken inside of a function, by an array without elements: take it outside, or by an array
  cell 1, line 4, column 5
    return np.sum(tnb.jacobian(square)(x[2:]))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def square(p):
    return p * p
def f(x):
    return np.sum(tnb.jacobian(square)(x[1:]))
""", at=(np.ones(2),), typed_at=(np.ones(2),)),
]
