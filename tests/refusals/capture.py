"""What is given instead of a function, or a function whose text is not there."""
from __future__ import annotations

import functools
import linecache

import numpy as np

import tangent_nb as tnb

from .case import Case


def made(text, name="f"):
    """A function that has no text."""
    scope = {}
    exec(text, scope)
    return scope[name]


def changed(f):
    """The file of a function is edited after it was run."""
    name = f.__code__.co_filename
    linecache.cache[name] = (0, None, ["def f(x):\n", "    return x + x\n"], name)
    return tnb.grad(f)


class Compiled:
    """As Numba's functions are: their code is not Python's."""

    __call__ = max

    def __init__(self, fn):
        self.__name__ = fn.__name__
        self.py_func = fn


class Wrapper:
    """As decorators of libraries in C make them."""

    __call__ = max

    def __init__(self, fn):
        self.__name__ = "f"
        self.__wrapped__ = fn

CASES = [
    Case("no_text", """\
def f(x):
    return x * x
""", """\
cannot differentiate f
  why: it has no source text: it was defined by exec or eval, or its file is gone.
  instead: put it in a file or in a notebook cell.
""", derive=lambda f: tnb.grad(made("def f(x):\n    return x * x\n"))),
    Case("partial_without_a_function", """\
def f(x):
    return x * x
""", """\
cannot differentiate functools.partial
  why: it is a functools.partial, which has no text of its own.
  instead: write a def or a lambda that calls the function with these arguments.
""", derive=lambda f: tnb.grad(functools.partial(np.vectorize(f), 2.0))),
    Case("bound_method_in_c", """\
import types

f = types.MethodType(max, 3.0)
""", """\
cannot differentiate max
  why: it is a bound method: the object it belongs to is a hidden argument.
  instead: write a function that calls it: def f(x): return obj.max(x)
"""),
    Case("decorated_in_c", """\
import functools
import math

f = functools.lru_cache(math.gcd)
""", """\
cannot differentiate math.gcd
  why: math.gcd has no derivative: integer valued.
  instead: a function with real values.
"""),
    Case("object_that_is_called", """\
class Model:
    __call__ = max

f = Model()
""", """\
cannot differentiate Model
  why: it is an object of class Model that can be called, not a function.
  instead: write a def that calls it.
"""),
    Case("wrapped_in_c", """\
def f(x):
    return x * x
""", """\
cannot differentiate f
  why: it is wrapped by a decorator, which may do anything before and after.
  instead: differentiate the undecorated function (its __wrapped__), or leave the decorator out.
""", derive=lambda f: tnb.grad(Wrapper(max))),
    Case("parameters_that_all_have_defaults", """\
def g(x=2.0):
    return x * x

@tnb.adjoint(g)
def _(y, x):
    d[x] = d[y] * 2.0 * x

@tnb.tangent(g)
def _(y, x):
    d[y] = d[x] * 2.0 * x

f = g
""", """\
cannot differentiate g
  why: it is not known how g is called.
  instead: write a def that calls it.
"""),
    Case("text_that_changed", """\
def f(x):
    return x * x
""", """\
cannot differentiate f
  why: its text, <cell 1> from line 1, is not what was run: the file has changed since (or a tool rewrote the code).
  instead: run the definition again: run the cell, or reload the module.
""", derive=changed),
    Case("class_itself", """\
class Model:
    def __init__(self, x):
        self.x = x

f = Model
""", """\
cannot differentiate Model
  why: it is a class, not a function.
  instead: write a function that uses it: def f(x): return Model(x)
"""),
    Case("compiled_by_numba", """\
def f(x):
    return x * x
""", """\
cannot differentiate f
  why: it is compiled (by Numba).
  instead: differentiate the Python function: f.py_func
""", derive=lambda f: tnb.grad(Compiled(f))),
    Case("called_already", """\
def f(x):
    return x * x
""", """\
cannot differentiate float
  why: it is not a function but a value of type float.
  instead: pass the function itself, not its result.
""", derive=lambda f: tnb.grad(f(2.0))),
    Case("vectorized", """\
f = np.vectorize(lambda x: x * x)
""", """\
cannot differentiate <lambda>
  why: it is called by np.vectorize, one item at a time.
  instead: write a loop over the items, or call the function itself if it takes arrays.
"""),
    Case("written_in_c", """\
import statistics, math

f = math.nextafter
""", """\
cannot differentiate nextafter
  why: nextafter is written in C and has no derivative rule.
  instead: write a def that uses functions of NumPy, or give it a rule: @tnb.adjoint
"""),
    Case("written_in_c_without_a_row", """\
f = "abc".upper
""", """\
cannot differentiate upper
  why: upper is written in C and has no derivative rule.
  instead: write a def that uses functions of NumPy, or give it a rule: @tnb.adjoint
"""),
    Case("integer_valued", """\
f = np.argmax
""", """\
cannot differentiate np.argmax
  why: np.argmax has no derivative: integer valued.
  instead: a function with real values.
"""),
    Case("no_rule_yet", """\
f = np.real_if_close
""", """\
cannot differentiate np.real_if_close
  why: whether its result is real depends on the values
  instead: np.real
"""),
    Case("declared_non_differentiable", """\
@tnb.non_differentiable
def f(x):
    return x // 1.0
""", """\
cannot differentiate f
  why: f has no derivative: it was declared non-differentiable.
  instead: a function with real values.
"""),
]
