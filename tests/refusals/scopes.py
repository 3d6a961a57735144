"""Names of other scopes: global, nonlocal, and what is reached by a text."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("eval", """\
def f(x):
    return eval('x * x') * x
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return eval('x * x') * x
           ^^^^^^^^^^^^^
  why: eval runs code that cannot be seen here
  instead: that code itself, as statements or expressions of the function
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
  why: exec runs code that cannot be seen here
  instead: that code itself, as statements or expressions of the function
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
    Case("list_outside_that_grows", """\
history = []

def f(x):
    history.append(x)
    held = [history]
    return x * held[0][0]
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
  instead: a function with a name in place of the lambda: def g(...):
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
    Case("calls_itself_and_changes_what_is_around", """\
def f(x):
    memo = {0: x}
    def term(k):
        if k not in memo:
            memo[k] = term(k - 1) * x
        return memo[k]
    return term(3)
""", """\
cannot differentiate this call, which reaches this place
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
""", at=(2.0,)),
]
