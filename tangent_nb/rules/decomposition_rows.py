"""Rows of the helpers in the derivatives of decompositions, so that those derivatives have derivatives."""
from __future__ import annotations

import numpy as np

from .. import runtime as rt
from . import infer
from .table import linear, rule

SQUARES = [(3, 3), (2, 3, 3), (3, 3)]
UPLO = ["L", "U", "U"]
linear(rt.symmetric, "y = rt.symmetric(x, uplo='L')", pull={"x": "rt.folded(g, uplo)"}, spec=infer.like("x"),
       domain={"x": SQUARES, "uplo": UPLO})
linear(rt.folded, "y = rt.folded(x, uplo='L')", pull={"x": "rt.symmetric(g, uplo)"}, spec=infer.like("x"),
       domain={"x": SQUARES, "uplo": UPLO})
for name, back in (("as_hermitian", "of_hermitian"), ("of_hermitian", "as_hermitian")):
    linear(getattr(rt, name), f"y = rt.{name}(x, hermitian)", pull={"x": f"rt.{back}(g, hermitian)"}, nondiff=["hermitian"], memory="view",
           spec=infer.like("x"), domain={"x": [(3, 3), (2, 3, 3)], "hermitian": [True, False]})
linear(rt.half_lower, "y = rt.half_lower(x)", pull={"x": "rt.half_lower(g)"}, spec=infer.anything, domain={"x": SQUARES})
linear(rt.skew, "y = rt.skew(x)", pull={"x": "rt.skew(g)"}, spec=infer.like("x"), domain={"x": SQUARES})
linear(rt.factors, "y = rt.factors(x)", pull={"x": "g"}, spec=infer.anything, memory="alias", domain={"x": [((3, 2), (2,), (2, 2))]})
rule(rt.untruncated, "z = rt.untruncated(a, solution)", nondiff=["solution"], pull={"a": "g"}, push={"a": "g"}, memory="view",
     spec=infer.like("a"),
     domain={"a": [(3, 2)], "solution": [(np.ones(2), np.zeros(0), 2, np.array([2.0, 1.0]))]})
linear(rt.tall, "y = rt.tall(x)", pull={"x": "g"}, spec=infer.like("x"), memory="view", domain={"x": SQUARES})
rule(rt.solve_factor, "y = rt.solve_factor(r, b, moving, too=0.0)", spec=infer.anything, nondiff=["moving", "too"],
     domain={"r": ["square", "square3"], "b": [(3, 2), (2, 3, 3)], "moving": [(3, 2), (2, 3, 3)]},
     pull={"r": "-(rt.solve_factor(r.mT, g, g) @ y.mT)", "b": "rt.solve_factor(r.mT, g, g)"},
     push={"r": "-rt.solve_factor(r, g @ y, g)", "b": "rt.solve_factor(r, g, g)"})
rule(rt.spectral, "y = rt.spectral(u, s)", spec=infer.anything, domain={"u": [(3, 2), (2, 3, 3)], "s": [(2,), (2, 3)]},
     pull={"u": "(g + np.matrix_transpose(g)) @ u * np.expand_dims(s, -2)", "s": "np.sum(u * (g @ u), axis=-2)"},
     push={"u": "g @ np.matrix_transpose(u * np.expand_dims(s, -2)) + (u * np.expand_dims(s, -2)) @ np.matrix_transpose(g)",
           "s": "rt.spectral(u, g)"})
linear(rt.weighted, "y = rt.weighted(u, s, vt)", spec=infer.anything,
       domain={"u": [(3, 2), (2, 3, 3)], "s": [(2,), (2, 3)], "vt": [(2, 4), (2, 3, 4)]},
       pull={"u": "g @ np.matrix_transpose(vt) * np.expand_dims(s, -2)", "s": "np.sum(u * (g @ np.matrix_transpose(vt)), axis=-2)",
             "vt": "np.expand_dims(s, -1) * (np.matrix_transpose(u) @ g)"})
rule(rt.gaps, "y = rt.gaps(w, v)", nondiff=["v"], spec=infer.anything, domain={"w": [(3,), (2, 3)], "v": [(3, 3), (2, 3, 3)]},
     pull={"w": "np.sum(g * y * y, axis=-1) - np.sum(g * y * y, axis=-2)"},
     push={"w": "y * y * (np.expand_dims(g, -1) - np.expand_dims(g, -2))"})
rule(rt.svd_gaps, "y = rt.svd_gaps(s, u, vt)", nondiff=["u", "vt"], spec=infer.anything,
     domain={"s": [(3,), (2, 2)], "u": [(3, 3), (2, 3, 2)], "vt": [(3, 3), (2, 2, 2)]},
     pull={"s": "2.0 * s * (np.sum(g * y * y, axis=-1) - np.sum(g * y * y, axis=-2))"},
     push={"s": "2.0 * y * y * (np.expand_dims(s * g, -1) - np.expand_dims(s * g, -2))"})
rule(rt.outside, "y = rt.outside(u, v)", spec=infer.anything, domain={"u": [(3, 2), (2, 3, 3)], "v": [(3, 2), (2, 3, 3)]},
     pull={"u": "rt.outside_du(g, u, v)", "v": "rt.outside(u, g)"}, push={"u": "rt.outside_along(g, u, v)", "v": "rt.outside(u, g)"})
for name, other in (("outside_du", "outside_along"), ("outside_along", "outside_du")):
    rule(getattr(rt, name), f"y = rt.{name}(w, u, v)", nondiff=["u", "v"], refused=["u", "v"], spec=infer.anything,
         pull={"w": f"rt.{other}(g, u, v)"}, push={"w": f"rt.{name}(g, u, v)"}, note="singular vectors are differentiated twice",
         domain={"w": [(3, 2), (2, 3, 3)], "u": [(3, 2), (2, 3, 3)], "v": [(3, 2), (2, 3, 3)]})
for fn, text in ((rt.cond_slope, "s"), (rt.cond_slope_dx, "v, s")):
    name = text[0]
    slope = "rt.cond_slope_dx(g, s)"
    rule(fn, f"y = rt.{fn.__name__}({text})", nondiff=["s"][:len(text) - 1], refused=["s"][:len(text) - 1], spec=infer.anything,
         domain={"v": [(3,), (2, 2), (1,)], "s": [np.array([3.0, 2.0, 1.0]), np.array([[2.0, 1.0], [3.0, 2.0]]), np.array([2.0])]},
         pull={name: slope}, push={name: slope}, infinite="pole")
linear(rt.residual_seed, "y = rt.residual_seed(v, r)", spec=infer.anything, domain={"v": [(1,), (2,), (0,)], "r": [(3,), (3, 2), (3,)]},
       pull={"v": "rt.residual_sums(r, g, v)", "r": "rt.residual_seed(v, g)"})
linear(rt.residual_sums, "y = rt.residual_sums(r, v, like)", nondiff=["like"], spec=infer.anything,
       domain={"r": [(3,), (3, 2), (3,)], "v": [(3,), (3, 2), (3,)], "like": [np.zeros(1), np.zeros(2), np.zeros(0)]},
       pull={"r": "rt.residual_seed(g, v)", "v": "rt.residual_seed(g, r)"})
linear(rt.as_square, "y = rt.as_square(x)", pull={"x": "rt.reshape_like(g, x)"}, memory="view", spec=infer.anything,
       domain={"x": [(2, 3, 6), (4,)]})
