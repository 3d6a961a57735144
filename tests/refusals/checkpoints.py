"""What `tnb.checkpoint` and `tnb.checkpointed` are refused for."""
from __future__ import annotations

import tangent_nb as tnb

from .case import REVERSE, Case

CASES = [
    Case("checkpoint_item_read_later", """\
def f(x):
    for t in tnb.checkpointed(range(3)):
        x = x * np.sin(x)
    return x * t
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    for t in tnb.checkpointed(range(3)):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: t, which the loop over tnb.checkpointed binds, is read after it
  instead: another name for it in the loop: last = t
""", """\
def f(x):
    last = 0
    for t in tnb.checkpointed(range(3)):
        x = x * np.sin(x)
        last = t
    return x * last
""", modes=(REVERSE,)),
    Case("checkpoint_no_value_before", """\
def f(x):
    for t in tnb.checkpointed(range(3)):
        y = x * 2.0
        x = x * y
    return x + y
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    for t in tnb.checkpointed(range(3)):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: y may have no value before this region, and is read after it
  instead: y = 0.0, or another value, before it
""", """\
def f(x):
    y = 0.0
    for t in tnb.checkpointed(range(3)):
        y = x * 2.0
        x = x * y
    return x + y
""", modes=(REVERSE,)),
    Case("checkpoint_with_another_manager", """\
def f(x):
    with tnb.checkpoint(), np.errstate(all='ignore'):
        y = x * x
    return y
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    with tnb.checkpoint(), np.errstate(all='ignore'):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: tnb.checkpoint() stands with another manager, or with as
  instead: with tnb.checkpoint(): alone, and the other with around it, or in it
""", """\
def f(x):
    with np.errstate(all='ignore'):
        with tnb.checkpoint():
            y = x * x
    return y
""", modes=(REVERSE,)),
    Case("checkpoint_else_of_a_loop", """\
def f(x):
    for t in tnb.checkpointed(range(3)):
        x = x * np.sin(x)
    else:
        x = x + 1.0
    return x
""", """\
cannot differentiate f
  cell 1, line 5, column 9
    x = x + 1.0
    ^^^^^^^^^^^
  why: else of a loop of which few states are kept is not computed again
  instead: the statements after the loop, without else
""", """\
def f(x):
    for t in tnb.checkpointed(range(3)):
        x = x * np.sin(x)
    x = x + 1.0
    return x
""", modes=(REVERSE,)),
    Case("checkpoint_left_by_break", """\
def f(x):
    for t in tnb.checkpointed(range(3)):
        x = x * np.sin(x)
        break
    return x
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    break
    ^^^^^
  why: break leaves a loop of which few states are kept, and how far it went would have to be kept
  instead: a while with the condition: while tnb.checkpointed(error > tolerance):
""", """\
def f(x):
    while tnb.checkpointed(x > 1.0):
        x = x * np.sin(x) * 0.5
    return x
""", modes=(REVERSE,)),
    Case("checkpoint_left_by_return", """\
def f(x):
    with tnb.checkpoint():
        y = x * x
        return y
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    return y
    ^^^^^^^^
  why: return leaves what is computed again, and how far it went would have to be kept
  instead: return after it
""", """\
def f(x):
    with tnb.checkpoint():
        y = x * x
    return y
""", modes=(REVERSE,)),
    Case("checkpoint_memory_of_the_caller", """\
def f(x):
    for t in tnb.checkpointed(range(3)):
        x[0] = x[0] * 2.0
    return x[0]
""", """\
cannot differentiate f
  cell 1, line 3, column 9
    x[0] = x[0] * 2.0
    ^^^^^^^^^^^^^^^^^
  why: a loop of which few states are kept changes x in place, and the caller holds its memory
  instead: a copy under another name before it, own = x.copy(), or a new value: x = …
""", modes=(REVERSE,)),
    Case("checkpoint_memory_of_another", """\
def f(x):
    a = np.ones(3) * x
    b = a
    for t in tnb.checkpointed(range(3)):
        a[0] = a[1] * 2.0
    return np.sum(a * b)
""", """\
cannot differentiate f
  cell 1, line 5, column 9
    a[0] = a[1] * 2.0
    ^^^^^^^^^^^^^^^^^
  why: a loop of which few states are kept changes a in place, and b may share its memory
  instead: a copy under another name before it, own = a.copy(), or a new value: a = …
""", """\
def f(x):
    a = np.ones(3) * x
    b = a
    own = a.copy()
    for t in tnb.checkpointed(range(3)):
        own[0] = own[1] * 2.0
    return np.sum(own * b)
""", modes=(REVERSE,)),
    Case("checkpoint_with_finally", """\
def f(x):
    try:
        x = x * 2.0
    finally:
        k = 2.0
    with tnb.checkpoint():
        y = x * x
    return y * k
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    with tnb.checkpoint():
    ^^^^^^^^^^^^^^^^^^^^^^
  why: what is computed again is in a function with finally, or with else of a loop
  instead: a function of its own for what is computed again
""", modes=(REVERSE,)),
    Case("checkpoint_steps_elsewhere", """\
def f(x):
    steps = tnb.checkpointed(range(3))
    for t in steps:
        x = x * np.sin(x)
    return x
""", """\
cannot differentiate f
  cell 1, line 2, column 13
    steps = tnb.checkpointed(range(3))
            ^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: tnb.checkpointed is for what a for goes over, and for the test of a while, of one expression
  instead: for t in tnb.checkpointed(range(n)):
""", """\
def f(x):
    for t in tnb.checkpointed(range(3)):
        x = x * np.sin(x)
    return x
""", modes=(REVERSE,)),
    Case("checkpoint_wrapper_elsewhere", """\
def f(x):
    fs = [tnb.checkpoint(np.sin)]
    return fs[0](x)
""", """\
cannot differentiate f
  cell 1, line 2, column 11
    fs = [tnb.checkpoint(np.sin)]
          ^^^^^^^^^^^^^^^^^^^^^^
  why: tnb.checkpoint gives here what is not called where it stands
  instead: tnb.checkpoint(layer)(x, w); @tnb.checkpoint above a function outside; or with tnb.checkpoint():
""", modes=(REVERSE,)),
    Case("checkpoint_without_a_seed", """\
def f(x):
    with tnb.checkpoint():
        rng = np.random.default_rng()
        y = x * rng.random()
    return y
""", """\
cannot differentiate f
  cell 1, line 3, column 15
    rng = np.random.default_rng()
          ^^^^^^^^^^^^^^^^^^^^^^^
  why: in what is computed again: a generator without a seed draws other numbers when this runs again
  instead: a seed, or a generator that is made in front of the region
""", """\
def f(x):
    with tnb.checkpoint():
        rng = np.random.default_rng(1)
        y = x * rng.random()
    return y
""", modes=(REVERSE,)),
    Case("checkpoint_prints", """\
def f(x):
    with tnb.checkpoint():
        print(x)
        y = x * x
    return y
""", """\
cannot differentiate f
  cell 1, line 3, column 9
    print(x)
    ^^^^^^^^
  why: in what is computed again: this does more than compute, as far as is known, and it would be done twice
  instead: it in front of the region, or behind it
""", """\
def f(x):
    print(end='')
    with tnb.checkpoint():
        y = x * x
    return y
""", modes=(REVERSE,)),
    Case("checkpoint_prints_inside", """\
def q(x):
    print(x)
    return x * x

def f(x):
    return tnb.checkpoint(q)(x)
""", """\
cannot differentiate f
  cell 1, line 6, column 12
    return tnb.checkpoint(q)(x)
           ^^^^^^^^^^^^^^^^^^^^
  why: in what is computed again: q: this does more than compute, as far as is known, and it would be done twice
  instead: it in front of the region, or behind it
""", modes=(REVERSE,)),
    Case("checkpoint_without_a_text", """\
exec('def q(x): return 2.0')

def f(x):
    with tnb.checkpoint():
        y = x * q(1.0)
    return y
""", """\
cannot differentiate f
  cell 1, line 5, column 17
    y = x * q(1.0)
            ^^^^^^
  why: in what is computed again: what this function does is not known, and it would run twice
  instead: a function whose text is there
""", modes=(REVERSE,)),
    Case("checkpoint_draws_outside", """\
rng = np.random.default_rng(0)

def q(x):
    return x * rng.random()

def f(x):
    return tnb.checkpoint(q)(x)
""", """\
cannot differentiate f
  cell 1, line 7, column 12
    return tnb.checkpoint(q)(x)
           ^^^^^^^^^^^^^^^^^^^^
  why: in what is computed again: q: this draws from rng, and what is drawn there could not be drawn again
  instead: the generator as an argument: noisy(x, rng)
""", """\
def q(x, rng):
    return x * rng.random()

def f(x):
    rng = np.random.default_rng(0)
    return tnb.checkpoint(q)(x, rng)
""", modes=(REVERSE,)),
    Case("checkpoint_draws_of_what_is_given", """\
def q(x, rng):
    return x * rng.random()

def f(x):
    rngs = [np.random.default_rng(0)]
    with tnb.checkpoint():
        y = q(x, rngs[0])
    return y
""", """\
cannot differentiate f
  cell 1, line 7, column 13
    y = q(x, rngs[0])
        ^^^^^^^^^^^^^
  why: in what is computed again: this draws from what it is given, and what is drawn there could not be drawn again
  instead: the generator as an argument: noisy(x, rng)
""", modes=(REVERSE,)),
    Case("checkpoint_draws_of_an_item", """\
def f(x):
    rngs = [np.random.default_rng(0)]
    with tnb.checkpoint():
        y = x * rngs[0].random()
    return y
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    y = x * rngs[0].random()
    ^^^^^^^^^^^^^^^^^^^^^^^^
  why: in what is computed again: this does more than compute, as far as is known, and it would be done twice
  instead: it in front of the region, or behind it
""", modes=(REVERSE,)),
    Case("checkpoint_over_what_carries", """\
def f(x):
    xs = np.ones(3) * x
    y = 1.0
    for v in tnb.checkpointed(xs):
        y = y * v
    return y
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    for v in tnb.checkpointed(xs):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: what a loop over tnb.checkpointed goes over carries a derivative
  instead: its places: for i in tnb.checkpointed(range(len(xs))): and x = xs[i]
""", """\
def f(x):
    xs = np.ones(3) * x
    y = 1.0
    for i in tnb.checkpointed(range(len(xs))):
        v = xs[i]
        y = y * v
    return y
""", modes=(REVERSE,)),
    Case("checkpoint_changes_outside", """\
class Model:
    pass

model = Model()
model.count = 0

def f(x):
    with tnb.checkpoint():
        model.count = 1
        y = x * x
    return y
""", """\
cannot differentiate f
  cell 1, line 9, column 9
    model.count = 1
    ^^^^^^^^^^^^^^^
  why: in what is computed again: this changes what is outside of the function, and it would be done twice
  instead: it in front of the region, or behind it
""", modes=(REVERSE,)),
    Case("checkpoint_in_split_motion_on_jax", """\
def f(x):
    for t in tnb.checkpointed(range(3)):
        x = x * np.sin(x)
    return x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    for t in tnb.checkpointed(range(3)):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: what is computed again reads variables outside anew, and on JAX the second half of split motion does not ask \
whether they have changed
  instead: grad, value_and_grad or vjp; or backend='numpy'
""", derive=lambda f: tnb.autodiff(f, motion="split", backend="jax")),
    Case("checkpoint_draws_on_jax", """\
def f(x):
    rng = np.random.default_rng(0)
    with tnb.checkpoint():
        y = x * rng.random()
    return y
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    with tnb.checkpoint():
    ^^^^^^^^^^^^^^^^^^^^^
  why: what draws random numbers, and is computed again, is for NumPy, and not for JAX
  instead: the function without it, on JAX
""", modes=(REVERSE,), keywords={"backend": "jax"}),
    Case("checkpoint_a_block_for_numba", """\
def f(x):
    with tnb.checkpoint():
        y = x * x
    return y
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    with tnb.checkpoint():
    ^^^^^^^^^^^^^^^^^^^^^
  why: what is computed again is for NumPy, and not for Numba
  instead: the function without it, on Numba

  cell 1, line 1, column 7
    def f(x):
          ^
  why: f is called here
""", modes=(REVERSE,), keywords={"compile": "numba"}, at=(2.0,)),
    Case("checkpoint_a_model_that_changes", """\
class Model:
    pass

model = Model()
model.count = 0
model.w = 2.0

def f(x):
    with tnb.checkpoint():
        y = x * x * model.w
    model.count = model.count + 1
    return y
""", """\
cannot differentiate f
  cell 1, line 9, column 5
    with tnb.checkpoint():
    ^^^^^^^^^^^^^^^^^^^^^
  why: this is computed again, and the function changes something outside of it, which may be read there
  instead: return what is changed, and assign it where the function is called
""", modes=(REVERSE,)),
    Case("checkpoint_no_states", """\
def f(x):
    for t in tnb.checkpointed(range(3), memory=0):
        x = x * np.sin(x)
    return x
""", """\
memory=0 states cannot be kept of a loop: a whole number of at least 1 can
  cell 1, line 2, column 5
    for t in tnb.checkpointed(range(3), memory=0):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", modes=(REVERSE,), at=(2.0,)),
    Case("checkpoint_wraps_no_function", """\
q = 2.0

def f(x):
    return tnb.checkpoint(q)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return tnb.checkpoint(q)
           ^^^^^^^^^^^^^^^^^
  why: tnb.checkpoint gives here what is not called where it stands
  instead: tnb.checkpoint(layer)(x, w); @tnb.checkpoint above a function outside; or with tnb.checkpoint():
""", modes=(REVERSE,)),
    Case("checkpoint_of_a_number", """\
def f(x):
    return tnb.checkpoint(2.0)(x)
""", """\
tnb.checkpoint is for a function, and float is none: tnb.checkpoint(layer)(x, w), or with tnb.checkpoint():
""", modes=(REVERSE,), derive=lambda f: f(2.0)),
]
