"""Interpolators of SciPy that are called: made outside or here, held by an object, given; where they are not smooth;
and that the derivative is not run with another one."""
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import RefusedError, TangentError

interpolate = pytest.importorskip("scipy.interpolate")
X = np.array([0.0, 0.7, 1.1, 1.9, 2.4, 3.0])
Y = np.array([0.3, -0.4, 1.2, 0.7, -0.2, 0.4])
PLANE = np.outer(Y, np.cos(X)) + X
PLACES = np.array([0.2, 0.9, 1.5, 2.9])


class Model:
    def __init__(self):
        self.spline = interpolate.CubicSpline(X, Y)

    def at(self, x):
        return 2.0 * self.spline(x)


def others(s, x):
    return s(x) * x


MODEL = Model()
KNOWN = {
    "np": np, "interpolate": interpolate, "X": X, "Y": Y, "PLANE": PLANE, "MODEL": MODEL, "others": others,
    "CUBIC": MODEL.spline, "SPLINE": interpolate.BSpline(*interpolate.splrep(X, Y)),
    "TCK": interpolate.splrep(X, Y), "LINEAR": interpolate.interp1d(X, Y),
    "UNIVARIATE": interpolate.UnivariateSpline(X, Y, s=0.05), "ENDS": interpolate.UnivariateSpline(X, Y, s=0.0, ext=3),
    "LINE": interpolate.UnivariateSpline(X, Y, k=1, s=0.0),
    "FLAT": interpolate.RectBivariateSpline(X, X, PLANE, kx=1, ky=1),
    "BOTH": interpolate.RectBivariateSpline(X, X, PLANE), "GRID": interpolate.RegularGridInterpolator((X, X), PLANE),
    "__name__": "interpolators"}
