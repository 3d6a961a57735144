"""Functions without a rule, and misspelt ones."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("numpy_without_a_rule", """\
def f(x):
    return np.real_if_close(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.real_if_close(x)
           ^^^^^^^^^^^^^^^^^^^
  why: np.real_if_close is not differentiated: whether its result is real depends on the values
  instead: np.real
""", """\
@tnb.adjoint(np.real_if_close)
def _(y, a, tol):
    d[a] = d[y]
@tnb.tangent(np.real_if_close)
def _(y, a, tol):
    d[y] = d[a]
def f(x):
    return np.real_if_close(x)
"""),
    Case("misspelt_numpy", """\
def f(x):
    return np.tahn(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.tahn(x)
           ^^^^^^^^^^
  why: np.tahn does not exist: is np.tanh meant?
  instead: np.tanh
""", """\
def f(x):
    return np.tanh(x)
"""),
    Case("far_from_all_of_numpy", """\
def f(x):
    return np.backpropagate(x)
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.backpropagate(x)
           ^^^^^^^^^^^^^^^^^^^
  why: np.backpropagate does not exist
  instead: a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint
"""),
    Case("misspelt_math", """\
import math
def f(x):
    return math.sine(x)
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return math.sine(x)
           ^^^^^^^^^^^^
  why: math.sine does not exist: is math.sin meant?
  instead: math.sin
""", """\
import math
def f(x):
    return math.sin(x)
"""),
    Case("math_without_a_rule", """\
import math
def f(x):
    return math.ldexp(x, 2)
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return math.ldexp(x, 2)
           ^^^^^^^^^^^^^^^^
  why: math.ldexp is not differentiated: it has no rule yet
  instead: x * 2 ** n
""", """\
def f(x):
    return x * 2.0 ** 2
"""),
    Case("weighted_average_returned", """\
def f(x):
    return np.average(x, returned=True)[0]
""", """\
cannot differentiate f
  cell 1, line 2, column 12
    return np.average(x, returned=True)[0]
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: np.average is differentiated as np.average(a, axis, weights, keepdims), and not called so: \
got an unexpected keyword argument 'returned'
  instead: a call of this form, and its result assigned
""", """\
def f(x):
    return np.average(x)
""", at=(np.array([3.0, 1.0, 2.0]),), typed_at=(np.array([3.0, 1.0, 2.0]),)),
    Case("einsum_of_lists", """\
def f(x):
    order = [0]
    return np.einsum(x, order, x, order)
""", """\
cannot differentiate f
  cell 1, line 3, column 22
    return np.einsum(x, order, x, order)
                     ^
  why: np.einsum has no derivative by its argument subscripts
  instead: the subscripts as a text: np.einsum('ij,jk->ik', a, b)
""", """\
def f(x):
    return np.einsum(x, [0], x, [0])
""", typed_at=(np.ones(3),)),
    Case("vectorize_inside", """\
def f(x):
    k = x[0]
    return np.sum(np.vectorize(lambda t: t * k, signature="(n)->(n)")(np.arange(3.0)))
""", """\
cannot differentiate f
  cell 1, line 3, column 19
    return np.sum(np.vectorize(lambda t: t * k, signature="(n)->(n)")(np.arange(3.0)))
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: np.vectorize is not differentiated: it calls a function that cannot be seen
  instead: a loop
""", """\
def f(x):
    k = x[0]
    total = 0.0
    for t in np.arange(3.0):
        total = total + t * k
    return total
""", typed_at=(np.array([3.0, 1.0]),)),
    Case("complex_of_two", """\
def f(x):
    return abs(complex(x, x))
""", """\
cannot differentiate f
  cell 1, line 2, column 16
    return abs(complex(x, x))
               ^^^^^^^^^^^^^
  why: complex is not differentiated: a complex number is made of two
  instead: x + 1j * y
""", """\
def f(x):
    return abs(x + 1j * x)
"""),
    Case("arange_of_active", """\
def f(x):
    return x * np.sum(np.arange(x))
""", """\
cannot differentiate f
  cell 1, line 2, column 33
    return x * np.sum(np.arange(x))
                                ^
  why: np.arange has no derivative by its argument start
  instead: tnb.stop_gradient(x), if it is meant as a constant
""", """\
def f(x):
    return x * np.sum(np.arange(tnb.stop_gradient(x)))
""", typed_at=(2.5,)),
    Case("function_of_a_library", """\
import statistics
def f(x):
    return statistics.mean([x, x * x])
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return statistics.mean([x, x * x])
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: statistics.mean has no derivative rule
  instead: np.mean, or one of your own; or a rule for it: @tnb.adjoint
""", """\
def f(x):
    return np.mean([x, x * x])
"""),
]
