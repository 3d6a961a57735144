"""Decompositions of matrices, their eigenvalues and singular values, and what is made of them.

Formulas: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation"
(2008); I. Murray, "Differentiation of the Cholesky decomposition" (2016); J. Townsend, "Differentiating the singular
value decomposition" (2016); S. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra functions" (2010),
for QR; G. Golub and V. Pereyra (1973), for pinv.

NumPy reads one triangle of a symmetric matrix, and so the cotangent of the other is zero.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..syntax.spec import UNKNOWN, Spec
from . import infer, when
from .breaking import by_vectors
from .computed import as_computed
from .table import nondifferentiable, rule

rule(np.linalg.cholesky, "y = np.linalg.cholesky(x)", spec=as_computed(np.linalg.cholesky, "x"),
     pull={"x": "rt.folded(np.linalg.solve(y.mT, np.linalg.solve(y.mT, rt.half_lower(y.mT @ g)).mT))"},
     push={"x": "y @ rt.half_lower(np.linalg.solve(y, np.linalg.solve(y, rt.symmetric(g)).mT))"},
     note="of the lower triangle, which alone is read")

# --- eigenvalues of symmetric matrices
rule(np.linalg.eigvalsh, "y = np.linalg.eigvalsh(x, UPLO='L')", breaks="kink",
     spec=as_computed(np.linalg.eigvalsh, "x", UPLO="L"),
     pull={"x": "rt.folded(rt.spectral(np.linalg.eigh(rt.real_only(x), UPLO)[1], g), UPLO)"},
     push={"x": "np.sum(np.linalg.eigh(rt.real_only(x), UPLO)[1] * "
                "(rt.symmetric(g, UPLO) @ np.linalg.eigh(rt.real_only(x), UPLO)[1]), axis=-2)"},
     note="of the triangle that is read; a repeated eigenvalue has the slopes of the eigenvectors that are found")
rule(np.linalg.eigh, "y = np.linalg.eigh(x, UPLO='L')", spec=infer.anything, breaks={0: "kink", 1: "jump"},
     pull={"x": "rt.folded(rt.spectral(y[1], g[0]) + y[1] @ (rt.gaps(y[0], g[1]) * (y[1].mT @ g[1])) @ y[1].mT, UPLO)"},
     push={"x": "rt.relist((np.sum(y[1] * (rt.symmetric(g, UPLO) @ y[1]), axis=-2), y[1] @ (rt.gaps(y[0], "
                "rt.symmetric(g, UPLO) @ y[1]) * (y[1].mT @ (rt.symmetric(g, UPLO) @ y[1])))), y)"},
     note="of the triangle that is read; eigenvectors of a repeated eigenvalue are refused when they are used")

# --- singular values
U, VT = "np.linalg.svd(rt.real_only(x), full_matrices=False)[0]", \
    "np.linalg.svd(rt.real_only(x), full_matrices=False)[2]"
VALUES = {"pull": f"rt.weighted({U}, g, {VT})", "push": f"np.sum({U} * (g @ {VT}.mT), axis=-2)"}
rule(np.linalg.svdvals, "y = np.linalg.svdvals(x)", spec=infer.anything, breaks="kink",
     pull={"x": VALUES["pull"]}, push={"x": VALUES["push"]},
     note="a repeated singular value has the slopes of the singular vectors that are found, and so has the value 0")


def _svd(args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
    return Spec("array") if "compute_uv" in args and infer.constant("compute_uv", args, constants, True) is False \
        else UNKNOWN


def values_alone(specs: Mapping[str, Spec]) -> bool:
    """Holds where singular values are computed without vectors."""
    return specs["y"].kind == "array"


SVD_U, SVD_S, SVD_VT = (f"rt.factors(y)[{place}]" for place in range(3))
ACROSS, DOWN = f"np.expand_dims({SVD_S}, -2)", f"np.expand_dims({SVD_S}, -1)"
MOVED, GAPS = f"{SVD_U}.mT @ (g @ {SVD_VT}.mT)", f"rt.svd_gaps({SVD_S}, g @ {SVD_VT}.mT, {SVD_U}.mT @ g)"
rule(np.linalg.svd, "y = np.linalg.svd(x, full_matrices=True, compute_uv=True)", spec=_svd, breaks=by_vectors,
     pull={"x": [(values_alone, VALUES["pull"]),
                 f"rt.weighted({SVD_U}, g[1], {SVD_VT}) + {SVD_U} @ (rt.svd_gaps({SVD_S}, g[0], g[2]) * "
                 f"(rt.skew({SVD_U}.mT @ g[0]) * {ACROSS} + {DOWN} * rt.skew({SVD_VT} @ g[2].mT))) @ {SVD_VT} + "
                 f"rt.ratio(rt.outside({SVD_U}, g[0]), {ACROSS}) @ {SVD_VT} + "
                 f"{SVD_U} @ rt.ratio(rt.outside({SVD_VT}.mT, g[2].mT), {ACROSS}).mT"]},
     push={"x": [(values_alone, VALUES["push"]),
                 f"rt.relist(({SVD_U} @ ({GAPS} * ({MOVED} * {ACROSS} + {DOWN} * ({MOVED}).mT)) + "
                 f"rt.ratio(rt.outside({SVD_U}, g @ {SVD_VT}.mT), {ACROSS}), "
                 f"np.sum({SVD_U} * (g @ {SVD_VT}.mT), axis=-2), "
                 f"({SVD_VT}.mT @ ({GAPS} * ({DOWN} * ({MOVED}) + ({MOVED}).mT * {ACROSS})) + "
                 f"rt.ratio(rt.outside({SVD_VT}.mT, g.mT @ {SVD_U}), {ACROSS})).mT), y)"]},
     note="vectors of a repeated singular value are refused when they are used")


def _qr(args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
    return Spec("array") if "mode" in args and infer.constant("mode", args, constants, "reduced") == "r" else UNKNOWN


TURN = "rt.folded(np.linalg.qr(x)[0].mT @ rt.solve_factor(rt.tall(y).mT, g.mT, g).mT, 'U')"
TURN_OF_BOTH = "rt.folded(y[0].mT @ rt.solve_factor(rt.tall(y[1]).mT, g.mT, g).mT, 'U')"
rule(np.linalg.qr, "y = np.linalg.qr(x, mode='reduced')", spec=_qr, breaks="jump", nondiff=["mode"], pull={"x": [
    (values_alone, "rt.solve_factor(rt.tall(y), rt.symmetric(y @ g.mT).mT @ np.linalg.qr(x)[0].mT, g).mT"),
    "rt.solve_factor(rt.tall(y[1]), (g[0] + y[0] @ rt.symmetric(y[1] @ g[1].mT - g[0].mT @ y[0])).mT, g[0], g[1]).mT"]},
     push={"x": [(values_alone, f"{TURN} @ rt.tall(y)"),
                 (f"rt.relist((rt.solve_factor(rt.tall(y[1]).mT, g.mT, g).mT - y[0] @ {TURN_OF_BOTH}, "
                  f"{TURN_OF_BOTH} @ rt.tall(y[1])), y)")]}, note="of full rank, with no more columns than rows")

# --- determinants and inverses
rule(np.linalg.slogdet, "y = np.linalg.slogdet(x)", spec=infer.anything, breaks={0: "jump", 1: ""},
     pull={"x": "np.expand_dims(g[1], (-2, -1)) * rt.inverse_transpose(rt.real_only(x))"}, push={
         "x": "rt.relist((rt.zeros_like(y[0]), np.sum(rt.inverse_transpose(rt.real_only(x)) * g, axis=(-2, -1))), y)"})
FULL = when.left_out("hermitian")
PINV = {"pull": ("rt.real_only(g.mT - {x} @ (y @ g.mT)) @ y @ y.mT + y.mT @ y @ (g - y @ ({x} @ "
                 "g)).mT - y.mT @ g @ y.mT"), "push": ("rt.real_only(y @ y.mT) @ ({g}.mT - ({g}.mT @ {x}) @ y) + "
                                                       "({g}.mT - y @ ({x} @ {g}.mT)) @ y.mT @ y - y @ {g} @ y")}
WHOLE, READ = ({"x": one.format("x"), "g": one.format("g")} for one in ("{}", "rt.as_hermitian({}, hermitian)"))
rule(np.linalg.pinv, "y = np.linalg.pinv(x, *, hermitian=False)",
     spec=as_computed(np.linalg.pinv, "x", hermitian=False),
     pull={"x": [(FULL, PINV["pull"].format(**WHOLE)), f"rt.of_hermitian({PINV['pull'].format(**READ)}, hermitian)"]},
     push={"x": [(FULL, PINV["push"].format(**WHOLE)), PINV["push"].format(**READ)]},
     note="along matrices of the same rank")
nondifferentiable(np.linalg.matrix_rank, "y = np.linalg.matrix_rank(x, tol=None)", because="integer valued",
                  spec=infer.anything)

# --- condition numbers, least squares, tensors
rule(np.linalg.cond, "y = np.linalg.cond(x)", spec=infer.anything, breaks="kink", infinite="pole",
     pull={"x": f"rt.weighted({U}, np.expand_dims(g, -1) * rt.cond_slope(np.linalg.svdvals(x)), {VT})"},
     push={"x": f"np.sum(rt.cond_slope(np.linalg.svdvals(x)) * np.sum({U} * (g @ {VT}.mT), axis=-2), axis=-1)"})

# for the pseudo-inverse P, the residuals r = b - a @ y: dy = P (db - da y) + P P.T da.T r + (da.T P.T y - P a da.T P.T
# y)
VECTOR, P = "np.ndim(b) == 1", "np.linalg.pinv(rt.untruncated(a, y))"


def applied(matrix: str, to: str) -> str:
    """The text of a matrix times what may be vectors or matrices."""
    return f"rt.apply({matrix}, {to}, {VECTOR})"


LEFT = f"rt.real_only(b - {applied('a', 'y[0]')})"
SEED = f"({applied(f'{P}.mT', 'g[0]')} + rt.residual_seed(g[1], {LEFT}))"
AU, AVT = U.replace("(x)", "(a)"), VT.replace("(x)", "(a)")
TURNED = applied("g.mT", applied(f"{P}.mT", "y[0]"))
DY = (f"{applied(P, applied(f'{P}.mT', applied('g.mT', LEFT)))} - {applied(P, applied('g', 'y[0]'))} + "
      f"{TURNED} - {applied(P, applied('a', TURNED))}")
rule(np.linalg.lstsq, "y = np.linalg.lstsq(a, b, rcond=None)", nondiff=["rcond"], spec=infer.anything, breaks="kink",
     pull={"a": (f"rt.unbroadcast(rt.outer_last({LEFT}, {applied(P, applied(f'{P}.mT', 'g[0]'))}, "
                 f"{VECTOR}) - rt.outer_last({SEED}, y[0], {VECTOR}) + rt.outer_last({applied(f'{P}.mT', 'y[0]')}, "
                 f"g[0] - {applied(P, applied('a', 'g[0]'))}, {VECTOR}) + rt.weighted({AU}, g[3], {AVT}), a)"),
           "b": f"rt.unbroadcast({SEED}, b)"},
     push={"a": (f"rt.relist(({DY}, rt.residual_sums({LEFT}, -{applied('g', 'y[0]')}, y[1]), 0.0, "
                 f"np.sum({AU} * (g @ {AVT}.mT), axis=-2)), y)"),
           "b": f"rt.relist(({applied(P, 'g')}, rt.residual_sums({LEFT}, g, y[1]), 0.0, rt.zeros_like(y[3])), y)"},
     note="along matrices of the same rank")
rule(np.linalg.tensorinv, "y = np.linalg.tensorinv(x, ind=2)", nondiff=["ind"], spec=infer.anything,
     pull={"x": "rt.reshape_like(-(rt.as_square(y).mT @ rt.as_square(g) @ rt.as_square(y).mT), x)"},
     push={"x": "rt.reshape_like(-(rt.as_square(y) @ rt.as_square(g) @ rt.as_square(y)), y)"})
rule(np.linalg.tensorsolve, "y = np.linalg.tensorsolve(a, b)", spec=infer.anything,
     pull={"a": "rt.reshape_like(-np.outer(np.linalg.solve(rt.as_square(a).mT, np.ravel(g)), y), a)",
           "b": "rt.reshape_like(np.linalg.solve(rt.as_square(a).mT, np.ravel(g)), b)"},
     push={"a": "-rt.reshape_like(np.linalg.solve(rt.as_square(a), rt.as_square(g) @ np.ravel(y)), y)",
           "b": "rt.reshape_like(np.linalg.solve(rt.as_square(a), np.ravel(g)), y)"})
