"""Arrays and lists that are changed in place, where others may hold them."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("list_for_an_index", """\
def f(x, k):
    a = np.outer(x, x)
    row = a[k]
    row[0] = 3.0 * x[1]
    return np.sum(a * a)
""", """\
k is taken for an int, as the index of an array that is changed in place, and it is a list: pass an int
  cell 1, line 1, column 10
    def f(x, k):
             ^
""", at=(np.ones(2), [0])),
    Case("argument_written", """\
def f(x, a=np.ones(2)):
    a[0] = x * 5.0
    return np.sum(a * x)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    a[0] = x * 5.0
    ^^^^^^^^^^^^^^
  why: a is changed in place, and the caller holds a too
  instead: copy it first: a = a.copy()
""", """\
def f(x, a=np.ones(2)):
    a = a.copy()
    a[0] = x * 5.0
    return np.sum(a * x)
"""),
    Case("view_of_either_written", """\
def f(x):
    y, z = x * np.ones(3), x * np.zeros(3)
    v = y
    for k in range(2):
        v[0] = 5.0
        v = z
    return np.sum(y * y)
""", """\
y is, or holds, a view of what is changed in place, and would change too: copy it first
  cell 1, line 5, column 9
    v[0] = 5.0
    ^^^^^^^^^^
""", """\
def f(x):
    y, z = x * np.ones(3), x * np.zeros(3)
    v = y.copy()
    for k in range(2):
        v[0] = 5.0
        v = z.copy()
    return np.sum(y * y)
""", at=(2.0,)),
    Case("same_array_by_two_names", """\
def f(x):
    y = x * np.ones(3)
    z = y
    for k in range(2):
        z[0] = 5.0
        z = y[1:]
    return np.sum(y * y)
""", """\
cannot differentiate f
  cell 1, line 5, column 9
    z[0] = 5.0
    ^^^^^^^^^^
  why: z is changed in place, and y may be the same array, or a view of it
  instead: take a copy (.copy()) where z is made, or change y itself
""", """\
def f(x):
    y = x * np.ones(3)
    for k in range(2):
        y[k] = 5.0
    return np.sum(y * y)
"""),
    Case("items_of_a_tuple", """\
def f(x):
    z = (x, x)
    z[0] = x * x
    return z[0]
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    z[0] = x * x
    ^^^^^^^^^^^^
  why: z is a tuple, whose items cannot be changed: Python would raise a TypeError here
  instead: a list: [...]
""", """\
def f(x):
    z = [x, x]
    z[0] = x * x
    return z[0]
"""),
    Case("list_of_either_changed", """\
def f(x):
    a, b = [x, 1.0], [2.0, x]
    y = a
    for k in range(2):
        y[0] = x * x
        y = b
    return a[0] * b[1]
""", """\
cannot differentiate f
  cell 1, line 5, column 9
    y[0] = x * x
    ^^^^^^^^^^^^
  why: the list y changes, and a may hold it too: only a list that is made here and has one name may change
  instead: a new list under a new name, own = list(y), and change that
""", """\
def f(x):
    a, b = [x, 1.0], [2.0, x]
    own = list(a)
    for k in range(2):
        own[0] = x * x
        own = list(b)
    return a[0] * b[1]
"""),
    Case("rows_that_are_one_list", """\
def f(x, k=0):
    m = [[0.0] * 2] * 2
    m[k][0] = x * 2.0
    return m[1][0]
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    m[k][0] = x * 2.0
    ^^^^^^^^^^^^^^^^^
  why: a part of a part of m is changed, and two places of m may hold the same list or dict
  instead: lists of their own, as in [[0.0] * m for _ in range(n)], and no other name for one that is read later
""", """\
def f(x, k=0):
    m = [[0.0] * 2 for _ in range(2)]
    m[k][0] = x * 2.0
    return m[0][0]
"""),
    Case("part_with_another_name", """\
def f(x, k='a'):
    d = {'a': {'b': x}}
    e = d['a']
    d[k]['b'] = x * 2.0
    return e['b']
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    d[k]['b'] = x * 2.0
    ^^^^^^^^^^^^^^^^^^^
  why: a part of a part of d is changed, and e may hold the same list or dict
  instead: lists of their own, as in [[0.0] * m for _ in range(n)], and no other name for one that is read later
"""),
    Case("array_of_integers", """\
def f(x):
    y = np.zeros(3, dtype=int)
    y[0] = x
    return np.sum(y)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    y[0] = x
    ^^^^^^^^
  why: y is an array of integers or truth values, which cuts off what is stored in it
  instead: an array of floats: y = y.astype(float)
