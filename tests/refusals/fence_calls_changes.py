"""Calls that may change what they are given, or do more than compute."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("list_changes_in_an_expression", """\
def f(x):
    y = [x]
    return (y.append(x * x) or x) * y[1]
""", """\
cannot differentiate f
  cell 1, line 3, column 13
    return (y.append(x * x) or x) * y[1]
            ^^^^^^^^^^^^^^^
  why: .append changes a list in the middle of an expression
  instead: y.append(x * x) on a line of its own
""", """\
def f(x):
    y = [x]
    y.append(x * x)
    return x * y[1]
"""),
    Case("unknown_function_as_a_statement", """\
def f(x, g):
    y = x * 1.0
    g(y)
    return np.sum(y * y)
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    g(y)
    ^^^^
  why: g is known only when the function runs: it may change its arguments, and its result is not used
  instead: let g return the new value, and assign it

  cell 1, line 1, column 10
    def f(x, g):
             ^
  why: f is called here
""", at=(2.0, [].append)),
    Case("set_with_two_names", """\
def f(x):
    a = set()
    b = a
    a.add(3)
    return x * len(b)
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    a.add(3)
    ^^^^^^^^
  why: a.add may change a, and its text cannot be read
  instead: call it outside of the function, and pass its result as an argument
"""),
    Case("function_of_the_user_that_may_change_what_carries_nothing", """\
def new(k):
    return {"p": dict, "q": list}[k]()

def f(x, k):
    p = new(k)
    return x * len(p)
""", """\
cannot differentiate f
  cell 1, line 5, column 9
    p = new(k)
        ^^^^^^
  why: new may change its arguments, as far as its text tells: cell 1, line 2: return {"p": dict, "q": list}[k]()
  instead: call it outside of the function, and pass its result as an argument
"""),
    Case("set_from_outside_that_grows", """\
seen = set()

def f(x):
    seen.add(1)
    return x * len(seen)
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    seen.add(1)
    ^^^^^^^^^^^
  why: seen.add may change seen, which is read here too, and again in the backward pass
  instead: pass seen as an argument, and let seen.add return the new value
"""),
    Case("object_that_changes_an_array_where_it_is_asked", """\
rates = np.ones(2)

class Clock:
    def __bool__(self):
        rates[0] += 1.0
        return True

clock = Clock()

def f(x):
    y = x * rates
    if clock:
        y = y * rates
    return np.sum(y)
""", """\
cannot differentiate f
  cell 1, line 12, column 8
    if clock:
       ^^^^^
  why: clock runs Clock.__bool__, which may change rates, and that is read here too, and again in the backward pass
  instead: pass rates as an argument, and let Clock.__bool__ return the new value
"""),
    Case("file_that_is_written", """\
import json

def f(x, out):
    json.dump([1], out)
    return x * x
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    json.dump([1], out)
    ^^^^^^^^^^^^^^^^^^^
  why: json.dump may change its arguments, and its text cannot be read
  instead: call it outside of the function, and pass its result as an argument
"""),
    Case("draw_that_depends_on_x", """\
rng = np.random.default_rng(0)

def f(x):
    return rng.normal(x) * x
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return rng.normal(x) * x
           ^^^^^^^^^^^^^
  why: what rng.normal draws has no derivative by what it is drawn from
  instead: loc + scale * rng.standard_normal(size)
"""),
    Case("key_that_remembers", """\
seen = []

def key(v):
    seen.append(v)
    return v

def f(x):
    return max([x, x * x], key=key)
""", """\
cannot differentiate f
  cell 1, line 8, column 32
    return max([x, x * x], key=key)
                               ^^^
  why: the derivative may call this key again, and it may do more than compute its result
  instead: a key that only computes: no print, no list that grows, no assignment
""", """\
def key(v):
    return v

def f(x):
    return max([x, x * x], key=key)
"""),
    Case("key_with_a_walrus", """\
def f(x):
    return sorted([x, 2.5], key=lambda t: (s := t) * s)[0]
