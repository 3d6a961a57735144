"""A try whose body may be half done when an exception comes."""
from __future__ import annotations

from .case import FORWARD, REVERSE, Case

CASES = [
    Case("half_done_in_a_loop", """\
def f(x):
    y = x
    try:
        while abs(y) < 9:
            y = y * int('2') * y
    except ValueError:
        y = y * x
    return y
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    while abs(y) < 9:
    ^^^^^^^^^^^^^^^^
  why: y is assigned in this try, and how far that came before an exception is not known after it
  instead: a new variable in the try, and y assigned from it in else:
""", """\
def f(x):
    y = x
    z = y
    try:
        while abs(z) < 9:
            z = z * int('2') * z
    except ValueError:
        y = y * x
    else:
        y = z
    return y
"""),
    Case("two_places_in_one_statement", """\
def f(x):
    y = np.zeros(3)
    try:
        y[0], y[5] = x * np.ones(2)
    except IndexError:
        pass
    return np.sum(y) * x
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    y[0], y[5] = x * np.ones(2)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: y is changed in place in this try, and how far that came before an exception is not known after it
  instead: a try around each statement that may raise, or y = y.copy() in the try, and kept in else:
""", """\
def f(x):
    y = np.zeros(3)
    try:
        y[0] = x
    except IndexError:
        pass
    try:
        y[5] = x
    except IndexError:
        pass
    return np.sum(y) * x
"""),
    Case("many_that_may_raise", """\
def f(x):
    y = x
    try:
        y = y * int('2')
        y = y * int('3')
        y = y * int('4')
        y = y * int('5')
        y = y * int('6')
        y = y * int('7')
        y = y * int('8')
        y = y * int('9')
        y = y * int('10')
        y = y * int('a')
    except ValueError:
        y = y * x
    return y
""", """\
cannot differentiate f
  cell 1, line 12, column 9
    y = y * int('10')
    ^^^^^^^^^^^^^^^^^
  why: what this try has done before an exception is read after it, and more than 8 statements may raise
  instead: a try around each statement that may raise
"""),
    Case("no_value_before", """\
def f(x, n=3, m=1):
    if m:
        y = x
    for i in range(n):
        try:
            if i > 1:
                y = x * int('3')
            w = int('a')
        except ValueError:
            x = x * 2.0
    return y * x
""", """\
cannot differentiate f
  cell 1, line 6, column 13
    if i > 1:
    ^^^^^^^^
  why: y may have no value before this try
  instead: y = None, or another value, before it
""", """\
def f(x, n=3, m=1):
    y = None
    if m:
        y = x
    for i in range(n):
        try:
            if i > 1:
                y = x * int('3')
            w = int('a')
        except ValueError:
            x = x * 2.0
    return y * x
"""),
    Case("exception_that_is_read_later", """\
class E(Exception):
    def __rmul__(self, other):
        return other * 3.0

def f(x):
    try:
        raise E()
    except E as e:
        y = x * e
    return y
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    try:
    ^^^
  why: the backward pass reads e, and Python deletes it at the end of except
  instead: a variable under except for what is read of e: value = e.args[0]
""", modes=(REVERSE,)),
    Case("what_an_assert_says", """\
def f(x):
    y = x
    try:
        assert x > 3.0, x * x
    except AssertionError as e:
        y = e.args[0] ** 2
    return y
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 6, column 13
    y = e.args[0] ** 2
        ^^^^^^
  why: e.args may hold what an assert says, which may be a number that is differentiated
  instead: the number in a variable of its own, before the assert
""", """\
def f(x):
    y = x
    said = x * x
    try:
        assert x > 3.0, said
    except AssertionError:
        y = said ** 2
    return y
""", at=(2.0,)),
    Case("call_in_a_try_in_forward_mode", """\
def g(x):
    if x > 1.0:
        return x * x / x
    return x

def f(x):
    y = x
    try:
        for i in range(2):
            y = g(y)
    except ZeroDivisionError:
        y = x * 3.0
    return y
""", """\
cannot differentiate f
  cell 1, line 8, column 5
    try:
    ^^^
  why: a function is called in this try, and its tangents may raise what the handlers catch
  instead: reverse mode; or except ValueError and others that arithmetic does not raise
""", modes=(FORWARD,)),
]
