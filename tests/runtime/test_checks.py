"""What derivatives take and give: refused with what to write instead."""
import functools

import numpy as np
import pytest

import tangent_nb.runtime as rt
from tangent_nb.errors import ArgumentError


def test_differentiable_lets_numbers_through():
    x = np.ones(3, np.float32)
    assert rt.differentiable(x) is x
    assert type(rt.differentiable(3)) is float
    got = rt.differentiable(3, x, np.float64(2.0))
    assert type(got) is tuple and type(got[0]) is float and got[1] is x


@pytest.mark.parametrize("value, said", [
    (np.arange(3), r"int64.*astype\(float\)"), (np.array([True]), r"bool.*astype\(float\)"), (True, "bool"),
    (np.array([1.0], object), "object"), (1j, "real"), (np.ones(2, complex), r"value\.real"), ([1.0], r"np\.array"),
    ((1.0,), "tuple"), ({"a": 1.0}, "dict"), ("x", "str"), (None, "None"), (np.int64(3), "float"),
    (np.bool_(1), "bool"), (np.ma.array([1.0]), "asarray"),
])
def test_differentiable_refuses(value, said):
    with pytest.raises(ArgumentError, match=said):
        rt.differentiable(value)
    with pytest.raises(ArgumentError, match="^value is"):
        rt.differentiable(1.0, value)
    with pytest.raises(ArgumentError, match="^w is"):
        rt.differentiable(1.0, value, names=("x", "w"))


def test_seed():
    assert rt.seed(2.0) == 1.0 and type(rt.seed(2.0)) is float
    assert rt.seed(np.float32(2)).dtype == np.float32
    assert rt.seed(np.array(2.0)) == 1.0


@pytest.mark.parametrize("value, said", [
    (np.ones(3), r"shape \(3,\).*vjp.*jacobian"), (3, "int.*float"), (True, "bool.*float"),
    (np.int64(3), "int64.*float"),
    (np.bool_(1), "bool.*float"), (1j, "complex"), ((1.0, 2.0), "tuple.*vjp"), (None, "None.*float"), ("x", "str"),
])
def test_seed_refuses(value, said):
    with pytest.raises(ArgumentError, match=said):
        rt.seed(value)


def test_check_seed():
    assert rt.check_seed(1, 0.5) == 1.0
    assert rt.check_seed(np.ones(2), np.ones(2, np.float32)).dtype == np.float32
    assert rt.check_seed([1.0, np.ones(2)], (0.5, np.zeros(2)))[0] == 1.0
    assert rt.check_seed((1.0, None), (0.5, 3)) == (1.0, 0.0)
    assert rt.check_seed({"a": 1}, {"a": 0.5}) == {"a": 1.0}


@pytest.mark.parametrize("seed, y, said", [
    (1.0, np.ones(3), r"shape \(\).*shape \(3,\)"), (np.ones((3, 1)), np.ones(3), "shape"), (None, 1.0, "None"),
    ([1.0], 1.0, "list"), (1j, 1.0, "complex"), (1.0, (1.0, 2.0), "tuple of 2"), ((1.0,), (1.0, 2.0), "tuple of 2"),
    ({"b": 1.0}, {"a": 1.0}, "keys"),
])
def test_check_seed_refuses(seed, y, said):
    with pytest.raises(ArgumentError, match=said):
        rt.check_seed(seed, y)


def test_check_tangent_speaks_of_tangents():
    with pytest.raises(ArgumentError, match="the tangent has shape.*the argument"):
        rt.check_tangent(np.ones(2), np.ones(3))


class Layer:
    def __init__(self, w):
        self.w = w

    def __call__(self, v):
        return np.sum(self.w * v)

    def loss(self, v):
        return np.sum(self.w * v * v)


def made_with(w):
    return lambda v: np.sum(w * v)


@pytest.mark.parametrize("hold", [
    lambda x: x, lambda x: x[1:], lambda x: [1.0, {"a": x.T}], Layer, lambda x: Layer(x).loss, made_with,
    lambda x: functools.partial(np.dot, x), lambda x: functools.wraps(made_with(x))(lambda v: v),
    lambda x: (lambda v, w=x: v), lambda x: np.array([x, None], object), lambda x: iter(x),
], ids=range(11))
def test_check_apart_looks_into_what_may_hold_an_array(hold):
    x = np.ones(3)
    with pytest.raises(ArgumentError,
                       match="^x is changed in place, and y shares its memory: pass a copy of one of them$"):
        rt.check_apart(x, (2.0, hold(x)), ("x", "n", "y"))
    try:
        rt.check_apart(x, (2.0, hold(x.copy())), ("x", "n", "y"))
    except ArgumentError:
        assert isinstance(hold(x), (np.ndarray, type(iter(x)))), "what cannot be looked into is refused"


def test_check_kept():
    A = np.eye(3)
    rt.check_kept(A[1], A[0], "A[1]")
    rt.check_kept(A[1, 1], A[1], "A[1, 1]")
    with pytest.raises(ArgumentError, match=r"A\[1\] is, or holds, a view of what is changed"):
        rt.check_kept(A[1], A[:, 0], "A[1]")
    with pytest.raises(ArgumentError, match=r"v is, or holds, a view of what is changed"):
        rt.check_kept(A[1], [A], "v")
    rt.check_kept([A[1]], [A[0], 1.0], "v")
    with pytest.raises(ArgumentError, match=r"v is, or holds, a view of what is changed"):
        rt.check_kept([1.0, {"a": A[1]}], (A, 2.0), "v")


def test_check_view_of_what_is_reshaped():
    A = np.ones((2, 3))
    for v in (A.ravel(), A.reshape(3, 2), A[1:].reshape(-1), A[:, 0].reshape(2, 1)):
        rt.check_view(v, "v", A)
    rt.check_view(np.ones((0, 3)).T.reshape(-1), "v", np.ones((0, 3)))
    number = np.ones(())
    for v, x in ((A.T.ravel(), A), (A[:, :2].reshape(-1), A), (A.T.reshape(-1), A.T), (A[:, ::2].ravel(), A),
                 (number.reshape(1), number)):
        with pytest.raises(ArgumentError, match="v may be a copy"):
            rt.check_view(v, "v", x)
