"""Rules of users: their templates, and what they leave out."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import FORWARD, REVERSE, Case

CASES = [
    Case("other_parameters", """\
def g(x, n):
    return x ** n

def f(x):
    return g(x, 2)

@tnb.adjoint(g)
def _(y, n, x):
    d[x] = d[y]
""", """\
cannot differentiate g
  cell 1, line 8, column 1
    def _(y, n, x):
    ^^^^^^^^^^^^^^
  why: the template takes y, n, x, and g takes x, n
  instead: the result first, then the parameters of the function: def _(y, x, n)
"""),
    Case("statement_in_a_template", """\
def g(x):
    return x * x

@tnb.adjoint(g)
def _(y, x):
    if x > 0:
        d[x] = d[y] * 2.0 * x
""", """\
cannot differentiate g
  cell 1, line 6, column 5
    if x > 0:
    ^^^^^^^^
  why: a template holds assignments only
  instead: d[x] = ...
"""),
    Case("part_in_a_template", """\
def g(x):
    return x * x

@tnb.adjoint(g)
def _(y, x):
    x.a = d[y]
""", """\
cannot differentiate g
  cell 1, line 6, column 5
    x.a = d[y]
    ^^^^^^^^^^
  why: a template assigns d[x] and names of its own
  instead: d[x] = ...
"""),
    Case("adjoint_of_the_result", """\
def g(x):
    return x * x

@tnb.tangent(g)
def _(y, x):
    d[x] = d[y] * 2.0 * x
""", """\
cannot differentiate g
  cell 1, line 6, column 5
    d[x] = d[y] * 2.0 * x
    ^^^^^^^^^^^^^^^^^^^^^
  why: a tangent assigns d[y], the tangent of the result
  instead: d[y] = ...
"""),
    Case("empty_template", """\
def g(x):
    return x * x

@tnb.adjoint(g)
def _(y, x):
    z = 2.0 * x
""", """\
cannot differentiate g
  cell 1, line 5, column 1
    def _(y, x):
    ^^^^^^^^^^^
  why: the template assigns no derivative
  instead: d[x] = ...
"""),
    Case("other_derivative", """\
def g(x):
    return x * x

@tnb.adjoint(g)
def _(y, x):
    d[x] = d[x] * 2.0 * x
""", """\
cannot differentiate g
  cell 1, line 6, column 5
    d[x] = d[x] * 2.0 * x
    ^^^^^^^^^^^^^^^^^^^^^
  why: d[x] is not known here, only d[y] is
  instead: d[y]
"""),
    Case("variable_of_outside", """\
k = 2.0

def g(x):
    return k * x

@tnb.adjoint(g)
def _(y, x):
    d[x] = d[y] * k
""", """\
cannot differentiate g
  cell 1, line 8, column 5
    d[x] = d[y] * k
    ^^^^^^^^^^^^^^^
  why: the template reads k, which is neither the result nor a parameter
  instead: its value, or k as a parameter of the function: a template reads only these, np and math
""", """\
def g(x):
    return 2.0 * x

@tnb.adjoint(g)
def _(y, x):
    d[x] = d[y] * 2.0

@tnb.tangent(g)
def _(y, x):
    d[y] = d[x] * 2.0

def f(x):
    return g(x) * x
"""),
    Case("other_result", """\
def g(x):
    return x * x

@tnb.adjoint(g)
def _(y, x):
    d[x] = d[y] * 2.0 * x

@tnb.tangent(g)
def _(z, x):
    d[z] = d[x] * 2.0 * x
""", """\
the result is called 'y' in the other template of g: use the same name
"""),
    Case("no_signature", """\
@tnb.adjoint(iter)
def _(y, x):
    d[x] = d[y]
""", """\
it is not known how iter is called: give a rule to a def that calls it
"""),
    Case("rule_for_one_direction", """\
def cube(x):
    return x ** 3
@tnb.adjoint(cube)
def _(y, x):
    d[x] = d[y] * 3.0 * x * x
def f(x):
    return cube(x)
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return cube(x)
           ^^^^^^^
  why: forward mode needs the tangent of cube, and it has a rule for its adjoint only
  instead: a rule for its tangent too: @tnb.tangent(cube)
""", """\
def cube(x):
    return x ** 3
@tnb.adjoint(cube)
def _(y, x):
    d[x] = d[y] * 3.0 * x * x
@tnb.tangent(cube)
def _(y, x):
    d[y] = d[x] * 3.0 * x * x
def f(x):
    return cube(x)
""", modes=(FORWARD,)),
    Case("rule_for_the_other_direction", """\
def cube(x):
    return x ** 3
@tnb.tangent(cube)
def _(y, x):
    d[y] = d[x] * 3.0 * x * x
def f(x):
    return cube(x)
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return cube(x)
           ^^^^^^^
  why: reverse mode needs the adjoint of cube, and it has a rule for its tangent only
  instead: a rule for its adjoint too: @tnb.adjoint(cube)
""", modes=(REVERSE,)),
    Case("rule_without_an_argument", """\
def powered(x, n):
    return x ** n
@tnb.adjoint(powered)
def _(y, x, n):
    d[x] = d[y] * n * x ** (n - 1)
def f(x):
    return powered(x, x)
""", """\
cannot differentiate f
  cell 1, line 7, column 23
    return powered(x, x)
                      ^
  why: powered has no derivative by its argument n
  instead: tnb.stop_gradient(x), if it is meant as a constant
""", modes=(REVERSE,)),
    Case("template_of_an_unknown_name", """\
def f(x):
    return x ** 3
def rule(y, x):
    d[x] = d[z]
f.rule = rule
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    d[x] = d[z]
    ^^^^^^^^^^^
  why: the template reads z, which is neither the result nor a parameter
  instead: its value, or z as a parameter of the function: a template reads only these, np and math
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("template_of_a_tuple", """\
def f(x):
    return x ** 3
def rule(y, x):
    d[x], a = d[y], 1.0
f.rule = rule
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    d[x], a = d[y], 1.0
    ^^^^^^^^^^^^^^^^^^^
  why: a template assigns d[x] and names of its own
  instead: d[x] = ...
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("rule_for_a_method_of_a_ufunc", """\
def f(x):
    return x ** 3
def rule(y, x):
    d[x] = d[y]
f.rule = rule
""", """\
cannot differentiate reduce
  cell 1, line 3, column 1
    def rule(y, x):
    ^^^^^^^^^^^^^^
  why: the template takes y, x, and reduce takes x, axis, dtype, keepdims, initial, where
  instead: the result first, then the parameters of the function: def _(y, x, axis, dtype, keepdims, initial, where)
""", derive=lambda f: tnb.adjoint(np.add.reduce)(f.rule)),
]
