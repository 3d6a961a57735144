"""Sums, means, products, extremes, and running sums."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import infer, when
from .sharing import not_once
from .table import linear, nondifferentiable, rule, unsupported

fn: Any
SPREAD = "rt.unreduce(g, x, axis, keepdims)"
AXES = {"axis": (None, 0, -1, (0, 1), ()), "keepdims": (False, True)}

linear(np.sum, "y = np.sum(x, axis=None, *, keepdims=False)", method="sum", domain=AXES,
       spec=infer.reduction(infer.summed),
       pull={"x": [(when.whole(), "np.full_like(x, g)"), SPREAD]})
linear(np.mean, "y = np.mean(x, axis=None, *, keepdims=False)", method="mean", domain=AXES,
       spec=infer.reduction(infer.averaged),
       pull={"x": [(when.whole(), "np.full_like(x, g / x.size)"),
                   "rt.unreduce(g / rt.count(x, axis), x, axis, keepdims)"]})

EXTREME = {"pull": {"x": f"{SPREAD} * rt.share(x, y, axis, keepdims)"},
           "push": {"x": "np.sum(g * rt.share(x, y, axis, keepdims), axis=axis, keepdims=keepdims)"}}
for fn in (np.max, np.min):
    rule(fn, f"y = np.{fn.__name__}(x, axis=None, *, keepdims=False)", also=[np.amax if fn is np.max else np.amin],
         method=fn.__name__, spec=infer.reduction(), domain=AXES, **EXTREME)  # type: ignore[arg-type]
rule(np.ptp, "y = np.ptp(x, axis=None, *, keepdims=False)", spec=infer.reduction(), domain=AXES,
     pull={"x": f"{SPREAD} * (rt.share(x, np.max(x, axis=axis), axis) - rt.share(x, np.min(x, axis=axis), axis))"},
     push={"x": "np.sum(g * (rt.share(x, np.max(x, axis=axis), axis) - rt.share(x, np.min(x, axis=axis), axis)), "
                "axis=axis, keepdims=keepdims)"})

rule(np.prod, "y = np.prod(x, axis=None, *, keepdims=False)", method="prod", spec=infer.reduction(infer.summed),
     domain=AXES,
     pull={"x": f"{SPREAD} * rt.others(x, axis)"},
     push={"x": "np.sum(g * rt.others(x, axis), axis=axis, keepdims=keepdims)"})

DEVIATION = "y = np.{}(x, axis=None, *, ddof=0, keepdims=False)"
rule(np.var, DEVIATION.format("var"), method="var", spec=infer.reduction(infer.averaged), domain=AXES,
     pull={"x": "rt.unreduce(2.0 * g / rt.count(x, axis, ddof), x, axis, keepdims) * rt.centered(x, axis)"},
     push={"x": "np.sum(2.0 * rt.centered(x, axis) * g, axis=axis, keepdims=keepdims) / rt.count(x, axis, ddof)"},
     note="from the centered values, which do not cancel for a large mean")
rule(np.std, DEVIATION.format("std"), method="std", spec=infer.reduction(infer.averaged),
     domain={**AXES, "axis": (None, 0, -1)},
     pull={"x": "rt.unreduce(rt.ratio(g, y) / rt.count(x, axis, ddof), x, axis, keepdims) * rt.centered(x, axis)"},
     push={"x": "rt.ratio(np.sum(rt.centered(x, axis) * g, axis=axis, keepdims=keepdims), y) / rt.count(x, axis, ddof)"},
     note="slope 0 where all values are equal, as for a norm at 0")

linear(np.cumsum, "y = np.cumsum(x, axis=None)", method="cumsum", pull={"x": "rt.uncumsum(g, x, axis)"},
       spec=infer.cumulative,
       domain={"axis": (None, 0, -1)})

rule(np.cumprod, "y = np.cumprod(x, axis=None)", method="cumprod", spec=infer.cumulative,
     domain={"axis": (None, 0, -1)},
     pull={"x": "rt.untriangle(np.expand_dims(rt.last(g, axis), -1) * rt.others(rt.triangle(x, axis), -1), x, axis)"},
     push={"x": "rt.unlast(np.sum(rt.triangle_along(g, axis) * rt.others(rt.triangle(x, axis), -1), axis=-1), y, axis)"},
     note="right also with zeros; takes memory for the square of the length")
linear(np.diff, "y = np.diff(x, n=1, axis=-1)", pull={"x": "rt.undiff(g, x, n, axis)"}, spec=infer.arrays,
       memory="alias", shares=not_once,
       domain={"x": [(4,), (2, 4), (4, 2)], "n": [1, 2, 1], "axis": [-1, 1, 0]})

for fn in (np.argmax, np.argmin):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x, axis=None, *, keepdims=False)", method=fn.__name__,
                      because="integer valued", spec=infer.reduction(lambda dtype: "i8"))
nondifferentiable(np.argsort, "y = np.argsort(x, axis=-1, kind=None)", method="argsort", because="integer valued",
                  spec=infer.arrays)
for fn in (np.all, np.any):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x, axis=None, *, keepdims=False)", method=fn.__name__,
                      because="a truth value", spec=infer.reduction(lambda dtype: "b1"))
nondifferentiable(np.count_nonzero, "y = np.count_nonzero(x, axis=None)", because="integer valued", spec=infer.anything)
unsupported(np.median, "np.median", because="it has no rule yet", instead="np.sort(x)[n // 2] for an odd number n of values")
