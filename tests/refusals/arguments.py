"""The arguments of grad, vjp, jvp, autodiff, jacobian, check_grads and watch."""
from __future__ import annotations

import tangent_nb as tnb

from .case import REVERSE, Case


def late(x, **o):
    """A function that is known when it is called."""
    return x


CASES = [
    Case("wrt_index", """\
def f(x, y, z):
    return x * y * z
""", """\
f has 3 parameters (x, y, z), none with index 3
""", wrt=3),
    Case("wrt_negative", """\
def f(x, y, z):
    return x * y * z
""", """\
f has 3 parameters (x, y, z), none with index -4
""", wrt=-4),
    Case("wrt_index_of_one", """\
def f(x):
    return x
""", """\
f has 1 parameter (x), none with index 1
""", wrt=1),
    Case("wrt_of_none", """\
def f():
    return 1.0
""", """\
f has no parameters: there is nothing to differentiate it by
"""),
    Case("wrt_name", """\
def f(x, y, z):
    return x * y * z
""", """\
f has no parameter 'q': it has x, y, z
""", wrt=("x", "q")),
    Case("wrt_twice", """\
def f(x, y, z):
    return x * y * z
""", """\
wrt names a parameter, or a part of it, twice: x, x
""", wrt=("x", 0)),
    Case("wrt_part_twice", """\
def f(p):
    return p['w']
""", """\
wrt names a parameter, or a part of it, twice: p, p['w']
""", wrt=("p", "p['w']")),
    Case("wrt_empty", """\
def f(x, y, z):
    return x * y * z
""", """\
wrt is empty: name at least one parameter
""", wrt=()),
    Case("wrt_number", """\
def f(x, y, z):
    return x * y * z
""", """\
wrt is an index, a name, or a tuple of them, not 1.5
""", wrt=1.5),
    Case("wrt_in_a_list", """\
def f(x):
    return x
""", """\
wrt is an index, a name, or a tuple of them, not [0]
""", wrt=[[0]]),
    Case("wrt_last_of_a_star", """\
def f(x, *rest):
    return x * rest[0]
""", """\
f takes any number of arguments (*rest): count from the first, not from the last
""", wrt=-1),
    Case("wrt_outside_on_jax", """\
W = 2.0

def f(x):
    return x * W
""", """\
wrt names W, which is no parameter: with backend='jax' pass it as an argument
""", wrt="W", keywords={"backend": "jax"}),
    Case("star_on_jax", """\
def f(x, *rest):
    return x * rest[0]
""", """\
f takes any number of arguments (rest): with backend='jax' name them
""", keywords={"backend": "jax"}),
    Case("mode", """\
def f(x):
    return x
""", """\
mode is 'reverse' (as in vjp) or 'forward' (as in jvp), not 'sideways'
""", derive=lambda f: tnb.autodiff(f, mode="sideways")),
    Case("motion", """\
def f(x):
    return x
""", """\
motion is 'joint' or 'split', not 'slow'
""", derive=lambda f: tnb.autodiff(f, motion="slow")),
    Case("split_forward", """\
def f(x):
    return x
""", """\
forward mode has one motion: split is for mode='reverse'
""", derive=lambda f: tnb.autodiff(f, mode="forward", motion="split")),
    Case("jit_split", """\
def f(x):
    return x
""", """\
compile='jit' is for joint motion (grad, vjp, jvp): leave compile out
""", derive=lambda f: tnb.autodiff(f, motion="split", backend="jax", compile="jit")),
    Case("backend", """\
def f(x):
    return x
""", """\
there is no backend 'torch': the backends are numpy, jax
""", keywords={"backend": "torch"}),
    Case("compile", """\
def f(x):
    return x
""", """\
compile is None, 'jit' or 'numba', not 'fast'
""", keywords={"compile": "fast"}),
    Case("compile_on_numpy", """\
def f(x):
    return x
""", """\
compile='jit' is for backend='jax': give that too, or leave compile out
""", keywords={"compile": "jit"}),
    Case("tape", """\
def f(x):
    return x
""", """\
tape is None, or tnb.Sampled(fraction=0.1), not a str
""", modes=(REVERSE,), keywords={"tape": "sampled"}),
    Case("like_on_jax", """\
def f(x):
    return x
""", """\
like= specializes for NumPy's arrays: leave it out with backend='jax'
""", keywords={"backend": "jax", "like": (1.0,)}),
    Case("reuse_on_jax", """\
def f(x):
    return x
""", """\
reuse is for NumPy's arrays: leave it out with backend='jax'
""", keywords={"backend": "jax", "optimized": "+reuse"}),
    Case("like_of_two", """\
def f(x):
    return x
""", """\
like has 2 arguments, f takes 1: x
""", keywords={"like": (1.0, 2.0)}),
    Case("like_a_number", """\
def f(x, y):
    return x * y
""", """\
like is a tuple of example arguments, one for each parameter of f in their order (x, y), not an int
""", keywords={"like": 5}),
    Case("like_a_mapping", """\
def f(x, y):
    return x * y
""", """\
like is a tuple of example arguments, one for each parameter of f in their order (x, y), not a dict
""", wrt="*", keywords={"like": {"x": 1.0, "y": 2.0}}),
    Case("pass_", """\
def f(x):
    return x
""", """\
there is no pass 'speed': the passes are inlining, recompute, unbroadcast, first_write, constant_folding, \
copy_propagation, common_terms, dead_code, loop_fusion, rematerialise, invert_updates, loop_invariants, in_place, \
reuse, renumber
""", keywords={"optimized": ("speed",)}),
    Case("source_of_the_function", """\
def f(x):
    return x
""", """\
'f' is not a derivative made by tangent_nb: make one, tnb.grad(f)
""", derive=tnb.source),
    Case("check_grads_of_what_is_outside", """\
def f(x):
    return x
""", """\
check_grads is for parameters, and 'y' is none: they are x
""", derive=lambda f: tnb.check_grads(f, 2.0, wrt="y")),
    Case("check_grads_of_a_container", """\
def f(p):
    return p['w']
""", """\
check_grads is for numbers and arrays: check a function of what the container holds
""", derive=lambda f: tnb.check_grads(f, {"w": 2.0})),
    Case("jacobian_of_a_container", """\
def f(p):
    return p['w']
""", """\
p is a container, which has no Jacobian or Hessian in one array: name a part of it that is an array
""", derive=lambda f: tnb.jacobian(f)({"w": 2.0})),
    Case("watch_what_is_not_there", """\
def f(x):
    return x
""", """\
df_dx has no parameter y to allow: it has x
""", derive=lambda f: tnb.watch(tnb.grad(f), allow=("y",))),
    Case("keyword_with_the_name_of_two_stars", """\
def f(x, k):
    return k(x, o=x)
""", """\
late takes o through two stars (**): name its parameters
  cell 1, line 2, column 5
    return k(x, o=x)
    ^^^^^^^^^^^^^^^^
""", at=(2.0, late)),
]
