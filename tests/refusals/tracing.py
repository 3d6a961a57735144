"""What is not stepped through, measured, written down as a trace, or drawn."""
from __future__ import annotations

import copy

import numpy as np

import tangent_nb as tnb
from tangent_nb.tracing.costs import costs

from .case import Case


def travelled(df):
    """A derivative with what of it goes into a pickle."""
    df.__tangent_nb__ = copy.copy(df.__tangent_nb__)
    return df


CASES = [
    Case("costs_of_compiled", """\
def f(x):
    return x * x
""", """\
df_dx is compiled, and runs no lines that could be timed: take a derivative with compile=None
""",
         derive=lambda f: costs(tnb.grad(f, compile="numba"), 2.0)),
    Case("costs_of_no_run", """\
def f(x):
    return x * x
""", """\
repeats=0: at least one run is timed
""",
         derive=lambda f: costs(tnb.grad(f), 2.0, repeats=0)),
    Case("step_of_compiled", """\
def f(x):
    return x * x
""", """\
df_dx is compiled, and runs no lines that could be followed: step through a derivative with compile=None
""",
         derive=lambda f: tnb.step(tnb.grad(f, compile="numba"), 2.0)),
    Case("step_on_jax", """\
def f(x):
    return x * x
""", """\
df_dx runs on jax, whose values are not recorded: step through the derivative with backend='numpy'
""",
         derive=lambda f: tnb.step(tnb.grad(f, backend="jax"), 2.0)),
    Case("tape_of_compiled", """\
def f(x):
    return x * x
""", """\
df_dx is compiled, and what it keeps is not Python's to be measured: take a derivative with compile=None
""",
         derive=lambda f: tnb.tape_report(tnb.grad(f, compile="numba"), 2.0)),
    Case("tape_on_jax", """\
def f(x):
    return x * x
""", """\
df_dx runs on jax, which decides itself what it keeps: take the derivative with backend='numpy'
""",
         derive=lambda f: tnb.tape_report(tnb.grad(f, backend="jax"), 2.0)),
    Case("tape_of_forward_mode", """\
def f(x):
    return x * x
""", """\
tf_dx is of forward mode, which goes along with the function and keeps nothing: tnb.grad has a tape
""",
         derive=lambda f: tnb.tape_report(tnb.jvp(f), 2.0, 1.0)),
    Case("tape_of_the_second_half", """\
def f(x):
    return x * x
""", """\
df_dx_backward is the second half of split motion, which reads what the first has kept: give df_dx_forward
""",
         derive=lambda f: tnb.tape_report(tnb.autodiff(f, motion="split")[1], (), 1.0)),
    Case("tape_of_a_pullback", """\
def f(x):
    return x * x
""", """\
this is what tnb.pullback gives, which has been kept already: tape_report runs the first half, \
tnb.autodiff(f, motion='split')[0], at the arguments
""",
         derive=lambda f: tnb.tape_report(tnb.pullback(f, 2.0)[1], 1.0)),
    Case("tape_of_a_text_alone", """\
def f(x):
    return x * x
""", """\
df_dx came here as a text alone, without what is known of its lines: derive again
""",
         derive=lambda f: tnb.tape_report(travelled(tnb.grad(f)), 2.0)),
    Case("no_steps", """\
def f(x):
    return x * x
""", """\
steps=0 is no limit: give a positive int
""",
         derive=lambda f: tnb.step(tnb.grad(f), 2.0, steps=0)),
    Case("graph_digits", """\
def f(x):
    return x * x
""", """\
digits is a number from 0 to 17, not 20
""",
         derive=lambda f: tnb.graph(f, 2.0, digits=20)),
    Case("graph_without_input", """\
def f(x):
    return x * x
""", """\
there is no input 'y': there are x
""",
         derive=lambda f: list(tnb.graph(f, 2.0).paths("y"))),
    Case("graph_of_arrays", """\
def f(x):
    return np.sum(np.sin(x))
""", """\
the partial of v₂ by v₁ is an array of shape (3,), of which the graph has the shape alone: tnb.grad has the gradient
""",
         derive=lambda f: tnb.graph(f, np.ones(3)).gradient()),
    Case("paths_by_no_count", """\
def f(x):
    return x * x
""", """\
k is how many edges are drawn from a value, at least 1, not 0
""",
         derive=lambda f: tnb.graph(f, 2.0).sampled(0)),
    Case("paths_that_were_drawn", """\
def f(x):
    return x * x + x
""", """\
edges of this graph were drawn already: sample the graph that it was made of
""",
         derive=lambda f: tnb.graph(f, 2.0).sampled(seed=0).sampled(seed=0)),
    Case("paths_of_arrays", """\
def f(x):
    return np.sum(np.sin(x))
""", """\
paths are sampled of numbers: the partial of v₁ by v₀ is an array of shape (3, 3)
""",
         derive=lambda f: tnb.graph(f, np.ones(3)).sampled()),
    Case("graph_of_complex_numbers", """\
def f(x):
    return np.abs(x * (1.0 + 2.0j))
""", """\
f computes with complex numbers, whose partials are none of one number: tnb.trace_table writes its run down
""",
         derive=lambda f: tnb.graph(f, 2.0)),
    Case("graph_saved_as_a_picture", """\
def f(x):
    return x * x
""", """\
the drawing is SVG, and g.png is not called so: a name that ends in .svg
""",
         derive=lambda f: tnb.graph(f, 2.0).save('g.png')),
    Case("graph_not_opened", """\
def f(x):
    return x * x
""", """\
no call of g is opened here; opened are none
""",
         derive=lambda f: tnb.graph(f, 2.0).folded("g")),
    Case("graph_of_many_paths", """\
def f(x):
    for _ in range(24):
        x = np.sin(x) + x
    return x
""", """\
there are more than 10000 steps on the paths from x: gradient() adds them up without going along each
""",
         derive=lambda f: list(tnb.graph(f, 1.0).paths("x"))),
    Case("trace_of_text", """\
def f(x):
    return x
""", """\
the argument is a str, not a number: pass a float or an array of floats
""",
         derive=lambda f: tnb.trace_table(f, "a")),
    Case("trace_of_a_tuple", """\
def f(x):
    return x, x
""", """\
cannot write down the run of f
  why: it returns a tuple
  instead: return one number or array that is computed from them
""",
         derive=lambda f: tnb.trace_table(f, 2.0)),
    Case("trace_of_a_constant", """\
def f(x):
    return 3.0
""", """\
cannot write down the run of f
  why: what it returns there does not depend on x
  instead: return one number or array that is computed from them
""",
         derive=lambda f: tnb.trace_table(f, 2.0)),
    Case("trace_of_a_part", """\
def f(p):
    return p[0] * 2.0
""", """\
this is made for parameters, and p[0] is a part of one, or a variable outside: name the parameter, or pass the variable
""",
         derive=lambda f: tnb.trace_table(f, [2.0], wrt="p[0]")),
    Case("trace_tangents", """\
def f(x, y):
    return x * y
""", """\
tangents: 3 given, one is needed for each of x, y
""",
         derive=lambda f: tnb.trace_table(f, 2.0, 3.0, wrt=(0, 1), mode="forward", tangents=(1.0, 2.0, 3.0))),
    Case("trace_of_an_array", """\
def f(x):
    return np.sin(x)
""", """\
f returns an array (3,): the adjoints are those of one number. Sum it, or pick an element; or take mode='forward'
""",
         derive=lambda f: tnb.trace_table(f, np.ones(3))),
    Case("trace_mode", """\
def f(x):
    return x * x
""", """\
mode is 'reverse' or 'forward', not 'both'
""",
         derive=lambda f: tnb.trace_table(f, 2.0, mode="both")),
    Case("trace_tangents_of_reverse", """\
def f(x):
    return x * x
""", """\
tangents are for mode='forward': in reverse mode the adjoint of the result is 1
""",
         derive=lambda f: tnb.trace_table(f, 2.0, tangents=1.0)),
    Case("trace_digits", """\
def f(x):
    return x * x
""", """\
digits is a number from 0 to 17, not -1
""",
         derive=lambda f: tnb.trace_table(f, 2.0, digits=-1)),
    Case("trace_of_more", """\
def f(x):
    for _ in range(9):
        x = np.sin(x)
    return x
""", """\
cannot write down the run of f
  why: more than 3 elementary operations have run there
  instead: take smaller arguments, or allow for more: rows=…
  cell 1, line 3, column 9
    x = np.sin(x)
    ^^^^^^^^^^^^^
""",
         derive=lambda f: tnb.trace_table(f, 2.0, rows=3)),
    Case("trace_without_argument", """\
def f(x, y):
    return x * y
""", """\
f: missing a required argument: 'y'
""",
         derive=lambda f: tnb.trace_table(f, 2.0)),
]
