"""`wrt="*"` is the tuple of all parameters that can have a derivative, in order, wherever there is a wrt."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import RefusedError
from tangent_nb.notebook.derive import derive
from tangent_nb.notebook.options import make


def model(x: Any, w: Any, n: Any = 2, name: Any = "tanh", *, b: Any = 0.5, p: Any = None) -> Any:
    for _ in range(n):
        x = np.tanh(x * w) + b
    return np.sum(x)


X, W = np.array([0.3, 0.8]), np.array([1.5, -0.4])


def test_in_every_call() -> None:
    due = tnb.grad(model, ("x", "w", "b"))(X, W)
    assert tnb.grad(model, "*").__tangent_nb__.wrt == derive(model, make(wrt="*")).derivation.wrt == ("x", "w", "b")
    np.testing.assert_equal(tnb.grad(model, "*")(X, W), due)
    np.testing.assert_equal(tnb.grad(model, "*", like=(X, W))(X, W), due)
    np.testing.assert_equal(tnb.value_and_grad(model, "*")(X, W), (model(X, W), due))
    np.testing.assert_equal(tnb.vjp(model, "*")(X, W, seed=1.0), due)
    np.testing.assert_equal(tnb.jvp(model, "*")(X, W, dx=X, dw=W, db=0.0),
                            tnb.jvp(model, ("x", "w", "b"))(X, W, dx=X, dw=W, db=0.0))
    forward, backward = tnb.autodiff(model, "*", motion="split")
    np.testing.assert_equal(backward(forward(X, W)[1], 1.0), due)
    np.testing.assert_equal(tnb.pullback(model, X, W, wrt="*")[1](1.0), due)
    assert tnb.report(model, "*") == ""
    tnb.check_grads(lambda x, y, n: float(np.sum(x * y ** n)), X, W + 2.0, 2, wrt="*")


def test_one_parameter_gives_a_tuple() -> None:
    assert tnb.grad(lambda x: x * x, "*")(3.0) == (6.0,)


def test_arguments_that_are_known_decide() -> None:
    def f(x: Any, k: Any, kind: Any) -> Any:
        return x * k if kind == "times" else x

    assert tnb.pullback(f, 2.0, np.arange(3), "times", wrt="*")[1](np.ones(3)) == (3.0,)
    assert tnb.grad(f, "*", like=(2.0, np.arange(3), "times")).__tangent_nb__.wrt == ("x",)


def test_an_array_that_is_reshaped_and_an_end_are_no_sizes() -> None:
    def f(x: Any, low: Any, n: Any) -> Any:
        return np.sum(np.reshape(x, (2, -1)) * np.linspace(low, 1.0, num=n))

    assert tnb.grad(f, "*").__tangent_nb__.wrt == ("x", "low")


def test_parameters_that_are_refused_alone_are_left_out() -> None:
    def f(x: Any, t: Any) -> Any:
        return x * float(str(t))

    assert tnb.grad(f, "*")(3.0, 2.0) == (2.0,)
    with pytest.raises(RefusedError):
        tnb.grad(lambda x, y: np.real_if_close(x * y), "*")
