"""`*rest` and `**options` of the function that is derived: a tuple and a dict,
of which parts are differentiated too."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, TangentError

OPTIMIZED = pytest.mark.parametrize("optimized", [True, False])


def horner(x, *rest):
    out = x
    for r in rest:
        out = out * x + r
    return out


def spring(x, *, k=2.0, **options):
    return x * options["a"] * k + sum(v * v for v in options.values()) + options.get("c", x)


def both(x, *rest, y=0.5, **options):
    return x * sum(rest) * y + options["w"][0] * rest[0] * len(options)


def slope(f: Callable[[float], float], at: float, h: float = 1e-5) -> float:
    return (f(at + h) - f(at - h)) / (2.0 * h)


@OPTIMIZED
def test_the_gradient_of_the_rest_is_a_tuple(optimized: bool) -> None:
    df = tnb.grad(horner, wrt="rest", optimized=optimized)
    assert df(1.5, 2, 3.0) == (1.5, 1.0)
    assert df(1.5) == ()
    assert tnb.jvp(horner, wrt=("rest",), optimized=optimized)(1.5, 2, 3.0, drest=(1.0, 10.0)) == 11.5


@OPTIMIZED
def test_an_index_names_one_of_the_rest(optimized: bool) -> None:
    df = tnb.grad(horner, wrt=(0, 1), optimized=optimized)
    assert df(1.5, 2.0, 3.0) \
        == pytest.approx((slope(lambda x: horner(x, 2.0, 3.0), 1.5), slope(lambda r: horner(1.5, r, 3.0), 2.0)))
    with pytest.raises(ArgumentError, match=r"there is no rest\[0\]: rest has nothing"):
        df(1.5)


@OPTIMIZED
def test_the_gradient_of_the_options_is_a_dict(optimized: bool) -> None:
    df = tnb.grad(spring, wrt=("x", "k", "options"), optimized=optimized)
    assert df(1.5, a=2.0, b=3.0) == (5.0, 3.0, {"a": 7.0, "b": 6.0})
    assert df(1.5, a=2.0, c=1.0, k=1.0) == (2.0, 3.0, {"a": 5.5, "c": 3.0})
    assert tnb.grad(spring, wrt="options['a']", optimized=optimized)(1.5, a=2.0) == 7.0
    push = tnb.jvp(spring, wrt=("x", "options"), optimized=optimized)
    assert push(1.5, a=2.0, b=3.0, dx=1.0, doptions={"a": 1.0, "b": 0.0}) == 12.0


@OPTIMIZED
def test_all_kinds_of_parameters(optimized: bool) -> None:
    df = tnb.grad(both, wrt=("x", "rest", "y", "options"), optimized=optimized)
    x, rest, y, options = df(2.0, 3.0, 4.0, y=1.5, w=[5.0, 6.0], name="text")
    assert (x, rest, y) == (10.5, (13.0, 3.0), 14.0)
    assert options == {"w": [6.0, 0.0], "name": None}


def test_signatures() -> None:
    assert str(inspect.signature(tnb.grad(horner))) == "(x, *rest)"
    assert str(inspect.signature(tnb.vjp(horner))) == "(x, *rest, seed)"
    assert str(inspect.signature(tnb.jvp(spring))) == "(x, *, k=2.0, dx, **options)"


def test_other_derivatives() -> None:
    assert tnb.hessian(horner)(1.5, 2.0, 3.0) == 9.0
    assert tnb.hessian(spring)(1.5, a=2.0) == 0.0
    assert tnb.grad(horner, like=(1.0,))(1.5, 2, 3) == tnb.grad(horner)(np.float64(1.5), 2, 3) == 8.75
    assert tnb.pullback(horner, 1.5, 2.0, wrt=1)[1](1.0) == 1.0
    tnb.check_grads(horner, 1.5, 2.0, 3.0)


@pytest.mark.parametrize(("wrt", "message"), [
    (-1, r"any number of arguments \(\*rest\)"),
    ("nothing", "no parameter 'nothing': it has x, rest"),
    (("rest", 2), "twice"),
])
def test_what_wrt_does_not_mean(wrt: Any, message: str) -> None:
    with pytest.raises(TangentError, match=message):
        tnb.grad(horner, wrt=wrt)


def test_no_jacobian_of_a_container() -> None:
    with pytest.raises(TangentError, match="name a part of it"):
        tnb.jacobian(horner, "rest")(1.5, 2.0)


def calls(f, x):
    return f(rest=x) * x


def test_keywords_with_the_name_of_a_star_are_not_the_star() -> None:
    def f(*rest, **options):
        return options["rest"] * 2.0

    with pytest.raises(TangentError, match="two stars"):
        tnb.grad(calls, wrt="x")(f, 2.0)


def sums(**options):
    total = 0.0
    for name in options:
        total = total + options[name] * len(name)
    return total


def test_names_of_ours_are_no_options() -> None:
    assert tnb.grad(sums, wrt="options")(seed=1.0, rt=2.0, helpers=3.0) == {"seed": 4.0, "rt": 2.0, "helpers": 7.0}
