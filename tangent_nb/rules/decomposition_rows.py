"""Rows of the helpers in the derivatives of decompositions, so that those derivatives have derivatives."""
from __future__ import annotations

from .. import runtime as rt
from . import infer
from .table import linear, rule

linear(rt.symmetric, "y = rt.symmetric(x, uplo='L')", pull={"x": "rt.folded(g, uplo)"}, spec=infer.like("x"))
linear(rt.folded, "y = rt.folded(x, uplo='L')", pull={"x": "rt.symmetric(g, uplo)"}, spec=infer.like("x"))
for name, back in (("as_hermitian", "of_hermitian"), ("of_hermitian", "as_hermitian")):
    linear(getattr(rt, name), f"y = rt.{name}(x, hermitian)", pull={"x": f"rt.{back}(g, hermitian)"},
           nondiff=["hermitian"], memory="view", spec=infer.like("x"))
linear(rt.half_lower, "y = rt.half_lower(x)", pull={"x": "rt.half_lower(g)"}, spec=infer.anything)
linear(rt.skew, "y = rt.skew(x)", pull={"x": "rt.skew(g)"}, spec=infer.like("x"))
linear(rt.factors, "y = rt.factors(x)", pull={"x": "g"}, spec=infer.anything, memory="alias")
rule(rt.untruncated, "z = rt.untruncated(a, solution)", nondiff=["solution"], pull={"a": "g"}, push={"a": "g"},
     memory="view", spec=infer.like("a"))
linear(rt.tall, "y = rt.tall(x)", pull={"x": "g"}, spec=infer.like("x"), memory="view")
rule(rt.solve_factor, "y = rt.solve_factor(r, b, moving, too=0.0)", spec=infer.anything, nondiff=["moving", "too"],
     pull={"r": "-(rt.solve_factor(r.mT, g, g) @ y.mT)", "b": "rt.solve_factor(r.mT, g, g)"},
     push={"r": "-rt.solve_factor(r, g @ y, g)", "b": "rt.solve_factor(r, g, g)"})
rule(rt.spectral, "y = rt.spectral(u, s)", spec=infer.anything,
     pull={"u": "(g + np.matrix_transpose(g)) @ u * np.expand_dims(s, -2)", "s": "np.sum(u * (g @ u), axis=-2)"},
     push={"u": ("g @ np.matrix_transpose(u * np.expand_dims(s, -2)) + (u * np.expand_dims(s, "
                 "-2)) @ np.matrix_transpose(g)"), "s": "rt.spectral(u, g)"})
linear(rt.weighted, "y = rt.weighted(u, s, vt)", spec=infer.anything,
       pull={"u": "g @ np.matrix_transpose(vt) * np.expand_dims(s, -2)",
             "s": "np.sum(u * (g @ np.matrix_transpose(vt)), axis=-2)",
             "vt": "np.expand_dims(s, -1) * (np.matrix_transpose(u) @ g)"})
rule(rt.gaps, "y = rt.gaps(w, v)", nondiff=["v"], spec=infer.anything,
     pull={"w": "np.sum(g * y * y, axis=-1) - np.sum(g * y * y, axis=-2)"},
     push={"w": "y * y * (np.expand_dims(g, -1) - np.expand_dims(g, -2))"})
rule(rt.svd_gaps, "y = rt.svd_gaps(s, u, vt)", nondiff=["u", "vt"], spec=infer.anything,
     pull={"s": "2.0 * s * (np.sum(g * y * y, axis=-1) - np.sum(g * y * y, axis=-2))"},
     push={"s": "2.0 * y * y * (np.expand_dims(s * g, -1) - np.expand_dims(s * g, -2))"})
rule(rt.outside, "y = rt.outside(u, v)", spec=infer.anything,
     pull={"u": "rt.outside_du(g, u, v)", "v": "rt.outside(u, g)"},
     push={"u": "rt.outside_along(g, u, v)", "v": "rt.outside(u, g)"})
for name, other in (("outside_du", "outside_along"), ("outside_along", "outside_du")):
    rule(getattr(rt, name), f"y = rt.{name}(w, u, v)", nondiff=["u", "v"], refused=["u", "v"], spec=infer.anything,
         pull={"w": f"rt.{other}(g, u, v)"}, push={"w": f"rt.{name}(g, u, v)"},
         note="singular vectors are differentiated twice")
for fn, text in ((rt.cond_slope, "s"), (rt.cond_slope_dx, "v, s")):
    name = text[0]
    slope = "rt.cond_slope_dx(g, s)"
    rule(fn, f"y = rt.{fn.__name__}({text})", nondiff=["s"][:len(text) - 1], refused=["s"][:len(text) - 1],
         spec=infer.anything, pull={name: slope}, push={name: slope}, infinite="pole")
linear(rt.residual_seed, "y = rt.residual_seed(v, r)", spec=infer.anything,
       pull={"v": "rt.residual_sums(r, g, v)", "r": "rt.residual_seed(v, g)"})
linear(rt.residual_sums, "y = rt.residual_sums(r, v, like)", nondiff=["like"], spec=infer.anything,
       pull={"r": "rt.residual_seed(g, v)", "v": "rt.residual_seed(g, r)"})
linear(rt.as_square, "y = rt.as_square(x)", pull={"x": "rt.reshape_like(g, x)"}, memory="view", spec=infer.anything)
