"""Reductions that leave NaN out: it gets exactly 0, and the rest as without it."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import infer
from .cumulative import FACTORS_AHEAD
from .table import rule

fn: Any
SPREAD, THERE = "rt.unreduce(g, x, axis, keepdims)", "np.logical_not(np.isnan(x))"

rule(np.nansum, "y = np.nansum(x, axis=None, *, keepdims=False)", spec=infer.reduction(infer.summed), breaks="jump",
     pull={"x": f"rt.mask({SPREAD}, {THERE})"}, push={"x": f"np.sum(g, axis=axis, keepdims=keepdims, where={THERE})"})
COUNT = "rt.count(x, axis, {}, " + THERE + ", keepdims)"
rule(np.nanmean, "y = np.nanmean(x, axis=None, *, keepdims=False)", spec=infer.reduction(infer.averaged), breaks="jump",
     pull={"x": f"rt.mask(rt.unreduce(g / {COUNT.format(0)}, x, axis, keepdims), {THERE})"},
     push={"x": f"np.sum(g, axis=axis, keepdims=keepdims, where={THERE}) / {COUNT.format(0)}"})
for fn in (np.nanmax, np.nanmin):
    rule(fn, f"y = np.{fn.__name__}(x, axis=None, *, keepdims=False)", spec=infer.reduction(), breaks="jump",
         pull={"x": f"{SPREAD} * rt.share(x, y, axis, keepdims)"},
         push={"x": "np.sum(g * rt.share(x, y, axis, keepdims), axis=axis, keepdims=keepdims)"})
FACTORS = "rt.others(np.where(np.isnan(x), 1.0, x), axis)"
rule(np.nanprod, "y = np.nanprod(x, axis=None, *, keepdims=False)", spec=infer.reduction(infer.summed), breaks="jump",
     pull={"x": f"rt.mask({SPREAD} * {FACTORS}, {THERE})"},
     push={"x": f"np.sum(g * {FACTORS}, axis=axis, keepdims=keepdims, where={THERE})"}, multiplies="mixed")

DEVIATION = "y = np.{}(x, axis=None, *, ddof=0, keepdims=False)"
CENTERED, LOST = f"rt.centered(x, axis, {THERE})", COUNT.format("ddof")
rule(np.nanvar, DEVIATION.format("nanvar"), spec=infer.reduction(infer.averaged), breaks="jump",
     pull={"x": f"rt.unreduce(2.0 * g / {LOST}, x, axis, keepdims) * {CENTERED}"},
     push={"x": f"np.sum(2.0 * {CENTERED} * rt.mask(g, {THERE}), axis=axis, keepdims=keepdims) / {LOST}"})
rule(np.nanstd, DEVIATION.format("nanstd"), spec=infer.reduction(infer.averaged), breaks="jump",
     pull={"x": f"rt.unreduce(rt.ratio(g, y) / {LOST}, x, axis, keepdims) * {CENTERED}"},
     push={"x": f"rt.ratio(np.sum({CENTERED} * rt.mask(g, {THERE}), axis=axis, keepdims=keepdims), y) / {LOST}"},
     note="slope 0 where all values are equal, as for a norm at 0")

RUNNING: dict[str, Any] = {"spec": infer.cumulative, "breaks": "jump"}
rule(np.nancumsum, "y = np.nancumsum(x, axis=None)", **RUNNING,
     pull={"x": f"rt.mask(rt.uncumsum(g, x, axis), {THERE})"},
     push={"x": "np.cumsum(np.where(np.isnan(x), 0.0, g), axis)"})
KNOWN = "np.where(np.isnan(x), 1.0, x)"
rule(np.nancumprod, "y = np.nancumprod(x, axis=None)", **RUNNING,
     pull={"x": f"rt.mask({FACTORS_AHEAD[0].format(x=KNOWN)}, {THERE})"},
     push={"x": FACTORS_AHEAD[1].format(x=KNOWN, g="np.where(np.isnan(x), 0.0, g)")})
