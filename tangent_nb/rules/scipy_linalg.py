"""SciPy's linear algebra.

Formulas: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation"
(2008); N. Higham, "Functions of Matrices" (2008), section 3.2, for functions of matrices; I. Murray, "Differentiation
of the Cholesky decomposition" (2016). What NumPy has too has the derivative that it has there.

Of symmetric matrices one triangle is read, and has all of the derivative: for SciPy the upper one,
unless `lower` is set.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from .. import runtime as rt
from . import infer, when
from .table import linear, lookup, nondifferentiable, parse_signature, rule, unsupported

ANY: dict[str, Any] = {"spec": infer.anything}
VECTOR = "np.ndim(b) == 1"


def as_numpy(fn: object, signature: str, twin: object, **details: Any) -> None:
    """A function with the partials of one of NumPy."""
    row = lookup(twin)
    assert row is not None
    known = {row.result, "g", *parse_signature(signature)[2].parameters}
    texts: dict[str, dict[str, Any]] = {"pull": {}, "push": {}}
    for side, partials in (("pull", row.pull), ("push", row.push)):
        for name, choices in partials.items():
            *some, last = [one for one in choices if not one.reads & row.signature.parameters.keys() - known]
            texts[side][name] = [*[(one.when, one.text) if one.when else one.text for one in some], last.text]
    rule(fn, signature, **{"spec": row.spec, "note": row.note, "breaks": row.breaks, **texts, **details})


# ------------------------------------------------------------------ what NumPy has too
as_numpy(linalg.inv, "y = scipy.linalg.inv(x, *, check_finite=True)", np.linalg.inv, **ANY)
rule(linalg.det, "y = scipy.linalg.det(x, *, check_finite=True)", **ANY,
     note="by cofactors, which a singular matrix has too", pull={"x": [
         (when.ranks(x=2, y=0), "g * rt.cofactor(x)"), "rt.cast(np.expand_dims(g, (-2, -1)) * rt.cofactor(x), x)"]},
     push={"x": "np.sum(g * rt.cofactor(x), axis=(-2, -1))"})
as_numpy(linalg.pinv, "y = scipy.linalg.pinv(x, *, check_finite=True)", np.linalg.pinv)
as_numpy(linalg.svdvals, "y = scipy.linalg.svdvals(x, *, check_finite=True)", np.linalg.svdvals)
as_numpy(linalg.norm, "y = scipy.linalg.norm(x, ord=None, axis=None, keepdims=False, *, check_finite=True)",
         np.linalg.norm, nondiff=["ord"], **ANY)
as_numpy(linalg.svd, "y = scipy.linalg.svd(x, full_matrices=True, compute_uv=True, *, check_finite=True)",
         np.linalg.svd)
twin = lookup(np.linalg.eigvalsh)
assert twin is not None
pulled, pushed = (side["x"][0].text.replace(", UPLO", "") for side in (twin.pull, twin.push))
rule(linalg.eigvalsh, "y = scipy.linalg.eigvalsh(x, *, check_finite=True)", **ANY, breaks=twin.breaks,
     note=twin.note.replace("the triangle that is read", "the lower triangle, which alone is read"),
     pull={"x": pulled}, push={"x": pushed})
unsupported(linalg.eigh, "scipy.linalg.eigh", because="what it returns depends on its many arguments",
            instead="np.linalg.eigh")
for name in ("eig", "eigvals"):
    unsupported(getattr(linalg, name), f"scipy.linalg.{name}", because="its results are complex",
                instead="np.linalg.eig, or np.linalg.eigh of a symmetric matrix")
unsupported(linalg.lstsq, "scipy.linalg.lstsq", because="what it returns depends on its arguments",
            instead="np.linalg.lstsq")

# ------------------------------------------------------------------ equations
PLAIN = when.left_out("lower", "transposed", "assume_a")
FORM = "assume_a, lower, transposed"
SOLVED = f"rt.solve(np.matrix_transpose(rt.system(a, {FORM})), g, {VECTOR})"
TWIN = lookup(np.linalg.solve)
assert TWIN is not None


def solved(side: str, name: str, general: str) -> list[Any]:
    """The texts of np.linalg.solve where nothing is said of the matrix."""
    assert TWIN is not None
    texts = getattr(TWIN, side)[name]
    return [*[(when.both(PLAIN, one.when) if one.when else PLAIN, one.text) for one in texts], general]


rule(linalg.solve, "y = scipy.linalg.solve(a, b, lower=False, *, check_finite=True, assume_a=None, transposed=False)",
     nondiff=["assume_a", "lower", "transposed"], **ANY,
     pull={"a": solved("pull", "a", f"rt.unbroadcast(rt.unsystem(-rt.outer_last({SOLVED}, y, {VECTOR}), {FORM}), a)"),
           "b": solved("pull", "b", f"rt.unbroadcast({SOLVED}, b)")},
     push={"a": solved("push", "a", f"-rt.solve(rt.system(a, {FORM}), rt.apply(rt.system(g, {FORM}), y, {VECTOR}), "
                       f"{VECTOR})"), "b": solved("push", "b", f"rt.solve(rt.system(a, {FORM}), g, {VECTOR})")},
     note="of the triangle that is read")
linear(rt.system, "y = rt.system(a, assume_a=None, lower=False, transposed=False)",
       pull={"a": f"rt.unsystem(g, {FORM})"}, memory="view", **ANY)
linear(rt.unsystem, "y = rt.unsystem(a, assume_a=None, lower=False, transposed=False)",
       pull={"a": f"rt.system(g, {FORM})"}, memory="view", **ANY)

WAY = "lower, unit_diagonal"
BACK = f"scipy.linalg.solve_triangular(a, rt.right_side(g, b), rt.other_way(trans), {WAY})"
BACK_PLAIN, ONLY = "scipy.linalg.solve_triangular(a, rt.right_side(g, b), 1, lower)", \
    when.left_out("trans", "unit_diagonal")
OUTER = f"rt.outer_last({{}}, {{}}, {VECTOR})"
rule(linalg.solve_triangular, "y = scipy.linalg.solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, "
     "*, check_finite=True)", nondiff=["trans", "lower", "unit_diagonal"], **ANY,
     pull={"a": [(ONLY, f"rt.unbroadcast(-rt.triangle_of({OUTER.format(BACK_PLAIN, 'y')}, lower), a)"),
                 f"rt.unbroadcast(-rt.triangle_of(rt.as_read({OUTER.format(BACK, 'y')}, trans), {WAY}), a)"],
           "b": [(ONLY, f"rt.unbroadcast({BACK_PLAIN}, b)"), f"rt.unbroadcast({BACK}, b)"]},
     push={"a": (f"-scipy.linalg.solve_triangular(a, rt.right_side(rt.apply(rt.as_read(rt.triangle_of(g, {WAY}), "
                 f"trans), y, {VECTOR}), b), trans, {WAY})"),
           "b": f"scipy.linalg.solve_triangular(a, g, trans, {WAY})"})
linear(rt.triangle_of, "y = rt.triangle_of(x, lower=False, unit_diagonal=False)",
       pull={"x": f"rt.triangle_of(g, {WAY})"}, **ANY)
linear(rt.as_read, "y = rt.as_read(x, trans)", nondiff=["trans"], pull={"x": "rt.as_read(g, trans)"},
       memory="view", **ANY)
linear(rt.right_side, "y = rt.right_side(v, b)", nondiff=["b"], pull={"v": "g"}, memory="view", **ANY)
nondifferentiable(rt.other_way, "y = rt.other_way(trans)", because="a choice", breaks="", **ANY)

# ------------------------------------------------------------------ factors
T, LT_L = "scipy.linalg.solve_triangular", "rt.as_lower(y, lower).mT @ rt.as_lower(g, lower)"
rule(linalg.cholesky, "y = scipy.linalg.cholesky(x, lower=False, *, check_finite=True)", nondiff=["lower"], **ANY,
     pull={"x": [
         (when.left_out("lower"), f"rt.folded({T}(y, {T}(y, rt.half_lower(y @ g.mT)).mT)).mT"),
         f"rt.as_lower(rt.folded({T}(y, {T}(y, rt.half_lower({LT_L}), lower, lower).mT, lower, lower)), lower)"]},
     push={"x": [(when.left_out("lower"), f"(y.mT @ rt.half_lower({T}(y, {T}(y, rt.symmetric(g, 'U'), 1).mT, 1))).mT"),
                 (f"rt.as_lower(rt.as_lower(y, lower) @ rt.half_lower({T}(y, {T}(y, rt.symmetric(rt.as_lower(g, "
                  "lower)), rt.other_way(lower), lower).mT, rt.other_way(lower), lower)), lower)")]},
     note="of the triangle that alone is read: the upper one, unless lower is set")
linear(rt.as_lower, "y = rt.as_lower(x, lower)", nondiff=["lower"], pull={"x": "rt.as_lower(g, lower)"},
       memory="view", **ANY)
unsupported(linalg.cho_factor, "scipy.linalg.cho_factor", because="it leaves in a triangle what was there before",
            instead="scipy.linalg.solve(a, b, assume_a='pos'), or scipy.linalg.cholesky")
unsupported(linalg.lu_factor, "scipy.linalg.lu_factor", because="which rows are exchanged depends on the numbers",
            instead="scipy.linalg.solve(a, b), and scipy.linalg.det")
unsupported(linalg.lu, "scipy.linalg.lu", because="which rows are exchanged depends on the numbers",
            instead="scipy.linalg.solve(a, b), and scipy.linalg.det")
FACTORS: dict[str, Any] = {**ANY, "note": "in b: the factors are constants"}
rule(linalg.cho_solve, "y = scipy.linalg.cho_solve(c_and_lower, b, *, check_finite=True)", nondiff=["c_and_lower"],
     refused=["c_and_lower"],
     remedies={"c_and_lower": "the factors in the call: scipy.linalg.cho_solve(scipy.linalg.cho_factor(a), b)"},
     pull={"b": "rt.unbroadcast(scipy.linalg.cho_solve(c_and_lower, rt.right_side(rt.real_only(g), b)), b)"},
     push={"b": "scipy.linalg.cho_solve(c_and_lower, g)"}, **FACTORS)
rule(linalg.lu_solve, "y = scipy.linalg.lu_solve(lu_and_piv, b, trans=0, *, check_finite=True)",
     nondiff=["lu_and_piv", "trans"], refused=["lu_and_piv"],
     remedies={"lu_and_piv": "the factors in the call: scipy.linalg.lu_solve(scipy.linalg.lu_factor(a), b)"}, pull={
         "b": [(when.left_out("trans"), "rt.unbroadcast(scipy.linalg.lu_solve(lu_and_piv, rt.right_side(g, b), 1), b)"),
               "rt.unbroadcast(scipy.linalg.lu_solve(lu_and_piv, rt.right_side(g, b), rt.other_way(trans)), b)"]},
     push={"b": "scipy.linalg.lu_solve(lu_and_piv, g, trans)"}, **FACTORS)

# ------------------------------------------------------------------ functions of matrices, and their equations
for name in ("expm", "logm", "sinm", "cosm", "sinhm", "coshm"):
    rule(getattr(linalg, name), f"y = scipy.linalg.{name}(A)", **ANY,
         pull={"A": f"rt.cast(rt.frechet('{name}', np.matrix_transpose(A), g), A)"},
         push={"A": f"rt.frechet('{name}', A, g)"}, infinite="large" if name in ("expm", "sinhm", "coshm") else "")
SECOND = "rt.corner(rt.frechet(name, rt.paired({}, {}), rt.paired(g, rt.zeros_like(g))))"
rule(rt.frechet, "y = rt.frechet(name, a, e)", nondiff=["name"], infinite="large", **ANY,
     pull={"a": f"rt.cast({SECOND.format('np.matrix_transpose(a)', 'np.matrix_transpose(e)')}, a)",
           "e": "rt.cast(rt.frechet(name, np.matrix_transpose(a), g), e)"},
     push={"a": SECOND.format("a", "e"), "e": "rt.frechet(name, a, g)"})
rule(rt.paired, "y = rt.paired(a, e)", **ANY, pull={"a": "rt.sides(g)", "e": "rt.corner(g)"},
     push={"a": "rt.paired(g, rt.zeros_like(e))", "e": "rt.paired(rt.zeros_like(a), g)"})
linear(rt.corner, "y = rt.corner(x)", pull={"x": "rt.paired(rt.zeros_like(g), g)"}, **ANY)
linear(rt.sides, "y = rt.sides(x)", pull={"x": "rt.paired(g, rt.zeros_like(g))"}, **ANY)

rule(linalg.sqrtm, "y = scipy.linalg.sqrtm(A)", **ANY,
     pull={"A": "rt.unbroadcast(scipy.linalg.solve_sylvester(rt.on_axis(y, A).mT, y.mT, g), A)"},
     push={"A": "scipy.linalg.solve_sylvester(rt.on_axis(y, A), y, g)"})
rule(rt.on_axis, "y = rt.on_axis(v, x)", nondiff=["x"], pull={"v": "g"}, push={"v": "g"}, memory="alias", **ANY)
W = "scipy.linalg.solve_sylvester(np.matrix_transpose(a), np.matrix_transpose(b), g)"
rule(linalg.solve_sylvester, "y = scipy.linalg.solve_sylvester(a, b, q)", **ANY, pull={
    "a": f"rt.unbroadcast(-({W} @ y.mT), a)", "b": f"rt.unbroadcast(-(y.mT @ {W}), b)", "q": f"rt.unbroadcast({W}, q)"},
     push={"a": "-scipy.linalg.solve_sylvester(a, b, g @ y)", "b": "-scipy.linalg.solve_sylvester(a, b, y @ g)",
           "q": "scipy.linalg.solve_sylvester(a, b, g)"})
W = "scipy.linalg.solve_continuous_lyapunov(np.matrix_transpose(a), g)"
rule(linalg.solve_continuous_lyapunov, "y = scipy.linalg.solve_continuous_lyapunov(a, q)", **ANY,
     pull={"a": f"rt.unbroadcast(-({W} @ y.mT + {W}.mT @ y), rt.real_only(a))", "q": f"rt.unbroadcast({W}, q)"},
     push={"a": "-scipy.linalg.solve_continuous_lyapunov(a, rt.real_only(g) @ y + y @ g.mT)",
           "q": "scipy.linalg.solve_continuous_lyapunov(a, g)"})
W = "scipy.linalg.solve_discrete_lyapunov(np.matrix_transpose(a), g)"
rule(linalg.solve_discrete_lyapunov, "y = scipy.linalg.solve_discrete_lyapunov(a, q)", **ANY,
     pull={"a": f"rt.unbroadcast({W} @ rt.real_only(a) @ y.mT + {W}.mT @ a @ y, a)", "q": f"rt.unbroadcast({W}, q)"},
     push={"a": "scipy.linalg.solve_discrete_lyapunov(a, rt.real_only(g) @ y @ a.mT + rt.real_only(a) @ y @ g.mT)",
           "q": "scipy.linalg.solve_discrete_lyapunov(a, g)"})

# ------------------------------------------------------------------ orthogonal factors, as of np.linalg.qr
Q, R = "rt.both_factors(y)[0]", "rt.both_factors(y)[1]"
TURN = f"rt.folded({Q}.mT @ rt.solve_factor({R}.mT, g.mT, g).mT, 'U')"
rule(linalg.qr, "y = scipy.linalg.qr(a, *, mode='full', check_finite=True)", breaks="jump", **ANY,
     note="of full rank, with no more columns than rows, in the mode 'economic', or square; without pivoting=", pull={
         "a": f"rt.unbroadcast(rt.solve_factor({R}, (g[0] + {Q} @ rt.symmetric({R} @ g[1].mT - g[0].mT @ {Q})).mT, "
              "g[0], g[1]).mT, a)"}, push={
         "a": f"(rt.solve_factor({R}.mT, g.mT, g).mT - {Q} @ {TURN}, {TURN} @ {R})"})
linear(rt.both_factors, "z = rt.both_factors(y)", pull={"y": "g"}, memory="alias", **ANY)

# ------------------------------------------------------------------ Riccati equations
# T. Kao and G. Hennequin, "Automatic differentiation of Sylvester, Lyapunov, and algebraic Riccati equations" (2020)
GAIN = {"continuous": "np.linalg.solve(r, b.T @ y)", "discrete": "np.linalg.solve(r + b.T @ y @ b, b.T @ y @ a)"}
for name, gain in GAIN.items():
    closed, solve = f"(a - b @ {gain})", f"scipy.linalg.solve_{name}_lyapunov"
    sign, y = ("-", "y") if name == "continuous" else ("", f"y @ {closed}")
    W = f"{solve}({closed}, {sign}0.5 * (g + g.T))"
    along = {"a": f"({y}).T @ {{}}", "b": f"-({y}).T @ {{}} @ {gain}"}
    moved = {one: text.format("g") for one, text in along.items()}
    rule(getattr(linalg, f"solve_{name}_are"), f"y = scipy.linalg.solve_{name}_are(a, b, q, r, *, balanced=True)",
         **ANY, note="in symmetric directions of q and r", pull={
             "a": f"rt.unbroadcast(2.0 * {y} @ {W}, a)", "b": f"rt.unbroadcast(-2.0 * {y} @ {W} @ {gain}.T, b)",
             "q": f"rt.unbroadcast({W}, q)", "r": f"rt.unbroadcast({gain} @ {W} @ {gain}.T, r)"},
         push={**{one: f"{solve}({closed}.T, {sign}({text} + ({text}).T))" for one, text in moved.items()},
               "q": f"{solve}({closed}.T, {sign}0.5 * (g + g.T))",
               "r": f"{solve}({closed}.T, {sign}0.5 * {gain}.T @ (g + g.T) @ {gain})"})

# ------------------------------------------------------------------ matrices made of parts
linear(linalg.circulant, "y = scipy.linalg.circulant(c)", pull={"c": "rt.uncirculant(g, c)"}, **ANY)
linear(rt.uncirculant, "y = rt.uncirculant(v, c)", nondiff=["c"], **ANY,
       pull={"v": "rt.unbroadcast(scipy.linalg.circulant(g), v)"})
rule(linalg.hankel, "y = scipy.linalg.hankel(c, r=None)", **ANY,
     pull={"c": "rt.unhankel(g, c)", "r": "rt.unhankel(g, r, len(c) - 1)"},
     push={"c": [(when.is_none("r"), "scipy.linalg.hankel(g)"), "scipy.linalg.hankel(g, rt.zero_row(r))"],
           "r": "scipy.linalg.hankel(rt.zeros_like(c), g)"})
linear(rt.unhankel, "y = rt.unhankel(v, x, first=0)", nondiff=["x", "first"],
       pull={"v": "rt.unbroadcast(rt.on_antidiagonals(g, v, first), v)"}, **ANY)
linear(rt.on_antidiagonals, "y = rt.on_antidiagonals(x, v, first=0)", nondiff=["v", "first"],
       pull={"x": "rt.unhankel(g, x, first)"}, **ANY)
rule(linalg.toeplitz, "y = scipy.linalg.toeplitz(c, r=None)", **ANY,
     pull={"c": "rt.untoeplitz(g, c, r)", "r": "rt.untoeplitz_dr(g, r)"},
     push={"c": [(when.is_none("r"), "scipy.linalg.toeplitz(g)"), "scipy.linalg.toeplitz(g, rt.zero_row(r))"],
           "r": "scipy.linalg.toeplitz(rt.zeros_like(c), g)"})
nondifferentiable(rt.zero_row, "y = rt.zero_row(r)", because="zeros", breaks="", **ANY)
linear(rt.untoeplitz, "y = rt.untoeplitz(v, c, r=None)", nondiff=["c", "r"], **ANY,
       pull={"v": "rt.unbroadcast(scipy.linalg.toeplitz(g, rt.zero_row(r)), v)"})
linear(rt.untoeplitz_dr, "y = rt.untoeplitz_dr(v, r)", nondiff=["r"], **ANY,
       pull={"v": "rt.unbroadcast(scipy.linalg.toeplitz(np.zeros(len(v)), g), v)"})
BLOCKS = ("x1", "x2", "x3", "x4")
rule(linalg.block_diag, "y = scipy.linalg.block_diag(x1, x2=None, x3=None, x4=None)", **ANY,
     pull={name: f"rt.diagonal_block(g, ({''.join(f'{one}, ' for one in BLOCKS[:i])}), {name})"
           for i, name in enumerate(BLOCKS)},
     push={name: f"rt.on_diagonal(g, ({''.join(f'{one}, ' for one in BLOCKS[:i])}), y)"
           for i, name in enumerate(BLOCKS)}, note="of up to four")
linear(rt.diagonal_block, "y = rt.diagonal_block(v, before, x)", nondiff=["before", "x"],
       pull={"v": "rt.on_diagonal(g, before, v)"}, **ANY)
linear(rt.on_diagonal, "y = rt.on_diagonal(v, before, x)", nondiff=["before", "x"],
       pull={"v": "rt.diagonal_block(g, before, v)"}, **ANY)
