"""What is computed again gives the same gradient to the last bit as what is kept: each program beside itself without
checkpoints, in every mode, with and without passes."""
from __future__ import annotations

import ast
import functools
import inspect
import linecache
import random
import re
import textwrap
import tracemalloc
import types

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb import checkpoint, checkpointed
from tangent_nb.runtime.checkpoints import reruns

RNG = np.random.default_rng(0)
X, W = RNG.normal(size=4), RNG.normal(size=(4, 4)) / 2
XS = RNG.normal(size=(6, 4))
SCALE = 2.0
OUTSIDE = np.random.default_rng(5)


# ------------------------------------------------------------------ programs: (x, …) with checkpoints
def layer(x, w):
    return np.tanh(w @ x)


def long_layer(x, w):
    h = np.tanh(w @ x)
    if np.sum(h) > 0:
        h = h * x
    for _ in range(2):
        h = h + w @ h
    return h


wrapped = checkpoint(layer)
long_wrapped = checkpoint(long_layer)


@checkpoint
def decorated(x, w):
    return np.sin(x) * (w @ x)


class Model:
    def __init__(self, w):
        self.w = w

    @checkpoint
    def layer(self, h):
        return np.tanh(self.w @ h) * h

    def call(self, h):
        return self.layer(self.layer(h))


def calls(x, w):
    h = wrapped(x, w)
    h = long_wrapped(h, w)
    h = decorated(h, w)
    return np.sum(checkpoint(layer)(checkpoint(np.sin)(h), w=w) * w[0])


def calls_in_a_loop(x, w):
    h = x
    for _ in range(3):
        h = long_wrapped(h, w) + x
    return np.sum(h * h)


def nested_functions(x, w):
    @checkpoint
    def inner(h):
        return np.sin(h) * x

    g = checkpoint(lambda h: inner(h) + w @ h)
    return np.sum(g(x) * inner(x))


def of_a_class(x, w):
    return np.sum(Model(w).call(x))


def recursion(x, n):
    if n == 0:
        return x
    return checkpoint(recursion)(np.sin(x), n - 1) * x


def recursive(x, n):
    return np.sum(recursion(x, n))


def blocks(x, w):
    with checkpoint():
        h = np.tanh(w @ x)
        y = h * x
        z = h + y
    if np.sum(z) > -100.0:
        with checkpoint():
            y = y * z
    return np.sum(y) + np.sum(z * w[0])


def block_in_try(x, w):
    try:
        with checkpoint():
            y = np.sin(x) * x
    except ValueError:
        y = x
    return np.sum(w @ y)


def changed_after(x, w):
    x = x.copy()
    with checkpoint():
        y = np.sin(x) * x
    x[0] = y[1] * 3.0
    y[1:] += w[0, 0] * x[:-1]
    return np.sum(y * y * x)


def loop(x, w, n):
    loss = 0.0
    for t in checkpointed(range(n), memory=3):
        h = np.tanh(w @ x)
        x = x + 0.1 * h * t
        loss += np.sum(h * h)
    return loss + np.sum(w)


def in_place(x, k, n):
    u = x.copy()
    for _ in checkpointed(range(n), memory=4):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[1] * 0.5
    return np.sum(u * u)


def until_it_is_small(x, w):
    steps = 0
    while checkpointed(np.sum(x * x) > 0.1, memory=3):
        x = 0.9 * np.tanh(w[0, 0] * x)
        steps += 1
    return np.sum(x) * steps


def all_in_another(x, w, n):
    for i in checkpointed(range(n), memory=2):
        y = x
        for _ in checkpointed(range(i + 1), memory=2):
            with checkpoint():
                z = np.sin(y * w[0, 1])
                y = y + z
        x = x + 0.1 * y
        if i % 2:
            continue
        x = x * w[1]
    return np.sum(x)


def over_rows(x, w, xs):
    for v in checkpointed(xs, memory=2):
        x = np.tanh(w @ x + v)
    return np.sum(x)


def over_pairs(x, w, xs):
    for i, (v, q) in checkpointed(enumerate(zip(xs, xs[::-1])), memory=2):
        x = np.tanh(w @ x + v * i + q)
    return np.sum(x)


def by_places(x, w, xs):
    for i in checkpointed(range(len(xs)), memory=2):
        x = np.tanh(w @ x + xs[i])
    return np.sum(x)