""", """\
def f(x):
    y = np.zeros(3, dtype=int)
    y = y.astype(float)
    y[0] = x
    return np.sum(y)
"""),
    Case("list_of_one_in_a_tuple_changed", """\
def f(x, i=0):
    a, b = [x, 1.0], [2.0, x]
    y = (a, b)[i]
    y[0] = x * x
    return a[0] * b[1]
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    y[0] = x * x
    ^^^^^^^^^^^^
  why: the list y changes, and a may hold it too: only a list that is made here and has one name may change
  instead: a new list under a new name, own = list(y), and change that
""", """\
def f(x, i=0):
    a, b = [x, 1.0], [2.0, x]
    own = list((a, b)[i])
    own[0] = x * x
    return a[0] * b[1]
"""),
    Case("list_that_a_callee_chooses_changed", """\
def pick(a, b, i):
    if i:
        return a
    return b
def f(x, i=1):
    a, b = [x, 1.0], [2.0, x]
    y = pick(a, b, i)
    y[0] = x * x
    return a[0] * b[1]
""", """\
cannot differentiate f
  cell 1, line 8, column 5
    y[0] = x * x
    ^^^^^^^^^^^^
  why: y is changed in place, and the caller, or another name, may hold y too
  instead: copy it first: y = y.copy()
""", """\
def pick(a, b, i):
    if i:
        return a
    return b
def f(x, i=1):
    a, b = [x, 1.0], [2.0, x]
    y = list(pick(a, b, i))
    y[0] = x * x
    return a[0] * b[1]
"""),
    Case("array_in_a_dict_sorted", """\
def f(x, k="a"):
    d = {"a": x * np.array([3.0, 1.0])}
    d[k].sort()
    return d["a"][0] * x
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    d[k].sort()
    ^^^^^^^^^^^
  why: .sort changes d[k] in place, and others may hold it too
  instead: d[k] = np.sort(d[k]), or of a list d[k] = sorted(d[k])
""", """\
def f(x, k="a"):
    d = {"a": x * np.array([3.0, 1.0])}
    d[k] = np.sort(d[k])
    return d["a"][0] * x
"""),
    Case("too_many_arguments_of_numpy", """\
def f(x):
    return np.sum(x, x, x, x, x, x)
""", """\
cannot differentiate f: 2 places
  cell 1, line 2, column 22
    return np.sum(x, x, x, x, x, x)
                     ^
  why: np.sum has no derivative by its argument axis
  instead: tnb.stop_gradient(x), if it is meant as a constant

  cell 1, line 2, column 25
    return np.sum(x, x, x, x, x, x)
                        ^
  why: np.sum has no derivative by its argument dtype
  instead: tnb.stop_gradient(x), if it is meant as a constant
"""),
    Case("array_in_a_tuple_added_to", """\
def f(x):
    y = x * np.ones(3)
    t = (y, 2.0)
    t[0] += x
    return np.sum(y * t[1])
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    t[0] += x
    ^^^^^^^^^
  why: the items of t cannot be set: Python would change t[0], and raise an error then
  instead: the array under a name of its own: v = t[0], then v += x
""", """\
def f(x):
    y = x * np.ones(3)
    t = (y, 2.0)
    v = t[0]
    v += x
    return np.sum(y * t[1])
"""),
    Case("array_in_a_named_tuple_added_to", """\
from typing import NamedTuple
class Pair(NamedTuple):
    a: object
    b: object
def f(x):
    p = Pair(x * np.ones(3), 2.0)
    p.a += x
    return np.sum(p.a * p.b)
""", """\
cannot differentiate f
  cell 1, line 7, column 5
    p.a += x
    ^^^^^^^^
  why: the attributes of p cannot be set: Python would change p.a, and raise an error then
  instead: the array under a name of its own: v = p.a, then v += x
""", """\
from typing import NamedTuple
class Pair(NamedTuple):
    a: object
    b: object
def f(x):
    p = Pair(x * np.ones(3), 2.0)
    v = p.a
    v += x
    return np.sum(p.a * p.b)
"""),
    Case("either_array_in_a_list", """\
def f(x):
    y, z = x * np.ones(3), x * np.zeros(3)
    v = (y if x > 0.0 else z)[1:]
    y[1] = 5.0 * x
    return np.sum(y * y) + np.sum(v)
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    y[1] = 5.0 * x
    ^^^^^^^^^^^^^^
  why: y is changed in place, and v may be the same array, or a view of it
  instead: take a copy (.copy()) where y is made, or change v itself
"""),
]
