"""The methods of ufuncs: `np.add.reduce`, `np.maximum.accumulate`, `np.multiply.outer`;
as the functions that are the same, along axis 0."""
from __future__ import annotations

import re
from typing import Any

import numpy as np

from .. import runtime as rt
from ..syntax.program import member
from . import infer
from .reductions import EXTREME, SPREAD
from .table import linear, lookup, nondifferentiable, rule, unsupported

fn: Any
SIGNATURE = "y = np.{}.reduce(x, axis=0, dtype=None, *, keepdims=False, initial={}, where=True)"


def _texts(fn: Any, *, but: int = 0) -> dict[str, Any]:
    """Both modes of the row of a function that is the same, but for its first texts, which hold for no axis at all."""
    row = lookup(fn)
    assert row is not None
    return {mode: {name: [(choice.when, choice.text) if choice.when else choice.text
                          for choice in choices[skip if name == "x" else 0:]]
                   for name, choices in getattr(row, mode).items()} for mode, skip in (("pull", but), ("push", 0))}


rule(member(np.add, "reduce"), SIGNATURE.format("add", 0), spec=infer.reduction(infer.summed, 0),
     **_texts(np.sum, but=1))
rule(member(np.multiply, "reduce"), SIGNATURE.format("multiply", 1),
     spec=infer.reduction(infer.summed, 0), multiplies="mixed", **_texts(np.prod))
for fn in (np.maximum, np.minimum):
    rule(member(fn, "reduce"), f"y = np.{fn.__name__}.reduce(x, axis=0, *, keepdims=False, initial=None, where=True)",
         spec=infer.reduction(default=0), breaks="kink", **EXTREME)  # type: ignore[arg-type]
for fn, factor in ((np.logaddexp, "np.exp(x - rt.unreduce(y, x, axis, keepdims))"),
                   (np.logaddexp2, "np.exp2(x - rt.unreduce(y, x, axis, keepdims))"),
                   (np.hypot, "rt.ratio(x, rt.unreduce(y, x, axis, keepdims))")):
    rule(member(fn, "reduce"), f"y = np.{fn.__name__}.reduce(x, axis=0, *, keepdims=False)",
         spec=infer.reduction(infer.averaged, 0),
         pull={"x": f"{SPREAD} * {factor}"}, push={"x": f"np.sum(g * {factor}, axis=axis, keepdims=keepdims)"})
for fn in (np.logical_and, np.logical_or):
    nondifferentiable(member(fn, "reduce"), f"y = np.{fn.__name__}.reduce(x, axis=0, *, keepdims=False)",
                      because="a truth value", spec=infer.anything)
for fn, instead in ((np.subtract, "x[0] - np.sum(x[1:], axis=0)"), (np.divide, "x[0] / np.prod(x[1:], axis=0)")):
    unsupported(member(fn, "reduce"), f"np.{fn.__name__}.reduce",
                because="the first element counts otherwise than the rest", instead=instead)

RUNNING: dict[str, Any] = {"spec": infer.arrays}
rule(member(np.add, "accumulate"), "y = np.add.accumulate(x, axis=0)", **RUNNING,
     pull={"x": "rt.uncumsum(g, x, axis)"}, push={"x": "np.cumsum(g, axis)"})
PRODUCTS = "rt.others(rt.triangle(x, axis), -1)"
rule(member(np.multiply, "accumulate"), "y = np.multiply.accumulate(x, axis=0)", **RUNNING,
     pull={"x": f"rt.untriangle(np.expand_dims(rt.last(g, axis), -1) * {PRODUCTS}, x, axis)"},
     push={"x": f"rt.unlast(np.sum(rt.triangle_along(g, axis) * {PRODUCTS}, axis=-1), y, axis)"})
for fn, least in ((np.maximum, False), (np.minimum, True)):
    rule(member(fn, "accumulate"), f"y = np.{fn.__name__}.accumulate(x, axis=0)", breaks="kink", **RUNNING,
         pull={"x": f"rt.unaccumulate(g, x, axis, {least})"}, push={"x": f"rt.accumulate_along(g, x, axis, {least})"},
         note="a value that is as great as the greatest before shares with it")
for name, back in (("accumulate_along", "unaccumulate"), ("unaccumulate", "accumulate_along")):
    linear(getattr(rt, name), f"y = rt.{name}(v, x, axis=0, least=False)", nondiff=["x"], spec=infer.arrays,
           breaks={"x": "jump"}, pull={"v": f"rt.{back}(g, x, axis, least)"})

linear(rt.raised, "r = rt.raised(x, y)", nondiff=["y"], spec=infer.arrays, memory="view",
       pull={"x": "rt.reshape_like(g, x)"}, spreads=True)
for fn in (np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum, np.power, np.arctan2, np.hypot,
           np.logaddexp):
    row = lookup(fn)
    assert row is not None
    x, y = row.params
    left, right = (re.sub(rf"\b{x}\b", f"rt.raised({x}, {y})", row.pull[name][-1].text) for name in (x, y))
    raised = re.sub(r"\bg\b", f"rt.raised(g, {y})", left)
    result = row.result
    rule(member(fn, "outer"), f"{result} = np.{fn.__name__}.outer({x}, {y})", spec=infer.anything, breaks=row.breaks,
         pull={x: f"rt.reshape_like(rt.unbroadcast({left}, rt.raised({x}, {y})), {x})",
               y: f"rt.unbroadcast({right}, {y})"},
         push={x: f"rt.broadcast_to_like({raised}, {result})", y: f"rt.broadcast_to_like({right}, {result})"})
