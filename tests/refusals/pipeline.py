"""What is asked for: has_aux, variables from outside as what is differentiated, JAX."""
from __future__ import annotations

import tangent_nb as tnb

from .case import Case

CASES = [
    Case("functions_without_an_end", """\
def f(x):
    def a(n, g):
        def b(t):
            return t * x if n == 0 else a(n - 1, b)(t)
        return b
    return a(3, None)(x)
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: each call of a function in it makes another function, and no end of that is known
  instead: a loop, or fewer functions in functions
""", """\
def f(x):
    t = x
    for n in range(3):
        t = t * 1.0
    return t * x
"""),
    Case("has_aux", """\
def f(x):
    if x > 1.0:
        return x, x * x
    return x * x
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 4, column 5
    return x * x
    ^^^^^^^^^^^^
  why: has_aux=True is for a function that returns a pair, (value, aux)
  instead: return value, aux on every path; or leave has_aux out
""", derive=lambda f: tnb.grad(f, has_aux=True), at=(0.5,)),
    Case("method_that_reads_what_is_outside", """\
W = 2.0

class P:
    def m(self, t):
        return t * W

p = P()

def f(x):
    return p.m(x) * W
""", """\
cannot differentiate f
  cell 1, line 10, column 12
    return p.m(x) * W
           ^
  why: W is no parameter, and p may read W too: the derivative by W would be incomplete
  instead: pass W as an argument
""", """\
def m(t, W):
    return t * W

def f(x, W=2.0):
    return m(x, W) * W
""", wrt="W"),
    Case("star_that_reads_what_is_outside", """\
W = 2.0

def g(*t):
    return t[0] * W

def f(x):
    return g(x) * W
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return g(x) * W
           ^^^^
  why: W is no parameter, and g reads W too, and takes any number of arguments: the derivative by W would be incomplete
  instead: pass W as an argument
""", wrt="W"),
    Case("two_that_call_each_other", """\
W = 2.0

def g(t, n):
    return h(t, n - 1) * W if n else t

def h(t, n):
    return g(t, n) * W

def f(x):
    return g(x, 3) * W
""", """\
cannot differentiate f
  cell 1, line 10, column 12
    return g(x, 3) * W
           ^^^^^^^
  why: W is no parameter, and g reads W too, and calls itself through another function: \
the derivative by W would be incomplete
  instead: pass W as an argument
""", wrt="W"),
    Case("function_around_another", """\
W = 2.0

def make():
    def k(t):
        return t * W
    def g(t):
        return k(t) * W
    return g

g = make()

def f(x):
    return g(x) * W
""", """\
cannot differentiate f
  cell 1, line 13, column 12
    return g(x) * W
           ^^^^
  why: W is no parameter, and g reads W too, and calls a function that it is made around: \
the derivative by W would be incomplete
  instead: pass W as an argument
""", wrt="W"),
    Case("call_of_a_parameter", """\
W = 2.0

def f(x, h):
    return h(x) * W
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return h(x) * W
           ^^^^
  why: W is no parameter, and what is called here is known only when f runs, and may read W too: \
the derivative by W would be incomplete
  instead: pass W as an argument
""", wrt="W"),
    Case("no_text_that_reads_what_is_outside", """\
W = 2.0
exec('def g(t): return t * W')

def f(x):
    return g(x) * W
""", """\
cannot differentiate f
  cell 1, line 5, column 12
    return g(x) * W
           ^^^^
  why: W is no parameter, and g is called, which has no source text that could be read: \
the derivative by W would be incomplete
  instead: pass W as an argument
""", wrt="W"),
    Case("helper_that_calls_what_is_not_known", """\
W = 2.0

def g(x, h):
    return h(x) * W

def f(x, h):
    return g(x, h) * W
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return h(x) * W
           ^^^^
  why: W is no parameter, and what is called here is known only when g runs, and may read W too: \
the derivative by W would be incomplete
  instead: pass W as an argument
""", wrt="W"),
    Case("no_such_variable", """\
W = 2.0

def f(x):
    return x * W
""", """\
f has no parameter 'V': it has x, and reads W from outside
""", wrt="V"),
    Case("no_parameters", """\
def f():
    return 1.0
""", """\
f has no parameter 'V': it has none
""", wrt="V"),
    Case("array_as_a_default_on_jax", """\
def g(x, w=np.ones(3)):
    return np.sum(x * w)

def f(x):
    return g(x)
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def g(x, w=np.ones(3)):
    ^^^^^^^^^^^^^^^^^^^^^^
  why: a parameter of g has a NumPy array as its default, which would not be on JAX's device
  instead: pass the array as an argument
""", """\
def g(x, w):
    return np.sum(x * w)

def f(x):
    return g(x, np.ones(3))
""", keywords={"backend": "jax"}),
    Case("derivative_on_jax", """\
def f(x):
    return x * x
""", """\
df_dx is a derivative on JAX: its own derivative is taken with backend='jax' too
""", derive=lambda f: tnb.grad(tnb.grad(f, backend="jax"))),
    Case("helper_of_another_module_on_jax", """\
from oracles import sourced

others = sourced('''
def inner(x):
    y = x
    for i in range(3):
        y = y * x * 2.0
    return y

def outer(x):
    y = x
    for i in range(3):
        y = inner(y) * x
    return y
''')
outer = others['outer']

def f(x):
    return outer(x)
""", """\
cannot differentiate f
  why: outer calls inner, and compiled code cannot check that this is still the same function
  instead: define both in one module, or compile=None
""", keywords={"backend": "jax", "compile": "jit"}),
]
