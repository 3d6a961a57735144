"""What is refused says so in these words, each place under its caret; and what the remedy says, typed, is differentiated.

The texts are pinned as users see them, but for the number of the cell.
"""
from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import RefusedError, TangentError
from tangent_nb.rules import table


@dataclass(frozen=True)
class Case:
    """A program that defines `f`, the message that refuses it, and the program as the remedy says it (none where there is little to type)."""

    name: str
    program: str
    message: str
    typed: str = ""


CASES = [
    Case("generator", """\
def f(x):
    yield x
    yield x * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: it is a generator (it yields): it stops and goes on as its caller wishes.
  instead: collect the values in a list, and return them.
""", """\
def f(x):
    items = [x, x * x]
    return sum(items)
"""),
    Case("yield_from", """\
def f(x):
    yield from [x, x * x]
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: it is a generator (it yields): it stops and goes on as its caller wishes.
  instead: collect the values in a list, and return them.
"""),
    Case("nested_generator", """\
def f(x):
    def g():
        yield x
        yield x * x
    return sum(g())
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    def g():
    ^^^^^^^
  why: the nested function g is a generator (it yields)
  instead: collect the values in a list, and return them
""", """\
def f(x):
    def g():
        return [x, x * x]
    return sum(g())
"""),
    Case("called_generator", """\
def g(x):
    yield x * x

def f(x):
    return sum(g(x))
""", """\
cannot differentiate f: 2 places
  cell 1, line 1, column 1
    def g(x):
    ^^^^^^^^
  why: it is a generator (it yields): it stops and goes on as its caller wishes.
  instead: collect the values in a list, and return them.

  cell 1, line 5, column 16
    return sum(g(x))
               ^^^^
  why: g is called, and it is a generator (it yields): it stops and goes on as its caller wishes.
  instead: collect the values in a list, and return them.
""", """\
def g(x):
    return [x * x]

def f(x):
    return sum(g(x))
"""),
    Case("async_def", """\
async def f(x):
    return x * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    async def f(x):
    ^^^^^^^^^^^^^^
  why: it is a coroutine (async def): its result is not a value but something to await.
  instead: write a plain def, and await outside of it.
""", """\
def f(x):
    return x * x
"""),
    Case("await", """\
async def f(x):
    y = await x
    return y * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    async def f(x):
    ^^^^^^^^^^^^^^
  why: it is a coroutine (async def): its result is not a value but something to await.
  instead: write a plain def, and await outside of it.
"""),
    Case("nested_async_def", """\
def f(x):
    async def g():
        return x
    return x * x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    async def g():
    ^^^^^^^^^^^^^
  why: an async def is not differentiated
  instead: a plain def
""", """\
def f(x):
    def g():
        return x
    return x * x
"""),
    Case("eval", """\
def f(x):
    return eval('x * x') * x
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return eval('x * x') * x
           ^^^^^^^^^^^^^
  why: eval runs what cannot be seen here
  instead: its text as a statement or an expression of the function
""", """\
def f(x):
    return x * x * x
"""),
    Case("exec", """\
def f(x):
    exec('y = 1')
    return x * x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    exec('y = 1')
    ^^^^^^^^^^^^^
  why: exec runs what cannot be seen here
  instead: its text as a statement or an expression of the function
""", """\
def f(x):
    y = 1
    return x * x
"""),
    Case("locals", """\
def f(x):
    return locals()['x'] * x
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return locals()['x'] * x
           ^^^^^^^^
  why: locals reaches variables by their names, which cannot be seen here
  instead: the variables or attributes themselves: x, obj.x
""", """\
def f(x):
    return x * x
"""),
    Case("global", """\
G = 0.0

def f(x):
    global G
    G = x * x
    return G * x
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    global G
    ^^^^^^^^
  why: the global variable G is assigned, and who else reads it cannot be seen here
  instead: return the value, and assign it where the function is called
""", """\
G = 0.0

def f(x):
    g = x * x
    return g * x
"""),
    Case("global_in_a_helper", """\
G = 0.0

def h(x):
    global G
    G = x * x
    return G

def f(x):
    return h(x) * x
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    global G
    ^^^^^^^^
  why: the global variable G is assigned, and who else reads it cannot be seen here
  instead: return the value, and assign it where the function is called
"""),
    Case("nonlocal", """\
def make():
    k = 0.0
    def f(x):
        nonlocal k
        k = x * x
        return k * x
    return f

f = make()
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    nonlocal k
    ^^^^^^^^^^
  why: the nonlocal variable k is assigned, and who else reads it cannot be seen here
  instead: return the value, and assign it where the function is called
"""),
    Case("nonlocal_only_read", """\
def make():
    k = 2.0
    def f(x):
        nonlocal k
        return k * x
    return f

f = make()
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    nonlocal k
    ^^^^^^^^^^
  why: k is declared nonlocal, and is only read
  instead: leave the line out: what is read needs no nonlocal
""", """\
def make():
    k = 2.0
    def f(x):
        return k * x
    return f

f = make()
"""),
    Case("misspelt_function", """\
def f(x):
    return np.sine(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.sine(x)
           ^^^^^^^^^^
  why: np.sine does not exist: is np.sin meant?
  instead: a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint
""", """\
def f(x):
    return np.sin(x)
"""),
    Case("list_outside_that_grows", """\
history = []

def f(x):
    history.append(x)
    return x * x
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    history.append(x)
    ^^^^^^^^^^^^^^^^^
  why: .append changes history, a list from outside of the function
  instead: return the value, and keep it where the function is called
""", """\
history = []

def f(x):
    return x * x
"""),
    Case("random_numbers", """\
def f(x):
    return np.random.randn() * x
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.random.randn() * x
           ^^^^^^^^^^^^^^^^^
  why: this call draws random numbers, and changes what the next one draws
  instead: draw outside, and pass the numbers as an argument
""", """\
def f(x, noise=0.3):
    return noise * x
"""),
    Case("lambda_that_calls_what_assigns", """\
def f(x):
    s = x
    def grow(t):
        nonlocal s
        s = s * t
        return s
    return s * (lambda t: grow(t) * 2.0)(x)
""", """\
cannot differentiate f
  cell 1, line 7, column 17
    return s * (lambda t: grow(t) * 2.0)(x)
                ^^^^^^^^^^^^^^^^^^^^^^^
  why: this lambda calls a function that changes variables of the function around it
  instead: the same as a function with a name: def g(...)
""", """\
def f(x):
    s = x
    def grow(t):
        nonlocal s
        s = s * t
        return s
    def g(t):
        return grow(t) * 2.0
    return s * g(x)
"""),
    Case("c_call", """\
import statistics

def f(x):
    return statistics.mean([x, x * x])
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return statistics.mean([x, x * x])
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: statistics.mean has no rule
  instead: a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint
""", """\
import statistics

def f(x):
    return np.mean(np.array([x, x * x]))
"""),
    Case("c_call_with_a_row", """\
import math

def f(x):
    return math.ldexp(x, 2)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return math.ldexp(x, 2)
           ^^^^^^^^^^^^^^^^
  why: math.ldexp is not differentiated: it has no rule yet
  instead: x * 2 ** n
""", """\
import math

def f(x):
    return x * 2 ** 2
"""),
    Case("numpy_without_a_rule", """\
def f(x):
    return np.i0(x) * 1.0
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.i0(x) * 1.0
           ^^^^^^^^
  why: np.i0 is not differentiated: it has no rule yet
  instead: the functions it is made of, or a rule for it: @tnb.adjoint
"""),
    Case("missing_source", """\
exec('def h(x): return x * x')

def f(x):
    return h(x)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return h(x)
           ^^^^
  why: h is called, and it has no source text: it was defined by exec or eval, or its file is gone.
  instead: put it in a file or in a notebook cell.
""", """\
def h(x): return x * x

def f(x):
    return h(x)
"""),
    Case("no_return", """\
def f(x):
    y = x * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: it returns nothing
  instead: return a number or an array
""", """\
def f(x):
    y = x * x
    return y
"""),
    Case("no_return_on_a_path", """\
def f(x):
    if x > 5.0:
        return x * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: a path through it ends without return, and so returns None
  instead: return a number or an array on every path
""", """\
def f(x):
    if x > 5.0:
        return x * x
    return x
"""),
    Case("returns_none", """\
def f(x):
    y = x * x
    return None
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    return None
    ^^^^^^^^^^^
  why: it returns None
  instead: return a number or an array
"""),
    Case("except_star", """\
def f(x):
    try:
        y = x * x
    except* ValueError:
        y = x
    return y
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    except* ValueError:
    ^^^^^^^
  why: except* is not differentiated
  instead: except without the star
""", """\
def f(x):
    try:
        y = x * x
    except ValueError:
        y = x
    return y
"""),
    Case("class_inside", """\
def f(x):
    class Box:
        v = 2.0
    return x * x * Box.v
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    class Box:
    ^^^^^^^^^
  why: a class inside of a function is not differentiated
  instead: define the class outside
""", """\
class Box:
    v = 2.0

def f(x):
    return x * x * Box.v
"""),
    Case("set", """\
def f(x):
    s = {x, x * x}
    return sum(s)
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    s = {x, x * x}
        ^^^^^^^^^^
  why: a set of differentiable values is not differentiated: it has no order, and drops what is equal
  instead: a list or a tuple
""", """\
def f(x):
    s = [x, x * x]
    return sum(s)
"""),
    Case("set_comprehension", """\
def f(x):
    s = {x * i for i in range(3)}
    return sum(s)
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    s = {x * i for i in range(3)}
        ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: a set of differentiable values is not differentiated: it has no order, and drops what is equal
  instead: a list: [... for ...]
""", """\
def f(x):
    s = [x * i for i in range(3)]
    return sum(s)
"""),
    Case("set_call", """\
def f(x):
    s = frozenset([x, x * x])
    return sum(s)
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    s = frozenset([x, x * x])
        ^^^^^^^^^^^^^^^^^^^^^
  why: a set of differentiable values is not differentiated: it has no order, and drops what is equal
  instead: a list or a tuple
""", """\
def f(x):
    s = (x, x * x)
    return sum(s)
"""),
    Case("del_part", """\
def f(x):
    A = [x, x * x]
    B = A
    del A[0]
    return B[0]
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    del A[0]
    ^^^^^^^^
  why: del of a part is not differentiated: what comes after it would move
  instead: a new list or array without it: A = A[1:]
""", """\
def f(x):
    A = [x, x * x]
    A = A[1:]
    return A[0]
"""),
    Case("loop_over_what_it_changes", """\
def f(x):
    A = [x, x * x]
    for a in A:
        A.append(a)
    return A[3]
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    for a in A:
    ^^^^^^^^^^
  why: the loop goes over A, and changes it
  instead: a copy on a line before, items = A[:], and a loop over items; or while
""", """\
def f(x):
    A = [x, x * x]
    items = A[:]
    for a in items:
        A.append(a)
    return A[3]
"""),
    Case("finally_leaves", """\
def f(x):
    try:
        y = x * x
    finally:
        return x
""", """\
cannot differentiate f
  cell 1, line 5, column 9
    return x
    ^^^^^^^^
  why: finally leaves by return, whatever was raised or returned before it
  instead: finally for what has to be done on every way, and the rest after it
""", """\
def f(x):
    try:
        y = x * x
    finally:
        z = 0
    return x
"""),
    Case("manager", """\
def f(x):
    with open(x):
        y = x * x
    return y
""", """\
cannot differentiate f
  cell 1, line 2, column 10
    with open(x):
         ^^^^^^^
  why: a manager is made of something that is differentiated, or is such a thing itself
  instead: tnb.stop_gradient(...) around it, if it is meant as a constant
""", """\
def f(x):
    with open(tnb.stop_gradient('/dev/null')):
        y = x * x
    return y
"""),
    Case("bits", """\
def f(x):
    return x * (x & 3)
""", """\
cannot differentiate f
  cell 1, line 2, column 17
    return x * (x & 3)
                ^^^^^
  why: the operator & is for integers and truth values, and has no derivative
  instead: int(...) around each operand; of truth values np.logical_and, np.logical_or, np.logical_not
""", """\
def f(x):
    return x * (int(x) & int(3))
"""),
    Case("list_arithmetic", """\
def f(x):
    return ([x, x] + x)[1]
""", """\
cannot differentiate f
  cell 1, line 2, column 13
    return ([x, x] + x)[1]
            ^^^^^^^^^^
  why: a list is added or multiplied, which joins or repeats lists, and adds to arrays
  instead: np.array([...]) around the list
""", """\
def f(x):
    return (np.array([x, x]) * 2)[1]
"""),
    Case("index", """\
def f(x):
    return (np.ones(9) * x)[x]
""", """\
cannot differentiate f
  cell 1, line 2, column 29
    return (np.ones(9) * x)[x]
                            ^
  why: an index, or a key, carries a derivative
  instead: int(...) around it, or tnb.stop_gradient(...)
""", """\
def f(x):
    return (np.ones(9) * x)[int(x)]
"""),
    Case("print", """\
def f(x):
    return print(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return print(x)
           ^^^^^^^^
  why: print returns None, and its result is used
  instead: print(...) on a line of its own
"""),
    Case("out", """\
def f(x):
    y = np.zeros(3)
    np.multiply(x, x, out=y)
    return np.sum(y)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    np.multiply(x, x, out=y)
    ^^^^^^^^^^^^^^^^^^^^^^^^
  why: np.multiply is differentiated as np.multiply(x, y), and not called so: got an unexpected keyword argument 'out'
  instead: a call of this form, and its result assigned
""", """\
def f(x):
    y = np.multiply(x, x)
    return np.sum(y)
"""),
    Case("lambda_in_a_list", """\
def f(x):
    hs = [lambda: x]
    x = x * x
    return hs[0]()
""", """\
cannot differentiate f
  cell 1, line 2, column 11
    hs = [lambda: x]
          ^^^^^^^^^
  why: this lambda is used as a value, and reads x, which is bound or changed later: a function sees the last value
  instead: bind the value of now (x=x as a default), or give it a name that is bound once
""", """\
def f(x):
    hs = [lambda x=x: x]
    x = x * x
    return hs[0]()
"""),
    Case("function_in_a_list", """\
def f(x):
    def h(t):
        return t * k
    hs = [h]
    for k in range(3):
        x = hs[0](x)
    return x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    def h(t):
    ^^^^^^^^^
  why: the function h is used as a value, and reads k, which is bound or changed later: a function sees the last value
  instead: bind the value of now (k=k as a default), or give it a name that is bound once
""", """\
def f(x):
    def h(t, x):
        return t * x
    hs = [h]
    return hs[0](x, x)
"""),
    Case("object_in_a_dict", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p = P(x)
    return {'p': p}['p'].a
""", """\
cannot differentiate f
  cell 1, line 7, column 18
    return {'p': p}['p'].a
                 ^
  why: an object of class P is used as a value here: of such objects only the attributes and methods are differentiated
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p = P(x)
    return {'p': p.a}['p']
"""),
    Case("object_by_an_index", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    k = 1 if x > 0.0 else 0
    return [P(x), P(x * x)][k].a
""", """\
cannot differentiate f
  cell 1, line 7, column 5
    return [P(x), P(x * x)][k].a
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: an object of class P is used as a value here: of such objects only the attributes and methods are differentiated
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    k = 1 if x > 0.0 else 0
    return [P(x).a, P(x * x).a][k]
"""),
    Case("object_chosen_and_changed", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p, q = P(x), P(x * x)
    r = p if x > 0.0 else q
    p.a = x * 3.0
    return r.a
""", """\
cannot differentiate f: 2 places
  cell 1, line 8, column 5
    p.a = x * 3.0
    ^^^
  why: an attribute is assigned, of an object that others may hold: such objects are not differentiated
  instead: make the object here, or keep the value in a variable, and return it

  cell 1, line 8, column 5
    p.a = x * 3.0
    ^^^^^^^^^^^^^
  why: an object of class P is used as a value here: of such objects only the attributes and methods are differentiated
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p, q = P(x * 3.0), P(x * x)
    r = p if x > 0.0 else q
    return r.a
"""),
    Case("object_changed_in_a_list", """\
import numpy as np

class P:
    def __init__(self, a):
        self.a = a

def f(x):
    ps = [P(x * v) for v in np.ones(3)]
    ps[0].a = x * 3.0
    return sum(p.a for p in ps)
""", """\
cannot differentiate f: 2 places
  cell 1, line 9, column 5
    ps[0].a = x * 3.0
    ^^^^^^^
  why: an attribute is assigned, of an object that others may hold: such objects are not differentiated
  instead: make the object here, or keep the value in a variable, and return it

  cell 1, line 9, column 5
    ps[0].a = x * 3.0
    ^^^^^^^^^^^^^^^^^
  why: an object of class P is used as a value here: of such objects only the attributes and methods are differentiated
  instead: numbers, arrays, or an object of a plain dataclass or a named tuple
""", """\
import numpy as np

class P:
    def __init__(self, a):
        self.a = a

def f(x):
    ps = [P(x * 3.0 if v < 1.0 else x * v) for v in np.arange(3)]
    return sum(p.a for p in ps)
"""),
    Case("object_with_a_star", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    return P(**{'a': x}).a
""", """\
cannot differentiate f
  cell 1, line 6, column 12
    return P(**{'a': x}).a
           ^^^^^^^^^^^^^
  why: an argument has a star (* or **), and what it holds is not known beforehand
  instead: the arguments one by one
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    return P(a=x).a
"""),
    Case("missing_attribute", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p = P(x)
    return p.b
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return p.b
           ^^^
  why: P has no attribute b here
  instead: set it before it is read, on every path
""", """\
class P:
    def __init__(self, a):
        self.a = a

def f(x):
    p = P(x)
    p.b = x
    return p.b
"""),
    Case("text", """\
def f(x):
    t = f'{x}'
    return float(t) * 2
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return float(t) * 2
           ^^^^^^^^
  why: a number is read from a text, and the text was made of something differentiated: it has no derivative
  instead: the number itself, without the text
""", """\
def f(x):
    return x * 2
"""),
    Case("numpy_as_a_parameter", """\
import numpy

def f(x, xp=numpy):
    return xp.sum(x * x)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return xp.sum(x * x)
           ^^^^^^^^^^^^^
  why: xp.sum(...) is taken for a method of an array, since it is not known beforehand what xp is
  instead: np.sum(...), with numpy imported under a name outside
""", """\
import numpy as np

def f(x):
    return np.sum(x * x)
"""),
    Case("calls_itself_and_changes_what_is_around", """\
def f(x):
    memo = {0: x}
    def term(k):
        if k not in memo:
            memo[k] = term(k - 1) * x
        return memo[k]
    return term(3)
""", """\
cannot differentiate f
  cell 1, line 5, column 23
    memo[k] = term(k - 1) * x
              ^^^^
  why: this function calls itself, and changes variables of the function around it
  instead: pass what it changes as an argument, and return it; or a loop
""", """\
def f(x):
    memo = {0: x}
    for k in range(1, 4):
        memo[k] = memo[k - 1] * x
    return memo[3]
"""),
]
CALLS = [
    ("vector_output", "def f(x):\n    return x * 2.0\n", np.ones(3),
     "the function returned an array of shape (3,); a gradient needs a single number (a scalar): "
     "use vjp with a seed, or jacobian; or return its sum"),
    ("tuple_output", "def f(x):\n    return x * 2.0, x\n", 2.0,
     "the function returned a tuple; a gradient needs a single number (a scalar): use vjp with a seed of its structure"),
    ("integer_output", "def f(x):\n    return int(x)\n", 2.0,
     "the function returned an int, which is not differentiable: return a float or an array of floats"),
    ("integer_array", "def f(x):\n    return np.sum(x * x)\n", np.array([1, 2]),
     "the argument is an array of int64, which has no derivative: pass x.astype(float)"),
    ("complex_number", "def f(x):\n    return abs(x * x)\n", 1.0 + 2.0j,
     "the argument is complex: pass its real and imaginary part, z.real and z.imag"),
    ("complex_array", "def f(x):\n    return np.sum(np.abs(x))\n", np.array([1.0 + 2.0j]),
     "the argument is an array of complex128, which has no derivative: pass its real and imaginary part, z.real and z.imag"),
]


@pytest.fixture(autouse=True)
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of a test are gone after it."""
    monkeypatch.setattr(table, "_ROWS", dict(table._ROWS))


def f_of(program: str) -> Any:
    return sourced(program, {"np": np, "tnb": tnb, "__name__": "case"})["f"]


def shown(error: TangentError) -> str:
    return re.sub(r"text \d+,", "cell 1,", str(error))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_words(case: Case) -> None:
    """The same in both modes, and before anything is computed."""
    for derive in (tnb.grad, tnb.jvp):
        with pytest.raises(RefusedError) as caught:
            derive(f_of(case.program))
        assert shown(caught.value) == case.message.rstrip("\n")


@pytest.mark.parametrize("case", [case for case in CASES if case.typed], ids=lambda case: case.name)
def test_the_remedy_works(case: Case) -> None:
    f, x, h = f_of(case.typed), 2.0, 1e-4
    due = (8.0 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12.0 * h)
    if "int(x)" in case.typed:                                  # constant on one side only
        due = (f(x + h) - f(x)) / h
    assert abs(tnb.grad(f)(x) - due) < 1e-6 * (1.0 + abs(due))


@pytest.mark.parametrize(("name", "program", "argument", "message"), CALLS, ids=lambda value: value if isinstance(value, str) else "")
def test_what_only_values_can_tell(name: str, program: str, argument: Any, message: str) -> None:
    with pytest.raises(TangentError) as caught:
        tnb.grad(f_of(program))(argument)
    assert str(caught.value) == message


@pytest.mark.parametrize(("wrt", "message"), [
    (3, "f has 3 parameters (x, y, z), none with index 3"),
    (-4, "f has 3 parameters (x, y, z), none with index -4"),
    ("q", "f has no parameter 'q': it has x, y, z"),
    (("x", "q"), "f has no parameter 'q': it has x, y, z"),
    (("x", 0), "wrt names a parameter, or a part of it, twice: x, x"),
    ((), "wrt is empty: name at least one parameter"),
    (1.5, "wrt is an index, a name, or a tuple of them, not 1.5"),
])
def test_wrt(wrt: Any, message: str) -> None:
    with pytest.raises(TangentError) as caught:
        tnb.grad(f_of("def f(x, y, z):\n    return x * y * z\n"), wrt)
    assert str(caught.value) == message


def test_missing_source_of_the_function_itself() -> None:
    scope: dict[str, Any] = {}
    exec("def f(x):\n    return x * x\n", scope)
    with pytest.raises(RefusedError) as caught:
        tnb.grad(scope["f"])
    assert str(caught.value) == ("cannot differentiate f\n  why: it has no source text: it was defined by exec or eval, or its file is gone.\n"
                                 "  instead: put it in a file or in a notebook cell.")


# ------------------------------------------------------------------ all at once
MANY = """\
class P:
    def __init__(self, a):
        self.a = a

def h(t):
    del t[0]
    return t

def f(x):
    p = P(x)
    q = p.b
    r = P(x, x)
    z = np.i0(x)
    s = {x, z}
    try:
        x = h(x)
    except* ValueError:
        pass
    with np.errstate(divide=x):
        y = [lambda: y * x][0]()
    return p.a * q + r.a + y
"""


def test_all_places_in_the_order_of_the_text() -> None:
    """Those of the first step and those of the fence in one list; what reads a name that was lost is not blamed for it."""
    for text in (str_of(tnb.grad), str_of(tnb.jvp), tnb.report(f_of(MANY))):
        assert [int(n) for n in re.findall(r"line (\d+), column", text)] == [11, 12, 13, 14, 17, 19, 20], text
        assert text.count("  why: ") == text.count("  instead: ") == 7


def str_of(derive: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        derive(f_of(MANY))
    return str(caught.value)


def test_twenty_are_shown() -> None:
    text = "def f(x):\n" + "    x = np.i0(x)\n" * 23 + "    return x\n"
    report = tnb.report(f_of(text))
    assert report.startswith("cannot differentiate f: 23 places\n") and report.count("  why: ") == 20 and report.endswith("\n\n  and 3 more")


def test_report() -> None:
    """Nothing for what is differentiated; a text for what is not, whichever parameter is asked for."""
    assert tnb.report(f_of("def f(x):\n    return sum(x * i for i in range(3))\n")) == ""
    program = "def f(x, y):\n    return np.i0(x) * y\n"
    assert "np.i0" in tnb.report(f_of(program)) and tnb.report(f_of(program), "y") == "" and "np.i0" in tnb.report(f_of(program), ("x", "y"))
    with pytest.raises(TangentError, match="no parameter 'q'"):
        tnb.report(f_of(program), "q")
