"""Path sampling in loops: the mean over all draws is the gradient, and of other trips the tape has nothing."""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.runtime import kept_samples as samples
from tangent_nb.runtime.drawn_trips import Paths

XS, YS = np.array([0.3, -0.8, 1.1]), np.array([0.5, 0.2, -0.4])


def squares(w: Any, v: Any, xs: Any, ys: Any) -> Any:
    total = 0.0
    for i in range(len(xs)):
        h = np.tanh(w * xs[i])
        r = np.sin(h * v) - ys[i]
        total += r * r
    return np.sqrt(total)


def steps(w: Any, v: Any, xs: Any, n: int) -> Any:
    total = 0.0
    for x in xs:
        h = w
        for _ in range(n):
            h = np.sin(h) * x + v * h
        total += h
    return total ** 2


def branches(w: Any, xs: Any, ys: Any) -> Any:
    total = 1.0
    for x, y in zip(xs, ys):
        h = np.tanh(x * w)
        if h > 0.2:
            h = h * h
        elif h < -0.5:
            h = np.exp(h) * h
        r = h - y
        total = total + r * r
    return np.log(total)


def cell(w: Any, v: Any, x: Any) -> Any:
    a = np.tanh(w * x)
    for _ in range(3):
        a = np.sin(a) * v
    return a


def called(w: Any, v: Any, xs: Any) -> Any:
    total = 1.0
    for x in xs:
        total += cell(w, v, x) ** 2
    return np.log(total)


def recurrent(w: Any, u: Any, xs: Any) -> Any:
    h = np.zeros(3)
    for x in xs:
        h = np.maximum(x @ w + h @ u, 0.1)
    return np.sum(h * h)


def reused(w: Any, xs: Any) -> Any:
    """A name that a trip reads as the one before has left it."""
    total, before = 0.0, 1.0
    for x in xs:
        h = np.sin(w * x) * before
        total += np.exp(h * w)
        before = np.cos(x)
    return total ** 2


def at_places(w: Any, xs: Any, where: Any) -> Any:
    total = 0.0
    for i in range(len(xs)):
        h = np.tanh(w[where[i]] * xs[i])
        total += h * np.exp(h)
    return np.sqrt(total + 2.0)


def before_the_loop(w: Any, xs: Any) -> Any:
    u = np.exp(w) * w
    total = 0.0
    for x in xs:
        h = np.sin(u * x)
        total += np.exp(h) * h
    return np.sqrt(total + 3.0)


def subtracted(w: Any, xs: Any) -> Any:
    total = 5.0
    for x in xs:
        h = np.sin(w * x)
        total -= np.exp(h) - w * h
    return np.sqrt(total)


def listed(w: Any, xs: Any) -> Any:
    """Each trip takes the gradient of its item from the end of a list, whether it is drawn or not."""
    hs = []
    for x in xs:
        h = np.tanh(w * x)
        hs.append(h)
    return np.sum(np.array(hs) ** 2) + hs[0] * hs[1]


def listed_rows(w: Any, rows: Any) -> Any:
    hs = []
    for row in rows:
        h = np.tanh(w * row)
        hs.append(h * np.exp(h))
    total = 0.0
    for k in range(len(hs)):
        total += np.sum(hs[k] ** 2) * total + np.sum(np.sin(hs[k] * w))
    return total


def added_in_place(w: Any, b: Any, rows: Any) -> Any:
    """The gradient of h, that goes on to other trips, is added to where it is."""
    acc = np.zeros(2)
    for row in rows:
        h = np.tanh(w @ row + b)
        g = np.exp(h) @ w
        acc = np.sin(acc * 0.9 + g * h + np.dot(w, h))
    return np.sum(acc ** 2)


def comprehended(w: Any, v: Any, xs: Any) -> Any:
    hs = [np.tanh(w * x) for x in xs]
    return np.sqrt(sum([np.exp(h * v) for h in hs]))


def both(w: Any, v: Any, xs: Any) -> Any:
    """Two loops beside each other."""
    a = 0.0
    for x in xs:
        h = np.sin(w * x)
        a += np.exp(h) * h
    b = 1.0
    for x in xs:
        r = np.cos(v * x)
        b += np.exp(r) * r
    return np.sqrt(a * a + b * b)


