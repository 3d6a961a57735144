"""Parts of lists, arrays, dicts and objects that are assigned or deleted."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("part_of_a_part", """\
def f(x, k):
    m = np.ones((2, 2)) * x
    m[[0, 1]][1] = x * 7.0
    return np.sum(m * m)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    m[[0, 1]][1] = x * 7.0
    ^^^^^^^^^^^^^^^^^^^^^^
  why: m[[0, 1]] is changed, which may be a copy or the memory of something else
  instead: an index of the array itself: m[...] = v
""", """\
def f(x):
    m = np.ones((2, 2)) * x
    m[1] = x * 7.0
    return np.sum(m * m)
"""),
    Case("part_of_a_copy", """\
def f(x):
    m = np.ones((2, 2)) * x
    m.copy()[0, 0] = x * 7.0
    return np.sum(m * m)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    m.copy()[0, 0] = x * 7.0
    ^^^^^^^^^^^^^^
  why: m.copy() is changed, which may be a copy or the memory of something else
  instead: an index of the array itself: m[...] = v
""", """\
def f(x):
    m = np.ones((2, 2)) * x
    m[0, 0] = x * 7.0
    return np.sum(m * m)
"""),
    Case("array_from_outside", """\
G = np.zeros(3)

def f(x):
    G[0], y = x * x, x
    return np.sum(G * y)
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    G[0], y = x * x, x
    ^^^^
  why: G is a variable from outside of the function, and is changed: others may read it
  instead: a copy under a new name, own = G.copy(), and change that
""", """\
G = np.zeros(3)

def f(x):
    own = G.copy()
    own[0], y = x * x, x
    return np.sum(own * y)
"""),
    Case("dict_from_outside", """\
seen = {}

def f(x):
    seen['a'] = x
    other = [seen]
    return x * other[0]['a']
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    seen['a'] = x
    ^^^^^^^^^
  why: seen is a variable from outside of the function, and is changed: others may read it
  instead: a copy under a new name, own = seen.copy(), and change that
"""),
    Case("dict_from_outside_updated", """\
seen = {}

def f(x):
    seen.update(a=x)
    return x * x
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    seen.update(a=x)
    ^^^^^^^^^^^^^^^^
  why: .update changes seen, a dict from outside of the function
  instead: return the value, and keep it where the function is called
"""),
    Case("dict_of_the_caller", """\
def f(x, p={'w': 2.0}):
    p['w'] = x * x
    return max(p.values()) * x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    p['w'] = x * x
    ^^^^^^
  why: an item of the dict p is set, and others may hold it: only a dict that the function makes may be changed
  instead: another dict: p = {**p, 'w': ...}
""", """\
def f(x, p={'w': 2.0}):
    p = {**p, 'w': x * x}
    return p['w'] * x
"""),
    Case("dict_of_the_caller_updated", """\
def f(x, p={'w': 2.0}):
    q = {'v': x, **p}
    r = q
    r.update(w=x * x)
    return q['w'] * x
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    r.update(w=x * x)
    ^^^^^^^^^^^^^^^^^
  why: .update changes r in place, and others may hold it too
  instead: r = {**r, ...}
"""),
    Case("list_with_two_names_that_is_cleared", """\
def f(x):
    y = [x]
    z = y
    y.clear()
    return x * len(z)
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    y.clear()
    ^^^^^^^^^
  why: .clear changes y in place, and others may hold it too
  instead: a new variable, not y
"""),
    Case("list_with_two_names_that_grows_in_front", """\
def f(x):
    y = [x]
    z = y
    y.insert(0, x * x)
    return z[0] * x
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    y.insert(0, x * x)
    ^^^^^^^^^^^^^^^^^^
  why: .insert changes y in place, and others may hold it too
  instead: a list that is made new: y = [...]
"""),
    Case("slice_of_a_list_with_two_names", """\
def f(x):
    a = [x, x, x]
    b = a
    a[0:2] = [x * x, x]
    return b[0]
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    a[0:2] = [x * x, x]
    ^^^^^^
  why: a slice of the list a is assigned
  instead: a new list: a = a[:i] + ...
""", """\
def f(x):
    a = [x, x, x]
    a = [x * x, x] + a[2:]
    b = a
    return b[0]
"""),
    Case("slice_of_a_list_among_targets", """\
def f(x):
    a = [x, x, x]
    b = a[0:1] = [x * x]
    return a[0] * b[0]
""", """\
cannot differentiate f
  cell 1, line 3, column 9
    b = a[0:1] = [x * x]
        ^^^^^^
  why: a slice of the list a is assigned
  instead: a new list: a = a[:i] + ...
""", """\
def f(x):
    a = [x, x, x]
    b = [x * x]
    a = b + a[1:]
    return a[0] * b[0]
"""),
    Case("with_assigns_a_part", """\
import contextlib

def f(x):
    a = [0.0]
    with contextlib.nullcontext(x) as a[0]:
        y = x * x
    return y * a[0]
""", """\
cannot differentiate f
  cell 1, line 5, column 39
    with contextlib.nullcontext(x) as a[0]:
                                      ^^^^
  why: as a[0] assigns a part of something, which is not differentiated in with
  instead: as value, and a[0] = value on the next line
""", """\
import contextlib

def f(x):
    a = [0.0]
    with contextlib.nullcontext(x) as value:
        a[0] = value
        y = x * x
    return y * a[0]
"""),
    Case("attribute_of_the_caller", """\
class P:
    w = 2.0

def f(x, p=P(), others=(P(),)):
    p.w = x * 2.0
    for one in others:
        x = x * one.w
    return x
""", """\
cannot differentiate f
  cell 1, line 5, column 5
    p.w = x * 2.0
    ^^^
  why: an attribute is assigned, of an object that others may hold too: p
  instead: make the object in this function, or keep the value in a variable, and return it
""", """\
class P:
    def __init__(self, w):
        self.w = w

def f(x):
    p = P(2.0)
    p.w = x * 2.0
    return p.w
"""),
    Case("attribute_deleted", """\
class P:
    w = 2.0

p = P()

def f(x):
    del p.w
    return x
""", """\
cannot differentiate f
  cell 1, line 7, column 5
    del p.w
    ^^^^^^^
  why: del takes an attribute from p, which others may hold
  instead: leave the line out, and do not read p.w after it
"""),
]
