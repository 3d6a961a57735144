"""Functions as values, and nested functions that change what is around them."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("partial_of_a_changed_list", """\
from functools import partial
def times(w, t):
    return w[0] * t
def f(x):
    w = [x, x]
    fs = [partial(times, w)]
    w[0] = x * x
    return fs[0](x)
""", """\
cannot differentiate f
  cell 1, line 6, column 11
    fs = [partial(times, w)]
          ^^^^^^^^^^^^^^^^^
  why: this partial is bound to w, which is changed in place
  instead: a copy under a name of its own, before: own = w.copy()
""", """\
from functools import partial
def times(w, t):
    return w[0] * t
def f(x):
    w = [x, x]
    own = w.copy()
    fs = [partial(times, own)]
    w[0] = x * x
    return fs[0](x)
"""),
    Case("default_of_a_changed_list", """\
def f(x):
    w = [x, x]
    fs = [lambda t, w=w: w[0] * t]
    w[0] = x * x
    return fs[0](x)
""", """\
cannot differentiate f
  cell 1, line 3, column 11
    fs = [lambda t, w=w: w[0] * t]
          ^^^^^^^^^^^^^^^^^^^^^^^
  why: this function is bound to w, which is changed in place
  instead: a copy under a name of its own, before: own = w.copy()
""", """\
def f(x):
    w = [x, x]
    own = w.copy()
    fs = [lambda t, w=own: w[0] * t]
    w[0] = x * x
    return fs[0](x)
"""),
    Case("function_of_a_loop_variable", """\
def f(x):
    fs = []
    for k in (1.0, 2.0):
        fs.append(lambda t: t * k * x)
    return fs[0](x) + fs[1](x)
""", """\
cannot differentiate f
  cell 1, line 4, column 19
    fs.append(lambda t: t * k * x)
              ^^^^^^^^^^^^^^^^^^^
  why: this lambda is used as a value, and reads k, which is bound or changed later: a function sees the last value
  instead: bind the value of now (k=k as a default), or give it a name that is bound once
""", """\
def f(x):
    fs = []
    for k in (1.0, 2.0):
        fs.append(lambda t, k=k: t * k * x)
    return fs[0](x) + fs[1](x)
"""),
    Case("recursion_with_new_functions", """\
def apply(g, n, x):
    if n == 0:
        return g(x)
    return apply(lambda t: g(t) * x, n - 1, x)
def f(x):
    return apply(lambda t: t, 3, x)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 4, column 5
    return apply(lambda t: g(t) * x, n - 1, x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: apply is called, and apply calls itself with a new function each time, without an end that is known beforehand
  instead: a loop in place of the calls of itself, or numbers in place of the functions
""", """\
def apply(n, x):
    y = x
    for i in range(n):
        y = y * x
    return y
def f(x):
    return apply(3, x)
""", at=(2.0,)),
    Case("nested_function_that_assigns_both", """\
def f(x):
    k = x
    def g(a):
        nonlocal k
        global G
        k = k * a
        return k
    return g(x)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    def g(a):
    ^^^^^^^^
  why: the function g assigns variables of the function around it, and is used as a value
  instead: call g by its name, or let it return the new values
"""),
    Case("nested_function_with_a_class", """\
def f(x):
    k = x
    def g(a):
        nonlocal k
        class B:
            pass
        k = k * a
        return k
    return g(x)
""", """\
cannot differentiate f
  cell 1, line 9, column 12
    return g(x)
           ^
  why: this function changes variables of the function around it, and what it does is not known beforehand
  instead: pass what it changes as an argument, and return it
"""),
    Case("nested_function_that_calls_itself", """\
def f(x):
    k = x
    def g(n):
        nonlocal k
        if n > 0:
            k = k * x
            g(n - 1)
        return k
    return g(3)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 7, column 13
    g(n - 1)
    ^
  why: this function calls itself, and changes variables of the function around it
  instead: pass what it changes as an argument, and return it; or a loop
""", """\
def f(x):
    def g(n, k):
        if n > 0:
            k = g(n - 1, k * x)
        return k
    return g(3, x)
""", at=(2.0,)),
]
