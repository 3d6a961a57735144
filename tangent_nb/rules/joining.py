"""Functions that split, join, insert, pad and choose among arrays;
with the rows of the helpers that their texts call."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import runtime as rt
from . import infer, layout, when
from .breaking import by_memory, by_mode, by_mode_of_slope
from .infer import cotangent
from .layout import items_like
from .table import linear, nondifferentiable, rule, unsupported

fn: Any

# --- turning
linear(np.rot90, "y = np.rot90(x, k=1, axes=(0, 1))", memory="view", spec=infer.arrays,
       pull={"x": "np.rot90(g, -k, axes)"}, spreads=True)
linear(np.rollaxis, "y = np.rollaxis(x, axis, start=0)", nondiff=["axis"], memory="view", spec=infer.arrays,
       pull={"x": "rt.unrollaxis(g, axis, start)"})
linear(rt.unrollaxis, "y = rt.unrollaxis(v, axis, start=0)", nondiff=["axis"], memory="view", spec=infer.arrays,
       pull={"v": "np.rollaxis(g, axis, start)"})

# --- splitting: lists of views
WHERE = "indices_or_sections"
for fn in (np.split, np.array_split):
    linear(fn, f"y = np.{fn.__name__}(x, {WHERE}, axis=0)", nondiff=[WHERE], memory="alias", spec=infer.some("list"),
           pull={"x": [(when.is_int(WHERE), "np.concatenate(g, axis)"), f"rt.unsplit(g, x, {WHERE}, axis)"]})
for fn, back, axis in ((np.vsplit, "np.vstack(g)", "0"), (np.hsplit, "np.hstack(g)", "None"),
                       (np.dsplit, "np.dstack(g)", "2")):
    linear(fn, f"y = np.{fn.__name__}(x, {WHERE})", nondiff=[WHERE], memory="alias", spec=infer.some("list"),
           pull={"x": [(when.is_int(WHERE), back), f"rt.unsplit(g, x, {WHERE}, {axis})"]})
linear(rt.split_like, "y = rt.split_like(x, where, axis=0)", nondiff=["where"], memory="alias", spec=infer.some("list"),
       pull={"x": "rt.unsplit(g, x, where, axis)"})
linear(rt.unsplit, "y = rt.unsplit(v, x, where, axis=0)", nondiff=["x", "where"], spec=cotangent("x"),
       pull={"v": "rt.split_like(g, where, axis)"})
linear(np.unstack, "y = np.unstack(x, *, axis=0)", memory="alias", spec=infer.some("tuple"),
       pull={"x": "rt.restack(g, x, axis)"})
linear(rt.restack, "y = rt.restack(v, x, axis=0)", nondiff=["x"], spec=cotangent("x"),
       pull={"v": "list(np.unstack(g, axis=axis))"})

# --- joining
linear(np.dstack, "y = np.dstack(arrays)", pull={"arrays": "rt.undstack(g, arrays)"}, spec=layout.joined)
linear(rt.undstack, "y = rt.undstack(v, arrays)", pull={"v": "np.dstack(g)"}, nondiff=["arrays"],
       spec=items_like("arrays"), memory="view")
for fn, back in ((rt.row_of, rt.unrow), (rt.column_of, rt.uncolumn)):
    linear(fn, f"y = rt.{fn.__name__}(x)", pull={"x": f"rt.{back.__name__}(g, x)"}, spec=infer.arrays)
    linear(back, f"y = rt.{back.__name__}(v, x)", nondiff=["x"], spec=cotangent("x"), memory="view",
           pull={"v": f"rt.{fn.__name__}(g)"})
linear(np.block, "y = np.block(blocks)", pull={"blocks": "rt.unblock(g, blocks)"}, spec=infer.arrays)
linear(rt.unblock, "y = rt.unblock(v, blocks)", nondiff=["blocks"], spec=infer.anything, memory="alias",
       pull={"v": "np.block(g)"})
rule(np.broadcast_arrays, "y = np.broadcast_arrays(a, b=None, c=None, d=None, e=None, f=None, h=None, i=None)",
     memory="alias", spec=infer.some("tuple"),
     pull={name: f"rt.unbroadcast(g[{k}], {name})" for k, name in enumerate("abcdefhi")},
     push={name: f"rt.index_like(np.broadcast_to(g, np.shape(y[{k}])), y, {k})" for k, name in enumerate("abcdefhi")})
MESH = ("x1", "x2", "x3", "x4")
rule(np.meshgrid, "y = np.meshgrid(x1, x2=None, x3=None, x4=None, *, indexing='xy', sparse=False)",
     spec=infer.some("tuple"), pull={name: f"rt.unmesh(g[{i}], {name}, {i}, indexing)" for i, name in enumerate(MESH)},
     push={name: f"rt.index_like(rt.along_mesh(g, y[{i}], {i}, indexing), y, {i})" for i, name in enumerate(MESH)})
linear(rt.along_mesh, "y = rt.along_mesh(v, x, i, indexing='xy')", nondiff=["x", "i"], spec=cotangent("x"),
       pull={"v": "rt.unmesh(g, v, i, indexing)"})
linear(rt.unmesh, "y = rt.unmesh(v, x, i, indexing='xy')", nondiff=["x", "i"], spec=cotangent("x"),
       pull={"v": "rt.along_mesh(g, v, i, indexing)"})

# --- putting in and taking out
nondifferentiable(rt.places, "y = rt.places(x)", because="places", spec=infer.arrays, breaks="")
linear(np.delete, "y = np.delete(x, obj, axis=None)", nondiff=["obj"], spec=infer.arrays,
       pull={"x": "rt.untake(g, x, np.delete(rt.places(x), obj, axis))"})
rule(np.insert, "y = np.insert(x, obj, values, axis=None)", nondiff=["obj"], spec=infer.arrays, breaks=by_memory,
     pull={"x": "rt.uninsert(g, x, obj, values, axis)[0]",
           "values": "rt.uninsert(rt.only_floating(g, y), x, obj, values, axis)[1]"},
     push={"x": "np.insert(g, obj, rt.zeros_like(values), axis)",
           "values": "rt.only_floating(np.insert(rt.zeros_like(x), obj, g, axis), y)"})
linear(rt.uninsert, "y = rt.uninsert(v, x, obj, values, axis=None)", nondiff=["x", "obj", "values"],
       spec=infer.anything, pull={"v": "np.insert(g[0], obj, g[1], axis)"})
linear(np.resize, "y = np.resize(x, new_shape)", nondiff=["new_shape"], spec=infer.arrays,
       pull={"x": "rt.unresize(g, x, new_shape)"})
linear(rt.unresize, "y = rt.unresize(v, x, new_shape)", nondiff=["x", "new_shape"], spec=cotangent("x"),
       pull={"v": "np.resize(g, new_shape)"})
linear(np.diagflat, "y = np.diagflat(x, k=0)", pull={"x": "rt.reshape_like(rt.undiag(g, np.ravel(x), k), x)"},
       spec=infer.arrays)

ENDS = ("constant_values", "end_values")
rule(np.pad, "y = np.pad(x, pad_width, mode='constant', *, constant_values=0, end_values=0, stat_length=None)",
     nondiff=["pad_width", "mode"], spec=layout.by_shape(np.pad, "pad_width"), breaks=by_mode,
     push={"x": "rt.repad(g, x, pad_width, mode, stat_length)",
           **{name: f"rt.only_floating(rt.pad_ends(g, x, pad_width, mode, '{name}'), y)" for name in ENDS}},
     pull={"x": "rt.unpad(g, x, pad_width, mode, stat_length)",
           **{name: f"rt.unpad_ends(rt.only_floating(g, y), x, pad_width, mode, '{name}', {name})" for name in ENDS}},
     note="the mode empty, and a function as the mode, are refused when called")
linear(rt.pad_ends, "y = rt.pad_ends(v, like, pad_width, mode, name)", nondiff=["like", "pad_width", "mode", "name"],
       spec=infer.arrays, pull={"v": "rt.unpad_ends(g, like, pad_width, mode, name, v)"})
linear(rt.unpad_ends, "y = rt.unpad_ends(v, like, pad_width, mode, name, values)",
       nondiff=["like", "pad_width", "mode", "name", "values"],
       spec=cotangent("values"), pull={"v": "rt.pad_ends(g, like, pad_width, mode, name)"})
linear(rt.unpad, "y = rt.unpad(v, x, pad_width, mode='constant', stat_length=None)",
       pull={"v": "rt.repad(g, x, pad_width, mode, stat_length)"},
       nondiff=["x", "pad_width"], spec=cotangent("x"), breaks=by_mode_of_slope)
linear(rt.repad, "y = rt.repad(v, x, pad_width, mode='constant', stat_length=None)",
       pull={"v": "rt.unpad(g, x, pad_width, mode, stat_length)"}, nondiff=["x", "pad_width"], spec=infer.arrays,
       breaks=by_mode_of_slope)

# --- choosing
rule(np.select, "y = np.select(condlist, choicelist, default=0)", nondiff=["condlist"], spec=infer.arrays,
     pull={"choicelist": "rt.unselect(g, condlist, choicelist, default)[0]",
           "default": "rt.unselect(g, condlist, choicelist, default)[1]"},
     push={"choicelist": "np.select(condlist, g, 0.0)", "default": "np.select(condlist, rt.zeros_like(choicelist), g)"},
     note="lists that are written out in the call are read as np.where, "
     "whose branches are not evaluated at their poles")
linear(rt.unselect, "y = rt.unselect(v, condlist, choicelist, default=0)",
       nondiff=["condlist", "choicelist", "default"], spec=infer.anything,
       pull={"v": "np.select(condlist, g[0], g[1])"})
linear(np.choose, "y = np.choose(a, choices, *, mode='raise')", nondiff=["a"], spec=infer.anything,
       pull={"choices": "rt.unchoose(g, a, choices, mode)"})
linear(rt.unchoose, "y = rt.unchoose(v, a, choices, mode='raise')", nondiff=["a", "choices"], spec=infer.anything,
       pull={"v": "np.choose(a, g, mode=mode)"})
rule(np.compress, "y = np.compress(condition, x, axis=None)", nondiff=["condition"], spec=infer.arrays,
     pull={"x": "rt.untake(g, x, np.flatnonzero(condition), axis)"}, push={"x": "np.compress(condition, g, axis)"})
rule(np.ndarray.compress, "y = np.ndarray.compress(x, condition, axis=None)", method="compress", nondiff=["condition"],
     spec=infer.arrays,
     pull={"x": "rt.untake(g, x, np.flatnonzero(condition), axis)"}, push={"x": "np.compress(condition, g, axis)"})
linear(np.extract, "y = np.extract(condition, x)", nondiff=["condition"], spec=infer.arrays,
       pull={"x": "rt.untake(g, x, np.flatnonzero(condition))"})

# --- what stays refused
unsupported(np.piecewise, "np.piecewise",
            because="the functions that it calls, or their conditions, are not written out",
            instead="np.piecewise(x, [c], [f, g])", memory="alias")
unsupported(np.apply_along_axis, "np.apply_along_axis", because="it calls a function that cannot be seen",
            instead="a loop over the rows, and np.stack; or the axis= of the function that is applied", memory="alias")
unsupported(np.apply_over_axes, "np.apply_over_axes", because="it calls a function that cannot be seen",
            instead="the function with axis=(0, 1), keepdims=True", memory="alias")
