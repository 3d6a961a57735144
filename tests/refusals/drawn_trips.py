"""Path sampling in loops: what is asked for that cannot be, and where no trips are drawn."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb

from .case import REVERSE, Case

PATHS = tnb.Sampled(k=2, method="paths")
FOR_REVERSE = {"modes": (REVERSE,), "keywords": {"tape": PATHS}}


def traced(df: Any) -> Any:
    """A call that JAX traces."""
    jax = pytest.importorskip("jax")
    one = np.ones((), np.float32)
    return jax.vmap(lambda key: df(one, [one, one], key=key))(jax.random.split(jax.random.key(0), 2))


CASES = [
    Case("no_loop", """\
def f(w, xs):
    return np.sum(np.exp(w) * xs)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(np.exp(w) * xs)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…, method='paths') draws nothing here: no loop adds up a gradient of what it saves in its trips
  instead: tnb.graph(f, …).sampled(k), which draws on the graph of a run; or method='with_replacement', for arrays \
in products
""", **FOR_REVERSE),
    Case("every_trip_is_needed", """\
def f(w, xs):
    h = 1.0
    for x in xs:
        h = np.tanh(w * h)
    return h
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    for x in xs:
    ^^^^^^^^^^^
  why: tape=Sampled(…, method='paths') draws nothing here: its backward sweep needs what is saved in every trip, to go \
back through h = np.tanh(w * h)
  instead: a loop that adds something up, of which no trip needs another; or leave tape out
""", **FOR_REVERSE),
    Case("changed_gradients", """\
def f(w, xs):
    u = w * w
    with tnb.insert_grad_of(u) as bu:
        bu = np.minimum(bu, 0.1)
    total = 0.0
    for x in xs:
        h = np.sin(u * x)
        total += h * np.exp(h)
    return total ** 2
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    for x in xs:
    ^^^^^^^^^^^
  why: tape=Sampled(…, method='paths') draws nothing here: insert_grad_of changes the gradient there as it likes
  instead: leave tape out
""", **FOR_REVERSE),
    Case("stays_exact_as_asked", """\
def f(w, xs):
    with tnb.sampled(exact=True):
        total = 0.0
        for x in xs:
            h = np.sin(w * x)
            total += h * np.exp(h)
    return total ** 2
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    for x in xs:
    ^^^^^^^^^^^
  why: tape=Sampled(…, method='paths') draws nothing here: sampled(exact=True) is in it, as it was asked for
  instead: leave tape out
""", **FOR_REVERSE),
    Case("lines_beside_loops", """\
def f(w, xs):
    with tnb.sampled(k=3):
        u = np.exp(w)
    total = 0.0
    for x in xs:
        h = np.sin(u * x)
        total += h * np.exp(h)
    return total ** 2
""", """\
cannot differentiate f
  cell 1, line 3, column 9
    u = np.exp(w)
    ^^^^^^^^^^^^^
  why: sampled(…) around this cannot sample: no loop adds up a gradient of what it saves in its trips
  instead: leave sampled(…) out
""", **FOR_REVERSE),
    Case("asked_of_every_trip", """\
def f(w, xs):
    total = 0.0
    for x in xs:
        h = np.sin(w * x)
        total += h * np.exp(h)
    h = 1.0
    with tnb.sampled(k=3):
        for x in xs:
            h = np.tanh(w * h)
    return total ** 2 + h
""", """\
cannot differentiate f
  cell 1, line 8, column 9
    for x in xs:
    ^^^^^^^^^^^
  why: sampled(…) around this cannot sample: its backward sweep needs what is saved in every trip, to go back through \
h = np.tanh(w * h)
  instead: leave sampled(…) out
""", **FOR_REVERSE),
    Case("paths_that_meet", """\
def f(w, xs):
    u = 0.0
    with tnb.sampled(k=3):
        for x in xs:
            r = np.cos(w * x)
            u += r * np.exp(r)
    total = 0.0
    for x in xs:
        h = np.sin(u * x)
        total += h * np.exp(h)
    return total ** 2
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    for x in xs:
    ^^^^^^^^^^^
  why: sampled(…) around this cannot sample: its paths would meet those of another loop, and their variances would \
multiply
  instead: leave sampled(…) out
""", **FOR_REVERSE),
    Case("what_arrays_have", """\
def f(w, xs):
    with tnb.sampled(share='none'):
        total = 0.0
        for x in xs:
            h = np.sin(w * x)
            total += h * np.exp(h)
    return total ** 2
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    for x in xs:
    ^^^^^^^^^^^
  why: what a line asks for is that of all its loop, and of paths that is how many
  instead: one sampled(fraction=…), or sampled(k=…), around the loop
""", **FOR_REVERSE),
    Case("two_wishes_in_a_loop", """\
def f(w, xs):
    total = 0.0
    for x in xs:
        with tnb.sampled(k=3):
            h = np.sin(w * x)
        with tnb.sampled(k=4):
            total += h * np.exp(h)
    return total ** 2
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    for x in xs:
    ^^^^^^^^^^^
  why: what a line asks for is that of all its loop, and of paths that is how many
  instead: one sampled(fraction=…), or sampled(k=…), around the loop