def in_containers(x, w, n):
    s = {"h": x, "c": (x * 2.0, 1.0)}
    for _ in checkpointed(range(n), memory=2):
        c = s["c"][0] * 0.5 + w @ s["h"]
        s = {"h": np.tanh(c), "c": (c, s["c"][1] * 0.9)}
    return np.sum(s["h"] ** 2) * s["c"][1]


def appended(x, w, n):
    out = []
    for _ in checkpointed(range(n), memory=2):
        x = np.sin(x) * x
        out.append(np.sum(x * w[0]))
    return sum(out) if n else np.sum(x)


def exchanged(x, w, n):
    a, b = x, w @ x
    for _ in checkpointed(range(n), memory=2):
        a, b = b, a * np.sin(b)
    return np.sum(a * b)


def counted(x, w, n):
    k = 0
    for _ in checkpointed(range(n)):
        k = k + 2
        x = x * np.sin(x) + k
    return np.sum(x) * k + w[0, 0]


def numbers(x, w, n):
    s, p = 0.5, x[0]
    for t in checkpointed(range(n), memory=2):
        s, p = p * s + t, np.sin(p) * w[0, 0]
    return s * p


def outer_variables(x, w):
    y = wrapped(x, w) * SCALE
    for _ in checkpointed(range(3), memory=1):
        y = y * np.sin(y) * SCALE
    return np.sum(y)


def attempts_in_steps(x, w, n):
    for _ in checkpointed(range(n), memory=2):
        try:
            y = np.sin(x)
        except ValueError:
            y = x
        x = x * y
    return np.sum(w @ x)


def stopped(x, w, n):
    for _ in checkpointed(range(n), memory=2):
        x = x + tnb.stop_gradient(x * 2.0) * np.sin(w @ x)
    return np.sum(x)


def new_in_each_step(x, w, n):
    u = np.sin(x)
    for _ in checkpointed(range(n), memory=2):
        v = u.copy()
        v[0] = v[1] * 2.0
        v[1:] += u[:-1] * w[0, 0]
        u = v
    return np.sum(u * u)


def with_a_cotangent_of_its_own(x, w):
    with checkpoint():
        y = x * x
        with tnb.insert_grad_of(y) as by:
            by = by * 2.0
        z = np.sin(w @ y)
    return np.sum(z)


def number_beside_an_array(x, w, n):
    h, loss = np.zeros_like(x), 0.0
    for _ in checkpointed(range(n), memory=2):
        h = np.tanh(w @ h + x)
        loss += np.sum(h)
    return loss


PROGRAMS = [
    (calls, (X, W), ("x", "w")), (calls_in_a_loop, (X, W), ("x", "w")), (nested_functions, (X, W), ("x", "w")),
    (of_a_class, (X, W), ("x", "w")), (recursive, (X, 3), "x"), (blocks, (X, W), ("x", "w")),
    (block_in_try, (X, W), ("x", "w")), (changed_after, (X, W), ("x", "w")),
    *((loop, (X, W, n), ("x", "w")) for n in (0, 1, 2, 3, 4, 11)), (in_place, (X, 0.2, 9), ("x", "k")),
    (until_it_is_small, (X, W), ("x", "w")), (until_it_is_small, (X / 100, W), "x"),
    (all_in_another, (X, W, 5), ("x", "w")), (over_rows, (X, W, XS), ("x", "w")), (over_rows, (X, W, list(XS)), "w"),
    (over_pairs, (X, W, XS), ("x", "w")), (by_places, (X, W, XS), ("x", "w", "xs")),
    *((in_containers, (X, W, n), ("x", "w")) for n in (0, 5)), *((appended, (X, W, n), ("x", "w")) for n in (0, 6)),
    (exchanged, (X, W, 5), ("x", "w")), (counted, (X, W, 4), ("x", "w")), (numbers, (X, W, 7), ("x", "w")),
    (outer_variables, (X, W), ("x", "w")), (attempts_in_steps, (X, W, 3), ("x", "w")), (stopped, (X, W, 4), "x"),
    (new_in_each_step, (X, W, 5), ("x", "w")), (with_a_cotangent_of_its_own, (X, W), ("x", "w")),
    (number_beside_an_array, (X, W, 5), ("x", "w"))]
NAMES = [f"{fn.__name__}_{i}" for i, (fn, _, _) in enumerate(PROGRAMS)]


