"""Texts for numbers and arrays of some classes, ranks and equal sizes, made at the first call with such arguments:
which one serves, when it is made, and that nothing else differs from the text for all arguments."""
from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb import pipeline
from tangent_nb.errors import NonFiniteError, TangentError

TEXT = """\
SCALE = 2.0
def layer(x, w, b):
    return np.sum(np.tanh(x @ w + b) ** 2)
def scaled(x, k=3.0):
    return np.sum(x * SCALE) * k
def helped(x):
    return np.sum(bent(x) + x[:1]) * 0.5
def bent(t):
    return np.tanh(t) * t
def keyword(x, *, k):
    return np.sum(x) * np.sum(k)
def starred(x, *rest, **options):
    return np.sum(x) * np.sum(rest[0]) * options["k"]
def listed(p, x):
    return np.sum(p[0] * x + p[1])
def rooted(x):
    return np.sum(np.sqrt(x)) / np.sum(x)
def rooted_in_part(x):
    return np.sum(np.sqrt(x)) / np.sum(x[1:] * x[1])
def counted(x, n):
    for _ in range(n):
        x = np.sin(x)
    return np.sum(x)
def squares(x, w):
    return np.sum((x * w) ** 2)
"""


@pytest.fixture
def made() -> dict[str, Any]:
    return sourced("import numpy as np\n" + TEXT)


