"""Path sampling in functions that are called, in branches and loops, of containers, on JAX: the mean over all draws is
the gradient."""
from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.runtime.drawn_trips import Paths

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from trip_cases import CALLED, HELD, XS, branch, called_in_a_drawn_loop, loop_in_loop, twice


# ------------------------------------------------------------------ the mean
def numbers(x: Any) -> Any:
    if isinstance(x, dict):
        x = [x[key] for key in sorted(x)]
    return np.concatenate([numbers(one) for one in x]) if isinstance(x, (tuple, list)) else np.ravel(np.asarray(x))


@contextmanager
def drawing(kind: Any, place: Callable[[Any], list[int]]) -> Iterator[None]:
    """Other places than the key of each loop gives. kind: of the draws, on NumPy or on JAX."""
    usual = kind._places
    kind._places = place
    try:
        yield
    finally:
        kind._places = usual


def mean_over_all(df: Callable[[], Any], kind: Any = Paths) -> tuple[Any, int]:
    """The mean over all draws of all loops that are run, each told by its key; how many there are."""
    found: dict[str, tuple[int, int]] = {}
    with drawing(kind, lambda ways: [0] * ways.k * bool(found.setdefault(repr(ways.key), (ways.n, ways.k)))):
        df()
    total, count = 0.0, 0
    for drawn in itertools.product(*(itertools.product(range(n), repeat=k) for n, k in found.values())):
        keys: dict[str, Any] = {}
        with drawing(kind, lambda ways, keys=keys, drawn=drawn: [  # type: ignore[misc]
                *keys.setdefault(repr(ways.key), drawn[min(len(keys), len(drawn) - 1)])]):
            total, count = total + numbers(df()), count + 1
        assert len(keys) == len(found)
    return total / count, len(found)


FORMS: dict[str, Callable[[tuple[Any, ...]], dict[str, Any]]] = {
    "general": lambda args: {}, "for the arguments": lambda args: {"like": args},
    "raw": lambda args: {"optimized": False}, "raw, for the arguments": lambda args: {"like": args, "optimized": False}}
STAYS_EXACT = {("branches", "for the arguments")}          # each trip gives the next one back its h there


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CALLED)
def test_the_mean_is_the_gradient(name: str, form: str, k: int) -> None:
    fn, xs = CALLED[name]
    args = (0.7, 0.6, xs)
    exact = numbers(tnb.grad(fn, (0, 1))(*args))
    df = tnb.grad(fn, (0, 1), tape=tnb.Sampled(k=k, method="paths"), **FORMS[form](args))
    mean, loops = mean_over_all(lambda: df(*args))
    assert np.abs(mean - exact).max() < 1e-12 and exact.any()
    assert (loops == 0) is ((name, form) in STAYS_EXACT)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", HELD)
def test_weights_in_containers(name: str, form: str) -> None:
    fn, args = HELD[name]
    exact = numbers(tnb.grad(fn)(*args))
    df = tnb.grad(fn, tape=tnb.Sampled(k=1, method="paths"), **FORMS[form](args))
    mean, loops = mean_over_all(lambda: df(*args))
    assert np.abs(mean - exact).max() < 1e-12 and exact.all() and loops == 1


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("name", [*CALLED, *HELD])
def test_on_jax(name: str, optimized: bool) -> None:
    jax = pytest.importorskip("jax")
    from tangent_nb.backends.jax_runtime.drawn_trips import Paths as OnJax

    fn, args = (CALLED[name][0], (0.7, 0.6, CALLED[name][1])) if name in CALLED else HELD[name]
    wrt = (0, 1) if name in CALLED else 0
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        given = jax.tree.map(jax.numpy.asarray, args)
        if name in ("with", "try", "functions"):
            with pytest.raises(tnb.errors.TangentError):
                tnb.grad(fn, wrt, backend="jax")
            return
        exact = numbers(tnb.grad(fn, wrt, backend="jax")(*given))
        df = tnb.grad(fn, wrt, backend="jax", optimized=optimized, tape=tnb.Sampled(k=1, method="paths"))
        mean, loops = mean_over_all(lambda: df(*given), OnJax)
        assert np.abs(mean - exact).max() < 1e-12 and exact.any() and loops > 0


def test_keys_of_jax() -> None:
    jax = pytest.importorskip("jax")
    x = jax.numpy.asarray(np.linspace(-1.0, 1.0, 20, dtype=np.float32))
    w = np.float32(0.7)
    one, other = (tnb.grad(twice, backend="jax", tape=tnb.Sampled(k=2, method="paths", seed=3)) for _ in range(2))
    assert one(w, w, x, key=jax.random.key(1)) == other(w, w, x, key=jax.random.key(1)) \
        == one(w, w, x, key=jax.random.PRNGKey(1)) != one(w, w, x, key=jax.random.key(2))
    found = [float(one(w, w, x)) for _ in range(5)]
    assert found == [float(other(w, w, x)) for _ in range(5)] and len(set(found)) == 5


