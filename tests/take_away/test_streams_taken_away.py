"""Sampled tapes, few states of loops, and changes that are undone, in files: the same numbers to the last bit."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from loading import imported, loaded, same

import tangent_nb as tnb
from tangent_nb import checkpoint, checkpointed
from tangent_nb.errors import TangentError
from tangent_nb.take_away import exported

RNG = np.random.default_rng(5)
f = RNG.standard_normal


def dense(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(x @ w1, 0.0)
    return np.sum((h @ w2) ** 2)


def step(h: Any, w: Any, n: int) -> Any:
    for _ in range(n):
        h = np.maximum(h @ w, 0.0)
    return h


def called(w1: Any, w2: Any, x: Any) -> Any:
    return np.sum(step(step(x, w1, 2), w2, 1) ** 2)


def heat(u: Any, k: Any, n: int) -> Any:
    for _ in checkpointed(range(n), memory=3):
        u = u + k * np.cos(u) * (np.roll(u, 1) - u)
    return np.sum(u * u)


def until(u: Any, k: Any) -> Any:
    i = 0
    while checkpointed(i < 9, memory=3):
        u = u + k * np.cos(u)
        i = i + 1
    return np.sum(u * u)


def layer(x: Any, w: Any) -> Any:
    return np.tanh(w @ x)


def blocks(x: Any, w: Any) -> Any:
    h = checkpoint(layer)(x, w)
    with checkpoint():
        y = np.sin(h) * h
        z = y * y
    return np.sum(z)


def drawn(x: Any, n: int) -> Any:
    rng = np.random.default_rng(n)
    s = 0.0
    for _ in checkpointed(range(4), memory=1):
        s = s + np.sum(np.sin(x * rng.random()))
    return s


def undone(x: Any, w: Any, n: int) -> Any:
    x = x.copy()
    for i in range(n):
        x += np.sin(w * i)
        x *= 2.0
    return np.sum(x * x)


def sampled_loop(w: Any, x: Any, n: int) -> Any:
    h = x
    for _ in checkpointed(range(n), memory=2):
        h = np.maximum(h @ w, 0.0)
    return np.sum(h * h)


W, X = f((2, 5, 5)), f((4, 5))
DENSE = (f((5, 6)), f((6, 3)), X)
MAKES: dict[str, tuple[Callable[[], Any], tuple[Any, ...]]] = {
    **{f"{method} {share}": (lambda method=method, share=share: tnb.grad(dense, (0, 1), tape=tnb.Sampled(
        0.5, method=method, share=share, seed=3)), DENSE)
       for method, share in [("with_replacement", "batch"), ("with_replacement", "none"),
                             ("without_replacement", "batch"), ("without_replacement", "none"),
                             ("rademacher", "batch")]},
    "a Generator": (lambda: tnb.grad(dense, (0, 1), tape=tnb.Sampled(0.5, seed=np.random.default_rng(9))), DENSE),
    "a child": (lambda: tnb.grad(dense, (0, 1), tape=tnb.Sampled(
        0.5, seed=np.random.default_rng(9).spawn(3)[1])), DENSE),
    "without passes": (lambda: tnb.grad(dense, (0, 1), optimized=False, tape=tnb.Sampled(0.5, seed=3)), DENSE),
    "called": (lambda: tnb.value_and_grad(called, (0, 1), tape=tnb.Sampled(0.5, seed=3)), (*W, X)),
    "sampled steps": (lambda: tnb.grad(sampled_loop, tape=tnb.Sampled(0.5, seed=3)), (W[0], X, 5)),
    "heat": (lambda: tnb.grad(heat, (0, 1)), (f(6), 0.1, 11)), "until": (lambda: tnb.grad(until, (0, 1)), (f(6), 0.1)),
    "blocks": (lambda: tnb.grad(blocks, (0, 1)), (f(5), W[0])), "drawn": (lambda: tnb.grad(drawn), (f(3), 2)),
    "undone": (lambda: tnb.grad(undone, optimized="+invert_updates"), (f(4), 0.3, 5)),
    "undone and all": (lambda: tnb.grad(undone), (f(4), 0.3, 5)),
}


@pytest.mark.parametrize("name", MAKES)
def test_the_numbers_are_the_same(name: str, tmp_path: Path) -> None:
    make, args = MAKES[name]
    df, other = make(), make()
    tnb.export(df, tmp_path / "taken.py")
    away = getattr(imported(tmp_path / "taken.py"), df.__name__)
    for _ in range(3):                                     # of a stream the next samples too
        assert same(away(*args), other(*args))


@pytest.mark.parametrize("made", ["sampled", "checkpointed"])
def test_both_halves(made: str, tmp_path: Path) -> None:
    def make() -> Any:
        return tnb.autodiff(dense, (0, 1), motion="split", tape=tnb.Sampled(0.5, seed=3)) if made == "sampled" \
            else tnb.autodiff(heat, (0, 1), motion="split")

    args = DENSE if made == "sampled" else (f(6), 0.1, 11)
    halves, (forward, backward) = make(), make()
    tnb.export(halves, tmp_path / "taken.py")
    module = imported(tmp_path / "taken.py")
    (value, residuals), (expected, others) = getattr(module, forward.__name__)(*args), forward(*args)
    assert same(value, expected)
    for seed in (1.0, 2.0):
        assert same(getattr(module, backward.__name__)(residuals, seed), backward(others, seed))


def test_a_stream_goes_on_where_it_was() -> None:
    df, other = (tnb.grad(dense, (0, 1), tape=tnb.Sampled(0.5, seed=3)) for _ in range(2))
    assert "stream = np.random.default_rng(3)" in exported(df)
    for _ in range(2):
        df(*DENSE), other(*DENSE)
    text = exported(df)
    assert "default_rng(3)" not in text and "stream_at(3, " in text
    away = getattr(loaded(text), df.__name__)
    for _ in range(2):
        assert same(away(*DENSE), other(*DENSE))
    assert same(df(*DENSE), getattr(loaded(text), df.__name__)(*DENSE))     # writing it has drawn nothing


def test_one_stream_of_several_functions_is_one(tmp_path: Path) -> None:
    make, args = MAKES["called"]
    text = exported(make())
    assert text.count("default_rng(3)") == 1 and text.count("rt.sample(") >= 2


def test_with_texts_for_examples() -> None:
    def make() -> Any:
        return tnb.grad(dense, (0, 1), tape=tnb.Sampled(0.5, seed=3), like=DENSE)

    away, other = getattr(loaded(exported(make(), versions=True)), make().__name__), make()
    for args in (DENSE, tuple(one.astype(np.float32) for one in DENSE), DENSE):
        assert same(away(*args), other(*args))


def twice_named(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(x @ w1, 0.0)
    g = h
    h = h @ w2
    return np.sum(h * (g @ w2))


def test_the_text_for_some_arguments_draws_what_it_needs_itself() -> None:
    df = tnb.grad(twice_named, (0, 1), tape=tnb.Sampled(0.5, seed=3))
    df(*DENSE)
    text = exported(df, versions=True)
    general, first = [one for one in text.split("\ndef ") if "rt.sample(" in one and "# forward" in one]
    assert first.count("rt.sample(") < general.count("rt.sample(")         # so that their streams part
    assert same(getattr(loaded(text), df.__name__)(*DENSE), df(*DENSE))


NOISE = np.random.default_rng(8)


def noisy(x: Any) -> Any:
    return x * NOISE.random(dtype=np.float32) + x * NOISE.normal()


def test_generators_of_the_user() -> None:
    df = tnb.grad(noisy)
    df(1.0)
    away = getattr(loaded(exported(df)), df.__name__)
    for _ in range(2):
        assert same(away(2.0), df(2.0))


@pytest.mark.parametrize("stream", [np.random.Generator(np.random.MT19937(1)), np.random.Generator(np.random.Philox(1)),
                                    np.random.default_rng([1, 2])], ids=["MT19937", "Philox", "several"])
def test_other_streams_are_refused(stream: Any) -> None:
    with pytest.raises(TangentError, match="make it np.random.default_rng"):
        exported(tnb.grad(dense, tape=tnb.Sampled(0.5, seed=stream)))
