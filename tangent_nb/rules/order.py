"""Order statistics, what is taken along an order, and places in an order."""
from __future__ import annotations

import bisect
from typing import Any

import numpy as np

from .. import runtime as rt
from . import infer
from .computed import as_computed
from .infer import cotangent
from .table import linear, nondifferentiable, rule

fn: Any
TIES = "ties share equally, as for np.max"
rule(np.median, "y = np.median(x, axis=None, *, keepdims=False)", note=TIES, breaks="kink",
     spec=as_computed(np.median, "x", axis=None, keepdims=False),
     pull={"x": "rt.unquantile(g, x, 0.5, axis, keepdims)"}, push={"x": "rt.quantile_along(g, x, 0.5, axis, keepdims)"})
rule(np.nanmedian, "y = np.nanmedian(x, axis=None, *, keepdims=False)", spec=infer.anything, note=TIES, breaks="jump",
     pull={"x": "rt.unquantile(g, x, 0.5, axis, keepdims, skip=True)"},
     push={"x": "rt.quantile_along(g, x, 0.5, axis, keepdims, skip=True)"})
for fn, q in ((np.quantile, "q"), (np.percentile, "np.divide(q, 100)")):
    rule(fn, f"y = np.{fn.__name__}(x, q, axis=None, *, method='linear', keepdims=False)", nondiff=["q"],
         spec=infer.anything, note=TIES, breaks="kink", pull={"x": f"rt.unquantile(g, x, {q}, axis, keepdims, method)"},
         push={"x": f"rt.quantile_along(g, x, {q}, axis, keepdims, method)"})
for fn, q in ((np.nanquantile, "q"), (np.nanpercentile, "np.divide(q, 100)")):
    rule(fn, f"y = np.{fn.__name__}(x, q, axis=None, *, keepdims=False)", nondiff=["q"], spec=infer.anything, note=TIES,
         breaks="jump", pull={"x": f"rt.unquantile(g, x, {q}, axis, keepdims, skip=True)"},
         push={"x": f"rt.quantile_along(g, x, {q}, axis, keepdims, skip=True)"})

ALONG = "(v, x, q, axis=None, keepdims=False, method='linear', skip=False)"
SETTINGS = "x, q, axis, keepdims, method, skip"
linear(rt.quantile_along, f"y = rt.quantile_along{ALONG}", nondiff=["x", "q"], spec=infer.anything,
       breaks={"x": "jump"}, pull={"v": f"rt.unquantile(g, {SETTINGS})"})
linear(rt.unquantile, f"y = rt.unquantile{ALONG}", nondiff=["x", "q"], spec=cotangent("x"), breaks={"x": "jump"},
       pull={"v": f"rt.quantile_along(g, {SETTINGS})"})

linear(np.take_along_axis, "y = np.take_along_axis(x, indices, axis=-1)", nondiff=["indices"], spec=infer.arrays,
       pull={"x": "rt.index_like(g, x, rt.index_along(x, indices, axis))"})

INTEGER = "integer valued"
nondifferentiable(np.argpartition, "y = np.argpartition(x, kth, axis=-1, kind='introselect')", method="argpartition",
                  because=INTEGER, spec=infer.arrays)
nondifferentiable(np.lexsort, "y = np.lexsort(keys, axis=-1)", because=INTEGER, spec=infer.anything)
nondifferentiable(np.searchsorted, "y = np.searchsorted(x, v, side='left', sorter=None)", method="searchsorted",
                  because=INTEGER, spec=infer.anything)
for fn in (bisect.bisect_left, bisect.bisect_right):       # of lists
    nondifferentiable(fn, f"y = bisect.{fn.__name__}(a, x, lo=0, hi=None)", because=INTEGER, spec=infer.integer)
nondifferentiable(np.digitize, "y = np.digitize(x, bins, right=False)", because=INTEGER, spec=infer.anything)
