"""Templates of users, and what they leave out."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import FORWARD, REVERSE, Case

CASES = [
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
  why: cube has a rule for its adjoint, and none for its tangent
  instead: @tnb.tangent too
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
  why: cube has a rule for its tangent, and none for its adjoint
  instead: @tnb.adjoint too
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
  why: powered is not differentiated by its argument n
  instead: tnb.stop_gradient(...) around it, if it is meant as a constant
""", modes=(REVERSE,)),
    Case("template_that_returns", """\
def f(x):
    return x ** 3
def rule(y, x):
    return d[y]
f.rule = rule
""", """\
cannot differentiate rule
  cell 1, line 4, column 5
    return d[y]
    ^^^^^^^^^^^
  why: a template holds assignments only
  instead: d[x] = …
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("template_that_reads_a_global", """\
k = 2.0
def f(x):
    return x ** 3
def rule(y, x):
    d[x] = k * d[y]
f.rule = rule
""", """\
cannot differentiate rule
  cell 1, line 5, column 5
    d[x] = k * d[y]
    ^^^^^^^^^^^^^^^
  why: the template reads k, which is none of its own names
  instead: the result, the parameters, np, math, builtins, or a number
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("template_of_an_unknown_name", """\
def f(x):
    return x ** 3
def rule(y, x):
    d[x] = d[z]
f.rule = rule
""", """\
cannot differentiate rule
  cell 1, line 4, column 5
    d[x] = d[z]
    ^^^^^^^^^^^
  why: the template reads z, which is none of its own names
  instead: the result, the parameters, np, math, builtins, or a number
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("template_without_a_derivative", """\
def f(x):
    return x ** 3
def rule(y, x):
    pass
f.rule = rule
""", """\
cannot differentiate rule
  cell 1, line 4, column 5
    pass
    ^^^^
  why: a template holds assignments only
  instead: d[x] = …
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("template_that_assigns_an_argument", """\
def f(x):
    return x ** 3
def rule(y, x):
    x = d[y]
f.rule = rule
""", """\
cannot differentiate rule
  cell 1, line 3, column 1
    def rule(y, x):
    ^^^^^^^^^^^^^^
  why: the template assigns no derivative
  instead: d[x] = …
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("template_of_a_tuple", """\
def f(x):
    return x ** 3
def rule(y, x):
    d[x], a = d[y], 1.0
f.rule = rule
""", """\
cannot differentiate rule
  cell 1, line 4, column 5
    d[x], a = d[y], 1.0
    ^^^^^^^^^^^^^^^^^^^
  why: a template assigns d[x] and names of its own
  instead: d[x] = …
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("template_of_other_parameters", """\
def f(x):
    return x ** 3
def rule(x):
    d[x] = 1.0
f.rule = rule
""", """\
cannot differentiate rule
  cell 1, line 3, column 1
    def rule(x):
    ^^^^^^^^^^^
  why: the template takes x
  instead: the result first, then the parameters of the function: def _(y, x)
""", derive=lambda f: tnb.adjoint(f)(f.rule)),
    Case("template_with_another_result", """\
def f(x):
    return x ** 3
def rule(y, x):
    d[x] = d[y] * 3.0 * x * x
def other(z, x):
    d[z] = d[x] * 3.0 * x * x
f.rule, f.other = rule, other
""", """\
the result is called 'y' in the other template of f: use the same name
""", derive=lambda f: (tnb.adjoint(f)(f.rule), tnb.tangent(f)(f.other))),
    Case("rule_for_what_has_no_signature", """\
def f(x):
    return x ** 3
def rule(y, x):
    d[x] = d[y]
f.rule = rule
""", """\
cannot differentiate rule
  cell 1, line 3, column 1
    def rule(y, x):
    ^^^^^^^^^^^^^^
  why: the template takes y, x
  instead: the result first, then the parameters of the function: def _(y, array, axis, dtype, out, kwargs)
""", derive=lambda f: tnb.adjoint(np.add.reduce)(f.rule)),
]
