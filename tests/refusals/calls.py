"""Settings of the calls themselves: mode, wrt, backend, passes."""
from __future__ import annotations

import tangent_nb as tnb

from .case import Case

CASES = [
    Case("mode_that_is_not_there", """\
def f(x):
    return x * x
""", """\
mode is 'reverse' (as in vjp) or 'forward' (as in jvp), not 'sideways'
""", derive=lambda f: tnb.autodiff(f, mode="sideways")),
    Case("motion_that_is_not_there", """\
def f(x):
    return x * x
""", """\
motion is 'joint' or 'split', not 'both'
""", derive=lambda f: tnb.autodiff(f, motion="both")),
    Case("split_forward", """\
def f(x):
    return x * x
""", """\
forward mode has one motion: split is for mode='reverse'
""", derive=lambda f: tnb.autodiff(f, mode="forward", motion="split")),
    Case("backend_that_is_not_there", """\
def f(x):
    return x * x
""", """\
there is no backend 'torch': the backends are numpy, jax
""", keywords={"backend": "torch"}),
    Case("compile_that_is_not_there", """\
def f(x):
    return x * x
""", """\
compile is None or 'jit', not 'aot'
""", keywords={"backend": "jax", "compile": "aot"}),
    Case("tape_that_is_not_there", """\
def f(x):
    return x * x
""", """\
a sampled tape is not there yet: leave tape out
""", derive=lambda f: tnb.grad(f, tape=3)),
    Case("pass_that_is_not_there", """\
def f(x):
    return x * x
""", """\
there is no pass 'cse': the passes are inlining, recompute, unbroadcast, first_write, constant_folding, copy_propagation, common_terms, dead_code
""", keywords={"optimized": ("cse",)}),
    Case("wrt_of_a_fraction", """\
def f(x, y):
    return x * y
""", """\
wrt is an index, a name, or a tuple of them, not 1.5
""", wrt=1.5),
    Case("wrt_of_nothing", """\
def f(x, y):
    return x * y
""", """\
wrt is empty: name at least one parameter
""", wrt=()),
    Case("wrt_twice", """\
def f(x, y):
    return x * y
""", """\
wrt names a parameter, or a part of it, twice: x, x
""", wrt=("x", 0)),
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
    Case("wrt_from_the_end_of_a_star", """\
def f(x, *rest):
    return x * rest[0]
""", """\
f takes any number of arguments (*rest): count from the first, not from the last
""", wrt=-1),
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
like has 3 arguments, f takes 2
""", keywords={"like": (1.0, 2.0, 3.0)}),
    Case("source_of_no_derivative", """\
def f(x):
    return x * x
""", """\
'f' is not a derivative made by tangent_nb
""", derive=lambda f: tnb.source(f)),
    Case("jacobian_of_a_dict", """\
def f(p):
    return p["a"] * 2.0
""", """\
p is a container, which has no Jacobian or Hessian in one array: name a part of it that is an array
""", derive=lambda f: tnb.jacobian(f)({"a": 1.0})),
    Case("check_of_a_dict", """\
def f(p):
    return p["a"] * 2.0
""", """\
check_grads is for numbers and arrays: check a function of what the container holds
""", derive=lambda f: tnb.check_grads(f, {"a": 1.0})),
    Case("check_of_a_misspelt_parameter", """\
def f(x):
    return x * 2.0
""", """\
check_grads is for parameters, and 'y' is none: they are x
""", derive=lambda f: tnb.check_grads(f, 2.0, wrt="y")),
    Case("two_stars_of_an_unknown_function", """\
def other(*rest, **options):
    return options["rest"] * 2.0
def f(g, x):
    return g(rest=x) * x
f.other = other
""", """\
other takes rest through two stars (**): name its parameters
""", derive=lambda f: tnb.grad(f, "x")(f.other, 2.0)),
    Case("without_a_text", """\
exec("def f(x):\\n    return x * x\\n")
""", """\
cannot differentiate f
  why: it has no source text: it was defined by exec or eval, or its file is gone.
  instead: put it in a file or in a notebook cell.
"""),
]
