"""Arithmetic and calls with what is found, when a derivative is called, to be no number and no function."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import FORWARD, REVERSE, Case

CASES = [
    Case("list_times_a_number", """\
def f(p):
    q = p["a"] * 2
    return q[0] * q[3]
""", """\
arithmetic on a list is not differentiated: make it an array first, np.array(...)
  cell 1, line 2, column 5
    q = p["a"] * 2
    ^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)({"a": [1.0, 2.0]})),
    Case("lists_of_an_argument_joined", """\
def f(p):
    q = p["a"] + p["b"]
    return q[0] * q[1]
""", """\
arithmetic that makes a list is not differentiated: make it an array first, np.array(...)
  cell 1, line 2, column 5
    q = p["a"] + p["b"]
    ^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.jvp(f)({"a": [1.0], "b": [2.0]}, {"a": [1.0], "b": [2.0]})),
    Case("object_as_a_number", """\
class D:
    def __init__(self, w):
        self.w = w
    def __float__(self):
        return self.w
def f(p):
    return float(p["d"]) * 2.0
f.point = {"d": D(3.0)}
""", """\
arithmetic on a D is not differentiated: compute with the numbers that it holds
  cell 1, line 7, column 5
    return float(p["d"]) * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("object_with_operators", """\
class D:
    def __init__(self, w):
        self.w = w
    def __mul__(self, other):
        return self.w * other
def f(p):
    return p["d"] * 2.0
f.point = {"d": D(3.0)}
""", """\
p['d'] is a D, which is not known as a container, since its class has a __mul__ of its own: \
a list or a dict, or tnb.register_container
  cell 1, line 6, column 7
    def f(p):
          ^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("object_that_rounds_itself", """\
class D:
    def __init__(self, w):
        self.w = w
    def __round__(self, n=0):
        return self.w
def f(p):
    return round(p["d"], 2) * p["d"].w
f.point = {"d": D(3.0)}
""", """\
p['d'] is a D, which is not known as a container, since its class has a __round__ of its own: \
a list or a dict, or tnb.register_container
  cell 1, line 6, column 7
    def f(p):
          ^
""", derive=lambda f: tnb.jvp(f)(f.point, f.point)),
    Case("greater_of_complex_numbers", """\
def f(x):
    return np.maximum(x * 1j, x).real
""", """\
the order of complex numbers is not differentiated: compare z.real or np.abs(z)
  cell 1, line 2, column 5
    return np.maximum(x * 1j, x).real
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.maximum((x * 1j).imag, 0.5 * x)
""", at=(2.0,)),
    Case("third_derivative_of_abs_of_complex_numbers", """\
def f(x):
    return abs(x * (1.0 + 1j)) ** 3
""", """\
the third derivative of abs of complex numbers is not there: use np.hypot(z.real, z.imag)
  cell 1, line 2, column 5
    return abs(x * (1.0 + 1j)) ** 3
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    z = x * (1.0 + 1j)
    return np.hypot(z.real, z.imag) ** 3
""", derive=lambda f: tnb.grad(tnb.grad(tnb.grad(f)))(2.0)),
    Case("list_changed_like_an_array", """\
def f(x, n):
    n[0] = x
    return n[0] * x
""", """\
n is changed in place, which is done for arrays, and it is a list: pass an array
  cell 1, line 1, column 10
    def f(x, n):
             ^
""", """\
def f(x):
    n = np.array([1.0])
    n[0] = x
    return n[0] * x
""", at=(2.0, [1.0])),
    Case("memory_of_two_arguments", """\
def f(x, y):
    x[0] = 2.0
    return np.sum(x) * y[0]
f.whole = np.ones(3)
""", """\
x is changed in place, and y shares its memory: pass a copy of one of them
  cell 1, line 1, column 7
    def f(x, y):
          ^
""", derive=lambda f: tnb.grad(f)(f.whole, f.whole[1:])),
    Case("memory_that_a_call_changes", """\
count = np.zeros(1)
def tick():
    count[0] += 1.0
def f(x, n):
    y = x * n[0]
    tick()
    return y * n[0]
f.n = count
""", """\
tick changes count in place, and n shares its memory: pass a copy of n
  cell 1, line 4, column 1
    def f(x, n):
    ^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(2.0, f.n)),
    Case("list_that_the_text_changes", """\
log = [1.0]
def f(x, l):
    y = np.dot(x * np.ones(1), l)
    log.append(3.0)
    return y
f.log = log
""", """\
a list changes, and l is, or holds, the same list: let l be a copy
  cell 1, line 4, column 5
    log.append(3.0)
    ^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(2.0, f.log)),
    Case("row_that_changes_before_it_is_read", """\
def f(A):
    A = A * 1.0
    A[0], A[1] = A[::-1]
    return np.sum(A * A[0, 0])
""", """\
A[::-1][1] is, or holds, a view of what is changed in place, and would change too: copy it first
  cell 1, line 3, column 5
    A[0], A[1] = A[::-1]
    ^^^^^^^^^^^^^^^^^^^^
""", """\
def f(A):
    A = A * 1.0
    A[0], A[1] = A[::-1].copy()
    return np.sum(A * A[0, 0])
""", at=(np.array([[0.3, 0.7], [1.2, 0.4]]),), typed_at=(np.array([[0.3, 0.7], [1.2, 0.4]]),)),
    Case("row_stored_in_a_column", """\
def f(A):
    A = A * 1.0
    A[:, 2] = A[1]
    return np.sum(A * A)
""", """\
A[:, 2] = A[1] stores in numbers that it has yet to read, and NumPy does not copy them first: take a copy, A[:, \
2] = A[1].copy()
  cell 1, line 3, column 5
    A[:, 2] = A[1]
    ^^^^^^^^^^^^^^
""", """\
def f(A):
    A = A * 1.0
    A[:, 2] = A[1].copy()
    return np.sum(A * A)
""", at=(np.array([[0.3, 0.7, 0.1], [1.2, 0.4, 0.9], [0.8, 0.2, 0.5]]),),
         typed_at=(np.array([[0.3, 0.7, 0.1], [1.2, 0.4, 0.9], [0.8, 0.2, 0.5]]),)),
    Case("row_without_a_derivative_stored_in_a_column", """\
def f(x):
    A = np.eye(3)
    A[1] = A[:, 2]
    return np.sum(x * A[1])
""", """\
A[1] = A[:, 2] stores in numbers that it has yet to read, and NumPy does not copy them first: take a copy, \
A[1] = A[:, 2].copy()
  cell 1, line 3, column 5
    A[1] = A[:, 2]
    ^^^^^^^^^^^^^^
""", """\
def f(x):
    A = np.eye(3)
    A[1] = A[:, 2].copy()
    return np.sum(x * A[1])
""", at=(np.array([0.3, 0.7, 0.1]),), typed_at=(np.array([0.3, 0.7, 0.1]),)),
    Case("list_of_its_rows_stored_in_an_array", """\
def f(A):
    A = A * 1.0
    A[...] = [A[1] * 2.0, A[0]]
    return np.sum(A * A)
""", """\
A[...] = [A[1] * 2.0, A[0]] stores in numbers that it has yet to read, and NumPy does not copy them first: \
make an array of the list, np.array(...)
  cell 1, line 3, column 5
    A[...] = [A[1] * 2.0, A[0]]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(A):
    A = A * 1.0
    A[...] = np.array([A[1] * 2.0, A[0]])
    return np.sum(A * A)
""", at=(np.array([[0.3, 0.7], [1.2, 0.4]]),), typed_at=(np.array([[0.3, 0.7], [1.2, 0.4]]),)),
    Case("column_stored_in_a_row_that_is_known_later", """\
def f(A, n=1):
    A = A * 1.0
    A[n % 3, :] = A[:, 2]
    return np.sum(A * A)
""", """\
A[n % 3, :] = A[:, 2] stores in numbers that it has yet to read, and NumPy does not copy them first: take a copy, \
A[n % 3, :] = A[:, 2].copy()
  cell 1, line 3, column 5
    A[n % 3, :] = A[:, 2]
    ^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(A, n=1):
    A = A * 1.0
    A[n % 3, :] = A[:, 2].copy()
    return np.sum(A * A)
""", at=(np.array([[0.3, 0.7, 0.1], [1.2, 0.4, 0.9], [0.8, 0.2, 0.5]]),),
         typed_at=(np.array([[0.3, 0.7, 0.1], [1.2, 0.4, 0.9], [0.8, 0.2, 0.5]]),)),
    Case("row_that_a_function_gives_stored_in_a_column", """\
def f(A):
    A = A * 1.0
    row = lambda M: M[1]
    A[:, 2] = row(A)
    return np.sum(A * A)
""", """\
row(A) is, or holds, a view of what is changed in place, and would change too: copy it first
  cell 1, line 4, column 5
    A[:, 2] = row(A)
    ^^^^^^^^^^^^^^^^
""", """\
def f(A):
    A = A * 1.0
    row = lambda M: M[1].copy()
    A[:, 2] = row(A)
    return np.sum(A * A)
""", at=(np.array([[0.3, 0.7, 0.1], [1.2, 0.4, 0.9], [0.8, 0.2, 0.5]]),),
         typed_at=(np.array([[0.3, 0.7, 0.1], [1.2, 0.4, 0.9], [0.8, 0.2, 0.5]]),)),
    Case("stored_where_a_mask_says_in_its_own_array", """\
def f(x):
    x = x * 1.0
    mask = x > 0.5
    x[mask] = x[:2]
    return np.sum(x * x)
""", """\
x[mask] = x[:2] stores in numbers that it has yet to read, and NumPy does not copy them first: take a copy, \
x[mask] = x[:2].copy()
  cell 1, line 4, column 5
    x[mask] = x[:2]
    ^^^^^^^^^^^^^^^
""", """\
def f(x):
    x = x * 1.0
    mask = x > 0.5
    x[mask] = x[:2].copy()
    return np.sum(x * x)
""", at=(np.array([0.7, 0.3, 0.9]),), typed_at=(np.array([0.7, 0.3, 0.9]),)),
    Case("copied_where_a_mask_says_in_its_own_array", """\
def f(A):
    A = A * 1.0
    np.copyto(A[:, 2], A[1], where=A[0] > 0.2)
    return np.sum(A * A)
""", """\
A[:, 2] = A[1] stores in numbers that it has yet to read, and NumPy does not copy them first: take a copy, A[:, \
2] = A[1].copy()
  cell 1, line 3, column 5
    np.copyto(A[:, 2], A[1], where=A[0] > 0.2)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(A):
    A = A * 1.0
    np.copyto(A[:, 2], A[1].copy(), where=A[0] > 0.2)
    return np.sum(A * A)
""", at=(np.array([[0.3, 0.7, 0.1], [1.2, 0.4, 0.9], [0.8, 0.2, 0.5]]),),
         typed_at=(np.array([[0.3, 0.7, 0.1], [1.2, 0.4, 0.9], [0.8, 0.2, 0.5]]),)),
    Case("number_taken_for_a_row", """\
def f(x, deep=False):
    y = x * 1.0
    row = y[0]
    row += 1.0
    return np.sum(y) + row[0] if deep else np.sum(y) * row
""", """\
row is taken for a part of an array that is changed in place, and it is a float64: write row = row + ...
  cell 1, line 3, column 5
    row = y[0]
    ^^^^^^^^^^
""", """\
def f(x):
    y = np.array([x, 2.0 * x])
    row = y[0]
    row = row + 1.0
    return np.sum(y) * row
""", at=(np.ones(3),)),
    Case("reshaped_to_a_copy", """\
def f(A):
    B = (A * 2.0).T
    v = B.reshape(-1)
    v[0] = 1.0
    return np.sum(B * B) + v[1]
""", """\
v may be a copy: the numbers of the array that it is made of do not lie one behind the other in memory. \
Make that array with .copy(), or take a copy of it, .reshape(...).copy(), and store that
  cell 1, line 3, column 5
    v = B.reshape(-1)
    ^^^^^^^^^^^^^^^^^
""", """\
def f(A):
    B = (A * 2.0).T.copy()
    v = B.reshape(-1)
    v[0] = 1.0
    return np.sum(B * B) + v[1]
""", at=(np.array([[0.3, 0.7], [1.2, 0.4]]),), typed_at=(np.array([[0.3, 0.7], [1.2, 0.4]]),)),
    Case("tangent_that_raises_in_a_try", """\
import math
def root(x):
    return math.sqrt(x)
@tnb.tangent(root)
def _(y, x):
    d[y] = d[x] / (2.0 * y)
def f(x):
    try:
        y = root(x) if x < 1.0 else 2.0 * root(x)
    except ZeroDivisionError:
        y = 1.0
    return y
""", """\
the tangent raises ZeroDivisionError (float division by zero) in a try, where the function does not: \
there is no derivative there, or write the operation outside of the try
  cell 1, line 9, column 9
    y = root(x) if x < 1.0 else 2.0 * root(x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(0.0,), modes=(FORWARD,)),
    Case("index_of_a_number_known_late", """\
def f(x, i):
    return np.sum(x[i] * 2.0) * x
""", """\
a float64 is indexed by what is known only when the function runs: write the index, None or ..., in the function
  cell 1, line 2, column 5
    return np.sum(x[i] * 2.0) * x
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(x[None] * 2.0) * x
""", at=(np.float64(2.0), None), typed_at=(np.float64(2.0),), modes=(REVERSE,)),
    Case("method_of_an_array_that_is_not_there", """\
def f(p):
    return np.sum(p["a"].area(2.0))
""", """\
the method .area of an array has no rule: write it as a function of NumPy
  cell 1, line 2, column 5
    return np.sum(p["a"].area(2.0))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)({"a": np.ones(3)})),
    Case("method_that_is_not_written_in_python", """\
class P:
    def __init__(self, w):
        self.w = w
    @property
    def area(self):
        return np.sin
def f(p):
    return p.area(p.w) * 2.0
f.point = P(2.0)
""", """\
P.area is called, and the object is differentiated: write it as a method, def area(self, ...)
  cell 1, line 8, column 5
    return p.area(p.w) * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("function_that_is_held_and_reads_its_holder", """\
class P:
    def __init__(self, w):
        self.w = w
        self.area = lambda t: t * self.w
def f(p):
    return p.area(p.w) * 2.0
f.point = P(2.0)
""", """\
P.area is called, and the object is differentiated, which may hold the arrays or objects that the function reads as \
its own: write it as a method, def area(self, ...), or hold a functools.partial, which binds them
  cell 1, line 6, column 5
    return p.area(p.w) * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("function_that_is_held_and_reads_objects", """\
class P:
    def __init__(self, w):
        self.w = w
        self.area = lambda t: t * self.w
def f(p):
    area = p.area
    return area(p.w) * 2.0
f.point = P(2.0)
""", """\
a lambda is called, which is held by something that is differentiated and reads arrays or objects of its own: \
whether what is differentiated holds these too is not known. Hold a functools.partial, which binds them
  cell 1, line 7, column 5
    return area(p.w) * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("function_that_takes_fewer_arguments", """\
def other(a):
    return a
def f(g, x):
    return g(x, 2.0) * 2.0
f.other = other
""", """\
other does not take these arguments: too many positional arguments
  cell 1, line 4, column 5
    return g(x, 2.0) * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f, "x")(f.other, 2.0)),
    Case("or_of_objects", """\
import types
class D:
    def __init__(self, w):
        self.w = w
    def __or__(self, other):
        return self.w * other.w
def f(p):
    return p.a | p.b
f.point = types.SimpleNamespace(a=D(2.0), b=D(3.0))
""", """\
the operator | is for dicts, where a derivative flows through it: arithmetic operators for numbers
  cell 1, line 8, column 5
    return p.a | p.b
    ^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(f.point)),
    Case("class_that_takes_no_arguments", """\
class P:
    def area(self):
        return 2.0
def f(x):
    p = P(x)
    return p.area() * x
""", """\
cannot differentiate f
  cell 1, line 5, column 9
    p = P(x)
        ^^^^
  why: P takes no arguments: Python would raise a TypeError here
  instead: P()
""", """\
class P:
    def area(self):
        return 2.0
def f(x):
    p = P()
    return p.area() * x
"""),
    Case("vectorized_function_that_gives_an_int", """\
def f(x):
    return np.sum(np.vectorize(lambda v: v * v if v > 1.0 else 0)(x))
""", """\
NumPy rounds all results where the first one is an int, and here one is an int: give floats, or otypes=[float]
  cell 1, line 2, column 5
    return np.sum(np.vectorize(lambda v: v * v if v > 1.0 else 0)(x))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.vectorize(lambda v: v * v if v > 1.0 else 0, otypes=[float])(x))
""", at=(np.array([0.5, 2.0]),)),
    Case("object_whose_call_is_differentiated", """\
import functools
class P:
    __call__ = functools.partial(np.multiply, 3.0)
    def __init__(self, w):
        self.w = w
def f(g, x):
    return g(x) * 2.0
f.point = P(2.0)
""", """\
a P is called, and the object is differentiated: write it as a method, def __call__(self, ...)
  cell 1, line 7, column 5
    return g(x) * 2.0
    ^^^^^^^^^^^^^^^^^
""", """\
class P:
    def __init__(self, w):
        self.w = w
    def __call__(self, t):
        return t * self.w
def f(x):
    g = P(x)
    return g(x) * 2.0
""", derive=lambda f: tnb.grad(f, ("g", "x"))(f.point, 2.0)),
    Case("digits_that_are_lost", """\
def f(x, v, w, n):
    for _ in range(n):
        x = x + v * 1e20
        v = v + w * np.sin(x)
    return np.sin(x) * v
""", """\
x cannot be brought back by undoing what the loop adds to it: it would be off by 0.5. \
Derive it without the pass invert_updates
  cell 1, line 3, column 9
    x = x + v * 1e20
    ^^^^^^^^^^^^^^^^
""", keywords={"optimized": "+invert_updates"}, at=(0.5, 1.0, 0.0, 1), modes=(REVERSE,)),
]