@pytest.mark.parametrize("name", ["twice", "loop in loop", "left early in calls"])
def test_a_planted_scale_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Paths._weights
    monkeypatch.setattr(Paths, "_weights", lambda self: {i: 1.05 * w for i, w in usual(self).items()})
    fn, xs = CALLED[name]
    df = tnb.grad(fn, (0, 1), tape=tnb.Sampled(k=1, method="paths"))
    mean, _ = mean_over_all(lambda: df(0.7, 0.6, xs))
    exact = numbers(tnb.grad(fn, (0, 1))(0.7, 0.6, xs))
    assert np.abs(mean - exact).max() > 0.01 * np.abs(exact).max()


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("name", ["twice", "left early", "left early in calls", "left of a range"])
def test_further_derivatives_are_right_on_average(name: str, optimized: bool) -> None:
    fn, xs = CALLED[name]
    due = float(tnb.hessian(fn)(0.7, 0.6, xs))
    df = tnb.grad(fn, tape=tnb.Sampled(k=1, method="paths"), optimized=optimized)
    forward, reverse = tnb.jvp(df), tnb.grad(df)
    assert abs(mean_over_all(lambda: forward(0.7, 0.6, xs, 1.0))[0] - due) < 1e-12
    assert abs(mean_over_all(lambda: reverse(0.7, 0.6, xs))[0] - due) < 1e-12


# ------------------------------------------------------------------ what is said, and saved
def test_each_call_has_its_own_draws() -> None:
    df = tnb.grad(twice, (0, 1), tape=tnb.Sampled(k=1, method="paths", seed=0))
    keys: set[str] = set()
    with drawing(Paths, lambda ways: [keys.add(repr(ways.key)) or 0]):        # type: ignore[func-returns-value, list-item]
        df(0.7, 0.6, XS)
    assert len(keys) == 2
    assert "sampled: the loop over x (line 16)" in tnb.explain(df)


def test_the_tape_of_functions_that_are_called() -> None:
    xs = np.linspace(-1.0, 1.0, 1000)
    saved = {}
    for tape in (None, tnb.Sampled(k=10, method="paths", seed=0)):
        report = tnb.tape_report(tnb.grad(twice, (0, 1), tape=tape, like=(0.7, 0.6, xs)), 0.7, 0.6, xs)
        saved[tape is None] = sum(one.count for one in report if one.name == "h" and one.kind == "exact")
    assert saved[True] == 2000 and saved[False] <= 40


def test_one_loop_of_those_on_a_way_is_drawn() -> None:
    df = tnb.grad(called_in_a_drawn_loop, (0, 1), tape=tnb.Sampled(k=1, method="paths"))
    said = tnb.explain(df)
    assert tnb.source(df).count("rt.paths(") == 1
    assert "(line 16): its paths would meet those of another loop" in said


def asks_inside(w: Any, v: Any, xs: Any) -> Any:
    h = w
    for _ in range(2):
        s = 0.0
        with tnb.sampled(k=2):
            for x in xs:
                r = np.sin(v * x)
                s += np.exp(r) * r
        h = np.tanh(h * s)
    return h


def test_what_lines_ask_for_is_for_the_loop_that_is_drawn() -> None:
    text = tnb.source(tnb.grad(asks_inside, (0, 1), tape=tnb.Sampled(k=1, method="paths"), optimized=False))
    assert text.count("rt.paths(") == 1 and "stream, k=2)" in text and "ways_saved.append(ways)" in text


def fused(w: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        total += np.exp(w * x)
    r = 0.0
    for x in xs:
        h = np.sin(w * x)
        r += np.exp(h) * h
    return total * r


def test_a_loop_that_saves_nothing_is_said_to() -> None:
    df = tnb.grad(fused, tape=tnb.Sampled(k=1, method="paths"), like=(0.7, XS))
    assert "nothing is saved in its trips" in tnb.explain(df)
    mean, _ = mean_over_all(lambda: df(0.7, XS))
    assert np.abs(mean - tnb.grad(fused)(0.7, XS)).max() < 1e-12


def test_a_file_goes_on_with_its_stream(tmp_path: Path) -> None:
    one, other = (tnb.grad(loop_in_loop, (0, 1), tape=tnb.Sampled(k=1, method="paths", seed=3), optimized=False)
                  for _ in range(2))
    tnb.export(one, str(path := tmp_path / "taken.py"))
    spec: Any = importlib.util.spec_from_file_location("taken", path)
    spec.loader.exec_module(taken := importlib.util.module_from_spec(spec))
    args = (0.7, 0.6, XS)
    assert [getattr(taken, one.__name__)(*args) for _ in range(4)] == [other(*args) for _ in range(4)]


def test_the_halves_of_split_motion_run_again() -> None:
    first, second = tnb.autodiff(loop_in_loop, (0, 1), motion="split", tape=tnb.Sampled(k=1, method="paths"),
                                 optimized=False)
    _, kept = first(0.7, 0.6, XS)
    assert second(kept, 1.0) == second(kept, 1.0)
    for v in (0.6, -0.6):
        first, second = tnb.autodiff(branch, (0, 1), motion="split", tape=tnb.Sampled(k=1, method="paths"))
        mean, _ = mean_over_all(lambda first=first, second=second, v=v: second(  # type: ignore[misc]
            first(0.7, v, XS)[1], 1.0))
        assert np.abs(mean - numbers(tnb.grad(branch, (0, 1))(0.7, v, XS))).max() < 1e-12
