"""Norms of vectors and matrices, of every order."""
from __future__ import annotations

import numpy as np

from .. import runtime as rt
from . import infer, when
from .breaking import by_order, by_vector_order
from .row import Condition
from .table import linear, rule

EUCLIDEAN, DEFAULT = when.is_none("ord"), when.left_out("ord")
NOTE = "slope 0 at 0, and shared at ties; an order 0, which counts, has slope 0"


def _texts(slope: str, axis: str, euclidean: Condition = DEFAULT) -> dict[str, dict[str, object]]:
    """Both modes, from the text of the partials. euclidean: when the norm is the root of the sum of squares."""
    unreduced = f"rt.unreduce({{}}, x, {axis}, keepdims)"
    plain = (when.both(euclidean, when.is_real("x")), f"{unreduced.format('rt.ratio(g, y)')} * x")
    checked = (euclidean, f"{unreduced.format('rt.ratio(g, y)')} * rt.real_only(x)")
    along = (euclidean, f"rt.ratio(np.sum(g * rt.real_only(x), axis={axis}, keepdims=keepdims), y)")
    return {"pull": {"x": [plain, checked, f"{unreduced.format('g')} * {slope}"]},
            "push": {"x": [along, f"np.sum(g * {slope}, axis={axis}, keepdims=keepdims)"]}}


rule(np.linalg.norm, "y = np.linalg.norm(x, ord=None, axis=None, keepdims=False)", spec=infer.reduction(infer.averaged),
     nondiff=["ord"],
     note=NOTE, breaks=by_order, **_texts("rt.norm_slope(x, ord, axis)", "axis", EUCLIDEAN))  # type: ignore[arg-type]
rule(np.linalg.vector_norm, "y = np.linalg.vector_norm(x, *, axis=None, keepdims=False, ord=2)", spec=infer.anything,
     nondiff=["ord"],
     note=NOTE, breaks=by_vector_order, **_texts("rt.norm_slope(x, ord, axis, True)", "axis"))  # type: ignore[arg-type]
rule(np.linalg.matrix_norm, "y = np.linalg.matrix_norm(x, *, keepdims=False, ord='fro')", spec=infer.anything,
     nondiff=["ord"], note=NOTE, breaks=by_order,
     **_texts("rt.norm_slope(x, ord, (-2, -1), False)", "(-2, -1)"))  # type: ignore[arg-type]

SQUARED_NORM = rule(None, "y = squared_norm(x, axis=None, keepdims=False)", spec=infer.reduction(infer.averaged),
                    pull={"x": [(when.is_real("x"), "rt.unreduce(2.0 * g, x, axis, keepdims) * x"),
                                "rt.unreduce(2.0 * g, x, axis, keepdims) * rt.real_only(x)"]},
                    push={"x": "np.sum(2.0 * g * rt.real_only(x), axis=axis, keepdims=keepdims)"},
                    note="the expression np.linalg.norm(x) ** 2, which is smooth at 0, where its parts are not")
rule(rt.norm_slope, "y = rt.norm_slope(x, ord=None, axis=None, vector=None)", nondiff=["ord"], spec=infer.anything,
     breaks={"x": "jump"}, pull={"x": "rt.norm_slope_dx(g, x, ord, axis, vector)"},
     push={"x": "rt.norm_slope_dx(g, x, ord, axis, vector)"}, spreads=True)
linear(rt.norm_slope_dx, "y = rt.norm_slope_dx(v, x, ord=None, axis=None, vector=None)", nondiff=["x", "ord"],
       refused=["x"],
       spec=infer.anything, breaks={"x": "jump"}, pull={"v": "rt.norm_slope_dx(g, x, ord, axis, vector)"},
       note="a norm of another order than 2 is differentiated twice")
