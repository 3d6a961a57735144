"""What JAX does in another way than NumPy."""
from __future__ import annotations

import numpy as np

from .case import REVERSE, Case

CASES = [
    Case("row_that_may_change_before_it_is_read_on_jax", """\
def f(A):
    A = A * 1.0
    A[0], A[1] = A[::-1]
    return np.sum(A * A[0, 0])
""", """\
A[::-1][1] may be, or hold, a view of what is changed in place, and would change too: copy it first
  cell 1, line 3, column 5
    A[0], A[1] = A[::-1]
    ^^^^^^^^^^^^^^^^^^^^
""", """\
def f(A):
    A = A * 1.0
    A[0], A[1] = A[::-1].copy()
    return np.sum(A * A[0, 0])
""", keywords={"backend": "jax"}, at=(np.array([[0.3, 0.7], [1.2, 0.4]]),),
         typed_at=(np.array([[0.3, 0.7], [1.2, 0.4]]),)),
    Case("number_taken_for_a_row_on_jax", """\
def f(x):
    y = x * 1.0
    for v in y:
        v *= 2.0
        v += len(v[:1])
    return np.sum(y)
""", """\
v is taken for a part of an array that is changed in place, and it is a number: write v = v + ...
  cell 1, line 3, column 5
    for v in y:
    ^^^^^^^^^^
""", """\
def f(x):
    y = x * 1.0
    for v in y:
        v = v * 2.0
    return np.sum(y)
""", keywords={"backend": "jax"}, at=(np.array([0.3, 0.7]),), typed_at=(np.array([0.3, 0.7]),)),
    Case("reshaped_part_on_jax", """\
def f(A):
    B = A * 2.0
    v = B.reshape(-1)
    B[0] *= 3.0
    return np.sum(v * v)
""", """\
v is a reshaped part of an array that changes in place, which may be a copy of it: v = x.reshape(...).copy(), \
or derive it with NumPy
  cell 1, line 3, column 5
    v = B.reshape(-1)
    ^^^^^^^^^^^^^^^^^
""", """\
def f(A):
    B = A * 2.0
    v = B.reshape(-1).copy()
    B[0] *= 3.0
    return np.sum(v * v)
""", keywords={"backend": "jax"}, at=(np.array([[0.3, 0.7], [1.2, 0.4]]),),
         typed_at=(np.array([[0.3, 0.7], [1.2, 0.4]]),)),
    Case("with_on_jax", """\
def f(x):
    with np.errstate(all="ignore"):
        y = x * x
    return y
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    with np.errstate(all="ignore"):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: with is not written for JAX
  instead: the same without with, or backend='numpy'
""", """\
def f(x):
    y = x * x
    return y
""", keywords={"backend": "jax"}),
    Case("try_on_jax", """\
def f(x):
    try:
        y = x * x
    except ValueError:
        y = x
    return y
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    try:
    ^^^
  why: try is not written for JAX, which raises no errors for values
  instead: a test with if, np.where, or backend='numpy'
""", """\
def f(x):
    y = x * x if x > 0.0 else x
    return y
""", keywords={"backend": "jax"}),
    Case("name_that_does_not_exist_on_jax", """\
def f(x):
    return x * np.spacing(2.0)
""", """\
cannot differentiate f
  cell 1, line 2, column 16
    return x * np.spacing(2.0)
               ^^^^^^^^^^
  why: np.spacing has no counterpart on JAX that is known to be the same
  instead: the functions it is made of, or backend='numpy'
""", keywords={"backend": "jax"}),
    Case("method_of_a_quantile_on_jax", """\
def f(x):
    return np.quantile(x * np.ones(3), 0.3, method="hazen")
""", """\
cannot differentiate f
  cell 1, line 2, column 45
    return np.quantile(x * np.ones(3), 0.3, method="hazen")
                                            ^^^^^^
  why: np.quantile has on JAX the methods linear, lower, higher, midpoint, nearest only
  instead: method='linear'
""", """\
def f(x):
    return np.quantile(x * np.ones(3), 0.3, method="linear")
""", keywords={"backend": "jax"}, modes=(REVERSE,)),
    Case("attribute_on_jax", """\
def f(x):
    return x * np.ones(3).strides[0]
""", """\
cannot differentiate f
  cell 1, line 2, column 26
    return x * np.ones(3).strides[0]
                         ^^^^^^^^
  why: arrays of JAX have no .strides
  instead: a function of NumPy that computes it
""", keywords={"backend": "jax"}),
    Case("type_on_jax", """\
def f(x):
    return x * 2.0 if isinstance(x, float) else x
""", """\
cannot differentiate f
  cell 1, line 2, column 23
    return x * 2.0 if isinstance(x, float) else x
                      ^^^^^^^^^^
  why: numbers and arrays of JAX have other types than those of NumPy
  instead: np.ndim(x), or a parameter that says what to do
""", """\
def f(x):
    return x * 2.0 if np.ndim(x) == 0 else x
""", keywords={"backend": "jax"}),
    Case("small_dtype_on_jax", """\
def f(x):
    return x * np.sum(np.zeros(3, dtype=np.int32))
""", """\
cannot differentiate f
  cell 1, line 2, column 41
    return x * np.sum(np.zeros(3, dtype=np.int32))
                                        ^^^^^^^^
  why: np.int32 has no counterpart on JAX that is known to be the same
  instead: float, int or bool
""", """\
def f(x):
    return x * np.sum(np.ones(3, dtype=int))
""", keywords={"backend": "jax"}),
    Case("named_dtype_on_jax", """\
def f(x):
    return x * np.sum(np.zeros(3, dtype="int16"))
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return x * np.sum(np.zeros(3, dtype="int16"))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the dtype 'int16' is turned into other floats on JAX than on NumPy
  instead: float, int or bool
""", keywords={"backend": "jax"}),
    Case("method_on_jax", """\
def f(x):
    return x * np.arange(3.0).searchsorted(1.0)
""", """\
cannot differentiate f
  cell 1, line 2, column 30
    return x * np.arange(3.0).searchsorted(1.0)
                             ^^^^^^^^^^^^^
  why: arrays of JAX have no method .searchsorted that is known to be the same
  instead: a function of NumPy, or backend='numpy'
""", """\
def f(x):
    return x * np.searchsorted(np.arange(3.0), 1.0)
""", keywords={"backend": "jax"}),
    Case("function_as_a_value_on_jax", """\
def h(t):
    return t * 2.0
def f(x):
    g = [h]
    return x * g[0](2.0)
""", """\
cannot differentiate f: 2 places
  cell 1, line 4, column 10
    g = [h]
         ^
  why: h is passed on as a value, and would compute with NumPy
  instead: call it here, by its name

  cell 1, line 5, column 5
    return x * g[0](2.0)
    ^^^^^^^^^^^^^^^^^^^^
  why: what is called is not known before the function runs
  instead: call it outside
""", """\
def h(t):
    return t * 2.0
def f(x):
    return x * h(2.0)
""", keywords={"backend": "jax"}),
    Case("arguments_on_jax", """\
def f(x):
    return x * np.sum(np.array([1.0, 2.0], copy=False, order="F"))
""", """\
cannot differentiate f
  cell 1, line 2, column 23
    return x * np.sum(np.array([1.0, 2.0], copy=False, order="F"))
                      ^^^^^^^^
  why: np.array is called with arguments that are not known to mean the same on JAX
  instead: np.array(x, dtype, ndmin)
""", keywords={"backend": "jax"}),
    Case("method_arguments_on_jax", """\
def f(x):
    return np.sum(x.copy(order="F") ** 2)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(x.copy(order="F") ** 2)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: .copy is called with arguments that are not known to mean the same on JAX
  instead: a call without them
""", """\
def f(x):
    return np.sum(x.copy() ** 2)
""", keywords={"backend": "jax"}, at=(np.ones((2, 2)),), typed_at=(np.ones((2, 2)),)),
    Case("unknown_call_on_jax", """\
fs = {"a": float}
def f(x):
    return x * fs["a"](2)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    return x * fs["a"](2)
    ^^^^^^^^^^^^^^^^^^^^^
  why: what is called is not known before the function runs
  instead: call it outside
""", keywords={"backend": "jax"}),
]
