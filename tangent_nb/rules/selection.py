"""Choosing: where, clip, take, sort, and reading `x[index]`."""
from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import runtime as rt
from ..syntax.spec import Spec
from . import infer, layout
from .table import linear, nondifferentiable, rule

fn: Any


def _whole(s: Mapping[str, Spec]) -> bool:
    """`x[None]`, or `x[...]`, of what may be a number of NumPy, whose tangent may be one of Python,
    which has no items."""
    index, x = s.get("index"), s["x"]
    parts = index.items if index is not None and index.kind == "tuple" else (index,)
    return x.is_number and not x.rank and parts is not None \
        and all(part is not None and part.kind in ("none", "ellipsis") for part in parts)


rule(np.where, "z = np.where(condition, x, y)", diagonal=True, nondiff=["condition"], spec=infer.where,
     pull={"x": "rt.mask(g, condition)", "y": "rt.mask(g, np.logical_not(condition))"},
     push={"x": "np.where(condition, g, 0.0)", "y": "np.where(condition, 0.0, g)"},
     note="a branch not selected gets exactly 0, even where its partial is inf or NaN", zeros=True)

for fn, low, high, method in ((np.clip, "a_min", "a_max", None), (np.ndarray.clip, "min", "max", "clip")):
    texts = {"x": f"g * rt.inside(x, {low}, {high})", low: f"g * rt.below(x, {low}, {high})",
             high: f"g * rt.above(x, {low}, {high})"}
    rule(fn, f"y = np.clip(x, {low}=None, {high}=None)", method=method, diagonal=True, pull=texts, push=texts,
         also_named={"min": "a_min", "max": "a_max"} if fn is np.clip else {},
         spec=infer.clipped(low, high), note="slope 1 inside, shared on a bound", breaks="kink",
         domain={low: (-0.6, -0.1), high: (0.1, 0.6), "x": (-1.0, 1.0)})

linear(np.take, "y = np.take(x, indices, axis=None, *, mode='raise')", method="take", nondiff=["indices"],
       spec=infer.anything, pull={"x": "rt.untake(g, x, indices, axis, mode)"})
rule(np.sort, "y = np.sort(x, axis=-1, kind=None, *, stable=None)", nondiff=["kind"], spec=lambda args, constants:
     infer.like("x", "array")(args, constants) if "axis" not in args else infer.arrays(args, constants),
     pull={"x": "rt.unsort(g, x, axis)"}, push={"x": "rt.sort_as(g, x, axis)"}, breaks="kink")
rule(operator.getitem, "y = operator.getitem(x, index)", operator="Subscript", nondiff=["index"], memory="view",
     spec=layout.subscript, pull={"x": "rt.index_like(g, x, index)"},
     push={"x": [(_whole, "np.asarray(g)[index]"), "g[index]"]})
for fn in (np.nonzero, np.flatnonzero):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x)", because="integer valued", spec=infer.anything)
SEVERAL, FIRST = "return_index or return_inverse or return_counts", "rt.first_places(x, axis, equal_nan)"
rule(np.unique, "y = np.unique(x, return_index=False, return_inverse=False, return_counts=False, axis=None, *, "
     "equal_nan=True)", nondiff=["return_index", "return_inverse", "return_counts", "equal_nan"], breaks="jump",
     spec=infer.anything, note="of equal values the first one has the derivative",
     pull={"x": f"rt.unbroadcast(rt.untake(g[0] if {SEVERAL} else g, x, {FIRST}, axis), x)"},
     push={"x": f"rt.with_zeros(np.take(g, {FIRST}, axis), y) if {SEVERAL} else np.take(g, {FIRST}, axis)"})
nondifferentiable(rt.first_places, "y = rt.first_places(x, axis=None, equal_nan=True)", because="places",
                  spec=infer.arrays)
linear(rt.with_zeros, "z = rt.with_zeros(v, whole)", nondiff=["whole"], pull={"v": "g[0]"}, spec=infer.some("tuple"),
       memory="alias")
