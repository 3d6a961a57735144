"""Gradients with a sampled tape: right on average, exact where all is kept, and drawn from the user's stream."""
from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runtime"))
from test_kept_samples import drawings, patched

import tangent_nb as tnb
from tangent_nb.runtime import kept_samples as samples

RNG = np.random.default_rng(11)
f = RNG.standard_normal


def dense(w1: Any, b1: Any, w2: Any, b2: Any, x: Any, y: Any) -> Any:
    h = np.maximum(x @ w1 + b1, 0.0)
    z = h @ w2 + b2
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[np.arange(len(y)), y])


def by_key(p: Any, x: Any) -> Any:
    h = np.maximum(x @ p["w1"], 0.0)
    h = np.maximum(h @ p["w2"], 0.0)
    return np.sum((h @ p["w3"]) ** 2)


def layers(ws: Any, x: Any) -> Any:
    h = x
    for w in ws:
        h = np.maximum(h @ w, 0.0)
    return np.sum(h * h)


def recurrent(w: Any, u: Any, xs: Any) -> Any:
    h = np.zeros((xs.shape[1], w.shape[0]))
    for t in range(len(xs)):
        h = np.maximum(xs[t] @ u + h @ w, 0.0)
    return np.sum(h * h)


def branches(w1: Any, w2: Any, x: Any, flag: Any) -> Any:
    h = x @ w1
    if flag:
        h = np.maximum(h, 0.0) + 1.0
        z = h @ w2
    else:
        z = h @ w2 * 2.0
    return np.sum(z * z)


def layer(h: Any, w: Any, b: Any) -> Any:
    t = h @ w + b
    if np.sum(t) > 1e9:
        t = t * 0.5
    return np.maximum(t, 0.0)


def called(w1: Any, b1: Any, w2: Any, b2: Any, x: Any) -> Any:
    return np.sum(layer(layer(x, w1, b1), w2, b2) ** 2)


def deeper(w: Any, h: Any, n: int) -> Any:
    if n == 0:
        return np.sum(h * h)
    return deeper(w, np.maximum(h @ w, 0.0), n - 1)


def where(w1: Any, w2: Any, x: Any) -> Any:
    h = x @ w1
    h = np.where(h > 0, h, 0.0)
    h = h @ w2
    h = h * (h > 0)
    return np.sum(h * h)


def convolved(x: Any, w: Any) -> Any:
    windows = sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, w)


