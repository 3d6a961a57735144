"""Objects, items and statements that are written in other words."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("property_that_assigns_a_global", """\
class P:
    def __init__(self, a):
        self.a = a
    @property
    def area(self):
        global G
        G = 1
        return self.a
def f(x):
    return P(x).area
""", """\
cannot differentiate f
  cell 1, line 10, column 12
    return P(x).area
           ^^^^^^^^^
  why: what the property area computes is not known beforehand
  instead: a method without @property, or a function, that computes it
""", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self):
        return self.a
def f(x):
    return P(x).area()
"""),
    Case("with_left_by_continue", """\
import contextlib
@contextlib.contextmanager
def doubled(v):
    yield v * 2.0
    print(end="")
def f(x):
    for i in range(3):
        with doubled(x) as y:
            if i == 1:
                continue
            x = y * 0.9
    return x
""", """\
cannot differentiate f
  cell 1, line 8, column 14
    with doubled(x) as y:
         ^^^^^^^^^^
  why: this with leaves a loop, and doubled goes on after its yield
  instead: an if in place of break and continue
""", """\
import contextlib
@contextlib.contextmanager
def doubled(v):
    yield v * 2.0
    print(end="")
def f(x):
    for i in range(3):
        with doubled(x) as y:
            if i != 1:
                x = y * 0.9
    return x
"""),
    Case("object_in_a_dict_of_numbers", """\
class P:
    def __init__(self, a):
        self.a = a
    def __neg__(self):
        return P(-self.a)
def f(x):
    p = P(x)
    ps = {'k': p}
    return ps['k'].a
""", """\
cannot differentiate f
  cell 1, line 8, column 16
    ps = {'k': p}
               ^
  why: an object of class P is used as a value here: of such objects only the attributes and methods are differentiated
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
""", """\
class P:
    def __init__(self, a):
        self.a = a
def f(x):
    p = P(x)
    ps = {'k': p.a}
    return ps['k']
"""),
    Case("interpolator_as_a_value", """\
from scipy.interpolate import CubicSpline
def f(x):
    spline = CubicSpline([0.0, 1.0, 2.0, 3.0], x * np.arange(4.0))
    held = {'curve': spline}
    return held['curve'](1.5)
""", """\
cannot differentiate f
  cell 1, line 4, column 22
    held = {'curve': spline}
                     ^^^^^^
  why: an interpolator of what is differentiated is used as a value here: of such objects only calls and those of \
derivatives are differentiated
  instead: f(x) or f.derivative()(x), in the function that makes f
""", """\
from scipy.interpolate import CubicSpline
def f(x):
    spline = CubicSpline([0.0, 1.0, 2.0, 3.0], x * np.arange(4.0))
    held = {'value': spline(1.5)}
    return held['value']
"""),
    Case("values_of_a_dict_kept", """\
def f(x):
    d = {'a': x, 'b': x * x}
    ks = d.values()
    d['c'] = x * 3.0
    return sum(ks)
""", """\
cannot differentiate f
  cell 1, line 3, column 10
    ks = d.values()
         ^^^^^^^^^^
  why: d.values() is kept under a name, and changes when the dict does
  instead: list(d.values())
""", """\
def f(x):
    d = {'a': x, 'b': x * x}
    ks = list(d.values())
    d['c'] = x * 3.0
    return sum(ks)
"""),
    Case("items_of_a_dict_kept", """\
def f(x):
    d = {'a': x, 'b': x * x}
    pairs = d.items()
    return sum(v for k, v in pairs)
""", """\
cannot differentiate f
  cell 1, line 3, column 13
    pairs = d.items()
            ^^^^^^^^^
  why: d.items() is kept under a name, and changes when the dict does
  instead: for k, v in d.items(): where they are needed
""", """\
def f(x):
    d = {'a': x, 'b': x * x}
    return sum(v for k, v in d.items())
"""),
    Case("added_by_a_call_that_changes_it", """\
def f(x):
    s = x
    def g():
        nonlocal s
        s = s * 2.0
        return s
    s += g()
    return s
""", """\
cannot differentiate f
  cell 1, line 7, column 5
    s += g()
    ^^^^^^^^
  why: g() changes s, and Python computes with the value that s had before
  instead: two statements: old = s, then s = old + g()
""", """\
def f(x):
    s = x
    def g():
        nonlocal s
        s = s * 2.0
        return s
    old = s
    s = old + g()
    return s
"""),
    Case("added_with_a_walrus", """\
def f(x):
    s = x
    s += (s := x * x) * 2.0
    return s
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    s += (s := x * x) * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^^
  why: (s := x * x) * 2.0 changes s, and Python computes with the value that s had before
  instead: two statements: old = s, then s = old + ((s := x * x) * 2.0)
""", """\
def f(x):
    s = x
    old = s
    s = old + ((s := x * x) * 2.0)
    return s
"""),
    Case("array_first_and_object_second", """\
class V:
    def __init__(self, a):
        self.a = a
    def __radd__(self, other):
        return self.a + other
def f(x):
    return np.sum(x + V(x))
""", """\
the left operand is an array, and calls a method of V for each item, which is not differentiated: \
put the object first, or write a loop
  cell 1, line 7, column 5
    return np.sum(x + V(x))
    ^^^^^^^^^^^^^^^^^^^^^^^
""", """\
class V:
    def __init__(self, a):
        self.a = a
    def __add__(self, other):
        return self.a + other
def f(x):
    return np.sum(V(x) + x)
""", at=(np.array([1.0, 2.0]),), typed_at=(np.array([1.0, 2.0]),)),
    Case("no_case_matches", """\
def f(x):
    match x:
        case 1.0:
            return x
        case 2.0 if x > 5:
            return x * x
""", """\
f returned None: no case matched; write case _: for all other values
  cell 1, line 2, column 5
    match x:
    ^^^^^^^
""", """\
def f(x):
    match x:
        case 1.0:
            return x
        case _:
            return x * x
""", at=(2.0,)),
    Case("item_of_an_unknown_place", """\
def f(x, i):
    return x.item(i)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return x.item(i)
           ^^^^^^^^^
  why: .item(i) means different things for a number and for a tuple, and i is not known beforehand
  instead: x.ravel()[i] for a number, x[i] for a tuple
""", """\
def f(x, i):
    return x.ravel()[i]
""", typed_at=(np.array([1.0, 2.0]), 1)),
    Case("super_kept", """\
class A:
    def __init__(self, a):
        self.a = a
    def __call__(self):
        return self.a
class B(A):
    def area(self):
        m = super().__call__
        return m() * 2.0
def f(x):
    return B(x).area()
""", """\
cannot differentiate f
  cell 1, line 8, column 13
    m = super().__call__
        ^^^^^^^^^^^^^^^^
  why: what super() finds here is not known beforehand
  instead: the method by the name of its class, as Base.method(self, ...)
""", """\
class A:
    def __init__(self, a):
        self.a = a
    def __call__(self):
        return self.a
class B(A):
    def area(self):
        return A.__call__(self) * 2.0
def f(x):
    return B(x).area()
"""),
    Case("object_that_may_not_be_bound", """\
class P:
    def __init__(self, a):
        self.a = a
def f(x, n=1):
    if n > 0:
        p = P(x)
    return p.a * x if n > 0 else x
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 7, column 12
    return p.a * x if n > 0 else x
           ^
  why: p may have no value here
  instead: p = None, or another value, before it
""", """\
class P:
    def __init__(self, a):
        self.a = a
def f(x, n=1):
    p = P(0.0)
    if n > 0:
        p = P(x)
    return p.a * x if n > 0 else x
""", at=(2.0,)),
]
