"""Running sums and products, differences, integrals, and weighted means."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import infer, when
from .computed import ARRAY, as_computed
from .sharing import not_once
from .table import linear, rule

fn: Any
TYPED = when.left_out("dtype")
rule(np.cumsum, "y = np.cumsum(x, axis=None, dtype=None)", method="cumsum", spec=infer.cumulative,
     pull={"x": [(when.both(TYPED, when.ranks(x=1)), "np.cumsum(g[::-1])[::-1]"), (TYPED, "rt.uncumsum(g, x, axis)"),
                 "rt.uncumsum(rt.through(g, dtype), x, axis)"]},
     push={"x": [(TYPED, "np.cumsum(g, axis)"), "rt.through(np.cumsum(g, axis, dtype), dtype)"]}, spreads=True)

FACTORS_AHEAD = (
    "rt.untriangle(np.expand_dims(rt.last(g, axis), -1) * rt.others(rt.triangle({x}, axis), -1), x, axis)",
    "rt.unlast(np.sum(rt.triangle_along({g}, axis) * rt.others(rt.triangle({x}, axis), -1), axis=-1), y, axis)")
rule(np.cumprod, "y = np.cumprod(x, axis=None, dtype=None)", method="cumprod", spec=infer.cumulative,
     pull={"x": [(TYPED, FACTORS_AHEAD[0].format(x="x")),
                 FACTORS_AHEAD[0].format(x="x").replace("(g, axis)", "(rt.through(g, dtype), axis)")]},
     push={"x": [(TYPED, FACTORS_AHEAD[1].format(x="x", g="g")),
                 f"rt.through({FACTORS_AHEAD[1].format(x='x', g='g')}, dtype)"]},
     note="right also with zeros; takes memory for the square of the length")

NO_FIRST = when.left_out("include_initial")
AHEAD = [text.format(x="x", g="g") for text in FACTORS_AHEAD]
linear(np.cumulative_sum, "y = np.cumulative_sum(x, *, axis=None, include_initial=False)", spec=infer.arrays, pull={
    "x": [(NO_FIRST, "rt.uncumsum(g, x, axis)"), "rt.uncumsum(rt.without_first(g, axis, include_initial), x, axis)"]})
rule(np.cumulative_prod, "y = np.cumulative_prod(x, *, axis=None, include_initial=False)", spec=infer.arrays, pull={
    "x": [(NO_FIRST, AHEAD[0]), AHEAD[0].replace("(g, axis)", "(rt.without_first(g, axis, include_initial), axis)")]},
     push={"x": [(NO_FIRST, AHEAD[1]),
                 f"rt.with_first({AHEAD[1].replace(', y, axis)', ', x, axis)')}, axis, include_initial)"]})

BOTH = when.left_out("prepend", "append")
ZEROS = "None if prepend is None else rt.zeros_like(prepend), None if append is None else rt.zeros_like(append)"
AROUND = "rt.unaround(rt.undiff(g, rt.around(x, axis, prepend, append), n, axis), x, axis, prepend, append)[{}]"
rule(np.diff, "y = np.diff(x, n=1, axis=-1, prepend=None, append=None)",
     spec=as_computed(np.diff, "x", n=1, axis=-1, otherwise=ARRAY), memory="alias", shares=not_once,
     pull={"x": [(BOTH, "rt.undiff(g, x, n, axis)"), AROUND.format(1)],
                                            "prepend": AROUND.format(0), "append": AROUND.format(2)},
     push={"x": [(BOTH, "np.diff(g, n, axis)"), f"np.diff(rt.around(g, axis, {ZEROS}), n, axis)"],
           "prepend": ("np.diff(rt.around(rt.zeros_like(x), axis, g, "
                       "None if append is None else rt.zeros_like(append)), n, axis)"),
           "append": ("np.diff(rt.around(rt.zeros_like(x), axis, "
                      "None if prepend is None else rt.zeros_like(prepend), g), n, axis)")})
ENDS = "None if to_end is None else {}, None if to_begin is None else {}"
rule(np.ediff1d, "y = np.ediff1d(x, to_end=None, to_begin=None)", spec=as_computed(np.ediff1d, "x", otherwise=ARRAY),
     pull={"x": [(when.left_out("to_end", "to_begin"), "rt.reshape_like(rt.undiff(g, np.ravel(x)), x)"),
                 "rt.unediff1d(g, x, to_end, to_begin)[0]"],
           "to_end": "rt.unediff1d(g, x, to_end, to_begin)[1]", "to_begin": "rt.unediff1d(g, x, to_end, to_begin)[2]"},
     push={"x": "np.ediff1d(g, " + ENDS.format("rt.zeros_like(to_end)", "rt.zeros_like(to_begin)") + ")",
           "to_end": "np.ediff1d(rt.zeros_like(x), g, None if to_begin is None else rt.zeros_like(to_begin))",
           "to_begin": "np.ediff1d(rt.zeros_like(x), None if to_end is None else rt.zeros_like(to_end), g)"})
rule(np.gradient, "y = np.gradient(f, dx=1.0, *, axis=None, edge_order=1)", spec=infer.anything,
     pull={"f": "rt.ungradient(g, f, dx, axis, edge_order)", "dx": "rt.over_spacing(g, y, dx)"},
     push={"f": "np.gradient(g, dx, axis=axis, edge_order=edge_order)", "dx": "rt.along_spacing(g, y, dx)"},
     note="by the spacing, where that is one number")

rule(np.trapezoid, "r = np.trapezoid(y, x=None, dx=1.0, axis=-1)", spec=as_computed(np.trapezoid, "y", axis=-1),
     pull={"y": "rt.unmiddle(np.expand_dims(g, axis) * rt.widths(x, y, dx, axis), y, axis)",
           "x": "rt.unwidths(np.expand_dims(g, axis) * rt.middle(y, axis), x, axis)",
           "dx": "rt.unbroadcast(g * np.trapezoid(y, axis=axis), dx) if x is None else rt.zeros_like(dx)"},
     push={"y": "np.trapezoid(g, x, dx, axis)", "x": "np.trapezoid(y, g, dx, axis)",
           "dx": "np.trapezoid(y, x, g, axis) if x is None else rt.zeros_like(r)"})

MEAN = when.is_none("weights")
OVER = "rt.weights_over(weights, a, axis)"
TOTAL = f"np.sum({OVER}, axis=axis, keepdims=keepdims)"
APART = "np.subtract(a, rt.unreduce(y, a, axis, keepdims))"
rule(np.average, "y = np.average(a, axis=None, weights=None, *, keepdims=False)",
     spec=as_computed(np.average, "a", axis=None, keepdims=False),
     pull={"a": [(MEAN, "rt.unreduce(g / rt.count(a, axis), a, axis, keepdims)"),
                 f"rt.cast(rt.unreduce(g / {TOTAL}, a, axis, keepdims) * {OVER}, a)"],
           "weights": f"rt.unweights_over(rt.unreduce(g / {TOTAL}, a, axis, keepdims) * {APART}, weights, a, axis)"},
     push={"a": "np.average(g, axis=axis, weights=weights, keepdims=keepdims)",
           "weights": f"np.sum(rt.weights_over(g, a, axis) * {APART}, axis=axis, keepdims=keepdims) / {TOTAL}"},
     multiplies="elements")
