"""The block of insert_grad_of."""
from __future__ import annotations

from .case import FORWARD, REVERSE, Case

CASES = [
    Case("insertion_of_two", """\
def f(x):
    y = x * x
    with tnb.insert_grad_of(y, x) as by:
        by = by * 2.0
    return y
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    with tnb.insert_grad_of(y, x) as by:
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: insert_grad_of takes one variable, and names its cotangent after as, alone in its with
  instead: with tnb.insert_grad_of(y) as by:
"""),
    Case("insertion_without_a_name", """\
def f(x):
    y = x * x
    with tnb.insert_grad_of(y):
        pass
    return y
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    with tnb.insert_grad_of(y):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: insert_grad_of takes one variable, and names its cotangent after as, alone in its with
  instead: with tnb.insert_grad_of(y) as by:
"""),
    Case("insertion_with_another_manager", """\
def f(x):
    y = x * x
    with np.errstate(all='ignore'), tnb.insert_grad_of(y) as by:
        by = by * 2.0
    return y
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    with np.errstate(all='ignore'), tnb.insert_grad_of(y) as by:
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: insert_grad_of takes one variable, and names its cotangent after as, alone in its with
  instead: with tnb.insert_grad_of(y) as by:
"""),
    Case("insertion_in_forward_mode", """\
def f(x):
    y = x * x
    with tnb.insert_grad_of(y) as by:
        by = by * 2.0
    return y
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    with tnb.insert_grad_of(y) as by:
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the code under insert_grad_of changes a cotangent, and forward mode has none
  instead: reverse mode: tnb.grad or tnb.vjp
""", modes=(FORWARD,)),
    Case("insertion_assigns", """\
def f(x):
    y = x * x
    z = x * 3.0
    with tnb.insert_grad_of(y) as by:
        by = by * 1.0
        z = 2.0
    return y * z
""", """\
cannot differentiate f
  cell 1, line 6, column 9
    z = 2.0
    ^^^^^^^
  why: the code under insert_grad_of assigns z, which the function uses too
  instead: another name than z
""", modes=(REVERSE,)),
    Case("insertion_returns", """\
def f(x):
    y = x * x
    with tnb.insert_grad_of(y) as by:
        if x > 1.0:
            return x
    return y
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    if x > 1.0:
    ^^^^^^^^^^
  why: the code under insert_grad_of runs in the backward pass, and return would leave it
  instead: if and else around what is left out
""", modes=(REVERSE,)),
    Case("insertion_breaks", """\
def f(x):
    y = x * x
    for i in range(3):
        with tnb.insert_grad_of(y) as by:
            break
    return y
""", """\
cannot differentiate f
  cell 1, line 5, column 13
    break
    ^^^^^
  why: the code under insert_grad_of runs in the backward pass, and break would leave it
  instead: if and else around what is left out
""", modes=(REVERSE,)),
    Case("insertion_with_the_else_of_a_loop", """\
def f(x):
    y = x * x
    with tnb.insert_grad_of(y) as by:
        if x > 1.0:
            for i in range(2):
                by = by * 2.0
            else:
                by = by * 3.0
    return y
""", """\
cannot differentiate f
  cell 1, line 5, column 13
    for i in range(2):
    ^^^^^^^^^^^^^^^^^
  why: else of a loop is not possible in the code under insert_grad_of
  instead: assignments, if, loops without else, and calls
""", modes=(REVERSE,)),
    Case("insertion_tries", """\
def f(x):
    y = x * x
    with tnb.insert_grad_of(y) as by:
        try:
            by = by * 2.0
        except ValueError:
            pass
    return y
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    try:
    ^^^
  why: try is not possible in the code under insert_grad_of
  instead: assignments, if, loops without else, and calls
""", modes=(REVERSE,)),
]
