"""Containers and functions that are only known when a derivative is called."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import FORWARD, REVERSE, Case

CASES = [
    Case("property_of_an_argument", """\
import functools
class P:
    def __init__(self, w):
        self.w = w
    @functools.cached_property
    def double(self):
        return 2.0 * self.w
def f(p):
    return p.double * p.w
f.point = P(2.0)
""", """\
.double of a P is computed when it is read: call a function of what it holds
  cell 1, line 9, column 5
    return p.double * p.w
    ^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("size_of_an_argument", """\
import types
def f(p):
    return p.size * p.w
f.point = types.SimpleNamespace(size=2.0, w=3.0)
""", """\
p.size is taken for that of an array, and belongs to a SimpleNamespace: give the field another name
  cell 1, line 3, column 5
    return p.size * p.w
    ^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("class_with_items_of_its_own", """\
class P:
    def __init__(self, w):
        self.w = w
    def __getitem__(self, i):
        return self.w * i
def f(p):
    return p.w * 2.0
f.point = P(2.0)
""", """\
p is a P, which is not known as a container, since its class has a __getitem__ of its own: \
a list or a dict, or tnb.register_container
  cell 1, line 6, column 7
    def f(p):
          ^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("array_added_to_a_list", """\
def f(x):
    values = [1.0, 2.0]
    values += np.ones(2) * x
    return values[0] * values[1]
""", """\
np.ones(2) * x is an array, and is added to a list: for its items list(np.ones(2) * x), \
for a sum np.array(...) of the list
  cell 1, line 3, column 5
    values += np.ones(2) * x
    ^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    values = np.array([1.0, 2.0])
    values += np.ones(2) * x
    return values[0] * values[1]
""", at=(2.0,)),
    Case("array_added_to_the_row_of_a_list", """\
def f(x):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    for row in rows:
        row += np.ones(2) * x
    return rows[0][1] * x
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    row += np.ones(2) * x
    ^^^^^^^^^^^^^^^^^^^^^
  why: the list row changes, and another variable may hold it too: only a list that is made here and has one name may \
change
  instead: a new list under a new name, own = list(row), and change that
""", """\
def f(x):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    for row in rows:
        own = row + np.ones(2) * x
    return rows[0][1] * x
"""),
    Case("container_in_itself", """\
def f(p):
    return p["a"] * 2.0
f.point = {"a": 1.0}
f.point["self"] = f.point
""", """\
p['self'] is one of the containers that it is in: a container that holds itself has no gradient
  cell 1, line 1, column 7
    def f(p):
          ^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("integers_in_a_dict", """\
def f(p):
    return p["a"] * 2.0
""", """\
p['n'] is an array of int64, which has no derivative: pass p['n'].astype(float)
  cell 1, line 1, column 7
    def f(p):
          ^
""", modes=(REVERSE,), at=({"a": 1.0, "n": np.arange(3)},)),
    Case("set_in_a_dict", """\
def f(p):
    return p["a"] * 2.0
""", """\
p['s'] is a set, which is not known as a container: a list or a dict, or tnb.register_container
  cell 1, line 1, column 7
    def f(p):
          ^
""", modes=(REVERSE,), at=({"a": 1.0, "s": {1.0}},)),
    Case("list_in_a_tuple", """\
def f(p):
    total = 0.0
    for i in range(len(p)):
        total = total + np.sum(p[i] * 2.0)
    return total
""", """\
p is a tuple, and is used as an array, or as a number: pass np.array(p, float), unpack it (a, b = p), \
or annotate the parameter as a container
  cell 1, line 1, column 7
    def f(p):
          ^
""", modes=(REVERSE,), at=(([1.0], 2.0),)),
    Case("key_that_is_not_there", """\
def f(p):
    return p["a"] * 2.0
""", """\
there is no p['b']: p has ['a']
  cell 1, line 1, column 7
    def f(p):
          ^
""", modes=(REVERSE,), at=({"a": 1.0},), wrt="p['b']"),
    Case("part_of_a_number", """\
def f(p):
    return p["b"] * 2.0
""", """\
there is no p['b']: p is a float
  cell 1, line 1, column 7
    def f(p):
          ^
""", modes=(REVERSE,), at=(1.0,), wrt="p['b']"),
    Case("pairs_into_a_dict", """\
def f(x):
    d = {"a": x}
    d.update([("b", x * x)])
    return d["a"] * d["b"]
""", """\
a dict is updated with pairs, which is not differentiated: d.update(dict(pairs))
  cell 1, line 3, column 5
    d.update([("b", x * x)])
    ^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    d = {"a": x}
    d.update(dict([("b", x * x)]))
    return d["a"] * d["b"]
""", at=(2.0,)),
    Case("get_of_a_named_tuple", """\
class P:
    def __init__(self, w):
        self.w = w
    def get(self, key):
        return self.w
def f(p):
    return p.get("w") * 2.0
f.point = P(2.0)
""", """\
.get is differentiated for dicts, and is called here on a P: use a dict, or another name for the method
  cell 1, line 7, column 5
    return p.get("w") * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("values_of_an_object", """\
class P:
    def __init__(self, w):
        self.w = w
    def values(self):
        return [self.w]
def f(p):
    return sum(p.values()) * 2.0
f.point = P(2.0)
""", """\
.values is differentiated for dicts, and is called here on a P: use a dict, or another name for the method
  cell 1, line 7, column 5
    return sum(p.values()) * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("keys_of_a_list", """\
def penalty(p):
    return sum([p[k] ** 2 for k in sorted(p)])
def f(p):
    return penalty(p)
f.point = [2.0, 3.0]
""", """\
a list is gone over, and read by the items that this gives: pass a dict, or whole numbers
  cell 1, line 2, column 5
    return sum([p[k] ** 2 for k in sorted(p)])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def penalty(p):
    return sum([p[k] ** 2 for k in sorted(p)])
def f(x):
    return penalty({"a": x, "b": 3.0})
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("list_times_an_array", """\
def f(x, n):
    xs = [x, x] * n
    return xs[0] * xs[1]
""", """\
a list is repeated here, and a list times an array is none: use np.array(...) around it
  cell 1, line 2, column 5
    xs = [x, x] * n
    ^^^^^^^^^^^^^^^
""", modes=(REVERSE,), at=(2.0, np.ones(2))),
    Case("list_times_a_float", """\
def f(x):
    return np.sum([1.0, 2.0] * x)
""", """\
[1.0, 2.0] * x is a list times a float, and not times an array: use np.array(...) around the list
  cell 1, line 2, column 5
    return np.sum([1.0, 2.0] * x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.array([1.0, 2.0]) * x)
""", at=(2.0,)),
    Case("array_with_two_places", """\
def f(x):
    d = [x * 1.0, x * 2.0]
    d[1] = d[0]
    d[0] += x * x
    return np.sum(d[0] * d[1])
""", """\
d[0] is an array which another variable, or the caller, holds too, and is changed in place: write d[0] = d[0] + ..., \
or take a fresh copy first
  cell 1, line 4, column 5
    d[0] += x * x
    ^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f, optimized=tnb.PASSES)(np.ones(2), 1.0)),
    Case("row_of_the_caller", """\
def f(x, row):
    rows = [row, [x, x]]
    rows[0][0] = x * x
    return rows[0][0] * row[0]
""", """\
row is a list which may have another name, and is put where parts of parts are changed: put a copy of it, row.copy()
  cell 1, line 2, column 5
    rows = [row, [x, x]]
    ^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x, row):
    rows = [row.copy(), [x, x]]
    rows[0][0] = x * x
    return rows[0][0] * row[0]
""", derive=lambda f: tnb.grad(f)(2.0, [1.0, 2.0]), typed_at=(2.0, [1.0, 2.0])),
    Case("joined_lists_of_the_caller", """\
def f(x, L, K):
    M = L + K
    M[0][0] = 5.0
    return np.sum(L[0] ** 2 * x)
""", """\
M is a list of items that others hold too, and one of them may be changed in place: make a new one, of copies
  cell 1, line 2, column 5
    M = L + K
    ^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(np.ones(2), [np.array([3.0, 4.0])], [np.array([6.0, 7.0])])),
    Case("partial_given_by_position", """\
def f(x):
    fs = [lambda t, c=x: t * c]
    return fs[0](x, 3.0 * x)
""", """\
a lambda is given c by position, and c has a value already: give it by its name, c=...
  cell 1, line 3, column 5
    return fs[0](x, 3.0 * x)
    ^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("star_of_an_unknown_function", """\
fs = [lambda *ts: ts[0] * ts[1]]
def f(x, i=0):
    return fs[i](x, x)
""", """\
a lambda takes a differentiated argument through a star (*): give its parameters names
  cell 1, line 3, column 5
    return fs[i](x, x)
    ^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("dict_of_active_keys", """\
def f(x):
    pairs = [(x, x * x)]
    d = dict(pairs)
    return sum(d.values())
""", """\
dict(x) is not differentiated where a key carries a derivative: tnb.stop_gradient(...) around the key
  cell 1, line 3, column 5
    d = dict(pairs)
    ^^^^^^^^^^^^^^^
""", modes=(FORWARD,), at=(2.0,)),
    Case("register_container_of_an_object", """\
def f(x):
    return [x]
""", """\
register_container takes a class, not [1.0]
""", derive=lambda f: tnb.register_container(f(1.0), dict, dict)),
    Case("dataclass_that_runs_code", """\
import dataclasses
@dataclasses.dataclass
class P:
    w: float
    def __post_init__(self):
        self.w = self.w * 2.0
def f(p):
    q = dataclasses.replace(p, w=p.w * p.w)
    return q.w
f.point = P(2.0)
""", """\
a P runs code when it is made, __post_init__, which is not differentiated
  cell 1, line 8, column 5
    q = dataclasses.replace(p, w=p.w * p.w)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("array_of_the_class", """\
class Layer:
    w = np.ones(2)
    def f(self, x):
        self.w[:] = x * 2.0
        return np.sum(self.w * x)
layer = Layer()
def f(x):
    return layer.f(x)
""", """\
w of a Layer is an array of its class, which other objects share, and is changed in place: set w in __init__
  cell 1, line 4, column 9
    self.w[:] = x * 2.0
    ^^^^^^^^^^^^^^^^^^^
""", at=(np.array([0.5, 2.0]),)),
    Case("elements_that_share_their_memory", """\
def f(x, y):
    y += x
    return np.sum(y * x)
""", """\
y is changed in place, and some of its elements share their memory: pass a copy
  cell 1, line 1, column 10
    def f(x, y):
             ^
""", at=(np.array([0.5, 2.0]), np.lib.stride_tricks.as_strided(np.zeros(2), (2,), (0,)))),
    Case("matrices_along_the_first_axis", """\
def f(x):
    return np.sum(np.apply_along_axis(lambda r: np.outer(r, r), 0, x))
""", """\
np.apply_along_axis of a function that gives matrices is differentiated along the last axis: axis=-1
  cell 1, line 2, column 5
    return np.sum(np.apply_along_axis(lambda r: np.outer(r, r), 0, x))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(np.eye(2),)),
    Case("replaced_field_that_is_not_there", """\
import dataclasses
def f(p):
    q = dataclasses.replace(p, w=p["a"])
    return q.w
f.point = {"a": 2.0}
""", """\
a dict has no field w to be replaced
  cell 1, line 3, column 5
    q = dataclasses.replace(p, w=p["a"])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("growing_list_that_is_another_too", """\
def f(x, log, other):
    log.append(1)
    return x * len(other)
""", """\
log grows, and other is, or holds, the same list: pass another list
  cell 1, line 1, column 10
    def f(x, log, other):
             ^^^
""", derive=lambda f: [tnb.grad(f)(2.0, one, one) for one in [[]]]),
    Case("growing_array", """\
def f(x, log):
    log.append(1)
    return x * 2.0
""", """\
log grows by .append, which is done for lists, and it is an array: pass a list
  cell 1, line 1, column 10
    def f(x, log):
             ^^^
""", at=(2.0, np.ones(2)), modes=("reverse",)),
    Case("new_key_of_a_dict_that_others_may_hold", """\
def put(d, k, v):
    d[k] = d.get(k, 0.0) + v
    return d
def f(x):
    d, e = {}, {}
    for k in ["a", "b", "a"]:
        d = put(d if k == "a" else e, k, x)
    return d["a"]
""", """\
a dict that others may hold is given a new key, 'a', which is not differentiated: d = {**d, 'a': value}
  cell 1, line 2, column 5
    d[k] = d.get(k, 0.0) + v
    ^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def put(d, k, v):
    return {**d, k: d.get(k, 0.0) + v}
def f(x):
    d, e = {}, {}
    for k in ["a", "b", "a"]:
        d = put(d if k == "a" else e, k, x)
    return d["a"]
""", at=(2.0,), modes=(REVERSE,)),
]
