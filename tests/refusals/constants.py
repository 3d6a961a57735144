"""Constants that are no plain numbers or arrays, arrays of objects, and objects that Python lets go of."""
from __future__ import annotations

import numpy as np

from .case import REVERSE, Case


class Index:
    def __index__(self) -> int:
        return 1


VECTOR = np.array([1.0, 2.0])
MASKED = np.ma.array([1.0, 2.0], mask=[True, False])


class Scaled:
    def __init__(self, k):
        self.k = k

    def __mul__(self, other):
        return other * self.k

    __rmul__ = __mul__


class Sparse:
    def toarray(self):
        return np.array([[1.0, 2.0], [3.0, 4.0]])

    def __matmul__(self, other):
        return self.toarray() @ other


class Doubled(np.ndarray):
    def __mul__(self, other):
        return 2.0 * np.asarray(self) * np.asarray(other)

    __rmul__ = __mul__


SPARSE, DOUBLED = Sparse(), np.ones(2).view(Doubled)

CASES = [
    Case("constant_sparse_argument", """\
def f(x, A):
    return np.sum(A @ x)
""", """\
A is a Sparse, and meets what is differentiated: it does not compute like an array: pass A.toarray()
  cell 1, line 1, column 10
    def f(x, A):
             ^
""", """\
def f(x, A):
    return np.sum(A @ x)
""", at=(VECTOR, SPARSE), typed_at=(VECTOR, SPARSE.toarray())),
    Case("constant_subclass_of_arrays", """\
def f(x, w):
    return np.sum(x * w)
""", """\
w is a Doubled, and meets what is differentiated: it does not compute like an array: pass np.asarray(w)
  cell 1, line 1, column 10
    def f(x, w):
             ^
""", """\
def f(x, w):
    return np.sum(x * w)
""", at=(VECTOR, DOUBLED), typed_at=(VECTOR, np.asarray(DOUBLED))),
    Case("constant_masked_argument", """\
def f(x, m):
    return np.sum(x * m)
""", """\
m is a MaskedArray, and meets what is differentiated: it does not compute like an array: pass m.filled(0.0)
  cell 1, line 1, column 10
    def f(x, m):
             ^
""", """\
def f(x, m):
    return np.sum(x * m)
""", at=(VECTOR, MASKED), typed_at=(VECTOR, MASKED.filled(0.0))),
    Case("index_with_code_argument", """\
def f(x, e):
    return np.sum(x[e] * 2)
""", """\
e is an Index, and its __index__ is code of its own, which would be called again: pass int(e)
  cell 1, line 1, column 10
    def f(x, e):
             ^
""", """\
def f(x, e):
    return np.sum(x[int(e)] * 2)
""", at=(VECTOR, Index()), typed_at=(VECTOR, 1)),
    Case("constant_with_code_argument", """\
def f(x, e):
    return np.sum(x * e)
""", """\
e is an Index, and meets what is differentiated: its class has an __index__ of its own: pass int(e)
  cell 1, line 1, column 10
    def f(x, e):
             ^
""", """\
def f(x, e):
    return np.sum(x * int(e))
""", at=(VECTOR, Index()), typed_at=(VECTOR, 1)),
    Case("index_with_code_outside", """\
class E:
    def __index__(self):
        return 1
e = E()
def f(x):
    return np.sum(x[e] * 2)
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    return np.sum(x[e] * 2)
    ^^^^^^^^^^^^^^^^^^^^^^^
  why: e is an E, and its __index__ is code of its own, which would be called again
  instead: int(e), taken outside of the function
""", """\
def f(x):
    return np.sum(x[1] * 2)
""", typed_at=(VECTOR,)),
    Case("trips_with_code_outside", """\
class Side:
    n = 3
    def __index__(self):
        self.n -= 1
        return self.n
trips = Side()
def f(x):
    s = 0.0
    for i in range(trips):
        s += x * s + x
    return s
""", """\
cannot differentiate f
  cell 1, line 9, column 5
    for i in range(trips):
    ^^^^^^^^^^^^^^^^^^^^^
  why: trips is a Side, and its __index__ is code of its own, which would be called again
  instead: int(trips), taken outside of the function
""", """\
n = 2
def f(x):
    s = 0.0
    for i in range(n):
        s += x * s + x
    return s
""", typed_at=(0.5,), modes=(REVERSE,)),
    Case("trips_with_code_argument", """\
def f(x, n):
    s = 0.0
    for i in range(n):
        s += x * s + x
    return s
""", """\
n is an Index, and its __index__ is code of its own, which would be called again: pass int(n)
  cell 1, line 1, column 10
    def f(x, n):
             ^
""", """\
def f(x, n):
    s = 0.0
    for i in range(int(n)):
        s += x * s + x
    return s
""", at=(0.5, Index()), typed_at=(0.5, 1), modes=(REVERSE,)),
    Case("constant_objects_argument", """\
def f(x, w):
    return np.sum(x * w)
""", """\
w is an array of objects, and meets what is differentiated: its items compute in their own way: pass w.astype(float)
  cell 1, line 1, column 10
    def f(x, w):
             ^
""", """\
def f(x, w):
    return np.sum(x * w.astype(float))
""", at=(VECTOR, np.array([1.0, 2.0], object)), typed_at=(VECTOR, np.array([1.0, 2.0], object))),
    Case("constant_objects_in_a_list", """\
def f(x, ws):
    return np.sum(x * ws[0])
""", """\
an item of ws is an array of objects, and meets what is differentiated: its items compute in their own way: \
pass it.astype(float)
  cell 1, line 1, column 10
    def f(x, ws):
             ^^
""", """\
def f(x, ws):
    return np.sum(x * ws[0].astype(float))
""", at=(VECTOR, [np.array([1.0, 2.0], object)]), typed_at=(VECTOR, [np.array([1.0, 2.0], object)])),
    Case("constant_subclass_of_arrays_outside", """\
class Doubled(np.ndarray):
    def __mul__(self, other): return 2.0 * np.asarray(self) * np.asarray(other)
    __rmul__ = __mul__
W = np.ones(2).view(Doubled)
def f(x):
    return np.sum(x * W)
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    return np.sum(x * W)
    ^^^^^^^^^^^^^^^^^^^^
  why: W is a Doubled, and meets what is differentiated: it does not compute like an array
  instead: np.asarray(W)
""", """\
class Doubled(np.ndarray):
    def __mul__(self, other): return 2.0 * np.asarray(self) * np.asarray(other)
    __rmul__ = __mul__
W = np.ones(2).view(Doubled)
def f(x):
    return np.sum(x * np.asarray(W))
""", typed_at=(VECTOR,)),
    Case("constant_subclass_of_float", """\
class Doubled(float):
    def __mul__(self, other): return 2.0 * float(self) * other
    __rmul__ = __mul__
def f(x):
    k = Doubled(3.0)
    return x * k
""", """\
k is a Doubled, and meets what is differentiated: its class has operators of its own: pass float(k)
  cell 1, line 5, column 5
    k = Doubled(3.0)
    ^^^^^^^^^^^^^^^^
""", """\
class Doubled(float):
    def __mul__(self, other): return 2.0 * float(self) * other
    __rmul__ = __mul__
def f(x):
    k = float(Doubled(3.0))
    return x * k
""", at=(2.0,)),
    Case("constant_object_with_operators", """\
def f(x, k):
    return x * k
""", """\
k is a Scaled, and meets what is differentiated: its class has operators of its own: \
pass the numbers or arrays that it holds
  cell 1, line 1, column 10
    def f(x, k):
             ^
""", """\
def f(x, k):
    return x * k.k
""", at=(2.0, Scaled(3.0)), typed_at=(2.0, Scaled(3.0))),
    Case("constant_array_of_objects_made", """\
def f(x):
    a = np.array([x, 2.0 * x], dtype=object)
    return np.sum(a)
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    a = np.array([x, 2.0 * x], dtype=object)
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: this makes an array of objects, whose items compute in their own way
  instead: a list, or an array of floats
""", """\
def f(x):
    a = np.array([x, 2.0 * x])
    return np.sum(a)
"""),
    Case("constant_array_of_objects_stored_in", """\
def f(x):
    a = np.empty(2, dtype=object)
    a[0] = x
    return a[0] * x
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    a[0] = x
    ^^^^^^^^
  why: a is an array of objects, whose items compute in their own way
  instead: a list, or an array of floats: a = np.zeros(...)
""", """\
def f(x):
    a = np.zeros(2)
    a[0] = x
    return a[0] * x
"""),
    Case("constant_object_with_del", """\
class Last:
    def __del__(self): pass
def f(x):
    last = Last()
    return x * x
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    last = Last()
           ^^^^^^
  why: Last.__del__ runs when Python lets go of this object, and the derivative may do that at another time
  instead: a method that is called where its effect is wanted
""", """\
class Last:
    def close(self): pass
def f(x):
    last = Last()
    last.close()
    return x * x
"""),
]