CALLS = [
    "CUBIC(x)", "CUBIC(x, 1) * CUBIC(x)", "CUBIC(x, nu=1)", "CUBIC.derivative()(x)", "CUBIC.antiderivative()(x)",
    "MODEL.spline(x) + MODEL.at(x)", "others(CUBIC, x)", "interpolate.CubicSpline(X, Y)(x)",
    "interpolate.PchipInterpolator(X, Y)(x)", "interpolate.Akima1DInterpolator(X, Y)(x)",
    "interpolate.make_interp_spline(X, Y, k=5)(x)", "SPLINE(x)", "interpolate.splev(x, TCK)",
    "interpolate.splev(x, TCK, der=1)", "UNIVARIATE(x)", "UNIVARIATE(x, 1)", "UNIVARIATE.derivative()(x)",
    "ENDS(x + 1.0)",
    "interpolate.interp1d(X, Y, kind='cubic')(x)", "interpolate.KroghInterpolator(X, Y)(x)",
    "interpolate.BarycentricInterpolator(X, Y)(x)", "BOTH.ev(x, x * x / 3.0)", "BOTH(x, x * x / 3.0)",
    "BOTH(x, x * x / 3.0, grid=False)", "GRID(np.stack([x, x * x / 3.0], axis=-1))", "GRID((x, x * x / 3.0))",
    "GRID((x, 1.0))", "GRID([x[1], x[2]])", "LINEAR(x)", "LINEAR([x[0], 1.0])",
    "CUBIC.integrate(x[0], x[1])", "UNIVARIATE.integral(x[0], x[1])", "interpolate.splint(x[0], x[1], TCK)",
    "interpolate.bisplev(x, x[1], (*BOTH.tck, 3, 3))", "interpolate.interpn((X, X), PLANE, np.stack([x, x], axis=-1))",
    "CUBIC(x[0]) + CUBIC(float(x[0]))", "ENDS(x + 1.03, 1)", "interpolate.splev(x + 1.03, TCK, 1, 3)", "x * LINE(x)",
    "x * UNIVARIATE(x, 3)", "x * interpolate.splev(x, TCK, 3)", "FLAT.ev(x, x * x / 3.0)", "FLAT(x, x * x / 3.0)",
    "x[0] * interpolate.bisplev(x, x[1], (*FLAT.tck, 1, 1))", "BOTH(x, x * x / 3.0, dx=2, grid=False)",
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("call", CALLS)
def test_both_modes_and_second_order(call):
    f = sourced(f"def f(x):\n    return np.sum(np.sin({call}))\n", KNOWN, f"<{call}>")["f"]
    along, h = np.cos(1.0 + np.arange(4.0)), 1e-5
    slope = (f(PLACES + h * along) - f(PLACES - h * along)) / (2 * h)
    for optimized in (True, False):
        assert np.sum(tnb.grad(f, optimized=optimized)(PLACES) * along) == pytest.approx(slope, rel=1e-6, abs=1e-7)
        assert tnb.jvp(f, optimized=optimized)(PLACES, along) == pytest.approx(slope, rel=1e-6, abs=1e-7)
    df = tnb.grad(f)
    bent = (df(PLACES + h * along) - df(PLACES - h * along)) / (2 * h)
    np.testing.assert_allclose(tnb.jvp(df)(PLACES, along), bent, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(tnb.vjp(df)(PLACES, along), bent, rtol=1e-5, atol=1e-6)


VALUES = [
    "interpolate.CubicSpline(X, x)(PLACES)", "interpolate.CubicSpline(X, x, bc_type='natural')(x[0] + 1.0)",
    "interpolate.CubicSpline(X, np.outer(x, PLACES))(1.5)", "interpolate.CubicSpline(X, [*x[:-1], 0.5])(PLACES)",
    "interpolate.CubicSpline(x=X, y=x)(PLACES, 1)", "interpolate.CubicSpline(X, x * x).derivative()(PLACES)",
    "interpolate.make_interp_spline(X, x * x).derivative().derivative()(PLACES)",
    "interpolate.CubicSpline(X, x).derivative()(x[1], 1)",
    "interpolate.make_interp_spline(X, x)(PLACES)",
    "interpolate.CubicSpline(X, x)(X)", "interpolate.interp1d(X, x)(PLACES)",
    "interpolate.interp1d(X, np.outer(PLACES, x), kind='cubic')(1.5)", "interpolate.interp1d(X, x * x)(x[0] + 1.0)",
    "interpolate.interp1d(X, np.outer(PLACES, x), 'quadratic', bounds_error=False)(PLACES[:3])",
    "interpolate.interp1d(x=X[::-1], y=x, fill_value='extrapolate')(PLACES + 2.0)",
    "interpolate.interp1d(X, x, 'nearest')(PLACES) * others(interpolate.interp1d(X, x, kind='previous'), PLACES)",
    "others(interpolate.CubicSpline(X, x), PLACES)", "Curve(x).at(PLACES)",
    "(interpolate.CubicSpline(X, x) if x[0] > 0.0 else interpolate.CubicSpline(X, 2.0 * x))(PLACES)",
]


class Curve:
    def __init__(self, values):
        self.spline = interpolate.CubicSpline(X, values)

    def at(self, t):
        return np.exp(-self.spline(t) * t)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("call", VALUES)
def test_values_in_which_an_interpolator_is_linear(call):
    f = sourced(f"def f(x):\n    return np.sum(np.sin({call}))\n", {**KNOWN, "PLACES": PLACES, "Curve": Curve},
                f"<values {call}>")["f"]
    along, h = np.cos(1.0 + np.arange(6.0)), 1e-5
    slope = (f(Y + h * along) - f(Y - h * along)) / (2 * h)
    for optimized in (True, False):
        assert np.sum(tnb.grad(f, optimized=optimized)(Y) * along) == pytest.approx(slope, rel=1e-6, abs=1e-7)
        assert tnb.jvp(f, optimized=optimized)(Y, along) == pytest.approx(slope, rel=1e-6, abs=1e-7)
    assert tnb.value_and_grad(f)(Y)[0] == pytest.approx(f(Y), rel=1e-13)
    df = tnb.grad(f)
    bent = (df(Y + h * along) - df(Y - h * along)) / (2 * h)
    np.testing.assert_allclose(tnb.jvp(df)(Y, along), bent, rtol=1e-5, atol=1e-6)


def test_values_that_change_later_and_values_that_no_branch_asks_for():
    def f(x):
        values = x * np.ones(6)
        spline = interpolate.CubicSpline(X, values)
        values[0] = 7.0
        return spline(0.2) * values[0]
    assert tnb.grad(f)(0.5) == pytest.approx((f(0.6) - f(0.4)) / 0.2)

    def g(x, n):
        spline = interpolate.CubicSpline(X, x * Y) if n == 6 else interpolate.CubicSpline(X, x * Y[:n])
        return spline(0.2)
    assert tnb.grad(g)(0.5, 6) == pytest.approx(g(0.6, 6) / 0.6)
    with pytest.raises(ValueError, match="length"):
        tnb.grad(g)(0.5, 5)


def test_the_text_is_what_one_writes():
    spline = MODEL.spline

    def f(x):
        y = spline(x)
        return np.sum(y * y)
    assert "spline(x, 1)" in tnb.source(tnb.grad(f)) and "over_values" not in tnb.source(tnb.grad(f))
    assert "spline(x, 2)" in tnb.source(tnb.grad(tnb.grad(lambda x: spline(x))))
    np.testing.assert_allclose(tnb.grad(spline)(0.5), spline(0.5, 1))


def test_an_interpolator_that_is_given():
    def f(x, s):
        return s(x) * x
    for k in (1.0, 2.0, 3.0):
        other = interpolate.CubicSpline(X, k * Y)
        assert tnb.grad(f)(0.5, other) == pytest.approx(other(0.5) + 0.5 * other(0.5, 1))
    several = interpolate.CubicSpline(X, np.stack([Y, X], axis=1))
    assert tnb.grad(lambda x, s: np.sum(s(x)))(0.5, several) == pytest.approx(np.sum(several(0.5, 1)))
    for k in (1.0, 2.0):
        series = np.polynomial.Polynomial([1.0, 2.0, k])
        assert tnb.grad(f)(0.5, series) == pytest.approx(series(0.5) + 0.5 * series.deriv()(0.5))
    assert tnb.grad(f)(0.5, MODEL.spline) == pytest.approx(MODEL.spline(0.5) + 0.5 * MODEL.spline(0.5, 1))
    assert tnb.jvp(f)(0.5, KNOWN["LINEAR"], 1.0) == pytest.approx(KNOWN["LINEAR"](0.5) - 0.5)


@pytest.mark.parametrize("other", [interpolate.CubicSpline(X, 2.0 * Y), lambda x, nu=0: 7.0 * x],
                         ids=["spline", "function"])
def test_another_one_by_the_same_name_is_refused(other):
    names = {"np": np, "S": MODEL.spline, "__name__": "rebound"}
    f = sourced("def f(x):\n    return S(x)\n", names, "<rebound>")["f"]
    df = tnb.grad(f)
    df(0.5)
    f.__globals__["S"] = other
    with pytest.raises(TangentError, match="S .* this derivative was made: derive again"):
        df(0.5)


@pytest.mark.parametrize(("call", "at", "wanted"), [
    ("LINEAR(x)", 0.7, 0.5 * (-1.0 + 4.0)), ("LINEAR(x)", 0.0, -1.0), ("ENDS(x)", 4.0, 0.0),
    ("ENDS(x, 1)", 4.0, 19.4839126976),                    # a derivative goes on, whatever `ext` says
    ("interpolate.splev(x, TCK, ext=3)", 4.0, 0.0), ("interpolate.splev(x, TCK, ext=1)", 4.0, 0.0),
    ("interpolate.interp1d(X, Y, bounds_error=False, fill_value=0.5)(x)", 4.0, 0.0),
    ("interpolate.interp1d(X, Y, bounds_error=False, fill_value='extrapolate')(x)", 4.0, 1.0),
    ("interpolate.interp1d(X, Y, bounds_error=False)(x)", 4.0, np.nan),
    ("interpolate.interp1d(X, Y, kind='nearest')(x)", 1.0, 0.0), ("interpolate.PPoly([[1.0, 3.0], [0.0, 1.0]], "
     "[0.0, 1.0, 2.0])(x)", 1.0, 3.0), ("CUBIC(x, extrapolate=False)", 4.0, np.nan),
    ("interpolate.RegularGridInterpolator((X,), Y)([x])[0]", 0.7, 4.0),
    ("interpolate.RegularGridInterpolator((X,), Y, bounds_error=False, fill_value=1.0)([x])[0]", 4.0, 0.0),
    ("interpolate.RegularGridInterpolator((X,), Y, bounds_error=False, fill_value=None)([x])[0]", 4.0, 1.0),
    ("interpolate.RegularGridInterpolator((X,), Y, 'nearest')([x])[0]", 0.8, 0.0),
    ("interpolate.interpn((X,), Y, [x], bounds_error=False)[0]", 4.0, np.nan),
    ("BOTH.ev(x, 1.0)", 4.0, 0.0), ("BOTH(1.0, x)[0, 0]", -1.0, 0.0), ("BOTH.ev(x, 1.0, dx=1)", 4.0, 0.0),
    ("FLAT(x, 1.0)[0, 0]", -1.0, 0.0), ("interpolate.bisplev(1.0, x, (*BOTH.tck, 3, 3))", 4.0, 0.0),
])
def test_at_nodes_and_beyond_the_ends(call, at, wanted):
    f = sourced(f"def f(x):\n    return {call}\n", KNOWN, f"<edge {call}>")["f"]
    assert tnb.grad(f)(at) == pytest.approx(wanted, nan_ok=True)
    assert tnb.jvp(f)(at, 1.0) == pytest.approx(wanted, nan_ok=True)


def test_no_places():
    def f(x):
        return np.sum(MODEL.spline(x) + KNOWN["LINEAR"](x) + KNOWN["UNIVARIATE"](x))
    assert tnb.grad(f)(np.zeros(0)).shape == (0,)


@pytest.mark.parametrize(("call", "text"), [
    ("interpolate.PchipInterpolator(X, x)(1.5)", "PchipInterpolator has no derivative by its argument y"),
    ("interpolate.UnivariateSpline(X, x)(1.5)", "UnivariateSpline has no derivative by its argument y"),
    ("GRID(np.abs(np.stack([x, x], axis=-1)), method='pchip')", "method='pchip' is not differentiated"),
    ("interpolate.make_interp_spline(X, x, 3, None, ([(1, 0.5)], [(1, 0.2)]))(X)",
     "make_interp_spline has no derivative by its argument y"),
    ("interpolate.CubicSpline(X, x, bc_type=((1, 0.5), (1, 0.2)))(X)", "CubicSpline has no derivative by its argument"),
    ("interpolate.KroghInterpolator(X, x)(X)", "KroghInterpolator has no derivative by its argument yi"),
    ("interpolate.CubicSpline(X, x, bc_type='periodic')(X)", "CubicSpline has no derivative by its argument y"),
    ("interpolate.CubicSpline(x, x)(X)", "CubicSpline has no derivative by its argument x"),
    ("interpolate.interp1d(X, x, axis=0)(X)", "interp1d has no derivative by its argument"),
    ("interpolate.interp1d(X, x, copy=False)(X)", "interp1d has no derivative by its argument"),
    ("interpolate.interp1d(X, x, bounds_error=False, fill_value=0.0)(X)", "interp1d has no derivative by its argument"),
    ("[interpolate.CubicSpline(X, k * x) for k in (1.0, 2.0)][1](X)", "CubicSpline has no derivative by its argument"),
    ("interpolate.CubicSpline(X, x).integrate(0.0, 1.0)", "an interpolator of what is differentiated is used as a"),
    ("interpolate.CubicSpline(X, x).roots()", "an interpolator of what is differentiated is used as a value"),
    ("1.0 if hasattr(interpolate.CubicSpline(X, x), 'c') else x", "an interpolator of what is differentiated is used"),
    ("1.0 if isinstance(interpolate.CubicSpline(X, x), interpolate.PPoly) else x", "an interpolator of what"),
    ("1.0 if type(interpolate.CubicSpline(X, x)) is interpolate.CubicSpline else x", "an interpolator of what"),
])
def test_what_is_refused(call, text):
    f = sourced(f"def f(x):\n    return np.sum({call})\n", KNOWN, f"<refused {call}>")["f"]
    with pytest.raises((RefusedError, TangentError), match=text):
        tnb.grad(f)(Y)


HOLDING = {
    "BSpline": "interpolate.BSpline(np.arange(8.0), c, 1)", "PPoly": "interpolate.PPoly(c[None], np.arange(7.0))",
    "Barycentric": "interpolate.BarycentricInterpolator(X, c)", "Krogh": "interpolate.KroghInterpolator(X, c)",
    "RegularGrid": "interpolate.RegularGridInterpolator((X,), c)", "poly1d": "np.poly1d(c)",
}
COPYING = {"CubicSpline": "interpolate.CubicSpline(X, c)", "interp1d": "interpolate.interp1d(X, c)",
           "Polynomial": "np.polynomial.Polynomial(c)"}


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("name", [*HOLDING, *COPYING])
def test_values_that_change_after_an_interpolator_was_made_of_them(name: str, optimized: bool) -> None:
    made = {**HOLDING, **COPYING}[name]
    space = sourced(f"def f(x):\n    c = Y + 1.0\n    p = {made}\n    y = p(X[1:2] + 0.5)\n    c *= 2.0\n"
                    "    return np.sum(y + p(X[1:2] + 0.5)) * x\n", KNOWN)
    for derive in (lambda f: tnb.grad(f, optimized=optimized)(0.6),
                   lambda f: tnb.jvp(f, optimized=optimized)(0.6, 1.0)):
        if name in HOLDING:
            with pytest.raises(TangentError, match="p is, or holds, a view of what is changed in place"):
                derive(space["f"])
        else:
            np.testing.assert_allclose(derive(space["f"]), space["f"](1.0))


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("made", [
    "g = interpolate.interp1d(X, {}, bounds_error=False)",
    "g = interpolate.interp1d(X, {}, kind='previous', fill_value='extrapolate')",
    "g = interpolate.CubicSpline(X, {}, extrapolate=False)",
    "g = interpolate.CubicSpline(X, {}, extrapolate=False).derivative()"])
@pytest.mark.parametrize("held", ["Y * x", "Y"])
def test_what_is_beyond_the_nodes_and_not_read_takes_no_part(made: str, held: str, optimized: bool) -> None:
    f = sourced(f"def f(x):\n    {made.format(held)}\n    z = g(np.array([-1.0, 0.9, 1.5]) * x)\n"
                "    return np.sum(np.where(np.isnan(z), 0.0, z) ** 2) + z[1] * x\n", KNOWN, "<beyond>")["f"]
    slope = (f(1.1 + 1e-6) - f(1.1 - 1e-6)) / 2e-6
    assert tnb.grad(f, optimized=optimized)(1.1) == pytest.approx(slope, rel=1e-5)
    assert tnb.jvp(f, optimized=optimized)(1.1, dx=1.0) == pytest.approx(slope, rel=1e-5)


def test_a_grid_beyond_its_ends_takes_no_part() -> None:
    g = interpolate.RegularGridInterpolator((X,), Y, bounds_error=False)

    def f(x):
        z = g(np.array([-1.0, 0.9, 1.5]) * x)
        return z[1] ** 2 + z[1] * x

    slope = (f(1.1 + 1e-6) - f(1.1 - 1e-6)) / 2e-6
    assert tnb.grad(f)(1.1) == pytest.approx(slope, rel=1e-5)
    assert tnb.jvp(f)(1.1, dx=1.0) == pytest.approx(slope, rel=1e-5)