def images(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(convolved(x, w1), 0.0)
    h = np.maximum(convolved(h, w2), 0.0)
    return np.sum(h * h)


def signal(w: Any, v: Any, x: Any) -> Any:
    h = np.maximum(np.convolve(x, w), 0.0)
    return np.sum(np.convolve(h, v) ** 2)


def in_place(w1: Any, b1: Any, w2: Any, x: Any) -> Any:
    h = x @ w1
    h += b1
    h = np.maximum(h, 0.0)
    h *= 2.0
    return np.sum((h @ w2) ** 2)


def while_(w: Any, x: Any, n: int) -> Any:
    h, i = x, 0
    while i < n:
        h = np.maximum(h @ w, 0.0)
        if np.sum(h) > 1e6:
            break
        i += 1
    return np.sum(h)


def twice(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(x, 0.1)
    return np.sum((h @ w1) * (h @ w2))


def shared_name(w1: Any, w2: Any, x: Any) -> Any:
    x = np.maximum(x @ w1, 0.0)
    x = np.maximum(x @ w2, 0.0)
    return np.sum(x)


def vectors(w: Any, v: Any, x: Any) -> Any:
    h = np.maximum(np.dot(x, w), 0.0)
    return np.dot(h, v) ** 2


class Model:
    def __init__(self, w: Any, v: Any) -> None:
        self.w, self.v, self.h = w, v, 0.0

    def __call__(self, x: Any) -> Any:
        self.h = np.maximum(x @ self.w, 0.0)
        return self.h @ self.v


def model(w: Any, v: Any, x: Any) -> Any:
    one = Model(w, v)
    return np.sum(one(x) ** 2) + np.sum(one.h)


def embedded(e: Any, w: Any, rows: Any) -> Any:
    h = e[rows]
    return np.sum(np.maximum(h @ w, 0.0))


def attention(wq: Any, wk: Any, wv: Any, wo: Any, x: Any) -> Any:
    q, k, v = x @ wq, x @ wk, x @ wv
    s = q @ k.T / 2.0
    a = np.exp(s - np.max(s, axis=1, keepdims=True))
    a = a / np.sum(a, axis=1, keepdims=True)
    return np.sum((np.maximum(a @ v, 0.0) @ wo) ** 2)


def changing(w: Any, x: Any) -> Any:
    h = x.copy()
    h *= 2.0
    z = h @ w
    h += 1.0
    return np.sum(z * z) + np.sum((h @ w) ** 2)


def nested(w: Any, x: Any) -> Any:
    s = 0.0
    for i in range(3):
        h = x
        for _ in range(2):
            h = np.maximum(h @ w, 0.0)
            if i == 1:
                h = h * 0.5
        s = s + np.sum(h)
    return s


def tied(w: Any, x: Any, lowest: Any) -> Any:
    h = np.maximum(x @ w, lowest)
    return np.sum(np.clip(h, 0.0, 2.0) @ w)


def pair(w: Any, x: Any) -> Any:
    a, b = x @ w, x * 2.0
    h = (np.maximum(a, 0.0), b)
    return np.sum((h[0] @ w) ** 2) + np.sum(h[1] @ w)


W = 0.5 * f((5, 5))
CASES: dict[str, tuple[Callable[..., Any], Any, tuple[Any, ...], dict[str, Any]]] = {
    "dense": (dense, (0, 1, 2, 3), (f((6, 5)), f(5), f((5, 3)), f(3), f((4, 6)), np.array([0, 1, 2, 0])), {}),
    "by key": (by_key, 0, ({"w1": f((6, 5)), "w2": f((5, 5)), "w3": f((5, 2))}, f((4, 6))), {}),
    "layers": (layers, 0, ([f((6, 5)), f((5, 5))], f((4, 6))), {}),
    "recurrent": (recurrent, (0, 1), (W, f((3, 5)), f((4, 2, 3))), {}),
    "one branch": (branches, (0, 1), (f((6, 5)), f((5, 3)), f((4, 6)), True), {}),
    "the other": (branches, (0, 1), (f((6, 5)), f((5, 3)), f((4, 6)), False), {}),
    "called": (called, (0, 1, 2, 3), (f((6, 5)), f(5), f((5, 5)), f(5), f((4, 6))), {}),
    "deeper": (deeper, 0, (W, f((3, 5)), 3), {}),
    "where": (where, (0, 1), (f((6, 5)), f((5, 3)), f((4, 6))), {}),
    "images": (images, (0, 1), (f((2, 2, 3, 3)), f((3, 2, 3, 3)), f((2, 2, 5, 5))), {"axis": (1, 2, 3)}),
    "signal": (signal, (0, 1), (f(3), f(2), f(6)), {}),
    "in place": (in_place, (0, 1, 2), (f((6, 5)), f(5), f((5, 3)), f((4, 6))), {}),
    "while": (while_, 0, (W, f((4, 5)), 3), {}),
    "twice": (twice, (0, 1), (f((5, 3)), f((5, 3)), f((4, 5))), {}),
    "shared name": (shared_name, (0, 1), (f((6, 5)), f((5, 4)), f((3, 6))), {}),
    "objects": (model, (0, 1), (f((6, 5)), f((5, 2)), f((4, 6))), {}),
    "embedded": (embedded, (0, 1), (f((7, 5)), f((5, 3)), np.array([1, 2, 2, 6])), {}),
    "attention": (attention, (0, 1, 2, 3), (f((5, 3)), f((5, 3)), f((5, 4)), f((4, 2)), f((6, 5))), {}),
    "changing": (changing, 0, (f((5, 3)), f((4, 5))), {}),
    "nested": (nested, 0, (W, f((4, 5))), {}),
    "tied": (tied, 0, (np.eye(3), np.array([[1.0, 0.0, -1.0], [0.0, 0.0, 2.0]]), np.zeros(3)), {}),
    "pair": (pair, 0, (f((5, 5)), f((4, 5))), {}),
    "vectors": (vectors, (0, 1), (f((6, 5)), f(5), f(6)), {}),
}


def numbers(x: Any) -> np.ndarray[Any, Any]:
    """All numbers of a gradient."""
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple)) else [x]
    return np.concatenate([numbers(one) if isinstance(one, (dict, list, tuple)) else np.ravel(one) for one in parts])