class _Without(ast.NodeTransformer):
    """The text of a program without its checkpoints."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = getattr(node.func, "id", "")
        return node.args[0] if name in ("checkpointed", "checkpoint") and node.args else node

    def visit_With(self, node: ast.With) -> ast.With | list[ast.stmt]:
        self.generic_visit(node)
        return node.body if ast.unparse(node.items[0]) == "checkpoint()" else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.decorator_list = []
        return node


@functools.cache
def without_checkpoints() -> types.ModuleType:
    """This module's programs, none of them with a checkpoint."""
    module = types.ModuleType("kept")
    nodes = [ast.parse(textwrap.dedent(inspect.getsource(one))) for one in (
        layer, long_layer, decorated.__wrapped__, Model, recursion, *dict.fromkeys(fn for fn, _, _ in PROGRAMS))]
    text = "\n".join(ast.unparse(ast.fix_missing_locations(_Without().visit(node))) for node in nodes)
    text += "\nwrapped, long_wrapped = layer, long_layer\n"
    filename = f"<{__name__} without checkpoints>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    vars(module).update(np=np, tnb=tnb, SCALE=SCALE)
    exec(compile(text, filename, "exec"), vars(module))
    return module


def leaves(value):
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return [np.asarray(value)]


def same_bits(a, b):
    found, expected = leaves(a), leaves(b)
    return len(found) == len(expected) and all(
        p.shape == q.shape and p.dtype == q.dtype and p.tobytes() == q.tobytes()
        for p, q in zip(found, expected, strict=True))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("optimized", [True, tnb.PASSES, False], ids=["passes", "general", "raw"])
@pytest.mark.parametrize(("fn", "args", "wrt"), PROGRAMS, ids=NAMES)
def test_the_gradient_is_the_same_to_the_last_bit(fn, args, wrt, optimized):
    plain = getattr(without_checkpoints(), fn.__name__)
    assert same_bits(fn(*args), plain(*args))
    for keywords in ({}, {"like": args}):
        df, expected = (tnb.value_and_grad(one, wrt=wrt, optimized=optimized, **keywords) for one in (fn, plain))
        assert same_bits(df(*args), expected(*args))
        assert re.search(r"_again\(|\.backward\(", tnb.source(df))
        assert same_bits(df(*args), expected(*args))       # a second time


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("fn", "args", "wrt"), PROGRAMS, ids=NAMES)
def test_forward_mode_has_nothing_to_do(fn, args, wrt):
    plain = getattr(without_checkpoints(), fn.__name__)
    names = (wrt,) if isinstance(wrt, str) else wrt
    places = [list(inspect.signature(plain).parameters).index(name) for name in names]
    if fn is with_a_cotangent_of_its_own:
        pytest.skip("forward mode has no cotangents")
    tf, expected = (tnb.jvp(one, wrt=names, optimized=tnb.PASSES) for one in (fn, plain))
    assert same_bits(tf(*args, *(args[i] for i in places)), expected(*args, *(args[i] for i in places)))
    assert "again" not in tnb.source(tf)
    assert "Snapshots" not in tnb.source(tf)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("fn", "args", "wrt"), PROGRAMS, ids=NAMES)
def test_split_motion_and_pullbacks_run_any_number_of_times(fn, args, wrt):
    expected = tnb.grad(fn, wrt=wrt)(*args)
    forward, backward = tnb.autodiff(fn, wrt=wrt, motion="split")
    value, residuals = forward(*args)
    assert same_bits(value, fn(*args))
    seed = np.ones_like(value)[()]
    names = list(inspect.signature(fn).parameters)
    places = tuple(names.index(name) for name in ((wrt,) if isinstance(wrt, str) else wrt))
    _, back = tnb.pullback(fn, *args, wrt=places if len(places) > 1 else places[0])
    for run in (lambda: backward(residuals, seed), lambda: back(seed)):
        assert same_bits(run(), expected)
        assert same_bits(run(), expected)


@pytest.mark.parametrize(("fn", "args"), [(calls, (X, W)), (loop, (X, W, 5)), (in_place, (X, 0.2, 5)),
                                          (until_it_is_small, (X, W))], ids=lambda one: getattr(one, "__name__", ""))
