"""Rows for what the derivatives of running sums, differences, integrals and weighted means call."""
from __future__ import annotations

import numpy as np

from .. import runtime as rt
from . import infer
from .infer import cotangent
from .table import linear, rule

ENDS = "None if to_end is None else {}, None if to_begin is None else {}"

linear(rt.without_first, "y = rt.without_first(v, axis=None, present=True)", pull={"v": "rt.with_first(g, axis, present)"}, spec=infer.arrays,
       memory="view", domain={"v": [(3,), (2, 3), (3,)], "axis": [None, -1, 0], "present": [True, True, False]})
linear(rt.with_first, "y = rt.with_first(v, axis=None, present=True)", pull={"v": "rt.without_first(g, axis, present)"}, spec=infer.arrays,
       memory="view", domain={"v": [(3,), (2, 3), (3,)], "axis": [None, -1, 0], "present": [True, True, False]})
rule(rt.around, "y = rt.around(x, axis, prepend=None, append=None)", nondiff=["axis"], spec=infer.arrays, memory="view",
     pull={"x": "rt.unaround(g, x, axis, prepend, append)[1]", "prepend": "rt.unaround(g, x, axis, prepend, append)[0]",
           "append": "rt.unaround(g, x, axis, prepend, append)[2]"},
     push={"x": "rt.around(g, axis, None if prepend is None else rt.zeros_like(prepend), None if append is None else rt.zeros_like(append))",
           "prepend": "rt.around(rt.zeros_like(x), axis, g, None if append is None else rt.zeros_like(append))",
           "append": "rt.around(rt.zeros_like(x), axis, None if prepend is None else rt.zeros_like(prepend), g)"},
     domain={"x": [(3,), (2, 3), (3, 2)], "axis": [0, -1, 0], "prepend": [(), None, (1, 2)], "append": [None, (2, 2), ()]})
linear(rt.unaround, "y = rt.unaround(v, x, axis, prepend=None, append=None)", nondiff=["x", "axis", "prepend", "append"], memory="alias",
       spec=infer.anything, pull={"v": "rt.cast(rt.around(g[1], axis, g[0], g[2]), v)"},
       domain={"v": [(5,), (2, 5)], "x": [(3,), (2, 3)], "axis": [0, -1], "prepend": [np.zeros(1), np.zeros((2, 1))],
               "append": [0.0, np.zeros((2, 1))]})
linear(rt.unediff1d, "y = rt.unediff1d(v, x, to_end=None, to_begin=None)", nondiff=["x", "to_end", "to_begin"], memory="alias",
       spec=infer.anything, pull={"v": "np.ediff1d(g[0], " + ENDS.format("g[1]", "g[2]") + ")"},
       domain={"v": [(5,)], "x": [(3,)], "to_end": [np.zeros(2)], "to_begin": [0.0]})
linear(rt.ungradient, "y = rt.ungradient(v, f, h=1, axis=None, edge_order=1)", nondiff=["f", "h"], refused=["h"], spec=cotangent("f"),
       pull={"v": "np.gradient(g, h, axis=axis, edge_order=edge_order)"},
       domain={"v": [(4,), (2, 3)], "f": [np.zeros(4), np.zeros((2, 3))], "h": [0.5, 1], "axis": [0, 1], "edge_order": [2, 1]})
linear(rt.middle, "m = rt.middle(y, axis=-1)", pull={"y": "rt.unmiddle(g, y, axis)"}, spec=infer.arrays,
       domain={"axis": [-1, 0], "y": [(3,), (3, 2)]})
linear(rt.unmiddle, "m = rt.unmiddle(v, y, axis=-1)", nondiff=["y"], spec=cotangent("y"), pull={"v": "rt.unbroadcast(rt.middle(g, axis), v)"},
       domain={"v": [(2,), (1, 2), (2, 1)], "y": [(3,), (3, 2), (3, 2)], "axis": [-1, 0, 0]})
rule(rt.widths, "w = rt.widths(x, y, dx=1.0, axis=-1)", nondiff=["y"], spec=infer.anything, memory="alias",
     pull={"x": "rt.unwidths(g, x, axis)", "dx": "rt.unbroadcast(g, dx) if x is None else rt.zeros_like(dx)"},
     push={"x": "rt.widths(g, y, dx, axis)", "dx": "g if x is None else rt.zeros_like(w)"},
     domain={"x": [(3,), (3,), (3, 2)], "y": [(3,), (3, 2), (3, 2)], "dx": [(), (), ()], "axis": [-1, 0, 0]})
linear(rt.unwidths, "y = rt.unwidths(v, x, axis=-1)", nondiff=["x"], spec=cotangent("x"),
       pull={"v": "rt.broadcast_to_like(rt.widths(g, v, 1.0, axis), v)"},
       domain={"v": [(2,), (2, 2), (2, 2)], "x": [(3,), (3,), (3, 2)], "axis": [-1, 0, 0]})
linear(rt.weights_over, "w = rt.weights_over(weights, a, axis=None)", nondiff=["a"], spec=infer.arrays, memory="view",
       pull={"weights": "rt.unweights_over(g, weights, a, axis)"},
       domain={"weights": [(2,), (2, 3), (2, 2)], "a": [(2, 3), (2, 3), (2, 3, 2)], "axis": [0, None, (2, 0)]})
linear(rt.unweights_over, "w = rt.unweights_over(v, weights, a, axis=None)", nondiff=["a", "weights"], spec=cotangent("weights"),
       pull={"v": "rt.weights_over(g, a, axis)"},
       domain={"v": [(2, 3), (2, 3), (2, 3, 2)], "weights": [np.zeros(2), np.zeros((2, 3)), np.zeros((2, 2))],
               "a": [(2, 3), (2, 3), (2, 3, 2)], "axis": [0, None, (2, 0)]})
