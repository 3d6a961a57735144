"""Objects of classes."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("object_in_a_dict", """\
class P:
    def __init__(self, a):
        self.a = a
    def __neg__(self):
        return P(-self.a)

def f(x):
    p = P(x)
    return {'p': p}['p'].a
""", """\
cannot differentiate f
  cell 1, line 9, column 18
    return {'p': p}['p'].a
                 ^
  why: an object of class P is used as a value here: of such objects only the attributes and methods are differentiated
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p = P(x)
    return {'p': p.a}['p']
"""),
    Case("object_by_an_index", """\
class P:
    def __init__(self, a):
        self.a = a
    def __neg__(self):
        return P(-self.a)

def f(x):
    k = 1 if x > 0.0 else 0
    return [P(x), P(x * x)][k].a
""", """\
cannot differentiate f
  cell 1, line 9, column 5
    return [P(x), P(x * x)][k].a
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: an object of class P is used as a value here: of such objects only the attributes and methods are differentiated
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    k = 1 if x > 0.0 else 0
    return [P(x).a, P(x * x).a][k]
"""),
    Case("object_chosen_and_changed", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p, q = P(x), P(x * x)
    r = p if x > 0.0 else q
    p.a = x * 3.0
    return r.a
""", """\
cannot differentiate f
  cell 1, line 8, column 5
    p.a = x * 3.0
    ^^^^^^^^^^^^^
  why: p is changed in place, and r may be the same array, or a view of it
  instead: take a copy (.copy()) where p is made, or change r itself
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p, q = P(x * 3.0), P(x * x)
    r = p if x > 0.0 else q
    return r.a
"""),
    Case("object_changed_in_a_list", """\
import numpy as np

class P:
    def __init__(self, a):
        self.a = a

def f(x):
    ps = [P(x * v) for v in np.ones(3)]
    ps[0].a = x * 3.0
    return sum(p.a for p in ps)
""", """\
cannot differentiate f
  cell 1, line 9, column 5
    ps[0].a = x * 3.0
    ^^^^^^^
  why: an attribute is assigned, of an object that others may hold too: ps[0]
  instead: make the object in this function, or keep the value in a variable, and return it
""", """\
import numpy as np

class P:
    def __init__(self, a):
        self.a = a

def f(x):
    ps = [P(x * 3.0 if v < 1.0 else x * v) for v in np.arange(3)]
    return sum(p.a for p in ps)
"""),
    Case("missing_attribute", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p = P(x)
    return p.b
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return p.b
           ^^^
  why: P has no attribute b here
  instead: set it before it is read, on every path
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p = P(x)
    p.b = x
    return p.b
"""),
]