def scores(found: list[np.ndarray[Any, Any]], exact: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How many standard errors random projections of the mean are away from that of the exact gradient."""
    directions = np.random.default_rng(0).standard_normal((8, exact.size))
    projected = np.array(found) @ directions.T
    error = projected.std(axis=0, ddof=1) / np.sqrt(len(found))
    return np.asarray((projected.mean(axis=0) - directions @ exact) / np.maximum(error, 1e-12))


@pytest.mark.parametrize("optimized", [True, False], ids=["optimized", "raw"])
@pytest.mark.parametrize("name", CASES)
def test_all_of_it_without_replacement_is_exact(name: str, optimized: bool) -> None:
    fn, wrt, args, more = CASES[name]
    exact = tnb.grad(fn, wrt, optimized=optimized)(*args)
    df = tnb.grad(fn, wrt, optimized=optimized, tape=tnb.Sampled(1.0, method="without_replacement", **more))
    text = tnb.source(df)
    assert "rt.sample(" in text and ("rt.unsample(" in text or "rt.drawn(" in text)
    assert np.array_equal(numbers(df(*args)), numbers(exact))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method, share", [("with_replacement", "batch"), ("with_replacement", "none"),
                                           ("without_replacement", "batch"), ("without_replacement", "none"),
                                           ("rademacher", "batch")])
@pytest.mark.parametrize("name", CASES)
def test_right_on_average(name: str, method: str, share: str) -> None:
    fn, wrt, args, more = CASES[name]
    exact = numbers(tnb.grad(fn, wrt)(*args))
    df = tnb.grad(fn, wrt, tape=tnb.Sampled(0.5, method=method, share=share, seed=7, **more))
    found = [numbers(df(*args)) for _ in range(800)]
    assert np.std(found, axis=0).max() > 0
    assert np.abs(scores(found, exact)).max() < 4.5


# ------------------------------------------------------------------ all draws of all sites
def tiny(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(x @ w1, 0.0)
    return np.sum(np.exp(0.1 * (h @ w2)))


TINY = (np.abs(f((3, 2))), f((2, 2)), np.abs(f((2, 3))))


def by_dot(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(np.dot(x, w1), 0.0)
    return np.sum(np.exp(0.1 * np.dot(h, w2)))


def from_the_left(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(w1.T @ x.T, 0.0)
    return np.sum(np.exp(0.1 * (w2.T @ h)))


def by_letters(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(np.einsum("ij,jk->ik", x, w1), 0.0)
    return np.sum(np.exp(0.1 * np.einsum("ij,jk->ik", h, w2)))


@pytest.mark.parametrize("like", [False, True], ids=["general", "for the arguments"])
@pytest.mark.parametrize("fn", [tiny, by_dot, from_the_left, by_letters])
@pytest.mark.parametrize("method", ["with_replacement", "without_replacement", "rademacher"])
def test_the_mean_over_all_draws_is_the_gradient(method: str, fn: Any, like: bool,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    exact = numbers(tnb.grad(fn, (0, 1))(*TINY))
    axis = 0 if fn is from_the_left else -1
    df = tnb.grad(fn, (0, 1), tape=tnb.Sampled(k=1, method=method, axis=axis), like=TINY if like else None)
    assert exact.all()
    assert "rt.drawn(" in tnb.source(df) or fn is by_letters and not like
    total, count = np.zeros_like(exact), 0
    for pair in itertools.product(list(drawings(method, 1, 3)), list(drawings(method, 1, 2))):
        drawn = {len(one) if method == "rademacher" else d: one for one, d in zip(pair, (3, 2), strict=True)}
        monkeypatch.setattr(samples, "_drawn", lambda key, d, k, method, drawn=drawn: drawn[d])
        monkeypatch.setattr(samples, "_signs", lambda key, d, k, dtype, drawn=drawn: iter([(slice(0, d), drawn[d])]))
        total += numbers(df(*TINY))
        count += 1
    assert count > 3
    assert np.abs(total / count - exact).max() < 1e-12


def test_a_planted_scale_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample that is 5 percent too large: all draws show it, and 2,000 of them on digits may not."""
    plain = samples.sample

    def planted(*args: Any, **keywords: Any) -> Any:
        kept = plain(*args, **keywords)
        kept.data *= 1.05
        return kept

    monkeypatch.setattr(tnb.runtime, "sample", planted)
    exact = numbers(tnb.grad(tiny, (0, 1))(*TINY))
    df = tnb.grad(tiny, (0, 1), tape=tnb.Sampled(k=1))
    total, count = np.zeros_like(exact), 0
    for first, second in itertools.product(list(drawings("with_replacement", 1, 3)),
                                           list(drawings("with_replacement", 1, 2))):
        drawn = {3: first, 2: second}
        monkeypatch.setattr(samples, "_drawn", lambda key, d, k, method, drawn=drawn: drawn[d])
        total += numbers(df(*TINY))
        count += 1
    assert np.abs(total / count - exact).max() > 1e-3


# ------------------------------------------------------------------ on real digits
@pytest.fixture(scope="module")
def digits() -> tuple[Any, ...]:
    data = pytest.importorskip("sklearn.datasets").load_digits()
    x, y = data.data[:60] / 16.0, data.target[:60]
    rng = np.random.default_rng(2)
    return (rng.standard_normal((64, 16)) / 8.0, np.zeros(16), rng.standard_normal((16, 10)) / 4.0, np.zeros(10), x, y)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method, share", [("with_replacement", "batch"), ("with_replacement", "none"),
                                           ("without_replacement", "batch"), ("rademacher", "batch")])
