"""Parts of containers and objects, as they are found when a derivative is called."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import REVERSE, Case

CASES = [
    Case("item_that_is_differentiated_as_a_key", """\
TABLE = {2.25: 3.0, 4.5: 5.0}
def f(x):
    rows = []
    for i in (1, 2):
        rows.append((i * x, x))
    return sum(TABLE[k] * v for k, v in rows)
""", """\
an index or a key has no derivative, and this one is a float: int(...), or tnb.stop_gradient(...)
  cell 1, line 6, column 5
    return sum(TABLE[k] * v for k, v in rows)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
TABLE = {2: 3.0, 4: 5.0}
def f(x):
    rows = []
    for i in (1, 2):
        rows.append((i * x, x))
    return sum(TABLE[int(k)] * v for k, v in rows)
""", at=(2.25,), typed_at=(2.25,)),
    Case("dict_of_rows", """\
import numpy as np
def f(x):
    rows = np.stack([np.stack([1.0, x]), np.stack([2.0, x * x])])
    q = dict(rows)
    return q[1.0] * q[2.0]
""", """\
dict(x) of an array is not differentiated: write the dict itself, {key: value, ...}
  cell 1, line 4, column 5
    q = dict(rows)
    ^^^^^^^^^^^^^^
""", """\
def f(x):
    q = {1.0: x, 2.0: x * x}
    return q[1.0] * q[2.0]
""", modes=(REVERSE,), at=(2.0,)),
    Case("class_with_missing", """\
class Config(dict):
    def __missing__(self, key):
        return 2.0
def f(p):
    return p["a"] * p["b"]