@pytest.fixture
def derived(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What is derived."""
    found: list[Any] = []
    inner = pipeline._derived
    monkeypatch.setattr(pipeline, "_derived", lambda *given: found.append(given) or inner(*given))
    yield found


def uniform(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).uniform(0.5, 1.5, shape)


def keys(df: Callable[..., Any]) -> list[str]:
    return list(tnb.versions(df))


def for_all(f: Callable[..., Any], wrt: Any = 0) -> Callable[..., Any]:
    return tnb.grad(f, wrt, optimized=tnb.PASSES)


# ------------------------------------------------------------------ which text serves
def test_one_text_serves_all_sizes_and_is_made_once(made: dict[str, Any], derived: list[Any]) -> None:
    df = tnb.grad(made["layer"], "w")
    general, before = tnb.source(df), len(derived)
    for n, k, m in ((4, 3, 2), (5, 3, 2), (2, 7, 9), (4, 4, 4), (4, 3, 2)):
        args = uniform(n, k), uniform(k, m), uniform(m)
        np.testing.assert_allclose(df(*args), for_all(made["layer"], "w")(*args), rtol=1e-13)
    assert keys(df) == ["x: f8[n, k], w: f8[k, m], b: f8[m]", "general"]
    assert sum(request.served for _, request in derived[before:]) == 1
    assert tnb.source(df) == general == tnb.versions(df)["general"]
    assert "rt." not in tnb.versions(df)[keys(df)[0]]


def test_sizes_of_one_have_texts_of_their_own(made: dict[str, Any]) -> None:
    df = tnb.grad(made["squares"])
    for x, w in ((uniform(3), uniform(3)), (uniform(1), uniform(3)), (uniform(4, 3), uniform(3)), (2.0, uniform(3))):
        np.testing.assert_allclose(df(x, w), 2.0 * x * np.sum(np.broadcast_to(w ** 2, np.shape(x * w)), axis=tuple(
            place for place in range(np.ndim(w * x)) if np.ndim(x) <= place or np.shape(x)[place] == 1))
            if np.size(x) == 1 else 2.0 * x * w ** 2)
    assert keys(df) == ["x: float, w: f8[n]", "x: f8[n, k], w: f8[k]", "x: f8[1], w: f8[n]", "x: f8[n], w: f8[n]",
                        "general"]


@pytest.mark.parametrize(("given", "key"), [
    ((np.float64(2.0), uniform(3)), "w: f8[n]"), ((2, uniform(3)), "w: f8[n]"),
    ((uniform(3), [1.0, 2.0, 3.0]), "x: f8[n]"),
    ((uniform(3), np.float32(2.0)), "x: f8[n]"), ((uniform(3), np.arange(3)), "x: f8[n], w: i8[n]"),
    ((uniform(3).astype("f4"), 2), "x: f4[n], w: int"), ((uniform(0), uniform(0)), "x: f8[0], w: f8[0]"),
    ((uniform(3), True), "x: f8[n], w: bool"), ((np.array(2.0), 1.0), "x: f8[], w: float"),
    ((uniform(3).view(type("Own", (np.ndarray,), {})), 2.0), "w: float")])
def test_of_other_kinds_nothing_is_known(made: dict[str, Any], given: tuple[Any, ...], key: str) -> None:
    df, other = tnb.grad(made["squares"]), for_all(made["squares"])
    try:
        due = other(*given)
    except TangentError as error:
        with pytest.raises(type(error)):
            df(*given)
        return
    for _ in range(2):
        got = df(*given)
        np.testing.assert_allclose(got, due, rtol=1e-6 if np.asarray(due).dtype == "f4" else 1e-13)
        assert np.asarray(got).dtype == np.asarray(due).dtype and isinstance(got, type(due))
    assert keys(df) in ([key, "general"], ["general"])


def test_the_gradient_of_a_number_of_python_is_one(made: dict[str, Any]) -> None:
    for df in (tnb.grad(made["scaled"]), for_all(made["scaled"])):
        assert type(df(2.0)) is type(df(2.0, k=2.0)) is float
    value, (bx, bk) = tnb.value_and_grad(made["scaled"], ("x", "k"))(2.0, 3.0)
    assert (float(value), bx, bk) == (12.0, 6.0, 4.0) and type(bx) is type(bk) is float
    sourced_float = sourced("import numpy as np\ndef float(x): return 7.0\ndef f(x): return np.sum(np.ones(3) * x)\n")
    assert type(tnb.grad(sourced_float["f"])(2.0)) is float and tnb.grad(sourced_float["f"])(2.0) == 3.0


def test_eight_texts_are_kept_and_more_kinds_run_that_for_all(made: dict[str, Any], derived: list[Any]) -> None:
    df = tnb.grad(made["squares"])
    kinds = [(uniform(*shape), uniform(*other)) for shape in ((3,), (2, 3), (2, 2, 3), (1,))
             for other in ((3,), (1,), (2, 1), (1, 3))]
    counts = []
    for _ in range(2):
        for x, w in kinds:
            np.testing.assert_allclose(df(x, w), for_all(made["squares"])(x, w))
        counts.append(sum(request.served for _, request in derived))
    assert counts == [8, 8] and len(keys(df)) == 9


def test_where_nothing_is_better_there_is_none(made: dict[str, Any]) -> None:
    df = tnb.grad(sourced("import numpy as np\ndef f(x): return np.sum(np.sin(x))\n")["f"])
    assert "made_for" not in tnb.source(df)
    df(uniform(3))
    assert keys(df) == ["general"]


@pytest.mark.parametrize("optimized", [tnb.PASSES, False, tnb.PASSES[-1:]])
def test_with_names_of_passes_there_is_the_text_for_all_alone(made: dict[str, Any], optimized: Any) -> None:
    df = tnb.grad(made["layer"], optimized=optimized)
    df(uniform(4, 3), uniform(3, 2), uniform(2))
    assert keys(df) == ["general"] and "made_for" not in tnb.source(df)


# ------------------------------------------------------------------ nothing else differs
@pytest.mark.parametrize("derive", [tnb.grad, tnb.value_and_grad, tnb.vjp, tnb.jvp])
def test_parameters_are_given_as_the_function_takes_them(made: dict[str, Any], derive: Callable[..., Any]) -> None:
    more = {tnb.vjp: {"seed": 1.0}, tnb.jvp: {"dx": np.ones(3)}}.get(derive, {})
    x, k = uniform(3), uniform(2)
    for name, args, options in (("keyword", (x,), {"k": k}), ("starred", (x, k), {"k": 2.0}), ("scaled", (x,), {}),
                                ("scaled", (x,), {"k": 2.0}), ("squares", (), {"w": x, "x": x}), ("listed", (), {
                                    "p": [x, 1.0], "x": x})):
        more_here = {"dp": [np.ones(3), 1.0]} if name == "listed" and derive is tnb.jvp else more
        df, other = derive(made[name]), derive(made[name], optimized=tnb.PASSES)
        for a, b in zip(*(np.atleast_1d(np.hstack([np.hstack(list(part)) if isinstance(part, (list, tuple)) else part
                                                   for part in (one if isinstance(one, tuple) else (one,))]))
                          for one in (df(*args, **options, **more_here), other(*args, **options, **more_here))),
                        strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13)


def test_what_the_function_raises_is_raised(made: dict[str, Any]) -> None:
    df = tnb.grad(made["layer"])
    for _ in range(2):
        with pytest.raises(ValueError, match="matmul"):
            df(uniform(4, 3), uniform(2, 2), uniform(2))
    np.testing.assert_allclose(df(uniform(4, 3), uniform(3, 2), uniform(2)),
                               for_all(made["layer"])(uniform(4, 3), uniform(3, 2), uniform(2)))
    for given in (np.arange(3), "text", None):
        with pytest.raises(TangentError):
            tnb.grad(made["squares"])(given, uniform(3))
    with pytest.raises(TypeError):
        df(uniform(4, 3))


def test_a_function_that_is_defined_anew_before_the_first_call_is_met(made: dict[str, Any]) -> None:
    df, x = tnb.grad(made["helped"]), uniform(3)
    again = sourced("import numpy as np\ndef bent(t):\n    return t * t\n")["bent"]
    kept, made["bent"] = made["bent"], again
    for _ in range(2):
        with pytest.raises(TangentError, match="bent has been defined anew"):
            df(x)
    made["bent"] = kept
    df(x)
    assert keys(df)[0] == "x: f8[n]"
    made["bent"] = again
    with pytest.raises(TangentError, match="bent has been defined anew"):
        df(x)


def test_variables_outside_are_read_when_it_runs(made: dict[str, Any]) -> None:
    df = tnb.grad(made["scaled"])
    assert df(1.0) == 6.0
    made["SCALE"] = 5.0
    assert df(1.0) == 15.0


def test_an_array_that_changes_in_place_changes_once() -> None:
    f = sourced("import numpy as np\ndef f(x, k):\n    x[1:] = x[:-1] * k\n    return np.sum(x * x)\n")["f"]
    args, other = (uniform(4), 2.0), (uniform(4), 2.0)
    np.testing.assert_allclose(tnb.grad(f)(*args), for_all(f)(*other))
    np.testing.assert_array_equal(args[0], other[0])
    shared = uniform(4)
    g = sourced("import numpy as np\ndef g(x, y):\n    x *= 2.0\n    return np.sum(x * y)\n")["g"]
    for df in (tnb.grad(g), for_all(g)):
        with pytest.raises(TangentError, match="shares its memory"):
            df(shared, shared[::-1])


def test_derivatives_of_derivatives(made: dict[str, Any]) -> None:
    x, w, b, d = uniform(4, 3), uniform(3, 2), uniform(2), uniform(3, 2)
    second = tnb.jvp(tnb.grad(made["layer"], "w"), "w")
    h = 1e-6
    due = (for_all(made["layer"], "w")(x, w + h * d, b) - for_all(made["layer"], "w")(x, w - h * d, b)) / (2 * h)
    np.testing.assert_allclose(second(x, w, b, d), due, rtol=1e-6)
    assert "made_for" in tnb.source(second) and tnb.source(second).count("made_for") == 1
    np.testing.assert_allclose(tnb.hessian(made["rooted"])(uniform(3)),
                               tnb.jacobian(for_all(made["rooted"]))(uniform(3)), rtol=1e-12)


def test_inside_of_another_function(made: dict[str, Any]) -> None:
    made["inner"] = tnb.grad(made["rooted"])
    outer = sourced("import numpy as np\ndef outer(x): return np.sum(inner(x) ** 2)\n", made)["outer"]
    x, d, h = uniform(3), np.array([1.0, -0.5, 0.2]), 1e-6
    due = (np.sum(made["inner"](x + h * d) ** 2) - np.sum(made["inner"](x - h * d) ** 2)) / (2 * h)
    np.testing.assert_allclose(tnb.grad(outer)(x) @ d, due, rtol=1e-6)


# ------------------------------------------------------------------ tools
@pytest.mark.parametrize("called", [False, True])
def test_it_travels(made: dict[str, Any], called: bool) -> None:
    df, args = tnb.grad(made["layer"], "w"), (uniform(4, 3), uniform(3, 2), uniform(2))
    due = for_all(made["layer"], "w")(*args)
    if called:
        df(*args)
    again = pickle.loads(cloudpickle.dumps(df))
    np.testing.assert_allclose(again(*args), due)
    np.testing.assert_allclose(again(args[0][:1], *args[1:]), for_all(made["layer"], "w")(args[0][:1], *args[1:]))
    assert pickle.loads(pickle.dumps(df.__tangent_nb__)).emitted.text == tnb.source(df)  # type: ignore[attr-defined]


def test_threads_make_one_text(made: dict[str, Any], derived: list[Any]) -> None:
    df, args = tnb.grad(made["layer"], "w"), (uniform(4, 3), uniform(3, 2), uniform(2))
    found: list[Any] = []
    ready = threading.Barrier(4)

    def call() -> None:
        ready.wait()
        found.append(df(*args))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 4 and all(np.array_equal(one, found[0]) for one in found)
    assert sum(request.served for _, request in derived) == 1


@pytest.mark.parametrize("called", [False, True])
def test_watch_follows_the_text_that_serves(made: dict[str, Any], called: bool) -> None:
    df = tnb.grad(made["rooted_in_part"])                  # of which the text for all asks more
    if called:
        df(uniform(3))
    with pytest.raises(NonFiniteError, match=r"return np.sum\(np.sqrt\(x\)\) / np.sum\(x\[1:\]") as caught:
        tnb.watch(df)(np.array([0.0, 1.0]))
    assert caught.value.sweep == "backward" and keys(df)[0] == "x: f8[n]"


def test_a_traceback_shows_the_line_of_the_text_that_serves(made: dict[str, Any]) -> None:
    import traceback
    df = tnb.grad(made["counted"])
    df(uniform(3), 2)
    try:
        df(uniform(3), 2.5)
    except TypeError as error:
        lines = [frame.line for frame in traceback.extract_tb(error.__traceback__)]
        assert any("range(n)" in str(line) for line in lines)
    else:
        raise AssertionError("it raises")


def test_where_the_sizes_do_not_fit_the_function_raises_and_so_does_the_derivative() -> None:
    space = sourced("import numpy as np\ndef f(x, y): return np.sum(x + y)\n"
                    "def g(x):\n    z = np.zeros(3)\n    z += x\n    return np.sum(z)\n")
    for f, args in ((space["f"], (uniform(3), uniform(4))), (space["f"], (uniform(2, 3), uniform(4))),
                    (space["g"], (uniform(4),))):
        for df in (tnb.grad(f), tnb.grad(f, like=args), for_all(f)):
            for _ in range(2):
                with pytest.raises(ValueError, match="broadcast"):
                    df(*args)
    df = tnb.grad(space["f"], like=(uniform(3), uniform(4)))
    np.testing.assert_array_equal(df(uniform(3), uniform(3)), np.ones(3))


def test_numbers_that_the_result_does_not_depend_on_may_be_nan() -> None:
    f = sourced("import numpy as np\ndef f(x):\n    z = np.maximum(x, 0.0)\n    return z[1] * 2 + z[2]\n")["f"]
    np.testing.assert_array_equal(tnb.grad(f)(np.array([np.nan, 1.0, -2.0, 0.0])), [0.0, 2.0, 0.0, 0.0])


def test_a_function_of_another_that_nothing_calls_by_its_name() -> None:
    text = ("import functools\nimport numpy as np\n"
            "class K: pass\nK.a = functools.partial(lambda k, t: k * t * t, 2.0)\n"
            "def g(x): return np.sum(K.a(x))\ndef f(x): return g(x) + 0.0\n")
    f = sourced(text)["f"]
    for df in (tnb.grad(f), tnb.grad(f, like=(uniform(3),)), for_all(f)):
        np.testing.assert_allclose(df(uniform(3)), 4.0 * uniform(3))
