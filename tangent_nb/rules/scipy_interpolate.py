"""SciPy's interpolators: objects that are called, by the places at which they are called.

A call of a spline is its own derivative with one more in `nu`: C. de Boor, "A Practical Guide to Splines" (2001),
chapters X and XI. At a node where a slope jumps it is that of the piece to the right, as SciPy has it. What an
interpolator is made of is constant, nodes and coefficients, but for values in which it is linear
(`desugar/interpolators.py`).
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import interpolate

from .. import runtime as rt
from ..runtime import splines
from ..syntax.spec import UNKNOWN, Spec
from . import infer, when
from .row import Condition
from .table import elementwise, linear, nondifferentiable, rule, unsupported

cls: Any
ANY: dict[str, Any] = {"spec": infer.anything}
SINGLE = Spec("other", (), "f8")                           # an interpolator that gives a number for a number
UNIVARIATE, INTERP1D = interpolate.UnivariateSpline, interpolate.interp1d
BIVARIATE, GRID = interpolate.RectBivariateSpline, interpolate.RegularGridInterpolator


def single(*given: str) -> Condition:
    """The interpolator gives one real number for each place, and of these arguments none is given."""
    return lambda s: s["spline"] == SINGLE and not any(name in s for name in given)


def _valued(spline: Any) -> Spec:
    """What is known of the values of an interpolator."""
    if isinstance(spline, UNIVARIATE):
        return Spec("other") if splines.extrapolates(getattr(spline, "ext", 0)) else SINGLE
    own = getattr(spline, "_y_extra_shape", None)
    shape = spline.c.shape[1 + (not isinstance(spline, interpolate.BSpline)):] if own is None else own
    kind = getattr(spline, "dtype", None) if own is not None else spline.c.dtype
    return SINGLE if shape == () and kind == np.float64 else Spec("other")


def _of_values(args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
    """An array in the shape of the places."""
    x = args["x"]
    return Spec("array", x.shape, "f8") if args["spline"] == SINGLE and x.is_number else UNKNOWN


def called(of: Any, name: str, others: str, *slopes: tuple[str, str], **details: Any) -> None:
    """The row of a call of the objects of a class, or of a method. slopes: the slope, where some of the others are left
    out, the last one where all are given."""
    names = [one.partition("=")[0] for one in others.split(", ") if one]
    # beyond the nodes a slope may be NaN, as the value is, which the text cuts off then
    cut = "rt.cut(g * {0}, g)" if details.get("breaks", "kink") else "g * {0}"
    pull: list[Any] = [(single(*left.split()), f"rt.unbroadcast({cut.format(slope)}, x)") for left, slope in slopes]
    push: list[Any] = [(single(*left.split()), f"g * {slope}") for left, slope in slopes]
    for left, slope in slopes:
        across = f"rt.across_values(g, x, spline, y) * {slope}"
        pull.append((when.left_out(*left.split()), f"rt.over_values({cut.format(slope)}, x, spline)"))
        push.append((when.left_out(*left.split()), across))
    pull[-1], push[-1] = pull[-1][1], push[-1][1]
    rule(of, f"y = {name}(spline, x{', ' * bool(others)}{others})", nondiff=["spline", *names], refused=["spline"],
         receiver=name.startswith("scipy."), valued=_valued, pull={"x": pull}, push={"x": push},
         **{"breaks": "kink", "spec": _of_values, **details})


NODES = "at a node the slope of the piece to the right; of the places, not of what it is made of"
PIECES = (("nu extrapolate", "spline(x, 1)"), ("extrapolate", "spline(x, nu + 1)"),
          ("", "spline(x, nu + 1, extrapolate)"))
for cls, others in ((interpolate.PPoly, "CubicSpline, PchipInterpolator and Akima1DInterpolator too; "),
                    (interpolate.BSpline, "of make_interp_spline too; ")):
    called(cls.__call__, f"scipy.interpolate.{cls.__name__}.__call__", "nu=0, extrapolate=None", *PIECES,
           note=others + NODES)
called(interpolate.KroghInterpolator.__call__, "scipy.interpolate.interp1d.__call__", "",
       ("", "rt.slope_of(spline, x)"), breaks="jump", note="at a node the mean of the slopes on both sides")
called(rt.slope_of, "rt.slope_of", "n=1", ("", "rt.slope_of(spline, x, n + 1)"), breaks="jump")
called(interpolate.BarycentricInterpolator.__call__, "scipy.interpolate.BarycentricInterpolator.__call__", "",
       ("", "spline.derivative(x)"), breaks="")
for cls in (interpolate.KroghInterpolator, interpolate.BarycentricInterpolator):
    called(cls.derivative, f"scipy.interpolate.{cls.__name__}.derivative", "der=1",
           ("", "spline.derivative(x, der + 1)"), breaks="")
linear(rt.over_values, "y = rt.over_values(v, x, spline)", nondiff=["x", "spline"],
       pull={"v": "rt.across_values(g, x, spline, v)"}, **ANY)
linear(rt.across_values, "z = rt.across_values(v, x, spline, y)", nondiff=["x", "spline", "y"],
       pull={"v": "rt.unbroadcast(rt.over_values(g, x, spline), v)"}, **ANY)
# a derivative goes on beyond the ends, whatever `ext` says
ENDS = "rt.mask({0}, rt.between_ends({1}, x, ext)) if {2} == 0 else {0}"
elementwise(UNIVARIATE.__call__, "y = scipy.interpolate.UnivariateSpline.__call__(spline, x, nu=0, ext=None)",
            x=[(single("nu", "ext"), "g * spline(x, 1)"), (single("ext"), "g * rt.at_order(spline, x, nu + 1)"),
               ENDS.format("g * rt.at_order(spline, x, nu + 1, ext)", "spline", "nu")], nondiff=["spline", "nu", "ext"],
            refused=["spline"], receiver=True, valued=_valued, breaks="kink", spec=_of_values, note=NODES)
nondifferentiable(rt.between_ends, "y = rt.between_ends(spline, x, ext=None)", because="a truth value", **ANY)
elementwise(interpolate.splev, "y = scipy.interpolate.splev(x, tck, der=0, ext=0)", nondiff=["tck", "der", "ext"],
            refused=["tck"], x=[(when.left_out("der", "ext"), "g * scipy.interpolate.splev(x, tck, 1)"),
                                (when.left_out("ext"), "g * rt.at_order(tck, x, der + 1)"),
                                ENDS.format("g * rt.at_order(tck, x, der + 1, ext)", "tck", "der")],
            breaks="kink", note=NODES, **ANY)
elementwise(rt.at_order, "y = rt.at_order(spline, x, n=0, ext=None)", nondiff=["spline", "n", "ext"], breaks="kink",
            x=[(when.left_out("ext"), "g * rt.at_order(spline, x, n + 1)"),
               ENDS.format("g * rt.at_order(spline, x, n + 1, ext)", "spline", "n")], **ANY)

# ------------------------------------------------------------------ integrals of splines
PLAIN = when.left_out("extrapolate")
for cls in (interpolate.PPoly, interpolate.BSpline):
    ends = {end: (f"{sign}g * spline({end})", f"{sign}g * spline({end}, 0, extrapolate)")
            for end, sign in (("a", "-"), ("b", ""))}
    rule(cls.integrate, f"y = scipy.interpolate.{cls.__name__}.integrate(spline, a, b, extrapolate=None)",
         receiver=True, nondiff=["spline", "extrapolate"], refused=["spline"], **ANY,
         pull={end: [(PLAIN, f"rt.unbroadcast({one}, {end})"), f"rt.unbroadcast({two}, {end})"]
               for end, (one, two) in ends.items()},
         push={end: [(PLAIN, one), two] for end, (one, two) in ends.items()})
rule(UNIVARIATE.integral, "y = scipy.interpolate.UnivariateSpline.integral(spline, a, b)", receiver=True,
     nondiff=["spline"], refused=["spline"], pull={"a": "-g * spline(a, 0, 1)", "b": "g * spline(b, 0, 1)"},
     push={"a": "-g * spline(a, 0, 1)", "b": "g * spline(b, 0, 1)"}, **ANY)
rule(interpolate.splint, "y = scipy.interpolate.splint(a, b, tck)", nondiff=["tck"], refused=["tck"], **ANY,
     pull={"a": "-g * scipy.interpolate.splev(a, tck, 0, 1)", "b": "g * scipy.interpolate.splev(b, tck, 0, 1)"},
     push={"a": "-g * scipy.interpolate.splev(a, tck, 0, 1)", "b": "g * scipy.interpolate.splev(b, tck, 0, 1)"})

# ------------------------------------------------------------------ of two places
elementwise(BIVARIATE.ev, "z = scipy.interpolate.RectBivariateSpline.ev(spline, xi, yi, dx=0, dy=0)", receiver=True,
            nondiff=["spline", "dx", "dy"], refused=["spline"], xi="g * rt.on_plane(spline, xi, yi, dx + 1, dy, 'x')",
            yi="g * rt.on_plane(spline, xi, yi, dx, dy + 1, 'y')", **ANY)


def on_plane(ends: str = "") -> dict[str, Any]:
    """The partials of a spline of two places. ends: where it is cut already, or the argument that says it."""
    by_x, by_y = (f"rt.on_plane(spline, x, y, {orders}, {f'{ends} + ' * bool(ends)}{axis!r}, grid=grid)"
                  for orders, axis in (("dx + 1, dy", "x"), ("dx, dy + 1", "y")))
    return {"pull": {"x": f"rt.unbroadcast(np.sum(g * {by_x}, axis=1) if grid else g * {by_x}, x)",
                     "y": f"rt.unbroadcast(np.sum(g * {by_y}, axis=0) if grid else g * {by_y}, y)"},
            "push": {"x": f"np.reshape(g, (-1, 1)) * {by_x} if grid else g * {by_x}",
                     "y": f"np.reshape(g, (1, -1)) * {by_y} if grid else g * {by_y}"}}


rule(rt.on_plane, "z = rt.on_plane(spline, x, y, dx=0, dy=0, ends='', *, grid=False)",
     nondiff=["spline", "dx", "dy", "ends", "grid"], **on_plane("ends"), **ANY)
rule(BIVARIATE.__call__, "z = scipy.interpolate.RectBivariateSpline.__call__(spline, x, y, dx=0, dy=0, grid=True)",
     receiver=True, nondiff=["spline", "dx", "dy", "grid"], refused=["spline"], **on_plane(), **ANY)
ROWS, COLUMNS = (f"rt.at_grid(rt.on_plane(tck, x, y, {order}, grid=True), x, y)"
                 for order in ("dx + 1, dy, 'x'", "dx, dy + 1, 'y'"))
rule(interpolate.bisplev, "z = scipy.interpolate.bisplev(x, y, tck, dx=0, dy=0)", nondiff=["tck", "dx", "dy"],
     refused=["tck"], pull={"x": f"rt.unbroadcast(np.sum(rt.at_grid(g, x, y) * {ROWS}, axis=1), x)",
                            "y": f"rt.unbroadcast(np.sum(rt.at_grid(g, x, y) * {COLUMNS}, axis=0), y)"},
     push={"x": f"np.reshape(np.reshape(g, (-1, 1)) * {ROWS}, np.shape(z))",
           "y": f"np.reshape(np.reshape(g, (1, -1)) * {COLUMNS}, np.shape(z))"}, **ANY)
linear(rt.at_grid, "z = rt.at_grid(v, x, y)", nondiff=["x", "y"], memory="view", **ANY,
       pull={"v": "rt.unbroadcast(np.reshape(g, np.shape(v)), v)"})

# ------------------------------------------------------------------ grids
POINTS: dict[str, Any] = {"breaks": "kink", **ANY}
rule(GRID.__call__, "y = scipy.interpolate.RegularGridInterpolator.__call__(f, xi, method=None, *, nu=None)",
     receiver=True, nondiff=["f", "method", "nu"], refused=["f"],
     pull={"xi": "rt.grid_adjoint(g, f, xi, nu, method)"}, push={"xi": "rt.grid_tangent(g, f, xi, nu, method)"},
     note="by the points: multilinear, or a spline of a degree; at a node the slope of the cell to the right", **POINTS)
rule(rt.grid_adjoint, "z = rt.grid_adjoint(v, f, xi, nu=None, method=None)", nondiff=["f", "nu", "method"], pull={
    "v": "rt.unbroadcast(rt.grid_tangent(g, f, xi, nu, method), v)", "xi": "rt.grid_second(v, f, xi, g, nu, method)"},
     push={"v": "rt.grid_adjoint(g, f, xi, nu, method)", "xi": "rt.grid_second(v, f, xi, g, nu, method)"}, **POINTS)
rule(rt.grid_tangent, "y = rt.grid_tangent(v, f, xi, nu=None, method=None)", nondiff=["f", "nu", "method"], pull={
    "v": "rt.grid_adjoint(g, f, xi, nu, method)", "xi": "rt.grid_second(g, f, xi, v, nu, method)"}, push={
    "v": "rt.grid_tangent(g, f, xi, nu, method)", "xi": "rt.grid_tangent_second(v, f, xi, g, nu, method)"}, **POINTS)
for name in ("grid_second", "grid_tangent_second"):
    unsupported(getattr(rt, name), f"rt.{name}", because="an interpolator on a grid is differentiated twice",
                instead="differences of the second derivative")
MADE = "scipy.interpolate.RegularGridInterpolator(points, values, method, bounds_error{})"
TEXTS: dict[str, Any] = {side: {
    "xi": [(when.left_out("fill_value"), f"rt.grid_{how}(g, {MADE.format('')}, xi)"),
           f"rt.grid_{how}(g, {MADE.format(', fill_value')}, xi)"]}
    for side, how in (("pull", "adjoint"), ("push", "tangent"))}
rule(interpolate.interpn, "y = scipy.interpolate.interpn(points, values, xi, method='linear', bounds_error=True, "
     "fill_value=None)", nondiff=["points", "values", "method", "bounds_error", "fill_value"],
     refused=["points", "values"], **POINTS, **TEXTS)

# ------------------------------------------------------------------ what interpolators are made of
UNITS = "splines of unit vectors, made of constants, times the values: {0}(x, np.eye(n))(t) @ y"


def _single(args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
    """An interpolator that is made of one number for each node, and nothing more."""
    y = args.get("y", UNKNOWN)
    return SINGLE if y.kind == "array" and y.dims == 1 and y.dtype == "f8" and len(args) == 2 else Spec("other")


def _alike(args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
    return SINGLE if args["spline"] == SINGLE else Spec("other")


def maker(fn: Any, arguments: str, makes: Any = None, linear_in: str = "", spec: Any = None,
          linear_with: Mapping[str, Sequence[Any]] | None = None) -> None:
    """A function, or a class, that makes an interpolator of constants. linear_in: values that it is linear in;
    linear_with: the options with which it is that and holds none of its arguments, so that the values may carry a
    derivative."""
    name, names = f"scipy.interpolate.{fn.__name__}", [one.partition("=")[0] for one in arguments.split(", ")]
    varied = linear_in if linear_with is not None else ""
    because = f"an interpolator; {varied} may carry a derivative, where all else is constant" if varied \
        else "an interpolator"
    nondifferentiable(fn, f"s = {name}({arguments})", because=because, breaks="", refused=names,
                      makes=makes or fn, memory="alias", passes=frozenset(names), spec=spec or infer.some("other"),
                      remedies={linear_in: UNITS.format(name)} if linear_in else {}, linear_in=varied,
                      linear_with=linear_with or {})


maker(interpolate.CubicSpline, "x, y, axis=0, bc_type='not-a-knot', extrapolate=None", linear_in="y", spec=_single,
      linear_with={"bc_type": ("not-a-knot", "natural", "clamped"), "extrapolate": (None, True, False)})
maker(interpolate.PchipInterpolator, "x, y, axis=0, extrapolate=None", spec=_single)
maker(interpolate.Akima1DInterpolator, "x, y, axis=0, *, method='akima', extrapolate=None", spec=_single)
maker(interpolate.CubicHermiteSpline, "x, y, dydx, axis=0, extrapolate=None", linear_in="y")
maker(interpolate.PPoly, "c, x, extrapolate=None, axis=0")
maker(interpolate.BPoly, "c, x, extrapolate=None, axis=0")
maker(interpolate.BSpline, "t, c, k, extrapolate=True, axis=0")
maker(interpolate.make_interp_spline, "x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True", interpolate.BSpline,
      linear_in="y", spec=_single, linear_with={"bc_type": (None, "not-a-knot", "natural", "clamped"),
                                                "check_finite": (True, False)})
maker(interpolate.make_lsq_spline, "x, y, t, k=3, w=None, axis=0, check_finite=True", interpolate.BSpline,
      linear_in="y")
maker(interpolate.make_smoothing_spline, "x, y, w=None, lam=None", interpolate.BSpline)
maker(UNIVARIATE, "x, y, w=None, bbox=None, k=3, s=None, ext=0, check_finite=False")
maker(interpolate.InterpolatedUnivariateSpline, "x, y, w=None, bbox=None, k=3, ext=0, check_finite=False", spec=_single)
maker(interpolate.LSQUnivariateSpline, "x, y, t, w=None, bbox=None, k=3, ext=0, check_finite=False")
maker(INTERP1D, "x, y, kind='linear', axis=-1, copy=True, bounds_error=None, fill_value=None, assume_sorted=False",
      linear_in="y", spec=_single, linear_with={
          "kind": ("linear", "nearest", "nearest-up", "zero", "slinear", "quadratic", "cubic", "previous", "next"),
          "bounds_error": (None, True, False), "fill_value": (None, "extrapolate"), "assume_sorted": (True, False)})
maker(interpolate.KroghInterpolator, "xi, yi, axis=0", linear_in="yi")
maker(interpolate.BarycentricInterpolator, "xi, yi=None, axis=0", linear_in="yi")
maker(BIVARIATE, "x, y, z, bbox=None, kx=3, ky=3, s=0, maxit=20")
maker(interpolate.SmoothBivariateSpline, "x, y, z, w=None, bbox=None, kx=3, ky=3, s=None, eps=1e-16")
maker(interpolate.LSQBivariateSpline, "x, y, z, tx, ty, w=None, bbox=None, kx=3, ky=3, eps=None")
maker(GRID, "points, values, method='linear', bounds_error=True, fill_value=None")
for cls in (interpolate.PPoly, interpolate.BPoly, interpolate.BSpline):
    for name in ("derivative", "antiderivative"):
        nondifferentiable(getattr(cls, name), f"s = scipy.interpolate.{cls.__name__}.{name}(spline, nu=1)",
                          because="an interpolator", breaks="", receiver=True, makes=cls, spec=_alike)
for name in ("derivative", "antiderivative"):
    nondifferentiable(getattr(UNIVARIATE, name), f"s = scipy.interpolate.UnivariateSpline.{name}(spline, n=1)",
                      because="an interpolator", breaks="", receiver=True, makes=UNIVARIATE, spec=_alike)
