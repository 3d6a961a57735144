"""Rows for what the derivatives of running sums, differences, integrals and weighted means call."""
from __future__ import annotations

from .. import runtime as rt
from . import infer
from .infer import cotangent
from .table import linear, rule

ENDS = "None if to_end is None else {}, None if to_begin is None else {}"

linear(rt.without_first, "y = rt.without_first(v, axis=None, present=True)",
       pull={"v": "rt.with_first(g, axis, present)"}, spec=infer.arrays, memory="view")
linear(rt.with_first, "y = rt.with_first(v, axis=None, present=True)", pull={"v": "rt.without_first(g, axis, present)"},
       spec=infer.arrays, memory="view")
rule(rt.around, "y = rt.around(x, axis, prepend=None, append=None)", nondiff=["axis"], spec=infer.arrays, memory="view",
     pull={"x": "rt.unaround(g, x, axis, prepend, append)[1]", "prepend": "rt.unaround(g, x, axis, prepend, append)[0]",
           "append": "rt.unaround(g, x, axis, prepend, append)[2]"},
     push={"x": ("rt.around(g, axis, None if prepend is None else rt.zeros_like(prepend), "
                 "None if append is None else rt.zeros_like(append))"),
           "prepend": "rt.around(rt.zeros_like(x), axis, g, None if append is None else rt.zeros_like(append))",
           "append": "rt.around(rt.zeros_like(x), axis, None if prepend is None else rt.zeros_like(prepend), g)"})
linear(rt.unaround, "y = rt.unaround(v, x, axis, prepend=None, append=None)",
       nondiff=["x", "axis", "prepend", "append"], memory="alias",
       spec=infer.anything, pull={"v": "rt.cast(rt.around(g[1], axis, g[0], g[2]), v)"})
linear(rt.unediff1d, "y = rt.unediff1d(v, x, to_end=None, to_begin=None)", nondiff=["x", "to_end", "to_begin"],
       memory="alias", spec=infer.anything, pull={"v": "np.ediff1d(g[0], " + ENDS.format("g[1]", "g[2]") + ")"})
rule(rt.ungradient, "y = rt.ungradient(v, f, dx=1.0, axis=None, edge_order=1)", nondiff=["f"], spec=cotangent("f"),
     pull={"v": "np.gradient(g, dx, axis=axis, edge_order=edge_order)", "dx": "rt.over_spacing(g, y, dx)"},
     push={"v": "rt.ungradient(g, f, dx, axis, edge_order)", "dx": "rt.along_spacing(g, y, dx)"})
rule(rt.over_spacing, "r = rt.over_spacing(v, y, dx)", spec=cotangent("dx"),
     pull={"v": "rt.along_spacing(g, y, dx)", "y": "rt.along_spacing(g, v, dx)", "dx": "-(g * r) / dx"},
     push={"v": "rt.over_spacing(g, y, dx)", "y": "rt.over_spacing(v, g, dx)", "dx": "-(g * r) / dx"})
rule(rt.along_spacing, "z = rt.along_spacing(v, y, dx)", spec=infer.anything,
     pull={"v": "rt.over_spacing(g, y, dx)", "y": "rt.along_spacing(v, g, dx)", "dx": "rt.over_spacing(g, z, dx)"},
     push={"v": "rt.along_spacing(g, y, dx)", "y": "rt.along_spacing(v, g, dx)", "dx": "rt.along_spacing(g, z, dx)"})
linear(rt.middle, "m = rt.middle(y, axis=-1)", pull={"y": "rt.unmiddle(g, y, axis)"}, spec=infer.arrays)
linear(rt.unmiddle, "m = rt.unmiddle(v, y, axis=-1)", nondiff=["y"], spec=cotangent("y"),
       pull={"v": "rt.unbroadcast(rt.middle(g, axis), v)"})
rule(rt.widths, "w = rt.widths(x, y, dx=1.0, axis=-1)", nondiff=["y"], spec=infer.anything, memory="alias",
     pull={"x": "rt.unwidths(g, x, axis)", "dx": "rt.unbroadcast(g, dx) if x is None else rt.zeros_like(dx)"},
     push={"x": "rt.widths(g, y, dx, axis)", "dx": "g if x is None else rt.zeros_like(w)"})
linear(rt.unwidths, "y = rt.unwidths(v, x, axis=-1)", nondiff=["x"], spec=cotangent("x"),
       pull={"v": "rt.broadcast_to_like(rt.widths(g, v, 1.0, axis), v)"})
linear(rt.weights_over, "w = rt.weights_over(weights, a, axis=None)", nondiff=["a"], spec=infer.arrays, memory="view",
       pull={"weights": "rt.unweights_over(g, weights, a, axis)"})
linear(rt.unweights_over, "w = rt.unweights_over(v, weights, a, axis=None)", nondiff=["a", "weights"],
       spec=cotangent("weights"), pull={"v": "rt.weights_over(g, a, axis)"})
