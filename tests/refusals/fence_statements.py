"""Statements that are not differentiated."""
from __future__ import annotations

from .case import Case

CASES = [
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
  why: del takes a part from A, and the parts behind it move
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
  why: what this with does with x cannot be seen here, and x is differentiated
  instead: tnb.stop_gradient(x), if it is meant as a constant
""", """\
def f(x):
    with open(tnb.stop_gradient('/dev/null')):
        y = x * x
    return y
"""),
]
