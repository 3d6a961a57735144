"""Containers on JAX, against NumPy: right or refused."""
from __future__ import annotations

import copy
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from container_cases import CASES

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, TangentError
from tangent_nb.runtime.containers import kind_of

jax = pytest.importorskip("jax")

# Made by a class of another library; an item set in a list; what is called is known only when it runs; and a list taken
# for an array, which the functions of JAX refuse.
REFUSED = {"default_dict_made", "list_items_in_loop", "called_object", "called_objects_in_a_list", "function_in_a_slot",
           "held_object_under_a_name", "called_in_a_loop"}
NO_LISTS = {"list_used_as_array"}
Pair = namedtuple("Pair", "a b")
CASE = pytest.mark.parametrize("function, args, wrt", CASES, ids=[case[0].__name__ for case in CASES])


def leaves(value: Any) -> list[np.ndarray]:
    """The numbers of a gradient; those of a dict in the order of its keys, which compiled code may change."""
    if isinstance(value, (float, int, np.ndarray, np.generic, jax.Array)):
        return [np.asarray(value, float)]
    kind = kind_of(value)
    parts = {} if kind is None else kind.parts(value)
    return [leaf for key in sorted(parts, key=str) for leaf in leaves(parts[key])]


def agree(got: Any, want: Any) -> None:
    assert len(leaves(got)) == len(leaves(want))
    for a, b in zip(leaves(got), leaves(want), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


def gradient(function: Any, args: Any, wrt: Any, **options: Any) -> Any:
    return tnb.grad(function, wrt=wrt, **options)(*copy.deepcopy(args))


@pytest.mark.sampled(8)
@CASE
def test_reverse(function: Any, args: Any, wrt: Any) -> None:
    want = gradient(function, args, wrt)
    if function.__name__ in REFUSED:
        with pytest.raises(TangentError):
            gradient(function, args, wrt, backend="jax")
    elif function.__name__ in NO_LISTS:
        with pytest.raises(TypeError, match="list"):
            gradient(function, args, wrt, backend="jax")
    else:
        got = gradient(function, args, wrt, backend="jax")
        agree(got, want)
        assert kind_of(got) is kind_of(want)


@pytest.mark.sampled(8)
@CASE
def test_forward(function: Any, args: Any, wrt: Any) -> None:
    if function.__name__ in REFUSED | NO_LISTS:
        return
    direction = gradient(function, args, wrt)
    direction = direction if isinstance(wrt, tuple) else (direction,)
    want = tnb.jvp(function, wrt=wrt)(*copy.deepcopy(args), *direction)
    agree(tnb.jvp(function, wrt=wrt, backend="jax")(*copy.deepcopy(args), *direction), want)


@pytest.mark.parametrize("function, args, wrt", CASES[::3], ids=[case[0].__name__ for case in CASES[::3]])
def test_compiled_is_right_or_refused(function: Any, args: Any, wrt: Any) -> None:
    if function.__name__ in NO_LISTS:
        return
    try:
        got = gradient(function, args, wrt, backend="jax", compile="jit")
    except TangentError:
        return
    agree(got, gradient(function, args, wrt))


def mlp(params, x, y):
    h = np.tanh(x @ params["w1"] + params["b1"])
    return np.mean((h @ params["w2"] + params["b2"] - y) ** 2)


def test_a_network_is_compiled() -> None:
    rng = np.random.default_rng(0)
    params = {"w1": rng.normal(size=(3, 4)), "b1": np.zeros(4), "w2": rng.normal(size=(4, 2)), "b2": np.zeros(2)}
    x, y = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    compiled = tnb.grad(mlp, wrt="params", backend="jax", compile="jit")
    agree(compiled(params, x, y), tnb.grad(mlp, wrt="params")(params, x, y))
    assert all(isinstance(part, jax.Array) for part in compiled(params, x, y).values())


def by_order(x, p):
    a, b = p.values()
    return x * a + x * x * b


@pytest.mark.parametrize("compiled", [None, "jit"])
def test_the_order_of_a_dict_is_kept(compiled: str | None) -> None:
    """JAX sorts the keys of a dict that goes into compiled code."""
    p = {"b": 2.0, "a": 3.0}
    assert tnb.grad(by_order, backend="jax", compile=compiled)(2.0, p) == 14.0
    agree(tnb.grad(by_order, wrt="p", backend="jax", compile=compiled)(2.0, p), {"a": 4.0, "b": 2.0})


def held(p, x):
    return p.a * x + p.b


class Plain:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


def test_compiled_code_takes_no_objects() -> None:
    assert tnb.grad(held, backend="jax", compile="jit")(Pair(2.0, 3.0), 4.0) == Pair(4.0, 1.0)
    assert tnb.grad(held, backend="jax")(Plain(2.0, 3.0), 4.0).a == 4.0
    with pytest.raises(TangentError, match="compiled code cannot take"):
        tnb.grad(held, backend="jax", compile="jit")(Plain(2.0, 3.0), 4.0)


def test_what_is_in_a_container_is_checked() -> None:
    df = tnb.grad(mlp, wrt="params", backend="jax")
    with pytest.raises(ArgumentError, match=r"params\['w1'\] is an array of int64"):
        df({"w1": np.ones((3, 4), int)}, 1.0, 1.0)


def of_sizes(params, x):
    return np.sum(params["w"] * x) / sum([v.size for v in params.values()])


def of_shapes(params, x):
    lengths = [params[k].shape[0] for k in ("w", "b")]
    return np.sum(params["b"] * x) * sum(lengths)


def by_falling_weights(params, x):
    weights = [1.0 / (i + 1) for i in range(3)]
    return sum([w * params["w"][0] for w in weights]) + max([2, 1], key=lambda n: n + 1)


@pytest.mark.parametrize("function", [of_sizes, of_shapes, by_falling_weights])
def test_variables_of_comprehensions_are_not_read_from_outside(function: Any) -> None:
    """Compiled code was given them as what stands outside: a NameError."""
    params, x = {"w": np.array([0.5, 1.5]), "b": np.array([0.1, 0.2])}, np.array([1.0, 2.0])
    agree(tnb.grad(function, backend="jax", compile="jit")(params, x), tnb.grad(function)(params, x))
