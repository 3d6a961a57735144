"""More products of matrices: along an axis, powers, chains, and those that np.linalg names for itself."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import runtime as rt
from . import infer, when
from .computed import as_computed
from .infer import cotangent
from .layout import items_like
from .table import linear, rule

fn: Any
# --- products of vectors along an axis, and of vectors with matrices
for fn, name in ((np.vecdot, "np.vecdot"), (np.linalg.vecdot, "np.linalg.vecdot")):
    linear(fn, f"z = {name}(x, y, *, axis=-1)", spec=infer.anything,
           pull={"x": [(when.is_real("x"), "rt.unbroadcast_along(np.expand_dims(g, axis) * y, x, axis)"),
                       "rt.unbroadcast_along(np.conj(np.expand_dims(g, axis) * y), x, axis)"],
                 "y": [(when.is_real("x"), "rt.unbroadcast_along(np.expand_dims(g, axis) * x, y, axis)"),
                       "rt.unbroadcast_along(np.expand_dims(g, axis) * np.conj(x), y, axis)"]},
           note="the first operand is conjugated", multiplies="elements")
linear(np.matvec, "z = np.matvec(x, y)", spec=infer.anything,
       pull={"x": "rt.unbroadcast(np.expand_dims(g, -1) * np.expand_dims(y, -2), x)",
             "y": "rt.unbroadcast(np.matvec(np.matrix_transpose(x), g), y)"}, multiplies="elements")
linear(np.vecmat, "z = np.vecmat(x, y)", spec=infer.anything,
       pull={"x": "rt.unbroadcast(np.matvec(y, g), rt.real_only(x))",
             "y": "rt.unbroadcast(np.expand_dims(rt.real_only(x), -1) * np.expand_dims(g, -2), y)"},
       multiplies="elements")
for fn, name in ((np.cross, "np.cross"), (np.linalg.cross, "np.linalg.cross")):
    rule(fn, f"z = {name}(x, y, *, axis=-1)", spec=as_computed(fn, "x", "y", axis=-1),
         pull={"x": "rt.unbroadcast_along(rt.cross(y, g, axis), x, axis)",
               "y": "rt.unbroadcast_along(rt.cross(g, x, axis), y, axis)"},
         push={"x": f"{name}(g, y, axis=axis)", "y": f"{name}(x, g, axis=axis)"}, multiplies="mixed")
linear(rt.unbroadcast_along, "r = rt.unbroadcast_along(v, x, axis)", pull={"v": "rt.broadcast_along(g, v, axis)"},
       nondiff=["x", "axis"], spec=cotangent("x"), memory="view")
linear(rt.broadcast_along, "r = rt.broadcast_along(v, x, axis)", pull={"v": "rt.unbroadcast_along(g, v, axis)"},
       nondiff=["x", "axis"], spec=cotangent("x"), memory="view")
linear(rt.cross, "z = rt.cross(x, y, axis)", nondiff=["axis"], spec=infer.anything,
       pull={"x": "rt.unbroadcast_along(rt.cross(y, g, axis), x, axis)",
             "y": "rt.unbroadcast_along(rt.cross(g, x, axis), y, axis)"}, multiplies="mixed")

# --- what np.linalg names for itself
linear(np.linalg.matmul, "z = np.linalg.matmul(x, y)", spec=infer.matmul,
       pull={"x": "rt.matmul_dx(g, x, y)", "y": "rt.matmul_dy(g, x, y)"}, multiplies="elements")
linear(np.linalg.outer, "z = np.linalg.outer(x, y)", spec=infer.outer,
       pull={"x": "rt.outer_dx(g, x, y)", "y": "rt.outer_dy(g, x, y)"}, multiplies="elements")
linear(np.linalg.tensordot, "z = np.linalg.tensordot(x, y, *, axes=2)", spec=infer.arrays,
       pull={"x": "rt.tensordot_dx(g, x, y, axes)", "y": "rt.tensordot_dy(g, x, y, axes)"}, multiplies="elements")
rule(np.linalg.matrix_transpose, "y = np.linalg.matrix_transpose(x)", memory="view",
     push={"x": "np.matrix_transpose(g)"}, pull={"x": "np.matrix_transpose(g)"}, spec=infer.arrays)
linear(np.linalg.diagonal, "y = np.linalg.diagonal(x, *, offset=0)", memory="view", spec=infer.arrays,
       pull={"x": "rt.undiagonal(g, x, offset, -2, -1)"})
linear(np.linalg.trace, "y = np.linalg.trace(x, *, offset=0)", spec=infer.anything,
       pull={"x": "rt.untrace(g, x, offset, -2, -1)"})

# --- powers and chains
rule(np.linalg.matrix_power, "y = np.linalg.matrix_power(x, n)", nondiff=["n"], spec=infer.anything, memory="alias",
     pull={"x": "rt.matrix_power_along(g, np.matrix_transpose(x), n)"}, push={"x": "rt.matrix_power_along(g, x, n)"})
rule(rt.matrix_power_along, "y = rt.matrix_power_along(v, x, n)", nondiff=["n"], spec=infer.anything,
     pull={"v": "rt.matrix_power_along(g, np.matrix_transpose(x), n)",
           "x": "rt.matrix_power_along2(g, np.matrix_transpose(v), np.matrix_transpose(x), n)"},
     push={"v": "rt.matrix_power_along(g, x, n)", "x": "rt.matrix_power_along2(g, v, x, n)"})
linear(rt.matrix_power_along2, "y = rt.matrix_power_along2(u, v, x, n)", nondiff=["x", "n"], refused=["x"],
       spec=infer.anything, note="a power of a matrix is differentiated twice",
       pull={"u": "rt.matrix_power_along2(g, np.matrix_transpose(v), np.matrix_transpose(x), n)",
             "v": "rt.matrix_power_along2(g, np.matrix_transpose(u), np.matrix_transpose(x), n)"})
rule(np.linalg.multi_dot, "y = np.linalg.multi_dot(arrays)", spec=infer.anything,
     pull={"arrays": "rt.multi_dot_dx(g, arrays)"}, push={"arrays": "rt.multi_dot_along(g, arrays)"},
     multiplies="mixed")
rule(rt.multi_dot_dx, "y = rt.multi_dot_dx(v, arrays)", spec=items_like("arrays"),
     pull={"v": "rt.multi_dot_along(g, arrays)", "arrays": "rt.multi_dot_dx2(g, v, arrays)"},
     push={"v": "rt.multi_dot_dx(g, arrays)", "arrays": "rt.multi_dot_dx2(g, v, arrays)"})
rule(rt.multi_dot_along, "y = rt.multi_dot_along(v, arrays)", spec=infer.anything,
     pull={"v": "rt.multi_dot_dx(g, arrays)", "arrays": "rt.multi_dot_dx2(v, g, arrays)"},
     push={"v": "rt.multi_dot_along(g, arrays)", "arrays": "rt.multi_dot_along2(g, v, arrays)"}, multiplies="mixed")
THIRD = "a chain of matrices is differentiated twice"
linear(rt.multi_dot_along2, "y = rt.multi_dot_along2(u, v, arrays)", nondiff=["arrays"], refused=["arrays"],
       spec=infer.anything, note=THIRD,
       pull={"u": "rt.multi_dot_dx2(v, g, arrays)", "v": "rt.multi_dot_dx2(u, g, arrays)"})
linear(rt.multi_dot_dx2, "y = rt.multi_dot_dx2(u, v, arrays)", nondiff=["arrays"], refused=["arrays"],
       spec=items_like("arrays"), note=THIRD,
       pull={"u": "rt.multi_dot_dx2(g, v, arrays)", "v": "rt.multi_dot_along2(u, g, arrays)"})
