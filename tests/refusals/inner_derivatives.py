"""Derivatives that are taken inside of functions that are differentiated: of what is none, or has none by that; and
Jacobians that have no columns there."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

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
    Case("derivative_by_what_is_bound", """\
from functools import partial
def price(s, k):
    return s * s * k
def f(x):
    return tnb.grad(partial(price, k=x), wrt="k")(3.0)
""", """\
a derivative of price is taken inside of a function, by wrt='k': name one of s
  cell 1, line 5, column 5
    return tnb.grad(partial(price, k=x), wrt="k")(3.0)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from functools import partial
def price(s, k):
    return s * s * k
def f(x):
    return tnb.grad(partial(price, k=x), wrt="s")(3.0)
""", at=(2.0,)),
    Case("derivative_of_a_list", """\
def f(x):
    d = [x, x]
    return tnb.grad(d)(3.0)
""", """\
a derivative is taken of a list, which cannot be called: take it of a function, or of an object with a method, \
def __call__(self, ...)
  cell 1, line 3, column 5
    return tnb.grad(d)(3.0)
    ^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    d = np.array([x, x])
    return tnb.grad(lambda t: np.sum(d * t))(3.0)
""", at=(2.0,)),
    Case("second_derivative_of_what_an_object_holds", """\
class Bond:
    pass
def f(x, bond=None):
    return bond.price(x)
bond = Bond()
bond.price = np.sin
f.__defaults__ = (bond,)
""", """\
Bond.price is known only when the derivative runs, and its second derivative is not taken: \
write it as a method, def price(self, ...)
  cell 1, line 4, column 5
    return bond.price(x)
    ^^^^^^^^^^^^^^^^^^^^
""", """\
class Bond:
    def price(self, x):
        return np.sin(x)
def f(x, bond=Bond()):
    return bond.price(x)
""", derive=lambda f: lambda x: tnb.pullback(tnb.grad(f), x)[1](1.0), at=(2.0,)),
    Case("mixed_derivative_through_a_loop_of_a_helper", """\
def g(w, xs):
    t = w
    for x in xs:
        t = t * 0.9 + np.sin(w * x)
    return t
def f(w, xs):
    t = 0.0
    for _ in range(3):
        t = t + np.sin(g(t + w, xs))
    return t
""", """\
cannot differentiate _g_fwd
  df_dw (generated), line 37, column 5
    items = rt.recorded(xs)
    ^^^^^^^^^^^^^^^^^^^^^^^
  why: a derivative of a derivative flows through what a loop of the first one goes over
  instead: a loop over places, for i in range(len(x)), that reads x[i]
""", """\
def g(w, xs):
    t = w
    for i in range(len(xs)):
        t = t * 0.9 + np.sin(w * xs[i])
    return t
def f(w, xs):
    t = 0.0
    for _ in range(3):
        t = t + np.sin(g(t + w, xs))
    return t
""", derive=lambda f: tnb.grad(tnb.grad(f), wrt=1)(0.7, np.array([0.3, -0.8])),
         typed_at=(0.7, np.array([0.3, -0.8]))),
    Case("mixed_derivative_of_a_pullback", """\
def g(x):
    return np.sum(np.sin(x) * x)
def f(w, x):
    value, back = tnb.pullback(g, x)
    return w * w * value
""", """\
cannot differentiate df_dw
  df_dw (generated), line 11, column 33
    found = rt.applied(forward, (argument,), {})
                                ^^^^^^^^^^^
  why: rt.applied has no derivative by its argument args
  instead: tnb.value_and_grad(f)(x), of which there are further derivatives
""", """\
def g(x):
    return np.sum(np.sin(x) * x)
def f(w, x):
    value, slope = tnb.value_and_grad(g)(x)
    return w * w * value
""", derive=lambda f: tnb.grad(tnb.grad(f), wrt=1)(0.7, np.array([0.3, -0.8])),
         typed_at=(0.7, np.array([0.3, -0.8]))),
]