""", **FOR_REVERSE),
    Case("whose_arrays", """\
def f(w, xs):
    return np.sum(w * xs)
""", """\
method='paths' draws trips of loops, whose arrays are kept whole: leave share out
""", derive=lambda f: tnb.Sampled(k=2, method="paths", share="none")),
    Case("lines_have_no_method", """\
def f(w, xs):
    return np.sum(w * xs)
""", """\
paths are drawn where the whole tape has them, tape=Sampled(k=…, method='paths'): leave method out here
""", derive=lambda f: tnb.sampled(k=2, method="paths")),
    Case("trips_one_by_one", """\
def f(w, xs):
    total = 0.0
    for x in xs:
        h = np.sin(w * x)
        total += h * np.exp(h)
    return total ** 2
""", """\
the loop here gets its items one by one, and how many come has to be known before paths are drawn: pass a list of \
them, list(...)
  cell 1, line 3, column 5
    for x in xs:
    ^^^^^^^^^^^
""", **FOR_REVERSE, at=(0.5, (x for x in (0.1, 0.2)))),
    Case("shapes_alone", """\
def f(w, xs):
    total = 0.0
    for x in xs:
        total += np.exp(w * x)
    return total
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    for x in xs:
    ^^^^^^^^^^^
  why: tape=Sampled(…, method='paths') draws nothing here: its backward sweep needs a shape that is saved in every trip
  instead: like=(…), for whose arguments the shapes are known; or leave tape out
""", **FOR_REVERSE),
    Case("nothing_is_saved", """\
def f(w, xs):
    total = 0.0
    for x in xs:
        total += np.exp(w * x)
    return total
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    for x in xs:
    ^^^^^^^^^^^
  why: tape=Sampled(…, method='paths') draws nothing here: nothing is saved in its trips
  instead: leave tape out
""", modes=(REVERSE,), keywords={"tape": PATHS, "like": (0.5, np.ones(3))}),
    Case("while_loops", """\
def f(w, xs):
    total, i = 0.0, 0
    while i < len(xs):
        h = np.tanh(w * xs[i])
        total += np.exp(h) * h
        i += 1
    return total ** 2
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    while i < len(xs):
    ^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…, method='paths') draws nothing here: how many trips it will make has to be known before some are \
drawn, and of a while loop it is not
  instead: a loop over range(…), long enough, that break leaves
""", """\
def f(w, xs):
    total = 0.0
    for i in range(100):
        if i == len(xs):
            break
        h = np.tanh(w * xs[i])
        total += np.exp(h) * h
    return total ** 2
""", **FOR_REVERSE, typed_at=(0.5, np.array([0.3, -0.8]))),
    Case("paths_that_meet_themselves", """\
def f(w, xs):
    h = w
    for i in range(2):
        s = 0.0
        with tnb.sampled(k=3):
            for x in xs:
                r = np.sin(h * x)
                s += np.exp(r) * r
        h = np.tanh(h * s)
    return h
""", """\
cannot differentiate f
  cell 1, line 6, column 13
    for x in xs:
    ^^^^^^^^^^^
  why: sampled(…) around this cannot sample: its paths would meet those of the next time that it runs, and their \
variances would multiply
  instead: leave sampled(…) out
""", modes=(REVERSE,), keywords={"tape": PATHS, "optimized": False}),
    Case("paths_in_compiled_code", """\
def f(w, xs):
    return np.sum(w * xs)
""", """\
paths are drawn while loops of Python run, and compile='jit' compiles them with all their trips: leave compile out, or \
method='with_replacement'
""", derive=lambda f: tnb.grad(f, tape=PATHS, backend="jax", compile="jit")),
    Case("traced_paths", """\
def f(w, xs):
    total = 0.0
    for x in xs:
        h = np.sin(w * x)
        total += h * np.exp(h)
    return total ** 2
""", """\
cannot differentiate this call on JAX
  cell 1, line 3, column 5
    for x in xs:
    ^^^^^^^^^^^
  why: it is traced, by jax.jit, jax.vmap or the like, and draws trips of loops, tape=Sampled(…, method='paths'): \
which are kept is known only when Python's loops run
  instead: a call that is not traced; or method='with_replacement', for arrays in products
""", derive=lambda f: traced(tnb.grad(f, tape=PATHS, backend="jax"))),
    Case("paths_of_paths_on_jax", """\
def f(w, xs):
    total = 0.0
    for x in xs:
        h = np.sin(w * x)
        total += h * np.exp(h)
    return total ** 2
""", """\
cannot differentiate df_dw
  df_dw (generated), line 8, column 5
    ways = rt.paths(rt.trips(items), stream, k=2)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: a sample is drawn here without the key of a call
  instead: the derivative without tape=, which has further ones
""", derive=lambda f: tnb.jvp(tnb.grad(f, tape=PATHS, backend="jax"), backend="jax")),
]
