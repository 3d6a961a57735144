"""Compiled code, and arguments of derivatives on JAX."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import REVERSE, Case

CASES = [
    Case("if_in_compiled_code", """\
def f(x):
    if x > 1.0:
        return x * 2.0
    return x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    if x > 1.0:
    ^^^^^^^^^^
  why: the test of this if depends on x, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", """\
def f(x):
    return np.where(x > 1.0, x * 2.0, x)
""", keywords={"backend": "jax", "compile": "jit"}),
    Case("trips_in_compiled_code", """\
def f(x):
    for i in range(int(x)):
        x = x * 2.0
    return x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    for i in range(int(x)):
    ^^^^^^^^^^^^^^^^^^^^^^
  why: the number of steps depends on x, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", keywords={"backend": "jax", "compile": "jit"}),
    Case("mask_in_compiled_code", """\
def f(x):
    return np.sum(x[x > 0.0])
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(x[x > 0.0])
    ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: an index depends on x, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", """\
def f(x):
    return np.sum(np.where(x > 0.0, x, 0.0))
""", keywords={"backend": "jax", "compile": "jit"}, typed_at=(np.array([1.0, -2.0]),)),
    Case("test_of_arrays_in_compiled_code", """\
def f(x):
    if np.sum(np.ones(3)) > 1.0:
        x = x * 2.0
    return x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    if np.sum(np.ones(3)) > 1.0:
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the test of this if depends on what is computed from arrays, and compiled code is made before values are known
  instead: np.where for a choice between values; a Python int as argument for counts and indices; or compile=None
""", keywords={"backend": "jax", "compile": "jit"}),
    Case("print_in_compiled_code", """\
def f(x):
    print(3)
    return x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    print(3)
    ^^^^^^^^
  why: compiled code would print once, when it is made
  instead: leave print out, or compile=None
""", keywords={"backend": "jax", "compile": "jit"}),
    Case("number_divided_in_compiled_code", """\
def f(x):
    return 1.0 / x
""", """\
cannot differentiate this call on JAX
  cell 1, line 1, column 7
    def f(x):
          ^
  why: a Python number is divided, or raised to a power: Python raises an error at poles and overflow, \
compiled code cannot
  instead: an array, jnp.asarray(x), which has infinity there in NumPy too; or compile=None
""", """\
def f(x):
    return 1.0 / x
""", keywords={"backend": "jax", "compile": "jit"}, at=(2.0,), typed_at=(np.array(2.0),)),
    Case("fraction_as_a_count", """\
def f(x, n):
    for i in range(int(n)):
        x = x * 2.0
    return x
""", """\
cannot differentiate this call on JAX
  cell 1, line 1, column 10
    def f(x, n):
             ^
  why: n is a float, and control flow, an index or a shape depends on it: compiled code is made for one value of it
  instead: a Python int, or compile=None
""", keywords={"backend": "jax", "compile": "jit"}, at=(2.0, 3.0)),
    Case("integer_computed_with", """\
def f(x, n):
    return x * (n * n)
""", """\
cannot differentiate this call on JAX
  cell 1, line 1, column 10
    def f(x, n):
             ^
  why: a Python int is computed with, and compiled code would have it in 64 bits, which wrap around
  instead: a float, an array, jnp.asarray(n), or compile=None
""", keywords={"backend": "jax", "compile": "jit"}, at=(2.0, 3)),
    Case("object_in_compiled_code_of_jax", """\
class P:
    def __init__(self, a):
        self.a = a
def f(p, x):
    return p.a * x
f.point = P(2.0)
""", """\
cannot differentiate this call on JAX
  cell 1, line 4, column 7
    def f(p, x):
          ^
  why: an argument is, or holds, a P, which compiled code cannot take
  instead: arrays and numbers as arguments, or compile=None
""", derive=lambda f: tnb.grad(f, 1, backend="jax", compile="jit")(f.point, 2.0)),
    Case("text_in_compiled_code", """\
k = "two"
def f(x):
    return x * len(k)
""", """\
cannot differentiate this call on JAX
  cell 1, line 2, column 7
    def f(x):
          ^
  why: an argument is, or holds, a str, which compiled code cannot take
  instead: arrays and numbers as arguments, or compile=None
""", keywords={"backend": "jax", "compile": "jit"}, at=(2.0,)),
    Case("integer_array_on_jax", """\
def f(x):
    return np.sum(x * x)
""", """\
x is an array of int64, which has no derivative: pass a float or an array of floats
  cell 1, line 1, column 7
    def f(x):
          ^
""", keywords={"backend": "jax"}, at=(np.array([1, 2]),)),
    Case("small_integers_on_jax", """\
def f(x, n):
    return np.sum(x * n)
""", """\
n is an array of int16, which JAX turns into other floats than NumPy: pass n.astype(int)
  cell 1, line 1, column 10
    def f(x, n):
             ^
""", keywords={"backend": "jax"}, at=(2.0, np.ones(2, np.int16))),
    Case("array_returned_on_jax", """\
def f(x):
    return x * 2.0
""", """\
the function returned an array of shape (2,); a gradient needs a single number (a scalar): use vjp with a seed, \
or jacobian; or return its sum
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", modes=(REVERSE,), keywords={"backend": "jax"}, at=(np.ones(2),)),
    Case("seed_of_another_shape_on_jax", """\
def f(x):
    return x * 2.0
""", """\
the seed has shape (2,), the result has shape (3,): they must be the same
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f, backend="jax")(np.ones(3), np.ones(2))),
    Case("seed_of_text_on_jax", """\
def f(x):
    return x * 2.0
""", """\
the seed is a str, the result is an array of float64: pass a seed of its shape
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f, backend="jax")(np.ones(3), "a")),
    Case("seed_of_complex_numbers_on_jax", """\
def f(x):
    return x * 2.0
""", """\
the seed is of complex128, the result of float64: pass a seed of floats
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f, backend="jax")(np.ones(3), 1j * np.ones(3))),
    Case("container_in_itself_on_jax", """\
def f(p):
    return p["a"] * 2.0
f.point = {"a": 1.0}
f.point["self"] = f.point
""", """\
p['self'] is one of the containers that it is in: a container that holds itself has no gradient
  cell 1, line 1, column 7
    def f(p):
          ^
""", derive=lambda f: tnb.grad(f, backend="jax")(f.point)),
    Case("set_in_a_dict_on_jax", """\
def f(p):
    return p["a"] * 2.0
""", """\
p['s'] is a set, which is not known as a container: a list or a dict, or tnb.register_container
  cell 1, line 1, column 7
    def f(p):
          ^
""", modes=(REVERSE,), keywords={"backend": "jax"}, at=({"a": 1.0, "s": {1.0}},)),
    Case("pad_in_another_mode_on_jax", """\
def f(x, mode="empty"):
    return np.sum(np.pad(x, 1, mode=mode))
""", """\
np.pad with mode='empty' is not differentiated: use another mode, as 'constant', 'edge' or 'reflect', or np.concatenate
  cell 1, line 2, column 5
    return np.sum(np.pad(x, 1, mode=mode))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", keywords={"backend": "jax"}, at=(np.ones(3),)),
    Case("array_changed_in_place_on_jax", """\
def f(x):
    x += 1.0
    return np.sum(x * x)
""", """\
x is an array which another variable, or the caller, holds too, and is changed in place: write x = x + ..., \
or take a fresh copy first
  cell 1, line 2, column 5
    x += 1.0
    ^^^^^^^^
""", keywords={"backend": "jax"}, at=(np.ones(2),)),
]