def test_on_digits(method: str, share: str, digits: tuple[Any, ...]) -> None:
    exact = numbers(tnb.grad(dense, (0, 1, 2, 3))(*digits))
    df = tnb.grad(dense, (0, 1, 2, 3), tape=tnb.Sampled(0.1, method=method, share=share, seed=0))
    found = [numbers(df(*digits)) for _ in range(2000)]
    assert np.abs(scores(found, exact)).max() < 4.5


def test_texts_for_examples_and_for_all_arguments() -> None:
    fn, wrt, args, _ = CASES["dense"]
    exact = tnb.grad(fn, wrt)(*args)
    df = tnb.grad(fn, wrt, tape=tnb.Sampled(1.0, method="without_replacement"), like=args)
    texts = tnb.versions(df)
    assert len(texts) == 2 and all(text.count("rt.sample(") == 2 for text in texts.values())
    assert np.array_equal(numbers(df(*args)), numbers(exact))
    of_floats = [one.astype(np.float32) if one.dtype.kind == "f" else one for one in args]
    assert np.allclose(numbers(df(*of_floats)), numbers(exact), rtol=1e-3, atol=1e-4)


# ------------------------------------------------------------------ the stream
def test_the_stream_is_the_users() -> None:
    args = CASES["dense"][2]

    def derived(seed: Any) -> Any:
        return tnb.grad(dense, (0, 2), tape=tnb.Sampled(0.5, seed=seed))

    first, again, other = derived(3), derived(3), derived(4)
    one, two = numbers(first(*args)), numbers(first(*args))
    assert not np.array_equal(one, two)                    # a new sample at each call
    assert np.array_equal(numbers(again(*args)), one) and np.array_equal(numbers(again(*args)), two)
    assert not np.array_equal(numbers(other(*args)), one)
    stream = np.random.default_rng(3)
    given = derived(stream)
    assert np.array_equal(numbers(given(*args)), one)
    assert stream.integers(1 << 40) != np.random.default_rng(3).integers(1 << 40)      # it is drawn from


def test_each_step_has_a_sample_of_its_own() -> None:
    fn, wrt, args, _ = CASES["recurrent"]
    drawn = []
    df = tnb.grad(fn, wrt, tape=tnb.Sampled(0.5, seed=0))
    plain = tnb.runtime.sample

    def noted(*given: Any, **keywords: Any) -> Any:
        drawn.append(plain(*given, **keywords))
        return drawn[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tnb.runtime, "sample", noted)
        df(*args)
    assert len(drawn) == len(args[2]) and len({one.key for one in drawn}) == len(drawn)


