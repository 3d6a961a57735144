"""Texts for arguments that are made as examples are: methods of objects among them stand in the text.

Other arguments go to the general text."""
from __future__ import annotations

import copy
import sys
import threading
from collections import namedtuple
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_containers import differences, vector

import tangent_nb as tnb
from tangent_nb.desugar.examples import structure_of
from tangent_nb.errors import RefusedError, TangentError
from tangent_nb.runtime.alike import alike

pytestmark = pytest.mark.sampled(4)

X = np.array([0.3, 0.2, 0.5])
Pair = namedtuple("Pair", "left right")
PROGRAMS: list[Any] = []


def softly(t):
    return np.log1p(np.exp(t))


class Layer:
    def __init__(self, w, b, act):
        self.w, self.b, self.act = w, b, act

    def __call__(self, x):
        return self.act(np.dot(self.w, x) + self.b)

    def norm(self):
        return np.sum(self.w ** 2)


class Rectified(Layer):
    def __call__(self, x):
        return np.maximum(self.w @ x + self.b, 0.0)


class Head:
    def __init__(self, v):
        self.v = v

    def at(self, x):
        return np.dot(self.v, x)


class Steep(Head):
    def at(self, x):
        return 7.0 * np.dot(self.v, x)


class Model:
    scale = 2.0

    def __init__(self, layers, head):
        self.layers, self.head, self.name = layers, head, "model"

    def __call__(self, x):
        return self.head.at(self.forward(x)) * self.scale

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def penalty(self):
        return sum(layer.norm() for layer in self.layers)

    def weighted(self, x):
        total = 0.0
        for i, (layer, k) in enumerate(zip(self.layers, [1.0, 2.0])):
            total = total + k * np.sum(layer(x)) * (i + 1)
        return total

    def counted(self, x):
        i = 0
        while i < len(self.layers):
            x = self.layers[i](x)
            i += 1
        return x

    @property
    def first(self):
        return self.layers[0]

    def by_first(self, x):
        return self.first(x)


def model(kind: Any = Layer, head: Any = Head) -> Model:
    rng = np.random.default_rng(3)
    return Model([kind(rng.normal(size=(3, 3)), rng.normal(size=3), act) for act in (np.tanh, softly)],
                 head(rng.normal(size=3)))


def program(fn: Any) -> Any:
    PROGRAMS.append(fn)
    return fn


@program
def called(m, x):
    return m(x)


@program
def with_penalty(m, x):
    return m(x) + 0.1 * m.penalty()


@program
def in_pairs(m, x):
    return m.weighted(x)


@program
def by_index(m, x):
    return np.sum(m.counted(x))


@program
def by_property(m, x):
    return np.sum(m.by_first(x))


@program
def backwards(m, x):
    for layer in reversed(m.layers):
        x = layer(x)
    return np.sum(x)


@program
def held_method(m, x):
    f = m.forward
    return np.sum(f(x))


@program
def in_a_closure(m, x):
    def g(t):
        return m(t)
    return g(x) * g(x * 2.0)


@program
def unpacked(m, x):
    a, b = m.layers
    return np.sum(a(b(x)))


@program
def of_a_slice(m, x):
    total = 0.0
    for i in range(2):
        for layer in m.layers[i:]:
            total = total + np.sum(layer(x)) * (i + 1.0)
    return total


@program
def in_a_branch(m, x):
    for layer in m.layers:
        if np.sum(x) > 0.0:
            x = layer(x)
        else:
            x = x * 2.0
    return np.sum(x)


@program
def bound_twice(m, x):
    layer = m.layers[0]
    x = layer(x)
    layer = m.layers[1]
    return np.sum(layer(x))


@program
def name_of_a_comprehension(m, x):
    return np.sum([m(x) for m in m.layers][1])


@program
def functions_apart(m, x):
    first, last = m.layers
    return np.sum(last.act(first.act(x)) * first.b)


@program
def name_of_a_lambda(m, x):
    double = lambda m: m * 2.0  # noqa: E731
    return double(m(x))


