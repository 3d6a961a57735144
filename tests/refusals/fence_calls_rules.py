"""Calls of what has no rule for the derivative that is asked for, of methods and attributes of arrays, of classes."""
from __future__ import annotations

from .case import FORWARD, REVERSE, Case

CASES = [
    Case("only_an_adjoint", """\
def g(x):
    return np.sin(x)

@tnb.adjoint(g)
def _(y, x):
    d[x] = d[y] * np.cos(x)

def f(x):
    return g(x) * x
""", """\
cannot differentiate f
  cell 1, line 9, column 12
    return g(x) * x
           ^^^^
  why: forward mode needs the tangent of g, and it has a rule for its adjoint only
  instead: a rule for its tangent too: @tnb.tangent(g)
""", """\
def g(x):
    return np.sin(x)

@tnb.adjoint(g)
def _(y, x):
    d[x] = d[y] * np.cos(x)

@tnb.tangent(g)
def _(y, x):
    d[y] = d[x] * np.cos(x)

def f(x):
    return g(x) * x
""", modes=(FORWARD,)),
    Case("only_a_tangent", """\
def g(x):
    return np.sin(x)

@tnb.tangent(g)
def _(y, x):
    d[y] = d[x] * np.cos(x)

def f(x):
    return g(x) * x
""", """\
cannot differentiate f
  cell 1, line 9, column 12
    return g(x) * x
           ^^^^
  why: reverse mode needs the adjoint of g, and it has a rule for its tangent only
  instead: a rule for its adjoint too: @tnb.adjoint(g)
""", modes=(REVERSE,)),
    Case("argument_that_a_rule_leaves_out", """\
def g(x, n):
    return x ** n

@tnb.adjoint(g)
def _(y, x, n):
    d[x] = d[y] * n * x ** (n - 1)

@tnb.tangent(g)
def _(y, x, n):
    d[y] = d[x] * n * x ** (n - 1)

def f(x):
    return g(2.0, x)
""", """\
cannot differentiate f
  cell 1, line 13, column 19
    return g(2.0, x)
                  ^
  why: g has no derivative by its argument n
  instead: tnb.stop_gradient(x), if it is meant as a constant
"""),
    Case("axis_that_is_differentiated", """\
def f(x):
    return np.sum(np.ones(3) * x, axis=x)
""", """\
cannot differentiate f
  cell 1, line 2, column 40
    return np.sum(np.ones(3) * x, axis=x)
                                       ^
  why: np.sum has no derivative by its argument axis
  instead: tnb.stop_gradient(x), if it is meant as a constant
"""),
    Case("method_of_an_array", """\
def f(x):
    return x.byteswap() * x
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return x.byteswap() * x
           ^^^^^^^^^^^^
  why: the method .byteswap has no derivative rule
  instead: a function of NumPy, or one of your own, that computes the same
"""),
    Case("attribute_of_an_array", """\
def f(x):
    return x.ctypes * x
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return x.ctypes * x
           ^^^^^^^^
  why: the attribute .ctypes has no derivative rule
  instead: a function of NumPy of the array
"""),
    Case("method_that_is_not_called", """\
def f(x):
    total = x.sum
    return total() * x
""", """\
cannot differentiate f
  cell 1, line 2, column 13
    total = x.sum
            ^^^^^
  why: x.sum is a method, and is not called here
  instead: a call of it where it is needed: x.sum(...)
""", """\
def f(x):
    x = x * np.ones(2)
    return np.sum(x.sum() * x)
"""),
    Case("object_that_can_be_called", """\
import operator

first = operator.itemgetter(0)

def f(x):
    return first([x, x]) * 2.0
""", """\
cannot differentiate f
  cell 1, line 6, column 12
    return first([x, x]) * 2.0
           ^^^^^^^^^^^^^
  why: an itemgetter that is called has no derivative rule
  instead: a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint
""", """\
def f(x):
    first = lambda items: items[0]
    return first([x, x]) * 2.0
"""),
    Case("class_with_other_arguments", """\
class P(float):
    def __new__(cls, a):
        return float.__new__(cls, a)

def f(x):
    return P(x, x) * x
""", """\
cannot differentiate f
  cell 1, line 6, column 12
    return P(x, x) * x
           ^^^^^^^
  why: P does not take these arguments: Python would raise a TypeError here
  instead: the arguments that P takes
"""),
    Case("object_that_is_a_number", """\
class P(float):
    pass

def f(x):
    return P(x) * x
""", """\
cannot differentiate f
  cell 1, line 5, column 12
    return P(x) * x
           ^^^^
  why: objects of class P are not differentiated, and this one is made of something that is
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
""", """\
def f(x):
    return x * x
"""),
    Case("partial_of_an_unknown_function", """\
from functools import partial

def f(x):
    steps = [lambda a, b: a * b * x]
    return partial(steps[0], 3.0)(2.0)
""", """\
cannot differentiate f
  cell 1, line 5, column 12
    return partial(steps[0], 3.0)(2.0)
           ^^^^^^^^^^^^^^^^^^^^^^
  why: functools.partial is given steps[0], and what that is, is known only when the function runs
  instead: a lambda that calls it: lambda t: steps[0](..., t)
""", """\
def f(x):
    steps = [lambda a, b: a * b * x]
    k = lambda t: steps[0](x, t)
    return k(2.0)
"""),
    Case("partial_without_a_derivative", """\
from functools import partial

def f(x):
    steps = [lambda a, b: a * b]
    return partial(steps[0], 2.0)(x)
""", """\
cannot differentiate f
  cell 1, line 5, column 12
    return partial(steps[0], 2.0)(x)
           ^^^^^^^^^^^^^^^^^^^^^^
  why: functools.partial is given steps[0], and what that is, is known only when the function runs
  instead: a lambda that calls it: lambda t: steps[0](..., t)
""", """\
def f(x):
    steps = [lambda a, b: a * b]
    k = lambda t: steps[0](2.0, t)
    return k(x)
"""),
    Case("what_a_missing_key_is_given", """\
from collections import defaultdict

def f(x):
    d = defaultdict(lambda: x)
    d["a"] += 2.0
    return d["a"] * d["b"]
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    d = defaultdict(lambda: x)
        ^^^^^^^^^^^^^^^^^^^^^^
  why: lambda: x is called where a key is missing, and depends on what is differentiated
  instead: a dict, and d.setdefault(key, ...) where a key may be missing
""", """\
def f(x):
    d = {}
    d.setdefault("a", x)
    d["a"] += 2.0
    d.setdefault("b", x)
    return d["a"] * d["b"]
"""),
    Case("keywords_with_two_stars", """\
import numpy as np

options = [{'axis': 0}]
def f(x):
    k = options[0]
    return np.sum(x, **k) * x
""", """\
cannot differentiate f
  cell 1, line 6, column 24
    return np.sum(x, **k) * x
                       ^
  why: which keywords ** passes is known only when the function runs: **k
  instead: the keywords one by one: a=..., b=...
""", """\
import numpy as np

def f(x, k={'axis': 0}):
    return np.sum(x, axis=k['axis']) * x
"""),
    Case("super_of_an_argument", """\
class A:
    def g(self, x):
        return x * 2.0
class B(A):
    def g(self, x):
        return super(B, self).g(x) * x
def f(x, b={0: B()}):
    return b[int(x > 9)].g(x)
""", """\
cannot differentiate g
  cell 1, line 6, column 16
    return super(B, self).g(x) * x
           ^^^^^^^^^^^^^^
  why: super() looks in the classes above that of the object, which is known only when the function runs
  instead: the method by the name of its class, Base.method(self, ...), or example arguments, like=(...)

  cell 1, line 8, column 5
    return b[int(x > 9)].g(x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: g is called here
""", """\
class A:
    def g(self, x):
        return x * 2.0
class B(A):
    def g(self, x):
        return A.g(self, x) * x
def f(x, b=B()):
    return b.g(x)
""", at=(2.0,)),
    Case("super_that_finds_no_function", """\
class A:
    @staticmethod
    def g(x):
        return x * 2.0
class B(A):
    def g(self, x):
        return super().g(x) * x
def f(x, b={0: B()}):
    return b[int(x > 9)].g(x)
""", """\
super().g of a B is no method that is written as a function: call it by the name of its class, Base.g(...)
  cell 1, line 7, column 9
    return super().g(x) * x
    ^^^^^^^^^^^^^^^^^^^^^^^
""", """\
class A:
    @staticmethod
    def g(x):
        return x * 2.0
class B(A):
    def g(self, x):
        return A.g(x) * x
def f(x, b=B()):
    return b.g(x)
""", at=(2.0,)),
    Case("super_that_finds_no_property", """\
class A:
    @property
    def k(self):
        return 2.0
class B(A):
    def g(self, x):
        return super().k * x
class M(A):
    k = 3.0
class C(B, M):
    pass
def f(x, b={0: C()}):
    return b[int(x > 9)].g(x)
""", """\
super().k of a C is no property: read it as self.k, or of the class that has it
  cell 1, line 7, column 9
    return super().k * x
    ^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("super_", """\
class A:
    k = 2.0

class B(A):
    def g(self, x):
        return super().k * x

b = B()

def f(x):
    return b.g(x)
""", """\
cannot differentiate f
  cell 1, line 6, column 16
    return super().k * x
           ^^^^^^^^^
  why: what super() finds here is not known beforehand
  instead: the method by the name of its class, as Base.method(self, ...)
""", """\
class A:
    k = 2.0

class B(A):
    def g(self, x):
        return A.k * x

b = B()

def f(x):
    return b.g(x)
"""),
]