def test_second_derivatives(fn, args):
    plain = getattr(without_checkpoints(), fn.__name__)
    assert same_bits(tnb.hessian(fn)(*args), tnb.hessian(plain)(*args))
    assert same_bits(tnb.hvp(fn)(*args, X), tnb.hvp(plain)(*args, X))

    def inner(x):
        return np.sum(tnb.grad(fn)(x, *args[1:]) ** 2)

    def inner_of_plain(x):
        return np.sum(tnb.grad(plain)(x, *args[1:]) ** 2)

    np.testing.assert_allclose(tnb.grad(inner)(X), tnb.grad(inner_of_plain)(X), rtol=1e-12)


def test_numerical_differences():
    tnb.check_grads(lambda x: loop(x, W, 7), X)
    tnb.check_grads(lambda x: all_in_another(x, W, 4), X)


# ------------------------------------------------------------------ how often, and how much
RUNS = []


class Seen(np.ndarray):
    """An array that notes each time that it is multiplied with."""

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        if ufunc is np.cosh:
            RUNS.append(1)
        found = getattr(ufunc, method)(*(np.asarray(one) for one in inputs), **keywords)
        return found


def noted(x, c, n, memory):
    for _ in checkpointed(range(n), memory=memory):
        x = x + 0.01 * x * np.cosh(c)
    return np.sum(x)


@pytest.mark.parametrize(("n", "memory"), [(1, 1), (2, 1), (7, 1), (7, 2), (30, 3), (30, 30), (30, 99), (200, 5)])
def test_a_step_runs_as_often_as_the_schedule_says(n, memory):
    df = tnb.grad(noted, optimized=tnb.PASSES)
    seen = np.ones(3).view(Seen)
    RUNS.clear()
    expected = tnb.grad(noted_plainly, optimized=tnb.PASSES)(X[:3], np.ones(3), n)
    with np.errstate(all="raise"):
        found = df_without_guard(df)(X[:3], seen, n, memory)
    assert same_bits(found, expected)
    # the forward sweep goes one step further than the schedule's, and each step is run once more to be reversed
    assert len(RUNS) == 1 + reruns(n, memory) + n


def noted_plainly(x, c, n):
    for _ in range(n):
        x = x + 0.01 * x * np.cosh(c)
    return np.sum(x)


def df_without_guard(df):
    """The derivative as text, without what refuses arrays that compute in their own way."""
    text = "\n".join(line for line in tnb.source(df).splitlines() if "# guard" not in line)
    names = dict(df.__globals__, rt=__import__("tangent_nb.runtime").runtime)
    exec(text, names)
    return names[df.__name__]


def heat(u, k, n, memory):
    for _ in checkpointed(range(n), memory=memory):
        u = u + k * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1)) * np.cos(u)
    return np.sum(u * u)


def heat_plainly(u, k, n):
    for _ in range(n):
        u = u + k * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1)) * np.cos(u)
    return np.sum(u * u)


