"""Trace tables: the survey's, and those of runs with loops, branches, calls, containers and arrays."""
from __future__ import annotations

import html
import linecache
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from traced import halved, loop, survey

import tangent_nb as tnb
from tangent_nb.errors import TangentError

REVERSE = """\
survey at x1 = 2, x2 = 5
forward primal trace                        reverse adjoint trace, from below
v₋₁ = x₁                        = 2         x̄₁  = v̄₋₁                               = 5.5
v₀  = x₂                        = 5         x̄₂  = v̄₀                                = 1.716
v₁  = ln v₋₁   = ln 2           = 0.693     v̄₋₁ = v̄₋₁ + v̄₁ ∂v₁/∂v₋₁ = v̄₋₁ + v̄₁/v₋₁  = 5.5
v₂  = v₋₁ × v₀ = 2 × 5          = 10        v̄₀  = v̄₀ + v̄₂ ∂v₂/∂v₀   = v̄₀ + v̄₂ × v₋₁ = 1.716
                                            v̄₋₁ = v̄₂ ∂v₂/∂v₋₁       = v̄₂ × v₀       = 5
v₃  = sin v₀   = sin 5          = -0.959    v̄₀  = v̄₃ ∂v₃/∂v₀        = v̄₃ × cos v₀   = -0.284
v₄  = v₁ + v₂  = 0.693 + 10     = 10.693    v̄₂  = v̄₄ ∂v₄/∂v₂        = v̄₄ × 1        = 1
                                            v̄₁  = v̄₄ ∂v₄/∂v₁        = v̄₄ × 1        = 1
v₅  = v₄ - v₃  = 10.693 + 0.959 = 11.652    v̄₃  = v̄₅ ∂v₅/∂v₃        = v̄₅ × (-1)     = -1
                                            v̄₄  = v̄₅ ∂v₅/∂v₄        = v̄₅ × 1        = 1
y   = v₅                        = 11.652    v̄₅  = ȳ                                 = 1"""


def recursive(x, n):
    return x if n == 0 else np.sin(recursive(x * x, n - 1))


def in_place(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] += x[i] ** 2 if x[i] > 0 else x[i]
    y *= 2.0
    return np.sum(y) + max(x[0], 0.5)


def containers(p, x):
    q = {"a": p["w"] * 2.0, "b": [p["b"][0]]}
    q["b"].append(x)
    w, b = q["a"], q["b"][-1]
    return w * b + sum(q["b"]) + sum(v * v for v in q["b"])


def layers(x, w, b):
    return np.sum(np.tanh(np.dot(w, x) + b) ** 2)


def attempts(x):
    try:
        y = np.log(x)
        if y > 1:
            raise ValueError
    except ValueError:
        y = x
    with np.errstate(all="ignore"):
        z = y * np.array([x, 2.0 * x])
    return z[0] * z[1]


class Line:
    def __init__(self, slope):
        self.slope = slope

    def __call__(self, x):
        return self.slope * x


def objects(line, x):
    line.slope = line.slope * x
    return line(x)


def factors(x):
    q, r = np.linalg.qr(np.outer(x, x) + np.eye(2))
    return np.sum(r) + q[0, 0]


def by_calls(x, functions):
    for one in functions:
        x = one(x)
    return x


RUNS = [
    (survey, (2.0, 5.0), (0, 1)), (loop, (3.0, 4), (0,)), (recursive, (0.5, 3), (0,)),
    (in_place, (np.array([1.0, -2.0, 3.0]),), (0,)), (containers, ({"w": 2.0, "b": [3.0]}, 4.0), (0, 1)),
    (layers, (np.ones(2), np.array([[0.1, 0.2], [0.3, -0.4]]), np.zeros(2)), (1, 2)), (attempts, (2.0,), (0,)),
    (attempts, (4.0,), (0,)), (factors, (np.array([1.0, 2.0]),), (0,)), (by_calls, (0.5, [np.sin, halved]), (0,)),
    (layers, (np.ones(2), np.ones((2, 2), np.float32), np.ones(2, np.float32)), (1, 2)),
]


def leaves(value):
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in leaves(one)]
    return [leaf for one in value.values() for leaf in leaves(one)] if isinstance(value, dict) else [value]


def test_the_survey_s_table_3():
    assert str(tnb.trace_table(survey, 2, 5, wrt=(0, 1))) == REVERSE


def test_the_survey_s_table_2():
    table = tnb.trace_table(survey, 2, 5, wrt=(0, 1), mode="forward")
    numbers = [re.search(r"= (\S+)$", line)[1] for line in str(table).splitlines()[2:]]
    assert numbers == ["1", "0", "0.5", "5", "0", "5.5", "5.5", "5.5"]
    assert "v̇₂  = v̇₋₁ × v₀ + v̇₀ × v₋₁ = 1 × 5 + 0 × 2" in str(table)


