"""Rules of the user's own."""
from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.rules import table


@pytest.fixture(autouse=True)
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of a test are gone after it."""
    monkeypatch.setattr(table, "_ROWS", dict(table._ROWS))


def define(text: str) -> dict:
    return sourced(text, {"np": np, "math": math, "tnb": tnb})


CUBE = "def cube(x):\n    return x * x * x\n"


def test_an_adjoint_replaces_the_text() -> None:
    scope = define(CUBE + "@tnb.adjoint(cube)\ndef _(y, x):\n    d[x] = d[y] * 100.0\ndef f(x):\n"
                   "    return cube(x) * x\n")
    assert tnb.grad(scope["f"])(2.0) == 100.0 * 2.0 + 8.0


def test_both_modes_and_the_second_order() -> None:
    scope = define(CUBE + "@tnb.adjoint(cube)\ndef _(y, x):\n    s = 3.0 * x\n    d[x] = d[y] * s * x\n"
                   "@tnb.tangent(cube)\ndef _(y, x):\n    d[y] = d[x] * 3.0 * x * x\ndef f(x):\n"
                   "    return cube(np.sin(x))\n")
    tnb.check_rule(scope["cube"], 0.7)
    tnb.check_grads(scope["f"], 0.7)
    second = tnb.grad(tnb.grad(scope["f"]))(0.7)
    step = 1e-5
    df = tnb.grad(scope["f"])
    assert second == pytest.approx((df(0.7 + step) - df(0.7 - step)) / (2 * step), rel=1e-8)


def test_two_arguments_and_broadcasting() -> None:
    scope = define("def scaled(a, x):\n    return a * x\n@tnb.adjoint(scaled)\ndef _(y, a, x):\n    d[a] = d[y] * x\n"
                   "    d[x] = d[y] * a\n"
                   "@tnb.tangent(scaled)\ndef _(y, a, x):\n    d[y] = d[a] * x + a * d[x]\n"
                   "def f(a, x):\n    return np.sum(scaled(a, x))\n")
    x = np.array([1.0, 2.0])
    da, dx = tnb.grad(scope["f"], wrt=(0, 1))(3.0, x)
    assert da == 3.0 and np.array_equal(dx, [3.0, 3.0])
    assert tnb.jvp(scope["f"], wrt=(0, 1))(3.0, x, 1.0, np.ones(2)) == 3.0 + 6.0


def test_a_side_that_is_missing_is_refused() -> None:
    scope = define(CUBE + "@tnb.adjoint(cube)\ndef _(y, x):\n    d[x] = d[y]\ndef f(x):\n    return cube(x)\n")
    assert tnb.grad(scope["f"])(2.0) == 1.0
    with pytest.raises(TangentError, match="tangent"):
        tnb.jvp(scope["f"])
    scope = define(CUBE + "@tnb.tangent(cube)\ndef _(y, x):\n    d[y] = d[x]\ndef f(x):\n    return cube(x)\n")
    with pytest.raises(TangentError, match="adjoint"):
        tnb.grad(scope["f"])


def test_an_argument_without_a_derivative_is_refused_where_it_carries_one() -> None:
    scope = define("def powered(x, n):\n    return x ** n\n@tnb.adjoint(powered)\ndef _(y, x, n):\n"
                   "    d[x] = d[y] * n * x ** (n - 1)\n"
                   "def f(x, n):\n    return powered(x, n)\ndef g(x):\n    return powered(x, x)\n")
    assert tnb.grad(scope["f"])(2.0, 3) == 12.0
    with pytest.raises(TangentError, match="argument n"):
        tnb.grad(scope["g"])


def test_a_wrong_rule_is_found() -> None:
    scope = define(CUBE + "@tnb.adjoint(cube)\ndef _(y, x):\n    d[x] = d[y] * x * x\n")
    with pytest.raises(AssertionError, match="reverse mode"):
        tnb.check_rule(scope["cube"], 0.7)


@pytest.mark.parametrize("body", ["    return d[y]\n", "    d[x] = k * d[y]\n", "    d[x] = d[z]\n", "    pass\n",
                                  "    x = d[y]\n", "    d[x], a = d[y], 1.0\n"])
def test_templates_that_are_refused(body: str) -> None:
    with pytest.raises(TangentError):
        define("k = 2.0\n" + CUBE + "@tnb.adjoint(cube)\ndef _(y, x):\n" + body)


def test_parameters_have_to_be_those_of_the_function() -> None:
    with pytest.raises(TangentError, match="result first"):
        define(CUBE + "@tnb.adjoint(cube)\ndef _(x):\n    d[x] = 1.0\n")


def test_non_differentiable() -> None:
    scope = define("@tnb.non_differentiable\ndef level(x):\n    return x // 1.0\ndef f(x):\n    return x * level(x)\n")
    assert tnb.grad(scope["f"])(2.5) == 2.0
    assert tnb.jvp(scope["f"])(2.5, 1.0) == 2.0


def test_stop_gradient_and_inserted_code() -> None:
    scope = define("def f(x):\n    return x * tnb.stop_gradient(x)\n"
                   "def g(x):\n    y = x * x\n    with tnb.insert_grad_of(y) as by:\n"
                   "        by = np.clip(by, -1.0, 1.0)\n    return 10.0 * y\n")
    assert tnb.grad(scope["f"])(3.0) == 3.0 and tnb.jvp(scope["f"])(3.0, 1.0) == 3.0
    assert scope["g"](3.0) == 90.0
    dg = tnb.grad(scope["g"])
    assert dg(3.0) == tnb.pullback(scope["g"], 3.0)[1](1.0) == 6.0
    assert "# Inserted code" in tnb.source(dg) and "by = np.clip(by, -1.0, 1.0)" in tnb.source(dg)