# ------------------------------------------------------------------ other derivatives, and other choices
def test_values_seeds_and_both_halves() -> None:
    fn, wrt, args, _ = CASES["dense"]
    exact = numbers(tnb.grad(fn, wrt)(*args))
    tape = tnb.Sampled(1.0, method="without_replacement")
    value, gradient = tnb.value_and_grad(fn, wrt, tape=tape)(*args)
    assert value == fn(*args) and np.array_equal(numbers(gradient), exact)
    assert np.array_equal(numbers(tnb.vjp(fn, wrt, tape=tape)(*args, 1.0)), exact)
    forward, backward = tnb.autodiff(fn, wrt, motion="split", tape=tape)
    value, residuals = forward(*args)
    assert np.array_equal(numbers(backward(residuals, 1.0)), exact)
    assert np.array_equal(numbers(backward(residuals, 2.0)), 2.0 * exact)


def test_both_halves_of_loops_run_again() -> None:
    fn, wrt, args, _ = CASES["recurrent"]
    forward, backward = tnb.autodiff(fn, wrt, motion="split", tape=tnb.Sampled(0.5, seed=0))
    _, residuals = forward(*args)
    assert np.array_equal(numbers(backward(residuals, 1.0)), numbers(backward(residuals, 1.0)))


@pytest.mark.parametrize("more, there, gone", [
    ({}, "rt.pack_bits(", "relu"),
    ({"relu_bits": False}, "rt.greater(", "rt.pack_bits("),
    ({"inputs": False}, "h_sampled", "x_sampled"),
    ({"k": 2}, "k=2", "fraction"),
    ({"axis": 0}, "axis=0", "share"),
    ({"at": "matmul"}, "x_sampled", "at="),
])
def test_choices_are_in_the_text(more: dict[str, Any], there: str, gone: str) -> None:
    how = {"k": 2} if "k" in more else {"fraction": 0.5}
    text = tnb.source(tnb.grad(dense, (0, 2), tape=tnb.Sampled(**how | more)))
    assert there in text and gone not in text


def test_the_stage_is_shown_and_explained() -> None:
    df = tnb.grad(dense, (0, 1, 2, 3), tape=tnb.Sampled(0.5), optimized=tnb.PASSES)
    stages = tnb.stages(df)
    assert list(stages)[-2:] == ["sample", "emit"]
    assert "rt.sample(" in stages["sample"] and "rt.sample(" not in stages["renumber"]
    assert "sampled: h (line" in tnb.explain(df)


def tanh(w1: Any, w2: Any, x: Any) -> Any:
    h = np.tanh(x @ w1)
    return np.sum((h @ w2) ** 2)


def test_what_stays_exact_is_said() -> None:
    df = tnb.grad(tanh, (0, 1), tape=tnb.Sampled(0.5))
    assert "kept exactly: h (line" in tnb.explain(df) and "all of h is read too" in tnb.explain(df)
    assert "x_sampled" in tnb.source(df) and "h_sampled" not in tnb.source(df)


def test_the_way_through_activations_is_exact() -> None:
    """The bias of the first layer has no sample behind it: it is exact, whatever is drawn."""
    fn, wrt, args, _ = CASES["dense"]
    df = tnb.grad(fn, wrt, tape=tnb.Sampled(0.2, seed=0))
    exact = tnb.grad(fn, wrt)(*args)
    for _ in range(5):
        _, b1, _, b2 = df(*args)
        assert np.allclose(b1, exact[1], rtol=1e-13) and np.allclose(b2, exact[3], rtol=1e-13)


def test_floats_of_32_bits_stay_so() -> None:
    fn, wrt, args, _ = CASES["dense"]
    small = [one.astype(np.float32) if one.dtype.kind == "f" else one for one in args]
    for method in ("with_replacement", "rademacher"):
        for one in tnb.grad(fn, wrt, tape=tnb.Sampled(0.5, method=method))(*small):
            assert one.dtype == np.float32


# ------------------------------------------------------------------ what lines ask for
def asks(w1: Any, w2: Any, x: Any) -> Any:
    with tnb.sampled(fraction=0.25, method="without_replacement"):
        h = np.maximum(x @ w1, 0.0)
    with tnb.sampled(exact=True):
        z = h @ w2
    return np.sum(z * z)


