"""Derivatives that have no text for all arguments: one is made for those of a call, and serves all that are made so."""
from __future__ import annotations

import pickle
import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import RefusedError, TangentError

pytestmark = pytest.mark.sampled(4)

POINT = np.array([0.3, 0.7, 1.1])
OTHER = types.ModuleType("other")
for _name, _value in {"tanh": np.sin, "exp": np.exp, "sum": np.sum, "zeros": np.zeros}.items():
    setattr(OTHER, _name, _value)
TEXT = """\
class Layer:
    def __init__(self, w): self.w = w
    def apply(self, t): return self.w * t
    def bend(self, t): return np.tanh(self.w * t)
def module(x, xp): return xp.sum(xp.tanh(x))
def default(x, xp=np): return xp.sum(xp.tanh(x))
def keyword(x, *, xp): return xp.sum(xp.tanh(x))
def helper(x, xp): return inner(x, xp) * 2.0
def inner(x, xp): return xp.sum(xp.tanh(x))
def loop(x, xp, n=2):
    y = xp.tanh(x)
    for i in range(n):
        y = y * xp.exp(-y)
    return xp.sum(y)
def changes(x, xp):
    y = xp.zeros(3)
    y[:] = xp.tanh(x)
    return xp.sum(y * y)
def named(x, config):
    xp = config["library"]
    for scale in config["scales"]:
        x = xp.tanh(x) * scale
    return xp.sum(x)
def of_dict(x, libraries): return libraries["main"].sum(libraries["main"].tanh(x))
def keywords(x, options): return np.sum(scaled(x, **options))
def scaled(t, scale=1.0, shift=0.0): return t * scale + t * t * shift
def stars(x, fn, args): return np.sum(fn(x, *args))
def method(x, layer, name): return np.sum(getattr(layer, name)(x))
def sliced(x, *given): return np.sum(given[0](x, *given[1:]))
def notes(x, fn, args):
    log = [fn(x, *args)]
    log.append(log[0] * x)
    return np.sum(log[0] * log[1])
def many(x, *rest): return rest[0].sum(rest[0].tanh(x))
def held(x, xp): return Held(xp).run(x)
class Held:
    def __init__(self, xp): self.xp = xp
    def run(self, x): return self.xp.sum(self.xp.tanh(x))
"""
MADE = sourced(TEXT, {"np": np, "__name__": "cell"})
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    *((name, (xp,), {}) for name in ("module", "default", "helper", "loop", "changes", "many", "held")
      for xp in (np, OTHER)),
    ("default", (), {}), ("keyword", (), {"xp": np}), ("keyword", (), {"xp": OTHER}), ("loop", (np,), {"n": 4}),
    ("of_dict", ({"main": np},), {}), ("of_dict", ({"main": OTHER, "second": np},), {}),
    ("named", ({"library": np, "scales": [1.0, 2.0]},), {}), ("keywords", ({"scale": 3.0},), {}),
    ("keywords", ({"shift": 2.0, "scale": 3.0},), {}), ("keywords", ({},), {}),
    ("stars", (lambda t, a, b: t * a + t * t * b, (2.0, 3.0)), {}), ("stars", (lambda t: t * t, ()), {}),
    ("sliced", (np.tanh,), {}), ("sliced", (lambda t, a, b: t * a + t * t * b, 2.0, 3.0), {}),
    ("notes", (lambda t, a: t * a, (2.0,)), {}),
    ("method", (MADE["Layer"](2.0), "apply"), {}), ("method", (MADE["Layer"](2.0), "bend"), {}),
]


def slopes(f: Callable[..., Any], h: float = 1e-6) -> Any:
    return np.array([(f(POINT + step) - f(POINT - step)) / (2.0 * h) for step in np.eye(3) * h])


