"""Containers and objects, in every mode, against central differences over the numbers that they hold."""
from __future__ import annotations

import copy
import functools
import re
import sys
import types
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import container_cases as cc
from container_cases import CASES, Frozen, Grid, Layer, Plain

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, RefusedError, TangentError

STEP = 1e-5


# ------------------------------------------------------------------ structures, without the help of tangent_nb
def parts(value: Any) -> list[tuple[Any, Any]] | None:
    """What a container holds, by key."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, (list, tuple)):
        return list(enumerate(value))
    if isinstance(value, functools.partial):
        return [*enumerate(value.args), *value.keywords.items()]
    names = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    functions = (type, types.FunctionType, types.MethodType, np.ufunc)
    names += list(getattr(value, "__dict__", {})) \
        if type(value).__module__ != "builtins" and not isinstance(value, functions) else []
    return [(name, getattr(value, name)) for name in names] if names and not isinstance(value, np.generic) else None


def is_leaf(value: Any) -> bool:
    return isinstance(value, (int, float, np.generic, np.ndarray)) and not isinstance(value, (bool, np.bool_))


def vector(value: Any) -> np.ndarray:
    """The numbers in a structure, in order; zeros stand for None in a gradient of no number."""
    inside = parts(value)
    if inside is not None:
        return np.concatenate([np.zeros(0), *[vector(part) for _, part in inside]])
    return np.ravel(np.asarray(value, float)) if is_leaf(value) else np.zeros(0)


def moved(value: Any, step: np.ndarray) -> Any:
    """The structure with its numbers moved, those of `step` taken from the front."""
    value = copy.deepcopy(value)
    steps = list(step)

    def go(one: Any) -> Any:
        inside = parts(one)
        if inside is None:
            if not is_leaf(one):
                return one
            taken, steps[:np.size(one)] = np.array(steps[:np.size(one)]), []
            if isinstance(one, np.ndarray):
                return one + taken.reshape(np.shape(one))
            return float(one) + float(taken[0]) if taken[0] else one
        new = {key: go(part) for key, part in inside}
        if isinstance(one, tuple):
            return one._make(new.values()) if hasattr(one, "_make") else tuple(new.values())
        if isinstance(one, list):
            return list(new.values())
        if isinstance(one, functools.partial):
            return functools.partial(one.func, *[part for key, part in new.items() if isinstance(key, int)],
                                     **{key: part for key, part in new.items() if isinstance(key, str)})
        for key, part in new.items():
            one.__setitem__(key, part) if isinstance(one, dict) else object.__setattr__(one, key, part)
        return one

    return go(value)


def differences(function: Any, args: tuple[Any, ...], place: int) -> np.ndarray:
    """The gradient by central differences; zero for ints that are used as sizes."""
    size = len(vector(args[place]))
    found = np.zeros(size)
    for i in range(size):
        values = []
        for sign in (1.0, -1.0):
            step = np.zeros(size)
            step[i] = sign * STEP
            try:
                values.append(
                    function(*[moved(a, step) if k == place else copy.deepcopy(a) for k, a in enumerate(args)]))
            except TypeError:
                values.append(0.0)
        found[i] = (values[0] - values[1]) / (2 * STEP)
    return found


def same_structure(got: Any, like: Any) -> None:
    inside = parts(like)
    if inside is None:
        if not is_leaf(like):
            assert got is None
        elif isinstance(like, (float, int, np.integer)):
            assert isinstance(got, float)
        else:
            assert got.dtype == like.dtype and got.shape == like.shape and not np.shares_memory(got, like)
        return
    assert type(got) is type(like)
    mine = parts(got)
    assert mine is not None and [key for key, _ in mine] == [key for key, _ in inside]
    for (_, one), (_, other) in zip(mine, inside, strict=True):
        same_structure(one, other)


CASE = pytest.mark.parametrize("function, args, wrt", CASES, ids=[case[0].__name__ for case in CASES])
WAYS = pytest.mark.parametrize("optimized", [pytest.param(True, id="optimized"),
                                             pytest.param(False, id="raw", marks=pytest.mark.sampled(4))])


@WAYS
@CASE
def test_reverse(function, args, wrt, optimized):
    df = tnb.grad(function, wrt=wrt, optimized=optimized)
    given = copy.deepcopy(args)
    gradients = df(*given)
    places = (wrt,) if isinstance(wrt, int) else wrt
    for place, gradient in zip(places, (gradients,) if isinstance(wrt, int) else gradients, strict=True):
        same_structure(gradient, args[place])
        np.testing.assert_allclose(vector(gradient), differences(function, args, place), rtol=1e-6, atol=1e-7)
    assert all(np.array_equal(vector(a), vector(b)) for a, b in zip(given, args, strict=True))
    value, _ = tnb.value_and_grad(function, wrt=wrt, optimized=optimized)(*given)
    assert value == pytest.approx(function(*given))


@pytest.mark.sampled(8)
@WAYS
@CASE
def test_forward(function, args, wrt, optimized):
    push = tnb.jvp(function, wrt=wrt, optimized=optimized)
    places = (wrt,) if isinstance(wrt, int) else wrt
    rng = np.random.default_rng(0)
    wanted, tangents = 0.0, []
    for place in places:
        v = rng.normal(size=len(vector(args[place])))
        tangents.append(moved(args[place], v - vector(args[place])))
        wanted += differences(function, args, place) @ v
    names = list(function.__code__.co_varnames)
    got = push(*copy.deepcopy(args), **{"d" + names[place]: t for place, t in zip(places, tangents, strict=True)})
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.sampled(8)
@CASE
def test_split(function, args, wrt):
    forward, backward = tnb.autodiff(function, wrt=wrt, motion="split")
    _, residuals = forward(*copy.deepcopy(args))
    wanted = tnb.grad(function, wrt=wrt)(*args)
    for seed in (1.0, 2.0, 1.0):
        np.testing.assert_allclose(vector(backward(residuals, seed)), seed * vector(wanted), rtol=1e-10, atol=1e-12)


# ------------------------------------------------------------------ further derivatives
def cubes(p):
    s = 0.0
    for v in p["w"]:
        s = s + np.sum(v ** 3) * p["b"]
    return s


POINT = {"w": [np.array([1.0, 2.0]), 0.5], "b": 2.0}
gradient_of_cubes = tnb.grad(cubes)


def slope_of_gradient(p):
    g = gradient_of_cubes(p)
    return np.sum(g["w"][0]) + g["b"] * g["w"][1]


@pytest.mark.parametrize("optimized", [True, False])
def test_second_order(optimized):
    wanted = differences(slope_of_gradient, (POINT,), 0)
    np.testing.assert_allclose(vector(tnb.grad(slope_of_gradient, optimized=optimized)(POINT)), wanted, rtol=1e-6)
    v = moved(POINT, np.arange(4.0) - vector(POINT))
    np.testing.assert_allclose(tnb.jvp(slope_of_gradient, optimized=optimized)(POINT, v),
                               wanted @ np.arange(4.0), rtol=1e-6)


def test_products_with_the_hessian():
    v = moved(POINT, np.array([1.0, -1.0, 2.0, 0.5]) - vector(POINT))
    got = tnb.hvp(cubes)(POINT, v)
    ahead, back = (vector(gradient_of_cubes(moved(POINT, s * STEP * vector(v)))) for s in (1.0, -1.0))
    np.testing.assert_allclose(vector(got), (ahead - back) / (2 * STEP), rtol=1e-6)


# ------------------------------------------------------------------ parts of arguments, and variables outside
WEIGHTS = np.array([1.0, 2.0, -1.0])
SETTINGS = {"rate": 0.5, "layers": [Layer(2.0, 3.0)]}


def affine(self, x):
    return np.sum(self.w * x) * self.b + np.sum(self.w)


def outside(x):
    return np.sum(WEIGHTS * x * x) * SETTINGS["rate"] * SETTINGS["layers"][0].b


@pytest.mark.parametrize("optimized", [True, False])
def test_parts_of_arguments(optimized):
    model, x = Plain(cc.A, 0.5), cc.X
    whole = tnb.grad(affine)(model, x)
    part = tnb.grad(affine, wrt="self.w", optimized=optimized)
    assert part.__name__ == "daffine_dself_w"
    np.testing.assert_allclose(part(model, x), whole.w)
    both = tnb.grad(affine, wrt=("self.w", "self.b", "x"), optimized=optimized)(model, x)
    np.testing.assert_allclose(vector(both), [*whole.w, whole.b, *tnb.grad(affine, wrt="x")(model, x)])
    push = tnb.jvp(affine, wrt="self.w", optimized=optimized)
    np.testing.assert_allclose(push(model, x, np.ones(3)), np.sum(whole.w))


def test_deep_parts():
    def deep(params, x):
        return params["net"].layers[0].w * x + params["net"].layers[1].b * params["c"]["d"]
    params = {"net": SimpleNamespace(layers=[Layer(2.0), Frozen(1.0, 3.0)]), "c": {"d": 5.0}, "n": np.arange(3)}
    assert tnb.grad(deep, wrt="params['net'].layers[0].w")(params, 7.0) == 7.0
    assert tnb.grad(deep, wrt="params['net'].layers[-1].b")(params, 7.0) == 5.0
    assert tnb.grad(deep, wrt='params["c"]')(params, 7.0) == {"d": 3.0}
    assert tnb.grad(deep, wrt="params['net'].layers[0].w").__name__ == "ddeep_dparams_net_layers_0_w"


@pytest.mark.parametrize("wrt, says", [
    ("self.q", "there is no self.q: self has .w, .b, .name"), ("self.w[7]", "there is no self.w[7]"),
    ("self['w']", "there is no self['w']"),
    ("self.name", "self.name is a str"), ("self.scale", "there is no self.scale"),
])
def test_parts_that_are_not_there(wrt, says):
    with pytest.raises(ArgumentError, match=re.escape(says)):
        tnb.grad(affine, wrt=wrt)(Plain(cc.A, 0.5), cc.X)


@pytest.mark.parametrize("optimized", [True, False])
def test_variables_outside(optimized, monkeypatch):
    x = np.array([1.0, 2.0, 3.0])
    df = tnb.grad(outside, wrt="WEIGHTS", optimized=optimized)
    assert df.__name__ == "doutside_dWEIGHTS"
    np.testing.assert_allclose(df(x), x * x * 1.5)
    monkeypatch.setitem(SETTINGS, "rate", 1.0)                     # read when the derivative runs
    np.testing.assert_allclose(df(x), x * x * 3.0)
    monkeypatch.setitem(globals(), "WEIGHTS", np.array([2.0, 0.0, 0.0]))
    assert tnb.grad(outside, wrt="SETTINGS['rate']", optimized=optimized)(x) == pytest.approx(6.0)
    got = tnb.grad(outside, wrt=("x", "SETTINGS"), optimized=optimized)(x)
    np.testing.assert_allclose(got[0], 2.0 * np.array([2.0, 0.0, 0.0]) * x * 3.0)
    assert got[1]["rate"] == pytest.approx(6.0) and got[1]["layers"][0] == Layer(0.0, pytest.approx(2.0))
    assert tnb.jvp(outside, wrt="WEIGHTS", optimized=optimized)(x, np.array([1.0, 0.0, 0.0])) == pytest.approx(3.0)


def test_variables_of_closures():
    scale = np.array([2.0, 3.0])

    def closed(x):
        return np.sum(scale * scale * x)
    np.testing.assert_allclose(tnb.grad(closed, wrt="scale")(np.ones(2)), [4.0, 6.0])


def reads_outside(x):
    return np.sum(WEIGHTS) * x


def calls_reader(x):
    return reads_outside(x) * np.sum(WEIGHTS)


def calls_unknown(x, h):
    return h(3) * np.sum(WEIGHTS * x)


def descends(n, x):
    return x if n == 0 else descends(n - 1, x * SETTINGS["rate"]) + reads_outside(1.0)


def nested_reader(x):
    def g(t):
        return t * np.sum(WEIGHTS)
    return g(x) * g(2.0) + sum([reads_outside(t) for t in (x, 1.0)])


def chooses_reader(x):
    return descends(2, x) if x > 0 else nested_reader(x)


class Reader:
    def predict(self, x):
        return x * np.sum(WEIGHTS)


def makes_reader(x):
    return Reader().predict(x) * np.sum(WEIGHTS)


def maps_reader(x):
    return sum(map(reads_outside, [x, x * x])) * np.sum(WEIGHTS)


def keeps_reader(x):
    return {"g": reads_outside}["g"](x) * np.sum(WEIGHTS)


def test_a_name_that_is_hidden_is_another_variable():
    b = 0.3

    def hides(x):
        def inner(b):
            return b * 5.0
        return inner(x * b) * b
    assert tnb.grad(hides, wrt="b")(1.3) == pytest.approx(2.0 * 5.0 * 1.3 * 0.3)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("name", ["WEIGHTS", "SETTINGS['rate']"])
@pytest.mark.parametrize("x", [0.7, -0.7])
def test_variables_outside_that_others_read(name, x, optimized, monkeypatch):
    for function in (calls_reader, chooses_reader, nested_reader):
        if function is not chooses_reader and name != "WEIGHTS":
            continue
        got = np.sum(tnb.grad(function, wrt=name, optimized=optimized)(x))
        ahead, behind = [], []
        for step, values in ((1e-6, ahead), (-1e-6, behind)):
            with monkeypatch.context() as patch:
                if name == "WEIGHTS":
                    patch.setitem(globals(), "WEIGHTS", WEIGHTS + step)
                else:
                    patch.setitem(SETTINGS, "rate", SETTINGS["rate"] + step)
                values.append(function(x))
        assert got == pytest.approx((ahead[0] - behind[0]) / 2e-6, rel=1e-6, abs=1e-8)
        direction = np.ones(3) if name == "WEIGHTS" else 1.0
        assert tnb.jvp(function, wrt=name, optimized=optimized)(x, direction) == pytest.approx(got)


def any_number(*xs):
    return xs[0] * np.sum(WEIGHTS)


def calls_any_number(x):
    return any_number(x, 2.0) * np.sum(WEIGHTS)


def doubled(fn):
    def wrapper(x):
        return fn(x) * 2.0
    return wrapper


@doubled
def decorated_reader(x):
    return x * np.sum(WEIGHTS)


def calls_decorated(x):
    return decorated_reader(x) * np.sum(WEIGHTS)


def even(n, x):
    return x if n == 0 else odd(n - 1, x * np.sum(WEIGHTS))


def odd(n, x):
    return x if n == 0 else even(n - 1, x + np.sum(WEIGHTS))


def calls_even(x):
    return even(4, x)


def by_its_name():
    return globals()["WEIGHTS"]


def calls_by_its_name(x):
    return np.sum(by_its_name() * WEIGHTS) * x


@pytest.mark.parametrize(("function", "says"), [
    (calls_any_number, "takes any number of arguments"), (calls_decorated, "function that it is made around"),
    (calls_even, "calls itself through another function"),
    (calls_by_its_name, "globals reaches variables by their names"),
    (makes_reader, "Reader may read WEIGHTS too"), (maps_reader, "reads_outside may read WEIGHTS too"),
    (keeps_reader, "reads_outside may read WEIGHTS too"), (calls_unknown, "known only when")])
def test_variables_outside_that_cannot_be_passed_on(function, says):
    with pytest.raises(RefusedError, match=says):
        tnb.grad(function, wrt="WEIGHTS")


def test_names_that_mean_nothing():
    with pytest.raises(TangentError, match="affine has no parameter 'y': it has self, x"):
        tnb.grad(affine, wrt="y")
    with pytest.raises(TangentError, match="reads SETTINGS, WEIGHTS from outside"):
        tnb.grad(outside, wrt="np")
    with pytest.raises(TangentError, match="twice"):
        tnb.grad(affine, wrt=("self.w", "self"))


# ------------------------------------------------------------------ seeds, tangents, results
def several(x, y):
    return {"sum": x + y, "pair": (x * y, 3), "layer": Layer(x * x, "text")}


def test_results_that_are_structures():
    seed = {"sum": 1.0, "pair": (10.0, None), "layer": Layer(100.0, None)}
    assert tnb.vjp(several, wrt=(0, 1))(2.0, 3.0, seed) == (1.0 + 30.0 + 400.0, 1.0 + 20.0)
    tangent = tnb.jvp(several, wrt=(0, 1))(2.0, 3.0, 1.0, 0.0)
    assert tangent["sum"] == 1.0 and tangent["pair"][0] == 3.0 and tangent["layer"].w == 4.0
    forward, backward = tnb.autodiff(several, wrt=(0, 1), motion="split")
    value, residuals = forward(2.0, 3.0)
    assert value == several(2.0, 3.0) and backward(residuals, seed) == (431.0, 21.0)
    value, pull = tnb.pullback(several, 2.0, 3.0, wrt=(0, 1))
    assert pull(seed) == (431.0, 21.0)


@pytest.mark.parametrize("seed", [
    1.0, {"sum": 1.0}, {"sum": np.ones(2), "pair": (1.0, 1.0), "layer": Layer(1.0, None)},
    {"sum": 1.0, "pair": 1.0, "layer": Layer(1.0, None)}, {"sum": 1.0, "pair": (1.0, 1.0), "layer": {"w": 1.0}},
])
def test_seeds_of_another_structure(seed):
    with pytest.raises(ArgumentError):
        tnb.vjp(several)(2.0, 3.0, seed)


@pytest.mark.parametrize("tangent",
                         [1.0, {"w": cc.A}, {"w": np.ones(2), "b": 1.0}, {"w": cc.A, "b": 1.0, "c": 2.0}, [cc.A, 1.0]])
def test_tangents_of_another_structure(tangent):
    with pytest.raises(ArgumentError):
        tnb.jvp(cc.dict_items_by_key)(cc.WB, cc.X, tangent)


def with_aux(p):
    return p["w"] ** 2, {"p": p, "text": "t", "list": [1, p["w"]]}


def test_aux_is_any_structure():
    aux = {"p": {"w": 3.0}, "text": "t", "list": [1, 3.0]}
    assert tnb.grad(with_aux, has_aux=True)({"w": 3.0}) == ({"w": 6.0}, aux)
    assert tnb.value_and_grad(with_aux, has_aux=True)({"w": 3.0}) == ((9.0, aux), {"w": 6.0})


# ------------------------------------------------------------------ what is refused
class Computed:
    def __init__(self, w):
        self.w = w

    @functools.cached_property
    def double(self):
        return self.w * 2.0


class OwnItems:
    def __init__(self, w):
        self.w = w

    def __getitem__(self, i):
        return self.w * i


def reads_property(p):
    return p.double * p.w


def reads_size(p):
    return p.size * p.w


def reads_items(p):
    return p["a"] * 2.0


def reads_width(p):
    return p.w * 2.0


def test_what_is_not_evaluated_is_not_checked():
    def f(p):
        if isinstance(p, np.ma.MaskedArray) and p.mask.all() or isinstance(p, np.ndarray) and p.size > 1:
            return np.sum(p * p)
        return p["w"] * (p.mask if isinstance(p, np.ma.MaskedArray) else 2.0)

    df = tnb.grad(f)
    assert np.array_equal(df(np.ones(3)), [2.0, 2.0, 2.0])
    assert df({"w": 3.0, "mask": 1.0, "size": 2.0}) == {"w": 2.0, "mask": 0.0, "size": 0.0}


LOOP: dict[str, Any] = {"a": 1.0}
LOOP["self"] = LOOP


@pytest.mark.parametrize("function, arg, says", [
    (reads_property, Computed(2.0), ".double of a Computed is computed"),
    (reads_size, SimpleNamespace(size=2.0, w=3.0), "p.size is taken for that of an array"),
    (reads_width, OwnItems(2.0), "OwnItems, which is not known as a container, since its class has a __getitem__"),
    (reads_items, LOOP, "p['self'] is one of the containers that it is in"),
    (reads_items, {"a": 1.0, "idx": [np.arange(3)]}, "p['idx'][0] is an array of int64"),
    (reads_items, {"a": 1.0, "z": np.ones(2, complex)}, "p['z'] is an array of complex128"),
    (reads_items, {"a": 1.0, "mask": np.ones(2, bool)}, "p['mask'] is an array of bool"),
    (reads_items, {"a": 1.0, "z": 1j}, "p['z'] is complex"),
    (reads_items, {"a": 1.0, "s": {1.0}}, "p['s'] is a set"),
    (cc.items_by_number, ([1.0], 2.0), "p[0] is a list"),
    (cc.dict_item_added_to, {"a": 1.0}, "is used as an array, or as a number"),
])
def test_refused_arguments(function, arg, says):
    for make in (lambda: tnb.grad(function)(arg), lambda: tnb.jvp(function)(arg, arg)):
        with pytest.raises(ArgumentError, match=re.escape(says)):
            make()


def stores_in_argument(p):
    p["a"] = p["a"] * 2.0
    return p["a"]


def held(p):
    return p.a


def stores_in_object(p):
    p.a = p.a * 2.0
    return held(p)


def row_with_a_name(x):
    rows = [[x, 1.0], [2.0, x]]
    row = rows[0]
    rows[0][1] = x * x
    return row[1]


def row_in_two_places(x):
    rows = [[x, 1.0], [2.0, x]]
    rows[1] = rows[0]
    rows[0][1] = x * x
    return rows[1][1]


def rows_of_a_copy(x):
    rows = [[x, 1.0], [2.0, x]]
    more = rows.copy()
    rows[0].append(x * x)
    return more[0][-1]


def row_of_the_longest(x):
    rows = [[x, 1.0], [2.0, x, x]]
    best = max(rows, key=len)
    rows[1].append(x * x)
    return best[-1]


def goes_over_what_it_sets(x):
    a, s = [1.0, 3.0, 2.0], 0.0
    for v, w in zip(a, [x, x, x]):
        s = s + v * w
        a[2] = 7.0
    return s


def goes_back_over_what_it_sets(x):
    a, s = [x, 3.0, x], 0.0
    for k, v in enumerate(reversed(a)):
        s = s + v * v * k
        a[0] = s
    return s


def goes_over_what_it_cuts(x):
    a, s = [x, x * x, 3.0], 0.0
    for v in a:
        s = s + v
        del a[0]
    return s


def takes_out(x):
    d = {"a": x}
    e = d
    return d.pop("a") * x * len(e)


def set_default(x):
    d = {}
    e = [d]
    return d.setdefault("a", x) * len(e)


def set_of_values(x):
    return sum({x, x * x})


@pytest.mark.parametrize("function",
                         [stores_in_argument, stores_in_object, takes_out, set_default,
                          set_of_values, row_with_a_name, row_in_two_places, rows_of_a_copy, row_of_the_longest,
                          goes_over_what_it_sets, goes_back_over_what_it_sets, goes_over_what_it_cuts])
def test_refused_texts(function):
    for make in (tnb.grad, tnb.jvp):
        with pytest.raises(RefusedError):
            make(function)


def shared_array_grows(x):
    d = {"a": x}
    d["a"] += 1.0
    return np.sum(x * d["a"])


def test_array_that_others_hold_is_not_added_to():
    for_all = tnb.grad(shared_array_grows, optimized=tnb.PASSES)
    assert for_all(2.0) == tnb.grad(shared_array_grows)(2.0) == 5.0
    with pytest.raises(ArgumentError, match="changed in place"):
        for_all(np.ones(2))


def test_where_it_is_known_to_be_an_array_it_is_changed_as_the_function_changes_it():
    x = np.ones(2)
    assert tnb.grad(shared_array_grows)(x).tolist() == [4.0, 4.0] and x.tolist() == [2.0, 2.0]
    assert tnb.vjp(array_in_two_places)(np.ones(2), 1.0).tolist() == [12.0, 12.0]


def test_parts_on_no_other_backend():
    pytest.importorskip("jax")
    for wrt in ("self.w", "WEIGHTS"):
        with pytest.raises(TangentError, match="no parameter"):
            tnb.grad(affine if wrt == "self.w" else outside, wrt=wrt, backend="jax")


def test_registered_classes():
    with pytest.raises(TangentError):
        tnb.register_container(Grid([]), dict, dict)          # type: ignore[arg-type]
    gradient = tnb.grad(cc.registered)({"grid": Grid(cc.A)})
    assert type(gradient["grid"]) is Grid
    np.testing.assert_allclose(gradient["grid"].values, 2.0 * cc.A)


def flagged(p):
    return p["flag"] * p["x"]


def test_truth_values_have_no_gradient():
    assert tnb.grad(flagged)({"flag": True, "x": 2.0}) == {"flag": None, "x": 1.0}
    assert tnb.jvp(flagged)({"flag": True, "x": 2.0}, {"flag": None, "x": 3.0}) == 3.0


def unread(p, x):
    return x * x


def test_argument_that_is_not_read():
    assert tnb.grad(unread, wrt=(0, 1))({"w": [1.0], "s": "text"}, 2.0) == ({"w": [0.0], "s": None}, 4.0)


def test_checks_of_numbers_only():
    with pytest.raises(TangentError, match="numbers and arrays"):
        tnb.check_grads(cc.dict_items_by_key, cc.WB, cc.X)
    with pytest.raises(TangentError):
        tnb.jacobian(cc.dict_items_by_key)(cc.WB, cc.X)


def test_the_same_text_every_time():
    texts = {tnb.source(tnb.grad(cc.nested_loop)) for _ in range(2)}
    assert len(texts) == 1


def test_record_is_made_once():
    text = tnb.source(tnb.grad(cc.namespace))
    assert text.count("rt.zero_gradient(p)") == 1
    assert "bp = rt.add_field(bp, 'b', " in text and "bp = rt.add_field(bp, 'w', " in text


SECOND = [(f, args) for f, args, wrt in CASES
          if wrt == 0 and f.__name__ not in ("appended_and_set", "list_of_dicts", "dict_int_as_size")]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("function, args", SECOND, ids=[f.__name__ for f, _ in SECOND])
def test_forward_over_reverse(function, args):
    """Derivatives of derivatives, against differences of gradients."""
    gradient = tnb.grad(function)
    v = np.random.default_rng(1).normal(size=len(vector(args[0])))
    push = tnb.jvp(gradient, 0)
    name = list(push.__code__.co_varnames)[push.__code__.co_argcount - 1]
    got = push(*copy.deepcopy(args), **{name: moved(args[0], v - vector(args[0]))})
    ahead, back = (vector(gradient(moved(args[0], s * STEP * v), *copy.deepcopy(args[1:]))) for s in (1.0, -1.0))
    np.testing.assert_allclose(vector(got), (ahead - back) / (2 * STEP), rtol=1e-5, atol=1e-6)


def array_in_two_places(x):
    d = [x * 1.0, x * 2.0]
    d[1] = d[0]
    d[0] += x * x
    return np.sum(d[0] * d[1])


def row_of_the_caller(x, row):
    rows = [row, [x, x]]
    rows[0][0] = x * x
    return rows[0][0] * row[0]


def test_only_the_run_tells_that_a_thing_has_two_places():
    for make, more in ((tnb.vjp, (1.0,)), (tnb.jvp, (np.ones(2),))):
        with pytest.raises(TangentError, match="holds too"):
            make(array_in_two_places, optimized=tnb.PASSES)(np.ones(2), *more)
    with pytest.raises(TangentError, match="another name"):
        tnb.grad(row_of_the_caller)(2.0, [1.0, 2.0])


def test_strict_zip_raises_as_python_does():
    def f(v, w):
        s = 0.0
        for a, b in zip(v, w, strict=True):
            s = s + a * b
        return s

    for call in (f, tnb.grad(f), tnb.grad(f, optimized=False)):
        with pytest.raises(ValueError, match="argument 2 is shorter than argument 1"):
            call(np.ones(3), np.ones(2))