@pytest.mark.parametrize("optimized", [True, False], ids=["optimized", "raw"])
@pytest.mark.parametrize("wrt", ["m", "x"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_gradients(fn: Any, wrt: str, optimized: bool) -> None:
    args = model(), X
    df = tnb.grad(fn, wrt, like=args, optimized=optimized)
    due = differences(fn, args, "mx".index(wrt))
    np.testing.assert_allclose(vector(df(*copy.deepcopy(args))), due, rtol=1e-6, atol=1e-7)
    dm = {"m": model(), "x": np.ones(3)}[wrt]
    tangent = tnb.jvp(fn, wrt, like=args, optimized=optimized)(*copy.deepcopy(args), dm)
    np.testing.assert_allclose(tangent, vector(dm) @ due, rtol=1e-6)


@pytest.mark.parametrize("other", [model(Rectified), model(Layer, Steep), Model([], Head(X))],
                         ids=["items", "part", "empty"])
def test_other_arguments_go_to_the_general_text(other: Any) -> None:
    df = tnb.grad(called, "x", like=(model(), X))
    np.testing.assert_allclose(df(other, X), differences(called, (other, X), 1), rtol=1e-6)


def test_an_object_that_holds_something_by_the_name_of_a_method_goes_to_the_general_text() -> None:
    other = model()
    other.forward = np.cos
    df = tnb.grad(called, "x", like=(model(), X))
    np.testing.assert_allclose(df(other, X), differences(called, (other, X), 1), rtol=1e-6)


def test_a_class_that_is_changed_is_found() -> None:
    class Scaled:
        def __init__(self, k):
            self.k = k

        def at(self, x):
            return self.k * x

    def f(s, x):
        return s.at(x)

    df = tnb.grad(f, "x", like=(Scaled(3.0), 2.0))
    assert df(Scaled(4.0), 2.0) == 4.0
    Scaled.at = lambda self, x: self.k * x * x             # type: ignore[method-assign]
    with pytest.raises(TangentError, match="Scaled has been defined anew"):
        df(Scaled(4.0), 2.0)


def test_the_methods_stand_in_the_text() -> None:
    def f(h, x):
        return h.at(x)

    df = tnb.grad(f, "x", like=(Head(X), X))
    assert list(tnb.versions(df)) == ["h: Head, x: f8[n]", "general"]
    special, general = tnb.versions(df).values()
    assert "    # Grad of: return h.at(x)\n    bf = rt.seed(f)\n    bx = rt.dot_dy(bf, v, x)\n" in special \
        and "pullback" not in special
    assert "rt.pullback(at, h, x" in general and general.startswith("def _df_dx_general(h, x):")
    assert tnb.source(df) == f"{special}\n\n{general}"


@pytest.mark.parametrize("changes", ["h.v = 2.0 * h.v", "m.head = Steep(h.v)", "m.layers[0] = h", "m.layers.append(h)",
                                     "setattr(m, 'head', h)", "m.__dict__['head'] = Steep(h.v)"])
def test_what_changes_its_arguments_is_right_or_refused(changes: str) -> None:
    scope: dict[str, Any] = {"np": np, "Steep": Steep}
    text = f"def f(m, h, x):\n    {changes}\n    return m.head.at(x) + np.sum(m.forward(x))\n"
    from planting import sourced
    f = sourced(text, scope, f"<{changes}>")["f"]
    try:
        got = tnb.grad(f, "x", like=(model(), Head(X), X))(model(), Head(X), X)
    except TangentError:
        return
    np.testing.assert_allclose(got, differences(f, (model(), Head(X), X), 2), rtol=1e-6)


def test_functions_that_are_given_stand_in_the_text() -> None:
    def f(g, layer, x):
        return g(layer(x)) * 2.0

    args = np.sin, Layer(1.5, 0.5, np.tanh), 0.3
    df = tnb.grad(f, "x", like=(np.sin, args[1], 0.3), optimized=False)
    special, _ = tnb.versions(df).values()
    assert "np.sin(" in special and "np.tanh(" in special and "rt.pullback" not in special
    for g in (np.sin, np.cos, softly):
        for act in (np.tanh, softly):
            given = g, Layer(1.5, 0.5, act), 0.3
            np.testing.assert_allclose(df(*given),
                                       (f(*given[:2], 0.3 + 1e-6) - f(*given[:2], 0.3 - 1e-6)) / 2e-6, rtol=1e-6)


def test_there_is_one_text_where_a_second_would_be_the_same() -> None:
    def f(m, x):
        layer = m.layers[0]
        y = layer(x)
        layer = np.tanh
        return np.sum(layer(y))

    df = tnb.grad(f, "m", like=(model(), "no array"))
    assert list(tnb.versions(df)) == ["general"] and "rt.alike" not in tnb.source(df)


def test_what_the_general_text_refuses_is_refused_with_examples_too() -> None:
    def f(m, x):
        table = [m.table][int(x.size > 99)]
        m.table["used"] = x
        return m(x) * table["used"]

    with pytest.raises(RefusedError):
        tnb.grad(f, "x", like=(model(), X))


def test_derivatives_of_derivatives_pickles_and_threads() -> None:
    df = tnb.grad(called, "x", like=(model(), X))
    with pytest.raises(TangentError, match="is not known as a container"):     # they are taken of the general text
        tnb.jvp(df, "x")(model(), X, np.cos(X))
    again = cloudpickle.loads(cloudpickle.dumps(df))
    np.testing.assert_array_equal(again(model(), X), df(model(), X))
    np.testing.assert_array_equal(again(model(Rectified), X), df(model(Rectified), X))
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(df(model(), X))) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 4 and all(np.array_equal(one, found[0]) for one in found)


def test_structures_of_values() -> None:
    assert str(structure_of(model())) == "Model(layers: list of Layer, head: Head, name: 'model')"
    assert str(structure_of([Head(X), Rectified(X, X, abs)])) == "list(0: Head, 1: Rectified)"
    assert str(structure_of({"a": Head(X), "b": 1.0})) == "dict(a: Head)"
    assert str(structure_of(Pair(Head(X), 2.0))) == "Pair(left: Head)"
    assert [structure_of(one) for one in (1.0, X, None, int)] == [None] * 4
    assert [str(structure_of(one)) for one in (np.sin, [np.sin, np.sin], [np.sin, np.cos])] \
        == ["sin", "list of sin", "list(0: sin, 1: cos)"]
    acts = [Layer(1.0, 2.0, act) for act in (np.sin, np.sin, np.cos)]
    assert str(structure_of(acts[:2])) == "list of Layer(act: sin)" and str(structure_of(acts)) == "list of Layer"
    whole: Any = structure_of(model())
    assert alike(model(), whole) and not alike(model(Rectified), whole) and not alike(X, whole)