f.point = Config(a=1.0)
""", """\
p is a Config, which is not known as a container, since its class has a __missing__ of its own: \
a list or a dict, or tnb.register_container
  cell 1, line 4, column 7
    def f(p):
          ^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("key_of_a_counter", """\
from collections import Counter
def f(p):
    return p["a"] * p["b"]
f.point = Counter(a=1.0)
""", """\
a Counter is read by ['b'], which is not a part of it: it has ['a']
  cell 1, line 3, column 5
    return p["a"] * p["b"]
    ^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("attribute_of_a_fraction", """\
from fractions import Fraction
def f(p):
    return p["a"].numerator * p["b"]
f.point = {"a": Fraction(1, 2), "b": 3.0}
""", """\
a float is read by .numerator, which is not differentiated: use an object that holds it
  cell 1, line 3, column 5
    return p["a"].numerator * p["b"]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("item_of_a_text_set", """\
def f(x, s, k="s"):
    d = {"a": x, "s": s}
    d[k][0] = x
    return d["a"] * 2.0
""", """\
an item of a str is set, [0], which is not differentiated: use a dict, or a list
  cell 1, line 3, column 5
    d[k][0] = x
    ^^^^^^^^^^^
""", modes=(REVERSE,), at=(2.0, "ab")),
    Case("item_of_an_object_set", """\
import types
def f(x, k):
    ps = {"a": {"w": x}, "b": types.SimpleNamespace(w=x)}
    ps[k]["w"] = x * 2.0
    return ps["a"]["w"]
""", """\
an item of a SimpleNamespace is set, ['w'], which is not differentiated: use a dict, or a list
  cell 1, line 4, column 5
    ps[k]["w"] = x * 2.0
    ^^^^^^^^^^^^^^^^^^^^
""", at=(0.5, "b")),
    Case("attribute_of_a_dict_set", """\
import types
def f(x):
    q = types.SimpleNamespace(a={}, w=x)
    q.a.b = x * 2.0
    return q.a.b * q.w
""", """\
a dict is read by .b, which is not differentiated: use an object that holds it
  cell 1, line 4, column 5
    q.a.b = x * 2.0
    ^^^^^^^^^^^^^^^
""", """\
import types
def f(x):
    q = types.SimpleNamespace(a=types.SimpleNamespace(), w=x)
    q.a.b = x * 2.0
    return q.a.b * q.w
""", at=(2.0,)),
    Case("dict_in_a_list_as_a_number", """\
def f(p):
    return p[0] * 2.0
""", """\
p[0] is a dict, and is used as an array, or as a number: unpack it, or annotate p as a container (p: list)
  cell 1, line 1, column 7
    def f(p):
          ^
""", at=([{"a": 1.0}],), modes=(REVERSE,)),
    Case("append_to_an_array_in_a_dict", """\
def f(p):
    d = {"q": p["a"], "w": p["w"]}
    d["q"].append(p["w"])
    return d["q"][0] * d["w"]
""", """\
.append of an array is not differentiated: use a list
  cell 1, line 3, column 5
    d["q"].append(p["w"])
    ^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)({"a": np.ones(2), "w": 2.0})),
    Case("method_with_too_few_arguments", """\
class P:
    def __init__(self, w):
        self.w = w
    def area(self, k):
        return 2.0 * k * self.w
def f(x):
    p = P(x)
    return p.area() * x
""", """\
cannot differentiate f
  cell 1, line 8, column 12
    return p.area() * x
           ^^^^^^^^
  why: Python does not accept this call of P.area: missing a required argument: 'k'
  instead: an argument for each of its parameters: k
""", """\
class P:
    def __init__(self, w):
        self.w = w
    def area(self, k):
        return 2.0 * k * self.w
def f(x):
    p = P(x)
    return p.area(2.0) * x
"""),
    Case("object_that_is_read_in_its_own_way", """\
class Table:
    def __getitem__(self, i):
        return 2.0 * i
def f(p):
    return p["t"][2] * p["a"]
f.point = {"t": Table(), "a": 1.0}
""", """\
p['t'] is a Table, which is not known as a container, since its class has a __getitem__ of its own: \
a list or a dict, or tnb.register_container
  cell 1, line 4, column 7
    def f(p):
          ^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("function_in_a_tuple_that_is_returned", """\
def outer(k):
    def inner(a):
        return a * k
    return inner, k
def f(x):
    g, k = outer(x)
    return max(g, g)(k)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return inner, k
           ^^^^^
  why: the function inner is used as a value in a way that is not known beforehand
  instead: call it here, or pass it to a function of your own
""", """\
def inner(a, k):
    return a * k
def f(x):
    return inner(x, x)
"""),
    Case("methods_of_objects_in_a_list", """\
class P:
    def __init__(self, w):
        self.w = w
    def __neg__(self):
        return P(-self.w)
    def area(self):
        return self.w * 2.0
def f(x):
    ps = [P(x), P(2.0 * x)]
    ps.sort(key=lambda p: p.w)
    return sum(p.area() for p in ps)
""", """\
cannot differentiate f
  cell 1, line 9, column 5
    ps = [P(x), P(2.0 * x)]
    ^^^^^^^^^^^^^^^^^^^^^^^
  why: an object of class P is used as a value here: of such objects only the attributes and methods are differentiated
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
"""),
    Case("how_many_in_a_long_expression", """\
import itertools
def f(x, n):
    return sum(a * b for a, b in itertools.combinations([x, x * 2.0, 3.0], len([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, \
12, 13, 14]) - 12))
""", """\
cannot differentiate f
  cell 1, line 3, column 76
    return sum(a * b for a, b in itertools.combinations([x, x * 2.0, 3.0], len([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, \
12, 13, 14]) - 12))
                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: how many items are taken together has to be known beforehand, and at most five
  instead: the number itself, from 1 to 5, in place of what stands here
""", """\
import itertools
def f(x):
    return sum(a * b for a, b in itertools.combinations([x, x * 2.0, 3.0], 2))
"""),
    Case("attribute_that_is_no_number", """\
class Box:
    made = np.zeros(2)
box = Box()
def f(x):
    box.made += 1
    return x * x
""", """\
made of an object that others may hold is an array: only numbers, texts and None are assigned there; keep it in a \
variable, and return it
  cell 1, line 5, column 5
    box.made += 1
    ^^^^^^^^^^^^^
""", """\
class Box:
    made = np.zeros(2)
box = Box()
def f(x):
    made = box.made + 1
    return x * x
""", at=(2.0,)),
    Case("attribute_by_a_property", """\
class Box:
    def __setattr__(self, name, value): pass
box = Box()
def f(x):
    box.size = 2
    return x * x
""", """\
size of a Box is assigned, and its class runs code then: keep the value in a variable, and return it
  cell 1, line 5, column 5
    box.size = 2
    ^^^^^^^^^^^^
""", """\
class Box:
    def __setattr__(self, name, value): pass
box = Box()
def f(x):
    size = 2
    return x * x
""", at=(2.0,)),
]