@pytest.mark.parametrize("f, args, wrt", RUNS)
def test_the_numbers_are_those_of_the_gradient(f, args, wrt):
    table = tnb.trace_table(f, *args, wrt=wrt)
    for found, expected in zip(table.derivative.values(), leaves(tnb.grad(f, wrt=wrt)(*args)), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    np.testing.assert_allclose(table.value, f(*args), rtol=1e-6)


@pytest.mark.parametrize("f, args, wrt", RUNS)
def test_the_tangents_are_those_of_forward_mode(f, args, wrt):
    table = tnb.trace_table(f, *args, wrt=wrt, mode="forward")
    reverse = tnb.trace_table(f, *args, wrt=wrt)
    along = sum(np.sum(gradient * tangent) for gradient, tangent
                in zip(reverse.derivative.values(), table.sheet.run.tangents, strict=True))
    np.testing.assert_allclose(table.derivative, along, rtol=1e-5)


@pytest.mark.parametrize("f, args, wrt", RUNS)
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_every_form_has_every_row(f, args, wrt, mode):
    table = tnb.trace_table(f, *args, wrt=wrt, mode=mode)
    rows = len(table.rows())
    assert str(table).count("\n") == rows + 1
    assert table.latex().count("\\\\\n") == rows + 1
    assert table.markdown().count("\n") == rows + 1
    assert table._repr_html_().count("<tr>") == rows + 1


def test_what_changes_nothing_is_no_row():
    def f(x):
        y = x
        z = [y, 2.0]
        return z[0] * len(z)

    assert len(tnb.trace_table(f, 3.0)) == 1


def test_arguments_stay_as_they_are():
    def f(x):
        x *= 2.0
        return np.sum(x)

    x = np.ones(2)
    assert tnb.trace_table(f, x).value == 4.0
    assert list(x) == [1.0, 1.0]


def test_the_function_runs_once(capsys):
    def f(x):
        print("here")
        return x * x

    tnb.trace_table(f, 2.0)
    assert capsys.readouterr().out == "here\n"


def test_draws_are_those_of_the_run():
    def f(x, rng):
        return x * rng.standard_normal()

    table = tnb.trace_table(f, 2.0, np.random.default_rng(1))
    assert table.derivative["x"] == np.random.default_rng(1).standard_normal()


def test_one_value_twice_in_a_call():
    def product(a, b):
        return a * b

    def f(x):
        y = max(x, 1.0)
        return product(y, x) + product(x, x)

    table = tnb.trace_table(f, 3.0)
    assert table.derivative["x"] == 12.0


def test_a_derivative_of_a_derivative():
    df = tnb.grad(lambda x: x ** 3)
    assert tnb.trace_table(df, 2.0).derivative["x"] == 12.0


d: dict = {}                                       # in templates of rules: the derivative of


def twice(x):
    return 2.0 * x


@tnb.adjoint(twice)
def _(y, x):
    d[x] = 7.0 * d[y]


@tnb.tangent(twice)
def _(y, x):
    d[y] = 7.0 * d[x]


def test_a_rule_of_the_user_s():
    table = tnb.trace_table(lambda x: twice(x) * x, 3.0)
    assert table.derivative["x"] == 27.0
    assert "7 × v̄₁" in str(table)


def test_the_argument_itself():
    assert str(tnb.trace_table(lambda x: x, 3.0)).splitlines()[-1] == "y  = v₀ = 3             v̄₀ = ȳ  = 1"


def test_nan_inf_and_tiny_numbers():
    with np.errstate(all="ignore"):
        text = str(tnb.trace_table(lambda x: np.log(x) * 1e-7, np.float64(0.0)))
    assert "-∞" in text
    assert "= 1e-07" in text


def test_empty_and_zero_dimensional_arrays():
    assert tnb.trace_table(np.sum, np.zeros(0)).value == 0.0
    assert tnb.trace_table(lambda x: x * x, np.array(3.0)).derivative["x"] == 6.0


def test_an_array_that_comes_out():
    table = tnb.trace_table(lambda x: x * x, np.array([1.0, 2.0]), mode="forward", tangents=np.array([1.0, 10.0]))
    assert list(table.derivative) == [2.0, 40.0]
    with pytest.raises(TangentError, match="one number"):
        tnb.trace_table(lambda x: x * x, np.array([1.0, 2.0]))


def test_a_parameter_called_y():
    assert "f" in str(tnb.trace_table(survey_of_y, 2.0)).splitlines()[-1]


def survey_of_y(y):
    return y * y


survey_of_y.__name__ = "f"


MATRICES = {"first": np.array([[1.0, 2.0], [3.0, 4.0]])}


def scaled(by, x):
    return by * x


def of_constants(x, ω=np.pi):
    return np.sum(MATRICES["first"].dot(x)) + math.sin(ω) * x[0] + scaled(np.pi, x[1])


def test_constants_are_called_what_the_user_calls_them():
    text = str(tnb.trace_table(of_constants, np.array([1.0, 2.0])))
    assert "MATRICES['first'].dot(v₀)" in text
    assert "3.142 × v" in text
    assert "constant" not in text.partition("\n")[2]


def test_nothing_is_left_behind():
    before = sys.gettrace()
    tnb.trace_table(survey, 2.0, 5.0)
    assert not [name for name in linecache.cache if name.startswith("<run ")]
    assert sys.gettrace() is before


def test_digits():
    assert "11.65207146" in str(tnb.trace_table(survey, 2, 5, digits=8))
    with pytest.raises(TangentError, match="digits"):
        tnb.trace_table(survey, 2, 5, digits=-1)


def many(x, n):
    for _ in range(n):
        x = x * 1.0001
    return x


def test_a_long_run_is_refused_with_the_line():
    with pytest.raises(TangentError, match=r"(?s)more than 200 elementary.*rows="):
        tnb.trace_table(many, 1.0, 100_000)
    assert len(tnb.trace_table(many, 1.0, 300, rows=300)) == 300


@pytest.mark.parametrize("f, args, said", [
    (lambda x: 3.0, (1.0,), "does not depend on x"),
    (lambda x: (x, x), (1.0,), "tuple"),
    (lambda x: x, ("a",), "pass a float"),
    (lambda x: x * x, (1.0, 2.0), "too many"),
    (lambda x, **k: x * x, (), "missing"),
])
def test_what_is_refused_says_why(f, args, said):
    with pytest.raises(TangentError, match=said):
        tnb.trace_table(f, *args)


def test_options_that_do_not_go_together():
    with pytest.raises(TangentError, match="mode"):
        tnb.trace_table(survey, 2.0, 5.0, mode="both")
    with pytest.raises(TangentError, match="forward"):
        tnb.trace_table(survey, 2.0, 5.0, tangents=1.0)
    with pytest.raises(TangentError, match="one is needed for each"):
        tnb.trace_table(survey, 2.0, 5.0, mode="forward", wrt=(0, 1), tangents=(1.0, 2.0, 3.0))


def test_what_the_function_raises_comes_out():
    def f(x):
        y = x * x
        raise KeyError(y)

    with pytest.raises((KeyError, TangentError)):
        tnb.trace_table(f, 2.0)


def test_names_are_escaped():
    def f(x_1_a, ω):
        return x_1_a * ω

    table = tnb.trace_table(f, 2.0, 3.0, wrt=(0, 1))
    assert r"\mathit{x\_1\_a}" in table.latex()
    p = {"<b>_&": 2.0}
    table = tnb.trace_table(lambda p: p["<b>_&"] * 2.0, p)
    assert html.escape("p['<b>_&']") in table._repr_html_() and "<b>_" not in table._repr_html_()
    assert r"\texttt{p['<b>\_\&']}" in table.latex()
    assert "|" not in table.markdown().splitlines()[2].strip("| ").replace(" | ", "")


def test_every_parameter():
    table = tnb.trace_table(loop, 3.0, 2, wrt="*")
    assert list(table.derivative) == ["x"]


def test_rounding_is_no_reason_to_refuse():
    rng = np.random.default_rng(0)
    x = (rng.standard_normal(2000) * 1e4).astype(np.float32)
    table = tnb.trace_table(lambda x: np.sum(np.tanh(x) * x) - np.sum(x * x), x)
    np.testing.assert_allclose(table.derivative["x"], tnb.grad(lambda x: np.sum(np.tanh(x) * x) - np.sum(x * x))(x),
                               rtol=1e-4)


def views(x):
    y = np.zeros((2, 3))
    y[:, 0] = x
    y.T[1:][0] = 2.0 * x
    y[1:][0, 2] += x[0]
    for i in range(2):
        y[(i + 3) % 2, 1] += x[i] * 3.0
        y[(i + 3) % 2, 2] *= 0.5 + i
    c = np.ones(2)
    half = c[1:]
    z = np.sum(half * x)
    c[1:] = 5.0
    return np.sum(y * y) * z + np.sum(c * x)


def kept(x):
    pile = [x, x[::-1]]
    other = list(pile)
    pile[0] = x * 2.0
    return np.sum(pile[0] * other[0] * pile[1])


@pytest.mark.parametrize("f", [views, kept])
def test_views_and_copies(f):
    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(tnb.trace_table(f, x).derivative["x"], tnb.grad(f)(x))


def test_what_is_not_followed_is_refused():
    def f(x):
        y = x * 1.0
        np.add.at(y, [0, 0], x)
        return np.sum(y * x)

    with pytest.raises(TangentError, match="is not followed"):
        tnb.trace_table(f, np.array([1.0, 2.0]))
