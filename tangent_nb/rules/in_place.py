"""What calls that change an array in place are made of: where they write, and what they write."""
from __future__ import annotations

import numpy as np

from .. import runtime as rt
from . import infer
from .infer import cotangent
from .table import check, linear, nondifferentiable, rule

rule(np.partition, "y = np.partition(x, kth, axis=-1, kind='introselect')",
     pull={"x": "rt.unsort(rt.sort_as(g, y, axis), x, axis)"}, push={"x": "rt.unsort(rt.sort_as(g, x, axis), y, axis)"},
     breaks="kink", nondiff=["kth", "kind"], spec=lambda args, constants: infer.like("x", "array")(args, constants)
     if "axis" not in args else infer.arrays(args, constants))

linear(rt.selected, "y = rt.selected(x, mask)", pull={"x": "rt.unselected(g, x, mask)"}, nondiff=["mask"],
       spec=infer.anything)
linear(rt.unselected, "y = rt.unselected(v, x, mask)", pull={"v": "rt.selected(g, mask)"}, nondiff=["x", "mask"],
       spec=cotangent("x"))

check(rt.check_target, "a, name")
check(rt.check_pieces, "x, name")
check(rt.check_out, "a, v, name, casting='same_kind', exact=False")
check(rt.check_cast, "a, v, name, casting='same_kind'")
check(rt.check_scalar, "a, v, name")
check(rt.check_values, "v, where, name")
for fn, signature in ((rt.flat_index, "a, places"), (rt.mask_index, "a, mask"), (rt.selection, "a, mask"),
                      (rt.diagonal_index, "a"), (rt.index_along, "a, indices, axis")):
    nondifferentiable(fn, f"y = rt.{fn.__name__}({signature})", because="places", spec=infer.anything, breaks="")
