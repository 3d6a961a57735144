"""Functions that are known only when a derivative runs, and may do more than compute."""
from __future__ import annotations

import tangent_nb as tnb

from .case import Case

CASES = [
    Case("method_held_in_a_list", """\
def f(x):
    seen = []
    held = [seen.append]
    held[0](x * x)
    return seen[0] + x
""", """\
list.append is held as a value, and may change its list where the derivative does not see it: \
call it as a method of a variable, name.append(...)
  cell 1, line 4, column 5
    held[0](x * x)
    ^^^^^^^^^^^^^^
""", """\
def f(x):
    seen = []
    seen.append(x * x)
    return seen[0] + x
""", at=(2.0,)),
    Case("function_that_stores", """\
def f(x, put=None):
    b = np.zeros(2)
    n = put(b, x) > 3
    return b[0] + x
def put(b, v):
    b[0] = v * v
    return 1
f.__defaults__ = (put,)
""", """\
put is known only when the function runs, and it may change what it is given, or what others read: \
let it return the new value, and use that, or call it outside of the function
  cell 1, line 3, column 5
    n = put(b, x) > 3
    ^^^^^^^^^^^^^^^^^
""", """\
def f(x, put=None):
    b = np.zeros(2)
    b[0] = put(x)
    return b[0] + x
f.__defaults__ = (lambda v: v * v,)
""", at=(2.0,)),
    Case("method_of_an_object_with_the_name_of_one_of_dicts", """\
class Line:
    def get(self, v):
        return v * v
def f(x, line):
    return line.get(x)
f.line = Line()
""", """\
the method .get of a Line is taken for that of an array, a list or a dict: give the method another name, \
or call a function of your own
  cell 1, line 5, column 5
    return line.get(x)
    ^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f)(2.0, f.line)),
]