SCALARS = (0.7, -1.2)
ROWS = np.array([[0.3, 1.0], [-0.2, 0.5], [0.9, 0.1]])
CASES: dict[str, tuple[Callable[..., Any], Any, tuple[Any, ...]]] = {
    "squares": (squares, (0, 1), (*SCALARS, XS, YS)),
    "one of them": (squares, 1, (*SCALARS, XS, YS)),
    "steps": (steps, (0, 1), (*SCALARS, XS, 2)),
    "branches": (branches, 0, (1.3, XS, YS)),
    "called": (called, (0, 1), (*SCALARS, XS)),
    "vectors": (steps, (0, 1), (np.array(0.7), np.array(-1.2), XS, 2)),
    "reused": (reused, 0, (0.7, XS)),
    "places": (at_places, 0, (np.array([0.4, -0.9]), XS, np.array([1, 0, 1]))),
    "before": (before_the_loop, 0, (0.7, XS)),
    "subtracted": (subtracted, 0, (0.7, XS)),
    "listed": (listed, 0, (0.7, XS)),
    "listed rows": (listed_rows, 0, (np.array([0.4, -0.9]), ROWS)),
    "in place": (added_in_place, (0, 1), (np.eye(2) * 0.4 + 0.1, np.array([0.2, 0.3]), ROWS)),
    "both": (both, (0, 1), (*SCALARS, XS)),
}
RECURRENT = (recurrent, (0, 1), (np.full((2, 3), 0.4), np.eye(3) * 0.5, ROWS))


def numbers(x: Any) -> Any:
    return np.concatenate([np.ravel(one) for one in (x if isinstance(x, tuple) else (x,))])