""", """\
cannot differentiate f
  cell 1, line 2, column 33
    return sorted([x, 2.5], key=lambda t: (s := t) * s)[0]
                                ^^^^^^^^^^^^^^^^^^^^^^
  why: the derivative may call this key again, and it may do more than compute its result
  instead: a key that only computes: no print, no list that grows, no assignment
""", """\
def f(x):
    return sorted([x, 2.5], key=lambda t: t * t)[0]
"""),
    Case("zip_strict", """\
def f(x, a):
    z = max(zip([x], a, strict=True))
    return z[0] * z[1]
""", """\
cannot differentiate f
  cell 1, line 2, column 13
    z = max(zip([x], a, strict=True))
            ^^^^^^^^^^^^^^^^^^^^^^^^
  why: zip(strict=True) also compares lengths, which is not done where items are differentiated
  instead: zip without strict, and an assert that the lengths are the same
"""),
    Case("exception_with_a_number_in_a_helper", """\
def h(x):
    if x > 1.0:
        raise ValueError(x)
def f(x):
    try:
        h(x)
    except ValueError as e:
        return e.args[0] * x
    return x
""", """\
cannot differentiate f
  cell 1, line 6, column 9
    h(x)
    ^^^^
  why: h may raise an exception that is made of something differentiated, and a handler reads more than its text
  instead: let h return the number
""", """\
def h(x):
    return x > 1.0
def f(x):
    if h(x):
        return x * x
    return x
"""),
    Case("exception_with_a_number", """\
def f(x):
    try:
        if x > 1.0:
            raise ValueError(x)
    except ValueError as e:
        return e.args[0] * x
    return x
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 4, column 19
    raise ValueError(x)
          ^^^^^^^^^^^^^
  why: an exception is made of something that is differentiated, and may be read where it is caught
  instead: a text in the exception, ValueError(f'...'), and the number in a variable of its own
""", """\
def f(x):
    found = x
    try:
        if x > 1.0:
            raise ValueError(f'too large: {x}')
    except ValueError as e:
        return found * x
    return x
""", at=(2.0,)),
    Case("number_from_an_exception", """\
def f(x):
    try:
        y = x * int('a')
    except ValueError as e:
        y = x * float(e.args[0])
    return y
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 5, column 17
    y = x * float(e.args[0])
            ^^^^^^^^^^^^^^^^
  why: a number is read from an exception, which may have been made of something differentiated
  instead: the number in a variable of its own, before it is raised
""", at=(2.0,)),
    Case("function_whose_result_is_lost", """\
def g(a):
    for b in a:
        b[0] = 2.0
    return a
def f(x):
    y = [x * np.ones(2), np.ones(2)]
    g(y)
    return np.sum(y[0])
""", """\
cannot differentiate f
  cell 1, line 7, column 5
    g(y)
    ^^^^
  why: g may change its arguments, and its result is not assigned to anything
  instead: let g return the new value, and assign it
""", """\
def g(a):
    new = []
    for b in a:
        b = b.copy()
        b[0] = 2.0
        new.append(b)
    return new
def f(x):
    y = [x * np.ones(2), np.ones(2)]
    y = g(y)
    return np.sum(y[0])
"""),
    Case("call_for_its_effect_of_a_function_that_is_refused", """\
def apply(h, v):
    h(v)
def f(x):
    made = [1.0]
    apply(made.append, x * x)
    return made[1]
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    h(v)
    ^^^^
  why: h is known only when the function runs: it may change its arguments, and its result is not used
  instead: let h return the new value, and assign it
""", """\
def f(x):
    made = [1.0]
    made.append(x * x)
    return made[1]
"""),
    Case("function_that_changes_a_constant", """\
def g(a):
    for b in a:
        b[0] = 2.0
    return 3.0
def f(x):
    y = [np.ones(2)]
    z = g(y)
    y = [x * np.ones(2)]
    return np.sum(y[0]) * z
""", """\
cannot differentiate f
  cell 1, line 7, column 5
    z = g(y)
    ^^^^^^^^
  why: g may change its arguments, which carry no derivative here
  instead: let g return the new value, and assign it
"""),
]
