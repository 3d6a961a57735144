"""Polynomials and signals: evaluation, fits, convolution, interpolation, covariance;
with the rows of the helpers that their texts call."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

from .. import runtime as rt
from . import infer, when
from .breaking import by_ends
from .computed import ARRAY, as_computed
from .infer import cotangent
from .table import Template, linear, nondifferentiable, register_closed, rule, unsupported

fn: Any

# --- polynomials
rule(np.vander, "y = np.vander(x, N=None, increasing=False)", nondiff=["N", "increasing"], spec=infer.arrays,
     pull={"x": "rt.unarray(np.sum(g * rt.vander_dn(x, N, increasing), axis=1), x)"},
     push={"x": "np.expand_dims(g, 1) * rt.vander_dn(x, N, increasing)"})
rule(rt.vander_dn, "y = rt.vander_dn(x, N=None, increasing=False, n=1)", nondiff=["N", "increasing", "n"],
     spec=infer.arrays, pull={"x": "rt.unarray(np.sum(g * rt.vander_dn(x, N, increasing, n + 1), axis=1), x)"},
     push={"x": "np.expand_dims(g, 1) * rt.vander_dn(x, N, increasing, n + 1)"})
SLOPE: Template = [(when.ranks(p=1, x=1), "g * np.polyval(np.polyder(p), x)"),
                   "g * np.polyval(np.polyder(rt.coefficients(p)), x)"]
rule(np.polyval, "y = np.polyval(p, x)", spec=as_computed(np.polyval, "p", "x"), pull={
    "p": "rt.polyval_dp(g, p, x)", "x": [(when.ranks(p=1, x=1), "rt.unbroadcast(g * np.polyval(np.polyder(p), x), x)"),
                                         "rt.unbroadcast(g * np.polyval(np.polyder(rt.coefficients(p)), x), x)"]},
     push={"p": "np.polyval(rt.coefficients(g), x)", "x": SLOPE})
rule(rt.polyval_dp, "y = rt.polyval_dp(v, p, x)", nondiff=["p"], spec=cotangent("p"),
     pull={"v": "rt.unbroadcast(np.polyval(g, x), v)", "x": "rt.unbroadcast(v * np.polyval(np.polyder(g), x), x)"},
     push={"v": "rt.polyval_dp(g, p, x)",
           "x": "rt.unarray(np.transpose(rt.vander_dn(np.ravel(x), len(p))) @ np.ravel(v * g), p)"})
linear(rt.coefficients, "y = rt.coefficients(p)", pull={"p": "g"}, spec=infer.like("p"), memory="view")
linear(np.polyder, "y = np.polyder(p, m=1)", pull={"p": "rt.unpolyder(g, rt.coefficients(p), m)"}, memory="alias",
       spec=infer.arrays)
linear(rt.unpolyder, "y = rt.unpolyder(v, p, m=1)", nondiff=["p"], spec=cotangent("p"),
       pull={"v": "rt.cast(np.polyder(g, m), v)"})
rule(np.polyint, "y = np.polyint(p, m=1, k=None)", refused=["k"], pull={"p": "rt.unpolyint(g, rt.coefficients(p), m)"},
     push={"p": "np.polyint(g, m)"}, memory="alias", spec=infer.arrays)
linear(rt.unpolyint, "y = rt.unpolyint(v, p, m=1)", nondiff=["p"], spec=cotangent("p"),
       pull={"v": "rt.cast(np.polyint(g, m), v)"})
for fn, minus in ((np.polyadd, ""), (np.polysub, "-")):
    rule(fn, f"y = np.{fn.__name__}(a1, a2)", spec=infer.arrays,
         pull={"a1": "rt.unpolyadd(g, a1)", "a2": f"rt.unpolyadd({minus}g, a2)"},
         push={"a1": "np.polyadd(g, rt.zeros_like(a2))", "a2": f"np.polyadd(rt.zeros_like(a1), {minus}g)"})
linear(rt.unpolyadd, "y = rt.unpolyadd(v, p)", nondiff=["p"], spec=cotangent("p"), memory="view",
       pull={"v": "np.polyadd(g, rt.zeros_like(v))"})
rule(np.polymul, "y = np.polymul(a1, a2)", spec=infer.arrays, memory="alias", pull={
    "a1": "rt.convolve_dx(rt.untrimmed(g, a1, a2), a1, a2)", "a2": "rt.convolve_dx(rt.untrimmed(g, a1, a2), a2, a1)"},
     push={"a1": "rt.untrimmed(np.convolve(g, a2), a1, a2)", "a2": "rt.untrimmed(np.convolve(a1, g), a1, a2)"},
     note="refused when called where a first coefficient is 0, which np.polymul leaves out")
linear(rt.untrimmed, "z = rt.untrimmed(v, x, y)", nondiff=["x", "y"], pull={"v": "g"}, memory="view",
       spec=infer.like("v"))

# --- fitting polynomials: least squares, of the matrix V of powers, with V1 of their derivatives
V, V1 = "np.vander(x, deg + 1)", "rt.vander_dn(x, deg + 1)"
PLAIN_FIT, W = when.left_out("w"), "(np.ones(len(x)) if w is None else w)"
WV, WV1, LEFT = f"np.expand_dims({W}, 1) * {V}", f"np.expand_dims({W}, 1) * {V1}", \
    f"np.multiply({W}, (y - {V} @ p).T).T"
rule(np.polyfit, "p = np.polyfit(x, y, deg, *, w=None)", nondiff=["deg"], spec=infer.arrays, refused=["w"], pull={
    "y": [(PLAIN_FIT, f"rt.unarray(rt.unfit({V}, g), y)"), f"rt.unarray(np.multiply({W}, rt.unfit({WV}, g).T).T, y)"],
    "x": [(PLAIN_FIT, f"rt.unarray(np.sum(np.reshape((y - {V} @ p) * ({V1} @ rt.fit({V}, rt.unfit({V}, g)))"
           f" - rt.unfit({V}, g) * ({V1} @ p), (len(x), -1)), axis=1), x)"),
          f"rt.unarray(np.sum(np.reshape({LEFT} * ({WV1} @ rt.fit({WV}, rt.unfit({WV}, g)))"
          f" - rt.unfit({WV}, g) * ({WV1} @ p), (len(x), -1)), axis=1), x)"]},
     push={"y": [(PLAIN_FIT, "np.polyfit(x, g, deg)"), "np.polyfit(x, g, deg, w=w)"],
           "x": [(PLAIN_FIT,
                  f"rt.fit({V}, rt.unfit({V}, np.transpose({V1}) @ ((y - {V} @ p).T * g).T) - (({V1} @ p).T * g).T)"),
                 f"rt.fit({WV}, rt.unfit({WV}, np.transpose({WV1}) @ ({LEFT}.T * g).T) - (({WV1} @ p).T * g).T)"]},
     note="Golub and Pereyra (1973), the derivative of a pseudoinverse of full rank; "
     "refused when called for dependent columns")
ONE = "np.ndim(b) == 1"
rule(rt.fit, "p = rt.fit(a, b)", spec=infer.arrays,
     pull={"a": ("rt.unarray(rt.outer_last(b - a @ p, rt.fit(a, rt.unfit(a, g)), "
                 f"{ONE}) - rt.outer_last(rt.unfit(a, g), p, {ONE}), a)"), "b": "rt.unarray(rt.unfit(a, g), b)"},
     push={"a": "rt.fit(a, rt.unfit(a, g.T @ (b - a @ p)) - g @ p)", "b": "rt.fit(a, g)"})
ONE = "np.ndim(u) == 1"
rule(rt.unfit, "w = rt.unfit(a, u)", spec=infer.arrays,
     pull={"a": (f"rt.unarray(rt.outer_last(g - a @ rt.fit(a, g), rt.fit(a, w), {ONE}) - rt.outer_last(w, "
                 f"rt.fit(a, g), {ONE}), a)"), "u": "rt.unarray(rt.fit(a, g), u)"},
     push={"a": "g @ rt.fit(a, w) - a @ rt.fit(a, g @ rt.fit(a, w)) - rt.unfit(a, g.T @ w)", "u": "rt.unfit(a, g)"})

# --- convolution: linear in both, and so are its transposes
rule(np.convolve, "z = np.convolve(x, y, mode='full')", nondiff=["mode"],
     spec=as_computed(np.convolve, "x", "y", mode="full", otherwise=ARRAY),
     pull={"x": "rt.convolve_dx(g, x, y, mode)", "y": "rt.convolve_dx(g, y, x, mode)"},
     push={"x": "np.convolve(g, y, mode)", "y": "np.convolve(x, g, mode)"}, multiplies="elements")
linear(rt.convolve_dx, "r = rt.convolve_dx(v, x, y, mode='full')", nondiff=["x", "mode"], spec=cotangent("x"),
       pull={"v": "np.convolve(g, y, mode)", "y": "rt.convolve_dx(v, y, g, mode)"})
rule(np.correlate, "z = np.correlate(x, y, mode='valid')", nondiff=["mode"],
     spec=as_computed(np.correlate, "x", "y", mode="valid", otherwise=ARRAY),
     pull={"x": "rt.correlate_dx(g, x, y, mode)", "y": "rt.correlate_dy(g, x, y, mode)"},
     push={"x": "np.correlate(g, y, mode)", "y": "np.correlate(x, g, mode)"}, multiplies="elements")
for here, other in (("x", "y"), ("y", "x")):
    args = {"x": "g, y", "y": "x, g"}
    rule(getattr(rt, f"correlate_d{here}"), f"r = rt.correlate_d{here}(v, x, y, mode='valid')", nondiff=[here, "mode"],
         spec=cotangent(here),
         pull={"v": f"np.correlate({args[here]}, mode)", other: f"rt.correlate_d{other}(v, {args[here]}, mode)"},
         push={"v": f"rt.correlate_d{here}(g, x, y, mode)", other: f"rt.correlate_d{here}(v, {args[other]}, mode)"})

# --- interpolation
PLAIN = when.both(when.is_none("left"), when.is_none("right"))
rule(np.interp, "y = np.interp(x, xp, fp, left=None, right=None)", refused=["left", "right"],
     spec=as_computed(np.interp, "x", "xp", "fp"), breaks=by_ends,
     pull={"x": "rt.unbroadcast(g * rt.interp_dx(x, xp, fp), x)",
                           "xp": "rt.unarray(-rt.interp_dfp(g * rt.interp_dx(x, xp, fp), x, xp), xp)",
                           "fp": [(PLAIN, "rt.unarray(rt.interp_dfp(g, x, xp), fp)"),
                                  "rt.unarray(rt.interp_dfp(rt.between(g, x, xp, left, right), x, xp), fp)"]},
     push={"x": "g * rt.interp_dx(x, xp, fp)", "xp": "-np.interp(x, xp, g) * rt.interp_dx(x, xp, fp)",
           "fp": [(PLAIN, "np.interp(x, xp, g)"), "rt.between(np.interp(x, xp, g), x, xp, left, right)"]},
     note="at a node the mean of the slopes on both sides, at the ends with 0")
rule(rt.interp_dx, "y = rt.interp_dx(x, xp, fp)", nondiff=["x"], spec=infer.anything,
     breaks={"x": "jump", "xp": "jump"},
     pull={"xp": "rt.unarray(-rt.interp_dx_dfp(g * y, x, xp), xp)", "fp": "rt.unarray(rt.interp_dx_dfp(g, x, xp), fp)"},
     push={"xp": "-rt.interp_dx(x, xp, g) * y", "fp": "rt.interp_dx(x, xp, g)"})
rule(rt.interp_dfp, "y = rt.interp_dfp(v, x, xp)", spec=infer.arrays, breaks={"x": "kink", "xp": "kink"},
     pull={"v": "rt.unbroadcast(np.interp(x, xp, g), v)", "x": "rt.unbroadcast(v * rt.interp_dx(x, xp, g), x)",
           "xp": "rt.unarray(-rt.interp_dfp(v * rt.interp_dx(x, xp, g), x, xp), xp)"},
     push={"v": "rt.interp_dfp(g, x, xp)", "x": "rt.interp_dx_dfp(v * g, x, xp)",
           "xp": "-rt.interp_dx_dfp(v * np.interp(x, xp, g), x, xp)"})
rule(rt.interp_dx_dfp, "y = rt.interp_dx_dfp(v, x, xp)", nondiff=["x"], spec=infer.arrays,
     breaks={"x": "jump", "xp": "jump"},
     pull={"v": "rt.unbroadcast(rt.interp_dx(x, xp, g), v)",
           "xp": "rt.unarray(-rt.interp_dx_dfp(v * rt.interp_dx(x, xp, g), x, xp), xp)"},
     push={"v": "rt.interp_dx_dfp(g, x, xp)", "xp": "-rt.interp_dx_dfp(v * rt.interp_dx(x, xp, g), x, xp)"})
linear(rt.between, "y = rt.between(v, x, xp, left=None, right=None)", nondiff=["x", "xp"], spec=infer.anything,
       memory="alias", breaks={"x": "jump", "xp": "jump"}, pull={"v": "rt.between(g, x, xp, left, right)"})

# --- statistics of samples
OPTIONS = "rowvar, bias, ddof, fweights, aweights"
WEIGHED = "rowvar=True, bias=False, ddof=None, fweights=None, aweights=None"
rule(np.cov, f"c = np.cov(m, y=None, {WEIGHED})", nondiff=["rowvar", "bias", "ddof"], spec=infer.anything,
     refused=["fweights", "aweights"],
     pull={"m": f"rt.uncov(g, m, y, {OPTIONS})[0]", "y": f"rt.uncov(g, m, y, {OPTIONS})[1]"},
     push={"m": f"rt.cov_along(g, rt.zeros_like(y), m, y, {OPTIONS})",
           "y": f"rt.cov_along(rt.zeros_like(m), g, m, y, {OPTIONS})"})
rule(rt.uncov, f"c = rt.uncov(v, m, y=None, {WEIGHED})", nondiff=["rowvar", "bias", "ddof"], spec=infer.anything,
     pull={"v": f"rt.reshape_like(rt.cov_along(g[0], g[1], m, y, {OPTIONS}), v)",
           "m": f"rt.uncov(v, g[0], g[1], {OPTIONS})[0]", "y": f"rt.uncov(v, g[0], g[1], {OPTIONS})[1]"},
     push={"v": f"rt.uncov(g, m, y, {OPTIONS})", "m": f"rt.uncov(v, g, rt.zeros_like(y), {OPTIONS})",
           "y": f"rt.uncov(v, rt.zeros_like(m), g, {OPTIONS})"})
rule(rt.cov_along, f"c = rt.cov_along(u, w, m, y=None, {WEIGHED})", nondiff=["rowvar", "bias", "ddof"],
     spec=infer.anything, pull={"u": f"rt.uncov(g, m, y, {OPTIONS})[0]", "w": f"rt.uncov(g, m, y, {OPTIONS})[1]",
                                "m": f"rt.uncov(g, u, w, {OPTIONS})[0]", "y": f"rt.uncov(g, u, w, {OPTIONS})[1]"},
     push={"u": f"rt.cov_along(g, rt.zeros_like(w), m, y, {OPTIONS})",
           "w": f"rt.cov_along(rt.zeros_like(u), g, m, y, {OPTIONS})",
           "m": f"rt.cov_along(u, w, g, rt.zeros_like(y), {OPTIONS})",
           "y": f"rt.cov_along(u, w, rt.zeros_like(m), g, {OPTIONS})"})
D, ROOT = "rt.variances(x, y, rowvar)", "np.sqrt(np.outer({0}, {0}))"
SCALED = f"np.atleast_2d(g) / {ROOT.format(D)} - " \
    f"np.diag(np.sum(np.atleast_2d(g * r) + np.transpose(np.atleast_2d(g * r)), axis=0) / (2.0 * {D}))"
ALONG = "rt.cov_along({}, x, y, rowvar)"
TURNED = f"np.reshape(np.atleast_2d({ALONG}) / {ROOT.format(D)} - 0.5 * np.atleast_2d(r) * (" \
    f"np.expand_dims(np.diag(np.atleast_2d({ALONG})) / {D}, 1) + np.diag(np.atleast_2d({ALONG})) / {D}), np.shape(r))"
rule(np.corrcoef, "r = np.corrcoef(x, y=None, rowvar=True)", nondiff=["rowvar"], spec=infer.anything,
     pull={"x": f"rt.uncov({SCALED}, x, y, rowvar)[0]", "y": f"rt.uncov({SCALED}, x, y, rowvar)[1]"},
     push={"x": TURNED.replace("{}", "g, rt.zeros_like(y)"), "y": TURNED.replace("{}", "rt.zeros_like(x), g")})
rule(rt.variances, "r = rt.variances(x, y=None, rowvar=True)", nondiff=["rowvar"], spec=infer.anything,
     pull={"x": "rt.uncov(np.diag(g), x, y, rowvar)[0]", "y": "rt.uncov(np.diag(g), x, y, rowvar)[1]"},
     push={"x": f"np.diag(np.atleast_2d({ALONG}))".replace("{}", "g, rt.zeros_like(y)"),
           "y": f"np.diag(np.atleast_2d({ALONG}))".replace("{}", "rt.zeros_like(x), g")})

rule(np.bincount, "y = np.bincount(x, weights=None, minlength=0)", nondiff=["x", "minlength"], spec=infer.arrays,
     pull={"weights": "rt.unarray(np.take(g, x), weights)"}, push={"weights": "np.bincount(x, g, minlength)"})
rule(np.histogram, "y = np.histogram(x, bins=10, range=None, *, weights=None)", nondiff=["x", "bins", "range"],
     refused=["x", "bins", "range"],
     spec=infer.some("tuple"), memory="alias", passes=frozenset(["bins"]),
     pull={"weights": "rt.unhistogram(g[0], x, y[1], weights)"},
     push={"weights": "(np.histogram(x, y[1], weights=g)[0], rt.zeros_like(y[1]))"})
linear(rt.unhistogram, "y = rt.unhistogram(v, x, edges, weights)", nondiff=["x", "edges", "weights"],
       spec=cotangent("weights"), pull={"v": "np.histogram(x, edges, weights=g)[0]"})
# p(y) = 0, so that dp(y) + p'(y) dy = 0
SLOPES = "np.polyval(np.polyder(p), rt.simple_roots(y, p))"
rule(np.roots, "y = np.roots(p)", spec=infer.anything, breaks="jump",
     pull={"p": f"rt.cast(-(g / {SLOPES}) @ np.vander(y, len(p)), p)"}, push={"p": f"-np.polyval(g, y) / {SLOPES}"},
     note="where the roots are simple")
linear(rt.simple_roots, "y = rt.simple_roots(r, p)", nondiff=["p"], pull={"r": "g"}, spec=infer.like("r"),
       memory="alias")
unsupported(np.poly, "np.poly", because="it takes roots, or a matrix, of which it computes the eigenvalues",
            instead="np.convolve(c, [1.0, -r]) in a loop")
unsupported(np.polydiv, "np.polydiv",
            because="its result is a pair, and how long the remainder is depends on the numbers",
            instead="np.linalg.solve of the matrix of the product")

# ------------------------------------------------------------------ polynomials that are called: objects
OBJECT: dict[str, Any] = {"because": "a polynomial", "breaks": "", "memory": "alias"}
rule(np.poly1d.__call__, "y = np.poly1d.__call__(p, val)", nondiff=["p"], refused=["p"], receiver=True,
     spec=infer.anything, pull={"val": "rt.unbroadcast(g * p.deriv()(val), val)"}, push={"val": "g * p.deriv()(val)"})
nondifferentiable(np.poly1d, "p = np.poly1d(c_or_r, r=False, variable=None)", refused=["c_or_r"], makes=np.poly1d,
                  passes=frozenset(["c_or_r"]), **OBJECT,
                  remedies={"c_or_r": "np.polyval(c, x), and np.polymul and np.polyder of the coefficients"})
for name, written in (("deriv", "p, m=1"), ("integ", "p, m=1, k=0")):
    nondifferentiable(getattr(np.poly1d, name), f"q = np.poly1d.{name}({written})", receiver=True, makes="same",
                      **OBJECT)
register_closed(np.poly1d, "Add Sub Mult", "Add Sub Mult Div Pow")
SERIES: Any = Polynomial.__mro__[1]
rule(SERIES.__call__, "y = np.polynomial.Polynomial.__call__(p, arg)", nondiff=["p"], refused=["p"], receiver=True,
     spec=infer.anything, pull={"arg": "rt.unbroadcast(g * p.deriv()(arg), arg)"}, push={"arg": "g * p.deriv()(arg)"})
for name, written in (("deriv", "p, m=1"), ("integ", "p, m=1, *, lbnd=None"), ("copy", "p"), ("trim", "p, tol=0")):
    nondifferentiable(getattr(SERIES, name), f"q = np.polynomial.Polynomial.{name}({written})", receiver=True,
                      makes="same", **OBJECT)
for series in SERIES.__subclasses__():
    nondifferentiable(series, f"p = np.polynomial.{series.__name__}(coef, domain=None, window=None, symbol='x')",
                      refused=["coef"], makes=series, passes=frozenset(["coef"]), **OBJECT,
                      remedies={"coef": "np.polyval(c[::-1], x)"})
register_closed(SERIES, "Add Sub Mult", "Add Sub Mult Div Pow")