@pytest.mark.parametrize("name, given, keywords", CALLS)
def test_a_text_for_each_call(name: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    f = MADE[name]
    due = slopes(lambda x: f(x, *given, **keywords))
    for optimized in (True, False):
        df = tnb.grad(f, optimized=optimized)
        for _ in range(2):
            np.testing.assert_allclose(df(POINT, *given, **keywords), due, rtol=1e-5, atol=1e-6)
    value, found = tnb.value_and_grad(f)(POINT, *given, **keywords)
    np.testing.assert_allclose(value, f(POINT, *given, **keywords))
    np.testing.assert_allclose(found, due, rtol=1e-5, atol=1e-6)
    examples = tnb.grad(f, like=(POINT, *given))
    np.testing.assert_allclose(examples(POINT, *given, **keywords), due, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["module", "loop", "helper", "changes"])
def test_tangents_seeds_and_second_derivatives(name: str) -> None:
    f = MADE[name]
    for xp in (np, OTHER):
        due = slopes(lambda x, xp=xp: f(x, xp))
        push, pull = tnb.jvp(f), tnb.vjp(f)
        tangent = push(POINT, xp, dx=POINT) if _by_keyword(push) else push(POINT, xp, POINT)
        np.testing.assert_allclose(tangent, np.sum(due * POINT), rtol=1e-5)
        found = pull(POINT, xp, seed=2.0) if _by_keyword(pull) else pull(POINT, xp, 2.0)
        np.testing.assert_allclose(found, 2.0 * due, rtol=1e-5)
        if name != "changes":
            df, steps = tnb.grad(f), np.eye(3) * 1e-6
            second = np.array([df(POINT + step, xp) - df(POINT - step, xp) for step in steps]) / 2e-6
            np.testing.assert_allclose(tnb.hessian(f)(POINT, xp), second, rtol=1e-4, atol=1e-5)


def _by_keyword(fn: Any) -> bool:
    return bool(fn.__code__.co_kwonlyargcount)


def test_the_general_text_does_not_change_and_the_others_are_there() -> None:
    df = tnb.grad(MADE["loop"])
    general = tnb.source(df)
    why = "xp.sum(...) is taken for a method of an array, since it is not known beforehand what xp is"
    assert general == (f"def dloop_dx(x, xp, n=2):\n    # {why}\n"
                       "    return rt.version(versions, x=x, xp=xp, n=n)(x, xp, n)\n")
    assert list(tnb.versions(df)) == ["general"]
    df(POINT, np)
    first = tnb.versions(df)["xp: numpy, x: f8[n], n: int"]
    df(POINT, OTHER)
    df(POINT[:2], np)
    assert list(tnb.versions(df)) == [*(f"xp: {xp}, x: f8[n], n: int" for xp in ("numpy", "other")), "general"]
    assert tnb.source(df) == general and tnb.versions(df)["xp: numpy, x: f8[n], n: int"] == first
    assert first.startswith("def dloop_dx(x, xp, n=2):\n    # forward\n")          # nobody else calls it


def test_eight_texts_are_kept() -> None:
    df = tnb.grad(MADE["module"])
    for count in range(12):
        library = types.ModuleType(f"other_{count}")
        vars(library).update(sum=np.sum, tanh=np.tanh)
        df(POINT, library)
    assert len(tnb.versions(df)) == 9


def test_one_text_binds_keywords_when_it_runs() -> None:
    df = tnb.grad(MADE["keywords"])
    kinds = [{"scale": 1.0, "shift": 2.0}, {"shift": 1.0, "scale": 2.0}, {"scale": 1.0}, {"shift": 1.0}, {}]
    for options in kinds * 3:
        np.testing.assert_allclose(df(POINT, options), slopes(lambda x, o=options: MADE["keywords"](x, o)), rtol=1e-5)
    assert list(tnb.versions(df)) == ["x: f8[n]", "general"]


def test_what_is_refused_is_refused_at_the_call() -> None:
    df = tnb.grad(MADE["module"])
    for _ in range(2):
        with pytest.raises(RefusedError, match="not known beforehand what xp is"):
            df(POINT, 3.0)
    np.testing.assert_allclose(df(POINT, np), 1.0 - np.tanh(POINT) ** 2)
    with pytest.raises(TypeError, match="xp"):
        df(POINT)
    report = tnb.report(MADE["module"])
    assert report.startswith("module is differentiated when it is called, for arguments that are made as those of the "
                             "call are; or with like=\n") and "what xp is" in report


def test_what_is_refused_for_all_arguments_is_refused_at_once() -> None:
    f = sourced("def f(x, xp):\n    y = x * 1.0\n    del y[0]\n    return xp.sum(y)\n")["f"]
    with pytest.raises(RefusedError, match="del takes a part"):
        tnb.grad(f)
    local = sourced("def f(x, n):\n    xp = libraries[0]\n    return xp.sum(x)\n", {"np": np, "libraries": [np]})["f"]
    with pytest.raises(RefusedError, match="what xp is"):
        tnb.grad(local)


@pytest.mark.parametrize("change", [
    "[c.update(main=OTHER) for c in [libraries]]", "swap(libraries)", "kind = swap(libraries)", "declared(libraries)",
    "libraries['main'] = OTHER", "for c in [libraries]: c['main'] = OTHER", "libraries.update(main=OTHER)"])
def test_what_a_text_relies_on_is_not_changed(change: str) -> None:
    f = sourced("def swap(c): c['main'] = OTHER\n@tnb.non_differentiable\ndef declared(c): c['main'] = OTHER\n"
                f"def f(x, libraries):\n    y = libraries['main'].tanh(x)\n    {change}\n"
                "    return np.sum(y * libraries['main'].tanh(x)) + libraries['main'].sum(x)\n",
                {"np": np, "OTHER": OTHER, "tnb": tnb})["f"]
    for make in (tnb.grad, tnb.jvp):
        with pytest.raises(TangentError):
            make(f)(POINT, {"main": np}, *([POINT] if make is tnb.jvp else []))


def test_threads_and_other_processes() -> None:
    df = tnb.grad(MADE["loop"])
    found: list[Any] = []
    threads = [threading.Thread(target=lambda xp=xp: found.append((xp, df(POINT, xp)))) for xp in (np, OTHER) * 8]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 16 and len(tnb.versions(df)) == 3
    for xp, gradient in found:
        np.testing.assert_allclose(gradient, slopes(lambda x, xp=xp: MADE["loop"](x, xp)), rtol=1e-5)
    again = pickle.loads(cloudpickle.dumps(df))
    assert list(tnb.versions(df)) != ["general"]
    np.testing.assert_allclose(again(POINT, np), df(POINT, np))


def test_split_motion_and_jax_say_what_to_do() -> None:
    for make in (lambda f: tnb.autodiff(f, motion="split"), lambda f: tnb.pullback(f, POINT, np)):
        with pytest.raises(RefusedError, match="not known beforehand what xp is"):
            make(MADE["module"])


def test_a_derivative_inside_says_what_to_do() -> None:
    df = tnb.grad(MADE["module"])
    f = sourced("def f(x): return np.sum(df(x, np) ** 2)\n", {"np": np, "df": df})["f"]
    with pytest.raises(RefusedError, match="there is a text for the arguments of each call alone"):
        tnb.grad(f)


STARS = """\
def line(w, b, x=1.0): return np.sum(w * x + b * b)
def by_keywords(p, x): return line(x=x, **p)
def by_place(p, x): return line(*p, x)
def of_a_part(p, x): return line(*p["rest"], x=x) * np.sum(p["w"])
def in_numpy(p, x): return np.sum(np.hypot(*p) * x)
"""


@pytest.mark.parametrize(("name", "made"), [
    ("by_keywords", lambda w, b: {"w": w, "b": b}), ("by_place", lambda w, b: (w, b)),
    ("by_place", lambda w, b: [w, b]), ("of_a_part", lambda w, b: {"w": w, "rest": (w, b)}),
    ("in_numpy", lambda w, b: (w, b))])
def test_stars_of_what_is_differentiated(name: str, made: Callable[[Any, Any], Any]) -> None:
    f = sourced("import numpy as np\n" + STARS)[name]
    w, b, change = POINT, POINT[::-1] + 1.0, np.array([0.2, -0.5, 0.4])

    def along(t: float) -> Any:
        return f(made(w + t * change, b - t * change), POINT)

    want = (along(1e-6) - along(-1e-6)) / 2e-6
    got = tnb.jvp(f)(made(w, b), POINT, made(change, -change))
    np.testing.assert_allclose(got, want, rtol=1e-6)
    for optimized in (True, False):
        gradient = tnb.grad(f, optimized=optimized)
        for _ in range(2):
            parts = tnb.jvp(f)(made(w, b), POINT, gradient(made(w, b), POINT))
            flat = sum(np.sum(np.square(one)) for one in _leaves(gradient(made(w, b), POINT)))
            np.testing.assert_allclose(parts, flat, rtol=1e-9)
        assert len(tnb.versions(gradient)) == 1
    with pytest.raises(TypeError):
        tnb.grad(f)(2.0, POINT)


def _leaves(x: Any) -> list[Any]:
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple)) else None
    return [x] if parts is None else [leaf for part in parts for leaf in _leaves(part)]


