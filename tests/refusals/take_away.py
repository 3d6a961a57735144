"""What is not written into a file of its own."""
from __future__ import annotations

from pathlib import Path

import numpy as np

import tangent_nb as tnb
from tangent_nb.take_away import export, exported

from .case import Case


def alone(f):
    """The text of its gradient."""
    return exported(tnb.grad(f))


def without_k(f):
    """The same, when a variable is gone."""
    df = tnb.grad(f)
    del f.__globals__["k"]
    return exported(df)


def for_four(f):
    return exported(tnb.grad(f), like=(2.0, 3.0))


def from_elsewhere(f):
    df = tnb.grad(f, optimized=tnb.PASSES)
    df.__tangent_nb__ = df.__tangent_nb__.__reduce__()[0](*df.__tangent_nb__.__reduce__()[1])
    return exported(df)


CASES = [
    Case("no_derivatives", """\
def f(x):
    return x
""", """\
there is no derivative to export: give one, or several
""", derive=lambda f: exported(())),
    Case("method_with_names_of_its_class", """\
class Model:
    __scale = 2.0
    def rate(self):
        return self.__scale
rate = Model.rate
model = Model()
def f(x):
    return x * rate(model)
""", """\
cannot export df_dx
  what: rate, which df_dx reads
  why: it reads names that Python changes inside of a class (__x)
  instead: call them _x
""", derive=alone),
    Case("class_without_text", """\
Model = type("Model", (), {"rate": 2.0})
model = Model()
def f(x):
    return x * model.rate
""", """\
cannot export df_dx
  what: model.rate, which df_dx reads
  why: its source text is not found, or is not what was run
  instead: run its definition again, in a file or in a notebook cell
""", derive=alone),
    Case("function_in_a_cache", """\
import functools
def part(n):
    return n * 2.0
kept = functools.lru_cache(part)
def f(x):
    return x * kept(3)
""", """\
cannot export df_dx
  what: kept, which df_dx reads
  why: it is an object of class _lru_cache_wrapper around a function
  instead: write the decorator above the function (@), or call the function itself
""", derive=alone),
    Case("derivative_taken_inside", """\
def part(x):
    return np.sum(x * x)
def f(x):
    return np.sum(tnb.grad(part)(x) * x)
""", """\
cannot export df_dx
  what: tnb.grad, which df_dx reads
  why: it calls grad of tangent_nb, which needs tangent_nb
  instead: derive outside of the function, and call the derivative in it
""", derive=alone),
    Case("function_known_at_the_call", """\
def f(x, act):
    return act(x) * 2.0
""", """\
cannot export df_dx
  what: rt.pullback, which df_dx reads
  why: it takes derivatives of functions that are known only when it is called, which needs tangent_nb
  instead: export it for such arguments, like=(...), or call functions by their names
""", derive=alone),
    Case("module_as_a_value", """\
import types
mine = types.ModuleType("mine")
mine.rate = 2.0
def f(x):
    return x * (2.0 if mine else 1.0)
""", """\
cannot export df_dx
  what: mine, which df_dx reads
  why: it is a module that is used as a value, or of which variables are assigned (global)
  instead: read what is needed of it by its name, and return what would be assigned
""", derive=alone),
    Case("variable_that_is_gone", """\
k = 2.0
def f(x):
    return x * k
""", """\
cannot export df_dx
  what: k, which df_dx reads
  why: k, which df_dx reads, is not defined
  instead: define k
""", derive=without_k),
    Case("list_that_holds_itself", """\
table = [2.0]
table.append(table)
def f(x):
    return x * table[0]
""", """\
cannot export df_dx
  what: table, which df_dx reads
  why: it holds itself
  instead: make it an argument of the function
""", derive=alone),
    Case("lock", """\
import threading
lock = threading.Lock()
def f(x):
    with lock:
        y = x * x
    return y
""", """\
cannot export df_dx
  what: lock, which df_dx reads
  why: it is an object of class lock, which cannot be written down
  instead: make it an argument of the function
""", derive=alone),
    Case("two_lists_with_one_array", """\
w = np.ones(2)
a, b = [w], [w]
del w
def f(x):
    return x * a[0][0] * b[0][1]
""", """\
cannot export df_dx
  what: b, which df_dx reads
  why: it holds what a holds too, and the two would see each other's changes
  instead: give it a variable of its own, or a copy
""", derive=alone),
    Case("two_arrays_of_one_memory", """\
a = np.arange(4.0)
b = a[1:]
def f(x):
    return np.sum(x * b) + a[0] * np.sum(x)
""", """\
cannot export df_dx
  what: a, which df_dx reads
  why: it shares memory with b, and the two would see each other's changes
  instead: make it a copy
""", derive=alone),
    Case("not_a_number_with_a_payload", """\
w = np.array([0x7ff8000000000123], dtype="u8").view(float).copy()
def f(x):
    return x * w[0]
""", """\
cannot export df_dx
  what: w, which df_dx reads
  why: it does not come back as it is when it is written down
  instead: make it an argument of the function
""", derive=alone),
    Case("array_of_objects", """\
w = np.array([None, 2.0])
def f(x, i: int):
    return x * float(w[i])
""", """\
cannot export df_dx
  what: w, which df_dx reads
  why: it is an array of objects
  instead: make it an array of numbers
""", derive=alone),
    Case("masked_array", """\
w = np.ma.masked_array([1.0, 2.0])
def f(x, i: int):
    return x * float(w[i])
""", """\
cannot export df_dx
  what: w, which df_dx reads
  why: it is an array of class MaskedArray
  instead: make it an array of numbers
""", derive=alone),
    Case("array_with_gaps", """\
w = np.arange(12.0).reshape(3, 4)[:, ::2]
def f(x):
    return np.sum(x * w)
""", """\
cannot export df_dx
  what: w, which df_dx reads
  why: it is a part of another array, with gaps in memory
  instead: make it np.ascontiguousarray(...)
""", derive=alone),
    Case("long_array_in_a_text", """\
w = np.arange(101.0)
def f(x):
    return np.sum(x * w)
""", """\
cannot export df_dx
  what: w, which df_dx reads
  why: it is an array of 101 numbers, too long to stand in a text
  instead: export it to a path, tnb.export(df, path), beside which it then lies, or make it an argument of the function
""", derive=alone),
    Case("no_text_for_all_arguments", """\
def f(x, xp):
    return xp.sum(xp.sin(x))
""", """\
df_dx has no text for all arguments, and is made for those of each call: export it with example arguments, like=(...)
""", derive=alone),
    Case("examples_after_examples", """\
def f(x, y):
    return x * y
""", """\
df_dx has the texts that it was made with: derive with example arguments, tnb.grad(f, like=...), and export without like
""", derive=lambda f: exported(tnb.grad(f, like=(2.0, 3.0)), like=(2.0, 3.0))),
    Case("without_guards_all_arguments", """\
def f(x):
    return x * x
""", """\
a file without guards has one text, for one kind of arguments: give like=(...), with general=False and without versions
""", derive=lambda f: exported(tnb.grad(f), guards=False)),
    Case("examples_of_other_functions", """\
def f(x):
    return x * x
""", """\
like holds an example for each argument of f: too many positional arguments
""", derive=for_four),
    Case("on_jax", """\
def f(x):
    return x * x
""", """\
df_dx runs with jax, and a file needs NumPy alone: export the one on NumPy, tnb.grad(f)
""", derive=lambda f: exported(tnb.grad(f, backend="jax"))),
    Case("stream_of_another_kind", """\
def f(w, x):
    return np.sum((x @ w) ** 2)
""", """\
cannot export df_dw
  what: stream, which df_dw reads
  why: it is a Generator of numbers that cannot be written down as it is
  instead: make it np.random.default_rng(0)
""", derive=lambda f: exported(tnb.grad(f, tape=tnb.Sampled(0.5, seed=np.random.Generator(np.random.MT19937(0)))))),
    Case("watched", """\
def f(x):
    return x * x
""", """\
df_dx is watched, and a file is not: export the derivative itself
""", derive=lambda f: exported(tnb.watch(tnb.grad(f)))),
    Case("not_a_python_file", """\
def f(x):
    return x * x
""", """\
a derivative is exported to a Python file, not to gradient.txt: a name that ends in .py
""", derive=lambda f: export(tnb.grad(f), Path("gradient.txt"))),
    Case("derivative_from_another_process", """\
def f(x):
    return x * x
""", """\
df_dx came from another process, without the texts that it is made of: export it there, or derive it here
""", derive=from_elsewhere),
]
