"""Settings of the calls themselves: mode, wrt, backend, passes."""
from __future__ import annotations

import tangent_nb as tnb

from .case import Case

CASES = [
    Case("motion_that_is_not_there", """\
def f(x):
    return x * x
""", """\
motion is 'joint' or 'split', not 'both'
""", derive=lambda f: tnb.autodiff(f, motion="both")),
    Case("compile_that_is_not_there", """\
def f(x):
    return x * x
""", """\
compile is None, 'jit' or 'numba', not 'aot'
""", keywords={"backend": "jax", "compile": "aot"}),
    Case("pass_that_is_not_there", """\
def f(x):
    return x * x
""", """\
there is no pass 'cse': the passes are inlining, recompute, unbroadcast, first_write, constant_folding, \
copy_propagation, common_terms, dead_code, loop_fusion, rematerialise, invert_updates, loop_invariants, in_place, \
reuse, renumber
""", keywords={"optimized": ("cse",)}),
    Case("wrt_too_large", """\
def f(x, y):
    return x * y
""", """\
f has 2 parameters (x, y), none with index 2
""", wrt=2),
    Case("wrt_misspelt", """\
def f(x, y):
    return x * y
""", """\
f has no parameter 'z': it has x, y
""", wrt="z"),
    Case("wrt_of_a_fraction_in_a_tuple", """\
def f(x, y):
    return x * y
""", """\
wrt is an index, a name, or a tuple of them, not 1.5
""", wrt=(0, 1.5)),
    Case("like_with_too_many", """\
def f(x, y):
    return x * y
""", """\
like has 3 arguments, f takes 2: x, y
""", keywords={"like": (1.0, 2.0, 3.0)}),
    Case("two_stars_of_an_unknown_function", """\
def other(*rest, **options):
    return options["rest"] * 2.0
def f(g, x):
    return g(rest=x) * x
f.other = other
""", """\
other takes rest through two stars (**): name its parameters
  cell 1, line 4, column 5
    return g(rest=x) * x
    ^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f, "x")(f.other, 2.0)),
]
