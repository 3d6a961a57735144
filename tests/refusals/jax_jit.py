"""What compiled code of JAX may not depend on, and stores that are not written for JAX."""
from __future__ import annotations

import numpy as np

from .case import REVERSE, Case

JIT = {"backend": "jax", "compile": "jit"}

CASES = [
    Case("text_in_a_dict_for_jit", """\
def f(p):
    return p["a"] * 2.0
""", """\
cannot differentiate this call on JAX
  cell 1, line 1, column 7
    def f(p):
          ^
  why: an argument is, or holds, a str, which compiled code cannot take
  instead: dicts, lists and tuples of arrays and numbers, or compile=None
""", at=({"a": 1.0, "s": "text"},), modes=(REVERSE,), keywords=JIT),
    Case("power_of_integers_in_jit", """\
def f(x, n, m):
    return x * np.sum(n ** m)
""", """\
cannot differentiate this call on JAX
  cell 1, line 2, column 5
    return x * np.sum(n ** m)
    ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: integers are raised to powers that depend on data, and compiled code cannot raise for negative ones
  instead: float(...) or .astype(float) around the base, or compile=None
""", at=(2.0, np.array([1, 2]), np.array([1, 2])), keywords=JIT),
    Case("test_that_is_found_by_tracing", """\
def f(x, n):
    k = 2.0 in n
    return x * k
""", """\
cannot differentiate this call on JAX
  cell 1, line 2, column 5
    k = 2.0 in n
    ^^^^^^^^^^^^
  why: compiled code cannot depend on data there (Attempted boolean conversion of traced array with shape bool[].)
  instead: compile=None
""", at=(2.0, np.array([1.0, 2.0])), modes=(REVERSE,), keywords=JIT),
    Case("set_in_jit", """\
def f(x, n):
    return x * len(set(n))
""", """\
cannot differentiate this call on JAX
  cell 1, line 1, column 10
    def f(x, n):
             ^
  why: n is an array of float64, and control flow, an index or a shape depends on it: \
compiled code is made for one value of it
  instead: a Python int, or compile=None
""", at=(2.0, np.array([1.0, 2.0])), keywords=JIT),
    Case("print_in_jit", """\
def f(x):
    print(x)
    return x * x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    print(x)
    ^^^^^^^^
  why: compiled code would print once, when it is made
  instead: leave print out, or compile=None
""", """\
def f(x):
    return x * x
""", keywords=JIT),
    Case("counter_in_jit", """\
class Box:
    calls = 0
box = Box()
def f(x):
    box.calls += 1
    return x * x
""", """\
cannot differentiate f
  cell 1, line 5, column 5
    box.calls += 1
    ^^^^^^^^^^^^^^
  why: compiled code would set this attribute once, when it is made
  instead: a count outside, or compile=None
""", """\
def f(x):
    return x * x
""", keywords=JIT),
    Case("and_in_jit", """\
def f(x, flag=False):
    return x * 2.0 if x > 1.0 and flag else x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x * 2.0 if x > 1.0 and flag else x
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: a side of this 'and' depends on x, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", """\
def f(x, flag=False):
    return np.where(np.logical_and(x > 1.0, flag), x * 2.0, x)
""", keywords=JIT),
    Case("not_in_jit", """\
def f(x):
    y = not x > 1.0
    return x * y
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    y = not x > 1.0
    ^^^^^^^^^^^^^^^
  why: the value behind this 'not' depends on x, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", """\
def f(x):
    return x * np.where(x > 1.0, 0.0, 1.0)
""", keywords=JIT),
    Case("condition_in_jit", """\
def f(x):
    return x * 2.0 if x > 1.0 else x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x * 2.0 if x > 1.0 else x
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the test of this if depends on x, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", """\
def f(x):
    return np.where(x > 1.0, x * 2.0, x)
""", keywords=JIT),
    Case("number_of_python_in_jit", """\
def f(x):
    return x * int(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x * int(x)
    ^^^^^^^^^^^^^^^^^
  why: int(...), a number of Python, depends on x, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", keywords=JIT),
    Case("function_of_math_in_jit", """\
import math

def f(x):
    return x * math.floor(x)
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    return x * math.floor(x)
    ^^^^^^^^^^^^^^^^^^^^^^^^
  why: math.floor(...), a number of Python, depends on x, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", keywords=JIT),
    Case("unique_in_jit", """\
def f(x):
    return np.sum(x * np.sum(np.unique(tnb.stop_gradient(x))))
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(x * np.sum(np.unique(tnb.stop_gradient(x))))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the shape of the result of np.unique depends on what is computed from arrays, \
and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", keywords=JIT),
    Case("index_that_depends_on_data_in_jit", """\
def f(x):
    return x[np.argmax(x)] * 2.0
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x[np.argmax(x)] * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: an index depends on what is computed from arrays, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", at=(np.ones(3),), keywords=JIT),
    Case("read_from_outside_by_a_callee_in_jit", """\
k = 2.0
def h(t):
    if t.ndim:
        return t
    return t * k
def f(x):
    return h(x)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 5, column 5
    return t * k
    ^^^^^^^^^^^^
  why: k is read from outside, and compiled code would keep what it is now
  instead: pass it as an argument
""", """\
def h(t, k):
    return t * k
def f(x, k=2.0):
    return h(x, k)
""", keywords=JIT, at=(np.float32(2.0),)),
    Case("axis_that_depends_on_data_in_jit", """\
def f(x):
    return np.sum(np.sum(x, axis=np.argmax(x)) ** 2)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(np.sum(x, axis=np.argmax(x)) ** 2)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the argument axis of np.sum depends on what is computed from arrays, \
and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", at=(np.ones((2, 2)),), keywords=JIT),
    Case("putmask_in_jit", """\
def f(x, n):
    y = np.zeros(2)
    np.putmask(y, n, x)
    return np.sum(y)
""", """\
cannot differentiate this call on JAX
  cell 1, line 3, column 5
    np.putmask(y, n, x)
    ^^^^^^^^^^^^^^^^^^^
  why: np.place and np.putmask are not written for JAX
  instead: np.where(mask, v, a)
""", """\
def f(x, n=True):
    y = np.zeros(2)
    y = np.where(n, x, y)
    return np.sum(y)
""", at=(2.0, np.array([True, False])), keywords=JIT),
    Case("put_on_jax", """\
def f(x, n):
    y = np.zeros(2)
    np.put(y, n, x)
    return np.sum(y)
""", """\
cannot differentiate this call on JAX
  cell 1, line 3, column 5
    np.put(y, n, x)
    ^^^^^^^^^^^^^^^
  why: np.put is not written for JAX
  instead: a[i] = v
""", at=(2.0, np.array([0, 1])), keywords={"backend": "jax"}),
    Case("where_with_out_on_jax", """\
def f(x, n):
    y = np.zeros(2)
    np.multiply(x, 2.0, out=y, where=n)
    return np.sum(y)
""", """\
cannot differentiate this call on JAX
  cell 1, line 3, column 5
    np.multiply(x, 2.0, out=y, where=n)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: where= together with out= is not written for JAX
  instead: np.where(mask, v, a)
""", at=(np.ones(2), np.array([True, False])), keywords={"backend": "jax"}),
    Case("list_that_is_filled_like_an_array_on_jax", """\
def f(x, n):
    y = n.copy()
    np.copyto(y, x)
    return y[0] * x
""", """\
y is changed in place as an array, and is a list: make it an array, np.array(...)
  cell 1, line 3, column 5
    np.copyto(y, x)
    ^^^^^^^^^^^^^^^
""", at=(2.0, [1.0, 2.0]), keywords={"backend": "jax"}),
]