FUNCTIONS = """\
def on_one_path(x, gamma, n):
    if not callable(gamma):
        return x * gamma
    return x / gamma(n)

def on_another_path(x, gamma, n):
    y = x * x
    if n > 5:
        for _ in range(2):
            y = y * gamma(n)
    return y

def where_there_is_one(x, gamma=None, n=3):
    return x * n if gamma is None else x * x * gamma(n)
"""


@pytest.mark.parametrize("name", ["on_one_path", "on_another_path", "where_there_is_one"])
@pytest.mark.parametrize("optimized", [True, False])
def test_a_function_that_one_path_calls(name: str, optimized: bool) -> None:
    def doubled(n: float) -> float:
        return n * 2.0

    def counted(n: list[float]) -> float:
        n[0] = 1.0
        return n[0]
    f = sourced(FUNCTIONS)[name]
    df, moved = tnb.grad(f, optimized=optimized), tnb.jvp(f, optimized=optimized)
    for gamma, n in [(doubled, 7.0), (np.sqrt, 7.0), (doubled, 2.0), (lambda n: n + 1.0, 7.0), (doubled, 7.0)]:
        slope = (f(2.0 + 1e-6, gamma, n) - f(2.0 - 1e-6, gamma, n)) / 2e-6
        assert abs(df(2.0, gamma, n) - slope) < 1e-6 and abs(moved(2.0, gamma, n, dx=1.0) - slope) < 1e-6
    if name == "on_one_path":
        assert df(2.0, 3.0, 1.0) == 3.0
        with pytest.raises(TangentError, match="gamma may change its arguments"):
            df(2.0, counted, [0.0])


@pytest.mark.parametrize("name", ["function", "text", "versions", "self", "args", "keywords", "given", "stored"])
def test_parameters_may_have_any_name(name: str) -> None:
    """`function` was that of a function of ours, and a TypeError."""
    space = sourced(f"""\
class Model:
    def __init__(self): self.w = 2.0
    def go(self, x):
        self.w = self.w * x
        return self.w
def f(x, {name}): return {name}.go(x) * x
""", {"__name__": "cell"})
    assert tnb.grad(space["f"])(1.5, space["Model"]()) == pytest.approx(6.0)
    assert tnb.jvp(space["f"])(1.5, space["Model"](), 1.0) == pytest.approx(6.0)