def mean_over_all(df: Any, args: Any, k: int, loops: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The mean gradient over all draws of k of three trips in so many loops; loops are told apart by their keys."""
    total, count = 0.0, 0
    for drawn in itertools.product(itertools.product(range(3), repeat=k), repeat=loops):
        keys: dict[int, Any] = {}
        monkeypatch.setattr(samples, "_drawn", lambda key, d, k, method, keys=keys, drawn=drawn: np.array(
            keys.setdefault(key, drawn[len(keys) % len(drawn)])))
        total, count = total + numbers(df(*args)), count + 1
        assert len(keys) == loops
    assert count == 3 ** (k * loops)
    return total / count


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("like", [False, True], ids=["general", "for the arguments"])
@pytest.mark.parametrize("name", CASES)
def test_the_mean_over_all_draws_is_the_gradient(name: str, like: bool, k: int,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    fn, wrt, args = CASES[name]
    exact = numbers(tnb.grad(fn, wrt)(*args))
    df = tnb.grad(fn, wrt, tape=tnb.Sampled(k=k, method="paths"), like=args if like else None)
    assert "rt.paths(" in tnb.source(df) and exact.all()
    # what is added in place is kept for every trip: in the text for the arguments that leaves nothing to draw
    loops = 2 if name == "both" else 0 if name == "in place" and like else 1
    assert np.abs(mean_over_all(df, args, k, loops, monkeypatch) - exact).max() < 1e-12


@pytest.mark.parametrize("name", ["comprehended", "listed", "in place", "squares"])
def test_the_mean_of_the_raw_text_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fn, wrt, args = CASES[name] if name in CASES else (comprehended, (0, 1), (*SCALARS, XS))
    exact = numbers(tnb.grad(fn, wrt)(*args))
    df = tnb.grad(fn, wrt, tape=tnb.Sampled(k=1, method="paths"), like=args, optimized=False)
    assert np.abs(mean_over_all(df, args, 1, 1, monkeypatch) - exact).max() < 1e-12


def test_of_what_goes_on_from_trip_to_trip_all_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    fn, wrt, args = RECURRENT
    exact = numbers(tnb.grad(fn, wrt)(*args))
    df = tnb.grad(fn, wrt, tape=tnb.Sampled(k=1, method="paths"), like=args)
    assert "if way:\n            h_saved.append(h)" in tnb.source(df)
    assert np.abs(mean_over_all(df, args, 1, 1, monkeypatch) - exact).max() < 1e-12


def test_a_planted_scale_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Paths._weights
    monkeypatch.setattr(Paths, "_weights", lambda self: {i: 1.05 * w for i, w in plain(self).items()})
    fn, wrt, args = CASES["squares"]
    df = tnb.grad(fn, wrt, tape=tnb.Sampled(k=1, method="paths"), like=args)
    off = np.abs(mean_over_all(df, args, 1, 1, monkeypatch) - numbers(tnb.grad(fn, wrt)(*args)))
    assert off.max() > 1e-3


def test_the_value_is_exact_and_the_gradient_spread() -> None:
    fn, wrt, args = CASES["squares"]
    df = tnb.value_and_grad(fn, wrt, tape=tnb.Sampled(0.5, method="paths", seed=1))
    found = [df(*args) for _ in range(2000)]
    assert {float(value) for value, _ in found} == {float(fn(*args))}
    gradients = np.array([numbers(one) for _, one in found])
    error = gradients.std(axis=0) / np.sqrt(len(found))
    off = np.abs(gradients.mean(axis=0) - numbers(tnb.grad(fn, wrt)(*args)))
    assert (error > 0).all() and (off < 4.5 * error).all()


def test_the_same_for_the_same_seed_and_another_at_each_call() -> None:
    fn, wrt, args = CASES["steps"]
    one, other = (tnb.grad(fn, wrt, tape=tnb.Sampled(k=1, method="paths", seed=5)) for _ in range(2))
    found = [one(*args) for _ in range(6)]
    assert found == [other(*args) for _ in range(6)] and len(set(found)) > 1


def test_the_tape_has_the_drawn_trips_alone() -> None:
    xs = np.linspace(-1.0, 1.0, 1000)
    args = (*SCALARS, xs, xs)
    saved = {}
    for tape in (None, tnb.Sampled(k=10, method="paths", seed=0)):
        report = tnb.tape_report(tnb.grad(squares, (0, 1), tape=tape, like=args), *args)
        saved[tape is None] = sum(one.count for one in report if one.name in ("h", "r"))
    assert saved[True] == 2000 and saved[False] <= 20


@pytest.mark.parametrize("n", [0, 1])
def test_loops_of_few_trips(n: int) -> None:
    args = (*SCALARS, XS[:n], 2)
    df = tnb.grad(steps, (0, 1), tape=tnb.Sampled(k=2, method="paths"))
    assert np.allclose(numbers(df(*args)), numbers(tnb.grad(steps, (0, 1))(*args)), rtol=1e-14, atol=0)


def test_both_halves_and_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    fn, wrt, args = CASES["squares"]
    first, second = tnb.autodiff(fn, wrt, motion="split", tape=tnb.Sampled(k=1, method="paths"))
    _, kept = first(*args)
    assert second(kept, 2.0) == second(kept, 2.0)
    back = tnb.vjp(fn, wrt, tape=tnb.Sampled(k=1, method="paths"))
    found = mean_over_all(back, (*args, 2.0), 1, 1, monkeypatch)
    assert np.abs(found - 2.0 * numbers(tnb.grad(fn, wrt)(*args))).max() < 1e-12


# ------------------------------------------------------------------ what stays exact
def after_one_another(w: Any, xs: Any) -> Any:
    """The second loop reads what the first has made: its paths lie before those."""
    u = 0.0
    for x in xs:
        h = np.sin(w * x)
        u += np.exp(h) * h
    total = 0.0
    for x in xs:
        r = np.cos(u * x)
        total += np.exp(r) * r
    return np.sqrt(total + 4.0)


def test_paths_do_not_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    args = (0.7, XS)
    df = tnb.grad(after_one_another, 0, tape=tnb.Sampled(k=1, method="paths"), like=args)
    assert "its paths would meet those of another loop" in tnb.explain(df)
    assert tnb.source(df).split("\n\n\n")[0].count("rt.paths(") == 1
    exact = numbers(tnb.grad(after_one_another)(*args))
    assert np.abs(mean_over_all(df, args, 1, 1, monkeypatch) - exact).max() < 1e-12


def asks(w: Any, v: Any, xs: Any) -> Any:
    a = 0.0
    with tnb.sampled(k=2):
        for x in xs:
            h = np.sin(w * x)
            a += np.exp(h) * h
    b = 1.0
    with tnb.sampled(exact=True):
        for x in xs:
            r = np.cos(v * x)
            b += np.exp(r) * r
    return np.sqrt(a * a + b * b)


def test_lines_have_their_own() -> None:
    args = (*SCALARS, XS)
    df = tnb.grad(asks, (0, 1), tape=tnb.Sampled(k=1, method="paths"), like=args)
    text = tnb.source(df).split("\n\n\n")[0]
    assert text.count("rt.paths(") == 1 and "stream, k=2)" in text
    assert "as it was asked for" in tnb.explain(df)
    assert {df(*args)[1] for _ in range(5)} == {tnb.grad(asks, (0, 1))(*args)[1]}


def clipped(w: Any, xs: Any) -> Any:
    u = w * w
    with tnb.insert_grad_of(u) as bu:
        bu = np.minimum(bu, 0.1)
    total = 0.0
    for x in xs:
        h = np.sin(u * x)
        total += np.exp(h) * h
    return np.sqrt(total + 4.0)


def clipped_inside(w: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = np.sin(w * x)
        with tnb.insert_grad_of(h) as bh:
            bh = np.minimum(bh, 0.1)
        total += np.exp(h) * h
    return np.sqrt(total + 4.0)


@pytest.mark.parametrize("fn", [clipped, clipped_inside])
def test_what_is_not_linear_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(tnb.errors.TangentError, match="insert_grad_of changes the gradient there as it likes"):
        tnb.grad(fn, tape=tnb.Sampled(k=1, method="paths"))
