"""What comes to JAX from outside: the library itself, arrays and numbers of 64 bits, functions of Python."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np

import tangent_nb as tnb

from .case import Case


class Missing:
    """Where Python looks for modules, and JAX is not there."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        if name == "jax":
            raise ModuleNotFoundError("No module named 'jax'")


def without_jax(f: Callable[..., Any]) -> Any:
    """The gradient on JAX, where it is not installed."""
    with mock.patch.dict(sys.modules), mock.patch.object(sys, "meta_path", [Missing, *sys.meta_path]):
        for name in [name for name in sys.modules if name == "jax" or ".jax_runtime" in name]:
            del sys.modules[name]
        return tnb.grad(f, backend="jax")


def narrow(f: Callable[..., Any], *args: Any) -> Any:
    """The gradient on JAX as it is by itself, with 32 bits."""
    import jax
    jax.config.update("jax_enable_x64", False)
    return tnb.grad(f, backend="jax")(*args)


CASES = [
    Case("jax_is_missing_for_jax", """\
def f(x):
    return x * x
""", """\
backend='jax' needs a library that cannot be imported here (No module named 'jax'): pip install 'tangent_nb[jax]'
""", derive=without_jax),
    Case("no_such_name_on_jax", """\
def f(x, flag=False):
    if flag:
        return x * np.sinus
    return x
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 3, column 20
    return x * np.sinus
               ^^^^^^^^
  why: np.sinus does not exist
  instead: a name that is in NumPy
""", keywords={"backend": "jax"}, at=(np.float32(2.0), True)),
    Case("function_of_python_on_jax", """\
from fractions import Fraction
def f(x):
    return x * float(Fraction(1, 2))
""", """\
cannot differentiate f
  cell 1, line 3, column 22
    return x * float(Fraction(1, 2))
                     ^^^^^^^^
  why: Fraction may compute with NumPy, and arrays of JAX would leave their device
  instead: call it outside, and pass the result as an argument
""", """\
def f(x, half=0.5):
    return x * half
""", keywords={"backend": "jax"}),
    Case("numbers_that_are_drawn_on_jax", """\
def f(x):
    rng = np.random.default_rng(0)
    return x * rng.normal()
""", """\
cannot differentiate f
  cell 1, line 2, column 11
    rng = np.random.default_rng(0)
          ^^^^^^^^^^^^^^^^^^^^^
  why: np.random.default_rng has no counterpart on JAX that is known to be the same
  instead: draw the numbers outside, and pass them as an argument
""", keywords={"backend": "jax"}),
    Case("bincount_on_jax", """\
def f(x, n):
    return x * np.sum(np.bincount(n))
""", """\
cannot differentiate f
  cell 1, line 2, column 23
    return x * np.sum(np.bincount(n))
                      ^^^^^^^^^^^
  why: np.bincount has no counterpart on JAX that is known to be the same
  instead: a loop, or backend='numpy'
""", keywords={"backend": "jax"}),
    Case("array_from_outside_on_jax", """\
w = np.arange(3, dtype=np.int32)
def f(x):
    return x * np.sum(w)
""", """\
an array from outside is an array of int32, which JAX turns into other floats than NumPy: pass x.astype(int)
  cell 1, line 3, column 5
    return x * np.sum(w)
    ^^^^^^^^^^^^^^^^^^^^
""", keywords={"backend": "jax"}, at=(2.0,)),
    Case("array_of_64_bits_on_jax", """\
def f(x):
    return np.sum(x * x)
""", """\
x is of float64, and JAX would cut it to float32: jax.config.update("jax_enable_x64", True), or pass arrays of float32
  cell 1, line 1, column 7
    def f(x):
          ^
""", derive=lambda f: narrow(f, np.ones(2))),
    Case("integers_of_64_bits_on_jax", """\
def f(x, n):
    return x * np.sum(n)
""", """\
n is of int64, and JAX would cut it to int32: jax.config.update("jax_enable_x64", True), or pass arrays of int32
  cell 1, line 1, column 10
    def f(x, n):
             ^
""", derive=lambda f: narrow(f, np.float32(2.0), np.arange(3))),
    Case("type_of_64_bits_on_jax", """\
def f(x):
    return x * np.sum(np.ones(2, dtype=np.float64))
""", """\
the function names a type of 64 bits, and JAX would cut it to 32: jax.config.update("jax_enable_x64", True), \
or name float32
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^^
""", derive=lambda f: narrow(f, np.float32(2.0))),
    Case("number_of_64_bits_on_jax", """\
def f(x):
    return x * x
""", """\
x is a Python float of 64 bits, and JAX would cut it to 32: jax.config.update("jax_enable_x64", True), \
or pass jnp.float32(x)
  cell 1, line 1, column 7
    def f(x):
          ^
""", derive=lambda f: narrow(f, 2.0)),
    Case("reciprocal_of_integers_on_jax", """\
def f(x, n):
    return x * np.sum(np.reciprocal(n))
""", """\
NumPy's function gives integers for integers here, JAX's gives floats: pass x.astype(float)
  cell 1, line 2, column 5
    return x * np.sum(np.reciprocal(n))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0, np.array([1, 2])), keywords={"backend": "jax"}),
]