def test_lines_have_their_own() -> None:
    text = tnb.source(tnb.grad(asks, (0, 1), tape=tnb.Sampled(0.5)))
    assert "rt.sample(x, stream, fraction=0.25, method='without_replacement')" in text and "h_sampled" not in text
    args = f((6, 5)), f((5, 3)), f((4, 6))
    plain = tnb.grad(asks, (0, 1))
    assert "sample" not in tnb.source(plain) and np.isfinite(asks(*args))
    assert np.array_equal(tnb.grad(asks, (0, 1), tape=tnb.Sampled(0.5))(*args)[1], plain(*args)[1])


# ------------------------------------------------------------------ variances
def test_variances() -> None:
    def loss(w: Any, x: Any) -> Any:
        return np.sum(x @ w["a"])

    x = f((3, 4))
    df = tnb.grad(loss, tape=tnb.Sampled(k=1, seed=0))
    found = tnb.variance(df, {"a": np.zeros(4), "name": "w"}, x, n=4000)
    due = np.sum(x, axis=0) ** 2 * 3.0                    # (d - 1) times the square, of one of four
    assert found["name"] is None and np.allclose(found["a"], due, rtol=0.2)
    exact = tnb.variance(tnb.grad(loss), {"a": np.zeros(4)}, x, n=2)
    assert np.array_equal(exact["a"], np.zeros(4))
    with pytest.raises(tnb.errors.TangentError, match="at least two calls"):
        tnb.variance(df, {"a": np.zeros(4)}, x, n=1)


assert patched


def test_what_the_forward_sweep_has_made_is_not_made_again_of_more():
    """The last product was made again in the backward sweep, of an activation that had to be kept whole for it."""
    def loss(x, w1, w2):
        return np.sum((np.maximum(x @ w1, 0.0) @ w2) ** 2)

    rng = np.random.default_rng(0)
    args = rng.normal(size=(50, 40)), rng.normal(size=(40, 30)), rng.normal(size=(30, 5))
    df = tnb.grad(loss, ("w1", "w2"), tape=tnb.Sampled(fraction=0.1, seed=0))
    kept = [row for row in tnb.tape_report(df, *args).saved if row.counts]
    assert {row.kind for row in kept} == {"sampled", "signs", "exact"}
    assert [row.forms for row in kept if row.kind == "exact"] == [(("float64", (50, 5), 1),)]


def two_names(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(x, 0.1)
    g = h
    return np.sum((h @ w1) * (g @ w2))


@pytest.mark.parametrize("like", [False, True], ids=["general", "for the arguments"])
@pytest.mark.parametrize("backend", ["numpy", "jax"])
def test_a_value_under_two_names_is_sampled_once(backend: str, like: bool) -> None:
    if backend == "jax":
        pytest.importorskip("jax")
    args = (f((5, 3)), f((5, 3)), np.abs(f((4, 5))))
    more = {"like": args} if like and backend == "numpy" else {}
    df = tnb.grad(two_names, (0, 1), backend=backend, tape=tnb.Sampled(0.5), **more)
    for text in filter(None, tnb.source(df).split("\n\n\n")):
        assert text.count("rt.sample(") == (0 if "rt.fits" in text else 1)
    said = tnb.explain(df).splitlines()[1:3]
    assert [one.startswith("sampled: nothing") for one in said] == [bool(more), False] \
        and any("sampled for other arguments: h" in one for one in said) is bool(more)
    whole = tnb.grad(two_names, (0, 1), tape=tnb.Sampled(1.0, method="without_replacement"), **more)
    assert np.array_equal(numbers(whole(*args)), numbers(tnb.grad(two_names, (0, 1))(*args)))
    first, second = tnb.autodiff(two_names, (0, 1), motion="split",
                                 tape=tnb.Sampled(1.0, method="without_replacement"))
    assert tnb.source(first).split("\n\n\n")[0].count("rt.sample(") == 1
    assert np.allclose(numbers(second(first(*args)[1], 1.0)), numbers(tnb.grad(two_names, (0, 1))(*args)), rtol=1e-13)
