"""Forms of statements and expressions that are not differentiated."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("import_that_is_not_there", """\
def f(x):
    import nothing_there
    return x * nothing_there.k
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    import nothing_there
    ^^^^^^^^^^^^^^^^^^^^
  why: what this line imports is not there, or its name means something else in this function too
  instead: the import outside, before the function
"""),
    Case("import_in_a_branch", """\
def f(x, c=1):
    if c:
        import math as m
    else:
        m = np
    return m.sin(x)
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 3, column 9
    import math as m
    ^^^^^^^^^^^^^^^^
  why: what this line imports is not there, or its name means something else in this function too
  instead: the import outside, before the function
""", """\
import math as m

def f(x, c=1):
    sin = m.sin if c else np.sin
    return sin(x)
""", at=(2.0,)),
    Case("name_from_a_module_that_is_not_there", """\
def f(x):
    from math import nothing
    return x * nothing
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    from math import nothing
    ^^^^^^^^^^^^^^^^^^^^^^^^
  why: what this line imports is not there, or its name means something else in this function too
  instead: the import outside, before the function
"""),
    Case("nested_function_that_assigns", """\
def f(x):
    s = x
    def g(t):
        nonlocal s
        s = s * t
        return s
    hs = [g]
    return hs[0](x) * s
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    def g(t):
    ^^^^^^^^
  why: the function g assigns variables of the function around it, and is used as a value
  instead: call g by its name, or let it return the new values
""", """\
def f(x):
    s = x
    def g(t):
        nonlocal s
        s = s * t
        return s
    return g(x) * s
"""),
    Case("match_with_alternatives", """\
def f(x):
    match (x, x * x):
        case (a, _) | (_, a) if a < 1.0:
            return a
    return x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    match (x, x * x):
    ^^^^^^^^^^^^^^^^
  why: a pattern of this match is not differentiated
  instead: if and elif
""", """\
def f(x):
    if x < 1.0:
        return x
    elif x * x < 1.0:
        return x * x
    return x
"""),
    Case("generator_expression", """\
def f(x):
    return np.sum(np.array(v * x for v in (1.0, 2.0)))
""", """\
cannot differentiate f
  cell 1, line 2, column 27
    return np.sum(np.array(v * x for v in (1.0, 2.0)))
                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: what goes over this generator expression cannot be seen here
  instead: a list: [v * x for v in (1.0, 2.0)]
""", """\
def f(x):
    return np.sum(np.array([v * x for v in (1.0, 2.0)]))
"""),
    Case("star_in_a_call_with_a_rule", """\
import math

def f(x):
    return math.hypot(*x)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return math.hypot(*x)
           ^^^^^^^^^^^^^^
  why: an argument has a star (* or **), and what it holds is not known beforehand
  instead: the arguments one by one

  cell 1, line 3, column 7
    def f(x):
          ^
  why: f is called here
""", """\
import math

def f(x):
    v = x * np.array([3.0, 4.0])
    return math.hypot(v[0], v[1])
""", at=(np.array([3.0, 4.0]),)),
    Case("star_in_print", """\
def f(x):
    y = x * np.ones(2)
    print(*y)
    return y[0]
""", """\
cannot differentiate f
  cell 1, line 3, column 11
    print(*y)
          ^^
  why: this starred expression (*) is not differentiated
  instead: the items one by one
"""),
    Case("store_in_a_set_comprehension", """\
def f(x):
    y = x * np.ones(2)
    s = {1.0 for y[0] in [5.0, 4.0]}
    return np.sum(y) + len(s)
""", """\
cannot differentiate f
  cell 1, line 3, column 18
    s = {1.0 for y[0] in [5.0, 4.0]}
                 ^^^^
  why: y[0] stores in something, inside of an expression
  instead: a loop: for ... in ...:, and what is computed in its body
""", """\
def f(x):
    y = x * np.ones(2)
    s = set()
    for y[0] in [5.0, 4.0]:
        s.add(1.0)
    return np.sum(y) + len(s)
"""),
    Case("walrus_in_a_lambda", """\
def f(x, g):
    k = g(lambda t: (s := t) * s)
    return k * x
""", """\
cannot differentiate f: 2 places
  cell 1, line 2, column 9
    k = g(lambda t: (s := t) * s)
        ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: g may change its arguments, and its text cannot be read
  instead: call it outside of the function, and pass its result as an argument

  cell 1, line 2, column 22
    k = g(lambda t: (s := t) * s)
                     ^^^^^^
  why: := assigns a variable inside of a lambda or a comprehension
  instead: a def, or a loop, with an assignment
""", """\
def g(h):
    return h(3.0)

def f(x):
    def h(t):
        s = t
        return s * s
    k = g(h)
    return k * x
"""),
    Case("lambda_of_something_differentiated", """\
def f(x, ks=[2.0, 1.0]):
    own = list(ks)
    ks.sort(key=lambda t: t * x)
    return own[0] * x
""", """\
cannot differentiate f: 2 places
  cell 1, line 3, column 5
    ks.sort(key=lambda t: t * x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the method .sort has no derivative rule
  instead: a function of NumPy, or one of your own, that computes the same

  cell 1, line 3, column 17
    ks.sort(key=lambda t: t * x)
                ^^^^^^^^^^^^^^^
  why: this lambda reads x, which is differentiated, and where it is called is not known beforehand
  instead: call it by its name, or pass it to a function of your own
"""),
    Case("two_keys", """\
def f(x, k='b'):
    d = {k: x, 'a': x * x}
    return d['a']
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    d = {k: x, 'a': x * x}
        ^^^^^^^^^^^^^^^^^^
  why: two keys of this dict may be the same, and the first value is lost then
  instead: the items one by one: d[key] = value
""", """\
def f(x, k='b'):
    d = {}
    d[k] = x
    d['a'] = x * x
    return d['a']
"""),
    Case("key_that_is_differentiated", """\
def f(x):
    d = {x: x * 2.0}
    return sum(d.values())
""", """\
cannot differentiate f
  cell 1, line 2, column 10
    d = {x: x * 2.0}
         ^
  why: an index or a key has no derivative, and this one depends on x
  instead: int(x), or tnb.stop_gradient(x)
"""),
    Case("shifted", """\
def f(x):
    return (x << 2) * x
""", """\
cannot differentiate f
  cell 1, line 2, column 13
    return (x << 2) * x
            ^^^^^^
  why: the operator << is for integers and truth values, and has no derivative
  instead: int(x) << int(2)
"""),
    Case("inverted", """\
def f(x):
    return ~x * x
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return ~x * x
           ^^
  why: the operator ~ is for integers and truth values, and has no derivative
  instead: ~int(x), or of truth values np.logical_not
"""),
    Case("list_or_array_added", """\
def f(x, a=(1.0, 2.0)):
    y = a + [x]
    return np.sum(y) * x
""", """\
cannot differentiate f
  cell 1, line 2, column 9
    y = a + [x]
        ^^^^^^^
  why: this joins or repeats lists, or computes with arrays: which of them is not known before the function runs
  instead: for arrays np.array([x]), for lists a list of all items: [..., *a]
""", """\
def f(x, a=(1.0, 2.0)):
    y = [*a, x]
    return y[2] * x
"""),
]
