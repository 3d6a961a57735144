"""Arguments of calls whose body stands in their place, and members that are kept."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("reduce_with_items_that_print", """\
from functools import reduce
def show(v):
    print(v)
    return v * v
def times(a, b):
    print(a)
    return a * b
def f(x):
    return reduce(times, (show(v) for v in (x, 2.0)))
""", """\
cannot differentiate f
  cell 1, line 9, column 26
    return reduce(times, (show(v) for v in (x, 2.0)))
                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the items are computed one by one, when it is their turn, and computing one may also change or print something
  instead: a list, if all items may be computed first: [...]
""", """\
from functools import reduce
def show(v):
    print(v)
    return v * v
def times(a, b):
    print(a)
    return a * b
def f(x):
    return reduce(times, [show(v) for v in (x, 2.0)])
"""),
    Case("dataclass_with_an_argument_missing", """\
from dataclasses import dataclass
@dataclass
class P:
    a: float
    b: float
def f(x):
    p = P(x)
    return p.a
""", """\
cannot differentiate f
  cell 1, line 7, column 9
    p = P(x)
        ^^^^
  why: Python does not accept this call of P: missing a required argument: 'b'
  instead: an argument for each of its parameters: a, b
""", """\
from dataclasses import dataclass
@dataclass
class P:
    a: float
    b: float
def f(x):
    p = P(x, x)
    return p.a
"""),
    Case("class_with_too_many_arguments", """\
class P:
    def __init__(self, a):
        self.a = a
def f(x):
    p = P(x, x)
    return p.a
""", """\
cannot differentiate f
  cell 1, line 5, column 9
    p = P(x, x)
        ^^^^^^^
  why: Python does not accept this call of P.__init__: too many positional arguments
  instead: an argument for each of its parameters: a
""", """\
class P:
    def __init__(self, a):
        self.a = a
def f(x):
    p = P(x)
    return p.a
"""),
    Case("nested_function_with_an_argument_missing", """\
def f(x):
    k = x
    def g(a, b):
        nonlocal k
        k = k + a * b
    g(x)
    return k
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    g(x)
    ^^^^
  why: Python does not accept this call of g: missing a required argument: 'b'
  instead: an argument for each of its parameters: a, b
""", """\
def f(x):
    k = x
    def g(a, b):
        nonlocal k
        k = k + a * b
    g(x, x)
    return k
"""),
    Case("method_with_an_argument_missing", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self, s):
        return self.a * s
def f(x):
    return P(x).area()
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return P(x).area()
           ^^^^^^^^^^^
  why: Python does not accept this call of P.area: missing a required argument: 's'
  instead: an argument for each of its parameters: s
""", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self, s):
        return self.a * s
def f(x):
    return P(x).area(x)
"""),
    Case("method_with_an_unknown_keyword", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self, s):
        return self.a * s
def f(x):
    return P(x).area(t=x)
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return P(x).area(t=x)
           ^^^^^^^^^^^^^^
  why: Python does not accept this call of P.area: missing a required argument: 's'
  instead: an argument for each of its parameters: s
""", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self, s):
        return self.a * s
def f(x):
    return P(x).area(s=x)
"""),
    Case("method_with_too_many_arguments", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self):
        return self.a
def f(x):
    return P(x).area(x)
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return P(x).area(x)
           ^^^^^^^^^^^^
  why: Python does not accept this call of P.area: too many positional arguments
  instead: a call without arguments
""", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self):
        return self.a
def f(x):
    return P(x).area()
"""),
    Case("method_that_is_kept", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self):
        return self.a * self.a
def f(x):
    p = P(x)
    m = p.area
    q = [m]
    return q[0]()
""", """\
cannot differentiate f
  cell 1, line 8, column 9
    m = p.area
        ^^^^^^
  why: the method area is kept here without being called, and its object is made in this function
  instead: call it where it is needed: p.area(...)
""", """\
class P:
    def __init__(self, a):
        self.a = a
    def area(self):
        return self.a * self.a
def f(x):
    p = P(x)
    return p.area()
"""),
    Case("classmethod_that_is_kept", """\
class P:
    def __init__(self, a):
        self.a = a
    @classmethod
    def area(cls, v):
        return v * v
def f(x):
    p = P(x)
    m = p.area
    q = {'a': m}
    return q['a'](x) * p.a
""", """\
cannot differentiate f
  cell 1, line 9, column 9
    m = p.area
        ^^^^^^
  why: the method area is kept here without being called, and its object is made in this function
  instead: call it where it is needed: p.area(...)
""", """\
class P:
    def __init__(self, a):
        self.a = a
    @classmethod
    def area(cls, v):
        return v * v
def f(x):
    p = P(x)
    return p.area(x) * p.a
"""),
]