def most_memory(df, *args):
    df(*args)
    tracemalloc.start()
    try:
        df(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_that_of_the_states():
    u = RNG.normal(size=500)
    plainly = most_memory(tnb.grad(heat_plainly, wrt=("u", "k")), u, 0.2, 1000)
    again = most_memory(tnb.grad(heat, wrt=("u", "k")), u, 0.2, 1000, 10)
    assert again < 40 * u.nbytes
    assert plainly > 1000 * u.nbytes
    assert plainly > 50 * again


# ------------------------------------------------------------------ random numbers
def drop(x, rng):
    return x * (rng.random(x.shape) > 0.3)


def drawn_in_block(x, rng):
    with checkpoint():
        y = x * rng.normal(size=4)
        y = np.sin(y) * rng.random()
    return np.sum(y * y) + rng.random()


def drawn_in_loop(x, rng):
    for _ in checkpointed(range(9), memory=2):
        x = x + 0.1 * np.sin(x) * rng.normal(size=4)
        x = drop(np.sin(x), rng) + x * rng.permutation(4)[0]
    return np.sum(checkpoint(drop)(x, rng) * x) + rng.random()


def drawn_of_modules(x, rng):
    for _ in checkpointed(range(5), memory=2):
        x = x + np.sin(x) * np.random.normal(size=4) + random.random() * x
    return np.sum(x) + rng.random()


def drawn_of_a_global(x, rng):
    while checkpointed(np.sum(x * x) > 0.001, memory=2):
        x = 0.5 * x + 0.1 * np.sin(x) * OUTSIDE.random(4)
    return np.sum(x) + rng.random()


def drawn_of_its_own(x, rng):
    with checkpoint():
        own = np.random.default_rng(5)
        y = x * x * own.random(4)
    return np.sum(y) * rng.random()


DRAWING = [drawn_in_block, drawn_in_loop, drawn_of_modules, drawn_of_a_global, drawn_of_its_own]


def with_seeds(df, *args):
    """The value, and what is drawn next of each generator."""
    rng = np.random.default_rng(7)
    np.random.seed(1)
    random.seed(1)
    OUTSIDE.bit_generator.state = np.random.default_rng(9).bit_generator.state
    return df(X, rng), rng.random(), np.random.random(), random.random(), OUTSIDE.random()


@pytest.mark.parametrize("optimized", [True, False], ids=["passes", "raw"])
@pytest.mark.parametrize("fn", DRAWING)
def test_the_same_numbers_are_drawn_again(fn, optimized):
    module = types.ModuleType("kept")
    node = _Without().visit(ast.parse(inspect.getsource(fn)))
    text = inspect.getsource(drop) + "\n" + ast.unparse(ast.fix_missing_locations(node))
    filename = f"<{fn.__name__} without checkpoints>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    vars(module).update(np=np, random=random, OUTSIDE=OUTSIDE)
    exec(compile(text, filename, "exec"), vars(module))
    plain = getattr(module, fn.__name__)
    assert same_bits(with_seeds(fn), with_seeds(plain))
    derivative, expected = (tnb.value_and_grad(one, optimized=optimized) for one in (fn, plain))
    assert same_bits(with_seeds(derivative), with_seeds(expected))
    assert same_bits(with_seeds(derivative), with_seeds(derivative))


def test_a_pullback_draws_the_same_each_time():
    _, back = tnb.pullback(drawn_in_loop, X, np.random.default_rng(7))
    first = back(1.0)
    assert same_bits(back(1.0), first)
    assert same_bits(tnb.grad(drawn_in_loop)(X, np.random.default_rng(7)), first)


# ------------------------------------------------------------------ what is read again
def test_a_pullback_refuses_what_it_would_read_anew(monkeypatch):
    _, back = tnb.pullback(outer_variables, X, W)
    first = back(1.0)
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    with pytest.raises(tnb.errors.TangentError, match="SCALE, which .* reads, has changed since the forward sweep"):
        back(1.0)
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert same_bits(back(1.0), first)


def with_what_is_given(x, act):
    with checkpoint():
        y = act(x) * x
    for _ in checkpointed(range(3), memory=1):
        y = act(y) + x
    return np.sum(y)


def with_what_is_given_plainly(x, act):
    y = act(x) * x
    for _ in range(3):
        y = act(y) + x
    return np.sum(y)


def printed(v):
    print(v)
    return v


@pytest.mark.parametrize("act", [np.sin, lambda v: np.sin(v) * v], ids=["NumPy", "lambda"])
def test_functions_that_are_given(act):
    assert same_bits(tnb.grad(with_what_is_given)(X, act), tnb.grad(with_what_is_given_plainly)(X, act))
    with pytest.raises(tnb.errors.TangentError, match="printed: this does more than compute"):
        tnb.grad(with_what_is_given)(X, printed)


@pytest.mark.parametrize("x", [np.array(2.0), 2.0, 3, np.float32(2.0), np.ones(2, np.float32), np.zeros((0, 2)),
                               np.array([np.nan, np.inf])], ids=repr)
@pytest.mark.parametrize("n", [0, 4])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_kinds_and_dtypes(x, n):
    found, expected = (tnb.grad(one, optimized=tnb.PASSES)(x, n) for one in (of_any_kind, of_any_kind_plainly))
    assert type(found) is type(expected)
    assert same_bits(found, expected)


def of_any_kind(x, n):
    for _ in checkpointed(range(n)):
        x = x * np.sin(x) + 0.5
    return np.sum(x)


def of_any_kind_plainly(x, n):
    for _ in range(n):
        x = x * np.sin(x) + 0.5
    return np.sum(x)


def raising(x, n):
    for t in checkpointed(range(n), memory=2):
        if t == 3:
            raise KeyError(t)
        x = x * np.sin(x)
    return np.sum(x)


def test_an_exception_in_a_step_is_that_of_the_function():
    with pytest.raises(KeyError):
        tnb.grad(raising)(X, 5)
    assert np.all(np.isfinite(tnb.grad(raising)(X, 3)))


WEIGHTS = np.eye(4) * 0.5


def of_a_variable_outside(x):
    for _ in checkpointed(range(3), memory=1):
        x = np.tanh(WEIGHTS @ x)
    return np.sum(x)


def of_the_variable(w):
    return np.sum(np.tanh(w @ np.tanh(w @ np.tanh(w @ X))))


def test_the_gradient_by_a_variable_outside():
    np.testing.assert_allclose(tnb.grad(of_a_variable_outside, wrt="WEIGHTS")(X), tnb.grad(of_the_variable)(WEIGHTS),
                               rtol=1e-13)


def changed_behind(x, w):
    m = w * 1.0
    for _ in checkpointed(range(3), memory=1):
        x = np.tanh(m @ x)
    m[0] = 5.0
    return np.sum(x) * m[0, 0] + np.sum(m)


def changed_behind_plainly(x, w):
    m = w * 1.0
    for _ in range(3):
        x = np.tanh(m @ x)
    m[0] = 5.0
    return np.sum(x) * m[0, 0] + np.sum(m)


def test_an_argument_that_changes_behind_it_is_a_copy():
    found, expected = (tnb.grad(one, wrt=("x", "w"))(X, W) for one in (changed_behind, changed_behind_plainly))
    for a, b in zip(found, expected, strict=True):         # of the copy the cotangents are summed first
        np.testing.assert_allclose(a, b, rtol=1e-13)


@pytest.mark.parametrize("xs", [XS.copy(), [*XS.copy()]], ids=["array", "list"])
def test_a_pullback_owns_its_data(xs):
    w = W.copy()
    _, back = tnb.pullback(over_rows, X, w, xs, wrt=(0, 1))
    first = back(1.0)
    w[:] = 9.0
    for row in xs:
        row[:] = 50.0
    assert same_bits(back(1.0), first)


def test_a_function_that_is_defined_anew(monkeypatch):
    df = tnb.grad(outer_variables)
    df(X, W)
    monkeypatch.setitem(globals(), "wrapped", checkpoint(long_layer))
    with pytest.raises(tnb.errors.TangentError, match="derive again"):
        df(X, W)


def test_a_plain_run_is_the_function_itself():
    assert checkpoint(layer)(X, w=W).tobytes() == layer(X, W).tobytes()
    assert decorated.__name__ == "decorated"
    assert inspect.signature(decorated) == inspect.signature(decorated.__wrapped__)
    with checkpoint() as nothing:
        assert nothing is None
    steps = range(3)
    assert checkpointed(steps, memory=2) is steps
    with pytest.raises(ZeroDivisionError), checkpoint():
        raise ZeroDivisionError
    assert same_bits(tnb.grad(decorated_sum)(X), tnb.grad(decorated_sum.__wrapped__)(X))


@checkpoint
def decorated_sum(x):
    return np.sum(x * x)


# ------------------------------------------------------------------ the text
def test_the_text():
    text = tnb.source(tnb.grad(over_rows, wrt=("x", "w"), optimized=tnb.PASSES))
    assert textwrap.dedent("""\
        def _loop_fwd(xs, x, w):
            x_saved = rt.Snapshots(xs, memory=2)
            for v in x_saved.steps:
                x_saved.keep(x)
                x = np.tanh(w @ x + v)
            return x, (x_saved, w)


        def _loop_bwd(residuals, bx):
            # Grad of: for v in checkpointed(xs, memory=2)
            x_saved, w = residuals
            bw = rt.zeros_like(w)
            for v, x in x_saved.backward(_step, w):
                # Grad of: for v in checkpointed(xs, memory=2)
                bx, bw = _step_again(v, x, w, bx, bw)
            return bx, bw
        """) in text
    assert textwrap.dedent("""\
        def _step(v, x, w):
            return np.tanh(w @ x + v)
        """) in text
    assert text == tnb.source(tnb.grad(over_rows, wrt=("x", "w"), optimized=tnb.PASSES))


def test_lines_lead_to_the_users_lines():
    df = tnb.grad(loop, optimized=tnb.PASSES)
    lines = {line.number: line for line in df.__tangent_nb__.emitted.lines}
    for number, text in enumerate(tnb.source(df).splitlines(), 1):
        if text.strip() and lines[number].role == "backward":
            assert lines[number].origins, text
