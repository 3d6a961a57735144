"""A sampled tape: what lines and choices ask for that cannot be, and where there is nothing to sample."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb

from .case import REVERSE, Case

HALF = tnb.Sampled(0.5)
SQUARE = np.eye(2, dtype=np.float32)


def traced(df: Any) -> Any:
    """A call that JAX compiles."""
    jax = pytest.importorskip("jax")
    return jax.jit(df)(SQUARE, SQUARE)


CASES = [
    Case("nothing_to_sample", """\
def f(w, x):
    return np.sum(w * x)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(w * x)
    ^^^^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: no array is saved for the gradient of a weight alone
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("all_of_it_is_read", """\
def f(w, x):
    h = np.tanh(x @ w)
    return np.sum((h @ w) ** 2)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    h = np.tanh(x @ w)
    ^^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: all of h is read too: by the derivative of np.tanh(x @ w)
  instead: a nonlinearity whose derivative needs the sign alone, np.maximum(x, 0.0); or leave tape out
""", modes=(REVERSE,), keywords={"tape": tnb.Sampled(0.5, inputs=False)}),
    Case("a_sign_of_a_sample", """\
def f(w, x):
    h = np.where(x @ w > 0.0, x @ w, 0.0)
    z = h @ w
    return np.sum(z) + np.sum(np.maximum(h, 0.1))
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    z = h @ w
    ^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: the sign of h is read too, and a sign of a sample is biased
  instead: relu_bits=True, which keeps signs as bits
""", modes=(REVERSE,), keywords={"tape": tnb.Sampled(0.5, relu_bits=False, inputs=False)}),
    Case("chained_samples", """\
def f(w, a, x):
    v = np.tanh(a @ w)
    with tnb.sampled(0.5):
        z = x @ v
    return np.sum(z * z)
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    z = x @ v
    ^^^^^^^^^
  why: sampled(…) around this cannot sample: its sample would meet that of a, and their variances would multiply
  instead: leave sampled(…) out here; or sampled(exact=True) around the other line
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("inserted_gradient", """\
def f(w, x):
    with tnb.insert_grad_of(w) as bw:
        bw = np.clip(bw, -1.0, 1.0)
    return np.sum((x @ w) ** 2)
""", """\
cannot differentiate f
  cell 1, line 3, column 9
    bw = np.clip(bw, -1.0, 1.0)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: insert_grad_of changes the gradient there as it likes
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("a_softmax", """\
def f(w, x):
    z = x @ w
    with tnb.sampled(0.5):
        p = np.log(np.sum(np.exp(z), axis=1))
    return np.sum(p)
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    p = np.log(np.sum(np.exp(z), axis=1))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: sampled(…) around this cannot sample: no array is saved for the gradient of a weight alone
  instead: leave sampled(…) out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("only_a_part_of_a_block", """\
def f(w, x):
    h = np.tanh(x @ w)
    with tnb.sampled(0.5):
        z = h @ w
    return np.sum(z * z)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    h = np.tanh(x @ w)
    ^^^^^^^^^^^^^^^^^^
  why: sampled(…) around this cannot sample: all of h is read too: by the derivative of np.tanh(x @ w)
  instead: leave sampled(…) out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("no_relu_bits", """\
def f(w, x):
    h = np.sin(x) @ w
    with tnb.sampled(0.5):
        z = h @ w
    return np.sum(np.maximum(h, 0.0)) + np.sum(z)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    h = np.sin(x) @ w
    ^^^^^^^^^^^^^^^^^
  why: sampled(…) around this cannot sample: the sign of h is read too, and a sign of a sample is biased
  instead: relu_bits=True, which keeps signs as bits
""", modes=(REVERSE,), keywords={"tape": tnb.Sampled(0.5, relu_bits=False)}),
    Case("two_samples_of_one", """\
def f(w, x):
    h = np.maximum(x, 0.0)
    with tnb.sampled(0.5):
        a = h @ w
    with tnb.sampled(0.25):
        b = h @ w
    return np.sum(a * b)
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    a = h @ w
    ^^^^^^^^^
  why: h is saved once, and two lines that read it ask for different samples
  instead: one sampled(…) around both lines
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("sampled_as", """\
def f(w, x):
    with tnb.sampled(0.5) as s:
        z = x @ w
    return np.sum(z)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    with tnb.sampled(0.5) as s:
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: sampled(…) gives nothing that as could name
  instead: with tnb.sampled(fraction=0.5):
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("sampled_by_a_variable", """\
def f(w, x, q=0.5):
    with tnb.sampled(fraction=q):
        z = x @ w
    return np.sum(z)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    with tnb.sampled(fraction=q):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: what sampled(…) is given has to be known when the derivative is made
  instead: a number there: with tnb.sampled(fraction=0.5)
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("sampled_wrongly", """\
def f(w, x):
    with tnb.sampled(fraction=2.0):
        z = x @ w
    return np.sum(z)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    with tnb.sampled(fraction=2.0):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: fraction is a number above 0 and at most 1, not 2.0
  instead: with tnb.sampled(fraction=0.5)
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("left_out_by_at", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(x @ w)
    ^^^^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: at=('convolve',) leaves x out, as it was asked for
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": tnb.Sampled(0.5, at="convolve")}),
    Case("left_out_as_an_input", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(x @ w)
    ^^^^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: x is the caller's, and inputs=False, as it was asked for
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": tnb.Sampled(0.5, inputs=False)}),
    Case("left_out_by_the_line", """\
def f(w, x):
    with tnb.sampled(exact=True):
        z = x @ w
    return np.sum(z)
""", """\
cannot differentiate f
  cell 1, line 3, column 9
    z = x @ w
    ^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: x stands in sampled(exact=True), as it was asked for
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("not_bound_on_every_path", """\
def f(w, x):
    try:
        h = np.maximum(x, 0.0)
    except ValueError:
        h = x
    return np.sum(h @ w)
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    return np.sum(h @ w)
    ^^^^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: h is not bound on every path, or it changes in place, or a try is around
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("parts_of_weights", """\
def f(w, rows):
    return np.sum(w[0] @ w)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    return np.sum(w[0] @ w)
    ^^^^^^^^^^^^^^^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: what products read is a part of what is differentiated
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("known_when_it_runs", """\
def f(w, x, fn):
    v = fn(w)
    return np.sum(x @ v)
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    v = fn(w)
    ^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: what becomes of the gradient behind it is not known to be linear
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("not_linear_behind", """\
def f(w, x):
    v = np.abs(w)
    with tnb.insert_grad_of(v) as bv:
        bv = np.sign(bv)
    return np.sum(x @ v)
""", """\
cannot differentiate f
  cell 1, line 4, column 9
    bv = np.sign(bv)
    ^^^^^^^^^^^^^^^^
  why: tape=Sampled(…) samples nothing here: insert_grad_of changes the gradient there as it likes
  instead: leave tape out; sampled is what a product reads for the gradient of a weight, and nothing else reads
""", modes=(REVERSE,), keywords={"tape": HALF}),
    Case("no_more_derivatives", """\
def loss(w, x):
    return np.sum(np.sin(np.maximum(x @ w, 0.0) @ w))

f = tnb.grad(loss, optimized=tnb.PASSES, tape=tnb.Sampled(0.5))
""", """\
cannot differentiate dloss_dw: 2 places
  dloss_dw (generated), line 9, column 23
    maximum_sampled = rt.sample(maximum, stream, fraction=0.5)
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: rt.sample is not differentiated: a sampled gradient is another one at each call
  instead: the derivative without tape=, tnb.grad(f), which has further derivatives

  dloss_dw (generated), line 20, column 36
    bw = (rt.matmul_dy(bproduct_1, rt.drawn(maximum_sampled), w)
                                   ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: rt.drawn is not differentiated: a sampled gradient is another one at each call
  instead: the derivative without tape=, tnb.grad(f), which has further derivatives
""", modes=(REVERSE,)),
    Case("choices_no_amount", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
Sampled is given how much to keep: fraction=0.1, or k=30
""", derive=lambda f: tnb.Sampled()),
    Case("choices_both", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
give fraction or k, not both: k is the number that fraction stands for
""", derive=lambda f: tnb.Sampled(0.5, k=3)),
    Case("choices_fraction", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
fraction is a number above 0 and at most 1, not 1.5
""", derive=lambda f: tnb.Sampled(1.5)),
    Case("choices_k", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
k is a whole number from 1 on, not 0
""", derive=lambda f: tnb.Sampled(k=0)),
    Case("choices_method", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
method is 'with_replacement', 'without_replacement', 'rademacher' or 'paths', not 'bernoulli'
""", derive=lambda f: tnb.Sampled(0.5, method="bernoulli")),
    Case("choices_share", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
share is 'batch' or 'none' (the same sample for the whole batch, or another for each of its rows), not 'different'
""", derive=lambda f: tnb.Sampled(0.5, share="different")),
    Case("choices_projection", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
a projection of its own for each row (share='none') takes more memory than the tape: share='batch'
""", derive=lambda f: tnb.Sampled(0.5, method="rademacher", share="none")),
    Case("choices_axis", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
axis is an int, or a tuple of them, not 1.5
""", derive=lambda f: tnb.Sampled(0.5, axis=1.5)),
    Case("choices_at", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
at names operations, 'matmul' or 'convolve', not 'relu'
""", derive=lambda f: tnb.Sampled(0.5, at="relu")),
    Case("choices_seed", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
seed is an int that is not negative, or a Generator, np.random.default_rng(0), not 'now'
""", derive=lambda f: tnb.Sampled(0.5, seed="now")),
    Case("choices_exact", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
exact=True keeps all numbers: leave fraction out
""", derive=lambda f: tnb.sampled(0.5, exact=True)),
    Case("tape_of_text", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
tape is None, or tnb.Sampled(fraction=0.1), not a str
""", derive=lambda f: tnb.grad(f, tape="sampled")),
    Case("sample_of_a_sample_on_jax", """\
def f(w, x):
    return np.sum((x @ w) ** 2)
""", """\
cannot differentiate df_dw
  df_dw (generated), line 5, column 5
    x_sampled = rt.sample(x, stream, fraction=0.5)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: a sample is drawn here without the key of a call
  instead: the derivative without tape=, which has further ones
""", derive=lambda f: tnb.jvp(tnb.grad(f, tape=HALF, backend="jax"), backend="jax")),
    Case("traced_without_a_key", """\
def f(w, x):
    return np.sum((x @ w) ** 2)
""", """\
cannot differentiate this call on JAX
  cell 1, line 1, column 1
    def f(w, x):
    ^^^^^^^^^^^^
  why: it is traced, by jax.jit or the like, and no key is given: the sample would be drawn once, and be the same at \
each call
  instead: a key of the call, key=jax.random.key(0), another one each time; or a call that is not traced, of the \
derivative with compile='jit'
""", derive=lambda f: traced(tnb.grad(f, tape=HALF, backend="jax"))),
    Case("key_that_is_none", """\
def f(w, x):
    return np.sum((x @ w) ** 2)
""", """\
the key that samples are drawn from is one of JAX, key=jax.random.key(0), not an int
  cell 1, line 1, column 1
    def f(w, x):
    ^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f, tape=HALF, backend="jax")(SQUARE, SQUARE, key=3)),
    Case("tape_for_numba", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
a sampled tape is for NumPy's arrays, and those of JAX: leave tape, or compile='numba', out
""", derive=lambda f: tnb.grad(f, tape=HALF, compile="numba")),
    Case("tape_forward", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
forward mode saves nothing: leave tape out
""", derive=lambda f: tnb.jvp(f, tape=HALF)),
    Case("tape_and_reuse", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
reuse is for values that are kept whole, and those of a tape with samples are not: leave it out
""", derive=lambda f: tnb.grad(f, tape=HALF, optimized="+reuse")),
    Case("one_call", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
a variance is taken of at least two calls: n is 1
""", derive=lambda f: tnb.variance(f, 1.0, n=1)),
    Case("an_axis_that_is_not_there", """\
def f(w, x):
    return np.sum(x @ w)
""", """\
an array of shape (2, 2) has no axis=2 to sample: with tnb.sampled(axis=…) around the line that reads it
  cell 1, line 2, column 5
    return np.sum(x @ w)
    ^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.grad(f, tape=tnb.Sampled(0.5, axis=2))(np.ones((2, 2)), np.ones((2, 2)))),
]
